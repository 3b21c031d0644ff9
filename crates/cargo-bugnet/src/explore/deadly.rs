//! Deaths: what has killed processes, and what becomes of it.
//!
//! **Invariant:** what has killed too often is called no more, unless it does so only after calls that can be avoided.

use crate::finding::{Cause, Finding, Pattern};
use bugnet::wire::Program;
use bugnet::wire::explore::Restraint;
use std::collections::{BTreeMap, BTreeSet};

/// Processes that an operation may kill without long literals before it is banned.
const DEATHS: u32 = 3;
/// Deaths that one hang counts for, because a hang costs seconds.
const HANG: u32 = 2;
/// Patterns by which an operation that kills is avoided before it is banned.
const PATTERNS: u32 = 2;
/// Programs that are traced in which the same operation runs out of memory.
const TRACED: u32 = 2;
/// Operations that must kill after a call with a certain literal before that call is made no more.
const VICTIMS: usize = 2;
/// Ways to break one law that are avoided: after the first, another one that is met is a second fault, and after three the
/// law itself is to blame. A way is told by the functions that change something.
const WAYS: usize = 3;
/// Patterns by which one way to break a law is avoided: a function that lends a list is as many operations as there are
/// ways to change one, and each may need a call before it.
const PATTERNS_OF_A_WAY: u32 = 8;
/// Operations that may have died of long literals, after which no operation gets any.
const DEATHS_BY_LENGTH: usize = 12;

/// The consequence for an operation that has killed a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sentence {
    Spared,
    /// It gets no long literals any more.
    Calmed,
    Banned,
    BannedBefore,
}

/// The deaths of processes, and what is done to avoid them.
#[derive(Debug, Default)]
pub(crate) struct Deaths {
    /// Patterns that no program may match any more, as a harness reads them.
    known: Vec<String>,
    /// The number of these patterns that end with each operation.
    patterns: BTreeMap<String, u32>,
    /// For each law, the ways to break it that are avoided, with the number of patterns by which they are.
    ways: BTreeMap<String, Vec<(Vec<String>, u32)>>,
    /// Calls with a certain literal, each with the operations that have killed after it. A call with
    /// [`VICTIMS`] of them is made no more.
    suspects: BTreeMap<String, BTreeSet<String>>,
    /// Operations that were killed when they may have got long literals, and get none any more.
    calm: BTreeSet<String>,
    /// The number of processes that survived each operation running out of memory.
    exhausted: BTreeMap<String, u32>,
    /// The number of processes that each operation has killed all the same.
    counts: BTreeMap<String, u32>,
}

impl Deaths {
    /// Returns no deaths yet, but patterns that no program may match.
    pub(crate) fn knowing(known: Vec<String>) -> Deaths {
        Deaths { known, ..Deaths::default() }
    }

    /// An operation that has killed a process of this restraint may be called again, as long as no program matches
    /// a pattern; not if that was said too often.
    pub(crate) fn pardon(&mut self, operation: &str, pattern: Pattern, restraint: &Restraint) -> bool {
        self.suspect(operation, pattern.suspects);
        if self.known.contains(&pattern.stored) {
            // Another process may have found it meanwhile.
            let is_told = restraint.known.contains(&pattern.stored);
            if !is_told {
                self.counts.remove(operation);
            }
            return !is_told;
        }
        let patterns = self.patterns.entry(operation.to_string()).or_default();
        if *patterns == PATTERNS {
            return false;
        }
        *patterns += 1;
        self.known.push(pattern.stored);
        self.counts.remove(operation);
        true
    }

    /// No program is to break a law any more by changes that match a pattern; says if a process may be told so, which it may
    /// not if that was said of the law too often.
    pub(crate) fn learn(&mut self, law: &str, changes: &[String], pattern: &str) -> bool {
        // Another process may have found it meanwhile.
        if self.known.iter().any(|known| known == pattern) {
            return true;
        }
        let ways = self.ways.entry(law.to_string()).or_default();
        let is_full = ways.len() == WAYS;
        match ways.iter_mut().find(|(way, _)| is_one_way(way, changes)) {
            Some((_, patterns)) if *patterns == PATTERNS_OF_A_WAY => return false,
            Some((_, patterns)) => *patterns += 1,
            None if is_full => return false,
            None => ways.push((changes.to_vec(), 1)),
        }
        self.known.push(pattern.to_string());
        true
    }

    /// Returns true if it is worth finding the program in which an operation ran out of memory. Every process
    /// reports it once, and it is the same each time.
    pub(crate) fn is_traced(&mut self, operation: &str) -> bool {
        let count = self.exhausted.entry(operation.to_string()).or_default();
        *count += 1;
        *count <= TRACED
    }

    /// Notes the calls after which an operation has killed.
    fn suspect(&mut self, operation: &str, suspects: Vec<String>) {
        for suspect in suspects {
            let victims = self.suspects.entry(suspect.clone()).or_default();
            let is_new = victims.insert(operation.to_string());
            if is_new && victims.len() == VICTIMS {
                self.known.push(suspect);
            }
        }
    }

    /// Counts a death in a process of this restraint. What has killed for the first time may have done so because
    /// of a long literal, which it may have been given by an earlier call.
    pub(crate) fn count(&mut self, finding: &Finding, program: &Program, restraint: &Restraint) -> Sentence {
        let (operation, cause) = (&finding.operation, finding.cause);
        let was_calm = restraint.calm.iter().any(|calm| calm == operation);
        self.calm.insert(operation.to_string());
        if program.is_deep() {
            self.calm.extend(program.called().map(|call| call.operation.clone()));
        }
        // An operation that hangs without a long literal would hang again.
        if !was_calm && (cause != Cause::Hang || program.is_deep()) {
            return Sentence::Calmed;
        }
        let count = self.counts.entry(operation.to_string()).or_default();
        let before = *count;
        *count += match cause {
            // A law has nothing more to say of its type.
            Cause::Hang if finding.law.is_some() => DEATHS,
            Cause::Hang => HANG,
            _ => 1,
        };
        match (before >= DEATHS, *count >= DEATHS) {
            (true, _) => Sentence::BannedBefore,
            (false, true) => Sentence::Banned,
            (false, false) => Sentence::Spared,
        }
    }

    /// Returns what a process steers around: what has killed others, and what is banned anyway.
    pub(crate) fn restraint(&self, ban: &[String]) -> Restraint {
        let deadly = self.counts.iter().filter(|(_, count)| **count >= DEATHS).map(|(name, _)| name);
        Restraint {
            known: self.known.clone(),
            ban: deadly.chain(ban).cloned().collect(),
            calm: self.calm.iter().cloned().collect(),
            is_all_calm: self.calm.len() >= DEATHS_BY_LENGTH,
        }
    }
}

/// Returns true if functions that change something break a law in one way: those of one program are among those of the
/// other. What is cleared has to be filled before.
pub(super) fn is_one_way(one: &[String], other: &[String]) -> bool {
    let is_part = |one: &[String], other: &[String]| one.iter().all(|change| other.contains(change));
    is_part(one, other) || is_part(other, one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Law;
    use crate::finding::Phase;
    use crate::judge::bug::example::{call, program};
    use bugnet::wire::Argument;

    fn calmed(calm: &[&str]) -> Restraint {
        Restraint { calm: calm.iter().map(|name| name.to_string()).collect(), ..Restraint::default() }
    }

    fn finding(operation: &str, cause: Cause) -> Finding {
        let (operation, message) = (operation.to_string(), String::new());
        Finding {
            operation,
            law: None,
            phase: Phase::Call,
            cause,
            place: None,
            message,
            tape: None,
            after: None,
        }
    }

    /// A law that has killed.
    fn law(cause: Cause) -> Finding {
        let law = Law { name: "a".to_string(), of: "B".to_string() };
        Finding { law: Some(law.clone()), ..finding(&law.operation(), cause) }
    }

    /// Returns the sentences on an operation after each of several deaths of one cause.
    fn sentences(finding: &Finding, calm: &[&str], count: usize) -> Vec<Sentence> {
        let restraint = calmed(calm);
        let mut deaths = Deaths::default();
        (0..count).map(|_| deaths.count(finding, &Program::default(), &restraint)).collect()
    }

    #[test]
    fn a_law_is_avoided_for_three_ways_to_break_it_whatever_else_is_called() {
        let mut deaths = Deaths::default();
        let mut learn = |changes: &[&str], pattern: &str| {
            let changes: Vec<String> = changes.iter().map(ToString::to_string).collect();
            deaths.learn("sum", &changes, pattern)
        };
        assert!(learn(&["data_mut"], "push(1)") && learn(&["data_mut"], "push(_)"));
        // What comes before it makes it no other way.
        assert!(learn(&["data_mut", "push"], "clear"));
        assert!(learn(&["pop", "push"], "pop") && learn(&["purge", "push"], "purge"));
        assert!(!learn(&["drain", "push"], "drain"));
        assert!(learn(&["pop", "push"], "pop(_)") && learn(&["drain", "push"], "pop"), "it is known");
        for more in 0..PATTERNS_OF_A_WAY - 3 {
            assert!(learn(&["data_mut"], &format!("set({more})")));
        }
        assert!(!learn(&["data_mut"], "another"));
    }

    #[test]
    fn a_law_that_hangs_once_and_a_function_that_hangs_twice_are_called_no_more() {
        use Sentence::{Banned, BannedBefore, Spared};
        assert_eq!(sentences(&law(Cause::Hang), &[], 2), [Banned, BannedBefore]);
        assert_eq!(sentences(&finding("B::a", Cause::Hang), &[], 3), [Spared, Banned, BannedBefore]);
    }

    #[test]
    fn what_kills_is_called_no_more_after_three_deaths_without_long_literals() {
        use Sentence::{Banned, BannedBefore, Spared};
        for finding in [finding("B::a", Cause::Death), finding("B::a", Cause::Memory), law(Cause::Death)] {
            let calm = sentences(&finding, &[&finding.operation], 4);
            assert_eq!(calm, [Spared, Spared, Banned, BannedBefore], "{finding:?}");
            // With long literals it is only given none any more.
            let other = sentences(&finding, &["B::b"], 9);
            assert!(other.iter().all(|sentence| *sentence == Sentence::Calmed), "{finding:?}");
        }
        let mut deaths = Deaths::default();
        deaths.count(&finding("B::a", Cause::Death), &Program::default(), &Restraint::default());
        assert!(deaths.calm.contains("B::a") && deaths.counts.is_empty());
    }

    #[test]
    fn it_is_enough_to_know_two_programs_in_which_an_operation_runs_out_of_memory() {
        let mut deaths = Deaths::default();
        let mut is_traced = |operation: &str| deaths.is_traced(operation);
        assert_eq!(["B::a", "B::a", "B::c", "B::a"].map(&mut is_traced), [true, true, true, false]);
    }

    #[test]
    fn what_hangs_on_something_long_may_be_called_and_nothing_gives_it_anything_long() {
        let mut deaths = Deaths::default();
        let mut program = program([call("B::new"), call("B::a").given(&[])]);
        let Argument::Literal(literal) = &mut program.calls[1].arguments[0] else { unreachable!() };
        literal.deep = true;
        let sentence = deaths.count(&finding("B::a", Cause::Hang), &program, &Restraint::default());
        assert_eq!(sentence, Sentence::Calmed);
        assert_eq!(deaths.restraint(&[]), calmed(&["B::a", "B::new"]));
        // It does so again, and nothing was long.
        let restraint = deaths.restraint(&[]);
        let sentences =
            [1, 2].map(|_| deaths.count(&finding("B::a", Cause::Hang), &Program::default(), &restraint));
        assert_eq!(sentences, [Sentence::Spared, Sentence::Banned]);
    }

    #[test]
    fn what_is_pardoned_is_called_again_but_not_for_ever() {
        let mut deaths = Deaths::knowing(vec!["f()".to_string()]);
        let calm = calmed(&["B::a"]);
        let banned = |deaths: &Deaths| !deaths.restraint(&[]).ban.is_empty();
        for (pattern, is_pardoned) in [("g(); B::a()", true), ("h(); B::a()", true), ("i(); B::a()", false)] {
            for _ in 0..DEATHS {
                deaths.count(&finding("B::a", Cause::Death), &Program::default(), &calm);
            }
            assert!(banned(&deaths));
            let stored = pattern.to_string();
            let pardon = deaths.pardon("B::a", Pattern { stored, ..Pattern::default() }, &calm);
            assert_eq!(pardon, is_pardoned, "{pattern}");
            assert_eq!(banned(&deaths), !is_pardoned, "{pattern}");
        }
        assert_eq!(deaths.restraint(&[]).known, ["f()", "g(); B::a()", "h(); B::a()"]);
    }

    #[test]
    fn what_another_process_was_pardoned_for_is_no_reason_for_a_ban() {
        let mut deaths = Deaths::default();
        let pattern = || Pattern { stored: "g(); B::a()".to_string(), ..Pattern::default() };
        let mut pardon = |restraint: &Restraint| {
            for _ in 0..2 {
                deaths.count(&finding("B::a", Cause::Hang), &Program::default(), restraint);
            }
            let is_pardoned = deaths.pardon("B::a", pattern(), restraint);
            (is_pardoned, deaths.restraint(&[]))
        };
        let (first, restraint) = pardon(&Restraint::default());
        let (other, _) = pardon(&Restraint::default());
        // One that was told of the pattern, and dies of it all the same.
        let (again, after) = pardon(&restraint);
        assert_eq!((first, other, again), (true, true, false));
        assert!(restraint.ban.is_empty() && !after.ban.is_empty());
    }

    #[test]
    fn a_call_after_which_two_operations_kill_is_made_no_more() {
        let mut deaths = Deaths::default();
        let mut known = |operation: &str| {
            let stored = format!("B::size(?b, =0); {operation}(?b)");
            let suspects = vec!["B::size(_, =0)".to_string()];
            let pattern = Pattern { stored, suspects, ..Pattern::default() };
            deaths.pardon(operation, pattern, &Restraint::default());
            deaths.restraint(&[]).known.contains(&"B::size(_, =0)".to_string())
        };
        assert_eq!([known("B::a"), known("B::a"), known("B::c")], [false, false, true]);
    }
}
