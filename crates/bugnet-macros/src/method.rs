//! A function of an `impl` block, read as far as an operation needs it.
//!
//! **Invariant:** nothing is refused here, for a function may turn out to be a helper.

use crate::attribute::Attribute;
use crate::error::Error;
use crate::function::{as_body, output_type};
use crate::reader::{Reader, is_mark, is_word, split_types};
use proc_macro::{Delimiter, Group, Ident, TokenStream, TokenTree};

/// A function of an `impl` block.
pub(crate) struct Method {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: TokenStream,
    /// `async`, `unsafe` and the like.
    pub(crate) qualifiers: Vec<TokenTree>,
    pub(crate) name: Ident,
    pub(crate) generics: Vec<TokenStream>,
    /// The receiver too, if there is one.
    pub(crate) parameters: Vec<TokenStream>,
    /// The return type; empty if there is none.
    pub(crate) output: TokenStream,
    pub(crate) body: Option<Group>,
}

impl Method {
    /// The functions among the items of a block.
    pub(crate) fn read_all(items: TokenStream) -> Result<Vec<Method>, Error> {
        let (mut reader, mut methods) = (Reader::new(items), Vec::new());
        while !reader.is_empty() {
            methods.extend(Method::read(&mut reader)?);
        }
        Ok(methods)
    }

    /// Reads an item; `None` if it is no function.
    fn read(reader: &mut Reader) -> Result<Option<Method>, Error> {
        let attributes = Attribute::read_all(reader);
        let visibility = reader.take_visibility();
        let is_qualifier = |token: &TokenTree| {
            ["const", "async", "unsafe", "safe", "extern", "default"].iter().any(|word| is_word(token, word))
                || matches!(token, TokenTree::Literal(_))
        };
        let mut qualifiers = Vec::new();
        while reader.peek().is_some_and(is_qualifier) {
            qualifiers.extend(reader.next());
        }
        if !reader.take_word("fn") {
            let ends_in_brace = qualifiers.is_empty() && !reader.take_word("type");
            while let Some(token) = reader.next() {
                if is_mark(&token, ';') || ends_in_brace && as_body(&token).is_some() {
                    break;
                }
            }
            return Ok(None);
        }
        let place = reader.place();
        let name = reader.take_name().ok_or_else(|| Error::new(place, "a function needs a name"))?;
        let mut generics = Vec::new();
        if reader.take_mark('<') {
            generics = split_types(reader.until(|token| is_mark(token, '>')));
            reader.next();
        }
        let parameters = reader.take_group(Delimiter::Parenthesis).map(|group| split_types(group.stream()));
        let output = output_type(reader);
        reader.until(|token| as_body(token).is_some() || is_mark(token, ';'));
        let body = reader.next().and_then(|token| as_body(&token));
        let parameters = parameters.unwrap_or_default();
        Ok(Some(Method { attributes, visibility, qualifiers, name, generics, parameters, output, body }))
    }

    /// Takes an attribute of a name, if there is one.
    pub(crate) fn take(&mut self, name: &str) -> Option<Attribute> {
        Attribute::take_all(&mut self.attributes, name).pop()
    }

    pub(crate) fn is_async(&self) -> bool {
        self.qualifiers.iter().any(|word| is_word(word, "async"))
    }

    /// Its receiver as written, if it has one.
    pub(crate) fn receiver(&self) -> Option<TokenStream> {
        let mut reader = Reader::new(self.parameters.first()?.clone());
        Attribute::read_all(&mut reader);
        let receiver = reader.rest();
        let mut reader = Reader::new(receiver.clone());
        if reader.take_mark('&') && reader.take_mark('\'') {
            reader.next();
        }
        reader.take_word("mut");
        reader.take_word("self").then_some(receiver)
    }

    /// Refuses a function that programs cannot call, with the reason.
    pub(crate) fn demand_callable(&self) -> Result<(), Error> {
        let barred = self.qualifiers.iter().find(|word| !is_word(word, "async") && !is_word(word, "const"));
        if let Some(word) = barred {
            let message = "programs call ordinary functions and `async` ones; \
                           remove this word, or write `#[skip]` before the function";
            return Err(Error::new(word.span(), message));
        }
        let is_lifetime = |generic: &TokenStream| Reader::new(generic.clone()).take_mark('\'');
        match self.generics.iter().find(|generic| !is_lifetime(generic)) {
            None => Ok(()),
            Some(generic) => {
                let message = "programs cannot choose a type or a number for this; \
                               remove the parameter, or write `#[skip]` before the function";
                Err(Error::across(generic, message))
            }
        }
    }
}
