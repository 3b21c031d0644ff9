//! The schema of a C program: every mutation of its files behind a run-time switch, in one build.
//!
//! A [`source`] is a file as the preprocessor sees it. Its declarations make [`scope`]s, a [`walk`] over its functions
//! finds sites, [`expression`] has the operators, [`emit`] writes the mutated file, and [`refusal`] drops what the
//! compiler does not take.
//!
//! **Invariant:** only functions of the user's files are changed, and with all switches off they do what they did.

mod emit;
mod expression;
mod refusal;
mod scope;
pub(crate) mod source;
mod walk;

use super::mutation::{Mutant, Mutations, SourceFile};
use super::operator::Operators;
use emit::{Emitted, Input};
use source::{Macros, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use tree_sitter::{Node, Parser, Tree};
use walk::{Function, Walker};

/// A file of the user, and what the preprocessor says of it.
#[derive(Debug)]
pub(crate) struct File {
    /// The path below the folder of the program.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) source: Source,
    pub(crate) macros: Macros,
}

/// The parts of a mutated file besides its sites.
#[derive(Debug)]
struct Frame {
    base: String,
    /// The beginnings of bodies of loops.
    loops: Vec<usize>,
}

/// All mutations of a program, and what the compiler said of them.
#[derive(Debug, Default)]
pub(crate) struct Schema {
    pub(crate) mutations: Mutations,
    frames: Vec<Frame>,
    refused: BTreeSet<Mutant>,
    emitted: Vec<Emitted>,
}

impl Schema {
    /// Finds the mutations of some files.
    pub(crate) fn read(files: Vec<File>, operators: Operators) -> Schema {
        let mut schema = Schema::default();
        let mut left_out: BTreeMap<&'static str, usize> = BTreeMap::new();
        for (number, file) in files.into_iter().enumerate() {
            let places = source::untyped(&file.source.code, &file.macros);
            let text = typed(&file.source.code, &places);
            let tree = parsed(&text);
            let names = scope::Names::read(tree.root_node(), &text, &file.macros);
            let original = |byte: usize| {
                let before =
                    places.iter().enumerate().filter(|(count, place)| *place + count * INT.len() < byte);
                byte - before.count() * INT.len()
            };
            let mut walker = Walker {
                file: number,
                text: &text,
                names: &names,
                macros: &file.macros,
                operators,
                original: &original,
                literals: distinct(tree.root_node(), &text, "number_literal"),
                named: named(&file, &names, tree.root_node(), &text),
                function: Function::default(),
                sites: Vec::new(),
                loops: Vec::new(),
                left_out: std::mem::take(&mut left_out),
            };
            walker.file(tree.root_node());
            left_out = walker.left_out;
            schema.mutations.sites.extend(walk::in_order(walker.sites));
            schema.frames.push(Frame { base: file.source.base, loops: walker.loops });
            schema.mutations.files.push(SourceFile { path: file.path, text: file.text });
        }
        schema.mutations.left_out =
            left_out.into_iter().map(|(reason, count)| (reason.to_string(), count)).collect();
        schema
    }

    /// Returns the mutants that the compiler has not refused.
    pub(crate) fn mutants(&self) -> Vec<Mutant> {
        self.mutations.mutants().into_iter().filter(|mutant| !self.refused.contains(mutant)).collect()
    }

    /// Returns the text of every mutated file, with the mutants that are not refused.
    pub(crate) fn written(&mut self) -> Vec<&str> {
        let sites = self.mutations.sites.len();
        self.emitted = (0..self.frames.len())
            .map(|number| {
                let own = self.mutations.sites.iter().enumerate().filter(|(_, site)| site.file == number);
                let input = Input {
                    base: &self.frames[number].base,
                    sites: own.collect(),
                    loops: &self.frames[number].loops,
                    count: sites,
                };
                emit::emit(&input, &|mutant| !self.refused.contains(&mutant))
            })
            .collect();
        self.emitted.iter().map(|emitted| emitted.text.as_str()).collect()
    }
}

/// The type that old C leaves out.
const INT: &str = "int ";

/// Returns the text with the types that old C leaves out.
fn typed(code: &str, places: &[usize]) -> String {
    let mut text = code.to_string();
    places.iter().rev().for_each(|place| text.insert_str(*place, INT));
    text
}

/// Parses C; what cannot be parsed is marked in the tree.
fn parsed(text: &str) -> Tree {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_c::LANGUAGE.into())
        .expect("the grammar is of the version of the parser");
    parser.parse(text, None).expect("there is no limit of time")
}

/// Returns the distinct texts of the nodes of a kind, in their order.
fn distinct(root: Node<'_>, text: &str, kind: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for node in scope::descendants(root, kind) {
        let own = &text[node.byte_range()];
        if !found.iter().any(|known| known == own) {
            found.push(own.to_string());
        }
    }
    found
}

/// Returns the constants with a name that the file uses or defines: of enumerations, and macros that are numbers.
fn named(file: &File, names: &scope::Names, root: Node<'_>, text: &str) -> Vec<String> {
    let mut found = names.constants.clone();
    let used = distinct(root, text, "identifier");
    let defined = file.source.base.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
    let defined = defined.filter_map(|line| line.trim_start().strip_prefix("define"));
    let defined = defined.filter_map(|rest| source::words(rest).next().map(str::to_string));
    for name in defined.chain(used) {
        let is_number = |body: &String| {
            let bare = body.trim_start_matches(['(', '-', ' ']);
            bare.starts_with(|letter: char| letter.is_ascii_digit() || letter == '\'')
        };
        if !found.contains(&name) && file.macros.objects.get(&name).is_some_and(is_number) {
            found.push(name);
        }
    }
    found
}

#[cfg(test)]
mod tests;
