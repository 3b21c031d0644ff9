//! Proving: findings become bugs with a minimal program, and bugs become tests that fail.
//!
//! **Invariant:** a bug whose test was not seen to fail is not called proven.

pub(crate) mod proof;
pub(crate) mod reduce;
pub(crate) mod test;
pub(crate) mod written;
