//! The journal: what was running when the process died.
//!
//! Before cases run, the [`Work`] that names them is written down. Random and exhaustive cases are named by the turn
//! they belong to, so the cost is one write per turn. A run in process writes to a file in the user's folder, which
//! the next run finds if this one dies; a child writes to the journal that it shares with its parent.
//!
//! **Invariant:** a journal that cannot be written never stops a run; it only forgets.

use crate::choice::Watcher;
use crate::wire::{Work, decode, encode};
use std::fs;
use std::path::{Path, PathBuf};

/// Writes down what is running.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    record: Option<bugnet_process::Journal>,
    /// The file, if it is to be removed when nothing is running any more.
    path: Option<PathBuf>,
}

impl Journal {
    /// A journal in a file of its own. The file is locked while the run lasts, so that another
    /// process can tell a run that goes on from one that died.
    pub(crate) fn create(path: &Path) -> Journal {
        let record = bugnet_process::Journal::locked(path).ok();
        if let Some(folder) = path.parent().filter(|_| record.is_some()) {
            let ignore = folder.join(".gitignore");
            if !ignore.exists() {
                let _ = fs::write(ignore, "*\n");
            }
        }
        let path = record.is_some().then(|| path.to_path_buf());
        Journal { record, path }
    }

    /// The journal that this process shares with its parent.
    pub(crate) fn shared(record: Option<bugnet_process::Journal>) -> Journal {
        Journal { record, path: None }
    }

    /// Returns what was running when an earlier run died, if one did.
    pub(crate) fn left_over(path: &Path) -> Option<Work> {
        decode(&bugnet_process::Journal::left_over(path)?)
    }

    /// Notes what is about to run.
    pub(crate) fn write(&mut self, work: &Work) {
        if let Some(record) = &mut self.record {
            record.write(&encode(work));
        }
    }

    /// Returns a watcher that notes the calls of a program before they run.
    pub(crate) fn watcher(&self) -> Option<Watcher> {
        let mut record = self.record.as_ref()?.try_clone().ok()?;
        Some(Watcher(Box::new(move |tape| record.write(&encode(&Work::Tape(tape.clone()))))))
    }

    /// Says that nothing is running any more.
    pub(crate) fn finish(self) {
        if let Some(path) = self.path {
            let _ = fs::remove_file(path);
        }
    }
}
