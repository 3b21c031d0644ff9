//! Same fault: the one place that decides whether two failures of programs are one fault.
//!
//! Evidence is data, gathered by the [hunt](super::programs); the ruling has a reason that can be printed.
//!
//! **Invariant:** a fault is split only on evidence of a second cause.

use crate::oracle::{Phase, Signature};
use crate::program::{Argument, Program, Suite, first_call, measures_of};
use std::fmt;

/// Calls of one operation from which on a program may fail because of their number.
const OFTEN: usize = 3;
/// Calls of one operation from which on a program hardly fails for another reason than their number.
const VERY_OFTEN: usize = 5;

/// Facts about a failure, by which it is compared with others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) signature: Signature,
    /// The operations after which it shows, or in which.
    pub(super) culprits: Vec<usize>,
    /// True if one call is enough.
    pub(super) is_alone: bool,
    /// True if its program has frequent calls or large literals.
    pub(super) has_amounts: bool,
    /// The operations of which its program has frequent calls.
    pub(super) frequent: Vec<usize>,
    /// The greatest number of calls of one operation in its program.
    pub(super) most: usize,
    /// The operations of its program in their order; of a known bug, those of each program.
    pub(super) sequences: Vec<Vec<usize>>,
    /// True if the user has said which of its literals are cases of their own.
    pub(super) has_cases: bool,
}

/// The bearing of amounts on two failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// One amount is reached by both, and by nothing that passes.
    Shared,
    /// The known fault is an amount, and the failure does not reach it.
    Missed,
    /// There is no amount.
    None,
}

/// A reason for taking two failures for one fault, or for two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    OtherFailure,
    SameState,
    OtherCall,
    OwnCases,
    SameAmount,
    OtherAmount,
    OneCallAlone,
    OtherNumber,
    SamePlace,
    SameCalls,
    SameNumber,
    OtherCalls,
}

impl Reason {
    pub(super) fn is_same(self) -> bool {
        matches!(
            self,
            Reason::SameAmount
                | Reason::SamePlace
                | Reason::SameState
                | Reason::SameCalls
                | Reason::SameNumber
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Reason::OtherFailure => "they fail in different ways",
            Reason::SameState => "the same calls leave what fails in many operations",
            Reason::OtherCall => "they show after different calls",
            Reason::OwnCases => "`#[abstraction]` says which values are cases of their own",
            Reason::SameAmount => "both reach the same amount",
            Reason::OtherAmount => "the known one is an amount that the other does not reach",
            Reason::OneCallAlone => "one takes a single call, the other takes several",
            Reason::OtherNumber => "one takes many calls of an operation, the other takes few",
            Reason::SamePlace => {
                "the same check fails after the same call, and nothing tells of a second cause"
            }
            Reason::SameCalls => "they fail inside a call after the same calls, which are given other values",
            Reason::SameNumber => "they fail inside a call after many calls of the same operation",
            Reason::OtherCalls => "they fail inside a call that other calls have led to",
        })
    }
}

/// Decides whether a failure is a known fault. What amounts say is asked only where it matters.
pub(super) fn ruling<E>(
    known: &Facts,
    new: &Facts,
    weigh: impl FnOnce() -> Result<Weight, E>,
) -> Result<Reason, E> {
    if known.signature != new.signature {
        return Ok(Reason::OtherFailure);
    }
    if !new.culprits.iter().any(|culprit| known.culprits.contains(culprit)) {
        return Ok(Reason::OtherCall);
    }
    if known.has_cases || new.has_cases {
        return Ok(Reason::OwnCases);
    }
    let is_checked = is_check(&new.signature);
    let weight = match is_checked || known.has_amounts || new.has_amounts {
        true => weigh()?,
        false => Weight::None,
    };
    Ok(match weight {
        Weight::Shared => Reason::SameAmount,
        Weight::Missed => Reason::OtherAmount,
        Weight::None if is_checked => after_one_call(known, new),
        Weight::None => inside_a_call(known, new),
    })
}

/// Decides whether a failure in another way is a known fault. If the failure or the fault is known of another fault
/// too, there is evidence of a second cause; else it depends on the state that both were led to.
pub(super) fn ruling_elsewhere<E>(
    has_other: bool,
    is_broken: impl FnOnce() -> Result<bool, E>,
) -> Result<Reason, E> {
    Ok(match !has_other && is_broken()? {
        true => Reason::SameState,
        false => Reason::OtherFailure,
    })
}

/// Decides whether two failures of one check after one call are one fault.
fn after_one_call(known: &Facts, new: &Facts) -> Reason {
    let (fewer, more) = (known.most.min(new.most), known.most.max(new.most));
    match known.is_alone != new.is_alone {
        true => Reason::OneCallAlone,
        false if fewer < OFTEN && more >= VERY_OFTEN => Reason::OtherNumber,
        false => Reason::SamePlace,
    }
}

/// Decides whether two failures inside one call, at one place, are one fault.
fn inside_a_call(known: &Facts, new: &Facts) -> Reason {
    if new.sequences.iter().any(|calls| known.sequences.contains(calls)) {
        return Reason::SameCalls;
    }
    match new.frequent.iter().any(|operation| known.frequent.contains(operation)) {
        true => Reason::SameNumber,
        false => Reason::OtherCalls,
    }
}

/// Returns true if a check of a value has failed, and not the call that it follows.
fn is_check(signature: &Signature) -> bool {
    matches!(signature, Signature::InCall { phase: Phase::Check, .. })
}

impl Facts {
    pub(super) fn of(suite: &Suite, program: &Program, signature: &Signature) -> Facts {
        let first = first_call(suite, program);
        let calls = &program.calls[first..];
        let (mut frequent, mut most, mut about) = (Vec::new(), 0, 0);
        let (mut has_cases, mut is_large, mut sequence) = (false, false, Vec::new());
        for call in calls {
            let mut count = 0;
            for other in calls {
                count += usize::from(other.operation == call.operation);
            }
            most = most.max(count);
            if count >= OFTEN && !frequent.contains(&call.operation) {
                frequent.push(call.operation);
            }
            about += usize::from(call.results().next().is_some());
            for (place, measures) in measures_of(suite, call).iter().enumerate() {
                has_cases |= suite.is_own_case(call.operation, place);
                is_large |= measures.is_large();
            }
            sequence.push(call.operation);
        }
        let mut culprits = Vec::new();
        if let Some(culprit) = culprit(suite, program, signature) {
            culprits.push(culprit);
        }
        Facts {
            has_cases,
            signature: signature.clone(),
            culprits,
            is_alone: about <= 1,
            has_amounts: !frequent.is_empty() || is_large,
            frequent,
            most,
            sequences: vec![sequence],
        }
    }
}

/// The operation that a failure shows after: the last that was given what is checked, or else the last of all.
fn culprit(suite: &Suite, program: &Program, signature: &Signature) -> Option<usize> {
    let kind = match signature {
        Signature::InCall { operation, phase: Phase::Check, .. } => suite.checked_kind(operation),
        _ => None,
    };
    if let Some(kind) = kind {
        for call in program.calls.iter().rev() {
            for (argument, parameter) in suite.passed(call) {
                if matches!(argument, Argument::Earlier(_)) && parameter.kind.name == kind {
                    return Some(call.operation);
                }
            }
        }
    }
    program.calls.last().map(|call| call.operation)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(phase: Phase, culprits: &[usize], is_alone: bool) -> Facts {
        let cause = Box::new(Signature::ReturnedFalse);
        let signature = Signature::InCall { operation: "small".to_string(), phase, cause };
        Facts {
            signature,
            culprits: culprits.to_vec(),
            is_alone,
            has_amounts: false,
            frequent: Vec::new(),
            most: 1,
            sequences: vec![culprits.to_vec()],
            has_cases: false,
        }
    }

    fn ruled(known: &Facts, new: &Facts, weight: Weight) -> Reason {
        ruling(known, new, || Ok::<Weight, ()>(weight)).unwrap()
    }

    #[test]
    fn one_check_after_one_call_is_one_fault_unless_there_is_evidence_of_a_second() {
        let check = |culprit| facts(Phase::Check, &[culprit], false);
        assert_eq!(ruled(&check(1), &check(1), Weight::None), Reason::SamePlace);
        assert_eq!(ruled(&check(1), &check(2), Weight::None), Reason::OtherCall);
        assert_eq!(ruled(&check(1), &check(1), Weight::Missed), Reason::OtherAmount);
        let alone = facts(Phase::Check, &[1], true);
        assert_eq!(ruled(&check(1), &alone, Weight::None), Reason::OneCallAlone);
        assert_eq!(ruled(&check(1), &alone, Weight::Shared), Reason::SameAmount);
    }

    #[test]
    fn what_fails_inside_a_call_is_told_apart_by_the_calls_before() {
        let call = facts(Phase::Call, &[1], false);
        let other = Facts { sequences: vec![vec![0, 1]], ..call.clone() };
        assert_eq!(ruled(&call, &other, Weight::Shared), Reason::OtherCalls, "nobody asks for amounts");
        let large = Facts { has_amounts: true, ..call.clone() };
        assert_eq!(ruled(&call, &large, Weight::Shared), Reason::SameAmount);
        assert_eq!(ruled(&call, &facts(Phase::Check, &[1], false), Weight::None), Reason::OtherFailure);
    }

    #[test]
    fn many_calls_tell_two_failures_of_a_check_apart() {
        let few = facts(Phase::Check, &[1], false);
        let many = Facts { most: VERY_OFTEN, frequent: vec![1], ..few.clone() };
        assert_eq!(ruled(&few, &many, Weight::None), Reason::OtherNumber);
        assert_eq!(ruled(&many, &few, Weight::None), Reason::OtherNumber);
        assert_eq!(ruled(&many, &many, Weight::None), Reason::SamePlace);
        let some = Facts { most: VERY_OFTEN - 1, ..many };
        assert_eq!(ruled(&few, &some, Weight::None), Reason::SamePlace);
    }

    #[test]
    fn many_calls_of_one_operation_make_two_failures_inside_a_call_one() {
        let call = |calls: &[usize], frequent: &[usize]| Facts {
            sequences: vec![calls.to_vec()],
            frequent: frequent.to_vec(),
            ..facts(Phase::Call, &[1], false)
        };
        let often = call(&[0, 0, 0, 1], &[0]);
        assert_eq!(ruled(&often, &call(&[0, 0, 2, 0, 1], &[0]), Weight::None), Reason::SameNumber);
        assert_eq!(ruled(&often, &call(&[2, 2, 2, 1], &[2]), Weight::None), Reason::OtherCalls);
        assert_eq!(ruled(&often, &often, Weight::None), Reason::SameCalls);
    }

    #[test]
    fn a_broken_state_makes_failures_one_unless_either_is_known_of_another_bug() {
        let ruled = |has_other, is_broken| ruling_elsewhere(has_other, || Ok::<bool, ()>(is_broken)).unwrap();
        assert_eq!(ruled(false, true), Reason::SameState);
        assert_eq!((ruled(true, true), ruled(false, false)), (Reason::OtherFailure, Reason::OtherFailure));
    }

    #[test]
    fn cases_that_somebody_has_named_are_left_to_patterns() {
        let check = facts(Phase::Check, &[1], false);
        let cases = Facts { has_cases: true, ..check.clone() };
        assert_eq!(ruled(&check, &cases, Weight::Shared), Reason::OwnCases);
    }

    #[test]
    fn every_ruling_has_a_reason_that_can_be_printed() {
        let call = facts(Phase::Check, &[1], false);
        assert_eq!(
            ruled(&call, &call, Weight::None).to_string(),
            "the same check fails after the same call, and nothing tells of a second cause"
        );
        assert!(ruled(&call, &call, Weight::None).is_same());
    }
}
