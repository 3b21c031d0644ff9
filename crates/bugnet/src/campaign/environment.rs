//! The environment: everything a campaign takes from outside its test.
//!
//! **Invariant:** this is the only place that reads variables, files of settings and the clock.

use super::profile::Profiles;
use crate::case::Observer;
use crate::choice::Tape;
use crate::hunt::Bug;
use crate::random::Seed;
use crate::settings::Options;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::time::{Duration, Instant};

/// Use of the bugs in `bugnet-known.toml`.
///
/// ```
/// use bugnet::campaign::KnownUse;
///
/// assert_ne!(KnownUse::On, KnownUse::Only);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownUse {
    /// They are looked at and steered around.
    On,
    /// They are found again as if nobody knew them.
    Off,
    /// They are looked at, and nothing else is done.
    Only,
}

/// Says whether the bugs that a run has found are enough.
pub type Enough = Box<dyn Fn(&[Bug]) -> bool>;

/// Everything that comes from outside: variables, profile, clock and chance.
///
/// ```
/// use bugnet::campaign::Environment;
/// use bugnet::choice::Seed;
///
/// let quiet = Environment::none(Seed(7));
/// assert!(quiet.variables.cases.is_none());
/// ```
pub struct Environment {
    /// The settings of `bugnet.toml`.
    pub profile: Options,
    /// The settings of `BUGNET_…` variables.
    pub variables: Options,
    /// The case to run instead of searching, from `BUGNET_REPLAY`.
    pub replay: Option<Tape>,
    /// The property that this process serves for the one that started it.
    pub child: Option<String>,
    /// True if nobody watches: the variable `CI` is set.
    pub unattended: bool,
    /// A seed that no other run has.
    pub fresh: Seed,
    /// The use of `bugnet-known.toml`, from `BUGNET_KNOWN`.
    pub known: KnownUse,
    /// True if a known bug that is fixed fails the test, from `BUGNET_FIXED`.
    pub denies_fixed: bool,
    /// Tells whether the bugs found so far are enough.
    pub enough: Enough,
    /// The time since some moment.
    pub clock: Box<dyn Fn() -> Duration>,
    /// The part of the environment that could not be understood, as a sentence.
    pub problem: Option<String>,
    /// Hears everything that is judged.
    #[doc(hidden)]
    pub observer: Option<Box<Observer>>,
}

impl std::fmt::Debug for Environment {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Environment")
            .field("profile", &self.profile)
            .field("variables", &self.variables)
            .field("replay", &self.replay)
            .finish_non_exhaustive()
    }
}

impl Environment {
    /// An environment that says nothing, with a clock that stands still.
    ///
    /// ```
    /// use bugnet::prelude::*;
    /// use bugnet::campaign::Environment;
    ///
    /// let quiet = Environment::none(Seed(7));
    /// let failed = Property::new("small").environment(quiet).check(any::<u8>(), |x| x < 9).unwrap_err();
    /// assert_eq!(failed.seed, Seed(7));
    /// ```
    pub fn none(fresh: Seed) -> Environment {
        Environment {
            profile: Options::default(),
            variables: Options::default(),
            replay: None,
            child: None,
            unattended: false,
            fresh,
            known: KnownUse::On,
            denies_fixed: false,
            enough: Box::new(|_| false),
            clock: Box::new(|| Duration::ZERO),
            problem: None,
            observer: None,
        }
    }

    /// The environment of this process, with the settings of a crate.
    pub(crate) fn real(folder: Option<&Path>) -> Environment {
        let start = Instant::now();
        let fresh = Seed(RandomState::new().hash_one(std::process::id()));
        let mut environment =
            Environment { clock: Box::new(move || start.elapsed()), ..Environment::none(fresh) };
        environment.problem = environment.read(folder).err();
        environment
    }

    fn read(&mut self, folder: Option<&Path>) -> Result<(), String> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        self.unattended = variable("CI").is_some_and(|value| value != "false");
        for key in Options::KEYS {
            let name = format!("BUGNET_{}", key.to_uppercase());
            if let Some(value) = variable(&name) {
                self.variables.set(key, &value).map_err(|error| format!("{name}: {error}"))?;
            }
        }
        self.known = match variable("BUGNET_KNOWN").as_deref() {
            None | Some("on") => KnownUse::On,
            Some("off") => KnownUse::Off,
            Some("only") => KnownUse::Only,
            Some(other) => return Err(format!("BUGNET_KNOWN: `{other}` is none of on, off and only")),
        };
        self.denies_fixed = variable("BUGNET_FIXED").as_deref() == Some("deny");
        self.child = super::serve::asked().map(str::to_string);
        // One that is empty is a mistake of whoever wanted to replay something.
        self.replay = std::env::var("BUGNET_REPLAY").ok().map(|token| named(&token)).transpose()?;
        if let Some(folder) = folder {
            let profile = variable("BUGNET_PROFILE");
            self.profile = Profiles::read(folder)?.choose(profile.as_deref(), self.unattended)?;
        }
        Ok(())
    }
}

/// Reads the case that `BUGNET_REPLAY` names.
fn named(token: &str) -> Result<Tape, String> {
    let problem = match token.parse::<Tape>() {
        Ok(tape) if !tape.values().is_empty() => return Ok(tape),
        Ok(_) => "it has no numbers".to_string(),
        Err(error) => error.to_string(),
    };
    Err(format!(
        "BUGNET_REPLAY: `{token}` does not name a case ({problem}); copy it from a report, or unset the variable"
    ))
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn only_numbers_name_a_case_to_replay() {
        assert_eq!(named("(1(5f))").unwrap().values(), [1, 0x5f]);
        for nonsense in ["", " ", "()", "nonsense", "1)", "(1", "12 34", "-1"] {
            let problem = named(nonsense).unwrap_err();
            let said = format!("BUGNET_REPLAY: `{nonsense}` does not name a case (");
            assert!(problem.starts_with(&said) && problem.contains("copy it from a report"), "{problem}");
        }
    }
}
