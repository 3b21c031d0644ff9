//! Tests of the failures that are found, and of the words for them.

use super::demo::{Demo, timeless};
use serde_json::Value;

fn features(influences: &Value) -> Vec<&str> {
    influences.as_array().unwrap().iter().map(|influence| influence["feature"].as_str().unwrap()).collect()
}

/// The failure whose signature contains a text.
#[track_caller]
fn failure<'a>(report: &'a Value, text: &str) -> &'a Value {
    let all = report["failures"].as_array().unwrap();
    let found = all.iter().find(|failure| failure["happened"].as_str().unwrap().contains(text));
    found.unwrap_or_else(|| panic!("no failure has {text}: {report:#}"))
}

#[test]
fn each_planted_bug_is_found_once_reduced_and_explained() {
    let demo = Demo::new();
    let (done, report) = demo.swarm(&["--tests", "300", "--seed", "1"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    assert_eq!(report["tests"], 300);
    assert_eq!(report["failures"].as_array().unwrap().len(), 4, "{}", done.output);

    let shift = failure(&report, "a shift is less than 64");
    assert_eq!(shift["target"], "optimizer");
    assert!(features(&shift["triggers"]).contains(&"operators.shift"), "{shift:#}");
    let registers = failure(&report, "no register is left");
    assert!(features(&registers["triggers"]).contains(&"lets"), "{registers:#}");
    assert!(features(&registers["suppressors"]).contains(&"loops"), "{registers:#}");
    let signs = failure(&report, "two signs before");
    assert!(features(&signs["triggers"]).contains(&"negation"), "{signs:#}");
    let division = report["failures"].as_array().unwrap();
    let division =
        division.iter().find(|failure| failure["signature"] == "optimizer disagrees with interpreter");
    assert!(division.unwrap()["input"]["text"].as_str().unwrap().contains('/'), "{report:#}");
    for (failure, most) in [(shift, 20), (signs, 12), (division.unwrap(), 16)] {
        let bytes = failure["input"]["bytes"].as_u64().unwrap();
        assert!(bytes <= most, "{bytes} bytes: {failure:#}");
        let file = demo.path().join(".bugnet").join(failure["input"]["file"].as_str().unwrap());
        assert_eq!(std::fs::metadata(file).unwrap().len(), bytes);
    }
}

#[test]
fn the_same_seed_finds_the_same_however_many_processes_there_are() {
    let reports = ["1", "3"].map(|jobs| {
        let words = ["--tests", "120", "--seed", "5", "--no-reduce", "--jobs", jobs];
        timeless(Demo::new().swarm(&words).1)
    });
    assert!(reports[0]["failures"].as_array().unwrap().len() > 1);
    assert_eq!(reports[0], reports[1]);
}

#[test]
fn a_failure_is_replayed_and_one_that_was_accepted_is_counted_and_not_shown() {
    let demo = Demo::new();
    let (_, report) = demo.swarm(&["--tests", "60", "--seed", "1", "--no-reduce"]);
    let failures = report["failures"].as_array().unwrap();
    let replayed = demo.run(&["swarm", "--seed", "1", "--replay", "1"]);
    assert_eq!(replayed.code, Some(1), "{}", replayed.errors);
    assert!(replayed.output.contains(failures[0]["signature"].as_str().unwrap()), "{}", replayed.output);
    let missing = demo.run(&["swarm", "--seed", "1", "--replay", "99"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.errors.contains("there is no failure `99`; there is: 1 ("), "{}", missing.errors);

    for failure in failures {
        let accepted = demo.run(&["accept", failure["name"].as_str().unwrap()]);
        assert_eq!(accepted.code, Some(0), "{}", accepted.errors);
    }
    let (done, report) = demo.swarm(&["--tests", "1", "--seed", "1", "--no-reduce"]);
    assert_eq!(done.code, Some(0), "{}", done.output);
    assert!(done.output.contains(&format!("0 failures, {} known", failures.len())), "{}", done.output);
    assert_eq!(report["tests"], 61, "it goes on where it ended");
}

#[test]
fn schemes_are_compared_with_equal_tests() {
    let demo = Demo::new();
    let words = ["--compare", "all,mix", "--tests", "80", "--blocks", "4", "--no-reduce"];
    let (done, report) = demo.swarm(&words);
    assert_eq!(done.code, Some(1), "{}", done.errors);
    let arms = report["arms"].as_array().unwrap();
    assert!(arms.iter().all(|arm| arm["tests"] == 80 && arm["blocks"].as_array().unwrap().len() == 4));
    assert!(done.output.contains("mix against all: "), "{}", done.output);
}

#[test]
fn a_generator_may_read_random_bytes_which_are_those_of_the_test() {
    let text = "[generator]\ncommand = \"od -An -tu1\"\nstdin = { random = 8 }\n\
                [target.t]\ncommand = \"grep -q ' 7' {in}\"\n[oracle]\nexit = [0]\nreject = []\n";
    // Every input that has a 7 fails, which tells that they differ and are the same in every run.
    let hits = [0, 1].map(|_| {
        let (done, report) = Demo::with(text).swarm(&["--tests", "40", "--no-reduce", "--seed", "2"]);
        assert!(done.errors.is_empty() || !done.errors.contains("error:"), "{}", done.errors);
        report["failing_tests"].as_u64().unwrap()
    });
    assert_eq!(hits[0], hits[1]);
    assert!(hits[0] > 0 && hits[0] < 40, "{hits:?}");
}
