//! Replies: what a function of a stand-in answers, as Rust.
//!
//! **Invariant:** an answer is finite and sane, follows from the value and what it is given, and asking a `&mut`
//! again and again comes to an end where there can be one.

use super::{stand_in, standard};
use crate::api::{Api, Assignment, Bound, Function, Generics, Kind};

/// The deepest nesting of values that are put together.
const DEEPEST: usize = 4;
/// The value of an answer where there is no other.
const ONE: &str = "1u8";

/// The way in which a function is given the value that it is called on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Receiver {
    None,
    Owned,
    Shared,
    Mutable,
}

/// Two values that a function is asked to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Pair {
    /// The numbers of both.
    Known(String, String),
    /// Nothing is known of them, so they are all the same.
    Unknown,
}

/// Writes what a function answers; its types are those of the implementation, and `Self`.
#[derive(Debug)]
pub(super) struct Reply<'a> {
    api: &'a Api,
    function: &'a Function,
    /// The bounds on parameters.
    generics: &'a Generics,
    receiver: Receiver,
}

impl<'a> Reply<'a> {
    pub(super) fn of(api: &'a Api, function: &'a Function, generics: &'a Generics) -> Reply<'a> {
        let receiver = match function.inputs.first() {
            Some((name, kind)) if name == "self" => match kind {
                Kind::Reference { mutable: true, .. } => Receiver::Mutable,
                Kind::Reference { .. } => Receiver::Shared,
                _ => Receiver::Owned,
            },
            _ => Receiver::None,
        };
        Reply { api, function, generics, receiver }
    }

    /// The body of the function, a statement per line; `None` if it cannot be written.
    pub(super) fn body(&self) -> Option<Vec<String>> {
        let output = &self.function.output;
        if *output == Kind::unit() {
            return Some(Vec::new());
        }
        let value = self.value(output, &self.plain(), DEEPEST)?;
        let is_changed =
            self.receiver == Receiver::Mutable && self.pair().is_none() && self.moved().is_none();
        let change = self.change(output).filter(|_| is_changed);
        Some(change.map(str::to_string).into_iter().chain([value]).collect())
    }

    /// Writes the change that asking makes: a number differs from the last, and whatever may be at its end comes to
    /// it.
    fn change(&self, output: &Kind) -> Option<&'static str> {
        let ends = output.any(&mut |part| part.is("bool") || part.is("std::option::Option"));
        let is_number = output.any(&mut |part| standard::is_number(part));
        let refers = matches!(output, Kind::Reference { .. });
        match (ends, is_number) {
            _ if refers => None,
            (true, _) => Some("self.0 = self.0.saturating_sub(1);"),
            (_, true) => Some("self.0 = self.0.wrapping_mul(5).wrapping_add(3);"),
            _ => None,
        }
    }

    /// Parameters beside the receiver.
    fn given(&self) -> impl Iterator<Item = &(String, Kind)> {
        self.function.inputs.iter().filter(|(name, _)| name != "self" && name != "_")
    }

    /// The parameter that is another value of the type.
    fn other(&self) -> Option<&str> {
        self.given().find(|(_, kind)| is_itself(owned(kind))).map(|(name, _)| name.as_str())
    }

    /// The parameter that is a number, such as an index.
    fn index(&self) -> Option<&str> {
        self.given().find(|(_, kind)| standard::is_integer(kind)).map(|(name, _)| name.as_str())
    }

    /// The `u8` that the answer is made of.
    fn plain(&self) -> String {
        if self.receiver != Receiver::None {
            return "self.0".to_string();
        }
        let told = self.given().find_map(|(name, kind)| match owned(kind) {
            kind if is_itself(kind) => Some(format!("{name}.0")),
            _ if owned(kind) != kind => None,
            kind if kind.is("u8") => Some(name.clone()),
            kind if standard::is_integer(kind) => Some(format!("({name} as u8)")),
            // There and back again is the same: a number in a type of the crate is that number.
            kind if self.is_number(kind) => Some(format!("({name}.0 as u8)")),
            _ => None,
        });
        told.unwrap_or(ONE.to_string())
    }

    /// Returns true if a type of the crate is a number with a name, as a stand-in is.
    fn is_number(&self, kind: &Kind) -> bool {
        let definition = kind.path().and_then(|path| self.api.definitions.get(path));
        definition.is_some_and(|definition| match &definition.constructors[..] {
            [one] if one.variant.is_none() => {
                matches!(&one.fields[..], [(None, field)] if standard::is_integer(field))
            }
            _ => false,
        })
    }

    /// A value of a type, made of a `u8`.
    fn value(&self, kind: &Kind, plain: &str, depth: usize) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        if is_itself(kind) {
            return Some(self.itself());
        }
        if standard::is_number(kind) {
            return Some(self.number(kind, plain));
        }
        let is_same = |(_, given): &&(String, Kind)| given == kind;
        let is_lent = matches!(kind, Kind::Reference { .. });
        if let Some((name, _)) = self.given().find(is_same).filter(|_| !is_lent) {
            return Some(name.clone());
        }
        match kind {
            Kind::Tuple(parts) => {
                let parts: Option<Vec<String>> =
                    parts.iter().map(|part| self.value(part, plain, depth)).collect();
                let parts = parts?;
                Some(format!("({}{})", parts.join(", "), if parts.len() == 1 { "," } else { "" }))
            }
            Kind::Array { of, .. } => {
                Some(format!("std::array::from_fn(|_| {})", self.value(of, plain, depth)?))
            }
            Kind::Reference { mutable, to, .. } => self.reference(*mutable, to),
            Kind::Opaque(bounds) => {
                let iterated = bounds.iter().find(|bound| bound.name().ends_with("Iterator"))?;
                let item = self.value(iterated.binding("Item")?, "n", depth)?;
                Some(format!("(0..{plain}).map(move |n| {item})"))
            }
            Kind::Parameter(name) => {
                let has_default = self.generics.of(name).any(|bound| bound.standard() == Some("Default"));
                has_default.then(|| format!("{name}::default()"))
            }
            Kind::Named { path, .. } if stand_in::is_one(path) => Some(format!("{path}({plain})")),
            Kind::Named { path, .. } if self.api.is_local(path) => self.local(kind, path, plain, depth),
            Kind::Named { path, .. } => self.standard(kind, path, plain, depth),
            _ => None,
        }
    }

    fn itself(&self) -> String {
        match (self.receiver, self.plain()) {
            (Receiver::Owned, _) => "self".to_string(),
            (Receiver::Shared | Receiver::Mutable, _) => "*self".to_string(),
            (_, plain) if plain == ONE => "Self(1)".to_string(),
            (_, plain) => format!("Self({})", plain.trim_start_matches('(').trim_end_matches(')')),
        }
    }

    /// Writes the distance of two values, or the size of one.
    fn number(&self, kind: &Kind, plain: &str) -> String {
        if let Some(count) = self.moved().filter(|_| kind.is("usize")) {
            return count;
        }
        let name = kind.path().unwrap_or_default();
        let is_float = standard::is_float(kind);
        let plain = match self.pair().filter(|_| plain == self.plain()) {
            Some(Pair::Known(one, other)) => format!("{one}.abs_diff({other})"),
            Some(Pair::Unknown) => return if is_float { "0.0" } else { "0" }.to_string(),
            None => plain.to_string(),
        };
        match name {
            "u8" if plain == ONE => "1".to_string(),
            "u8" => plain,
            "i8" => format!("({plain} / 2) as i8"),
            _ if plain == ONE => if is_float { "1.0" } else { "1" }.to_string(),
            _ => format!("{name}::from({plain})"),
        }
    }

    /// Writes the part of a list that was read or written: nothing is read, and everything is written.
    fn moved(&self) -> Option<String> {
        let list = |is_mutable: bool| {
            let is_it = move |kind: &Kind| {
                matches!(kind, Kind::Reference { mutable, to, .. }
                    if *mutable == is_mutable && matches!(**to, Kind::Slice(_)))
            };
            self.given().find(move |(_, kind)| is_it(kind)).map(|(name, _)| name)
        };
        match (list(true), list(false).filter(|_| self.receiver == Receiver::Mutable)) {
            (Some(_), _) => Some("0".to_string()),
            (None, Some(name)) => Some(format!("{name}.len()")),
            _ => None,
        }
    }

    /// Two values that are compared.
    fn pair(&self) -> Option<Pair> {
        if let Some(other) = self.other().filter(|_| self.receiver != Receiver::None) {
            return Some(Pair::Known("self.0".to_string(), format!("{other}.0")));
        }
        let given: Vec<(&str, &Kind)> =
            self.given().map(|(name, kind)| (name.as_str(), owned(kind))).collect();
        let is_told = |kind: &Kind| !standard::is_scalar(kind) && !matches!(kind, Kind::Slice(_));
        let of = |kind: &Kind| -> Vec<&str> {
            given.iter().filter(|(_, other)| *other == kind).map(|(name, _)| *name).collect()
        };
        let (_, kind) = given.iter().find(|(_, kind)| is_told(kind) && of(kind).len() == 2)?;
        let names = of(kind);
        Some(match kind.path().is_some_and(stand_in::is_one) || is_itself(kind) {
            true => Pair::Known(format!("{}.0", names[0]), format!("{}.0", names[1])),
            false => Pair::Unknown,
        })
    }

    fn reference(&self, mutable: bool, to: &Kind) -> Option<String> {
        let can_change = self.receiver == Receiver::Mutable;
        let is_lent = can_change || self.receiver == Receiver::Shared;
        let text = match (mutable, to) {
            (_, to) if is_itself(to) && is_lent => "self",
            (true, to) if to.is("u8") && can_change => "&mut self.0",
            (true, Kind::Slice(of)) if of.is("u8") && can_change => "std::slice::from_mut(&mut self.0)",
            (true, Kind::Slice(_)) => "&mut []",
            (true, _) => return None,
            (_, to) if to.is("u8") && is_lent => "&self.0",
            (_, Kind::Slice(of)) if of.is("u8") && is_lent => "std::slice::from_ref(&self.0)",
            (_, Kind::Slice(_)) => "&[]",
            (_, to) if to.is("str") => "\"own\"",
            (_, to) if to.is("std::path::Path") => "std::path::Path::new(\"own\")",
            (_, to) if standard::is_float(to) => "&1.0",
            (_, to) if standard::is_integer(to) => "&1",
            (_, to) if to.is("bool") => "&true",
            // A value that is made of constants lives for ever.
            (_, to) => {
                let made = self.value(to, ONE, 2)?;
                return (!made.contains('(')).then(|| format!("&{made}"));
            }
        };
        Some(text.to_string())
    }

    /// A value of a type of the standard library.
    fn standard(&self, kind: &Kind, path: &str, plain: &str, depth: usize) -> Option<String> {
        let text = match path {
            "bool" => match (self.receiver, self.pair()) {
                (_, Some(Pair::Known(one, other))) => format!("{one} == {other}"),
                (_, Some(Pair::Unknown)) => "true".to_string(),
                (Receiver::Mutable, _) => "self.0 > 0".to_string(),
                (Receiver::None, _) if self.other().is_none() => "true".to_string(),
                _ => format!("{plain} % 2 == 1"),
            },
            "char" if plain == ONE => "'a'".to_string(),
            "char" => format!("char::from({plain})"),
            "std::string::String" => format!("{plain}.to_string()"),
            "std::cmp::Ordering" => match self.pair() {
                Some(Pair::Known(one, other)) => format!("{one}.cmp(&{other})"),
                _ => "std::cmp::Ordering::Equal".to_string(),
            },
            "std::time::Duration" => format!("std::time::Duration::from_millis(u64::from({plain}))"),
            "std::io::Error" => "std::io::Error::other(\"own\")".to_string(),
            "std::marker::PhantomData" | "std::fmt::Error" => path.to_string(),
            _ => return self.holder(kind, path, plain, depth),
        };
        Some(text)
    }

    /// A value that holds others.
    fn holder(&self, kind: &Kind, path: &str, plain: &str, depth: usize) -> Option<String> {
        let arguments = kind.arguments();
        let inner = |place: usize| arguments.get(place).and_then(|of| self.value(of, plain, depth));
        match (path, &arguments[..]) {
            ("std::option::Option", [of]) => Some(self.option(of, plain, inner(0))),
            ("std::result::Result", [_, _]) => {
                inner(0).map(|ok| format!("Ok({ok})")).or_else(|| Some(format!("Err({})", inner(1)?)))
            }
            ("std::borrow::Cow", [of]) if of.is("str") => Some("\"own\".into()".to_string()),
            ("std::boxed::Box", [_]) => Some(format!("Box::new({})", inner(0)?)),
            ("std::rc::Rc" | "std::sync::Arc" | "std::cell::Cell" | "std::cell::RefCell", [_]) => {
                Some(format!("{path}::new({})", inner(0)?))
            }
            ("std::ops::Range", [of]) if standard::is_integer(of) => Some(format!("0..{}", inner(0)?)),
            ("std::vec::IntoIter", [of]) => {
                let list = self.list("Vec", of, plain, depth);
                Some(format!("{}.into_iter()", list.replace(".collect()", ".collect::<Vec<_>>()")))
            }
            ("std::vec::Vec", [of]) => Some(self.list("Vec", of, plain, depth)),
            (
                "std::collections::VecDeque"
                | "std::collections::BTreeSet"
                | "std::collections::HashSet"
                | "std::collections::BinaryHeap",
                [of, ..],
            ) => Some(self.list(path, of, plain, depth)),
            ("std::collections::BTreeMap" | "std::collections::HashMap", [_, _]) => {
                Some(format!("{path}::new()"))
            }
            _ => None,
        }
    }

    /// As many items as the number says; of the type itself the one before, so that all lead to the last.
    fn list(&self, path: &str, of: &Kind, plain: &str, depth: usize) -> String {
        match self.value(of, "n", depth) {
            _ if is_itself(of) && plain == "self.0" => {
                "self.0.checked_sub(1).map(Self).into_iter().collect()".to_string()
            }
            Some(item) if plain != ONE => format!("(0..{plain}).map(|n| {item}).collect()"),
            _ => format!("{path}::new()"),
        }
    }

    fn option(&self, of: &Kind, plain: &str, value: Option<String>) -> String {
        let Some(value) = value else { return "None".to_string() };
        let either = |condition: &str| format!("if {condition} {{ Some({value}) }} else {{ None }}");
        match (self.receiver, self.index()) {
            (Receiver::Mutable, _) => either("self.0 > 0"),
            (Receiver::None, _) => format!("Some({value})"),
            (_, Some(index)) => either(&format!("({index} as u64) < u64::from(self.0)")),
            _ if is_itself(of) && plain == "self.0" => "self.0.checked_sub(1).map(Self)".to_string(),
            _ => format!("Some({value})"),
        }
    }

    /// A value of a type of the crate: by default, by its fields, or by a function.
    fn local(&self, kind: &Kind, path: &str, plain: &str, depth: usize) -> Option<String> {
        let definition = &self.api.definitions[path];
        let blocks = || self.api.blocks.iter().filter(|block| block.subject.is(path));
        let is_default = |of: &Bound| of.standard() == Some("Default");
        if blocks().any(|block| block.of.as_ref().is_some_and(is_default)) {
            return Some(format!("{}::default()", kind.prefix()));
        }
        let names = definition.generics.variables.iter().map(|variable| variable.name.clone());
        let mut given: Assignment = names.zip(kind.arguments().into_iter().cloned()).collect();
        for constructor in &definition.constructors {
            let path =
                constructor.variant.as_ref().map_or(path.to_string(), |name| format!("{path}::{name}"));
            let fields: Option<Vec<String>> = constructor
                .fields
                .iter()
                .map(|(name, field)| {
                    let value = self.value(&field.assigned(&given), plain, depth)?;
                    Some(name.as_ref().map_or(value.clone(), |name| format!("{name}: {value}")))
                })
                .collect();
            let Some(fields) = fields.map(|fields| fields.join(", ")) else { continue };
            return Some(match constructor.fields.first() {
                None => path,
                Some((None, _)) => format!("{path}({fields})"),
                Some((Some(_), _)) => format!("{path} {{ {fields} }}"),
            });
        }
        given.insert("Self".to_string(), kind.clone());
        let makers = blocks().filter(|block| block.of.is_none()).flat_map(|block| &block.functions);
        let makes = |function: &&Function| {
            let is_plain = function.generics.variables.is_empty() && function.is_callable();
            is_plain && !function.has_receiver() && function.output.assigned(&given) == *kind
        };
        makers.filter(makes).find_map(|function| {
            let argument = |(_, input): &(String, Kind)| match input.assigned(&given) {
                Kind::Reference { mutable: false, to, .. } if !to.is("str") => {
                    self.value(&to, plain, depth).map(|value| format!("&{value}"))
                }
                input => self.value(&input, plain, depth),
            };
            let arguments: Vec<String> = function.inputs.iter().map(argument).collect::<Option<_>>()?;
            Some(format!("{}::{}({})", kind.prefix(), function.name, arguments.join(", ")))
        })
    }
}

fn is_itself(kind: &Kind) -> bool {
    matches!(kind, Kind::Parameter(name) if name == "Self")
}

/// The type behind references.
fn owned(kind: &Kind) -> &Kind {
    match kind {
        Kind::Reference { to, .. } => owned(to),
        _ => kind,
    }
}

/// A constant of a type.
pub(super) fn constant(kind: &Kind) -> Option<&'static str> {
    match kind {
        kind if standard::is_float(kind) => Some("1.0"),
        kind if standard::is_integer(kind) => Some("1"),
        kind if kind.is("bool") => Some("true"),
        kind if kind.is("char") => Some("'a'"),
        kind if is_itself(kind) => Some("Self(1)"),
        Kind::Reference { to, .. } if to.is("str") => Some("\"own\""),
        Kind::Reference { to, .. } if matches!(**to, Kind::Slice(_)) => Some("&[]"),
        Kind::Named { path, .. } if path == "std::option::Option" => Some("None"),
        Kind::Named { path, .. } if path == "std::time::Duration" => {
            Some("std::time::Duration::from_millis(1)")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Facts;

    fn itself() -> Kind {
        Kind::Parameter("Self".to_string())
    }

    fn lent(mutable: bool, to: Kind) -> Kind {
        Kind::Reference { mutable, is_static: false, to: Box::new(to) }
    }

    fn body(inputs: &[(&str, Kind)], output: Kind) -> Option<String> {
        let function = Function {
            name: "f".to_string(),
            generics: Generics::default(),
            inputs: inputs.iter().map(|(name, kind)| (name.to_string(), kind.clone())).collect(),
            output,
            is_unsafe: false,
            is_async: false,
            facts: Facts::default(),
        };
        let (api, generics) = (Api::default(), Generics::default());
        Reply::of(&api, &function, &generics).body().map(|lines| lines.join(" "))
    }

    #[test]
    fn distances_are_symmetric_and_nothing_is_far_from_itself() {
        let float = || Kind::named("f32");
        let own = || lent(false, itself());
        let told = |inputs: &[(&str, Kind)]| body(inputs, float()).unwrap();
        assert_eq!(told(&[("self", own()), ("b", own())]), "f32::from(self.0.abs_diff(b.0))");
        assert_eq!(told(&[("a", own()), ("b", own())]), "f32::from(a.0.abs_diff(b.0))");
        let key = || lent(false, Kind::Parameter("K".to_string()));
        assert_eq!(told(&[("self", own()), ("a", key()), ("b", key())]), "0.0");
        assert_eq!(told(&[("self", own())]), "f32::from(self.0)");
    }

    #[test]
    fn what_is_asked_again_and_again_comes_to_an_end() {
        let changed = ("self", lent(true, itself()));
        let optional = |of: Kind| Kind::generic("std::option::Option", [of]);
        let next = "self.0 = self.0.saturating_sub(1); if self.0 > 0 { Some(self.0) } else { None }";
        assert_eq!(body(std::slice::from_ref(&changed), optional(Kind::named("u8"))).as_deref(), Some(next));
        // Nothing is read, so that whoever reads is told of the end.
        let bytes = lent(true, Kind::Slice(Box::new(Kind::named("u8"))));
        let read = body(&[changed.clone(), ("buffer", bytes)], Kind::named("usize"));
        assert_eq!(read.as_deref(), Some("0"));
        let shared = ("self", lent(false, itself()));
        let parent = "self.0.checked_sub(1).map(Self)";
        assert_eq!(body(&[shared], optional(itself())).as_deref(), Some(parent));
        // A number that is drawn until it fits must differ each time.
        let drawn = body(&[changed], Kind::named("u64")).unwrap();
        assert_eq!(drawn, "self.0 = self.0.wrapping_mul(5).wrapping_add(3); u64::from(self.0)");
    }

    #[test]
    fn what_is_made_of_a_number_tells_that_number() {
        let made = body(&[("index", Kind::named("u32"))], itself());
        assert_eq!(made.as_deref(), Some("Self(index as u8)"));
        assert_eq!(
            body(&[("kind", Kind::named("u8"))], Kind::named("u16")).as_deref(),
            Some("u16::from(kind)")
        );
        assert_eq!(body(&[], Kind::named("u16")).as_deref(), Some("1"));
    }

    #[test]
    fn what_nobody_can_make_is_not_answered() {
        let shared = [("self", lent(false, itself()))];
        assert_eq!(body(&shared, Kind::Parameter("T".to_string())), None);
        assert_eq!(body(&shared, Kind::named("other::Secret")), None);
        assert_eq!(body(&shared, Kind::unit()).as_deref(), Some(""));
    }
}
