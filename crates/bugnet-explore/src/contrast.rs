//! Contrast: programs that are drawn are also run on another build, and those that it runs otherwise are told.
//!
//! **Invariant:** a program that this build itself does not run twice alike is never told.

use super::compare::{shown, written};
use super::describe::described;
use super::difference::{Comparer, Parting};
use super::elsewhere;
use super::event::tell;
use super::filter::is_steady;
use super::limit::Limit;
use super::reduce::reduce;
use super::switches::Switches;
use super::transcript::{Original, Stage, panics};
use super::trial::Trial;
use super::watcher::Audience;
use bugnet::choice::Tape;
use bugnet::oracle::{Failure, Signature};
use bugnet::program::{Program, Programs, Suite};
use bugnet::wire::explore::{Change, Compared, Difference, Dispute, Event, Transcript};
use std::collections::{BTreeMap, BTreeSet};

/// A run on two builds.
struct Both {
    original: Original,
    other: Transcript,
    parting: Parting,
    difference: Difference,
}

/// Runs a program here and elsewhere; `None` if there is no difference. The types whose private fields differ are added
/// to those that are given.
fn parted(stage: &Stage<'_>, tape: &Tape, open: &[String], inside: &mut BTreeSet<String>) -> Option<Both> {
    let original = stage.original(tape)?;
    let other = elsewhere::asked(tape)?;
    let mut comparer = Comparer { open, inside: BTreeSet::new() };
    let parting = comparer.parting(&original.transcript, &other);
    inside.append(&mut comparer.inside);
    let parting = parting?;
    let difference = parting.difference(stage.suite, &Program::of(stage.suite, tape)?);
    Some(Both { original, other, parting, difference })
}

/// Asks another build about every program.
#[derive(Debug)]
pub(crate) struct Contrasting {
    open: Vec<String>,
    /// Types that were told because their private fields differ.
    inside: BTreeSet<String>,
    /// The number of programs that have shown each difference.
    shown: BTreeMap<Difference, u32>,
    enough: u32,
}

impl Contrasting {
    pub(crate) fn new(open: Vec<String>, enough: u32) -> Contrasting {
        Contrasting { open, inside: BTreeSet::new(), shown: BTreeMap::new(), enough: enough.max(1) }
    }
}

impl Audience for Contrasting {
    fn look(&mut self, suite: &Suite, program: u64, tape: &Tape, next: &mut dyn FnMut(usize)) {
        next(0);
        let stage = &Stage { suite, switches: Switches::NONE };
        let mut inside = BTreeSet::new();
        let parted = parted(stage, tape, &self.open, &mut inside);
        for name in inside {
            if self.inside.insert(name.clone()) {
                tell(&Event::Inside(name));
            }
        }
        let Some(Both { original, difference, .. }) = parted else { return };
        let shown = self.shown.entry(difference.clone()).or_default();
        if *shown < self.enough && is_steady(stage, tape, &original) {
            *shown += 1;
            tell(&Event::Differs { program, tape: tape.clone(), difference });
        }
    }
}

/// Returns whether two differences are of one kind. Nobody knows which call ended the process of the other build, so
/// programs are alike there whatever they call last.
fn is_alike(one: &Difference, other: &Difference) -> bool {
    one.change == other.change && (one.change == Change::Survives || one.operation == other.operation)
}

/// A program fails here if both builds differ on it as they did on another one.
struct Differs<'a> {
    stage: &'a Stage<'a>,
    asked: &'a Dispute,
}

impl Trial for Differs<'_> {
    fn failure(&self, tape: &Tape) -> Option<Failure> {
        let both = parted(self.stage, tape, &self.asked.open, &mut BTreeSet::new())?;
        is_alike(&both.difference, &self.asked.difference).then(|| Failure::new(Signature::ReturnedFalse, ""))
    }
}

/// Reduces a program that another build runs otherwise, and returns the difference and what both do; `None` if they do
/// the same.
pub(crate) fn disputed(programs: &Programs, asked: &Dispute) -> Option<(Difference, Compared)> {
    let stage = &Stage { suite: programs.suite(), switches: Switches::NONE };
    let reduced = match asked.trials {
        0 => None,
        trials => reduce(programs, &Differs { stage, asked }, &asked.tape, Limit::trials(trials)),
    };
    let tape = reduced.map_or_else(|| asked.tape.clone(), |reduced| reduced.program.tape);
    let both = parted(stage, &tape, &asked.open, &mut BTreeSet::new())?;
    if !is_alike(&both.difference, &asked.difference) || !is_steady(stage, &tape, &both.original) {
        return None;
    }
    let described = described(programs, &tape, None)?;
    let Both { original: Original { transcript, .. }, other, parting, difference } = both;
    let pinned: BTreeSet<usize> = parting.own.into_iter().collect();
    let text = |transcript: &Transcript, place: Option<usize>| {
        place.and_then(|place| transcript.entries.get(place)).map_or_else(|| RETURNS.to_string(), shown)
    };
    let compared = Compared {
        lines: written(&described.calls, &transcript, &pinned, true),
        plain: written(&described.calls, &transcript, &pinned, false),
        helpers: described.helpers,
        original: text(&transcript, parting.own),
        variant: text(&other, parting.other),
        panics: parting.change == Change::Panics || panics(&transcript),
        noticed: Vec::new(),
        tape,
    };
    Some((difference, compared))
}

/// The behaviour of a call that comes to its end and has nothing to show.
const RETURNS: &str = "returns";

/// Runs the programs that come, one by one, and tells what each does.
pub(crate) fn attend(suite: &Suite) {
    let stage = Stage { suite, switches: Switches::NONE };
    while let Some(tape) = elsewhere::next() {
        let transcript = stage.original(&tape).map(|original| original.transcript).unwrap_or_default();
        tell(&Event::Ran(transcript));
    }
}
