//! The chart of triggers and suppressors: an interval for each feature, as in figures 3, 4 and 6 of the swarm paper.
//!
//! Shape and colour say the same: a triangle that points up triggers, one that points down suppresses, a ring has no
//! influence that shows.
//!
//! **Invariant:** a row has the counts behind it.

use super::figure::{grouped, percent, position, probability};
use crate::store::campaign::{Failure, Influence};

/// Rows of features without influence; the others are named below.
const DIMMED: usize = 6;

/// The influences on one failure.
#[derive(Debug)]
pub(super) struct Chart {
    pub(super) rows: Vec<Row>,
    /// The names of features that have no row.
    pub(super) rest: String,
    /// The main result in one sentence.
    pub(super) sentence: String,
}

/// One feature.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) class: &'static str,
    pub(super) effect: &'static str,
    pub(super) name: String,
    pub(super) counts: String,
    pub(super) expected: String,
    pub(super) q: String,
    pub(super) low: String,
    pub(super) high: String,
    pub(super) share: String,
    pub(super) base: String,
    pub(super) interval: String,
}

impl Chart {
    pub(super) fn of(failure: &Failure) -> Chart {
        let mut rows = Vec::new();
        rows.extend(failure.triggers.iter().map(|influence| Row::of(influence, "trigger", "triggers")));
        rows.extend(
            failure.suppressors.iter().map(|influence| Row::of(influence, "suppressor", "suppresses")),
        );
        let dimmed = failure.others.iter().take(DIMMED);
        rows.extend(dimmed.map(|influence| match influence.is_undecided {
            true => Row::of(influence, "none", "too few failures to tell"),
            false => Row::of(influence, "none", "no influence shown"),
        }));
        let rest = failure.others.iter().skip(DIMMED).map(|influence| influence.feature.as_str());
        Chart { rows, rest: rest.collect::<Vec<_>>().join(", "), sentence: sentence(failure) }
    }
}

impl Row {
    fn of(influence: &Influence, class: &'static str, effect: &'static str) -> Row {
        let share = influence.failing_with as f64 / influence.failing.max(1) as f64;
        let (low, high) = influence.interval;
        Row {
            class,
            effect,
            name: influence.feature.clone(),
            counts: format!("{} of {}", grouped(influence.failing_with), grouped(influence.failing)),
            expected: percent(influence.expected),
            q: probability(influence.q),
            low: position(low),
            high: position(high),
            share: position(share),
            base: position(influence.expected),
            interval: format!("{} to {}", percent(low), percent(high)),
        }
    }
}

/// Describes the strongest influence in words.
fn sentence(failure: &Failure) -> String {
    let undecided = failure.others.iter().filter(|influence| influence.is_undecided).count();
    match (failure.triggers.first(), failure.suppressors.first()) {
        (Some(trigger), _) if trigger.failing_with == trigger.failing => format!(
            "Every one of the {} failing tests that were compared had {}; by chance {} would.",
            grouped(trigger.failing),
            trigger.feature,
            percent(trigger.expected)
        ),
        (Some(strongest), _) | (None, Some(strongest)) => format!(
            "{} of {} failing tests had {}; by chance {} would.",
            grouped(strongest.failing_with),
            grouped(strongest.failing),
            strongest.feature,
            percent(strongest.expected)
        ),
        (None, None) if failure.others.is_empty() => {
            "Nothing can be compared yet: fewer than four tests failed so.".to_string()
        }
        (None, None) if undecided == failure.others.len() => {
            "Too few tests failed so to tell what triggers it, or what suppresses it.".to_string()
        }
        (None, None) => "No feature makes a difference that chance would not explain.".to_string(),
    }
}
