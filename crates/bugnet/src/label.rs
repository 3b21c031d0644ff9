//! Labels: what a property says about its cases.
//!
//! `collect!`, `classify!` and `cover!` label the case that is running, `note!` leaves a line for
//! the report of the final case. The macros have no handle on the run, so the labels are kept per
//! thread; the number of the case tells when a new one has begun.
//!
//! **Invariant:** a case counts once for each of its labels, and not at all if it was discarded.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt::Debug;
use std::rc::Rc;

thread_local! {
    static CURRENT: RefCell<Labels> = RefCell::new(Labels::default());
    static NOTES: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// The labels of the cases of one run.
///
/// ```
/// use bugnet::prelude::*;
///
/// let passed = check(0..10u8, |x| collect!(if x < 3 { "small" } else { "large" })).unwrap();
/// let counts = &passed.labels.counts;
/// assert_eq!(counts["small"] + counts["large"], passed.tests);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Labels {
    case: Rc<Cell<u64>>,
    open: Option<(u64, Case)>,
    /// The number of cases with each combination of labels from `collect!` and `classify!`.
    pub counts: HashMap<String, u64>,
    /// The number of cases that `cover!` saw for each of its labels, and the share that it demands.
    pub covers: Vec<(String, Cover)>,
}

/// The demand of a `cover!`, and the cases that it saw.
///
/// ```
/// use bugnet::prelude::*;
///
/// let passed = check(0..10u8, |x| cover!(30, x % 2 == 0, "even")).unwrap();
/// let (label, cover) = &passed.labels.covers[0];
/// assert_eq!((label.as_str(), cover.percent), ("even", 30.0));
/// assert!(cover.hits >= 5);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cover {
    /// The share of the cases, in percent, that must have the label.
    pub percent: f64,
    /// The number of cases that had it.
    pub hits: u64,
}

impl Cover {
    /// Returns true if this few hits would be next to impossible under the demanded share: the upper end of
    /// Wilson's interval (1927), at 99.9%, lies below it.
    pub(crate) fn is_missed(&self, cases: u64) -> bool {
        const Z: f64 = 3.290_5;
        let n = cases as f64;
        let share = self.hits as f64 / n;
        let middle = share + Z * Z / (2.0 * n);
        let reach = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        (middle + reach) / (1.0 + Z * Z / n) < self.percent / 100.0
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Case {
    labels: Vec<String>,
    covers: Vec<(String, Cover)>,
}

impl Labels {
    fn open(&mut self) -> &mut Case {
        let now = self.case.get();
        if self.open.as_ref().is_some_and(|(case, _)| *case != now) {
            self.close();
        }
        &mut self.open.get_or_insert_with(|| (now, Case::default())).1
    }

    fn close(&mut self) {
        let Some((_, case)) = self.open.take() else { return };
        if !case.labels.is_empty() {
            *self.counts.entry(case.labels.join(", ")).or_default() += 1;
        }
        for (label, cover) in case.covers {
            add_cover(&mut self.covers, &label, cover);
        }
    }
}

/// Adds what `cover!` has seen to what it saw before. There are as many labels as there are
/// `cover!`s in the property: too few to be looked up by anything but their order.
fn add_cover(covers: &mut Vec<(String, Cover)>, label: &str, Cover { percent, hits }: Cover) {
    match covers.iter_mut().find(|(known, _)| known == label) {
        Some((_, cover)) => *cover = Cover { percent, hits: cover.hits + hits },
        None => covers.push((label.to_string(), Cover { percent, hits })),
    }
}

/// Changes the labels of this thread.
fn on_current(change: &mut dyn FnMut(&mut Labels)) {
    CURRENT.with_borrow_mut(change);
}

/// Starts counting for a run whose current case is told by `case`.
pub(crate) fn begin(case: Rc<Cell<u64>>) -> Labels {
    CURRENT.replace(Labels { case, ..Labels::default() })
}

/// Lets another source tell which case is running.
pub(crate) fn follow(case: Rc<Cell<u64>>) {
    on_current(&mut |labels| labels.case = Rc::clone(&case));
}

/// Adds labels that another process has counted.
pub(crate) fn absorb(counted: Labels) {
    on_current(&mut |labels| {
        for (label, count) in &counted.counts {
            *labels.counts.entry(label.clone()).or_default() += count;
        }
        for (label, cover) in &counted.covers {
            add_cover(&mut labels.covers, label, *cover);
        }
    });
}

/// Goes back to the labels of an outer run and hands out those of this one.
pub(crate) fn end(outer: Labels) -> Labels {
    let mut labels = CURRENT.replace(outer);
    labels.close();
    labels
}

/// Runs one check, and returns its labels as well. It may happen within a case that has labels of its own.
pub fn labelled<R>(run: impl FnOnce() -> R) -> (R, Labels) {
    let outer = begin(Rc::default());
    let result = run();
    (result, end(outer))
}

/// Counts the labels of the case that has just passed.
pub(crate) fn finish() {
    on_current(&mut Labels::close);
}

/// Forgets the labels of the current case; those of an earlier one that still waits count.
pub(crate) fn discard() {
    on_current(&mut |labels| {
        let now = labels.case.get();
        if labels.open.as_ref().is_some_and(|(case, _)| *case == now) {
            labels.open = None;
        }
        labels.close();
    });
}

/// Runs with notes kept, and returns them.
pub(crate) fn with_notes<R>(run: impl FnOnce() -> R) -> (R, Vec<String>) {
    let outer = NOTES.replace(Some(Vec::new()));
    let result = run();
    (result, NOTES.replace(outer).unwrap_or_default())
}

#[doc(hidden)]
pub fn collect(label: &dyn Debug) {
    // A text is its own label, without the quotes of `Debug`.
    let label = format!("{label:?}");
    classify(label.trim_matches('"'));
}

#[doc(hidden)]
pub fn classify(name: &str) {
    on_current(&mut |labels| labels.open().labels.push(name.to_string()));
}

#[doc(hidden)]
pub fn cover(percent: f64, hit: bool, name: &str) {
    on_current(&mut |labels| {
        let covers = &mut labels.open().covers;
        let seen = covers.iter().any(|(label, cover)| label == name && cover.hits > 0);
        add_cover(covers, name, Cover { percent, hits: u64::from(hit && !seen) });
    });
}

#[doc(hidden)]
pub fn note(text: impl FnOnce() -> String) {
    if NOTES.with_borrow(Option::is_some) {
        let text = text();
        NOTES.with_borrow_mut(|notes| notes.iter_mut().for_each(|notes| notes.push(text.clone())));
    }
}
