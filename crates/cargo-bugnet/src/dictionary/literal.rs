//! Literals: the texts, bytes, characters and numbers that Rust code has.
//!
//! A small lexer, for nothing but literals is wanted and code that does not parse has some as well.

/// A literal of Rust.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Literal {
    Text(String),
    Bytes(Vec<u8>),
    Character(char),
    Integer(i128),
    Float(f64),
}

/// The literals of a piece of code, in its order.
pub(super) fn literals(code: &str) -> Vec<Literal> {
    let mut lexer = Lexer { rest: code, found: Vec::new() };
    while !lexer.rest.is_empty() {
        lexer.step();
    }
    lexer.found
}

struct Lexer<'a> {
    rest: &'a str,
    found: Vec<Literal>,
}

impl<'a> Lexer<'a> {
    /// Takes what comes next: a comment, a literal, a word or a single character.
    fn step(&mut self) {
        let Some(first) = self.rest.chars().next() else { return };
        match first {
            '/' if self.rest.starts_with("//") => self.skip(self.rest.find('\n').unwrap_or(self.rest.len())),
            '/' if self.rest.starts_with("/*") => self.skip(comment(self.rest)),
            '"' => self.quoted(Prefix::Text),
            '\'' => self.character(),
            '0'..='9' => self.number(),
            first if is_word(first) => self.word(),
            other => self.skip(other.len_utf8()),
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    /// A word, which may be the prefix of a literal.
    fn word(&mut self) {
        let end = self.rest.find(|letter| !is_word(letter)).unwrap_or(self.rest.len());
        let (word, after) = self.rest.split_at(end);
        self.rest = after;
        let prefix = if word.starts_with('b') { Prefix::Bytes } else { Prefix::Text };
        match word {
            "b" | "c" if after.starts_with('"') => self.quoted(prefix),
            "b" if after.starts_with('\'') => self.character(),
            "r" | "br" | "cr" => self.raw(prefix),
            _ => {}
        }
    }

    fn add(&mut self, prefix: Prefix, bytes: Vec<u8>) {
        match prefix {
            Prefix::Bytes => self.found.push(Literal::Bytes(bytes)),
            Prefix::Text => self.found.extend(String::from_utf8(bytes).ok().map(Literal::Text)),
        }
    }

    /// A literal whose text stands as it is; nothing if this is none, such as `r#type`.
    fn raw(&mut self, prefix: Prefix) {
        let hashes = self.rest.len() - self.rest.trim_start_matches('#').len();
        let Some(code) = self.rest[hashes..].strip_prefix('"') else { return };
        let end = format!("\"{}", "#".repeat(hashes));
        let length = code.find(&end).unwrap_or(code.len());
        if length < code.len() {
            self.add(prefix, code.as_bytes()[..length].to_vec());
        }
        self.rest = code.get(length + end.len()..).unwrap_or_default();
    }

    /// A literal with escapes; the quote comes next.
    fn quoted(&mut self, prefix: Prefix) {
        self.skip(1);
        let mut bytes = Vec::new();
        loop {
            match self.rest.chars().next() {
                None => return,
                Some('"') => break self.skip(1),
                Some('\\') => self.escape(prefix, &mut bytes),
                Some(letter) => {
                    bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                    self.skip(letter.len_utf8());
                }
            }
        }
        self.add(prefix, bytes);
    }

    /// Reads an escape and appends its value; the backslash comes next.
    fn escape(&mut self, prefix: Prefix, bytes: &mut Vec<u8>) {
        self.skip(1);
        let Some(letter) = self.rest.chars().next() else { return };
        self.skip(letter.len_utf8());
        match letter {
            'n' => bytes.push(b'\n'),
            't' => bytes.push(b'\t'),
            'r' => bytes.push(b'\r'),
            '0' => bytes.push(0),
            '\n' => self.rest = self.rest.trim_start(),
            'x' => {
                let byte = self.rest.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
                bytes.extend(byte.filter(|byte| prefix == Prefix::Bytes || byte.is_ascii()));
                self.skip(2);
            }
            'u' => {
                let Some((digits, after)) = self.rest.strip_prefix('{').and_then(|rest| rest.split_once('}'))
                else {
                    return;
                };
                let code = u32::from_str_radix(&digits.replace('_', ""), 16).ok();
                if let Some(letter) = code.and_then(char::from_u32) {
                    bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                }
                self.rest = after;
            }
            other => bytes.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }

    /// A character, or a lifetime; the quote comes next.
    fn character(&mut self) {
        self.skip(1);
        let mut bytes = Vec::new();
        match self.rest.chars().next() {
            Some('\\') => self.escape(Prefix::Text, &mut bytes),
            Some(letter) if self.rest[letter.len_utf8()..].starts_with('\'') => {
                bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                self.skip(letter.len_utf8());
            }
            _ => return,
        }
        if self.rest.starts_with('\'') {
            self.skip(1);
            let text = String::from_utf8(bytes).unwrap_or_default();
            self.found.extend(text.chars().next().map(Literal::Character));
        }
    }

    /// A number; its first digit comes next.
    fn number(&mut self) {
        let mut end = 0;
        let mut before = ' ';
        for (place, letter) in self.rest.char_indices() {
            let next = self.rest[place + letter.len_utf8()..].chars().next();
            let is_fraction = letter == '.' && next.is_some_and(|next| next.is_ascii_digit());
            let is_exponent = matches!(letter, '+' | '-') && matches!(before, 'e' | 'E') && !self.is_based();
            if !(letter.is_ascii_alphanumeric() || letter == '_' || is_fraction || is_exponent) {
                break;
            }
            (before, end) = (letter, place + letter.len_utf8());
        }
        let (text, after) = self.rest.split_at(end.max(1));
        self.found.extend(number(text));
        self.rest = after;
    }

    /// Returns true if the next number has another base than ten.
    fn is_based(&self) -> bool {
        ["0x", "0b", "0o"].iter().any(|base| self.rest.starts_with(base))
    }
}

/// The content of a literal with a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Prefix {
    Text,
    Bytes,
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns the length of a comment, which may have others inside.
fn comment(code: &str) -> usize {
    let (mut depth, mut place) = (0, 0);
    while place < code.len() {
        let rest = &code.as_bytes()[place..];
        if rest.starts_with(b"/*") {
            (depth, place) = (depth + 1, place + 2);
        } else if rest.starts_with(b"*/") {
            (depth, place) = (depth - 1, place + 2);
            if depth == 0 {
                return place;
            }
        } else {
            place += 1;
        }
    }
    code.len()
}

/// The number that a literal stands for.
fn number(text: &str) -> Option<Literal> {
    let text = text.replace('_', "").to_lowercase();
    for (base, radix) in [("0x", 16), ("0b", 2), ("0o", 8)] {
        if let Some(digits) = text.strip_prefix(base) {
            // The suffixes of integers begin with letters that are no digits.
            let end = digits.find(['u', 'i']).unwrap_or(digits.len());
            return i128::from_str_radix(&digits[..end], radix).ok().map(Literal::Integer);
        }
    }
    let end = text.find(['u', 'i', 'f']).unwrap_or(text.len());
    let (digits, suffix) = text.split_at(end);
    if suffix.starts_with('f') || digits.contains(['.', 'e']) {
        return digits.parse().ok().filter(|float: &f64| float.is_finite()).map(Literal::Float);
    }
    digits.parse().ok().map(Literal::Integer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Literal {
        Literal::Text(text.to_string())
    }

    #[test]
    fn texts_are_found_with_their_escapes() {
        let code = r##"parse("1.2\n\u{e9}\x41"); raw(r#"a"b"#, '"', "z", r#type, "\
                       y")"##;
        let expected = [text("1.2\né\u{41}"), text("a\"b"), Literal::Character('"'), text("z"), text("y")];
        assert_eq!(literals(code), expected);
    }

    #[test]
    fn bytes_are_told_from_texts() {
        let expected = [
            Literal::Bytes(b"\xff\x00a".to_vec()),
            Literal::Bytes(b"\\".to_vec()),
            Literal::Character('x'),
            text("c"),
        ];
        assert_eq!(literals(r#"(b"\xff\0a", br"\", b'x', c"c")"#), expected);
    }

    #[test]
    fn numbers_are_found_with_their_bases_and_suffixes() {
        let code = "0xff_u8 + 1_000i64 + 0b11 - 1.5e-3 * 2f32 + x.0 + 1..2 + 0x1e+1 + u64::MAX + a1";
        let integer = Literal::Integer;
        let expected = [
            integer(255),
            integer(1_000),
            integer(3),
            Literal::Float(0.0015),
            Literal::Float(2.0),
            integer(0),
            integer(1),
            integer(2),
            integer(30),
            integer(1),
        ];
        assert_eq!(literals(code), expected);
    }

    #[test]
    fn what_only_looks_like_a_literal_is_none() {
        assert_eq!(literals("fn f<'a>(x: &'a str) { /* \"no\" /* 1 */ 2 */ } // \"no\""), []);
        assert_eq!(literals("let open = \"never closed"), []);
        assert_eq!(literals("r#\"never closed either"), []);
        assert_eq!(literals("'"), []);
    }
}
