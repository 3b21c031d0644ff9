//! Nesting: a fragment that repeats a few times or a hundred thousand times.
//!
//! A recursive function that reads nested input needs as much stack as the input is deep, and many such
//! functions set no limit. This module therefore repeats a bracket, a word or a part of a text, and often the
//! closing part as well. The text is long, but few choices are behind it. The number of repeats is one of
//! them, so that reducing finds the smallest number that fails.

use super::dictionary::{Dictionary, one};
use super::edit::tokens;
use bugnet::choice::{Kind, Source};
use std::cell::Cell;
use std::ops::Range;

/// The most repeats, and the most bytes of what repeats.
const MOST: u64 = 100_000;
const LONGEST: usize = 1 << 18;
/// The most repeats where long values are known to kill.
const CALM: u64 = 32;

/// Opening texts, each with the text that closes it; empty if nothing closes it.
const OPENINGS: [(&str, &str); 18] = [
    ("[", "]"),
    ("(", ")"),
    ("{", "}"),
    ("<a>", "</a>"),
    ("{\"a\":", "}"),
    ("a[", "]"),
    ("a(", ")"),
    ("-", ""),
    ("!", ""),
    ("not ", ""),
    ("- ", ""),
    ("> ", ""),
    ("a.", ""),
    ("a=", ""),
    ("/*", "*/"),
    ("\"", "\""),
    ("*", "*"),
    ("a:\n ", ""),
];

/// The depth of the values to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// For calls that deep values are known to kill.
    Calm,
    /// For calls that merely take a text, and take long for a long one.
    Usual,
    /// For calls that read what is nested.
    Deep,
}

thread_local! {
    static DEPTH: Cell<Depth> = const { Cell::new(Depth::Usual) };
    /// True if this program was given something deep.
    static IS_DEEP: Cell<bool> = const { Cell::new(false) };
}

/// Repeats above which a value may be too deep to be printed: `Debug` of a nested value is recursive as well.
const PRINTED: usize = 256;

/// Forgets what the last program was given.
pub(crate) fn forget() {
    IS_DEEP.set(false);
}

/// Returns true if this program was given a value so deep that only a call of its own should look at it.
pub(crate) fn is_deep() -> bool {
    IS_DEEP.get()
}

/// Says for which calls literals are drawn next.
#[inline]
pub(super) fn for_calls(depth: Depth) {
    DEPTH.set(depth);
}

/// The share of values that repeat, where the others have some share; for most calls it is small, because a
/// long value takes its time.
#[inline]
pub(super) fn share() -> u32 {
    if DEPTH.get() == Depth::Usual { 1 } else { 8 }
}

/// Draws a number of repeats: 2 to 4 is as likely as 16,384 to 32,768.
fn repeats(source: &mut Source) -> usize {
    // A tape cannot exceed the limit of calm operations either.
    let most = if DEPTH.get() == Depth::Calm { CALM } else { MOST };
    let random = |source: &mut Source| {
        let (class, bits) = source.word();
        let power = class % 16;
        let count = (1 << power) + (bits >> (64 - power.max(1)));
        count.min(most)
    };
    let count = source.decide(Kind::Index, most, most, 0, random) as usize;
    if count > PRINTED {
        IS_DEEP.set(true);
    }
    count
}

fn repeated(unit: &str, count: usize) -> String {
    unit.repeat(count.min(LONGEST / unit.len().max(1)))
}

/// A text in which something repeats.
pub(super) fn text(source: &mut Source, dictionary: &Dictionary) -> String {
    let manner = source.index(if dictionary.is_wordless() { 2 } else { 6 });
    let count = repeats(source);
    match manner {
        0 | 1 => {
            let (open, close) = OPENINGS[source.index(OPENINGS.len())];
            if manner == 0 {
                return repeated(open, count);
            }
            let core = ["", "a", "1", "\"\""][source.index(4)];
            [&repeated(open, count), core, &repeated(close, count)].concat()
        }
        2 => repeated(dictionary.word(source), count),
        3 => {
            let text = dictionary.text(source);
            let token = one(&tokens(text), source).cloned().unwrap_or(0..0);
            [&text[..token.start], &repeated(&text[token.clone()], count), &text[token.end..]].concat()
        }
        _ => nested(dictionary.text(source), count, source),
    }
}

/// Returns a text in which a part is nested inside itself `count` times: `{"a": 1}` becomes `{"a": {"a":
/// 1}}`.
fn nested(text: &str, count: usize, source: &mut Source) -> String {
    let tokens = tokens(text);
    let wholes = wholes(text, &tokens);
    let Some(whole) = one(&wholes, source).cloned() else { return String::new() };
    let inner: Vec<Range<usize>> = tokens
        .into_iter()
        .filter(|token| whole.start < token.start && token.end < whole.end)
        .chain(std::iter::once(whole.end..whole.end))
        .collect();
    let core = inner[source.index(inner.len())].clone();
    let (open, close) = (&text[whole.start..core.start], &text[core.end..whole.end]);
    // One in four is left open.
    let close = if source.index(4) == 3 { "" } else { close };
    [&text[..whole.start], &repeated(open, count), &text[core], &repeated(close, count), &text[whole.end..]]
        .concat()
}

/// The parts of a text that may stand inside of themselves: all of it, and what is within brackets or tags,
/// also with the word before.
fn wholes(text: &str, tokens: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut wholes = Vec::from_iter(Some(0..text.len()));
    let mut open: Vec<usize> = Vec::new();
    for (number, token) in tokens.iter().enumerate() {
        match &text[token.clone()] {
            "(" | "[" | "{" => open.push(number),
            ")" | "]" | "}" => {
                let Some(opening) = open.pop() else { continue };
                wholes.push(tokens[opening].start..token.end);
                if let Some(before) = opening.checked_sub(1) {
                    wholes.push(tokens[before].start..token.end);
                }
            }
            "<" => wholes.extend(element(text, token.start)),
            _ => {}
        }
    }
    wholes
}

/// Returns the range from a tag to the end of the tag that closes it.
fn element(text: &str, start: usize) -> Option<Range<usize>> {
    let name: &str = text[start + 1..].split(|letter: char| !letter.is_alphanumeric()).next()?;
    let closing = format!("</{name}>");
    let end = text[start..].find(&closing).filter(|_| !name.is_empty())?;
    Some(start..start + end + closing.len())
}

/// Bytes in which something repeats.
pub(super) fn bytes(source: &mut Source, dictionary: &Dictionary) -> Vec<u8> {
    if source.index(2) == 1 {
        return text(source, dictionary).into_bytes();
    }
    let count = repeats(source);
    // In most binary formats one byte says that a list of one follows, and in some a length comes after it.
    let first = source.index(256) as u8;
    let unit = match source.index(4) {
        0 | 1 => vec![first],
        2 => vec![first, [0, 1, 2, 0x20, 0x7f, 0x80, 0xa0, 0xff][source.index(8)]],
        _ => vec![first, 0, 0, 1],
    };
    unit.repeat(count.min(LONGEST / unit.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::choice::Seed;

    #[test]
    fn a_part_of_a_text_stands_inside_of_itself() {
        let all = |text: &str| -> Vec<String> {
            (0..3_000).map(|case| nested(text, 3, &mut Source::random(Seed(5), case))).collect()
        };
        let has = |text: &str, expected: &str| {
            assert!(all(text).iter().any(|nested| nested == expected), "{expected} of {text}");
        };
        has("{\"a\": 1}", "{\"a\": {\"a\": {\"a\": 1}}}");
        has("{% if a %}b{% endif %}", "{% if a %}{% if a %}{% if a %}b{% endif %}{% endif %}{% endif %}");
        has("{{ a[0] }}", "{{ a[a[a[0]]] }}");
        has("<p><b>x</b></p>", "<p><b><b><b>x</b></b></b></p>");
        has("f(1)", "f(f(f(1)))");
    }

    #[test]
    fn repeats_are_few_and_many_alike_unless_it_is_to_be_calm() {
        let drawn =
            || -> Vec<usize> { (0..1_000).map(|case| repeats(&mut Source::random(Seed(5), case))).collect() };
        forget();
        let numbers = drawn();
        assert!(is_deep());
        let many = numbers.iter().filter(|count| **count >= 4_096).count();
        let few = numbers.iter().filter(|count| **count < 16).count();
        assert!((150..350).contains(&many) && (150..350).contains(&few), "{many} {few}");
        assert!(numbers.iter().all(|count| (1..=MOST as usize).contains(count)));
        for_calls(Depth::Calm);
        forget();
        assert!(drawn().iter().all(|count| *count <= CALM as usize) && !is_deep());
        let mut told = Source::replay("7000".parse().unwrap());
        let count = repeats(&mut told);
        assert!(count <= CALM as usize && told.into_tape().values() == [count as u64]);
    }

    #[test]
    fn what_repeats_is_never_longer_than_allowed() {
        assert_eq!(repeated("ab", usize::MAX).len(), LONGEST);
        assert_eq!(repeated("", 7), "");
    }
}
