//! Reasons: the features that influence one failure, as reports show them.
//!
//! **Invariant:** what is a trigger or a suppressor is decided by the library, by one rule for every campaign.

use super::campaign::Influence;
use bugnet::swarm::{self, Effect};

/// The features that influence one failure, the strongest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Reasons {
    pub(crate) triggers: Vec<Influence>,
    pub(crate) suppressors: Vec<Influence>,
    pub(crate) others: Vec<Influence>,
}

impl Reasons {
    /// Sorts the influences on one failure by their effects.
    pub(crate) fn of(influences: impl IntoIterator<Item = swarm::Influence>) -> Reasons {
        let mut reasons = Reasons::default();
        for influence in influences {
            let kind = match influence.effect {
                Effect::Trigger => &mut reasons.triggers,
                Effect::Suppressor => &mut reasons.suppressors,
                Effect::Neither | Effect::NotEnough => &mut reasons.others,
            };
            kind.push(shown(influence));
        }
        reasons
    }
}

/// Returns an influence as reports show it.
fn shown(influence: swarm::Influence) -> Influence {
    Influence {
        failing_with: influence.failing_with,
        failing: influence.failing_with + influence.failing_without,
        all_with: influence.all_with,
        all: influence.all_with + influence.all_without,
        expected: influence.expected,
        interval: influence.interval,
        p: influence.p,
        q: influence.q,
        is_undecided: influence.effect == Effect::NotEnough,
        feature: influence.feature,
    }
}
