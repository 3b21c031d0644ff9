//! Detours: programs that fail for the reason of a known bug, but come to it in another way.
//!
//! The reducer runs nothing that matches a known pattern. So a program that has come to a known bug by way
//! of a copy (`let b = a.clone(); b.break_down()`), or whose value was made by another constructor, stays
//! as it is, and has a pattern of its own. Here it is asked what the reducer could not ask: whether it is
//! the known bug when the detour is left out.
//!
//! **Invariant:** what is taken for a known bug fails in the same way without its detour.

use super::learner::Learner;
use crate::pattern::{Matcher, Pattern};
use crate::program::{Call, Program, Suite, finds};

/// Returns true if a failing program is that of a known pattern, but for a detour.
pub(crate) fn is_kin(learner: &mut Learner<'_>, program: &Program, known: (&Pattern, &Program)) -> bool {
    let suite = learner.suite;
    let mut matcher = Matcher::new(std::slice::from_ref(known.0));
    for candidate in direct(suite, program, known.1) {
        // Bugs that are taken for one by chance would be lost, so it has to fail twice.
        if candidate.is_sound(suite)
            && finds(&mut matcher, suite, &candidate)
            && learner.fails(&candidate)
            && learner.fails(&candidate)
        {
            return true;
        }
    }
    false
}

/// The program without one of its detours: with what a call was given instead of what it makes, and with
/// a value made in a simpler way or as the known program makes it.
fn direct(suite: &Suite, program: &Program, known: &Program) -> Vec<Program> {
    let is_used = |place: usize| program.uses(place);
    let mut candidates = Vec::new();
    for place in (0..program.calls.len()).filter(|place| is_used(*place)) {
        candidates.extend(program.rerouted(place));
        candidates.extend(program.provided(suite, place));
        let now = &program.calls[place];
        for maker in &known.calls {
            if is_other_maker(suite, now, maker) {
                let mut changed = program.clone();
                changed.calls[place] = maker.clone();
                candidates.push(changed);
            }
        }
    }
    candidates
}

/// Returns true if another call makes the same value out of nothing.
fn is_other_maker(suite: &Suite, now: &Call, other: &Call) -> bool {
    let made = |call: &Call| suite.operations[call.operation].made_kind();
    now.operation != other.operation && made(now) == made(other) && other.results().next().is_none()
}
