//! Judging: which findings are bugs, how sure that is, and which of them have one cause.
//!
//! Nine in ten panics of a crate that is called at random are what its authors intended: an index that is out of
//! range is refused, and often the documentation says so. So a finding goes down lists of [`rule`]s, one list for each
//! stage of what is known of it, and the first rule of a list that applies decides: [`found`] has the rules for a
//! finding as it came from a worker, [`reduced`] those for its minimal program. [`adjustment`]s change how sure a
//! judgement is.
//!
//! **Invariant:** nothing here starts a process; a judgement follows from data alone. Nothing is thrown away either:
//! what is not shown is counted, and shown when it is asked for.

mod adjustment;
pub(crate) mod bug;
mod evidence;
mod found;
mod handle;
mod law;
mod program;
mod reduced;
mod rule;
pub(crate) mod same_cause;
mod words;

pub(crate) use rule::{Asked, Step};

use crate::api::Facts;
use crate::finding::{Finding, Rate};
use adjustment::{Adjustment, adjusted};
use rule::{Rule, decided};
use serde::Serialize;

/// The verdict on a finding.
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
    /// A property of most types does not hold, such as that displayed text can be parsed.
    Convention,
    /// Probably a wrong use, not a bug.
    #[serde(rename = "misuse")]
    WrongUse,
}

/// The verdict on a finding, with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Judgement {
    pub(crate) class: Class,
    /// The probability that the finding is a bug, in percent.
    pub(crate) sureness: u8,
    /// One sentence without a capital letter and a full stop.
    pub(crate) reason: String,
}

/// The sureness, in percent, below which a finding is shown only if it is asked for.
const SHOWN: u8 = 50;
/// The sureness of a wrong use, in percent.
const UNSURE: u8 = 20;

impl Judgement {
    /// Returns true if it is shown without being asked for.
    pub(crate) fn is_shown(&self) -> bool {
        self.sureness >= SHOWN
    }
}

/// A stage of what is known of a finding.
#[cfg_attr(not(test), expect(dead_code, reason = "a test prints the tables of the book from all fields"))]
struct Stage {
    /// The stage in words, for the book.
    name: &'static str,
    rules: &'static [Rule],
    /// Changes of how sure the decision is.
    adjustments: &'static [Adjustment],
}

/// The finding and its source line: all that is known when it comes from a worker.
const FOUND: Stage =
    Stage { name: "for a finding as it comes", rules: found::RULES, adjustments: &adjustment::OF_FACTS };
/// The same, once it is known how sure the rules are.
const WEIGHED: Stage = Stage { name: "once its sureness is known", rules: found::WEIGHED, adjustments: &[] };
/// The minimal program.
const REDUCED: Stage = Stage { name: "for its minimal program", rules: reduced::PROGRAM, adjustments: &[] };
/// The calls before the one that fails.
const EARLIER: Stage =
    Stage { name: "for the calls before the one that fails", rules: reduced::EARLIER, adjustments: &[] };
/// The types of our own in the minimal program.
const STAND_INS: Stage =
    Stage { name: "for types of our own in its program", rules: reduced::STAND_INS, adjustments: &[] };
/// Runs of the minimal program in fresh processes.
const REPEATED: Stage =
    Stage { name: "for programs that were run again", rules: &[], adjustments: &adjustment::OF_RUNS };

impl Stage {
    /// Judges by the rules of this stage; what none of them decides stays as it was before.
    fn judge(&self, before: Option<Judgement>, asked: &Asked<'_>) -> Judgement {
        let decided = decided(self.rules, &Asked { before: before.as_ref(), ..*asked });
        let judgement = decided.or(before).expect("some rule applies to whatever is found");
        adjusted(self.adjustments, judgement, asked)
    }
}

/// Judges a finding as it came from a worker; `line` is the source line at its place, if that was read.
///
/// It is asked for every failure, before its program is known, and looks at nothing that is not in memory.
pub(crate) fn judge(finding: &Finding, facts: &Facts, line: Option<&str>) -> Judgement {
    let asked = Asked { line, ..Asked::of(finding, facts) };
    let found = FOUND.judge(None, &asked);
    if facts.stated {
        return found;
    }
    WEIGHED.judge(Some(found), &asked)
}

/// Judges a finding again when its minimal program is known.
///
/// The rules of each stage test the class that the stage before came to, so the stages are not one list.
pub(crate) fn judge_reduced(before: Judgement, asked: &Asked<'_>) -> Judgement {
    // Whoever states a law knows what it is given.
    if asked.facts.stated {
        return before;
    }
    [REDUCED, EARLIER, STAND_INS].iter().fold(before, |judgement, stage| stage.judge(Some(judgement), asked))
}

/// Judges a finding again when its program was run in fresh processes.
pub(crate) fn judge_repeated(before: Judgement, finding: &Finding, facts: &Facts, rate: Rate) -> Judgement {
    REPEATED.judge(Some(before), &Asked { rate, ..Asked::of(finding, facts) })
}

#[cfg(test)]
mod book;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;
