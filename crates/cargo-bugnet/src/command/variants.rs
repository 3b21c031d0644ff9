//! `cargo bugnet variants`: which changes of a library its tests do not notice, and which inputs would.
//!
//! **Invariant:** what is said of a mutant was seen: it was compiled, and its tests were run.

use crate::arguments::Variants;
use crate::cargo;
use crate::exit::Exit;
use crate::report::counted;
use crate::report::variants::{self as report, Told};
use crate::status::{self, Tone};
use crate::variants::choice::Choice;
use crate::variants::decision::{self, Decisions};
use crate::variants::mutation::Mutations;
use crate::variants::neutral::Class;
use crate::variants::question::Question;
use crate::variants::session::{Effort, Exploration, Library, Session};
use anyhow::{Context, Result};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// True once Ctrl-C was pressed: what is done is reported, and nothing else is begun.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Makes the variants of a library.
pub(crate) fn variants(arguments: &Variants) -> Result<Exit> {
    if !arguments.program.sources.is_empty() {
        return super::program::variants(arguments);
    }
    let features = super::chosen::features(&arguments.library.features);
    let subject = Library::find(
        arguments.library.package.name.as_deref(),
        arguments.library.package.manifest_path.as_deref(),
        features.clone(),
    )?;
    if let Some(build) = &arguments.against {
        watch_interrupt()?;
        return super::against::against(&subject, features, build, arguments);
    }
    let choice =
        Choice::new(&arguments.files, &arguments.expressions, arguments.in_diff.as_deref(), arguments.shard)?;
    let schema = subject.schema(arguments.operators, &choice)?;
    if arguments.list {
        return Ok(list(&schema.mutations));
    }
    watch_interrupt()?;
    let effort = Effort {
        jobs: processes(arguments),
        is_release: arguments.library.release,
        end: arguments.time.map(|time| Instant::now() + time),
        is_interrupted: &is_interrupted,
    };
    let session = Session::run(subject, schema, &effort)?;
    tell(&session);
    let explored = if arguments.missed { Exploration::default() } else { explored(&session, arguments)? };
    if let Some(path) = &arguments.json {
        let text = report::json(&told(&session, &explored))?;
        std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    if arguments.missed {
        anstream::print!("{}", report::missed(&session.schema.mutations, &session.mutants));
        let missed = session.of(|class| matches!(class, Class::Live | Class::Unreached));
        return Ok(if missed.is_empty() { Exit::Success } else { Exit::Refuted });
    }
    Ok(if explored.questions.is_empty() { Exit::Success } else { Exit::Refuted })
}

/// Time to explore and to reduce each, unless the user says otherwise.
pub(super) const EXPLORING: Duration = Duration::from_secs(300);

/// Looks for programs that notice the mutants which live, and keeps the questions.
fn explored(session: &Session, arguments: &Variants) -> Result<Exploration> {
    let time = arguments.time.unwrap_or(EXPLORING);
    let mut explored = match session.explore(arguments.seed, arguments.programs, time, &is_interrupted) {
        Ok(explored) => explored,
        // What the tests have said stays true.
        Err(error) => {
            status::warning(&format!("no inputs were looked for: {error:#}"));
            return Ok(Exploration::default());
        }
    };
    decision::keep(&session.subject.folder(), &explored.questions)?;
    let decisions = Decisions::read(session.subject.home())?;
    explored.questions = decisions.open(explored.questions);
    if explored.living == 0 {
        return Ok(explored);
    }
    let Exploration { living, variants, programs, noticed, .. } = &explored;
    let text = format!("{programs} programs on {variants} variants of {living} mutants: {noticed} noticed");
    status::line(Tone::Plain, "Explored", &text);
    tell_open(&explored.questions, *living, "cargo bugnet review");
    Ok(explored)
}

fn told<'a>(session: &'a Session, explored: &'a Exploration) -> Told<'a> {
    Told {
        name: session.subject.package.name.as_str(),
        tests: session.suite.tests.len(),
        proposed: session.proposed,
        rounds: session.rounds,
        mutations: &session.schema.mutations,
        mutants: &session.mutants,
        spent: session.spent,
        programs: explored.programs,
        variants: explored.variants,
        noticed: explored.noticed,
        inputs: Vec::new(),
        questions: &explored.questions,
    }
}

/// Says what was made and what came of it.
fn tell(session: &Session) {
    tell_mutants(&told(session, &Exploration::default()));
}

/// Says which mutants were made and what the tests say of them.
pub(super) fn tell_mutants(told: &Told<'_>) {
    let (mutations, all) = (told.mutations, told.mutants.len());
    status::line(
        Tone::Plain,
        "Mutated",
        &format!(
            "{} of {} in one build ({all} of {} compile, {})",
            counted(mutations.sites.len(), "place"),
            counted(mutations.files.len(), "file"),
            counted(told.proposed, "mutant"),
            counted(told.rounds, "round"),
        ),
    );
    let left_out = mutations.left_out.iter().map(|(reason, count)| format!("{count} {reason}"));
    let left_out = left_out.collect::<Vec<_>>().join(", ");
    if !left_out.is_empty() {
        status::line(Tone::Plain, "Left out", &left_out);
    }
    let count = |is_wanted: &dyn Fn(&Class) -> bool| {
        told.mutants.iter().filter(|(_, class)| is_wanted(class)).count()
    };
    let mut parts = vec![
        format!("{} killed", count(&Class::is_killed)),
        format!("{} never reached", count(&|class| *class == Class::Unreached)),
        format!("{} live", count(&|class| *class == Class::Live)),
    ];
    let untested = count(&|class| *class == Class::Untested);
    if untested > 0 {
        parts.push(format!("{untested} not tested, for want of time"));
    }
    let tests = counted(told.tests, "test");
    let text = format!("{} with your {tests}: {}", counted(all, "mutant"), parts.join(", "));
    status::line(Tone::Plain, "Tested", &text);
    let each = told.spent.as_secs_f64() * 1000.0 / (all - untested).max(1) as f64;
    status::line(Tone::Plain, "Cost", &format!("{each:.1} ms of processor time a mutant"));
}

/// Says how many questions are open, and how to answer them.
pub(super) fn tell_open(questions: &[Question], living: usize, review: &str) {
    let settled: usize = questions.iter().map(|question| question.mutants.len()).sum();
    let text = match questions.len() {
        0 => format!("no input was found that notices any of the {living}"),
        count => format!("{} would settle {settled} of the {living}:  {review}", counted(count, "question")),
    };
    status::line(Tone::Plain, "Open", &text);
}

/// Has Ctrl-C end what is running; what is done is reported, and nothing else is begun.
pub(super) fn watch_interrupt() -> Result<()> {
    ctrlc::set_handler(|| {
        cargo::end_all();
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .context("Ctrl-C cannot be watched")
}

/// Returns whether Ctrl-C was pressed.
pub(super) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Returns how many processes to run at a time.
pub(super) fn processes(arguments: &Variants) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    arguments.jobs.map_or_else(cores, NonZeroUsize::get)
}

/// Prints the mutants that would be made.
pub(super) fn list(mutations: &Mutations) -> Exit {
    for mutant in mutations.mutants() {
        anstream::println!("{}", mutations.name(mutant));
    }
    Exit::Success
}
