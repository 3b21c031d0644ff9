//! Implementations: how a stand-in implements a trait, as Rust and as a block of the API.
//!
//! **Invariant:** the text and the block say the same: what the block associates, the text does.

use super::reply::{self, Reply};
use super::solver::{DEEPEST, Solver};
use crate::api::{Assignment, Block, Bound, Function, Generics, Kind, Lifetimes, Trait};
use std::fmt::Write;

/// The most types that are tried for the associated type of a trait.
pub(super) const MOST_TYPES: usize = 4;

/// A trait that a stand-in implements.
#[derive(Debug, Clone)]
pub(super) struct Implementation {
    pub(super) text: String,
    pub(super) block: Block,
}

/// A choice among the ways to implement a trait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Way {
    /// True if a trait with parameters is implemented for all of them.
    pub(super) is_generic: bool,
    /// The place among the types that fit what it associates.
    pub(super) place: usize,
}

/// Writes implementations for one stand-in.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    pub(super) solver: &'a Solver<'a>,
    /// The name of the stand-in.
    pub(super) name: &'a str,
    /// The names of stand-ins, by the traits that they implement.
    pub(super) names: &'a [(String, String)],
    /// The bounds that come together with the traits.
    pub(super) bounds: &'a [Bound],
}

impl Writer<'_> {
    /// The implementation of a trait of the crate. `types` has what was chosen for traits before it.
    pub(super) fn write(&self, path: &str, way: Way, types: &mut Assignment) -> Option<Implementation> {
        let declared = &self.solver.api.traits[path];
        let (arguments, given, generics) = self.parameters(path, declared, way)?;
        let mut chosen = Vec::new();
        for (name, bounds) in &declared.types {
            let kind = self.associated(path, name, bounds, way.place, types)?;
            types.insert(name.clone(), kind.clone());
            chosen.push((name.clone(), kind));
        }
        let settled = |kind: &Kind| settled(&kind.assigned(&given), types);
        let of = Bound { path: path.to_string(), arguments, bindings: Vec::new() };
        let mut text = format!(
            "impl{} {} for {} {{\n",
            declaration(&generics)?,
            short(&of.text(Lifetimes::Inferred)),
            self.name
        );
        for (name, kind) in &chosen {
            let _ = writeln!(text, "    type {name} = {};", short(&kind.text(Lifetimes::Static)));
        }
        for (name, kind) in &declared.constants {
            let kind = settled(kind);
            let value = reply::constant(&kind)?;
            let _ = writeln!(text, "    const {name}: {} = {value};", short(&kind.text(Lifetimes::Static)));
        }
        for function in &declared.required {
            let function = with_kinds(function, &settled);
            text.push_str(&self.function(&function, &generics)?);
        }
        text.push_str("}\n");
        if text.ends_with("{\n}\n") {
            text.replace_range(text.len() - 3.., "}\n");
        }
        let provided =
            declared.provided.iter().map(|function| with_kinds(function, &|kind| kind.assigned(&given)));
        let block = Block {
            generics,
            subject: Kind::named(self.name),
            of: Some(of),
            functions: Vec::new(),
            provided: provided.collect(),
            types: chosen,
            constants: Vec::new(),
        };
        Some(Implementation { text, block })
    }

    /// Returns the values of the parameters of a trait: its arguments, what was chosen, and what is left open.
    fn parameters(
        &self,
        path: &str,
        declared: &Trait,
        way: Way,
    ) -> Option<(Vec<Kind>, Assignment, Generics)> {
        let mut arguments = vec![Kind::Lifetime; declared.generics.lifetimes];
        let mut given = Assignment::new();
        let itself = Kind::Parameter("Self".to_string());
        for (place, variable) in declared.generics.variables.iter().enumerate() {
            let argument = match (way.is_generic, &variable.constant) {
                (_, Some(_)) => Kind::Constant(variable.name.clone()),
                (true, None) => Kind::Parameter(variable.name.clone()),
                (false, None) => {
                    let told = self.bounds.iter().filter(|bound| bound.path == path);
                    let mut told =
                        told.filter_map(|bound| bound.arguments.get(declared.generics.lifetimes + place));
                    let bounds: Vec<Bound> = declared.generics.of(&variable.name).cloned().collect();
                    let default =
                        variable.default.as_ref().filter(|kind| kind.is_concrete() || **kind == itself);
                    let told = told.find(|kind| kind.is_concrete()).or(default).cloned();
                    told.or_else(|| self.solver.kinds(&bounds, DEEPEST, &[]).into_iter().next())?
                }
            };
            if !way.is_generic && variable.constant.is_none() {
                given.insert(variable.name.clone(), argument.clone());
            }
            arguments.push(argument);
        }
        let mut generics = declared.generics.clone();
        generics.variables.retain(|variable| !given.contains_key(&variable.name));
        let is_open = |kind: &Kind| !matches!(kind, Kind::Parameter(name) if given.contains_key(name) || name == "Self");
        generics
            .bounds
            .retain(|(kind, _)| is_open(kind) && !given.iter().any(|(name, _)| mentions(kind, name)));
        Some((arguments, given, generics))
    }

    /// A type that a trait may associate: one that is demanded, a plain one, a stand-in or another.
    fn associated(
        &self,
        path: &str,
        name: &str,
        bounds: &[Bound],
        place: usize,
        types: &Assignment,
    ) -> Option<Kind> {
        let told =
            self.bounds.iter().filter(|bound| bound.path == path).filter_map(|bound| bound.binding(name));
        let mut kinds: Vec<Kind> = told.filter(|kind| kind.is_concrete()).cloned().collect();
        let own = bounds.iter().filter_map(|bound| self.names.iter().find(|(path, _)| *path == bound.path));
        kinds.extend(own.map(|(_, name)| Kind::named(name)));
        let is_own = !kinds.is_empty();
        let settled_bounds: Vec<Bound> =
            bounds.iter().map(|bound| bound.map(&|part| settled(&part, types))).collect();
        let found = self.solver.kinds(&settled_bounds, DEEPEST, &[]);
        if !is_own {
            kinds.extend(["u8", "f64", "i32", "std::string::String"].map(Kind::named));
            kinds.retain(|kind| {
                settled_bounds.iter().all(|bound| self.solver.holds(kind, bound) != Some(false))
            });
            // A type that the solver finds by a trait of the crate is better than one that merely fits.
            let is_anchored = |bound: &Bound| self.solver.api.traits.contains_key(&bound.path);
            let place = if settled_bounds.iter().any(is_anchored) { 0 } else { kinds.len() };
            kinds.splice(place..place, found);
        } else {
            kinds.extend(found);
        }
        let mut unique: Vec<Kind> = Vec::new();
        kinds.into_iter().for_each(|kind| {
            if !unique.contains(&kind) {
                unique.push(kind)
            }
        });
        unique.truncate(MOST_TYPES);
        unique.get(place.min(unique.len().checked_sub(1)?)).cloned()
    }

    /// A function with what it answers.
    fn function(&self, function: &Function, outer: &Generics) -> Option<String> {
        let generics = outer.and(&function.generics);
        let body = Reply::of(self.solver.api, function, &generics).body()?;
        let inputs = function.inputs.iter().map(|(name, kind)| parameter(name, kind));
        let inputs: Vec<String> = inputs.collect();
        let output = match &function.output {
            output if *output == Kind::unit() => String::new(),
            output => format!(" -> {}", short(&output.text(Lifetimes::Inferred))),
        };
        let head = format!(
            "    fn {}{}({}){output}",
            function.name,
            declaration(&function.generics)?,
            inputs.join(", ")
        );
        Some(match body.is_empty() {
            true => format!("{head} {{}}\n"),
            false => format!("{head} {{\n        {}\n    }}\n", body.join("\n        ")),
        })
    }
}

/// Writes the implementation that prints a stand-in, which no trait of the crate can demand of a derive.
pub(super) fn printed(name: &str, of: &str) -> Option<Implementation> {
    let text = match of {
        "std::fmt::Display" => format!(
            "impl std::fmt::Display for {name} {{\n    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{\n        write!(out, \"{{}}\", self.0)\n    }}\n}}\n"
        ),
        "std::error::Error" => format!("impl std::error::Error for {name} {{}}\n"),
        _ => return None,
    };
    let block = Block {
        generics: Generics::default(),
        subject: Kind::named(name),
        of: Some(Bound::named(of)),
        functions: Vec::new(),
        provided: Vec::new(),
        types: Vec::new(),
        constants: Vec::new(),
    };
    Some(Implementation { text, block })
}

/// A type with what was chosen for associated types.
fn settled(kind: &Kind, types: &Assignment) -> Kind {
    kind.map(&|part| match &part {
        Kind::Projection { of, name, .. } if **of == Kind::Parameter("Self".to_string()) => {
            types.get(name).cloned().unwrap_or(part)
        }
        _ => part,
    })
}

fn mentions(kind: &Kind, name: &str) -> bool {
    kind.any(&mut |part| matches!(part, Kind::Parameter(known) if known == name))
}

fn with_kinds(function: &Function, change: &dyn Fn(&Kind) -> Kind) -> Function {
    let inputs = function.inputs.iter().map(|(name, kind)| (clean(name), change(kind))).collect();
    let bound = |bound: &Bound| Bound {
        path: bound.path.clone(),
        arguments: bound.arguments.iter().map(change).collect(),
        bindings: bound.bindings.iter().map(|(name, kind)| (name.clone(), change(kind))).collect(),
    };
    let bounds = function.generics.bounds.iter().map(|(kind, of)| (change(kind), bound(of))).collect();
    let generics = Generics { bounds, ..function.generics.clone() };
    Function { inputs, output: change(&function.output), generics, ..function.clone() }
}

/// The name of a parameter, which may be a pattern.
fn clean(name: &str) -> String {
    let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if is_name { name } else { "_" }.to_string()
}

/// A parameter as it is declared.
fn parameter(name: &str, kind: &Kind) -> String {
    let is_itself = |kind: &Kind| *kind == Kind::Parameter("Self".to_string());
    match (name, kind) {
        ("self", kind) if is_itself(kind) => "self".to_string(),
        ("self", Kind::Reference { mutable: false, to, .. }) if is_itself(to) => "&self".to_string(),
        ("self", Kind::Reference { mutable: true, to, .. }) if is_itself(to) => "&mut self".to_string(),
        _ => format!("{name}: {}", short(&kind.text(Lifetimes::Inferred))),
    }
}

/// Parameters and what is demanded of them; none if that cannot be written.
fn declaration(generics: &Generics) -> Option<String> {
    let mut all = Vec::new();
    for variable in &generics.variables {
        let bounds: Vec<String> =
            generics.of(&variable.name).map(|bound| short(&bound.text(Lifetimes::Inferred))).collect();
        all.push(match &variable.constant {
            Some(kind) => format!("const {}: {}", variable.name, kind.text(Lifetimes::Inferred)),
            None if bounds.is_empty() => variable.name.clone(),
            None => format!("{}: {}", variable.name, bounds.join(" + ")),
        });
    }
    // Bounds on other types stand behind the function, and few traits have them.
    let is_plain = |kind: &Kind| matches!(kind, Kind::Parameter(_));
    if !generics.bounds.iter().all(|(kind, _)| is_plain(kind)) {
        return None;
    }
    Some(if all.is_empty() { String::new() } else { format!("<{}>", all.join(", ")) })
}

/// A text without the paths of what needs none.
fn short(text: &str) -> String {
    let known = [
        "std::option::Option",
        "std::result::Result",
        "std::string::String",
        "std::vec::Vec",
        "std::boxed::Box",
        "std::marker::Sized",
        "std::marker::Send",
        "std::marker::Sync",
        "std::clone::Clone",
    ];
    known
        .iter()
        .fold(text.to_string(), |text, path| text.replace(path, path.rsplit("::").next().unwrap_or(path)))
}
