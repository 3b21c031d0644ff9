//! What findings are taken for.

use super::*;
use crate::explore::finding::Place;

fn finding(operation: &str, message: &str) -> Finding {
    Finding {
        operation: operation.to_string(),
        phase: Phase::Call,
        cause: Cause::Panic,
        place: Place::read("/x/src/lib.rs:1:2"),
        message: message.to_string(),
        tape: None,
    }
}

fn class(operation: &str, message: &str, facts: Facts) -> Class {
    judge(&finding(operation, message), &facts, None).class
}

fn reduced(first: &Judgement, finding: &Finding, facts: &Facts, program: &[&str]) -> Class {
    let program: Vec<String> = program.iter().map(|line| line.to_string()).collect();
    judge_reduced(first.clone(), finding, facts, &program).class
}

const UNWRAP: &str = "called `Option::unwrap()` on a `None` value";
const OVERFLOW: &str = "attempt to add with overflow";

#[test]
fn a_documented_panic_is_a_misuse_and_one_that_cannot_be_is_a_contradiction() {
    let documented = Facts { documented_panic: true, ..Facts::default() };
    assert_eq!(class("f", UNWRAP, documented), Class::Misuse);
    let never = Facts { never_panics: true, ..Facts::default() };
    assert_eq!(class("f", "no such index", never), Class::Contradiction);
    assert_eq!(class("f", UNWRAP, Facts::default()), Class::Panic);
}

#[test]
fn what_serde_calls_in_an_order_of_its_own_is_misused_in_another() {
    let of = |name: &str| Facts { trait_name: Some(name.to_string()), fallible: true, ..Facts::default() };
    assert_eq!(class("f", UNWRAP, of("serde_core::ser::SerializeMap")), Class::Misuse);
    assert_eq!(class("f", UNWRAP, of("serde_core::ser::Serialize")), Class::Panic);
}

#[test]
fn a_panic_that_the_documentation_cannot_mean_is_shown() {
    let documented = Facts { documented_panic: true, ..Facts::default() };
    let boundary = "byte offset 1 is not a char boundary";
    assert_eq!(class("Rope::line", boundary, documented.clone()), Class::Panic);
    // An index beyond the end may well be noticed by an overflow.
    assert_eq!(class("Rope::line", OVERFLOW, documented.clone()), Class::Misuse);
    let named = Facts { documented_boundary: true, ..documented };
    assert_eq!(class("Rope::line", boundary, named), Class::Misuse);
}

#[test]
fn a_function_that_refuses_by_its_name_contradicts_itself_when_it_panics() {
    assert_eq!(class("Date::from_ymd_opt", OVERFLOW, Facts::default()), Class::Contradiction);
    assert_eq!(class("Map::<try_u8>::get", "no such key", Facts::default()), Class::Misuse);
    assert_eq!(
        class("<f64 as TryFrom<Decimal>>::try_from", OVERFLOW, Facts::default()),
        Class::Contradiction
    );
    assert_eq!(class("try_push", OVERFLOW, Facts::default()), Class::Contradiction);
    assert_eq!(class("TimeDelta::checked_mul", OVERFLOW, Facts::default()), Class::Contradiction);
}

#[test]
fn what_an_author_says_or_leaves_to_a_sibling_is_a_misuse() {
    assert_eq!(class("f", "the list is empty", Facts::default()), Class::Misuse);
    let sibling = Facts { sibling: Some("try_f".to_string()), ..Facts::default() };
    assert_eq!(class("f", UNWRAP, sibling), Class::Misuse);
    let operator = Facts { operator: true, ..Facts::default() };
    assert_eq!(class("add", OVERFLOW, operator), Class::Misuse);
    assert_eq!(class("f", "capacity overflow", Facts::default()), Class::Misuse);
}

#[test]
fn a_place_in_the_harness_blames_the_caller() {
    let mut blamed = finding("f", UNWRAP);
    blamed.place = Place::read("src/operations.rs:9:9");
    assert_eq!(judge(&blamed, &Facts::default(), None).class, Class::Misuse);
}

#[test]
fn a_panic_while_a_value_is_shown_or_dropped_is_never_a_misuse() {
    for phase in [Phase::Observe, Phase::Drop] {
        let finding = Finding { phase, ..finding("f", "no") };
        let facts = Facts { documented_panic: true, ..Facts::default() };
        assert_eq!(judge(&finding, &facts, None).class, Class::Contradiction);
    }
    let debug = Facts { trait_name: Some("core::fmt::Debug".to_string()), ..Facts::default() };
    assert_eq!(class("<T as Debug>::fmt", "no", debug), Class::Contradiction);
}

#[test]
fn a_number_that_reducing_could_not_make_small_was_asked_for() {
    let finding = finding("f", OVERFLOW);
    let first = judge(&finding, &Facts::default(), None);
    let again = |line: &str| reduced(&first, &finding, &Facts::default(), &[line]);
    assert_eq!(again("f(usize::MAX);"), Class::Misuse);
    assert_eq!(again("f(18446744073709551615);"), Class::Misuse);
    assert_eq!(again("f(3);"), Class::Panic);
    assert_eq!(again("f(\"99999999999\");"), Class::Panic);
    assert_eq!(again("chrono::NaiveDate::MIN.week(3);"), Class::Panic);
}

#[test]
fn what_can_refuse_does_not_overflow_and_does_not_panic_at_what_it_reads() {
    let fallible = Facts { fallible: true, ..Facts::default() };
    let overflow = finding("f", OVERFLOW);
    let first = judge(&overflow, &fallible, None);
    assert_eq!(reduced(&first, &overflow, &fallible, &["f(usize::MAX);"]), Class::Panic);
    assert_eq!(class("f", "invalid escape", fallible.clone()), Class::Misuse);
    let reads = Facts { reads: true, ..fallible };
    assert_eq!(class("f", "invalid escape", reads.clone()), Class::Panic);
    assert_eq!(class("f", "the radix must be within 2 and 36", reads), Class::Misuse);
    assert_eq!(class("f", "invalid escape", Facts { reads: true, ..Facts::default() }), Class::Misuse);
}

#[test]
fn a_function_that_leaves_its_checks_to_the_caller_is_not_to_blame() {
    let law = Finding { cause: Cause::Law, place: None, ..finding("law eq_is_reflexive of A", "") };
    let first = judge(&law, &Facts::default(), None);
    let again = |line: &str| reduced(&first, &law, &Facts::default(), &[line]);
    assert_eq!(again("let a = A::from_hash_nocheck(1);"), Class::Misuse);
    assert_eq!(again("a.push_unchecked::<u8>(1);"), Class::Misuse);
    assert_eq!(again("let unchecked = A::new();"), Class::Law);
    assert_eq!(again("let entry = a.raw_entry_mut_v1();"), Class::Misuse);
    assert_eq!(again("let raw = a.draw_entry();"), Class::Law);
}

#[test]
fn what_divides_or_grows_by_its_name_was_asked_to() {
    let zero = "attempt to divide by zero";
    assert_eq!(class("Big::rem_euclid", zero, Facts::default()), Class::Misuse);
    assert_eq!(class("Big::average", zero, Facts::default()), Class::Panic);
    let memory = |operation: &str| {
        let finding = Finding { cause: Cause::Memory, place: None, ..finding(operation, "") };
        let given = Facts { given: true, ..Facts::default() };
        let [asked, alone] = [given, Facts::default()].map(|facts| judge(&finding, &facts, None).class);
        assert_eq!(alone, Class::Memory, "nothing was asked for");
        asked
    };
    assert_eq!((memory("<A as Pow<B>>::pow"), memory("A::power")), (Class::Misuse, Class::Memory));
    assert!(has_endless_range("a.insert_range(0..);") && has_endless_range("a.f(.., 1);"));
    assert!(!has_endless_range("a.insert_range(0..7);") && !has_endless_range("a.f(\"..)\");"));
}

#[test]
fn a_conversion_must_not_fail_unless_its_author_has_thought_of_it() {
    let from = || Facts { trait_name: Some("std::convert::From".to_string()), ..Facts::default() };
    assert_eq!(class("<A as From<u8>>::from", UNWRAP, from()), Class::Contradiction);
    assert_eq!(class("<A as From<u8>>::from", "start is after the end", from()), Class::Misuse);
}

#[test]
fn an_iterator_that_does_not_end_is_a_misuse() {
    let fold = Finding { cause: Cause::Hang, place: None, ..finding("<A as Iterator>::fold", "") };
    let iterator = Facts { trait_name: Some("Iterator".to_string()), ..Facts::default() };
    assert_eq!(judge(&fold, &iterator, None).class, Class::Misuse);
    assert_eq!(judge(&fold, &Facts::default(), None).class, Class::Hang);
}

#[test]
fn an_iterator_that_panics_is_judged_as_any_function_and_breaks_no_law() {
    assert_eq!(class("law size_hint_holds of A", "no such node", Facts::default()), Class::Misuse);
    assert_eq!(class("law size_hint_holds of A", UNWRAP, Facts::default()), Class::Panic);
    assert_eq!(class("law eq_is_reflexive of A", "no such node", Facts::default()), Class::Contradiction);
    let mut asserted = finding("law len_is_count of A", "assertion failed");
    asserted.place = Place::read("/rustc/0/library/core/src/iter/traits/exact_size.rs:122:9");
    assert_eq!(judge(&asserted, &Facts::default(), None).class, Class::Contradiction);
}

#[test]
fn a_limit_that_is_reached_and_an_assertion_about_a_large_number_are_asked_for() {
    let limit = "called `Result::unwrap()` on an `Err` value: NodeIxLimit";
    assert_eq!(class("f", limit, Facts::default()), Class::Misuse);
    let finding = finding("f", "assertion failed: capacity <= MAX");
    let first = judge(&finding, &Facts::default(), Some("debug_assert!(capacity <= MAX);"));
    assert_eq!(first.class, Class::Panic);
    let again = |line: &str| reduced(&first, &finding, &Facts::default(), &[line]);
    assert_eq!((again("f(70000);"), again("f(7);")), (Class::Misuse, Class::Panic));
}

#[test]
fn an_index_that_was_given_is_a_misuse_and_one_that_was_not_is_a_bug() {
    let finding = finding("f", "index out of bounds: the len is 0 but the index is 3");
    let first = judge(&finding, &Facts::default(), None);
    let again = |line: &str| reduced(&first, &finding, &Facts::default(), &[line]);
    assert_eq!(again("f(3);"), Class::Misuse);
    assert_eq!(again("f(\"3\");"), Class::Panic);
    let earlier = ["let mut a = A::new(3);", "a.f();"];
    assert_eq!(reduced(&first, &finding, &Facts::default(), &earlier), Class::Misuse);
    // The length is not an index.
    assert_eq!(again("f(0);"), Class::Panic);
}

#[test]
fn good_manners_are_not_expected_of_values_that_no_function_has_made() {
    let law = Finding { cause: Cause::Law, place: None, ..finding("law display_is_parsed of A", "") };
    let first = judge(&law, &Facts::default(), None);
    let again = |line: &str| reduced(&first, &law, &Facts::default(), &[line]);
    assert_eq!(again("let a = b::A { c: 1, d: None };"), Class::Misuse);
    assert_eq!(again("let a = b::A::new(|c| { c });"), Class::Convention);
    assert_eq!(again("let a = b::A::C { d: 1 };"), Class::Convention);
    assert_eq!(again("{ let a = 1; assert!(a == 1) };"), Class::Convention);
}

#[test]
fn a_number_with_a_fraction_says_nothing_of_how_much_is_asked_for() {
    assert_eq!(numbers("point(1.8446744073709552e19, 0.5).take(300);"), [300]);
    assert_eq!(numbers("a.0.take(1..5, 7.max(2));"), [0, 1, 5, 7, 2]);
    assert_eq!(numbers("f(vec![3; 66], <[u8; 8]>::new(), 9); g(5]"), [3, 9, 5]);
}

#[test]
fn a_number_in_a_text_with_quotes_is_none_that_was_given() {
    assert_eq!(numbers(r#"f("{\"a\": 99999}", b"\\", 3, "7");"#), [3]);
}

#[test]
fn a_call_that_needs_a_large_number_to_hang_is_asked_to() {
    let hang = Finding { cause: Cause::Hang, place: None, ..finding("f", "the call does not end") };
    let first = judge(&hang, &Facts::default(), None);
    let again = |line: &str| reduced(&first, &hang, &Facts::default(), &[line]);
    assert_eq!((again("f(4000000000);"), again("f(2);")), (Class::Misuse, Class::Hang));
}

#[test]
fn what_an_earlier_call_insists_on_may_have_been_neglected() {
    let insists = Facts { insists: true, given: true, ..Facts::default() };
    let class = |operation: &str, earlier: &Facts| {
        let finding = finding(operation, UNWRAP);
        let before = judge(&finding, &Facts::default(), None);
        judge_earlier(before, &finding, [("Graph::from_sorted", earlier)].into_iter()).class
    };
    assert_eq!(class("Graph::walk", &insists), Class::Misuse);
    assert_eq!(class("Graph::try_walk", &insists), Class::Misuse);
    assert_eq!(class("Graph::walk", &Facts { given: false, ..insists.clone() }), Class::Panic);
    assert_eq!(class("Graph::try_walk", &Facts::default()), Class::Contradiction);
}

#[test]
fn who_asks_a_fickle_function_gets_fickle_answers() {
    let finding = Finding { cause: Cause::Law, ..finding("law eq_is_reflexive of Map", "") };
    let first = judge(&finding, &Facts::default(), None);
    let asked = |function: &str, closure: &str| {
        let program = ["let map = Map::new();", &format!("map.{function}({closure});")];
        reduced(&first, &finding, &Facts::default(), &program)
    };
    let fickle = "{ let odd = Cell::new(false); move |_| odd.replace(!odd.get()) }";
    assert_eq!(asked("find", "|_| true"), Class::Law);
    assert_eq!(asked("find", fickle), Class::Misuse);
    assert_eq!(asked("retain", fickle), Class::Law);
}

#[test]
fn an_index_that_the_author_did_not_expect_was_given_all_the_same() {
    let message = "internal error: entered unreachable code: index 2 out of bounds for tuple";
    let finding = finding("Point::nth", message);
    let first = judge(&finding, &Facts::default(), None);
    assert_eq!(first.class, Class::Panic);
    let given = |line: &str| reduced(&first, &finding, &Facts::default(), &[line]);
    assert_eq!((given("(0, 0).nth(2);"), given("(0, 0).last();")), (Class::Misuse, Class::Panic));
}

#[test]
fn a_value_whose_fields_are_written_out_is_no_evidence_unless_it_holds_bytes() {
    let finding = finding("Font::advance", OVERFLOW);
    let first = judge(&finding, &Facts::default(), None);
    let made = |line: &str| reduced(&first, &finding, &Facts::default(), &[line, "font.advance(0);"]);
    assert_eq!(made("let font = fonts::Font { size: 0, glyphs: 1 };"), Class::Misuse);
    assert_eq!(made("let font = fonts::Font { data: vec.as_slice(), offset: 0 };"), Class::Panic);
    assert_eq!(made("let font = fonts::Font { data: vec![7, 0], offset: 0 };"), Class::Panic);
    assert_eq!(made("let walk = graphs::Dfs { stack: vec![0], seen: set };"), Class::Misuse);
    assert_eq!(made("let font = fonts::Font { glyphs: vec![glyph], offset: 0 };"), Class::Misuse);
    assert_eq!(made("let font = fonts::Font::Bitmap { size: 0 };"), Class::Panic);
}

#[test]
fn an_assertion_about_how_much_is_asked_for_was_asked_for() {
    let given = Facts { given: true, ..Facts::default() };
    let class = |operation: &str| {
        let finding = finding(operation, "assertion failed: capacity <= MAX");
        let first = Judgement { class: Class::Panic, sureness: 60, reason: String::new() };
        reduced(&first, &finding, &given, &["let graph = Graph::made(256);"])
    };
    assert_eq!((class("Graph::with_capacity"), class("Graph::of")), (Class::Misuse, Class::Panic));
}

#[test]
fn arithmetic_of_a_trait_refuses_as_an_operator_does() {
    let of =
        |name: &str, fallible| Facts { trait_name: Some(name.to_string()), fallible, ..Facts::default() };
    assert_eq!(class("<Ratio as Product>::product", OVERFLOW, of("Product", false)), Class::Misuse);
    assert_eq!(class("<Ratio as Product>::product", UNWRAP, of("Product", false)), Class::Panic);
    assert_eq!(class("<Ratio as Num>::read", OVERFLOW, of("Num", true)), Class::Panic);
    let given = Facts { given: true, ..Facts::default() };
    assert_eq!(class("Ratio::pow", OVERFLOW, given.clone()), Class::Misuse);
    assert_eq!(class("Ratio::root", OVERFLOW, given), Class::Panic);
}

#[test]
fn what_was_made_without_a_look_proves_nothing_unless_the_process_dies() {
    let unchecked = Facts { unchecked: true, given: true, ..Facts::default() };
    let law = Finding { cause: Cause::Law, ..finding("law equal_hashes of Ratio", "") };
    let death = Finding { cause: Cause::Death, ..finding("Ratio::reduce", "signal 11") };
    for (finding, expected) in
        [(finding("Ratio::round", UNWRAP), Class::Misuse), (law, Class::Misuse), (death, Class::Crash)]
    {
        let before = judge(&finding, &Facts::default(), None);
        let earlier = [("Ratio::new_raw", &unchecked)];
        assert_eq!(judge_earlier(before, &finding, earlier.into_iter()).class, expected, "{finding:?}");
    }
}

#[test]
fn a_stack_that_overflows_because_a_limit_was_lifted_was_asked_to() {
    let class = |call: &str, message: &str| {
        let finding = Finding { cause: Cause::Death, ..finding("Options::from_str", message) };
        let before = judge(&finding, &Facts::default(), None);
        judge_earlier(before, &finding, [(call, &Facts::default())].into_iter()).class
    };
    assert_eq!(class("Options::without_recursion_limit", "stack overflow"), Class::Misuse);
    assert_eq!(class("Options::with_recursion_limit", "stack overflow"), Class::Crash);
    assert_eq!(class("Options::without_recursion_limit", "signal 11"), Class::Crash);
}

#[test]
fn a_length_that_was_given_is_too_long_even_for_what_can_refuse() {
    let long = ["encode(usize::MAX);"];
    let class = |message: &str, sizes: bool| {
        let facts = Facts { sizes, given: true, fallible: true, ..Facts::default() };
        let finding = finding("encode", message);
        reduced(&judge(&finding, &facts, None), &finding, &facts, &long)
    };
    assert_eq!((class(OVERFLOW, true), class(OVERFLOW, false)), (Class::Misuse, Class::Panic));
    assert_eq!((class(UNWRAP, true), class(UNWRAP, false)), (Class::Misuse, Class::Panic));
}

#[test]
fn a_number_that_was_written_into_a_field_is_no_evidence_of_an_overflow() {
    let finding = finding("law display_prints of Position", OVERFLOW);
    let first = judge(&finding, &Facts::default(), None);
    let class = |line: &str| {
        let program = [format!("let position = json::Position {{ line: {line}, column: 0 }};")];
        reduced(&first, &finding, &Facts::default(), &[&program[0], "format!(\"{}\", &position);"])
    };
    assert_eq!((class("usize::MAX"), class("7")), (Class::Misuse, Class::Contradiction));
}

#[test]
fn who_shows_a_view_of_another_value_than_its_handle_is_of_has_asked_for_it() {
    let finding = finding("law debug_prints of View", "index out of bounds: the len is 0 but the index is 0");
    let first = judge(&finding, &Facts::default(), None);
    let class = |tree: &str| {
        let view = format!("let view = node_id.view(&{tree});");
        let program =
            ["let tree = Tree::new();", "let node_id = tree.add(1);", "let tree_2 = Tree::new();", &view];
        reduced(&first, &finding, &Facts::default(), &program)
    };
    assert_eq!((class("tree_2"), class("tree")), (Class::Misuse, Class::Contradiction));
}

#[test]
fn a_default_that_is_always_another_is_a_new_identity() {
    let law = |name: &str| Finding { cause: Cause::Law, ..finding(&format!("law {name} of ObjectId"), "") };
    assert!(!judge(&law("default_is_equal"), &Facts::default(), None).is_shown());
    assert!(judge(&law("rebuilt_is_equal"), &Facts::default(), None).is_shown());
}

#[test]
fn a_conversion_to_a_number_says_that_there_may_be_none() {
    assert_eq!(class("Point::to_u32", UNWRAP, Facts::default()), Class::Misuse);
    assert_eq!(class("Point::to_origin", UNWRAP, Facts::default()), Class::Panic);
    let fallible = Facts { fallible: true, ..Facts::default() };
    assert_eq!(class("Point::to_u32", UNWRAP, fallible), Class::Panic);
}

#[test]
fn an_assertion_at_the_head_of_a_function_is_about_what_it_is_given() {
    let assertion =
        Finding { place: Place::read("/x/src/lib.rs:7:2"), ..finding("clamp", "assertion failed: a <= b") };
    let class = |place: &str, line: &str| {
        let facts = Facts { place: Some(place.to_string()), ..Facts::default() };
        judge(&assertion, &facts, Some(line)).class
    };
    assert_eq!(class("src/lib.rs:5", "debug_assert!(a <= b);"), Class::Misuse);
    assert_eq!(class("src/lib.rs:5", "debug_assert!(self.a <= self.b);"), Class::Panic);
    assert_eq!(class("src/lib.rs:90", "debug_assert!(a <= b);"), Class::Panic);
    assert_eq!(class("src/other.rs:5", "debug_assert!(a <= b);"), Class::Panic);
}

#[test]
fn a_large_fraction_that_became_an_integer_overflows() {
    let finding = finding("Vector::dot", OVERFLOW);
    let first = judge(&finding, &Facts::default(), None);
    let class = |number: &str| {
        let line = format!("let vector = Vector::new({number}, 0.0).to_i32();");
        reduced(&first, &finding, &Facts::default(), &[&line, "vector.dot(vector);"])
    };
    assert_eq!(
        (class("1000000.0"), class("f64::MAX"), class("2.5")),
        (Class::Misuse, Class::Misuse, Class::Panic)
    );
}

#[test]
fn arithmetic_on_nothing_but_arguments_overflows_with_them() {
    let overflow = Finding { place: Place::read("/x/src/lib.rs:7:2"), ..finding("ByteSize::eb", OVERFLOW) };
    let class = |line: &str, fallible: bool| {
        let place = Some("src/lib.rs:5".to_string());
        let facts = Facts { place, numbers: true, fallible, ..Facts::default() };
        judge(&overflow, &facts, Some(line)).class
    };
    assert_eq!(class("size * EB", false), Class::Misuse);
    assert_eq!(class("self.0 * EB", false), Class::Panic);
    assert_eq!(class("size * EB", true), Class::Panic);
}

#[test]
fn what_an_author_refuses_in_a_field_that_was_written_out_is_a_misuse() {
    let class = |message: &str| {
        let finding = finding("law display_prints of Word", message);
        let first = judge(&finding, &Facts::default(), None);
        let word = "let word = sql::Word { quote: Some('a') };";
        reduced(&first, &finding, &Facts::default(), &[word, "format!(\"{}\", &word);"])
    };
    assert_eq!((class("unexpected quote"), class(UNWRAP)), (Class::Misuse, Class::Contradiction));
}

#[test]
fn a_call_that_does_not_end_may_have_been_warned_of_what_it_was_given() {
    let hang = Finding { cause: Cause::Hang, place: None, ..finding("astar", "the call does not end") };
    let class = |insists: bool| judge(&hang, &Facts { insists, given: true, ..Facts::default() }, None).class;
    assert_eq!((class(true), class(false)), (Class::Misuse, Class::Hang));
}

#[test]
fn what_is_made_of_any_text_need_not_be_read_again() {
    let mut finding = finding("law display_is_parsed of Mime", "");
    finding.cause = Cause::Law;
    let before = judge(&finding, &Facts::default(), None);
    let judged =
        |facts: Facts| judge_earlier(before.clone(), &finding, [("Mime::new", &facts)].into_iter()).class;
    let any = Facts { reads: true, given: true, ..Facts::default() };
    assert_eq!(judged(any.clone()), Class::Misuse);
    assert_eq!(judged(Facts { fallible: true, ..any.clone() }), Class::Convention);
    assert_eq!(
        judged(Facts { trait_name: Some("std::convert::From".to_string()), ..any }),
        Class::Convention
    );
}
