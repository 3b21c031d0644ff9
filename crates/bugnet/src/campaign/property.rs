//! The property: a name, settings, and everything needed to test it.

use super::environment::Environment;
use super::environment::KnownUse;
use super::explain::influences;
use super::hunt::Hunt;
use super::judge::{Found, Judge, Misuse, verdict};
use super::known::{self, KnownBug};
use super::outcome::{Bug, Effort, Failed, Origin, Passed, Reason};
use super::reduce::{Reduced, reduce};
use super::regressions::{Kept, Regressions};
use super::search::{Progress, Search};
use super::settings::{Isolate, Options, SeedChoice, Settings, Span, Strategies, Write};
use super::test::{Argument, Closures, Test};
use super::wanted::Wanted;
use super::written::Written;
use super::{Labels, labels};
use crate::choice::{Seed, Source};
use crate::generate::{Generator, debug_literal};
use crate::oracle::{Caught, IntoVerdict, Verdict, catch};
use crate::program::{Programs, Suite};
use crate::strategy::{Exhaustive, Random, Strategy};
use crate::swarm::{Scheme, Tally};
use crate::worker::{Child, Flight, Journal};
use std::fmt::Debug;
use std::path::PathBuf;
use std::time::Duration;

/// A property and how to test it: what `#[property]` is made of, for those who do without macros.
///
/// ```
/// use bugnet::prelude::*;
///
/// let passed = Property::new("reverse_twice")
///     .cases(500)
///     .check(any::<Vec<u8>>(), |list| {
///         let mut twice = list.clone();
///         twice.reverse();
///         twice.reverse();
///         assert_eq!(twice, list);
///     })
///     .unwrap();
/// assert_eq!(passed.tests, 500);
/// ```
pub struct Property<'a> {
    name: String,
    folder: Option<PathBuf>,
    options: Options,
    examples: Vec<Example<'a>>,
    environment: Option<Environment>,
}

/// An input given by hand, as it is written and as it is run.
struct Example<'a> {
    shown: &'static str,
    run: Box<dyn Fn() -> Verdict + 'a>,
}

impl Debug for Property<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Property")
            .field("name", &self.name)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// Tests a property of generated values with the usual settings.
///
/// ```
/// use bugnet::prelude::*;
///
/// assert!(check(0..100u8, |x| x < 100).is_ok());
/// assert!(check(0..100u8, |x| x < 50).is_err());
/// ```
pub fn check<G, V>(generator: G, test: impl Fn(G::Value) -> V) -> Result<Passed, Box<Failed>>
where
    G: Generator,
    G::Value: Debug,
    V: IntoVerdict,
{
    Property::new("check").check(generator, test)
}

impl<'a> Property<'a> {
    /// A property of this name, with the usual settings.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let passed = Property::new("sums").check(any::<(u8, u8)>(), |(a, b)| a ^ b == b ^ a).unwrap();
    /// assert_eq!(passed.name, "sums");
    /// ```
    pub fn new(name: impl Into<String>) -> Property<'a> {
        Property {
            name: name.into(),
            folder: None,
            options: Options::default(),
            examples: Vec::new(),
            environment: None,
        }
    }

    /// Keeps failing cases in this crate folder and reads its `bugnet.toml`.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let folder = std::env::temp_dir().join(format!("bugnet-{}", std::process::id()));
    /// let failed = Property::new("small").folder(&folder).check(any::<u8>(), |x| x < 9).unwrap_err();
    /// let file = failed.kept.unwrap().unwrap();
    /// assert!(folder.join(file).exists());
    /// # std::fs::remove_dir_all(&folder).unwrap();
    /// ```
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Property<'a> {
        self.folder = Some(folder.into());
        self
    }

    /// Sets everything that comes from outside, instead of reading it.
    ///
    /// ```
    /// use bugnet::prelude::*;
    /// use bugnet::campaign::Environment;
    ///
    /// let mut environment = Environment::none(Seed(1));
    /// environment.variables.cases = Some(30);
    /// let passed = Property::new("quick").environment(environment).check(any::<u64>(), |_| true).unwrap();
    /// assert_eq!(passed.tests, 30);
    /// ```
    #[inline]
    pub fn environment(mut self, environment: Environment) -> Property<'a> {
        self.environment = Some(environment);
        self
    }

    /// Sets many settings at once.
    ///
    /// ```
    /// use bugnet::prelude::*;
    /// use bugnet::campaign::Options;
    ///
    /// let few = Options { cases: Some(20), ..Options::default() };
    /// let passed = Property::new("few").options(few).check(any::<u64>(), |_| true).unwrap();
    /// assert_eq!(passed.tests, 20);
    /// ```
    pub fn options(mut self, options: Options) -> Property<'a> {
        self.options = self.options.overridden_by(options);
        self
    }

    /// How many cases to run.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let passed = Property::new("few").cases(20).check(any::<u64>(), |_| true).unwrap();
    /// assert_eq!(passed.tests, 20);
    /// ```
    #[inline]
    pub fn cases(self, cases: u64) -> Property<'a> {
        self.options(Options { cases: Some(cases), ..Options::default() })
    }

    /// How long to search, instead of counting cases.
    ///
    /// ```
    /// use bugnet::prelude::*;
    /// use std::time::Duration;
    ///
    /// let brief = Property::new("brief").time(Duration::from_millis(10));
    /// assert!(brief.check(any::<u64>(), |_| true).unwrap().tests > 0);
    /// ```
    #[inline]
    pub fn time(self, time: Duration) -> Property<'a> {
        self.options(Options { time: Some(Span(time)), ..Options::default() })
    }

    /// The seed of the random cases.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let failed = Property::new("small").seed(Seed(7)).check(any::<u64>(), |x| x < 9).unwrap_err();
    /// assert_eq!(failed.seed, Seed(7));
    /// ```
    #[inline]
    pub fn seed(self, seed: Seed) -> Property<'a> {
        self.options(Options { seed: Some(SeedChoice::This(seed)), ..Options::default() })
    }

    /// The greatest depth of exhaustive search.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let shallow = Property::new("shallow").strategies(Strategies::Exhaustive).depth(2);
    /// let passed = shallow.check(any::<Vec<bool>>(), |_| true).unwrap();
    /// assert_eq!(passed.exhausted.unwrap().depth, 2);
    /// ```
    #[inline]
    pub fn depth(self, depth: u32) -> Property<'a> {
        self.options(Options { depth: Some(depth), ..Options::default() })
    }

    /// How to search.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let property = Property::new("digits").strategies(Strategies::Exhaustive);
    /// let passed = property.check(0..10u8, |digit| digit < 10).unwrap();
    /// assert!(passed.exhausted.unwrap().whole);
    /// ```
    #[inline]
    pub fn strategies(self, strategies: Strategies) -> Property<'a> {
        self.options(Options { strategies: Some(strategies), ..Options::default() })
    }

    /// Which bugs of programs are looked for.
    #[inline]
    pub fn bugs(self, bugs: Wanted) -> Property<'a> {
        self.options(Options { bugs: Some(bugs), ..Options::default() })
    }

    /// Runs the cases in a child process, so that one that ends the process is reported too. The child
    /// is this test program, told to run one test: the property must have the path of that test for its
    /// name.
    ///
    /// ```no_run
    /// use bugnet::prelude::*;
    ///
    /// // In the test `never_dies`.
    /// let failed = Property::new(concat!(module_path!(), "::never_dies"))
    ///     .isolate(Isolate::CHILD)
    ///     .check(any::<u8>(), |x| if x == 7 { std::process::abort() })
    ///     .unwrap_err();
    /// assert_eq!(failed.arguments[0].text, "7");
    /// ```
    #[inline]
    pub fn isolate(self, isolate: Isolate) -> Property<'a> {
        self.options(Options { isolate: Some(isolate), ..Options::default() })
    }

    /// Demands that every case panics with a message that contains a text.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let list = [1, 2, 3];
    /// let beyond = Property::new("beyond").expect_panic("out of bounds");
    /// assert!(beyond.check(3..9usize, |index| assert_eq!(list[index], 0)).is_ok());
    /// ```
    pub fn expect_panic(self, text: impl Into<String>) -> Property<'a> {
        self.options(Options { expect_panic: Some(text.into()), ..Options::default() })
    }

    /// Runs an input given by hand before all others.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let halves = |x: u32| assert_eq!(x / 2 * 2, x);
    /// let failed = Property::new("halves").example("7", || halves(7)).check(any::<u32>(), halves).unwrap_err();
    /// assert_eq!(failed.arguments[0].text, "7");
    /// ```
    pub fn example<V: IntoVerdict>(mut self, shown: &'static str, run: impl Fn() -> V + 'a) -> Property<'a> {
        self.examples.push(Example { shown, run: Box::new(move || run().into_verdict()) });
        self
    }

    /// Tests values of a generator.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// assert!(Property::new("below_ten").check(0..10u8, |x| x < 10).is_ok());
    /// assert!(Property::new("below_nine").check(0..10u8, |x| x < 9).is_err());
    /// ```
    pub fn check<G, V>(self, generator: G, test: impl Fn(G::Value) -> V) -> Result<Passed, Box<Failed>>
    where
        G: Generator,
        G::Value: Debug,
        V: IntoVerdict,
    {
        self.run(&Closures {
            generate: |source: &mut Source| generator.generate(source),
            test: |value: G::Value, _: &mut Source| test(value),
            show: |value: &G::Value| {
                vec![Argument { name: "input", kind: "", text: debug_literal(value), source: false }]
            },
        })
    }

    /// Tests a property as the engine sees it: the [`Programs`](crate::program::Programs) of a suite, or
    /// [`Closures`].
    ///
    /// ```
    /// use bugnet::prelude::*;
    /// use bugnet::oracle::Verdict;
    /// use bugnet::program::{Operation, Programs, Suite};
    ///
    /// let suite = Suite::new("clock").operation(Operation::new("tick", "tick()", |_| Verdict::Pass)).build();
    /// assert!(Property::new("clock").run(&Programs::new(suite)).is_ok());
    /// ```
    pub fn run(mut self, test: &dyn Test) -> Result<Passed, Box<Failed>> {
        let environment = match self.environment.take() {
            Some(environment) => environment,
            None => Environment::real(self.folder.as_deref()),
        };
        let options = environment
            .profile
            .clone()
            .overridden_by(self.options.clone())
            .overridden_by(environment.variables.clone());
        let blank = Failed::blank(&self.name, environment.fresh);
        if let Some(problem) = &environment.problem {
            return Err(Box::new(Failed { reason: Reason::Misused(problem.clone()), ..blank }));
        }
        let settings =
            match catch(|| Settings::new(options, &self.name, environment.fresh, environment.unattended)) {
                Ok(settings) => settings,
                Err(Caught::Misused(problem)) => {
                    return Err(Box::new(Failed { reason: Reason::Misused(problem), ..blank }));
                }
                Err(_) => unreachable!("reading settings does not panic"),
            };
        if let Some(programs) = test.programs() {
            programs.adopt(&settings);
        }
        let kept = Vec::new();
        let mut run = Run { property: &self, environment: &environment, settings: &settings, test, kept };
        run.whole()
    }

    /// Tests a property inside a `#[test]`: prints the report, and panics if it failed.
    #[doc(hidden)]
    pub fn test(self, test: &dyn Test) {
        crate::report::conclude(self.run(test));
    }
}

impl Property<'_> {
    /// Tests the programs of a suite inside a `#[test]`. A suite that cannot work is reported as any
    /// other mistake.
    #[doc(hidden)]
    pub fn test_suite(self, suite: impl FnOnce() -> Suite) {
        match catch(|| Programs::new(suite())) {
            Ok(programs) => self.test(&programs),
            Err(Caught::Misused(problem)) => {
                let blank = Failed::blank(&self.name, Seed(0));
                let failed = Failed { reason: Reason::Misused(problem), ..blank };
                crate::report::conclude(Err(Box::new(failed)));
            }
            Err(_) => unreachable!("a suite is built without calling anything"),
        }
    }
}

impl Failed {
    fn blank(name: &str, seed: Seed) -> Failed {
        Failed {
            name: name.to_string(),
            reason: Reason::Misused(String::new()),
            arguments: Vec::new(),
            notes: Vec::new(),
            tape: None,
            seed,
            effort: Effort::default(),
            kept: None,
            written: None,
            influences: Tally::default(),
            bugs: Vec::new(),
            tests: 0,
            fixed: Vec::new(),
        }
    }
}

/// At most so many inputs are run to explain a failure.
const EXPLAINING: u64 = 1_000;
/// And for at most so long.
const EXPLAINING_TIME: Duration = Duration::from_secs(5);

/// One run of a property.
struct Run<'a> {
    property: &'a Property<'a>,
    environment: &'a Environment,
    settings: &'a Settings,
    test: &'a dyn Test,
    /// Cases that are kept, where they begin a hunt.
    kept: Vec<Kept>,
}

impl Run<'_> {
    fn whole(&mut self) -> Result<Passed, Box<Failed>> {
        if self.environment.child.as_ref() == Some(&self.property.name) {
            crate::worker::serve(self.test, self.settings.expect_panic.as_deref());
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
                // the process is run in a child.
                true => {
                    let (deadly, harmless) = kept.into_iter().partition(|kept: &Kept| kept.deadly);
                    self.kept = harmless;
                    self.replay(&deadly)?;
                }
                false => self.replay(&kept)?,
            }
        }
        self.left_over()?;
        self.search()
    }

    /// Whether all bugs are looked for.
    fn hunts(&self) -> bool {
        let Settings { bugs, isolate, expect_panic, .. } = self.settings;
        self.test.programs().is_some() && bugs.all && *isolate == Isolate::Off && expect_panic.is_none()
    }

    fn child(&self) -> Child {
        let patience = match self.settings.isolate {
            Isolate::Child { patience } => patience,
            Isolate::Off => Isolate::PATIENCE,
        };
        Child::new(&self.property.name, patience)
    }

    fn judge<'b>(&'b self, journal: &'b mut Journal, child: Option<&'b mut Child>) -> Judge<'b> {
        Judge { test: self.test, expect_panic: self.settings.expect_panic.as_deref(), journal, child }
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
        let (mut child, mut journal) = (self.child(), Journal::default());
        let mut judge = self.judge(&mut journal, Some(&mut child));
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
        Some(Written::new(self.property.folder.as_ref()?, folder, &self.property.name))
    }

    fn examples(&self) -> Result<(), Box<Failed>> {
        for example in &self.property.examples {
            let expect_panic = self.settings.expect_panic.as_deref();
            let failure = match verdict(catch(&example.run), expect_panic) {
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
        let isolated = self.settings.isolate != Isolate::Off;
        let (mut child, mut journal) = (self.child(), Journal::default());
        for Kept { tape, deadly } in cases {
            let mut judge = self.judge(&mut journal, (isolated || *deadly).then_some(&mut child));
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
        let clock = &*self.environment.clock;
        let isolated = self.settings.isolate != Isolate::Off;
        let mut journal = match self.journal_path() {
            Some(path) if !isolated => Journal::create(&path),
            _ => Journal::default(),
        };
        let mut child = self.child();
        let mut search = Search::new(self.settings, clock, self.test.programs().is_some());
        let marker = search.marker().map(Source::case_marker).unwrap_or_default();
        let outer = labels::begin(marker);
        let mut judge = self.judge(&mut journal, isolated.then_some(&mut child));
        let programs = self.test.programs().filter(|_| self.hunts());
        let hunt = programs.map(|programs| Hunt::new(programs, self.settings, self.environment));
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
        let labels = labels::end(outer);
        let fixed = hunt.as_ref().map_or(Vec::new(), |hunt| hunt.fixed.clone());
        let only = hunt.is_some() && self.environment.known == KnownUse::Only;
        let result = match found {
            Ok(Some(found)) => Err(self.refuted(found, &search.tally, &mut judge)),
            Ok(None) if hunt.as_ref().is_some_and(Hunt::has_found) => {
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
            Ok(passed) => Ok(Passed { fixed, ..passed }),
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
                failed
            }
            Err(Misuse(problem)) => self.misused(problem),
        }
    }

    /// The report of all bugs of programs.
    fn refuted_by_all(&self, hunt: Hunt<'_>, tally: &Progress, judge: &mut Judge<'_>) -> Box<Failed> {
        let tests = tally.passed + tally.failed;
        let (bugs, flaky) = hunt.named();
        if let (true, Some(flaky)) = (bugs.is_empty(), flaky) {
            return Box::new(Failed { tests, ..*self.failed(flaky, None) });
        }
        let mut report = |bug: Bug| {
            let Bug { failure, tape, notes, effort, .. } = bug.clone();
            let reduced = Reduced { tape, reason: Reason::Refuted(failure), notes, effort };
            let failed = self.failed(reduced, self.regressions());
            let influences = self.influences(&failed.reason, judge);
            let Failed { arguments, kept, written, .. } = *failed;
            Bug { arguments, kept, written, influences, ..bug }
        };
        let bugs: Vec<Bug> = bugs.into_iter().map(&mut report).collect();
        if let (Some(folder), Some(programs)) = (&self.property.folder, self.test.programs()) {
            known::remember(folder, &self.property.name, programs.suite(), &bugs);
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
        // A known bug that was met in another form has had its share of the budget.
        let enough = whole && tally.passed > 0
            || tally.passed > 0 && tally.passed + tally.failed >= self.settings.cases
            || tally.passed > 0
                && (self.settings.time.is_some() || self.settings.strategies == Strategies::Exhaustive);
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
