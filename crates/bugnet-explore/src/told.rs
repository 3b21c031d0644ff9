//! Facts about operations beyond what they call, which a harness gives in a table beside the suite.
//!
//! **Invariant:** the table shapes what is drawn at random; what a tape tells does not depend on it, but for the most
//! repeats of an operation that is to be calm.

use super::deep_literal::{self, Depth};
use super::dictionary;
use bugnet::program::{Operation, Suite};
use std::sync::OnceLock;

/// The facts about one operation.
#[derive(Debug)]
pub struct Told {
    /// Its name.
    pub operation: &'static str,
    /// True if it makes sense of texts or bytes, and can refuse them.
    pub reads: bool,
    /// The texts that its own examples have, by their places in the dictionary.
    pub examples: &'static [usize],
}

static GIVEN: OnceLock<&'static [Told]> = OnceLock::new();

/// Says what is told of operations. Only the first word counts.
pub fn told(told: &'static [Told]) {
    GIVEN.get_or_init(|| told);
}

/// The way to draw the literals of each operation of a suite.
#[derive(Debug, Default)]
pub(crate) struct Table(Vec<(Depth, &'static [usize])>);

impl Table {
    /// The table of a suite. Calls of what is calm get no long literals, because those are known to kill them.
    pub(crate) fn of(suite: &Suite, is_calm: &dyn Fn(&Operation) -> bool) -> Table {
        Table::told_by(GIVEN.get().copied().unwrap_or(&[]), suite, is_calm)
    }

    fn told_by(told: &[Told], suite: &Suite, is_calm: &dyn Fn(&Operation) -> bool) -> Table {
        let mut table = Vec::new();
        for operation in &suite.operations {
            let told = told.iter().find(|told| told.operation == operation.name);
            let depth = match told {
                _ if is_calm(operation) => Depth::Calm,
                Some(Told { reads: true, .. }) => Depth::Deep,
                _ => Depth::Usual,
            };
            table.push((depth, told.map_or(&[][..], |told| told.examples)));
        }
        Table(table)
    }

    /// Says for which operation literals are drawn next.
    #[inline]
    pub(crate) fn draw_for(&self, operation: usize) {
        if let Some((depth, examples)) = self.0.get(operation) {
            deep_literal::for_calls(*depth);
            dictionary::prefer(examples);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::oracle::Verdict;

    #[test]
    fn what_is_calm_is_calm_whatever_else_is_told_of_it() {
        let operation = |name| Operation::new(name, "", |_| Verdict::Pass);
        let suite =
            Suite::new("x").operations(["read", "write", "parse"].map(operation)).reachable().0.unwrap();
        let told = |operation, examples| Told { operation, reads: true, examples };
        let told = [told("parse", &[2, 5][..]), told("read", &[]), told("gone", &[1])];
        let table = Table::told_by(&told, &suite, &|operation| operation.name == "read");
        assert_eq!(table.0, [(Depth::Calm, &[][..]), (Depth::Usual, &[]), (Depth::Deep, &[2, 5])]);
    }
}
