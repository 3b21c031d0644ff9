//! The entropy of a harness: it stands before the system's, so that a run can be the same every time.

use std::fs::File;
use std::io::Read;

/// Fills in random bytes. The standard library asks for them here when it makes the keys of a hash map.
///
/// # Safety
///
/// Bytes for which there is room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getrandom(buffer: *mut u8, length: usize, _flags: u32) -> isize {
    // SAFETY: the caller keeps the contract of `getrandom`, and zero is a byte.
    let bytes = unsafe {
        buffer.write_bytes(0, length);
        std::slice::from_raw_parts_mut(buffer, length)
    };
    let from_system = |bytes: &mut [u8]| File::open("/dev/urandom")?.read_exact(bytes);
    if bugnet_explore::entropy(bytes) || from_system(bytes).is_ok() { length as isize } else { -1 }
}
