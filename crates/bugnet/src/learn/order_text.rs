//! The order of a pattern as text, where calls that are moved one by one do not tell it.
//!
//! `(a; b) | (c; d)` is both blocks in any order of each other. What no nesting of blocks tells is told call by call.
//!
//! **Invariant:** what is stored reads back as the same order.

use super::text::PatternError;
use crate::list::{numbers, sort};
use crate::pattern::Pattern;

/// The text of elements that stand in an order.
enum Shape {
    One,
    Series,
    Parallel,
}

/// The elements in nested blocks; `None` if there are no blocks that tell the order. `call` writes an element.
pub(super) fn blocks(pattern: &Pattern, call: &dyn Fn(usize) -> String) -> Option<String> {
    let elements = numbers(pattern.elements.len(), &|place| !pattern.is_maker(place));
    let mut told = Vec::new();
    block(pattern, &elements, call, &mut told).map(|(text, _)| text)
}

/// The same for some elements. What makes a value is told right before what uses it first.
fn block(
    pattern: &Pattern,
    elements: &[usize],
    call: &dyn Fn(usize) -> String,
    told: &mut Vec<usize>,
) -> Option<(String, Shape)> {
    if let [one] = elements {
        let mut calls = Vec::new();
        for maker in 0..pattern.elements.len() {
            let made = pattern.elements[maker].result.filter(|_| pattern.is_maker(maker));
            if made.is_some_and(|made| pattern.elements[*one].uses(made)) && !told.contains(&maker) {
                told.push(maker);
                calls.push(call(maker));
            }
        }
        let shape = if calls.is_empty() { Shape::One } else { Shape::Series };
        calls.push(call(*one));
        return Some((calls.join("; "), shape));
    }
    let is_ordered = |one: usize, other: usize| {
        pattern.before[one] & (1 << other) != 0 || pattern.before[other] & (1 << one) != 0
    };
    let beside = parts(elements, &is_ordered);
    let is_parallel = beside.len() > 1;
    let all = if is_parallel { beside } else { parts(elements, &|one, other| !is_ordered(one, other)) };
    if all.len() < 2 {
        return None;
    }
    let mut texts = Vec::new();
    for part in &all {
        let (text, shape) = block(pattern, part, call, told)?;
        let is_bracketed = is_parallel && matches!(shape, Shape::Series);
        texts.push(if is_bracketed { format!("({text})") } else { text });
    }
    let shape = if is_parallel { Shape::Parallel } else { Shape::Series };
    Some((texts.join(if is_parallel { " | " } else { "; " }), shape))
}

/// Elements in parts, such that no element is tied to one of another part; in the order of their first elements.
fn parts(elements: &[usize], is_tied: &dyn Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut left = elements.to_vec();
    let mut parts = Vec::new();
    while let Some(first) = left.first().copied() {
        let mut part = vec![first];
        left.remove(0);
        let mut next = 0;
        while next < part.len() {
            let one = part[next];
            let mut free = Vec::new();
            for other in left {
                if is_tied(one, other) { part.push(other) } else { free.push(other) }
            }
            left = free;
            next += 1;
        }
        sort(&mut part, &|one, other| one.cmp(other));
        parts.push(part);
    }
    parts
}

/// The elements in one order, and what all others have in common with it.
pub(super) fn sentence(pattern: &Pattern, call: &dyn Fn(usize) -> String) -> String {
    let (mut calls, mut kept) = (Vec::new(), Vec::new());
    for (place, before) in pattern.before.iter().enumerate() {
        calls.push(call(place));
        for one in 0..place {
            let mut is_direct = before & (1 << one) != 0 && !pattern.is_maker(one);
            for middle in one + 1..place {
                is_direct &= before & (1 << middle) == 0 || pattern.before[middle] & (1 << one) == 0;
            }
            if is_direct {
                kept.push(format!("{} before {}", calls[one], calls[place]));
            }
        }
    }
    format!("{}, in any order with {}", calls.join("; "), kept.join(" and "))
}

/// The order as it is stored: for each element, the elements that come before it.
pub(super) fn stored(pattern: &Pattern) -> String {
    let mut text = " order".to_string();
    pattern.before.iter().for_each(|before| text.push_str(&format!(" {before:x}")));
    text
}

/// Reads an order, and returns what comes behind it.
pub(super) fn read<'a>(text: &'a str, pattern: &mut Pattern) -> Result<&'a str, PatternError> {
    let wrong = || PatternError::new(format!("`{}` is no order: it has one mask for each call", text.trim()));
    let mut rest = text;
    for place in 0..pattern.elements.len() {
        rest = rest.trim_start();
        let (word, behind) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
        let before = u64::from_str_radix(word, 16).map_err(|_| wrong())?;
        if before >> place != 0 {
            return Err(wrong());
        }
        pattern.before[place] = before;
        rest = behind;
    }
    Ok(rest)
}
