//! Variations: tapes made from tapes.
//!
//! The edits are general: they know nothing of the input but its choices and spans. Still they
//! answer to what preconditions mostly ask for: sizes that fit, numbers that recur, and numbers
//! in order (sorted lists, search trees, intervals).
//!
//! **Invariant:** an edited tape differs in what it says, never in its form: it replays.

use crate::choice::{Kind, Source, Span, Tape, Zigzag};

/// How far a copied number may be from its original, and how often.
const STEPS: [i128; 8] = [0, 0, 0, 0, 0, 1, -1, 2];

/// More outermost numbers than this are a list, not arguments.
const MANY: usize = 6;

/// Changes a tape in one to three places; `other` is where parts may come from.
pub(super) fn vary(tape: &Tape, other: &Tape, dice: &mut Source) -> Tape {
    let mut varied = tape.clone();
    let edits = [1, 1, 1, 2, 2, 3][dice.random_below(6) as usize];
    for _ in 0..edits {
        varied = match dice.random_below(9) {
            0 => splice(&varied, other, dice),
            1 => splice(&varied, tape, dice),
            2 => twin(&varied, other, dice),
            3..=5 => turn_alternative(varied, dice),
            _ => change_number(varied, dice),
        };
    }
    varied
}

/// Puts the numbers inside one span in ascending order, half of the time without repeats.
pub(super) fn sort_numbers(tape: &mut Tape, dice: &mut Source) {
    let spans: Vec<Span> = tape.spans.iter().filter(|span| span.len() > 2).copied().collect();
    if spans.is_empty() {
        return;
    }
    // Spans stand outermost first, and mostly it is the whole that is to be in order.
    let first = dice.random_below(spans.len() as u64).min(dice.random_below(spans.len() as u64));
    let span = spans[if dice.one_in_power(1) { 0 } else { first as usize }];
    let distinct = !dice.one_in_power(2);
    let places: Vec<usize> = (span.start..span.end).filter(|place| number(tape, *place).is_some()).collect();
    let mut offsets: Vec<i128> =
        places.iter().filter_map(|place| number(tape, *place)).map(|(n, _)| n).collect();
    offsets.sort_unstable();
    if distinct {
        for place in 1..offsets.len() {
            offsets[place] = offsets[place].max(offsets[place - 1] + 1);
        }
    }
    for (place, offset) in places.into_iter().zip(offsets) {
        set_number(tape, place, offset);
    }
}

/// Makes the outermost numbers, which are mostly arguments of their own, equal or near to others.
pub(super) fn aim_numbers(tape: &mut Tape, dice: &mut Source) {
    let depths = depths(tape);
    let places: Vec<usize> = (0..tape.choices.len()).filter(|place| number(tape, *place).is_some()).collect();
    let Some(least) = places.iter().map(|place| depths[*place]).min() else { return };
    let outer: Vec<usize> = places.iter().copied().filter(|place| depths[*place] == least).collect();
    if outer.len() > MANY {
        return;
    }
    for place in outer {
        if let Some(from) = pick(&places, dice) {
            copy_number(tape, from, place, dice);
        }
    }
}

/// How many spans each choice is in.
fn depths(tape: &Tape) -> Vec<i32> {
    let mut depths = vec![0; tape.choices.len() + 1];
    for span in &tape.spans {
        depths[span.start] += 1;
        depths[span.end] -= 1;
    }
    for place in 1..depths.len() {
        depths[place] += depths[place - 1];
    }
    depths
}

fn copy_number(tape: &mut Tape, from: usize, to: usize, dice: &mut Source) {
    if let Some((offset, _)) = number(tape, from) {
        set_number(tape, to, offset + STEPS[dice.random_below(STEPS.len() as u64) as usize]);
    }
}

fn number(tape: &Tape, place: usize) -> Option<(i128, Zigzag)> {
    match tape.choices[place].kind {
        Kind::Integer(order) => Some((order.offset(tape.choices[place].value), order)),
        _ => None,
    }
}

fn set_number(tape: &mut Tape, place: usize, offset: i128) {
    let choice = &mut tape.choices[place];
    if let Kind::Integer(order) = choice.kind {
        let code = order.code(offset);
        if code <= choice.limit {
            choice.value = code;
        }
    }
}

/// Replaces a span by one of the same label from another tape.
fn splice(tape: &Tape, other: &Tape, dice: &mut Source) -> Tape {
    let Some(span) = pick(&tape.spans, dice) else { return tape.clone() };
    let fitting: Vec<Span> =
        other.spans.iter().filter(|part| part.label == span.label && !part.is_empty()).copied().collect();
    match pick(&fitting, dice) {
        Some(part) if !span.is_empty() => tape.spliced(span.start, span.end, &other.part(&part)),
        _ => tape.clone(),
    }
}

/// Replaces two parts of one value, such as the branches of a tree, by the same part of another
/// tape: what must be balanced stays so.
fn twin(tape: &Tape, other: &Tape, dice: &mut Source) -> Tape {
    let places: Vec<usize> = (0..tape.spans.len()).collect();
    let siblings = pick(&places, dice).and_then(|place| Some((tape.spans[place], tape.next_sibling(place)?)));
    let Some((first, second)) = siblings else { return tape.clone() };
    let fitting: Vec<Span> =
        other.spans.iter().filter(|part| part.label == first.label && !part.is_empty()).copied().collect();
    let Some(part) = pick(&fitting, dice).map(|part| other.part(&part)) else { return tape.clone() };
    // The later one first, so that the place of the earlier one stays.
    tape.spliced(second.start, second.end, &part).spliced(first.start, first.end, &part)
}

/// Chooses another alternative or another length somewhere; what it lacks is drawn at random.
fn turn_alternative(mut tape: Tape, dice: &mut Source) -> Tape {
    let structural = |place: &usize| {
        let choice = &tape.choices[*place];
        matches!(choice.kind, Kind::Index | Kind::Length) && choice.limit > 0
    };
    let places: Vec<usize> = (0..tape.choices.len()).filter(structural).collect();
    if let Some(place) = pick(&places, dice) {
        let choice = &mut tape.choices[place];
        choice.value = match choice.kind {
            Kind::Length if dice.one_in_power(1) => choice.value.saturating_sub(1),
            Kind::Length => (choice.value + 1).min(choice.limit),
            _ => (choice.value + 1 + dice.random_below(choice.limit)) % (choice.limit + 1),
        };
    }
    tape
}

/// Changes a number: mostly to one that is there already, or near it.
fn change_number(mut tape: Tape, dice: &mut Source) -> Tape {
    let places: Vec<usize> =
        (0..tape.choices.len()).filter(|place| number(&tape, *place).is_some()).collect();
    let (Some(place), Some(from)) = (pick(&places, dice), pick(&places, dice)) else { return tape };
    if dice.one_in_power(2) {
        let new = i128::from(dice.any::<i32>());
        set_number(&mut tape, place, new);
    } else {
        copy_number(&mut tape, from, place, dice);
    }
    tape
}

fn pick<T: Copy>(list: &[T], dice: &mut Source) -> Option<T> {
    (!list.is_empty()).then(|| list[dice.random_below(list.len() as u64) as usize])
}
