//! Settings: what was set is what is got.

use super::super::outcome::{self, Wrap};
use super::super::solver::Solver;
use super::super::standard;
use super::draft::{Draft, Writer, again, if_any};
use super::{Method, Receiver, called, is_compared};
use crate::api::Kind;

/// The part that a function sets, and the way in which it hands on the value that has it.
struct Setter<'a> {
    method: &'a Method,
    /// The part that is set.
    part: &'a str,
    /// The names of functions that may tell it.
    getters: Vec<String>,
}

impl<'a> Setter<'a> {
    /// A function that sets something by its name and type.
    fn of(method: &'a Method, kind: &Kind) -> Option<Setter<'a>> {
        let named = |part: &str, words: &[&str]| {
            words.iter().map(|word| format!("{word}{part}")).collect::<Vec<String>>()
        };
        let words = ["", "get_", "is_", "has_"];
        let prefixes = ["set_", "with_"];
        if let Some(part) = prefixes.iter().find_map(|prefix| method.name.strip_prefix(prefix)) {
            return Some(Setter { method, part, getters: named(part, &words) });
        }
        if method.name == "set" {
            return Some(Setter { method, part: "value", getters: named("", &["get", "contains"]) });
        }
        // A builder has functions that are called like what they set; those that tell it are not.
        let is_builder = behind_result(&method.output) == kind && method.inputs.len() == 1;
        is_builder.then(|| Setter { method, part: &method.name, getters: named(&method.name, &words[1..]) })
    }

    /// Returns true if it changes the value that it is called on.
    fn is_changing(&self) -> bool {
        let output = outcome::unwrapped(&self.method.output).1;
        match self.method.receiver {
            Receiver::Mutable => true,
            Receiver::Shared => *output == Kind::unit() || output.is("bool"),
            _ => false,
        }
    }

    /// Returns true if it gives the value that has the setting, instead of changing the one that it is called on.
    fn is_building(&self, kind: &Kind) -> bool {
        let is_changing = self.method.receiver == Receiver::Mutable;
        !is_changing && outcome::unwrapped(&self.method.output).1 == kind
    }
}

fn behind_result(kind: &Kind) -> &Kind {
    super::behind(outcome::unwrapped(kind).1)
}

/// A getter tells what was set, if that is a plain value: texts may be normalised, and numbers with a fraction
/// rounded.
pub(super) fn laws(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
    let is_exact = |kind: &Kind| standard::is_scalar(kind) && !standard::is_float(kind);
    let is_own =
        |kind: &Kind| kind.path().is_some_and(|path| solver.api.is_local(path)) && is_compared(solver, kind);
    for method in methods.iter().filter(|method| method.has_receiver() && !method.facts.adjusts) {
        let Some(value) = method.inputs.last().filter(|kind| is_exact(kind) || is_own(kind)) else {
            continue;
        };
        let keys = &method.inputs[..method.inputs.len() - 1];
        // There may be more room than was asked for.
        let is_exact = |setter: &Setter<'_>| setter.part != "capacity";
        let Some(setter) = Setter::of(method, writer.kind).filter(is_exact) else { continue };
        if keys.len() > 1 || !keys.iter().all(standard::is_scalar) {
            continue;
        }
        if !setter.is_changing() && !setter.is_building(writer.kind) {
            continue;
        }
        let getters = setter.getters.iter().filter_map(|name| called(methods, name, keys.len()));
        let mut getters = getters.filter(|getter| {
            getter.name != method.name && getter.inputs[..] == *keys && !getter.facts.adjusts
        });
        if let Some(getter) = getters.find(|getter| behind_result(&getter.output) == value) {
            writer.add(law(&setter, getter, value, writer.kind));
        }
    }
}

/// A getter tells what a setter has set.
fn law(setter: &Setter<'_>, getter: &Method, value: &Kind, kind: &Kind) -> Draft {
    let Setter { method, part, .. } = setter;
    let keys = &method.inputs[..method.inputs.len() - 1];
    let literals: Vec<&Kind> = keys.iter().chain([value]).collect();
    let all: Vec<String> = literals.iter().enumerate().map(|(place, kind)| again(place + 1, kind)).collect();
    let (key, expected) = (all[..keys.len()].join(", "), &all[keys.len()]);
    let (got_wrap, got) = outcome::unwrapped(&getter.output);
    let is_lent = matches!(got, Kind::Reference { .. });
    let told = |on: &str| {
        let call = format!("{on}.{}({key})", getter.name);
        match (got_wrap, is_lent) {
            (Wrap::Bare, false) => format!("{call} == {expected}"),
            (Wrap::Bare, true) => format!("*{call} == {expected}"),
            (Wrap::Option, false) if keys.is_empty() => format!("{call} == Some({expected})"),
            (Wrap::Option, true) if keys.is_empty() => format!("{call} == Some(&{expected})"),
            // There may be no such place.
            (Wrap::Option, false) => format!("{call}.is_none_or(|got| got == {expected})"),
            (Wrap::Option, true) => format!("{call}.is_none_or(|got| *got == {expected})"),
            // A getter that returns an error says nothing wrong.
            (_, false) => format!("{call}.ok().is_none_or(|got| got == {expected})"),
            (_, true) => format!("{call}.ok().is_none_or(|got| *got == {expected})"),
        }
    };
    let given = format!("{}({})", method.name, all.join(", "));
    let reason = format!("`{}` should tell what `{}` was given", getter.name, method.name);
    let name = format!("set_is_got({part})");
    if setter.is_building(kind) {
        let wrap = outcome::unwrapped(&method.output).0;
        let condition = if_any(wrap, &format!("{{0}}.clone().{given}"), &told("new"));
        Draft::new(name, reason, [condition]).given(literals)
    } else {
        let put = method.unless_refused(&format!("{{0}}.{given}"));
        let condition = format!("{{ {put} {} }}", told("{0}"));
        Draft::new(name, reason, [condition]).changing().given(literals)
    }
}
