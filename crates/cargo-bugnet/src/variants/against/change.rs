//! Changes: differences between two builds, each with the smallest program that was found to show it.
//!
//! **Invariant:** a change was seen again in fresh processes of both builds, and two fresh processes of the same build
//! do not show it.

use super::relay::{Ended, Relay};
use crate::client::Client;
use anyhow::Result;
use bugnet::choice::{Seed, Tape};
use bugnet::wire::explore::{Compared, Contrast, Difference, Dispute, Event, Exploration};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Programs that show a difference before it is not told any more: some of them reduce to better ones than others.
const ENOUGH: u32 = 3;
/// Restarts of a harness that died, at most.
const RESTARTS: usize = 100;
/// The most programs that are tried to reduce one.
const TRIALS: u64 = 600;
/// The most changes that are reduced and shown; more than these nobody reads at once.
const MOST: usize = 100;

/// The two builds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Builds<'a> {
    /// The build that is asked.
    pub(crate) own: Client<'a>,
    /// The build that it is compared with.
    pub(crate) other: Client<'a>,
    /// Public fields, such as `Point.x`.
    pub(crate) open: &'a [String],
}

/// The limits of a comparison.
pub(crate) struct Effort<'a> {
    pub(crate) seed: u64,
    pub(crate) programs: u64,
    /// The end of drawing programs, and that of reducing.
    pub(crate) ends: [Instant; 2],
    pub(crate) is_interrupted: &'a dyn Fn() -> bool,
}

/// The differences between two builds that programs have shown.
#[derive(Debug, Default)]
pub(crate) struct Contrasted {
    /// The programs that show each difference, the first one first.
    pub(crate) differences: BTreeMap<Difference, Vec<Tape>>,
    /// The number of programs that were run.
    pub(crate) programs: u64,
    /// Programs that ended or hung this build, so that nothing was compared.
    pub(crate) lost: u64,
    /// Types whose private fields differ.
    pub(crate) inside: BTreeSet<String>,
}

/// A difference with the smallest program that shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) difference: Difference,
    pub(crate) shown: Compared,
}

/// The changes between two builds.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub(crate) changes: Vec<Change>,
    /// Differences that two processes of the same build show as well.
    pub(crate) noise: usize,
    /// Differences that did not come again in fresh processes.
    pub(crate) gone: usize,
    /// Differences for which there was no time.
    pub(crate) left: usize,
}

/// Draws programs and runs them on both builds.
pub(crate) fn contrasted(
    builds: Builds<'_>,
    effort: &Effort<'_>,
    tell: &dyn Fn(u64, usize),
) -> Result<Contrasted> {
    let (mut found, mut relay) = (Contrasted::default(), Relay::new(builds.other));
    let (mut first, mut inherit) = (0, Vec::new());
    for _ in 0..RESTARTS {
        if first >= effort.programs {
            break;
        }
        let (exploration, open) = (effort.exploration(first, &inherit), builds.open.to_vec());
        let asked = builds.own.contrast(Contrast { exploration, open, enough: ENOUGH })?;
        let mut hear = |event: Event| match event {
            Event::Kept(program) => inherit.push(program),
            Event::Progress(progress) => {
                first = first.max(progress.program);
                tell(first, found.differences.len());
            }
            other => found.hear(other),
        };
        match relay.listen(asked, effort.ends[0], effort.is_interrupted, &mut hear)? {
            Ended::Done => first = effort.programs,
            Ended::Late => break,
            Ended::Lost(journal) => {
                let number = journal.split(' ').next().and_then(|word| word.parse::<u64>().ok());
                first = number.map_or(first, |number| number.max(first)) + 1;
                found.lost += 1;
            }
        }
    }
    found.programs = first.min(effort.programs);
    Ok(found)
}

impl Effort<'_> {
    /// Returns the programs that are still to be drawn.
    fn exploration(&self, first: u64, inherit: &[String]) -> Exploration {
        Exploration {
            seed: Seed(self.seed),
            first,
            programs: Some(self.programs - first),
            strategies: "all".to_string(),
            inherit: inherit.to_vec(),
            pauses: false,
        }
    }
}

impl Contrasted {
    /// Takes in what a harness tells of differences.
    fn hear(&mut self, event: Event) {
        match event {
            Event::Differs { tape, difference, .. } => {
                self.differences.entry(difference).or_default().push(tape);
            }
            Event::Inside(name) => {
                self.inside.insert(name);
            }
            _ => {}
        }
    }
}

/// The result of looking at a difference in fresh processes.
enum Fresh {
    /// The smallest program that shows it.
    Change(Box<Change>),
    /// Two processes of the same build show it.
    Noise,
    /// It did not come again.
    Gone,
}

/// Reduces the programs that show differences, in fresh processes.
pub(crate) fn settled(
    builds: Builds<'_>,
    contrasted: &Contrasted,
    effort: &Effort<'_>,
    tell: &dyn Fn(usize),
) -> Result<Changes> {
    let mut found = Changes::default();
    let mut seen: BTreeSet<Difference> = BTreeSet::new();
    let mut programs: BTreeSet<Vec<String>> = BTreeSet::new();
    for (place, (difference, tapes)) in contrasted.differences.iter().enumerate() {
        if found.changes.len() >= MOST || Instant::now() >= effort.ends[1] || (effort.is_interrupted)() {
            found.left = contrasted.differences.len() - place;
            break;
        }
        match fresh(builds, difference, tapes, effort)? {
            Fresh::Change(change) => {
                // Several differences may come down to one, or to one program.
                let is_new = seen.insert(change.difference.clone());
                if programs.insert(change.shown.plain.clone()) && is_new {
                    found.changes.push(*change);
                }
            }
            Fresh::Noise => found.noise += 1,
            Fresh::Gone => found.gone += 1,
        }
        tell(found.changes.len());
    }
    // By what a user meets first: a panic, then another result, and other words of the same panic last.
    found.changes.sort_by(|one, other| {
        let key = |change: &Change| (change.difference.change, change.difference.operation.clone());
        key(one).cmp(&key(other))
    });
    Ok(found)
}

/// Looks for the smallest program that shows a difference in fresh processes of both builds.
fn fresh(builds: Builds<'_>, difference: &Difference, tapes: &[Tape], effort: &Effort<'_>) -> Result<Fresh> {
    let mut smallest: Option<Change> = None;
    for tape in tapes {
        let Some(change) = disputed(builds, tape, difference, TRIALS, effort)? else { continue };
        let same = Builds { other: builds.own, ..builds };
        if disputed(same, &change.shown.tape, &change.difference, 0, effort)?.is_some() {
            return Ok(Fresh::Noise);
        }
        let length = |change: &Change| change.shown.plain.iter().map(String::len).sum::<usize>();
        if smallest.as_ref().is_none_or(|known| length(&change) < length(known)) {
            smallest = Some(change);
        }
    }
    Ok(smallest.map_or(Fresh::Gone, |change| Fresh::Change(Box::new(change))))
}

/// Has a program reduced on two builds in fresh processes; `None` if it does not show the difference there.
fn disputed(
    builds: Builds<'_>,
    tape: &Tape,
    difference: &Difference,
    trials: u64,
    effort: &Effort<'_>,
) -> Result<Option<Change>> {
    let (tape, difference, open) = (tape.clone(), difference.clone(), builds.open.to_vec());
    let asked = builds.own.dispute(Dispute { tape, difference, open, trials })?;
    let (mut difference, mut shown) = (None, None);
    let mut hear = |event: Event| match event {
        Event::Differs { difference: found, .. } => difference = Some(found),
        Event::Compared(compared) => shown = Some(compared),
        _ => {}
    };
    Relay::new(builds.other).listen(asked, effort.ends[1], effort.is_interrupted, &mut hear)?;
    Ok(difference.zip(shown).map(|(difference, shown)| Change { difference, shown }))
}
