//! Reports as text for a terminal.
//!
//! **Invariant:** the same outcome gives the same text.

use crate::campaign::{Argument, Calls, Cover, Effort, Failed, Finder, Origin, Passed, Reason};
use crate::choice::Tape;
use crate::list::{mapped, sort};
use crate::oracle::{Failure, Phase, Signature};
use crate::swarm::Tally;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::PathBuf;

/// One line on what was tested, then the labels in lines of their own, if there are several.
pub(crate) fn passed(passed: &Passed) -> String {
    format!("{}: OK, passed {}", short(&passed.name), tested(passed))
}

/// The same without the name and the verdict.
pub(super) fn tested(passed: &Passed) -> String {
    let Passed { tests, discarded, exhausted, labels, .. } = passed;
    let mut remarks = Vec::new();
    let mut text = match exhausted {
        Some(all) if all.whole => all.to_string(),
        Some(all) if all.inputs > 1 && all.inputs - all.discarded <= *tests => {
            remarks.push(all.to_string());
            counted(*tests, "test")
        }
        _ => counted(*tests, "test"),
    };
    // Those of a search that met nothing else are told with it.
    let is_told = exhausted.is_some_and(|all| all.whole && all.discarded == *discarded);
    if *discarded > 0 && !is_told {
        remarks.push(format!("{discarded} discarded"));
    }
    if passed.avoided > 0 {
        remarks.push(format!("{} more are known to fail and not run", passed.avoided));
    }
    if !passed.around.is_empty() {
        remarks.push(around(&passed.around));
    }
    if !passed.never_called.is_empty() {
        remarks.push(format!("never called: {}", passed.never_called.join(", ")));
    }
    for (operation, message) in &passed.always_refused {
        remarks.push(format!("`{operation}` was called and always refused: {message}"));
    }
    if !passed.fixed.is_empty() {
        remarks.push(fixed(&passed.fixed).trim_start_matches(": ").to_string());
    }
    let shares = shares(&labels.counts, &labels.covers, *tests);
    if let [share] = shares.as_slice() {
        remarks.push(share.trim().to_string());
    }
    let checks = &labels.checks;
    let of_checks = self::shares(&checks.counts, &checks.covers, checks.made);
    if !remarks.is_empty() {
        let _ = write!(text, " ({})", remarks.join("; "));
    }
    text.push('.');
    if shares.len() > 1 {
        for share in &shares {
            text.extend(["\n", share]);
        }
        let all = labels.counts.len() + labels.covers.len();
        if all > shares.len() {
            let _ = write!(text, "\n     and {} more", all - shares.len());
        }
    }
    if !of_checks.is_empty() {
        let _ = write!(text, "\n  of {}:", counted(checks.made, "check"));
        for share in &of_checks {
            text.extend(["\n", share]);
        }
    }
    text
}

/// Known bugs that a pass names, at most.
const NAMED: usize = 3;

/// The known bugs that the search went around.
fn around(names: &[String]) -> String {
    let mut text = format!("around {}", counted(names.len() as u64, "known bug"));
    for (place, name) in names.iter().take(NAMED).enumerate() {
        let _ = write!(text, "{} `{name}`", if place == 0 { ":" } else { "," });
    }
    if names.len() > NAMED {
        text.push_str(", …");
    }
    text
}

/// Labels shown at most.
const SHOWN: usize = 12;

/// The most frequent labels with their shares of the tests, most frequent first.
fn shares(counts: &HashMap<String, u64>, covers: &[(String, Cover)], tests: u64) -> Vec<String> {
    let mut most: Vec<(&str, u64)> = Vec::new();
    for (label, count) in counts {
        most.push((label, *count));
    }
    for (label, cover) in covers {
        most.push((label, cover.hits));
    }
    sort(&mut most, &|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(other.0)));
    most.truncate(SHOWN);
    let share = |(label, count): &(&str, u64)| {
        let percent = 100.0 * *count as f64 / tests.max(1) as f64;
        if *count > 0 && percent < 0.5 { format!(" <1% {label}") } else { format!("{percent:3.0}% {label}") }
    };
    mapped(&most, share)
}

/// Returns the report of a failure: its input, its message, and the way to see it again.
pub(crate) fn failed(failed: &Failed) -> String {
    let name = short(&failed.name);
    let mut text = String::new();
    match &failed.reason {
        Reason::Refuted(_) if failed.has_named_bugs() => return all_bugs(failed, name),
        Reason::Refuted(failure) => {
            let _ = writeln!(text, "{name}: FAILED {}", effort(&failed.effort()));
            write_input(&mut text, failed);
            write_failure(&mut text, failure);
            if let Some(remark) = failed.remark {
                let _ = writeln!(text, "  {remark}\n");
            }
            write_influences(&mut text, failed.influences());
        }
        Reason::Flaky { failure, runs, failed: again } => {
            let _ = writeln!(text, "{name}: FLAKY: an input failed, and then in {again} of {runs} more runs");
            write_input(&mut text, failed);
            write_failure(&mut text, failure);
            text.push_str("  The property or the code under test depends on something that is not its input: time,\n  randomness, a global, the order of a hash map. It cannot be reduced until it does not.\n");
        }
        Reason::GaveUp { passed, discarded } => {
            let _ = writeln!(
                text,
                "{name}: GAVE UP: only {passed} of {} inputs met the preconditions.",
                passed + discarded
            );
            text.push_str("  Loosen `assume!` or `filter`, or generate what meets them: `#[with(…)]`, `map`, `from_fn`.\n");
            return text;
        }
        Reason::Uncovered { label, percent, hits, cases } => {
            let share = 100.0 * *hits as f64 / *cases as f64;
            let _ = writeln!(
                text,
                "{name}: NOT COVERED: {label:?} in {hits} of {cases} tests ({share:.1}%), and {percent}% are demanded.\n  \
                 Generate more of it: `#[with(…)]`, `weighted`, or lower the percentage."
            );
            return text;
        }
        Reason::Fixed(_) => {
            let _ = writeln!(text, "{name}: FIXED{}", fixed(&failed.fixed));
            return text;
        }
        Reason::Misused(problem) => {
            let _ = writeln!(text, "{name}: NOT TESTED: {problem}");
            return text;
        }
    }
    write_replay(&mut text, failed, name);
    text
}

/// A line that must be seen although the test passes.
pub(super) fn mended(passed: &Passed) -> Option<String> {
    (!passed.fixed.is_empty()).then(|| format!("{}{}", short(&passed.name), fixed(&passed.fixed)))
}

/// Returns the advice about known bugs that are gone.
fn fixed(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!(": {} {verb} fixed: remove from bugnet-known.toml", names.join(", "))
}

/// Every bug once, and how many there are.
fn all_bugs(failed: &Failed, name: &str) -> String {
    let mut text = String::new();
    let several = failed.bugs.len() > 1;
    for (number, bug) in failed.bugs.iter().enumerate() {
        match several {
            true => {
                let (number, found) = (number + 1, effort(&bug.effort));
                let _ = match &bug.variant_of {
                    Some(base) => writeln!(
                        text,
                        "{name}: BUG {number} `{}`, another way to `{base}`, {found}",
                        bug.name
                    ),
                    None => writeln!(text, "{name}: BUG {number} `{}`, {found}", bug.name),
                };
            }
            false => {
                let _ = writeln!(text, "{name}: FAILED {}", effort(&bug.effort));
            }
        }
        write_lines(&mut text, &bug.arguments, &bug.notes);
        write_failure(&mut text, &bug.failure);
        if !bug.words.is_empty() {
            let _ = writeln!(text, "  pattern: {}", bug.words);
        }
        for shape in &bug.shapes {
            text.extend(["  also as: ", shape, "\n"]);
        }
        let times = |(by, count): &(Finder, u64)| format!("{by} {}", counted(*count, "time"));
        let hits: Vec<String> = mapped(&bug.hits, times);
        let avoided = match bug.avoided {
            0 => String::new(),
            avoided => format!("; {avoided} more were not run"),
        };
        let _ = writeln!(text, "  met by: {}{avoided}", hits.join(", "));
        let _ = writeln!(text, "  known? cargo bugnet accept {}\n", bug.name);
        // Bugs behind a property that have one signature have one table.
        let is_new = failed.bugs[..number].iter().all(|other| other.influences != bug.influences);
        if is_new {
            write_influences(&mut text, &bug.influences);
        }
        write_places(
            &mut text,
            Some(&bug.tape),
            &bug.failure,
            [bug.kept.as_ref(), bug.written.as_ref()],
            name,
        );
        if several {
            text.push('\n');
        }
    }
    let _ = writeln!(text, "  seed: {}", failed.seed);
    if !failed.fixed.is_empty() {
        let _ = writeln!(text, "{name}{}", fixed(&failed.fixed));
    }
    if several {
        let tests = counted(failed.tests, "test");
        let _ = write!(text, "{name}: {} in {tests}", counted(failed.bugs.len() as u64, "bug"));
        let Calls { searching, learning, explaining } = failed.calls;
        if failed.calls.all() > 0 {
            let _ = write!(
                text,
                " ({searching} calls to search, {learning} to reduce and generalize, {explaining} to explain)"
            );
        }
        text.push('\n');
    }
    text
}

fn write_input(text: &mut String, failed: &Failed) {
    write_lines(text, failed.arguments(), failed.notes());
}

fn write_lines(text: &mut String, arguments: &[Argument], notes: &[String]) {
    text.push('\n');
    for argument in arguments {
        let _ = writeln!(text, "    {}", argument.to_string().replace("\n", "\n    "));
    }
    for note in notes {
        let _ = writeln!(text, "    // {}", note.replace("\n", "\n    // "));
    }
    text.push('\n');
}

fn write_failure(text: &mut String, failure: &Failure) {
    for line in failure.message.lines() {
        let _ = writeln!(text, "  {line}");
    }
    if let Some(location) = failure.location() {
        let _ = writeln!(text, "  at {location}");
    }
    match &failure.signature {
        Signature::InCall { operation, .. } if operation.is_empty() => {
            text.push_str("  when the values were dropped\n");
        }
        Signature::InCall { operation, phase: Phase::Observe, .. } => {
            let _ = writeln!(text, "  when `{operation}` was printed");
        }
        Signature::InCall { operation, phase: Phase::Drop, .. } => {
            let _ = writeln!(text, "  when a value was dropped before `{operation}`");
        }
        Signature::InCall { operation, phase, .. } => {
            let _ = writeln!(text, "  in the {phase} `{operation}`");
        }
        _ => {}
    }
    text.push('\n');
}

/// The table of triggers and suppressors, if any were found.
fn write_influences(text: &mut String, influences: &Tally) {
    let table = influences.table();
    if !table.is_empty() {
        table.lines().for_each(|line| text.extend(["  ", line, "\n"]));
        text.push('\n');
    }
}

/// The longest replay token that is shown, if the case is kept in a file as well.
const LONGEST_TOKEN: usize = 300;

fn write_replay(text: &mut String, failed: &Failed, name: &str) {
    if let Reason::Refuted(failure) | Reason::Flaky { failure, .. } = &failed.reason {
        write_places(text, failed.tape(), failure, [failed.kept(), failed.written()], name);
    }
    if failed.effort().origin == Origin::Found {
        let _ = writeln!(text, "  seed: {}", failed.seed);
    }
}

/// Writes the command that shows a failure again, and the places where it is kept.
fn write_places(
    text: &mut String,
    tape: Option<&Tape>,
    failure: &Failure,
    [kept, written]: [Option<&Result<PathBuf, String>>; 2],
    name: &str,
) {
    if let Some(tape) = tape {
        let isolate = if failure.signature.is_deadly() { "BUGNET_ISOLATE=on " } else { "" };
        let token = tape.to_string();
        let _ = match kept {
            // A token that fills the screen helps nobody.
            Some(Ok(_)) if token.len() > LONGEST_TOKEN => {
                writeln!(text, "  replay: cargo test {name} (what is kept runs first)")
            }
            // A property that draws nothing has one case.
            _ if tape.values().is_empty() => writeln!(text, "  replay: cargo test {name}"),
            _ => writeln!(text, "  replay: {isolate}BUGNET_REPLAY='{token}' cargo test {name}"),
        };
    }
    for (place, done) in [(kept, "kept in"), (written, "written to")] {
        let _ = match place {
            Some(Ok(path)) => writeln!(text, "  {done}: {}", path.display()),
            Some(Err(problem)) => {
                writeln!(text, "  not {}: {problem}", done.split(' ').next().unwrap_or_default())
            }
            None => Ok(()),
        };
    }
}

fn effort(effort: &Effort) -> String {
    let Effort { origin, passed, shrink_tests, shrink_steps, unfinished } = effort;
    let mut text = match origin {
        Origin::Found => format!("at test {}", passed + 1),
        Origin::InFlight => origin.to_string(),
        Origin::Example | Origin::Kept => return origin.to_string(),
    };
    if *shrink_tests > 0 {
        let (steps, tests) = (counted(*shrink_steps, "step"), counted(*shrink_tests, "test"));
        let _ = write!(text, ", reduced in {steps} of {tests}");
    }
    if *unfinished {
        text.push_str(" (cut short: raise `shrinks` or `shrink_time`)");
    }
    text
}

fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The last part of a name, which is what `cargo test` takes.
fn short(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}
