//! The paper's method: tests are sequences of commands, reduced by taking calls out, and generalized to
//! patterns by moving calls (Hughes, Norell, Smallbone and Arts, sections 2.2 and 2.3).
//!
//! **Invariant:** this is written as in the paper, with nothing of ours but the matcher.

use bugnet::bug::{Call, Element, Matcher, Pattern, Term, Value};
use std::collections::BTreeMap;

/// A call of the system under test; what calls make is numbered in the order in which it is made.
pub trait Command: Clone {
    /// Returns true if it makes something that later calls use.
    fn makes(&self) -> bool;

    /// Its operation and arguments as the matcher sees them; `made` says which call has made what.
    fn seen(&self, made: &dyn Fn(usize) -> Value) -> (usize, Vec<Value>);

    /// The same with other numbers for what it uses; `None` if there is none.
    fn renumbered(&self, number: &dyn Fn(usize) -> Option<usize>) -> Option<Self>;
}

/// Runs a test: at which call it fails, if it does.
pub type Fails<'a, C> = dyn Fn(&[C]) -> Option<usize> + 'a;

/// A call as the matcher sees it, after others.
pub fn seen<C: Command>(test: &[C], command: &C) -> (usize, Vec<Value>) {
    command.seen(&|number| {
        let mut places = test.iter().enumerate().filter(|(_, command)| command.makes());
        places.nth(number).map_or(0, |(place, _)| place as Value)
    })
}

/// Adds a command that completes no pattern, if one is found in thirty tries; says whether it was.
pub fn extend<C: Command>(test: &mut Vec<C>, matcher: &mut Matcher, next: &mut dyn FnMut(&[C]) -> C) -> bool {
    (0..30).any(|_| {
        let command = next(test);
        let (operation, arguments) = seen(test, &command);
        let call = Call { operation, arguments: &arguments, choices: &[], classes: &[] };
        let is_new = matcher.would_complete(&call).is_none();
        if is_new {
            matcher.add(&call);
            test.push(command);
        }
        is_new
    })
}

/// Returns true if a test completes a pattern.
fn is_known<C: Command>(matcher: &mut Matcher, test: &[C]) -> bool {
    matcher.clear();
    test.iter().enumerate().any(|(place, command)| {
        let (operation, arguments) = seen(&test[..place], command);
        let call = Call { operation, arguments: &arguments, choices: &[], classes: &[] };
        let known = matcher.would_complete(&call).is_some();
        matcher.add(&call);
        known
    })
}

/// The calls in an order; `None` if something is used before it is there.
fn ordered<C: Command>(test: &[C], order: &[usize]) -> Option<Vec<C>> {
    let makers: Vec<usize> = (0..test.len()).filter(|place| test[*place].makes()).collect();
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    let mut result = Vec::new();
    for place in order {
        if test[*place].makes() {
            numbers.insert(makers.iter().position(|maker| maker == place)?, numbers.len());
        }
        result.push(test[*place].renumbered(&|number| numbers.get(&number).copied())?);
    }
    Some(result)
}

/// Takes calls out, many at a time, as long as the test fails.
pub fn reduced<C: Command>(mut test: Vec<C>, matcher: &mut Matcher, fails: &Fails<'_, C>) -> Vec<C> {
    let mut size = test.len().next_power_of_two();
    while size > 0 {
        let mut start = 0;
        while start < test.len() {
            let kept: Vec<usize> =
                (0..test.len()).filter(|place| !(start..start + size).contains(place)).collect();
            let candidate = ordered(&test, &kept).filter(|candidate| !is_known(matcher, candidate));
            match candidate.and_then(|candidate| Some((fails(&candidate)?, candidate))) {
                Some((last, candidate)) => {
                    test = candidate[..=last].to_vec();
                    (size, start) = (test.len().next_power_of_two(), 0);
                }
                None => start += size,
            }
        }
        size /= 2;
    }
    test
}

/// A test with variables in the place of values, in its order; `None` if it is too long for a pattern.
fn sequence<C: Command>(test: &[C]) -> Option<Pattern> {
    let mut values: Vec<Value> = Vec::new();
    let mut variable = |value: Value| {
        let known = values.iter().position(|known| *known == value);
        known.unwrap_or_else(|| {
            values.push(value);
            values.len() - 1
        }) as u8
    };
    let mut elements = Vec::new();
    for (place, command) in test.iter().enumerate() {
        let (operation, arguments) = seen(&test[..place], command);
        let arguments = arguments.iter().map(|value| Term::Variable(variable(*value))).collect();
        let result = command.makes().then(|| variable(place as Value));
        elements.push(Element { operation, arguments, result });
    }
    Pattern::sequence(elements)
}

/// Section 2.3: a call moves behind later ones as long as every such test fails.
pub fn generalized<C: Command>(test: &[C], fails: &Fails<'_, C>) -> Option<Pattern> {
    let mut pattern = sequence(test)?;
    let mut free: Vec<(usize, usize)> = Vec::new();
    let mut blocks = vec![(0, test.len())];
    while let Some((start, end)) = blocks.pop() {
        let mut last = start;
        while last + 1 < end {
            let early = moved((0..test.len()).collect(), start, last + 1);
            let late =
                free.iter().fold((0..test.len()).collect(), |order, (one, to)| moved(order, *one, *to));
            let late = moved(late, start, last + 1);
            let fails = |order: &[usize]| ordered(test, order).is_some_and(|test| fails(&test).is_some());
            if !(fails(&early) && (early == late || fails(&late))) {
                break;
            }
            last += 1;
        }
        if last > start {
            pattern.relax(start, last);
            free.push((start, last));
            blocks.extend([(last + 1, end), (start + 1, last + 1)]);
        } else if end - start > 1 {
            blocks.push((start + 1, end));
        }
    }
    Some(pattern)
}

fn moved(mut order: Vec<usize>, one: usize, behind: usize) -> Vec<usize> {
    order.retain(|other| *other != one);
    let place = order.iter().position(|other| *other == behind).map_or(order.len(), |place| place + 1);
    order.insert(place, one);
    order
}
