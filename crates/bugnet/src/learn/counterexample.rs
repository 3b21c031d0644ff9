//! Counterexamples: programs that pass although a pattern matches them, and what they teach about it.
//!
//! **Invariant:** a program is made smaller only as long as it passes and the pattern matches it.

use super::learner::Learner;
use crate::list::mapped;
use crate::pattern::{Embedding, Guard, Pattern, embeddings};
use crate::program::{Program, Role, Suite, calls_of};

/// Returns true if setting a machine up is part of a pattern.
pub(crate) fn has_setup(suite: &Suite, pattern: &Pattern) -> bool {
    let role = |operation: usize| suite.operations[operation].role;
    pattern.elements.iter().any(|element| role(element.operation) == Role::Setup)
}

/// Adds what a small program that passes has besides the pattern as guards, for all ways in which the
/// pattern matches it. If guards are there and were merely used up, they are lasting ones.
pub(crate) fn learn_guards(suite: &Suite, pattern: &mut Pattern, witness: &Program) {
    let history = calls_of(suite, witness);
    let mut lasting = pattern.clone();
    for guard in &mut lasting.guards {
        guard.lasting = true;
    }
    if embeddings(&lasting, &history).is_empty() {
        *pattern = lasting;
        return;
    }
    let first = usize::from(suite.is_machine());
    for embedding in embeddings(pattern, &history) {
        let guard = Guard::learned(suite, first, witness, &embedding);
        if !guard.extras.is_empty() && !pattern.guards.contains(&guard) {
            pattern.guards.push(guard);
        }
    }
}

/// Takes calls out of a program that passes, as long as it does, but none of those that match.
pub(crate) fn smallest(
    learner: &mut Learner<'_>,
    pattern: &Pattern,
    witness: Program,
    embedding: Embedding,
) -> (Program, Embedding) {
    let suite = learner.suite;
    let mut best = (witness, embedding);
    let mut attempt = |best: &(Program, Embedding), kept: &dyn Fn(usize) -> bool| {
        let (candidate, numbers) = best.0.keeping(&|place| kept(place) || best.1.places.contains(&place));
        if candidate.calls.len() == best.0.calls.len() || !candidate.is_sound(suite) {
            return None;
        }
        let places: Vec<usize> = mapped(&best.1.places, |place| numbers[*place]);
        for embedding in embeddings(pattern, &calls_of(suite, &candidate)) {
            if embedding.places == places {
                return if learner.passes(&candidate) { Some((candidate, embedding)) } else { None };
            }
        }
        None
    };
    for hops in 1..3 {
        let near = best.0.near(suite, &best.1.places, hops);
        if let Some(smaller) = attempt(&best, &|place| near[place]) {
            best = smaller;
            break;
        }
    }
    let mut size = best.0.calls.len().next_power_of_two() / 2;
    while size > 0 {
        let mut end = best.0.calls.len();
        while end > 0 {
            let start = end.saturating_sub(size);
            match attempt(&best, &|place| !(start..end).contains(&place)) {
                Some(smaller) => {
                    best = smaller;
                    end = end.min(best.0.calls.len());
                }
                None => end = start,
            }
        }
        size /= 2;
    }
    best
}
