//! Pruning: the compiler is asked which candidates it takes, until it refuses none of those that are left.
//!
//! **Invariant:** a harness is found again only if it was made from the same candidates, dictionary and compiler.

use super::candidate::{Candidate, Origin, Variant};
use super::check::{self, Cargo, Judgement};
use super::generator::Proposal;
use super::reach::{self, Reach};
use super::scratch::Scratch;
use super::source::{Owner, Place, Selection, Source};
use super::stand_in::StandIn;
use super::{Purpose, Record, VERSION, compiler};
use crate::api::{Api, Kind};
use crate::dictionary::Dictionary;
use crate::status;
use anyhow::{Result, bail};
use cargo_metadata::camino::Utf8PathBuf;
use std::collections::{BTreeMap, BTreeSet};

/// A compiler that refuses something again and again has found a mistake of ours.
const MOST_ROUNDS: usize = 8;

/// The candidates that are still thought to compile.
pub(super) struct Pruning<'a> {
    pub(super) api: &'a Api,
    pub(super) proposal: &'a Proposal,
    pub(super) dictionary: &'a Dictionary,
    pub(super) refused: BTreeSet<Place>,
    /// Kinds of which no laws can be asked.
    pub(super) lawless: Vec<Kind>,
    pub(super) reasons: BTreeMap<usize, String>,
    /// Types of our own.
    pub(super) stand_ins: Vec<StandIn>,
    /// The number of times that the compiler was asked before.
    pub(super) rounds: usize,
    pub(super) purpose: Purpose,
    /// Candidates of which another build has refused a variant.
    pub(super) other: BTreeSet<usize>,
}

/// Says how many operations the compiler has refused in every way.
fn refused_in_words(refused: usize) -> String {
    match refused {
        0 => "some ways to call that the compiler refuses".to_string(),
        1 => "1 operation that the compiler refuses".to_string(),
        count => format!("{count} operations that the compiler refuses"),
    }
}

/// The place where a harness is built.
#[derive(Clone, Copy)]
pub(super) struct Bench<'a> {
    pub(super) scratch: &'a Scratch,
    pub(super) cargo: &'a Cargo,
}

/// Returns the harnesses that were made before from the same.
fn cached(benches: &[Bench<'_>], identity: &str) -> Result<Option<(Vec<Utf8PathBuf>, Record)>> {
    let (mut executables, mut last) = (Vec::new(), None);
    for bench in benches {
        let path = bench.scratch.folder.join("record.json");
        let Ok(text) = std::fs::read_to_string(path) else { return Ok(None) };
        let Ok(record) = serde_json::from_str::<Record>(&text) else { return Ok(None) };
        if record.version != VERSION || record.identity != identity {
            return Ok(None);
        }
        match check::build(bench.cargo, &Source::default()) {
            Ok(Judgement::Built(executable)) => executables.push(executable),
            _ => return Ok(None),
        }
        last = Some(record);
    }
    Ok(last.map(|record| (executables, record)))
}

impl<'a> Pruning<'a> {
    pub(super) fn new(api: &'a Api, proposal: &'a Proposal, dictionary: &'a Dictionary) -> Pruning<'a> {
        let (refused, lawless, reasons) = (BTreeSet::new(), Vec::new(), BTreeMap::new());
        let (stand_ins, purpose, other) = (Vec::new(), Purpose::Exploring, BTreeSet::new());
        Pruning { api, proposal, dictionary, refused, lawless, reasons, stand_ins, rounds: 0, purpose, other }
    }

    /// Asks the compiler until it refuses nothing on any of some benches.
    pub(super) fn run(mut self, benches: &[Bench<'_>]) -> Result<(Vec<Utf8PathBuf>, Record)> {
        let everything = self.write(self.places());
        let promises: Vec<_> = self
            .proposal
            .candidates
            .iter()
            .filter_map(|candidate| candidate.facts.promise.as_ref())
            .collect();
        let dictionary = self.dictionary.source();
        let coverage = benches.iter().map(|bench| bench.cargo.coverage).collect::<Vec<_>>();
        let all = format!("{}{dictionary}{promises:?}{:?}{coverage:?}", everything.text, compiler());
        let identity = blake3::hash(all.as_bytes()).to_hex().to_string();
        for bench in benches {
            bench.scratch.write("src/dictionary.rs", &dictionary)?;
        }
        if let Some(found) = cached(benches, &identity)? {
            return Ok(found);
        }
        let operations = match self.proposal.candidates.len() {
            1 => "1 operation".to_string(),
            count => format!("{count} operations"),
        };
        status::progress("Building", &format!("a harness of {operations}"));
        let mut source = everything;
        for round in 1..=MOST_ROUNDS * benches.len() {
            let mut built = Vec::new();
            let refused = self.proposal.candidates.len() - self.chosen().len();
            let what = format!("the harness again without {}", refused_in_words(refused));
            let _step = (round > 1).then(|| status::Step::new("Building", what));
            for (number, bench) in benches.iter().enumerate() {
                bench.scratch.write("src/operations.rs", &source.text)?;
                match check::build(bench.cargo, &source)? {
                    Judgement::Built(executable) => built.push(executable),
                    Judgement::Refused(refused) if number == 0 => self.refuse(refused),
                    Judgement::Refused(refused) => self.refuse_for_other(refused),
                }
            }
            if built.len() == benches.len() {
                let record = self.record(identity, self.rounds + round);
                for bench in benches {
                    bench.scratch.write("record.json", &serde_json::to_string(&record)?)?;
                }
                return Ok((built, record));
            }
            source = self.write(self.chosen());
        }
        bail!("the compiler refuses the harness again and again; please report this crate")
    }

    /// The source of some variants.
    pub(super) fn write(&self, places: Vec<Place>) -> Source {
        let lawful: Vec<Kind> =
            self.proposal.kinds.iter().filter(|kind| !self.lawless.contains(kind)).cloned().collect();
        let selection = Selection {
            candidates: &self.proposal.candidates,
            places: &places,
            suite: &self.chosen(),
            lawful: &lawful,
            examples: &self.dictionary.examples(),
            stand_ins: &self.stand_ins,
            name: &self.api.name,
            purpose: self.purpose,
        };
        Source::write(&selection)
    }

    /// The first variant of each candidate that was not refused.
    pub(super) fn chosen(&self) -> Vec<Place> {
        let mut seen = BTreeSet::new();
        self.places().into_iter().filter(|place| seen.insert(place.candidate)).collect()
    }

    /// The variants that were not refused.
    pub(super) fn places(&self) -> Vec<Place> {
        let candidates = self.proposal.candidates.iter().enumerate();
        let places = candidates.flat_map(|(candidate, described)| {
            (0..described.variants.len()).map(move |variant| Place { candidate, variant })
        });
        places.filter(|place| !self.refused.contains(place)).collect()
    }

    /// Refuses what another build does not take, and notes whose variants these are.
    pub(super) fn refuse_for_other(&mut self, refused: Vec<(Owner, String)>) {
        let before: BTreeSet<Place> = self.places().into_iter().collect();
        self.refuse(refused);
        let left: BTreeSet<Place> = self.places().into_iter().collect();
        self.other.extend(before.difference(&left).map(|place| place.candidate));
    }

    pub(super) fn refuse(&mut self, refused: Vec<(Owner, String)>) {
        for (owner, reason) in refused {
            match owner {
                Owner::Variant(place) => {
                    self.reasons.entry(place.candidate).or_insert(reason);
                    self.refused.insert(place);
                }
                Owner::Laws(kind) => self.lawless.push(kind),
                Owner::Kind(kind) => {
                    self.refuse_all(&reason, &|variant| variant.kinds().any(|used| *used == kind))
                }
                Owner::StandIn(name) => {
                    let (gone, kept) = self.stand_ins.drain(..).partition(|one: &StandIn| one.name == name);
                    self.stand_ins = kept;
                    self.refuse_all(&reason, &|variant| {
                        gone.iter().any(|one: &StandIn| one.is_in(&variant.call) || one.is_taken_by(variant))
                    });
                }
            }
        }
    }

    /// Refuses all variants of which something is true.
    fn refuse_all(&mut self, reason: &str, is_it: &dyn Fn(&Variant) -> bool) {
        let candidates = &self.proposal.candidates;
        let is_refused = |place: &Place| is_it(&candidates[place.candidate].variants[place.variant]);
        for place in self.places().into_iter().filter(is_refused) {
            self.reasons.entry(place.candidate).or_insert_with(|| reason.to_string());
            self.refused.insert(place);
        }
    }

    /// Returns the functions that no harness calls because another build refuses them; `alive` says which candidates
    /// compile.
    fn changed(&self, alive: &[bool]) -> Vec<String> {
        let (names, candidates) = (reach::names(self.api), &self.proposal.candidates);
        let kept = candidates.iter().zip(alive).filter(|(_, alive)| **alive);
        let kept: BTreeSet<Origin> = kept.map(|(candidate, _)| candidate.origin).collect();
        let origins: BTreeSet<Origin> = self.other.iter().map(|place| candidates[*place].origin).collect();
        origins.difference(&kept).filter_map(|origin| names.get(origin).cloned()).collect()
    }

    pub(super) fn record(&self, identity: String, rounds: usize) -> Record {
        let candidates = &self.proposal.candidates;
        let mut alive = vec![false; candidates.len()];
        for place in self.places() {
            alive[place.candidate] = true;
        }
        let names = candidates.iter().zip(&alive).filter(|(_, alive)| **alive);
        let operations = names.map(|(candidate, _): (&Candidate, _)| candidate.name.clone()).collect();
        let reach = Reach::of(self.api, candidates, &alive, &self.reasons);
        let stand_ins = self.stand_ins.iter().map(|one| one.name.clone()).collect();
        let is_refused = |place: &usize| candidates[*place].origin == Origin::Stated && !alive[*place];
        let refused = (0..candidates.len()).filter(is_refused);
        let reason = |place: usize| self.reasons.get(&place).cloned().unwrap_or_default();
        let refused = refused.map(|place| (candidates[place].name.clone(), reason(place))).collect();
        let changed = self.changed(&alive);
        Record { version: VERSION, identity, rounds, reach, operations, stand_ins, refused, changed }
    }
}
