//! The parts of programs and inputs, besides rules, that a configuration leaves out: alternatives of types, and
//! values.

use bugnet::campaign::{Failed, Options, Passed, Test, WantedBugs};
use bugnet::prelude::*;
use bugnet::program::{Api, Programs};
use bugnet::swarm::Scheme;
use std::cell::RefCell;

/// Runs random programs of a machine, most of them never recorded.
fn random<T: Api>(seed: u64, swarm: Scheme) -> Result<Passed, Box<Failed>> {
    let options = Options { swarm: Some(swarm), explain: Some(false), ..Options::default() };
    let property = Property::new("machine").seed(Seed(seed)).strategies(Strategies::Random);
    property.bugs(WantedBugs::FIRST).options(options).run(&Programs::new(T::suite()))
}

fn lines(failed: &Failed) -> Vec<String> {
    failed.arguments().iter().map(ToString::to_string).collect()
}

mod tower {
    use super::*;

    #[derive(Debug, Clone, Copy, Generate)]
    pub enum Move {
        Up,
        Down,
        Stay,
        Ground,
    }

    /// Something that only ever goes up in a test that leaves all other moves out.
    pub struct Tower(u32);

    #[machine]
    #[ignore = "it is wrong on purpose"]
    impl Tower {
        fn new() -> Self {
            Tower(0)
        }

        fn go(&mut self, step: Move) {
            match step {
                Move::Up => self.0 += 1,
                Move::Down => self.0 = self.0.saturating_sub(1),
                Move::Stay => {}
                Move::Ground => self.0 = 0,
            }
            assert!(self.0 < 14, "too high");
        }
    }
}

#[test]
fn alternatives_are_left_out_of_the_literals_of_programs() {
    for seed in 0..5 {
        assert!(random::<tower::Tower>(seed, Scheme::All).is_ok(), "there is no need to leave anything out");
        let failed = random::<tower::Tower>(seed, Scheme::Mix).unwrap_err();
        let expected =
            ["let mut tower = Tower::new();", "for _ in 0..14 {\n        tower.go(Move::Up);\n    }"];
        assert_eq!(lines(&failed).join("\n").replace(' ', ""), expected.join("\n").replace(' ', ""));
    }
}

mod cache {
    use super::*;
    use std::collections::BTreeMap;

    /// Forgets to count what is stored a fourth time, and takes keys to be small.
    #[derive(Default)]
    pub struct Cache(BTreeMap<u64, u32>);

    #[machine]
    #[ignore = "it is wrong on purpose"]
    impl Cache {
        fn new() -> Self {
            Cache::default()
        }

        fn store(&mut self, key: u64) {
            *self.0.entry(key).or_insert(0) += 1;
            // Three times each of three keys that are no small numbers.
            let often = self.0.iter().filter(|(key, count)| **key > 1 << 32 && **count >= 3);
            assert!(often.count() < 3, "three thrice");
        }
    }
}

#[test]
fn a_test_may_draw_its_values_from_a_few() {
    for seed in 0..5 {
        assert!(random::<cache::Cache>(seed, Scheme::All).is_ok(), "repeats alone are enough");
        let failed = random::<cache::Cache>(seed, Scheme::Mix).unwrap_err();
        assert_eq!(failed.arguments().len(), 10, "{failed}");
    }
}

thread_local! {
    /// The rules that were given.
    static GIVEN: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

mod listener {
    use super::tower::Move;
    use super::*;

    pub struct Listener;

    #[machine]
    impl Listener {
        fn new() -> Self {
            Listener
        }

        fn number(&mut self, a: i32, b: u64, c: u128, #[with(3..=90i16)] d: i16) {
            hear(&(a, b, c, d));
        }

        fn float(&mut self, a: f64, b: f32, #[with(-1.0..=1.0f64)] c: f64) {
            hear(&(a, b, c));
        }

        fn text(&mut self, a: &str, b: Option<char>) {
            hear(&(a, b));
        }

        fn steps(&mut self, steps: Vec<Move>, either: Result<Move, Box<[u8]>>) {
            hear(&(steps, either));
        }
    }

    fn hear(given: &dyn std::fmt::Debug) {
        GIVEN.with_borrow_mut(|heard| heard.push(format!("{given:?}")));
    }
}

#[test]
fn what_is_drawn_does_not_depend_on_whether_it_is_recorded() {
    let programs = Programs::new(listener::Listener::suite());
    let mut replayed = 0;
    for case in 0..300u64 {
        programs.batch(&mut Source::random(Seed(7), case.wrapping_sub(1)), 1);
        let fast = GIVEN.take();
        let mut source = Source::recording(Seed(7), case);
        programs.case(&mut source, &mut |_| true);
        assert_eq!(GIVEN.take(), fast, "case {case}");
        programs.case(&mut Source::replay(source.into_tape()), &mut |_| true);
        assert_eq!(GIVEN.take(), fast, "case {case}, replayed");
        replayed += fast.len();
    }
    assert!(replayed > 10_000, "programs that call nothing show nothing: {replayed}");
}

#[derive(Debug, Clone, Copy, PartialEq, Generate)]
enum Turn {
    Left,
    Right,
    Back,
    Rest,
    Look,
    Wait,
}

/// Fails for a long list of turns of at most two sorts.
fn varies(turns: &[Turn]) -> bool {
    let mut sorts: Vec<Turn> = Vec::new();
    for turn in turns {
        if !sorts.contains(turn) {
            sorts.push(*turn);
        }
    }
    turns.len() < 14 || sorts.len() > 2
}

#[test]
fn the_search_for_inputs_runs_some_that_leave_alternatives_out() {
    let (mut all, mut mixed) = (0, 0);
    for seed in 0..20 {
        let search = |swarm| {
            let options = Options { swarm: Some(swarm), explain: Some(false), ..Options::default() };
            let property = Property::new("turns").seed(Seed(seed)).options(options);
            property.check(any::<Vec<Turn>>(), |turns| varies(&turns))
        };
        all += u32::from(search(Scheme::All).is_err());
        if let Err(failed) = search(Scheme::Mix) {
            mixed += 1;
            assert_eq!(failed.arguments()[0].text, format!("{:?}", [Turn::Left; 14]));
        }
    }
    assert!(all == 0 && mixed >= 10, "{all} and {mixed} of 20");
}
