//! Tests of the schema: which mutants a source has, and that the source it becomes is Rust.

use super::*;

/// Returns the schema of a library with this text.
fn schema(text: &str, operators: Operators) -> Schema {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("lib.rs");
    std::fs::write(&root, text).unwrap();
    Schema::read(folder.path(), &root, &[], &Cfg::default(), operators).unwrap()
}

/// Returns the changes of all mutants, without their places.
fn changes(text: &str, operators: Operators) -> Vec<String> {
    let schema = schema(text, operators);
    let mutants = schema.mutations.mutants();
    mutants.into_iter().map(|mutant| schema.mutations.description(mutant)).collect()
}

#[test]
fn comparisons_are_replaced_and_moved_by_one() {
    let found = changes("fn f(a: u8, b: u8) -> bool { a < b }", Operators::Usual);
    for expected in ["a <= b", "a != b", "a > b", "a + 1 < b", "true", "false"] {
        assert!(found.contains(&format!("replace a < b with {expected} in f")), "{expected} {found:?}");
    }
    assert!(found.contains(&"replace a with b in f".to_string()), "{found:?}");
    // The boundary does that already.
    assert!(!found.iter().any(|change| change.starts_with("replace a with a + 1")), "{found:?}");
}

#[test]
fn a_side_with_a_let_stays_where_it_is() {
    let text = "fn f(a: Option<u8>, b: bool) -> u8 { if let Some(x) = a && b { x } else { 0 } }";
    let found = changes(text, Operators::Usual);
    assert!(!found.iter().any(|change| change.contains("let")), "{found:?}");
    assert!(found.contains(&"replace b with true in f".to_string()), "{found:?}");
}

#[test]
fn constants_patterns_unsafe_code_and_macros_are_left_alone_and_counted() {
    let text = "const A: u8 = 1; static B: u8 = 2; const fn c() -> u8 { 3 } unsafe fn d() -> u8 { 4 }\n\
                macro_rules! e { () => { 5 } }\n\
                fn f(x: u8) -> u8 { let y = [0; 6]; match x { 7 => unsafe { d() }, _ => y[x as usize] } }\n\
                #[cfg(test)] mod tests { fn g() -> u8 { 8 } }\n\
                #[mutants::skip] fn h() -> u8 { 9 }\n\
                fn i() -> Vec<u8> { vec![10] }";
    let found = schema(text, Operators::Usual);
    let names: Vec<String> =
        found.mutations.mutants().into_iter().map(|mutant| found.mutations.description(mutant)).collect();
    let index = ["replace x with x + 1 in f", "replace x with x - 1 in f"];
    assert_eq!(names, ["delete 7 => unsafe { d() }, in f", index[0], index[1]]);
    let reasons: Vec<(&str, usize)> =
        found.mutations.left_out.iter().map(|(reason, count)| (reason.as_str(), *count)).collect();
    let expected = [
        ("arguments of macros", 1),
        ("const functions", 1),
        ("constants and statics", 2),
        ("definitions of macros", 1),
        ("items with #[mutants::skip]", 1),
        ("unsafe blocks", 1),
        ("unsafe functions", 1),
    ];
    assert_eq!(reasons, expected);
}

#[test]
fn places_are_never_made_values() {
    let text = "struct S { n: usize } fn f(s: &mut S, v: &[u8], n: usize) -> u8 { s.n += 1; let r = &n; g(&s.n, r); v[n] }";
    let found = changes(text, Operators::Usual);
    assert!(found.contains(&"replace s.n += 1 with s.n -= 1 in f".to_string()), "{found:?}");
    assert!(found.contains(&"replace n with n + 1 in f".to_string()), "{found:?}");
    assert!(!found.iter().any(|change| change.starts_with("replace s.n with")), "{found:?}");
    assert_eq!(
        found.iter().filter(|change| change.starts_with("replace n with n + 1")).count(),
        1,
        "{found:?}"
    );
}

#[test]
fn the_operators_of_the_paper_leave_out_and_insert_statements() {
    let text = "fn f(v: &mut Vec<u8>) { v.clear(); for x in 0..3 { v.push(x); } }";
    let expected = [
        "insert v.push(x); in f",
        "delete v.clear(); in f",
        "insert v.clear(); in f",
        "insert v.clear(); in f",
        "delete v.push(x); in f",
    ];
    let found = changes(text, Operators::Paper);
    // `x` is not in scope before the loop.
    assert_eq!(found, expected[1..], "{found:?}");
}

#[test]
fn the_source_with_all_mutants_is_rust() {
    let text = "#![deny(warnings)]\nfn f(a: usize, b: usize) -> usize {\n    let mut n: usize = 0;\n    while n < a && !(n == b) {\n        \
                n += 1;\n        if n > 3 { continue; }\n        println!(\"{n}\");\n    }\n    match n { 1 if a > 2 => b, 2 => a.min(b), _ => (0..b + 1).len() }\n}\n";
    for operators in [Operators::Usual, Operators::Paper, Operators::All] {
        let schema = schema(text, operators);
        assert!(schema.mutants().len() > 3);
        let emitted = schema.emit(0).text + &table::module(schema.mutations.sites.len());
        syn::parse_file(&emitted).unwrap_or_else(|error| panic!("{error}\n{emitted}"));
        assert!(emitted.contains("#![allow(warnings)]") && !emitted.contains("deny"), "{emitted}");
    }
}

#[test]
fn a_program_that_compiles_a_file_of_the_library_once_more_has_switches_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let files = [
        ("lib.rs", "mod table;\n"),
        ("table.rs", "pub fn f(a: u8) -> bool { a > 3 }\n"),
        ("main.rs", "mod table;\nfn main() {}\n"),
        ("other.rs", "fn main() {}\n"),
    ];
    files.iter().for_each(|(name, text)| std::fs::write(path(name), text).unwrap());
    let others = [path("main.rs"), path("other.rs")];
    let read = Schema::read(folder.path(), &path("lib.rs"), &others, &Cfg::default(), Operators::Usual);
    read.unwrap().write(folder.path()).unwrap();
    let has_table = |name: &str| std::fs::read_to_string(path(name)).unwrap().contains("pub mod __bugnet");
    assert!(has_table("lib.rs") && has_table("main.rs"));
    assert!(!has_table("table.rs") && !has_table("other.rs"));
}
