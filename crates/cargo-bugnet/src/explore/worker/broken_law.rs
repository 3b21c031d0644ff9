//! BrokenLaws: what a broken law teaches, so that a second fault behind it is seen.
//!
//! A law says that something is wrong, and not where. If programs broke it again and again in the way that was seen first,
//! nobody would see another one. So the program is reduced, what such programs have in common is avoided from then on, and
//! if the law is broken all the same, that is told.
//!
//! **Invariant:** the process that draws programs and the worker know the same patterns in the same order, so that a
//! program is drawn again as it was.

use super::super::deadly;
use super::{News, Worker, is_worth_showing};
use crate::api::Facts;
use crate::client::limit::Pace;
use crate::client::manner;
use crate::finding::{Finding, Pattern};
use crate::judge::same_cause;
use anyhow::Result;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The time to reduce a program that has broken a law, and that to generalize it: both take milliseconds, unless
/// something near it is slow.
const TIME: Duration = Duration::from_secs(1);
/// Trials for each of these steps where no clock is asked.
const TRIALS: u64 = 1_500;
/// The divisor of a run's time that gives the most time to spend on broken laws.
const SHARE: u32 = 8;
/// BrokenLaws of a stream at most where no clock is asked.
const MOST: u32 = 24;

/// The broken laws that a worker has met.
#[derive(Debug, Default)]
pub(super) struct BrokenLaws {
    /// Broken laws that nobody has looked into.
    open: Vec<Finding>,
    /// For each law, the operation that asks it: what breaks it for a type with some arguments breaks it with others.
    taught: BTreeMap<String, String>,
    /// The ways to break laws that were looked into, each with its law.
    ways: Vec<(String, Vec<String>)>,
    /// The number of those that were looked into, and the time that was spent on them.
    count: u32,
    spent: Duration,
}

impl BrokenLaws {
    /// Notes a finding, if it is a broken law. `facts` are those about what failed.
    pub(super) fn note(&mut self, finding: &Finding, facts: &Facts) {
        if (finding.law.is_some() || facts.stated) && !finding.cause.is_deadly() {
            self.open.push(finding.clone());
        }
    }

    /// Returns true if there is time to look into another one; `time` is that of the run.
    fn is_affordable(&self, pace: Pace, time: Duration) -> bool {
        match pace {
            Pace::Clock => self.spent <= time / SHARE,
            Pace::Trials => self.count < MOST,
        }
    }

    /// Returns true if an operation is the first that asks its law.
    fn is_first(&mut self, finding: &Finding) -> bool {
        let law = same_cause::law_key(finding);
        *self.taught.entry(law).or_insert_with(|| finding.operation.clone()) == finding.operation
    }

    /// The pattern to avoid after a law was looked into. If the same changes break the same law again, their literals are not what
    /// matters: `push(1)` and `push(2)` are one way to break it, though `push(0)` does not.
    fn pattern<'a>(&mut self, minimal: &Finding, pattern: &'a Pattern) -> &'a str {
        let changes = minimal.after.clone().unwrap_or_default();
        let is_known = |(law, way): &(String, Vec<String>)| {
            *law == minimal.operation && deadly::is_one_way(way, &changes)
        };
        if self.ways.iter().any(is_known) {
            return &pattern.wide;
        }
        self.ways.push((minimal.operation.clone(), changes));
        &pattern.stored
    }
}

impl Worker<'_> {
    /// Looks into the laws that were broken since the process has paused last.
    pub(super) fn learn(&mut self) -> Result<()> {
        let (pace, time) = (self.work.budget.pace(), self.work.budget.time().unwrap_or_default());
        for finding in std::mem::take(&mut self.broken_laws.open) {
            let is_wanted =
                is_worth_showing(&finding, self.work.built) && self.broken_laws.is_first(&finding);
            if !is_wanted || !self.broken_laws.is_affordable(pace, time) || self.ended().is_some() {
                continue;
            }
            let began = Instant::now();
            if let Some((minimal, pattern)) = self.taught_by(&finding)? {
                self.tell(News::Refined { finding, minimal: minimal.clone() });
                self.avoid_breaking(&minimal, pattern.as_ref());
            }
            self.broken_laws.count += 1;
            self.broken_laws.spent += began.elapsed();
        }
        Ok(())
    }

    /// Returns the minimal program that breaks a law, and what programs that break it alike have in common.
    fn taught_by(&self, finding: &Finding) -> Result<Option<(Finding, Option<Pattern>)>> {
        let Some(tape) = finding.tape.as_deref() else { return Ok(None) };
        let limit = self.work.budget.pace().limit(TIME, TRIALS);
        let known = self.restraint.known.clone();
        let Some(reduced) = self.client().reduce(tape, manner(finding.cause), limit, known)? else {
            return Ok(None);
        };
        let after = Some(same_cause::changes(&reduced.program));
        let minimal = Finding { tape: Some(reduced.program.tape.to_string()), after, ..finding.clone() };
        let pattern = self.client().generalize(&minimal, limit)?;
        Ok(Some((minimal, pattern)))
    }

    /// Has programs drawn around a pattern from now on.
    fn avoid_breaking(&mut self, minimal: &Finding, pattern: Option<&Pattern>) {
        let Some(pattern) = pattern else { return };
        let pattern = self.broken_laws.pattern(minimal, pattern);
        let changes = minimal.after.as_deref().unwrap_or_default();
        let is_told = self.restraint.known.iter().any(|known| known == pattern);
        if !is_told && self.deaths().learn(&minimal.operation, changes, pattern) {
            self.restraint.known.push(pattern.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Law;
    use crate::judge::bug::example::bug;

    /// A law of a type that is broken.
    fn broken(of: &str) -> Finding {
        let law = Law { name: "equal_hashes".to_string(), of: of.to_string() };
        Finding { operation: law.operation(), law: Some(law), place: None, ..bug().finding }
    }

    #[test]
    fn a_law_is_looked_into_for_one_of_the_types_that_differ_in_their_arguments() {
        let mut broken_laws = BrokenLaws::default();
        let mut is_first = |of: &str| broken_laws.is_first(&broken(of));
        assert_eq!(
            ["Map<u8>", "Map<i8>", "Set<u8>", "Map<u8>"].map(&mut is_first),
            [true, false, true, true]
        );
    }

    #[test]
    fn the_same_changes_of_a_law_are_avoided_with_any_literals_when_they_come_again() {
        let mut broken_laws = BrokenLaws::default();
        let pattern =
            Pattern { stored: "push(1)".to_string(), wide: "push(_)".to_string(), ..Pattern::default() };
        let after = |change: &str| Finding { after: Some(vec![change.to_string()]), ..broken("Map") };
        assert_eq!(broken_laws.pattern(&after("push"), &pattern), "push(1)");
        assert_eq!(broken_laws.pattern(&after("pop"), &pattern), "push(1)");
        assert_eq!(broken_laws.pattern(&after("push"), &pattern), "push(_)");
    }

    #[test]
    fn only_laws_are_looked_into() {
        let mut broken_laws = BrokenLaws::default();
        broken_laws.note(&bug().finding, &Facts::default());
        broken_laws.note(&broken("Map"), &Facts::default());
        broken_laws.note(&bug().finding, &Facts { stated: true, ..Facts::default() });
        assert_eq!(broken_laws.open, [broken("Map"), bug().finding]);
    }

    #[test]
    fn an_eighth_of_a_run_at_most_is_spent_on_broken_laws() {
        let broken_laws = |count, seconds| BrokenLaws {
            count,
            spent: Duration::from_secs(seconds),
            ..BrokenLaws::default()
        };
        let minute = Duration::from_secs(60);
        assert!(
            broken_laws(99, 7).is_affordable(Pace::Clock, minute)
                && !broken_laws(0, 8).is_affordable(Pace::Clock, minute)
        );
        // Without a clock, the number of laws decides, however long they take.
        assert!(broken_laws(MOST - 1, 99).is_affordable(Pace::Trials, minute));
        assert!(!broken_laws(MOST, 0).is_affordable(Pace::Trials, minute));
    }
}
