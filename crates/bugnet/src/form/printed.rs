//! Printed values: the text of a value as a tree of brackets, so that two of them can be compared.
//!
//! **Invariant:** what cannot be read is one word.

use std::fmt::Write;

/// A value: the pieces between two commas. A field or an entry of a map, `key: value`, is a group of two.
pub(super) type Item = Vec<Piece>;

/// A piece of a printed value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Word(String),
    /// A text in quotes, character by character as they are written.
    Text(Vec<String>),
    /// Something in brackets.
    Group(char, Vec<Item>, char),
}

/// The place where two printed values differ: the item, reached by pieces and the items in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Site {
    pub(super) at: Vec<(usize, usize)>,
    /// The piece that has more or fewer items, if nothing else differs.
    pub(super) list: Option<usize>,
}

/// The text that is written in the place of an item, or around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mark {
    Instead(String),
    Around,
    /// The place where a list may have other items.
    Gaps(Vec<bool>),
    /// The text in the place of the items of a list.
    Items(String),
}

/// The pieces of a text.
pub(super) fn read(text: &str) -> Item {
    let mut reader = Reader { rest: text, depth: 0 };
    match reader.items(None).filter(|items| items.len() == 1 && reader.rest.is_empty()) {
        Some(mut items) => items.swap_remove(0),
        None => vec![Piece::Word(text.to_string())],
    }
}

/// Deeper values are words.
const DEEPEST: usize = 200;

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl Reader<'_> {
    /// The items up to a closing bracket, or the end.
    fn items(&mut self, end: Option<char>) -> Option<Vec<Item>> {
        self.depth += 1;
        let (mut items, mut key, mut item) = (Vec::new(), None, Item::new());
        loop {
            let Some(first) = self.rest.chars().next() else {
                add_whole(&mut items, &mut key, &mut item);
                return end.is_none().then_some(items);
            };
            match first {
                '(' | '[' | '{' => {
                    let close = match first {
                        '(' => ')',
                        '[' => ']',
                        _ => '}',
                    };
                    self.rest = &self.rest[1..];
                    let inner = (self.depth < DEEPEST).then(|| self.items(Some(close)))??;
                    item.push(Piece::Group(first, inner, close));
                }
                ')' | ']' | '}' => {
                    self.rest = &self.rest[1..];
                    add_whole(&mut items, &mut key, &mut item);
                    self.depth -= 1;
                    return (end == Some(first)).then_some(items);
                }
                ',' => {
                    self.rest = &self.rest[1..];
                    add_whole(&mut items, &mut key, &mut item);
                }
                ':' => {
                    self.rest = &self.rest[1..];
                    key = Some(std::mem::take(&mut item));
                }
                '"' => item.push(Piece::Text(self.text()?)),
                white if white.is_whitespace() => self.rest = self.rest.trim_start(),
                _ => item.push(Piece::Word(self.word())),
            }
        }
    }

    fn word(&mut self) -> String {
        let quoted = self.rest.starts_with('\'');
        let end = match quoted {
            true => quoted_end(self.rest),
            false => word_end(self.rest),
        };
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word.to_string()
    }

    fn text(&mut self) -> Option<Vec<String>> {
        let mut letters = Vec::new();
        let mut rest = &self.rest[1..];
        loop {
            let end = match rest.chars().next()? {
                '"' => {
                    self.rest = &rest[1..];
                    return Some(letters);
                }
                '\\' if rest.starts_with("\\u{") => rest.find('}')? + 1,
                '\\' => 1 + rest[1..].chars().next()?.len_utf8(),
                letter => letter.len_utf8(),
            };
            letters.push(rest[..end].to_string());
            rest = &rest[end..];
        }
    }
}

/// Adds the item that was read up to a comma.
fn add_whole(items: &mut Vec<Item>, key: &mut Option<Item>, item: &mut Item) {
    let item = std::mem::take(item);
    match key.take() {
        Some(key) => items.push(vec![Piece::Group(':', vec![key, item], ' ')]),
        None if item.is_empty() => {}
        None => items.push(item),
    }
}

/// Returns the end of a word: a bracket, a comma, a quote, a space, or a colon that is not one of two.
fn word_end(text: &str) -> Option<usize> {
    let mut rest = text.char_indices().peekable();
    while let Some((place, letter)) = rest.next() {
        if letter == ':' && rest.next_if(|(_, next)| *next == ':').is_some() {
            continue;
        }
        if letter.is_whitespace() || "()[]{},:\"".contains(letter) {
            return Some(place);
        }
    }
    None
}

/// Returns the end of a character in single quotes.
fn quoted_end(text: &str) -> Option<usize> {
    let inner = &text[1..];
    let first = if inner.starts_with('\\') { 2 } else { inner.chars().next()?.len_utf8() };
    Some(1 + first + inner.get(first..)?.find('\'')? + 1)
}

/// Returns the places where two items differ.
pub(super) fn differences(one: &[Piece], two: &[Piece]) -> Vec<Site> {
    let mut sites = Vec::new();
    add_differences(one, two, &mut Vec::new(), &mut sites);
    sites
}

fn add_differences(one: &[Piece], two: &[Piece], at: &mut Vec<(usize, usize)>, sites: &mut Vec<Site>) {
    if one == two {
        return;
    }
    let alike = |place: usize| match (&one[place], &two[place]) {
        (Piece::Group(open, ..), Piece::Group(other, ..)) => open == other,
        (Piece::Text(_), Piece::Text(_)) => true,
        (one, two) => one == two,
    };
    if one.len() != two.len() || !(0..one.len()).all(alike) {
        sites.push(Site { at: at.clone(), list: None });
        return;
    }
    for place in 0..one.len() {
        match (&one[place], &two[place]) {
            (Piece::Group(_, items, _), Piece::Group(_, others, _)) if items.len() == others.len() => {
                for number in 0..items.len() {
                    at.push((place, number));
                    add_differences(&items[number], &others[number], at, sites);
                    at.pop();
                }
            }
            (Piece::Text(letters), Piece::Text(others)) if letters.len() == others.len() => {
                for number in 0..letters.len() {
                    if letters[number] != others[number] {
                        let mut at = at.clone();
                        at.push((place, number));
                        sites.push(Site { at, list: None });
                    }
                }
            }
            (one, two) if one != two => {
                sites.push(Site { at: at.clone(), list: Some(place) });
            }
            _ => {}
        }
    }
}

/// The text at a site, if it is there.
pub(super) fn text_at(item: &[Piece], site: &Site) -> Option<String> {
    let Some(((place, number), rest)) = site.at.split_first() else {
        return Some(written(item, &[], &mut Vec::new()));
    };
    match item.get(*place)? {
        Piece::Group(_, items, _) => {
            text_at(items.get(*number)?, &Site { at: rest.to_vec(), ..site.clone() })
        }
        Piece::Text(letters) => letters.get(*number).cloned(),
        Piece::Word(_) => None,
    }
}

/// The text of an item with marks; an outer mark hides those inside.
pub(super) fn written(item: &[Piece], marks: &[(Site, Mark)], at: &mut Vec<(usize, usize)>) -> String {
    let (mut text, mut is_around) = (String::new(), false);
    for (_, mark) in marks.iter().filter(|(site, _)| site.at == *at) {
        match mark {
            Mark::Instead(instead) => return instead.clone(),
            mark => is_around |= *mark == Mark::Around,
        }
    }
    for (place, piece) in item.iter().enumerate() {
        let mark = marks.iter().find(|(site, _)| site.at == *at && site.list == Some(place));
        add_piece(&mut text, item, place, piece, mark.map(|(_, mark)| mark), marks, at);
    }
    if is_around { format!(".. {text} ..") } else { text }
}

/// Adds a piece, without what a reader of a pattern does not need: boxes and conversions.
fn add_piece(
    text: &mut String,
    item: &[Piece],
    place: usize,
    piece: &Piece,
    mark: Option<&Mark>,
    marks: &[(Site, Mark)],
    at: &mut Vec<(usize, usize)>,
) {
    let gaps = match mark {
        Some(Mark::Gaps(gaps)) => gaps.as_slice(),
        _ => &[],
    };
    let before = place.checked_sub(1).map(|before| &item[before]);
    match piece {
        Piece::Word(word) if is_noise(word) => {}
        Piece::Word(word) => {
            let is_apart = matches!(before, Some(Piece::Word(_)));
            let word = word.trim_start_matches("std::collections::");
            let _ = write!(text, "{}{word}", if is_apart { " " } else { "" });
        }
        Piece::Text(letters) => {
            let mut spread = Vec::new();
            for (number, letter) in letters.iter().enumerate() {
                at.push((place, number));
                let mark = marks.iter().find(|(site, _)| site.at == *at);
                at.pop();
                spread.push(match mark {
                    Some((_, Mark::Instead(instead))) if instead == "_" => "_".to_string(),
                    Some((_, Mark::Instead(instead))) => format!("{{{instead}}}"),
                    _ => letter.clone(),
                });
            }
            let _ = write!(text, "\"{}\"", with_gaps(spread, gaps, "..").concat());
        }
        Piece::Group(open, _, close) if let Some(Mark::Items(items)) = mark => {
            let _ = write!(text, "{open}{items}{close}");
        }
        Piece::Group(open, items, close) => {
            let is_box = matches!(before, Some(Piece::Word(word)) if is_noise(word));
            let mut spread = Vec::new();
            for (number, item) in items.iter().enumerate() {
                at.push((place, number));
                spread.push(written(item, marks, at));
                at.pop();
            }
            let inner = with_gaps(spread, gaps, "..").join(if *open == ':' { ": " } else { ", " });
            let _ = match *open {
                '(' if is_box => write!(text, "{inner}"),
                ':' => write!(text, "{inner}"),
                '{' if text.is_empty() => write!(text, "{{{inner}}}"),
                '{' => write!(text, " {{ {inner} }}"),
                open => write!(text, "{open}{inner}{close}"),
            };
        }
    }
}

fn is_noise(word: &str) -> bool {
    ["Box::new", "std::rc::Rc::new", "std::sync::Arc::new", ".to_string", ".into", "vec!"].contains(&word)
}

fn with_gaps(items: Vec<String>, gaps: &[bool], gap: &str) -> Vec<String> {
    if gaps.len() != items.len() + 1 {
        return items;
    }
    let mut all = Vec::new();
    let mut items = items.into_iter();
    for open in gaps {
        if *open {
            all.push(gap.to_string());
        }
        if let Some(item) = items.next() {
            all.push(item);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        written(&read(text), &[], &mut Vec::new())
    }

    #[test]
    fn a_value_is_written_without_boxes_and_conversions() {
        assert_eq!(
            plain("Exp::Add(Box::new(Exp::Con(-1)), Box::new(Exp::Con(0)))"),
            "Exp::Add(Exp::Con(-1), Exp::Con(0))"
        );
        assert_eq!(plain("(vec![1, 2], \"a\\\"\\u{80}\".to_string())"), "([1, 2], \"a\\\"\\u{80}\")");
        assert_eq!(plain("Point { x: 1, y: Some('\\'') }"), "Point { x: 1, y: Some('\\'') }");
        assert_eq!(plain("{1: \"a\", 2: a::B}"), "{1: \"a\", 2: a::B}");
        assert_eq!(plain("not ) balanced"), "not ) balanced");
    }

    #[test]
    fn the_smallest_values_that_hold_a_difference_are_found() {
        let site = |at: &[(usize, usize)], list| Site { at: at.to_vec(), list };
        let sites = |one: &str, two: &str| differences(&read(one), &read(two));
        assert_eq!(sites("f(1, 2)", "f(1, 3)"), [site(&[(1, 1)], None)]);
        assert_eq!(sites("f(A(1), 2)", "f(B(1), 2)"), [site(&[(1, 0)], None)]);
        assert_eq!(sites("P { x: 1 }", "P { x: 2 }"), [site(&[(1, 0), (0, 1)], None)]);
        assert_eq!(sites("f([1], 2)", "f([1, 2], 2)"), [site(&[(1, 0)], Some(0))]);
        assert_eq!(sites("\"ab\"", "\"ac\""), [site(&[(0, 1)], None)]);
        assert_eq!(sites("(1, 1)", "(2, 2)").len(), 2);
    }
}
