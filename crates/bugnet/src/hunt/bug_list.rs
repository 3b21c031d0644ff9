//! The bug list: the bugs of one run, each with the simplest case that was seen.
//!
//! Bugs that were known before may stand in it beside those of the run, so that another form of a known bug
//! is told from a new one in the same way as another form of a bug that was just found. They are not
//! reported.
//!
//! **Invariant:** a bug keeps its number as long as it is on the list, and no two bugs ever have the same.

use super::bug::Bug;
use crate::case::{Finder, Flaky, Judge, Reduced};
use crate::choice::Source;
use crate::oracle::{Signature, Verdict, WrongTest};
use std::cmp::Ordering;

/// The bugs of one run.
#[derive(Debug, Default)]
pub(crate) struct BugList {
    pub(super) bugs: Vec<Bug>,
    /// A failure that did not come again.
    pub(super) flaky: Option<Reduced>,
    /// The number of the next bug.
    next: usize,
    /// The number of bugs that were entered and not known before.
    entered: usize,
}

impl BugList {
    /// Returns the number of failures that were new in this run, whatever has become of them.
    pub(super) fn news(&self) -> usize {
        self.entered + usize::from(self.flaky.is_some())
    }

    fn place(&self, number: usize) -> Option<usize> {
        self.bugs.iter().position(|bug| bug.id == number)
    }

    /// Returns the bug of a number, if it is on the list.
    pub(super) fn bug(&self, number: usize) -> Option<&Bug> {
        self.place(number).map(|place| &self.bugs[place])
    }

    /// Returns the bug of a number, to be changed.
    pub(super) fn bug_mut(&mut self, number: usize) -> Option<&mut Bug> {
        self.place(number).map(|place| &mut self.bugs[place])
    }

    /// Puts a bug on the list and returns its number.
    pub(super) fn enter(&mut self, mut bug: Bug) -> usize {
        bug.id = self.next;
        self.next += 1;
        self.entered += usize::from(!bug.accepted);
        self.bugs.push(bug);
        self.next - 1
    }

    /// Counts a case that fails for the reason of a bug.
    pub(super) fn hit(&mut self, number: usize, by: Finder) {
        if let Some(bug) = self.bug_mut(number) {
            bug.hit(by);
        }
    }

    /// Counts a failure for the first bug that fails in the same way. Returns false if there is none.
    pub(super) fn meet(&mut self, signature: &Signature, by: Finder) -> bool {
        let same = self.bugs.iter_mut().find(|bug| bug.failure.signature == *signature);
        same.map(|bug| bug.hit(by)).is_some()
    }

    /// Counts a failure as another shape of a bug.
    pub(super) fn join(&mut self, number: usize, other: &Bug, by: Finder) {
        self.simplify(number, other);
        self.hit(number, by);
    }

    /// Has a bug show the case of another failure, if that is simpler.
    pub(super) fn simplify(&mut self, number: usize, other: &Bug) {
        let Some(bug) = self.bug_mut(number) else { return };
        if !bug.accepted && other.tape.simplicity(&bug.tape) == Ordering::Less {
            let Bug { hits, pattern, id, base, .. } = bug.clone();
            *bug = Bug { hits, pattern, id, base, accepted: false, ..other.clone() };
        }
    }

    /// Has a bug give its place to another one, with the simplest of their cases. Returns false if it is not on the
    /// list.
    pub(super) fn unite(&mut self, old: usize, number: usize) -> bool {
        let Some(old) = self.place(old) else { return false };
        let old = self.bugs.remove(old);
        for bug in self.bugs.iter_mut().filter(|bug| bug.base == Some(old.id)) {
            bug.base = (bug.id != number).then_some(number);
        }
        self.simplify(number, &old);
        if let Some(bug) = self.bug_mut(number) {
            bug.join(&old);
        }
        true
    }

    /// Returns the bug that a bug is another way to, or that bug itself.
    pub(super) fn root(&self, number: usize) -> Option<usize> {
        let bug = self.bug(number)?;
        Some(bug.base.unwrap_or(bug.id))
    }

    /// Returns true if a bug fails in a certain way.
    pub(super) fn fails_like(&self, number: usize, signature: &Signature) -> bool {
        self.bug(number).is_some_and(|bug| bug.failure.signature == *signature)
    }

    /// Returns true if a bug was known before this run.
    pub(super) fn is_accepted(&self, number: usize) -> bool {
        self.bug(number).is_some_and(|bug| bug.accepted)
    }

    /// Returns the bugs of the run that have failed in one case only.
    pub(super) fn met_once(&self) -> Vec<usize> {
        let mut once = Vec::new();
        for bug in &self.bugs {
            let mut hits = 0;
            for (_, count) in &bug.hits {
                hits += count;
            }
            if !bug.accepted && hits == 1 {
                once.push(bug.id);
            }
        }
        once
    }

    /// Runs the case of a bug again, and returns true if it fails as it did. If it passes, there is no such bug, and
    /// it leaves the list.
    pub(super) fn fails_still(&mut self, number: usize, judge: &mut Judge<'_>) -> Result<bool, WrongTest> {
        let Some(Bug { tape, failure, accepted: false, .. }) = self.bug(number) else { return Ok(true) };
        let signature = failure.signature.clone();
        let verdict = judge.program(&mut Source::replay(tape.clone()), Some(&signature))?;
        let fails = matches!(verdict, Verdict::Fail(failure) if failure.signature == signature);
        if let Some(place) = self.place(number).filter(|_| !fails) {
            let Bug { failure, tape, notes, effort, .. } = self.bugs.remove(place);
            judge.evidence.doubt();
            let flaky = Some(Flaky { runs: 1, failed: 0 });
            self.flaky.get_or_insert(Reduced { tape, failure, flaky, notes, effort });
        }
        Ok(fails)
    }
}
