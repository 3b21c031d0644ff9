//! The hunt: the bugs of one run, each reduced, generalized and then avoided.
//!
//! The loop is that of MoreBugs: what was found is reduced, without running candidates that match
//! another known pattern; generalized to a pattern; and from then on no program that matches it is
//! drawn. What the paper lacks is learned here from samples, which are programs whose last call
//! completes a known pattern. One that passes is made small, and the calls that it needs besides the
//! pattern become a guard; if it needs none, the pattern was too wide in its values or its order.
//!
//! **Invariant:** a pattern stands for programs that fail in one way, and each bug is reported once.

use super::environment::Environment;
use super::judge::{Found, Judge, Misuse};
use super::known::{self, KnownBug};
use super::lesson::{finds, has_setup, learn_guards, ran, smallest};
use super::outcome::{Bug, Reason};
use super::reduce::{Reduced, reduce};
use super::regressions::Kept;
use super::search::Search;
use super::settings::Settings;
use crate::bug::{
    Matcher, Pattern, abstracted, calls_of, embeddings, name_of, parallelized, subsumes, varied,
};
use crate::choice::{Source, Tape};
use crate::oracle::{Signature, Verdict};
use crate::program::{Program, Programs, Sample, Suite};
use std::cmp::Ordering;

/// A bug has at most so many patterns that differ in literals only.
const MOST_ALIKE: usize = 3;

/// A bug has at most so many other ways to it.
const MOST_VARIANTS: usize = 3;
/// A pattern has at most so many guards; one that needs more has none.
const MOST_GUARDS: usize = 12;

/// A pattern is corrected at most so many times.
const MOST_LESSONS: u32 = 20;

/// A pattern with the program that it came from, and whose it is.
#[derive(Debug, Clone)]
struct Known {
    pattern: Pattern,
    program: Program,
    /// The bug of this run; none if it was known before.
    bug: Option<usize>,
    /// How often it was corrected.
    lessons: u32,
}

/// The bugs of one run.
pub(crate) struct Hunt<'a> {
    programs: &'a Programs,
    settings: &'a Settings,
    environment: &'a Environment,
    known: Vec<Known>,
    pub(crate) bugs: Vec<Bug>,
    /// Known bugs that are there no more.
    pub(crate) fixed: Vec<String>,
    /// Patterns that are not corrected any more.
    settled: Vec<Pattern>,
    /// A failure that did not come again.
    pub(crate) flaky: Option<Reduced>,
}

impl<'a> Hunt<'a> {
    pub(crate) fn new(
        programs: &'a Programs,
        settings: &'a Settings,
        environment: &'a Environment,
    ) -> Hunt<'a> {
        Hunt {
            programs,
            settings,
            environment,
            known: Vec::new(),
            bugs: Vec::new(),
            fixed: Vec::new(),
            settled: Vec::new(),
            flaky: None,
        }
    }

    /// Takes in what is known before the search: the bugs of the file, and the cases that are kept.
    pub(crate) fn begin(
        &mut self,
        known: &[KnownBug],
        kept: &[Kept],
        judge: &mut Judge<'_>,
    ) -> Result<(), Misuse> {
        self.programs.know(Vec::new(), false);
        for KnownBug { name, pattern, program, line, .. } in known {
            let suite = self.suite();
            let wrong = |problem: String| {
                Misuse(format!("{}:{line}: {problem}; mend or delete the bug", known::FILE))
            };
            let mut pattern = Pattern::read(pattern, suite).map_err(|error| wrong(error.to_string()))?;
            let (verdict, _) = judge.recorded(Source::replay(program.clone()))?;
            match (verdict, Program::of(suite, program)) {
                (Verdict::Fail(failure), Some(program)) => {
                    pattern.signature = Some(failure.signature);
                    self.settled.push(pattern.clone());
                    self.known.push(Known { pattern, program, bug: None, lessons: 0 });
                }
                _ => self.fixed.push(name.clone()),
            }
        }
        self.avoid();
        for Kept { tape, .. } in kept {
            let program = Program::of(self.suite(), tape);
            let is_known =
                program.is_some_and(|program| finds(&mut self.others(None), self.suite(), &program));
            if !is_known {
                let (verdict, tape) = judge.recorded(Source::replay(tape.clone()))?;
                if let Some(found) = Found::of(verdict, tape, "a kept case") {
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
        loop {
            let found = search.run(judge)?;
            let refuting = self.programs.is_refuting();
            self.learn(judge)?;
            match found {
                Some(found) => self.take(found, judge, search.tally.passed)?,
                None if refuting => {}
                None => return Ok(()),
            }
            if (self.environment.enough)(&self.bugs) {
                return Ok(());
            }
        }
    }

    /// Whether there is anything to report.
    pub(crate) fn has_found(&self) -> bool {
        !self.bugs.is_empty() || self.flaky.is_some()
    }

    /// The bugs in the order of the report, with their names.
    pub(crate) fn named(self) -> (Vec<Bug>, Option<Reduced>) {
        let suite = self.suite();
        let mut bugs = self.bugs;
        for bug in &mut bugs {
            bug.words = bug.pattern.as_ref().map_or(String::new(), |pattern| pattern.words(suite));
        }
        let length = |bug: &Bug| bug.pattern.as_ref().map_or(usize::MAX, |pattern| pattern.elements.len());
        bugs.sort_by(|one, another| {
            length(one).cmp(&length(another)).then_with(|| one.tape.simplicity(&another.tape))
        });
        // Other ways to a bug come after it.
        let ids: Vec<usize> = bugs.iter().map(|bug| bug.base.unwrap_or(bug.id)).collect();
        let mut order: Vec<(usize, usize)> =
            ids.iter().map(|id| bugs.iter().position(|bug| bug.id == *id).unwrap_or(0)).zip(0..).collect();
        order.sort_unstable();
        let mut bugs: Vec<Bug> = order.into_iter().map(|(_, place)| bugs[place].clone()).collect();
        for number in 0..bugs.len() {
            let name = match &bugs[number].pattern {
                Some(pattern) => {
                    name_of(suite, pattern, &|name| bugs[..number].iter().any(|bug| bug.name == name))
                }
                None => format!("long-{number}"),
            };
            bugs[number].name = name;
            let base = bugs[..number].iter().find(|bug| Some(bug.id) == bugs[number].base);
            bugs[number].variant_of = base.map(|base| base.name.clone());
        }
        (bugs, self.flaky)
    }

    fn suite(&self) -> &'a Suite {
        self.programs.suite()
    }

    /// Takes in a program that failed.
    pub(crate) fn take(&mut self, found: Found, judge: &mut Judge<'_>, passed: u64) -> Result<(), Misuse> {
        let (by, whole) = (found.by, Program::of(self.suite(), &found.tape));
        let mut others = self.others(whole.as_ref());
        let mut is_known = |program: &Program| finds(&mut others, self.programs.suite(), program);
        let mut reduced = reduce(judge, found, self.settings, &*self.environment.clock, &mut is_known)?;
        reduced.effort.passed = passed;
        let Reason::Refuted(failure) = &reduced.reason else {
            self.flaky.get_or_insert(reduced);
            return Ok(());
        };
        let signature = failure.signature.clone();
        let program = Program::of(self.suite(), &reduced.tape);
        let mut known = None;
        if let Some(program) = program {
            known = self.generalized(&program, &signature, judge, &mut others)?;
        }
        self.add(reduced, known, by);
        Ok(())
    }

    /// A matcher for the patterns that a program does not match by itself.
    fn others(&self, program: Option<&Program>) -> Matcher {
        let own = |known: &&Known| {
            let pattern = std::slice::from_ref(&known.pattern);
            !program.is_some_and(|program| finds(&mut Matcher::new(pattern), self.suite(), program))
        };
        let others: Vec<Pattern> = self.known.iter().filter(own).map(|known| known.pattern.clone()).collect();
        Matcher::new(&others)
    }

    /// The pattern of a program, as wide as tests confirm.
    fn generalized(
        &self,
        program: &Program,
        signature: &Signature,
        judge: &mut Judge<'_>,
        others: &mut Matcher,
    ) -> Result<Option<(Pattern, Program)>, Misuse> {
        let (suite, wanted) = (self.suite(), self.settings.bugs);
        let mut misuse = None;
        let mut fails = |candidate: &Program| {
            if misuse.is_some() || wanted.strict && finds(others, suite, candidate) {
                return false;
            }
            match ran(judge, suite, candidate) {
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
            pattern = varied(suite, &program, pattern, &mut fails);
        }
        pattern.signature = Some(signature.clone());
        misuse.map_or(Ok(Some((pattern, program))), Err)
    }

    /// Keeps a bug, unless it is another instance of one that is known.
    fn add(&mut self, reduced: Reduced, known: Option<(Pattern, Program)>, by: &'static str) {
        let Reason::Refuted(failure) = reduced.reason else { return };
        let pattern = known.as_ref().map(|(pattern, _)| pattern);
        let base = pattern.and_then(|pattern| self.base(&failure.signature, pattern));
        let owner = self.owner(&failure.signature, pattern, base);
        let number = owner.unwrap_or(self.bugs.len());
        if owner.is_none() {
            let mut bug = Bug::new(failure, reduced.tape, reduced.notes, reduced.effort);
            bug.id = self.bugs.iter().map(|bug| bug.id + 1).max().unwrap_or(0);
            bug.base = base.map(|base| self.bugs[base].base.unwrap_or(self.bugs[base].id));
            self.bugs.push(bug);
        }
        self.bugs[number].hit(by);
        let Some((mut pattern, program)) = known else { return };
        let alike = self
            .known
            .iter()
            .filter(|known| known.bug == Some(number) && known.pattern.has_shape_of(&pattern));
        if alike.count() >= MOST_ALIKE {
            // So many literals do it that it had better be any.
            pattern = abstracted(self.suite(), &program).unwrap_or(pattern);
            pattern.signature = Some(self.bugs[number].failure.signature.clone());
            self.settled.push(pattern.clone());
        }
        let strict = self.settings.bugs.strict;
        let covered = |known: &Known| {
            let one = known.pattern.signature == pattern.signature || !strict;
            one && known.bug.is_some() && subsumes(&pattern, &known.pattern)
        };
        let (gone, left) = std::mem::take(&mut self.known).into_iter().partition(covered);
        self.known = left;
        if owner.is_none() || self.bugs[number].pattern.is_none() {
            self.bugs[number].pattern = Some(pattern.clone());
        }
        self.known.push(Known { pattern, program, bug: Some(number), lessons: 0 });
        self.replace(gone, number);
        self.avoid();
    }

    /// The bug that a failure is another way to: all that its pattern has is there, but so is what is
    /// known to prevent it.
    fn base(&self, signature: &Signature, pattern: &Pattern) -> Option<usize> {
        let same = |known: &&Known| {
            known.bug.is_some_and(|bug| self.bugs[bug].failure.signature == *signature)
                && !known.pattern.guards.is_empty()
                && subsumes(&known.pattern.unguarded(), pattern)
        };
        self.known.iter().find(same).and_then(|known| known.bug)
    }

    /// The bug that a failure is another instance of: its pattern says the same but for literals, or it
    /// is another way to the bug with nothing but its own operations, or one way too many.
    fn owner(
        &mut self,
        signature: &Signature,
        pattern: Option<&Pattern>,
        base: Option<usize>,
    ) -> Option<usize> {
        let same = |bug: usize| self.bugs[bug].failure.signature == *signature;
        let Some(pattern) = pattern else {
            // What is too long for a pattern is known by how it fails.
            return (0..self.bugs.len()).find(|bug| same(*bug) && self.bugs[*bug].pattern.is_none());
        };
        let alike = |known: &&Known| known.bug.is_some_and(same) && known.pattern.has_shape_of(pattern);
        if let Some(known) = self.known.iter().find(alike) {
            return known.bug;
        }
        let base = base?;
        let root = self.bugs[base].base.unwrap_or(self.bugs[base].id);
        let variants = self.bugs.iter().filter(|bug| bug.base == Some(root)).count();
        if variants >= MOST_VARIANTS {
            // Whatever prevents it can be undone. The pattern says enough without.
            for known in self.known.iter_mut().filter(|known| known.bug == Some(base)) {
                known.pattern.guards.clear();
                self.settled.push(known.pattern.clone());
            }
            return Some(base);
        }
        let again = |known: &Known| known.bug == Some(base) && known.pattern.has_operations_of(pattern);
        self.known.iter().any(again).then_some(base)
    }

    /// Gives a bug the place of those whose patterns it covers, with the simplest of their programs.
    fn replace(&mut self, gone: Vec<Known>, mut number: usize) {
        for covered in gone.into_iter().filter_map(|known| known.bug) {
            let is_left = self.known.iter().any(|known| known.bug == Some(covered));
            if covered == number || is_left || covered >= self.bugs.len() {
                continue;
            }
            let old = self.bugs.remove(covered);
            for bug in self.known.iter_mut().filter_map(|known| known.bug.as_mut()) {
                *bug -= usize::from(*bug > covered);
            }
            number -= usize::from(number > covered);
            let new = &mut self.bugs[number];
            old.hits.iter().for_each(|(by, count)| (0..*count).for_each(|_| new.hit(by)));
            if old.tape.simplicity(&new.tape) == Ordering::Less {
                let (hits, pattern) = (std::mem::take(&mut new.hits), new.pattern.take());
                *new = Bug { hits, pattern, ..old };
            }
        }
    }

    fn avoid(&self) {
        let patterns = self.known.iter().map(|known| known.pattern.clone()).collect();
        self.programs.know(patterns, self.settings.bugs.samples);
    }

    /// Learns from the samples that the search has brought.
    pub(crate) fn learn(&mut self, judge: &mut Judge<'_>) -> Result<(), Misuse> {
        let mut learned = false;
        for Sample { pattern, passed } in self.programs.samples() {
            match passed {
                None => {
                    if let Some(bug) = self.known[pattern].bug {
                        self.bugs[bug].hit("sampling");
                    }
                }
                // The others were drawn with patterns that have changed since.
                Some(_) if learned => {}
                Some(tape) => {
                    learned = true;
                    self.correct(pattern, &tape, judge)?;
                }
            }
        }
        if learned {
            self.avoid();
        }
        Ok(())
    }

    /// Corrects a pattern that matches a program that passes.
    fn correct(&mut self, number: usize, tape: &Tape, judge: &mut Judge<'_>) -> Result<(), Misuse> {
        let suite = self.suite();
        let Some(witness) = Program::of(suite, tape) else { return Ok(()) };
        let Known { pattern, program, bug, lessons } = self.known[number].clone();
        if lessons >= MOST_LESSONS || self.settled.contains(&pattern) {
            return Ok(());
        }
        self.known[number].lessons += 1;
        // The latest one has the fewest calls in between.
        let all = embeddings(&pattern, &calls_of(suite, &witness));
        let latest = all.into_iter().max_by_key(|embedding| embedding.places.iter().sum::<usize>());
        let Some(embedding) = latest else { return Ok(()) };
        let others = self.known.iter().enumerate().filter(|(place, _)| *place != number);
        let others: Vec<Pattern> = others.map(|(_, known)| known.pattern.clone()).collect();
        let mut others = Matcher::new(&others);
        let (witness, embedding) = smallest(suite, judge, &pattern, witness, embedding, &mut others)?;
        let corrected = &mut self.known[number].pattern;
        let needed = witness.calls.len() - usize::from(suite.is_machine() && !has_setup(suite, &pattern));
        if needed > embedding.places.len() {
            if self.settings.bugs.guards && !self.settled.contains(corrected) {
                learn_guards(suite, corrected, &witness);
                if corrected.guards.len() > MOST_GUARDS {
                    corrected.guards.clear();
                    self.settled.push(corrected.clone());
                }
            }
        } else if !self.settled.contains(corrected) {
            let signature = pattern.signature.clone();
            let (mut misuse, places) = (None, &embedding.places);
            let mut fails = |candidate: &Program| match ran(judge, suite, candidate) {
                Ok((failure, _)) => failure.is_some() && failure == signature,
                Err(problem) => {
                    misuse = Some(problem);
                    false
                }
            };
            if !corrected.specialize(suite, &program, &witness, places, &mut fails) {
                // Nothing tells the programs that fail from this one.
                self.settled.push(corrected.clone());
            }
            misuse.map_or(Ok(()), Err)?;
        }
        if let (Some(known), Some(bug)) = (self.known.iter().find(|known| known.bug == bug), bug) {
            self.bugs[bug].pattern = Some(known.pattern.clone());
        }
        Ok(())
    }
}
