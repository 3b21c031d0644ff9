//! The inquiry: what a program has made that was kept is asked every law of its kinds.
//!
//! Laws are many, and states that few programs reach are few: by chance they hardly ever meet.
//!
//! **Invariant:** what waits to be asked is bounded, and the latest program is asked first.

use super::plan::{Focus, Plan};
use crate::choice::Tape;
use crate::program::{CALL, Suite};
use std::collections::VecDeque;

/// At most so many programs wait.
const MOST: usize = 64;

/// Programs with values that are still to be asked.
#[derive(Debug, Default)]
pub(crate) struct Inquiry {
    /// The laws of each kind.
    laws: Vec<Vec<usize>>,
    /// Each with the laws that are left.
    waiting: VecDeque<(Tape, Vec<usize>)>,
}

impl Inquiry {
    /// Nothing waits yet; these operations have to do with each kind.
    pub(crate) fn new(suite: &Suite, about: &[Vec<usize>]) -> Inquiry {
        let is_law = |place: &usize| suite.operations[*place].name.starts_with("law ");
        let laws = about.iter().map(|places| places.iter().copied().filter(is_law).collect());
        Inquiry { laws: laws.collect(), waiting: VecDeque::new() }
    }

    /// Takes a program that was kept.
    pub(crate) fn take(&mut self, tape: &Tape, suite: &Suite) {
        let mut laws: Vec<usize> = Vec::new();
        for call in tape.spans_where(&|span| span.label == CALL) {
            let made = suite.coded(tape.choices[call.start].value).and_then(|place| suite.kind_made(place));
            laws.extend(made.and_then(|kind| self.laws.get(kind)).into_iter().flatten());
        }
        laws.sort_unstable();
        laws.dedup();
        if laws.is_empty() {
            return;
        }
        if self.waiting.len() == MOST {
            self.waiting.pop_front();
        }
        self.waiting.push_back((tape.bare(), laws));
    }

    /// The next program: one that was kept, and then a law.
    pub(crate) fn plan(&mut self) -> Option<Plan> {
        let (tape, laws) = self.waiting.back_mut()?;
        let law = laws.pop()?;
        let base = if laws.is_empty() { self.waiting.pop_back()?.0 } else { tape.clone() };
        Some(Plan { focus: Focus::Only(law), more: 1, base, ..Plan::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::vary::tests::program;
    use crate::explore::{Access, Kind, Mode, Operation, Parameter, Verdict};

    struct Bag;

    fn suite() -> Suite {
        let bag = Kind::of::<Bag>("Bag");
        let law = |name: &'static str| {
            Operation::new(name, "{0}", |_| Verdict::Pass).parameter(Parameter::earlier(
                "self",
                bag,
                Mode::Shared,
            ))
        };
        let new = Operation::new("new", "new()", |frame| frame.keep(Bag)).returns(bag, Access::Owned);
        let suite = Suite::new("bags").operation(new).operation(law("law a of Bag")).operation(law("empty"));
        suite.operation(law("law b of Bag")).reachable().0
    }

    /// A program that makes so many bags.
    fn bags(suite: &Suite, count: usize) -> Tape {
        program(&vec![(suite.operations[0].code(), &[][..], false); count])
    }

    #[test]
    fn what_was_kept_is_asked_every_law_of_its_kinds_once() {
        let suite = suite();
        let mut inquiry = Inquiry::new(&suite, &suite.operations_by_kind());
        inquiry.take(&bags(&suite, 1), &suite);
        let asked: Vec<Focus> = std::iter::from_fn(|| inquiry.plan()).map(|plan| plan.focus).collect();
        assert_eq!(asked, [Focus::Only(3), Focus::Only(1)]);
        assert_eq!(inquiry.plan(), None);
    }

    #[test]
    fn only_so_many_programs_wait_and_the_latest_is_asked_first() {
        let suite = suite();
        let mut inquiry = Inquiry::new(&suite, &suite.operations_by_kind());
        (1..=MOST + 3).for_each(|count| inquiry.take(&bags(&suite, count), &suite));
        assert_eq!(inquiry.plan().map(|plan| plan.base), Some(bags(&suite, MOST + 3).bare()));
        assert_eq!(std::iter::from_fn(|| inquiry.plan()).count(), 2 * MOST - 1);
    }
}
