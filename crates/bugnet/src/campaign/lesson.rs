//! Lessons: what a program that passes teaches about a pattern that matches it.
//!
//! **Invariant:** a program is made smaller only as long as it passes and the pattern matches it.

use super::judge::{Judge, Misuse};
use crate::bug::{Embedding, Guard, Matcher, Pattern, calls_of, embeddings};
use crate::choice::Source;
use crate::list::Listed;
use crate::oracle::{Signature, Verdict};
use crate::program::{Program, Role, Suite};

/// Whether setting a machine up is part of a pattern.
pub(super) fn has_setup(suite: &Suite, pattern: &Pattern) -> bool {
    let role = |operation: usize| suite.operations[operation].role;
    pattern.elements.iter().any(|element| role(element.operation) == Role::Setup)
}

/// Adds what a small program that passes has besides the pattern as guards, for all ways in which the
/// pattern matches it. If guards are there and were merely used up, they are lasting ones.
pub(super) fn learn_guards(suite: &Suite, pattern: &mut Pattern, witness: &Program) {
    let history = calls_of(suite, witness);
    let mut lasting = pattern.clone();
    lasting.guards.iter_mut().for_each(|guard| guard.lasting = true);
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
pub(super) fn smallest(
    suite: &Suite,
    judge: &mut Judge<'_>,
    pattern: &Pattern,
    witness: Program,
    embedding: Embedding,
    others: &mut Matcher,
) -> Result<(Program, Embedding), Misuse> {
    let mut best = (witness, embedding);
    let mut attempt = |best: &(Program, Embedding), kept: &dyn Fn(usize) -> bool| {
        let (candidate, numbers) = best.0.keeping(&|place| kept(place) || best.1.places.contains(&place));
        if candidate.calls.len() == best.0.calls.len() || !candidate.is_sound(suite) {
            return Ok(None);
        }
        let places: Vec<usize> = best.1.places.iter().map(|place| numbers[*place]).listed();
        let now = embeddings(pattern, &calls_of(suite, &candidate));
        let Some(embedding) = now.into_iter().find(|embedding| embedding.places == places) else {
            return Ok(None);
        };
        if finds(others, suite, &candidate) {
            return Ok(None);
        }
        let (failure, _) = ran(judge, suite, &candidate, pattern.signature.as_ref())?;
        Ok(failure.is_none().then_some((candidate, embedding)))
    };
    for hops in 1..3 {
        let near = best.0.near(suite, &best.1.places, hops);
        if let Some(smaller) = attempt(&best, &|place| near[place])? {
            best = smaller;
            break;
        }
    }
    let mut size = best.0.calls.len().next_power_of_two() / 2;
    while size > 0 {
        let mut end = best.0.calls.len();
        while end > 0 {
            let start = end.saturating_sub(size);
            match attempt(&best, &|place| !(start..end).contains(&place))? {
                Some(smaller) => {
                    best = smaller;
                    end = end.min(best.0.calls.len());
                }
                None => end = start,
            }
        }
        size /= 2;
    }
    Ok(best)
}

/// Whether a matcher finds a pattern in a program.
pub(super) fn finds(matcher: &mut Matcher, suite: &Suite, program: &Program) -> bool {
    let history = calls_of(suite, program);
    matcher.find((0..history.len()).map(|place| history.call(place))).is_some()
}

/// Runs a program that may be expected to fail in a certain way: how it fails, if it does, and how many
/// calls it got to.
pub(super) fn ran(
    judge: &mut Judge<'_>,
    suite: &Suite,
    program: &Program,
    expected: Option<&Signature>,
) -> Result<(Option<Signature>, usize), Misuse> {
    let (tape, test) = (program.tape(suite), judge.test);
    if test.programs().is_some_and(|programs| programs.evidence.has_passed(&tape)) {
        return Ok((None, program.calls.len()));
    }
    let mut source = Source::replay(tape);
    let verdict = judge.program(&mut source, expected)?;
    let calls = Program::of(suite, &source.into_tape()).map_or(0, |program| program.calls.len());
    Ok(match verdict {
        Verdict::Fail(failure) => (Some(failure.signature), calls),
        _ => (None, calls),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Call, Operation, Programs};
    use crate::worker::Journal;

    #[test]
    fn a_program_that_has_passed_is_not_run_again() {
        let suite =
            || Suite::new("clock").operation(Operation::new("tick", "tick()", |_| Verdict::Pass)).build();
        let (programs, suite, mut journal) = (Programs::new(suite()), suite(), Journal::default());
        let mut judge = Judge { test: &programs, journal: &mut journal };
        let tick = Call { operation: 0, arguments: Vec::new() };
        for (ticks, calls) in [(2, 2), (2, 2), (3, 5), (2, 5), (3, 5)] {
            let program = Program { features: 0, calls: vec![tick.clone(); ticks] };
            let (failure, got_to) = ran(&mut judge, &suite, &program, None).unwrap_or_else(|_| panic!());
            assert_eq!((failure, got_to, programs.calls()), (None, ticks, calls));
        }
    }
}
