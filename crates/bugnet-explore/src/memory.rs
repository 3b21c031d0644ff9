//! The memory of a run: what its programs have done, and which of them others begin with.
//!
//! **Invariant:** it outlives a thread that is lost, and a program is found again without it, from its plan.

use super::coverage::Coverage;
use super::focus::Centres;
use super::plan::{Focus, Plan};
use super::pool::Pool;
use super::rich::Rich;
use super::sweep::Sweep;
use super::tally::Tallied;
use super::trim::Trim;
use super::weight::Scores;
use bugnet::choice::{Source, Tape};
use bugnet::oracle::{Failure, Phase, Signature};
use bugnet::program::Suite;
use std::collections::{BTreeSet, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The knowledge of a run so far.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// The ways to fail that were told: operation, phase and cause.
    pub(super) told: BTreeSet<(String, String)>,
    /// True once a law was told to be broken, until somebody takes that in.
    pub(crate) has_broken: bool,
    /// Hashes of the states that programs have reached; only kept without counters.
    pub(super) states: HashSet<u64>,
    pub(super) coverage: Coverage,
    /// Programs that have done something new.
    pub(super) pool: Pool,
    /// Programs that have asked laws of something new.
    pub(super) rich: Rich,
    /// Those that were in the pool of a process before this one, with their centres, the first last.
    pub(crate) heritage: Vec<(Option<usize>, Tape)>,
    /// The program that is made shorter before it is kept.
    pub(super) trim: Option<Trim>,
    pub(super) centres: Centres,
    pub(super) sweep: Sweep,
    /// Programs that leave operations out, and how they failed.
    pub(crate) tallied: Tallied,
    /// For each operation, true if a call of it returned well.
    pub(super) reached: Vec<bool>,
    /// Their names, until they are told.
    pub(crate) news: Vec<&'static str>,
    /// The scores of this epoch.
    pub(crate) scores: Scores,
}

impl Memory {
    /// Returns a memory with scores and nothing else.
    pub(crate) fn with(scores: Scores, suite: &Suite) -> Memory {
        Memory {
            reached: vec![false; scores.0.len()],
            scores,
            centres: Centres::new(&suite.operations_by_kind()),
            sweep: Sweep::new(suite),
            ..Memory::default()
        }
    }

    /// Takes over the programs that a process before this one has kept. Kinds go by their names, for a process
    /// that may not call everything has other numbers for them.
    pub(crate) fn inherit(&mut self, kept: &[String], suite: &Suite) {
        let centre = |name: &str| suite.kinds.iter().position(|kind| kind.name == name);
        let program = |line: &String| {
            let (tape, name) = line.split_once(' ')?;
            Some((centre(name), tape.parse().ok()?))
        };
        self.heritage = kept.iter().rev().filter_map(program).collect();
    }

    /// Notes a way to fail; says whether it is new.
    pub(crate) fn is_new(&mut self, failure: &Failure) -> bool {
        let (operation, phase) = match &failure.signature {
            Signature::InCall { operation, phase, .. } => (operation.clone(), *phase),
            _ => (String::new(), Phase::Call),
        };
        self.told.insert((operation, format!("{phase} {}", failure.signature.cause())))
    }

    /// Forgets that operations have failed, so that another way in which they fail is told.
    pub(crate) fn forget(&mut self, operations: &BTreeSet<&str>) {
        self.told.retain(|(operation, _)| !operations.contains(operation.as_str()));
    }

    /// The next program of a trim; when there is none any more, what it has come to is kept.
    pub(super) fn trimmed(&mut self, dice: &mut Source) -> Option<Plan> {
        let mut trim = self.trim.take()?;
        match trim.propose() {
            Some(tape) => {
                let focus = trim.centre().map_or(Focus::All, Focus::Kind);
                self.trim = Some(trim);
                Some(Plan { focus, base: tape.bare(), is_trimmed: true, ..Plan::default() })
            }
            None => {
                self.pool.keep(trim.into_kept(), &self.coverage, dice);
                None
            }
        }
    }
}

/// Locks the memory, also after a panic.
pub(crate) fn remembered(memory: &Mutex<Memory>) -> MutexGuard<'_, Memory> {
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}
