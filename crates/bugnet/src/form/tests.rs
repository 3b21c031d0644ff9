//! Properties of forms: what is widened still matches, what is sampled matches too, and matching does
//! what trying everything would do.

use super::sample::{Outcome, Sampler};
use super::widen::widened;
use super::{Anchor, Form, Numbers, Part, choice_of, number, without};
use crate::choice::{Source, Tape};
use crate::generate::Generate;
use crate::oracle::{Failure, Signature, Verdict};
use crate::random::Seed;
use crate::trial::{Ran, Trial, Worth};
use std::collections::BTreeMap;

type Tree = Option<Box<(Vec<i8>, Vec<Option<u16>>)>>;
type Input = (Tree, String, i32, BTreeMap<u8, bool>, f64, (i32, i32));

/// Makes inputs of a type and says which fail.
struct Fake<T> {
    fails: fn(&T) -> bool,
    made: std::marker::PhantomData<T>,
}

impl<T> Fake<T> {
    fn new(fails: fn(&T) -> bool) -> Fake<T> {
        Fake { fails, made: std::marker::PhantomData }
    }
}

impl<T: Generate> Trial for Fake<T> {
    fn run(&mut self, source: &mut Source, worth: Worth<'_>) -> Option<Ran> {
        let input = source.any();
        let failure = || Verdict::Fail(Box::new(Failure::new(Signature::ReturnedFalse, "")));
        worth(source).then(|| Ran::from(if (self.fails)(&input) { failure() } else { Verdict::Pass }))
    }

    fn is_over(&self) -> bool {
        false
    }
}

/// Takes every failure for one that counts.
fn shown(verdict: Verdict, _: &Tape) -> Outcome {
    if verdict == Verdict::Pass { Outcome::Differs } else { Outcome::Fails }
}

/// Inputs that are not too large to be read in a message.
fn recorded(seed: u64, count: usize) -> Vec<Part> {
    let made = |case| {
        let mut source = Source::recording(Seed(seed), case);
        source.any::<Input>();
        source.into_tape()
    };
    (0..).map(made).filter(|tape| tape.choices.len() < 40).take(count).map(|tape| Part::of(&tape)).collect()
}

/// A form that is wider than an exact one at places that dice choose.
fn loosened(form: &Form, part: &Part, dice: &mut Source) -> Form {
    if dice.one_in_power(3) {
        return Form::Any;
    }
    let inner: Vec<Part> =
        part.list().map_or_else(|| part.parts().to_vec(), |(_, elements)| elements.to_vec());
    let loosened_all = |forms: &[Form], dice: &mut Source| -> Vec<Form> {
        forms.iter().zip(&inner).map(|(form, part)| loosened(form, part, dice)).collect()
    };
    match (form, part) {
        (Form::Node { label, parts }, _) => {
            let node = Form::Node { label: label.clone(), parts: loosened_all(parts, dice) };
            if dice.one_in_power(2) { Form::Inside(Box::new(node)) } else { node }
        }
        (Form::List { elements, gaps }, _) => Form::List {
            elements: loosened_all(elements, dice),
            gaps: gaps.iter().map(|_| dice.one_in_power(1)).collect(),
        },
        (Form::Number(Numbers::Exactly(_)), Part::Choice(choice)) if dice.one_in_power(1) => {
            let now = number(choice);
            let classes =
                [Numbers::Between(now, i128::MAX), Numbers::Between(now - 1, now), Numbers::Not(now + 1)];
            Form::Number(classes[dice.random_below(3) as usize].clone())
        }
        (form, _) => form.clone(),
    }
}

#[test]
fn a_form_matches_the_input_that_it_came_from_however_wide_it_becomes() {
    let others = recorded(15, 300);
    for ((case, whole), other) in (0..).zip(recorded(11, 300)).zip(&others) {
        let exact = Form::exactly(&whole);
        assert!(exact.matches(&whole), "{exact}");
        let mut dice = Source::random(Seed(12), case);
        let loose = loosened(&exact, &whole, &mut dice);
        assert!(loose.matches(&whole), "{loose}");
        assert!(loose.anywhere().matches(&whole) && loose.with_any_numbers().matches(&whole), "{loose}");
        assert_eq!(Form::read(&loose.to_string()).as_ref(), Ok(&loose));
        let common = loose.common(&Form::exactly(other));
        assert!(common.matches(&whole) && common.matches(other), "{common}");
        assert_eq!(exact.matches(other), whole.equals(other));
    }
}

#[test]
fn the_samples_of_a_form_have_it_when_they_are_made_again() {
    let (mut drawn, mut different) = (0, 0);
    for (case, whole) in (0..).zip(recorded(11, 100)) {
        let mut dice = Source::random(Seed(13), case);
        let form = loosened(&Form::exactly(&whole), &whole, &mut dice);
        let mut fake = Fake::<Input>::new(|_| true);
        let mut shows = shown;
        let mut sampler = Sampler::new(whole.clone(), Seed(case), &mut fake, &mut shows);
        for _ in 0..10 {
            let Some(sample) = sampler.draw(&form) else { continue };
            // The keys of a map may come out equal, and are drawn again then.
            let again = Part::of(&sampler.input(Source::replay(sample.tape())).unwrap());
            if again.tape().values() == sample.tape().values() {
                drawn += 1;
                different += u32::from(!again.equals(&whole));
                assert!(form.matches(&again), "{form}: {}", again.tape());
            }
        }
    }
    assert!(drawn > 500 && different > 400, "{drawn} {different}");
}

/// Returns true if a list of forms with gaps fits a list of numbers, by trying all ways.
fn fits(forms: &[(bool, Option<u8>)], last: bool, list: &[u8]) -> bool {
    match forms {
        [] => last || list.is_empty(),
        [(open, wanted), rest @ ..] => (0..list.len()).any(|skip| {
            let is_met = wanted.is_none_or(|wanted| list[skip] == wanted);
            (*open || skip == 0) && is_met && fits(rest, last, &list[skip + 1..])
        }),
    }
}

#[test]
fn lists_match_as_if_all_ways_were_tried() {
    let mut matched = 0;
    for case in 0..2_000 {
        let mut source = Source::recording(Seed(14), case);
        let list: Vec<u8> = (0..source.random_below(6)).map(|_| source.random_below(3) as u8).collect();
        let forms: Vec<(bool, Option<u8>)> = (0..source.random_below(4))
            .map(|_| {
                (source.one_in_power(1), (!source.one_in_power(2)).then(|| source.random_below(3) as u8))
            })
            .collect();
        let last = source.one_in_power(1);
        let text: Vec<String> = forms
            .iter()
            .map(|(open, wanted)| {
                let element = wanted.map_or("_".to_string(), |wanted| format!("element({wanted})"));
                if *open { format!(".. {element}") } else { element }
            })
            .collect();
        let form = Form::read(&format!("([{} {}])", text.join(" "), if last { ".." } else { "" })).unwrap();
        let tape: Vec<String> = list.iter().map(|number| format!("({number})")).collect();
        let mut replayed = Source::replay(format!("({}{})", list.len(), tape.concat()).parse().unwrap());
        assert_eq!(replayed.any::<Vec<u8>>(), list);
        let whole = Part::of(&replayed.into_tape());
        assert_eq!(form.matches(&whole), fits(&forms, last, &list), "{form} {list:?}");
        matched += u32::from(form.matches(&whole));
    }
    assert!(matched > 200, "{matched}");
}

#[test]
fn what_is_taken_out_of_an_input_does_not_match_any_more() {
    let whole = |list: &[u8]| {
        let elements: Vec<String> = list.iter().map(|number| format!("({number:x})")).collect();
        let mut source = Source::replay(format!("({}{})", list.len(), elements.concat()).parse().unwrap());
        source.any::<Vec<u8>>();
        source.into_tape()
    };
    let form = Form::read("([.. element(7) ..])").unwrap();
    let anchors = form.anchors(&Part::of(&whole(&[1, 7, 2]))).unwrap();
    assert!(matches!(anchors.as_slice(), [Anchor::Element { .. }]));
    let left = without(&whole(&[1, 7, 2]), anchors[0]);
    assert_eq!(Source::replay(left).any::<Vec<u8>>(), [1, 2]);
}

/// The form that a failing input is widened to.
fn form_of<T: Generate>(tape: &str, fails: fn(&T) -> bool) -> String {
    let mut fake = Fake::new(fails);
    let mut source = Source::replay(tape.parse().unwrap());
    source.any::<T>();
    let (whole, mut shows) = (Part::of(source.tape()), shown);
    let sampler = Sampler::new(whole, Seed(1), &mut fake, &mut shows);
    let widened = widened(sampler, Vec::new());
    format!("{}{}", if widened.is_strict { "" } else { "most of " }, widened.form)
}

#[test]
fn an_input_is_widened_as_far_as_tests_confirm() {
    assert_eq!(form_of::<u32>("64", |x| *x >= 100), "(<100..>)");
    assert_eq!(form_of::<(u8, u8)>("(0.0)", |(a, b)| a == b), "(tuple(?0:_ ?0:_))");
    assert_eq!(form_of::<Vec<u8>>("(1(7))", |list| list.contains(&7)), "([.. element(7) ..])");
    assert_eq!(form_of::<Vec<u8>>("(1(7))", |list| list.last() == Some(&7)), "([.. element(7)])");
    assert_eq!(
        form_of::<(bool, Option<u8>)>("(1(1.0))", |(a, b)| *a && b.is_some()),
        "(tuple({1} option({1} _)))"
    );
    // One in sixteen passes.
    assert_eq!(form_of::<(u8, u8)>("(a.0)", |(a, b)| *a >= 10 && b % 16 != 9), "most of (tuple(<10..> _))");
}

#[test]
fn a_number_and_its_choice_are_one_to_one() {
    for whole in recorded(11, 200) {
        for part in whole.branches().iter().flat_map(|(_, branch)| &branch.parts) {
            if let Part::Choice(choice) = part {
                assert_eq!(choice_of(choice, number(choice)), Some(*choice));
            }
        }
    }
}
