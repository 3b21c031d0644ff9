//! The process registry of Erlang, as the paper on MoreBugs extends it, and the machine that tests it
//! against a model that knows nothing of its rules.
//!
//! **Invariant:** every call of the interface is counted, whoever makes it.

use bugnet::prelude::*;
use std::cell::Cell;

/// The set-up of the registry, and the calls that were made. Machines have no arguments for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Calibration {
    /// The name of the calibration.
    pub name: &'static str,
    /// The number of names.
    pub names: u8,
    /// Random programs of the baselines have fewer calls than this.
    pub longest: u64,
    /// True if a registered process is looked for before a taken name.
    pub process_first: bool,
}

/// As in the notes: the same name twice is the bug of registering a process twice.
pub const A: Calibration = Calibration { name: "A", names: 4, longest: 41, process_first: true };
/// As in the notes: a taken name comes first.
pub const B: Calibration = Calibration { name: "B", names: 5, longest: 21, process_first: false };

thread_local! {
    pub static NAMES: Cell<u8> = const { Cell::new(4) };
    pub static CALLS: Cell<u64> = const { Cell::new(0) };
    /// Calls in a thousand that fail for no reason, and the chance behind it.
    pub static FLAKES: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

/// The registry itself.
#[derive(Debug, Default, Clone)]
pub struct Registry {
    alive: Vec<bool>,
    names: Vec<(u8, usize)>,
}

impl Registry {
    pub fn spawn(&mut self) -> usize {
        self.alive.push(true);
        self.alive.len() - 1
    }

    /// Returns the first of the three reasons to refuse that holds, if any: they cannot be told apart from outside.
    pub fn refuses(&self, name: u8, pid: usize, process_first: bool) -> Option<u32> {
        let taken = self.names.iter().any(|(other, _)| *other == name);
        let registered = self.names.iter().any(|(_, other)| *other == pid);
        match (self.alive[pid], taken, registered) {
            (false, ..) => Some(3),
            (_, true, true) => Some(if process_first { 2 } else { 5 }),
            (_, _, true) => Some(2),
            (_, true, _) => Some(5),
            _ => None,
        }
    }

    pub fn register(&mut self, name: u8, pid: usize) -> bool {
        let ok = self.refuses(name, pid, true).is_none();
        if ok {
            self.names.push((name, pid));
        }
        ok
    }

    pub fn unregister(&mut self, name: u8) -> bool {
        let place = self.names.iter().position(|(other, _)| *other == name);
        place.map(|place| self.names.remove(place)).is_some()
    }

    pub fn whereis(&self, name: u8) -> Option<usize> {
        self.names.iter().find(|(other, _)| *other == name).map(|(_, pid)| *pid)
    }

    pub fn kill(&mut self, pid: usize) {
        self.alive[pid] = false;
        self.names.retain(|(_, other)| *other != pid);
    }
}

/// A name, of as many as the calibration has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name(pub u8);

impl Generate for Name {
    fn generate(source: &mut Source) -> Name {
        Name(source.index(usize::from(NAMES.get())) as u8)
    }
}

impl Literal for Name {
    fn literal(&self) -> String {
        format!("Name({})", self.0)
    }
}

/// A process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pid(pub usize);

/// Counts a call, which may fail for no reason. It is asked before anything else, so that a call that
/// is refused counts as well.
pub fn called() -> bool {
    CALLS.set(CALLS.get() + 1);
    let (permille, state) = FLAKES.get();
    if permille == 0 {
        return true;
    }
    let mut random = crate::random::SplitMix64(state);
    let flakes = random.below(1000) < permille;
    FLAKES.set((permille, random.0));
    !flakes
}

/// The registry beside its model.
#[derive(Debug, Default)]
pub struct RegistryTest {
    registry: Registry,
    model: Vec<(u8, usize)>,
}

macro_rules! machine_of {
    ($kind:ident, $($irrelevant:ident),*) => {
        #[machine]
        #[ignore = "it is wrong on purpose"]
        impl $kind {
            fn new() -> Self {
                $kind::default()
            }

            fn spawn(&mut self) -> Pid {
                assert!(called(), "badarg");
                Pid(self.registry.spawn())
            }

            fn register(&mut self, name: Name, pid: &Pid) {
                assert!(called() & self.registry.register(name.0, pid.0), "badarg");
                self.model.push((name.0, pid.0));
            }

            fn unregister(&mut self, name: Name) {
                assert!(called() & self.registry.unregister(name.0), "badarg");
                self.model.retain(|(other, _)| *other != name.0);
            }

            fn whereis(&mut self, name: Name) {
                let expected = self.model.iter().find(|(other, _)| *other == name.0).map(|(_, pid)| *pid);
                assert!(called() & (self.registry.whereis(name.0) == expected), "postcondition");
            }

            fn kill(&mut self, pid: &Pid) {
                self.registry.kill(pid.0);
                assert!(called(), "badarg");
            }

            $(fn $irrelevant(&mut self) {
                assert!(called(), "badarg");
            })*
        }
    };
}

machine_of!(RegistryTest,);

/// The same with operations that have nothing to do with it.
#[derive(Debug, Default)]
pub struct Crowded {
    registry: Registry,
    model: Vec<(u8, usize)>,
}

machine_of!(Crowded, one, two, three, four, five, six, seven, eight, nine, ten, eleven);
