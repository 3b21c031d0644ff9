//! Substitutions: what names stand for, such as `Self`, `self` and type parameters.
//!
//! **Invariant:** what is put in place of a name is reported at the place of the name.

use crate::emit::{code, code_at};
use crate::reader::is_mark;
use proc_macro::{Group, TokenStream, TokenTree};

/// Names, lifetimes with their mark, and what stands for them.
#[derive(Default)]
pub(crate) struct Substitution {
    names: Vec<(String, TokenStream)>,
}

impl Substitution {
    pub(crate) fn of(name: &str, meaning: TokenStream) -> Substitution {
        let mut substitution = Substitution::default();
        substitution.add(name, meaning);
        substitution
    }

    pub(crate) fn add(&mut self, name: impl Into<String>, meaning: TokenStream) {
        self.names.push((name.into(), meaning));
    }

    /// The tokens with all names replaced, at any depth.
    pub(crate) fn apply(&self, tokens: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut replaced = TokenStream::new();
        for (place, token) in tokens.iter().enumerate() {
            let is_lifetime = place > 0 && is_mark(&tokens[place - 1], '\'');
            let is_path = tokens[place + 1..].iter().take(2).filter(|token| is_mark(token, ':')).count() == 2;
            match token {
                TokenTree::Group(group) => {
                    let mut changed = Group::new(group.delimiter(), self.apply(group.stream()));
                    changed.set_span(group.span());
                    replaced.extend([TokenTree::Group(changed)]);
                }
                TokenTree::Ident(name) => {
                    let name = if is_lifetime { format!("'{name}") } else { name.to_string() };
                    replaced.extend(self.meaning(&name, token, is_path));
                }
                _ => replaced.extend([token.clone()]),
            }
        }
        replaced
    }

    fn meaning(&self, name: &str, token: &TokenTree, is_path: bool) -> TokenStream {
        let Some((_, meaning)) = self.names.iter().find(|(known, _)| known == name) else {
            return token.clone().into();
        };
        let located = meaning.clone().into_iter().map(|mut part| {
            part.set_span(part.span().located_at(token.span()));
            part
        });
        let located: TokenStream = located.collect();
        match is_path && located.clone().into_iter().count() > 1 {
            true => code_at!(token.span(), "<$located>", located),
            false => located,
        }
    }
}

/// A type with every named lifetime made `'static`.
pub(crate) fn forever(tokens: TokenStream) -> TokenStream {
    let mut tokens = tokens.into_iter();
    let mut replaced = TokenStream::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => {
                let mut changed = Group::new(group.delimiter(), forever(group.stream()));
                changed.set_span(group.span());
                replaced.extend([TokenTree::Group(changed)]);
            }
            token if is_mark(&token, '\'') => {
                tokens.next();
                replaced.extend(code!("'static"));
            }
            token => replaced.extend([token]),
        }
    }
    replaced
}
