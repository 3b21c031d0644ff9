//! Coverage: which counters of the code under test a program has moved, and how rare that is.
//!
//! The compiler gives every branch a counter. How often a program has passed there is put in one of eight
//! classes, by powers of two as AFL does, and a counter in a class is a *trait* of the program. A program
//! with a trait that none had before has done something new.
//!
//! **Invariant:** after a look, all counters are zero.

/// Lends the counters of the compiler to a function. Nothing that counts may run meanwhile.
pub type Counters = fn(&mut dyn FnMut(&mut [u64]));

/// How many classes a count can be in.
const CLASSES: usize = 8;
/// So many counters are looked at together, for most are zero.
const BLOCK: usize = 32;

/// The class of a count above zero: one, two, three, up to 7, 15, 31, 127 and more.
fn class(count: u64) -> usize {
    match count {
        0..=3 => count.saturating_sub(1) as usize,
        4..=7 => 3,
        8..=15 => 4,
        16..=31 => 5,
        32..=127 => 6,
        _ => 7,
    }
}

/// How often each trait was seen.
#[derive(Debug, Default)]
pub(crate) struct Coverage {
    /// By counter and class; programs beyond the greatest number are not counted.
    seen: Vec<u16>,
}

/// What a program had that none had before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct News {
    /// Traits that were new.
    pub(crate) traits: Vec<u32>,
    /// How many of them are of counters that had never moved.
    pub(crate) places: u32,
}

impl News {
    pub(crate) fn is_empty(&self) -> bool {
        self.traits.is_empty()
    }
}

impl Coverage {
    /// Looks at what a program has moved, and begins anew.
    pub(crate) fn look(&mut self, counters: Counters) -> News {
        let mut news = News::default();
        counters(&mut |counters| self.read(counters, &mut news));
        news
    }

    /// Whether the counters of all of these traits have moved since the last look.
    pub(crate) fn reaches(traits: &[u32], counters: Counters) -> bool {
        let mut reaches = true;
        counters(&mut |counters| {
            let has_moved = |one: &u32| counters.get(*one as usize / CLASSES).is_some_and(|count| *count > 0);
            reaches = traits.iter().all(has_moved);
        });
        reaches
    }

    /// Forgets what was counted since the last look.
    pub(crate) fn forget(counters: Counters) {
        counters(&mut |counters| counters.fill(0));
    }

    fn read(&mut self, counters: &mut [u64], news: &mut News) {
        self.seen.resize(counters.len() * CLASSES, 0);
        let (blocks, rest) = counters.as_chunks_mut::<BLOCK>();
        let first = blocks.len() * BLOCK;
        for (block, counts) in blocks.iter_mut().enumerate() {
            // Without a branch, so that many are looked at in one step.
            if counts.iter().fold(0, |all, count| all | count) != 0 {
                self.read_block(block * BLOCK, counts, news);
            }
        }
        self.read_block(first, rest, news);
    }

    fn read_block(&mut self, first: usize, counts: &mut [u64], news: &mut News) {
        for (place, count) in counts.iter_mut().enumerate() {
            if *count > 0 {
                self.note(first + place, class(std::mem::take(count)), news);
            }
        }
    }

    fn note(&mut self, counter: usize, class: usize, news: &mut News) {
        let first = counter * CLASSES;
        if self.seen[first + class] == 0 {
            let is_new = self.seen[first..first + CLASSES].iter().all(|seen| *seen == 0);
            news.traits.push((first + class) as u32);
            if is_new {
                // What is of a new place comes first.
                let last = news.traits.len() - 1;
                news.traits.swap(news.places as usize, last);
                news.places += 1;
            }
        }
        self.seen[first + class] = self.seen[first + class].saturating_add(1);
    }

    /// How many programs have had the rarest of some traits.
    pub(crate) fn rarity(&self, traits: &[u32]) -> u16 {
        let seen = |one: &u32| self.seen.get(*one as usize).copied().unwrap_or(0);
        traits.iter().map(seen).min().unwrap_or(u16::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn news(coverage: &mut Coverage, counts: &[u64]) -> News {
        let (mut counters, mut news) = (counts.to_vec(), News::default());
        coverage.read(&mut counters, &mut news);
        assert!(counters.iter().all(|count| *count == 0));
        news
    }

    #[test]
    fn a_program_is_new_that_goes_where_none_was_or_so_often() {
        let mut coverage = Coverage::default();
        let mut counts = vec![0; 40];
        counts[17] = 1;
        assert_eq!(news(&mut coverage, &counts), News { traits: vec![17 * 8], places: 1 });
        assert!(news(&mut coverage, &counts).is_empty());
        counts[17] = 5;
        assert_eq!(news(&mut coverage, &counts), News { traits: vec![17 * 8 + 3], places: 0 });
        counts[17] = 7;
        assert!(news(&mut coverage, &counts).is_empty());
        counts[39] = 1;
        assert_eq!(news(&mut coverage, &counts), News { traits: vec![39 * 8], places: 1 });
    }

    #[test]
    fn what_few_programs_have_is_rare() {
        let mut coverage = Coverage::default();
        (0..5).for_each(|_| drop(news(&mut coverage, &[1, 0])));
        news(&mut coverage, &[1, 1]);
        assert_eq!((coverage.rarity(&[0]), coverage.rarity(&[0, 8])), (6, 1));
        assert_eq!(coverage.rarity(&[]), u16::MAX);
    }

    #[test]
    fn every_count_has_a_class() {
        let classes: Vec<usize> = [1, 2, 3, 4, 8, 16, 32, 128, u64::MAX].map(class).to_vec();
        assert_eq!(classes, [0, 1, 2, 3, 4, 5, 6, 7, 7]);
    }
}
