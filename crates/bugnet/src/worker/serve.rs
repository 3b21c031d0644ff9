//! Serving: what a child does for its parent.
//!
//! **Invariant:** a child does nothing of its own accord and ends when its parent does.

use super::child::{LESSON, MARK, write_failure};
use super::{Flight, Journal};
use crate::campaign::{Judge, Misuse, Test, labels};
use crate::choice::{Seed, Source, Tape, Watcher};
use crate::oracle::Verdict;
use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;

/// Runs the cases that the parent asks for, until it closes standard input; then exits.
pub(crate) fn serve(test: &dyn Test) -> ! {
    let mut journal = Journal::default();
    let mut judge = Judge { test, journal: &mut journal };
    answer("ready");
    let mut command = String::new();
    while std::io::stdin().read_line(&mut command).is_ok_and(|count| count > 0) {
        if let (Some(lesson), Some(programs)) = (command.strip_prefix(LESSON), test.programs()) {
            programs.learn(lesson);
            command.clear();
            continue;
        }
        let Ok(flight) = command.parse() else { break };
        command.clear();
        let outer = labels::begin(Default::default());
        let result = run(&mut judge, &flight);
        let labels = labels::end(outer);
        match result {
            Ok((verdict, count)) => {
                labels.lines().iter().for_each(|line| answer(&format!("label {line}")));
                answer(&match verdict {
                    Verdict::Pass => format!("pass {count}"),
                    Verdict::Discard => format!("discard {count}"),
                    Verdict::Fail(failure) => format!("fail {count} {}", write_failure(&failure)),
                });
            }
            // The parent generates as well, so it has met the mistake before its child did.
            Err(Misuse(_)) => answer("discard 1"),
        }
    }
    std::process::exit(0);
}

fn answer(line: &str) {
    let mut output = std::io::stdout().lock();
    // A parent that is gone ends the child by closing its input.
    let _ = writeln!(output, "\n{MARK}{line}").and_then(|()| output.flush());
}

/// Runs cases up to the first that does not pass: its verdict, and how many were run.
fn run(judge: &mut Judge<'_>, flight: &Flight) -> Result<(Verdict, u64), Misuse> {
    match flight {
        Flight::Tape(tape) => traced(judge, Source::replay(tape.clone())),
        Flight::Random { seed, first, count } => random(judge, *seed, *first, *count),
        Flight::Trace(seed) => traced(judge, Source::recording(*seed, 0)),
        // The parent enumerates, and sends every input as a tape.
        Flight::Exhaustive { .. } => Ok((Verdict::Discard, 0)),
    }
}

/// Runs one case. If only running it shows what it is, its tape is told on the way.
fn traced(judge: &mut Judge<'_>, mut source: Source) -> Result<(Verdict, u64), Misuse> {
    let told = Rc::new(RefCell::default());
    let also = Rc::clone(&told);
    source.watched_by(Watcher(Box::new(move |tape| tell(&mut also.borrow_mut(), tape))));
    let verdict = judge.case(&mut source, &mut |_| true)?.unwrap_or(Verdict::Discard);
    if source.is_unfinished() {
        tell(&mut told.borrow_mut(), &source.into_tape());
    }
    Ok((verdict, 1))
}

/// Tells a tape by what is new in it: a program may have hundreds of calls, and each is told.
fn tell(told: &mut String, tape: &Tape) {
    let text = tape.to_string();
    let kept = told.bytes().zip(text.bytes()).take_while(|(old, new)| old == new).count();
    answer(&format!("calling {kept} {}", &text[kept..]));
    *told = text;
}

fn random(judge: &mut Judge<'_>, seed: Seed, first: u64, count: u64) -> Result<(Verdict, u64), Misuse> {
    let mut source = Source::random(seed, first.wrapping_sub(1));
    labels::follow(source.case_marker());
    let verdict = judge.batch(&mut source, seed, count)?;
    if verdict == Verdict::Pass {
        labels::finish();
    } else {
        labels::discard();
    }
    Ok((verdict, source.case_number(seed).wrapping_sub(first) + 1))
}
