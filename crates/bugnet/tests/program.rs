//! Programs over suites written by hand, as the macros write them.

use bugnet::campaign::{Failed, Passed, WantedBugs};
use bugnet::oracle::{IntoVerdict, Phase, Signature, Verdict};
use bugnet::prelude::*;
use bugnet::program::Shown;
use bugnet::program::{Access, Frame, Kind, Mode, Operation, Parameter, Programs, Role, Suite};

/// The running example of ArbitCheck: the sum of a stack, kept beside it.
#[derive(Debug, Default)]
struct SumStack {
    data: Vec<i32>,
    sum: i32,
}

impl SumStack {
    fn push(&mut self, x: i32) {
        self.data.push(x);
        self.sum = self.sum.wrapping_add(x);
    }

    /// Forgets to subtract.
    fn wrong_pop(&mut self) {
        self.data.pop();
    }

    /// Hands out what must not be changed.
    fn data(&mut self) -> &mut Vec<i32> {
        &mut self.data
    }

    fn sum_is_right(&self) -> bool {
        self.data.iter().fold(0i32, |sum, x| sum.wrapping_add(*x)) == self.sum
    }
}

fn shown<T: Generate + Literal>(source: &mut Source) -> Shown {
    Shown { text: T::generate(source).literal(), source: true }
}

fn stack() -> Kind {
    Kind::of::<SumStack>("SumStack")
}

fn on_stack() -> Parameter {
    Parameter::earlier("self", stack(), Mode::Mutable)
}

fn new() -> Operation {
    Operation::new("new", "SumStack::default()", |frame| frame.keep(SumStack::default()))
        .returns(stack(), Access::Owned)
}

fn push() -> Operation {
    Operation::new("push", "{0}.push({1})", |frame| {
        let x = frame.literal::<i32>(Some(i32::generate)).unwrap();
        frame.mutable::<SumStack>(0).push(x);
        Verdict::Pass
    })
    .parameter(on_stack())
    .parameter(Parameter::drawn("x", Kind::of::<i32>("i32"), Mode::Value, shown::<i32>))
}

fn wrong_pop() -> Operation {
    Operation::new("wrong_pop", "{0}.wrong_pop()", |frame| {
        frame.mutable::<SumStack>(0).wrong_pop();
        Verdict::Pass
    })
    .parameter(on_stack())
}

fn data() -> Operation {
    Operation::new("data", "{0}.data()", |frame| {
        let result = frame.lend_mutably::<SumStack>(0).data();
        frame.keep(result)
    })
    .parameter(on_stack())
    .returns(Kind::of::<Vec<i32>>("Vec<i32>"), Access::Mutable)
    .leased()
}

fn clear() -> Operation {
    Operation::new("Vec::clear", "{0}.clear()", |frame| {
        frame.mutable::<Vec<i32>>(0).clear();
        Verdict::Pass
    })
    .parameter(Parameter::earlier("self", Kind::of::<Vec<i32>>("Vec<i32>"), Mode::Mutable))
}

fn sum_is_right() -> Operation {
    Operation::new("sum_is_right", "{0}.sum_is_right()", |frame: &mut Frame<'_>| {
        frame.shared::<SumStack>(0).sum_is_right().into_verdict()
    })
    .parameter(Parameter::earlier("self", stack(), Mode::Shared))
    .role(Role::Check)
}

fn run(suite: Suite, seed: u64) -> Result<Passed, Box<Failed>> {
    Property::new("sum_stack").seed(Seed(seed)).bugs(WantedBugs::FIRST).run(&Programs::new(suite.build()))
}

fn lines(failed: &Failed) -> Vec<String> {
    failed.arguments().iter().map(ToString::to_string).collect()
}

#[test]
fn a_forgotten_update_is_found_and_reduced() {
    for seed in 0..20 {
        let suite = Suite::new("SumStack").operations([new(), push(), wrong_pop(), sum_is_right()]);
        let failed = run(suite, seed).unwrap_err();
        let expected = [
            "let mut sum_stack = SumStack::default();",
            "sum_stack.push(1);",
            "sum_stack.wrong_pop();",
            "sum_stack.sum_is_right();",
        ];
        assert_eq!(lines(&failed), expected, "seed {seed}");
        let bugnet::campaign::Reason::Refuted(failure) = &failed.reason else { panic!("{failed}") };
        let Signature::InCall { operation, phase, .. } = &failure.signature else { panic!("{failed}") };
        assert_eq!((operation.as_str(), *phase), ("sum_is_right", Phase::Check));
    }
}

#[test]
fn a_leaked_reference_is_found_and_printed_as_rust_would_have_it() {
    for seed in 0..20 {
        let suite = Suite::new("SumStack").operations([new(), push(), data(), clear(), sum_is_right()]);
        let failed = run(suite, seed).unwrap_err();
        let expected = [
            "let mut sum_stack = SumStack::default();",
            "sum_stack.push(1);",
            "let data = sum_stack.data();",
            "data.clear();",
            "sum_stack.sum_is_right();",
        ];
        assert_eq!(lines(&failed), expected, "seed {seed}");
    }
}

#[test]
fn what_is_right_passes() {
    let suite = Suite::new("SumStack").operations([new(), push(), data(), sum_is_right()]);
    assert_eq!(run(suite, 7).unwrap().tests, 1_000);
}

/// A stack with room for few, so that swarm matters.
#[derive(Debug, Clone, Default, PartialEq)]
struct Bounded(Vec<u8>);

fn bounded(capacity: usize) -> Suite {
    assert_eq!(capacity, 32, "the body of push is a function pointer and knows no other");
    let kind = || Kind::of::<Bounded>("Bounded");
    let own = move || Parameter::earlier("self", kind(), Mode::Mutable);
    Suite::machine("Bounded").operations([
        Operation::new("new", "Bounded::default()", |frame| frame.keep(Bounded::default()))
            .returns(kind(), Access::Owned)
            .role(Role::Setup),
        Operation::new("push", "{0}.push()", |frame| {
            let stack = frame.mutable::<Bounded>(0);
            assert!(stack.0.len() < 32, "no room");
            stack.0.push(0);
            Verdict::Pass
        })
        .parameter(own()),
        Operation::new("pop", "{0}.pop()", |frame| {
            frame.mutable::<Bounded>(0).0.pop();
            Verdict::Pass
        })
        .parameter(own()),
    ])
}

#[test]
fn the_report_tells_what_triggers_and_what_suppresses() {
    let failed = Property::new("bounded")
        .seed(Seed(1))
        .bugs(WantedBugs::FIRST)
        .run(&Programs::new(bounded(32).build()))
        .unwrap_err();
    let expected = ["let mut bounded = Bounded::default();", "for _ in 0..33 {\n    bounded.push();\n}"];
    assert_eq!(lines(&failed), expected, "{failed}");
    let text = failed.to_string();
    let pop = text.lines().find(|line| line.trim_start().starts_with("pop ")).expect(&text);
    assert!(pop.contains("suppresses"), "{text}");
}

#[test]
fn each_strategy_alone_finds_the_forgotten_update() {
    for strategies in [Strategies::Random, Strategies::Exhaustive, Strategies::Feedback, Strategies::Rds] {
        let suite = Suite::new("SumStack").operations([new(), push(), wrong_pop(), sum_is_right()]);
        let property =
            Property::new("sum_stack").seed(Seed(3)).bugs(WantedBugs::FIRST).strategies(strategies);
        let failed = property.run(&Programs::new(suite.build())).unwrap_err();
        assert_eq!(lines(&failed).len(), 4, "{strategies:?}: {failed}");
    }
}

#[test]
fn a_program_replays_from_its_tape_alone() {
    let suite =
        || Suite::new("SumStack").operations([new(), push(), data(), clear(), sum_is_right()]).build();
    let failed = Property::new("sum_stack")
        .seed(Seed(5))
        .bugs(WantedBugs::FIRST)
        .run(&Programs::new(suite()))
        .unwrap_err();
    let tape: Tape = failed.tape().as_ref().unwrap().to_string().parse().unwrap();
    let mut environment = bugnet::campaign::Environment::none(Seed(0));
    environment.replay = Some(tape);
    let again = Property::new("sum_stack").environment(environment).run(&Programs::new(suite())).unwrap_err();
    assert_eq!(lines(&again), lines(&failed));
}

#[test]
fn numbers_that_are_no_case_of_a_property_never_pass() {
    let replay = |token: &str| {
        let mut environment = bugnet::campaign::Environment::none(Seed(0));
        environment.replay = Some(token.parse().unwrap());
        Property::new("small").environment(environment)
    };
    let failed = Property::new("small").seed(Seed(1)).check(any::<u8>(), |x| x < 9).unwrap_err();
    let token = failed.tape().unwrap().to_string();
    let more = format!("{token}.5.5");
    let refused = |result: Result<Passed, Box<Failed>>| {
        let report = result.unwrap_err().to_string();
        assert!(report.contains("so nothing was tested; copy a case from a report of `small`"), "{report}");
        report
    };
    // One of its own that does not fail any more has passed.
    assert_eq!(replay(&token).check(any::<u8>(), |_| true).unwrap().tests, 1);
    let draws = |_: u8, source: &mut Source| drop(source.any::<Vec<u8>>());
    let drawing =
        bugnet::campaign::Closures { generate: Source::any::<u8>, test: draws, show: |_: &u8| Vec::new() };
    assert_eq!(replay(&token).run(&drawing).unwrap().tests, 1);
    // One of another property, of which there is too much or too little, has not; nor has one that is discarded.
    let report = refused(replay(&more).check(any::<u8>(), |_| true));
    assert!(
        report.contains(&format!("`{more}` is no case of `small`, which reads it as `{token}`")),
        "{report}"
    );
    refused(replay(&token).check(any::<(u8, u8)>(), |_| true));
    refused(replay("ffffffffffffffff.ffffffffffffffff").check(any::<u8>(), |_| true));
    assert!(
        refused(replay(&token).check(any::<u8>(), |_| assume!(false))).contains("a precondition discards")
    );
    // Neither have numbers that are no program.
    let suite = || Suite::new("SumStack").operations([new(), push(), data(), clear()]).build();
    for nonsense in ["1", "bad", "0.1(ffff)1(eeee)0", &token] {
        refused(replay(nonsense).run(&Programs::new(suite())));
    }
    // A program of its own is one.
    let broken =
        || Suite::new("SumStack").operations([new(), push(), data(), clear(), sum_is_right()]).build();
    let failed = Property::new("small")
        .seed(Seed(5))
        .bugs(WantedBugs::FIRST)
        .run(&Programs::new(broken()))
        .unwrap_err();
    let written = failed.tape().unwrap().to_string();
    assert!(replay(&written).run(&Programs::new(broken())).unwrap_err().to_string().contains("FAILED"));
}

/// A log that loses its last line when it is not flushed, unless it is compressed.
#[derive(Debug, Default)]
struct Log {
    written: u32,
    flushed: u32,
}

#[test]
fn a_named_feature_is_left_out_of_some_cases_and_reported_where_it_matters() {
    let kind = || Kind::of::<Log>("Log");
    let own = || Parameter::earlier("self", kind(), Mode::Mutable);
    let suite = |deed: fn(&mut Frame<'_>) -> Verdict| {
        Suite::machine("Log").operations([
            Operation::new("new", "Log::default()", |frame| frame.keep(Log::default()))
                .returns(kind(), Access::Owned)
                .role(Role::Setup),
            Operation::new("write", "{0}.write()", deed).parameter(own()),
        ])
    };
    let fails_without = suite(|frame| {
        let log = frame.mutable::<Log>(0);
        log.written += 1;
        log.flushed += u32::from(feature!("compressed"));
        assert_eq!(log.written, log.flushed);
        Verdict::Pass
    });
    let failed = run(fails_without, 3).unwrap_err();
    assert_eq!(failed.arguments().len(), 2, "{failed}");
    assert_eq!(failed.notes(), ["the feature \"compressed\" is left out"], "{failed}");
    let table = failed.influences().table();
    assert!(table.lines().any(|line| line.contains("compressed") && line.contains("suppresses")), "{table}");

    let fails_anyway = suite(|frame| {
        let _ = feature!("compressed");
        assert!(frame.mutable::<Log>(0).written > 0);
        Verdict::Pass
    });
    let failed = run(fails_anyway, 3).unwrap_err();
    assert_eq!(failed.notes(), [""; 0], "features shrink open: {failed}");
}

/// Lists that are joined, so that calls depend on several earlier ones.
fn joining() -> Suite {
    let list = Kind::of::<Vec<u8>>("Vec<u8>");
    let by = |name, mode| Parameter::earlier(name, list, mode);
    Suite::new("Vec<u8>").operations([
        Operation::new("new", "Vec::<u8>::new()", |frame| frame.keep(Vec::<u8>::new()))
            .returns(list, Access::Owned),
        Operation::new("push", "{0}.push(1)", |frame| {
            frame.mutable::<Vec<u8>>(0).push(1);
            Verdict::Pass
        })
        .parameter(by("self", Mode::Mutable)),
        Operation::new("joined", "joined({0}, {1})", |frame| {
            let mut all: Vec<u8> = frame.take(0);
            all.extend(frame.shared::<Vec<u8>>(1));
            frame.keep(all)
        })
        .parameter(by("first", Mode::Value))
        .parameter(by("second", Mode::Shared))
        .returns(list, Access::Owned),
        Operation::new("is_short", "is_short({0})", |frame| {
            (frame.shared::<Vec<u8>>(0).len() < 2).into_verdict()
        })
        .parameter(by("list", Mode::Shared))
        .role(Role::Check),
    ])
}

#[test]
fn calls_of_several_values_are_reduced_whatever_the_seed() {
    for seed in 0..400 {
        let property =
            Property::new("joining").strategies(Strategies::Random).seed(Seed(seed)).bugs(WantedBugs::FIRST);
        let failed = property.run(&Programs::new(joining().build())).unwrap_err();
        let lines = lines(&failed);
        assert!(lines.len() <= 6, "seed {seed}: {failed}");
        // What was moved away cannot be checked.
        let checked = lines.last().unwrap().trim_start_matches("is_short(&").trim_end_matches(");");
        assert!(
            !lines.iter().any(|line| line.contains(&format!("joined({checked},"))),
            "seed {seed}: {failed}"
        );
    }
}

#[test]
fn a_condition_is_asked_of_the_value_that_is_chosen() {
    let list = Kind::of::<Vec<u8>>("Vec<u8>");
    for strategies in [Strategies::Random, Strategies::Exhaustive, Strategies::Feedback] {
        let new =
            Operation::new("new", "vec![1]", |frame| frame.keep(vec![1u8])).returns(list, Access::Owned);
        let pop = Operation::new("pop", "{0}.pop()", |frame| {
            frame.mutable::<Vec<u8>>(0).pop().is_some().into_verdict()
        })
        .parameter(Parameter::earlier("self", list, Mode::Mutable))
        .when(|frame| !frame.shared::<Vec<u8>>(0).is_empty());
        let suite = Suite::new("Vec<u8>").operations([new, pop]).build();
        let passed = Property::new("pops").strategies(strategies).seed(Seed(1)).run(&Programs::new(suite));
        assert!(passed.is_ok(), "{strategies:?}: {}", passed.unwrap_err());
    }
}
