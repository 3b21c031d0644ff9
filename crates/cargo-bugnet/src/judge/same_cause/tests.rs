//! Which findings and bugs are taken for one.

use super::*;
use crate::api::Law;
use crate::finding::Rate;
use crate::finding::Stack;
use crate::judge::Judgement;
use crate::judge::bug::example::{Made, asked, call, program};
use bugnet::wire::{Argument, Literal, Mode};

/// A bug of these calls, none of which has to do with another.
fn bug(operation: &str, cause: Cause, calls: &[&str]) -> Bug {
    made(operation, cause, calls.iter().map(|name| call(name)))
}

/// A bug of these calls, each but the first made with the result of the first.
fn changing(operation: &str, cause: Cause, calls: &[&str]) -> Bug {
    let mut bug = bug(operation, cause, calls);
    for call in bug.program.calls.iter_mut().skip(1) {
        call.arguments.push(Argument::Earlier { call: 0, mode: Mode::Mutable });
    }
    bug
}

/// A law that is broken after these calls.
fn broken(name: &str, of: &str, calls: &[&str]) -> Bug {
    let law = Law { name: name.to_string(), of: of.to_string() };
    let calls = calls.iter().map(|name| call(name)).chain([asked(&law)]);
    let mut bug = made(&law.operation(), Cause::Law, calls);
    bug.finding.law = Some(law);
    bug
}

fn made(operation: &str, cause: Cause, calls: impl Iterator<Item = Made>) -> Bug {
    let place = Place::read("/x/src/lib.rs:1:2").filter(|_| cause == Cause::Panic);
    Bug {
        name: String::new(),
        judgement: Judgement { class: Class::Law, sureness: 90, reason: String::new() },
        finding: Finding {
            operation: operation.to_string(),
            law: None,
            phase: Phase::Call,
            cause,
            place,
            message: String::new(),
            tape: None,
            after: None,
        },
        inner: None,
        stack: Stack::default(),
        program: program(calls),
        pattern: None,
        also: Vec::new(),
        news_of: None,
        rate: Rate { failed: 3, runs: 3 },
        proven: false,
    }
}

/// Reads an operation as it is shown: `f`, or `f at file:line`.
fn also(text: &str) -> Also {
    let (operation, at) =
        text.split_once(" at ").map_or((text, None), |(one, at)| (one, Some(at.to_string())));
    Also { operation: operation.to_string(), law: None, at, after: Vec::new(), why: ONE_PLACE }
}

/// The same without the reasons.
fn named(all: &[Also]) -> Vec<Also> {
    all.iter().map(|also| Also { why: ONE_PLACE, ..also.clone() }).collect()
}

#[test]
fn laws_that_the_same_calls_break_are_one_bug() {
    let one = broken("hash", "B", &["B::new", "B::split"]);
    let two = broken("eq", "B", &["B::new", "B::split"]);
    let three = broken("eq", "B", &["B::new", "B::grow"]);
    let hash = broken("equal_hashes", "B<u8>", &["B::new"]);
    let order = broken("cmp_is_dual", "B<i8>", &["B::from"]);
    assert_eq!(distinct(vec![hash, order]).len(), 1);
    let distinct = distinct(vec![one, two, three]);
    assert_eq!(distinct.len(), 2);
    assert_eq!(distinct.iter().map(|bug| bug.also.len()).max(), Some(1));
}

#[test]
fn laws_that_one_generic_constructor_breaks_are_one_bug_whatever_its_types() {
    let keys = broken("contains_key_is_get", "Map<u8>", &["<Map as FromIterator<(u8, Vec<u8>)>>::from_iter"]);
    let made = "<Map<String> as FromIterator<(String, Vec<String>)>>::from_iter";
    let items = broken("into_iter_is_iter", "Map<String>", &[made]);
    assert_eq!(distinct(vec![keys.clone(), items]).len(), 1);
    let other = broken("into_iter_is_iter", "Map<String>", &["Map<String>::with_keys"]);
    assert_eq!(distinct(vec![keys, other]).len(), 2);
}

#[test]
fn functions_of_one_name_in_two_modules_that_fail_at_the_same_are_one_bug() {
    let with = |operation: &str, first: &str, list: &str| {
        let mut bug = bug(operation, Cause::Panic, &[first, operation]);
        bug.judgement.class = Class::Panic;
        bug.finding.message = "index out of bounds: the len is 0 but the index is 0".to_string();
        bug.finding.place = Place::read(&format!("/x/src/{}.rs:1:2", operation.replace(':', "_")));
        bug.inner = Some(operation.to_string());
        let literal = Literal { text: list.to_string(), ..Literal::default() };
        bug.program.calls[1].arguments.push(Argument::Literal(literal));
        bug
    };
    let one = with("all::Finder::with_pair", "Pair::new", "&[]");
    let are_one = |other: Bug| distinct(vec![one.clone(), other]).len() == 1;
    assert!(are_one(with("avx2::Finder::with_pair", "Pair::new", "&[]")));
    // What fails in the same function as one of them is the same, whatever it is given.
    let longer = with("avx2::Finder::with_pair", "Pair::new", "&[0]");
    let both = [one.clone(), with("avx2::Finder::with_pair", "Pair::new", "&[]")];
    assert_eq!(distinct(both.iter().cloned().chain([longer.clone()]).collect()).len(), 1);
    let elsewhere = Bug { inner: Some("Vector::load".to_string()), ..longer };
    assert_eq!(distinct(both.into_iter().chain([elsewhere]).collect()).len(), 2);
    // Another function, another type, another list, another beginning.
    assert!(!are_one(with("avx2::Finder::with_ends", "Pair::new", "&[]")));
    assert!(!are_one(with("avx2::Prefilter::with_pair", "Pair::new", "&[]")));
    assert!(!are_one(with("avx2::Finder::with_pair", "Pair::new", "&[0]")));
    assert!(!are_one(with("avx2::Finder::with_pair", "Pair::of", "&[]")));
}

#[test]
fn what_one_function_has_changed_is_one_bug_whatever_its_types() {
    let after = |name: &str, of: &str, change: &str| {
        let mut bug = broken(name, of, &["Bag::new", change]);
        bug.program.calls[1].arguments.push(Argument::Earlier { call: 0, mode: Mode::Mutable });
        bug
    };
    let debug = after("debug_prints", "Bag<String>", "<Bag<String> as Extend<(&String, usize)>>::extend");
    let rebuilt = after("rebuilt_is_equal", "Bag<i32>", "<Bag<i32> as Extend<(&i32, usize)>>::extend");
    assert_eq!(distinct(vec![debug.clone(), rebuilt]).len(), 1);
    let other = after("rebuilt_is_equal", "Bag<i32>", "Bag<i32>::retain");
    assert_eq!(distinct(vec![debug.clone(), other]).len(), 2);
    // A contradiction after the same change, with other types.
    let mut take =
        changing("Bag<i32>::try_take", Cause::Panic, &["Bag::new", "<Bag<i32> as Extend>::extend", "take"]);
    take.judgement.class = Class::Contradiction;
    assert_eq!(distinct(vec![debug.clone(), take.clone()]).len(), 1);
    take.program.calls[1].operation = "Bag<i32>::retain".to_string();
    assert_eq!(distinct(vec![debug, take]).len(), 2);
}

#[test]
fn what_fails_at_a_value_that_breaks_a_law_as_it_was_made_is_one_bug() {
    let made = |mut bug: Bug, list: &str, mode: Mode| {
        let literal = Literal { text: list.to_string(), ..Literal::default() };
        bug.program.calls[0].arguments.push(Argument::Literal(literal));
        bug.program.calls[1].arguments.push(Argument::Earlier { call: 0, mode });
        bug
    };
    let seen = |list: &str, mode: Mode| {
        made(broken("len_is_count", "Iter<i32>", &["Map<i32>::from", "Map::iter"]), list, mode)
    };
    let law = seen("vec![(0, vec![])]", Mode::Shared);
    let other = |maker: &str, list: &str| made(broken("key_is_got", "Map<u8>", &[maker]), list, Mode::Shared);
    let panic = |maker: &str, list: &str| {
        let mut bug = bug("Entry::take", Cause::Panic, &[maker, "Map::entry", "Entry::take"]);
        bug.judgement.class = Class::Panic;
        made(bug, list, Mode::Mutable)
    };
    let both = |one: &Bug, other: Bug| distinct(vec![one.clone(), other]).len();
    let (list, full) = ("vec![(17, vec![])]", "vec![(1, vec![2])]");
    assert_eq!((both(&law, other("Map<u8>::from", list)), both(&law, panic("Map<u8>::from", list))), (1, 1));
    assert_eq!((both(&law, other("Map<u8>::from", full)), both(&law, panic("Map<u8>::from", full))), (2, 2));
    assert_eq!((both(&law, other("Map<u8>::with", list)), both(&law, panic("Map<u8>::with", list))), (2, 2));
    // A list of texts may stand for one of numbers.
    assert_eq!(both(&law, panic("Map<String>::from", "vec![(\"a\".to_string(), vec![])]")), 1);
    // Whatever begins with nothing has that in common, and a call may change what it is given to change.
    assert_eq!(both(&seen("vec![]", Mode::Shared), panic("Map::from", "vec![]")), 2);
    assert_eq!(both(&seen(list, Mode::Mutable), panic("Map::from", list)), 2);
}

#[test]
fn functions_that_differ_in_the_dimension_of_their_type_are_written_alike() {
    assert_eq!(without_dimension("Vector2D<i32>::dot"), without_dimension("Vector3D<f64>::dot"));
    assert_ne!(without_dimension("Vector2D::dot"), without_dimension("Vector2D::cross"));
}

#[test]
fn one_recursion_behind_functions_that_stand_side_by_side_is_one_bug() {
    let overflow = |call: &str| {
        let mut bug = bug(call, Cause::Death, &[call]);
        bug.judgement.class = Class::Crash;
        bug.finding.message = "stack overflow".to_string();
        bug
    };
    let both = |one: &str, other: &str| distinct(vec![overflow(one), overflow(other)]).len();
    assert_eq!(both("from_slice", "from_str(error)"), 1);
    assert_eq!(both("read::from_slice", "write::from_str"), 2);
    assert_eq!((both("parse", "format"), both("to_string", "from_str")), (2, 2));
}

#[test]
fn laws_that_differ_in_types_of_numbers_are_of_one_family() {
    assert_eq!(law_family("from_u8_is_undone"), law_family("from_i128_is_undone"));
    assert_eq!(law_family("into_i32_i32_settles"), law_family("into_u8_f64_settles"));
    assert_eq!(law_family("div_assign_is_div(u64)"), law_family("div_assign_is_div(f32)"));
    assert_eq!(law_family("try_from_x_of_to_x"), law_family("from_x_of_to_x"));
    assert_ne!(law_family("set_is_got(gid)"), law_family("set_is_got(uid)"));
    assert_ne!(law_family("add_assign_is_add(u8)"), law_family("div_assign_is_div(u8)"));
}

#[test]
fn laws_about_literals_are_different_bugs() {
    let one = broken("decode_undoes", "encode", &[]);
    let two = broken("from_u8_is_undone", "B", &[]);
    assert_eq!(distinct(vec![one, two]).len(), 2);
}

#[test]
fn a_law_that_needs_more_calls_than_a_broken_one_is_not_news() {
    let one = broken("hash", "B", &["B::new", "B::split"]);
    let two = broken("eq", "B", &["B::default", "B::split", "B::negate"]);
    let distinct = distinct(vec![two, one]);
    assert_eq!(distinct.len(), 1);
    assert_eq!(distinct[0].also.iter().map(|also| &also.operation[..]).collect::<Vec<_>>(), ["law eq of B"]);
}

#[test]
fn panics_after_a_lone_constructor_are_different_bugs() {
    let one = bug("B::a", Cause::Panic, &["B::new", "B::a"]);
    let two = bug("B::b", Cause::Panic, &["B::new", "B::b"]);
    assert_eq!(distinct(vec![one, two]).len(), 2);
    let one = bug("B::a", Cause::Panic, &["B::new", "B::bad", "B::a"]);
    let mut two = bug("B::b", Cause::Panic, &["B::new", "B::bad", "B::b"]);
    assert_eq!(distinct(vec![one.clone(), two.clone()]).len(), 1);
    two.finding.message = "attempt to add with overflow".to_string();
    assert_eq!(distinct(vec![one, two]).len(), 2);
}

#[test]
fn what_two_calls_have_spoiled_is_one_bug_whoever_panics_at_it() {
    let panic = |calls: &[&str]| {
        let mut bug = changing(calls[calls.len() - 1], Cause::Panic, calls);
        bug.judgement.class = Class::Panic;
        bug.finding.message = format!("assertion failed: {}", calls.len());
        bug
    };
    let few = panic(&["parse", "set_ip", "set_host", "set_name"]);
    let many = panic(&["parse", "set_ip", "set_host", "set_port", "set_word"]);
    let other = panic(&["parse", "set_ip", "set_path", "set_sign"]);
    assert_eq!(distinct(vec![few.clone(), many]).len(), 1);
    assert_eq!(distinct(vec![few, other]).len(), 2);
}

#[test]
fn a_function_that_panics_at_several_places_is_one_bug() {
    let panic = |calls: &[&str]| {
        let mut bug = bug("B::f", Cause::Panic, calls);
        bug.judgement.class = Class::Panic;
        bug
    };
    let distinct = distinct(vec![panic(&["B::new", "B::f"]), panic(&["B::old", "B::f"])]);
    assert_eq!(distinct.len(), 1);
    assert_eq!(named(&distinct[0].also), [also("B::f at x/src/lib.rs:1")]);
    let mut other = panic(&["<C as T>::f"]);
    other.finding.operation = "<C as T>::f".to_string();
    assert_eq!(self::distinct(vec![panic(&["B::f"]), other.clone()]).len(), 1);
    other.finding.place = Place::read("/x/src/other.rs:1:2");
    assert_eq!(self::distinct(vec![panic(&["B::f"]), other]).len(), 2);
}

#[test]
fn one_line_that_panics_for_others_is_told_apart_by_what_it_says() {
    let root = |message: &str| {
        let mut finding = bug("f", Cause::Panic, &[]).finding;
        finding.message = message.to_string();
        key(&finding)
    };
    assert_ne!(root("no such week"), root("no such day"));
    assert_eq!(root("no such day: 7 of \"May\""), root("no such day: 19 of \"June\""));
    assert_eq!(root("attempt to add with overflow"), root("attempt to subtract with overflow"));
}

#[test]
fn contradictions_that_come_from_one_spoiled_value_are_one_bug() {
    let contradiction = |calls: &[(&str, &[u32])]| {
        let last = calls[calls.len() - 1].0;
        let mut bug = made(last, Cause::Panic, calls.iter().map(|(name, uses)| call(name).using(uses)));
        bug.judgement.class = Class::Contradiction;
        bug
    };
    let one =
        contradiction(&[("D::new", &[]), ("D::round", &[0]), ("D::MIN", &[]), ("D::checked_sub", &[1, 2])]);
    let two = contradiction(&[("D::from", &[]), ("D::round", &[0]), ("D::checked_div", &[1, 0])]);
    let three = contradiction(&[("D::new", &[]), ("D::checked_mul", &[0, 0])]);
    assert_eq!(distinct(vec![one, two, three]).len(), 2);
    assert_eq!(function("<D as From<i128>>::from"), function("<D as From<u128>>::from"));
}

#[test]
fn panics_at_two_places_of_a_file_are_one_bug_if_one_operation_fails_at_both() {
    let panic = |operation: &str, also: &str, place: &str| {
        let mut bug = bug(operation, Cause::Panic, &["D::new", operation]);
        bug.also = vec![self::also(also)];
        bug.finding.place = Place::read(place);
        bug
    };
    let print = panic("D::print", "D::text", "/x/src/text.rs:1:2");
    let show = panic("D::show", "D::text at x/src/text.rs:9", "/x/src/text.rs:9:2");
    assert_eq!(distinct(vec![print.clone(), show.clone()]).len(), 1);
    let elsewhere = panic("D::show", "D::text", "/x/src/other.rs:9:2");
    assert_eq!(distinct(vec![print.clone(), elsewhere]).len(), 2);
    let mut overflow = show;
    overflow.finding.message = "attempt to add with overflow".to_string();
    assert_eq!(distinct(vec![print, overflow]).len(), 2);
}

#[test]
fn places_of_a_file_at_which_the_same_functions_fail_are_one_bug_however_they_fail() {
    let panic = |operations: &[&str], place: &str, message: &str| {
        let mut bug = bug(operations[0], Cause::Panic, &[operations[0]]);
        bug.judgement.class = Class::Panic;
        bug.also = operations[1..].iter().map(|operation| also(operation)).collect();
        bug.finding.place = Place::read(place);
        bug.finding.message = message.to_string();
        bug
    };
    let (nothing, overflow) = ("called `Option::unwrap()` on a `None` value", "attempt to add with overflow");
    let one = panic(&["<A<u8> as Read>::read", "decode"], "/x/src/decode.rs:1:2", nothing);
    let all = ["decode", "<A<i8> as Read>::read"];
    assert_eq!(distinct(vec![one.clone(), panic(&all, "/x/src/decode.rs:9:2", overflow)]).len(), 1);
    assert_eq!(distinct(vec![one.clone(), panic(&all, "/x/src/other.rs:9:2", overflow)]).len(), 2);
    // A failure that only one of them has is a bug of its own.
    assert_eq!(distinct(vec![one, panic(&all[..1], "/x/src/decode.rs:9:2", overflow)]).len(), 2);
}

#[test]
fn one_recursion_without_end_is_one_bug_wherever_it_is_noticed() {
    let crash = |operation: &str, calls: &[&str]| {
        let mut bug = bug(operation, Cause::Death, calls);
        bug.judgement.class = Class::Crash;
        bug.finding.message = "stack overflow".to_string();
        bug
    };
    let read = crash("read", &["read"]);
    assert_eq!(distinct(vec![read.clone(), crash("read(error)", &["read(error)"])]).len(), 1);
    assert_eq!(distinct(vec![read, crash("read_ref", &["read_ref"])]).len(), 2);
    let insert = crash("Map<u8>::insert", &["Map<u8>::with_degree", "Map<u8>::insert"]);
    let put = crash("Map<i8>::put", &["Map<i8>::with_degree", "Map<i8>::add", "Map<i8>::put"]);
    let other = crash("Map<u8>::get", &["Map<u8>::new", "Map<u8>::get"]);
    assert_eq!(distinct(vec![insert, put, other]).len(), 2);
    // There are many ways to abort.
    let abort = |operation: &str| {
        let mut bug = crash(operation, &["Map<u8>::new", operation]);
        bug.finding.message = "abort".to_string();
        bug
    };
    assert_eq!(distinct(vec![abort("Map<u8>::end"), abort("Map<u8>::stop")]).len(), 2);
}

#[test]
fn calls_of_one_type_that_do_not_end_after_the_same_are_one_bug() {
    let hang = |operation: &str, calls: &[&str]| {
        let mut bug = changing(operation, Cause::Hang, calls);
        bug.judgement.class = Class::Hang;
        bug
    };
    let one = hang("Writer<u8>::put", &["Builder::new", "Builder::capacity", "Builder::build", "W::p"]);
    let names = ["Builder::default", "Builder::capacity", "Builder::open", "W::w"];
    let other = hang("Writer<i8>::write", &names);
    assert_eq!(distinct(vec![one.clone(), other.clone()]).len(), 1);
    let elsewhere = hang("Reader::read", &names);
    assert_eq!(distinct(vec![one, elsewhere]).len(), 2);
}

#[test]
fn a_law_is_one_for_all_type_arguments_and_for_all_iterators() {
    let root = |name: &str, of: &str| key(&broken(name, of, &[]).finding);
    assert_eq!(root("equal_hashes", "Map<u8>"), root("equal_hashes", "Map<String>"));
    assert_ne!(root("equal_hashes", "Map<u8>"), root("equal_hashes", "Set<u8>"));
    assert_eq!(root("size_hint_holds", "Iter<u8>"), root("size_hint_holds", "Keys<u8>"));
}

#[test]
fn a_law_that_is_broken_because_of_another_type_is_no_second_bug() {
    let back = broken("rev_is_reverse", "Days", &["d::days"]);
    let ends = broken("both_ends_meet", "Days", &["d::all"]);
    let weeks = broken("both_ends_meet", "Weeks", &["d::weeks"]);
    assert_eq!(distinct(vec![back.clone(), ends]).len(), 1);
    assert_eq!(distinct(vec![back, weeks]).len(), 2);
    let shown = |kind: &str, made: &str| broken("display_is_parsed", kind, &[made]);
    let zone = shown("Zone", "Zone::east");
    assert_eq!(distinct(vec![zone.clone(), shown("Time<Zone>", "Time::new")]).len(), 1);
    assert_eq!(distinct(vec![zone.clone(), shown("Time", "Zone::time")]).len(), 1);
    assert_eq!(distinct(vec![zone, shown("Time", "Time::new")]).len(), 2);
    // What comes out of a value is not broken by a change that nobody has made to that value.
    let mut changed = broken("display_is_parsed", "Rule", &["Rule::new", "Rule::by_hour"]);
    changed.program.calls[1].arguments.push(Argument::Earlier { call: 0, mode: Mode::Value });
    let part = |calls: &[&str]| broken("display_is_parsed", "Day", calls);
    assert_eq!(distinct(vec![changed.clone(), part(&["Rule::start", "Day::nth"])]).len(), 2);
    assert_eq!(distinct(vec![changed, part(&["Rule::new", "Rule::by_hour", "Rule::day"])]).len(), 1);
}

#[test]
fn names_are_those_of_functions_and_no_two_are_the_same() {
    let bugs = ["/x/src/lib.rs:1:2", "/x/src/bits.rs:1:2"].map(|place| {
        let mut bug = bug("BitVec<u32>::split_off", Cause::Panic, &[place]);
        bug.finding.place = Place::read(place);
        bug
    });
    let names: Vec<String> = distinct(bugs.to_vec()).into_iter().map(|bug| bug.name).collect();
    assert_eq!(names, ["bit_vec_u32_split_off_panics", "bit_vec_u32_split_off_panics_2"]);
}

const INDEX: &str = "index out of bounds: the len is 0 but the index is 3";
const UNWRAP: &str = "called `Option::unwrap()` on a `None` value";

/// A panic in a function of the crate, at a line of its file.
fn panic_in(function: &str, operation: &str, message: &str, line: u32) -> Bug {
    let mut bug = bug(operation, Cause::Panic, &[operation]);
    bug.judgement.class = Class::Panic;
    bug.finding.place = Place::read(&format!("/x/src/lib.rs:{line}:2"));
    bug.finding.message = message.to_string();
    bug.inner = Some(function.to_string());
    bug
}

#[test]
fn one_function_that_fails_in_one_way_is_one_bug_whoever_calls_it() {
    let one = panic_in("inner", "A::f", INDEX, 1);
    let elsewhere = panic_in("inner", "B::g", "index out of bounds: the len is 7 but the index is 9", 4);
    assert_eq!(distinct(vec![one.clone(), elsewhere]).len(), 1);
    // Another way to fail, and another function.
    assert_eq!(distinct(vec![one.clone(), panic_in("inner", "A::f", UNWRAP, 4)]).len(), 2);
    assert_eq!(distinct(vec![one, panic_in("outer", "A::f", INDEX, 4)]).len(), 2);
}

#[test]
fn what_was_merged_says_by_which_rule() {
    let all = distinct(vec![panic_in("inner", "A::f", INDEX, 1), panic_in("inner", "B::g", INDEX, 4)]);
    let Also { operation, why, .. } = &all[0].also[0];
    assert_eq!((operation.as_str(), why.rule), ("B::g", "one innermost function"));
    assert!(!why.words.is_empty() && !why.is_of_family());
}

#[test]
fn deaths_of_different_kinds_or_in_different_functions_are_different_bugs() {
    let death = |operation: &str, message: &str, stack: &[&str]| {
        let mut bug = bug(operation, Cause::Death, &["A::new", operation]);
        bug.judgement.class = Class::Crash;
        bug.finding.message = message.to_string();
        let symbols: Vec<String> = stack.iter().map(|name| format!("krate::{name}")).collect();
        bug.stack = Stack::inside(&symbols, "krate");
        bug.inner = bug.stack.innermost().map(str::to_string);
        bug
    };
    let both = |one: &Bug, other: Bug| distinct(vec![one.clone(), other]).len();
    let abort = death("A::stop", "abort", &["burn", "A::stop"]);
    assert_eq!(both(&abort, death("B::stop", "abort", &["burn", "B::stop"])), 1);
    assert_eq!(both(&abort, death("B::stop", "abort", &["leak", "B::stop"])), 2);
    assert_eq!(both(&abort, death("B::stop", "stack overflow", &["burn", "B::stop"])), 2);
    // A recursion is noticed in whichever of its functions comes last.
    let (fall, other) = (["fall", "fall_on"].repeat(20), ["fall_on", "fall"].repeat(20));
    let overflow = death("sink", "stack overflow", &fall);
    assert_eq!(both(&overflow, death("drown", "stack overflow", &other)), 1);
    assert_eq!(both(&overflow, death("fly", "stack overflow", &["rise"].repeat(40))), 2);
}

#[test]
fn types_that_differ_in_size_are_one_bug_if_they_fail_alike_after_the_same_calls() {
    let law = |kind: &str, made: &str| broken("hash", kind, &[made]);
    assert_eq!(distinct(vec![law("I16Vec2", "I16Vec2::new"), law("U8Vec3", "U8Vec3::new")]).len(), 1);
    assert_eq!(distinct(vec![law("I16Vec2", "I16Vec2::new"), law("U8Vec3", "U8Vec3::splat")]).len(), 2);
    assert_eq!(distinct(vec![law("I16Vec2", "I16Vec2::new"), law("I16Mat2", "I16Mat2::new")]).len(), 2);
}

#[test]
fn one_offending_argument_is_one_bug_through_several_functions_of_a_type() {
    let zero = "attempt to divide by zero";
    let divide = |operation: &str| panic_in(operation, operation, zero, 1);
    assert_eq!(distinct(vec![divide("I8Vec2::div"), divide("U16Vec3::rem")]).len(), 1);
    assert_eq!(distinct(vec![divide("I8Vec2::div"), divide("Matrix::rem")]).len(), 2);
    let given = |operation: &str, literal: &str| {
        let mut bug = panic_in(operation, operation, UNWRAP, 1);
        bug.program = program([call(operation).written(&format!("{operation}({literal})"))]);
        bug
    };
    let all = |other: Bug| distinct(vec![given("Arc::min", "f64::NAN"), other]).len();
    assert_eq!((all(given("Arc::max", "f64::NAN")), all(given("Arc::max", "0.5"))), (1, 2));
}

#[test]
fn a_call_that_takes_for_ever_or_all_memory_is_one_bug() {
    let filled = |cause: Cause, literal: &str| {
        let mut bug = bug("fill", cause, &["fill"]);
        bug.judgement.class = if cause == Cause::Hang { Class::Hang } else { Class::Memory };
        bug.program = program([call("fill").written(&format!("fill({literal})"))]);
        bug
    };
    let both = |literal: &str| distinct(vec![filled(Cause::Hang, "7"), filled(Cause::Memory, literal)]).len();
    assert_eq!((both("7"), both("8")), (1, 2));
}

/// The number of faults that ways to break one law are taken for, each by the changes that it needs.
fn ways(all: &[&[&str]]) -> usize {
    let way = |after: &&[&str]| {
        let Bug { finding, judgement, .. } = broken("hash", "B", &["B::new"]);
        let after = Some(after.iter().map(|change| change.to_string()).collect());
        Judged { finding: Finding { after, ..finding }, judgement }
    };
    by_changes(all.iter().map(way).collect()).len()
}

#[test]
fn two_changes_that_break_a_law_are_two_faults_and_three_are_that_of_the_law() {
    assert_eq!(ways(&[&["B::dent"], &["B::paint"]]), 2);
    assert_eq!(ways(&[&["B::dent"], &["B::paint"], &["B::wash"]]), 1);
    assert_eq!(ways(&[&["B::dent"], &["B::dent", "B::paint"]]), 1);
    // A value that breaks it as it was made is had without any change.
    assert_eq!(ways(&[&["B::dent"], &["B::paint"], &[]]), 1);
}

#[test]
fn what_nobody_has_looked_into_tells_no_ways_apart_and_is_not_lost() {
    let judged = |after: Option<&str>| {
        let Bug { finding, judgement, .. } = broken("hash", "B", &["B::new"]);
        let after = after.map(|change| vec![change.to_string()]);
        Judged { finding: Finding { after, ..finding }, judgement }
    };
    let groups = by_changes(vec![judged(None), judged(Some("B::dent")), judged(Some("B::paint"))]);
    assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(by_changes(vec![judged(None)]).len(), 1);
}

#[test]
fn two_ways_to_break_one_law_stay_two_bugs_although_both_are_about_comparing() {
    let way = |change: &str| {
        let mut bug = broken("equal_hashes", "B", &["B::new", change]);
        bug.finding.after = Some(vec![change.to_string()]);
        bug
    };
    assert_eq!(distinct(vec![way("B::dent"), way("B::paint")]).len(), 2);
    assert_eq!(distinct(vec![way("B::dent"), way("B::dent")]).len(), 1);
}

#[test]
fn a_change_of_what_a_function_lends_is_one_of_that_function_whatever_the_change() {
    let program = |change: &str| changing("law", Cause::Panic, &["S::new", change, "law"]).program;
    assert_eq!(changes(&program("S::data_mut(push)")), ["S::data_mut"]);
    assert_eq!(changes(&program("S::data_mut(clear)")), ["S::data_mut"]);
    assert_eq!(changes(&program("<S as Extend<(u8, u8)>>::extend")), ["<S as Extend>::extend"]);
    let mut filled = changing("law", Cause::Panic, &["S::new", "pushing_adds", "S::pop", "law"]).program;
    filled.calls[1].role = Role::Stated;
    assert_eq!(changes(&filled), ["S::pop"]);
}

#[test]
fn a_function_at_the_root_and_one_of_a_type_that_do_not_end_are_one_bug() {
    let hang = |operation: &str| {
        let mut bug = bug(operation, Cause::Hang, &[operation]);
        bug.judgement.class = Class::Hang;
        bug
    };
    assert_eq!(distinct(vec![hang("decode"), hang("Base::decode(error)")]).len(), 1);
    assert_eq!(distinct(vec![hang("decode(error)"), hang("Base::decode")]).len(), 1);
    assert_eq!(distinct(vec![hang("decode"), hang("Base::encode")]).len(), 2);
    assert_eq!(distinct(vec![hang("decode"), hang("Base::decode_all")]).len(), 2);
}

#[test]
fn a_view_of_a_value_is_no_change_of_it() {
    let program = |mode: Mode| {
        let mut bug = changing("law", Cause::Law, &["Map::new", "Map::left_range", "law"]);
        for call in bug.program.calls.iter_mut().skip(1) {
            call.arguments = vec![Argument::Earlier { call: 0, mode }];
        }
        bug.program
    };
    assert!(changes(&program(Mode::Shared)).is_empty());
    assert_eq!(changes(&program(Mode::Mutable)), ["Map::left_range"]);
}

#[test]
fn two_laws_that_end_the_process_are_two_bugs_and_two_functions_may_be_one() {
    let death = |operation: &str, role: Role| {
        let mut bug = changing(operation, Cause::Death, &["S::new", "S::add", operation]);
        bug.program.calls.last_mut().unwrap().role = role;
        bug
    };
    let laws =
        |one: &str, other: &str| are_deaths_of_laws(&death(one, Role::Stated), &death(other, Role::Stated));
    assert!(laws("hangs", "aborts") && !laws("hangs", "hangs(None)"));
    assert!(!are_deaths_of_laws(&death("a", Role::Function), &death("b", Role::Stated)));
}
