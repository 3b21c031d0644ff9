//! Durations, as people write them: `1h30m`.
//!
//! **Invariant:** a duration is shorter than a day.

use std::fmt;
use std::str::FromStr;

/// A number of minutes, shorter than a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration {
    minutes: u16,
}

/// The error of a text that is no duration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseDurationError;

impl Duration {
    /// Returns a duration of some minutes; `None` for a day and longer.
    pub fn new(minutes: u16) -> Option<Duration> {
        (minutes < 24 * 60).then_some(Duration { minutes })
    }

    /// Returns the number of minutes.
    pub fn minutes(self) -> u16 {
        self.minutes
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hours, minutes) = (self.minutes / 60, self.minutes % 60);
        if hours > 0 {
            write!(f, "{hours}h")?;
        }
        if minutes > 0 {
            write!(f, "{minutes}m")?;
        }
        Ok(())
    }
}

impl FromStr for Duration {
    type Err = ParseDurationError;

    fn from_str(text: &str) -> Result<Duration, ParseDurationError> {
        let number = |digits: &str| digits.parse::<u16>().map_err(|_| ParseDurationError);
        let (hours, rest) = match text.split_once('h') {
            Some((hours, rest)) => (number(hours)?, rest),
            None => (0, text),
        };
        let minutes = match rest.strip_suffix('m') {
            Some(minutes) => number(minutes)?,
            None if rest.is_empty() && !text.is_empty() => 0,
            None => return Err(ParseDurationError),
        };
        let total = hours.checked_mul(60).and_then(|total| total.checked_add(minutes));
        total.and_then(Duration::new).ok_or(ParseDurationError)
    }
}
