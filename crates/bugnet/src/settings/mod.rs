//! Settings: how long and how to search.
//!
//! They come from four places, the later winning: the defaults, the profile in `bugnet.toml`,
//! the test itself, and environment variables named `BUGNET_…`. All are read at the edge and
//! merged here; nothing else looks at the environment.
//!
//! **Invariant:** a setting that cannot be understood ends the run with a sentence that names it.

mod scope;

pub use scope::{Scope, WantedBugs};

use crate::oracle::Signature;
use crate::random::Seed;
use crate::swarm::Scheme;
use std::time::Duration;

/// The time that reducing an input may take where nobody says otherwise.
const SHRINK_TIME: Duration = Duration::from_secs(60);

/// The settings that a test, a profile or the environment names; `None` leaves one to the others.
///
/// ```
/// use bugnet::campaign::Options;
///
/// let few = Options { cases: Some(10), ..Options::default() };
/// let slow = Options { time: Some("2m".parse().unwrap()), ..Options::default() };
/// let both = few.overridden_by(slow);
/// assert_eq!(both.cases, Some(10));
/// assert_eq!(both.time.unwrap().0.as_secs(), 120);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options {
    /// The number of cases to run.
    pub cases: Option<u64>,
    /// The time to search instead of a number of cases.
    pub time: Option<Span>,
    /// The seed of the random cases.
    pub seed: Option<SeedChoice>,
    /// The greatest depth of exhaustive search.
    pub depth: Option<u32>,
    /// The strategies to search with.
    pub strategies: Option<Strategies>,
    /// The most inputs that shrinking may test.
    pub shrinks: Option<u64>,
    /// The time that shrinking may take.
    pub shrink_time: Option<Span>,
    /// Runs the cases in a child process, with the time that one may take there.
    pub isolate: Option<Isolate>,
    /// Confines that child process, under `cargo bugnet run`.
    pub confine: Option<bool>,
    /// Keeps failing cases in a file and replays them first.
    pub regressions: Option<bool>,
    /// The text that every case must panic with, somewhere in its message.
    pub expect_panic: Option<String>,
    /// The number of calls of a random program.
    pub steps: Option<usize>,
    /// The scheme by which tests of programs leave features out.
    pub swarm: Option<Scheme>,
    /// Which programs have their values printed at the end, to see whether that fails.
    pub observe: Option<Observe>,
    /// Writes failing programs as tests, and says where.
    pub write: Option<Write>,
    /// Which bugs are looked for.
    pub bugs: Option<WantedBugs>,
    /// Runs further inputs to tell what triggers and suppresses a failure; by default only for programs.
    pub explain: Option<bool>,
}

/// A length of time as people write it: `500ms`, `5s`, `2m`, `1h`.
///
/// ```
/// use bugnet::campaign::Span;
/// use std::time::Duration;
///
/// assert_eq!("1.5s".parse(), Ok(Span(Duration::from_millis(1500))));
/// assert!("soon".parse::<Span>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span(pub Duration);

impl std::str::FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Span, String> {
        let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let seconds = match unit.trim() {
            "ms" => 0.001,
            "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            _ => f64::NAN,
        };
        let length = number.parse::<f64>().unwrap_or(f64::NAN) * seconds;
        Duration::try_from_secs_f64(length)
            .map(Span)
            .map_err(|_| format!("`{text}` is not a length of time: write one such as 500ms, 5s, 2m or 1h"))
    }
}

/// Which seed to take.
///
/// ```
/// use bugnet::campaign::SeedChoice;
/// use bugnet::choice::Seed;
///
/// assert_eq!("fixed".parse(), Ok(SeedChoice::Fixed));
/// assert_eq!("7".parse(), Ok(SeedChoice::This(Seed(7))));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeedChoice {
    /// Another one in every run.
    Fresh,
    /// The same in every run, made from the name of the property.
    Fixed,
    /// This one.
    This(Seed),
}

impl std::str::FromStr for SeedChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<SeedChoice, String> {
        match text {
            "fresh" => Ok(SeedChoice::Fresh),
            "fixed" => Ok(SeedChoice::Fixed),
            number => {
                number.parse().map(SeedChoice::This).map_err(|error| format!("{error}, `fresh` or `fixed`"))
            }
        }
    }
}

/// The strategies of a search.
///
/// ```
/// use bugnet::campaign::Strategies;
///
/// assert_eq!("random".parse(), Ok(Strategies::Random));
/// assert!("clever".parse::<Strategies>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategies {
    /// Small inputs in order and large ones at random, under one budget.
    Both,
    /// Random inputs only.
    Random,
    /// All inputs up to a depth, the depth rising until the budget ends.
    Exhaustive,
    /// Programs only: extensions of programs that reached a new state.
    Feedback,
    /// Programs only: as `Feedback`, in the manner of RANDOOP, to compare with.
    Rds,
}

impl std::str::FromStr for Strategies {
    type Err = String;

    fn from_str(text: &str) -> Result<Strategies, String> {
        match text {
            "both" => Ok(Strategies::Both),
            "random" => Ok(Strategies::Random),
            "exhaustive" => Ok(Strategies::Exhaustive),
            "feedback" => Ok(Strategies::Feedback),
            "rds" => Ok(Strategies::Rds),
            _ => Err(format!(
                "`{text}` is not a strategy: write random, exhaustive or both, or feedback for programs"
            )),
        }
    }
}

/// The process in which the cases run.
///
/// ```
/// use bugnet::campaign::Isolate;
/// use std::time::Duration;
///
/// assert_eq!("off".parse(), Ok(Isolate::Off));
/// assert_eq!("2s".parse(), Ok(Isolate::Child { patience: Duration::from_secs(2) }));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isolate {
    /// In this process.
    Off,
    /// In a child; a case that takes longer than this hangs.
    Child {
        /// The time that one case may take.
        patience: Duration,
    },
}

impl Isolate {
    /// The time that a case may take by default.
    pub(crate) const PATIENCE: Duration = bugnet_process::patience::CASE;
    /// A child with as much patience as a test usually deserves.
    ///
    /// ```
    /// use bugnet::campaign::Isolate;
    ///
    /// assert_eq!("on".parse(), Ok(Isolate::CHILD));
    /// ```
    pub const CHILD: Isolate = Isolate::Child { patience: Isolate::PATIENCE };
}

impl std::str::FromStr for Isolate {
    type Err = String;

    fn from_str(text: &str) -> Result<Isolate, String> {
        match text {
            "off" | "false" | "0" => Ok(Isolate::Off),
            "on" | "true" | "1" => Ok(Isolate::CHILD),
            time => time
                .parse::<Span>()
                .map(|Span(patience)| Isolate::Child { patience })
                .map_err(|error| format!("{error}, or `on` or `off`")),
        }
    }
}

/// Which programs have their values printed by `Debug` at the end. Nobody sees it; a panic there is a
/// failure.
///
/// ```
/// use bugnet::campaign::Observe;
///
/// assert_eq!("always".parse(), Ok(Observe::Always));
/// assert!("now".parse::<Observe>().unwrap_err().contains("never, sometimes or always"));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Observe {
    /// None.
    Never,
    /// All that are counted through, extended or replayed, and one of sixteen that are random, for
    /// printing may take longer than the program.
    #[default]
    Sometimes,
    /// All.
    Always,
}

impl std::str::FromStr for Observe {
    type Err = String;

    fn from_str(text: &str) -> Result<Observe, String> {
        match text {
            "never" => Ok(Observe::Never),
            "sometimes" => Ok(Observe::Sometimes),
            "always" => Ok(Observe::Always),
            _ => Err(format!("`{text}` is no time to observe: write never, sometimes or always")),
        }
    }
}

/// The place to which failing programs are written as tests.
///
/// ```
/// use bugnet::campaign::Write;
///
/// assert_eq!("off".parse(), Ok(Write::Off));
/// assert_eq!("on".parse(), Ok(Write::To("tests/bugnet".to_string())));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Write {
    /// They are not written.
    #[default]
    Off,
    /// To a file in this folder of the crate.
    To(String),
}

impl Write {
    /// The folder of a crate in which tests are written where none is named.
    pub(crate) const FOLDER: &str = "tests/bugnet";
}

impl std::str::FromStr for Write {
    type Err = String;

    fn from_str(text: &str) -> Result<Write, String> {
        Ok(match text {
            "off" | "false" | "0" => Write::Off,
            "on" | "true" | "1" => Write::To(Write::FOLDER.to_string()),
            folder => Write::To(folder.to_string()),
        })
    }
}

macro_rules! per_key {
    ($($key:ident),*) => {
        impl Options {
            /// These options, except where `other` says something.
            ///
            /// ```
            /// use bugnet::campaign::Options;
            ///
            /// let profile = Options { cases: Some(100), depth: Some(3), ..Options::default() };
            /// let test = Options { cases: Some(5), ..Options::default() };
            /// let both = profile.overridden_by(test);
            /// assert_eq!((both.cases, both.depth), (Some(5), Some(3)));
            /// ```
            pub fn overridden_by(mut self, other: Options) -> Options {
                // A number of cases replaces a time, for time would win over it.
                if other.cases.is_some() {
                    self.time = None;
                }
                Options { $($key: other.$key.or(self.$key)),* }
            }

            /// Sets an option by name; the names are those of the fields.
            ///
            /// ```
            /// use bugnet::campaign::Options;
            ///
            /// let mut options = Options::default();
            /// options.set("cases", "10_000").unwrap();
            /// assert_eq!(options.cases, Some(10_000));
            /// assert!(options.set("case", "1").unwrap_err().contains("is not a setting"));
            /// ```
            pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
                match key {
                    $(stringify!($key) => self.$key = Some(parse(key, value)?),)*
                    _ => {
                        let known = concat!($(", ", stringify!($key)),*);
                        return Err(format!("`{key}` is not a setting; the settings are: {}", &known[2..]));
                    }
                }
                Ok(())
            }

            /// The names of all options.
            pub(crate) const KEYS: &[&str] = &[$(stringify!($key)),*];
        }
    };
}

per_key!(
    cases,
    time,
    seed,
    depth,
    strategies,
    shrinks,
    shrink_time,
    isolate,
    confine,
    regressions,
    expect_panic,
    steps,
    swarm,
    observe,
    write,
    bugs,
    explain
);

fn parse<T: std::str::FromStr>(key: &str, value: &str) -> Result<T, String>
where
    T::Err: std::fmt::Display,
{
    if let Ok(value) = value.parse() {
        return Ok(value);
    }
    match value.replace("_", "").parse() {
        Ok(value) => Ok(value),
        Err(error) => Err(unfit(key, value, &error)),
    }
}

/// Says what is wrong with a value. Our own errors name the setting and say what to write; those of numbers do
/// neither.
fn unfit(key: &str, value: &str, error: &dyn std::fmt::Display) -> String {
    let error = error.to_string();
    if error.starts_with('`') {
        return error;
    }
    format!("`{value}` does not fit `{key}` ({error}); write a number such as 1000, or true or false")
}

/// The settings of a run: options with every gap filled.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    pub(crate) cases: u64,
    pub(crate) time: Option<Duration>,
    pub(crate) seed: Seed,
    pub(crate) depth: u32,
    pub(crate) strategies: Strategies,
    pub(crate) shrinks: u64,
    /// Only if somebody has set it.
    pub(crate) shrink_time: Option<Duration>,
    pub(crate) isolate: Isolate,
    pub(crate) confine: bool,
    pub(crate) regressions: bool,
    pub(crate) expect_panic: Option<String>,
    pub(crate) steps: Option<usize>,
    pub(crate) swarm: Scheme,
    pub(crate) observe: Observe,
    pub(crate) write: Write,
    pub(crate) bugs: WantedBugs,
    pub(crate) explain: Option<bool>,
}

impl Settings {
    /// The number of cases of a run that was told neither a number nor a time.
    pub(crate) const CASES: u64 = 1_000;

    /// Fills the gaps; `name` and `fresh` are for the seed.
    pub(crate) fn new(options: Options, name: &str, fresh: Seed, unattended: bool) -> Settings {
        if options.cases == Some(0) {
            crate::oracle::usage_error(
                "`cases = 0` would test nothing; give a number above zero, or `#[ignore]` the test",
            );
        }
        if options.steps == Some(0) {
            crate::oracle::usage_error("`steps = 0` would call nothing; give a number above zero");
        }
        let default_seed = if unattended { SeedChoice::Fixed } else { SeedChoice::Fresh };
        Settings {
            cases: options.cases.unwrap_or(Settings::CASES),
            time: options.time.map(|Span(time)| time),
            seed: match options.seed.unwrap_or(default_seed) {
                SeedChoice::Fresh => fresh,
                SeedChoice::Fixed => Seed::of_name(name),
                SeedChoice::This(seed) => seed,
            },
            depth: options.depth.unwrap_or(u32::MAX),
            strategies: options.strategies.unwrap_or(Strategies::Both),
            shrinks: options.shrinks.unwrap_or(20_000),
            shrink_time: options.shrink_time.map(|Span(time)| time),
            isolate: options.isolate.unwrap_or(Isolate::Off),
            confine: options.confine.unwrap_or(true),
            regressions: options.regressions.unwrap_or(true),
            expect_panic: options.expect_panic,
            steps: options.steps,
            swarm: options.swarm.unwrap_or_default(),
            observe: options.observe.unwrap_or_default(),
            write: options.write.unwrap_or_default(),
            bugs: options.bugs.unwrap_or(WantedBugs::FIRST),
            explain: options.explain,
        }
    }
}

impl Settings {
    /// Returns the time that reducing may take, if the clock limits it. Programs are limited by their calls instead, so that a
    /// run does the same at any load; but not those in a child, which are not counted, or that hang.
    pub(crate) fn reducing_time(&self, signature: &Signature, is_program: bool) -> Option<Duration> {
        let is_counted = is_program && self.isolate == Isolate::Off && !signature.is_hang();
        self.shrink_time.or((!is_counted).then_some(SHRINK_TIME))
    }

    /// Returns the time that may be spent on finding out what else fails in the same way. A hang costs the whole
    /// time of a case each time, so that is found out only if somebody asks for all bugs.
    pub(crate) fn widening_time(&self, signature: &Signature, is_program: bool) -> Option<Duration> {
        match signature.is_hang() && self.bugs.scope != Scope::All {
            true => Some(Duration::ZERO),
            false => self.reducing_time(signature, is_program),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_can_be_set_by_its_name() {
        let values = [
            ("cases", "10_000"),
            ("time", "5s"),
            ("seed", "0x07"),
            ("depth", "4"),
            ("strategies", "random"),
            ("shrinks", "10"),
            ("shrink_time", "1s"),
            ("isolate", "on"),
            ("confine", "false"),
            ("regressions", "false"),
            ("expect_panic", "no_room"),
            ("steps", "30"),
            ("swarm", "coin:0.3"),
            ("observe", "always"),
            ("write", "on"),
            ("bugs", "more"),
            ("explain", "true"),
        ];
        assert_eq!(values.map(|(key, _)| key), *Options::KEYS);
        let mut options = Options::default();
        for (key, value) in values {
            options.set(key, value).unwrap();
        }
        assert_eq!(options.cases, Some(10_000));
        assert_eq!(options.expect_panic.as_deref(), Some("no_room"));
    }

    #[test]
    fn a_number_of_cases_replaces_a_time() {
        let time = Options { time: Some(Span(Duration::from_secs(1))), ..Options::default() };
        let cases = Options { cases: Some(5), ..Options::default() };
        assert_eq!(time.overridden_by(cases).time, None);
    }

    #[test]
    fn a_wrong_value_is_named_once_with_what_to_write() {
        let error = Options::default().set("cases", "many").unwrap_err();
        assert!(error.starts_with("`many` does not fit `cases`"), "{error}");
        let error = Options::default().set("time", "soon").unwrap_err();
        assert!(error.starts_with("`soon` is not a length of time"), "{error}");
        let error = Options::default().set("bugs", "many").unwrap_err();
        assert_eq!(error, "`many` does not say which bugs are wanted: write first, more or all");
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_right_ones() {
        let error = Options::default().set("case", "1").unwrap_err();
        assert!(error.contains("`case`") && error.contains("cases, time"), "{error}");
    }
}
