//! Stated laws as operations: each is called with values that the other operations make.
//!
//! [`file`] compiles the files that state them, [`shadow`] the crate whose sources do, and [`selector`] says which other
//! operations they need.
//!
//! **Invariant:** a law is called as it stands, so what its test prints is what was run.

pub(crate) mod file;
pub(crate) mod selector;
pub(super) mod shadow;

use super::argument::Arguments;
use super::call::Form;
use super::candidate::{Candidate, Origin, Variant};
use super::expression::{Expression, Pass};
use super::generator::Generator;
use super::outcome::{self, Outcome, Wrap};
use crate::api::{Facts, Generics, Kind, Lifetimes, Stated};
use file::LawFile;
use selector::{Missing, Reason};

/// The stated laws of a harness.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Laws {
    pub(crate) files: Vec<LawFile>,
    /// Their names, in the order in which they are stated.
    pub(crate) names: Vec<String>,
    /// The reasons for which operations were selected, if only some were.
    pub(crate) reasons: Vec<Reason>,
    /// The types that laws take and nothing makes.
    pub(crate) missing: Vec<Missing>,
    /// Laws whose calls the compiler refuses, each with what it says.
    pub(crate) refused: Vec<(String, String)>,
    /// Laws that only the tests inside the crate see.
    pub(crate) hidden: Vec<String>,
}

impl Laws {
    /// Returns the names of the laws that can be checked.
    pub(crate) fn checkable(&self) -> Vec<String> {
        let is_barred = |name: &String| {
            self.missing.iter().any(|missing| missing.law == *name)
                || self.refused.iter().any(|(law, _)| law == name)
        };
        self.names.iter().filter(|name| !is_barred(name)).cloned().collect()
    }
}

/// The most ways in which a law is called: with `Some` and with `None`, say.
const MOST_WAYS: usize = 4;

impl Generator<'_> {
    /// Adds an operation for each law, and for each unusual way to write one of its arguments.
    pub(super) fn stated(&mut self, laws: &[Stated]) {
        for law in laws {
            let none = Generics::default();
            let arguments = Arguments { solver: self.solver, generics: &none, leased: false };
            let ways = |(name, kind): &(String, Kind)| {
                let kind = self.solver.normal(kind);
                let ways = arguments.of(name, &kind);
                // Whatever cannot be written has to come from another call, and then it is said that none makes it.
                if ways.is_empty() { vec![Expression::leaf(name, &kind, Pass::Taken)] } else { ways }
            };
            let ways: Vec<Vec<Expression>> = law.function.inputs.iter().map(ways).collect();
            let usual: Vec<Expression> = ways.iter().map(|ways| ways[0].clone()).collect();
            let mut all: Vec<(String, Vec<Expression>)> = vec![(String::new(), usual.clone())];
            for (place, ways) in ways.iter().enumerate() {
                for way in ways.iter().skip(1) {
                    let mut unusual = usual.clone();
                    unusual[place] = way.clone();
                    all.push((way.label.clone(), unusual));
                }
            }
            all.truncate(MOST_WAYS);
            let (form, outcome) = (form(law), outcome(law));
            for (label, arguments) in all {
                let variant = Variant::new(&form, &arguments, outcome.clone());
                let name = &law.function.name;
                let name = if label.is_empty() { name.clone() } else { format!("{name}({label})") };
                let facts = Facts { stated: true, ..law.function.facts.clone() };
                self.names.insert(name.clone());
                self.candidates.push(Candidate {
                    name,
                    origin: Origin::Stated,
                    variants: vec![variant],
                    facts,
                });
            }
        }
    }
}

/// Returns the types of a crate that laws are about, which are used as the laws write them.
pub(super) fn subjects(laws: &[Stated]) -> Vec<Kind> {
    let mut kinds = Vec::new();
    for (_, kind) in laws.iter().flat_map(|law| &law.function.inputs) {
        kind.any(&mut |part| {
            if part.is_concrete() && part.path().is_some() && !kinds.contains(part) {
                kinds.push(part.clone());
            }
            false
        });
    }
    kinds
}

/// Has the compiler take the ways to call a function first that are about the types of laws: `append<T>(self, &mut Arena<T>)`
/// is about the arenas of the law, and not about those of the first type that fits.
pub(super) fn prefer(candidates: &mut [Candidate], subjects: &[Kind]) {
    for candidate in candidates.iter_mut().filter(|candidate| candidate.origin != Origin::Stated) {
        candidate.variants.sort_by_key(|variant| {
            let taken = variant.leaves.iter().filter(|leaf| !leaf.pass.is_literal());
            taken.filter(|leaf| !subjects.contains(&leaf.kind)).count()
        });
    }
}

/// The call of a law.
fn form(law: &Stated) -> Form {
    let name = law.function.name.clone();
    match &law.subject {
        None => Form::Function { body: law.path.clone(), template: law.path.clone() },
        Some(subject) => {
            let body = format!("<{}>::{name}", subject.text(Lifetimes::Inferred));
            let path = format!("{}::{name}", subject.prefix());
            match law.function.has_receiver() {
                true => Form::Method { body, path, name },
                false => Form::Function { body, template: path },
            }
        }
    }
}

/// The fate of its result: as a test, it fails where the law does not hold.
fn outcome(law: &Stated) -> Outcome {
    let (wrap, inner) = outcome::unwrapped(&law.function.output);
    let is_result = wrap == Wrap::Result;
    let is_bool = if is_result { inner.is("bool") } else { law.function.output.is("bool") };
    let unwrap = if is_result { ".unwrap()" } else { "" };
    let (before, after) = match (law.expects_panic, is_bool) {
        (true, _) => (format!("{}.assert(|| ", law.settings()), ")".to_string()),
        (false, true) => ("assert!(".to_string(), format!("{unwrap})")),
        (false, false) => (String::new(), unwrap.to_string()),
    };
    Outcome::Stated { settings: law.settings(), before, after }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_to_call_a_function_with_the_types_of_laws_come_first_and_in_their_order() {
        let arena = |of: &str| Kind::generic("a::Arena", [Kind::named(of)]);
        let form = Form::Function { body: "append".to_string(), template: "append".to_string() };
        let variant = |of: &str, outcome: Outcome| {
            let node = Expression::leaf("node", &Kind::named("a::Node"), Pass::Taken);
            Variant::new(&form, &[Expression::leaf("arena", &arena(of), Pass::Mutable), node], outcome)
        };
        let variants = vec![
            variant("i32", Outcome::Dropped),
            variant("u8", Outcome::Changed),
            variant("u8", Outcome::Dropped),
        ];
        let (name, facts) = ("append".to_string(), Facts::default());
        let mut candidates = [Candidate { name, origin: Origin::Free(0), variants, facts }];
        let mut order = |subjects: &[Kind]| {
            prefer(&mut candidates, subjects);
            let kinds = candidates[0].variants.iter().map(|variant| variant.leaves[0].kind.short());
            kinds.collect::<Vec<_>>()
        };
        assert_eq!(order(&[arena("u64")]), [arena("i32"), arena("u8"), arena("u8")].map(|kind| kind.short()));
        assert_eq!(
            order(&[Kind::named("a::Node"), arena("u8")])[..2],
            [arena("u8"), arena("u8")].map(|kind| kind.short())
        );
        assert_eq!(candidates[0].variants[0].outcome, Outcome::Changed);
    }
}
