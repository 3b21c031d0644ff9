//! The gauge: how much memory the exploring thread holds, and when it asks for too much.
//!
//! Calls that ask for a terabyte are common when arguments are drawn, and both ways of refusing them do
//! harm: an abort ends the process, and unwinding out of an allocation finds faults that no other program
//! can meet. So the thread that asks is parked for ever, and another one goes on.
//!
//! **Invariant:** what is called by the allocator allocates nothing, and only threads that were
//! [confined](MemoryLimit::confine) are ever parked.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The memory that one thread holds.
struct Holding {
    confined: Cell<bool>,
    /// Bytes; below zero if the thread gave back what others had taken.
    bytes: Cell<isize>,
    /// Allocations since the thread began, whether or not they were freed: their bytes, and [`BLOCK`] for
    /// each.
    taken: Cell<u64>,
}

/// Bytes that an allocation counts in addition to its size: allocating takes about as long as filling these.
const BLOCK: u64 = 64;

thread_local! {
    static HOLDING: Holding =
        const { Holding { confined: Cell::new(false), bytes: Cell::new(0), taken: Cell::new(0) } };
}

/// Measures what confined threads take, and parks one that wants more than there is.
#[derive(Debug)]
pub struct MemoryLimit {
    /// The largest block.
    block: usize,
    /// The most that one thread may hold.
    total: usize,
    /// One more than what the last parked thread wanted to hold, until it is read.
    wanted: AtomicUsize,
    /// Bytes that parked threads hold.
    lost: AtomicUsize,
}

impl MemoryLimit {
    /// A gauge with the largest block, and the most that a thread may hold, in bytes.
    pub const fn new(block: usize, total: usize) -> MemoryLimit {
        MemoryLimit { block, total, wanted: AtomicUsize::new(0), lost: AtomicUsize::new(0) }
    }

    /// Subjects this thread to the limit from now on.
    pub fn confine(&self) {
        HOLDING.with(|holding| {
            holding.confined.set(true);
            holding.bytes.set(0);
        });
    }

    /// Works with memory that is not measured: what is kept beside the programs is not theirs.
    pub(crate) fn spare<T>(&self, work: impl FnOnce() -> T) -> T {
        let (confined, bytes) =
            HOLDING.with(|holding| (holding.confined.replace(false), holding.bytes.get()));
        let result = work();
        HOLDING.with(|holding| {
            holding.confined.set(confined);
            holding.bytes.set(bytes);
        });
        result
    }

    /// The thread takes a block. It never returns from here if it takes too much.
    ///
    /// It is not inlined: a harness is compiled without optimizing, and allocates all the time.
    #[inline(never)]
    pub fn take(&self, size: usize) {
        // The thread may be ending, and then it is confined no more.
        let _ = HOLDING.try_with(|holding| {
            let bytes = holding.bytes.get().wrapping_add_unsigned(size);
            if holding.confined.get() {
                if size > self.block || bytes > self.total as isize {
                    self.park(holding, size);
                }
                holding.taken.set(holding.taken.get() + BLOCK + size as u64);
            }
            holding.bytes.set(bytes);
        });
    }

    /// The thread gives a block back.
    #[inline(never)]
    pub fn give(&self, size: usize) {
        let _ =
            HOLDING.try_with(|holding| holding.bytes.set(holding.bytes.get().wrapping_sub_unsigned(size)));
    }

    #[cold]
    fn park(&self, holding: &Holding, size: usize) {
        // Parking may itself allocate.
        holding.confined.set(false);
        let bytes = usize::try_from(holding.bytes.get()).unwrap_or_default();
        self.lost.fetch_add(bytes, Ordering::Relaxed);
        let wanted = if size > self.block { size } else { bytes.saturating_add(size) };
        self.wanted.store(wanted.saturating_add(1), Ordering::Release);
        loop {
            std::thread::park();
        }
    }

    /// Returns the allocations of this thread so far, also those that were freed. Allocations that are
    /// [spared](MemoryLimit::spare) are left out. The result is the same in every run of the same calls, whatever
    /// else the machine does.
    pub(crate) fn taken(&self) -> u64 {
        HOLDING.with(|holding| holding.taken.get())
    }

    /// Returns the bytes that a thread asked for when it was parked, if one was parked since the last call.
    pub fn exhausted(&self) -> Option<usize> {
        self.wanted.swap(0, Ordering::Acquire).checked_sub(1)
    }

    /// Returns the number of bytes that parked threads hold for ever.
    pub fn lost(&self) -> usize {
        self.lost.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_is_spared_is_not_measured() {
        static GAUGE: MemoryLimit = MemoryLimit::new(100, 300);
        let work = |gauge: &MemoryLimit| {
            gauge.confine();
            gauge.take(60);
            gauge.spare(|| gauge.take(1_000));
            (0..3).for_each(|_| gauge.take(60));
        };
        assert_eq!(parked(&GAUGE, work), None);
        let more = move |gauge: &MemoryLimit| {
            work(gauge);
            gauge.take(80);
        };
        assert_eq!(parked(&GAUGE, more), Some(320));
    }

    /// Returns the bytes that a thread asked for when it was parked, or `None` if it finished.
    fn parked(
        gauge: &'static MemoryLimit,
        work: impl FnOnce(&MemoryLimit) + Send + 'static,
    ) -> Option<usize> {
        let thread = std::thread::spawn(move || work(gauge));
        loop {
            let is_finished = thread.is_finished();
            match gauge.exhausted() {
                None if is_finished => return None,
                None => std::thread::sleep(Duration::from_millis(1)),
                wanted => return wanted,
            }
        }
    }

    #[test]
    fn what_was_taken_counts_though_it_is_given_back_and_what_is_spared_does_not() {
        static GAUGE: MemoryLimit = MemoryLimit::new(100, 1_000);
        let taken = std::thread::spawn(|| {
            GAUGE.take(90);
            GAUGE.confine();
            GAUGE.take(60);
            GAUGE.give(60);
            GAUGE.spare(|| GAUGE.take(1_000));
            GAUGE.take(40);
            GAUGE.taken()
        });
        assert_eq!(taken.join().unwrap(), 100 + 2 * BLOCK);
    }

    #[test]
    fn a_confined_thread_is_parked_at_a_block_that_is_too_large() {
        static GAUGE: MemoryLimit = MemoryLimit::new(100, 1_000);
        let wanted = parked(&GAUGE, |gauge| {
            gauge.confine();
            gauge.take(100);
            gauge.take(101);
        });
        assert_eq!((wanted, GAUGE.lost()), (Some(101), 100));
    }

    #[test]
    fn a_confined_thread_is_parked_when_it_holds_too_much() {
        static GAUGE: MemoryLimit = MemoryLimit::new(100, 1_000);
        let wanted = parked(&GAUGE, |gauge| {
            gauge.confine();
            (0..100).for_each(|_| gauge.take(30));
        });
        assert_eq!((wanted, GAUGE.lost()), (Some(1_020), 990));
    }

    #[test]
    fn what_is_given_back_can_be_taken_again_and_other_threads_take_what_they_like() {
        static GAUGE: MemoryLimit = MemoryLimit::new(100, 1_000);
        let gives_back = |gauge: &MemoryLimit| {
            gauge.confine();
            (0..100).for_each(|_| {
                gauge.take(90);
                gauge.give(90);
            });
        };
        assert_eq!(parked(&GAUGE, gives_back), None);
        assert_eq!(parked(&GAUGE, |gauge| gauge.take(usize::MAX)), None);
    }
}
