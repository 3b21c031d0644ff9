//! Values that a type lends, and calls that it refuses.

use bugnet::campaign::{Failed, Passed, WantedBugs};
use bugnet::prelude::*;
use bugnet::program::{Api, Programs, Suite};

fn run(suite: Suite, seed: u64) -> Result<Passed, Box<Failed>> {
    Property::new("lent").seed(Seed(seed)).bugs(WantedBugs::FIRST).run(&Programs::new(suite))
}

fn lines(failed: &Failed) -> Vec<String> {
    failed.arguments().iter().map(ToString::to_string).collect()
}

mod leak {
    use super::*;

    #[derive(Debug, Default)]
    pub struct Drawer {
        papers: u32,
    }

    #[api]
    impl Drawer {
        pub fn new() -> Self {
            Drawer::default()
        }

        pub fn lay(&mut self) {
            self.papers += 1;
        }

        pub fn papers(&self) -> u32 {
            self.papers
        }

        /// Needs what only others can make.
        pub fn join(&mut self, other: Drawer) {
            self.papers += other.papers;
        }
    }

    #[derive(Debug, Default)]
    pub struct Desk {
        drawer: Drawer,
        papers: u32,
    }

    #[api]
    #[ignore = "it is wrong on purpose"]
    impl Desk {
        pub fn new() -> Self {
            Desk::default()
        }

        pub fn lay(&mut self) {
            self.drawer.lay();
            self.papers += 1;
        }

        /// Hands out what must not be changed.
        pub fn drawer(&mut self) -> &mut Drawer {
            &mut self.drawer
        }

        #[check]
        fn papers_are_counted(&self) -> bool {
            self.drawer.papers() == self.papers
        }
    }
}

#[test]
fn what_is_handed_out_of_a_type_with_operations_of_its_own_is_changed_by_these() {
    let suite = leak::Desk::suite();
    let names: Vec<&str> = suite.operations.iter().map(|operation| operation.name).collect();
    assert_eq!(names, ["new", "lay", "drawer", "Drawer::lay"]);
    for seed in 0..20 {
        let failed = run(leak::Desk::suite(), seed).unwrap_err();
        let expected = [
            "let mut desk = Desk::new();",
            "let drawer = desk.drawer();",
            "drawer.lay();",
            "assert!(desk.papers_are_counted());",
        ];
        assert_eq!(lines(&failed), expected);
    }
}

/// A door that nobody has a key for.
#[derive(Debug, Default)]
pub struct Door {
    knocks: u32,
}

#[api]
impl Door {
    pub fn new() -> Self {
        Door::default()
    }

    pub fn knock(&mut self) {
        self.knocks += 1;
    }

    pub fn open(&mut self) {
        assert!(self.knocks > 1_000_000, "the door is locked\nand nobody is in");
    }

    #[check]
    fn is_closed(&self) -> bool {
        classify!(self.knocks == 0, "silent");
        cover!(1, self.knocks > 0, "knocked at");
        self.knocks < 1_000_000
    }
}

#[test]
fn an_operation_that_always_refuses_is_named_with_its_message_and_not_as_never_called() {
    let passed = run(Door::suite(), 1).unwrap();
    assert_eq!(passed.always_refused, [("open".to_string(), "the door is locked".to_string())]);
    assert_eq!(passed.never_called, Vec::<String>::new());
    assert!(
        passed.to_string().contains("`open` was called and always refused: the door is locked"),
        "{passed}"
    );
}

#[test]
fn a_label_in_a_check_counts_for_that_check_and_not_for_the_test() {
    let passed = run(Door::suite(), 1).unwrap();
    let checks = &passed.labels.checks;
    assert!(passed.labels.counts.is_empty() && passed.labels.covers.is_empty(), "{:?}", passed.labels);
    assert!(checks.made > 2 * passed.tests, "{} checks of {} tests", checks.made, passed.tests);
    // A door is silent in its first check, and it was knocked at in every check that follows.
    let (label, cover) = &checks.covers[0];
    assert_eq!((label.as_str(), checks.counts["silent"] + cover.hits), ("knocked at", checks.made));
    assert!(checks.counts["silent"] < checks.made, "{checks:?}");
    let said = passed.to_string();
    assert!(said.contains(&format!("  of {} checks:", checks.made)) && said.contains("% silent"), "{said}");
}
