//! Questions about a C program: inputs on which living mutants differ, the one that settles most mutants first.
//!
//! **Invariant:** a question names only mutants that were seen to differ on its input, reduced as it is shown; the
//! first of them in a process of its own, too.

use super::super::mutation::Mutant;
use super::super::neutral::Class;
use super::super::pack;
use super::super::question::{self, Question};
use super::bench::{Answer, Job, Single, Wanted};
use super::case::Case;
use super::kept::Given;
use super::session::{Effort, Session};
use crate::explore::progress;
use crate::swarm::reduce::parts;
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The most questions of a run; more than these nobody answers at once.
const MOST: usize = 200;
/// The most inputs for which each mutant is run alone. Mutants of one variant can hide each other, and to check a variant
/// costs a run of the whole suite.
const ALONE: usize = 1_000;
/// The most inputs that are tried to reduce one; an input of our examples needed 150.
const TRIALS: usize = 300;
/// Other inputs that are shown because they notice the same mutants.
const OTHERS: usize = 2;
/// Lines of an input or an output that are shown.
const LINES: usize = 40;

/// The way in which living mutants are put together for the inputs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Packing {
    /// All of them: each alone if there are few inputs, else in as few variants as they fit.
    All,
    /// Some variants of some mutants each, as in the N-Prog paper.
    Drawn { variants: usize, mutants: usize, seed: u64 },
}

/// The inputs on which living mutants differ.
#[derive(Debug, Default)]
pub(crate) struct Alarms {
    pub(crate) variants: usize,
    pub(crate) living: usize,
    /// The inputs that were run, but for those that do something else each time.
    pub(crate) inputs: Vec<Case>,
    pub(crate) left_out: Vec<(&'static str, usize)>,
    /// The mutants that each input notices.
    by_input: BTreeMap<usize, BTreeSet<Mutant>>,
}

impl Alarms {
    /// Returns the inputs that notice mutants, each with the mutants.
    pub(crate) fn by_input(&self) -> impl Iterator<Item = (&Case, &BTreeSet<Mutant>)> {
        self.by_input.iter().map(|(case, noticed)| (&self.inputs[*case], noticed))
    }

    /// Returns the number of mutants that some input notices.
    pub(crate) fn noticed(&self) -> usize {
        self.by_input.values().flatten().collect::<BTreeSet<_>>().len()
    }
}

/// Runs inputs on variants of the living mutants, then on each mutant of a variant that differs.
pub(crate) fn alarms(
    session: &mut Session,
    inputs: &[Case],
    packing: Packing,
    effort: &Effort<'_>,
) -> Result<Alarms> {
    let living = session.of(|class| matches!(class, Class::Live | Class::Unreached));
    let faithful = session.faithful(inputs)?;
    let mut alarms = Alarms {
        living: living.len(),
        inputs: faithful.cases,
        left_out: faithful.left_out,
        ..Alarms::default()
    };
    if living.is_empty() || alarms.inputs.is_empty() {
        return Ok(alarms);
    }
    let mut check = |groups: &[Vec<Mutant>]| session.neutral(groups);
    let variants = match packing {
        Packing::All if alarms.inputs.len() <= ALONE => living.iter().map(|mutant| vec![*mutant]).collect(),
        Packing::All => pack::pack(session.mutations(), &living, &mut check)?,
        Packing::Drawn { variants, mutants, seed } => {
            pack::drawn(session.mutations(), &living, variants, mutants, seed, &mut check)?
        }
    };
    alarms.variants = variants.len();
    let line = progress::Line::new("Running");
    let tell = |done: usize| {
        line.say(format!("{} inputs, {done} of {} variants", alarms.inputs.len(), alarms.variants))
    };
    let job = |on: Vec<Mutant>, cases| Job { on, cases, wanted: Wanted::Every };
    let jobs: Vec<Job> = variants.into_iter().map(|variant| job(variant, None)).collect();
    let answers = session.bench.ask(&alarms.inputs, &jobs, effort.is_late, &tell)?;
    let mut singles = Vec::new();
    for (asked, answer) in jobs.into_iter().zip(answers) {
        if let Some(Answer::Differs(cases)) = answer {
            singles.extend(asked.on.into_iter().map(|mutant| job(vec![mutant], Some(cases.clone()))));
        }
    }
    let tell = |done: usize| line.say(format!("{done} of {} mutants of variants that differ", singles.len()));
    let answers = session.bench.ask(&alarms.inputs, &singles, effort.is_late, &tell)?;
    for (asked, answer) in singles.iter().zip(answers) {
        if let Some(Answer::Differs(cases)) = answer {
            for case in cases {
                alarms.by_input.entry(case).or_default().insert(asked.on[0]);
            }
        }
    }
    Ok(alarms)
}

/// Returns inputs in the order in which they are asked about, each with the mutants that it settles and no earlier one
/// does.
pub(crate) fn ordered(alarms: &Alarms) -> Vec<(usize, Vec<Mutant>)> {
    let mut open: BTreeSet<Mutant> = alarms.by_input.values().flatten().copied().collect();
    let mut found = Vec::new();
    while found.len() < MOST {
        let worth = |noticed: &BTreeSet<Mutant>| noticed.intersection(&open).count();
        // Of two inputs that settle as many, the shorter one is easier to read.
        let best = alarms.by_input.iter().max_by_key(|(case, noticed)| {
            let input = &alarms.inputs[**case];
            (worth(noticed), std::cmp::Reverse(input.size()), std::cmp::Reverse(**case))
        });
        let Some((case, noticed)) = best.filter(|(_, noticed)| worth(noticed) > 0) else { break };
        let settled: Vec<Mutant> = noticed.intersection(&open).copied().collect();
        open.retain(|mutant| !settled.contains(mutant));
        found.push((*case, settled));
    }
    found
}

/// The form in which inputs are asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inputs {
    Reduced,
    AsTheyAre,
}

/// Makes questions of alarms.
pub(crate) fn questions(
    session: &Session,
    alarms: &Alarms,
    inputs: Inputs,
    effort: &Effort<'_>,
) -> Result<Vec<Question>> {
    let line = progress::Line::new("Reducing");
    let folder = session.bench.scratch.join("inputs");
    fs::create_dir_all(&folder)?;
    let mut found = Vec::new();
    for (number, settled) in ordered(alarms) {
        if (effort.is_late)() {
            break;
        }
        let asking = Asking { session, inputs, folder: &folder, number: found.len() + 1 };
        if let Some(question) = asking.question(alarms, number, settled)? {
            found.push(question);
            line.say(format!("{} questions", found.len()));
        }
    }
    // Where the program itself dies, a bug is likely; then what settles most.
    found.sort_by_key(|question| (!question.panics, std::cmp::Reverse(question.mutants.len())));
    Ok(found)
}

/// One question that is being made.
struct Asking<'a> {
    session: &'a Session,
    inputs: Inputs,
    folder: &'a Path,
    number: usize,
}

impl Asking<'_> {
    fn question(&self, alarms: &Alarms, number: usize, settled: Vec<Mutant>) -> Result<Option<Question>> {
        let (bench, mutations) = (&self.session.bench, self.session.mutations());
        let case = self.reduced(&alarms.inputs[number], &settled)?;
        let (outcome, noticed) = bench.compare(&case, &settled)?;
        let original = bench.single(&case, &[])?;
        let mut variant = None;
        for mutant in &noticed {
            let other = bench.single(&case, &[*mutant])?;
            if other != original {
                variant = Some((*mutant, other));
                break;
            }
        }
        let Some((first, variant)) = variant else { return Ok(None) };
        let is_other = |other: &(&usize, &BTreeSet<Mutant>)| *other.0 != number && other.1.contains(&first);
        let others = alarms.by_input.iter().filter(is_other).take(OTHERS);
        let others = others.map(|(other, _)| shown(&bench.name, &alarms.inputs[*other])).collect();
        let mut mutants = vec![first];
        mutants.extend(noticed.into_iter().filter(|mutant| *mutant != first));
        Ok(Some(Question {
            name: question::name(mutations, first, self.number),
            lines: shown(&bench.name, &case),
            plain: vec![case.words.join("\0"), case.input_text()],
            helpers: Vec::new(),
            original: did(&original),
            variant: did(&variant),
            panics: outcome.is_death(),
            mutants: mutants.into_iter().map(|mutant| question::Noticed::of(mutations, mutant)).collect(),
            others,
            given: Some(Given { case, outcome: format!("{} {}", outcome.end, outcome.printed) }),
        }))
    }

    /// Makes the standard input of a case smaller, as long as the program ends as before and each mutant is noticed.
    fn reduced(&self, case: &Case, settled: &[Mutant]) -> Result<Case> {
        let Some(input) = case.input.as_ref().filter(|_| self.inputs == Inputs::Reduced) else {
            return Ok(case.clone());
        };
        let bench = &self.session.bench;
        let (before, noticed) = bench.compare(case, settled)?;
        let path = self.folder.join(self.number.to_string());
        let smaller = Case { input: Some(path.clone()), ..case.clone() };
        let mut trials = 0;
        let mut ask = |bytes: &[u8]| -> Result<Option<bool>> {
            trials += 1;
            if trials > TRIALS {
                return Ok(None);
            }
            fs::write(&path, bytes)?;
            let (outcome, still) = bench.compare(&smaller, &noticed)?;
            Ok(Some(outcome.end == before.end && still == noticed))
        };
        let smallest = parts::smallest(fs::read(input)?, &mut ask)?;
        fs::write(&path, smallest)?;
        Ok(smaller)
    }
}

/// Returns a case as a person reads it: the command, and its standard input.
fn shown(name: &str, case: &Case) -> Vec<String> {
    let words: Vec<String> = case.words.iter().map(|word| shell_words::quote(word).into_owned()).collect();
    let mut lines = vec![format!("$ {name} {}", words.join(" ")).trim_end().to_string()];
    if case.input.is_some() {
        lines[0].push_str(" <<END");
        lines.extend(few(&case.input_text()));
        lines.push("END".to_string());
    }
    lines
}

/// Returns what a run did: what it printed, and how it ended.
fn did(single: &Single) -> String {
    let mut lines = few(&String::from_utf8_lossy(&single.output));
    lines.extend(few(&single.errors).into_iter().map(|line| format!("(error) {line}")));
    lines.push(format!("(ends with {})", single.how));
    lines.join("\n")
}

/// Returns the first lines of a text.
fn few(text: &str) -> Vec<String> {
    let all = text.lines().count();
    let mut lines: Vec<String> = text.lines().take(LINES).map(str::to_string).collect();
    if all > LINES {
        lines.push(format!("… and {} more lines", all - LINES));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_input_that_settles_most_mutants_is_asked_about_first() {
        let mutant = |site| Mutant { site, alternative: 1 };
        let case = |word: &str| Case { words: vec![word.to_string()], input: None };
        let noticed = BTreeMap::from([
            (0, BTreeSet::from([mutant(1)])),
            (1, BTreeSet::from([mutant(1), mutant(2)])),
            (2, BTreeSet::from([mutant(2), mutant(3)])),
        ]);
        let alarms =
            Alarms { inputs: vec![case("a"), case("bb"), case("c")], by_input: noticed, ..Alarms::default() };
        let expected = vec![(2, vec![mutant(2), mutant(3)]), (0, vec![mutant(1)])];
        assert_eq!(ordered(&alarms), expected);
    }
}
