//! Machines: rules over one state, written as an `impl` block.

use bugnet::campaign::{Failed, Options, Reason};
use bugnet::oracle::Signature;
use bugnet::prelude::*;
use bugnet::program::{Api, Programs};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Runs the machine, without the crate's settings around it.
fn run<T: Api>(seed: u64) -> Result<bugnet::campaign::Passed, Box<Failed>> {
    Property::new("machine").seed(Seed(seed)).run(&Programs::new(T::suite()))
}

fn lines(failed: &Failed) -> Vec<String> {
    failed.arguments.iter().map(ToString::to_string).collect()
}

/// The operation that failed, and where in it.
fn failing(failed: &Failed) -> (String, &'static str) {
    let Reason::Refuted(failure) = &failed.reason else { panic!("{failed}") };
    let Signature::InCall { operation, phase, .. } = &failure.signature else { panic!("{failed}") };
    (operation.clone(), phase)
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
        /// What is registered, as a plain list.
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
            let names: Vec<(Name, Pid)> = self.registry.names.iter().map(|(name, pid)| (*name, *pid)).collect();
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
