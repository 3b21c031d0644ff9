//! The hunt: the bugs of one run, each reduced, generalized and then avoided.
//!
//! The loop is that of MoreBugs: what was found is reduced, without running candidates that match
//! another known pattern; generalized to a pattern; and from then on no program that matches it is
//! drawn. What the paper lacks is learned here from samples, which are programs whose last call
//! completes a known pattern. One that passes is made small, and the calls that it needs besides the
//! pattern become a guard; if it needs none, the pattern was too wide in its values or its order.
//!
//! **Invariant:** a program that matches a known pattern is run only to learn about the pattern.

use super::environment::Environment;
use super::judge::{Found, Judge, Misuse};
use super::kin::is_kin;
use super::known::KnownBug;
use super::lesson::{finds, has_setup, learn_guards, ran, smallest};
use super::outcome::{Bug, KEPT, Reason};
use super::reduce::{Reduced, reduce};
use super::regressions::Kept;
use super::roster::{Known, Roster};
use super::search::Search;
use super::settings::Settings;
use crate::bug::{Matcher, Pattern, calls_of, embeddings, parallelized, varied};
use crate::choice::{Source, Tape};
use crate::oracle::{Signature, Verdict};
use crate::program::{Program, Programs, Sample, Suite};

/// A pattern has at most so many guards; one that needs more has none.
const MOST_GUARDS: usize = 12;

/// A pattern is corrected at most so many times.
const MOST_LESSONS: u32 = 20;

/// The bugs of one run.
pub(crate) struct Hunt<'a> {
    programs: &'a Programs,
    settings: &'a Settings,
    environment: &'a Environment,
    roster: Roster<'a>,
    /// Known bugs that are there no more.
    pub(crate) fixed: Vec<String>,
    /// A failure that did not come again.
    pub(crate) flaky: Option<Reduced>,
}

impl<'a> Hunt<'a> {
    pub(crate) fn new(
        programs: &'a Programs,
        settings: &'a Settings,
        environment: &'a Environment,
    ) -> Hunt<'a> {
        let roster = Roster::new(programs.suite(), settings.bugs.strict);
        Hunt { programs, settings, environment, roster, fixed: Vec::new(), flaky: None }
    }

    /// Takes in what is known before the search: the bugs of the file, and the cases that are kept.
    pub(crate) fn begin(
        &mut self,
        known: &[KnownBug],
        kept: &[Kept],
        judge: &mut Judge<'_>,
    ) -> Result<(), Misuse> {
        self.programs.know(Vec::new(), false);
        let mut others = Vec::new();
        for bug in known {
            let (pattern, program) = bug.read(self.suite()).map_err(Misuse)?;
            let (verdict, tape) = judge.recorded(Source::replay(bug.program.clone()))?;
            match verdict {
                Verdict::Fail(failure) if bug.is_failing(&failure) => {
                    self.roster.accept(&bug.name, pattern, program, *failure);
                }
                verdict => {
                    self.fixed.push(bug.name.clone());
                    others.extend(Found::of(verdict, tape, "a known bug"));
                }
            }
        }
        self.avoid();
        // The program of a bug that is mended may have come upon another one.
        for found in others {
            self.take(found, judge, 0)?;
        }
        for Kept { tape, .. } in kept {
            let program = Program::of(self.suite(), tape);
            let is_known =
                program.is_some_and(|program| finds(&mut self.roster.others(None), self.suite(), &program));
            if !is_known {
                let (verdict, tape) = judge.recorded(Source::replay(tape.clone()))?;
                if let Some(found) = Found::of(verdict, tape, KEPT) {
                    self.take(found, judge, 0)?;
                }
            }
        }
        Ok(())
    }

    /// Searches until the budget is used up.
    pub(crate) fn run(&mut self, search: &mut Search<'_>, judge: &mut Judge<'_>) -> Result<(), Misuse> {
        let outcome = self.run_on(search, judge);
        self.programs.know(Vec::new(), false);
        outcome
    }

    fn run_on(&mut self, search: &mut Search<'_>, judge: &mut Judge<'_>) -> Result<(), Misuse> {
        let mut news = 0;
        loop {
            if self.news() > news {
                news = self.news();
                search.has_news(self.roster.bugs.last());
            }
            let found = search.run(judge)?;
            let refuting = self.programs.is_refuting();
            self.learn(judge)?;
            match found {
                Some(found) => self.take(found, judge, search.tally.passed)?,
                None if refuting => {}
                None => return self.confirm(judge),
            }
            if (self.environment.enough)(&self.roster.bugs) {
                self.confirm(judge)?;
                if (self.environment.enough)(&self.roster.bugs) {
                    return Ok(());
                }
            }
        }
    }

    /// How many bugs have been new in this run, whatever has become of them.
    fn news(&self) -> usize {
        self.roster.entered + usize::from(self.flaky.is_some())
    }

    /// Where failures come by chance, bugs that were met only once are run again.
    fn confirm(&mut self, judge: &mut Judge<'_>) -> Result<(), Misuse> {
        if !self.programs.evidence.is_unsteady() {
            return Ok(());
        }
        for bug in self.roster.met_once() {
            self.fails_still(bug, judge)?;
        }
        self.avoid();
        Ok(())
    }

    /// Runs the program of a bug again. If it passes, there is no such bug.
    fn fails_still(&mut self, bug: usize, judge: &mut Judge<'_>) -> Result<bool, Misuse> {
        let Some(Bug { tape, failure, accepted: false, .. }) = self.roster.bug(bug) else { return Ok(true) };
        let signature = failure.signature.clone();
        let verdict = judge.program(&mut Source::replay(tape.clone()), Some(&signature))?;
        let fails = matches!(verdict, Verdict::Fail(failure) if failure.signature == signature);
        if !fails && let Some(Bug { failure, tape, notes, effort, .. }) = self.roster.withdraw(bug) {
            self.programs.evidence.doubt();
            let reason = Reason::Flaky { failure, runs: 1, failed: 0 };
            self.flaky.get_or_insert(Reduced { tape, reason, notes, effort });
        }
        Ok(fails)
    }

    /// Whether there is anything to report.
    pub(crate) fn has_found(&self) -> bool {
        self.roster.has_new() || self.flaky.is_some()
    }

    /// The bugs in the order of the report, with their names.
    pub(crate) fn named(self) -> (Vec<Bug>, Option<Reduced>) {
        (self.roster.named(), self.flaky)
    }

    fn suite(&self) -> &'a Suite {
        self.programs.suite()
    }

    /// Takes in a program that failed.
    pub(crate) fn take(&mut self, found: Found, judge: &mut Judge<'_>, passed: u64) -> Result<(), Misuse> {
        let (by, whole) = (found.by, Program::of(self.suite(), &found.tape));
        let mut others = self.roster.others(whole.as_ref());
        let mut is_known = |program: &Program| finds(&mut others, self.programs.suite(), program);
        let mut reduced = reduce(judge, found, self.settings, &*self.environment.clock, &mut is_known)?;
        reduced.effort = reduced.effort.found(by, passed);
        let failure = match reduced.reason {
            Reason::Refuted(failure) => failure,
            _ => {
                self.flaky.get_or_insert(reduced);
                return Ok(());
            }
        };
        let known = match Program::of(self.suite(), &reduced.tape) {
            Some(program) => self.generalized(&program, &failure.signature, judge, &mut others)?,
            None => None,
        };
        let kin = match &known {
            Some((_, program)) => self.kin(program, &failure.signature, judge)?,
            None => None,
        };
        let bug = Bug::new(failure, reduced.tape, reduced.notes, reduced.effort);
        let number = self.roster.add(bug, known, kin, by);
        self.unite_kin(number, judge)?;
        self.avoid();
        Ok(())
    }

    /// The known bug that a program is kin of.
    fn kin(
        &self,
        program: &Program,
        signature: &Signature,
        judge: &mut Judge<'_>,
    ) -> Result<Option<usize>, Misuse> {
        for known in self.roster.known.iter().filter(|_| self.settings.bugs.strict) {
            if known.pattern.signature.as_ref() == Some(signature)
                && is_kin(self.suite(), judge, program, signature, known)?
            {
                return Ok(Some(known.bug));
            }
        }
        Ok(None)
    }

    /// Bugs that are kin of one that was found after them give their place to it.
    fn unite_kin(&mut self, number: usize, judge: &mut Judge<'_>) -> Result<(), Misuse> {
        let Some(new) = self.roster.known.last().filter(|known| known.bug == number).cloned() else {
            return Ok(());
        };
        let Some(signature) = new.pattern.signature.clone().filter(|_| self.settings.bugs.strict) else {
            return Ok(());
        };
        for old in self.roster.known.clone() {
            if old.bug != number
                && !self.roster.is_accepted(old.bug)
                && old.pattern.signature.as_ref() == Some(&signature)
                && is_kin(self.suite(), judge, &old.program, &signature, &new)?
            {
                self.roster.unite(old.bug, number);
            }
        }
        Ok(())
    }

    /// The pattern of a program, as wide as tests confirm in time.
    fn generalized(
        &self,
        program: &Program,
        signature: &Signature,
        judge: &mut Judge<'_>,
        others: &mut Matcher,
    ) -> Result<Option<(Pattern, Program)>, Misuse> {
        let (suite, wanted, clock) = (self.suite(), self.settings.bugs, &*self.environment.clock);
        let (mut misuse, end) = (None, clock() + self.settings.widening_time(signature));
        let mut fails = |candidate: &Program| {
            if misuse.is_some() || clock() >= end || wanted.strict && finds(others, suite, candidate) {
                return false;
            }
            // One that fails by chance makes the pattern too wide, which samples will show.
            match ran(judge, suite, candidate, Some(signature)) {
                Ok((Some(other), calls)) => {
                    !wanted.strict || other == *signature && calls == candidate.calls.len()
                }
                Ok((None, _)) => false,
                Err(problem) => {
                    misuse = Some(problem);
                    false
                }
            }
        };
        let Some((mut pattern, program)) = parallelized(suite, program, &mut fails) else { return Ok(None) };
        if wanted.values {
            pattern = varied(suite, &program, pattern, 1, &mut fails);
        }
        pattern.signature = Some(signature.clone());
        misuse.map_or(Ok(Some((pattern, program))), Err)
    }

    fn avoid(&self) {
        self.programs.know(self.roster.patterns(), self.settings.bugs.samples);
    }

    /// Learns from the samples that the search has brought.
    pub(crate) fn learn(&mut self, judge: &mut Judge<'_>) -> Result<(), Misuse> {
        let samples = self.programs.samples();
        for sample in samples.iter().filter(|sample| sample.passed.is_none()) {
            self.roster.hit(sample.pattern, "sampling");
        }
        // The others were drawn with a pattern that changes now.
        let first = samples.into_iter().find_map(|Sample { pattern, passed }| Some((pattern, passed?)));
        if let Some((pattern, tape)) = first {
            self.correct(pattern, &tape, judge)?;
            self.avoid();
        }
        Ok(())
    }

    /// Corrects a pattern that matches a program that passes.
    fn correct(&mut self, number: usize, tape: &Tape, judge: &mut Judge<'_>) -> Result<(), Misuse> {
        let suite = self.suite();
        let Some(witness) = Program::of(suite, tape) else { return Ok(()) };
        let Known { pattern, program, bug, lessons, settled } = self.roster.known[number].clone();
        if lessons >= MOST_LESSONS || settled {
            return Ok(());
        }
        self.roster.known[number].lessons += 1;
        // The latest one has the fewest calls in between.
        let (mut latest, mut last) = (None, 0);
        for embedding in embeddings(&pattern, &calls_of(suite, &witness)) {
            let mut sum = 0;
            embedding.places.iter().for_each(|place| sum += place);
            if sum >= last {
                (latest, last) = (Some(embedding), sum);
            }
        }
        let Some(embedding) = latest else { return Ok(()) };
        let mut others = Vec::new();
        for (place, known) in self.roster.known.iter().enumerate() {
            if place != number {
                others.push(known.pattern.clone());
            }
        }
        let mut others = Matcher::new(&others);
        let (witness, embedding) = smallest(suite, judge, &pattern, witness, embedding, &mut others)?;
        let needed = witness.calls.len() - usize::from(suite.is_machine() && !has_setup(suite, &pattern));
        if needed > embedding.places.len() {
            if self.settings.bugs.guards {
                let Known { pattern: corrected, settled, .. } = &mut self.roster.known[number];
                learn_guards(suite, corrected, &witness);
                if corrected.guards.len() > MOST_GUARDS {
                    corrected.guards.clear();
                    *settled = true;
                }
            }
        } else if !self.fails_still(bug, judge)? {
            return Ok(());
        } else {
            let signature = pattern.signature.clone();
            let (mut misuse, places) = (None, &embedding.places);
            let Known { pattern: corrected, settled, .. } = &mut self.roster.known[number];
            let mut fails = |candidate: &Program| match ran(judge, suite, candidate, signature.as_ref()) {
                Ok((failure, _)) => failure.is_some() && failure == signature,
                Err(problem) => {
                    misuse = Some(problem);
                    false
                }
            };
            // If nothing tells the programs that fail from this one, the pattern stays.
            *settled = !corrected.specialize(suite, &program, &witness, places, &mut fails);
            misuse.map_or(Ok(()), Err)?;
        }
        self.roster.refresh(bug);
        Ok(())
    }
}
