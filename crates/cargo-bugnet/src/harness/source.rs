//! The source of a harness: what the compiler is to judge, and which lines belong to what.
//!
//! **Invariant:** each variant and each kind is a function of its own, so that an error in one says
//! nothing about another.

use super::Purpose;
use super::candidate::{Candidate, Origin, Variant};
use super::expression::{Leaf, Pass};
use super::law::Names;
use super::outcome::Outcome;
use super::prelude;
use super::stand_in::StandIn;
use super::standard;
use crate::api::{Kind, Law, Lifetimes};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

/// A variant of a candidate, by the places of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) candidate: usize,
    pub(crate) variant: usize,
}

/// The owner of a line of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Owner {
    Variant(Place),
    /// A kind, and the laws of it.
    Kind(Kind),
    Laws(Kind),
    /// A type of our own, by its name.
    StandIn(String),
}

/// The text of `operations.rs`, with the owners of its lines.
#[derive(Debug, Default)]
pub(crate) struct Source {
    pub(crate) text: String,
    owners: Vec<(Range<usize>, Owner)>,
    lines: usize,
    kinds: Vec<Kind>,
    purpose: Purpose,
}

/// The variants that are written, and those that were found not to compile.
#[derive(Debug)]
pub(crate) struct Selection<'a> {
    pub(crate) candidates: &'a [Candidate],
    pub(crate) places: &'a [Place],
    /// Those of them that the suite has.
    pub(crate) suite: &'a [Place],
    /// Types of which the laws are asked.
    pub(crate) lawful: &'a [Kind],
    /// The texts of the documentation, as they stand in the dictionary.
    pub(crate) examples: &'a [&'a str],
    pub(crate) stand_ins: &'a [StandIn],
    pub(crate) name: &'a str,
    pub(crate) purpose: Purpose,
}

impl Source {
    /// Writes a selection.
    pub(crate) fn write(selection: &Selection<'_>) -> Source {
        let mut source = Source { purpose: selection.purpose, ..Source::default() };
        source.plain("//! Written by `cargo bugnet explore`; changes are lost.\n");
        source.plain("use bugnet_explore::*;\n");
        for stand_in in selection.stand_ins {
            let text = format!("{}{}", stand_in.text, stand_in.drawing());
            source.owned(&text, Owner::StandIn(stand_in.name.clone()));
        }
        for place in selection.places {
            let candidate = &selection.candidates[place.candidate];
            source.variant(*place, candidate, &candidate.variants[place.variant]);
        }
        let drawn = source.drawn();
        for (number, kind) in source.kinds.clone().into_iter().enumerate() {
            source.kind(number, &kind);
        }
        let names = Names::of(selection.lawful.iter(), selection.name);
        for (number, kind) in selection.lawful.iter().enumerate() {
            source.laws(number, kind, &names.name(kind));
        }
        source.suite(selection, &drawn);
        source.told(selection, &drawn);
        source
    }

    /// Returns the owner of a line; the first is 1.
    pub(crate) fn owner(&self, line: usize) -> Option<&Owner> {
        let place = self.owners.partition_point(|(lines, _)| lines.end <= line);
        self.owners.get(place).filter(|(lines, _)| lines.contains(&line)).map(|(_, owner)| owner)
    }

    fn plain(&mut self, text: &str) {
        self.lines += text.matches('\n').count();
        self.text.push_str(text);
    }

    fn owned(&mut self, text: &str, owner: Owner) {
        let start = self.lines + 1;
        self.plain(text);
        self.owners.push((start..self.lines + 1, owner));
    }

    /// The call that names a kind.
    fn kind_call(&mut self, kind: &Kind) -> String {
        let number = self.kinds.iter().position(|known| known == kind).unwrap_or_else(|| {
            self.kinds.push(kind.clone());
            self.kinds.len() - 1
        });
        format!("kind_{number}()")
    }

    fn variant(&mut self, place: Place, candidate: &Candidate, variant: &Variant) {
        let id = format!("{}_{}", place.candidate, place.variant);
        let leased = variant.outcome.is_leased();
        // Literals come first, in the order of the parameters; what is moved must be got before what is borrowed.
        let order = |leaf: &Leaf| match leaf.pass {
            pass if pass.is_literal() => 0,
            Pass::Taken => 1,
            _ => 2,
        };
        let mut leaves: Vec<(usize, &Leaf)> = variant.leaves.iter().enumerate().collect();
        leaves.sort_by_key(|(_, leaf)| order(leaf));
        let mut text = format!("fn op_{id}(f: &mut Frame<'_>) -> Verdict {{\n");
        let literals = leaves.iter().filter(|(_, leaf)| leaf.pass.is_literal()).count();
        for (place, (number, leaf)) in leaves.into_iter().enumerate() {
            let _ = writeln!(text, "    {}", leaf.binding(number, leased));
            // Now it is known what is called, and nothing is moved yet.
            if place + 1 == literals {
                text.push_str("    if f.is_known() { return Verdict::Discard; }\n");
            }
        }
        if candidate.origin == Origin::Stated {
            text.push_str(&printed(candidate, variant));
        }
        let body = match self.purpose {
            Purpose::Exploring | Purpose::Checking => variant.outcome.body(&variant.call),
            Purpose::Comparing | Purpose::Contrasting => variant.outcome.seen_body(&variant.call),
        };
        let _ = writeln!(text, "    {body}\n}}");
        let _ = writeln!(text, "fn make_{id}() -> Operation {{");
        let template = prelude::shortened(&variant.template);
        let _ = write!(text, "    Operation::new({:?}, {template:?}, op_{id})", candidate.name);
        for leaf in &variant.leaves {
            let kind = if leaf.pass.is_literal() { String::new() } else { self.kind_call(&leaf.kind) };
            let _ = write!(text, "\n        .parameter({})", leaf.parameter(&kind));
        }
        let made = match &variant.outcome {
            Outcome::Kept { kind, .. } => self.kind_call(kind),
            _ => String::new(),
        };
        if candidate.origin == Origin::Law {
            // They are few beside those of traits, and say more.
            text.push_str("\n        .weight(4)");
        }
        if candidate.origin == Origin::Stated {
            text.push_str("\n        .role(Role::Stated)");
        }
        if let Some(Law { name, of }) = &candidate.facts.law {
            let _ = write!(text, "\n        .role(Role::Law {{ name: {name:?}, of: {of:?} }})");
        }
        let _ = writeln!(text, "{}\n}}", variant.outcome.described(&made));
        self.owned(&text, Owner::Variant(place));
    }

    fn kind(&mut self, number: usize, kind: &Kind) {
        let of = kind.text(Lifetimes::Static);
        let printed = match self.purpose {
            Purpose::Exploring | Purpose::Checking => String::new(),
            Purpose::Comparing | Purpose::Contrasting => {
                format!(".printed((&&Probe::<{of}>::NEW).printer())")
            }
        };
        let text = format!(
            "fn kind_{number}() -> Kind {{\n    Kind::of::<{of}>({:?}).fingerprinted((&&&Probe::<{of}>::NEW).fingerprint()){printed}\n}}\n",
            kind.short()
        );
        self.owned(&text, Owner::Kind(kind.clone()));
    }

    fn laws(&mut self, number: usize, kind: &Kind, name: &str) {
        let of = kind.text(Lifetimes::Static);
        let text = format!(
            "fn laws_{number}() -> Vec<Operation> {{\n    bugnet_explore::laws!({of}, {name:?})\n}}\n"
        );
        self.owned(&text, Owner::Laws(kind.clone()));
    }

    /// Literals that calls want as earlier results, for what they make borrows from them.
    fn drawn(&self) -> Vec<Kind> {
        self.kinds.iter().filter(|kind| standard::is_drawn(kind)).cloned().collect()
    }

    /// The suite, out of lists of functions: one function that makes thousands of operations needs more stack
    /// than there is.
    fn suite(&mut self, selection: &Selection<'_>, drawn: &[Kind]) {
        let variants = selection.suite.iter();
        let mut makers: Vec<String> =
            variants.map(|place| format!("make_{}_{}", place.candidate, place.variant)).collect();
        for (number, kind) in drawn.iter().enumerate() {
            self.literal(number, kind);
            makers.push(format!("make_literal_{number}"));
        }
        let laws: Vec<String> = (0..selection.lawful.len()).map(|number| format!("laws_{number}")).collect();
        let text = format!(
            "const OPERATIONS: &[fn() -> Operation] = &[{}];\n\
             const LAWS: &[fn() -> Vec<Operation>] = &[{}];\n\
             pub fn suite() -> Suite {{\n    let mut suite = Suite::new({:?});\n    \
             for make in OPERATIONS {{\n        suite = suite.operation(make());\n    }}\n    \
             for laws in LAWS {{\n        suite = suite.operations(laws());\n    }}\n    suite\n}}\n",
            makers.join(", "),
            laws.join(", "),
            selection.name,
        );
        self.plain(&text);
    }

    /// Writes what operations tell besides their calls: those that read texts, and texts of their examples.
    fn told(&mut self, selection: &Selection<'_>, drawn: &[Kind]) {
        let mut text = "pub const TOLD: &[Told] = &[\n".to_string();
        let mut tell = |name: &str, reads: bool, examples: &BTreeSet<usize>| {
            if reads || !examples.is_empty() {
                let examples = examples.iter().collect::<Vec<_>>();
                let _ = writeln!(
                    text,
                    "    Told {{ operation: {name:?}, reads: {reads}, examples: &{examples:?} }},"
                );
            }
        };
        for place in selection.suite {
            let candidate = &selection.candidates[place.candidate];
            let leaves = candidate.variants[place.variant].leaves.iter();
            let own =
                candidate.facts.texts.iter().filter(|_| leaves.clone().any(|leaf| leaf.pass.is_literal()));
            let own = own.filter_map(|text| selection.examples.iter().position(|known| known == text));
            tell(&candidate.name, is_reader(candidate), &own.collect());
        }
        // A literal that is lent to one that reads is drawn as its own would be.
        for kind in drawn {
            let is_lent = selection.suite.iter().any(|place| {
                let candidate = &selection.candidates[place.candidate];
                let mut leaves = candidate.variants[place.variant].leaves.iter();
                is_reader(candidate) && leaves.any(|leaf| leaf.kind == *kind)
            });
            tell(&literal_name(kind), is_lent, &BTreeSet::new());
        }
        text.push_str("];\n");
        self.plain(&text);
    }

    /// The operation that draws a literal and keeps it.
    fn literal(&mut self, number: usize, kind: &Kind) {
        let leaf = Leaf { name: "value".to_string(), kind: kind.clone(), pass: Pass::Value };
        let call = self.kind_call(kind);
        let text = format!(
            "fn literal_{number}(f: &mut Frame<'_>) -> Verdict {{\n    {}\n    f.keep(a0)\n}}\n\
             fn make_literal_{number}() -> Operation {{\n    Operation::new({:?}, \"{{0}}\", literal_{number})\
             .parameter({}).returns({call}, Access::Owned).role(Role::Literal)\n}}\n",
            leaf.binding(0, false),
            literal_name(kind),
            leaf.parameter(""),
        );
        self.plain(&text);
    }
}

/// The statements that print what a law is given.
fn printed(candidate: &Candidate, variant: &Variant) -> String {
    // The ways to call a law are counted as one.
    let name = candidate.name.split('(').next().unwrap_or_default();
    let mut text = format!("    const NAME: &str = {name:?};\n    let mut inputs = Inputs::default();\n");
    for number in 0..variant.leaves.len() {
        let _ = writeln!(text, "    inputs.add(|out| (&&Seen(&a{number})).print(out));");
    }
    text
}

/// The name of the operation that draws a literal of a kind.
fn literal_name(kind: &Kind) -> String {
    format!("literal {}", kind.short())
}

/// Returns true if an operation makes sense of texts or bytes, and can refuse them.
fn is_reader(candidate: &Candidate) -> bool {
    candidate.facts.reads && candidate.facts.fallible
}

#[cfg(test)]
mod tests {
    use super::super::call::Form;
    use super::super::candidate::Origin;
    use super::super::expression::Expression;
    use super::*;
    use crate::api::Facts;

    /// A function that takes a set, and returns one or nothing.
    fn candidate(origin: Origin) -> Candidate {
        let set = Kind::named("set::Set");
        let form = Form::Function { body: "set::f".into(), template: "set::f".into() };
        let argument = Expression::leaf("set", &set, Pass::Shared);
        let variant = |outcome: Outcome| Variant::new(&form, std::slice::from_ref(&argument), outcome);
        Candidate {
            name: "f".into(),
            origin,
            variants: [Outcome::of(&set, &|_| false)[0].clone(), Outcome::Dropped].map(variant).to_vec(),
            facts: Facts::default(),
        }
    }

    #[test]
    fn laws_that_follow_from_names_are_called_four_times_as_often_as_anything_else() {
        let candidates = [Origin::Free(0), Origin::Law].map(candidate);
        let places = [0, 1].map(|candidate| Place { candidate, variant: 0 });
        let set = Kind::named("set::Set");
        let selection = Selection {
            stand_ins: &[],
            candidates: &candidates,
            places: &places,
            suite: &places,
            lawful: std::slice::from_ref(&set),
            examples: &[],
            name: "set",
            purpose: Purpose::Exploring,
        };
        let source = Source::write(&selection);
        let weighed = source.text.lines().enumerate().filter(|(_, line)| line.contains(".weight("));
        let weighed: Vec<(usize, &str)> = weighed.collect();
        assert_eq!(weighed.len(), 1, "{}", source.text);
        let (line, text) = weighed[0];
        assert!(text.contains(".weight(4)"), "{text}");
        assert_eq!(source.owner(line + 1), Some(&Owner::Variant(places[1])), "{}", source.text);
    }

    #[test]
    fn the_suite_is_made_by_a_loop_however_many_operations_there_are() {
        let candidates = [0, 1, 2].map(|_| candidate(Origin::Law));
        let places = [0, 1, 2].map(|candidate| Place { candidate, variant: 0 });
        let selection = Selection {
            candidates: &candidates,
            places: &places,
            suite: &places,
            lawful: &[],
            examples: &[],
            stand_ins: &[],
            name: "set",
            purpose: Purpose::Exploring,
        };
        let text = Source::write(&selection).text;
        let list = "const OPERATIONS: &[fn() -> Operation] = &[make_0_0, make_1_0, make_2_0";
        assert!(text.contains(list), "{text}");
        assert_eq!(text.matches("suite = suite.operation(").count(), 1, "{text}");
    }

    #[test]
    fn a_table_tells_which_operations_read_texts_and_which_examples_are_theirs() {
        let set = Kind::named("set::Set");
        let text = Expression::leaf("text", &Kind::named("str"), Pass::Text);
        let form = Form::Function { body: "set::parse".into(), template: "set::parse".into() };
        let mut parse = candidate(Origin::Free(0));
        parse.name = "parse".into();
        parse.variants = vec![Variant::new(&form, &[text], Outcome::of(&set, &|_| false)[0].clone())];
        parse.facts =
            Facts { reads: true, fallible: true, texts: vec!["b".into(), "c".into()], ..Facts::default() };
        let candidates = [candidate(Origin::Free(0)), parse];
        let places = [0, 1].map(|candidate| Place { candidate, variant: 0 });
        let selection = Selection {
            stand_ins: &[],
            candidates: &candidates,
            places: &places,
            suite: &places,
            lawful: &[],
            examples: &["a", "b"],
            name: "set",
            purpose: Purpose::Exploring,
        };
        let text = Source::write(&selection).text;
        let told = "pub const TOLD: &[Told] = &[\n    Told { operation: \"parse\", reads: true, examples: &[1] },\n];\n";
        assert!(text.ends_with(told), "{text}");
    }

    #[test]
    fn every_line_of_a_variant_belongs_to_it() {
        let set = Kind::named("set::Set");
        let candidate = candidate(Origin::Free(0));
        let places = [0, 1].map(|variant| Place { candidate: 0, variant });
        let selection = Selection {
            candidates: std::slice::from_ref(&candidate),
            places: &places,
            suite: &places[..1],
            lawful: &[],
            examples: &[],
            stand_ins: &[],
            name: "set",
            purpose: Purpose::Exploring,
        };
        let source = Source::write(&selection);
        for (number, line) in source.text.lines().enumerate() {
            let owner = source.owner(number + 1);
            if line.contains("op_0_1") {
                assert_eq!(owner, Some(&Owner::Variant(places[1])), "{line}");
            }
            if line.contains("Kind::of::<") {
                assert_eq!(owner, Some(&Owner::Kind(set.clone())), "{line}");
            }
        }
        assert_eq!(source.owner(1), None);
        assert!(source.text.contains(".returns(kind_0(), Access::Owned)"));
    }
}
