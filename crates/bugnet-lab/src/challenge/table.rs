//! The tables of the challenge in Markdown: one row per problem, one column per peer.

use std::fmt::{self, Display};

use super::peer::{Missing, Peer};
use super::problem::Problem;
use super::summary::{Estimate, Summary};

/// The most frequent non-minimal results that are listed per peer and problem.
const LISTED: usize = 3;
/// Characters of a counterexample that are shown.
const WIDTH: usize = 110;

/// Everything measured, ready to print.
#[derive(Debug)]
pub struct Tables {
    pub seeds: u64,
    pub problems: Vec<Problem>,
    pub columns: Vec<Column>,
}

/// The measurements of one peer: a summary for each of the problems, or nothing.
#[derive(Debug)]
pub struct Column {
    pub peer: Peer,
    pub summaries: Result<Vec<Summary>, Missing>,
}

impl Display for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "## Shrinking challenge, seeds 0..{}", self.seeds)?;
        self.fmt_missing(f)?;
        if self.measured().next().is_none() {
            return Ok(());
        }
        self.fmt_minimal(f)?;
        let title = "Property evaluations after the first failure, mean ± standard error";
        self.fmt_cells(f, title, |s| s.estimate(s.evaluations_after_failure))?;
        let title = "Property evaluations up to the first failure, mean ± standard error";
        self.fmt_cells(f, title, |s| s.estimate(s.evaluations_until_failure))?;
        let title = "Distinct final counterexamples";
        self.fmt_cells(f, title, |s| s.distinct.to_string())?;
        self.fmt_missed(f)
    }
}

impl Tables {
    fn fmt_missing(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for column in &self.columns {
            if let Err(Missing(remedy)) = &column.summaries {
                write!(f, "\nWithout {}: {remedy}.\n", column.peer.name())?;
            }
        }
        Ok(())
    }

    fn measured(&self) -> impl Iterator<Item = (Peer, &Vec<Summary>)> {
        self.columns.iter().filter_map(|column| Some((column.peer, column.summaries.as_ref().ok()?)))
    }

    /// One table with a row for each problem.
    fn fmt_cells(
        &self,
        f: &mut fmt::Formatter<'_>,
        title: &str,
        cell: impl Fn(&Summary) -> String,
    ) -> fmt::Result {
        let peers: Vec<String> = self.measured().map(|(peer, _)| peer.name()).collect();
        writeln!(f, "\n### {title}\n\n| problem | {} |", peers.join(" | "))?;
        writeln!(f, "|---|{}", "---:|".repeat(peers.len()))?;
        for (row, problem) in self.problems.iter().enumerate() {
            let cells: Vec<String> = self.measured().map(|(_, column)| cell(&column[row])).collect();
            writeln!(f, "| {} | {} |", problem.name(), cells.join(" | "))?;
        }
        Ok(())
    }

    fn fmt_minimal(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = "Runs that end at the known minimum, % (found % if below 100)";
        self.fmt_cells(f, title, |summary| {
            let minimal = format!("{:.0}", summary.minimal_percent());
            if summary.found == summary.runs {
                return minimal;
            }
            format!("{minimal} (found {:.0})", summary.found_percent())
        })?;
        let means = self.measured().map(|(_, column)| {
            let sum: f64 = column.iter().map(Summary::minimal_percent).sum();
            format!("**{:.1}**", sum / column.len() as f64)
        });
        writeln!(f, "| **mean** | {} |", means.collect::<Vec<_>>().join(" | "))
    }

    fn fmt_missed(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n### Most frequent non-minimal results\n")?;
        writeln!(f, "| problem | peer | runs | result |\n|---|---|---:|---|")?;
        for (row, problem) in self.problems.iter().enumerate() {
            for (peer, column) in self.measured() {
                let missed = &column[row].missed;
                // Where every run ends elsewhere, one example tells as much as three.
                let listed = if missed.first().is_some_and(|(_, runs)| *runs == 1) { 1 } else { LISTED };
                for (shown, runs) in missed.iter().take(listed) {
                    let (problem, peer, shown) = (problem.name(), peer.name(), shortened(shown));
                    writeln!(f, "| {problem} | {peer} | {runs} | `{shown}` |")?;
                }
            }
        }
        Ok(())
    }
}

impl Summary {
    /// An estimate in a cell, or a dash where no run found a failure.
    fn estimate(&self, estimate: Estimate) -> String {
        match self.found {
            0 => "-".to_owned(),
            1 => figure(estimate.mean),
            _ => format!("{} ±{}", figure(estimate.mean), figure(estimate.error)),
        }
    }
}

/// Three significant digits, or all before the point, with thousands set apart.
fn figure(value: f64) -> String {
    let decimals = if value >= 99.95 {
        0
    } else if value >= 9.995 {
        1
    } else {
        2
    };
    let text = format!("{value:.decimals$}");
    let whole = text.find('.').unwrap_or(text.len());
    let mut grouped = String::new();
    for (index, character) in text.char_indices() {
        if index > 0 && index < whole && (whole - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(character);
    }
    grouped
}

fn shortened(shown: &str) -> String {
    if shown.chars().count() <= WIDTH {
        return shown.to_owned();
    }
    let start: String = shown.chars().take(WIDTH).collect();
    format!("{start}...")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_three_digits_and_grouped_thousands() {
        let figures = [0.0, 1.234, 56.78, 99.97, 400_000.4].map(figure);
        assert_eq!(figures, ["0.00", "1.23", "56.8", "100", "400,000"]);
    }

    #[test]
    fn long_counterexamples_are_cut() {
        assert_eq!(shortened("[0]"), "[0]");
        assert_eq!(shortened(&"0".repeat(WIDTH + 1)).len(), WIDTH + 3);
    }

    #[test]
    fn a_missing_peer_is_named_with_its_remedy() {
        let missing = Column { peer: Peer::Hypothesis, summaries: Err(Missing("install it")) };
        let tables = Tables { seeds: 1, problems: vec![], columns: vec![missing] };
        assert!(tables.to_string().contains("Without hypothesis: install it."));
    }
}
