//! Scores: how worthwhile each operation has been, and what that makes of its weight.
//!
//! Choosing what succeeded least would spend the run on what always fails; choosing at random spends it
//! on what is dear. So what fails, takes long or runs out of memory is called less, and what was seldom
//! called more.
//!
//! **Invariant:** weights change between epochs and not within, so a program can be drawn again from its
//! number and the scores that were written down.

use std::fmt;
use std::str::FromStr;

/// Programs that are drawn with the same weights, at least.
const EPOCH: u64 = 64;

/// The base weight of an operation. Failures and costs lower it; few calls raise it.
const WHOLE: u64 = 1 << 12;

/// The record of one operation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Score {
    /// Calls that returned well.
    pub(crate) ran: u64,
    /// Calls that failed.
    pub(crate) failed: u64,
    /// Calls that took long.
    pub(crate) heavy: u64,
    /// Calls that did not return: they ran out of memory, or the process died in them.
    pub(crate) lost: u64,
    /// Of a stated law the changes that values have been through before it is mostly asked of them.
    pub(crate) least: u64,
    /// Laws in a hundred that saw nothing new after it had changed a value.
    pub(crate) vain: u64,
}

impl Score {
    /// Returns a weight that is up to 25 times as great, the more often laws see something new after the operation.
    pub(crate) fn gainful(&self, weight: u32) -> u32 {
        let new = 100 - self.vain.min(100) as u32;
        if weight == 0 { 0 } else { weight.min(1 << 20).saturating_mul(1 + 24 * new * new / 10_000) }
    }

    fn attempts(&self) -> u64 {
        self.ran + self.failed
    }

    /// Returns the weight, given the mean number of attempts per operation.
    fn weight(&self, mean: u64) -> u32 {
        let calm = WHOLE * (self.attempts() + 8) / (self.attempts() + 8 + 7 * self.failed);
        let cost = 1 + 40 * (self.heavy + 4 * self.lost) / (1 + self.attempts() / 8);
        let seldom = match self.attempts() {
            attempts if attempts * 4 < mean => 4,
            attempts if attempts < mean * 4 => 2,
            _ => 1,
        };
        (calm * seldom / cost).max(1) as u32
    }
}

/// The scores of all operations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Scores(pub(crate) Vec<Score>);

impl Scores {
    pub(crate) fn new(operations: usize) -> Scores {
        Scores(vec![Score::default(); operations])
    }

    /// Returns true if weights are computed anew before a program. A suite with many operations takes longer
    /// to weigh, to write down and to learn about, so its epochs are longer.
    pub(crate) fn begins_epoch(&self, number: u64) -> bool {
        number % EPOCH.max(self.0.len() as u64 / 2).next_power_of_two() == 0
    }

    /// The weights that follow.
    pub(crate) fn weights(&self) -> Vec<u32> {
        let attempts: u64 = self.0.iter().map(Score::attempts).sum();
        let mean = attempts / self.0.len().max(1) as u64;
        self.0.iter().map(|score| score.weight(mean)).collect()
    }
}

impl fmt::Display for Scores {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|score| {
            let Score { ran, failed, heavy, lost, least, vain } = score;
            writeln!(out, "{ran} {failed} {heavy} {lost} {least} {vain}")
        })
    }
}

impl FromStr for Scores {
    type Err = ();

    fn from_str(text: &str) -> Result<Scores, ()> {
        let score = |line: &str| {
            let mut numbers = line.split(' ').map(|number| number.parse().map_err(|_| ()));
            let mut next = || numbers.next().ok_or(())?;
            Ok(Score {
                ran: next()?,
                failed: next()?,
                heavy: next()?,
                lost: next()?,
                least: next()?,
                vain: next()?,
            })
        };
        text.lines().map(score).collect::<Result<_, _>>().map(Scores)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_or_costs_is_called_less_and_what_is_new_more() {
        let well = Score { ran: 1_000, ..Score::default() };
        let failing = Score { failed: 1_000, ..Score::default() };
        let heavy = Score { ran: 1_000, heavy: 500, ..Score::default() };
        let lost = Score { ran: 10, lost: 5, ..Score::default() };
        let weights = Scores(vec![well, failing, heavy, lost, Score::default()]).weights();
        assert!(weights[1] * 4 < weights[0] && weights[2] * 10 < weights[0] && weights[3] < weights[0]);
        assert!(weights[4] > weights[0] && weights.iter().all(|weight| *weight > 0), "{weights:?}");
    }

    #[test]
    fn many_operations_are_weighed_less_often() {
        let epochs = |operations: usize| {
            (0..4_096).filter(|number| Scores::new(operations).begins_epoch(*number)).count()
        };
        assert_eq!([1, 128, 1_500].map(epochs), [64, 64, 4]);
    }

    #[test]
    fn scores_are_read_as_they_were_written() {
        let scores =
            Scores(vec![Score { ran: 1, failed: 2, heavy: 3, lost: 4, least: 5, vain: 6 }, Score::default()]);
        assert_eq!(scores.to_string().parse(), Ok(scores));
        assert_eq!("1 2 x 4 5 6".parse::<Scores>(), Err(()));
    }
}
