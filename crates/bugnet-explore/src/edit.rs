//! Edits: changes of a text that know nothing of its grammar.
//!
//! A parser's faults show in texts that are nearly right: a word twice, a number too large, a bracket too
//! many, a character that nobody types.

use super::dictionary::Dictionary;
use bugnet::choice::Source;
use std::ops::Range;

/// Signs that mean something to most grammars.
const SIGNS: &[u8] = b".,:;-+*/=!|&\"'`()[]{}<>\\%#@$~^?_\n\t\r ";
/// Numbers at the ends of what types can hold.
const NUMBERS: [&str; 18] = [
    "0",
    "1",
    "-0",
    "-1",
    "00000000000000000000001",
    "255",
    "256",
    "65535",
    "65536",
    "2147483648",
    "-2147483649",
    "4294967296",
    "9223372036854775808",
    "-9223372036854775809",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "1e400",
    "1e-400",
];
/// Texts that parsers stumble on: white space, marks, letters that change their length with their case,
/// escapes of characters that do not exist, and beginnings without an end.
const ODD: [&str; 30] = [
    "\r",
    "\t",
    "\0",
    "\r\n",
    "\\",
    "\\q",
    "\\x",
    "\\xff",
    "\\u",
    "\\ud800",
    "\\u{d800}",
    "\\u{110000}",
    "\\u{}",
    "%",
    "%zz",
    "%ff",
    "&#x110000;",
    "&#0;",
    "/*",
    "//",
    "\u{80}",
    "\u{a0}",
    "\u{301}",
    "\u{feff}",
    "\u{2028}",
    "\u{fffd}",
    "\u{10ffff}",
    "İ",
    "ß",
    "一",
];
/// Pairs of texts that are put around a part.
const PAIRS: [(&str, &str); 8] =
    [("(", ")"), ("[", "]"), ("{", "}"), ("\"", "\""), ("'", "'"), ("<", ">"), ("`", "`"), ("-", "")];

pub(super) fn sign(source: &mut Source) -> char {
    char::from(SIGNS[source.index(SIGNS.len())])
}

pub(super) fn number(source: &mut Source) -> &'static str {
    NUMBERS[source.index(NUMBERS.len())]
}

pub(super) fn odd(source: &mut Source) -> &'static str {
    ODD[source.index(ODD.len())]
}

/// Returns the ranges of the words of a text, and of each sign between them.
pub(super) fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut tokens: Vec<Range<usize>> = Vec::with_capacity(text.len() / 2);
    let mut is_open = false;
    for (place, letter) in text.char_indices() {
        let end = place + letter.len_utf8();
        let is_word = letter.is_alphanumeric() || letter == '_';
        match tokens.last_mut() {
            Some(last) if is_word && is_open => last.end = end,
            _ => tokens.push(place..end),
        }
        is_open = is_word;
    }
    tokens
}

/// Changes a text once.
pub(super) fn edit(text: &mut String, source: &mut Source, dictionary: &Dictionary) {
    let kind = source.index(13);
    let tokens = tokens(text);
    // One token of the text, or its end.
    let number_of = source.index(tokens.len() + 1);
    let token = tokens.get(number_of).cloned().unwrap_or(text.len()..text.len());
    match kind {
        0 => text.replace_range(token, ""),
        1 => text.truncate(token.start),
        2 => {
            let copy = text[token.clone()].to_string();
            text.insert_str(token.end, &copy);
        }
        3 => text.insert(token.start, sign(source)),
        4 => text.replace_range(token, &sign(source).to_string()),
        5 => text.replace_range(token, dictionary.word(source)),
        6 => text.insert_str(token.start, dictionary.word(source)),
        7 => text.insert_str(inside(text, &token, source), odd(source)),
        8 => exchange_number(text, &tokens, number_of, source),
        9 => {
            let other = tokens.get(source.index(tokens.len() + 1)).cloned();
            swap(text, token, other.unwrap_or(text.len()..text.len()));
        }
        10 => {
            let word = &text[token.clone()];
            let is_lower = word.chars().any(char::is_lowercase);
            let turned = if is_lower { word.to_uppercase() } else { word.to_lowercase() };
            text.replace_range(token, &turned);
        }
        11 => {
            let (before, after) = PAIRS[source.index(PAIRS.len())];
            text.insert_str(token.end, after);
            text.insert_str(token.start, before);
        }
        _ => text.replace_range(..token.start, ""),
    }
}

/// A place inside a token, or at one of its ends.
fn inside(text: &str, token: &Range<usize>, source: &mut Source) -> usize {
    let mut places: Vec<usize> = text[token.clone()].char_indices().map(|(place, _)| place).collect();
    places.push(token.len());
    token.start + places[source.index(places.len())]
}

/// Puts another number in the place of the next one.
fn exchange_number(text: &mut String, tokens: &[Range<usize>], from: usize, source: &mut Source) {
    let is_number = |token: &&Range<usize>| text.as_bytes()[token.start].is_ascii_digit();
    let (before, after) = tokens.split_at(from.min(tokens.len()));
    let token = after.iter().chain(before).find(is_number).cloned();
    let end = text.len();
    text.replace_range(token.unwrap_or(end..end), number(source));
}

fn swap(text: &mut String, one: Range<usize>, other: Range<usize>) {
    let (first, second) = if one.start <= other.start { (one, other) } else { (other, one) };
    if first != second {
        let (earlier, later) = (text[first.clone()].to_string(), text[second.clone()].to_string());
        text.replace_range(second, &earlier);
        text.replace_range(first, &later);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::choice::Seed;

    #[test]
    fn tokens_are_words_and_single_signs() {
        let text = "a_1 <= é";
        let parts: Vec<&str> = tokens(text).into_iter().map(|token| &text[token]).collect();
        assert_eq!(parts, ["a_1", " ", "<", "=", " ", "é"]);
    }

    #[test]
    fn every_kind_of_edit_leaves_a_text_whatever_it_is_of() {
        for text in ["", "é", "{\"a\": [1, 一]}", "\u{301}\u{301}"] {
            for case in 0..2_000 {
                let mut edited = text.to_string();
                edit(&mut edited, &mut Source::random(Seed(3), case), Dictionary::given());
            }
        }
    }

    #[test]
    fn a_number_becomes_one_that_no_type_holds() {
        let mut text = "a = 17;".to_string();
        let found = (0..2_000).any(|case| {
            text = "a = 17;".to_string();
            edit(&mut text, &mut Source::random(Seed(3), case), Dictionary::given());
            text == "a = 18446744073709551616;"
        });
        assert!(found);
    }

    #[test]
    fn tokens_change_places_in_either_order() {
        for (one, other) in [(0..1, 4..6), (4..6, 0..1)] {
            let mut text = "a + bc".to_string();
            swap(&mut text, one, other);
            assert_eq!(text, "bc + a");
        }
    }
}
