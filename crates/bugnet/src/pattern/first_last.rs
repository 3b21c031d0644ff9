//! FirstAndLast: when calls that are alike were made first and last in a program.
//!
//! What is alike is told by a hash of 64 bits, as it is for literals: no two that differ are taken for
//! the same.

/// When calls that are alike were made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Time {
    pub(super) first: u32,
    pub(super) last: u32,
}

/// Places at first; a power of two, so that a mask finds one.
const PLACES: usize = 2048;
/// No calls. A hash of zero is taken for one.
const FREE: u64 = 0;

/// A table of times, by the hashes of the calls.
#[derive(Debug, Clone)]
pub(super) struct FirstAndLast {
    hashes: Vec<u64>,
    times: Vec<Time>,
    /// The places that are not free.
    used: Vec<u32>,
}

impl Default for FirstAndLast {
    fn default() -> FirstAndLast {
        FirstAndLast {
            hashes: vec![FREE; PLACES],
            times: vec![Time { first: 0, last: 0 }; PLACES],
            used: Vec::new(),
        }
    }
}

impl FirstAndLast {
    pub(super) fn clear(&mut self) {
        for place in &self.used {
            self.hashes[*place as usize] = FREE;
        }
        self.used.clear();
    }

    /// When calls of a hash were made.
    #[inline]
    pub(super) fn get(&self, hash: u64) -> Option<Time> {
        let hash = hash.max(1);
        let place = self.place(hash);
        (self.hashes[place] == hash).then(|| self.times[place])
    }

    /// Takes note of a call, the one of this number.
    #[inline]
    pub(super) fn add(&mut self, hash: u64, number: u32) {
        let hash = hash.max(1);
        let place = self.place(hash);
        if self.hashes[place] == hash {
            self.times[place].last = number;
            return;
        }
        self.hashes[place] = hash;
        self.times[place] = Time { first: number, last: number };
        self.used.push(place as u32);
        if self.used.len() * 2 > self.hashes.len() {
            self.grow();
        }
    }

    /// Returns the place of a hash, or else a free one for it.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        let last = self.hashes.len() - 1;
        let mut place = (hash >> 32) as usize & last;
        while self.hashes[place] != hash && self.hashes[place] != FREE {
            place = (place + 1) & last;
        }
        place
    }

    #[cold]
    fn grow(&mut self) {
        let size = self.hashes.len() * 2;
        let hashes = std::mem::replace(&mut self.hashes, vec![FREE; size]);
        let times = std::mem::replace(&mut self.times, vec![Time { first: 0, last: 0 }; size]);
        for used in std::mem::take(&mut self.used) {
            let place = self.place(hashes[used as usize]);
            (self.hashes[place], self.times[place]) = (hashes[used as usize], times[used as usize]);
            self.used.push(place as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn times_are_those_of_a_map_however_many_there_are() {
        let hashes = vec_of(any::<u16>()).len(0..4_000);
        let checked = Property::new("times").cases(50).check(hashes, |hashes| {
            // All begin at few places, so that they get in each other's way.
            let hashes: Vec<u64> =
                hashes.into_iter().map(|hash| u64::from(hash) << 40 | u64::from(hash)).collect();
            let (mut times, mut map) = (FirstAndLast::default(), BTreeMap::new());
            for (number, hash) in hashes.iter().enumerate() {
                times.add(*hash, number as u32);
                map.entry((*hash).max(1)).or_insert((number as u32, 0)).1 = number as u32;
            }
            for hash in hashes.iter().flat_map(|hash| [*hash, hash + 1]) {
                let time = times.get(hash).map(|time| (time.first, time.last));
                assert_eq!(time, map.get(&hash.max(1)).copied(), "{hash}");
            }
            times.clear();
            assert!(hashes.iter().all(|hash| times.get(*hash).is_none()));
        });
        checked.unwrap();
    }
}
