//! Types that know what to test them with: `#[machine]` and `#[api]` write this for them.

use super::suite::Suite;

/// A type with a suite of its own.
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::program::{Api, Programs};
///
/// struct Counter(u8);
///
/// #[machine]
/// impl Counter {
///     fn new() -> Self {
///         Counter(0)
///     }
///     fn add(&mut self, by: u8) {
///         self.0 = self.0.wrapping_add(by);
///     }
///     #[invariant]
///     fn is_small(&self) -> bool {
///         self.0 < 200
///     }
/// }
///
/// let failed = Property::new("counter").run(&Programs::new(Counter::suite())).unwrap_err();
/// assert_eq!(failed.arguments[1].to_string(), "counter.add(200);");
/// ```
pub trait Api: Sized + 'static {
    /// What the programs over this type are made of.
    fn suite() -> Suite;
}
