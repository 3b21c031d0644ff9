//! Values from the strategies of the `proptest` crate.
//!
//! A case is one seed for proptest's random numbers. It shrinks by proptest's own moves, driven
//! by ours: proptest proposes a simpler value and is told whether that still fails; here each
//! answer is a choice, 0 for "it fails" and 1 for "it does not". A random case answers 1 always,
//! which leaves the value as it was drawn, and lowering choices from the front is what proptest's
//! own runner does. So the search needs no part of that runner, and replay needs only the tape.
//!
//! Feeding choices to proptest as its random bytes would be simpler, but `prop_oneof!` and
//! `prop_flat_map` halve what is left of such bytes at every use, so that lists of them starve.
//!
//! **Invariant:** the tapes of one strategy have one length (but for the simplest value), as
//! otherwise a value that took more moves would not count as simpler.

use super::{Combine, Generator};
use crate::choice::{Kind, Source};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The most answers that a case can hold; after these it shrinks no further.
const MOVES: usize = 512;
/// Answers that the shrinker tries to change at once.
const BLOCK: usize = 32;
/// The most simplifications by proptest on the way to the simplest value.
const SIMPLIFICATIONS: u32 = 10_000;
/// Values that a filter may refuse before the case is discarded.
const REJECTS: u32 = 10_000;
/// New values that `prop_flat_map` draws for a simpler first one.
const REGENERATIONS: u32 = 8;

/// The answer that keeps the value as it is.
const PASSES: u64 = 1;

/// Any strategy of the `proptest` crate as a generator.
///
/// Values have proptest's distribution and shrink by proptest's moves. Exhaustive search cannot
/// look into a strategy: it runs the simplest value and then random ones.
///
/// A kept case names proptest's random seed, so it is of no use after a change of the strategy
/// or of the version of proptest. Where both are possible, prefer a generator of this crate.
///
/// Needs the feature `proptest`.
///
/// ```
/// use bugnet::prelude::*;
///
/// let lists = proptest::collection::vec(100..1000, 0..50);
/// let failed = check(from_strategy(lists), |list: Vec<i32>| list.len() < 3).unwrap_err();
/// assert_eq!(failed.arguments()[0].text, "[100, 100, 100]");
/// ```
pub fn from_strategy<S: Strategy>(strategy: S) -> FromStrategy<S> {
    let config = Config {
        cases: REGENERATIONS,
        max_local_rejects: REJECTS,
        failure_persistence: None,
        ..Config::default()
    };
    FromStrategy { strategy, config }
}

/// Made by [`from_strategy`].
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::generate::FromStrategy;
///
/// let made: FromStrategy<_> = from_strategy(5..9u8);
/// assert_eq!(Source::replay(Tape::default()).draw(made), 5);
/// ```
#[derive(Debug, Clone)]
pub struct FromStrategy<S> {
    strategy: S,
    config: Config,
}

impl<S: Strategy> Combine for FromStrategy<S> {}

impl<S: Strategy> Generator for FromStrategy<S> {
    type Value = S::Value;

    fn generate(&self, source: &mut Source) -> S::Value {
        let node = source.enter("strategy");
        source.samples();
        let seed = draw_seed(source);
        let mut runner = TestRunner::new_with_rng(self.config.clone(), random_numbers(seed));
        let Ok(mut tree) = self.strategy.new_tree(&mut runner) else { source.discard() };
        let value = if source.is_fast() {
            tree.current()
        } else if seed == 0 {
            let _ = (0..SIMPLIFICATIONS).all(|_| tree.simplify());
            tree.current()
        } else {
            moved(source, tree)
        };
        source.leave(node);
        value
    }
}

/// Proptest's random numbers for a seed.
fn random_numbers(seed: u64) -> TestRng {
    let mut bytes = [0; 32];
    for (place, word) in bytes.chunks_mut(8).enumerate() {
        word.copy_from_slice(&scrambled(seed.wrapping_add(place as u64)).to_le_bytes());
    }
    TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)
}

/// Another number, as different as possible (the finalizer of SplitMix64).
fn scrambled(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Draws the seed: zero stands for the simplest value.
fn draw_seed(source: &mut Source) -> u64 {
    if source.is_fast() {
        return sealed(source.word().1);
    }
    if source.is_exhaustive() {
        // One seed for each depth, never the same again: each is a new input.
        let depth = u64::from(source.depth());
        let seed = if depth == 0 { 0 } else { sealed(depth) };
        return source.enumerate(Kind::Index, u64::MAX, 0, 0, |_| seed);
    }
    let seed = source.decide(Kind::Index, u64::MAX, u64::MAX, 0, |source| sealed(source.word().1));
    if seed != 0 && seed != sealed(seed >> 16) {
        source.discard();
    }
    seed
}

/// A seed that carries its own check sum. A lower seed is not a simpler value but another one, so
/// the shrinker must not get anywhere by lowering it.
fn sealed(number: u64) -> u64 {
    (number << 16) | (scrambled(number & (u64::MAX >> 16)) >> 48) | 1
}

/// The value that proptest comes to when it is given the answers of the source.
fn moved<T: ValueTree>(source: &mut Source, mut tree: T) -> T::Value {
    let mut value = tree.current();
    // Exhaustive search shrinks nothing, and each answer would double its cases.
    let mut moving = !source.is_exhaustive() && tree.simplify();
    for _ in 0..MOVES / BLOCK {
        let node = source.enter("answers");
        for _ in 0..BLOCK {
            if !moving {
                // An answer to no question is the same on every tape, so nobody tries to change it.
                source.enumerate(Kind::Index, PASSES, 0, u64::MAX, |_| PASSES);
            } else if source.decide(Kind::Index, PASSES, PASSES, 0, |_| PASSES) == PASSES {
                moving = tree.complicate();
            } else {
                value = tree.current();
                moving = tree.simplify();
            }
        }
        source.leave(node);
    }
    value
}
