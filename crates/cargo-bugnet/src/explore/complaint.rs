//! Complaints: what a panic is about, read from the words that the standard library has for it.
//!
//! **Invariant:** everything that is not known to be said by the standard library was written by an author
//! on purpose.

use super::finding::Place;
use std::path::Path;

/// What a panic is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Complaint {
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

/// How messages of the standard library begin, and what they are about.
const BEGINNINGS: [(&str, Complaint); 19] = [
    ("attempt to divide by zero", Complaint::DivisionByZero),
    ("attempt to calculate the remainder with a divisor of zero", Complaint::DivisionByZero),
    ("index out of bounds: the len is", Complaint::Index),
    ("range start index ", Complaint::Slice),
    ("range end index ", Complaint::Slice),
    ("slice index starts at ", Complaint::Slice),
    ("byte index ", Complaint::Slice),
    ("start byte index ", Complaint::Slice),
    ("end byte index ", Complaint::Slice),
    ("begin <= end ", Complaint::Slice),
    ("called `Option::unwrap()` on a `None` value", Complaint::Unwrap),
    ("called `Result::unwrap()` on an `Err` value", Complaint::Unwrap),
    ("called `Result::unwrap_err()` on an `Ok` value", Complaint::Unwrap),
    ("internal error: entered unreachable code", Complaint::Unreachable),
    ("not yet implemented", Complaint::Unimplemented),
    ("not implemented", Complaint::Unimplemented),
    ("already borrowed", Complaint::Borrow),
    ("already mutably borrowed", Complaint::Borrow),
    ("a Display implementation returned an error unexpectedly", Complaint::Format),
];

impl Complaint {
    /// Reads the message of a panic, and the line that it comes from.
    pub(crate) fn of(message: &str, line: Option<&str>) -> Complaint {
        let known = BEGINNINGS.iter().find(|(beginning, _)| message.starts_with(beginning));
        if let Some((_, complaint)) = known {
            return *complaint;
        }
        // Authors begin so too.
        if message.starts_with("attempt to ") && message.ends_with(" with overflow") {
            return Complaint::Overflow;
        }
        let capacity = ["capacity overflow", "Hash table capacity overflow", "memory allocation of"];
        if capacity.iter().any(|words| message.contains(words)) {
            return Complaint::Capacity;
        }
        match line {
            Some(line) if line.contains("debug_assert") => Complaint::DebugAssertion,
            _ => Complaint::Explicit,
        }
    }

    /// In words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Complaint::Overflow => "overflows",
            Complaint::DivisionByZero => "divides by zero",
            Complaint::Index => "indexes out of bounds",
            Complaint::Slice => "slices out of bounds",
            Complaint::Unwrap => "unwraps what is not there",
            Complaint::Unreachable => "reaches what it takes for unreachable",
            Complaint::Unimplemented => "is not implemented",
            Complaint::Capacity => "asks for more memory than there is",
            Complaint::Borrow => "borrows what is borrowed",
            Complaint::Format => "cannot be displayed",
            Complaint::DebugAssertion => "breaks its own assertion",
            Complaint::Explicit => "panics",
        }
    }
}

/// The line of source code at a place, if it can be read; `root` is that of the package.
pub(crate) fn source_line(place: &Place, root: &Path) -> Option<String> {
    // The files of published packages are told with the folder of the package and no other.
    let beside = root.parent().unwrap_or(root);
    let text =
        [root, beside].iter().find_map(|folder| std::fs::read_to_string(folder.join(&place.file)).ok())?;
    let lines: Vec<&str> = text.lines().collect();
    let line = (place.line as usize).checked_sub(1)?;
    Some(lines.get(line)?.trim().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_the_standard_library_are_told_from_those_of_authors() {
        let of = |message| Complaint::of(message, None);
        assert_eq!(of("attempt to subtract with overflow"), Complaint::Overflow);
        assert_eq!(of("attempt to calculate with zero modulus!"), Complaint::Explicit);
        assert_eq!(of("attempt to divide by zero"), Complaint::DivisionByZero);
        assert_eq!(of("index out of bounds: the len is 0 but the index is 3"), Complaint::Index);
        assert_eq!(of("called `Option::unwrap()` on a `None` value"), Complaint::Unwrap);
        assert_eq!(of("capacity overflow"), Complaint::Capacity);
        assert_eq!(of("assertion failed: at <= len"), Complaint::Explicit);
        assert_eq!(of("index is too large"), Complaint::Explicit);
    }

    #[test]
    fn the_line_of_a_place_is_found_with_or_without_the_folder_of_its_package() {
        let registry = tempfile::tempdir().unwrap();
        let root = registry.path().join("b-0.1");
        std::fs::create_dir_all(root.join("src")).unwrap();
        std::fs::write(root.join("src/lib.rs"), "one\n  two\n").unwrap();
        for file in ["src/lib.rs:2:1", "b-0.1/src/lib.rs:2:1"] {
            assert_eq!(source_line(&Place::read(file).unwrap(), &root).as_deref(), Some("two"));
        }
    }

    #[test]
    fn an_assertion_is_told_by_its_line() {
        let message = "assertion failed: self.is_sound()";
        let line = |line| Complaint::of(message, Some(line));
        assert_eq!(line("debug_assert!(self.is_sound());"), Complaint::DebugAssertion);
        assert_eq!(line("assert!(self.is_sound());"), Complaint::Explicit);
    }
}
