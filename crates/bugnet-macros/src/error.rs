//! Errors: mistakes of the user, found while a macro reads what they wrote.
//!
//! **Invariant:** an error has a place in the user's file and says what to write instead.

use crate::emit::{code, code_at};
use proc_macro::{Span, TokenStream};

/// A mistake.
pub(crate) struct Error {
    first: Span,
    last: Span,
    message: String,
}

impl Error {
    /// A mistake at a place.
    pub(crate) fn new(place: Span, message: impl Into<String>) -> Error {
        Error { first: place, last: place, message: message.into() }
    }

    /// A mistake that reaches from the first token to the last.
    pub(crate) fn across(tokens: &TokenStream, message: impl Into<String>) -> Error {
        let mut spans = tokens.clone().into_iter().map(|token| token.span());
        let first = spans.next().unwrap_or_else(Span::call_site);
        Error { first, last: spans.last().unwrap_or(first), message: message.into() }
    }

    /// As `into_code`, with code that stands whatever the mistake.
    pub(crate) fn beside(self, code: TokenStream) -> TokenStream {
        let error = self.into_code();
        code!("$error $code", error, code)
    }

    /// The code that makes the compiler report the mistake.
    pub(crate) fn into_code(self) -> TokenStream {
        let Error { first, last, message } = self;
        let message = code_at!(last, "{ $message }", message);
        code_at!(first, "::core::compile_error! $message", message)
    }
}
