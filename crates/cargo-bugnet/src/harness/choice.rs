//! Choices: which types to try for type parameters, best first.

use super::solver::{DEEPEST, Solver};
use super::standard;
use crate::api::{Assignment, Block, Bound, Generics, Kind, Variable};

/// The most types that are proposed for a parameter.
const MOST_CHOICES: usize = 5;
/// The most assignments that are proposed for all parameters of a function.
const MOST_ASSIGNMENTS: usize = 8;

impl Solver<'_> {
    /// Types for all parameters, best first; parameters that are closures are left open.
    pub(crate) fn assignments(&self, generics: &Generics, given: &Assignment) -> Vec<Assignment> {
        self.assignments_within(generics, given, DEEPEST, &scalars(given))
    }

    fn assignments_within(
        &self,
        generics: &Generics,
        given: &Assignment,
        depth: usize,
        near: &[Kind],
    ) -> Vec<Assignment> {
        let mut open: Vec<&Variable> = generics.variables.iter().collect();
        open.retain(|variable| !given.contains_key(&variable.name));
        let is_closure = |name: &str| generics.of(name).any(Bound::is_closure);
        open.retain(|variable| !is_closure(&variable.name) || variable.default.is_some());
        let mut found = vec![given.clone()];
        while !open.is_empty() {
            let needs = |variable: &Variable| {
                let others = || open.iter().filter(|other| other.name != variable.name);
                let names = |kind: &Kind| matches!(kind, Kind::Parameter(name) if others().any(|other| other.name == *name));
                let kinds = |bound: &Bound| {
                    let bindings = bound.bindings.iter().map(|(_, kind)| kind);
                    // A type that a trait of a crate associates follows from the implementation.
                    let is_derived =
                        |kind: &&Kind| bound.standard().is_none() && matches!(kind, Kind::Parameter(_));
                    let mut all = bound.arguments.iter().chain(bindings.filter(|kind| !is_derived(kind)));
                    all.any(|kind| kind.any(&mut |part| names(part)))
                };
                let items = || item_bounds(generics, &variable.name);
                let lenders = generics.bounds.iter().filter(|(_, bound)| bound.name() == "Borrow");
                let is_lent = lenders.clone().any(|(kind, bound)| {
                    names(kind) && bound.argument() == Some(&Kind::Parameter(variable.name.clone()))
                });
                let own = generics.of(&variable.name).filter(|bound| bound.name() != "Borrow");
                let itself = Kind::Parameter(variable.name.clone());
                let is_told = |(kind, bound): &(Kind, Bound)| {
                    names(kind)
                        && bound.standard().is_none()
                        && bound.bindings.iter().any(|(_, told)| *told == itself)
                };
                own.chain(items()).any(kinds) || is_lent || generics.bounds.iter().any(is_told)
            };
            let next = open.iter().position(|variable| !needs(variable)).unwrap_or(0);
            let variable = open.remove(next);
            let mut more = Vec::new();
            for given in &found {
                for kind in self.choices(variable, generics, given, depth, near) {
                    let mut given = given.clone();
                    given.insert(variable.name.clone(), kind);
                    self.derive(variable, generics, &mut given);
                    more.push(given);
                }
            }
            more.truncate(MOST_ASSIGNMENTS);
            found = more;
            // A parameter that follows from another type need not be chosen.
            open.retain(|variable| !found.iter().all(|given| given.contains_key(&variable.name)));
        }
        let chosen = found.clone();
        found.retain(|given| !self.is_refuted(generics, given));
        if found.is_empty() { self.retyped(generics, given, chosen) } else { found }
    }

    /// Adds what a choice says of other parameters: `G: Visit<Node = N>` says what `N` is.
    fn derive(&self, variable: &Variable, generics: &Generics, given: &mut Assignment) {
        let Some(kind) = given.get(&variable.name).cloned() else { return };
        for bound in generics.of(&variable.name).filter(|bound| bound.standard().is_none()) {
            for (name, other) in &bound.bindings {
                if let Kind::Parameter(other) = other
                    && !given.contains_key(other)
                    && let Some(found) = self.associated(&kind, &bound.assigned(given), name)
                    && found.is_concrete()
                {
                    given.insert(other.clone(), found);
                }
            }
        }
    }

    /// The same choices with other numbers, if what is demanded of associated types refutes them.
    fn retyped(&self, generics: &Generics, given: &Assignment, chosen: Vec<Assignment>) -> Vec<Assignment> {
        let projected = generics.bounds.iter().filter(|(kind, _)| matches!(kind, Kind::Projection { .. }));
        let bounds: Vec<Bound> =
            projected.map(|(_, bound)| bound.clone()).filter(Bound::is_concrete).collect();
        if bounds.is_empty() {
            return Vec::new();
        }
        let numbers = self.kinds(&bounds, 1, &[]).into_iter().filter(standard::is_scalar);
        let usual = Kind::named("i32");
        let retype = |number: &Kind, choice: &Assignment| {
            let change = |kind: &Kind| kind.map(&|part| if part == usual { number.clone() } else { part });
            let mut choice: Assignment =
                choice.iter().map(|(name, kind)| (name.clone(), change(kind))).collect();
            choice.extend(given.clone());
            choice
        };
        let all = numbers
            .flat_map(|number| chosen.iter().map(move |choice| retype(&number, choice)).collect::<Vec<_>>());
        all.filter(|choice| !self.is_refuted(generics, choice)).take(MOST_CHOICES).collect()
    }

    /// Types for one parameter, best first.
    pub(super) fn choices(
        &self,
        variable: &Variable,
        generics: &Generics,
        given: &Assignment,
        depth: usize,
        near: &[Kind],
    ) -> Vec<Kind> {
        if generics.of(&variable.name).any(Bound::is_closure) {
            return variable.default.iter().map(|function| self.normal(&function.assigned(given))).collect();
        }
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
        let bounds = self.with_item(variable, generics, given, bounds, near);
        let mut choices = self.kinds(&bounds, depth, near);
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
        near: &[Kind],
    ) -> Vec<Bound> {
        let demanded: Vec<Bound> = item_bounds(generics, &variable.name)
            .map(|bound| self.normal_bound(&bound.assigned(given)))
            .collect();
        let item = if demanded.is_empty() {
            None
        } else {
            self.kinds(&demanded, DEEPEST - 1, near).into_iter().next()
        };
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

    pub(super) fn normal_bound(&self, bound: &Bound) -> Bound {
        bound.map(&|part| self.normal(&part))
    }

    /// Types of which all bounds may hold, best first. Those that are in use nearby are tried early.
    pub(crate) fn kinds(&self, bounds: &[Bound], depth: usize, near: &[Kind]) -> Vec<Kind> {
        let anchored = bounds
            .iter()
            .map(|bound| self.anchors(bound, bounds, depth, near))
            .find(|kinds| !kinds.is_empty());
        let candidates = anchored.unwrap_or_else(|| {
            let mut pool = standard::pool();
            pool.retain(|kind| !near.contains(kind));
            pool.splice(1..1, near.iter().cloned());
            pool
        });
        let mut certain = Vec::new();
        let mut possible = Vec::new();
        for kind in candidates {
            let holds: Vec<Option<bool>> = bounds.iter().map(|bound| self.holds_with(&kind, bound)).collect();
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
    fn anchors(&self, bound: &Bound, all: &[Bound], depth: usize, near: &[Kind]) -> Vec<Kind> {
        let argument = bound.argument().cloned();
        let item = || bound.binding("Item").cloned().unwrap_or(Kind::named("i32"));
        let list = |of: Kind| Kind::generic("std::vec::Vec", [of]);
        let one = |name: &str| vec![Kind::named(name)];
        let bytes = || list(Kind::named("u8"));
        let Some(name) = bound.standard() else {
            if matches!(bound.name(), "Equivalent" | "Comparable") {
                return argument.into_iter().collect();
            }
            return self.implementors(bound, depth, near);
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
                    Some(of) => [vec![of], self.implementors(bound, depth, near)].concat(),
                    None => Vec::new(),
                }
            }
            ("Into" | "TryInto" | "From", Some(of)) => match &of {
                Kind::Reference { .. } | Kind::Parameter(_) => Vec::new(),
                _ if name == "From" && of.is_concrete() => {
                    [vec![of], self.implementors(bound, depth, near)].concat()
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
    fn implementors(&self, bound: &Bound, depth: usize, near: &[Kind]) -> Vec<Kind> {
        if depth == 0 {
            return Vec::new();
        }
        let question = (bound.clone(), depth, near.to_vec());
        if let Some(known) = self.implementing.borrow().get(&question) {
            return known.clone();
        }
        // Who asks for the same again meanwhile goes in circles.
        self.implementing.borrow_mut().insert(question.clone(), Vec::new());
        let found = self.find_implementors(bound, depth, near);
        self.implementing.borrow_mut().insert(question, found.clone());
        found
    }

    fn find_implementors(&self, bound: &Bound, depth: usize, near: &[Kind]) -> Vec<Kind> {
        let mut found = Vec::new();
        for block in self.implementing(&bound.path) {
            let mut given = Assignment::new();
            if !block.of.as_ref().is_some_and(|of| of.unify(bound, &mut given)) {
                continue;
            }
            given.retain(|_, kind| kind.is_concrete());
            found.extend(self.instantiated(block, &given, depth, near));
        }
        found.sort_by_cached_key(rank);
        found.dedup();
        found
    }

    /// The types for which a block is, with some types for its parameters.
    fn instantiated(&self, block: &Block, given: &Assignment, depth: usize, near: &[Kind]) -> Vec<Kind> {
        let mut given = given.clone();
        let inner = match &block.subject {
            Kind::Reference { to, .. } => to,
            subject => subject,
        };
        if let Some(instance) = inner.path().and_then(|path| self.instances(path).first()) {
            let mut usual = given.clone();
            if inner.unify(instance, &mut usual) && !self.is_refuted(&block.generics, &usual) {
                given = usual;
            }
        }
        let assignments = self.assignments_within(&block.generics, &given, depth - 1, near);
        let kinds =
            assignments.iter().take(MOST_CHOICES).map(|given| self.normal(&block.subject.assigned(given)));
        kinds.filter(Kind::is_concrete).collect()
    }
}

/// Ranks a type by how unlikely it is to be wanted: a usual number is the easiest to have, and then what is short
/// and made of usual numbers. Nobody writes a tuple of one.
fn rank(kind: &Kind) -> (usize, bool, bool, usize) {
    let pool = standard::pool();
    let place = |kind: &Kind| pool.iter().position(|known| known == kind);
    let usual = [Kind::named("i32"), Kind::named("f64")];
    let is_odd = kind.any(&mut |part| standard::is_number(part) && !usual.contains(part));
    let is_single = matches!(kind, Kind::Tuple(parts) if parts.len() == 1);
    (place(kind).unwrap_or(pool.len()), is_single, is_odd && place(kind).is_none(), kind.short().len())
}

/// The numbers and the like inside what was chosen.
fn scalars(given: &Assignment) -> Vec<Kind> {
    let mut found = Vec::new();
    for kind in given.values() {
        kind.any(&mut |part| {
            if standard::is_scalar(part) && !part.is("i32") && !found.contains(part) && found.len() < 3 {
                found.push(part.clone());
            }
            false
        });
    }
    found
}

/// Returns the bounds on the items of a parameter that is iterated.
fn item_bounds<'a>(generics: &'a Generics, name: &'a str) -> impl Iterator<Item = &'a Bound> {
    let is_item = move |kind: &Kind| match kind {
        Kind::Projection { of, name: item, .. } => {
            item == "Item" && **of == Kind::Parameter(name.to_string())
        }
        _ => false,
    };
    generics.bounds.iter().filter(move |(kind, _)| is_item(kind)).map(|(_, bound)| bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_numbers_and_pairs_of_them_come_first() {
        let tuple = |name: &str, count: usize| Kind::Tuple(vec![Kind::named(name); count]);
        let named = |name: &str| Kind::named(name);
        let mut kinds = [
            tuple("i8", 1),
            tuple("i32", 1),
            tuple("i8", 2),
            tuple("f64", 2),
            tuple("i32", 3),
            named("i8"),
            named("f64"),
            named("u8"),
        ];
        kinds.sort_by_cached_key(rank);
        let names: Vec<String> = kinds.iter().map(Kind::short).collect();
        let expected = ["u8", "f64", "i8", "(f64, f64)", "(i32, i32, i32)", "(i8, i8)", "(i32,)", "(i8,)"];
        assert_eq!(names, expected);
    }
}
