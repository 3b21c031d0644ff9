//! Adjustments: what makes a judgement more or less sure than its rule.
//!
//! **Invariant:** all adjustments of a stage that apply are added up, and the sum is applied once.

use super::rule::Asked;
use super::{Class, Judgement};

/// A condition, and how much surer or less sure it makes a judgement.
#[derive(Debug)]
#[cfg_attr(not(test), expect(dead_code, reason = "a test prints the tables of the book from all fields"))]
pub(super) struct Adjustment {
    pub(super) name: &'static str,
    /// The condition in words, for the book.
    pub(super) when: &'static str,
    pub(super) applies: fn(&Asked<'_>) -> bool,
    /// Percent that are added.
    pub(super) percent: i8,
}

/// Returns true if the rules took the finding for a panic that nobody meant, although its documentation
/// mentions no panic.
fn is_unmeant(asked: &Asked<'_>) -> bool {
    asked.was(&[Class::Panic]) && !asked.facts.documented_panic
}

/// Adjustments by what is known of the function. They are for panics that nobody meant.
pub(super) const OF_FACTS: [Adjustment; 3] = [
    Adjustment {
        name: "fallible",
        when: "the function returns a `Result` or an `Option`, so it could refuse; not if it looks for something in its \
               value, and its documentation insists on something",
        applies: |asked| {
            let is_search = asked.facts.searches && asked.facts.insists;
            is_unmeant(asked) && asked.facts.fallible && !is_search
        },
        percent: 8,
    },
    Adjustment {
        name: "precondition",
        when: "its documentation has a precondition (\"must be\", \"should not\")",
        applies: |asked| is_unmeant(asked) && asked.facts.precondition,
        percent: -30,
    },
    Adjustment {
        name: "deprecated",
        when: "it is deprecated",
        applies: |asked| is_unmeant(asked) && asked.facts.deprecated,
        percent: -10,
    },
];

/// Adjustments by how often the program failed in fresh processes.
pub(super) const OF_RUNS: [Adjustment; 2] = [
    Adjustment {
        name: "chance",
        when: "its program fails in some runs and passes in others",
        applies: |asked| asked.rate.failed > 0 && !asked.rate.is_certain(),
        percent: -15,
    },
    Adjustment {
        name: "never again",
        when: "its program is not known, or did not fail again",
        applies: |asked| asked.finding.tape.is_none() || asked.rate.failed == 0 && asked.rate.runs > 0,
        percent: -60,
    },
];

/// Adds the adjustments that apply to a judgement.
pub(super) fn adjusted(list: &[Adjustment], judgement: Judgement, asked: &Asked<'_>) -> Judgement {
    let asked = Asked { before: Some(&judgement), ..*asked };
    let applying = list.iter().filter(|adjustment| (adjustment.applies)(&asked));
    let sum: i16 = applying.map(|adjustment| i16::from(adjustment.percent)).sum();
    let sureness = (i16::from(judgement.sureness) + sum).clamp(0, 100);
    Judgement { sureness: u8::try_from(sureness).expect("it is between 0 and 100"), ..judgement }
}
