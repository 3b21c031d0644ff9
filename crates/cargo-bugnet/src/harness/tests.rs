//! Tests of the proposals for the crate in `tests/fixtures/library`.

use super::candidate::{Candidate, Origin};
use super::generator::{Generator, is_called};
use super::question::Answers;
use super::solver::Solver;
use super::source::Owner;
use super::{Dictionary, Pruning, RUST, demand_compiler, stand_in};
use crate::api::tests::{LIBRARY, read};
use crate::api::{Block, Bound, Kind};

fn proposed() -> Vec<Candidate> {
    Generator::propose(&Solver::new(&LIBRARY)).candidates
}

fn candidate(name: &str) -> Candidate {
    let all = proposed();
    let names: Vec<&str> = all.iter().map(|candidate| candidate.name.as_str()).collect();
    let place = names.iter().position(|known| *known == name);
    all[place.unwrap_or_else(|| panic!("{name} is not among {names:#?}"))].clone()
}

#[test]
fn a_generic_type_is_used_as_two_types_that_fit_its_functions() {
    let solver = Solver::new(&LIBRARY);
    let names = |path: &str| solver.instances(path).iter().map(Kind::short).collect::<Vec<_>>();
    assert_eq!(names("library::Catalog"), ["Catalog<i32, i32>", "Catalog<String, String>"]);
    assert_eq!(names("library::Shelf"), ["Shelf<4>"]);
}

#[test]
fn what_implements_a_trait_is_known() {
    let solver = Solver::new(&LIBRARY);
    let titled = Bound::named("library::Titled");
    assert_eq!(solver.holds(&Kind::named("library::Number"), &titled), Some(true));
    assert_eq!(solver.holds(&Kind::named("library::Pages"), &titled), Some(false));
    assert_eq!(solver.kinds(&[titled], 2, &[]), [Kind::named("library::Number")]);
}

#[test]
fn what_the_root_of_another_crate_re_exports_is_named_there() {
    let root = "pub mod a;\n/// pub use a::Told;\npub use a::kind::One;\npub(crate) use a::Own;\npub use a::{b::{Two, Other as Third}, self};\n";
    let re_exports = |name: &str| super::re_exports(root, name);
    assert!(re_exports("One") && re_exports("Two"));
    assert!(!re_exports("Other") && !re_exports("Told") && !re_exports("Own") && !re_exports("b"));
}

#[test]
fn an_array_that_does_not_fit_the_stack_is_not_called() {
    let block = |length: &str| {
        let of = Box::new(Kind::named("u8"));
        let subject = Kind::Array { of, length: Box::new(Kind::Constant(length.to_string())) };
        Block { subject, of: None, ..LIBRARY.blocks[0].clone() }
    };
    assert!(is_called(&block("4096")) && is_called(&block("N")));
    assert!(!is_called(&block("1_048_576usize")));
}

#[test]
fn types_that_are_said_to_be_each_other_are_not_asked_for_ever() {
    let mut api = read("library");
    let pages = Kind::named("library::Pages");
    let of = |argument: &Kind| Bound { arguments: vec![argument.clone()], ..Bound::named("std::ops::Mul") };
    let output = |argument: &Kind| Kind::Projection {
        of: Box::new(pages.clone()),
        bound: Some(Box::new(of(argument))),
        name: "Output".to_string(),
    };
    let shared = Kind::shared(pages.clone());
    for (argument, other) in [(&pages, &shared), (&shared, &pages)] {
        let types = vec![("Output".to_string(), output(other))];
        let block = api.blocks[0].clone();
        api.blocks.push(Block { subject: pages.clone(), of: Some(of(argument)), types, ..block });
    }
    let solver = Solver::new(&api);
    assert!(matches!(solver.normal(&output(&pages)), Kind::Projection { .. }));
}

#[test]
fn a_type_that_is_seen_behind_references_only_has_no_size() {
    let solver = Solver::new(&LIBRARY);
    assert!(solver.is_unsized(&Kind::named("library::shelf::Row")));
    assert!(!solver.is_unsized(&Kind::named("library::Number")));
}

#[test]
fn a_result_that_borrows_is_kept_on_lease_from_values_that_are_kept() {
    let kept = candidate("Shelf::kept").variants[0].clone();
    assert!(kept.outcome.is_leased());
    let longest = &candidate("<Kept as From<&[u32]>>::from").variants[0];
    assert_eq!(longest.leaves[0].kind.short(), "Vec<u32>");
    assert!(!longest.leaves[0].pass.is_literal());
}

#[test]
fn templates_are_what_a_person_would_write() {
    let template = |name: &str| candidate(name).variants[0].template.clone();
    assert_eq!(template("Catalog::insert"), "{0}.insert({1}, {2})");
    assert_eq!(template("Catalog::new"), "library::Catalog::<i32, i32>::new()");
    assert_eq!(template("<Pages as Add>::add"), "{0} + {1}");
    assert_eq!(template("<Number as FromStr>::from_str"), "{0}.parse::<library::Number>()");
    assert_eq!(template("Subject::Fiction"), "library::Subject::Fiction { year: {0} }");
    let found = "match {0} { library::Found::Book(x, ..) => Some(x), _ => None }";
    assert_eq!(template("Found::Book.0"), found);
    assert_eq!(template("Catalog::retain(|_, _| false)"), "{0}.retain(|_, _| false)");
}

#[test]
fn laws_follow_from_names_and_not_from_deprecated_functions() {
    let laws: Vec<String> = proposed()
        .into_iter()
        .filter(|candidate| candidate.origin == Origin::Law)
        .map(|candidate| candidate.name)
        .collect();
    for law in ["len_is_count", "is_empty_is_len_0", "insert_is_got"] {
        assert!(laws.contains(&format!("law {law} of Catalog<i32, i32>")), "{law} is not among {laws:#?}");
    }
    assert!(laws.contains(&"law checked_add_is_add of Pages".to_string()), "{laws:#?}");
    assert!(laws.contains(&"law from_bytes_of_to_bytes of Pages".to_string()), "{laws:#?}");
}

#[test]
fn the_same_api_gets_the_same_proposal_with_names_that_differ() {
    let names = |all: Vec<Candidate>| all.into_iter().map(|candidate| candidate.name).collect::<Vec<_>>();
    let (one, other) = (names(proposed()), names(proposed()));
    assert_eq!(one, other);
    let mut unique = one.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), one.len());
    // A number behind a name tells apart what has the same name; here nothing has.
    assert!(!one.iter().any(|name| name.contains('#')), "{one:#?}");
}

#[test]
fn what_the_compiler_has_said_of_a_type_is_believed() {
    let signed = Bound::named("num_traits::sign::Signed");
    let question = |name: &str| (Kind::named(name), signed.clone());
    let answers = [(question("u8"), false), (question("i32"), true)].into_iter().collect();
    let solver = Solver::with(&LIBRARY, answers);
    let holds = |name: &str| solver.holds(&Kind::named(name), &signed);
    assert_eq!((holds("u8"), holds("i32"), holds("f64")), (Some(false), Some(true), None));
}

#[test]
fn a_stand_in_that_is_refused_takes_along_what_uses_it_and_nothing_else() {
    let mut api = read("sky");
    let drafts = stand_in::drafts(&Solver::new(&api));
    let count = drafts.iter().flat_map(|draft| &draft.ways).map(Vec::len).sum();
    let stand_ins = stand_in::join(&mut api, drafts, &vec![true; count]);
    let proposal = Generator::propose(&Solver::with(&api, Answers::new()));
    let dictionary = Dictionary::default();
    let mut pruning = Pruning { stand_ins, ..Pruning::new(&api, &proposal, &dictionary) };
    let has = |pruning: &Pruning<'_>, name: &str| {
        pruning.places().iter().any(|place| proposal.candidates[place.candidate].name == name)
    };
    assert!(has(&pruning, "nearest") && pruning.write(pruning.places()).text.contains("struct OwnBody"));
    let text = pruning.write(pruning.places());
    let line = text.text.lines().position(|line| line.contains("impl sky::Body")).unwrap();
    assert_eq!(text.owner(line + 1), Some(&Owner::StandIn("OwnBody".to_string())));
    pruning.refuse(vec![(Owner::StandIn("OwnBody".to_string()), "no".to_string())]);
    assert!(!has(&pruning, "nearest") && has(&pruning, "weigh"));
    assert!(!pruning.write(pruning.places()).text.contains("OwnBody"));
}

#[test]
fn an_old_compiler_is_refused_with_advice() {
    let told = |release: &str| {
        format!("rustc {release} (abc)\nbinary: rustc\nrelease: {release}\nLLVM version: 19\n")
    };
    let refused = demand_compiler(&told("1.84.1")).unwrap_err().to_string();
    assert!(refused.contains("this is Rust 1.84.1") && refused.contains("cargo +stable"), "{refused}");
    let workspace = include_str!("../../../../Cargo.toml");
    assert!(workspace.contains(&format!("rust-version = \"{RUST}\"")), "{workspace}");
    for fine in ["1.85.0", "1.97.0-nightly", "2.0.0"] {
        demand_compiler(&told(fine)).unwrap();
    }
    demand_compiler("a compiler of its own").unwrap();
}
