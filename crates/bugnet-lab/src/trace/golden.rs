//! The golden file: what every trace has to be.
//!
//! **Invariant:** lines keep their order, so that a renewal shows what has changed and nothing else;
//! lines of subjects that this build does not have are kept.

use anyhow::Context;
use std::fmt;
use std::path::PathBuf;

const HEADER: &str = "\
# What the engine runs on each subject: how many events, and a hash over all of them (see trace/mod.rs).
# A change that is to change nothing leaves this file as it is: `cargo run -p bugnet-lab -- trace --check`.
# One that is meant to change what is run renews it: `cargo run -p bugnet-lab --features sequences -- trace --write`,
# and says in its message why.
";

/// The trace of one subject with one seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub name: String,
    pub seed: u64,
    pub events: u64,
    pub hash: u64,
}

impl fmt::Display for Line {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line { name, seed, events, hash } = self;
        write!(out, "{name:<44} {seed} {events:>7} {hash:016x}")
    }
}

impl Line {
    fn read(text: &str) -> Option<Line> {
        let mut words = text.split_whitespace();
        let name = words.next()?.to_owned();
        let seed = words.next()?.parse().ok()?;
        let events = words.next()?.parse().ok()?;
        Some(Line { name, seed, events, hash: u64::from_str_radix(words.next()?, 16).ok()? })
    }

    fn is_of(&self, other: &Line) -> bool {
        (&self.name, self.seed) == (&other.name, other.seed)
    }
}

/// The lines of the file.
#[derive(Debug, Default)]
pub struct Golden {
    lines: Vec<Line>,
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("trace.txt")
}

impl Golden {
    /// Reads the file; one that is not there has no lines.
    pub fn read() -> anyhow::Result<Golden> {
        match std::fs::read_to_string(path()) {
            Ok(text) => Golden::parse(&text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Golden::default()),
            Err(error) => Err(error).with_context(|| path().display().to_string()),
        }
    }

    fn parse(text: &str) -> anyhow::Result<Golden> {
        let mut lines = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            lines.push(Line::read(line).with_context(|| format!("`{line}` is not a line of a trace"))?);
        }
        Ok(Golden { lines })
    }

    /// Says how a trace differs from what it has to be.
    pub fn difference(&self, line: &Line) -> Option<String> {
        let Line { name, seed, events, hash } = line;
        match self.lines.iter().find(|known| known.is_of(line)) {
            Some(known) if known == line => None,
            Some(known) if known.events == *events => {
                Some(format!("{name}, seed {seed}: {hash:016x} instead of {:016x}", known.hash))
            }
            Some(known) => Some(format!("{name}, seed {seed}: {events} events instead of {}", known.events)),
            None => Some(format!("{name}, seed {seed}: not in trace.txt")),
        }
    }

    /// Puts a trace into the place of the one before.
    pub fn renew(&mut self, line: Line) {
        match self.lines.iter_mut().find(|known| known.is_of(&line)) {
            Some(known) => *known = line,
            None => self.lines.push(line),
        }
    }

    pub fn write(&self) -> anyhow::Result<()> {
        let lines: Vec<String> = self.lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(path(), HEADER.to_owned() + &lines.concat())
            .with_context(|| path().display().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(events: u64, hash: u64) -> Line {
        Line { name: "stack".to_owned(), seed: 1, events, hash }
    }

    #[test]
    fn what_is_written_is_read() {
        let golden = Golden::parse(&format!("{HEADER}\n{}\n", line(7, 0xff))).unwrap();
        assert_eq!(golden.lines, [line(7, 0xff)]);
    }

    #[test]
    fn what_differs_is_named() {
        let golden = Golden { lines: vec![line(7, 1)] };
        assert_eq!(golden.difference(&line(7, 1)), None);
        assert!(golden.difference(&line(7, 2)).unwrap().starts_with("stack, seed 1: "));
        assert_eq!(golden.difference(&line(8, 2)).unwrap(), "stack, seed 1: 8 events instead of 7");
        let other = Line { seed: 2, ..line(7, 1) };
        assert_eq!(golden.difference(&other).unwrap(), "stack, seed 2: not in trace.txt");
    }

    #[test]
    fn a_renewed_line_keeps_its_place() {
        let mut golden = Golden { lines: vec![line(7, 1), Line { seed: 2, ..line(7, 1) }] };
        golden.renew(line(9, 9));
        assert_eq!(golden.lines[0], line(9, 9));
        assert_eq!(golden.lines.len(), 2);
    }
}
