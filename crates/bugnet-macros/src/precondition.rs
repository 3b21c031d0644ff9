//! Preconditions: the `assume!(…);` statements at the start of a property.
//!
//! Elsewhere `assume!` has to unwind, which takes some fifty times as long as a small case. At the
//! start it can return instead: the test function then returns a verdict, and what follows becomes
//! a closure with the return type that the user gave.
//!
//! **Invariant:** a statement is taken only if what it means does not change: it neither returns
//! nor waits, and nothing but other preconditions stands before it. It still calls the `assume!`
//! that is in scope.

use crate::emit::{code, code_at};
use crate::function::Function;
use crate::reader::{is_mark, is_word};
use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// The body of a property, divided.
pub(crate) struct Divided {
    /// The preconditions, as statements that return a verdict.
    pub(crate) preconditions: TokenStream,
    rest: TokenStream,
}

impl Divided {
    /// Divides the body of a function, if there is something to divide.
    pub(crate) fn of(function: &Function) -> Option<Divided> {
        let name = function.name.to_string();
        let calls_itself = || mentions(function.body.stream(), &|token| token.to_string() == name);
        let is_opaque = || mentions(function.output.clone(), &|token| is_word(token, "impl"));
        if function.is_async || is_opaque() || calls_itself() {
            return None;
        }
        let divided = Divided::statements(&function.body);
        (!divided.preconditions.is_empty()).then_some(divided)
    }

    /// Divides a body.
    pub(crate) fn statements(body: &Group) -> Divided {
        let mut tokens: Vec<TokenTree> = body.stream().into_iter().collect();
        let mut preconditions = TokenStream::new();
        while let Some(length) = statement_length(&tokens) {
            let rest = tokens.split_off(length);
            preconditions.extend(returning(tokens));
            tokens = rest;
        }
        Divided { preconditions, rest: tokens.into_iter().collect() }
    }

    /// The body of a function that returns a verdict.
    pub(crate) fn body(self, function: &Function) -> TokenStream {
        let Divided { preconditions, rest } = self;
        let output = if function.output.is_empty() { code!("()") } else { function.output.clone() };
        let mut rest = Group::new(Delimiter::Brace, rest);
        rest.set_span(function.body.span());
        code_at!(
            function.output_span(),
            "{
                $preconditions
                ::bugnet::__private::verdict::<$output>(move || -> $output $rest)
            }",
            preconditions,
            output,
            rest,
        )
    }
}

/// Counts the tokens of the precondition at the start; `None` if there is none.
fn statement_length(tokens: &[TokenTree]) -> Option<usize> {
    let bang = tokens.iter().position(|token| is_mark(token, '!'))?;
    let path: String = tokens[..bang].iter().map(ToString::to_string).collect();
    let is_ours = ["assume", "bugnet::assume", "::bugnet::assume"].contains(&path.as_str());
    let (Some(TokenTree::Group(condition)), Some(end)) = (tokens.get(bang + 1), tokens.get(bang + 2)) else {
        return None;
    };
    let leaves = mentions(condition.stream(), &|token| {
        is_mark(token, '?')
            || ["return", "break", "continue", "await"].iter().any(|word| is_word(token, word))
    });
    let is_statement = condition.delimiter() == Delimiter::Parenthesis && is_mark(end, ';');
    (is_ours && is_statement && !leaves).then_some(bang + 3)
}

/// The same statement, made to return.
fn returning(mut statement: Vec<TokenTree>) -> Vec<TokenTree> {
    for token in &mut statement {
        if let TokenTree::Group(condition) = token {
            let inside = condition.stream();
            let mut changed = Group::new(Delimiter::Parenthesis, code!("@return $inside", inside));
            changed.set_span(condition.span());
            *condition = changed;
        }
    }
    statement
}

/// Returns true if a token that fits is among these, at any depth.
pub(crate) fn mentions(tokens: TokenStream, fits: &dyn Fn(&TokenTree) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => mentions(group.stream(), fits),
        token => fits(&token),
    })
}
