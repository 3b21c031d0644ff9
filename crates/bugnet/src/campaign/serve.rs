//! Serving: what a child does for its parent.
//!
//! **Invariant:** a child does nothing of its own accord and ends when its parent does.

use crate::case::{Cases, Journal, Judge};
use crate::choice::{Source, Tape};
use crate::label;
use crate::oracle::{Verdict, WrongTest};
use crate::program::Scratch;
use crate::random::Seed;
use crate::wire::{Command, Event, Outcome, Ran, VERSION, Work, decode, encode};
use bugnet_process::{Channel, channel};
use std::sync::OnceLock;

/// Returns the name of the property that this process is asked to serve, if it was started to serve one.
pub(super) fn asked() -> Option<&'static str> {
    static HELLO: OnceLock<Option<String>> = OnceLock::new();
    let hello = HELLO.get_or_init(|| {
        let channel = channel()?;
        let Some(Command::Hello { serve, .. }) = decode(&channel.receive()?) else { return None };
        if serve.is_empty() {
            // Nothing is to be served, but somebody wants to hear what comes of properties.
            tell(channel, &Event::Ready { version: VERSION });
        }
        Some(serve)
    });
    hello.as_deref()
}

/// Tells what came of a property, if this process was started by somebody who wants to hear that.
pub(crate) fn tell_outcome(outcome: impl FnOnce() -> Outcome) {
    if let (Some(""), Some(channel)) = (asked(), channel()) {
        tell(channel, &Event::Outcome(outcome()));
    }
}

/// Runs the cases that the parent asks for, until it is gone; then exits.
pub(super) fn serve(cases: Cases<'_>, scratch: &mut Scratch) -> ! {
    if let Some(channel) = channel() {
        let mut journal = Journal::shared(channel.journal());
        let mut judge = Judge::new(cases, scratch, &mut journal, None);
        tell(channel, &Event::Ready { version: VERSION });
        while let Some(command) = channel.receive() {
            match decode(&command) {
                Some(Command::Run(work)) => tell(channel, &Event::Ran(run(&mut judge, &work))),
                Some(Command::Know(restraint)) => {
                    if let Some(programs) = cases.programs {
                        judge.scratch.steering.heed(programs.suite(), &restraint);
                    }
                }
                _ => break,
            }
        }
    }
    std::process::exit(0);
}

fn tell(channel: &Channel, event: &Event) {
    // A parent that is gone has nothing more to ask either.
    channel.send(&encode(event));
}

/// Runs cases up to the first that does not pass.
fn run(judge: &mut Judge<'_>, work: &Work) -> Ran {
    judge.journal.write(work);
    let outer = label::begin(Default::default());
    let ran = match work {
        Work::Tape(tape) => traced(judge, Source::replay(tape.clone())),
        Work::Random { seed, first, count } => random(judge, *seed, *first, *count),
        Work::Traced(seed) => traced(judge, Source::recording(*seed, 0)),
        // The parent enumerates, and sends every input as a tape.
        Work::Exhaustive { .. } => Ok((Verdict::Discard, 0, None)),
    };
    let labels = label::end(outer);
    match ran {
        Ok((verdict, ended, tape)) => Ran { verdict, ended, labels, tape },
        // The parent generates as well, so it has met the mistake before its child did.
        Err(WrongTest(_)) => {
            Ran { verdict: Verdict::Discard, ended: 1, labels: label::Labels::default(), tape: None }
        }
    }
}

/// Runs one case. If only running it shows what it is, its tape is noted on the way, and told at the end.
fn traced(judge: &mut Judge<'_>, mut source: Source) -> Result<(Verdict, u64, Option<Tape>), WrongTest> {
    if let Some(watcher) = judge.journal.watcher() {
        source.watched_by(watcher);
    }
    let verdict = judge.case(&mut source, &mut |_| true)?.unwrap_or(Verdict::Discard);
    let tape = source.is_unfinished().then(|| source.into_tape());
    Ok((verdict, 1, tape))
}

fn random(
    judge: &mut Judge<'_>,
    seed: Seed,
    first: u64,
    count: u64,
) -> Result<(Verdict, u64, Option<Tape>), WrongTest> {
    let mut source = Source::random(seed, first.wrapping_sub(1));
    label::follow(source.case_marker());
    let verdict = judge.batch(&mut source, seed, count)?;
    if verdict == Verdict::Pass {
        label::finish();
    } else {
        label::discard();
    }
    Ok((verdict, source.case_number(seed).wrapping_sub(first) + 1, None))
}
