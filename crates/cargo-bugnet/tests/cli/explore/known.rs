//! Runs that follow one another: bugs that are accepted, documentation that changes, runs that were ended.

use crate::fixture::{Crate, Done, target};
use std::fs;
use std::process::Stdio;

#[cfg(unix)]
#[test]
fn a_bug_that_is_accepted_is_not_shown_until_it_is_fixed() {
    let text = "pub fn last(text: &str) -> Option<char> { Some(text.chars().rev().nth(0).unwrap()) }\n";
    let name = "last_panics";
    let known = Crate::with("known", &[("src/lib.rs", text)]);
    let file = known.path().join("bugnet-known.toml");
    let (done, report) = known.explored(&["--programs", "4000"]);
    assert_eq!((done.code, report["bugs"][0]["name"].as_str()), (Some(1), Some(name)), "{}", done.errors);
    known.accept(&["first_panics"]).assert_ended(2, "it has: last_panics");
    for said in ["Accepted last_panics, in ", "there already"] {
        let done = known.accept(&[name]);
        assert!(done.code == Some(0) && done.output.contains(said), "{}\n{}", done.output, done.errors);
    }
    let written = fs::read_to_string(&file).unwrap();
    let lines =
        ["version = 2", "of = \"crate known\"", "fails = \"panic by unwrap in call last\"", "in = \"last\""];
    assert!(lines.iter().all(|line| written.lines().any(|other| other == *line)), "{written}");
    assert_eq!(written.matches("[[bug]]").count(), 1, "{written}");

    let (done, report) = known.explored(&["--programs", "4000"]);
    assert_eq!(done.code, Some(0), "{}\n{}", done.output, done.errors);
    assert_eq!((report["known"].as_u64(), report["bugs"].as_array().map(Vec::len)), (Some(1), Some(0)));
    assert!(done.output.contains("1 known bug not shown (bugnet-known.toml)"), "{}", done.output);

    // What 0.1 wrote hides the bug as well.
    let program = written.lines().find_map(|line| line.strip_prefix("program = ")).unwrap();
    let old = format!(
        "[[known]]\nname = \"last_panics\"\npackage = \"known\"\noperation = \"last\"\ncause = \"panic\"\n\
         file = \"src/lib.rs\"\ntape = {program}\nnote = \"not now\"\n"
    );
    fs::remove_file(&file).unwrap();
    fs::write(known.path().join("bugnet-explore.toml"), old).unwrap();
    let done = known.explore(&["--programs", "4000"]);
    done.assert_ended(0, "`cargo bugnet accept last_panics` moves all its bugs there");
    done.assert_ended(0, "Known last_panics fails in `last`");
    // The next acceptance writes it to the one file, with the function that the run has met it in.
    let done = known.accept(&[name]);
    let moved = "Moved 1 known bug from bugnet-explore.toml to bugnet-known.toml";
    assert!(done.code == Some(0) && done.output.contains(moved), "{}\n{}", done.output, done.errors);
    assert!(!known.path().join("bugnet-explore.toml").exists());
    let again = fs::read_to_string(&file).unwrap();
    let lines = ["in = \"last\"", "note = \"not now\"", "fails = \"panic by unwrap in call last\""];
    assert!(lines.iter().all(|line| again.contains(line)) && !again.contains("file = "), "{again}");

    fs::write(known.path().join("src/lib.rs"), text.replace("Some(", "(").replace(".unwrap()", "")).unwrap();
    let done = known.explore(&["--programs", "4000"]);
    let said = "last_panics: remove it from bugnet-known.toml";
    assert!(done.code == Some(0) && done.output.contains(said), "{}\n{}", done.output, done.errors);
    fs::write(&file, "version = 2\n[[bug]]\nname = 7\n").unwrap();
    known
        .explore(&["--programs", "4000"])
        .assert_ended(2, "bugnet-known.toml:3: `name = 7` is not understood");
}

/// A crate whose bugs version 0.1 has found, with the file that it wrote when one of them was accepted.
struct Old {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    accepted: &'static str,
    /// The bugs that are left.
    left: &'static [&'static str],
    /// Programs as its reports name them, each with a line of it.
    tokens: &'static [(&'static str, &'static str)],
}

const OLD: [Old; 2] = [
    Old {
        name: "boat",
        files: &[("src/lib.rs", include_str!("../../fixtures/boat/src/lib.rs"))],
        accepted: include_str!("../../fixtures/boat/0.1/bugnet-explore.toml"),
        left: &["boat_row_panics"],
        tokens: &[("0.1(7683bf3b(0.0.1))1(f884a031.0(0.0.0))0", "boat.row(")],
    },
    Old {
        name: "library",
        files: &[
            ("src/lib.rs", include_str!("../../fixtures/library/src/lib.rs")),
            ("src/shelf.rs", include_str!("../../fixtures/library/src/shelf.rs")),
        ],
        accepted: include_str!("../../fixtures/library/0.1/bugnet-explore.toml"),
        left: &[],
        tokens: &[("0.1(248e8584)1(9da17afa.0)0", "Pages::MOST")],
    },
];

#[test]
fn what_version_0_1_accepted_stays_known_and_its_programs_are_replayed() {
    for old in OLD {
        let krate = Crate::with(old.name, old.files);
        fs::write(krate.path().join("bugnet-explore.toml"), old.accepted).unwrap();
        let (done, report) = krate.explored(&["--programs", "4000", "--seed", "1"]);
        let bugs = report["bugs"].as_array().unwrap().iter().map(|bug| bug["name"].as_str().unwrap());
        assert_eq!(bugs.collect::<Vec<_>>(), old.left, "{}\n{}", done.output, done.errors);
        assert_eq!((&report["known"], &report["deaths"]), (&1.into(), &0.into()), "{}", done.output);
        for (token, line) in old.tokens {
            let done = krate.explore(&["--replay", token]);
            assert_eq!(done.code, Some(1), "{token}: {}\n{}", done.output, done.errors);
            assert!(done.output.contains(line), "{token}: {}", done.output);
        }
    }
}

#[test]
fn documentation_that_changes_is_read_again_though_the_harness_does_not_change() {
    let code = "pub fn first(list: &[u8]) -> u8 {\n    *list.first().unwrap()\n}\n";
    let list = Crate::with("list", &[("src/lib.rs", code)]);
    let (done, before) = list.explored(&["--programs", "2000", "--seed", "1"]);
    assert_eq!(before["bugs"].as_array().unwrap().len(), 1, "{}\n{}", done.output, done.errors);
    let documented = format!("/// Returns the first.\n///\n/// # Panics\n///\n/// If there is none.\n{code}");
    fs::write(list.path().join("src/lib.rs"), documented).unwrap();
    let (done, after) = list.explored(&["--programs", "2000", "--seed", "1"]);
    assert_eq!(after["bugs"].as_array().unwrap().len(), 0, "{}\n{}", done.output, done.errors);
    assert_eq!(after["suspects"].as_array().unwrap().len(), 1, "{}\n{}", done.output, done.errors);
}

#[test]
fn ctrl_c_ends_the_run_early_and_loses_nothing() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let text = "pub fn last(numbers: Vec<u8>) -> u8 { numbers.into_iter().last().unwrap() }\n";
    let panicking = Crate::with("panicking", &[("src/lib.rs", text)]);
    let found = |panicking: &Crate| {
        let text =
            fs::read_dir(target().join("bugnet/explore")).ok()?.filter_map(Result::ok).find_map(|entry| {
                let manifest = fs::read_to_string(entry.path().join("Cargo.toml")).ok()?;
                let is_ours = manifest.contains(&*panicking.path().to_string_lossy());
                fs::read_to_string(entry.path().join("run/found.jsonl")).ok().filter(|_| is_ours)
            })?;
        Some(text).filter(|text| !text.is_empty())
    };
    let start = std::time::Instant::now();
    let child = panicking
        .command(&["--time", "1h", "--json", "report.json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // What is found is on disk long before the run ends.
    while found(&panicking).is_none() {
        assert!(start.elapsed().as_secs() < 500, "nothing was found");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let done = Done::of(child.wait_with_output().unwrap());
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    assert!(done.output.contains("`last` unwraps what is not there"), "{}", done.output);
    assert!(panicking.path().join("report.json").is_file());
}
