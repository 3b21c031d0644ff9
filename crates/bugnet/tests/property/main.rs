//! The test that `#[property]` makes of a function.
//!
//! Properties that are to fail, or to be watched, are ignored as tests and called by other tests:
//! either directly, for a property is a function without parameters, or in a child process, where
//! the report can be read.
//!
//! **Invariant:** no property here writes into the tree: those that fail say `regressions = false`.

mod examples;
mod parameters;
mod preconditions;
mod settings;

use bugnet::prelude::*;
use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A place where a property writes what it was given.
type Log<T> = Mutex<Vec<T>>;

/// Returns the entries that a property wrote while it was called once.
fn logged<T>(log: &Log<T>, property: fn()) -> Vec<T> {
    log.lock().unwrap().clear();
    property();
    std::mem::take(&mut *log.lock().unwrap())
}

/// Returns the output of an ignored property of this file when it is run as a test of its own.
fn report(property: &str) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let output = command.args([property, "--exact", "--ignored", "--nocapture"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("running 1 test"), "no property {property}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

mod returns {
    use super::*;

    #[property]
    fn nothing(_a: u8) {}

    #[property]
    fn truth(a: u8, b: u8) -> bool {
        u16::from(a) + u16::from(b) == u16::from(b) + u16::from(a)
    }

    #[property]
    fn result(number: i32) -> Result<(), std::num::ParseIntError> {
        let parsed: i32 = number.to_string().parse()?;
        assert_eq!(parsed, number);
        Ok(())
    }

    #[property]
    fn result_of_truth(number: i32) -> Result<bool, String> {
        Ok(number.wrapping_neg().wrapping_neg() == number)
    }

    #[property(regressions = false)]
    #[should_panic(expected = "property failed")]
    fn falsehood(a: u8) -> bool {
        a < 100
    }

    #[property(regressions = false)]
    #[should_panic(expected = "property failed")]
    fn error(a: u8) -> Result<(), String> {
        if a < 100 { Ok(()) } else { Err(format!("{a} is too much")) }
    }

    #[property(regressions = false)]
    #[should_panic(expected = "property failed")]
    fn panic(a: u8) {
        assert!(a < 100);
    }
}

mod asynchronous {
    use super::*;
    use std::task::Poll;

    /// Is ready at the second look.
    async fn wait() {
        let mut waited = false;
        std::future::poll_fn(|context| {
            context.waker().wake_by_ref();
            if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    #[property]
    #[example(3, "text")]
    async fn futures_are_run_to_their_end(a: u8, text: &str) -> Result<(), std::num::ParseIntError> {
        assume!(text.len() < 1_000);
        wait().await;
        assert_eq!(a.to_string().parse::<u8>()?, a);
        Ok(())
    }

    #[property(regressions = false)]
    #[should_panic(expected = "property failed")]
    async fn futures_can_refute(a: u8) -> bool {
        wait().await;
        a < 100
    }

    static RUNS: AtomicU64 = AtomicU64::new(0);

    fn run<F: Future>(future: F) -> F::Output {
        RUNS.fetch_add(1, Ordering::Relaxed);
        bugnet::__private::block_on(future)
    }

    #[property(block_on = self::run, cases = 12)]
    #[example(1)]
    #[ignore = "called below"]
    async fn on_another_runtime(_a: u64) {}

    #[test]
    fn another_runtime_can_be_given() {
        on_another_runtime();
        assert_eq!(RUNS.load(Ordering::Relaxed), 13);
    }
}

mod attributes {
    use super::*;

    /// A doc comment stays on the test.
    #[property]
    #[cfg(any())]
    fn is_not_there(a: NoSuchType) {}

    #[property]
    #[test]
    pub(crate) fn a_test_is_not_marked_twice(a: u8) {
        assert_eq!(a.count_ones() + a.count_zeros(), 8);
    }

    #[test]
    fn a_property_is_a_test_of_its_name() {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let output = command.arg("--list").output().unwrap();
        let list = String::from_utf8_lossy(&output.stdout);
        assert_eq!(list.matches("attributes::a_test_is_not_marked_twice: test").count(), 1);
        assert!(!list.contains("is_not_there"));
    }

    #[test]
    fn a_property_of_any_name_can_be_called() {
        catch_unwind(self::r#fn).unwrap();
    }

    #[property]
    fn r#fn(_a: u8) {}
}

#[derive(Debug, Clone, Copy, PartialEq, Generate)]
enum Step {
    Push(u8),
    Pop,
    Peek,
}

/// A stack that overflows: what a list of operations finds only if some are left out.
fn overflows(steps: Vec<Step>) {
    let mut depth = 0;
    for step in steps {
        match step {
            Step::Push(_) => depth += 1,
            Step::Pop => depth = 0,
            Step::Peek => {}
        }
        assert!(depth < 12, "no room");
    }
}

#[test]
fn lists_of_operations_leave_variants_out_and_the_report_says_which_matter() {
    let explain = bugnet::campaign::Options { explain: Some(true), ..Default::default() };
    let property = Property::new("overflows").seed(Seed(5)).options(explain);
    let failed = property.check(any::<Vec<Step>>(), overflows).unwrap_err();
    assert_eq!(failed.arguments()[0].text, format!("{:?}", vec![Step::Push(0); 12]));
    let table = failed.influences().table();
    let says =
        |name: &str, effect: &str| table.lines().any(|line| line.contains(name) && line.contains(effect));
    assert!(says("Step::Push", "triggers") && says("Step::Pop", "suppresses"), "{table}");
}
