//! The hunt for all bugs behind a property, each reduced, brought into a form and then kept away.
//!
//! What is found is reduced without running inputs that have a known form in them, and widened to a form
//! ([`widened`](crate::form)). From then on the [shield](Shield) keeps the inputs of that form away.
//! A form that turns out to match an input that does not fail is found anew, with that input in mind.
//!
//! **Invariant:** each bug is reported once: failures that differ in the numbers of their inputs only,
//! and those that pass without the part that is known, are no bugs of their own.

use super::Outside;
use super::avoid_forms::{Filtered, KnownForm, Origin, Shield};
use super::bug::Bug;
use super::known::KnownBug;
use super::sampling::Sampling;
use crate::case::{Argument, Finder, Found, Judge, Judging, Reduced, Runner, reduce};
use crate::choice::{Source, Tape};
use crate::form::{Form, Outcome, Part, Sampler, Share, Widened, in_words, is_confirmed, widened};
use crate::learn::name_for;
use crate::list::{Listed, sort};
use crate::oracle::{Signature, Verdict, WrongTest, catch};
use crate::random::Seed;
use crate::settings::Settings;
use crate::strategy::{Avoiding, Search};
use std::cmp::Ordering;

/// A bug has at most so many forms that differ in numbers only; one more, and any number will do.
const MOST_ALIKE: usize = 3;
/// A form is found anew at most so many times.
const MOST_LESSONS: u32 = 8;
/// At the end, one in so many cases is run once more inside of each form that is taken to be honest,
const EXAMINED: u64 = 10;
/// but at least so many,
const LEAST_EXAMINED: u64 = 20;
/// and no more than so many.
const MOST_EXAMINED: u64 = 200;
/// What is found thereby is examined as well, so often at most.
const EXAMINATIONS: u32 = 3;

/// The bugs behind one property.
pub(crate) struct Values<'a> {
    runner: &'a dyn Runner,
    shield: &'a Shield<'a>,
    settings: &'a Settings,
    outside: Outside<'a>,
    bugs: Vec<Bug>,
    fixed: Vec<String>,
    /// A failure that did not come again.
    flaky: Option<Reduced>,
}

impl<'a> Values<'a> {
    pub(crate) fn new(
        runner: &'a dyn Runner,
        shield: &'a Shield<'a>,
        settings: &'a Settings,
        outside: Outside<'a>,
    ) -> Values<'a> {
        Values { runner, shield, settings, outside, bugs: Vec::new(), fixed: Vec::new(), flaky: None }
    }

    /// Takes in what is known before the search: the bugs of the file, and the cases that are kept.
    pub(crate) fn begin(
        &mut self,
        known: &[KnownBug],
        kept: &[Tape],
        judge: &mut Judge<'_>,
    ) -> Result<(), WrongTest> {
        let mut plain = judge.of(self.runner);
        let mut others = Vec::new();
        for bug in known {
            let wrong = |problem: String| WrongTest(bug.wrong(&problem));
            let text = bug.pattern().strip_prefix(SOME);
            let form = Form::read(text.unwrap_or(bug.pattern())).map_err(wrong)?;
            let (verdict, tape) = plain.recorded(Source::replay(bug.tape()))?;
            match verdict {
                Verdict::Fail(failure) if bug.is_failing(&failure) => {
                    let known = KnownForm::new(form, failure.signature, tape, None);
                    let known = KnownForm { is_honest: text.is_none(), ..known };
                    self.shield.known.borrow_mut().push(known);
                }
                verdict => {
                    self.fixed.push(bug.name.clone());
                    others.extend(Found::of(verdict, tape, Finder::KnownBug));
                }
            }
        }
        // The input of a bug that is mended may have come upon another one.
        for found in others {
            self.take(found, &mut plain, 0)?;
        }
        for tape in kept {
            let (verdict, tape) = plain.recorded(Source::replay(tape.clone()))?;
            if let Some(found) = Found::of(verdict, tape, Finder::KeptCase) {
                self.take(found, &mut plain, 0)?;
            }
        }
        Ok(())
    }

    /// Searches until the budget is used up.
    pub(crate) fn run(&mut self, search: &mut Search<'_>, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        let mut news = 0;
        loop {
            if self.news() > news {
                news = self.news();
                search.has_news(self.bugs.last().map_or(Avoiding::Cheap, Bug::avoiding), None);
            }
            let Some(found) = search.run(judge)? else { break };
            self.correct(judge)?;
            self.take(found, judge, search.tally.passed)?;
            if (self.outside.enough)(&self.bugs) {
                break;
            }
        }
        let mut rounds = 0;
        while rounds < EXAMINATIONS && self.examine(judge, search.tally.passed)? {
            rounds += 1;
        }
        self.correct(judge)?;
        self.describe(judge)
    }

    /// How many bugs have been new in this run.
    fn news(&self) -> usize {
        self.bugs.len() + usize::from(self.flaky.is_some())
    }

    /// Runs inputs of the forms that are taken to be honest; whether one of them has failed otherwise.
    fn examine(&mut self, judge: &mut Judge<'_>, passed: u64) -> Result<bool, WrongTest> {
        if !self.settings.bugs.samples {
            return Ok(false);
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
        let has_found = !beside.is_empty();
        for found in beside {
            self.take(found, judge, passed)?;
        }
        Ok(has_found)
    }

    pub(crate) fn has_found(&self) -> bool {
        !self.bugs.is_empty() || self.flaky.is_some()
    }

    pub(crate) fn fixed(&self) -> &[String] {
        &self.fixed
    }

    /// How many inputs were not run.
    pub(crate) fn avoided(&self) -> u64 {
        self.shield.avoided.get()
    }

    /// The bugs in the order of the report, with their names.
    pub(crate) fn named(self) -> (Vec<Bug>, Option<Reduced>) {
        let mut found = self.bugs;
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
        (bugs, self.flaky)
    }

    /// Takes in an input that failed, and those that are met on the way.
    fn take(&mut self, found: Found, judge: &mut Judge<'_>, passed: u64) -> Result<(), WrongTest> {
        let mut queue = vec![found];
        while let Some(found) = queue.pop() {
            queue.extend(self.take_one(found, judge, passed)?);
        }
        Ok(())
    }

    fn take_one(
        &mut self,
        found: Found,
        judge: &mut Judge<'_>,
        passed: u64,
    ) -> Result<Vec<Found>, WrongTest> {
        let by = found.by;
        let found = match self.shield.origin(&found.tape, Box::new(found.failure.clone())) {
            Origin::Known(number) => {
                self.hit(number, by);
                return Ok(Vec::new());
            }
            Origin::New(tape, failure) => {
                let confirmed = found.confirmed || tape.values() != found.tape.values();
                Found { tape, failure: *failure, confirmed, by }
            }
        };
        let signature = found.failure.signature.clone();
        let is_known = |tape: &Tape| self.shield.finds(tape, &signature, None);
        let filtered = Filtered { runner: self.runner, is_known: &is_known };
        let mut careful = judge.of(&filtered);
        let clock = self.outside.clock;
        let mut reduced = reduce(&mut careful, found, self.settings, clock, &mut |_| false)?;
        reduced.effort = reduced.effort.found(by, passed);
        if reduced.flaky.is_some() {
            self.flaky.get_or_insert(reduced);
            return Ok(Vec::new());
        }
        let (mut widened, beside) = self.form_of(&reduced.tape, &signature, None, Vec::new(), judge)?;
        let owner = self.owner(&mut widened, &signature, &reduced.tape, judge)?;
        self.add(reduced, widened, owner, by);
        Ok(beside)
    }

    /// The known form that a new one is another instance of: they are alike, or the new one matches what
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

    /// The form of an input, as wide as tests confirm, and what failed otherwise on the way.
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
        let mut trial = Judging::new(&mut plain, Some(signature)).until(self.outside.clock, time);
        let mut sampling = Sampling::new(self.shield, signature, bug);
        let mut shows = |verdict: Verdict, tape: &Tape| sampling.shown(verdict, tape);
        let result = work(Sampler::new(Part::of(tape), self.seed(), &mut trial, &mut shows));
        trial.misuse.map_or(Ok((result, sampling.beside)), Err)
    }

    /// Other samples for each bug.
    fn seed(&self) -> Seed {
        Seed(self.settings.seed.0.wrapping_add(self.shield.known.borrow().len() as u64))
    }

    fn hit(&mut self, number: usize, by: Finder) {
        if let Some(bug) = self.shield.known.borrow()[number].bug {
            self.bugs[bug].hit(by);
        }
    }

    /// Keeps a bug, unless it is another instance of one that is known.
    fn add(&mut self, reduced: Reduced, widened: Widened, owner: Option<usize>, by: Finder) {
        let Widened { form, is_strict, passing } = widened;
        let Reduced { tape, failure, notes, effort, .. } = reduced;
        let mut known = self.shield.known.borrow_mut();
        let bug = owner.map_or(Some(self.bugs.len()), |owner| known[owner].bug);
        let signature = failure.signature.clone();
        match bug {
            Some(number) if number < self.bugs.len() => {
                let bug = &mut self.bugs[number];
                if tape.simplicity(&bug.tape) == Ordering::Less {
                    (bug.tape, bug.failure, bug.notes) = (tape.clone(), failure, notes);
                }
            }
            Some(_) => self.bugs.push(Bug::new(failure, tape.clone(), notes, effort)),
            None => {}
        }
        if let Some(number) = bug {
            self.bugs[number].hit(by);
        }
        let alike = known.iter().filter(|known| known.signature == signature && known.form.is_like(&form));
        if alike.count() >= MOST_ALIKE {
            // So many numbers do it that there is more to it than a form can say.
            let wide = KnownForm::new(form.with_any_numbers(), signature.clone(), tape.clone(), bug);
            known.push(KnownForm { is_honest: false, is_last_resort: true, ..wide });
        }
        let known_form = KnownForm::new(form, signature, tape, bug);
        known.push(KnownForm { passing, is_honest: is_strict, bugs: self.bugs.len(), ..known_form });
    }

    /// Finds the forms anew that match inputs which do not fail.
    fn correct(&mut self, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        let count = self.shield.known.borrow().len();
        for number in 0..count {
            let KnownForm { is_refuted, bug, lessons, .. } = self.shield.known.borrow()[number];
            if is_refuted && bug.is_some() && lessons < MOST_LESSONS {
                self.find_anew(number, judge)?;
            }
        }
        Ok(())
    }

    fn find_anew(&mut self, number: usize, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        let KnownForm { tape, signature, bug, passing, .. } = self.shield.known.borrow()[number].clone();
        let (widened, _) = self.form_of(&tape, &signature, bug, passing, judge)?;
        let known = &mut self.shield.known.borrow_mut()[number];
        known.anywhere = widened.form.anywhere();
        (known.form, known.passing, known.is_honest) = (widened.form, widened.passing, widened.is_strict);
        (known.is_refuted, known.lessons, known.bugs) = (false, known.lessons + 1, self.bugs.len());
        Ok(())
    }

    /// Says in words what the forms of the bugs are, and as they are stored.
    fn describe(&mut self, judge: &mut Judge<'_>) -> Result<(), WrongTest> {
        for bug in 0..self.bugs.len() {
            let Some(number) = self.main_form(bug) else { continue };
            let KnownForm { is_honest, bugs, .. } = self.shield.known.borrow()[number];
            // What was known of other bugs then was less: samples may have failed for their reasons.
            if !is_honest && bugs < self.bugs.len() {
                self.find_anew(number, judge)?;
            }
            let known = self.shield.known.borrow()[number].clone();
            let words = self.words(&known, judge)?;
            let most = if known.is_honest { "" } else { "most of " };
            let others = if self.has_others(bug, &known.form) { ", and others like it" } else { "" };
            let described = &mut self.bugs[bug];
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

    /// The form that says most of a bug: that of its simplest input, and of most others.
    fn main_form(&self, bug: usize) -> Option<usize> {
        let known = self.shield.known.borrow();
        let simplest = Part::of(&self.bugs[bug].tape);
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

    /// Whether there are inputs that fail for the reason of a bug and do not have a form.
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

/// Before a form of which only some inputs fail, as it is stored.
const SOME: &str = "~";

/// What of a form stays the same from run to run: its labels and alternatives.
fn outline(form: &Form) -> String {
    let mut text = form.with_any_numbers().to_string();
    text.retain(|letter| !"_ .*[]".contains(letter));
    text
}

/// The kind of a failure, without lines of code.
fn kind(signature: &Signature) -> String {
    match signature {
        Signature::Panic { file, .. } => file.clone(),
        other => other.to_string(),
    }
}
