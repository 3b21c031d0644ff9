//! Facts of a harness's operations: those of the API, and what follows from names.
//!
//! **Invariant:** a function refuses in the place of another only if both are operations of the harness.

use super::candidate::Candidate;
use super::name::{split, trait_of};
use crate::api::Facts;
use std::collections::{BTreeMap, BTreeSet};

/// Collects the facts of the candidates that became operations, by their names.
pub(super) fn of_operations(candidates: &[Candidate], operations: &[String]) -> BTreeMap<String, Facts> {
    let names: BTreeSet<&str> = operations.iter().map(String::as_str).collect();
    let taken = candidates.iter().filter(|candidate| names.contains(candidate.name.as_str()));
    let facts = taken.map(|candidate| {
        let (sibling, trait_name) = (sibling(&candidate.name, &names), trait_of(&candidate.name));
        (candidate.name.clone(), Facts { sibling, trait_name, ..candidate.facts.clone() })
    });
    facts.collect()
}

/// Returns the function beside one that refuses where it panics.
fn sibling(name: &str, names: &BTreeSet<&str>) -> Option<String> {
    let (owner, function) = split(name)?;
    let refusing = [
        format!("try_{function}"),
        format!("checked_{function}"),
        format!("{function}_opt"),
        format!("{function}_checked"),
    ];
    let mut found = names.iter().filter_map(|other| split(other)).filter(|(other, _)| *other == owner);
    found.find(|(_, other)| refusing.iter().any(|name| name == other)).map(|(_, other)| other.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sibling_refuses_where_the_function_panics() {
        let names = BTreeSet::from(["Vec<u8>::push", "Vec<u8>::try_push", "Vec<u16>::try_pop", "a::f_opt"]);
        assert_eq!(sibling("Vec<u8>::push", &names).as_deref(), Some("try_push"));
        assert_eq!(sibling("Vec<u8>::pop", &names), None);
        assert_eq!(sibling("a::f", &names).as_deref(), Some("f_opt"));
    }
}
