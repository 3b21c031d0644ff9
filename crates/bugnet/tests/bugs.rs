//! Every bug once: machines with several bugs, all of which one run reports.

use bugnet::campaign::{Failed, WantedBugs};
use bugnet::prelude::*;
use bugnet::program::{Api, Programs};

fn run<T: Api>(seed: u64, cases: u64) -> Box<Failed> {
    let property = Property::new("bugs").bugs(WantedBugs::ALL).seed(Seed(seed)).cases(cases);
    property.run(&Programs::new(T::suite())).unwrap_err()
}

/// The patterns, in words.
fn patterns(failed: &Failed) -> Vec<&str> {
    failed.bugs.iter().map(|bug| bug.words.as_str()).collect()
}

mod registry {
    //! The process registry with the model that knows nothing of its rules, as in the paper.

    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Generate)]
    pub enum Name {
        A,
        B,
        C,
        D,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Pid(usize);

    pub struct Registry {
        alive: Vec<bool>,
        names: Vec<(Name, Pid)>,
        model: Vec<(Name, Pid)>,
    }

    #[machine]
    #[ignore = "it is wrong on purpose"]
    impl Registry {
        fn new() -> Self {
            Registry { alive: Vec::new(), names: Vec::new(), model: Vec::new() }
        }

        fn spawn(&mut self) -> Pid {
            self.alive.push(true);
            Pid(self.alive.len() - 1)
        }

        fn register(&mut self, name: Name, pid: &Pid) {
            let taken = self.names.iter().any(|(other, process)| *other == name || process == pid);
            assert!(!taken && self.alive[pid.0], "badarg");
            self.names.push((name, *pid));
            self.model.push((name, *pid));
        }

        fn unregister(&mut self, name: Name) {
            let place = self.names.iter().position(|(other, _)| *other == name);
            self.names.remove(place.expect("badarg"));
            self.model.retain(|(other, _)| *other != name);
        }

        fn whereis(&self, name: Name) {
            let find =
                |list: &[(Name, Pid)]| list.iter().find(|(other, _)| *other == name).map(|found| found.1);
            assert_eq!(find(&self.names), find(&self.model));
        }

        fn kill(&mut self, pid: &Pid) {
            self.alive[pid.0] = false;
            self.names.retain(|(_, other)| other != pid);
        }
    }
}

#[test]
fn all_six_bugs_of_the_registry_are_reported_once() {
    let failed = run::<registry::Registry>(1, 400);
    let found = patterns(&failed);
    for start in [
        "unregister(?a), unless",
        "?p = spawn(); kill(?p); register(?a, ?p)",
        "?p = spawn(); register(?a, ?p) | register(?b, ?p)",
        "?p = spawn(); register(?a, ?p) | (?p2 = spawn(); register(?a, ?p2))",
        "?p = spawn(); register(?a, ?p); kill(?p); whereis(?a)",
        "?p = spawn(); register(?a, ?p); kill(?p); unregister(?a)",
    ] {
        assert_eq!(found.iter().filter(|words| words.starts_with(start)).count(), 1, "{start}: {found:#?}");
    }
    assert!(failed.to_string().contains("bugs in 400 tests"), "{failed}");
}

#[test]
fn bugs_have_the_same_names_and_order_in_another_run() {
    let names = |seed| -> Vec<String> {
        let failed = run::<registry::Registry>(seed, 400);
        failed.bugs.iter().map(|bug| bug.name.clone()).take(4).collect()
    };
    assert_eq!(names(1), names(2));
}

#[test]
fn only_the_first_bug_is_reported_where_that_is_wanted() {
    let property = Property::new("bugs").seed(Seed(1)).bugs(WantedBugs::FIRST);
    let failed = property.run(&Programs::new(registry::Registry::suite())).unwrap_err();
    assert_eq!(failed.bugs.len(), 1);
    assert!(failed.bugs[0].name.is_empty() && failed.tape() == Some(&failed.bugs[0].tape));
}

#[test]
fn more_bugs_are_reported_where_nothing_is_said_and_the_search_ends_soon_after_them() {
    let property = Property::new("bugs").seed(Seed(1)).cases(100_000);
    let failed = property.run(&Programs::new(registry::Registry::suite())).unwrap_err();
    let all = run::<registry::Registry>(1, 600);
    // Guards are learned as long as programs are run.
    let calls = |failed: &Failed| -> Vec<String> {
        patterns(failed).iter().map(|words| words.split(", unless").next().unwrap().to_string()).collect()
    };
    assert_eq!(calls(&failed), calls(&all));
    // It goes on for some tests, and for no more than half of the calls that a run may make after a bug.
    let last = failed.bugs.iter().map(|bug| bug.effort.passed).max().unwrap();
    assert!((last + 100..2 * last + 300).contains(&failed.tests), "{last}, then {}", failed.tests);
    assert!((5_000..=20_000).contains(&failed.calls.all()), "{:?}", failed.calls);
}

struct Narrow(u32);

#[machine]
#[ignore = "it is wrong on purpose"]
impl Narrow {
    fn new() -> Self {
        Narrow(0)
    }

    fn push(&mut self) {
        self.0 += 1;
        assert!(self.0 < 20, "no room");
    }

    fn clear(&mut self) {
        self.0 = 0;
    }
}

#[test]
fn a_bug_of_many_equal_calls_is_told_by_their_number() {
    let property = Property::new("bugs").seed(Seed(1));
    let failed = property.run(&Programs::new(Narrow::suite())).unwrap_err();
    assert_eq!(patterns(&failed), ["push(), once calls of push reach 20 since clear"], "{failed}");
}

#[test]
fn the_search_for_more_bugs_stays_within_the_budget() {
    let property = Property::new("bugs").seed(Seed(1)).cases(20);
    let failed = property.run(&Programs::new(registry::Registry::suite())).unwrap_err();
    assert_eq!(failed.tests, 20);
}

#[test]
fn a_program_that_must_panic_stands_for_all_that_do_not() {
    let run = |bugs| {
        let property = Property::new("bugs").seed(Seed(1)).expect_panic("never").bugs(bugs);
        property.run(&Programs::new(checked::Registry::suite())).unwrap_err()
    };
    let (all, more) = (run(WantedBugs::ALL), run(WantedBugs::MORE));
    assert_eq!((all.bugs.len(), more.bugs.len()), (1, 1));
    assert!(
        all.bugs[0].pattern.is_none()
            && all.to_string().contains("the simplest that does not stands for all")
    );
    assert!(more.bugs[0].pattern.is_none() && more.remark.is_none());
}

mod checked {
    //! The registry of the book: it says why it refuses, and an invariant compares it with the model.

    use super::*;
    use std::collections::BTreeMap;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Generate)]
    pub enum Name {
        Alice,
        Bob,
        Carol,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Pid(u32);

    #[derive(Default)]
    pub struct Registry {
        spawned: u32,
        dead: Vec<Pid>,
        names: BTreeMap<Name, Pid>,
        model: BTreeMap<Name, Pid>,
        /// True if dead processes may have names: one of the bugs, mended.
        lenient: bool,
    }

    thread_local! {
        pub static LENIENT: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
    }

    impl Registry {
        fn refusal(&self, name: Name, pid: &Pid) -> Result<(), &'static str> {
            if self.names.contains_key(&name) {
                return Err("the name is taken");
            }
            if self.names.values().any(|other| other == pid) {
                return Err("the process has a name");
            }
            if self.dead.contains(pid) && !self.lenient {
                return Err("the process is dead");
            }
            Ok(())
        }
    }

    #[machine]
    #[ignore = "it is wrong on purpose"]
    impl Registry {
        fn new() -> Self {
            Registry { lenient: LENIENT.get(), ..Registry::default() }
        }

        fn spawn(&mut self) -> Pid {
            self.spawned += 1;
            Pid(self.spawned)
        }

        fn register(&mut self, name: Name, pid: &Pid) {
            self.refusal(name, pid).unwrap();
            self.names.insert(name, *pid);
            self.model.insert(name, *pid);
        }

        #[when(!self.model.is_empty())]
        fn unregister(&mut self, name: Name) {
            assume!(self.model.contains_key(&name));
            self.names.remove(&name).unwrap();
            self.model.remove(&name);
        }

        fn kill(&mut self, pid: &Pid) {
            self.dead.push(*pid);
            self.names.retain(|_, other| other != pid);
        }

        #[invariant]
        fn names_agree(&self) {
            assert_eq!(self.names, self.model);
        }
    }
}

mod threes {
    //! Several bugs that look the same from outside.

    use super::*;

    pub struct OneAssertion {
        total: i64,
        expected: i64,
    }

    #[machine]
    #[ignore = "it is wrong on purpose"]
    impl OneAssertion {
        fn new() -> Self {
            OneAssertion { total: 0, expected: 0 }
        }

        fn add(&mut self, amount: u8) {
            self.total += i64::from(amount);
            self.expected += i64::from(amount);
        }

        fn lose(&mut self) {
            self.total -= 1;
        }

        fn double(&mut self) {
            self.total *= 2;
        }

        fn swap(&mut self, #[with(0..10u8)] with: u8) {
            if with == 7 {
                self.total += 1_000;
            }
        }

        #[invariant]
        fn agrees(&self) {
            assert_eq!(self.total, self.expected);
        }
    }

    pub struct OneUnwrap {
        list: Vec<u8>,
    }

    #[machine]
    #[ignore = "it is wrong on purpose"]
    impl OneUnwrap {
        fn new() -> Self {
            OneUnwrap { list: vec![1, 2, 3] }
        }

        #[skip]
        fn get(&self, place: usize) -> u8 {
            *self.list.get(place).unwrap()
        }

        fn first_of_many(&self, #[with(0..9usize)] place: usize) {
            self.get(place / 2);
        }

        fn last_of_few(&self, #[with(0..9usize)] place: usize) {
            self.get(place.saturating_sub(4));
        }
    }

    pub struct Panics;

    #[machine]
    #[ignore = "it is wrong on purpose"]
    impl Panics {
        fn new() -> Self {
            Panics
        }

        fn one(&self, at: u8) {
            assert!(at < 200, "one");
        }

        fn two(&self, at: Option<u8>) {
            assert!(at != Some(0), "two");
        }

        fn three(&self, at: bool) {
            assert!(!at, "three");
        }
    }
}

#[test]
fn three_bugs_behind_one_assertion_are_three() {
    let failed = run::<threes::OneAssertion>(1, 300);
    let found = patterns(&failed);
    for part in ["lose()", "double()", "swap(7)"] {
        assert_eq!(found.iter().filter(|words| words.contains(part)).count(), 1, "{part}: {found:#?}");
    }
    assert_eq!(found.len(), 3, "{failed}");
}

#[test]
fn two_bugs_through_one_unwrap_are_two() {
    let failed = run::<threes::OneUnwrap>(1, 300);
    assert_eq!(failed.bugs.len(), 2, "{failed}");
}

#[test]
fn three_panics_are_three() {
    let failed = run::<threes::Panics>(1, 300);
    assert_eq!(failed.bugs.len(), 3, "{failed}");
}

mod detours {
    //! A value that can be copied and made in several ways, with one bug.

    use super::*;

    #[derive(Debug, Clone, Copy)]
    pub struct Jar {
        filled: u32,
        is_whole: bool,
        is_large: bool,
    }

    #[api]
    #[ignore = "it is wrong on purpose"]
    impl Jar {
        pub fn new(is_large: bool) -> Self {
            Jar { filled: 0, is_whole: true, is_large }
        }

        /// Makes what `new` makes.
        pub fn of_size(size: u8) -> Self {
            Jar::new(size > 100)
        }

        /// A copy, whatever the number.
        pub fn copied(&self, _times: u8) -> Self {
            *self
        }

        /// Breaks when it is called twice.
        pub fn fill(&mut self) {
            self.filled += 1;
            self.is_whole = self.filled < 2;
        }

        pub fn is_large(&self) -> bool {
            self.is_large
        }

        #[check]
        fn is_whole(&self) -> bool {
            self.is_whole
        }
    }
}

#[test]
fn a_bug_does_not_come_again_by_way_of_a_copy_or_of_another_constructor() {
    for seed in 1..4 {
        let failed = run::<detours::Jar>(seed, 500);
        assert_eq!(patterns(&failed), ["?j = new(?a); fill(?j) | fill(?j)"], "seed {seed}: {failed}");
        let lines: Vec<&str> = failed.bugs[0].arguments.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(lines[..3], ["let mut jar = Jar::new(false);", "jar.fill();", "jar.fill();"], "{failed}");
    }
}

#[test]
fn copies_are_left_out_where_one_bug_is_wanted() {
    for seed in 1..20 {
        let property = Property::new("bugs").bugs(WantedBugs::FIRST).seed(Seed(seed));
        let property = property.strategies(Strategies::Random);
        let failed = property.run(&Programs::new(detours::Jar::suite())).unwrap_err();
        assert!(failed.arguments().iter().all(|line| !line.text.contains("copied")), "seed {seed}: {failed}");
    }
}

mod known {
    use super::*;
    use bugnet::campaign::{Environment, KnownUse, Passed, Reason};
    use std::path::{Path, PathBuf};

    fn folder(name: &str) -> PathBuf {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn hunt<T: Api>(folder: &Path, seed: u64, cases: u64) -> Result<Passed, Box<Failed>> {
        let environment = Environment { denies_fixed: true, ..Environment::none(Seed(1)) };
        let options = bugnet::campaign::Options { regressions: Some(false), ..Default::default() };
        let property =
            Property::new("known").bugs(WantedBugs::ALL).folder(folder).seed(Seed(seed)).cases(cases);
        property.options(options).environment(environment).run(&Programs::new(T::suite()))
    }

    /// Accepts what one run finds, and has others look for more.
    fn assert_nothing_is_left<T: Api>(name: &str) {
        let folder = folder(name);
        hunt::<T>(&folder, 1, 400).unwrap_err();
        accept(&folder);
        for seed in 100..120 {
            hunt::<T>(&folder, seed, 120).unwrap_or_else(|failed| panic!("seed {seed}: {failed}"));
        }
    }

    #[test]
    fn accepted_bugs_do_not_come_back_in_other_forms() {
        assert_nothing_is_left::<checked::Registry>("no-leak-checked");
    }

    #[test]
    fn accepted_bugs_do_not_come_back_through_their_guards() {
        assert_nothing_is_left::<registry::Registry>("no-leak");
    }

    /// Takes the bugs with a text in their block out of the file.
    fn forget(folder: &Path, text: &str) {
        let path = folder.join("bugnet-known.toml");
        let known = std::fs::read_to_string(&path).unwrap();
        let left = known.split("\n[[bug]]").filter(|block| !block.contains(text));
        std::fs::write(path, left.collect::<Vec<_>>().join("\n[[bug]]")).unwrap();
    }

    #[test]
    fn what_is_not_accepted_is_found_beside_what_is() {
        let folder = folder("beside");
        hunt::<checked::Registry>(&folder, 1, 400).unwrap_err();
        accept(&folder);
        forget(&folder, "quick-moth");
        for seed in 100..105 {
            let failed = hunt::<checked::Registry>(&folder, seed, 200).unwrap_err();
            assert_eq!(patterns(&failed), ["?p = spawn(); kill(?p); register(?a, ?p)"], "seed {seed}");
            assert_eq!(failed.bugs[0].name, "quick-moth");
        }
    }

    #[test]
    fn a_bug_that_is_mended_is_told_beside_those_that_are_not() {
        let folder = folder("mended");
        hunt::<checked::Registry>(&folder, 1, 400).unwrap_err();
        accept(&folder);
        checked::LENIENT.set(true);
        let failed = hunt::<checked::Registry>(&folder, 2, 200).unwrap_err();
        assert_eq!(failed.reason, Reason::Fixed(vec!["quick-moth".to_string()]), "{failed}");
        assert!(
            failed.to_string().contains("quick-moth is fixed: remove from bugnet-known.toml"),
            "{failed}"
        );
        // What was found is not hidden by what was mended.
        forget(&folder, "wary-xerus");
        let failed = hunt::<checked::Registry>(&folder, 2, 200).unwrap_err();
        assert!(failed.bugs.len() == 1 && failed.fixed == ["quick-moth"], "{failed}");
        assert!(failed.to_string().contains("quick-moth is fixed"), "{failed}");
    }

    #[test]
    fn a_program_that_fails_in_another_way_has_come_upon_another_bug() {
        let folder = folder("another-way");
        run(&folder, KnownUse::On, false).unwrap_err();
        accept(&folder);
        let path = folder.join("bugnet-known.toml");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("panic in call three", "panic in check three")).unwrap();
        let failed = run(&folder, KnownUse::Only, false).unwrap_err();
        assert_eq!((failed.fixed.len(), patterns(&failed)), (1, vec!["three(?a)"]), "{failed}");
    }

    fn run(folder: &Path, known: KnownUse, denies_fixed: bool) -> Result<Passed, Box<Failed>> {
        let environment = Environment { known, denies_fixed, ..Environment::none(Seed(1)) };
        let options = bugnet::campaign::Options { regressions: Some(false), ..Default::default() };
        let property = Property::new("known")
            .bugs(WantedBugs::ALL)
            .folder(folder)
            .seed(Seed(1))
            .cases(200)
            .options(options);
        property.environment(environment).run(&Programs::new(threes::Panics::suite()))
    }

    /// Accepts all bugs that the last run has found.
    fn accept(folder: &Path) {
        let found = std::fs::read_to_string(folder.join(".bugnet/known.bugs.toml")).unwrap();
        std::fs::write(folder.join("bugnet-known.toml"), found).unwrap();
    }

    #[test]
    fn what_is_accepted_is_steered_around() {
        let folder = folder("accepted");
        assert_eq!(run(&folder, KnownUse::On, false).unwrap_err().bugs.len(), 3);
        accept(&folder);
        let passed = run(&folder, KnownUse::On, true).unwrap();
        assert_eq!(passed.around.len(), 3);
        let told = format!("around 3 known bugs: `{}`, `{}`", passed.around[0], passed.around[1]);
        assert!(passed.to_string().contains(&told), "{passed}");
        let passed = run(&folder, KnownUse::Only, true).unwrap();
        assert_eq!(passed.around.len(), 0, "nothing is searched");
        assert_eq!(run(&folder, KnownUse::Off, false).unwrap_err().bugs.len(), 3);
    }

    #[test]
    fn what_is_fixed_is_told_and_fails_where_that_is_wanted() {
        let folder = folder("fixed");
        run(&folder, KnownUse::On, false).unwrap_err();
        accept(&folder);
        let path = folder.join("bugnet-known.toml");
        let text = std::fs::read_to_string(&path).unwrap();
        // A program that does not fail: it ends before the last call.
        let first = text.find("program = \"").unwrap() + "program = \"".len();
        let cut = first + text[first..].find(")1(").unwrap() + 1;
        let end = first + text[first..].find('"').unwrap();
        std::fs::write(&path, format!("{}0{}", &text[..cut], &text[end..])).unwrap();
        let passed = run(&folder, KnownUse::Only, false).unwrap();
        assert_eq!(passed.fixed.len(), 1);
        assert!(passed.to_string().contains("fixed: remove"), "{passed}");
        let failed = run(&folder, KnownUse::Only, true).unwrap_err();
        assert!(matches!(failed.reason, Reason::Fixed(_)), "{failed}");
    }

    #[test]
    fn a_file_that_is_not_understood_is_named_with_its_line() {
        let folder = folder("corrupt");
        std::fs::write(folder.join("bugnet-known.toml"), "[[bug]]\nname = oops\n").unwrap();
        let failed = run(&folder, KnownUse::On, false).unwrap_err();
        assert!(failed.to_string().contains("bugnet-known.toml:2: `name = oops`"), "{failed}");
        let unknown = "[[bug]]\nname = \"x\"\ntest = \"known\"\npattern = \"four()\"\nprogram = \"0\"\n";
        std::fs::write(folder.join("bugnet-known.toml"), unknown).unwrap();
        let failed = run(&folder, KnownUse::On, false).unwrap_err();
        assert!(failed.to_string().contains("bugnet-known.toml:1: `four` is not an operation"), "{failed}");
    }
}
