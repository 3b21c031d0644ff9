//! Schemes: how configurations are drawn.
//!
//! **Invariant:** a scheme reads back as it prints.

use super::{Free, Share, Ways};
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

/// The way in which the configurations of tests are drawn.
///
/// Each is written as on the command line:
///
/// ```
/// use bugnet::swarm::Scheme;
///
/// let texts = ["all", "coin", "coin:0.3", "uniform", "weighted", "set:10", "mix", "complete"];
/// for text in texts.into_iter().chain(["covering:3", "covering:3:on", "covering:3:off", "coin+all"]) {
///     assert_eq!(text.parse::<Scheme>().unwrap().to_string(), text);
/// }
/// assert!("swarm".parse::<Scheme>().unwrap_err().contains("write mix"));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// Every test has all features.
    All,
    /// Per test, a coin is tossed for each feature: what the swarm paper does, with a fair one.
    Coin(Share),
    /// Per test, a share is drawn between none and all, then a coin of that share is tossed for
    /// each feature. Unlike a fair coin it also leaves nearly all in, or nearly nothing, which
    /// matters the more features there are.
    Uniform,
    /// As `Uniform`, and what is left in has exponential weights.
    Weighted,
    /// This many configurations by fair coins, the same in every run, each test taking the next one.
    Set(NonZeroU32),
    /// The rows of a covering array, each test taking the next one, and what becomes
    /// of the features that a row does not need. It is the same in every run, and sees every
    /// combination of that many features; but fresh configurations find bugs sooner.
    Covering(Ways, Free),
    /// All configurations, each test taking the next one: as many as two to the number of features. With
    /// too many features to test every combination, the first ones differ in many features.
    Complete,
    /// Another scheme that has all features now and then, for bugs that need many of them: one test in
    /// ten, or where the scheme takes turns, one more turn.
    WithAll(&'static Scheme),
    /// Per test, one of three: half of the tests have all features, a quarter are `Uniform`, a
    /// quarter are `Weighted`. It is close to the best scheme both for bugs that need features to
    /// be left out and for bugs that need them together; each other scheme is bad at one of these.
    #[default]
    Mix,
}

impl fmt::Display for Scheme {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scheme::All => out.write_str("all"),
            Scheme::Coin(Share::HALF) => out.write_str("coin"),
            Scheme::Coin(share) => write!(out, "coin:{share}"),
            Scheme::Uniform => out.write_str("uniform"),
            Scheme::Weighted => out.write_str("weighted"),
            Scheme::Set(count) => write!(out, "set:{count}"),
            Scheme::Covering(ways, Free::Coin) => write!(out, "covering:{ways}"),
            Scheme::Covering(ways, free) => write!(out, "covering:{ways}:{free}"),
            Scheme::Complete => out.write_str("complete"),
            Scheme::WithAll(scheme) => write!(out, "{scheme}+all"),
            Scheme::Mix => out.write_str("mix"),
        }
    }
}

impl FromStr for Scheme {
    type Err = String;

    fn from_str(text: &str) -> Result<Scheme, String> {
        if let Some(most) = text.strip_suffix("+all") {
            return with_all(most.parse()?);
        }
        let (name, detail) = match text.split_once(':') {
            Some((name, detail)) => (name, Some(detail)),
            None => (text, None),
        };
        match (name, detail) {
            ("all", None) => Ok(Scheme::All),
            ("coin", None) => Ok(Scheme::Coin(Share::HALF)),
            ("coin", Some(share)) => Ok(Scheme::Coin(share.parse()?)),
            ("uniform", None) => Ok(Scheme::Uniform),
            ("weighted", None) => Ok(Scheme::Weighted),
            ("set", count) => count
                .and_then(|count| count.parse().ok())
                .map(Scheme::Set)
                .ok_or_else(|| "a set needs a number of configurations: write set:10".to_string()),
            ("covering", Some(detail)) => match detail.split_once(':') {
                Some((ways, free)) => Ok(Scheme::Covering(ways.parse()?, free.parse()?)),
                None => Ok(Scheme::Covering(detail.parse()?, Free::Coin)),
            },
            ("covering", None) => {
                Err("covering needs to know how many features at a time: write covering:3".to_string())
            }
            ("complete", None) => Ok(Scheme::Complete),
            ("mix", None) => Ok(Scheme::Mix),
            _ => Err(format!(
                "`{text}` is not a swarm scheme: write mix, all, coin, coin:0.3, uniform, weighted, \
                 set:10, covering:3, complete or coin+all"
            )),
        }
    }
}

/// A scheme that also has all features; a user writes few of them, so they are kept for good.
fn with_all(scheme: Scheme) -> Result<Scheme, String> {
    match scheme {
        Scheme::All | Scheme::Mix | Scheme::Complete | Scheme::WithAll(_) => {
            Err(format!("`{scheme}` has all features already: write {scheme}"))
        }
        _ => Ok(Scheme::WithAll(Box::leak(Box::new(scheme)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn an_error_says_what_to_write() {
        let says = |text: &str| text.parse::<Scheme>().unwrap_err();
        assert!(says("set").contains("write set:10"));
        assert!(says("set:0").contains("write set:10"));
        assert!(says("covering").contains("write covering:3"));
        assert!(says("covering:6").contains("write covering:3"));
        assert!(says("covering:5:maybe").contains("write covering:3:on"));
        assert!(says("coin:2").contains("from 0 to 1"));
        assert!(says("mix:2").contains("write mix, all, coin"));
        assert!(says("mix+all").contains("write mix"));
        assert!(says("coin+all+all").contains("write coin+all"));
        assert!(says("").contains("write mix, all, coin"));
    }

    #[test]
    fn a_coin_of_any_share_reads_back_as_it_prints() {
        check((0..=1_000_000u32, any::<bool>()), |(count, all)| {
            let text = format!("coin:{}{}", Share::millionths(count), if all { "+all" } else { "" });
            let scheme: Scheme = text.parse().unwrap();
            assert_eq!(scheme.to_string().parse(), Ok(scheme));
        })
        .unwrap();
    }
}
