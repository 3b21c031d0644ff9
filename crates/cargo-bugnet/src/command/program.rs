//! `cargo bugnet variants --c`: which changes of a C program its tests do not notice, and which inputs would.
//!
//! **Invariant:** what is said of a mutant was seen: it was compiled, and run on the tests.

use super::variants::{is_interrupted, list, processes, tell_mutants, tell_open, watch_interrupt};
use crate::arguments::Variants;
use crate::exit::Exit;
use crate::report::counted;
use crate::report::variants::{self as report, Noticing, Told};
use crate::status::{self, Tone};
use crate::variants::choice::Choice;
use crate::variants::decision::{self, Decisions};
use crate::variants::mutation::Mutant;
use crate::variants::neutral::Class;
use crate::variants::program::FOLDER;
use crate::variants::program::ask::{self, Alarms, Inputs, Packing};
use crate::variants::program::case::{self, Case};
use crate::variants::program::kept;
use crate::variants::program::session::{CProgram, Effort, Session};
use crate::variants::question::Question;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::time::Instant;

/// Makes the variants of a C program.
pub(crate) fn variants(arguments: &Variants) -> Result<Exit> {
    let program = &arguments.program;
    let home = std::env::current_dir().context("the folder that this command was called in is gone")?;
    let subject = CProgram { home, files: program.sources.clone(), build: program.build.clone() };
    let choice =
        Choice::new(&arguments.files, &arguments.expressions, arguments.in_diff.as_deref(), arguments.shard)?;
    let piece = subject.schema(arguments.operators, &choice)?;
    if arguments.list {
        return Ok(list(&piece.schema.mutations));
    }
    let Some(tests) = &program.tests else {
        bail!("--tests is missing: a file with one command line for each test, or a folder of inputs");
    };
    let command = program.command.as_deref();
    let kept = kept::read(&subject.home)?;
    let mut tests = case::read(tests, command, &subject.home)?;
    tests.splice(0..0, kept.iter().map(|given| given.case.clone()));
    watch_interrupt()?;
    let end = arguments.time.map(|time| Instant::now() + time);
    let is_late = || is_interrupted() || end.is_some_and(|end| Instant::now() > end);
    let effort = Effort { processes: processes(arguments), is_late: &is_late };
    let mut session = Session::run(&subject, piece, &tests, &kept, &effort)?;
    let mut told = told(&session);
    tell_mutants(&told);
    tell_left_out(&session.left_out, "test");
    let (alarms, questions) = match &program.inputs {
        Some(inputs) if !arguments.missed => {
            let inputs = new_cases(case::read(inputs, command, &subject.home)?, &session.tests);
            let end = arguments.time.map(|time| Instant::now() + time);
            let is_late = || is_interrupted() || end.is_some_and(|end| Instant::now() > end);
            let effort = Effort { is_late: &is_late, ..effort };
            asked(&mut session, &inputs, arguments, &effort)?
        }
        _ => (Alarms::default(), Vec::new()),
    };
    told = self::told(&session);
    told.programs = alarms.inputs.len() as u64;
    told.variants = alarms.variants;
    told.noticed = alarms.noticed();
    told.questions = &questions;
    let live: BTreeSet<Mutant> = session.of(|class| *class == Class::Live).into_iter().collect();
    let noticing = |(case, noticed): (&Case, &BTreeSet<Mutant>)| Noticing {
        line: case.line(),
        mutants: noticed.len(),
        live: noticed.intersection(&live).count(),
    };
    told.inputs = alarms.by_input().map(noticing).collect();
    if let Some(path) = &arguments.json {
        std::fs::write(path, report::json(&told)?)
            .with_context(|| format!("{} cannot be written", path.display()))?;
    }
    if arguments.missed {
        anstream::print!("{}", report::missed(told.mutations, told.mutants));
        let is_missed = |class: &Class| matches!(class, Class::Live | Class::Unreached);
        return Ok(if session.of(is_missed).is_empty() { Exit::Success } else { Exit::Refuted });
    }
    if program.inputs.is_none() {
        status::line(
            Tone::Plain,
            "Open",
            "no inputs were tried; --inputs names a list of command lines or a folder",
        );
    }
    Ok(if questions.is_empty() { Exit::Success } else { Exit::Refuted })
}

/// Returns the inputs that are no tests already.
fn new_cases(inputs: Vec<Case>, tests: &[Case]) -> Vec<Case> {
    inputs.into_iter().filter(|input| !tests.contains(input)).collect()
}

/// Runs inputs on variants, and keeps the questions.
fn asked(
    session: &mut Session,
    inputs: &[Case],
    arguments: &Variants,
    effort: &Effort<'_>,
) -> Result<(Alarms, Vec<Question>)> {
    let packing = match (arguments.program.variants, arguments.program.edits) {
        (Some(variants), Some(mutants)) => Packing::Drawn { variants, mutants, seed: arguments.seed },
        _ => Packing::All,
    };
    let alarms = ask::alarms(session, inputs, packing, effort)?;
    tell_left_out(&alarms.left_out, "input");
    let (inputs, noticed) = (counted(alarms.inputs.len(), "input"), alarms.noticed());
    let text =
        format!("{inputs} on {} variants of {} mutants: {noticed} noticed", alarms.variants, alarms.living);
    status::line(Tone::Plain, "Ran", &text);
    let how = if arguments.program.unreduced { Inputs::AsTheyAre } else { Inputs::Reduced };
    let questions = ask::questions(session, &alarms, how, effort)?;
    decision::keep(&session.bench.home.join(FOLDER), &questions)?;
    let questions = Decisions::read(&session.bench.home)?.open(questions);
    tell_open(&questions, alarms.living, "cargo bugnet review --c");
    Ok((alarms, questions))
}

fn tell_left_out(reasons: &[(&str, usize)], noun: &str) {
    for (reason, count) in reasons {
        status::warning(&format!("left out {}: {reason}", counted(*count, noun)));
    }
}

fn told(session: &Session) -> Told<'_> {
    Told {
        name: &session.bench.name,
        tests: session.tests.len(),
        proposed: session.proposed,
        rounds: session.rounds,
        mutations: session.mutations(),
        mutants: &session.mutants,
        spent: session.spent,
        programs: 0,
        variants: 0,
        noticed: 0,
        inputs: Vec::new(),
        questions: &[],
    }
}
