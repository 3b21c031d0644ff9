//! The frame: what the body of an operation sees of the program that calls it.
//!
//! A body draws its literals with [`Frame::literal`], gets at its other arguments, makes the call and
//! hands over the result.

use super::execution::Lookout;
use super::operation::{Access, Mode, Operation};
use super::store::Store;
use crate::choice::Source;
use crate::oracle::{IntoVerdict, Verdict};
use std::any::Any;

/// The span of a literal on the tape.
#[doc(hidden)]
pub const LITERAL: &str = "literal";

/// The depth of the literals of exhaustive search.
const LITERAL_DEPTH: u32 = 1;

/// Draws a literal.
#[inline]
pub(super) fn drawn<T>(source: &mut Source, generate: fn(&mut Source) -> T) -> T {
    if source.is_fast() { source.unrecorded_literal(generate) } else { recorded(source, generate) }
}

/// Draws a literal where it is recorded. Its span begins with a choice that means nothing, so that no
/// two spans of literals begin at the same place, however little there is to choose.
#[cold]
#[inline(never)]
fn recorded<T>(source: &mut Source, generate: fn(&mut Source) -> T) -> T {
    let node = source.enter(LITERAL);
    source.nothing();
    source.bound_depth(LITERAL_DEPTH);
    let value = generate(source);
    source.unbound_depth();
    source.leave(node);
    source.tell();
    value
}

/// One call, as its body sees it.
///
/// A body draws its literals, gets at its other arguments by the numbers of their parameters, and
/// hands over what it has made. Here a suite is written without macros, and a check is refuted by a
/// program of three calls.
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::oracle::{IntoVerdict, Verdict};
/// use bugnet::program::{Access, Kind, Mode, Operation, Parameter, Programs, Role, Suite};
///
/// let list = Kind::of::<Vec<u8>>("Vec<u8>");
/// let by = |mode| Parameter::earlier("list", list, mode);
///
/// let new = Operation::new("new", "Vec::<u8>::new()", |frame| frame.keep(Vec::<u8>::new()))
///     .returns(list, Access::Owned);
/// let push = Operation::new("push", "{0}.push(1)", |frame| {
///     frame.mutable::<Vec<u8>>(0).push(1);
///     Verdict::Pass
/// })
/// .parameter(by(Mode::Mutable));
/// let reversed = Operation::new("reversed", "reversed({0})", |frame| {
///     let mut list: Vec<u8> = frame.take(0);
///     list.reverse();
///     frame.keep(list)
/// })
/// .parameter(by(Mode::Value))
/// .returns(list, Access::Owned);
/// let is_short = Operation::new("is_short", "is_short({0})", |frame| {
///     (frame.shared::<Vec<u8>>(0).len() < 2).into_verdict()
/// })
/// .parameter(by(Mode::Shared))
/// .role(Role::Check);
///
/// let suite = Suite::new("Vec<u8>").operations([new, push, reversed, is_short]).build();
/// let failed = Property::new("lists_are_short").run(&Programs::new(suite)).unwrap_err();
/// let lines: Vec<&str> = failed.arguments().iter().map(|line| line.text.as_str()).collect();
/// assert_eq!(lines, ["let mut vec = Vec::<u8>::new();", "vec.push(1);", "vec.push(1);", "is_short(&vec);"]);
/// ```
#[derive(Debug)]
pub struct Frame<'a> {
    pub(super) source: &'a mut Source,
    pub(super) store: &'a mut Store,
    pub(super) operation: &'a Operation,
    /// The calls whose results are the arguments, by parameter.
    pub(super) arguments: &'a [u32],
    /// The kind of the result, if a later call can use it.
    pub(super) keeps: Option<usize>,
    /// Looks whether the call is known to fail.
    pub(super) lookout: Option<&'a mut dyn Lookout>,
}

impl Frame<'_> {
    /// The literal for a parameter, if its arguments are drawn; `None` without a generator. A body draws
    /// its literals before all else, in the order of the parameters.
    ///
    /// ```
    /// use bugnet::prelude::*;
    /// use bugnet::program::Shown;
    /// use bugnet::oracle::IntoVerdict;
    /// use bugnet::program::{Kind, Mode, Operation, Parameter, Programs, Suite};
    ///
    /// let show = |source: &mut Source| Shown { text: source.any::<u8>().literal(), source: true };
    /// let small = Operation::new("small", "small({0})", |frame| {
    ///     let x = frame.literal(Some(u8::generate)).unwrap();
    ///     (x < 100).into_verdict()
    /// })
    /// .parameter(Parameter::drawn("x", Kind::of::<u8>("u8"), Mode::Value, show));
    /// let suite = Suite::new("small").strict().operation(small).build();
    /// let failed = Property::new("small").run(&Programs::new(suite)).unwrap_err();
    /// assert_eq!(failed.arguments()[0].text, "small(100);");
    /// ```
    #[inline]
    pub fn literal<T>(&mut self, generator: Option<fn(&mut Source) -> T>) -> Option<T> {
        let generate = generator?;
        Some(drawn(self.source, generate))
    }

    /// Returns true if the call is known to fail, so that it is better not made. A body asks this when it has drawn
    /// all its literals and done nothing else. For generated code only.
    #[doc(hidden)]
    #[inline]
    pub fn is_known(&mut self) -> bool {
        self.lookout.as_mut().is_some_and(|lookout| lookout.sees(self.arguments, self.source))
    }

    /// The argument of a parameter that is passed by `&`.
    ///
    /// ```
    /// use bugnet::oracle::IntoVerdict;
    /// use bugnet::program::{Kind, Mode, Operation, Parameter, Role};
    ///
    /// let is_sorted = Operation::new("is_sorted", "is_sorted({0})", |frame| {
    ///     frame.shared::<Vec<u8>>(0).is_sorted().into_verdict()
    /// })
    /// .parameter(Parameter::earlier("list", Kind::of::<Vec<u8>>("Vec<u8>"), Mode::Shared))
    /// .role(Role::Check);
    /// assert_eq!(is_sorted.parameters[0].mode, Mode::Shared);
    /// ```
    #[inline]
    pub fn shared<T: Any>(&self, parameter: usize) -> &T {
        self.store.shared(self.arguments[parameter])
    }

    /// The argument of a parameter that is passed by `&mut`.
    ///
    /// ```
    /// use bugnet::oracle::Verdict;
    /// use bugnet::program::{Kind, Mode, Operation, Parameter};
    ///
    /// let clear = Operation::new("clear", "{0}.clear()", |frame| {
    ///     frame.mutable::<Vec<u8>>(0).clear();
    ///     Verdict::Pass
    /// })
    /// .parameter(Parameter::earlier("self", Kind::of::<Vec<u8>>("Vec<u8>"), Mode::Mutable));
    /// assert_eq!(clear.parameters[0].mode, Mode::Mutable);
    /// ```
    #[inline]
    pub fn mutable<T: Any>(&self, parameter: usize) -> &mut T {
        self.store.mutable(self.arguments[parameter])
    }

    /// The argument of a parameter that is passed by value.
    ///
    /// ```
    /// use bugnet::program::{Access, Kind, Mode, Operation, Parameter};
    ///
    /// let list = Kind::of::<Vec<u8>>("Vec<u8>");
    /// let into_boxed = Operation::new("into_boxed", "{0}.into_boxed_slice()", |frame| {
    ///     let list: Vec<u8> = frame.take(0);
    ///     frame.keep(list.into_boxed_slice())
    /// })
    /// .parameter(Parameter::earlier("self", list, Mode::Value))
    /// .returns(Kind::of::<Box<[u8]>>("Box<[u8]>"), Access::Owned);
    /// assert_eq!(into_boxed.parameters[0].mode, Mode::Value);
    /// ```
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

    /// Hands over what the call has made, of the type that [`Operation::returns`] names.
    ///
    /// ```
    /// use bugnet::program::{Access, Kind, Operation};
    ///
    /// let new = Operation::new("new", "String::new()", |frame| frame.keep(String::new()))
    ///     .returns(Kind::of::<String>("String"), Access::Owned);
    /// assert_eq!(new.name, "new");
    /// ```
    #[inline]
    pub fn keep<T: Any>(&mut self, result: T) -> Verdict {
        match self.keeps {
            Some(kind) => self.put(result, kind),
            None => drop(result),
        }
        Verdict::Pass
    }

    /// Hands over what the call may have made; goes with [`Operation::wrapped`].
    ///
    /// ```
    /// use bugnet::program::{Access, Kind, Mode, Operation, Parameter};
    ///
    /// let pop = Operation::new("pop", "{0}.pop()", |frame| {
    ///     let last: Option<String> = frame.mutable::<Vec<String>>(0).pop();
    ///     frame.keep_if_any(last)
    /// })
    /// .parameter(Parameter::earlier("self", Kind::of::<Vec<String>>("Vec<String>"), Mode::Mutable))
    /// .returns(Kind::of::<String>("String"), Access::Owned)
    /// .wrapped();
    /// assert_eq!(pop.name, "pop");
    /// ```
    #[inline]
    pub fn keep_if_any<T: Any>(&mut self, result: Option<T>) -> Verdict {
        if let Some(result) = result {
            self.keep(result);
        }
        Verdict::Pass
    }

    /// Hands over what a rule has made; an error refutes the machine.
    ///
    /// ```
    /// use bugnet::prelude::*;
    /// use bugnet::program::{Access, Kind, Operation, Programs, Suite};
    ///
    /// let read = Operation::new("read", "read()", |frame| frame.keep_or_fail("x".parse::<u8>()))
    ///     .returns(Kind::of::<u8>("u8"), Access::Owned);
    /// let suite = Suite::new("read").operation(read).build();
    /// let failed = Property::new("reads").run(&Programs::new(suite)).unwrap_err();
    /// assert!(failed.to_string().contains("InvalidDigit"));
    /// ```
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
