//! The tally of programs that leave operations out: which operations they had, and how they failed.
//!
//! A program goes on after a call that has failed, so it may fail in several ways. Only the programs about one kind of
//! value are compared with each other, for others do not draw its operations at all.
//!
//! **Invariant:** what is told depends on the programs alone and not on the clock, so that the same programs tell the
//! same; a process that dies takes at most the last few programs with it.

use bugnet::oracle::{Failure, Phase, Signature};
use bugnet::swarm::{Configuration, Tally};
use std::collections::{BTreeMap, BTreeSet};

/// Programs about each kind that are counted. More would make influences no clearer, and their exact test slow: a
/// failure that comes in one of a hundred programs fails 40 times among these.
const COUNTED: u32 = 4_000;
/// Programs that are told together.
const TOLD: u64 = 64;

/// A program while it runs.
#[derive(Debug)]
pub(crate) struct Row {
    configuration: Configuration,
    /// The operations about that kind, each with true if it was left in.
    operations: Vec<(&'static str, bool)>,
    failures: BTreeSet<String>,
}

impl Row {
    /// A program that has not failed, with the operations about its kind.
    pub(crate) fn new(configuration: Configuration, operations: Vec<(&'static str, bool)>) -> Row {
        Row { configuration, operations, failures: BTreeSet::new() }
    }

    /// Takes note of a failure.
    pub(crate) fn fails(&mut self, failure: &Failure) {
        self.failures.insert(signature(failure));
    }
}

/// The programs of a process that were counted and not told yet.
#[derive(Debug, Default)]
pub(crate) struct Tallied {
    tally: Tally,
    /// For each kind, the programs that were counted.
    counted: BTreeMap<usize, u32>,
}

impl Tallied {
    /// Returns true if the next program about this kind is to be counted, and false once enough were.
    pub(crate) fn takes(&mut self, centre: usize) -> bool {
        let counted = self.counted.entry(centre).or_default();
        *counted = counted.saturating_add(1);
        *counted <= COUNTED
    }

    /// Counts a program that has ended.
    pub(crate) fn count(&mut self, row: Row) {
        let failures: Vec<&str> = row.failures.iter().map(String::as_str).collect();
        self.tally.count_several(&row.configuration, row.operations, &failures);
    }

    /// Takes what is to be told: some programs at a time, or all that are left.
    pub(crate) fn take(&mut self, all: bool) -> Option<Vec<u8>> {
        let is_due = self.tally.tests() >= if all { 1 } else { TOLD };
        is_due.then(|| std::mem::take(&mut self.tally).to_bytes())
    }
}

/// Returns the way to fail as words: operation, phase and cause, apart by tabs.
fn signature(failure: &Failure) -> String {
    let (operation, phase) = match &failure.signature {
        Signature::InCall { operation, phase, .. } => (operation.as_str(), *phase),
        _ => ("", Phase::Call),
    };
    format!("{operation}\t{phase}\t{}", failure.signature.cause())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::swarm::{Scheme, Swarm};

    fn broken(operation: &str) -> Failure {
        let cause = Box::new(Signature::Panic { file: "src/lib.rs".into(), line: 3, column: 5 });
        let phase = Phase::Call;
        Failure::new(Signature::InCall { operation: operation.to_string(), phase, cause }, String::new())
    }

    #[test]
    fn a_program_counts_for_each_way_in_which_it_failed_once() {
        let mut tallied = Tallied::default();
        let mut row = Row::new(Configuration::ALL, vec![("push", true)]);
        for operation in ["push", "pop", "push"] {
            row.fails(&broken(operation));
        }
        tallied.count(row);
        assert_eq!(tallied.take(false), None);
        let told = Tally::from_bytes(&tallied.take(true).unwrap()).unwrap();
        let failures: Vec<(&str, u64)> = told.failures().collect();
        assert_eq!(failures, [("pop\tcall\tsrc/lib.rs:3:5", 1), ("push\tcall\tsrc/lib.rs:3:5", 1)]);
        assert_eq!(tallied.take(true), None);
    }

    #[test]
    fn programs_are_told_some_at_a_time_until_enough_of_a_kind_were_counted() {
        let (mut tallied, mut told) = (Tallied::default(), Tally::default());
        let swarm = Swarm::new(Scheme::Uniform, []);
        for program in 0..2 * COUNTED {
            let configuration = swarm.configuration(u64::from(program) | 1, program.into());
            if tallied.takes(7) {
                tallied.count(Row::new(configuration, vec![("push", program % 2 == 0)]));
            }
            if let Some(bytes) = tallied.take(false) {
                let some = Tally::from_bytes(&bytes).unwrap();
                assert_eq!(some.tests(), TOLD);
                told.merge(&some);
            }
        }
        assert_eq!(told.tests(), u64::from(COUNTED) / TOLD * TOLD);
        assert!(!tallied.takes(7) && tallied.takes(8));
    }
}
