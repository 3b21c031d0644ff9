//! Kinds: the types of an API as far as a harness has to know them.
//!
//! **Invariant:** a path is one by which the generated crate can name the type; what has no such path
//! is [`Kind::Unknown`]. Lifetimes are places without names: where a value is kept they are `'static`,
//! elsewhere the compiler finds them.

use super::bound::{Bound, Generics};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A type.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    /// A type parameter, or `Self`.
    Parameter(String),
    /// A primitive, struct, enum or union by its path.
    Named {
        path: String,
        arguments: Vec<Kind>,
    },
    /// The argument for a lifetime.
    Lifetime,
    /// The argument for a constant; one that has no name for us stands behind a [`UNNAMED`], and is left out
    /// where it is the default.
    Constant(String),
    Reference {
        mutable: bool,
        is_static: bool,
        to: Box<Kind>,
    },
    Slice(Box<Kind>),
    Array {
        of: Box<Kind>,
        length: Box<Kind>,
    },
    Tuple(Vec<Kind>),
    /// `<of as bound>::name`; the bound may be left to the compiler.
    Projection {
        of: Box<Kind>,
        bound: Option<Box<Bound>>,
        name: String,
    },
    /// `dyn A + B`.
    Dynamic(Vec<Bound>),
    /// `impl A + B`.
    Opaque(Vec<Bound>),
    /// A function pointer.
    Function {
        inputs: Vec<Kind>,
        output: Box<Kind>,
    },
    /// Something that a harness cannot name.
    Unknown(String),
}

/// The mark of a constant that is the default of its parameter, and whose name nobody else can use.
const UNNAMED: char = '=';

/// The type that each type parameter stands for.
pub(crate) type Assignment = BTreeMap<String, Kind>;

/// The way in which the lifetimes of a type are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lifetimes {
    /// `'_`: the compiler finds them.
    Inferred,
    /// `'static`: the value is kept.
    Static,
}

impl Kind {
    /// A type without arguments.
    pub(crate) fn named(path: &str) -> Kind {
        Kind::Named { path: path.to_string(), arguments: Vec::new() }
    }

    /// A type with arguments.
    pub(crate) fn generic(path: &str, arguments: impl Into<Vec<Kind>>) -> Kind {
        Kind::Named { path: path.to_string(), arguments: arguments.into() }
    }

    /// The constant that a parameter is by default, as the crate writes it.
    pub(crate) fn default_constant(text: &str) -> Kind {
        let is_name =
            text.starts_with(|first: char| !first.is_ascii_digit() && first != '-' && first != '\'');
        let is_named = !is_name || text == "true" || text == "false";
        Kind::Constant(if is_named { text.to_string() } else { format!("{UNNAMED}{text}") })
    }

    /// Returns true if it is written by leaving it out.
    fn is_unnamed(&self) -> bool {
        matches!(self, Kind::Constant(text) if text.starts_with(UNNAMED))
    }

    /// A `&` to a type.
    pub(crate) fn shared(to: Kind) -> Kind {
        Kind::Reference { mutable: false, is_static: false, to: Box::new(to) }
    }

    /// The type `()`.
    pub(crate) fn unit() -> Kind {
        Kind::Tuple(Vec::new())
    }

    /// Returns true if it is the type with this path.
    pub(crate) fn is(&self, name: &str) -> bool {
        matches!(self, Kind::Named { path, .. } if path == name)
    }

    /// Returns true if it contains bytes: a list, a slice or an array of them.
    pub(crate) fn holds_bytes(&self) -> bool {
        self.any(&mut |part| match part {
            Kind::Slice(of) | Kind::Array { of, .. } => of.is("u8"),
            Kind::Named { path, arguments } => {
                let is_list = ["std::vec::Vec", "std::boxed::Box"].contains(&path.as_str());
                is_list && arguments.first().is_some_and(|of| of.is("u8"))
            }
            _ => false,
        })
    }

    /// Returns true if it holds text or bytes, or is something that they can be read from.
    pub(crate) fn is_text(&self, generics: &Generics) -> bool {
        // A bound may lead back to what it is demanded of: `T: Sub<T>`.
        self.is_text_within(generics, 4)
    }

    fn is_text_within(&self, generics: &Generics, depth: u32) -> bool {
        let Some(less) = depth.checked_sub(1) else { return false };
        let is_read = |bound: &Bound| {
            matches!(bound.standard(), Some("Read" | "BufRead"))
                || bound.argument().is_some_and(|argument| argument.is_text_within(generics, less))
        };
        match self {
            Kind::Reference { to, .. } => to.is_text_within(generics, less),
            Kind::Slice(of) | Kind::Array { of, .. } => of.is("u8"),
            Kind::Parameter(name) => generics.of(name).any(is_read),
            Kind::Opaque(bounds) | Kind::Dynamic(bounds) => bounds.iter().any(is_read),
            Kind::Named { path, arguments } => match path.as_str() {
                "str" | "std::string::String" => true,
                "std::vec::Vec" => arguments.iter().any(|of| of.is("u8")),
                "std::borrow::Cow" => arguments.iter().any(|of| of.is_text_within(generics, less)),
                _ => false,
            },
            _ => false,
        }
    }

    /// The path, if it has one.
    pub(crate) fn path(&self) -> Option<&str> {
        match self {
            Kind::Named { path, .. } => Some(path),
            _ => None,
        }
    }

    /// The arguments that are types or constants.
    pub(crate) fn arguments(&self) -> Vec<&Kind> {
        match self {
            Kind::Named { arguments, .. } => {
                arguments.iter().filter(|argument| **argument != Kind::Lifetime).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns true if the type itself or any part of it fits.
    pub(crate) fn any(&self, fits: &mut dyn FnMut(&Kind) -> bool) -> bool {
        if fits(self) {
            return true;
        }
        let mut found = false;
        self.each_part(&mut |part| found = found || part.any(fits));
        found
    }

    /// Shows each part of the type, not the parts of parts.
    pub(crate) fn each_part(&self, show: &mut dyn FnMut(&Kind)) {
        match self {
            Kind::Named { arguments: parts, .. } | Kind::Tuple(parts) => parts.iter().for_each(show),
            Kind::Reference { to: part, .. } | Kind::Slice(part) => show(part),
            Kind::Array { of, length } => {
                show(of);
                show(length);
            }
            Kind::Projection { of, bound, .. } => {
                show(of);
                bound.iter().for_each(|bound| bound.each_part(show));
            }
            Kind::Dynamic(bounds) | Kind::Opaque(bounds) => {
                bounds.iter().for_each(|bound| bound.each_part(show));
            }
            Kind::Function { inputs, output } => {
                inputs.iter().for_each(&mut *show);
                show(output);
            }
            Kind::Parameter(_) | Kind::Lifetime | Kind::Constant(_) | Kind::Unknown(_) => {}
        }
    }

    /// The type with each part replaced; parts first.
    pub(crate) fn map(&self, change: &dyn Fn(Kind) -> Kind) -> Kind {
        let all = |parts: &[Kind]| parts.iter().map(|part| part.map(change)).collect::<Vec<_>>();
        let one = |part: &Kind| Box::new(part.map(change));
        let bounds = |bounds: &[Bound]| bounds.iter().map(|bound| bound.map(change)).collect::<Vec<_>>();
        change(match self {
            Kind::Named { path, arguments } => Kind::Named { path: path.clone(), arguments: all(arguments) },
            Kind::Reference { mutable, is_static, to } => {
                Kind::Reference { mutable: *mutable, is_static: *is_static, to: one(to) }
            }
            Kind::Slice(of) => Kind::Slice(one(of)),
            Kind::Array { of, length } => Kind::Array { of: one(of), length: one(length) },
            Kind::Tuple(parts) => Kind::Tuple(all(parts)),
            Kind::Projection { of, bound, name } => Kind::Projection {
                of: one(of),
                bound: bound.as_ref().map(|bound| Box::new(bound.map(change))),
                name: name.clone(),
            },
            Kind::Dynamic(all) => Kind::Dynamic(bounds(all)),
            Kind::Opaque(all) => Kind::Opaque(bounds(all)),
            Kind::Function { inputs, output } => Kind::Function { inputs: all(inputs), output: one(output) },
            Kind::Parameter(_) | Kind::Lifetime | Kind::Constant(_) | Kind::Unknown(_) => self.clone(),
        })
    }

    /// The type with its parameters replaced.
    pub(crate) fn assigned(&self, assignment: &Assignment) -> Kind {
        self.map(&|part| match &part {
            // A constant parameter is written like a constant.
            Kind::Parameter(name) | Kind::Constant(name) => assignment.get(name).cloned().unwrap_or(part),
            _ => part,
        })
    }

    /// Returns true if the type has no parameters and nothing that cannot be named.
    pub(crate) fn is_concrete(&self) -> bool {
        !self.any(&mut |part| {
            matches!(part, Kind::Parameter(_) | Kind::Opaque(_) | Kind::Unknown(_) | Kind::Projection { .. })
        })
    }

    /// Returns true if a value can hold a borrow.
    pub(crate) fn borrows(&self) -> bool {
        let mut borrows = matches!(self, Kind::Lifetime | Kind::Reference { is_static: false, .. });
        // A function holds nothing of what it is called with.
        if !matches!(self, Kind::Function { .. }) {
            self.each_part(&mut |part| borrows = borrows || part.borrows());
        }
        borrows
    }

    /// Finds what the parameters of this type must be for it to be another; `false` if it cannot be.
    pub(crate) fn unify(&self, other: &Kind, assignment: &mut Assignment) -> bool {
        match (self, other) {
            (Kind::Parameter(name), _) | (Kind::Constant(name), Kind::Constant(_))
                if matches!(self, Kind::Parameter(_)) || self != other =>
            {
                if matches!(self, Kind::Constant(_)) && !is_parameter_of_constant(name) {
                    return false;
                }
                match assignment.get(name) {
                    Some(known) => known == other,
                    None => {
                        assignment.insert(name.clone(), other.clone());
                        true
                    }
                }
            }
            (Kind::Named { path, arguments }, Kind::Named { path: other, arguments: others }) => {
                path == other && all_unify(arguments, others, assignment)
            }
            (
                Kind::Reference { mutable, to, .. },
                Kind::Reference { mutable: other_mutable, to: other_to, .. },
            ) => mutable == other_mutable && to.unify(other_to, assignment),
            (Kind::Slice(of), Kind::Slice(other)) => of.unify(other, assignment),
            (Kind::Array { of, length }, Kind::Array { of: other, length: other_length }) => {
                of.unify(other, assignment) && length.unify(other_length, assignment)
            }
            (Kind::Tuple(parts), Kind::Tuple(others)) => all_unify(parts, others, assignment),
            // A projection is resolved when the rest is known.
            (Kind::Projection { .. }, _) => true,
            _ => self == other,
        }
    }

    /// The type as Rust.
    pub(crate) fn text(&self, lifetimes: Lifetimes) -> String {
        let mut out = String::new();
        self.write(&mut out, lifetimes, Names::Full);
        out
    }

    /// The type as a person would write it, with its own name only.
    pub(crate) fn short(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, Lifetimes::Static, Names::Last);
        out
    }

    /// The type where a call is made on it, such as `Vec::<u8>`.
    pub(crate) fn prefix(&self) -> String {
        let Kind::Named { path, .. } = self else { return format!("<{}>", self.text(Lifetimes::Inferred)) };
        let arguments = self.arguments().into_iter().filter(|argument| !argument.is_unnamed());
        let arguments: Vec<String> = arguments.map(|argument| argument.text(Lifetimes::Inferred)).collect();
        match arguments.is_empty() {
            true => path.clone(),
            false => format!("{path}::<{}>", arguments.join(", ")),
        }
    }

    fn write(&self, out: &mut String, lifetimes: Lifetimes, names: Names) {
        let lifetime = if lifetimes == Lifetimes::Static { "'static" } else { "'_" };
        match self {
            Kind::Parameter(name) | Kind::Unknown(name) => out.push_str(name),
            Kind::Constant(name) => out.push_str(name.trim_start_matches(UNNAMED)),
            Kind::Lifetime => out.push_str(lifetime),
            Kind::Named { path, arguments } => {
                out.push_str(names.of(path));
                let arguments: Vec<Kind> =
                    arguments.iter().filter(|argument| !argument.is_unnamed()).cloned().collect();
                if !arguments.is_empty() {
                    out.push('<');
                    self::list(&arguments, out, lifetimes, names);
                    out.push('>');
                }
            }
            Kind::Reference { mutable, is_static, to } => {
                out.push('&');
                if *is_static || lifetimes == Lifetimes::Static {
                    out.push_str("'static ");
                }
                out.push_str(if *mutable { "mut " } else { "" });
                to.write(out, lifetimes, names);
            }
            Kind::Slice(of) => {
                out.push('[');
                of.write(out, lifetimes, names);
                out.push(']');
            }
            Kind::Array { of, length } => {
                out.push('[');
                of.write(out, lifetimes, names);
                out.push_str("; ");
                length.write(out, lifetimes, names);
                out.push(']');
            }
            Kind::Tuple(parts) => {
                out.push('(');
                self::list(parts, out, lifetimes, names);
                out.push_str(if parts.len() == 1 { ",)" } else { ")" });
            }
            Kind::Projection { of, bound, name } => {
                let of = of.text(lifetimes);
                let _ = match bound {
                    Some(bound) => write!(out, "<{of} as {}>::{name}", bound.text(lifetimes)),
                    None => write!(out, "<{of}>::{name}"),
                };
            }
            Kind::Dynamic(bounds) | Kind::Opaque(bounds) => {
                let word = if matches!(self, Kind::Dynamic(_)) { "dyn" } else { "impl" };
                let bounds: Vec<String> = bounds.iter().map(|bound| bound.text(lifetimes)).collect();
                let _ = write!(out, "{word} {}", bounds.join(" + "));
            }
            Kind::Function { inputs, output } => {
                // It works for all lifetimes of what it is called with.
                out.push_str("fn(");
                self::list(inputs, out, Lifetimes::Inferred, names);
                out.push_str(") -> ");
                output.write(out, Lifetimes::Inferred, names);
            }
        }
    }
}

/// The part of a path that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    Full,
    Last,
}

impl Names {
    fn of(self, path: &str) -> &str {
        match self {
            Names::Full => path,
            Names::Last => path.rsplit("::").next().unwrap_or(path),
        }
    }
}

fn list(kinds: &[Kind], out: &mut String, lifetimes: Lifetimes, names: Names) {
    for (place, kind) in kinds.iter().enumerate() {
        out.push_str(if place > 0 { ", " } else { "" });
        kind.write(out, lifetimes, names);
    }
}

/// Returns true if the text of a constant is the name of a parameter, such as `N`.
fn is_parameter_of_constant(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase()) && !name.contains("::")
}

/// Arguments fit where they are equal; where lifetimes were left out they fit too.
pub(super) fn all_unify(kinds: &[Kind], others: &[Kind], assignment: &mut Assignment) -> bool {
    let without =
        |kinds: &[Kind]| kinds.iter().filter(|kind| **kind != Kind::Lifetime).cloned().collect::<Vec<_>>();
    let (kinds, others) = (without(kinds), without(others));
    kinds.len() == others.len()
        && kinds.iter().zip(&others).all(|(kind, other)| kind.unify(other, assignment))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list_of(kind: Kind) -> Kind {
        Kind::generic("std::vec::Vec", [kind])
    }

    #[test]
    fn a_bound_that_leads_back_to_its_type_is_not_followed_for_ever() {
        let own = Kind::Parameter("T".to_string());
        let bound = |argument: Kind| Bound {
            path: "std::ops::Sub".to_string(),
            arguments: vec![argument],
            bindings: Vec::new(),
        };
        let mut generics =
            Generics { bounds: vec![(own.clone(), bound(own.clone()))], ..Generics::default() };
        assert!(!own.is_text(&generics));
        generics.bounds.push((own.clone(), bound(Kind::named("str"))));
        assert!(own.is_text(&generics));
    }

    #[test]
    fn a_type_is_written_as_rust() {
        let slice = Kind::generic("rope::Slice", [Kind::Lifetime, Kind::named("u8")]);
        assert_eq!(slice.text(Lifetimes::Inferred), "rope::Slice<'_, u8>");
        assert_eq!(slice.short(), "Slice<'static, u8>");
        assert_eq!(slice.prefix(), "rope::Slice::<u8>");
        let pair = Kind::Tuple(vec![Kind::shared(Kind::named("str")), list_of(slice)]);
        assert_eq!(pair.text(Lifetimes::Static), "(&'static str, std::vec::Vec<rope::Slice<'static, u8>>)");
    }

    #[test]
    fn parameters_are_found_by_what_a_type_must_be() {
        let mut assignment = Assignment::new();
        let pattern = Kind::Tuple(vec![Kind::Parameter("T".into()), list_of(Kind::Parameter("T".into()))]);
        let same = Kind::Tuple(vec![Kind::named("u8"), list_of(Kind::named("u8"))]);
        assert!(pattern.unify(&same, &mut assignment));
        assert_eq!(assignment["T"], Kind::named("u8"));
        let other = Kind::Tuple(vec![Kind::named("u8"), list_of(Kind::named("u16"))]);
        assert!(!pattern.unify(&other, &mut Assignment::new()));
    }

    #[test]
    fn an_array_tells_the_length_that_its_parameter_must_be() {
        let array = |length: &str| Kind::Array {
            of: Box::new(Kind::Parameter("T".into())),
            length: Box::new(Kind::Constant(length.into())),
        };
        let mut assignment = Assignment::from([("T".to_string(), Kind::named("u8"))]);
        let four = array("4").assigned(&assignment);
        assert!(array("N").unify(&four, &mut assignment));
        assert_eq!(assignment["N"], Kind::Constant("4".into()));
        assert!(!array("3").unify(&four, &mut assignment));
    }

    #[test]
    fn a_parameter_that_is_demanded_of_itself_is_no_text() {
        let parameter = Kind::Parameter("C".into());
        let demand = |of: &str, argument: &Kind| Generics {
            bounds: vec![(
                parameter.clone(),
                Bound { arguments: vec![argument.clone()], ..Bound::named(of) },
            )],
            ..Generics::default()
        };
        assert!(!parameter.is_text(&demand("std::ops::Mul", &parameter)));
        assert!(parameter.is_text(&demand("std::convert::AsRef", &Kind::named("str"))));
    }

    #[test]
    fn a_default_that_has_no_name_for_us_is_left_out() {
        let parser = |length: &str| Kind::generic("vte::Parser", [Kind::default_constant(length)]);
        assert_eq!(parser("MOST").text(Lifetimes::Static), "vte::Parser");
        assert_eq!(parser("MOST").prefix(), "vte::Parser");
        assert_eq!(parser("16").text(Lifetimes::Static), "vte::Parser<16>");
        let mut assignment = Assignment::new();
        let any = Kind::generic("vte::Parser", [Kind::Constant("N".into())]);
        assert!(any.unify(&parser("MOST"), &mut assignment));
        assert_eq!(any.assigned(&assignment), parser("MOST"));
    }

    #[test]
    fn a_value_borrows_if_any_part_of_it_does() {
        assert!(list_of(Kind::shared(Kind::named("str"))).borrows());
        assert!(!list_of(Kind::named("u8")).borrows());
    }
}
