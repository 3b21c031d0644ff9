//! Tallies: how often a stated law was checked, and with what.
//!
//! **Invariant:** an input counts as different once, whichever processes checked it.

use bugnet::wire::explore::Checked;
use std::collections::{BTreeMap, HashSet};

/// The checks after which a law that says nothing of it was checked often enough.
const USUAL: u64 = 10_000;
/// The share, in percent, from which inputs count as nearly all alike.
const ALIKE: u64 = 90;
/// The least checks of which that is said.
const FEW: u64 = 50;

/// The checks of a law.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) discarded: u64,
    inputs: HashSet<u64>,
    labels: BTreeMap<String, u64>,
    covers: BTreeMap<String, (f64, u64)>,
    /// The input of which one process has made the most checks, and their number.
    commonest: Option<(String, u64)>,
    /// Passed checks whose programs were looked at, and those of them whose inputs at least two calls had changed.
    sampled: u64,
    changed: u64,
    /// The number of checks that the law asks for.
    cases: Option<u64>,
}

impl Tally {
    /// Adds what a process has checked since it told last.
    pub(crate) fn add(&mut self, checked: Checked) {
        self.cases = checked.cases;
        self.passed += checked.passed;
        self.failed += checked.failed;
        self.discarded += checked.discarded;
        self.sampled += checked.sampled;
        self.changed += checked.changed;
        self.inputs.extend(checked.inputs);
        for (label, count) in checked.labels {
            *self.labels.entry(label).or_default() += count;
        }
        for (label, (percent, hits)) in checked.covers {
            let cover = self.covers.entry(label).or_default();
            *cover = (percent, cover.1 + hits);
        }
        let most = self.commonest.as_ref().map_or(0, |(_, count)| *count);
        self.commonest = checked.commonest.filter(|(_, count)| *count > most).or(self.commonest.take());
    }

    /// The number of checks that met the preconditions.
    pub(crate) fn checks(&self) -> u64 {
        self.passed + self.failed
    }

    /// Returns true if the law was checked as often as it asks for.
    pub(crate) fn is_enough(&self) -> bool {
        self.checks() >= self.cases.unwrap_or(USUAL)
    }

    /// The number of inputs that print differently.
    pub(crate) fn different(&self) -> u64 {
        self.inputs.len() as u64
    }

    /// Returns the shares of labels in percent, the greatest first. One that no check has had is there too, unless it was
    /// had with others.
    pub(crate) fn labels(&self) -> Vec<(&str, u64)> {
        let is_part = |label: &str| {
            let mut had = self.labels.iter().filter(|(_, count)| **count > 0);
            had.any(|(others, _)| others.split(", ").any(|other| other == label))
        };
        let told = self.labels.iter().filter(|(label, count)| **count > 0 || !is_part(label));
        let mut labels: Vec<(&str, u64)> =
            told.map(|(label, count)| (label.as_str(), self.percent(*count))).collect();
        labels.sort_by_key(|(label, share)| (std::cmp::Reverse(*share), *label));
        labels
    }

    /// Returns true if no check has had a label.
    pub(crate) fn is_absent(&self, label: &str) -> bool {
        self.labels.get(label) == Some(&0)
    }

    /// Returns the labels of `cover!` that were seen too seldom, with the shares that were seen and demanded.
    pub(crate) fn uncovered(&self) -> Vec<(&str, u64, f64)> {
        let seen = |hits: u64| 100.0 * hits as f64 / self.checks().max(1) as f64;
        let missed = self.covers.iter().filter(|(_, (percent, hits))| seen(*hits) < *percent);
        missed.map(|(label, (percent, hits))| (label.as_str(), self.percent(*hits), *percent)).collect()
    }

    /// Returns the input that nearly all checks had, if they were nearly all alike, and its share in percent.
    pub(crate) fn alike(&self) -> Option<(&str, u64)> {
        let (text, count) = self.commonest.as_ref()?;
        let share = self.percent(*count);
        (share >= ALIKE && self.checks() >= FEW).then_some((text, share))
    }

    /// Returns the share of inputs, in percent, that at least two calls have changed; none if no program was looked at.
    pub(crate) fn changed_twice(&self) -> Option<u64> {
        (self.sampled > 0).then(|| 100 * self.changed / self.sampled)
    }

    fn percent(&self, count: u64) -> u64 {
        100 * count / self.checks().max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(passed: u64, inputs: &[u64], commonest: (&str, u64)) -> Checked {
        let commonest = Some((commonest.0.to_string(), commonest.1));
        Checked { passed, inputs: inputs.to_vec(), commonest, ..Checked::default() }
    }

    #[test]
    fn inputs_that_two_processes_have_checked_count_once() {
        let mut tally = Tally::default();
        tally.add(checked(3, &[1, 2], ("[]", 2)));
        tally.add(checked(2, &[2, 3], ("[0]", 1)));
        assert_eq!((tally.checks(), tally.different()), (5, 3));
    }

    #[test]
    fn a_label_that_no_check_has_had_is_told_unless_it_was_had_with_others() {
        let mut tally = Tally::default();
        let labels = [("empty", 0), ("long", 0), ("long, sorted", 30)];
        let labels = labels.map(|(label, count)| (label.to_string(), count)).to_vec();
        tally.add(Checked { passed: 100, labels, ..Checked::default() });
        assert_eq!(tally.labels(), [("long, sorted", 30), ("empty", 0)]);
    }

    #[test]
    fn inputs_that_are_nearly_all_alike_are_told_with_their_share() {
        let mut tally = Tally::default();
        tally.add(checked(90, &[1], ("Graph {}", 90)));
        assert_eq!(tally.alike(), Some(("Graph {}", 100)));
        tally.add(checked(10, &[2], ("Graph {}", 90)));
        assert_eq!(tally.alike(), Some(("Graph {}", 90)));
        tally.add(checked(10, &[3], ("Graph {}", 90)));
        assert_eq!(tally.alike(), None);
    }

    #[test]
    fn the_share_of_inputs_that_calls_have_changed_is_that_of_the_programs_that_were_looked_at() {
        let mut tally = Tally::default();
        assert_eq!(tally.changed_twice(), None);
        tally.add(Checked { passed: 100, sampled: 4, changed: 3, ..Checked::default() });
        tally.add(Checked { passed: 300, sampled: 4, changed: 1, ..Checked::default() });
        assert_eq!(tally.changed_twice(), Some(50));
    }

    #[test]
    fn a_cover_that_was_seen_too_seldom_is_told() {
        let mut tally = Tally::default();
        let covers = vec![("long".to_string(), (20.0, 3)), ("short".to_string(), (20.0, 30))];
        tally.add(Checked { passed: 100, covers, ..Checked::default() });
        assert_eq!(tally.uncovered(), [("long", 3, 20.0)]);
    }
}
