//! Characters, letters first.
//!
//! The order of simplicity is `a` to `z`, digits, space, capitals, the rest of ASCII, then all
//! other characters by code point.
//!
//! **Invariant:** a place in the order and a character are one to one; surrogates have no place.

use super::Generate;
use super::range::Ranged;
use crate::choice::{Kind, Source};
use crate::random::scale;
use crate::swarm::Values;

/// The ASCII characters, simplest first.
const ASCII: [u8; 128] = ascii_order();
/// The place of each ASCII character in [`ASCII`].
const ASCII_PLACE: [u8; 128] = ascii_places();
/// The number of characters there are.
const COUNT: u64 = 0x11_0000 - 0x800;

/// Characters on which text code has been seen to stumble: control characters, letters that
/// change length with their case, combining marks, right-to-left text, joiners, characters next
/// to the surrogates, and the last of each encoded length.
const TROUBLE: [char; 32] = [
    '\0',
    '\n',
    '\r',
    '\t',
    '\u{7f}',
    '"',
    '\\',
    '\'',
    '\u{80}',
    '\u{a0}',
    'ß',
    'é',
    'İ',
    'ı',
    'ſ',
    'ǆ',
    '\u{301}',
    'א',
    '\u{200b}',
    '\u{200d}',
    '\u{202e}',
    '\u{2028}',
    'ﬁ',
    '\u{7ff}',
    '\u{800}',
    '\u{d7ff}',
    '\u{e000}',
    '\u{feff}',
    '\u{fffd}',
    '\u{ffff}',
    '😀',
    '\u{10ffff}',
];

const fn ascii_order() -> [u8; 128] {
    let runs: [(u8, u8); 8] = [
        (b'a', b'z'),
        (b'0', b'9'),
        (b' ', b' '),
        (b'A', b'Z'),
        (b'!', b'/'),
        (b':', b'@'),
        (b'[', b'`'),
        (b'{', b'~'),
    ];
    let mut order = [0; 128];
    let (mut place, mut run) = (0, 0);
    while run < runs.len() {
        let mut byte = runs[run].0;
        while byte <= runs[run].1 {
            order[place] = byte;
            place += 1;
            byte += 1;
        }
        run += 1;
    }
    let mut control = 0;
    while control < 32 {
        order[place] = control;
        place += 1;
        control += 1;
    }
    order[place] = 127;
    order
}

const fn ascii_places() -> [u8; 128] {
    let mut places = [0; 128];
    let mut place = 0;
    while place < 128 {
        places[ASCII[place] as usize] = place as u8;
        place += 1;
    }
    places
}

/// The place of a character in the order of simplicity.
fn code(character: char) -> u64 {
    match character as u64 {
        ascii @ 0..128 => u64::from(ASCII_PLACE[ascii as usize]),
        below @ 128..0xd800 => below,
        above => above - 0x800,
    }
}

/// The place of a character in the order of simplicity, for those who write tapes.
#[doc(hidden)]
pub fn place_of(character: char) -> u64 {
    code(character)
}

/// The character at a place.
fn decode(code: u64) -> char {
    match code {
        0..128 => char::from(ASCII[code as usize]),
        128..0xd800 => char::from_u32(code as u32).expect("below the surrogates"),
        _ => char::from_u32(code as u32 + 0x800).expect("above the surrogates"),
    }
}

/// A random character: mostly printable ASCII.
#[inline]
pub(super) fn random_character(source: &mut Source) -> char {
    let (class, bits) = source.word();
    let class = class % 16;
    if class >= 4 {
        return char::from(b' ' + (scale(bits, 95)) as u8);
    }
    unusual_character(source, class, bits)
}

#[cold]
#[inline(never)]
fn unusual_character(source: &mut Source, class: u64, bits: u64) -> char {
    match class {
        0 => TROUBLE[scale(bits, TROUBLE.len() as u64) as usize],
        1 => char::from(b' ' + scale(source.earlier_word(bits).1, 95) as u8),
        2 => char::from(b'a' + scale(bits, 4) as u8),
        _ => decode(scale(bits, COUNT)),
    }
}

impl Generate for char {
    #[inline]
    fn generate(source: &mut Source) -> char {
        if source.is_fast() { random_character(source) } else { recorded_character(source) }
    }
}

#[cold]
#[inline(never)]
fn recorded_character(source: &mut Source) -> char {
    let (depth, new) = (u64::from(source.depth()), source.least_new());
    let random = |source: &mut Source| {
        source.drawn_place(Values::Characters, COUNT - 1, |source| code(random_character(source)))
    };
    decode(source.decide(Kind::Char, COUNT - 1, depth.min(COUNT - 1), new, random))
}

/// Code points without the gap of the surrogates, so that every number is a character.
fn dense(character: char) -> u32 {
    match character as u32 {
        below @ 0..0xd800 => below,
        above => above - 0x800,
    }
}

fn sparse(dense: u32) -> char {
    char::from_u32(if dense < 0xd800 { dense } else { dense + 0x800 }).expect("not a surrogate")
}

impl Ranged for char {
    const MOST: char = char::MAX;

    fn between(source: &mut Source, low: char, high: char) -> char {
        sparse(u32::between(source, dense(low), dense(high)))
    }

    fn before(self) -> Option<char> {
        dense(self).checked_sub(1).map(sparse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_has_one_place() {
        for place in 0..COUNT {
            assert_eq!(code(decode(place)), place);
        }
    }

    #[test]
    fn letters_are_simpler_than_digits_and_those_than_the_rest() {
        let order: String = (0..40).map(decode).collect();
        assert_eq!(order, "abcdefghijklmnopqrstuvwxyz0123456789 ABC");
    }
}
