//! Laws that somebody has stated, checked with values that calls of the crate make.

use crate::fixture::{Crate, Done};
use serde_json::Value;
use std::fs;

/// The stack of the paper on ArbitCheck: `pop` forgets the sum, and so does whoever is lent the data.
const STACK: &str = "
    #[derive(Debug, Default)]
    pub struct SumStack {
        data: Vec<i32>,
        sum: i32,
    }

    impl SumStack {
        pub fn new() -> SumStack {
            SumStack::default()
        }
        pub fn push(&mut self, x: i32) {
            self.data.push(x);
            self.sum = self.sum.wrapping_add(x);
        }
        pub fn pop(&mut self) {
            self.data.pop();
        }
        pub fn sum(&self) -> i32 {
            self.sum
        }
        pub fn data(&self) -> &[i32] {
            &self.data
        }
        pub fn data_mut(&mut self) -> &mut Vec<i32> {
            &mut self.data
        }
    }
";

const LAWS: &str = "
    use bugnet::prelude::*;
    use stack::SumStack;

    #[law]
    fn sum_is_that_of_the_data(stack: &SumStack) {
        classify!(stack.data().is_empty(), \"empty\");
        assert_eq!(stack.sum(), stack.data().iter().fold(0i32, |sum, x| sum.wrapping_add(*x)));
    }

    #[law(cases = 100)]
    fn pushing_adds_one(mut stack: SumStack, x: i32) -> bool {
        let before = stack.data().len();
        stack.push(x);
        stack.data().len() == before + 1
    }
";

fn stack(laws: &str) -> Crate {
    Crate::with("stack", &[("src/lib.rs", STACK), ("tests/laws.rs", laws)])
}

impl Crate {
    /// Checks the laws, and reads the report.
    fn checked(&self, words: &[&str]) -> (Done, Value) {
        let report = self.path().join("report.json");
        let words = [words, &["--json", report.to_str().unwrap()]].concat();
        let done = Done::of(self.bugnet("check", &words).output().unwrap());
        let text = fs::read_to_string(&report).unwrap_or_else(|_| panic!("{}\n{}", done.output, done.errors));
        (done, serde_json::from_str(&text).unwrap())
    }
}

/// The lines of each bug of a report.
fn programs(report: &Value) -> Vec<Vec<&str>> {
    let bugs = report["bugs"].as_array().unwrap().iter();
    bugs.map(|bug| bug["program"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect())
        .collect()
}

#[test]
fn a_law_is_refuted_by_values_that_nobody_made_and_its_test_calls_the_law() {
    let stack = stack(LAWS);
    let (done, report) = stack.checked(&["--programs", "3000", "--write-tests"]);
    done.assert_ended(1, "Proven");
    assert!(done.output.contains("FAILED in "), "{}", done.output);
    assert!(done.output.contains("pushing_adds_one         passed "), "{}", done.output);
    let programs = programs(&report);
    assert!(!programs.is_empty());
    for (bug, lines) in report["bugs"].as_array().unwrap().iter().zip(&programs) {
        assert_eq!(lines.last(), Some(&"laws::sum_is_that_of_the_data(&sum_stack);"), "{lines:?}");
        assert_eq!(bug["test_fails_alike"], true, "{bug}");
    }
    let law = &report["laws"][0];
    assert!(law["passed"].as_u64().unwrap() > 0 && law["failed"].as_u64().unwrap() > 0, "{law}");
    assert_eq!(law["labels"][0][0], "empty");

    // The tests stand beside the laws, and call the law as it stands.
    let test = fs::read_to_string(stack.path().join("tests/explore_stack.rs")).unwrap();
    assert!(test.contains("#[path = \"laws.rs\"]\nmod laws;"), "{test}");

    let name = report["bugs"][0]["name"].as_str().unwrap().to_string();
    let replayed = Done::of(stack.bugnet("check", &["--replay", &name]).output().unwrap());
    assert_eq!(replayed.code, Some(1), "{}\n{}", replayed.output, replayed.errors);
    assert!(replayed.output.contains("Failed"), "{}", replayed.output);
}

#[test]
fn explore_asks_the_laws_of_the_tests_beside_its_own() {
    let stack = stack(LAWS);
    let (done, report) = stack.explored(&["--programs", "3000", "--seed", "1"]);
    done.assert_ended(1, "Proven");
    let programs = programs(&report);
    let law = "laws::sum_is_that_of_the_data(&sum_stack);";
    assert!(programs.iter().any(|lines| lines.last() == Some(&law)), "{programs:?}");
    // What is called is not only what the laws need.
    assert!(report["laws"][1]["passed"].as_u64().unwrap() > 0, "{report}");
    assert!(done.errors.contains("6 of 6 functions"), "{}", done.errors);
}

/// The method of list 17 of the paper: it sees the private fields, and only the tests of the crate see it.
const METHOD: &str = "
        #[cfg(test)]
        #[bugnet::law]
        fn sum_is_right(&self) {
            assert_eq!(self.data.iter().fold(0i32, |sum, x| sum.wrapping_add(*x)), self.sum);
        }
        pub fn new()";

#[test]
fn a_private_method_is_a_law_and_both_faults_behind_it_are_seen() {
    let text = STACK.replace("\n        pub fn new()", METHOD);
    let stack = Crate::with("stack", &[("src/lib.rs", &text)]);
    let (done, report) = stack.checked(&["--programs", "3000", "--seed", "1", "--write-tests"]);
    done.assert_ended(1, "Proven");
    // Lists 18 and 19: `pop` forgets to subtract, and whoever holds the data changes it.
    let programs = programs(&report);
    let has =
        |part: &str| programs.iter().filter(|lines| lines.iter().any(|line| line.contains(part))).count();
    assert_eq!((programs.len(), has(".pop()"), has(".data_mut()")), (2, 1, 1), "{programs:?}");
    for (bug, lines) in report["bugs"].as_array().unwrap().iter().zip(&programs) {
        assert_eq!(lines.last(), Some(&"sum_stack.sum_is_right();"), "{lines:?}");
        assert!(lines.len() <= 4, "{lines:?}");
        assert_eq!(bug["test_fails_alike"], true, "{bug}");
    }
    // No other crate sees the law, so its tests are a module of this one.
    let test = fs::read_to_string(stack.path().join("src/explore_stack.rs")).unwrap();
    assert!(test.contains("use crate as stack;"), "{test}");
    assert!(done.errors.contains("`#[cfg(test)] mod explore_stack;`"), "{}", done.errors);
}

/// A desk whose drawers are shared, and a token that nobody makes.
const DESK: &str = "
    use std::cell::RefCell;
    use std::rc::Rc;
    use std::sync::{Arc, Mutex};

    #[derive(Debug)]
    pub struct Token(u32);

    impl Token {
        pub fn number(&self) -> u32 {
            self.0
        }
    }

    #[derive(Debug, Default)]
    pub struct Drawer {
        papers: Vec<u8>,
        count: usize,
    }

    impl Drawer {
        pub fn lay(&mut self, paper: u8) {
            self.papers.push(paper);
            self.count += 1;
        }
        pub fn shred(&mut self) {
            self.papers.clear();
        }
        pub fn is_right(&self) -> bool {
            self.papers.len() == self.count
        }
    }

    #[derive(Debug, Default)]
    pub struct Desk {
        drawer: Rc<RefCell<Drawer>>,
        letters: Arc<Mutex<Drawer>>,
        papers: usize,
    }

    impl Desk {
        pub fn new() -> Desk {
            Desk::default()
        }
        pub fn add(&mut self) {
            self.papers += 1;
        }
        pub fn papers(&self) -> usize {
            self.papers
        }
        pub fn drawer(&self) -> Rc<RefCell<Drawer>> {
            self.drawer.clone()
        }
        pub fn letters(&self) -> &Arc<Mutex<Drawer>> {
            &self.letters
        }
    }
";

/// Laws that cannot be checked, or not to their end, beside laws that can.
const ODD: &str = "
    use bugnet::prelude::*;
    use desk::{Desk, Token};

    #[allow(dead_code)]
    struct Hidden(u8);

    #[law]
    fn takes_what_nobody_makes(token: Token) -> bool {
        token.number() < 9
    }

    #[law]
    fn takes_a_private_type(_hidden: Hidden) {}

    #[law]
    fn takes_what_lives_for_ever(_desk: &'static mut Desk) {}

    #[law]
    fn always_discards(desk: &Desk) {
        assume!(desk.papers() > 1_000_000);
    }

    #[law]
    fn hangs(desk: &Desk) {
        while desk.papers() == 2 {
            std::hint::spin_loop();
        }
    }

    #[law]
    fn aborts(desk: &Desk) {
        if desk.papers() == 3 {
            std::process::abort();
        }
    }

    #[law]
    fn needs_a_network(_desk: &Desk) {
        std::net::TcpStream::connect((\"127.0.0.1\", 9)).unwrap();
    }

    #[law]
    fn counts_its_drawer(desk: &Desk) -> bool {
        desk.drawer().borrow().is_right()
    }

    #[law]
    fn counts_its_letters(desk: &Desk) -> bool {
        desk.letters().lock().is_ok_and(|letters| letters.is_right())
    }

    #[law(discard = \"no such paper\", cases = 40)]
    fn is_refused_sometimes(desk: &Desk) {
        classify!(desk.papers() == 0, \"empty\");
        assert!(desk.papers() != 1, \"no such paper: 1\");
    }

    #[law(expect_panic = \"never this\")]
    fn has_to_panic(desk: &Desk) {
        assert!(desk.papers() > 0, \"another\");
    }
";

#[test]
fn every_law_that_cannot_be_checked_says_what_to_write_and_all_others_are_checked() {
    let desk = Crate::with("desk", &[("src/lib.rs", DESK), ("tests/laws.rs", ODD)]);
    let (done, report) = desk.checked(&["--programs", "1500", "--seed", "1"]);
    assert_eq!(done.code, Some(1), "{}\n{}", done.output, done.errors);
    let line = |law: &str| {
        let mut lines = done.output.lines();
        lines.find(|line| line.split_whitespace().next() == Some(law)).unwrap_or_default()
    };
    let results = [
        ("takes_what_nobody_makes", "NOT CHECKED: nothing makes a `desk::Token`"),
        ("takes_a_private_type", "NOT CHECKED"),
        ("takes_what_lives_for_ever", "NOT CHECKED: the compiler refuses its call"),
        ("always_discards", "NOT CHECKED: its precondition held for none of "),
        ("hangs", "FAILED: a check ended its process"),
        ("aborts", "FAILED: a check ended its process"),
        ("needs_a_network", "FAILED in "),
        ("counts_its_drawer", "FAILED in "),
        ("counts_its_letters", "FAILED in "),
        ("is_refused_sometimes", "passed "),
        ("has_to_panic", "FAILED in "),
    ];
    for (law, said) in results {
        assert!(line(law).contains(said), "{law}: {}\n{}", done.output, done.errors);
    }
    for said in ["pub fn made(", "write `pub` before that", "take them by value, `&` or `&mut`"] {
        assert!(done.errors.contains(said), "{said}: {}", done.errors);
    }
    assert!(done.output.contains("denied: it runs confined"), "{}", done.output);
    // What is shared is changed where it is reached.
    let programs = programs(&report);
    let has = |part: &str| programs.iter().flatten().any(|line| line.contains(part));
    assert!(
        has("desk.drawer().borrow_mut().shred()") && has("desk.letters().lock().unwrap().shred()"),
        "{programs:?}"
    );
    // The check that was discarded counts neither way, and its label not at all.
    let law =
        report["laws"].as_array().unwrap().iter().find(|law| law["name"] == "is_refused_sometimes").unwrap();
    assert!(law["discarded"].as_u64().unwrap() > 0 && law["failed"] == 0, "{law}");
}
