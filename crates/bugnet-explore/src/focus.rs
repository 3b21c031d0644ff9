//! Centres: which kind of value a program is about, and which have been worth it lately.

use bugnet::choice::Source;

/// Programs about a kind after which the earlier ones count half, so that the choice follows the present
/// gain.
const MEMORY: u32 = 256;

/// All kinds, with what has to do with each.
#[derive(Debug, Default)]
pub(crate) struct Centres {
    /// The number of operations about each kind.
    about: Vec<usize>,
    /// The number of programs about each kind.
    tried: Vec<u32>,
    /// The number of these programs that did something new.
    gained: Vec<u32>,
}

impl Centres {
    pub(crate) fn new(about: &[Vec<usize>]) -> Centres {
        let none = vec![0; about.len()];
        Centres { about: about.iter().map(Vec::len).collect(), tried: none.clone(), gained: none }
    }

    /// Chooses a kind, if there is one: of two, that with more operations, or that with more to gain.
    pub(crate) fn choose(&self, dice: &mut Source) -> Option<usize> {
        let count = self.about.len() as u64;
        if count == 0 {
            return None;
        }
        let (one, other) = (dice.random_below(count) as usize, dice.random_below(count) as usize);
        let is_better = match dice.one_in_power(1) {
            true => self.about[one] >= self.about[other],
            false => self.gain(one) >= self.gain(other),
        };
        Some(if is_better { one } else { other })
    }

    /// Returns the estimated gain of a program about a kind, in 1,024ths.
    fn gain(&self, kind: usize) -> u64 {
        (u64::from(self.gained[kind]) + 1) * 1_024 / (u64::from(self.tried[kind]) + 2)
    }

    /// Notes a program about a kind, and whether it did something new.
    pub(crate) fn note(&mut self, kind: usize, is_new: bool) {
        let (Some(tried), Some(gained)) = (self.tried.get_mut(kind), self.gained.get_mut(kind)) else {
            return;
        };
        *tried += 1;
        *gained += u32::from(is_new);
        if *tried > MEMORY {
            *tried /= 2;
            *gained /= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::choice::Seed;

    #[test]
    fn a_kind_that_was_worth_it_lately_is_chosen_more() {
        let mut centres = Centres::new(&[vec![0, 1], vec![2, 3]]);
        let mut dice = Source::random(Seed(1), 0);
        let share = |centres: &Centres, dice: &mut Source| {
            (0..1_000).filter(|_| centres.choose(dice) == Some(1)).count()
        };
        (0..500).for_each(|_| centres.note(0, false));
        (0..500).for_each(|_| centres.note(1, true));
        assert!(share(&centres, &mut dice) > 550);
        (0..500).for_each(|_| centres.note(0, true));
        (0..2_000).for_each(|_| centres.note(1, false));
        assert!(share(&centres, &mut dice) < 450);
    }

    #[test]
    fn without_kinds_there_is_no_centre() {
        assert_eq!(Centres::new(&[]).choose(&mut Source::random(Seed(1), 0)), None);
    }
}
