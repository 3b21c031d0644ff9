//! Forms in words: patterns as a Rust programmer would write them.
//!
//! Nothing is known of the types. Instead a part of an input that is free is changed, the input is
//! printed as ever, and where the text differs the pattern has a gap.
//!
//! **Invariant:** what a pattern shows of a value is what the input itself shows.

use super::part::Part;
use super::printed::{Item, Mark, Site, differences, read, text_at, written};
use super::sample::{Sampler, below};
use super::{Form, Numbers, bounds, choice_of};
use crate::choice::{Choice, Tape};
use crate::list::Listed;

/// Changes of a part to see which text belongs to it.
const CHANGES: usize = 10;

/// More elements than this that may be anything are counted.
const COUNTED: usize = 3;

/// Prints an input: each argument with its name.
pub(crate) type Show<'a> = dyn Fn(&Tape) -> Vec<(String, String)> + 'a;

struct Writer<'a, 'b> {
    sampler: &'a mut Sampler<'b>,
    show: &'a Show<'a>,
    base: Vec<Item>,
    /// The marks of each argument.
    marks: Vec<Vec<(Site, Mark)>>,
}

/// A form in words.
pub(crate) fn in_words(form: &Form, sampler: &mut Sampler<'_>, show: &Show<'_>) -> String {
    let shown = show(&sampler.whole.tape());
    let base: Vec<Item> = shown.iter().map(|(_, text)| read(text)).listed();
    let marks = base.iter().map(|_| Vec::new()).listed();
    let mut writer = Writer { sampler, show, base, marks };
    writer.mark(form, &[]);
    let Writer { base, marks, .. } = writer;
    let mut arguments = Vec::new();
    for (place, (name, _)) in shown.iter().enumerate() {
        let text = written(&base[place], &marks[place], &mut Vec::new());
        arguments.push(if shown.len() == 1 { text } else { format!("{name} = {text}") });
    }
    arguments.join(", ")
}

impl Writer<'_, '_> {
    fn mark(&mut self, form: &Form, path: &[usize]) {
        let Some(part) = self.sampler.whole.at(path).cloned() else { return };
        match (form, &part) {
            (Form::Any, _) => self.instead(path, &part, "_"),
            (Form::Same(variable, inner), _) => {
                let name = format!("?{}", variable_name(*variable));
                self.instead(path, &part, &name);
                if let (Form::Number(numbers), Part::Choice(choice)) = (&**inner, &part) {
                    self.number(path, choice, numbers, &format!("{name} @ "));
                }
            }
            (Form::Number(numbers), Part::Choice(choice)) => self.number(path, choice, numbers, ""),
            // The sign of a float is not seen apart from it.
            (Form::Node { label, parts }, _) => {
                let seen = if **label == *"float" { parts.len().min(1) } else { parts.len() };
                for (step, form) in parts[..seen].iter().enumerate() {
                    self.mark(form, &below(path, step));
                }
            }
            (Form::List { elements, gaps }, _)
                if elements.len() > COUNTED && elements.iter().all(|form| *form == Form::Any) =>
            {
                let more = if gaps.contains(&true) { ".." } else { "" };
                self.list(path, Mark::Items(format!("_; {}{more}", elements.len())));
            }
            (Form::List { elements, gaps }, _) => {
                for (step, form) in elements.iter().enumerate() {
                    self.mark(form, &below(path, step + 1));
                }
                if gaps.contains(&true) {
                    self.list(path, Mark::Gaps(gaps.to_vec()));
                }
            }
            (Form::Inside(form), _) => {
                self.mark(form, path);
                let mut outermost: Option<(usize, Site)> = None;
                for (argument, site) in self.sites(path, &part) {
                    if outermost.as_ref().is_none_or(|(_, outer)| site.at.len() < outer.at.len()) {
                        outermost = Some((argument, site));
                    }
                }
                if let Some((argument, site)) = outermost {
                    self.marks[argument].push((site, Mark::Around));
                }
            }
            (Form::Number(_), Part::Span(_)) => {}
        }
    }

    /// Returns the places where the text changes with a part, by argument.
    fn sites(&mut self, path: &[usize], part: &Part) -> Vec<(usize, Site)> {
        let mut sites = Vec::new();
        for _ in 0..CHANGES {
            if let Some(other) = self.sampler.varied(path, part.clone()) {
                self.add_sites(path, other, &mut sites);
            }
        }
        sites
    }

    fn add_sites(&self, path: &[usize], other: Part, sites: &mut Vec<(usize, Site)>) {
        for (argument, item) in self.changed(path, other).iter().enumerate() {
            let Some(base) = self.base.get(argument) else { continue };
            for site in differences(base, item) {
                if !sites.contains(&(argument, site.clone())) {
                    sites.push((argument, site));
                }
            }
        }
    }

    /// The input, printed, with another part in a place.
    fn changed(&self, path: &[usize], other: Part) -> Vec<Item> {
        let mut whole = self.sampler.whole.clone();
        if let Some(part) = whole.at_mut(path) {
            *part = other;
        }
        (self.show)(&whole.tape()).iter().map(|(_, text)| read(text)).listed()
    }

    fn instead(&mut self, path: &[usize], part: &Part, text: &str) {
        for (argument, site) in self.sites(path, part) {
            let site = Site { list: None, ..site };
            self.marks[argument].push((site, Mark::Instead(text.to_string())));
        }
    }

    fn number(&mut self, path: &[usize], choice: &Choice, numbers: &Numbers, before: &str) {
        let (least, most) = bounds(choice);
        let (low, high, not) = match numbers {
            Numbers::Between(low, high) => (Some(*low), Some(*high), None),
            Numbers::Not(other) => (None, None, Some(*other)),
            Numbers::Exactly(_) | Numbers::OneOf(_) => return,
        };
        let low = low.filter(|low| *low > least);
        let high = high.filter(|high| *high < most);
        for (argument, site) in self.sites(path, &Part::Choice(*choice)) {
            let shown = |number: i128| {
                let changed =
                    choice_of(choice, number).map(|choice| self.changed(path, Part::Choice(choice)));
                let text = changed.and_then(|items| text_at(items.get(argument)?, &site));
                text.unwrap_or_else(|| number.to_string())
            };
            let text = match (low, high, not) {
                (Some(low), Some(high), _) if shown(low) == shown(high) => shown(low),
                (Some(low), Some(high), _) => format!("{}..={}", shown(low), shown(high)),
                (Some(low), None, _) => format!("{}..", shown(low)),
                (None, Some(high), _) => format!("..={}", shown(high)),
                (None, None, Some(other)) => format!("not {}", shown(other)),
                (None, None, None) => "_".to_string(),
            };
            // What was marked before is known less of.
            self.marks[argument].retain(|(marked, _)| *marked != site);
            self.marks[argument].push((site, Mark::Instead(format!("{before}{text}"))));
        }
    }

    /// Marks a list, where a new element shows.
    fn list(&mut self, path: &[usize], mark: Mark) {
        let mut sites = Vec::new();
        for _ in 0..CHANGES {
            let Some(Part::Span(mut list)) = self.sampler.whole.at(path).cloned() else { return };
            let Some(element) = self.sampler.element(path) else { continue };
            list.parts.push(element);
            if let Some(Part::Choice(length)) = list.parts.first_mut() {
                length.value += 1;
            }
            self.add_sites(path, Part::Span(list), &mut sites);
        }
        let (argument, site) = match sites.into_iter().find(|(_, site)| site.list.is_some()) {
            Some(found) => found,
            None => return,
        };
        self.marks[argument].push((site, mark));
    }
}

/// a, b, …, z, a1, b1, …
fn variable_name(variable: usize) -> String {
    let letter = char::from(b'a' + (variable % 26) as u8);
    match variable / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}
