//! Stand-ins: types of our own for traits that users of a crate are meant to implement.
//!
//! A stand-in is a plain number with a name around it. How it implements a trait is written in several ways, the
//! compiler says in a [`question`](super::question) which of them it takes, and what it takes joins the API
//! as if the crate had it.
//!
//! **Invariant:** what a stand-in implements compiles by itself, and its name is a path of one word, as those of
//! primitives are, but with a capital letter.

use super::candidate::Variant;
use super::demand::{self, Lack};
use super::implementation::{self, Implementation, MOST_TYPES, Way, Writer};
use super::solver::Solver;
use crate::api::{Api, Assignment, Kind};

/// The beginning of the names of stand-ins.
const PREFIX: &str = "Own";
/// Ways in which a stand-in is written for the compiler to choose from, at most.
const MOST_WAYS: usize = 4;

/// Returns true if a path is that of a stand-in.
pub(crate) fn is_one(path: &str) -> bool {
    path.starts_with(PREFIX) && !path.contains("::")
}

/// A stand-in as it may be.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) name: String,
    /// The type itself.
    pub(super) head: String,
    /// Ways to implement its traits, best first.
    pub(super) ways: Vec<Vec<Implementation>>,
}

/// A type of our own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StandIn {
    pub(crate) name: String,
    /// The type and what it implements, as Rust that needs nothing but the crate.
    pub(crate) text: String,
    /// A trait whose documentation demands more of those who implement it than we know, by its path.
    pub(crate) insists: Option<String>,
}

impl StandIn {
    /// Writes the function by which a harness draws its literals.
    pub(super) fn drawing(&self) -> String {
        let name = &self.name;
        format!(
            "impl bugnet::prelude::Literal for {name} {{\n    fn literal(&self) -> String {{\n        format!(\"{{self:?}}\")\n    }}\n}}\nimpl Draw for {name} {{\n    fn draw(source: &mut bugnet::Source) -> {name} {{\n        {name}(u8::draw(source))\n    }}\n    fn numbers(&self, told: &mut Numbers) {{\n        self.0.numbers(told);\n    }}\n}}\n"
        )
    }

    /// Returns true if an operation is given one, or makes one.
    pub(super) fn is_taken_by(&self, variant: &Variant) -> bool {
        let mut is_it = |part: &Kind| part.is(&self.name);
        let given = variant.leaves.iter().map(|leaf| &leaf.kind);
        given.chain(variant.made()).any(|kind| kind.any(&mut is_it))
    }

    /// Returns true if a text names it.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
        text.match_indices(&self.name).any(|(place, name)| {
            !text[..place].ends_with(is_letter) && !text[place + name.len()..].starts_with(is_letter)
        })
    }
}

/// Writes a stand-in for everything that is demanded and that nobody implements.
pub(super) fn drafts(solver: &Solver<'_>) -> Vec<Draft> {
    let lacks = demand::lacks(solver);
    let mut types: Vec<String> = Vec::new();
    let mut names: Vec<(String, String)> = Vec::new();
    for lack in &lacks {
        let name = name(lack, &types);
        names.extend(lack.traits.iter().map(|path| (path.clone(), name.clone())));
        types.push(name);
    }
    let draft = |(lack, name): (&Lack, &String)| {
        let writer = Writer { solver, name, names: &names, bounds: &lack.bounds };
        Draft { name: name.clone(), head: head(lack, name), ways: ways(&writer, lack) }
    };
    let all = lacks.iter().zip(&types).map(draft);
    all.filter(|draft| !draft.ways.is_empty()).collect()
}

/// The name of a stand-in: that of the trait which was asked for first.
fn name(lack: &Lack, taken: &[String]) -> String {
    let asked = lack.bounds.iter().find(|bound| lack.traits.contains(&bound.path));
    let name = format!("{PREFIX}{}", asked.map_or("", |bound| bound.name()));
    let more = (2..).map(|number| format!("{name}{number}"));
    std::iter::once(name.clone()).chain(more).find(|name| !taken.contains(name)).unwrap_or(name)
}

fn head(lack: &Lack, name: &str) -> String {
    let traits: Vec<String> = lack.traits.iter().map(|path| format!("`{path}`")).collect();
    format!(
        "/// Stands in for what users write: {}.\n#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]\npub struct {name}(pub u8);\n",
        traits.join(", ")
    )
}

fn ways(writer: &Writer<'_>, lack: &Lack) -> Vec<Vec<Implementation>> {
    let api = writer.solver.api;
    let demanded = lack.traits.iter().flat_map(|path| &api.traits[path].demands).chain(&lack.bounds);
    let demanded: Vec<&str> = demanded.map(|bound| bound.path.as_str()).collect();
    let is_error = demanded.contains(&"std::error::Error");
    let mut printed = Vec::new();
    if is_error || demanded.iter().any(|path| ["std::fmt::Display", "std::string::ToString"].contains(path)) {
        printed.extend(implementation::printed(writer.name, "std::fmt::Display"));
    }
    if is_error {
        printed.extend(implementation::printed(writer.name, "std::error::Error"));
    }
    let mut found: Vec<Vec<Implementation>> = Vec::new();
    for (is_generic, place) in
        [true, false].into_iter().flat_map(|is| (0..MOST_TYPES).map(move |at| (is, at)))
    {
        let mut types = Assignment::new();
        let way = Way { is_generic, place };
        let own: Vec<Implementation> =
            lack.traits.iter().filter_map(|path| writer.write(path, way, &mut types)).collect();
        let all = [printed.clone(), own.clone()].concat();
        let is_same = |known: &Vec<Implementation>| {
            known.iter().map(|one| &one.text).eq(all.iter().map(|one| &one.text))
        };
        if !own.is_empty() && !found.iter().any(is_same) {
            found.push(all);
        }
    }
    // Who implements more is the better one.
    found.sort_by_key(|way| std::cmp::Reverse(way.len()));
    found.truncate(MOST_WAYS);
    found
}

/// Adds stand-ins to an API. `is_taken` has what the compiler says to all implementations of all ways, in order.
pub(super) fn join(api: &mut Api, drafts: Vec<Draft>, is_taken: &[bool]) -> Vec<StandIn> {
    let mut is_taken = is_taken.iter();
    let mut chosen: Vec<(Draft, Vec<Implementation>)> = Vec::new();
    for draft in drafts {
        let mut best: Vec<Implementation> = Vec::new();
        for way in &draft.ways {
            let taken: Vec<bool> = way.iter().map(|_| is_taken.next() == Some(&true)).collect();
            let kept = way.iter().zip(taken).filter(|(_, is_taken)| *is_taken).map(|(one, _)| one.clone());
            let kept: Vec<Implementation> = kept.collect();
            if kept.len() > best.len() {
                best = kept;
            }
        }
        chosen.push((draft, best));
    }
    leave_out(api, &mut chosen);
    let mut stand_ins = Vec::new();
    for (draft, kept) in chosen {
        let texts: Vec<&str> =
            std::iter::once(draft.head.as_str()).chain(kept.iter().map(|one| one.text.as_str())).collect();
        let mut paths = kept.iter().filter_map(|one| one.block.of.as_ref()).map(|of| &of.path);
        let insists = paths.find(|path| api.traits.get(*path).is_some_and(|declared| declared.insists));
        let (text, insists) = (texts.join("\n"), insists.cloned());
        stand_ins.push(StandIn { name: draft.name, text, insists });
        api.blocks.extend(kept.into_iter().map(|one| one.block));
    }
    stand_ins
}

/// Leaves out stand-ins that implement no trait of the crate, and what names one of those.
fn leave_out(api: &Api, chosen: &mut Vec<(Draft, Vec<Implementation>)>) {
    let is_own =
        |one: &Implementation| one.block.of.as_ref().is_some_and(|of| api.traits.contains_key(&of.path));
    loop {
        let gone: Vec<String> = chosen
            .iter()
            .filter(|(_, kept)| !kept.iter().any(is_own))
            .map(|(draft, _)| draft.name.clone())
            .collect();
        if gone.is_empty() {
            return;
        }
        chosen.retain(|(draft, _)| !gone.contains(&draft.name));
        let is_gone = |part: &Kind| part.path().is_some_and(|path| gone.iter().any(|name| name == path));
        for (_, kept) in chosen.iter_mut() {
            kept.retain(|one| !one.block.types.iter().any(|(_, kind)| kind.any(&mut |part| is_gone(part))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::expression::Pass;
    use super::super::generator::Generator;
    use super::super::question::Answers;
    use super::*;
    use crate::api::Bound;
    use crate::api::tests::read;

    fn drafted(api: &Api) -> Vec<Draft> {
        drafts(&Solver::with(api, Answers::new()))
    }

    /// Returns the answers of a compiler that refuses all implementations of some stand-ins.
    fn taken(drafts: &[Draft], refused: &[&str]) -> Vec<bool> {
        let of = |draft: &Draft| {
            let count = draft.ways.iter().map(Vec::len).sum();
            vec![!refused.contains(&draft.name.as_str()); count]
        };
        drafts.iter().flat_map(of).collect()
    }

    #[test]
    fn only_what_users_are_to_implement_is_implemented() {
        let drafts = drafted(&read("sky"));
        let names: Vec<&str> = drafts.iter().map(|draft| draft.name.as_str()).collect();
        assert_eq!(names, ["OwnBody", "OwnSight", "OwnPart", "OwnReceive", "OwnWay"]);
    }

    #[test]
    fn answers_are_sane_and_come_to_an_end() {
        let drafts = drafted(&read("sky"));
        let text = |place: usize| {
            let texts: Vec<&str> = drafts[place].ways[0].iter().map(|one| one.text.as_str()).collect();
            texts.concat()
        };
        assert!(text(0).contains("f64::from(self.0.abs_diff(other.0))"), "{}", text(0));
        let sight = text(1);
        let lines = [
            "impl std::fmt::Display for OwnSight {",
            "impl sky::Sight for OwnSight {",
            "    type Part = OwnPart;",
            "    type Key = u8;",
            "    const STARS: usize = 1;",
            "        (0..self.0).map(|n| OwnPart(n)).collect()",
            "        self.0 = self.0.saturating_sub(1);",
            "        if self.0 > 0 { Some(u32::from(self.0)) } else { None }",
            "        if (index as u64) < u64::from(self.0) { Some(char::from(self.0)) } else { None }",
        ];
        for line in lines {
            assert!(sight.lines().any(|known| known == line), "{line} is not in\n{sight}");
        }
        assert!(text(3).starts_with("impl<T> sky::Receive<T> for OwnReceive {"), "{}", text(3));
        assert!(text(3).contains("        value\n"), "{}", text(3));
    }

    #[test]
    fn what_the_compiler_takes_is_used_where_nothing_else_fits() {
        let mut api = read("sky");
        let drafts = drafted(&api);
        let is_taken = taken(&drafts, &[]);
        let stand_ins = join(&mut api, drafts, &is_taken);
        let insisting: Vec<Option<&str>> = stand_ins.iter().map(|one| one.insists.as_deref()).collect();
        assert_eq!(insisting, [None, None, None, None, Some("sky::Way")]);
        let solver = Solver::with(&api, Answers::new());
        let kinds = |path: &str| solver.kinds(&[Bound::named(path)], 2, &[]);
        assert_eq!(kinds("sky::Body"), [Kind::named("OwnBody")]);
        assert_eq!(kinds("sky::Known"), [Kind::named("u8")]);
        let candidates = Generator::propose(&solver).candidates;
        let find = |name: &str| candidates.iter().find(|candidate| candidate.name == name);
        let nearest = &find("nearest").expect("it can be called").variants[0];
        let passes: Vec<Pass> = nearest.leaves.iter().map(|leaf| leaf.pass).collect();
        assert_eq!(passes, [Pass::Slice, Pass::Borrowed]);
        assert!(stand_ins[0].is_taken_by(nearest) && !stand_ins[1].is_taken_by(nearest));
        // A provided function of a trait is code of the crate; one that we have written is not.
        assert!(find("<OwnSight as Sight>::count").is_some() && find("<OwnSight as Sight>::key").is_none());
        assert!(find("weigh").is_some() && find("keep").is_none() && find("close").is_none());
    }

    #[test]
    fn what_the_compiler_refuses_takes_along_what_names_it() {
        let mut api = read("sky");
        let blocks = api.blocks.len();
        let drafts = drafted(&api);
        let is_taken = taken(&drafts, &["OwnPart"]);
        let stand_ins = join(&mut api, drafts, &is_taken);
        let names: Vec<&str> = stand_ins.iter().map(|stand_in| stand_in.name.as_str()).collect();
        assert_eq!(names, ["OwnBody", "OwnReceive", "OwnWay"]);
        assert_eq!(api.blocks.len(), blocks + 3);
    }

    #[test]
    fn a_text_names_a_stand_in_by_the_whole_word() {
        let stand_in = StandIn { name: "OwnPart".to_string(), text: String::new(), insists: None };
        assert!(stand_in.is_in("weigh(&OwnPart(3))"));
        assert!(!stand_in.is_in("weigh(&OwnParts(3))") && !stand_in.is_in("MyOwnPart(3)"));
    }
}
