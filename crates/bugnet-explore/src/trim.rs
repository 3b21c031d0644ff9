//! Trimming: a program that reaches new code is made shorter before it is kept, as long as it still reaches it.
//!
//! A drawn program has many calls that have nothing to do with the new code, and values that are in the way
//! of going on with the one that matters.
//!
//! **Invariant:** a trim comes to its end, whatever becomes of the programs that it proposes.

use super::pool::Kept;
use super::vary::{calls, without_calls};
use bugnet::choice::Tape;

/// Shorter programs that are tried at most; a program that needs more is kept as it is by then.
const TRIES: usize = 32;

/// A program that is being made shorter.
#[derive(Debug)]
pub(crate) struct Trim {
    kept: Kept,
    /// The number of calls that are left out together.
    count: usize,
    /// The end of the calls that are left out next.
    end: usize,
    tries: usize,
}

impl Trim {
    /// Begins with a program, unless it is short already.
    pub(crate) fn new(kept: Kept) -> Result<Trim, Kept> {
        match calls(&kept.tape).len() {
            0 | 1 => Err(kept),
            length => Ok(Trim { count: length / 2, end: length, tries: 0, kept }),
        }
    }

    /// Returns the traits that a shorter program must still have.
    pub(crate) fn wanted(&self) -> &[u32] {
        &self.kept.traits
    }

    pub(crate) fn centre(&self) -> Option<usize> {
        self.kept.centre
    }

    /// The next shorter program; none if there is no other.
    pub(crate) fn propose(&mut self) -> Option<Tape> {
        if self.end == 0 {
            self.count /= 2;
            self.end = calls(&self.kept.tape).len();
        }
        if self.count == 0 || self.tries == TRIES || self.end < 2 {
            return None;
        }
        self.tries += 1;
        let start = self.end.saturating_sub(self.count);
        let shorter = without_calls(&self.kept.tape, start..self.end);
        self.end = start;
        Some(shorter)
    }

    /// Takes what was proposed, as it was run, for it still reaches what is wanted.
    pub(crate) fn accept(&mut self, tape: Tape) {
        let length = calls(&tape).len();
        // A call that could not be made any more may have been left out too.
        if length > 0 && length < calls(&self.kept.tape).len() {
            self.end = self.end.min(length);
            self.kept.tape = tape;
        }
    }

    /// The program as short as it has become.
    pub(crate) fn into_kept(self) -> Kept {
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vary::tests::{program, read};

    #[test]
    fn only_the_calls_that_matter_are_left() {
        let long: Vec<(u64, &[u64], bool)> = (0..20u64)
            .map(|code| match code {
                13 => (code, &[4u64][..], true),
                _ => (code, &[][..], code % 2 == 0),
            })
            .collect();
        let mut trim = Trim::new(Kept::new(program(&long), None, vec![1])).unwrap();
        let mut tries = 0;
        while let Some(shorter) = trim.propose() {
            tries += 1;
            let calls = read(&shorter);
            let place = calls.iter().position(|(code, _)| *code == 4);
            let reaches = |(code, earlier): &(u64, Vec<u64>)| {
                *code == 13 && place.is_some_and(|place| earlier == &[place as u64])
            };
            if calls.iter().any(reaches) {
                trim.accept(shorter);
            }
        }
        assert_eq!(read(&trim.into_kept().tape), [(4, vec![]), (13, vec![0])]);
        assert!(tries < TRIES, "{tries}");
    }

    #[test]
    fn a_trim_ends_though_nothing_can_be_left_out() {
        let three = program(&[(1, &[], false), (2, &[0], false), (3, &[1], false)]);
        let mut trim = Trim::new(Kept::new(three.clone(), None, vec![])).unwrap();
        assert!(std::iter::from_fn(|| trim.propose()).count() <= TRIES);
        assert_eq!(trim.into_kept().tape, three);
        assert!(Trim::new(Kept::new(program(&[(1, &[], false)]), None, vec![])).is_err());
    }
}
