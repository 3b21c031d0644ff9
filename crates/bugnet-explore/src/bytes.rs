//! Bytes of a harness: a few of them, texts and bytes of the dictionary as they are and changed, texts in
//! other encodings, and fragments that repeat.

use super::dictionary::{Dictionary, one};
use super::draw::{Draw, length, parts};
use super::{deep_literal, spell_out, text};
use bugnet::choice::Source;
use std::ops::Range;

/// Weights of the ways to draw bytes: a few bytes, any bytes, a text, bytes of the dictionary, changed bytes,
/// and another encoding. The weight of repeated bytes is added by the caller.
const SHARES: [u32; 6] = [80, 32, 60, 24, 60, 20];

/// Bytes, mostly few.
pub(super) fn draw(source: &mut Source) -> Vec<u8> {
    spell_out::bytes(source, |source| bytes(source, deep_literal::share()))
}

/// Draws no more than a few thousand bytes.
pub(super) fn short(source: &mut Source) -> Vec<u8> {
    bytes(source, 0)
}

fn bytes(source: &mut Source, repeating: u32) -> Vec<u8> {
    let dictionary = Dictionary::given();
    let [a, b, c, d, e, f] = SHARES;
    match source.weighted_index(&[a, b, c, d, e, f, repeating]) {
        0 => parts(source, length, u8::draw),
        1 => any(source),
        2 => text::short(source).into_bytes(),
        3 => known(source, dictionary),
        4 => {
            let mut bytes = if source.index(2) == 0 { known(source, dictionary) } else { any(source) };
            parts(source, |source| 1 + source.random_below(4), |source| edit(&mut bytes, source));
            bytes
        }
        5 => encoded(source),
        _ => deep_literal::bytes(source, dictionary),
    }
}

/// Bytes of all values.
fn any(source: &mut Source) -> Vec<u8> {
    let length = |source: &mut Source| {
        let most = [4, 10, 20, 40, 300][source.random_below(5) as usize];
        source.random_below(most)
    };
    parts(source, length, |source| source.index(256) as u8)
}

/// Bytes of the dictionary, or a text of it.
fn known(source: &mut Source, dictionary: &Dictionary) -> Vec<u8> {
    let bytes = one(dictionary.bytes, source).map(|bytes| bytes.to_vec());
    bytes.filter(|_| source.index(2) == 0).unwrap_or_else(|| dictionary.text(source).as_bytes().to_vec())
}

/// A text in another encoding, or bytes that claim to be one.
fn encoded(source: &mut Source) -> Vec<u8> {
    const MARKS: [&[u8]; 5] = [b"", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\xff\xfe\0\0"];
    let mark = source.index(MARKS.len());
    let mut bytes = MARKS[mark].to_vec();
    if source.index(2) == 1 {
        bytes.extend(any(source));
        return bytes;
    }
    let text = text::short(source);
    match mark {
        1 => bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
        2 => bytes.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
        4 => bytes.extend(text.chars().flat_map(|letter| u32::from(letter).to_le_bytes())),
        3 => bytes.extend(text.bytes()),
        // As Latin-1, which is mostly no UTF-8.
        _ => bytes.extend(text.chars().map(|letter| letter as u8)),
    }
    bytes
}

/// Changes bytes once.
fn edit(bytes: &mut Vec<u8>, source: &mut Source) {
    let kind = source.index(8);
    let start = source.index(bytes.len() + 1);
    match kind {
        0 => bytes.truncate(start),
        1 => drop(bytes.drain(span(bytes, start, source))),
        2 => drop(bytes.drain(..start)),
        3 => overwrite(bytes, start, &[source.index(256) as u8]),
        4 => {
            let copy = bytes[span(bytes, start, source)].to_vec();
            bytes.splice(start..start, copy);
        }
        5 => {
            // A lone byte of a longer character, one that begins none, and one that is cut off.
            const WRONG: [&[u8]; 4] = [b"\x80", b"\xff", b"\xe2\x82", b"\xed\xa0\x80"];
            bytes.splice(start..start, WRONG[source.index(WRONG.len())].iter().copied());
        }
        // Lengths and offsets are what readers believe.
        6 => overwrite(bytes, start, &extreme(source)),
        _ => {
            let extreme = extreme(source);
            bytes.splice(start..start, extreme);
        }
    }
}

/// Some bytes from a place on.
fn span(bytes: &[u8], start: usize, source: &mut Source) -> Range<usize> {
    start..start + source.index((bytes.len() - start).min(8) + 1)
}

fn overwrite(bytes: &mut Vec<u8>, start: usize, by: &[u8]) {
    let end = bytes.len().min(start + by.len());
    bytes.splice(start..end, by.iter().copied());
}

/// A number at the end of what a field can hold.
fn extreme(source: &mut Source) -> Vec<u8> {
    const NUMBERS: [u64; 10] = [
        0,
        1,
        0x7f,
        0x80,
        u64::MAX,
        i64::MAX as u64,
        1 << 63,
        0x7fff_7fff_7fff_7fff,
        0x8000_8000_8000_8000,
        0xffff_fffe,
    ];
    let number = NUMBERS[source.index(NUMBERS.len())];
    let width = [1, 2, 4, 8][source.index(4)];
    match source.index(2) {
        0 => number.to_le_bytes()[..width].to_vec(),
        _ => number.to_be_bytes()[8 - width..].to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::choice::Seed;
    use bugnet::choice::Tape;

    fn drawn(most: u64) -> impl Iterator<Item = Vec<u8>> {
        (0..most).map(|case| draw(&mut Source::random(Seed(11), case)))
    }

    #[test]
    fn most_bytes_are_few_and_some_are_many() {
        let lengths = || -> Vec<usize> { drawn(4_000).map(|bytes| bytes.len()).collect() };
        let many = |lengths: &[usize]| lengths.iter().filter(|length| **length > 1_000).count();
        let few = |lengths: &[usize]| lengths.iter().filter(|length| **length < 12).count();
        let usual = lengths();
        assert!(few(&usual) > 2_000 && (1..30).contains(&many(&usual)), "{}", many(&usual));
        deep_literal::for_calls(deep_literal::Depth::Deep);
        let deep = lengths();
        assert!(few(&deep) > 2_000 && (20..200).contains(&many(&deep)), "{}", many(&deep));
    }

    #[test]
    fn marks_of_encodings_and_what_is_no_text_are_among_them() {
        deep_literal::for_calls(deep_literal::Depth::Deep);
        assert!(drawn(4_000).any(|bytes| bytes.len() > 6 && bytes.starts_with(b"\xff\xfe")));
        assert!(drawn(8_000).any(|bytes| bytes.len() > 4_000 && bytes.iter().all(|byte| *byte == bytes[0])));
        let wrong = drawn(4_000).filter(|bytes| std::str::from_utf8(bytes).is_err()).count();
        assert!(wrong > 400, "{wrong} are no text");
    }

    #[test]
    fn what_was_recorded_is_drawn_again() {
        for case in 0..2_000 {
            let mut source = Source::recording(Seed(11), case);
            let bytes = draw(&mut source);
            assert_eq!(draw(&mut Source::replay(source.into_tape())), bytes, "case {case}");
        }
        assert_eq!(draw(&mut Source::replay(Tape::default())), []);
    }
}
