//! Outcomes: what a campaign came to.

use super::labels::Labels;
use super::test::Argument;
use crate::bug::Pattern;
use crate::choice::{Seed, Tape};
use crate::oracle::Failure;
use crate::strategy::Exhausted;
use crate::swarm::Tally;
use std::fmt;
use std::path::PathBuf;

/// A property that was not refuted.
///
/// ```
/// use bugnet::prelude::*;
///
/// let passed = Property::new("doubling_is_even").check(0..1000u32, |x| x * 2 % 2 == 0).unwrap();
/// assert_eq!(passed.tests, 1000);
/// assert!(passed.to_string().starts_with("doubling_is_even: OK"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Passed {
    /// The name of the property.
    pub name: String,
    /// How many cases passed.
    pub tests: u64,
    /// How many cases did not meet the preconditions.
    pub discarded: u64,
    /// What was tested completely.
    pub exhausted: Option<Exhausted>,
    /// The labels of the cases.
    pub labels: Labels,
    /// For programs: the operations that were never called.
    pub never_called: Vec<String>,
    /// Known bugs that are there no more.
    pub fixed: Vec<String>,
    /// How many cases were not run because they are known to fail.
    pub avoided: u64,
}

/// A property that was refuted, or could not be tested. Printed, it is the report.
///
/// ```
/// use bugnet::prelude::*;
///
/// let failed = Property::new("small").check(any::<u32>(), |x| x < 50).unwrap_err();
/// assert_eq!(failed.arguments[0].text, "50");
/// ```
#[derive(Clone, PartialEq)]
pub struct Failed {
    /// The name of the property.
    pub name: String,
    /// Why it failed.
    pub reason: Reason,
    /// The simplest failing input.
    pub arguments: Vec<Argument>,
    /// Lines that the property noted while that input ran, and its labels.
    pub notes: Vec<String>,
    /// The choices behind the input, by which it can be run again.
    pub tape: Option<Tape>,
    /// The seed of the run.
    pub seed: Seed,
    /// What finding and reducing took.
    pub effort: Effort,
    /// Where the case is kept, or why it could not be.
    pub kept: Option<Result<PathBuf, String>>,
    /// For programs: where the failing one is written as a test, or why it could not be.
    pub written: Option<Result<PathBuf, String>>,
    /// Which operations of programs, or variants in inputs, make the failure more and less likely.
    pub influences: Tally,
    /// Where all bugs are wanted: those that were found, the simplest first. What stands above is of the
    /// first.
    pub bugs: Vec<Bug>,
    /// How many cases were run in all.
    pub tests: u64,
    /// Known bugs that are there no more.
    pub fixed: Vec<String>,
    /// Why no more than the first bug was looked for, although all are wanted.
    pub remark: Option<&'static str>,
}

/// One reason for which programs, or the inputs of a property, fail.
///
/// ```
/// use bugnet::campaign::Wanted;
/// use bugnet::prelude::*;
/// use bugnet::program::{Operation, Programs, Suite};
///
/// let suite = Suite::new("time").operation(Operation::new("now", "now()", |_| panic!("late")));
/// let failed = Property::new("time").bugs(Wanted::ALL).run(&Programs::new(suite.strict().build())).unwrap_err();
/// assert_eq!(failed.bugs.len(), 1);
/// assert_eq!(failed.bugs[0].words, "now()");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Bug {
    /// Two words to speak of it.
    pub name: String,
    /// What the programs have in common, unless they are too long to say.
    pub pattern: Option<Pattern>,
    /// For a property: what the inputs have in common, as it is stored.
    pub form: Option<String>,
    /// The pattern in words, unless it is too long to read.
    pub words: String,
    /// How the simplest program fails.
    pub failure: Failure,
    /// The simplest program.
    pub arguments: Vec<Argument>,
    /// Lines that were noted while it ran.
    pub notes: Vec<String>,
    /// The choices behind it.
    pub tape: Tape,
    /// What finding and reducing took.
    pub effort: Effort,
    /// The bug that this is another way to: it has all that the pattern of that bug has, and what is
    /// known to prevent it there besides.
    pub variant_of: Option<String>,
    /// How often it was met, by each strategy.
    pub hits: Vec<(&'static str, u64)>,
    /// For a property: how many inputs of the pattern were not run.
    pub avoided: u64,
    /// Which operations make it more and less likely.
    pub influences: Tally,
    /// Where the program is kept, or why it could not be.
    pub kept: Option<Result<PathBuf, String>>,
    /// Where the program is written as a test, or why it could not be.
    pub written: Option<Result<PathBuf, String>>,
    /// What tells it apart in its run, and that of the bug that it is another way to.
    pub(crate) id: usize,
    pub(crate) base: Option<usize>,
    /// Whether it was known before.
    pub(crate) accepted: bool,
}

impl Bug {
    pub(crate) fn new(failure: Failure, tape: Tape, notes: Vec<String>, effort: Effort) -> Bug {
        Bug {
            name: String::new(),
            pattern: None,
            form: None,
            words: String::new(),
            failure,
            arguments: Vec::new(),
            notes,
            tape,
            effort,
            variant_of: None,
            hits: Vec::new(),
            avoided: 0,
            influences: Tally::default(),
            kept: None,
            written: None,
            id: 0,
            base: None,
            accepted: false,
        }
    }

    /// Counts a program that failed for this reason.
    pub(crate) fn hit(&mut self, by: &'static str) {
        match self.hits.iter_mut().find(|(known, _)| *known == by) {
            Some((_, count)) => *count += 1,
            None => self.hits.push((by, 1)),
        }
    }

    /// Counts what was met of another bug, which turned out to be this one.
    pub(crate) fn join(&mut self, other: &Bug) {
        other.hits.iter().for_each(|(by, count)| (0..*count).for_each(|_| self.hit(by)));
        self.avoided += other.avoided;
    }
}

/// Why a property failed.
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::campaign::Reason;
///
/// let failed = Property::new("never").check(any::<u8>(), |_| assume!(false)).unwrap_err();
/// assert!(matches!(failed.reason, Reason::GaveUp { .. }));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Reason {
    /// An input refutes it.
    Refuted(Failure),
    /// The same input now fails and now passes.
    Flaky {
        /// The failure that was seen.
        failure: Failure,
        /// How often the input was run again.
        runs: u32,
        /// How often it failed again.
        failed: u32,
    },
    /// Too few inputs met the preconditions.
    GaveUp {
        /// How many met them.
        passed: u64,
        /// How many did not.
        discarded: u64,
    },
    /// A label that `cover!` demands was too rare.
    Uncovered {
        /// The label.
        label: String,
        /// The share demanded, in percent.
        percent: f64,
        /// How many cases had it.
        hits: u64,
        /// How many cases there were.
        cases: u64,
    },
    /// Known bugs are there no more, and that is to be told.
    Fixed(Vec<String>),
    /// The test is written wrongly.
    Misused(String),
}

/// What finding and reducing a failure took.
///
/// ```
/// use bugnet::prelude::*;
///
/// let failed = check(any::<u32>(), |x| x < 1_000).unwrap_err();
/// assert_eq!(failed.arguments[0].text, "1000");
/// assert!(failed.effort.shrink_steps <= failed.effort.shrink_tests);
/// assert!(!failed.effort.unfinished);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// How the failing input came about.
    pub origin: Origin,
    /// Cases that passed before the first failure.
    pub passed: u64,
    /// Inputs tested while shrinking.
    pub shrink_tests: u64,
    /// Of those, how many were simpler and failed as well.
    pub shrink_steps: u64,
    /// Whether shrinking was cut short by its limits.
    pub unfinished: bool,
}

/// How a failing input came about.
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::campaign::Origin;
///
/// let failed = check(any::<u8>(), |x| x < 100).unwrap_err();
/// assert_eq!(failed.effort.origin, Origin::Found);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Origin {
    /// It was searched for.
    #[default]
    Found,
    /// It was in flight when an earlier run died.
    InFlight,
    /// It was given by `#[example]`.
    Example,
    /// It was kept from an earlier run, or named by `BUGNET_REPLAY`.
    Kept,
}

/// A pattern of more calls than this takes long to look for in every program that is drawn.
const LONG: usize = 16;

impl Bug {
    /// Whether going on around it takes long: it hangs, or many calls belong to it.
    pub(super) fn is_dear(&self) -> bool {
        self.failure.signature.is_hang() || self.is_long()
    }

    /// Whether so many calls belong to it that its program says more than its pattern.
    pub(super) fn is_long(&self) -> bool {
        self.pattern.as_ref().is_some_and(|pattern| pattern.elements.len() > LONG)
    }
}

/// What has found a bug whose case was kept.
pub(super) const KEPT: &str = "a kept case";

impl Effort {
    /// The same, of a case that was found by something after so many that passed.
    pub(super) fn found(self, by: &str, passed: u64) -> Effort {
        let origin = if by == KEPT { Origin::Kept } else { self.origin };
        Effort { origin, passed, ..self }
    }
}

impl fmt::Display for Passed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&crate::report::passed(self))
    }
}

impl Failed {
    /// Nothing but a name and a seed, to be filled in.
    pub(super) fn blank(name: &str, seed: Seed) -> Failed {
        Failed {
            name: name.to_string(),
            reason: Reason::Misused(String::new()),
            arguments: Vec::new(),
            notes: Vec::new(),
            tape: None,
            seed,
            effort: Effort::default(),
            kept: None,
            written: None,
            influences: Tally::default(),
            bugs: Vec::new(),
            tests: 0,
            fixed: Vec::new(),
            remark: None,
        }
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&crate::report::failed(self))
    }
}

/// The report as well: it is what `unwrap` shows.
impl fmt::Debug for Failed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "\n{self}")
    }
}

impl std::error::Error for Failed {}
