//! An `impl` block, read as far as a suite needs it: its type and its functions.
//!
//! **Invariant:** the block is written back as it stands, but for the attributes that are ours.

use crate::attribute::Attribute;
use crate::emit::{Splice, code};
use crate::error::Error;
use crate::function::as_body;
use crate::method::Method;
use crate::reader::{Reader, is_mark, is_word, split_types};
use crate::substitution::{Substitution, forever};
use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// An `impl` block of a type.
pub(crate) struct Block {
    pub(crate) attributes: Vec<Attribute>,
    /// All that stands before the body.
    head: TokenStream,
    /// The generic parameters.
    pub(crate) generics: Vec<TokenStream>,
    /// The type, whose lifetimes are `'static`.
    pub(crate) subject: TokenStream,
    body: Group,
}

impl Block {
    /// Reads the block under an attribute of ours.
    pub(crate) fn read(item: TokenStream, attribute: &str) -> Result<Block, Error> {
        let mut reader = Reader::new(item.clone());
        let attributes = Attribute::read_all(&mut reader);
        let block = Block::read_bare(&mut reader, attributes);
        block.ok_or_else(|| {
            let message = format!(
                "`{attribute}` stands on an `impl` block of a type, which is no `impl` of a trait; \
                 write `impl Type {{ … }}`"
            );
            Error::across(&head_of(item), message)
        })
    }

    /// Reads a block whose attributes are known; `None` if there is none.
    pub(crate) fn read_bare(reader: &mut Reader, attributes: Vec<Attribute>) -> Option<Block> {
        let is_impl = reader.take_word("impl");
        let mut generics = TokenStream::new();
        if is_impl && reader.take_mark('<') {
            generics = reader.until(|token| is_mark(token, '>'));
            reader.next();
        }
        let ends = |token: &TokenTree| as_body(token).is_some();
        let subject = reader.until(|token| ends(token) || is_word(token, "where") || is_word(token, "for"));
        let bounds = reader.until(ends);
        let body = reader.next().and_then(|token| as_body(&token))?;
        let is_trait = Reader::new(bounds.clone()).take_word("for");
        let head = match generics.is_empty() {
            true => code!("impl $subject $bounds", subject, bounds),
            false => code!("impl<$generics> $subject $bounds", generics, subject, bounds),
        };
        let (generics, subject) = (split_types(generics), forever(subject));
        (is_impl && !is_trait && !subject.is_empty()).then_some(Block {
            attributes,
            head,
            generics,
            subject,
            body,
        })
    }

    /// Its functions, after a substitution.
    pub(crate) fn methods(&self, substitution: &Substitution) -> Result<Vec<Method>, Error> {
        Method::read_all(substitution.apply(self.body.stream()))
    }

    /// The block without the attributes that are ours.
    pub(crate) fn as_written(&self) -> TokenStream {
        let Block { attributes, head, body, .. } = self;
        let attributes: Vec<&Attribute> = attributes
            .iter()
            .filter(|attribute| !attribute.belongs_to_test() && !attribute.is("abstraction"))
            .collect();
        let body = with_inside(body, stripped(body.stream()));
        code!("$attributes $head $body", attributes, head, body)
    }
}

/// An item under an attribute that was in error, as it would stand without: whoever uses it is not
/// to get errors of their own.
pub(crate) fn recovered(item: TokenStream) -> TokenStream {
    let mut reader = Reader::new(item.clone());
    let attributes = Attribute::read_all(&mut reader);
    Block::read_bare(&mut reader, attributes).map_or(item, |block| block.as_written())
}

/// The tokens before the body of an item.
fn head_of(item: TokenStream) -> TokenStream {
    let mut reader = Reader::new(item);
    Attribute::read_all(&mut reader);
    let head = reader.until(|token| as_body(token).is_some() || is_mark(token, ';'));
    if head.is_empty() { reader.rest() } else { head }
}

/// Functions without the attributes that are ours, be they on the functions or on their parameters.
pub(crate) fn stripped(tokens: TokenStream) -> TokenStream {
    let (mut reader, mut rest) = (Reader::new(tokens), TokenStream::new());
    loop {
        let attributes = Attribute::read_all(&mut reader);
        let others = attributes.iter().filter(|attribute| !attribute.is_ours());
        rest.extend(others.map(Splice::tokens));
        match reader.next() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                rest.extend([TokenTree::Group(with_inside(&group, stripped(group.stream())))]);
            }
            Some(token) => rest.extend([token]),
            None => return rest,
        }
    }
}

fn with_inside(group: &Group, inside: TokenStream) -> Group {
    let mut changed = Group::new(group.delimiter(), inside);
    changed.set_span(group.span());
    changed
}
