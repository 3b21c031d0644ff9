//! The stack: the functions in which a program fails.
//!
//! It takes milliseconds to name them, so they are taken only in a process that replays a program for that, and never
//! while programs are drawn. A panic is looked at by the hook of the library. A process that aborts, of whatever, is asked by the handler
//! of that signal: all is over then anyway, so the handler may allocate, and if that hangs, an alarm ends it.
//!
//! **Invariant:** a stack that cannot be taken is none; nothing is guessed.

use super::event::tell;
use super::memory_limit::MemoryLimit;
use bugnet::wire::explore::Event;
use std::backtrace::Backtrace;
use std::cell::RefCell;
use std::sync::OnceLock;

/// Innermost functions of a deep stack that are told. The cycle of a recursion is seldom longer than ten
/// functions, and calls of `Debug` and of iterators stand between them.
const INNERMOST: usize = 256;
/// Outermost functions of a deep stack that are told: they lead from the test to the recursion.
const OUTERMOST: usize = 64;

thread_local! {
    static LAST: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

static GAUGE: OnceLock<&'static MemoryLimit> = OnceLock::new();

/// Starts to take the stacks of panics, and to tell that of an abort of this thread.
pub(crate) fn watch(gauge: &'static MemoryLimit) {
    GAUGE.get_or_init(|| gauge);
    bugnet_process::watch_aborts(|| {
        if let Some(functions) = now() {
            tell(&Event::Stack(functions));
        }
    });
    bugnet::oracle::look_at_panics(|| LAST.set(now()));
}

/// Takes the stack of the last panic of this thread.
pub(crate) fn take() -> Option<Vec<String>> {
    LAST.take()
}

/// The functions on the stack of this thread.
fn now() -> Option<Vec<String>> {
    let gauge = GAUGE.get()?;
    gauge.spare(|| Some(cut(functions(&Backtrace::force_capture().to_string()))))
}

/// Reads the functions out of a printed backtrace: `3: path::function`, and where that is on a line of its own.
fn functions(printed: &str) -> Vec<String> {
    let name = |line: &str| {
        let (number, name) = line.trim_start().split_once(": ")?;
        number.parse::<u32>().ok().map(|_| name.trim_end().to_string())
    };
    printed.lines().filter_map(name).collect()
}

/// Leaves out the middle of a deep stack.
fn cut(mut functions: Vec<String>) -> Vec<String> {
    let middle = INNERMOST..functions.len().saturating_sub(OUTERMOST);
    if !middle.is_empty() {
        functions.drain(middle);
    }
    functions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_read_without_their_places() {
        let printed =
            "   0: core::panicking::panic\n             at /rustc/1: x.rs:9:1\n   1: <a::B as c::D>::e\n";
        assert_eq!(functions(printed), ["core::panicking::panic", "<a::B as c::D>::e"]);
    }

    #[test]
    fn a_deep_stack_keeps_both_ends() {
        let deep: Vec<String> = (0..1_000).map(|number| number.to_string()).collect();
        let cut = cut(deep);
        assert_eq!(cut.len(), INNERMOST + OUTERMOST);
        assert_eq!((cut[0].as_str(), cut[255].as_str(), cut[256].as_str()), ("0", "255", "936"));
        assert_eq!(super::cut(vec!["f".to_string(); 300]).len(), 300);
    }

    #[inline(never)]
    fn panics() {
        panic!("here");
    }

    #[test]
    fn the_stack_of_a_panic_names_the_function_that_panics() {
        static GAUGE: MemoryLimit = MemoryLimit::new(usize::MAX, usize::MAX >> 1);
        watch(&GAUGE);
        assert!(bugnet::oracle::catch(panics).is_err());
        let stack = take().unwrap();
        assert!(stack.iter().any(|function| function.contains("stack::tests::panics")), "{stack:?}");
        assert_eq!(take(), None);
    }
}
