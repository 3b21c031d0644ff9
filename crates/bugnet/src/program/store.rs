//! The store: the values that the calls of one program have made.
//!
//! A result that borrows from another value is stored with its lifetime stretched to `'static`,
//! which no safe code can do. That is the only reason for `unsafe` in this crate, and all of it is
//! in this file; the rules that make it sound are those of the [`Ledger`].
//!
//! **Invariant:** a reference handed out lives no longer than the claim of its call or, if it was
//! stretched, than the slot that holds the result; a value that is lent is neither moved, changed
//! nor dropped before.
#![expect(unsafe_code, reason = "results that borrow from other values need stretched lifetimes")]

use super::ledger::Ledger;
use super::operation::{Access, Kind, Mode};
use super::probe::Printer;
use std::any::Any;
use std::ptr::NonNull;

/// The values of one program, by the number of the call that made them.
#[derive(Debug, Default)]
pub(crate) struct Store {
    pub(super) ledger: Ledger,
    /// Owned by the store; raw pointers, because a `Box` must not be moved while it is lent.
    values: Vec<Option<NonNull<dyn Any>>>,
    ending: Vec<u32>,
}

impl Store {
    pub(super) fn new(kinds: usize) -> Store {
        Store { ledger: Ledger::new(kinds), values: Vec::new(), ending: Vec::new() }
    }

    /// Claims a value for the call that is about to run. `false` if another argument of the same
    /// call stands against it.
    #[inline]
    pub(super) fn claim(&mut self, place: u32, mode: Mode) -> bool {
        let claimed = self.ledger.claim(place, mode, &mut self.ending);
        while !self.ending.is_empty() {
            let ended = self.ending.remove(0);
            self.free(ended);
        }
        claimed
    }

    /// Keeps what the last call has made.
    pub(super) fn keep<T: Any>(
        &mut self,
        value: T,
        kind: usize,
        access: Access,
        lent: Option<&[(u32, Mode)]>,
    ) {
        let boxed: Box<dyn Any> = Box::new(value);
        let place = self.ledger.calls() - 1;
        self.values.resize(place + 1, None);
        self.values[place] = Some(NonNull::from(Box::leak(boxed)));
        self.ledger.keep(kind, access, lent);
    }

    /// A value that was claimed by `&`.
    #[inline]
    pub(super) fn shared<'a, T: Any>(&self, place: u32) -> &'a T {
        let access = self.ledger.assert_shared(place);
        let pointer = self.values[place as usize].expect("a claimed value is there");
        // SAFETY: the pointer comes from a leaked box that is freed only by `free` and `take`, neither
        // of which happens while the value is claimed or lent. Exclusive claims and mutable loans
        // exclude shared ones, so nobody holds a `&mut` to it.
        let value: &'a dyn Any = unsafe { pointer.as_ref() };
        let found = match access {
            Access::Owned => value.downcast_ref::<T>(),
            Access::Shared => value.downcast_ref::<&'static T>().copied(),
            Access::Mutable => value.downcast_ref::<&'static mut T>().map(|reference| &**reference),
        };
        found.expect("a value is of its kind")
    }

    /// A value that was claimed by `&mut`.
    #[inline]
    pub(super) fn mutable<'a, T: Any>(&self, place: u32) -> &'a mut T {
        let access = self.ledger.use_exclusively(place);
        let mut pointer = self.values[place as usize].expect("a claimed value is there");
        // SAFETY: as in `shared`; the claim was exclusive, which excludes every other claim and loan,
        // and it is used up, so this is the only reference to the value.
        let value: &'a mut dyn Any = unsafe { pointer.as_mut() };
        let found = match access {
            Access::Owned => value.downcast_mut::<T>(),
            Access::Mutable => value.downcast_mut::<&'static mut T>().map(|reference| &mut **reference),
            Access::Shared => None,
        };
        found.expect("a value is of its kind")
    }

    /// Moves a value out that was claimed by value.
    pub(super) fn take<T: Any>(&mut self, place: u32) -> T {
        self.ledger.use_exclusively(place);
        self.ledger.end(place);
        let pointer = self.values[place as usize].take().expect("a claimed value is there");
        // SAFETY: the pointer comes from `Box::leak` in `keep` and was taken out of its slot, so it is
        // freed once. The claim was exclusive, so nobody borrows from it.
        let value = unsafe { Box::from_raw(pointer.as_ptr()) };
        *value.downcast::<T>().expect("a value is of its kind")
    }

    /// Drops a value that no call may see again, with all that borrows from it.
    pub(super) fn discard(&mut self, place: u32) {
        if self.ledger.lives(place) && self.claim(place, Mode::Value) {
            self.ledger.end(place);
            self.ledger.release(place);
            self.free(place);
        }
    }

    /// Drops a value that the ledger has ended.
    fn free(&mut self, place: u32) {
        if let Some(pointer) = self.values.get_mut(place as usize).and_then(Option::take) {
            // SAFETY: as in `take`; the ledger ends what borrows from a value before the value.
            drop(unsafe { Box::from_raw(pointer.as_ptr()) });
        }
    }

    /// Ends every loan, the latest first.
    pub(super) fn end_all_loans(&mut self) {
        for place in (0..self.values.len() as u32).rev() {
            if self.ledger.lives(place) && self.ledger.borrows(place) {
                self.ledger.end(place);
                self.free(place);
            }
        }
    }

    /// Hashes all living values whose states can be told apart, if there are such kinds. No call is
    /// running.
    pub(super) fn fingerprint(&self, kinds: &[Kind]) -> Option<u64> {
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        kinds.iter().find(|kind| kind.fingerprint.is_some())?;
        for (kind, described) in kinds.iter().enumerate() {
            let Some(fingerprint) = described.fingerprint else { continue };
            for place in self.ledger.living(kind) {
                let pointer = self.values[*place as usize].expect("a living value is there");
                if self.ledger.access(*place) == Access::Owned && !self.ledger.is_lent(*place) {
                    // SAFETY: no call is running and the value is not lent, so nobody holds a `&mut`.
                    let print = fingerprint(unsafe { pointer.as_ref() });
                    hash = (hash ^ print ^ kind as u64).wrapping_mul(0x0000_0100_0000_01b3);
                }
            }
        }
        Some(hash)
    }

    /// Looks at a living value, if it is owned and nobody borrows from it. No call is running.
    pub(super) fn observe(&self, place: u32, observer: fn(&dyn Any)) {
        if self.ledger.access(place) == Access::Owned && !self.ledger.is_lent(place) {
            let pointer = self.values[place as usize].expect("a living value is there");
            // SAFETY: as in `fingerprint`.
            observer(unsafe { pointer.as_ref() });
        }
    }

    /// Returns a living value as text, if it is owned and nobody borrows from it. No call is running.
    pub(super) fn print(&self, place: u32, printer: Printer) -> Option<String> {
        if self.ledger.access(place) != Access::Owned || self.ledger.is_lent(place) {
            return None;
        }
        let pointer = self.values[place as usize].expect("a living value is there");
        // SAFETY: as in `fingerprint`.
        printer(unsafe { pointer.as_ref() })
    }

    /// Drops everything, the latest first, for what borrows comes after what it borrows from.
    pub(super) fn clear(&mut self) {
        self.ledger.clear();
        while !self.values.is_empty() {
            self.free(self.values.len() as u32 - 1);
            self.values.pop();
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // A destructor that panics while another panic unwinds ends the process; a leak does not.
        if !std::thread::panicking() {
            self.clear();
        }
    }
}
