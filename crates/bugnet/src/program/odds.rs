//! Odds: drawing an operation by weights that stay the same for most of a program.

use crate::choice::Source;
use crate::random::scale;

/// The number of cells; the first bits of a random word name one. With sixteen an operation is found at once or
/// nearly so.
const CELLS: usize = 16;
/// The bits below the first ones.
const REST: u32 = u64::BITS - CELLS.ilog2();

/// The number of operations from which the one in a cell is not looked for one by one.
const MANY: usize = 16 * CELLS;

/// The weights of operations, added up.
#[derive(Debug, Default)]
pub(super) struct Odds {
    total: u64,
    /// The sums of the weights up to each operation.
    sums: Vec<u64>,
    /// For each sixteenth of the total, the operation that it begins in.
    cells: [u32; CELLS],
}

impl Odds {
    /// Becomes the same as others, without the work.
    pub(super) fn copy(&mut self, others: &Odds) {
        self.total = others.total;
        self.sums.clone_from(&others.sums);
        self.cells = others.cells;
    }

    /// Adds the weights up. Where all are zero, the first operation is drawn.
    #[inline(never)]
    pub(super) fn weigh(&mut self, weights: &[u32]) {
        let mut total = 0;
        self.sums.clear();
        for weight in weights {
            total += u64::from(*weight);
            self.sums.push(total);
        }
        self.total = total;
        if total == 0 {
            self.sums.fill(1);
        }
        // A cell begins at its share of the total, rounded down.
        for (cell, first) in self.cells.iter_mut().enumerate() {
            let begin = total * cell as u64 / CELLS as u64;
            *first = self.sums.partition_point(|sum| *sum <= begin) as u32;
        }
    }

    /// An operation by its weight.
    #[inline]
    pub(super) fn draw(&self, source: &mut Source) -> usize {
        let (_, bits) = source.word();
        let number = scale(bits, self.total);
        let mut place = self.cells[(bits >> REST) as usize] as usize;
        if self.sums.len() > MANY {
            return place + self.sums[place..].partition_point(|sum| *sum <= number);
        }
        while self.sums[place] <= number {
            place += 1;
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use crate::random::Seed;

    #[test]
    fn operations_are_drawn_by_their_weights() {
        let mut odds = Odds::default();
        odds.weigh(&[0, 1, 0, 3, 6]);
        let mut source = Source::random(Seed(1), 0);
        let mut drawn = [0u32; 5];
        for _ in 0..10_000 {
            drawn[odds.draw(&mut source)] += 1;
        }
        assert!(drawn[0] == 0 && drawn[2] == 0, "{drawn:?}");
        assert!(drawn[1].abs_diff(1_000) < 120 && drawn[3].abs_diff(3_000) < 190, "{drawn:?}");
    }

    #[test]
    fn cells_change_nothing_about_what_is_drawn() {
        check((vec_of(0..100u32).len(1..30), any::<u64>()), |(weights, seed)| {
            assume!(weights.iter().any(|weight| *weight > 0));
            let mut odds = Odds::default();
            odds.weigh(&weights);
            let (mut source, mut same) = (Source::random(Seed(seed), 0), Source::random(Seed(seed), 0));
            for _ in 0..20 {
                let mut number = same.random_below(weights.iter().map(|weight| u64::from(*weight)).sum());
                let expected = weights.iter().position(|weight| {
                    let rest = number.checked_sub(u64::from(*weight));
                    number = rest.unwrap_or(number);
                    rest.is_none()
                });
                assert_eq!(Some(odds.draw(&mut source)), expected);
            }
        })
        .unwrap();
    }

    #[test]
    fn without_weights_the_first_operation_is_drawn() {
        let mut odds = Odds::default();
        odds.weigh(&[0, 0]);
        assert_eq!(odds.draw(&mut Source::random(Seed(1), 0)), 0);
    }
}
