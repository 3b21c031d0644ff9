//! `cargo bugnet explore`: calls what a crate lets its users call, and shows its bugs as tests.
//!
//! **Invariant:** everything found is on disk before it is shown, and Ctrl-C shortens a run but loses
//! nothing of it.

use super::accept;
use super::aim::Aim;
use crate::api::Law;
use crate::arguments::{Explore, Shown};
use crate::client::Client;
use crate::confine;
use crate::exit::{Exit, Nothing};
use crate::explore::budget::Budget;
use crate::explore::known::{self, Covered, Known};
use crate::explore::pool::{self, Effort, Run};
use crate::explore::{last, progress, unseen};
use crate::finding::Finding;
use crate::harness::built::Built;
use crate::interrupt::{self, End, Phase};
use crate::judge::Class;
use crate::judge::bug::{Bug, Group};
use crate::judge::same_cause;
use crate::package;
use crate::prove::written::{self, Written};
use crate::prove::{proof, reduce};
use crate::report::{self, Report, counted};
use crate::status::{self, Tone};
use anyhow::{Context, Result, bail};
use bugnet::campaign::known::{EXPLORED, FILE, KnownBug};
use bugnet::choice::Tape;
use bugnet::wire::Role;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Time for reducing and proving together, where exploring takes less.
const REDUCING: Duration = Duration::from_secs(30);

/// Processors that are supposed to work at the same time where processor time is counted.
const PROCESSORS: u32 = 2;

/// Multiples of the granted processor time that may pass by the clock, for calls that sleep. A machine on which it does
/// although no call sleeps has ten times as much to do as it can.
const PATIENCE: u32 = 5;

/// Explores a crate, or runs one of its bugs again.
pub(crate) fn explore(arguments: &Explore) -> Result<Exit> {
    run_harness(arguments, &Aim::everything(&arguments.crate_choice)?, &|_| {}, false)
}

/// Runs a harness that serves an aim. The run ends early if it is to end once every law was checked often enough.
pub(super) fn run_harness(
    arguments: &Explore,
    aim: &Aim,
    tell: &dyn Fn(&Built),
    ends_early: bool,
) -> Result<Exit> {
    // Before anything is read or built, which takes long.
    let confinement = confine::confinement()?;
    confinement.check(arguments.search.unconfined)?;
    let harness = aim.harness(&arguments.crate_choice, arguments.search.coverage)?;
    tell(&harness);
    let folder = harness.folder.join("run");
    create(&folder)?;
    bugnet_process::sweep(&folder);
    let client = Client { binary: &harness.binary, folder: &folder };
    if let Some(bug) = &arguments.replay {
        return replay_one(bug, client);
    }
    let home = home(arguments)?;
    if let Some(bug) = &arguments.accept {
        status::warning(&format!("`explore --accept` will go; use `cargo bugnet accept {bug}`"));
        return accept::accept_explored(bug, &folder, &home);
    }
    let known = known::read(&home, &harness.package, &|tape| client.describe(tape))?;
    tell_old(&known);
    let gaps = &confinement.gaps;
    gaps.iter().for_each(|gap| status::warning(gap));
    status::progress("Confined", confinement.words());
    let patterns = known.iter().filter_map(|known| known.bug.pattern.clone()).collect();
    let laws = if ends_early { harness.laws.checkable() } else { Vec::new() };
    let mut run = run(arguments, &harness, &folder, (patterns, laws))?;
    run.keep(&|finding| aim.is_about(finding, &harness));
    let groups = same_cause::groups(&run.findings, &harness);
    let (shown, mut suspects): (Vec<Group>, Vec<Group>) =
        groups.into_iter().partition(|group| group.judgement().is_shown());
    let jobs = jobs(arguments);
    let pace = budget(arguments).pace();
    let start = Instant::now();
    let is_news = |bug: &Bug| !known.iter().any(|known| known.covers(bug) == Covered::Whole);
    let how = reduce::Reducing { pace, built: &harness, folder: &folder, jobs };
    let bugs = reduced(&shown, how, &is_news, &mut suspects)?;
    let (met, mut bugs) = told_apart(bugs, &known);
    reduce::generalize_all(&mut bugs, pace, client)?;
    let mut kept: Vec<KnownBug> = bugs.iter().filter_map(|bug| known::block(bug, &harness)).collect();
    kept.extend(told_functions(&known, &met));
    // What was found is shown, whatever cannot be written.
    let mut problems: Vec<anyhow::Error> = last::keep(&folder, &home, kept).err().into_iter().collect();
    let fixed = tell_fixed(&known, &[&met[..], &bugs].concat(), client)?;
    if !shown.is_empty() {
        tell_reduced(start.elapsed());
    }
    interrupt::enter(Phase::Showing, End::Never);
    let report = Report {
        harness: &harness,
        run: &run,
        seed: arguments.search.seed,
        budget: budget(arguments),
        bugs: &bugs,
        reasons: report::reasons::of_bugs(&run, &bugs),
        known: known.len() - fixed,
        suspects: &suspects,
        gaps,
        command: aim.command(&arguments.crate_choice, &harness),
    };
    show(&arguments.shown, &report)?;
    problems.extend(write_reports(&arguments.shown, &report).err());
    problems.extend(write_tests(arguments, &report, &home).err());
    unseen::shown(&folder);
    problems.iter().for_each(status::error);
    demand_sound(&run)?;
    if bugs.is_empty() && aim.is_checking() {
        demand_checked(&report)?;
    }
    if bugs.is_empty() && met.is_empty() {
        demand_tested(&run, &suspects, &harness.package)?;
    }
    Ok(match (bugs.is_empty(), problems.is_empty()) {
        (false, _) => Exit::Refuted,
        (true, false) => Exit::Mistake,
        (true, true) => Exit::Success,
    })
}

/// Refuses a run in which our own code has panicked, whatever it has found.
fn demand_sound(run: &Run) -> Result<()> {
    let Some(message) = run.our_bugs.first() else { return Ok(()) };
    let what = format!("Bugnet itself has panicked: {message}; please report it with the name of the crate");
    Err(Nothing(what).into())
}

/// Refuses to call a run green in which a law was not checked.
fn demand_checked(report: &Report<'_>) -> Result<(), Nothing> {
    let laws = report.harness.laws.names.iter();
    let unchecked = laws.filter(|law| !report::checks::is_checked(report, law)).count();
    let whole = report.harness.laws.names.len();
    if unchecked == 0 {
        return Ok(());
    }
    Err(Nothing(format!("{unchecked} of {} not checked; the lines above say why", counted(whole, "law"))))
}

/// Refuses to call a run green in which no call came to its end, or in which a process died and no program was found
/// that dies again.
fn demand_tested(run: &Run, suspects: &[Group], package: &str) -> Result<(), Nothing> {
    // A death that is certain is a bug, and one that is asked for has another class.
    let has_died = suspects.iter().any(|group| group.judgement().class == Class::Crash);
    match (run.calls, has_died) {
        (0, _) => Err(Nothing(
            "no call came to its end, and whatever ended the processes is hidden as a misuse suspect \
             (--show-suspects), so nothing was tested"
                .to_string(),
        )),
        (_, true) => Err(Nothing(format!(
            "processes died {} times, and the programs that were running did not die again, so this run is no \
             proof; {package} may end the process from a thread of its own (--show-suspects)",
            run.deaths
        ))),
        (_, false) => Ok(()),
    }
}

/// Returns when reducing and proving are to end, if exploring has used this much processor time. Where a number of
/// programs ends the run, processor time does, so that a busy machine finds the same.
fn reducing_ends(arguments: &Explore, used: Duration) -> End {
    let now = Instant::now();
    match budget(arguments).time() {
        Some(time) => End::Clock(now + time.max(REDUCING)),
        None => {
            let processor = used.max(REDUCING * PROCESSORS);
            End::Work {
                processor: interrupt::processor_time() + processor,
                clock: now + processor * PATIENCE,
            }
        }
    }
}

/// Says how long reducing and proving took, and if it was ended before its end.
fn tell_reduced(took: Duration) {
    let ended = match (interrupt::is_pressed(), interrupt::is_cut()) {
        (true, _) => "; it was interrupted, so some are as they were found",
        (_, true) => "; its time was over, so some are as they were found (`--time` gives it more)",
        _ => "",
    };
    status::progress("Reduced", &format!("and proven in {:.1}s{ended}", took.as_secs_f64()));
}

/// Makes a folder, and sees that it can be written to.
pub(super) fn create(folder: &Path) -> Result<()> {
    let cannot =
        || format!("{} cannot be written; CARGO_TARGET_DIR may name another folder", folder.display());
    fs::create_dir_all(folder).with_context(cannot)?;
    // A name of its own: another run that probes the same folder removes only its own file.
    tempfile::NamedTempFile::new_in(folder).with_context(cannot)?;
    Ok(())
}

fn jobs(arguments: &Explore) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    arguments.search.jobs.map_or_else(cores, NonZeroUsize::get)
}

fn budget(arguments: &Explore) -> Budget {
    Budget::new(arguments.time, arguments.search.programs)
}

/// Explores until the budget is used up.
fn run(
    arguments: &Explore,
    harness: &Built,
    folder: &Path,
    (known, laws): (Vec<String>, Vec<String>),
) -> Result<Run> {
    let operations = Client { binary: &harness.binary, folder }.operations()?;
    let count = operations.len();
    demand_known(arguments, &operations)?;
    let ban = unwanted(arguments, operations);
    if ban.len() == count {
        bail!("nothing is left to call of the {} of {}", counted(count, "operation"), harness.package);
    }
    let (budget, seed, strategies) = (budget(arguments), arguments.search.seed, arguments.strategies);
    let before = before(arguments, harness, folder)?;
    let effort = Effort { budget, seed, jobs: jobs(arguments), strategies, ban, known, before, laws };
    let what = format!("{} {} for {budget}", harness.package, harness.version);
    status::progress("Exploring", &what);
    let line = progress::Line::new("Exploring");
    let mut tell = |run: &Run| line.say(progress::words(run, &budget));
    interrupt::enter(Phase::Exploring, End::Never);
    let before = interrupt::processor_time();
    let mut run = pool::explore(harness, folder, &effort, &interrupt::is_pressed, &mut tell)?;
    drop(line);
    // Whoever reads the next line may interrupt what follows.
    let used = interrupt::processor_time().saturating_sub(before);
    interrupt::enter(Phase::Reducing, reducing_ends(arguments, used));
    status::progress("Explored", &format!("in {:.1}s", run.elapsed.as_secs_f64()));
    run.problem.iter().for_each(|problem| status::warning(problem));
    run.findings.retain(|finding| !effort.ban.contains(&finding.operation));
    Ok(run)
}

/// The findings of the last run, if that was killed before it could show them.
fn before(arguments: &Explore, harness: &Built, folder: &Path) -> Result<Vec<Finding>> {
    let unseen = unseen::take(folder, &harness.binary, arguments.search.fresh)?;
    if let Some(aside) = &unseen.aside {
        let what =
            "the last run was killed, and what it found is of another build of the crate: it is kept in";
        status::warning(&format!("{what} {}", aside.display()));
    }
    if !unseen.findings.is_empty() {
        let ways = match unseen.findings.len() {
            1 => "1 way to fail".to_string(),
            count => format!("{count} ways to fail"),
        };
        let what =
            format!("{ways} of the last run, which was killed before it could show them (`--fresh`: none)");
        status::progress("Resuming", &what);
    }
    Ok(unseen.findings)
}

/// Returns true if a name after `--skip` stands for an operation.
fn is_skipped((operation, _): &(String, Role), skip: &str) -> bool {
    operation.starts_with(skip)
}

/// Returns true if an operation is the law that a name after `--law` switches off.
fn is_off((_, role): &(String, Role), off: &str) -> bool {
    Law::of(role).is_some_and(|law| law.is_called(off))
}

/// Refuses names after `--skip` and `--law` that stand for nothing.
fn demand_known(arguments: &Explore, operations: &[(String, Role)]) -> Result<()> {
    let list = "`cargo bugnet harness --list` prints all";
    for skip in &arguments.search.skip {
        if !operations.iter().any(|operation| is_skipped(operation, skip)) {
            bail!("no operation of this crate has a name that begins with `{skip}`; {list}");
        }
    }
    for law in &arguments.laws {
        if !operations.iter().any(|operation| is_off(operation, law)) {
            bail!("this crate has no law `{law}` to switch off; {list}");
        }
    }
    Ok(())
}

/// The operations that the user does not want.
fn unwanted(arguments: &Explore, operations: Vec<(String, Role)>) -> Vec<String> {
    let is_unwanted = |operation: &(String, Role)| {
        arguments.search.skip.iter().any(|skip| is_skipped(operation, skip))
            || arguments.laws.iter().any(|law| is_off(operation, law))
    };
    operations.into_iter().filter(is_unwanted).map(|(operation, _)| operation).collect()
}

/// Reduces what is to be shown, and tells what is proven and news. What turns out to be a wrong use goes to the
/// suspects.
fn reduced(
    groups: &[Group],
    how: reduce::Reducing<'_>,
    is_news: &dyn Fn(&Bug) -> bool,
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
    let all = reduce::reduce_all(groups, how, &interrupt::is_cut, &tell)?;
    let (shown, hidden): (Vec<Bug>, Vec<Bug>) = all.into_iter().partition(|bug| bug.judgement.is_shown());
    suspects.extend(hidden.into_iter().map(Group::of));
    let mut bugs = same_cause::distinct(shown);
    line.say(counted(bugs.len(), "test"));
    let tell_proven = |bug: &Bug| {
        if is_news(bug) {
            line.above(|| status::progress("Proven", &report::terminal::proven(bug)));
        }
    };
    // What was found is worth more than its tests.
    if let Err(error) = proof::prove(&mut bugs, how.built, how.folder, &tell_proven) {
        status::warning(&format!("the tests could not be tried: {error:#}"));
        return Ok(bugs);
    }
    // A harness has little memory; a test that has plenty and passes was no bug.
    let (bugs, hidden): (Vec<Bug>, Vec<Bug>) = bugs.into_iter().partition(|bug| !bug.is_frugal());
    suspects.extend(hidden.into_iter().map(Group::of));
    Ok(bugs)
}

/// Returns the folder of the file of known bugs: beside the package, or here if it is a published one.
fn home(arguments: &Explore) -> Result<PathBuf> {
    let choice = &arguments.crate_choice;
    if choice.published.is_some() {
        return Ok(std::env::current_dir()?);
    }
    let metadata = package::metadata(choice.package.manifest_path.as_deref())?;
    let package =
        package::one(&metadata, choice.package.name.as_deref(), choice.package.manifest_path.as_deref())?;
    Ok(package::folder(package).as_std_path().to_path_buf())
}

/// Says what becomes of bugs in the file of 0.1.
fn tell_old(known: &[Known]) {
    if let Some(old) = known.iter().find(|known| known.file == EXPLORED) {
        status::warning(&format!(
            "{EXPLORED} is read, but has become {FILE}; `cargo bugnet accept {}` moves all its bugs there",
            old.bug.name
        ));
    }
}

/// Tells known bugs from others. A bug of which only some operations are known is shown, with those that are new.
fn told_apart(bugs: Vec<Bug>, known: &[Known]) -> (Vec<Bug>, Vec<Bug>) {
    let (mut met, mut news) = (Vec::new(), Vec::new());
    for mut bug in bugs {
        let covered = known.iter().map(|known| (known, known.covers(&bug)));
        let covered: Vec<_> = covered.filter(|(_, covered)| *covered != Covered::No).collect();
        if covered.iter().any(|(_, covered)| *covered == Covered::Whole) {
            met.push(bug);
            continue;
        }
        bug.news_of = covered.into_iter().find_map(|(known, covered)| match covered {
            Covered::AllBut(others) => Some((known.bug.name.clone(), others)),
            _ => None,
        });
        news.push(bug);
    }
    (met, news)
}

/// The known bugs of which the run has learned the function, each told.
fn told_functions(known: &[Known], met: &[Bug]) -> Vec<KnownBug> {
    let named = known.iter().filter_map(|known| known.with_function(met));
    let named: Vec<KnownBug> = named.collect();
    for bug in &named {
        let (name, function) = (&bug.name, bug.function.as_deref().unwrap_or_default());
        let what = format!("{name} fails in `{function}`: `cargo bugnet accept {name}` adds that to {FILE}");
        status::progress("Known", &what);
    }
    named
}

/// Says which known bugs are none any more, and how many: this run has not met them, and their programs pass. One whose
/// program or operation is gone is neither fixed nor kept without a word.
fn tell_fixed(known: &[Known], met: &[Bug], client: Client<'_>) -> Result<usize> {
    let mut fixed = 0;
    let mut open = known.iter().filter(|known| !met.iter().any(|bug| known.is(bug))).peekable();
    let operations = if open.peek().is_some() { client.operations()? } else { Vec::new() };
    let operations: Vec<String> = operations.into_iter().map(|(name, _)| name).collect();
    for known in open {
        let Known { bug, file, .. } = known;
        if interrupt::is_cut() {
            status::warning("not all known bugs were run again, so it is not known whether they are fixed");
            break;
        }
        if let Some(problem) = known.problem(&operations) {
            status::warning(&problem);
        } else if client.seek(bug.case.text())?.is_none() && !interrupt::is_cut() {
            status::line(Tone::Good, "Fixed", &format!("{}: remove it from {file}", bug.name));
            fixed += 1;
        }
    }
    Ok(fixed)
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
    anstream::print!("{}{}", report::checks::report(report), report::terminal::report(report));
    if shown.show_merged {
        let count: usize = report.bugs.iter().map(|bug| bug.also.len()).sum();
        status::line(Tone::Plain, "Merged", &counted(count, "other operation"));
        anstream::print!("{}", report::terminal::merged(report.bugs));
    }
    if shown.show_suspects {
        let count = counted(report.suspects.len(), "misuse suspect");
        status::line(Tone::Plain, "Suspects", &count);
        anstream::print!("{}", report::terminal::suspects(report.suspects));
    }
    if shown.explain_unreached {
        let all = Client { binary: &report.harness.binary, folder: &report.harness.folder.join("run") }
            .operations()?;
        let names = all.into_iter().map(|(name, _)| name);
        let never: Vec<String> = names.filter(|name| !report.run.reached.contains(name)).collect();
        anstream::print!("{}", report::terminal::unreached(report, &never));
    }
    Ok(())
}

/// Writes the tests of proven bugs, if that is wanted: beside the manifest, if one was named.
fn write_tests(arguments: &Explore, report: &Report<'_>, home: &Path) -> Result<()> {
    let Some(folder) = &arguments.shown.write_tests else { return Ok(()) };
    let folder = match arguments.crate_choice.package.manifest_path {
        Some(_) => home.join(folder),
        None => folder.clone(),
    };
    let proven: Vec<&Bug> = report.bugs.iter().filter(|bug| bug.proven).collect();
    if proven.is_empty() {
        return Ok(());
    }
    let (inside, outside): (Vec<&Bug>, Vec<&Bug>) =
        proven.into_iter().partition(|bug| written::is_inside(bug, report.harness));
    if !outside.is_empty() {
        tell_written(&written::write(&outside, report.harness, &folder)?, &folder);
    }
    if !inside.is_empty() {
        let written = written::write_inside(&inside, report.harness)?;
        tell_written(&written, &report.harness.source.join("src"));
        if let Some(module) = written.module() {
            let root = format!("the root of `{}`", report.harness.crate_name);
            status::warning(&format!("they call a law that only the crate sees; add `{module}` to {root}"));
        }
    }
    Ok(())
}

/// Says which tests were written, and which were in the folder already.
fn tell_written(written: &Written, folder: &Path) {
    if let Some(path) = &written.path {
        status::progress("Written", &format!("{} to {}", counted(written.new, "test"), path.display()));
    }
    if written.kept > 0 {
        let what = format!("{} in {}, as they are", counted(written.kept, "test"), folder.display());
        status::progress("Kept", &what);
    }
}

/// Runs the program of a bug again.
fn replay_one(bug: &str, client: Client<'_>) -> Result<Exit> {
    let kept = last::bugs(client.folder)?;
    let names: Vec<&str> = kept.iter().map(|kept| kept.name.as_str()).collect();
    let names = if names.is_empty() { "no bugs".to_string() } else { names.join(", ") };
    let tape = match kept.iter().find(|kept| kept.name == bug) {
        Some(kept) => kept.case.text().to_string(),
        None if bug.parse::<Tape>().is_ok() => bug.to_string(),
        None => bail!("`{bug}` names neither a bug nor a program; the last run has: {names}"),
    };
    let program = client.describe(&tape)?;
    if program.calls.is_empty() {
        bail!("`{bug}` is no program of this crate: it calls nothing; copy one from a report");
    }
    for line in program.lines() {
        anstream::println!("    {line}");
    }
    match client.seek(&tape)? {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit;
    use crate::finding::{Cause, Phase as At};
    use crate::judge::Judgement;
    use crate::judge::bug::Judged;

    /// A suspect that died, or was refused, in a call of `start`.
    fn suspect(class: Class) -> Group {
        let finding = Finding {
            operation: "start".to_string(),
            law: None,
            phase: At::Call,
            cause: Cause::Death,
            place: None,
            message: "abort".to_string(),
            tape: None,
            after: None,
        };
        let judgement = Judgement { class, sureness: 35, reason: String::new() };
        Group(vec![Judged { finding, judgement }])
    }

    #[test]
    fn a_run_with_a_death_that_no_program_explains_is_not_green() {
        let run = Run { calls: 15, deaths: 56, ..Run::default() };
        let died = demand_tested(&run, &[suspect(Class::Crash)], "thread").unwrap_err();
        assert!(died.0.contains("processes died 56 times"), "{}", died.0);
        assert!(demand_tested(&run, &[suspect(Class::WrongUse)], "thread").is_ok());
        assert!(demand_tested(&Run { calls: 0, ..run }, &[suspect(Class::WrongUse)], "thread").is_err());
    }

    #[test]
    fn a_panic_of_our_own_exits_with_5_and_so_does_a_run_that_called_nothing() {
        let code =
            |result: Result<()>| result.map_or_else(|error| exit::of_error(&error), |()| Exit::Success);
        let calls = 9;
        let broken = Run { our_bugs: ["slice".to_string()].into(), calls, ..Run::default() };
        assert_eq!((code(demand_sound(&broken)), Exit::Nothing as u8), (Exit::Nothing, 5));
        assert_eq!(code(demand_sound(&Run { calls, ..Run::default() })), Exit::Success);
        assert!(demand_sound(&broken).unwrap_err().to_string().contains("Bugnet itself has panicked: slice"));
        let tested = |run: &Run| code(demand_tested(run, &[], "boat").map_err(Into::into));
        assert_eq!(tested(&Run { calls, ..Run::default() }), Exit::Success);
        assert_eq!(tested(&Run::default()), Exit::Nothing);
    }

    #[test]
    fn runs_that_share_a_folder_can_check_it_at_the_same_time() {
        let below = tempfile::tempdir().unwrap();
        let folder = below.path().join("bugnet/explore");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..200).for_each(|_| create(&folder).unwrap()));
            }
        });
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    }
}
