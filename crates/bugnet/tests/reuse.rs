//! Inputs that are only borrowed: the next one is made in the place of the last.
//!
//! **Invariant:** what was there before shows neither in the value nor in the choices behind it.

use bugnet::__private::borrowing;
use bugnet::campaign::{Closures, Environment, Strategies, Test};
use bugnet::oracle::Verdict;
use bugnet::prelude::*;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::rc::Rc;

#[derive(Debug, Clone, PartialEq, Generate)]
enum Exp {
    Con(i64),
    Neg {
        of: Box<Exp>,
    },
    Add(Box<Exp>, Box<Exp>),
    Call(String, Vec<Exp>),
    Let(Box<Block>, Option<Box<Exp>>),
    #[generate(skip)]
    Hole(Box<Exp>),
}

#[derive(Debug, Clone, PartialEq, Generate)]
struct Block {
    statements: Vec<Exp>,
    #[generate(with = 1..=9u8)]
    indent: u8,
    #[generate(skip)]
    comment: String,
    last: Box<Exp>,
}

#[derive(Debug, Clone, PartialEq, Generate)]
enum Json<'a, T> {
    Null,
    #[generate(weight = 3)]
    Text(Cow<'a, str>),
    Number(T),
    List(Vec<Json<'a, T>>),
    Object(BTreeMap<u8, Json<'a, T>>),
    Pair(Box<Json<'a, T>>, [Box<Json<'a, T>>; 1]),
}

#[derive(Debug, Clone, PartialEq, Generate)]
enum Operation {
    Push(Box<u8>),
    Write(String),
    Clear,
}

type Mixed = (Option<Exp>, [Box<Exp>; 2], Result<Exp, Box<u8>>, Vec<Operation>, u8);

/// Makes values one after the other in the place of one, and each of them by itself as well.
fn is_as_if_made_anew<T: Generate + PartialEq + Debug>(mut value: T, seed: u64) {
    let (mut reusing, mut plain) = (Source::random(Seed(seed), 0), Source::random(Seed(seed), 0));
    for _ in 0..8 {
        value.regenerate(&mut reusing);
        assert_eq!(value, plain.any::<T>());
    }
    assert_eq!(reusing.any::<u64>(), plain.any::<u64>(), "other choices were made");
}

/// The same where the choices are recorded.
fn is_recorded_as_if_made_anew<T: Generate + PartialEq + Debug>(mut value: T, seed: u64) {
    let (mut reusing, mut plain) = (Source::recording(Seed(seed), 0), Source::recording(Seed(seed), 0));
    value.regenerate(&mut reusing);
    assert_eq!(value, plain.any::<T>());
    assert_eq!(reusing.into_tape(), plain.into_tape());
}

#[property]
fn a_tree_in_the_place_of_another_is_as_if_made_anew(before: Exp, seed: u64) {
    is_as_if_made_anew(before.clone(), seed);
    is_as_if_made_anew(Exp::Hole(Box::new(before.clone())), seed);
    is_recorded_as_if_made_anew(before, seed);
}

#[property]
fn a_generic_value_in_the_place_of_another_is_as_if_made_anew(before: Json<'static, u16>, seed: u64) {
    is_as_if_made_anew(before.clone(), seed);
    is_recorded_as_if_made_anew(before, seed);
}

#[property]
fn a_tuple_in_the_place_of_another_is_as_if_made_anew(before: Mixed, seed: u64) {
    is_as_if_made_anew(before.clone(), seed);
    is_recorded_as_if_made_anew(before, seed);
}

/// Runs `count` random cases.
fn run(test: &dyn Test, cases: u64) -> Option<(u64, Vec<String>)> {
    let property = Property::new("reuse").environment(Environment::none(Seed(5))).seed(Seed(5));
    let failed = property.strategies(Strategies::Random).cases(cases).run(test).err()?;
    Some((failed.effort().passed, failed.arguments().iter().map(ToString::to_string).collect()))
}

#[test]
fn a_borrowed_input_fails_in_the_same_case_and_shrinks_to_the_same_one() {
    fn depth(exp: &Exp) -> usize {
        match exp {
            Exp::Neg { of } => 1 + depth(of),
            Exp::Add(left, right) => 1 + depth(left).max(depth(right)),
            _ => 0,
        }
    }
    fn shown(exp: &Exp) -> Vec<bugnet::campaign::Argument> {
        vec![bugnet::campaign::Argument { name: "exp", kind: "Exp", text: exp.literal(), source: true }]
    }
    let owned = Closures {
        generate: |source: &mut Source| source.any::<Exp>(),
        test: |exp: Exp, _: &mut Source| depth(&exp) < 4,
        show: shown,
    };
    let borrowed = borrowing(
        |source| source.any::<Exp>(),
        Exp::regenerate,
        true,
        |exp, _| {
            if depth(exp) < 4 { Verdict::Pass } else { bugnet::oracle::IntoVerdict::into_verdict(false) }
        },
        shown,
    );
    let failure = run(&owned, 10_000);
    assert!(failure.is_some());
    assert_eq!(run(&borrowed, 10_000), failure);
}

thread_local! {
    static NODES: Cell<u64> = const { Cell::new(0) };
    static DROPPED: Cell<u64> = const { Cell::new(0) };
    static ALIVE: Rc<()> = Rc::new(());
}

/// A tree that cannot be taken apart, as nothing can that has a `Drop`.
#[derive(Debug, Generate)]
enum Guarded {
    Leaf,
    One(Box<Guarded>),
    Two(Box<Guarded>, Box<Guarded>),
}

impl Drop for Guarded {
    fn drop(&mut self) {
        DROPPED.set(DROPPED.get() + 1);
    }
}

impl Guarded {
    fn nodes(&self) -> u64 {
        match self {
            Guarded::Leaf => 1,
            Guarded::One(inner) => 1 + inner.nodes(),
            Guarded::Two(left, right) => 1 + left.nodes() + right.nodes(),
        }
    }
}

#[property(cases = 5_000, strategies = "random")]
#[ignore = "called below"]
fn counted(tree: &Guarded, label: String, #[with(0..5)] number: i32) {
    drop(label);
    NODES.set(NODES.get() + tree.nodes());
    assert!((0..5).contains(&number));
}

#[test]
fn trees_are_made_of_those_before_them() {
    counted();
    let (nodes, dropped) = (NODES.get(), DROPPED.get());
    assert!(nodes > 50_000, "{nodes}");
    assert!(dropped < nodes / 5, "{dropped} of {nodes} nodes were given back");
}

/// Something that is alive until it is dropped.
#[derive(Debug)]
struct Token {
    _alive: Rc<()>,
}

impl Generate for Token {
    fn generate(_: &mut Source) -> Token {
        Token { _alive: ALIVE.with(Rc::clone) }
    }
}

fn tokens() -> usize {
    ALIVE.with(Rc::strong_count) - 1
}

#[derive(Debug, Generate)]
enum Chain {
    End(Token),
    Link(Token, Box<Chain>),
}

#[test]
fn nothing_is_kept_when_a_run_is_over_however_it_ends() {
    for limit in [3, u8::MAX] {
        let test = borrowing(
            |source| source.any::<(Chain, u8)>(),
            <(Chain, u8)>::regenerate,
            true,
            move |(_, number), _| {
                assert!(*number < limit || limit == u8::MAX, "too high");
                Verdict::Pass
            },
            |_| Vec::new(),
        );
        assert_eq!(run(&test, 1_000).is_some(), limit == 3);
        assert_eq!(tokens(), 0);
    }
}

#[property(cases = 200)]
fn an_input_of_which_nothing_can_be_reused_ends_with_its_case(_token: &Token) {
    assert_eq!(tokens(), 1);
}

#[property]
fn what_a_property_does_to_its_input_does_not_last(exps: &mut Vec<Exp>, number: &mut Box<u8>) {
    assert!(!exps.contains(&Exp::Hole(Box::new(Exp::Con(7)))));
    exps.push(Exp::Hole(Box::new(Exp::Con(7))));
    exps.reverse();
    **number = 1;
}
