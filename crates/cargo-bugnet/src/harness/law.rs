//! Laws by names and types: what must hold because of how the functions of a type are called.
//!
//! A law is written in several ways, and the compiler takes the first that fits the types. A panic
//! within a law is none of its business, for the functions that it calls are called by themselves too.
//!
//! **Invariant:** a law is about functions that are there under these names, and none of them is
//! deprecated.

use super::candidate::{Candidate, Origin, Variant};
use super::expression::{Leaf, Pass};
use super::outcome::{self, Outcome, Wrap};
use super::solver::Solver;
use super::standard;
use crate::api::{Assignment, Bound, Facts, Function, Kind};

/// A function of a type, as laws see it.
#[derive(Debug)]
struct Method {
    name: String,
    /// The types after the receiver.
    inputs: Vec<Kind>,
    output: Kind,
    has_receiver: bool,
    /// Whether its documentation says that nothing is left afterwards.
    empties: bool,
}

/// What can be written down: a value of the type, by mode, and literals.
#[derive(Debug)]
struct Writer<'a> {
    kind: &'a Kind,
    laws: Vec<Candidate>,
}

/// The laws of a type of the crate.
pub(crate) fn of_kind(solver: &Solver<'_>, kind: &Kind) -> Vec<Candidate> {
    let methods = methods(solver, kind);
    let mut writer = Writer { kind, laws: Vec::new() };
    let has = |name: &str| solver.holds(kind, &Bound::named(name)) == Some(true);
    let is_compared = has("std::cmp::Eq") && has("std::clone::Clone");
    sizes(&mut writer, &methods);
    membership(&mut writer, &methods);
    settings(&mut writer, &methods);
    siblings(&mut writer, &methods);
    if is_compared {
        round_trips(&mut writer, &methods);
        assignments(&mut writer, solver);
        emptied(&mut writer, &methods, has("std::default::Default"));
        extended(&mut writer, &methods, solver);
    }
    writer.laws
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
        let usable = |function: &&Function| function.is_callable() && !function.facts.deprecated;
        for function in block.functions.iter().filter(usable) {
            let resolve = |kind: &Kind| solver.normal(&kind.assigned(&given));
            let inputs = function.inputs.iter().skip(usize::from(function.has_receiver()));
            methods.push(Method {
                name: function.name.clone(),
                inputs: inputs.map(|(_, kind)| resolve(kind)).collect(),
                output: resolve(&function.output),
                has_receiver: function.has_receiver(),
                empties: function.facts.empties,
            });
        }
    }
    methods
}

fn find<'a>(methods: &'a [Method], name: &str, inputs: usize) -> Option<&'a Method> {
    methods.iter().find(|method| method.name == name && method.inputs.len() == inputs)
}

/// A method with so many inputs that is called on a value.
fn called<'a>(methods: &'a [Method], name: &str, inputs: usize) -> Option<&'a Method> {
    find(methods, name, inputs).filter(|method| method.has_receiver)
}

impl Writer<'_> {
    /// Adds a law about a value and literals, with the ways to write its condition: `{0}` is the value,
    /// `{1}` the first literal.
    fn add(&mut self, name: &str, pass: Pass, literals: &[&Kind], conditions: &[String]) {
        let value = Leaf { name: "one".to_string(), kind: self.kind.clone(), pass };
        let literals = literals.iter().enumerate().map(|(number, kind)| Leaf {
            name: ["first", "second", "third"].get(number).copied().unwrap_or("next").to_string(),
            kind: (*kind).clone(),
            pass: Pass::Value,
        });
        let leaves: Vec<Leaf> = std::iter::once(value).chain(literals).collect();
        let variants = conditions.iter().map(|condition| variant(condition, leaves.clone()));
        let name = format!("law {name} of {}", self.kind.short());
        if self.laws.iter().all(|law| law.name != name) {
            self.laws.push(law(name, variants.collect()));
        }
    }
}

fn law(name: String, variants: Vec<Variant>) -> Candidate {
    Candidate { name, origin: Origin::Law, variants, facts: Facts::default(), is_operator: false }
}

/// A way to write a law.
fn variant(condition: &str, leaves: Vec<Leaf>) -> Variant {
    let mut call = condition.to_string();
    for number in 0..leaves.len() {
        call = call.replace(&format!("{{{number}}}"), &format!("a{number}"));
    }
    Variant { template: format!("assert!({condition})"), call, leaves, outcome: Outcome::Judged }
}

/// A literal that is used more than once: numbers are copied as they are.
fn again(number: usize, kind: &Kind) -> String {
    match standard::is_scalar(kind) {
        true => format!("{{{number}}}"),
        false => format!("{{{number}}}.clone()"),
    }
}

/// `len`, `is_empty` and `iter` agree, and so do `first`, `last` and `get`.
fn sizes(writer: &mut Writer<'_>, methods: &[Method]) {
    let has = |name: &str| called(methods, name, 0).is_some();
    if has("len") && has("iter") {
        writer.add("len_is_count", Pass::Shared, &[], &["{0}.len() == {0}.iter().count()".to_string()]);
    }
    if has("len") && has("is_empty") {
        let condition = "{0}.is_empty() == ({0}.len() == 0)".to_string();
        writer.add("is_empty_is_len_0", Pass::Shared, &[], &[condition]);
    }
    let gets = called(methods, "get", 1).is_some_and(|get| get.inputs[0].is("usize"));
    if has("first") && gets {
        writer.add("first_is_get_0", Pass::Shared, &[], &["{0}.first() == {0}.get(0)".to_string()]);
    }
    if has("last") && has("len") && gets {
        let condition = "{0}.len() == 0 || {0}.last() == {0}.get({0}.len() - 1)".to_string();
        writer.add("last_is_get_len", Pass::Shared, &[], &[condition]);
    }
}

/// What was put in is found.
fn membership(writer: &mut Writer<'_>, methods: &[Method]) {
    let refuses = |method: &Method| match outcome::unwrapped(&method.output).0 {
        Wrap::Result => ".is_err() ||",
        _ => ";",
    };
    if let (Some(insert), Some(_)) = (called(methods, "insert", 1), called(methods, "contains", 1))
        && standard::is_drawn(&insert.inputs[0])
    {
        let key = &insert.inputs[0];
        let written = |found: &str| {
            format!("{{ {{0}}.insert({}){} {{0}}.contains({found}) }}", again(1, key), refuses(insert))
        };
        writer.add("insert_is_contained", Pass::Mutable, &[key], &[written("&{1}"), written("{1}")]);
    }
    let Some(insert) = called(methods, "insert", 2) else { return };
    if !insert.inputs.iter().all(standard::is_drawn) {
        return;
    }
    let (key, value) = (&insert.inputs[0], &insert.inputs[1]);
    let put = format!("{{0}}.insert({}, {}){}", again(1, key), again(2, value), refuses(insert));
    if called(methods, "contains_key", 1).is_some() {
        let condition = format!("{{ {put} {{0}}.contains_key(&{{1}}) }}");
        writer.add("insert_is_contained", Pass::Mutable, &[key, value], &[condition]);
    }
    if called(methods, "get", 1).is_some() {
        let ways =
            ["{0}.get(&{1}) == Some(&{2})", "{0}.get({1}) == Some(&{2})", "{0}.get(&{1}) == Some({2})"];
        let conditions: Vec<String> = ways.iter().map(|way| format!("{{ {put} {way} }}")).collect();
        writer.add("insert_is_got", Pass::Mutable, &[key, value], &conditions);
    }
}

/// What was set is got, if it is a plain value: texts may be normalised.
fn settings(writer: &mut Writer<'_>, methods: &[Method]) {
    for method in methods.iter().filter(|method| method.has_receiver) {
        let Some(value) = method.inputs.last().filter(|value| standard::is_scalar(value)) else { continue };
        let keys = &method.inputs[..method.inputs.len() - 1];
        if keys.len() > 1 || !keys.iter().all(standard::is_scalar) || standard::is_float(value) {
            continue;
        }
        let (names, part): (Vec<String>, &str) = match method.name.strip_prefix("set_") {
            Some(part) => (vec![part.to_string(), format!("get_{part}")], part),
            None if method.name == "set" => (vec!["get".to_string(), "contains".to_string()], "value"),
            None => match method.name.strip_prefix("with_") {
                Some(part) => (vec![part.to_string(), format!("get_{part}")], part),
                None => continue,
            },
        };
        let Some(getter) = names.iter().find_map(|name| called(methods, name, keys.len())) else { continue };
        let (got_wrap, got) = outcome::unwrapped(&getter.output);
        if got != value || getter.inputs[..] != *keys {
            continue;
        }
        let literals: Vec<&Kind> = keys.iter().chain([value]).collect();
        let all: Vec<String> = (1..=literals.len()).map(|number| format!("{{{number}}}")).collect();
        let key = all[..keys.len()].join(", ");
        let expected = match got_wrap {
            Wrap::Option => format!("Some({})", all[keys.len()]),
            Wrap::Bare => all[keys.len()].clone(),
            _ => continue,
        };
        let (wrap, made) = outcome::unwrapped(&method.output);
        let given = format!("{}({})", method.name, all.join(", "));
        let name = format!("set_is_got({part})");
        if method.name.starts_with("with_") {
            if made != writer.kind {
                continue;
            }
            let got = format!("new.{}({key}) == {expected}", getter.name);
            let condition = match wrap {
                Wrap::Bare => format!("{{ let new = {{0}}.clone().{given}; {got} }}"),
                Wrap::Option => format!("{{0}}.clone().{given}.is_none_or(|new| {got})"),
                _ => format!("{{0}}.clone().{given}.ok().is_none_or(|new| {got})"),
            };
            writer.add(&name, Pass::Shared, &literals, &[condition]);
        } else {
            let refused = if wrap == Wrap::Result { ".is_err() ||" } else { ";" };
            let condition =
                format!("{{ {{0}}.{given}{refused} {{0}}.{}({key}) == {expected} }}", getter.name);
            writer.add(&name, Pass::Mutable, &literals, &[condition]);
        }
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

/// `checked_f`, `try_f`, `f_opt`, `saturating_f`, `wrapping_f` and `overflowing_f` agree with `f` where it
/// works.
fn siblings(writer: &mut Writer<'_>, methods: &[Method]) {
    for method in methods {
        let stem = method.name.strip_prefix("checked_").or_else(|| method.name.strip_prefix("try_"));
        let Some(stem) = stem.or_else(|| method.name.strip_suffix("_opt")) else { continue };
        let drawn = |kind: &Kind| standard::is_drawn(kind) || kind == writer.kind;
        if outcome::unwrapped(&method.output).0 == Wrap::Bare || !method.inputs.iter().all(drawn) {
            continue;
        }
        // The other arguments: literals, or the value itself.
        let literals: Vec<&Kind> = method.inputs.iter().filter(|kind| *kind != writer.kind).collect();
        let mut number = 0;
        let mut arguments = Vec::new();
        for kind in &method.inputs {
            arguments.push(if kind == writer.kind {
                "{0}.clone()".to_string()
            } else {
                number += 1;
                again(number, kind)
            });
        }
        let list = arguments.join(", ");
        let call = |name: &str| match method.has_receiver {
            true => format!("{{0}}.clone().{name}({list})"),
            false => format!("{}::{name}({list})", writer.kind.prefix()),
        };
        let wrapped = call(&method.name);
        let plain = find(methods, stem, method.inputs.len()).filter(|plain| plain.inputs == method.inputs);
        let operator = OPERATORS.iter().find(|(name, _)| *name == stem);
        let mut ways = Vec::new();
        if plain.is_some() {
            ways.push(call(stem));
        } else if let (Some((name, of)), true) = (operator, method.has_receiver) {
            let all: Vec<String> =
                std::iter::once("{0}.clone()".to_string()).chain(arguments.clone()).collect();
            ways.push(format!("std::ops::{of}::{name}({})", all.join(", ")));
        }
        let some = if method.output.is("std::option::Option") { "is_none_or" } else { "ok().is_none_or" };
        let agree = |way: &String| format!("{wrapped}.{some}(|new| new == {way})");
        if !ways.is_empty() {
            let conditions: Vec<String> = ways.iter().map(agree).collect();
            writer.add(&format!("{}_is_{stem}", method.name), Pass::Shared, &literals, &conditions);
        }
        for other in ["saturating", "wrapping"] {
            let name = format!("{other}_{stem}");
            if find(methods, &name, method.inputs.len()).is_some_and(|other| other.inputs == method.inputs) {
                let condition = agree(&call(&name));
                writer.add(&format!("{}_is_{name}", method.name), Pass::Shared, &literals, &[condition]);
            }
        }
        let name = format!("overflowing_{stem}");
        if find(methods, &name, method.inputs.len()).is_some() {
            let condition = format!("{wrapped}.{some}(|new| (new, false) == {})", call(&name));
            writer.add(&format!("{}_is_{name}", method.name), Pass::Shared, &literals, &[condition]);
        }
    }
}

/// What loses nothing by its name: others, such as `to_f64` and `as_secs`, may round.
const FAITHFUL: [&str; 16] = [
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
    "rfc",
    "iso",
    "scientific",
];

/// `from_x` gives back what `to_x` was called on.
fn round_trips(writer: &mut Writer<'_>, methods: &[Method]) {
    for to in methods.iter().filter(|method| method.has_receiver) {
        let stem = ["to_", "into_", "as_"].iter().find_map(|word| to.name.strip_prefix(word));
        let Some(stem) = stem.filter(|stem| FAITHFUL.iter().any(|word| stem.contains(word))) else {
            continue;
        };
        let Some(from) = find(methods, &format!("from_{stem}"), to.inputs.len() + 1) else { continue };
        let extra = to.inputs.iter().collect::<Vec<_>>();
        let is_same =
            from.inputs[1..].iter().eq(extra.iter().copied()) && to.inputs.iter().all(standard::is_scalar);
        if from.has_receiver || !is_same || stem.contains("lossy") {
            continue;
        }
        let rest: Vec<String> = (1..=extra.len()).map(|number| format!("{{{number}}}")).collect();
        let made = format!("{{0}}.clone().{}({})", to.name, rest.join(", "));
        let more = rest.iter().map(|argument| format!(", {argument}")).collect::<String>();
        let call = |argument: String| format!("{}::{}({argument}{more})", writer.kind.prefix(), from.name);
        let (before, after) = match outcome::unwrapped(&from.output).0 {
            Wrap::Bare => ("", " == {0}.clone()"),
            Wrap::Option => ("", " == Some({0}.clone())"),
            _ => ("", ".ok() == Some({0}.clone())"),
        };
        let forms = [made.clone(), format!("&{made}"), format!("&{made}[..]")];
        let conditions: Vec<String> =
            forms.into_iter().map(|form| format!("{before}{}{after}", call(form))).collect();
        writer.add(&format!("{}_of_{}", from.name, to.name), Pass::Shared, &extra, &conditions);
    }
}

/// `a += b` is `a = a + b`.
fn assignments(writer: &mut Writer<'_>, solver: &Solver<'_>) {
    for (name, of) in
        OPERATORS.iter().copied().chain([("bitand", "BitAnd"), ("bitor", "BitOr"), ("bitxor", "BitXor")])
    {
        for block in &solver.api.blocks {
            let mut given = Assignment::new();
            let is_assign = |bound: &&Bound| bound.standard() == Some(&format!("{of}Assign"));
            let Some(bound) = block.of.as_ref().filter(is_assign) else { continue };
            if !block.subject.unify(writer.kind, &mut given) {
                continue;
            }
            let argument =
                bound.argument().map_or(writer.kind.clone(), |kind| solver.normal(&kind.assigned(&given)));
            let (literals, right): (Vec<&Kind>, String) = match &argument {
                kind if kind == writer.kind => (Vec::new(), "{0}.clone()".to_string()),
                kind if standard::is_scalar(kind) => (vec![kind], "{1}".to_string()),
                _ => continue,
            };
            let condition = format!(
                "{{ let mut new = {{0}}.clone(); std::ops::{of}Assign::{name}_assign(&mut new, {right}); new == std::ops::{of}::{name}({{0}}.clone(), {right}) }}"
            );
            let law = format!("{name}_assign_is_{name}({})", argument.short());
            writer.add(&law, Pass::Shared, &literals, &[condition]);
        }
    }
}

/// What was cleared is empty, and like new.
fn emptied(writer: &mut Writer<'_>, methods: &[Method], has_default: bool) {
    for name in ["clear", "reset"] {
        // Some types are cleared by setting everything to nothing, and keep their length.
        if !called(methods, name, 0).is_some_and(|method| method.empties || name == "reset") {
            continue;
        }
        let cleared = format!("{{ let mut new = {{0}}.clone(); new.{name}(); ");
        if name == "clear" && called(methods, "is_empty", 0).is_some() {
            let condition = format!("{cleared}new.is_empty() }}");
            writer.add("clear_is_empty", Pass::Shared, &[], &[condition]);
        }
        let new = find(methods, "new", 0).filter(|new| !new.has_receiver && new.output == *writer.kind);
        let fresh = match (new, has_default) {
            (Some(_), _) => format!("{}::new()", writer.kind.prefix()),
            (None, true) => format!("{}::default()", writer.kind.prefix()),
            _ => continue,
        };
        let condition = format!("{cleared}new == {fresh} }}");
        writer.add(&format!("{name}_is_new"), Pass::Shared, &[], &[condition]);
    }
}

/// `extend` is a loop of `push` or `insert`.
fn extended(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
    let one = ["push", "push_back", "insert", "add"].iter().find_map(|name| called(methods, name, 1));
    let Some(one) = one.filter(|one| standard::is_drawn(&one.inputs[0])) else { return };
    let bound = Bound { arguments: vec![one.inputs[0].clone()], ..Bound::named("std::iter::Extend") };
    if solver.holds(writer.kind, &bound) == Some(false) {
        return;
    }
    let list = Kind::generic("std::vec::Vec", [one.inputs[0].clone()]);
    let name = &one.name;
    let condition = format!(
        "{{ let (mut at_once, mut by_one) = ({{0}}.clone(), {{0}}.clone()); at_once.extend({{1}}.clone()); for x in {{1}}.clone() {{ by_one.{name}(x); }} at_once == by_one }}"
    );
    writer.add(&format!("extend_is_{name}"), Pass::Shared, &[&list], &[condition]);
}

/// Functions that undo each other, by the words that their names begin with.
const INVERSES: [(&str, &str); 9] = [
    ("encode", "decode"),
    ("escape", "unescape"),
    ("serialize", "deserialize"),
    ("compress", "decompress"),
    ("pack", "unpack"),
    ("quote", "unquote"),
    ("format", "parse"),
    ("to_", "from_"),
    ("marshal", "unmarshal"),
];

/// Laws of pairs of free functions: one undoes the other.
pub(crate) fn of_functions(solver: &Solver<'_>) -> Vec<Candidate> {
    let mut laws = Vec::new();
    for (path, there) in &solver.api.functions {
        let Some((module, name)) = path.rsplit_once("::") else { continue };
        let inverse = INVERSES.iter().find_map(|(word, other)| Some((other, name.strip_prefix(word)?)));
        let Some((other, rest)) = inverse else { continue };
        let back = format!("{module}::{other}{rest}");
        let usable = |function: &Function| function.is_callable() && !function.facts.deprecated;
        let is_back = |(path, function): &&(String, Function)| {
            *path == back && function.inputs.len() == 1 && usable(function)
        };
        if there.inputs.len() != 1
            || !usable(there)
            || !solver.api.functions.iter().any(|known| is_back(&known))
        {
            continue;
        }
        let mut variants = Vec::new();
        for kind in literals_for(&there.inputs[0].1) {
            let leaf = Leaf { name: "value".to_string(), kind: kind.clone(), pass: Pass::Value };
            for form in ["{0}", "&{0}", "{0}.clone()", "&{0}[..]"] {
                let made = format!("{path}({form})");
                let made =
                    if there.output.is("std::result::Result") { format!("{made}.unwrap()") } else { made };
                for argument in [made.clone(), format!("&{made}"), format!("&{made}[..]")] {
                    for end in [
                        " == {0}",
                        ".ok() == Some({0})",
                        " == Some({0})",
                        ".as_deref().ok() == Some(&{0}[..])",
                    ] {
                        variants.push(variant(&format!("{back}({argument}){end}"), vec![leaf.clone()]));
                    }
                }
            }
        }
        let own = path.strip_prefix(&format!("{}::", solver.api.name)).unwrap_or(path);
        laws.push(law(format!("law {other}{rest}_undoes of {own}"), variants));
    }
    laws
}

/// The literals that may fit a parameter, behind references or not.
fn literals_for(kind: &Kind) -> Vec<Kind> {
    let text = Kind::named("std::string::String");
    let bytes = Kind::generic("std::vec::Vec", [Kind::named("u8")]);
    match kind {
        Kind::Reference { to, .. } => literals_for(to),
        Kind::Slice(of) if standard::is_drawn(of) => vec![Kind::generic("std::vec::Vec", [(**of).clone()])],
        kind if kind.is("str") => vec![text],
        Kind::Parameter(_) | Kind::Opaque(_) => vec![text, bytes],
        kind if standard::is_drawn(kind) => vec![kind.clone()],
        _ => Vec::new(),
    }
}
