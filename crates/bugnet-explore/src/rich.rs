//! Rich programs: those that asked stated laws of inputs that no law had seen, for others to go on with.
//!
//! Code that is small is soon reached whole, and then no program does anything new that counters can see. What is new to a
//! law goes on for longer.
//!
//! **Invariant:** they are bounded in number and in length.

use super::vary::calls;
use bugnet::choice::{Source, Tape};

/// The most programs that are remembered.
const MOST: usize = 256;
/// The most calls of one.
const LONGEST: usize = 40;

/// Programs, each with the kind that was at its centre.
#[derive(Debug, Default)]
pub(crate) struct Rich(Vec<(Option<usize>, Tape)>);

impl Rich {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Remembers a program, if need be in the place of any other one.
    pub(crate) fn keep(&mut self, centre: Option<usize>, tape: &Tape, dice: &mut Source) {
        if calls(tape).len() > LONGEST {
            return;
        }
        let kept = (centre, tape.clone());
        match self.0.len() < MOST {
            true => self.0.push(kept),
            false => self.0[dice.random_below(MOST as u64) as usize] = kept,
        }
    }

    /// Chooses a program, if there is any.
    pub(crate) fn choose(&self, dice: &mut Source) -> Option<&(Option<usize>, Tape)> {
        let count = self.0.len() as u64;
        (count > 0).then(|| &self.0[dice.random_below(count) as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::super::vary::tests::program;
    use super::*;
    use bugnet::choice::Seed;

    #[test]
    fn a_program_that_is_too_long_is_not_kept_and_of_many_the_last_are_there() {
        let (mut rich, mut dice) = (Rich::default(), Source::random(Seed(1), 0));
        assert!(rich.choose(&mut dice).is_none());
        rich.keep(None, &program(&vec![(1, &[][..], false); LONGEST + 1]), &mut dice);
        assert!(rich.choose(&mut dice).is_none());
        (0..3 * MOST).for_each(|kind| rich.keep(Some(kind), &program(&[(1, &[], false)]), &mut dice));
        assert_eq!(rich.0.len(), MOST);
        let last = rich.0.iter().filter(|(kind, _)| *kind >= Some(2 * MOST)).count();
        assert!(last > MOST / 2, "{last}");
    }
}
