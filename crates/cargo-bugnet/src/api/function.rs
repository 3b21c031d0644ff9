//! Functions: what can be called, and what its documentation promises.

use super::bound::Generics;
use super::kind::Kind;
use crate::dictionary;
use serde::{Deserialize, Serialize};

/// A function of an API.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) generics: Generics,
    /// Names and types; that of the receiver is called `self`.
    pub(crate) inputs: Vec<(String, Kind)>,
    pub(crate) output: Kind,
    pub(crate) is_unsafe: bool,
    pub(crate) is_async: bool,
    pub(crate) facts: Facts,
}

impl Function {
    /// Whether it is called on a value.
    pub(crate) fn has_receiver(&self) -> bool {
        self.inputs.first().is_some_and(|(name, _)| name == "self")
    }

    /// Whether a harness may call it at all.
    pub(crate) fn is_callable(&self) -> bool {
        !self.is_unsafe && !self.is_async
    }
}

/// What documentation says about a function.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// It says that the function may panic.
    pub(crate) panics: bool,
    /// It speaks of the boundaries of characters.
    pub(crate) boundaries: bool,
    /// It says that the function cannot panic.
    pub(crate) never_panics: bool,
    /// It has a section about errors.
    pub(crate) errors: bool,
    /// It says what callers should take care of.
    pub(crate) demands: bool,
    /// It says what they must take care of, and may not look whether they do.
    pub(crate) insists: bool,
    /// It says that it does not look at what it is given.
    #[serde(default)]
    pub(crate) unchecked: bool,
    /// It is given a number that is a length or a capacity by its name.
    #[serde(default)]
    pub(crate) sizes: bool,
    /// It is given nothing but numbers, or what may be one.
    #[serde(default)]
    pub(crate) numbers: bool,
    /// It says that nothing is left afterwards.
    pub(crate) empties: bool,
    /// It says that what it is given is changed to what fits.
    pub(crate) adjusts: bool,
    pub(crate) deprecated: bool,
    /// It blames its caller for its panics.
    pub(crate) track_caller: bool,
    /// It returns an `Option` or a `Result`, so it could refuse.
    pub(crate) fallible: bool,
    /// It is given something beside what it is called on.
    pub(crate) given: bool,
    /// It is given text or bytes, which may come from anywhere.
    pub(crate) reads: bool,
    /// Where it is defined, such as `src/lib.rs:12`.
    pub(crate) place: Option<String>,
    /// Whether there is any documentation.
    pub(crate) documented: bool,
    /// The texts in its examples.
    #[serde(skip)]
    pub(crate) texts: Vec<String>,
}

/// How documentation denies a panic.
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

/// How documentation states what callers must take care of.
const INSISTENCE: [&str; 8] = [
    "must be",
    "must not",
    "must have",
    "caller must",
    "has to be",
    "have to be",
    "it is a logic error",
    "undefined behavior",
];

/// How documentation says that something is not looked at.
const UNCHECKED: [&str; 7] =
    ["not check", "n't check", "unchecked", "no check", "not validat", "n't validat", "no validat"];

/// Whether a text says that what is given is taken without a look.
fn is_unchecked(text: &str) -> bool {
    // "without types casting, checking for denom == 0"
    let is_without = |part: &str| {
        let near = part.split(['.', '\n']).next().unwrap_or(part);
        ["check", "validat", "verif"].iter().any(|word| near.find(word).is_some_and(|place| place < 48))
    };
    UNCHECKED.iter().any(|phrase| text.contains(phrase)) || text.split("without").skip(1).any(is_without)
}

/// How documentation states what callers should take care of.
const DEMANDS: [&str; 2] = ["should be", "should not"];

/// How documentation says that what is given is not taken as it is.
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

/// Whether the section on panics in the documentation of a type names a function.
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
    /// What a text says.
    pub(crate) fn of(docs: &str, deprecated: bool) -> Facts {
        let text = docs.to_lowercase().replace('*', "");
        let insists = INSISTENCE.iter().any(|demand| text.contains(demand));
        let denied: usize = DENIALS.iter().map(|denial| text.matches(denial).count()).sum();
        let section = text.lines().any(|line| line.starts_with('#') && line.contains("panic"));
        // "Does not panic" is within "not panic", so that a text that only denies is not one that states.
        let stated = section || text.matches("panic").count() > denied;
        Facts {
            panics: stated,
            never_panics: denied > 0 && !stated,
            errors: text.lines().any(|line| line.starts_with('#') && line.contains("error")),
            demands: insists || DEMANDS.iter().any(|demand| text.contains(demand)),
            insists,
            unchecked: is_unchecked(&text),
            boundaries: text.contains("boundar"),
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
        assert!(denied.never_panics && !denied.panics);
        let stated = Facts::of("Splits.\n\n# Panics\n\nIf `at` is above the length.", false);
        assert!(stated.panics && !stated.never_panics);
        let both = Facts::of("Does not panic if it is empty.\n\n# Panics\n\nIf it is full.", false);
        assert!(both.panics && !both.never_panics);
        assert!(!Facts::of("Adds one.", false).panics);
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
    fn prose_may_demand_something_of_callers() {
        assert!(Facts::of("The range must be within bounds.", false).demands);
        assert!(!Facts::of("Adds one.", false).demands);
        assert!(Facts::of("Edges **must** be sorted.", false).insists);
        assert!(!Facts::of("It should be sorted.", false).insists);
    }
}
