//! The bugs that a run of Hegel reports.
//!
//! Hegel tells failures apart by where they panic, reports one for each place if it is asked to, and runs
//! each of them once more before that. So the last failure at a place is the one that is reported.
//!
//! **Invariant:** what is asked of the run is asked of nothing but what Hegel has run.

use hegel::{Database, HealthCheck, Settings, TestCase, Verbosity};
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, Location};
use std::sync::Once;

/// The settings of a run of Hegel.
#[derive(Debug, Clone, Copy)]
pub struct Hegel {
    pub seed: u64,
    pub cases: u64,
    /// True if it goes on after a failure and reports one for each place.
    pub multiple: bool,
}

thread_local! {
    static PANICKED_AT: RefCell<String> = const { RefCell::new(String::new()) };
}

impl Hegel {
    /// Runs a test: what the failures are about that it reports. `about` says it of the case that has just
    /// failed.
    pub fn run<T>(self, test: impl Fn(TestCase), about: &dyn Fn() -> T) -> Vec<T> {
        watch_panics();
        let settings = Settings::new()
            .seed(Some(self.seed))
            .test_cases(self.cases)
            .database(Database::Disabled)
            .verbosity(Verbosity::Quiet)
            .print_blob(false)
            .report_multiple_failures(self.multiple)
            .stop_on_first_failure(!self.multiple)
            .suppress_health_check([HealthCheck::FilterTooMuch, HealthCheck::TooSlow]);
        let failed: RefCell<Vec<(String, T)>> = RefCell::default();
        let watched = |case: TestCase| {
            let outcome = panic::catch_unwind(AssertUnwindSafe(|| test(case)));
            if let Err(payload) = outcome {
                if payload.is::<String>() || payload.is::<&'static str>() {
                    let place = PANICKED_AT.take();
                    let mut failed = failed.borrow_mut();
                    failed.retain(|(other, _)| *other != place);
                    failed.push((place, about()));
                }
                panic::resume_unwind(payload);
            }
        };
        let outcome =
            panic::catch_unwind(AssertUnwindSafe(|| hegel::Hegel::new(watched).settings(settings).run()));
        let mut failed = failed.into_inner();
        let count = outcome.map_or_else(|payload| reports(&*payload), |()| 0);
        // Those of the end are those that were run once more.
        let rest = failed.split_off(failed.len() - count.min(failed.len()));
        rest.into_iter().map(|(_, about)| about).collect()
    }
}

/// Returns the number of failures that the closing panic of a run is about.
fn reports(payload: &(dyn std::any::Any + Send)) -> usize {
    let text = payload.downcast_ref::<String>().map_or("", String::as_str);
    let count =
        text.strip_suffix(" distinct failures.").and_then(|text| text.rsplit(' ').next()?.parse().ok());
    count.unwrap_or(1)
}

/// Has the places of panics noted, on top of what Hegel does about them itself.
fn watch_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // The first run takes the panics over.
        hegel::Hegel::new(|_| {}).settings(Settings::new().test_cases(1).database(Database::Disabled)).run();
        let hegels = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            PANICKED_AT.replace(info.location().map_or(String::new(), Location::to_string));
            hegels(info);
        }));
    });
}
