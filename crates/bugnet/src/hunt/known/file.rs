//! The known-bugs file: its one reader and its one writer.
//!
//! It holds bugs of machines, properties and explored crates, in version 2 of its format. Files of 0.1 have no
//! version, and `[[known]]` blocks came from `bugnet-explore.toml`; both are read, and written as version 2.
//! Only the part of TOML that this needs is read, so that a test does not have to compile a TOML library.
//!
//! **Invariant:** what is written is read as it was, and what is not understood is an error that names the line.

use super::line::{Escapes, Line, Problem, Value, What, lines};
use crate::choice::Tape;
use crate::oracle::Phase;
use std::fmt::{self, Write as _};
use std::io::ErrorKind;
use std::path::Path;

/// The file in the folder of a crate.
pub const FILE: &str = "bugnet-known.toml";
/// The file of 0.1 for explored crates.
pub const EXPLORED: &str = "bugnet-explore.toml";
/// The version that is written.
const VERSION: u32 = 2;
/// The text between the members of a family. No operation has it in its name.
const BETWEEN: &str = " | ";
/// The comment at the top of a new file.
const HEAD: [&str; 2] = [
    "# Bugs that are known and not mended yet. Bugnet steers around them.",
    "# Commit this file. Delete a bug when it is mended: a run says so.",
];
/// The comment at the top of `bugnet-explore.toml`, which is not missed.
const EXPLORED_HEAD: [&str; 2] = [
    "# Bugs that `cargo bugnet explore` has found, and that are known. They are counted and not shown.",
    HEAD[1],
];

/// A file of known bugs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownFile {
    /// The comments at its top.
    pub head: Vec<String>,
    /// The bugs, in their order.
    pub bugs: Vec<KnownBug>,
    /// The comments behind the last bug.
    pub tail: Vec<String>,
    /// True if it was in an older format.
    pub is_old: bool,
}

/// A bug that is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownBug {
    /// The name by which it was accepted.
    pub name: String,
    /// The test or the crate that has it.
    pub of: Of,
    /// The failure of its program, as [`fails`] puts it; nothing if that does not matter.
    pub fails: String,
    /// In a crate: the function that fails, as `Type::name`.
    pub function: Option<String>,
    /// In a crate: the file of the function, where the function is not known.
    pub file: Option<String>,
    /// In a crate: the operations of its family that were listed when it was accepted.
    pub members: Vec<String>,
    /// The pattern of its programs or the form of its inputs, as it is stored.
    pub pattern: Option<String>,
    /// A program or an input that shows it.
    pub case: Case,
    /// Whatever a person wants to say about it.
    pub note: String,
    /// The address of its discussion.
    pub link: String,
    /// Comments above the block.
    pub above: Vec<String>,
    /// Comments within it.
    pub inside: Vec<String>,
    /// Its first line in the file.
    pub line: usize,
}

/// The owner of a bug.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Of {
    /// A test, by its path.
    Test(String),
    /// An explored crate, by the name of its package.
    Crate(String),
    /// Programs that `cargo bugnet swarm` tests, by the name of its file.
    Swarm(String),
}

/// The case of a bug, by its tape.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Case {
    /// There is none.
    #[default]
    None,
    /// A program of a machine, a type or a crate.
    Program(String),
    /// An input of a property.
    Input(String),
}

/// The result of accepting a bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accepted {
    /// It is new in the file.
    Added,
    /// It was there, and says something else now.
    Changed,
    /// It was there.
    Unchanged,
}

impl Default for Of {
    fn default() -> Of {
        Of::Test(String::new())
    }
}

impl Of {
    fn read(text: &str) -> Option<Of> {
        match text.split_once(' ')? {
            (_, "") => None,
            ("test", name) => Some(Of::Test(name.to_string())),
            ("crate", name) => Some(Of::Crate(name.to_string())),
            ("swarm", name) => Some(Of::Swarm(name.to_string())),
            _ => None,
        }
    }
}

impl fmt::Display for Of {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Of::Test(name) => write!(out, "test {name}"),
            Of::Crate(name) => write!(out, "crate {name}"),
            Of::Swarm(name) => write!(out, "swarm {name}"),
        }
    }
}

impl Case {
    /// The tape as it is stored; nothing if there is no case.
    pub fn text(&self) -> &str {
        match self {
            Case::None => "",
            Case::Program(text) | Case::Input(text) => text,
        }
    }

    /// The choices of the case; none if there is no case.
    pub fn tape(&self) -> Tape {
        self.text().parse().unwrap_or_default()
    }
}

/// Says how something fails: the kind of failure, when, and in which operation.
pub fn fails(kind: &str, phase: Option<Phase>, operation: &str) -> String {
    match phase {
        Some(phase) => format!("{kind} in {phase} {operation}"),
        None => format!("{kind} in {operation}"),
    }
}

/// Takes apart what [`fails`] has put together. Blocks of 0.1 for crates have no phase.
#[inline]
pub fn failing(text: &str) -> (&str, Option<Phase>, &str) {
    let (kind, rest) = text.split_once(" in ").unwrap_or((text, ""));
    let named = rest.split_once(' ').and_then(|(word, operation)| Some((Phase::read(word)?, operation)));
    match named {
        Some((phase, operation)) => (kind, Some(phase), operation),
        None => (kind, None, rest),
    }
}

impl KnownFile {
    /// A file with nothing but the comment that says what it is for.
    pub fn new() -> KnownFile {
        KnownFile { head: HEAD.map(str::to_string).to_vec(), ..KnownFile::default() }
    }

    /// Reads a file; one that is not there has no bugs.
    pub fn at(path: &Path) -> Result<KnownFile, String> {
        match std::fs::read_to_string(path) {
            Ok(text) => KnownFile::read(&text)
                .map_err(|Problem { line, text }| format!("{}:{line}: {text}", path.display())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(KnownFile::new()),
            Err(error) => Err(format!("{} cannot be read: {error}", path.display())),
        }
    }

    /// Reads the text of a file, of any version.
    pub fn read(text: &str) -> Result<KnownFile, Problem> {
        let mut file = KnownFile { is_old: version(text)?.is_none(), ..KnownFile::default() };
        let escapes = if file.is_old { Escapes::Lenient } else { Escapes::Strict };
        let mut comments: Vec<String> = Vec::new();
        let mut block: Option<Block> = None;
        for Line { number, what, remark } in lines(text, escapes)? {
            match what {
                What::Blank if block.is_none() => file.head.append(&mut comments),
                What::Blank => {}
                What::Comment(comment) => comments.push(comment),
                What::Heading(heading) if heading == "[[bug]]" || heading == "[[known]]" => {
                    file.finish(block.take())?;
                    block = Some(Block::new(
                        number,
                        heading == "[[known]]",
                        std::mem::take(&mut comments),
                        remark,
                    ));
                }
                What::Pair(key, value) => match &mut block {
                    Some(block) => {
                        block.bug.inside.append(&mut comments);
                        block.bug.inside.extend(remark);
                        block.take(number, &key, value)?;
                    }
                    None if key == "version" => {
                        file.head.append(&mut comments);
                        file.head.extend(remark);
                    }
                    None => {
                        return Err(Problem::new(
                            number,
                            format!("`{key}` is in no bug; write `[[bug]]` above it"),
                        ));
                    }
                },
                What::Heading(line) | What::Other(line) => {
                    let what_to_write = "write `[[bug]]` and `key = \"value\"` lines";
                    return Err(Problem::new(number, format!("`{line}` is not understood; {what_to_write}")));
                }
            }
        }
        file.finish(block)?;
        file.tail = comments;
        Ok(file)
    }

    /// Takes in a bug that was read to its end.
    fn finish(&mut self, block: Option<Block>) -> Result<(), Problem> {
        if let Some(block) = block {
            self.bugs.push(block.finished()?);
        }
        Ok(())
    }

    /// Takes in a bug. One that is there already keeps its note, its link and its comments.
    #[inline]
    pub fn accept(&mut self, bug: KnownBug) -> Accepted {
        let is_same = |known: &KnownBug| known.name == bug.name && known.of == bug.of;
        let Some(place) = self.bugs.iter().position(is_same) else {
            self.bugs.push(bug);
            return Accepted::Added;
        };
        let old = self.bugs[place].clone();
        let new = &mut self.bugs[place];
        let KnownBug { note, link, above, inside, line, .. } = old.clone();
        // A function that is known says more than a file.
        let function = bug.function.or(old.function.clone());
        let file = bug.file.filter(|_| function.is_none());
        // A run need not meet every member again.
        let mut members = bug.members;
        members.extend(old.members.iter().cloned());
        members.sort();
        members.dedup();
        *new = KnownBug { note, link, above, inside, line, function, file, members, ..bug };
        if *new == old { Accepted::Unchanged } else { Accepted::Changed }
    }

    /// Takes the bugs out of the text of a `bugnet-explore.toml` of 0.1. Returns what is left of the text;
    /// nothing if nobody misses it.
    #[inline]
    pub fn take_explored(&mut self, text: &str) -> Result<String, Problem> {
        let whole: Vec<&str> = text.split_inclusive('\n').collect();
        let (mut known, mut rest, mut comments) = (String::new(), String::new(), String::new());
        let mut is_known = false;
        let lines = lines(text, Escapes::Lenient)?;
        for (place, line) in lines.iter().enumerate() {
            let end = lines.get(place + 1).map_or(whole.len() + 1, |next| next.number);
            comments.push_str(&whole[line.number - 1..end - 1].concat());
            match &line.what {
                // It goes with what comes next.
                What::Comment(_) => continue,
                What::Heading(heading) => is_known = heading == "[[known]]",
                _ => {}
            }
            let own = std::mem::take(&mut comments);
            if is_known {
                known.push_str(&own);
            } else {
                // The bugs keep their lines, which errors name.
                known.push_str(&"\n".repeat(own.matches('\n').count()));
                rest.push_str(&own);
            }
        }
        rest.push_str(&comments);
        let mut explored = KnownFile::read(&known)?;
        self.bugs.append(&mut explored.bugs);
        self.tail.append(&mut explored.tail);
        let is_missed = |line: &str| !line.trim().is_empty() && !EXPLORED_HEAD.contains(&line.trim());
        Ok(if rest.lines().any(is_missed) { rest } else { String::new() })
    }
}

/// The version that a file says it has.
fn version(text: &str) -> Result<Option<u32>, Problem> {
    for (place, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('[') {
            break;
        }
        let Some(value) = line.strip_prefix("version").and_then(|rest| rest.trim_start().strip_prefix('='))
        else {
            continue;
        };
        let value = value.split('#').next().unwrap_or_default().trim();
        return match value.parse::<u32>() {
            Ok(version) if version <= VERSION => Ok(Some(version)),
            Ok(version) => Err(Problem::new(
                place + 1,
                format!(
                    "this Bugnet reads files up to version {VERSION}, and this one has {version}; update bugnet and cargo-bugnet"
                ),
            )),
            Err(_) => {
                Err(Problem::new(place + 1, format!("`{value}` is no version; write `version = {VERSION}`")))
            }
        };
    }
    Ok(None)
}

/// A bug that is being read.
#[derive(Debug, Default)]
struct Block {
    bug: KnownBug,
    /// The keys that were read.
    keys: Vec<&'static str>,
    /// In a block of `bugnet-explore.toml`: what became `fails`.
    explored: Option<(String, String)>,
}

impl Block {
    fn new(line: usize, is_explored: bool, above: Vec<String>, remark: Option<String>) -> Block {
        let mut inside = Vec::new();
        inside.extend(remark);
        let bug = KnownBug { line, above, inside, ..KnownBug::default() };
        Block { bug, explored: is_explored.then(Default::default), ..Block::default() }
    }

    /// Takes in `key = value`.
    fn take(&mut self, line: usize, key: &str, value: Value) -> Result<(), Problem> {
        let Some(slot) = slot(key, self.explored.is_some()) else {
            return self.take_unknown(line, key, &value);
        };
        let text = match value {
            Value::Text(text) => text,
            Value::Bare(bare) => {
                return Err(Problem::new(
                    line,
                    format!("`{key} = {bare}` is not understood; write \"{bare}\""),
                ));
            }
        };
        if self.keys.contains(&slot) {
            return Err(Problem::new(line, format!("this bug has a second `{key}`; delete one")));
        }
        self.keys.push(slot);
        let tape = (slot == "program").then(|| text.parse::<Tape>());
        if let Some(Err(error)) = tape {
            let problem =
                format!("the {key} cannot be read ({error}); mend it, or delete the bug and accept it again");
            return Err(Problem::new(line, problem));
        }
        let bug = &mut self.bug;
        match key {
            "name" => bug.name = text,
            "of" => {
                let wrong = || {
                    format!(
                        "`{text}` is no test, crate or swarm; write `test PATH`, `crate NAME` or `swarm NAME`"
                    )
                };
                bug.of = Of::read(&text).ok_or_else(|| Problem::new(line, wrong()))?;
            }
            "test" => bug.of = Of::Test(text),
            "package" => bug.of = Of::Crate(text),
            "fails" => bug.fails = text,
            "in" => bug.function = Some(text),
            "file" => bug.file = Some(text),
            "members" => bug.members = text.split(BETWEEN).map(str::to_string).collect(),
            "pattern" => bug.pattern = Some(text),
            "program" | "tape" => bug.case = Case::Program(text),
            "input" => bug.case = Case::Input(text),
            "note" => bug.note = text,
            "link" => bug.link = text,
            "cause" => self.explored.get_or_insert_default().0 = text,
            _ => self.explored.get_or_insert_default().1 = text,
        }
        Ok(())
    }

    /// Blocks of `bugnet-explore.toml` could have anything, and it stays as a comment.
    fn take_unknown(&mut self, line: usize, key: &str, value: &Value) -> Result<(), Problem> {
        if self.explored.is_none() {
            let keys = "name, of, fails, in, file, members, pattern, program or input, note and link";
            return Err(Problem::new(line, format!("a bug has no `{key}`; it has {keys}")));
        }
        self.bug.inside.push(match value {
            Value::Text(text) => format!("# {key} = {}", quoted(text)),
            Value::Bare(text) => format!("# {key} = {text}"),
        });
        Ok(())
    }

    /// The bug, if it has all that it needs.
    fn finished(self) -> Result<KnownBug, Problem> {
        let mut bug = self.bug;
        if let Some((cause, operation)) = self.explored.filter(|(cause, _)| !cause.is_empty()) {
            bug.fails = fails(&cause, None, &operation);
        }
        let lacking = match &bug.of {
            _ if bug.name.is_empty() => "name",
            Of::Test(name) | Of::Crate(name) | Of::Swarm(name) if name.is_empty() => "test or crate (`of`)",
            Of::Test(_) if bug.pattern.is_none() => "pattern",
            Of::Crate(_) | Of::Swarm(_) if bug.fails.is_empty() => "way to fail (`fails`)",
            Of::Crate(_) if bug.case == Case::None => "program",
            _ => return Ok(bug),
        };
        Err(Problem::new(bug.line, format!("this bug lacks its {lacking}; delete it and accept it again")))
    }
}

/// The place of a key in a bug: keys of older formats stand for those of today.
fn slot(key: &str, is_explored: bool) -> Option<&'static str> {
    Some(match key {
        "name" => "name",
        "of" | "test" | "package" => "of",
        "fails" => "fails",
        "in" => "in",
        "file" => "file",
        "members" => "members",
        "pattern" => "pattern",
        "program" | "input" | "tape" => "program",
        "note" => "note",
        "link" => "link",
        "cause" if is_explored => "cause",
        "operation" if is_explored => "operation",
        _ => return None,
    })
}

impl fmt::Display for KnownFile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.head {
            writeln!(out, "{line}")?;
        }
        let gap = if self.head.is_empty() { "" } else { "\n" };
        writeln!(out, "{gap}version = {VERSION}")?;
        for bug in &self.bugs {
            write!(out, "\n{bug}")?;
        }
        let gap = if self.tail.is_empty() { "" } else { "\n" };
        out.write_str(gap)?;
        for line in &self.tail {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }
}

impl fmt::Display for KnownBug {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.above {
            writeln!(out, "{line}")?;
        }
        writeln!(out, "[[bug]]")?;
        for line in &self.inside {
            writeln!(out, "{line}")?;
        }
        let mut pair = |key: &str, text: &str| writeln!(out, "{key} = {}", quoted(text));
        pair("name", &self.name)?;
        pair("of", &self.of.to_string())?;
        if !self.fails.is_empty() {
            pair("fails", &self.fails)?;
        }
        let members = (!self.members.is_empty()).then(|| self.members.join(BETWEEN));
        let optional =
            [("in", &self.function), ("file", &self.file), ("members", &members), ("pattern", &self.pattern)];
        for (key, text) in optional {
            if let Some(text) = text {
                pair(key, text)?;
            }
        }
        match &self.case {
            Case::None => {}
            Case::Program(text) => pair("program", text)?,
            Case::Input(text) => pair("input", text)?,
        }
        pair("note", &self.note)?;
        pair("link", &self.link)
    }
}

/// Text as TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            control if control < ' ' || control == '\u{7f}' => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(control));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests;
