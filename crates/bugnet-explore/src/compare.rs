//! Comparing: the smallest program that some variants run otherwise, as the body of a test.
//!
//! **Invariant:** every switch that is said to be noticed was noticed by the program that is told.

use super::describe::described;
use super::filter::{differs, is_steady};
use super::limit::Limit;
use super::reduce::reduce;
use super::seen::CUT;
use super::transcript::{Stage, difference, panics};
use super::trial::Trial;
use bugnet::choice::Tape;
use bugnet::oracle::{Failure, Signature};
use bugnet::program::Programs;
use bugnet::wire::explore::{Compared, Comparison, Entry, Sight, Switch, Transcript};
use bugnet::wire::{Call, Role};
use std::collections::BTreeSet;

/// A program fails here if every one of some switches makes a difference to it.
struct Disagrees<'a> {
    stage: &'a Stage<'a>,
    kept: &'a [Switch],
    /// True if the program panics as it is.
    may_panic: bool,
}

impl Trial for Disagrees<'_> {
    fn failure(&self, tape: &Tape) -> Option<Failure> {
        let original = self.stage.original(tape)?;
        // A program that panics is another question than one that does not.
        if panics(&original.transcript) && !self.may_panic {
            return None;
        }
        let are_noticed =
            self.kept.iter().all(|one| differs(self.stage, tape, std::slice::from_ref(one), &original));
        are_noticed.then(|| Failure::new(Signature::ReturnedFalse, ""))
    }
}

/// Reduces a program and tells what it does; `None` if no switch makes a difference to it.
pub(crate) fn compare(programs: &Programs, stage: &Stage<'_>, asked: &Comparison) -> Option<Compared> {
    let may_panic = panics(&stage.original(&asked.tape)?.transcript);
    let disagrees = Disagrees { stage, kept: &asked.kept, may_panic };
    let reduced = reduce(programs, &disagrees, &asked.tape, Limit::trials(asked.trials));
    let tape = reduced.map_or_else(|| asked.tape.clone(), |reduced| reduced.program.tape);
    let original = stage.original(&tape)?;
    if !is_steady(stage, &tape, &original) {
        return None;
    }
    let (mut noticed, mut pinned, mut variant) = (Vec::new(), BTreeSet::new(), None);
    for switch in &asked.all {
        let other = stage.variant(&tape, std::slice::from_ref(switch), &original);
        if let Some((place, there)) = difference(&original.transcript, &other) {
            noticed.push(*switch);
            pinned.insert(place);
            variant.get_or_insert_with(|| (place, there.map_or_else(|| "nothing more".to_string(), shown)));
        }
    }
    let (place, variant) = variant?;
    let entries = &original.transcript.entries;
    let described = described(programs, &tape, None)?;
    let written = |is_typed| written(&described.calls, &original.transcript, &pinned, is_typed);
    let (lines, plain) = (written(true), written(false));
    Some(Compared {
        helpers: described.helpers,
        original: entries.get(place).map_or_else(|| "nothing more".to_string(), shown),
        variant,
        panics: panics(&original.transcript),
        noticed,
        lines,
        plain,
        tape,
    })
}

/// Returns what is seen, in words.
pub(crate) fn shown(entry: &Entry) -> String {
    match &entry.sight {
        Sight::Result(text) | Sight::Value(text) => text.clone(),
        Sight::Panic(message) => format!("panics: {message}"),
        Sight::Died(how) => how.clone(),
        Sight::Barred => "returns nothing that the next call could use".to_string(),
    }
}

/// Writes a program as the body of a test that asserts some of what is seen.
pub(crate) fn written(
    calls: &[Call],
    transcript: &Transcript,
    pinned: &BTreeSet<usize>,
    is_typed: bool,
) -> Vec<String> {
    let entries = &transcript.entries;
    let pinned = || pinned.iter().filter_map(|place| entries.get(*place));
    let mut lines = Vec::new();
    let mut number = 0;
    for call in calls {
        if call.role == Role::Drop {
            lines.push(call.statement());
            continue;
        }
        let results: Vec<&str> = pinned()
            .filter(|entry| entry.call == number)
            .filter_map(|entry| match &entry.sight {
                Sight::Result(text) => Some(text.as_str()),
                _ => None,
            })
            .collect();
        match (&call.binding, results.first()) {
            (_, None) => lines.push(call.statement()),
            (None, Some(text)) => lines.push(assertion(&call.expression, text, is_typed)),
            (Some(binding), Some(text)) => {
                lines.push(call.statement());
                let text = if call.expression.ends_with(".unwrap()") { inner(text) } else { text };
                lines.push(as_text(&format!("{{{}:?}}", binding.name), None, text));
            }
        }
        number += 1;
    }
    let bindings: Vec<Option<&str>> = calls
        .iter()
        .filter(|call| call.role != Role::Drop)
        .map(|call| call.binding.as_ref().map(|binding| binding.name.as_str()))
        .collect();
    for entry in pinned() {
        let binding = bindings.get(entry.call as usize).copied().flatten();
        if let (Sight::Value(text), Some(name)) = (&entry.sight, binding) {
            lines.push(as_text(&format!("{{{name}:?}}"), None, text));
        }
    }
    lines
}

/// Returns what is inside of a `Some` or `Ok`.
fn inner(text: &str) -> &str {
    let inside = text.strip_prefix("Some(").or_else(|| text.strip_prefix("Ok("));
    inside.and_then(|inside| inside.strip_suffix(')')).unwrap_or(text)
}

/// Asserts the value of an expression: as a literal, if it looks like one, else as text.
fn assertion(expression: &str, text: &str, is_typed: bool) -> String {
    let is_literal = text.parse::<i128>().is_ok()
        || ["true", "false", "None"].contains(&text)
        || text.len() > 1 && text.starts_with('"') && text.ends_with('"');
    match text {
        "true" if is_typed => format!("assert!({expression});"),
        "false" if is_typed => format!("assert!(!{});", operand(expression)),
        _ if is_typed && is_literal => format!("assert_eq!({expression}, {text});"),
        _ => as_text("{:?}", Some(expression), text),
    }
}

fn operand(expression: &str) -> String {
    let is_simple = !expression.contains(' ') || expression.ends_with(')') && !expression.contains(" == ");
    if is_simple { expression.to_string() } else { format!("({expression})") }
}

/// Asserts what is printed. Of a text that was cut, the beginning is asserted.
fn as_text(format: &str, expression: Option<&str>, text: &str) -> String {
    let expression = expression.map(|expression| format!(", {expression}")).unwrap_or_default();
    match text.split_once(CUT) {
        None => format!("assert_eq!(format!(\"{format}\"{expression}), {text:?});"),
        Some((start, _)) => format!("assert!(format!(\"{format}\"{expression}).starts_with({start:?}));"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::filter::Filter;
    use super::super::hook::Exploring;
    use super::super::watcher::Audience;
    use super::*;
    use crate::{Operation, Seen, SeenByDebug, Suite, Switches, Verdict, draw, value};
    use bugnet::choice::{Choice, Kind, Seed, Source};
    use bugnet::engine::Execution;
    use std::sync::atomic::{AtomicU8, Ordering};

    static ON: AtomicU8 = AtomicU8::new(0);

    /// The code under test, with one site.
    fn is_large(x: u32) -> bool {
        if ON.load(Ordering::Relaxed) == 1 { x > 1_000 } else { x > 10 }
    }

    fn suite() -> Suite {
        let is_large = Operation::new("is_large", "is_large({0})", |frame| {
            let x: u32 = draw(frame);
            let r = is_large(x);
            (&&Seen(&r)).see();
            Verdict::Pass
        });
        Suite::new("numbers").operation(is_large.parameter(value::<u32>("x", "u32"))).reachable().0.unwrap()
    }

    const SWITCHES: Switches = Switches {
        arm: |wanted, _| ON.store(wanted.first().map_or(0, |(_, value)| *value), Ordering::Relaxed),
        disarm: |_| ON.store(0, Ordering::Relaxed),
        reached: || vec![0],
        steps: || 0,
    };

    /// Draws a program of three calls.
    fn drawn(suite: &Suite, case: u64) -> Tape {
        let mut source = Source::recording(Seed(1), case);
        let mut execution = Execution::hooked(suite, Exploring::replaying(suite, &[]));
        execution.begin(&mut source, &[1]);
        (0..3).for_each(|_| drop(execution.attempt(&mut source)));
        let mut tape = source.tape().clone();
        tape.choices.push(Choice { kind: Kind::Index, value: 0, limit: 1 });
        tape
    }

    #[test]
    fn a_program_that_a_switch_changes_becomes_the_smallest_test_of_it() {
        let programs = Programs::new(suite());
        let stage = Stage { suite: programs.suite(), switches: SWITCHES };
        let is_noticed = |tape: &Tape| {
            let original = stage.original(tape).unwrap();
            differs(&stage, tape, &[(0, 1)], &original)
        };
        let tapes: Vec<Tape> = (0..300).map(|case| drawn(programs.suite(), case)).collect();
        let tape =
            tapes.iter().find(|tape| is_noticed(tape)).expect("some number is between the two").clone();
        let asked = Comparison { tape, kept: vec![(0, 1)], all: vec![(0, 1), (0, 2)], trials: 1_000 };
        let compared = compare(&programs, &stage, &asked).unwrap();
        assert_eq!(compared.lines, ["assert!(is_large(11));"]);
        assert_eq!(compared.plain, ["assert_eq!(format!(\"{:?}\", is_large(11)), \"true\");"]);
        assert_eq!((compared.original.as_str(), compared.variant.as_str()), ("true", "false"));
        // The other switch does nothing.
        assert_eq!((compared.noticed, compared.panics), (vec![(0, 1)], false));
        let equal = tapes.iter().find(|tape| !is_noticed(tape)).unwrap();
        let asked = Comparison { tape: equal.clone(), ..asked };
        assert_eq!(compare(&programs, &stage, &asked), None);
        // A variant that is noticed often enough is not run any more.
        let (mut filter, mut runs) = (Filter::new(SWITCHES, vec![vec![(0, 1)]], 1), 0);
        for tape in tapes.iter().filter(|tape| is_noticed(tape)).take(3) {
            filter.look(programs.suite(), 0, tape, &mut |_| runs += 1);
        }
        assert_eq!(runs, 2, "once as a group and once alone");
    }

    #[test]
    fn a_value_is_asserted_as_a_literal_or_as_text() {
        assert_eq!(assertion("f(1)", "7", true), "assert_eq!(f(1), 7);");
        assert_eq!(assertion("f(1)", "7", false), "assert_eq!(format!(\"{:?}\", f(1)), \"7\");");
        assert_eq!(assertion("a == b", "false", true), "assert!(!(a == b));");
        assert_eq!(
            assertion("f()", "Some(\"x\")", true),
            "assert_eq!(format!(\"{:?}\", f()), \"Some(\\\"x\\\")\");"
        );
        assert_eq!(
            assertion("f()", "[1, 2… 9 bytes, 00", true),
            "assert!(format!(\"{:?}\", f()).starts_with(\"[1, 2\"));"
        );
        assert_eq!((inner("Some(3)"), inner("Ok([])"), inner("3")), ("3", "[]", "3"));
    }
}
