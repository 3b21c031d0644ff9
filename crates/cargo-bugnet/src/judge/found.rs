//! The rules for a finding as it came from a worker: how it failed, and what is known of the function.
//!
//! **Invariant:** some rule applies to every finding, and none of them needs the program.

use super::law;
use super::rule::{Asked, Rule, Said, naming, when};
use super::words::{converts, divides, grows, refuses, states_rule};
use super::{Class, SHOWN, UNSURE};
use crate::finding::panic_kind::PanicKind;
use crate::finding::{Cause, Phase};

/// The sureness, in percent, below which a law is good manners and not a promise.
const PROMISED: u8 = 70;
/// The number of lines that are the head of a function, where arguments are checked.
const HEAD: u32 = 10;

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

/// The rules, by cause: deaths, laws, hangs, memory, and then panics. What is left to the last rules of a cause was
/// passed over by those above them.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "death",
        when: "the process dies: abort, stack overflow, signal, exit",
        applies: |asked| when(asked.finding.cause == Cause::Death),
        class: Class::Crash,
        sureness: 95,
        reason: "safe code cannot be meant to end the process",
        taught_by: &[],
    },
    Rule {
        name: "stated law",
        when: "a law that somebody has stated by `#[law]` fails, or panics",
        applies: |asked| when(asked.facts.stated && !hangs(asked) && asked.finding.cause != Cause::Memory),
        class: Class::Law,
        sureness: 99,
        reason: "it is stated as a law",
        taught_by: &[],
    },
    Rule {
        name: "fresh default",
        when: "two defaults of a type are not equal",
        applies: |asked| when(is_law(asked) && law_name(asked) == "default_is_equal"),
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "a default that differs each time is most often a new identity",
        taught_by: &[],
    },
    Rule {
        name: "promised law",
        when: "a law that follows from names and types does not hold",
        applies: |asked| promised(asked).filter(|said| said.sureness >= Some(PROMISED)),
        class: Class::Law,
        sureness: 80,
        reason: "{reason of the law}",
        taught_by: &[],
    },
    Rule {
        name: "manners",
        when: "a law that follows from names, and that most types keep though nobody promises it, does not hold",
        applies: promised,
        class: Class::Convention,
        sureness: 60,
        reason: "{reason of the law}",
        taught_by: &[],
    },
    Rule {
        name: "convention",
        when: "what is displayed is not parsed as the same, or what is collected again is not equal",
        applies: |asked| broken(asked).filter(|_| law::is_convention(law_name(asked))),
        class: Class::Convention,
        sureness: 60,
        reason: "{reason of the law}",
        taught_by: &[],
    },
    Rule {
        name: "law",
        when: "a law of a trait does not hold",
        applies: broken,
        class: Class::Law,
        sureness: 90,
        reason: "{reason of the law}",
        taught_by: &[],
    },
    Rule {
        name: "endless iterator",
        when: "a function of an iterator does not end, or a law that takes items from one",
        applies: |asked| {
            let takes_items = asked.finding.law().is_some_and(|(name, _)| law::is_of_iterators(name));
            when(hangs(asked) && (takes_items || asked.is_of_trait(&["Iterator", "DoubleEndedIterator"])))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "an iterator may have as many items as it likes",
        taught_by: &["roaring", "glob"],
    },
    // A program has one thread, so whatever it waits for never happens.
    Rule {
        name: "waits for others",
        when: "a function whose documentation says that it waits does not end",
        applies: |asked| when(hangs(asked) && asked.facts.waits),
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "the documentation says that it waits, and a program has nobody else who could end that",
        taught_by: &["evmap"],
    },
    Rule {
        name: "asked for much",
        when: "a function that grows with its argument by its name (`pow`, `reserve`, `repeat` …) does not end or \
               runs out of memory",
        applies: |asked| {
            let is_much = hangs(asked) || asked.finding.cause == Cause::Memory;
            when(is_much && asked.facts.given && grows(&asked.finding.operation))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "by its name it takes as much as it is asked for",
        taught_by: &["num-bigint"],
    },
    Rule {
        name: "warned of hanging",
        when: "a function whose documentation insists (\"must be\") on something of its arguments does not end",
        applies: |asked| when(hangs(asked) && asked.facts.insists && asked.facts.given),
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "the documentation has a precondition",
        taught_by: &[],
    },
    Rule {
        name: "hang",
        when: "any other call does not end",
        applies: |asked| when(hangs(asked)),
        class: Class::Hang,
        sureness: 70,
        reason: "the call does not end",
        taught_by: &[],
    },
    Rule {
        name: "refuses memory",
        when: "a function that refuses by its name (`try_reserve`) runs out of memory",
        applies: |asked| when(asked.finding.cause == Cause::Memory && refuses(&asked.finding.operation)),
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "it is there to refuse this",
        taught_by: &[],
    },
    Rule {
        name: "memory",
        when: "any other call runs out of memory",
        applies: |asked| when(asked.finding.cause == Cause::Memory),
        class: Class::Memory,
        sureness: 65,
        reason: "it asks for more memory than there is",
        taught_by: &[],
    },
    Rule {
        name: "debug panics",
        when: "`Debug` of a value panics",
        applies: |asked| when(asked.finding.phase == Phase::Observe),
        class: Class::Contradiction,
        sureness: 90,
        reason: "`Debug` must not panic, whatever the value",
        taught_by: &[],
    },
    Rule {
        name: "drop panics",
        when: "dropping a value panics",
        applies: |asked| when(asked.finding.phase == Phase::Drop),
        class: Class::Contradiction,
        sureness: 92,
        reason: "dropping a value must not panic",
        taught_by: &[],
    },
    Rule {
        name: "never panics",
        when: "the documentation says that it does not panic",
        applies: |asked| when(asked.facts.never_panics),
        class: Class::Contradiction,
        sureness: 93,
        reason: "the documentation says that it does not panic",
        taught_by: &[],
    },
    Rule {
        name: "other panics documented",
        when: "it panics within a character, and the documentation speaks of panics but not of boundaries",
        applies: |asked| {
            let is_boundary = asked.finding.message.contains("char boundary");
            when(asked.facts.documented_panic && is_boundary && !asked.facts.documented_boundary)
        },
        class: Class::Panic,
        sureness: 58,
        reason: "the documentation names other panics, and not this one",
        taught_by: &["crop", "smallvec", "bytes"],
    },
    Rule {
        name: "documented panic",
        when: "the documentation speaks of panics, or that of the type names the function in its section on them",
        applies: |asked| when(asked.facts.documented_panic),
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "the documentation says that it panics",
        taught_by: &[],
    },
    Rule {
        name: "capacity",
        when: "it panics because a capacity overflows or an allocation fails",
        applies: |asked| when(asked.kind() == PanicKind::Capacity),
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "it was asked for more memory than there is",
        taught_by: &[],
    },
    Rule {
        name: "display refuses",
        when: "`to_string` panics because `Display` returns an error",
        applies: |asked| when(asked.kind() == PanicKind::Format),
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "its `Display` refuses this value",
        taught_by: &[],
    },
    Rule {
        name: "refuses by its name",
        when: "the name begins with `checked_`, `try_`, `saturating_`, `wrapping_`, `overflowing_`, or ends in `_opt` \
               or `_checked`; not if an argument is asserted",
        applies: |asked| when(refuses(&asked.finding.operation) && !asserts_argument(asked)),
        class: Class::Contradiction,
        sureness: 88,
        reason: "by its name it refuses what it cannot do, and it panics",
        taught_by: &[],
    },
    Rule {
        name: "law panics",
        when: "a function of a trait with laws panics while a law is asked, but for iterators, which are judged as \
               other functions are",
        applies: |asked| naming(panicking_law(asked).and_then(law::of_trait)),
        class: Class::Contradiction,
        sureness: 88,
        reason: "{reason of the law}",
        taught_by: &["petgraph"],
    },
    Rule {
        name: "silent trait",
        when: "a function of `Debug`, `==`, `Ord`, `Hash`, `Clone`, `Default`, `Drop`, `Borrow` or `AsRef` panics",
        applies: |asked| when(asked.is_of_trait(&SILENT_TRAITS) || panicking_law(asked).is_some()),
        class: Class::Contradiction,
        sureness: 88,
        reason: "functions of this trait are called where nobody expects a panic",
        taught_by: &[],
    },
    // An author who panics on purpose in `From` has no other way to refuse a value.
    Rule {
        name: "from",
        when: "`From` panics, and not by an assertion or message of its author",
        applies: |asked| when(asked.is_of_trait(&["From"]) && asked.kind() != PanicKind::Explicit),
        class: Class::Contradiction,
        sureness: 82,
        reason: "`From` must not fail; `TryFrom` is there for what can",
        taught_by: &["rangemap"],
    },
    Rule {
        name: "blames its caller",
        when: "the place of the panic is that of the caller (`#[track_caller]`)",
        applies: |asked| {
            let place = asked.finding.place.as_ref();
            when(asked.facts.track_caller || place.is_some_and(|place| place.is_in_harness()))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "it blames its caller (`#[track_caller]`)",
        taught_by: &[],
    },
    Rule {
        name: "operator",
        when: "an operator or an index panics, or arithmetic of a trait such as `Sum` or `Pow` overflows or divides by \
               zero without a way to refuse",
        applies: |asked| {
            let is_of_numbers = matches!(asked.kind(), PanicKind::Overflow | PanicKind::DivisionByZero);
            let is_arithmetic = is_of_numbers && !asked.facts.fallible && asked.is_of_trait(&ARITHMETIC);
            when(asked.facts.operator || is_arithmetic)
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "an operator has no other way to refuse",
        taught_by: &[],
    },
    Rule {
        name: "protocol",
        when: "a function of serde's protocols (`SerializeMap`, `SeqAccess` …) panics",
        applies: |asked| when(asked.is_of_trait(&PROTOCOLS)),
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "serde has an order in which these are called",
        taught_by: &[],
    },
    Rule {
        name: "sibling",
        when: "a function beside it refuses instead (`try_push` beside `push`)",
        applies: |asked| naming(asked.facts.sibling.as_ref()),
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "`{function}` refuses where it panics",
        taught_by: &[],
    },
    Rule {
        name: "not implemented",
        when: "`todo!` or `unimplemented!` panics",
        applies: |asked| when(asked.kind() == PanicKind::Unimplemented),
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "it is not implemented",
        taught_by: &[],
    },
    // Text comes from anywhere, and a caller cannot know what is wrong with it. That a number beside it must be within
    // bounds is no news of the text.
    Rule {
        name: "panics at what it reads",
        when: "an assertion or message of the author in a function that reads text or bytes and returns a `Result` or \
               an `Option`, unless the message tells callers what to do",
        applies: |asked| {
            let can_refuse = asked.facts.fallible && asked.facts.reads;
            when(asked.kind() == PanicKind::Explicit && can_refuse && !states_rule(&asked.finding.message))
        },
        class: Class::Panic,
        sureness: 64,
        reason: "it can refuse what it reads, and it panics instead",
        taught_by: &[],
    },
    Rule {
        name: "undocumented panic",
        when: "any other assertion or message of the author",
        applies: |asked| when(asked.kind() == PanicKind::Explicit),
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "an undocumented panic: the documentation should name it",
        taught_by: &[],
    },
    Rule {
        name: "asserted argument",
        when: "a `debug_assert!` that is not about `self` fails at the head of the function",
        applies: |asked| when(asserts_argument(asked)),
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "it asserts something of what it is given",
        taught_by: &["euclid", "html5gum"],
    },
    Rule {
        name: "debug assertion",
        when: "any other `debug_assert!` fails",
        applies: |asked| when(asked.kind() == PanicKind::DebugAssertion),
        class: Class::Panic,
        sureness: 60,
        reason: "an assertion that the author takes for granted fails",
        taught_by: &[],
    },
    Rule {
        name: "unreachable",
        when: "`unreachable!` is reached",
        applies: |asked| when(asked.kind() == PanicKind::Unreachable),
        class: Class::Panic,
        sureness: 85,
        reason: "what the author took for unreachable is reached",
        taught_by: &[],
    },
    Rule {
        name: "limit of types",
        when: "`unwrap` of an error that says `Limit`",
        applies: |asked| when(asked.kind() == PanicKind::Unwrap && asked.finding.message.contains("Limit")),
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "it has reached a limit of its types",
        taught_by: &["petgraph"],
    },
    Rule {
        name: "conversion to a number",
        when: "`unwrap` of nothing in a function that converts to a number by its name (`to_u32`)",
        applies: |asked| {
            let is_conversion = converts(&asked.finding.operation) && !asked.facts.fallible;
            when(asked.kind() == PanicKind::Unwrap && is_conversion)
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "by its name it converts to a number, and not every value has one",
        taught_by: &["euclid"],
    },
    Rule {
        name: "unwrap",
        when: "any other `unwrap` of nothing",
        applies: |asked| when(asked.kind() == PanicKind::Unwrap),
        class: Class::Panic,
        sureness: 80,
        reason: "what the author took for granted is not there",
        taught_by: &[],
    },
    Rule {
        name: "borrow",
        when: "a `RefCell` is borrowed twice",
        applies: |asked| when(asked.kind() == PanicKind::Borrow),
        class: Class::Panic,
        sureness: 80,
        reason: "it borrows what is borrowed already",
        taught_by: &[],
    },
    Rule {
        name: "out of bounds",
        when: "an index or a slice out of bounds",
        applies: |asked| when(matches!(asked.kind(), PanicKind::Index | PanicKind::Slice)),
        class: Class::Panic,
        sureness: 75,
        reason: "it looks beyond the end of something of its own",
        taught_by: &[],
    },
    Rule {
        name: "divides by its name",
        when: "a division by zero in a function that divides by its argument by its name (`rem_euclid`)",
        applies: |asked| when(asked.kind() == PanicKind::DivisionByZero && divides(&asked.finding.operation)),
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "by its name it divides by what it is given",
        taught_by: &["num-bigint"],
    },
    Rule {
        name: "division by zero",
        when: "any other division by zero",
        applies: |asked| when(asked.kind() == PanicKind::DivisionByZero),
        class: Class::Panic,
        sureness: 72,
        reason: "it divides by zero",
        taught_by: &[],
    },
    Rule {
        name: "grows by its name",
        when: "an overflow in a function that grows with its argument by its name, and cannot refuse it",
        applies: |asked| {
            let is_growing = asked.facts.given && !asked.facts.fallible && grows(&asked.finding.operation);
            when(asked.kind() == PanicKind::Overflow && is_growing)
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "by its name it grows with what it is given",
        taught_by: &[],
    },
    Rule {
        name: "arithmetic on arguments",
        when: "an overflow at the head of a function that is given nothing but numbers, cannot refuse them, and \
               computes without `self`",
        applies: |asked| {
            let is_raw = asked.facts.numbers && !asked.facts.fallible;
            when(asked.kind() == PanicKind::Overflow && is_raw && is_precondition(asked))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "it computes with nothing but what it is given",
        taught_by: &[],
    },
    Rule {
        name: "overflow",
        when: "any other overflow",
        applies: |asked| when(asked.kind() == PanicKind::Overflow),
        class: Class::Panic,
        sureness: 70,
        reason: "its arithmetic overflows",
        taught_by: &[],
    },
];

/// The rules once it is known how sure the others are.
pub(super) const WEIGHED: &[Rule] = &[Rule {
    name: "precondition",
    when: "a panic that is less than 50 % sure because the documentation has a precondition in prose",
    applies: |asked| {
        let is_unsure = asked.before.is_some_and(|before| before.sureness < SHOWN);
        when(asked.was(&[Class::Panic]) && is_unsure)
    },
    class: Class::WrongUse,
    sureness: UNSURE,
    reason: "the documentation has a precondition",
    taught_by: &[],
}];

fn hangs(asked: &Asked<'_>) -> bool {
    asked.finding.cause == Cause::Hang
}

fn is_law(asked: &Asked<'_>) -> bool {
    asked.finding.cause == Cause::Law
}

/// The name of the law that was asked, if one was.
fn law_name<'a>(asked: &Asked<'a>) -> &'a str {
    asked.finding.law().map_or("", |(name, _)| name)
}

/// Returns the reason why a broken law that follows from names should hold, and how sure that is.
fn promised(asked: &Asked<'_>) -> Option<Said> {
    let promise = asked.facts.promise.as_ref().filter(|_| is_law(asked))?;
    Some(Said { gap: promise.reason.clone(), sureness: Some(promise.sureness) })
}

/// Returns the reason why a broken law should hold.
fn broken(asked: &Asked<'_>) -> Option<Said> {
    let known = law::of_trait(law_name(asked));
    let reason = known.unwrap_or("it follows from the names and types of the functions");
    naming(is_law(asked).then_some(reason))
}

/// The law that was asked when a function panicked. What an iterator does when it is asked for its next item is not the
/// business of its laws; what the standard library asserts of it is.
fn panicking_law<'a>(asked: &Asked<'a>) -> Option<&'a str> {
    let place = asked.finding.place.as_ref();
    let is_asserted = place.is_some_and(|place| place.file.contains("core/src/iter/"));
    let law = asked.finding.law().map(|(name, _)| name);
    law.filter(|name| is_asserted || !law::is_of_iterators(name))
}

/// Returns true if a `debug_assert!` at the head of the function, which is not about its own value, has failed. An author
/// who writes that means callers, also in a function that refuses other things.
fn asserts_argument(asked: &Asked<'_>) -> bool {
    asked.kind() == PanicKind::DebugAssertion && is_precondition(asked)
}

/// Returns true if the line of the panic is at the head of the function that was called, and not about its
/// own value.
pub(super) fn is_precondition(asked: &Asked<'_>) -> bool {
    let is_about_self = asked.line.is_none_or(|line| line.contains("self"));
    let defined = asked.facts.place.as_deref().and_then(|place| place.rsplit_once(':'));
    let (Some((file, first)), Some(place)) = (defined, &asked.finding.place) else { return false };
    let Ok(first) = first.parse::<u32>() else { return false };
    !is_about_self && place.file.ends_with(file) && (first..first + HEAD).contains(&place.line)
}
