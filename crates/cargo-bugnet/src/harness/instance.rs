//! Instances: as which types the generic types of a crate are used.

use super::solver::{DEEPEST, Solver};
use super::standard;
use crate::api::{Alias, Api, Assignment, Bound, Kind};
use std::collections::BTreeSet;

impl Solver<'_> {
    /// Chooses the arguments of a type by what most of its functions demand.
    pub(super) fn find_instances(&self, path: &str) -> Vec<Kind> {
        let definition = &self.api.definitions[path];
        let lifetimes = vec![Kind::Lifetime; definition.generics.lifetimes];
        let with = |arguments: Vec<Kind>| Kind::generic(path, [lifetimes.clone(), arguments].concat());
        if definition.generics.variables.is_empty() {
            return vec![with(Vec::new())];
        }
        let (mut first, mut second) = (Assignment::new(), Assignment::new());
        for (place, variable) in definition.generics.variables.iter().enumerate() {
            let ranked = self.ranked(path, place, &first);
            let Some(best) = ranked.first() else { return self.aliased(path) };
            // A default that is made of other parameters is made of the chosen ones.
            let default = variable.default.clone().filter(|default| !default.is_concrete());
            let other = default.map(|default| default.assigned(&second)).or(ranked.get(1).cloned());
            second.insert(variable.name.clone(), other.unwrap_or_else(|| best.clone()));
            first.insert(variable.name.clone(), best.clone());
        }
        let names = definition.generics.variables.iter().map(|variable| &variable.name);
        let of = |given: &Assignment| names.clone().map(|name| given[name].clone()).collect::<Vec<Kind>>();
        let (first, second) = (of(&first), of(&second));
        let mut instances = vec![with(first.clone())];
        if second != first {
            instances.push(with(second));
        }
        instances
    }

    /// The types that aliases make of a type, if nobody else knows what its parameters may be.
    fn aliased(&self, path: &str) -> Vec<Kind> {
        let aliases = self.api.aliases.iter().filter(|alias| alias.kind.is(path));
        let assigned = |alias: &Alias| {
            let given = self.assignments(&alias.generics, &Assignment::new());
            let found = given.iter().map(|given| self.normal(&alias.kind.assigned(given)));
            found.filter(Kind::is_concrete).take(1).collect::<Vec<Kind>>()
        };
        aliases.flat_map(assigned).take(2).collect()
    }

    /// The type that aliases of the crate have for a parameter, as `I16F16` has `U16` for that of `FixedI32`; of several,
    /// the one in the middle, which is neither the smallest nor the largest of a family.
    fn aliased_argument(&self, path: &str, place: usize) -> Option<Kind> {
        let aliases = self.api.aliases.iter().filter(|alias| alias.kind.is(path));
        let arguments =
            aliases.filter_map(|alias| alias.kind.arguments().get(place).map(|kind| (*kind).clone()));
        let is_telling = |kind: &Kind| kind.is_concrete() && *kind != Kind::unit();
        let written: Vec<Kind> = arguments.filter(is_telling).collect();
        written.get(written.len() / 2).cloned()
    }

    /// At most two types for a parameter of a type of the crate: the one that fits most of its
    /// functions, and one of another sort if it fits nearly as many.
    fn ranked(&self, path: &str, place: usize, given: &Assignment) -> Vec<Kind> {
        let definition = &self.api.definitions[path];
        let variable = &definition.generics.variables[place];
        let own = definition.generics.of(&variable.name).map(|bound| bound.assigned(given));
        let own: Vec<Bound> = own.collect();
        let default = variable.default.as_ref().map(|default| default.assigned(given));
        // The bounds of each block on the parameter, or the type that the block gives it.
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
                // A unit says nothing, so it is no better than another.
                concrete if concrete.is_concrete() && *concrete != Kind::unit() => {
                    demands.push((weight, Err(concrete.clone())))
                }
                _ => {}
            }
        }
        if variable.constant.is_some() {
            let generics = &definition.generics;
            return self.choices(variable, generics, given, DEEPEST, &[]);
        }
        let used = self.aliased_argument(path, place);
        let mut candidates: Vec<Kind> = used.iter().cloned().collect();
        candidates.extend(default.clone().filter(Kind::is_concrete));
        let named: Vec<Kind> = demands.iter().filter_map(|(_, demand)| demand.clone().err()).collect();
        let bounded = demands.iter().filter_map(|(_, demand)| demand.as_ref().ok());
        for bounds in std::iter::once(&own).chain(bounded) {
            let concrete: Vec<Bound> = bounds.iter().filter(|bound| bound.is_concrete()).cloned().collect();
            candidates.extend(self.kinds(&concrete, DEEPEST, &[]));
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
        // Plain values are the easiest to have; something else must fit far more to be preferred, unless the crate
        // itself writes it.
        let is_plain = |kind: &Kind| pool.contains(kind) || used.as_ref() == Some(kind);
        let rank = |kind: &Kind| if is_plain(kind) { 2 * score(kind) + 1 } else { score(kind) };
        let mut scored: Vec<(usize, Kind)> = unique.into_iter().map(|kind| (rank(&kind), kind)).collect();
        let is_default = |kind: &Kind| default.as_ref() == Some(kind);
        scored.sort_by_key(|(rank, kind)| (!is_default(kind), std::cmp::Reverse(*rank)));
        let Some((best, first)) = scored.first().cloned() else { return Vec::new() };
        // Where there is a default, another type is only tried if the crate has one for it.
        let is_sort = |kind: &Kind| standard::is_scalar(kind) != standard::is_scalar(&first);
        let is_other = |kind: &Kind| self.api.is_about(kind) || (default.is_none() && is_sort(kind));
        let second = scored
            .iter()
            .skip(1)
            .find(|(score, kind)| is_other(kind) && *score * 5 >= best * 4 && *score > 0);
        std::iter::once(first.clone()).chain(second.map(|(_, kind)| kind.clone())).collect()
    }
}

/// The types of a crate that occur, but never by value.
pub(super) fn unsized_kinds(api: &Api) -> BTreeSet<String> {
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
            match part {
                // `Self::Output` is no value of `Self`.
                Kind::Projection { .. } => {}
                _ if is_pointer(part) => seen.extend(parts),
                _ => by_value.extend(parts),
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
        // An associated type such as `Output` may have no size.
        for (_, kind) in &block.constants {
            look(Some(&block.subject), kind);
        }
    }
    // A type that is copied or constructed has a size.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Generics;
    use crate::api::tests::{LIBRARY, read};

    #[test]
    fn an_alias_says_what_the_parameters_of_its_type_may_be() {
        let solver = Solver::new(&LIBRARY);
        let chests: Vec<String> = solver.instances("library::ChestInner").iter().map(Kind::short).collect();
        assert_eq!(chests, ["ChestInner<i32, Drawer>"]);
    }

    #[test]
    fn of_the_types_that_aliases_give_a_parameter_the_one_in_the_middle_is_chosen() {
        let mut api = read("library");
        let chest = |size: &str| {
            let number = Kind::named(&format!("typenum::consts::{size}"));
            Kind::generic("library::ChestInner", [number, Kind::named("library::Drawer")])
        };
        let aliases = ["U0", "U16", "U32"].map(|size| Alias {
            path: format!("library::{size}"),
            generics: Generics::default(),
            kind: chest(size),
        });
        api.aliases.extend(aliases);
        let size = Solver::new(&api).aliased_argument("library::ChestInner", 0);
        assert_eq!(size.map(|size| size.short()).as_deref(), Some("U16"));
    }
}
