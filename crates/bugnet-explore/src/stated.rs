//! Stated laws: checks of what somebody says holds, counted for the report.
//!
//! **Invariant:** a check that did not meet a precondition counts neither as passed nor as failed, and its input and
//! labels do not count at all.

use bugnet::choice::Tape;
use bugnet::engine::labelled;
use bugnet::oracle::{IntoVerdict, Law, Verdict, catch};
use bugnet::program::{Argument, Mode, Program, Suite};
use bugnet::wire::explore::Checked;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::hash::{DefaultHasher, Hasher};
use std::sync::{Mutex, PoisonError};

/// Letters of an input that are kept for a reader; its rest tells it apart from others all the same.
const LONGEST: usize = 160;
/// The most inputs of a law that one process tells apart: 8 MB.
const MOST: usize = 1 << 20;
/// Different inputs of a law from which on what they print is taken to tell them apart; types that print nothing have fewer.
const TELLING: usize = 64;
/// Checks of one input after which one in [`AGAIN`] is made: what prints alike may differ all the same.
const OFTEN: u64 = 2;
const AGAIN: u64 = 8;
/// Changes from which an input counts as changed more than once.
const TWICE: usize = 2;

/// The checks of all laws since they were told last, and the inputs of all checks.
static LAWS: Mutex<BTreeMap<&str, Counted>> = Mutex::new(BTreeMap::new());

/// The last input of a law.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Asked {
    pub(crate) hash: u64,
    /// True if the law had been checked with it before.
    pub(crate) is_old: bool,
}

thread_local! {
    /// True while programs are drawn: whoever runs one again wants to know what every law says.
    static IS_DRAWING: Cell<bool> = const { Cell::new(false) };
    static ASKED: Cell<Asked> = const { Cell::new(Asked { hash: 0, is_old: false }) };
}

/// Says whether programs are drawn from now on in this thread.
pub(crate) fn draw(is_drawing: bool) {
    IS_DRAWING.set(is_drawing);
}

/// Returns the last input of a law in this thread.
pub(crate) fn asked() -> Asked {
    ASKED.get()
}

/// The checks of one law.
#[derive(Default)]
struct Counted {
    news: Checked,
    /// Each input by its hash.
    inputs: HashMap<u64, Met>,
    /// The input that was checked most: its hash, its text and the number.
    commonest: Option<(u64, String, u64)>,
}

/// Counts of an input: times that a law was asked of it, and times that the law was checked with it.
#[derive(Debug, Clone, Copy, Default)]
struct Met {
    asked: u64,
    checked: u64,
}

/// Does something with the checks of a law.
fn counted<R>(law: &'static str, look: impl FnOnce(&mut Counted) -> R) -> R {
    look(LAWS.lock().unwrap_or_else(PoisonError::into_inner).entry(law).or_default())
}

/// The values that a law is given, as far as they can be printed.
#[derive(Debug, Default)]
pub struct Inputs {
    hasher: DefaultHasher,
    text: String,
}

impl Write for Inputs {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.hasher.write(text.as_bytes());
        let room = LONGEST.saturating_sub(self.text.len());
        self.text.extend(text.chars().take(room));
        Ok(())
    }
}

impl Inputs {
    /// Prints one more value. That its `Debug` panics is no matter of the law.
    pub fn add(&mut self, print: impl FnOnce(&mut dyn Write)) {
        let separator = if self.text.is_empty() { "" } else { ", " };
        let _ = self.write_str(separator);
        let _ = catch(|| print(self));
    }

    /// Checks a law of these inputs. Where programs are drawn, it passes without if it was checked with the same often enough.
    pub fn check<V: IntoVerdict>(self, name: &'static str, law: &Law, run: impl FnOnce() -> V) -> Verdict {
        let hash = self.hasher.finish();
        let is_wanted = counted(name, |counted| {
            let times = counted.met(hash);
            ASKED.set(Asked { hash, is_old: times > 1 });
            let is_enough = counted.inputs.len() >= TELLING && times > OFTEN;
            !is_enough || !IS_DRAWING.get() || times % AGAIN == 0
        });
        if !is_wanted {
            return Verdict::Pass;
        }
        let (verdict, labels) = labelled(|| law.check(run));
        counted(name, |counted| {
            counted.news.cases = law.cases;
            match verdict {
                Verdict::Discard => counted.news.discarded += 1,
                Verdict::Fail(_) => counted.news.failed += 1,
                Verdict::Pass => counted.news.passed += 1,
            }
            if verdict != Verdict::Discard {
                counted.input(self);
                counted.labels(labels.counts.into_iter().collect());
                let covers = labels.covers.iter();
                counted.covers(covers.map(|(label, cover)| (label, (cover.percent, cover.hits))));
            }
        });
        verdict
    }
}

impl Counted {
    /// Notes that a law was asked of an input; says how often it has been by now.
    fn met(&mut self, hash: u64) -> u64 {
        let is_full = self.inputs.len() >= MOST;
        let met = match is_full {
            true => self.inputs.get_mut(&hash),
            false => Some(self.inputs.entry(hash).or_default()),
        };
        met.map_or(1, |met| {
            met.asked += 1;
            met.asked
        })
    }

    /// Counts an input that a law was checked with.
    fn input(&mut self, inputs: Inputs) {
        let hash = inputs.hasher.finish();
        let Some(met) = self.inputs.get_mut(&hash) else { return };
        met.checked += 1;
        let count = met.checked;
        if count == 1 {
            self.news.inputs.push(hash);
        }
        match &mut self.commonest {
            Some((known, _, most)) if *known == hash => *most = count,
            Some((_, _, most)) if *most >= count => {}
            commonest => *commonest = Some((hash, inputs.text, count)),
        }
    }

    fn labels(&mut self, labels: Vec<(String, u64)>) {
        for (label, count) in labels {
            match self.news.labels.iter_mut().find(|(known, _)| *known == label) {
                Some((_, known)) => *known += count,
                None => self.news.labels.push((label, count)),
            }
        }
    }

    fn covers<'a>(&mut self, covers: impl Iterator<Item = (&'a String, (f64, u64))>) {
        for (label, (percent, hits)) in covers {
            match self.news.covers.iter_mut().find(|(known, _)| known == label) {
                Some((_, (_, known))) => *known += hits,
                None => self.news.covers.push((label.clone(), (percent, hits))),
            }
        }
    }
}

/// Looks at a program that has just checked a law: counts the calls that changed its inputs.
pub(crate) fn sample(suite: &Suite, tape: &Tape) {
    let Some(program) = Program::of(suite, tape) else { return };
    let Some(last) = program.calls.last() else { return };
    let operation = suite.operations[last.operation].name;
    let law = operation.split('(').next().unwrap_or_default();
    let changes = changes(suite, &program);
    let mut laws = LAWS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(counted) = laws.get_mut(law) {
        counted.news.sampled += 1;
        counted.news.changed += u64::from(changes >= TWICE);
    }
}

/// Counts the calls of a program that have changed what its last call takes, or what that was made of.
fn changes(suite: &Suite, program: &Program) -> usize {
    let mut matters = vec![false; program.calls.len()];
    let (mut changes, mut is_last) = (0, true);
    for (place, call) in program.calls.iter().enumerate().rev() {
        let parameters = &suite.operations[call.operation].parameters;
        let changes_it = call.arguments.iter().zip(parameters).any(|(argument, parameter)| {
            matches!(argument, Argument::Earlier(made) if matters.get(*made) == Some(&true))
                && parameter.mode == Mode::Mutable
        });
        changes += usize::from(changes_it);
        if matters[place] || changes_it || std::mem::take(&mut is_last) {
            call.results().filter(|made| *made < place).for_each(|made| matters[made] = true);
        }
    }
    changes
}

/// Takes what was checked since this was asked last.
pub(crate) fn checked() -> Vec<Checked> {
    // Whoever is parked for want of memory may hold it for ever.
    let Ok(mut laws) = LAWS.try_lock() else { return Vec::new() };
    let mut all = Vec::new();
    for (name, counted) in laws.iter_mut() {
        let Checked { passed, failed, discarded, .. } = counted.news;
        if passed + failed + discarded > 0 {
            let commonest = counted.commonest.clone().map(|(_, text, count)| (text, count));
            all.push(Checked { law: name.to_string(), commonest, ..std::mem::take(&mut counted.news) });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::program::{Access, Call, Kind, Operation, Parameter, Role};

    /// Held by whoever checks, for telling takes the checks of all laws.
    static ONE: Mutex<()> = Mutex::new(());

    /// Checks a law of some numbers, and returns what it tells.
    fn told(name: &'static str, numbers: &[u8], run: fn(u8)) -> Checked {
        let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        for number in numbers {
            let mut inputs = Inputs::default();
            inputs.add(|out| write!(out, "{number}").unwrap());
            inputs.check(name, &Law::PLAIN, || run(*number));
        }
        checked().into_iter().find(|checked| checked.law == name).unwrap()
    }

    #[test]
    fn checks_are_counted_by_verdict_and_different_inputs_by_what_they_print() {
        let told = told("counted", &[0, 1, 2, 2, 2, 9], |number| {
            bugnet::assume!(number > 0);
            bugnet::classify!(number == 2, "two");
            assert!(number < 9);
        });
        assert_eq!((told.passed, told.failed, told.discarded), (4, 1, 1));
        assert_eq!(told.inputs.len(), 3);
        assert_eq!(told.labels, [("two".to_string(), 3)]);
        assert_eq!(told.commonest, Some(("2".to_string(), 3)));
    }

    #[test]
    fn calls_that_changed_the_input_of_a_law_are_counted_and_no_others() {
        let list = Kind::of::<Vec<u8>>("List");
        let by = |mode| Parameter::earlier("list", list, mode);
        let operation = |name, mode| Operation::new(name, "", |_| Verdict::Pass).parameter(by(mode));
        let new = Operation::new("new", "", |frame| frame.keep(vec![0u8])).returns(list, Access::Owned);
        let same = operation("same", Mode::Value).returns(list, Access::Owned);
        let law = operation("law", Mode::Shared).role(Role::Stated);
        let push = operation("push", Mode::Mutable);
        let suite = Suite::new("lists").operations([new, push, same, law]).reachable().0.unwrap();
        let place =
            |name: &str| suite.operations.iter().position(|operation| operation.name == name).unwrap();
        let call = |name: &str, made: &[usize]| Call {
            operation: place(name),
            arguments: made.iter().map(|made| Argument::Earlier(*made)).collect(),
        };
        let counted = |calls: Vec<Call>| changes(&suite, &Program { features: 0, calls });
        let other = || [call("new", &[]), call("new", &[]), call("push", &[1])];
        assert_eq!(counted([&other()[..], &[call("law", &[0])]].concat()), 0);
        assert_eq!(counted([&other()[..], &[call("law", &[1])]].concat()), 1);
        let moved = [call("same", &[1]), call("push", &[3]), call("law", &[3])];
        assert_eq!(counted([&other()[..], &moved].concat()), 2);
    }

    #[test]
    fn an_input_that_is_drawn_often_is_checked_once_in_a_while_and_whoever_replays_checks_it_each_time() {
        let numbers: Vec<u8> = (0..TELLING as u8).chain([7; 80]).collect();
        assert_eq!(told("replayed", &numbers, |_| ()).passed, numbers.len() as u64);
        draw(true);
        let drawn = told("drawn", &numbers, |_| ());
        // What prints nothing that tells it apart is checked each time.
        let opaque = told("opaque", &[7; 80], |_| ());
        draw(false);
        assert_eq!((drawn.passed, opaque.passed), (TELLING as u64 + 1 + 10, 80));
    }

    #[test]
    fn an_input_is_told_as_new_once() {
        let law = |_| ();
        assert_eq!(told("told", &[1, 1], law).inputs.len(), 1);
        let again = told("told", &[1, 2], law);
        assert_eq!((again.passed, again.inputs.len()), (2, 1));
    }
}
