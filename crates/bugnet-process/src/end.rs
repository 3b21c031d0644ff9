//! Ends: what is known of a process that has ended.
//!
//! **Invariant:** an exit code says nothing about tests. A program of ours that ends well says so on its channel
//! before it does; without that, it died.

use crate::death::{Death, signal_name};
use std::fmt;
use std::process::ExitStatus;

/// The end of a process.
///
/// ```
/// use bugnet_process::{Death, End, How};
///
/// let said = "thread 'main' has overflowed its stack\n".to_string();
/// assert_eq!(End { how: How::Signalled(6), said }.death(), Death::StackOverflow);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// The kind of end: an exit code, a signal, or a timeout.
    pub how: How,
    /// The standard error of the process, or the end of it; see [`Output`](crate::Output).
    pub said: String,
}

/// The way in which a process ended.
///
/// ```
/// use bugnet_process::How;
///
/// assert_ne!(How::Exited(9), How::Signalled(9));
/// assert_eq!(How::Signalled(6).to_string(), "signal 6 (SIGABRT)");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// The process exited by itself, with this code.
    Exited(i32),
    /// A signal ended the process.
    Signalled(i32),
    /// The process ran into its timeout and was ended.
    TookTooLong,
}

/// Writes the end in words: `code 7`, `signal 6 (SIGABRT)`.
impl fmt::Display for How {
    #[inline]
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            How::Exited(code) => write!(out, "code {code}"),
            How::Signalled(signal) => write!(out, "signal {signal} ({})", signal_name(*signal)),
            How::TookTooLong => out.write_str("a kill, because it took too long"),
        }
    }
}

impl How {
    pub(crate) fn of(status: ExitStatus) -> How {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return How::Signalled(signal);
        }
        How::Exited(status.code().unwrap_or(-1))
    }
}

impl End {
    /// The cause of death, as far as it can be told. A process that took too long was killed.
    ///
    /// ```
    /// use bugnet_process::{Death, End, How};
    ///
    /// let end = End { how: How::Exited(0), said: String::new() };
    /// assert_eq!(end.death(), Death::Exit(0));
    /// ```
    pub fn death(&self) -> Death {
        if let Some(death) = Death::announced(&self.said) {
            return death;
        }
        match self.how {
            How::Exited(code) => Death::Exit(code),
            How::Signalled(signal) => Death::of_signal(signal),
            How::TookTooLong => Death::of_signal(9),
        }
    }

    /// The death as a noun; of one for want of memory, the line in which the process said how much it wanted.
    ///
    /// ```
    /// use bugnet_process::{End, How};
    ///
    /// let said = "memory allocation of 99 bytes failed, aborting\n".to_string();
    /// let end = End { how: How::Signalled(6), said };
    /// assert_eq!(end.reason(), "memory allocation of 99 bytes failed");
    /// ```
    #[inline]
    pub fn reason(&self) -> String {
        let death = self.death();
        if death == Death::OutOfMemory {
            for line in self.said.lines().rev() {
                if line.trim().starts_with("memory allocation of") {
                    return line.trim().trim_end_matches(", aborting").to_string();
                }
            }
        }
        death.to_string()
    }

    /// The last line that is not empty of what the process said.
    ///
    /// ```
    /// use bugnet_process::{End, How};
    ///
    /// let end = End { how: How::Exited(1), said: "no\n\n".to_string() };
    /// assert_eq!(end.last_line(), "no");
    /// ```
    pub fn last_line(&self) -> &str {
        let said = self.said.trim_end();
        said[said.rfind('\n').map_or(0, |end| end + 1)..].trim()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(how: How, said: &str) -> End {
        End { how, said: said.to_string() }
    }

    #[test]
    fn what_was_said_explains_a_signal_and_without_it_the_signal_stands_for_itself() {
        let stack = "thread 'main' has overflowed its stack\nfatal runtime error: stack overflow, aborting\n";
        assert_eq!(end(How::Signalled(6), stack).reason(), "stack overflow");
        assert_eq!(end(How::Signalled(6), "").reason(), "abort");
        assert_eq!(end(How::Signalled(11), "").reason(), "signal 11 (SIGSEGV)");
        assert_eq!(end(How::Signalled(9), "").reason(), "it used up what it may use");
        assert_eq!(end(How::Signalled(24), "").reason(), "it used up what it may use");
        assert_eq!(end(How::Exited(0), "").reason(), "exit 0");
        let memory = end(How::Signalled(6), "memory allocation of 99 bytes failed, aborting\nbye");
        assert_eq!(memory.reason(), "memory allocation of 99 bytes failed");
    }
}
