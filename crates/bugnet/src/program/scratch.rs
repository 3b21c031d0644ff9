//! The scratch: the state that a run of programs keeps from one to the next.
//!
//! **Invariant:** it belongs to one run. Two runs of the same [`Programs`](super::Programs) share nothing.

use super::execution::{Execution, Hook, Usual};
use super::manner::Manner;
use super::steering::Steering;
use super::store::Store;
use super::suite::Suite;
use crate::oracle::Caught;
use crate::settings::Settings;

/// The state of one run of programs.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) manner: Manner,
    /// The known bugs that programs are drawn around.
    pub(crate) steering: Steering,
    /// The number of calls of each operation.
    called: Vec<u64>,
    /// For each operation that has refused a call, the message of the first panic.
    refusals: Vec<(&'static str, String)>,
    /// The number of calls that were made to explain failures.
    pub(crate) explained: u64,
    /// The store of the last recorded program, if that has left it empty.
    pub(super) store: Option<Store>,
    /// The weights of the operations where nothing is left out, once they were added up.
    pub(super) usual: Option<Usual>,
}

impl Scratch {
    /// Returns the state of a run that has not begun. Programs are drawn as usual.
    pub fn new(suite: &Suite) -> Scratch {
        Scratch::with(suite, Manner::usual(suite))
    }

    /// Returns the state of a run that has not begun. Programs are drawn as the settings say.
    pub(crate) fn of(suite: &Suite, settings: &Settings) -> Scratch {
        Scratch::with(suite, Manner::of(suite, settings))
    }

    fn with(suite: &Suite, manner: Manner) -> Scratch {
        Scratch { manner, called: vec![0; suite.operations.len()], ..Scratch::default() }
    }

    /// Returns the number of calls that the programs have made so far, without those that were made to explain a
    /// failure.
    pub(crate) fn calls(&self) -> u64 {
        let mut sum = 0;
        for calls in &self.called {
            sum += calls;
        }
        sum
    }

    /// Returns the number of calls of each operation so far.
    #[cfg(test)]
    pub(crate) fn calls_of_each(&self) -> &[u64] {
        &self.called
    }

    /// Returns the number of calls that a random program has by default.
    pub(crate) fn usual_length(&self) -> usize {
        self.manner.usual_length()
    }

    /// Returns the most calls that a random program has where bugs are known.
    pub(crate) fn longest(&self) -> u64 {
        self.manner.longest()
    }

    /// Returns the rules that were never called, and true if those are all.
    pub(crate) fn never_called(&self, suite: &Suite) -> (Vec<String>, bool) {
        let (mut never, mut all) = (Vec::new(), true);
        for (place, rule) in suite.rules() {
            match self.called[place] {
                0 => never.push(rule.name.to_string()),
                _ => all = false,
            }
        }
        (never, all)
    }

    /// Returns the rules that were called and always refused, each with the first line of its message.
    pub(crate) fn always_refused(&self, suite: &Suite) -> Vec<(String, String)> {
        let mut always = Vec::new();
        for (place, rule) in suite.rules() {
            if let (0, Some(message)) = (self.called[place], self.refusal_of(rule.name)) {
                let first = message.lines().next().unwrap_or_default();
                always.push((rule.name.to_string(), first.to_string()));
            }
        }
        always
    }

    /// Notes that a call has refused, if that ended the program.
    pub(super) fn note_refusal<V, H: Hook>(
        &mut self,
        caught: &Result<V, Caught>,
        execution: &Execution<'_, H>,
    ) {
        let (Err(Caught::Failed(failure)), Some(operation)) = (caught, execution.operation) else { return };
        if execution.is_refused() && self.refusal_of(operation.name).is_none() {
            self.refusals.push((operation.name, failure.message.clone()));
        }
    }

    /// Returns the message of the first panic of an operation.
    fn refusal_of(&self, name: &str) -> Option<&str> {
        for (operation, message) in &self.refusals {
            if *operation == name {
                return Some(message);
            }
        }
        None
    }

    /// Adds the calls of an execution.
    pub(super) fn count<H: Hook>(&mut self, execution: &Execution<'_, H>) {
        for (operation, called) in execution.called().enumerate() {
            self.called[operation] += called;
        }
    }
}
