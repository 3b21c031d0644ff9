//! Every bug behind a property once: inputs that fail are brought into forms, and kept away.

use bugnet::campaign::{Failed, Wanted};
use bugnet::prelude::*;
use std::fmt::Debug;

fn run<T: Generate + Debug + Literal>(seed: u64, test: impl Fn(T)) -> Box<Failed> {
    all(seed, 3_000, test)
}

fn all<T: Generate + Debug + Literal>(seed: u64, cases: u64, test: impl Fn(T)) -> Box<Failed> {
    let property = Property::new("values").bugs(Wanted::ALL).seed(Seed(seed)).cases(cases);
    property.check(any::<T>(), test).unwrap_err()
}

/// The patterns, in words.
fn patterns(failed: &Failed) -> Vec<&str> {
    failed.bugs.iter().map(|bug| bug.words.as_str()).collect()
}

mod simplifier {
    use super::*;

    #[derive(Debug, Clone, PartialEq, Generate)]
    pub enum Exp {
        Con(i8),
        Var(bool),
        Neg(Box<Exp>),
        Add(Box<Exp>, Box<Exp>),
        Sub(Box<Exp>, Box<Exp>),
        Mul(Box<Exp>, Box<Exp>),
    }
    use Exp::*;

    impl Exp {
        pub fn value(&self) -> i64 {
            match self {
                Con(number) => i64::from(*number),
                Var(x) => if *x { 17 } else { 1_000 },
                Neg(a) => a.value().wrapping_neg(),
                Add(a, b) => a.value().wrapping_add(b.value()),
                Sub(a, b) => a.value().wrapping_sub(b.value()),
                Mul(a, b) => a.value().wrapping_mul(b.value()),
            }
        }

        /// With three wrong rules.
        pub fn simplified(self) -> Exp {
            match self {
                Neg(a) => Neg(Box::new(a.simplified())),
                Add(a, b) => match (a.simplified(), b.simplified()) {
                    (Con(0), b) => b,
                    // Wrong.
                    (a, Con(1)) => a,
                    (a, b) => Add(Box::new(a), Box::new(b)),
                },
                Sub(a, b) => match (a.simplified(), b.simplified()) {
                    // Wrong.
                    (a, b) if a == b => Con(1),
                    (a, b) => Sub(Box::new(a), Box::new(b)),
                },
                Mul(a, b) => match (a.simplified(), b.simplified()) {
                    (Con(1), b) => b,
                    // Wrong.
                    (a, Con(0)) if a != Con(0) => a,
                    (a, b) => Mul(Box::new(a), Box::new(b)),
                },
                other => other,
            }
        }
    }
}

#[test]
fn three_wrong_rules_behind_one_assertion_are_three_bugs() {
    for seed in 0..10 {
    let failed = run(seed, |exp: simplifier::Exp| assert_eq!(exp.clone().simplified().value(), exp.value()));
    println!("{failed}");
    println!("{:#?}", patterns(&failed));
    }
}
