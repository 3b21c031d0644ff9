//! Reasons: evidence that two failures which look alike are one fault, or that they are two.
//!
//! **Invariant:** what is said of two failures was seen in programs that were run.

use super::around;
use super::bug_list::BugList;
use super::knowledge::Knowledge;
use super::patterns::Patterns;
use super::same_fault::{Facts, ruling_elsewhere};
use crate::case::{Judge, Judging};
use crate::learn::{
    Learner, Trace, common_way, is_broken, is_grown, is_traded, may_have_reason, reason_of_its_own,
};
use crate::list::Listed;
use crate::oracle::{Failure, Signature, WrongTest};
use crate::pattern::{Amount, Pattern};
use crate::program::{Argument, Call, Program};
use crate::settings::Isolate;

/// The fewest calls that do something and undo it.
const UNDONE: usize = 2;

/// A reason that a failure has and others of the same check have not.
pub(super) struct OwnReason {
    pub(super) pattern: Pattern,
    /// The programs that it was learned from.
    pub(super) traces: Vec<Trace>,
}

impl Patterns<'_> {
    /// Returns true if one of two failures takes several calls only because its last call was given less.
    pub(super) fn is_grown(
        &self,
        bug: usize,
        new: &Facts,
        program: &Program,
        judge: &mut Judge<'_>,
    ) -> Result<bool, WrongTest> {
        let signature = &new.signature;
        let mut trial = Judging::new(judge, Some(signature));
        let mut learner =
            Learner { suite: self.suite, trial: &mut trial, signature: Some(signature), others: None };
        let is_grown = self.list.programs(bug).iter().any(|known| match new.is_alone {
            true => is_grown(&mut learner, program, known),
            false => is_grown(&mut learner, known, program),
        });
        trial.misuse.map_or(Ok(is_grown), Err)
    }

    /// Returns the known bug that fails in another call because of the same broken state. A failure that another bug is
    /// known by may well be that one.
    pub(super) fn state(
        &self,
        all: &[(usize, Facts)],
        new: &Facts,
        program: &Program,
        judge: &mut Judge<'_>,
    ) -> Result<Option<usize>, WrongTest> {
        if self.settings.isolate != Isolate::Off || new.signature.is_hang() {
            return Ok(None);
        }
        let mut asked: Vec<usize> = Vec::new();
        for (bug, _) in all {
            if asked.contains(bug) {
                continue;
            }
            asked.push(*bug);
            let is_others = |signature: &Signature| {
                all.iter().any(|(other, facts)| other != bug && facts.signature == *signature)
            };
            let mut own = all.iter().filter(|(other, _)| other == bug);
            let has_other = is_others(&new.signature) || own.any(|(_, facts)| is_others(&facts.signature));
            let reason = ruling_elsewhere(has_other, || self.is_broken(*bug, program, judge))?;
            if reason.is_same() {
                return Ok(Some(*bug));
            }
        }
        Ok(None)
    }

    /// Returns true if the calls that led to a known bug and to a failing program leave a state in which much fails.
    fn is_broken(&self, bug: usize, program: &Program, judge: &mut Judge<'_>) -> Result<bool, WrongTest> {
        let known = self.list.programs(bug);
        let ways = known.iter().filter_map(|known| common_way(self.suite, known, program));
        let Some(way) = ways.min_by_key(|way| way.calls.len()) else { return Ok(false) };
        let mut trial = Judging::new(judge, None);
        let mut learner = Learner { suite: self.suite, trial: &mut trial, signature: None, others: None };
        let is_broken = is_broken(&mut learner, &way);
        trial.misuse.map_or(Ok(is_broken), Err)
    }

    /// Returns the known bug whose program makes the same last call in the same state and fails with the same message:
    /// other calls have led to it, for example some that were undone.
    pub(super) fn in_same_state(
        &self,
        bugs: &BugList,
        program: &Program,
        failure: &Failure,
        judge: &mut Judge<'_>,
    ) -> Result<Option<usize>, WrongTest> {
        if self.settings.isolate != Isolate::Off || !self.suite.tells_states() {
            return Ok(None);
        }
        let is_alike = |call: &Call, other: &Call| {
            let literals = |call: &Call| {
                let is_literal = |argument: &&Argument| matches!(argument, Argument::Literal(_));
                call.arguments.iter().filter(is_literal).cloned().listed()
            };
            call.operation == other.operation && literals(call) == literals(other)
        };
        let mut state = None;
        for bug in &bugs.bugs {
            if bug.failure.signature != failure.signature || bug.failure.message != failure.message {
                continue;
            }
            let Some(known) = Program::of(self.suite, &bug.tape) else { continue };
            let (Some(last), Some(other)) = (program.calls.last(), known.calls.last()) else { continue };
            if known.calls.len() + UNDONE > program.calls.len() || !is_alike(last, other) {
                continue;
            }
            let before = |program: &Program| program.keeping(&|place| place + 1 < program.calls.len()).0;
            if state.is_none() {
                state = judge.state_after(&before(program))?;
            }
            if state.is_some() && state == judge.state_after(&before(&known))? {
                return Ok(Some(bug.id));
            }
        }
        Ok(None)
    }

    /// Returns true if one of two failures takes many calls of an operation only because its literals are smaller.
    pub(super) fn is_traded(
        &self,
        bug: usize,
        known: &Facts,
        new: &Facts,
        program: &Program,
        judge: &mut Judge<'_>,
    ) -> Result<bool, WrongTest> {
        let signature = &new.signature;
        let mut trial = Judging::new(judge, Some(signature));
        let mut learner =
            Learner { suite: self.suite, trial: &mut trial, signature: Some(signature), others: None };
        let is_traded = self.list.programs(bug).iter().any(|other| match new.most > known.most {
            true => new.frequent.iter().any(|often| is_traded(&mut learner, other, program, *often)),
            false => known.frequent.iter().any(|often| is_traded(&mut learner, program, other, *often)),
        });
        trial.misuse.map_or(Ok(is_traded), Err)
    }

    /// Finds out whether a known bug or a failing program has a reason of its own that the other has not.
    pub(super) fn is_apart(
        &mut self,
        bugs: &mut BugList,
        bug: usize,
        (culprits, known): (&[usize], &[Program]),
        (new, program): (&Facts, &Program),
        judge: &mut Judge<'_>,
    ) -> Result<bool, WrongTest> {
        if let Some(amounts) = self.own_reason(bug, culprits, known) {
            let mut both = known.to_vec();
            both.push(program.clone());
            let is_apart = self.own_reason(bug, culprits, &both).is_none();
            self.list.weigh(bugs, bug, culprits, amounts);
            return Ok(is_apart);
        }
        let suite = self.suite;
        let Some(around) = self.place_of(bug) else { return Ok(false) };
        if !may_have_reason(suite, culprits, &self.traces[around].traces, program) {
            return Ok(false);
        }
        judge.know(Vec::new(), false);
        let mut others = self.list.others_by_amount(bug);
        let more = around::traces(suite, judge, &new.signature, std::slice::from_ref(program), &mut others);
        self.avoid(judge);
        self.traces[around].traces.append(&mut more?);
        let reason = self.own_reason(bug, culprits, std::slice::from_ref(program));
        let is_apart = reason.is_some();
        if let Some(amounts) = reason {
            let mut pattern = self.list.of_amounts(&new.culprits, amounts);
            pattern.signature = Some(new.signature.clone());
            let traces = self.traces[around].traces.clone();
            self.reason = Some(Box::new(OwnReason { pattern, traces }));
        }
        Ok(is_apart)
    }

    /// Returns a condition that programs which fail like a bug meet by themselves, if there is more than one such
    /// program.
    pub(super) fn own_reason(
        &self,
        bug: usize,
        culprits: &[usize],
        programs: &[Program],
    ) -> Option<Vec<Amount>> {
        let around = self.traces.iter().find(|around| around.bug == bug)?;
        reason_of_its_own(self.suite, culprits, &around.traces, programs)
    }
}
