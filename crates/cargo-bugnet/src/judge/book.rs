//! The book's tables of rules, adjustments and causes, printed from the lists.
//!
//! **Invariant:** the book says exactly what the lists say.

use super::same_cause::CAUSES;
use super::{Class, EARLIER, FOUND, REDUCED, REPEATED, STAND_INS, Stage, WEIGHED};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

/// Between these lines of the page are the tables.
const BEGIN: &str = "<!-- Printed by a test of cargo-bugnet, judge/book.rs; do not edit. -->\n";
const END: &str = "<!-- The end of what the test prints. -->\n";
/// Set to `overwrite`, it has the test write the page instead of comparing it.
const VARIABLE: &str = "BUGNET_BOOK";

const STAGES: [Stage; 6] = [FOUND, WEIGHED, REDUCED, EARLIER, STAND_INS, REPEATED];

fn taken_for(class: Class) -> &'static str {
    match class {
        Class::Crash => "crash",
        Class::Law => "broken law",
        Class::Contradiction => "contradiction",
        Class::Panic => "panic",
        Class::Hang => "hang",
        Class::Memory => "memory",
        Class::Convention => "broken convention",
        Class::WrongUse => "wrong use",
    }
}

fn tables() -> String {
    let mut text = String::new();
    for stage in STAGES.iter().filter(|stage| !stage.rules.is_empty()) {
        let _ = write!(text, "\nThe rules {}:\n\n", stage.name);
        text.push_str("| rule | when | taken for | sure | learned on |\n|---|---|---|---:|---|\n");
        for rule in stage.rules {
            let (class, taught_by) = (taken_for(rule.class), rule.taught_by.join(", "));
            let _ = writeln!(
                text,
                "| {} | {} | {class} | {} % | {taught_by} |",
                rule.name, rule.when, rule.sureness
            );
        }
    }
    text.push_str("\nHow sure a judgement is changes if\n\n| | when | by |\n|---|---|---:|\n");
    for adjustment in STAGES.iter().flat_map(|stage| stage.adjustments) {
        let _ = writeln!(text, "| {} | {} | {:+} % |", adjustment.name, adjustment.when, adjustment.percent);
    }
    text.push_str("\nTwo bugs have one cause, and are shown as one, if\n\n");
    text.push_str("| cause | when | learned on |\n|---|---|---|\n");
    for cause in CAUSES {
        let _ = writeln!(text, "| {} | {} | {} |", cause.name, cause.when, cause.taught_by.join(", "));
    }
    text.push('\n');
    text
}

#[test]
fn the_book_has_the_tables_of_all_rules() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/explore.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("the page says where the tables begin");
    let (there, after) = rest.split_once(END).expect("the page says where the tables end");
    let expected = tables();
    if std::env::var(VARIABLE).is_ok_and(|value| value == "overwrite") {
        std::fs::write(&path, format!("{before}{BEGIN}{expected}{END}{after}")).unwrap();
    } else {
        assert!(
            there == expected,
            "book/src/explore.md does not have the rules as they are now; run `{VARIABLE}=overwrite cargo test -p \
             cargo-bugnet the_book_has_the_tables` and look at the difference"
        );
    }
}

#[test]
fn every_name_is_used_once_and_every_text_fits_a_table() {
    let rules = STAGES.iter().flat_map(|stage| stage.rules);
    let rules = rules.map(|rule| (rule.name, rule.when, rule.reason));
    let adjustments = STAGES.iter().flat_map(|stage| stage.adjustments);
    let adjustments = adjustments.map(|adjustment| (adjustment.name, adjustment.when, ""));
    let causes = CAUSES.iter().map(|cause| (cause.name, cause.when, ""));
    for list in [rules.collect::<Vec<_>>(), adjustments.collect(), causes.collect()] {
        let names: BTreeSet<&str> = list.iter().map(|(name, _, _)| *name).collect();
        assert_eq!(names.len(), list.len(), "{list:?}");
        for (name, when, reason) in list {
            assert!(![name, when, reason].iter().any(|text| text.contains(['|', '\n'])), "{name}");
            assert!(!when.is_empty() && !when.ends_with('.'), "{name}");
            // A reason is one sentence without a full stop, and has at most one gap.
            assert!(reason.matches('{').count() <= 1 && !reason.ends_with('.'), "{name}");
        }
    }
}
