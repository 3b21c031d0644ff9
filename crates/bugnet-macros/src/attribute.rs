//! Attributes of items, fields and parameters.
//!
//! **Invariant:** an attribute that is not ours is written back token by token.

use crate::emit::Splice;
use crate::error::Error;
use crate::reader::{Reader, is_mark};
use proc_macro::{Delimiter, Group, Span, TokenStream, TokenTree};

/// One attribute.
pub(crate) struct Attribute {
    tokens: TokenStream,
    /// The last part of its path.
    name: String,
    /// Where its path begins.
    pub(crate) place: Span,
    /// What it has in parentheses.
    pub(crate) arguments: Option<Group>,
}

impl Splice for Attribute {
    fn tokens(&self) -> TokenStream {
        self.tokens.clone()
    }
}

impl Attribute {
    /// The attributes that stand here.
    pub(crate) fn read_all(reader: &mut Reader) -> Vec<Attribute> {
        let mut attributes = Vec::new();
        while reader.peek().is_some_and(|token| is_mark(token, '#')) {
            let mut tokens: TokenStream = reader.next().into_iter().collect();
            let Some(group) = reader.take_group(Delimiter::Bracket) else { break };
            tokens.extend([TokenTree::Group(group.clone())]);
            attributes.push(Attribute::read(tokens, group.stream()));
        }
        attributes
    }

    fn read(tokens: TokenStream, inside: TokenStream) -> Attribute {
        let mut reader = Reader::new(inside);
        // `#[$attribute]` in a `macro_rules!` is wrapped once more.
        if let Some(group) = reader.take_group(Delimiter::None) {
            return Attribute::read(tokens, group.stream());
        }
        let (place, mut name) = (reader.place(), String::new());
        while let Some(token) = reader.next() {
            match token {
                TokenTree::Ident(part) => name = part.to_string(),
                TokenTree::Punct(mark) if mark.as_char() == ':' => {}
                TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                    return Attribute { tokens, name, place, arguments: Some(group) };
                }
                _ => break,
            }
        }
        Attribute { tokens, name, place, arguments: None }
    }

    /// Whether the last part of its path is this name.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name == name
    }

    /// Whether it says something about a test, and not about the item that makes one.
    pub(crate) fn belongs_to_test(&self) -> bool {
        ["test", "ignore", "should_panic", "serial", "parallel"].iter().any(|name| self.is(name))
    }

    /// What it has in parentheses, or an error that says what belongs there.
    pub(crate) fn arguments(&self, message: &str) -> Result<TokenStream, Error> {
        match &self.arguments {
            Some(group) => Ok(group.stream()),
            None => Err(Error::new(self.place, message)),
        }
    }
}
