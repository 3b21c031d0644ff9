//! Every bug behind a property once: inputs that fail are brought into forms, and kept away.

use bugnet::campaign::{Environment, Failed, Finder, KnownUse, Options, Passed, Reason, WantedBugs};
use bugnet::oracle::IntoVerdict;
use bugnet::prelude::*;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::path::{Path, PathBuf};

fn property(seed: u64) -> Property<'static> {
    let property = Property::new("values").bugs(WantedBugs::ALL).seed(Seed(seed)).cases(2_000);
    property.environment(Environment::none(Seed(seed)))
}

fn run<T: Generate + Debug, V: IntoVerdict>(seed: u64, test: impl Fn(T) -> V) -> Box<Failed> {
    property(seed).check(any::<T>(), test).unwrap_err()
}

/// The patterns, in words.
fn patterns(failed: &Failed) -> Vec<&str> {
    failed.bugs.iter().map(|bug| bug.words.as_str()).collect()
}

mod simplifier {
    use super::*;

    #[derive(Debug, Clone, PartialEq, Generate)]
    pub enum Exp {
        Con(i8),
        Var(bool),
        Neg(Box<Exp>),
        Add(Box<Exp>, Box<Exp>),
        Sub(Box<Exp>, Box<Exp>),
        Mul(Box<Exp>, Box<Exp>),
    }
    use Exp::*;

    impl Exp {
        pub fn value(&self) -> i64 {
            match self {
                Con(number) => i64::from(*number),
                Var(true) => 17,
                Var(false) => 1_000,
                Neg(a) => a.value().wrapping_neg(),
                Add(a, b) => a.value().wrapping_add(b.value()),
                Sub(a, b) => a.value().wrapping_sub(b.value()),
                Mul(a, b) => a.value().wrapping_mul(b.value()),
            }
        }

        /// The same in fewer words, by some rules of which three are wrong.
        pub fn simplified(self) -> Exp {
            match self {
                Neg(a) => Neg(Box::new(a.simplified())),
                Add(a, b) => match (a.simplified(), b.simplified()) {
                    (Con(0), b) => b,
                    (a, Con(1)) => a,
                    (a, b) => Add(Box::new(a), Box::new(b)),
                },
                Sub(a, b) => match (a.simplified(), b.simplified()) {
                    (a, b) if a == b => Con(1),
                    (a, b) => Sub(Box::new(a), Box::new(b)),
                },
                Mul(a, b) => match (a.simplified(), b.simplified()) {
                    (Con(1), b) => b,
                    (a, Con(0)) => a,
                    (a, b) => Mul(Box::new(a), Box::new(b)),
                },
                other => other,
            }
        }
    }

    pub fn is_right(exp: Exp) {
        assert_eq!(exp.clone().simplified().value(), exp.value());
    }
}

#[property(bugs = "all", seed = 1, regressions = false)]
#[ignore = "it is wrong on purpose"]
fn simplifying_keeps_the_value(exp: simplifier::Exp) {
    assert_eq!(exp.clone().simplified().value(), exp.value());
}

#[test]
fn three_wrong_rules_behind_one_assertion_are_three_bugs() {
    for seed in 0..2 {
        let failed = run(seed, simplifier::is_right);
        // A side need not be the same or a constant by itself, but become so.
        let mut found = patterns(&failed);
        found.iter_mut().for_each(|words| *words = words.trim_end_matches(", and others like it"));
        found.sort_unstable();
        // Where the left side is zero the first is right, and where it is zero or one so is the last.
        assert_eq!(found, ["Sub(?a, ?a)", "most of Add(_, Con(1))", "most of Mul(_, Con(0))"], "{failed}");
    }
}

/// Two bugs through one shared `unwrap`: an empty list, and a text without a letter.
fn first_of<T>(mut parts: impl Iterator<Item = T>) -> T {
    parts.next().unwrap()
}

#[test]
fn two_bugs_through_one_unwrap_are_two() {
    for seed in 0..2 {
        let failed = run(seed, |(list, text): (Vec<u8>, Option<char>)| {
            first_of(list.iter());
            if let Some(letter) = text {
                first_of(Some(letter).filter(|letter| *letter != '!').into_iter());
            }
        });
        let found = patterns(&failed);
        assert_eq!(found.len(), 2, "{failed}");
        assert!(found.contains(&"([], _)"), "{failed}");
        assert!(found.iter().any(|words| words.ends_with("Some('!'))")), "{failed}");
    }
}

#[derive(Debug, Clone, PartialEq, Generate)]
enum Change {
    Add(u8),
    Lose,
    Double,
    Swap(u8),
}

#[test]
fn alternatives_without_arguments_are_bugs_of_their_own() {
    for seed in 0..3 {
        let failed = run(seed, |change: Change| {
            let total = match change {
                Change::Add(_) => 5,
                Change::Lose => 4,
                Change::Double => 10,
                Change::Swap(with) => 5 + u32::from(with % 10 == 7),
            };
            assert_eq!(total, 5);
        });
        let found = patterns(&failed);
        assert!(found.len() == 3 && found.contains(&"Lose") && found.contains(&"Double"), "{failed}");
    }
}

#[test]
fn a_switch_that_does_not_matter_makes_no_bug_of_its_own() {
    #[derive(Debug, Clone, PartialEq, Generate)]
    struct Order {
        is_urgent: bool,
        count: u16,
    }
    for seed in 0..3 {
        let failed = run(seed, |order: Order| order.count < 300);
        let [bug] = failed.bugs.as_slice() else { panic!("{failed}") };
        assert!(bug.words.contains("is_urgent: _"), "{failed}");
    }
}

#[test]
fn three_panics_are_three() {
    for seed in 0..2 {
        let failed = run(seed, |(number, list, is_on): (i32, Vec<i16>, Option<bool>)| {
            assert!(number < 5_000, "large");
            assert!(!list.contains(&-7), "minus seven");
            assert!(is_on != Some(true), "on");
        });
        let mut found = patterns(&failed);
        found.sort_unstable();
        let expected = ["(5000.., _, _)", "(_, [.., -7, ..], _)", "(_, _, Some(true))"];
        assert_eq!(found, expected, "{failed}");
        let names: BTreeSet<&String> = failed.bugs.iter().map(|bug| &bug.name).collect();
        assert_eq!(names.len(), 3);
    }
}

#[test]
fn what_is_reported_is_minimal_and_has_its_pattern_and_counts() {
    let failed = run(1, |(x, y): (u16, u16)| x < 300 || y < 7);
    let [bug] = failed.bugs.as_slice() else { panic!("{failed}") };
    assert_eq!(bug.arguments[0].text, "(300, 7)");
    assert_eq!(bug.words, "(300.., 7..)");
    assert!(bug.avoided > 50, "{failed}");
    let text = failed.to_string();
    assert!(text.contains("pattern: (300.., 7..)"), "{text}");
    assert!(text.contains(&format!("{} more were not run", bug.avoided)), "{text}");
    assert!(text.contains(&format!("cargo bugnet accept {}", bug.name)), "{text}");
}

mod words {
    //! The reasons that properties with one bug each are said to fail for, whatever the seed.

    use super::*;

    fn check<T: Generate + Debug, V: IntoVerdict>(expected: &str, test: impl Fn(T) -> V) {
        for seed in 0..2 {
            let failed = run(seed, &test);
            assert_eq!(patterns(&failed), [expected], "{failed}");
        }
    }

    #[derive(Debug, Clone, PartialEq, Generate)]
    enum Op {
        Push(u8),
        Pop,
        Clear,
    }

    #[test]
    fn numbers_are_of_a_class() {
        check("1000..", |x: u32| x < 1_000);
        check("..=-1", |x: i64| x >= 0);
        check("not 0", |x: i8| x == 0);
        check("10..=20", |x: i32| !(10..=20).contains(&x));
        check("_", |_: u16| false);
        check("7", |x: u8| x != 7);
    }

    #[test]
    fn numbers_that_nothing_can_be_said_of_are_one_bug() {
        check("3, and others like it", |x: u32| x % 7 != 3);
        check("(not 0, 0), and others like it", |(a, b): (u16, u16)| a <= b);
    }

    #[test]
    fn equal_parts_have_one_variable() {
        check("(?a @ 5.., ?a @ 5..)", |(a, b): (u16, u16)| a != b || a < 5);
        check("[.., ?a, .., ?a, ..]", |list: Vec<u8>| {
            let different: BTreeSet<&u8> = list.iter().collect();
            different.len() == list.len()
        });
    }

    #[test]
    fn lists_and_texts_have_gaps() {
        check("[.., 7, ..]", |list: Vec<u8>| !list.contains(&7));
        check("[7, ..]", |list: Vec<u8>| list.first() != Some(&7));
        check("[]", |list: Vec<u8>| !list.is_empty());
        check("[_; 5..]", |list: Vec<u8>| list.len() < 5);
        check("[.., Push(_), Push(_), Pop, ..]", |ops: Vec<Op>| {
            !ops.windows(3).any(|ops| matches!(ops, [Op::Push(_), Op::Push(_), Op::Pop]))
        });
        check("\"..{\\u{80}..}..\"", |text: String| text.is_ascii());
        check("{.., 9: _, ..}", |map: BTreeMap<u8, bool>| !map.contains_key(&9));
    }

    #[test]
    fn alternatives_that_are_needed_are_named() {
        check("(true, true, Some(_))", |(a, b, c): (bool, bool, Option<bool>)| !(a && b) || c.is_none());
        check(".. Neg(Neg(_)) ..", |exp: simplifier::Exp| {
            fn is_plain(exp: &simplifier::Exp) -> bool {
                use simplifier::Exp::*;
                match exp {
                    Neg(inner) => !matches!(**inner, Neg(_)) && is_plain(inner),
                    Add(a, b) | Sub(a, b) | Mul(a, b) => is_plain(a) && is_plain(b),
                    Con(_) | Var(_) => true,
                }
            }
            is_plain(&exp)
        });
    }

    #[test]
    fn arguments_are_named_where_there_are_several() {
        #[derive(Debug, Clone, Generate)]
        struct Point {
            x: i8,
            y: i8,
        }
        let test = |points: &(Point, Vec<Point>)| points.1.iter().all(|point| point.x != points.0.y);
        check("(Point { x: _, y: ?a }, [.., Point { x: ?a, y: _ }, ..])", |points| test(&points));
    }
}

#[test]
fn an_input_of_a_known_form_is_not_run_again() {
    let inputs = RefCell::new(Vec::new());
    let wanted = WantedBugs { samples: false, ..WantedBugs::ALL };
    let failed = property(1).bugs(wanted).check(any::<Vec<u16>>(), |list| {
        inputs.borrow_mut().push(list.clone());
        list.iter().all(|number| *number < 100)
    });
    let failed = failed.unwrap_err();
    assert_eq!(patterns(&failed), ["[.., 100.., ..]"]);
    let inputs = inputs.into_inner();
    let last = inputs.iter().rposition(|list| list.iter().any(|number| *number >= 100)).unwrap();
    assert!(inputs.len() - last > 500, "{} of {}", last, inputs.len());
    assert!(failed.bugs[0].avoided > 500);
}

#[test]
fn without_forms_a_bug_is_known_by_its_minimal_input_alone() {
    let test = |x: bool| move |(a, b): (bool, u8)| a != x || b < 100;
    let wanted = WantedBugs { forms: false, ..WantedBugs::ALL };
    let failed = property(1).bugs(wanted).check(any::<(bool, u8)>(), test(true)).unwrap_err();
    assert_eq!(patterns(&failed), ["(true, 100), and others like it"], "{failed}");
    assert!(failed.bugs[0].avoided < 20, "other inputs are run again: {failed}");
    let failed = property(1).bugs(WantedBugs::ALL).check(any::<(bool, u8)>(), test(true)).unwrap_err();
    assert_eq!(patterns(&failed), ["(true, 100..)"], "{failed}");
}

#[test]
fn some_inputs_of_a_known_form_are_run_to_see_whether_it_is_honest() {
    let failed = run(1, |(x, y): (u16, u8)| x < 100 || y % 32 == 17);
    assert_eq!(patterns(&failed), ["most of (100.., _)"], "{failed}");
}

#[test]
fn what_fails_otherwise_inside_a_known_form_is_a_bug_of_its_own() {
    let failed = run(1, |(x, y): (u16, u8)| {
        assert!(y % 32 != 17 || x < 200, "rare");
        assert!(x < 100, "large");
    });
    let mut found = patterns(&failed);
    found.sort_unstable();
    assert_eq!(found[0], "(100.., _)", "{failed}");
    assert!(found.len() == 2 && found[1].starts_with("(200.., 17)"), "{failed}");
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let report = |seed| run(seed, simplifier::is_right).to_string();
    assert_eq!(report(7), report(7));
}

#[test]
fn names_are_the_same_in_another_run() {
    let names = |seed| {
        let failed = run(seed, simplifier::is_right);
        failed.bugs.iter().map(|bug| bug.name.clone()).collect::<BTreeSet<String>>()
    };
    assert_eq!(names(1), names(2));
}

#[test]
fn what_depends_on_chance_is_flaky_and_no_bug() {
    let count = RefCell::new(0);
    let failed = run(1, |_: u32| {
        *count.borrow_mut() += 1;
        *count.borrow() % 100 != 50
    });
    assert!(matches!(failed.reason, Reason::Flaky { .. }), "{failed}");
}

#[test]
fn inputs_that_the_test_draws_itself_are_hunted_too() {
    let test = bugnet::campaign::Closures {
        generate: |source: &mut Source| {
            source.draws_later();
            source.any::<u8>()
        },
        test: |first: u8, source: &mut Source| {
            let second: u8 = source.any();
            assert!(first < 50, "first");
            assert!(second < 60, "second");
        },
        show: |first: &u8| {
            vec![bugnet::campaign::Argument {
                name: "first",
                kind: "",
                text: first.to_string(),
                source: true,
            }]
        },
    };
    let failed = property(1).run(&test).unwrap_err();
    assert_eq!(failed.bugs.len(), 2, "{failed}");
}

#[test]
fn preconditions_hold_while_a_form_is_looked_for() {
    let failed = run(1, |list: Vec<u8>| {
        assume!(list.is_sorted());
        assert!(!list.contains(&40));
    });
    assert_eq!(failed.bugs.len(), 1, "{failed}");
    assert_eq!(failed.bugs[0].arguments[0].text, "[40]");
}

mod known {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("values").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// Runs a property with two bugs behind it; the first can be mended.
    fn run(folder: &Path, known: KnownUse, denies_fixed: bool, mended: bool) -> Result<Passed, Box<Failed>> {
        let environment = Environment { known, denies_fixed, ..Environment::none(Seed(1)) };
        let options = Options { regressions: Some(false), ..Options::default() };
        let property = Property::new("known").bugs(WantedBugs::ALL).folder(folder).seed(Seed(1)).cases(1_000);
        property.options(options).environment(environment).check(any::<(Vec<u8>, i8)>(), |(list, number)| {
            assert!(mended || !list.contains(&7));
            assert!(number > -100);
        })
    }

    /// Accepts all bugs that the last run has found.
    fn accept(folder: &Path) -> String {
        let found = std::fs::read_to_string(folder.join(".bugnet/known.bugs.toml")).unwrap();
        std::fs::write(folder.join("bugnet-known.toml"), &found).unwrap();
        found
    }

    #[test]
    fn what_is_accepted_is_steered_around() {
        let folder = folder("accepted");
        assert_eq!(run(&folder, KnownUse::On, false, false).unwrap_err().bugs.len(), 2);
        let file = accept(&folder);
        assert!(file.contains("\n# ([.., 7, ..], _)\n"), "{file}");
        assert!(file.contains("\npattern = \"(tuple([.. element(7) ..] _))\"\ninput = \""), "{file}");
        let passed = run(&folder, KnownUse::On, true, false).unwrap();
        assert!(passed.avoided > 0 && passed.tests + passed.avoided == 1_000, "{passed}");
        assert!(passed.to_string().contains("known to fail and not run"), "{passed}");
        run(&folder, KnownUse::Only, true, false).unwrap();
        assert_eq!(run(&folder, KnownUse::Off, false, false).unwrap_err().bugs.len(), 2);
    }

    #[test]
    fn what_is_fixed_is_told_and_fails_where_that_is_wanted() {
        let folder = folder("fixed");
        run(&folder, KnownUse::On, false, false).unwrap_err();
        accept(&folder);
        let passed = run(&folder, KnownUse::Only, false, true).unwrap();
        assert_eq!(passed.fixed.len(), 1);
        assert!(passed.to_string().contains("fixed: remove"), "{passed}");
        let failed = run(&folder, KnownUse::Only, true, true).unwrap_err();
        assert!(matches!(failed.reason, Reason::Fixed(_)), "{failed}");
    }

    #[test]
    fn a_pattern_that_is_not_understood_is_named_with_its_line() {
        let folder = folder("corrupt");
        let wrong = "\n[[bug]]\nname = \"x\"\ntest = \"known\"\npattern = \"(tuple(_\"\ninput = \"0\"\n";
        std::fs::write(folder.join("bugnet-known.toml"), wrong).unwrap();
        let failed = run(&folder, KnownUse::On, false, false).unwrap_err();
        assert!(failed.to_string().contains("bugnet-known.toml:2: a `)` is missing"), "{failed}");
    }

    #[test]
    fn kept_cases_are_the_first_bugs() {
        let folder = folder("kept");
        let run = |cases| {
            let property =
                Property::new("kept").bugs(WantedBugs::ALL).folder(&folder).seed(Seed(1)).cases(cases);
            property.check(any::<u64>(), |x| x != 123_456 && x < 1 << 40)
        };
        let failed = run(3_000).unwrap_err();
        assert_eq!(patterns(&failed), ["1099511627776.."], "{failed}");
        let failed = run(1).unwrap_err();
        assert_eq!(failed.bugs[0].hits[0].0, Finder::KeptCase, "{failed}");
    }
}

/// Returns the report of a property that must panic on even numbers.
fn expecting(wanted: WantedBugs) -> Box<Failed> {
    property(1)
        .bugs(wanted)
        .expect_panic("odd one out")
        .check(any::<(u8, bool)>(), |(number, is_on)| {
            assert!(number < 200, "too large");
            assert!(is_on, "odd one out");
            assert!(number == 7, "odd one out");
        })
        .unwrap_err()
}

#[test]
fn inputs_that_do_not_panic_and_those_that_do_with_other_words_are_bugs_apart() {
    let failed = expecting(WantedBugs::ALL);
    assert_eq!(patterns(&failed), ["(7, true)", "(200.., _)"], "{failed}");
    let text = failed.to_string();
    assert!(text.contains("did not panic") && text.contains("too large"), "{text}");
}

#[test]
fn more_bugs_of_a_property_are_reported_if_asked_for_and_the_search_ends_soon() {
    let property = || {
        let quiet = Environment::none(Seed(1));
        Property::new("values").seed(Seed(1)).cases(100_000).environment(quiet)
    };
    let test = |(number, is_on): (u16, bool)| {
        assert!(number < 100, "large");
        assert!(!is_on, "on");
    };
    let first = property().check(any::<(u16, bool)>(), test).unwrap_err();
    assert!(first.bugs.len() == 1 && first.bugs[0].form.is_none(), "{first}");
    let failed = property().bugs(WantedBugs::MORE).check(any::<(u16, bool)>(), test).unwrap_err();
    assert_eq!(patterns(&failed), ["(_, true)", "(100.., _)"]);
    assert!(failed.tests < 1_000, "{}", failed.tests);
    let all = property().cases(5_000).bugs(WantedBugs::ALL).check(any::<(u16, bool)>(), test).unwrap_err();
    assert!(all.tests > 1_000, "{}", all.tests);
}
