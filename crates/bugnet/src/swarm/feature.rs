//! Features: what can be left out of a test.
//!
//! **Invariant:** a feature is its name. The key of a name is the same on any machine and in any
//! version, since stored configurations answer by it.

use super::{Share, mix};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// Something that can be left out of tests: an operation, an alternative of an enum, a class of
/// values, or whatever a test names.
///
/// Two features are equal if they have the same name.
///
/// ```
/// use bugnet::swarm::Feature;
///
/// const PUSH: Feature = Feature::named("push");
/// assert_eq!(PUSH, Feature::named("push"));
/// assert_ne!(PUSH, Feature::named("pop"));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Feature {
    key: u64,
    share: Option<Share>,
    by_default: bool,
}

impl Feature {
    /// The name of the feature of integers at the ends of their types and at powers of two.
    pub(crate) const BOUNDARY_INTEGERS: &str = "boundary integers";
    pub(crate) const BOUNDARIES: Feature = Feature::named(Feature::BOUNDARY_INTEGERS);

    /// The feature of a name.
    ///
    /// ```
    /// use bugnet::swarm::Feature;
    ///
    /// assert_eq!(Feature::named("push").key(), 0x2639_22f4_e465_9826);
    /// ```
    pub const fn named(name: &str) -> Feature {
        // Mixed, since short names leave the upper bits of the hash alike.
        Feature { key: mix(hashed(EMPTY, name)), share: None, by_default: true }
    }

    /// The feature named `label::name`.
    pub(crate) const fn within(label: &str, name: &str) -> Feature {
        let key = mix(hashed(hashed(hashed(EMPTY, label), "::"), name));
        Feature { key, share: None, by_default: true }
    }

    /// Gives the feature a probability of its own, which replaces that of the scheme wherever
    /// features are left out at random.
    ///
    /// Where one feature is expected to hold most of the faults it should be left out less often
    /// than the others (the swarm paper, section 3.1.1, on `rename`); with [`Share::ALL`] it is
    /// never left out.
    ///
    /// ```
    /// use bugnet::swarm::{Feature, Scheme, Share, Swarm};
    ///
    /// let new = Feature::named("new").with_share(Share::ALL);
    /// let swarm = Swarm::new(Scheme::Uniform, [new]);
    /// assert!((1..100).all(|word| swarm.configuration(word, 0).is_on(new)));
    /// ```
    pub const fn with_share(self, share: Share) -> Feature {
        Feature { share: Some(share), ..self }
    }

    /// Leaves the feature out of tests that have everything: it is off unless it is drawn. For what most
    /// users of a program never turn on.
    ///
    /// ```
    /// use bugnet::swarm::{Configuration, Feature, Scheme, Swarm};
    ///
    /// let float = Feature::named("float").off_by_default();
    /// assert!(!Configuration::ALL.is_on(float));
    /// let swarm = Swarm::new(Scheme::Uniform, [float]);
    /// assert!((1..100).any(|word| swarm.configuration(word, 0).is_on(float)));
    /// ```
    pub const fn off_by_default(self) -> Feature {
        Feature { by_default: false, ..self }
    }

    /// Returns true if tests that have everything have the feature.
    ///
    /// ```
    /// use bugnet::swarm::Feature;
    ///
    /// assert!(Feature::named("push").is_on_by_default());
    /// ```
    pub const fn is_on_by_default(self) -> bool {
        self.by_default
    }

    /// The hash of the name.
    ///
    /// ```
    /// use bugnet::swarm::Feature;
    ///
    /// let push = Feature::named("push");
    /// assert_eq!(push.key(), Feature::named("push").key());
    /// ```
    pub const fn key(self) -> u64 {
        self.key
    }

    /// The probability that was given to this feature, if any.
    ///
    /// ```
    /// use bugnet::swarm::{Feature, Share};
    ///
    /// assert_eq!(Feature::named("push").share(), None);
    /// assert_eq!(Feature::named("push").with_share(Share::HALF).share(), Some(Share::HALF));
    /// ```
    pub const fn share(self) -> Option<Share> {
        self.share
    }
}

/// The hash of no text.
const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

/// Goes on with a hash: FNV-1a (Fowler, Noll, Vo).
const fn hashed(mut hash: u64, text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut index = 0;
    while index < bytes.len() {
        hash = (hash ^ bytes[index] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        index += 1;
    }
    hash
}

impl PartialEq for Feature {
    fn eq(&self, other: &Feature) -> bool {
        self.key == other.key
    }
}

impl Eq for Feature {}

impl PartialOrd for Feature {
    fn partial_cmp(&self, other: &Feature) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Feature {
    fn cmp(&self, other: &Feature) -> Ordering {
        self.key.cmp(&other.key)
    }
}

impl Hash for Feature {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn keys_are_fixed_for_all_time() {
        assert_eq!(Feature::named("").key(), 0xf52a_15e9_a9b5_e89b);
        assert_eq!(Feature::named("push").key(), 0x2639_22f4_e465_9826);
    }

    #[test]
    fn a_feature_in_parts_is_the_whole() {
        assert_eq!(Feature::within("Exp", "Div"), Feature::named("Exp::Div"));
    }

    #[test]
    fn a_feature_is_its_name_whatever_its_share() {
        let (plain, likely) = (Feature::named("push"), Feature::named("push").with_share(Share::ALL));
        assert_eq!(plain, likely);
        assert_eq!(plain.cmp(&likely), Ordering::Equal);
    }

    #[test]
    fn different_names_are_different_features() {
        check((any::<String>(), any::<String>()), |(a, b)| {
            assert_eq!(Feature::named(&a) == Feature::named(&b), a == b);
        })
        .unwrap();
    }
}
