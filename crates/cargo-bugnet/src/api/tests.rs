//! Tests of reading the API of the crate in `tests/fixtures/library`.

use super::*;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The API of the crate in `tests/fixtures/library`.
pub(crate) static LIBRARY: LazyLock<Api> = LazyLock::new(|| read("library"));

/// The API of a crate in `tests/fixtures`, as rustdoc tells it.
pub(crate) fn read(name: &str) -> Api {
    Document::parse(&document(name)).unwrap().api(&|_| true)
}

/// Returns the output of rustdoc for a crate in `tests/fixtures`.
pub(super) fn document(name: &str) -> Vec<u8> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/{name}/src/lib.rs"));
    static READ: AtomicU32 = AtomicU32::new(0);
    let number = READ.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("bugnet-api-{}-{number}", std::process::id()));
    let status = Command::new("rustdoc")
        .args(["--edition=2024", "-Zunstable-options", "--output-format=json"])
        .args(["--crate-name", name, "-o"])
        .arg(&folder)
        .arg(source)
        .env("RUSTC_BOOTSTRAP", "1")
        .status()
        .unwrap();
    assert!(status.success());
    let text = std::fs::read(folder.join(format!("{name}.json"))).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    text
}

fn function(name: &str) -> &'static Function {
    let free = LIBRARY.functions.iter().map(|(_, function)| function);
    let mut all = free.chain(LIBRARY.blocks.iter().flat_map(|block| &block.functions));
    all.find(|function| function.name == name).unwrap_or_else(|| panic!("there is no function {name}"))
}

#[test]
fn items_are_named_by_the_shortest_public_path() {
    let paths: Vec<&str> = LIBRARY.definitions.keys().map(String::as_str).collect();
    assert!(paths.contains(&"library::Shelf") && !paths.contains(&"library::shelf::Shelf"), "{paths:?}");
    assert!(paths.contains(&"library::shelf::Row"), "{paths:?}");
    assert!(LIBRARY.traits.contains_key("library::Titled"));
}

#[test]
fn a_signature_has_its_types_and_the_lifetimes_that_were_left_out() {
    let iter = function("iter");
    assert_eq!(iter.output.text(Lifetimes::Static), "library::Entries<'static, K, V>");
    assert!(iter.has_receiver() && iter.output.borrows());
    let parse = function("parse");
    assert_eq!(parse.inputs[0].1, Kind::shared(Kind::named("str")));
    assert_eq!(parse.output.short(), "Result<Number, NoNumber>");
}

#[test]
fn bounds_stand_with_what_they_are_demanded_of() {
    let count = function("count");
    let fits: Vec<&Bound> = count.generics.of("F").collect();
    assert!(fits[0].is_closure());
    assert_eq!(fits[0].text(Lifetimes::Inferred), "std::ops::FnMut(&T) -> bool");
    let all: Vec<&Bound> = count.generics.of("I").collect();
    assert_eq!(all[0].binding("Item"), Some(&Kind::Parameter("T".to_string())));
}

#[test]
fn documentation_says_what_may_panic_and_what_cannot() {
    assert!(function("part").facts.documented_panic);
    assert!(function("checked_add").facts.never_panics);
    assert!(function("parse").facts.fallible);
    assert!(function("sell").facts.deprecated);
    assert!(function("title").facts.documented_panic, "its trait says so");
    assert!(
        function("add").facts.documented_panic && !function("to_bytes").facts.documented_panic,
        "their type says so"
    );
    assert!(function("parse").facts.reads && !function("index").facts.reads);
    let index = &function("index").facts;
    assert!(index.track_caller && !index.fallible && function("parse").facts.fallible);
    assert!(index.place.as_ref().is_some_and(|place| place.starts_with("src/lib.rs:")), "{index:?}");
}

#[test]
fn a_crate_is_generic_if_most_of_its_functions_are() {
    let with = |is_wanted: &dyn Fn(&Block) -> bool| {
        let mut api = read("library");
        api.functions.clear();
        api.blocks.retain(is_wanted);
        api.is_generic()
    };
    let is_open = |block: &Block| !block.generics.variables.is_empty();
    assert!(with(&is_open));
    assert!(!with(&|block| !is_open(block)));
    assert!(!Api::default().is_generic());
}

#[test]
fn what_no_harness_may_call_is_marked() {
    assert!(!function("burn").is_callable() && !function("lend").is_callable());
    assert!(function("parse").is_callable());
}

#[test]
fn values_can_be_written_without_a_call() {
    let variants: Vec<&str> = LIBRARY.definitions["library::Subject"]
        .constructors
        .iter()
        .filter_map(|constructor| constructor.variant.as_deref())
        .collect();
    assert_eq!(variants, ["Science", "Fiction", "Other"]);
    assert_eq!(LIBRARY.definitions["library::Pages"].constructors.len(), 1);
    assert!(LIBRARY.definitions["library::Number"].constructors.is_empty(), "its field is private");
}

#[test]
fn a_block_has_the_functions_that_its_trait_provides() {
    let titled = |block: &&Block| block.of.as_ref().is_some_and(|of| of.name() == "Titled");
    let block = LIBRARY.blocks.iter().find(titled).unwrap();
    let names = |functions: &[Function]| functions.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
    assert_eq!(
        (names(&block.functions), names(&block.provided)),
        (vec!["title".into()], vec!["shout".into()])
    );
}

#[test]
fn documentation_is_kept_for_its_examples() {
    assert!(LIBRARY.docs.iter().any(|docs| docs.contains("```") && docs.contains("\"0-306")));
}

#[test]
fn a_type_that_only_an_alias_names_is_called_by_it() {
    assert!(LIBRARY.definitions.contains_key("library::Drawer"));
    assert_eq!(function("drawer").output, Kind::named("library::Drawer"));
    assert_eq!(function("size").inputs[0].1, Kind::shared(Kind::named("library::Drawer")));
    let alias = LIBRARY.aliases.iter().find(|alias| alias.kind.is("library::ChestInner")).unwrap();
    let (generics, chest) = (&alias.generics, &alias.kind);
    assert_eq!(generics.variables.len(), 1);
    assert_eq!(chest.text(Lifetimes::Static), "library::ChestInner<T, library::Drawer>");
}

#[test]
fn a_type_holds_bytes_if_any_part_of_it_does() {
    let (byte, number) = (Kind::named("u8"), Kind::named("u32"));
    let list = |of: &Kind| Kind::generic("std::vec::Vec", [of.clone()]);
    let slice = |of: &Kind| Kind::shared(Kind::Slice(Box::new(of.clone())));
    assert!(list(&byte).holds_bytes() && slice(&byte).holds_bytes());
    assert!(Kind::generic("std::option::Option", [list(&byte)]).holds_bytes());
    assert!(!list(&number).holds_bytes() && !slice(&number).holds_bytes() && !byte.holds_bytes());
}
