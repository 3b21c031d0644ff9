//! Laws: what a `#[law]` says of itself, and the verdict on one check of it.
//!
//! **Invariant:** a check that gives up, or that panics with a text which the law discards, is neither passed nor failed.

use super::panic::{Caught, catch, usage_error};
use super::{Failure, IntoVerdict, Signature, Verdict};

/// The settings of a law, as `#[law(…)]` has them.
///
/// ```
/// use bugnet::oracle::{Law, Verdict};
///
/// let law = Law { expect_panic: Some("out of bounds"), ..Law::PLAIN };
/// assert_eq!(law.check(|| Vec::<u8>::new()[0] == 7), Verdict::Pass);
/// assert!(matches!(law.check(|| ()), Verdict::Fail(_)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Law {
    /// The number of checks after which it has been checked enough, if it says so.
    pub cases: Option<u64>,
    /// A part of the message of the panic in which every check must end, if it must.
    pub expect_panic: Option<&'static str>,
    /// A part of the messages of panics that are missed preconditions, if any are.
    pub discard: Option<&'static str>,
}

impl Law {
    /// A law without settings.
    ///
    /// ```
    /// use bugnet::oracle::{Law, Verdict};
    ///
    /// assert_eq!(Law::PLAIN.check(|| 1 + 1 == 2), Verdict::Pass);
    /// ```
    pub const PLAIN: Law = Law { cases: None, expect_panic: None, discard: None };

    /// Checks the law once.
    ///
    /// ```
    /// use bugnet::oracle::{Law, Verdict};
    ///
    /// let law = Law { discard: Some("out of bounds"), ..Law::PLAIN };
    /// assert_eq!(law.check(|| Vec::<u8>::new()[0] == 7), Verdict::Discard);
    /// ```
    pub fn check<V: IntoVerdict>(&self, run: impl FnOnce() -> V) -> Verdict {
        match (catch(run), self.expect_panic) {
            (Ok(result), None) => result.into_verdict(),
            (Ok(_), Some(_)) => Verdict::Fail(Box::new(no_panic())),
            (Err(Caught::Discarded), _) => Verdict::Discard,
            (Err(Caught::Misused(message)), _) => usage_error(message),
            (Err(Caught::Failed(failure)), expected) => self.judged(failure, expected),
        }
    }

    /// Panics if the law does not hold: what the test of a law that expects a panic calls.
    ///
    /// ```
    /// use bugnet::oracle::Law;
    ///
    /// let law = Law { expect_panic: Some("out of bounds"), ..Law::PLAIN };
    /// law.assert(|| Vec::<u8>::new()[0] == 7);
    /// ```
    #[track_caller]
    pub fn assert<V: IntoVerdict>(&self, run: impl FnOnce() -> V) {
        if let Verdict::Fail(failure) = self.check(run) {
            panic!("{}", failure.message);
        }
    }

    /// Judges a check that has panicked.
    fn judged(&self, failure: Box<Failure>, expected: Option<&str>) -> Verdict {
        let says = |text: &str| failure.message.contains(text);
        match expected {
            _ if self.discard.is_some_and(says) => Verdict::Discard,
            Some(text) if says(text) => Verdict::Pass,
            _ => Verdict::Fail(failure),
        }
    }
}

/// A law whose every check must panic. Those who read the type of its settings know how to write a test of it.
#[doc(hidden)]
pub type PanickingLaw = Law;

fn no_panic() -> Failure {
    Failure::new(Signature::NoPanic, "the law should have panicked, and did not")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_another_kind_than_the_expected_one_fails() {
        let law = Law { expect_panic: Some("empty"), ..Law::PLAIN };
        let Verdict::Fail(failure) = law.check(|| Vec::<u8>::new()[0] == 7) else {
            panic!("it is another panic")
        };
        assert!(failure.message.contains("out of bounds"), "{failure:?}");
    }

    #[test]
    fn a_check_that_gives_up_is_discarded_whatever_is_expected() {
        for law in [Law::PLAIN, Law { expect_panic: Some(""), ..Law::PLAIN }] {
            assert_eq!(law.check(|| crate::assume!(false)), Verdict::Discard);
        }
    }
}
