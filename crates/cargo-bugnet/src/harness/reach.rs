//! Reach: what share of an API a harness calls, and why not the rest.

use super::candidate::{Candidate, Origin};
use super::generator;
use super::outside;
use crate::api::{Api, Function, Kind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The share of an API that a harness calls.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reach {
    /// Safe public functions that are free or of a type.
    pub(crate) functions: Share,
    /// Functions of trait impls, but for those of traits whose laws are checked.
    pub(crate) implemented: Share,
    pub(crate) missed: Vec<Missed>,
    /// The functions that could be called, but work on files, processes or the network; they are not counted.
    pub(crate) left_out: Vec<Missed>,
}

/// A part and its whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Share {
    pub(crate) reached: usize,
    pub(crate) total: usize,
}

impl Share {
    fn count(&mut self, reached: bool) {
        self.total += 1;
        self.reached += usize::from(reached);
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = if self.total == 0 { 100.0 } else { 100.0 * self.reached as f64 / self.total as f64 };
        write!(out, "{} of {} ({percent:.1}%)", self.reached, self.total)
    }
}

/// A function that is not called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Missed {
    pub(crate) path: String,
    pub(crate) reason: String,
}

impl Reach {
    /// Counts what was reached; `alive` says which candidates compile, and `reasons` why others do not.
    pub(crate) fn of(
        api: &Api,
        candidates: &[Candidate],
        alive: &[bool],
        reasons: &BTreeMap<usize, String>,
    ) -> Reach {
        let mut state: BTreeMap<Origin, Result<(), String>> = BTreeMap::new();
        for (place, candidate) in candidates.iter().enumerate() {
            let reason = || reasons.get(&place).cloned().unwrap_or_default();
            let entry = state.entry(candidate.origin).or_insert_with(|| Err(reason()));
            if alive[place] {
                *entry = Ok(());
            }
        }
        let mut reach = Reach::default();
        for (place, (path, function)) in api.functions.iter().enumerate() {
            reach.count(function, Origin::Free(place), path.clone(), &state, false);
        }
        for (place, block) in api.blocks.iter().enumerate().filter(|(_, block)| generator::is_called(block)) {
            let is_own = block.subject.any(&mut |part| matches!(part, Kind::Unknown(_)));
            if is_own {
                continue;
            }
            let owner = match &block.of {
                Some(of) => format!("<{} as {}>", block.subject.short(), of.name()),
                None => block.subject.short(),
            };
            for (number, function) in block.functions.iter().enumerate() {
                let origin = Origin::Block { block: place, function: number };
                let name = format!("{owner}::{}", function.name);
                reach.count(function, origin, name, &state, block.of.is_some());
            }
            for (number, function) in block.provided.iter().enumerate() {
                let origin = Origin::Provided { block: place, function: number };
                reach.count(function, origin, format!("{owner}::{}", function.name), &state, true);
            }
        }
        reach
    }

    fn count(
        &mut self,
        function: &Function,
        origin: Origin,
        name: String,
        state: &BTreeMap<Origin, Result<(), String>>,
        implemented: bool,
    ) {
        if function.is_unsafe {
            return;
        }
        if let Some(reason) = outside::reason(function) {
            self.left_out.push(Missed { path: name, reason: reason.to_string() });
            return;
        }
        let found = state.get(&origin);
        let share = if implemented { &mut self.implemented } else { &mut self.functions };
        share.count(matches!(found, Some(Ok(()))));
        let reason = match found {
            Some(Ok(())) => return,
            Some(Err(reason)) => format!("does not compile: {reason}"),
            None if function.is_async => "is async".to_string(),
            None => "no arguments are known for it".to_string(),
        };
        self.missed.push(Missed { path: name, reason });
    }
}
