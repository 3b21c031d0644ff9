//! `cargo bugnet variants --c`, run on a small C program. Only a C compiler is needed.
//!
//! **Invariant:** each test has a folder of its own, and nothing outside of it changes.

use crate::fixture::{Done, fixture};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A folder with the program, its tests and some inputs.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::copy(fixture("parcel").join("parcel.c"), path.join("parcel.c")).unwrap();
        for (name, text) in [("light", "1 2\n"), ("heavy", "30 5 0\n"), ("many", "19 21 1 9\n"), ("none", "")]
        {
            fs::write(path.join(name), text).unwrap();
        }
        fs::write(path.join("tests"), "< light\n2 < heavy\n1 < many\n< none\n7\n").unwrap();
        fs::create_dir(path.join("inputs")).unwrap();
        for (name, text) in [("a", "7 20 7 3 3\n"), ("b", "8 8\n"), ("c", "100000 1 1 1\n"), ("d", "4")] {
            fs::write(path.join("inputs").join(name), text).unwrap();
        }
        Folder(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn run(&self, words: &[&str]) -> Done {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-bugnet"));
        Done::of(command.args(words).current_dir(self.path()).output().unwrap())
    }

    fn variants(&self, words: &[&str]) -> Done {
        self.run(&[&["variants", "--c", "parcel.c"], words].concat())
    }

    fn report(&self, words: &[&str]) -> (Done, Value) {
        let done = self.variants(&[words, &["--json", "report.json"]].concat());
        let text = fs::read_to_string(self.path().join("report.json"));
        let text = text.unwrap_or_else(|_| panic!("{}\n{}", done.output, done.errors));
        (done, serde_json::from_str(&text).unwrap())
    }
}

/// The repair of the planted fault, as a mutant is named.
const REPAIR: &str = "parcel.c:21:9: replace weight >= LIMIT with weight > LIMIT in postage";

fn names(report: &Value, class: &str) -> Vec<String> {
    let all = report[class].as_array().unwrap();
    all.iter().map(|mutant| mutant["name"].as_str().unwrap().to_string()).collect()
}

#[test]
fn an_input_that_shows_a_fault_becomes_a_question_with_the_repair_among_its_mutants() {
    let folder = Folder::new();
    let (done, report) = folder.report(&["--tests", "tests", "--inputs", "inputs"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    assert!(names(&report, "neutral").iter().any(|name| name == REPAIR), "{}", done.output);
    let alarms = report["alarms"].as_array().unwrap();
    let shows = |alarm: &&Value| alarm["mutations"].as_array().unwrap().iter().any(|mutant| mutant == REPAIR);
    let alarm = alarms.iter().find(shows).expect("an input shows the fault");
    let program: Vec<&str> =
        alarm["program"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    assert!(program.iter().any(|line| line.contains("20")), "{program:?}");
    assert_ne!(alarm["original"], alarm["variant"]);
}

#[test]
fn mutants_that_the_tests_notice_are_killed_and_the_others_are_printed() {
    let folder = Folder::new();
    let (done, report) = folder.report(&["--tests", "tests", "--missed"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    assert!(done.output.contains(&format!("MISSED    {REPAIR}\n")), "{}", done.output);
    let killed = names(&report, "killed");
    for expected in [
        "parcel.c:22:9: delete price = price * 2; in postage",
        "parcel.c:38:9: replace zone < 0 || zone > 2 with zone < 0 in main",
    ] {
        assert!(killed.iter().any(|name| name == expected), "{expected} is not among\n{}", killed.join("\n"));
    }
    let share = report["mutants"].as_f64().unwrap() / report["proposed"].as_f64().unwrap();
    assert!(share > 0.97, "only {share} of the mutants compile");
    assert!(!folder.path().join("a.out").exists() && !folder.path().join("bugnet-program").exists());
}

#[test]
fn what_is_right_becomes_a_test_and_is_not_asked_again() {
    let folder = Folder::new();
    let run = || folder.report(&["--tests", "tests", "--inputs", "inputs"]);
    let open = run().1["alarms"].as_array().unwrap().len();
    let accepted = folder.run(&["review", "--c", "--accept-all"]);
    assert_eq!(accepted.code, Some(0), "{}\n{}", accepted.output, accepted.errors);
    let list = fs::read_to_string(folder.path().join("bugnet-tests.list")).unwrap();
    assert_eq!(list.lines().count(), open);
    let (done, report) = run();
    assert_eq!((done.code, report["alarms"].as_array().unwrap().len()), (Some(0), 0), "{}", done.output);
    assert!(!names(&report, "neutral").iter().any(|name| name == REPAIR));
    let text = fs::read_to_string(folder.path().join("parcel.c")).unwrap();
    fs::write(folder.path().join("parcel.c"), text.replace("%d parcels, %d", "%d parcels: %d")).unwrap();
    let changed = folder.variants(&["--tests", "tests"]);
    assert_eq!(changed.code, Some(2));
    assert!(changed.errors.contains("does not do any more what was called right"), "{}", changed.errors);
}

#[test]
fn the_paper_deletes_and_inserts_statements_alone() {
    let folder = Folder::new();
    let listed = folder.variants(&["--operators", "paper", "--list"]).output;
    assert!(listed.lines().count() > 10, "{listed}");
    assert!(listed.lines().all(|line| line.contains(": delete ") || line.contains(": insert ")), "{listed}");
    let few = ["--tests", "tests", "--inputs", "inputs", "--n", "2", "--k", "3"];
    let (done, drawn) = folder.report(&few);
    assert_eq!(drawn["variants"], 2, "{}", done.output);
    // Two variants of three mutants each can notice no more than six.
    let noticed = |report: &Value| report["noticed"].as_u64().unwrap();
    let all = folder.report(&few[..4]).1;
    assert!(noticed(&drawn) <= 6 && noticed(&drawn) < noticed(&all), "{drawn}");
}

#[test]
fn a_program_with_a_makefile_is_built_by_it() {
    let folder = Folder::new();
    let rules =
        "parcels: parcel.o\n\tgcc -o parcels parcel.o\nparcel.o: parcel.c\n\tgcc -std=gnu89 -c parcel.c\n";
    fs::write(folder.path().join("Makefile"), rules).unwrap();
    // Without `make` on the machine the same two calls come from a script.
    fs::write(folder.path().join("build.sh"), "gcc -std=gnu89 -c parcel.c && gcc -o parcels parcel.o\n")
        .unwrap();
    let has_make = Command::new("make").arg("--version").output().is_ok();
    let build = if has_make { "make -B" } else { "sh build.sh" };
    let done = folder.variants(&["--build", build, "--tests", "tests", "--missed"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    assert!(done.output.contains(REPAIR), "{}", done.output);
    assert!(!folder.path().join("parcels").exists());
}

/// Writes a program that prints the number of its words, and does something else if there are more than three.
fn write_deed(folder: &Folder, deed: &str) {
    let text = format!(
        "#include <stdio.h>\n#include <unistd.h>\nint main(int argc, char **argv) {{\n  if (argc > 4) {deed};\n  \
         printf(\"%d\\n\", argc);\n  return 0;\n}}\n"
    );
    fs::write(folder.path().join("parcel.c"), text).unwrap();
    fs::write(folder.path().join("words"), "1\n1 2\n").unwrap();
}

/// The mutant that always does the deed.
const DEED: &str = "parcel.c:4:7: replace argc > 4 with 1 in main";

#[test]
fn a_mutant_that_removes_files_removes_none() {
    let folder = Folder::new();
    write_deed(&folder, "remove(\"victim\")");
    let victim = folder.path().join("victim");
    fs::write(&victim, "here").unwrap();
    let (done, report) = folder.report(&["--tests", "words", "--missed"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    // It was run on both tests, and prints what the program prints.
    assert!(names(&report, "neutral").iter().any(|name| name == DEED), "{}", done.output);
    assert_eq!(fs::read_to_string(&victim).unwrap(), "here");
    // Nothing but the confinement has kept it from that.
    let build = Command::new("cc").args(["-o", "free", "parcel.c"]).current_dir(folder.path()).status();
    assert!(build.unwrap().success());
    let free = Command::new("./free").args(["1", "2", "3", "4"]).current_dir(folder.path()).output();
    assert!(free.unwrap().status.success() && !victim.exists());
}

#[test]
fn a_mutant_that_sleeps_is_killed_and_an_input_on_which_the_program_sleeps_is_told() {
    let folder = Folder::new();
    write_deed(&folder, "sleep(10000)");
    fs::write(folder.path().join("more"), "3\n1 2 3 4\n").unwrap();
    let (done, report) =
        folder.report(&["--tests", "words", "--inputs", "more", "--re", "argc > 4 with 1 in"]);
    let killed = report["killed"].as_array().unwrap();
    let sleeps =
        killed.iter().find(|mutant| mutant["name"] == DEED).expect("the mutant that sleeps is killed");
    assert_eq!(sleeps["killed_by"], "did not end");
    assert!(done.errors.contains("does not come to its end on: 1 2 3 4"), "{}", done.errors);
    assert!(done.errors.contains("left out 1 input: no end within ten seconds"), "{}", done.errors);
    assert_eq!(report["programs"], 1);
}

#[test]
fn bad_input_gets_a_sentence_that_says_what_to_do() {
    let folder = Folder::new();
    fs::write(folder.path().join("broken.c"), "int main() { return }\n").unwrap();
    fs::write(folder.path().join("lost"), "< nowhere\n").unwrap();
    fs::write(
        folder.path().join("time.c"),
        "#include <stdio.h>\nint main() { printf(\"%p\\n\", (void *)&main); return 0; }\n",
    )
    .unwrap();
    let said = |words: &[&str]| {
        let done = folder.run(&[&["variants"], words].concat());
        (done.code.unwrap(), done.errors)
    };
    for (words, code, text) in [
        (&["--c", "missing.c"][..], 2, "missing.c is not there"),
        (&["--c", "broken.c"], 3, "fails before anything is changed"),
        (&["--c", "parcel.c"], 2, "--tests is missing"),
        (&["--c", "parcel.c", "--tests", "lost"], 2, "the input nowhere is neither here nor beside its list"),
        (&["--c", "parcel.c", "--build", "true"], 2, "links no program"),
        (&["--c", "time.c", "--tests", "tests"], 2, "no test behaves the same twice"),
    ] {
        let (found, errors) = said(words);
        assert!(found == code && errors.contains(text), "{words:?} ended with {found}:\n{errors}");
    }
}
