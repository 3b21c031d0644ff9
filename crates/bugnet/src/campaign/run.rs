//! One run of a property: what is kept is replayed, then it is searched, and what fails is reduced,
//! kept and written down.
//!
//! **Invariant:** a failure is on disk before it is reported.

use super::environment::{Environment, KnownUse};
use super::expecting::turned;
use super::explain::influences;
use super::hunt::Hunt;
use super::isolated::Isolated;
use super::judge::{Found, Judge, Misuse, verdict};
use super::known::{self, KnownBug};
use super::outcome::{Bug, Effort, Failed, Origin, Passed, Reason};
use super::property::Property;
use super::pursuit::Pursuit;
use super::reduce::{Reduced, reduce};
use super::regressions::{Kept, Regressions};
use super::search::{Progress, Search};
use super::settings::{Isolate, Settings, Strategies, Write};
#[cfg(feature = "values")]
use super::shield::Shield;
use super::test::{Argument, Test};
#[cfg(feature = "values")]
use super::values::Values;
use super::wanted::Scope;
use super::written::Written;
use super::{Labels, labels};
use crate::choice::{Seed, Source};
use crate::list::Listed;
use crate::oracle::{Signature, Verdict, catch};
use crate::strategy::{Exhaustive, Random, Strategy};
use crate::swarm::{Scheme, Tally};
use crate::worker::{Child, Flight, Journal};
use std::path::PathBuf;
use std::time::Duration;

/// What to do where all bugs behind a property are wanted and patterns of inputs were not compiled.
const NO_VALUES: &str = "to tell the bugs behind a property apart, Bugnet needs its feature `values`; write \
    `bugnet = { version = \"0.1\", features = [\"values\"] }` in Cargo.toml, or add `--features bugnet/values` to the command";
/// Why all bugs cannot be had where programs must panic.
const NO_PATTERN: &str = "of programs that must panic, the simplest that does not stands for all that do not: \
    what it lacks is no pattern, so `bugs = \"all\"` finds no more here";
/// At most so many inputs are run to explain a failure.
const EXPLAINING: u64 = 1_000;
/// And for at most so long.
const EXPLAINING_TIME: Duration = Duration::from_secs(5);

/// One run of a property.
pub(super) struct Run<'a> {
    property: &'a Property<'a>,
    environment: &'a Environment,
    settings: &'a Settings,
    test: &'a dyn Test,
    /// Cases that are kept, where they begin a hunt.
    kept: Vec<Kept>,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        property: &'a Property<'a>,
        environment: &'a Environment,
        settings: &'a Settings,
        test: &'a dyn Test,
    ) -> Run<'a> {
        Run { property, environment, settings, test, kept: Vec::new() }
    }

    pub(super) fn whole(&mut self) -> Result<Passed, Box<Failed>> {
        if self.environment.child.as_ref() == Some(&self.property.name) {
            crate::worker::serve(self.test);
        }
        if let Some(tape) = &self.environment.replay {
            let kept = Kept { tape: tape.clone(), deadly: self.settings.isolate != Isolate::Off };
            return self.replay(&[kept]).map(|()| self.passed(Progress::default(), 1));
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
                        let list =
                            if kept.deadly && !self.is_isolated() { &mut deadly } else { &mut self.kept };
                        list.push(kept);
                    }
                    self.replay(&deadly)?;
                }
                false => self.replay(&kept)?,
            }
        }
        self.left_over()?;
        self.search()
    }

    /// Whether more than the first bug is looked for.
    fn hunts(&self) -> bool {
        self.settings.hunts(self.test)
    }

    fn child(&self) -> Child {
        let patience = match self.settings.isolate {
            Isolate::Child { patience } => patience,
            Isolate::Off => Isolate::PATIENCE,
        };
        Child::new(&self.property.name, patience)
    }

    /// The test with its cases in a child.
    fn isolated(&self) -> Isolated<'a> {
        Isolated::new(self.test, self.child())
    }

    fn is_isolated(&self) -> bool {
        self.settings.isolate != Isolate::Off
    }

    /// Where this property writes down what it is running.
    fn journal_path(&self) -> Option<PathBuf> {
        let file = format!("{}.journal", self.property.name.replace("::", "."));
        Some(self.property.folder.as_ref()?.join(".bugnet").join(file))
    }

    /// Looks for the case in which an earlier run of this property died.
    fn left_over(&self) -> Result<(), Box<Failed>> {
        let Some(path) = self.journal_path() else { return Ok(()) };
        let Some(flight) = Journal::left_over(&path) else { return Ok(()) };
        let (isolated, mut journal) = (self.isolated(), Journal::default());
        let mut judge = Judge { test: &isolated, journal: &mut journal };
        let found = again(&mut judge, &flight);
        let outcome = match found {
            Ok(Some(found)) => {
                let mut failed = self.refuted(found, &Progress::default(), &mut judge);
                failed.effort.origin = Origin::InFlight;
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
        self.test.programs()?;
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
                Err(Misuse(problem)) => return Err(self.misused(problem)),
            };
            let text = example.shown.to_string();
            let arguments = vec![Argument { name: "example", kind: "", text, source: false }];
            let blank = Failed::blank(&self.property.name, self.settings.seed);
            let effort = Effort { origin: Origin::Example, ..Effort::default() };
            return Err(Box::new(Failed { reason: Reason::Refuted(failure), arguments, effort, ..blank }));
        }
        Ok(())
    }

    /// Runs kept cases. One that fails is reported as it is, for it was reduced before.
    fn replay(&self, cases: &[Kept]) -> Result<(), Box<Failed>> {
        let (isolated, mut journal) = (self.isolated(), Journal::default());
        for Kept { tape, deadly } in cases {
            let test: &dyn Test = if self.is_isolated() || *deadly { &isolated } else { self.test };
            let mut judge = Judge { test, journal: &mut journal };
            let (run, notes) = labels::with_notes(|| judge.recorded(Source::replay(tape.clone())));
            let (verdict, tape) = run.map_err(|misuse| self.misused(misuse.0))?;
            if let Verdict::Fail(failure) = verdict {
                let reason = Reason::Refuted(*failure);
                let effort = Effort { origin: Origin::Kept, ..Effort::default() };
                return Err(self.failed(Reduced { tape, reason, notes, effort }, None));
            }
        }
        Ok(())
    }

    fn search(&self) -> Result<Passed, Box<Failed>> {
        if cfg!(not(feature = "values")) && self.hunts() && self.test.programs().is_none() {
            return Err(self.misused(NO_VALUES.to_string()));
        }
        let clock = &*self.environment.clock;
        let isolated = self.isolated();
        let test: &dyn Test = if self.is_isolated() { &isolated } else { self.test };
        let mut journal = match self.journal_path() {
            Some(path) if !self.is_isolated() => Journal::create(&path),
            _ => Journal::default(),
        };
        let mut search = Search::new(self.settings, clock, self.test.programs().is_some());
        let marker = search.marker().map(Source::case_marker).unwrap_or_default();
        let outer = labels::begin(marker);
        let mut judge = Judge { test, journal: &mut journal };
        #[cfg(feature = "values")]
        let shield = Shield::new(test, self.settings.bugs.samples);
        let hunt = match self.test.programs() {
            _ if !self.hunts() => None,
            Some(programs) => Some(Pursuit::Programs(Hunt::new(programs, self.settings, self.environment))),
            #[cfg(not(feature = "values"))]
            None => None,
            #[cfg(feature = "values")]
            None => {
                judge.test = &shield;
                Some(Pursuit::Values(Values::new(test, &shield, self.settings, self.environment)))
            }
        };
        let (found, hunt) = match hunt {
            Some(mut hunt) => {
                let known = self.known().map_err(|problem| self.misused(problem))?;
                let ran = hunt.begin(&known, &self.kept, &mut judge);
                let ran = ran.and_then(|()| match self.environment.known {
                    KnownUse::Only => Ok(()),
                    _ => hunt.run(&mut search, &mut judge),
                });
                (ran.map(|()| None), Some(hunt))
            }
            None => (search.run(&mut judge), None),
        };
        judge.test = test;
        let labels = labels::end(outer);
        let fixed = hunt.as_ref().map_or(Vec::new(), |hunt| hunt.fixed().to_vec());
        let avoided = hunt.as_ref().map_or(0, Pursuit::avoided);
        let only = hunt.is_some() && self.environment.known == KnownUse::Only;
        let result = match found {
            Ok(Some(found)) => Err(self.refuted(found, &search.tally, &mut judge)),
            Ok(None) if hunt.as_ref().is_some_and(Pursuit::has_found) => {
                Err(self.refuted_by_all(hunt.expect("it has found something"), &search.tally, &mut judge))
            }
            Ok(None) if !fixed.is_empty() && self.environment.denies_fixed => {
                let blank = Failed::blank(&self.property.name, self.settings.seed);
                Err(Box::new(Failed { reason: Reason::Fixed(fixed.clone()), ..blank }))
            }
            Ok(None) if only => Ok(self.passed(search.tally, 0)),
            Ok(None) => self.conclude(search.tally, labels),
            Err(Misuse(problem)) => Err(self.misused(problem)),
        };
        journal.finish();
        match result {
            Ok(passed) => {
                Ok(Passed { fixed, avoided, tests: passed.tests.saturating_sub(avoided), ..passed })
            }
            Err(failed) => Err(Box::new(Failed { fixed, ..*failed })),
        }
    }

    /// The known bugs of this test.
    fn known(&self) -> Result<Vec<KnownBug>, String> {
        match &self.property.folder {
            Some(folder) if self.environment.known != KnownUse::Off => {
                let mut known = known::read(&folder.join(known::FILE))?;
                known.retain(|known| known.test == self.property.name);
                Ok(known)
            }
            _ => Ok(Vec::new()),
        }
    }

    fn refuted(&self, found: Found, tally: &Progress, judge: &mut Judge<'_>) -> Box<Failed> {
        match reduce(judge, found, self.settings, &*self.environment.clock, &mut |_| false) {
            Ok(mut reduced) => {
                reduced.effort.passed = tally.passed;
                let mut failed = self.failed(reduced, self.regressions());
                failed.influences = self.influences(&failed.reason, judge);
                failed.remark = (self.settings.bugs.scope == Scope::All).then_some(NO_PATTERN);
                failed
            }
            Err(Misuse(problem)) => self.misused(problem),
        }
    }

    /// The report of all bugs.
    fn refuted_by_all(&self, hunt: Pursuit<'_>, tally: &Progress, judge: &mut Judge<'_>) -> Box<Failed> {
        let tests = tally.passed + tally.failed - hunt.avoided().min(tally.passed);
        let (bugs, flaky) = hunt.named();
        if let (true, Some(flaky)) = (bugs.is_empty(), flaky) {
            return Box::new(Failed { tests, ..*self.failed(flaky, None) });
        }
        let mut known: Vec<(Signature, Tally)> = Vec::new();
        let mut report = |bug: Bug| {
            let Bug { failure, tape, notes, effort, .. } = bug.clone();
            let reduced = Reduced { tape, reason: Reason::Refuted(failure), notes, effort };
            let failed = self.failed(reduced, self.regressions());
            // Bugs with one signature have one table.
            let same = known.iter().find(|(signature, _)| *signature == bug.failure.signature);
            let influences = match same {
                Some((_, influences)) => influences.clone(),
                None => self.influences(&failed.reason, judge),
            };
            known.push((bug.failure.signature.clone(), influences.clone()));
            let Failed { arguments, kept, written, .. } = *failed;
            Bug { arguments, kept, written, influences, ..bug }
        };
        let bugs: Vec<Bug> = bugs.into_iter().map(&mut report).listed();
        if let Some(folder) = &self.property.folder {
            let suite = self.test.programs().map(|programs| programs.suite());
            known::remember(folder, &self.property.name, suite, &bugs);
        }
        let blank = Failed::blank(&self.property.name, self.settings.seed);
        let first = bugs[0].clone();
        Box::new(Failed {
            reason: Reason::Refuted(first.failure),
            arguments: first.arguments,
            notes: first.notes,
            tape: Some(first.tape),
            effort: first.effort,
            kept: first.kept,
            written: first.written,
            influences: first.influences,
            bugs,
            tests,
            ..blank
        })
    }

    /// What makes a failure more and less likely.
    fn influences(&self, reason: &Reason, judge: &mut Judge<'_>) -> Tally {
        let Reason::Refuted(failure) = reason else { return Tally::default() };
        let is_plain = self.settings.isolate == Isolate::Off && self.settings.expect_panic.is_none();
        let is_wanted = self.settings.explain.unwrap_or(self.test.programs().is_some());
        let is_possible = is_plain && !failure.signature.is_deadly() && self.settings.swarm != Scheme::All;
        if !is_wanted || !is_possible {
            return Tally::default();
        }
        let clock = &*self.environment.clock;
        let (most, end) = (self.settings.cases.min(EXPLAINING), clock() + EXPLAINING_TIME);
        let is_late = |run: u64| run >= most || clock() >= end;
        // Other inputs than those of the search, which stopped at this failure.
        let seed = Seed(!self.settings.seed.0);
        match self.test.programs() {
            Some(programs) => programs.influences(seed, &failure.signature, &is_late),
            None => influences(judge, seed, &failure.signature, &is_late).unwrap_or_default(),
        }
    }

    /// The report of a failure, which is kept first.
    fn failed(&self, reduced: Reduced, keep: Option<Regressions>) -> Box<Failed> {
        let Reduced { mut tape, reason, notes, effort } = reduced;
        if let Some(programs) = self.test.programs() {
            tape = programs.plain(tape);
        }
        let arguments = match (self.test.programs(), &reason) {
            (Some(programs), Reason::Refuted(failure)) => {
                catch(|| programs.lines(&tape, Some(&failure.signature)))
            }
            _ => catch(|| self.test.arguments(&mut Source::replay(tape.clone()))),
        };
        let arguments = arguments.unwrap_or_default();
        let kept = match (&reason, keep) {
            (Reason::Refuted(failure), Some(regressions)) => {
                Some(regressions.add(&tape, &arguments, failure))
            }
            _ => None,
        };
        let written = match (&reason, self.written()) {
            (Reason::Refuted(failure), Some(written)) => Some(written.add(&tape, &arguments, failure)),
            _ => None,
        };
        let blank = Failed::blank(&self.property.name, self.settings.seed);
        Box::new(Failed { reason, arguments, notes, tape: Some(tape), effort, kept, written, ..blank })
    }

    fn conclude(&self, tally: Progress, labels: Labels) -> Result<Passed, Box<Failed>> {
        let blank = || Failed::blank(&self.property.name, self.settings.seed);
        let whole = tally.exhausted.is_some_and(|exhausted| exhausted.whole);
        let Settings { cases, time, strategies, .. } = self.settings;
        // A known bug that was met in another form has had its share of the budget.
        let spent = tally.passed + tally.failed >= *cases;
        let unbounded = time.is_some() || *strategies == Strategies::Exhaustive;
        let enough = tally.passed > 0 && (whole || spent || unbounded);
        if !enough {
            let Progress { passed, discarded, .. } = tally;
            if let Some(programs) = self.test.programs() {
                return Err(self.misused(format!(
                    "only {passed} of {} programs of `{}` could call anything; their calls panic, or `assume!` and `#[when(…)]` forbid them",
                    passed + discarded,
                    programs.suite().name,
                )));
            }
            return Err(Box::new(Failed { reason: Reason::GaveUp { passed, discarded }, ..blank() }));
        }
        let missed = labels.covers.iter().find(|(_, cover)| cover.is_missed(tally.passed));
        if let Some((label, cover)) = missed {
            let reason = Reason::Uncovered {
                label: label.clone(),
                percent: cover.percent,
                hits: cover.hits,
                cases: tally.passed,
            };
            return Err(Box::new(Failed { reason, ..blank() }));
        }
        let tests = tally.passed;
        let mut passed = Passed { labels, ..self.passed(tally, tests) };
        if let Some(programs) = self.test.programs().filter(|_| self.settings.isolate == Isolate::Off) {
            let (never, all) = programs.never_called();
            if all {
                return Err(self.misused(format!(
                    "no rule of `{}` could ever be called ({}); loosen `#[when(…)]`, or let the constructor make a state in which one holds",
                    programs.suite().name,
                    never.join(", "),
                )));
            }
            passed.never_called = never;
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
            fixed: Vec::new(),
            avoided: 0,
        }
    }

    fn misused(&self, problem: String) -> Box<Failed> {
        let blank = Failed::blank(&self.property.name, self.settings.seed);
        Box::new(Failed { reason: Reason::Misused(problem), ..blank })
    }
}

/// Runs cases that were in flight when a process died, in a child, up to one that fails.
fn again(judge: &mut Judge<'_>, flight: &Flight) -> Result<Option<Found>, Misuse> {
    match flight {
        Flight::Tape(tape) => {
            let (verdict, tape) = judge.recorded(Source::replay(tape.clone()))?;
            Ok(Found::of(verdict, tape, "an earlier run"))
        }
        Flight::Trace(seed) => {
            let (verdict, tape) = judge.recorded(Source::recording(*seed, 0))?;
            Ok(Found::of(verdict, tape, "an earlier run"))
        }
        Flight::Random { seed, first, count } => Random::starting_at(*seed, *first).find(judge, *count),
        Flight::Exhaustive { depth, skip, count } => Exhaustive::resume(*depth, *skip).find(judge, *count),
    }
}
