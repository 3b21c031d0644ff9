//! Faults: a run of `explore` is killed, interrupted or finds the disk full, at moments that a seed draws.
//!
//! After each fault: nothing that was found is lost, no process and no scratch folder is left, and the next run shows
//! every bug of the crate.
//!
//! **Invariant:** each row says how many of its faults came in time, for a run that is over cannot be disturbed. One that
//! came too late comes again, at another moment.

mod fault;
mod subject;

use anyhow::{Context, bail};
use fault::{Fault, Moment, Phase};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use subject::{Length, Subject, shown};

/// Which faults befall which command.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The command, built before
    #[arg(long, default_value = "target/release/cargo-bugnet")]
    command: PathBuf,
    /// Times that each fault comes in time, at a moment of its own
    #[arg(long, default_value_t = 20)]
    times: u64,
    /// Only faults whose name has one of these texts, such as `Ctrl-C,building`
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Draws the moments
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs at most in which a fault may come too late before it is given up.
const ATTEMPTS: u64 = 5;

/// Prints the table.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let command = arguments.command.canonicalize().with_context(|| {
        format!("{} is not there; run `cargo build --release -p cargo-bugnet`", arguments.command.display())
    })?;
    if !cfg!(target_os = "linux") {
        bail!("processes are looked for in /proc, which only Linux has");
    }
    let is_wanted = |fault: &Fault| {
        arguments.only.is_empty() || arguments.only.iter().any(|only| fault.name().contains(only))
    };
    let faults: Vec<Fault> = Fault::all().into_iter().filter(is_wanted).collect();
    if faults.is_empty() {
        let all: Vec<String> = Fault::all().into_iter().map(Fault::name).collect();
        bail!("no fault has `{}` in its name; there are: {}", arguments.only.join(", "), all.join(", "));
    }
    let folder = std::env::temp_dir().join(format!("bugnet-faults-{}", std::process::id()));
    let result = Subject::new(&command, &folder).and_then(|subject| print(&subject, &faults, arguments));
    let _ = std::fs::remove_dir_all(&folder);
    result
}

fn print(subject: &Subject, faults: &[Fault], arguments: &Arguments) -> anyhow::Result<()> {
    let expected = subject.bugs().context("the crate cannot be explored without any fault")?;
    println!("Faults at moments of seed {}, of runs that show {} bugs.\n", arguments.seed, expected.len());
    println!(
        "| fault | runs | in time | longest until the end, s | exit codes | findings on disk | lost | processes left | scratch folders left | next run \
         shows all bugs |\n|---|---:|---:|---:|---|---:|---:|---:|---:|---:|"
    );
    for (place, fault) in faults.iter().enumerate() {
        let mut row = Row::default();
        for time in 0..arguments.times {
            for attempt in 0..ATTEMPTS {
                let run = attempt * arguments.times + time;
                let moment = Moment::draw(*fault, arguments.seed, run);
                if fault.phase().is_of_building() {
                    subject.change(place as u64 * 100_000 + run + 1)?;
                }
                let outcome = befall(subject, *fault, moment, &expected)?;
                row.take(&outcome);
                if outcome.is_in_time {
                    break;
                }
            }
        }
        println!("| {} | {row} |", fault.name());
    }
    println!();
    Ok(())
}

/// The outcomes of one kind of fault.
#[derive(Debug, Default)]
struct Row {
    runs: usize,
    in_time: usize,
    longest: Duration,
    codes: BTreeSet<String>,
    found: usize,
    lost: usize,
    processes: usize,
    scratch: usize,
    next: usize,
}

impl Row {
    fn take(&mut self, outcome: &Outcome) {
        self.runs += 1;
        self.in_time += usize::from(outcome.is_in_time);
        self.longest = self.longest.max(outcome.ended_in.unwrap_or_default());
        self.codes.insert(outcome.code.map_or("killed".to_string(), |code| code.to_string()));
        self.found += outcome.found;
        self.lost += outcome.lost.len();
        self.processes += outcome.processes.len();
        self.scratch += outcome.scratch;
        self.next += usize::from(outcome.is_next_whole);
        for what in outcome.lost.iter().chain(&outcome.processes) {
            eprintln!("left or lost: {what}");
        }
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let codes: Vec<&str> = self.codes.iter().map(String::as_str).collect();
        let Row { runs, in_time, found, lost, processes, scratch, next, .. } = self;
        let (codes, longest) = (codes.join(", "), self.longest.as_secs_f64());
        write!(
            out,
            "{runs} | {in_time} | {longest:.1} | {codes} | {found} | {lost} | {processes} | {scratch} | {next}"
        )
    }
}

/// The end of one run, and of the one after it.
struct Outcome {
    is_in_time: bool,
    /// The time from the fault to the end of the run, if it came in time.
    ended_in: Option<Duration>,
    code: Option<i32>,
    /// The ways to fail that were on disk when the fault was over, or are shown where the disk is full.
    found: usize,
    lost: Vec<String>,
    processes: Vec<String>,
    scratch: usize,
    is_next_whole: bool,
}

/// Has one fault befall a run, and explores again.
fn befall(
    subject: &Subject,
    fault: Fault,
    moment: Moment,
    expected: &BTreeSet<String>,
) -> anyhow::Result<Outcome> {
    if fault == Fault::FullDisk {
        return on_full_disk(subject, moment, expected);
    }
    // What comes after exploring is not to wait for it.
    let length = if fault.phase() == Phase::Exploring { Length::Long } else { Length::Short };
    let mut child = subject.explore(length).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut errors = BufReader::new(child.stderr.take().context("the errors are piped")?);
    let has_begun = read_until(&mut errors, fault.phase().begins_with())?;
    std::thread::sleep(moment.delay);
    let is_in_time = has_begun && child.try_wait()?.is_none() && strike(subject, fault, moment, &child)?;
    let struck = Instant::now();
    let mut rest = String::new();
    errors.read_to_string(&mut rest)?;
    let output = child.wait_with_output()?;
    let (code, ended_in) = (output.status.code(), is_in_time.then(|| struck.elapsed()));
    let processes = subject.processes_left();
    let found = subject.on_disk();
    // What the run has shown itself, or the next one does.
    let is_killed = code.is_none();
    let scratch = if is_killed { 0 } else { subject.scratch_folders()? };
    let mut seen = if is_killed { BTreeSet::new() } else { subject.reported() };
    let next = subject.bugs();
    seen.extend(subject.reported());
    let lost = found.difference(&seen).cloned().collect();
    let found = found.len();
    let is_next_whole = next.as_ref().is_ok_and(|bugs| bugs.is_superset(expected));
    if !is_next_whole {
        eprintln!("after {}, the next run: {next:?}", fault.name());
    }
    // A run that was killed cannot remove its folders; the next one does.
    let scratch = if is_killed { subject.scratch_folders()? } else { scratch };
    Ok(Outcome { is_in_time, ended_in, code, found, lost, processes, scratch, is_next_whole })
}

/// Reads lines until one begins with a status word; false if none does.
fn read_until(errors: &mut impl BufRead, word: &str) -> anyhow::Result<bool> {
    loop {
        let mut line = String::new();
        if errors.read_line(&mut line)? == 0 {
            return Ok(false);
        }
        if line.trim_start().starts_with(word) {
            return Ok(true);
        }
    }
}

/// Sends the signal of a fault; returns false if there was nobody to send it to.
fn strike(subject: &Subject, fault: Fault, moment: Moment, child: &Child) -> anyhow::Result<bool> {
    let (signal, process) = match fault {
        Fault::Interrupt(_) => ("INT", child.id()),
        Fault::KillWorker => {
            let workers = subject.workers();
            let Some(worker) = workers.get(moment.number % workers.len().max(1)) else { return Ok(false) };
            ("KILL", *worker)
        }
        _ => ("KILL", child.id()),
    };
    Ok(Command::new("kill").args(["-s", signal, &process.to_string()]).status()?.success())
}

/// Pages of the file system that fills up: 4 MiB of 4 KiB each.
const DISK: usize = 1_024;

/// Explores while a few pages are left, and again when there is room.
fn on_full_disk(subject: &Subject, moment: Moment, expected: &BTreeSet<String>) -> anyhow::Result<Outcome> {
    // A file system of its own, which only these processes see.
    let script = "
        run=$1; pages=$2; shift 2
        mount -t tmpfs -o size=4m tmpfs \"$run\" || exit 99
        dd if=/dev/zero of=\"$run/filler\" bs=4096 count=\"$pages\" 2>/dev/null
        \"$@\"
        code=$?
        rm \"$run/filler\"
        ls -A \"$run\" | grep -c bugnet-scratch >&2
        exit $code";
    let run = subject.run()?;
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"]).arg(&run);
    command.arg((DISK - moment.number).to_string()).arg(&subject.command);
    command.args(subject.words(Length::Short));
    subject.settle(&mut command);
    let output: Output = command.stdin(Stdio::null()).output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.code() == Some(99) {
        bail!("no file system can be mounted here: {said}");
    }
    let code = output.status.code();
    // A run that could not begin has found nothing.
    let bugs = shown(&output);
    let lost = if code == Some(2) && bugs.is_empty() {
        Vec::new()
    } else {
        expected.difference(&bugs).map(|bug| format!("{bug}, with {} pages: {said}", moment.number)).collect()
    };
    let scratch = said.lines().last().and_then(|line| line.trim().parse().ok()).unwrap_or_default();
    let processes = subject.processes_left();
    let is_next_whole = subject.bugs().is_ok_and(|bugs| bugs.is_superset(expected));
    let found = bugs.len();
    Ok(Outcome { is_in_time: true, ended_in: None, code, found, lost, processes, scratch, is_next_whole })
}
