//! The influences of features as a table that a person reads.
//!
//! **Invariant:** the same tally gives the same text, at most 100 columns wide.

use super::influence::LEAST_FAILURES;
use super::{Effect, Influence, Presence, Tally};
use std::fmt::Write;

/// The widest name of a feature that is shown whole.
const WIDEST_NAME: usize = 30;
/// The widest signature that is shown whole.
const WIDEST_SIGNATURE: usize = 60;

impl Tally {
    /// The triggers and suppressors of each signature, strongest first, and how many features are
    /// not shown because nothing was found out about them.
    ///
    /// ```
    /// use bugnet::swarm::{Feature, Scheme, Swarm, Tally};
    ///
    /// let swarm = Swarm::new("coin".parse().unwrap(), []);
    /// let mut tally = Tally::default();
    /// for word in 1..=200u64 {
    ///     let configuration = swarm.configuration(word, word);
    ///     let on = ["push", "pop", "len"].map(|name| (name, configuration.is_on(Feature::named(name))));
    ///     tally.count(&configuration, on, [], (on[0].1 && !on[1].1).then_some("overflow"));
    /// }
    /// assert_eq!(
    ///     tally.table(),
    ///     "\
    /// overflow: 52 of 200 tests
    ///   as configured  in failing  expected  95% of failing  q        effect
    ///   pop               0 of 52       50%          0%..7%  <0.0001  suppresses
    ///   push             52 of 52       52%       93%..100%  <0.0001  triggers
    ///   not shown: 1 feature without influence
    /// "
    /// );
    /// ```
    pub fn table(&self) -> String {
        let influences = self.influences();
        let mut text = String::new();
        let mut seldom = 0;
        for failures in &self.failures {
            let signature = &failures.signature;
            if failures.tests < LEAST_FAILURES {
                seldom += 1;
                continue;
            }
            let name = shortened(signature, WIDEST_SIGNATURE);
            line(&mut text, format_args!("{name}: {} of {} tests", failures.tests, self.tests));
            for presence in [Presence::Configured, Presence::Used] {
                let mut here = Vec::new();
                for influence in &influences {
                    if influence.signature == *signature && influence.presence == presence {
                        here.push(influence);
                    }
                }
                section(&mut text, presence, &here);
            }
        }
        match (seldom, &self.failures[..]) {
            (0, _) => {}
            (_, [alone]) => {
                let name = shortened(&alone.signature, WIDEST_SIGNATURE);
                let tests = alone.tests;
                line(&mut text, format_args!("{name}: {tests} of {} tests, too few to compare", self.tests));
            }
            _ => {
                let ways = if seldom == 1 {
                    "1 other failure was"
                } else {
                    &format!("{seldom} other failures were")
                };
                line(&mut text, format_args!("{ways} seen fewer than {LEAST_FAILURES} times."));
            }
        }
        text
    }
}

/// The part of the table on one signature and presence.
fn section(text: &mut String, presence: Presence, influences: &[&Influence]) {
    if influences.is_empty() {
        return;
    }
    let (mut shown, mut neither, mut not_enough) = (Vec::new(), 0, 0);
    for influence in influences {
        match influence.effect {
            Effect::Trigger | Effect::Suppressor => shown.push(*influence),
            Effect::Neither => neither += 1,
            Effect::NotEnough => not_enough += 1,
        }
    }
    if shown.is_empty() {
        let text_of = match (neither, not_enough) {
            (0, _) => "too few failures to tell any feature's influence".to_string(),
            (_, 0) => format!("none of {} makes a difference", features(neither)),
            _ => format!("no influence found: {}", rest(neither, not_enough)),
        };
        line(text, format_args!("  {presence}: {text_of}"));
        return;
    }
    let text_of = str::to_string;
    let mut rows = vec![[
        presence.to_string(),
        text_of("in failing"),
        text_of("expected"),
        text_of("95% of failing"),
        text_of("q        effect"),
    ]];
    for influence in &shown {
        rows.push(cells(influence));
    }
    // Both sections begin alike, so that their columns mostly line up.
    let mut widths = ["as configured".len(), 0, 0, 0];
    for row in &rows {
        for (column, width) in widths.iter_mut().enumerate() {
            *width = (*width).max(row[column].chars().count());
        }
    }
    let [a, b, c, d] = widths;
    for [name, failing, expected, interval, end] in &rows {
        line(text, format_args!("  {name:a$}  {failing:>b$}  {expected:>c$}  {interval:>d$}  {end}"));
    }
    if neither + not_enough > 0 {
        line(text, format_args!("  not shown: {}", rest(neither, not_enough)));
    }
}

/// The name of a feature and its figures.
fn cells(influence: &Influence) -> [String; 5] {
    let failing = influence.failing_with + influence.failing_without;
    let q = if influence.q < 0.0001 { "<0.0001".to_string() } else { format!("{:.4}", influence.q) };
    [
        shortened(&influence.feature, WIDEST_NAME),
        format!("{} of {failing}", influence.failing_with),
        percent(influence.expected),
        format!("{}..{}", percent(influence.interval.0), percent(influence.interval.1)),
        format!("{q:<7}  {}", influence.effect),
    ]
}

/// Returns the line about features that neither trigger nor suppress.
fn rest(neither: usize, not_enough: usize) -> String {
    match (neither, not_enough) {
        (_, 0) => format!("{} without influence", features(neither)),
        (0, _) => format!("{} with too few failures to tell", features(not_enough)),
        _ => format!("{} without influence, {not_enough} with too few failures to tell", features(neither)),
    }
}

fn features(count: usize) -> String {
    if count == 1 { "1 feature".to_string() } else { format!("{count} features") }
}

fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

/// The first line of a text, cut if it is longer than `width`.
fn shortened(text: &str, width: usize) -> String {
    let line = text.lines().next().unwrap_or("");
    if line.chars().count() <= width && line.len() == text.trim_end().len() {
        return line.to_string();
    }
    let end = line.char_indices().nth(width - 1).map_or(line.len(), |(end, _)| end);
    format!("{}…", &line[..end])
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("a string takes any text");
}

#[cfg(test)]
mod tests {
    use super::super::{Configuration, Feature, Scheme, Share, Swarm};
    use super::*;
    use crate::prelude::*;

    fn coin(word: u64) -> Configuration {
        Swarm::new(Scheme::Coin(Share::HALF), []).configuration(word, 0)
    }

    #[test]
    fn too_few_failures_are_said_to_be_too_few() {
        let mut tally = Tally::default();
        for case in 0..100 {
            let outcome =
                if case == 1 { Some("hang") } else { (case < 8 && case % 2 == 0).then_some("overflow") };
            tally.count(&coin(7), [("push", case % 2 == 0)], [("push", case % 2 == 0)], outcome);
        }
        assert_eq!(
            tally.table(),
            "overflow: 4 of 100 tests\n  \
             as configured: too few failures to tell any feature's influence\n  \
             as used: too few failures to tell any feature's influence\n\
             1 other failure was seen fewer than 4 times.\n"
        );
        let mut alone = Tally::default();
        (0..100).for_each(|case| alone.count(&coin(7), [], [], (case < 3).then_some("overflow")));
        assert_eq!(alone.table(), "overflow: 3 of 100 tests, too few to compare\n");
    }

    #[test]
    fn features_without_influence_are_counted() {
        let mut tally = Tally::default();
        for word in 1..=1_000 {
            let on = ["a", "b", "c"].map(|name| (name, coin(word).is_on(Feature::named(name))));
            tally.count(&coin(word), on, [], word.is_multiple_of(20).then_some("overflow"));
        }
        assert_eq!(
            tally.table(),
            "overflow: 50 of 1000 tests\n  as configured: none of 3 features makes a difference\n"
        );
    }

    #[test]
    fn no_text_makes_the_table_wider_than_100_columns() {
        check((any::<String>(), any::<String>(), 1..100usize), |(signature, name, times)| {
            let (signature, name) = (signature.repeat(times), name.repeat(times));
            let mut tally = Tally::default();
            for case in 0..100u64 {
                let has = case % 2 == 0;
                tally.count(&coin(7), [(name.as_str(), has)], [], has.then_some(signature.as_str()));
            }
            let table = tally.table();
            assert!(table.contains("triggers") && table.ends_with('\n'));
            assert!(table.split('\n').all(|line| line.chars().count() <= 100), "{table}");
            assert_eq!(table.split('\n').count(), 4, "{table}");
        })
        .unwrap();
    }
}
