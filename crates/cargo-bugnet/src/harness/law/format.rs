//! Formats: what a crate writes of a value of any type, it reads as the same value.
//!
//! Crates such as those of serde's formats have functions like `to_string<T: Serialize>(&T)` and
//! `from_str<T: Deserialize>(&str)`. Which of them belong together is not told by their names.
//!
//! **Invariant:** a law means nothing, and is never broken, unless a plain value of the same type comes back.

use super::super::candidate::Candidate;
use super::super::outcome::{self, Wrap};
use super::super::solver::Solver;
use super::super::standard;
use super::draft::{Draft, if_any};
use super::{behind, bytes, own, usable};
use crate::api::{Bound, Function, Generics, Kind, Lifetimes};

/// The most pairs of functions of a crate that are asked.
const PAIRS: usize = 12;

/// The laws of all functions that write and read values of any type.
pub(super) fn laws(solver: &Solver<'_>) -> Vec<Candidate> {
    let writers: Vec<Writer<'_>> =
        usable(solver).filter_map(|(path, writer)| Writer::of(path, writer)).collect();
    let readers: Vec<Reader<'_>> =
        usable(solver).filter_map(|(path, reader)| Reader::of(path, reader)).collect();
    let pairs = writers.iter().flat_map(|writer| readers.iter().map(move |reader| (writer, reader)));
    let fitting = pairs.filter(|(writer, reader)| !reader.sources(&writer.made).is_empty());
    let mut laws = Vec::new();
    for (writer, reader) in fitting.take(PAIRS) {
        for (shape, plain) in shapes() {
            let of = format!("{}::<{}>", own(solver, writer.path), shape.short());
            let drafts = reader.sources(&writer.made).into_iter();
            let drafts = drafts.map(|source| law(writer, reader, source, &shape, plain));
            laws.extend(drafts.map(|draft| draft.written(&shape, &of)));
        }
    }
    laws
}

/// The types that are written and read, each with plain values: texts, numbers, lists, maps, and what serde takes
/// for structs (`Range`) and for enums (`Result`). One value may come back by chance.
fn shapes() -> [(Kind, [&'static str; 2]); 14] {
    let text = || Kind::named("std::string::String");
    let list = |of: Kind| Kind::generic("std::vec::Vec", [of]);
    let option = |of: Kind| Kind::generic("std::option::Option", [of]);
    let map = |to: Kind| Kind::generic("std::collections::BTreeMap", [text(), to]);
    let number = || Kind::named("i32");
    [
        (text(), [r#""a".to_string()"#, r#""word".to_string()"#]),
        (Kind::named("i64"), ["1", "-300"]),
        (Kind::named("u64"), ["1", "300"]),
        (Kind::named("f64"), ["0.5", "-300.0"]),
        (Kind::named("char"), ["'a'", "'Z'"]),
        (option(number()), ["None", "Some(-300)"]),
        (list(Kind::named("u8")), ["vec![1]", "vec![0, 200, 3]"]),
        (list(text()), [r#"vec!["a".to_string()]"#, r#"vec!["a".to_string(), "word".to_string()]"#]),
        (
            list(option(text())),
            [r#"vec![Some("a".to_string()), None]"#, r#"vec![None, Some("word".to_string())]"#],
        ),
        (Kind::Tuple(vec![text(), number()]), [r#"("a".to_string(), 1)"#, r#"("word".to_string(), -300)"#]),
        (Kind::generic("std::ops::Range", [number()]), ["1..2", "-300..7"]),
        (Kind::generic("std::result::Result", [number(), text()]), ["Ok(1)", r#"Err("word".to_string())"#]),
        (
            map(text()),
            [
                r#"[("a".to_string(), "b".to_string())].into()"#,
                r#"[("word".to_string(), "a".to_string())].into()"#,
            ],
        ),
        (
            map(list(number())),
            [r#"[("a".to_string(), vec![1])].into()"#, r#"[("word".to_string(), vec![-300, 7])].into()"#],
        ),
    ]
}

/// The law that a value of a type comes back.
fn law(writer: &Writer<'_>, reader: &Reader<'_>, source: &str, shape: &Kind, plain: [&str; 2]) -> Draft {
    let kind = shape.text(Lifetimes::Inferred);
    let reason = format!(
        "`{}` should read what `{}` has written as the same value",
        reader.function.name, writer.function.name
    );
    let with = |value: &str, refused: Refused| {
        format!("{{ let one: {kind} = {value}; {} }}", comes_back(writer, reader, source, refused))
    };
    let means_nothing = plain.map(|plain| format!("!{}", with(plain, Refused::Fails))).join(" || ");
    let draft =
        Draft::new(format!("{}_undoes", reader.function.name), reason, [with("{0}", Refused::Passes)])
            .drawn();
    match standard::is_float(shape) {
        // There may be no form for what is no number, and decimals may be rounded.
        true => draft.of_manners().unless(format!("!{{0}}.is_finite() || {means_nothing}")),
        false => draft.unless(means_nothing),
    }
}

/// The law for a value that cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refused {
    /// It is no concern of the law.
    Passes,
    /// It does not come back.
    Fails,
}

/// The condition that `one` comes back.
fn comes_back(writer: &Writer<'_>, reader: &Reader<'_>, source: &str, refused: Refused) -> String {
    let (written, read) = (writer.call(), reader.gives_one(source));
    let wrap = outcome::unwrapped(&writer.function.output).0;
    match (writer.out, wrap, refused) {
        (None, Wrap::Bare, _) | (None, _, Refused::Passes) => if_any(wrap, &written, &read),
        (None, Wrap::Option, Refused::Fails) => format!("{written}.is_some_and(|new| {read})"),
        (None, _, Refused::Fails) => format!("{written}.is_ok_and(|new| {read})"),
        (Some(_), Wrap::Bare, _) => format!("let mut new = Vec::<u8>::new(); {written}; {read}"),
        (Some(_), _, Refused::Passes) => {
            format!("let mut new = Vec::<u8>::new(); {written}.is_err() || {read}")
        }
        (Some(_), _, Refused::Fails) => {
            format!("let mut new = Vec::<u8>::new(); {written}.is_ok() && {read}")
        }
    }
}

/// A function that writes values of any type.
struct Writer<'a> {
    path: &'a str,
    function: &'a Function,
    /// The type that it makes of a value.
    made: Kind,
    /// The place of the input that it writes to, if it does not return its result.
    out: Option<usize>,
}

impl<'a> Writer<'a> {
    fn of(path: &'a str, function: &'a Function) -> Option<Writer<'a>> {
        let is_value = |(_, kind): &&(String, Kind)| is_any(kind, &function.generics);
        let is_out = |(_, kind): &(String, Kind)| {
            bounds(kind, &function.generics).any(|bound| bound.path == "std::io::Write")
        };
        if function.inputs.iter().filter(is_value).count() != 1 {
            return None;
        }
        let out = function.inputs.iter().position(is_out);
        let made = match (&function.inputs[..], out) {
            ([_], None) => outcome::unwrapped(&function.output).1.clone(),
            ([_, _], Some(_)) => bytes(),
            _ => return None,
        };
        let is_kept = made.is_concrete() && !made.borrows() && made != Kind::unit();
        is_kept.then_some(Writer { path, function, made, out })
    }

    /// The call that writes `one`.
    fn call(&self) -> String {
        let argument = |place: usize| match &self.function.inputs[place].1 {
            _ if Some(place) == self.out => "&mut new",
            Kind::Reference { .. } => "&one",
            _ => "one.clone()",
        };
        let list: Vec<&str> = (0..self.function.inputs.len()).map(argument).collect();
        format!("{}({})", self.path, list.join(", "))
    }
}

/// A function that reads values of any type.
struct Reader<'a> {
    path: &'a str,
    function: &'a Function,
    from: &'a Kind,
}

impl<'a> Reader<'a> {
    fn of(path: &'a str, function: &'a Function) -> Option<Reader<'a>> {
        let [(_, from)] = &function.inputs[..] else { return None };
        let (_, made) = outcome::unwrapped(&function.output);
        is_any(made, &function.generics).then_some(Reader { path, function, from })
    }

    /// The condition that `one` is read.
    fn gives_one(&self, source: &str) -> String {
        let read = format!("{}({source})", self.path);
        match outcome::unwrapped(&self.function.output).0 {
            Wrap::Bare => format!("{read} == one"),
            Wrap::Option => format!("{read} == Some(one)"),
            _ => format!("{read}.ok() == Some(one)"),
        }
    }

    /// Ways to give it what was made of a value, which is `new`.
    fn sources(&self, made: &Kind) -> Vec<&'static str> {
        let (is_text, is_bytes) = (made.is("std::string::String"), *made == bytes());
        let is_lent = matches!(self.from, Kind::Reference { .. });
        match behind(self.from) {
            from if from.is("str") && is_text => vec!["&new[..]"],
            Kind::Slice(of) if of.is("u8") && is_bytes => vec!["&new[..]"],
            Kind::Slice(of) if of.is("u8") && is_text => vec!["new.as_bytes()"],
            Kind::Parameter(_) | Kind::Opaque(_) if is_bytes => vec!["&new[..]", "new"],
            Kind::Parameter(_) | Kind::Opaque(_) if is_text => vec!["&new[..]", "new.as_bytes()"],
            from if from == made && is_lent => vec!["&new"],
            from if from == made => vec!["new"],
            _ => Vec::new(),
        }
    }
}

/// Returns the bounds on a parameter, or on the type that it points to.
fn bounds<'a>(kind: &'a Kind, generics: &'a Generics) -> impl Iterator<Item = &'a Bound> {
    let (own, named) = match behind(kind) {
        Kind::Opaque(bounds) => (&bounds[..], None),
        Kind::Parameter(name) => (&[][..], Some(name)),
        _ => (&[][..], None),
    };
    own.iter().chain(named.into_iter().flat_map(|name| generics.of(name)))
}

/// Returns true if a type is a parameter for whatever can be written or read: its bounds are not from the standard
/// library.
fn is_any(kind: &Kind, generics: &Generics) -> bool {
    bounds(kind, generics).any(|bound| bound.standard().is_none())
}
