//! Tests that end their process, run in a child of this program.
//!
//! **Invariant:** the child is this program with the path of a test as its first argument, whether it is the
//! lab itself or the harness of its tests.

use super::Ended;
use super::subject::Subject;
use bugnet::campaign::{Environment, WantedBugs};
use bugnet::prelude::*;
use bugnet::program::{Api, Programs};
use std::cell::Cell;

/// Set for a process that was started to serve a property.
const CHANNEL: &str = "BUGNET_CHANNEL";

/// As the harness knows them: the paths of the tests below.
const NUMBERS: &str = "bugnet_lab::trace::isolated::tests::numbers_are_served";
const FUSE: &str = "bugnet_lab::trace::isolated::tests::a_fuse_is_served";

pub fn all() -> Vec<Subject> {
    vec![
        Subject::new("isolated/numbers", |environment| numbers(property(NUMBERS, environment))),
        Subject::new("isolated/fuse", |environment| fuses(property(FUSE, environment))),
    ]
}

/// Serves the property that the first argument names, if this process was started as a child; that never
/// returns.
pub fn serve_if_asked() {
    let asked = std::env::args().nth(1).filter(|_| std::env::var_os(CHANNEL).is_some());
    let is_asked = |name: &str| asked.as_ref().is_some_and(|path| name.ends_with(path));
    // Without an environment of its own, a property asks the channel whether it is the one.
    if is_asked(NUMBERS) {
        let _ = numbers(Property::new(NUMBERS));
    }
    if is_asked(FUSE) {
        let _ = fuses(Property::new(FUSE));
    }
}

fn property(name: &str, environment: Environment) -> Property<'static> {
    Property::new(name).seed(environment.fresh).environment(environment)
}

/// Calls are made elsewhere, so none are counted.
fn numbers(property: Property<'_>) -> Ended {
    let property = property.isolate(Isolate::CHILD).bugs(WantedBugs::FIRST).cases(300);
    let outcome = property.check(any::<Vec<u16>>(), |list| {
        if list.iter().any(|number| *number > 3_000) {
            std::process::abort();
        }
    });
    (outcome, 0)
}

fn fuses(property: Property<'_>) -> Ended {
    let property = property.isolate(Isolate::CHILD).bugs(WantedBugs::ALL).cases(60);
    (property.run(&Programs::new(Fuse::suite())), 0)
}

/// A fuse that must not be lit twice, and that breaks when it is wet.
#[derive(Debug, Default)]
struct Fuse {
    lit: Cell<u8>,
    is_wet: bool,
}

#[machine]
#[ignore = "it is wrong on purpose"]
impl Fuse {
    fn new() -> Self {
        Fuse::default()
    }

    fn soak(&mut self) {
        self.is_wet = true;
    }

    fn dry(&mut self) {
        self.is_wet = false;
    }

    fn light(&mut self, _strength: u8) {
        assert!(!self.is_wet, "it is wet");
        self.lit.set(self.lit.get() + 1);
        if self.lit.get() > 1 {
            std::process::abort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::golden::Golden;
    use super::super::{SEEDS, trace};
    use super::*;

    /// In a child, serves; otherwise compares one trace.
    fn compare(name: &str) {
        serve_if_asked();
        let subject = all().into_iter().find(|subject| subject.name == name).expect("it is there");
        let golden = Golden::read().expect("trace.txt can be read");
        assert_eq!(golden.difference(&trace(&subject, SEEDS.start)), None);
    }

    #[test]
    fn numbers_are_served() {
        compare("isolated/numbers");
    }

    #[test]
    fn a_fuse_is_served() {
        compare("isolated/fuse");
    }
}
