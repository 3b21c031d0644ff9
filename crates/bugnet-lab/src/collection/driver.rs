//! Tests one mutant of a splay tree against a `BTreeMap`. Written into a scratch crate beside the
//! mutants; the list of their modules is put in where it says so.
//!
//! `driver MUTANT SCHEME CASES` ends with status 0 if the mutant survived and 1 if it was killed, and
//! `driver states SCHEME CASES` prints how many different trees the original went through.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};

use bugnet::__private::Shown;
use bugnet::campaign::{Environment, Options, Reason, WantedBugs};
use bugnet::oracle::Verdict;
use bugnet::prelude::*;
use bugnet::program::{Access, Frame, Kind, Mode, Operation, Parameter, Programs, Role, Suite};

/// The calls of a program, as in the swarm paper's table 7.
const LENGTH: usize = 10;
/// The number of keys.
const KEYS: u8 = 16;

/// A tree under test.
trait Tree: std::fmt::Debug + 'static {
    fn new() -> Self;
    fn insert(&mut self, key: u8, value: u8) -> Option<u8>;
    fn remove(&mut self, key: u8) -> Option<u8>;
    fn get(&mut self, key: u8) -> Option<u8>;
    fn lower_bound(&mut self, key: u8) -> Option<u8>;
    fn upper_bound(&mut self, key: u8) -> Option<u8>;
    fn smallest(&mut self) -> Option<(u8, u8)>;
    fn largest(&mut self) -> Option<(u8, u8)>;
    fn take_smallest(&mut self) -> Option<(u8, u8)>;
    fn take_largest(&mut self) -> Option<(u8, u8)>;
    fn seen(&self, key: u8) -> Option<u8>;
    fn len(&self) -> usize;
}

macro_rules! mutants {
    ($($module:ident = $number:literal),*) => {
        $(
            #[allow(warnings, reason = "a mutant is code that nobody would write")]
            mod $module;

            impl Tree for $module::tree_core::Tree<u8, u8> {
                fn new() -> Self {
                    Self::new()
                }
                fn insert(&mut self, key: u8, value: u8) -> Option<u8> {
                    self.insert(key, value)
                }
                fn remove(&mut self, key: u8) -> Option<u8> {
                    self.remove(&key)
                }
                fn get(&mut self, key: u8) -> Option<u8> {
                    self.get(&key).copied()
                }
                fn lower_bound(&mut self, key: u8) -> Option<u8> {
                    self.find_lower_bound(&key).copied()
                }
                fn upper_bound(&mut self, key: u8) -> Option<u8> {
                    self.find_upper_bound(&key).copied()
                }
                fn smallest(&mut self) -> Option<(u8, u8)> {
                    self.get_lftmost().map(|(key, value)| (*key, *value))
                }
                fn largest(&mut self) -> Option<(u8, u8)> {
                    self.get_rgtmost().map(|(key, value)| (*key, *value))
                }
                fn take_smallest(&mut self) -> Option<(u8, u8)> {
                    self.take_lftmost()
                }
                fn take_largest(&mut self) -> Option<(u8, u8)> {
                    self.take_rgtmost()
                }
                fn seen(&self, key: u8) -> Option<u8> {
                    self.get_immut(&key).map(|(_, value)| *value)
                }
                fn len(&self) -> usize {
                    self.len()
                }
            }
        )*

        fn suite_of(mutant: usize) -> Suite {
            match mutant {
                $($number => suite::<$module::tree_core::Tree<u8, u8>>(),)*
                _ => panic!("there is no such mutant"),
            }
        }
    };
}

mutants!(/* the mutants */);

/// A tree and what it should be.
struct Test<T> {
    tree: T,
    model: BTreeMap<u8, u8>,
}

thread_local! {
    /// The trees seen so far, if they are counted.
    static STATES: RefCell<Option<HashSet<String>>> = const { RefCell::new(None) };
}

fn key(source: &mut Source) -> u8 {
    source.draw(0..KEYS)
}

fn shown(source: &mut Source) -> Shown {
    Shown { text: key(source).to_string(), source: true }
}

/// An operation with this many keys as arguments, which compares what the tree and the model say.
fn operation<T: Tree>(name: &'static str, keys: usize, body: fn(&mut Frame<'_>) -> Verdict) -> Operation {
    let own = Parameter::earlier("self", Kind::of::<Test<T>>("Test"), Mode::Mutable);
    let operation = Operation::new(name, "_", body).parameter(own);
    (0..keys).fold(operation, |operation, _| {
        operation.parameter(Parameter::drawn("key", Kind::of::<u8>("u8"), Mode::Value, shown))
    })
}

fn drawn(frame: &mut Frame<'_>) -> u8 {
    frame.literal(Some(key)).expect("keys are drawn")
}

fn compare<T: Tree, R: PartialEq + std::fmt::Debug>(
    frame: &mut Frame<'_>,
    of_tree: impl Fn(&mut T) -> R,
    of_model: impl Fn(&mut BTreeMap<u8, u8>) -> R,
) -> Verdict {
    let Test { tree, model } = frame.mutable::<Test<T>>(0);
    assert_eq!(of_tree(tree), of_model(model));
    assert_eq!(tree.len(), model.len());
    STATES.with_borrow_mut(|states| {
        if let Some(states) = states {
            states.insert(format!("{tree:?}"));
        }
    });
    Verdict::Pass
}

fn suite<T: Tree>() -> Suite {
    let test = Kind::of::<Test<T>>("Test");
    Suite::machine("Test")
        .operations([
            Operation::new("new", "_", |frame| frame.keep(Test { tree: T::new(), model: BTreeMap::new() }))
                .returns(test, Access::Owned)
                .role(Role::Setup),
            operation::<T>("insert", 2, |frame| {
                let (key, value) = (drawn(frame), drawn(frame));
                compare::<T, _>(frame, |tree| tree.insert(key, value), |model| model.insert(key, value))
            }),
            operation::<T>("remove", 1, |frame| {
                let key = drawn(frame);
                compare::<T, _>(frame, |tree| tree.remove(key), |model| model.remove(&key))
            }),
            operation::<T>("get", 1, |frame| {
                let key = drawn(frame);
                compare::<T, _>(frame, |tree| tree.get(key), |model| model.get(&key).copied())
            }),
            operation::<T>("lower_bound", 1, |frame| {
                let key = drawn(frame);
                compare::<T, _>(
                    frame,
                    |tree| tree.lower_bound(key),
                    |model| model.range(key..).next().map(|(key, _)| *key),
                )
            }),
            operation::<T>("upper_bound", 1, |frame| {
                let key = drawn(frame);
                compare::<T, _>(
                    frame,
                    |tree| tree.upper_bound(key),
                    |model| model.range(key + 1..).next().map(|(key, _)| *key),
                )
            }),
            operation::<T>("smallest", 0, |frame| {
                let first = |model: &mut BTreeMap<u8, u8>| model.first_key_value().map(|(k, v)| (*k, *v));
                compare::<T, _>(frame, T::smallest, first)
            }),
            operation::<T>("largest", 0, |frame| {
                let last = |model: &mut BTreeMap<u8, u8>| model.last_key_value().map(|(k, v)| (*k, *v));
                compare::<T, _>(frame, T::largest, last)
            }),
            operation::<T>("take_smallest", 0, |frame| {
                compare::<T, _>(frame, T::take_smallest, BTreeMap::pop_first)
            }),
            operation::<T>("take_largest", 0, |frame| {
                compare::<T, _>(frame, T::take_largest, BTreeMap::pop_last)
            }),
            Operation::new("contents", "_", |frame: &mut Frame<'_>| {
                let Test { tree, model } = frame.shared::<Test<T>>(0);
                for key in 0..KEYS {
                    assert_eq!(tree.seen(key), model.get(&key).copied());
                }
                Verdict::Pass
            })
            .parameter(Parameter::earlier("self", test, Mode::Shared))
            .role(Role::Teardown),
        ])
        .build()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [mutant, scheme, cases] = &arguments[..] else { panic!("driver MUTANT SCHEME CASES") };
    let (swarm, strategies) = match scheme.as_str() {
        "default" => (None, None),
        scheme => (Some(scheme.parse().expect("a scheme")), Some(Strategies::Random)),
    };
    let options = Options {
        cases: Some(cases.parse().expect("a number")),
        steps: Some(LENGTH),
        shrinks: Some(0),
        swarm,
        strategies,
        ..Options::default()
    };
    let number = match mutant.as_str() {
        "states" => {
            STATES.set(Some(HashSet::new()));
            0
        }
        number => number.parse().expect("a number"),
    };
    let property = Property::new("collection").bugs(WantedBugs::FIRST).seed(Seed(1)).options(options);
    let outcome = property.environment(Environment::none(Seed(1))).run(&Programs::new(suite_of(number)));
    if let Some(states) = STATES.take() {
        println!("{}", states.len());
    }
    let killed = matches!(outcome, Err(failed) if matches!(failed.reason, Reason::Refuted(_) | Reason::Flaky { .. }));
    std::process::exit(i32::from(killed));
}
