//! Amounts: conditions of a pattern that are not calls, but how much calls have added up to.
//!
//! An amount is a running total over the calls of one receiver: some calls add to it, some take off, some set it
//! back to zero. Or it is a quantity of the last call alone, such as the length of its text.
//!
//! **Invariant:** a total depends on the calls so far and on nothing else, so a program can be watched as it grows.

use super::{LITERAL, STATE, Value};
use crate::list::mapped;

/// A quantity of a literal.
///
/// ```
/// use bugnet::bug::{Aspect, Measures};
///
/// assert_eq!(Measures::of("vec![7, 8]").get(Aspect::Size), 2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// Its value, if it is an integer.
    Number,
    /// The number of elements or characters.
    Size,
    /// The number of bytes of a text, which is its length to Rust.
    Bytes,
    /// The depth of nested parentheses.
    Depth,
}

/// The quantities of a literal, as it is printed.
///
/// ```
/// use bugnet::bug::{Aspect, Measures};
///
/// let number = Measures::of("-7i64");
/// assert_eq!((number.get(Aspect::Number), number.get(Aspect::Size)), (-7, 0));
/// let text = Measures::of(r#""a\nb""#);
/// assert_eq!(text.get(Aspect::Size), 3);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Measures {
    number: i64,
    size: i64,
    /// The bytes of a text beyond one for each character.
    wide: i64,
    depth: i64,
    /// The text between the quotes or brackets of a text or a list, with escapes as they are written.
    inside: String,
    is_text: bool,
}

impl Measures {
    /// The quantities of a literal that is printed so.
    pub fn of(text: &str) -> Measures {
        let text = text.trim();
        if let Some(number) = number(text) {
            return Measures { number, ..Measures::default() };
        }
        match text.find('"') {
            Some(start) if text[..start].chars().all(char::is_alphanumeric) => {
                let characters = characters(&text[start + 1..]);
                let (mut inside, mut wide) = (String::new(), 0);
                for letter in &characters {
                    inside.push_str(letter);
                    wide += bytes(letter) - 1;
                }
                Measures { size: characters.len() as i64, wide, inside, is_text: true, ..Measures::default() }
            }
            _ => listed(text),
        }
    }

    /// Returns true if the size or the contents of the literal could make a difference.
    pub(crate) fn is_large(&self) -> bool {
        self.number != 0 || self.size > 1 || self.depth > 1 || !self.inside.is_empty()
    }

    /// The characters of a text or the elements of a list, as they are written.
    pub fn parts(&self) -> Vec<&str> {
        match self.is_text {
            true => characters(&self.inside),
            false => elements(&self.inside),
        }
    }

    /// Returns true if a text or a list has a part.
    pub fn has(&self, part: &str) -> bool {
        self.inside.contains(part) && self.parts().contains(&part)
    }

    /// One of them.
    pub fn get(&self, aspect: Aspect) -> i64 {
        match aspect {
            Aspect::Number => self.number,
            Aspect::Size => self.size,
            Aspect::Bytes => self.size + self.wide,
            Aspect::Depth => self.depth,
        }
    }

    /// Returns true if a text has more bytes than characters.
    pub(crate) fn is_wide(&self) -> bool {
        self.wide > 0
    }
}

/// The bytes of a character, which may be written as an escape.
fn bytes(letter: &str) -> i64 {
    let escaped = letter.strip_prefix("\\u{").and_then(|code| code.strip_suffix('}'));
    let code = escaped.and_then(|code| u32::from_str_radix(code, 16).ok());
    let letter = match code {
        Some(code) => char::from_u32(code),
        None => letter.chars().next(),
    };
    letter.map_or(1, |letter| letter.len_utf8() as i64)
}

/// The value of an integer, with or without its type behind it.
fn number(text: &str) -> Option<i64> {
    if let Some((kind, bound)) = text.split_once("::") {
        return extreme(kind, bound);
    }
    let digits = text.find(['i', 'u']).unwrap_or(text.len());
    let plain = text[..digits].trim_end_matches('_').replace("_", "");
    plain.parse().ok().map(bounded)
}

/// The greatest and the least value of an integer type, which are printed by their names.
fn extreme(kind: &str, bound: &str) -> Option<i64> {
    let bits: u32 = match kind.get(1..)? {
        "size" => 64,
        bits => bits.parse().ok().filter(|bits| *bits <= 64)?,
    };
    match (kind.as_bytes().first()?, bound) {
        (b'u', "MAX") => Some(bounded((1 << bits) - 1)),
        (b'i', "MAX") => Some(bounded((1 << (bits - 1)) - 1)),
        (b'i', "MIN") => Some(bounded(-(1 << (bits - 1)))),
        _ => None,
    }
}

/// Totals of many numbers must not overflow.
fn bounded(value: i128) -> i64 {
    value.clamp(-(1 << 48), 1 << 48) as i64
}

/// The characters of a text in quotes, from behind the first one on, with escapes as they are written.
fn characters(text: &str) -> Vec<&str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    let mut letters = text.char_indices();
    while let Some((_, letter)) = letters.next() {
        match letter {
            '"' => break,
            '\\' if letters.next().is_some_and(|(_, escaped)| escaped == 'u') => {
                letters.by_ref().take_while(|(_, letter)| *letter != '}').for_each(drop);
            }
            _ => {}
        }
        let end = letters.offset();
        parts.push(&text[start..end]);
        start = end;
    }
    parts
}

/// The elements of a list, from behind its bracket on.
fn elements(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut is_quoted) = (Vec::new(), 0, 0, false);
    for (place, letter) in text.char_indices() {
        match letter {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() {
        parts.push(last);
    }
    parts
}

/// The elements of the outermost brackets, and how deep brackets are nested.
fn listed(text: &str) -> Measures {
    let (mut depth, mut deepest, mut commas, mut is_empty, mut is_quoted) = (0, 0, 0, true, false);
    for letter in text.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' | '[' | '{' => {
                depth += 1;
                deepest = deepest.max(depth);
                is_empty &= depth == 1;
                continue;
            }
            ')' | ']' | '}' => {
                depth -= 1;
                continue;
            }
            ',' if depth == 1 => commas += 1,
            _ => {}
        }
        is_empty &= depth == 0;
    }
    let size = if is_empty { 0 } else { commas + 1 };
    // What stands in parentheses is no list.
    let list = text.strip_prefix("vec!").unwrap_or(text);
    let inside = list.strip_prefix('[').and_then(|list| list.strip_suffix(']')).unwrap_or_default();
    let size = if deepest > 0 { size } else { 0 };
    Measures { size, depth: deepest, inside: inside.to_string(), ..Measures::default() }
}

/// The effect of a call on an amount.
///
/// ```
/// use bugnet::bug::Effect;
///
/// assert_ne!(Effect::Add(1), Effect::Reset);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Adds this.
    Add(i64),
    /// Adds a quantity of a parameter, times a factor.
    Measure(usize, Aspect, i64),
    /// Adds one if the text or the list that a parameter is has this part.
    Has(usize, String),
    /// Has the value of a parameter among those that are counted, each once.
    Enter(usize),
    /// Has it no longer.
    Leave(usize),
    /// Sets the amount back to zero.
    Reset,
}

/// A total, and how much of it is too much.
///
/// ```
/// use bugnet::bug::{Amount, Course, Effect};
///
/// let twelve = Amount { effects: vec![(0, Effect::Add(1)), (1, Effect::Add(-1))], least: 12, course: Course::Floored };
/// assert_eq!(twelve.effects.len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amount {
    /// The effects of calls on it, by their operations.
    pub effects: Vec<(usize, Effect)>,
    /// From where on programs fail.
    pub least: i64,
    /// The way in which it adds up.
    pub course: Course,
}

impl Amount {
    /// Returns true if an operation is that of the first effect.
    fn is_first(&self, operation: usize) -> bool {
        self.effects.first().is_some_and(|(first, _)| *first == operation)
    }
}

/// The way in which an amount adds up.
///
/// ```
/// use bugnet::bug::Course;
///
/// assert_ne!(Course::Floored, Course::Wrapping);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Course {
    /// Of the operation that comes first among the effects, only the last call counts; others add up.
    Last,
    /// Over all calls.
    Total,
    /// The same, but nothing is taken off where nothing is left.
    Floored,
    /// The same as a total, in eight bits.
    Wrapping,
}

/// A call, as amounts see it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Weighed<'a> {
    pub(crate) operation: usize,
    pub(crate) arguments: &'a [Value],
    pub(crate) measures: &'a [Measures],
}

impl Weighed<'_> {
    /// The value that the call is about: the first that an earlier call has made.
    pub(crate) fn receiver(&self) -> Option<Value> {
        self.arguments.iter().copied().find(|value| *value == STATE || value & LITERAL == 0)
    }
}

/// An amount of one receiver, as far as the program has come.
#[derive(Debug, Clone, Default)]
struct Total {
    receiver: Value,
    sum: i64,
    entered: Vec<Value>,
}

/// An amount in a program that grows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Totals(Vec<Total>);

impl Totals {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns the value of an amount after a call.
    pub(crate) fn with(&self, amount: &Amount, call: &Weighed<'_>) -> i64 {
        let Some(receiver) = call.receiver() else { return 0 };
        let mut total = self.0.iter().find(|total| total.receiver == receiver).cloned().unwrap_or_default();
        total.add(amount, call);
        total.sum + total.entered.len() as i64
    }

    /// Takes note of a call.
    pub(crate) fn add(&mut self, amount: &Amount, call: &Weighed<'_>) {
        let Some(receiver) = call.receiver() else { return };
        let is_passing = amount.course == Course::Last && amount.is_first(call.operation);
        if is_passing || !amount.effects.iter().any(|(operation, _)| *operation == call.operation) {
            return;
        }
        let place = self.0.iter().position(|total| total.receiver == receiver).unwrap_or(self.0.len());
        if place == self.0.len() {
            self.0.push(Total { receiver, ..Total::default() });
        }
        self.0[place].add(amount, call);
    }
}

impl Total {
    fn add(&mut self, amount: &Amount, call: &Weighed<'_>) {
        for (_, effect) in amount.effects.iter().filter(|(operation, _)| *operation == call.operation) {
            match effect {
                Effect::Add(count) => self.sum += count,
                Effect::Measure(parameter, aspect, times) => {
                    self.sum += times * call.measures.get(*parameter).map_or(0, |known| known.get(*aspect));
                }
                Effect::Has(parameter, part) => {
                    self.sum += i64::from(call.measures.get(*parameter).is_some_and(|known| known.has(part)));
                }
                Effect::Enter(parameter) => {
                    let value = call.arguments[*parameter];
                    if !self.entered.contains(&value) {
                        self.entered.push(value);
                    }
                }
                Effect::Leave(parameter) => {
                    let value = call.arguments[*parameter];
                    self.entered.retain(|entered| *entered != value);
                }
                Effect::Reset => {
                    self.sum = 0;
                    self.entered.clear();
                }
            }
        }
        match amount.course {
            Course::Floored => self.sum = self.sum.max(0),
            Course::Wrapping => self.sum &= 255,
            // A quantity of the last call may be below zero; what was added up before may not.
            Course::Last if !amount.is_first(call.operation) => self.sum = self.sum.max(0),
            Course::Last | Course::Total => {}
        }
    }
}

/// The amounts of a pattern, watched in a program that grows.
#[derive(Debug, Clone)]
pub(super) struct Scale {
    /// The pattern, by its place.
    pub(super) pattern: usize,
    /// The operations that complete it.
    operations: Vec<usize>,
    amounts: Vec<(Amount, Totals)>,
}

impl Scale {
    pub(super) fn new(pattern: usize, operations: Vec<usize>, amounts: &[Amount]) -> Scale {
        let amounts = mapped(amounts, |amount| (amount.clone(), Totals::default()));
        Scale { pattern, operations, amounts }
    }

    pub(super) fn clear(&mut self) {
        for (_, totals) in &mut self.amounts {
            totals.clear();
        }
    }

    /// Returns true if calls of an operation matter.
    pub(super) fn concerns(&self, operation: usize) -> bool {
        let has = |amount: &Amount| amount.effects.iter().any(|(other, _)| *other == operation);
        self.operations.contains(&operation) || self.amounts.iter().any(|(amount, _)| has(amount))
    }

    /// Returns true if a call brings all amounts to where programs fail.
    pub(super) fn is_reached_by(&self, call: &Weighed<'_>) -> bool {
        self.operations.contains(&call.operation)
            && self.amounts.iter().all(|(amount, totals)| totals.with(amount, call) >= amount.least)
    }

    pub(super) fn add(&mut self, call: &Weighed<'_>) {
        for (amount, totals) in &mut self.amounts {
            totals.add(amount, call);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_read_off_the_text_of_a_literal() {
        let of = |text| {
            let measures = Measures::of(text);
            [Aspect::Number, Aspect::Size, Aspect::Depth].map(|aspect| measures.get(aspect))
        };
        assert_eq!(of("200"), [200, 0, 0]);
        assert_eq!(of("-6"), [-6, 0, 0]);
        assert_eq!(of("7u8"), [7, 0, 0]);
        assert_eq!(of("1_000i64"), [1000, 0, 0]);
        assert_eq!(
            (of("u8::MAX"), of("i16::MIN"), of("i8::MAX")),
            ([255, 0, 0], [-32768, 0, 0], [127, 0, 0])
        );
        assert_eq!((of("u64::MAX"), of("Kind::MAX")), ([1 << 48, 0, 0], [0, 0, 0]));
        assert_eq!(of("vec![]"), [0, 0, 1]);
        assert_eq!(of("vec![0, 0, 0]"), [0, 3, 1]);
        assert_eq!(of("Nest::List(vec![Nest::Leaf(0)])"), [0, 1, 3]);
        assert_eq!(of("\"\""), [0, 0, 0]);
        assert_eq!(of("\"a%\\n\\u{1f}\""), [0, 4, 0]);
        assert_eq!(of("true"), [0, 0, 0]);
    }

    #[test]
    fn a_text_has_as_many_bytes_as_in_memory() {
        let bytes = |text: &str| Measures::of(text).get(Aspect::Bytes);
        for text in ["", "plain", "\u{80}", "a\\u{80}\n", "\u{20ac}\"\u{10000}x"] {
            assert_eq!(bytes(&format!("{text:?}")), text.len() as i64, "{text:?}");
        }
        assert_eq!((bytes("vec![7, 8]"), bytes("7")), (2, 0));
    }

    #[test]
    fn texts_and_lists_have_parts_and_other_literals_have_none() {
        let parts = |text: &str| Measures::of(text).parts().join(" ");
        assert_eq!(parts(r#""a%\n\u{1f}\"b".to_string()"#), r#"a % \n \u{1f} \" b"#);
        assert_eq!(parts("vec![9, (1, 2), \"x,y\"]"), "9 (1, 2) \"x,y\"");
        assert_eq!((parts("[7]"), parts("vec![]"), parts("Name(3)")), ("7".into(), "".into(), "".into()));
        assert!(Measures::of("vec![19]").has("19") && !Measures::of("vec![19]").has("9"));
    }

    #[test]
    fn totals_are_kept_for_each_receiver_and_do_not_go_below_nothing() {
        let effects = vec![(0, Effect::Add(1)), (1, Effect::Add(-1)), (2, Effect::Reset)];
        let amount = Amount { effects, least: 2, course: Course::Floored };
        let mut totals = Totals::default();
        let call =
            |operation, receiver: &'static [Value]| Weighed { operation, arguments: receiver, measures: &[] };
        for operation in [1, 0, 0] {
            totals.add(&amount, &call(operation, &[5]));
        }
        totals.add(&amount, &call(0, &[6]));
        assert_eq!(totals.with(&amount, &call(0, &[5])), 3);
        assert_eq!(totals.with(&amount, &call(0, &[6])), 2);
        assert_eq!(totals.with(&amount, &call(2, &[5])), 0);
    }

    #[test]
    fn a_key_counts_once_until_it_leaves() {
        let effects = vec![(0, Effect::Enter(1)), (1, Effect::Leave(1))];
        let amount = Amount { effects, least: 2, course: Course::Floored };
        let mut totals = Totals::default();
        let call = |operation, arguments: &'static [Value]| Weighed { operation, arguments, measures: &[] };
        let (one, two): (&[Value], &[Value]) = (&[STATE, LITERAL | 1], &[STATE, LITERAL | 4]);
        totals.add(&amount, &call(0, one));
        totals.add(&amount, &call(0, one));
        assert_eq!(totals.with(&amount, &call(0, two)), 2);
        totals.add(&amount, &call(1, one));
        assert_eq!(totals.with(&amount, &call(0, two)), 1);
    }
}
