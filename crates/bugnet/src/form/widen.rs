//! Widening: the form of an input, as wide as tests confirm.
//!
//! From the outside in, each part is first taken for anything; where samples refute that, for a number
//! of a class or a list with more elements; then for equal to another part, and at last for a value that
//! matters wherever it is. Every sample varies all that is free at once, so what is confirmed holds
//! together and not only one by one.
//!
//! Few bugs show in all inputs of a form: another part may hide them, or the wrong result happens to be
//! right. So a part that nearly always may be anything is taken for anything too, rather than for what
//! little can be said strictly; but then the form is known to be a form of most inputs only.
//!
//! **Invariant:** a strict form is only as wide as its samples fail, and matches no input that is known
//! not to.

use super::part::Part;
use super::sample::{Outcome, Sampler, below};
use super::{Form, Numbers, bounds, is_alternative, is_plain, number};
use crate::choice::{Choice, Kind};
use std::collections::HashSet;

/// An input of more choices says too much to be looked into.
pub(crate) const LARGEST: usize = 2_000;
/// Different samples that must fail, and none pass, before a form is confirmed.
const CONFIRMED: usize = 12;
/// Samples that must fail where most of them fail for another reason, which is known.
const LEAST: usize = 4;
/// Samples drawn at most. Where most of them are the same, fewer are enough.
const DRAWN: usize = 80;
/// Samples that are judged where not all fail.
const JUDGED: usize = 24;
/// The percentage of the judged samples that must fail.
const MOST: usize = 70;
/// Pairs of parts that are tried as equal, at most.
const PAIRS: usize = 40;
/// Inputs that do not fail are remembered, up to this many: a form that matches one is not tried.
const REMEMBERED: usize = 256;

/// Widens the form of one input.
#[derive(Debug)]
struct Widening<'a> {
    sampler: Sampler<'a>,
    form: Form,
    /// Inputs that do not fail.
    passing: Vec<Part>,
    is_strict: bool,
    is_over: bool,
}

/// A form as wide as tests confirm.
#[derive(Debug)]
pub(crate) struct Widened {
    pub(crate) form: Form,
    /// True if all inputs of the form fail, as far as was seen, and not only most of them.
    pub(crate) is_strict: bool,
    /// Inputs that do not fail.
    pub(crate) passing: Vec<Part>,
}

/// The share of the samples that must fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Share {
    All,
    Most,
}

/// The form of an input, as wide as tests confirm; it matches none of the inputs that are known to pass,
/// unless it is a form of most inputs only.
pub(crate) fn widened(sampler: Sampler<'_>, passing: Vec<Part>) -> Widened {
    let form = Form::exactly(&sampler.whole);
    if sampler.whole.tape().choices.len() > LARGEST {
        return Widened { form, is_strict: true, passing };
    }
    let mut widening = Widening { sampler, form, passing, is_strict: true, is_over: false };
    let count = widening.sampler.whole.parts().len();
    (0..count).for_each(|step| widening.widen(&[step]));
    widening.equate();
    if widening.is_strict {
        (0..count).for_each(|step| widening.surround(&[step]));
    }
    let Widening { form, is_strict, passing, .. } = widening;
    Widened { form, is_strict, passing }
}

/// Returns true if enough samples of a form fail.
pub(crate) fn is_confirmed(sampler: Sampler<'_>, form: &Form, share: Share) -> bool {
    let exact = Form::exactly(&sampler.whole);
    let mut widening =
        Widening { sampler, form: exact, passing: Vec::new(), is_strict: true, is_over: false };
    widening.confirm(form, share)
}

impl Widening<'_> {
    fn widen(&mut self, path: &[usize]) {
        let Some(part) = self.sampler.whole.at(path).cloned() else { return };
        if self.tells_sorts(path, &part) || self.attempt(path, Form::Any, Share::All) {
            return;
        }
        match &part {
            Part::Choice(choice) => self.widen_number(path, choice),
            // A value that is one of several sorts is as a rule not needed as it is.
            part if has_alternatives(part) && self.attempt(path, Form::Any, Share::Most) => {}
            part if part.list().is_some() => {
                let count = part.parts().len() - 1;
                let (elements, gaps) = (vec![Form::Any; count], vec![false; count + 1]);
                if count < 2 || !self.attempt(path, Form::List { elements, gaps }, Share::All) {
                    (1..=count).for_each(|step| self.widen(&below(path, step)));
                }
                self.open_gaps(path);
            }
            part => (0..part.parts().len()).for_each(|step| self.widen(&below(path, step))),
        }
    }

    /// Returns true if a part is the choice among values of several sorts. Samples of another sort have other parts
    /// and do not have the form, so the samples that do have it would vouch for sorts that nobody has tried.
    fn tells_sorts(&mut self, path: &[usize], part: &Part) -> bool {
        let Part::Choice(choice) = part else { return false };
        if !is_alternative(choice) {
            return false;
        }
        let shape = Form::exactly(&self.sampler.whole).with(path, Form::Any).with_any_numbers();
        let others = (0..=choice.limit).filter(|value| *value != choice.value);
        others.into_iter().any(|value| {
            let made = self.sampler.made_with(path, Choice { value, ..*choice });
            made.is_some_and(|made| !shape.matches(&made))
        })
    }

    /// Takes a form for the part at a path, if its samples fail.
    fn attempt(&mut self, path: &[usize], form: Form, share: Share) -> bool {
        let wider = self.form.with(path, form);
        self.sampler.target = path.to_vec();
        wider != self.form && self.take_if(wider, share)
    }

    fn take_if(&mut self, wider: Form, share: Share) -> bool {
        let is_confirmed = self.confirm(&wider, share);
        if is_confirmed {
            self.form = wider;
            self.is_strict &= share == Share::All;
        }
        is_confirmed
    }

    /// Returns true if the samples of a form fail.
    fn confirm(&mut self, form: &Form, share: Share) -> bool {
        // What the form as it is matches was put up with.
        let refutes = |whole: &Part, now: &Form| form.matches(whole) && !now.matches(whole);
        if share == Share::All && self.passing.iter().any(|whole| refutes(whole, &self.form)) {
            return false;
        }
        let mut drawn = HashSet::from([self.sampler.whole.tape().values()]);
        let mut judged = HashSet::from([self.sampler.whole.tape().values()]);
        let (mut failed, mut passed, mut again, mut unclear) = (0, 0, 0, 0);
        self.sampler.is_careful = share == Share::Most;
        for _ in 0..DRAWN {
            let Some(sample) = self.sampler.draw(form) else { continue };
            let tape = sample.tape();
            // A part that is as it was says nothing of what else it may be.
            if !self.sampler.differs || !drawn.insert(tape.values()) {
                again += 1;
                continue;
            }
            if self.is_over {
                return false;
            }
            let Some((outcome, tape)) = self.sampler.ran(tape) else {
                self.is_over = true;
                return false;
            };
            let whole = Part::of(&tape);
            // The generator may have made something else of it.
            if outcome == Outcome::Unclear || !form.matches(&whole) {
                unclear += usize::from(outcome == Outcome::Unclear);
                continue;
            }
            if outcome == Outcome::Differs {
                if !refutes(&whole, &self.form) {
                    continue;
                }
                if self.passing.len() < REMEMBERED {
                    self.passing.push(whole);
                }
                passed += 1;
            } else {
                failed += usize::from(judged.insert(tape.values()));
            }
            match share {
                Share::All if passed > 0 => return false,
                Share::All if failed >= CONFIRMED => return true,
                Share::Most if passed * 100 > JUDGED * (100 - MOST) => return false,
                Share::Most if failed + passed >= JUDGED => break,
                _ => {}
            }
        }
        let least = if again >= DRAWN / 2 { 1 } else { LEAST };
        let enough = failed >= CONFIRMED || failed >= least && again + unclear >= DRAWN / 2;
        enough && failed * 100 >= (failed + passed) * MOST
    }

    fn widen_number(&mut self, path: &[usize], choice: &Choice) {
        if is_alternative(choice) || choice.kind == Kind::Length {
            return;
        }
        let mut classes = classes(choice).into_iter();
        let found = classes.any(|class| self.attempt(path, Form::Number(class), Share::All));
        if !found && !self.attempt(path, Form::Any, Share::Most) {
            self.bound_above(path, choice);
        }
    }

    /// Looks for a range from the number on that ends somewhere.
    fn bound_above(&mut self, path: &[usize], choice: &Choice) {
        let (low, most) = (number(choice), bounds(choice).1);
        let up_to = |high: i128| Form::Number(Numbers::Between(low, high));
        if low < 0 || low >= most || !self.attempt(path, up_to(low + 1), Share::All) {
            return;
        }
        let (mut good, mut step) = (low + 1, 2);
        while good < most && self.attempt(path, up_to((good + step).min(most)), Share::All) {
            good = (good + step).min(most);
            step *= 2;
        }
        while step > 1 {
            step /= 2;
            if good + step <= most && self.attempt(path, up_to(good + step), Share::All) {
                good += step;
            }
        }
    }

    /// Tries whether a list may have other elements besides.
    fn open_gaps(&mut self, path: &[usize]) {
        let Some(Form::List { elements, gaps }) = self.form.at(path).cloned() else { return };
        let mut all = gaps.clone();
        all.fill(true);
        if self.attempt(path, Form::List { elements: elements.clone(), gaps: all }, Share::All) {
            return;
        }
        let mut open = gaps;
        for place in 0..open.len() {
            open[place] = true;
            if !self.attempt(path, Form::List { elements: elements.clone(), gaps: open.clone() }, Share::All)
            {
                open[place] = false;
            }
        }
    }

    /// Tries whether parts that are equal may be anything, as long as they are.
    fn equate(&mut self) {
        let whole = self.sampler.whole.clone();
        let mut paths = Vec::new();
        add_paths(&whole, &mut Vec::new(), &mut paths);
        let mut tried = 0;
        for (place, one) in paths.iter().enumerate() {
            for two in &paths[place + 1..] {
                let (Some(part), Some(other)) = (whole.at(one), whole.at(two)) else { continue };
                if tried >= PAIRS || two.starts_with(one) || !part.equals(other) {
                    continue;
                }
                let (Some(form), Some(twin)) = (self.form.at(one), self.form.at(two)) else { continue };
                let is_bound = |form: &Form| matches!(form, Form::Any | Form::Same(..));
                let variable = match form {
                    Form::Same(variable, _) if !is_bound(twin) => *variable,
                    form if form == twin && !is_bound(form) => self.form.variables(),
                    _ => continue,
                };
                tried += 1;
                self.attempt_same(one, two, variable, part);
            }
        }
    }

    fn attempt_same(&mut self, one: &[usize], two: &[usize], variable: usize, part: &Part) {
        let mut inner = match self.form.at(one) {
            Some(Form::Same(_, form)) => vec![(**form).clone()],
            _ => vec![Form::Any],
        };
        if let (Part::Choice(choice), [Form::Any]) = (part, inner.as_slice()) {
            inner.extend(classes(choice).into_iter().map(Form::Number));
        }
        for form in inner {
            self.sampler.target = one.to_vec();
            let same = Form::Same(variable, Box::new(form));
            let wider = self.form.with(one, same.clone()).with(two, same);
            if self.take_if(wider, Share::All) {
                return;
            }
        }
    }

    /// Tries whether values matter wherever they are, outer ones first.
    fn surround(&mut self, path: &[usize]) {
        let Some(form) = self.form.at(path).cloned() else { return };
        let is_node = matches!(&form, Form::Node { label, .. } if !is_plain(label));
        if is_node
            && self.sampler.recurs(path)
            && self.attempt(path, Form::Inside(Box::new(form.clone())), Share::All)
        {
            return;
        }
        if !matches!(form, Form::Same(..)) {
            let parts = self.sampler.whole.at(path).map_or(0, |part| part.parts().len());
            (0..parts).for_each(|step| self.surround(&below(path, step)));
        }
    }
}

/// Returns true if a value is one of several sorts.
fn has_alternatives(part: &Part) -> bool {
    matches!(part.parts(), [Part::Choice(choice), ..] if is_alternative(choice))
}

/// The classes that a number is of, the widest first.
fn classes(choice: &Choice) -> Vec<Numbers> {
    let (now, (least, most)) = (number(choice), bounds(choice));
    let (up, down) = (|low| Numbers::Between(low, i128::MAX), |high| Numbers::Between(i128::MIN, high));
    let mut classes = Vec::new();
    if now != 0 && least <= 0 && most > 0 {
        classes.push(Numbers::Not(0));
    }
    match choice.kind {
        Kind::Char => {
            // Beyond ASCII, and the runs of the order of simplicity.
            for (low, high) in [(128, i128::MAX), (0, 25), (26, 35), (37, 62), (0, 127)] {
                if low <= now && now <= high {
                    classes.push(Numbers::Between(low, high));
                }
            }
        }
        _ if least < 0 => classes.append(&mut match now {
            0 => vec![up(0), down(0)],
            1.. => vec![up(0), up(1), up(now)],
            _ => vec![down(0), down(-1), down(now)],
        }),
        _ if 0 < now && now < most => classes.push(up(now)),
        _ => {}
    }
    let mut different: Vec<Numbers> = Vec::new();
    for class in classes {
        // The last number of all is a class by itself.
        let is_single = class == up(most) || class == down(least);
        if !is_single && !different.contains(&class) {
            different.push(class);
        }
    }
    different
}

/// The paths of all parts that may be equal to others, outer ones first.
fn add_paths(part: &Part, path: &mut Vec<usize>, paths: &mut Vec<Vec<usize>>) {
    let counts = match part {
        Part::Choice(choice) => !is_alternative(choice) && choice.kind != Kind::Length,
        Part::Span(_) => !path.is_empty(),
    };
    if counts {
        paths.push(path.clone());
    }
    for (step, inner) in part.parts().iter().enumerate() {
        path.push(step);
        add_paths(inner, path, paths);
        path.pop();
    }
}
