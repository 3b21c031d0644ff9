//! Status lines, as Cargo prints them: a word that ends in the same column, then the rest.
//!
//! **Invariant:** what a command finds goes to the standard output; what it says about itself, and
//! what Cargo says, to the standard error.

use anstyle::{AnsiColor, Style};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// The column in which the words end.
const WIDTH: usize = 12;

pub(crate) const GREEN: Style = AnsiColor::Green.on_default().bold();
pub(crate) const RED: Style = AnsiColor::Red.on_default().bold();
pub(crate) const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const CYAN: Style = AnsiColor::Cyan.on_default().bold();
pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();

/// The meaning of a status word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Bad,
    /// Neither: what is going on, or what it came to.
    Plain,
}

/// Prints a finding. Lines after the first stand below the first.
pub(crate) fn line(tone: Tone, word: &str, text: &str) {
    let style = match tone {
        Tone::Good => GREEN,
        Tone::Bad => RED,
        Tone::Plain => CYAN,
    };
    let text = text.replace('\n', &format!("\n{:1$}", "", WIDTH + 1));
    anstream::println!("{style}{word:>WIDTH$}{style:#} {text}");
}

/// Says what is going on.
pub(crate) fn progress(word: &str, text: &str) {
    anstream::eprintln!("{CYAN}{word:>WIDTH$}{CYAN:#} {text}");
}

/// The time after which somebody who waits wants to know for what.
const LONG: Duration = Duration::from_secs(5);

/// A step that may take long: once it has, a line says what it is.
#[derive(Debug)]
pub(crate) struct Step {
    /// Closes with the step.
    goes_on: Option<Sender<()>>,
    teller: Option<JoinHandle<()>>,
}

impl Step {
    /// Begins a step, which ends with this value.
    pub(crate) fn new(word: &'static str, text: String) -> Step {
        Step::told(LONG, move || progress(word, &text))
    }

    fn told(long: Duration, tell: impl FnOnce() + Send + 'static) -> Step {
        let (sender, receiver) = channel();
        let teller = std::thread::spawn(move || {
            if receiver.recv_timeout(long) == Err(RecvTimeoutError::Timeout) {
                tell();
            }
        });
        Step { goes_on: Some(sender), teller: Some(teller) }
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        drop(self.goes_on.take());
        // No line comes after the step.
        let _ = self.teller.take().map(JoinHandle::join);
    }
}

/// Says what may be amiss.
pub(crate) fn warning(text: &str) {
    anstream::eprintln!("{YELLOW}warning{YELLOW:#}: {text}");
}

/// Says why a command ended.
pub(crate) fn error(error: &anyhow::Error) {
    anstream::eprintln!("{RED}error{RED:#}: {error:#}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_told_once_it_has_taken_long_and_one_that_is_over_is_not() {
        let (told, heard) = channel();
        let long = told.clone();
        let step = Step::told(Duration::ZERO, move || long.send("long").unwrap());
        assert_eq!(heard.recv(), Ok("long"));
        drop(step);
        drop(Step::told(Duration::from_secs(600), move || told.send("short").unwrap()));
        assert!(heard.recv().is_err());
    }
}
