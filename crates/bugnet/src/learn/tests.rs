//! Facts about patterns, tested by the engine itself.

use super::*;
use crate::generate::show::Shown;
use crate::oracle::{Failure, Signature, Verdict};
use crate::pattern::matcher_tests::pattern;
use crate::pattern::{Call, Guard, LITERAL, Matcher, Pattern, Value, embeddings, subsumes};
use crate::prelude::{Generate, Literal as _, Property, Seed, Source, Strategies, from_fn};
use crate::program::{self, Access, Argument, Kind, Mode, Operation, Parameter, Program, Suite, calls_of};
use crate::trial::{Ran, Trial, Worth};

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
    let size =
        |source: &mut Source| if u8::generate(source) < 9 { "short, \"short\"" } else { "long" }.into();
    Suite::new("Registry")
        .operations([
            Operation::new("spawn", "spawn()", |frame| frame.keep(0u32)).returns(pid, Access::Owned),
            Operation::new("register", "register({0}, {1})", |_| Verdict::Pass)
                .parameter(name())
                .parameter(on()),
            Operation::new("unregister", "unregister({0})", |_| Verdict::Pass).parameter(name()),
            Operation::new("rename", "rename({0})", |_| Verdict::Pass).parameter(name().class(size)),
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
        r#"rename(?a in "long"); unregister(?a) | rename(?b in "an \"n\", or ) \\ unless \n")"#,
        r#"unregister(?a) unless rename(?b in "long") #0<#1"#,
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
    let classed = r#"rename(?a in "long"); rename(?a in "long") unless rename(?b in "long") #1<#2 unless rename(?b in "long") #0<#3"#;
    let classed = Pattern::read(classed, &suite).unwrap();
    let words = ["rename(?a in long); rename(?a)", "unless rename(?b in long) in between"];
    assert_eq!(classed.words(&suite), format!("{}, unless rename(?b in long) before", words.join(", ")));
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
        ("rename(?a in long)", "a class stands in quotes"),
        ("rename(?a in \"long)", "a class stands in quotes"),
        (
            "unregister(?a in \"long\")",
            "asks for the class `long`, but `name` of `unregister` has no classes",
        ),
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
        let call = Call { operation: *operation, arguments, choices: &[], classes: &[] };
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

fn program<const CALLS: usize>(calls: [(usize, Vec<Argument>); CALLS]) -> Program {
    let call = |(operation, arguments)| program::Call { operation, arguments };
    Program { features: 0, calls: calls.map(call).to_vec() }
}

#[test]
fn a_guard_asks_for_the_class_of_a_literal_that_has_one() {
    let suite = registry();
    let mut pattern = Pattern::read("unregister(?a)", &suite).unwrap();
    let name = |tape: &str| Argument::Literal(tape.parse().unwrap());
    let calls = |other| program([(3, vec![name(other)]), (2, vec![name("0.1")])]);
    let learned = calls("0.30");
    let embedding = embeddings(&pattern, &calls_of(&suite, &learned)).remove(0);
    pattern.guards.push(Guard::learned(&suite, 0, &learned, &embedding));
    assert_eq!(pattern.stored(&suite), r#"unregister(?a) unless rename(?b in "long") #0<#1"#);
    let is_excused = |other| embeddings(&pattern, &calls_of(&suite, &calls(other))).is_empty();
    assert!(is_excused("0.31") && !is_excused("0.3"));
}

#[test]
fn a_wide_class_subsumes_its_literals_and_no_others() {
    let suite = registry();
    let read = |text: &str| Pattern::read(text, &suite).unwrap();
    let long = read(r#"rename(?a in "long")"#);
    assert!(subsumes(&long, &long) && subsumes(&read("rename(?a)"), &long));
    assert!(subsumes(&long, &read("rename(=0.30)")) && !subsumes(&long, &read("rename(=0.3)")));
    assert!(!subsumes(&long, &read("rename(?a)")) && !subsumes(&long, &read(r#"rename(?a in "short")"#)));
    let same = read(r#"rename(?a in "long"); rename(?a in "long")"#);
    let apart = read(r#"rename(?a in "long"); rename(?b in "long")"#);
    assert!(subsumes(&apart, &same) && !subsumes(&same, &apart));
}

/// Three parameters, abstracted in three ways.
fn tuned() -> Suite {
    let shown = |source: &mut Source| Shown { text: u8::generate(source).literal(), source: true };
    let number = |name| Parameter::drawn(name, Kind::of::<u8>("u8"), Mode::Value, shown);
    let half = |source: &mut Source| (u8::generate(source) / 128).to_string();
    Suite::new("tuned")
        .operation(
            Operation::new("call", "call({0}, {1}, {2})", |_| Verdict::Pass)
                .parameter(number("id").any())
                .parameter(number("mode").exact())
                .parameter(number("size").class(half)),
        )
        .build()
}

#[test]
fn a_guard_that_can_be_found_in_very_many_ways_is_not_looked_for_for_ever() {
    let suite = registry();
    // Many of the same calls, and one that is not there.
    let many = ["spawn() #0<#1"; 10].join("; ");
    let text = format!("unregister(?a) unless {many}; register(?a, ?q) #0<#1");
    let pattern = Pattern::read(&text, &suite).unwrap();
    let call = |place: usize| match place {
        40 => (2, vec![Argument::Literal("0.5".parse().unwrap())]),
        _ => (0, Vec::new()),
    };
    let program = program::<41>(std::array::from_fn(call));
    assert_eq!(embeddings(&pattern, &calls_of(&suite, &program)).len(), 1);
}

#[test]
fn the_name_of_an_operation_may_have_brackets() {
    let named = |name: &'static str| Operation::new(name, "f()", |_| Verdict::Pass);
    let names = ["law set_is_got", "law set_is_got(a) of (A, B)", "<(A, B) as C>::f with |_| true"];
    let suite = Suite::new("odd").operations(names.map(named)).build();
    for (place, name) in names.iter().enumerate() {
        let pattern = Pattern::read(&format!("{name}()"), &suite).unwrap();
        assert_eq!(pattern.elements[0].operation, place);
        assert_eq!(pattern.stored(&suite), format!("{name}()"));
    }
}

/// Says of the programs of a suite which fail.
struct Fake<'a>(&'a Suite, &'a mut dyn FnMut(&Program) -> bool);

impl Trial for Fake<'_> {
    fn run(&mut self, source: &mut Source, _: Worth<'_>) -> Option<Ran> {
        let fails = (self.1)(&Program::of(self.0, source.replayed()).unwrap());
        let failure = || Verdict::Fail(Box::new(Failure::new(Signature::ReturnedFalse, "")));
        Some(Ran::from(if fails { failure() } else { Verdict::Pass }))
    }

    fn is_over(&self) -> bool {
        false
    }
}

fn learner<'a>(suite: &'a Suite, trial: &'a mut Fake<'_>) -> Learner<'a> {
    Learner { suite, trial, signature: None, others: None }
}

#[test]
fn nothing_is_tried_for_what_is_any_or_exact_or_alone_in_its_class() {
    let suite = tuned();
    let literal = |tape: &str| Argument::Literal(tape.parse().unwrap());
    let program = program([(0, vec![literal("0.1"), literal("0.2"), literal("0.90")])]);
    let pattern = abstracted(&suite, &program).unwrap();
    let mut fails = |_: &Program| panic!("it is tried");
    let pattern = varied(&mut learner(&suite, &mut Fake(&suite, &mut fails)), &program, pattern, 1);
    assert_eq!(pattern.words(&suite), "call(?a, 2, ?b in 1)");
}

#[test]
fn equal_literals_of_a_class_are_told_apart_by_others_of_it() {
    let suite = tuned();
    let literal = |tape: &str| Argument::Literal(tape.parse().unwrap());
    let call = |id: &str| (0, vec![literal(id), literal("0.2"), literal("0.90")]);
    let program = program([call("0.1"), call("0.1")]);
    let pattern = abstracted(&suite, &program).unwrap();
    assert_eq!(pattern.words(&suite), "call(?a, 2, ?b in 1); call(?a, 2, ?b)");
    let mut sizes = Vec::new();
    let mut fails = |program: &Program| {
        let Argument::Literal(size) = &program.calls[1].arguments[2] else { unreachable!() };
        sizes.push(size.values()[1]);
        true
    };
    let pattern = varied(&mut learner(&suite, &mut Fake(&suite, &mut fails)), &program, pattern, 1);
    assert_eq!(pattern.words(&suite), "call(?a, 2, ?b in 1); call(?a, 2, ?c in 1)");
    assert!(sizes.len() == 1 && sizes[0] >= 128 && sizes[0] != 0x90, "{sizes:?}");
}

#[test]
fn what_passes_narrows_a_class_to_its_literal_and_leaves_what_is_any() {
    let suite = tuned();
    let literal = |tape: &str| Argument::Literal(tape.parse().unwrap());
    let call = |id, size| program([(0, vec![literal(id), literal("0.2"), literal(size)])]);
    let (failing, passing) = (call("0.1", "0.90"), call("0.7", "0.80"));
    let mut pattern = abstracted(&suite, &failing).unwrap();
    let mut fails = |candidate: &Program| *candidate == failing;
    assert!(pattern.specialize(
        &mut learner(&suite, &mut Fake(&suite, &mut fails)),
        &failing,
        &passing,
        &[0]
    ));
    assert_eq!(pattern.words(&suite), "call(?a, 2, 144)");
    assert!(!pattern.specialize(
        &mut learner(&suite, &mut Fake(&suite, &mut fails)),
        &failing,
        &call("0.7", "0.90"),
        &[0]
    ));
}

#[test]
fn a_class_that_no_literal_has_is_told_with_those_that_there_are() {
    let suite = registry();
    let unknown = |text: &str, tape: &str| {
        let program = program([(3, vec![Argument::Literal(tape.parse().unwrap())])]);
        Pattern::read(text, &suite).unwrap().unknown_class(&suite, &program)
    };
    assert_eq!(unknown(r#"rename(?a in "long")"#, "0.1"), None);
    let problem = unknown(r#"rename(?a in "lnog")"#, "0.1").unwrap();
    for part in ["`lnog` is no class of `name` of `rename`", "`long`", "`short, \"short\"`"] {
        assert!(problem.contains(part), "{problem}");
    }
}

#[test]
fn a_guard_is_learned_from_the_calls_besides() {
    let suite = registry();
    let mut pattern = Pattern::read("unregister(?a)", &suite).unwrap();
    let name = || Argument::Literal("0.5".parse().unwrap());
    let program = program([(0, vec![]), (1, vec![name(), Argument::Earlier(0)]), (2, vec![name()])]);
    let history = calls_of(&suite, &program);
    let embedding = embeddings(&pattern, &history).remove(0);
    pattern.guards.push(Guard::learned(&suite, 0, &program, &embedding));
    assert_eq!(pattern.stored(&suite), "unregister(?a) unless ?p = spawn() #0<#1; register(?a, ?p) #0<#1");
    assert!(embeddings(&pattern, &history).is_empty());
}
