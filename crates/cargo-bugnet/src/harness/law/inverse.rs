//! Inverses: functions that undo each other by their names.

use super::super::candidate::Candidate;
use super::super::outcome::{self, Wrap};
use super::super::solver::Solver;
use super::super::standard;
use super::conversion::there_and_back;
use super::draft::{Draft, Writer, if_any};
use super::{Method, Receiver, behind, called, is_compared, is_usable, owned};
use crate::api::{Function, Kind};

/// Functions that undo each other, by the words that their names begin or end with.
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

/// Functions that write to something, and those that read it.
const STREAMS: [(&str, &str); 8] = [
    ("serialize_into", "deserialize_from"),
    ("write_to", "read_from"),
    ("encode_to", "decode_from"),
    ("encode_into", "decode_from"),
    ("serialize", "deserialize"),
    ("encode", "decode"),
    ("write", "read"),
    ("save", "load"),
];

/// The name of the function that undoes one.
fn inverse(name: &str) -> Option<String> {
    INVERSES.iter().find_map(|(word, other)| {
        let begun = name.strip_prefix(word).map(|rest| format!("{other}{rest}"));
        begun.or_else(|| name.strip_suffix(&format!("_{word}")).map(|rest| format!("{rest}_{other}")))
    })
}

/// Laws of functions of a type: one undoes the other.
pub(super) fn laws(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
    let kind = writer.kind;
    if !is_compared(solver, kind) {
        return;
    }
    for there in methods.iter().filter(|method| method.has_receiver() && !method.name.starts_with("to_")) {
        let Some(back) = inverse(&there.name).and_then(|name| owned(methods, &name, there.inputs.len() + 1))
        else {
            continue;
        };
        let inner = outcome::unwrapped(&back.output).1;
        let is_made = inner == kind || matches!(inner, Kind::Tuple(parts) if parts.first() == Some(kind));
        let is_same = back.inputs[1..] == there.inputs[..] && there.inputs.iter().all(standard::is_scalar);
        if is_made && is_same && !there.facts.adjusts && !back.facts.adjusts {
            writer.add(there_and_back(kind, there, back, false));
        }
    }
    for (write, read) in STREAMS {
        let (Some(there), Some(back)) = (called(methods, write, 1), owned(methods, read, 1)) else {
            continue;
        };
        if outcome::unwrapped(&back.output).1 == kind && there.receiver != Receiver::Value {
            writer.add(streamed(kind, there, back));
        }
    }
}

/// What was written to a list of bytes is read from it.
fn streamed(kind: &Kind, write: &Method, read: &Method) -> Draft {
    let put = write.unless_refused(&format!("{{0}}.{}(&mut bytes)", write.name));
    let after = match outcome::unwrapped(&read.output).0 {
        Wrap::Bare => " == {0}.clone()",
        Wrap::Option => " == Some({0}.clone())",
        _ => ".ok() == Some({0}.clone())",
    };
    let conditions = ["&bytes[..]", "&mut &bytes[..]"].map(|from| {
        let back = format!("{}::{}({from}){after}", kind.prefix(), read.name);
        format!("{{ let mut bytes = Vec::<u8>::new(); {put} {back} }}")
    });
    let reason = format!("`{}` should read what `{}` has written", read.name, write.name);
    Draft::new(format!("{}_of_{}", read.name, write.name), reason, conditions)
}

/// Laws of pairs of free functions: one undoes the other.
pub(super) fn of_functions(solver: &Solver<'_>) -> Vec<Candidate> {
    let mut laws = Vec::new();
    for (path, there) in solver.api.functions.iter().filter(|(_, function)| is_usable(function)) {
        let Some((module, name)) = path.rsplit_once("::") else { continue };
        let Some(other) = inverse(name) else { continue };
        let back_path = format!("{module}::{other}");
        let is_back = |(known, function): &&(String, Function)| *known == back_path && is_usable(function);
        let Some((_, back)) = solver.api.functions.iter().find(is_back) else { continue };
        let own = path.strip_prefix(&format!("{}::", solver.api.name)).unwrap_or(path);
        let Some(pair) = Pair::of(solver, there, back, (path, &back_path)) else { continue };
        for kind in pair.values() {
            let reason = format!("`{other}` should give back what `{name}` was given");
            let law = Draft::new(format!("{other}_undoes"), reason, pair.conditions(&kind));
            let law = if standard::is_drawn(&kind) { law.drawn() } else { law };
            laws.push(law.given(pair.extra.iter().map(behind)).written(&kind, own));
        }
    }
    laws
}

/// Two free functions of which one undoes the other.
struct Pair<'a> {
    there: &'a Function,
    back: &'a Function,
    paths: (&'a str, &'a str),
    /// What both are given beside the value.
    extra: Vec<Kind>,
    solver: &'a Solver<'a>,
}

impl<'a> Pair<'a> {
    fn of(
        solver: &'a Solver<'a>,
        there: &'a Function,
        back: &'a Function,
        paths: (&'a str, &'a str),
    ) -> Option<Pair<'a>> {
        let extra = |function: &Function| -> Option<Vec<Kind>> {
            Some(function.inputs.split_first()?.1.iter().map(|(_, kind)| kind.clone()).collect())
        };
        let (given, given_back) = (extra(there)?, extra(back)?);
        let is_local = |kind: &Kind| behind(kind).path().is_some_and(|path| solver.api.is_local(path));
        let is_known = |kind: &Kind| standard::is_scalar(kind) || is_local(kind);
        let is_exact = !there.facts.adjusts && !back.facts.adjusts;
        let is_pair = given == given_back && given.len() <= 3 && given.iter().all(is_known) && is_exact;
        is_pair.then_some(Pair { there, back, paths, extra: given, solver })
    }

    /// The types that the value may have.
    fn values(&self) -> Vec<Kind> {
        let kind = &self.there.inputs[0].1;
        let own = behind(kind);
        match own.path() {
            Some(path) if self.solver.api.is_local(path) && is_compared(self.solver, own) => {
                vec![own.clone()]
            }
            _ => literals_for(kind),
        }
    }

    /// Ways to say that the value comes back.
    fn conditions(&self, kind: &Kind) -> Vec<String> {
        let extra: String =
            self.extra.iter().enumerate().map(|(place, kind)| self.given(place + 1, kind)).collect();
        let (wrap, _) = outcome::unwrapped(&self.there.output);
        let (back_wrap, back_inner) = outcome::unwrapped(&self.back.output);
        let part = if matches!(back_inner, Kind::Tuple(_)) { "back.0" } else { "back" };
        let mut ends = vec![format!("{part} == {}", super::draft::again(0, kind))];
        if !standard::is_scalar(kind) && standard::is_drawn(kind) {
            ends.push(format!("{part}[..] == {{0}}[..]"));
            ends.push(format!("{part}[..] == *{{0}}.as_bytes()"));
        }
        let mut conditions = Vec::new();
        for value in forms(&self.there.inputs[0].1, kind, "0") {
            for made in forms(&self.back.inputs[0].1, &Kind::unit(), "new") {
                for end in &ends {
                    let call = format!("{}({made}{extra})", self.paths.1);
                    let says = match back_wrap {
                        Wrap::Bare => format!("{{ let back = {call}; {end} }}"),
                        Wrap::Option => format!("{call}.is_some_and(|back| {end})"),
                        _ => format!("{call}.is_ok_and(|back| {end})"),
                    };
                    conditions.push(if_any(wrap, &format!("{}({value}{extra})", self.paths.0), &says));
                }
            }
        }
        conditions
    }

    /// How something beside the value is given.
    fn given(&self, number: usize, kind: &Kind) -> String {
        match kind {
            Kind::Reference { .. } => format!(", {{&{number}}}"),
            _ => format!(", {}", super::draft::again(number, kind)),
        }
    }
}

/// How a value is given to a parameter: `0` is the value of the law, `new` what was made of it.
fn forms(parameter: &Kind, kind: &Kind, value: &str) -> Vec<String> {
    let (plain, lent) = match value {
        "0" => (super::draft::again(0, kind), "{&0}".to_string()),
        _ => (value.to_string(), format!("&{value}")),
    };
    let whole = if value == "0" { "&{0}[..]".to_string() } else { format!("&{value}[..]") };
    match parameter {
        Kind::Reference { to, .. } if matches!(**to, Kind::Slice(_)) || to.is("str") => vec![whole],
        Kind::Reference { .. } => vec![lent],
        Kind::Parameter(_) | Kind::Opaque(_) => vec![lent, whole, plain],
        _ => vec![plain],
    }
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
        kind if standard::is_drawn(kind) && !holds_floats(kind) => vec![kind.clone()],
        _ => Vec::new(),
    }
}

/// Whether a fraction, which may be rounded, is in values of a type.
fn holds_floats(kind: &Kind) -> bool {
    kind.any(&mut standard::is_float)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_undone_by_the_one_whose_name_says_so() {
        let undone = |name: &str| inverse(name).unwrap_or_default();
        assert_eq!(undone("encode_fast"), "decode_fast");
        assert_eq!(undone("fast_encode"), "fast_decode");
        assert_eq!(undone("to_bytes"), "from_bytes");
        assert_eq!(inverse("decode"), None);
    }

    #[test]
    fn fractions_may_be_rounded_on_their_way() {
        assert!(literals_for(&Kind::Tuple(vec![Kind::named("f64"), Kind::named("u8")])).is_empty());
        assert_eq!(literals_for(&Kind::shared(Kind::named("str"))), [Kind::named("std::string::String")]);
    }
}
