//! Whole numbers as Rust writes them: `1_000`, `0x07`, `8u32`.
//!
//! **Invariant:** the value is the one that the compiler would give the literal.

use proc_macro::{Literal, TokenTree};

/// A literal that is a whole number.
pub(crate) enum Number {
    /// Its value.
    Value(u64),
    /// It needs more than 64 bits.
    TooLarge,
}

impl Number {
    /// Reads a token; `None` if it is no whole number.
    pub(crate) fn read(token: &TokenTree) -> Option<Number> {
        match token {
            TokenTree::Literal(literal) => Number::of(literal),
            _ => None,
        }
    }

    fn of(literal: &Literal) -> Option<Number> {
        let text = literal.to_string().replace('_', "");
        let (radix, digits) = match text.get(..2) {
            Some("0x") => (16, &text[2..]),
            Some("0o") => (8, &text[2..]),
            Some("0b") => (2, &text[2..]),
            _ => (10, text.as_str()),
        };
        let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
        let (digits, suffix) = digits.split_at(end);
        let is_whole = suffix.is_empty() || suffix.starts_with(['u', 'i']);
        (is_whole && !digits.is_empty())
            .then(|| u64::from_str_radix(digits, radix).map_or(Number::TooLarge, Number::Value))
    }
}
