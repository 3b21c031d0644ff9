//! Mutant schemata for Rust: one source that contains every mutant of a library behind a run-time switch.
//!
//! **Invariant:** the user's own files are read and never written.

pub(crate) mod cfg;
mod emit;
mod expression;
mod file;
mod insertion;
mod kind;
mod refusal;
mod table;
#[cfg(test)]
mod tests;
mod walk;

use super::mutation::{Mutant, Mutations, Site, SourceFile};
use super::operator::Operators;
use anyhow::{Context, Result};
use cfg::Cfg;
use emit::{Emitted, Input};
use file::Parsed;
use kind::Tables;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned;
use syn::visit::Visit;
use walk::Walker;

/// The parts of a file that are read besides its mutations.
#[derive(Debug, Default)]
struct Frame {
    /// The beginnings of the bodies of loops.
    loops: Vec<usize>,
    /// The bodies of functions.
    bodies: Vec<Range<usize>>,
    /// The words that are replaced: levels of lints.
    words: Vec<(Range<usize>, String)>,
}

/// The schema of a library.
#[derive(Debug)]
pub(crate) struct Schema {
    pub(crate) mutations: Mutations,
    frames: Vec<Frame>,
    emitted: Vec<Emitted>,
    /// The roots of other programs of the package that compile a file of the library once more. Each gets a table of
    /// switches, too.
    pub(crate) sharing: Vec<SourceFile>,
    /// The mutants that the compiler has refused.
    pub(crate) refused: BTreeSet<Mutant>,
}

impl Schema {
    /// Reads the library of a package, whose other programs and tests have these roots.
    pub(crate) fn read(
        package: &Path,
        root: &Path,
        others: &[PathBuf],
        cfg: &Cfg,
        operators: Operators,
    ) -> Result<Schema> {
        let parsed = file::read(package, root, cfg)?;
        let mut tables = Tables::default();
        parsed.iter().for_each(|parsed| tables.read(&parsed.syntax));
        let mut schema = Schema {
            mutations: Mutations::default(),
            frames: Vec::new(),
            emitted: Vec::new(),
            sharing: Vec::new(),
            refused: BTreeSet::new(),
        };
        let mut left_out = BTreeMap::new();
        for (number, Parsed { file, syntax }) in parsed.into_iter().enumerate() {
            let mut walker = Walker {
                file: number,
                text: &file.text,
                tables: &tables,
                cfg,
                operators,
                sites: Vec::new(),
                loops: Vec::new(),
                bodies: Vec::new(),
                left_out: std::mem::take(&mut left_out),
                scope: kind::Scope::default(),
                donors: insertion::Donors::default(),
                around: Vec::new(),
                is_place: false,
                is_loop: false,
                is_compared: false,
            };
            syntax.items.iter().for_each(|item| walker.visit_item(item));
            left_out = walker.left_out;
            let frame =
                Frame { loops: walker.loops, bodies: walker.bodies, words: lints(&syntax, &file.text) };
            schema.mutations.sites.extend(in_order(walker.sites));
            schema.frames.push(frame);
            schema.mutations.files.push(file);
        }
        schema.mutations.left_out =
            left_out.into_iter().map(|(reason, count)| (reason.to_string(), count)).collect();
        schema.sharing = file::sharing(package, others, cfg, &schema.mutations.files)?;
        Ok(schema)
    }

    /// Keeps only some mutants.
    pub(crate) fn retain(&mut self, is_wanted: &dyn Fn(&Mutations, Mutant) -> bool) {
        self.mutations.retain(is_wanted);
    }

    /// Returns the mutants that the compiler has not refused.
    pub(crate) fn mutants(&self) -> Vec<Mutant> {
        self.mutations.mutants().into_iter().filter(|mutant| !self.refused.contains(mutant)).collect()
    }

    /// Writes the schema over a copy of the package.
    pub(crate) fn write(&mut self, copy: &Path) -> Result<()> {
        self.emitted = (0..self.frames.len()).map(|number| self.emit(number)).collect();
        let table = table::module(self.mutations.sites.len());
        for (number, emitted) in self.emitted.iter().enumerate() {
            let path = copy.join(&self.mutations.files[number].path);
            let table = if number == 0 { table.as_str() } else { "" };
            write_changed(&path, &format!("{}{table}", emitted.text))?;
        }
        for root in &self.sharing {
            write_changed(&copy.join(&root.path), &format!("{}{table}", root.text))?;
        }
        Ok(())
    }

    fn emit(&self, number: usize) -> Emitted {
        let frame = &self.frames[number];
        let sites = self.mutations.sites.iter().enumerate();
        let input = Input {
            text: &self.mutations.files[number].text,
            sites: sites.filter(|(_, site)| site.file == number).collect(),
            loops: &frame.loops,
            words: &frame.words,
        };
        emit::emit(&input, &|mutant| !self.refused.contains(&mutant))
    }

    /// Returns the number of the file that the compiler calls by a path.
    fn file(&self, named: &str) -> Option<usize> {
        let named = PathBuf::from(named);
        self.mutations.files.iter().position(|file| named.ends_with(&file.path))
    }
}

/// Writes a file, unless it is there as it is to be: Cargo builds again what has changed.
pub(crate) fn write_changed(path: &Path, text: &str) -> Result<()> {
    if std::fs::read_to_string(path).is_ok_and(|known| known == text) {
        return Ok(());
    }
    std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}

/// Returns sites in the order of the source.
fn in_order(mut sites: Vec<Site>) -> Vec<Site> {
    sites.sort_by_key(|site| (site.span.start, site.span.end));
    sites
}

/// Lints that no mutant is to trip over: those that are errors by default, and all warnings.
const ALLOWED: &str = "warnings, overflowing_literals, arithmetic_overflow, unconditional_panic, \
                       unconditional_recursion, invalid_nan_comparisons, useless_deprecated, \
                       bindings_with_variant_name, enum_intrinsics_non_enums, let_underscore_lock";

/// Returns the words that make every lint of a file silent.
fn lints(file: &syn::File, text: &str) -> Vec<(Range<usize>, String)> {
    struct Levels(Vec<Range<usize>>);
    impl<'ast> Visit<'ast> for Levels {
        fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
            let path = attribute.path();
            if ["deny", "forbid", "warn", "expect"].iter().any(|level| path.is_ident(level)) {
                self.0.push(path.span().byte_range());
            }
        }
    }
    let mut levels = Levels(Vec::new());
    levels.visit_file(file);
    let mut words: Vec<(Range<usize>, String)> =
        levels.0.into_iter().map(|span| (span, "allow".to_string())).collect();
    let place = file.attrs.last().map(|last| last.span().byte_range().end);
    let place = place
        .unwrap_or_else(|| if text.starts_with("#!") && !text.starts_with("#![") { text.len() } else { 0 });
    words.push((place..place, format!("\n#![allow({ALLOWED})]\n")));
    words
}
