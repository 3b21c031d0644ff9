//! Knowledge: what a hunt knows of bugs, and how it comes to know more.
//!
//! The hunt is one loop; programs and inputs differ in what stands for a bug, and in how it is learned, avoided and
//! corrected. All of these differences are here.
//!
//! **Invariant:** knowledge never searches. It runs cases only to learn about failures that were found.

use super::bug::Bug;
use super::bug_list::BugList;
use super::known::KnownBug;
use crate::case::{Finder, Found, Judge, Reduced};
use crate::choice::Tape;
use crate::oracle::{Failure, Verdict, WrongTest};

/// The reason for which a search has returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SearchEnd {
    /// A case has failed.
    Found,
    /// A sample has shown that something known says too much.
    Refuted,
    /// The budget is used up.
    Spent,
}

/// Knows what the failing cases of each bug have in common: patterns of programs, or forms of inputs.
pub(crate) trait Knowledge {
    /// A bug of the file of known bugs, as it was read.
    type Known;
    /// The known bugs that one failure is reduced around.
    type Others;

    /// Reads a bug of the file of known bugs.
    fn read(&self, bug: &KnownBug) -> Result<Self::Known, WrongTest>;

    /// Runs a case whatever is known of it.
    fn replay(&self, tape: Tape, judge: &mut Judge<'_>) -> Result<(Verdict, Tape), WrongTest>;

    /// Takes in a bug that was known before and fails still.
    fn accept(&mut self, bugs: &mut BugList, name: &str, known: Self::Known, failure: Failure, tape: Tape);

    /// Has the search go around everything that is known by now.
    fn avoid(&self, judge: &mut Judge<'_>);

    /// Returns true if a kept case need not be run, because it shows a known bug.
    fn is_known(&self, tape: &Tape) -> bool;

    /// Learns from what was seen while the search went around known bugs.
    fn learn(&mut self, bugs: &mut BugList, end: SearchEnd, judge: &mut Judge<'_>) -> Result<(), WrongTest>;

    /// Counts a failure for the known bug that it belongs to, and returns `None`; or returns it, without the parts
    /// that belong to known bugs.
    fn attribute(&self, _bugs: &mut BugList, found: Found) -> Option<Found> {
        Some(found)
    }

    /// Returns the known bugs that a failure is reduced around.
    fn others(&self, found: &Found) -> Self::Others;

    /// Reduces a failure, without running cases that show one of the others.
    fn reduce(
        &self,
        found: Found,
        others: &mut Self::Others,
        judge: &mut Judge<'_>,
    ) -> Result<Reduced, WrongTest>;

    /// Learns what failing cases like this one have in common, and puts the bug on the list, unless it is there in
    /// another shape. Returns what failed in another way meanwhile.
    fn enter(
        &mut self,
        bugs: &mut BugList,
        reduced: Reduced,
        others: &mut Self::Others,
        by: Finder,
        judge: &mut Judge<'_>,
    ) -> Result<Vec<Found>, WrongTest>;

    /// Forgets a bug that turned out not to exist.
    fn forget(&mut self, bug: usize);

    /// Runs further cases at the end, to see whether what is known is true. Returns what failed in another way.
    fn examine(&mut self, _judge: &mut Judge<'_>) -> Result<Vec<Found>, WrongTest> {
        Ok(Vec::new())
    }

    /// Adds to each bug what is told of it in the end, as far as cases have to be run for that.
    fn describe(&mut self, _bugs: &mut BugList, _judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        Ok(())
    }

    /// Returns the number of cases that were not run, but count as passed.
    fn avoided(&self) -> u64 {
        0
    }

    /// Returns the bugs of the run in the order of the report, with their names.
    fn named(self, bugs: BugList) -> Vec<Bug>;
}
