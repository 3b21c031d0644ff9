//! Claims about text: words, lines, patterns and differences.

use bugnet::campaign::Property;
use bugnet::prelude::*;
use heck::ToSnakeCase;

use super::claim::Pattern::{Differential, Invariant, Inverse, NoPanic};
use super::claim::{Claim, Tested};
use super::mark::{Letter, Mark, Wildcard, text_of};

pub const CLAIMS: &[Claim] = &[
    Claim::new("heck 0.5.0", Invariant, "snake case of snake case is the same", snake_case_twice),
    Claim::new("Inflector 0.11.4", Invariant, "snake case is recognized as such", snake_case_is_snake_case),
    Claim::new(
        "strsim 0.11.1",
        Invariant,
        "more kinds of edits need no more edits",
        fewer_edits_with_more_kinds,
    ),
    Claim::new("bstr 1.12.1", Invariant, "sentences joined are the text, lossily decoded", joined_sentences),
    Claim::new(
        "textwrap 0.16.1",
        Invariant,
        "wrapping changes nothing but white space",
        wrapping_keeps_letters,
    ),
    Claim::new("crop 0.4.3", NoPanic, "every offset has a line", line_of_byte),
    Claim::new("vte 0.15.0", Invariant, "text in two parts is the same text", terminal_in_two_parts),
    Claim::new(
        "aho-corasick 1.1.5",
        Invariant,
        "no overlapping match is reported twice",
        match_reported_twice,
    ),
    Claim::new("diffy 0.3.0", Inverse, "a printed patch parses and applies", printed_patch_applies),
    Claim::new(
        "shlex 1.1.0, shell-words 1.1.0",
        Differential,
        "both split a command line alike",
        split_command_line,
    ),
    Claim::new("snailquote 0.3.1", Inverse, "unescaping undoes escaping", escape_and_back),
    Claim::new("wildmatch 2.1.0, glob 0.3.4", Differential, "both match a wildcard pattern alike", wildcards),
];

fn snake_case_twice(property: Property<'_>) -> Tested {
    property.check(any::<String>(), |text| {
        let once = text.to_snake_case();
        assert_eq!(once.to_snake_case(), once);
    })
}

fn snake_case_is_snake_case(property: Property<'_>) -> Tested {
    use inflector::cases::snakecase::{is_snake_case, to_snake_case};
    property.check(any::<String>(), |text| {
        let snake = to_snake_case(&text);
        assert!(is_snake_case(&snake), "{snake:?}");
    })
}

fn fewer_edits_with_more_kinds(property: Property<'_>) -> Tested {
    // Time and memory grow with the product of the lengths.
    let short = || string_of(any::<char>()).len(..=20);
    property.check((short(), short()), |(one, other)| {
        let restricted = strsim::osa_distance(&one, &other);
        assert!(strsim::damerau_levenshtein(&one, &other) <= restricted);
        assert!(restricted <= strsim::levenshtein(&one, &other));
    })
}

fn joined_sentences(property: Property<'_>) -> Tested {
    property.check(any::<Vec<u8>>(), |bytes| {
        let sentences: String = bstr::ByteSlice::sentences(&bytes[..]).collect();
        assert_eq!(sentences, String::from_utf8_lossy(&bytes));
    })
}

fn wrapping_keeps_letters(property: Property<'_>) -> Tested {
    property.check(any::<(String, u8)>(), |(text, width)| {
        let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        assert_eq!(letters(&textwrap::fill(&text, usize::from(width))), letters(&text));
    })
}

fn line_of_byte(property: Property<'_>) -> Tested {
    property.check(any::<(String, usize)>(), |(text, offset)| {
        crop::Rope::from(text.as_str()).line_of_byte(offset % (text.len() + 1));
    })
}

/// Writes down what the terminal is told to do.
#[derive(Default)]
struct Log(String);

impl vte::Perform for Log {
    fn print(&mut self, character: char) {
        self.0 += &format!("print {character:?};");
    }

    fn execute(&mut self, byte: u8) {
        self.0 += &format!("execute {byte};");
    }
}

fn terminal_in_two_parts(property: Property<'_>) -> Tested {
    property.check(any::<(String, usize)>(), |(text, middle)| {
        let (first, second) = text.as_bytes().split_at(middle % (text.len() + 1));
        let log = |parts: &[&[u8]]| {
            let (mut parser, mut log) = (vte::Parser::new(), Log::default());
            parts.iter().for_each(|part| parser.advance(&mut log, part));
            log.0
        };
        assert_eq!(log(&[first, second]), log(&[text.as_bytes()]));
    })
}

fn match_reported_twice(property: Property<'_>) -> Tested {
    property.check(any::<(Vec<String>, String)>(), |(patterns, text)| {
        let automaton = aho_corasick::AhoCorasick::new(&patterns).expect("a few short patterns");
        let matches: Vec<_> = automaton.find_overlapping_iter(&text).collect();
        for (place, found) in matches.iter().enumerate() {
            assert!(!matches[..place].contains(found), "{found:?}");
        }
    })
}

fn printed_patch_applies(property: Property<'_>) -> Tested {
    property.check(any::<(Vec<Mark>, Vec<Mark>)>(), |(old, new)| {
        let (old, new) = (text_of(&old), text_of(&new));
        let printed = diffy::create_patch(&old, &new).to_string();
        let patch = diffy::Patch::from_str(&printed).expect(&printed);
        assert_eq!(diffy::apply(&old, &patch).expect(&printed), new);
    })
}

fn split_command_line(property: Property<'_>) -> Tested {
    property.check(any::<Vec<Mark>>(), |marks| {
        let line = text_of(&marks);
        // A backslash at the end is an error for `shlex` and a character for `shell-words`, on purpose.
        assume!(!line.ends_with('\\'));
        assert_eq!(shlex::split(&line), shell_words::split(&line).ok(), "{line:?}");
    })
}

fn escape_and_back(property: Property<'_>) -> Tested {
    property.check(any::<String>(), |text| {
        let escaped = snailquote::escape(&text).into_owned();
        assert_eq!(snailquote::unescape(&escaped).expect(&escaped), text);
    })
}

fn wildcards(property: Property<'_>) -> Tested {
    property.check(any::<(Vec<Wildcard>, Vec<Letter>)>(), |(pattern, text)| {
        let (pattern, text) = (text_of(&pattern), text_of(&text));
        // Two stars in a row mean something else in `glob`.
        assume!(!pattern.contains("**"));
        let glob = glob::Pattern::new(&pattern).expect("a pattern of letters, `?` and `*`");
        assert_eq!(
            wildmatch::WildMatch::new(&pattern).matches(&text),
            glob.matches(&text),
            "{pattern:?}, {text:?}"
        );
    })
}
