//! The stack of a failure: which functions of the crate were running.
//!
//! A harness has no tables of lines, so a function is known by its symbol. One that the compiler has put into its
//! caller is not on the stack; the next one is.
//!
//! **Invariant:** only functions of the crate under test are on it. An empty stack says nothing.

use std::collections::{BTreeMap, BTreeSet};

/// Occurrences among the innermost functions that make a function part of a recursion.
const REPEATED: usize = 8;

/// The functions of the crate that were running when a program failed, the innermost first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Stack(Vec<String>);

impl Stack {
    /// Takes those of a crate out of all functions, by their symbols.
    pub(crate) fn inside(symbols: &[String], crate_name: &str) -> Stack {
        Stack(symbols.iter().filter(|symbol| is_of(symbol, crate_name)).map(|symbol| short(symbol)).collect())
    }

    /// Returns the innermost function.
    pub(crate) fn innermost(&self) -> Option<&str> {
        self.0.first().map(String::as_str)
    }

    /// Returns the functions that call each other without end, if that is what the stack is full of.
    pub(crate) fn cycle(&self) -> BTreeSet<&str> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for function in &self.0 {
            *counts.entry(function).or_default() += 1;
        }
        counts.into_iter().filter(|(_, count)| *count >= REPEATED).map(|(function, _)| function).collect()
    }
}

/// Returns true if a symbol is a function of a crate: `crate::f`, `<crate::T as Trait>::f` or `<T as
/// crate::Trait>::f`.
fn is_of(symbol: &str, crate_name: &str) -> bool {
    let is_path = |text: &str| {
        let bare = text.trim_start_matches(['<', '&', '*', '[', '(']);
        let bare =
            ["mut ", "const ", "dyn ", "impl "].iter().fold(bare, |text, word| text.trim_start_matches(word));
        bare.strip_prefix(crate_name).is_some_and(|rest| rest.starts_with("::"))
    };
    let trait_path = implemented(symbol).map(|(_, of)| of);
    is_path(symbol) || trait_path.is_some_and(is_path)
}

/// The type and the trait of `<Type as Trait>::function`.
fn implemented(symbol: &str) -> Option<(&str, &str)> {
    let inside = &symbol.strip_prefix('<')?[..closing(symbol)? - 1];
    let mut depth = 0;
    for (place, letter) in inside.char_indices() {
        match letter {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            ' ' if depth == 0 && inside[place..].starts_with(" as ") => {
                return Some((&inside[..place], &inside[place + 4..]));
            }
            _ => {}
        }
    }
    None
}

/// The place of the bracket that closes the first one.
fn closing(symbol: &str) -> Option<usize> {
    let (mut depth, mut before) = (0, ' ');
    for (place, letter) in symbol.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' if before != '-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (place > 0).then_some(place);
        }
        before = letter;
    }
    None
}

/// A symbol as `Type::function`, or `function` where it has no type: without modules, type arguments, closures and the
/// hash of the compiler.
fn short(symbol: &str) -> String {
    let (owner, rest) = match implemented(symbol) {
        Some((kind, _)) => (Some(last(kind)), &symbol[closing(symbol).map_or(0, |place| place + 1)..]),
        None if symbol.starts_with('<') => match closing(symbol) {
            Some(place) => (Some(last(&symbol[1..place])), &symbol[place + 1..]),
            None => (None, symbol),
        },
        None => (None, symbol),
    };
    let plain = without_arguments(rest);
    let is_hash = |part: &str| {
        part.len() == 17 && part.starts_with('h') && part[1..].bytes().all(|b| b.is_ascii_hexdigit())
    };
    let is_part = |part: &&str| !part.is_empty() && !part.starts_with('{') && !is_hash(part);
    let parts: Vec<&str> = plain.split("::").filter(is_part).collect();
    let Some((function, before)) = parts.split_last() else { return symbol.to_string() };
    let is_type = |part: &&&str| part.starts_with(|letter: char| letter.is_uppercase());
    match owner.or_else(|| before.last().filter(is_type).map(|kind| kind.to_string())) {
        Some(owner) => format!("{owner}::{function}"),
        None => function.to_string(),
    }
}

/// The last word of the path of a type.
fn last(kind: &str) -> String {
    let plain = without_arguments(kind);
    let name = plain.rsplit("::").next().unwrap_or_default();
    name.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '_').to_string()
}

/// A path without what stands in angle brackets.
fn without_arguments(path: &str) -> String {
    let (mut depth, mut before, mut plain) = (0, ' ', String::new());
    for letter in path.chars() {
        match letter {
            '<' => depth += 1,
            '>' if before != '-' => depth -= 1,
            _ if depth == 0 => plain.push(letter),
            _ => {}
        }
        before = letter;
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(symbols: &[&str]) -> Stack {
        let symbols: Vec<String> = symbols.iter().map(|symbol| symbol.to_string()).collect();
        Stack::inside(&symbols, "boat")
    }

    #[test]
    fn only_functions_of_the_crate_are_on_the_stack_by_their_short_names() {
        let stack = stack(&[
            "core::slice::sort::merge<boat::Rope>",
            "boat::rope::Rope<T>::knot::{{closure}}::h0123456789abcdef",
            "<boat::Sail as core::fmt::Display>::fmt",
            "<alloc::vec::Vec<u8> as boat::Row>::row",
            "boats::other",
            "<boat::deck::Deck<boat::Sail>>::new::<u8>",
            "boat::sink",
            "<&mut boat::Crew<F> as core::iter::Iterator>::next",
        ]);
        assert_eq!(stack.0, ["Rope::knot", "Sail::fmt", "Vec::row", "Deck::new", "sink", "Crew::next"]);
        assert_eq!(stack.innermost(), Some("Rope::knot"));
        assert!(stack.cycle().is_empty());
        assert_eq!(Stack::default().innermost(), None);
    }

    #[test]
    fn functions_that_call_each_other_without_end_are_a_cycle() {
        let symbols = ["boat::sink", "boat::swim"].repeat(20);
        let stack = stack(&[vec!["boat::alarm"], symbols].concat());
        assert_eq!(stack.cycle().into_iter().collect::<Vec<_>>(), ["sink", "swim"]);
    }
}
