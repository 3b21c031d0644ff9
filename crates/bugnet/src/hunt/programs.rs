//! The hunt: the bugs of one run, each reduced, generalized and then avoided.
//!
//! The loop is that of MoreBugs: what was found is reduced, without running candidates that match
//! another known pattern; generalized to a pattern; and from then on no program that matches it is
//! drawn. What the paper lacks is learned here from samples, which are programs whose last call
//! completes a known pattern. One that passes is made small, and the calls that it needs besides the
//! pattern become a guard; if it needs none, the pattern was too wide in its values or its order.
//!
//! **Invariant:** a program that matches a known pattern is run only to learn about the pattern.

use super::Outside;
use super::around;
use super::bug::Bug;
use super::bug_list::{BugList, Known};
use super::known::KnownBug;
use super::same_fault::{Facts, Weight, ruling};
use crate::case::{Allowance, Finder, Flaky, Found, Judge, Judging, Reduced, reduce};
use crate::choice::{Source, Tape};
use crate::learn::{
    Learner, Trace, has_setup, is_kin, learn_guards, learned, parallelized, smallest, varied,
};
use crate::list::Listed;
use crate::oracle::{Signature, Verdict, WrongTest};
use crate::pattern::{Amount, Matcher, Pattern, embeddings};
use crate::program::{Program, Programs, Suite, calls_of, finds};
use crate::settings::{Isolate, Scope, Settings};
use crate::strategy::{Avoiding, Search};
use crate::trial::Sample;

/// A pattern has at most so many guards; one that needs more has none.
const MOST_GUARDS: usize = 12;

/// A pattern is corrected at most so many times.
const MOST_LESSONS: u32 = 20;

/// The calls that a failure of a new kind may take when all others are used up.
const LAST_RESERVE: u64 = 2_000;

/// After so many times, no amount is looked for behind a bug.
const MOST_VAIN: u32 = 2;

/// What became of programs around those of a bug.
struct Around {
    bug: usize,
    traces: Vec<Trace>,
    /// How often no amount was found behind them.
    vain: u32,
}

impl Around {
    fn learned(&mut self, suite: &Suite, culprits: &[usize]) -> Option<Vec<Amount>> {
        let amounts = learned(suite, culprits, &self.traces);
        self.vain += u32::from(amounts.is_none());
        amounts
    }
}

/// The bugs of one run.
pub(crate) struct Hunt<'a> {
    programs: &'a Programs,
    settings: &'a Settings,
    outside: Outside<'a>,
    roster: BugList<'a>,
    /// The calls that may be made from the first bug on.
    pub(crate) allowance: Option<Allowance>,
    /// For bugs that may be amounts, what became of programs around theirs.
    traces: Vec<Around>,
    /// How many calls it took to reduce failures and learn from them.
    pub(crate) learning: u64,
    /// Known bugs that are there no more.
    pub(crate) fixed: Vec<String>,
    /// A failure that did not come again.
    pub(crate) flaky: Option<Reduced>,
}

impl<'a> Hunt<'a> {
    pub(crate) fn new(programs: &'a Programs, settings: &'a Settings, outside: Outside<'a>) -> Hunt<'a> {
        let roster = BugList::new(programs.suite(), settings.bugs.strict);
        Hunt {
            programs,
            settings,
            outside,
            roster,
            allowance: None,
            traces: Vec::new(),
            learning: 0,
            fixed: Vec::new(),
            flaky: None,
        }
    }

    /// Takes in what is known before the search: the bugs of the file, and the cases that are kept.
    pub(crate) fn begin(
        &mut self,
        known: &[KnownBug],
        kept: &[Tape],
        judge: &mut Judge<'_>,
    ) -> Result<(), WrongTest> {
        judge.know(Vec::new(), false);
        let mut others = Vec::new();
        for bug in known {
            let (pattern, program) = bug.of_suite(self.suite()).map_err(WrongTest)?;
            let (verdict, tape) = judge.recorded(Source::replay(bug.tape()))?;
            match verdict {
                Verdict::Fail(failure) if bug.is_failing(&failure) => {
                    self.roster.accept(&bug.name, pattern, program, *failure);
                }
                verdict => {
                    self.fixed.push(bug.name.clone());
                    others.extend(Found::of(verdict, tape, Finder::KnownBug));
                }
            }
        }
        self.avoid(judge);
        // The program of a bug that is mended may have come upon another one.
        for found in others {
            self.take(found, judge, 0)?;
        }
        for tape in kept {
            let program = Program::of(self.suite(), tape);
            let is_known =
                program.is_some_and(|program| finds(&mut self.roster.others(None), self.suite(), &program));
            if !is_known {
                let (verdict, tape) = judge.recorded(Source::replay(tape.clone()))?;
                if let Some(found) = Found::of(verdict, tape, Finder::KeptCase) {
                    self.take(found, judge, 0)?;
                }
            }
        }
        Ok(())
    }

    /// Searches until the budget is used up.
    pub(crate) fn run(&mut self, search: &mut Search<'_>, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        let outcome = self.run_on(search, judge);
        judge.know(Vec::new(), false);
        outcome
    }

    fn run_on(&mut self, search: &mut Search<'_>, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        let mut news = 0;
        loop {
            if self.news() > news {
                news = self.news();
                let avoiding = self.roster.bugs.last().map_or(Avoiding::Cheap, Bug::avoiding);
                search.has_news(avoiding, self.allowance);
            }
            let found = search.run(judge)?;
            let (refuting, searched) = (judge.is_refuting(), judge.calls());
            self.learn(judge)?;
            match found {
                Some(found) => self.take(found, judge, search.tally.passed)?,
                None if refuting => {}
                None => return self.confirm(judge),
            }
            self.learning += judge.calls() - searched;
            if (self.outside.enough)(&self.roster.bugs) {
                self.confirm(judge)?;
                if (self.outside.enough)(&self.roster.bugs) {
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
    fn confirm(&mut self, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        if !judge.evidence.is_unsteady() {
            return Ok(());
        }
        for bug in self.roster.met_once() {
            self.fails_still(bug, judge)?;
        }
        self.avoid(judge);
        Ok(())
    }

    /// Runs the program of a bug again. If it passes, there is no such bug.
    fn fails_still(&mut self, bug: usize, judge: &mut Judge<'_>) -> Result<bool, WrongTest> {
        let Some(Bug { tape, failure, accepted: false, .. }) = self.roster.bug(bug) else { return Ok(true) };
        let signature = failure.signature.clone();
        let verdict = judge.program(&mut Source::replay(tape.clone()), Some(&signature))?;
        let fails = matches!(verdict, Verdict::Fail(failure) if failure.signature == signature);
        if !fails && let Some(Bug { failure, tape, notes, effort, .. }) = self.roster.withdraw(bug) {
            judge.evidence.doubt();
            let flaky = Some(Flaky { runs: 1, failed: 0 });
            self.flaky.get_or_insert(Reduced { tape, failure, flaky, notes, effort });
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
    pub(crate) fn take(&mut self, found: Found, judge: &mut Judge<'_>, passed: u64) -> Result<(), WrongTest> {
        self.allow(judge);
        if judge.is_spent() {
            // What is left is for failures that nobody has seen.
            if self.roster.meet(&found.failure.signature, found.by) {
                return Ok(());
            }
            judge.last_call = judge.calls() + LAST_RESERVE;
        }
        let (by, whole) = (found.by, Program::of(self.suite(), &found.tape));
        let mut others = self.roster.others(whole.as_ref());
        let mut is_known = |program: &Program| finds(&mut others, self.programs.suite(), program);
        let mut reduced = reduce(judge, found, self.settings, self.outside.clock, &mut is_known)?;
        reduced.effort = reduced.effort.found(by, passed);
        if reduced.flaky.is_some() {
            self.flaky.get_or_insert(reduced);
            return Ok(());
        }
        let failure = reduced.failure;
        let program = Program::of(self.suite(), &reduced.tape);
        let same = match &program {
            Some(program) if self.settings.bugs.strict => self.same(program, &failure.signature, judge)?,
            _ => None,
        };
        if let Some(bug) = same.filter(|bug| self.roster.has_amounts(*bug)) {
            let other = Bug::new(failure, reduced.tape, reduced.notes, reduced.effort);
            self.roster.join(bug, &other, by);
            self.avoid(judge);
            return Ok(());
        }
        let known = match program {
            Some(program) => self.generalized(&program, &failure.signature, judge, &mut others)?,
            None => None,
        };
        let kin = match &known {
            Some(_) if same.is_some() => same,
            Some((_, program)) => self.kin(program, &failure.signature, judge)?,
            None => None,
        };
        let bug = Bug::new(failure, reduced.tape, reduced.notes, reduced.effort);
        let number = self.roster.add(bug, known, kin, by);
        self.unite_kin(number, judge)?;
        if same.is_none() {
            self.weigh_alone(number, judge)?;
        }
        self.avoid(judge);
        Ok(())
    }

    /// The known bug that a failing program is another shape of.
    fn same(
        &mut self,
        program: &Program,
        signature: &Signature,
        judge: &mut Judge<'_>,
    ) -> Result<Option<usize>, WrongTest> {
        let new = Facts::of(self.suite(), program, signature);
        for (bug, known) in self.roster.facts() {
            let reason = ruling(&known, &new, || self.weight(bug, &known, &new, program, judge))?;
            if reason.is_same() {
                return Ok(Some(bug));
            }
        }
        Ok(None)
    }

    /// Finds out whether an amount is behind a known bug and a failing program.
    fn weight(
        &mut self,
        bug: usize,
        known: &Facts,
        new: &Facts,
        program: &Program,
        judge: &mut Judge<'_>,
    ) -> Result<Weight, WrongTest> {
        let missed = if self.roster.has_amounts(bug) { Weight::Missed } else { Weight::None };
        let mut culprits = known.culprits.clone();
        culprits.extend(new.culprits.iter().filter(|culprit| !known.culprits.contains(culprit)));
        let mut failing = self.roster.programs(bug);
        failing.push(program.clone());
        let amounts = self.amounts(bug, &culprits, &failing, judge)?;
        Ok(match amounts {
            Some(amounts) => {
                self.roster.weigh(bug, &culprits, amounts);
                Weight::Shared
            }
            None => missed,
        })
    }

    /// Finds out whether an amount is behind a bug whose program calls something often.
    fn weigh_alone(&mut self, number: usize, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        let facts = self.roster.facts().into_iter().find(|(bug, _)| *bug == number);
        let Some((_, facts)) = facts.filter(|(_, facts)| facts.is_frequent) else { return Ok(()) };
        let failing = self.roster.programs(number);
        if let Some(amounts) = self.amounts(number, &facts.culprits, &failing, judge)? {
            self.roster.weigh(number, &facts.culprits, amounts);
        }
        Ok(())
    }

    /// Finds out whether an amount is behind a bug where literals matter. Returns true if there is one.
    fn weigh_literals(&mut self, number: usize, judge: &mut Judge<'_>) -> Result<bool, WrongTest> {
        let is_tried = self.traces.iter().any(|around| around.bug == number);
        let facts = self.roster.facts().into_iter().find(|(bug, _)| *bug == number);
        let Some((_, facts)) = facts.filter(|(_, facts)| facts.has_amounts && !is_tried) else {
            return Ok(false);
        };
        let failing = self.roster.programs(number);
        let amounts = self.amounts(number, &facts.culprits, &failing, judge)?;
        let is_amount = amounts.is_some();
        amounts.into_iter().for_each(|amounts| self.roster.weigh(number, &facts.culprits, amounts));
        Ok(is_amount)
    }

    /// The amounts that tell failing programs of a bug from those that pass.
    fn amounts(
        &mut self,
        bug: usize,
        culprits: &[usize],
        failing: &[Program],
        judge: &mut Judge<'_>,
    ) -> Result<Option<Vec<Amount>>, WrongTest> {
        let suite = self.suite();
        // In a child each program that fails may cost a process, and amounts take hundreds of programs.
        let signature = self.roster.bug(bug).map(|bug| bug.failure.signature.clone());
        let Some(signature) = signature.filter(|_| self.settings.isolate == Isolate::Off) else {
            return Ok(None);
        };
        let place = self.traces.iter().position(|around| around.bug == bug);
        let place = match place {
            Some(place) if self.traces[place].vain >= MOST_VAIN => return Ok(None),
            Some(place) => {
                let more = failing.last().map(|program| Trace::new(suite, program, true));
                self.traces[place].traces.extend(more);
                place
            }
            None => {
                judge.know(Vec::new(), false);
                let traces = around::traces(suite, judge, &signature, failing);
                self.avoid(judge);
                self.traces.push(Around { bug, traces: traces?, vain: 0 });
                self.traces.len() - 1
            }
        };
        Ok(self.traces[place].learned(suite, culprits))
    }

    /// Limits what is learned about a failure. Where all bugs are wanted, learning may take as much as searching.
    fn allow(&mut self, judge: &mut Judge<'_>) {
        let (calls, wants_all) = (judge.calls(), self.settings.bugs.scope == Scope::All);
        let allowance = *self.allowance.get_or_insert(Allowance::after(calls));
        let searched = calls - self.learning.min(calls);
        judge.last_call = match wants_all && self.learning < searched {
            true => allowance.learning_end().max(calls + searched - self.learning),
            false => allowance.learning_end(),
        };
    }

    /// The known bug that a program is kin of.
    fn kin(
        &self,
        program: &Program,
        signature: &Signature,
        judge: &mut Judge<'_>,
    ) -> Result<Option<usize>, WrongTest> {
        for known in self.roster.known.iter().filter(|_| self.settings.bugs.strict) {
            if known.pattern.signature.as_ref() == Some(signature)
                && self.is_kin(program, signature, known, judge)?
            {
                return Ok(Some(known.bug));
            }
        }
        Ok(None)
    }

    /// Bugs that are kin of one that was found after them give their place to it.
    fn unite_kin(&mut self, number: usize, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
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
                && self.is_kin(&old.program, &signature, &new, judge)?
            {
                self.roster.unite(old.bug, number);
            }
        }
        Ok(())
    }

    /// Returns true if a failing program is that of a known pattern, but for a detour.
    fn is_kin(
        &self,
        program: &Program,
        signature: &Signature,
        known: &Known,
        judge: &mut Judge<'_>,
    ) -> Result<bool, WrongTest> {
        let mut trial = Judging::new(judge, Some(signature));
        let mut learner =
            Learner { suite: self.suite(), trial: &mut trial, signature: Some(signature), others: None };
        let is_kin = is_kin(&mut learner, program, (&known.pattern, &known.program));
        trial.misuse.map_or(Ok(is_kin), Err)
    }

    /// The pattern of a program, as wide as tests confirm in time.
    fn generalized(
        &self,
        program: &Program,
        signature: &Signature,
        judge: &mut Judge<'_>,
        others: &mut Matcher,
    ) -> Result<Option<(Pattern, Program)>, WrongTest> {
        let (suite, wanted) = (self.suite(), self.settings.bugs);
        let time = self.settings.widening_time(signature, true);
        // One that fails by chance makes the pattern too wide, which samples will show.
        let mut trial = Judging::new(judge, Some(signature)).until(self.outside.clock, time);
        let (like, others) = (wanted.strict.then_some(signature), wanted.strict.then_some(others));
        let mut learner = Learner { suite, trial: &mut trial, signature: like, others };
        let Some((mut pattern, program)) = parallelized(&mut learner, program) else { return Ok(None) };
        if wanted.values {
            pattern = varied(&mut learner, &program, pattern, 1);
        }
        pattern.signature = Some(signature.clone());
        trial.misuse.map_or(Ok(Some((pattern, program))), Err)
    }

    /// Has programs drawn around the bugs that are known by now.
    fn avoid(&self, judge: &mut Judge<'_>) {
        judge.know(self.roster.patterns(), self.settings.bugs.samples);
    }

    /// Learns from the samples that the search has brought.
    pub(crate) fn learn(&mut self, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        let samples = judge.take_samples();
        for sample in samples.iter().filter(|sample| sample.passed.is_none()) {
            self.roster.hit(sample.pattern, Finder::Sampling);
        }
        // The others were drawn with a pattern that changes now.
        let first = samples.into_iter().find_map(|Sample { pattern, passed }| Some((pattern, passed?)));
        if let Some((pattern, tape)) = first {
            self.correct(pattern, &tape, judge)?;
            self.avoid(judge);
        }
        Ok(())
    }

    /// Learns from a program that passes although amounts are reached. If no others are found, the bug has a pattern
    /// of calls again.
    fn weigh_again(&mut self, number: usize, witness: &Program) -> Result<(), WrongTest> {
        let (suite, Known { bug, pattern, .. }) = (self.suite(), self.roster.known[number].clone());
        let culprits = pattern.elements.iter().map(|element| element.operation).listed();
        let around = self.traces.iter_mut().find(|around| around.bug == bug);
        let amounts = around.and_then(|around| {
            around.traces.push(Trace::new(suite, witness, false));
            around.learned(suite, &culprits)
        });
        match amounts {
            Some(amounts) => self.roster.weigh(bug, &culprits, amounts),
            None => self.roster.unweigh(bug),
        }
        Ok(())
    }

    /// Corrects a pattern that matches a program that passes.
    fn correct(&mut self, number: usize, tape: &Tape, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        let suite = self.suite();
        let Some(witness) = Program::of(suite, tape) else { return Ok(()) };
        let Known { pattern, program, bug, lessons, settled } = self.roster.known[number].clone();
        if lessons >= MOST_LESSONS || settled {
            return Ok(());
        }
        self.roster.known[number].lessons += 1;
        if !pattern.amounts.is_empty() {
            return self.weigh_again(number, &witness);
        }
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
        let mut trial = Judging::new(judge, pattern.signature.as_ref());
        let mut learner = Learner { suite, trial: &mut trial, signature: None, others: Some(&mut others) };
        let (witness, embedding) = smallest(&mut learner, &pattern, witness, embedding);
        trial.misuse.map_or(Ok(()), Err)?;
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
        } else if !self.fails_still(bug, judge)? || self.weigh_literals(bug, judge)? {
            return Ok(());
        } else {
            let Known { pattern: corrected, settled, .. } = &mut self.roster.known[number];
            let mut trial = Judging::new(judge, pattern.signature.as_ref());
            let signature = pattern.signature.as_ref();
            let mut learner = Learner { suite, trial: &mut trial, signature, others: None };
            // If nothing tells the programs that fail from this one, the pattern stays.
            *settled = !corrected.specialize(&mut learner, &program, &witness, &embedding.places);
            trial.misuse.map_or(Ok(()), Err)?;
        }
        self.roster.refresh(bug);
        Ok(())
    }
}
