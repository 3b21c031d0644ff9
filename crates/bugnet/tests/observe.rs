//! Values are printed when a program has ended, and a `Debug` that panics is a failure of its own.

use bugnet::campaign::{Failed, Observe, Options, Reason, WantedBugs};
use bugnet::oracle::Signature;
use bugnet::prelude::*;
use bugnet::program::{Api, Programs};
use std::fmt;

fn run<T: Api>(seed: u64, observe: Observe) -> Result<bugnet::campaign::Passed, Box<Failed>> {
    let options = Options { observe: Some(observe), ..Options::default() };
    let property = Property::new("observed").seed(Seed(seed)).bugs(WantedBugs::FIRST).options(options);
    property.run(&Programs::new(T::suite()))
}

fn lines(failed: &Failed) -> Vec<String> {
    failed.arguments().iter().map(ToString::to_string).collect()
}

/// Returns the failing operation and the phase.
fn failing(failed: &Failed) -> (&str, &'static str) {
    let Reason::Refuted(failure) = &failed.reason else { panic!("{failed}") };
    let Signature::InCall { operation, phase, .. } = &failure.signature else { panic!("{failed}") };
    (operation, phase.as_str())
}

mod clock {
    use super::*;

    /// Cannot print the last hour of a day.
    pub struct Clock(u32);

    impl fmt::Debug for Clock {
        fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            let names = ["night", "morning", "day"];
            out.write_str(names[self.0 as usize / 8])
        }
    }

    #[machine]
    #[ignore = "it is wrong on purpose"]
    impl Clock {
        fn new() -> Self {
            Clock(0)
        }

        fn forward(&mut self, #[with(1..=30u32)] hours: u32) {
            self.0 = (self.0 + hours).min(24);
        }
    }
}

#[test]
fn a_state_that_cannot_be_printed_is_a_failure_when_it_is_observed() {
    for seed in 0..10 {
        for observe in [Observe::Sometimes, Observe::Always] {
            let failed = run::<clock::Clock>(seed, observe).unwrap_err();
            assert_eq!(failing(&failed), ("Clock", "observe"));
            let printed = lines(&failed);
            assert_eq!(printed.last().unwrap(), "let _ = format!(\"{clock:?}\");");
            assert_eq!(printed[..2], ["let mut clock = Clock::new();", "clock.forward(24);"]);
            assert_eq!(printed.len(), 3, "{printed:?}");
            assert!(failed.to_string().contains("  when `Clock` was printed\n"), "{failed}");
        }
        assert!(run::<clock::Clock>(seed, Observe::Never).is_ok(), "nobody looks");
    }
}

mod notes {
    use super::*;

    /// A note that can be printed until it is sealed.
    pub struct Note {
        text: String,
        sealed: bool,
    }

    impl fmt::Debug for Note {
        fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            assert!(!self.sealed, "cannot be read");
            out.write_str(&self.text)
        }
    }

    #[api(name = notes)]
    #[ignore = "it is wrong on purpose"]
    impl Note {
        pub fn new(text: &str) -> Note {
            assert!(text.len() < 30, "too long to begin with");
            Note { text: text.to_string(), sealed: false }
        }

        pub fn seal(self) -> Note {
            Note { sealed: true, ..self }
        }

        pub fn text(&self) -> &str {
            &self.text
        }

        #[check]
        fn is_short(&self) -> bool {
            self.text.len() < 30
        }
    }
}

#[test]
fn what_is_moved_is_not_printed_and_a_refusal_is_no_observation() {
    for seed in 0..5 {
        let failed = run::<notes::Note>(seed, Observe::Always).unwrap_err();
        assert_eq!(failing(&failed), ("Note", "observe"));
        let expected = [
            "let note = Note::new(&\"\".to_string());",
            "let note_2 = note.seal();",
            "let _ = format!(\"{note_2:?}\");",
        ];
        assert_eq!(lines(&failed), expected);
    }
}
