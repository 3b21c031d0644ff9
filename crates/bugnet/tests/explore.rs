//! Harnesses, asked as `cargo bugnet explore` asks them: in processes of their own.

use bugnet::explore::*;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};

static GAUGE: Gauge = Gauge::new(1 << 20, 1 << 24);

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
        Ok("memory") => suite.operation(looks("swells", "{0}.swells()", swell_at_six)),
        _ => suite,
    };
    suite.operations(bugnet::laws!(Counter, "Counter"))
}

/// Not a test by itself: what the tests start as a harness.
#[test]
fn harness() {
    if let Ok(arguments) = std::env::var("HARNESS") {
        let code = answer(arguments.split(' ').map(str::to_string).collect(), suite, &GAUGE, None);
        // `ExitCode` cannot be asked for its number.
        let number =
            (0..=255u8).find(|number| format!("{:?}", ExitCode::from(*number)) == format!("{code:?}"));
        std::process::exit(i32::from(number.unwrap_or(255)));
    }
}

/// What a harness says when it is asked something.
fn ask(arguments: &str, deadly: &str) -> (Vec<String>, Output) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["harness", "--exact", "--nocapture", "--test-threads=1"])
        .env("HARNESS", arguments)
        .env("HARNESS_DEADLY", deadly)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let events = said.lines().filter_map(|line| Some(line[line.find("{\"event\"")?..].to_string()));
    (events.collect(), output)
}

fn member<'a>(event: &'a str, name: &str) -> &'a str {
    let start = event.find(&format!("\"{name}\":\"")).unwrap_or_else(|| panic!("no {name} in {event}"));
    let rest = &event[start + name.len() + 4..];
    &rest[..rest.find('"').unwrap()]
}

fn failures(events: &[String]) -> Vec<&String> {
    events.iter().filter(|event| event.starts_with("{\"event\":\"failure\"")).collect()
}

/// A folder for the logs of one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("explore-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn every_way_to_fail_is_told_once_and_reduced_to_the_fewest_calls() {
    let (events, output) = ask("run --seed 1 --programs 4000", "");
    assert!(output.status.success(), "{events:?}");
    let failures = failures(&events);
    let of = |operation: &str| -> Vec<_> {
        failures.iter().filter(|event| member(event, "operation") == operation).collect()
    };
    let panics = of("panics");
    assert_eq!(panics.len(), 1, "{failures:?}");
    assert!(member(panics[0], "place").starts_with("crates/bugnet/tests/explore.rs:"));
    let (reduced, _) = ask(&format!("reduce --tape {}", member(panics[0], "tape")), "");
    assert!(reduced[0].contains(r#""operations":["new","add","add","add","panics"]"#), "{reduced:?}");
    let reflexive = of("law eq_is_reflexive of Counter");
    assert_eq!(reflexive.len(), 1, "{failures:?}");
    let (reduced, _) = ask(&format!("reduce --tape {}", member(reflexive[0], "tape")), "");
    assert!(reduced[0].contains(r#""assert!(&counter == &counter);"]"#), "{reduced:?}");
}

#[test]
fn what_nothing_provides_is_listed_as_out_of_reach() {
    let (events, _) = ask("list", "");
    let reads: Vec<_> = events.iter().filter(|event| member(event, "name") == "reads").collect();
    assert_eq!(reads.len(), 1);
    assert!(reads[0].contains("\"reachable\":false"));
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let run = |seed: u32| {
        let (events, _) = ask(&format!("run --seed {seed} --programs 1000"), "");
        failures(&events).into_iter().cloned().collect::<Vec<_>>()
    };
    assert_eq!(run(7), run(7));
    assert_ne!(run(7), run(8));
}

/// Runs until the harness is lost, then traces the program that it was lost in.
fn traced(deadly: &str) -> (Vec<String>, Output, String) {
    let log = folder(deadly).join("log");
    let (events, output) =
        ask(&format!("run --seed 3 --programs 100000 --journal {}", log.display()), deadly);
    ask(&format!("trace --seed 3 --journal {}", log.display()), deadly);
    let tape = std::fs::read_to_string(log.with_extension("trace")).unwrap();
    (events, output, tape)
}

#[test]
fn a_call_that_aborts_is_found_again_by_its_log() {
    let (_, output, tape) = traced("abort");
    assert!(output.status.code().is_none(), "it was ended by a signal");
    let (reduced, _) = ask(&format!("show --tape {tape}"), "abort");
    assert!(reduced[0].contains(r#""aborts"],"lines""#), "the call in flight is the last one: {reduced:?}");
}

#[test]
fn a_value_that_cannot_be_dropped_is_found_again_by_the_log_of_the_program_that_made_it() {
    let (_, output, tape) = traced("drop");
    assert!(output.status.code().is_none(), "it was ended by a signal");
    let (shown, _) = ask(&format!("show --tape {tape}"), "drop");
    assert!(shown[0].contains(r#""arms""#), "{shown:?}");
    let (replayed, output) = ask(&format!("replay --tape {tape}"), "drop");
    assert!(output.status.code().is_none(), "it is dropped again: {replayed:?}");
}

#[test]
fn a_call_that_hangs_is_told_and_found_again() {
    let log = folder("hang").join("log");
    let (events, output) = ask(&format!("run --seed 3 --journal {}", log.display()), "hang");
    assert_eq!(output.status.code(), Some(i32::from(HUNG)), "{events:?}");
    let last = failures(&events).pop().unwrap().clone();
    assert_eq!((member(&last, "operation"), member(&last, "cause")), ("hangs", "hang"));
}

#[test]
fn a_call_that_wants_too_much_memory_is_told_and_the_run_goes_on() {
    let (events, output) = ask("run --seed 3 --programs 3000", "memory");
    assert!(output.status.success(), "{events:?}");
    let lost: Vec<_> =
        failures(&events).into_iter().filter(|event| member(event, "cause") == "memory").collect();
    assert_eq!(lost.len(), 1, "{events:?}");
    assert_eq!(member(lost[0], "operation"), "swells");
    assert!(events.last().unwrap().contains("\"programs\":2999"), "{events:?}");
}

#[test]
fn a_call_that_wants_too_much_memory_can_be_traced_while_the_run_goes_on() {
    let log = folder("kept").join("log");
    let (events, _) = ask(&format!("run --seed 3 --programs 3000 --journal {}", log.display()), "memory");
    let lost = failures(&events).into_iter().find(|event| member(event, "cause") == "memory").unwrap();
    let kept = member(lost, "journal");
    ask(&format!("trace --seed 3 --journal {kept}"), "memory");
    let tape = std::fs::read_to_string(Path::new(kept).with_extension("trace")).unwrap();
    let (shown, _) = ask(&format!("show --tape {tape}"), "memory");
    assert!(shown[0].contains(r#""swells"],"lines""#), "{shown:?}");
}

#[test]
fn what_is_banned_is_never_called_and_can_still_be_replayed() {
    let (events, output) = ask("run --seed 3 --programs 20000 --ban aborts", "abort");
    assert!(output.status.success(), "{events:?}");
    let (_, _, tape) = traced("abort");
    let (events, output) = ask(&format!("replay --tape {tape}"), "abort");
    assert!(output.status.code().is_none(), "{events:?}");
}

#[test]
fn a_program_that_extends_another_can_be_read_and_extended() {
    let mut extended = 0;
    for programs in 600..630 {
        let log = folder("extended").join("log");
        ask(&format!("run --seed 3 --programs {programs} --journal {}", log.display()), "");
        let text = std::fs::read_to_string(&log).unwrap();
        // What the last program begins with was made from programs that were drawn.
        let base = text.lines().next().unwrap().rsplit_once(' ').unwrap().1;
        if !base.is_empty() {
            let (shown, _) = ask(&format!("show --tape {base}"), "");
            assert!(shown.first().is_some_and(|shown| shown.contains(r#""operations":["new""#)), "{base}");
            extended += 1;
        }
    }
    assert!(extended > 3, "only {extended}");
}

#[test]
fn what_was_kept_is_run_first_by_the_process_that_comes_next() {
    let log = folder("heritage").join("log");
    ask(&format!("run --seed 3 --programs 500 --journal {}", log.display()), "");
    let kept = |log: &Path| std::fs::read_to_string(log.with_extension("kept")).unwrap();
    let (first, plan) = (kept(&log), |log: &Path| std::fs::read_to_string(log).unwrap());
    let tape = first.split(' ').next().unwrap().to_string();
    assert!(first.lines().count() > 3, "{first}");
    ask(&format!("run --seed 3 --first 500 --programs 1 --journal {}", log.display()), "");
    assert!(plan(&log).lines().next().unwrap().ends_with(&format!(" 0 {tape}")), "{}\n{tape}", plan(&log));
    // Whoever begins at the beginning inherits nothing.
    ask(&format!("run --seed 3 --programs 1 --journal {}", log.display()), "");
    assert!(!plan(&log).contains(&tape) && kept(&log).lines().count() < 2);
}

#[test]
fn a_program_is_reduced_though_others_near_it_want_too_much_memory() {
    let (events, _) = ask("run --seed 1 --programs 4000", "memory");
    let panics = failures(&events).into_iter().find(|event| member(event, "operation") == "panics").unwrap();
    // A program that does both: what is simpler without the panic swells.
    let tape = member(panics, "tape");
    let (reduced, output) = ask(&format!("reduce --tape {tape}"), "memory");
    assert!(output.status.success(), "{reduced:?}");
    assert!(reduced[0].contains(r#""operations":["new","add","add","add","panics"]"#), "{reduced:?}");
    let log = folder("swelling").join("log");
    let (events, _) = ask(&format!("run --seed 3 --programs 3000 --journal {}", log.display()), "memory");
    let lost = failures(&events).into_iter().find(|event| member(event, "cause") == "memory").unwrap();
    let kept = member(lost, "journal");
    ask(&format!("trace --seed 3 --journal {kept}"), "memory");
    let tape = std::fs::read_to_string(Path::new(kept).with_extension("trace")).unwrap();
    let (reduced, _) = ask(&format!("reduce --tape {tape}"), "memory");
    let expected = r#""operations":["new","add","add","add","add","add","add","swells"]"#;
    assert!(reduced[0].contains(expected), "{reduced:?}");
}
