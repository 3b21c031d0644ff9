//! The planted bugs: what a program must have called for each of them to show.
//!
//! They are of the kinds that differ most in what a test should leave out. Some need much of one
//! call and nothing that undoes it, some need many calls together, some an order of calls.
//!
//! **Invariant:** a bug depends on which calls were made and in which order, and on nothing else.

use crate::planted::call::{CLOSE, FLUSH, LOCK, OPEN, POP, PUSH, READ, SEEK, UNLOCK, WRITE};

/// The bugs, by number, with what each needs.
pub const BUGS: [(&str, &str); 9] = [
    ("overflow", "33 elements pushed and not popped"),
    ("handle leak", "22 handles opened and not closed"),
    ("five together", "each of five calls used"),
    ("nine together", "each of nine calls used"),
    ("no flush", "16 writes since the last flush"),
    ("adjacency", "four calls in a given order, nothing between"),
    ("run of 12", "the same call, a given one, 12 times in a row"),
    ("two deep", "14 elements on the stack and 14 handles open"),
    ("mixed", "locked and read since, 14 writes since, neither unlocked nor flushed"),
];

/// A set of bugs, one bit each.
pub type Bugs = u16;

const FIVE: u32 = 1 << WRITE | 1 << READ | 1 << SEEK | 1 << LOCK | 1 << UNLOCK;
const NINE: u32 = FIVE | 1 << PUSH | 1 << POP | 1 << OPEN | 1 << CLOSE;
/// The order that shows the adjacency bug.
const ORDER: [usize; 4] = [SEEK, WRITE, SEEK, READ];

/// The calls so far, as far as any bug depends on them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Watch {
    depth: u32,
    handles: u32,
    used: u32,
    writes_since_flush: u32,
    run: u32,
    in_order: usize,
    locked: Option<Locked>,
}

/// The calls since the lock was taken.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
struct Locked {
    reads: u32,
    writes: u32,
}

impl Watch {
    /// Notes a call, and says which bugs show in it.
    pub fn note(&mut self, call: usize) -> Bugs {
        self.used |= 1 << call;
        self.run = if call == READ { self.run + 1 } else { 0 };
        self.in_order = match call {
            _ if call == ORDER[self.in_order] => self.in_order + 1,
            // The order begins again in the middle of itself.
            WRITE if self.in_order == 3 => 2,
            SEEK => 1,
            _ => 0,
        };
        match call {
            PUSH => self.depth += 1,
            POP => self.depth = self.depth.saturating_sub(1),
            OPEN => self.handles += 1,
            CLOSE => self.handles = self.handles.saturating_sub(1),
            FLUSH => (self.writes_since_flush, self.locked) = (0, None),
            WRITE => self.writes_since_flush += 1,
            LOCK => self.locked = self.locked.take().or_else(|| Some(Locked::default())),
            UNLOCK => self.locked = None,
            _ => {}
        }
        if let Some(locked) = &mut self.locked {
            locked.reads += u32::from(call == READ);
            locked.writes += u32::from(call == WRITE);
        }
        self.shown()
    }

    fn shown(&mut self) -> Bugs {
        let ordered = self.in_order == ORDER.len();
        if ordered {
            self.in_order = 0;
        }
        let shown = [
            self.depth > 32,
            self.handles >= 22,
            self.used & FIVE == FIVE,
            self.used & NINE == NINE,
            self.writes_since_flush >= 16,
            ordered,
            self.run >= 12,
            self.depth >= 14 && self.handles >= 14,
            self.locked.as_ref().is_some_and(|locked| locked.reads > 0 && locked.writes >= 14),
        ];
        shown.iter().enumerate().map(|(bug, shown)| Bugs::from(*shown) << bug).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(calls: &[usize]) -> Vec<&'static str> {
        let mut watch = Watch::default();
        let bugs = calls.iter().fold(0, |bugs, call| bugs | watch.note(*call));
        (0..BUGS.len()).filter(|bug| bugs >> bug & 1 == 1).map(|bug| BUGS[bug].0).collect()
    }

    #[test]
    fn a_stack_overflows_by_its_33rd_element_and_not_before() {
        assert!(shown(&[PUSH; 32]).is_empty());
        assert_eq!(shown(&[PUSH; 33]), ["overflow"]);
        let popped = [&[PUSH; 20][..], &[POP], &[PUSH; 13]].concat();
        assert!(shown(&popped).is_empty());
    }

    #[test]
    fn calls_together_need_each_of_them() {
        assert_eq!(shown(&[WRITE, READ, SEEK, LOCK, UNLOCK]), ["five together"]);
        let nine = [WRITE, READ, SEEK, LOCK, UNLOCK, PUSH, POP, OPEN];
        assert_eq!(shown(&nine), ["five together"]);
        assert_eq!(shown(&[&nine[..], &[CLOSE]].concat()), ["five together", "nine together"]);
    }

    #[test]
    fn an_order_may_begin_in_the_middle_of_itself() {
        assert_eq!(shown(&[SEEK, WRITE, SEEK, READ]), ["adjacency"]);
        assert_eq!(shown(&[SEEK, WRITE, SEEK, WRITE, SEEK, READ]), ["adjacency"]);
        assert!(shown(&[SEEK, WRITE, PUSH, SEEK, READ]).is_empty());
    }

    #[test]
    fn runs_are_cut_by_any_other_call() {
        assert_eq!(shown(&[READ; 12]), ["run of 12"]);
        assert!(shown(&[&[READ; 11][..], &[SEEK], &[READ; 11]].concat()).is_empty());
    }

    #[test]
    fn what_is_undone_does_not_show() {
        let mixed = [&[LOCK, READ][..], &[WRITE; 14]].concat();
        assert_eq!(shown(&mixed), ["mixed"]);
        assert!(shown(&[&[LOCK, READ, FLUSH][..], &[WRITE; 14]].concat()).is_empty());
        assert!(shown(&[&[WRITE; 15][..], &[FLUSH], &[WRITE; 15]].concat()).is_empty());
        assert_eq!(shown(&[WRITE; 16]), ["no flush"]);
        assert_eq!(shown(&[[PUSH, OPEN]; 14].concat()), ["two deep"]);
    }
}
