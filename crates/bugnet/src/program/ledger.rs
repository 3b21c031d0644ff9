//! The ledger: which values of a program live, who borrows from whom, and who uses what.
//!
//! The rules are those of Rust's borrow checker. A call claims its arguments, each in a mode; what
//! its result borrows from is lent until the result is gone. Whatever stands against a claim is
//! ended, as the compiler would demand it, unless the same call needs it.
//!
//! The ledger knows no values, so it serves the store that runs programs, the reducer that proposes
//! them and the printer alike.
//!
//! **Invariant:** what borrows comes after what it borrows from.

use super::operation::{Access, Mode};
use std::cell::Cell;

/// The rights of the running call on a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Claim {
    Free,
    Shared,
    /// For a single `&mut`, or to be moved out.
    Exclusive,
    /// The `&mut` has been handed out.
    Taken,
}

/// Who borrows from a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lent {
    Nobody,
    Shared,
    Mutably,
}

impl Lent {
    /// With one more loan.
    fn also(self, mode: Mode) -> Lent {
        match (self, mode) {
            (Lent::Nobody | Lent::Shared, Mode::Shared) => Lent::Shared,
            _ => Lent::Mutably,
        }
    }
}

/// The use of a value by a call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Usage {
    pub(super) place: u32,
    pub(super) mode: Mode,
    /// True if the value can hold what others lend.
    pub(super) holds: bool,
}

impl Usage {
    /// Returns true if the value stays, and can hold what others lend afterwards.
    #[inline]
    fn keeps(&self) -> bool {
        self.holds && self.mode != Mode::Value
    }
}

/// The state of the result of one call.
#[derive(Debug, Clone)]
struct Entry {
    lives: bool,
    /// True if it lives, is the first value and no other one was of its kind.
    alone: bool,
    kind: u32,
    access: Access,
    lent: Lent,
    claim: Cell<Claim>,
    /// True if it may have changed since it was last checked.
    changed: bool,
    /// The values that it borrows from.
    owners: Vec<(u32, Mode)>,
}

impl Entry {
    const fn empty() -> Entry {
        Entry {
            lives: false,
            alone: false,
            kind: 0,
            access: Access::Owned,
            lent: Lent::Nobody,
            claim: Cell::new(Claim::Free),
            changed: false,
            owners: Vec::new(),
        }
    }
}

/// Who holds what, by the number of the call that made it.
#[derive(Debug, Clone, Default)]
pub(super) struct Ledger {
    /// The number of calls so far.
    calls: usize,
    /// Up to the last call that made anything.
    entries: Vec<Entry>,
    /// The number of values that borrow from others.
    borrowers: usize,
    /// The living values of each kind, oldest first.
    pools: Vec<Vec<u32>>,
    /// The values that the arguments of the running call borrow from: whatever the call makes or gets hold of may
    /// hold them now.
    inherited: Vec<(u32, Mode)>,
    /// Values that may have changed since they were last checked.
    unchecked: Vec<u32>,
    /// True if anybody asks what has changed.
    pub(super) watches: bool,
}

impl Ledger {
    pub(super) fn new(kinds: usize) -> Ledger {
        Ledger { pools: vec![Vec::new(); kinds], watches: true, ..Ledger::default() }
    }

    /// Returns the number of calls so far.
    #[inline]
    pub(super) fn calls(&self) -> usize {
        self.calls
    }

    /// The living values of a kind.
    #[inline]
    pub(super) fn living(&self, kind: usize) -> &[u32] {
        &self.pools[kind]
    }

    pub(super) fn lives(&self, place: u32) -> bool {
        self.entries.get(place as usize).is_some_and(|entry| entry.lives)
    }

    /// Returns true if a value is there, of a kind, and can be passed in a mode: a `&` cannot be passed as `&mut`,
    /// and a reference is not the value.
    #[inline]
    pub(super) fn offers(&self, place: u32, kind: usize, mode: Mode) -> bool {
        let Some(entry) = self.entries.get(place as usize) else { return false };
        let passes = match entry.access {
            Access::Owned => true,
            Access::Mutable => mode != Mode::Value,
            Access::Shared => mode == Mode::Shared,
        };
        entry.lives && entry.kind as usize == kind && passes
    }

    #[inline]
    pub(super) fn access(&self, place: u32) -> Access {
        self.entries.get(place as usize).map_or(Access::Owned, |entry| entry.access)
    }

    pub(super) fn is_lent(&self, place: u32) -> bool {
        self.entries[place as usize].lent != Lent::Nobody
    }

    /// Returns true if a value borrows from another one.
    pub(super) fn borrows(&self, place: u32) -> bool {
        !self.entries[place as usize].owners.is_empty()
    }

    /// Begins the next call.
    #[inline]
    pub(super) fn open(&mut self) {
        self.calls += 1;
        self.inherited.clear();
    }

    /// Forgets a call that was not made after all, and so has made nothing.
    pub(super) fn withdraw(&mut self) {
        self.calls -= 1;
    }

    /// Claims the first value if no other one was ever of its kind and nobody borrows from it, as it
    /// is with the state of a machine. `false` if more has to be looked into.
    #[inline]
    pub(super) fn claim_first(&mut self, mode: Mode) -> bool {
        let Some(first) = self.entries.first() else { return false };
        let is_free = first.alone && first.claim.get() == Claim::Free && first.lent == Lent::Nobody;
        if is_free {
            first.claim.set(if mode.is_exclusive() { Claim::Exclusive } else { Claim::Shared });
            if mode == Mode::Mutable {
                self.change(0);
            }
        }
        is_free
    }

    /// Returns true if a claim has to end the loans of the value.
    #[inline]
    fn bars(&self, place: u32, mode: Mode) -> bool {
        match self.entries[place as usize].lent {
            Lent::Nobody => false,
            Lent::Shared => mode.is_exclusive(),
            Lent::Mutably => true,
        }
    }

    /// Returns true if no argument of a call borrows from another one that would have to end its loans, and none
    /// could come to hold what does not outlive it.
    #[inline]
    pub(super) fn agree(&self, usages: impl Iterator<Item = Usage> + Clone) -> bool {
        for Usage { place, mode, .. } in usages.clone() {
            if !self.bars(place, mode) {
                continue;
            }
            for other in usages.clone() {
                if self.borrows_from(other.place, place) {
                    return false;
                }
            }
        }
        for holder in usages.clone() {
            if !holder.keeps() {
                continue;
            }
            for other in usages.clone() {
                if other.place != holder.place && !self.is_outlived(other.place, holder.place) {
                    return false;
                }
            }
        }
        true
    }

    /// Returns true if all that a value borrows from was made before another value.
    fn is_outlived(&self, place: u32, holder: u32) -> bool {
        for (owner, _) in &self.entries[place as usize].owners {
            if *owner >= holder {
                return false;
            }
        }
        true
    }

    fn borrows_from(&self, place: u32, owner: u32) -> bool {
        let owners = &self.entries[place as usize].owners;
        owners.iter().any(|(from, _)| *from == owner || self.borrows_from(*from, owner))
    }

    /// Claims a value for the call that is about to run, and lists what has to end for it, the
    /// latest first. `false` if another argument of the same call stands against it.
    #[inline]
    pub(super) fn claim(&mut self, place: u32, mode: Mode, ending: &mut Vec<u32>) -> bool {
        let entry = &self.entries[place as usize];
        let wanted = if mode.is_exclusive() { Claim::Exclusive } else { Claim::Shared };
        match (entry.claim.get(), wanted) {
            (Claim::Free, _) | (Claim::Shared, Claim::Shared) => {}
            _ => return false,
        }
        if self.bars(place, mode) && !self.end_loans(place, ending) {
            return false;
        }
        self.entries[place as usize].claim.set(wanted);
        if mode == Mode::Mutable {
            self.change(place);
        }
        true
    }

    /// Ends everything that borrows from a value.
    fn end_loans(&mut self, owner: u32, ending: &mut Vec<u32>) -> bool {
        for place in (owner + 1..self.entries.len() as u32).rev() {
            let entry = &self.entries[place as usize];
            if entry.lives && entry.owners.iter().any(|(from, _)| *from == owner) {
                if entry.claim.get() != Claim::Free || !self.end_loans(place, ending) {
                    return false;
                }
                self.end(place);
                ending.push(place);
            }
        }
        true
    }

    /// Notes that a value may have changed, and with it whatever it borrows from.
    #[inline]
    fn change(&mut self, place: u32) {
        if self.watches {
            self.note_change(place);
        }
    }

    fn note_change(&mut self, place: u32) {
        let entry = &mut self.entries[place as usize];
        if !entry.changed {
            entry.changed = true;
            self.unchecked.push(place);
        }
        for owner in 0..self.entries[place as usize].owners.len() {
            let (owner, _) = self.entries[place as usize].owners[owner];
            self.note_change(owner);
        }
    }

    /// Gives back what was claimed of a value.
    #[inline]
    pub(super) fn release(&self, place: u32) {
        self.entries[place as usize].claim.set(Claim::Free);
    }

    /// Demands that a value was claimed by `&`, and says what there is of it.
    #[inline]
    pub(super) fn assert_shared(&self, place: u32) -> Access {
        let entry = &self.entries[place as usize];
        assert!(entry.claim.get() == Claim::Shared, "a value is used that the call has not claimed");
        entry.access
    }

    /// Demands that a value was claimed by `&mut` or by value, uses the claim up, and says what there
    /// is of it.
    #[inline]
    pub(super) fn use_exclusively(&self, place: u32) -> Access {
        let entry = &self.entries[place as usize];
        let claim = entry.claim.replace(Claim::Taken);
        assert!(claim == Claim::Exclusive, "a value is used that the call has not claimed");
        entry.access
    }

    /// Notes that the running call sees a value, and with it whatever that borrows from.
    #[inline]
    pub(super) fn see(&mut self, usage: Usage) {
        let owners = &self.entries[usage.place as usize].owners;
        self.inherited.extend_from_slice(owners);
    }

    /// Notes that a value is gone: dropped, or moved into the running call.
    pub(super) fn end(&mut self, place: u32) {
        let entry = &mut self.entries[place as usize];
        if !std::mem::replace(&mut entry.lives, false) {
            return;
        }
        entry.alone = false;
        let (kind, owners) = (entry.kind as usize, std::mem::take(&mut entry.owners));
        if let Some(living) = self.pools[kind].iter().position(|living| *living == place) {
            self.pools[kind].remove(living);
        }
        self.borrowers -= usize::from(!owners.is_empty());
        for (owner, _) in owners {
            self.entries[owner as usize].lent = self.lent_by_the_living(owner);
        }
    }

    /// Returns the loan of a value, told by those who borrow from it: several may hold one mutable loan, for the
    /// ledger does not see which of them has it.
    fn lent_by_the_living(&self, owner: u32) -> Lent {
        let mut lent = Lent::Nobody;
        for entry in &self.entries[owner as usize..] {
            for (from, mode) in &entry.owners {
                if *from == owner {
                    lent = lent.also(*mode);
                }
            }
        }
        lent
    }

    /// Notes what the last call has made and what it borrows from. What is no loan can hold what
    /// others lend all the same, if its kind can.
    pub(super) fn keep(&mut self, kind: usize, access: Access, lent: Option<&[(u32, Mode)]>) {
        let place = self.calls as u32 - 1;
        self.entries.resize(self.calls, Entry::empty());
        let entry = &mut self.entries[place as usize];
        entry.lives = true;
        entry.kind = kind as u32;
        entry.access = access;
        let first = &mut self.entries[0];
        first.alone = place == 0 || (first.alone && first.kind != kind as u32);
        self.pools[kind].push(place);
        self.change(place);
        let Some(lent) = lent else { return };
        for (owner, mode) in lent {
            self.lend(*owner, *mode, place);
        }
        self.inherit(place);
    }

    fn lend(&mut self, owner: u32, mode: Mode, borrower: u32) {
        let lent = &mut self.entries[owner as usize].lent;
        *lent = lent.also(mode);
        let owners = &mut self.entries[borrower as usize].owners;
        self.borrowers += usize::from(owners.is_empty());
        owners.push((owner, mode));
    }

    /// Returns true if anything borrows from anything.
    #[inline]
    pub(super) fn has_loans(&self) -> bool {
        self.borrowers > 0
    }

    /// After a call: what its arguments borrow from may be held by those that can hold it.
    #[inline]
    pub(super) fn settle(&mut self, usages: impl Iterator<Item = Usage>) {
        for usage in usages {
            if usage.keeps() {
                self.inherit(usage.place);
            }
        }
    }

    /// Lets a value hold everything that the arguments of the running call borrow from.
    fn inherit(&mut self, holder: u32) {
        for inherited in 0..self.inherited.len() {
            let (owner, mode) = self.inherited[inherited];
            if owner < holder && !self.entries[holder as usize].owners.contains(&(owner, mode)) {
                self.lend(owner, mode, holder);
            }
        }
    }

    /// A living value that may have changed since it was last asked for and is not lent away, with
    /// its kind.
    #[inline]
    pub(super) fn next_changed(&mut self) -> Option<(u32, usize)> {
        loop {
            let entries = &self.entries;
            let barred = |place: &u32| entries[*place as usize].lent == Lent::Mutably;
            let last = self.unchecked.iter().rposition(|place| !barred(place))?;
            let place = self.unchecked.remove(last);
            let entry = &mut self.entries[place as usize];
            entry.changed = false;
            if entry.lives {
                return Some((place, entry.kind as usize));
            }
        }
    }

    pub(super) fn clear(&mut self) {
        self.calls = 0;
        self.borrowers = 0;
        self.entries.clear();
        self.unchecked.clear();
        self.inherited.clear();
        self.pools.iter_mut().for_each(Vec::clear);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ledger with an owner (0) and what borrows from it (1).
    fn lending(mode: Mode) -> Ledger {
        let mut ledger = Ledger::new(1);
        ledger.open();
        ledger.keep(0, Access::Owned, Some(&[]));
        ledger.open();
        ledger.keep(0, Access::Owned, Some(&[(0, mode)]));
        ledger
    }

    #[test]
    fn a_moved_value_is_gone() {
        let mut ledger = lending(Mode::Shared);
        let mut ending = Vec::new();
        assert!(ledger.claim(0, Mode::Value, &mut ending));
        ledger.end(0);
        assert!(!ledger.lives(0) && !ledger.offers(0, 0, Mode::Shared));
        assert_eq!(ending, [1], "what borrowed from it had to end");
    }

    #[test]
    fn changing_an_owner_ends_its_loans_and_reading_it_ends_only_mutable_ones() {
        for (lent, used, ends) in [
            (Mode::Shared, Mode::Shared, false),
            (Mode::Shared, Mode::Mutable, true),
            (Mode::Mutable, Mode::Shared, true),
        ] {
            let mut ledger = lending(lent);
            let mut ending = Vec::new();
            assert!(ledger.claim(0, used, &mut ending));
            assert_eq!(ledger.lives(1), !ends, "{lent:?} then {used:?}");
        }
    }

    #[test]
    fn a_call_cannot_use_an_owner_and_what_borrows_from_it() {
        let agree = |mode: Mode| {
            let usages = [(0, mode), (1, Mode::Shared)];
            let plain = |(place, mode)| Usage { place, mode, holds: false };
            lending(Mode::Shared).agree(usages.into_iter().map(plain))
        };
        assert!(!agree(Mode::Value) && agree(Mode::Shared));
        let mut ledger = lending(Mode::Mutable);
        assert!(ledger.claim(1, Mode::Shared, &mut Vec::new()));
        assert!(!ledger.claim(0, Mode::Mutable, &mut Vec::new()));
    }

    #[test]
    fn two_arguments_share_a_value_only_by_shared_reference() {
        let mut ledger = lending(Mode::Shared);
        assert!(ledger.claim(1, Mode::Shared, &mut Vec::new()));
        assert!(ledger.claim(1, Mode::Shared, &mut Vec::new()));
        assert!(!ledger.claim(1, Mode::Mutable, &mut Vec::new()));
    }

    #[test]
    fn an_owner_that_was_changed_through_a_loan_is_checked_when_the_loan_has_ended() {
        let mut ledger = lending(Mode::Mutable);
        while ledger.next_changed().is_some() {}
        assert!(ledger.claim(1, Mode::Mutable, &mut Vec::new()));
        ledger.release(1);
        assert_eq!(ledger.next_changed(), Some((1, 0)));
        assert_eq!(ledger.next_changed(), None, "the owner is lent");
        ledger.end(1);
        assert_eq!(ledger.next_changed(), Some((0, 0)));
    }

    /// An owner (0), what borrows from it (1), something to hold it (2), and a call that uses both.
    fn holding(used: Mode, holds: bool) -> Ledger {
        let mut ledger = lending(Mode::Shared);
        ledger.open();
        ledger.keep(0, Access::Owned, Some(&[]));
        let holder = Usage { place: 2, mode: Mode::Shared, holds };
        let usages = [holder, Usage { place: 1, mode: used, holds: true }];
        assert!(ledger.agree(usages.into_iter()));
        ledger.open();
        usages.into_iter().for_each(|usage| ledger.see(usage));
        if used == Mode::Value {
            ledger.end(1);
        }
        ledger.keep(0, Access::Owned, holds.then_some(&[]));
        ledger.settle(usages.into_iter());
        ledger
    }

    #[test]
    fn whatever_a_call_makes_or_sees_may_hold_what_its_arguments_borrow_from() {
        for (used, ended) in [(Mode::Value, vec![3, 2]), (Mode::Shared, vec![3, 2, 1])] {
            let mut ending = Vec::new();
            assert!(holding(used, true).claim(0, Mode::Mutable, &mut ending));
            assert_eq!(ending, ended, "by {used:?}");
        }
        let mut ending = Vec::new();
        assert!(holding(Mode::Value, false).claim(0, Mode::Mutable, &mut ending));
        assert_eq!(ending, [], "what has no lifetime holds nothing");
    }

    #[test]
    fn an_owner_is_lent_until_the_last_borrower_has_ended() {
        let mut ledger = holding(Mode::Shared, true);
        ledger.end(1);
        ledger.end(3);
        assert!(ledger.is_lent(0));
        ledger.end(2);
        assert!(!ledger.is_lent(0));
    }

    #[test]
    fn nothing_comes_to_hold_what_does_not_outlive_it() {
        let mut ledger = Ledger::new(1);
        ledger.open();
        ledger.keep(0, Access::Owned, Some(&[]));
        ledger.open();
        ledger.keep(0, Access::Owned, Some(&[]));
        ledger.open();
        ledger.keep(0, Access::Owned, Some(&[(1, Mode::Shared)]));
        let agree = |holds: bool| {
            let older = Usage { place: 0, mode: Mode::Mutable, holds };
            ledger.agree([older, Usage { place: 2, mode: Mode::Value, holds: true }].into_iter())
        };
        assert!(!agree(true) && agree(false));
    }
}
