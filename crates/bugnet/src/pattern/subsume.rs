//! Subsumption: whether whatever one pattern matches is matched by another one too.
//!
//! The narrower pattern is taken for a program, in each order that it allows, with values that are all
//! different; the wider one must match them all. Both may have many orders, so this is tried for so
//! many only: what is not proven is not so, for dropping a bug that is not covered would bring it up
//! for ever.

use super::history::Call;
use super::matcher::Matcher;
use super::{LITERAL, Pattern, Term, Value};
use crate::list::{mapped, place_of};

/// With more orders than this, nothing is said. The number is that of the paper.
const MOST_ORDERS: usize = 1000;

/// Returns true if `wide` matches every program that `narrow` matches.
///
/// ```
/// use bugnet::bug::{Element, Pattern, Term, subsumes};
///
/// let call = |name| Element { operation: 0, arguments: vec![Term::Variable(name)], result: None };
/// let same = Pattern::sequence(vec![call(0), call(0)]).unwrap();
/// let any = Pattern::sequence(vec![call(0), call(1)]).unwrap();
/// assert!(subsumes(&any, &same) && !subsumes(&same, &any));
/// ```
pub fn subsumes(wide: &Pattern, narrow: &Pattern) -> bool {
    if !(wide.amounts.is_empty() && narrow.amounts.is_empty()) {
        return wide.amounts == narrow.amounts && wide.elements == narrow.elements;
    }
    if wide.elements.len() > narrow.elements.len() || !narrow.guards.is_empty() {
        return false;
    }
    if wide.guards.is_empty() && wide.before == narrow.before && is_wider_by_place(wide, narrow) {
        return true;
    }
    let mut matcher = Matcher::new(std::slice::from_ref(wide));
    let mut left = MOST_ORDERS;
    covers(&mut matcher, narrow, &mut Vec::new(), &mut left)
}

/// Returns true if each element of a pattern equals the element in the same place of another one, or demands less:
/// then no order matters.
fn is_wider_by_place(wide: &Pattern, narrow: &Pattern) -> bool {
    // For each variable of the wider pattern, the one that stands in its places.
    let mut bound: Vec<Option<u8>> = vec![None; usize::from(wide.variables())];
    let mut is_bound = |variable: u8, other: u8| {
        let known = bound[usize::from(variable)].get_or_insert(other);
        *known == other
    };
    for (one, other) in wide.elements.iter().zip(&narrow.elements) {
        if one.operation != other.operation {
            return false;
        }
        for (term, other) in one.arguments.iter().zip(&other.arguments) {
            let says_less = match (term, other) {
                (Term::Any, _) => true,
                (Term::Variable(variable), Term::Variable(other)) => is_bound(*variable, *other),
                (term, other) => term.variable().is_none() && term == other,
            };
            if !says_less {
                return false;
            }
        }
        let makes_alike = match (one.result, other.result) {
            (None, _) => true,
            (Some(variable), Some(other)) => is_bound(variable, other),
            (Some(_), None) => false,
        };
        if !makes_alike {
            return false;
        }
    }
    true
}

/// Returns true if the matcher finds its pattern in every order that begins with these elements.
fn covers(matcher: &mut Matcher, narrow: &Pattern, order: &mut Vec<usize>, left: &mut usize) -> bool {
    if order.len() == narrow.elements.len() {
        *left = left.saturating_sub(1);
        return *left > 0 && matches(matcher, narrow, order);
    }
    let mut placed = 0u64;
    for element in order.iter() {
        placed |= 1 << element;
    }
    for element in 0..narrow.elements.len() {
        if placed & (1 << element) == 0 && narrow.before[element] & !placed == 0 {
            order.push(element);
            let covered = covers(matcher, narrow, order, left);
            order.pop();
            if !covered {
                return false;
            }
        }
    }
    true
}

fn matches(matcher: &mut Matcher, narrow: &Pattern, order: &[usize]) -> bool {
    matcher.clear();
    let mut fresh = LITERAL;
    for element in order {
        let described = &narrow.elements[*element];
        let value = |term: &Term| match term {
            Term::Variable(variable) | Term::Class(variable, _) => match narrow.maker(*variable) {
                Some(maker) => place_of(order, &maker).unwrap_or(0) as Value,
                None => LITERAL | (1 << 32) | Value::from(*variable),
            },
            Term::Exact(literal) | Term::Least(literal) => literal.value,
            Term::Any => {
                fresh += 1;
                fresh
            }
        };
        let arguments: Vec<Value> = mapped(&described.arguments, value);
        let choices = mapped(&described.arguments, |term| match term {
            Term::Exact(literal) | Term::Least(literal) => literal.tape.values(),
            _ => Vec::new(),
        });
        let classes = mapped(&described.arguments, |term| term.class().unwrap_or(0));
        let call = Call {
            operation: described.operation,
            arguments: &arguments,
            choices: &choices,
            classes: &classes,
        };
        if matcher.would_complete(&call).is_some() {
            return true;
        }
        matcher.add(&call);
    }
    false
}
