//! Facts about programs, tested by the engine itself.

use super::*;
use crate::campaign::Test;
use crate::choice::{Source, Tape};
use crate::generate::show::Shown;
use crate::oracle::Verdict;
use crate::prelude::*;
use crate::random::Seed;

/// A list whose parts can be borrowed, split off and put back.
type List = Vec<u8>;

fn list() -> Kind {
    Kind::of::<List>("List").fingerprinted((&&&Probe::<List>::NEW).fingerprint())
}

fn on(mode: Mode) -> Parameter {
    Parameter::earlier("self", list(), mode)
}

/// Operations of every sort: made, changed, moved, lent by `&` and by `&mut`.
fn suite() -> Suite {
    let shown = |source: &mut Source| Shown { text: u8::generate(source).literal(), source: true };
    let number = Parameter::drawn("x", Kind::of::<u8>("u8"), Mode::Value, shown);
    Suite::new("List")
        .about(list())
        .operations([
            Operation::new("new", "List::new()", |frame| frame.keep(List::new()))
                .returns(list(), Access::Owned),
            Operation::new("push", "{0}.push({1})", |frame| {
                let x = frame.literal(Some(u8::generate)).unwrap();
                frame.mutable::<List>(0).push(x);
                Verdict::Pass
            })
            .parameter(on(Mode::Mutable))
            .parameter(number),
            Operation::new("concat", "concat({0}, &{1})", |frame| {
                let mut first = frame.take::<List>(0);
                first.extend(frame.shared::<List>(1));
                frame.keep(first)
            })
            .parameter(on(Mode::Value))
            .parameter(on(Mode::Shared))
            .returns(list(), Access::Owned),
            Operation::new("as_mut", "{0}.as_mut()", |frame| {
                let lent = frame.lend_mutably::<List>(0);
                frame.keep(lent)
            })
            .parameter(on(Mode::Mutable))
            .returns(list(), Access::Mutable)
            .leased(),
            Operation::new("iter", "{0}.iter()", |frame| {
                let lent = frame.lend::<List>(0).iter();
                frame.keep(lent)
            })
            .parameter(on(Mode::Shared))
            .returns(Kind::of::<std::slice::Iter<'static, u8>>("Iter<u8>"), Access::Owned)
            .leased(),
            Operation::new("next", "{0}.next()", |frame| {
                frame.mutable::<std::slice::Iter<'static, u8>>(0).next();
                Verdict::Pass
            })
            .parameter(Parameter::earlier(
                "self",
                Kind::of::<std::slice::Iter<'static, u8>>("Iter<u8>"),
                Mode::Mutable,
            )),
        ])
        .build()
}

/// Runs a random program, recorded.
fn recorded(programs: &Programs, seed: u64) -> (Verdict, Tape) {
    let mut source = Source::recording(Seed(seed), 0);
    let verdict = programs.case(&mut source, &mut |_| true).unwrap();
    (verdict, source.into_tape())
}

#[test]
fn a_program_and_its_tape_stand_for_each_other() {
    let (programs, suite) = (Programs::new(suite()), suite());
    check(any::<u64>(), |seed| {
        let (verdict, tape) = recorded(&programs, seed);
        assert_eq!(verdict, Verdict::Pass);
        let program = Program::of(&suite, &tape).expect("what was run is a program");
        assert_eq!(program.tape(&suite).values(), tape.values());
        let parsed: Tape = tape.to_string().parse().unwrap();
        assert_eq!(Program::of(&suite, &parsed), Some(program));
    })
    .unwrap();
}

#[test]
fn every_program_that_is_drawn_would_pass_the_borrow_checker() {
    let (programs, suite) = (Programs::new(suite()), suite());
    check(any::<u64>(), |seed| {
        let (_, tape) = recorded(&programs, seed);
        assert!(Program::of(&suite, &tape).unwrap().is_sound(&suite));
    })
    .unwrap();
}

#[test]
fn a_program_that_is_sound_runs_and_any_other_is_discarded() {
    let (programs, suite) = (Programs::new(suite()), suite());
    check((any::<u64>(), any::<Vec<u8>>()), |(seed, gone)| {
        let (_, tape) = recorded(&programs, seed);
        let mut program = Program::of(&suite, &tape).unwrap();
        // Taking calls out without regard for what depends on them.
        for place in gone {
            if usize::from(place) < program.calls.len() {
                program.calls.remove(place.into());
            }
        }
        let mut source = Source::replay(program.tape(&suite));
        let verdict = programs.case(&mut source, &mut |_| true).unwrap();
        let expected = if program.calls.is_empty() || !program.is_sound(&suite) {
            Verdict::Discard
        } else {
            Verdict::Pass
        };
        assert_eq!(verdict, expected, "{program:?}");
    })
    .unwrap();
}

#[test]
fn what_runs_unrecorded_is_what_runs_recorded() {
    let (programs, suite) = (Programs::new(suite()), suite());
    let (mut fast, mut slow) = (Scratch::new(&suite), Scratch::new(&suite));
    let mut source = Source::random(Seed(5), u64::MAX);
    assert_eq!(programs.run_batch(&mut source, 200, &mut fast), Verdict::Pass);
    for case in 0..200 {
        let mut source = Source::recording(Seed(5), case);
        let ran = programs.run_hooked(NoHook, Proposal::new(&mut source, &mut |_| true, &mut slow));
        assert_eq!(ran.map(|ran| ran.verdict), Some(Verdict::Pass));
    }
    assert!(fast.calls() > 200);
    assert_eq!(fast.calls_of_each(), slow.calls_of_each());
}

#[test]
fn programs_of_many_rules_are_longer_within_bounds() {
    const NAMES: [&str; 100] = ["rule"; 100];
    let steps = |rules: usize| {
        let rule = |name: &&'static str| Operation::new(name, "rule()", |_| Verdict::Pass);
        Suite::new("rules").operations(NAMES[..rules].iter().map(rule)).build().usual_steps()
    };
    assert_eq!([1, 5, 12, 13, 40, 50, 51, 100].map(steps), [50, 50, 50, 52, 160, 200, 200, 200]);
}

#[test]
fn values_are_built_by_calls_and_shrink_as_lists_do() {
    #[derive(Debug)]
    struct Built(List);

    impl Api for Built {
        fn suite() -> Suite {
            let built = Kind::of::<Built>("Built");
            let shown = |source: &mut Source| Shown { text: u8::generate(source).literal(), source: true };
            Suite::new("Built")
                .about(built)
                .operation(
                    Operation::new("new", "Built::new()", |frame| frame.keep(Built(List::new())))
                        .returns(built, Access::Owned),
                )
                .operation(
                    Operation::new("push", "{0}.push({1})", |frame| {
                        let x = frame.literal(Some(u8::generate)).unwrap();
                        assert!(x != 13, "unlucky");
                        frame.mutable::<Built>(0).0.push(x);
                        Verdict::Pass
                    })
                    .parameter(Parameter::earlier("self", built, Mode::Mutable))
                    .parameter(Parameter::drawn(
                        "x",
                        Kind::of::<u8>("u8"),
                        Mode::Value,
                        shown,
                    )),
                )
                .build()
        }
    }

    let failed = check(from_fn(build::<Built>), |built| {
        assert!(!built.0.contains(&13), "what panicked is never used");
        assert!(built.0.iter().map(|x| u32::from(*x)).sum::<u32>() < 300);
    })
    .unwrap_err();
    assert_eq!(failed.arguments()[0].text, "Built([45, 255])");
}

#[test]
fn a_call_that_reads_what_is_merely_drawn_gets_a_new_one_half_of_the_time() {
    use std::sync::atomic::{AtomicU32, Ordering};
    static DRAWN: AtomicU32 = AtomicU32::new(0);
    static READ: AtomicU32 = AtomicU32::new(0);
    let text = Kind::of::<String>("String");
    let shown = |source: &mut Source| Shown { text: String::generate(source).literal(), source: true };
    let literal = Operation::new("literal String", "{0}", |frame| {
        DRAWN.fetch_add(1, Ordering::Relaxed);
        let text = frame.literal(Some(String::generate)).unwrap();
        frame.keep(text)
    })
    .parameter(Parameter::drawn("value", text, Mode::Value, shown))
    .returns(text, Access::Owned)
    .role(Role::Literal)
    .weight(0);
    let read = Operation::new("read", "read({0})", |frame| {
        READ.fetch_add(1, Ordering::Relaxed);
        let _ = frame.shared::<String>(0);
        Verdict::Pass
    })
    .parameter(Parameter::earlier("text", text, Mode::Shared));
    let suite = Suite::new("texts").operations([literal, read]).build();
    assert!(Property::new("reads").run(&Programs::new(suite)).is_ok());
    let (drawn, read) = (DRAWN.load(Ordering::Relaxed), READ.load(Ordering::Relaxed));
    assert!(drawn * 5 > read * 2, "{drawn} texts for {read} calls");
}

#[test]
fn a_described_call_says_its_role_and_where_its_arguments_come_from_and_lines_are_made_of_that() {
    use super::description;
    let text = Kind::of::<String>("String");
    let shown = |source: &mut Source| Shown { text: u8::generate(source).literal(), source: true };
    let new = Operation::new("new", "String::new()", |frame| frame.keep(String::new()));
    let push = Operation::new("push", "{0}.push({1})", |frame| {
        frame.literal(Some(u8::generate));
        Verdict::Pass
    })
    .parameter(Parameter::earlier("self", text, Mode::Mutable))
    .parameter(Parameter::drawn("letter", Kind::of::<u8>("u8"), Mode::Value, shown));
    let law = Operation::new("law is_short of String", "assert!({0}.len() < 9)", |_| Verdict::Pass)
        .parameter(Parameter::earlier("one", text, Mode::Shared))
        .role(Role::Law { name: "is_short", of: "String" });
    let suite = Suite::new("texts").operations([new.returns(text, Access::Owned), push, law]).build();
    let mut source = Source::recording(Seed(1), 0);
    let letter: u8 = super::frame::drawn(&mut source, u8::generate);
    let letter_tape = source.into_tape();
    let calls = vec![
        Call { operation: 0, arguments: Vec::new() },
        Call { operation: 1, arguments: vec![Argument::Earlier(0), Argument::Literal(letter_tape)] },
        Call { operation: 2, arguments: vec![Argument::Earlier(0)] },
    ];
    let tape = Program { features: 0, calls }.tape(&suite);
    let described = Programs::new(suite).described(&tape, None).unwrap();
    let roles: Vec<&description::Role> = described.calls.iter().map(|call| &call.role).collect();
    let law = description::Role::Law { name: "is_short".into(), of: "String".into() };
    assert_eq!(roles, [&description::Role::Function, &description::Role::Function, &law]);
    let [receiver, description::Argument::Literal(literal)] = &described.calls[1].arguments[..] else {
        panic!("{described:?}")
    };
    assert_eq!(*receiver, description::Argument::Earlier { call: 0, mode: Mode::Mutable });
    assert_eq!(literal.text, letter.literal());
    assert!(described.calls[0].binding.as_ref().unwrap().is_mutable);
    let push = format!("string.push({});", letter.literal());
    assert_eq!(described.lines(), ["let mut string = String::new();", &push, "assert!(string.len() < 9);"]);
}
