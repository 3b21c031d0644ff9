//! Tallies as bytes, so that a store can keep them and add them up.
//!
//! **Invariant:** what is read is what was written, and any other bytes are refused with a sentence. Numbers
//! take as many bytes as they need (seven bits in each), and counts of zero take none.

use super::Tally;
use super::tally::{Counts, Failures, STRATA};

/// The version of the format; a change of the strata is one too.
const VERSION: u64 = 2;

impl Tally {
    /// The tally as bytes.
    ///
    /// ```
    /// use bugnet::swarm::{Scheme, Swarm, Tally};
    ///
    /// let configuration = Swarm::new(Scheme::Uniform, []).configuration(7, 0);
    /// let mut tally = Tally::default();
    /// tally.count(&configuration, [("push", true), ("pop", false)], [], Some("overflow"));
    /// assert_eq!(Tally::from_bytes(&tally.to_bytes()), Ok(tally));
    /// assert!(Tally::from_bytes(b"?").unwrap_err().contains("version"));
    /// ```
    #[inline]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        number(&mut bytes, VERSION);
        number(&mut bytes, self.tests);
        number(&mut bytes, self.failing);
        number(&mut bytes, self.names.len() as u64);
        for name in &self.names {
            text(&mut bytes, name);
        }
        counts(&mut bytes, &self.all);
        counts(&mut bytes, &self.failed);
        number(&mut bytes, self.failures.len() as u64);
        for failures in &self.failures {
            text(&mut bytes, &failures.signature);
            number(&mut bytes, failures.tests);
            counts(&mut bytes, &failures.counts);
        }
        bytes
    }

    /// Reads what [`to_bytes`](Tally::to_bytes) wrote; a sentence says what is wrong with other bytes.
    ///
    /// ```
    /// use bugnet::swarm::Tally;
    ///
    /// let bytes = Tally::default().to_bytes();
    /// assert_eq!(Tally::from_bytes(&bytes), Ok(Tally::default()));
    /// assert!(Tally::from_bytes(&bytes[1..]).is_err());
    /// ```
    #[inline]
    pub fn from_bytes(bytes: &[u8]) -> Result<Tally, String> {
        let mut reader = Reader { bytes };
        match reader.number() {
            Some(VERSION) => {}
            _ => return Err("the tally is of another version of bugnet: begin a new store".to_string()),
        }
        let tally = reader.tally().filter(|_| reader.bytes.is_empty());
        tally.ok_or_else(|| "the tally is damaged: begin a new store".to_string())
    }
}

#[inline]
fn number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[inline]
fn text(bytes: &mut Vec<u8>, text: &str) {
    number(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

/// For each presence the features, and of each the counts that are not zero, with their places.
#[inline]
fn counts(bytes: &mut Vec<u8>, counts: &Counts) {
    for features in &counts.0 {
        number(bytes, features.len() as u64);
        for strata in features {
            let mut present = Vec::new();
            for (place, count) in strata.as_flattened().iter().enumerate() {
                if *count > 0 {
                    present.push((place as u64, *count));
                }
            }
            number(bytes, present.len() as u64);
            for (place, count) in present {
                number(bytes, place);
                number(bytes, count);
            }
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    #[inline]
    fn number(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0u64, 0);
        loop {
            let (byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            let bits = u64::from(byte & 0x7f);
            if shift > 63 || bits << shift >> shift != bits {
                return None;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
            shift += 7;
        }
    }

    #[inline]
    fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        String::from_utf8(text.to_vec()).ok()
    }

    #[inline]
    fn counts(&mut self, names: usize) -> Option<Counts> {
        let mut counts = Counts::default();
        for features in &mut counts.0 {
            let length = usize::try_from(self.number()?).ok().filter(|length| *length <= names)?;
            for _ in 0..length {
                let mut strata = [[0; 2]; STRATA];
                for _ in 0..self.number()? {
                    let place = usize::try_from(self.number()?).ok()?;
                    *strata.as_flattened_mut().get_mut(place)? = self.number()?;
                }
                features.push(strata);
            }
        }
        Some(counts)
    }

    #[inline]
    fn tally(&mut self) -> Option<Tally> {
        let mut tally = Tally::default();
        tally.tests = self.number()?;
        tally.failing = self.number()?;
        for at in 0..self.number()? {
            let name = self.text()?;
            // A name that comes twice would leave counts without one.
            if tally.place_of(&name, at as usize) as u64 != at {
                return None;
            }
        }
        tally.all = self.counts(tally.names.len())?;
        tally.failed = self.counts(tally.names.len())?;
        for _ in 0..self.number()? {
            let signature = self.text()?;
            let is_next = tally.failures.last().is_none_or(|last| last.signature < signature);
            let tests = self.number().filter(|_| is_next)?;
            tally.failures.push(Failures { signature, tests, counts: self.counts(tally.names.len())? });
        }
        Some(tally)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Feature, Scheme, Swarm, mix};
    use super::*;
    use crate::prelude::*;

    fn campaign(cases: std::ops::Range<u64>, signatures: &[String], names: &[String]) -> Tally {
        let swarm = Swarm::new(Scheme::Mix, []);
        let mut tally = Tally::default();
        for case in cases {
            let configuration = swarm.configuration(mix(case + 1), case);
            let on: Vec<(&str, bool)> =
                names.iter().map(|name| (name.as_str(), configuration.is_on(Feature::named(name)))).collect();
            let outcome = signatures.get(mix(case) as usize % 10).map(String::as_str);
            tally.count(&configuration, on.iter().copied(), on.iter().rev().copied(), outcome);
        }
        tally
    }

    #[test]
    fn a_tally_reads_back_as_it_was_written() {
        check((vec_of(any::<String>()), vec_of(any::<String>()), 0..200u64), |(signatures, names, cases)| {
            let tally = campaign(0..cases, &signatures, &distinct(names));
            assert_eq!(Tally::from_bytes(&tally.to_bytes()), Ok(tally));
        })
        .unwrap();
    }

    #[test]
    fn no_bytes_make_it_panic() {
        check((vec_of(any::<u8>()), 0..10_000usize), |(bytes, place)| {
            let _ = Tally::from_bytes(&bytes);
            let names = ["push", "pop"].map(String::from);
            let mut written = campaign(0..50, &["overflow".to_string()], &names).to_bytes();
            let place = place % written.len();
            written[place] ^= bytes.first().copied().unwrap_or(1) | 1;
            let _ = Tally::from_bytes(&written);
            assert!(Tally::from_bytes(&written[..place]).is_err());
        })
        .unwrap();
    }

    #[test]
    fn tallies_of_shards_add_up_to_that_of_the_whole_in_any_order() {
        let names: Vec<String> = ["push", "pop", "clear"].map(String::from).to_vec();
        let signatures = ["overflow".to_string(), "hang".to_string()];
        let whole = campaign(0..600, &signatures, &names);
        let others: Vec<String> = names.iter().rev().cloned().collect();
        for shards in [[0, 1, 2], [2, 0, 1], [2, 1, 0]] {
            let mut sum = Tally::default();
            for shard in shards {
                let names = if shard == 1 { &others } else { &names };
                let part = campaign(shard * 200..(shard + 1) * 200, &signatures, names);
                sum.merge(&Tally::from_bytes(&part.to_bytes()).unwrap());
            }
            assert_eq!(sum.influences(), whole.influences());
            assert_eq!(sum.table(), whole.table());
        }
    }

    fn distinct(mut names: Vec<String>) -> Vec<String> {
        names.sort();
        names.dedup();
        names
    }
}
