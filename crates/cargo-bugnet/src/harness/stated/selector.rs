//! The selector: which operations are needed to make, to take and to change the values that laws are about.
//!
//! The rank of an operation is one more than the sum of the ranks of what it takes, and the rank of a type is the least of
//! those of the operations that make it (section IV.A of the ArbitCheck paper). Of those that make a type, the ones with
//! the least ranks are taken, and of those that change it the ones that are called on it. Of whatever else makes or changes
//! it and needs no further type a share is taken, for a value that is made another way is often the one that fails: a number
//! has hundreds of ways to be added to another one, and who checks a law does not want to wait until they are compiled.
//!
//! **Invariant:** every law is among what is selected, and so is all that it needs, where anything makes that.

use super::super::candidate::{Candidate, Origin, Variant};
use super::super::expression::{Leaf, Pass};
use super::super::name;
use super::super::outcome::{Holding, Outcome};
use crate::api::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// The most operations on one type that are taken though others make and change it.
const SHARE: usize = 48;
/// The most of them that are one function with other types.
const ALIKE: usize = 2;

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

/// Returns true if a variant changes a value of a type: it takes it by `&mut`, or changes what that shares with others.
fn changes(variant: &Variant, kind: &Kind) -> bool {
    needs(variant).enumerate().any(|(place, leaf)| {
        let is_shared = place == 0 && variant.outcome == Outcome::Changed;
        leaf.kind == *kind && (leaf.pass == Pass::Mutable || is_shared)
    })
}

/// Returns true if a variant is called on a value of a type, and changes it or makes another one of it.
fn is_mutator(variant: &Variant, kind: &Kind) -> bool {
    needs(variant).next().is_some_and(|first| {
        let is_remade = first.pass == Pass::Taken && variant.made() == Some(kind);
        first.kind == *kind && (changes(variant, kind) || is_remade)
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
                let is_called = |variant: &Variant| match variant.made() {
                    // A sum is made of numbers, and is none of them changed.
                    Some(made) if *made == kind => !candidate.is_of_trait() || changes(variant, &kind),
                    _ => true,
                };
                let is_wanted = |variant: &Variant| {
                    let is_mutator = is_mutator(variant, &kind) && is_called(variant);
                    is_least(variant) || is_mutator && rank(variant, self.ranks).is_some()
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

    /// Selects a share of whatever else makes or changes a type that is needed, with types that are needed anyway.
    fn complete(&mut self) {
        for kind in &self.needed {
            let is_one_more = |variant: &Variant| {
                (variant.made() == Some(kind) || changes(variant, kind))
                    && needs(variant).all(|leaf| self.needed.contains(&leaf.kind))
            };
            let mut alike: BTreeMap<String, usize> = BTreeMap::new();
            let mut others = Vec::new();
            for (place, candidate) in self.candidates.iter().enumerate() {
                let is_open = candidate.origin != Origin::Stated && !self.taken.contains(&place);
                if is_open && candidate.variants.iter().any(is_one_more) {
                    let known = alike.entry(name::without_types(&candidate.name)).or_default();
                    *known += 1;
                    others.extend((*known <= ALIKE).then_some(place));
                }
            }
            self.taken.extend(spread(&others, SHARE));
        }
    }
}

/// Some of a list at even distances.
fn spread(all: &[usize], most: usize) -> impl Iterator<Item = usize> {
    let count = all.len().min(most);
    (0..count).map(move |number| all[number * all.len() / count])
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
    fn of_many_operations_that_make_the_same_of_the_same_a_share_is_selected() {
        let number = || makes("Number", Holding::Owned);
        let selected = |others: usize| {
            let mut all = vec![operation("new", &[], number()), law(&[("Number", Pass::Shared)])];
            for of in ["u8", "u16", "u32", "u64"] {
                let sum = [("Number", Pass::Taken), ("Number", Pass::Taken)];
                all.push(operation(&format!("<Number as Add<{of}>>::add"), &sum, number()));
            }
            let half = |place| operation(&format!("half_{place}"), &[("Number", Pass::Shared)], number());
            all.extend((0..others).map(half));
            select(all)
        };
        let few = selected(9);
        let count = |part: &str| names(&few).iter().filter(|name| name.contains(part)).count();
        assert_eq!((count("::add"), count("half"), count("new")), (ALIKE, 9, 1));
        // The law and what makes a number anyway come on top.
        assert_eq!(names(&selected(100)).len(), SHARE + 2);
    }

    #[test]
    fn a_share_is_spread_over_the_whole_list() {
        let all: Vec<usize> = (0..10).collect();
        assert_eq!(spread(&all, 4).collect::<Vec<_>>(), [0, 2, 5, 7]);
        assert_eq!(spread(&all, 20).count(), 10);
        assert_eq!(spread(&[], 4).count(), 0);
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
    fn what_is_shared_and_changed_in_one_call_changes_whatever_shares_it() {
        let selected = select(vec![
            operation("Desk::new", &[], makes("Desk", Holding::Owned)),
            operation("Desk::drawer(empty)", &[("Desk", Pass::Shared)], Outcome::Changed),
            operation("Desk::drawer", &[("Desk", Pass::Shared)], Outcome::Dropped),
            law(&[("Desk", Pass::Shared)]),
        ]);
        assert_eq!(names(&selected), ["Desk::new", "Desk::drawer(empty)", "law"]);
        assert_eq!(selected.reasons[0].changed_by, ["Desk::drawer(empty)"]);
    }

    #[test]
    fn a_parameter_that_nothing_makes_is_named_with_its_law() {
        let selected = select(vec![law(&[("Token", Pass::Taken)])]);
        assert_eq!(selected.missing, [Missing { law: "law".to_string(), kind: "a::Token".to_string() }]);
    }
}
