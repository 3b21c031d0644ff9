//! Outcomes: what a campaign came to.

use crate::case::{Argument, Effort, Origin};
use crate::choice::Tape;
use crate::hunt::Bug;
use crate::label::Labels;
use crate::oracle::Failure;
use crate::random::Seed;
use crate::strategy::Exhausted;
use crate::swarm::Tally;
use std::fmt;
use std::path::PathBuf;
use std::sync::LazyLock;

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
    /// The number of cases that passed.
    pub tests: u64,
    /// The number of cases that did not meet the preconditions.
    pub discarded: u64,
    /// The inputs that were tested completely.
    pub exhausted: Option<Exhausted>,
    /// The labels of the cases.
    pub labels: Labels,
    /// For programs: the operations that were never called.
    pub never_called: Vec<String>,
    /// For programs: the operations that were called and always refused, each with the first line of its message.
    pub always_refused: Vec<(String, String)>,
    /// Known bugs that are there no more.
    pub fixed: Vec<String>,
    /// The number of cases that were not run because they are known to fail.
    pub avoided: u64,
    /// The names of the known bugs that the search went around.
    pub around: Vec<String>,
    /// For programs in this process: how many calls were made.
    pub calls: u64,
}

/// A property that was refuted, or could not be tested. Printed, it is the report.
///
/// ```
/// use bugnet::prelude::*;
///
/// let failed = Property::new("small").check(any::<u32>(), |x| x < 50).unwrap_err();
/// assert_eq!(failed.arguments()[0].text, "50");
/// ```
#[derive(Clone, PartialEq)]
pub struct Failed {
    /// The name of the property.
    pub name: String,
    /// The reason of the failure.
    pub reason: Reason,
    /// The seed of the run.
    pub seed: Seed,
    /// The bugs that were found, the simplest first. Where only the first bug is wanted, it has no name and no
    /// pattern. There is none if the property failed for another reason than an input that refutes it.
    pub bugs: Vec<Bug>,
    /// The number of cases that were run in all.
    pub tests: u64,
    /// For programs in this process: how many calls were made, and what for.
    pub calls: Calls,
    /// Known bugs that are there no more.
    pub fixed: Vec<String>,
    /// The reason why no more than the first bug was looked for, although all are wanted.
    pub remark: Option<&'static str>,
    /// The case that now fails and now passes, which is no bug.
    pub(crate) flaky: Option<Box<Bug>>,
}

/// The calls of programs that a run has made, by purpose.
///
/// ```
/// use bugnet::campaign::Calls;
///
/// assert_eq!(Calls { searching: 70, learning: 20, explaining: 10 }.all(), 100);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Calls {
    /// To find failures.
    pub searching: u64,
    /// To reduce failures, and to learn what they have in common.
    pub learning: u64,
    /// To tell what makes failures more or less likely.
    pub explaining: u64,
}

impl Calls {
    /// All of them.
    ///
    /// ```
    /// use bugnet::campaign::Calls;
    ///
    /// assert_eq!(Calls::default().all(), 0);
    /// ```
    pub fn all(self) -> u64 {
        self.searching + self.learning + self.explaining
    }
}

/// The reason of a failure.
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
        /// The number of times that the input was run again.
        runs: u32,
        /// The number of these runs that failed.
        failed: u32,
    },
    /// Too few inputs met the preconditions.
    GaveUp {
        /// The number of cases that met them.
        passed: u64,
        /// The number of cases that did not.
        discarded: u64,
    },
    /// A label that `cover!` demands was too rare.
    Uncovered {
        /// The label.
        label: String,
        /// The share demanded, in percent.
        percent: f64,
        /// The number of cases that had it.
        hits: u64,
        /// The number of cases in all.
        cases: u64,
    },
    /// Known bugs are there no more, and that is to be told.
    Fixed(Vec<String>),
    /// The test is written wrongly.
    Misused(String),
}

impl Failed {
    /// Nothing but a name and a seed, to be filled in.
    pub(crate) fn blank(name: &str, seed: Seed) -> Failed {
        Failed {
            name: name.to_string(),
            reason: Reason::Misused(String::new()),
            seed,
            bugs: Vec::new(),
            tests: 0,
            calls: Calls::default(),
            fixed: Vec::new(),
            remark: None,
            flaky: None,
        }
    }
}

/// The first bug, or the case that fails by chance.
impl Failed {
    fn first(&self) -> Option<&Bug> {
        self.bugs.first().or(self.flaky.as_deref())
    }

    /// Returns true if its bugs were told apart, and so have names.
    pub(crate) fn has_named_bugs(&self) -> bool {
        self.bugs.first().is_some_and(|bug| !bug.name.is_empty())
    }

    /// Returns the simplest failing input, or the lines of the simplest failing program.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let failed = check(any::<u32>(), |x| x < 1_000).unwrap_err();
    /// assert_eq!(failed.arguments()[0].text, "1000");
    /// ```
    pub fn arguments(&self) -> &[Argument] {
        self.first().map_or(&[], |bug| &bug.arguments)
    }

    /// Returns the lines that the property noted while that input ran, and its labels.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let failed = check(any::<u32>(), |x| {
    ///     note!("half of it is {}", x / 2);
    ///     x < 50
    /// });
    /// assert_eq!(failed.unwrap_err().notes(), ["half of it is 25"]);
    /// ```
    pub fn notes(&self) -> &[String] {
        self.first().map_or(&[], |bug| &bug.notes)
    }

    /// Returns the choices behind the input, by which it can be run again. An `#[example]` has none.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let failed = check(any::<bool>(), |x| x).unwrap_err();
    /// assert_eq!(failed.tape().map(ToString::to_string).as_deref(), Some("0"));
    /// ```
    pub fn tape(&self) -> Option<&Tape> {
        self.first().filter(|bug| bug.effort.origin != Origin::Example).map(|bug| &bug.tape)
    }

    /// Returns what finding and reducing took.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let failed = check(any::<u8>(), |x| x > 0).unwrap_err();
    /// assert_eq!(failed.effort().origin, bugnet::campaign::Origin::Found);
    /// ```
    pub fn effort(&self) -> Effort {
        self.first().map_or(Effort::default(), |bug| bug.effort)
    }

    /// Returns where the case is kept, or why it could not be.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// // Only a property that knows the folder of its crate keeps cases.
    /// let failed = check(any::<u8>(), |x| x > 0).unwrap_err();
    /// assert_eq!(failed.kept(), None);
    /// ```
    pub fn kept(&self) -> Option<&Result<PathBuf, String>> {
        self.first()?.kept.as_ref()
    }

    /// Returns, for programs, where the failing one is written as a test, or why it could not be.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let failed = check(any::<u8>(), |x| x > 0).unwrap_err();
    /// assert_eq!(failed.written(), None);
    /// ```
    pub fn written(&self) -> Option<&Result<PathBuf, String>> {
        self.first()?.written.as_ref()
    }

    /// Returns which operations of programs, or variants in inputs, make the failure more and less likely.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let failed = check(any::<u8>(), |x| x > 0).unwrap_err();
    /// assert_eq!(failed.influences().table(), "");
    /// ```
    pub fn influences(&self) -> &Tally {
        static NONE: LazyLock<Tally> = LazyLock::new(Tally::default);
        self.first().map_or(&NONE, |bug| &bug.influences)
    }
}

/// The report as well: it is what `unwrap` shows.
impl fmt::Debug for Failed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "\n{self}")
    }
}

impl std::error::Error for Failed {}
