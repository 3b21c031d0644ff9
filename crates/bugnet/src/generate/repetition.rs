//! Repetition: long values that repeat themselves, written as what repeats and how often.
//!
//! **Invariant:** the runs of a value, one after the other, are the value.

/// A value of fewer items is written out.
const LONG: usize = 128;
/// The most items in the unit that repeats.
const UNIT: usize = 256;
/// The fewest items that all repeats of a unit must have together; fewer are not worth a loop.
const WORTH: usize = 48;

/// Items that repeat; those that do not come once.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Run<'a, T> {
    pub(super) unit: &'a [T],
    pub(super) count: usize,
}

/// The runs of a long value; `None` if nothing in it repeats.
pub(super) fn runs<T: PartialEq>(items: &[T]) -> Option<Vec<Run<'_, T>>> {
    if items.len() < LONG {
        return None;
    }
    let (mut runs, mut plain, mut place) = (Vec::new(), 0, 0);
    while place < items.len() {
        let Some(run) = run_at(items, place) else {
            place += 1;
            continue;
        };
        if plain < place {
            runs.push(Run { unit: &items[plain..place], count: 1 });
        }
        place += run.unit.len() * run.count;
        plain = place;
        runs.push(run);
    }
    if plain < items.len() {
        runs.push(Run { unit: &items[plain..], count: 1 });
    }
    if runs.iter().any(|run| run.count > 1) { Some(runs) } else { None }
}

/// Returns the shortest run that repeats from a place on.
fn run_at<T: PartialEq>(items: &[T], place: usize) -> Option<Run<'_, T>> {
    let rest = &items[place..];
    for length in 1..=UNIT.min(rest.len() / 2) {
        if rest[0] != rest[length] {
            continue;
        }
        let (unit, mut end) = (&rest[..length], length);
        while end + length <= rest.len() && rest[end..end + length] == *unit {
            end += length;
        }
        let count = end / length;
        if count >= 4 && end >= WORTH {
            return Some(Run { unit, count });
        }
    }
    None
}

/// A long text that repeats itself, as an expression that is a `String`.
pub(super) fn text(text: &str) -> Option<String> {
    if text.len() < LONG {
        return None;
    }
    let letters: Vec<char> = text.chars().collect();
    let mut parts = Vec::new();
    for run in runs(&letters)? {
        let mut unit = String::new();
        for letter in run.unit {
            unit.push(*letter);
        }
        parts.push(match run.count {
            1 => format!("{unit:?}.to_string()"),
            count => format!("{unit:?}.repeat({count})"),
        });
    }
    Some(joined(&parts))
}

/// Long bytes that repeat themselves, as an expression that is a `Vec<u8>`.
pub(super) fn bytes(bytes: &[u8]) -> Option<String> {
    let mut parts = Vec::new();
    for run in runs(bytes)? {
        let unit = written(run.unit).unwrap_or_else(|| format!("{:?}", run.unit));
        parts.push(match run.count {
            1 => format!("{unit}.to_vec()"),
            count => format!("{unit}.repeat({count})"),
        });
    }
    Some(joined(&parts))
}

/// The parts of an expression.
fn joined(parts: &[String]) -> String {
    match parts {
        [only] => only.clone(),
        all => format!("[{}].concat()", all.join(", ")),
    }
}

/// Bytes that a person reads as a text, as the literal of one.
pub(super) fn written(bytes: &[u8]) -> Option<String> {
    let is_read = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r');
    let is_text = !bytes.is_empty() && bytes.iter().all(is_read) && bytes.iter().any(u8::is_ascii_graphic);
    is_text.then(|| format!("b\"{}\"", bytes.escape_ascii()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_repeats_is_written_once() {
        let nested = ["{\"a\":".repeat(500), "1".to_string(), "}".repeat(500)].concat();
        let expected = "[\"{\\\"a\\\":\".repeat(500), \"1\".to_string(), \"}\".repeat(500)].concat()";
        assert_eq!(text(&nested).as_deref(), Some(expected));
        assert_eq!(text(&"[".repeat(4_096)).as_deref(), Some("\"[\".repeat(4096)"));
        assert_eq!(bytes(&[0x91; 300]).as_deref(), Some("[145].repeat(300)"));
        assert_eq!(bytes(&b"(1".repeat(300)).as_deref(), Some("b\"(1\".repeat(300)"));
    }

    #[test]
    fn what_is_short_or_does_not_repeat_is_written_out() {
        assert_eq!(text("[[[[[[[["), None);
        let numbers: String = (0..100).map(|number| number.to_string()).collect();
        assert_eq!(text(&numbers), None);
    }

    #[test]
    fn the_runs_of_a_value_are_the_value() {
        let value: Vec<u8> = [vec![7; 60], vec![1, 2, 3], [4, 5].repeat(40), vec![9]].concat();
        let runs = runs(&value).unwrap();
        assert_eq!(runs.len(), 4);
        let whole: Vec<u8> = runs.iter().flat_map(|run| run.unit.repeat(run.count)).collect();
        assert_eq!(whole, value);
    }
}
