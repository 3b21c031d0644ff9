//! The check: has the compiler judge a source, and reads which lines it refuses.

use super::coverage::Coverage;
use super::source::{Owner, Source};
use crate::cargo::{self, Running};
use crate::exit::NotBuilt;
use anyhow::{Context, Result, bail};
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel, DiagnosticSpan};
use cargo_metadata::{Message, camino::Utf8PathBuf};
use std::io::{BufReader, Read};
use std::path::PathBuf;
use std::process::Stdio;

/// The file that holds the operations.
pub(crate) const FILE: &str = "operations.rs";

/// The verdict of the compiler.
#[derive(Debug)]
pub(crate) enum Judgement {
    /// It has built the harness.
    Built(Utf8PathBuf),
    /// It has refused these, each with the reason.
    Refused(Vec<(Owner, String)>),
}

/// The way in which Cargo is to build a harness.
#[derive(Debug)]
pub(crate) struct Cargo {
    pub(crate) manifest: PathBuf,
    pub(crate) target: PathBuf,
    pub(crate) coverage: Coverage,
    /// The crates that have counters, if any have.
    pub(crate) counted: Vec<String>,
}

/// An error, and the lines of the operations that it is about.
#[derive(Debug)]
pub(super) struct CompileError {
    pub(super) code: Option<String>,
    pub(super) lines: Vec<usize>,
}

impl CompileError {
    /// Returns true if a type does not implement a trait, or two types are not the same.
    pub(super) fn is_about_bounds(&self) -> bool {
        matches!(self.code.as_deref(), Some("E0277" | "E0271" | "E0275" | "E0283"))
    }

    /// Returns true if a name means nothing, or is private, so that the compiler has not looked at types at all.
    pub(super) fn is_about_names(&self) -> bool {
        const NAMES: [&str; 14] = [
            "E0401", "E0403", "E0404", "E0405", "E0407", "E0412", "E0415", "E0416", "E0425", "E0432",
            "E0433", "E0437", "E0438", "E0603",
        ];
        self.code.as_deref().is_none_or(|code| NAMES.contains(&code))
    }
}

/// Returns the compiler's complaints about the operations; `None` if something keeps it from looking at them.
pub(super) fn complaints(cargo: &Cargo) -> Result<Option<Vec<CompileError>>> {
    let compiled = compile(cargo)?;
    let complaint = |diagnostic: &Diagnostic| CompileError {
        code: diagnostic.code.as_ref().map(|code| code.code.clone()),
        lines: lines(diagnostic),
    };
    // That there were errors is an error too, about nothing.
    let all = compiled.diagnostics.iter().map(complaint);
    let all: Vec<CompileError> = all.filter(|complaint| !complaint.lines.is_empty()).collect();
    Ok((compiled.is_well || !all.is_empty()).then_some(all))
}

/// Builds a harness whose operations are a source.
pub(crate) fn build(cargo: &Cargo, source: &Source) -> Result<Judgement> {
    let Compiled { is_well, executable, diagnostics, said } = compile(cargo)?;
    match (is_well, executable) {
        (true, Some(executable)) => Ok(Judgement::Built(executable)),
        (true, None) => bail!("cargo has built no harness\n\n{said}"),
        _ => refused(source, &diagnostics, &said),
    }
}

/// The result of compiling.
struct Compiled {
    is_well: bool,
    executable: Option<Utf8PathBuf>,
    diagnostics: Vec<Diagnostic>,
    /// The other messages of Cargo.
    said: String,
}

fn compile(cargo: &Cargo) -> Result<Compiled> {
    let mut command = cargo::unwinding();
    command.args(["build", "--quiet", "--message-format=json"]);
    command.arg("--manifest-path").arg(&cargo.manifest).arg("--target-dir").arg(&cargo.target);
    cargo.coverage.wrap(&mut command, &cargo.counted);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(Stdio::null());
    let mut running = Running::start(&mut command)?;
    let output = running.output();
    let mut errors = running.errors();
    let said = std::thread::spawn(move || {
        let mut said = String::new();
        let _ = errors.read_to_string(&mut said);
        said
    });
    let mut executable = None;
    let mut diagnostics = Vec::new();
    for message in Message::parse_stream(BufReader::new(output)) {
        match message.context("the output of cargo cannot be read")? {
            Message::CompilerArtifact(artifact) => executable = artifact.executable.or(executable),
            Message::CompilerMessage(message) => take(&mut diagnostics, message.message),
            _ => {}
        }
    }
    let said = said.join().unwrap_or_default();
    Ok(Compiled { is_well: running.wait()?.success(), executable, diagnostics, said })
}

/// Takes an error. What is refused only when a call of ours is made of generic code, such as an assertion about a
/// constant, has its place there, and the note that follows names the call.
fn take(errors: &mut Vec<Diagnostic>, said: Diagnostic) {
    match (said.level, errors.last_mut()) {
        (DiagnosticLevel::Error, _) => errors.push(said),
        (DiagnosticLevel::Note, Some(error)) => error.children.push(said),
        _ => {}
    }
}

fn refused(source: &Source, diagnostics: &[Diagnostic], said: &str) -> Result<Judgement> {
    let mut refused = Vec::new();
    for diagnostic in diagnostics {
        for line in lines(diagnostic) {
            if let Some(owner) = source.owner(line) {
                refused.push((owner.clone(), diagnostic.message.clone()));
            }
        }
    }
    if refused.is_empty() {
        let first = diagnostics.iter().find_map(|diagnostic| diagnostic.rendered.clone());
        let said = first.unwrap_or_else(|| said.trim_end().to_string());
        return Err(anyhow::Error::new(NotBuilt).context(format!("the crate cannot be built\n\n{said}")));
    }
    Ok(Judgement::Refused(refused))
}

/// The lines of the operations that an error is about.
fn lines(diagnostic: &Diagnostic) -> Vec<usize> {
    let primary = diagnostic.spans.iter().filter(|span| span.is_primary);
    let mut lines: Vec<usize> = primary.filter_map(line).collect();
    if lines.is_empty() {
        lines.extend(diagnostic.spans.iter().filter_map(line));
    }
    if lines.is_empty() {
        // An error in code that was made for one of our calls names the call in a note.
        lines.extend(diagnostic.children.iter().flat_map(|child| &child.spans).filter_map(line));
    }
    if lines.is_empty() {
        lines.extend(named_lines(diagnostic.rendered.as_deref().unwrap_or_default()));
    }
    lines
}

/// The line of a span, or of what was expanded to it.
fn line(span: &DiagnosticSpan) -> Option<usize> {
    if span.file_name.ends_with(FILE) {
        return Some(span.line_start);
    }
    line(&span.expansion.as_ref()?.span)
}

/// The lines that a text names, such as `src/operations.rs:17:5`.
fn named_lines(text: &str) -> Vec<usize> {
    let mark = format!("{FILE}:");
    let parts = text.split(&mark).skip(1);
    parts
        .filter_map(|part| part.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a message of the compiler about a line of a file.
    fn said(level: &str, message: &str, file: &str, line: usize) -> Diagnostic {
        let span = serde_json::json!({
            "file_name": file, "byte_start": 0, "byte_end": 1, "line_start": line, "line_end": line,
            "column_start": 1, "column_end": 2, "is_primary": true, "text": [], "label": null,
            "suggested_replacement": null, "suggestion_applicability": null, "expansion": null,
        });
        let whole = serde_json::json!({
            "message": message, "code": null, "level": level, "spans": [span], "children": [], "rendered": null,
        });
        serde_json::from_value(whole).unwrap()
    }

    #[test]
    fn an_error_in_generic_code_is_about_the_call_that_its_note_names() {
        let mut errors = Vec::new();
        take(&mut errors, said("note", "of nothing", "src/operations.rs", 3));
        take(&mut errors, said("error", "evaluation panicked: too wide", "core/src/panic.rs", 62));
        take(
            &mut errors,
            said("note", "the error was encountered while instantiating", "src/operations.rs", 17),
        );
        take(&mut errors, said("error", "mismatched types", "src/operations.rs", 20));
        take(&mut errors, said("note", "of something else", "src/operations.rs", 21));
        take(&mut errors, said("warning", "unused", "src/operations.rs", 22));
        assert_eq!(errors.iter().map(lines).collect::<Vec<_>>(), [[17], [20]]);
    }

    #[test]
    fn lines_are_found_in_a_text_too() {
        assert_eq!(named_lines("note: while instantiating\n --> src/operations.rs:17:5\n"), [17]);
        assert!(named_lines("error: elsewhere").is_empty());
    }
}
