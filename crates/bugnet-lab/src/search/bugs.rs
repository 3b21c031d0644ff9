//! The bugs behind each claim, as one run with `bugs = "all"` reports them, or one with `"more"`.
//!
//! **Invariant:** the list depends on the seeds and the number of cases alone.

use super::claim::Claim;
use super::trial::Effort;
use bugnet::campaign::{Bug, Environment, Property, Reason, WantedBugs};
use bugnet::choice::Seed;
use std::fmt::Write;

/// The bugs behind a claim with every seed, and how often each was reported; nothing if there are none.
pub fn list(name: &str, claim: &Claim, effort: Effort, wanted: WantedBugs) -> String {
    let mut patterns: Vec<(String, Bug, u64)> = Vec::new();
    let mut counts = Vec::new();
    let mut text = String::new();
    for seed in 0..effort.seeds {
        let property = Property::new("search").bugs(wanted).cases(effort.cases).seed(Seed(seed));
        let Err(failed) = (claim.test)(property.environment(Environment::none(Seed(seed)))) else {
            counts.push("0".to_string());
            continue;
        };
        match &failed.reason {
            Reason::Refuted(_) => counts.push(failed.bugs.len().to_string()),
            other => counts.push(format!("{other:?}")),
        }
        for bug in failed.bugs {
            match patterns.iter_mut().find(|(words, ..)| *words == bug.words) {
                Some((_, _, count)) => *count += 1,
                None => patterns.push((bug.words.clone(), bug, 1)),
            }
        }
    }
    if counts.iter().any(|count| count != "0") {
        let _ =
            writeln!(text, "{name} {}: {}; bugs by seed: {}", claim.about, claim.words, counts.join(", "));
    }
    for (words, bug, count) in patterns {
        let message = bug.failure.message.lines().collect::<Vec<_>>().join(" ");
        let message: String = message.chars().take(100).collect();
        let _ = writeln!(text, "    {count} × {words}");
        let _ = writeln!(text, "        {}: {message}", bug.failure.signature);
    }
    text
}
