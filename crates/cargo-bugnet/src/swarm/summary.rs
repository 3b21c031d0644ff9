//! The summary of a campaign: what the store has, counted and explained, as reports show it.
//!
//! **Invariant:** everything is counted from the outcomes of the tests, so a summary of the same tests is the same,
//! however often the run was stopped.

use super::draw::Draw;
use super::known;
use super::run::Arm;
use super::setup::Setup;
use super::why::{self, Columns, Test};
use crate::store::campaign::{Campaign, Failure, Feature, Input, Point};
use crate::store::outcome::Mark;
use crate::store::{Finished, Kept, Store};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

/// Bytes of an input that is no text which are shown.
const DUMPED: usize = 2_048;

/// Who asks for a summary.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    /// The file as the user wrote it, for the lines that are to be copied.
    pub(crate) file: &'a Path,
    /// The signatures that are known.
    pub(crate) known: &'a [String],
}

/// Makes the summary of a campaign.
pub(crate) fn of(arm: &Arm<'_>, store: &mut dyn Store, asked: &Asked<'_>) -> Result<Campaign> {
    let finished = store.finished(arm.campaign)?;
    let kept = store.failures(arm.campaign)?;
    let (numbers, tests) = tests(arm, &finished);
    let columns = Columns::of(&arm.plan.features, &tests);
    let groups = groups(&kept);
    let ids: Vec<Vec<i64>> = groups.iter().map(|(_, ids)| ids.clone()).collect();
    let mut reasons = why::explain(&columns, &tests, &ids, arm.swarm.scheme()).into_iter();
    let names = known::names(&kept);
    let mut failures = Vec::new();
    for (place, ids) in &groups {
        let mut failure = failure(arm, &kept[*place], &names[*place], asked);
        let hits = hits(&numbers, &tests, ids);
        (failure.hits, failure.first_test) = (hits.len() as u64, hits.first().copied());
        failure.targets = targets(arm, &tests, ids);
        let reasons = reasons.next().expect("there are reasons for each");
        failure.triggers = reasons.triggers;
        failure.suppressors = reasons.suppressors;
        failure.others = reasons.others;
        failures.push(failure);
    }
    failures.sort_by_key(|failure| (failure.is_known, failure.number));
    let processor: Duration = finished.iter().map(|shard| shard.processor).sum();
    let growth = growth(&failures, &finished, tests.len() as u64);
    Ok(Campaign {
        name: arm.plan.name.clone(),
        command: format!("cargo bugnet swarm {}", asked.file.display()),
        seed: arm.seed,
        scheme: arm.swarm.scheme().to_string(),
        targets: arm.plan.targets.iter().map(|target| target.name.clone()).collect(),
        tests: tests.len() as u64,
        failing_tests: tests.iter().filter(|test| has_failed(test)).count() as u64,
        processor_seconds: processor.as_secs_f64(),
        features: features(&columns, &tests),
        failures,
        growth,
        rejections: store.rejections(arm.campaign)?,
    })
}

/// The tests of finished shards, with their numbers.
pub(crate) fn tests(arm: &Arm<'_>, finished: &[Finished]) -> (Vec<u64>, Vec<Test>) {
    let (mut numbers, mut tests) = (Vec::new(), Vec::new());
    for shard in finished {
        for (place, marks) in shard.marks.iter().enumerate() {
            let number = shard.first + place as u64;
            let setup = Setup::of(&arm.plan.features, arm.swarm, Draw::of(arm.seed, number), number);
            numbers.push(number);
            tests.push(Test { setup, marks: marks.clone() });
        }
    }
    (numbers, tests)
}

fn has_failed(test: &Test) -> bool {
    test.marks.iter().any(|mark| matches!(mark, Mark::Failed(_)))
}

/// The failures that are not merged into others, by their places, each with the numbers that it is marked by.
pub(crate) fn groups(kept: &[Kept]) -> Vec<(usize, Vec<i64>)> {
    let into: BTreeMap<i64, i64> =
        kept.iter().filter_map(|failure| Some((failure.id, failure.merged_into?))).collect();
    let mut groups: Vec<(usize, Vec<i64>)> = Vec::new();
    for (place, failure) in kept.iter().enumerate().filter(|(_, failure)| failure.merged_into.is_none()) {
        let ids = kept.iter().map(|other| other.id).filter(|id| root(&into, *id) == failure.id);
        groups.push((place, ids.collect()));
    }
    groups
}

/// Follows merged failures to the one that is left.
fn root(into: &BTreeMap<i64, i64>, mut id: i64) -> i64 {
    let mut seen = BTreeSet::new();
    while let Some(next) = into.get(&id).filter(|_| seen.insert(id)) {
        id = *next;
    }
    id
}

/// The numbers of the tests that failed so.
fn hits(numbers: &[u64], tests: &[Test], ids: &[i64]) -> Vec<u64> {
    let is_hit =
        |test: &Test| test.marks.iter().any(|mark| matches!(mark, Mark::Failed(id) if ids.contains(id)));
    numbers.iter().zip(tests).filter(|(_, test)| is_hit(test)).map(|(number, _)| *number).collect()
}

/// The targets that failed so.
fn targets(arm: &Arm<'_>, tests: &[Test], ids: &[i64]) -> Vec<String> {
    let failed = |place: usize| {
        tests.iter().any(|test| matches!(&test.marks[place], Mark::Failed(id) if ids.contains(id)))
    };
    let targets = arm.plan.targets.iter().enumerate();
    targets.filter(|(place, _)| failed(*place)).map(|(_, target)| target.name.clone()).collect()
}

/// Returns a kept failure in the form in which it is shown.
fn failure(arm: &Arm<'_>, kept: &Kept, name: &str, asked: &Asked<'_>) -> Failure {
    let first = kept.sightings.first();
    let bytes = kept.reduced.as_ref().map(|reduced| reduced.input.as_slice());
    let bytes = bytes.or(first.map(|first| first.input.as_slice())).unwrap_or_default();
    let happened = kept.reduced.as_ref().map(|reduced| reduced.happened.clone());
    Failure {
        number: kept.number,
        name: name.to_string(),
        signature: kept.signature.clone(),
        target: first.map(|first| first.target.clone()).unwrap_or_default(),
        input: Input {
            file: input_file(arm, kept.number),
            bytes: bytes.len() as u64,
            text: shown(bytes),
            reduced_by: kept.reduced.as_ref().map(|reduced| reduced.by.clone()),
        },
        first_bytes: first.map_or(0, |first| first.input.len() as u64),
        happened: happened.or(first.map(|first| first.happened.clone())).unwrap_or_default(),
        replay: format!("cargo bugnet swarm {} --replay {}", asked.file.display(), kept.number),
        is_known: asked.known.contains(&kept.signature),
        ..Failure::default()
    }
}

/// The name of the file that the input of a failure is written to, in the folder of the store.
pub(crate) fn input_file(arm: &Arm<'_>, number: u64) -> String {
    let extension = arm.plan.generator.input.rsplit('.').next().unwrap_or_default();
    format!("{}/{number}.{extension}", arm.plan.name)
}

/// Text as it is, other bytes as a dump.
fn shown(bytes: &[u8]) -> String {
    let is_text =
        |text: &str| !text.contains(|letter: char| letter.is_control() && !"\n\r\t".contains(letter));
    if let Ok(text) = std::str::from_utf8(bytes)
        && is_text(text)
    {
        return text.to_string();
    }
    let mut dump = String::new();
    for (place, line) in bytes[..bytes.len().min(DUMPED)].chunks(16).enumerate() {
        let digits: Vec<String> = line.iter().map(|byte| format!("{byte:02x}")).collect();
        let letter = |byte: &u8| if byte.is_ascii_graphic() || *byte == b' ' { *byte as char } else { '.' };
        let letters: String = line.iter().map(letter).collect();
        dump.push_str(&format!("{:06x}  {:47}  {letters}\n", place * 16, digits.join(" ")));
    }
    if bytes.len() > DUMPED {
        dump.push_str(&format!("… {} bytes more\n", bytes.len() - DUMPED));
    }
    dump
}

/// Returns the number of failures that were known after each number of tests and time.
fn growth(failures: &[Failure], finished: &[Finished], tests: u64) -> Vec<Point> {
    let seconds_before = |test: u64| -> f64 {
        let before = finished.iter().filter(|shard| shard.first + shard.marks.len() as u64 <= test);
        before.map(|shard| shard.processor.as_secs_f64()).sum()
    };
    let mut firsts: Vec<u64> = failures.iter().filter_map(|failure| failure.first_test).collect();
    firsts.sort_unstable();
    let point = |(place, test): (usize, &u64)| Point {
        tests: test + 1,
        processor_seconds: seconds_before(*test),
        failures: place as u64 + 1,
    };
    let mut growth: Vec<Point> = firsts.iter().enumerate().map(point).collect();
    let processor_seconds = finished.iter().map(|shard| shard.processor.as_secs_f64()).sum();
    growth.push(Point { tests, processor_seconds, failures: firsts.len() as u64 });
    growth
}

/// Counts the tests that had each feature.
fn features(columns: &Columns, tests: &[Test]) -> Vec<Feature> {
    let named = |name: &String| Feature { name: name.clone(), ..Feature::default() };
    let mut features: Vec<Feature> = columns.names.iter().map(named).collect();
    for test in tests {
        for (feature, has) in features.iter_mut().zip(columns.row(&test.setup)) {
            feature.tests += u64::from(has);
            feature.failing_tests += u64::from(has && has_failed(test));
        }
    }
    features
}
