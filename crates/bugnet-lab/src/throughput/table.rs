//! A Markdown table: headings once, cells as text, numbers grouped by thousands.

use std::fmt;

/// Rows under headings; the first column is text, all others are numbers set to the right.
#[derive(Clone, Debug)]
pub struct Table {
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new<'a>(headings: impl IntoIterator<Item = &'a str>) -> Table {
        Table { headings: headings.into_iter().map(str::to_owned).collect(), rows: Vec::new() }
    }

    /// Adds a row, which must have a cell for every heading.
    pub fn push(&mut self, row: Vec<String>) {
        assert_eq!(row.len(), self.headings.len(), "a cell for every heading: {row:?}");
        self.rows.push(row);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "| {} |", self.headings.join(" | "))?;
        writeln!(formatter, "|---|{}", "---:|".repeat(self.headings.len() - 1))?;
        for row in &self.rows {
            writeln!(formatter, "| {} |", row.join(" | "))?;
        }
        Ok(())
    }
}

/// A number to three digits or more: `2.16`, `14.9`, `773`, `3,708`.
pub fn number(value: f64) -> String {
    match value {
        value if value < 9.995 => format!("{value:.2}"),
        value if value < 99.95 => format!("{value:.1}"),
        value => grouped(value.round() as u64),
    }
}

/// An integer with a comma between thousands.
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_markdown_with_numbers_to_the_right() {
        let mut table = Table::new(["peer", "u64", "String"]);
        table.push(vec!["loop".into(), "14".into(), "3,708 (74)".into()]);
        let expected = "\
| peer | u64 | String |
|---|---:|---:|
| loop | 14 | 3,708 (74) |
";
        assert_eq!(table.to_string(), expected);
    }

    #[test]
    #[should_panic(expected = "a cell for every heading")]
    fn a_row_that_lacks_a_cell_is_refused() {
        Table::new(["peer", "u64"]).push(vec!["loop".into()]);
    }

    #[test]
    fn thousands_are_separated_by_commas() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(12_345_678), "12,345,678");
    }

    #[test]
    fn numbers_keep_three_digits() {
        assert_eq!(number(2.156), "2.16");
        assert_eq!(number(9.999), "10.0");
        assert_eq!(number(14.94), "14.9");
        assert_eq!(number(99.96), "100");
        assert_eq!(number(3_707.6), "3,708");
    }
}
