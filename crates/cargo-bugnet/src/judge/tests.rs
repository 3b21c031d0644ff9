//! Tests of the verdicts on findings.

use super::*;
use crate::api::Law;
use crate::finding::{Cause, Phase, Place};
use crate::harness::StandIn;
use crate::judge::bug::example::{Made, call};
use bugnet::wire::{Call, Number};

fn finding(operation: &str, message: &str) -> Finding {
    Finding {
        operation: operation.to_string(),
        law: None,
        phase: Phase::Call,
        cause: Cause::Panic,
        place: Place::read("/x/src/lib.rs:1:2"),
        message: message.to_string(),
        tape: None,
        after: None,
    }
}

/// A finding about a law.
fn law(name: &str, of: &str, message: &str) -> Finding {
    let law = Law { name: name.to_string(), of: of.to_string() };
    Finding { law: Some(law.clone()), ..finding(&law.operation(), message) }
}

fn class_of(finding: &Finding) -> Class {
    judge(finding, &Facts::default(), None).class
}

fn class(operation: &str, message: &str, facts: Facts) -> Class {
    judge(&finding(operation, message), &facts, None).class
}

/// Judges a finding whose minimal program is known: calls, with the facts about their operations.
fn reduced(first: &Judgement, finding: &Finding, facts: &Facts, program: &[(Made, Facts)]) -> Class {
    let step = |(made, facts): &'_ (Made, Facts)| (made.0.clone(), facts.clone());
    let program: Vec<(Call, Facts)> = program.iter().map(step).collect();
    let program: Vec<Step<'_>> = program.iter().map(|(call, facts)| Step { call, facts }).collect();
    judge_reduced(first.clone(), &Asked { program: &program, ..Asked::of(finding, facts) }).class
}

/// Judges a finding whose program has these calls, without facts about their operations.
fn called(first: &Judgement, finding: &Finding, program: &[Made]) -> Class {
    let program: Vec<_> = program.iter().map(|made| (made.clone(), Facts::default())).collect();
    reduced(first, finding, &Facts::default(), &program)
}

/// Judges a finding after a call with these facts.
fn after(before: &Judgement, finding: &Finding, name: &str, facts: &Facts) -> Class {
    let last = call(&finding.operation);
    reduced(before, finding, &Facts::default(), &[(call(name), facts.clone()), (last, Facts::default())])
}

fn whole(magnitude: u128) -> Number {
    Number::Whole { magnitude, is_limit: false }
}

/// `usize::MAX`.
const LIMIT: Number = Number::Whole { magnitude: u64::MAX as u128, is_limit: true };

const UNWRAP: &str = "called `Option::unwrap()` on a `None` value";
const OVERFLOW: &str = "attempt to add with overflow";

#[test]
fn a_documented_panic_is_a_misuse_and_one_that_cannot_be_is_a_contradiction() {
    let documented = Facts { documented_panic: true, ..Facts::default() };
    assert_eq!(class("f", UNWRAP, documented), Class::WrongUse);
    let never = Facts { never_panics: true, ..Facts::default() };
    assert_eq!(class("f", "no such index", never), Class::Contradiction);
    assert_eq!(class("f", UNWRAP, Facts::default()), Class::Panic);
}

#[test]
fn a_hang_that_iterates_or_waits_is_a_misuse_and_any_other_is_not() {
    let hang = |finding: Finding, facts: &Facts| {
        judge(&Finding { cause: Cause::Hang, place: None, ..finding }, facts, None).class
    };
    let (none, waits) = (Facts::default(), Facts { waits: true, ..Facts::default() });
    assert_eq!(hang(law("size_hint_holds", "Paths", ""), &none), Class::WrongUse);
    assert_eq!(hang(law("equal_hashes", "Paths", ""), &none), Class::Hang);
    assert_eq!(hang(finding("publish", ""), &waits), Class::WrongUse);
    assert_eq!(hang(finding("publish", ""), &none), Class::Hang);
}

#[test]
fn what_serde_calls_in_an_order_of_its_own_is_misused_in_another() {
    let of = |name: &str| Facts { trait_name: Some(name.to_string()), fallible: true, ..Facts::default() };
    assert_eq!(class("f", UNWRAP, of("serde_core::ser::SerializeMap")), Class::WrongUse);
    assert_eq!(class("f", UNWRAP, of("serde_core::ser::Serialize")), Class::Panic);
}

#[test]
fn a_panic_that_the_documentation_cannot_mean_is_shown() {
    let documented = Facts { documented_panic: true, ..Facts::default() };
    let boundary = "byte offset 1 is not a char boundary";
    assert_eq!(class("Rope::line", boundary, documented.clone()), Class::Panic);
    // An index beyond the end may well be noticed by an overflow.
    assert_eq!(class("Rope::line", OVERFLOW, documented.clone()), Class::WrongUse);
    let named = Facts { documented_boundary: true, ..documented };
    assert_eq!(class("Rope::line", boundary, named), Class::WrongUse);
}

#[test]
fn a_function_that_refuses_by_its_name_contradicts_itself_when_it_panics() {
    assert_eq!(class("Date::from_ymd_opt", OVERFLOW, Facts::default()), Class::Contradiction);
    assert_eq!(class("Map::<try_u8>::get", "no such key", Facts::default()), Class::WrongUse);
    assert_eq!(
        class("<f64 as TryFrom<Decimal>>::try_from", OVERFLOW, Facts::default()),
        Class::Contradiction
    );
    assert_eq!(class("try_push", OVERFLOW, Facts::default()), Class::Contradiction);
    assert_eq!(class("TimeDelta::checked_mul", OVERFLOW, Facts::default()), Class::Contradiction);
}

#[test]
fn what_an_author_says_or_leaves_to_a_sibling_is_a_misuse() {
    assert_eq!(class("f", "the list is empty", Facts::default()), Class::WrongUse);
    let sibling = Facts { sibling: Some("try_f".to_string()), ..Facts::default() };
    assert_eq!(class("f", UNWRAP, sibling), Class::WrongUse);
    let operator = Facts { operator: true, ..Facts::default() };
    assert_eq!(class("add", OVERFLOW, operator), Class::WrongUse);
    assert_eq!(class("f", "capacity overflow", Facts::default()), Class::WrongUse);
}

#[test]
fn a_place_in_the_harness_blames_the_caller() {
    let mut blamed = finding("f", UNWRAP);
    blamed.place = Place::read("src/operations.rs:9:9");
    assert_eq!(judge(&blamed, &Facts::default(), None).class, Class::WrongUse);
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
    let again = |numbers: &[Number]| called(&first, &finding, &[call("f").given(numbers)]);
    assert_eq!(again(&[LIMIT]), Class::WrongUse);
    // The last number of a small type is as extreme.
    assert_eq!(again(&[Number::Whole { magnitude: 255, is_limit: true }]), Class::WrongUse);
    assert_eq!(again(&[whole(40_000)]), Class::WrongUse);
    assert_eq!((again(&[whole(3)]), again(&[])), (Class::Panic, Class::Panic));
    // A number in the source that was not drawn as one was not given.
    let text = call("f").given(&[]).written("f(\"99999999999\")");
    assert_eq!(called(&first, &finding, &[text]), Class::Panic);
}

#[test]
fn what_can_refuse_does_not_overflow_and_does_not_panic_at_what_it_reads() {
    let fallible = Facts { fallible: true, ..Facts::default() };
    let overflow = finding("f", OVERFLOW);
    let first = judge(&overflow, &fallible, None);
    let largest = (call("f").given(&[LIMIT]), fallible.clone());
    assert_eq!(reduced(&first, &overflow, &fallible, &[largest]), Class::Panic);
    assert_eq!(class("f", "invalid escape", fallible.clone()), Class::WrongUse);
    let reads = Facts { reads: true, ..fallible };
    assert_eq!(class("f", "invalid escape", reads.clone()), Class::Panic);
    assert_eq!(class("f", "the radix must be within 2 and 36", reads), Class::WrongUse);
    assert_eq!(class("f", "invalid escape", Facts { reads: true, ..Facts::default() }), Class::WrongUse);
}

#[test]
fn a_function_that_leaves_its_checks_to_the_caller_is_not_to_blame() {
    let law = Finding { cause: Cause::Law, place: None, ..law("eq_is_reflexive", "A", "") };
    let first = judge(&law, &Facts::default(), None);
    let again = |made: Made| called(&first, &law, &[made]);
    assert_eq!(again(call("A::from_hash_nocheck")), Class::WrongUse);
    assert_eq!(again(call("A<u8>::push_unchecked::<u8>")), Class::WrongUse);
    assert_eq!(again(call("A::new").bound("unchecked", false)), Class::Law);
    assert_eq!(again(call("A::raw_entry_mut_v1")), Class::WrongUse);
    assert_eq!(again(call("raw::A::draw_entry").bound("raw", false)), Class::Law);
}

#[test]
fn what_divides_or_grows_by_its_name_was_asked_to() {
    let zero = "attempt to divide by zero";
    assert_eq!(class("Big::rem_euclid", zero, Facts::default()), Class::WrongUse);
    assert_eq!(class("Big::average", zero, Facts::default()), Class::Panic);
    let memory = |operation: &str| {
        let finding = Finding { cause: Cause::Memory, place: None, ..finding(operation, "") };
        let given = Facts { given: true, ..Facts::default() };
        let [asked, alone] = [given, Facts::default()].map(|facts| judge(&finding, &facts, None).class);
        assert_eq!(alone, Class::Memory, "nothing was asked for");
        asked
    };
    assert_eq!((memory("<A as Pow<B>>::pow"), memory("A::power")), (Class::WrongUse, Class::Memory));
}

#[test]
fn a_conversion_must_not_fail_unless_its_author_has_thought_of_it() {
    let from = || Facts { trait_name: Some("std::convert::From".to_string()), ..Facts::default() };
    assert_eq!(class("<A as From<u8>>::from", UNWRAP, from()), Class::Contradiction);
    assert_eq!(class("<A as From<u8>>::from", "start is after the end", from()), Class::WrongUse);
}

#[test]
fn an_iterator_that_does_not_end_is_a_misuse() {
    let fold = Finding { cause: Cause::Hang, place: None, ..finding("<A as Iterator>::fold", "") };
    let iterator = Facts { trait_name: Some("Iterator".to_string()), ..Facts::default() };
    assert_eq!(judge(&fold, &iterator, None).class, Class::WrongUse);
    assert_eq!(judge(&fold, &Facts::default(), None).class, Class::Hang);
}

#[test]
fn an_iterator_that_panics_is_judged_as_any_function_and_breaks_no_law() {
    assert_eq!(class_of(&law("size_hint_holds", "A", "no such node")), Class::WrongUse);
    assert_eq!(class_of(&law("size_hint_holds", "A", UNWRAP)), Class::Panic);
    assert_eq!(class_of(&law("eq_is_reflexive", "A", "no such node")), Class::Contradiction);
    let mut asserted = law("len_is_count", "A", "assertion failed");
    asserted.place = Place::read("/rustc/0/library/core/src/iter/traits/exact_size.rs:122:9");
    assert_eq!(judge(&asserted, &Facts::default(), None).class, Class::Contradiction);
}

#[test]
fn a_limit_that_is_reached_and_an_assertion_about_a_large_number_are_asked_for() {
    let limit = "called `Result::unwrap()` on an `Err` value: NodeIxLimit";
    assert_eq!(class("f", limit, Facts::default()), Class::WrongUse);
    let finding = finding("f", "assertion failed: capacity <= MAX");
    let first = judge(&finding, &Facts::default(), Some("debug_assert!(capacity <= MAX);"));
    assert_eq!(first.class, Class::Panic);
    let again = |number: u128| called(&first, &finding, &[call("f").given(&[whole(number)])]);
    assert_eq!((again(70_000), again(7)), (Class::WrongUse, Class::Panic));
}

#[test]
fn an_index_that_was_given_is_a_misuse_and_one_that_was_not_is_a_bug() {
    let finding = finding("f", "index out of bounds: the len is 0 but the index is 3");
    let first = judge(&finding, &Facts::default(), None);
    let given = |numbers: &[Number]| call("f").given(numbers);
    let again = |made: Made| called(&first, &finding, &[made]);
    assert_eq!((again(given(&[whole(3)])), again(given(&[]))), (Class::WrongUse, Class::Panic));
    let earlier = [call("A::new").given(&[whole(3)]), call("f").using(&[0])];
    assert_eq!(called(&first, &finding, &earlier), Class::WrongUse);
    // The length is not an index.
    assert_eq!(again(given(&[whole(0)])), Class::Panic);
    // A number of repetitions was not given either, though it is written as a number.
    let pushed = [vec![call("A::push"); 3], vec![given(&[])]].concat();
    assert_eq!(called(&first, &finding, &pushed), Class::Panic);
}

#[test]
fn good_manners_are_not_expected_of_values_that_no_function_has_made() {
    let law = Finding { cause: Cause::Law, place: None, ..law("display_is_parsed", "A", "") };
    let first = judge(&law, &Facts::default(), None);
    let again = |facts: Facts| reduced(&first, &law, &Facts::default(), &[(call("A"), facts)]);
    let variant = Facts { fields: true, ..Facts::default() };
    assert_eq!(again(Facts { written_out: true, ..variant.clone() }), Class::WrongUse);
    // Nothing but its fields makes a variant.
    assert_eq!((again(variant), again(Facts::default())), (Class::Convention, Class::Convention));
}

#[test]
fn a_call_that_needs_a_large_number_to_hang_is_asked_to() {
    let hang = Finding { cause: Cause::Hang, place: None, ..finding("f", "the call does not end") };
    let first = judge(&hang, &Facts::default(), None);
    let again = |number: u128| called(&first, &hang, &[call("f").given(&[whole(number)])]);
    assert_eq!((again(4_000_000_000), again(2)), (Class::WrongUse, Class::Hang));
    let ranges = |endless| {
        let facts = Facts { endless, ..Facts::default() };
        reduced(&first, &hang, &Facts::default(), &[(call("f").given(&[whole(2)]), facts)])
    };
    assert_eq!((ranges(true), ranges(false)), (Class::WrongUse, Class::Hang));
}

#[test]
fn what_an_earlier_call_insists_on_may_have_been_neglected() {
    let insists = Facts { insists: true, given: true, ..Facts::default() };
    let class = |operation: &str, earlier: &Facts| {
        let finding = finding(operation, UNWRAP);
        let before = judge(&finding, &Facts::default(), None);
        after(&before, &finding, "Graph::from_sorted", earlier)
    };
    assert_eq!(class("Graph::walk", &insists), Class::WrongUse);
    assert_eq!(class("Graph::try_walk", &insists), Class::WrongUse);
    assert_eq!(class("Graph::walk", &Facts { given: false, ..insists.clone() }), Class::Panic);
    assert_eq!(class("Graph::try_walk", &Facts::default()), Class::Contradiction);
}

#[test]
fn who_asks_a_fickle_function_gets_fickle_answers() {
    let finding = Finding { cause: Cause::Law, ..law("eq_is_reflexive", "Map", "") };
    let first = judge(&finding, &Facts::default(), None);
    let asked = |function: &str, fickle: bool| {
        let facts = Facts { fickle, ..Facts::default() };
        let program = [(call("Map::new"), Facts::default()), (call(function), facts)];
        reduced(&first, &finding, &Facts::default(), &program)
    };
    assert_eq!(asked("Map::find", false), Class::Law);
    assert_eq!(asked("Map::find(every other)", true), Class::WrongUse);
    assert_eq!(asked("Map::retain(every other)", true), Class::Law);
}

#[test]
fn an_index_that_the_author_did_not_expect_was_given_all_the_same() {
    let message = "internal error: entered unreachable code: index 2 out of bounds for tuple";
    let finding = finding("Point::nth", message);
    let first = judge(&finding, &Facts::default(), None);
    assert_eq!(first.class, Class::Panic);
    let given = |numbers: &[Number]| called(&first, &finding, &[call("Point::nth").given(numbers)]);
    assert_eq!((given(&[whole(0), whole(2)]), given(&[whole(0)])), (Class::WrongUse, Class::Panic));
}

#[test]
fn a_value_whose_fields_are_written_out_is_no_evidence() {
    let finding = finding("Font::advance", OVERFLOW);
    let first = judge(&finding, &Facts::default(), None);
    let made = |written_out: bool| {
        let facts = Facts { fields: true, written_out, ..Facts::default() };
        let program = [(call("Font"), facts), (call("Font::advance").using(&[0]), Facts::default())];
        reduced(&first, &finding, &Facts::default(), &program)
    };
    assert_eq!((made(true), made(false)), (Class::WrongUse, Class::Panic));
}

#[test]
fn an_assertion_about_how_much_is_asked_for_was_asked_for() {
    let given = Facts { given: true, ..Facts::default() };
    let class = |operation: &str| {
        let finding = finding(operation, "assertion failed: capacity <= MAX");
        let first = Judgement { class: Class::Panic, sureness: 60, reason: String::new() };
        reduced(&first, &finding, &given, &[(call(operation).given(&[whole(256)]), given.clone())])
    };
    assert_eq!((class("Graph::with_capacity"), class("Graph::of")), (Class::WrongUse, Class::Panic));
}

#[test]
fn arithmetic_of_a_trait_refuses_as_an_operator_does() {
    let of =
        |name: &str, fallible| Facts { trait_name: Some(name.to_string()), fallible, ..Facts::default() };
    assert_eq!(class("<Ratio as Product>::product", OVERFLOW, of("Product", false)), Class::WrongUse);
    assert_eq!(class("<Ratio as Product>::product", UNWRAP, of("Product", false)), Class::Panic);
    assert_eq!(class("<Ratio as Num>::read", OVERFLOW, of("Num", true)), Class::Panic);
    let given = Facts { given: true, ..Facts::default() };
    assert_eq!(class("Ratio::pow", OVERFLOW, given.clone()), Class::WrongUse);
    assert_eq!(class("Ratio::root", OVERFLOW, given), Class::Panic);
}

#[test]
fn what_was_made_without_a_look_proves_nothing_unless_the_process_dies() {
    let unchecked = Facts { unchecked: true, given: true, ..Facts::default() };
    let law = Finding { cause: Cause::Law, ..law("equal_hashes", "Ratio", "") };
    let death = Finding { cause: Cause::Death, ..finding("Ratio::reduce", "signal 11") };
    for (finding, expected) in
        [(finding("Ratio::round", UNWRAP), Class::WrongUse), (law, Class::WrongUse), (death, Class::Crash)]
    {
        let before = judge(&finding, &Facts::default(), None);
        assert_eq!(after(&before, &finding, "Ratio::new_raw", &unchecked), expected, "{finding:?}");
    }
}

#[test]
fn a_stack_that_overflows_because_a_limit_was_lifted_was_asked_to() {
    let class = |call: &str, message: &str| {
        let finding = Finding { cause: Cause::Death, ..finding("Options::from_str", message) };
        let before = judge(&finding, &Facts::default(), None);
        after(&before, &finding, call, &Facts::default())
    };
    assert_eq!(class("Options::without_recursion_limit", "stack overflow"), Class::WrongUse);
    assert_eq!(class("Options::with_recursion_limit", "stack overflow"), Class::Crash);
    assert_eq!(class("Options::without_recursion_limit", "signal 11"), Class::Crash);
}

#[test]
fn a_length_that_was_given_is_too_long_even_for_what_can_refuse() {
    let long = [(call("encode").given(&[LIMIT]), Facts::default())];
    let class = |message: &str, sizes: bool| {
        let facts = Facts { sizes, given: true, fallible: true, ..Facts::default() };
        let finding = finding("encode", message);
        reduced(&judge(&finding, &facts, None), &finding, &facts, &long)
    };
    assert_eq!((class(OVERFLOW, true), class(OVERFLOW, false)), (Class::WrongUse, Class::Panic));
    assert_eq!((class(UNWRAP, true), class(UNWRAP, false)), (Class::WrongUse, Class::Panic));
}

#[test]
fn a_number_that_was_written_into_a_field_is_no_evidence_of_an_overflow() {
    let finding = law("display_prints", "Position", OVERFLOW);
    let first = judge(&finding, &Facts::default(), None);
    let class = |number: Number| {
        let facts = Facts { fields: true, written_out: true, ..Facts::default() };
        let program =
            [(call("Position").given(&[number]), facts), (call("law").using(&[0]), Facts::default())];
        reduced(&first, &finding, &Facts::default(), &program)
    };
    assert_eq!((class(LIMIT), class(whole(7))), (Class::WrongUse, Class::Contradiction));
}

#[test]
fn who_shows_a_view_of_another_value_than_its_handle_is_of_has_asked_for_it() {
    let finding = law("debug_prints", "View", "index out of bounds: the len is 0 but the index is 0");
    let first = judge(&finding, &Facts::default(), None);
    let class = |tree: u32| {
        let program = [
            call("Tree::new").bound("tree", false),
            call("Tree::add").bound("node_id", false).using(&[0]),
            call("Tree::new").bound("tree_2", false),
            call("NodeId::view").bound("view", false).using(&[1, tree]),
        ];
        called(&first, &finding, &program)
    };
    assert_eq!((class(2), class(0)), (Class::WrongUse, Class::Contradiction));
}

#[test]
fn a_default_that_is_always_another_is_a_new_identity() {
    let law = |name: &str| Finding { cause: Cause::Law, ..law(name, "ObjectId", "") };
    assert!(!judge(&law("default_is_equal"), &Facts::default(), None).is_shown());
    assert!(judge(&law("rebuilt_is_equal"), &Facts::default(), None).is_shown());
}

#[test]
fn a_conversion_to_a_number_says_that_there_may_be_none() {
    assert_eq!(class("Point::to_u32", UNWRAP, Facts::default()), Class::WrongUse);
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
    assert_eq!(class("src/lib.rs:5", "debug_assert!(a <= b);"), Class::WrongUse);
    assert_eq!(class("src/lib.rs:5", "debug_assert!(self.a <= self.b);"), Class::Panic);
    assert_eq!(class("src/lib.rs:90", "debug_assert!(a <= b);"), Class::Panic);
    assert_eq!(class("src/other.rs:5", "debug_assert!(a <= b);"), Class::Panic);
    // Whoever refuses by its name means callers by that too, but does not mean its own state.
    let refusing = Finding { operation: "Reader::try_clamp".to_string(), ..assertion };
    let class = |line: &str| {
        let facts = Facts { place: Some("src/lib.rs:5".to_string()), ..Facts::default() };
        judge(&refusing, &facts, Some(line)).class
    };
    assert_eq!(class("debug_assert!(a <= b);"), Class::WrongUse);
    assert_eq!(class("debug_assert!(self.a <= self.b);"), Class::Contradiction);
    assert_eq!(class("assert!(a <= b);"), Class::Contradiction);
}

#[test]
fn a_large_fraction_that_became_an_integer_overflows() {
    let finding = finding("Vector::dot", OVERFLOW);
    let first = judge(&finding, &Facts::default(), None);
    let class = |number: f64| {
        let numbers = [Number::Fraction(number), Number::Fraction(0.0)];
        called(&first, &finding, &[call("Vector::new").given(&numbers), call("Vector::dot").using(&[0, 0])])
    };
    assert_eq!([1e6, f64::NEG_INFINITY].map(class), [Class::WrongUse, Class::WrongUse]);
    assert_eq!([2.5, -2.5].map(class), [Class::Panic, Class::Panic]);
}

#[test]
fn arithmetic_on_nothing_but_arguments_overflows_with_them() {
    let overflow = Finding { place: Place::read("/x/src/lib.rs:7:2"), ..finding("ByteSize::eb", OVERFLOW) };
    let class = |line: &str, fallible: bool| {
        let place = Some("src/lib.rs:5".to_string());
        let facts = Facts { place, numbers: true, fallible, ..Facts::default() };
        judge(&overflow, &facts, Some(line)).class
    };
    assert_eq!(class("size * EB", false), Class::WrongUse);
    assert_eq!(class("self.0 * EB", false), Class::Panic);
    assert_eq!(class("size * EB", true), Class::Panic);
}

#[test]
fn what_an_author_refuses_in_a_field_that_was_written_out_is_a_misuse() {
    let class = |message: &str| {
        let finding = law("display_prints", "Word", message);
        let first = judge(&finding, &Facts::default(), None);
        let facts = Facts { fields: true, written_out: true, ..Facts::default() };
        let program = [(call("Word"), facts), (call("law").using(&[0]), Facts::default())];
        reduced(&first, &finding, &Facts::default(), &program)
    };
    assert_eq!((class("unexpected quote"), class(UNWRAP)), (Class::WrongUse, Class::Contradiction));
}

#[test]
fn a_call_that_does_not_end_may_have_been_warned_of_what_it_was_given() {
    let hang = Finding { cause: Cause::Hang, place: None, ..finding("astar", "the call does not end") };
    let class = |insists: bool| judge(&hang, &Facts { insists, given: true, ..Facts::default() }, None).class;
    assert_eq!((class(true), class(false)), (Class::WrongUse, Class::Hang));
}

#[test]
fn what_is_made_of_a_fraction_may_be_rounded_when_it_is_printed() {
    let broken = |name: &str| Finding { cause: Cause::Law, ..law(name, "Color", "") };
    let made = |name: &str, number: Number| {
        let finding = broken(name);
        let before = judge(&finding, &Facts::default(), None);
        called(&before, &finding, &[call("Color::new").given(&[number]), call(&finding.operation)])
    };
    assert_eq!(made("display_is_parsed", Number::Fraction(0.3)), Class::WrongUse);
    assert_eq!(made("display_is_parsed", whole(3)), Class::Convention);
    assert_eq!(made("equal_hashes", Number::Fraction(0.3)), Class::Law);
}

#[test]
fn what_is_made_of_any_text_need_not_be_read_again() {
    let mut finding = law("display_is_parsed", "Mime", "");
    finding.cause = Cause::Law;
    let before = judge(&finding, &Facts::default(), None);
    let judged = |facts: Facts| after(&before, &finding, "Mime::new", &facts);
    let any = Facts { reads: true, given: true, ..Facts::default() };
    assert_eq!(judged(any.clone()), Class::WrongUse);
    assert_eq!(judged(Facts { fallible: true, ..any.clone() }), Class::Convention);
    assert_eq!(
        judged(Facts { trait_name: Some("std::convert::From".to_string()), ..any }),
        Class::Convention
    );
}

#[test]
fn a_search_that_insists_on_something_was_asked_for_what_is_not_there() {
    let insisting = |searches: bool| {
        let facts = Facts { fallible: true, insists: true, precondition: true, searches, ..Facts::default() };
        class("Finder::find", "index out of bounds: the len is 1 but the index is 1", facts)
    };
    assert_eq!((insisting(true), insisting(false)), (Class::WrongUse, Class::Panic));
    // Without the documentation, nothing was asked of callers.
    let silent = Facts { fallible: true, searches: true, ..Facts::default() };
    assert_eq!(class("Finder::find", UNWRAP, silent), Class::Panic);
}

#[test]
fn a_month_that_no_year_has_was_asked_for() {
    let judged = |number: u128, facts: Facts| {
        let finding = finding("days_in_month", OVERFLOW);
        let first = judge(&finding, &facts, None);
        reduced(&first, &finding, &facts, &[(call("days_in_month").given(&[whole(number)]), facts.clone())])
    };
    let month = Facts { from_one: true, ..Facts::default() };
    assert_eq!((judged(0, month.clone()), judged(10_000, month.clone())), (Class::WrongUse, Class::WrongUse));
    assert_eq!(judged(12, month.clone()), Class::Panic);
    // What can refuse a month should.
    assert_eq!(judged(0, Facts { fallible: true, ..month }), Class::Panic);
    assert_eq!(judged(0, Facts::default()), Class::Panic);
}

#[test]
fn what_is_given_zero_and_subtracts_from_it_at_once_was_asked_to() {
    let judged_of = |message: &str, line: &str, number: u128, stand_ins: &[&StandIn]| {
        let finding = Finding { place: Place::read("/x/src/lib.rs:5:9"), ..finding("days_until", message) };
        let facts = Facts { place: Some("src/lib.rs:4".to_string()), ..Facts::default() };
        let first = judge(&finding, &facts, Some(line));
        let call = call("days_until").given(&[whole(number)]).0;
        let program = [Step { call: &call, facts: &facts }];
        let asked = Asked { program: &program, line: Some(line), stand_ins, ..Asked::of(&finding, &facts) };
        judge_reduced(first, &asked).class
    };
    let judged = |message: &str, line: &str, number: u128| judged_of(message, line, number, &[]);
    let (subtract, line) = ("attempt to subtract with overflow", "let days = 28 * (month - 1);");
    assert_eq!(judged(subtract, line, 0), Class::WrongUse);
    assert_eq!(judged(subtract, "let before = first - 1;", 0), Class::WrongUse);
    assert_eq!(judged(subtract, line, 3), Class::Panic);
    assert_eq!(judged(subtract, "let last = self.len - 1;", 0), Class::Panic);
    assert_eq!(judged(OVERFLOW, "let after = month + 1;", 0), Class::Panic);
    // The zero of a type of our own is no argument: the function reads it by a call.
    let own = StandIn { name: String::new(), text: String::new(), insists: None };
    assert_eq!(judged_of(subtract, "way.length() - 100", 0, &[&own]), Class::Panic);
}

#[test]
fn an_assertion_with_a_number_at_the_end_of_its_type_was_asked_for() {
    let judged = |number: Number, line: &str| {
        let finding = finding("RataDie::new", "not designed to store such values");
        let facts = Facts::default();
        let first = Judgement { class: Class::Panic, sureness: 60, reason: String::new() };
        let call = call("RataDie::new").given(&[number]).0;
        let program = [Step { call: &call, facts: &facts }];
        let asked = Asked { program: &program, line: Some(line), ..Asked::of(&finding, &facts) };
        judge_reduced(first, &asked).class
    };
    let (debug, other) = ("debug_assert!(", "assert!(");
    assert_eq!((judged(LIMIT, debug), judged(LIMIT, other)), (Class::WrongUse, Class::WrongUse));
    assert_eq!((judged(whole(7), debug), judged(whole(7), other)), (Class::Panic, Class::Panic));
}

#[test]
fn a_type_whose_values_nobody_has_checked_by_its_name_keeps_no_law() {
    let judged = |of: &str| {
        let finding = Finding { cause: Cause::Law, place: None, ..law("display_is_parsed", of, "") };
        let law = finding.law.clone().unwrap();
        let first = judge(&finding, &Facts::default(), None);
        called(&first, &finding, &[crate::judge::bug::example::asked(&law)])
    };
    assert_eq!(judged("RRule<Unvalidated>"), Class::WrongUse);
    assert_eq!(judged("Rule<Unverified>"), Class::WrongUse);
    assert_eq!((judged("RRule"), judged("RRule<Validated>")), (Class::Convention, Class::Convention));
}

#[test]
fn what_an_operator_has_moved_far_away_was_moved_there_on_purpose() {
    let judged = |change: &str, number: u128| {
        let finding = finding("year_from_fixed", OVERFLOW);
        let facts = Facts { fallible: true, ..Facts::default() };
        let first = judge(&finding, &facts, None);
        let change = (call(change).using(&[0]).given(&[whole(number)]), Facts::default());
        let last = (call("year_from_fixed").using(&[0]), facts.clone());
        reduced(&first, &finding, &facts, &[(call("Date::new"), Facts::default()), change, last])
    };
    assert_eq!(judged("<Date as AddAssign<i64>>::add_assign", 1 << 50), Class::WrongUse);
    assert_eq!(judged("<Date as SubAssign<i64>>::sub_assign", 1 << 40), Class::WrongUse);
    assert_eq!(judged("<Date as AddAssign<i64>>::add_assign", 400), Class::Panic);
    // A function that is given such a number can refuse it.
    assert_eq!(judged("Date::set_days", 1 << 50), Class::Panic);
}

#[test]
fn the_limit_of_another_module_is_none_that_a_function_has_to_bear() {
    let judged = |constant: &str, function: &str| {
        let finding = finding(function, OVERFLOW);
        let first = judge(&finding, &Facts::default(), None);
        called(&first, &finding, &[call(constant), call(function).using(&[0])])
    };
    assert_eq!(judged("keviyah::HEBREW_MAX_RD", "hebrew::book_from_fixed"), Class::WrongUse);
    assert_eq!(judged("keviyah::MIN_DAY", "hebrew::book_from_fixed"), Class::WrongUse);
    // Its own limit, that of the type itself, and what is no limit.
    assert_eq!(judged("hebrew::HEBREW_MAX_RD", "hebrew::book_from_fixed"), Class::Panic);
    assert_eq!(judged("TimeDelta::MIN", "TimeDelta::num_milliseconds"), Class::Panic);
    assert_eq!(judged("keviyah::EPOCH", "hebrew::book_from_fixed"), Class::Panic);
}

#[test]
fn who_is_given_the_last_number_of_64_bits_has_none_after_it() {
    let judged_by = |message: &str, number: Number, facts: Facts| {
        let finding = finding("Text::drain", message);
        let first = judge(&finding, &facts, None);
        let program =
            [(call("Text::new"), Facts::default()), (call("Text::drain").given(&[number]), facts.clone())];
        reduced(&first, &finding, &facts, &program)
    };
    let judged = |number: Number, facts: Facts| judged_by(UNWRAP, number, facts);
    assert_eq!(judged(LIMIT, Facts::default()), Class::WrongUse);
    // An ordinary number, although no greater one fits into a byte.
    assert_eq!(judged(Number::Whole { magnitude: 255, is_limit: true }, Facts::default()), Class::Panic);
    let odd = "called `Result::unwrap()` on an `Err` value: Odd";
    assert_eq!(judged_by(odd, LIMIT, Facts::default()), Class::Panic);
    assert_eq!(judged(whole(40_000), Facts::default()), Class::Panic);
    assert_eq!(judged(LIMIT, Facts { fallible: true, ..Facts::default() }), Class::Panic);
}
