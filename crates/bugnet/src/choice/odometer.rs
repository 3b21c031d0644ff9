//! The odometer: counts through every tape that a generator can ask for, within a depth.
//!
//! The idea of driving a generator by digits that are counted up like an odometer is that of
//! the `exhaustigen` crate; the depth rules are those of Venema's thesis (2012), section 2.4.3.
//!
//! **Invariant:** each combination of digits is offered once per depth, simplest first.

/// The digits of the current case and what the last pass through them met.
#[derive(Debug, Clone, Default)]
pub(crate) struct Odometer {
    digits: Vec<Digit>,
    next: usize,
    /// The depth up to which values are enumerated.
    pub(crate) depth: u32,
    /// How much deeper that is than what was enumerated before.
    pub(crate) step: u32,
    /// Whether the current case is deeper than what was enumerated before.
    pub(crate) touched: bool,
    /// Whether the current case needs more than the depth, so that a later one will have it.
    pub(crate) too_deep: bool,
    /// Whether something was sampled, so that nothing can be said of all inputs.
    pub(crate) sampled: bool,
    /// Whether the depth hid anything from any case of this depth.
    pub(crate) cut: bool,
}

#[derive(Debug, Clone, Copy)]
struct Digit {
    value: u64,
    highest: u64,
}

impl Odometer {
    /// All tapes up to a depth, given how much deeper that is than what was enumerated before.
    pub(crate) fn new(depth: u32, step: u32) -> Odometer {
        Odometer { depth, step, ..Odometer::default() }
    }

    /// The least depth of a part that makes the case new, where so much depth is left for it.
    pub(crate) fn least_new(&self, left: u32) -> u32 {
        (left + 1).saturating_sub(self.step)
    }

    /// The next digit of the current case, given the highest value it can take.
    pub(crate) fn digit(&mut self, highest: u64) -> u64 {
        if self.next == self.digits.len() {
            self.digits.push(Digit { value: 0, highest });
        }
        let digit = &mut self.digits[self.next];
        // A generator that is not deterministic may offer fewer values than last time.
        digit.highest = highest;
        digit.value = digit.value.min(highest);
        self.next += 1;
        digit.value
    }

    /// How many digits of the current case were taken.
    pub(crate) fn place(&self) -> usize {
        self.next
    }

    /// Offers digits again that were taken.
    pub(crate) fn go_back(&mut self, place: usize) {
        self.next = place;
    }

    /// Moves on to the next case; `false` when all have been offered.
    ///
    /// Digits that the last case did not ask for are dropped, so a case that was given up early
    /// takes with it every other case with the same beginning.
    pub(crate) fn advance(&mut self) -> bool {
        self.digits.truncate(self.next);
        self.next = 0;
        self.touched = false;
        self.too_deep = false;
        while let Some(digit) = self.digits.last_mut() {
            if digit.value < digit.highest {
                digit.value += 1;
                return true;
            }
            self.digits.pop();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_comes_once_and_smallest_first() {
        let mut odometer = Odometer::new(1, 1);
        let mut seen = Vec::new();
        loop {
            let first = odometer.digit(1);
            let second = if first == 1 { odometer.digit(2) } else { 0 };
            seen.push((first, second));
            if !odometer.advance() {
                break;
            }
        }
        assert_eq!(seen, [(0, 0), (1, 0), (1, 1), (1, 2)]);
    }
}
