//! Each cause of an explored crate once: how many reports crates have, those that were tuned on and fresh ones.
//!
//! The fresh ones are drawn by a seed from a list that was committed before the work. Which reports have one cause, and
//! whether what was merged has, is written down by hand, in `explore-once.md`.

use crate::exploration::{Budget, Exploration, Explored};
use crate::random::SplitMix64;
use serde_json::Value;

/// The crates that the work was tuned on, at fixed versions.
const TUNED: [&str; 4] = ["glam@0.34.2", "kurbo@0.13.1", "similar@3.2.1", "euclid@0.22.14"];
/// The list that fresh ones are drawn from.
const LIST: &str = include_str!("../explore-300.txt");
/// Crates that are drawn if the user says nothing.
const FRESH: usize = 16;
/// Crates of the list that other measurements or lists of bugs look at. They are left out of all draws but the first, which
/// was made before.
const LOOKED_AT: [&str; 13] = [
    "bigdecimal",
    "fixed",
    "geo",
    "half",
    "lexpr",
    "nalgebra",
    "palette",
    "plist",
    "rstar",
    "shlex",
    "spade",
    "toml_edit",
    "yaml-rust2",
];
/// The draws so far, in order, by seed and number of crates. Somebody has looked at crates of each, so a later one leaves
/// them out.
const DRAWS: [(u64, usize); 4] = [(17, 16), (23, 16), (31, 20), (47, 24)];
/// Time to explore each crate if the user gives none.
const USUAL: &str = "60s";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    budget: Budget,
    /// The seed of the exploration
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The seed by which fresh crates are drawn; those of earlier draws are left out
    #[arg(long, default_value_t = 47)]
    draw: u64,
    /// Fresh crates to draw
    #[arg(long, default_value_t = FRESH)]
    fresh: usize,
    /// Only these crates, by name
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Only says which crates are drawn
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    exploration: Exploration,
}

/// Draws crates from the list, each at most once, in the order in which they are drawn. A crate of an earlier draw is left
/// out.
fn drawn(seed: u64, count: usize) -> Vec<&'static str> {
    let earlier = DRAWS.iter().take_while(|(earlier, _)| *earlier != seed);
    let seen: Vec<&str> = earlier.flat_map(|(earlier, count)| drawn(*earlier, *count)).collect();
    let is_first = seed == DRAWS[0].0;
    let is_new = |name: &&str| is_first || !seen.contains(name) && !LOOKED_AT.contains(&bare(name));
    let all = LIST.lines().filter(|line| line.contains('@'));
    SplitMix64(seed).draw(all.filter(is_new).collect(), count)
}

/// The name of a crate without its version.
fn bare(name: &str) -> &str {
    name.split('@').next().unwrap_or(name)
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let fresh = drawn(arguments.draw, arguments.fresh);
    let all = TUNED.iter().map(|name| ("tuned on", *name)).chain(fresh.iter().map(|name| ("fresh", *name)));
    let is_wanted =
        |name: &str| arguments.only.is_empty() || arguments.only.iter().any(|only| only == bare(name));
    println!("| split | crate | reports | merged | suspects hidden |\n|---|---|---:|---:|---:|");
    for (split, name) in all.filter(|(_, name)| is_wanted(name)) {
        if arguments.list {
            println!("| {split} | {name} | | | |");
            continue;
        }
        match arguments.exploration.report(name, arguments.seed, &arguments.budget, USUAL) {
            Ok(Explored { report, .. }) => {
                let count = |member: &Value| member.as_array().map_or(0, Vec::len);
                let bugs = report["bugs"].as_array().map(Vec::as_slice).unwrap_or_default();
                let merged: usize = bugs.iter().map(|bug| count(&bug["merged"])).sum();
                println!("| {split} | {name} | {} | {merged} | {} |", bugs.len(), count(&report["suspects"]));
            }
            Err(problem) => println!("| {split} | {name} | {problem:#} | | |"),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn three_hundred_crates_are_in_the_list_and_one_seed_draws_the_same_of_them() {
        let all: BTreeSet<&str> = LIST.lines().filter(|line| line.contains('@')).collect();
        assert_eq!(all.len(), 300);
        let first = drawn(17, 16);
        assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), 16);
        assert_eq!(first, drawn(17, 16));
        assert_ne!(first, drawn(18, 16));
        assert!(first.iter().all(|name| !TUNED.contains(name)));
    }

    #[test]
    fn no_crate_is_drawn_twice_by_the_draws_that_were_made() {
        let all: Vec<&str> = DRAWS.iter().flat_map(|(seed, count)| drawn(*seed, *count)).collect();
        let count: usize = DRAWS.iter().map(|(_, count)| count).sum();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), count);
        assert!(!all[DRAWS[0].1..].iter().any(|name| LOOKED_AT.contains(&bare(name))));
        assert!(LOOKED_AT.iter().all(|looked_at| LIST.lines().any(|name| bare(name) == *looked_at)));
        // The first draw is as it was made, before there was another.
        assert_eq!(drawn(17, 2), ["ciborium@0.2.2", "cron@0.17.0"]);
    }
}
