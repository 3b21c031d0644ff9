//! Work that outlives its process: the journal of what is in flight, and the child that runs cases
//! which may kill it.

mod child;
mod journal;
mod pipe;
mod serve;

pub(crate) use child::{Answer, Child, VARIABLE, unescape};
pub(crate) use journal::{Flight, Journal};
pub(crate) use serve::serve;
