//! The dictionary of a crate: texts, bytes and numbers of its documentation, tests and code.

use crate::choice::Source;
use std::sync::OnceLock;

/// What a harness draws values from, the simplest of each kind first.
#[derive(Debug)]
pub struct Dictionary {
    /// Texts of the documentation.
    pub examples: &'static [&'static str],
    /// Texts of tests, and of files that tests read.
    pub documents: &'static [&'static str],
    /// Short texts of the code, and what the others are made of.
    pub words: &'static [&'static str],
    /// Bytes that are no text.
    pub bytes: &'static [&'static [u8]],
    /// Characters of the code.
    pub letters: &'static [char],
    /// Whole numbers that are not small.
    pub integers: &'static [i128],
    /// Numbers with a fraction.
    pub floats: &'static [f64],
}

static EMPTY: Dictionary = Dictionary {
    examples: &[],
    documents: &[],
    words: &[],
    bytes: &[],
    letters: &[],
    integers: &[],
    floats: &[],
};
static GIVEN: OnceLock<&'static Dictionary> = OnceLock::new();

/// Says what values are drawn from. Only the first word counts.
pub fn dictionary(dictionary: &'static Dictionary) {
    GIVEN.get_or_init(|| dictionary);
}

/// Of so many texts, those of the documentation, of tests, and words.
const SHARES: [u32; 3] = [5, 4, 3];

impl Dictionary {
    /// The dictionary of this harness.
    #[inline]
    pub(super) fn given() -> &'static Dictionary {
        GIVEN.get().copied().unwrap_or(&EMPTY)
    }

    /// Whether there are no texts.
    #[inline]
    pub(super) fn is_wordless(&self) -> bool {
        self.words.is_empty() && self.examples.is_empty() && self.documents.is_empty()
    }

    /// One of the texts; an empty one if there is none.
    pub(super) fn text(&self, source: &mut Source) -> &'static str {
        let group = [self.examples, self.documents, self.words][source.weighted_index(&SHARES)];
        let all = [group, self.documents, self.examples, self.words];
        one(all.into_iter().find(|texts| !texts.is_empty()).unwrap_or(&[]), source).copied().unwrap_or("")
    }

    /// One of the words; an empty one if there is none.
    pub(super) fn word(&self, source: &mut Source) -> &'static str {
        one(self.words, source).copied().unwrap_or("")
    }
}

/// One of a list, if it has any.
pub(super) fn one<'a, T>(all: &'a [T], source: &mut Source) -> Option<&'a T> {
    if all.is_empty() { None } else { all.get(source.index(all.len())) }
}
