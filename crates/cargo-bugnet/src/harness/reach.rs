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
        for Counted { origin, name, function, is_implemented } in counted(api) {
            reach.count(function, origin, name, &state, is_implemented);
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

/// A function of an API that counts.
struct Counted<'a> {
    origin: Origin,
    name: String,
    function: &'a Function,
    /// True if it is of a trait.
    is_implemented: bool,
}

/// Returns the functions of an API, those of blocks by their types.
fn counted(api: &Api) -> Vec<Counted<'_>> {
    let free = api.functions.iter().enumerate().map(|(place, (path, function))| {
        let (origin, name) = (Origin::Free(place), path.clone());
        Counted { origin, name, function, is_implemented: false }
    });
    let mut found: Vec<Counted<'_>> = free.collect();
    for (block, of) in api.blocks.iter().enumerate().filter(|(_, block)| generator::is_called(block)) {
        let is_own = of.subject.any(&mut |part| matches!(part, Kind::Unknown(_)));
        if is_own {
            continue;
        }
        let owner = match &of.of {
            Some(name) => format!("<{} as {}>", of.subject.short(), name.name()),
            None => of.subject.short(),
        };
        let own = of.functions.iter().enumerate();
        let own = own.map(|(function, found)| (Origin::Block { block, function }, found, of.of.is_some()));
        let provided = of.provided.iter().enumerate();
        let provided = provided.map(|(function, found)| (Origin::Provided { block, function }, found, true));
        found.extend(own.chain(provided).map(|(origin, function, is_implemented)| Counted {
            origin,
            name: format!("{owner}::{}", function.name),
            function,
            is_implemented,
        }));
    }
    found
}

/// Returns the names of the functions that a user of an API can call.
pub(crate) fn names(api: &Api) -> BTreeMap<Origin, String> {
    let callable = counted(api).into_iter().filter(|counted| counted.function.is_callable());
    callable.map(|counted| (counted.origin, counted.name)).collect()
}
