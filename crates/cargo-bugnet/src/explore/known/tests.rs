use super::*;
use crate::finding::Place;
use crate::judge::bug::Why;
use crate::judge::bug::example::{bug, call, program};

fn known(bug: KnownBug) -> Known {
    Known { bug, file: FILE, program: None }
}

/// The bug of the example as it is accepted, and the same as 0.1 had it.
fn blocks() -> [KnownBug; 2] {
    let bug = KnownBug {
        name: "bit_vec_split_off_panics".to_string(),
        of: Of::Crate("bit-vec".to_string()),
        fails: "panic by unwrap in call BitVec::split_off".to_string(),
        function: Some("BitVec::split_off".to_string()),
        case: Case::Program("1.2".to_string()),
        ..KnownBug::default()
    };
    let fails = "panic in BitVec::split_off".to_string();
    let old = KnownBug { function: None, file: Some("src/lib.rs".to_string()), fails, ..bug.clone() };
    [bug, old]
}

/// The bug of the example in some function of a file.
fn at(function: &str, place: &str) -> Bug {
    let mut bug = bug();
    bug.finding.place = Place::read(place);
    bug.inner = Some(function.to_string());
    bug
}

const HERE: (&str, &str) = ("BitVec::split_off", "src/lib.rs:3:9");

fn also(operation: &str, rule: &'static str) -> Also {
    Also {
        operation: operation.to_string(),
        law: None,
        at: None,
        after: Vec::new(),
        why: Why { rule, words: "" },
    }
}

#[test]
fn a_bug_is_known_by_its_operation_its_mistake_and_its_function() {
    let [named, old] = blocks().map(known);
    let here = at(HERE.0, HERE.1);
    assert!(named.is(&here) && old.is(&here));
    // Another function of the same file.
    let beside = at("BitVec::other", "src/lib.rs:6:1");
    assert!(!named.is(&beside) && old.is(&beside));
    assert!(!old.is(&at(HERE.0, "src/other.rs:3:9")));
    let mut other = here.clone();
    other.finding.operation = "another".to_string();
    assert!(!named.is(&other));
    other.also = vec![also("BitVec::split_off", "one place")];
    assert!(named.is(&other));
    // The same function with another mistake, after the first was mended.
    let mut index = here.clone();
    index.finding.message = "index out of bounds: the len is 0 but the index is 3".to_string();
    assert!(!named.is(&index) && old.is(&index));
    other.finding.cause = Cause::Hang;
    assert!(!named.is(&other));
}

#[test]
fn a_function_that_other_changes_make_fail_is_another_bug() {
    let [mut known, _] = blocks().map(known);
    let made = |calls: &[&str]| {
        let calls = calls.iter().enumerate();
        program(calls.map(|(place, name)| if place == 0 { call(name) } else { call(name).using(&[0]) }))
    };
    let with = |calls: &[&str]| Bug { program: made(calls), ..bug() };
    known.program = Some(made(&["BitVec<u8>::new", "BitVec::grow", "BitVec::split_off"]));
    assert!(known.is(&with(&["BitVec<u32>::new", "BitVec::split_off"])));
    // Whatever made the value.
    assert!(known.is(&with(&["BitVec::from_elem", "BitVec::grow", "BitVec::push", "BitVec::split_off"])));
    assert!(!known.is(&with(&["BitVec::new", "BitVec::clear", "BitVec::split_off"])));
}

#[test]
fn a_member_of_a_family_that_was_not_listed_is_news() {
    let [mut known, _] = blocks().map(known);
    let mut found = at(HERE.0, HERE.1);
    found.also = vec![also("BitSet::split_off", "one family"), also("BitMap::split_off", "one family")];
    let others = ["BitMap::split_off", "BitSet::split_off"].map(str::to_string).to_vec();
    assert_eq!(known.covers(&found), Covered::AllBut(others.clone()));
    known.bug.members = vec![others[0].clone()];
    assert_eq!(known.covers(&found), Covered::AllBut(others[1..].to_vec()));
    known.bug.members = others;
    assert_eq!(known.covers(&found), Covered::Whole);
    // Who else reaches one place is another matter: each run meets others of them.
    found.also.push(also("BitVec::truncate", "one place"));
    assert_eq!(known.covers(&found), Covered::Whole);
}

#[test]
fn a_new_member_that_is_shown_first_is_news_of_the_known_family() {
    let [mut known, _] = blocks().map(known);
    known.bug.members = vec!["BitMap::split_off".to_string()];
    let mut found = at("BitArc::split_off", "src/arc.rs:9:9");
    found.finding.operation = "BitArc::split_off".to_string();
    found.also = vec![also("BitVec::split_off", "one family"), also("BitMap::split_off", "one family")];
    assert_eq!(known.covers(&found), Covered::AllBut(vec!["BitArc::split_off".to_string()]));
    // A function of another name, and one that only fails at the same place, are none of the family.
    found.inner = Some("BitArc::grow".to_string());
    assert_eq!(known.covers(&found), Covered::No);
    found.inner = Some("BitArc::split_off".to_string());
    found.also = vec![also("BitVec::split_off", "one place")];
    assert_eq!(known.covers(&found), Covered::No);
}

#[test]
fn a_bug_whose_program_or_operation_is_gone_is_said_to_be_neither_fixed_nor_kept() {
    let [mut known, _] = blocks().map(known);
    let there = ["BitVec::split_off".to_string()];
    let said = |known: &Known, operations: &[String]| known.problem(operations).unwrap_or_default();
    assert!(said(&known, &there).contains("is none of this crate any more, so it was not run; accept"));
    known.program = Some(program([call("BitVec::split_off")]));
    assert_eq!(known.problem(&there), None);
    assert!(
        said(&known, &[]).contains("`BitVec::split_off`, which cannot be called any more (was it renamed?)")
    );
}

#[test]
fn a_bug_known_by_its_file_gets_its_function_when_it_is_met() {
    let [mut bug, old] = blocks();
    let old = known(KnownBug { note: "later".to_string(), pattern: Some("p".to_string()), ..old });
    let here = || vec![at(HERE.0, HERE.1)];
    assert_eq!(old.with_function(&[]), None);
    assert_eq!(old.with_function(&[Bug { inner: None, ..at(HERE.0, HERE.1) }]), None);
    (bug.note, bug.pattern) = ("later".to_string(), Some("p".to_string()));
    assert_eq!(old.with_function(&here()), Some(bug.clone()));
    assert_eq!(known(bug).with_function(&here()), None);
}

/// A file as 0.1 wrote it.
const OLD: &str = "\
# Bugs that `cargo bugnet explore` has found, and that are known. They are counted and not shown.
# Commit this file. Delete a bug when it is mended: a run says so.

[[known]]
name = \"bit_vec_split_off_panics\"
package = \"bit-vec\"
operation = \"BitVec::split_off\"
cause = \"panic\"
file = \"src/lib.rs\"
tape = \"1.2\"
note = \"later\"
";

/// The known bugs of a package, by a harness that can read no program.
fn bugs(folder: &Path, package: &str) -> Result<Vec<Known>> {
    read(folder, package, &|_| Ok(Program::default()))
}

#[test]
fn bugs_of_both_files_are_read_and_accepting_one_moves_all_to_one_file() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(bugs(folder.path(), "bit-vec").unwrap(), []);
    fs::write(folder.path().join(EXPLORED), OLD).unwrap();
    let found = bugs(folder.path(), "bit-vec").unwrap();
    assert_eq!((found.len(), found[0].file), (1, EXPLORED));
    assert_eq!(bugs(folder.path(), "stone").unwrap(), []);

    let [bug, _] = blocks();
    let mut files = Files::read(folder.path()).unwrap();
    assert_eq!(files.moved, 1);
    assert_eq!(files.accept(bug.clone(), None), Accepted::Changed);
    assert_eq!(files.accept(bug.clone(), None), Accepted::Unchanged);
    files.write().unwrap();
    assert!(!folder.path().join(EXPLORED).exists());
    let found = bugs(folder.path(), "bit-vec").unwrap();
    assert_eq!((found.len(), found[0].file, found[0].bug.note.as_str()), (1, FILE, "later"));
    assert_eq!((&found[0].bug.function, &found[0].bug.file), (&bug.function, &None));

    // The old file may come back with a branch; the new one wins.
    fs::write(folder.path().join(EXPLORED), OLD.to_string() + "\n[profile]\ntime = 1\n").unwrap();
    let mut files = Files::read(folder.path()).unwrap();
    assert_eq!((files.moved, files.known.bugs.len()), (0, 1));
    assert_eq!(files.accept(bug, Some("soon")), Accepted::Changed);
    files.write().unwrap();
    let left = fs::read_to_string(folder.path().join(EXPLORED)).unwrap();
    assert!(left.contains("[profile]\ntime = 1\n") && !left.contains("known]]"), "{left}");
    assert_eq!(bugs(folder.path(), "bit-vec").unwrap()[0].bug.note, "soon");
}

#[test]
fn a_file_that_is_not_understood_is_named_with_its_line_and_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    for name in [EXPLORED, FILE] {
        fs::write(folder.path().join(name), "# ours\n[[known]]\nname = 7\n").unwrap();
        let error = bugs(folder.path(), "fruit").unwrap_err().to_string();
        assert!(error.contains(&format!("{name}:3: ")) && error.contains("write \"7\""), "{error}");
    }
}
