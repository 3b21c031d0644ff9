//! Harnesses, asked as `cargo bugnet explore` asks them: in processes of their own.

use bugnet::choice::{Seed, Tape};
use bugnet::oracle::{Phase, Signature};
use bugnet::wire;
use bugnet::wire::explore::{
    Command, Drawing, Ending, Event, Exploration, Found, Limit, Manner, Reduced, Replay, Restraint, Task,
};
use bugnet::wire::{Program, VERSION, decode, encode};
use bugnet_explore::*;
use bugnet_process::{End, How, Launcher, Next, Process, Start, Talk, Variables};
use std::time::{Duration, Instant};

static GAUGE: MemoryLimit = MemoryLimit::new(1 << 20, 1 << 24);

/// A counter that fails in every way, at one count each.
#[derive(Debug, Clone)]
struct Counter(u32);

impl PartialEq for Counter {
    fn eq(&self, other: &Counter) -> bool {
        // Wrong from two on.
        self.0 == other.0 && self.0 != 2
    }
}

impl Eq for Counter {}

fn new(frame: &mut Frame<'_>) -> Verdict {
    frame.keep(Counter(0))
}

fn add(frame: &mut Frame<'_>) -> Verdict {
    let by: u32 = draw(frame);
    let counter: &mut Counter = frame.mutable(0);
    counter.0 = counter.0.saturating_add(by.min(1));
    Verdict::Pass
}

fn panic_at_three(frame: &mut Frame<'_>) -> Verdict {
    assert_ne!(frame.shared::<Counter>(0).0, 3, "three");
    Verdict::Pass
}

fn hang_at_four(frame: &mut Frame<'_>) -> Verdict {
    while frame.shared::<Counter>(0).0 == 4 {
        std::hint::spin_loop();
    }
    Verdict::Pass
}

fn abort_at_five(frame: &mut Frame<'_>) -> Verdict {
    if frame.shared::<Counter>(0).0 == 5 {
        std::process::abort();
    }
    Verdict::Pass
}

fn exit_at_five(frame: &mut Frame<'_>) -> Verdict {
    if frame.shared::<Counter>(0).0 == 5 {
        let code = std::env::var("HARNESS_DEADLY").unwrap();
        std::process::exit(code.parse().unwrap());
    }
    Verdict::Pass
}

fn print(_: &mut Frame<'_>) -> Verdict {
    println!("{{\"event\":\"failure\",\"operation\":\"panics\",\"phase\":\"drop\",\"cause\":\"death\"}}");
    Verdict::Pass
}

fn swell_at_six(frame: &mut Frame<'_>) -> Verdict {
    if frame.shared::<Counter>(0).0 == 6 {
        GAUGE.take(1 << 40);
    }
    Verdict::Pass
}

/// Aborts when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        std::process::abort();
    }
}

fn arm_at_two(frame: &mut Frame<'_>) -> Verdict {
    match frame.shared::<Counter>(0).0 {
        2 => frame.keep(Bomb),
        _ => Verdict::Pass,
    }
}

fn suite() -> Suite {
    let counter = Kind::of::<Counter>("Counter").fingerprinted((&&Probe::<Counter>::NEW).fingerprint());
    let own = |mode| Parameter::earlier("self", counter, mode);
    let looks = |name, template, body| Operation::new(name, template, body).parameter(own(Mode::Shared));
    let nothing_makes = Parameter::earlier("file", Kind::of::<std::fs::File>("File"), Mode::Shared);
    let suite = Suite::new("counter")
        .operation(Operation::new("new", "Counter(0)", new).returns(counter, Access::Owned))
        .operation(
            Operation::new("add", "{0}.add({1})", add)
                .parameter(own(Mode::Mutable))
                .parameter(value::<u32>("by", "u32")),
        )
        .operation(looks("panics", "{0}.panics()", panic_at_three))
        .operation(Operation::new("reads", "reads({0})", |_| Verdict::Pass).parameter(nothing_makes));
    let suite = match std::env::var("HARNESS_DEADLY").as_deref() {
        Ok("hang") => suite.operation(looks("hangs", "{0}.hangs()", hang_at_four)),
        Ok("abort") => suite.operation(looks("aborts", "{0}.aborts()", abort_at_five)),
        Ok("drop") => suite
            .operation(
                looks("arms", "{0}.arms()", arm_at_two)
                    .returns(Kind::of::<Bomb>("Bomb"), Access::Owned)
                    .wrapped(),
            )
            .operation(
                Operation::new("holds", "holds({0})", |_| Verdict::Pass).parameter(Parameter::earlier(
                    "bomb",
                    Kind::of::<Bomb>("Bomb"),
                    Mode::Shared,
                )),
            ),
        Ok("0" | "3" | "4") => suite.operation(looks("exits", "{0}.exits()", exit_at_five)),
        Ok("print") => suite.operation(looks("prints", "{0}.prints()", print)),
        Ok("memory") => suite.operation(looks("swells", "{0}.swells()", swell_at_six)),
        _ => suite,
    };
    suite.operations(bugnet_explore::laws!(Counter, "Counter"))
}

/// Not a test by itself: what the tests start as a harness.
#[test]
fn harness() {
    if std::env::var_os("HARNESS_DEADLY").is_some() {
        answer(suite, &GAUGE, None);
        std::process::exit(7);
    }
}

/// Returns the names of the calls of a program.
fn names(program: &Program) -> Vec<&str> {
    program.called().map(|call| call.operation.as_str()).collect()
}

/// The answer of a harness to one question.
struct Answer {
    events: Vec<Event>,
    /// The reason for which it ended by itself.
    ending: Option<Ending>,
    end: End,
    /// The last record in its journal.
    journal: String,
}

impl Answer {
    fn found(&self) -> Vec<&Found> {
        let found = self.events.iter().filter_map(|event| match event {
            Event::Found(found) => Some(found),
            _ => None,
        });
        found.collect()
    }

    /// Returns the ways in which an operation failed.
    fn found_in(&self, name: &str) -> Vec<&Found> {
        let is_of = |found: &&Found| match &found.failure.signature {
            Signature::InCall { operation, .. } => operation == name,
            _ => false,
        };
        self.found().into_iter().filter(is_of).collect()
    }

    fn reduced(&self) -> &Reduced {
        let reduced = self.events.iter().find_map(|event| match event {
            Event::Reduced(reduced) => Some(reduced),
            _ => None,
        });
        reduced.unwrap_or_else(|| panic!("{:?}", self.events))
    }

    /// Returns the names of the calls of a program that was described.
    fn described(&self) -> Vec<&str> {
        let described = self.events.iter().find_map(|event| match event {
            Event::Program(program) => Some(names(program)),
            _ => None,
        });
        described.unwrap_or_else(|| panic!("{:?}", self.events))
    }

    /// Returns the weights that were told before the first way to fail that has a plan, and the last ones if there
    /// is none.
    fn weights(&self) -> String {
        let has_plan = |event: &Event| matches!(event, Event::Found(Found { plan: Some(_), .. }));
        let told = self.events.iter().position(has_plan).unwrap_or(self.events.len());
        let weights =
            |event: &Event| if let Event::Epoch(weights) = event { Some(weights.clone()) } else { None };
        self.events[..told].iter().rev().find_map(weights).expect("weights are told first")
    }

    fn kept(&self) -> Vec<String> {
        let kept = |event: &Event| if let Event::Kept(kept) = event { Some(kept.clone()) } else { None };
        self.events.iter().filter_map(kept).collect()
    }
}

/// Asks a harness whose suite may be deadly.
fn ask(question: Command, deadly: &str) -> Answer {
    ask_with(question, Restraint::default(), deadly)
}

fn ask_with(question: Command, restraint: Restraint, deadly: &str) -> Answer {
    let lesson = restraint.clone();
    teach(question, restraint, &lesson, deadly)
}

/// The same; a harness that pauses is told a lesson.
fn teach(question: Command, restraint: Restraint, lesson: &Restraint, deadly: &str) -> Answer {
    let start = Start {
        launcher: Launcher::Shell,
        talk: Talk::Journalled(env!("CARGO_TARGET_TMPDIR").into()),
        variables: Variables::default().with("HARNESS_DEADLY", deadly),
        ..Start::new(std::env::current_exe().unwrap())
    };
    let words = ["harness", "--exact", "--nocapture", "--test-threads=1"];
    let start = words.into_iter().fold(start, Start::argument);
    let mut process = Process::start(&start).unwrap();
    for command in [Command::Hello { version: VERSION }, Command::Know(restraint), question] {
        process.send(&encode(&command));
    }
    let (mut events, mut ending) = (Vec::new(), None);
    loop {
        match process.next(Instant::now() + Duration::from_secs(60)) {
            Next::Frame(frame) => match decode(&frame) {
                Some(Event::Ending(told)) => ending = Some(told),
                event => {
                    if event == Some(Event::Paused) {
                        process.send(&encode(&Command::Know(lesson.clone())));
                    }
                    events.push(event.expect("every frame is an event"));
                }
            },
            Next::Late => panic!("the harness says nothing"),
            Next::Ended(end) => {
                let journal = process.journal().map(|record| String::from_utf8(record).unwrap());
                return Answer { events, ending, end, journal: journal.unwrap_or_default() };
            }
        }
    }
}

/// Programs of a seed.
fn programs(seed: u64, programs: u64) -> Exploration {
    Exploration {
        seed: Seed(seed),
        first: 0,
        programs: Some(programs),
        strategies: "all".to_string(),
        inherit: Vec::new(),
        pauses: false,
    }
}

fn explore(seed: u64, count: u64, deadly: &str) -> Answer {
    ask(Command::Explore(programs(seed, count)), deadly)
}

fn reduce(tape: &Tape, deadly: &str) -> Answer {
    let limit = Limit::Time(Duration::from_secs(10));
    ask(Command::Reduce(Task { tape: tape.clone(), manner: Manner::Beside, limit }), deadly)
}

fn replay(tape: &Tape, deadly: &str) -> Answer {
    ask(Command::Replay(Replay { tape: tape.clone(), times: 1, is_steady: false, has_stack: false }), deadly)
}

/// Draws a program of seed 3 again; returns its tape up to the call that was not lived through.
fn redraw(plan: &str, weights: String, deadly: &str) -> Tape {
    let drawing = Drawing {
        seed: Seed(3),
        strategies: "all".to_string(),
        plan: plan.to_string(),
        weights,
        is_steady: true,
        hangs: false,
    };
    let answer = ask(Command::Draw(drawing), deadly);
    assert_ne!(answer.ending, Some(Ending::Done));
    answer.journal.parse().unwrap()
}

#[test]
fn every_way_to_fail_is_told_once_and_reduced_to_the_fewest_calls() {
    let answer = explore(1, 4000, "");
    assert_eq!(answer.ending, Some(Ending::Done));
    let panics = answer.found_in("panics");
    assert_eq!(panics.len(), 1, "{:?}", answer.found());
    let place = panics[0].failure.signature.cause().to_string();
    assert!(place.starts_with("crates/bugnet-explore/tests/explore.rs:"), "{place}");
    let reduced = reduce(panics[0].tape.as_ref().unwrap(), "");
    assert_eq!(names(&reduced.reduced().program), ["new", "add", "add", "add", "panics"]);
    let reflexive = answer.found_in("law eq_is_reflexive of Counter");
    assert_eq!(reflexive.len(), 1, "{:?}", answer.found());
    let law = wire::Role::Law { name: "eq_is_reflexive".to_string(), of: "Counter".to_string() };
    assert_eq!((&panics[0].role, &reflexive[0].role), (&wire::Role::Function, &law));
    let reduced = reduce(reflexive[0].tape.as_ref().unwrap(), "");
    assert_eq!(reduced.reduced().program.calls.last().unwrap().role, law);
    assert_eq!(reduced.reduced().program.lines().last().unwrap(), "assert!(&counter == &counter);");
}

/// The number of broken laws that were counted.
fn broken(answer: &Answer) -> u64 {
    let told =
        |event: &Event| if let Event::Progress(progress) = event { Some(progress.broken) } else { None };
    answer.events.iter().filter_map(told).max().unwrap_or_default()
}

#[test]
fn a_harness_that_pauses_at_a_broken_law_goes_on_without_what_it_is_told() {
    let law = |name: &str| format!("?c = new(); law {name} of Counter(?c)");
    let knowing = |laws: &[&str]| {
        let known = laws.iter().map(|name| law(name)).collect();
        Restraint { known, ..Restraint::default() }
    };
    // Of two laws that are broken, one is known from the beginning.
    let (before, after) = (knowing(&["clone_is_equal"]), knowing(&["clone_is_equal", "eq_is_reflexive"]));
    let told = |lesson: &Restraint| {
        let pausing = Command::Explore(Exploration { pauses: true, ..programs(1, 4000) });
        let answer = teach(pausing, before.clone(), lesson, "");
        assert_eq!(answer.ending, Some(Ending::Done));
        assert_eq!(answer.found_in("law eq_is_reflexive of Counter").len(), 1, "{:?}", answer.found());
        assert_eq!(answer.events.iter().filter(|event| **event == Event::Paused).count(), 1);
        answer
    };
    // Told nothing new, it draws what it draws without a pause.
    let same = told(&before);
    let plain = ask_with(Command::Explore(programs(1, 4000)), before.clone(), "");
    assert_eq!((same.found(), broken(&same)), (plain.found(), broken(&plain)));
    assert!(broken(&plain) > 5, "{}", broken(&plain));
    // The law is asked in the rest of the program in which it was broken, and never again.
    assert!(broken(&told(&after)) <= 2, "{}", broken(&told(&after)));
}

#[test]
fn what_nothing_provides_is_listed_as_out_of_reach() {
    let listed = |is_reachable| {
        let (name, role) = ("reads".to_string(), wire::Role::Function);
        Event::Operation { name, role, is_reachable }
    };
    let events = ask(Command::List, "").events;
    assert!(events.contains(&listed(false)) && !events.contains(&listed(true)), "{events:?}");
}

#[test]
fn a_harness_that_may_call_nothing_says_so_and_does_not_die() {
    let operations = ask(Command::List, "").events.into_iter().filter_map(|event| match event {
        Event::Operation { name, .. } => Some(name),
        _ => None,
    });
    let restraint = Restraint { ban: operations.collect(), ..Restraint::default() };
    let answer = ask_with(Command::Explore(programs(1, 100)), restraint, "");
    assert_eq!((answer.events.len(), answer.ending), (0, Some(Ending::NothingLeft)));
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let run = |seed| explore(seed, 1000, "").found().into_iter().cloned().collect::<Vec<_>>();
    assert_eq!(run(7), run(7));
    assert_ne!(run(7), run(8));
}

#[test]
fn a_harness_of_another_version_refuses_to_answer() {
    let answer = ask(Command::Hello { version: VERSION + 1 }, "");
    let Some(Ending::Misused(reason)) = &answer.ending else { panic!("{:?}", answer.ending) };
    assert!(reason.contains(&format!("version {}", VERSION + 1)), "{reason}");
}

#[test]
fn a_tape_that_is_longer_than_an_argument_may_be_is_read() {
    let long = "1".repeat(200_000).parse::<Tape>();
    let tape = long.unwrap_or_else(|_| vec!["0"; 100_000].join(".").parse().unwrap());
    assert!(tape.to_string().len() > 128 << 10);
    let answer = replay(&tape, "");
    assert_eq!((answer.events.len(), answer.ending), (1, Some(Ending::Done)));
}

/// Explores until the harness dies, then draws the program again that it was lost in.
fn lost(deadly: &str) -> (Answer, Tape) {
    let answer = explore(3, 100_000, deadly);
    let tape = redraw(&answer.journal, answer.weights(), deadly);
    (answer, tape)
}

#[test]
fn a_call_that_aborts_is_found_again_by_its_plan() {
    let (answer, tape) = lost("abort");
    assert_eq!((&answer.ending, answer.end.how), (&None, How::Signalled(6)));
    let shown = ask(Command::Describe(tape), "abort");
    assert_eq!(*shown.described().last().unwrap(), "aborts", "the call in flight is the last one");
}

#[test]
fn a_value_that_cannot_be_dropped_is_found_again_by_the_plan_of_the_program_that_made_it() {
    let (answer, tape) = lost("drop");
    assert_eq!((&answer.ending, answer.end.how), (&None, How::Signalled(6)));
    let shown = ask(Command::Describe(tape.clone()), "drop");
    assert!(shown.described().contains(&"arms"), "{:?}", shown.events);
    let replayed = replay(&tape, "drop");
    assert_eq!(replayed.end.how, How::Signalled(6), "it is dropped again: {:?}", replayed.events);
}

#[test]
fn a_call_that_hangs_is_told_and_is_the_reason_to_end() {
    let answer = ask(Command::Explore(Exploration { programs: None, ..programs(3, 0) }), "hang");
    assert_eq!(answer.ending, Some(Ending::CallHangs));
    let last = answer.found().pop().unwrap();
    let cause = Box::new(Signature::Hung);
    let operation = "hangs".to_string();
    assert_eq!(last.failure.signature, Signature::InCall { operation, phase: Phase::Call, cause });
}

#[test]
fn an_exit_code_of_the_code_under_test_is_a_death() {
    for code in ["0", "3", "4"] {
        let (answer, tape) = lost(code);
        assert_eq!((&answer.ending, answer.end.how), (&None, How::Exited(code.parse().unwrap())));
        let shown = ask(Command::Describe(tape), code);
        assert_eq!(*shown.described().last().unwrap(), "exits");
    }
}

#[test]
fn what_the_code_under_test_prints_is_no_event() {
    let answer = explore(3, 1000, "print");
    assert_eq!((answer.found_in("prints").len(), &answer.ending), (0, &Some(Ending::Done)));
    let dropped =
        |found: &&Found| matches!(found.failure.signature, Signature::InCall { phase: Phase::Drop, .. });
    assert!(!answer.found().iter().any(dropped), "{:?}", answer.found());
}

#[test]
fn a_call_that_wants_too_much_memory_is_told_and_the_run_goes_on() {
    let answer = explore(3, 3000, "memory");
    assert_eq!(answer.ending, Some(Ending::Done));
    let memory = Signature::Died("out of memory".to_string());
    let lost: Vec<_> =
        answer.found().into_iter().filter(|found| *found.failure.signature.cause() == memory).collect();
    assert_eq!((lost.len(), lost.len()), (1, answer.found_in("swells").len()), "{:?}", answer.found());
    let Some(Event::Progress(progress)) = answer.events.last() else { panic!("{:?}", answer.events.last()) };
    assert_eq!(progress.program, 2999);
}

/// Returns the program in which a call wanted too much memory.
fn swollen() -> Tape {
    let answer = explore(3, 3000, "memory");
    let plan = answer.found_in("swells")[0].plan.clone().unwrap();
    redraw(&plan, answer.weights(), "memory")
}

#[test]
fn a_call_that_wants_too_much_memory_can_be_drawn_again() {
    let shown = ask(Command::Describe(swollen()), "memory");
    assert_eq!(*shown.described().last().unwrap(), "swells");
}

#[test]
fn what_is_banned_is_never_called_and_can_still_be_replayed() {
    let restraint = Restraint { ban: vec!["aborts".to_string()], ..Restraint::default() };
    let answer = ask_with(Command::Explore(programs(3, 20_000)), restraint, "abort");
    assert_eq!(answer.ending, Some(Ending::Done));
    let (_, tape) = lost("abort");
    assert_eq!(replay(&tape, "abort").end.how, How::Signalled(6));
}

#[test]
fn a_program_that_extends_another_can_be_read_and_extended() {
    let mut extended = 0;
    for count in 600..630 {
        // What the last program begins with was made from programs that were drawn.
        let plan = explore(3, count, "").journal;
        let base = plan.rsplit_once(' ').unwrap().1;
        if !base.is_empty() {
            let shown = ask(Command::Describe(base.parse().unwrap()), "");
            assert_eq!(shown.described()[0], "new", "{base}");
            extended += 1;
        }
    }
    assert!(extended > 3, "only {extended}");
}

#[test]
fn what_was_kept_is_run_first_by_the_process_that_comes_next() {
    let kept = explore(3, 500, "").kept();
    let tape = kept[0].split(' ').next().unwrap().to_string();
    assert!(kept.len() > 3, "{kept:?}");
    let next = |inherit| Exploration { first: 500, inherit, ..programs(3, 1) };
    let plan = ask(Command::Explore(next(kept)), "").journal;
    assert!(plan.ends_with(&format!(" 0 {tape}")), "{plan}\n{tape}");
    // Whoever inherits nothing begins with something else.
    let plan = ask(Command::Explore(next(Vec::new())), "").journal;
    assert!(!plan.contains(&tape), "{plan}");
}

#[test]
fn a_program_is_reduced_though_others_near_it_want_too_much_memory() {
    let answer = explore(1, 4000, "memory");
    // A program that does both: what is simpler without the panic swells.
    let tape = answer.found_in("panics")[0].tape.clone().unwrap();
    let reduced = reduce(&tape, "memory");
    assert_eq!(reduced.ending, Some(Ending::Done));
    assert_eq!(names(&reduced.reduced().program), ["new", "add", "add", "add", "panics"]);
    let reduced = reduce(&swollen(), "memory");
    let expected = ["new", "add", "add", "add", "add", "add", "add", "swells"];
    assert_eq!(names(&reduced.reduced().program), expected);
}
