//! The matcher beside one that tries everything.
//!
//! Programs and patterns are small, so that all ways of finding one in the other can be tried.

use super::*;
use crate::pattern::{Class, Element, Extra, Guard, History, LITERAL, Literal, UNBOUND, embeddings};
use crate::prelude::{Property, Seed, Source, Strategies, classify, from_fn};

/// A call with its own list of arguments.
#[derive(Debug, Clone)]
struct Made {
    operation: usize,
    arguments: Vec<Value>,
    choices: Vec<Vec<u64>>,
    classes: Vec<Value>,
}

impl Made {
    fn call(&self) -> Call<'_> {
        let Made { operation, arguments, choices, classes } = self;
        Call { operation: *operation, arguments, choices, classes }
    }
}

/// The class of a name: two of the three are alike.
fn class(name: u64) -> Class {
    Class::named(if name < 2 { "short" } else { "long" })
}

/// The operation that has a literal.
const REGISTER: usize = 2;

/// `spawn() -> p`, `join(p, q)`, `register(name, p)`, `fork(p) -> q`.
fn program(source: &mut Source, most: usize) -> Vec<Made> {
    let mut calls: Vec<Made> = Vec::new();
    for place in 0..1 + source.index(most) {
        let pids: Vec<Value> =
            (0..place).filter(|at| [0, 3].contains(&calls[*at].operation)).map(|at| at as u64).collect();
        let operation = if pids.is_empty() { 0 } else { source.index(4) };
        let mut pid = || pids[source.index(pids.len())];
        let mut arguments = match operation {
            0 => vec![],
            3 => vec![pid()],
            _ => vec![pid(), pid()],
        };
        let mut choices = vec![Vec::new(); arguments.len()];
        let mut classes = vec![0; arguments.len()];
        if operation == REGISTER {
            let name = source.index(3) as u64;
            (arguments[0], choices[0]) = (LITERAL | name, vec![name]);
            classes[0] = class(name).value;
        }
        calls.push(Made { operation, arguments, choices, classes });
    }
    calls
}

/// The pattern of a program, with some of its order taken back.
pub(crate) fn pattern(source: &mut Source) -> Pattern {
    let calls = program(source, 5);
    let mut values = Vec::new();
    let mut variable = |value: Value| {
        let known = values.iter().position(|known| *known == value);
        known.unwrap_or_else(|| {
            values.push(value);
            values.len() - 1
        }) as u8
    };
    let mut elements = Vec::new();
    for (place, call) in calls.iter().enumerate() {
        let used = calls.iter().any(|call| call.arguments.contains(&(place as u64)));
        let arguments = call.arguments.iter().map(|value| Term::Variable(variable(*value))).collect();
        let result = used.then(|| variable(place as u64));
        elements.push(Element { operation: call.operation, arguments, result });
    }
    let mut pattern = Pattern::sequence(elements).unwrap();
    for (later, call) in calls.iter().enumerate() {
        for earlier in 0..later {
            let needed = call.arguments.contains(&(earlier as u64));
            if !needed && source.index(2) == 1 {
                pattern.before[later] &= !(1 << earlier);
            }
        }
    }
    pattern
}

/// A pattern some of whose arguments are literals, or anything.
fn exact_pattern(source: &mut Source) -> Pattern {
    let mut pattern = pattern(source);
    for element in &mut pattern.elements {
        if element.operation == REGISTER {
            let name = source.index(3) as u64;
            let literal = || Literal {
                value: LITERAL | name,
                tape: format!("{name:x}").parse().unwrap(),
                text: String::new(),
                class: Some(class(name).value),
            };
            match source.index(6) {
                0 => element.arguments[0] = Term::Exact(literal()),
                1 => element.arguments[0] = Term::Least(literal()),
                2 => element.arguments[0] = Term::Any,
                _ => {}
            }
        }
        if element.operation == 1 && source.index(4) == 0 {
            element.arguments[1] = Term::Any;
        }
    }
    pattern
}

/// A pattern most of whose literals are of a class, and some of them anything.
fn classed_pattern(source: &mut Source) -> Pattern {
    let mut pattern = pattern(source);
    let names = pattern.elements.iter_mut().filter(|element| element.operation == REGISTER);
    names.for_each(|element| classify(&mut element.arguments[0], source));
    pattern
}

/// Has a variable be of a class, more often than not, and be anything in a few places.
fn classify(term: &mut Term, source: &mut Source) {
    let Some(variable) = term.variable() else { return };
    match source.index(5) {
        0 => *term = Term::Any,
        1 => {}
        _ => *term = Term::Class(variable, class(source.index(3) as u64)),
    }
}

/// A pattern with a guard or two, with literals of a class in both.
fn classed_and_guarded_pattern(source: &mut Source) -> Pattern {
    let mut pattern = guarded_pattern(source);
    let guards = pattern.guards.iter_mut().flat_map(|guard| &mut guard.extras);
    let elements = pattern.elements.iter_mut().chain(guards.map(|extra| &mut extra.element));
    let names = elements.filter(|element| element.operation == REGISTER);
    names.for_each(|element| classify(&mut element.arguments[0], source));
    pattern
}

/// A pattern with a guard or two, each of one or two calls, somewhere between its own.
fn guarded_pattern(source: &mut Source) -> Pattern {
    let mut pattern = pattern(source);
    let count = pattern.elements.len();
    for _ in 0..1 + source.index(2) {
        let mut extras = Vec::new();
        let mut start = 0;
        for _ in 0..1 + source.index(2) {
            start += source.index(count - start + 1);
            let operation = source.index(4);
            let arguments = match operation {
                0 => 0,
                3 => 1,
                _ => 2,
            };
            let variables = pattern.variables() + 1;
            let mut variable = || Term::Variable(source.index(usize::from(variables)) as u8);
            let arguments = (0..arguments).map(|_| variable()).collect();
            let element = Element { operation, arguments, result: None };
            extras.push(Extra {
                element,
                after: (1 << start) - 1,
                before: pattern.all() & !((1 << start) - 1),
            });
        }
        pattern.guards.push(Guard { extras, lasting: source.index(2) == 1 });
    }
    pattern
}

/// Takes a call for an element, if it can be.
fn agrees(element: &Element, made: &Made, place: usize, bindings: &mut [Value]) -> bool {
    let mut bind = |variable: u8, value: Value| {
        let bound = &mut bindings[usize::from(variable)];
        let agrees = *bound == UNBOUND || *bound == value;
        *bound = value;
        agrees
    };
    let mut agree = made.operation == element.operation;
    for (at, term) in element.arguments.iter().enumerate().filter(|_| made.operation == element.operation) {
        agree &= match term {
            Term::Variable(variable) => bind(*variable, made.arguments[at]),
            Term::Class(variable, class) => {
                made.classes[at] == class.value && bind(*variable, made.arguments[at])
            }
            Term::Exact(literal) => made.arguments[at] == literal.value,
            Term::Least(literal) => made.choices[at] >= literal.tape.values(),
            Term::Any => true,
        };
    }
    agree && element.result.is_none_or(|result| bind(result, place as Value))
}

/// Tries all places for all elements.
fn matches(
    pattern: &Pattern,
    program: &[Made],
    places: &mut Vec<usize>,
    bindings: &[Value],
    found: &dyn Fn(&[usize], &[Value]) -> bool,
) -> bool {
    let element = places.len();
    let Some(described) = pattern.elements.get(element) else { return found(places, bindings) };
    (0..program.len()).any(|place| {
        let ordered =
            (0..element).all(|other| pattern.before[element] & (1 << other) == 0 || places[other] < place);
        let mut bindings = bindings.to_vec();
        if places.contains(&place) || !ordered || !agrees(described, &program[place], place, &mut bindings) {
            return false;
        }
        places.push(place);
        let found = matches(pattern, program, places, &bindings, found);
        places.pop();
        found
    })
}

/// Tries all places for the calls of a guard.
fn excuses(
    guard: &Guard,
    program: &[Made],
    (places, bindings): (&[usize], &[Value]),
    extras: &mut Vec<usize>,
) -> bool {
    let Some(extra) = guard.extras.get(extras.len()) else {
        let (after, last) = (extras.last().map_or(0, |last| last + 1), program.len() - 1);
        let same = |other: &Made| {
            (other.operation, &other.arguments) == (program[last].operation, &program[last].arguments)
        };
        return guard.lasting || !program[after..last].iter().any(same);
    };
    let is_in = |mask: u64, element: usize| mask & (1 << element) != 0;
    (0..program.len()).any(|place| {
        let ordered = places.iter().enumerate().all(|(element, at)| {
            (!is_in(extra.after, element) || *at < place) && (!is_in(extra.before, element) || place < *at)
        });
        let mut bindings = bindings.to_vec();
        if !ordered
            || places.contains(&place)
            || extras.last().is_some_and(|last| place <= *last)
            || !agrees(&extra.element, &program[place], place, &mut bindings)
        {
            return false;
        }
        extras.push(place);
        let excuses = excuses(guard, program, (places, &bindings), extras);
        extras.pop();
        excuses
    })
}

/// Returns true if the program contains the pattern in a way that has the last call and that no guard excuses.
fn is_completed(pattern: &Pattern, program: &[Made]) -> bool {
    let extras = pattern.guards.iter().flat_map(|guard| &guard.extras);
    let variables = extras.map(|extra| extra.element.variables()).chain([pattern.variables()]).max();
    let unbound = vec![UNBOUND; usize::from(variables.unwrap_or(0))];
    matches(pattern, program, &mut Vec::new(), &unbound, &|places, bindings| {
        let excused = |guard: &Guard| excuses(guard, program, (places, bindings), &mut Vec::new());
        places.contains(&(program.len() - 1)) && !pattern.guards.iter().any(excused)
    })
}

/// Checks a way of watching a program beside trying everything, until the pattern is found.
fn check(
    name: &'static str,
    pattern: fn(&mut Source) -> Pattern,
    found: fn(&Pattern, &[Made], &mut Matcher) -> bool,
) {
    let inputs = from_fn(move |source| (pattern(source), program(source, 9)));
    let property = Property::new(name).cases(20_000).seed(Seed(1)).strategies(Strategies::Random);
    let checked = property.check(inputs, |(pattern, program)| {
        let mut matcher = Matcher::new(std::slice::from_ref(&pattern));
        for (place, made) in program.iter().enumerate() {
            let so_far = &program[..=place];
            let is_found = found(&pattern, so_far, &mut matcher);
            assert_eq!(is_found, is_completed(&pattern, so_far), "call {place}");
            classify!(is_found, "matches");
            if is_found {
                break;
            }
            matcher.add(&made.call());
        }
    });
    let passed = checked.unwrap();
    assert!(passed.labels.counts["matches"] > 1_000, "{passed}");
}

fn would_complete(_: &Pattern, program: &[Made], matcher: &mut Matcher) -> bool {
    program.last().is_some_and(|last| matcher.would_complete(&last.call()).is_some())
}

#[test]
fn the_matcher_finds_what_trying_all_places_finds() {
    check("matcher", pattern, would_complete);
}

#[test]
fn the_matcher_finds_literals_as_trying_all_places_does() {
    check("literals", exact_pattern, would_complete);
}

#[test]
fn the_matcher_finds_classes_as_trying_all_places_does() {
    check("classes", classed_pattern, would_complete);
}

#[test]
fn the_matcher_finds_classes_that_no_guard_excuses_in_any_place() {
    check("classes and guards", classed_and_guarded_pattern, would_complete);
}

#[test]
fn the_matcher_finds_what_no_guard_excuses_in_any_place() {
    check("guards", guarded_pattern, would_complete);
}

#[test]
fn states_find_what_trying_all_places_finds() {
    for sort in [exact_pattern, classed_pattern] {
        check("states", sort, |pattern, program, matcher| {
            let Some(last) = program.last() else { return false };
            let Matcher { watches, history, .. } = matcher;
            let lazy = watches[0].lazy();
            let mut elements =
                pattern.last_elements().into_iter().filter(|element| lazy & (1 << element) == 0);
            elements.any(|element| {
                let is_operation = pattern.elements[element].operation == last.operation;
                is_operation
                    && watches[0].fits(element, &last.call())
                    && watches[0].states_complete(element, &last.call(), history)
            })
        });
    }
}

#[test]
fn what_is_said_before_literals_are_drawn_holds_for_all_of_them() {
    for sort in [exact_pattern, classed_pattern] {
        check("early", sort, |pattern, program, matcher| {
            let Some(last) = program.last() else { return false };
            let found = matcher.would_complete(&last.call()).is_some();
            let value = |value: &Value| if value & LITERAL == 0 { *value as u32 } else { u32::MAX };
            let values: Vec<u32> = last.arguments.iter().map(value).collect();
            match matcher.early_chance(last.operation, &values) {
                Completion::No => assert!(!found, "{pattern:?} cannot be completed"),
                Completion::Yes => assert!(found, "{pattern:?} must be completed"),
                Completion::Maybe => classify!(!found, "said in vain"),
            }
            found
        });
    }
}

#[test]
fn many_patterns_are_found_as_each_of_them_is() {
    let patterns = |source: &mut Source| -> Vec<Pattern> {
        let sorts: [fn(&mut Source) -> Pattern; 4] =
            [pattern, exact_pattern, guarded_pattern, classed_and_guarded_pattern];
        (0..2 + source.index(6)).map(|_| sorts[source.index(4)](source)).collect()
    };
    let inputs = from_fn(move |source| (patterns(source), program(source, 12)));
    let property = Property::new("many").cases(3_000).seed(Seed(4)).strategies(Strategies::Random);
    let checked = property.check(inputs, |(patterns, program)| {
        let mut all = Matcher::new(&patterns);
        let mut each: Vec<Matcher> =
            patterns.iter().map(|one| Matcher::new(std::slice::from_ref(one))).collect();
        for made in &program {
            let found: Vec<bool> =
                each.iter_mut().map(|one| one.would_complete(&made.call()).is_some()).collect();
            assert_eq!(all.would_complete(&made.call()), found.iter().position(|found| *found));
            let only = found.iter().filter(|found| **found).count() == 1;
            assert_eq!(all.would_complete_one(&made.call()).is_some(), only);
            all.add(&made.call());
            each.iter_mut().for_each(|one| one.add(&made.call()));
        }
        // What was watched leaves nothing behind.
        let first = program.iter().map(Made::call);
        let found = all.find(first.clone());
        assert_eq!(found, Matcher::new(&patterns).find(first));
    });
    checked.unwrap();
}

#[test]
fn an_embedding_is_found_exactly_where_the_pattern_matches() {
    for sort in [guarded_pattern, classed_and_guarded_pattern] {
        check("embedding", sort, |pattern, program, _| {
            let mut history = History::default();
            program.iter().for_each(|made| history.push(&made.call()));
            !embeddings(pattern, &history).is_empty()
        });
    }
}

/// `?p = spawn(); ?q = spawn(); …`: joined in a circle.
fn circle(size: u8) -> Pattern {
    let spawn = |pid| Element { operation: 0, arguments: vec![], result: Some(pid) };
    let join = |pid: u8| Element {
        operation: 1,
        arguments: vec![Term::Variable(pid), Term::Variable((pid + 1) % size)],
        result: None,
    };
    let mut pattern = Pattern::sequence((0..size).map(spawn).chain((0..size).map(join)).collect()).unwrap();
    for later in usize::from(size)..pattern.elements.len() {
        pattern.before[later] &= (1 << size) - 1;
    }
    pattern
}

#[test]
fn a_pattern_with_too_many_partial_matches_is_given_up_and_found_again_in_the_next_program() {
    let mut matcher = Matcher::new(&[circle(7)]);
    fn call(operation: usize, arguments: &[Value]) -> Call<'_> {
        Call { operation, arguments, choices: &[], classes: &[] }
    }
    let pids = 40;
    for _ in 0..2 {
        matcher.clear();
        (0..pids).for_each(|_| matcher.add(&call(0, &[])));
        // Everybody is joined with a few others, but never back: there is no circle, and very many paths.
        for pid in 0..pids {
            for other in pid + 1..(pid + 8).min(pids) {
                assert_eq!(matcher.would_complete(&call(1, &[pid, other])), None);
                matcher.add(&call(1, &[pid, other]));
            }
        }
        assert!(matcher.watches[0].is_given_up());
        assert_eq!(matcher.would_complete(&call(1, &[pids - 1, 0])), None);
    }
    matcher.clear();
    (0..7).for_each(|_| matcher.add(&call(0, &[])));
    (0..6).for_each(|pid| matcher.add(&call(1, &[pid, pid + 1])));
    assert_eq!(matcher.would_complete(&call(1, &[6, 0])), Some(0));
}
