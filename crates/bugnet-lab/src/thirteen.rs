//! Thirteen bugs of published crates that were confirmed by hand: in how many runs are they found?
//!
//! A bug is told by words that all stand in what the report has of one finding. It is *shown* if that is
//! among the bugs, and *hidden* if it is among the suspects.

use crate::exploration::{Budget, Exploration};
use crate::throughput::table::Table;
use anyhow::bail;
use serde_json::Value;

/// A bug that is known to be one.
struct Known {
    /// The crate that has it.
    package: &'static str,
    /// The fault, in few words.
    name: &'static str,
    /// Words that tell it: all of one of these lists.
    told_by: &'static [&'static [&'static str]],
}

const THIRTEEN: [Known; 13] = [
    Known {
        package: "bit-vec@0.10.1",
        name: "`split_off` leaves bits behind",
        told_by: &[&["split_off", "hash"], &["split_off", "law"]],
    },
    Known {
        package: "fixedbitset@0.5.7",
        name: "`grow_and_insert(usize::MAX)`",
        told_by: &[&["grow_and_insert"]],
    },
    Known {
        package: "rust_decimal@1.43.0",
        name: "a scale above 28",
        told_by: &[&["rescale("], &["trunc_with_scale("], &["round_sf"]],
    },
    Known {
        package: "petgraph@0.8.3",
        name: "free list of `StableGraph`",
        told_by: &[&["try_update_edge", "StableGraph"], &["try_add_edge", "StableGraph"]],
    },
    Known { package: "petgraph@0.8.3", name: "`graph6` of bad text", told_by: &[&["from_graph6"]] },
    Known {
        package: "chrono@0.4.45",
        name: "`from_isoywd_opt(i32::MIN, …)`",
        // Time zones call it by a shorter name.
        told_by: &[&["isoywd_opt", "overflow"]],
    },
    Known {
        package: "chrono@0.4.45",
        name: "`TimeDelta::checked_mul` below `MIN`",
        // The operator calls it.
        told_by: &[&["TimeDelta", "checked_mul"], &["TimeDelta as std::ops::Mul"]],
    },
    Known {
        package: "chrono@0.4.45",
        name: "`==` of `NaiveWeek` panics",
        told_by: &[&["NaiveWeek", "eq"], &["NaiveWeek", "hash"]],
    },
    Known {
        package: "chrono@0.4.45",
        name: "`FixedOffset` parses to another",
        told_by: &[&["display_is_parsed", "FixedOffset"]],
    },
    Known {
        package: "priority-queue@2.7.0",
        name: "`iter_mut` yields twice",
        told_by: &[&["DoublePriorityQueue", "iter_mut"], &["double_priority_queue", "IterMut"]],
    },
    Known {
        package: "unicode-segmentation@1.13.3",
        name: "size hint of no sentences",
        told_by: &[&["split_sentence_bounds", "size_hint"], &["USentenceBounds", "size_hint"]],
    },
    Known { package: "url@2.5.8", name: "`set_host` leaves a broken `Url`", told_by: &[&["set_host"]] },
    Known {
        package: "im@15.1.0",
        name: "equal sets, other hashes",
        told_by: &[&["hash", "HashSet"], &["hash", "HashMap"]],
    },
];

/// Time to explore each crate if the user gives none.
const USUAL: &str = "60s";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    budget: Budget,
    /// The seeds, from 1 on
    #[arg(long, default_value_t = 5)]
    seeds: u64,
    /// Only the bugs of these crates
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    #[command(flatten)]
    exploration: Exploration,
}

/// The fate of a bug in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Shown,
    Hidden,
    Missed,
}

impl Known {
    fn bare_name(&self) -> &'static str {
        self.package.split('@').next().unwrap_or(self.package)
    }

    /// Returns the fate of the bug, by a report.
    fn fate(&self, report: &Value) -> Fate {
        let is_among = |member: &str| {
            let findings = report[member].as_array().into_iter().flatten();
            findings.into_iter().any(|finding| self.is_told_by(finding))
        };
        match () {
            () if is_among("bugs") => Fate::Shown,
            () if is_among("suspects") => Fate::Hidden,
            () => Fate::Missed,
        }
    }

    fn is_told_by(&self, finding: &Value) -> bool {
        // The reason speaks of laws and panics in general, and the tape is no text.
        let told = ["title", "operation", "operations", "also", "calls", "program", "place", "message"];
        let text: String = told.iter().map(|member| finding[*member].to_string()).collect();
        self.told_by.iter().any(|words| words.iter().all(|word| text.contains(word)))
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let is_wanted = |known: &&Known| {
        arguments.only.is_empty() || arguments.only.iter().any(|only| only == known.bare_name())
    };
    let wanted: Vec<&Known> = THIRTEEN.iter().filter(is_wanted).collect();
    if wanted.is_empty() {
        bail!("none of the thirteen is in these crates: {}", arguments.only.join(", "));
    }
    let mut table = Table::new(["crate", "bug", "shown", "hidden", "not found"]);
    let (mut found, mut runs) = (0, 0);
    for known in &wanted {
        let mut seeds: [Vec<String>; 3] = Default::default();
        for seed in 1..=arguments.seeds {
            let explored = arguments.exploration.report(known.package, seed, &arguments.budget, USUAL)?;
            let fate = known.fate(&explored.report);
            seeds[fate as usize].push(seed.to_string());
            runs += 1;
            found += usize::from(fate == Fate::Shown);
        }
        let mut row = vec![known.package.to_string(), known.name.to_string()];
        row.extend(seeds.iter().map(|seeds| seeds.join(" ")));
        table.push(row);
    }
    println!("### Known bugs by seed, {} each\n\n{table}", arguments.budget.named(USUAL));
    println!("shown in {found} of {runs} runs");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_bug_is_told_by_the_words_of_one_finding() {
        let offset = THIRTEEN.iter().find(|known| known.name.contains("FixedOffset")).unwrap();
        let law = json!({ "operation": "law display_is_parsed of chrono::FixedOffset", "program": [] });
        let other = json!({ "operation": "law display_is_parsed of chrono::Month", "program": [] });
        let suspect = json!({ "operations": ["law display_is_parsed of chrono::FixedOffset"] });
        assert_eq!(offset.fate(&json!({ "bugs": [other, law], "suspects": [] })), Fate::Shown);
        assert_eq!(offset.fate(&json!({ "bugs": [other], "suspects": [suspect] })), Fate::Hidden);
        assert_eq!(offset.fate(&json!({ "bugs": [other], "suspects": [] })), Fate::Missed);
    }

    #[test]
    fn what_only_the_reason_says_tells_nothing() {
        let finding = json!({ "operation": "Url::parse", "reason": "as after set_host" });
        let url = THIRTEEN.iter().find(|known| known.package.starts_with("url")).unwrap();
        assert_eq!(url.fate(&json!({ "bugs": [finding], "suspects": [] })), Fate::Missed);
    }
}
