//! Which findings and bugs are taken for one.

use super::*;
use crate::explore::replay::Rate;
use crate::explore::triage::Judgement;

fn bug(operation: &str, cause: Cause, calls: &[&str]) -> Bug {
    let place = Place::read("/x/src/lib.rs:1:2").filter(|_| cause == Cause::Panic);
    Bug {
        name: String::new(),
        judgement: Judgement { class: Class::Law, sureness: 90, reason: String::new() },
        finding: Finding {
            operation: operation.to_string(),
            phase: Phase::Call,
            cause,
            place,
            message: String::new(),
            tape: None,
        },
        program: calls.iter().map(|call| format!("{call}();")).collect(),
        calls: calls.iter().map(|call| call.to_string()).collect(),
        helpers: Vec::new(),
        pattern: None,
        also: Vec::new(),
        rate: Rate { failed: 3, runs: 3 },
        proven: false,
    }
}

#[test]
fn laws_that_the_same_calls_break_are_one_bug() {
    let one = bug("law hash of B", Cause::Law, &["B::new", "B::split", "law hash of B"]);
    let two = bug("law eq of B", Cause::Law, &["B::new", "B::split", "law eq of B"]);
    let three = bug("law eq of B", Cause::Law, &["B::new", "B::grow", "law eq of B"]);
    let hash = bug("law equal_hashes of B<u8>", Cause::Law, &["B::new", "law equal_hashes of B<u8>"]);
    let order = bug("law cmp_is_dual of B<i8>", Cause::Law, &["B::from", "law cmp_is_dual of B<i8>"]);
    assert_eq!(distinct(vec![hash, order]).len(), 1);
    let distinct = distinct(vec![one, two, three]);
    assert_eq!(distinct.len(), 2);
    assert_eq!(distinct.iter().map(|bug| bug.also.len()).max(), Some(1));
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
    assert_eq!(family("from_u8_is_undone"), family("from_i128_is_undone"));
    assert_eq!(family("into_i32_i32_settles"), family("into_u8_f64_settles"));
    assert_eq!(family("div_assign_is_div(u64)"), family("div_assign_is_div(f32)"));
    assert_eq!(family("try_from_x_of_to_x"), family("from_x_of_to_x"));
    assert_ne!(family("set_is_got(gid)"), family("set_is_got(uid)"));
    assert_ne!(family("add_assign_is_add(u8)"), family("div_assign_is_div(u8)"));
}

#[test]
fn laws_about_literals_are_different_bugs() {
    let one = bug("law decode_undoes of encode", Cause::Law, &["law decode_undoes of encode"]);
    let two = bug("law from_u8_is_undone of B", Cause::Law, &["law from_u8_is_undone of B"]);
    assert_eq!(distinct(vec![one, two]).len(), 2);
}

#[test]
fn a_law_that_needs_more_calls_than_a_broken_one_is_not_news() {
    let one = bug("law hash of B", Cause::Law, &["B::new", "B::split", "law hash of B"]);
    let two = bug("law eq of B", Cause::Law, &["B::default", "B::split", "B::negate", "law eq of B"]);
    let distinct = distinct(vec![two, one]);
    assert_eq!(distinct.len(), 1);
    assert_eq!(distinct[0].also, ["law eq of B"]);
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
        let mut bug = bug(calls[calls.len() - 1], Cause::Panic, calls);
        bug.judgement.class = Class::Panic;
        bug.finding.message = format!("assertion failed: {}", calls.len());
        bug.program = calls.iter().map(|call| format!("url.{call}();")).collect();
        bug.program[0] = "let mut url = parse();".to_string();
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
    assert_eq!(distinct[0].also, ["B::f at x/src/lib.rs:1"]);
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
        root(&finding)
    };
    assert_ne!(root("no such week"), root("no such day"));
    assert_eq!(root("no such day: 7 of \"May\""), root("no such day: 19 of \"June\""));
    assert_eq!(root("attempt to add with overflow"), root("attempt to subtract with overflow"));
}

#[test]
fn contradictions_that_come_from_one_spoiled_value_are_one_bug() {
    let contradiction = |operation: &str, calls: &[&str], program: &[&str]| {
        let mut bug = bug(operation, Cause::Panic, calls);
        bug.judgement.class = Class::Contradiction;
        bug.program = program.iter().map(|line| line.to_string()).collect();
        bug
    };
    let one = contradiction(
        "D::checked_sub",
        &["D::new", "D::round", "D::MIN", "D::checked_sub"],
        &["let d = D::new(1);", "let d_2 = d.round(29);", "let d_3 = D::MIN;", "d_2.checked_sub(d_3);"],
    );
    let two = contradiction(
        "D::checked_div",
        &["D::from", "D::round", "D::checked_div"],
        &["let d = D::from(0.5);", "let d_2 = d.round(29);", "d_2.checked_div(d);"],
    );
    let three = contradiction(
        "D::checked_mul",
        &["D::new", "D::checked_mul"],
        &["let d = D::new();", "d.checked_mul(d);"],
    );
    assert_eq!(distinct(vec![one, two, three]).len(), 2);
    assert_eq!(function("<D as From<i128>>::from"), function("<D as From<u128>>::from"));
}

#[test]
fn panics_at_two_places_of_a_file_are_one_bug_if_one_operation_fails_at_both() {
    let panic = |operation: &str, also: &str, place: &str| {
        let mut bug = bug(operation, Cause::Panic, &["D::new", operation]);
        bug.also = vec![also.to_string()];
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
        bug.also = operations[1..].iter().map(|operation| operation.to_string()).collect();
        bug.finding.place = Place::read(place);
        bug.finding.message = message.to_string();
        bug
    };
    let (nothing, overflow) = ("called `Option::unwrap()` on a `None` value", "attempt to add with overflow");
    let one = panic(&["<A<u8> as Read>::read", "decode"], "/x/src/decode.rs:1:2", nothing);
    let all = ["decode", "<A<i8> as Read>::read"];
    assert_eq!(distinct(vec![one.clone(), panic(&all, "/x/src/decode.rs:9:2", overflow)]).len(), 1);
    assert_eq!(distinct(vec![one.clone(), panic(&all, "/x/src/other.rs:9:2", overflow)]).len(), 2);
    // What one of them does on its own is its own.
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
    let hang = |operation: &str, calls: &[&str], program: &[&str]| {
        let mut bug = bug(operation, Cause::Hang, calls);
        bug.judgement.class = Class::Hang;
        bug.program = program.iter().map(|line| line.to_string()).collect();
        bug
    };
    let put = ["let b = Builder::new();", "b.capacity(0);", "let w = b.build();", "w.put(1);"];
    let write = ["let b = Builder::default();", "b.capacity(0);", "let w = b.open();", "w.write(1);"];
    let one = hang("Writer<u8>::put", &["Builder::new", "Builder::capacity", "Builder::build", "W::p"], &put);
    let names = ["Builder::default", "Builder::capacity", "Builder::open", "W::w"];
    let other = hang("Writer<i8>::write", &names, &write);
    assert_eq!(distinct(vec![one.clone(), other.clone()]).len(), 1);
    let elsewhere = hang("Reader::read", &names, &write);
    assert_eq!(distinct(vec![one, elsewhere]).len(), 2);
}

#[test]
fn a_law_is_one_for_all_type_arguments_and_for_all_iterators() {
    let root = |operation: &str| root(&bug(operation, Cause::Law, &[]).finding);
    assert_eq!(root("law equal_hashes of Map<u8>"), root("law equal_hashes of Map<String>"));
    assert_ne!(root("law equal_hashes of Map<u8>"), root("law equal_hashes of Set<u8>"));
    assert_eq!(root("law size_hint_holds of Iter<u8>"), root("law size_hint_holds of Keys<u8>"));
}

#[test]
fn a_law_that_is_broken_because_of_another_type_is_no_second_bug() {
    let back = bug("law rev_is_reverse of Days", Cause::Law, &["d::days", "law rev_is_reverse of Days"]);
    let ends = bug("law both_ends_meet of Days", Cause::Law, &["d::all", "law both_ends_meet of Days"]);
    let weeks = bug("law both_ends_meet of Weeks", Cause::Law, &["d::weeks", "law both_ends_meet of Weeks"]);
    assert_eq!(distinct(vec![back.clone(), ends]).len(), 1);
    assert_eq!(distinct(vec![back, weeks]).len(), 2);
    let shown = |kind: &str, made: &str| {
        let law = format!("law display_is_parsed of {kind}");
        bug(&law, Cause::Law, &[made, &law])
    };
    let zone = shown("Zone", "Zone::east");
    assert_eq!(distinct(vec![zone.clone(), shown("Time<Zone>", "Time::new")]).len(), 1);
    assert_eq!(distinct(vec![zone.clone(), shown("Time", "Zone::time")]).len(), 1);
    assert_eq!(distinct(vec![zone, shown("Time", "Time::new")]).len(), 2);
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
