//! The knowledge of inputs: each bug is known by forms.
//!
//! A failing input is reduced, without running inputs that have a known form in them, and widened to a form
//! ([`widened`](crate::form)). From then on the [shield](KnownForms) keeps the inputs of that form away.
//! A form that turns out to match an input that does not fail is found anew, with that input in mind.
//!
//! **Invariant:** each bug is reported once: failures that differ in the numbers of their inputs only,
//! and those that pass without the part that is known, are no bugs of their own.

use super::avoid_forms::{Filtered, KnownForm, KnownForms, Origin};
use super::bug::Bug;
use super::bug_list::BugList;
use super::knowledge::{Knowledge, SearchEnd};
use super::known::KnownBug;
use super::sampling::Sampling;
use crate::case::{Argument, Finder, Found, Judge, Judging, Reduced, Runner, reduce};
use crate::choice::{Source, Tape};
use crate::form::{Form, Outcome, Part, Sampler, Share, Widened, in_words, is_confirmed, widened};
use crate::learn::name_for;
use crate::list::{Listed, sort};
use crate::oracle::{Failure, Signature, Verdict, WrongTest, catch};
use crate::random::Seed;
use crate::settings::Settings;
use std::time::Duration;

/// The most forms of a bug that differ in numbers only; with one more, any number will do.
const MOST_ALIKE: usize = 3;
/// The most times that a form is found anew.
const MOST_LESSONS: u32 = 8;
/// The part of the budget, as a divisor, that is run at the end inside of each form that is taken to be honest.
const EXAMINED: u64 = 10;
/// The fewest of these inputs.
const LEAST_EXAMINED: u64 = 20;
/// The most of these inputs.
const MOST_EXAMINED: u64 = 200;

/// Knows the bugs behind a property by forms.
pub(crate) struct Forms<'a> {
    /// Runs inputs, whatever is known of them.
    runner: &'a dyn Runner,
    shield: &'a KnownForms<'a>,
    settings: &'a Settings,
    clock: &'a dyn Fn() -> Duration,
}

impl<'a> Forms<'a> {
    pub(crate) fn new(
        runner: &'a dyn Runner,
        shield: &'a KnownForms<'a>,
        settings: &'a Settings,
        clock: &'a dyn Fn() -> Duration,
    ) -> Forms<'a> {
        Forms { runner, shield, settings, clock }
    }
}

impl Knowledge for Forms<'_> {
    /// The form, and true if all of its inputs fail.
    type Known = (Form, bool);
    type Others = ();

    fn read(&self, bug: &KnownBug) -> Result<(Form, bool), WrongTest> {
        let text = bug.pattern().strip_prefix(SOME);
        let form = Form::read(text.unwrap_or(bug.pattern()));
        let form = form.map_err(|problem| WrongTest(bug.wrong(&problem)))?;
        Ok((form, text.is_none()))
    }

    fn replay(&self, tape: Tape, judge: &mut Judge<'_>) -> Result<(Verdict, Tape), WrongTest> {
        judge.of(self.runner).recorded(Source::replay(tape))
    }

    /// Such a bug has no place on the list: its form says all that is needed.
    fn accept(&mut self, _: &mut BugList, _: &str, known: (Form, bool), failure: Failure, tape: Tape) {
        let (form, is_honest) = known;
        let known = KnownForm::new(form, failure.signature, tape, None);
        self.shield.known.borrow_mut().push(KnownForm { is_honest, ..known });
    }

    /// The shield looks at the forms themselves.
    fn avoid(&self, _: &mut Judge<'_>) {}

    /// A kept input is run whatever is known: it is one of few, and shows whether its form is honest.
    fn is_known(&self, _: &Tape) -> bool {
        false
    }

    /// Finds the forms anew that were refuted. At the end of the search they are examined first.
    fn learn(&mut self, bugs: &mut BugList, end: SearchEnd, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        match end {
            SearchEnd::Found | SearchEnd::Refuted => self.correct(bugs, judge),
            SearchEnd::Spent => Ok(()),
        }
    }

    /// Takes the parts out of an input that are known to make inputs fail.
    fn attribute(&self, bugs: &mut BugList, found: Found) -> Option<Found> {
        let Found { tape, failure, confirmed, by } = found;
        match self.shield.origin(&tape, Box::new(failure)) {
            Origin::Known(number) => {
                if let Some(bug) = self.shield.known.borrow()[number].bug {
                    bugs.hit(bug, by);
                }
                None
            }
            Origin::New(left, failure) => {
                let confirmed = confirmed || left.values() != tape.values();
                Some(Found { tape: left, failure: *failure, confirmed, by })
            }
        }
    }

    /// Every form counts, also one that the input has itself.
    fn others(&self, _: &Found) {}

    fn reduce(&self, found: Found, (): &mut (), judge: &mut Judge<'_>) -> Result<Reduced, WrongTest> {
        let signature = found.failure.signature.clone();
        let is_known = |tape: &Tape| self.shield.finds(tape, &signature, None);
        let filtered = Filtered { runner: self.runner, is_known: &is_known };
        reduce(&mut judge.of(&filtered), found, self.settings, self.clock, &mut |_| false)
    }

    fn enter(
        &mut self,
        bugs: &mut BugList,
        reduced: Reduced,
        (): &mut (),
        by: Finder,
        judge: &mut Judge<'_>,
    ) -> Result<Vec<Found>, WrongTest> {
        let signature = reduced.failure.signature.clone();
        let (mut widened, beside) = self.form_of(&reduced.tape, &signature, None, Vec::new(), judge)?;
        let owner = self.owner(&mut widened, &signature, &reduced.tape, judge)?;
        self.add(bugs, reduced, widened, owner, by);
        Ok(beside)
    }

    fn forget(&mut self, bug: usize) {
        self.shield.known.borrow_mut().retain(|known| known.bug != Some(bug));
    }

    /// Runs inputs of the forms that are taken to be honest.
    fn examine(&mut self, judge: &mut Judge<'_>) -> Result<Vec<Found>, WrongTest> {
        if !self.settings.bugs.samples {
            return Ok(Vec::new());
        }
        let count = (self.settings.cases / EXAMINED).clamp(LEAST_EXAMINED, MOST_EXAMINED);
        let known = self.shield.known.borrow().clone();
        let mut beside = Vec::new();
        let is_due = |known: &KnownForm| known.is_honest && known.bug.is_some() && !known.signature.is_hang();
        for (number, known) in known.iter().enumerate().filter(|(_, known)| is_due(known)) {
            let examined = self.sampled(&known.tape, &known.signature, known.bug, judge, |mut sampler| {
                for _ in 0..count {
                    let Some(sample) = sampler.draw(&known.form) else { continue };
                    let Some((outcome, tape)) = sampler.ran(sample.tape()) else { break };
                    let whole = Part::of(&tape);
                    match outcome {
                        Outcome::Fails => self.shield.known.borrow_mut()[number].met += 1,
                        Outcome::Differs if known.form.matches(&whole) => {
                            self.shield.known.borrow_mut()[number].refute(whole);
                            break;
                        }
                        _ => {}
                    }
                }
            });
            beside.append(&mut examined?.1);
        }
        Ok(beside)
    }

    fn describe(&mut self, bugs: &mut BugList, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        self.correct(bugs, judge)?;
        self.say(bugs, judge)
    }

    fn avoided(&self) -> u64 {
        self.shield.avoided.get()
    }

    fn named(self, bugs: BugList) -> Vec<Bug> {
        let mut found = bugs.bugs;
        sort(&mut found, &|one, another| one.tape.simplicity(&another.tape));
        let mut bugs: Vec<Bug> = Vec::new();
        for bug in found {
            // Forms that were found anew may have come to say the same.
            let is_same = |other: &&mut Bug| {
                !bug.words.is_empty()
                    && other.words == bug.words
                    && other.failure.signature == bug.failure.signature
            };
            match bugs.iter_mut().find(is_same) {
                Some(first) => first.join(&bug),
                None => bugs.push(bug),
            }
        }
        for number in 0..bugs.len() {
            let (earlier, rest) = bugs.split_at_mut(number);
            let bug = &mut rest[0];
            bug.name = name_for(&bug.name, &|name| earlier.iter().any(|bug| bug.name == name));
        }
        bugs
    }
}

/// Learning from inputs.
impl Forms<'_> {
    /// Returns the known form that a new one is another instance of: they are alike, or the new one matches what
    /// the other came from, or most inputs fail that have what both have in common. In that case this is
    /// the form from now on.
    fn owner(
        &self,
        widened: &mut Widened,
        signature: &Signature,
        tape: &Tape,
        judge: &mut Judge<'_>,
    ) -> Result<Option<usize>, WrongTest> {
        let known = self.shield.known.borrow().clone();
        let covers = widened.form.anywhere();
        for (number, known) in known.iter().enumerate() {
            let is_instance = || known.form.is_like(&widened.form) || covers.matches(&Part::of(&known.tape));
            if known.signature == *signature && is_instance() {
                return Ok(Some(number));
            }
        }
        for (number, known) in known.iter().enumerate() {
            let common = known.form.common(&widened.form);
            if known.signature != *signature || common.is_free() || known.is_last_resort {
                continue;
            }
            let is_one = |sampler: Sampler<'_>| is_confirmed(sampler, &common, Share::Most);
            let (is_one, _) = self.sampled(tape, signature, known.bug, judge, is_one)?;
            if is_one {
                (widened.form, widened.is_strict) = (common, false);
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Returns the form of an input, as wide as tests confirm, and what failed otherwise on the way.
    fn form_of(
        &self,
        tape: &Tape,
        signature: &Signature,
        bug: Option<usize>,
        passing: Vec<Part>,
        judge: &mut Judge<'_>,
    ) -> Result<(Widened, Vec<Found>), WrongTest> {
        if !self.settings.bugs.forms {
            let form = Form::exactly(&Part::of(tape));
            return Ok((Widened { form, is_strict: true, passing }, Vec::new()));
        }
        self.sampled(tape, signature, bug, judge, |sampler| widened(sampler, passing))
    }

    /// Draws and runs inputs like one that fails so, of a bug if it is known. Returns what came of it, and the
    /// inputs that failed otherwise.
    fn sampled<R>(
        &self,
        tape: &Tape,
        signature: &Signature,
        bug: Option<usize>,
        judge: &mut Judge<'_>,
        work: impl FnOnce(Sampler<'_>) -> R,
    ) -> Result<(R, Vec<Found>), WrongTest> {
        let (mut plain, time) = (judge.of(self.runner), self.settings.widening_time(signature, false));
        let mut trial = Judging::new(&mut plain, Some(signature)).until(self.clock, time);
        let mut sampling = Sampling::new(self.shield, signature, bug);
        let mut shows = |verdict: Verdict, tape: &Tape| sampling.shown(verdict, tape);
        let result = work(Sampler::new(Part::of(tape), self.seed(), &mut trial, &mut shows));
        trial.misuse.map_or(Ok((result, sampling.beside)), Err)
    }

    /// Returns a seed by which each bug gets other samples.
    fn seed(&self) -> Seed {
        Seed(self.settings.seed.0.wrapping_add(self.shield.known.borrow().len() as u64))
    }

    /// Keeps a bug, unless it is another instance of one that is known.
    fn add(&self, bugs: &mut BugList, reduced: Reduced, widened: Widened, owner: Option<usize>, by: Finder) {
        let Widened { form, is_strict, passing } = widened;
        let Reduced { tape, failure, notes, effort, .. } = reduced;
        let mut known = self.shield.known.borrow_mut();
        let signature = failure.signature.clone();
        let bug = match owner {
            None => Some(bugs.enter(Bug::new(failure, tape.clone(), notes, effort))),
            Some(owner) => {
                // A bug that was known before is not on the list.
                if let Some(first) = known[owner].bug.and_then(|number| bugs.bug(number)) {
                    // What it took to find a bug is what it took to find its first input.
                    let (number, effort) = (first.id, first.effort);
                    bugs.simplify(number, &Bug::new(failure, tape.clone(), notes, effort));
                }
                known[owner].bug
            }
        };
        if let Some(number) = bug {
            bugs.hit(number, by);
        }
        let alike = known.iter().filter(|known| known.signature == signature && known.form.is_like(&form));
        if alike.count() >= MOST_ALIKE {
            // So many numbers do it that there is more to it than a form can say.
            let wide = KnownForm::new(form.with_any_numbers(), signature.clone(), tape.clone(), bug);
            known.push(KnownForm { is_honest: false, is_last_resort: true, ..wide });
        }
        let known_form = KnownForm::new(form, signature, tape, bug);
        known.push(KnownForm { passing, is_honest: is_strict, bugs: bugs.bugs.len(), ..known_form });
    }

    /// Finds the forms anew that match inputs which do not fail.
    fn correct(&self, bugs: &BugList, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        let count = self.shield.known.borrow().len();
        for number in 0..count {
            let KnownForm { is_refuted, bug, lessons, .. } = self.shield.known.borrow()[number];
            if is_refuted && bug.is_some() && lessons < MOST_LESSONS {
                self.find_anew(bugs, number, judge)?;
            }
        }
        Ok(())
    }

    fn find_anew(&self, bugs: &BugList, number: usize, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        let KnownForm { tape, signature, bug, passing, .. } = self.shield.known.borrow()[number].clone();
        let (widened, _) = self.form_of(&tape, &signature, bug, passing, judge)?;
        let known = &mut self.shield.known.borrow_mut()[number];
        known.anywhere = widened.form.anywhere();
        (known.form, known.passing, known.is_honest) = (widened.form, widened.passing, widened.is_strict);
        (known.is_refuted, known.lessons, known.bugs) = (false, known.lessons + 1, bugs.bugs.len());
        Ok(())
    }

    /// Adds to each bug what its inputs have in common, in words and as it is stored.
    fn say(&self, list: &mut BugList, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        for place in 0..list.bugs.len() {
            let bug = list.bugs[place].id;
            let Some(number) = self.main_form(&list.bugs[place]) else { continue };
            let KnownForm { is_honest, bugs, .. } = self.shield.known.borrow()[number];
            // What was known of other bugs then was less: samples may have failed for their reasons.
            if !is_honest && bugs < list.bugs.len() {
                self.find_anew(list, number, judge)?;
            }
            let known = self.shield.known.borrow()[number].clone();
            let words = self.words(&known, judge)?;
            let most = if known.is_honest { "" } else { "most of " };
            let others = if self.has_others(bug, &known.form) { ", and others like it" } else { "" };
            let described = &mut list.bugs[place];
            described.words = format!("{most}{words}{others}");
            described.name = format!("{};{}", outline(&known.form), kind(&known.signature));
            described.form = Some(format!("{}{}", if known.is_honest { "" } else { SOME }, known.form));
            for known in self.shield.known.borrow().iter().filter(|known| known.bug == Some(bug)) {
                described.avoided += known.avoided;
                (0..known.met).for_each(|_| described.hit(Finder::Later));
            }
        }
        Ok(())
    }

    /// Returns the form that says most of a bug: that of its simplest input, and of most others.
    fn main_form(&self, bug: &Bug) -> Option<usize> {
        let known = self.shield.known.borrow();
        let (simplest, bug) = (Part::of(&bug.tape), bug.id);
        let mut inputs = Vec::new();
        for known in known.iter().filter(|known| known.bug == Some(bug)) {
            inputs.push(Part::of(&known.tape));
        }
        let mut best = None;
        for (number, known) in known.iter().enumerate() {
            if known.bug != Some(bug) || known.is_last_resort {
                continue;
            }
            let matched = inputs.iter().filter(|whole| known.form.matches(whole)).count();
            let score = (known.form.matches(&simplest), matched);
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, number));
            }
        }
        best.map(|(_, number)| number)
    }

    /// Returns true if there are inputs that fail for the reason of a bug and do not have a form.
    fn has_others(&self, bug: usize, form: &Form) -> bool {
        let known = self.shield.known.borrow();
        let mut own = known.iter().filter(|known| known.bug == Some(bug));
        own.any(|known| !form.matches(&Part::of(&known.tape)))
    }

    fn words(&self, known: &KnownForm, judge: &mut Judge<'_>) -> Result<String, WrongTest> {
        let show = |tape: &Tape| {
            let shown = catch(|| self.runner.arguments(&mut Source::replay(tape.clone())));
            let pair = |argument: Argument| (argument.name.to_string(), argument.text);
            shown.unwrap_or_default().into_iter().map(pair).listed()
        };
        let words = |mut sampler: Sampler<'_>| in_words(&known.form, &mut sampler, &show);
        let (words, _) = self.sampled(&known.tape, &known.signature, None, judge, words)?;
        Ok(words)
    }
}

/// The mark before a stored form of which only some inputs fail.
const SOME: &str = "~";

/// Returns the part of a form that stays the same from run to run: its labels and alternatives.
fn outline(form: &Form) -> String {
    let mut text = form.with_any_numbers().to_string();
    text.retain(|letter| !"_ .*[]".contains(letter));
    text
}

/// Returns the kind of a failure, without lines of code.
fn kind(signature: &Signature) -> String {
    match signature {
        Signature::Panic { file, .. } => file.clone(),
        other => other.to_string(),
    }
}
