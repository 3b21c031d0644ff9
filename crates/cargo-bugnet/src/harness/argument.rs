//! Arguments: the expressions that make a value of a type.

use super::closure;
use super::expression::{Expression, Pass};
use super::solver::Solver;
use super::standard;
use crate::api::{Bound, Generics, Kind};

/// The deepest nesting of values that are put together.
const DEEPEST: usize = 5;

/// Makes arguments for the parameters of one function.
#[derive(Debug)]
pub(crate) struct Arguments<'a> {
    pub(crate) solver: &'a Solver<'a>,
    /// The bounds on parameters that are left open: closures.
    pub(crate) generics: &'a Generics,
    /// True if the result borrows from its arguments, so that those must be kept somewhere.
    pub(crate) leased: bool,
}

impl Arguments<'_> {
    /// Ways to write an argument, the usual one first. None if there is no way.
    pub(crate) fn of(&self, name: &str, kind: &Kind) -> Vec<Expression> {
        self.within(name, kind, DEEPEST)
    }

    fn within(&self, name: &str, kind: &Kind, depth: usize) -> Vec<Expression> {
        if depth == 0 {
            return Vec::new();
        }
        if standard::is_drawn(kind) {
            return vec![Expression::leaf(name, kind, Pass::Value)];
        }
        match kind {
            Kind::Reference { mutable: false, is_static: true, to } => self.leaked(name, to, depth),
            Kind::Reference { mutable: false, to, .. } => self.shared(name, to, depth),
            Kind::Reference { mutable: true, to, .. } => self.mutable(name, to, depth),
            Kind::Named { path, .. } => self.named(name, path, kind, depth),
            Kind::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.first(name, part, depth - 1));
                let parts: Option<Vec<Expression>> = parts.collect();
                let end = if parts.as_ref().is_some_and(|parts| parts.len() == 1) { ",)" } else { ")" };
                parts.map(|parts| Expression::list(parts).within("(", end)).into_iter().collect()
            }
            Kind::Array { of, length } => self.array(name, of, length, depth),
            Kind::Function { inputs, output } => self.closures("Fn", inputs, output),
            Kind::Parameter(name) => {
                let bound = self.generics.of(name).find(|bound| bound.is_closure());
                bound.map_or(Vec::new(), |bound| self.of_bound(bound))
            }
            _ => Vec::new(),
        }
    }

    fn first(&self, name: &str, kind: &Kind, depth: usize) -> Option<Expression> {
        self.within(name, kind, depth).into_iter().next()
    }

    /// The closures of a bound.
    fn of_bound(&self, bound: &Bound) -> Vec<Expression> {
        let [Kind::Tuple(inputs)] = &bound.arguments[..] else { return Vec::new() };
        let output = bound.binding("Output").cloned().unwrap_or(Kind::unit());
        self.closures(bound.name(), inputs, &output)
    }

    fn closures(&self, class: &str, inputs: &[Kind], output: &Kind) -> Vec<Expression> {
        closure::of(class, inputs, output, &|kind| self.first("made", kind, DEEPEST - 2))
    }

    /// Returns true if values of a type are results of earlier calls.
    fn is_earlier(&self, kind: &Kind) -> bool {
        matches!(kind, Kind::Named { path, .. } if self.solver.api.is_local(path))
    }

    fn shared(&self, name: &str, to: &Kind, depth: usize) -> Vec<Expression> {
        let text = Kind::named("std::string::String");
        let one = |expression: Expression| vec![expression];
        let words = |before: &str| match self.leased {
            true => one(Expression::leaf(name, &text, Pass::Shared).within(before, ".as_str()")),
            false => one(Expression::leaf(name, &text, Pass::Text).within(before, "")),
        };
        let closed =
            |all: Vec<Expression>| all.into_iter().map(|one| one.within("", ")")).collect::<Vec<_>>();
        match to {
            Kind::Named { path, .. } if path == "str" => words(""),
            Kind::Named { path, .. } if path == "std::path::Path" => closed(words("std::path::Path::new(")),
            Kind::Named { path, .. } if path == "std::ffi::OsStr" => closed(words("std::ffi::OsStr::new(")),
            Kind::Named { path, .. } if path == "std::ffi::CStr" => {
                one(Expression::leaf(name, &Kind::named("std::ffi::CString"), Pass::Value)
                    .within("", ".as_c_str()"))
            }
            Kind::Slice(of) => {
                let list = Kind::generic("std::vec::Vec", [(**of).clone()]);
                match standard::is_drawn(of) {
                    true if self.leased => {
                        one(Expression::leaf(name, &list, Pass::Shared).within("", ".as_slice()"))
                    }
                    true => one(Expression::leaf(name, &list, Pass::Slice)),
                    false if depth < DEEPEST => self.pair(name, of, depth, "&[", "][..]"),
                    false => self.pair(name, of, depth, "&[", "]"),
                }
            }
            Kind::Dynamic(bounds) => self.implemented(name, bounds, depth, "&"),
            _ if standard::is_drawn(to) && self.leased => one(Expression::leaf(name, to, Pass::Shared)),
            _ if standard::is_drawn(to) => one(Expression::leaf(name, to, Pass::Borrowed)),
            _ if self.solver.is_unsized(to) => {
                one(Expression::leaf(name, &Kind::shared(to.clone()), Pass::Shared))
            }
            _ if self.is_earlier(to) => one(Expression::leaf(name, to, Pass::Shared)),
            _ => self.around(name, to, depth, "&"),
        }
    }

    /// Writes a value that lives as long as the program.
    fn leaked(&self, name: &str, to: &Kind, depth: usize) -> Vec<Expression> {
        let leak = |kind: &Kind| vec![Expression::leaf(name, kind, Pass::Value).within("", ".leak()")];
        match to {
            Kind::Named { path, .. } if path == "str" => leak(&Kind::named("std::string::String")),
            Kind::Slice(of) if standard::is_drawn(of) => {
                leak(&Kind::generic("std::vec::Vec", [(**of).clone()]))
            }
            _ => {
                let made = match to {
                    Kind::Dynamic(bounds) => self.implemented(name, bounds, depth, ""),
                    _ => self.within(name, to, depth - 1),
                };
                made.into_iter().map(|one| one.within("&*Box::leak(Box::new(", "))")).collect()
            }
        }
    }

    fn mutable(&self, name: &str, to: &Kind, depth: usize) -> Vec<Expression> {
        let one = |expression: Expression| vec![expression];
        match to {
            Kind::Named { path, .. } if path == "str" => {
                let text = Kind::named("std::string::String");
                one(Expression::leaf(name, &text, Pass::Value).within("", ".as_mut_str()"))
            }
            Kind::Slice(of) => {
                let list = Kind::generic("std::vec::Vec", [(**of).clone()]);
                match standard::is_drawn(of) {
                    true if self.leased => {
                        one(Expression::leaf(name, &list, Pass::Mutable).within("", ".as_mut_slice()"))
                    }
                    true => one(Expression::leaf(name, &list, Pass::Value).within("", ".as_mut_slice()")),
                    false => self.pair(name, of, depth, "&mut [", "][..]"),
                }
            }
            Kind::Dynamic(bounds) => match bounds.iter().find(|bound| bound.is_closure()) {
                Some(bound) => self.of_bound(bound).into_iter().map(|one| one.within("&mut ", "")).collect(),
                None => self.implemented(name, bounds, depth, "&mut "),
            },
            _ if standard::is_drawn(to) && self.leased => one(Expression::leaf(name, to, Pass::Mutable)),
            _ if standard::is_drawn(to) => one(Expression::leaf(name, to, Pass::Changed)),
            _ if self.solver.is_unsized(to) => {
                let reference = Kind::Reference { mutable: true, is_static: false, to: Box::new(to.clone()) };
                one(Expression::leaf(name, &reference, Pass::Mutable))
            }
            _ if self.is_earlier(to) => one(Expression::leaf(name, to, Pass::Mutable)),
            _ => self.around(name, to, depth, "&mut "),
        }
    }

    /// Something that implements traits.
    fn implemented(&self, name: &str, bounds: &[Bound], depth: usize, before: &str) -> Vec<Expression> {
        if let Some(bound) = bounds.iter().find(|bound| bound.is_closure()) {
            return self.of_bound(bound).into_iter().map(|one| one.within(before, "")).collect();
        }
        let kinds = self.solver.kinds(bounds, 2, &[]);
        kinds.first().map_or(Vec::new(), |kind| match before {
            "&" => self.shared(name, kind, depth - 1),
            "&mut " => self.mutable(name, kind, depth - 1),
            _ => self.within(name, kind, depth - 1),
        })
    }

    fn around(&self, name: &str, kind: &Kind, depth: usize, before: &str) -> Vec<Expression> {
        self.within(name, kind, depth - 1).into_iter().map(|one| one.within(before, "")).collect()
    }

    /// Two of a type within brackets.
    fn pair(&self, name: &str, of: &Kind, depth: usize, before: &str, after: &str) -> Vec<Expression> {
        let Some(one) = self.first(name, of, depth - 1) else { return Vec::new() };
        vec![Expression::list([one.clone(), one]).within(before, after)]
    }

    fn array(&self, name: &str, of: &Kind, length: &Kind, depth: usize) -> Vec<Expression> {
        let Kind::Constant(length) = length else { return Vec::new() };
        let Ok(length) = length.parse::<usize>() else { return Vec::new() };
        let one = if length == 0 { Some(Expression::default()) } else { self.first(name, of, depth - 1) };
        match one {
            Some(one) if length <= 6 => vec![Expression::list(vec![one; length]).within("[", "]")],
            _ => Vec::new(),
        }
    }

    /// Bytes by reference, inside a call.
    fn wrapped_bytes(&self, name: &str, mutable: bool, before: &str, depth: usize) -> Vec<Expression> {
        let bytes = Kind::Slice(Box::new(Kind::named("u8")));
        let made = if mutable { self.mutable(name, &bytes, depth) } else { self.shared(name, &bytes, depth) };
        made.into_iter().map(|one| one.within(before, ")")).collect()
    }

    fn named(&self, name: &str, path: &str, kind: &Kind, depth: usize) -> Vec<Expression> {
        let arguments = kind.arguments();
        let inner = |place: usize| self.first(name, arguments.get(place)?, depth - 1);
        let call = |function: &str| {
            inner(0).map(|one| one.within(&format!("{function}("), ")")).into_iter().collect::<Vec<_>>()
        };
        let text = |text: &str| vec![Expression::text(text)];
        match (path, &arguments[..]) {
            ("std::option::Option", [_]) => {
                let mut all = call("Some");
                all.push(Expression::text("None").labelled("None"));
                all
            }
            ("std::result::Result", [_, _]) => call("Ok"),
            ("std::boxed::Box", [Kind::Dynamic(bounds)]) => {
                let made = self.implemented(name, bounds, depth, "");
                made.into_iter().map(|one| one.within("Box::new(", ")")).collect()
            }
            ("std::boxed::Box", [of]) if self.solver.is_unsized(of) => {
                vec![Expression::leaf(name, kind, Pass::Taken)]
            }
            ("std::boxed::Box", [Kind::Slice(of)]) => {
                let list = Kind::generic("std::vec::Vec", [(**of).clone()]);
                self.first(name, &list, depth - 1)
                    .map(|one| one.within("", ".into_boxed_slice()"))
                    .into_iter()
                    .collect()
            }
            ("std::boxed::Box" | "std::rc::Rc" | "std::sync::Arc", [of]) if of.is("str") => {
                vec![
                    Expression::leaf(name, &Kind::named("std::string::String"), Pass::Value)
                        .within("", ".into()"),
                ]
            }
            (
                "std::boxed::Box"
                | "std::rc::Rc"
                | "std::sync::Arc"
                | "std::cell::Cell"
                | "std::cell::RefCell"
                | "std::sync::Mutex"
                | "std::sync::RwLock"
                | "std::io::Cursor"
                | "std::pin::Pin"
                | "std::io::BufReader"
                | "std::mem::MaybeUninit",
                [_],
            ) => call(&format!("{path}::new")),
            ("std::future::Ready", [_]) => call("std::future::ready"),
            ("std::cmp::Reverse" | "std::num::Wrapping" | "std::num::Saturating", [_]) => call(path),
            ("std::vec::Vec", [of]) => self.pair(name, of, depth, "vec![", "]"),
            (
                "std::collections::VecDeque"
                | "std::collections::BTreeSet"
                | "std::collections::HashSet"
                | "std::collections::BinaryHeap"
                | "std::collections::LinkedList",
                [of, ..],
            ) => self.pair(name, of, depth, &format!("{path}::from(["), "])"),
            ("std::collections::BTreeMap" | "std::collections::HashMap", [key, value]) => {
                let entry = Kind::Tuple(vec![(*key).clone(), (*value).clone()]);
                self.pair(name, &entry, depth, &format!("{path}::from(["), "])")
            }
            ("std::borrow::Cow", [of]) => {
                let borrowed = self.shared(name, of, depth - 1);
                borrowed.into_iter().map(|one| one.within("std::borrow::Cow::Borrowed(", ")")).collect()
            }
            ("std::vec::IntoIter", [of]) => {
                let list = Kind::generic("std::vec::Vec", [(*of).clone()]);
                self.first(name, &list, depth - 1)
                    .map(|one| one.within("", ".into_iter()"))
                    .into_iter()
                    .collect()
            }
            ("std::slice::Iter", [of]) => {
                let slice = Kind::Slice(Box::new((*of).clone()));
                self.shared(name, &slice, depth - 1)
                    .into_iter()
                    .map(|one| one.within("(", ").iter()"))
                    .collect()
            }
            ("std::io::IoSlice", []) => self.wrapped_bytes(name, false, "std::io::IoSlice::new(", depth),
            ("std::io::IoSliceMut", []) => self.wrapped_bytes(name, true, "std::io::IoSliceMut::new(", depth),
            ("std::str::Chars", []) => self
                .shared(name, &Kind::named("str"), depth)
                .into_iter()
                .map(|one| one.within("(", ").chars()"))
                .collect(),
            ("std::ops::Range", [_]) => match inner(0) {
                Some(one) => {
                    let mut range = one.clone();
                    range.push(one.within("..", ""));
                    vec![range.within("(", ")")]
                }
                None => Vec::new(),
            },
            ("std::ops::RangeInclusive", [_]) => match inner(0) {
                Some(one) => {
                    let mut range = one.clone();
                    range.push(one.within("..=", ""));
                    vec![range.within("(", ")")]
                }
                None => Vec::new(),
            },
            ("std::ops::RangeFrom", [_]) => inner(0).map(|one| one.within("(", "..)")).into_iter().collect(),
            ("std::ops::RangeTo", [_]) => inner(0).map(|one| one.within("(..", ")")).into_iter().collect(),
            ("std::ops::RangeToInclusive", [_]) => {
                inner(0).map(|one| one.within("(..=", ")")).into_iter().collect()
            }
            ("std::hash::RandomState", _) => text("std::hash::RandomState::new()"),
            ("std::hash::DefaultHasher", _) => text("std::hash::DefaultHasher::new()"),
            ("std::hash::BuildHasherDefault", _) => text("std::hash::BuildHasherDefault::default()"),
            ("std::marker::PhantomData", _) => text("std::marker::PhantomData"),
            ("std::fmt::Error", _) => text("std::fmt::Error"),
            ("std::io::Error", _) => text("std::io::Error::other(\"made\")"),
            ("std::fmt::Arguments", _) => text("format_args!(\"made\")"),
            ("std::task::Context", _) => text("std::task::Context::from_waker(std::task::Waker::noop())"),
            ("std::fmt::Formatter" | "!", _) => Vec::new(),
            _ if kind.is_concrete() => vec![Expression::leaf(name, kind, Pass::Taken)],
            _ => Vec::new(),
        }
    }
}
