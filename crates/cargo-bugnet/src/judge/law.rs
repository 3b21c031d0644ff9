//! Laws of traits: why each of them must hold, in one sentence. Those that follow from names say it themselves.
//!
//! **Invariant:** a law without an entry is still shown, by its name.

/// Laws of traits: their names, and why they must hold.
const OF_TRAITS: [(&str, &str); 25] = [
    ("checks_hold", "the crate itself says by `#[check]` what always holds"),
    ("debug_prints", "`Debug` must not panic, whatever the value"),
    ("display_prints", "`Display` must not panic, whatever the value"),
    ("eq_is_symmetric", "`PartialEq` demands that `a == b` is the same as `b == a`"),
    ("eq_is_reflexive", "`Eq` demands that every value is equal to itself"),
    ("eq_is_transitive", "`Eq` demands that what is equal to an equal is equal"),
    ("clone_is_equal", "`Clone` demands that a clone is equal to the original"),
    ("equal_hashes", "`Hash` demands that equal values have equal hashes, or they are lost in hash maps"),
    ("clone_hashes_alike", "a clone is equal to the original, so it must have the same hash"),
    ("rebuilt_is_equal", "what is collected from the items of a collection should be equal to it"),
    ("rebuilt_hashes_alike", "equal collections must have equal hashes, however they were built"),
    ("partial_cmp_is_dual", "`PartialOrd` demands that `a < b` is the same as `b > a`"),
    (
        "partial_cmp_agrees_with_eq",
        "`PartialOrd` demands that values are equal exactly if they compare as equal",
    ),
    ("less_agrees_with_partial_cmp", "`PartialOrd` demands that `<` agrees with `partial_cmp`"),
    ("cmp_agrees_with_partial_cmp", "`Ord` demands that `cmp` agrees with `partial_cmp`"),
    ("cmp_is_dual", "`Ord` demands that `a.cmp(&b)` is the reverse of `b.cmp(&a)`"),
    ("cmp_agrees_with_eq", "`Ord` demands that values are equal exactly if they compare as equal"),
    ("cmp_is_transitive", "`Ord` demands a total order"),
    ("display_is_parsed", "what `Display` prints should be read by `FromStr` as the same value"),
    ("size_hint_holds", "`Iterator` demands that `size_hint` bounds the number of items"),
    ("len_is_count", "the length must be the number of items"),
    ("both_ends_meet", "a `DoubleEndedIterator` yields each item once, from whichever end"),
    ("rev_is_reverse", "a `DoubleEndedIterator` yields the same items backwards"),
    ("end_is_final", "a `FusedIterator` yields nothing after its end"),
    ("default_is_equal", "`Default` should always make the same value"),
];

/// Returns the reason why a law of a trait must hold.
pub(crate) fn of_trait(name: &str) -> Option<&'static str> {
    OF_TRAITS.iter().find(|(law, _)| *law == name).map(|(_, reason)| *reason)
}

/// Laws that are good manners rather than promises.
const CONVENTIONS: [&str; 3] = ["display_is_parsed", "rebuilt_is_equal", "default_is_equal"];

/// Returns true if a law is a convention rather than a promise.
pub(crate) fn is_convention(name: &str) -> bool {
    CONVENTIONS.contains(&name)
}

/// Returns true if a law is about comparing values: such laws of one type break together.
pub(crate) fn is_of_comparing(name: &str) -> bool {
    let parts = ["eq_", "cmp_", "less_", "hash", "clone_", "rebuilt_"];
    of_trait(name).is_some() && parts.iter().any(|part| name.contains(part))
}

/// Laws of iterators, which hand on what is wrong with the iterators inside them.
const OF_ITERATORS: [&str; 5] =
    ["size_hint_holds", "len_is_count", "both_ends_meet", "rev_is_reverse", "end_is_final"];

/// Returns true if a law is about iterators.
pub(crate) fn is_of_iterators(name: &str) -> bool {
    OF_ITERATORS.contains(&name)
}

/// Returns true if a law says that a printed value parses back to the same value.
pub(crate) fn is_of_printing(name: &str) -> bool {
    name == "display_is_parsed" || name.contains("_reads_")
}

/// Returns the subject of the law of a format, such as `to_string::<Vec<i32>>`. All functions of a crate that
/// write and read texts treat a subject alike.
pub(crate) fn format(name: &str, of: &str) -> Option<&'static str> {
    let (_, shape) = of.split_once("::<").filter(|_| name.ends_with("_undoes"))?;
    Some(match shape {
        "i64>" | "u64>" => "numbers",
        "f64>" => "fractions",
        _ if shape.contains("Option") => "options",
        _ if shape.contains("String") || shape.contains("char") => "texts",
        _ => "lists",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_law_that_is_told_apart_has_a_reason_and_no_law_is_named_twice() {
        assert!(CONVENTIONS.iter().chain(&OF_ITERATORS).all(|name| of_trait(name).is_some()));
        let names: std::collections::BTreeSet<&str> = OF_TRAITS.iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), OF_TRAITS.len());
    }

    #[test]
    fn what_is_written_alike_is_about_the_same() {
        let about = |of: &str| format("from_str_undoes", of);
        assert_eq!(about("to_string::<Vec<String>>"), about("ser::to_writer::<char>"));
        assert_ne!(about("to_string::<f64>"), about("to_string::<i64>"));
        assert_eq!((about("encode"), format("sort_sorts", "Row::<u8>")), (None, None));
    }

    #[test]
    fn laws_of_comparing_are_told_apart() {
        assert!(is_of_comparing("equal_hashes") && is_of_comparing("partial_cmp_is_dual"));
        assert!(!is_of_comparing("display_is_parsed") && !is_of_comparing("len_is_count"));
    }
}
