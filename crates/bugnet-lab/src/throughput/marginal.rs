//! The cost of one more case: the difference between a long and a short run of the same process.
//!
//! Starting the process, reading the command line and setting up the engine are in both runs and
//! cancel out.

use super::tally::Tally;

/// One run: what it did, and its cost in instructions or nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub tally: Tally,
    pub cost: u64,
}

/// The cost of a case and its size, both on average over the cases that only the long run has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marginal {
    pub cost_per_case: f64,
    pub elements_per_case: f64,
}

impl Marginal {
    /// The two runs must differ in their number of cases.
    pub fn between(short: Run, long: Run) -> Marginal {
        assert!(short.tally.cases < long.tally.cases, "{short:?} is not shorter than {long:?}");
        let cases = (long.tally.cases - short.tally.cases) as f64;
        Marginal {
            // A cost can come out negative: times are noisy, and zero is the honest reading.
            cost_per_case: long.cost.saturating_sub(short.cost) as f64 / cases,
            elements_per_case: long.tally.elements.saturating_sub(short.tally.elements) as f64 / cases,
        }
    }

    pub fn cost_per_element(self) -> f64 {
        self.cost_per_case / self.elements_per_case
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(cases: u64, elements: u64, cost: u64) -> Run {
        Run { tally: Tally { cases, elements }, cost }
    }

    #[test]
    fn what_both_runs_have_cancels_out() {
        let startup = 1_000_000;
        let short = run(100, 5_000, startup + 100 * 700);
        let long = run(2_100, 105_000, startup + 2_100 * 700);
        let marginal = Marginal::between(short, long);
        assert_eq!(marginal, Marginal { cost_per_case: 700.0, elements_per_case: 50.0 });
        assert_eq!(marginal.cost_per_element(), 14.0);
    }

    #[test]
    fn cases_beyond_those_asked_for_count_as_well() {
        let marginal = Marginal::between(run(100, 100, 0), run(4_100, 4_100, 8_000));
        assert_eq!(marginal.cost_per_case, 2.0);
    }

    #[test]
    fn a_long_run_that_took_less_time_costs_nothing() {
        let marginal = Marginal::between(run(100, 100, 9_000), run(200, 200, 8_000));
        assert_eq!(marginal.cost_per_case, 0.0);
    }
}
