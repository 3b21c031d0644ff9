//! Variations: tapes made from tapes.
//!
//! The edits are general: they know nothing of the input but its choices and spans. Still they
//! answer to what preconditions mostly ask for: sizes that fit, numbers that recur, and numbers
//! in order (sorted lists, search trees, intervals).
//!
//! **Invariant:** an edited tape differs in what it says, never in its form: it replays.

use crate::choice::{Choice, Kind, Source, Span, Tape, Zigzag};
use crate::list::{Listed, sort};

/// Distances of a copied number from its original; a distance that stands several times is chosen as often.
const STEPS: [i128; 8] = [0, 0, 0, 0, 0, 1, -1, 2];

/// More outermost numbers than this are a list, not arguments.
const MANY: usize = 6;

/// Changes a tape in one to three places; `other` is where parts may come from.
pub(super) fn vary(tape: &Tape, other: &Tape, dice: &mut Source) -> Tape {
    let mut varied = tape.clone();
    let edits = [1, 1, 1, 1, 2, 3][dice.random_below(6) as usize];
    for _ in 0..edits {
        varied = match dice.random_below(12) {
            0 => splice(&varied, other, dice),
            1 => splice(&varied, tape, dice),
            2 => twin(&varied, other, dice),
            3 => twin(&varied, tape, dice),
            4 => wrap(&varied, other, dice),
            5..=7 => turn_alternative(varied, dice),
            8 | 9 => turn_family(varied, dice),
            _ => change_number(varied, dice),
        };
    }
    varied
}

/// A change of the numbers of a draft that puts them in an order a precondition may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repair {
    /// They stay as they are.
    Nothing,
    /// Each outermost span is sorted.
    SortWhole,
    /// Each outermost span is sorted, and no number repeats in it.
    SortWholeDistinct,
    /// One span, anywhere, is sorted.
    SortPart,
}

impl Repair {
    pub(super) const ALL: [Repair; 4] =
        [Repair::SortWholeDistinct, Repair::SortWhole, Repair::SortPart, Repair::Nothing];

    pub(super) fn apply(self, tape: &mut Tape, dice: &mut Source) {
        match self {
            Repair::Nothing => {}
            Repair::SortWhole => outermost(tape).iter().for_each(|span| sort_numbers(tape, span, 0)),
            Repair::SortWholeDistinct => outermost(tape).iter().for_each(|span| sort_numbers(tape, span, 1)),
            Repair::SortPart => {
                let least = dice.random_below(2) as i128;
                if let Some(span) = pick(&tape.spans, dice) {
                    sort_numbers(tape, &span, least);
                }
            }
        }
    }
}

/// The spans that are in no other.
fn outermost(tape: &Tape) -> Vec<Span> {
    side_by_side(&tape.spans)
}

/// Of spans in the order in which they open, those that are in no other of them.
fn side_by_side(spans: &[Span]) -> Vec<Span> {
    let mut apart: Vec<Span> = Vec::new();
    for span in spans {
        if !span.is_empty() && apart.last().is_none_or(|last| last.end <= span.start) {
            apart.push(*span);
        }
    }
    apart
}

/// Puts the numbers inside a span in ascending order, each at least so much above the one before.
fn sort_numbers(tape: &mut Tape, span: &Span, least: i128) {
    let (mut places, mut offsets): (Vec<usize>, Vec<i128>) = (Vec::new(), Vec::new());
    for place in span.start..span.end {
        if let Some((offset, _)) = number(tape, place) {
            places.push(place);
            offsets.push(offset);
        }
    }
    sort(&mut offsets, &Ord::cmp);
    for place in 1..offsets.len() {
        offsets[place] = offsets[place].max(offsets[place - 1] + least);
    }
    // What was pushed out at the top makes those below it move down.
    let mut bound = i128::MAX;
    for number in (0..places.len()).rev() {
        let offset = offsets[number].min(bound).min(highest(tape, places[number]));
        bound = offset - least;
        set_number(tape, places[number], offset);
    }
}

/// The highest offset that a number can have.
fn highest(tape: &Tape, place: usize) -> i128 {
    let choice = tape.choices[place];
    match choice.kind {
        Kind::Integer(order) if order.down => i128::from(order.near),
        Kind::Integer(order) => i128::from(choice.limit) - i128::from(order.near),
        _ => i128::MAX,
    }
}

/// Makes the outermost numbers, which are mostly arguments of their own, equal or near to others.
pub(super) fn aim_numbers(tape: &mut Tape, dice: &mut Source) {
    let depths = depths(tape);
    let places = tape.places(is_number);
    let mut least = i32::MAX;
    for place in &places {
        least = least.min(depths[*place]);
    }
    let outer = only(&places, &|place| depths[place] == least);
    if outer.len() > MANY {
        return;
    }
    // Arguments are mostly of one sort, such as keys, and so are their counterparts in a value.
    let slots = slots(tape);
    let Some(first) = pick(&places, dice) else { return };
    let alike = only(&places, &|place| slots[place] == slots[first]);
    // Several arguments that are all to be there would be rare if each could miss.
    let exact = dice.one_in_power(2);
    for place in outer {
        let targets = if dice.one_in_power(2) { &places } else { &alike };
        let Some((offset, _)) = pick(targets, dice).and_then(|from| number(tape, from)) else { continue };
        set_number(tape, place, if exact { offset } else { near(offset, dice) });
    }
}

/// Returns the place of each choice in its innermost span: the label of the span, and how many
/// choices of the span itself come before.
fn slots(tape: &Tape) -> Vec<(&'static str, usize)> {
    let mut slots = Vec::with_capacity(tape.choices.len());
    let mut open: Vec<(Span, usize)> = Vec::new();
    let mut outside = 0;
    let mut next = 0;
    for place in 0..tape.choices.len() {
        while open.last().is_some_and(|(span, _)| span.end <= place) {
            open.pop();
        }
        while next < tape.spans.len() && (tape.spans[next].is_empty() || tape.spans[next].start <= place) {
            if !tape.spans[next].is_empty() {
                open.push((tape.spans[next], 0));
            }
            next += 1;
        }
        let (label, before) = match open.last_mut() {
            Some((span, before)) => (span.label, before),
            None => ("", &mut outside),
        };
        slots.push((label, *before));
        *before += 1;
    }
    slots
}

/// Returns the number of spans around each choice.
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

/// The same number, or a neighbour.
fn near(offset: i128, dice: &mut Source) -> i128 {
    offset + STEPS[dice.random_below(STEPS.len() as u64) as usize]
}

fn is_number(choice: &Choice) -> bool {
    matches!(choice.kind, Kind::Integer(_))
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
    let span = pick(&tape.spans, dice).filter(|span| !span.is_empty());
    let part = span.and_then(|span| Some((span, part(other, span.label, dice)?)));
    part.map_or_else(|| tape.clone(), |(span, part)| tape.spliced(span.start, span.end, &part))
}

/// A part of a tape with a label. Most parts are small, so half of the time it is the larger of two.
fn part(tape: &Tape, label: &str, dice: &mut Source) -> Option<Tape> {
    let fitting = tape.spans_where(&|part| part.label == label && !part.is_empty());
    let (one, two) = (pick(&fitting, dice)?, pick(&fitting, dice)?);
    let span = if two.len() > one.len() && dice.one_in_power(1) { two } else { one };
    Some(tape.part(&span))
}

/// Replaces two parts of one value, such as the branches of a tree, by the same part of another
/// tape: what must be balanced stays so.
fn twin(tape: &Tape, other: &Tape, dice: &mut Source) -> Tape {
    let places: Vec<usize> = (0..tape.spans.len()).listed();
    let siblings = pick(&places, dice).and_then(|place| Some((tape.spans[place], tape.next_sibling(place)?)));
    let Some((first, second)) = siblings else { return tape.clone() };
    let Some(part) = part(other, first.label, dice) else { return tape.clone() };
    // The later one first, so that the place of the earlier one stays.
    tape.spliced(second.start, second.end, &part).spliced(first.start, first.end, &part)
}

/// Puts a part of a value one level deeper: into each place, or one place, that a part of another
/// tape has for its kind. So recursive values grow at the root and in the middle, not only at
/// their ends.
fn wrap(tape: &Tape, other: &Tape, dice: &mut Source) -> Tape {
    let Some(span) = pick(&tape.spans, dice).filter(|span| !span.is_empty()) else { return tape.clone() };
    let Some(mut around) = part(other, span.label, dice) else { return tape.clone() };
    let whole = around.choices.len();
    let inner = around.spans_where(&|inner| inner.label == span.label && inner.len() < whole);
    let mut holes = side_by_side(&inner);
    if dice.one_in_power(2) {
        holes = pick(&holes, dice).into_iter().collect();
    }
    if holes.is_empty() {
        return tape.clone();
    }
    let filling = tape.part(&span);
    for hole in holes.iter().rev() {
        around = around.spliced(hole.start, hole.end, &filling);
    }
    tape.spliced(span.start, span.end, &around)
}

/// Chooses another alternative or another length somewhere; what it lacks is drawn at random.
fn turn_alternative(mut tape: Tape, dice: &mut Source) -> Tape {
    if let Some(place) = pick(&structural(&tape), dice) {
        turn(&mut tape, place, dice);
    }
    tape
}

/// Chooses another alternative for a value and for those of its sort beside it and one level
/// below: what must alternate, or be equal, along or across the levels stays so.
fn turn_family(mut tape: Tape, dice: &mut Source) -> Tape {
    let places = structural(&tape);
    let Some(chosen) = pick(&places, dice) else { return tape };
    let (slots, depths) = (slots(&tape), depths(&tape));
    let around = tape.spans_where(&|span| span.start <= chosen && chosen < span.end);
    // The innermost span is the value itself; the next is what it is a part of.
    let (start, end) = match around[..] {
        [.., parent, _] => (parent.start, parent.end),
        _ => (0, tape.choices.len()),
    };
    for place in places {
        let level = depths[place] - depths[chosen];
        let near = start <= place && place < end && (level == 0 || level == 1);
        if near && slots[place] == slots[chosen] {
            turn(&mut tape, place, dice);
        }
    }
    tape
}

/// The places of alternatives and lengths.
fn structural(tape: &Tape) -> Vec<usize> {
    tape.places(|choice| matches!(choice.kind, Kind::Index | Kind::Length) && choice.limit > 0)
}

fn turn(tape: &mut Tape, place: usize, dice: &mut Source) {
    let choice = &mut tape.choices[place];
    choice.value = match choice.kind {
        Kind::Length if dice.one_in_power(1) => choice.value.saturating_sub(1),
        Kind::Length => (choice.value + 1).min(choice.limit),
        _ => (choice.value + 1 + dice.random_below(choice.limit)) % (choice.limit + 1),
    };
}

/// Changes a number: mostly to one that is there already, or near it.
fn change_number(mut tape: Tape, dice: &mut Source) -> Tape {
    let places = tape.places(is_number);
    let (Some(place), Some(from)) = (pick(&places, dice), pick(&places, dice)) else { return tape };
    if dice.one_in_power(2) {
        let new = i128::from(dice.any::<i32>());
        set_number(&mut tape, place, new);
    } else if let Some((offset, _)) = number(&tape, from) {
        set_number(&mut tape, place, near(offset, dice));
    }
    tape
}

/// Those of some places that are wanted.
fn only(places: &[usize], is_wanted: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let mut wanted = places.to_vec();
    wanted.retain(|place| is_wanted(*place));
    wanted
}

fn pick<T: Copy>(list: &[T], dice: &mut Source) -> Option<T> {
    (!list.is_empty()).then(|| list[dice.random_below(list.len() as u64) as usize])
}

#[cfg(test)]
mod tests;
