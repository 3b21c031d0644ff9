//! Properties of the engine, tested by the engine.

use bugnet::campaign::{Environment, Strategies, WantedBugs};
use bugnet::prelude::*;
use std::cell::RefCell;
use std::cmp::Ordering;

/// A type that uses most of what a source offers.
#[derive(Debug, Clone, PartialEq, Generate)]
enum Shape {
    Nothing,
    Number(i64),
    Real(f32),
    Text(String),
    Pair(Box<Shape>, Box<Shape>),
    Many {
        items: Vec<Shape>,
        name: Option<String>,
    },
    #[generate(weight = 2)]
    Set(std::collections::BTreeSet<u8>),
}

/// Equal also where a float is not equal to itself.
fn same(left: &Shape, right: &Shape) -> bool {
    format!("{left:?}") == format!("{right:?}")
}

fn recorded(seed: Seed, case: u64) -> (Shape, Tape) {
    let mut source = Source::recording(seed, case);
    let shape = source.any();
    (shape, source.into_tape())
}

#[property]
fn the_fast_and_the_recording_source_make_the_same_value(seed: u64, case: u32) {
    let fast: Shape = Source::random(Seed(seed), case.into()).any();
    assert!(same(&fast, &recorded(Seed(seed), case.into()).0));
}

#[property]
fn a_tape_replays_to_its_value_and_to_itself(seed: u64, case: u32) {
    let (shape, tape) = recorded(Seed(seed), case.into());
    let mut replay = Source::replay(tape.clone());
    assert!(same(&shape, &replay.any()));
    assert_eq!(replay.into_tape(), tape);
}

#[property]
fn a_tape_survives_being_written_and_read(seed: u64, case: u32) {
    let (shape, tape) = recorded(Seed(seed), case.into());
    let read: Tape = tape.to_string().parse().unwrap();
    assert!(same(&shape, &Source::replay(read).any()));
}

#[property]
fn any_numbers_at_all_make_some_value(numbers: Vec<u64>) {
    let text: Vec<String> = numbers.iter().map(|number| format!("{number:x}")).collect();
    let tape: Tape = text.join(".").parse().unwrap();
    let mut source = Source::replay(tape);
    let shape: Shape = source.any();
    note!("{shape:?}");
    assert!(same(&shape, &Source::replay(source.into_tape()).any()));
}

#[property]
fn simplicity_is_a_total_order(tapes: [u64; 3], case: u8) {
    let [a, b, c] = tapes.map(|seed| recorded(Seed(seed), case.into()).1);
    assert_eq!(a.simplicity(&b), b.simplicity(&a).reverse());
    if a.simplicity(&b) != Ordering::Greater && b.simplicity(&c) != Ordering::Greater {
        assert_ne!(a.simplicity(&c), Ordering::Greater);
    }
}

/// Every failing input that a run sees, in order; the last is the one reported.
fn failing(limit: usize, seed: u64) -> Vec<Vec<u16>> {
    let seen = RefCell::new(Vec::new());
    let failed = Property::new("failing")
        .environment(Environment::none(Seed(seed)))
        .seed(Seed(seed))
        .strategies(Strategies::Random)
        .bugs(WantedBugs::FIRST)
        .check(any::<Vec<u16>>(), |list| {
            let fails = list.iter().filter(|number| **number > 100).count() > limit;
            if fails {
                seen.borrow_mut().push(list);
            }
            !fails
        });
    assert!(failed.is_err());
    seen.into_inner()
}

#[property(cases = 100)]
fn shrinking_ends_at_the_simplest_input_and_never_makes_one_longer(#[with(0..4)] limit: usize, seed: u64) {
    let seen = failing(limit, seed);
    assert!(seen.is_sorted_by(|earlier, later| earlier.len() >= later.len()), "{seen:?}");
    assert_eq!(seen.last(), Some(&vec![101; limit + 1]));
}

#[property(cases = 50)]
fn the_same_seed_gives_the_same_run(#[with(0..4)] limit: usize, seed: u64) {
    assert_eq!(failing(limit, seed), failing(limit, seed));
}
