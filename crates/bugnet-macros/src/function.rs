//! The function under `#[property]`, parsed as far as a property needs it: its body stays tokens.
//!
//! **Invariant:** what is parsed here can be called with generated values: no generics, no `self`,
//! nothing `const`, `unsafe` or `extern`.

use crate::example::Example;
use crate::parameter::{Parameter, Passing};
use crate::precondition::Divided;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Token, Visibility, parenthesized};

/// A function that is a property.
pub(crate) struct Function {
    /// The attributes that stay on the test.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) examples: Vec<Example>,
    pub(crate) visibility: Visibility,
    pub(crate) is_async: bool,
    pub(crate) name: Ident,
    pub(crate) parameters: Vec<Parameter>,
    /// The return type; empty if there is none.
    pub(crate) output: TokenStream,
    pub(crate) body: Group,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> Result<Function, Error> {
        let mut attributes = input.call(Attribute::parse_outer)?;
        let examples = Example::take(&mut attributes)?;
        let visibility = input.parse()?;
        refuse_qualifiers(input)?;
        let is_async = input.parse::<Option<Token![async]>>()?.is_some();
        refuse_qualifiers(input)?;
        input.parse::<Token![fn]>().map_err(|error| {
            Error::new(error.span(), "`#[property]` stands on a function; write `fn name(input: Type) { … }`")
        })?;
        let name = input.parse()?;
        if input.peek(Token![<]) {
            let message = "a property cannot be generic, for it is run as it stands; \
                           write the types to be generated instead of parameters";
            return Err(input.error(message));
        }
        let parameters = parameters(input)?;
        let output = output(input)?;
        let body = match input.parse()? {
            TokenTree::Group(body) => body,
            other => return Err(Error::new(other.span(), "a property needs a body in braces")),
        };
        let function =
            Function { attributes, examples, visibility, is_async, name, parameters, output, body };
        function.check_examples()?;
        Ok(function)
    }
}

/// Says what is wrong with a function that has a qualifier which no property has.
fn refuse_qualifiers(input: ParseStream<'_>) -> Result<(), Error> {
    if input.peek(Token![const]) || input.peek(Token![unsafe]) || input.peek(Token![extern]) {
        return Err(input.error("a property is an ordinary function or an `async` one; remove this word"));
    }
    Ok(())
}

fn parameters(input: ParseStream<'_>) -> Result<Vec<Parameter>, Error> {
    let list;
    parenthesized!(list in input);
    let parsed = Punctuated::<Parameter, Token![,]>::parse_terminated(&list)?;
    let mut parameters: Vec<Parameter> = Vec::new();
    for mut parameter in parsed {
        parameter.number(parameters.len() + 1);
        let is_source = |parameter: &Parameter| parameter.passing == Passing::Source;
        if is_source(&parameter) && parameters.iter().any(is_source) {
            let message = "there is one source only; remove the second parameter of type `&mut Source`";
            return Err(Error::new_spanned(&parameter.kind, message));
        }
        parameters.push(parameter);
    }
    Ok(parameters)
}

/// The return type, which ends where the body begins.
fn output(input: ParseStream<'_>) -> Result<TokenStream, Error> {
    if !input.peek(Token![->]) {
        if input.peek(Token![where]) {
            return Err(input.error("a property cannot have bounds, for it is not generic; remove them"));
        }
        return Ok(TokenStream::new());
    }
    input.parse::<Token![->]>()?;
    let output: syn::Type = input.parse()?;
    Ok(output.into_token_stream())
}

impl Function {
    /// The parameters whose values are generated.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|parameter| parameter.passing != Passing::Source)
    }

    fn check_examples(&self) -> Result<(), Error> {
        let expected = self.inputs().count();
        for example in &self.examples {
            let given = example.arguments.len();
            if given != expected {
                let message = format!(
                    "this example has {}, and `{}` takes {expected}; write one for each parameter, as in a call",
                    counted(given, "argument"),
                    self.name,
                );
                return Err(Error::new(example.place, message));
            }
        }
        Ok(())
    }

    /// Where the compiler is to complain about what the function returns.
    pub(crate) fn output_span(&self) -> Span {
        if self.output.is_empty() { self.name.span() } else { self.output.span() }
    }

    /// The function as the user wrote it, without the attributes that are ours. If it begins with
    /// preconditions, it returns a verdict instead.
    pub(crate) fn as_written(&self) -> TokenStream {
        let Function { name, output, body, .. } = self;
        let asynchronous = self.is_async.then(|| quote!(async));
        let (output, body) = match Divided::of(self) {
            Some(divided) => (quote!(-> ::bugnet::__private::Verdict), divided.body(self)),
            None if output.is_empty() => (quote!(), quote!(#body)),
            None => (quote!(-> #output), quote!(#body)),
        };
        let parameters = self.parameters.iter().map(|parameter| {
            let Parameter { attributes, pattern, kind, .. } = parameter;
            quote!(#(#attributes)* #pattern: #kind)
        });
        quote!(#asynchronous fn #name(#(#parameters),*) #output #body)
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
