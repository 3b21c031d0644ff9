//! Bugs: what a run has found, each once.
//!
//! **Invariant:** a bug fails as its failure says, by its tape.

use crate::case::{Argument, Effort, Finder};
use crate::choice::Tape;
use crate::oracle::Failure;
use crate::pattern::Pattern;
use crate::strategy::Avoiding;
use crate::swarm::Tally;
use std::path::PathBuf;

/// One reason for which programs, or the inputs of a property, fail.
///
/// ```
/// use bugnet::campaign::WantedBugs;
/// use bugnet::prelude::*;
/// use bugnet::program::{Operation, Programs, Suite};
///
/// let suite = Suite::new("time").operation(Operation::new("now", "now()", |_| panic!("late")));
/// let failed = Property::new("time").bugs(WantedBugs::ALL).run(&Programs::new(suite.strict().build())).unwrap_err();
/// assert_eq!(failed.bugs.len(), 1);
/// assert_eq!(failed.bugs[0].words, "now()");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Bug {
    /// Two words to speak of it.
    pub name: String,
    /// The pattern that its programs have in common, unless they are too long to say.
    pub pattern: Option<Pattern>,
    /// For a property: what the inputs have in common, as it is stored.
    pub form: Option<String>,
    /// The pattern in words, unless it is too long to read.
    pub words: String,
    /// Other shapes that it was met in, in words.
    pub shapes: Vec<String>,
    /// The failure of the simplest program.
    pub failure: Failure,
    /// The simplest program.
    pub arguments: Vec<Argument>,
    /// Lines that were noted while it ran.
    pub notes: Vec<String>,
    /// The choices behind it.
    pub tape: Tape,
    /// The cost of finding and reducing it.
    pub effort: Effort,
    /// The bug that this is another way to: it has all that the pattern of that bug has, and what is
    /// known to prevent it there besides.
    pub variant_of: Option<String>,
    /// The number of times that each strategy met it.
    pub hits: Vec<(Finder, u64)>,
    /// For a property: how many inputs of the pattern were not run.
    pub avoided: u64,
    /// Which operations make it more and less likely.
    pub influences: Tally,
    /// The file in which the program is kept, or the reason why it could not be.
    pub kept: Option<Result<PathBuf, String>>,
    /// The file of the program as a test, or the reason why it could not be written.
    pub written: Option<Result<PathBuf, String>>,
    /// Its number in its run, and that of the bug that it is another way to.
    pub(crate) id: usize,
    pub(crate) base: Option<usize>,
    /// True if it was known before.
    pub(crate) accepted: bool,
    /// All patterns that stand for it, once the run has ended.
    pub(crate) patterns: Vec<Pattern>,
    /// The patterns of bugs that were known before and fail in the same way.
    pub(crate) beside: Vec<Pattern>,
}

impl Bug {
    pub(crate) fn new(failure: Failure, tape: Tape, notes: Vec<String>, effort: Effort) -> Bug {
        Bug {
            name: String::new(),
            pattern: None,
            form: None,
            words: String::new(),
            shapes: Vec::new(),
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
            patterns: Vec::new(),
            beside: Vec::new(),
        }
    }

    /// Counts a program that failed for this reason.
    pub(crate) fn hit(&mut self, by: Finder) {
        match self.hits.iter_mut().find(|(known, _)| *known == by) {
            Some((_, count)) => *count += 1,
            None => self.hits.push((by, 1)),
        }
    }

    /// Counts what was met of another bug, which turned out to be this one.
    pub(crate) fn join(&mut self, other: &Bug) {
        for (by, count) in &other.hits {
            (0..*count).for_each(|_| self.hit(*by));
        }
        self.avoided += other.avoided;
    }
}

/// A pattern of more calls than this takes long to look for in every program that is drawn.
const LONG: usize = 16;

impl Bug {
    /// The price of going on around it, which is high if it hangs or many calls belong to it.
    pub(crate) fn avoiding(&self) -> Avoiding {
        match self.failure.signature.is_hang() || self.is_long() {
            true => Avoiding::Dear,
            false => Avoiding::Cheap,
        }
    }

    /// Returns true if its pattern has more calls than are worth reading, so that its program says more.
    pub(crate) fn is_long(&self) -> bool {
        self.pattern.as_ref().is_some_and(|pattern| pattern.elements.len() > LONG)
    }
}
