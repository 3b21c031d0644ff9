//! Swarm testing: leaving features out of tests, and learning from what was left out.
//!
//! A test that may do everything does a little of each, and some bugs need much of one thing and
//! none of another: a stack overflows where nothing is popped. So most tests get a
//! [`Configuration`] of their own, which leaves some [`Feature`]s out (Groce, Zhang, Eide, Chen,
//! Regehr: *Swarm Testing*, ISSTA 2012). Because the features are left out at random, comparing
//! the tests that failed with the others tells which features trigger a bug and which suppress it.
//!
//! ```
//! use bugnet::swarm::{Feature, Scheme, Swarm};
//!
//! let operations = [Feature::named("push"), Feature::named("pop"), Feature::named("clear")];
//! let swarm = Swarm::new(Scheme::Mix, operations);
//! let configuration = swarm.configuration(0xdead_beef_dead_beef, 0);
//! let mut weights = Vec::new();
//! configuration.weights(&operations, &mut weights);
//! assert!(weights.iter().any(|weight| *weight > 0));
//! ```
//!
//! **Invariant:** a configuration is a function of one random word and a scheme; it holds no list
//! of features, gives the same answer each time, and is the same on any machine.

mod array;
mod code;
mod configuration;
mod constraint;
mod covering;
mod domain;
mod exact;
mod feature;
mod influence;
mod meeting;
pub(crate) mod named;
mod part;
mod record;
mod relation;
mod scheme;
mod share;
pub mod statistics;
mod swarming;
mod table;
mod tally;
mod weight;

pub use configuration::Configuration;
pub use covering::{Free, Ways, covering};
pub use feature::Feature;
pub use influence::{Effect, Influence, influences};
pub use part::Part;
pub use relation::Relations;
pub use scheme::Scheme;
pub use share::Share;
pub use swarming::Swarm;
pub use tally::{Presence, Tally};

pub(crate) use domain::{Domain, Drawn, Values};
pub(crate) use tally::Ending;

/// Spreads each bit of a word over all of it: the finalizer of `SplitMix64` (Steele, Lea, Flood,
/// OOPSLA 2014). Configurations ask related questions (one word, many keys), for which the cheaper
/// mixing of the random stream was not made.
#[inline(always)]
const fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
