//! The mistakes of users: each is answered with a sentence that says what to do, and nothing is lost.

use bugnet::campaign::{Environment, Failed, Options, Reason};
use bugnet::prelude::*;
use std::path::{Path, PathBuf};

/// An empty folder for one test, standing for a crate.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mistakes-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn property(name: &str, folder: &Path) -> Property<'static> {
    Property::new(format!("mistakes::{name}")).environment(Environment::none(Seed(1))).folder(folder)
}

fn not_tested(failed: &Failed) -> String {
    let text = failed.to_string();
    assert!(text.contains(": NOT TESTED: "), "{text}");
    text
}

#[test]
fn no_cases_are_refused() {
    let failed = Property::new("none").cases(0).check(any::<u8>(), |_| true).unwrap_err();
    assert!(not_tested(&failed).contains("give a number above zero"));
}

#[test]
fn a_filter_that_rejects_everything_ends_and_says_so() {
    let never = any::<u8>().filter(|_| false);
    let failed = check(never, |_| true).unwrap_err();
    assert!(matches!(failed.reason, Reason::GaveUp { passed: 0, .. }), "{failed}");
    assert!(failed.to_string().contains("only 0 of "), "{failed}");
}

#[test]
fn a_corrupt_regression_file_is_named_with_its_line_and_left_as_it_is() {
    let folder = folder("corrupt");
    let path = folder.join("bugnet-regressions/mistakes.corrupt.txt");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let content = "# kept\ncase 1\ncase 1(\n";
    std::fs::write(&path, content).unwrap();
    let failed = property("corrupt", &folder).check(any::<u8>(), |_| true).unwrap_err();
    let text = not_tested(&failed);
    assert!(text.contains("mistakes.corrupt.txt:3: ") && text.contains("mend or delete the line"), "{text}");
    assert_eq!(std::fs::read_to_string(path).unwrap(), content);
}

#[test]
fn a_folder_that_cannot_be_written_costs_the_file_and_not_the_report() {
    let folder = folder("unwritable");
    // A file where the folder should be: not even an administrator can write into it.
    std::fs::write(folder.join("bugnet-regressions"), "").unwrap();
    let failed = property("unwritable", &folder).check(any::<u8>(), |x| x < 10);
    // The file in the way is a regression file that cannot be read, and is told as such.
    let text = failed.unwrap_err().to_string();
    assert!(text.contains("cannot be read") || text.contains("not kept: "), "{text}");
}

#[test]
fn a_wrong_profile_is_told_with_file_and_line() {
    let folder = folder("profile");
    std::fs::write(folder.join("bugnet.toml"), "cases = 10\nspeed = 9\n").unwrap();
    let failed = Property::new("mistakes::profile").folder(&folder).check(any::<u8>(), |_| true).unwrap_err();
    let text = not_tested(&failed);
    assert!(text.contains("bugnet.toml:2: `speed` is not a setting"), "{text}");
}

#[test]
fn an_empty_choice_is_a_mistake_at_once() {
    let (more, fewer) = (3, 2);
    let makers: [Box<dyn Fn() + std::panic::UnwindSafe>; 4] = [
        Box::new(|| drop(select(Vec::<u8>::new()))),
        Box::new(|| drop(one_of(Vec::<std::ops::Range<u8>>::new()))),
        Box::new(|| drop(weighted([(0, 0..1u8)]))),
        Box::new(move || {
            vec_of(any::<u8>()).len(more..fewer);
        }),
    ];
    for make in makers {
        let payload = std::panic::catch_unwind(make).unwrap_err();
        let text = payload.downcast_ref::<String>().unwrap();
        assert!(text.contains("needs at least one") || text.contains("write a range"), "{text}");
    }
}

#[test]
fn a_kept_case_runs_first_and_is_kept_once() {
    let folder = folder("kept");
    let run = || property("kept", &folder).options(Options::default()).check(any::<u32>(), |x| x < 1000);
    assert!(run().unwrap_err().to_string().contains("at test "));
    let path = folder.join("bugnet-regressions/mistakes.kept.txt");
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(kept.contains("\n    input = 1000\n"), "{kept}");
    assert!(run().unwrap_err().to_string().contains("on a case that was kept"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), kept);
}

#[test]
fn a_property_that_depends_on_more_than_its_input_is_called_flaky() {
    let runs = std::cell::Cell::new(0);
    let failed = check(any::<u8>(), |_| {
        runs.set(runs.get() + 1);
        runs.get() != 7
    })
    .unwrap_err();
    assert!(matches!(failed.reason, Reason::Flaky { failed: 0, .. }), "{failed}");
    assert!(failed.to_string().contains("depends on something that is not its input"));
}

#[cfg(not(feature = "values"))]
#[test]
fn all_bugs_behind_a_property_need_a_feature_which_is_named() {
    let all = Property::new("all").bugs(bugnet::campaign::WantedBugs::ALL);
    let text = not_tested(&all.check(any::<u8>(), |_| true).unwrap_err());
    assert!(text.contains("features = [\"values\"]") && text.contains("--features bugnet/values"), "{text}");
}

#[cfg(not(feature = "values"))]
#[test]
fn a_property_keeps_to_its_first_bug_where_others_cannot_be_told_apart() {
    for property in [Property::new("few"), Property::new("few").bugs(bugnet::campaign::WantedBugs::MORE)] {
        let failed = property.check(any::<u8>(), |x| x < 9).unwrap_err();
        assert!(failed.bugs.len() == 1 && failed.bugs[0].name.is_empty(), "{failed}");
        assert_eq!(failed.arguments()[0].text, "9");
    }
}
