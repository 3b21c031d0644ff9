//! Hooks: what somebody who explores a crate does at each call of a program.
//!
//! An execution is compiled once for each hook, so the programs of a test pay nothing for those of a harness.
//!
//! **Invariant:** every method of [`NoHook`] is empty and inlined.

use crate::choice::Source;
use crate::program::operation::Operation;
use crate::program::suite::Suite;
use std::fmt::Debug;

/// A call, as a hook sees it.
#[doc(hidden)]
#[derive(Debug)]
pub struct HookedCall<'a> {
    pub suite: &'a Suite,
    /// The operation, by its number.
    pub operation: usize,
    /// The number of the call.
    pub place: u32,
    /// The calls whose results are the arguments, by parameter.
    pub arguments: &'a [u32],
    /// Spans that the tape had before the literals of the call.
    pub spans: usize,
}

/// Is told of the calls of a program, and may refuse them.
#[doc(hidden)]
pub trait Hook {
    /// True if weights say what operations cost, so that of two that make what is lacking the cheaper is taken.
    const SPARES_EFFORT: bool = false;
    /// True if of several values one may be worth more as an argument than another.
    const CHOOSES: bool = false;

    /// Returns false if a call is not to be made. Its literals are not drawn yet.
    #[inline(always)]
    fn admits(&mut self, _call: &HookedCall<'_>, _source: &Source) -> bool {
        true
    }

    /// Says what matters in the choice of the next argument of a call.
    #[inline(always)]
    fn mood(&self, _operation: &Operation, _source: &mut Source) -> u32 {
        0
    }

    /// Returns what a value is worth as the next argument: of those that are worth most the first is taken. `chosen` has the
    /// arguments before it, and `u32::MAX` for those that there are not.
    #[inline(always)]
    fn worth(&self, _chosen: &[u32], _place: u32, _mood: u32) -> u32 {
        0
    }

    /// Lends what looks at the call once its literals are drawn.
    #[inline(always)]
    fn lookout(&mut self) -> Option<&mut dyn Lookout> {
        None
    }

    /// Says that a call was made well; `before` is the number of such calls of its operation before it.
    #[inline(always)]
    fn made(&mut self, _call: &HookedCall<'_>, _before: u32, _source: &Source) {}

    /// Returns the call that makes the value which a tape names by its number, and true if others may stand in
    /// for it.
    #[inline(always)]
    fn made_by(&self, told: u32) -> (u32, bool) {
        (told, false)
    }

    /// Says that a program of [attempts](super::Attempt) begins.
    fn begin(&mut self) {}

    /// Says where the result of the next call on the tape is; `u32::MAX` if that call was left out.
    fn followed(&mut self, _place: u32) {}

    /// Says that nothing is left of the program.
    fn spoiled(&mut self) {}
}

/// Looks at a call when its literals are drawn and nothing else of it has happened.
#[doc(hidden)]
pub trait Lookout: Debug {
    /// Returns true if the call is better not made.
    fn sees(&mut self, arguments: &[u32], source: &Source) -> bool;
}

/// The hook of whoever wants none.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, Default)]
pub struct NoHook;

impl Hook for NoHook {}
