//! Machines: rules over one state, written as an `impl` block.

use bugnet::campaign::{Failed, Options, Reason, WantedBugs};
use bugnet::oracle::Signature;
use bugnet::prelude::*;
use bugnet::program::{Api, Programs};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Runs the machine, without the crate's settings around it.
fn run<T: Api>(seed: u64) -> Result<bugnet::campaign::Passed, Box<Failed>> {
    Property::new("machine").seed(Seed(seed)).bugs(WantedBugs::FIRST).run(&Programs::new(T::suite()))
}

fn lines(failed: &Failed) -> Vec<String> {
    failed.arguments().iter().map(ToString::to_string).collect()
}

/// The operation that failed, and where in it.
fn failing(failed: &Failed) -> (String, &'static str) {
    let Reason::Refuted(failure) = &failed.reason else { panic!("{failed}") };
    let Signature::InCall { operation, phase, .. } = &failure.signature else { panic!("{failed}") };
    (operation.clone(), phase.as_str())
}

mod registry {
    //! The process registry of Erlang, as in the paper on MoreBugs, with a mistake.

    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Pid(u32);

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Generate)]
    pub enum Name {
        A,
        B,
        C,
    }

    /// Keeps what is registered in both directions.
    #[derive(Debug, Default)]
    struct Registry {
        spawned: u32,
        alive: Vec<Pid>,
        names: BTreeMap<Name, Pid>,
        processes: BTreeMap<Pid, Name>,
    }

    impl Registry {
        fn register(&mut self, name: Name, pid: Pid) -> bool {
            let free = !self.names.contains_key(&name) && !self.processes.contains_key(&pid);
            let ok = free && self.alive.contains(&pid);
            if ok {
                self.names.insert(name, pid);
                self.processes.insert(pid, name);
            }
            ok
        }

        /// Forgets that the process is free again.
        fn unregister(&mut self, name: Name) -> bool {
            self.names.remove(&name).is_some()
        }

        fn kill(&mut self, pid: Pid) {
            self.alive.retain(|other| *other != pid);
            self.processes.remove(&pid);
            self.names.retain(|_, other| *other != pid);
        }
    }

    pub struct RegistryTest {
        registry: Registry,
        /// The registered names, as a plain list.
        model: Vec<(Name, Pid)>,
    }

    #[machine]
    #[ignore = "it is wrong on purpose"]
    impl RegistryTest {
        pub fn new() -> Self {
            RegistryTest { registry: Registry::default(), model: Vec::new() }
        }

        fn spawn(&mut self) -> Pid {
            let pid = Pid(self.registry.spawned);
            self.registry.spawned += 1;
            self.registry.alive.push(pid);
            pid
        }

        fn register(&mut self, name: Name, pid: &Pid) {
            let free = !self.model.iter().any(|(other, process)| *other == name || process == pid);
            let expected = free && self.registry.alive.contains(pid);
            assert_eq!(self.registry.register(name, *pid), expected, "register");
            if expected {
                self.model.push((name, *pid));
            }
        }

        fn unregister(&mut self, name: Name) {
            let expected = self.model.iter().any(|(other, _)| *other == name);
            assert_eq!(self.registry.unregister(name), expected, "unregister");
            self.model.retain(|(other, _)| *other != name);
        }

        fn kill(&mut self, pid: Pid) {
            self.registry.kill(pid);
            self.model.retain(|(_, other)| *other != pid);
        }

        #[invariant]
        fn agrees(&self) {
            let names: Vec<(Name, Pid)> =
                self.registry.names.iter().map(|(name, pid)| (*name, *pid)).collect();
            let mut model = self.model.clone();
            model.sort();
            assert_eq!(names, model);
        }
    }
}

#[test]
fn the_registry_is_refuted_by_a_program_that_can_be_pasted() {
    for seed in 0..10 {
        let failed = run::<registry::RegistryTest>(seed).unwrap_err();
        let expected = [
            "let mut registry_test = RegistryTest::new();",
            "let pid = registry_test.spawn();",
            "registry_test.register(Name::A, &pid);",
            "registry_test.unregister(Name::A);",
            "registry_test.register(Name::A, &pid);",
        ];
        assert_eq!(lines(&failed), expected, "seed {seed}");
        assert_eq!(failing(&failed), ("register".to_string(), "call"));
    }
}

mod stack {
    //! Every kind of rule there is.

    use super::*;

    thread_local! {
        /// The calls across the programs of a test.
        pub static SEEN: RefCell<BTreeMap<&'static str, u32>> = const { RefCell::new(BTreeMap::new()) };
    }

    fn saw(what: &'static str) {
        SEEN.with_borrow_mut(|seen| *seen.entry(what).or_default() += 1);
    }

    pub fn seen(what: &str) -> u32 {
        SEEN.with_borrow(|seen| seen.get(what).copied().unwrap_or(0))
    }

    pub struct Stack {
        values: Vec<u8>,
        flushed: usize,
    }

    /// A value that is not generated.
    pub struct Ticket(u8);

    #[machine(cases = 200, steps = 20, swarm = "coin:0.5", name = stacks)]
    /// Documentation stays on the block.
    impl Stack {
        const LIMIT: usize = 10_000;

        pub fn new() -> Self {
            Stack { values: Vec::new(), flushed: 0 }
        }

        fn filled(values: &[u8]) -> Result<Self, String> {
            saw("filled");
            Ok(Stack { values: values.to_vec(), flushed: 0 })
        }

        fn push(&mut self, #[with(10..20u8)] value: u8, text: &str, _: Option<i8>) {
            assert!((10..20).contains(&value));
            self.values.push(value ^ text.len() as u8);
        }

        #[when(!self.values.is_empty())]
        #[weight(3)]
        fn pop(&mut self) -> Option<Ticket> {
            saw("pop");
            self.values.pop().map(Ticket)
        }

        fn redeem(&mut self, ticket: Ticket) -> u16 {
            saw("redeem");
            self.values.push(ticket.0);
            1000 + u16::from(ticket.0)
        }

        fn look(&self, ticket: &Ticket, #[earlier] receipt: u16, #[earlier] other: &mut u16) {
            saw("look");
            assert!(receipt >= 1000 && *other >= 1000);
            *other += u16::from(ticket.0);
        }

        async fn flush(&mut self) -> Result<(), String> {
            std::future::ready(()).await;
            saw("flush");
            self.flushed = self.values.len();
            Ok(())
        }

        fn rest(&self, up_to: usize) {
            assume!(up_to <= self.values.len());
            bugnet::assume!(up_to > 0);
            saw("rest");
            assert!(!self.values[..up_to].is_empty());
        }

        fn first_mut(&mut self) -> Option<&mut u8> {
            self.values.first_mut()
        }

        #[invariant]
        fn is_bounded(&self) -> bool {
            self.length() < Self::LIMIT
        }

        #[invariant]
        async fn is_flushed(&self) -> Result<(), String> {
            if self.flushed > 1000 { Err("too much".to_string()) } else { Ok(()) }
        }

        #[teardown]
        fn close(self) {
            saw("close");
        }

        #[skip]
        fn length(&self) -> usize {
            self.values.len()
        }

        #[cfg(windows)]
        fn nowhere_else(&mut self) {
            this_does_not_exist();
        }

        #[cfg(any())]
        #[invariant]
        fn never(&self) -> bool {
            false
        }

        #[expect(dead_code, reason = "a helper that is not even called")]
        fn helper(of: u8) -> u8 {
            of
        }
    }
}

#[test]
fn every_kind_of_rule_is_called() {
    use stack::{SEEN, seen};
    SEEN.take();
    let passed = run::<stack::Stack>(1).unwrap_or_else(|failed| panic!("{failed}"));
    for what in ["filled", "pop", "redeem", "look", "flush", "rest"] {
        assert!(seen(what) > 100, "{what}: {}", seen(what));
    }
    assert!(u64::from(seen("close")) >= passed.tests / 2, "{} of {}", seen("close"), passed.tests);
}

#[test]
fn the_suite_has_the_rules_and_the_constructors_only() {
    let suite = stack::Stack::suite();
    let names: Vec<&str> = suite.operations.iter().map(|operation| operation.name).collect();
    let expected = ["new", "filled", "push", "pop", "redeem", "look", "flush", "rest", "first_mut"];
    assert_eq!(names, expected);
    let look = &suite.operations[5];
    assert!(look.parameters.iter().all(|parameter| !parameter.is_literal()));
}

mod gate {
    use super::*;

    pub struct Gate {
        open: bool,
    }

    #[machine(name = gate)]
    #[ignore = "it is wrong on purpose"]
    impl Gate {
        fn new(#[with(just(false))] open: bool) -> Self {
            Gate { open }
        }

        #[when(!self.open)]
        fn open(&mut self) {
            assert!(!self.open, "the gate is open already");
            self.open = true;
        }

        #[when(self.open)]
        fn close(&mut self) {
            assert!(self.open, "the gate is closed already");
            self.open = false;
        }

        fn pass(&self, #[with(1..=3u8)] people: u8) -> Result<(), String> {
            if self.open && people == 3 { Err("too many".to_string()) } else { Ok(()) }
        }
    }
}

#[test]
fn a_rule_is_called_only_when_its_condition_holds_and_an_error_refutes() {
    for seed in 0..20 {
        let failed = run::<gate::Gate>(seed).unwrap_err();
        assert_eq!(
            lines(&failed),
            ["let mut gate = Gate::new(false);", "gate.open();", "gate.pass(3).unwrap();"]
        );
        assert!(failed.to_string().contains("too many"), "{failed}");
    }
}

mod leak {
    use super::*;

    pub struct Leak {
        live: Vec<u8>,
    }

    #[machine]
    #[ignore = "it is wrong on purpose"]
    impl Leak {
        fn new() -> Self {
            Leak { live: Vec::new() }
        }

        async fn acquire(&mut self, name: &str, sizes: &[u8], mut limit: u8) -> u8 {
            assume!(!name.is_empty());
            limit = limit.min(3);
            self.live.extend(sizes.iter().take(limit.into()));
            limit
        }

        fn release(&mut self, #[earlier] taken: u8) {
            self.live.truncate(self.live.len().saturating_sub(taken.into()));
        }

        #[teardown]
        fn close(&mut self) -> Result<(), String> {
            if self.live.is_empty() { Ok(()) } else { Err(format!("{:?} is live", self.live)) }
        }
    }
}

#[test]
fn a_teardown_judges_the_end() {
    for seed in 0..20 {
        let failed = run::<leak::Leak>(seed).unwrap_err();
        let expected = [
            "let mut leak = Leak::new();",
            "bugnet::block_on(leak.acquire(&\"a\".to_string(), &vec![0], 1));",
            "leak.close().unwrap();",
        ];
        assert_eq!(lines(&failed), expected);
        assert_eq!(failing(&failed), ("close".to_string(), "call"));
        assert!(failed.to_string().contains("[0] is live"), "{failed}");
    }
}

mod born_wrong {
    use super::*;

    pub struct Born(u8);

    #[machine]
    #[ignore = "it is wrong on purpose"]
    impl Born {
        fn with(value: u8) -> Option<Self> {
            Some(Born(value))
        }

        fn rest(&mut self) {}

        #[invariant]
        fn is_small(&self) -> bool {
            self.0 < 7
        }
    }
}

#[test]
fn a_state_that_was_wrong_from_the_start_has_a_name_for_its_check() {
    let failed = run::<born_wrong::Born>(1).unwrap_err();
    assert_eq!(lines(&failed), ["let born = Born::with(7).unwrap();", "assert!(born.is_small());"]);
}

mod gap {
    use super::*;

    pub struct Key;

    pub struct Gap;

    #[machine]
    #[should_panic = "property failed"]
    impl Gap {
        fn new() -> Self {
            Gap
        }

        fn unlock(&mut self, key: Key) {
            let Key = key;
        }
    }
}

#[test]
#[should_panic = "return a `Key` from another function, or derive `Generate` for it"]
fn what_nothing_provides_is_named() {
    gap::Gap::suite();
}

#[test]
fn a_random_program_has_no_more_calls_than_steps_says() {
    let property = Property::new("gate").options(Options { steps: Some(2), ..Options::default() });
    let random = property.seed(Seed(1)).strategies(Strategies::Random);
    let passed = random.run(&Programs::new(gate::Gate::suite()));
    assert!(passed.is_ok(), "it takes three calls to fail");
}

mod account {
    use super::*;

    #[derive(Debug)]
    pub struct Account(u32);

    #[machine]
    #[ignore = "it is wrong on purpose"]
    impl Account {
        fn new() -> Self {
            Account(0)
        }

        fn deposit(&mut self, #[with(1..100u32)] amount: u32) {
            self.0 += amount;
        }

        fn audit(&self) {
            assert!(self.0 < 70, "too rich");
        }
    }
}

#[test]
fn one_call_does_the_work_of_several() {
    for seed in 0..20 {
        let failed = run::<account::Account>(seed).unwrap_err();
        let expected = ["let mut account = Account::new();", "account.deposit(70);", "account.audit();"];
        assert_eq!(lines(&failed), expected);
    }
}
