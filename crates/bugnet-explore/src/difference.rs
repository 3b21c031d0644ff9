//! The first difference between what two builds of the code under test do with one program.
//!
//! **Invariant:** what only one of the builds prints, and what either prints of private fields, is no difference.

use bugnet::program::{Program, Suite};
use bugnet::wire::explore::{Change, Difference, Entry, Sight, Transcript};
use std::collections::BTreeSet;

/// The place at which two runs part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parting {
    /// The call, by its number.
    pub(crate) call: u32,
    pub(crate) change: Change,
    /// The entry of this build, and that of the other, if they have one there.
    pub(crate) own: Option<usize>,
    pub(crate) other: Option<usize>,
}

impl Parting {
    /// Returns the difference that this parting is an instance of.
    pub(crate) fn difference(&self, suite: &Suite, program: &Program) -> Difference {
        let call = program.calls.get(self.call as usize).or(program.calls.last());
        let operation = call.and_then(|call| suite.operations.get(call.operation));
        let operation = operation.map_or("", |operation| operation.name).to_string();
        Difference { operation, change: self.change }
    }
}

/// Compares transcripts of one program.
#[derive(Debug)]
pub(crate) struct Comparer<'a> {
    /// Public fields, such as `Point.x`.
    pub(crate) open: &'a [String],
    /// Types whose private fields differ.
    pub(crate) inside: BTreeSet<String>,
}

impl Comparer<'_> {
    /// Returns the first difference between two runs.
    pub(crate) fn parting(&mut self, own: &Transcript, other: &Transcript) -> Option<Parting> {
        if let [Entry { sight: Sight::Died(_), .. }] = &other.entries[..] {
            // Nobody knows over which call it died, so it is the last one that this build has made.
            let last = own.entries.iter().map(|entry| entry.call).max().unwrap_or(0);
            let (own, other) = (own.entries.len().checked_sub(1), Some(0));
            return Some(Parting { call: last, change: Change::Survives, own, other });
        }
        let calls = own.entries.iter().chain(&other.entries).map(|entry| entry.call + 1).max()?;
        for call in 0..calls {
            let [ours, theirs] = [own, other].map(|transcript| Ran::of(transcript, call));
            if let Some(parting) = self.of_call(call, &ours, &theirs) {
                return Some(parting);
            }
            if ours.ending.is_some() || theirs.ending.is_some() {
                return None;
            }
        }
        (0..calls).find_map(|call| self.of_value(call, own, other))
    }

    /// Returns the difference in one call.
    fn of_call(&mut self, call: u32, ours: &Ran<'_>, theirs: &Ran<'_>) -> Option<Parting> {
        if ours.results.len() == theirs.results.len() {
            for ((own, text), (other, there)) in ours.results.iter().zip(&theirs.results) {
                if text != there && !self.is_inside(text, there) {
                    let (own, other) = (Some(*own), Some(*other));
                    return Some(Parting { call, change: Change::Result, own, other });
                }
            }
        }
        let change = match (ours.sight(), theirs.sight()) {
            (Some(Sight::Panic(own)), Some(Sight::Panic(other))) => (own != other).then_some(Change::Message),
            (Some(Sight::Panic(_)), _) => Some(Change::Panics),
            (_, Some(Sight::Panic(_))) => Some(Change::Recovers),
            (own, other) => (own.is_some() != other.is_some()).then_some(Change::Result),
        }?;
        let last = |ran: &Ran<'_>| {
            let ending = ran.ending.map(|(place, _)| place);
            ending.or(ran.results.last().map(|(place, _)| *place))
        };
        Some(Parting { call, change, own: last(ours), other: last(theirs) })
    }

    /// Returns the difference in what a value is when the program has ended.
    fn of_value(&mut self, call: u32, own: &Transcript, other: &Transcript) -> Option<Parting> {
        let value = |transcript: &Transcript| {
            transcript.entries.iter().enumerate().find_map(|(place, entry)| match &entry.sight {
                Sight::Value(text) if entry.call == call => Some((place, text.clone())),
                _ => None,
            })
        };
        let ((own, text), (other, there)) = (value(own)?, value(other)?);
        let is_equal = text == there || self.is_inside(&text, &there);
        (!is_equal).then_some(Parting { call, change: Change::Value, own: Some(own), other: Some(other) })
    }

    /// Returns whether two texts differ first in a private field, and notes its type.
    fn is_inside(&mut self, own: &str, other: &str) -> bool {
        let is_equal = |(own, other): (char, char)| own == other;
        let place = own.chars().zip(other.chars()).take_while(|pair| is_equal(*pair)).count();
        let fields = fields_around(own, place);
        let private = fields.into_iter().find(|field| !self.open.contains(field));
        let Some(private) = private else { return false };
        let (name, _) = private.split_once('.').unwrap_or((&private, ""));
        self.inside.insert(name.to_string());
        true
    }
}

/// The entries of one call.
struct Ran<'a> {
    results: Vec<(usize, &'a str)>,
    /// The entry after which the program does not go on.
    ending: Option<(usize, &'a Entry)>,
}

impl<'a> Ran<'a> {
    fn of(transcript: &'a Transcript, call: u32) -> Ran<'a> {
        let mut ran = Ran { results: Vec::new(), ending: None };
        for (place, entry) in transcript.entries.iter().enumerate().filter(|(_, entry)| entry.call == call) {
            match &entry.sight {
                Sight::Result(text) => ran.results.push((place, text)),
                Sight::Value(_) => {}
                Sight::Panic(_) | Sight::Barred | Sight::Died(_) => ran.ending = Some((place, entry)),
            }
        }
        ran
    }

    fn sight(&self) -> Option<&'a Sight> {
        self.ending.map(|(_, entry)| &entry.sight)
    }
}

/// Returns the fields, such as `Point.x`, inside of which a character of a text is that `Debug` has printed.
fn fields_around(text: &str, place: usize) -> Vec<String> {
    /// A bracket that is open: the name before it, and the field that is being printed.
    struct Open {
        name: String,
        field: String,
    }
    let (mut open, mut word, mut quote) = (Vec::<Open>::new(), String::new(), None);
    let mut before = ' ';
    for letter in text.chars().take(place) {
        match (quote, letter) {
            (Some(_), _) if before == '\\' => {
                before = ' ';
                continue;
            }
            (Some(mark), _) if letter == mark => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '{' | '(' | '[') => {
                // Only what is printed as `Name { … }` has fields.
                let name = if letter == '{' { std::mem::take(&mut word) } else { String::new() };
                open.push(Open { name, field: String::new() });
                word.clear();
            }
            (None, '}' | ')' | ']') => {
                open.pop();
                word.clear();
            }
            (None, ':') => {
                if let Some(last) = open.last_mut() {
                    last.field = std::mem::take(&mut word);
                }
            }
            (None, ' ') if before != ',' && before != ':' => {}
            (None, letter) if letter.is_alphanumeric() || letter == '_' => word.push(letter),
            (None, _) => word.clear(),
        }
        before = letter;
    }
    open.iter()
        .filter(|open| !open.name.is_empty())
        .map(|open| format!("{}.{}", open.name, open.field))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(call: u32, sight: Sight) -> Entry {
        Entry { call, sight }
    }

    fn result(call: u32, text: &str) -> Entry {
        entry(call, Sight::Result(text.to_string()))
    }

    /// Returns the kind of difference, and the types whose private fields differ.
    fn compared(own: &[Entry], other: &[Entry], open: &[&str]) -> (Option<Change>, Vec<String>) {
        let open: Vec<String> = open.iter().map(|field| field.to_string()).collect();
        let mut comparer = Comparer { open: &open, inside: BTreeSet::new() };
        let [own, other] = [own, other].map(|entries| Transcript { entries: entries.to_vec() });
        let parting = comparer.parting(&own, &other);
        (parting.map(|parting| parting.change), comparer.inside.into_iter().collect())
    }

    #[test]
    fn the_first_call_that_does_otherwise_is_the_difference() {
        let panic = |call, message: &str| entry(call, Sight::Panic(message.to_string()));
        let same = [result(0, "1"), result(1, "2")];
        assert_eq!(compared(&same, &same, &[]).0, None);
        assert_eq!(compared(&same, &[result(0, "1"), result(1, "3")], &[]).0, Some(Change::Result));
        assert_eq!(compared(&[result(0, "1"), panic(1, "a")], &same, &[]).0, Some(Change::Panics));
        assert_eq!(compared(&same, &[result(0, "1"), panic(1, "a")], &[]).0, Some(Change::Recovers));
        assert_eq!(compared(&[panic(0, "a")], &[panic(0, "b")], &[]).0, Some(Change::Message));
        let died = entry(0, Sight::Died("signal 6".to_string()));
        assert_eq!(compared(&same, &[died], &[]).0, Some(Change::Survives));
        let left = |text: &str| entry(0, Sight::Value(text.to_string()));
        assert_eq!(compared(&[left("[1]")], &[left("[2]")], &[]).0, Some(Change::Value));
    }

    #[test]
    fn what_only_one_build_can_print_is_no_difference() {
        assert_eq!(compared(&[result(0, "1")], &[], &[]).0, None);
        assert_eq!(compared(&[], &[entry(0, Sight::Value("1".to_string()))], &[]).0, None);
    }

    #[test]
    fn private_fields_are_no_behaviour_but_public_ones_and_alternatives_are() {
        let inside =
            |own: &str, other: &str, open: &[&str]| compared(&[result(0, own)], &[result(0, other)], open);
        let (change, types) = inside("Map { len: 1, slots: 8 }", "Map { len: 1, slots: 4 }", &["Map.len"]);
        assert_eq!((change, types), (None, vec!["Map".to_string()]));
        let open = ["Map.len", "Map.slots"];
        assert_eq!(
            inside("Map { len: 1, slots: 8 }", "Map { len: 1, slots: 4 }", &open).0,
            Some(Change::Result)
        );
        assert_eq!(inside("Some(Map { slots: 8 })", "None", &[]).0, Some(Change::Result));
        assert_eq!(inside("Err(Error { kind: A })", "Err(Error { kind: B })", &[]).0, None);
        assert_eq!(inside("Meters(5)", "Meters(6)", &[]).0, Some(Change::Result));
        assert_eq!(inside("{\"a\": 1}", "{\"a\": 2}", &[]).0, Some(Change::Result));
        // A later call is still compared.
        let own = [result(0, "Map { slots: 8 }"), result(1, "3")];
        let other = [result(0, "Map { slots: 4 }"), result(1, "4")];
        assert_eq!(compared(&own, &other, &[]).0, Some(Change::Result));
    }

    #[test]
    fn brackets_in_texts_are_no_brackets() {
        let text = "Error { text: \"a { b: \\\" } c\", kind: 7 }";
        let place = text.find('7').unwrap();
        assert_eq!(fields_around(text, place), ["Error.kind"]);
        assert_eq!(fields_around("[A { b: C { d: 1 } }]", 15), ["A.b", "C.d"]);
        assert!(fields_around("[A { b: 1 }, 7]", 13).is_empty());
    }
}
