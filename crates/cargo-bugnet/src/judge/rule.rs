//! Rules: conditions on a finding, each with what the finding is then taken for.
//!
//! **Invariant:** of a list of rules, the first that applies decides; a rule looks at nothing but what is [`Asked`].

use super::{Class, Judgement};
use crate::api::Facts;
use crate::finding::panic_kind::PanicKind;
use crate::finding::{Finding, Rate};
use crate::harness::StandIn;
use bugnet::wire::Call;

/// Everything that a rule may look at. What is not known at a stage is empty.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) finding: &'a Finding,
    /// The facts about the operation that failed.
    pub(crate) facts: &'a Facts,
    /// The source line at the place of a panic.
    pub(crate) line: Option<&'a str>,
    /// The judgement of the stage before.
    pub(crate) before: Option<&'a Judgement>,
    /// The minimal program.
    pub(crate) program: &'a [Step<'a>],
    /// The types of our own that the program uses.
    pub(crate) stand_ins: &'a [&'a StandIn],
    /// The number of fresh processes, and in how many of them the program failed.
    pub(crate) rate: Rate,
}

/// A call of a program, and what is known of its operation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step<'a> {
    pub(crate) call: &'a Call,
    pub(crate) facts: &'a Facts,
}

impl<'a> Asked<'a> {
    /// Collects the facts about a finding as it came from a worker.
    pub(crate) fn of(finding: &'a Finding, facts: &'a Facts) -> Asked<'a> {
        let rate = Rate::default();
        Asked { finding, facts, line: None, before: None, program: &[], stand_ins: &[], rate }
    }

    /// The calls of the minimal program before the one that fails.
    pub(super) fn earlier(&self) -> impl Iterator<Item = &'a Step<'a>> {
        let is_called = |step: &&Step<'_>| step.call.role.is_called();
        let last = self.program.iter().rposition(|step| step.call.role.is_called()).unwrap_or(0);
        self.program[..last].iter().filter(is_called)
    }

    /// The kind of the panic.
    pub(super) fn kind(&self) -> PanicKind {
        PanicKind::of(&self.finding.message, self.line)
    }

    /// Returns true if the stage before took the finding for one of these classes.
    pub(super) fn was(&self, classes: &[Class]) -> bool {
        self.before.is_some_and(|before| classes.contains(&before.class))
    }

    /// Returns true if the operation belongs to one of these traits.
    pub(super) fn is_of_trait(&self, names: &[&str]) -> bool {
        let name = self.facts.trait_name.as_deref().and_then(|path| path.rsplit("::").next());
        name.is_some_and(|name| names.contains(&name))
    }
}

/// A condition, and what a finding is taken for that fulfils it.
#[derive(Debug)]
#[cfg_attr(not(test), expect(dead_code, reason = "a test prints the tables of the book from all fields"))]
pub(super) struct Rule {
    pub(super) name: &'static str,
    /// The condition in words, for the book.
    pub(super) when: &'static str,
    /// The condition; what it answers fills the gap in `reason`.
    pub(super) applies: fn(&Asked<'_>) -> Option<Said>,
    pub(super) class: Class,
    /// The probability that the finding is a bug, in percent.
    pub(super) sureness: u8,
    /// The sentence that is shown, with at most one gap, such as `{call}`.
    pub(super) reason: &'static str,
    /// The crates whose findings taught the rule, as far as that was written down.
    pub(super) taught_by: &'static [&'static str],
}

/// The details that a rule adds to its verdict.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// The text for the gap in the reason.
    pub(super) gap: String,
    /// The sureness in percent, if it is not the same for all findings of the rule.
    pub(super) sureness: Option<u8>,
}

/// The answer of a rule whose reason has no gap.
pub(super) fn when(is_so: bool) -> Option<Said> {
    is_so.then(Said::default)
}

/// The answer of a rule with a gap, if there is something to fill it with.
pub(super) fn naming(gap: Option<impl ToString>) -> Option<Said> {
    Some(Said { gap: gap?.to_string(), sureness: None })
}

/// The same, if something else is so too; a program is not read where it need not be.
pub(super) fn naming_if<T: ToString>(is_so: bool, gap: impl FnOnce() -> Option<T>) -> Option<Said> {
    if is_so { naming(gap()) } else { None }
}

impl Rule {
    /// The judgement of a rule that applies.
    fn judgement(&self, said: &Said) -> Judgement {
        let reason = match self.reason.split_once('{').zip(self.reason.split_once('}')) {
            Some(((before, _), (_, after))) => format!("{before}{}{after}", said.gap),
            None => self.reason.to_string(),
        };
        Judgement { class: self.class, sureness: said.sureness.unwrap_or(self.sureness), reason }
    }
}

/// The decision of the first rule that applies.
pub(super) fn decided(rules: &[Rule], asked: &Asked<'_>) -> Option<Judgement> {
    rules.iter().find_map(|rule| Some(rule.judgement(&(rule.applies)(asked)?)))
}
