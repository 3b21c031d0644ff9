//! The text of a type, spaced as rustfmt would space it.
//!
//! Tokens that went through a macro have lost the spaces between them, and reports show types.
//!
//! **Invariant:** the text parses as the type it was made from.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

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
    let before = text.chars().next_back();
    let touches_word = before.is_some_and(is_word);
    let space = match token.chars().next() {
        None => false,
        Some('+' | '-' | '=') => true,
        Some('\'' | '"') => touches_word,
        Some(first) if is_word(first) => touches_word || text.ends_with(['+', '=', ',', ';', ')', '*']),
        Some('(' | '[' | '&' | '*' | '<') => text.ends_with(['+', '=', ',', ';']),
        Some(_) => false,
    };
    if (space || text.ends_with("->")) && before.is_some_and(|c| c != ' ') {
        text.push(' ');
    }
    text.push_str(token);
}
