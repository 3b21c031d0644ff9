//! Plain text: what code under test has said, without anything that a terminal or a reader would obey.
//!
//! A panic may say anything. Escape sequences would move the cursor or set the title of a terminal, and characters for
//! text that runs from right to left would make a report read as something else.
//!
//! **Invariant:** plain text has no control characters but line feeds and tabs, and making it plain again changes
//! nothing.

/// Makes text plain: colours are left out, and other control characters are written as in Rust source.
///
/// ```
/// use bugnet::oracle::plain;
///
/// assert_eq!(plain("left\n\tright".into()), "left\n\tright");
/// assert_eq!(plain("\u{1b}[1;31mred\u{1b}[0m \u{1b}]0;title\u{7}".into()), r"red \u{1b}]0;title\u{7}");
/// assert_eq!(plain("a \u{202e}b\r".into()), r"a \u{202e}b\r");
/// ```
pub fn plain(text: String) -> String {
    if !text.contains(is_obeyed) {
        return text;
    }
    let mut made = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(place) = rest.find(is_obeyed) {
        made.push_str(&rest[..place]);
        rest = &rest[place..];
        if let Some(behind) = after_colour(rest) {
            rest = behind;
            continue;
        }
        let mut letters = rest.chars();
        if let Some(letter) = letters.next() {
            for escaped in letter.escape_default() {
                made.push(escaped);
            }
        }
        rest = letters.as_str();
    }
    made.push_str(rest);
    made
}

/// Returns whether something else is done with a character than showing it.
fn is_obeyed(letter: char) -> bool {
    match letter {
        '\n' | '\t' => false,
        // Marks, embeddings, overrides and isolates of text that runs from right to left; separators of lines.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        _ => letter.is_control(),
    }
}

/// Returns what follows a sequence that sets a colour, if the text begins with one.
fn after_colour(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("\u{1b}[")?;
    rest.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ';').strip_prefix('m')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_has_nothing_to_obey_and_stays_as_it_is() {
        let odd: String = (0..0x3000).filter_map(char::from_u32).collect();
        let once = plain(odd + "\u{1b}[2J\u{1b}[38;5;1mred\u{1b}[m\u{1b}");
        assert!(!once.contains(is_obeyed));
        assert!(once.ends_with(r"\u{1b}[2Jred\u{1b}"), "{once}");
        assert_eq!(plain(once.clone()), once);
        assert_eq!(plain("äöü 漢字 🦀 עברית".into()), "äöü 漢字 🦀 עברית");
    }
}
