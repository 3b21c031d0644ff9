//! Deaths: the causes for which processes end although nobody asked them to, and the words for them.
//!
//! The words stand in reports and in files that users keep, some as a verb ("aborted") and some as a noun ("abort").
//! Both are read, so that files of any age can be compared with what happens today.
//!
//! **Invariant:** deaths are compared as values, never by their words.
//!
//! Items that only the command needs are marked `#[inline]`, here and elsewhere in this crate. They are then
//! compiled where they are used, and not for everybody who tests with the library.

use crate::listener::place_of;
use std::fmt;

/// A cause of death.
///
/// ```
/// use bugnet_process::Death;
///
/// assert_eq!(Death::Abort.verb(), "aborted");
/// assert_eq!(Death::Abort.to_string(), "abort");
/// assert_eq!(Death::read("aborted"), Some(Death::Abort));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Death {
    /// A thread had no stack left.
    StackOverflow,
    /// An allocation failed, and the process gave up.
    OutOfMemory,
    /// A destructor panicked while another panic unwound the stack.
    PanicInPanic,
    /// A panic met a function that cannot unwind, such as one of a C interface.
    PanicWithoutUnwinding,
    /// The process aborted itself, for a reason that it did not tell.
    Abort,
    /// The process was killed for using more than its limits allow.
    OverLimit(i32),
    /// A signal.
    Signal(i32),
    /// It exited by itself, with this code.
    Exit(i32),
}

/// Deaths that a process announces on its standard error: the text, and the death.
const ANNOUNCED: [(&str, Death); 5] = [
    ("has overflowed its stack", Death::StackOverflow),
    ("panic in a destructor during cleanup", Death::PanicInPanic),
    ("thread panicked while processing panic", Death::PanicInPanic),
    ("panic in a function that cannot unwind", Death::PanicWithoutUnwinding),
    ("memory allocation of", Death::OutOfMemory),
];

/// Deaths that have words of their own: the verb, and the noun.
const WORDS: [(Death, &str, &str); 11] = [
    (Death::StackOverflow, "overflowed its stack", "stack overflow"),
    (Death::OutOfMemory, "ran out of memory", "out of memory"),
    (Death::PanicInPanic, "aborted", "panic while panicking"),
    (Death::PanicWithoutUnwinding, "aborted", "panic where nothing can unwind"),
    (Death::Abort, "aborted", "abort"),
    (Death::OverLimit(KILL), "was killed", "it used up what it may use"),
    (Death::OverLimit(TIME), "died of signal 24", "it used up what it may use"),
    (Death::Signal(4), "executed an illegal instruction", "signal 4 (SIGILL)"),
    (Death::Signal(7), "accessed memory that is not its own", "signal 7 (SIGBUS)"),
    (Death::Signal(8), "divided by zero", "signal 8 (SIGFPE)"),
    (Death::Signal(11), "accessed memory that is not its own", "signal 11 (SIGSEGV)"),
];

/// The signal of an abort, that of a kill, and that of too much time on the processor.
const ABORT: i32 = 6;
const KILL: i32 = 9;
const TIME: i32 = 24;

/// The names of signals.
const SIGNALS: [(i32, &str); 28] = [
    (1, "SIGHUP"),
    (2, "SIGINT"),
    (3, "SIGQUIT"),
    (4, "SIGILL"),
    (5, "SIGTRAP"),
    (6, "SIGABRT"),
    (7, "SIGBUS"),
    (8, "SIGFPE"),
    (9, "SIGKILL"),
    (10, "SIGUSR1"),
    (11, "SIGSEGV"),
    (12, "SIGUSR2"),
    (13, "SIGPIPE"),
    (14, "SIGALRM"),
    (15, "SIGTERM"),
    (16, "SIGSTKFLT"),
    (17, "SIGCHLD"),
    (18, "SIGCONT"),
    (19, "SIGSTOP"),
    (20, "SIGTSTP"),
    (23, "SIGURG"),
    (24, "SIGXCPU"),
    (25, "SIGXFSZ"),
    (26, "SIGVTALRM"),
    (27, "SIGPROF"),
    (29, "SIGIO"),
    (30, "SIGPWR"),
    (31, "SIGSYS"),
];

/// The name of a signal.
#[inline]
pub(crate) fn signal_name(signal: i32) -> &'static str {
    for (number, name) in SIGNALS {
        if number == signal {
            return name;
        }
    }
    "unknown"
}

impl Death {
    /// The death that a process announced on its standard error, if it did.
    pub(crate) fn announced(said: &str) -> Option<Death> {
        for (text, death) in ANNOUNCED {
            if place_of(said.as_bytes(), text.as_bytes()).is_some() {
                return Some(death);
            }
        }
        None
    }

    /// The death by a signal.
    pub(crate) fn of_signal(signal: i32) -> Death {
        match signal {
            ABORT => Death::Abort,
            KILL | TIME => Death::OverLimit(signal),
            _ => Death::Signal(signal),
        }
    }

    /// The death as a verb, for "the process …".
    ///
    /// ```
    /// use bugnet_process::Death;
    ///
    /// assert_eq!(Death::Exit(5).verb(), "exited with code 5");
    /// assert_eq!(Death::Signal(11).verb(), "accessed memory that is not its own");
    /// ```
    pub fn verb(self) -> String {
        match (words(self), self) {
            (Some((verb, _)), _) => verb.to_string(),
            (None, Death::Exit(code)) => format!("exited with code {code}"),
            (None, Death::Signal(signal) | Death::OverLimit(signal)) => format!("died of signal {signal}"),
            (None, _) => "died".to_string(),
        }
    }

    /// Reads the words of a death, be they verb or noun. Where one verb stands for several deaths, the least
    /// certain of them is returned.
    ///
    /// ```
    /// use bugnet_process::Death;
    ///
    /// assert_eq!(Death::read("stack overflow"), Death::read("overflowed its stack"));
    /// assert_eq!(Death::read("memory allocation of 99 bytes failed"), Some(Death::OutOfMemory));
    /// assert_eq!(Death::read("laughed"), None);
    /// ```
    #[inline]
    pub fn read(text: &str) -> Option<Death> {
        if text.starts_with("memory allocation of") {
            return Some(Death::OutOfMemory);
        }
        // The last is the least certain.
        for (death, verb, noun) in WORDS.iter().rev() {
            if *noun == text || *verb == text {
                return Some(*death);
            }
        }
        let number = |text: &str| text.split(' ').next()?.parse::<i32>().ok();
        for prefix in ["exited with code ", "exit "] {
            if let Some(rest) = text.strip_prefix(prefix) {
                return number(rest).map(Death::Exit);
            }
        }
        for prefix in ["died of signal ", "signal "] {
            if let Some(rest) = text.strip_prefix(prefix) {
                return number(rest).map(Death::of_signal);
            }
        }
        None
    }

    /// Returns whether both may be the same death: a process that aborts does not always live to say why.
    ///
    /// ```
    /// use bugnet_process::Death;
    ///
    /// assert!(Death::StackOverflow.may_be(Death::Abort));
    /// assert!(!Death::StackOverflow.may_be(Death::Exit(0)));
    /// ```
    #[inline]
    pub fn may_be(self, other: Death) -> bool {
        self == other
            || (self.is_abort() && other == Death::Abort)
            || (self == Death::Abort && other.is_abort())
    }

    /// Returns whether Rust's runtime aborts the process for it.
    #[inline]
    fn is_abort(self) -> bool {
        use Death::{Abort, OutOfMemory, PanicInPanic, PanicWithoutUnwinding, StackOverflow};
        matches!(self, StackOverflow | OutOfMemory | PanicInPanic | PanicWithoutUnwinding | Abort)
    }
}

fn words(death: Death) -> Option<(&'static str, &'static str)> {
    for (other, verb, noun) in WORDS {
        if other == death {
            return Some((verb, noun));
        }
    }
    None
}

/// The death as a noun.
impl fmt::Display for Death {
    #[inline]
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((_, noun)) = words(*self) {
            return out.write_str(noun);
        }
        match self {
            Death::Exit(code) => write!(out, "exit {code}"),
            Death::Signal(signal) | Death::OverLimit(signal) => {
                write!(out, "signal {signal} ({})", signal_name(*signal))
            }
            _ => out.write_str("an unknown end"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_noun_is_read_as_the_death_that_it_names() {
        let named = WORDS.map(|(death, _, _)| death);
        let others = [Death::Signal(15), Death::Signal(99), Death::Exit(0), Death::Exit(101)];
        for death in named.into_iter().chain(others) {
            let expected = if death == Death::OverLimit(KILL) { Death::OverLimit(TIME) } else { death };
            assert_eq!(Death::read(&death.to_string()), Some(expected), "{death}");
            assert!(Death::read(&death.verb()).is_some_and(|read| read.verb() == death.verb()), "{death}");
        }
    }

    #[test]
    fn a_death_is_told_by_what_the_process_said_last() {
        let stack =
            "\nthread 'main' has overflowed its stack\nfatal runtime error: stack overflow, aborting\n";
        assert_eq!(Death::announced(stack), Some(Death::StackOverflow));
        assert_eq!(Death::announced("memory allocation of 99 bytes failed\n"), Some(Death::OutOfMemory));
        assert_eq!(Death::announced("goodbye"), None);
    }
}
