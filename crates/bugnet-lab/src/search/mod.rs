//! Random against exhaustive search, over crates that nobody here wrote.
//!
//! Venema ("A comparison of random testing and bounded exhaustive testing", 2012) wrote 26
//! properties of the Rascal project and asked which of them each strategy refutes, and whether
//! the failures differ. The same is asked here of published Rust crates. Every failure was judged
//! by hand in `search-verdicts.md`.
//!
//! **Invariant:** the table depends on the seeds and the number of cases alone.

mod bugs;
mod claim;
mod formats;
mod language;
mod mark;
mod numbers;
mod storage;
mod table;
mod text;
mod trial;

use bugnet::campaign::WantedBugs;
use claim::Claim;
use table::{Part, Table};
use trial::Effort;

/// The size of the measurement.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Runs of each property and strategy, with the seeds from 0 on
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Cases in each run
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    cases: u64,
    /// Also print what each failure said
    #[arg(long)]
    messages: bool,
    /// Instead, look for all bugs behind each property
    #[arg(long)]
    bugs: bool,
    /// With `--bugs`, only behind those of crates whose names start so
    #[arg(long, default_value = "", requires = "bugs")]
    about: String,
    /// With `--bugs`, how far a run goes on: `all`, `more` or `first`
    #[arg(long, default_value = "all", requires = "bugs")]
    wanted: WantedBugs,
}

const PARTS: [(char, &str, &[Claim]); 4] = [
    ('A', "Numbers, dates, places", numbers::CLAIMS),
    ('B', "Text", text::CLAIMS),
    ('C', "Formats and languages", formats::CLAIMS),
    ('D', "Codecs and collections", storage::CLAIMS),
];

/// Measures, and prints the tables.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let effort = Effort { seeds: arguments.seeds, cases: arguments.cases };
    if arguments.bugs {
        for (letter, _, claims) in PARTS {
            let meant = |(_, claim): &(usize, &Claim)| claim.about.starts_with(&arguments.about);
            for (number, claim) in claims.iter().enumerate().filter(meant) {
                print!("{}", bugs::list(&format!("{letter}{}", number + 1), claim, effort, arguments.wanted));
            }
        }
        return Ok(());
    }
    let part = |(letter, title, claims): (char, &'static str, &'static [Claim])| {
        let row = |claim: &'static Claim| {
            eprintln!("{}: {}", claim.about, claim.words);
            trial::row(claim, effort)
        };
        Part { letter, title, rows: claims.iter().map(row).collect() }
    };
    let table = Table { effort, parts: PARTS.into_iter().map(part).collect() };
    print!("{table}");
    if arguments.messages {
        print!("{}", table.messages());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_bug_of_a_crate_is_found_again_and_again() {
        let claim = text::CLAIMS.iter().find(|claim| claim.about.starts_with("wildmatch")).unwrap();
        let effort = Effort { seeds: 2, cases: 2_000 };
        let (first, second) = (trial::row(claim, effort), trial::row(claim, effort));
        assert!(first.random.iter().all(|outcome| outcome.refutation().is_some()));
        assert!(first.exhaustive.refutation().is_some());
        assert_eq!((first.random, first.exhaustive), (second.random, second.exhaustive));
    }
}
