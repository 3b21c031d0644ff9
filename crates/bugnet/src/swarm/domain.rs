//! Domains: the values that a configuration leaves in.
//!
//! Where values come from all of their type, two of them are hardly ever equal, and hardly ever are
//! all of them large. A test that draws its values from a few meets the same ones again and again; one
//! whose few are edges of the type has nothing but edges.
//!
//! **Invariant:** a domain is a function of the configuration alone, so all draws of a test agree.

use super::mix;
use crate::random::{Stream, scale};

/// A set of values that has a domain of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Values {
    Integers,
    Floats,
    Characters,
    Lengths,
}

impl Values {
    pub(crate) const ALL: [Values; 4] =
        [Values::Integers, Values::Floats, Values::Characters, Values::Lengths];
}

/// The values that a test draws from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Domain {
    /// All of them.
    Whole,
    /// All but edges of the type.
    Inner,
    /// This many of the simplest values.
    Simple(u64),
    /// This many values of any sort, which the word stands for.
    Few(u64, u64),
    /// This many edges of the type, which the word stands for.
    Edges(u64, u64),
}

/// The next value to draw.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Drawn {
    /// The next value of the random stream.
    Next,
    /// The same, but for edges of the type.
    Inner,
    /// The value of this place in the order of simplicity.
    Place(u64),
    /// The next value of this stream.
    From(Stream),
    /// The edge of the type that these bits stand for.
    Edge(u64),
}

impl Drawn {
    /// Returns the stream of the next value, if there is one.
    pub(crate) fn stream(self) -> Option<Stream> {
        match self {
            Drawn::Next | Drawn::Inner | Drawn::Place(_) => None,
            Drawn::From(stream) => Some(stream),
            Drawn::Edge(bits) => Some(edge(Stream::at(bits))),
        }
    }
}

impl Domain {
    /// The domain that random bits stand for: half of them narrow nothing.
    #[inline]
    pub(super) fn new(values: Values, bits: u64) -> Domain {
        // Two, four, eight or sixteen.
        let count = 2 << (bits & 3);
        match bits >> 61 {
            0 | 1 => Domain::Simple(count),
            // The lengths of a test may well differ, but it is worth it that all are short.
            2 if values != Values::Lengths => Domain::Few(count, bits),
            3 if values != Values::Lengths => Domain::Edges(count, bits),
            _ => Domain::Whole,
        }
    }

    /// Chooses one of the values.
    #[inline(always)]
    pub(crate) fn draw(self, stream: &mut Stream) -> Drawn {
        let mut below = |count: u64| scale(stream.word().1, count);
        match self {
            Domain::Whole => Drawn::Next,
            Domain::Inner => Drawn::Inner,
            Domain::Simple(count) => Drawn::Place(below(count)),
            Domain::Few(count, word) => Drawn::From(Stream::at(mix(word ^ below(count)))),
            Domain::Edges(count, word) => Drawn::Edge(mix(word ^ below(count))),
        }
    }
}

/// Goes on to a word of the first of sixteen classes, in which all generators have what their type
/// is known to stumble on.
fn edge(mut stream: Stream) -> Stream {
    loop {
        let mut next = stream;
        if next.word().0 % 16 == 0 {
            return stream;
        }
        stream = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Source;
    use crate::random::Seed;
    use crate::swarm::Configuration;
    use std::collections::BTreeSet;

    /// The values that one configuration draws.
    fn drawn<T: crate::generate::Generate + Ord>(configuration: Configuration) -> BTreeSet<T> {
        let mut source = Source::swarming(Seed(1), 0, configuration);
        (0..400).map(|_| source.any()).collect()
    }

    #[test]
    fn everything_can_be_drawn_where_nothing_is_left_out() {
        assert!(Values::ALL.iter().all(|values| Configuration::ALL.domain(*values) == Domain::Whole));
        assert!(drawn::<i64>(Configuration::ALL).len() > 100);
    }

    #[test]
    fn half_of_the_configurations_narrow_and_each_narrow_domain_is_as_small_as_it_says() {
        let mut counts = [0u32; 4];
        for word in 1..=400 {
            let configuration = Configuration::uniform(word);
            let (place, most) = match configuration.domain(Values::Integers) {
                Domain::Whole | Domain::Inner => (0, u64::MAX),
                Domain::Simple(count) => (1, count),
                Domain::Few(count, _) => (2, count),
                Domain::Edges(count, _) => (3, count),
            };
            counts[place] += 1;
            let values = drawn::<i64>(configuration);
            assert!(values.len() as u64 <= most, "{most}: {values:?}");
            if place == 1 {
                let furthest = values.iter().map(|value| value.unsigned_abs()).max();
                assert!(furthest <= Some(most / 2), "{values:?}");
            }
        }
        assert!(counts[0].abs_diff(200) < 40 && counts[1].abs_diff(100) < 35, "{counts:?}");
        assert!(counts[2].abs_diff(50) < 28 && counts[3].abs_diff(50) < 28, "{counts:?}");
    }

    #[test]
    fn edges_are_what_a_type_ends_at() {
        let edges = |word: &u64| {
            let configuration = Configuration::uniform(*word);
            matches!(configuration.domain(Values::Integers), Domain::Edges(16, _))
        };
        let word = (1..).find(edges).unwrap();
        let mut source = Source::swarming(Seed(1), 0, Configuration::uniform(word));
        let values: BTreeSet<u64> = (0..400).map(|_| source.any()).collect();
        let near_power = |value: &u64| {
            let near = |value: u64| (0..=2).any(|off| value.wrapping_sub(off).is_power_of_two());
            *value < 4
                || near(*value)
                || near(value.wrapping_add(1))
                || near(value.wrapping_neg())
                || near(value.wrapping_neg().wrapping_add(1))
                || value.wrapping_add(3) < 3
        };
        assert!(values.len() > 4 && values.iter().all(near_power), "{values:?}");
    }
}
