//! The journal: what was running when the process died.
//!
//! Before cases run, one line that names them is written to a file; the file is removed when the
//! run ends. Random and exhaustive cases are named by the turn they belong to, so the cost is one
//! write per turn. A file that is there at the start of a run names the cases among which the
//! last process died.
//!
//! **Invariant:** a journal that cannot be written never stops a run; it only forgets.

use crate::choice::{Seed, Tape, Watcher};
use std::fmt;
use std::fs::{self, File};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Cases that are running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Flight {
    /// Random cases of a seed, by number.
    Random { seed: Seed, first: u64, count: u64 },
    /// Inputs of a depth, by number.
    Exhaustive { depth: u32, skip: u64, count: u64 },
    /// One input.
    Tape(Tape),
    /// One random case, whose tape is to be told call by call.
    Trace(Seed),
}

impl fmt::Display for Flight {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flight::Random { seed, first, count } => write!(out, "random {seed} {first} {count}"),
            Flight::Exhaustive { depth, skip, count } => {
                write!(out, "exhaustive {depth} {skip} {count}")
            }
            Flight::Tape(tape) => write!(out, "tape {tape}"),
            Flight::Trace(seed) => write!(out, "trace {seed}"),
        }
    }
}

impl FromStr for Flight {
    type Err = ();

    fn from_str(text: &str) -> Result<Flight, ()> {
        fn number<T: FromStr>(word: Option<&str>) -> Result<T, ()> {
            word.ok_or(())?.parse().map_err(|_| ())
        }
        let mut words = text.split_whitespace();
        match words.next() {
            Some("random") => Ok(Flight::Random {
                seed: number(words.next())?,
                first: number(words.next())?,
                count: number(words.next())?,
            }),
            Some("exhaustive") => Ok(Flight::Exhaustive {
                depth: number(words.next())?,
                skip: number(words.next())?,
                count: number(words.next())?,
            }),
            Some("trace") => Ok(Flight::Trace(number(words.next())?)),
            Some("tape") => number(words.next().or(Some(""))).map(Flight::Tape),
            _ => Err(()),
        }
    }
}

/// Writes down what is running.
#[derive(Debug, Default)]
pub(crate) struct Journal(Option<(File, PathBuf)>);

impl Journal {
    /// A journal in a file of its own. The file is locked while the run lasts, so that another
    /// process can tell a run that goes on from one that died.
    pub(crate) fn create(path: &Path) -> Journal {
        let open = || -> std::io::Result<File> {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
                let ignore = folder.join(".gitignore");
                if !ignore.exists() {
                    fs::write(ignore, "*\n")?;
                }
            }
            let file = File::options().create(true).truncate(false).write(true).open(path)?;
            file.try_lock().map_err(std::io::Error::from)?;
            Ok(file)
        };
        Journal(open().ok().map(|file| (file, path.to_path_buf())))
    }

    /// What was in flight when an earlier run died, if one did.
    pub(crate) fn left_over(path: &Path) -> Option<Flight> {
        let file = File::open(path).ok()?;
        // A lock that is held belongs to a run that goes on.
        file.try_lock().ok()?;
        fs::read_to_string(path).ok()?.lines().next()?.parse().ok()
    }

    /// Notes what is about to run.
    pub(crate) fn write(&mut self, flight: &Flight) {
        if let Some((file, _)) = &mut self.0 {
            note(file, flight);
        }
    }

    /// Notes the calls of a program before they run.
    pub(crate) fn watcher(&self) -> Option<Watcher> {
        let mut file = self.0.as_ref()?.0.try_clone().ok()?;
        Some(Watcher(Box::new(move |tape| note(&mut file, &Flight::Tape(tape.clone())))))
    }

    /// Nothing is in flight any more.
    pub(crate) fn finish(self) {
        if let Some((_, path)) = self.0 {
            let _ = fs::remove_file(path);
        }
    }
}

fn note(file: &mut File, flight: &Flight) {
    let line = format!("{flight}\n");
    // A failed write leaves an older line or none: the run matters more.
    let _ = file.rewind().and_then(|()| file.write_all(line.as_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flight_reads_back_as_it_was_written() {
        let flights = [
            Flight::Random { seed: Seed(7), first: 3, count: 100 },
            Flight::Exhaustive { depth: 2, skip: 9, count: 8 },
            Flight::Tape("1(2.3)".parse().unwrap()),
            Flight::Tape(Tape::default()),
            Flight::Trace(Seed(9)),
        ];
        for flight in flights {
            assert_eq!(flight.to_string().parse(), Ok(flight));
        }
        assert_eq!("nonsense".parse::<Flight>(), Err(()));
    }
}
