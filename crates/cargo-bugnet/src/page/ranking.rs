//! Features by how many failures they trigger and suppress (tables 2 and 6 of the swarm paper), and the matrix behind.
//!
//! **Invariant:** the lists count the cells of the matrix.

use super::figure::percent;
use crate::store::campaign::{Campaign, Failure, Influence};

/// Failures that have a column in the matrix; more would not fit, and the lists count all.
const COLUMNS: usize = 60;

/// The effects of features on failures, taken together.
#[derive(Debug)]
pub(super) struct Ranking {
    pub(super) triggers: Vec<Ranked>,
    pub(super) suppressors: Vec<Ranked>,
    /// The numbers and names of the failures that have columns.
    pub(super) columns: Vec<(u64, String)>,
    pub(super) rows: Vec<Row>,
    /// Failures of which enough was seen to compare.
    pub(super) compared: u64,
}

/// One feature in a list.
#[derive(Debug)]
pub(super) struct Ranked {
    pub(super) feature: String,
    pub(super) failures: u64,
    pub(super) share: String,
    /// The length of its bar.
    pub(super) width: String,
}

/// One feature in the matrix.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) feature: String,
    pub(super) cells: Vec<Cell>,
}

/// The effect of a feature on a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) class: &'static str,
    pub(super) mark: &'static str,
    pub(super) word: &'static str,
}

const TRIGGERS: Cell = Cell { class: "t", mark: "▲", word: "triggers" };
const SUPPRESSES: Cell = Cell { class: "s", mark: "▼", word: "suppresses" };
const NEITHER: Cell = Cell { class: "o", mark: "·", word: "no influence shown" };

impl Ranking {
    pub(super) fn of(campaign: &Campaign) -> Ranking {
        let compared: Vec<&Failure> =
            campaign.failures.iter().filter(|failure| is_compared(failure)).collect();
        let names = campaign.features.iter().map(|feature| feature.name.as_str());
        let row = |name| (name, compared.iter().map(|failure| cell(failure, name)).collect());
        let mut rows: Vec<(&str, Vec<Cell>)> = names.map(row).collect();
        let count =
            |cells: &[Cell], wanted: Cell| cells.iter().filter(|cell| **cell == wanted).count() as u64;
        rows.sort_by_key(|(_, cells)| std::cmp::Reverse((count(cells, TRIGGERS), count(cells, SUPPRESSES))));
        let list = |wanted: Cell| {
            let mut list: Vec<(&str, u64)> =
                rows.iter().map(|(name, cells)| (*name, count(cells, wanted))).collect();
            list.retain(|(_, failures)| *failures > 0);
            list.sort_by_key(|(_, failures)| std::cmp::Reverse(*failures));
            let ranked = list.into_iter().map(|(feature, failures)| Ranked {
                feature: feature.to_string(),
                failures,
                share: percent(failures as f64 / compared.len() as f64),
                width: super::figure::position(failures as f64 / compared.len() as f64),
            });
            ranked.collect()
        };
        Ranking {
            triggers: list(TRIGGERS),
            suppressors: list(SUPPRESSES),
            columns: (compared.iter().take(COLUMNS))
                .map(|failure| (failure.number, failure.name.clone()))
                .collect(),
            compared: compared.len() as u64,
            rows: (rows.iter())
                .map(|(name, cells)| Row {
                    feature: name.to_string(),
                    cells: cells.iter().take(COLUMNS).copied().collect(),
                })
                .collect(),
        }
    }
}

fn is_compared(failure: &Failure) -> bool {
    let decided = failure.others.iter().any(|influence| !influence.is_undecided);
    decided || !failure.triggers.is_empty() || !failure.suppressors.is_empty()
}

fn cell(failure: &Failure, feature: &str) -> Cell {
    let has = |influences: &[Influence]| influences.iter().any(|influence| influence.feature == feature);
    if has(&failure.triggers) {
        TRIGGERS
    } else if has(&failure.suppressors) {
        SUPPRESSES
    } else {
        NEITHER
    }
}
