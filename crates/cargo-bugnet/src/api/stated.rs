//! Stated laws: functions under `#[law]`, which stand beside constants with their settings.
//!
//! **Invariant:** what is taken out of an API as a law is no operation of it any more.

use super::Api;
use super::bound::Generics;
use super::function::Function;
use super::kind::{Assignment, Kind};

/// The beginning of the name of the constant that has a law's settings.
const SETTINGS: &str = "law_";

/// A law that somebody has stated.
#[derive(Debug, Clone)]
pub(crate) struct Stated {
    /// The path of the function, or of the type that has it.
    pub(crate) path: String,
    /// The type that has it, if one has.
    pub(crate) subject: Option<Kind>,
    pub(crate) function: Function,
    /// True if every check of it must panic.
    pub(crate) expects_panic: bool,
}

impl Stated {
    /// Returns the path of the constant with its settings.
    pub(crate) fn settings(&self) -> String {
        let name = format!("{SETTINGS}{}", self.function.name.trim_start_matches("r#"));
        match &self.subject {
            Some(subject) => format!("{}::{name}", subject.prefix()),
            None => match self.path.rsplit_once("::") {
                Some((module, _)) => format!("{module}::{name}"),
                None => name,
            },
        }
    }
}

impl Api {
    /// Takes out the laws that are stated in it.
    pub(crate) fn take_stated(&mut self) -> Vec<Stated> {
        let mut stated = Vec::new();
        self.constants.retain(|(path, kind)| {
            let function =
                path.rsplit_once("::").and_then(|(module, name)| Some((module, of_settings(name, kind)?)));
            let path = function.map(|(module, name)| format!("{module}::{name}"));
            let found = path.and_then(|path| self.functions.iter().position(|(known, _)| *known == path));
            let law = found.map(|place| self.functions.remove(place));
            let is_law = law.is_some();
            let expects_panic = expects_panic(kind);
            stated.extend(law.map(|(path, function)| Stated {
                path,
                subject: None,
                function,
                expects_panic,
            }));
            !is_law
        });
        for block in self.blocks.iter_mut().filter(|block| block.generics == Generics::default()) {
            block.constants.retain(|(name, kind)| {
                let name = of_settings(name, kind);
                let found = block.functions.iter().position(|function| Some(function.name.as_str()) == name);
                let Some(place) = found else { return true };
                let mut function = block.functions.remove(place);
                let own = Assignment::from([("Self".to_string(), block.subject.clone())]);
                for (_, kind) in &mut function.inputs {
                    *kind = kind.assigned(&own);
                }
                let path = block.subject.path().unwrap_or_default().to_string();
                let (subject, expects_panic) = (Some(block.subject.clone()), expects_panic(kind));
                stated.push(Stated { path, subject, function, expects_panic });
                false
            });
        }
        stated
    }

    /// Adds what another crate has, whose items are called beside those of this one.
    pub(crate) fn join(&mut self, other: Api) {
        self.definitions.extend(other.definitions);
        self.traits.extend(other.traits);
        self.blocks.extend(other.blocks);
        self.functions.extend(other.functions);
        self.constants.extend(other.constants);
        self.aliases.extend(other.aliases);
        self.crates.extend(other.crates);
    }

    /// Returns a type that another crate names by a path of this one: aliases are what they stand for, and arguments
    /// that were left out are there.
    pub(super) fn named(&self, path: &str, arguments: &[Kind]) -> Option<Kind> {
        let given = |generics: &Generics| {
            let mut given = Assignment::new();
            let mut written = arguments.iter().filter(|argument| **argument != Kind::Lifetime);
            for variable in &generics.variables {
                let kind = match (written.next(), &variable.default) {
                    (Some(kind), _) => kind.clone(),
                    (None, Some(default)) => default.assigned(&given),
                    (None, None) => continue,
                };
                given.insert(variable.name.clone(), kind);
            }
            given
        };
        if let Some(alias) = self.aliases.iter().find(|alias| alias.path == path) {
            return Some(alias.kind.assigned(&given(&alias.generics)));
        }
        let generics = &self.definitions.get(path)?.generics;
        let given = given(generics);
        let kinds = generics.variables.iter().filter_map(|variable| given.get(&variable.name).cloned());
        let arguments = vec![Kind::Lifetime; generics.lifetimes].into_iter().chain(kinds).collect();
        Some(Kind::Named { path: path.to_string(), arguments })
    }
}

/// Returns the name of the law whose settings a constant has, if it has some.
fn of_settings<'a>(name: &'a str, kind: &Kind) -> Option<&'a str> {
    let is_it = kind.path().is_some_and(|path| path.starts_with("bugnet::") && path.ends_with("Law"));
    name.strip_prefix(SETTINGS).filter(|_| is_it)
}

/// Returns true if the type of settings says that every check must panic.
fn expects_panic(kind: &Kind) -> bool {
    kind.path().is_some_and(|path| path.ends_with("::PanickingLaw"))
}
