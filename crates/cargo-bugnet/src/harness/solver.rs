//! The solver: finds types for type parameters.
//!
//! It knows the impl blocks of the crate and what is plain of the standard library, and guesses the
//! rest: what it proposes is tried by the compiler, in the order in which it proposes it.

use super::standard;
use crate::api::{Api, Assignment, Block, Bound, Generics, Kind, Variable};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How many types are proposed for a parameter.
const MOST_CHOICES: usize = 4;
/// How many assignments are proposed for all parameters of a function.
const MOST_ASSIGNMENTS: usize = 8;
/// How deep it asks for the sake of another question.
const DEEPEST: usize = 3;

/// Finds types for type parameters.
#[derive(Debug)]
pub(crate) struct Solver<'a> {
    pub(crate) api: &'a Api,
    /// The types as which each generic type of the crate is mostly used, best first.
    instances: BTreeMap<String, Vec<Kind>>,
    unsized_kinds: BTreeSet<String>,
    /// The places of blocks, by the trait that they implement.
    by_trait: BTreeMap<&'a str, Vec<usize>>,
    /// The places of blocks, by the names of the types that they associate.
    by_type: BTreeMap<&'a str, Vec<usize>>,
    /// What was found out before, for the same is asked again and again.
    held: RefCell<HashMap<(Kind, Bound), Option<bool>>>,
    implementing: RefCell<HashMap<(Bound, usize), Vec<Kind>>>,
}

impl<'a> Solver<'a> {
    pub(crate) fn new(api: &'a Api) -> Solver<'a> {
        let mut solver = Solver {
            api,
            instances: BTreeMap::new(),
            unsized_kinds: unsized_kinds(api),
            by_trait: BTreeMap::new(),
            by_type: BTreeMap::new(),
            held: RefCell::default(),
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

    /// Whether a type of the crate is seen behind references only, as types without a size are.
    pub(crate) fn is_unsized(&self, kind: &Kind) -> bool {
        kind.path().is_some_and(|path| self.unsized_kinds.contains(path))
    }

    /// Replaces associated types by what they are, where that is known.
    pub(crate) fn normal(&self, kind: &Kind) -> Kind {
        kind.map(&|part| match &part {
            Kind::Projection { of, bound, name } => {
                let found = self.projection(of, bound.as_deref(), name);
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

    /// Whether a type implements a trait; `None` if that is not known.
    pub(crate) fn holds(&self, kind: &Kind, bound: &Bound) -> Option<bool> {
        self.holds_within(kind, bound, DEEPEST)
    }

    fn holds_within(&self, kind: &Kind, bound: &Bound, depth: usize) -> Option<bool> {
        if !kind.is_concrete() || depth == 0 {
            return None;
        }
        if let Some(known) = standard::implements(kind, bound) {
            return Some(known);
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

    /// Whether a block of the crate implements a trait for a type.
    fn is_implemented(&self, kind: &Kind, bound: &Bound, depth: usize) -> Option<bool> {
        let is_own = self.api.traits.contains(&bound.path)
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
        // What the standard library implements for everything.
        const BLANKETS: [&str; 8] =
            ["Into", "TryInto", "TryFrom", "Borrow", "ToOwned", "ToString", "IntoIterator", "From"];
        doubtful |= bound.standard().is_some_and(|name| BLANKETS.contains(&name));
        if doubtful { None } else { Some(false) }
    }

    /// The blocks that implement a trait.
    fn implementing(&self, path: &str) -> impl Iterator<Item = &'a Block> {
        let places = self.by_trait.get(path).into_iter().flatten();
        places.map(|place| &self.api.blocks[*place])
    }

    /// Whether everything that is demanded holds of what was chosen.
    fn all_hold(&self, generics: &Generics, given: &Assignment, depth: usize) -> Option<bool> {
        let mut all = Some(true);
        for (kind, bound) in &generics.bounds {
            let (kind, bound) = (self.normal(&kind.assigned(given)), bound.assigned(given));
            match self.holds_within(&kind, &bound, depth) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => all = None,
            }
        }
        all
    }

    /// Whether everything that is demanded holds of what was chosen; `None` if that is not known.
    pub(crate) fn fits(&self, generics: &Generics, given: &Assignment) -> Option<bool> {
        self.all_hold(generics, given, DEEPEST)
    }

    /// Whether what was chosen is plainly wrong.
    pub(crate) fn is_refuted(&self, generics: &Generics, given: &Assignment) -> bool {
        self.all_hold(generics, given, DEEPEST) == Some(false)
    }

    /// Types for all parameters, best first; parameters that are closures are left open.
    pub(crate) fn assignments(&self, generics: &Generics, given: &Assignment) -> Vec<Assignment> {
        self.assignments_within(generics, given, DEEPEST)
    }

    fn assignments_within(&self, generics: &Generics, given: &Assignment, depth: usize) -> Vec<Assignment> {
        let mut open: Vec<&Variable> = generics.variables.iter().collect();
        open.retain(|variable| !given.contains_key(&variable.name));
        open.retain(|variable| !generics.of(&variable.name).any(Bound::is_closure));
        let mut found = vec![given.clone()];
        while !open.is_empty() {
            let needs = |variable: &Variable| {
                let others = || open.iter().filter(|other| other.name != variable.name);
                let names = |kind: &Kind| matches!(kind, Kind::Parameter(name) if others().any(|other| other.name == *name));
                let kinds = |bound: &Bound| {
                    let mut all = bound.arguments.iter().chain(bound.bindings.iter().map(|(_, kind)| kind));
                    all.any(|kind| kind.any(&mut |part| names(part)))
                };
                let items = || item_bounds(generics, &variable.name);
                let lenders = generics.bounds.iter().filter(|(_, bound)| bound.name() == "Borrow");
                let is_lent = lenders.clone().any(|(kind, bound)| {
                    names(kind) && bound.argument() == Some(&Kind::Parameter(variable.name.clone()))
                });
                let own = generics.of(&variable.name).filter(|bound| bound.name() != "Borrow");
                own.chain(items()).any(kinds) || is_lent
            };
            let next = open.iter().position(|variable| !needs(variable)).unwrap_or(0);
            let variable = open.remove(next);
            let mut more = Vec::new();
            for given in &found {
                for kind in self.choices(variable, generics, given, depth) {
                    let mut given = given.clone();
                    given.insert(variable.name.clone(), kind);
                    more.push(given);
                }
            }
            more.truncate(MOST_ASSIGNMENTS);
            found = more;
        }
        found.retain(|given| !self.is_refuted(generics, given));
        found
    }

    /// Types for one parameter, best first.
    fn choices(
        &self,
        variable: &Variable,
        generics: &Generics,
        given: &Assignment,
        depth: usize,
    ) -> Vec<Kind> {
        if variable.constant.is_some() {
            let default = variable.default.clone();
            return vec![
                default.unwrap_or(Kind::Constant(
                    if variable.constant.as_ref().is_some_and(|kind| kind.is("bool")) { "true" } else { "4" }
                        .to_string(),
                )),
            ];
        }
        let related = self.related(variable, generics, given);
        let bounds: Vec<Bound> =
            generics.of(&variable.name).map(|bound| self.normal_bound(&bound.assigned(given))).collect();
        let behind = |kind: &Kind| matches!(kind, Kind::Reference { to, .. } if **to == Kind::Parameter(variable.name.clone()));
        let iterates =
            generics.bounds.iter().any(|(kind, bound)| behind(kind) && bound.name() == "IntoIterator");
        let bounds = self.with_item(variable, generics, given, bounds);
        let mut choices = self.kinds(&bounds, depth);
        if iterates {
            let item = Kind::named("i32");
            choices.insert(0, Kind::generic("std::vec::Vec", [item]));
        }
        if let Some(default) = &variable.default {
            choices.insert(0, default.assigned(given));
        }
        choices.splice(0..0, related);
        choices
    }

    /// Bounds, with the items of what is iterated if those are only bounded: `I::Item: Into<T>`.
    fn with_item(
        &self,
        variable: &Variable,
        generics: &Generics,
        given: &Assignment,
        mut bounds: Vec<Bound>,
    ) -> Vec<Bound> {
        let demanded: Vec<Bound> = item_bounds(generics, &variable.name)
            .map(|bound| self.normal_bound(&bound.assigned(given)))
            .collect();
        let item =
            if demanded.is_empty() { None } else { self.kinds(&demanded, DEEPEST - 1).into_iter().next() };
        for bound in &mut bounds {
            if bound.name().ends_with("Iterator") && bound.bindings.is_empty() {
                bound.bindings.extend(item.clone().map(|item| ("Item".to_string(), item)));
            }
        }
        bounds
    }

    /// Types that another type demands: `K: Borrow<Q>` lets a key be looked up by what it is, most often
    /// by itself, and so it is with what a type is compared with or made from.
    fn related(&self, variable: &Variable, generics: &Generics, given: &Assignment) -> Vec<Kind> {
        let itself = Kind::Parameter(variable.name.clone());
        let mut related = Vec::new();
        for (kind, bound) in &generics.bounds {
            let kind = self.normal(&kind.assigned(given));
            if bound.argument() != Some(&itself) || !kind.is_concrete() {
                continue;
            }
            match bound.name() {
                "From" => {
                    related.extend(kind.arguments().first().map(|inner| (*inner).clone()));
                    related.push(kind);
                }
                "Borrow" | "PartialEq" | "PartialOrd" | "Into" | "Add" | "Sub" | "Mul" | "AddAssign" => {
                    related.push(kind)
                }
                _ => {}
            }
        }
        related
    }

    fn normal_bound(&self, bound: &Bound) -> Bound {
        bound.map(&|part| self.normal(&part))
    }

    /// Types of which all bounds may hold, best first.
    pub(crate) fn kinds(&self, bounds: &[Bound], depth: usize) -> Vec<Kind> {
        let anchored =
            bounds.iter().map(|bound| self.anchors(bound, bounds, depth)).find(|kinds| !kinds.is_empty());
        let candidates = anchored.unwrap_or_else(standard::pool);
        let mut certain = Vec::new();
        let mut possible = Vec::new();
        for kind in candidates {
            let holds: Vec<Option<bool>> = bounds.iter().map(|bound| self.holds(&kind, bound)).collect();
            if holds.iter().all(|holds| *holds == Some(true)) {
                certain.push(kind);
            } else if !holds.contains(&Some(false)) {
                possible.push(kind);
            }
        }
        certain.extend(possible);
        certain.dedup();
        certain.truncate(MOST_CHOICES);
        certain
    }

    /// Types that a bound suggests by itself; none if any type might do.
    fn anchors(&self, bound: &Bound, all: &[Bound], depth: usize) -> Vec<Kind> {
        let argument = bound.argument().cloned();
        let item = || bound.binding("Item").cloned().unwrap_or(Kind::named("i32"));
        let list = |of: Kind| Kind::generic("std::vec::Vec", [of]);
        let one = |name: &str| vec![Kind::named(name)];
        let bytes = || list(Kind::named("u8"));
        let Some(name) = bound.standard() else {
            if matches!(bound.name(), "Equivalent" | "Comparable") {
                return argument.into_iter().collect();
            }
            return self.implementors(bound, depth);
        };
        match (name, argument) {
            ("RangeBounds" | "SliceIndex", of) => {
                let of = of.filter(|_| name == "RangeBounds").unwrap_or(Kind::named("usize"));
                let ranges = ["Range", "RangeInclusive", "RangeFrom", "RangeTo"];
                let mut ranges: Vec<Kind> = ranges
                    .iter()
                    .map(|range| Kind::generic(&format!("std::ops::{range}"), [of.clone()]))
                    .collect();
                ranges.push(Kind::named("std::ops::RangeFull"));
                ranges
            }
            ("IntoIterator", _) => vec![list(item())],
            ("Iterator" | "DoubleEndedIterator" | "ExactSizeIterator" | "FusedIterator", _) => {
                let item = all.iter().find_map(|bound| bound.binding("Item").cloned()).unwrap_or(item());
                match item {
                    Kind::Reference { mutable: false, to, .. } => {
                        vec![Kind::generic("std::slice::Iter", [Kind::Lifetime, *to])]
                    }
                    item => vec![Kind::generic("std::vec::IntoIter", [item])],
                }
            }
            ("Read" | "BufRead" | "Seek", _) => vec![Kind::generic("std::io::Cursor", [bytes()])],
            ("Write", _) if bound.path.starts_with("std::io") => {
                let reads = all.iter().any(|bound| matches!(bound.name(), "Read" | "Seek"));
                vec![if reads { Kind::generic("std::io::Cursor", [bytes()]) } else { bytes() }]
            }
            ("Write", _) => one("std::string::String"),
            ("AsRef" | "Borrow" | "AsMut" | "BorrowMut" | "Deref" | "DerefMut", of) => {
                let of = of.or_else(|| bound.binding("Target").cloned());
                match of {
                    Some(Kind::Slice(of)) => vec![list(*of)],
                    Some(of) if of.is("str") => one("std::string::String"),
                    Some(of) if of.is("std::path::Path") => one("std::path::PathBuf"),
                    Some(of) if of.is("std::ffi::OsStr") => one("std::ffi::OsString"),
                    Some(of) if name.starts_with("Deref") => vec![Kind::generic("std::boxed::Box", [of])],
                    Some(of) => [vec![of], self.implementors(bound, depth)].concat(),
                    None => Vec::new(),
                }
            }
            ("Into" | "TryInto" | "From", Some(of)) => match &of {
                Kind::Reference { .. } | Kind::Parameter(_) => Vec::new(),
                _ if name == "From" && of.is_concrete() => {
                    [vec![of], self.implementors(bound, depth)].concat()
                }
                _ => vec![of],
            },
            ("Extend" | "FromIterator", Some(Kind::Tuple(pair))) if pair.len() == 2 && pair[0] != pair[1] => {
                vec![list(Kind::Tuple(pair))]
            }
            ("Extend" | "FromIterator", Some(of)) => vec![list(of)],
            ("Hasher", _) => one("std::hash::DefaultHasher"),
            ("BuildHasher", _) => {
                let fixed =
                    Kind::generic("std::hash::BuildHasherDefault", [Kind::named("std::hash::DefaultHasher")]);
                vec![Kind::named("std::hash::RandomState"), fixed]
            }
            ("Error", _) => one("std::fmt::Error"),
            ("Future", _) => {
                let output = bound.binding("Output").cloned().unwrap_or(Kind::named("i32"));
                vec![Kind::generic("std::future::Ready", [output])]
            }
            _ => Vec::new(),
        }
    }

    /// Types that implement a trait in this crate, the simplest first.
    fn implementors(&self, bound: &Bound, depth: usize) -> Vec<Kind> {
        if depth == 0 {
            return Vec::new();
        }
        let question = (bound.clone(), depth);
        if let Some(known) = self.implementing.borrow().get(&question) {
            return known.clone();
        }
        // Who asks for the same again meanwhile goes in circles.
        self.implementing.borrow_mut().insert(question.clone(), Vec::new());
        let found = self.find_implementors(bound, depth);
        self.implementing.borrow_mut().insert(question, found.clone());
        found
    }

    fn find_implementors(&self, bound: &Bound, depth: usize) -> Vec<Kind> {
        let mut found = Vec::new();
        for block in self.implementing(&bound.path) {
            let mut given = Assignment::new();
            if !block.of.as_ref().is_some_and(|of| of.unify(bound, &mut given)) {
                continue;
            }
            given.retain(|_, kind| kind.is_concrete());
            if let Some(kind) = self.instantiated(block, &given, depth) {
                found.push(kind);
            }
        }
        let rank = |kind: &Kind| match kind {
            Kind::Reference { .. } => 3,
            _ if kind.borrows() => 2,
            Kind::Named { path, .. } if self.api.is_local(path) => 0,
            _ => 1,
        };
        found.sort_by_key(rank);
        let pool = standard::pool();
        // A scalar is the easiest to have.
        found.sort_by_key(|kind| !pool.contains(kind));
        found.dedup();
        found
    }

    /// The type for which a block is, with some types for its parameters.
    fn instantiated(&self, block: &Block, given: &Assignment, depth: usize) -> Option<Kind> {
        let mut given = given.clone();
        if let Some(path) = block.subject.path()
            && let Some(instance) = self.instances(path).first()
        {
            let mut usual = given.clone();
            if block.subject.unify(instance, &mut usual) && !self.is_refuted(&block.generics, &usual) {
                given = usual;
            }
        }
        let assignment = self.assignments_within(&block.generics, &given, depth - 1).into_iter().next()?;
        let kind = self.normal(&block.subject.assigned(&assignment));
        kind.is_concrete().then_some(kind)
    }

    /// Chooses the arguments of a type by what most of its functions demand.
    fn find_instances(&self, path: &str) -> Vec<Kind> {
        let definition = &self.api.definitions[path];
        let lifetimes = vec![Kind::Lifetime; definition.generics.lifetimes];
        let with = |arguments: Vec<Kind>| Kind::generic(path, [lifetimes.clone(), arguments].concat());
        if definition.generics.variables.is_empty() {
            return vec![with(Vec::new())];
        }
        let ranked: Vec<Vec<Kind>> =
            (0..definition.generics.variables.len()).map(|place| self.ranked(path, place)).collect();
        if ranked.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        let first: Vec<Kind> = ranked.iter().map(|kinds| kinds[0].clone()).collect();
        let second: Vec<Kind> =
            ranked.iter().map(|kinds| kinds.get(1).unwrap_or(&kinds[0]).clone()).collect();
        let mut instances = vec![with(first.clone())];
        if second != first {
            instances.push(with(second));
        }
        instances
    }

    /// At most two types for a parameter of a type of the crate: the one that fits most of its
    /// functions, and one of another sort if it fits nearly as many.
    fn ranked(&self, path: &str, place: usize) -> Vec<Kind> {
        let definition = &self.api.definitions[path];
        let variable = &definition.generics.variables[place];
        let own: Vec<Bound> = definition.generics.of(&variable.name).cloned().collect();
        // What each block demands of the parameter, or what it says it is.
        let mut demands: Vec<(usize, Result<Vec<Bound>, Kind>)> = Vec::new();
        for block in &self.api.blocks {
            if !block.subject.is(path) {
                continue;
            }
            let Some(argument) = block.subject.arguments().get(place).map(|kind| (*kind).clone()) else {
                continue;
            };
            let weight = block.functions.len() * if block.of.is_none() { 3 } else { 1 };
            match &argument {
                Kind::Parameter(name) => {
                    demands.push((weight, Ok(block.generics.of(name).cloned().collect())))
                }
                Kind::Constant(_) => {}
                concrete if concrete.is_concrete() => demands.push((weight, Err(concrete.clone()))),
                _ => {}
            }
        }
        if variable.constant.is_some() {
            let generics = &definition.generics;
            return self.choices(variable, generics, &Assignment::new(), DEEPEST);
        }
        let mut candidates: Vec<Kind> = Vec::new();
        candidates.extend(variable.default.clone().filter(Kind::is_concrete));
        let named: Vec<Kind> = demands.iter().filter_map(|(_, demand)| demand.clone().err()).collect();
        let bounded = demands.iter().filter_map(|(_, demand)| demand.as_ref().ok());
        for bounds in std::iter::once(&own).chain(bounded) {
            let concrete: Vec<Bound> = bounds.iter().filter(|bound| bound.is_concrete()).cloned().collect();
            candidates.extend(self.kinds(&concrete, DEEPEST));
        }
        candidates.extend(named);
        let mut unique: Vec<Kind> = Vec::new();
        for kind in candidates {
            if !unique.contains(&kind) {
                unique.push(kind);
            }
        }
        let fits =
            |kind: &Kind, bounds: &[Bound]| bounds.iter().all(|bound| self.holds(kind, bound) != Some(false));
        unique.retain(|kind| kind.is_concrete() && fits(kind, &own));
        let score = |kind: &Kind| -> usize {
            let weigh = |(weight, demand): &(usize, Result<Vec<Bound>, Kind>)| match demand {
                Ok(bounds) if fits(kind, bounds) => *weight,
                Err(named) if named == kind => *weight,
                _ => 0,
            };
            demands.iter().map(weigh).sum()
        };
        let pool = standard::pool();
        // Plain values are the easiest to have; something else must fit far more to be preferred.
        let rank = |kind: &Kind| if pool.contains(kind) { 2 * score(kind) + 1 } else { score(kind) };
        let mut scored: Vec<(usize, Kind)> = unique.into_iter().map(|kind| (rank(&kind), kind)).collect();
        let is_default = |kind: &Kind| variable.default.as_ref() == Some(kind);
        scored.sort_by_key(|(rank, kind)| (!is_default(kind), std::cmp::Reverse(*rank)));
        let Some((best, first)) = scored.first().cloned() else { return Vec::new() };
        let is_other =
            |kind: &Kind| standard::is_scalar(kind) != standard::is_scalar(&first) || self.api.is_about(kind);
        let second = scored
            .iter()
            .skip(1)
            .find(|(score, kind)| is_other(kind) && *score * 5 >= best * 4 && *score > 0);
        std::iter::once(first.clone()).chain(second.map(|(_, kind)| kind.clone())).collect()
    }
}

/// What is demanded of the items of a parameter that is iterated.
fn item_bounds<'a>(generics: &'a Generics, name: &'a str) -> impl Iterator<Item = &'a Bound> {
    let is_item = move |kind: &Kind| match kind {
        Kind::Projection { of, name: item, .. } => {
            item == "Item" && **of == Kind::Parameter(name.to_string())
        }
        _ => false,
    };
    generics.bounds.iter().filter(move |(kind, _)| is_item(kind)).map(|(_, bound)| bound)
}

/// The types of a crate that occur, but never by value.
fn unsized_kinds(api: &Api) -> BTreeSet<String> {
    let mut by_value = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut look = |subject: Option<&Kind>, kind: &Kind| {
        let itself = |kind: &Kind| match (kind, subject) {
            (Kind::Parameter(name), Some(subject)) if name == "Self" => subject.path().map(str::to_string),
            _ => kind.path().map(str::to_string),
        };
        let is_pointer = |kind: &Kind| {
            let pointers = ["std::boxed::Box", "std::rc::Rc", "std::sync::Arc", "std::borrow::Cow"];
            matches!(kind, Kind::Reference { .. }) || kind.path().is_some_and(|path| pointers.contains(&path))
        };
        by_value.extend(itself(kind));
        kind.any(&mut |part| {
            let mut parts = Vec::new();
            part.each_part(&mut |inner| parts.extend(itself(inner)));
            if is_pointer(part) {
                seen.extend(parts)
            } else {
                by_value.extend(parts)
            }
            false
        });
    };
    for (_, function) in &api.functions {
        function.inputs.iter().for_each(|(_, kind)| look(None, kind));
        look(None, &function.output);
    }
    for block in &api.blocks {
        for function in &block.functions {
            function.inputs.iter().for_each(|(_, kind)| look(Some(&block.subject), kind));
            look(Some(&block.subject), &function.output);
        }
        for (_, kind) in block.types.iter().chain(&block.constants) {
            look(Some(&block.subject), kind);
        }
    }
    // An associated type such as `Target` may have no size, but what is copied has one.
    let is_plain = |path: &String| {
        let is_made = !api.definitions[path].constructors.is_empty();
        let has = |name: &str| {
            let is_it = |of: &Bound| of.name() == name;
            api.blocks.iter().any(|block| block.subject.is(path) && block.of.as_ref().is_some_and(is_it))
        };
        is_made || has("Clone") || has("Copy") || has("Default")
    };
    seen.retain(|path| api.is_local(path) && !by_value.contains(path) && !is_plain(path));
    seen
}
