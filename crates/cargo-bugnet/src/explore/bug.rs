//! Bugs: findings that were run again, reduced, and are each shown once.
//!
//! **Invariant:** a bug has the name of its test, and no two bugs of a run have the same.

use super::event::Pattern;
use super::finding::{Cause, Finding};
use super::replay::Rate;
use super::triage::Judgement;

/// A finding with what it is taken for.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    pub(crate) finding: Finding,
    pub(crate) judgement: Judgement,
}

/// Findings with one place, the surest first.
#[derive(Debug, Clone)]
pub(crate) struct Group(pub(crate) Vec<Judged>);

/// What is shown.
#[derive(Debug, Clone)]
pub(crate) struct Bug {
    /// The name of its test, by which it can be replayed.
    pub(crate) name: String,
    pub(crate) judgement: Judgement,
    /// How the minimal program fails, and its tape.
    pub(crate) finding: Finding,
    /// The minimal program, as Rust.
    pub(crate) program: Vec<String>,
    /// The names of its calls.
    pub(crate) calls: Vec<String>,
    /// Functions that the program calls.
    pub(crate) helpers: Vec<String>,
    /// What all programs that fail so have in common.
    pub(crate) pattern: Option<Pattern>,
    /// Other operations that fail at the same place, or other laws that the same calls break.
    pub(crate) also: Vec<String>,
    /// In how many runs of how many the program failed.
    pub(crate) rate: Rate,
    /// Whether its test was compiled and failed in the same way at the same place.
    pub(crate) proven: bool,
}

impl Bug {
    /// A finding as it came: nobody has run it again.
    pub(super) fn unreduced(judged: &Judged) -> Bug {
        let Judged { finding, judgement } = judged.clone();
        Bug {
            name: String::new(),
            judgement,
            finding,
            program: Vec::new(),
            calls: Vec::new(),
            helpers: Vec::new(),
            pattern: None,
            also: Vec::new(),
            rate: Rate::default(),
            proven: false,
        }
    }

    /// Whether it wants more memory than a harness has, and not more than a test has.
    pub(crate) fn is_frugal(&self) -> bool {
        self.finding.cause == Cause::Memory && !self.proven
    }
}

impl Group {
    /// Findings with one place.
    pub(super) fn sorted(mut members: Vec<Judged>) -> Group {
        let length = |judged: &Judged| judged.finding.tape.as_ref().map_or(usize::MAX, String::len);
        members.sort_by_key(|judged| (std::cmp::Reverse(judged.judgement.sureness), length(judged)));
        Group(members)
    }

    /// What was to be a bug, and is not.
    pub(crate) fn of(bug: Bug) -> Group {
        Group(vec![Judged { finding: bug.finding, judgement: bug.judgement }])
    }

    pub(super) fn first(&self) -> &Judged {
        self.0.first().expect("a group has members")
    }

    pub(crate) fn judgement(&self) -> &Judgement {
        &self.first().judgement
    }
}

/// A name that is made of what fails and how.
pub(super) fn name(finding: &Finding) -> String {
    let how = match finding.cause {
        Cause::Death => "ends_the_process",
        Cause::Hang => "hangs",
        Cause::Memory => "exhausts_memory",
        Cause::Panic => "panics",
        Cause::Law => "",
    };
    let mut name = String::new();
    let mut was_small = false;
    for letter in format!("{} {how}", finding.operation).chars() {
        if letter.is_ascii_alphanumeric() {
            if letter.is_ascii_uppercase() && was_small {
                name.push('_');
            }
            was_small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
            name.push(letter.to_ascii_lowercase());
        } else {
            was_small = false;
            if !name.is_empty() && !name.ends_with('_') {
                name.push('_');
            }
        }
    }
    let name = name.trim_matches('_');
    if name.starts_with(|letter: char| letter.is_ascii_digit()) {
        format!("bug_{name}")
    } else {
        name.to_string()
    }
}
