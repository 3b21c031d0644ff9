//! Checks before a run: every flag once, every target once.
//!
//! **Invariant:** a generator that makes nothing, or that refuses a flag, ends the run before its first test.

use super::draw::Draw;
use super::file::{Feature, Kind, Plan};
use super::setup::{Setting, Setup, item_name};
use super::test::{Bench, Generated};
use crate::exit::NotRun;
use anyhow::Result;
use std::collections::BTreeMap;

/// Seeds that are tried until a feature shows a difference.
const SEEDS: u64 = 8;
/// The number of the first test of a check: no run comes so far.
const FIRST: u64 = 1 << 62;

/// The result of a check.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Checked {
    /// Features that change nothing in any of the inputs that were tried.
    pub(crate) idle: Vec<String>,
    /// Targets that change their input.
    pub(crate) writing: Vec<String>,
}

/// The generator, and what it has made already: most setups are compared with the default one.
#[derive(Debug)]
struct Probe<'a> {
    plan: &'a Plan,
    bench: &'a Bench<'a>,
    seed: u64,
    made: BTreeMap<(Vec<String>, u64), Generated>,
}

impl Probe<'_> {
    /// Returns what the generator makes of a setup and the seed of a test.
    fn generate(&mut self, setup: &Setup, test: u64) -> Result<Generated> {
        let key = (setup.flags(&self.plan.features), test);
        if let Some(made) = self.made.get(&key) {
            return Ok(made.clone());
        }
        let made = self.bench.generate(setup, Draw::of(self.seed, test))?;
        self.made.insert(key, made.clone());
        Ok(made)
    }
}

/// Runs the generator with every flag, and every target on an input.
pub(crate) fn check(plan: &Plan, bench: &Bench<'_>, seed: u64) -> Result<Checked> {
    let mut checked = Checked::default();
    let default = Setup::default_of(&plan.features);
    let mut probe = Probe { plan, bench, seed, made: BTreeMap::new() };
    let input = first_input(&mut probe, &default)?;
    for (place, feature) in plan.features.iter().enumerate() {
        for (name, on, off) in contrasts(&default, place, feature) {
            if !differs(&mut probe, &name, [&on, &off])? {
                checked.idle.push(name);
            }
        }
    }
    for target in &plan.targets {
        bench.run(target, &input)?;
        if !bench.has_kept(target, &input) {
            checked.writing.push(target.name.clone());
        }
    }
    Ok(checked)
}

/// Returns an input of the default configuration.
fn first_input(probe: &mut Probe<'_>, default: &Setup) -> Result<Vec<u8>> {
    let mut why = String::new();
    for test in FIRST..FIRST + SEEDS {
        match probe.generate(default, test)? {
            Generated::Input(input) => return Ok(input),
            Generated::Nothing(message) => why = message,
            Generated::Endless(message) => {
                let text = format!(
                    "the generator made no input: {message}\ntry its command in a shell, and mend `command` or raise \
                     `cpu` in [generator]"
                );
                return Err(NotRun(text).into());
            }
        }
    }
    let text = format!(
        "the generator made no input in {SEEDS} tries: {why}\ntry its command in a shell, and mend `command` in \
         [generator]"
    );
    Err(NotRun(text).into())
}

/// The setups that differ in one feature only, by its name: with it, and without it.
fn contrasts(default: &Setup, place: usize, feature: &Feature) -> Vec<(String, Setup, Setup)> {
    let with = |setting: Setting| {
        let mut setup = default.clone();
        setup.settings[place] = setting;
        setup
    };
    let name = feature.name.clone();
    match &feature.kind {
        Kind::Switch { .. } => vec![(name, with(Setting::Switch(true)), with(Setting::Switch(false)))],
        Kind::Number { low, high, .. } => {
            vec![(name, with(Setting::Number(Some(*low))), with(Setting::Number(Some(*high))))]
        }
        Kind::List { items, .. } => {
            let without = |item: usize| (0..items.len()).map(|other| other != item).collect();
            let all = vec![true; items.len()];
            let contrast = |(place, item): (usize, &String)| {
                (
                    item_name(&name, item),
                    with(Setting::List(all.clone())),
                    with(Setting::List(without(place))),
                )
            };
            items.iter().enumerate().map(contrast).collect()
        }
    }
}

/// Returns whether two setups give different inputs for some seed.
fn differs(probe: &mut Probe<'_>, name: &str, setups: [&Setup; 2]) -> Result<bool> {
    let mut refusals = [const { String::new() }; 2];
    let mut made = [false; 2];
    for test in FIRST..FIRST + SEEDS {
        let mut inputs = Vec::new();
        for (at, setup) in setups.iter().enumerate() {
            match probe.generate(setup, test)? {
                Generated::Input(input) => {
                    made[at] = true;
                    inputs.push(input);
                }
                Generated::Nothing(message) | Generated::Endless(message) => refusals[at] = message,
            }
        }
        if let [one, other] = &inputs[..]
            && one != other
        {
            return Ok(true);
        }
    }
    for (at, setup) in setups.iter().enumerate() {
        if !made[at] {
            let flags = setup.flags(&probe.plan.features).join(" ");
            let text = format!(
                "feature `{name}`: the generator makes nothing with `{flags}`: {}\nmend the flags of the feature in \
                 [features], or remove it",
                refusals[at]
            );
            return Err(NotRun(text).into());
        }
    }
    Ok(false)
}
