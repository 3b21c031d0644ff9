//! Covering arrays as tables: rows in which each feature is on, off or free.
//!
//! A table grows by one feature at a time (Lei, Kacker, Kuhn, Okun and Lawrence 2007: *IPOG*). Each row
//! gets the state of the new feature that is worth more, where a combination that is still missing is
//! worth half as much with each row that could still have it: these are the expected numbers of
//! combinations if all later rows tossed coins (Bryce and Colbourn 2007: *density*). What is missing then
//! goes into free states of the rows, or into new rows.
//!
//! **Invariant:** for any `ways` features, each way of switching them on and off that the constraints
//! allow is in some row, whatever becomes of its free states; and every row can be completed.

use super::constraint::{Constraints, FREE, OFF, ON};
use super::mix;

/// The most features that can be combined.
pub(super) const MOST_WAYS: usize = 5;
/// The seed of the random order of rows: of the first ten seeds one with the fewest rows for 23
/// features, five at a time (173 to 177).
const SEED: u64 = 2;
/// Rows for which missing combinations are worth more the earlier they come; all later ones are worth the same
/// little.
const WORTH: usize = 32;
/// Stands for a combination that has a free feature in this row.
const NO_PATTERN: u32 = u32::MAX;

/// The states of all features in one row.
pub(super) type Row = Vec<u8>;

/// Rows of `count` features that cover all combinations of `ways` of them.
pub(super) fn array(count: usize, ways: usize, constraints: &Constraints) -> Vec<Row> {
    let ways = ways.min(count);
    if ways == 0 {
        return Vec::new();
    }
    let mut table = Table { constraints, count, rows: Vec::new(), random: SEED };
    table.begin(ways);
    for feature in ways..count {
        table.extend(feature, ways - 1);
    }
    table.rows
}

struct Table<'a> {
    constraints: &'a Constraints,
    count: usize,
    rows: Vec<Row>,
    random: u64,
}

/// The patterns of the first features that rows have, and what each was seen with.
struct Seen {
    /// Rows with the pattern that have not got the new feature yet, by place and pattern.
    left: Vec<u8>,
    /// Bit 0: a row with the pattern has the new feature off; bit 1: on.
    got: Vec<u8>,
}

impl Table<'_> {
    fn random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.random)
    }

    /// All ways to switch the first features on and off.
    fn begin(&mut self, ways: usize) {
        for value in 0..1u32 << ways {
            let mut row = vec![FREE; self.count];
            let mut allowed = true;
            for feature in 0..ways {
                let state = (value >> feature & 1) as u8;
                allowed = allowed && self.constraints.decide(&mut row, feature, state);
            }
            if allowed {
                self.rows.push(row);
            }
        }
    }

    /// Covers the combinations of a feature with `others` of those before it.
    fn extend(&mut self, feature: usize, others: usize) {
        let combinations = binomial(feature, others);
        let patterns = combinations << others;
        let mut seen = Seen { left: vec![0; patterns], got: vec![0; patterns] };
        let mut found = vec![NO_PATTERN; combinations];
        for row in &self.rows {
            patterns_of(row, feature, others, &mut found);
            seen.count(&found);
        }
        for row in self.shuffled() {
            patterns_of(&self.rows[row], feature, others, &mut found);
            let coin = (self.random() & 1) as u8;
            let state = match seen.worth(&found) {
                [off, on] if off > on => OFF,
                [off, on] if off < on => ON,
                _ => coin,
            };
            let states = &mut self.rows[row];
            // Where other states have decided the feature already, it is as they say.
            if !self.constraints.decide(states, feature, state) {
                self.constraints.decide(states, feature, 1 - state);
            }
            let state = self.rows[row][feature];
            seen.note(&found, state);
        }
        self.cover_missing(feature, others, &seen.got);
    }

    /// The numbers of the rows in a random order.
    fn shuffled(&mut self) -> Vec<usize> {
        let mut order: Vec<usize> = Vec::new();
        for row in 0..self.rows.len() {
            let other = (self.random() % (row as u64 + 1)) as usize;
            order.push(row);
            order.swap(row, other);
        }
        order
    }

    /// Puts every combination that no row has into free states of a row, or into a new row.
    fn cover_missing(&mut self, feature: usize, others: usize, got: &[u8]) {
        let mut members = [0; MOST_WAYS];
        for (place, member) in members[..others].iter_mut().enumerate() {
            *member = place;
        }
        members[others] = feature;
        for (place, got) in got.iter().enumerate() {
            let pattern = place & ((1 << others) - 1);
            if place > 0 && pattern == 0 {
                advance(&mut members[..others], feature);
            }
            for state in [OFF, ON] {
                if got >> state & 1 == 0 {
                    self.place(&members[..=others], pattern << 1 | usize::from(state));
                }
            }
        }
    }

    /// Has a row switch the members on that are set in a value, the last one in its lowest bit; nothing if
    /// the constraints do not allow it.
    fn place(&mut self, members: &[usize], value: usize) {
        let decide = |row: &mut Row| {
            for (index, member) in members.iter().enumerate() {
                let state = (value >> (members.len() - 1 - index) & 1) as u8;
                if !self.constraints.decide(row, *member, state) {
                    return false;
                }
            }
            true
        };
        // Of the rows that can have it, the one with the fewest free members loses least.
        let mut best: Option<(usize, usize, Row)> = None;
        for (place, row) in self.rows.iter().enumerate() {
            let (mut free, mut fits) = (0, true);
            for (index, member) in members.iter().enumerate() {
                let state = (value >> (members.len() - 1 - index) & 1) as u8;
                free += usize::from(row[*member] == FREE);
                fits = fits && (row[*member] == FREE || row[*member] == state);
            }
            if fits && best.as_ref().is_none_or(|(least, ..)| free < *least) {
                let mut row = row.clone();
                if decide(&mut row) {
                    best = Some((free, place, row));
                }
            }
        }
        match best {
            Some((_, place, row)) => self.rows[place] = row,
            None => {
                let mut row = vec![FREE; self.count];
                if decide(&mut row) {
                    self.rows.push(row);
                }
            }
        }
    }
}

/// Frees the states that no row needs: each combination that a freed state is part of is in another row.
pub(super) fn loosen(rows: &mut [Row], ways: usize, constraints: &Constraints) {
    let count = rows.first().map_or(0, Vec::len);
    let size = ways.min(count);
    let combinations = binomial(count, size);
    let (mut rows_with, mut found) = (vec![0u16; combinations << size], vec![NO_PATTERN; combinations]);
    for row in rows.iter() {
        patterns_of(row, count, size, &mut found);
        for pattern in &found {
            if *pattern != NO_PATTERN {
                rows_with[*pattern as usize] += 1;
            }
        }
    }
    for row in rows {
        patterns_of(row, count, size, &mut found);
        let mut needed = vec![false; count];
        for_each_combination(count, size, &mut |place, members| {
            if found[place] != NO_PATTERN && rows_with[found[place] as usize] == 1 {
                for member in members {
                    needed[*member] = true;
                }
            }
        });
        for_each_combination(count, size, &mut |place, members| {
            if found[place] != NO_PATTERN && members.iter().any(|member| !needed[*member]) {
                rows_with[found[place] as usize] -= 1;
            }
        });
        let mut loose = vec![FREE; count];
        for feature in 0..count {
            if needed[feature] {
                constraints.decide(&mut loose, feature, row[feature]);
            }
        }
        *row = loose;
    }
}

/// Goes through the combinations of `size` of the numbers below `count`, in the order of their members.
fn for_each_combination(count: usize, size: usize, each: &mut dyn FnMut(usize, &[usize])) {
    let mut members = [0; MOST_WAYS];
    for (place, member) in members[..size].iter_mut().enumerate() {
        *member = place;
    }
    for place in 0..binomial(count, size) {
        each(place, &members[..size]);
        advance(&mut members[..size], count);
    }
}

impl Seen {
    fn count(&mut self, found: &[u32]) {
        // Loops by number over slices: without optimization they take a third of the time.
        let (left, mut place) = (&mut self.left[..], 0);
        while place < found.len() {
            let pattern = found[place];
            if pattern != NO_PATTERN {
                let left = &mut left[pattern as usize];
                *left = left.saturating_add(1);
            }
            place += 1;
        }
    }

    /// Returns the worth of having the new feature off, and on, where a row has these patterns.
    fn worth(&self, found: &[u32]) -> [u64; 2] {
        let (left, got) = (&self.left[..], &self.got[..]);
        let (mut worth, mut place) = ([0; 2], 0);
        while place < found.len() {
            let pattern = found[place] as usize;
            place += 1;
            if pattern == NO_PATTERN as usize || got[pattern] == 3 {
                continue;
            }
            let value = 1u64 << (WORTH - (left[pattern] as usize).min(WORTH));
            if got[pattern] & 1 == 0 {
                worth[0] += value;
            }
            if got[pattern] & 2 == 0 {
                worth[1] += value;
            }
        }
        worth
    }

    /// Notes that a row with these patterns has the new feature in a state.
    fn note(&mut self, found: &[u32], state: u8) {
        let (left, got, bit) = (&mut self.left[..], &mut self.got[..], 1 << state);
        let mut place = 0;
        while place < found.len() {
            let pattern = found[place];
            if pattern != NO_PATTERN {
                left[pattern as usize] = left[pattern as usize].saturating_sub(1);
                got[pattern as usize] |= bit;
            }
            place += 1;
        }
    }
}

/// Finds the pattern that a row has in each combination of `size` of the first `count` features: the
/// number of the combination, then a bit for each member, the first one highest.
fn patterns_of(row: &[u8], count: usize, size: usize, found: &mut [u32]) {
    if size == 0 {
        found[0] = 0;
        return;
    }
    Walk { row, count, size, found, place: 0 }.from(0, size, 0);
}

/// Goes through the combinations of features in the order of their members.
struct Walk<'a> {
    row: &'a [u8],
    count: usize,
    size: usize,
    found: &'a mut [u32],
    place: usize,
}

impl Walk<'_> {
    fn from(&mut self, first: usize, left: usize, pattern: u32) {
        let (row, mut member) = (self.row, first);
        if left > 1 {
            while member + left <= self.count {
                match row[member] {
                    FREE => self.skip(binomial(self.count - member - 1, left - 1)),
                    state => self.from(member + 1, left - 1, pattern << 1 | u32::from(state)),
                }
                member += 1;
            }
            return;
        }
        let (found, mut place) = (&mut self.found[..], self.place);
        while member < self.count {
            let number = (place as u32) << self.size | pattern << 1;
            found[place] = if row[member] == FREE { NO_PATTERN } else { number | u32::from(row[member]) };
            place += 1;
            member += 1;
        }
        self.place = place;
    }

    fn skip(&mut self, combinations: usize) {
        self.found[self.place..self.place + combinations].fill(NO_PATTERN);
        self.place += combinations;
    }
}

/// The next combination of the numbers below `count`; the last one stays.
fn advance(members: &mut [usize], count: usize) {
    let size = members.len();
    for place in (0..size).rev() {
        if members[place] < count - size + place {
            members[place] += 1;
            for next in place + 1..size {
                members[next] = members[next - 1] + 1;
            }
            return;
        }
    }
}

/// Returns the number of combinations of `size` numbers below `count`.
fn binomial(count: usize, size: usize) -> usize {
    let mut result = 1;
    for index in 0..size {
        result = result * (count - index) / (index + 1);
    }
    result
}
