//! The allocator of a harness: it asks the gauge first, which parks a thread that wants too much.

use bugnet_explore::MemoryLimit;
use std::alloc::{GlobalAlloc, Layout, System};

/// Blocks of 4 MiB, and 32 MiB for all that one thread holds: what is larger takes too long to look at.
pub static GAUGE: MemoryLimit = MemoryLimit::new(4 << 20, 32 << 20);

#[global_allocator]
static ALLOCATOR: Capped = Capped;

struct Capped;

// SAFETY: every call is passed on to the allocator of the system with the same arguments. The gauge
// neither allocates nor unwinds; at most it never returns.
unsafe impl GlobalAlloc for Capped {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        GAUGE.take(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        GAUGE.take(layout.size());
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        GAUGE.give(layout.size());
        // SAFETY: the block is one of the system's, because all are, and has this layout.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // In this order, so that a thread that is parked here is known to hold the old block.
        GAUGE.take(size);
        GAUGE.give(layout.size());
        // SAFETY: the block is one of the system's, because all are, and has this layout.
        unsafe { System.realloc(block, layout, size) }
    }
}
