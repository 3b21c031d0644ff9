//! A recording: the hash of what was judged and of what came of it.
//!
//! **Invariant:** two failures are hashed alike if they have the same signature, whatever its words: a
//! signature is known by when it first came up, so that moved lines change nothing.

use bugnet::campaign::{Bug, Failed, Judged, Observer, Passed, Reason};
use bugnet::oracle::{Signature, Verdict};
use std::cell::RefCell;
use std::rc::Rc;

/// Hashes what it hears.
#[derive(Debug, Clone)]
pub struct Recording(Rc<RefCell<State>>);

#[derive(Debug)]
struct State {
    hash: Fnv,
    events: u64,
    signatures: Vec<Signature>,
}

impl Recording {
    pub fn new() -> Recording {
        let state = State { hash: Fnv::default(), events: 0, signatures: Vec::new() };
        Recording(Rc::new(RefCell::new(state)))
    }

    /// Returns the observer for an environment.
    pub fn observer(&self) -> Box<Observer> {
        let recording = self.clone();
        Box::new(move |judged| recording.0.borrow_mut().hear(&judged))
    }

    /// Adds what the campaign came to: the number of events, and the hash.
    pub fn finish(&self, outcome: &Result<Passed, Box<Failed>>, calls: u64) -> (u64, u64) {
        let mut state = self.0.borrow_mut();
        state.hash.number(calls);
        match outcome {
            Ok(passed) => state.passed(passed),
            Err(failed) => state.failed(failed),
        }
        (state.events, state.hash.0)
    }
}

impl State {
    fn hear(&mut self, judged: &Judged<'_>) {
        self.events += 1;
        match judged {
            Judged::Batch { seed, first, count, verdict } => {
                [1, seed.0, *first, *count].into_iter().for_each(|number| self.hash.number(number));
                self.verdict(verdict);
            }
            Judged::Case { tape, verdict } => {
                self.hash.number(2);
                self.hash.text(&tape.to_string());
                self.verdict(verdict);
            }
        }
    }

    fn verdict(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Pass => self.hash.number(1),
            Verdict::Discard => self.hash.number(2),
            Verdict::Fail(failure) => self.signature(&failure.signature),
        }
    }

    fn signature(&mut self, signature: &Signature) {
        let known = self.signatures.iter().position(|known| known == signature);
        let number = known.unwrap_or_else(|| {
            self.signatures.push(signature.clone());
            self.signatures.len() - 1
        });
        self.hash.number(3 + number as u64);
    }

    fn passed(&mut self, passed: &Passed) {
        let Passed { tests, discarded, avoided, .. } = *passed;
        [tests, discarded, avoided].into_iter().for_each(|number| self.hash.number(number));
        self.hash.text(&passed.exhausted.map_or(String::new(), |exhausted| exhausted.to_string()));
        passed.never_called.iter().chain(&passed.fixed).for_each(|name| self.hash.text(name));
    }

    fn failed(&mut self, failed: &Failed) {
        self.hash.number(failed.tests);
        match &failed.reason {
            Reason::Refuted(failure) => self.signature(&failure.signature),
            Reason::Flaky { runs, failed, .. } => {
                [u64::from(*runs), u64::from(*failed)]
                    .into_iter()
                    .for_each(|number| self.hash.number(number));
            }
            Reason::GaveUp { passed, discarded } => {
                [*passed, *discarded].into_iter().for_each(|number| self.hash.number(number));
            }
            // No subject ends so.
            Reason::Uncovered { .. } | Reason::Fixed(_) | Reason::Misused(_) => {
                panic!("a subject of `trace` does not work: {failed}")
            }
        }
        self.hash.text(&failed.tape().map_or(String::new(), ToString::to_string));
        let effort = failed.effort();
        [effort.passed, effort.shrink_tests, effort.shrink_steps]
            .into_iter()
            .for_each(|number| self.hash.number(number));
        failed.arguments().iter().for_each(|argument| self.hash.text(&argument.to_string()));
        // A bug without a name is what was hashed above.
        failed.bugs.iter().filter(|bug| !bug.name.is_empty()).for_each(|bug| self.bug(bug));
    }

    fn bug(&mut self, bug: &Bug) {
        let Bug { name, words, tape, form, variant_of, avoided, effort, .. } = bug;
        self.signature(&bug.failure.signature);
        [name, words, &tape.to_string()].into_iter().for_each(|text| self.hash.text(text));
        form.iter().chain(variant_of).for_each(|text| self.hash.text(text));
        [*avoided, effort.passed, effort.shrink_tests, effort.shrink_steps]
            .into_iter()
            .for_each(|number| self.hash.number(number));
        bug.hits.iter().for_each(|(_, count)| self.hash.number(*count));
    }
}

/// Fowler, Noll and Vo's hash of 64 bits, in the variant 1a.
#[derive(Debug)]
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    /// A text and its end.
    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
        self.number(text.len() as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::oracle::Failure;

    #[test]
    fn the_hash_is_that_of_its_authors() {
        let mut hash = Fnv::default();
        hash.bytes(b"foobar");
        assert_eq!(hash.0, 0x8594_4171_f739_67e8);
    }

    fn heard(failures: &[(u32, &str)]) -> u64 {
        let recording = Recording::new();
        for (line, tape) in failures {
            let signature = Signature::Panic { file: "src/lib.rs".to_owned(), line: *line, column: 1 };
            let verdict = Verdict::Fail(Box::new(Failure::new(signature, "boom")));
            recording.observer()(Judged::Case { tape: &tape.parse().unwrap(), verdict: &verdict });
        }
        recording.0.borrow().hash.0
    }

    #[test]
    fn moved_lines_change_nothing_and_everything_else_does() {
        assert_eq!(heard(&[(1, "2"), (5, "3"), (1, "4")]), heard(&[(7, "2"), (2, "3"), (7, "4")]));
        assert_ne!(heard(&[(1, "2"), (5, "3"), (1, "4")]), heard(&[(1, "2"), (5, "3"), (5, "4")]));
        assert_ne!(heard(&[(1, "2"), (5, "3")]), heard(&[(1, "2"), (5, "4")]));
        assert_ne!(heard(&[(1, "2"), (5, "3")]), heard(&[(5, "3"), (1, "2")]));
    }
}
