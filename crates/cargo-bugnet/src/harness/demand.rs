//! Demands: which traits of a crate are asked for and implemented by nobody whom its users can have.
//!
//! **Invariant:** traits that are demanded of one type stand in one [`Lack`], and each trait in one only.

use super::solver::{DEEPEST, Solver};
use crate::api::{Api, Bound, Function, Generics, Kind};

/// The most types of our own that are made for a crate.
const MOST: usize = 24;

/// Traits that one type has to implement, because nobody does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Lack {
    /// The paths of traits of the crate. What a trait demands stands before it.
    pub(super) traits: Vec<String>,
    /// Everything that is demanded together with them.
    pub(super) bounds: Vec<Bound>,
}

/// Returns the bounds of a crate that no type keeps.
pub(super) fn lacks(solver: &Solver<'_>) -> Vec<Lack> {
    let api = solver.api;
    let mut lacks: Vec<Lack> = Vec::new();
    for bounds in demands(api) {
        let traits = traits(api, &bounds);
        let is_open = |path: &String| api.traits[path].is_open;
        if !traits.is_empty() && traits.iter().all(is_open) && !is_met(solver, &bounds) {
            add(&mut lacks, Lack { traits, bounds });
        }
    }
    lacks.truncate(MOST);
    lacks
}

/// Adds a lack; what has a trait in common with it is one with it.
fn add(lacks: &mut Vec<Lack>, lack: Lack) {
    let is_same = |known: &Lack| known.traits.iter().any(|path| lack.traits.contains(path));
    let place = lacks.iter().position(is_same).unwrap_or(lacks.len());
    let (same, others): (Vec<Lack>, Vec<Lack>) = lacks.drain(place..).partition(is_same);
    let mut one = Lack::default();
    for part in same.into_iter().chain([lack]) {
        for path in part.traits {
            if !one.traits.contains(&path) {
                one.traits.push(path);
            }
        }
        for bound in part.bounds {
            if !one.bounds.contains(&bound) {
                one.bounds.push(bound);
            }
        }
    }
    lacks.push(one);
    lacks.extend(others);
}

/// Returns the bounds on each parameter, and on whatever stands in the place of one.
fn demands(api: &Api) -> Vec<Vec<Bound>> {
    let mut found = Vec::new();
    for (_, function) in &api.functions {
        of_function(&Generics::default(), function, &mut found);
    }
    for definition in api.definitions.values() {
        of_generics(&definition.generics, &mut found);
    }
    for block in &api.blocks {
        of_generics(&block.generics, &mut found);
        for function in block.functions.iter().chain(&block.provided) {
            of_function(&block.generics, function, &mut found);
        }
    }
    found
}

fn of_generics(generics: &Generics, found: &mut Vec<Vec<Bound>>) {
    for variable in &generics.variables {
        found.push(generics.of(&variable.name).cloned().collect());
    }
}

fn of_function(outer: &Generics, function: &Function, found: &mut Vec<Vec<Bound>>) {
    if !function.is_callable() {
        return;
    }
    of_generics(&outer.and(&function.generics), found);
    for (_, kind) in &function.inputs {
        kind.any(&mut |part| {
            if let Kind::Opaque(bounds) | Kind::Dynamic(bounds) = part {
                found.push(bounds.clone());
            }
            false
        });
    }
}

/// The traits of the crate among bounds, each behind those that it demands itself.
fn traits(api: &Api, bounds: &[Bound]) -> Vec<String> {
    fn add(api: &Api, path: &str, found: &mut Vec<String>) {
        let Some(declared) = api.traits.get(path) else { return };
        if found.iter().any(|known| known == path) {
            return;
        }
        let place = found.len();
        found.push(path.to_string());
        for demand in &declared.demands {
            add(api, &demand.path, found);
        }
        found[place..].rotate_left(1);
    }
    let mut found = Vec::new();
    bounds.iter().for_each(|bound| add(api, &bound.path, &mut found));
    found
}

/// Returns true if there is a type that keeps a bound, whatever the arguments of traits are.
fn is_met(solver: &Solver<'_>, bounds: &[Bound]) -> bool {
    if bounds.iter().any(Bound::is_closure) {
        return true;
    }
    let is_own = |bound: &Bound| solver.api.traits.contains_key(&bound.path);
    let plain = |bound: &Bound| if is_own(bound) { Bound::named(&bound.path) } else { bound.clone() };
    let bounds: Vec<Bound> = bounds.iter().map(plain).filter(Bound::is_concrete).collect();
    !solver.kinds(&bounds, DEEPEST, &[]).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traits_that_are_demanded_together_are_lacked_together() {
        let lack = |paths: &[&str]| Lack {
            traits: paths.iter().map(|path| path.to_string()).collect(),
            bounds: paths.iter().map(|path| Bound::named(path)).collect(),
        };
        let mut lacks = Vec::new();
        for paths in [&["a"][..], &["b"], &["c"], &["d", "c", "a"]] {
            add(&mut lacks, lack(paths));
        }
        assert_eq!(lacks, [lack(&["a", "c", "d"]), lack(&["b"])]);
    }
}
