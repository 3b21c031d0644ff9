//! Laws: why each of them must hold, in one sentence.
//!
//! **Invariant:** a law without an entry is still shown, by its name.

/// A law: its name, and why it must hold.
const LAWS: [(&str, &str); 44] = [
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
    ("is_empty_is_len_zero", "what is empty has the length zero, and nothing else has"),
    ("contains_inserted", "what was inserted is contained"),
    ("checked_agrees", "a checked function returns `None` exactly where the plain one panics"),
    ("wrapping_agrees", "a wrapping function agrees with the plain one where that does not overflow"),
    ("saturating_agrees", "a saturating function agrees with the plain one where that does not overflow"),
    ("assign_agrees", "an operator with assignment does what the operator does"),
    ("to_from", "what is converted there and back should be the same"),
    ("from_to", "what is converted there and back should be the same"),
    ("encode_decode", "what is encoded and decoded should be the same"),
    ("parse_format", "what is formatted and parsed should be the same"),
    ("format_parse", "what is formatted and parsed should be the same"),
    ("set_get", "what was set is what is got"),
    ("clear_is_new", "what was cleared is as good as new"),
    ("reset_is_new", "what was reset is as good as new"),
    ("extend_is_push", "to extend by items is to push each of them"),
    ("serde_round_trip", "what is serialized and deserialized should be the same"),
    ("into_try_from", "what was converted by `Into` can be converted back by `TryFrom`"),
    ("try_from_into", "what `TryFrom` accepts is converted back to the same"),
    ("is_unchanged_by_error", "what returned an error should have changed nothing"),
    ("iter_is_into_iter", "all ways to iterate yield the same items"),
];

/// Why a law must hold.
pub(crate) fn reason(name: &str) -> Option<&'static str> {
    LAWS.iter().find(|(law, _)| *law == name).map(|(_, reason)| *reason)
}

/// Laws that are good manners rather than promises.
const CONVENTIONS: [&str; 5] =
    ["display_is_parsed", "rebuilt_is_equal", "default_is_equal", "to_from", "from_to"];

/// Whether a law is good manners rather than a promise.
pub(crate) fn is_convention(name: &str) -> bool {
    CONVENTIONS.contains(&name)
}

/// Laws of iterators, which hand on what is wrong with the iterators inside them.
const OF_ITERATORS: [&str; 5] =
    ["size_hint_holds", "len_is_count", "both_ends_meet", "rev_is_reverse", "end_is_final"];

/// Whether a law is one of iterators.
pub(crate) fn is_of_iterators(name: &str) -> bool {
    OF_ITERATORS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_law_that_is_told_apart_has_a_reason_and_no_law_is_named_twice() {
        assert!(CONVENTIONS.iter().chain(&OF_ITERATORS).all(|name| reason(name).is_some()));
        let names: std::collections::BTreeSet<&str> = LAWS.iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), LAWS.len());
    }
}
