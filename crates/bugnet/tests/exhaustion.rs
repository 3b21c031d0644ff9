//! Exhaustive search has tested all that it claims to have tested: each input once.

use bugnet::campaign::{Environment, Passed, Strategies};
use bugnet::prelude::*;
use std::cell::RefCell;
use std::fmt::Debug;

/// All inputs that exhaustive search runs, in order, and what it says of them.
fn exhausted<G: Generator>(generator: G, cases: u64) -> (Vec<String>, Passed)
where
    G::Value: Debug,
{
    let seen = RefCell::new(Vec::new());
    let passed = Property::new("exhausted")
        .environment(Environment::none(Seed(1)))
        .strategies(Strategies::Exhaustive)
        .cases(cases)
        .check(generator, |value| seen.borrow_mut().push(format!("{value:?}")))
        .unwrap();
    (seen.into_inner(), passed)
}

fn assert_distinct(seen: &[String]) {
    let mut sorted = seen.to_vec();
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted.len(), seen.len(), "an input came twice");
}

#[derive(Debug, Clone, Generate)]
enum Exp {
    Con(i64),
    Mul(Box<Exp>, Box<Exp>),
    Add(Box<Exp>, Box<Exp>),
}

#[test]
fn depth_two_of_the_expressions_of_the_thesis_are_its_five() {
    let (seen, passed) = exhausted(any::<Exp>(), 5);
    assert_eq!(passed.to_string(), "exhausted: OK, passed 5 tests (all 5 inputs up to depth 2).");
    let expected =
        ["Con(0)", "Con(1)", "Con(-1)", "Mul(Con(0), Con(0))", "Add(Con(0), Con(0))"].map(String::from);
    assert_eq!(seen, expected);
}

#[test]
fn a_finite_domain_is_tested_whole_and_once() {
    let (seen, passed) = exhausted(1..=3999u32, 100_000);
    assert_eq!(passed.to_string(), "exhausted: OK, passed all 3999 inputs that there are.");
    assert_distinct(&seen);
    let (seen, passed) = exhausted(any::<(bool, Option<bool>)>(), 1_000);
    assert_eq!((seen.len(), passed.exhausted.unwrap().whole), (6, true));
}

#[test]
fn a_wide_domain_is_never_called_whole() {
    for cases in [10, 100, 3_000] {
        let (seen, passed) = exhausted(any::<(u8, Vec<i32>)>(), cases);
        assert_eq!(seen.len() as u64, cases);
        assert_distinct(&seen);
        assert!(!passed.exhausted.unwrap().whole);
    }
}

#[test]
fn every_kind_of_value_comes_once() {
    assert_distinct(&exhausted(any::<Vec<bool>>(), 2_000).0);
    assert_distinct(&exhausted(any::<String>(), 2_000).0);
    assert_distinct(&exhausted(any::<f64>(), 2_000).0);
    assert_distinct(&exhausted(any::<Exp>(), 2_000).0);
    assert_distinct(&exhausted(any::<std::collections::BTreeSet<u8>>(), 500).0);
    assert_distinct(&exhausted((0..5u8, -3..=100i32, 'a'..='d'), 2_000).0);
}

#[derive(Debug, Clone, Generate)]
struct Node {
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
    next: Vec<Node>,
}

fn nodes(node: &Node) -> usize {
    let children = node.left.iter().chain(&node.right).map(|child| &**child).chain(&node.next);
    1 + children.map(nodes).sum::<usize>()
}

#[test]
fn a_struct_that_holds_itself_ends() {
    check(any::<Node>(), |node| assert!(nodes(&node) < 100_000)).unwrap();
}

#[test]
fn a_set_of_two_booleans_has_four_values_and_a_map_of_them_nine() {
    use std::collections::{BTreeMap, BTreeSet, HashSet};
    let (seen, passed) = exhausted(any::<BTreeSet<bool>>(), 1_000);
    assert_eq!(passed.to_string(), "exhausted: OK, passed all 4 inputs that there are.");
    assert_distinct(&seen);
    let (seen, passed) = exhausted(any::<BTreeMap<bool, bool>>(), 1_000);
    assert_eq!(passed.to_string(), "exhausted: OK, passed all 9 inputs that there are.");
    assert_distinct(&seen);
    let (_, passed) = exhausted(any::<HashSet<Option<bool>>>(), 1_000);
    assert_eq!(passed.to_string(), "exhausted: OK, passed all 8 inputs that there are.");
    let (seen, passed) = exhausted(any::<BTreeSet<u8>>(), 500);
    assert!(!passed.exhausted.unwrap().whole && passed.exhausted.unwrap().inputs <= seen.len() as u64);
}

#[test]
fn what_a_precondition_discards_is_told_with_all_inputs() {
    let run = RefCell::new(0u64);
    let passed = Property::new("discarding")
        .environment(Environment::none(Seed(1)))
        .strategies(Strategies::Exhaustive)
        .cases(30)
        .check(any::<i16>(), |value| {
            *run.borrow_mut() += 1;
            assume!(value % 3 == 0);
        })
        .unwrap();
    let all = passed.exhausted.unwrap();
    let text =
        format!("all {} inputs up to depth {}, {} of them discarded", all.inputs, all.depth, all.discarded);
    assert!(passed.to_string().contains(&text), "{passed}");
    // Of the numbers from -depth to depth, one in three is tested.
    assert_eq!(all.inputs, 2 * u64::from(all.depth) + 1);
    assert_eq!(all.inputs - all.discarded, 2 * u64::from(all.depth / 3) + 1);
    assert!(all.inputs <= run.into_inner());
}

#[test]
fn what_is_given_up_while_it_is_generated_is_no_input() {
    let even = any::<u8>().filter(|number| number % 2 == 0);
    let (seen, passed) = exhausted(even, 1_000);
    assert_eq!((seen.len() as u64, passed.exhausted.unwrap().inputs), (128, 128));
}
