//! Laws by names and types: what should hold because of how the functions of a type are called.
//!
//! A law is written in several ways, and the compiler takes the first that fits the types. A panic
//! within a law is none of its business, for the functions that it calls are called by themselves too.
//!
//! **Invariant:** a law is about functions that are there under these names, and none of them is
//! deprecated.

mod conversion;
mod draft;
mod feeding;
mod format;
mod inverse;
mod member;
mod printed;
mod refusal;
mod route;
pub(super) mod serial;
mod setting;
mod sibling;
mod stream;
mod view;

use super::candidate::Candidate;
use super::generator::Generator;
use super::outcome::{self, Wrap};
use super::solver::Solver;
use crate::api::{Assignment, Bound, Facts, Function, Kind};
use draft::Writer;
use std::collections::BTreeSet;

/// A function of a type, as laws see it.
#[derive(Debug)]
struct Method {
    name: String,
    /// The types after the receiver.
    inputs: Vec<Kind>,
    output: Kind,
    receiver: Receiver,
    facts: Facts,
}

/// The value that a function is called on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Receiver {
    /// On nothing: it belongs to the type.
    None,
    Shared,
    Mutable,
    /// It uses its value up.
    Value,
}

impl Generator<'_> {
    /// Laws that follow from names.
    pub(super) fn laws(&mut self) {
        let all = || self.instances.values().flatten().filter(|kind| !self.solver.is_unsized(kind));
        let names = Names::of(all(), &self.api.name);
        let usual = self.instances.values().flat_map(|kinds| kinds.iter().take(2));
        let kinds = usual.filter(|kind| !self.solver.is_unsized(kind));
        let mut laws: Vec<Candidate> =
            kinds.flat_map(|kind| of_kind(self.solver, kind, &names.name(kind))).collect();
        laws.extend(draft::joined(inverse::of_functions(self.solver)));
        laws.extend(draft::joined(stream::of_functions(self.solver)));
        laws.extend(draft::joined(format::laws(self.solver)));
        laws.retain(|law| self.names.insert(law.name.clone()));
        self.candidates.extend(laws);
    }
}

/// The names of types where their laws are named: their own names, with their modules if others have the same.
#[derive(Debug)]
pub(super) struct Names {
    shared: BTreeSet<String>,
    crate_name: String,
}

impl Names {
    pub(super) fn of<'a>(kinds: impl Iterator<Item = &'a Kind>, crate_name: &str) -> Names {
        let mut seen = BTreeSet::new();
        let shared = kinds.map(Kind::short).filter(|short| !seen.insert(short.clone())).collect();
        Names { shared, crate_name: format!("{crate_name}::") }
    }

    pub(super) fn name(&self, kind: &Kind) -> String {
        let short = kind.short();
        let path = kind.path().unwrap_or_default();
        let own = path.strip_prefix(&self.crate_name).unwrap_or(path);
        match own.rsplit_once("::") {
            Some((module, _)) if self.shared.contains(&short) => format!("{module}::{short}"),
            _ => short,
        }
    }
}

/// The laws of a type of the crate.
fn of_kind(solver: &Solver<'_>, kind: &Kind, name: &str) -> Vec<Candidate> {
    let methods = methods(solver, kind);
    let is_cloned = has(solver, kind, "std::clone::Clone");
    let mut writer = Writer { kind, name, is_cloned, laws: Vec::new() };
    view::laws(&mut writer, &methods, solver);
    member::laws(&mut writer, &methods, solver);
    setting::laws(&mut writer, &methods, solver);
    sibling::laws(&mut writer, &methods, solver);
    refusal::laws(&mut writer, &methods, solver);
    conversion::laws(&mut writer, &methods, solver);
    inverse::laws(&mut writer, &methods, solver);
    stream::laws(&mut writer, &methods, solver);
    feeding::laws(&mut writer, &methods, solver);
    serial::laws(&mut writer, solver);
    route::laws(&mut writer, &methods);
    printed::laws(&mut writer, &methods, solver);
    writer.laws
}

/// Returns true if values of a type can be copied, and compared without exceptions.
fn is_compared(solver: &Solver<'_>, kind: &Kind) -> bool {
    has(solver, kind, "std::cmp::Eq") && has(solver, kind, "std::clone::Clone")
}

/// Returns true if a type surely implements a trait.
fn has(solver: &Solver<'_>, kind: &Kind, of: &str) -> bool {
    solver.holds(kind, &Bound::named(of)) == Some(true)
}

/// The functions of a type that are not deprecated.
fn methods(solver: &Solver<'_>, kind: &Kind) -> Vec<Method> {
    let mut methods = Vec::new();
    for block in solver.api.blocks.iter().filter(|block| block.of.is_none()) {
        let mut given = Assignment::new();
        if !block.subject.unify(kind, &mut given) || solver.is_refuted(&block.generics, &given) {
            continue;
        }
        given.insert("Self".to_string(), kind.clone());
        let resolve = |kind: &Kind| solver.normal(&kind.assigned(&given));
        for function in block.functions.iter().filter(|function| is_usable(function)) {
            let inputs = function.inputs.iter().skip(usize::from(function.has_receiver()));
            methods.push(Method {
                name: function.name.clone(),
                inputs: inputs.map(|(_, kind)| resolve(kind)).collect(),
                output: resolve(&function.output),
                receiver: Receiver::of(function),
                facts: function.facts.clone(),
            });
        }
    }
    methods
}

fn is_usable(function: &Function) -> bool {
    function.is_callable() && !function.facts.deprecated
}

/// The free functions that are not deprecated, with their paths.
fn usable<'a>(solver: &Solver<'a>) -> impl Iterator<Item = (&'a str, &'a Function)> + use<'a> {
    let all = solver.api.functions.iter().filter(|(_, function)| is_usable(function));
    all.map(|(path, function)| (path.as_str(), function))
}

/// A path within the crate.
fn own<'a>(solver: &Solver<'_>, path: &'a str) -> &'a str {
    path.strip_prefix(&format!("{}::", solver.api.name)).unwrap_or(path)
}

/// A list of bytes.
fn bytes() -> Kind {
    Kind::generic("std::vec::Vec", [Kind::named("u8")])
}

impl Receiver {
    fn of(function: &Function) -> Receiver {
        match function.inputs.first() {
            Some((name, kind)) if name == "self" => match kind {
                Kind::Reference { mutable: true, .. } => Receiver::Mutable,
                Kind::Reference { .. } => Receiver::Shared,
                _ => Receiver::Value,
            },
            _ => Receiver::None,
        }
    }
}

impl Method {
    fn has_receiver(&self) -> bool {
        self.receiver != Receiver::None
    }

    /// A call of it before a condition that says nothing if the call refuses.
    fn unless_refused(&self, call: &str) -> String {
        match outcome::unwrapped(&self.output) {
            (Wrap::Result, _) => format!("{call}.is_err() ||"),
            (Wrap::Option, inner) if *inner == Kind::unit() => format!("{call}.is_none() ||"),
            (Wrap::Bare, output) if output.is("bool") => format!("!{call} ||"),
            _ => format!("{call};"),
        }
    }

    /// A call of it after which `is_refused` is true if the call has returned an error: what it was given may not
    /// have fitted. `false` and `None` count only where they can say nothing else.
    fn noting_refusal(&self, call: &str) -> String {
        match outcome::unwrapped(&self.output) {
            (Wrap::Result, _) => format!("is_refused |= {call}.is_err();"),
            (Wrap::Option, inner) if *inner == Kind::unit() => format!("is_refused |= {call}.is_none();"),
            (Wrap::Bare, output) if output.is("bool") && self.says_done() => {
                format!("is_refused |= !{call};")
            }
            _ => format!("{call};"),
        }
    }

    /// Returns true if a `bool` that it returns says that it was done, as that of `push` does. That of `insert` mostly says
    /// that an item was not there before.
    fn says_done(&self) -> bool {
        !["insert", "remove"].iter().any(|word| self.name.contains(word))
    }
}

/// A call as [`Method::unless_refused`] writes it, and what follows where it has not refused.
fn then(call: &str, rest: &str) -> String {
    if call.ends_with("||") { format!("{call} {{ {rest} }}") } else { format!("{call} {rest}") }
}

/// Finds a function with this number of inputs after its receiver.
fn find<'a>(methods: &'a [Method], name: &str, inputs: usize) -> Option<&'a Method> {
    methods.iter().find(|method| method.name == name && method.inputs.len() == inputs)
}

/// The same that is called on a value.
fn called<'a>(methods: &'a [Method], name: &str, inputs: usize) -> Option<&'a Method> {
    find(methods, name, inputs).filter(|method| method.has_receiver())
}

/// The same that belongs to the type.
fn owned<'a>(methods: &'a [Method], name: &str, inputs: usize) -> Option<&'a Method> {
    find(methods, name, inputs).filter(|method| !method.has_receiver())
}

/// The type behind references.
fn behind(kind: &Kind) -> &Kind {
    match kind {
        Kind::Reference { to, .. } => behind(to),
        _ => kind,
    }
}

#[cfg(test)]
mod tests;
