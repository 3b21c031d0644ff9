//! The commands, run on the crates in `fixtures`.
//!
//! The fixture is copied first, so that what the commands write is not written into the tree. All tests
//! share the copy and its target folder: it is built once.
//!
//! **Invariant:** a test that leaves something in the copy is the only one that looks at it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// The copy of the fixture.
static ORCHARD: LazyLock<PathBuf> = LazyLock::new(|| copied("orchard", "apples"));

/// Copies a fixture; one of its crates has the library among its dependencies.
fn copied(fixture: &str, member: &str) -> PathBuf {
    copied_to(fixture, fixture, member)
}

/// Copies a fixture to a folder of another name.
fn copied_to(name: &str, fixture: &str, member: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&copy);
    copy_folder(&here.join("tests/fixtures").join(fixture), &copy);
    let manifest = copy.join(member).join("Cargo.toml");
    // Where the library is, as the fixture has it, seen from the crate.
    let depth = copy.join(member).strip_prefix(&copy).unwrap().components().count();
    let there = format!("{}bugnet", "../".repeat(4 + depth));
    let library = here.parent().unwrap().join("bugnet").display().to_string();
    let text = fs::read_to_string(&manifest).unwrap();
    assert!(text.contains(&there), "{text}");
    fs::write(manifest, text.replace(&there, &library)).unwrap();
    // The versions that this workspace has are there already, so that nothing is downloaded.
    let _ = fs::copy(here.join("../../Cargo.lock"), copy.join("Cargo.lock"));
    copy
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            fs::copy(&path, target).unwrap();
        }
    }
}

/// The outcome of a command.
struct Done {
    code: i32,
    output: String,
    errors: String,
}

impl Done {
    fn assert_has(&self, parts: &[&str]) {
        for part in parts {
            assert!(self.output.contains(part), "{part:?} is not in\n{}\n{}", self.output, self.errors);
        }
    }

    fn assert_refused(&self, parts: &[&str]) {
        assert_eq!(self.code, 2, "{}", self.errors);
        for part in parts {
            assert!(self.errors.contains(part), "{part:?} is not in\n{}", self.errors);
        }
    }
}

fn bugnet_in(folder: &Path, words: &[&str]) -> Done {
    bugnet_with(folder, words, &[])
}

fn bugnet_with(folder: &Path, words: &[&str], variables: &[(&str, &str)]) -> Done {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-bugnet"));
    command.args(words).current_dir(folder);
    command.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("target"));
    // What this test run was told is not for the tests of the fixture.
    for name in ["CI", "BUGNET_CASES", "BUGNET_TIME", "BUGNET_SEED", "BUGNET_PROFILE", "BUGNET_STRATEGIES"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Done { code: status.code().unwrap(), output: text(stdout), errors: text(stderr) }
}

fn bugnet(words: &[&str]) -> Done {
    bugnet_in(&ORCHARD, words)
}

#[test]
fn what_passes_is_one_line_each_and_code_0() {
    let done = bugnet(&["run", "fine::", "--cases", "300"]);
    assert_eq!(done.code, 0, "{}{}", done.output, done.errors);
    done.assert_has(&[
        "      Passed orchard_apples::fine::sums_commute: 300 tests (all ",
        "      Passed orchard_apples::fine::lists_are_labelled: 300 tests.\n",
        "% one\n",
        "      Passed orchard_apples::fine::nothing_is_small: failed, as it should\n",
        "    Finished 3 properties: 3 passed; other tests: 1 passed in ",
    ]);
    assert!(!done.output.contains("printed by the test"), "{}", done.output);
    assert!(done.errors.contains("     Testing 3 properties and 1 other test\n"), "{}", done.errors);
}

#[test]
fn what_does_not_pass_is_told_by_its_kind_and_code_1() {
    let done =
        bugnet(&["run", "nothing_is_allowed", "sevens_are_frequent", "ranges_are_empty", "sums_commute"]);
    assert_eq!(done.code, 1, "{}{}", done.output, done.errors);
    done.assert_has(&[
        "     Gave up orchard_apples::bad::nothing_is_allowed\n",
        " Not covered orchard_apples::bad::sevens_are_frequent\n",
        "  Not tested orchard_apples::bad::ranges_are_empty\n",
        "\n\nsevens_are_frequent: NOT COVERED: \"seven\" in ",
        "    Finished 4 properties: 1 passed, 1 gave up, 1 not covered, 1 not tested in ",
    ]);
}

#[test]
fn a_property_that_needs_a_feature_says_which() {
    let done = bugnet(&["run", "all_bugs_are_wanted"]);
    assert_eq!(done.code, 1, "{}{}", done.output, done.errors);
    done.assert_has(&[
        "  Not tested orchard_apples::bad::all_bugs_are_wanted\n",
        "features = [\"values\"]",
        "`--features bugnet/values`",
    ]);
}

#[test]
fn a_process_that_dies_takes_no_other_test_with_it() {
    let done = bugnet(&["run", "the_process_dies", "sums_commute", "--jobs", "1"]);
    assert_eq!(done.code, 1, "{}{}", done.output, done.errors);
    done.assert_has(&[
        "        Died orchard_apples::bad::the_process_dies\n",
        "  about to die\n",
        "      Passed orchard_apples::fine::sums_commute",
        "    Finished 2 properties: 1 passed, 1 died in ",
    ]);
}

#[test]
fn a_property_that_hangs_is_called_slow_and_ended_at_the_limit() {
    let done = bugnet(&["run", "a_call_does_not_end", "--limit", "2s"]);
    assert_eq!(done.code, 1, "{}{}", done.output, done.errors);
    let slow = "        SLOW orchard_apples::stuck::a_call_does_not_end has been running for more than 1s\n";
    assert!(done.errors.contains(slow), "{}", done.errors);
    done.assert_has(&[
        "        Died orchard_apples::stuck::a_call_does_not_end\n",
        "it was ended, because it took longer than 2s; `--limit` gives it more",
    ]);
}

#[test]
fn other_tests_that_fail_are_told_apart_by_code_4() {
    let done = bugnet(&["run", "plain::", "sums_commute"]);
    assert_eq!(done.code, 4, "{}{}", done.output, done.errors);
    done.assert_has(&[
        "      Failed orchard_apples::plain::a_test_that_fails\n",
        "said by the test\n",
        "it is no property",
        "    Finished 1 property: 1 passed; other tests: 0 passed, 1 failed in ",
    ]);
}

#[test]
fn a_build_that_fails_is_code_3() {
    let done = bugnet(&["run", "-p", "orchard-apples", "--features", "broken"]);
    assert_eq!(done.code, 3, "{}{}", done.output, done.errors);
    assert!(done.errors.contains("this crate is broken"), "{}", done.errors);
}

#[test]
fn settings_reach_the_properties() {
    let done = bugnet(&["run", "sums_commute", "--cases", "17", "--strategies", "random"]);
    done.assert_has(&["sums_commute: 17 tests.\n"]);
    let done = bugnet(&["run", "sums_commute", "--profile", "quick"]);
    done.assert_has(&["sums_commute: 7 tests.\n"]);
}

#[test]
fn what_is_not_understood_is_refused_with_a_sentence_and_code_2() {
    bugnet(&["run", "--time", "soon"]).assert_refused(&["--time", "`soon` is not a length of time"]);
    bugnet(&["run", "--bugs", "many"]).assert_refused(&["--bugs", "write first, more or all"]);
    bugnet(&["run", "--cases", "0"]).assert_refused(&["a number above zero"]);
    bugnet(&["run", "--cases", "5", "--time", "5s"]).assert_refused(&["cannot be used with"]);
    bugnet(&["run", "--profile", "slow"]).assert_refused(&["no profile `slow`; it has: quick"]);
    bugnet(&["run", "no_such_name"]).assert_refused(&["`no_such_name`", "cargo bugnet list"]);
    bugnet(&["run", "-p", "pears"]).assert_refused(&["`pears`; it has: orchard-apples, orchard-fence"]);
    bugnet(&["replay", "sums_commute", "1)"]).assert_refused(&["does not name a case"]);
    for nonsense in ["", "()", "nonsense"] {
        bugnet(&["replay", "sums_commute", nonsense])
            .assert_refused(&["does not name a case", "in a report"]);
    }
    bugnet(&["replay", "sums_commute", "1.2.3.4.5.6.7.8"])
        .assert_refused(&["is no case of", "so nothing was tested"]);
    bugnet(&["replay", "no_such_name", "1"]).assert_refused(&["no property is called `no_such_name`"]);
    bugnet(&["replay", "a_test_that_fails", "1"]).assert_refused(&["not a property"]);
    bugnet_in(&ORCHARD.join("fence"), &["list"]).assert_refused(&["cargo add --dev bugnet"]);
    bugnet_in(Path::new("/"), &["list"]).assert_refused(&["could not find `Cargo.toml`"]);
}

#[cfg(target_os = "linux")]
#[test]
fn the_child_of_an_isolated_property_is_confined_unless_a_setting_says_otherwise() {
    let done = bugnet(&["run", "nothing_is_left_outside"]);
    assert_eq!(done.code, 0, "{}{}", done.output, done.errors);
    let left = ORCHARD.join("apples/left");
    assert!(!left.exists());
    // The key of the file, which no other property of the fixture asks for.
    let file = ORCHARD.join("bugnet.toml");
    let whole = fs::read_to_string(&file).unwrap();
    let replace = |text: &str| {
        fs::write(file.with_extension("new"), text).unwrap();
        fs::rename(file.with_extension("new"), &file).unwrap();
    };
    replace(&format!("confine = false\n{whole}"));
    let in_file = bugnet(&["run", "nothing_is_left_outside"]);
    replace(&whole);
    let variable = [("BUGNET_CONFINE", "false")];
    let in_variable = bugnet_with(&ORCHARD, &["run", "nothing_is_left_outside"], &variable);
    for done in [in_file, in_variable] {
        assert_eq!(done.code, 1, "{}{}", done.output, done.errors);
        done.assert_has(&["a file was left"]);
    }
    fs::remove_file(left).unwrap();
}

#[test]
fn list_prints_properties_only() {
    let names = [
        "bad::all_bugs_are_wanted",
        "bad::nothing_is_allowed",
        "bad::numbers_are_small",
        "bad::ranges_are_empty",
        "bad::sevens_are_frequent",
        "bad::the_process_dies",
        "basket::basket",
        "fine::lists_are_labelled",
        "fine::nothing_is_small",
        "fine::sums_commute",
        "stuck::a_call_does_not_end",
        "walled::nothing_is_left_outside",
    ];
    let expected: String = names.iter().map(|name| format!("orchard_apples::{name}\n")).collect();
    assert_eq!(bugnet(&["list"]).output, expected);
    // Cargo passes the name of the subcommand on.
    assert_eq!(bugnet(&["bugnet", "list", "--workspace"]).output, expected);
}

#[test]
fn a_refuted_property_is_reported_kept_listed_and_replayed() {
    let done = bugnet(&["run", "numbers_are_small"]);
    assert_eq!(done.code, 1, "{}{}", done.output, done.errors);
    done.assert_has(&[
        "     Refuted orchard_apples::bad::numbers_are_small\n\nnumbers_are_small: FAILED at test ",
        "    let number: u64 = 500;\n",
        "  500 is large\n",
        "  kept in: ",
    ]);
    assert!(!done.output.contains("noise"), "{}", done.output);

    let done = bugnet(&["regressions"]);
    done.assert_has(&[
        "        Kept orchard_apples::bad::numbers_are_small: 1 case\n             let number: u64 = 500;\n",
        "        Gone orchard_apples::fine::sums_were_known: 2 cases\n             let a: u8 = 1;\n",
        "No property has this name now",
    ]);

    let done = bugnet(&["regressions", "--json"]);
    let entries: serde_json::Value = serde_json::from_str(&done.output).unwrap();
    assert_eq!(entries[0]["package"], "orchard-apples");
    assert_eq!(entries[0]["property"], "orchard_apples::bad::numbers_are_small");
    assert_eq!((&entries[0]["exists"], &entries[1]["exists"]), (&true.into(), &false.into()));
    assert_eq!(entries[0]["cases"][0]["input"][0], "let number: u64 = 500;");

    let token = entries[0]["cases"][0]["token"].as_str().unwrap();
    let done = bugnet(&["replay", "numbers_are_small", token]);
    assert_eq!(done.code, 1, "{}{}", done.output, done.errors);
    done.assert_has(&["numbers_are_small: FAILED", "let number: u64 = 500;"]);
    let done = bugnet(&["replay", "bad::numbers_are_small", "1"]);
    assert_eq!(done.code, 0, "{}{}", done.output, done.errors);
    done.assert_has(&["      Passed orchard_apples::bad::numbers_are_small: this case does not fail\n"]);
}

#[test]
fn init_writes_settings_once() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("meadow");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::write(folder.join("Cargo.toml"), "[package]\nname = \"meadow\"\n[workspace]\n").unwrap();
    fs::write(folder.join("src/lib.rs"), "").unwrap();
    assert_eq!(bugnet_in(&folder, &["init"]).code, 0);
    let written = fs::read_to_string(folder.join("bugnet.toml")).unwrap();
    assert!(written.contains("[profile.ci]") && written.contains("# cases = 1_000"), "{written}");
    bugnet_in(&folder, &["init"]).assert_refused(&["bugnet.toml is there already"]);
}

#[test]
fn written_tests_are_compiled_run_and_fail_as_their_programs_did() {
    let pears = copied("pears", "");
    let done = bugnet_in(&pears, &["run", "--write"]);
    assert_eq!(done.code, 1, "{}{}", done.output, done.errors);
    done.assert_has(&["    Finished 3 properties: 0 passed, 3 refuted in "]);
    let written = |name: &str| fs::read_to_string(pears.join(format!("tests/bugnet/{name}.rs"))).unwrap();
    assert!(written("picking").contains("/// `is_counted` fails: not counted\n#[test]\nfn picking_1() {"));
    assert!(written("baskets").contains("    is_right(&basket);\n"));
    assert!(written("pears").contains("    let _ = format!(\"{pear:?}\");\n"));

    // What was written is there in the next run, although nobody has changed anything.
    let done = bugnet_in(&pears, &["run"]);
    assert_eq!(done.code, 1, "{}{}", done.output, done.errors);
    done.assert_has(&[
        "      Failed pears::machines::picking_written::picking_1\n",
        "      Failed pears::apis::pears_written::pears_1\n",
        "      Failed pears::suites::baskets_written::baskets_1\n",
        "    Finished 3 properties: 0 passed, 3 refuted; other tests: 0 passed, 3 failed in ",
    ]);
}

/// The names by which a report offers to accept bugs.
fn offered(report: &str) -> Vec<&str> {
    report.lines().filter_map(|line| line.trim().strip_prefix("known? cargo bugnet accept ")).collect()
}

#[test]
fn an_accepted_bug_is_steered_around_until_it_is_mended() {
    let run = ["run", "basket::", "--cases", "200"];
    let done = bugnet(&run);
    assert_eq!(done.code, 1, "{}{}", done.output, done.errors);
    done.assert_has(&["pattern: close(); add()", "basket: 2 bugs in 200 tests"]);
    let few = bugnet(&["run", "basket::", "--bugs", "more", "--cases", "100000"]);
    few.assert_has(&["pattern: close(); add()", "basket: 2 bugs in "]);
    let tests = few.output.split("basket: 2 bugs in ").nth(1).and_then(|rest| rest.split(' ').next());
    let tests: u64 = tests.and_then(|tests| tests.parse().ok()).expect("a number of tests");
    assert!((100..1_000).contains(&tests), "it ends soon after its last bug: {tests}");
    let names = offered(&done.output);
    assert_eq!(names.len(), 2, "{}", done.output);
    bugnet(&["accept", "no-such"]).assert_refused(&["no bug `no-such`; it has: ", names[0], names[1]]);

    assert_eq!(bugnet(&["accept", names[0]]).code, 0);
    let known = ORCHARD.join("apples/bugnet-known.toml");
    let one = fs::read_to_string(&known).unwrap();
    assert!(one.starts_with("# Bugs that are known") && one.matches("[[bug]]").count() == 1, "{one}");
    assert!(
        one.contains("\nversion = 2\n") && one.contains("\nof = \"test orchard_apples::basket::basket\"\n"),
        "{one}"
    );
    let done = bugnet(&run);
    assert_eq!((done.code, offered(&done.output)), (1, vec![names[1]]), "{}", done.output);

    assert_eq!(bugnet(&["accept", names[1]]).code, 0);
    assert_eq!(bugnet(&["accept", names[1]]).code, 0);
    let both = fs::read_to_string(&known).unwrap();
    assert!(both.starts_with(&one) && both.matches("[[bug]]").count() == 2, "{both}");
    let done = bugnet(&run);
    assert_eq!(done.code, 0, "{}{}", done.output, done.errors);

    let found_again = bugnet(&[&run[..], &["--no-known"]].concat());
    assert_eq!((found_again.code, offered(&found_again.output).len()), (1, 2), "{}", found_again.output);
    let only = bugnet(&[&run[..], &["--only-known"]].concat());
    assert_eq!(only.code, 0, "{}{}", only.output, only.errors);
    assert!(!only.output.contains("in 200 tests"), "{}", only.output);

    let mended = bugnet_with(&ORCHARD, &run, &[("SOFT", "1")]);
    assert_eq!(mended.code, 0, "{}{}", mended.output, mended.errors);
    mended.assert_has(&[" is fixed: remove from bugnet-known.toml"]);
    let denied = bugnet_with(&ORCHARD, &[&run[..], &["--deny-fixed"]].concat(), &[("SOFT", "1")]);
    assert_eq!(denied.code, 1, "{}{}", denied.output, denied.errors);
}

#[test]
fn a_bug_of_a_property_is_accepted_with_a_note_and_an_old_file_becomes_version_2() {
    let orchard = copied_to("values", "orchard", "apples");
    let run = ["run", "numbers_are_small", "--bugs", "all", "--cases", "300", "--features", "bugnet/values"];
    let done = bugnet_in(&orchard, &run);
    assert_eq!(done.code, 1, "{}{}", done.output, done.errors);
    let names = offered(&done.output);
    assert_eq!(names.len(), 1, "{}", done.output);

    let known = orchard.join("apples/bugnet-known.toml");
    let old = "# Ours.\n\n[[bug]]\n# add()\nname = \"odd-crab\"\ntest = \"orchard_apples::gone\"\n\
        pattern = 'add(\"a\")'\nprogram = \"0\"\nnote = \"stays\"\nlink = \"#7\"\n";
    fs::write(&known, old).unwrap();
    let done = bugnet_in(&orchard, &["accept", names[0], "--note", "large for now"]);
    assert_eq!(done.code, 0, "{}{}", done.output, done.errors);
    done.assert_has(&[
        &format!("    Accepted {}, in ", names[0]),
        "   Rewritten bugnet-known.toml, which had no version, as version 2\n",
    ]);
    let text = fs::read_to_string(&known).unwrap();
    let crab = "# Ours.\n\nversion = 2\n\n[[bug]]\n# add()\nname = \"odd-crab\"\nof = \"test orchard_apples::gone\"\n\
        pattern = \"add(\\\"a\\\")\"\nprogram = \"0\"\nnote = \"stays\"\nlink = \"#7\"\n\n[[bug]]\n";
    assert!(text.starts_with(crab), "{text}");
    let lines = [
        "of = \"test orchard_apples::bad::numbers_are_small\"\n",
        "fails = \"panic\"\n",
        "input = \"",
        "note = \"large for now\"\n",
    ];
    assert!(lines.iter().all(|line| text.contains(line)), "{text}");
    let done = bugnet_in(&orchard, &run);
    assert_eq!(done.code, 0, "{}{}", done.output, done.errors);

    fs::write(&known, text.replace("\nname = \"odd-crab\"", "\nname = odd-crab")).unwrap();
    let refused = bugnet_in(&orchard, &["accept", names[0]]);
    refused.assert_refused(&["bugnet-known.toml:7: `name = odd-crab` is not understood; write \"odd-crab\""]);
}

#[test]
fn report_writes_the_page_of_a_campaign_and_says_what_is_wrong_with_another_file() {
    let folder = tempfile::tempdir().unwrap();
    let campaign = r#"{"name":"wasm","command":"","seed":7,"scheme":"mix","targets":["opt"],"tests":12,"failing_tests":0,
        "processor_seconds":1.5,"features":[],"failures":[],"growth":[],"rejections":[]}"#;
    fs::write(folder.path().join("good.json"), campaign).unwrap();
    fs::write(folder.path().join("bad.json"), "{}").unwrap();
    let done = bugnet_in(folder.path(), &["report", "--from", "good.json", "--output", "pages/wasm.html"]);
    assert_eq!(done.code, 0, "{}", done.errors);
    let page = fs::read_to_string(folder.path().join("pages/wasm.html")).unwrap();
    assert!(page.contains("<h1>No new failure in wasm</h1>"), "{page}");
    bugnet_in(folder.path(), &["report"]).assert_refused(&["no campaign in .bugnet", "cargo bugnet swarm"]);
    for (file, says) in [("bad.json", "cargo bugnet swarm --json"), ("none.json", "none.json cannot be read")]
    {
        bugnet_in(folder.path(), &["report", "--from", file]).assert_refused(&[says]);
    }
}
