//! Columns: text that keeps to the width of a terminal.
//!
//! **Invariant:** lines break between words only, so a name or a path that is longer than a line stays whole.

use crate::harness::name;

/// The columns that our own lines keep to.
pub(super) const COLUMNS: usize = 80;
/// The longest name of an operation that is shown with its type arguments.
const NAME: usize = 40;

/// Puts parts into indented lines, as many into each as fit.
pub(super) fn filled(parts: &[String]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if line.len() + "; ".len() + part.len() <= COLUMNS => *line += &format!("; {part}"),
            _ => lines.push(format!("  {part}")),
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Breaks a text into lines that fit behind an indentation. What stands between backticks is one word.
pub(super) fn wrapped(text: &str, indent: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words(text) {
        let room = COLUMNS.saturating_sub(indent);
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// The words of a text; a name in backticks or in `<…>` may contain spaces.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut start, mut depth, mut is_name) = (0, 0u32, false);
    let mut letters = text.char_indices().peekable();
    while let Some((place, letter)) = letters.next() {
        match letter {
            '`' => is_name = !is_name,
            '<' if letters.peek().is_some_and(|(_, next)| *next != ' ') => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            ' ' if !is_name && depth == 0 => {
                words.push(&text[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    words.push(&text[start..]);
    words
}

/// The name of an operation as it is shown: without type arguments if it is long with them.
pub(super) fn named(operation: &str) -> String {
    match operation.chars().count() > NAME {
        true => name::without_types(operation),
        false => operation.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_as_many_parts_as_fit() {
        let parts = ["a".repeat(40), "b".repeat(36), "c".to_string()];
        assert_eq!(filled(&parts), format!("  {}; {}\n  c\n", parts[0], parts[1]));
        assert_eq!(filled(&["d".repeat(100)]), format!("  {}\n", "d".repeat(100)));
    }

    #[test]
    fn a_text_is_broken_between_words_and_never_within_a_name() {
        let name = format!("`{} as b`", "a".repeat(60));
        let text = format!("one two {name} three");
        assert_eq!(wrapped(&text, 5), [format!("one two {name}"), "three".to_string()]);
        assert_eq!(wrapped(&text, 8), ["one two".to_string(), name.clone(), "three".to_string()]);
        let bare = format!("one two <{} as b>::c three", "a".repeat(60));
        assert_eq!(wrapped(&bare, 5)[1], format!("<{} as b>::c", "a".repeat(60)));
        assert_eq!(wrapped("short", 5), ["short"]);
    }

    #[test]
    fn a_long_name_loses_its_type_arguments_and_a_short_one_keeps_them() {
        let long = "<LinearMap<String<4>, i32, 16> as FromIterator<(String<4>, i32)>>::from_iter";
        assert_eq!(named(long), "<LinearMap as FromIterator>::from_iter");
        assert_eq!(named("Vec::<i32, 4>::push"), "Vec::<i32, 4>::push");
    }
}
