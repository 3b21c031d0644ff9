//! Panics of the code under test: caught, and kept quiet until the report shows the one that
//! matters.
//!
//! Code under test may set a panic hook of its own. Ours is dropped then, and puts itself in front of the new one at
//! once, so that the place of a panic is known all the same; see [`Guard`].
//!
//! **Invariant:** a panic on a thread that is not running a case is printed as ever, or as the code under test has it.

use super::{Failure, Signature};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Once, OnceLock};
use std::thread;

thread_local! {
    static RUNNING: Cell<bool> = const { Cell::new(false) };
    static LAST: RefCell<Option<Failure>> = const { RefCell::new(None) };
}

/// The reason why a run ended early.
///
/// ```
/// use bugnet::oracle::{Caught, catch};
///
/// let caught = catch(|| panic!("no {}", 7)).unwrap_err();
/// let Caught::Failed(failure) = caught else { panic!("it was a panic") };
/// assert_eq!(failure.message, "no 7");
/// ```
#[derive(Debug)]
pub enum Caught {
    /// The case was given up: a precondition did not hold.
    Discarded,
    /// The test is written wrongly; the text says what to do.
    Misused(String),
    /// The code under test panicked.
    Failed(Box<Failure>),
}

/// The payload that gives up a case without a verdict.
#[derive(Debug)]
pub(crate) struct Discarded;

/// A test that is written wrongly; the text says what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WrongTest(pub(crate) String);

/// Carries the text of [`usage_error`] out of a run.
struct Misused(String);

/// Runs the code under test and catches what it throws.
///
/// ```
/// use bugnet::oracle::{Caught, catch};
///
/// assert_eq!(catch(|| 7).unwrap(), 7);
/// assert!(matches!(catch(|| bugnet::assume!(false)), Err(Caught::Discarded)));
/// ```
pub fn catch<R>(run: impl FnOnce() -> R) -> Result<R, Caught> {
    keep_panics_quiet();
    let outer = RUNNING.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    RUNNING.set(outer);
    result.map_err(caught)
}

/// True if our hook was dropped at a moment at which no hook can be set.
static IS_LOST: AtomicBool = AtomicBool::new(false);
/// Looks at each panic of a case while its stack is still there.
static LOOK: OnceLock<fn()> = OnceLock::new();

/// Calls a function at each panic of a case, before the stack is unwound. Only the first function counts.
#[doc(hidden)]
pub fn look_at_panics(look: fn()) {
    LOOK.get_or_init(|| look);
}

fn keep_panics_quiet() {
    static HOOK: Once = Once::new();
    HOOK.call_once(install);
    if IS_LOST.load(Ordering::Relaxed) && !thread::panicking() && IS_LOST.swap(false, Ordering::Relaxed) {
        install();
    }
}

/// Puts our hook in front of the one that there is.
fn install() {
    let (previous, guard) = (panic::take_hook(), Guard);
    panic::set_hook(Box::new(move |info| {
        let _ = &guard;
        if RUNNING.get() {
            if let Some(look) = LOOK.get() {
                look();
            }
            LAST.set(Some(failure(info)));
        } else {
            previous(info);
        }
    }));
}

/// A part of our hook, which is dropped when code under test sets another one.
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        // A thread that panics may not set a hook.
        match thread::panicking() {
            true => IS_LOST.store(true, Ordering::Relaxed),
            false => install(),
        }
    }
}

fn caught(payload: Box<dyn Any + Send>) -> Caught {
    let payload = match payload.downcast::<Discarded>() {
        Ok(_) => return Caught::Discarded,
        Err(payload) => payload,
    };
    match payload.downcast::<Misused>() {
        Ok(misused) => Caught::Misused(misused.0),
        Err(payload) => Caught::Failed(Box::new(LAST.take().unwrap_or_else(|| {
            // Unwinding that did not come from a panic, such as `resume_unwind`.
            let place = Signature::Panic { file: "(no place)".into(), line: 0, column: 0 };
            Failure::new(place, text(payload.as_ref()))
        }))),
    }
}

fn failure(info: &PanicHookInfo<'_>) -> Failure {
    let signature = match info.location() {
        Some(place) => {
            Signature::Panic { file: shortened(place.file()), line: place.line(), column: place.column() }
        }
        None => Signature::Panic { file: "(no place)".into(), line: 0, column: 0 },
    };
    Failure::new(signature, text(info.payload()))
}

/// The path of a source file, without what differs from machine to machine: a file of a published
/// crate is named from its crate on.
fn shortened(file: &str) -> String {
    let published = file.replace("\\", "/").split_once("/registry/src/").map(|(_, rest)| rest.to_string());
    match published.as_deref().and_then(|rest| rest.split_once('/')) {
        Some((_, from_crate)) => from_crate.to_string(),
        None => file.to_string(),
    }
}

fn text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic whose payload is not text".to_string())
}

/// Ends the run because the test is written wrongly, with a sentence that says what to do.
///
/// ```should_panic
/// bugnet::oracle::usage_error("the range 5..5 is empty; write one that is not");
/// ```
pub fn usage_error(message: impl Into<String>) -> ! {
    let message = message.into();
    if RUNNING.get() {
        panic::resume_unwind(Box::new(Misused(message)));
    }
    panic!("{message}");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs code, and returns the line of this file at which it panics.
    fn line_of(run: fn()) -> u32 {
        let Err(Caught::Failed(failure)) = catch(run) else { panic!("it does not fail") };
        let Signature::Panic { file, line, .. } = failure.signature else { panic!("{failure:?}") };
        assert_eq!(file, file!());
        line
    }

    #[test]
    fn the_place_of_a_panic_is_known_whatever_hook_its_code_sets() {
        let expected = line!() + 3;
        let silent = || {
            panic::set_hook(Box::new(|_| {}));
            panic!("in the call that sets the hook");
        };
        assert_eq!(line_of(silent), expected);
        let expected = line!() + 1;
        assert_eq!(line_of(|| panic!("in a later one")), expected);
        // One that is dropped by a thread that panics is back in time for the next panic.
        let dropped_in_panic = catch(|| {
            let _taken = panic::take_hook();
            panic!("nobody sees where");
        });
        assert!(
            matches!(dropped_in_panic, Err(Caught::Failed(failure)) if failure.message == "nobody sees where")
        );
        let expected = line!() + 1;
        assert_eq!(line_of(|| panic!("after it")), expected);
    }

    #[test]
    fn a_file_of_a_published_crate_is_named_from_the_crate_on() {
        assert_eq!(
            shortened("/home/me/.cargo/registry/src/index-1a2b/smaz-0.1.0/src/lib.rs"),
            "smaz-0.1.0/src/lib.rs"
        );
        assert_eq!(shortened("src/lib.rs"), "src/lib.rs");
    }
}
