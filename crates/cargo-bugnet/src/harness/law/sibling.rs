//! Siblings: functions that do the same in two ways, and operators that do.

use super::super::outcome::{self, Wrap};
use super::super::solver::Solver;
use super::super::standard;
use super::draft::{Draft, Writer, again};
use super::{Method, Receiver, find, has, is_compared, owned};
use crate::api::{Assignment, Bound, Kind};

/// The laws of functions and operators that do the same.
pub(super) fn laws(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
    careful(writer, methods, solver);
    if is_compared(solver, writer.kind) {
        changed(writer, methods);
        assigned(writer, solver);
        negated(writer, methods, solver);
        doubled(writer, methods);
    }
}

/// Operators, by the names of the functions that do the same with care.
const OPERATORS: [(&str, &str); 8] = [
    ("add", "Add"),
    ("sub", "Sub"),
    ("mul", "Mul"),
    ("div", "Div"),
    ("rem", "Rem"),
    ("neg", "Neg"),
    ("shl", "Shl"),
    ("shr", "Shr"),
];
/// Operators that nobody needs care for.
const BITWISE: [(&str, &str); 3] = [("bitand", "BitAnd"), ("bitor", "BitOr"), ("bitxor", "BitXor")];

/// The arguments of a function, each a literal or another value of the type.
fn arguments(inputs: &[Kind]) -> Vec<String> {
    inputs.iter().enumerate().map(|(place, kind)| again(place + 1, kind)).collect()
}

/// The name of the function that does without care what one does with care.
fn careless(name: &str) -> Option<&str> {
    let stem = name.strip_prefix("checked_").or_else(|| name.strip_prefix("try_"));
    stem.or_else(|| name.strip_suffix("_opt"))
}

/// `try_f` changes a value as `f` does, where it does not refuse.
fn changed(writer: &mut Writer<'_>, methods: &[Method]) {
    let changes = |method: &&Method| method.receiver == Receiver::Mutable;
    for method in methods.iter().filter(changes) {
        let Some(plain) = careless(&method.name).and_then(|stem| find(methods, stem, method.inputs.len()))
        else {
            continue;
        };
        let is_given = |kind: &Kind| standard::is_drawn(kind) || kind == writer.kind;
        let is_same = changes(&plain) && plain.inputs == method.inputs && plain.inputs.iter().all(is_given);
        if !is_same || outcome::unwrapped(&method.output).0 == Wrap::Bare {
            continue;
        }
        let list = arguments(&method.inputs).join(", ");
        let is_none = if method.output.is("std::option::Option") { "is_none" } else { "is_err" };
        // Both may refuse, each in its way.
        let call = plain.unless_refused(&format!("other.{}({list})", plain.name));
        let (careful, plain) = (&method.name, &plain.name);
        let condition = format!(
            "{{ let (mut new, mut other) = ({{0}}.clone(), {{0}}.clone()); new.{careful}({list}).{is_none}() || {{ {call} new == other }} }}"
        );
        let reason = format!("`{careful}` and `{plain}` should agree wherever both work");
        writer.add(Draft::new(format!("{careful}_is_{plain}"), reason, [condition]).given(&method.inputs));
    }
}

/// `checked_f`, `try_f`, `f_opt`, `saturating_f`, `wrapping_f` and `overflowing_f` agree with `f` where it
/// works.
fn careful(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
    for method in methods {
        let Some(stem) = careless(&method.name) else { continue };
        let is_given = |kind: &Kind| standard::is_drawn(kind) || kind == writer.kind;
        let is_wrapped = outcome::unwrapped(&method.output).0 != Wrap::Bare;
        if !is_wrapped || method.receiver == Receiver::Mutable || !method.inputs.iter().all(is_given) {
            continue;
        }
        let arguments = arguments(&method.inputs);
        let list = arguments.join(", ");
        let call = |name: &str| match method.has_receiver() {
            true => format!("{{0}}.clone().{name}({list})"),
            false => format!("{}::{name}({list})", writer.kind.prefix()),
        };
        let has_same = |name: &str| {
            find(methods, name, method.inputs.len()).is_some_and(|other| other.inputs == method.inputs)
        };
        let careful = &method.name;
        let wrapped = call(careful);
        let some = if method.output.is("std::option::Option") { "is_none_or" } else { "ok().is_none_or" };
        // NaN is not even equal to itself.
        let is_exact = has(solver, super::behind(outcome::unwrapped(&method.output).1), "std::cmp::Eq");
        let exception = if is_exact { "" } else { " || new != new" };
        let mut agree = |name: &str, other: &str, expected: String| {
            let expected = format!("{expected}{exception}");
            let condition = format!("{wrapped}.{some}(|new| {expected})");
            let reason = format!("`{careful}` and {other} should agree wherever both work");
            let law = Draft::new(format!("{careful}_is_{name}"), reason, [condition]);
            writer.add(law.given(&method.inputs));
        };
        let operator = OPERATORS.iter().find(|(name, _)| *name == stem);
        if has_same(stem) {
            agree(stem, &format!("`{stem}`"), format!("new == {}", call(stem)));
        } else if let (Some((name, of)), true) = (operator, method.has_receiver()) {
            let all = [vec!["{0}.clone()".to_string()], arguments.clone()].concat().join(", ");
            agree(stem, "the operator", format!("new == std::ops::{of}::{name}({all})"));
        }
        for other in ["saturating", "wrapping"].map(|word| format!("{word}_{stem}")) {
            if has_same(&other) {
                agree(&other, &format!("`{other}`"), format!("new == {}", call(&other)));
            }
        }
        let other = format!("overflowing_{stem}");
        if has_same(&other) {
            agree(&other, &format!("`{other}`"), format!("(new, false) == {}", call(&other)));
        }
    }
}

/// Returns the types that a block of the crate has on the right of an operator with a type on the left.
fn right_of(solver: &Solver<'_>, of: &str, kind: &Kind) -> Vec<Kind> {
    let mut found = Vec::new();
    for block in solver.implementing(&format!("std::ops::{of}")) {
        let mut given = Assignment::new();
        if !block.subject.unify(kind, &mut given) {
            continue;
        }
        let argument = block.of.as_ref().and_then(Bound::argument);
        found.push(argument.map_or(kind.clone(), |argument| solver.normal(&argument.assigned(&given))));
    }
    found
}

/// `a += b` is `a = a + b`.
fn assigned(writer: &mut Writer<'_>, solver: &Solver<'_>) {
    for (name, of) in OPERATORS.iter().chain(&BITWISE) {
        for right in right_of(solver, &format!("{of}Assign"), writer.kind) {
            if right != *writer.kind && !standard::is_scalar(&right) {
                continue;
            }
            let other = again(1, &right);
            let exception = if has(solver, writer.kind, "std::cmp::Eq") { "" } else { " || new != new" };
            let condition = format!(
                "{{ let mut new = {{0}}.clone(); std::ops::{of}Assign::{name}_assign(&mut new, {other}); new == std::ops::{of}::{name}({{0}}.clone(), {other}){exception} }}"
            );
            let reason = "an operator with assignment does what the operator does";
            let law = format!("{name}_assign_is_{name}({})", right.short());
            writer.add(Draft::new(law, reason, [condition]).given([&right]));
        }
    }
}

/// `0 - a` is `-a`, if there is a zero.
fn negated(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
    let kind = writer.kind;
    let subtracts =
        right_of(solver, "Sub", kind).contains(kind) && right_of(solver, "Add", kind).contains(kind);
    if !subtracts || !has(solver, kind, "std::ops::Neg") {
        return;
    }
    let is_constant = |(name, of): &(String, Kind)| name == "ZERO" && (of == kind || of.is("Self"));
    let mut blocks =
        solver.api.blocks.iter().filter(|block| block.subject.unify(kind, &mut Assignment::new()));
    let zero = if blocks.any(|block| block.of.is_none() && block.constants.iter().any(is_constant)) {
        format!("{}::ZERO", kind.prefix())
    } else if owned(methods, "zero", 0).is_some_and(|zero| zero.output == *kind) {
        format!("{}::zero()", kind.prefix())
    } else if has(solver, kind, "std::default::Default") {
        format!("{}::default()", kind.prefix())
    } else {
        return;
    };
    // Only what changes nothing when it is added is a zero.
    let condition =
        format!("{zero} + {{0}}.clone() != {{0}}.clone() || {zero} - {{0}}.clone() == -{{0}}.clone()");
    writer.add(Draft::new("zero_minus_is_neg", "zero minus a value is its negation", [condition]));
}

/// Reversing twice changes nothing, and sorting leaves things in order.
fn doubled(writer: &mut Writer<'_>, methods: &[Method]) {
    let changes = |name: &str| {
        find(methods, name, 0)
            .is_some_and(|method| method.receiver == Receiver::Mutable && method.output == Kind::unit())
    };
    if changes("reverse") {
        let condition = "{ let mut new = {0}.clone(); new.reverse(); new.reverse(); new == {0}.clone() }";
        let reason = "what is reversed twice is as it was";
        writer.add(Draft::new("reverse_undoes_reverse", reason, [condition.to_string()]));
    }
    for name in ["sort", "sort_unstable"].into_iter().filter(|name| changes(name)) {
        let condition = format!("{{ let mut new = {{0}}.clone(); new.{name}(); new.iter().is_sorted() }}");
        writer.add(Draft::new(format!("{name}_sorts"), "what was sorted is in order", [condition]));
    }
}
