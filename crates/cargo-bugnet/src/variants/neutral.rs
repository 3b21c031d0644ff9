//! Neutrality: which mutants the user's tests let live.
//!
//! **Invariant:** what is said of a mutant does not depend on the order in which mutants or tests are run.

use super::mutation::Mutant;
use super::suite::{Known, Ran, Runner};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The verdict of the test suite on a mutant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Class {
    /// A test failed; this one, if the process lived to tell it.
    Killed(Option<String>),
    /// Tests did not come to their end.
    Endless,
    /// No test reaches it.
    Unreached,
    /// Every test that reaches it passes.
    Live,
    /// There was no time for it.
    Untested,
}

impl Class {
    pub(crate) fn is_killed(&self) -> bool {
        matches!(self, Class::Killed(_) | Class::Endless)
    }
}

/// Numbers of tests that share a process: few at first, because most mutants die early, and then all others.
const SHARES: [usize; 3] = [1, 4, 16];

/// Runs mutants against the tests that reach them.
#[derive(Debug)]
pub(crate) struct Judge<'a> {
    pub(crate) runner: &'a Runner,
    pub(crate) tests: &'a [Known],
    pub(crate) jobs: usize,
    /// The test that killed the last mutant of a site.
    pub(crate) killers: Mutex<BTreeMap<usize, String>>,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(runner: &'a Runner, tests: &'a [Known], jobs: usize) -> Judge<'a> {
        Judge { runner, tests, jobs, killers: Mutex::new(BTreeMap::new()) }
    }

    /// Judges mutants; `is_late` ends it early, and `tell` hears how many were judged.
    pub(crate) fn all(
        &self,
        mutants: &[Mutant],
        is_late: &(dyn Fn() -> bool + Sync),
        tell: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Class>> {
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let classes: Mutex<Vec<Class>> = Mutex::new(vec![Class::Untested; mutants.len()]);
        let work = || -> Result<()> {
            while !is_late() {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(mutant) = mutants.get(place) else { break };
                let class = self.class(&[*mutant])?;
                classes.lock().expect("nobody panics with it")[place] = class;
                tell(done.fetch_add(1, Ordering::Relaxed) + 1);
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.jobs.max(1)).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
        })?;
        Ok(classes.into_inner().expect("nobody panics with it"))
    }

    /// Judges a variant: mutants of different sites that are on at the same time.
    pub(crate) fn class(&self, variant: &[Mutant]) -> Result<Class> {
        let reaches = |known: &&Known| variant.iter().any(|mutant| known.reach.contains(&mutant.site));
        let mut tests: Vec<&Known> = self.tests.iter().filter(reaches).collect();
        if tests.is_empty() {
            return Ok(Class::Unreached);
        }
        let first = variant.first().map_or(0, |mutant| mutant.site);
        let killer = self.nearest_killer(first);
        tests.sort_by_key(|known| (Some(known.test.full_name()) != killer, known.time));
        let switches = variant.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        for share in shares(&tests) {
            let name = |test: &str| {
                let known = share.iter().find(|known| known.test.name == test);
                known.map(|known| known.test.full_name())
            };
            match self.runner.ask(&share, &switches)? {
                Ran::Passed => {}
                Ran::Endless => return Ok(Class::Endless),
                Ran::Failed(test) => {
                    let test = test.as_deref().and_then(name);
                    if let Some(test) = &test {
                        self.killers.lock().expect("nobody panics with it").insert(first, test.clone());
                    }
                    return Ok(Class::Killed(test));
                }
            }
        }
        Ok(Class::Live)
    }

    /// Returns the test that killed the last mutant at this site, or at the nearest one before it.
    fn nearest_killer(&self, site: usize) -> Option<String> {
        let killers = self.killers.lock().expect("nobody panics with it");
        killers.range(..=site).next_back().map(|(_, killer)| killer.clone())
    }
}

/// Returns the tests as they share processes. All tests of a share are in one binary.
fn shares<'a>(tests: &[&'a Known]) -> Vec<Vec<&'a Known>> {
    let (mut found, mut rest) = (Vec::new(), tests);
    let mut sizes = SHARES.into_iter();
    while !rest.is_empty() {
        let size = sizes.next().unwrap_or(usize::MAX).min(rest.len());
        let (now, later) = rest.split_at(size);
        let mut by_binary: Vec<Vec<&Known>> = Vec::new();
        for known in now {
            let is_same =
                |share: &&mut Vec<&Known>| std::sync::Arc::ptr_eq(&share[0].test.binary, &known.test.binary);
            match by_binary.iter_mut().find(is_same) {
                Some(share) => share.push(known),
                None => by_binary.push(vec![known]),
            }
        }
        found.extend(by_binary);
        rest = later;
    }
    found
}
