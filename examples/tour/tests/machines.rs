//! The registry beside a model of what a naive user expects of it.

use bugnet::prelude::*;
use std::collections::BTreeMap;
use tour::registry::{Pid, Registry};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Generate)]
enum Name {
    Alice,
    Bob,
    Carol,
}

impl Name {
    fn text(self) -> &'static str {
        match self {
            Name::Alice => "alice",
            Name::Bob => "bob",
            Name::Carol => "carol",
        }
    }
}

#[derive(Debug, Default)]
struct RegistryTest {
    real: Registry,
    model: BTreeMap<Name, Pid>,
}

#[machine]
impl RegistryTest {
    fn new() -> Self {
        Self::default()
    }

    fn spawn(&mut self) -> Pid {
        self.real.spawn()
    }

    fn register(&mut self, name: Name, pid: &Pid) {
        self.real.register(name.text(), *pid).unwrap();
        self.model.insert(name, *pid);
    }

    #[when(!self.model.is_empty())]
    fn unregister(&mut self, name: Name) {
        assume!(self.model.contains_key(&name));
        self.real.unregister(name.text()).unwrap();
        self.model.remove(&name);
    }

    fn kill(&mut self, pid: &Pid) {
        self.real.kill(*pid);
    }

    #[invariant]
    fn names_agree(&self) {
        for name in [Name::Alice, Name::Bob, Name::Carol] {
            assert_eq!(self.real.whereis(name.text()), self.model.get(&name).copied());
        }
    }
}
