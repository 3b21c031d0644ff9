//! Texts of a harness: few characters, texts of the dictionary, parts and changes of those, and fragments
//! that repeat.

use super::dictionary::{Dictionary, one};
use super::draw::{Draw, parts};
use super::edit::{edit, number, odd, sign};
use super::{deep_literal, spell_out};
use bugnet::choice::{Kind, Source};
use bugnet::generate::Generate;
use std::cell::Cell;

/// Weights of the ways to draw a text: a few characters, any, a whole text of the dictionary, a part of one,
/// words in a row, a changed text, and two parts together. The weight of repeated texts is added by the
/// caller.
const SHARES: [u32; 7] = [64, 48, 80, 28, 36, 80, 24];
/// The same without a dictionary.
const WORDLESS: [u32; 7] = [120, 120, 0, 0, 60, 0, 0];
/// The same where there are many texts, and each says little: those that have a number.
const PLAIN: [u32; 9] = [0, 0, 0, 0, 0, 0, 0, 0, 1];
/// Of which letters they are, and those of a few characters: such as mean something to programs.
const LETTERS: &[char] =
    &['a', 'b', '0', '1', ' ', '.', '-', ':', '/', 'Z', '"', '(', 'é', '\n', '一', '😀', '\u{301}', '\0'];

thread_local! {
    static IS_PLAIN: Cell<bool> = const { Cell::new(false) };
}

/// Forgets what a program was drawing that was left in the middle of it.
pub(crate) fn forget() {
    IS_PLAIN.set(false);
}

/// Draws something of whose texts each has but a few characters, if it is to be plain.
pub(super) fn plainly<T>(is_plain: bool, draw: impl FnOnce() -> T) -> T {
    let before = IS_PLAIN.replace(is_plain || IS_PLAIN.get());
    let drawn = draw();
    IS_PLAIN.set(before);
    drawn
}

impl Draw for String {
    fn draw(source: &mut Source) -> String {
        spell_out::text(source, |source| text(source, deep_literal::share()))
    }
}

/// A text of no more than a few thousand bytes.
pub(super) fn short(source: &mut Source) -> String {
    text(source, 0)
}

fn text(source: &mut Source, repeating: u32) -> String {
    let dictionary = Dictionary::given();
    let [a, b, c, d, e, f, g] = if dictionary.is_wordless() { WORDLESS } else { SHARES };
    let shares = if IS_PLAIN.get() { PLAIN } else { [a, b, c, d, e, f, g, repeating, 0] };
    match source.weighted_index(&shares) {
        0 => few(source),
        1 => String::generate(source),
        2 => dictionary.text(source).to_string(),
        3 => part(dictionary.text(source), source).to_string(),
        4 => in_a_row(source, dictionary),
        5 => changed(source, dictionary),
        6 => [dictionary.text(source), dictionary.text(source)].map(|text| part(text, source)).concat(),
        7 => deep_literal::text(source, dictionary),
        _ => numbered(source),
    }
}

/// Draws up to three characters by a single choice, so that the tape of many is short.
fn numbered(source: &mut Source) -> String {
    const BASE: u64 = LETTERS.len() as u64;
    // The number of texts of up to one, two and three characters.
    const COUNTS: [u64; 3] = [1 + BASE, 1 + BASE * (1 + BASE), 1 + BASE * (1 + BASE * (1 + BASE))];
    let random = |source: &mut Source| {
        let count = COUNTS[source.random_below(3) as usize];
        source.random_below(count)
    };
    let mut number = source.decide(Kind::Index, COUNTS[2] - 1, COUNTS[2] - 1, 0, random);
    let mut text = String::new();
    while number > 0 {
        text.push(LETTERS[((number - 1) % BASE) as usize]);
        number = (number - 1) / BASE;
    }
    text
}

/// A few characters.
fn few(source: &mut Source) -> String {
    parts(source, |source| source.random_below(6), |source| LETTERS[source.index(LETTERS.len())])
        .into_iter()
        .collect()
}

/// Words of the dictionary, signs and numbers.
fn in_a_row(source: &mut Source, dictionary: &Dictionary) -> String {
    let mut text = String::new();
    let add = |source: &mut Source| match source.weighted_index(&[8, 6, 2, 2, 1]) {
        0 => text.push_str(dictionary.word(source)),
        1 => text.push(sign(source)),
        2 => text.push(' '),
        3 => text.push_str(number(source)),
        _ => text.push_str(odd(source)),
    };
    parts(source, |source| 1 + source.random_below(8), add);
    text
}

/// A text of the dictionary, with one or a few changes.
fn changed(source: &mut Source, dictionary: &Dictionary) -> String {
    let mut text = dictionary.text(source).to_string();
    parts(source, |source| 1 + source.random_below(4), |source| edit(&mut text, source, dictionary));
    text
}

/// A part of a text.
fn part<'a>(text: &'a str, source: &mut Source) -> &'a str {
    let length = text.chars().count();
    let start = source.index(length + 1);
    let count = source.index(length - start + 1);
    let place = |number: usize| text.char_indices().nth(number).map_or(text.len(), |(place, _)| place);
    &text[place(start)..place(start + count)]
}

impl Draw for char {
    fn draw(source: &mut Source) -> char {
        match source.weighted_index(&[6, 2, 1]) {
            0 => char::generate(source),
            1 => one(Dictionary::given().letters, source).copied().unwrap_or('a'),
            _ => sign(source),
        }
    }
}

impl Draw for std::path::PathBuf {
    fn draw(source: &mut Source) -> std::path::PathBuf {
        if source.index(2) == 0 { Generate::generate(source) } else { short(source).into() }
    }
}

impl Draw for std::ffi::OsString {
    fn draw(source: &mut Source) -> std::ffi::OsString {
        short(source).into()
    }
}

impl Draw for std::ffi::CString {
    fn draw(source: &mut Source) -> std::ffi::CString {
        let bytes = super::bytes::short(source).into_iter().filter(|byte| *byte != 0).collect::<Vec<u8>>();
        std::ffi::CString::new(bytes).expect("zeros were taken out")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::choice::Seed;
    use std::collections::BTreeSet;

    #[test]
    fn texts_that_have_a_number_are_all_there_are_of_up_to_three_characters() {
        let text = |number: u64| numbered(&mut Source::replay(format!("{number:x}").parse().unwrap()));
        let all: BTreeSet<String> = (0..6_175).map(text).collect();
        assert_eq!((all.len(), all.iter().map(|text| text.chars().count()).max()), (6_175, Some(3)));
        assert_eq!([0, 1, 2, 19].map(text), ["", "a", "b", "aa"]);
    }

    #[test]
    fn texts_of_long_lists_are_plain_and_take_two_choices() {
        for case in 0..200 {
            let mut source = Source::recording(Seed(5), case);
            let texts = String::draw_list(&mut source);
            if texts.len() >= 6 {
                assert!(texts.iter().all(|text| text.chars().count() <= 3), "{texts:?}");
                assert_eq!(source.into_tape().choices.len(), 1 + 2 * texts.len());
            }
        }
        assert!(!IS_PLAIN.get());
    }
}
