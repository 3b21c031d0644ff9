//! Constraints between features: one requires another, or two exclude each other.
//!
//! Each constraint says that two features are not on and off in one particular way, so what follows
//! from a decision is found by following pairs, and a decision that contradicts nothing decided so far
//! can always be completed: by leaving out everything that is still open.
//!
//! **Invariant:** the states that [`Constraints::decide`] makes hold all that follows from them.

/// The feature is left out.
pub(super) const OFF: u8 = 0;
/// The feature is left in.
pub(super) const ON: u8 = 1;
/// Nothing has decided the feature yet.
pub(super) const FREE: u8 = 2;

/// Pairs of places in a list of features.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Constraints {
    /// If the first is on, the second is on.
    requires: Vec<(usize, usize)>,
    /// The two are never on together.
    excludes: Vec<(usize, usize)>,
}

impl Constraints {
    pub(super) fn require(&mut self, feature: usize, needed: usize) {
        self.requires.push((feature, needed));
    }

    pub(super) fn exclude(&mut self, feature: usize, other: usize) {
        self.excludes.push((feature, other));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.requires.is_empty() && self.excludes.is_empty()
    }

    /// The same constraints on features in another order: `places[old]` is where each has gone.
    pub(super) fn moved(&self, places: &[usize]) -> Constraints {
        let mut moved = Constraints::default();
        for (feature, needed) in &self.requires {
            moved.require(places[*feature], places[*needed]);
        }
        for (feature, other) in &self.excludes {
            moved.exclude(places[*feature], places[*other]);
        }
        moved
    }

    /// Switches a feature on or off, and with it what follows. Returns false, and leaves the states as
    /// they were, if that contradicts what was decided before.
    pub(super) fn decide(&self, states: &mut [u8], feature: usize, state: u8) -> bool {
        if states[feature] != FREE {
            return states[feature] == state;
        }
        if self.is_empty() {
            states[feature] = state;
            return true;
        }
        let mut set = vec![feature];
        let consistent = self.follow(states, state, &mut set);
        if !consistent {
            for place in &set {
                states[*place] = FREE;
            }
        }
        consistent
    }

    /// Decides the only feature in `set`, then all that follows, noting each. Returns false at the
    /// first contradiction.
    fn follow(&self, states: &mut [u8], state: u8, set: &mut Vec<usize>) -> bool {
        states[set[0]] = state;
        let mut done = 0;
        while done < set.len() {
            let place = set[done];
            done += 1;
            for (feature, needed) in &self.requires {
                let consistent = match states[place] {
                    ON if *feature == place => put(states, *needed, ON, set),
                    OFF if *needed == place => put(states, *feature, OFF, set),
                    _ => true,
                };
                if !consistent {
                    return false;
                }
            }
            for (one, other) in &self.excludes {
                if states[place] == ON
                    && ((*one == place && !put(states, *other, OFF, set))
                        || (*other == place && !put(states, *one, OFF, set)))
                {
                    return false;
                }
            }
        }
        true
    }

    /// Returns true if all constraints hold where each feature is on or off.
    pub(super) fn allow(&self, states: &[u8]) -> bool {
        let required = self.requires.iter().all(|(one, two)| states[*one] == OFF || states[*two] == ON);
        required && self.excludes.iter().all(|(one, two)| states[*one] == OFF || states[*two] == OFF)
    }
}

/// Puts a feature into a state and notes it; returns false if it is in the other one.
fn put(states: &mut [u8], place: usize, state: u8, set: &mut Vec<usize>) -> bool {
    if states[place] == FREE {
        states[place] = state;
        set.push(place);
    }
    states[place] == state
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn what_a_feature_needs_comes_with_it_and_what_it_excludes_goes() {
        let mut constraints = Constraints::default();
        constraints.require(0, 1);
        constraints.require(1, 2);
        constraints.exclude(2, 3);
        let mut states = [FREE; 5];
        assert!(constraints.decide(&mut states, 0, ON));
        assert_eq!(states, [ON, ON, ON, OFF, FREE]);
        let mut states = [FREE; 5];
        assert!(constraints.decide(&mut states, 3, ON));
        assert_eq!(states, [OFF, OFF, OFF, ON, FREE]);
        assert!(!constraints.decide(&mut states, 0, ON));
        assert_eq!(states, [OFF, OFF, OFF, ON, FREE], "a decision that fails changes nothing");
    }

    #[test]
    fn a_feature_that_contradicts_itself_is_never_on() {
        let mut constraints = Constraints::default();
        constraints.require(0, 1);
        constraints.exclude(0, 1);
        let mut states = [FREE; 2];
        assert!(!constraints.decide(&mut states, 0, ON));
        assert_eq!(states, [FREE; 2]);
        assert!(constraints.decide(&mut states, 0, OFF) && constraints.decide(&mut states, 1, ON));
    }

    #[test]
    fn whatever_is_decided_can_be_completed_and_the_whole_is_allowed() {
        let pairs = || vec_of((0..6usize, 0..6usize));
        check((pairs(), pairs(), vec_of((0..6usize, any::<bool>()))), |(requires, excludes, wishes)| {
            let mut constraints = Constraints::default();
            requires.iter().for_each(|(one, two)| constraints.require(*one, *two));
            excludes.iter().for_each(|(one, two)| constraints.exclude(*one, *two));
            let mut states = [FREE; 6];
            for (feature, on) in wishes {
                constraints.decide(&mut states, feature, if on { ON } else { OFF });
            }
            for feature in 0..6 {
                assert!(states[feature] != FREE || constraints.decide(&mut states, feature, OFF));
            }
            assert!(constraints.allow(&states), "{states:?}");
        })
        .unwrap();
    }
}
