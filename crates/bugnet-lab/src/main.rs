//! Bugnet.
fn main() {}
