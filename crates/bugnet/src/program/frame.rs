//! The frame: what the body of an operation sees of the program that calls it.
//!
//! A body draws its literals with [`Frame::literal`], gets at its other arguments, makes the call and
//! hands over the result.

use super::operation::{Access, Mode, Operation};
use super::store::Store;
use crate::choice::Source;
use crate::oracle::{IntoVerdict, Verdict};
use std::any::Any;

/// The span of a literal on the tape.
const LITERAL: &str = "literal";

/// How deep the literals of exhaustive search are.
const LITERAL_DEPTH: u32 = 1;

/// Draws a literal. Its span begins with a choice that means nothing, so that no two spans of
/// literals begin at the same place, however little there is to choose.
#[inline]
pub(super) fn drawn<T>(source: &mut Source, generate: fn(&mut Source) -> T) -> T {
    let node = source.enter(LITERAL);
    if source.is_fast() {
        let value = generate(source);
        source.leave(node);
        return value;
    }
    source.nothing();
    source.bound_depth(LITERAL_DEPTH);
    let value = generate(source);
    source.unbound_depth();
    source.leave(node);
    source.tell();
    value
}

/// One call, as its body sees it.
#[derive(Debug)]
pub struct Frame<'a> {
    pub(super) source: &'a mut Source,
    pub(super) store: &'a mut Store,
    pub(super) operation: &'a Operation,
    /// The calls whose results are the arguments, by parameter.
    pub(super) arguments: &'a [u32],
    /// The kind of the result, if a later call can use it.
    pub(super) keeps: Option<usize>,
}

impl Frame<'_> {
    /// The literal for a parameter, if its arguments are drawn.
    #[inline]
    pub fn literal<T>(&mut self, generator: Option<fn(&mut Source) -> T>) -> Option<T> {
        let generate = generator?;
        Some(drawn(self.source, generate))
    }

    /// The argument of a parameter that is passed by `&`.
    #[inline]
    pub fn shared<T: Any>(&self, parameter: usize) -> &T {
        self.store.shared(self.arguments[parameter])
    }

    /// The argument of a parameter that is passed by `&mut`.
    #[inline]
    pub fn mutable<T: Any>(&self, parameter: usize) -> &mut T {
        self.store.mutable(self.arguments[parameter])
    }

    /// The argument of a parameter that is passed by value.
    #[inline]
    pub fn take<T: Any>(&mut self, parameter: usize) -> T {
        self.store.take(self.arguments[parameter])
    }

    /// As [`Frame::shared`], for a call whose result borrows. For generated code only: the result
    /// must go to [`Frame::keep`] and nowhere else.
    #[doc(hidden)]
    pub fn lend<T: Any>(&self, parameter: usize) -> &'static T {
        assert!(self.operation.leased, "only a call whose result borrows may lend");
        self.store.shared(self.arguments[parameter])
    }

    /// As [`Frame::mutable`], for a call whose result borrows. For generated code only: the result
    /// must go to [`Frame::keep`] and nowhere else.
    #[doc(hidden)]
    pub fn lend_mutably<T: Any>(&self, parameter: usize) -> &'static mut T {
        assert!(self.operation.leased, "only a call whose result borrows may lend");
        self.store.mutable(self.arguments[parameter])
    }

    /// Hands over what the call has made.
    #[inline]
    pub fn keep<T: Any>(&mut self, result: T) -> Verdict {
        match self.keeps {
            Some(kind) => self.put(result, kind),
            None => drop(result),
        }
        Verdict::Pass
    }

    /// Hands over what the call may have made.
    #[inline]
    pub fn keep_if_any<T: Any>(&mut self, result: Option<T>) -> Verdict {
        if let Some(result) = result {
            self.keep(result);
        }
        Verdict::Pass
    }

    /// Hands over what a rule has made; an error refutes the machine.
    pub fn keep_or_fail<T: Any, E>(&mut self, result: Result<T, E>) -> Verdict
    where
        Result<(), E>: IntoVerdict,
    {
        match result {
            Ok(result) => self.keep(result),
            Err(error) => Err(error).into_verdict(),
        }
    }

    fn put<T: Any>(&mut self, result: T, kind: usize) {
        let access = self.operation.result.map_or(Access::Owned, |(_, access)| access);
        if !self.operation.result_holds() {
            return self.store.keep(result, kind, access, None);
        }
        let lent = |(place, parameter): (usize, &super::Parameter)| (self.arguments[place], parameter.mode);
        let lent: Vec<(u32, Mode)> = match self.operation.leased {
            true => self.operation.earlier().map(lent).filter(|(_, mode)| *mode != Mode::Value).collect(),
            false => Vec::new(),
        };
        self.store.keep(result, kind, access, Some(&lent));
    }
}
