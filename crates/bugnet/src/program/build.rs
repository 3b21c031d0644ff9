//! Building values: a value of a type, made by calls of its own functions.
//!
//! On the tape such a value is a sequence of calls, so that the shrinker takes calls out as it takes
//! elements out of a list. What a call refers to may be gone then; it takes something else of the
//! kind, or is left out.
//!
//! Several parameters of one property come out of one program, as far as that makes them: a node may be a node of that
//! graph. What the program has left over is offered to those that come later.
//!
//! **Invariant:** the functions may panic; what they leave behind is never used.

use super::execution::Execution;
use super::operation::Mode;
use super::store::Store;
use super::suite::Suite;
use super::text;
use crate::choice::{Source, Tape};
use crate::generate::SEQUENCE;
use crate::generate::show::{Show, ShowBuilt, Shown};
use crate::oracle::{Caught, catch, usage_error};
use std::any::TypeId;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Values per value that is made by itself although the program of another one has made such a value as well.
const OWN: usize = 4;
/// Times that a value is built anew when a call has panicked.
const TRIES: u32 = 10;

/// A type that is tested, or whose values are built, by calls of its functions. `#[machine]` and
/// `#[api]` implement it.
///
/// ```
/// use bugnet::program::{Api, Operation, Suite};
/// use bugnet::oracle::Verdict;
///
/// struct Clock;
///
/// impl Api for Clock {
///     fn suite() -> Suite {
///         Suite::new("Clock").operation(Operation::new("now", "now()", |_| Verdict::Pass)).build()
///     }
/// }
/// assert_eq!(Clock::suite().name, "Clock");
/// ```
pub trait Api: Sized + 'static {
    /// Returns the operations that can be called.
    fn suite() -> Suite;

    /// Asks every check of the value that takes nothing else, and panics at the first that does not hold.
    /// `cargo bugnet explore` calls it on whatever it makes.
    ///
    /// ```
    /// use bugnet::prelude::*;
    /// use bugnet::program::Api;
    ///
    /// #[derive(Debug)]
    /// struct Even(u32);
    ///
    /// #[api]
    /// impl Even {
    ///     pub fn new() -> Even {
    ///         Even(0)
    ///     }
    ///
    ///     #[check]
    ///     fn is_even(&self) -> bool {
    ///         self.0 % 2 == 0
    ///     }
    /// }
    ///
    /// Even::new().assert_checks();
    /// assert!(std::panic::catch_unwind(|| Even(3).assert_checks()).is_err());
    /// ```
    fn assert_checks(&self) {}
}

thread_local! {
    static SUITES: RefCell<BTreeMap<TypeId, &'static Suite>> = const { RefCell::new(BTreeMap::new()) };
    static BUILT: RefCell<Vec<Built>> = const { RefCell::new(Vec::new()) };
    static TOGETHER: RefCell<Together> = const { RefCell::new(Together::Not) };
}

/// The calls that built a value, as Rust.
#[derive(Debug, Clone)]
struct Built {
    kind: TypeId,
    text: String,
}

/// The values that a program has made beside the one that was wanted.
struct Left {
    suite: &'static Suite,
    store: Store,
    /// The program, where it is recorded.
    tape: Option<Tape>,
}

/// The state of the values that are made together.
enum Together {
    /// Each is made by itself.
    Not,
    /// Nothing was left over so far, or somebody else is making values now.
    Nothing,
    Left(Box<Left>),
}

/// Makes several values, of which those that are built come out of one program where that makes them.
#[doc(hidden)]
pub fn joined<R>(make: impl FnOnce() -> R) -> R {
    let _end = Joining(TOGETHER.replace(Together::Nothing));
    make()
}

/// Goes back to what was there before, also if making a value has panicked.
struct Joining(Together);

impl Drop for Joining {
    fn drop(&mut self) {
        let left = TOGETHER.replace(std::mem::replace(&mut self.0, Together::Not));
        drop_quietly(left);
    }
}

/// Drops what was left over. That a destructor panics is no matter of the values that were wanted.
fn drop_quietly(left: Together) {
    if let Together::Left(left) = left {
        let Left { mut store, .. } = *left;
        while catch(|| store.clear()).is_err() {}
    }
}

/// Takes a value that is left over, most of the time.
fn taken<T: Api>(left: &mut Left, source: &mut Source) -> Option<T> {
    let Left { suite, store, tape } = left;
    let kind = suite.kind(super::Kind::of::<T>(""))?;
    let offered = |place: &&u32| store.ledger.offers(**place, kind, Mode::Value);
    let places: Vec<u32> = store.ledger.living(kind).iter().filter(offered).copied().collect();
    if places.is_empty() {
        return None;
    }
    // Some are made by themselves all the same: a node of another graph.
    if source.index(OWN) == OWN - 1 {
        return None;
    }
    let place = places[source.index(places.len())];
    if !store.claim(place, Mode::Value) {
        return None;
    }
    if let Some(tape) = tape {
        let text = text::block_of(suite, tape.clone(), Some(place as usize));
        BUILT.with_borrow_mut(|built| built.push(Built { kind: TypeId::of::<T>(), text }));
    }
    Some(store.take(place))
}

/// The suite of a type, made once.
fn suite_of<T: Api>() -> &'static Suite {
    let known = SUITES.with_borrow(|suites| suites.get(&TypeId::of::<T>()).copied());
    known.unwrap_or_else(|| {
        let suite: &'static Suite = Box::leak(Box::new(T::suite()));
        SUITES.with_borrow_mut(|suites| suites.insert(TypeId::of::<T>(), suite));
        suite
    })
}

/// Builds a value of a type by calls of its functions.
///
/// ```
/// # use bugnet::program::{Access, Api, Kind, Operation, Suite, build};
/// use bugnet::prelude::*;
///
/// struct Clock;
/// # impl Api for Clock {
/// #     fn suite() -> Suite {
/// #         let clock = Kind::of::<Clock>("Clock");
/// #         let new = Operation::new("new", "Clock", |frame| frame.keep(Clock)).returns(clock, Access::Owned);
/// #         Suite::new("Clock").about(clock).operation(new).build()
/// #     }
/// # }
///
/// let _clock: Clock = build(&mut Source::random(Seed(1), 0));
/// ```
pub fn build<T: Api>(source: &mut Source) -> T {
    // The calls of a program make their literals by themselves.
    match TOGETHER.replace(Together::Not) {
        Together::Not => built(source).0,
        mut together => {
            let found = match &mut together {
                Together::Left(left) => taken(left, source),
                _ => None,
            };
            if let Some(value) = found {
                TOGETHER.replace(together);
                return value;
            }
            let (value, left) = built(source);
            // Most of what is left over is from the first.
            match together {
                Together::Left(_) => drop_quietly(Together::Left(Box::new(left))),
                _ => together = Together::Left(Box::new(left)),
            }
            TOGETHER.replace(together);
            value
        }
    }
}

/// Builds a value by a program of its own; returns what that has left over.
fn built<T: Api>(source: &mut Source) -> (T, Left) {
    let suite = suite_of::<T>();
    let mut execution = Execution::new(suite);
    for _ in 0..TRIES {
        let (mark, node) = (source.mark(), source.enter(SEQUENCE));
        match catch(|| execution.build::<T>(source)) {
            Ok(Some(value)) => {
                source.leave(node);
                let tape = (!source.is_fast()).then(|| source.tape().part_from(mark.spans()));
                if let Some(tape) = &tape {
                    let text = text::block_of(suite, tape.clone(), None);
                    BUILT.with_borrow_mut(|built| built.push(Built { kind: TypeId::of::<T>(), text }));
                }
                return (value, Left { suite, store: execution.store, tape });
            }
            // What was replayed or counted would come to the same again.
            Ok(None) | Err(Caught::Failed(_)) if source.is_drawing() => {
                source.abandon(mark, node);
                execution.spare_last();
            }
            Ok(None) | Err(Caught::Failed(_) | Caught::Discarded) => source.discard(),
            Err(Caught::Misused(problem)) => usage_error(problem),
        }
    }
    source.discard()
}

/// Forgets how values were built, before an input is generated to be shown.
pub(crate) fn forget() {
    BUILT.with_borrow_mut(Vec::clear);
}

/// Returns the calls that built the first value of a type that nobody has asked for yet.
fn text_of<T: Api>() -> Option<String> {
    BUILT.with_borrow_mut(|built| {
        let place = built.iter().position(|built| built.kind == TypeId::of::<T>())?;
        Some(built.remove(place).text)
    })
}

impl<T: Api> ShowBuilt for &&&Show<'_, T> {
    fn show(&self) -> Shown {
        let text = text_of::<T>();
        let source = text.is_some();
        Shown {
            text: text.unwrap_or_else(|| format!("a value of type {}", std::any::type_name::<T>())),
            source,
        }
    }
}
