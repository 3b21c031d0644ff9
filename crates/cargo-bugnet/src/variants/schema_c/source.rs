//! A C file as the preprocessor sees it: which of its lines are compiled, and which names are macros.
//!
//! Macros are not expanded, so every byte stays where the user wrote it. The preprocessor itself says which code is
//! live: it is given the file with a word of ours after each conditional directive, and prints the words it came by.
//!
//! **Invariant:** both texts of a [`Source`] have as many bytes as the user's file, in the same places.

use std::collections::{BTreeMap, BTreeSet};

/// The beginning of the words that show which code is live; a number follows.
const MARK: &str = "bugnet_live_";
/// Directives that decide which code is live.
const CONDITIONALS: [&str; 8] = ["if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"];

/// A file with what is not compiled blanked out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    /// Live code without comments and directives; it is parsed.
    pub(super) code: String,
    /// The same with the directives that are not conditional; the mutated file is written from it.
    pub(super) base: String,
}

/// Returns the text with a word of ours after each conditional directive, for the preprocessor.
pub(crate) fn probed(text: &str) -> String {
    let mut out = String::new();
    let mut number = 0;
    for line in lines(&without_comments(text)) {
        out.push_str(&text[line.start..line.end]);
        if line.is_conditional {
            number += 1;
            if !out.ends_with('\n') {
                out.push('\n');
            }
            out.push_str(&format!("{MARK}{number}\n"));
        }
    }
    out
}

/// Returns the file without what the preprocessor left out of the probed text.
pub(crate) fn read(text: &str, preprocessed: &str) -> Source {
    let live: BTreeSet<usize> =
        words(preprocessed).filter_map(|word| word.strip_prefix(MARK)?.parse().ok()).collect();
    let plain = without_comments(text);
    let (mut code, mut base) = (String::new(), String::new());
    let mut number = 0;
    for line in lines(&plain) {
        let own = &plain[line.start..line.end];
        if line.is_conditional {
            number += 1;
        }
        let is_live = number == 0 || live.contains(&number);
        let is_base = is_live && !line.is_conditional;
        base.push_str(&if is_base { own.to_string() } else { blank(own) });
        code.push_str(&if is_base && !line.is_directive { own.to_string() } else { blank(own) });
    }
    Source { code, base }
}

/// A line with those that a backslash joins to it.
struct Line {
    start: usize,
    end: usize,
    is_directive: bool,
    is_conditional: bool,
}

fn lines(text: &str) -> Vec<Line> {
    let mut found = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let mut end = start;
        loop {
            end = text[end..].find('\n').map_or(text.len(), |place| end + place + 1);
            let is_joined = text[start..end].trim_end_matches(['\n', '\r']).ends_with('\\');
            if end == text.len() || !is_joined {
                break;
            }
        }
        let directive = text[start..end].trim_start().strip_prefix('#');
        let word =
            directive.map(|rest| rest.trim_start().split(|letter: char| !letter.is_alphanumeric()).next());
        let is_conditional = word.flatten().is_some_and(|word| CONDITIONALS.contains(&word));
        found.push(Line { start, end, is_directive: directive.is_some(), is_conditional });
        start = end;
    }
    found
}

/// Returns the identifiers of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty())
}

/// Returns blanks in the place of everything but ends of lines.
fn blank(text: &str) -> String {
    text.chars()
        .flat_map(|letter| std::iter::repeat_n(if letter == '\n' { '\n' } else { ' ' }, letter.len_utf8()))
        .collect()
}

/// Returns the text with blanks in the place of comments.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("/*") => {
                let length = rest[2..].find("*/").map_or(rest.len(), |place| place + 4);
                out.push_str(&blank(&rest[..length]));
                rest = &rest[length..];
                continue;
            }
            '/' if rest.starts_with("//") => {
                let length = rest.find('\n').unwrap_or(rest.len());
                out.push_str(&blank(&rest[..length]));
                rest = &rest[length..];
                continue;
            }
            '"' | '\'' => quoted(rest, first),
            _ => first.len_utf8(),
        };
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out
}

/// Returns the length of the literal at the beginning of a text. One that does not end is a single quote in a line of
/// text that the preprocessor skips.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (place, letter) in text.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' => return 1,
            letter if letter == quote => return place + 1,
            _ => {}
        }
    }
    1
}

/// The macros of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Macros {
    /// Names of macros with arguments.
    pub(super) functions: BTreeSet<String>,
    /// Macros without, and what they stand for.
    pub(super) objects: BTreeMap<String, String>,
}

/// Reads the macros that `cc -E -dM` prints.
pub(crate) fn macros(printed: &str) -> Macros {
    let mut macros = Macros::default();
    for definition in printed.lines().filter_map(|line| line.strip_prefix("#define ")) {
        let end = definition.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let (name, body) = definition.split_at(end.unwrap_or(definition.len()));
        match body.starts_with('(') {
            true => drop(macros.functions.insert(name.to_string())),
            false => drop(macros.objects.insert(name.to_string(), body.trim().to_string())),
        }
    }
    macros
}

/// Words that begin a declaration at the outermost level and are no type.
const STORAGE: [&str; 4] = ["static", "extern", "inline", "register"];
/// Types of the language, which may stand before a bracket: `int (*f)()`.
const TYPES: [&str; 12] = [
    "int", "char", "short", "long", "float", "double", "void", "unsigned", "signed", "const", "volatile",
    "struct",
];

/// Returns the places of functions whose type is left out, as old C allows: `int` is meant.
pub(super) fn untyped(code: &str, macros: &Macros) -> Vec<usize> {
    let mut found = Vec::new();
    let (mut braces, mut brackets) = (0_usize, 0_usize);
    let mut head: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    while let Some(letter) = code[at..].chars().next() {
        let rest = &code[at..];
        let mut length = letter.len_utf8();
        match letter {
            '"' | '\'' => length = quoted(rest, letter),
            '{' => braces += 1,
            '}' => {
                braces = braces.saturating_sub(1);
                head.clear();
            }
            ';' if braces == 0 && brackets == 0 => head.clear(),
            '(' if braces == 0 && brackets == 0 => {
                if let Some(place) = implied(&head, rest, macros) {
                    found.push(place);
                }
                head.push((at, "("));
                brackets += 1;
            }
            '(' => brackets += 1,
            ')' => brackets = brackets.saturating_sub(1),
            _ if letter.is_ascii_alphabetic() || letter == '_' => {
                let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
                length = end.unwrap_or(rest.len());
                if braces == 0 && brackets == 0 {
                    head.push((at, &rest[..length]));
                }
            }
            _ if letter.is_whitespace() || braces > 0 || brackets > 0 => {}
            _ => head.push((at, &rest[..length])),
        }
        at += length;
    }
    found
}

/// Returns where a type is left out before a bracket: only storage words may stand before the name.
fn implied(head: &[(usize, &str)], rest: &str, macros: &Macros) -> Option<usize> {
    let ((place, name), before) = head.split_last()?;
    let is_name = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
        && !name.starts_with("__")
        && !TYPES.contains(name)
        && !STORAGE.contains(name)
        && !macros.functions.contains(*name);
    let is_pointer = rest[1..].trim_start().starts_with('*');
    (is_name && !is_pointer && before.iter().all(|(_, word)| STORAGE.contains(word))).then_some(*place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_the_preprocessor_leaves_out_is_blank_and_nothing_moves() {
        let text =
            "#define A 1 /* one */\n#ifdef B\nint b; // \"not\n#else\nint a = '\\\"';\n#endif\nint c;\n";
        let probed = probed(text);
        assert_eq!(probed.matches(MARK).count(), 3, "{probed}");
        let source = read(text, "bugnet_live_2 int a; bugnet_live_3 int c;");
        assert_eq!((source.code.len(), source.base.len()), (text.len(), text.len()));
        assert!(source.base.starts_with("#define A 1          "), "{}", source.base);
        let code: Vec<&str> = source.code.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert_eq!(code, ["int a = '\\\"';", "int c;"]);
    }

    #[test]
    fn macros_are_told_apart_by_a_bracket_after_the_name() {
        let macros = macros("#define MAX 10\n#define SQUARE(x) ((x)*(x))\n#define EMPTY\n");
        assert_eq!(macros.functions, BTreeSet::from(["SQUARE".to_string()]));
        assert_eq!(macros.objects["MAX"], "10");
        assert_eq!(macros.objects["EMPTY"], "");
    }

    #[test]
    fn functions_without_a_type_are_found_and_others_are_left_alone() {
        let code = "static int g(a) int a; { return f(a); }\nmain(argc, argv)\nint argc; char **argv;\n{ go(); }\n\
                    static done() { }\nint (*hook)();\nFILE (*open)();\nchar *name() { }\nSKIP(x)\n";
        let macros = Macros { functions: BTreeSet::from(["SKIP".to_string()]), ..Macros::default() };
        let names: Vec<&str> =
            untyped(code, &macros).into_iter().map(|place| words(&code[place..]).next().unwrap()).collect();
        assert_eq!(names, ["main", "done"]);
    }
}
