//! Changes between two builds as people and programs read them.
//!
//! **Invariant:** the same comparison gives the same text; every program is written as a user would write it.

use super::counted;
use crate::variants::against::change::{Change, Changes, Contrasted};
use anyhow::Result;
use bugnet::wire::explore::Change as Kind;
use serde_json::{Value, json};
use std::fmt::Write;

/// The names that a list shows before it counts the rest.
const NAMES: usize = 6;

/// The two builds that were compared, and what can be called of each.
#[derive(Debug)]
pub(crate) struct Compared {
    pub(crate) package: String,
    /// The names of this build and of the other one.
    pub(crate) labels: [String; 2],
    /// The number of functions that are called in both.
    pub(crate) common: usize,
    pub(crate) added: Vec<String>,
    pub(crate) removed: Vec<String>,
    pub(crate) changed: Vec<String>,
}

impl Compared {
    /// Returns lists of the functions that are not in both builds, each with its word.
    pub(crate) fn lists(&self) -> Vec<(&'static str, String)> {
        let lists = [("Added", &self.added), ("Removed", &self.removed), ("Retyped", &self.changed)];
        let filled = lists.into_iter().filter(|(_, names)| !names.is_empty());
        filled.map(|(word, names)| (word, listed(names))).collect()
    }
}

/// Returns the number of names and the first of them.
fn listed(names: &[String]) -> String {
    let shown = names.iter().take(NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    let rest = names.len().saturating_sub(NAMES);
    let more = if rest == 0 { String::new() } else { format!(" and {rest} more") };
    format!("{}: {shown}{more}", counted(names.len(), "function"))
}

/// Returns a kind of difference in words.
fn word(kind: Kind, other: &str) -> String {
    match kind {
        Kind::Panics => format!("panics, and did not in {other}"),
        Kind::Recovers => format!("panicked in {other}, and does not any more"),
        Kind::Survives => format!("ended or hung the process in {other}"),
        Kind::Result => "returns something else".to_string(),
        Kind::Value => "leaves another value".to_string(),
        Kind::Message => "panics with another message".to_string(),
    }
}

/// Returns a change as a person reads it: the operation, the program, and what both builds do.
pub(crate) fn change(change: &Change, labels: &[String; 2]) -> String {
    let [own, other] = labels;
    let width = own.len().max(other.len()) + 1;
    let mut text = format!("{}  {}\n", change.difference.operation, word(change.difference.change, other));
    for line in change.shown.lines.iter().flat_map(|line| line.lines()) {
        let _ = writeln!(text, "    {line}");
    }
    let _ = writeln!(text, "    // {:<width$} {}", format!("{other}:"), first(&change.shown.variant));
    let _ = write!(text, "    // {:<width$} {}", format!("{own}:"), first(&change.shown.original));
    text
}

/// Returns the first line of a text.
fn first(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Returns everything that is known of a comparison.
pub(crate) fn json(compared: &Compared, contrasted: &Contrasted, changes: &Changes) -> Result<String> {
    let value = json!({
        "version": 1,
        "package": compared.package,
        "build": compared.labels[0],
        "against": compared.labels[1],
        "functions": compared.common,
        "added": compared.added,
        "removed": compared.removed,
        "retyped": compared.changed,
        "programs": contrasted.programs,
        "lost": contrasted.lost,
        "private": contrasted.inside,
        "noise": changes.noise,
        "gone": changes.gone,
        "left": changes.left,
        "changes": changes.changes.iter().map(of_change).collect::<Vec<Value>>(),
    });
    Ok(serde_json::to_string_pretty(&value)? + "\n")
}

fn of_change(change: &Change) -> Value {
    let kind = match change.difference.change {
        Kind::Panics => "panics",
        Kind::Recovers => "panics-no-more",
        Kind::Survives => "survives",
        Kind::Result => "result",
        Kind::Value => "value",
        Kind::Message => "message",
    };
    json!({
        "operation": change.difference.operation,
        "change": kind,
        "program": change.shown.lines,
        "helpers": change.shown.helpers,
        "build": change.shown.original,
        "against": change.shown.variant,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::wire::explore::{Compared as Shown, Difference};

    #[test]
    fn a_change_shows_the_program_and_both_builds() {
        let shown = Shown {
            tape: Default::default(),
            lines: vec!["assert_eq!(shop::price(0, 0), 0);".into()],
            plain: Vec::new(),
            helpers: Vec::new(),
            original: "0".into(),
            variant: "panics: attempt to subtract with overflow".into(),
            panics: false,
            noticed: Vec::new(),
        };
        let difference = Difference { operation: "shop::price".into(), change: Kind::Recovers };
        let text = change(&Change { difference, shown }, &["now".into(), "1.0.0".into()]);
        let expected = "shop::price  panicked in 1.0.0, and does not any more\n    assert_eq!(shop::price(0, 0), 0);\n    // 1.0.0: panics: attempt to subtract with overflow\n    // now:   0";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_long_list_names_the_first_and_counts_the_rest() {
        let names: Vec<String> = (0..8).map(|number| format!("f{number}")).collect();
        assert_eq!(listed(&names), "8 functions: f0, f1, f2, f3, f4, f5 and 2 more");
        assert_eq!(listed(&names[..1]), "1 function: f0");
    }
}
