//! Generators, targets and stores that are not as they should be.

use super::demo::{Demo, timeless};
use crate::fixture::Done;

/// A file whose generator and target are shell scripts.
fn demo(generator: &str, target: &str, rest: &str) -> Demo {
    demo_of(generator, "x = { on = \"-x\", off = \"-y\" }", target, rest)
}

/// The same with other features.
fn demo_of(generator: &str, features: &str, target: &str, rest: &str) -> Demo {
    Demo::with(&format!(
        "[generator]\ncommand = '''sh -c '{generator}' generator {{seed}} {{features}}'''\ncpu = \"1s\"\n\
         [features]\n{features}\n\
         [target.t]\ncommand = '''sh -c '{target}' target {{in}}'''\ncpu = \"1s\"\n{rest}\n"
    ))
}

#[track_caller]
fn refused(demo: &Demo, code: i32, expected: &str) -> Done {
    let done = demo.run(&["swarm", "--tests", "60", "--no-reduce"]);
    assert_eq!(done.code, Some(code), "{}\n{}", done.output, done.errors);
    assert!(done.errors.contains(expected), "{}", done.errors);
    done
}

#[test]
fn a_program_that_is_missing_is_named() {
    let text = "[generator]\ncommand = \"no-such-generator {seed}\"\n[target.t]\ncommand = \"cat {in}\"\n";
    refused(&Demo::with(text), 3, "`no-such-generator` is in no folder of PATH");
    let done = Demo::with(text).run(&["swarm", "other.toml"]);
    assert_eq!(done.code, Some(2));
    assert!(done.errors.contains("`cargo bugnet swarm init` writes one"), "{}", done.errors);
}

#[test]
fn a_generator_that_crashes_or_writes_nothing_or_hangs_ends_the_run_before_it_begins() {
    refused(&demo("while :; do :; done", "cat $1", ""), 3, "it used up its processor time");
    refused(
        &demo("kill -SEGV $$", "cat $1", ""),
        3,
        "the generator made no input in 8 tries: it died of signal 11",
    );
    refused(&demo("true", "cat $1", ""), 3, "it wrote nothing");
    refused(&demo("echo no such flag >&2; exit 1", "cat $1", ""), 3, "it ended with code 1: no such flag");
    let refuses_x = "[ $2 = -x ] && { echo bad -x >&2; exit 1; }; echo $1 $2";
    let default_off = demo(refuses_x, "cat $1", "");
    refused(&default_off, 3, "made no input");
}

#[test]
fn a_flag_that_the_generator_refuses_is_named_with_its_feature() {
    let refuses_y = "[ $2 = -y ] && { echo bad -y >&2; exit 1; }; echo $1 $2";
    refused(&demo(refuses_y, "cat $1", ""), 3, "feature `x`: the generator makes nothing with `-y`");
}

#[test]
fn a_feature_that_changes_nothing_and_a_target_that_writes_its_input_are_named() {
    let done = demo("echo $1", "echo >> $1", "").run(&["swarm", "--tests", "3", "--no-reduce"]);
    assert_eq!(done.code, Some(0), "{}", done.errors);
    assert!(done.errors.contains("feature `x` changed nothing"), "{}", done.errors);
    assert!(done.errors.contains("target `t` changes its input"), "{}", done.errors);
}

#[test]
fn a_run_stops_where_nearly_everything_is_rejected_and_says_why() {
    let done = refused(
        &demo("echo $1 $2", "echo bad weather >&2; exit 1", ""),
        3,
        "100 % of the runs were rejected, most often by `t`: bad weather",
    );
    assert!(done.errors.contains("change the flags"), "{}", done.errors);
}

#[test]
fn hangs_are_failures_by_processor_time_where_the_file_says_so() {
    let hangs = "read seed rest < $1; [ $((seed % 3)) = 0 ] && while :; do :; done; exit 0";
    let done =
        demo("echo $1 $2", hangs, "[oracle]\nhang = true").run(&["swarm", "--tests", "8", "--no-reduce"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    assert!(done.output.contains("t: hang"), "{}", done.output);
}

#[test]
fn init_writes_a_file_once() {
    let demo = demo("echo $1 $2", "cat $1", "");
    let done = demo.run(&["swarm", "init", "new.toml"]);
    assert_eq!(done.code, Some(0), "{}", done.errors);
    let text = std::fs::read_to_string(demo.path().join("new.toml")).unwrap();
    assert!(text.contains("[generator]") && text.contains("[features]"), "{text}");
    let again = demo.run(&["swarm", "init", "new.toml"]);
    assert!(again.code == Some(2) && again.errors.contains("is there already"), "{}", again.errors);
}

#[test]
fn two_features_with_one_flag_and_a_pattern_that_does_not_compile_end_the_run_before_it_begins() {
    let twice = "x = { on = \"-x\", off = \"-y\" }\ny = { on = \"-x\" }";
    let shared = demo_of("echo $1 $2", twice, "cat $1", "");
    refused(&shared, 2, "`x` and `y` have one flag, `-x`, so they would undo each other");
    let pattern = demo("echo $1 $2", "cat $1", "[oracle]\nsignature = ['(Assertion']");
    refused(&pattern, 2, "does not compile");
}

#[test]
fn a_store_that_is_newer_or_corrupt_is_left_as_it_is() {
    let demo = demo("echo $1 $2", "cat $1", "");
    assert_eq!(demo.run(&["swarm", "--tests", "3", "--no-reduce"]).code, Some(0));
    let store = demo.path().join(".bugnet/store.sqlite");
    let connection = rusqlite::Connection::open(&store).unwrap();
    connection.execute("UPDATE meta SET value = 99 WHERE name = 'version'", []).unwrap();
    drop(connection);
    refused(&demo, 2, "was written by a newer cargo-bugnet");
    let damaged = b"no database, and long enough to be looked at as one".repeat(40);
    std::fs::write(&store, &damaged).unwrap();
    refused(&demo, 2, "is damaged");
    assert_eq!(std::fs::read(&store).unwrap(), damaged);
}

#[test]
fn a_full_disk_ends_the_run_and_loses_nothing() {
    let text = "[generator]\ncommand = '''sh -c 'echo $1; head -c 400 /dev/zero' generator {seed}'''\n\
                [target.t]\ncommand = '''sh -c 'read -r seed < $1; [ $((seed % 2)) = 1 ]' target {in}'''\n\
                [oracle]\nexit = [1]\n";
    let words = ["swarm", "--tests", "200", "--no-reduce", "--jobs", "1"];
    let (_, whole) = Demo::with(text).swarm(&words[1..]);
    let demo = Demo::with(text);
    let command = demo.command(&words);
    // A limit on the size of files stands for a full disk: what is longer cannot be written.
    let full = std::process::Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 120; exec \"$@\"", "sh"])
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(demo.path())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&full.stderr);
    assert_eq!(full.status.code(), Some(2), "{errors}");
    assert!(errors.contains("make room on the disk and run again"), "{errors}");
    let (done, report) = demo.swarm(&words[1..]);
    assert_eq!(done.code, Some(1), "{}", done.errors);
    assert_eq!(timeless(report), timeless(whole));
}

#[test]
fn init_takes_the_generator_that_is_installed_and_the_programs_that_read_it() {
    let demo = demo("echo $1 $2", "cat $1", "");
    let folder = demo.path().join("bin");
    std::fs::create_dir(&folder).unwrap();
    for name in ["csmith", "gcc"] {
        std::fs::write(folder.join(name), "").unwrap();
    }
    let done = demo.command(&["swarm", "init", "c.toml"]).env("PATH", &folder).output().unwrap();
    assert_eq!(done.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&done.stderr).contains("csmith is here, which makes C programs"));
    let text = std::fs::read_to_string(demo.path().join("c.toml")).unwrap();
    assert!(text.contains("command = \"csmith ") && text.contains("command = \"gcc "), "{text}");
    assert!(!text.contains("command = \"clang "), "{text}");
}
