//! Known bugs: those that a user has accepted in `bugnet-known.toml`. They are counted and not shown.
//!
//! **Invariant:** a run only reads the file; nobody but `accept` writes it. A known bug hides nothing but itself.

use crate::finding::Cause;
use crate::finding::panic_kind::PanicKind;
use crate::harness::built::Built;
use crate::judge::bug::{Also, Bug};
use crate::judge::same_cause::spoiling;
use anyhow::{Context, Result, bail};
use bugnet::campaign::known::{self, Accepted, Case, EXPLORED, FILE, KnownBug, KnownFile, Of, Problem};
use bugnet::choice::Tape;
use bugnet::oracle;
use bugnet::wire::Program;
use bugnet_process::Death;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A known bug of a crate.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Known {
    pub(crate) bug: KnownBug,
    /// The name of the file that it is in.
    pub(crate) file: &'static str,
    /// Its program, if the harness can read that.
    pub(crate) program: Option<Program>,
}

/// The part of a found bug that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Covered {
    /// It is another bug.
    No,
    Whole,
    /// All but these operations of its family.
    AllBut(Vec<String>),
}

/// A found bug as it is kept and accepted, if its program is known.
pub(crate) fn block(bug: &Bug, harness: &Built) -> Option<KnownBug> {
    Some(KnownBug {
        name: bug.name.clone(),
        of: Of::Crate(harness.package.clone()),
        fails: fails(bug),
        file: file(bug).filter(|_| bug.inner.is_none()),
        function: bug.inner.clone(),
        members: members(bug).into_iter().collect(),
        pattern: bug.pattern.as_ref().map(|pattern| pattern.stored.clone()),
        case: Case::Program(bug.finding.tape.clone()?),
        ..KnownBug::default()
    })
}

/// The operations of the family of a bug, its own among them; none if it has no family.
fn members(bug: &Bug) -> BTreeSet<String> {
    let family: Vec<&Also> = bug.also.iter().filter(|also| also.why.is_of_family()).collect();
    let own = (!family.is_empty()).then_some(&bug.finding.operation);
    own.into_iter().chain(family.iter().map(|also| &also.operation)).cloned().collect()
}

/// Says how a bug fails, in the words of the file: what happens, by which mistake, when, and in which operation.
fn fails(bug: &Bug) -> String {
    let phase = oracle::Phase::read(bug.finding.phase.as_str());
    let cause = bug.finding.cause.as_str();
    let cause = mistake(bug).map_or(cause.to_string(), |mistake| format!("{cause}{BY}{mistake}"));
    known::fails(&cause, phase, &bug.finding.operation)
}

/// The text between the failure and the mistake that leads to it.
const BY: &str = " by ";

/// The kind of mistake that a bug is, in the word of the file: the kind of a panic, or of a death.
fn mistake(bug: &Bug) -> Option<String> {
    match bug.finding.cause {
        Cause::Panic => Some(PanicKind::of(&bug.finding.message, None).as_str().to_string()),
        Cause::Death => Death::read(&bug.finding.message).map(|death| death.to_string()),
        Cause::Hang | Cause::Memory | Cause::Law => None,
    }
}

/// The file in which a bug panics, within its package.
fn file(bug: &Bug) -> Option<String> {
    let file = &bug.finding.place.as_ref()?.file;
    Some(file.rfind("src/").map_or(file.as_str(), |place| &file[place..]).to_string())
}

impl Known {
    /// Returns how much of a found bug is this one. It is the same if the same operation makes the same mistake in the same
    /// function, after changes that are among those of the other; a function that fails in another way, or is made to
    /// fail by other calls, is another bug. Bugs of 0.1 have no mistake and no function, but its file.
    pub(crate) fn covers(&self, bug: &Bug) -> Covered {
        let (how, _, operation) = known::failing(&self.bug.fails);
        let (cause, by) = how.split_once(BY).map_or((how, None), |(cause, by)| (cause, Some(by)));
        let is_same = cause == bug.finding.cause.as_str()
            && (by.is_none() || by == mistake(bug).as_deref())
            && bug.operations().contains(operation)
            && self.is_in(bug, operation)
            && self.is_made_alike(bug);
        if !is_same {
            return Covered::No;
        }
        let is_listed = |member: &String| member == operation || self.bug.members.contains(member);
        let others: Vec<String> = members(bug).into_iter().filter(|member| !is_listed(member)).collect();
        if others.is_empty() { Covered::Whole } else { Covered::AllBut(others) }
    }

    /// Returns true if a found bug is this one, or one of its family.
    pub(crate) fn is(&self, bug: &Bug) -> bool {
        self.covers(bug) != Covered::No
    }

    /// Returns true if a found bug fails in its function, or in that of another member of its family: a type that is new
    /// may come first, and then the function of that one is told.
    fn is_in(&self, bug: &Bug, operation: &str) -> bool {
        let Some(known) = &self.bug.function else { return self.bug.file == file(bug) };
        let bare = |function: &str| function.rsplit("::").next().map(str::to_string);
        let is_listed = || members(bug).iter().any(|member| member == operation);
        let is_written_alike = |inner: &String| bare(inner) == bare(known) && is_listed();
        bug.inner.as_ref().is_some_and(|inner| inner == known || is_written_alike(inner))
    }

    /// Returns true if the calls that change values in one program are among those of the other, whatever
    /// made the values. A program that cannot be read counts as alike.
    fn is_made_alike(&self, bug: &Bug) -> bool {
        let Some(program) = &self.program else { return true };
        let (known, found) = (spoiling(program), spoiling(&bug.program));
        members(bug).len() > 1 || known.is_subset(&found) || found.is_subset(&known)
    }

    /// Returns what is wrong with it, if it cannot be told any more whether it is fixed.
    pub(crate) fn problem(&self, operations: &[String]) -> Option<String> {
        let Known { bug: KnownBug { name, .. }, file, program } = self;
        let (_, _, operation) = known::failing(&self.bug.fails);
        let is_there = operations.iter().any(|other| other == operation);
        let again = "accept the bug again if a run still shows it, or else delete it";
        match program {
            _ if !is_there => Some(format!(
                "{file}: {name} fails in `{operation}`, which cannot be called any more (was it renamed?); {again}"
            )),
            None => Some(format!(
                "{file}: the program of {name} is none of this crate any more, so it was not run; {again}"
            )),
            Some(_) => None,
        }
    }

    /// The same with the function in the place of the file, if only the file is known and a run has met the bug.
    pub(crate) fn with_function(&self, met: &[Bug]) -> Option<KnownBug> {
        if self.bug.function.is_some() {
            return None;
        }
        let met = met.iter().find(|bug| self.is(bug))?;
        let function = Some(met.inner.clone()?);
        Some(KnownBug { function, file: None, fails: fails(met), ..self.bug.clone() })
    }
}

/// The known bugs of a package, by the files in a folder.
///
/// `describe` tells a program, without calls if it is none of the harness.
pub(crate) fn read(
    folder: &Path,
    package: &str,
    describe: &dyn Fn(&str) -> Result<Program>,
) -> Result<Vec<Known>> {
    let files = Files::read(folder)?;
    let of = Of::Crate(package.to_string());
    let own = files.known.bugs.len() - files.moved;
    let bugs = files.known.bugs.into_iter().enumerate();
    let file = |place: usize| if place < own { FILE } else { EXPLORED };
    let known = bugs.filter(|(_, bug)| bug.of == of).map(|(place, bug)| {
        let tape = bug.case.text();
        let program = if tape.parse::<Tape>().is_ok() { describe(tape)? } else { Program::default() };
        let program = Some(program).filter(|program| !program.calls.is_empty());
        Ok(Known { file: file(place), program, bug })
    });
    known.collect()
}

/// The files of known bugs of a folder: `bugnet-known.toml`, and `bugnet-explore.toml` of 0.1.
#[derive(Debug)]
pub(crate) struct Files {
    folder: PathBuf,
    /// The bugs of both, those of the second file last.
    pub(crate) known: KnownFile,
    /// The number of bugs from the second file.
    pub(crate) moved: usize,
    /// The text that stays in the second file, if there is one.
    rest: Option<String>,
}

impl Files {
    pub(crate) fn read(folder: &Path) -> Result<Files> {
        let mut known = KnownFile::at(&folder.join(FILE)).map_err(anyhow::Error::msg)?;
        let own = known.bugs.len();
        let path = folder.join(EXPLORED);
        let mut rest = None;
        if path.exists() {
            let text =
                fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
            match known.take_explored(&text) {
                Ok(left) => rest = Some(left),
                Err(Problem { line, text }) => bail!("{}:{line}: {text}", path.display()),
            }
        }
        // A bug that was accepted again is in both files.
        let moved = known.bugs.split_off(own);
        let is_new = |bug: &KnownBug| !known.bugs.iter().any(|own| own.name == bug.name && own.of == bug.of);
        let moved: Vec<KnownBug> = moved.into_iter().filter(is_new).collect();
        let count = moved.len();
        known.bugs.extend(moved);
        Ok(Files { folder: folder.to_path_buf(), known, moved: count, rest })
    }

    /// The file that is written.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.join(FILE)
    }

    /// Takes in a bug, and perhaps a note on it.
    pub(crate) fn accept(&mut self, bug: KnownBug, note: Option<&str>) -> Accepted {
        let (name, of) = (bug.name.clone(), bug.of.clone());
        let accepted = self.known.accept(bug);
        let mut bugs = self.known.bugs.iter_mut();
        match (note, bugs.find(|bug| bug.name == name && bug.of == of)) {
            (Some(note), Some(bug)) if bug.note != note => {
                bug.note = note.to_string();
                if accepted == Accepted::Added { Accepted::Added } else { Accepted::Changed }
            }
            _ => accepted,
        }
    }

    /// Writes all bugs to the one file, as version 2, and takes them out of the other.
    pub(crate) fn write(&self) -> Result<()> {
        let cannot = |path: &Path| format!("{} cannot be written", path.display());
        fs::write(self.path(), self.known.to_string()).with_context(|| cannot(&self.path()))?;
        let explored = self.folder.join(EXPLORED);
        match self.rest.as_deref() {
            None => Ok(()),
            Some("") => fs::remove_file(&explored).with_context(|| cannot(&explored)),
            Some(rest) => fs::write(&explored, rest).with_context(|| cannot(&explored)),
        }
    }
}

#[cfg(test)]
mod tests;
