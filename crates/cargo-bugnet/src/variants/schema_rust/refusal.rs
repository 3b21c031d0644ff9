//! Refusals: which mutants the compiler does not accept, by what it says.
//!
//! **Invariant:** every error drops at least one mutant, or the errors are not about mutants at all.

use super::super::mutation::Mutant;
use super::Schema;
use super::emit::Owner;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticSpan};
use std::collections::BTreeSet;
use std::ops::Range;

/// A part of an emitted file that an error is about.
#[derive(Debug, Clone)]
struct Part {
    file: usize,
    bytes: Range<usize>,
    is_primary: bool,
}

impl Schema {
    /// Drops the mutants that errors are about, and returns how many; none if the errors have other causes.
    pub(crate) fn refuse(&mut self, errors: &[Diagnostic]) -> usize {
        let refused: BTreeSet<Mutant> = errors.iter().flat_map(|error| self.blamed(error)).collect();
        let before = self.refused.len();
        self.refused.extend(refused);
        self.refused.len() - before
    }

    /// Returns the mutants that an error is about. An alternative that the error names anywhere is to blame; then the
    /// site around the error, the sites inside of it, and at last the whole function.
    fn blamed(&self, error: &Diagnostic) -> Vec<Mutant> {
        let mut parts: Vec<Part> = error.spans.iter().filter_map(|span| self.part(span)).collect();
        if parts.is_empty() {
            self.noted(error, &mut parts);
        }
        parts.sort_by_key(|part| !part.is_primary);
        let owners: Vec<Owner> =
            parts.iter().filter_map(|part| self.emitted[part.file].owner(&part.bytes)).collect();
        let alternatives: Vec<Mutant> = owners
            .iter()
            .filter_map(|owner| match owner {
                Owner::Alternative(mutant) => Some(*mutant),
                Owner::Site(_) => None,
            })
            .collect();
        if !alternatives.is_empty() {
            return alternatives;
        }
        let sites = owners.iter().filter_map(|owner| match owner {
            Owner::Site(site) => Some(*site),
            Owner::Alternative(_) => None,
        });
        let around: Vec<Mutant> = sites.flat_map(|site| self.left(site)).collect();
        if !around.is_empty() {
            return around;
        }
        let inside = parts.iter().flat_map(|part| self.emitted[part.file].inside(&part.bytes));
        let inside: Vec<Mutant> = inside.flat_map(|site| self.left(site)).collect();
        if !inside.is_empty() {
            return inside;
        }
        parts.iter().find_map(|part| self.function(part)).unwrap_or_default()
    }

    /// Returns the mutants of a site that were not refused yet.
    fn left(&self, site: usize) -> Vec<Mutant> {
        let alternatives = 1..=self.mutations.sites[site].alternatives.len();
        let all = alternatives.map(|alternative| Mutant { site, alternative });
        all.filter(|mutant| !self.refused.contains(mutant)).collect()
    }

    /// Returns the mutants of the smallest function around a part; `None` if it has none left.
    fn function(&self, part: &Part) -> Option<Vec<Mutant>> {
        let byte = self.emitted[part.file].original(part.bytes.start);
        let around = self.frames[part.file].bodies.iter().filter(|body| body.contains(&byte));
        let body = around.min_by_key(|body| body.len())?;
        let sites = self.mutations.sites.iter().enumerate();
        let inside = sites.filter(|(_, site)| {
            site.file == part.file && body.start <= site.span.start && site.span.end <= body.end
        });
        let found: Vec<Mutant> = inside.flat_map(|(number, _)| self.left(number)).collect();
        (!found.is_empty()).then_some(found)
    }

    /// Adds the parts that the notes of an error name.
    fn noted(&self, error: &Diagnostic, found: &mut Vec<Part>) {
        for child in &error.children {
            found.extend(child.spans.iter().filter_map(|span| self.part(span)));
            self.noted(child, found);
        }
    }

    /// Returns the part of a span, or of what was expanded to it.
    fn part(&self, span: &DiagnosticSpan) -> Option<Part> {
        match self.file(&span.file_name) {
            Some(file) => {
                let bytes = span.byte_start as usize..span.byte_end as usize;
                Some(Part { file, bytes, is_primary: span.is_primary })
            }
            None => self.part(&span.expansion.as_ref()?.span),
        }
    }
}
