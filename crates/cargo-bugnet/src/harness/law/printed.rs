//! Printing: a function that reads text or bytes reads what another one, or `Display`, has printed of a value.
//!
//! `Display` with `FromStr` is a law of traits; these are the same for functions. Which of them belong together is not
//! told by their names alone.
//!
//! **Invariant:** a law is broken by a value only if another value comes back.

use super::super::outcome::{self, Wrap};
use super::super::solver::Solver;
use super::draft::{Draft, Writer, if_any};
use super::inverse::inverses;
use super::{Method, Receiver, behind, bytes, has, usable};
use crate::api::{Function, Kind, Lifetimes};

/// The first words in the names of functions that read.
const READING: [&str; 9] =
    ["parse", "read", "decode", "deserialize", "load", "from", "try", "unpack", "open"];
/// The first words in the names of functions that print.
const PRINTING: [&str; 16] = [
    "print",
    "format",
    "serialize",
    "encode",
    "emit",
    "dump",
    "stringify",
    "render",
    "generate",
    "unparse",
    "write",
    "pack",
    "to",
    "into",
    "as",
    "save",
];
/// Words that may follow `to`, `into`, `as`, `from` or `try` in a name: others tell a part.
const WHOLE: [&str; 14] = [
    "string", "str", "text", "bytes", "vec", "slice", "json", "xml", "toml", "yaml", "utf8", "source",
    "buffer", "buf",
];
/// The most laws of a type.
const MOST: usize = 6;

/// Text or bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Medium {
    Text,
    Bytes,
}

/// A function that reads a value or prints it.
#[derive(Debug)]
struct Side {
    /// Its name in the law.
    name: String,
    /// The call: `§` is what is read, and `one` the value that is printed.
    call: String,
    wrap: Wrap,
    medium: Medium,
}

/// The laws of functions that print and read values of a type.
pub(super) fn laws(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
    let kind = writer.kind;
    if !has(solver, kind, "std::cmp::PartialEq") {
        return by_prints(writer, methods, solver);
    }
    let (readers, printers) = (readers(kind, methods, solver), printers(kind, methods, solver));
    let pairs = printers.iter().flat_map(|printer| readers.iter().map(move |reader| (printer, reader)));
    // Those that say so by their names have a law already.
    let is_new = |(printer, reader): &(&Side, &Side)| inverses(&printer.name).all(|name| name != reader.name);
    let fits =
        |(printer, reader): &(&Side, &Side)| printer.medium == Medium::Text || reader.medium == Medium::Bytes;
    for (printer, reader) in pairs.filter(is_new).filter(fits).take(MOST) {
        writer.add(law(kind, printer, reader, &same(reader.wrap)));
    }
}

/// The law of a type whose values cannot be compared: what is read prints the same again.
fn by_prints(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
    let kind = writer.kind;
    let Some(printer) = display(kind, solver) else { return };
    let parse = || Side {
        name: "from_str".to_string(),
        call: format!("(§).parse::<{}>()", kind.text(Lifetimes::Inferred)),
        wrap: Wrap::Result,
        medium: Medium::Text,
    };
    let by_trait = has(solver, kind, "std::str::FromStr").then(parse);
    let by_name = || readers(kind, methods, solver).into_iter().find(|reader| reader.medium == Medium::Text);
    let Some(reader) = by_trait.or_else(by_name) else { return };
    let prints_alike = match reader.wrap {
        Wrap::Bare => "§.to_string() == new",
        Wrap::Option => "§.is_some_and(|back| back.to_string() == new)",
        _ => "§.is_ok_and(|back| back.to_string() == new)",
    };
    writer.add(law(kind, &printer, &reader, prints_alike));
}

/// The condition that what is read is the value: `§` is what is read.
fn same(wrap: Wrap) -> String {
    match wrap {
        Wrap::Bare => "&§ == one".to_string(),
        Wrap::Option => "§.as_ref() == Some(one)".to_string(),
        _ => "§.ok().as_ref() == Some(one)".to_string(),
    }
}

/// Returns the functions that read values of a type: one for text and one for bytes. Where there are several, each
/// reads a notation of its own.
fn readers(kind: &Kind, methods: &[Method], solver: &Solver<'_>) -> Vec<Side> {
    let free = usable(solver).filter_map(|(path, function)| free_reader(kind, path, function));
    let all = methods.iter().filter_map(|method| reader_of(kind, method)).chain(free);
    let (mut texts, mut bytes): (Vec<Side>, Vec<Side>) = all.partition(|side| side.medium == Medium::Text);
    if texts.len() > 1 || has(solver, kind, "std::str::FromStr") {
        texts.clear();
    }
    if bytes.len() > 1 {
        bytes.clear();
    }
    texts.into_iter().chain(bytes).collect()
}

/// Returns the functions that print values of a type.
fn printers(kind: &Kind, methods: &[Method], solver: &Solver<'_>) -> Vec<Side> {
    let free = usable(solver).filter_map(|(path, function)| free_printer(kind, path, function));
    display(kind, solver).into_iter().chain(methods.iter().filter_map(printer_of)).chain(free).collect()
}

/// `Display`, if a type has it.
fn display(kind: &Kind, solver: &Solver<'_>) -> Option<Side> {
    has(solver, kind, "std::fmt::Display").then(|| Side {
        name: "display".to_string(),
        call: "one.to_string()".to_string(),
        wrap: Wrap::Bare,
        medium: Medium::Text,
    })
}

/// The law that what is printed is read as the same, which is said of what is read: `§`.
fn law(kind: &Kind, printer: &Side, reader: &Side, same: &str) -> Draft {
    let source = match (printer.medium, reader.medium) {
        (Medium::Text, Medium::Bytes) => "new.as_bytes()",
        _ => "&new[..]",
    };
    let is_same = same.replace('§', &reader.call.replace('§', source));
    let printed = if_any(printer.wrap, &printer.call, &is_same);
    let kind_text = kind.text(Lifetimes::Inferred);
    let is_odd = if same.contains("one") { "one != one || " } else { "" };
    let condition = format!(
        "{{ let is_read = |one: &{kind_text}| {is_odd}{printed}; is_read({{&0}}) || !is_read({{&1}}) }}"
    );
    let printer_name = if printer.name == "display" { "Display" } else { &printer.name };
    let reason = format!("`{}` should read what `{printer_name}` prints as the same value", reader.name);
    let name = format!("{}_reads_{}", reader.name, printer.name);
    Draft::new(name, reason, [condition]).given([kind]).of_manners()
}

/// Returns true if a name says that everything is read or printed, by words that it may begin with.
fn is_named(name: &str, first: &[&str]) -> bool {
    let mut words = name.split('_');
    let begins = words.next().unwrap_or_default();
    let is_vague = ["to", "into", "as", "from", "try"].contains(&begins);
    first.contains(&begins)
        && !name.contains("lossy")
        && (!is_vague || words.any(|word| WHOLE.contains(&word)))
}

/// Returns the medium of a type, if it holds text or bytes.
fn medium(kind: &Kind) -> Option<Medium> {
    let is_bytes = |of: &Kind| of.is("u8");
    match behind(kind) {
        kind if kind.is("str") || kind.is("std::string::String") => Some(Medium::Text),
        Kind::Slice(of) if is_bytes(of) => Some(Medium::Bytes),
        kind if *kind == bytes() => Some(Medium::Bytes),
        kind if kind.is("std::borrow::Cow") => kind.arguments().into_iter().find_map(medium),
        _ => None,
    }
}

/// Writes how a function is given what it reads.
fn given(input: &Kind) -> Option<&'static str> {
    match input {
        Kind::Reference { mutable: false, to, .. } if to.is("str") || matches!(**to, Kind::Slice(_)) => {
            Some("§")
        }
        kind if kind.is("std::string::String") || kind.is("std::vec::Vec") => Some("(§).to_owned()"),
        _ => None,
    }
}

fn reader_of(kind: &Kind, method: &Method) -> Option<Side> {
    let [input] = &method.inputs[..] else { return None };
    let (wrap, made) = outcome::unwrapped(&method.output);
    let is_reader = !method.has_receiver() && made == kind && is_named(&method.name, &READING);
    let call = format!("{}::{}({})", kind.prefix(), method.name, given(input)?);
    Some(Side { name: method.name.clone(), call, wrap, medium: medium(input)? }).filter(|_| is_reader)
}

fn free_reader(kind: &Kind, path: &str, function: &Function) -> Option<Side> {
    let [(_, input)] = &function.inputs[..] else { return None };
    let (wrap, made) = outcome::unwrapped(&function.output);
    let is_reader = made == kind && is_named(&function.name, &READING);
    let call = format!("{path}({})", given(input)?);
    Some(Side { name: function.name.clone(), call, wrap, medium: medium(input)? }).filter(|_| is_reader)
}

fn printer_of(method: &Method) -> Option<Side> {
    let (wrap, made) = outcome::unwrapped(&method.output);
    let is_printer = method.inputs.is_empty() && is_named(&method.name, &PRINTING) && !method.facts.adjusts;
    let one = match method.receiver {
        Receiver::Shared => "one",
        Receiver::Value => "one.clone()",
        _ => return None,
    };
    let call = format!("{one}.{}()", method.name);
    Some(Side { name: method.name.clone(), call, wrap, medium: medium(made)? }).filter(|_| is_printer)
}

fn free_printer(kind: &Kind, path: &str, function: &Function) -> Option<Side> {
    let [(_, input)] = &function.inputs[..] else { return None };
    let (wrap, made) = outcome::unwrapped(&function.output);
    let is_printer = behind(input) == kind && is_named(&function.name, &PRINTING) && !function.facts.adjusts;
    let one = if matches!(input, Kind::Reference { .. }) { "one" } else { "one.clone()" };
    Some(Side { name: function.name.clone(), call: format!("{path}({one})"), wrap, medium: medium(made)? })
        .filter(|_| is_printer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_or_printed_is_the_whole_by_its_name() {
        let reads = ["parse", "parse_str", "from_bytes", "try_from_str", "read_document"];
        assert!(reads.iter().all(|name| is_named(name, &READING)));
        let others = ["from_seconds", "try_new", "new", "from_utf8_lossy", "spread"];
        assert!(others.iter().all(|name| !is_named(name, &READING)));
        assert!(is_named("to_json_pretty", &PRINTING) && is_named("encode", &PRINTING));
        assert!(!is_named("to_lowercase", &PRINTING) && !is_named("name", &PRINTING));
    }

    #[test]
    fn text_can_be_read_as_bytes() {
        let side = |name: &str, call: &str, medium| Side {
            name: name.into(),
            call: call.into(),
            wrap: Wrap::Bare,
            medium,
        };
        let kind = Kind::named("ink::Ink");
        let (printer, reader) = (
            side("display", "one.to_string()", Medium::Text),
            side("parse", "newick::parse(§)", Medium::Bytes),
        );
        let law = law(&kind, &printer, &reader, &same(Wrap::Bare)).written(&kind, "Ink");
        assert_eq!(law.name, "law parse_reads_display of Ink");
        assert_eq!(
            law.variants[0].call,
            "{ let is_read = |one: &ink::Ink| one != one || { let new = one.to_string(); &newick::parse(new.as_bytes()) == one }; is_read(a0) || !is_read(a1) }"
        );
    }
}
