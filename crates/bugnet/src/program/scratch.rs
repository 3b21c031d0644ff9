//! The scratch: the state that a run of programs keeps from one to the next.
//!
//! **Invariant:** it belongs to one run. Two runs of the same [`Programs`](super::Programs) share nothing.

use super::execution::{Execution, Hook, Usual};
use super::manner::Manner;
use super::steering::Steering;
use super::store::Store;
use super::suite::Suite;
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
        self.called.iter().for_each(|calls| sum += calls);
        sum
    }

    /// Returns the number of calls of each operation so far.
    #[cfg(test)]
    pub(crate) fn calls_of_each(&self) -> &[u64] {
        &self.called
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

    /// Adds the calls of an execution.
    pub(super) fn count<H: Hook>(&mut self, execution: &Execution<'_, H>) {
        self.called.iter_mut().zip(execution.called()).for_each(|(total, called)| *total += called);
    }
}
