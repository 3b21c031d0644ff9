//! The public API of a crate, as rustdoc tells it.
//!
//! [`document`] has rustdoc write it, [`item`] is what it writes, [`path`] finds how users name each item, [`reader`] turns
//! rustdoc's items into ours: [`Kind`]s, [`Bound`]s, [`Function`]s, [`Definition`]s and [`Block`]s.
//!
//! **Invariant:** only what a user can name is in it, and rustdoc's own types stay in this folder.

mod block;
mod bound;
mod document;
mod fact;
mod function;
mod item;
mod kind;
mod path;
mod reader;
mod stated;

pub(crate) use block::{Alias, Block, Definition, Trait};
pub(crate) use bound::{Bound, Generics, Variable};
pub(crate) use document::{Document, Rustdoc, exec_rustdoc};
pub(crate) use fact::{Facts, Law, Promise};
pub(crate) use function::Function;
pub(crate) use kind::{Assignment, Kind, Lifetimes};
pub(crate) use stated::Stated;

use std::collections::{BTreeMap, BTreeSet};

/// The public API of a crate.
#[derive(Debug, Default)]
pub(crate) struct Api {
    /// The name of the crate in Rust.
    pub(crate) name: String,
    /// Structs, enums and unions by path.
    pub(crate) definitions: BTreeMap<String, Definition>,
    /// Types that have a name with other parameters: what a user writes is often that.
    pub(crate) aliases: Vec<Alias>,
    /// The paths by which users name items, by the paths of their definitions.
    pub(crate) names: BTreeMap<String, String>,
    /// Traits by path.
    pub(crate) traits: BTreeMap<String, Trait>,
    /// Impl blocks, in the order of the source.
    pub(crate) blocks: Vec<Block>,
    /// Free functions, with the paths of their modules.
    pub(crate) functions: Vec<(String, Function)>,
    /// Constants and statics that are no part of a block, by path.
    pub(crate) constants: Vec<(String, Kind)>,
    /// The documentation of all items.
    pub(crate) docs: Vec<String>,
    /// Other crates whose items are named.
    pub(crate) crates: BTreeSet<String>,
}

impl Api {
    /// Returns true if a type is defined in the crate.
    pub(crate) fn is_local(&self, path: &str) -> bool {
        self.definitions.contains_key(path)
    }

    /// Returns true if most of its functions are generic, and so are compiled with the code that calls them.
    pub(crate) fn is_generic(&self) -> bool {
        let is_open = |generics: &Generics| !generics.variables.is_empty();
        let free = self.functions.iter().map(|(_, function)| is_open(&function.generics));
        let of_blocks = self.blocks.iter().flat_map(|block| {
            let is_generic = is_open(&block.generics);
            block.functions.iter().map(move |function| is_generic || is_open(&function.generics))
        });
        let (generic, others): (Vec<bool>, Vec<bool>) = free.chain(of_blocks).partition(|is| *is);
        generic.len() > others.len()
    }

    /// Returns true if any part of a type is defined in the crate.
    pub(crate) fn is_about(&self, kind: &Kind) -> bool {
        kind.any(&mut |part| part.path().is_some_and(|path| self.is_local(path)))
    }
}

#[cfg(test)]
pub(crate) mod tests;
