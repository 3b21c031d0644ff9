//! Showing a value as well as its type allows: by the calls that built it or as Rust source, else by
//! `Debug`, else not at all.
//!
//! The choice is made where the type is known, by the number of references in front of the
//! receiver: `(&&&&Show(&value)).show()` takes the first of the four traits that fits.

use super::Literal;
use std::fmt::Debug;

/// A value to be shown.
#[derive(Debug)]
pub struct Show<'a, T: ?Sized>(pub &'a T);

/// A value as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The text.
    pub text: String,
    /// True if the text is Rust source.
    pub source: bool,
}

impl Shown {
    /// The text of a value that nobody looks at.
    pub const NOTHING: Shown = Shown { text: String::new(), source: false };
}

/// First choice: the calls by which the value was built.
pub trait ShowBuilt {
    /// Shows the value.
    fn show(&self) -> Shown;
}

/// Second choice: Rust source.
pub trait ShowLiteral {
    /// Shows the value.
    fn show(&self) -> Shown;
}

impl<T: Literal + ?Sized> ShowLiteral for &&Show<'_, T> {
    fn show(&self) -> Shown {
        Shown { text: self.0.literal(), source: true }
    }
}

/// Third choice: what `Debug` prints.
pub trait ShowDebug {
    /// Shows the value.
    fn show(&self) -> Shown;
}

impl<T: Debug + ?Sized> ShowDebug for &Show<'_, T> {
    fn show(&self) -> Shown {
        Shown { text: format!("{:?}", self.0), source: false }
    }
}

/// Last choice: the name of the type.
pub trait ShowOpaque {
    /// Shows the value.
    fn show(&self) -> Shown;
}

impl<T: ?Sized> ShowOpaque for Show<'_, T> {
    fn show(&self) -> Shown {
        Shown { text: format!("a value of type {}", std::any::type_name::<T>()), source: false }
    }
}
