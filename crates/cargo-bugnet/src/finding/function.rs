//! The function that a place of the source is in, by its name.
//!
//! The source is read and not compiled, so that this works for any crate without another build.
//!
//! **Invariant:** a name is given only if it stands in the source: what a macro names has none.

use super::Place;
use std::fs;
use std::path::Path;

/// Names the function of a package that a place is in, as `Type::function`; `root` is the folder of the package.
pub(crate) fn enclosing(place: &Place, root: &Path) -> Option<String> {
    named(&text(place, root)?, (place.line, place.column))
}

/// Reads the file of a place, if it is one of a package; `root` is the folder of the package.
pub(super) fn text(place: &Place, root: &Path) -> Option<String> {
    if place.is_in_harness() || place.is_in_standard_library() {
        return None;
    }
    // The files of published packages are told with the folder of the package and no other.
    let beside = root.parent().unwrap_or(root);
    let path = [root, beside].iter().find_map(|folder| folder.join(&place.file).canonicalize().ok())?;
    if !path.starts_with(root.canonicalize().ok()?) {
        return None;
    }
    fs::read_to_string(path).ok()
}

/// A pair of braces.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Scope {
    Function(String),
    /// The methods of a type or a trait; nothing if the type has no name.
    Methods(Option<String>),
    Other,
}

/// A function of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Function {
    /// The type or trait whose method it is.
    pub(super) owner: Option<String>,
    pub(super) name: String,
    /// The tokens of its braces.
    pub(super) open: usize,
    pub(super) close: usize,
}

/// Finds the functions of a source by their braces; one that has no end is not among them.
pub(super) fn functions(tokens: &[Token<'_>]) -> Vec<Function> {
    let mut found = Vec::new();
    // The open scopes, each with the token that opened it.
    let mut scopes: Vec<(Scope, usize)> = Vec::new();
    // The scope that the next brace opens, and the number of brackets that are open before it.
    let (mut next, mut brackets) = (None, 0_usize);
    let mut tokens = tokens.iter().enumerate().peekable();
    while let Some((number, token)) = tokens.next() {
        let name =
            tokens.peek().filter(|(_, token)| token.is_word()).map(|(_, token)| token.text.to_string());
        let is_in_function = matches!(next, Some(Scope::Function(_)));
        match token.text {
            "fn" if name.is_some() => (next, brackets) = (name.map(Scope::Function), 0),
            "trait" if !is_in_function && name.is_some() => {
                (next, brackets) = (Some(Scope::Methods(name)), 0)
            }
            "impl" if !is_in_function => {
                let mut header = Vec::new();
                while let Some((_, token)) = tokens.next_if(|(_, token)| !matches!(token.text, "{" | ";")) {
                    header.push(token.text);
                }
                (next, brackets) = (Some(Scope::Methods(implementor(&header))), 0);
            }
            "(" | "[" => brackets += 1,
            ")" | "]" => brackets = brackets.saturating_sub(1),
            ";" if brackets == 0 => next = None,
            "{" => scopes.push((next.take().unwrap_or(Scope::Other), number)),
            "}" => {
                if let Some((Scope::Function(name), open)) = scopes.pop() {
                    let owner = match scopes.last() {
                        Some((Scope::Methods(kind), _)) => kind.clone(),
                        _ => None,
                    };
                    found.push(Function { owner, name, open, close: number });
                }
                next = None;
            }
            _ => {}
        }
    }
    found
}

/// Returns the innermost of some functions that a line and column are in.
pub(super) fn innermost<'a>(
    functions: &'a [Function],
    tokens: &[Token<'_>],
    place: (u32, u32),
) -> Option<&'a Function> {
    let is_around =
        |function: &&Function| tokens[function.open].place < place && place <= tokens[function.close].place;
    functions.iter().filter(is_around).max_by_key(|function| function.open)
}

/// Names the function that a line and column are in.
fn named(text: &str, place: (u32, u32)) -> Option<String> {
    let tokens = tokens(text);
    let functions = functions(&tokens);
    let Function { owner, name, .. } = innermost(&functions, &tokens, place)?;
    Some(match owner {
        Some(kind) => format!("{kind}::{name}"),
        None => name.clone(),
    })
}

/// The name of the type that an `impl` is for, by what stands between `impl` and its brace.
fn implementor(header: &[&str]) -> Option<String> {
    let (mut depth, mut name, mut before) = (0_i32, None, "");
    for (number, word) in header.iter().enumerate() {
        match *word {
            "<" | "[" | "(" => depth += 1,
            "]" | ")" => depth -= 1,
            ">" if before != "-" => depth -= 1,
            "where" if depth == 0 => break,
            // Not that of `for<'a>`.
            "for" if depth == 0 && header.get(number + 1) != Some(&"<") => name = None,
            "for" | "dyn" | "mut" | "const" | "unsafe" => {}
            word if depth == 0
                && word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') =>
            {
                name = Some(word.to_string());
            }
            _ => {}
        }
        before = word;
    }
    name
}

/// A word or a sign of the source, with its line and column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) place: (u32, u32),
}

impl Token<'_> {
    fn is_word(&self) -> bool {
        self.text.starts_with(is_of_word)
    }
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The words and signs of a source, without comments, texts, characters and lifetimes.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut rest, mut place) = (text, (1, 1));
    while let Some(letter) = rest.chars().next() {
        let length = match letter {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => comment(rest),
            '"' => quoted(rest, '"'),
            '\'' => character(rest),
            _ if is_of_word(letter) => {
                let end = rest.find(|letter| !is_of_word(letter)).unwrap_or(rest.len());
                match raw_text(rest, end) {
                    Some(length) => length,
                    None => {
                        tokens.push(Token { text: &rest[..end], place });
                        end
                    }
                }
            }
            _ => {
                let end = letter.len_utf8();
                if !letter.is_whitespace() {
                    tokens.push(Token { text: &rest[..end], place });
                }
                end
            }
        };
        for letter in rest[..length].chars() {
            place = if letter == '\n' { (place.0 + 1, 1) } else { (place.0, place.1 + 1) };
        }
        rest = &rest[length..];
    }
    tokens
}

/// The length of a comment in `/*`, which may hold others.
fn comment(text: &str) -> usize {
    let (mut place, mut depth) = (0, 0);
    while place < text.len() {
        let rest = &text.as_bytes()[place..];
        match rest {
            [b'/', b'*', ..] => (depth, place) = (depth + 1, place + 2),
            [b'*', b'/', ..] => (depth, place) = (depth - 1, place + 2),
            _ => place += 1,
        }
        if depth == 0 {
            break;
        }
    }
    place
}

/// The length of what is in quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (place, letter) in text.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if letter == quote => return place + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a character, or of the sign of a lifetime.
fn character(text: &str) -> usize {
    let mut letters = text.char_indices().skip(1);
    match (letters.next(), letters.next()) {
        (Some((_, '\\')), _) => quoted(text, '\''),
        (_, Some((place, '\''))) => place + 1,
        _ => 1,
    }
}

/// The length of a raw text, if a word of this length begins one: `r"…"`, `br#"…"#`.
fn raw_text(text: &str, end: usize) -> Option<usize> {
    let hashes = text[end..].bytes().take_while(|byte| *byte == b'#').count();
    let is_raw = matches!(&text[..end], "r" | "br" | "cr") && text[end + hashes..].starts_with('"');
    if !is_raw {
        return None;
    }
    let start = end + hashes + 1;
    let close = format!("\"{}", "#".repeat(hashes));
    Some(text[start..].find(&close).map_or(text.len(), |place| start + place + close.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = r###"
//! fn in_a_comment() {
mod inner {
    pub fn free(list: [u8; 4], call: fn(u8) -> u8) -> impl Iterator<Item = u8> {
        let text = "} fn { \" {"; let raw = r#"{ "{" "#; let signs = ['{', '\'', '\u{7b}'];
        HERE;
    }
}
impl<T: Into<Vec<u8>>, F: Fn(T) -> T> crate::Tree<T, F> where T: Clone {
    /* fn /* { */ { */
    fn grow<'a>(&'a mut self) -> &'a T { let more = |x| { HERE; }; match self { _ => { HERE } } }
    const LIST: [u8; 2] = { HERE };
}
impl<'a> fmt::Display for &'a mut Leaf<'a> {
    fn fmt(&self) { fn nested() { HERE } HERE }
}
impl Walk for [u8] { fn walk() { HERE } }
trait Walk { fn walk(); fn run(&self) where for<'a> &'a Self: Sized { HERE } }
macro_rules! made { ($name:ident) => { fn $name() { HERE } } }
fn last() { HERE }
HERE
"###;

    #[test]
    fn the_innermost_function_is_named_with_its_type() {
        let mut names = Vec::new();
        for (line, text) in SOURCE.lines().enumerate() {
            for (column, _) in text.match_indices("HERE") {
                names.push(named(SOURCE, (line as u32 + 1, column as u32 + 1)));
            }
        }
        let names: Vec<&str> = names.iter().map(|name| name.as_deref().unwrap_or("-")).collect();
        let tree = "Tree::grow";
        let leaf = "Leaf::fmt";
        assert_eq!(names, ["free", tree, tree, "-", "nested", leaf, "walk", "Walk::run", "-", "last", "-"]);
    }

    #[test]
    fn a_function_is_named_only_within_its_package() {
        let registry = tempfile::tempdir().unwrap();
        let root = registry.path().join("b-0.1");
        for package in ["b-0.1", "c-0.1"] {
            let folder = registry.path().join(package).join("src");
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("lib.rs"), "fn one() {\n    two();\n}\n").unwrap();
        }
        let of = |place: &str| enclosing(&Place::read(place).unwrap(), &root);
        assert_eq!(of("src/lib.rs:2:5").as_deref(), Some("one"));
        assert_eq!(of("b-0.1/src/lib.rs:2:5").as_deref(), Some("one"));
        assert_eq!(of("c-0.1/src/lib.rs:2:5"), None);
        assert_eq!(of("src/operations.rs:2:5"), None);
        assert_eq!(of("src/gone.rs:2:5"), None);
    }
}
