use super::*;
use crate::prelude::*;

/// A file of 0.1, as the library wrote it and as its users added to it.
const LIBRARY: &str = r#"# Bugs that are known and not mended yet. Bugnet steers around them.
# Commit this file. Delete a bug when it is mended: a run says so.

[[bug]]
# close(); add()
name = "shy-moth"
test = "apples::basket"
pattern = "close(); add(\"a\\b\")"
program = "0.1(2)0"
fails = "panic in call add"
note = "said \"no\""
link = "https://example.org/7"

# Ours.
[[bug]]
# [.., 7, ..]
name = "odd-crab"
test = "apples::sorts"
pattern = "~[.., 7, ..]"
input = "(1(7))"
fails = "returned false"
note = ""
link = ""
# The end.
"#;

/// A file of 0.1 for explored crates, as the `toml` crate wrote it.
const EXPLORED_TEXT: &str = r#"# Bugs that `cargo bugnet explore` has found, and that are known. They are counted and not shown.
# Commit this file. Delete a bug when it is mended: a run says so.

[[known]]
name = "fixed_bit_set_grow_panics"
package = "fixedbitset"
operation = "FixedBitSet::grow"
cause = "panic"
file = "src/lib.rs"
tape = "0.1(2)0"
pattern = '?a = FixedBitSet::parse("x"); FixedBitSet::grow(?a)'
note = ""

# Seen twice.
[[known]]
name = "law_holds"
package = "fixedbitset"
operation = "law default_is_equal of FixedBitSet"
cause = "law"
tape = "0.1(3)0"
note = "not now"
severity = 3
"#;

fn written_again(text: &str) -> String {
    KnownFile::read(text).unwrap().to_string()
}

#[test]
fn a_file_of_the_library_without_a_version_becomes_version_2_and_loses_nothing() {
    let file = KnownFile::read(LIBRARY).unwrap();
    assert!(file.is_old);
    let [moth, crab] = &file.bugs[..] else { panic!("{file:?}") };
    assert_eq!((moth.name.as_str(), moth.line), ("shy-moth", 4));
    assert_eq!(moth.of, Of::Test("apples::basket".to_string()));
    assert_eq!(moth.pattern.as_deref(), Some(r#"close(); add("a\b")"#));
    assert_eq!(moth.case.tape().values(), [0, 1, 2, 0]);
    assert_eq!(crab.case, Case::Input("(1(7))".to_string()));
    let expected = r#"# Bugs that are known and not mended yet. Bugnet steers around them.
# Commit this file. Delete a bug when it is mended: a run says so.

version = 2

[[bug]]
# close(); add()
name = "shy-moth"
of = "test apples::basket"
fails = "panic in call add"
pattern = "close(); add(\"a\\b\")"
program = "0.1(2)0"
note = "said \"no\""
link = "https://example.org/7"

# Ours.
[[bug]]
# [.., 7, ..]
name = "odd-crab"
of = "test apples::sorts"
fails = "returned false"
pattern = "~[.., 7, ..]"
input = "(1(7))"
note = ""
link = ""

# The end.
"#;
    assert_eq!(file.to_string(), expected);
    let again = KnownFile::read(expected).unwrap();
    assert!(!again.is_old);
    assert_eq!(again.to_string(), expected);
}

#[test]
fn blocks_of_explored_crates_move_and_other_settings_stay() {
    let mut file = KnownFile::new();
    assert_eq!(file.take_explored(EXPLORED_TEXT).unwrap(), "");
    let expected = r#"# Bugs that are known and not mended yet. Bugnet steers around them.
# Commit this file. Delete a bug when it is mended: a run says so.

version = 2

[[bug]]
name = "fixed_bit_set_grow_panics"
of = "crate fixedbitset"
fails = "panic in FixedBitSet::grow"
file = "src/lib.rs"
pattern = "?a = FixedBitSet::parse(\"x\"); FixedBitSet::grow(?a)"
program = "0.1(2)0"
note = ""
link = ""

# Seen twice.
[[bug]]
# severity = 3
name = "law_holds"
of = "crate fixedbitset"
fails = "law in law default_is_equal of FixedBitSet"
program = "0.1(3)0"
note = "not now"
link = ""
"#;
    assert_eq!(file.to_string(), expected);
    assert_eq!(failing(&file.bugs[0].fails), ("panic", None, "FixedBitSet::grow"));
    assert_eq!(failing(&file.bugs[1].fails), ("law", None, "law default_is_equal of FixedBitSet"));

    let settings = "# How we explore.\ntime = \"10s\"\n\n[skip]\noperations = [\n  \"a\",\n]\n";
    let block =
        "\n[[known]]\nname = \"a\"\npackage = \"b\"\noperation = \"c\"\ncause = \"hang\"\ntape = \"0\"\n";
    let mut file = KnownFile::new();
    assert_eq!(file.take_explored(&format!("{settings}{block}")).unwrap(), settings.to_string() + "\n");
    assert_eq!(file.bugs.len(), 1);
    // An error names the line of the whole file.
    let wrong = block.replace("\"hang\"", "7");
    let problem = file.take_explored(&format!("{settings}{wrong}")).unwrap_err();
    assert_eq!(problem.line, 13, "{problem:?}");
}

#[test]
fn what_is_not_understood_is_an_error_that_names_the_line_and_says_what_to_do() {
    let start = "version = 2\n[[bug]]\nname = \"x\"\nof = \"test t\"\npattern = \"p()\"\n";
    for (text, line, problem) in [
        (format!("{start}patern = \"now()\""), 6, "a bug has no `patern`; it has name, of, fails"),
        (format!("{start}program = \"zz\""), 6, "the program cannot be read"),
        (format!("{start}note = later"), 6, "`note = later` is not understood; write \"later\""),
        (format!("{start}note = \"a\"b\""), 6, "the text of `note` ends before"),
        (format!("{start}note = \"C:\\d\""), 6, "write `\\\\` for a backslash"),
        (format!("{start}test = \"u\""), 6, "this bug has a second `test`; delete one"),
        (format!("{start}[other]"), 6, "`[other]` is not understood; write `[[bug]]`"),
        (format!("{start}nonsense"), 6, "`nonsense` is not understood"),
        ("name = \"x\"".to_string(), 1, "`name` is in no bug; write `[[bug]]` above it"),
        ("# ours\nversion = 3".to_string(), 2, "reads files up to version 2, and this one has 3; update"),
        ("version = \"2\"".to_string(), 1, "write `version = 2`"),
        ("[[bug]]\nname = \"x\"".to_string(), 1, "lacks its test or crate"),
        ("[[bug]]\nname = \"x\"\ntest = \"t\"".to_string(), 1, "lacks its pattern"),
        ("[[bug]]\ntest = \"t\"".to_string(), 1, "lacks its name"),
        ("[[bug]]\nof = \"t\"".to_string(), 2, "write `test PATH`, `crate NAME` or `swarm NAME`"),
        ("[[bug]]\nname = \"x\"\nof = \"crate c\"".to_string(), 1, "lacks its way to fail"),
        ("\n[[known]]\nname = 7".to_string(), 3, "`name = 7` is not understood; write \"7\""),
    ] {
        let error = KnownFile::read(&text).unwrap_err();
        assert!(error.line == line && error.text.contains(problem), "{text}\n{error:?}");
    }
}

#[test]
fn a_bug_that_is_accepted_again_keeps_what_its_user_wrote() {
    let mut file = KnownFile::read(LIBRARY).unwrap();
    let mut bug = file.bugs[0].clone();
    bug.note = "of this run".to_string();
    bug.inside.clear();
    assert_eq!(file.accept(bug.clone()), Accepted::Unchanged);
    bug.case = Case::Program("0.1(1)0".to_string());
    assert_eq!(file.accept(bug.clone()), Accepted::Changed);
    assert_eq!((file.bugs[0].note.as_str(), file.bugs[0].case.clone()), ("said \"no\"", bug.case.clone()));
    assert_eq!(file.bugs[0].inside, ["# close(); add()"]);
    bug.of = Of::Crate("apples".to_string());
    assert_eq!((file.accept(bug), file.bugs.len()), (Accepted::Added, 3));
}

#[test]
fn a_function_takes_the_place_of_a_file_and_never_the_other_way_round() {
    let known = KnownBug {
        name: "a".to_string(),
        of: Of::Crate("b".to_string()),
        fails: fails("panic", Some(Phase::Call), "c"),
        file: Some("src/lib.rs".to_string()),
        case: Case::Program("0".to_string()),
        ..KnownBug::default()
    };
    let mut file = KnownFile { bugs: vec![known.clone()], ..KnownFile::new() };
    let named = KnownBug { function: Some("C::c".to_string()), file: None, ..known.clone() };
    assert_eq!(file.accept(named.clone()), Accepted::Changed);
    assert_eq!(file.accept(known), Accepted::Unchanged);
    assert_eq!(file.bugs, [named]);
}

/// Any text, often with what is hard to quote.
fn text() -> impl Combine<Value = String> {
    let hard = select(['a', '"', '\'', '\\', '\n', '\r', '\t', '#', '=', '[', ' ', '\u{1}', '\u{7f}', 'é']);
    one_of([string_of(hard).boxed(), any::<String>().boxed()])
}

/// A comment, as it is read.
fn comment() -> impl Generator<Value = String> {
    text().map(|text| {
        let line: String = text.chars().filter(|letter| !letter.is_control()).collect();
        format!("#{line}").trim().to_string()
    })
}

/// Any bug that has what it needs.
fn bug() -> impl Generator<Value = KnownBug> {
    from_fn(|source| {
        let filled = |source: &mut Source| Some(source.draw(text())).filter(|text| !text.is_empty());
        let some = |source: &mut Source| filled(source).unwrap_or("x".to_string());
        let tape = source.draw(select(["0", "0.1(2)0", "(1(7))"])).to_string();
        let test = KnownBug {
            name: some(source),
            of: Of::Test(some(source)),
            fails: some(source),
            pattern: Some(source.draw(text())),
            case: Case::Input(tape.clone()),
            note: source.draw(text()),
            link: source.draw(text()),
            above: source.draw(vec_of(comment()).len(..3)),
            inside: source.draw(vec_of(comment()).len(..3)),
            ..KnownBug::default()
        };
        if source.any() {
            return test;
        }
        let (of, case) = (Of::Crate(some(source)), Case::Program(tape));
        KnownBug { of, case, function: filled(source), file: filled(source), pattern: filled(source), ..test }
    })
}

#[test]
fn what_is_written_is_read() {
    let comments = || vec_of(comment()).len(..3);
    let file = (comments(), vec_of(bug()).len(..4), comments());
    let result = check(file, |(head, bugs, tail)| {
        let file = KnownFile { head, bugs, tail, is_old: false };
        let text = file.to_string();
        let mut read = KnownFile::read(&text).unwrap_or_else(|problem| panic!("{problem:?}\n{text}"));
        read.bugs.iter_mut().for_each(|bug| bug.line = 0);
        assert_eq!(read, file, "{text}");
        assert_eq!(written_again(&text), text);
    });
    result.unwrap();
}

#[test]
fn no_text_makes_the_reader_panic() {
    let piece =
        select(["\"", "'", "'''", "\"\"\"", "\\", "\\u", "=", "#", "\n", "[[bug]]\n", "name", "é", " "]);
    let result = check(vec_of(piece).len(..30), |pieces| {
        let text = pieces.concat();
        let read = KnownFile::read(&text);
        let (lines, mut explored) = (text.lines().count(), KnownFile::new());
        assert!(read.err().is_none_or(|problem| (1..=lines.max(1)).contains(&problem.line)));
        let _ = explored.take_explored(&text);
    });
    result.unwrap();
}
