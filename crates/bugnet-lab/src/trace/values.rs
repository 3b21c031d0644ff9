//! Properties with several bugs behind them, all of which are wanted: what fails is brought into forms.

use super::Ended;
use super::subject::Subject;
use bugnet::campaign::{Environment, Options, WantedBugs};
use bugnet::oracle::IntoVerdict;
use bugnet::prelude::*;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Debug;

pub fn all() -> Vec<Subject> {
    vec![
        of("simplifier", WantedBugs::ALL, simplifies),
        of("simplifier/more", WantedBugs::MORE, simplifies),
        of("simplifier/no-samples", WantedBugs { samples: false, ..WantedBugs::ALL }, simplifies),
        of("simplifier/no-forms", WantedBugs { forms: false, ..WantedBugs::ALL }, simplifies),
        of("three-panics", WantedBugs::ALL, |(number, list, is_on): (i32, Vec<i16>, Option<bool>)| {
            assert!(number < 5_000, "large");
            assert!(!list.contains(&-7), "minus seven");
            assert!(is_on != Some(true), "on");
        }),
        of("rare-inside", WantedBugs::ALL, |(x, y): (u16, u8)| {
            assert!(y % 32 != 17 || x < 200, "rare");
            assert!(x < 100, "large");
        }),
        of("most-of", WantedBugs::ALL, |(x, y): (u16, u8)| x < 100 || y % 32 == 17),
        of("one-unwrap", WantedBugs::ALL, |(list, text): (Vec<u8>, Option<char>)| {
            first_of(list.iter());
            if let Some(letter) = text {
                first_of(Some(letter).filter(|letter| *letter != '!').into_iter());
            }
        }),
        of("sorted", WantedBugs::ALL, |list: Vec<u8>| {
            assume!(list.is_sorted());
            assert!(!list.contains(&40));
        }),
        of("nothing-in-common", WantedBugs::ALL, |(a, b): (u16, u16)| a <= b),
        of("switch", WantedBugs::ALL, |(is_urgent, count): (bool, u16)| is_urgent || count < 300),
        of("keys", WantedBugs::ALL, |map: BTreeMap<u8, bool>| !map.contains_key(&9)),
        of("text", WantedBugs::ALL, |text: String| text.is_ascii()),
        of("equal", WantedBugs::ALL, |(a, b): (u16, u16)| a != b || a < 5),
        Subject::new("values/by-chance", by_chance),
        Subject::new("values/must-panic", must_panic),
    ]
}

fn of<T, V, F>(name: &str, wanted: WantedBugs, test: F) -> Subject
where
    T: Generate + Debug,
    V: IntoVerdict,
    F: Fn(T) -> V + 'static,
{
    Subject::new(format!("values/{name}"), move |environment| {
        let (calls, property) = (Cell::new(0), property(wanted, environment));
        let outcome = property.check(any::<T>(), |input| {
            calls.set(calls.get() + 1);
            test(input)
        });
        (outcome, calls.get())
    })
}

fn property(wanted: WantedBugs, environment: Environment) -> Property<'static> {
    Property::new("values").bugs(wanted).seed(environment.fresh).cases(400).environment(environment)
}

fn first_of<T>(mut parts: impl Iterator<Item = T>) -> T {
    parts.next().unwrap()
}

/// Fails at some of its calls, whatever its input is.
fn by_chance(environment: Environment) -> Ended {
    let calls = Cell::new(0);
    let outcome = property(WantedBugs::ALL, environment).check(any::<u32>(), |_| {
        calls.set(calls.get() + 1);
        calls.get() % 100 != 50
    });
    (outcome, calls.get())
}

/// Must panic, and does not for some inputs.
fn must_panic(environment: Environment) -> Ended {
    let calls = Cell::new(0);
    let options = Options { expect_panic: Some("small".to_owned()), ..Options::default() };
    let outcome = property(WantedBugs::FIRST, environment).options(options).check(any::<Vec<u8>>(), |list| {
        calls.set(calls.get() + 1);
        assert!(list.iter().map(|number| u32::from(*number)).sum::<u32>() > 400, "small");
    });
    (outcome, calls.get())
}

#[derive(Debug, Clone, PartialEq, Generate)]
enum Exp {
    Con(i8),
    Var(bool),
    Neg(Box<Exp>),
    Add(Box<Exp>, Box<Exp>),
    Sub(Box<Exp>, Box<Exp>),
    Mul(Box<Exp>, Box<Exp>),
}

impl Exp {
    fn value(&self) -> i64 {
        match self {
            Exp::Con(number) => i64::from(*number),
            Exp::Var(is_first) => {
                if *is_first {
                    17
                } else {
                    1_000
                }
            }
            Exp::Neg(a) => a.value().wrapping_neg(),
            Exp::Add(a, b) => a.value().wrapping_add(b.value()),
            Exp::Sub(a, b) => a.value().wrapping_sub(b.value()),
            Exp::Mul(a, b) => a.value().wrapping_mul(b.value()),
        }
    }

    /// The same in fewer words, by some rules of which three are wrong.
    fn simplified(self) -> Exp {
        match self {
            Exp::Neg(a) => Exp::Neg(Box::new(a.simplified())),
            Exp::Add(a, b) => match (a.simplified(), b.simplified()) {
                (Exp::Con(0), b) => b,
                (a, Exp::Con(1)) => a,
                (a, b) => Exp::Add(Box::new(a), Box::new(b)),
            },
            Exp::Sub(a, b) => match (a.simplified(), b.simplified()) {
                (a, b) if a == b => Exp::Con(1),
                (a, b) => Exp::Sub(Box::new(a), Box::new(b)),
            },
            Exp::Mul(a, b) => match (a.simplified(), b.simplified()) {
                (Exp::Con(1), b) => b,
                (a, Exp::Con(0)) => a,
                (a, b) => Exp::Mul(Box::new(a), Box::new(b)),
            },
            other => other,
        }
    }
}

fn simplifies(exp: Exp) {
    assert_eq!(exp.clone().simplified().value(), exp.value());
}
