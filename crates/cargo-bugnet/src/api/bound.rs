//! Bounds: what is demanded of a type, and the parameters of which it is demanded.

use super::kind::{Assignment, Kind, Lifetimes, all_unify};

/// A trait with its arguments.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Bound {
    /// The path by which the generated crate can name the trait.
    pub(crate) path: String,
    /// Its arguments; those of `FnMut(A, B)` are the tuple `(A, B)`.
    pub(crate) arguments: Vec<Kind>,
    /// Its associated types; that of `FnMut(A) -> B` is `Output`.
    pub(crate) bindings: Vec<(String, Kind)>,
}

impl Bound {
    /// A trait without arguments.
    pub(crate) fn named(path: &str) -> Bound {
        Bound { path: path.to_string(), arguments: Vec::new(), bindings: Vec::new() }
    }

    /// The name of the trait.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit("::").next().unwrap_or(&self.path)
    }

    /// The name of the trait if it is one of the standard library.
    pub(crate) fn standard(&self) -> Option<&str> {
        self.path.starts_with("std::").then(|| self.name())
    }

    /// The first argument.
    pub(crate) fn argument(&self) -> Option<&Kind> {
        self.arguments.iter().find(|argument| **argument != Kind::Lifetime)
    }

    /// Returns an associated type by its name.
    pub(crate) fn binding(&self, name: &str) -> Option<&Kind> {
        self.bindings.iter().find(|(known, _)| known == name).map(|(_, kind)| kind)
    }

    /// Returns true if it is a bound on a function or closure.
    pub(crate) fn is_closure(&self) -> bool {
        matches!(self.standard(), Some("Fn" | "FnMut" | "FnOnce"))
    }

    /// Returns true if it has no parameters and nothing that cannot be named.
    pub(crate) fn is_concrete(&self) -> bool {
        let mut kinds = self.arguments.iter().chain(self.bindings.iter().map(|(_, kind)| kind));
        kinds.all(Kind::is_concrete)
    }

    pub(super) fn each_part(&self, show: &mut dyn FnMut(&Kind)) {
        self.arguments.iter().for_each(&mut *show);
        self.bindings.iter().for_each(|(_, kind)| show(kind));
    }

    pub(crate) fn map(&self, change: &dyn Fn(Kind) -> Kind) -> Bound {
        Bound {
            path: self.path.clone(),
            arguments: self.arguments.iter().map(|kind| kind.map(change)).collect(),
            bindings: self.bindings.iter().map(|(name, kind)| (name.clone(), kind.map(change))).collect(),
        }
    }

    /// The bound with its parameters replaced.
    pub(crate) fn assigned(&self, assignment: &Assignment) -> Bound {
        let assign = |kind: &Kind| kind.assigned(assignment);
        Bound {
            path: self.path.clone(),
            arguments: self.arguments.iter().map(assign).collect(),
            bindings: self.bindings.iter().map(|(name, kind)| (name.clone(), assign(kind))).collect(),
        }
    }

    /// Finds what the parameters of this bound must be for it to be another.
    pub(crate) fn unify(&self, other: &Bound, assignment: &mut Assignment) -> bool {
        // Arguments with a default may be left out.
        let known = self.arguments.len().min(other.arguments.len());
        self.path == other.path && all_unify(&self.arguments[..known], &other.arguments[..known], assignment)
    }

    /// The bound as Rust.
    pub(crate) fn text(&self, lifetimes: Lifetimes) -> String {
        if let (true, [Kind::Tuple(inputs)]) = (self.is_closure(), &self.arguments[..]) {
            let inputs: Vec<String> = inputs.iter().map(|input| input.text(lifetimes)).collect();
            let output = self.binding("Output").map_or("()".to_string(), |output| output.text(lifetimes));
            return format!("{}({}) -> {output}", self.path, inputs.join(", "));
        }
        let arguments = self.arguments.iter().map(|argument| argument.text(lifetimes));
        let bindings = self.bindings.iter().map(|(name, kind)| format!("{name} = {}", kind.text(lifetimes)));
        let all: Vec<String> = arguments.chain(bindings).collect();
        if all.is_empty() { self.path.clone() } else { format!("{}<{}>", self.path, all.join(", ")) }
    }

    /// The trait without what its associated types are.
    pub(crate) fn without_bindings(&self) -> Bound {
        Bound { bindings: Vec::new(), ..self.clone() }
    }
}

/// A parameter of a type, a block or a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// The default of the parameter.
    pub(crate) default: Option<Kind>,
    /// The type of a parameter that is a constant.
    pub(crate) constant: Option<Kind>,
}

/// Parameters, and what is demanded of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Generics {
    /// Lifetimes are not among them.
    pub(crate) variables: Vec<Variable>,
    pub(crate) bounds: Vec<(Kind, Bound)>,
    pub(crate) lifetimes: usize,
}

impl Generics {
    /// Returns the bounds on a parameter.
    pub(crate) fn of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Bound> {
        let is_it = move |kind: &Kind| matches!(kind, Kind::Parameter(known) if known == name);
        self.bounds.iter().filter(move |(kind, _)| is_it(kind)).map(|(_, bound)| bound)
    }

    /// The same, with plain functions for those parameters that are closures and are chosen by name.
    pub(crate) fn closed(&self, is_chosen: &dyn Fn(&str) -> bool) -> Generics {
        let mut closed = self.clone();
        for variable in closed.variables.iter_mut().filter(|variable| is_chosen(&variable.name)) {
            let Some(bound) = self.of(&variable.name).find(|bound| bound.is_closure()) else { continue };
            if let [Kind::Tuple(inputs)] = &bound.arguments[..] {
                let output = Box::new(bound.binding("Output").cloned().unwrap_or(Kind::unit()));
                variable.default = Some(Kind::Function { inputs: inputs.clone(), output });
            }
        }
        closed
    }

    /// Both together.
    pub(crate) fn and(&self, other: &Generics) -> Generics {
        Generics {
            variables: self.variables.iter().chain(&other.variables).cloned().collect(),
            bounds: self.bounds.iter().chain(&other.bounds).cloned().collect(),
            lifetimes: self.lifetimes + other.lifetimes,
        }
    }
}
