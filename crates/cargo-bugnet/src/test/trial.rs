//! Trials: one test run in a process of its own, so that its death is its own as well.
//!
//! **Invariant:** each test is run once, and its outcome is told as soon as it is known.

use crate::confine;
use crate::status;
use crate::test::binary::Test;
use crate::test::outcome::{Ended, Outcome};
use anyhow::{Context, Result};
use bugnet::oracle;
use bugnet::wire::{Command, VERSION, decode, encode};
use bugnet_process::{Finished, How, Next, Process, Talk};
use std::num::NonZeroUsize;
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

/// The time a test may take besides the time of its search, if no limit is given.
const LONGEST: Duration = Duration::from_secs(600);
/// After how long a test is called slow for the first time, and then each time that long has passed again.
const SLOW: Duration = Duration::from_secs(60);

/// Variables of the environment, by which the library is told its settings.
pub(crate) type Variables = Vec<(&'static str, String)>;

/// Returns how long one test may take, by what was said of that and of its search.
pub(crate) fn limit(said: Option<Duration>, search: Option<Duration>) -> Duration {
    said.unwrap_or(LONGEST + search.unwrap_or_default())
}

/// Runs one test, and ends it when its time is over.
pub(crate) fn run(test: &Test, variables: &Variables, limit: Duration) -> Result<Outcome> {
    let mut start = test.binary.start();
    for word in [test.name.as_str(), "--exact", "--show-output", "--color", "never"] {
        start = start.argument(word);
    }
    for (name, value) in variables {
        start.variables = start.variables.with(name, value);
    }
    start.launcher = confine::starter()?;
    start.variables = confine::left_to_tests(start.variables)?;
    start.talk = Talk::Frames;
    let mut process =
        Process::start(&start).with_context(|| format!("{} cannot be started", test.full_name()))?;
    process.send(&encode(&Command::Hello { version: VERSION, serve: String::new() }));
    let finished = wait(process, limit, &mut |told| {
        let what = format!("{} has been running for more than {}s", test.full_name(), told.as_secs());
        status::progress("SLOW", &what);
    });
    let ended = Ended {
        name: &test.name,
        is_property: test.is_property,
        failure: in_words(finished.end.how, limit),
        told: finished.frames.iter().filter_map(|frame| decode(frame)).collect(),
        output: &oracle::plain(String::from_utf8_lossy(&finished.output).into_owned()),
        errors: &oracle::plain(finished.end.said),
    };
    Ok(ended.outcome())
}

/// Waits for the end of a test, and says now and then for how long it has been running.
fn wait(mut process: Process, limit: Duration, say: &mut dyn FnMut(Duration)) -> Finished {
    let start = Instant::now();
    let slow = SLOW.min(limit / 2);
    let mut told = slow;
    let mut frames = Vec::new();
    loop {
        match process.next(start + told.min(limit)) {
            Next::Frame(frame) => frames.push(frame),
            Next::Late if start.elapsed() < limit => {
                say(told);
                told += slow;
            }
            Next::Late | Next::Ended(_) => break,
        }
    }
    let mut finished = process.finish(Instant::now());
    frames.append(&mut finished.frames);
    Finished { frames, ..finished }
}

fn in_words(how: How, limit: Duration) -> Option<String> {
    match how {
        How::Exited(0) => None,
        How::TookTooLong => Some(format!(
            "it was ended, because it took longer than {}s; `--limit` gives it more, `--isolate` says which input hangs",
            limit.as_secs()
        )),
        How::Exited(_) => Some(format!("the process ended with {how}")),
        _ => Some(format!("the process ended by {how}")),
    }
}

/// Runs tests, `jobs` at a time, and tells each outcome.
pub(crate) fn run_all(
    tests: Vec<Test>,
    variables: &Variables,
    jobs: Option<NonZeroUsize>,
    limit: Duration,
    mut tell: impl FnMut(Test, Outcome),
) -> Result<()> {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let jobs = jobs.map_or_else(cores, NonZeroUsize::get).min(tests.len());
    let queue = Mutex::new(tests.into_iter());
    let next = || queue.lock().expect("taking the next test does not panic").next();
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some(test) = next() {
                    let outcome = run(&test, variables, limit);
                    // Nobody listens any more once a test could not be started.
                    if sender.send((test, outcome)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        receiver.into_iter().try_for_each(|(test, outcome)| {
            tell(test, outcome?);
            Ok(())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet_process::Start;

    #[cfg(unix)]
    #[test]
    fn a_test_that_hangs_is_called_slow_and_ended_at_the_limit() {
        let process = Process::start(&Start::new("/bin/sleep").argument("60")).unwrap();
        let mut slow = Vec::new();
        let finished = wait(process, Duration::from_millis(300), &mut |told| slow.push(told));
        assert_eq!(slow.first(), Some(&Duration::from_millis(150)));
        assert_eq!(finished.end.how, How::TookTooLong);
        let said = in_words(finished.end.how, Duration::from_secs(90)).unwrap();
        assert!(said.contains("longer than 90s") && said.contains("--limit"), "{said}");
    }

    #[test]
    fn the_limit_is_what_was_said_or_comes_on_top_of_the_search() {
        let seconds = |number| Some(Duration::from_secs(number));
        assert_eq!(limit(seconds(3), seconds(60)), Duration::from_secs(3));
        assert_eq!(limit(None, seconds(60)), Duration::from_secs(660));
    }
}
