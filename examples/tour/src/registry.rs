//! A registry of processes, after the one of Erlang that the MoreBugs paper tests.
//!
//! It refuses more than a naive user expects. `tests/machines.rs` compares it with such a user's model.

use std::collections::BTreeMap;

/// A process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pid(u32);

/// Names processes.
#[derive(Debug, Default)]
pub struct Registry {
    spawned: u32,
    dead: Vec<Pid>,
    names: BTreeMap<String, Pid>,
}

impl Registry {
    /// Starts a process.
    pub fn spawn(&mut self) -> Pid {
        self.spawned += 1;
        Pid(self.spawned)
    }

    /// Gives a living process a name of its own.
    pub fn register(&mut self, name: &str, pid: Pid) -> Result<(), &'static str> {
        if self.names.contains_key(name) {
            return Err("the name is taken");
        }
        if self.names.values().any(|other| *other == pid) {
            return Err("the process has a name");
        }
        if self.dead.contains(&pid) {
            return Err("the process is dead");
        }
        self.names.insert(name.to_string(), pid);
        Ok(())
    }

    /// Forgets a name.
    pub fn unregister(&mut self, name: &str) -> Result<(), &'static str> {
        self.names.remove(name).map(|_| ()).ok_or("nobody has the name")
    }

    /// Who has a name.
    pub fn whereis(&self, name: &str) -> Option<Pid> {
        self.names.get(name).copied()
    }

    /// Ends a process, which loses its name.
    pub fn kill(&mut self, pid: Pid) {
        self.dead.push(pid);
        self.names.retain(|_, other| *other != pid);
    }
}
