//! Coverage: which counters of the code under test a program has moved, and how rare that is.
//!
//! The compiler gives every branch a counter. How often a program has passed there is put in one of eight
//! classes, by powers of two as AFL does, and a counter in a class is a *trait* of the program. A program
//! with a trait that none had before has done something new.
//!
//! **Invariant:** after a look, all counters are zero.

/// Lends the counters of the compiler to a function. Nothing that counts may run meanwhile.
pub type Counters = fn(&mut dyn FnMut(&mut [u64]));

/// The number of classes of a count: 1, 2, 3 and then ranges, so that a loop that runs more often is
/// something new.
const CLASSES: usize = 8;
/// Counters that are compared with zero together; most are zero, so most blocks are skipped whole.
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

/// The counters of the code under test, without those that others move too.
///
/// The allocator of a harness is compiled with counters, and the thread that watches allocates whenever it has
/// something to tell. Whatever moves when anything is allocated says nothing about a program.
#[derive(Debug)]
pub(crate) struct Counted {
    lend: Counters,
    /// The places of the others, in order. They may move at any moment, also while the counters are read.
    noise: Vec<usize>,
}

impl Counted {
    /// Finds out which counters are the allocator's, before any program is run.
    pub(crate) fn new(lend: Counters) -> Counted {
        let mut noise = Vec::new();
        lend(&mut |counters| {
            noise.reserve(counters.len());
            counters.fill(0);
        });
        let (small, zeroed) = (vec![1u8; 8], vec![0u8; 64]);
        let mut grown = std::hint::black_box(small);
        grown.reserve(4_096);
        drop(std::hint::black_box((grown, zeroed)));
        lend(&mut |counters| {
            let moved = counters.iter().enumerate().filter(|(_, count)| **count > 0);
            noise.extend(moved.map(|(place, _)| place));
            counters.fill(0);
        });
        noise.shrink_to_fit();
        Counted { lend, noise }
    }

    /// Returns true if the counters of all these traits have moved since the last look.
    pub(crate) fn reach(&self, traits: &[u32]) -> bool {
        let mut reach = true;
        (self.lend)(&mut |counters| {
            let has_moved = |one: &u32| counters.get(*one as usize / CLASSES).is_some_and(|count| *count > 0);
            reach = traits.iter().all(has_moved);
        });
        reach
    }

    /// Returns the sum of all counters since the last look, without the noisy ones.
    pub(crate) fn moved(&self) -> u64 {
        let sum = |counters: &[u64]| counters.iter().fold(0, |sum, count| u64::wrapping_add(sum, *count));
        let mut moved = 0;
        (self.lend)(&mut |counters| {
            let mut first = 0;
            for place in &self.noise {
                moved = u64::wrapping_add(moved, sum(&counters[first..*place]));
                first = place + 1;
            }
            moved = moved.wrapping_add(sum(&counters[first..]));
        });
        moved
    }

    /// Forgets what was counted since the last look.
    pub(crate) fn forget(&self) {
        (self.lend)(&mut |counters| counters.fill(0));
    }
}

/// The number of programs that had each trait.
#[derive(Debug, Default)]
pub(crate) struct Coverage {
    /// By counter and class; programs beyond the greatest number are not counted.
    seen: Vec<u16>,
}

/// The traits of a program that no program had before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct News {
    /// Traits that were new.
    pub(crate) traits: Vec<u32>,
    /// The number of these traits whose counters had never moved; they come first.
    pub(crate) places: u32,
    /// The sum of all counters.
    pub(crate) moved: u64,
}

impl News {
    pub(crate) fn is_empty(&self) -> bool {
        self.traits.is_empty()
    }
}

impl Coverage {
    /// Looks at what a program has moved, and begins anew.
    pub(crate) fn look(&mut self, counted: &Counted) -> News {
        let mut news = News::default();
        (counted.lend)(&mut |counters| self.read(counters, &counted.noise, &mut news));
        news
    }

    fn read(&mut self, counters: &mut [u64], noise: &[usize], news: &mut News) {
        self.seen.resize(counters.len() * CLASSES, 0);
        let first = counters.len() - counters.len() % BLOCK;
        let mut blocks = counters.chunks_exact_mut(BLOCK);
        for (block, counts) in blocks.by_ref().enumerate() {
            // Without a branch, so that many are looked at in one step.
            if counts.iter().fold(0, |all, count| all | count) != 0 {
                self.read_block(block * BLOCK, counts, noise, news);
            }
        }
        self.read_block(first, blocks.into_remainder(), noise, news);
    }

    fn read_block(&mut self, first: usize, counts: &mut [u64], noise: &[usize], news: &mut News) {
        for (place, count) in counts.iter_mut().enumerate() {
            let (place, count) = (first + place, std::mem::take(count));
            if count > 0 && !noise.contains(&place) {
                news.moved = news.moved.wrapping_add(count);
                self.note(place, class(count), news);
            }
        }
    }

    fn note(&mut self, counter: usize, class: usize, news: &mut News) {
        let first = counter * CLASSES;
        if self.seen[first + class] == 0 {
            let is_new = self.seen[first..first + CLASSES].iter().all(|seen| *seen == 0);
            news.traits.push((first + class) as u32);
            if is_new {
                // Traits of new places come first.
                let last = news.traits.len() - 1;
                news.traits.swap(news.places as usize, last);
                news.places += 1;
            }
        }
        self.seen[first + class] = self.seen[first + class].saturating_add(1);
    }

    /// Returns the number of programs that had the rarest of some traits.
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
        coverage.read(&mut counters, &[], &mut news);
        assert!(counters.iter().all(|count| *count == 0));
        news
    }

    #[test]
    fn a_program_is_new_that_goes_where_none_was_or_so_often() {
        let mut coverage = Coverage::default();
        let mut counts = vec![0; 40];
        counts[17] = 1;
        assert_eq!(news(&mut coverage, &counts), News { traits: vec![17 * 8], places: 1, moved: 1 });
        assert!(news(&mut coverage, &counts).is_empty());
        counts[17] = 5;
        assert_eq!(news(&mut coverage, &counts), News { traits: vec![17 * 8 + 3], places: 0, moved: 5 });
        counts[17] = 7;
        assert!(news(&mut coverage, &counts).is_empty());
        counts[39] = 1;
        assert_eq!(news(&mut coverage, &counts), News { traits: vec![39 * 8], places: 1, moved: 8 });
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
    fn what_moves_whenever_anything_is_allocated_is_left_out() {
        use std::cell::Cell;
        thread_local! {
            static LENT: Cell<u64> = const { Cell::new(0) };
        }
        // As if the allocator had moved the last one since the counters were lent before.
        fn lend(look: &mut dyn FnMut(&mut [u64])) {
            let times = LENT.replace(LENT.get() + 1);
            look(&mut [u64::from(times > 1), 0, times]);
        }
        let counted = Counted::new(lend);
        assert_eq!(counted.noise, [2]);
        let news = Coverage::default().look(&counted);
        assert_eq!(news, News { traits: vec![0], places: 1, moved: 1 });
        assert_eq!((counted.moved(), counted.reach(&[0]), counted.reach(&[8])), (1, true, false));
    }

    #[test]
    fn every_count_has_a_class() {
        let classes: Vec<usize> = [1, 2, 3, 4, 8, 16, 32, 128, u64::MAX].map(class).to_vec();
        assert_eq!(classes, [0, 1, 2, 3, 4, 5, 6, 7, 7]);
    }
}
