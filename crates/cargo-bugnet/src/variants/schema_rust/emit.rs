//! Emission: the user's source with every mutation behind its switch.
//!
//! **Invariant:** with all switches off the emitted source does what the user's source does, and every byte of an
//! alternative is known to belong to it.

use super::super::mutation::{Form, Mutant, Site};
use std::cmp::Reverse;
use std::ops::Range;

/// The path of the function that reads a switch.
const READ: &str = "crate::__bugnet::s";
/// The call that counts a step of a loop.
const STEP: &str = "crate::__bugnet::step();";

/// An edit of a span of the user's text.
#[derive(Debug, Clone)]
enum Action<'a> {
    /// A site, by its number.
    Switch(usize, &'a Site),
    /// Other text stands there.
    Text(&'a str),
}

#[derive(Debug, Clone)]
struct Edit<'a> {
    span: Range<usize>,
    action: Action<'a>,
}

impl Edit<'_> {
    /// Outer edits come before inner ones, and what is inserted before what stands there.
    fn order(&self) -> (usize, bool, Reverse<usize>, bool) {
        let is_value = matches!(&self.action, Action::Switch(_, site) if site.form == Form::Value);
        (self.span.start, !self.span.is_empty(), Reverse(self.span.end), is_value)
    }
}

/// The owner of a part of the emitted text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Alternative(Mutant),
    Site(usize),
}

/// Emitted text, and what its parts belong to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Emitted {
    pub(super) text: String,
    owners: Vec<(Range<usize>, Owner)>,
    /// The copied pieces of the user's text: the first byte here, the first byte there, and the length.
    copied: Vec<(usize, usize, usize)>,
}

impl Emitted {
    /// Returns what a span belongs to: the smallest part around it.
    pub(super) fn owner(&self, span: &Range<usize>) -> Option<Owner> {
        let around = self.owners.iter().filter(|(part, _)| part.start <= span.start && span.end <= part.end);
        around
            .min_by_key(|(part, owner)| (part.len(), matches!(owner, Owner::Site(_))))
            .map(|(_, owner)| *owner)
    }

    /// Returns the sites inside of a span.
    pub(super) fn inside(&self, span: &Range<usize>) -> Vec<usize> {
        let inside = self.owners.iter().filter(|(part, _)| span.start <= part.start && part.end <= span.end);
        inside
            .filter_map(|(_, owner)| match owner {
                Owner::Site(site) => Some(*site),
                Owner::Alternative(_) => None,
            })
            .collect()
    }

    /// Returns the byte of the user's text that was copied here, or the last one before.
    pub(super) fn original(&self, byte: usize) -> usize {
        let place = self.copied.partition_point(|(here, _, _)| *here <= byte);
        let Some((here, there, length)) = place.checked_sub(1).map(|place| self.copied[place]) else {
            return 0;
        };
        there + (byte - here).min(length)
    }
}

/// A file of the user, and all that is changed in it.
#[derive(Debug)]
pub(super) struct Input<'a> {
    pub(super) text: &'a str,
    /// The sites of the file, by their numbers.
    pub(super) sites: Vec<(usize, &'a Site)>,
    /// The beginnings of the bodies of loops.
    pub(super) loops: &'a [usize],
    /// Words that are replaced, such as the level of a lint.
    pub(super) words: &'a [(Range<usize>, String)],
}

/// Emits a file with those alternatives that are wanted.
pub(super) fn emit(input: &Input<'_>, is_wanted: &dyn Fn(Mutant) -> bool) -> Emitted {
    let switches = input
        .sites
        .iter()
        .map(|(number, site)| Edit { span: site.span.clone(), action: Action::Switch(*number, site) });
    let steps = input.loops.iter().map(|place| Edit { span: *place..*place, action: Action::Text(STEP) });
    let words =
        input.words.iter().map(|(span, word)| Edit { span: span.clone(), action: Action::Text(word) });
    let mut edits: Vec<Edit<'_>> = switches.chain(steps).chain(words).collect();
    edits.sort_by_key(Edit::order);
    let mut emitter = Emitter { text: input.text, is_wanted, out: Emitted::default() };
    emitter.range(0..input.text.len(), &edits);
    emitter.out
}

struct Emitter<'a> {
    text: &'a str,
    is_wanted: &'a dyn Fn(Mutant) -> bool,
    out: Emitted,
}

impl Emitter<'_> {
    fn copy(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.out.copied.push((self.out.text.len(), range.start, range.len()));
            self.out.text.push_str(&self.text[range]);
        }
    }

    fn write(&mut self, text: &str) {
        self.out.text.push_str(text);
    }

    fn owned(&mut self, text: &str, owner: Owner) {
        let start = self.out.text.len();
        self.write(text);
        self.out.owners.push((start..self.out.text.len(), owner));
    }

    fn range(&mut self, range: Range<usize>, mut edits: &[Edit<'_>]) {
        let mut next = range.start;
        while let Some((edit, rest)) = edits.split_first() {
            let inner = if edit.span.is_empty() {
                0
            } else {
                rest.iter().take_while(|other| other.span.start < edit.span.end).count()
            };
            self.copy(next..edit.span.start);
            self.edit(edit, &rest[..inner]);
            next = edit.span.end;
            edits = &rest[inner..];
        }
        self.copy(next..range.end);
    }

    fn edit(&mut self, edit: &Edit<'_>, inner: &[Edit<'_>]) {
        let (number, site) = match edit.action {
            Action::Text(text) => return self.write(text),
            Action::Switch(number, site) => (number, site),
        };
        let all = (1..=site.alternatives.len()).map(|alternative| Mutant { site: number, alternative });
        let wanted: Vec<Mutant> = all.filter(|mutant| (self.is_wanted)(*mutant)).collect();
        if wanted.is_empty() {
            return self.range(edit.span.clone(), inner);
        }
        let start = self.out.text.len();
        match site.form {
            Form::Value | Form::Condition => self.value(edit, number, site, &wanted, inner),
            Form::Statement => {
                self.owned(&format!("if {READ}({number}) != 1 {{ "), Owner::Alternative(wanted[0]));
                self.range(edit.span.clone(), inner);
                self.write(" }");
            }
            Form::Insertion => {
                self.write(&format!("match {READ}({number}) {{ "));
                for mutant in wanted {
                    self.write(&format!("{} => {{ ", mutant.alternative));
                    let code = &site.alternatives[mutant.alternative - 1].code;
                    self.owned(code, Owner::Alternative(mutant));
                    self.write(" } ");
                }
                self.write("_ => {} } ");
            }
            Form::Guard if edit.span.is_empty() => {
                self.owned(&format!(" if {READ}({number}) != 1"), Owner::Alternative(wanted[0]));
            }
            Form::Guard => {
                self.owned(&format!("{READ}({number}) != 1 && ("), Owner::Alternative(wanted[0]));
                self.range(edit.span.clone(), inner);
                self.write(")");
            }
        }
        self.out.owners.push((start..self.out.text.len(), Owner::Site(number)));
    }

    /// The original comes first, so that the type is inferred from it.
    fn value(&mut self, edit: &Edit<'_>, number: usize, site: &Site, wanted: &[Mutant], inner: &[Edit<'_>]) {
        self.write(&format!("(match {READ}({number}) {{ 0 => "));
        self.range(edit.span.clone(), inner);
        for (place, mutant) in wanted.iter().enumerate() {
            let is_last = place + 1 == wanted.len();
            let pattern = if is_last { "_".to_string() } else { mutant.alternative.to_string() };
            self.write(&format!(", {pattern} => "));
            let code = &site.alternatives[mutant.alternative - 1].code;
            self.owned(code, Owner::Alternative(*mutant));
        }
        self.write(" })");
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::mutation::example::mutations;
    use super::*;

    fn emitted(is_wanted: &dyn Fn(Mutant) -> bool) -> Emitted {
        let all = mutations();
        let text = &all.files[0].text;
        let loops = [text.find("{\n        go").unwrap() + 1];
        let sites = all.sites.iter().enumerate().collect();
        emit(&Input { text, sites, loops: &loops, words: &[(0..2, "pub fn".to_string())] }, is_wanted)
    }

    #[test]
    fn every_alternative_is_behind_the_switch_of_its_site() {
        let emitted = emitted(&|_| true);
        let expected = "pub fn f(a: u8) {\n    if (match crate::__bugnet::s(0) { 0 => a < 3, 1 => a <= 3, _ => true }) \
                        {crate::__bugnet::step();\n        match crate::__bugnet::s(2) { 1 => { stop(); } _ => {} } \
                        if crate::__bugnet::s(1) != 1 { go(a); }\n    }\n}\n";
        assert_eq!(emitted.text, expected);
        let place = |code: &str| {
            let start = emitted.text.find(code).unwrap();
            start..start + code.len()
        };
        let mutant = |site, alternative| Some(Owner::Alternative(Mutant { site, alternative }));
        assert_eq!(emitted.owner(&place("<= 3")), mutant(0, 1));
        assert_eq!(emitted.owner(&place("a < 3")), Some(Owner::Site(0)));
        assert_eq!(emitted.owner(&place("stop")), mutant(2, 1));
        assert_eq!(emitted.owner(&place("pub")), None);
        let go = place("go(a)").start;
        assert_eq!(emitted.original(go), mutations().files[0].text.find("go(a)").unwrap());
    }

    #[test]
    fn a_site_without_alternatives_is_as_the_user_wrote_it() {
        let text = emitted(&|mutant| mutant.site == 2).text;
        assert!(text.contains("    if a < 3 {") && text.contains("} go(a);\n"), "{text}");
    }
}
