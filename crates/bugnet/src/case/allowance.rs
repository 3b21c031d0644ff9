//! The allowance: how many calls a run may make once it has found a bug.
//!
//! Searching, reducing, learning and explaining all draw on it.
//!
//! **Invariant:** it is counted in calls and never in time, so that a run does the same at any load.

/// The calls that a run may make after its first bug, at the least.
const LEAST: u64 = 20_000;
/// Where the first bug took longer to find, this many times the calls until it.
const TIMES: u64 = 10;
/// The percentage of the allowance that is spent when searching ends.
const SEARCHING: u64 = 50;
/// The percentage that is spent when reducing and learning end. The rest is for explaining.
const LEARNING: u64 = 70;

/// The calls that a run may make after its first bug, which was found after some.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Allowance {
    found: u64,
}

impl Allowance {
    /// The allowance of a run that has made `calls` calls until its first bug.
    pub(crate) fn after(calls: u64) -> Allowance {
        Allowance { found: calls }
    }

    /// The number of the call at which everything ends.
    fn end(self, percent: u64) -> u64 {
        self.found + LEAST.max(TIMES * self.found) / 100 * percent
    }

    /// The number of the call at which searching ends.
    pub(crate) fn search_end(self) -> u64 {
        self.end(SEARCHING)
    }

    /// The number of the call at which reducing and learning end.
    pub(crate) fn learning_end(self) -> u64 {
        self.end(LEARNING)
    }

    /// Returns the calls left to explain the bugs, after this many calls were made.
    pub(crate) fn for_explaining(self, calls: u64) -> u64 {
        self.end(100).saturating_sub(calls.max(self.learning_end()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_a_bug_is_at_most_ten_times_what_went_before_or_twenty_thousand_calls() {
        for (found, most) in [(0, 20_000), (7, 20_007), (2_000, 22_000), (50_000, 550_000)] {
            let allowance = Allowance::after(found);
            assert!(allowance.search_end() < allowance.learning_end());
            let learned = allowance.learning_end();
            assert_eq!(learned + allowance.for_explaining(learned), most);
            assert_eq!(allowance.for_explaining(most), 0);
        }
    }
}
