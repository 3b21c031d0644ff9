//! The sample of a large API: what is called of it where a harness of everything would take too long to build.
//!
//! Large APIs are written by macros, for families of types and numbers: `FixedI8` to `FixedU128`, each with operators for
//! each number. A few types of each family stand for the others, then a few functions of those that differ in a number
//! only, and if that is not enough, functions are left out evenly. What makes values stays.
//!
//! **Invariant:** an API within its budget is left as it is, and the same API gives the same sample.

use super::generator;
use super::name::{alike, stem};
use crate::api::{Api, Block, Bound, Function, Kind};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Functions of an API of which a harness has all. The harness of `fixed`, which has 3,328 of 15,045, took 84 s of
/// processor time, and that of `nalgebra`, which has all 2,878, took 131 (`bugnet-lab harnesses`).
const MOST: usize = 4_000;

/// The part of an API that a harness has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// A part that is built in minutes, if the API is large.
    Sample,
    /// All of it, however long that takes.
    Whole,
}

impl Extent {
    /// Leaves the rest out of an API; says what that is.
    pub(super) fn taken_of(self, api: &mut Api) -> Option<LeftOut> {
        match self {
            Extent::Sample => take(api, MOST),
            Extent::Whole => None,
        }
    }
}

/// Members of a family that are kept: the first of these numbers that fits the budget.
const KEPT: [usize; 5] = [8, 5, 3, 2, 1];

/// The families that a line names.
const NAMED: usize = 3;

/// Functions that were left out of a harness.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct LeftOut {
    /// The number of functions that are left out.
    functions: usize,
    /// The number of all functions.
    of: usize,
    /// The families of types of which some stand for all: the name, how many are kept, and how many there are.
    families: Vec<(String, usize, usize)>,
}

/// Writes in one line what was left out, and how to include it.
impl std::fmt::Display for LeftOut {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} of {} functions", self.functions, self.of)?;
        let named: Vec<String> = self.families.iter().take(NAMED).map(words).collect();
        let rest = self.families.len().saturating_sub(NAMED);
        match (named.is_empty(), rest) {
            (true, _) => write!(out, ": of functions written alike, some stand for all")?,
            (false, 0) => write!(out, ": {} stand for their siblings", named.join(", "))?,
            (false, _) => {
                write!(
                    out,
                    ": {} and types of {rest} more families stand for their siblings",
                    named.join(", ")
                )?;
            }
        }
        write!(out, " (`--all-functions` calls them all)")
    }
}

fn words((name, kept, all): &(String, usize, usize)) -> String {
    format!("{kept} of {all} types like `{name}`")
}

/// Leaves functions out of an API that has more than this; says which.
fn take(api: &mut Api, most: usize) -> Option<LeftOut> {
    let of = count(api);
    if of <= most {
        return None;
    }
    let families = families(api);
    let mut left_out = LeftOut { of, ..LeftOut::default() };
    for keep in KEPT {
        left_out.families = leave_types(api, &families, keep);
        if count(api) <= most {
            break;
        }
    }
    for keep in KEPT {
        if count(api) > most {
            leave_shapes(api, keep);
        }
    }
    leave_evenly(api, most);
    left_out.functions = of - count(api);
    Some(left_out)
}

/// Counts the functions that a harness would call.
fn count(api: &Api) -> usize {
    let of_blocks = api.blocks.iter().filter(|block| generator::is_called(block));
    let of_blocks: usize = of_blocks.map(|block| block.functions.len() + block.provided.len()).sum();
    api.functions.len() + of_blocks
}

/// Returns the types of the crate that differ in their size only, by what they have in common. They are of one module,
/// and each has functions.
fn families(api: &Api) -> BTreeMap<(String, String), Vec<String>> {
    let mut functions: BTreeMap<&str, usize> = BTreeMap::new();
    for block in &api.blocks {
        if let Some(path) = block.subject.path() {
            *functions.entry(path).or_default() += block.functions.len() + block.provided.len();
        }
    }
    let mut families: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for path in api.definitions.keys() {
        let (module, name) = path.rsplit_once("::").unwrap_or(("", path));
        if functions.get(path.as_str()).is_some_and(|count| *count > 0) {
            families.entry((alike(module), stem(name))).or_default().push(path.clone());
        }
    }
    families.retain(|_, members| members.len() > 1);
    families
}

/// Returns `keep` places of a list: the first, the last, and then those in the middle between two. A smaller
/// set is always part of a larger one.
fn spread(length: usize, keep: usize) -> BTreeSet<usize> {
    let last = length.saturating_sub(1);
    let (mut places, mut between) = (vec![0, last], VecDeque::from([(0_usize, last)]));
    while let Some((low, high)) = between.pop_front() {
        let middle = low.midpoint(high);
        if middle > low {
            places.push(middle);
            between.extend([(low, middle), (middle, high)]);
        }
    }
    places.into_iter().filter(|place| *place < length).take(keep).collect()
}

/// Leaves types out of the families, and whatever mentions them; returns the families that are smaller now.
fn leave_types(
    api: &mut Api,
    families: &BTreeMap<(String, String), Vec<String>>,
    keep: usize,
) -> Vec<(String, usize, usize)> {
    let (mut gone, mut smaller) = (BTreeSet::new(), Vec::new());
    for members in families.values().filter(|members| members.len() > keep) {
        let kept = spread(members.len(), keep);
        let others = members.iter().enumerate().filter(|(place, _)| !kept.contains(place));
        gone.extend(others.map(|(_, path)| path.clone()));
        let first = members[0].rsplit("::").next().unwrap_or_default();
        smaller.push((first.to_string(), kept.len(), members.len()));
    }
    // The largest families say most.
    smaller.sort_by_key(|(name, _, all)| (std::cmp::Reverse(*all), name.clone()));
    let is_gone = |kind: &Kind| mentions(kind, &gone);
    let is_bound_gone = |bound: &Bound| {
        let bindings = bound.bindings.iter().map(|(_, kind)| kind);
        bound.arguments.iter().chain(bindings).any(is_gone)
    };
    let is_kept = |function: &Function| {
        !is_gone(&function.output) && !function.inputs.iter().any(|(_, kind)| is_gone(kind))
    };
    api.definitions.retain(|path, _| !gone.contains(path));
    api.aliases.retain(|alias| !is_gone(&alias.kind));
    api.constants.retain(|(_, kind)| !is_gone(kind));
    api.functions.retain(|(_, function)| is_kept(function));
    api.blocks.retain(|block| {
        let is_typed = block.types.iter().any(|(_, kind)| is_gone(kind));
        !is_gone(&block.subject) && !is_typed && !block.of.as_ref().is_some_and(is_bound_gone)
    });
    for block in &mut api.blocks {
        block.functions.retain(is_kept);
        block.provided.retain(is_kept);
        block.constants.retain(|(_, kind)| !is_gone(kind));
    }
    smaller
}

/// Returns true if a type is one of these, or made of one.
fn mentions(kind: &Kind, paths: &BTreeSet<String>) -> bool {
    kind.any(&mut |part| part.path().is_some_and(|path| paths.contains(path)))
}

/// Keeps `keep` of the blocks that differ only in numbers and sizes. The others stay without their functions,
/// because they say which traits a type has.
fn leave_shapes(api: &mut Api, keep: usize) {
    let mut shapes: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (place, block) in api.blocks.iter().enumerate().filter(|(_, block)| generator::is_called(block)) {
        if !block.functions.is_empty() || !block.provided.is_empty() {
            shapes.entry(shape(block)).or_default().push(place);
        }
    }
    for places in shapes.into_values() {
        let kept = spread(places.len(), keep);
        for (_, place) in places.into_iter().enumerate().filter(|(number, _)| !kept.contains(number)) {
            api.blocks[place].functions.clear();
            api.blocks[place].provided.clear();
        }
    }
}

/// The block without what differs between those that a macro wrote.
fn shape(block: &Block) -> String {
    let of = block.of.as_ref().map(|of| {
        let arguments: Vec<String> = of.arguments.iter().map(|kind| alike(&kind.short())).collect();
        format!("{}<{}>", of.path, arguments.join(", "))
    });
    let names: Vec<&str> = block.functions.iter().map(|function| function.name.as_str()).collect();
    format!("{} {} {}", alike(&block.subject.short()), of.unwrap_or_default(), names.join(" "))
}

/// Leaves functions out evenly until the budget is kept, but none that makes a value of its type.
fn leave_evenly(api: &mut Api, most: usize) {
    let all = count(api);
    let is_maker = |subject: &Kind, function: &Function| {
        let is_own = |part: &Kind| part.is("Self") || part.path().is_some() && part.path() == subject.path();
        !function.has_receiver()
            && function.output.any(&mut |part| is_own(part) || *part == Kind::Parameter("Self".to_string()))
    };
    let makers = api.blocks.iter().filter(|block| generator::is_called(block));
    let makers: usize = makers
        .map(|block| block.functions.iter().filter(|function| is_maker(&block.subject, function)).count())
        .sum();
    let (rest, room) = (all - makers, most.saturating_sub(makers));
    if all <= most || rest == 0 {
        return;
    }
    let mut number = 0;
    let mut is_kept = || {
        number += 1;
        number * room / rest != (number - 1) * room / rest
    };
    api.functions.retain(|_| is_kept());
    for block in api.blocks.iter_mut().filter(|block| generator::is_called(block)) {
        let subject = block.subject.clone();
        block.functions.retain(|function| is_maker(&subject, function) || is_kept());
        block.provided.retain(|_| is_kept());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::tests::{LIBRARY, read};
    use crate::harness::solver::Solver;

    /// An API with eight types that differ in their size, each with operators for each number.
    fn large() -> Api {
        let mut api = read("library");
        let number = api.definitions["library::Number"].clone();
        let own: Vec<Block> =
            api.blocks.iter().filter(|block| block.subject.is("library::Number")).cloned().collect();
        let add = api.blocks.iter().find(|block| block.of.as_ref().is_some_and(|of| of.name() == "Add"));
        let add = add.unwrap().clone();
        for size in [8, 16, 32, 64] {
            for sign in ["I", "U"] {
                let subject = Kind::named(&format!("library::Fixed{sign}{size}"));
                api.definitions.insert(subject.path().unwrap().to_string(), number.clone());
                api.blocks
                    .extend(own.iter().map(|block| Block { subject: subject.clone(), ..block.clone() }));
                for other in ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"] {
                    let of = Bound { arguments: vec![Kind::named(other)], ..Bound::named("std::ops::Add") };
                    let of = Some(of);
                    api.blocks.push(Block { subject: subject.clone(), of, ..add.clone() });
                }
            }
        }
        api
    }

    fn types(api: &Api) -> Vec<&str> {
        let fixed = api.definitions.keys().filter_map(|path| path.strip_prefix("library::Fixed"));
        fixed.collect()
    }

    #[test]
    fn fewer_places_are_some_of_more_and_have_both_ends() {
        let places = |length, keep| spread(length, keep).into_iter().collect::<Vec<_>>();
        assert_eq!(places(8, 5), [0, 1, 3, 5, 7]);
        assert_eq!(
            (places(8, 2), places(8, 1), places(1, 3), places(0, 3)),
            (vec![0, 7], vec![0], vec![0], vec![])
        );
        for length in 0..40 {
            assert_eq!(spread(length, length).len(), length);
            assert!((1..length).all(|keep| spread(length, keep).is_subset(&spread(length, keep + 1))));
        }
    }

    #[test]
    fn an_api_within_its_budget_is_left_as_it_is() {
        let mut api = large();
        let (before, most) = (format!("{api:?}"), count(&api));
        assert_eq!(take(&mut api, most), None);
        assert_eq!(format!("{api:?}"), before);
    }

    #[test]
    fn some_types_of_a_family_stand_for_the_others_and_nothing_mentions_those() {
        let mut api = large();
        let all = count(&api);
        let left_out = take(&mut api, all - 1).unwrap();
        assert_eq!(types(&api), ["I16", "I32", "I8", "U32", "U8"]);
        assert_eq!((left_out.functions, left_out.of), (all - count(&api), all));
        let words = left_out.to_string();
        assert!(words.contains("5 of 8 types like `FixedI16` stand for their siblings"), "{words}");
        assert!(words.contains("(`--all-functions` calls them all)"), "{words}");
        let gone = BTreeSet::from(["I64", "U16", "U64"].map(|name| format!("library::Fixed{name}")));
        assert!(!api.blocks.iter().any(|block| mentions(&block.subject, &gone)));
        // Types that are no siblings are all there.
        assert!(LIBRARY.definitions.keys().all(|path| api.definitions.contains_key(path)));
        assert!(!generator::Generator::propose(&Solver::new(&api)).candidates.is_empty());
    }

    #[test]
    fn of_operators_for_each_number_some_stand_for_all_and_the_traits_stay() {
        let mut api = large();
        let own = Kind::named("library::FixedI16");
        let copied = LIBRARY.blocks.iter().filter(|block| block.subject.is("library::Number"));
        let copied = copied.filter(|block| generator::is_called(block));
        let copied: usize = copied.map(|block| block.functions.len() + block.provided.len()).sum();
        // There is room for one type with half of its operators.
        let most = count(&LIBRARY) + copied + 4;
        take(&mut api, most).unwrap();
        assert_eq!(types(&api), ["I16"]);
        assert!(count(&api) <= most, "{} of {most}", count(&api));
        let adds =
            |block: &&Block| block.subject == own && block.of.as_ref().is_some_and(|of| of.name() == "Add");
        assert_eq!(api.blocks.iter().filter(adds).count(), 8);
        let called = api.blocks.iter().filter(adds).filter(|block| !block.functions.is_empty()).count();
        assert!((1..8).contains(&called), "{called}");
    }

    #[test]
    fn where_nothing_is_alike_functions_are_left_out_evenly_and_makers_stay() {
        let mut api = read("library");
        let most = count(&api) / 2;
        let left_out = take(&mut api, most).unwrap();
        assert!(count(&api) <= most + most / 4, "{} of {most}", count(&api));
        assert_eq!(left_out.functions, count(&LIBRARY) - count(&api));
        let makes = |api: &Api| {
            let blocks = api.blocks.iter().filter(|block| block.of.is_none());
            blocks.flat_map(|block| &block.functions).filter(|function| function.name == "new").count()
        };
        assert_eq!(makes(&api), makes(&LIBRARY));
        let mut again = read("library");
        take(&mut again, most).unwrap();
        assert_eq!(format!("{:?}", again.blocks), format!("{:?}", api.blocks));
    }
}
