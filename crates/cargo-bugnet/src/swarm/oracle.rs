//! The oracle: judges what a target did with an input.
//!
//! Rejections come first, because programs die of inputs that they announce not to take; then ends that are always
//! failures, then signatures.
//!
//! **Invariant:** the same run is judged the same way while testing, reducing and replaying.

use super::file::{On, Oracle, Plan};
use super::program::{Ended, Ran};
use bugnet_process::{End, How};
use regex::Regex;
use std::sync::LazyLock;

/// The longest signature or message that is kept, in characters.
const LONGEST: usize = 160;

/// The outcome of an input at one target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    /// The target refused the input, with these words.
    Rejected(String),
    Failed(Failed),
}

/// A failure of a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failed {
    /// The text that tells it from other failures.
    pub(crate) signature: String,
    /// The last lines of output, and the end of the process.
    pub(crate) happened: String,
}

/// The numbers of threads differ from run to run, and so do addresses.
static THREAD: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(thread '[^']*') \(\d+\)").expect("it is fixed"));
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| Regex::new("0x[0-9a-fA-F]{5,}").expect("it is fixed"));

impl Oracle {
    /// Judges one run of one target.
    pub(crate) fn judge(&self, ran: &Ran) -> Outcome {
        let output = String::from_utf8_lossy(&ran.output);
        let texts = [ran.errors.as_str(), output.as_ref()];
        for pattern in &self.rejections {
            if let Some(line) = texts.iter().find_map(|text| matching_line(pattern, text)) {
                return Outcome::Rejected(line);
            }
        }
        let is_bad = match ran.end {
            Ended::Signal(_) => true,
            Ended::Exit(code) => self.exits.contains(&code),
            Ended::UsedUp if self.hang => {
                let happened = happened(ran, None);
                return Outcome::Failed(Failed { signature: "hang".to_string(), happened });
            }
            Ended::UsedUp => return Outcome::Rejected("it used up its processor time".to_string()),
            Ended::Waited => return Outcome::Rejected("it was waited for too long".to_string()),
        };
        let by = |patterns: &[Regex]| {
            let both = |pattern: &Regex, text: &str| {
                Some((signature(pattern, text)?, matching_line(pattern, text)?))
            };
            patterns.iter().find_map(|pattern| texts.iter().find_map(|text| both(pattern, text)))
        };
        let own = by(&self.signatures);
        let ended_badly = is_bad || ran.end != Ended::Exit(0);
        let found = own.or_else(|| if ended_badly { by(&self.usual) } else { None });
        match (found, ran.end) {
            (Some((signature, line)), _) => {
                Outcome::Failed(Failed { signature, happened: happened(ran, Some(&line)) })
            }
            (None, _) if is_bad => {
                Outcome::Failed(Failed { signature: in_words(ran), happened: happened(ran, None) })
            }
            (None, Ended::Exit(0)) => Outcome::Passed,
            (None, _) => Outcome::Rejected(last_words(&texts).unwrap_or_else(|| in_words(ran))),
        }
    }
}

/// Judges whether targets that took the input agree; a disagreement is a failure of the target that asks.
pub(crate) fn disagreements(plan: &Plan, runs: &[Option<Ran>], outcomes: &mut [Outcome]) {
    for (place, target) in plan.targets.iter().enumerate() {
        let Some(agree) = &target.agree else { continue };
        if outcomes[place] != Outcome::Passed || outcomes[agree.with] != Outcome::Passed {
            continue;
        }
        let (Some(one), Some(other)) = (&runs[place], &runs[agree.with]) else { continue };
        let answer = |ran: &Ran| match agree.on {
            On::Output => String::from_utf8_lossy(&ran.output).trim().to_string(),
            On::Exit => in_words(ran),
        };
        let (one, other) = (answer(one), answer(other));
        let counts = |answer: &String| agree.among.is_empty() || agree.among.contains(answer);
        if one == other || !counts(&one) || !counts(&other) {
            continue;
        }
        let with = &plan.targets[agree.with].name;
        let signature = match agree.among.is_empty() {
            true => format!("{} disagrees with {with}", target.name),
            false => format!("{} says {one}, {with} says {other}", target.name),
        };
        let happened = format!("{}: {}\n{with}: {}", target.name, shortened(&one), shortened(&other));
        outcomes[place] = Outcome::Failed(Failed { signature, happened });
    }
}

/// Returns whether a signature tells so little that one bug may hide another: how it died, and nothing else.
pub(crate) fn is_coarse(signature: &str) -> bool {
    matches!(signature, "hang" | "abort" | "stack overflow" | "out of memory")
        || signature.starts_with("signal ")
        || signature.starts_with("exit ")
}

/// The groups of the first match, joined; the whole match if there are none.
fn signature(pattern: &Regex, text: &str) -> Option<String> {
    let found = pattern.captures(text)?;
    let groups: Vec<&str> = found.iter().skip(1).flatten().map(|group| group.as_str()).collect();
    let joined = if groups.is_empty() { found[0].to_string() } else { groups.join(" ") };
    Some(cleaned(&joined))
}

/// The line of the first match.
fn matching_line(pattern: &Regex, text: &str) -> Option<String> {
    let found = pattern.find(text)?;
    let start = text[..found.start()].rfind('\n').map_or(0, |place| place + 1);
    let end = text[found.start()..].find('\n').map_or(text.len(), |place| found.start() + place);
    Some(cleaned(&text[start..end]))
}

/// One line without addresses, not too long.
fn cleaned(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    shortened(&same_in_every_run(&line.join(" ")))
}

/// Text without what differs from run to run.
fn same_in_every_run(text: &str) -> String {
    THREAD.replace_all(&ADDRESS.replace_all(text, "0x…"), "$1").into_owned()
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// The last line that says something.
fn last_words(texts: &[&str]) -> Option<String> {
    texts.iter().find_map(|text| text.lines().rev().find(|line| !line.trim().is_empty())).map(cleaned)
}

/// The end of a run in words.
fn in_words(ran: &Ran) -> String {
    match ran.end {
        Ended::Exit(code) => format!("exit {code}"),
        Ended::Signal(signal) => {
            End { how: How::Signalled(signal), said: ran.errors.clone() }.death().to_string()
        }
        Ended::UsedUp => "hang".to_string(),
        Ended::Waited => "it was waited for too long".to_string(),
    }
}

/// Describes a run for a person: the line of its signature, the end of its output, and how it ended.
fn happened(ran: &Ran, line: Option<&str>) -> String {
    const LINES: usize = 12;
    let output = String::from_utf8_lossy(&ran.output);
    let said = if ran.errors.trim().is_empty() { output.as_ref() } else { ran.errors.as_str() };
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let mut text = same_in_every_run(&lines[lines.len().saturating_sub(LINES)..].join("\n"));
    if let Some(line) = line
        && !text.lines().any(|shown| cleaned(shown) == line)
    {
        text = if text.is_empty() { line.to_string() } else { format!("{line}\n…\n{text}") };
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&format!("ended by {}", in_words(ran)));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oracle() -> Oracle {
        let patterns = |all: &[&str]| all.iter().map(|pattern| Regex::new(pattern).unwrap()).collect();
        Oracle {
            signatures: patterns(&[r"ICE in (\w+) at (\S+)", "mismatch"]),
            usual: patterns(&[r"panicked at (\S+?:\d+)"]),
            rejections: patterns(&["not supported"]),
            exits: vec![2],
            hang: true,
        }
    }

    fn ran(end: Ended, errors: &str) -> Ran {
        Ran { end, output: Vec::new(), errors: errors.to_string() }
    }

    fn judged(end: Ended, errors: &str) -> String {
        match oracle().judge(&ran(end, errors)) {
            Outcome::Passed => "passed".to_string(),
            Outcome::Rejected(message) => format!("rejected: {message}"),
            Outcome::Failed(failed) => format!("failed: {}", failed.signature),
        }
    }

    #[test]
    fn rejections_come_before_signals_and_signatures() {
        assert_eq!(
            judged(Ended::Signal(6), "x\nfloat not supported here\ny"),
            "rejected: float not supported here"
        );
        assert_eq!(
            judged(Ended::Exit(1), "ICE in gen at a.c:7; not supported"),
            "rejected: ICE in gen at a.c:7; not supported"
        );
    }

    #[test]
    fn groups_are_joined_and_a_pattern_without_groups_is_its_match() {
        assert_eq!(judged(Ended::Exit(1), "ICE in gen at a.c:7"), "failed: gen a.c:7");
        assert_eq!(judged(Ended::Exit(0), "checksum mismatch: 7"), "failed: mismatch");
    }

    #[test]
    fn signals_listed_codes_and_hangs_are_failures_and_other_codes_are_rejections() {
        assert_eq!(judged(Ended::Signal(11), ""), "failed: signal 11 (SIGSEGV)");
        assert_eq!(judged(Ended::Exit(2), "oh"), "failed: exit 2");
        assert_eq!(judged(Ended::UsedUp, ""), "failed: hang");
        assert_eq!(judged(Ended::Exit(1), "a\nsyntax error\n"), "rejected: syntax error");
        assert_eq!(judged(Ended::Waited, ""), "rejected: it was waited for too long");
        assert_eq!(judged(Ended::Exit(0), ""), "passed");
    }

    #[test]
    fn usual_signatures_count_only_where_the_program_ended_badly() {
        assert_eq!(
            judged(Ended::Exit(101), "thread 'main' panicked at src/a.rs:7:9:\nno"),
            "failed: src/a.rs:7"
        );
        assert_eq!(judged(Ended::Exit(0), "it panicked at src/a.rs:7"), "passed");
    }

    #[test]
    fn what_happened_is_told_the_same_in_every_run() {
        let one = happened(
            &ran(Ended::Exit(101), "thread 'main' (4711) panicked at a.rs:7:1:\nat 0x7ffe12345678"),
            None,
        );
        assert_eq!(one, "thread 'main' panicked at a.rs:7:1:\nat 0x…\nended by exit 101");
    }

    #[test]
    fn the_line_of_the_signature_is_told_however_much_was_printed_after_it() {
        let text = format!("ICE in gen at a.c:7\n{}", "a warning\n".repeat(50));
        let Outcome::Failed(failed) = oracle().judge(&ran(Ended::Exit(1), &text)) else {
            panic!("it passed")
        };
        assert!(failed.happened.starts_with("ICE in gen at a.c:7\n…\na warning\n"), "{}", failed.happened);
    }

    #[test]
    fn addresses_are_no_part_of_a_signature_and_lines_of_code_are() {
        let pattern = Regex::new("(bad .*)").unwrap();
        let text = "bad pointer 0x7ffe12345678 in  literal.cpp:670";
        assert_eq!(signature(&pattern, text).unwrap(), "bad pointer 0x… in literal.cpp:670");
    }
}
