//! Bugnet finds bugs in Rust code that nobody wrote a test for.
//!
//! This is its library: property tests that search at random *and* exhaustively, need no
//! generators for ordinary types, and hand back the simplest failing input as Rust source.
//!
//! ```
//! use bugnet::prelude::*;
//!
//! #[derive(Debug, Clone, PartialEq, Generate)]
//! enum Exp {
//!     Con(i64),
//!     Add(Box<Exp>, Box<Exp>),
//!     Mul(Box<Exp>, Box<Exp>),
//! }
//!
//! fn size(exp: &Exp) -> usize {
//!     match exp {
//!         Exp::Con(_) => 1,
//!         Exp::Add(left, right) | Exp::Mul(left, right) => 1 + size(left) + size(right),
//!     }
//! }
//!
//! let failed = check(any::<Exp>(), |exp| size(&exp) < 3).unwrap_err();
//! assert_eq!(failed.arguments()[0].text, "Add(Con(0), Con(0))");
//! ```
//!
//! In a test file, write `#[property] fn name(input: Type, …) { … }` and run `cargo test`.
//!
//! The modules follow the data: [`choice`] makes decisions, [`generate`] turns them into values,
//! [`oracle`] judges what happens to them, and [`campaign`] ties search, reduction and memory
//! together.

#![warn(missing_docs)]

pub mod campaign;
pub mod choice;
pub mod generate;
pub mod oracle;
pub mod program;
#[doc(hidden)]
pub mod swarm;
#[doc(hidden)]
pub mod wire;

mod case;
#[cfg(feature = "values")]
mod form;
mod hunt;
mod label;
mod learn;
mod list;
mod macros;
mod pattern;
mod random;
mod report;
mod settings;
mod shrink;
mod strategy;
mod trial;

/// Bugs: what is known of the programs that fail, so that each is found once.
///
/// A [`Pattern`](bug::Pattern) says what all programs that fail for one reason have in common, and a
/// [`Matcher`](bug::Matcher) watches a program grow and says which call would complete a pattern.
///
/// ```
/// use bugnet::bug::{Call, Element, Matcher, Pattern};
///
/// let tick = Element { operation: 0, arguments: vec![], result: None };
/// let twice = Pattern::sequence(vec![tick.clone(), tick]).unwrap();
/// let mut matcher = Matcher::new(&[twice]);
/// let call = Call { operation: 0, arguments: &[], choices: &[], classes: &[] };
/// assert_eq!(matcher.would_complete(&call), None);
/// matcher.add(&call);
/// assert_eq!(matcher.would_complete(&call), Some(0));
/// ```
#[doc(hidden)]
pub mod bug {
    pub use crate::learn::PatternError;
    pub use crate::pattern::{
        Amount, Aspect, Call, Class, Course, Effect, Element, Extra, Guard, Literal, Matcher, Measures,
        Pattern, Term, Value, literal_value, subsumes,
    };
}

/// The parts of the engine that `bugnet-explore` is made of; no part of it is stable.
#[doc(hidden)]
pub mod engine {
    pub use crate::choice::Watcher;
    pub use crate::generate::{ELEMENT, SEQUENCE, place_of};
    pub use crate::label::labelled;
    pub use crate::learn::{Learner, parallelized, varied};
    pub use crate::program::{
        Attempt, Avoidance, CALL, Execution, Failed, Hook, HookedCall, LITERAL, Lookout, Proposal, Scratch,
    };
    pub use crate::random::scale;
    pub use crate::shrink::{Shrunk, Terms, shrink_program};
    pub use crate::trial::{Ran, Trial, Worth};
}

/// The names that a test file needs, in one `use`.
///
/// ```
/// use bugnet::prelude::*;
///
/// assert!(check(any::<Vec<u8>>(), |list| list.len() < 1_000_000).is_ok());
/// ```
pub mod prelude {
    pub use crate::campaign::{Isolate, Property, Strategies, check};
    pub use crate::choice::{Source, Tape};
    #[cfg(feature = "arbitrary")]
    pub use crate::generate::arbitrary;
    #[cfg(feature = "proptest")]
    pub use crate::generate::from_strategy;
    #[cfg(feature = "regex")]
    pub use crate::generate::regex;
    pub use crate::generate::{
        Combine, Generate, Generator, Literal, any, from_fn, just, one_of, recursive, select, string_of,
        unique, vec_of, weighted, within,
    };
    pub use crate::macros::{Generate, api, example, law, machine, property, suite};
    pub use crate::random::Seed;
    pub use crate::{assume, classify, collect, cover, feature, note};
}

pub use campaign::{Property, check};
pub use choice::Source;
pub use generate::{Generate, Generator};
pub use macros::{Generate, api, example, law, machine, property, suite};
pub use oracle::future::block_on;

/// Gives up the case unless a precondition holds. It counts neither as passed nor as failed.
///
/// ```
/// use bugnet::prelude::*;
///
/// check(any::<(u8, u8)>(), |(a, b)| {
///     assume!(b != 0);
///     assert!(a / b <= a);
/// })
/// .unwrap();
/// ```
#[macro_export]
macro_rules! assume {
    // What `#[property]` writes at the start of a function, where returning is faster.
    (@return $condition:expr $(,)?) => {
        if !$condition {
            return $crate::__private::Verdict::Discard;
        }
    };
    ($condition:expr $(,)?) => {
        if !$condition {
            $crate::__private::discard();
        }
    };
}

/// Labels the case with a value; the report counts the cases per value.
///
/// ```
/// use bugnet::prelude::*;
///
/// let passed = check(0..2u8, |x| collect!(x)).unwrap();
/// assert_eq!(passed.labels.counts.len(), 2);
/// ```
#[macro_export]
macro_rules! collect {
    ($value:expr $(,)?) => {
        $crate::__private::collect(&$value)
    };
}

/// Labels the case with a name if a condition holds; the report counts the cases per name.
///
/// ```
/// use bugnet::prelude::*;
///
/// let passed = check(any::<Vec<u8>>(), |list| classify!(list.is_empty(), "trivial")).unwrap();
/// assert!(passed.labels.counts["trivial"] > 0);
/// ```
#[macro_export]
macro_rules! classify {
    ($condition:expr, $name:expr $(,)?) => {
        if $condition {
            $crate::__private::classify($name);
        } else {
            $crate::__private::absent(|| ($name).to_string());
        }
    };
}

/// Demands that at least this percentage of the cases fulfils a condition. The property fails if
/// they are fewer and chance cannot explain it.
///
/// ```
/// use bugnet::prelude::*;
///
/// let failed = check(any::<u32>(), |x| cover!(90, x == 7, "seven")).unwrap_err();
/// assert!(failed.to_string().contains("NOT COVERED"));
/// ```
#[macro_export]
macro_rules! cover {
    ($percent:expr, $condition:expr, $name:expr $(,)?) => {
        $crate::__private::cover(f64::from($percent), $condition, $name)
    };
}

/// Leaves a line in the report of the final case; costs nothing in all others.
///
/// ```
/// use bugnet::prelude::*;
///
/// let failed = check(any::<u8>(), |x| {
///     note!("twice that is {}", u32::from(x) * 2);
///     x < 100
/// })
/// .unwrap_err();
/// assert_eq!(failed.notes(), ["twice that is 200"]);
/// ```
#[macro_export]
macro_rules! note {
    ($($format:tt)*) => {
        $crate::__private::note(|| ::std::format!($($format)*))
    };
}

/// Returns true if a feature that the test names itself is on in this case. In programs (the rules of a machine and
/// the code that they call) swarm testing leaves it out of some cases; elsewhere it is on.
///
/// ```
/// use bugnet::prelude::*;
///
/// fn save(data: &[u8]) -> Vec<u8> {
///     if feature!("compressed") { data.iter().copied().filter(|byte| *byte != 0).collect() } else { data.to_vec() }
/// }
/// assert_eq!(save(&[0, 1]), [1]);
/// ```
///
/// A second number is the share of cases that have it, where it should be left out less often than other
/// features, or more often: `feature!("compressed", 0.9)`.
#[macro_export]
macro_rules! feature {
    ($name:literal $(,)?) => {
        $crate::__private::feature_is_on($name)
    };
    ($name:literal, $share:literal $(,)?) => {{
        const {
            ::std::assert!(
                $share >= 0.0 && $share <= 1.0,
                "the share of a feature is a number from 0.0 to 1.0"
            )
        }
        $crate::__private::feature_is_on_with($name, $share)
    }};
}

/// For the macros only; no part of it is stable.
#[doc(hidden)]
pub mod __private {
    pub use crate::campaign::{Argument, Borrowing, Closures, Options};
    pub use crate::generate::show::{Show, ShowBuilt, ShowDebug, ShowLiteral, ShowOpaque, Shown};
    pub use crate::generate::{Graph, Lawful, Shape, TypeId};
    pub use crate::label::{absent, classify, collect, cover, note};
    pub use crate::oracle::future::block_on;
    pub use crate::oracle::{IntoVerdict, Verdict};
    pub use crate::program::{
        Fingerprinted, FingerprintedByDebug, Generated, NotFingerprinted, NotGenerated, NotObserved,
        NotStandard, Observed, Standard, class_name, joined,
    };
    pub use crate::swarm::named::{is_on as feature_is_on, is_on_with as feature_is_on_with};

    pub fn discard() -> ! {
        std::panic::resume_unwind(Box::new(crate::oracle::Discarded))
    }

    /// Panics for whoever asks a check that does not hold.
    #[track_caller]
    pub fn assert_holds(verdict: Verdict, check: &str) {
        if let Verdict::Fail(failure) = verdict {
            panic!("the check `{check}` does not hold: {}", failure.message);
        }
    }

    /// The verdict on what follows the preconditions of a property.
    #[inline(always)]
    pub fn verdict<V: IntoVerdict>(run: impl FnOnce() -> V) -> Verdict {
        run().into_verdict()
    }

    /// Puts closures together. The bounds tell each closure what the one before it makes, so the
    /// macro need not know the type that a generator of the user makes.
    pub fn closures<I, G, T, S>(generate: G, test: T, show: S) -> Closures<G, T, S>
    where
        G: Fn(&mut crate::Source) -> I,
        T: Fn(I, &mut crate::Source) -> Verdict,
        S: Fn(&I) -> Vec<Argument>,
    {
        Closures { generate, test, show }
    }

    /// The same for a property that only borrows.
    pub fn borrowing<I, G, R, T, S>(
        generate: G,
        regenerate: R,
        reuses: bool,
        test: T,
        show: S,
    ) -> Borrowing<G, R, T, S>
    where
        G: Fn(&mut crate::Source) -> I,
        R: Fn(&mut I, &mut crate::Source),
        T: Fn(&mut I, &mut crate::Source) -> Verdict,
        S: Fn(&I) -> Vec<Argument>,
    {
        Borrowing { generate, regenerate, reuses, test, show }
    }
}
