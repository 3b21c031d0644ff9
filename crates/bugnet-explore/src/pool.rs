//! The pool: programs that have done something new, for others to begin with.
//!
//! **Invariant:** the pool is bounded, and what is rare and was seldom used is chosen more and stays longer.

use super::coverage::Coverage;
use bugnet::choice::{Source, Tape};

/// Programs that are kept at most; this bounds the memory of a run.
const MOST: usize = 4_096;
/// Kept programs that are compared when one is chosen, drawn at random.
const LOOKED_AT: u64 = 4;
/// Traits that are remembered of each program, at most.
const TRAITS: usize = 8;

/// A program that was kept.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    pub(crate) tape: Tape,
    /// The kind that was at the centre of it.
    pub(crate) centre: Option<usize>,
    /// The traits that were new when it ran.
    pub(super) traits: Vec<u32>,
    /// The number of times it was used since it, or a program that began with it, was kept.
    used: u32,
}

impl Kept {
    pub(crate) fn new(tape: Tape, centre: Option<usize>, mut traits: Vec<u32>) -> Kept {
        // The first are as good as any, and what is kept here is kept thousands of times.
        traits.truncate(TRAITS);
        Kept { tape, centre, traits, used: 0 }
    }

    /// Returns a number that is greater the less it is worth to begin with this program.
    fn staleness(&self, coverage: &Coverage) -> u64 {
        let seen = u64::from(coverage.rarity(&self.traits)) + 8;
        seen * (u64::from(self.used) + 4) * (self.tape.choices.len() as u64 + 64)
    }
}

/// All programs that are kept.
#[derive(Debug, Default)]
pub(crate) struct Pool(Vec<Kept>);

impl Pool {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn get(&self, place: usize) -> &Kept {
        &self.0[place]
    }

    /// Keeps a program, if need be in the place of another one.
    pub(crate) fn keep(&mut self, kept: Kept, coverage: &Coverage, dice: &mut Source) {
        if self.0.len() < MOST {
            self.0.push(kept);
            return;
        }
        let stale = self.drawn(dice).max_by_key(|place| self.0[*place].staleness(coverage));
        if let Some(place) = stale {
            self.0[place] = kept;
        }
    }

    /// Chooses a program to begin with.
    pub(crate) fn choose(&mut self, coverage: &Coverage, dice: &mut Source) -> usize {
        let fresh = self.drawn(dice).min_by_key(|place| self.0[*place].staleness(coverage)).unwrap_or(0);
        self.0[fresh].used = self.0[fresh].used.saturating_add(1);
        fresh
    }

    /// Another program with the same centre, if one is met soon.
    pub(crate) fn akin(&self, place: usize, dice: &mut Source) -> usize {
        let centre = self.0[place].centre;
        let mut others = self.drawn(dice);
        let first = others.next().unwrap_or(place);
        if self.0[first].centre == centre {
            return first;
        }
        others.find(|other| self.0[*other].centre == centre).unwrap_or(first)
    }

    /// Says that beginning with a program has led to another that was kept.
    pub(crate) fn praise(&mut self, place: usize) {
        if let Some(kept) = self.0.get_mut(place) {
            kept.used /= 2;
        }
    }

    fn drawn(&self, dice: &mut Source) -> impl Iterator<Item = usize> + use<> {
        let count = self.0.len() as u64;
        let places: [usize; LOOKED_AT as usize] = std::array::from_fn(|_| dice.random_below(count) as usize);
        places.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::choice::Seed;

    fn kept(centre: usize) -> Kept {
        Kept::new(Tape::default(), Some(centre), Vec::new())
    }

    #[test]
    fn a_full_pool_takes_what_is_new_in_the_place_of_what_is_used_up() {
        let (mut pool, coverage) = (Pool::default(), Coverage::default());
        let mut dice = Source::random(Seed(1), 0);
        (0..MOST).for_each(|_| pool.keep(kept(0), &coverage, &mut dice));
        pool.0.iter_mut().step_by(2).for_each(|kept| kept.used = 1_000);
        (0..500).for_each(|_| pool.keep(kept(1), &coverage, &mut dice));
        assert_eq!(pool.0.len(), MOST);
        let fresh = pool.0.iter().filter(|kept| kept.used == 0 && kept.centre == Some(0)).count();
        let new = pool.0.iter().filter(|kept| kept.centre == Some(1)).count();
        // Once in 16 times all that are looked at are fresh.
        assert!(fresh > MOST / 2 - 100 && new > 400, "{fresh} {new}");
    }

    #[test]
    fn what_was_seldom_used_is_chosen_more() {
        let (mut pool, coverage) = (Pool::default(), Coverage::default());
        let mut dice = Source::random(Seed(1), 0);
        (0..2).for_each(|centre| pool.keep(kept(centre), &coverage, &mut dice));
        pool.0[1].used = 1_000;
        let chosen = (0..500).filter(|_| pool.choose(&coverage, &mut dice) == 0).count();
        assert!(chosen > 400, "{chosen}");
        let last = (0..2_000).map(|_| pool.choose(&coverage, &mut dice)).last();
        assert!(last.is_some());
        assert!(pool.0[0].used.abs_diff(pool.0[1].used) < 100, "{} {}", pool.0[0].used, pool.0[1].used);
        pool.praise(0);
        assert!(pool.0[0].used < pool.0[1].used);
    }
}
