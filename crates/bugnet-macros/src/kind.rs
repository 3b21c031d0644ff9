//! The text of a type, spaced as rustfmt would space it.
//!
//! Tokens that went through a macro have lost the spaces between them, and reports show types.
//!
//! **Invariant:** the text parses as the type it was made from.

use proc_macro::{Delimiter, TokenStream, TokenTree};

/// A type as a person would write it.
pub(crate) fn text(tokens: &TokenStream) -> String {
    let mut text = String::new();
    for token in tokens.clone() {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                let inside = self::text(&group.stream());
                push(&mut text, &format!("{open}{inside}{close}"));
            }
            token => push(&mut text, &token.to_string()),
        }
    }
    text
}

/// Adds a token, after a space if there should be one.
fn push(text: &mut String, token: &str) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let is_behind_word = text.ends_with(is_word) || text.ends_with('>');
    let is_behind_separator = text.ends_with(['+', '=', ',', ';']) || text.ends_with("->");
    let space = match token.chars().next() {
        None | Some(',' | ';' | '>') => false,
        Some('+' | '-' | '=') => !text.is_empty(),
        Some('\'' | '[') => is_behind_word || is_behind_separator,
        Some(first) if is_word(first) => is_behind_word || is_behind_separator,
        Some(_) => is_behind_separator,
    };
    if space {
        text.push(' ');
    }
    text.push_str(token);
}
