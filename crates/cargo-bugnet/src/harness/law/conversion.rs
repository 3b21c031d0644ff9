//! Conversions: what is converted there and back is as it was.

use super::super::outcome::{self, Wrap};
use super::super::solver::Solver;
use super::super::standard;
use super::draft::{Draft, Writer, again, if_any};
use super::{Method, Receiver, behind, called, is_compared, owned};
use crate::api::{Assignment, Bound, Kind, Lifetimes};

/// The laws of conversions from and to a type.
pub(super) fn laws(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
    told(writer, methods, solver);
    if is_compared(solver, writer.kind) {
        by_names(writer, methods);
        by_traits(writer, methods, solver);
    }
}

/// Functions that lose nothing by their names: others, such as `to_f64` and `as_secs`, may round.
const FAITHFUL: [&str; 18] = [
    "bytes",
    "bits",
    "parts",
    "string",
    "str",
    "hex",
    "base",
    "radix",
    "digits",
    "words",
    "raw",
    "json",
    "inner",
    "rfc3339",
    "iso8601",
    "scientific",
    "slice",
    "array",
];

/// `from_x` gives back what `to_x` was called on.
fn by_names(writer: &mut Writer<'_>, methods: &[Method]) {
    for to in methods.iter().filter(|method| method.has_receiver()) {
        let stem = ["to_", "into_", "as_"].iter().find_map(|word| to.name.strip_prefix(word));
        let Some(stem) = stem.filter(|stem| FAITHFUL.iter().any(|word| stem.contains(word))) else {
            continue;
        };
        let names = [format!("from_{stem}"), format!("try_from_{stem}"), format!("parse_{stem}")];
        let froms = names.iter().filter_map(|name| owned(methods, name, to.inputs.len() + 1));
        let kind = writer.kind;
        for from in froms.filter(|from| outcome::unwrapped(&from.output).1 == kind) {
            let is_same = from.inputs[1..] == to.inputs[..] && to.inputs.iter().all(standard::is_scalar);
            if is_same && !stem.contains("lossy") && !to.facts.adjusts && !from.facts.adjusts {
                writer.add(there_and_back(kind, to, from, called(methods, "len", 0).is_some()));
            }
        }
    }
}

/// One function tells something of a value, and another makes a value of that which must tell the same. The rest of
/// the first value may be lost, as the seconds are by `to_minutes`.
fn told(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
    let kind = writer.kind;
    let is_exact = |told: &Kind| {
        let is_local = told != kind && told.path().is_some_and(|path| solver.api.is_local(path));
        is_plain(told) || told.is("std::string::String") || is_local && is_compared(solver, told)
    };
    for to in methods.iter().filter(|to| to.inputs.is_empty() && is_exact(&to.output) && !to.facts.adjusts) {
        let stem = ["to_", "into_", "as_"].iter().find_map(|word| to.name.strip_prefix(word));
        let stem = stem.unwrap_or(&to.name);
        let names = [format!("from_{stem}"), format!("try_from_{stem}"), format!("from_{stem}_opt")];
        let parts = match &to.output {
            Kind::Tuple(parts) => parts.clone(),
            told => vec![told.clone()],
        };
        let is_from = |from: &&Method| {
            let is_taken = from.inputs.iter().zip(&parts).all(|(input, part)| is_given(input, part));
            !from.has_receiver() && is_taken && outcome::unwrapped(&from.output).1 == kind
        };
        let mut froms = names.iter().filter_map(|name| owned(methods, name, parts.len()));
        let is_direct = FAITHFUL.iter().any(|word| stem.contains(word)) && is_compared(solver, kind);
        let Some(from) = froms.find(|from| is_from(from) && !from.facts.adjusts) else { continue };
        if matches!(to.receiver, Receiver::Shared | Receiver::Value) && !(is_direct && parts.len() == 1) {
            writer.add(told_again(kind, to, from));
        }
    }
}

/// Returns true if a parameter takes a value of a type, or a `&` to it.
fn is_given(input: &Kind, part: &Kind) -> bool {
    let is_text = part.is("std::string::String") && behind(input).is("str");
    behind(input) == part || is_text
}

fn told_again(kind: &Kind, to: &Method, from: &Method) -> Draft {
    let one = if to.receiver == Receiver::Value { "{0}.clone()" } else { "{0}" };
    let given = |(place, input): (usize, &Kind)| {
        let part =
            if matches!(to.output, Kind::Tuple(_)) { format!("told.{place}") } else { "told".to_string() };
        match input {
            Kind::Reference { .. } => format!("&{part}"),
            _ if standard::is_scalar(input) => part,
            _ => format!("{part}.clone()"),
        }
    };
    let list: Vec<String> = from.inputs.iter().enumerate().map(given).collect();
    let made = format!("{}::{}({})", kind.prefix(), from.name, list.join(", "));
    let again = if_any(outcome::unwrapped(&from.output).0, &made, &format!("new.{}() == told", to.name));
    let condition = format!("{{ let told = {one}.{}(); {again} }}", to.name);
    let reason = format!("what `{}` makes of what `{}` tells should tell the same", from.name, to.name);
    Draft::new(format!("{}_is_told_again", to.name), reason, [condition]).of_manners()
}

/// `from` undoes `to`. What has a length may be filled up to whole bytes, but then no more.
pub(super) fn there_and_back(kind: &Kind, to: &Method, from: &Method, is_filled: bool) -> Draft {
    let rest: Vec<String> = (1..=to.inputs.len()).map(|number| format!("{{{number}}}")).collect();
    let list = rest.join(", ");
    let made = format!("{{0}}.clone().{}({list})", to.name);
    let more = rest.iter().map(|argument| format!(", {argument}")).collect::<String>();
    let again = format!(".{}({list})", to.name);
    let (from_wrap, inner) = outcome::unwrapped(&from.output);
    // A reader may also return the number of bytes that it read.
    let part = if matches!(inner, Kind::Tuple(_)) { ".0" } else { "" };
    let after = match (from_wrap, is_filled) {
        (Wrap::Bare, false) => format!("{part} == {{0}}.clone()"),
        (Wrap::Option, false) if part.is_empty() => " == Some({0}.clone())".to_string(),
        (_, false) if part.is_empty() => ".ok() == Some({0}.clone())".to_string(),
        (Wrap::Option, false) => format!(".map(|new| new{part}) == Some({{0}}.clone())"),
        (_, false) => format!(".ok().map(|new| new{part}) == Some({{0}}.clone())"),
        (Wrap::Bare, true) => format!("{part}{again} == {made}"),
        (Wrap::Option, true) => format!(".map(|new| new{part}{again}) == Some({made})"),
        (_, true) => format!(".ok().map(|new| new{part}{again}) == Some({made})"),
    };
    let wrap = outcome::unwrapped(&to.output).0;
    let conditions = ["new", "&new", "&new[..]"].map(|form| {
        let back = |form: &str| format!("{}::{}({form}{more}){after}", kind.prefix(), from.name);
        match wrap {
            Wrap::Bare => back(&form.replace("new", &made)),
            _ => if_any(wrap, &made, &back(form)),
        }
    });
    let reason = format!("`{}` should give back what `{}` was called on", from.name, to.name);
    Draft::new(format!("{}_of_{}", from.name, to.name), reason, conditions).given(&to.inputs)
}

/// Returns true if values of a type say all that there is to say: a list may be sorted on its way, and a text be
/// brought into another form.
fn is_plain(kind: &Kind) -> bool {
    match kind {
        Kind::Tuple(parts) => !parts.is_empty() && parts.iter().all(is_plain),
        Kind::Array { of, .. } => is_plain(of),
        _ => standard::is_scalar(kind) && !standard::is_float(kind) || kind.is("std::net::Ipv4Addr"),
    }
}

/// Returns true if a block of the crate makes one type from another by a trait.
fn is_made(solver: &Solver<'_>, of: &str, made: &Kind, from: &Kind) -> bool {
    solver.implementing(&format!("std::convert::{of}")).any(|block| {
        let mut given = Assignment::new();
        let is_it = block.subject.unify(made, &mut given);
        let argument = block.of.as_ref().and_then(Bound::argument);
        is_it && argument.is_some_and(|argument| argument.unify(from, &mut given))
    })
}

/// `From` loses nothing, so that the way back, by `From` or `TryFrom`, leads to the same.
fn by_traits(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
    let kind = writer.kind;
    let is_collection = called(methods, "iter", 0).is_some() || called(methods, "len", 0).is_some();
    let (mut from_it, mut to_it) = (Vec::new(), Vec::new());
    for block in solver.implementing("std::convert::From") {
        let mut given = Assignment::new();
        let Some(argument) = block.of.as_ref().and_then(Bound::argument) else { continue };
        if argument.unify(kind, &mut given) {
            from_it.push(solver.normal(&block.subject.assigned(&given)));
        }
        let mut given = Assignment::new();
        if block.subject.unify(kind, &mut given) {
            to_it.push(solver.normal(&argument.assigned(&given)));
        }
    }
    let is_exact =
        |other: &Kind| is_compared(solver, other) || is_plain(other) || other.is("std::string::String");
    let is_other =
        |other: &&Kind| *other != kind && other.is_concrete() && !other.borrows() && is_exact(other);
    for other in from_it.iter().filter(is_other).filter(|_| !is_collection) {
        let name = format!("into_{}", snake(other));
        if is_made(solver, "TryFrom", kind, other) {
            writer.add(embedded(&name, kind, other));
        } else if is_made(solver, "From", kind, other) {
            writer.add(settled(&name, kind, other));
        }
    }
    for other in to_it.iter().filter(|other| is_plain(other)) {
        let name = format!("from_{}", snake(other));
        let law = if is_made(solver, "TryFrom", other, kind) {
            embedded(&name, other, kind)
        } else if is_made(solver, "From", other, kind) {
            settled(&name, other, kind)
        } else {
            continue;
        };
        writer.laws.push(law.drawn().written(other, writer.name));
    }
}

/// A value of one type that is made into another and back is as it was.
fn embedded(name: &str, one: &Kind, other: &Kind) -> Draft {
    let (from, to) = (one.text(Lifetimes::Inferred), other.text(Lifetimes::Inferred));
    let value = again(0, one);
    let condition = format!(
        "<{from} as TryFrom<{to}>>::try_from(<{to} as From<{from}>>::from({value})).ok() == Some({value})"
    );
    let reason = "`From` promises to lose nothing, so `TryFrom` should lead back to the same";
    let law = Draft::new(format!("{name}_is_undone"), reason, [condition]);
    // A text has many ways to say the same.
    if other.is("std::string::String") { law.of_manners() } else { law }
}

/// Of two types that are made into each other, one may have less to tell: but what has been there and back
/// once, changes no more.
fn settled(name: &str, one: &Kind, other: &Kind) -> Draft {
    let (from, to) = (one.text(Lifetimes::Inferred), other.text(Lifetimes::Inferred));
    let condition = format!(
        "{{ let new = <{to} as From<{from}>>::from({}); <{to} as From<{from}>>::from(<{from} as From<{to}>>::from(new.clone())) == new }}",
        again(0, one)
    );
    let reason = "`From` promises to lose nothing, so what was converted there and back changes no more";
    Draft::new(format!("{name}_settles"), reason, [condition]).of_manners()
}

/// The name of a type, as a part of the name of a law.
fn snake(kind: &Kind) -> String {
    let mut name = String::new();
    for letter in kind.short().chars() {
        match letter {
            _ if letter.is_uppercase() && name.ends_with(|last: char| last.is_alphanumeric()) => {
                name.push('_');
                name.extend(letter.to_lowercase());
            }
            _ if letter.is_alphanumeric() => name.extend(letter.to_lowercase()),
            _ if !name.is_empty() && !name.ends_with('_') => name.push('_'),
            _ => {}
        }
    }
    name.trim_end_matches('_').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_texts_and_fractions_may_change_on_their_way() {
        let list = Kind::generic("std::vec::Vec", [Kind::named("u8")]);
        assert!(is_plain(&Kind::named("u8")) && is_plain(&Kind::Tuple(vec![Kind::named("u8"); 2])));
        assert!(
            !is_plain(&list)
                && !is_plain(&Kind::named("f64"))
                && !is_plain(&Kind::named("std::string::String"))
        );
    }

    #[test]
    fn a_type_is_a_part_of_the_name_of_a_law() {
        assert_eq!(snake(&Kind::named("a::OffsetDateTime")), "offset_date_time");
        assert_eq!(snake(&Kind::generic("a::Set", [Kind::named("u8")])), "set_u8");
    }
}
