//! Mistakes in the use of the macros: what the compiler says about each.
//!
//! Run with `TRYBUILD=overwrite` to accept what it says now.
//!
//! **Invariant:** every message names the culprit and says what to write instead.

#[test]
fn mistakes_are_answered_with_what_to_do() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
