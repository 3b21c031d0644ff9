//! The dictionary of a crate: texts, bytes and numbers of its documentation, tests and code.

use bugnet::choice::{Kind, Source};
use std::cell::Cell;
use std::sync::OnceLock;

/// The values that a harness draws from, the simplest of each kind first.
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

/// Shares of a draw from the dictionary: the total, texts of the documentation, and texts of tests. The rest
/// are words.
const SHARES: (u64, u64, u64) = (12, 5, 4);

thread_local! {
    static PREFERRED: Cell<&'static [usize]> = const { Cell::new(&[]) };
}

/// Says which examples belong to the call whose literals are drawn next.
#[inline]
pub(super) fn prefer(examples: &'static [usize]) {
    PREFERRED.set(examples);
}

impl Dictionary {
    /// The dictionary of this harness.
    #[inline]
    pub(super) fn given() -> &'static Dictionary {
        GIVEN.get().copied().unwrap_or(&EMPTY)
    }

    /// Returns true if there are no texts.
    #[inline]
    pub(super) fn is_wordless(&self) -> bool {
        self.words.is_empty() && self.examples.is_empty() && self.documents.is_empty()
    }

    /// One of the texts; an empty one if there is none.
    pub(super) fn text(&self, source: &mut Source) -> &'static str {
        // The choices are the same whether the text is preferred or not, so that it is drawn again without
        // knowing for which call it was drawn.
        let mut preferred = None;
        let group = source.decide(Kind::Index, 2, 2, 0, |source| {
            let examples = PREFERRED.get();
            if !examples.is_empty() && source.one_in_power(1) {
                preferred = Some(examples[source.random_below(examples.len() as u64) as usize]);
                return 0;
            }
            let (all, examples, documents) = SHARES;
            match source.random_below(all) {
                share if share < examples => 0,
                share if share < examples + documents => 1,
                _ => 2,
            }
        });
        let group = [self.examples, self.documents, self.words][group as usize];
        let all = [group, self.documents, self.examples, self.words];
        let texts = all.into_iter().find(|texts| !texts.is_empty()).unwrap_or(&[""]);
        let last = texts.len() as u64 - 1;
        let random = |source: &mut Source| match preferred {
            Some(place) => (place as u64).min(last),
            None => source.random_below(last + 1),
        };
        texts[source.decide(Kind::Index, last, last, 0, random) as usize]
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

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::choice::Seed;

    static SOME: Dictionary =
        Dictionary { examples: &["a", "b", "c", "d"], documents: &["e", "f"], words: &["g"], ..EMPTY };

    /// Texts that are drawn for a call with such examples, and drawn again for nobody.
    fn drawn(examples: &'static [usize]) -> Vec<(&'static str, &'static str)> {
        let draw = |case| {
            let mut source = Source::recording(Seed(17), case);
            prefer(examples);
            let text = SOME.text(&mut source);
            prefer(&[]);
            (text, SOME.text(&mut Source::replay(source.into_tape())))
        };
        (0..400).map(draw).collect()
    }

    #[test]
    fn texts_of_the_own_examples_are_likelier_and_drawn_again_without_knowing_so() {
        let count = |all: &[(&str, &str)]| all.iter().filter(|(text, _)| *text == "d").count();
        let (plain, preferred) = (count(&drawn(&[])), drawn(&[3]));
        assert!(count(&preferred) > 3 * plain, "{plain}");
        assert!(preferred.iter().all(|(text, again)| text == again));
        assert!(["a", "f", "g"].iter().all(|text| preferred.iter().any(|(drawn, _)| drawn == text)));
    }

    #[test]
    fn without_texts_the_empty_one_is_drawn() {
        assert_eq!(EMPTY.text(&mut Source::random(Seed(17), 0)), "");
        assert_eq!(EMPTY.word(&mut Source::random(Seed(17), 0)), "");
    }
}
