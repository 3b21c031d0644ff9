//! The filter: programs over the API of the library, and the mutants that each of them notices.
//!
//! **Invariant:** a variant that hangs or kills its process costs its own mutants, never the run.

use super::mutation::Mutant;
use crate::client::{Client, Next};
use anyhow::{Result, bail};
use bugnet::choice::Seed;
use bugnet::wire::explore::{Alarm, Ending, Event, Exploration, Filtering, Switch};
use bugnet_process::patience;
use std::collections::BTreeSet;
use std::time::Instant;

/// Programs that may notice a mutant before it is not tried any more: some of them reduce to better tests
/// than others.
const ENOUGH: u32 = 3;
/// Restarts of a harness that died, at most.
const RESTARTS: usize = 100;

/// The alarms that programs have raised.
#[derive(Debug, Default)]
pub(crate) struct Filtered {
    pub(crate) alarms: Vec<Alarm>,
    /// The number of programs that were run.
    pub(crate) programs: u64,
    /// Mutants that were set aside, because they end or hang the process.
    pub(crate) deadly: BTreeSet<Switch>,
}

/// The budget for drawing programs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    pub(crate) seed: u64,
    pub(crate) programs: u64,
    pub(crate) end: Instant,
}

/// Returns a mutant as a harness knows it.
pub(crate) fn switch(mutant: Mutant) -> Switch {
    (mutant.site as u32, mutant.alternative as u8)
}

/// Returns the mutant of a switch.
pub(crate) fn mutant((site, alternative): Switch) -> Mutant {
    Mutant { site: site as usize, alternative: usize::from(alternative) }
}

/// Draws programs and runs them on variants.
pub(crate) fn filter(
    client: Client<'_>,
    variants: &[Vec<Mutant>],
    budget: Budget,
    tell: &dyn Fn(u64, usize),
) -> Result<Filtered> {
    let groups = variants.iter().map(|group| group.iter().copied().map(switch).collect()).collect();
    let mut run = Run { groups, first: 0, inherit: Vec::new(), found: Filtered::default() };
    for _ in 0..RESTARTS {
        if run.first >= budget.programs || Instant::now() >= budget.end || run.is_settled() {
            break;
        }
        if run.process(client, budget, tell)? {
            break;
        }
    }
    run.found.programs = run.first.min(budget.programs);
    Ok(run.found)
}

struct Run {
    groups: Vec<Vec<Switch>>,
    /// The number of the next program.
    first: u64,
    /// Programs that earlier processes have kept.
    inherit: Vec<String>,
    found: Filtered,
}

impl Run {
    fn is_settled(&self) -> bool {
        self.groups.iter().all(Vec::is_empty)
    }

    /// Runs one process; returns whether it came to its end.
    fn process(&mut self, client: Client<'_>, budget: Budget, tell: &dyn Fn(u64, usize)) -> Result<bool> {
        let mut asked = client.filter(Filtering {
            exploration: Exploration {
                seed: Seed(budget.seed),
                first: self.first,
                programs: Some(budget.programs - self.first),
                strategies: "all".to_string(),
                inherit: self.inherit.clone(),
                pauses: false,
            },
            groups: self.groups.clone(),
            enough: ENOUGH,
        })?;
        let ending = loop {
            if Instant::now() >= budget.end {
                return Ok(true);
            }
            match asked.next(patience::STEADY) {
                Next::Event(Event::Alarm(alarm)) => self.found.alarms.push(alarm),
                Next::Event(Event::Kept(program)) => self.inherit.push(program),
                Next::Event(Event::Progress(progress)) => {
                    tell(progress.program, self.found.alarms.len());
                    self.first = self.first.max(progress.program);
                }
                Next::Event(_) => {}
                Next::Silence => break None,
                Next::End(ending, _) => break ending,
            }
        };
        match ending {
            Some(Ending::Done) => {
                self.first = budget.programs;
                return Ok(true);
            }
            Some(Ending::Misused(reason)) | Some(Ending::OurBug(reason)) => {
                bail!("the harness of the variants gave up: {reason}; please report this crate")
            }
            _ => {}
        }
        let journal = asked.journal().and_then(|record| String::from_utf8(record).ok()).unwrap_or_default();
        self.set_aside(&journal);
        Ok(false)
    }

    /// Sets the variant aside that ended a process: its mutants are tried alone, and one that is alone no more.
    fn set_aside(&mut self, journal: &str) {
        let mut words = journal.split(' ');
        let number = words.next().and_then(|word| word.parse::<u64>().ok());
        self.first = number.unwrap_or(self.first) + 1;
        let rest: Vec<&str> = words.collect();
        // A record of one more word is that of a variant; others are plans of programs.
        let [group] = &rest[..] else { return };
        let Some(group) = group.parse::<usize>().ok().filter(|group| *group < self.groups.len()) else {
            return;
        };
        match &std::mem::take(&mut self.groups[group])[..] {
            [one] => {
                self.found.deadly.insert(*one);
            }
            several => self.groups.extend(several.iter().map(|one| vec![*one])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_that_kills_its_process_is_split_and_a_mutant_that_does_is_set_aside() {
        let groups = vec![vec![(1, 1), (2, 1)], vec![(3, 1)]];
        let mut run = Run { groups, first: 0, inherit: Vec::new(), found: Filtered::default() };
        run.set_aside("17 0");
        assert_eq!((run.first, &run.groups[2..]), (18, &[vec![(1, 1)], vec![(2, 1)]][..]));
        run.set_aside("20 2");
        assert_eq!(run.found.deadly, BTreeSet::from([(1, 1)]));
        // The program itself was being run.
        run.set_aside("30 all 4 0a1b");
        assert_eq!((run.first, run.groups.len()), (31, 4));
    }
}
