//! The generator: proposes an operation for everything that the users of a crate can call.

use super::argument::Arguments;
use super::call::Form;
use super::candidate::{Candidate, Origin, Variant};
use super::expression::Expression;
use super::form;
use super::outcome::{self, Outcome};
use super::outside;
use super::solver::Solver;
use super::stated;
use crate::api::{Api, Assignment, Block, Bound, Facts, Function, Generics, Kind, Stated, Variable};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Types as which a generic type is used, at most.
const MOST_INSTANCES: usize = 4;
/// Ways in which an operation is written for the compiler to choose from, at most.
const MOST_VARIANTS: usize = 8;
/// The most operations that are made of one function, by closures and ranges.
const MOST_LABELS: usize = 6;
/// The most operations that give each type of error.
const MOST_ERRORS: usize = 3;
/// The label of the operation that gives the error of a call.
const ERROR: &str = "error";
/// The most passes over types that results have.
const MOST_PASSES: usize = 4;

/// Traits whose laws are checked, and whose functions nobody calls by name.
const CONTRACTS: [&str; 24] = [
    "Clone",
    "PartialEq",
    "Eq",
    "PartialOrd",
    "Ord",
    "Hash",
    "Debug",
    "Display",
    "Drop",
    "Error",
    "Serialize",
    "Deserialize",
    "Any",
    "StructuralPartialEq",
    "LowerHex",
    "UpperHex",
    "Octal",
    "Binary",
    "LowerExp",
    "UpperExp",
    "Pointer",
    "Copy",
    "Termination",
    "DeserializeSeed",
];

/// Returns true if the functions of a block are calls that its users make.
pub(crate) fn is_called(block: &Block) -> bool {
    let is_named = !block.subject.any(&mut |part| matches!(part, Kind::Unknown(_)));
    let fits = !block.subject.any(&mut is_huge);
    // Traits of this library that the crate implements are for tests.
    let is_for_tests = |path: &str| path.starts_with("bugnet::");
    let is_contract = |of: &Bound| CONTRACTS.contains(&of.name()) || is_for_tests(&of.path);
    is_named && fits && !block.of.as_ref().is_some_and(is_contract)
}

/// The most elements of an array that fits the stack, whatever they are.
const MOST_ELEMENTS: usize = 1 << 16;

/// Returns true if a type is an array that nobody has on the stack.
fn is_huge(kind: &Kind) -> bool {
    let Kind::Array { length, .. } = kind else { return false };
    let Kind::Constant(length) = &**length else { return false };
    let digits = length.trim_end_matches("usize").replace('_', "");
    digits.parse().is_ok_and(|length: usize| length > MOST_ELEMENTS)
}

/// Proposes operations.
#[derive(Debug)]
pub(crate) struct Generator<'a> {
    pub(super) api: &'a Api,
    pub(super) solver: &'a Solver<'a>,
    /// The types as which each generic type is used.
    pub(super) instances: BTreeMap<String, Vec<Kind>>,
    pub(super) names: BTreeSet<String>,
    /// Types that operations need and none makes.
    wanted: BTreeSet<Kind>,
    /// The number of operations that give each type of error.
    errors: BTreeMap<String, usize>,
    pub(super) candidates: Vec<Candidate>,
    /// True if what a call hands out to be changed is changed at once, where no later call could do it.
    has_changes: bool,
}

/// The operations for a crate, and the types as which its generic types are used.
#[derive(Debug)]
pub(crate) struct Proposal {
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) kinds: Vec<Kind>,
}

impl<'a> Generator<'a> {
    /// Proposes operations for a crate.
    #[cfg(test)]
    pub(crate) fn propose(solver: &'a Solver<'a>) -> Proposal {
        Generator::propose_with(solver, &[], true)
    }

    /// The same for a harness that has stated laws, with or without those that follow from names. Generic types are used
    /// as the stated laws write them.
    pub(crate) fn propose_with(solver: &'a Solver<'a>, stated: &[Stated], has_laws: bool) -> Proposal {
        let api = solver.api;
        let mut generator = Generator {
            api,
            solver,
            instances: BTreeMap::new(),
            names: BTreeSet::new(),
            errors: BTreeMap::new(),
            wanted: BTreeSet::new(),
            candidates: Vec::new(),
            has_changes: !has_laws,
        };
        stated::subjects(stated).iter().for_each(|kind| generator.note(kind));
        // Types that only others make are used as these make them.
        for path in api.definitions.keys() {
            if generator.makes_itself(path) && (has_laws || !generator.instances.contains_key(path)) {
                let usual = solver.instances(path).iter().cloned();
                let known = generator.instances.entry(path.clone()).or_default();
                usual.for_each(|kind| {
                    if !known.contains(&kind) {
                        known.push(kind)
                    }
                });
            }
        }
        for (place, (path, function)) in api.functions.iter().enumerate() {
            generator.free(place, path, function);
        }
        let mut done = BTreeSet::new();
        generator.blocks(&mut done);
        for path in api.definitions.keys() {
            let known = generator.instances.entry(path.clone()).or_default();
            if known.is_empty() {
                known.extend_from_slice(solver.instances(path));
            }
        }
        generator.blocks(&mut done);
        generator.wanted = generator.unmade();
        done.retain(|(_, subject)| !generator.wanted.iter().any(|kind| kind.short() == *subject));
        generator.blocks(&mut done);
        generator.values();
        if has_laws {
            generator.laws();
        }
        generator.stated(stated);
        let mut kinds: Vec<Kind> = generator.instances.into_values().flatten().collect();
        kinds.retain(|kind| !solver.is_unsized(kind));
        Proposal { candidates: generator.candidates, kinds }
    }

    fn free(&mut self, place: usize, path: &str, function: &Function) {
        if !function.is_callable() || outside::reason(function).is_some() {
            return;
        }
        let name = self.own_name(path);
        let form = |given: &Assignment| {
            let words = form::turbofish(function, given);
            let path = format!("{path}{words}");
            Form::Function { body: path.clone(), template: path }
        };
        let found = self.operations(function, &Generics::default(), &[Assignment::new()], &form);
        self.add(name, Origin::Free(place), &function.facts, false, found);
    }

    /// Returns true if a type has a value, a constant or a function that makes it from other types.
    fn makes_itself(&self, path: &str) -> bool {
        let is_it =
            |kind: &Kind| kind.is(path) || kind.is("Self") || *kind == Kind::Parameter("Self".to_string());
        let makes = |function: &Function| {
            let (_, inner) = outcome::unwrapped(&function.output);
            let takes = function.inputs.iter().any(|(_, kind)| is_it(owned(kind)));
            is_it(inner) && !takes && function.is_callable()
        };
        let mut own = self.api.blocks.iter().filter(|block| block.subject.is(path));
        !self.api.definitions[path].constructors.is_empty()
            || own.any(|block| {
                block.functions.iter().any(makes) || block.constants.iter().any(|(_, kind)| is_it(kind))
            })
    }

    /// The types of the crate that operations need and none makes.
    fn unmade(&self) -> BTreeSet<Kind> {
        let variants = || self.candidates.iter().flat_map(|candidate| &candidate.variants);
        let made: BTreeSet<&Kind> = variants().filter_map(Variant::made).collect();
        let needed = variants().flat_map(|variant| &variant.leaves).filter(|leaf| !leaf.pass.is_literal());
        let unmade = needed.map(|leaf| &leaf.kind).filter(|kind| !made.contains(kind));
        unmade.filter(|kind| kind.path().is_some_and(|path| self.api.is_local(path))).cloned().collect()
    }

    /// Proposes the functions of all blocks, for all types that come up meanwhile.
    fn blocks(&mut self, done: &mut BTreeSet<(usize, String)>) {
        for _ in 0..MOST_PASSES {
            let before = done.len();
            for place in 0..self.api.blocks.len() {
                self.block(place, done);
            }
            if done.len() == before {
                break;
            }
        }
    }

    /// Proposes the functions of a block for all types that it is used as.
    fn block(&mut self, place: usize, done: &mut BTreeSet<(usize, String)>) {
        let block = &self.api.blocks[place];
        if block.subject.any(&mut |part| matches!(part, Kind::Unknown(_))) {
            return;
        }
        for alternatives in self.subjects(block) {
            let Some(first) = alternatives.first() else { continue };
            let subject = self.solver.normal(&block.subject.assigned(first));
            if !subject.is_concrete() || !done.insert((place, subject.short())) {
                continue;
            }
            self.note(&subject);
            if !self.wanted.contains(&subject) {
                self.constants(block, first, &subject);
            }
            if !is_called(block) {
                continue;
            }
            for (number, function) in block.functions.iter().enumerate() {
                self.function(
                    block,
                    function,
                    Origin::Block { block: place, function: number },
                    &alternatives,
                );
            }
            for (number, function) in block.provided.iter().enumerate() {
                self.function(
                    block,
                    function,
                    Origin::Provided { block: place, function: number },
                    &alternatives,
                );
            }
        }
    }

    /// The types as which a block is used: for each, ways to choose its parameters.
    fn subjects(&self, block: &Block) -> Vec<Vec<Assignment>> {
        let mut found = Vec::new();
        if block.generics.variables.is_empty() {
            return vec![vec![Assignment::new()]];
        }
        let inner = owned(&block.subject);
        let generics = block.generics.closed(&|_| true);
        if inner.path().is_some_and(|path| self.api.is_local(path) && !self.instances.contains_key(path)) {
            return found;
        }
        let mut is_certain = false;
        if let Some(instances) = inner.path().and_then(|path| self.instances.get(path)) {
            for instance in instances {
                let mut given = Assignment::new();
                let fits = inner.unify(instance, &mut given).then(|| self.solver.fits(&generics, &given));
                if matches!(fits, None | Some(Some(false))) {
                    continue;
                }
                let all = self.solver.assignments(&generics, &given);
                if !all.is_empty() {
                    is_certain |= fits == Some(Some(true));
                    found.push(all);
                }
            }
        }
        // A guess is tried with other types too.
        if !is_certain {
            found.push(self.solver.assignments(&generics, &Assignment::new()));
        }
        found
    }

    fn function(&mut self, block: &Block, function: &Function, origin: Origin, alternatives: &[Assignment]) {
        if !function.is_callable() || outside::reason(function).is_some() {
            return;
        }
        let with_subject = |given: &Assignment| {
            let subject = self.solver.normal(&block.subject.assigned(given));
            let mut given = given.clone();
            given.insert("Self".to_string(), subject);
            given
        };
        let alternatives: Vec<Assignment> = alternatives.iter().map(with_subject).collect();
        let subject = &alternatives[0]["Self"];
        let owner = self.owner_name(subject);
        let name = match &block.of {
            Some(of) => {
                let of = of.assigned(&alternatives[0]).map(&|part| self.solver.normal(&part));
                format!("<{owner} as {}>::{}", form::short_bound(&of), function.name)
            }
            None => format!("{owner}::{}", function.name),
        };
        let form = |given: &Assignment| form::of_block(block, function, given, self.api, self.solver);
        let place = self.place(subject);
        let is_known = self.candidates.iter().any(|known| known.origin == origin);
        let is_wanted = is_basic(block, function) && self.wanted.contains(subject);
        let is_again = self.wanted.contains(subject) && self.names.contains(&name);
        if is_again || place > 1 && is_known && !is_wanted {
            return;
        }
        let mut found = self.operations(function, &block.generics, &alternatives, &form);
        if place > 0 {
            // Closures and ranges are tried on the usual type.
            found.truncate(1);
        }
        if found.is_empty() {
            // The function may demand more of the type than the block does.
            let generics = block.generics.and(&function.generics);
            let others: Vec<Assignment> =
                self.solver.assignments(&generics, &Assignment::new()).iter().map(with_subject).collect();
            found = self.operations(function, &block.generics, &others, &form);
        }
        let is_operator = block.of.as_ref().is_some_and(|of| form::is_operator(of.name()));
        self.add(name, origin, &function.facts, is_operator, found);
    }

    /// Ways to call a function, by the label of what is unusual about them.
    fn operations(
        &self,
        function: &Function,
        outer: &Generics,
        alternatives: &[Assignment],
        form: &dyn Fn(&Assignment) -> Form,
    ) -> Vec<(String, Vec<Variant>)> {
        let (function, named) = without_opaque(function);
        let generics = outer.and(&named);
        let mut found: Vec<(String, Vec<Variant>)> = Vec::new();
        let mut add =
            |label: String, variants: Vec<Variant>| match found.iter_mut().find(|(known, _)| *known == label)
            {
                Some((_, known)) => known.extend(variants),
                None => found.push((label, variants)),
            };
        // A result that holds a closure can be kept if that is a plain function.
        let is_held = |name: &str| {
            function.output.any(&mut |part| matches!(part, Kind::Parameter(known) if known == name))
        };
        let closed = generics.closed(&is_held);
        let ways = if closed == generics { vec![generics] } else { vec![closed, generics] };
        for generics in &ways {
            for full in alternatives.iter().flat_map(|given| self.solver.assignments(generics, given)) {
                let label = range_label(generics, &full);
                let open = assigned_bounds(generics, &full, self.solver);
                let output = self.solver.normal(&function.output.assigned(&full));
                for (label, variants) in self.variants(&function, &full, &open, &output, &form(&full), &label)
                {
                    add(label, variants);
                }
            }
        }
        for (_, variants) in &mut found {
            variants.truncate(MOST_VARIANTS);
        }
        found.truncate(MOST_LABELS);
        found
    }

    fn variants(
        &self,
        function: &Function,
        given: &Assignment,
        open: &Generics,
        output: &Kind,
        form: &Form,
        label: &str,
    ) -> Vec<(String, Vec<Variant>)> {
        let mut found: Vec<(String, Vec<Variant>)> = Vec::new();
        if self.has_changes {
            found.extend(self.changes(function, given, open, output, form));
        }
        let outcomes = Outcome::of(output, &|kind| self.solver.is_unsized(kind));
        let error = Outcome::error_of(output).filter(|_| label.is_empty());
        for (outcome, is_error) in
            outcomes.into_iter().map(|outcome| (outcome, false)).chain(error.map(|error| (error, true)))
        {
            let arguments = Arguments { solver: self.solver, generics: open, leased: outcome.is_leased() };
            let inputs = function.inputs.iter().map(|(name, kind)| {
                let kind = self.solver.normal(&kind.assigned(given));
                arguments.of(clean(name), &kind)
            });
            let inputs: Vec<Vec<Expression>> = inputs.collect();
            if inputs.iter().any(Vec::is_empty) {
                continue;
            }
            let usual: Vec<Expression> = inputs.iter().map(|ways| ways[0].clone()).collect();
            if is_error {
                found.push((ERROR.to_string(), vec![Variant::new(form, &usual, outcome)]));
                continue;
            }
            let mut all = vec![(label.to_string(), usual.clone())];
            for (place, ways) in inputs.iter().enumerate() {
                for way in ways.iter().skip(1) {
                    let mut unusual = usual.clone();
                    unusual[place] = way.clone();
                    all.push((way.label.clone(), unusual));
                }
            }
            for (label, arguments) in all {
                let variant = Variant::new(form, &arguments, outcome.clone());
                match found.iter_mut().find(|(known, _)| *known == label) {
                    Some((_, variants)) => variants.push(variant),
                    None => found.push((label, vec![variant])),
                }
            }
        }
        found
    }

    /// Adds operations, and what their results and errors need.
    pub(super) fn add(
        &mut self,
        name: String,
        origin: Origin,
        facts: &Facts,
        is_operator: bool,
        found: Vec<(String, Vec<Variant>)>,
    ) {
        for (label, variants) in found {
            if variants.is_empty() {
                continue;
            }
            let kinds: Vec<Kind> = variants.iter().flat_map(Variant::kinds).cloned().collect();
            if label == ERROR {
                let made = self.errors.entry(kinds.last().map(Kind::short).unwrap_or_default()).or_default();
                *made += 1;
                if *made > MOST_ERRORS {
                    continue;
                }
            }
            kinds.iter().for_each(|kind| self.note(kind));
            let name = if label.is_empty() { name.clone() } else { format!("{name}({label})") };
            let Some(name) = self.unique(name) else { continue };
            let facts = Facts {
                operator: is_operator,
                fickle: variants.iter().any(|variant| variant.is_fickle),
                endless: variants.iter().any(Variant::is_endless),
                ..facts.clone()
            };
            self.candidates.push(Candidate { name, origin, variants, facts });
        }
    }

    /// A name that no other operation has; none if too many have it.
    fn unique(&mut self, name: String) -> Option<String> {
        let more = (2..20).map(|number| format!("{name}#{number}"));
        let free = std::iter::once(name.clone()).chain(more).find(|name| !self.names.contains(name))?;
        self.names.insert(free.clone());
        Some(free)
    }

    /// The place of a type among those as which it is used.
    fn place(&self, kind: &Kind) -> usize {
        let kind = owned(kind);
        let known = kind.path().and_then(|path| self.instances.get(path));
        known.and_then(|known| known.iter().position(|known| known == kind)).unwrap_or(0)
    }

    /// Remembers the types of the crate inside a type, so that their functions are proposed.
    fn note(&mut self, kind: &Kind) {
        let mut local = Vec::new();
        kind.any(&mut |part| {
            if part.path().is_some_and(|path| self.api.is_local(path)) && part.is_concrete() {
                local.push(part.clone());
            }
            false
        });
        for kind in local {
            let known = self.instances.entry(kind.path().unwrap_or_default().to_string()).or_default();
            if !known.contains(&kind) && known.len() < MOST_INSTANCES {
                known.push(kind);
            }
        }
    }

    /// The name of an item within the crate.
    pub(super) fn own_name(&self, path: &str) -> String {
        path.strip_prefix(&format!("{}::", self.api.name)).unwrap_or(path).to_string()
    }

    /// The name of a type: without its arguments if it is the usual one.
    pub(super) fn owner_name(&self, kind: &Kind) -> String {
        match kind.path() {
            Some(path) if self.instances.get(path).and_then(|known| known.first()) == Some(kind) => {
                self.own_name(path)
            }
            Some(path) if self.api.is_local(path) => {
                let own = self.own_name(path);
                let module = own.rsplit_once("::").map_or(String::new(), |(module, _)| format!("{module}::"));
                format!("{module}{}", kind.short().replace("'static, ", "").replace("<'static>", ""))
            }
            _ => match kind {
                Kind::Reference { mutable, to, .. } => {
                    format!("&{}{}", if *mutable { "mut " } else { "" }, self.owner_name(to))
                }
                _ => kind.short(),
            },
        }
    }
}

/// Returns true if a function makes values of its type, or changes them: every type needs those.
fn is_basic(block: &Block, function: &Function) -> bool {
    let is_it = |kind: &Kind| *kind == Kind::Parameter("Self".to_string()) || *kind == block.subject;
    let changes = |kind: &Kind| matches!(kind, Kind::Reference { mutable: true, to, .. } if is_it(to));
    match function.inputs.first() {
        Some((name, kind)) if name == "self" => changes(kind),
        _ => is_it(outcome::unwrapped(&function.output).1),
    }
}

/// The type behind references.
fn owned(kind: &Kind) -> &Kind {
    match kind {
        Kind::Reference { to, .. } => owned(to),
        _ => kind,
    }
}

/// The name of a parameter, which may be a pattern.
pub(super) fn clean(name: &str) -> &str {
    let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if is_name && name != "_" { name } else { "value" }
}

/// Returns the label that tells apart ways to pass a range: the usual one is a plain range.
fn range_label(generics: &Generics, given: &Assignment) -> String {
    let is_range =
        |name: &str| generics.of(name).any(|bound| matches!(bound.name(), "RangeBounds" | "SliceIndex"));
    let ranges = given.iter().filter(|(name, _)| is_range(name)).map(|(_, kind)| kind.short());
    let unusual: Vec<String> = ranges.filter(|range| !range.starts_with("Range<")).collect();
    unusual.join(", ")
}

/// Returns the bounds on parameters, in terms of the types that were chosen for others.
fn assigned_bounds(generics: &Generics, given: &Assignment, solver: &Solver<'_>) -> Generics {
    let bounds = generics
        .bounds
        .iter()
        .map(|(kind, bound)| (kind.clone(), bound.assigned(given).map(&|part| solver.normal(&part))));
    Generics { bounds: bounds.collect(), ..generics.clone() }
}

/// The function with a named parameter for each `impl Trait` that it takes, and its parameters.
fn without_opaque(function: &Function) -> (Function, Generics) {
    let added: RefCell<Generics> = RefCell::default();
    let name = |part: Kind| match part {
        Kind::Opaque(bounds) => {
            let mut added = added.borrow_mut();
            let name = format!("impl {}", added.variables.len());
            let parameter = Kind::Parameter(name.clone());
            added.bounds.extend(bounds.into_iter().map(|bound| (parameter.clone(), bound)));
            added.variables.push(Variable { name, default: None, constant: None });
            parameter
        }
        other => other,
    };
    let inputs = function.inputs.iter().map(|(input, kind)| (input.clone(), kind.map(&name))).collect();
    let bounds: Vec<_> =
        function.generics.bounds.iter().map(|(kind, bound)| (kind.clone(), bound.map(&name))).collect();
    let generics = Generics { bounds, ..function.generics.clone() };
    let named = Function { inputs, ..function.clone() };
    let added = added.into_inner();
    (named, generics.and(&added))
}
