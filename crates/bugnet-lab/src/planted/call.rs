//! The calls of the synthetic API: ten that bugs are about, and more that are only in the way.

/// The calls, by number.
pub const CALLS: [&str; 25] = [
    "push", "pop", "open", "close", "flush", "write", "read", "seek", "lock", "unlock", "stat", "list",
    "link", "unlink", "rename", "copy", "touch", "mount", "unmount", "resize", "watch", "ignore", "split",
    "join", "verify",
];

pub const PUSH: usize = 0;
pub const POP: usize = 1;
pub const OPEN: usize = 2;
pub const CLOSE: usize = 3;
pub const FLUSH: usize = 4;
pub const WRITE: usize = 5;
pub const READ: usize = 6;
pub const SEEK: usize = 7;
pub const LOCK: usize = 8;
pub const UNLOCK: usize = 9;

/// The size of the API, and the length of its tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub calls: usize,
    pub length: usize,
}

impl Size {
    pub const ALL: [Size; 2] = [Size { calls: 10, length: 100 }, Size { calls: 25, length: 200 }];

    pub fn heading(self) -> String {
        format!("{} calls, tests of {}", self.calls, self.length)
    }
}
