//! Refusals: a careful function that refuses leaves its value as it was.

use super::super::solver::Solver;
use super::super::standard;
use super::draft::{Draft, Writer, again};
use super::{Method, Receiver, find, has, is_compared};
use crate::api::Kind;

/// `try_f` changes nothing where it returns an error, if there is an `f` that would panic instead, and so does
/// a function that sets something.
pub(super) fn laws(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
    let changes =
        |method: &&Method| method.receiver == Receiver::Mutable && method.output.is("std::result::Result");
    let is_given = |kind: &Kind| {
        standard::is_drawn(kind) || has(solver, kind, "std::clone::Clone") && kind.path().is_some()
    };
    for method in methods.iter().filter(changes) {
        let plain =
            method.name.strip_prefix("try_").and_then(|stem| find(methods, stem, method.inputs.len()));
        let is_careful = plain.is_some_and(|plain| plain.receiver == Receiver::Mutable);
        let is_setter = method.name.starts_with("set_");
        if !(is_careful || is_setter) || method.inputs.len() > 5 || !method.inputs.iter().all(is_given) {
            continue;
        }
        let law = law(method, is_compared(solver, writer.kind));
        writer.add(if is_careful { law } else { law.of_manners() });
    }
}

/// Compares values that can be compared, and the texts that others print.
fn law(method: &Method, is_compared: bool) -> Draft {
    let all = method.inputs.iter().enumerate().map(|(place, kind)| again(place + 1, kind));
    let name = &method.name;
    let call = format!("{{0}}.{name}({})", all.collect::<Vec<String>>().join(", "));
    let image = if is_compared { "{0}.clone()" } else { "format!(\"{:?}\", {0})" };
    let condition = format!("{{ let before = {image}; {call}.is_ok() || {image} == before }}");
    let reason = format!("`{name}` should change nothing where it returns an error");
    Draft::new(format!("{name}_refuses_cleanly"), reason, [condition]).changing().given(&method.inputs)
}
