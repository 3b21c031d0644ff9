//! The rules for a finding whose minimal program is known.
//!
//! The reducer makes numbers small and programs short, so a number that is still large was needed, and so was a call
//! that is still there: the program asked for what it got.
//!
//! **Invariant:** the rules of a stage test the class that the stage before came to, so no list is put together with
//! another.

use super::found::is_precondition;
use super::rule::{Asked, Rule, Step, naming, naming_if, when};
use super::words::{grows, lifts_limit, refuses};
use super::{Class, UNSURE, handle, law, program};
use crate::api::Facts;
use crate::finding::panic_kind::PanicKind;

/// The smallest number with which a call may well take long, or much memory.
const LARGE: u128 = 100;
/// The smallest number with which arithmetic may well overflow.
const EXTREME: u128 = 1 << 15;
/// The smallest number by which a value is moved far away, whatever it counts.
const FAR: u128 = 1 << 40;

/// Panics, hangs and exhausted memory that nobody meant: whether they are wrong uses is told by the program.
const UNMEANT: [Class; 3] = [Class::Panic, Class::Hang, Class::Memory];
/// Those of them that end the process.
const DEADLY: [Class; 2] = [Class::Hang, Class::Memory];

/// The rules by the program itself.
pub(super) const PROGRAM: &[Rule] = &[
    Rule {
        name: "unchecked by its name",
        when: "the program calls something `unchecked` (`from_hash_nocheck`), or asks a law of a type that is so by its \
               name (`Rule<Unvalidated>`)",
        applies: |asked| naming(program::unchecked_call(asked.program)),
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "`{call}` leaves its checks to the caller",
        taught_by: &["rrule"],
    },
    Rule {
        name: "raw",
        when: "a law is broken after something `raw` was called (`raw_entry_mut_v1`)",
        applies: |asked| {
            let is_law = asked.was(&[Class::Law, Class::Convention]);
            naming_if(is_law, || program::raw_call(asked.program))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "`{call}` hands out what is inside, and takes the caller's word for it",
        taught_by: &["indexmap"],
    },
    Rule {
        name: "fickle closure",
        when: "a closure that is not deterministic is passed to a function that does more than choose among items \
               (`retain`, `filter` …)",
        applies: |asked| when(!asked.was(&[Class::Crash]) && program::has_fickle_closure(asked.program)),
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "the closure passed in is not deterministic",
        taught_by: &[],
    },
    Rule {
        name: "fields written out",
        when: "a value was made by writing out its fields, with no bytes in them, and it panics, breaks a convention or is \
               refused",
        applies: |asked| {
            let is_said = matches!(asked.kind(), PanicKind::Explicit | PanicKind::DebugAssertion);
            let is_refused = asked.was(&[Class::Contradiction]) && is_said;
            let is_doubtful = is_refused || asked.was(&[Class::Convention, Class::Panic]);
            when(is_doubtful && program::has_written_out(asked.program))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "no function has made this value; its fields were written out",
        taught_by: &["petgraph"],
    },
    Rule {
        name: "large field",
        when: "an overflow with a number above 32,767 in a value that was made by writing out its fields",
        applies: |asked| {
            let is_doubtful = asked.kind() == PanicKind::Overflow && program::has_written_out(asked.program);
            naming_if(is_doubtful, || largest(asked, EXTREME))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "the number {number} was written into a field",
        taught_by: &[],
    },
    // Whoever may refuse should refuse a handle too.
    Rule {
        name: "foreign handle",
        when: "a handle (`NodeIndex`, `Key` …) that does not come from what it is used with; not in a function that \
               may refuse it",
        applies: |asked| {
            let is_shown = asked.was(&[Class::Contradiction]) && asked.finding.law().is_some();
            naming_if(is_shown || asked.was(&UNMEANT), || handle::foreign(asked.program))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "`{handle}` does not come from what it is used with",
        taught_by: &["petgraph"],
    },
    Rule {
        name: "large number kills",
        when: "it hangs or runs out of memory with a number of 100 or more that reducing could not make smaller",
        applies: |asked| naming_if(asked.was(&DEADLY), || largest(asked, LARGE)),
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "it was given the number {number}",
        taught_by: &[],
    },
    Rule {
        name: "endless range",
        when: "it hangs or runs out of memory with a range without an end",
        applies: |asked| when(asked.was(&DEADLY) && program::ends_with_endless_range(asked.program)),
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "it was given a range without an end",
        taught_by: &["roaring"],
    },
    // An explicit panic that is no wrong use so far is an assertion of something that the author takes for
    // granted.
    Rule {
        name: "asserted capacity",
        when: "an assertion fails in a function that grows with its argument by its name (`with_capacity`)",
        applies: |asked| when(asserts(asked) && asked.facts.given && grows(&asked.finding.operation)),
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "by its name it takes as much as it is asked for",
        taught_by: &[],
    },
    Rule {
        name: "asserted number",
        when: "an assertion fails with a number above 32,767",
        applies: |asked| naming_if(asserts(asked), || largest(asked, EXTREME)),
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "it was given the number {number}",
        taught_by: &[],
    },
    Rule {
        name: "counted from one",
        when: "zero, or more than 366, was given to a function that counts a number from one by its documentation or by \
               the name of its parameter (`month`, `day`), and that does not return a `Result`",
        applies: |asked| {
            let is_date = asked.was(&[Class::Panic]) && asked.facts.from_one;
            let is_careless = !asked.facts.fallible || asked.facts.searches;
            naming_if(is_date && is_careless, || program::no_part_of_a_year(last(asked)))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "it counts from one, and it was given {number}",
        taught_by: &["calendrical_calculations"],
    },
    Rule {
        name: "zero to subtract from",
        when: "a subtraction overflows at the head of a function that cannot refuse, not about `self`, and zero was given \
               to it, outside of any type of our own",
        applies: |asked| {
            let is_subtraction = asked.finding.message.starts_with("attempt to subtract");
            let is_overflow = panics_by(asked, PanicKind::Overflow) && !asked.facts.fallible;
            let is_given = asked.stand_ins.is_empty() && program::is_given(last(asked), 0);
            when(is_overflow && is_subtraction && is_precondition(asked) && is_given)
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "it subtracts from what it is given, and that was zero",
        taught_by: &["calendrical_calculations"],
    },
    Rule {
        name: "large length",
        when: "`unwrap` of nothing with a length or capacity above 32,767",
        applies: |asked| {
            let is_length = panics_by(asked, PanicKind::Unwrap) && asked.facts.sizes;
            naming_if(is_length, || largest(asked, EXTREME))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "it was given the length {number}",
        taught_by: &[],
    },
    Rule {
        name: "unwrap at a limit",
        when: "`unwrap` of nothing in a function that cannot refuse, and the last number of a type of 64 bits was given to \
               it: what comes after that number is nothing",
        applies: |asked| {
            let is_nothing = asked.finding.message.contains("on a `None` value");
            let is_unwrap = panics_by(asked, PanicKind::Unwrap) && !asked.facts.fallible && is_nothing;
            let is_wide = |number: &u128| *number >= i64::MAX as u128;
            naming_if(is_unwrap, || program::largest(last(asked), u128::MAX).filter(is_wide))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "it was given {number}, the last number of its type",
        taught_by: &["smartstring"],
    },
    // A fraction may have become an integer on its way.
    Rule {
        name: "overflow with a fraction",
        when: "an overflow with a fraction above 32,767, in a function that cannot refuse it",
        applies: |asked| {
            let is_overflow = panics_by(asked, PanicKind::Overflow) && !asked.facts.fallible;
            when(is_overflow && program::has_fraction_from(asked.program, EXTREME as f64))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "it overflows with a large number that it was given",
        taught_by: &["euclid"],
    },
    // A function that can refuse a number has no reason to overflow with it, unless the number is a length.
    Rule {
        name: "overflow with a number",
        when: "an overflow with a number above 32,767, in a function that cannot refuse it or is given a length",
        applies: |asked| {
            let is_given = !asked.facts.fallible || asked.facts.sizes;
            let is_overflow = panics_by(asked, PanicKind::Overflow) && is_given;
            naming_if(is_overflow, || largest(asked, EXTREME))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "it overflows with the number {number} that it was given",
        taught_by: &[],
    },
    // Who is asked about a date in another geological age can refuse it, but has seldom thought of it.
    Rule {
        name: "moved far",
        when: "an overflow after an operator has moved a value by a number of 2^40 or more",
        applies: |asked| {
            let earlier = asked.program.split_last().map_or(&[][..], |(_, earlier)| earlier);
            naming_if(panics_by(asked, PanicKind::Overflow), || program::moved_by(earlier, FAR))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "an operator has moved a value by {number}, and it overflows there",
        taught_by: &["calendrical_calculations"],
    },
    Rule {
        name: "limit of another",
        when: "an overflow or an assertion, in a function that cannot refuse, after a constant of another module that is a \
               limit by its name (`HEBREW_MAX_RD`)",
        applies: |asked| {
            let is_met = asserts(asked) || panics_by(asked, PanicKind::Overflow);
            let is_met = is_met && !asked.facts.fallible;
            naming_if(is_met, || program::limit_of_another(asked.program, &asked.finding.operation))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "`{constant}` is the limit of another module",
        taught_by: &["calendrical_calculations"],
    },
    Rule {
        name: "zero to divide by",
        when: "a division by zero, and zero was given to the last call",
        applies: |asked| {
            let is_division = panics_by(asked, PanicKind::DivisionByZero);
            when(is_division && program::is_given(last(asked), 0))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "it was given zero to divide by",
        taught_by: &[],
    },
    Rule {
        name: "index that was given",
        when: "an index that the panic names was given to the last call or, if it is not zero, to an earlier one",
        applies: |asked| {
            let kinds = [PanicKind::Index, PanicKind::Slice, PanicKind::Unreachable];
            let is_about_index = asked.was(&[Class::Panic]) && kinds.contains(&asked.kind());
            when(is_about_index && is_index_given(asked))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "it was given an index that is out of range",
        taught_by: &[],
    },
];

/// The rules by the calls before the one that fails: what one of them insists on may have been neglected, or it may have
/// lifted a limit.
pub(super) const EARLIER: &[Rule] = &[
    Rule {
        name: "unchecked by its documentation",
        when: "an earlier call does not look at what it is given, as its documentation says",
        applies: |asked| {
            let is_alive = !asked.was(&[Class::Crash]);
            naming_if(is_alive, || earlier(asked, |facts| facts.unchecked && facts.given))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "`{call}` does not look at what it is given, as its documentation says",
        taught_by: &[],
    },
    Rule {
        name: "lifted limit",
        when: "it hangs, runs out of memory or overflows the stack after a limit was lifted \
               (`without_recursion_limit`)",
        applies: |asked| {
            let is_endless = asked.was(&DEADLY) || asked.finding.message.contains("stack overflow");
            let mut calls = asked.earlier().map(|step| &step.call.operation);
            naming_if(is_endless, || calls.find(|call| lifts_limit(call)))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "`{call}` has lifted a limit",
        taught_by: &[],
    },
    Rule {
        name: "any text",
        when: "what a constructor makes of any text, without a way to refuse it, is not read again after printing",
        applies: |asked| {
            let is_printed = asked.finding.law().is_some_and(|(name, _)| law::is_of_printing(name));
            let takes_any = |facts: &Facts| facts.reads && !facts.fallible && facts.trait_name.is_none();
            naming_if(is_printed, || earlier(asked, takes_any))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "`{call}` takes any text, and cannot refuse it",
        taught_by: &["data-url", "cookie"],
    },
    Rule {
        name: "rounded fraction",
        when: "what is printed of a value that was made of a fraction is read as another value",
        applies: |asked| {
            let is_printed = asked.finding.law().is_some_and(|(name, _)| law::is_of_printing(name));
            when(is_printed && asked.earlier().any(|step| program::has_fraction_from(&[*step], 0.0)))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "a fraction may be rounded when it is printed",
        taught_by: &["csscolorparser"],
    },
    Rule {
        name: "earlier precondition",
        when: "the documentation of an earlier call insists (\"must be\", \"have to be\") on something of its arguments, \
               and the call that fails panics though nobody meant it to, or refuses by its name",
        applies: |asked| {
            let is_refusal = asked.was(&[Class::Contradiction]) && refuses(&asked.finding.operation);
            let is_doubtful = is_refusal || asked.was(&[Class::Panic]);
            naming_if(is_doubtful, || earlier(asked, |facts| facts.insists && facts.given))
        },
        class: Class::WrongUse,
        sureness: UNSURE,
        reason: "the documentation of `{call}` has a precondition",
        taught_by: &[],
    },
];

/// The rules by the types of our own in the program: one may not keep what its trait insists on.
pub(super) const STAND_INS: &[Rule] = &[Rule {
    name: "precondition of a trait",
    when: "the documentation of a trait insists on something, and a type of our own implements it",
    applies: |asked| {
        let mut paths = asked.stand_ins.iter().filter_map(|stand_in| stand_in.insists.as_deref());
        naming_if(asked.was(&UNMEANT), || paths.next())
    },
    class: Class::WrongUse,
    sureness: UNSURE,
    reason: "the documentation of `{trait}` has a precondition",
    taught_by: &[],
}];

/// Returns true if it is a panic of this kind that nobody meant.
fn panics_by(asked: &Asked<'_>, kind: PanicKind) -> bool {
    asked.was(&[Class::Panic]) && asked.kind() == kind
}

/// Returns true if an assertion fails that the author takes for granted.
fn asserts(asked: &Asked<'_>) -> bool {
    panics_by(asked, PanicKind::Explicit) || panics_by(asked, PanicKind::DebugAssertion)
}

/// The largest number of the program, if it is at least so large or the last of its type.
fn largest(asked: &Asked<'_>, least: u128) -> Option<u128> {
    program::largest(asked.program, least)
}

/// Returns true if the program contains an index that the panic names. Reducing leaves zeros everywhere, so a
/// zero counts only in the last call.
fn is_index_given(asked: &Asked<'_>) -> bool {
    let is_given = |index: &u128| {
        let calls = if *index > 0 { asked.program } else { last(asked) };
        program::is_given(calls, *index)
    };
    indices(&asked.finding.message).iter().any(is_given)
}

/// The last call of the program.
fn last<'a>(asked: &Asked<'a>) -> &'a [Step<'a>] {
    &asked.program[asked.program.len().saturating_sub(1)..]
}

/// The first of the calls before the one that fails of which something is known.
fn earlier<'a>(asked: &Asked<'a>, is_it: fn(&Facts) -> bool) -> Option<&'a str> {
    asked.earlier().find(|step| is_it(step.facts)).map(|step| step.call.operation.as_str())
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
