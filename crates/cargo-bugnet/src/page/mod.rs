//! The page: a campaign as one HTML file that needs nothing else.
//!
//! Templates are in `templates/`, one for each part; what they show is computed here. There is no script, no
//! image and no font: the file asks for nothing, and works from a mail or a build artifact, in light and dark, on a
//! phone and on paper.
//!
//! **Invariant:** the page is a function of the campaign, every text of a campaign is escaped, and no figure is
//! computed twice: what the JSON report says, the page says.

mod figure;
mod growth;
mod influence;
mod ranking;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;

use crate::store::campaign::{Campaign, Failure, Rejection};
use anyhow::{Context, Result};
use askama::Template;
use figure::{bytes, counted, grouped, processor_time, shortened};
use growth::Growth;
use influence::Chart;
use ranking::Ranking;

/// Bytes of an input that are shown; the file has all of it.
const SHOWN_INPUT: usize = 6_000;
/// Bytes of what a program said that are shown.
const SHOWN_MESSAGE: usize = 3_000;
/// Characters of a signature in tables.
const SHOWN_SIGNATURE: usize = 160;

/// The HTML of a campaign.
pub(crate) fn html(campaign: &Campaign) -> Result<String> {
    Page::of(campaign).render().context("the page could not be written")
}

#[derive(Debug, Template)]
#[template(path = "page.html")]
struct Page<'a> {
    campaign: &'a Campaign,
    verdict: Verdict,
    failures: Vec<Shown<'a>>,
    growth: Vec<Growth>,
    ranking: Ranking,
    rejections: Vec<Rejected<'a>>,
    version: &'static str,
}

/// The facts that a reader wants to know first.
#[derive(Debug)]
struct Verdict {
    headline: String,
    new: u64,
    known: u64,
    tests: String,
    failing: String,
    /// The probability that the next test shows a new failure.
    news: String,
    processor: String,
    targets: String,
}

/// One failure.
#[derive(Debug)]
struct Shown<'a> {
    failure: &'a Failure,
    signature: String,
    targets: String,
    hits: String,
    first_test: Option<String>,
    size: String,
    input: String,
    is_input_cut: bool,
    happened: String,
    chart: Chart,
}

/// A rejection of inputs by a target.
#[derive(Debug)]
struct Rejected<'a> {
    rejection: &'a Rejection,
    message: String,
    count: String,
    share: String,
}

impl Page<'_> {
    fn of(campaign: &Campaign) -> Page<'_> {
        Page {
            campaign,
            verdict: Verdict::of(campaign),
            failures: campaign.failures.iter().map(Shown::of).collect(),
            growth: Growth::of(campaign),
            ranking: Ranking::of(campaign),
            rejections: campaign
                .rejections
                .iter()
                .map(|rejection| Rejected::of(rejection, campaign))
                .collect(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

impl Verdict {
    fn of(campaign: &Campaign) -> Verdict {
        let known = campaign.failures.iter().filter(|failure| failure.is_known).count() as u64;
        let new = campaign.failures.len() as u64 - known;
        let headline = match new {
            0 => format!("No new failure in {}", campaign.name),
            _ => format!("{} in {}", counted(new, "new failure", "new failures"), campaign.name),
        };
        Verdict {
            headline,
            new,
            known,
            tests: grouped(campaign.tests),
            failing: grouped(campaign.failing_tests),
            news: chance_of_news(campaign),
            processor: processor_time(campaign.processor_seconds),
            targets: campaign.targets.join(", "),
        }
    }
}

/// The share of failures that were met once, per test (Good 1953, after Turing).
fn chance_of_news(campaign: &Campaign) -> String {
    let once = campaign.failures.iter().filter(|failure| failure.hits == 1).count() as u64;
    match (campaign.tests, once) {
        (0, _) => "unknown".to_string(),
        (tests, 0) => format!("below 1 in {}", grouped(tests)),
        (tests, once) => format!("1 in {}", grouped(tests.div_ceil(once))),
    }
}

impl Shown<'_> {
    fn of(failure: &Failure) -> Shown<'_> {
        let input = &failure.input;
        let size = match &input.reduced_by {
            Some(by) => {
                format!("{}, reduced from {} by {by}", bytes(input.bytes), bytes(failure.first_bytes))
            }
            None if failure.first_bytes == 0 => bytes(input.bytes),
            None => format!("{}, not reduced", bytes(input.bytes)),
        };
        Shown {
            failure,
            signature: shortened(&failure.signature, SHOWN_SIGNATURE),
            targets: failure.targets.join(", "),
            hits: counted(failure.hits, "test", "tests"),
            first_test: failure.first_test.map(grouped),
            size,
            input: beginning(&input.text, SHOWN_INPUT).to_string(),
            is_input_cut: input.text.len() > SHOWN_INPUT,
            happened: ending(&failure.happened, SHOWN_MESSAGE),
            chart: Chart::of(failure),
        }
    }

    /// The rows that a table has room for: two triggers and two suppressors.
    fn strongest(&self) -> Vec<&influence::Row> {
        let of = |class| self.chart.rows.iter().filter(move |row| row.class == class).take(2);
        of("trigger").chain(of("suppressor")).collect()
    }
}

impl Rejected<'_> {
    fn of<'a>(rejection: &'a Rejection, campaign: &Campaign) -> Rejected<'a> {
        let share = rejection.count as f64 / campaign.tests.max(1) as f64;
        Rejected {
            rejection,
            message: shortened(&rejection.message, SHOWN_SIGNATURE),
            count: grouped(rejection.count),
            share: figure::percent(share),
        }
    }
}

/// The first bytes of a text.
fn beginning(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The last bytes of a text: programs say at the end why they died.
fn ending(text: &str, most: usize) -> String {
    let mut start = text.len().saturating_sub(most);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    if start == 0 { text.to_string() } else { format!("…{}", &text[start..]) }
}
