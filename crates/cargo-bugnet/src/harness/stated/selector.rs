//! The selector: which operations are needed to make, to take and to change the values that laws are about.
//!
//! The rank of an operation is one more than the sum of the ranks of what it takes, and the rank of a type is the least of
//! those of the operations that make it (section IV.A of the ArbitCheck paper). Of those that make a type, the ones with
//! the least ranks are taken, and of those that change it the ones that are called on it. Whatever else makes or changes it
//! is taken if it needs no further type, for a value that is made another way is often the one that fails.
//!
//! **Invariant:** every law is among what is selected, and so is all that it needs, where anything makes that.

use super::super::candidate::{Candidate, Origin, Variant};
use super::super::expression::{Leaf, Pass};
use super::super::outcome::{Holding, Outcome};
use crate::api::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// The operations that are selected, with the reasons.
#[derive(Debug, Default)]
pub(crate) struct Selected {
    pub(in crate::harness) candidates: Vec<Candidate>,
    pub(crate) reasons: Vec<Reason>,
    pub(crate) missing: Vec<Missing>,
}

/// The reason for which operations were selected: they make or change values of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reason {
    pub(crate) kind: String,
    /// The fewest calls that make a value; none if nothing does.
    pub(crate) rank: Option<u32>,
    pub(crate) made_by: Vec<String>,
    pub(crate) changed_by: Vec<String>,
}

/// A type that a law takes and nothing makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Missing {
    pub(crate) law: String,
    pub(crate) kind: String,
}

/// Selects the operations that laws need.
pub(in crate::harness) fn select(candidates: Vec<Candidate>) -> Selected {
    let ranks = ranks(&candidates);
    let mut search =
        Search { candidates: &candidates, ranks: &ranks, taken: BTreeSet::new(), needed: Vec::new() };
    for (place, candidate) in candidates.iter().enumerate() {
        if candidate.origin == Origin::Stated {
            search.take(place);
        }
    }
    search.follow();
    search.complete();
    let Search { taken, needed, .. } = search;
    let reasons = needed.iter().map(|kind| reason(kind, &candidates, &taken, &ranks)).collect();
    let missing = candidates.iter().flat_map(|candidate| missing(candidate, &ranks)).collect();
    let candidates = candidates.into_iter().enumerate();
    let candidates =
        candidates.filter(|(place, _)| taken.contains(place)).map(|(_, candidate)| candidate).collect();
    Selected { candidates, reasons, missing }
}

/// The values that a variant takes from earlier calls.
fn needs(variant: &Variant) -> impl Iterator<Item = &Leaf> {
    variant.leaves.iter().filter(|leaf| !leaf.pass.is_literal())
}

/// The fewest calls that make a value of each type.
fn ranks(candidates: &[Candidate]) -> BTreeMap<Kind, u32> {
    let mut ranks: BTreeMap<Kind, u32> = BTreeMap::new();
    loop {
        let mut is_changed = false;
        for variant in candidates.iter().flat_map(|candidate| &candidate.variants) {
            let (Some(made), Some(rank)) = (variant.made(), rank(variant, &ranks)) else { continue };
            if ranks.get(made).is_none_or(|known| *known > rank) {
                ranks.insert(made.clone(), rank);
                is_changed = true;
            }
        }
        if !is_changed {
            return ranks;
        }
    }
}

/// The fewest calls with which a variant can be called, itself included; none if nothing makes what it takes.
fn rank(variant: &Variant, ranks: &BTreeMap<Kind, u32>) -> Option<u32> {
    needs(variant).try_fold(1_u32, |sum, leaf| Some(sum.saturating_add(*ranks.get(&leaf.kind)?)))
}

/// Returns true if a variant changes a value of a type.
fn changes(variant: &Variant, kind: &Kind) -> bool {
    needs(variant).any(|leaf| leaf.pass == Pass::Mutable && leaf.kind == *kind)
}

/// Returns true if a variant is called on a value of a type, and changes it or makes another one of it.
fn is_mutator(variant: &Variant, kind: &Kind) -> bool {
    needs(variant).next().is_some_and(|first| {
        let is_remade = first.pass == Pass::Taken && variant.made() == Some(kind);
        first.kind == *kind && (first.pass == Pass::Mutable || is_remade)
    })
}

/// Returns the type of what a variant hands out of a value to be changed.
fn hands_out(variant: &Variant) -> Option<&Kind> {
    match &variant.outcome {
        Outcome::Kept { kind, holding: Holding::Mutable, .. } => Some(kind),
        Outcome::Kept { kind, leased: true, .. } if needs(variant).any(|leaf| leaf.pass == Pass::Mutable) => {
            Some(kind)
        }
        _ => None,
    }
}

/// The search for what is needed.
struct Search<'a> {
    candidates: &'a [Candidate],
    ranks: &'a BTreeMap<Kind, u32>,
    taken: BTreeSet<usize>,
    /// The types of which values are needed, in the order in which that turned out.
    needed: Vec<Kind>,
}

impl Search<'_> {
    /// Selects an operation, and with it the types that it takes.
    fn take(&mut self, place: usize) {
        if self.taken.insert(place) {
            for leaf in self.candidates[place].variants.first().into_iter().flat_map(needs) {
                self.need(&leaf.kind);
            }
        }
    }

    fn need(&mut self, kind: &Kind) {
        if !self.needed.contains(kind) {
            self.needed.push(kind.clone());
        }
    }

    /// Selects what makes and changes each type that is needed, until there is no further one.
    fn follow(&mut self) {
        let mut done = 0;
        while let Some(kind) = self.needed.get(done).cloned() {
            done += 1;
            for (place, candidate) in self.candidates.iter().enumerate() {
                let is_least = |variant: &Variant| {
                    variant.made() == Some(&kind)
                        && rank(variant, self.ranks) == self.ranks.get(&kind).copied()
                };
                let is_wanted = |variant: &Variant| {
                    is_least(variant) || is_mutator(variant, &kind) && rank(variant, self.ranks).is_some()
                };
                if candidate.origin == Origin::Stated || !candidate.variants.iter().any(is_wanted) {
                    continue;
                }
                self.take(place);
                let lending = candidate.variants.iter().filter(|variant| is_mutator(variant, &kind));
                // What nobody changes is not lent for the sake of the value.
                let is_changed = |lent: &&Kind| {
                    let mut variants = self.candidates.iter().flat_map(|candidate| &candidate.variants);
                    variants.any(|variant| changes(variant, lent))
                };
                let lent: Vec<Kind> = lending.filter_map(hands_out).filter(is_changed).cloned().collect();
                lent.iter().for_each(|lent| self.need(lent));
            }
        }
    }

    /// Selects whatever else makes or changes a type that is needed, with types that are needed anyway.
    fn complete(&mut self) {
        for (place, candidate) in self.candidates.iter().enumerate() {
            let is_one_more = |variant: &Variant| {
                let is_about = |kind: &Kind| variant.made() == Some(kind) || changes(variant, kind);
                self.needed.iter().any(is_about)
                    && needs(variant).all(|leaf| self.needed.contains(&leaf.kind))
            };
            if candidate.origin != Origin::Stated && candidate.variants.iter().any(is_one_more) {
                self.taken.insert(place);
            }
        }
    }
}

fn reason(
    kind: &Kind,
    candidates: &[Candidate],
    taken: &BTreeSet<usize>,
    ranks: &BTreeMap<Kind, u32>,
) -> Reason {
    let named = |is_it: &dyn Fn(&Variant) -> bool| {
        let taken = taken.iter().map(|place| &candidates[*place]).filter(|one| one.origin != Origin::Stated);
        let found = taken.filter(|candidate| candidate.variants.iter().any(is_it));
        found.map(|candidate| candidate.name.clone()).collect()
    };
    Reason {
        kind: kind.short(),
        rank: ranks.get(kind).copied(),
        made_by: named(&|variant| variant.made() == Some(kind)),
        changed_by: named(&|variant| changes(variant, kind)),
    }
}

/// The types that a law takes and nothing makes.
fn missing(candidate: &Candidate, ranks: &BTreeMap<Kind, u32>) -> Vec<Missing> {
    let leaves =
        candidate.variants.first().filter(|_| candidate.origin == Origin::Stated).into_iter().flat_map(needs);
    let unmade = leaves.filter(|leaf| !ranks.contains_key(&leaf.kind));
    unmade
        .map(|leaf| Missing {
            law: candidate.name.clone(),
            kind: leaf.kind.text(crate::api::Lifetimes::Static),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::call::Form;
    use super::super::super::expression::Expression;
    use super::super::super::outcome::Wrap;
    use super::*;
    use crate::api::Facts;

    fn kind(name: &str) -> Kind {
        Kind::named(&format!("a::{name}"))
    }

    fn candidate(name: &str, origin: Origin, takes: &[(&str, Pass)], outcome: Outcome) -> Candidate {
        let form = Form::Function { body: name.to_string(), template: name.to_string() };
        let arguments: Vec<Expression> =
            takes.iter().map(|(of, pass)| Expression::leaf("value", &kind(of), *pass)).collect();
        let variants = vec![Variant::new(&form, &arguments, outcome)];
        Candidate { name: name.to_string(), origin, variants, facts: Facts::default() }
    }

    fn makes(of: &str, holding: Holding) -> Outcome {
        Outcome::Kept { kind: kind(of), wrap: Wrap::Bare, holding, leased: holding != Holding::Owned }
    }

    fn operation(name: &str, takes: &[(&str, Pass)], outcome: Outcome) -> Candidate {
        candidate(name, Origin::Free(0), takes, outcome)
    }

    fn law(takes: &[(&str, Pass)]) -> Candidate {
        let outcome =
            Outcome::Stated { settings: String::new(), before: String::new(), after: String::new() };
        candidate("law", Origin::Stated, takes, outcome)
    }

    fn names(selected: &Selected) -> Vec<&str> {
        selected.candidates.iter().map(|candidate| candidate.name.as_str()).collect()
    }

    #[test]
    fn what_makes_and_changes_a_value_is_selected_and_what_looks_at_it_is_not() {
        let owned = || makes("Stack", Holding::Owned);
        let selected = select(vec![
            operation("new", &[], owned()),
            operation("push", &[("Stack", Pass::Mutable)], Outcome::Dropped),
            operation("len", &[("Stack", Pass::Shared)], Outcome::Dropped),
            operation("other", &[], makes("Other", Holding::Owned)),
            law(&[("Stack", Pass::Shared)]),
        ]);
        assert_eq!(names(&selected), ["new", "push", "law"]);
        assert_eq!(selected.reasons[0].rank, Some(1));
        assert_eq!(selected.missing, []);
    }

    #[test]
    fn of_those_that_make_a_value_only_the_least_bring_a_further_type_along() {
        // A map can tell the set of its keys, and nobody needs a map to have a set.
        let selected = select(vec![
            operation("Set::new", &[], makes("Set", Holding::Owned)),
            operation("Set::of", &[("Set", Pass::Shared)], makes("Set", Holding::Owned)),
            operation("Map::new", &[], makes("Map", Holding::Owned)),
            operation("Map::keys", &[("Map", Pass::Shared)], makes("Set", Holding::Owned)),
            operation(
                "Map::next",
                &[("Map", Pass::Shared), ("Set", Pass::Taken)],
                makes("Set", Holding::Owned),
            ),
            operation("fill", &[("Map", Pass::Shared), ("Set", Pass::Mutable)], Outcome::Dropped),
            law(&[("Set", Pass::Shared)]),
        ]);
        assert_eq!(names(&selected), ["Set::new", "Set::of", "law"]);
    }

    #[test]
    fn what_is_handed_out_to_be_changed_is_changed_by_its_own_functions() {
        let selected = select(vec![
            operation("Stack::new", &[], makes("Stack", Holding::Owned)),
            operation("Stack::inner", &[("Stack", Pass::Mutable)], makes("Inner", Holding::Mutable)),
            operation("Inner::clear", &[("Inner", Pass::Mutable)], Outcome::Dropped),
            law(&[("Stack", Pass::Shared)]),
        ]);
        assert_eq!(names(&selected), ["Stack::new", "Stack::inner", "Inner::clear", "law"]);
    }

    #[test]
    fn a_parameter_that_nothing_makes_is_named_with_its_law() {
        let selected = select(vec![law(&[("Token", Pass::Taken)])]);
        assert_eq!(selected.missing, [Missing { law: "law".to_string(), kind: "a::Token".to_string() }]);
    }
}
