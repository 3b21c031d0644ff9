//! Attempts: programs in which a call may fail, and that go on all the same.
//!
//! To a crate that is explored, panics are ordinary: many functions demand what nobody has told us. A call
//! that fails is taken back. What it was to change or to consume is dropped, the rest stays, and nothing
//! of it is on the tape, so that the tape is at any time a program that runs well.

use super::{Execution, Phase, Step};
use crate::choice::{Kind, Source, Tape};
use crate::oracle::{Caught, Failure, Verdict, catch, usage_error};
use crate::program::operation::{Mode, Operation};
use crate::program::test::located;

/// What became of an attempt to make a call.
#[derive(Debug)]
pub(crate) enum Attempt {
    /// The call was made.
    Ran,
    /// The call cannot be made now.
    Barred,
    /// A call has failed, perhaps one that was to make an argument.
    Failed(Failed),
}

/// A call that has failed.
#[derive(Debug)]
pub(crate) struct Failed {
    /// The operation.
    pub(crate) operation: usize,
    /// How.
    pub(crate) failure: Failure,
    /// The program up to it.
    pub(crate) tape: Tape,
}

impl Execution<'_> {
    /// Begins a program.
    pub(crate) fn begin(&mut self, source: &mut Source, weights: &[u32]) {
        self.is_sparing_effort = true;
        self.weights.copy_from_slice(weights);
        self.odds.weigh(&self.weights);
        // The word of the features: a tape that is extended begins with one already.
        match source.is_drawing() {
            true => source.forced(Kind::Index, 0, u64::MAX),
            false => drop(source.decide(Kind::Index, u64::MAX, u64::MAX, 0, |_| 0)),
        }
        self.first = source.mark();
        self.moved = Some(Vec::new());
        self.known.iter_mut().for_each(|known| known.clear());
    }

    /// Ends a program: drops what it has left, while it is known which program that was.
    pub(crate) fn end(&mut self) -> Result<(), Failure> {
        self.enter(None, Phase::Drop);
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
    pub(crate) fn attempt(&mut self, source: &mut Source) -> Attempt {
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
        self.moved.get_or_insert_default().push(place);
        attempt
    }

    /// What came of a step; a call that has failed is taken back.
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

    /// Where the result of a call of the tape is, and whether others may stand in for it.
    pub(super) fn moved(&self, place: u32) -> (u32, bool) {
        match &self.moved {
            Some(moved) => (moved.get(place as usize).copied().unwrap_or(u32::MAX), true),
            None => (place, false),
        }
    }

    /// The operation that is being called, or was called last.
    pub(crate) fn last_operation(&self) -> usize {
        let Some(last) = self.operation else { return 0 };
        // It is one of the suite, so where it lies says which.
        let start = self.suite.operations.as_ptr().addr();
        (std::ptr::from_ref(last).addr() - start) / size_of::<Operation>()
    }

    /// How many calls the program has.
    pub(crate) fn length(&self) -> usize {
        self.store.ledger.calls()
    }

    /// Tells the state that the program has reached from others, as far as the values can be.
    pub(crate) fn state(&self) -> Option<u64> {
        catch(|| self.store.fingerprint(&self.suite.kinds)).ok().flatten()
    }

    /// How often operations were called well in this program, those that were; begins to count anew.
    pub(crate) fn take_used(&mut self) -> impl Iterator<Item = (usize, u32)> {
        let used = &mut self.used;
        self.touched.drain(..).map(|operation| (operation, std::mem::take(&mut used[operation])))
    }

    /// Takes the call back that has failed.
    fn take_back(&mut self, source: &mut Source) {
        source.rewind(self.begun);
        let spoiled = match self.phase {
            Phase::Call => {
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
            self.known.iter_mut().for_each(|known| known.clear());
            source.rewind(self.first);
            self.begun = self.first;
            self.moved.iter_mut().flatten().for_each(|place| *place = u32::MAX);
        }
    }
}
