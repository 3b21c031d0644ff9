//! An example: arguments given by hand in `#[example(…)]`.
//!
//! **Invariant:** the arguments are passed as they are written.

use proc_macro2::{Punct, Span, TokenStream, TokenTree};
use quote::quote;
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Meta};

/// The arguments of one call.
pub(crate) struct Example {
    pub(crate) arguments: Vec<TokenStream>,
    /// The arguments as written.
    pub(crate) text: String,
    pub(crate) place: Span,
}

impl Example {
    /// Takes the examples out of the attributes of a function.
    pub(crate) fn take(attributes: &mut Vec<Attribute>) -> Result<Vec<Example>, Error> {
        let ours = attributes.extract_if(.., |attribute| is_named(attribute, "example"));
        ours.map(Example::parse).collect()
    }

    fn parse(attribute: Attribute) -> Result<Example, Error> {
        let place = attribute.path().span();
        let Meta::List(list) = attribute.meta else {
            return Err(Error::new(place, "`#[example(…)]` needs the arguments of a call in parentheses"));
        };
        let written = list.delimiter.span().join().source_text().unwrap_or_default();
        let text = match (written.find('('), written.rfind(')')) {
            (Some(open), Some(close)) if open < close => written[open + 1..close].to_string(),
            _ => list.tokens.to_string(),
        };
        Ok(Example { arguments: arguments(list.tokens), text, place })
    }
}

/// Moves the examples that stand before `#[property]` behind it, where the property reads them.
pub(crate) fn moved(arguments: TokenStream, item: ParseStream<'_>) -> Result<TokenStream, Error> {
    let mut before = item.call(Attribute::parse_outer)?;
    let Some(place) = before.iter().position(|attribute| is_named(attribute, "property")) else {
        let message = "`#[example(…)]` belongs to a property; write `#[property]` on the function as well";
        return Err(Error::new(Span::call_site(), message));
    };
    let behind = before.split_off(place + 1);
    let (more, before): (Vec<_>, Vec<_>) =
        before.into_iter().partition(|attribute| is_named(attribute, "example"));
    let function: TokenStream = item.parse()?;
    Ok(quote!(#(#before)* #[example(#arguments)] #(#more)* #(#behind)* #function))
}

/// Whether the last part of the attribute's path is this name.
pub(crate) fn is_named(attribute: &Attribute, name: &str) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == name)
}

/// Splits at the commas between arguments; those between `::<` and `>` are not.
fn arguments(tokens: TokenStream) -> Vec<TokenStream> {
    let mut arguments = vec![TokenStream::new()];
    let (mut angles, mut before) = (0_u32, [' '; 2]);
    for token in tokens {
        let punct = if let TokenTree::Punct(punct) = &token { Punct::as_char(punct) } else { ' ' };
        match punct {
            ',' if angles == 0 => {
                arguments.push(TokenStream::new());
                before = [' '; 2];
                continue;
            }
            '<' if angles > 0 || before == [':', ':'] => angles += 1,
            '>' if angles > 0 && before[1] != '-' => angles -= 1,
            _ => {}
        }
        before = [before[1], punct];
        arguments.last_mut().expect("there is always one").extend([token]);
    }
    if arguments.last().is_some_and(TokenStream::is_empty) {
        arguments.pop();
    }
    arguments
}
