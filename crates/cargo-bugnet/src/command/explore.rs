//! `cargo bugnet explore`: calls what a crate lets its users call, and shows its bugs as tests.
//!
//! **Invariant:** everything found is on disk before it is shown, and Ctrl-C shortens a run but loses
//! nothing of it.

use super::chosen;
use crate::arguments::{Explore, Shown};
use crate::exit::Exit;
use crate::explore::bug::{Bug, Group};
use crate::explore::crew::{self, Effort, Run};
use crate::explore::fact::Harness;
use crate::explore::known::{self, Known};
use crate::explore::report::{self, Report, counted};
use crate::explore::{generalize, isolate, progress, proof, reduce, replay, root, subject, test, worker};
use crate::harness::{self, Coverage};
use crate::package;
use crate::status::{self, Tone};
use anyhow::{Context, Result, bail};
use bugnet::choice::Tape;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How often Ctrl-C was pressed: once ends exploring, twice reducing, thrice everything.
static INTERRUPTS: AtomicUsize = AtomicUsize::new(0);

fn interrupts() -> usize {
    INTERRUPTS.load(Ordering::Relaxed)
}

/// Explores a crate, or runs one of its bugs again.
pub(crate) fn explore(arguments: &Explore) -> Result<Exit> {
    let harness = harness(arguments)?;
    let folder = harness.folder.join("run");
    create(&folder)?;
    if let Some(bug) = &arguments.replay {
        return replay_one(bug, &harness, &folder);
    }
    let home = home(arguments)?;
    if let Some(bug) = &arguments.accept {
        return accept(bug, &folder, &home);
    }
    let known = known::read(&home, &harness.package)?;
    let gaps = isolate::gaps(&folder)?;
    gaps.iter().for_each(|gap| status::warning(gap));
    let first = |count| if count >= 3 { std::process::exit(130) } else { count };
    ctrlc::set_handler(move || {
        first(INTERRUPTS.fetch_add(1, Ordering::Relaxed) + 1);
    })
    .context("Ctrl-C cannot be watched")?;
    let patterns = known.iter().filter_map(|known| known.pattern.clone()).collect();
    let run = run(arguments, &harness, &folder, patterns)?;
    let groups = root::groups(&run, &harness);
    let (shown, mut suspects): (Vec<Group>, Vec<Group>) =
        groups.into_iter().partition(|group| group.judgement().is_shown());
    let jobs = jobs(arguments);
    let bugs = reduced(&shown, &harness, &folder, jobs, &mut suspects)?;
    let is_known = |bug: &Bug| known.iter().any(|known| known.is(bug));
    let (met, mut bugs): (Vec<Bug>, Vec<Bug>) = bugs.into_iter().partition(is_known);
    generalize::generalize_all(&mut bugs, &harness, &folder)?;
    keep(&bugs, &harness, &folder)?;
    let fixed = tell_fixed(&known, &met, &harness, &folder)?;
    let report = Report {
        harness: &harness,
        run: &run,
        seed: arguments.seed,
        bugs: &bugs,
        known: known.len() - fixed,
        suspects: &suspects,
        gaps: &gaps,
        command: command(arguments, &harness),
    };
    write_reports(&arguments.shown, &report)?;
    show(&arguments.shown, &report)?;
    Ok(if bugs.is_empty() { Exit::Success } else { Exit::Refuted })
}

/// Makes the harness, or takes one that is there.
fn harness(arguments: &Explore) -> Result<Harness> {
    if let Some(folder) = &arguments.harness {
        let path = folder.join("harness.json");
        let text = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        return serde_json::from_str(&text).with_context(|| format!("{} is not understood", path.display()));
    }
    let subject = &arguments.subject;
    let (explored, folder) = chosen::subject(subject)?;
    create(&folder)?;
    let features = chosen::features(subject);
    let name = explored.name().to_string();
    status::progress("Reading", &format!("the API of {name}"));
    let built = harness::Harness::of(explored, features, Coverage::possible(arguments.coverage), &folder)?;
    let harness = subject::of(&built, &name)?;
    let text = format!(
        "{} of {} functions and {} of {} functions of traits can be called",
        harness.callable, harness.functions, harness.trait_callable, harness.trait_functions
    );
    status::progress("Built", &text);
    Ok(harness)
}

fn create(folder: &Path) -> Result<()> {
    let cannot =
        || format!("{} cannot be written; CARGO_TARGET_DIR may name another folder", folder.display());
    fs::create_dir_all(folder).with_context(cannot)?;
    let probe = folder.join(".writable");
    fs::write(&probe, "").with_context(cannot)?;
    fs::remove_file(&probe).with_context(cannot)
}

fn jobs(arguments: &Explore) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    arguments.jobs.map_or_else(cores, NonZeroUsize::get)
}

/// Explores until the time is over.
fn run(arguments: &Explore, harness: &Harness, folder: &Path, known: Vec<String>) -> Result<Run> {
    let operations = worker::operations(&harness.binary, folder)?;
    let count = operations.len();
    let ban = unwanted(arguments, operations);
    if ban.len() == count {
        bail!("nothing is left to call of the {} of {}", counted(count, "operation"), harness.package);
    }
    let (time, seed, strategies) = (arguments.time, arguments.seed, arguments.strategies);
    let effort = Effort { time, seed, jobs: jobs(arguments), strategies, ban, known };
    let what = format!("{} {} for {}", harness.package, harness.version, in_words(arguments.time));
    status::progress("Exploring", &what);
    let line = progress::Line::new("Exploring");
    let mut tell = |run: &Run| line.say(progress::words(run, arguments.time));
    let mut run = crew::explore(harness, folder, &effort, &|| interrupts() > 0, &mut tell)?;
    run.problem.iter().for_each(|problem| status::warning(problem));
    run.findings.retain(|finding| !effort.ban.contains(&finding.operation));
    Ok(run)
}

/// The operations that the user does not want.
fn unwanted(arguments: &Explore, operations: Vec<String>) -> Vec<String> {
    let is_unwanted = |operation: &String| {
        let is_skipped = arguments.skip.iter().any(|skip| operation.starts_with(skip.as_str()));
        let law = operation.strip_prefix("law ").unwrap_or_default();
        let is_off = |off: &String| {
            law == off || law.strip_prefix(off.as_str()).is_some_and(|rest| rest.starts_with(" of "))
        };
        is_skipped || arguments.laws.iter().any(is_off)
    };
    operations.into_iter().filter(is_unwanted).collect()
}

fn in_words(time: std::time::Duration) -> String {
    match time.as_secs() {
        seconds if seconds >= 60 && seconds % 60 == 0 => format!("{}m", seconds / 60),
        _ => format!("{}s", time.as_secs_f64()),
    }
}

/// Reduces what is to be shown. What turns out to be a wrong use goes to the suspects.
fn reduced(
    groups: &[Group],
    harness: &Harness,
    folder: &Path,
    jobs: usize,
    suspects: &mut Vec<Group>,
) -> Result<Vec<Bug>> {
    if groups.is_empty() {
        return Ok(Vec::new());
    }
    let line = progress::Line::new("Reducing");
    let done = AtomicUsize::new(0);
    let tell = || {
        let done = done.fetch_add(1, Ordering::Relaxed);
        line.say(format!("{done} of {}", counted(groups.len(), "way to fail").replace("fails", "fail")));
    };
    tell();
    let all = reduce::reduce_all(groups, harness, folder, jobs, &|| interrupts() > 1, &tell)?;
    let (shown, hidden): (Vec<Bug>, Vec<Bug>) = all.into_iter().partition(|bug| bug.judgement.is_shown());
    suspects.extend(hidden.into_iter().map(Group::of));
    let mut bugs = root::distinct(shown);
    line.say(counted(bugs.len(), "test"));
    // What was found is worth more than its tests.
    if let Err(error) = proof::prove(&mut bugs, harness, folder) {
        status::warning(&format!("the tests could not be tried: {error:#}"));
        return Ok(bugs);
    }
    // A harness has little memory; a test that has plenty and passes was no bug.
    let (bugs, hidden): (Vec<Bug>, Vec<Bug>) = bugs.into_iter().partition(|bug| !bug.is_frugal());
    suspects.extend(hidden.into_iter().map(Group::of));
    Ok(bugs)
}

/// Keeps what is needed to run bugs again, and to accept them.
fn keep(bugs: &[Bug], harness: &Harness, folder: &Path) -> Result<()> {
    let kept: Vec<Known> = bugs.iter().filter_map(|bug| Known::of(bug, &harness.package)).collect();
    let path = folder.join("bugs.json");
    fs::write(&path, serde_json::to_string_pretty(&kept)?)
        .with_context(|| format!("{} cannot be written", path.display()))
}

/// Where the file of known bugs is: beside the package, or here if it is a published one.
fn home(arguments: &Explore) -> Result<PathBuf> {
    let subject = &arguments.subject;
    if subject.published.is_some() || arguments.harness.is_some() {
        return Ok(std::env::current_dir()?);
    }
    let metadata = package::metadata(subject.manifest_path.as_deref())?;
    let package = package::one(&metadata, subject.package.as_deref(), subject.manifest_path.as_deref())?;
    Ok(package::folder(package).as_std_path().to_path_buf())
}

/// The bugs of the last run.
fn kept(folder: &Path) -> Vec<Known> {
    let text = fs::read_to_string(folder.join("bugs.json")).ok();
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// Their names, for whoever asks for another one.
fn names(kept: &[Known]) -> String {
    let names: Vec<&str> = kept.iter().map(|kept| kept.name.as_str()).collect();
    if names.is_empty() { "no bugs".to_string() } else { names.join(", ") }
}

/// Takes a bug of the last run to those that are known.
fn accept(bug: &str, folder: &Path, home: &Path) -> Result<Exit> {
    let kept = kept(folder);
    let Some(found) = kept.iter().find(|kept| kept.name == bug) else {
        bail!("the last run has found no bug `{bug}`; it has: {}", names(&kept));
    };
    let path = home.join(known::FILE);
    let how = if known::accept(home, found)? { "in" } else { "which was there already, in" };
    status::line(Tone::Good, "Accepted", &format!("{bug}, {how} {}", path.display()));
    Ok(Exit::Success)
}

/// Says which known bugs are none any more, and how many: this run has not met them, and their programs pass.
fn tell_fixed(known: &[Known], met: &[Bug], harness: &Harness, folder: &Path) -> Result<usize> {
    let mut fixed = 0;
    for known in known.iter().filter(|known| !met.iter().any(|bug| known.is(bug))) {
        if replay::seek(&known.tape, harness, folder)?.is_none() {
            status::line(Tone::Good, "Fixed", &format!("{}: remove it from {}", known.name, known::FILE));
            fixed += 1;
        }
    }
    Ok(fixed)
}

/// The command that explores the same crate.
fn command(arguments: &Explore, harness: &Harness) -> String {
    let subject = &arguments.subject;
    let mut words = vec!["cargo bugnet explore".to_string()];
    match (&subject.published, &subject.package) {
        (Some(_), _) => words.push(format!("--crate {}@{}", harness.package, harness.version)),
        (None, Some(package)) => words.push(format!("-p {package}")),
        (None, None) => {}
    }
    if let Some(path) = &subject.manifest_path {
        words.push(format!("--manifest-path {}", path.display()));
    }
    if !subject.features.is_empty() {
        words.push(format!("--features {}", subject.features.join(",")));
    }
    let flags =
        [(subject.all_features, "--all-features"), (subject.no_default_features, "--no-default-features")];
    words.extend(flags.into_iter().filter(|(is_on, _)| *is_on).map(|(_, flag)| flag.to_string()));
    if let Some(folder) = &arguments.harness {
        words.push(format!("--harness {}", folder.display()));
    }
    words.join(" ")
}

fn write_reports(shown: &Shown, report: &Report<'_>) -> Result<()> {
    let write = |path: &Path, text: &str| {
        fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
    };
    if let Some(path) = &shown.json {
        write(path, &report::json::report(report)?)?;
    }
    if let Some(path) = &shown.junit {
        write(path, &report::junit::report(report))?;
    }
    if let Some(path) = &shown.sarif {
        write(path, &report::sarif::report(report)?)?;
    }
    Ok(())
}

fn show(shown: &Shown, report: &Report<'_>) -> Result<()> {
    anstream::print!("{}", report::terminal::report(report));
    if shown.show_suspects {
        let count = counted(report.suspects.len(), "misuse suspect");
        status::line(Tone::Plain, "Suspects", &count);
        anstream::print!("{}", report::terminal::suspects(report.suspects));
    }
    if shown.explain_unreached {
        let all = worker::operations(&report.harness.binary, &report.harness.folder.join("run"))?;
        let never: Vec<String> = all.into_iter().filter(|name| !report.run.reached.contains(name)).collect();
        anstream::print!("{}", report::terminal::unreached(report, &never));
    }
    let Some(folder) = &shown.write_tests else { return Ok(()) };
    let proven: Vec<&Bug> = report.bugs.iter().filter(|bug| bug.proven).collect();
    if proven.is_empty() {
        return Ok(());
    }
    let path = folder.join(format!("explore_{}.rs", report.harness.crate_name));
    let cannot = || format!("{} cannot be written", path.display());
    fs::create_dir_all(folder).with_context(cannot)?;
    fs::write(&path, test::formatted(&test::write(&proven, report.harness).text)).with_context(cannot)?;
    status::progress("Written", &format!("{} to {}", counted(proven.len(), "test"), path.display()));
    Ok(())
}

/// Runs the program of a bug again.
fn replay_one(bug: &str, harness: &Harness, folder: &Path) -> Result<Exit> {
    let kept = kept(folder);
    let tape = match kept.iter().find(|kept| kept.name == bug) {
        Some(kept) => kept.tape.clone(),
        None if bug.parse::<Tape>().is_ok() => bug.to_string(),
        None => bail!("`{bug}` names neither a bug nor a program; the last run has: {}", names(&kept)),
    };
    for line in worker::lines(&harness.binary, folder, &tape)? {
        anstream::println!("    {line}");
    }
    match replay::seek(&tape, harness, folder)? {
        Some(finding) => {
            let place = finding.place.as_ref().map(|place| format!("\nat {place}")).unwrap_or_default();
            let how = format!("{}: {}{place}", finding.operation, finding.message);
            status::line(Tone::Bad, "Failed", &how);
            Ok(Exit::Refuted)
        }
        None => {
            status::line(Tone::Good, "Passed", "this program does not fail");
            Ok(Exit::Success)
        }
    }
}
