//! Variants of C programs with planted faults: how often an input that shows a fault raises an alarm, and how many
//! questions a person is asked before the first of them.
//!
//! Seven programs in the manner of the Siemens suite, with eight faults each. Inputs are drawn by a seed; those on which
//! the faulty program does what the right one does are the suite and the benign stream, the others show the fault. The
//! command itself is run on the faulty program, with the suite as its tests, and its report is read.

mod input;
mod subject;

use anyhow::{Context, bail};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use subject::Subject;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only these programs
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Only faults of these numbers, counted from 1
    #[arg(long, value_delimiter = ',')]
    faults: Vec<usize>,
    /// The number of inputs that are drawn for a program
    #[arg(long, default_value_t = 1_400)]
    inputs: u64,
    /// The number of tests of the strong suite
    #[arg(long, default_value_t = 1_000)]
    suite: usize,
    /// The number of tests of the suite that is asked about; 0 to ask nothing
    #[arg(long, default_value_t = 200)]
    asked: usize,
    /// The seed of the inputs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder for programs and reports
    #[arg(long, default_value = "target/lab-variants-c")]
    folder: PathBuf,
    /// The command
    #[arg(long, default_value = "target/release/cargo-bugnet")]
    command: PathBuf,
    /// More words for the command, such as `--operators paper --n 25 --k 30`
    #[arg(long, allow_hyphen_values = true, value_delimiter = ' ')]
    words: Vec<String>,
}

/// The most inputs that show a fault and are tried; more say nothing new.
const SHOWING: usize = 20;
/// Inputs of the stream that a person is asked about: some that show the fault among many that do not.
const STREAM: (usize, usize) = (12, 240);

/// Ends a program after 50 ms of processor time, whatever else the machine does: no right one needs more than two, and
/// some faults are loops without an end.
const CLOCK: &str = "#include <sys/time.h>
__attribute__((constructor)) static void limit(void) {
    struct itimerval time = {{0, 0}, {0, 50000}};
    setitimer(ITIMER_PROF, &time, 0);
}
";

/// Measures every program and prints a table.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    println!(
        "| program | faults | shown by inputs | inputs that alarm | by mutants that tests reach | faults that alarm | one token, all alarm | mutants | compile | questions until the first |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let mut all = Sums::default();
    for subject in Subject::all() {
        if !arguments.only.is_empty() && !arguments.only.iter().any(|name| name == subject.name) {
            continue;
        }
        let sums = measured(&subject, arguments)?;
        println!("{}", sums.row(subject.name));
        all.add(sums);
    }
    println!("{}", all.row("all"));
    Ok(())
}

/// The sums over the faults of a program.
#[derive(Debug, Default)]
struct Sums {
    faults: usize,
    shown: usize,
    inputs: usize,
    alarms: usize,
    live: usize,
    alarming: usize,
    tokens: usize,
    repaired: usize,
    mutants: Vec<u64>,
    proposed: u64,
    /// Questions until the first that shows the fault; the largest number for none.
    questions: Vec<usize>,
}

impl Sums {
    fn add(&mut self, other: Sums) {
        self.faults += other.faults;
        self.shown += other.shown;
        self.inputs += other.inputs;
        self.alarms += other.alarms;
        self.live += other.live;
        self.alarming += other.alarming;
        self.tokens += other.tokens;
        self.repaired += other.repaired;
        self.proposed += other.proposed;
        self.mutants.extend(other.mutants);
        self.questions.extend(other.questions);
    }

    fn row(&self, name: &str) -> String {
        let share = |part: usize, whole: usize| match whole {
            0 => "-".to_string(),
            whole => format!("{part} of {whole} ({:.0} %)", 100.0 * part as f64 / whole as f64),
        };
        let made: u64 = self.mutants.iter().sum();
        let mut questions = self.questions.clone();
        questions.sort_unstable();
        let median = questions.get(questions.len() / 2).map_or("-".to_string(), |median| match *median {
            usize::MAX => "none".to_string(),
            median => median.to_string(),
        });
        format!(
            "| {name} | {} | {} | {} | {} | {} | {} | {} | {:.1} % | {median} |",
            self.faults,
            self.shown,
            share(self.alarms, self.inputs),
            share(self.live, self.inputs),
            share(self.alarming, self.shown),
            share(self.repaired, self.tokens),
            made / self.mutants.len().max(1) as u64,
            100.0 * made as f64 / self.proposed.max(1) as f64,
        )
    }
}

/// Plants every fault of a program, and has the command look for it.
fn measured(subject: &Subject, arguments: &Arguments) -> anyhow::Result<Sums> {
    let folder = arguments.folder.join(subject.name);
    fs::create_dir_all(folder.join("in"))?;
    let folder = folder.canonicalize()?;
    let cases: Vec<Case> = (0..arguments.inputs)
        .map(|number| Case::write(subject, &folder, arguments.seed, number))
        .collect::<Result<_, _>>()?;
    let cases = distinct(cases);
    let right = compiled(&folder, "right", subject.text)?;
    let wanted = all_did(&right, &folder, &cases)?;
    let mut sums = Sums::default();
    for (number, fault) in subject.faults().into_iter().enumerate() {
        if !arguments.faults.is_empty() && !arguments.faults.contains(&(number + 1)) {
            continue;
        }
        sums.faults += 1;
        let home = folder.join(format!("fault-{}", number + 1));
        fs::create_dir_all(&home)?;
        let text = fault.planted(subject.text)?;
        let wrong = compiled(&home, "wrong", &text)?;
        fs::write(home.join(format!("{}.c", subject.name)), &text)?;
        let (mut showing, mut benign) = (Vec::new(), Vec::new());
        let mut endless = 0;
        let found = all_did(&wrong, &folder, &cases)?;
        for ((case, wanted), found) in cases.iter().zip(&wanted).zip(found) {
            if found == *wanted {
                benign.push(case);
            } else if found.0.is_some() {
                showing.push(case);
            } else {
                endless += 1;
            }
        }
        if endless > 0 {
            eprintln!("{}: {}: {endless} inputs end by a signal or not at all", subject.name, fault.name);
        }
        if showing.is_empty() || benign.len() < arguments.asked {
            eprintln!(
                "{}: {}: shown by {} of {} inputs",
                subject.name,
                fault.name,
                showing.len(),
                cases.len()
            );
            continue;
        }
        sums.shown += 1;
        let found = alarmed(arguments, subject, &home, &benign, &showing)?;
        let tried = showing.len().min(SHOWING);
        sums.inputs += tried;
        sums.alarms += found.alarms;
        sums.live += found.live;
        sums.alarming += usize::from(found.alarms > 0);
        sums.mutants.push(found.mutants);
        sums.proposed += found.proposed;
        if fault.is_token {
            sums.tokens += 1;
            sums.repaired += usize::from(found.alarms == tried);
        }
        let questions = match arguments.asked {
            0 => None,
            _ => Some(asked(arguments, subject, &home, &benign, &showing)?),
        };
        eprintln!(
            "{}: {}: {} of {tried} alarm, first question {questions:?}",
            subject.name, fault.name, found.alarms
        );
        sums.questions.extend(questions);
    }
    Ok(sums)
}

/// A test or an input, as a line of a list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Case {
    words: Vec<String>,
    input: String,
    line: String,
}

impl Case {
    fn write(subject: &Subject, folder: &Path, seed: u64, number: u64) -> anyhow::Result<Case> {
        let drawn = input::drawn(subject.name, seed, number);
        let path = folder.join("in").join(number.to_string());
        fs::write(&path, &drawn.input)?;
        let words = drawn.words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
        let line = format!("{words} < {}", path.display()).trim_start().to_string();
        Ok(Case { words: drawn.words, input: drawn.input, line })
    }
}

/// Returns the cases without those that are given the same as an earlier one.
fn distinct(cases: Vec<Case>) -> Vec<Case> {
    let mut known = BTreeSet::new();
    cases.into_iter().filter(|case| known.insert((case.words.clone(), case.input.clone()))).collect()
}

fn compiled(folder: &Path, name: &str, text: &str) -> anyhow::Result<PathBuf> {
    let (source, program) = (folder.join(format!("{name}.c")), folder.join(name));
    let clock = folder.join("clock.c");
    fs::write(&source, text)?;
    fs::write(&clock, CLOCK)?;
    let output =
        Command::new("cc").args(["-w", "-o"]).arg(&program).args([&source, &clock]).arg("-lm").output()?;
    if !output.status.success() {
        bail!("{} does not compile:\n{}", source.display(), String::from_utf8_lossy(&output.stderr));
    }
    Ok(program)
}

/// The exit code of a run, and the texts that it printed.
#[derive(Debug, PartialEq, Eq)]
struct Did(Option<i32>, Vec<u8>, Vec<u8>);

/// Processes at a time in which programs are run on their inputs.
const AT_A_TIME: usize = 4;

/// Runs a program on every case.
fn all_did(program: &Path, folder: &Path, cases: &[Case]) -> anyhow::Result<Vec<Did>> {
    let share = cases.len().div_ceil(AT_A_TIME).max(1);
    let run =
        |cases: &[Case]| cases.iter().map(|case| did(program, folder, case)).collect::<Result<Vec<_>, _>>();
    let found = std::thread::scope(|scope| {
        let workers: Vec<_> = cases.chunks(share).map(|cases| scope.spawn(move || run(cases))).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("no worker panics"))
            .collect::<Result<Vec<_>, _>>()
    })?;
    Ok(found.into_iter().flatten().collect())
}

fn did(program: &Path, folder: &Path, case: &Case) -> anyhow::Result<Did> {
    let path = case.line.rsplit_once("< ").map(|(_, path)| path).context("every case has an input")?;
    let input = fs::File::open(path)?;
    let mut command = Command::new(program);
    command.args(&case.words).current_dir(folder).stdin(Stdio::from(input));
    let output = command.output()?;
    Ok(Did(output.status.code(), output.stdout, output.stderr))
}

/// The alarms of the command with a strong suite.
struct Alarmed {
    alarms: usize,
    /// Alarms of mutants that some test reaches.
    live: usize,
    mutants: u64,
    proposed: u64,
}

fn alarmed(
    arguments: &Arguments,
    subject: &Subject,
    home: &Path,
    benign: &[&Case],
    showing: &[&Case],
) -> anyhow::Result<Alarmed> {
    let suite: Vec<&Case> = benign.iter().copied().take(arguments.suite).collect();
    let inputs = spread(showing, SHOWING);
    let report = reported(arguments, subject, home, &suite, &inputs)?;
    let number = |member: &str| report[member].as_u64().unwrap_or_default();
    let noticing = report["inputs"].as_array().map(Vec::as_slice).unwrap_or_default();
    let live = noticing.iter().filter(|input| input["live"].as_u64() > Some(0)).count();
    Ok(Alarmed { alarms: noticing.len(), live, mutants: number("mutants"), proposed: number("proposed") })
}

/// Returns the number of questions until the first one whose input shows the fault.
fn asked(
    arguments: &Arguments,
    subject: &Subject,
    home: &Path,
    benign: &[&Case],
    showing: &[&Case],
) -> anyhow::Result<usize> {
    let (suite, rest) = benign.split_at(arguments.asked);
    let mut stream = spread(showing, STREAM.0);
    stream.extend(rest.iter().copied().take(STREAM.1));
    let report = reported(arguments, subject, home, suite, &stream)?;
    let lines: BTreeSet<&str> =
        showing.iter().map(|case| case.line.rsplit_once("< ").map_or("", |(_, path)| path)).collect();
    let questions = report["alarms"].as_array().context("the report has alarms")?;
    let shows = |question: &Value| {
        let line = question["line"].as_str().unwrap_or_default();
        line.rsplit_once("< ").is_some_and(|(_, path)| lines.contains(path))
    };
    Ok(questions.iter().position(shows).map_or(usize::MAX, |place| place + 1))
}

/// Returns some of the cases, from all over.
fn spread<'a>(cases: &[&'a Case], most: usize) -> Vec<&'a Case> {
    let count = cases.len().min(most);
    (0..count).map(|place| cases[place * cases.len() / count]).collect()
}

/// Runs the command on a faulty program, and reads its report.
fn reported(
    arguments: &Arguments,
    subject: &Subject,
    home: &Path,
    suite: &[&Case],
    inputs: &[&Case],
) -> anyhow::Result<Value> {
    let list = |cases: &[&Case]| cases.iter().map(|case| case.line.clone() + "\n").collect::<String>();
    fs::write(home.join("suite"), list(suite))?;
    fs::write(home.join("inputs"), list(inputs))?;
    let command = arguments.command.canonicalize().with_context(|| {
        format!("{} is not built; run `cargo build --release -p cargo-bugnet`", arguments.command.display())
    })?;
    let mut command = Command::new(command);
    command.args([
        "variants",
        "--tests",
        "suite",
        "--inputs",
        "inputs",
        "--unreduced",
        "--json",
        "report.json",
    ]);
    command.args(&arguments.words).arg("--c").arg(format!("{}.c", subject.name)).current_dir(home);
    let output = command.output()?;
    if output.status.code().is_none_or(|code| code >= 2) {
        bail!("{}: {}", subject.name, String::from_utf8_lossy(&output.stderr));
    }
    Ok(serde_json::from_str(&fs::read_to_string(home.join("report.json"))?)?)
}
