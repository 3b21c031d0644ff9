//! The summary of a figure over many seeds: the median, and the quartiles around it.

use std::fmt;

use crate::throughput::table::grouped;

/// The quartiles of some numbers of tests. What was not found counts as more than any number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quartiles {
    pub lower: Option<u64>,
    pub median: Option<u64>,
    pub upper: Option<u64>,
}

impl Quartiles {
    /// The quartiles of at least one outcome.
    pub fn of(outcomes: &[Option<u64>]) -> Quartiles {
        let mut sorted = outcomes.to_vec();
        sorted.sort_by_key(|outcome| outcome.unwrap_or(u64::MAX));
        let at = |quarters: usize| sorted[(sorted.len() - 1) * quarters / 4];
        Quartiles { lower: at(1), median: at(2), upper: at(3) }
    }
}

/// `12 (5 to 31)`.
impl fmt::Display for Quartiles {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |value: Option<u64>| value.map_or("never".to_owned(), grouped);
        write!(out, "{} ({} to {})", shown(self.median), shown(self.lower), shown(self.upper))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_those_of_the_sorted_outcomes() {
        let outcomes = [Some(5), Some(1), Some(4), Some(2), Some(3)];
        assert_eq!(Quartiles::of(&outcomes).to_string(), "3 (2 to 4)");
    }

    #[test]
    fn what_was_not_found_is_more_than_any_number() {
        assert_eq!(Quartiles::of(&[None, Some(7), None]).to_string(), "never (7 to never)");
    }
}
