//! Relations between features, as a user states them.
//!
//! **Invariant:** a relation names features, not places in a list.

use super::Feature;
use super::constraint::Constraints;
use crate::list::place_of;

/// Which features require and which exclude others.
///
/// ```
/// use bugnet::swarm::{Feature, Relations};
///
/// let [simd, relaxed, old] = ["simd", "relaxed-simd", "mvp-only"].map(Feature::named);
/// let relations = Relations::default().requires(relaxed, simd).excludes(simd, old);
/// assert!(!relations.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Relations {
    requires: Vec<(Feature, Feature)>,
    excludes: Vec<(Feature, Feature)>,
}

impl Relations {
    /// Has one feature off wherever another is off.
    ///
    /// ```
    /// use bugnet::swarm::{Feature, Relations};
    ///
    /// let relations = Relations::default().requires(Feature::named("bitfields"), Feature::named("structs"));
    /// assert_ne!(relations, Relations::default());
    /// ```
    #[inline]
    pub fn requires(mut self, feature: Feature, needed: Feature) -> Relations {
        self.requires.push((feature, needed));
        self
    }

    /// Has two features never on together.
    ///
    /// ```
    /// use bugnet::swarm::{Feature, Relations};
    ///
    /// let relations = Relations::default().excludes(Feature::named("tabs"), Feature::named("spaces"));
    /// assert_ne!(relations, Relations::default());
    /// ```
    #[inline]
    pub fn excludes(mut self, feature: Feature, other: Feature) -> Relations {
        self.excludes.push((feature, other));
        self
    }

    /// Returns true if no relation is left.
    ///
    /// ```
    /// assert!(bugnet::swarm::Relations::default().is_empty());
    /// ```
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.requires.is_empty() && self.excludes.is_empty()
    }

    /// The same by places in a list, to which features are added that it lacks.
    pub(super) fn constraints(&self, features: &mut Vec<Feature>) -> Constraints {
        let mut constraints = Constraints::default();
        for (feature, needed) in &self.requires {
            let (feature, needed) = (place(features, *feature), place(features, *needed));
            constraints.require(feature, needed);
        }
        for (feature, other) in &self.excludes {
            let (feature, other) = (place(features, *feature), place(features, *other));
            constraints.exclude(feature, other);
        }
        constraints
    }
}

fn place(features: &mut Vec<Feature>, feature: Feature) -> usize {
    place_of(features, &feature).unwrap_or_else(|| {
        features.push(feature);
        features.len() - 1
    })
}
