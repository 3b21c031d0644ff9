//! The regression file: failing cases of one property, kept to be run first.
//!
//! Each case is the tape, by which it is run again, and the input as source, for the reader. The
//! tape keeps its spans, so that it mostly survives when a generator gains or loses a part.
//!
//! **Invariant:** the file is only ever added to, by writing a new one beside it and renaming.

use crate::case::Argument;
use crate::choice::Tape;
use crate::oracle::Failure;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The folder in the crate that holds the files of all properties.
pub(crate) const FOLDER: &str = "bugnet-regressions";

/// Begins the line of a case that fails as tests do.
const HARMLESS: &str = "case";
/// Begins the line of a case that ends its process, and is run in a child for that reason.
const DEADLY: &str = "deadly case";

/// A kept case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) tape: Tape,
    /// True if the case killed its process, or never ended, when it was kept.
    pub(crate) deadly: bool,
}

/// The regression file of one property.
#[derive(Debug)]
pub(crate) struct Regressions {
    path: PathBuf,
    name: String,
}

impl Regressions {
    pub(crate) fn new(folder: &Path, name: &str) -> Regressions {
        let file = format!("{}.txt", name.replace("::", "."));
        Regressions { path: folder.join(FOLDER).join(file), name: name.to_string() }
    }

    /// The kept cases, oldest first.
    pub(crate) fn read(&self) -> Result<Vec<Kept>, String> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(format!("{} cannot be read: {error}", self.path.display())),
        };
        let mut tapes = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') || line.starts_with([' ', '\t']) {
                continue;
            }
            let deadly = line.starts_with(DEADLY);
            let rest = line.strip_prefix(if deadly { DEADLY } else { HARMLESS });
            let problem = match rest.map(str::parse) {
                Some(Ok(tape)) => {
                    tapes.push(Kept { tape, deadly });
                    continue;
                }
                Some(Err(error)) => format!("this case cannot be read ({error})"),
                None => "this line is not a case".to_string(),
            };
            return Err(format!(
                "{}:{}: {problem}; a case is `case` and its choices, such as `case 2(0.1)`: mend or delete the line",
                self.path.display(),
                number + 1,
            ));
        }
        Ok(tapes)
    }

    /// The file as seen from the folder of the crate, where tests are run.
    fn shown(&self) -> PathBuf {
        Path::new(FOLDER).join(self.path.file_name().unwrap_or_default())
    }

    /// Adds a case, if it is not there.
    pub(crate) fn add(
        &self,
        tape: &Tape,
        arguments: &[Argument],
        failure: &Failure,
    ) -> Result<PathBuf, String> {
        let known = self.read()?;
        if known.iter().any(|other| other.tape.values() == tape.values()) {
            return Ok(self.shown());
        }
        let mut text = if known.is_empty() && !self.path.exists() {
            format!(
                "# Failing cases of `{}`, kept by Bugnet to be run before all others.\n\
                 # Commit this file. Delete a case that no longer matters.\n",
                self.name
            )
        } else {
            fs::read_to_string(&self.path).map_err(|error| self.unwritable(error))?
        };
        let deadly = failure.signature.is_deadly();
        text.push_str(&format!("\n{} {tape}\n", if deadly { DEADLY } else { HARMLESS }));
        for argument in arguments {
            text.push_str(&format!("    {}\n", argument.to_string().replace("\n", "\n    ")));
        }
        let first_line = failure.message.lines().next().unwrap_or_default();
        text.push_str(&format!("    // {}: {first_line}\n", failure.signature));
        self.write(&text).map_err(|error| self.unwritable(error))?;
        Ok(self.shown())
    }

    fn write(&self, text: &str) -> std::io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let beside = self.path.with_extension(format!("{}.new", std::process::id()));
        fs::write(&beside, text)?;
        fs::rename(&beside, &self.path)
    }

    fn unwritable(&self, error: std::io::Error) -> String {
        format!("{} cannot be written: {error}", self.path.display())
    }
}
