//! Inverses: functions that undo each other by their names.

use super::super::candidate::Candidate;
use super::super::outcome::{self, Wrap};
use super::super::solver::Solver;
use super::super::standard;
use super::conversion::there_and_back;
use super::draft::{Draft, Writer, if_any};
use super::{Method, behind, bytes, is_compared, own, owned, usable};
use crate::api::{Function, Kind};

/// Functions that undo each other, by the words that their names begin or end with.
const INVERSES: [(&str, &str); 20] = [
    ("encode", "decode"),
    ("escape", "unescape"),
    ("serialize", "deserialize"),
    ("compress", "decompress"),
    ("pack", "unpack"),
    ("quote", "unquote"),
    ("format", "parse"),
    ("to_", "from_"),
    ("marshal", "unmarshal"),
    ("stringify", "parse"),
    ("serialize", "parse"),
    ("print", "parse"),
    ("dump", "load"),
    ("emit", "parse"),
    ("encrypt", "decrypt"),
    ("deflate", "inflate"),
    ("mangle", "demangle"),
    ("join", "split"),
    ("write", "read"),
    ("put", "get"),
];

/// The names of functions that undo one.
pub(super) fn inverses(name: &str) -> impl Iterator<Item = String> {
    let bare = name.strip_prefix("try_").unwrap_or(name);
    INVERSES.iter().filter_map(move |(word, other)| {
        let begun = bare.strip_prefix(word).map(|rest| format!("{other}{rest}"));
        begun.or_else(|| bare.strip_suffix(&format!("_{word}")).map(|rest| format!("{rest}_{other}")))
    })
}

/// Laws of functions of a type: one undoes the other.
pub(super) fn laws(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
    let kind = writer.kind;
    if !is_compared(solver, kind) {
        return;
    }
    for there in methods.iter().filter(|method| method.has_receiver() && !method.name.starts_with("to_")) {
        let given = there.inputs.len() + 1;
        let Some(back) = inverses(&there.name).find_map(|name| owned(methods, &name, given)) else {
            continue;
        };
        let inner = outcome::unwrapped(&back.output).1;
        let is_made = inner == kind || matches!(inner, Kind::Tuple(parts) if parts.first() == Some(kind));
        let is_same = back.inputs[1..] == there.inputs[..] && there.inputs.iter().all(standard::is_scalar);
        if is_made && is_same && !there.facts.adjusts && !back.facts.adjusts {
            writer.add(there_and_back(kind, there, back, false));
        }
    }
}

/// Laws of pairs of free functions: one undoes the other.
pub(super) fn of_functions(solver: &Solver<'_>) -> Vec<Candidate> {
    let mut laws = Vec::new();
    for (path, there) in usable(solver) {
        let Some((module, name)) = path.rsplit_once("::") else { continue };
        let undoing = inverses(name).map(|other| format!("{module}::{other}"));
        let backs = undoing.filter_map(|path| usable(solver).find(|(known, _)| *known == path));
        let pairs = backs.filter_map(|(back_path, back)| Pair::of(solver, there, back, (path, back_path)));
        laws.extend(pairs.flat_map(|pair| pair.laws()));
    }
    laws
}

/// Two free functions of which one undoes the other.
struct Pair<'a> {
    there: &'a Function,
    back: &'a Function,
    paths: (&'a str, &'a str),
    /// The other values that both are given.
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

    /// The laws, one for each type that the value may have.
    fn laws(&self) -> Vec<Candidate> {
        let (name, other) = (&self.there.name, &self.back.name);
        let law = |kind: &Kind| {
            let reason = format!("`{other}` should give back what `{name}` was given");
            let law = Draft::new(format!("{other}_undoes"), reason, self.conditions(kind));
            let law = if standard::is_drawn(kind) { law.drawn() } else { law };
            law.given(self.extra.iter().map(behind)).written(kind, own(self.solver, self.paths.0))
        };
        self.values().iter().map(law).collect()
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

    /// Writes how something beside the value is given.
    fn given(&self, number: usize, kind: &Kind) -> String {
        match kind {
            Kind::Reference { .. } => format!(", {{&{number}}}"),
            _ => format!(", {}", super::draft::again(number, kind)),
        }
    }
}

/// Returns the ways in which a value is given to a parameter: `0` is the value of the law, `new` the value that was
/// made of it.
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
    let list = |of: Kind| Kind::generic("std::vec::Vec", [of]);
    match kind {
        Kind::Reference { to, .. } => literals_for(to),
        Kind::Slice(of) if standard::is_drawn(of) => vec![list((**of).clone())],
        kind if kind.is("str") => vec![text],
        Kind::Parameter(_) | Kind::Opaque(_) => vec![text.clone(), bytes(), list(text)],
        kind if standard::is_drawn(kind) && !holds_floats(kind) => vec![kind.clone()],
        _ => Vec::new(),
    }
}

/// Returns true if values of a type hold a fraction, which may be rounded.
fn holds_floats(kind: &Kind) -> bool {
    kind.any(&mut standard::is_float)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_undone_by_the_one_whose_name_says_so() {
        let undone = |name: &str| inverses(name).next().unwrap_or_default();
        assert_eq!(undone("encode_fast"), "decode_fast");
        assert_eq!(undone("fast_encode"), "fast_decode");
        assert_eq!(undone("to_bytes"), "from_bytes");
        assert_eq!(undone("try_join"), "split");
        assert!(inverses("serialize").any(|name| name == "parse"));
        assert_eq!(inverses("decode").count(), 0);
    }

    #[test]
    fn fractions_may_be_rounded_on_their_way() {
        assert!(literals_for(&Kind::Tuple(vec![Kind::named("f64"), Kind::named("u8")])).is_empty());
        assert_eq!(literals_for(&Kind::shared(Kind::named("str"))), [Kind::named("std::string::String")]);
    }
}
