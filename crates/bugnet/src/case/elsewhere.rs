//! Elsewhere: programs that are drawn in a child process, around what is known here.
//!
//! The child is told the patterns and draws nothing that matches one, but for samples. What a sample has
//! shown is found out here, for the child may not have survived it.
//!
//! **Invariant:** a child takes no failure for a known one; who told it the patterns decides that.

use crate::choice::Tape;
use crate::oracle::{Signature, Verdict};
use crate::pattern::{Matcher, Pattern};
use crate::program::{Program, Programs, calls_of};
use crate::wire::{Restraint, Steer};

/// A pattern of which so many samples in a row have killed a child is honest enough: each costs a process.
const DEATHS: u32 = 10;

impl Programs {
    /// Returns what a child has to know.
    pub(crate) fn restraint(&self) -> Restraint {
        let mut restraint = Restraint { samples: self.is_sampling(), known: Vec::new() };
        for (pattern, deaths) in self.known.borrow().iter().zip(self.deaths.borrow().iter()) {
            let hangs = pattern.signature.as_ref().is_some_and(Signature::is_hang);
            let is_sampled = *deaths < DEATHS && !hangs;
            restraint.known.push(Steer { pattern: pattern.stored(self.suite()), is_sampled });
        }
        restraint
    }

    /// Knows what a parent says.
    pub(crate) fn heed(&self, restraint: &Restraint) {
        let mut patterns = Vec::new();
        for steer in &restraint.known {
            let Ok(mut pattern) = Pattern::read(&steer.pattern, self.suite()) else { continue };
            // No failure of a program is one of these, where it happens. What hangs is not sampled.
            pattern.signature = Some(if steer.is_sampled { Signature::NoPanic } else { Signature::Hung });
            patterns.push(pattern);
        }
        self.know(patterns, restraint.samples);
    }

    /// The verdict on a program that a child has drawn. If its last call completes a known pattern, it is a
    /// sample of that.
    pub(crate) fn drawn_elsewhere(&self, verdict: Verdict, tape: &Tape) -> Verdict {
        let completed = {
            let known = self.known.borrow();
            let program = Program::of(self.suite(), tape).filter(|_| !known.is_empty());
            program.and_then(|program| {
                let history = calls_of(self.suite(), &program);
                Matcher::new(&known).find((0..history.len()).map(|place| history.call(place)))
            })
        };
        let Some(pattern) = completed else { return verdict };
        if matches!(&verdict, Verdict::Fail(failure) if failure.signature.is_deadly()) {
            self.deaths.borrow_mut()[pattern] += 1;
            self.version.set(self.version.get() + 1);
        }
        self.sampled(verdict, pattern, tape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Failure;
    use crate::program::{Call, Operation, Suite};

    fn door() -> Programs {
        let operation = |name| Operation::new(name, "", |_| Verdict::Pass);
        Programs::new(Suite::new("Door").operations(["open", "close", "wait"].map(operation)).build())
    }

    fn tape(door: &Programs, operations: &[usize]) -> Tape {
        let call = |operation: &usize| Call { operation: *operation, arguments: Vec::new() };
        Program { features: 0, calls: operations.iter().map(call).collect() }.tape(door.suite())
    }

    fn knowing(texts: &[&str]) -> Programs {
        let door = door();
        let pattern = |text: &&str| {
            let signature = Some(Signature::Died("aborted".to_string()));
            Pattern { signature, ..Pattern::read(text, door.suite()).unwrap() }
        };
        door.know(texts.iter().map(pattern).collect(), true);
        door
    }

    fn failing(signature: Signature) -> Verdict {
        Verdict::Fail(Box::new(Failure::new(signature, "")))
    }

    #[test]
    fn a_restraint_is_heeded_as_it_was_told() {
        let (here, there) = (knowing(&["open(); close()", "wait() | open()"]), door());
        there.heed(&here.restraint());
        assert_eq!(there.restraint(), here.restraint());
        there.heed(&door().restraint());
        assert!(!there.is_avoiding());
    }

    #[test]
    fn what_hangs_and_what_has_killed_enough_children_is_spared() {
        let (here, there) = (knowing(&["open()", "wait()", "close()"]), door());
        here.known.borrow_mut()[1].signature = Some(Signature::Hung);
        let spared = || {
            there.heed(&here.restraint());
            let is_spared = |pattern: &Pattern| pattern.signature == Some(Signature::Hung);
            there.known.borrow().iter().map(is_spared).collect::<Vec<_>>()
        };
        assert_eq!(spared(), [false, true, false]);
        let (version, died) = (here.version(), Signature::Died("aborted".to_string()));
        for _ in 0..DEATHS {
            here.drawn_elsewhere(failing(died.clone()), &tape(&here, &[1]));
        }
        assert_eq!(spared(), [false, true, true]);
        for _ in 0..DEATHS {
            here.drawn_elsewhere(failing(died.clone()), &tape(&here, &[0]));
        }
        assert_eq!(spared(), [true, true, true]);
        assert_ne!(here.version(), version, "a child has to be told");
    }

    #[test]
    fn a_program_that_dies_as_it_is_known_to_is_a_sample() {
        let door = knowing(&["wait(); wait()", "open(); close()"]);
        let (tape, died) = (tape(&door, &[2, 0, 1]), Signature::Died("aborted".to_string()));
        assert_eq!(door.drawn_elsewhere(failing(died), &tape), Verdict::Pass);
        let samples = door.samples();
        assert_eq!((samples.len(), samples[0].pattern, &samples[0].passed), (1, 1, &None));
        let other = failing(Signature::Hung);
        assert_eq!(door.drawn_elsewhere(other.clone(), &tape), other, "it is known to die");
    }

    #[test]
    fn a_program_that_passes_although_it_is_known_to_fail_refutes_its_pattern() {
        let door = knowing(&["open(); close()"]);
        assert_eq!(door.drawn_elsewhere(Verdict::Pass, &tape(&door, &[1, 0])), Verdict::Pass);
        assert!(!door.is_refuting());
        assert_eq!(door.drawn_elsewhere(Verdict::Pass, &tape(&door, &[0, 1])), Verdict::Pass);
        assert!(door.is_refuting());
    }
}
