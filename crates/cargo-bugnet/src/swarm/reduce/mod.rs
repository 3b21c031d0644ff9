//! Reducing: failing inputs are made smaller as long as they fail in the same way.
//!
//! Every reducer asks the oracle of the run. What is left is judged again by all targets, and failures that turn out
//! to be one are merged.
//!
//! **Invariant:** a reduced input fails with the signature of its failure, and is valid if the file says what that is.

pub(crate) mod interesting;
mod outside;
pub(crate) mod parts;

use super::file::{Plan, With};
use super::oracle::Outcome;
use super::run::lock;
use super::test::Bench;
use crate::store::{Kept, Reduced, Store};
use anyhow::Result;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Trials of our own reducer for one failure; the slowest input of our examples needed 900.
const MOST_TRIALS: u64 = 4_000;

/// Reduces failures, several at a time. `tell` gets each failure and what came of it.
pub(crate) fn reduce_all(
    plan: &Plan,
    failures: &[&Kept],
    store: &Mutex<Box<dyn Store>>,
    scratch: &Path,
    jobs: usize,
    stop: &(dyn Fn() -> bool + Sync),
    tell: &(dyn Fn(&Kept, &Reduced) + Sync),
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let worker = |job: usize| -> Result<()> {
        let bench = Bench::new(plan, scratch.join(format!("reduce-{job}")));
        while let Some(failure) = failures.get(next.fetch_add(1, Ordering::Relaxed)) {
            if stop() {
                return Ok(());
            }
            let folder = scratch.join(format!("reducer-{job}"));
            if let Some(reduced) = reduce(plan, &bench, failure, &folder, stop)? {
                lock(store).keep_reduced(failure.id, &reduced)?;
                tell(failure, &reduced);
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let worker = &worker;
        let workers: Vec<_> = (0..jobs).map(|job| scope.spawn(move || worker(job))).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a reducer does not panic"))
    })
}

/// Reduces one failure; `None` if it does not come again.
fn reduce(
    plan: &Plan,
    bench: &Bench<'_>,
    failure: &Kept,
    folder: &Path,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Reduced>> {
    let Some((input, target)) = reproducible(plan, bench, failure)? else { return Ok(None) };
    let is_same = |input: &[u8]| is_same(bench, target, &failure.signature, input);
    let (smallest, by) = match &plan.reducer.with {
        With::Nothing => (input, "nothing".to_string()),
        // An input that is not valid by itself cannot be made smaller without leaving what is valid.
        _ if !bench.is_valid(&input)? => (input, "nothing".to_string()),
        With::Lines => {
            let end = Instant::now() + plan.reducer.time;
            let over = || stop() || Instant::now() >= end;
            let mut trials = 0;
            let mut ask = |input: &[u8]| {
                trials += 1;
                if trials > MOST_TRIALS || over() {
                    return Ok(None);
                }
                Ok(Some(is_same(input)? && bench.is_valid(input)?))
            };
            (parts::smallest(input, &mut ask)?, "lines".to_string())
        }
        With::Program { name, command } => {
            let task = outside::Task { plan, command, folder, target, signature: &failure.signature };
            (task.smallest(input, &is_same, stop)?, name.clone())
        }
    };
    let outcomes = bench.judge(&smallest)?;
    let mut signatures = Vec::new();
    let mut happened = String::new();
    for (place, outcome) in outcomes.into_iter().enumerate() {
        if let Outcome::Failed(failed) = outcome {
            if place == target {
                happened = failed.happened;
            }
            if !signatures.contains(&failed.signature) {
                signatures.push(failed.signature);
            }
        }
    }
    Ok(Some(Reduced { input: smallest, by, happened, signatures }))
}

/// Returns the first kept input that fails again, and the place of the target.
fn reproducible(plan: &Plan, bench: &Bench<'_>, failure: &Kept) -> Result<Option<(Vec<u8>, usize)>> {
    for sighting in &failure.sightings {
        let Some(target) = plan.targets.iter().position(|target| target.name == sighting.target) else {
            continue;
        };
        if is_same(bench, target, &failure.signature, &sighting.input)? {
            return Ok(Some((sighting.input.clone(), target)));
        }
    }
    Ok(None)
}

/// Returns whether a target fails with a signature.
pub(crate) fn is_same(bench: &Bench<'_>, target: usize, signature: &str, input: &[u8]) -> Result<bool> {
    let outcome = bench.judge_one(target, input)?;
    Ok(matches!(outcome, Outcome::Failed(failed) if failed.signature == signature))
}

/// The longest reduced input that is believed to show one fault only, in bytes: one of several kilobytes, whose
/// reducer ran out of time, showed two errors of different code generators of sdcc.
const SMALL: usize = 256;

/// Returns pairs of failures that are one, as (the later, the earlier): their reduced inputs are the same, or both are
/// small and each has the signature of the other as well.
pub(crate) fn same(failures: &[Kept]) -> Vec<(i64, i64)> {
    let mut pairs = Vec::new();
    for (place, later) in failures.iter().enumerate() {
        let Some(reduced) = &later.reduced else { continue };
        let earlier = failures[..place].iter().find(|earlier| {
            earlier.merged_into.is_none()
                && earlier.reduced.as_ref().is_some_and(|other| {
                    let are_small = other.input.len().max(reduced.input.len()) <= SMALL;
                    other.input == reduced.input
                        || are_small
                            && other.signatures.contains(&later.signature)
                            && reduced.signatures.contains(&earlier.signature)
                })
        });
        if let (Some(earlier), None) = (earlier, later.merged_into) {
            pairs.push((later.id, earlier.id));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(id: i64, signature: &str, input: &str, signatures: &[&str]) -> Kept {
        let reduced = Reduced {
            input: input.as_bytes().to_vec(),
            by: "lines".to_string(),
            happened: String::new(),
            signatures: signatures.iter().map(|text| text.to_string()).collect(),
        };
        Kept {
            id,
            number: id as u64,
            signature: signature.to_string(),
            sightings: Vec::new(),
            reduced: Some(reduced),
            merged_into: None,
        }
    }

    #[test]
    fn failures_are_one_if_their_inputs_are_or_each_shows_the_other() {
        let failures = [
            kept(1, "a", "x", &["a", "b"]),
            kept(2, "b", "y", &["b", "a"]),
            kept(3, "c", "z", &["c", "a"]),
            kept(4, "d", "x", &["d"]),
            kept(5, "e", &"long ".repeat(99), &["e", "f"]),
            kept(6, "f", &"other ".repeat(99), &["f", "e"]),
        ];
        assert_eq!(same(&failures), [(2, 1), (4, 1)], "a long input may show two faults");
    }
}
