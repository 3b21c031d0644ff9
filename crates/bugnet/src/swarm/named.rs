//! Features that a test names itself, asked for wherever it runs.
//!
//! Which of them are on follows from one word, which is part of the test case: the first choice on
//! the tape of a program. Zero leaves everything on, so programs shrink towards all features.

use super::{Configuration, Feature, Share};
use std::cell::{Cell, RefCell};

thread_local! {
    static WORD: Cell<u64> = const { Cell::new(0) };
    /// The features that were asked for in this case, and whether they were on.
    static ASKED: RefCell<Vec<(&'static str, bool)>> = const { RefCell::new(Vec::new()) };
}

/// Begins a case; the word says which features it has.
#[inline]
pub(crate) fn begin(word: u64) {
    WORD.set(word);
    ASKED.with_borrow_mut(Vec::clear);
}

/// Returns the word that says which features the case has.
pub(crate) fn word() -> u64 {
    WORD.get()
}

/// The features that the case has asked for.
pub(crate) fn asked() -> Vec<(&'static str, bool)> {
    ASKED.with_borrow(Vec::clone)
}

/// Returns true if the case has asked for any feature.
pub(crate) fn is_asked() -> bool {
    ASKED.with_borrow(|asked| !asked.is_empty())
}

/// Returns true if a feature is on in the case that is running.
pub fn is_on(name: &'static str) -> bool {
    asked_for(name, Feature::named(name))
}

/// The same for a feature that is left in with a probability of its own.
pub fn is_on_with(name: &'static str, share: f64) -> bool {
    assert!((0.0..=1.0).contains(&share), "the share of the feature {name:?} is {share}: write 0.0 to 1.0");
    asked_for(name, Feature::named(name).with_share(Share::millionths((share * 1e6).round() as u32)))
}

fn asked_for(name: &'static str, feature: Feature) -> bool {
    let on = match WORD.get() {
        0 => true,
        word => Configuration::uniform(word).is_on(feature),
    };
    let is_new = ASKED.with_borrow_mut(|asked| {
        let is_new = !asked.iter().any(|(known, _)| *known == name);
        if is_new {
            asked.push((name, on));
        }
        is_new
    });
    if is_new && !on {
        crate::label::note(|| format!("the feature {name:?} is left out"));
    }
    on
}
