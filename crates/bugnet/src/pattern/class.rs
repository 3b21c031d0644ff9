//! Classes: literals that a user says are alike.
//!
//! **Invariant:** classes are the same if they are called the same.

use super::{Value, literal_value};

/// A class of literals, as the user's function calls it.
///
/// ```
/// use bugnet::bug::Class;
///
/// assert_eq!(Class::named("leap year").text, "leap year");
/// assert_ne!(Class::named("leap year").value, Class::named("common year").value);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// The number that stands for it in programs.
    pub value: Value,
    /// Its name.
    pub text: String,
}

impl Class {
    /// The class that is called so.
    pub fn named(text: impl Into<String>) -> Class {
        let text = text.into();
        Class { value: literal_value(&text, &[]), text }
    }
}
