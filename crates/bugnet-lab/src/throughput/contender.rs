//! Who is measured: the rows of the table, each a name and a way to run a shape.
//!
//! A contender generates in its own idiom with its own default values; only sizes are set, to
//! those of [`Shape`]. Adding one is a file that exports `run` and a line in [`all`].

use super::shape::Shape;
#[cfg(feature = "peers")]
use super::{arbtest, bolero, proptest, quickcheck};
use super::{bugnet, plain_loop};

#[cfg(feature = "hegel")]
use super::hegel;

/// The seed of every contender that lets us choose one.
pub const SEED: u64 = 0x5EED;

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Contender {
    pub name: &'static str,
    /// Runs the property of a shape on this many cases.
    pub run: fn(Shape, u64),
}

/// Every contender this executable was built with; the floor comes first.
pub fn all() -> Vec<Contender> {
    vec![
        Contender { name: "loop", run: plain_loop::run },
        Contender { name: "bugnet", run: bugnet::run },
        Contender { name: "bugnet-by-value", run: bugnet::run_by_value },
        #[cfg(feature = "peers")]
        Contender { name: "quickcheck", run: quickcheck::run },
        #[cfg(feature = "peers")]
        Contender { name: "bolero", run: bolero::run },
        #[cfg(feature = "peers")]
        Contender { name: "proptest", run: proptest::run },
        #[cfg(feature = "peers")]
        Contender { name: "arbtest", run: arbtest::run },
        #[cfg(feature = "hegel")]
        Contender { name: "hegel", run: hegel::run },
    ]
}

/// The contender of that name.
pub fn named(name: &str) -> Option<Contender> {
    all().into_iter().find(|contender| contender.name == name)
}
