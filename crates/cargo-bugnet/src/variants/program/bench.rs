//! The bench: runs a mutated program on many cases with many sets of switches, in few processes.
//!
//! **Invariant:** a process that dies costs the job that it was at, never the run; all of them run with few rights.

use super::super::mutation::Mutant;
use super::case::Case;
use crate::confine::{self, Limits, Role};
use anyhow::{Context, Result, bail};
use bugnet_process::{How, Next, Output, Process, Start, patience};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Jobs that one process gets; what a process learns first costs as much as some jobs.
const SHARE: usize = 250;
/// The time in which a process must have answered one more job. A job runs every case, and a mutant may take twenty
/// times as long.
const SILENCE: Duration = Duration::from_secs(300);
/// The time between two looks at the answers.
const LOOK: Duration = Duration::from_millis(200);
/// Bytes of output that are kept of a single run.
const KEPT: usize = 1 << 20;
/// Steps of a single run; the runtime gives the original as many.
const STEPS: i64 = 2_000_000_000;

/// The signal with which the runtime ends a case that takes too long.
const SIGALRM: i32 = 14;

/// The behaviour of a program on a case, as far as it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// An exit code, or a signal and 256.
    pub(crate) end: i32,
    /// Length and digest of standard output and of standard error.
    pub(crate) printed: String,
}

impl Outcome {
    /// Returns whether the program did not come to its end in time.
    pub(crate) fn is_endless(&self) -> bool {
        self.end == 256 + SIGALRM
    }

    /// Returns whether a signal ended the program.
    pub(crate) fn is_death(&self) -> bool {
        self.end > 255
    }
}

/// Switches, and the cases to run with them on.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    /// Mutants of different sites.
    pub(crate) on: Vec<Mutant>,
    /// Numbers of cases; `None` for all.
    pub(crate) cases: Option<Vec<usize>>,
    pub(crate) wanted: Wanted,
}

/// The part of the differences that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    First,
    Every,
}

/// The answer to a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// No case differs.
    Same,
    /// No case reaches one of the sites.
    Unreached,
    /// These cases differ; of one that was asked for the first, that one.
    Differs(Vec<usize>),
    /// This case does not come to its end.
    Endless(usize),
    /// The process has died of it.
    Lost,
}

/// A single run of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Single {
    pub(crate) how: How,
    pub(crate) output: Vec<u8>,
    pub(crate) errors: String,
}

/// A program, and the surroundings in which it is run.
#[derive(Debug)]
pub(crate) struct Bench {
    pub(crate) program: PathBuf,
    /// The name by which the program is called.
    pub(crate) name: String,
    /// The folder in which it runs; it may read there.
    pub(crate) home: PathBuf,
    /// The one folder in which it may write.
    pub(crate) scratch: PathBuf,
    /// Processes at a time.
    pub(crate) processes: usize,
    /// True if each case has a process of its own, because cases see what others leave behind.
    pub(crate) is_alone: bool,
}

impl Bench {
    /// Returns the behaviour of the program on cases, with all switches off.
    pub(crate) fn learn(&self, cases: &[Case]) -> Result<Vec<Outcome>> {
        let folder = self.folder("learn")?;
        write_cases(&folder, &self.name, cases)?;
        let lines = self.lines(&folder, &[], &|_| {})?;
        let outcomes: Vec<Outcome> = lines.iter().filter_map(|line| outcome(line)).collect();
        if outcomes.len() != cases.len() || !lines.iter().any(|line| line == "done") {
            bail!(
                "the program could not be run on its tests: {}",
                lines.last().map_or("it said nothing", String::as_str)
            );
        }
        Ok(outcomes)
    }

    /// Runs jobs; `is_late` ends it early, and `tell` hears how many were answered.
    pub(crate) fn ask(
        &self,
        cases: &[Case],
        jobs: &[Job],
        is_late: &(dyn Fn() -> bool + Sync),
        tell: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Option<Answer>>> {
        let shares: Vec<&[Job]> = jobs.chunks(SHARE).collect();
        let answers: Mutex<Vec<Vec<Answer>>> = Mutex::new(vec![Vec::new(); shares.len()]);
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |number: usize| -> Result<()> {
            let folder = self.folder(&number.to_string())?;
            write_cases(&folder, &self.name, cases)?;
            while !is_late() {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(share) = shares.get(place) else { break };
                let before = done.load(Ordering::Relaxed);
                let found = self.share(&folder, share, &|count| tell(before + count))?;
                tell(done.fetch_add(found.len(), Ordering::Relaxed) + found.len());
                answers.lock().expect("nobody panics with it")[place] = found;
            }
            Ok(())
        };
        let processes = self.processes.clamp(1, shares.len().max(1));
        std::thread::scope(|scope| {
            let work = &work;
            let workers: Vec<_> = (0..processes).map(|number| scope.spawn(move || work(number))).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
        })?;
        let answers = answers.into_inner().expect("nobody panics with it");
        let own = |(share, found): (&&[Job], Vec<Answer>)| {
            let missing = share.len() - found.len();
            found.into_iter().map(Some).chain(std::iter::repeat_n(None, missing)).collect::<Vec<_>>()
        };
        Ok(shares.iter().zip(answers).flat_map(own).collect())
    }

    /// Answers some jobs; a job that its process dies of is lost, and the others go on.
    fn share(&self, folder: &Path, jobs: &[Job], tell: &dyn Fn(usize)) -> Result<Vec<Answer>> {
        let mut answers: Vec<Answer> = Vec::new();
        while answers.len() < jobs.len() {
            let lines = self.lines(folder, &jobs[answers.len()..], tell)?;
            if !lines.iter().any(|line| line == "learned") {
                bail!("the mutated program could not be run on its tests; it said: {}", lines.join(" "));
            }
            answers.extend(lines.iter().filter_map(|line| answer(line)));
            if answers.len() < jobs.len() {
                answers.push(Answer::Lost);
            }
        }
        Ok(answers)
    }

    /// Runs the program on one case, and then each mutant; returns the behaviour, and the mutants that differ.
    pub(crate) fn compare(&self, case: &Case, mutants: &[Mutant]) -> Result<(Outcome, Vec<Mutant>)> {
        let folder = self.folder("compare")?;
        write_cases(&folder, &self.name, std::slice::from_ref(case))?;
        let job = |mutant: &Mutant| Job { on: vec![*mutant], cases: None, wanted: Wanted::First };
        let jobs: Vec<Job> = mutants.iter().map(job).collect();
        let lines = self.lines(&folder, &jobs, &|_| {})?;
        let Some(outcome) = lines.iter().find_map(|line| outcome(line)) else {
            bail!("the mutated program could not be run on an input; it said: {}", lines.join(" "));
        };
        let answers = lines.iter().filter_map(|line| answer(line));
        let differs = |answer: &Answer| matches!(answer, Answer::Differs(_) | Answer::Endless(_));
        let noticed = mutants.iter().zip(answers).filter(|(_, answer)| differs(answer));
        Ok((outcome, noticed.map(|(mutant, _)| *mutant).collect()))
    }

    /// Runs a process for some jobs; returns the lines that it has written.
    fn lines(&self, folder: &Path, jobs: &[Job], tell: &dyn Fn(usize)) -> Result<Vec<String>> {
        let results = folder.join("results");
        let text: String = jobs.iter().map(|job| written(job) + "\n").collect();
        fs::write(folder.join("jobs"), text)?;
        let _ = fs::remove_file(&results);
        let mut start = self.start(folder)?;
        let mut set = |name: &str, value: &Path| start.variables = start.variables.clone().with(name, value);
        set("BUGNET_TESTS", &folder.join("tests"));
        set("BUGNET_JOBS", &folder.join("jobs"));
        set("BUGNET_RESULTS", &results);
        if self.is_alone {
            set("BUGNET_ALONE", Path::new("1"));
        }
        let mut process = Process::start(&start).context("the mutated program cannot be started")?;
        let (mut size, mut end) = (0, Instant::now() + SILENCE);
        while process.next(Instant::now() + LOOK) == Next::Late {
            let now = fs::metadata(&results).map_or(0, |known| known.len());
            if now != size {
                (size, end) = (now, Instant::now() + SILENCE);
                let text = fs::read_to_string(&results).unwrap_or_default();
                tell(text.lines().filter(|line| answer(line).is_some()).count());
            } else if Instant::now() >= end {
                break;
            }
        }
        let finished = process.finish(Instant::now());
        let bytes = fs::read(&results).unwrap_or_default();
        let mut lines: Vec<String> = String::from_utf8_lossy(&bytes).lines().map(str::to_string).collect();
        if lines.is_empty() {
            lines.push(format!("{} {}", finished.end.how, finished.end.said.trim()));
        }
        Ok(lines)
    }

    /// Runs the program once in a process of its own.
    pub(crate) fn single(&self, case: &Case, on: &[Mutant]) -> Result<Single> {
        let folder = self.folder("single")?;
        let mut start = self.start(&folder)?;
        start.arguments = case.words.iter().map(OsString::from).collect();
        start.input = case.input.clone();
        start.variables =
            start.variables.with("BUGNET_SWITCHES", switches(on)).with("BUGNET_STEPS", STEPS.to_string());
        start.output = Output::Whole { most: KEPT };
        let process = Process::start(&start).context("the mutated program cannot be started")?;
        let finished = process.finish(Instant::now() + patience::STEADY);
        Ok(Single { how: finished.end.how, output: finished.output, errors: finished.end.said })
    }

    fn start(&self, folder: &Path) -> Result<Start> {
        // The process forks the program; each fork has the time of the processor to itself.
        let limits = Limits::harness(patience::TASK, Role::Alone);
        let start = confine::limited_in(&self.program, folder, limits)?;
        let variables = start.variables.with("LC_ALL", "C").with("MALLOC_PERTURB_", "0");
        Ok(Start { folder: Some(self.home.clone()), variables, ..start })
    }

    fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.scratch.join(name);
        fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        Ok(folder.canonicalize()?)
    }
}

/// Writes cases as the runtime reads them.
fn write_cases(folder: &Path, name: &str, cases: &[Case]) -> Result<()> {
    fn put(bytes: &mut Vec<u8>, text: &str) {
        bytes.extend((text.len() as u32).to_ne_bytes());
        bytes.extend(text.as_bytes());
    }
    let mut bytes = (cases.len() as u32).to_ne_bytes().to_vec();
    for case in cases {
        bytes.extend((case.words.len() as u32 + 1).to_ne_bytes());
        put(&mut bytes, name);
        case.words.iter().for_each(|word| put(&mut bytes, word));
        put(
            &mut bytes,
            &case.input.as_ref().map_or(String::new(), |path| path.to_string_lossy().into_owned()),
        );
    }
    fs::write(folder.join("tests"), bytes)?;
    Ok(())
}

fn switches(on: &[Mutant]) -> String {
    on.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// Writes a job as the runtime reads it.
fn written(job: &Job) -> String {
    let word = if job.wanted == Wanted::First { "first" } else { "every" };
    let cases =
        job.cases.as_ref().map(|cases| cases.iter().map(ToString::to_string).collect::<Vec<_>>().join(","));
    format!("{word} {} {}", switches(&job.on), cases.unwrap_or_else(|| "*".to_string()))
}

/// Reads what the runtime says of a case: `test END STEPS` and what was printed.
fn outcome(line: &str) -> Option<Outcome> {
    let mut words = line.strip_prefix("test ")?.splitn(3, ' ');
    let end = words.next()?.parse().ok()?;
    words.next()?;
    Some(Outcome { end, printed: words.next()?.to_string() })
}

/// Reads the answer of the runtime to a job.
fn answer(line: &str) -> Option<Answer> {
    let mut words = line.split(' ');
    match words.next()? {
        "live" => Some(Answer::Same),
        "unreached" => Some(Answer::Unreached),
        "killed" => {
            let case = words.next()?.parse().ok()?;
            Some(if words.next() == Some("endless") {
                Answer::Endless(case)
            } else {
                Answer::Differs(vec![case])
            })
        }
        "differs" => {
            Some(Answer::Differs(words.next()?.split(',').filter_map(|case| case.parse().ok()).collect()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_and_answers_are_lines() {
        let on = vec![Mutant { site: 3, alternative: 1 }, Mutant { site: 9, alternative: 2 }];
        let job = Job { on: on.clone(), cases: Some(vec![4, 7]), wanted: Wanted::Every };
        assert_eq!(written(&job), "every 3:1,9:2 4,7");
        assert_eq!(written(&Job { on, cases: None, wanted: Wanted::First }), "first 3:1,9:2 *");
        assert_eq!(answer("differs 3,9"), Some(Answer::Differs(vec![3, 9])));
        assert_eq!(answer("killed 12 endless"), Some(Answer::Endless(12)));
        assert_eq!(answer("killed 12 output"), Some(Answer::Differs(vec![12])));
        assert_eq!((answer("live"), answer("unreached")), (Some(Answer::Same), Some(Answer::Unreached)));
        assert_eq!(answer("test 0 5 1 a 0 b"), None);
        assert_eq!(outcome("test 267 5 1 a 0 b").unwrap(), Outcome { end: 267, printed: "1 a 0 b".into() });
    }
}
