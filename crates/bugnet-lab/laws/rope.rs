//! ropey@1.6.1, tuned on

use bugnet::prelude::*;
use ropey::Rope;

/// "Inserts `text` at char index `char_idx`."
#[law]
fn inserting_adds_the_text_at_its_place(mut rope: Rope, at: usize, text: &str) {
    assume!(at <= rope.len_chars());
    let before: Vec<char> = rope.chars().collect();
    rope.insert(at, text);
    let expected: String =
        before[..at].iter().copied().chain(text.chars()).chain(before[at..].iter().copied()).collect();
    assert_eq!(rope.to_string(), expected);
}

/// "Returns the char index of the start of the given line."
#[law]
fn a_line_begins_within_itself(rope: &Rope, line: usize) {
    assume!(line < rope.len_lines());
    classify!(rope.len_lines() > 1, "several lines");
    assert_eq!(rope.char_to_line(rope.line_to_char(line)), line);
}
