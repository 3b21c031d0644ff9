//! Variations: programs made from programs that were kept.
//!
//! A program goes on where another one ends or is cut off, repeats or leaves out some of its calls, goes on
//! with the calls of a third, or has other literals. Nothing is known here of what operations need: when it
//! is run, another value stands in for one that is gone, and a call that cannot be made is left out.
//!
//! **Invariant:** what refers to a call that has moved refers to it where it is now.

use bugnet::choice::{Choice, Kind, Source, Span, Tape};
use bugnet::engine::{CALL, LITERAL};
use std::ops::Range;

/// A reference to a call that is not there.
const GONE: u64 = u32::MAX as u64;
/// Calls of the longest program that is made from others.
const LONGEST: usize = 80;

/// A program to begin with, and how many calls are to follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Varied {
    pub(super) tape: Tape,
    pub(super) more: usize,
}

/// Makes a program from one that was kept, and perhaps another one.
pub(super) fn vary(tape: &Tape, other: &Tape, dice: &mut Source) -> Varied {
    let mut below = |bound: u64| dice.random_below(bound) as usize;
    let (manner, more) = (below(12), below(4));
    match manner {
        0..=3 => Varied { tape: tape.clone(), more: 1 + below(10) },
        4 | 5 => {
            let kept = 1 + below(calls(tape).len().max(1) as u64);
            Varied { tape: cut(tape, kept), more: 1 + below(12) }
        }
        6 | 7 => Varied { tape: change_literal(tape, dice), more },
        8 => Varied { tape: change_literal(&change_literal(tape, dice), dice), more },
        9 => Varied { tape: without_call(tape, dice), more },
        10 => Varied { tape: repeated(tape, dice), more },
        _ => Varied { tape: spliced(tape, other, dice), more },
    }
}

/// The spans of the calls of a program. A one stands before each.
pub(super) fn calls(tape: &Tape) -> Vec<Span> {
    tape.spans_where(&|span| span.label == CALL)
}

/// The first calls of a program.
fn cut(tape: &Tape, kept: usize) -> Tape {
    match calls(tape).get(kept) {
        Some(call) => tape.without(call.start - 1, tape.choices.len()),
        None => tape.clone(),
    }
}

/// Calls of a program, without what is before them.
fn part(tape: &Tape, calls: &[Span]) -> Tape {
    match calls {
        [first, .., last] => tape.part(&Span { label: "", start: first.start - 1, end: last.end }),
        [only] => tape.part(&Span { label: "", start: only.start - 1, end: only.end }),
        [] => Tape::default(),
    }
}

/// Has every reference be what a function makes of it.
fn refer(tape: &mut Tape, new: impl Fn(u64) -> u64) {
    for call in calls(tape) {
        let is_inside = |span: &&Span| call.encloses(span);
        // The code of the operation comes first, and then what is referred to, before all literals.
        let end = tape.spans.iter().find(is_inside).map_or(call.end, |span| span.start);
        // A call that was given up before its first choice has neither.
        for choice in tape.choices.get_mut(call.start + 1..end).into_iter().flatten() {
            choice.value = new(choice.value);
        }
    }
}

fn without_call(tape: &Tape, dice: &mut Source) -> Tape {
    match calls(tape).len() {
        0 | 1 => tape.clone(),
        length => {
            let place = dice.random_below(length as u64) as usize;
            without_calls(tape, place..place + 1)
        }
    }
}

/// A program without some of its calls.
pub(super) fn without_calls(tape: &Tape, places: Range<usize>) -> Tape {
    let all = calls(tape);
    let (Some(first), Some(last)) = (all.get(places.start), all.get(places.end.wrapping_sub(1))) else {
        return tape.clone();
    };
    let mut shorter = tape.without(first.start - 1, last.end);
    let (gone, count) = (places.start as u64..places.end as u64, places.len() as u64);
    refer(&mut shorter, |earlier| match earlier {
        earlier if earlier < gone.start || earlier >= GONE => earlier,
        earlier if gone.contains(&earlier) => GONE,
        earlier => earlier - count,
    });
    shorter
}

/// Repeats some calls at the end.
fn repeated(tape: &Tape, dice: &mut Source) -> Tape {
    let all = calls(tape);
    let Some(first) = pick(all.len(), dice) else { return tape.clone() };
    let count = 1 + dice.random_below(4.min((all.len() - first) as u64)) as usize;
    let mut again = part(tape, &all[first..first + count]);
    let times = [1, 1, 2, 6][dice.random_below(4) as usize];
    let mut longer = tape.clone();
    let mut length = all.len();
    let moved = (first as u64)..(first + count) as u64;
    refer(
        &mut again,
        |earlier| if moved.contains(&earlier) { earlier - moved.start + GONE } else { earlier },
    );
    for _ in 0..times {
        if length + count > LONGEST {
            break;
        }
        let mut copy = again.clone();
        refer(&mut copy, |earlier| if earlier >= GONE { earlier - GONE + length as u64 } else { earlier });
        longer.append(&copy);
        length += count;
    }
    longer
}

/// The first calls of a program, and the last of another one.
fn spliced(tape: &Tape, other: &Tape, dice: &mut Source) -> Tape {
    let (ours, theirs) = (calls(tape), calls(other));
    let (Some(from), false) = (pick(theirs.len(), dice), ours.is_empty()) else { return tape.clone() };
    let kept = 1 + dice.random_below(ours.len() as u64) as usize;
    let end = theirs.len().min(from + LONGEST.saturating_sub(kept));
    let mut rest = part(other, &theirs[from..end]);
    let (from, kept_calls) = (from as u64, kept as u64);
    refer(&mut rest, |earlier| match earlier.checked_sub(from) {
        Some(place) if earlier < GONE => place + kept_calls,
        _ => GONE,
    });
    let mut both = cut(tape, kept);
    both.append(&rest);
    both
}

/// Changes a literal: draws it anew, or makes another choice somewhere in it.
fn change_literal(tape: &Tape, dice: &mut Source) -> Tape {
    let literals = tape.spans_where(&|span| span.label == LITERAL && span.len() > 1);
    let Some(literal) = pick(literals.len(), dice).map(|place| literals[place]) else { return tape.clone() };
    if dice.one_in_power(2) {
        // Its first choice means nothing; what it lacks behind that is drawn.
        return tape.without(literal.start + 1, literal.end);
    }
    let mut changed = tape.clone();
    let place = literal.start + 1 + dice.random_below(literal.len() as u64 - 1) as usize;
    let numbers = tape.places(|choice| matches!(choice.kind, Kind::Integer(_)));
    let like = pick(numbers.len(), dice).map(|place| tape.choices[numbers[place]].value);
    let choice = &mut changed.choices[place];
    choice.value = changed_value(*choice, like, dice).min(choice.limit);
    changed
}

/// Another value for a choice: one beside it, at its bounds, that of a number elsewhere, or any.
fn changed_value(choice: Choice, like: Option<u64>, dice: &mut Source) -> u64 {
    let Choice { kind, value, limit } = choice;
    let beside = |dice: &mut Source| match dice.one_in_power(1) {
        true => value.saturating_add(1),
        false => value.saturating_sub(1),
    };
    match (kind, dice.random_below(8)) {
        (_, 0..=2) => beside(dice),
        // A sign is the lowest bit of a number's place in its order.
        (Kind::Integer(_), 3) => value.saturating_add(2),
        (Kind::Integer(_), 4) => limit - dice.random_below(4.min(limit.saturating_add(1))),
        (Kind::Integer(_), 5) => value.saturating_mul(2),
        (Kind::Integer(_), 6) => like.unwrap_or(0),
        (Kind::Length, _) => beside(dice),
        _ => dice.random_below(limit.saturating_add(1).max(1)),
    }
}

fn pick(count: usize, dice: &mut Source) -> Option<usize> {
    (count > 0).then(|| dice.random_below(count as u64) as usize)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use bugnet::choice::Seed;

    /// A program of calls, each with its code, its references and perhaps a literal of two choices.
    pub(crate) fn program(calls: &[(u64, &[u64], bool)]) -> Tape {
        let index = |value: u64| Choice { kind: Kind::Index, value, limit: GONE };
        let mut tape = Tape { choices: vec![index(0)], spans: Vec::new() };
        for (code, references, has_literal) in calls {
            tape.choices.push(index(1));
            let (start, call) = (tape.choices.len(), tape.spans.len());
            tape.spans.push(Span { label: CALL, start, end: start });
            tape.choices.push(index(*code));
            tape.choices.extend(references.iter().map(|place| index(*place)));
            if *has_literal {
                let start = tape.choices.len();
                tape.spans.push(Span { label: LITERAL, start, end: start + 2 });
                tape.choices.extend([index(0), index(7)]);
            }
            tape.spans[call].end = tape.choices.len();
        }
        tape
    }

    fn pair() -> Tape {
        program(&[(11, &[], true), (12, &[], false), (13, &[0, 1], true), (14, &[2], false)])
    }

    fn dice(case: u64) -> Source {
        Source::random(Seed(1), case)
    }

    /// The codes and references of the calls.
    pub(crate) fn read(tape: &Tape) -> Vec<(u64, Vec<u64>)> {
        let direct = |call: &Span| {
            let inner = tape.spans.iter().find(|span| call.encloses(span));
            tape.choices[call.start..inner.map_or(call.end, |span| span.start)].iter()
        };
        let values = |call: &Span| direct(call).map(|choice| choice.value).collect::<Vec<_>>();
        calls(tape).iter().map(|call| (values(call)[0], values(call)[1..].to_vec())).collect()
    }

    #[test]
    fn a_call_without_any_choice_is_varied_like_others() {
        let mut tape = program(&[(7, &[], false), (8, &[0], true)]);
        let end = tape.choices.len();
        tape.spans.push(Span { label: CALL, start: end, end });
        for number in 0..500 {
            let mut dice = Source::random(Seed(3), number);
            vary(&tape, &tape.clone(), &mut dice);
        }
        assert_eq!(calls(&without_calls(&tape, 0..1)).len(), 2);
    }

    #[test]
    fn what_is_cut_off_has_the_first_calls() {
        assert_eq!(read(&cut(&pair(), 2)), [(11, vec![]), (12, vec![])]);
        assert_eq!(cut(&pair(), 9), pair());
    }

    #[test]
    fn references_follow_the_calls_when_one_is_left_out() {
        let shorter: Vec<_> = (0..40).map(|case| read(&without_call(&pair(), &mut dice(case)))).collect();
        let without_second = [(11, vec![]), (13, vec![0, GONE]), (14, vec![1])];
        assert!(shorter.iter().any(|calls| calls == &without_second), "{shorter:?}");
        assert!(shorter.iter().all(|calls| calls.len() == 3));
    }

    #[test]
    fn repeated_calls_refer_to_each_other() {
        let longer: Vec<_> = (0..200).map(|case| read(&repeated(&pair(), &mut dice(case)))).collect();
        let last_two = [(13, vec![0, 1]), (14, vec![4])];
        assert!(longer.iter().any(|calls| calls.len() == 6 && calls[4..] == last_two), "{longer:?}");
        assert!(longer.iter().all(|calls| calls.len() > 4));
    }

    #[test]
    fn the_calls_of_another_program_refer_to_their_own_or_to_what_stands_in() {
        let other = program(&[(21, &[], false), (22, &[0], false), (23, &[0, 1], false)]);
        let both: Vec<_> = (0..200).map(|case| read(&spliced(&pair(), &other, &mut dice(case)))).collect();
        let expected = [(11, vec![]), (12, vec![]), (22, vec![GONE]), (23, vec![GONE, 2])];
        assert!(both.iter().any(|calls| calls == &expected), "{both:?}");
    }

    #[test]
    fn a_literal_is_changed_and_nothing_else() {
        let mut changes = 0;
        for case in 0..200 {
            let changed = change_literal(&pair(), &mut dice(case));
            assert_eq!(read(&changed), read(&pair()));
            changes += usize::from(changed != pair());
        }
        assert!(changes > 150, "{changes}");
    }

    #[test]
    fn a_varied_program_reads_the_same_from_the_log() {
        for case in 0..500 {
            let varied = vary(&pair(), &pair(), &mut dice(case)).tape;
            assert_eq!(varied.bare(), varied.to_string().parse().unwrap(), "{varied}");
        }
    }
}
