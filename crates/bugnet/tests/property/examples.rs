//! Inputs given by hand.

use super::*;

static SEEN: Log<(u8, String)> = Log::new(Vec::new());

#[example(1, "before")]
#[bugnet::example(2, "before as well")]
#[property(cases = 10)]
#[example(3, "a, comma")]
#[example(4 + BTreeMap::<u8, u8>::new().len() as u8, "turbofish",)]
#[ignore = "called below"]
fn with_examples(number: u8, text: &str) {
    SEEN.lock().unwrap().push((number, text.to_string()));
}

#[test]
fn examples_run_first_in_order_and_beside_the_cases() {
    let seen = logged(&SEEN, with_examples);
    let texts: Vec<&str> = seen.iter().take(4).map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["before", "before as well", "a, comma", "turbofish"]);
    assert_eq!(seen.iter().take(4).map(|(number, _)| *number).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(seen.len(), 14);
}

#[example(7, &mut  3)]
#[property(regressions = false)]
#[example(8, &mut 9)]
#[ignore = "read below"]
fn refuted_before_the_property(a: u8, b: &mut u8) -> bool {
    a != 7 || *b != 3
}

#[example(7, &mut 3)]
#[property(regressions = false)]
#[example(8,  &mut 9)]
#[ignore = "read below"]
fn refuted_behind_the_property(a: u8, b: &mut u8) -> bool {
    a != 8 || *b != 9
}

#[test]
fn an_example_is_shown_as_it_is_written() {
    assert!(report("examples::refuted_before_the_property").contains("example = 7, &mut  3\n"));
    assert!(report("examples::refuted_behind_the_property").contains("example = 8,  &mut 9\n"));
}

#[property]
#[example(5)]
fn a_parameter_that_is_the_source_has_no_argument(source: &mut Source, limit: u8) {
    assert!(source.draw(0..=limit) <= limit);
}

fn size<T, const N: usize>() -> usize {
    size_of::<[T; N]>()
}

#[property]
#[example(BTreeMap::<u8, Vec<u8>>::new(), 1 < 2, u8::max(3, 4), 5 > 6, size::<fn(u8) -> (u8, u8), 9>())]
fn only_commas_between_arguments_divide_them(
    map: BTreeMap<u8, Vec<u8>>,
    smaller: bool,
    number: u8,
    larger: bool,
    size: usize,
) {
    let _ = (map, smaller, number, larger, size);
}

#[property]
#[example()]
fn an_example_may_be_empty() {}
