//! A parameter of a property: what is generated for it, and how it is passed.
//!
//! **Invariant:** the type that is generated is owned; a parameter that is a reference borrows it
//! for the call.

use crate::attribute::Attribute;
use crate::emit::code_at;
use crate::error::Error;
use crate::kind;
use crate::reader::{Reader, bare, is_mark, is_word, start};
use proc_macro::{Delimiter, TokenStream, TokenTree};

/// One parameter.
pub(crate) struct Parameter {
    /// The attributes that are not ours.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) pattern: TokenStream,
    /// The type as written.
    pub(crate) kind: TokenStream,
    /// The name that reports show.
    pub(crate) shown: String,
    pub(crate) passing: Passing,
    pub(crate) owned: Owned,
    /// The generator given by `#[with(…)]`.
    pub(crate) generator: Option<TokenStream>,
}

/// The way in which an argument is passed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passing {
    /// The generated value itself.
    Value,
    /// `&` of it.
    Shared,
    /// `&mut` of it.
    Mutable,
    /// Nothing is generated: the parameter gets the source.
    Source,
}

/// The type that is generated.
pub(crate) struct Owned {
    pub(crate) tokens: TokenStream,
    /// The type as a person would write it.
    pub(crate) text: String,
    /// True if it stands for another type, such as `String` for `str`.
    pub(crate) is_stand_in: bool,
}

impl Parameter {
    /// Reads the parameter at a place, counted from one.
    pub(crate) fn read(tokens: TokenStream, place: usize) -> Result<Parameter, Error> {
        let mut reader = Reader::new(tokens);
        let mut attributes = Attribute::read_all(&mut reader);
        let generator = take_generator(&mut attributes)?;
        let (pattern, kind) = divide(reader.rest())?;
        if Reader::new(bare(&kind)).take_word("impl") {
            let message = "a test cannot be generic, for it is run as it stands; \
                           write the type to be generated instead of `impl …`";
            return Err(Error::across(&kind, message));
        }
        let (passing, owned) = passing(&kind);
        if let (Passing::Source, Some(generator)) = (passing, &generator) {
            let message = "a parameter of type `&mut Source` gets the source itself; remove `#[with(…)]`";
            return Err(Error::across(generator, message));
        }
        let shown = name_in(&pattern).unwrap_or_else(|| format!("input_{place}"));
        Ok(Parameter { attributes, pattern, kind, shown, passing, owned, generator })
    }
}

/// Takes `#[with(…)]` out of the attributes.
fn take_generator(attributes: &mut Vec<Attribute>) -> Result<Option<TokenStream>, Error> {
    let mut generator = None;
    for attribute in Attribute::take_all(attributes, "with") {
        let message = "`#[with(…)]` needs a generator in parentheses, such as `#[with(0..10)]`";
        let tokens = attribute.arguments(message)?;
        if tokens.is_empty() {
            return Err(Error::new(attribute.place, message));
        }
        if generator.replace(tokens).is_some() {
            return Err(Error::new(attribute.place, "a parameter has one generator; remove this one"));
        }
    }
    Ok(generator)
}

/// Returns the tokens on both sides of the first single colon.
pub(crate) fn divided_by_colon(tokens: TokenStream) -> Option<(TokenStream, TokenStream)> {
    let (mut reader, mut before) = (Reader::new(tokens), TokenStream::new());
    while let Some(token) = reader.next() {
        let is_colon = is_mark(&token, ':');
        if is_colon && !reader.peek().is_some_and(|next| is_mark(next, ':')) {
            return Some((before, reader.rest()));
        }
        before.extend([token]);
        before.extend(if is_colon { reader.next() } else { None });
    }
    None
}

/// The pattern and the type, which the first single colon divides.
fn divide(pattern: TokenStream) -> Result<(TokenStream, TokenStream), Error> {
    if let Some(divided) = divided_by_colon(pattern.clone()) {
        return Ok(divided);
    }
    let is_self = pattern.clone().into_iter().any(|token| is_word(&token, "self"));
    let message = if is_self {
        "a property has no `self`, for nobody is there to provide it; \
         move it out of the `impl` and generate the value as a parameter"
    } else {
        "every parameter of a property needs a type, such as `input: Vec<u8>`"
    };
    Err(Error::across(&pattern, message))
}

/// The name in a pattern that consists of one.
fn name_in(pattern: &TokenStream) -> Option<String> {
    let mut reader = Reader::new(pattern.clone());
    reader.take_word("ref");
    reader.take_word("mut");
    let name = reader.take_name()?;
    (reader.is_empty() && name.to_string() != "_").then(|| name.to_string())
}

/// Returns the way in which a type is passed, and the type that is generated for it.
pub(crate) fn passing(kind: &TokenStream) -> (Passing, Owned) {
    let by_value = || (Passing::Value, Owned::same(kind));
    let mut reader = Reader::new(bare(kind));
    if !reader.take_mark('&') {
        return by_value();
    }
    // What lives for ever cannot be borrowed for a call: its generator must provide the reference.
    if reader.take_mark('\'') && reader.take_name().is_some_and(|lifetime| lifetime.to_string() == "static") {
        return by_value();
    }
    let is_mutable = reader.take_word("mut");
    let behind = reader.rest();
    let passing = match is_mutable {
        true if is_source(&behind) => Passing::Source,
        true => Passing::Mutable,
        false => Passing::Shared,
    };
    (passing, Owned::of(&behind))
}

/// Returns true if a type is a path that ends in `Source`.
fn is_source(kind: &TokenStream) -> bool {
    let tokens: Vec<TokenTree> = bare(kind).into_iter().collect();
    let is_path = tokens.iter().all(|token| is_mark(token, ':') || matches!(token, TokenTree::Ident(_)));
    is_path && tokens.last().is_some_and(|last| is_word(last, "Source"))
}

impl Owned {
    fn same(kind: &TokenStream) -> Owned {
        Owned { tokens: kind.clone(), text: kind::text(kind), is_stand_in: false }
    }

    /// Returns the owner of the type behind a reference.
    fn of(behind: &TokenStream) -> Owned {
        let mut reader = Reader::new(bare(behind));
        let place = start(behind);
        if reader.take_word("str") && reader.is_empty() {
            let tokens = code_at!(place, "::std::string::String");
            return Owned { tokens, text: "String".to_string(), is_stand_in: true };
        }
        if let Some(group) = reader.take_group(Delimiter::Bracket) {
            let element = group.stream();
            let is_array = element.clone().into_iter().any(|token| is_mark(&token, ';'));
            if !is_array {
                let tokens = code_at!(start(&element), "::std::vec::Vec<$element>", element);
                let text = format!("Vec<{}>", kind::text(&element));
                return Owned { tokens, text, is_stand_in: true };
            }
        }
        Owned::same(behind)
    }
}
