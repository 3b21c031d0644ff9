//! Work that outlives its process: the journal of what is in flight, and the child that runs a
//! case which may kill it.

mod journal;

pub(crate) use journal::{Flight, Journal};
