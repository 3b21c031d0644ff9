//! Barriers: what keeps signals of the code under test inside.
//!
//! **Invariant:** behind each barrier no process outside can be signalled, and none that was started inside outlives
//! the run.

use std::fmt;
use std::str::FromStr;

/// A barrier, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Barrier {
    /// Namespaces: processes outside have no number, and all inside die with the first of them.
    Namespace,
    /// The signal scope of Landlock. Processes cannot be started.
    Landlock,
    /// The system call filter lets a process name only itself. Processes cannot be started.
    Filter,
}

impl Barrier {
    pub(crate) const ALL: [Barrier; 3] = [Barrier::Namespace, Barrier::Landlock, Barrier::Filter];

    fn name(self) -> &'static str {
        match self {
            Barrier::Namespace => "namespace",
            Barrier::Landlock => "landlock",
            Barrier::Filter => "filter",
        }
    }

    /// Returns the words by which a user is told of it.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Barrier::Namespace => "by namespaces, Landlock and a system call filter",
            Barrier::Landlock => {
                "by Landlock and a system call filter; there are no namespaces here, so it cannot start processes \
                 or change modes and times of files"
            }
            Barrier::Filter => {
                "by a system call filter, with Landlock for files; there are no namespaces here, so it cannot start \
                 processes or change modes and times of files"
            }
        }
    }
}

impl fmt::Display for Barrier {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Barrier {
    type Err = String;

    fn from_str(text: &str) -> Result<Barrier, String> {
        let found = Barrier::ALL.into_iter().find(|barrier| barrier.name() == text);
        found.ok_or_else(|| format!("`{text}` is no barrier; there are namespace, landlock and filter"))
    }
}
