//! The counters of a harness: the compiler has put one at every branch of the code under test.

unsafe extern "C" {
    // Of the profiler runtime, which comes with the compiler.
    fn __llvm_profile_begin_counters() -> *mut u64;
    fn __llvm_profile_end_counters() -> *mut u64;
}

/// Stands for the part of the runtime that writes a file when the process ends, so that it is not linked.
#[unsafe(no_mangle)]
pub static __llvm_profile_runtime: i32 = 0;

/// Lends all counters.
pub fn lend(look: &mut dyn FnMut(&mut [u64])) {
    // SAFETY: the runtime says where the compiler's counters begin and end. Nothing else counts while they
    // are lent: the library has no counters, one thread runs programs, and others that did are parked.
    let counters = unsafe {
        let (start, end) = (__llvm_profile_begin_counters(), __llvm_profile_end_counters());
        std::slice::from_raw_parts_mut(start, end.offset_from(start) as usize)
    };
    look(counters)
}
