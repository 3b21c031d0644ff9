//! Tests: bugs as Rust that anybody can compile against the crate, with nothing of Bugnet in it unless the crate has.
//!
//! **Invariant:** the same bugs give the same text, and each test fails as long as its bug is there.

use crate::finding::Phase;
use crate::harness::built::Built;
use crate::judge::bug::Bug;
use bugnet::wire::{Argument, Call, Mode, Program, Role};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::ops::RangeInclusive;
use std::process::{Command, Stdio};

/// The text of a file of tests, and the lines that each test has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tests {
    pub(crate) text: String,
    pub(crate) lines: Vec<RangeInclusive<usize>>,
}

/// Writes a test for each bug.
pub(crate) fn write(bugs: &[&Bug], harness: &Built) -> Tests {
    let mut text = format!(
        "//! Bugs of `{}` {}, found by `cargo bugnet explore`.\n//!\n//! Each test fails as long as its bug is there.\n",
        harness.package, harness.version
    );
    let place = text.len();
    text.push_str("\n#![allow(unused, clippy::all, reason = \"a program is kept as it was found\")]\n");
    let mut lines = Vec::new();
    for bug in bugs {
        text.push('\n');
        let first = text.lines().count() + 1;
        write_test(&mut text, bug);
        lines.push(first..=text.lines().count());
    }
    let needed = needed(&text, harness);
    if !needed.is_empty() {
        let needed = needed.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        text.insert_str(
            place,
            &format!("//!\n//! Beside the crate they need {needed} as development dependencies.\n"),
        );
        lines = lines
            .into_iter()
            .map(|lines: RangeInclusive<usize>| lines.start() + 2..=lines.end() + 2)
            .collect();
    }
    let helpers: BTreeSet<&str> =
        bugs.iter().flat_map(|bug| &bug.program.helpers).map(String::as_str).collect();
    for helper in helpers {
        let _ = write!(text, "\n{}\n", helper.trim_end());
    }
    Tests { text, lines }
}

/// The packages beside the crate itself that a text names.
fn needed<'a>(text: &str, harness: &'a Built) -> Vec<&'a str> {
    let names = harness.dependency.lines().filter_map(|line| line.split([' ', '=']).next());
    let others = names.filter(|name| *name != harness.package);
    others.filter(|name| text.contains(&format!("{}::", name.replace('-', "_")))).collect()
}

/// The text as `rustfmt` has it, if there is one.
pub(crate) fn formatted(text: &str) -> String {
    let format = || -> Option<String> {
        let mut child = Command::new("rustfmt")
            .args(["--edition", "2024"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        child.stdin.take()?.write_all(text.as_bytes()).ok()?;
        let output = child.wait_with_output().ok().filter(|output| output.status.success())?;
        String::from_utf8(output.stdout).ok()
    };
    format().unwrap_or_else(|| text.to_string())
}

fn write_test(text: &mut String, bug: &Bug) {
    let _ = writeln!(text, "/// {}.", bug.title());
    let _ = writeln!(text, "#[test]\nfn {}() {{", bug.name);
    let message = bug.finding.message.lines().next().unwrap_or_default();
    if bug.finding.law().is_none() && !message.is_empty() {
        let place = bug.finding.place.as_ref().map(|place| format!(" (at {})", place.short()));
        let _ = writeln!(text, "    // {message}{}", place.unwrap_or_default());
    }
    let lines = shown(bug).lines();
    let lines = lines.iter().flat_map(|line| line.lines());
    let (open, indent, close) = match bug.rate.repetitions() {
        None => (String::new(), "    ", ""),
        Some(times) => {
            let open = format!("    // Fails by chance, in {}.\n    for _ in 0..{times} {{\n", bug.rate);
            (open, "        ", "    }\n")
        }
    };
    text.push_str(&open);
    lines.for_each(|line| text.push_str(&format!("{indent}{line}\n")));
    text.push_str(close);
    text.push_str("}\n");
}

/// Returns the program of a bug, which prints the last value if that is what fails and no call does it.
fn shown(bug: &Bug) -> Program {
    let mut program = bug.program.clone();
    let is_printed = program.calls.last().is_some_and(|call| call.role == Role::Print);
    let last = program.calls.len().saturating_sub(1);
    let name = program.calls.last().and_then(|call| Some(call.binding.as_ref()?.name.clone()));
    if let Some(name) = name.filter(|_| bug.finding.phase == Phase::Observe && !is_printed) {
        program.calls.push(Call {
            operation: bug.finding.operation.clone(),
            role: Role::Print,
            arguments: vec![Argument::Earlier { call: last as u32, mode: Mode::Shared }],
            binding: None,
            expression: format!("format!(\"{{{name}:?}}\")"),
        });
    }
    program
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Rate;
    use crate::harness::built::example::harness;
    use crate::judge::bug::example::{bug, call, program};

    #[test]
    fn what_tests_need_beside_the_crate_is_named() {
        let harness =
            Built { dependency: "bit-vec = { }\nserde_json = { }\nother = { }".to_string(), ..harness() };
        let mut bug = bug();
        assert!(!write(&[&bug], &harness).text.contains("need"));
        bug.program.calls.push(call("to_string").written("serde_json::to_string(&bit_vec)").0);
        let tests = write(&[&bug], &harness);
        assert!(
            tests.text.contains("//! Beside the crate they need `serde_json` as development dependencies.\n")
        );
        let lines: Vec<&str> = tests.text.lines().collect();
        assert!(
            lines[tests.lines[0].start() - 1].starts_with("/// ") && lines[tests.lines[0].end() - 1] == "}"
        );
    }

    #[test]
    fn a_program_that_fails_by_chance_is_repeated_and_no_other_is() {
        let mut bug = bug();
        assert!(!write(&[&bug], &harness()).text.contains("for _ in"));
        bug.rate = Rate { failed: 31, runs: 60 };
        let tests = write(&[&bug], &harness());
        let expected = "    // Fails by chance, in 31 of 60 runs.\n    for _ in 0..50 {\n        \
                        let mut bit_vec = bit_vec::BitVec::<u32>::new();\n        \
                        bit_vec.split_off(0);\n    }\n}\n";
        assert!(tests.text.ends_with(expected), "{}", tests.text);
        assert_eq!(tests.text, formatted(&tests.text));
        assert_eq!(*tests.lines[0].end(), tests.text.lines().count());
    }

    #[test]
    fn a_value_that_cannot_be_shown_is_shown_in_the_test() {
        let mut bug = bug();
        bug.program = program([call("f").bound("url", true)]);
        let lines = |bug: &Bug| shown(bug).lines();
        assert_eq!(lines(&bug), ["let mut url = f();"]);
        bug.finding.phase = Phase::Observe;
        let printed = ["let mut url = f();", "let _ = format!(\"{url:?}\");"];
        assert_eq!(lines(&bug), printed);
        // A reduced program does it itself.
        bug.program = shown(&bug);
        assert_eq!(lines(&bug), printed);
    }
}
