//! Rates: the share of tests that failed, with the interval that the true rate is in.

use std::fmt;

use bugnet::swarm::statistics::wilson;

use crate::throughput::table::grouped;

/// A number of failing tests among a number of tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rate {
    pub hits: u64,
    pub tests: u64,
}

impl Rate {
    /// Counts a test.
    pub fn count(&mut self, hit: bool) {
        self.hits += u64::from(hit);
        self.tests += 1;
    }

    /// The share of tests that failed.
    pub fn share(self) -> f64 {
        self.hits as f64 / self.tests as f64
    }

    /// The share in percent, with its 95% interval.
    pub fn percent(self) -> String {
        let (low, high) = wilson(self.hits, self.tests);
        format!("{:.2}% ({:.2} to {:.2})", 100.0 * self.share(), 100.0 * low, 100.0 * high)
    }

    /// Returns true if a rate is inside the 95% interval.
    pub fn agrees_with(self, share: f64) -> bool {
        let (low, high) = wilson(self.hits, self.tests);
        (low..=high).contains(&share)
    }
}

/// `1 in 16.1 (16.0 to 16.2)`: the Wilson 95% interval, as numbers of tests.
impl fmt::Display for Rate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = wilson(self.hits, self.tests);
        match self.hits {
            0 => write!(out, "none in {} (1 in {} or fewer)", grouped(self.tests), tests(high)),
            _ => write!(out, "1 in {} ({} to {})", tests(self.share()), tests(high), tests(low)),
        }
    }
}

/// Returns the number of tests for each one that fails.
pub fn tests(share: f64) -> String {
    match 1.0 / share {
        few if few < 1_000.0 => format!("{few:.2}"),
        many => grouped(many.round() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_shown_as_tests_with_its_interval() {
        let rate = Rate { hits: 250_000, tests: 1_000_000 };
        assert_eq!(rate.to_string(), "1 in 4.00 (3.99 to 4.01)");
        assert_eq!(rate.percent(), "25.00% (24.92 to 25.08)");
        assert!(rate.agrees_with(0.25) && !rate.agrees_with(0.26));
    }

    #[test]
    fn a_rate_without_hits_has_an_upper_bound() {
        assert_eq!(Rate { hits: 0, tests: 10 }.to_string(), "none in 10 (1 in 3.60 or fewer)");
    }
}
