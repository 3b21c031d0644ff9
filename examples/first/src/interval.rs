//! Intervals of numbers, such as the lines of a file that changed, and their union.
//!
//! **Invariant:** a number is in the union if and only if it is in one of the intervals.

/// The numbers from `start` to `end`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(bugnet::Generate))]
pub struct Interval {
    pub start: u16,
    pub end: u16,
}

impl Interval {
    /// Whether a number lies in the interval.
    pub fn contains(&self, number: u16) -> bool {
        (self.start..=self.end).contains(&number)
    }
}

/// The same numbers in as few intervals as possible, in order.
pub fn union(mut intervals: Vec<Interval>) -> Vec<Interval> {
    intervals.sort_by_key(|interval| interval.start);
    let mut union: Vec<Interval> = Vec::new();
    for interval in intervals {
        match union.last_mut() {
            Some(last) if interval.start <= last.end.saturating_add(1) => last.end = interval.end,
            _ => union.push(interval),
        }
    }
    union
}

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::prelude::*;

    fn intervals() -> impl Generator<Value = Vec<Interval>> {
        vec_of(from_fn(|source| {
            let start = source.draw(0..=100u16);
            Interval { start, end: source.draw(start..=100) }
        }))
    }

    #[property]
    fn the_union_has_the_same_numbers(
        #[with(intervals())] intervals: Vec<Interval>,
        #[with(0..=100u16)] number: u16,
    ) {
        let before = intervals.iter().any(|interval| interval.contains(number));
        let after = union(intervals).iter().any(|interval| interval.contains(number));
        assert_eq!(after, before);
    }

    #[property]
    fn no_two_intervals_of_a_union_touch(#[with(intervals())] intervals: Vec<Interval>) {
        let union = union(intervals);
        cover!(5, union.len() > 1, "more than one left");
        assert!(union.windows(2).all(|pair| pair[0].end + 1 < pair[1].start));
    }
}
