//! The parameters that a property may have, and the way they are shown.

use super::*;
use std::marker::PhantomData as Empty;

#[derive(Debug, Generate)]
struct Point {
    x: u8,
    y: u8,
}

#[property]
fn references_borrow_what_is_generated(
    text: &str,
    list: &[u16],
    point: &Point,
    array: &[u8; 3],
    nested: &Vec<Option<String>>,
) {
    assert!(text.len() >= text.chars().count() && list.len() < 1_000_000);
    assert!(u16::from(point.x) + u16::from(point.y) < 512 && array.len() == 3);
    assert_eq!(nested.clone(), *nested);
}

#[property]
fn mutable_references_borrow_it_as_well(list: &mut [u8], text: &mut String, number: &mut u64) {
    list.reverse();
    text.push('a');
    *number = 1;
    assert!(text.ends_with('a'));
}

#[property]
fn what_is_passed_may_be_changed(mut list: Vec<u8>) {
    list.push(1);
    assert_eq!(list.pop(), Some(1));
}

#[property]
fn patterns_take_values_apart((a, b): (u8, u16), Point { x, y: _ }: Point, [c, ..]: [u8; 2], _: u8) {
    assert!(u32::from(a) + u32::from(b) + u32::from(c) + u32::from(x) < 100_000);
}

#[property]
fn the_source_can_stand_anywhere(limit: u8, source: &mut Source, text: &str) {
    let below = source.draw(0..=limit);
    assert!(below <= limit && text.len() < 1_000_000);
}

#[property(strategies = random, regressions = false)]
#[should_panic(expected = "property failed")]
fn what_the_body_draws_can_refute(source: &mut bugnet::Source) {
    assert!(source.any::<u8>() < 200);
}

#[property]
fn generators_replace_the_type(
    #[with(10..20u8)] small: u8,
    #[with(vec_of(any::<u8>()).len(1..=3))] list: &[u8],
    #[with(string_of('a'..='c'))] text: &str,
    #[with(select(["left", "right"]))] word: &str,
    #[with(select(["up", "down"]))] forever: &'static str,
    #[with(just(7u8))] number: &u8,
) {
    assert!((10..20).contains(&small) && (1..=3).contains(&list.len()));
    assert!(text.chars().all(|c| "abc".contains(c)));
    assert!(["left", "right"].contains(&word) && ["up", "down"].contains(&forever));
    assert_eq!(*number, 7);
}

static BUILT: AtomicU64 = AtomicU64::new(0);

fn counted() -> impl Generator<Value = u8> {
    BUILT.fetch_add(1, Ordering::Relaxed);
    any::<u8>()
}

#[property]
#[ignore = "called below"]
fn with_a_counted_generator(#[with(counted())] _a: u8) {}

#[test]
fn a_generator_is_built_once() {
    with_a_counted_generator();
    assert_eq!(BUILT.load(Ordering::Relaxed), 1);
}

static RUNS: AtomicU64 = AtomicU64::new(0);

#[property]
#[ignore = "called below"]
fn without_parameters() {
    RUNS.fetch_add(1, Ordering::Relaxed);
}

#[test]
fn a_property_without_parameters_is_one_case() {
    without_parameters();
    assert_eq!(RUNS.load(Ordering::Relaxed), 1);
}

#[property(regressions = false, seed = 1)]
#[ignore = "read below"]
fn shown(
    text: &str,
    list: &[Option<u8>],
    mut number: u64,
    (a, _): (bool, u8),
    map: BTreeMap<u8, Vec<(char, i8)>>,
    #[with(just(Opaque))] opaque: Opaque,
    r#type: Point,
) {
    number /= 2;
    let _ = (text, list, a, map, opaque, r#type.x, r#type.y);
    assert!(number < 10);
}

#[derive(Clone)]
struct Opaque;

#[test]
fn arguments_are_shown_as_source_with_owned_types() {
    let report = report("parameters::shown");
    for line in [
        "let text: String = \"\".to_string();",
        "let list: Vec<Option<u8>> = vec![];",
        "let number: u64 = 20;",
        "let input_4: (bool, u8) = (false, 0);",
        "let map: BTreeMap<u8, Vec<(char, i8)>> = std::collections::BTreeMap::from([]);",
        "opaque = a value of type property::parameters::Opaque",
        "let r#type: Point = Point { x: 0, y: 0 };",
    ] {
        assert!(report.contains(line), "{line} is not in\n{report}");
    }
}

macro_rules! typed {
    ($($name:ident: $kind:literal, $type:ty;)*) => {
        #[property(regressions = false, seed = 1)]
        #[ignore = "read below"]
        #[expect(clippy::too_many_arguments, reason = "one for each form")]
        fn typed(number: u8, $($name: $type),*) {
            let _ = ($($name,)*);
            assert!(number < 10);
        }

        #[test]
        fn types_are_spaced_as_rustfmt_would() {
            let report = report("parameters::typed");
            $(
                let start = concat!("let ", stringify!($name), ": ", $kind, " = ");
                assert!(report.contains(start), "{start} is not in\n{report}");
            )*
        }
    };
}

typed! {
    path: "std::collections::BTreeMap<u8, Vec<(char, i8)>>", std::collections::BTreeMap<u8,Vec<(char,i8)>>;
    array: "[Option<bool>; 2]", [Option<bool>;2];
    slice: "Empty<&'static mut [u8]>", Empty<&'static mut[u8]>;
    object: "Empty<Box<dyn Fn(u8, u16) -> u32 + Send + 'static>>", Empty<Box<dyn Fn(u8,u16)->u32+Send+'static>>;
    associated: "<Vec<u8> as IntoIterator>::Item", <Vec<u8>as IntoIterator>::Item;
    function: "Empty<fn(u8) -> Result<(), ()>>", Empty<fn(u8)->Result<(),()>>;
    pointer: "Empty<*const u8>", Empty<*const u8>;
    items: "Empty<Box<dyn Iterator<Item = (u8, u8)>>>", Empty<Box<dyn Iterator<Item=(u8,u8)>>>;
    unit: "()", ();
}

macro_rules! round_trips {
    ($(#[$attribute:meta] $vis:vis $name:ident, $type:ty, $cases:literal, $text:expr, $body:block);*) => {$(
        #[property(cases = $cases)]
        #[$attribute]
        #[example($text.parse().unwrap(), &Default::default(), 1)]
        $vis fn $name(_value: $type, _same: &$type, #[with(just($cases))] _cases: u64) -> bool $body
    )*};
}

round_trips! {
    #[doc = "numbers"] pub(crate) numbers_round_trip, i64, 100, "7", { true };
    #[cfg(any())] texts_round_trip, String, 10, "text", { NoSuchName }
}

/// Ways to write a function that a reader of tokens might trip over.
#[property]
fn forms_are_read(
    function: std::marker::PhantomData<fn(u8, u16) -> u32>,
    #[expect(unused_mut, reason = "an attribute of a parameter is kept")] mut nested: Vec<
        Vec<Option<(u8, u8)>>,
    >,
    array: [u8; 1 + 1],
    boxed: Box<[u8]>,
    slice: &'_ [(u8, Vec<u8>)],
    std::num::Wrapping::<u8>(inner): std::num::Wrapping<u8>,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let _ = (function, nested, boxed, slice, inner);
    if array.len() == 2 { Ok(()) } else { Err("no".into()) }
}

#[property(regressions = false)]
#[ignore = "read below"]
fn refuted_by_all_of_its_arguments(list: &[u8], text: String, #[with(3..)] number: u8) -> bool {
    list.is_empty() || !text.ends_with('!') || number < 5
}

#[test]
fn what_is_taken_beside_what_is_borrowed_is_shown_as_well() {
    let report = report("parameters::refuted_by_all_of_its_arguments");
    assert!(report.contains("let list: Vec<u8> = vec![0];"), "{report}");
    assert!(report.contains("let text: String = \"!\".to_string();"), "{report}");
    assert!(report.contains("let number: u8 = 5;"), "{report}");
}
