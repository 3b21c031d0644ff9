//! The filter: programs that are drawn are also run on variants, and those that variants run otherwise are told.
//!
//! **Invariant:** a program that the original itself does not run twice alike is never told.

use super::event::tell;
use super::switches::Switches;
use super::transcript::{Original, Stage, difference};
use super::watcher::Audience;
use bugnet::choice::Tape;
use bugnet::program::Suite;
use bugnet::wire::explore::{Alarm, Event, Switch};
use std::collections::BTreeMap;

/// Variants that are still looked at.
#[derive(Debug)]
pub(crate) struct Filter {
    switches: Switches,
    groups: Vec<Vec<Switch>>,
    /// The number of programs that have noticed each switch.
    noticed: BTreeMap<Switch, u32>,
    enough: u32,
}

impl Filter {
    pub(crate) fn new(switches: Switches, groups: Vec<Vec<Switch>>, enough: u32) -> Filter {
        Filter { switches, groups, noticed: BTreeMap::new(), enough: enough.max(1) }
    }
}

impl Audience for Filter {
    /// Runs a program on the variants whose sites it reaches. Before each, says which group is next.
    fn look(&mut self, suite: &Suite, program: u64, tape: &Tape, next: &mut dyn FnMut(usize)) {
        let stage = &Stage { suite, switches: self.switches };
        let Some(original) = stage.original(tape) else { return };
        let mut noticed = Vec::new();
        for group in 0..self.groups.len() {
            let reached = self.groups[group].iter().filter(|(site, _)| is_reached(&original, *site));
            let reached: Vec<Switch> = reached.copied().collect();
            if reached.is_empty() {
                continue;
            }
            next(group);
            if !differs(stage, tape, &reached, &original) {
                continue;
            }
            for one in &reached {
                next(group);
                if reached.len() == 1 || differs(stage, tape, std::slice::from_ref(one), &original) {
                    noticed.push(*one);
                }
            }
        }
        if noticed.is_empty() || !is_steady(stage, tape, &original) {
            return;
        }
        for switch in &noticed {
            *self.noticed.entry(*switch).or_default() += 1;
        }
        let (counts, enough) = (&self.noticed, self.enough);
        for group in &mut self.groups {
            group.retain(|switch| counts.get(switch).is_none_or(|count| *count < enough));
        }
        tell(&Event::Alarm(Alarm { program, tape: tape.clone(), noticed }));
    }
}

fn is_reached(original: &Original, site: u32) -> bool {
    original.reached.binary_search(&site).is_ok()
}

/// Returns whether a program does otherwise with some switches on.
pub(crate) fn differs(stage: &Stage<'_>, tape: &Tape, wanted: &[Switch], original: &Original) -> bool {
    difference(&original.transcript, &stage.variant(tape, wanted, original)).is_some()
}

/// Returns whether the original does the same once more.
pub(crate) fn is_steady(stage: &Stage<'_>, tape: &Tape, original: &Original) -> bool {
    stage.original(tape).is_some_and(|again| again.transcript == original.transcript)
}
