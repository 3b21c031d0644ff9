//! Status lines, as Cargo prints them: a word that ends in the same column, then the rest.
//!
//! **Invariant:** what a command finds goes to the standard output; what it says about itself, and
//! what Cargo says, to the standard error.

use anstyle::{AnsiColor, Style};

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

/// Says what may be amiss.
pub(crate) fn warning(text: &str) {
    anstream::eprintln!("{YELLOW}warning{YELLOW:#}: {text}");
}

/// Says why a command ended.
pub(crate) fn error(error: &anyhow::Error) {
    anstream::eprintln!("{RED}error{RED:#}: {error:#}");
}
