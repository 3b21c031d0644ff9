//! The value that a call makes, told by the return type of the function.
//!
//! **Invariant:** a result is kept only if it outlives the call: what borrows from a literal is
//! dropped.

use crate::argument::{Argument, Origin, described};
use crate::emit::code;
use crate::kind::text;
use crate::parameter::Passing;
use crate::reader::{Reader, bare, is_mark, is_word, split_types};
use crate::substitution::forever;
use proc_macro::{Delimiter, TokenStream, TokenTree};

/// The result of a call.
pub(crate) struct Made {
    /// The type around it.
    pub(crate) wrapper: Option<Wrapper>,
    pub(crate) kept: Kept,
}

/// The types that may be around a result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrapper {
    Option,
    Result,
}

/// The fate of a result.
pub(crate) enum Kept {
    /// There is none.
    Nothing,
    /// It is dropped.
    Dropped,
    /// It is kept for later calls.
    Value { kind: TokenStream, text: String, access: Access, leased: bool },
}

/// The way in which a result holds its value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Owned,
    Shared,
    Mutable,
}

impl Made {
    /// Reads a return type.
    pub(crate) fn of(output: &TokenStream, arguments: &[Argument]) -> Made {
        let output = bare(output);
        for (name, wrapper) in [("Option", Wrapper::Option), ("Result", Wrapper::Result)] {
            if let Some(parts) = parts_of(&output, name) {
                let inside = parts.first().cloned().unwrap_or_default();
                return Made { wrapper: Some(wrapper), kept: Kept::of(&bare(&inside), arguments) };
            }
        }
        Made { wrapper: None, kept: Kept::of(&output, arguments) }
    }

    pub(crate) fn is_leased(&self) -> bool {
        matches!(self.kept, Kept::Value { leased: true, .. })
    }

    /// Returns true if it is a value of this type.
    pub(crate) fn is(&self, subject: &str) -> bool {
        matches!(&self.kept, Kept::Value { text, .. } if text == subject)
    }

    /// Its type and the name of that, if it is kept.
    pub(crate) fn kind(&self) -> Option<(&TokenStream, &str)> {
        match &self.kept {
            Kept::Value { kind, text, .. } => Some((kind, text)),
            _ => None,
        }
    }

    /// Returns the description for the engine; `is_wrapped` says that the value is still inside of something when
    /// it is printed.
    pub(crate) fn described(&self, is_wrapped: bool) -> TokenStream {
        let Kept::Value { kind, text, access, leased } = &self.kept else { return TokenStream::new() };
        let access = match access {
            Access::Owned => code!("Owned"),
            Access::Shared => code!("Shared"),
            Access::Mutable => code!("Mutable"),
        };
        let wrapped = self.wrapper.filter(|_| is_wrapped).map(|_| code!(".wrapped()"));
        let leased = leased.then(|| code!(".leased()"));
        code!(
            ".returns(
                $described
                    .fingerprinted((&&&::bugnet::program::Probe::<$kind>::NEW).fingerprint())
                    .observed((&&::bugnet::program::Probe::<$kind>::NEW).observer()),
                ::bugnet::program::Access::$access,
            ) $wrapped $leased",
            described = described(kind, text),
            kind,
            access,
            wrapped,
            leased
        )
    }
}

impl Kept {
    fn of(output: &TokenStream, arguments: &[Argument]) -> Kept {
        let is_unit = text(output) == "()" || text(output) == "!";
        if output.is_empty() || is_unit {
            return Kept::Nothing;
        }
        let loans = loans(output);
        if any(output, &|token| is_word(token, "impl")) || !loans.iter().all(|loan| loan.lasts(arguments)) {
            return Kept::Dropped;
        }
        let (access, kind) = referent(output);
        match kind {
            Some(kind) => {
                let kind = forever(kind);
                Kept::Value { text: text(&kind), kind, access, leased: !loans.is_empty() }
            }
            None => Kept::Dropped,
        }
    }
}

/// Returns the way in which a type holds the value behind its reference, and the type of that value; `None` if it
/// has no size.
fn referent(output: &TokenStream) -> (Access, Option<TokenStream>) {
    let owned = (Access::Owned, Some(output.clone()));
    let mut reader = Reader::new(output.clone());
    if !reader.take_mark('&') {
        return owned;
    }
    if reader.take_mark('\'') && reader.next().is_some_and(|lifetime| is_word(&lifetime, "static")) {
        return owned;
    }
    let access = if reader.take_word("mut") { Access::Mutable } else { Access::Shared };
    let behind = bare(&reader.rest());
    let mut reader = Reader::new(behind.clone());
    let is_slice = reader
        .take_group(Delimiter::Bracket)
        .is_some_and(|inside| !inside.stream().into_iter().any(|token| is_mark(&token, ';')));
    let is_unsized = is_slice || reader.take_word("dyn") || reader.take_word("str") && reader.is_empty();
    (access, (!is_unsized).then_some(behind))
}

/// A lifetime in a return type.
enum Loan {
    Elided,
    Named(String),
}

/// The lifetimes in a return type that end.
fn loans(output: &TokenStream) -> Vec<Loan> {
    let tokens: Vec<TokenTree> = output.clone().into_iter().collect();
    let mut found = Vec::new();
    for (place, token) in tokens.iter().enumerate() {
        let next = tokens.get(place + 1);
        match token {
            TokenTree::Group(group) => found.extend(loans(&group.stream())),
            token if is_mark(token, '\'') => match next.map(ToString::to_string).as_deref() {
                Some("static") | None => {}
                Some("_") => found.push(Loan::Elided),
                Some(name) => found.push(Loan::Named(name.to_string())),
            },
            token if is_mark(token, '&') && !next.is_some_and(|next| is_mark(next, '\'')) => {
                found.push(Loan::Elided);
            }
            _ => {}
        }
    }
    found
}

impl Loan {
    /// Returns true if everything that may be lent here outlives the call, as literals do not.
    fn lasts(&self, arguments: &[Argument]) -> bool {
        let by_receiver =
            arguments.first().is_some_and(|first| first.is_receiver() && first.passing != Passing::Value);
        let lends = |argument: &Argument| match self {
            Loan::Elided if by_receiver => argument.is_receiver(),
            Loan::Elided => any(&argument.written, &|token| is_mark(token, '&') || is_mark(token, '\'')),
            Loan::Named(name) => any(&argument.written, &|token| is_word(token, name)),
        };
        arguments
            .iter()
            .filter(|argument| lends(argument))
            .all(|lender| matches!(lender.origin, Origin::Earlier))
    }
}

/// The arguments of a generic type, if it has this name.
fn parts_of(kind: &TokenStream, name: &str) -> Option<Vec<TokenStream>> {
    let mut reader = Reader::new(kind.clone());
    let mut last = String::new();
    while let Some(token) = reader.next() {
        match &token {
            TokenTree::Ident(part) => last = part.to_string(),
            token if is_mark(token, ':') => {}
            token if is_mark(token, '<') && last == name => {
                let inside = reader.until(|token| is_mark(token, '>'));
                reader.next();
                return reader.is_empty().then(|| split_types(inside));
            }
            _ => return None,
        }
    }
    // An alias such as `fmt::Result` has no arguments, and an error.
    (last == name && name == "Result").then(Vec::new)
}

fn any(tokens: &TokenStream, fits: &dyn Fn(&TokenTree) -> bool) -> bool {
    crate::precondition::mentions(tokens.clone(), fits)
}
