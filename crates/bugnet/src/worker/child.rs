//! The child: another process of the same test, which runs cases that may kill it.
//!
//! The parent writes one command a line to the child's standard input, and the child answers on
//! its standard output with lines that begin with a mark, because the test harness and the code
//! under test print there too. A child that dies or hangs is a finding; the next case gets a new
//! one.
//!
//! **Invariant:** no child outlives its [`Child`].

use super::Flight;
use super::pipe::{Next, Pipe};
use crate::campaign::labels;
use crate::choice::Tape;
use crate::oracle::{Failure, Signature, Verdict};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{self, ChildStdin, Command, ExitStatus, Stdio};
use std::time::Duration;

/// Names the property that a child is to serve.
pub(crate) const VARIABLE: &str = "BUGNET_CHILD";
/// Begins a command that is not to run anything, but says what is known.
pub(super) const LESSON: &str = "know ";
/// Begins every line of a child that is meant for its parent.
pub(super) const MARK: &str = "\u{1}bugnet ";

/// A process that runs cases of one property.
#[derive(Debug)]
pub(crate) struct Child {
    name: String,
    patience: Duration,
    running: Option<Running>,
    /// What a child has to know, with a number that tells one lesson from another.
    lesson: (u64, String),
    is_taught: bool,
    /// The tape that the child has told last, of a case that it traced.
    calling: Option<String>,
}

#[derive(Debug)]
struct Running {
    process: process::Child,
    input: ChildStdin,
    answers: Pipe,
    errors: Pipe,
}

/// What became of a command.
#[derive(Debug)]
pub(crate) enum Answer {
    /// The child answered.
    Judged(Verdict),
    /// The child died or hung, running this tape if it got so far.
    Lost(Failure),
}

impl Child {
    /// A child for a property; it is started when it is first needed.
    pub(crate) fn new(name: &str, patience: Duration) -> Child {
        let lesson = (0, String::new());
        Child { name: name.to_string(), patience, running: None, lesson, is_taught: true, calling: None }
    }

    /// Has every child know something before it runs anything else.
    pub(crate) fn teach(&mut self, version: u64, lesson: &dyn Fn() -> String) {
        if self.lesson.0 != version {
            self.lesson = (version, lesson());
            self.is_taught = false;
        }
    }

    /// The tape of the case that was traced last, as far as it got.
    pub(crate) fn traced(&mut self) -> Option<Tape> {
        self.calling.take()?.parse().ok()
    }

    /// Has the child run cases. The number is that of the cases that ended, the last one included
    /// if it was judged.
    pub(crate) fn run(&mut self, flight: &Flight) -> Result<(Answer, u64), String> {
        if self.running.is_none() {
            self.running = Some(self.start()?);
            self.is_taught = self.lesson.0 == 0;
        }
        self.calling = None;
        let running = self.running.as_mut().expect("it was started above");
        // A child that is gone already is noticed when its answer does not come.
        if !self.is_taught {
            let _ = writeln!(running.input, "{LESSON}{}", self.lesson.1);
            self.is_taught = true;
        }
        let _ = writeln!(running.input, "{flight}").and_then(|()| running.input.flush());
        let mut ended = 0;
        loop {
            match running.answers.next(self.patience) {
                Next::Line(line) => match read_answer(&line) {
                    Some(Line::Progress(count)) => ended = count,
                    Some(Line::Calling(kept, rest)) => {
                        let told = self.calling.get_or_insert_default();
                        told.truncate(kept);
                        told.push_str(rest);
                    }
                    Some(Line::Verdict(verdict, count)) => return Ok((Answer::Judged(verdict), count)),
                    None => {}
                },
                Next::Late => return Ok((Answer::Lost(self.hung()), ended)),
                Next::Ended => return Ok((Answer::Lost(self.died()), ended)),
            }
        }
    }

    fn start(&self) -> Result<Running, String> {
        let program = std::env::current_exe().map_err(|error| format!("the test has no path: {error}"))?;
        // The harness knows the test by its path without the name of the crate.
        let test = self.name.split_once("::").map_or(self.name.as_str(), |(_, test)| test);
        let mut process = limited(&program)
            .args([test, "--exact", "--nocapture", "--include-ignored", "--test-threads=1"])
            .env(VARIABLE, &self.name)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("a child process could not be started: {error}"))?;
        let input = process.stdin.take().expect("standard input is piped");
        let mut output = process.stdout.take().expect("standard output is piped");
        let mut errors = process.stderr.take().expect("standard error is piped");
        let answers = Pipe::new(Box::new(move |buffer| output.read(buffer)), MARK);
        let errors = Pipe::new(Box::new(move |buffer| errors.read(buffer)), "");
        let running = Running { process, input, answers, errors };
        match running.answers.next(self.patience.max(Duration::from_secs(20))) {
            Next::Line(hello) if hello == "ready" => Ok(running),
            _ => {
                end(running);
                Err(format!(
                    "a child process of this test did not come to serve `{}`: isolation needs the usual test harness, \
                     and a property that is a test of its own",
                    self.name
                ))
            }
        }
    }

    fn hung(&mut self) -> Failure {
        if let Some(running) = self.running.take() {
            end(running);
        }
        let message = format!("the case did not end within {:?}", self.patience);
        Failure::new(Signature::Hung, message)
    }

    fn died(&mut self) -> Failure {
        let Some(running) = self.running.take() else {
            return Failure::new(Signature::Died("died".to_string()), "the process died");
        };
        let (status, errors) = end(running);
        let how = how_it_died(status, &errors);
        let last = errors.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let message = match last.trim() {
            "" => format!("the process {how}"),
            last => format!("the process {how}: {last}"),
        };
        Failure::new(Signature::Died(how), message)
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            end(running);
        }
    }
}

/// What a child may allocate, in kilobytes: a case that would take the memory of the machine is a
/// finding, not the end of everything else that runs on it.
#[cfg(unix)]
const MEMORY: u32 = 4 << 20;

/// A command that runs a program within the limits of a child.
#[cfg(unix)]
fn limited(program: &Path) -> Command {
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(format!("ulimit -v {MEMORY} 2>/dev/null; exec \"$0\" \"$@\"")).arg(program);
    command
}

#[cfg(not(unix))]
fn limited(program: &Path) -> Command {
    Command::new(program)
}

/// Ends a child and reaps it: its status, and what it wrote to standard error.
fn end(mut running: Running) -> (Option<ExitStatus>, String) {
    drop(running.input);
    let _ = running.process.kill();
    let status = running.process.wait().ok();
    (status, running.errors.rest())
}

/// The death in words, which are the signature of the finding.
fn how_it_died(status: Option<ExitStatus>, errors: &str) -> String {
    if errors.contains("has overflowed its stack") {
        return "overflowed its stack".to_string();
    }
    if errors.contains("memory allocation of") {
        return "ran out of memory".to_string();
    }
    #[cfg(unix)]
    if let Some(signal) = status.and_then(|status| std::os::unix::process::ExitStatusExt::signal(&status)) {
        return match signal {
            4 => "executed an illegal instruction".to_string(),
            6 => "aborted".to_string(),
            7 | 11 => "accessed memory that is not its own".to_string(),
            8 => "divided by zero".to_string(),
            9 => "was killed".to_string(),
            other => format!("died of signal {other}"),
        };
    }
    match status.and_then(|status| status.code()) {
        Some(code) => format!("exited with code {code}"),
        None => "died".to_string(),
    }
}

/// A line of a child.
enum Line<'a> {
    /// So many cases of the command have ended.
    Progress(u64),
    /// A call of a program is about to run. Its tape is the one told last up to some place, and this.
    Calling(usize, &'a str),
    /// The last case was judged, and so many have ended.
    Verdict(Verdict, u64),
}

fn read_answer(line: &str) -> Option<Line<'_>> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "calling" => {
            let (kept, rest) = rest.split_once(' ')?;
            Some(Line::Calling(kept.parse().ok()?, rest))
        }
        "ended" => Some(Line::Progress(rest.parse().ok()?)),
        "pass" => Some(Line::Verdict(Verdict::Pass, rest.parse().ok()?)),
        "discard" => Some(Line::Verdict(Verdict::Discard, rest.parse().ok()?)),
        "fail" => {
            let (count, failure) = rest.split_once(' ')?;
            Some(Line::Verdict(Verdict::Fail(Box::new(read_failure(failure)?)), count.parse().ok()?))
        }
        "label" => {
            labels::absorb(rest);
            None
        }
        _ => None,
    }
}

/// A failure as one line: its signature, and its message with line ends escaped.
pub(super) fn write_failure(failure: &Failure) -> String {
    if let Signature::InCall { operation, phase, cause } = &failure.signature {
        let inner = Failure::new((**cause).clone(), failure.message.clone());
        return format!("in {phase} {} {}", operation.replace(" ", "\u{a0}"), write_failure(&inner));
    }
    let signature = match &failure.signature {
        Signature::Panic { file, line, column } => {
            format!("panic {line} {column} {}", file.replace(" ", "\u{a0}"))
        }
        Signature::ReturnedFalse => "false 0 0 -".to_string(),
        Signature::ReturnedError => "error 0 0 -".to_string(),
        _ => "nopanic 0 0 -".to_string(),
    };
    format!("{signature} {}", failure.message.escape_default())
}

fn read_failure(text: &str) -> Option<Failure> {
    if let Some(call) = text.strip_prefix("in ") {
        let mut words = call.splitn(3, ' ');
        let (phase, operation) = (words.next()?, words.next()?.replace("\u{a0}", " "));
        let phase = ["call", "observe", "check", "drop"].into_iter().find(|known| *known == phase)?;
        let inner = read_failure(words.next()?)?;
        let signature = Signature::InCall { operation, phase, cause: Box::new(inner.signature) };
        return Some(Failure::new(signature, inner.message));
    }
    let mut words = text.splitn(5, ' ');
    let (kind, line, column, file) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let signature = match kind {
        "panic" => Signature::Panic {
            file: file.replace("\u{a0}", " "),
            line: line.parse().ok()?,
            column: column.parse().ok()?,
        },
        "false" => Signature::ReturnedFalse,
        "error" => Signature::ReturnedError,
        _ => Signature::NoPanic,
    };
    Some(Failure::new(signature, unescape(words.next().unwrap_or_default())))
}

/// Undoes `escape_default`.
pub(crate) fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            plain.push(character);
            continue;
        }
        match rest.next() {
            Some('n') => plain.push('\n'),
            Some('r') => plain.push('\r'),
            Some('t') => plain.push('\t'),
            Some('u') => {
                rest.next();
                let (digits, after) = rest.as_str().split_once('}').unwrap_or((rest.as_str(), ""));
                rest = after.chars();
                if let Some(letter) = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32) {
                    plain.push(letter);
                }
            }
            Some(other) => plain.push(other),
            None => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_comes_back_from_its_line() {
        let place = Signature::Panic { file: "src/my lib.rs".into(), line: 3, column: 9 };
        for failure in [
            Failure::new(place, "left: \"a\\b\"\n right: ü"),
            Failure::new(Signature::ReturnedFalse, "the property returned false"),
            Failure::new(Signature::NoPanic, ""),
            Failure::new(
                Signature::InCall {
                    operation: "Vec<(u8, u8)>".into(),
                    phase: "observe",
                    cause: Box::new(Signature::ReturnedFalse),
                },
                "no",
            ),
            Failure::new(
                Signature::InCall {
                    operation: "push two".into(),
                    phase: "check",
                    cause: Box::new(Signature::ReturnedFalse),
                },
                "no",
            ),
            Failure::new(
                Signature::InCall {
                    operation: String::new(),
                    phase: "drop",
                    cause: Box::new(Signature::ReturnedFalse),
                },
                "no",
            ),
        ] {
            let line = write_failure(&failure);
            assert!(!line.contains('\n'));
            assert_eq!(read_failure(&line), Some(failure));
        }
    }
}
