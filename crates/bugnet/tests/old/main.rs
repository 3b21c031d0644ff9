//! Files and tokens that earlier versions wrote are read for ever.
//!
//! The folder `0.1` was written by the version before the first release: `bugnet-regressions` and
//! `bugnet-known.toml` as a user's crate has them, and `tokens.txt`, which says for each replay token how
//! its case is printed and how it fails. A later version that changes a format adds a folder of its own and
//! leaves this one alone. `BUGNET_OLD=FOLDER cargo test -p bugnet --features values --test old` writes one.

mod inputs;
mod programs;

use bugnet::campaign::{
    Environment, Failed, Isolate, KnownUse, Observe, Options, Origin, Passed, Reason, WantedBugs,
};
use bugnet::choice::Tape;
use bugnet::oracle::IntoVerdict;
use bugnet::prelude::*;
use bugnet::program::{Api, Programs, Suite};
use std::fmt::Debug;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

type Outcome = Result<Passed, Box<Failed>>;

/// A test whose files are kept.
#[derive(Clone, Copy)]
struct Subject {
    name: &'static str,
    /// The number of cases that find its bugs.
    cases: u64,
    /// The bugs that are wanted where all are.
    wanted: WantedBugs,
    run: fn(Property<'_>) -> Outcome,
}

const SUBJECTS: [Subject; 21] = [
    Subject::new("calendar", 200, |property| suite(property, programs::calendar::Calendar::suite())),
    Subject::new("rooms", 200, |property| suite(property, programs::rooms::Rooms::suite())),
    Subject::new("registry", 400, |property| suite(property, programs::registry::Registry::suite())),
    // Literals are generalized only as far as tests confirm.
    Subject {
        wanted: WantedBugs { values: true, ..WantedBugs::ALL },
        ..Subject::new("account", 300, |property| suite(property, programs::account::Account::suite()))
    },
    Subject::new("numbers", 200, |property| suite(property, programs::numbers::numbers_suite())),
    Subject::new("shelf", 200, |property| suite(property, programs::shelf::Shelf::suite())),
    // The files of a test that does not look for more than one bug.
    Subject {
        wanted: WantedBugs::FIRST,
        ..Subject::new("rope", 300, |property| suite(property, programs::rope::Rope::suite()))
    },
    Subject::new("note", 200, note),
    Subject::new("candle", 200, candle),
    FUSE,
    Subject::new("simplifies", 2_000, |property| values(property, inputs::simplifies)),
    Subject::new("three_panics", 2_000, |property| values(property, inputs::three_panics)),
    Subject::new("signs", 2_000, |property| values(property, inputs::numbers)),
    Subject::new("most_of", 2_000, |property| values(property, inputs::most_of)),
    Subject::new("no_pair", 1_000, |property| values(property, inputs::no_pair)),
    Subject::new("reads", 2_000, |property| values(property, inputs::reads)),
    Subject::new("is_plain", 1_000, |property| values(property, inputs::is_plain)),
    Subject::new("panics", 1_000, panics),
    Subject::new("changes", 500, |property| values(property, inputs::changes)),
    DIES,
    Subject::new("strings::of::letters", 1_000, |property| {
        values(property, |text: String| !text.contains('!'))
    }),
];

/// In a child, which the harness starts by the path of a test of this file.
const FUSE: Subject = Subject::new("old::fuse_in_a_child", 60, fuse);
const DIES: Subject = Subject::new("old::dies_in_a_child", 60, dies);

/// Long enough for any case that ends.
const CHILD: Isolate = Isolate::Child { patience: Duration::from_millis(1_500) };

fn suite(property: Property<'_>, suite: Suite) -> Outcome {
    property.run(&Programs::new(suite))
}

fn values<T: Generate + Debug, V: IntoVerdict>(property: Property<'_>, test: impl Fn(T) -> V) -> Outcome {
    property.check(any::<T>(), test)
}

/// Without looking for what makes its bug more likely.
fn candle(property: Property<'_>) -> Outcome {
    let options = Options { explain: Some(false), ..Options::default() };
    suite(property.options(options), programs::candle::Candle::suite())
}

fn note(property: Property<'_>) -> Outcome {
    let options = Options { observe: Some(Observe::Always), ..Options::default() };
    suite(property.options(options), programs::note::Note::suite())
}

fn fuse(property: Property<'_>) -> Outcome {
    suite(property.isolate(CHILD), programs::fuse::Fuse::suite())
}

fn panics(property: Property<'_>) -> Outcome {
    values(property.expect_panic("odd one out"), inputs::panics)
}

fn dies(property: Property<'_>) -> Outcome {
    values(property.isolate(CHILD), inputs::dies)
}

impl Subject {
    const fn new(name: &'static str, cases: u64, run: fn(Property<'_>) -> Outcome) -> Subject {
        Subject { name, cases, wanted: WantedBugs::ALL, run }
    }

    fn run(self, folder: &Path, seed: u64, wanted: WantedBugs, environment: Environment) -> Outcome {
        let property =
            Property::new(self.name).folder(folder).bugs(wanted).seed(Seed(seed)).cases(self.cases);
        (self.run)(property.environment(environment))
    }
}

fn old() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old/0.1")
}

/// A folder to run in, with some of the old files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("old").join(name.replace("::", "."));
    let _ = std::fs::remove_dir_all(&folder);
    for (file, text) in files {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

/// The input or program as a report has it, and how it fails, wherever the code that panics is now.
fn told(failed: &Failed) -> String {
    let Reason::Refuted(failure) = &failed.reason else { panic!("{failed}") };
    let signature = failure.signature.to_string();
    let signature = match failure.location() {
        Some(place) => signature.replace(&place, "panic"),
        None => signature,
    };
    let mut text = String::new();
    failed.arguments().iter().for_each(|argument| writeln!(text, "    {argument}").unwrap());
    let message = failure.message.lines().next().unwrap_or_default();
    writeln!(text, "    // {signature}: {message}").unwrap();
    text
}

/// Returns the fate of a token.
fn replayed(subject: Subject, token: &str) -> String {
    let environment = Environment { replay: Some(token.parse().unwrap()), ..Environment::none(Seed(1)) };
    let failed =
        subject.run(&folder(&format!("token/{}", subject.name), &[]), 1, subject.wanted, environment);
    told(&failed.expect_err("a token of a failing case fails"))
}

mod writing {
    //! Writes the files, for a new folder.

    use super::*;

    #[test]
    fn old_files_are_written_if_a_folder_is_named() {
        let Ok(to) = std::env::var("BUGNET_OLD") else { return };
        let to = PathBuf::from(to);
        let (mut tokens, mut known) = (String::new(), String::new());
        for subject in SUBJECTS {
            let failed = subject.run(&to, 1, subject.wanted, Environment::none(Seed(1))).unwrap_err();
            let mut tapes: Vec<&Tape> = failed.bugs.iter().map(|bug| &bug.tape).collect();
            if tapes.is_empty() {
                tapes.extend(failed.tape());
            }
            for tape in tapes {
                writeln!(tokens, "{} {tape}\n{}", subject.name, replayed(subject, &tape.to_string()))
                    .unwrap();
            }
            let found = to.join(format!(".bugnet/{}.bugs.toml", subject.name.replace("::", ".")));
            let Ok(found) = std::fs::read_to_string(found) else { continue };
            known.extend(found.lines().skip(1).map(|line| format!("{line}\n")));
        }
        std::fs::write(to.join("tokens.txt"), tokens).unwrap();
        std::fs::write(to.join("bugnet-known.toml"), known).unwrap();
        std::fs::remove_dir_all(to.join(".bugnet")).unwrap();
    }
}

/// The old tokens: the subject, the token, and what it stands for.
fn tokens() -> Vec<(Subject, String, String)> {
    let text = std::fs::read_to_string(old().join("tokens.txt")).unwrap();
    let entry = |entry: &str| {
        let (first, rest) = entry.split_once('\n').unwrap();
        let (name, token) = first.split_once(' ').unwrap();
        let subject = SUBJECTS.into_iter().find(|subject| subject.name == name).unwrap();
        (subject, token.to_owned(), format!("{}\n", rest.trim_end()))
    };
    text.split("\n\n").filter(|text| !text.trim().is_empty()).map(entry).collect()
}

#[test]
fn every_token_is_the_same_program_and_fails_the_same_way() {
    let tokens = tokens();
    assert!(tokens.len() > 40);
    for (subject, token, expected) in tokens {
        assert_eq!(replayed(subject, &token), expected, "{} {token}", subject.name);
    }
}

/// The regression file of a subject, as far as its first case, and its cases.
fn kept(subject: Subject) -> (String, Vec<String>) {
    let file = format!("bugnet-regressions/{}.txt", subject.name.replace("::", "."));
    let text = std::fs::read_to_string(old().join(&file)).unwrap();
    let mut parts = text.split("\n\n").map(str::to_owned);
    (parts.next().unwrap(), parts.collect())
}

#[test]
fn every_kept_case_is_run_first_and_fails_the_same_way() {
    let tokens = tokens();
    for subject in SUBJECTS {
        let (header, cases) = kept(subject);
        let file = format!("bugnet-regressions/{}.txt", subject.name.replace("::", "."));
        assert!(!cases.is_empty(), "{file}");
        for case in cases {
            let token = case.lines().next().unwrap().rsplit_once(' ').unwrap().1;
            let folder =
                folder(&format!("kept/{}", subject.name), &[(&file, &format!("{header}\n\n{case}"))]);
            let failed = subject.run(&folder, 2, WantedBugs::FIRST, Environment::none(Seed(2))).unwrap_err();
            assert_eq!(failed.effort().origin, Origin::Kept, "{}: {failed}", subject.name);
            let (_, _, expected) = tokens.iter().find(|(_, known, _)| known == token).unwrap();
            assert_eq!(told(&failed), *expected, "{} {token}", subject.name);
        }
    }
}

/// A run of a subject that has the old file of known bugs and nothing else. Tests run side by side, so each has a
/// place of its own.
fn with_known(place: &str, subject: Subject, text: &str, known: KnownUse, seed: u64) -> Outcome {
    let folder = folder(&format!("known/{place}/{}", subject.name), &[("bugnet-known.toml", text)]);
    let environment = Environment { known, denies_fixed: true, ..Environment::none(Seed(seed)) };
    subject.run(&folder, seed, subject.wanted, environment)
}

fn known() -> String {
    std::fs::read_to_string(old().join("bugnet-known.toml")).unwrap()
}

#[test]
fn every_known_bug_is_there_and_steered_around() {
    let text = known();
    for subject in SUBJECTS.into_iter().filter(|subject| subject.name != "rope") {
        assert!(text.contains(&format!("\ntest = \"{}\"\n", subject.name)), "{}", subject.name);
        for (known, seed) in [(KnownUse::Only, 1), (KnownUse::On, 1), (KnownUse::On, 2)] {
            // A quarter of the cases that found the bugs would meet most of them.
            let outcome =
                with_known("all", Subject { cases: subject.cases / 4, ..subject }, &text, known, seed);
            outcome.unwrap_or_else(|failed| panic!("{}, {known:?}, seed {seed}: {failed}", subject.name));
        }
    }
}

#[test]
fn a_bug_that_is_left_out_of_the_known_ones_is_found_beside_them() {
    let (text, subject) = (known(), SUBJECTS[0]);
    let left = text.split("\n[[bug]]").filter(|block| !block.contains("export(Mode::Debug)"));
    let left: Vec<&str> = left.collect();
    let failed = with_known("left-out", subject, &left.join("\n[[bug]]"), KnownUse::On, 2).unwrap_err();
    let words: Vec<&str> = failed.bugs.iter().map(|bug| bug.words.as_str()).collect();
    assert_eq!(words, ["export(Mode::Debug)"], "{failed}");
}

#[test]
fn the_old_known_bugs_have_every_kind_of_pattern_form_and_failure() {
    let text = known();
    let patterns: Vec<&str> = text.lines().filter(|line| line.starts_with("pattern = ")).collect();
    for kind in [
        // Of programs.
        "?p = spawn(_);",
        "?a in \\\"Weekend\\\"",
        "\\\\\\\"long",
        "=(0(1))",
        ">=(0.12c)",
        "(?s, _)",
        ") | ",
        ") | (",
        " unless ",
        " unless lasting ",
        // Of inputs.
        "\"~(",
        "{1}",
        "{0|1}",
        "<5000..>",
        "<..-71>",
        "<10..20>",
        "<!0>",
        "?0:_",
        "*Exp(",
        "[]",
        "[.. ",
    ] {
        assert!(patterns.iter().any(|pattern| pattern.contains(kind)), "{kind}");
    }
    for fails in [
        "panic",
        "panic in call export",
        "panic in observe Note",
        "panic in drop ",
        "returned false",
        "returned false in check is_whole",
        "returned an error",
        "returned an error in call enter",
        "did not panic",
        "aborted",
        "did not end",
    ] {
        assert!(text.contains(&format!("\nfails = \"{fails}\"\n")), "{fails}");
    }
}

/// Serves a property, in a process that was started for it.
fn serve_if_asked(subject: Subject) {
    if std::env::var_os("BUGNET_CHANNEL").is_some() {
        // Without an environment of its own, it asks the channel.
        let _ = (subject.run)(Property::new(subject.name));
    }
}

#[test]
fn fuse_in_a_child() {
    serve_if_asked(FUSE);
}

#[test]
fn dies_in_a_child() {
    serve_if_asked(DIES);
}
