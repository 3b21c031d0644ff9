//! Kinds of panics, told by the words that the standard library has for each.
//!
//! **Invariant:** a message that is not one of the standard library was written by an author
//! on purpose.

/// The subject of a panic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PanicKind {
    Overflow,
    DivisionByZero,
    Index,
    Slice,
    Unwrap,
    Unreachable,
    Unimplemented,
    Capacity,
    Borrow,
    /// `Display` returned an error.
    Format,
    /// `debug_assert!`: what the author takes for granted.
    DebugAssertion,
    /// An assertion or a message: what the author has thought of.
    Explicit,
}

/// Beginnings of messages of the standard library, each with the kind of panic.
const BEGINNINGS: [(&str, PanicKind); 19] = [
    ("attempt to divide by zero", PanicKind::DivisionByZero),
    ("attempt to calculate the remainder with a divisor of zero", PanicKind::DivisionByZero),
    ("index out of bounds: the len is", PanicKind::Index),
    ("range start index ", PanicKind::Slice),
    ("range end index ", PanicKind::Slice),
    ("slice index starts at ", PanicKind::Slice),
    ("byte index ", PanicKind::Slice),
    ("start byte index ", PanicKind::Slice),
    ("end byte index ", PanicKind::Slice),
    ("begin <= end ", PanicKind::Slice),
    ("called `Option::unwrap()` on a `None` value", PanicKind::Unwrap),
    ("called `Result::unwrap()` on an `Err` value", PanicKind::Unwrap),
    ("called `Result::unwrap_err()` on an `Ok` value", PanicKind::Unwrap),
    ("internal error: entered unreachable code", PanicKind::Unreachable),
    ("not yet implemented", PanicKind::Unimplemented),
    ("not implemented", PanicKind::Unimplemented),
    ("already borrowed", PanicKind::Borrow),
    ("already mutably borrowed", PanicKind::Borrow),
    ("a Display implementation returned an error unexpectedly", PanicKind::Format),
];

impl PanicKind {
    /// Reads the message of a panic, and the line that it comes from.
    pub(crate) fn of(message: &str, line: Option<&str>) -> PanicKind {
        let known = BEGINNINGS.iter().find(|(beginning, _)| message.starts_with(beginning));
        if let Some((_, kind)) = known {
            return *kind;
        }
        // Authors begin so too.
        if message.starts_with("attempt to ") && message.ends_with(" with overflow") {
            return PanicKind::Overflow;
        }
        let capacity = ["capacity overflow", "Hash table capacity overflow", "memory allocation of"];
        if capacity.iter().any(|words| message.contains(words)) {
            return PanicKind::Capacity;
        }
        match line {
            Some(line) if line.contains("debug_assert") => PanicKind::DebugAssertion,
            _ => PanicKind::Explicit,
        }
    }

    /// Returns the word that stands for it in files.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            PanicKind::Overflow => "overflow",
            PanicKind::DivisionByZero => "division",
            PanicKind::Index => "index",
            PanicKind::Slice => "slice",
            PanicKind::Unwrap => "unwrap",
            PanicKind::Unreachable => "unreachable",
            PanicKind::Unimplemented => "unimplemented",
            PanicKind::Capacity => "capacity",
            PanicKind::Borrow => "borrow",
            PanicKind::Format => "format",
            PanicKind::DebugAssertion => "assertion",
            PanicKind::Explicit => "message",
        }
    }

    /// Describes the kind in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            PanicKind::Overflow => "overflows",
            PanicKind::DivisionByZero => "divides by zero",
            PanicKind::Index => "indexes out of bounds",
            PanicKind::Slice => "slices out of bounds",
            PanicKind::Unwrap => "unwraps what is not there",
            PanicKind::Unreachable => "reaches what it takes for unreachable",
            PanicKind::Unimplemented => "is not implemented",
            PanicKind::Capacity => "asks for more memory than there is",
            PanicKind::Borrow => "borrows what is borrowed",
            PanicKind::Format => "cannot be displayed",
            PanicKind::DebugAssertion => "breaks its own assertion",
            PanicKind::Explicit => "panics",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_the_standard_library_are_told_from_those_of_authors() {
        let of = |message| PanicKind::of(message, None);
        assert_eq!(of("attempt to subtract with overflow"), PanicKind::Overflow);
        assert_eq!(of("attempt to calculate with zero modulus!"), PanicKind::Explicit);
        assert_eq!(of("attempt to divide by zero"), PanicKind::DivisionByZero);
        assert_eq!(of("index out of bounds: the len is 0 but the index is 3"), PanicKind::Index);
        assert_eq!(of("called `Option::unwrap()` on a `None` value"), PanicKind::Unwrap);
        assert_eq!(of("capacity overflow"), PanicKind::Capacity);
        assert_eq!(of("assertion failed: at <= len"), PanicKind::Explicit);
        assert_eq!(of("index is too large"), PanicKind::Explicit);
    }

    #[test]
    fn an_assertion_is_told_by_its_line() {
        let message = "assertion failed: self.is_sound()";
        let line = |line| PanicKind::of(message, Some(line));
        assert_eq!(line("debug_assert!(self.is_sound());"), PanicKind::DebugAssertion);
        assert_eq!(line("assert!(self.is_sound());"), PanicKind::Explicit);
    }
}
