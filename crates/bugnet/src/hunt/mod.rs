//! The hunt: all bugs of a test, each found once.
//!
//! What fails is reduced, [learned](crate::learn) and put on a list, and from then on the search goes around
//! it. That is one loop for programs and, with the feature `values`, for the inputs of properties; they differ in
//! their [`Knowledge`].
//!
//! **Invariant:** nothing here prints or reads a clock; the clock comes in as an argument.

mod around;
#[cfg(feature = "values")]
mod avoid_forms;
mod bug;
mod bug_list;
#[cfg(feature = "values")]
mod forms;
mod knowledge;
#[doc(hidden)]
pub mod known;
mod pattern_list;
mod patterns;
mod reason;
mod same_fault;
#[cfg(feature = "values")]
mod sampling;

pub use bug::Bug;

#[cfg(feature = "values")]
pub(crate) use avoid_forms::KnownForms;
#[cfg(feature = "values")]
pub(crate) use forms::Forms;
pub(crate) use knowledge::Knowledge;
pub(crate) use known::{KnownBug, of_test, remember};
pub(crate) use patterns::Patterns;

use crate::case::{Allowance, Finder, Found, Judge, Reduced};
use crate::choice::Tape;
use crate::oracle::{Verdict, WrongTest};
use crate::settings::{Scope, Settings};
use crate::strategy::{Avoiding, Search};
use bug_list::BugList;
use knowledge::SearchEnd;

/// The calls that a failure of a new kind may take when all others are used up.
const LAST_RESERVE: u64 = 2_000;

/// The most rounds of examining what is known at the end. What is found thereby is examined as well.
const EXAMINATIONS: u32 = 3;

/// The search for all bugs of one test.
pub(crate) struct Hunt<'a, K> {
    knowledge: K,
    bugs: BugList,
    settings: &'a Settings,
    enough: &'a dyn Fn(&[Bug]) -> bool,
    /// The calls that may be made from the first bug on.
    allowance: Option<Allowance>,
    /// The number of calls that it took to reduce failures and learn from them.
    learning: u64,
    /// Known bugs that are there no more.
    fixed: Vec<String>,
}

/// The result of a hunt.
#[derive(Debug)]
pub(crate) struct Hunted {
    /// The bugs in the order of the report, with their names.
    pub(crate) bugs: Vec<Bug>,
    /// A failure that did not come again.
    pub(crate) flaky: Option<Reduced>,
    /// Known bugs that are there no more.
    pub(crate) fixed: Vec<String>,
    /// The number of cases that were not run, but count as passed.
    pub(crate) avoided: u64,
    /// The names of the known bugs that the search went around.
    pub(crate) around: Vec<String>,
    /// The calls that may be made from the first bug on.
    pub(crate) allowance: Option<Allowance>,
    /// The number of calls that it took to reduce failures and learn from them.
    pub(crate) learning: u64,
}

impl Hunted {
    /// Returns true if there is anything to report.
    pub(crate) fn has_found(&self) -> bool {
        !self.bugs.is_empty() || self.flaky.is_some()
    }
}

impl<'a, K: Knowledge> Hunt<'a, K> {
    pub(crate) fn new(
        knowledge: K,
        settings: &'a Settings,
        enough: &'a dyn Fn(&[Bug]) -> bool,
    ) -> Hunt<'a, K> {
        Hunt {
            knowledge,
            bugs: BugList::default(),
            settings,
            enough,
            allowance: None,
            learning: 0,
            fixed: Vec::new(),
        }
    }

    /// Takes in what is known before the search: the bugs of the file, and the cases that are kept.
    pub(crate) fn begin(
        &mut self,
        known: &[KnownBug],
        kept: &[Tape],
        judge: &mut Judge<'_>,
    ) -> Result<(), WrongTest> {
        self.knowledge.avoid(judge);
        let mut others = Vec::new();
        for bug in known {
            let read = self.knowledge.read(bug)?;
            let (verdict, tape) = self.knowledge.replay(bug.tape(), judge)?;
            match verdict {
                Verdict::Fail(failure) if bug.is_failing(&failure) => {
                    self.knowledge.accept(&mut self.bugs, &bug.name, read, *failure, tape);
                }
                verdict => {
                    self.fixed.push(bug.name.clone());
                    others.extend(Found::of(verdict, tape, Finder::KnownBug));
                }
            }
        }
        self.knowledge.avoid(judge);
        // The case of a bug that is mended may have come upon another one.
        for found in others {
            self.take(found, judge, 0)?;
        }
        for tape in kept {
            if !self.knowledge.is_known(tape) {
                let (verdict, tape) = self.knowledge.replay(tape.clone(), judge)?;
                if let Some(found) = Found::of(verdict, tape, Finder::KeptCase) {
                    self.take(found, judge, 0)?;
                }
            }
        }
        Ok(())
    }

    /// Searches until the budget is used up or the bugs are enough.
    pub(crate) fn run(&mut self, search: &mut Search<'_>, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        let mut news = 0;
        loop {
            if self.bugs.news() > news {
                news = self.bugs.news();
                let avoiding = self.bugs.bugs.last().map_or(Avoiding::Cheap, Bug::avoiding);
                search.has_news(avoiding, self.allowance);
            }
            let found = search.run(judge)?;
            let (searched, end) = (judge.calls(), search_end(found.as_ref(), judge));
            self.knowledge.learn(&mut self.bugs, end, judge)?;
            if let Some(found) = found {
                self.take(found, judge, search.tally.passed)?;
            }
            self.learning += judge.calls() - searched;
            if end == SearchEnd::Spent {
                self.confirm(judge)?;
                break;
            }
            if (self.enough)(&self.bugs.bugs) {
                self.confirm(judge)?;
                if (self.enough)(&self.bugs.bugs) {
                    break;
                }
            }
        }
        self.finish(judge, search.tally.passed)
    }

    /// Takes in a failure, and those that are met on the way.
    fn take(&mut self, found: Found, judge: &mut Judge<'_>, passed: u64) -> Result<(), WrongTest> {
        let mut queue = vec![found];
        while let Some(found) = queue.pop() {
            queue.extend(self.take_one(found, judge, passed)?);
        }
        Ok(())
    }

    /// Reduces a failure that is not known, learns what it is, and has the search go around it. Returns what failed
    /// in another way meanwhile.
    fn take_one(
        &mut self,
        found: Found,
        judge: &mut Judge<'_>,
        passed: u64,
    ) -> Result<Vec<Found>, WrongTest> {
        self.allow(judge);
        let by = found.by;
        if judge.is_spent() {
            // What is left is for failures that nobody has seen.
            if self.bugs.meet(&found.failure.signature, by) {
                return Ok(Vec::new());
            }
            judge.last_call = judge.calls() + LAST_RESERVE;
        }
        let Some(found) = self.knowledge.attribute(&mut self.bugs, found) else { return Ok(Vec::new()) };
        let mut others = self.knowledge.others(&found);
        let mut reduced = self.knowledge.reduce(found, &mut others, judge)?;
        reduced.effort = reduced.effort.found(by, passed);
        if reduced.flaky.is_some() {
            self.bugs.flaky.get_or_insert(reduced);
            return Ok(Vec::new());
        }
        let beside = self.knowledge.enter(&mut self.bugs, reduced, &mut others, by, judge)?;
        self.knowledge.avoid(judge);
        Ok(beside)
    }

    /// Limits the calls that are made to learn about a failure. Where all bugs are wanted, learning may take as many
    /// as searching.
    fn allow(&mut self, judge: &mut Judge<'_>) {
        let (calls, wants_all) = (judge.calls(), self.settings.bugs.scope == Scope::All);
        let allowance = *self.allowance.get_or_insert(Allowance::after(calls));
        let searched = calls - self.learning.min(calls);
        judge.last_call = match wants_all && self.learning < searched {
            true => allowance.learning_end().max(calls + searched - self.learning),
            false => allowance.learning_end(),
        };
    }

    /// Runs bugs again that were met only once, where failures come by chance.
    fn confirm(&mut self, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        if !judge.evidence.is_unsteady() {
            return Ok(());
        }
        for bug in self.bugs.met_once() {
            if !self.bugs.fails_still(bug, judge)? {
                self.knowledge.forget(bug);
            }
        }
        self.knowledge.avoid(judge);
        Ok(())
    }

    /// Examines what is known, and adds to the bugs what is told of them.
    fn finish(&mut self, judge: &mut Judge<'_>, passed: u64) -> Result<(), WrongTest> {
        for _ in 0..EXAMINATIONS {
            let beside = self.knowledge.examine(judge)?;
            if beside.is_empty() {
                break;
            }
            for found in beside {
                self.take(found, judge, passed)?;
            }
        }
        self.knowledge.describe(&mut self.bugs, judge)
    }

    /// Returns what was found.
    pub(crate) fn hunted(mut self) -> Hunted {
        let (flaky, avoided) = (self.bugs.flaky.take(), self.knowledge.avoided());
        let mut around = Vec::new();
        for bug in self.bugs.bugs.iter().filter(|bug| bug.accepted) {
            around.push(bug.name.clone());
        }
        Hunted {
            around,
            bugs: self.knowledge.named(self.bugs),
            flaky,
            fixed: self.fixed,
            avoided,
            allowance: self.allowance,
            learning: self.learning,
        }
    }
}

/// Returns the reason for which a search has returned.
fn search_end(found: Option<&Found>, judge: &Judge<'_>) -> SearchEnd {
    match found {
        Some(_) => SearchEnd::Found,
        None if judge.is_refuting() => SearchEnd::Refuted,
        None => SearchEnd::Spent,
    }
}
