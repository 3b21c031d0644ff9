//! Our own reducer: removes lines, then words, lifts what brackets contain, then removes bytes.
//!
//! **Invariant:** every step is asked about, and what is returned was answered with yes, or is what was given.

use anyhow::Result;

/// Inputs longer than this are not tried byte by byte.
const FEW_BYTES: usize = 600;

/// Answers whether an input still fails in the same way; `None` ends reducing.
pub(crate) type Ask<'a> = dyn FnMut(&[u8]) -> Result<Option<bool>> + 'a;

/// Returns the smallest input that was found.
pub(crate) fn smallest(input: Vec<u8>, ask: &mut Ask<'_>) -> Result<Vec<u8>> {
    let mut best = input;
    loop {
        let before = best.len();
        for pass in [by_lines, by_words, lifted, by_bytes] {
            match pass(&best, ask)? {
                Reduced::Whole(bytes) => best = bytes,
                Reduced::Cut(bytes) => return Ok(bytes),
            }
        }
        if best.len() == before {
            return Ok(best);
        }
    }
}

/// The remaining part of an input.
enum Reduced {
    /// Everything was tried.
    Whole(Vec<u8>),
    /// Reducing was ended.
    Cut(Vec<u8>),
}

fn by_lines(input: &[u8], ask: &mut Ask<'_>) -> Result<Reduced> {
    without(lines(input), ask)
}

fn by_words(input: &[u8], ask: &mut Ask<'_>) -> Result<Reduced> {
    without(words(input), ask)
}

fn by_bytes(input: &[u8], ask: &mut Ask<'_>) -> Result<Reduced> {
    match input.len() <= FEW_BYTES {
        true => without(input.chunks(1).map(<[u8]>::to_vec).collect(), ask),
        false => Ok(Reduced::Whole(input.to_vec())),
    }
}

/// Replaces a bracket by what is in it, or by one part of that: `if (a) { b }` becomes `b`, and `(a + b)` becomes `a`.
fn lifted(input: &[u8], ask: &mut Ask<'_>) -> Result<Reduced> {
    let mut parts = words(input);
    let mut at = 0;
    while at < parts.len() {
        let Some(end) = closing(&parts, at) else {
            at += 1;
            continue;
        };
        let mut found = None;
        for candidate in lifts(&parts, at, end) {
            match ask(&candidate.concat())? {
                Some(true) => {
                    found = Some(candidate);
                    break;
                }
                Some(false) => {}
                None => return Ok(Reduced::Cut(parts.concat())),
            }
        }
        match found {
            // The lifted part may be a bracket itself.
            Some(candidate) => {
                parts = candidate;
                at = at.saturating_sub(BEFORE);
            }
            None => at += 1,
        }
    }
    Ok(Reduced::Whole(parts.concat()))
}

/// Parts before a bracket that may go with it, such as `if` and a condition.
const BEFORE: usize = 3;

/// Returns the candidates that replace the bracket from `at` to `end` by its content.
fn lifts(parts: &[Vec<u8>], at: usize, end: usize) -> Vec<Vec<Vec<u8>>> {
    let mut candidates = Vec::new();
    let mut start = at;
    for _ in 0..=BEFORE {
        candidates.push([&parts[..start], &parts[at + 1..end], &parts[end + 1..]].concat());
        let Some(before) = start.checked_sub(1) else { break };
        start = (0..before).find(|open| closing(parts, *open) == Some(before)).unwrap_or(before);
    }
    let mut child = at + 1;
    while child < end {
        let last = closing(parts, child).unwrap_or(child);
        if !parts[child].iter().all(u8::is_ascii_whitespace) {
            candidates.push([&parts[..at], &parts[child..=last], &parts[end + 1..]].concat());
        }
        child = last + 1;
    }
    candidates.retain(|candidate| !candidate.concat().is_empty());
    candidates
}

/// The place of the bracket that closes the one at a place.
fn closing(parts: &[Vec<u8>], at: usize) -> Option<usize> {
    let (open, close): (&[u8], &[u8]) = match parts[at].as_slice() {
        b"(" => (b"(", b")"),
        b"[" => (b"[", b"]"),
        b"{" => (b"{", b"}"),
        _ => return None,
    };
    let mut depth = 0;
    for (place, part) in parts.iter().enumerate().skip(at) {
        if part == open {
            depth += 1;
        } else if part == close {
            depth -= 1;
        }
        if depth == 0 {
            return Some(place);
        }
    }
    None
}

/// Removes parts: half of them, then a quarter, down to one at a time.
fn without(mut parts: Vec<Vec<u8>>, ask: &mut Ask<'_>) -> Result<Reduced> {
    let mut size = parts.len().div_ceil(2);
    while size > 0 && !parts.is_empty() {
        let (mut at, mut removed) = (0, false);
        while at < parts.len() {
            let end = (at + size).min(parts.len());
            let rest = [&parts[..at], &parts[end..]].concat();
            let candidate = rest.concat();
            // Targets and reducers take an empty input for a missing one.
            let answer = if candidate.is_empty() { Some(false) } else { ask(&candidate)? };
            match answer {
                Some(true) => {
                    parts = rest;
                    removed = true;
                }
                Some(false) => at = end,
                None => return Ok(Reduced::Cut(parts.concat())),
            }
        }
        // A part that had to stay may be free to go when others are gone.
        if size > 1 || !removed {
            size /= 2;
        }
    }
    Ok(Reduced::Whole(parts.concat()))
}

fn lines(input: &[u8]) -> Vec<Vec<u8>> {
    input.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}

/// Words, runs of spaces, and single other bytes.
fn words(input: &[u8]) -> Vec<Vec<u8>> {
    let class = |byte: &u8| match byte {
        b' ' | b'\t' | b'\n' | b'\r' => 0,
        byte if byte.is_ascii_alphanumeric() || *byte == b'_' => 1,
        _ => 2,
    };
    input.chunk_by(|one, next| class(one) == class(next) && class(one) < 2).map(<[u8]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduced(input: &str, mut fails: impl FnMut(&str) -> bool) -> String {
        let mut ask = |input: &[u8]| Ok(Some(fails(std::str::from_utf8(input).unwrap())));
        String::from_utf8(smallest(input.as_bytes().to_vec(), &mut ask).unwrap()).unwrap()
    }

    #[test]
    fn what_does_not_matter_is_removed() {
        let input = "let a = 1;\nlet b = 2;\nprint(a / 0);\nlet c = 3;\n";
        assert_eq!(reduced(input, |text| text.contains("/ 0")), "/ 0");
        let both = |text: &str| text.contains('b') && text.matches('\n').count() >= 2;
        assert_eq!(reduced(input, both).len(), 3);
    }

    #[test]
    fn what_brackets_contain_is_lifted_out_of_them() {
        let balanced = |text: &str| {
            let mut depth = 0;
            for letter in text.chars() {
                depth += i32::from("({".contains(letter)) - i32::from(")}".contains(letter));
                if depth < 0 {
                    return false;
                }
            }
            depth == 0
        };
        // Every bracket holds something, so none can be emptied first.
        let fails = |text: &str| {
            balanced(text) && text.contains("2<<99") && !text.contains("()") && !text.contains("{}")
        };
        assert_eq!(reduced("if (9+4) { print (((1-1)-(2<<99))<<(d<<9)) }", fails), "2<<99");
    }

    #[test]
    fn what_matters_whole_stays_and_nothing_is_asked_about_twice_without_end() {
        let mut asked = 0;
        let whole = |text: &str| {
            asked += 1;
            text == "one two\nthree"
        };
        assert_eq!(reduced("one two\nthree", whole), "one two\nthree");
        assert!(asked < 100, "{asked}");
    }

    #[test]
    fn an_end_keeps_what_was_found_so_far() {
        let mut left = 3;
        let mut ask = |input: &[u8]| {
            left -= 1;
            Ok((left > 0).then(|| input.contains(&b'x')))
        };
        let found = smallest(b"a\nb\nc\nx\n".to_vec(), &mut ask).unwrap();
        assert!(found.len() < 8 && found.contains(&b'x'));
    }
}
