//! Knowledge of the standard library: what its types implement, and what can be drawn.
//!
//! The compiler decides in the end. This only keeps us from asking it for what is plainly wrong.

use super::stand_in;
use crate::api::{Bound, Kind};

const SIGNED: [&str; 6] = ["i32", "i64", "isize", "i8", "i16", "i128"];
const UNSIGNED: [&str; 6] = ["u8", "usize", "u32", "u64", "u16", "u128"];
const FLOATS: [&str; 2] = ["f64", "f32"];

/// Returns true if a type is a number without fraction.
pub(crate) fn is_integer(kind: &Kind) -> bool {
    kind.path().is_some_and(|path| SIGNED.contains(&path) || UNSIGNED.contains(&path))
}

/// Returns true if a type is a number with fraction.
pub(crate) fn is_float(kind: &Kind) -> bool {
    kind.path().is_some_and(|path| FLOATS.contains(&path))
}

/// Returns true if a type is a primitive that is copied and has a literal.
pub(crate) fn is_scalar(kind: &Kind) -> bool {
    is_integer(kind) || is_float(kind) || kind.is("bool") || kind.is("char")
}

/// Returns true if a type is a number.
pub(crate) fn is_number(kind: &Kind) -> bool {
    is_integer(kind) || is_float(kind)
}

/// Types that are plain enough to be chosen for any parameter.
pub(crate) fn plain() -> impl Iterator<Item = Kind> {
    let numbers = SIGNED.iter().chain(&UNSIGNED).chain(&FLOATS);
    numbers.chain(&["bool", "char", "std::string::String"]).map(|name| Kind::named(name))
}

/// The types that stand for a parameter of which nothing special is demanded, best first.
pub(crate) fn pool() -> Vec<Kind> {
    let named =
        ["i32", "std::string::String", "u8", "f64", "usize", "char", "bool", "u32", "u64", "i64", "u16"];
    let rest = ["f32", "i8", "i16", "u128", "i128", "isize", "()"];
    let list = Kind::generic("std::vec::Vec", [Kind::named("i32")]);
    let unit = |kind: Kind| if kind.is("()") { Kind::unit() } else { kind };
    named.into_iter().chain(rest).map(Kind::named).map(unit).chain([list]).collect()
}

/// Traits that every type has that a harness uses.
const MARKERS: [&str; 8] = ["Sized", "Send", "Sync", "Unpin", "UnwindSafe", "RefUnwindSafe", "Any", "Freeze"];
const COMMON: [&str; 8] = ["Clone", "Debug", "Default", "PartialEq", "PartialOrd", "Eq", "Ord", "Hash"];
const NUMERIC: [&str; 18] = [
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Rem",
    "AddAssign",
    "SubAssign",
    "MulAssign",
    "DivAssign",
    "RemAssign",
    "Sum",
    "Product",
    "LowerExp",
    "UpperExp",
    "Neg",
    "Not",
    "BitAnd",
    "BitOr",
];
const BITWISE: [&str; 12] = [
    "BitXor",
    "Shl",
    "Shr",
    "BitAndAssign",
    "BitOrAssign",
    "BitXorAssign",
    "ShlAssign",
    "ShrAssign",
    "LowerHex",
    "UpperHex",
    "Octal",
    "Binary",
];

/// Returns true if a type of the standard library implements a trait of it; `None` if that is not known.
pub(crate) fn implements(kind: &Kind, bound: &Bound) -> Option<bool> {
    let name = bound.standard()?;
    if MARKERS.contains(&name) {
        return Some(true);
    }
    if let Some(holds) = of_reference(kind, name) {
        return Some(holds);
    }
    if kind.path().is_some_and(stand_in::is_one) {
        let is_own = bound.arguments.iter().all(|argument| argument == kind);
        // Its blocks tell the other traits that it has.
        return (COMMON.contains(&name) || name == "Copy").then_some(is_own);
    }
    let (integer, float) = (is_integer(kind), is_float(kind));
    let text = kind.is("std::string::String");
    let arguments_are_own = bound.arguments.iter().all(|argument| argument == kind);
    if is_scalar(kind) {
        let own = |holds: bool| if arguments_are_own { Some(holds) } else { None };
        return match name {
            "Eq" | "Ord" | "Hash" => Some(!float),
            "Copy" | "Clone" | "Debug" | "Default" | "Display" | "ToString" | "FromStr" | "ToOwned" => {
                Some(true)
            }
            "PartialEq" | "PartialOrd" => own(true),
            "Neg" => Some(float || kind.path().is_some_and(|path| SIGNED.contains(&path))),
            "Not" | "BitAnd" | "BitOr" | "BitXor" => own(integer || kind.is("bool")),
            _ if BITWISE.contains(&name) => own(integer),
            _ if NUMERIC.contains(&name) => own(integer || float),
            "Step" => Some(integer || kind.is("char")),
            "From" | "TryFrom" | "Into" | "TryInto" | "Borrow" | "BorrowMut" if arguments_are_own => {
                Some(true)
            }
            "From" | "TryFrom" | "Into" | "TryInto" => None,
            _ => Some(false),
        };
    }
    if text {
        return match name {
            "Display" | "ToString" | "FromStr" | "ToOwned" => Some(true),
            "Write" => Some(bound.path.starts_with("std::fmt")),
            "Deref" | "Borrow" | "AsRef" | "From" | "Into" | "Extend" | "FromIterator" | "TryFrom" => None,
            _ => Some(COMMON.contains(&name)),
        };
    }
    match kind {
        Kind::Function { .. } => match name {
            "Fn" | "FnMut" | "FnOnce" | "Copy" | "Clone" | "Debug" | "PartialEq" | "Eq" | "Hash" => {
                Some(true)
            }
            _ => Some(false),
        },
        Kind::Tuple(parts) if COMMON.contains(&name) || name == "Copy" => parts_implement(parts, bound),
        Kind::Array { of, .. } if COMMON.contains(&name) || name == "Copy" => implements(of, bound),
        Kind::Tuple(_) | Kind::Array { .. } => match name {
            "From" | "Into" | "TryFrom" | "TryInto" | "IntoIterator" | "AsRef" | "AsMut" | "Borrow"
            | "Extend" => None,
            "FromIterator" | "ToOwned" | "BorrowMut" => None,
            _ => Some(false),
        },
        Kind::Named { path, .. } if path == "std::vec::Vec" || path == "std::option::Option" => {
            let is_list = path == "std::vec::Vec";
            match name {
                "Copy" if is_list => Some(false),
                "Copy" => parts_implement(&owned(kind), bound),
                "Default" => Some(true),
                _ if COMMON.contains(&name) => parts_implement(&owned(kind), bound),
                "Display"
                | "FromStr"
                | "ToString"
                | "Error"
                | "Iterator"
                | "Fn"
                | "FnMut"
                | "FnOnce"
                | "Read"
                | "BufRead"
                | "Seek"
                | "Future"
                | "DoubleEndedIterator"
                | "ExactSizeIterator" => Some(false),
                "Write" => {
                    Some(bound.path.starts_with("std::io") && kind.arguments() == [&Kind::named("u8")])
                }
                _ if NUMERIC.contains(&name) || BITWISE.contains(&name) => Some(false),
                _ => None,
            }
        }
        _ => None,
    }
}

fn of_reference(kind: &Kind, name: &str) -> Option<bool> {
    let Kind::Reference { mutable, to, .. } = kind else { return None };
    match name {
        "IntoIterator" if is_scalar(to) || to.is("std::string::String") => Some(false),
        "IntoIterator" if matches!(**to, Kind::Tuple(_)) => Some(false),
        "Copy" | "Clone" => Some(!mutable),
        "Default" => Some(false),
        _ => None,
    }
}

fn owned(kind: &Kind) -> Vec<Kind> {
    kind.arguments().into_iter().cloned().collect()
}

fn parts_implement(parts: &[Kind], bound: &Bound) -> Option<bool> {
    let mut all = Some(true);
    let bound = Bound { arguments: Vec::new(), ..bound.clone() };
    for part in parts {
        match implements(part, &bound) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => all = None,
        }
    }
    all
}

/// Types of the standard library that are drawn as they are.
const DRAWN: [&str; 14] = [
    "std::string::String",
    "std::time::Duration",
    "std::cmp::Ordering",
    "std::ops::RangeFull",
    "std::net::IpAddr",
    "std::net::Ipv4Addr",
    "std::net::Ipv6Addr",
    "std::net::SocketAddr",
    "std::net::SocketAddrV4",
    "std::net::SocketAddrV6",
    "std::path::PathBuf",
    "std::ffi::OsString",
    "std::ffi::CString",
    "std::time::SystemTime",
];

/// Types of the standard library that are drawn if what they hold is.
const HOLDERS: [&str; 13] = [
    "std::vec::Vec",
    "std::collections::VecDeque",
    "std::option::Option",
    "std::boxed::Box",
    "std::rc::Rc",
    "std::sync::Arc",
    "std::num::Wrapping",
    "std::ops::RangeFrom",
    "std::ops::RangeTo",
    "std::ops::RangeToInclusive",
    "std::ops::Range",
    "std::ops::RangeInclusive",
    "std::ops::Bound",
];

/// Returns true if a harness can draw literals of a type.
pub(crate) fn is_drawn(kind: &Kind) -> bool {
    let all = |kinds: &[&Kind]| kinds.iter().all(|kind| is_drawn(kind));
    let has = |kind: &Kind, name: &str| implements(kind, &Bound::named(name)) == Some(true);
    let arguments = kind.arguments();
    match kind {
        Kind::Tuple(parts) => parts.len() <= 6 && parts.iter().all(is_drawn),
        Kind::Array { of, length } => {
            is_drawn(of) && matches!(&**length, Kind::Constant(length) if is_short(length))
        }
        Kind::Named { .. } if is_scalar(kind) => true,
        Kind::Named { path, .. } if stand_in::is_one(path) => true,
        Kind::Named { path, .. } if DRAWN.contains(&path.as_str()) => true,
        Kind::Named { path, .. } => match (path.as_str(), &arguments[..]) {
            ("std::num::NonZero", [number]) => is_integer(number),
            (path, [_]) if HOLDERS.contains(&path) => all(&arguments),
            ("std::result::Result", [_, _]) => all(&arguments),
            ("std::collections::BinaryHeap" | "std::collections::BTreeSet", [key]) => {
                is_drawn(key) && has(key, "std::cmp::Ord")
            }
            ("std::collections::HashSet", [key]) => is_drawn(key) && has(key, "std::hash::Hash"),
            ("std::collections::BTreeMap", [key, value]) => all(&[key, value]) && has(key, "std::cmp::Ord"),
            ("std::collections::HashMap", [key, value]) => all(&[key, value]) && has(key, "std::hash::Hash"),
            _ => false,
        },
        _ => false,
    }
}

fn is_short(length: &str) -> bool {
    length.trim_end_matches("usize").trim_end_matches('_').parse::<usize>().is_ok_and(|length| length <= 64)
}

/// The type that an associated type of a type of the standard library is.
pub(crate) fn projection(of: &Kind, bound: Option<&Bound>, name: &str) -> Option<Kind> {
    let first = || of.arguments().first().map(|argument| (*argument).clone());
    let path = of.path().unwrap_or_default();
    match name {
        "Item" => match of {
            Kind::Reference { mutable, to, .. } => match item_of(to) {
                Some(item) => Some(Kind::Reference { mutable: *mutable, is_static: false, to: Box::new(item) }),
                None => projection(to, bound, name),
            },
            Kind::Named { .. } if path == "std::slice::Iter" => Some(Kind::shared(first()?)),
            Kind::Named { .. } if path == "std::str::Chars" => Some(Kind::named("char")),
            _ => item_of(of),
        },
        "IntoIter" => match of {
            Kind::Named { .. } if path == "std::vec::Vec" => Some(Kind::generic("std::vec::IntoIter", [first()?])),
            Kind::Named { .. } if path.ends_with("::IntoIter") => Some(of.clone()),
            _ => None,
        },
        "Target" => match path {
            "std::vec::Vec" => Some(Kind::Slice(Box::new(first()?))),
            "std::string::String" => Some(Kind::named("str")),
            "std::boxed::Box" | "std::rc::Rc" | "std::sync::Arc" => first(),
            _ => None,
        },
        "Owned" => match of {
            Kind::Slice(of) => Some(Kind::generic("std::vec::Vec", [(**of).clone()])),
            Kind::Named { .. } if path == "str" => Some(Kind::named("std::string::String")),
            _ => Some(of.clone()),
        },
        "Output" if is_scalar(of) => {
            bound.filter(|bound| matches!(bound.standard(), Some(name) if NUMERIC.contains(&name) || BITWISE.contains(&name))).map(|_| of.clone())
        }
        "Hasher" if path == "std::hash::RandomState" => Some(Kind::named("std::hash::DefaultHasher")),
        _ => None,
    }
}

fn item_of(of: &Kind) -> Option<Kind> {
    match of {
        Kind::Slice(of) | Kind::Array { of, .. } => Some((**of).clone()),
        Kind::Named { path, .. } => {
            let arguments = of.arguments();
            match (path.as_str(), &arguments[..]) {
                (
                    "std::vec::Vec"
                    | "std::vec::IntoIter"
                    | "std::option::Option"
                    | "std::ops::Range"
                    | "std::ops::RangeInclusive"
                    | "std::collections::VecDeque"
                    | "std::collections::BTreeSet"
                    | "std::iter::Empty"
                    | "std::iter::Once"
                    | "std::ops::RangeFrom",
                    [item, ..],
                ) => Some((*item).clone()),
                ("std::collections::HashSet", [item, ..]) => Some((*item).clone()),
                ("std::collections::BTreeMap" | "std::collections::HashMap", [key, value, ..]) => {
                    Some(Kind::Tuple(vec![(*key).clone(), (*value).clone()]))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(kind: &str, bound: &str) -> Option<bool> {
        implements(&Kind::named(kind), &Bound::named(bound))
    }

    #[test]
    fn primitives_implement_what_they_do() {
        assert_eq!(holds("i32", "std::cmp::Ord"), Some(true));
        assert_eq!(holds("f64", "std::cmp::Ord"), Some(false));
        assert_eq!(holds("u8", "std::ops::Neg"), Some(false));
        assert_eq!(holds("std::string::String", "std::marker::Copy"), Some(false));
        assert_eq!(holds("i32", "num_traits::Zero"), None);
    }

    #[test]
    fn only_what_the_library_draws_is_drawn() {
        let list = |of: Kind| Kind::generic("std::vec::Vec", [of]);
        assert!(is_drawn(&list(Kind::Tuple(vec![Kind::named("u8"), Kind::named("std::string::String")]))));
        assert!(!is_drawn(&list(Kind::named("semver::Version"))));
        assert!(!is_drawn(&Kind::generic("std::collections::BTreeSet", [Kind::named("f64")])));
    }
}
