//! The shrinking challenge: how often, and at what cost, does a peer end at the known minimum?

mod expression;
mod heap;
mod problem;
