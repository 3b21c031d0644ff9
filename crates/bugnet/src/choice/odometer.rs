//! The odometer: counts through every tape that a generator can ask for, within a depth.
//!
//! The idea of driving a generator by digits that are counted up like an odometer is that of
//! the `exhaustigen` crate; the depth rules are those of Venema's thesis (2012), section 2.4.3.
//!
//! **Invariant:** each combination of digits is offered once per depth, simplest first.

use super::recorder::Origin;
use super::{Kind, Source};

/// The digits of the current case and what the last pass through them met.
#[derive(Debug, Clone, Default)]
pub(crate) struct Odometer {
    digits: Vec<Digit>,
    next: usize,
    /// The depth up to which values are enumerated.
    pub(crate) depth: u32,
    /// The depth that this adds to what was enumerated before.
    pub(crate) step: u32,
    /// True if the current case is deeper than everything enumerated before.
    pub(crate) touched: bool,
    /// True if the current case needs more than the depth, so that a later depth will have it.
    pub(crate) too_deep: bool,
    /// True if the current case is a value that another case makes too.
    pub(crate) repeated: bool,
    /// True if something was sampled, so that the search cannot claim to have seen all inputs.
    pub(crate) sampled: bool,
    /// True if the depth hid anything from any case of this depth.
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

    /// The least depth of a part that makes the case new, given the depth that is left for it.
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

    /// Returns the number of digits that the current case has taken.
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
        self.repeated = false;
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

/// Methods of a source that only exhaustive search uses.
impl Source {
    /// Continues at a certain depth, or beyond all depth.
    #[cold]
    #[inline(never)]
    pub(crate) fn descend_to(&mut self, depth: Option<u32>) {
        if let Origin::Exhaustive(odometer) = &mut self.recorder.origin {
            odometer.too_deep |= depth.is_none();
            odometer.cut |= depth.is_none();
            odometer.touched |= depth.unwrap_or(0) < odometer.step;
        }
        self.depth = depth.unwrap_or(0);
    }

    /// The depth that is left; meaningful in exhaustive search only.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// The least depth of a part, here, that makes the whole deeper than what was enumerated
    /// before.
    pub(crate) fn least_new(&self) -> u64 {
        match &self.recorder.origin {
            Origin::Exhaustive(odometer) => u64::from(odometer.least_new(self.depth)),
            _ => 0,
        }
    }

    /// In exhaustive search, goes on with this depth until the span ends, and takes what there
    /// is within it for the whole.
    #[inline]
    pub(crate) fn bound_depth(&mut self, depth: u32) {
        if !self.fast {
            self.depth = depth;
        }
    }

    /// Forgets what exhaustive search met within a depth of its own: it makes the case neither old nor too deep.
    #[inline]
    pub(crate) fn unbound_depth(&mut self) {
        if self.fast {
            return;
        }
        if let Origin::Exhaustive(odometer) = &mut self.recorder.origin {
            (odometer.touched, odometer.too_deep, odometer.cut) = (true, false, true);
        }
    }

    /// Gives up a case of exhaustive search whose value another case makes too.
    pub(crate) fn repeat(&mut self) -> ! {
        if let Origin::Exhaustive(odometer) = &mut self.recorder.origin {
            odometer.repeated = true;
        }
        self.discard()
    }

    /// Returns true if the depth has hidden something from exhaustive search.
    pub(crate) fn is_cut(&self) -> bool {
        matches!(&self.recorder.origin, Origin::Exhaustive(odometer) if odometer.cut)
    }

    /// Says whether the depth has hidden something from exhaustive search.
    pub(crate) fn set_cut(&mut self, cut: bool) {
        if let Origin::Exhaustive(odometer) = &mut self.recorder.origin {
            odometer.cut = cut;
        }
    }

    /// Announces that the choices that follow stand for samples, as those of a seed do: however
    /// many are tried, they are not all.
    #[cfg_attr(
        not(any(feature = "proptest", feature = "arbitrary")),
        expect(dead_code, reason = "for adapters")
    )]
    pub(crate) fn samples(&mut self) {
        if let Origin::Exhaustive(odometer) = &mut self.recorder.origin {
            odometer.sampled = true;
        }
    }

    pub(crate) fn is_exhaustive(&self) -> bool {
        matches!(self.recorder.origin, Origin::Exhaustive(_))
    }

    /// Makes one choice of an exhaustive search whose digits are places in a list of its own;
    /// `code` turns the digit into the value of the choice.
    pub(crate) fn enumerate(
        &mut self,
        kind: Kind,
        limit: u64,
        highest: u64,
        new: u64,
        code: impl FnOnce(u64) -> u64,
    ) -> u64 {
        let digit = self.recorder.propose(kind, highest, highest, 0).unwrap_or(0);
        if let Origin::Exhaustive(odometer) = &mut self.recorder.origin {
            odometer.cut = true;
            odometer.touched |= odometer.least_new(self.depth) == 0 || digit >= new;
        }
        let value = code(digit);
        self.recorder.write(kind, value, limit);
        value
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
