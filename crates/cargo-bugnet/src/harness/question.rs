//! Questions: which plain types implement a trait of another crate, and whether stand-ins implement traits of the
//! crate, which only the compiler knows.
//!
//! Rustdoc tells what a crate implements and what it demands, and not who keeps such a demand as
//! `num_traits::Signed`. So before types are chosen, the compiler is asked about all such traits and all types
//! that are likely to be chosen, each in a line of its own, and about all ways to write each stand-in.
//!
//! **Invariant:** what the compiler does not understand has no answer.

use super::check::{self, Cargo, CompileError};
use super::scratch::Scratch;
use super::stand_in::Draft;
use super::standard;
use crate::api::{Api, Bound, Generics, Kind, Lifetimes};
use crate::status;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The most rounds of a question. A line with a name that cannot be resolved keeps the compiler from looking at
/// types, so such lines are left out and the rest is asked again.
const MOST_ROUNDS: usize = 2;

/// Answers to the question whether types implement traits.
pub(crate) type Answers = BTreeMap<(Kind, Bound), bool>;

/// The answers of the compiler.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) answers: Answers,
    /// True for each implementation of a stand-in that the compiler takes, in the order of the drafts and of their
    /// ways.
    pub(super) is_taken: Vec<bool>,
    /// The number of times that it was asked.
    pub(super) rounds: usize,
}

/// The questions and answers that are kept: the text that was asked, and the answers part by part.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    asked: String,
    /// The number of times that the compiler was asked.
    rounds: usize,
    answers: Vec<Option<bool>>,
}

/// A part of what is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    /// A type implements a trait: no if it does not compile because of that.
    Bound(String),
    /// This compiles.
    Item(String),
    /// The lines that the others need.
    Rest(String),
}

/// Asks the compiler what nobody else knows, or takes what it has said before.
pub(super) fn ask(api: &Api, drafts: &[Draft], scratch: &Scratch, cargo: &Cargo) -> Result<Said> {
    let questions = questions(api);
    let parts = parts(&questions, drafts);
    if parts.is_empty() {
        return Ok(Said::default());
    }
    let sheet = Sheet::write(&parts, &BTreeSet::new());
    let asked = sheet.text + &super::compiler();
    let file = scratch.folder.join("answers.json");
    let kept = std::fs::read_to_string(&file).ok().and_then(|text| serde_json::from_str::<Kept>(&text).ok());
    let kept = match kept.filter(|kept| kept.asked == asked) {
        Some(kept) => kept,
        None => {
            scratch.write("src/dictionary.rs", &crate::dictionary::Dictionary::default().source())?;
            let what =
                "the compiler which types implement which traits; the crate is built first".to_string();
            let _step = status::Step::new("Asking", what);
            let (answers, rounds) = answers(&parts, |text| {
                scratch.write("src/operations.rs", text)?;
                check::complaints(cargo)
            })?;
            let kept = Kept { asked, rounds, answers };
            // Questions without an answer are asked again: the crate may be fixed by then.
            if kept.answers.iter().any(Option::is_some) {
                scratch.write("answers.json", &serde_json::to_string(&kept)?)?;
            }
            kept
        }
    };
    let of_items = parts.iter().zip(&kept.answers).filter(|(part, _)| matches!(part, Part::Item(_)));
    let is_taken = of_items.map(|(_, answer)| *answer == Some(true)).collect();
    let known = questions.into_iter().zip(kept.answers);
    let answers = known.filter_map(|(question, answer)| Some((question, answer?))).collect();
    Ok(Said { answers, is_taken, rounds: kept.rounds })
}

/// Returns the questions: every bound of a trait of elsewhere, for every plain type.
fn questions(api: &Api) -> Vec<(Kind, Bound)> {
    let mut bounds: BTreeSet<Bound> = BTreeSet::new();
    let mut take = |generics: &Generics| {
        bounds.extend(generics.bounds.iter().map(|(_, bound)| bound.without_bindings()));
    };
    api.definitions.values().for_each(|definition| take(&definition.generics));
    api.functions.iter().for_each(|(_, function)| take(&function.generics));
    for block in &api.blocks {
        take(&block.generics);
        block.functions.iter().chain(&block.provided).for_each(|function| take(&function.generics));
    }
    bounds.extend(api.traits.values().flat_map(|declared| &declared.demands).map(Bound::without_bindings));
    bounds
        .retain(|bound| bound.is_concrete() && !api.traits.contains_key(&bound.path) && !bound.is_closure());
    let all = bounds.iter().flat_map(|bound| standard::plain().map(|kind| (kind, bound.clone())));
    all.filter(|(kind, bound)| standard::implements(kind, bound).is_none()).collect()
}

/// Everything that is asked: first the questions, then the stand-ins, each way in a module of its own.
fn parts(questions: &[(Kind, Bound)], drafts: &[Draft]) -> Vec<Part> {
    let line = |(number, (kind, bound)): (usize, &(Kind, Bound))| {
        let (kind, bound) = (kind.text(Lifetimes::Static), bound.text(Lifetimes::Static));
        let text = format!("fn question_{number}() {{ fn is<T: ?Sized + {bound}>() {{}} is::<{kind}>() }}\n");
        Part::Bound(text)
    };
    let mut parts: Vec<Part> = questions.iter().enumerate().map(line).collect();
    let mut written: Vec<Vec<Part>> = Vec::new();
    for (number, draft) in drafts.iter().enumerate() {
        for (place, way) in draft.ways.iter().enumerate() {
            // A stand-in of another trait may be named; which of its ways is taken is not known yet.
            let others = drafts.iter().filter(|other| other.name != draft.name);
            let others: String = others.map(|other| format!("use super::{};\n", other.name)).collect();
            let head = format!("mod stand_in_{number}_{place} {{\n{others}{}", draft.head);
            let items = way.iter().map(|one| Part::Item(one.text.clone()));
            let all = std::iter::once(Part::Rest(head)).chain(items).chain([Part::Rest("}\n".to_string())]);
            written.push(all.collect());
        }
        parts.push(Part::Rest(format!("use stand_in_{number}_0::{};\n", draft.name)));
    }
    parts.extend(written.into_iter().flatten());
    parts
}

/// The questions that are asked at once, and the lines of each part.
#[derive(Debug, Default)]
struct Sheet {
    text: String,
    /// The part of each line.
    places: Vec<Option<usize>>,
}

impl Sheet {
    /// Writes all parts but those that are left out, whose lines are empty.
    fn write(parts: &[Part], left_out: &BTreeSet<usize>) -> Sheet {
        let mut sheet = Sheet::default();
        sheet.add("//! Written by `cargo bugnet explore`; changes are lost.\n", None);
        for (place, part) in parts.iter().enumerate() {
            let (Part::Bound(text) | Part::Item(text) | Part::Rest(text)) = part;
            match left_out.contains(&place) {
                true => sheet.add(&"\n".repeat(text.lines().count()), Some(place)),
                false => sheet.add(text, Some(place)),
            }
        }
        sheet.add("pub const TOLD: &[bugnet_explore::Told] = &[];\n", None);
        sheet.add("pub fn suite() -> bugnet_explore::Suite { bugnet_explore::Suite::new(\"\") }\n", None);
        sheet
    }

    fn add(&mut self, text: &str, place: Option<usize>) {
        self.places.extend(text.lines().map(|_| place));
        self.text.push_str(text);
    }

    /// The part to which a line belongs; the first is 1.
    fn place(&self, line: usize) -> Option<usize> {
        self.places.get(line.checked_sub(1)?).copied().flatten()
    }
}

/// Asks about the parts, and counts how often; `ask` is given a text, and tells the complaints about it.
fn answers(
    parts: &[Part],
    mut compile: impl FnMut(&str) -> Result<Option<Vec<CompileError>>>,
) -> Result<(Vec<Option<bool>>, usize)> {
    let (mut left_out, mut refused) = (BTreeSet::new(), BTreeSet::new());
    for round in 1..=MOST_ROUNDS {
        let sheet = Sheet::write(parts, &left_out);
        let Some(complaints) = compile(&sheet.text)? else { break };
        let mut is_answered = true;
        for complaint in &complaints {
            for place in complaint.lines.iter().filter_map(|line| sheet.place(*line)) {
                let is_clear = match parts[place] {
                    Part::Bound(_) => complaint.is_about_bounds(),
                    _ => !complaint.is_about_names(),
                };
                is_answered &= is_clear;
                let is_item = matches!(parts[place], Part::Item(_));
                if is_clear || is_item {
                    refused.insert(place);
                }
                if !is_clear {
                    left_out.insert(place);
                }
            }
            is_answered &= complaint.lines.iter().any(|line| sheet.place(*line).is_some());
        }
        if is_answered {
            let is_open = |place: &usize| !left_out.contains(place) || refused.contains(place);
            let answer = |place: usize| is_open(&place).then(|| !refused.contains(&place));
            return Ok(((0..parts.len()).map(answer).collect(), round));
        }
        if left_out.is_empty() {
            break;
        }
    }
    // Whatever keeps the compiler from an answer is told when the harness is built.
    Ok((vec![None; parts.len()], MOST_ROUNDS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::tests::read;

    #[test]
    fn bounds_of_traits_from_elsewhere_are_asked_of_plain_types() {
        let mut api = read("library");
        let signed = Bound::named("num_traits::sign::Signed");
        let demand = (Kind::Parameter("T".to_string()), signed.clone());
        api.blocks[0].generics.bounds.push(demand);
        let asked = questions(&api);
        assert!(asked.contains(&(Kind::named("u8"), signed.clone())));
        assert!(asked.contains(&(Kind::named("f64"), signed)));
        // The library knows who is `Clone`.
        assert!(!asked.iter().any(|(_, bound)| bound.name() == "Clone"), "{asked:?}");
    }

    #[test]
    fn every_question_has_a_line_of_its_own_that_stays_its_own() {
        let questions =
            [("u8", "a::A"), ("u8", "b::B")].map(|(kind, of)| (Kind::named(kind), Bound::named(of)));
        let parts = parts(&questions, &[]);
        let all = Sheet::write(&parts, &BTreeSet::new());
        let line =
            |sheet: &Sheet, number: usize| sheet.text.lines().nth(number).unwrap_or_default().to_string();
        assert_eq!(line(&all, 2), "fn question_1() { fn is<T: ?Sized + b::B>() {} is::<u8>() }");
        assert_eq!((all.place(1), all.place(2), all.place(3)), (None, Some(0), Some(1)));
        let rest = Sheet::write(&parts, &BTreeSet::from([0]));
        assert_eq!((line(&rest, 1), line(&rest, 2)), (String::new(), line(&all, 2)));
    }

    #[test]
    fn each_way_of_a_stand_in_is_asked_apart_from_the_others() {
        let api = read("sky");
        let drafts = super::super::stand_in::drafts(&super::super::solver::Solver::new(&api));
        let parts = parts(&[], &drafts);
        let sheet = Sheet::write(&parts, &BTreeSet::new());
        let line = |text: &str| sheet.text.lines().position(|line| line == text).map(|line| line + 1);
        let items = parts.iter().filter(|part| matches!(part, Part::Item(_))).count();
        assert_eq!(items, drafts.iter().flat_map(|draft| &draft.ways).map(Vec::len).sum::<usize>());
        let body = line("impl sky::Body for OwnBody {").and_then(|line| sheet.place(line)).unwrap();
        assert!(matches!(&parts[body], Part::Item(text) if text.starts_with("impl sky::Body")));
        let left = Sheet::write(&parts, &BTreeSet::from([body]));
        assert_eq!(left.places, sheet.places);
        assert!(!left.text.contains("impl sky::Body for"));
    }

    /// Returns the answers about `u8` and the traits `a::A`, `b::B` and `c::C` of a compiler that says these things
    /// one after the other, and the texts that it was asked.
    fn answered(said: Vec<Option<Vec<CompileError>>>) -> (Vec<Option<bool>>, usize, Vec<String>) {
        let questions = ["a::A", "b::B", "c::C"].map(|of| (Kind::named("u8"), Bound::named(of)));
        let (mut said, mut asked) = (said.into_iter(), Vec::new());
        let compile = |text: &str| {
            asked.push(text.to_string());
            Ok(said.next().expect("it is asked no more"))
        };
        let (answers, rounds) = answers(&parts(&questions, &[]), compile).unwrap();
        (answers, rounds, asked)
    }

    fn complaint(code: &str, line: usize) -> CompileError {
        CompileError { code: Some(code.to_string()), lines: vec![line] }
    }

    #[test]
    fn what_the_compiler_refuses_is_answered_in_one_round() {
        let (answers, rounds, asked) = answered(vec![Some(vec![complaint("E0277", 3)])]);
        assert_eq!((answers, rounds), (vec![Some(true), Some(false), Some(true)], 1));
        assert_eq!(asked.len(), 1);
    }

    #[test]
    fn a_name_that_is_unknown_is_left_out_and_the_rest_is_asked_a_second_time() {
        // As long as a name is unknown the compiler does not look at bounds.
        let said = vec![Some(vec![complaint("E0433", 2)]), Some(vec![complaint("E0277", 4)])];
        let (answers, rounds, asked) = answered(said);
        assert_eq!((answers, rounds), (vec![None, Some(true), Some(false)], 2));
        assert!(asked[0].contains("a::A") && asked[0].contains("c::C"), "{}", asked[0]);
        assert!(!asked[1].contains("a::A") && asked[1].contains("c::C"), "{}", asked[1]);
    }

    #[test]
    fn what_the_compiler_never_comes_to_has_no_answer() {
        let unknown = |line| Some(vec![complaint("E0433", line)]);
        assert_eq!(answered(vec![unknown(2), unknown(3)]).0, [None; 3]);
        assert_eq!(answered(vec![None]).0, [None; 3]);
    }
}
