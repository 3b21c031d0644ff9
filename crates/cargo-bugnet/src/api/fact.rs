//! Facts: what is known of an operation before it is called.
//!
//! **Invariant:** the reader of the API fills what documentation and signature say; the harness adds what follows from
//! the name. Nothing is added after the first call.

use crate::dictionary;
use bugnet::wire::Role;
use serde::{Deserialize, Serialize};

/// The facts about an operation that are known before it is called: from its documentation, signature and
/// name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Facts {
    /// Its documentation, or else that of the trait's function, says that it may panic.
    pub(crate) documented_panic: bool,
    /// Its documentation speaks of the boundaries of characters.
    pub(crate) documented_boundary: bool,
    /// Its documentation says that it cannot panic.
    pub(crate) never_panics: bool,
    /// Its documentation says what callers should take care of: "must be", "should not".
    pub(crate) precondition: bool,
    /// Its documentation says what callers must take care of; it may not look whether they do.
    pub(crate) insists: bool,
    /// Its documentation says that it does not look at what it is given.
    pub(crate) unchecked: bool,
    /// Its documentation says that it waits for somebody else.
    pub(crate) waits: bool,
    /// Its documentation says that nothing is left afterwards.
    pub(crate) empties: bool,
    /// Its documentation says that what it is given is changed to what fits.
    pub(crate) adjusts: bool,
    /// There is documentation.
    pub(crate) documented: bool,
    /// The texts in the examples of its documentation.
    #[serde(skip)]
    pub(crate) texts: Vec<String>,
    pub(crate) deprecated: bool,
    /// It blames its caller for its panics.
    pub(crate) track_caller: bool,
    /// It returns an `Option` or a `Result`, so it could refuse.
    pub(crate) fallible: bool,
    /// It is given something beside what it is called on.
    pub(crate) given: bool,
    /// It is given text or bytes, which may come from anywhere.
    pub(crate) reads: bool,
    /// It is given a number that is a length or a capacity by its name.
    pub(crate) sizes: bool,
    /// It is given nothing but numbers, or what may be one.
    pub(crate) numbers: bool,
    /// It is called on a value and returns an `Option`: `None` may well mean that there is no such thing.
    pub(crate) searches: bool,
    /// It is given a number that is counted from one, such as a month, by its documentation or the name of its parameter.
    pub(crate) from_one: bool,
    /// It makes a value by naming its fields.
    pub(crate) fields: bool,
    /// It makes a struct by writing out its fields, none of which holds bytes.
    pub(crate) written_out: bool,
    /// It is given a closure that is not deterministic.
    pub(crate) fickle: bool,
    /// It is given a range without an end.
    pub(crate) endless: bool,
    /// The place of its definition, such as `src/lib.rs:12`.
    pub(crate) place: Option<String>,
    /// Users write it as an operator or an index.
    pub(crate) operator: bool,
    /// A function beside it that refuses instead of panicking, such as `try_push`.
    pub(crate) sibling: Option<String>,
    /// The trait whose function it is, such as `core::fmt::Debug`.
    pub(crate) trait_name: Option<String>,
    /// The promise, if it is a law that follows from names.
    pub(crate) promise: Option<Promise>,
    /// The law that it is, if it is one that follows from names.
    pub(crate) law: Option<Law>,
    /// It is a law that somebody has stated.
    pub(crate) stated: bool,
}

/// A law, and the type or function that it is of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Law {
    pub(crate) name: String,
    pub(crate) of: String,
}

impl Law {
    /// Returns the law that an operation of this role asks, if it asks one.
    pub(crate) fn of(role: &Role) -> Option<Law> {
        match role {
            Role::Law { name, of } => Some(Law { name: name.clone(), of: of.clone() }),
            _ => None,
        }
    }

    /// Returns whether a user means it by a name: that of the law, for all types, or with the type that it is of.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.name == name || format!("{} of {}", self.name, self.of) == name
    }

    /// Returns the name of its operation, which tapes, patterns and files of known bugs know it by.
    pub(crate) fn operation(&self) -> String {
        format!("law {} of {}", self.name, self.of)
    }
}

/// The reason why a law should hold, and how sure it is that a violation is a bug.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Promise {
    /// One sentence without a capital letter and a full stop.
    pub(crate) reason: String,
    /// The probability that a violation is a bug, in percent.
    pub(crate) sureness: u8,
}

/// Phrases by which documentation denies a panic.
const DENIALS: [&str; 12] = [
    "cannot panic",
    "can't panic",
    "can not panic",
    "never panic",
    "not panic",
    "n't panic",
    "no panic",
    "without panic",
    "instead of panic",
    "rather than panic",
    "panic-free",
    "avoids panic",
];

/// Phrases that name a part of Rust's way to panic, and say of no call that it panics.
const MACHINERY: [&str; 7] = [
    "panic hook",
    "panic handler",
    "panic info",
    "panic payload",
    "panic runtime",
    "panic strategy",
    "std::panic",
];

/// Phrases by which documentation states what callers must take care of.
const INSISTENCE: [&str; 21] = [
    "must be",
    "must not",
    "must have",
    "must contain",
    "must match",
    "must fit",
    "must lie",
    "caller must",
    "caller should",
    "callers should",
    "responsibility of the caller",
    "caller's responsibility",
    "caller is responsible",
    "up to the caller",
    "has to be",
    "have to be",
    "never called with",
    "only valid if",
    "it is a logic error",
    "undefined behavior",
    "is not designed to",
];

/// Words for what a function is given, behind "assumes".
const GIVEN: [&str; 5] = ["given", "passed", "provided", "input", "argument"];

/// Returns true if a text assumes something of what is given: "assumes the date passed in is in a leap year". What it
/// assumes otherwise, such as a calendar or UTC, is no business of callers.
fn assumes_of_arguments(text: &str) -> bool {
    let is_of_arguments = |part: &str| {
        let near = part.split(['.', ';']).next().unwrap_or(part);
        GIVEN.iter().any(|word| near.find(word).is_some_and(|place| place < 24))
    };
    text.split("assumes").skip(1).any(is_of_arguments)
}

/// Phrases by which documentation says that a number is counted from one.
const FROM_ONE: [&str; 8] = [
    "1-indexed",
    "1-based",
    "one-indexed",
    "one-based",
    "starts at 1",
    "starts with 1",
    "starting at 1",
    "starting with 1",
];

/// Phrases by which documentation says that an argument is not checked.
const UNCHECKED: [&str; 7] =
    ["not check", "n't check", "unchecked", "no check", "not validat", "n't validat", "no validat"];

/// Phrases by which documentation says that a call waits until somebody else does something.
const WAITING: [&str; 10] = [
    "wait for",
    "waits for",
    "waiting for",
    "waits until",
    "wait until",
    "blocks until",
    "block until",
    "blocks the",
    "block the current thread",
    "blocking the",
];

/// Returns true if a text says that arguments are taken unchecked.
fn is_unchecked(text: &str) -> bool {
    // "without types casting, checking for denom == 0"
    let is_without = |part: &str| {
        let near = part.split(['.', '\n']).next().unwrap_or(part);
        ["check", "validat", "verif"].iter().any(|word| near.find(word).is_some_and(|place| place < 48))
    };
    UNCHECKED.iter().any(|phrase| text.contains(phrase)) || text.split("without").skip(1).any(is_without)
}

/// Phrases by which documentation states what callers should take care of.
const DEMANDS: [&str; 2] = ["should be", "should not"];

/// Phrases by which documentation says that an argument is not taken as it is.
const ADJUSTMENTS: [&str; 24] = [
    "clamp",
    "normali",
    "rounded",
    "rounding",
    "rounds ",
    "truncat",
    "saturat",
    "nearest",
    "closest",
    "approximat",
    "capped",
    "at most",
    "at least",
    "modulo",
    "wraps",
    "wrapped",
    "wrapping",
    "ignored",
    "no effect",
    "no-op",
    "mask",
    "lossy",
    "loses",
    "lost",
];

/// Returns true if the section on panics in the documentation of a type names a function.
pub(crate) fn is_said_to_panic(docs: &str, function: &str) -> bool {
    let is_head = |line: &&str| line.starts_with('#');
    let mut lines = docs.lines().skip_while(|line| !is_head(line) || !line.to_lowercase().contains("panic"));
    let named = [
        format!("`{function}`"),
        format!("`{function}("),
        format!("::{function}`"),
        format!("::{function}("),
    ];
    let section = lines.by_ref().skip(1).take_while(|line| !is_head(line));
    { section }.any(|line| named.iter().any(|name| line.contains(name)))
}

impl Facts {
    /// Returns what documentation says, with what the signature says as it is.
    pub(super) fn signed(&self, said: Facts) -> Facts {
        let Facts { track_caller, fallible, given, reads, sizes, numbers, searches, .. } = *self;
        let from_one = self.from_one || said.from_one;
        let place = self.place.clone();
        Facts { track_caller, fallible, given, reads, sizes, numbers, searches, from_one, place, ..said }
    }

    /// Reads the documentation of a function.
    pub(crate) fn of(docs: &str, deprecated: bool) -> Facts {
        let text = docs.to_lowercase().replace('*', "");
        let insists = INSISTENCE.iter().any(|demand| text.contains(demand)) || assumes_of_arguments(&text);
        let count =
            |phrases: &[&str]| phrases.iter().map(|phrase| text.matches(phrase).count()).sum::<usize>();
        let denied = count(&DENIALS);
        let section = text.lines().any(|line| line.starts_with('#') && line.contains("panic"));
        // "Does not panic" is within "not panic", so that a text that only denies is not one that states.
        let stated = section || text.matches("panic").count() > denied + count(&MACHINERY);
        Facts {
            documented_panic: stated,
            never_panics: denied > 0 && !stated,
            precondition: insists || DEMANDS.iter().any(|demand| text.contains(demand)),
            insists,
            unchecked: is_unchecked(&text),
            from_one: FROM_ONE.iter().any(|phrase| text.contains(phrase)),
            waits: WAITING.iter().any(|phrase| text.contains(phrase)),
            documented_boundary: text.contains("boundar"),
            empties: ["remov", "empty", "empties"].iter().any(|word| text.contains(word)),
            adjusts: ADJUSTMENTS.iter().any(|word| text.contains(word)),
            deprecated,
            documented: !docs.trim().is_empty(),
            texts: dictionary::texts_of(docs),
            ..Facts::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_may_say_which_of_its_functions_panic() {
        let docs = "Has a `flush`.\n\n# Panics\n\nCalling `write()` or\n[`Ink::finish`] after it.\n\n# Errors\n\n`seek`";
        let said = ["write", "finish", "flush", "seek", "rite"].map(|name| is_said_to_panic(docs, name));
        assert_eq!(said, [true, true, false, false, false]);
        assert!(!is_said_to_panic("`write` is here.", "write"));
    }

    #[test]
    fn a_panic_that_is_denied_is_not_one_that_is_stated() {
        let denied = Facts::of("Grows as needed. This function cannot panic.", false);
        assert!(denied.never_panics && !denied.documented_panic);
        let stated = Facts::of("Splits.\n\n# Panics\n\nIf `at` is above the length.", false);
        assert!(stated.documented_panic && !stated.never_panics);
        let both = Facts::of("Does not panic if it is empty.\n\n# Panics\n\nIf it is full.", false);
        assert!(both.documented_panic && !both.never_panics);
        assert!(!Facts::of("Adds one.", false).documented_panic);
    }

    #[test]
    fn a_part_of_the_panic_machinery_is_no_panic_that_is_stated() {
        assert!(
            !Facts::of("Sets a panic hook of its own, by `std::panic::set_hook`.", false).documented_panic
        );
        assert!(Facts::of("Sets a panic hook. Panics if there is one.", false).documented_panic);
    }

    #[test]
    fn prose_may_say_that_what_is_given_is_changed() {
        assert!(Facts::of("Sets the level, clamped to ten.", false).adjusts);
        assert!(!Facts::of("Sets the maximum level, the other way round.", false).adjusts);
    }

    #[test]
    fn prose_may_say_that_nothing_is_looked_at() {
        assert!(Facts::of("Creates a ratio without checking for a denominator of zero.", false).unchecked);
        assert!(Facts::of("Makes one without types casting, checking and reducing.", false).unchecked);
        assert!(Facts::of("The prefix is not validated.", false).unchecked);
        assert!(!Facts::of("Grows without end. It is checked before.", false).unchecked);
    }

    #[test]
    fn prose_may_say_that_a_call_waits_for_others() {
        assert!(Facts::of("This method needs to wait for all readers to move.", false).waits);
        assert!(Facts::of("Takes the next item. Blocks until there is one.", false).waits);
        assert!(!Facts::of("Splits the list into blocks of this size, without a wait.", false).waits);
    }

    #[test]
    fn prose_may_demand_something_of_callers() {
        assert!(Facts::of("The range must be within bounds.", false).precondition);
        assert!(!Facts::of("Adds one.", false).precondition);
        assert!(Facts::of("Edges **must** be sorted.", false).insists);
        assert!(Facts::of("It can be assumed that this is never called with a newline.", false).insists);
        assert!(!Facts::of("It should be sorted.", false).insists);
        assert!(Facts::of("This function assumes the date passed in is in a leap year.", false).insists);
        assert!(Facts::of("It assumes that the input is sorted.", false).insists);
        assert!(!Facts::of("This assumes the proleptic Gregorian calendar. Is given in UTC.", false).insists);
        assert!(
            !Facts::of("It may be outside the valid range. Memory needs to be allocated.", false).insists
        );
        assert!(Facts::of("It is the caller's responsibility to sort.", false).insists);
        assert!(!Facts::of("Returns true if the caller is an expert.", false).insists);
    }

    #[test]
    fn prose_may_say_that_a_number_is_counted_from_one() {
        assert!(Facts::of("Given a 1-indexed day of the year, returns the month.", false).from_one);
        assert!(!Facts::of("Returns 1 for the first day.", false).from_one);
    }
}
