//! A parameter of a property: what is generated for it, and how it is passed.
//!
//! **Invariant:** the type that is generated is owned; a parameter that is a reference borrows it
//! for the call.

use crate::kind;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Attribute, Error, Token, Type};

/// One parameter.
pub(crate) struct Parameter {
    /// The attributes that are not ours.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) pattern: TokenStream,
    /// The type as written.
    pub(crate) kind: Type,
    /// The name that reports show.
    pub(crate) shown: String,
    pub(crate) passing: Passing,
    pub(crate) owned: Owned,
    /// The generator given by `#[with(…)]`.
    pub(crate) generator: Option<TokenStream>,
}

/// How an argument is passed.
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
    /// Whether it stands for another type, such as `String` for `str`.
    pub(crate) is_stand_in: bool,
}

impl Parse for Parameter {
    fn parse(input: ParseStream<'_>) -> Result<Parameter, Error> {
        let mut attributes = input.call(Attribute::parse_outer)?;
        let generator = take_generator(&mut attributes)?;
        let pattern = pattern(input)?;
        input.parse::<Token![:]>()?;
        let kind: Type = input.parse()?;
        refuse_impl(&kind)?;
        let (passing, owned) = passing(&kind);
        if let (Passing::Source, Some(generator)) = (passing, &generator) {
            let message = "a parameter of type `&mut Source` gets the source itself; remove `#[with(…)]`";
            return Err(Error::new_spanned(generator, message));
        }
        let shown = shown_name(&pattern).unwrap_or_default();
        Ok(Parameter { attributes, pattern, kind, shown, passing, owned, generator })
    }
}

impl Parameter {
    /// Names a parameter whose pattern is no name by its place.
    pub(crate) fn number(&mut self, place: usize) {
        if self.shown.is_empty() {
            self.shown = format!("input_{place}");
        }
    }
}

/// Takes `#[with(…)]` out of the attributes.
fn take_generator(attributes: &mut Vec<Attribute>) -> Result<Option<TokenStream>, Error> {
    let mut generator = None;
    for attribute in attributes.extract_if(.., |attribute| attribute.path().is_ident("with")) {
        let tokens = match &attribute.meta {
            syn::Meta::List(list) => list.tokens.clone(),
            _ => TokenStream::new(),
        };
        if tokens.is_empty() {
            let message = "`#[with(…)]` needs a generator in parentheses, such as `#[with(0..10)]`";
            return Err(Error::new(attribute.path().span(), message));
        }
        if generator.replace(tokens).is_some() {
            return Err(Error::new(
                attribute.path().span(),
                "a parameter has one generator; remove this one",
            ));
        }
    }
    Ok(generator)
}

/// Everything up to the colon before the type.
fn pattern(input: ParseStream<'_>) -> Result<TokenStream, Error> {
    let mut pattern = TokenStream::new();
    loop {
        if input.peek(Token![::]) {
            input.parse::<Token![::]>()?.to_tokens(&mut pattern);
        } else if input.peek(Token![:]) && !pattern.is_empty() {
            return Ok(pattern);
        } else if input.is_empty() || input.peek(Token![,]) {
            let message = if pattern.to_string().ends_with("self") {
                "a property has no `self`, for nobody is there to provide it; \
                 move it out of the `impl` and generate the value as a parameter"
            } else {
                "every parameter of a property needs a type, such as `input: Vec<u8>`"
            };
            return Err(Error::new_spanned(pattern, message));
        } else {
            pattern.extend([input.parse::<TokenTree>()?]);
        }
    }
}

fn refuse_impl(kind: &Type) -> Result<(), Error> {
    match kind {
        Type::ImplTrait(_) => {
            let message = "a property cannot be generic, for it is run as it stands; \
                           write the type to be generated instead of `impl …`";
            Err(Error::new_spanned(kind, message))
        }
        _ => Ok(()),
    }
}

/// The name in a pattern that consists of one.
fn shown_name(pattern: &TokenStream) -> Option<String> {
    let is_keyword =
        |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "mut" || word == "ref");
    let tokens: Vec<TokenTree> = pattern.clone().into_iter().skip_while(is_keyword).collect();
    match tokens.as_slice() {
        [TokenTree::Ident(name)] if name != "_" => Some(name.to_string()),
        _ => None,
    }
}

/// How a type is passed, and what is generated for it.
fn passing(kind: &Type) -> (Passing, Owned) {
    let Type::Reference(reference) = kind::inner(kind) else { return (Passing::Value, Owned::same(kind)) };
    // What lives for ever cannot be borrowed for a call: its generator must provide the reference.
    if reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static") {
        return (Passing::Value, Owned::same(kind));
    }
    let behind = kind::inner(&reference.elem);
    let is_source = matches!(behind, Type::Path(path)
        if path.path.segments.last().is_some_and(|last| last.ident == "Source"));
    let passing = match reference.mutability {
        Some(_) if is_source => Passing::Source,
        Some(_) => Passing::Mutable,
        None => Passing::Shared,
    };
    let owned = match behind {
        Type::Path(path) if path.path.is_ident("str") => {
            Owned { tokens: quote!(::std::string::String), text: "String".to_string(), is_stand_in: true }
        }
        Type::Slice(slice) => {
            let element = &slice.elem;
            let tokens = quote_spanned!(element.span()=> ::std::vec::Vec<#element>);
            let text = format!("Vec<{}>", kind::text(element.to_token_stream()));
            Owned { tokens, text, is_stand_in: true }
        }
        other => Owned::same(other),
    };
    (passing, owned)
}

impl Owned {
    fn same(kind: &Type) -> Owned {
        let tokens = kind.to_token_stream();
        Owned { text: kind::text(tokens.clone()), tokens, is_stand_in: false }
    }
}

/// An identifier that expressions of the user neither see nor hide.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, proc_macro2::Span::mixed_site())
}
