//! Hegel's part: the same operations as rules, with all that reports more switched on. Texts are drawn by
//! its default generator; so that the rules have anything to change, it is run once more with an address
//! to begin with and the texts that matter, which Bugnet is not given.

use super::law::reads_back;
use crate::peer_reports::Hegel;
use hegel::TestCase;
use hegel::generators as gs;
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};
use url::Url;

thread_local! {
    /// The calls of the case that is running.
    static TOLD: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

/// Addresses to begin with, and texts that matter.
const ADDRESSES: &[&str] = &["a:", "a:/", "a://a"];
const TEXTS: &[&str] = &["", "a", "?", "#", "/"];

thread_local! {
    /// True if those are given.
    static HELPED: Cell<bool> = const { Cell::new(false) };
}

pub fn run(seed: u64, cases: u64, time: Option<Duration>) {
    for helped in [false, true] {
        HELPED.set(helped);
        CALLS.set(0);
        let (start, mut runs) = (Instant::now(), 0);
        while runs == 0 || time.is_some_and(|time| start.elapsed() < time) {
            let test = |case: TestCase| {
                TOLD.take();
                let begin = |text: &str| Url::parse(text).expect("it is an address");
                let first = helped.then(|| begin(case.draw(gs::sampled_from(ADDRESSES))));
                TOLD.with_borrow_mut(|told| told.extend(first.iter().map(ToString::to_string)));
                hegel::stateful::machine(Address(first)).run(case);
            };
            let reports = Hegel { seed: seed + runs, cases, multiple: true }.run(test, &|| TOLD.take());
            runs += 1;
            let given = if helped { ", given addresses and texts" } else { "" };
            println!(
                "## Hegel{given}, run {runs}: {} calls so far, {} reports\n",
                CALLS.get(),
                reports.len()
            );
            for report in reports {
                println!("{}\n", report.join("\n"));
            }
        }
    }
}

/// The address, once there is one.
struct Address(Option<Url>);

impl Address {
    fn change(&mut self, case: &TestCase, told: String, change: impl FnOnce(&mut Url)) {
        case.assume(self.0.is_some());
        if let Some(url) = &mut self.0 {
            tell(told);
            change(url);
        }
    }
}

fn tell(call: String) {
    CALLS.set(CALLS.get() + 1);
    TOLD.with_borrow_mut(|told| told.push(call));
}

fn text(case: &TestCase) -> String {
    match HELPED.get() {
        true => (*case.draw(gs::sampled_from(TEXTS))).to_owned(),
        false => case.draw(gs::text()),
    }
}

fn maybe_text(case: &TestCase) -> Option<String> {
    case.draw(gs::booleans()).then(|| text(case))
}

#[hegel::state_machine]
impl Address {
    #[rule]
    fn parse(&mut self, case: TestCase) {
        let input = text(&case);
        tell(format!("parse({input:?})"));
        if let Ok(url) = Url::parse(&input) {
            self.0 = Some(url);
        }
    }

    #[rule]
    fn join(&mut self, case: TestCase) {
        let input = text(&case);
        self.change(&case, format!("join({input:?})"), |url| {
            if let Ok(joined) = url.join(&input) {
                *url = joined;
            }
        });
    }

    #[rule]
    fn set_fragment(&mut self, case: TestCase) {
        let text = maybe_text(&case);
        self.change(&case, format!("set_fragment({text:?})"), |url| url.set_fragment(text.as_deref()));
    }

    #[rule]
    fn set_query(&mut self, case: TestCase) {
        let text = maybe_text(&case);
        self.change(&case, format!("set_query({text:?})"), |url| url.set_query(text.as_deref()));
    }

    #[rule]
    fn set_path(&mut self, case: TestCase) {
        let text = text(&case);
        self.change(&case, format!("set_path({text:?})"), |url| url.set_path(&text));
    }

    #[rule]
    fn set_port(&mut self, case: TestCase) {
        let port = case.draw(gs::optional(gs::integers()));
        self.change(&case, format!("set_port({port:?})"), |url| {
            let _ = url.set_port(port);
        });
    }

    #[rule]
    fn set_host(&mut self, case: TestCase) {
        let text = maybe_text(&case);
        self.change(&case, format!("set_host({text:?})"), |url| {
            let _ = url.set_host(text.as_deref());
        });
    }

    #[rule]
    fn set_password(&mut self, case: TestCase) {
        let text = maybe_text(&case);
        self.change(&case, format!("set_password({text:?})"), |url| {
            let _ = url.set_password(text.as_deref());
        });
    }

    #[rule]
    fn set_username(&mut self, case: TestCase) {
        let text = text(&case);
        self.change(&case, format!("set_username({text:?})"), |url| {
            let _ = url.set_username(&text);
        });
    }

    #[rule]
    fn set_scheme(&mut self, case: TestCase) {
        let text = text(&case);
        self.change(&case, format!("set_scheme({text:?})"), |url| {
            let _ = url.set_scheme(&text);
        });
    }

    #[invariant(always_run)]
    fn reads_back_as_it_is_written(&self, _: TestCase) {
        self.0.iter().for_each(reads_back);
    }
}
