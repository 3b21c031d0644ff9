//! The lines of a known-bugs file: the part of TOML that it needs.
//!
//! **Invariant:** every line of the text is in one item, so that a file can be written again without loss.

/// Something in a file that is not understood, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line, counted from one.
    pub line: usize,
    /// The mistake, as a sentence.
    pub text: String,
}

impl Problem {
    pub(super) fn new(line: usize, text: impl Into<String>) -> Problem {
        Problem { line, text: text.into() }
    }
}

/// A line, or several if a text takes several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// Its number in the file, counted from one.
    pub(super) number: usize,
    pub(super) what: What,
    /// The comment behind it, with its `#`.
    pub(super) remark: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    Blank,
    /// A comment, with its `#`.
    Comment(String),
    /// `[…]` or `[[…]]`, with its brackets.
    Heading(String),
    /// `key = value`.
    Pair(String, Value),
    Other(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// Text in quotes, as it is meant.
    Text(String),
    /// Anything else, as it is written.
    Bare(String),
}

/// The treatment of a backslash before a letter to which TOML gives no meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    Strict,
    /// It stays; files without a version could have it.
    Lenient,
}

/// Reads the lines of a text.
pub(super) fn lines(text: &str, escapes: Escapes) -> Result<Vec<Line>, Problem> {
    let mut lines = Vec::new();
    let (mut rest, mut number) = (text, 1);
    while !rest.is_empty() {
        let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
        let (mut what, mut remark, mut taken) = (What::Blank, None, end);
        let line = rest[..end].trim();
        if line.starts_with('#') {
            what = What::Comment(line.to_string());
        } else if line.starts_with('[') {
            let (heading, comment) = without_comment(line);
            (what, remark) = (What::Heading(heading.to_string()), comment);
        } else if let Some((key, value)) = line.split_once('=') {
            let key = key.trim().to_string();
            if value.trim_start().starts_with(['"', '\'']) {
                let start = rest.len() - value_of(rest).len();
                let wrong = |problem: &str| Problem::new(number, format!("the text of `{key}` {problem}"));
                let (text, length) = quoted(&rest[start..], escapes).map_err(|problem| wrong(&problem))?;
                let behind = start + length;
                taken = rest[behind..].find('\n').map_or(rest.len(), |end| behind + end + 1);
                let (more, comment) = without_comment(rest[behind..taken].trim());
                if !more.is_empty() {
                    return Err(wrong(&format!("ends before `{more}`; write \\\" for a quote within it")));
                }
                (what, remark) = (What::Pair(key, Value::Text(text)), comment);
            } else {
                let (value, comment) = without_comment(value.trim());
                (what, remark) = (What::Pair(key, Value::Bare(value.to_string())), comment);
            }
        } else if !line.is_empty() {
            what = What::Other(line.to_string());
        }
        lines.push(Line { number, what, remark });
        number += rest[..taken].matches('\n').count();
        rest = &rest[taken..];
    }
    Ok(lines)
}

/// Returns the text behind the first `=`.
fn value_of(text: &str) -> &str {
    text.split_once('=').map_or("", |(_, value)| value.trim_start())
}

/// A line without quotes up to its comment, and the comment.
fn without_comment(line: &str) -> (&str, Option<String>) {
    match line.split_once('#') {
        Some((before, comment)) => (before.trim(), Some(format!("#{}", comment.trim_end()))),
        None => (line.trim(), None),
    }
}

/// Reads the text in quotes that begins here, and says how many bytes it takes.
fn quoted(from: &str, escapes: Escapes) -> Result<(String, usize), String> {
    let quote = if from.starts_with('"') { '"' } else { '\'' };
    let triple = if quote == '"' { "\"\"\"" } else { "'''" };
    let is_long = from.starts_with(triple);
    let mut place = if is_long { 3 } else { 1 };
    if is_long {
        // TOML leaves a line end right behind the quotes out.
        place +=
            if from[place..].starts_with("\r\n") { 2 } else { usize::from(from[place..].starts_with('\n')) };
    }
    let mut text = String::new();
    loop {
        let Some(letter) = from[place..].chars().next() else { return Err(unended(quote)) };
        if is_long && from[place..].starts_with(triple) {
            // The last three quotes of a row are the end; those before belong to the text.
            if !from[place + 1..].starts_with(triple) {
                return Ok((text, place + 3));
            }
        } else if !is_long && letter == quote {
            return Ok((text, place + 1));
        } else if !is_long && letter == '\n' {
            return Err(unended(quote));
        } else if letter == '\\' && quote == '"' {
            place += escaped(&from[place..], escapes, &mut text)?;
            continue;
        }
        text.push(letter);
        place += letter.len_utf8();
    }
}

fn unended(quote: char) -> String {
    format!("does not end; write {quote} behind it")
}

/// Reads what begins with a backslash, and says how many bytes it takes.
fn escaped(from: &str, escapes: Escapes, text: &mut String) -> Result<usize, String> {
    let Some(letter) = from.chars().nth(1) else { return Err(unended('"')) };
    let digits = match letter {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => 0,
    };
    let named = match letter {
        '"' | '\\' => Some(letter),
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        'b' => Some('\u{8}'),
        'f' => Some('\u{c}'),
        'e' => Some('\u{1b}'),
        _ if digits > 0 => {
            let code = from.get(2..2 + digits).and_then(|code| u32::from_str_radix(code, 16).ok());
            code.and_then(char::from_u32)
        }
        _ => None,
    };
    if let Some(meant) = named {
        text.push(meant);
        return Ok(1 + letter.len_utf8() + digits);
    }
    let gap = from[1..].len() - from[1..].trim_start().len();
    if from[1..=gap].contains('\n') {
        // A backslash at the end of a line joins it with what comes next.
        return Ok(1 + gap);
    }
    match escapes {
        Escapes::Strict => Err(format!("has `\\{letter}`; write `\\\\` for a backslash")),
        Escapes::Lenient => {
            text.push('\\');
            Ok(1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<Value, String> {
        let lines = lines(&format!("key = {text}\n"), Escapes::Strict).map_err(|problem| problem.text)?;
        match &lines[..] {
            [Line { what: What::Pair(key, value), .. }] if key == "key" => Ok(value.clone()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn text_is_read_in_all_quotes_of_toml() {
        for (written, meant) in [
            (r#""plain""#, "plain"),
            (r#""a \"b\" \\ \n \t \u00e9 \U0001F41B \x41""#, "a \"b\" \\ \n \t é 🐛 A"),
            (r#"'as "it" is: \n'"#, r#"as "it" is: \n"#),
            ("'''it's \"so\"'''", "it's \"so\""),
            ("'''\nit's\nso'''", "it's\nso"),
            ("'''''two quotes'''''", "''two quotes''"),
            ("\"\"\"\na \"\"b\"\"\\n\\\n   c\"\"\"", "a \"\"b\"\"\nc"),
            (r#""a # b" # c"#, "a # b"),
            ("\"\"", ""),
            ("''", ""),
        ] {
            assert_eq!(value(written), Ok(Value::Text(meant.to_string())), "{written}");
        }
        assert_eq!(value("7 # seven"), Ok(Value::Bare("7".to_string())));
    }

    #[test]
    fn text_that_does_not_end_or_has_more_behind_it_is_an_error() {
        for (written, problem) in [
            ("\"open", "does not end"),
            ("'open", "does not end"),
            ("'''open''", "does not end"),
            ("\"a\" b", "ends before `b`"),
            ("\"C:\\dir\"", "has `\\d`"),
            ("\"\\uD800\"", "has `\\u`"),
        ] {
            let error = value(written).unwrap_err();
            assert!(error.starts_with("the text of `key` ") && error.contains(problem), "{error}");
        }
        assert!(lines("note = \"C:\\dir\"", Escapes::Lenient).is_ok());
    }

    #[test]
    fn lines_are_counted_also_behind_text_of_several() {
        let text = "# a\n[[bug]] # b\nkey = '''\n\n'''\n\nwhat\n";
        let lines = lines(text, Escapes::Strict).unwrap();
        let numbers: Vec<usize> = lines.iter().map(|line| line.number).collect();
        assert_eq!(numbers, [1, 2, 3, 6, 7]);
        assert_eq!(lines[1].remark.as_deref(), Some("# b"));
        assert_eq!(lines[4].what, What::Other("what".to_string()));
    }
}
