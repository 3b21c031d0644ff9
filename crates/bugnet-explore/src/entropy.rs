//! Entropy: what code under test gets when it asks the system for random bytes, as every `HashMap` does.
//!
//! **Invariant:** where a run is to be the same every time, the bytes follow from its seed; everywhere else they are
//! the system's.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

static IS_FIXED: AtomicBool = AtomicBool::new(false);
static STATE: AtomicU64 = AtomicU64::new(0);

/// Makes all later bytes follow from a seed.
pub(super) fn fix(seed: u64) {
    STATE.store(seed, Ordering::Relaxed);
    IS_FIXED.store(true, Ordering::Release);
}

/// Fills in bytes, if they are to follow from a seed; otherwise the system is to be asked.
pub fn entropy(bytes: &mut [u8]) -> bool {
    if !IS_FIXED.load(Ordering::Acquire) {
        return false;
    }
    for chunk in bytes.chunks_mut(8) {
        // SplitMix64 (Steele, Lea and Flood 2014, figure 17).
        let state = STATE.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        let mut word = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^= word >> 31;
        chunk.copy_from_slice(&word.to_le_bytes()[..chunk.len()]);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_the_systems_until_they_are_to_follow_from_a_seed() {
        let mut bytes = [0; 20];
        assert!(!entropy(&mut bytes) && bytes == [0; 20]);
        let mut drawn = |seed| {
            fix(seed);
            assert!(entropy(&mut bytes));
            bytes
        };
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
        assert_ne!(drawn(7)[..8], drawn(7)[8..16]);
        IS_FIXED.store(false, Ordering::Release);
    }
}
