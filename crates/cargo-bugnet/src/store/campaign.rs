//! A campaign as reports show it: how much was tested, what failed, and why.
//!
//! It is plain data. The store makes it; the page, the JSON report and the terminal read it.
//!
//! **Invariant:** everything is in the order in which it is shown: failures by their numbers, rejections by how
//! many there are, influences with the strongest first.

use serde::{Deserialize, Serialize};

/// One campaign.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Campaign {
    /// The name that a user knows it by: that of its file, without the extension.
    pub(crate) name: String,
    /// The command that ran it.
    pub(crate) command: String,
    pub(crate) seed: u64,
    /// The scheme by which configurations were drawn, as on the command line: `mix`, `coin`, `all`.
    pub(crate) scheme: String,
    /// The names of the programs under test, in the order of the file.
    pub(crate) targets: Vec<String>,
    pub(crate) tests: u64,
    /// Tests in which at least one target failed.
    pub(crate) failing_tests: u64,
    /// Processor time of generators and targets, in seconds.
    pub(crate) processor_seconds: f64,
    pub(crate) features: Vec<Feature>,
    /// Failures that are new, then those that are known, each by their numbers.
    pub(crate) failures: Vec<Failure>,
    /// The growth of the number of failures: one point for each failure, then one for the end.
    pub(crate) growth: Vec<Point>,
    pub(crate) rejections: Vec<Rejection>,
}

/// Something that can be left out of the inputs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Feature {
    pub(crate) name: String,
    /// Tests that had it.
    pub(crate) tests: u64,
    /// Tests that had it and failed in any way.
    pub(crate) failing_tests: u64,
}

/// One way to fail, however many tests failed so.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Failure {
    /// The number to replay it by, from 1.
    pub(crate) number: u64,
    /// The name to accept it by.
    pub(crate) name: String,
    /// The text that tells it from other failures: a line of the program's own, or how it died.
    pub(crate) signature: String,
    /// The first target that failed so.
    pub(crate) target: String,
    /// All targets that failed so, the first one included.
    pub(crate) targets: Vec<String>,
    /// The input, reduced if that was possible.
    pub(crate) input: Input,
    /// The length of the input that failed first, in bytes.
    pub(crate) first_bytes: u64,
    /// The last output of the target and how it ended, for a person.
    pub(crate) happened: String,
    /// The command that runs the target on the input again.
    pub(crate) replay: String,
    /// Tests that failed so.
    pub(crate) hits: u64,
    /// The number of the first test that failed so, if tests have numbers.
    pub(crate) first_test: Option<u64>,
    /// True if it is in `bugnet-known.toml`.
    pub(crate) is_known: bool,
    /// The features that trigger it, the strongest first.
    pub(crate) triggers: Vec<Influence>,
    /// The features that suppress it, the strongest first.
    pub(crate) suppressors: Vec<Influence>,
    /// The features of which neither is shown, the strongest first.
    pub(crate) others: Vec<Influence>,
}

/// An input, as text if it can be read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Input {
    /// The name of its file in the store's folder.
    pub(crate) file: String,
    pub(crate) bytes: u64,
    /// Its text; bytes that are no text are shown as a hex dump.
    pub(crate) text: String,
    /// The reducer that made it, if one did.
    pub(crate) reduced_by: Option<String>,
}

/// The share of the tests with a feature among those that failed in one way, compared with the others.
///
/// Tests that were rejected are in neither group. A test that died otherwise on the same target says nothing certain, so
/// the comparison is made with and without such tests, and the weaker one is shown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Influence {
    pub(crate) feature: String,
    /// Failing tests that had it, of all failing tests that were compared.
    pub(crate) failing_with: u64,
    pub(crate) failing: u64,
    /// Compared tests that had it, of all compared tests.
    pub(crate) all_with: u64,
    pub(crate) all: u64,
    /// The share of failing tests that would have it if it made no difference, from 0 to 1.
    pub(crate) expected: f64,
    /// The 95 % interval of the share of failing tests that have it, from 0 to 1 (Wilson).
    pub(crate) interval: (f64, f64),
    /// The probability of a share at least as odd by chance (Fisher, within strata).
    pub(crate) p: f64,
    /// The same, adjusted for all comparisons of the campaign (Benjamini and Hochberg).
    pub(crate) q: f64,
    /// True if too few tests failed to say anything about this feature.
    pub(crate) is_undecided: bool,
}

/// The number of failures that were known after some tests and some time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Point {
    pub(crate) tests: u64,
    /// Processor time of generators and targets, in seconds.
    pub(crate) processor_seconds: f64,
    pub(crate) failures: u64,
}

/// Inputs that a target did not take, or that the generator did not make.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rejection {
    /// The target, or `generator`.
    pub(crate) target: String,
    /// The message of the target.
    pub(crate) message: String,
    pub(crate) count: u64,
}
