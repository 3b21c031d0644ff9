//! Literals: the texts that examples of the documentation use, for what a crate parses is among them.

/// The longest text that is worth keeping.
const LONGEST: usize = 120;

/// The text literals in the code of a documentation.
pub(super) fn texts(docs: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut is_code = false;
    let mut code = String::new();
    for line in docs.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
            continue;
        }
        if is_code && !line.trim_start().starts_with("//") {
            code.push_str(line);
            code.push('\n');
        }
    }
    let mut rest = code.as_str();
    while let Some((text, after)) = next(rest) {
        if text.len() <= LONGEST && !text.is_empty() {
            texts.push(text);
        }
        rest = after;
    }
    texts
}

/// The next text literal, and what comes after it.
fn next(code: &str) -> Option<(String, &str)> {
    let mut start = 0;
    loop {
        let quote = start + code[start..].find('"')?;
        // The character `'"'` begins no text.
        if code[..quote].ends_with('\'') && code[quote + 1..].starts_with('\'') {
            start = quote + 1;
            continue;
        }
        let hashes = code[..quote].chars().rev().take_while(|letter| *letter == '#').count();
        let is_raw = code[..quote - hashes].ends_with('r');
        return if is_raw { raw(&code[quote + 1..], hashes) } else { escaped(&code[quote + 1..]) };
    }
}

fn raw(code: &str, hashes: usize) -> Option<(String, &str)> {
    let end = format!("\"{}", "#".repeat(hashes));
    let (text, rest) = code.split_once(&end)?;
    Some((text.to_string(), rest))
}

fn escaped(code: &str) -> Option<(String, &str)> {
    let mut text = String::new();
    let mut letters = code.char_indices();
    while let Some((place, letter)) = letters.next() {
        match letter {
            '"' => return Some((text, &code[place + 1..])),
            '\\' => match letters.next()?.1 {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                '0' => text.push('\0'),
                '\n' => {}
                'u' => {
                    let digits: String = letters
                        .by_ref()
                        .map(|(_, digit)| digit)
                        .skip(1)
                        .take_while(|digit| *digit != '}')
                        .collect();
                    text.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
                }
                'x' => {
                    let digits: String = letters.by_ref().take(2).map(|(_, digit)| digit).collect();
                    text.extend(u8::from_str_radix(&digits, 16).ok().map(char::from));
                }
                other => text.push(other),
            },
            other => text.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_examples_are_found_with_their_escapes() {
        let docs = "Says \"no\".\n```\nparse(\"1.2\\n\\u{e9}\\x41\"); // fine\nraw(r#\"a\"b\"#, '\"', \"z\");\n```\n\"no\"";
        assert_eq!(texts(docs), ["1.2\né\u{41}", "a\"b", "z"]);
    }

    #[test]
    fn a_text_without_end_is_none() {
        assert!(texts("```\nlet open = \"never closed\n```").is_empty());
    }
}
