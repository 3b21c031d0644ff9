//! Attempts: programs in which a call may fail, and that go on all the same.
//!
//! To a crate that is explored, panics are ordinary: many functions demand what nobody has told us. A call
//! that fails is taken back. What it was to change or to consume is dropped, the rest stays, and nothing
//! of it is on the tape, so that the tape is at any time a program that runs well.

use super::{Execution, Hook, Stage, Step};
use crate::choice::{Kind, Source, Tape};
use crate::oracle::{Caught, Failure, Verdict, catch, usage_error};
use crate::program::operation::{Mode, Operation};
use crate::program::programs::located;

/// The result of an attempt to make a call.
#[derive(Debug)]
#[doc(hidden)]
pub enum Attempt {
    /// The call was made.
    Ran,
    /// The call cannot be made now.
    Barred,
    /// A call has failed, perhaps one that was to make an argument.
    Failed(Failed),
}

/// A call that has failed.
#[derive(Debug)]
#[doc(hidden)]
pub struct Failed {
    /// The operation.
    pub operation: usize,
    /// The failure.
    pub failure: Failure,
    /// The program up to it.
    pub tape: Tape,
}

impl<H: Hook> Execution<'_, H> {
    /// Begins a program.
    #[doc(hidden)]
    pub fn begin(&mut self, source: &mut Source, weights: &[u32]) {
        self.reweigh(weights);
        // The word of the features: a tape that is extended begins with one already.
        match source.is_drawing() {
            true => source.forced(Kind::Index, 0, u64::MAX),
            false => drop(source.decide(Kind::Index, u64::MAX, u64::MAX, 0, |_| 0)),
        }
        self.first = source.mark();
        self.hook.begin();
    }

    /// Draws the calls that follow by other weights.
    #[doc(hidden)]
    pub fn reweigh(&mut self, weights: &[u32]) {
        self.weights.copy_from_slice(weights);
        self.odds.weigh(&self.weights);
    }

    /// Ends a program: drops what it has left, while it is known which program that was.
    #[doc(hidden)]
    pub fn end(&mut self) -> Result<(), Failure> {
        self.enter(None, Stage::Drop);
        match catch(|| self.store.clear()) {
            Err(Caught::Failed(failure)) => {
                // What is left is dropped without being looked at.
                while catch(|| self.store.clear()).is_err() {}
                Err(*located(failure, self))
            }
            _ => Ok(()),
        }
    }

    /// Makes the next call: the one that the tape tells, or a random one. A call of the tape that cannot be
    /// made, or fails, is left out.
    #[doc(hidden)]
    pub fn attempt(&mut self, source: &mut Source) -> Attempt {
        if source.is_drawing() {
            let caught = catch(|| {
                let operation = self.odds.draw(source);
                self.draw_call(operation, source, 0)
            });
            return self.outcome(caught, source);
        }
        self.begun = source.mark();
        let after = source.end_of_next();
        let caught = catch(|| match source.decide(Kind::Index, 1, 1, 0, |_| 0) {
            // The end of the tape, if the source can go on.
            0 => Step::Barred,
            _ => self.replay(source),
        });
        let attempt = self.outcome(caught, source);
        let place = match attempt {
            Attempt::Ran => self.length() as u32 - 1,
            Attempt::Barred | Attempt::Failed(_) => {
                source.rewind(self.begun);
                source.give_up();
                source.replay_from(after);
                u32::MAX
            }
        };
        self.hook.followed(place);
        attempt
    }

    /// Returns the result of a step, and takes back a call that has failed.
    fn outcome(&mut self, caught: Result<Step, Caught>, source: &mut Source) -> Attempt {
        let failure = match caught {
            Ok(Step::Ran) => return Attempt::Ran,
            Ok(Step::Over(Verdict::Fail(failure))) | Err(Caught::Failed(failure)) => failure,
            Ok(_) => return Attempt::Barred,
            Err(Caught::Discarded) => {
                self.take_back(source);
                return Attempt::Barred;
            }
            Err(Caught::Misused(problem)) => usage_error(problem),
        };
        let failed = Failed {
            operation: self.last_operation(),
            failure: *located(failure, self),
            tape: source.tape_so_far(),
        };
        self.take_back(source);
        Attempt::Failed(failed)
    }

    /// The operation that is being called, or was called last.
    #[doc(hidden)]
    pub fn last_operation(&self) -> usize {
        let Some(last) = self.operation else { return 0 };
        // It is one of the suite, so where it lies says which.
        let start = self.suite.operations.as_ptr().addr();
        (std::ptr::from_ref(last).addr() - start) / size_of::<Operation>()
    }

    /// Returns the number of calls of the program.
    #[doc(hidden)]
    pub fn length(&self) -> usize {
        self.store.ledger.calls()
    }

    /// Tells the state that the program has reached from others, as far as the values can be.
    #[doc(hidden)]
    pub fn state(&self) -> Option<u64> {
        catch(|| self.store.fingerprint(&self.suite.kinds)).ok().flatten()
    }

    /// Returns the living values that can be printed, each with the number of the call that made it.
    #[doc(hidden)]
    pub fn values(&mut self) -> Result<Vec<(u32, String)>, Failure> {
        self.enter(None, Stage::Drop);
        let caught = catch(|| {
            self.store.end_all_loans();
            let mut found = Vec::new();
            for (kind, described) in self.suite.kinds.iter().enumerate() {
                let Some(printer) = described.printer else { continue };
                for place in self.store.ledger.living(kind) {
                    if let Some(text) = self.store.print(*place, printer) {
                        found.push((*place, text));
                    }
                }
            }
            found.sort();
            found
        });
        match caught {
            Ok(found) => Ok(found),
            Err(Caught::Failed(failure)) => Err(*located(failure, self)),
            Err(Caught::Discarded) => Ok(Vec::new()),
            Err(Caught::Misused(problem)) => usage_error(problem),
        }
    }

    /// Returns how often an operation was called well in this program, and begins to count it anew.
    #[doc(hidden)]
    pub fn take_used(&mut self, operation: usize) -> u32 {
        std::mem::take(&mut self.used[operation])
    }

    /// Takes the call back that has failed.
    fn take_back(&mut self, source: &mut Source) {
        source.rewind(self.begun);
        let spoiled = match self.stage {
            Stage::Call => {
                self.store.ledger.withdraw();
                let needs = &self.suite.needed[self.last_operation()];
                let mut panicked = false;
                for need in needs {
                    let place = self.arguments[need.parameter];
                    self.store.ledger.release(place);
                    if need.mode != Mode::Shared {
                        panicked |= catch(|| self.store.discard(place)).is_err();
                    }
                }
                panicked
            }
            _ => true,
        };
        if spoiled {
            while catch(|| self.store.clear()).is_err() {}
            // Nothing is left of the program, so the tape is that of another one.
            self.hook.spoiled();
            source.rewind(self.first);
            self.begun = self.first;
        }
    }
}
