//! One run of a property: what is kept is replayed, then it is searched, and what fails is reduced,
//! kept and written down.
//!
//! **Invariant:** a failure is on disk before it is reported.

use super::environment::{Environment, KnownUse};
use super::explain::influences;
use super::outcome::{Calls, Failed, Passed, Reason};
use super::property::Property;
use super::regressions::{Kept, Regressions};
use super::serve::serve;
use super::written::Written;
use crate::case::{
    Allowance, Argument, Cases, Child, Effort, Finder, Flaky, Found, Isolated, Journal, Judge, Origin,
    Reduced, Runner, reduce, turned, verdict,
};
use crate::choice::{Source, Tape};
use crate::hunt::{self, Bug, Hunt, Hunted, Knowledge, KnownBug, Patterns};
#[cfg(feature = "values")]
use crate::hunt::{Forms, KnownForms};
use crate::label::{self, Labels};
use crate::list::{mapped, numbers};
use crate::oracle::{Failure, Verdict, WrongTest, catch};
use crate::pattern::Pattern;
use crate::program::{Proposal, Scratch};
use crate::random::Seed;
use crate::settings::{Isolate, Scope, Settings, Strategies, Write};
use crate::strategy::{Exhaustive, Progress, Random, Search, Strategy};
use crate::swarm::{Scheme, Tally};
use crate::wire::Work;
use bugnet_process::Launcher;
use std::path::PathBuf;
use std::time::Duration;

/// The advice where all bugs behind a property are wanted and patterns of inputs were not compiled.
const NO_VALUES: &str = "to tell the bugs behind a property apart, Bugnet needs its feature `values`; write \
    `bugnet = { version = \"0.1\", features = [\"values\"] }` in Cargo.toml, or add `--features bugnet/values` to the command";
/// The reason why all bugs cannot be had where programs must panic.
const NO_PATTERN: &str = "of programs that must panic, the simplest that does not stands for all that do not: \
    what it lacks is no pattern, so `bugs = \"all\"` finds no more here";
/// The most inputs that are run to explain a failure.
const EXPLAINING: u64 = 1_000;
/// The longest that explaining a failure may take.
const EXPLAINING_TIME: Duration = Duration::from_secs(5);

/// One run of a property.
pub(super) struct Run<'a> {
    property: &'a Property<'a>,
    environment: &'a Environment,
    settings: &'a Settings,
    cases: Cases<'a>,
    /// Cases that are kept, where they begin a hunt.
    kept: Vec<Tape>,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        property: &'a Property<'a>,
        environment: &'a Environment,
        settings: &'a Settings,
        cases: Cases<'a>,
    ) -> Run<'a> {
        Run { property, environment, settings, cases, kept: Vec::new() }
    }

    /// Runs the property, and returns what it came to with the number of calls that programs have made.
    pub(super) fn whole(&mut self, scratch: &mut Scratch) -> Result<Passed, Box<Failed>> {
        if self.environment.child.as_ref() == Some(&self.property.name) {
            serve(self.cases, scratch);
        }
        let outcome = self.outcome(scratch);
        let (calls, explaining) = (scratch.calls(), scratch.explained);
        match outcome {
            Ok(passed) => Ok(Passed { calls, ..passed }),
            Err(failed) => {
                // What was not for learning was for searching.
                let searching = calls.saturating_sub(failed.calls.learning);
                let calls = Calls { searching, explaining, ..failed.calls };
                Err(Box::new(Failed { calls, ..*failed }))
            }
        }
    }

    fn outcome(&mut self, scratch: &mut Scratch) -> Result<Passed, Box<Failed>> {
        if let Some(tape) = &self.environment.replay {
            return self.replay_named(tape, scratch);
        }
        self.examples()?;
        if let Some(regressions) = self.regressions() {
            let kept = regressions.read().map_err(|problem| self.misused(problem))?;
            match self.hunts() {
                // Where all bugs are wanted, those that are kept are the first of them; but what ends
                // this process is run in a child.
                true => {
                    let mut deadly = Vec::new();
                    for kept in kept {
                        match kept.deadly && !self.is_isolated() {
                            true => deadly.push(kept),
                            false => self.kept.push(kept.tape),
                        }
                    }
                    self.replay(&deadly, scratch)?;
                }
                false => drop(self.replay(&kept, scratch)?),
            }
        }
        self.left_over(scratch)?;
        self.search(scratch)
    }

    /// Returns true if the run goes on after the first bug.
    fn hunts(&self) -> bool {
        self.settings.hunts(self.cases)
    }

    fn judge<'b>(
        &'b self,
        runner: &'b dyn Runner,
        scratch: &'b mut Scratch,
        journal: &'b mut Journal,
    ) -> Judge<'b> {
        Judge::new(self.cases.run_by(runner), scratch, journal, self.environment.observer.as_deref())
    }

    fn child(&self) -> Child {
        let patience = match self.settings.isolate {
            Isolate::Child { patience } => patience,
            Isolate::Off => Isolate::PATIENCE,
        };
        // Under `cargo bugnet run` there is a launcher that takes rights away.
        let launcher = if self.settings.confine { Launcher::inherited() } else { Launcher::Shell };
        Child::new(&self.property.name, patience, launcher)
    }

    /// The test with its cases in a child.
    fn isolated(&self) -> Isolated<'a> {
        Isolated::new(self.cases, self.child())
    }

    fn is_isolated(&self) -> bool {
        self.settings.isolate != Isolate::Off
    }

    /// Returns the journal, in which this property writes down the case that it runs.
    fn journal_path(&self) -> Option<PathBuf> {
        let file = format!("{}.journal", self.property.name.replace("::", "."));
        Some(self.property.folder.as_ref()?.join(".bugnet").join(file))
    }

    /// Looks for the case in which an earlier run of this property died.
    fn left_over(&self, scratch: &mut Scratch) -> Result<(), Box<Failed>> {
        let Some(path) = self.journal_path() else { return Ok(()) };
        let Some(work) = Journal::left_over(&path) else { return Ok(()) };
        let (isolated, mut journal) = (self.isolated(), Journal::default());
        let mut judge = self.judge(&isolated, scratch, &mut journal);
        let found = again(&mut judge, &work);
        let outcome = match found {
            Ok(Some(found)) => {
                let mut failed = self.refuted(found, &Progress::default(), &mut judge);
                for bug in &mut failed.bugs {
                    bug.effort.origin = Origin::InFlight;
                }
                Err(failed)
            }
            // What cannot run in a child cannot be looked into; the search goes on as ever.
            Ok(None) | Err(_) => Ok(()),
        };
        let _ = std::fs::remove_file(&path);
        outcome
    }

    fn regressions(&self) -> Option<Regressions> {
        let folder = self.property.folder.as_ref().filter(|_| self.settings.regressions)?;
        Some(Regressions::new(folder, &self.property.name))
    }

    /// The file that failing programs are written to.
    fn written(&self) -> Option<Written> {
        let Write::To(folder) = &self.settings.write else { return None };
        self.cases.programs?;
        let written = Written::new(self.property.folder.as_ref()?, folder, &self.property.name);
        Some(written.declared_in(self.property.source))
    }

    fn examples(&self) -> Result<(), Box<Failed>> {
        for example in &self.property.examples {
            let judged = match (verdict(catch(&example.run)), &self.settings.expect_panic) {
                (Ok(verdict), Some(text)) => Ok(turned(verdict, text)),
                (judged, _) => judged,
            };
            let failure = match judged {
                Ok(Verdict::Fail(failure)) => *failure,
                Ok(_) => continue,
                Err(WrongTest(problem)) => return Err(self.misused(problem)),
            };
            let text = example.shown.to_string();
            let arguments = vec![Argument { name: "example", kind: "", text, source: false }];
            let blank = Failed::blank(&self.property.name, self.settings.seed);
            let effort = Effort { origin: Origin::Example, ..Effort::default() };
            let bug = Bug::new(failure.clone(), Tape::default(), Vec::new(), effort);
            let bugs = vec![Bug { arguments, ..bug }];
            return Err(Box::new(Failed { reason: Reason::Refuted(failure), bugs, ..blank }));
        }
        Ok(())
    }

    /// Runs the case that `BUGNET_REPLAY` names. Any numbers are some input of any property, so whether they pass counts
    /// only if this property reads them as they are written.
    fn replay_named(&self, tape: &Tape, scratch: &mut Scratch) -> Result<Passed, Box<Failed>> {
        let kept = Kept { tape: tape.clone(), deadly: self.settings.isolate != Isolate::Off };
        let ran = self.replay(&[kept], scratch)?;
        let name = &self.property.name;
        let problem = match ran {
            Some((Verdict::Discard, _)) => "is an input that a precondition discards".to_string(),
            Some((_, read)) if !self.is_read_whole(tape, &read) => {
                format!("is no case of `{name}`, which reads it as `{}`", self.plain(&read))
            }
            _ => return Ok(self.passed(Progress::default(), 1)),
        };
        Err(self.misused(format!(
            "BUGNET_REPLAY: `{tape}` {problem}, so nothing was tested; copy a case from a report of `{name}` and run \
             that test alone, or run it without BUGNET_REPLAY if it has changed since"
        )))
    }

    /// Returns true if a case that has passed is the one that was written: the input takes no numbers but these. The
    /// test may draw more, because it goes on where it has failed before.
    fn is_read_whole(&self, written: &Tape, read: &Tape) -> bool {
        let values = written.values();
        if self.cases.programs.is_some() {
            return self.plain(written).values() == values;
        }
        let mut source = Source::replay(written.clone());
        let mut unused = Scratch::default();
        let generated =
            catch(|| self.cases.runner.case(Proposal::new(&mut source, &mut |_| false, &mut unused)));
        let taken = source.into_tape().values().len();
        generated.is_ok() && taken <= values.len() && read.values().starts_with(&values)
    }

    /// Runs kept cases; returns what became of the last, if all pass. One that fails is reported as it is, for it was
    /// reduced before.
    fn replay(&self, cases: &[Kept], scratch: &mut Scratch) -> Result<Option<(Verdict, Tape)>, Box<Failed>> {
        let (isolated, mut journal, mut last) = (self.isolated(), Journal::default(), None);
        for Kept { tape, deadly } in cases {
            let is_apart = self.is_isolated() || *deadly;
            let runner: &dyn Runner = if is_apart { &isolated } else { self.cases.runner };
            let mut judge = self.judge(runner, scratch, &mut journal);
            let (run, notes) = label::with_notes(|| judge.recorded(Source::replay(tape.clone())));
            let (verdict, tape) = run.map_err(|misuse| self.misused(misuse.0))?;
            if let Verdict::Fail(failure) = verdict {
                let effort = Effort { origin: Origin::Kept, ..Effort::default() };
                let reduced = Reduced { tape, failure: *failure, flaky: None, notes, effort };
                return Err(self.failed(reduced, None));
            }
            last = Some((verdict, tape));
        }
        Ok(last)
    }

    fn search(&self, scratch: &mut Scratch) -> Result<Passed, Box<Failed>> {
        if cfg!(not(feature = "values")) && self.hunts() && self.cases.programs.is_none() {
            return Err(self.misused(NO_VALUES.to_string()));
        }
        let clock = &*self.environment.clock;
        let isolated = self.isolated();
        let runner: &dyn Runner = if self.is_isolated() { &isolated } else { self.cases.runner };
        let mut journal = match self.journal_path() {
            Some(path) if !self.is_isolated() => Journal::create(&path),
            _ => Journal::default(),
        };
        let mut search = Search::new(self.settings, clock, self.cases.programs.is_some());
        let marker = search.marker().map(Source::case_marker).unwrap_or_default();
        let outer = label::begin(marker);
        let mut judge = self.judge(runner, scratch, &mut journal);
        #[cfg(feature = "values")]
        let shield = KnownForms::new(runner, self.settings.bugs.samples);
        let known = match self.hunts() {
            true => self.known().map_err(|problem| self.misused(problem))?,
            false => Vec::new(),
        };
        let (found, hunted) = match self.cases.programs {
            _ if !self.hunts() => (search.run(&mut judge), None),
            Some(programs) => {
                let patterns = Patterns::new(programs.suite(), self.settings, clock);
                self.hunt(patterns, &known, &mut search, &mut judge)
            }
            #[cfg(not(feature = "values"))]
            None => unreachable!("the bugs behind a property are not told apart without `values`"),
            #[cfg(feature = "values")]
            None => {
                judge.cases.runner = &shield;
                let forms = Forms::new(runner, &shield, self.settings, clock);
                self.hunt(forms, &known, &mut search, &mut judge)
            }
        };
        judge.cases.runner = runner;
        let labels = label::end(outer);
        let fixed = hunted.as_ref().map_or(Vec::new(), |hunted| hunted.fixed.clone());
        let avoided = hunted.as_ref().map_or(0, |hunted| hunted.avoided);
        let only = hunted.is_some() && self.environment.known == KnownUse::Only;
        let around = hunted.as_ref().filter(|_| !only).map_or(Vec::new(), |hunted| hunted.around.clone());
        let hunted = hunted.filter(Hunted::has_found);
        let result = match (found, hunted) {
            (Ok(Some(found)), _) => Err(self.refuted(found, &search.tally, &mut judge)),
            (Ok(None), Some(hunted)) => Err(self.refuted_by_all(hunted, &search.tally, &mut judge)),
            (Ok(None), None) if !fixed.is_empty() && self.environment.denies_fixed => {
                let blank = Failed::blank(&self.property.name, self.settings.seed);
                Err(Box::new(Failed { reason: Reason::Fixed(fixed.clone()), ..blank }))
            }
            (Ok(None), None) if only => Ok(self.passed(search.tally, 0)),
            (Ok(None), None) => self.conclude(search.tally, labels, judge.scratch),
            (Err(WrongTest(problem)), _) => Err(self.misused(problem)),
        };
        journal.finish();
        match result {
            Ok(passed) => {
                Ok(Passed { fixed, avoided, around, tests: passed.tests.saturating_sub(avoided), ..passed })
            }
            Err(failed) => Err(Box::new(Failed { fixed, ..*failed })),
        }
    }

    /// Looks for all bugs. Returns what is wrong with the test, if anything is, and what was found.
    fn hunt<K: Knowledge>(
        &self,
        knowledge: K,
        known: &[KnownBug],
        search: &mut Search<'_>,
        judge: &mut Judge<'_>,
    ) -> (Result<Option<Found>, WrongTest>, Option<Hunted>) {
        let mut hunt = Hunt::new(knowledge, self.settings, &*self.environment.enough);
        let ran = hunt.begin(known, &self.kept, judge);
        let ran = ran.and_then(|()| match self.environment.known {
            KnownUse::Only => Ok(()),
            _ => hunt.run(search, judge),
        });
        (ran.map(|()| None), Some(hunt.hunted()))
    }

    /// The known bugs of this test.
    fn known(&self) -> Result<Vec<KnownBug>, String> {
        match &self.property.folder {
            Some(folder) if self.environment.known != KnownUse::Off => {
                hunt::of_test(folder, &self.property.name)
            }
            _ => Ok(Vec::new()),
        }
    }

    fn refuted(&self, found: Found, tally: &Progress, judge: &mut Judge<'_>) -> Box<Failed> {
        let searched = judge.calls();
        let allowance = Allowance::after(searched);
        judge.last_call = allowance.learning_end();
        match reduce(judge, found, self.settings, &*self.environment.clock, &mut |_| false) {
            Ok(mut reduced) => {
                reduced.effort.passed = tally.passed;
                let mut failed = self.failed(reduced, self.regressions());
                failed.calls.learning = judge.calls() - searched;
                let calls = allowance.for_explaining(judge.calls());
                self.explain(&mut failed.bugs, judge, calls);
                failed.remark = (self.settings.bugs.scope == Scope::All).then_some(NO_PATTERN);
                failed
            }
            Err(WrongTest(problem)) => self.misused(problem),
        }
    }

    /// The report of all bugs.
    fn refuted_by_all(&self, hunted: Hunted, tally: &Progress, judge: &mut Judge<'_>) -> Box<Failed> {
        let Hunted { mut bugs, flaky, avoided, allowance, learning, .. } = hunted;
        let tests = tally.passed + tally.failed - avoided.min(tally.passed);
        let allowance = allowance.unwrap_or(Allowance::after(0));
        if let (true, Some(flaky)) = (bugs.is_empty(), flaky) {
            let calls = Calls { learning, ..Calls::default() };
            return Box::new(Failed { tests, calls, ..*self.failed(flaky, None) });
        }
        for bug in &mut bugs {
            let tape = self.plain(&bug.tape);
            self.describe(bug, &tape, self.regressions());
        }
        self.explain(&mut bugs, judge, allowance.for_explaining(judge.calls()));
        if let Some(folder) = &self.property.folder {
            let suite = self.cases.programs.map(|programs| programs.suite());
            hunt::remember(folder, &self.property.name, suite, &bugs);
        }
        let blank = Failed::blank(&self.property.name, self.settings.seed);
        let calls = Calls { learning, ..Calls::default() };
        Box::new(Failed { reason: Reason::Refuted(bugs[0].failure.clone()), bugs, tests, calls, ..blank })
    }

    /// Finds out what makes each bug more and less likely. Bugs that fail in the same way are told apart by their
    /// patterns, and the same programs serve all of them.
    fn explain(&self, bugs: &mut [Bug], judge: &mut Judge<'_>, calls: u64) {
        let share = calls / bugs.len().max(1) as u64;
        for first in 0..bugs.len() {
            let Bug { failure, beside, .. } = bugs[first].clone();
            let is_same = |bug: &Bug| bug.failure.signature == failure.signature;
            if bugs[..first].iter().any(is_same) {
                continue;
            }
            let same = numbers(bugs.len(), &|place| place >= first && is_same(&bugs[place]));
            let mut faults: Vec<Vec<Pattern>> = mapped(&same, |place| bugs[*place].patterns.clone());
            if !beside.is_empty() {
                faults.push(beside);
            }
            let tallies = self.influences(&failure, &faults, judge, share * same.len() as u64);
            for (number, influences) in tallies.into_iter().enumerate().take(same.len()) {
                bugs[same[number]].influences = influences;
            }
        }
    }

    /// Returns what makes each of the faults behind a failure more and less likely. Programs may make this many calls
    /// for it, inputs have a time. The faults behind a property are not told apart.
    fn influences(
        &self,
        failure: &Failure,
        faults: &[Vec<Pattern>],
        judge: &mut Judge<'_>,
        calls: u64,
    ) -> Vec<Tally> {
        let is_plain = self.settings.isolate == Isolate::Off && self.settings.expect_panic.is_none();
        let is_wanted = self.settings.explain.unwrap_or(self.cases.programs.is_some());
        let is_possible = is_plain && !failure.signature.is_deadly() && self.settings.swarm != Scheme::All;
        if !is_wanted || !is_possible {
            return Vec::new();
        }
        let clock = &*self.environment.clock;
        let (most, end) = (self.settings.cases.min(EXPLAINING), clock() + EXPLAINING_TIME);
        // Other inputs than those of the search, which stopped at this failure.
        let seed = Seed(!self.settings.seed.0);
        match self.cases.programs {
            Some(programs) => {
                programs.influences(judge.scratch, seed, &failure.signature, faults, most, calls)
            }
            None => {
                let is_late = |run: u64| run >= most || clock() >= end;
                let tally = influences(judge, seed, &failure.signature, &is_late).unwrap_or_default();
                vec![tally; faults.len()]
            }
        }
    }

    /// The report of a failure, which is kept first.
    fn failed(&self, reduced: Reduced, keep: Option<Regressions>) -> Box<Failed> {
        let Reduced { tape, failure, flaky, notes, effort } = reduced;
        let tape = self.plain(&tape);
        let mut bug = Bug::new(failure.clone(), tape.clone(), notes, effort);
        let blank = Failed::blank(&self.property.name, self.settings.seed);
        Box::new(match flaky {
            None => {
                self.describe(&mut bug, &tape, keep);
                Failed { reason: Reason::Refuted(failure), bugs: vec![bug], ..blank }
            }
            Some(Flaky { runs, failed }) => {
                bug.arguments =
                    catch(|| self.cases.runner.arguments(&mut Source::replay(tape))).unwrap_or_default();
                let reason = Reason::Flaky { failure, runs, failed };
                Failed { reason, flaky: Some(Box::new(bug)), ..blank }
            }
        })
    }

    /// The one tape that stands for a program, of those that come to the same.
    fn plain(&self, tape: &Tape) -> Tape {
        match self.cases.programs {
            Some(programs) => programs.plain(tape.clone()),
            None => tape.clone(),
        }
    }

    /// Shows the case of a bug, keeps it, and writes it as a test.
    fn describe(&self, bug: &mut Bug, tape: &Tape, keep: Option<Regressions>) {
        let arguments = match self.cases.programs {
            Some(programs) => catch(|| programs.lines(tape, Some(&bug.failure.signature))),
            None => catch(|| self.cases.runner.arguments(&mut Source::replay(tape.clone()))),
        };
        bug.arguments = arguments.unwrap_or_default();
        bug.kept = keep.map(|regressions| regressions.add(tape, &bug.arguments, &bug.failure));
        bug.written = self.written().map(|written| written.add(tape, &bug.arguments, &bug.failure));
    }

    fn conclude(&self, tally: Progress, labels: Labels, scratch: &Scratch) -> Result<Passed, Box<Failed>> {
        let blank = || Failed::blank(&self.property.name, self.settings.seed);
        let whole = tally.exhausted.is_some_and(|exhausted| exhausted.whole);
        let Settings { cases, time, strategies, .. } = self.settings;
        // A known bug that was met in another form has had its share of the budget.
        let spent = tally.passed + tally.failed >= *cases;
        let unbounded = time.is_some() || *strategies == Strategies::Exhaustive;
        let enough = tally.passed > 0 && (whole || spent || unbounded);
        if !enough {
            let Progress { passed, discarded, .. } = tally;
            if let Some(programs) = self.cases.programs {
                return Err(self.misused(format!(
                    "only {passed} of {} programs of `{}` could call anything; their calls panic, or `assume!` and `#[when(…)]` forbid them",
                    passed + discarded,
                    programs.suite().name,
                )));
            }
            return Err(Box::new(Failed { reason: Reason::GaveUp { passed, discarded }, ..blank() }));
        }
        for (covers, cases) in &[(&labels.covers, tally.passed), (&labels.checks.covers, labels.checks.made)]
        {
            let Some((label, cover)) = covers.iter().find(|(_, cover)| cover.is_missed(*cases)) else {
                continue;
            };
            let (percent, hits) = (cover.percent, cover.hits);
            let reason = Reason::Uncovered { label: label.clone(), percent, hits, cases: *cases };
            return Err(Box::new(Failed { reason, ..blank() }));
        }
        let tests = tally.passed;
        let mut passed = Passed { labels, ..self.passed(tally, tests) };
        if let Some(programs) = self.cases.programs.filter(|_| self.settings.isolate == Isolate::Off) {
            let (never, all) = scratch.never_called(programs.suite());
            if all {
                return Err(self.misused(format!(
                    "no rule of `{}` could ever be called ({}); loosen `#[when(…)]`, or let the constructor make a state in which one holds",
                    programs.suite().name,
                    never.join(", "),
                )));
            }
            passed.always_refused = scratch.always_refused(programs.suite());
            for name in never {
                if !passed.always_refused.iter().any(|(refused, _)| *refused == name) {
                    passed.never_called.push(name);
                }
            }
        }
        Ok(passed)
    }

    fn passed(&self, tally: Progress, tests: u64) -> Passed {
        Passed {
            name: self.property.name.clone(),
            tests,
            discarded: tally.discarded,
            exhausted: tally.exhausted,
            labels: Labels::default(),
            never_called: Vec::new(),
            always_refused: Vec::new(),
            fixed: Vec::new(),
            avoided: 0,
            around: Vec::new(),
            calls: 0,
        }
    }

    fn misused(&self, problem: String) -> Box<Failed> {
        let blank = Failed::blank(&self.property.name, self.settings.seed);
        Box::new(Failed { reason: Reason::Misused(problem), ..blank })
    }
}

/// Runs cases that were in flight when a process died, in a child, up to one that fails.
fn again(judge: &mut Judge<'_>, work: &Work) -> Result<Option<Found>, WrongTest> {
    match work {
        Work::Tape(tape) => {
            let (verdict, tape) = judge.recorded(Source::replay(tape.clone()))?;
            Ok(Found::of(verdict, tape, Finder::EarlierRun))
        }
        Work::Traced(seed) => {
            let (verdict, tape) = judge.recorded(Source::recording(*seed, 0))?;
            Ok(Found::of(verdict, tape, Finder::EarlierRun))
        }
        Work::Random { seed, first, count } => Random::starting_at(*seed, *first).find(judge, *count),
        Work::Exhaustive { depth, skip, count } => Exhaustive::resume(*depth, *skip).find(judge, *count),
    }
}
