//! Samples: random inputs of a form.
//!
//! A part that may be anything is made by the generator itself: the input that the form came from is
//! made again with a hole in the place of the part. So the samples are of the right types without
//! anything being known of types.
//!
//! **Invariant:** samples depend on the seed alone.

use super::part::{Branch, Part};
use super::{Form, Numbers, bounds, choice_of, is_alternative, number};
use crate::choice::{Choice, Source, Tape};
use crate::generate::ELEMENT;
use crate::oracle::Verdict;
use crate::random::Seed;
use crate::trial::{Ran, Trial};

/// The most inputs that are run to find a form.
const RUNS: u64 = 2_000;

/// Says what the verdict on an input shows.
pub(crate) type Shows<'a> = &'a mut dyn FnMut(Verdict, &Tape) -> Outcome;

/// The outcome of a sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It fails as the input that the form came from.
    Fails,
    /// It passes, or fails otherwise.
    Differs,
    /// It was given up, or is known to fail for another reason.
    Unclear,
}

/// New elements of one list in a sample, at most.
const NEW: usize = 8;

/// Draws of a value to find one with room for another inside.
const DRAWS: usize = 6;

/// Draws inputs of forms that came from one input.
pub(crate) struct Sampler<'a> {
    /// The input that the forms came from.
    pub(crate) whole: Part,
    seed: Seed,
    dice: Source,
    drawn: u64,
    /// The part that is to differ from what it was.
    pub(crate) target: Vec<usize>,
    /// True if the last sample differed in this part.
    pub(crate) differs: bool,
    /// True if new parts are to be small, so that they do not fail for reasons of their own.
    pub(crate) is_careful: bool,
    trial: &'a mut dyn Trial,
    shows: Shows<'a>,
    /// The inputs that may still be run.
    runs: u64,
}

/// The way in which a part is made.
#[derive(Debug, Clone, Copy)]
enum Way {
    Simplest,
    Small,
    Random,
}

impl std::fmt::Debug for Sampler<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Sampler").field("whole", &self.whole).finish_non_exhaustive()
    }
}

impl<'a> Sampler<'a> {
    pub(crate) fn new(whole: Part, seed: Seed, trial: &'a mut dyn Trial, shows: Shows<'a>) -> Sampler<'a> {
        Sampler {
            whole,
            seed,
            dice: Source::random(Seed(!seed.0), 0),
            drawn: 0,
            target: Vec::new(),
            differs: true,
            is_careful: false,
            trial,
            shows,
            runs: RUNS,
        }
    }

    /// Makes an input without running the test, unless the test itself draws; none if the generator gives up.
    pub(super) fn input(&mut self, mut source: Source) -> Option<Tape> {
        match self.trial.run(&mut source, &mut Source::is_unfinished) {
            Some(Ran { verdict: Verdict::Discard, .. }) => None,
            _ => Some(source.into_tape()),
        }
    }

    /// Runs an input, and gives its tape as it was recorded; none if there were enough.
    pub(crate) fn ran(&mut self, tape: Tape) -> Option<(Outcome, Tape)> {
        self.runs = self.runs.checked_sub(1)?;
        if self.trial.is_over() {
            return None;
        }
        let mut source = Source::replay(tape);
        let Ran { verdict, .. } = self.trial.run(&mut source, &mut |_| true)?;
        let tape = source.into_tape();
        Some(((self.shows)(verdict, &tape), tape))
    }

    /// An input of a form.
    pub(crate) fn draw(&mut self, form: &Form) -> Option<Part> {
        let mut bound = vec![None; form.variables()];
        self.differs = true;
        self.instance(form, &[], &mut bound)
    }

    fn instance(&mut self, form: &Form, path: &[usize], bound: &mut Vec<Option<Part>>) -> Option<Part> {
        let part = self.whole.at(path)?.clone();
        match (form, part) {
            (Form::Any, part) if path == self.target => self.other(path, &part),
            (Form::Any, part) => self.varied(path, part),
            (Form::Number(numbers), Part::Choice(choice)) => {
                let mut drawn = self.number(numbers, &choice);
                for _ in 0..DRAWS {
                    if path == self.target && drawn == choice {
                        drawn = self.number(numbers, &choice);
                    }
                }
                self.differs &= path != self.target || drawn != choice;
                Some(Part::Choice(drawn))
            }
            (Form::Node { parts: forms, .. }, Part::Span(branch)) => {
                let mut parts = Vec::with_capacity(forms.len());
                for (step, form) in forms.iter().enumerate() {
                    parts.push(self.instance(form, &below(path, step), bound)?);
                }
                Some(Part::Span(Branch { parts, ..branch }))
            }
            (Form::List { elements, gaps }, Part::Span(branch)) => {
                self.list(elements, gaps, path, branch, bound)
            }
            (Form::Same(variable, form), _) => {
                if bound[*variable].is_none() {
                    bound[*variable] = self.instance(form, path, bound);
                }
                bound[*variable].clone()
            }
            (Form::Inside(form), _) => {
                let value = self.instance(form, path, bound)?;
                Some(self.surrounded(path, value))
            }
            (Form::Number(_), Part::Span(_)) | (_, Part::Choice(_)) => None,
        }
    }

    fn list(
        &mut self,
        forms: &[Form],
        gaps: &[bool],
        path: &[usize],
        branch: Branch,
        bound: &mut Vec<Option<Part>>,
    ) -> Option<Part> {
        let Some(Part::Choice(length)) = branch.parts.first() else { return None };
        let (mut length, mut elements) = (*length, Vec::new());
        // Each one costs an input, so long lists have few that differ.
        let mut new: Vec<Part> = Vec::new();
        for (place, open) in gaps.iter().enumerate() {
            let more = [0, 0, 1, 1, 1, 2, 3, 5][self.below(8) as usize];
            for _ in 0..if *open { more } else { 0 } {
                if length.value < length.limit && new.len() < NEW {
                    new.push(self.element(path)?);
                    elements.extend(new.last().cloned());
                    length.value += 1;
                }
            }
            match forms.get(place) {
                Some(Form::Any) if place >= NEW && !new.is_empty() => {
                    elements.push(new[self.below(new.len() as u64) as usize].clone());
                }
                Some(form) => {
                    elements.push(self.instance(form, &below(path, place + 1), bound)?);
                    if *form == Form::Any && new.len() < NEW {
                        new.extend(elements.last().cloned());
                    }
                }
                None => {}
            }
        }
        elements.insert(0, Part::Choice(length));
        Some(Part::Span(Branch { parts: elements, ..branch }))
    }

    /// Another part in the place of one.
    fn other(&mut self, path: &[usize], part: &Part) -> Option<Part> {
        let sort = |part: &Part| match part.parts().first() {
            Some(Part::Choice(choice)) if is_alternative(choice) => Some(choice.value),
            _ => None,
        };
        // Whether the sort of a value matters is told by values of other sorts.
        let is_other = |other: &Part, is_careful: bool| match sort(part) {
            Some(own) if is_careful => sort(other) != Some(own),
            _ => !other.equals(part),
        };
        (0..DRAWS).find_map(|_| {
            let other = self.varied(path, part.clone())?;
            is_other(&other, self.is_careful).then_some(other)
        })
    }

    /// Another part in the place of one, or now and then the same.
    pub(crate) fn varied(&mut self, path: &[usize], part: Part) -> Option<Part> {
        match part {
            Part::Choice(choice) => {
                let (low, high) = bounds(&choice);
                Some(Part::Choice(self.between(&choice, low, high)))
            }
            part => match self.below(6) {
                0 => Some(part),
                1 => self.made(path, Way::Simplest),
                2 | 3 => self.made(path, Way::Small),
                _ if self.is_careful => self.made(path, Way::Small),
                _ => self.made(path, Way::Random),
            },
        }
    }

    /// A part made anew, all others being as they are.
    fn made(&mut self, path: &[usize], way: Way) -> Option<Part> {
        let label = self.whole.at(path)?.label()?;
        let mut draft = self.whole.clone();
        *draft.at_mut(path)? = Part::hole(label);
        let made = self.filled(&draft, way)?;
        // What is empty is no part, and another one may have its place.
        made.at(path).filter(|part| part.label() == Some(label)).cloned()
    }

    /// The input with another choice at a path, and what the generator makes of the rest.
    pub(crate) fn made_with(&mut self, path: &[usize], choice: Choice) -> Option<Part> {
        let mut draft = self.whole.clone();
        *draft.at_mut(path)? = Part::Choice(choice);
        self.filled(&draft, Way::Simplest)
    }

    /// A new element of a list.
    pub(crate) fn element(&mut self, path: &[usize]) -> Option<Part> {
        let mut draft = self.whole.clone();
        let Part::Span(list) = draft.at_mut(path)? else { return None };
        let Some(Part::Choice(length)) = list.parts.first_mut() else { return None };
        length.value += 1;
        list.parts.push(Part::hole(ELEMENT));
        let way = [Way::Simplest, Way::Small, Way::Random, Way::Random][self.below(4) as usize];
        let made = self.filled(&draft, way)?;
        made.at(path)?.list()?.1.last().cloned()
    }

    /// Returns the part that the generator makes of a draft.
    fn filled(&mut self, draft: &Part, way: Way) -> Option<Part> {
        self.drawn += 1;
        let tape = draft.tape();
        let source = match way {
            Way::Simplest => Source::replay(tape),
            Way::Small => Source::completing(tape, self.seed, self.drawn),
            Way::Random => Source::extending(tape, self.seed, self.drawn),
        };
        self.input(source).map(|tape| Part::of(&tape))
    }

    /// A value inside another one of its kind.
    fn surrounded(&mut self, path: &[usize], value: Part) -> Part {
        if self.below(4) == 0 {
            return value;
        }
        for draw in 0..DRAWS {
            let way = if draw % 2 == 0 { Way::Small } else { Way::Random };
            let Some(mut around) = self.made(path, way) else { continue };
            let mut places = Vec::new();
            for (place, branch) in around.branches() {
                if !place.is_empty() && Some(branch.label) == value.label() {
                    places.push(place);
                }
            }
            if places.is_empty() {
                continue;
            }
            let place = &places[self.below(places.len() as u64) as usize];
            if let Some(part) = around.at_mut(place) {
                *part = value;
                return around;
            }
        }
        value
    }

    /// Returns true if values of the kind of a part can be nested.
    pub(crate) fn recurs(&mut self, path: &[usize]) -> bool {
        let label = self.whole.at(path).and_then(Part::label);
        (0..DRAWS).any(|_| {
            let made = self.made(path, Way::Random);
            made.is_some_and(|made| {
                made.branches().iter().skip(1).any(|(_, inner)| Some(inner.label) == label)
            })
        })
    }

    /// A number of a class.
    fn number(&mut self, numbers: &Numbers, choice: &Choice) -> Choice {
        let (low, high) = bounds(choice);
        match numbers {
            Numbers::Exactly(_) => *choice,
            Numbers::OneOf(values) => {
                let value = values[self.below(values.len() as u64) as usize];
                Choice { value, ..*choice }
            }
            Numbers::Between(from, to) => self.between(choice, low.max(*from), high.min(*to)),
            Numbers::Not(other) => {
                let drawn = self.between(choice, low, high);
                if number(&drawn) == *other { *choice } else { drawn }
            }
        }
    }

    /// A number in a range: at its ends, near what was there, small, or any.
    fn between(&mut self, choice: &Choice, low: i128, high: i128) -> Choice {
        let now = number(choice);
        let drawn = match self.below(8) {
            0 => low,
            1 => high,
            2 => now + 1,
            3 => now - 1,
            4 => low + (u128::from(self.word()) % (high.abs_diff(low) + 1)) as i128,
            5 => now,
            _ => {
                let bits =
                    1 + self.below(u64::from(u128::BITS - high.abs_diff(low).leading_zeros()).clamp(1, 64));
                let small = i128::from(self.word() >> (64 - bits));
                let small = if self.below(2) == 0 { small } else { -small };
                // Around zero, or beyond the near end of a range that is far from it.
                small + 0i128.clamp(low, high)
            }
        };
        choice_of(choice, drawn.clamp(low, high)).unwrap_or(*choice)
    }

    fn below(&mut self, count: u64) -> u64 {
        self.dice.random_below(count)
    }

    fn word(&mut self) -> u64 {
        self.dice.word().1
    }
}

/// The path of a part of what is at a path.
pub(crate) fn below(path: &[usize], step: usize) -> Vec<usize> {
    let mut longer = path.to_vec();
    longer.push(step);
    longer
}
