//! The outcomes in Markdown, as in the appendix and in table 1 of Venema's thesis (2012).

use std::fmt::{self, Display, Formatter};

use super::trial::{Effort, Outcome, Refutation, Row};

/// Characters of an input that are shown.
const WIDTH: usize = 60;

/// Everything measured, by part.
#[derive(Debug)]
pub struct Table {
    pub effort: Effort,
    pub parts: Vec<Part>,
}

/// The claims of one kind of crates.
#[derive(Debug)]
pub struct Part {
    pub letter: char,
    pub title: &'static str,
    pub rows: Vec<Row>,
}

/// The difference between the failures of two strategies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Difference {
    /// One of them found none.
    NoPair,
    Same,
    /// The same place, but another minimal input: whether the cause differs is for a person to say.
    OtherInput,
    OtherPlace,
}

impl Row {
    fn refutations(&self) -> impl Iterator<Item = &Refutation> {
        self.random.iter().filter_map(Outcome::refutation)
    }

    fn is_refuted_at_random(&self) -> bool {
        self.refutations().next().is_some()
    }

    fn difference(&self) -> Difference {
        let Some(exhaustive) = self.exhaustive.refutation() else { return Difference::NoPair };
        if !self.is_refuted_at_random() {
            return Difference::NoPair;
        }
        if self.refutations().any(|random| random.signature != exhaustive.signature) {
            return Difference::OtherPlace;
        }
        match self.refutations().all(|random| random.input == exhaustive.input) {
            true => Difference::Same,
            false => Difference::OtherInput,
        }
    }

    fn is_distinct(&self) -> bool {
        self.difference() == Difference::OtherPlace
    }
}

impl Difference {
    fn name(self) -> &'static str {
        match self {
            Difference::NoPair => "",
            Difference::Same => "no",
            Difference::OtherInput => "other input",
            Difference::OtherPlace => "yes",
        }
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Effort { seeds, cases } = self.effort;
        writeln!(f, "## Random and exhaustive search, seeds 0..{seeds}, {cases} cases each\n")?;
        writeln!(
            f,
            "| | crate | pattern | property | random | tests, median | minimal input \
             | exhaustive | tests | minimal input | different failure? |"
        )?;
        writeln!(f, "|---|---|---|---|---:|---:|---|---|---:|---|---|")?;
        for part in &self.parts {
            for (place, row) in part.rows.iter().enumerate() {
                self.write_row(f, &format!("{}{}", part.letter, place + 1), row)?;
            }
        }
        self.write_totals(f)
    }
}

impl Table {
    fn write_row(&self, f: &mut Formatter<'_>, number: &str, row: &Row) -> fmt::Result {
        let claim = row.claim;
        write!(f, "| {number} | {} | {} | {} ", claim.about, claim.pattern.name(), claim.words)?;
        let refuted = row.refutations().count();
        let untested = row.random.iter().find_map(|outcome| match outcome {
            Outcome::Untested(why) => Some(why),
            _ => None,
        });
        match untested {
            Some(why) => write!(f, "| untested | | {} ", code(why))?,
            None => write!(
                f,
                "| {refuted} of {} | {} | {} ",
                self.effort.seeds,
                median(row).map_or(String::new(), |median| median.to_string()),
                inputs(row)
            )?,
        }
        match &row.exhaustive {
            Outcome::Refuted(Refutation { test, input, .. }) => {
                write!(f, "| yes | {test} | {} ", code(input))?;
            }
            Outcome::Held { tests, complete } => {
                let complete = complete.map_or(String::new(), |complete| complete.to_string());
                write!(f, "| no | {tests} | {complete} ")?;
            }
            Outcome::Untested(why) => write!(f, "| untested | | {} ", code(why))?,
        }
        writeln!(f, "| {} |", row.difference().name())
    }

    fn write_totals(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\n| kind of crate | properties | random, some seed | random, every seed | exhaustive | only random | only exhaustive | distinct |"
        )?;
        writeln!(f, "|---|---:|---:|---:|---:|---:|---:|---:|")?;
        for part in &self.parts {
            let rows: Vec<&Row> = part.rows.iter().collect();
            write_total(f, &format!("{}. {}", part.letter, part.title), &rows)?;
        }
        let rows: Vec<&Row> = self.parts.iter().flat_map(|part| &part.rows).collect();
        write_total(f, "Total", &rows)
    }
}

fn write_total(f: &mut Formatter<'_>, title: &str, rows: &[&Row]) -> fmt::Result {
    let count = |is: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| is(row)).count();
    let random = |row: &Row| row.is_refuted_at_random();
    let exhaustive = |row: &Row| row.exhaustive.refutation().is_some();
    writeln!(
        f,
        "| {title} | {} | {} | {} | {} | {} | {} | {} |",
        rows.len(),
        count(&random),
        count(&|row| row.random.iter().all(|outcome| outcome.refutation().is_some())),
        count(&exhaustive),
        count(&|row| random(row) && !exhaustive(row)),
        count(&|row| exhaustive(row) && !random(row)),
        count(&Row::is_distinct),
    )
}

/// The median test that refuted, over the seeds that did.
fn median(row: &Row) -> Option<u64> {
    let mut tests: Vec<u64> = row.refutations().map(|refutation| refutation.test).collect();
    tests.sort_unstable();
    tests.get(tests.len() / 2).copied()
}

/// The minimal inputs of all seeds, each once.
fn inputs(row: &Row) -> String {
    let mut inputs: Vec<String> = Vec::new();
    for refutation in row.refutations() {
        let input = code(&refutation.input);
        if !inputs.contains(&input) {
            inputs.push(input);
        }
    }
    inputs.join(", ")
}

/// Text as code in a cell of a table.
fn code(text: &str) -> String {
    let shown: String = text.chars().take(WIDTH).collect();
    let dots = if shown.len() < text.len() { "…" } else { "" };
    // Inside code, only the bar would end the cell; backticks need a longer fence.
    let shown = shown.replace('|', "\\|");
    match shown.contains('`') {
        true => format!("`` {shown}{dots} ``"),
        false => format!("`{shown}{dots}`"),
    }
}

/// The message of each failure, for the person who judges it.
#[derive(Debug)]
pub struct Messages<'a>(&'a Table);

impl Table {
    pub fn messages(&self) -> Messages<'_> {
        Messages(self)
    }
}

impl Display for Messages<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for part in &self.0.parts {
            for (place, row) in part.rows.iter().enumerate() {
                let mut known: Vec<&Refutation> = Vec::new();
                for refutation in row.exhaustive.refutation().into_iter().chain(row.refutations()) {
                    if !known.iter().any(|known| known.input == refutation.input) {
                        known.push(refutation);
                        let Refutation { input, signature, message, .. } = refutation;
                        writeln!(f, "\n{}{}: {input}\n{signature}: {message}", part.letter, place + 1)?;
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::claim::{Claim, Pattern};
    use bugnet::campaign::Property;
    use bugnet::oracle::Signature;

    static CLAIM: Claim = Claim::new("a 1.0.0", Pattern::Invariant, "it holds", |property: Property<'_>| {
        property.check(0..1u8, |_| true)
    });

    fn refuted(input: &str, line: u32) -> Outcome {
        let signature = Signature::Panic { file: "lib.rs".into(), line, column: 1 };
        Outcome::Refuted(Refutation { test: 1, input: input.into(), signature, message: String::new() })
    }

    fn held() -> Outcome {
        Outcome::Held { tests: 10, complete: None }
    }

    #[test]
    fn failure_at_another_place_is_another_failure() {
        let row = Row { claim: &CLAIM, random: vec![refuted("0", 7)], exhaustive: refuted("0", 8) };
        assert_eq!(row.difference(), Difference::OtherPlace);
    }

    #[test]
    fn other_input_at_the_same_place_is_not_counted_as_distinct() {
        let row = Row { claim: &CLAIM, random: vec![refuted("1", 7)], exhaustive: refuted("0", 7) };
        assert_eq!(row.difference(), Difference::OtherInput);
        assert!(!row.is_distinct());
    }

    #[test]
    fn totals_count_what_only_one_strategy_refutes() {
        let rows = vec![
            Row { claim: &CLAIM, random: vec![held(), refuted("0", 7)], exhaustive: held() },
            Row { claim: &CLAIM, random: vec![held(), held()], exhaustive: refuted("0", 7) },
        ];
        let effort = Effort { seeds: 2, cases: 10 };
        let table = Table { effort, parts: vec![Part { letter: 'A', title: "All", rows }] };
        assert!(table.to_string().ends_with("| Total | 2 | 1 | 0 | 1 | 1 | 1 | 0 |\n"), "{table}");
    }

    #[test]
    fn bar_in_an_input_does_not_end_the_cell() {
        assert_eq!(code("a|b"), "`a\\|b`");
    }
}
