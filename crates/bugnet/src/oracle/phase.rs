//! Phases: the moments of a program at which a call can fail.
//!
//! **Invariant:** the words of the phases stand in known-bugs files and in what processes tell each other,
//! and never change.

use std::fmt;

/// The moment of a program at which a call fails.
///
/// ```
/// use bugnet::oracle::Phase;
///
/// assert_eq!(Phase::Check.to_string(), "check");
/// assert_eq!(Phase::read("observe"), Some(Phase::Observe));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// In the call itself.
    Call,
    /// In a check after the call.
    Check,
    /// When a value was printed.
    Observe,
    /// When values were dropped.
    Drop,
}

impl Phase {
    const ALL: [Phase; 4] = [Phase::Call, Phase::Check, Phase::Observe, Phase::Drop];

    /// Returns the word that stands for the phase in reports and files.
    ///
    /// ```
    /// use bugnet::oracle::Phase;
    ///
    /// assert_eq!(Phase::Call.as_str(), "call");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Phase::Call => "call",
            Phase::Check => "check",
            Phase::Observe => "observe",
            Phase::Drop => "drop",
        }
    }

    /// Reads a phase from its word; `None` if no phase has it.
    ///
    /// ```
    /// use bugnet::oracle::Phase;
    ///
    /// assert_eq!(Phase::read("drop"), Some(Phase::Drop));
    /// assert_eq!(Phase::read("dropped"), None);
    /// ```
    pub fn read(word: &str) -> Option<Phase> {
        Phase::ALL.into_iter().find(|phase| phase.as_str() == word)
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}
