//! An example: arguments given by hand in `#[example(…)]`.
//!
//! **Invariant:** the arguments are passed as they are written.

use crate::attribute::Attribute;
use crate::emit::code;
use crate::error::Error;
use crate::reader::{Reader, split_expressions};
use proc_macro::{Span, TokenStream};

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
        let mut examples = Vec::new();
        for attribute in Attribute::take_all(attributes, "example") {
            examples.push(Example::read(&attribute)?);
        }
        Ok(examples)
    }

    fn read(attribute: &Attribute) -> Result<Example, Error> {
        let place = attribute.place;
        let Some(group) = &attribute.arguments else {
            return Err(Error::new(place, "`#[example(…)]` needs the arguments of a call in parentheses"));
        };
        let written = group.span().source_text().unwrap_or_default();
        let text = match (written.find('('), written.rfind(')')) {
            (Some(open), Some(close)) if open < close => written[open + 1..close].to_string(),
            _ => group.stream().to_string(),
        };
        Ok(Example { arguments: split_expressions(group.stream()), text, place })
    }
}

/// Moves the examples that stand before `#[property]` behind it, where the property reads them.
pub(crate) fn moved(arguments: TokenStream, item: TokenStream) -> Result<TokenStream, Error> {
    let mut reader = Reader::new(item);
    let mut before = Attribute::read_all(&mut reader);
    let Some(place) = before.iter().position(|attribute| attribute.is("property")) else {
        let message = "`#[example(…)]` belongs to a property; write `#[property]` on the function as well";
        return Err(Error::new(Span::call_site(), message));
    };
    let behind = before.split_off(place + 1);
    let more = Attribute::take_all(&mut before, "example");
    let function = reader.rest();
    Ok(code!(
        "$before #[example($arguments)] $more $behind $function",
        before,
        arguments,
        more,
        behind,
        function
    ))
}
