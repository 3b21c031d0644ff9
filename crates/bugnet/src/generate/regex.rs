//! Texts that match a regular expression.
//!
//! The pattern is read once and becomes a tree of parts; a text is written by walking the tree.
//! The assertions of a pattern about its surroundings (`^`, `$`, `\b`) are noted while the text is
//! written and checked when it is complete.
//!
//! **Invariant:** every text matches the pattern from its first character to its last.

use super::collection::{SEQUENCE, elements};
use super::{Combine, Generator};
use crate::choice::{Kind, Source};
use crate::oracle::usage_error;
use crate::random::scale;
use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};

/// Times that a text which breaks an assertion is written again before the case is discarded.
const TRIES: u32 = 100;
/// Repetitions after which a text takes no more than it must. Stars end by the size budget long before, but bounds
/// such as `(.{0,1000}){0,1000}` multiply.
const LONG: usize = 1 << 16;

/// The characters from simple to strange, as runs: the order of `char`, and no surrogates.
const ORDER: [(char, char); 12] = [
    ('a', 'z'),
    ('0', '9'),
    (' ', ' '),
    ('A', 'Z'),
    ('!', '/'),
    (':', '@'),
    ('[', '`'),
    ('{', '~'),
    ('\0', '\u{1f}'),
    ('\u{7f}', '\u{7f}'),
    ('\u{80}', '\u{d7ff}'),
    ('\u{e000}', '\u{10ffff}'),
];
/// The number of runs of [`ORDER`] that are printable ASCII.
const PRINTABLE: usize = 8;

/// Texts that match a regular expression, in the syntax of the `regex` crate.
///
/// Of alternatives the first as written is the simplest, of characters a letter from `a` to `z`,
/// then a digit. Random characters are mostly printable ASCII where the pattern allows them.
///
/// Anchors and word boundaries hold in every text. A text that breaks one is drawn again, so a
/// boundary that is seldom met is better written out. A pattern that nothing can match, such as
/// `a^`, is refused.
///
/// Needs the feature `regex`.
///
/// ```
/// use bugnet::prelude::*;
///
/// let failed = check(regex("[a-z]+[0-9]{2,}"), |text| text.len() < 5).unwrap_err();
/// assert_eq!(failed.arguments()[0].text.len(), "\"aaa00\"".len());
/// ```
pub fn regex(pattern: &str) -> Regex {
    let hir = match regex_syntax::parse(pattern) {
        Ok(hir) => hir,
        Err(error) => {
            usage_error(format!("this is not a regular expression; correct what is marked:\n{error}"))
        }
    };
    match compile(&hir, Around::default()) {
        Ok(part) => Regex { part },
        Err(reason) => {
            usage_error(format!("no text can be made from the regular expression `{pattern}`: {reason}"))
        }
    }
}

/// Made by [`regex`].
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::generate::Regex;
///
/// let made: Regex = regex("[a-z]{2}[0-9]");
/// assert_eq!(Source::replay(Tape::default()).draw(made), "aa0");
/// ```
#[derive(Debug, Clone)]
pub struct Regex {
    part: Part,
}

impl Combine for Regex {}

impl Generator for Regex {
    type Value = String;

    fn generate(&self, source: &mut Source) -> String {
        // In exhaustive search the next case is another text anyway.
        let tries = if source.is_exhaustive() { 1 } else { TRIES };
        for _ in 0..tries {
            let node = source.enter("regex");
            let mut draft = Draft::default();
            self.part.write(source, &mut draft);
            source.leave(node);
            if draft.keeps_its_promises() {
                return draft.text;
            }
        }
        source.discard()
    }
}

/// A piece of a pattern.
#[derive(Debug, Clone)]
enum Part {
    Text(Box<str>),
    Character(Characters),
    Look(Look),
    Repeat { least: usize, most: Option<usize>, part: Box<Part> },
    All(Vec<Part>),
    OneOf(Vec<Part>),
}

impl Part {
    fn write(&self, source: &mut Source, draft: &mut Draft) {
        match self {
            Part::Text(text) => draft.text.push_str(text),
            Part::Character(characters) => draft.text.push(characters.draw(source)),
            Part::Look(look) => draft.looks.push((draft.text.len(), *look)),
            Part::Repeat { least, most, part } => repeat(source, draft, *least, *most, part),
            Part::All(parts) => parts.iter().for_each(|part| part.write(source, draft)),
            Part::OneOf(parts) => {
                let node = source.enter("alternative");
                let chosen = source.index(parts.len());
                parts[chosen].write(source, draft);
                source.leave(node);
            }
        }
    }
}

fn repeat(source: &mut Source, draft: &mut Draft, least: usize, most: Option<usize>, part: &Part) {
    // Where nothing can be taken out there is no sequence to tell the shrinker of.
    if most == Some(least) {
        return (0..least).for_each(|_| part.write(source, draft));
    }
    let room = LONG.saturating_sub(draft.repetitions);
    let node = source.enter(SEQUENCE);
    let count = source.length(least, most.map(|most| most.min(least.max(room))));
    source.share_size(count);
    draft.repetitions += count;
    elements(source, count, |source| part.write(source, draft));
    source.leave(node);
}

/// A text that is being written.
#[derive(Debug, Default)]
struct Draft {
    text: String,
    repetitions: usize,
    /// The assertions between two characters, each with the byte that it stands before.
    looks: Vec<(usize, Look)>,
}

impl Draft {
    fn keeps_its_promises(&self) -> bool {
        self.looks.iter().all(|(place, look)| {
            let (before, after) = self.text.split_at(*place);
            holds(*look, before.chars().next_back(), after.chars().next())
        })
    }
}

/// Returns true if an assertion holds between two characters; `None` is an end of the text.
fn holds(look: Look, before: Option<char>, after: Option<char>) -> bool {
    let ascii = |side: Option<char>| side.is_some_and(|c| c == '_' || c.is_ascii_alphanumeric());
    let unicode = |side: Option<char>| side.is_some_and(regex_syntax::is_word_character);
    match look {
        Look::Start => before.is_none(),
        Look::End => after.is_none(),
        Look::StartLF => matches!(before, None | Some('\n')),
        Look::EndLF => matches!(after, None | Some('\n')),
        // The two characters of a line break are not torn apart.
        Look::StartCRLF => {
            matches!(before, None | Some('\n')) || (before == Some('\r') && after != Some('\n'))
        }
        Look::EndCRLF => matches!(after, None | Some('\r')) || (after == Some('\n') && before != Some('\r')),
        Look::WordAscii => ascii(before) != ascii(after),
        Look::WordAsciiNegate => ascii(before) == ascii(after),
        Look::WordUnicode => unicode(before) != unicode(after),
        Look::WordUnicodeNegate => unicode(before) == unicode(after),
        Look::WordStartAscii => !ascii(before) && ascii(after),
        Look::WordEndAscii => ascii(before) && !ascii(after),
        Look::WordStartUnicode => !unicode(before) && unicode(after),
        Look::WordEndUnicode => unicode(before) && !unicode(after),
        Look::WordStartHalfAscii => !ascii(before),
        Look::WordEndHalfAscii => !ascii(after),
        Look::WordStartHalfUnicode => !unicode(before),
        Look::WordEndHalfUnicode => !unicode(after),
    }
}

/// On which sides of a part there is text in any case.
#[derive(Debug, Clone, Copy, Default)]
struct Around {
    before: bool,
    after: bool,
}

/// The part that writes what an expression matches, or why there is none.
fn compile(hir: &Hir, around: Around) -> Result<Part, String> {
    match hir.kind() {
        HirKind::Empty => Ok(Part::All(Vec::new())),
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).map_err(|_| "it has bytes that are not text")?;
            Ok(Part::Text(text.into()))
        }
        HirKind::Class(class) => Characters::new(class).map(Part::Character),
        HirKind::Look(Look::Start) if around.before => {
            Err("it has `^` behind text; leave that out, or write `(?m)` for the start of a line".into())
        }
        HirKind::Look(Look::End) if around.after => {
            Err("it has `$` before text; leave that out, or write `(?m)` for the end of a line".into())
        }
        HirKind::Look(look) => Ok(Part::Look(*look)),
        HirKind::Repetition(repetition) => compile_repetition(repetition, around),
        HirKind::Capture(capture) => compile(&capture.sub, around),
        HirKind::Concat(parts) => compile_all(parts, around),
        HirKind::Alternation(parts) => {
            let parts: Result<Vec<Part>, String> = parts.iter().map(|part| compile(part, around)).collect();
            parts.map(Part::OneOf)
        }
    }
}

fn compile_repetition(repetition: &Repetition, around: Around) -> Result<Part, String> {
    let (least, most) = (repetition.min as usize, repetition.max.map(|most| most as usize));
    let shortest = repetition.sub.properties().minimum_len().unwrap_or(0);
    if least.saturating_mul(shortest) > LONG {
        return Err(format!("every match is longer than {LONG} bytes; repeat less often"));
    }
    let twice = least > 1 && shortest > 0;
    let around = Around { before: around.before || twice, after: around.after || twice };
    Ok(Part::Repeat { least, most, part: Box::new(compile(&repetition.sub, around)?) })
}

fn compile_all(parts: &[Hir], around: Around) -> Result<Part, String> {
    let is_text = |part: &Hir| part.properties().minimum_len().is_some_and(|length| length > 0);
    let compiled: Result<Vec<Part>, String> = parts
        .iter()
        .enumerate()
        .map(|(place, part)| {
            let before = around.before || parts[..place].iter().any(is_text);
            let after = around.after || parts[place + 1..].iter().any(is_text);
            compile(part, Around { before, after })
        })
        .collect();
    compiled.map(Part::All)
}

/// A class of characters, simplest first. A class may have a million of them, so it is kept as
/// runs of neighbours.
#[derive(Debug, Clone)]
struct Characters {
    runs: Vec<Run>,
    /// The number of printable ASCII characters; these come first.
    printable: u64,
    count: u64,
}

/// Neighbouring characters.
#[derive(Debug, Clone, Copy)]
struct Run {
    first: u32,
    /// The place of the first one in the class.
    place: u64,
}

impl Characters {
    fn new(class: &Class) -> Result<Characters, String> {
        let ranges: Vec<(u32, u32)> = match class {
            Class::Unicode(class) => {
                class.iter().map(|range| (range.start().into(), range.end().into())).collect()
            }
            Class::Bytes(class) => {
                class.iter().map(|range| (range.start().into(), range.end().into())).collect()
            }
        };
        let mut characters = Characters { runs: Vec::new(), printable: 0, count: 0 };
        for (kind, (first, last)) in ORDER.iter().enumerate() {
            if kind == PRINTABLE {
                characters.printable = characters.count;
            }
            for (low, high) in &ranges {
                let (low, high) = ((*low).max(u32::from(*first)), (*high).min(u32::from(*last)));
                if low <= high {
                    characters.runs.push(Run { first: low, place: characters.count });
                    characters.count += u64::from(high - low) + 1;
                }
            }
        }
        match characters.count {
            0 => Err("it has a class without characters; give it one, or leave it out".into()),
            _ => Ok(characters),
        }
    }

    fn draw(&self, source: &mut Source) -> char {
        if source.is_fast() {
            return self.at(self.random(source));
        }
        let (depth, last) = (u64::from(source.depth()), self.count - 1);
        let random = |source: &mut Source| self.random(source);
        self.at(source.decide(Kind::Char, last, depth.min(last), source.least_new(), random))
    }

    /// A random place in the class: three times out of four one of printable ASCII.
    fn random(&self, source: &mut Source) -> u64 {
        let (class, bits) = source.word();
        let usual = self.printable > 0 && class % 4 != 0;
        scale(bits, if usual { self.printable } else { self.count })
    }

    fn at(&self, place: u64) -> char {
        let after = self.runs.partition_point(|run| run.place <= place);
        let run = self.runs[after - 1];
        char::from_u32(run.first + (place - run.place) as u32).expect("a run has no surrogates")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Tape;
    use crate::random::Seed;

    fn characters(pattern: &str) -> Characters {
        match regex_syntax::parse(pattern).unwrap().kind() {
            HirKind::Class(class) => Characters::new(class).unwrap(),
            other => panic!("{other:?} is not a class"),
        }
    }

    #[test]
    fn letters_come_first_then_digits_then_the_rest() {
        let word = characters(r"\w");
        let first: String = (0..40).map(|place| word.at(place)).collect();
        assert_eq!(first, "abcdefghijklmnopqrstuvwxyz0123456789ABCD");
    }

    #[test]
    fn every_character_of_a_class_has_one_place() {
        let all = characters(r"(?s).");
        let mut seen: Vec<char> = (0..all.count).map(|place| all.at(place)).collect();
        seen.sort_unstable();
        assert!(seen.iter().copied().eq('\0'..=char::MAX));
        assert_eq!(all.printable, 95);
    }

    #[test]
    fn the_simplest_text_takes_the_first_alternative_and_no_repetition() {
        let simplest = regex("x*(dog|cat)[^a-c]{2}y?").generate(&mut Source::replay(Tape::default()));
        assert_eq!(simplest, "dogdd");
    }

    #[test]
    fn bounds_that_multiply_do_not_make_endless_texts() {
        let pattern = regex("(((a{0,1000}){0,1000}){0,1000}){0,1000}");
        for case in 0..20 {
            let text = pattern.generate(&mut Source::random(Seed(1), case));
            assert!(text.len() < 3 * LONG, "{} bytes", text.len());
        }
    }

    #[test]
    fn stars_in_stars_share_the_size() {
        let pattern = regex("(((a*b*)*c*)*d*)*");
        for case in 0..500 {
            let text = pattern.generate(&mut Source::random(Seed(2), case));
            assert!(text.len() < 4 * LONG, "{} bytes", text.len());
        }
    }
}
