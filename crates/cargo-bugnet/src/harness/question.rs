//! Questions: which plain types implement a trait of another crate, which only the compiler knows.
//!
//! Rustdoc tells what a crate implements and what it demands, and not who keeps such a demand as
//! `num_traits::Signed`. So before types are chosen, the compiler is asked about all such traits and all types
//! that are likely to be chosen, each in a line of its own.
//!
//! **Invariant:** what the compiler does not understand has no answer.

use super::check::{self, Cargo, Complaint};
use super::scratch::Scratch;
use super::standard;
use crate::api::{Api, Bound, Generics, Kind, Lifetimes};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A line with a name that cannot be resolved keeps the compiler from looking at types, so those are left out
/// and the rest is asked again, so many times.
const MOST_ROUNDS: usize = 2;

/// Whether types implement traits.
pub(crate) type Answers = BTreeMap<(Kind, Bound), bool>;

/// What is kept: the text that was asked, and the answers line by line.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    asked: String,
    /// How often the compiler was asked.
    rounds: usize,
    answers: Vec<Option<bool>>,
}

/// Asks the compiler what nobody else knows, or takes what it has said before; says how often it was asked.
pub(super) fn ask(api: &Api, scratch: &Scratch, cargo: &Cargo) -> Result<(Answers, usize)> {
    let questions = questions(api);
    if questions.is_empty() {
        return Ok((Answers::new(), 0));
    }
    let asked = text(&questions, &vec![true; questions.len()]) + &String::from_utf8_lossy(&super::compiler());
    let file = scratch.folder.join("answers.json");
    let kept = std::fs::read_to_string(&file).ok().and_then(|text| serde_json::from_str::<Kept>(&text).ok());
    let kept = match kept.filter(|kept| kept.asked == asked) {
        Some(kept) => kept,
        None => {
            scratch.write("src/dictionary.rs", &crate::dictionary::Dictionary::default().source())?;
            let (answers, rounds) = answers(&questions, |text| {
                scratch.write("src/operations.rs", text)?;
                check::complaints(cargo)
            })?;
            let kept = Kept { asked, rounds, answers };
            // What has no answer is asked again: the crate may be mended by then.
            if kept.answers.iter().any(Option::is_some) {
                scratch.write("answers.json", &serde_json::to_string(&kept)?)?;
            }
            kept
        }
    };
    let known = questions.into_iter().zip(kept.answers);
    Ok((known.filter_map(|(question, answer)| Some((question, answer?))).collect(), kept.rounds))
}

/// What is to be asked: every bound of a trait of elsewhere, for every plain type.
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

/// The questions that are still to be asked, each in a line, from the second line on.
fn text(questions: &[(Kind, Bound)], is_open: &[bool]) -> String {
    let mut text = "//! Written by `cargo bugnet explore`; changes are lost.\n".to_string();
    for (number, ((kind, bound), is_open)) in questions.iter().zip(is_open).enumerate() {
        let (kind, bound) = (kind.text(Lifetimes::Static), bound.text(Lifetimes::Static));
        let _ = match is_open {
            true => {
                writeln!(
                    text,
                    "fn question_{number}() {{ fn is<T: ?Sized + {bound}>() {{}} is::<{kind}>() }}"
                )
            }
            false => writeln!(text),
        };
    }
    text.push_str("pub fn suite() -> bugnet::explore::Suite { bugnet::explore::Suite::new(\"\") }\n");
    text
}

/// What the compiler says to the questions, and how often it was asked; it is given a text, and tells what it has
/// against it.
fn answers(
    questions: &[(Kind, Bound)],
    mut compile: impl FnMut(&str) -> Result<Option<Vec<Complaint>>>,
) -> Result<(Vec<Option<bool>>, usize)> {
    let mut is_open = vec![true; questions.len()];
    for round in 1..=MOST_ROUNDS {
        let Some(refused) = compile(&text(questions, &is_open))? else { break };
        let place = |line: usize| line.checked_sub(2).filter(|place| *place < questions.len());
        let is_answered = refused.iter().all(|complaint| complaint.is_about_bounds());
        let lines = refused.iter().flat_map(|complaint| &complaint.lines);
        let places: BTreeSet<usize> = lines.filter_map(|line| place(*line)).collect();
        if is_answered {
            let answer = |(place, is_open): (usize, &bool)| is_open.then(|| !places.contains(&place));
            return Ok((is_open.iter().enumerate().map(answer).collect(), round));
        }
        if places.is_empty() {
            break;
        }
        for complaint in refused.iter().filter(|complaint| !complaint.is_about_bounds()) {
            complaint.lines.iter().filter_map(|line| place(*line)).for_each(|place| is_open[place] = false);
        }
    }
    // Whatever keeps the compiler from an answer is told when the harness is built.
    Ok((vec![None; questions.len()], MOST_ROUNDS))
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
        let all = text(&questions, &[true, true]);
        let line = |text: &str, number: usize| text.lines().nth(number).unwrap_or_default().to_string();
        assert_eq!(line(&all, 2), "fn question_1() { fn is<T: ?Sized + b::B>() {} is::<u8>() }");
        assert_eq!(line(&text(&questions, &[false, true]), 2), line(&all, 2));
        assert_eq!(line(&text(&questions, &[false, true]), 1), "");
    }
    /// What the compiler, if it says these things one after the other, has answered about `u8` and the traits
    /// `a::A`, `b::B` and `c::C`; and what it was asked.
    fn answered(said: Vec<Option<Vec<Complaint>>>) -> (Vec<Option<bool>>, usize, Vec<String>) {
        let questions = ["a::A", "b::B", "c::C"].map(|of| (Kind::named("u8"), Bound::named(of)));
        let (mut said, mut asked) = (said.into_iter(), Vec::new());
        let compile = |text: &str| {
            asked.push(text.to_string());
            Ok(said.next().expect("it is asked no more"))
        };
        let (answers, rounds) = answers(&questions, compile).unwrap();
        (answers, rounds, asked)
    }

    fn complaint(code: &str, line: usize) -> Complaint {
        Complaint { code: Some(code.to_string()), lines: vec![line] }
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
