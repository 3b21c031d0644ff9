//! Values: what a crate lets its users have without calling a function: constants, variants, structs,
//! fields, copies and the parts of tuples.

use super::argument::Arguments;
use super::call::Form;
use super::candidate::{Origin, Variant};
use super::expression::{Expression, Pass};
use super::form;
use super::generator::Generator;
use super::outcome::{self, Holding, Outcome, Wrap};
use crate::api::{Assignment, Block, Bound, Facts, Generics, Kind};

impl Generator<'_> {
    /// Proposes what is no function.
    pub(super) fn values(&mut self) {
        for (path, kind) in &self.api.constants {
            let kind = self.solver.normal(kind);
            let form = Form::Value { path: path.clone(), fields: Vec::new() };
            self.value(self.own_name(path), form, &[], &kind);
        }
        let all: Vec<Kind> = self.instances.values().flatten().cloned().collect();
        for kind in all.iter().filter(|kind| !self.solver.is_unsized(kind)) {
            self.constructors(kind);
            self.fields(kind);
            self.contents(kind);
            self.copied(kind);
        }
        self.projections();
    }

    pub(super) fn constants(&mut self, block: &Block, given: &Assignment, subject: &Kind) {
        let owner = self.owner_name(subject);
        for (name, kind) in &block.constants {
            let kind = self.solver.normal(&kind.assigned(given));
            let path = match &block.of {
                Some(of) => form::qualified(subject, &of.assigned(given)),
                None => subject.prefix(),
            };
            let form = Form::Value { path: format!("{path}::{name}"), fields: Vec::new() };
            self.value(format!("{owner}::{name}"), form, &[], &kind);
        }
    }

    /// Proposes an operation that makes a value of a type if later calls can use it.
    fn value(&mut self, name: String, form: Form, arguments: &[Expression], kind: &Kind) {
        self.value_with(name, form, arguments, kind, &Facts::default());
    }

    /// The same, of which something is known.
    fn value_with(&mut self, name: String, form: Form, arguments: &[Expression], kind: &Kind, facts: &Facts) {
        if !outcome::is_kept(kind) {
            return;
        }
        let outcome = Outcome::Kept {
            kind: kind.clone(),
            wrap: Wrap::Bare,
            holding: Holding::Owned,
            leased: kind.borrows(),
        };
        let variant = Variant::new(&form, arguments, outcome);
        self.add(name, Origin::Value, facts, false, vec![(String::new(), vec![variant])]);
    }

    /// Variants of enums, and structs with public fields.
    fn constructors(&mut self, kind: &Kind) {
        let Some(definition) = kind.path().and_then(|path| self.api.definitions.get(path)) else { return };
        let names = definition.generics.variables.iter().map(|variable| variable.name.clone());
        let given: Assignment = names.zip(kind.arguments().into_iter().cloned()).collect();
        let owner = self.owner_name(kind);
        for constructor in &definition.constructors {
            let none = Generics::default();
            let arguments = Arguments { solver: self.solver, generics: &none, leased: kind.borrows() };
            let fields = constructor.fields.iter().map(|(name, field)| {
                let field = self.solver.normal(&field.assigned(&given));
                arguments.of(name.as_deref().unwrap_or("value"), &field).into_iter().next()
            });
            let Some(fields) = fields.collect::<Option<Vec<Expression>>>() else { continue };
            let is_named = constructor.fields.iter().any(|(name, _)| name.is_some());
            // Values of bytes may come from anywhere, and are to be expected.
            let has_bytes = constructor.fields.iter().any(|(_, field)| field.assigned(&given).holds_bytes());
            let written_out = is_named && constructor.variant.is_none() && !has_bytes;
            let facts = Facts { fields: is_named, written_out, ..Facts::default() };
            let names = constructor.fields.iter().map(|(name, _)| name.clone()).collect();
            let (path, name) = match &constructor.variant {
                Some(variant) => (format!("{}::{variant}", kind.prefix()), format!("{owner}::{variant}")),
                None => (kind.prefix(), owner.clone()),
            };
            self.value_with(name, Form::Value { path, fields: names }, &fields, kind, &facts);
        }
    }

    /// The public fields of a struct, by reference.
    fn fields(&mut self, kind: &Kind) {
        let Some(definition) = kind.path().and_then(|path| self.api.definitions.get(path)) else { return };
        let names = definition.generics.variables.iter().map(|variable| variable.name.clone());
        let given: Assignment = names.zip(kind.arguments().into_iter().cloned()).collect();
        for (name, field) in &definition.fields {
            let field = self.solver.normal(&field.assigned(&given));
            let owner = self.owner_name(kind);
            if outcome::is_kept(&field) {
                let whole = Expression::leaf("self", kind, Pass::Shared);
                let outcome =
                    Outcome::Kept { kind: field, wrap: Wrap::Bare, holding: Holding::Shared, leased: true };
                let variant = Variant::new(&Form::Pattern(format!("&§.{name}")), &[whole], outcome);
                let found = vec![(String::new(), vec![variant])];
                self.add(format!("{owner}.{name}"), Origin::Value, &Facts::default(), false, found);
            }
        }
    }

    /// Proposes the values that the variants of an enum hold, such as the entry in `Entry::Vacant`.
    fn contents(&mut self, kind: &Kind) {
        let Some(definition) = kind.path().and_then(|path| self.api.definitions.get(path)) else { return };
        let names = definition.generics.variables.iter().map(|variable| variable.name.clone());
        let given: Assignment = names.zip(kind.arguments().into_iter().cloned()).collect();
        let (owner, path) = (self.owner_name(kind), kind.path().unwrap_or_default());
        for constructor in &definition.constructors {
            let Some(variant) = &constructor.variant else { continue };
            for (place, (name, field)) in constructor.fields.iter().enumerate() {
                let field = self.solver.normal(&field.assigned(&given));
                if !outcome::is_kept(&field) {
                    continue;
                }
                let pattern = match name {
                    Some(name) => format!("{{ {name}: x, .. }}"),
                    None => format!("({}x, ..)", "_, ".repeat(place)),
                };
                let form =
                    Form::Pattern(format!("match § {{ {path}::{variant}{pattern} => Some(x), _ => None }}"));
                let whole = Expression::leaf("self", kind, Pass::Taken);
                let leased = field.borrows();
                let outcome =
                    Outcome::Kept { kind: field, wrap: Wrap::Option, holding: Holding::Owned, leased };
                let found = vec![(String::new(), vec![Variant::new(&form, &[whole], outcome)])];
                let name = format!("{owner}::{variant}.{}", name.clone().unwrap_or(place.to_string()));
                self.add(name, Origin::Value, &Facts::default(), false, found);
            }
        }
    }

    /// A copy of a value, since many calls use values up.
    fn copied(&mut self, kind: &Kind) {
        if self.solver.holds(kind, &Bound::named("std::clone::Clone")) == Some(false) {
            return;
        }
        let original = Expression::leaf("self", kind, Pass::Shared);
        let name = format!("{}::clone", self.owner_name(kind));
        self.value(name, Form::Pattern("§.clone()".to_string()), &[original], kind);
    }

    /// The parts of results that are tuples.
    fn projections(&mut self) {
        let mut tuples: Vec<Kind> = Vec::new();
        for candidate in &self.candidates {
            for variant in &candidate.variants {
                if let Outcome::Kept { kind: kind @ Kind::Tuple(_), holding: Holding::Owned, .. } =
                    &variant.outcome
                    && !tuples.contains(kind)
                {
                    tuples.push(kind.clone());
                }
            }
        }
        for tuple in tuples {
            let Kind::Tuple(parts) = &tuple else { continue };
            for (place, part) in parts.iter().enumerate() {
                let whole = Expression::leaf("pair", &tuple, Pass::Taken);
                let form = Form::Pattern(format!("§.{place}"));
                self.value(format!("{}.{place}", tuple.short()), form, &[whole], part);
            }
        }
    }
}
