//! One test: an input is generated, and every target gets a copy of it.
//!
//! **Invariant:** test `i` is a function of the plan, the scheme, the seed and `i`. Programs see relative paths only,
//! so that what they print is the same wherever they run.

use super::draw::Draw;
use super::file::{Plan, Target};
use super::oracle::{self, Outcome};
use super::program::{Ended, Job, Ran};
use super::setup::Setup;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The result of the generator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Generated {
    Input(Vec<u8>),
    /// The generator made no input, and said why.
    Nothing(String),
    /// The generator did not end in time, which costs that time at every try.
    Endless(String),
}

/// A folder in which programs run one after another.
#[derive(Debug)]
pub(crate) struct Bench<'a> {
    plan: &'a Plan,
    folder: PathBuf,
}

impl<'a> Bench<'a> {
    /// A bench in a folder that is its own.
    pub(crate) fn new(plan: &'a Plan, folder: PathBuf) -> Bench<'a> {
        Bench { plan, folder }
    }

    /// Runs the generator.
    pub(crate) fn generate(&self, setup: &Setup, draw: Draw) -> Result<Generated> {
        let generator = &self.plan.generator;
        let folder = self.emptied("generator", &generator.files)?;
        // Many programs read a seed of 31 bits.
        let seed = (draw.word("seed") >> 33).to_string();
        let values = [("seed", seed.as_str()), ("out", generator.input.as_str()), ("tmp", ".")];
        let mut input = None;
        if let Some(count) = generator.random {
            let path = folder.join("random");
            written(&path, &draw.bytes("stdin", count))?;
            input = Some(path);
        }
        let flags = setup.flags(&self.plan.features);
        let words = generator.command.filled(&flags, &values);
        let program = &generator.command.program;
        let ran = Job { program, words, folder: &folder, input, limit: generator.limit }.run()?;
        Ok(self.taken(&folder, ran))
    }

    /// Returns what the generator left: the file, or its output if the command names no file.
    fn taken(&self, folder: &Path, ran: Ran) -> Generated {
        let generator = &self.plan.generator;
        let said = || {
            let line = ran.errors.lines().rev().find(|line| !line.trim().is_empty());
            line.map(|line| format!(": {}", line.trim())).unwrap_or_default()
        };
        match ran.end {
            Ended::Exit(0) => {}
            Ended::Exit(code) => return Generated::Nothing(format!("it ended with code {code}{}", said())),
            Ended::Signal(signal) => {
                return Generated::Nothing(format!("it died of signal {signal}{}", said()));
            }
            Ended::UsedUp => return Generated::Endless("it used up its processor time".to_string()),
            Ended::Waited => return Generated::Endless("it was waited for too long".to_string()),
        }
        let input = match generator.command.has("out") {
            true => fs::read(folder.join(&generator.input)).unwrap_or_default(),
            false => ran.output,
        };
        if input.is_empty() {
            return Generated::Nothing("it wrote nothing".to_string());
        }
        Generated::Input(input)
    }

    /// Gives every target a copy of an input, and judges each.
    pub(crate) fn judge(&self, input: &[u8]) -> Result<Vec<Outcome>> {
        let (mut runs, mut outcomes) = (Vec::new(), Vec::new());
        for target in &self.plan.targets {
            let ran = self.run(target, input)?;
            outcomes.push(self.plan.oracle.judge(&ran));
            runs.push(Some(ran));
        }
        oracle::disagreements(self.plan, &runs, &mut outcomes);
        Ok(outcomes)
    }

    /// Judges one target, and the one that it must agree with if there is one.
    pub(crate) fn judge_one(&self, place: usize, input: &[u8]) -> Result<Outcome> {
        let count = self.plan.targets.len();
        let mut runs: Vec<Option<Ran>> = vec![None; count];
        let mut outcomes = vec![Outcome::Rejected("it was not run".to_string()); count];
        let target = &self.plan.targets[place];
        for place in [Some(place), target.agree.as_ref().map(|agree| agree.with)].into_iter().flatten() {
            let ran = self.run(&self.plan.targets[place], input)?;
            outcomes[place] = self.plan.oracle.judge(&ran);
            runs[place] = Some(ran);
        }
        oracle::disagreements(self.plan, &runs, &mut outcomes);
        Ok(outcomes.swap_remove(place))
    }

    /// Runs one target on a copy of an input.
    pub(crate) fn run(&self, target: &Target, input: &[u8]) -> Result<Ran> {
        let name = &self.plan.generator.input;
        let folder = self.emptied(&target.name, &target.files)?;
        written(&folder.join(name), input)?;
        let words = target.command.filled(&[], &[("in", name), ("tmp", ".")]);
        Job { program: &target.command.program, words, folder: &folder, input: None, limit: target.limit }
            .run()
    }

    /// Returns whether the last run of a target has left its input as it was.
    pub(crate) fn has_kept(&self, target: &Target, input: &[u8]) -> bool {
        fs::read(self.folder.join(&target.name).join(&self.plan.generator.input))
            .is_ok_and(|now| now == input)
    }

    /// Returns whether an input passes the guard against invalid ones.
    pub(crate) fn is_valid(&self, input: &[u8]) -> Result<bool> {
        let Some(valid) = &self.plan.reducer.valid else { return Ok(true) };
        let name = &self.plan.generator.input;
        let folder = self.emptied("valid", &self.plan.generator.files)?;
        written(&folder.join(name), input)?;
        let words = valid.filled(&[], &[("in", name)]);
        let limit = self.plan.generator.limit;
        let ran = Job { program: &valid.program, words, folder: &folder, input: None, limit }.run()?;
        Ok(ran.end == Ended::Exit(0))
    }

    /// Returns an empty folder with copies of some files.
    fn emptied(&self, name: &str, files: &[PathBuf]) -> Result<PathBuf> {
        let folder = self.folder.join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| cannot(&folder))?;
        }
        fs::create_dir_all(&folder).with_context(|| cannot(&folder))?;
        for file in files {
            let copy = folder.join(file.file_name().unwrap_or_default());
            fs::copy(file, &copy).with_context(|| cannot(&copy))?;
        }
        Ok(folder)
    }
}

/// Writes a file.
fn written(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| cannot(path))
}

fn cannot(path: &Path) -> String {
    format!("{} cannot be written; is the disk full?", path.display())
}
