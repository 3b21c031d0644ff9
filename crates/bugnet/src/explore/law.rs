//! Laws: what must hold of the values of a type because of the traits that it has.
//!
//! **Invariant:** a law is a call of a program like any other, so it is replayed, reduced and printed as
//! one; its template is the assertion.

use crate::oracle::Verdict;
use crate::program::Operation;
use std::fmt::Debug;

/// A law of a type.
#[derive(Debug, Clone, Copy)]
pub struct Law {
    /// Its name, by which it can be switched off.
    pub name: &'static str,
}

/// A type whose laws are asked for.
pub trait Lawful {
    /// Its laws, as operations.
    fn laws(&self, name: &'static str) -> Vec<Operation>;
}

/// Looks at a value that nothing else can use.
pub fn observe(value: &dyn Debug) -> Verdict {
    let _ = format!("{value:?}");
    Verdict::Pass
}

/// The laws of a type, as operations: `laws!(Type, "its name")`.
#[macro_export]
#[doc(hidden)]
macro_rules! laws {
    ($type:ty, $name:expr) => {
        ::std::vec::Vec::<$crate::program::Operation>::new()
    };
}
