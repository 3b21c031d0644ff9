//! The knowledge of programs: each bug is known by patterns of calls.
//!
//! A failing program is reduced, without running candidates that match another known pattern, and generalized to a
//! pattern; from then on no program that matches it is drawn. That is the method of MoreBugs. What the paper lacks is
//! learned here from samples, which are programs whose last call completes a known pattern. One that passes is made
//! small, and the calls that it needs besides the pattern become a guard; if it needs none, the pattern was too wide in
//! its values or its order.
//!
//! **Invariant:** a program that matches a known pattern is run only to learn about the pattern.

use super::around;
use super::bug::Bug;
use super::bug_list::BugList;
use super::knowledge::{Knowledge, SearchEnd};
use super::known::KnownBug;
use super::pattern_list::{Known, PatternList};
use super::reason::OwnReason;
use super::same_fault::{Facts, Reason, Weight, ruling};
use crate::case::{Finder, Found, Judge, Judging, Reduced, reduce};
use crate::choice::{Source, Tape};
use crate::learn::{
    Learner, Trace, has_setup, is_kin, learn_guards, learned, loosened, parallelized, smallest, varied,
};
use crate::list::mapped;
use crate::oracle::{Failure, Signature, Verdict, WrongTest};
use crate::pattern::{Amount, Matcher, Pattern, embeddings};
use crate::program::{Program, Suite, calls_of, finds, first_call};
use crate::settings::{Isolate, Settings};
use crate::trial::Sample;
use std::time::Duration;

/// The most guards a pattern may have; one that needs more has none.
const MOST_GUARDS: usize = 12;

/// The most times that a pattern is corrected.
const MOST_LESSONS: u32 = 20;

/// The number of vain attempts after which no amount is looked for behind a bug.
const MOST_VAIN: u32 = 2;

/// The calls after which amounts are looked for behind a bug that no other failure was compared with. That takes
/// thousands of calls, and mostly another failure has asked for it before. A run that wants more bugs than one searches
/// for about as long.
const WEIGHING: u64 = 10_000;

/// The programs around those of a bug, with what became of them.
pub(super) struct Around {
    pub(super) bug: usize,
    pub(super) traces: Vec<Trace>,
    /// The number of times that no amount was found behind them.
    vain: u32,
}

impl Around {
    fn learned(&mut self, suite: &Suite, culprits: &[usize]) -> Option<Vec<Amount>> {
        let amounts = learned(suite, culprits, &self.traces);
        self.vain += u32::from(amounts.is_none());
        amounts
    }
}

/// Knows the bugs of programs by patterns.
pub(crate) struct Patterns<'a> {
    pub(super) suite: &'a Suite,
    pub(super) settings: &'a Settings,
    clock: &'a dyn Fn() -> Duration,
    pub(super) list: PatternList<'a>,
    /// For bugs that may be amounts, programs around theirs.
    pub(super) traces: Vec<Around>,
    /// The reason of its own that the failure at hand has.
    pub(super) reason: Option<Box<OwnReason>>,
    /// Bugs behind which no amounts were looked for, with the number of the call at which each was entered.
    unweighed: Vec<(usize, u64)>,
}

impl<'a> Patterns<'a> {
    pub(crate) fn new(
        suite: &'a Suite,
        settings: &'a Settings,
        clock: &'a dyn Fn() -> Duration,
    ) -> Patterns<'a> {
        let list = PatternList::new(suite, settings.bugs.strict);
        Patterns { suite, settings, clock, list, traces: Vec::new(), reason: None, unweighed: Vec::new() }
    }
}

impl Knowledge for Patterns<'_> {
    type Known = (Pattern, Program);
    type Others = Matcher;

    fn read(&self, bug: &KnownBug) -> Result<(Pattern, Program), WrongTest> {
        bug.of_suite(self.suite).map_err(WrongTest)
    }

    fn replay(&self, tape: Tape, judge: &mut Judge<'_>) -> Result<(Verdict, Tape), WrongTest> {
        judge.recorded(Source::replay(tape))
    }

    fn accept(
        &mut self,
        bugs: &mut BugList,
        name: &str,
        known: (Pattern, Program),
        failure: Failure,
        _: Tape,
    ) {
        self.list.accept(bugs, name, known, failure);
    }

    fn avoid(&self, judge: &mut Judge<'_>) {
        judge.know(self.list.patterns(), self.settings.bugs.samples);
    }

    /// A kept program that matches is not run, for it would show nothing new.
    fn is_known(&self, tape: &Tape) -> bool {
        let program = Program::of(self.suite, tape);
        program.is_some_and(|program| finds(&mut self.list.others(None), self.suite, &program))
    }

    /// Learns from the samples that the search has brought: counts those that fail, and corrects the first pattern
    /// that has matched a program that passes. The others were drawn with a pattern that changes now.
    fn learn(&mut self, bugs: &mut BugList, end: SearchEnd, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        let samples = judge.take_samples();
        let mut first = None;
        for Sample { pattern, passed } in samples {
            match passed {
                None => bugs.hit(self.list.known[pattern].bug, Finder::Sampling),
                Some(tape) if first.is_none() => first = Some((pattern, tape)),
                Some(_) => {}
            }
        }
        if let Some((pattern, tape)) = first {
            self.correct(bugs, pattern, &tape, judge)?;
            self.avoid(judge);
        }
        match self.unweighed.is_empty() {
            true => Ok(()),
            false => self.weigh_unweighed(bugs, end, judge),
        }
    }

    /// Leaves out the patterns that the program matches itself: it would be no candidate.
    fn others(&self, found: &Found) -> Matcher {
        self.list.others(Program::of(self.suite, &found.tape).as_ref())
    }

    fn reduce(
        &self,
        found: Found,
        others: &mut Matcher,
        judge: &mut Judge<'_>,
    ) -> Result<Reduced, WrongTest> {
        let mut is_known = |program: &Program| finds(others, self.suite, program);
        reduce(judge, found, self.settings, self.clock, &mut is_known)
    }

    fn enter(
        &mut self,
        bugs: &mut BugList,
        reduced: Reduced,
        others: &mut Matcher,
        by: Finder,
        judge: &mut Judge<'_>,
    ) -> Result<Vec<Found>, WrongTest> {
        let program = Program::of(self.suite, &reduced.tape);
        let bug = Bug::new(reduced.failure, reduced.tape, reduced.notes, reduced.effort);
        let signature = bug.failure.signature.clone();
        let same = match &program {
            Some(program) if self.settings.bugs.strict => match self.list.evaded(&signature, program) {
                Some(bug) => Some(bug),
                None => self.same(bugs, program, &signature, judge)?,
            },
            _ => None,
        };
        let reason = self.reason.take().filter(|_| same.is_none());
        if let Some(same) = same.filter(|same| self.list.has_amounts(*same)) {
            bugs.join(same, &bug, by);
            return Ok(Vec::new());
        }
        let known = match (program, &reason) {
            (Some(program), Some(reason)) => Some((reason.pattern.clone(), program)),
            (Some(program), None) => self.generalized(&program, &signature, judge, others)?,
            (None, _) => None,
        };
        // What could not be reduced any more is no evidence of a second cause.
        if known.is_none() && judge.is_spent() && bugs.meet(&signature, by) {
            return Ok(Vec::new());
        }
        let kin = match &known {
            Some(_) if same.is_some() || reason.is_some() => same,
            Some((_, program)) => match self.in_same_state(bugs, program, &bug.failure, judge)? {
                Some(same) => Some(same),
                None => self.kin(program, &signature, judge)?,
            },
            None => None,
        };
        let number = self.list.add(bugs, bug, known, kin, by);
        match reason {
            Some(reason) => self.traces.push(Around { bug: number, traces: reason.traces, vain: 0 }),
            None => {
                self.unite_kin(bugs, number, judge)?;
                if same.is_none() {
                    self.unweighed.push((number, judge.calls()));
                }
            }
        }
        Ok(Vec::new())
    }

    fn forget(&mut self, bug: usize) {
        self.list.forget(bug);
    }

    fn named(self, bugs: BugList) -> Vec<Bug> {
        self.list.named(bugs)
    }
}

/// Learning from programs.
impl Patterns<'_> {
    /// Returns the known bug that a failing program is another shape of.
    fn same(
        &mut self,
        bugs: &mut BugList,
        program: &Program,
        signature: &Signature,
        judge: &mut Judge<'_>,
    ) -> Result<Option<usize>, WrongTest> {
        let new = Facts::of(self.suite, program, signature);
        let all = self.list.facts();
        for (bug, known) in &all {
            let reason = ruling(known, &new, || self.weight(bugs, (*bug, known), &new, program, judge))?;
            let is_same = match reason {
                Reason::OneCallAlone => self.is_grown(*bug, &new, program, judge)?,
                Reason::OtherNumber => self.is_traded(*bug, known, &new, program, judge)?,
                reason => reason.is_same(),
            };
            if is_same {
                return Ok(Some(*bug));
            }
        }
        self.state(&all, &new, program, judge)
    }

    /// Finds out whether an amount is behind a known bug and a failing program.
    fn weight(
        &mut self,
        bugs: &mut BugList,
        (bug, known): (usize, &Facts),
        new: &Facts,
        program: &Program,
        judge: &mut Judge<'_>,
    ) -> Result<Weight, WrongTest> {
        let missed = if self.list.has_amounts(bug) { Weight::Missed } else { Weight::None };
        let mut culprits = known.culprits.clone();
        for culprit in &new.culprits {
            if !known.culprits.contains(culprit) {
                culprits.push(*culprit);
            }
        }
        let mut failing = self.list.programs(bug);
        failing.push(program.clone());
        let amounts = self.amounts(bugs, bug, &culprits, &failing, judge)?;
        if let Some(amounts) = amounts {
            self.list.weigh(bugs, bug, &culprits, amounts);
            return Ok(Weight::Shared);
        }
        failing.pop();
        if missed == Weight::None && self.is_apart(bugs, bug, (&culprits, &failing), (new, program), judge)? {
            return Ok(Weight::Missed);
        }
        Ok(missed)
    }

    /// Finds out whether amounts are behind bugs that have stood alone for as long as that takes, or all of them at the end.
    fn weigh_unweighed(
        &mut self,
        bugs: &mut BugList,
        end: SearchEnd,
        judge: &mut Judge<'_>,
    ) -> Result<(), WrongTest> {
        let calls = judge.calls();
        let is_due = |entered: u64| end == SearchEnd::Spent || calls - entered >= WEIGHING;
        while let Some(place) = self.unweighed.iter().position(|(_, entered)| is_due(*entered)) {
            let (number, _) = self.unweighed.remove(place);
            self.weigh_alone(bugs, number, judge)?;
            self.avoid(judge);
        }
        Ok(())
    }

    /// Finds out whether an amount is behind a bug whose program calls something often.
    fn weigh_alone(
        &mut self,
        bugs: &mut BugList,
        number: usize,
        judge: &mut Judge<'_>,
    ) -> Result<(), WrongTest> {
        let facts = self.list.facts().into_iter().find(|(bug, _)| *bug == number);
        let Some((_, facts)) = facts.filter(|(_, facts)| !facts.frequent.is_empty()) else { return Ok(()) };
        let failing = self.list.programs(number);
        if let Some(amounts) = self.amounts(bugs, number, &facts.culprits, &failing, judge)? {
            self.list.weigh(bugs, number, &facts.culprits, amounts);
        }
        Ok(())
    }

    /// Finds out whether an amount is behind a bug where literals matter. Returns true if there is one.
    fn weigh_literals(
        &mut self,
        bugs: &mut BugList,
        number: usize,
        judge: &mut Judge<'_>,
    ) -> Result<bool, WrongTest> {
        if self.place_of(number).is_some() {
            return Ok(false);
        }
        for (bug, facts) in self.list.facts() {
            if bug != number {
                continue;
            }
            if !facts.has_amounts {
                return Ok(false);
            }
            let failing = self.list.programs(number);
            let mut amounts = self.amounts(bugs, number, &facts.culprits, &failing, judge)?;
            if amounts.is_none() {
                amounts = self.own_reason(number, &facts.culprits, &failing);
            }
            let Some(amounts) = amounts else { return Ok(false) };
            self.list.weigh(bugs, number, &facts.culprits, amounts);
            return Ok(true);
        }
        Ok(false)
    }

    /// Returns the place of what was run around a bug.
    pub(super) fn place_of(&self, bug: usize) -> Option<usize> {
        self.traces.iter().position(|around| around.bug == bug)
    }

    /// Returns the amounts that tell failing programs of a bug from those that pass.
    fn amounts(
        &mut self,
        bugs: &BugList,
        bug: usize,
        culprits: &[usize],
        failing: &[Program],
        judge: &mut Judge<'_>,
    ) -> Result<Option<Vec<Amount>>, WrongTest> {
        let suite = self.suite;
        // In a child each program that fails may cost a process, and amounts take hundreds of programs.
        let signature = bugs.bug(bug).map(|bug| bug.failure.signature.clone());
        let Some(signature) = signature.filter(|_| self.settings.isolate == Isolate::Off) else {
            return Ok(None);
        };
        let place = match self.place_of(bug) {
            Some(place) if self.traces[place].vain >= MOST_VAIN => return Ok(None),
            Some(place) => {
                if let Some(program) = failing.last() {
                    self.traces[place].traces.push(Trace::new(suite, program, true));
                }
                place
            }
            None => {
                judge.know(Vec::new(), false);
                let mut others = self.list.others_by_amount(bug);
                let traces = around::traces(suite, judge, &signature, failing, &mut others);
                self.avoid(judge);
                self.traces.push(Around { bug, traces: traces?, vain: 0 });
                self.traces.len() - 1
            }
        };
        Ok(self.traces[place].learned(suite, culprits))
    }

    /// Returns the known bug that a program is kin of.
    fn kin(
        &self,
        program: &Program,
        signature: &Signature,
        judge: &mut Judge<'_>,
    ) -> Result<Option<usize>, WrongTest> {
        for known in self.list.known.iter().filter(|_| self.settings.bugs.strict) {
            if known.pattern.signature.as_ref() == Some(signature)
                && self.is_kin(program, signature, known, judge)?
            {
                return Ok(Some(known.bug));
            }
        }
        Ok(None)
    }

    /// Bugs that are kin of one that was found after them give their place to it.
    fn unite_kin(
        &mut self,
        bugs: &mut BugList,
        number: usize,
        judge: &mut Judge<'_>,
    ) -> Result<(), WrongTest> {
        let Some(new) = self.list.known.last().filter(|known| known.bug == number).cloned() else {
            return Ok(());
        };
        let Some(signature) = new.pattern.signature.clone().filter(|_| self.settings.bugs.strict) else {
            return Ok(());
        };
        for old in self.list.known.clone() {
            if old.bug != number
                && !bugs.is_accepted(old.bug)
                && old.pattern.signature.as_ref() == Some(&signature)
                && self.is_kin(&old.program, &signature, &new, judge)?
            {
                self.list.unite(bugs, old.bug, number);
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
            Learner { suite: self.suite, trial: &mut trial, signature: Some(signature), others: None };
        let is_kin = is_kin(&mut learner, program, (&known.pattern, &known.program));
        trial.misuse.map_or(Ok(is_kin), Err)
    }

    /// Returns the pattern of a program, as wide as tests confirm in time.
    fn generalized(
        &self,
        program: &Program,
        signature: &Signature,
        judge: &mut Judge<'_>,
        others: &mut Matcher,
    ) -> Result<Option<(Pattern, Program)>, WrongTest> {
        let (suite, wanted) = (self.suite, self.settings.bugs);
        let time = self.settings.widening_time(signature, true);
        // One that fails by chance makes the pattern too wide, which samples will show.
        let mut trial = Judging::new(judge, Some(signature)).until(self.clock, time);
        let (like, others) = (wanted.strict.then_some(signature), wanted.strict.then_some(others));
        let mut learner = Learner { suite, trial: &mut trial, signature: like, others };
        let Some((mut pattern, program)) = parallelized(&mut learner, program) else { return Ok(None) };
        pattern = match wanted.values {
            true => varied(&mut learner, &program, pattern, 1),
            false => loosened(&mut learner, &program, pattern),
        };
        pattern.signature = Some(signature.clone());
        trial.misuse.map_or(Ok(Some((pattern, program))), Err)
    }

    /// Learns from a program that passes although amounts are reached. If no others are found, the bug has a pattern
    /// of calls again.
    fn weigh_again(&mut self, bugs: &mut BugList, number: usize, witness: &Program) {
        let (suite, Known { bug, pattern, .. }) = (self.suite, self.list.known[number].clone());
        let culprits = mapped(&pattern.elements, |element| element.operation);
        let around = self.traces.iter_mut().find(|around| around.bug == bug);
        let amounts = around.and_then(|around| {
            around.traces.push(Trace::new(suite, witness, false));
            around.learned(suite, &culprits)
        });
        let amounts = amounts.or_else(|| self.own_reason(bug, &culprits, &self.list.programs(bug)));
        match amounts {
            Some(amounts) => self.list.weigh(bugs, bug, &culprits, amounts),
            None => {
                self.list.unweigh(bugs, bug);
                self.unite_again(bugs, bug);
            }
        }
    }

    /// Has a bug that turned out to be no amount give its place to one that it was told from by its amount, or take in
    /// such a one.
    fn unite_again(&mut self, bugs: &mut BugList, number: usize) {
        let all = self.list.facts();
        let Some((_, own)) = all.iter().find(|(bug, _)| *bug == number) else { return };
        for (other, facts) in &all {
            let is_weighed = self.list.has_amounts(*other) || bugs.is_accepted(*other);
            if *other == number || is_weighed || bugs.is_accepted(number) {
                continue;
            }
            let Ok(reason) = ruling::<WrongTest>(facts, own, || Ok(Weight::None)) else { continue };
            if reason.is_same() {
                self.list.unite(bugs, number.max(*other), number.min(*other));
                return;
            }
        }
    }

    /// Returns a program that passes, set up like the one that fails. If it does not pass then, how a machine is set up
    /// is what tells them apart, which no pattern says.
    fn set_up_alike(
        &self,
        program: &Program,
        mut witness: Program,
        signature: Option<&Signature>,
        judge: &mut Judge<'_>,
    ) -> Result<Option<Program>, WrongTest> {
        let is_bare = |program: &Program| first_call(self.suite, program) > 0;
        if !is_bare(program) || !is_bare(&witness) || program.calls[0] == witness.calls[0] {
            return Ok(Some(witness));
        }
        witness.calls[0] = program.calls[0].clone();
        let mut trial = Judging::new(judge, signature);
        let mut learner = Learner { suite: self.suite, trial: &mut trial, signature: None, others: None };
        let passes = learner.passes(&witness);
        trial.misuse.map_or(Ok(passes.then_some(witness)), Err)
    }

    /// Corrects a pattern that matches a program that passes.
    fn correct(
        &mut self,
        bugs: &mut BugList,
        number: usize,
        tape: &Tape,
        judge: &mut Judge<'_>,
    ) -> Result<(), WrongTest> {
        let suite = self.suite;
        let Some(witness) = Program::of(suite, tape) else { return Ok(()) };
        let Known { pattern, program, bug, lessons, settled } = self.list.known[number].clone();
        if lessons >= MOST_LESSONS || settled {
            return Ok(());
        }
        self.list.known[number].lessons += 1;
        if !pattern.amounts.is_empty() {
            self.weigh_again(bugs, number, &witness);
            return Ok(());
        }
        // The latest one has the fewest calls in between.
        let (mut latest, mut last) = (None, 0);
        for embedding in embeddings(&pattern, &calls_of(suite, &witness)) {
            let mut sum = 0;
            for place in &embedding.places {
                sum += place;
            }
            if sum >= last {
                (latest, last) = (Some(embedding), sum);
            }
        }
        let Some(embedding) = latest else { return Ok(()) };
        let Some(witness) = self.set_up_alike(&program, witness, pattern.signature.as_ref(), judge)? else {
            return Ok(());
        };
        let mut others = Vec::new();
        for (place, known) in self.list.known.iter().enumerate() {
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
                let Known { pattern: corrected, settled, .. } = &mut self.list.known[number];
                learn_guards(suite, corrected, &witness);
                if corrected.guards.len() > MOST_GUARDS {
                    corrected.guards.clear();
                    *settled = true;
                }
            }
        } else if !bugs.fails_still(bug, judge)? {
            self.list.forget(bug);
            return Ok(());
        } else if self.weigh_literals(bugs, bug, judge)? {
            return Ok(());
        } else {
            let Known { pattern: corrected, settled, .. } = &mut self.list.known[number];
            let mut trial = Judging::new(judge, pattern.signature.as_ref());
            let signature = pattern.signature.as_ref();
            let mut learner = Learner { suite, trial: &mut trial, signature, others: None };
            // If nothing tells the programs that fail from this one, the pattern stays.
            *settled = !corrected.specialize(&mut learner, &program, &witness, &embedding.places);
            trial.misuse.map_or(Ok(()), Err)?;
        }
        self.list.refresh(bugs, bug);
        Ok(())
    }
}
