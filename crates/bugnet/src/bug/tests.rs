//! Facts about patterns, tested by the engine itself.

use super::matcher::History;
use super::pattern::{LITERAL, UNBOUND};
use super::*;
use crate::oracle::Verdict;
use crate::prelude::{Generate, Literal as _, Property, Seed, Source, Strategies, classify, from_fn};
use crate::program::{Access, Kind, Mode, Operation, Parameter, Suite};
use crate::report::show::Shown;

/// A call with its own list of arguments.
#[derive(Debug, Clone)]
struct Made {
    operation: usize,
    arguments: Vec<Value>,
}

impl Made {
    fn call(&self) -> Call<'_> {
        Call { operation: self.operation, arguments: &self.arguments, choices: &[] }
    }
}

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
        if operation == 2 {
            arguments[0] = LITERAL | source.index(2) as u64;
        }
        calls.push(Made { operation, arguments });
    }
    calls
}

/// The pattern of a program, with some of its order taken back.
fn pattern(source: &mut Source) -> Pattern {
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

/// Tries all places for all elements.
fn matches(pattern: &Pattern, program: &[Made], places: &mut Vec<usize>, bindings: &[Value]) -> bool {
    let element = places.len();
    let Some(described) = pattern.elements.get(element) else { return true };
    (0..program.len()).any(|place| {
        let ordered =
            (0..element).all(|other| pattern.before[element] & (1 << other) == 0 || places[other] < place);
        if places.contains(&place) || !ordered || program[place].operation != described.operation {
            return false;
        }
        let mut bindings = bindings.to_vec();
        let mut bind = |variable: u8, value: Value| {
            let bound = &mut bindings[usize::from(variable)];
            let agrees = *bound == UNBOUND || *bound == value;
            *bound = value;
            agrees
        };
        let terms = described.arguments.iter().zip(&program[place].arguments);
        let mut agree = true;
        for (term, value) in terms {
            let Term::Variable(variable) = term else { continue };
            agree &= bind(*variable, *value);
        }
        agree &= described.result.is_none_or(|result| bind(result, place as Value));
        places.push(place);
        let found = agree && matches(pattern, program, places, &bindings);
        places.pop();
        found
    })
}

fn brute_force(pattern: &Pattern, program: &[Made]) -> bool {
    matches(pattern, program, &mut Vec::new(), &vec![UNBOUND; usize::from(pattern.variables())])
}

#[test]
fn the_matcher_finds_what_trying_all_places_finds() {
    let inputs = from_fn(|source| (pattern(source), program(source, 9)));
    let checked = Property::new("matcher").cases(20_000).seed(Seed(1)).strategies(Strategies::Random).check(
        inputs,
        |(pattern, program)| {
            let mut matcher = Matcher::new(std::slice::from_ref(&pattern));
            for (place, made) in program.iter().enumerate() {
                let found = matcher.would_complete(&made.call()).is_some();
                assert_eq!(found, brute_force(&pattern, &program[..=place]), "call {place}");
                classify!(found, "matches");
                if found {
                    break;
                }
                matcher.add(&made.call());
            }
        },
    );
    let passed = checked.unwrap();
    assert!(passed.labels.counts["matches"] > 1_000, "{passed}");
}

#[test]
fn an_embedding_is_found_exactly_where_the_pattern_matches() {
    let inputs = from_fn(|source| (pattern(source), program(source, 9)));
    let checked = Property::new("embedding").cases(5_000).seed(Seed(2)).strategies(Strategies::Random).check(
        inputs,
        |(pattern, program)| {
            let mut history = History::default();
            for place in 0..program.len() {
                history.push(&program[place].call());
                let before = brute_force(&pattern, &program[..place]);
                if before {
                    break;
                }
                let found = !embeddings(&pattern, &history).is_empty();
                assert_eq!(found, brute_force(&pattern, &program[..=place]), "call {place}");
            }
        },
    );
    checked.unwrap();
}

#[test]
fn a_pattern_subsumes_itself_and_what_demands_more() {
    let checked = Property::new("subsume").cases(2_000).seed(Seed(3)).strategies(Strategies::Random).check(
        from_fn(pattern),
        |pattern| {
            assert!(subsumes(&pattern, &pattern));
            let mut ordered = pattern.clone();
            ordered.tighten();
            assert!(subsumes(&pattern, &ordered));
        },
    );
    checked.unwrap();
}

/// The process registry: only how its operations look.
fn registry() -> Suite {
    let pid = Kind::of::<u32>("Pid");
    let on = || Parameter::earlier("pid", pid, Mode::Shared);
    let shown = |source: &mut Source| Shown { text: u8::generate(source).literal(), source: true };
    let name = || Parameter::drawn("name", Kind::of::<u8>("Name"), Mode::Value, shown);
    Suite::new("Registry")
        .operations([
            Operation::new("spawn", "spawn()", |frame| frame.keep(0u32)).returns(pid, Access::Owned),
            Operation::new("register", "register({0}, {1})", |_| Verdict::Pass)
                .parameter(name())
                .parameter(on()),
            Operation::new("unregister", "unregister({0})", |_| Verdict::Pass).parameter(name()),
        ])
        .build()
}

#[test]
fn patterns_read_as_people_write_them() {
    let suite = registry();
    for text in [
        "unregister(?a)",
        "?p = spawn(); register(?a, ?p) | register(?b, ?p)",
        "?p = spawn(); register(?a, ?p) | (?p2 = spawn(); register(?a, ?p2))",
        "?p = spawn(); register(_, ?p); ?p2 = spawn(); register(=0.5, ?p2)",
        "?p = spawn(); register(>=0.5, ?p)",
        "unregister(?a) unless ?p = spawn() #0<#1; register(?a, ?p) #0<#1",
        "unregister(?a); unregister(?a) unless lasting ?p = spawn() #0<#1; register(?a, ?p) #1<#2",
    ] {
        let pattern = Pattern::read(text, &suite).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(pattern.stored(&suite), text);
    }
    let guarded =
        Pattern::read("unregister(?a) unless ?p = spawn() #0<#1; register(?a, ?p) #0<#1", &suite).unwrap();
    assert_eq!(guarded.words(&suite), "unregister(?a), unless ?p = spawn(); register(?a, ?p) before");
    let named = Pattern::read("?p = spawn(); register(=0.5, ?p)", &suite).unwrap();
    assert_eq!(named.words(&suite), "?p = spawn(); register(5, ?p)");
}

#[test]
fn what_is_no_pattern_is_refused_by_name() {
    let suite = registry();
    for (text, problem) in [
        ("kill(?p)", "`kill` is not an operation"),
        ("spawn(?a)", "`spawn` has 0 parameters"),
        ("unregister(a)", "`a` is not an argument"),
        ("unregister", "is not a call"),
        ("spawn() | (spawn()", "a `(` without"),
        ("spawn() spawn()", "is not understood"),
        ("unregister(=x)", "`x` is not a literal"),
    ] {
        let error = Pattern::read(text, &suite).unwrap_err().to_string();
        assert!(error.contains(problem), "{text}: {error}");
    }
}

/// Runs calls through a matcher and says at which the pattern is completed.
fn completed_at(text: &str, calls: &[(usize, &[Value])]) -> Option<usize> {
    let pattern = Pattern::read(text, &registry()).unwrap();
    let mut matcher = Matcher::new(&[pattern]);
    calls.iter().position(|(operation, arguments)| {
        let call = Call { operation: *operation, arguments, choices: &[] };
        let completed = matcher.would_complete(&call).is_some();
        matcher.add(&call);
        completed
    })
}

const A: Value = LITERAL | 1;
const B: Value = LITERAL | 2;

#[test]
fn a_guard_excuses_one_instance_and_a_lasting_one_all() {
    let once = "unregister(?a) unless ?p = spawn() #0<#1; register(?a, ?p) #0<#1";
    let calls: [(usize, &[Value]); 5] = [(0, &[]), (1, &[A, 0]), (2, &[A]), (2, &[A]), (2, &[B])];
    assert_eq!(completed_at(once, &calls), Some(3));
    assert_eq!(completed_at(&once.replace("unless", "unless lasting"), &calls), Some(4));
    assert_eq!(completed_at(once, &[(0, &[]), (1, &[B, 0]), (2, &[A])]), Some(2));
}

#[test]
fn a_guard_between_two_calls_must_stand_between_them() {
    let text = "?p = spawn(); register(?a, ?p); register(?b, ?p) unless unregister(?a) #3<#4";
    let excused: [(usize, &[Value]); 4] = [(0, &[]), (1, &[A, 0]), (2, &[A]), (1, &[B, 0])];
    assert_eq!(completed_at(text, &excused), None);
    let other_name: [(usize, &[Value]); 4] = [(0, &[]), (1, &[A, 0]), (2, &[B]), (1, &[B, 0])];
    assert_eq!(completed_at(text, &other_name), Some(3));
    let too_early: [(usize, &[Value]); 4] = [(0, &[]), (2, &[A]), (1, &[A, 0]), (1, &[B, 0])];
    assert_eq!(completed_at(text, &too_early), Some(3));
}

#[test]
fn a_guard_is_learned_from_the_calls_besides() {
    let suite = registry();
    let mut pattern = Pattern::read("unregister(?a)", &suite).unwrap();
    let mut history = History::default();
    for (operation, arguments) in [(0, &[][..]), (1, &[A, 0]), (2, &[A])] {
        history.push(&Call { operation, arguments, choices: &[] });
    }
    let embedding = embeddings(&pattern, &history).remove(0);
    pattern.guards.push(Guard::learned(0, &history, &embedding));
    assert_eq!(pattern.stored(&suite), "unregister(?a) unless ?p = spawn() #0<#1; register(?a, ?p) #0<#1");
    assert!(embeddings(&pattern, &history).is_empty());
}
