//! Paths: how users of a crate name its items and those of others.
//!
//! An item can be reached by several paths through re-exports; the shortest counts, and of those the
//! first. Items of the standard library are told by where they are defined, which is often private.

use super::item::{Crate, Id, ItemEnum};
use std::collections::{HashMap, HashSet, VecDeque};

/// The path of every item that can be named.
#[derive(Debug, Default)]
pub(super) struct Paths {
    local: HashMap<Id, String>,
}

impl Paths {
    /// Walks through the public modules of a crate.
    pub(super) fn of(document: &Crate, name: &str) -> Paths {
        let mut paths = Paths::default();
        let mut seen = HashSet::new();
        let mut modules = VecDeque::from([(document.root, name.to_string())]);
        while let Some((module, path)) = modules.pop_front() {
            if !seen.insert((module, path.clone())) || path.matches("::").count() > DEEPEST {
                continue;
            }
            let Some(ItemEnum::Module(content)) = document.index.get(&module).map(|item| &item.inner) else {
                continue;
            };
            for id in &content.items {
                let Some(item) = document.index.get(id) else { continue };
                match &item.inner {
                    ItemEnum::Use(used) if used.is_glob => {
                        modules.extend(used.id.map(|target| (target, path.clone())));
                    }
                    ItemEnum::Use(used) => {
                        if let Some(target) = used.id {
                            paths.add(target, &path, &used.name, &mut modules);
                        }
                    }
                    _ => paths.add(*id, &path, item.name.as_deref().unwrap_or_default(), &mut modules),
                }
            }
        }
        paths
    }

    fn add(&mut self, id: Id, module: &str, name: &str, modules: &mut VecDeque<(Id, String)>) {
        let path = format!("{module}::{}", identifier(name));
        modules.push_back((id, path.clone()));
        let known = self.local.entry(id).or_insert_with(|| path.clone());
        if path.matches("::").count() < known.matches("::").count() {
            *known = path;
        }
    }

    /// The path of an item of the crate, or of one that it re-exports.
    pub(super) fn local(&self, id: Id) -> Option<&str> {
        self.local.get(&id).map(String::as_str)
    }
}

/// Words that are names only behind `r#`, in some edition. Rustdoc tells names without it.
const KEYWORDS: &str = "abstract as async await become box break const continue do dyn else enum extern false final \
    fn for gen if impl in let loop macro match mod move mut override priv pub ref return static struct trait true try \
    type typeof unsafe unsized use virtual where while yield";

/// A name as Rust has it.
pub(super) fn identifier(name: &str) -> String {
    match KEYWORDS.split_whitespace().any(|word| word == name) {
        true => format!("r#{name}"),
        false => name.to_string(),
    }
}

/// Modules deeper than this are reached by going in circles.
const DEEPEST: usize = 8;

/// The types at the top of the module `collections`.
const COLLECTIONS: [&str; 9] = [
    "HashMap",
    "HashSet",
    "BTreeMap",
    "BTreeSet",
    "VecDeque",
    "BinaryHeap",
    "LinkedList",
    "Bound",
    "TryReserveError",
];

/// The public path of an item of the standard library, by where it is defined.
pub(super) fn standard(defined: &[String]) -> String {
    let words: Vec<&str> = defined.iter().map(String::as_str).collect();
    let name = words.last().copied().unwrap_or_default();
    match &words[..] {
        [_, "collections", ..] if COLLECTIONS.contains(&name) => format!("std::collections::{name}"),
        [_, "collections", "hash" | "btree", part, ..] if words.len() > 4 => {
            format!("std::collections::{}_{part}::{name}", words[2])
        }
        [_, "collections", part, ..] => format!("std::collections::{part}::{name}"),
        [_, "sync", part @ ("atomic" | "mpsc"), ..] => format!("std::sync::{part}::{name}"),
        [_, "os", ..] => format!("std::{}", words[1..].join("::")),
        [_, module, _, ..] => format!("std::{module}::{name}"),
        _ => format!("std::{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_a_keyword_has_its_mark() {
        assert_eq!(["try", "gen", "tries", "self"].map(identifier), ["r#try", "r#gen", "tries", "self"]);
    }

    #[test]
    fn items_of_the_standard_library_get_their_public_paths() {
        let public = |path: &str| standard(&path.split("::").map(str::to_string).collect::<Vec<_>>());
        assert_eq!(public("alloc::vec::Vec"), "std::vec::Vec");
        assert_eq!(public("alloc::vec::into_iter::IntoIter"), "std::vec::IntoIter");
        assert_eq!(public("std::collections::hash::map::HashMap"), "std::collections::HashMap");
        assert_eq!(public("std::collections::hash::map::Entry"), "std::collections::hash_map::Entry");
        assert_eq!(public("alloc::collections::btree::set::Iter"), "std::collections::btree_set::Iter");
        assert_eq!(public("core::iter::traits::iterator::Iterator"), "std::iter::Iterator");
        assert_eq!(public("core::sync::atomic::AtomicU8"), "std::sync::atomic::AtomicU8");
        assert_eq!(public("core::ops::range::RangeBounds"), "std::ops::RangeBounds");
    }
}
