//! Events: what a harness tells, one line of JSON each.
//!
//! **Invariant:** an event is one line and is written at once, so whoever reads has everything up to the
//! moment at which the harness dies.

use crate::oracle::{Failure, Signature};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::sync::{LazyLock, Mutex, PoisonError};

/// One event: its name and its members, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event(String);

impl Event {
    pub(crate) fn new(name: &str) -> Event {
        Event(format!("{{\"event\":{}", quoted(name)))
    }

    pub(crate) fn number(mut self, name: &str, value: u64) -> Event {
        let _ = write!(self.0, ",{}:{value}", quoted(name));
        self
    }

    pub(crate) fn flag(mut self, name: &str, value: bool) -> Event {
        let _ = write!(self.0, ",{}:{value}", quoted(name));
        self
    }

    pub(crate) fn text(mut self, name: &str, value: &str) -> Event {
        let _ = write!(self.0, ",{}:{}", quoted(name), quoted(value));
        self
    }

    pub(crate) fn texts<'a>(mut self, name: &str, values: impl IntoIterator<Item = &'a str>) -> Event {
        let values: Vec<String> = values.into_iter().map(quoted).collect();
        let _ = write!(self.0, ",{}:[{}]", quoted(name), values.join(","));
        self
    }

    /// How a call has failed.
    pub(crate) fn failure(self, failure: &Failure) -> Event {
        let (operation, phase, cause) = match &failure.signature {
            Signature::InCall { operation, phase, cause } => (operation.as_str(), *phase, &**cause),
            other => ("", "call", other),
        };
        let event = self.text("operation", operation).text("phase", phase).text("cause", named(cause));
        let event = match cause {
            Signature::Panic { .. } => event.text("place", &cause.to_string()),
            _ => event,
        };
        event.text("message", &failure.message)
    }

    /// Tells it.
    pub(crate) fn tell(mut self) {
        self.0.push_str("}\n");
        // Code under test may print, or close what it prints to.
        static OUT: LazyLock<Mutex<Option<File>>> = LazyLock::new(|| Mutex::new(own_output().ok()));
        let mut out = OUT.lock().unwrap_or_else(PoisonError::into_inner);
        let told = out.as_mut().is_some_and(|out| out.write_all(self.0.as_bytes()).is_ok());
        if !told {
            // Whoever listened is gone, so there is nobody to work for.
            std::process::exit(0);
        }
    }
}

/// Standard output, as a file of our own.
fn own_output() -> std::io::Result<File> {
    #[cfg(unix)]
    let own = std::os::fd::AsFd::as_fd(&std::io::stdout()).try_clone_to_owned();
    #[cfg(windows)]
    let own = std::os::windows::io::AsHandle::as_handle(&std::io::stdout()).try_clone_to_owned();
    own.map(File::from)
}

/// How a call dies that wants more memory than there is.
pub(crate) const MEMORY: &str = "out of memory";

/// The word for a way to fail.
fn named(cause: &Signature) -> &'static str {
    match cause {
        Signature::Panic { .. } => "panic",
        Signature::ReturnedFalse => "false",
        Signature::ReturnedError => "error",
        Signature::NoPanic => "no panic",
        Signature::Died(how) if how == MEMORY => "memory",
        Signature::Died(_) => "death",
        Signature::Hung => "hang",
        Signature::InCall { cause, .. } => named(cause),
    }
}

/// A text as JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            control if control < ' ' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(control));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_a_line_of_json_whatever_it_says() {
        let Event(line) = Event::new("a").text("b", "\"\\\n\u{1}é").number("c", 7).texts("d", ["x", "y"]);
        assert_eq!(line, r#"{"event":"a","b":"\"\\\n\u0001é","c":7,"d":["x","y"]"#);
    }

    #[test]
    fn a_failure_is_told_with_its_place_and_never_keyed_by_its_message() {
        let place = Signature::Panic { file: "src/lib.rs".into(), line: 7, column: 5 };
        let signature = Signature::InCall { operation: "f".into(), phase: "call", cause: Box::new(place) };
        let Event(line) = Event::new("failure").failure(&Failure::new(signature, "boom"));
        assert_eq!(
            line,
            r#"{"event":"failure","operation":"f","phase":"call","cause":"panic","place":"src/lib.rs:7:5","message":"boom""#
        );
    }
}
