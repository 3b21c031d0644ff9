//! Bugnet.
