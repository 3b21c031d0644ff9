//! Attributes of items, fields and parameters.
//!
//! **Invariant:** an attribute that is not ours is written back token by token.

use crate::emit::Splice;
use crate::error::Error;
use crate::reader::{Reader, is_mark};
use proc_macro::{Delimiter, Group, Span, TokenStream, TokenTree};

/// The attributes of functions and parameters that are ours.
const OURS: [&str; 11] = [
    "when",
    "weight",
    "share",
    "with",
    "earlier",
    "abstraction",
    "invariant",
    "teardown",
    "check",
    "operation",
    "skip",
];

/// One attribute.
pub(crate) struct Attribute {
    tokens: TokenStream,
    /// The last part of its path.
    name: String,
    /// The start of its path.
    pub(crate) place: Span,
    /// The tokens in its parentheses.
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
            let mut tokens = reader.next().tokens();
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
                    let conditional = Attribute::under_test(&tokens, &name, &group);
                    return conditional.unwrap_or(Attribute { tokens, name, place, arguments: Some(group) });
                }
                _ => break,
            }
        }
        Attribute { tokens, name, place, arguments: None }
    }

    /// The attribute of ours in `#[cfg_attr(test, …)]`, as code that is not only tested has it.
    fn under_test(tokens: &TokenStream, name: &str, arguments: &Group) -> Option<Attribute> {
        let mut reader = Reader::new(arguments.stream());
        let is_condition = name == "cfg_attr" && reader.take_word("test") && reader.take_mark(',');
        let inside = is_condition.then(|| Attribute::read(tokens.clone(), reader.rest()))?;
        inside.is_ours().then_some(inside)
    }

    /// Returns true if it means something to a suite, and to nobody else.
    pub(crate) fn is_ours(&self) -> bool {
        OURS.iter().any(|name| self.is(name))
    }

    /// Takes those of a name out of a list.
    pub(crate) fn take_all(attributes: &mut Vec<Attribute>, name: &str) -> Vec<Attribute> {
        let (ours, others) = std::mem::take(attributes).into_iter().partition(|attribute| attribute.is(name));
        *attributes = others;
        ours
    }

    /// Returns true if the last part of its path is this name.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name == name
    }

    /// Returns true if it says something about a test, and not about the item that makes one.
    pub(crate) fn belongs_to_test(&self) -> bool {
        ["test", "ignore", "should_panic", "serial", "parallel"].iter().any(|name| self.is(name))
    }

    /// Returns the tokens in its parentheses, or an error that says what belongs there.
    pub(crate) fn arguments(&self, message: &str) -> Result<TokenStream, Error> {
        match &self.arguments {
            Some(group) => Ok(group.stream()),
            None => Err(Error::new(self.place, message)),
        }
    }
}
