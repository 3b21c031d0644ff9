//! The reasons of bugs of an explored crate: the operations that trigger and suppress each, by the programs that left some
//! of them out.
//!
//! **Invariant:** a way to fail is told by what tells findings apart, so a bug's reasons are those of its own finding.

use super::swarm::trigger_word;
use crate::explore::pool::Run;
use crate::finding::{Cause, Finding, Place};
use crate::judge::bug::Bug;
use crate::store::campaign::Influence;
use crate::store::reasons::Reasons;
use bugnet::oracle;
use bugnet::swarm::Tally;

/// The signature of all failures that are no bug which is shown.
const OTHER: &str = "other";

/// Returns the reasons of each bug.
pub(crate) fn of_bugs(run: &Run, bugs: &[Bug]) -> Vec<Reasons> {
    let mut tally: Tally = run.swarmed.clone();
    let signatures: Vec<String> = tally.failures().map(|(signature, _)| signature.to_string()).collect();
    for signature in signatures {
        let bug = bugs.iter().position(|bug| is_of(&signature, &bug.finding));
        tally.rename(&signature, &bug.map_or(OTHER.to_string(), |bug| bug.to_string()));
    }
    tally.retain(|signature| signature != OTHER);
    let influences = tally.influences();
    let of = |bug: usize| {
        let own = influences.iter().filter(|influence| influence.signature == bug.to_string()).cloned();
        Reasons::of(own)
    };
    (0..bugs.len()).map(of).collect()
}

/// Returns true if a harness tells a finding by this signature: operation, phase and cause, apart by tabs.
fn is_of(signature: &str, finding: &Finding) -> bool {
    let mut parts = signature.splitn(3, '\t');
    let (Some(operation), Some(phase), Some(cause)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let place = Place::read(cause);
    let is_cause = match finding.cause {
        Cause::Panic => place.is_some() && place == finding.place,
        Cause::Law => place.is_none(),
        Cause::Death | Cause::Hang | Cause::Memory => false,
    };
    let is_phase = phase == finding.phase.as_str() || (phase == "check" && finding.phase.as_str() == "call");
    is_cause && is_phase && oracle::plain(operation.to_string()) == finding.operation
}

/// Operations of each kind that are named on the terminal; all are in the JSON report.
const NAMED: usize = 3;

/// Describes the strongest triggers and suppressors of a bug. That the call which fails is needed is no news.
pub(crate) fn in_words(reasons: &Reasons, bug: &Bug) -> Option<String> {
    let named = |all: &[Influence], word: &dyn Fn(&Influence) -> &'static str| -> Option<String> {
        let mut news = all.iter().filter(|influence| influence.feature != bug.finding.operation).take(NAMED);
        let first = news.next()?;
        let Influence { feature, failing_with, failing, expected, .. } = first;
        let others: String =
            news.map(|other| format!(", `{}` ({})", other.feature, other.failing_with)).collect();
        Some(format!(
            "{} `{feature}` (in {failing_with} of {failing} failing programs, expected {:.0} %){others}",
            word(first),
            100.0 * expected
        ))
    };
    let triggers = named(&reasons.triggers, &trigger_word);
    let suppressors = named(&reasons.suppressors, &|_| "is suppressed by");
    let parts: Vec<String> = triggers.into_iter().chain(suppressors).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::super::example;
    use super::*;
    use bugnet::swarm::{Feature, Scheme, Swarm};

    /// Programs in which a bug needs `push` and no `pop`; another one comes by chance.
    fn swarmed(signature: &str) -> Tally {
        let (names, swarm) = (["push", "pop", "clear"], Swarm::new(Scheme::Uniform, []));
        let mut tally = Tally::default();
        for word in 1..800u64 {
            let configuration = swarm.configuration(word, word);
            let on = names.map(|name| (name, configuration.is_on(Feature::named(name))));
            let mut failures = Vec::new();
            if on[0].1 && !on[1].1 {
                failures.push(signature);
            }
            if word % 7 == 0 {
                failures.push("clear\tcall\tsrc/other.rs:1:1");
            }
            tally.count_several(&configuration, on, &failures);
        }
        tally
    }

    #[test]
    fn the_operations_that_a_bug_needs_and_that_suppress_it_are_named() {
        let bug = example::bug();
        let place = bug.finding.place.as_ref().unwrap();
        let signature =
            format!("{}\tcall\t{}:{}:{}", bug.finding.operation, place.file, place.line, place.column);
        assert!(is_of(&signature, &bug.finding));
        let run = Run { swarmed: swarmed(&signature), ..example::run() };
        let reasons = of_bugs(&run, std::slice::from_ref(&bug));
        let names = |list: &[Influence]| list.iter().map(|one| one.feature.clone()).collect::<Vec<_>>();
        assert_eq!(names(&reasons[0].triggers), ["push"]);
        assert_eq!(names(&reasons[0].suppressors), ["pop"]);
        let said = in_words(&reasons[0], &bug).unwrap();
        assert!(
            said.starts_with("needs `push` (in ") && said.contains("; is suppressed by `pop` (in 0 of"),
            "{said}"
        );
    }

    #[test]
    fn a_way_to_fail_elsewhere_is_no_reason() {
        let bug = example::bug();
        let run = Run { swarmed: swarmed("push\tcall\tsrc/lib.rs:1:1"), ..example::run() };
        let reasons = of_bugs(&run, std::slice::from_ref(&bug));
        assert_eq!(reasons, [Reasons::default()]);
        assert_eq!(in_words(&reasons[0], &bug), None);
    }
}
