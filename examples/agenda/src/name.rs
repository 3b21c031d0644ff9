//! The names of people, which are the same in capital and in small letters.

use std::hash::{Hash, Hasher};

/// A name, with the letters as they were given. Names that differ only in capital and small letters are equal.
#[derive(Debug, Clone)]
pub struct Name {
    letters: String,
}

impl Name {
    /// Returns a name without the spaces around it; `None` if nothing else is there.
    pub fn new(letters: &str) -> Option<Name> {
        let letters = letters.trim();
        (!letters.is_empty()).then(|| Name { letters: letters.to_string() })
    }

    /// Returns the letters as they were given.
    pub fn as_str(&self) -> &str {
        &self.letters
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        self.letters.eq_ignore_ascii_case(&other.letters)
    }
}

impl Eq for Name {}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.letters.hash(state);
    }
}
