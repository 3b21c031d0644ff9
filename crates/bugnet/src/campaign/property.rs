//! The property: a name, settings, and everything needed to test it.

use super::environment::Environment;
use super::outcome::{Failed, Passed, Reason};
use super::run::Run;
use crate::case::{Argument, Cases, Closures, Expecting, Inputs, Test};
use crate::choice::Source;
use crate::generate::{Generator, debug_literal};
use crate::oracle::{Caught, IntoVerdict, Verdict, catch};
use crate::random::Seed;
use crate::settings::{Isolate, Options, SeedChoice, Settings, Span, Strategies, WantedBugs};
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
    pub(crate) name: String,
    pub(super) folder: Option<PathBuf>,
    pub(super) source: Option<&'static str>,
    options: Options,
    pub(super) examples: Vec<Example<'a>>,
    environment: Option<Environment>,
}

/// An input given by hand, as it is written and as it is run.
pub(super) struct Example<'a> {
    pub(super) shown: &'static str,
    pub(super) run: Box<dyn Fn() -> Verdict + 'a>,
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
            source: None,
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
    /// let file = failed.kept().unwrap().as_ref().unwrap();
    /// assert!(folder.join(file).exists());
    /// # std::fs::remove_dir_all(&folder).unwrap();
    /// ```
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Property<'a> {
        self.folder = Some(folder.into());
        self
    }

    /// Says in which file the test is declared, as `file!()` has it: what is written of it first has to
    /// be read by the compiler.
    #[doc(hidden)]
    #[inline]
    pub fn declared_in(mut self, source: &'static str) -> Property<'a> {
        self.source = Some(source);
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

    /// Sets the number of cases to run.
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

    /// Sets the time to search, instead of counting cases.
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

    /// Sets the strategies to search with.
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

    /// Which bugs are looked for: the first, or all, each once. All bugs behind a property are told apart with the
    /// feature `values` only; those of a machine always.
    ///
    /// ```
    /// # #[cfg(feature = "values")] {
    /// use bugnet::campaign::WantedBugs;
    /// use bugnet::prelude::*;
    ///
    /// let all = Property::new("two_bugs").bugs(WantedBugs::ALL).seed(Seed(1)).cases(2_000);
    /// let failed = all.check(any::<(u16, bool)>(), |(x, is_on)| {
    ///     assert!(x < 100, "large");
    ///     assert!(!is_on, "on");
    /// });
    /// let patterns: Vec<String> = failed.unwrap_err().bugs.into_iter().map(|bug| bug.words).collect();
    /// assert_eq!(patterns, ["(_, true)", "(100.., _)"]);
    /// # }
    /// ```
    #[inline]
    pub fn bugs(self, bugs: WantedBugs) -> Property<'a> {
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
    /// assert_eq!(failed.arguments()[0].text, "7");
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
    /// assert_eq!(failed.arguments()[0].text, "7");
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
        let mut options = environment
            .profile
            .clone()
            .overridden_by(self.options.clone())
            .overridden_by(environment.variables.clone());
        let inputs = Inputs(test);
        let cases = Cases::of(&inputs);
        options.bugs.get_or_insert(WantedBugs::usual(cases));
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
        let mut scratch = cases.scratch(&settings);
        match &settings.expect_panic {
            Some(text) => {
                let expecting = Expecting { runner: cases.runner, text };
                Run::new(&self, &environment, &settings, cases.run_by(&expecting)).whole(&mut scratch)
            }
            None => Run::new(&self, &environment, &settings, cases).whole(&mut scratch),
        }
    }
}
