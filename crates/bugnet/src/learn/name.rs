//! Names: two words for each bug, by which people and commands speak of it.
//!
//! **Invariant:** the name depends on which operations a bug needs and how it fails, not on the order
//! of the calls, guards, lines of code or values that are no cases of their own: it mostly stays the same
//! from run to run.

use crate::list::sort;
use crate::pattern::{Element, Pattern, Term};
use crate::program::{Suite, Width};

const FIRST: [&str; 32] = [
    "amber", "brisk", "calm", "dusty", "early", "faint", "gaunt", "hasty", "idle", "jolly", "keen", "loud",
    "mild", "neat", "odd", "pale", "quick", "rusty", "shy", "tidy", "upset", "vivid", "wary", "young",
    "zesty", "blunt", "crisp", "dizzy", "eager", "fuzzy", "glum", "humble",
];
const SECOND: [&str; 32] = [
    "ant",
    "bee",
    "cicada",
    "drone",
    "earwig",
    "firefly",
    "gnat",
    "hornet",
    "isopod",
    "jewelbug",
    "katydid",
    "locust",
    "mantis",
    "newt",
    "oilbeetle",
    "pillbug",
    "quail",
    "roach",
    "spider",
    "termite",
    "urchin",
    "viper",
    "wasp",
    "xerus",
    "yak",
    "zorilla",
    "beetle",
    "cricket",
    "fly",
    "ladybird",
    "moth",
    "weevil",
];

/// The name of a bug, told apart from those that are taken.
pub(crate) fn name_of(suite: &Suite, pattern: &Pattern, taken: &dyn Fn(&str) -> bool) -> String {
    let name = |element: usize| {
        let Element { operation, arguments, .. } = &pattern.elements[element];
        let mut name = suite.operations[*operation].name.to_string();
        for (parameter, term) in arguments.iter().enumerate() {
            match (term, suite.abstraction(*operation, parameter).width) {
                (Term::Exact(literal), Width::Exact) => name.push_str(&literal.text),
                (term, _) => term.class().iter().for_each(|class| name.push_str(&class.to_string())),
            }
        }
        name
    };
    let (mut words, mut ends) = (Vec::new(), Vec::new());
    for element in 0..pattern.elements.len() {
        words.push(name(element));
    }
    sort(&mut words, &Ord::cmp);
    for element in pattern.last_elements() {
        ends.push(name(element));
    }
    sort(&mut ends, &Ord::cmp);
    ends.truncate(1);
    words.append(&mut ends);
    name_for(&words.join(";"), taken)
}

/// The name that belongs to what is said of a bug, told apart from those that are taken.
pub(crate) fn name_for(words: &str, taken: &dyn Fn(&str) -> bool) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for byte in words.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash ^= hash >> 32;
    let name = format!("{}-{}", FIRST[(hash & 31) as usize], SECOND[(hash >> 5 & 31) as usize]);
    let (mut free, mut number) = (name.clone(), 2);
    while taken(&free) {
        free = format!("{name}-{number}");
        number += 1;
    }
    free
}
