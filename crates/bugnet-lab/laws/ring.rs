//! ringbuffer@0.16.0, fresh

use bugnet::prelude::*;
use ringbuffer::{AllocRingBuffer, RingBuffer};

/// "Returns the value at the front of the queue. This is the value that will be overwritten by the next push and also the value
/// pushed the longest ago."
#[law]
fn a_push_overwrites_the_front_of_a_full_buffer(mut ring: AllocRingBuffer<u8>, value: u8) {
    let (mut values, is_full) = (ring.to_vec(), ring.is_full());
    classify!(is_full, "full");
    let front = ring.front().copied();
    assert_eq!(front, values.first().copied());
    ring.push(value);
    if is_full {
        values.remove(0);
    }
    values.push(value);
    assert_eq!(ring.to_vec(), values);
}

/// "dequeues the top item off the ringbuffer, and moves this item out."
#[law]
fn what_is_dequeued_was_the_front(mut ring: AllocRingBuffer<u8>) {
    let values = ring.to_vec();
    assert_eq!(ring.dequeue(), values.first().copied());
    assert_eq!(ring.to_vec(), values[values.len().min(1)..]);
}
