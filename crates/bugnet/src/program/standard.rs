//! Operations of the standard library: what can be done to a collection that a function hands out.
//!
//! A function that returns `&mut Vec<T>` lets its caller do anything to the vector, so a suite with
//! such a function has the operations of `Vec` too. If what it lends is of a type with an `#[api]` of its own, the suite
//! has those operations of that which change a value.

use super::build::Api;
use super::frame::Frame;
use super::operation::{Kind, Mode, Operation, Parameter, Role};
use super::probe::Probe;
use crate::choice::Source;
use crate::generate::show::Shown;
use crate::generate::{Generate, Literal};
use crate::oracle::Verdict;
use std::any::TypeId;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::Hash;

/// A type whose operations are known.
#[doc(hidden)]
pub trait Standard {
    /// Its operations, for a type that goes by this name.
    fn standard(&self, name: &'static str) -> Vec<Operation>;
}

/// Any other type.
#[doc(hidden)]
pub trait NotStandard {
    /// None.
    fn standard(&self, name: &'static str) -> Vec<Operation>;
}

impl<T> NotStandard for Probe<T> {
    fn standard(&self, _: &'static str) -> Vec<Operation> {
        Vec::new()
    }
}

thread_local! {
    /// The types whose suites are being made, for two types may lend each other.
    static ASKED: RefCell<Vec<TypeId>> = const { RefCell::new(Vec::new()) };
}

impl<T: Api> Standard for &&Probe<T> {
    fn standard(&self, name: &'static str) -> Vec<Operation> {
        let kind = TypeId::of::<T>();
        if ASKED.with_borrow(|asked| asked.contains(&kind)) {
            return Vec::new();
        }
        ASKED.with_borrow_mut(|asked| asked.push(kind));
        let suite = T::suite();
        ASKED.with_borrow_mut(Vec::pop);
        let mut changing = Vec::new();
        for mut operation in suite.operations {
            let mut earlier = operation.earlier();
            let is_changed = earlier
                .next()
                .is_some_and(|(_, own)| own.mode == Mode::Mutable && own.kind == Kind::of::<T>(name));
            // Nobody has to make a value of a further type.
            if operation.role == Role::Call && is_changed && earlier.next().is_none() {
                drop(earlier);
                operation.name = String::leak(format!("{name}::{}", operation.name));
                changing.push(operation);
            }
        }
        changing
    }
}

fn shown<T: Generate + Literal>(source: &mut Source) -> Shown {
    let value = T::generate(source);
    if source.is_unseen() { Shown::NOTHING } else { Shown { text: value.literal(), source: true } }
}

/// An operation on a value of a type, by `&mut`.
fn on<C: 'static>(
    name: &'static str,
    method: &'static str,
    template: &'static str,
    body: fn(&mut Frame<'_>) -> Verdict,
) -> Operation {
    let own = Parameter::earlier("self", Kind::of::<C>(name), Mode::Mutable);
    Operation::new(method, template, body).parameter(own)
}

fn literal<T: Generate + Literal + 'static>(name: &'static str) -> Parameter {
    Parameter::drawn(name, Kind::of::<T>("_"), Mode::Value, shown::<T>)
}

fn draw<T: Generate>(frame: &mut Frame<'_>) -> T {
    frame.literal(Some(T::generate)).expect("a literal is drawn where there is a generator")
}

macro_rules! clear {
    ($type:ty, $name:ident, $method:expr) => {
        on::<$type>($name, $method, "{0}.clear()", |frame| {
            frame.mutable::<$type>(0).clear();
            Verdict::Pass
        })
    };
}

impl<T: Generate + Literal + 'static> Standard for &Probe<Vec<T>> {
    fn standard(&self, name: &'static str) -> Vec<Operation> {
        vec![
            clear!(Vec<T>, name, "Vec::clear"),
            on::<Vec<T>>(name, "Vec::push", "{0}.push({1})", |frame| {
                let value = draw::<T>(frame);
                frame.mutable::<Vec<T>>(0).push(value);
                Verdict::Pass
            })
            .parameter(literal::<T>("value")),
            on::<Vec<T>>(name, "Vec::pop", "{0}.pop()", |frame| {
                frame.mutable::<Vec<T>>(0).pop();
                Verdict::Pass
            }),
            on::<Vec<T>>(name, "Vec::reverse", "{0}.reverse()", |frame| {
                frame.mutable::<Vec<T>>(0).reverse();
                Verdict::Pass
            }),
        ]
    }
}

impl<T: Generate + Literal + 'static> Standard for &Probe<VecDeque<T>> {
    fn standard(&self, name: &'static str) -> Vec<Operation> {
        vec![
            clear!(VecDeque<T>, name, "VecDeque::clear"),
            on::<VecDeque<T>>(name, "VecDeque::push_back", "{0}.push_back({1})", |frame| {
                let value = draw::<T>(frame);
                frame.mutable::<VecDeque<T>>(0).push_back(value);
                Verdict::Pass
            })
            .parameter(literal::<T>("value")),
            on::<VecDeque<T>>(name, "VecDeque::pop_front", "{0}.pop_front()", |frame| {
                frame.mutable::<VecDeque<T>>(0).pop_front();
                Verdict::Pass
            }),
        ]
    }
}

impl Standard for &Probe<String> {
    fn standard(&self, name: &'static str) -> Vec<Operation> {
        vec![
            clear!(String, name, "String::clear"),
            on::<String>(name, "String::push", "{0}.push({1})", |frame| {
                let value = draw::<char>(frame);
                frame.mutable::<String>(0).push(value);
                Verdict::Pass
            })
            .parameter(literal::<char>("value")),
            on::<String>(name, "String::pop", "{0}.pop()", |frame| {
                frame.mutable::<String>(0).pop();
                Verdict::Pass
            }),
        ]
    }
}

macro_rules! maps {
    ($($type:ident: $($bound:path),+;)*) => {$(
        impl<K, V> Standard for &Probe<$type<K, V>>
        where
            K: Generate + Literal + 'static $(+ $bound)+,
            V: Generate + Literal + 'static,
        {
            fn standard(&self, name: &'static str) -> Vec<Operation> {
                vec![
                    clear!($type<K, V>, name, concat!(stringify!($type), "::clear")),
                    on::<$type<K, V>>(name, concat!(stringify!($type), "::insert"), "{0}.insert({1}, {2})", |frame| {
                        let (key, value) = (draw::<K>(frame), draw::<V>(frame));
                        frame.mutable::<$type<K, V>>(0).insert(key, value);
                        Verdict::Pass
                    })
                    .parameter(literal::<K>("key"))
                    .parameter(literal::<V>("value")),
                    on::<$type<K, V>>(name, concat!(stringify!($type), "::remove"), "{0}.remove(&{1})", |frame| {
                        let key = draw::<K>(frame);
                        frame.mutable::<$type<K, V>>(0).remove(&key);
                        Verdict::Pass
                    })
                    .parameter(literal::<K>("key")),
                ]
            }
        }
    )*};
}

maps!(HashMap: Eq, Hash; BTreeMap: Ord;);

macro_rules! sets {
    ($($type:ident: $($bound:path),+;)*) => {$(
        impl<T: Generate + Literal + 'static $(+ $bound)+> Standard for &Probe<$type<T>> {
            fn standard(&self, name: &'static str) -> Vec<Operation> {
                vec![
                    clear!($type<T>, name, concat!(stringify!($type), "::clear")),
                    on::<$type<T>>(name, concat!(stringify!($type), "::insert"), "{0}.insert({1})", |frame| {
                        let value = draw::<T>(frame);
                        frame.mutable::<$type<T>>(0).insert(value);
                        Verdict::Pass
                    })
                    .parameter(literal::<T>("value")),
                    on::<$type<T>>(name, concat!(stringify!($type), "::remove"), "{0}.remove(&{1})", |frame| {
                        let value = draw::<T>(frame);
                        frame.mutable::<$type<T>>(0).remove(&value);
                        Verdict::Pass
                    })
                    .parameter(literal::<T>("value")),
                ]
            }
        }
    )*};
}

sets!(HashSet: Eq, Hash; BTreeSet: Ord;);
