//! A session with a C program: its mutants compiled, and what its own tests say of each.
//!
//! **Invariant:** a test is used only if the mutated program with all switches off does on it what the program does,
//! twice; which tests are left out is said.

use super::super::choice::Choice;
use super::super::mutation::{Mutant, Mutations};
use super::super::neutral::Class;
use super::super::operator::Operators;
use super::super::schema_c::Schema;
use super::bench::{Answer, Bench, Job, Outcome, Wanted};
use super::build::Workshop;
use super::case::Case;
use super::kept::{self, Given};
use crate::explore::progress;
use crate::interrupt::processor_time;
use crate::status;
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A C program whose variants are made.
#[derive(Debug)]
pub(crate) struct CProgram {
    /// The folder of the program: the one that the command was called in.
    pub(crate) home: PathBuf,
    pub(crate) files: Vec<PathBuf>,
    /// The command that builds it, if it is not just compiled.
    pub(crate) build: Option<String>,
}

/// A built program that was not run yet.
#[derive(Debug)]
pub(crate) struct Workpiece {
    workshop: Workshop,
    plain: PathBuf,
    pub(crate) schema: Schema,
}

impl CProgram {
    /// Builds the program as it is, and finds its mutants.
    pub(crate) fn schema(&self, operators: Operators, choice: &Choice) -> Result<Workpiece> {
        status::progress("Building", &format!("the program, with {} C files to change", self.files.len()));
        let (workshop, plain) = Workshop::new(&self.home, &self.files, self.build.as_deref())?;
        let mut schema = workshop.schema(&self.home, operators)?;
        schema.mutations.retain(&|mutations, mutant| choice.has(mutations, mutant));
        if schema.mutations.sites.is_empty() {
            bail!("nothing of these files can be changed with these options; `--list` prints what can");
        }
        Ok(Workpiece { workshop, plain, schema })
    }

    fn bench(&self, program: &Path, processes: usize) -> Bench {
        let name = self
            .files
            .first()
            .and_then(|file| file.file_stem())
            .map(|name| name.to_string_lossy().into_owned());
        Bench {
            program: program.to_path_buf(),
            name: name.unwrap_or_default(),
            home: self.home.clone(),
            scratch: self.home.join(super::FOLDER).join("scratch"),
            processes,
            is_alone: false,
        }
    }
}

/// The settings of a session.
pub(crate) struct Effort<'a> {
    pub(crate) processes: usize,
    pub(crate) is_late: &'a (dyn Fn() -> bool + Sync),
}

/// A program with its mutants compiled and judged.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) schema: Schema,
    /// The number of mutants that were proposed to the compiler.
    pub(crate) proposed: usize,
    pub(crate) rounds: usize,
    /// The tests that judge mutants.
    pub(crate) tests: Vec<Case>,
    /// The number of tests that were left out, and why.
    pub(crate) left_out: Vec<(&'static str, usize)>,
    /// The mutants that compile, and what the tests say of each.
    pub(crate) mutants: Vec<(Mutant, Class)>,
    pub(crate) bench: Bench,
    plain: Bench,
    /// The processor time that testing the mutants took.
    pub(crate) spent: Duration,
}

impl Session {
    /// Compiles the mutants of a program, and tests each.
    pub(crate) fn run(
        subject: &CProgram,
        piece: Workpiece,
        tests: &[Case],
        kept: &[Given],
        effort: &Effort<'_>,
    ) -> Result<Session> {
        let Workpiece { workshop, plain, mut schema } = piece;
        let proposed = schema.mutants().len();
        let built = workshop.mutated(&mut schema)?;
        let plain = Bench { is_alone: true, ..subject.bench(&plain, effort.processes) };
        let bench = subject.bench(&built.program, effort.processes);
        let mut session = Session {
            schema,
            proposed,
            rounds: built.rounds,
            tests: Vec::new(),
            left_out: Vec::new(),
            mutants: Vec::new(),
            bench,
            plain,
            spent: Duration::ZERO,
        };
        let faithful = session.faithful(tests)?;
        kept::check(kept, &session.plain.learn(&tests[..kept.len()])?)?;
        session.tests = faithful.cases;
        session.left_out = faithful.left_out;
        if session.tests.is_empty() {
            bail!(
                "no test behaves the same twice, so none can tell a mutant from the program; give tests whose output \
                   does not depend on time, addresses or chance"
            );
        }
        let before = processor_time();
        session.mutants = session.judged(effort)?;
        session.spent = processor_time().saturating_sub(before);
        Ok(session)
    }

    /// Returns the cases on which the mutated program does what the program does, with all switches off.
    pub(crate) fn faithful(&mut self, cases: &[Case]) -> Result<Faithful> {
        let first = self.plain.learn(cases)?;
        // Every further run of these would take as long again.
        let (ending, endless): (Vec<_>, Vec<_>) =
            cases.iter().cloned().zip(first).partition(|(_, outcome)| !outcome.is_endless());
        let (cases, first): (Vec<Case>, Vec<Outcome>) = ending.into_iter().unzip();
        let cases = &cases[..];
        let second = self.plain.learn(cases)?;
        let mut mutated = self.bench.learn(cases)?;
        let count =
            |mutated: &[Outcome]| mutated.iter().zip(&first).filter(|(one, other)| one != other).count();
        if count(&mutated) > 0 && !self.bench.is_alone {
            // Some programs leave behind what the next case sees; then each case gets a process.
            self.bench.is_alone = true;
            let alone = self.bench.learn(cases)?;
            self.bench.is_alone = count(&alone) < count(&mutated);
            if self.bench.is_alone {
                mutated = alone;
            }
        }
        let mut faithful = Faithful::default();
        let (mut changing, mut deviating) = (0, 0);
        for (place, case) in cases.iter().enumerate() {
            if first[place] != second[place] {
                changing += 1;
            } else if mutated[place] != first[place] {
                deviating += 1;
            } else {
                faithful.cases.push(case.clone());
                faithful.outcomes.push(first[place].clone());
            }
        }
        if let Some((case, _)) = endless.first() {
            status::warning(&format!("the program itself does not come to its end on: {}", case.line()));
        }
        let reasons = [
            ("no end within ten seconds", endless.len()),
            ("another result each time", changing),
            ("another result once the program is compiled with switches", deviating),
        ];
        faithful.left_out = reasons.into_iter().filter(|(_, count)| *count > 0).collect();
        Ok(faithful)
    }

    /// Returns what the tests say of every mutant.
    fn judged(&self, effort: &Effort<'_>) -> Result<Vec<(Mutant, Class)>> {
        let mutants = self.schema.mutants();
        let line = progress::Line::new("Testing");
        let tell = |done: usize| line.say(format!("{done} of {} mutants", mutants.len()));
        let job = |mutant: &Mutant| Job { on: vec![*mutant], cases: None, wanted: Wanted::First };
        let jobs: Vec<Job> = mutants.iter().map(job).collect();
        let answers = self.bench.ask(&self.tests, &jobs, effort.is_late, &tell)?;
        Ok(mutants.iter().copied().zip(answers.into_iter().map(|answer| self.class(answer))).collect())
    }

    fn class(&self, answer: Option<Answer>) -> Class {
        match answer {
            None => Class::Untested,
            Some(Answer::Same) => Class::Live,
            Some(Answer::Unreached) => Class::Unreached,
            Some(Answer::Endless(_)) => Class::Endless,
            Some(Answer::Lost) => Class::Killed(None),
            Some(Answer::Differs(cases)) => Class::Killed(cases.first().map(|case| self.tests[*case].line())),
        }
    }

    /// Returns which variants no test tells from the program.
    pub(crate) fn neutral(&self, variants: &[Vec<Mutant>]) -> Result<Vec<bool>> {
        let job = |variant: &Vec<Mutant>| Job { on: variant.clone(), cases: None, wanted: Wanted::First };
        let jobs: Vec<Job> = variants.iter().map(job).collect();
        let answers = self.bench.ask(&self.tests, &jobs, &|| false, &|_| {})?;
        Ok(answers
            .into_iter()
            .map(|answer| matches!(answer, Some(Answer::Same | Answer::Unreached)))
            .collect())
    }

    /// Returns the mutants of some classes.
    pub(crate) fn of(&self, is_wanted: impl Fn(&Class) -> bool) -> Vec<Mutant> {
        self.mutants.iter().filter(|(_, class)| is_wanted(class)).map(|(mutant, _)| *mutant).collect()
    }

    pub(crate) fn mutations(&self) -> &Mutations {
        &self.schema.mutations
    }
}

/// Cases that can tell a mutant from the program.
#[derive(Debug, Default)]
pub(crate) struct Faithful {
    pub(crate) cases: Vec<Case>,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) left_out: Vec<(&'static str, usize)>,
}
