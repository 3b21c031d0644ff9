//! Triage: which findings a person should look at, and how sure it is that they are bugs.
//!
//! Nine in ten panics of a crate that is called at random are what its authors intended: an index that is
//! out of range is refused, and often the documentation says so. So a finding goes down a ladder; the
//! first rung that holds says what it is.
//!
//! **Invariant:** nothing is thrown away. What is not shown is counted, and shown when it is asked for.

use super::complaint::Complaint;
use super::fact::Facts;
use super::finding::{Cause, Finding, Phase};
use super::{handle, law, subject};
use crate::harness::StandIn;
use crate::harness::closure;
use serde::Serialize;

/// What a finding is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Class {
    /// The process died.
    Crash,
    /// A law of a trait, or one that follows from names, does not hold.
    Law,
    /// It panics where the documentation, its name or its trait says that it does not.
    Contradiction,
    /// It panics, and nobody meant it to.
    Panic,
    Hang,
    Memory,
    /// What most types keep does not hold, such as that what is displayed can be parsed.
    Convention,
    /// Probably a wrong use, not a bug.
    Misuse,
}

/// What a finding is taken for, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Judgement {
    pub(crate) class: Class,
    /// How sure it is that the finding is a bug, in percent.
    pub(crate) sureness: u8,
    /// One sentence without a capital letter and a full stop.
    pub(crate) reason: String,
}

/// Below that, a finding is shown only if it is asked for.
const SHOWN: u8 = 50;
/// A law that is less sure is good manners, not a promise.
const PROMISED: u8 = 70;

impl Judgement {
    fn new(class: Class, sureness: u8, reason: impl Into<String>) -> Judgement {
        Judgement { class, sureness, reason: reason.into() }
    }

    fn misuse(reason: impl Into<String>) -> Judgement {
        Judgement::new(Class::Misuse, 20, reason)
    }

    /// Whether it is shown without being asked for.
    pub(crate) fn is_shown(&self) -> bool {
        self.sureness >= SHOWN
    }
}

/// Functions of these traits are called behind the back of their users, who can do nothing about a panic.
const SILENT_TRAITS: [&str; 12] = [
    "Debug",
    "Display",
    "PartialEq",
    "Eq",
    "PartialOrd",
    "Ord",
    "Hash",
    "Clone",
    "Default",
    "Drop",
    "Borrow",
    "AsRef",
];

/// Functions of these traits are arithmetic, as operators are.
const ARITHMETIC: [&str; 9] =
    ["Sum", "Product", "Pow", "Integer", "Signed", "Num", "Inv", "MulAdd", "MulAddAssign"];

/// Functions of these traits of serde are called by what writes or reads a value, in an order that they rely on.
const PROTOCOLS: [&str; 11] = [
    "SerializeSeq",
    "SerializeTuple",
    "SerializeTupleStruct",
    "SerializeTupleVariant",
    "SerializeMap",
    "SerializeStruct",
    "SerializeStructVariant",
    "SeqAccess",
    "MapAccess",
    "EnumAccess",
    "VariantAccess",
];

/// Judges a finding as it came from a worker.
pub(crate) fn judge(finding: &Finding, facts: &Facts, line: Option<&str>) -> Judgement {
    match finding.cause {
        Cause::Death => Judgement::new(Class::Crash, 95, "safe code cannot be meant to end the process"),
        Cause::Law => broken_law(finding, facts),
        Cause::Hang if is_of_trait(facts, &["Iterator", "DoubleEndedIterator"]) => {
            Judgement::misuse("an iterator may have as many items as it likes")
        }
        Cause::Hang | Cause::Memory if facts.given && grows(&finding.operation) => {
            Judgement::misuse("by its name it takes as much as it is asked for")
        }
        Cause::Hang if facts.insists && facts.given => {
            Judgement::misuse("the documentation has a precondition")
        }
        Cause::Hang => Judgement::new(Class::Hang, 70, "the call does not end"),
        Cause::Memory if refuses(&finding.operation) => Judgement::misuse("it is there to refuse this"),
        Cause::Memory => Judgement::new(Class::Memory, 65, "it asks for more memory than there is"),
        Cause::Panic => panic(finding, facts, line),
    }
}

fn broken_law(finding: &Finding, facts: &Facts) -> Judgement {
    let name = finding.law().map_or("", |(name, _)| name);
    let known = || law::of_trait(name).map(str::to_string);
    let reason = facts.reason.clone().or_else(known);
    let reason = reason.unwrap_or_else(|| "it follows from the names and types of the functions".to_string());
    if name == "default_is_equal" {
        return Judgement::misuse("a default that is always another is most often a new identity");
    }
    let sureness = facts.sureness.unwrap_or(if law::is_convention(name) { 60 } else { 90 });
    let class = if sureness < PROMISED { Class::Convention } else { Class::Law };
    Judgement::new(class, sureness, reason)
}

/// The ladder for panics.
fn panic(finding: &Finding, facts: &Facts, line: Option<&str>) -> Judgement {
    let complaint = Complaint::of(&finding.message, line);
    let contradiction = |sureness, reason: &str| Judgement::new(Class::Contradiction, sureness, reason);
    match finding.phase {
        Phase::Observe => return contradiction(90, "`Debug` must not panic, whatever the value"),
        Phase::Drop => return contradiction(92, "dropping a value must not panic"),
        Phase::Call => {}
    }
    if facts.never_panics {
        return contradiction(93, "the documentation says that it does not panic");
    }
    if facts.documented_panic && finding.message.contains("char boundary") && !facts.documented_boundary {
        return Judgement::new(Class::Panic, 58, "the documentation names other panics, and not this one");
    }
    if facts.documented_panic {
        return Judgement::misuse("the documentation says that it panics");
    }
    if complaint == Complaint::Capacity {
        return Judgement::misuse("it was asked for more memory than there is");
    }
    if complaint == Complaint::Format {
        return Judgement::misuse("its `Display` refuses this value");
    }
    if refuses(&finding.operation) {
        return contradiction(88, "by its name it refuses what it cannot do, and it panics");
    }
    // What an iterator does when it is asked for its next item is not the business of its laws; what the
    // standard library asserts of it is.
    let is_asserted = finding.place.as_ref().is_some_and(|place| place.file.contains("core/src/iter/"));
    let law = finding.law().map(|(name, _)| name);
    let law = law.filter(|name| is_asserted || !law::is_of_iterators(name));
    if let Some(reason) = law.and_then(law::of_trait) {
        return contradiction(88, reason);
    }
    if is_of_trait(facts, &SILENT_TRAITS) || law.is_some() {
        return contradiction(88, "functions of this trait are called where nobody expects a panic");
    }
    // What the author has thought of cannot be refused otherwise.
    if is_of_trait(facts, &["From"]) && complaint != Complaint::Explicit {
        return contradiction(82, "`From` must not fail; `TryFrom` is there for what can");
    }
    if facts.track_caller || finding.place.as_ref().is_some_and(|place| place.is_in_harness()) {
        return Judgement::misuse("it blames its caller (`#[track_caller]`)");
    }
    let is_of_numbers = matches!(complaint, Complaint::Overflow | Complaint::DivisionByZero);
    if facts.operator || is_of_numbers && !facts.fallible && is_of_trait(facts, &ARITHMETIC) {
        return Judgement::misuse("an operator has no other way to refuse");
    }
    if is_of_trait(facts, &PROTOCOLS) {
        return Judgement::misuse("serde has an order in which these are called");
    }
    if let Some(sibling) = &facts.sibling {
        return Judgement::misuse(format!("`{sibling}` refuses where it panics"));
    }
    let (sureness, reason) = match complaint {
        Complaint::Unimplemented => return Judgement::misuse("it is not implemented"),
        // Text comes from anywhere, and a caller cannot know what is wrong with it.
        // That a number must be within bounds is no news of the text beside it, nor that it is read only once.
        Complaint::Explicit if facts.fallible && facts.reads && !states_rule(&finding.message) => {
            (64, "it can refuse what it reads, and it panics instead")
        }
        Complaint::Explicit => {
            return Judgement::misuse("an undocumented panic: the documentation should name it");
        }
        Complaint::DebugAssertion if line.is_some_and(|line| is_precondition(finding, facts, line)) => {
            return Judgement::misuse("it asserts something of what it is given");
        }
        Complaint::DebugAssertion => (60, "an assertion that the author takes for granted fails"),
        Complaint::Unreachable => (85, "what the author took for unreachable is reached"),
        Complaint::Unwrap if finding.message.contains("Limit") => {
            return Judgement::misuse("it has reached a limit of its types");
        }
        Complaint::Unwrap if converts(&finding.operation) && !facts.fallible => {
            return Judgement::misuse("by its name it converts to a number, and not all have one");
        }
        Complaint::Unwrap => (80, "what the author took for granted is not there"),
        Complaint::Borrow => (80, "it borrows what is borrowed already"),
        Complaint::Index | Complaint::Slice => (75, "it looks beyond the end of something of its own"),
        Complaint::DivisionByZero if divides(&finding.operation) => {
            return Judgement::misuse("by its name it divides by what it is given");
        }
        Complaint::DivisionByZero => (72, "it divides by zero"),
        Complaint::Overflow if facts.given && !facts.fallible && grows(&finding.operation) => {
            return Judgement::misuse("by its name it grows with what it is given");
        }
        Complaint::Overflow
            if is_raw(facts) && line.is_some_and(|line| is_precondition(finding, facts, line)) =>
        {
            return Judgement::misuse("it computes with nothing but what it is given");
        }
        Complaint::Overflow => (70, "its arithmetic overflows"),
        Complaint::Capacity | Complaint::Format => unreachable!("judged above"),
    };
    let sureness = if facts.fallible { sureness + 8 } else { sureness };
    // A precondition in prose is one all the same.
    let less = if facts.precondition { 30 } else { 0 } + if facts.deprecated { 10 } else { 0 };
    if sureness - less < SHOWN {
        return Judgement::misuse("the documentation has a precondition");
    }
    Judgement::new(Class::Panic, sureness - less, reason)
}

/// Whether a message tells callers what to do.
fn states_rule(message: &str) -> bool {
    ["must ", "can only", "may only"].iter().any(|rule| message.contains(rule))
}

/// Whether a function belongs to one of these traits.
fn is_of_trait(facts: &Facts, names: &[&str]) -> bool {
    let name = facts.trait_name.as_deref().and_then(|path| path.rsplit("::").next());
    name.is_some_and(|name| names.contains(&name))
}

/// The words in the name of a function.
fn words(operation: &str) -> impl Iterator<Item = &str> {
    subject::split(operation).map_or(operation, |(_, name)| name).split('_')
}

/// Whether a function converts to a type of numbers: `to_u32`, `as_usize`.
fn converts(operation: &str) -> bool {
    let mut words = words(operation);
    let first = words.next().unwrap_or_default();
    let numbers = [
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64",
    ];
    ["to", "as", "into"].contains(&first) && words.any(|word| numbers.contains(&word))
}

/// Whether a function is given nothing but numbers, and has no way to refuse them.
fn is_raw(facts: &Facts) -> bool {
    facts.numbers && !facts.fallible
}

/// Whether a line is at the head of the function that was called, and not about its own value.
fn is_precondition(finding: &Finding, facts: &Facts, line: &str) -> bool {
    let Some((file, first)) = facts.place.as_deref().and_then(|place| place.rsplit_once(':')) else {
        return false;
    };
    let (Some(place), Ok(first)) = (&finding.place, first.parse::<u32>()) else { return false };
    let is_at_head = place.file.ends_with(file) && (first..first + HEAD).contains(&place.line);
    is_at_head && !line.contains("self")
}

/// Whether a function divides by its argument.
fn divides(operation: &str) -> bool {
    words(operation).any(|word| {
        matches!(word, "div" | "divide" | "rem" | "mod" | "modulo" | "quotient" | "inverse" | "inv" | "recip")
    })
}

/// Whether a function has more to do the larger its argument is, and nothing can be done about it.
fn grows(operation: &str) -> bool {
    let growing = [
        "pow",
        "powi",
        "shl",
        "repeat",
        "factorial",
        "reserve",
        "capacity",
        "resize",
        "grow",
        "full",
        "fill",
    ];
    words(operation).any(|word| growing.contains(&word))
}

/// Whether a function takes a limit away by its name: `without_recursion_limit`, `unbounded`.
fn lifts_limit(operation: &str) -> bool {
    let has = |known: &[&str]| words(operation).any(|word| known.contains(&word));
    has(&["unlimited", "unbounded", "limitless"])
        || has(&["limit", "limits"]) && has(&["without", "no", "disable", "remove", "ignore"])
}

/// Whether a function is there to refuse what others panic at.
fn refuses(operation: &str) -> bool {
    let name = subject::split(operation).map_or(operation, |(_, name)| name);
    let beginnings = ["checked_", "try_", "saturating_", "wrapping_", "overflowing_"];
    beginnings.iter().any(|beginning| name.starts_with(beginning))
        || ["_opt", "_checked"].iter().any(|ending| name.ends_with(ending))
}

/// Judges a finding again when its minimal program is known: numbers that are still large, or still the
/// index that the panic names, are needed, and so the program asked for it.
pub(crate) fn judge_reduced(
    before: Judgement,
    finding: &Finding,
    facts: &Facts,
    program: &[String],
) -> Judgement {
    if let Some(call) = program.iter().find_map(|line| unchecked(line)) {
        return Judgement::misuse(format!("`{call}` leaves its checks to the caller"));
    }
    if matches!(before.class, Class::Law | Class::Convention)
        && let Some(call) = program.iter().find_map(|line| raw(line))
    {
        return Judgement::misuse(format!(
            "`{call}` hands out what is inside, and takes the caller's word for it"
        ));
    }
    if program.iter().any(|line| is_fickle(line)) && before.class != Class::Crash {
        return Judgement::misuse("a function that answers now so and now otherwise was given");
    }
    let is_written_out = program.iter().any(|line| is_written_out(line));
    let complaint = Complaint::of(&finding.message, None);
    let is_refused = before.class == Class::Contradiction && complaint == Complaint::Explicit;
    if is_written_out && (is_refused || matches!(before.class, Class::Convention | Class::Panic)) {
        return Judgement::misuse("no function has made this value; its fields were written out");
    }
    let numbers: Vec<u128> = program.iter().flat_map(|line| numbers(line)).collect();
    let largest = numbers.iter().copied().max().unwrap_or_default();
    if is_written_out && complaint == Complaint::Overflow && largest >= EXTREME {
        return Judgement::misuse(format!("the number {largest} was written into a field"));
    }
    // Whoever may refuse should refuse a handle too.
    let is_shown = before.class == Class::Contradiction && finding.law().is_some();
    let is_judged = matches!(before.class, Class::Panic | Class::Hang | Class::Memory);
    if let Some(handle) = handle::foreign(program).filter(|_| is_shown || is_judged) {
        return Judgement::misuse(format!("`{handle}` does not come from what it is used with"));
    }
    if !is_judged {
        return before;
    }
    let last = program.last().map(|line| self::numbers(line)).unwrap_or_default();
    match complaint {
        _ if finding.cause.is_deadly() && largest >= LARGE => {
            Judgement::misuse(format!("it was given the number {largest}"))
        }
        _ if finding.cause.is_deadly() && program.last().is_some_and(|line| has_endless_range(line)) => {
            Judgement::misuse("it was given a range without an end")
        }
        _ if finding.cause.is_deadly() => before,
        // What is explicit and not misuse yet is an assertion of what the author takes for granted.
        Complaint::Explicit if facts.given && grows(&finding.operation) => {
            Judgement::misuse("by its name it takes as much as it is asked for")
        }
        Complaint::Explicit if largest >= EXTREME => {
            Judgement::misuse(format!("it was given the number {largest}"))
        }
        Complaint::Unwrap if largest >= EXTREME && facts.sizes => {
            Judgement::misuse(format!("it was given the length {largest}"))
        }
        // A fraction may have become an integer on its way.
        Complaint::Overflow if !facts.fallible && program.iter().any(|line| has_large_fraction(line)) => {
            Judgement::misuse("it overflows with a large number that it was given")
        }
        // What can refuse a number has no reason to overflow with it, unless it is a length.
        Complaint::Overflow if largest >= EXTREME && (!facts.fallible || facts.sizes) => {
            Judgement::misuse(format!("it overflows with the number {largest} that it was given"))
        }
        Complaint::DivisionByZero if last.contains(&0) => Judgement::misuse("it was given zero to divide by"),
        Complaint::Index | Complaint::Slice | Complaint::Unreachable
            // Zero is what reducing leaves everywhere, so only that of the last call means anything.
            if indices(&finding.message)
                .iter()
                .any(|index| last.contains(index) || (*index > 0 && numbers.contains(index))) =>
        {
            Judgement::misuse("it was given an index that is out of range")
        }
        _ => before,
    }
}

/// Judges a finding again by the calls before the one that fails: what one of them insists on may have been
/// neglected, or it may have lifted a limit.
pub(crate) fn judge_earlier<'a>(
    before: Judgement,
    finding: &Finding,
    earlier: impl Iterator<Item = (&'a str, &'a Facts)> + Clone,
) -> Judgement {
    let died = before.class == Class::Crash;
    if let Some((call, _)) = earlier.clone().find(|(_, facts)| facts.unchecked && facts.given)
        && !died
    {
        return Judgement::misuse(format!(
            "`{call}` does not look at what it is given, as its documentation says"
        ));
    }
    let is_endless =
        matches!(before.class, Class::Hang | Class::Memory) || finding.message.contains("stack overflow");
    if let Some((call, _)) = earlier.clone().find(|(call, _)| lifts_limit(call))
        && is_endless
    {
        return Judgement::misuse(format!("`{call}` has lifted a limit"));
    }
    let takes_anything = |facts: &Facts| facts.reads && !facts.fallible && facts.trait_name.is_none();
    let is_printed = finding.law().is_some_and(|(name, _)| law::is_of_printing(name));
    if let Some((call, _)) = earlier.clone().find(|(_, facts)| takes_anything(facts))
        && is_printed
    {
        return Judgement::misuse(format!("`{call}` takes any text, and cannot refuse it"));
    }
    let is_refusal = before.class == Class::Contradiction && refuses(&finding.operation);
    if before.class != Class::Panic && !is_refusal {
        return before;
    }
    match { earlier }.find(|(_, facts)| facts.insists && facts.given) {
        Some((call, _)) => Judgement::misuse(format!("the documentation of `{call}` has a precondition")),
        None => before,
    }
}

/// Judges a failure again by the types of our own in its program: one may not keep what its trait insists on.
pub(crate) fn judge_stand_ins<'a>(
    before: Judgement,
    mut used: impl Iterator<Item = &'a StandIn>,
) -> Judgement {
    if !matches!(before.class, Class::Panic | Class::Hang | Class::Memory) {
        return before;
    }
    match used.find_map(|stand_in| stand_in.insists.as_deref()) {
        Some(path) => Judgement::misuse(format!("the documentation of `{path}` has a precondition")),
        None => before,
    }
}

/// The function in a line that by its name does not check what it is given.
fn unchecked(line: &str) -> Option<&str> {
    let names = ["unchecked", "nocheck", "no_check", "uncheck"];
    called(line).find(|word| names.iter().any(|name| word.contains(name)))
}

/// The function in a line that by its name is about what is below the usual interface.
fn raw(line: &str) -> Option<&str> {
    called(line).find(|word| word.split('_').any(|part| part == "raw"))
}

/// The names of functions in a line.
fn called(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.filter(move |word| line.contains(&format!("{word}(")) || line.contains(&format!("{word}::<")))
}

/// Whether a line asks a function the same more than once that does not answer the same. Who chooses among
/// items asks once for each.
fn is_fickle(line: &str) -> bool {
    let choosing = ["retain", "filter", "extract", "partition", "drain", "while"];
    line.contains(closure::FICKLE) && !choosing.iter().any(|word| line.contains(word))
}

/// Whether a line has a range without an end, `0..` or `..`.
fn has_endless_range(line: &str) -> bool {
    let outside = line.split('"').step_by(2);
    outside.flat_map(|part| part.split("..").skip(1)).any(|rest| rest.starts_with([')', ',', ']']))
}

/// Whether a line makes a value by its fields, `let a = A { b: 1 };`, past all functions that would refuse.
fn is_written_out(line: &str) -> bool {
    let Some((_, value)) = line.split_once(" = ") else { return false };
    let Some((path, fields)) = value.split_once(" { ") else { return false };
    let is_path = path.chars().all(|letter| letter.is_alphanumeric() || "_:<>, ".contains(letter));
    // Nothing but `Enum::Variant { a: 1 }` makes a variant.
    let owner = path.rsplit("::").nth(1).unwrap_or_default();
    let is_variant = owner.starts_with(|letter: char| letter.is_uppercase());
    // What is in bytes may come from anywhere, and is to be expected.
    let is_list = |rest: &str| {
        let items = rest.split(']').next().unwrap_or_default();
        items.contains(',') && items.starts_with(|first: char| first.is_ascii_digit())
    };
    let has_list = ["&[", "vec!["].iter().any(|open| fields.split(open).skip(1).any(is_list));
    let has_bytes = has_list || fields.contains("b\"") || fields.contains("as_slice()");
    is_path && !is_variant && !path.is_empty() && !has_bytes && fields.trim_end_matches(';').ends_with('}')
}

/// So many lines are the head of a function.
const HEAD: u32 = 10;
/// A call with so large a number may well take long, or much memory.
const LARGE: u128 = 100;
/// Arithmetic on so large a number may well overflow.
const EXTREME: u128 = 1 << 15;

/// Whether a word is a number with a fraction, such as `0.5` or `1.8e19`, and no field of a tuple.
fn is_fraction(word: &str) -> bool {
    word.split_once('.').is_some_and(|(whole, rest)| {
        !whole.is_empty()
            && whole.bytes().all(|digit| digit.is_ascii_digit())
            && rest.starts_with(|digit: char| digit.is_ascii_digit())
    })
}

/// Whether a line has a number with a fraction that is so large that arithmetic with it may overflow.
fn has_large_fraction(line: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '.' || letter == '_';
    let numbers = line.split(|letter: char| !is_part(letter)).filter(|word| is_fraction(word));
    let large = EXTREME as f64;
    numbers.filter_map(|word| word.parse::<f64>().ok()).any(|number| number >= large)
        || ["f32::M", "f64::M", "::INFINITY", "::NEG_INFINITY"].iter().any(|word| line.contains(word))
}

/// A line without the 9 of `[0; 9]`: so many elements were written out.
fn without_lengths(line: &str) -> String {
    let rest = |part: &str| {
        let rest = part.trim_start_matches(|letter: char| letter.is_ascii_digit());
        if rest.starts_with(']') { rest.to_string() } else { part.to_string() }
    };
    let mut parts = line.split("; ");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |line, part| format!("{line}; {}", rest(part)))
}

/// The numbers in a line of Rust, without those in texts and names.
fn numbers(line: &str) -> Vec<u128> {
    let mut found = Vec::new();
    let (mut outside, mut is_text, mut letters) = (String::new(), false, line.chars());
    while let Some(letter) = letters.next() {
        match letter {
            // A quote that is escaped ends no text.
            '\\' if is_text => drop(letters.next()),
            '"' => {
                is_text = !is_text;
                outside.push(' ');
            }
            letter if !is_text => outside.push(letter),
            _ => {}
        }
    }
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    // Nothing is done so often as a number with a fraction says.
    let whole = without_lengths(&outside.replace("..", "  "));
    for word in whole.split(|letter: char| !is_word(letter) && letter != ':' && letter != '.') {
        if is_fraction(word) {
            continue;
        }
        if let Some((kind, "MAX" | "MIN")) = word.rsplit_once("::") {
            let is_number =
                ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
            if is_number.contains(&kind.rsplit("::").next().unwrap_or_default()) {
                found.push(u128::MAX);
            }
        }
        for part in word.split([':', '.']) {
            let digits: String = part.chars().filter(|letter| *letter != '_').collect();
            let end = digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
            found.extend(digits[..end].parse::<u128>().ok());
        }
    }
    found
}

/// The indices that a message complains about.
fn indices(message: &str) -> Vec<u128> {
    // The length, which is named too, is not one.
    let about = match message.rsplit_once("the index is ") {
        Some((_, index)) => index,
        None => message.split(" out of range").next().unwrap_or(message),
    };
    let words = about.split(|letter: char| !letter.is_ascii_digit()).filter(|word| !word.is_empty());
    words.filter_map(|word| word.parse().ok()).collect()
}

#[cfg(test)]
mod tests;
