//! The order of a pattern: relaxed as far as tests confirm.
//!
//! First each call is moved behind later ones, one by one, as long as the program still fails, as in section 2.3 of
//! the paper. Then two calls of which one still has to come right before the other are swapped. That is how several
//! calls come to stand on both sides of `|`: `(a1; a2) | (b1; b2)` is reached by swaps of `a2` with `b1`, of `a1` with
//! `b1`, and so on, while `a1` and `a2` keep their order.
//!
//! **Invariant:** nothing is tried that the borrow checker would refuse, and no order is tried twice.

use super::generalize::abstracted;
use super::learner::Learner;
use crate::list::{numbers, place_of};
use crate::pattern::Pattern;
use crate::program::{Argument, Program, first_call};

/// Orders that are tried by swaps, at most: a program of a dozen calls has about so many pairs of neighbours.
const MOST_SWAPS: usize = 60;

/// The pattern of a program, its order relaxed as far as tests confirm, with the program in the order
/// of the pattern. `None` if it has too many calls.
#[doc(hidden)]
pub fn parallelized(learner: &mut Learner<'_>, program: &Program) -> Option<(Pattern, Program)> {
    let suite = learner.suite;
    let mut pattern = abstracted(suite, program)?;
    let mut program = program.clone();
    let first = first_call(suite, &program);
    // Values are made right before they are used, so that less stands between other calls.
    let late = behind_first(first, &makers_last(&pattern));
    let other = program.permuted(&late).filter(|other| *other != program && other.is_sound(suite));
    if let Some(other) = other.filter(|other| learner.fails(other)) {
        pattern = abstracted(suite, &other)?;
        program = other;
    }
    let mut orders = Orders { learner, program: &program, first, tried: Vec::new() };
    move_calls(&mut orders, &mut pattern);
    swap_neighbours(&mut orders, &mut pattern);
    Some((pattern, program))
}

/// Lets single calls stand anywhere up to behind later ones.
fn move_calls(orders: &mut Orders<'_, '_>, pattern: &mut Pattern) {
    let mut blocks = vec![(0, pattern.elements.len())];
    // Elements that are free, with the last one that they may follow.
    let mut free: Vec<(usize, usize)> = Vec::new();
    while let Some((start, end)) = blocks.pop() {
        if end - start < 2 {
            continue;
        }
        let mut last = start;
        let moves = !pattern.is_maker(start);
        while moves && last + 1 < end && orders.is_movable(&free, start, last + 1) {
            last += 1;
        }
        if last > start {
            pattern.relax(start, last);
            free.push((start, last));
            blocks.push((last + 1, end));
            blocks.push((start + 1, last + 1));
        } else {
            blocks.push((start + 1, end));
        }
    }
}

/// Takes out of the order what swaps show to be needless. A pair that has to keep its order is not tried again.
fn swap_neighbours(orders: &mut Orders<'_, '_>, pattern: &mut Pattern) {
    let most = orders.tried.len() + MOST_SWAPS;
    let mut kept: Vec<(usize, usize)> = Vec::new();
    while let Some((one, other)) = neighbours(pattern, &kept).filter(|_| orders.tried.len() < most) {
        let early = swapped(pattern, one, other, pattern.before[one] | pattern.before[other]);
        let mut above = 0u64;
        for later in 0..pattern.elements.len() {
            let follows = pattern.before[later] & (1 << one | 1 << other) != 0;
            above |= u64::from(follows || later == other) << later;
        }
        let late = swapped(pattern, one, other, pattern.all() & !above);
        match orders.fails(&early) && orders.fails(&late) {
            true => pattern.before[other] &= !(1 << one),
            false => kept.push((one, other)),
        }
    }
}

/// Two elements of which the first has to come before the second with nothing between them.
fn neighbours(pattern: &Pattern, kept: &[(usize, usize)]) -> Option<(usize, usize)> {
    for other in 1..pattern.elements.len() {
        let before = pattern.before[other];
        for one in (0..other).rev().filter(|one| before & (1 << one) != 0) {
            let is_between =
                |middle: usize| before & (1 << middle) != 0 && pattern.before[middle] & (1 << one) != 0;
            let is_order = !pattern.is_maker(one) && !pattern.is_maker(other);
            if is_order && !(one + 1..other).any(is_between) && !kept.contains(&(one, other)) {
                return Some((one, other));
            }
        }
    }
    None
}

/// All elements, some of them first and then the second of a pair before the first, in the order of the list
/// otherwise.
fn swapped(pattern: &Pattern, one: usize, other: usize, first: u64) -> Vec<usize> {
    let count = pattern.elements.len();
    let is_pair = |place: usize| place == one || place == other;
    let mut order = Vec::new();
    (0..count)
        .filter(|place| first & (1 << place) != 0 && !is_pair(*place))
        .for_each(|place| order.push(place));
    order.push(other);
    order.push(one);
    (0..count)
        .filter(|place| first & (1 << place) == 0 && !is_pair(*place))
        .for_each(|place| order.push(place));
    order
}

/// The elements with each that makes a value right before the first that uses it.
fn makers_last(pattern: &Pattern) -> Vec<usize> {
    let mut order = numbers(pattern.elements.len(), &|place| !pattern.is_maker(place));
    for maker in (0..pattern.elements.len()).rev() {
        if !pattern.is_maker(maker) {
            continue;
        }
        let uses = |place: &usize| {
            pattern.elements[maker].result.is_some_and(|made| pattern.elements[*place].uses(made))
        };
        let place = order.iter().position(uses).unwrap_or(order.len());
        order.insert(place, maker);
    }
    order
}

/// The orders of a program that were tried.
struct Orders<'a, 'l> {
    learner: &'a mut Learner<'l>,
    program: &'a Program,
    /// The first call that is an element of the pattern.
    first: usize,
    tried: Vec<(Vec<usize>, bool)>,
}

impl Orders<'_, '_> {
    /// Returns true if the program fails in another order.
    fn fails(&mut self, order: &[usize]) -> bool {
        if order.windows(2).all(|pair| pair[0] < pair[1]) {
            return true;
        }
        if let Some((_, fails)) = self.tried.iter().find(|(known, _)| known == order) {
            return *fails;
        }
        let other = self.program.permuted(&behind_first(self.first, order));
        let fails =
            other.is_some_and(|other| other.is_sound(self.learner.suite) && self.learner.fails(&other));
        self.tried.push((order.to_vec(), fails));
        fails
    }

    /// Returns true if the program fails with an element moved behind another, the free ones standing first or last.
    fn is_movable(&mut self, free: &[(usize, usize)], element: usize, behind: usize) -> bool {
        let mut late = numbers(self.program.calls.len() - self.first, &|_| true);
        let early = moved(late.clone(), element, behind);
        for (free, last) in free {
            late = moved(late, *free, *last);
        }
        let late = moved(late, element, behind);
        self.fails(&early) && self.fails(&late)
    }
}

/// An order of elements as one of calls: the first ones stay.
fn behind_first(first: usize, elements: &[usize]) -> Vec<usize> {
    let mut order = numbers(first, &|_| true);
    for element in elements {
        order.push(element + first);
    }
    order
}

/// An order with one element behind another.
fn moved(mut order: Vec<usize>, element: usize, behind: usize) -> Vec<usize> {
    order.retain(|other| *other != element);
    let place = place_of(&order, &behind).map_or(order.len(), |place| place + 1);
    order.insert(place, element);
    order
}

impl Program {
    /// The calls in another order; `None` if one would come before what it uses.
    fn permuted(&self, order: &[usize]) -> Option<Program> {
        let mut calls = Vec::new();
        for place in order {
            let mut call = self.calls[*place].clone();
            for argument in &mut call.arguments {
                if let Argument::Earlier(used) = argument {
                    let now = place_of(order, used)?;
                    if now >= calls.len() {
                        return None;
                    }
                    *used = now;
                }
            }
            calls.push(call);
        }
        Some(Program { features: self.features, calls })
    }
}
