//! The store: what campaigns have done and found, kept between runs.
//!
//! A campaign's tests are numbered, and a shard is a range of them. A run claims shards and finishes each with the
//! outcomes of its tests, the failures and the rejections in one transaction. From the outcomes, everything that is
//! counted can be computed again, so there are no sums that could be added twice.
//!
//! A [`campaign`] is the plain data that reports read.
//!
//! **Invariant:** a test is counted once, whenever a run is killed.

pub(crate) mod campaign;
pub(crate) mod outcome;
pub(crate) mod reasons;
mod sqlite;
mod tables;
#[cfg(test)]
mod tests;

pub(crate) use sqlite::Sqlite;

use anyhow::Result;
use campaign::Campaign;
use outcome::Mark;
use std::time::Duration;

/// The name of the folder that the store is in.
pub(crate) const FOLDER: &str = ".bugnet";

/// A place that keeps campaigns.
pub(crate) trait Store: Send + std::fmt::Debug {
    /// Finds the campaign with an identity, or makes it.
    fn campaign(&mut self, identity: &Identity) -> Result<Begun>;
    /// Forgets everything of a campaign.
    fn forget(&mut self, campaign: i64) -> Result<()>;
    /// Notes that a campaign was checked, so that the next run need not do it.
    fn set_checked(&mut self, campaign: i64) -> Result<()>;
    /// Begins a run of `tests` tests, or continues one that was killed. Returns the number of tests that the
    /// campaign has at the end of the run.
    fn begin(&mut self, campaign: i64, tests: Option<u64>) -> Result<Option<u64>>;
    /// Ends the run.
    fn end(&mut self, campaign: i64) -> Result<()>;
    /// Claims at most `most` tests below `goal`; `None` if there are no more.
    fn claim(&mut self, campaign: i64, most: u64, goal: Option<u64>) -> Result<Option<Shard>>;
    /// Takes the result of a shard. Tests behind those that were done are free again. Returns the signatures that
    /// are new to the campaign.
    fn finish(&mut self, shard: &Shard, work: &Work) -> Result<Vec<String>>;
    /// Returns the finished shards, by their first tests.
    fn finished(&mut self, campaign: i64) -> Result<Vec<Finished>>;
    /// Returns the failures, by their first tests. Those without a number get one.
    fn failures(&mut self, campaign: i64) -> Result<Vec<Kept>>;
    /// Returns the rejections, the commonest first.
    fn rejections(&mut self, campaign: i64) -> Result<Vec<campaign::Rejection>>;
    /// Keeps the reduced input of a failure.
    fn keep_reduced(&mut self, failure: i64, reduced: &Reduced) -> Result<()>;
    /// Notes that a failure is another one.
    fn merge(&mut self, failure: i64, into: i64) -> Result<()>;
    /// Keeps what reports show of a campaign.
    fn keep_report(&mut self, campaign: i64, report: &Campaign) -> Result<()>;
    /// Returns what reports show of all campaigns, the latest last.
    fn reports(&mut self) -> Result<Vec<Campaign>>;
}

/// The properties that make two campaigns the same: a test number then means the same test in both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) name: String,
    /// The hash of the parts of the file that decide what tests are.
    pub(crate) digest: String,
    pub(crate) seed: u64,
    pub(crate) scheme: String,
}

/// A campaign that was found or made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Begun {
    pub(crate) id: i64,
    /// Tests that were done before.
    pub(crate) tests: u64,
    pub(crate) is_checked: bool,
    /// True if there is a campaign of this name with another file, seed or scheme.
    pub(crate) has_others: bool,
}

/// A range of tests that somebody works on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shard {
    pub(crate) campaign: i64,
    pub(crate) first: u64,
    pub(crate) count: u64,
}

/// The result of a shard.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// The marks of each test that was done, one for each target.
    pub(crate) marks: Vec<Vec<Mark<String>>>,
    /// Failing inputs: the first of each signature, or the first five.
    pub(crate) sightings: Vec<Sighting>,
    /// The target, its message, and how often.
    pub(crate) rejections: Vec<(String, String, u64)>,
    /// Processor time of the programs.
    pub(crate) processor: Duration,
}

/// One failing test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sighting {
    pub(crate) signature: String,
    pub(crate) test: u64,
    pub(crate) target: String,
    pub(crate) input: Vec<u8>,
    /// The flags that the generator had.
    pub(crate) flags: String,
    pub(crate) happened: String,
}

/// A finished shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finished {
    pub(crate) first: u64,
    /// The marks of each test, one for each target, by the numbers of failures.
    pub(crate) marks: Vec<Vec<Mark<i64>>>,
    pub(crate) processor: Duration,
}

/// A failure that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) id: i64,
    /// The number to replay it by, from 1.
    pub(crate) number: u64,
    pub(crate) signature: String,
    /// Its first sightings, by the numbers of their tests.
    pub(crate) sightings: Vec<Sighting>,
    pub(crate) reduced: Option<Reduced>,
    /// The failure that it turned out to be.
    pub(crate) merged_into: Option<i64>,
}

/// A reduced input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reduced {
    pub(crate) input: Vec<u8>,
    pub(crate) by: String,
    pub(crate) happened: String,
    /// All signatures that the targets have for it.
    pub(crate) signatures: Vec<String>,
}
