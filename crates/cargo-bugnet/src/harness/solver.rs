//! The solver: finds types for type parameters.
//!
//! It knows the impl blocks of the crate and what is plain of the standard library, and guesses the
//! rest: what it proposes is tried by the compiler, in the order in which it proposes it.

use super::question::Answers;
use super::{instance, standard};
use crate::api::{Api, Assignment, Block, Bound, Generics, Kind};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The deepest chain of questions that are asked for the sake of another.
pub(super) const DEEPEST: usize = 3;

/// Who implements a trait, so deep, with these types nearby.
pub(super) type Question = (Bound, usize, Vec<Kind>);

/// Finds types for type parameters.
#[derive(Debug)]
pub(crate) struct Solver<'a> {
    pub(crate) api: &'a Api,
    /// The types as which each generic type of the crate is mostly used, best first.
    instances: BTreeMap<String, Vec<Kind>>,
    unsized_kinds: BTreeSet<String>,
    /// The compiler's answers about traits of other crates.
    answers: Answers,
    /// The places of blocks, by the trait that they implement.
    by_trait: BTreeMap<&'a str, Vec<usize>>,
    /// The places of blocks, by the names of the types that they associate.
    by_type: BTreeMap<&'a str, Vec<usize>>,
    /// Answers that were found before, for the same is asked again and again.
    held: RefCell<HashMap<(Kind, Bound), Option<bool>>>,
    /// The associated types that are being found out.
    projecting: RefCell<Vec<(Kind, Option<Bound>, String)>>,
    pub(super) implementing: RefCell<HashMap<Question, Vec<Kind>>>,
}

impl<'a> Solver<'a> {
    /// A solver that was told nothing.
    #[cfg(test)]
    pub(crate) fn new(api: &'a Api) -> Solver<'a> {
        Solver::with(api, Answers::new())
    }

    /// A solver that was told what the compiler knows.
    pub(crate) fn with(api: &'a Api, answers: Answers) -> Solver<'a> {
        let mut solver = Solver {
            api,
            answers,
            instances: BTreeMap::new(),
            unsized_kinds: instance::unsized_kinds(api),
            by_trait: BTreeMap::new(),
            by_type: BTreeMap::new(),
            held: RefCell::default(),
            projecting: RefCell::default(),
            implementing: RefCell::default(),
        };
        for (place, block) in api.blocks.iter().enumerate() {
            if let Some(of) = &block.of {
                solver.by_trait.entry(&of.path).or_default().push(place);
            }
            for (name, _) in &block.types {
                solver.by_type.entry(name).or_default().push(place);
            }
        }
        // Types whose parameters are types of the crate need those first.
        for _ in 0..2 {
            for path in api.definitions.keys() {
                let instances = solver.find_instances(path);
                solver.instances.insert(path.clone(), instances);
            }
            solver.implementing.borrow_mut().clear();
        }
        solver
    }

    /// The types as which a type of the crate is mostly used, best first.
    pub(crate) fn instances(&self, path: &str) -> &[Kind] {
        self.instances.get(path).map_or(&[], Vec::as_slice)
    }

    /// Returns true if a type of the crate is seen behind references only, as types without a size are.
    pub(crate) fn is_unsized(&self, kind: &Kind) -> bool {
        kind.path().is_some_and(|path| self.unsized_kinds.contains(path))
    }

    /// Replaces associated types by what they are, where that is known.
    pub(crate) fn normal(&self, kind: &Kind) -> Kind {
        kind.map(&|part| match &part {
            Kind::Projection { of, bound, name } => {
                let found = match bound {
                    Some(bound) => self.associated(of, bound, name),
                    None => self.projection(of, None, name),
                };
                found.map_or(part, |found| if found.is_concrete() { found } else { self.normal(&found) })
            }
            _ => part,
        })
    }

    fn projection(&self, of: &Kind, bound: Option<&Bound>, name: &str) -> Option<Kind> {
        if !of.is_concrete() {
            return None;
        }
        if let Some(found) = standard::projection(of, bound, name) {
            return Some(found);
        }
        // Who asks for the same again meanwhile goes in circles: an operator on a value may be that on a `&`,
        // and the other way round.
        let question = (of.clone(), bound.cloned(), name.to_string());
        if self.projecting.borrow().contains(&question) {
            return None;
        }
        self.projecting.borrow_mut().push(question);
        let found = self.implemented(of, bound, name);
        self.projecting.borrow_mut().pop();
        // Asking again does not resolve an unknown type.
        found.filter(Kind::is_concrete)
    }

    /// An associated type as a block of the crate has it.
    fn implemented(&self, of: &Kind, bound: Option<&Bound>, name: &str) -> Option<Kind> {
        let places = self.by_type.get(name).into_iter().flatten();
        for block in places.map(|place| &self.api.blocks[*place]) {
            let Some((_, kind)) = block.types.iter().find(|(known, _)| known == name) else { continue };
            let mut given = Assignment::new();
            let is_same = match (bound, &block.of) {
                (Some(bound), Some(of)) => of.unify(bound, &mut given),
                _ => true,
            };
            if is_same && block.subject.unify(of, &mut given) && kind != of {
                return Some(self.normal(&kind.assigned(&given)));
            }
        }
        None
    }

    /// Returns true if a type implements a trait; `None` if that is not known.
    pub(crate) fn holds(&self, kind: &Kind, bound: &Bound) -> Option<bool> {
        self.holds_within(kind, bound, DEEPEST)
    }

    /// Returns true if a type implements a trait with the associated types that are demanded.
    pub(super) fn holds_with(&self, kind: &Kind, bound: &Bound) -> Option<bool> {
        if self.associates(kind, bound) { self.holds(kind, bound) } else { Some(false) }
    }

    /// Returns true if the associated types of a type may be those that a bound demands.
    fn associates(&self, kind: &Kind, bound: &Bound) -> bool {
        let is_other = |(name, demanded): &(String, Kind)| {
            let (found, demanded) = (self.associated(kind, bound, name), self.normal(demanded));
            found.is_some_and(|found| found.is_concrete() && demanded.is_concrete() && found != demanded)
        };
        !bound.bindings.iter().any(is_other)
    }

    /// An associated type that a bound names: of its trait, or of one that the trait demands.
    pub(super) fn associated(&self, kind: &Kind, bound: &Bound, name: &str) -> Option<Kind> {
        let owner = match self.api.traits.get(&bound.path) {
            Some(declared) if !declared.types.iter().any(|(known, _)| known == name) => {
                return declared.demands.iter().find_map(|demand| self.associated(kind, demand, name));
            }
            _ => bound.without_bindings(),
        };
        self.projection(kind, Some(&owner), name)
    }

    fn holds_within(&self, kind: &Kind, bound: &Bound, depth: usize) -> Option<bool> {
        if !kind.is_concrete() || depth == 0 {
            return None;
        }
        if let Some(known) = standard::implements(kind, bound) {
            return Some(known);
        }
        if let Some(known) = self.answers.get(&(kind.clone(), bound.without_bindings())) {
            return Some(*known);
        }
        let question = (kind.clone(), bound.clone());
        if let Some(known) = self.held.borrow().get(&question) {
            return *known;
        }
        // Who asks for the same again meanwhile goes in circles.
        self.held.borrow_mut().insert(question.clone(), None);
        let found = self.is_implemented(kind, bound, depth);
        self.held.borrow_mut().insert(question, found);
        found
    }

    /// Returns true if a block of the crate implements a trait for a type.
    fn is_implemented(&self, kind: &Kind, bound: &Bound, depth: usize) -> Option<bool> {
        // `A: Into<B>` is `B: From<A>`, and everything is made from itself.
        if let (Some("Into"), Some(made)) = (bound.standard(), bound.argument())
            && made.path().is_some_and(|path| self.api.is_local(path))
        {
            let from = Bound { arguments: vec![kind.clone()], ..Bound::named("std::convert::From") };
            let is_made = self.implementing(&from.path).any(|block| {
                let mut given = Assignment::new();
                block.subject.unify(made, &mut given)
                    && block.of.as_ref().is_some_and(|of| of.unify(&from, &mut given))
            });
            return Some(kind == made || is_made);
        }
        let is_own = self.api.traits.contains_key(&bound.path)
            || kind.path().is_some_and(|path| self.api.is_local(path) && bound.standard().is_some());
        let mut doubtful = !is_own;
        for block in self.implementing(&bound.path) {
            let mut given = Assignment::new();
            let is_it = |of: &Bound, given: &mut Assignment| of.unify(bound, given);
            let fits = block.subject.unify(kind, &mut given)
                && block.of.as_ref().is_some_and(|of| is_it(of, &mut given));
            if !fits {
                continue;
            }
            match self.all_hold(&block.generics, &given, depth - 1) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => doubtful = true,
            }
        }
        // Traits that the standard library implements for everything.
        const BLANKETS: [&str; 8] =
            ["Into", "TryInto", "TryFrom", "Borrow", "ToOwned", "ToString", "IntoIterator", "From"];
        doubtful |= bound.standard().is_some_and(|name| BLANKETS.contains(&name));
        if doubtful { None } else { Some(false) }
    }

    /// The blocks that implement a trait.
    pub(super) fn implementing(&self, path: &str) -> impl Iterator<Item = &'a Block> {
        let places = self.by_trait.get(path).into_iter().flatten();
        places.map(|place| &self.api.blocks[*place])
    }

    /// Returns true if all bounds hold of the types that were chosen.
    fn all_hold(&self, generics: &Generics, given: &Assignment, depth: usize) -> Option<bool> {
        let mut all = Some(true);
        for (kind, bound) in &generics.bounds {
            let (kind, bound) = (self.normal(&kind.assigned(given)), bound.assigned(given));
            if !self.associates(&kind, &bound) {
                return Some(false);
            }
            match self.holds_within(&kind, &bound, depth) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => all = None,
            }
        }
        all
    }

    /// Returns true if all bounds hold of the types that were chosen; `None` if that is not known.
    pub(crate) fn fits(&self, generics: &Generics, given: &Assignment) -> Option<bool> {
        self.all_hold(generics, given, DEEPEST)
    }

    /// Returns true if the types that were chosen are plainly wrong.
    pub(crate) fn is_refuted(&self, generics: &Generics, given: &Assignment) -> bool {
        self.all_hold(generics, given, DEEPEST) == Some(false)
    }
}
