//! The line that says how far a run is.
//!
//! **Invariant:** it is seen on a terminal only, and nothing of it is left there.

use crate::explore::budget::Budget;
use crate::explore::pool::Run;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A line that changes.
#[derive(Debug)]
pub(crate) struct Line(ProgressBar);

impl Line {
    /// A line that begins with a word.
    pub(crate) fn new(word: &'static str) -> Line {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        let style =
            ProgressStyle::with_template("{prefix:>12.cyan.bold} {msg}").expect("the template is fixed");
        bar.set_style(style);
        bar.set_prefix(word);
        Line(bar)
    }

    pub(crate) fn say(&self, text: String) {
        self.0.set_message(text);
    }

    /// Prints something above the line.
    pub(crate) fn above(&self, print: impl FnOnce()) {
        self.0.suspend(print);
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Describes the progress of a run in words.
pub(crate) fn words(run: &Run, budget: &Budget) -> String {
    let share = share(run.reached.len() as u64, run.operations);
    let found = match run.found {
        0 => "nothing found".to_string(),
        1 => "1 way to fail".to_string(),
        count => format!("{count} ways to fail"),
    };
    let programs = budget.programs().map(|all| format!("{} of {all} programs", run.programs));
    let time = budget.time().map(|time| format!("{}s of {}s", run.elapsed.as_secs(), time.as_secs()));
    let parts: Vec<String> = programs.into_iter().chain(time).collect();
    format!(
        "{}: {} calls, {} a second, {share} of the operations reached, {found}",
        parts.join(", "),
        short(run.calls),
        short(rate(run)),
    )
}

/// Calls per second.
pub(crate) fn rate(run: &Run) -> u64 {
    (run.calls as f64 / run.elapsed.as_secs_f64().max(0.001)) as u64
}

/// A part of a whole, in percent.
pub(crate) fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "nothing".to_string();
    }
    format!("{}%", 100 * part / whole)
}

/// A number in few letters.
pub(crate) fn short(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{} thousand", number / 1_000),
        _ => format!("{:.1} million", number as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn progress_is_told_in_numbers_that_can_be_read() {
        let run = Run {
            programs: 300,
            calls: 1_250_000,
            operations: 40,
            reached: ["a", "b"].map(str::to_string).into(),
            elapsed: Duration::from_secs(10),
            found: 1,
            ..Run::default()
        };
        let rest = "1.2 million calls, 125 thousand a second, 5% of the operations reached, 1 way to fail";
        let minute = Some(Duration::from_secs(60));
        let words = |time, programs| words(&run, &Budget::new(time, programs));
        assert_eq!(words(minute, None), format!("10s of 60s: {rest}"));
        assert_eq!(words(None, Some(700)), format!("300 of 700 programs: {rest}"));
        assert_eq!(words(minute, Some(700)), format!("300 of 700 programs, 10s of 60s: {rest}"));
    }
}
