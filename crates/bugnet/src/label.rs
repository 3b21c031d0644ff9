//! Labels: what a property says about its cases.
//!
//! `collect!`, `classify!` and `cover!` label the case that is running, `note!` leaves a line for
//! the report of the final case. The macros have no handle on the run, so the labels are kept per
//! thread; the number of the case tells when a new one has begun.
//!
//! A program asks a check many times, so a label in a check counts for that check and not for the case.
//!
//! **Invariant:** a case counts once for each of its labels, and not at all if it was discarded; so does a check.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt::Debug;
use std::rc::Rc;

thread_local! {
    static CURRENT: RefCell<Labels> = RefCell::new(Labels::default());
    /// The number of checks that this thread has begun, times two, and one more while it is in one.
    static CHECKS: Cell<u64> = const { Cell::new(0) };
    /// True while labels that a case lacks are noted too.
    static NOTES_ABSENT: Cell<bool> = const { Cell::new(false) };
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
    /// The labels of the checks and invariants of programs.
    pub checks: Box<Checks>,
    /// The check that is open, by its number.
    open_check: Option<Box<(u64, Case)>>,
    /// The number of the first check of the run.
    first_check: u64,
}

/// The labels of the checks of one run.
///
/// ```
/// use bugnet::campaign::Checks;
///
/// assert_eq!(Checks::default().made, 0);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Checks {
    /// The number of checks, with labels or without.
    pub made: u64,
    /// The number of checks with each combination of labels.
    pub counts: HashMap<String, u64>,
    /// The number of checks that `cover!` saw for each of its labels, and the share that it demands.
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
        let check = CHECKS.get();
        if check & 1 == 1 {
            if self.open_check.as_ref().is_some_and(|open| open.0 != check) {
                self.close_check();
            }
            return &mut self.open_check.get_or_insert_with(|| Box::new((check, Case::default()))).1;
        }
        let now = self.case.get();
        if self.open.as_ref().is_some_and(|(case, _)| *case != now) {
            self.close();
        }
        &mut self.open.get_or_insert_with(|| (now, Case::default())).1
    }

    fn close_check(&mut self) {
        let Some(open) = self.open_check.take() else { return };
        let (_, case) = *open;
        if !case.labels.is_empty() {
            *self.checks.counts.entry(case.labels.join(", ")).or_default() += 1;
        }
        for (label, cover) in case.covers {
            add_cover(&mut self.checks.covers, &label, cover);
        }
    }

    fn close(&mut self) {
        self.close_check();
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
    CURRENT.replace(Labels { case, first_check: CHECKS.get() >> 1, ..Labels::default() })
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
        labels.checks.made += counted.checks.made;
        for (label, count) in &counted.checks.counts {
            *labels.checks.counts.entry(label.clone()).or_default() += count;
        }
        for (label, cover) in &counted.checks.covers {
            add_cover(&mut labels.checks.covers, label, *cover);
        }
    });
}

/// Goes back to the labels of an outer run and hands out those of this one.
pub(crate) fn end(outer: Labels) -> Labels {
    let mut labels = CURRENT.replace(outer);
    labels.close();
    labels.checks.made += (CHECKS.get() >> 1) - labels.first_check;
    labels
}

/// Begins a check. What it labels counts for it alone.
#[inline]
pub(crate) fn enter_check() {
    CHECKS.set((CHECKS.get() | 1) + 2);
}

/// Ends a check, also one that has panicked.
#[inline]
pub(crate) fn leave_check() {
    CHECKS.set(CHECKS.get() & !1);
}

/// Runs one check, and returns its labels as well; those that it lacks have a count of zero. It may happen within a case
/// that has labels of its own.
pub fn labelled<R>(run: impl FnOnce() -> R) -> (R, Labels) {
    let outer = begin(Rc::default());
    let notes_absent = NOTES_ABSENT.replace(true);
    let result = run();
    NOTES_ABSENT.set(notes_absent);
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
            labels.open_check = None;
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

/// Notes that a case lacks a label, where anybody wants to know.
#[doc(hidden)]
#[inline]
pub fn absent(name: impl FnOnce() -> String) {
    if NOTES_ABSENT.get() {
        let name = name();
        on_current(&mut |labels| {
            labels.counts.entry(name.clone()).or_default();
        });
    }
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
