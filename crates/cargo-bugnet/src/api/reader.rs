//! The reader: turns the items of rustdoc into ours.

mod kind;

use super::Api;
use super::block::{Alias, Block, Constructor, Definition, Trait};
use super::bound::{Bound, Generics, Variable};
use super::document::Document;
use super::fact::{Facts, is_said_to_panic};
use super::function::Function;
use super::item as doc;
use super::item::{Id, Item, ItemEnum};
use super::kind::{Assignment, Kind};
use super::path::{self, Paths};
use kind::{counts_from_one, is_size, is_unsized, may_be_number};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

impl Document {
    /// The API that the document tells of. Of other crates it tells where an item is defined, which may be
    /// in a private module; `is_public` says whether a path can be used as it is.
    pub(crate) fn api(&self, is_public: &dyn Fn(&[String]) -> bool) -> Api {
        self.api_beside(is_public, None)
    }

    /// The same of a crate that names items of another one, whose API was read before.
    pub(crate) fn api_beside(&self, is_public: &dyn Fn(&[String]) -> bool, beside: Option<&Api>) -> Api {
        let document = &self.content;
        let root = document.index.get(&document.root);
        let name = root.and_then(|root| root.name.clone()).unwrap_or_default();
        let reader = Reader {
            is_public,
            beside,
            document,
            paths: Paths::of(document, &name),
            name: name.clone(),
            crates: RefCell::default(),
        };
        let mut api = Api::default();
        for item in reader.items() {
            reader.add(item, &mut api);
        }
        api.docs = reader.docs();
        api.names = reader.names();
        api.name = name;
        api.crates = reader.crates.into_inner();
        api
    }
}

struct Reader<'a> {
    is_public: &'a dyn Fn(&[String]) -> bool,
    /// Another crate, whose items are named as its users name them.
    beside: Option<&'a Api>,
    document: &'a doc::Crate,
    paths: Paths,
    name: String,
    /// Other crates whose items were named.
    crates: RefCell<BTreeSet<String>>,
}

impl Reader<'_> {
    /// All items of the crate, in the order of the source.
    fn items(&self) -> Vec<&Item> {
        let mut items: Vec<&Item> = self.document.index.values().filter(|item| item.crate_id == 0).collect();
        let place = |item: &Item| item.span.as_ref().map(|span| (span.filename.clone(), span.begin));
        items.sort_by_key(|item| (place(item), item.id.0));
        items
    }

    fn add(&self, item: &Item, api: &mut Api) {
        let path = self.paths.local(item.id);
        match (&item.inner, path) {
            (ItemEnum::Struct(inner), Some(path)) => {
                let definition = self.structure(item, inner);
                api.definitions.insert(path.to_string(), definition);
            }
            (ItemEnum::Enum(inner), Some(path)) => {
                let constructors = inner.variants.iter().filter_map(|id| self.variant(*id)).collect();
                let generics = self.generics(&inner.generics);
                let definition = Definition { generics, constructors, fields: Vec::new() };
                api.definitions.insert(path.to_string(), definition);
            }
            (ItemEnum::Union(inner), Some(path)) => {
                let generics = self.generics(&inner.generics);
                let definition = Definition { generics, constructors: Vec::new(), fields: Vec::new() };
                api.definitions.insert(path.to_string(), definition);
            }
            (ItemEnum::TypeAlias(inner), Some(path)) => {
                let generics = self.generics(&inner.generics);
                match self.kind(&inner.type_) {
                    // It is the only name of its type.
                    Kind::Unknown(_) if is_unsized(&inner.type_) => {}
                    Kind::Unknown(_) => {
                        let definition =
                            Definition { generics, constructors: Vec::new(), fields: Vec::new() };
                        api.definitions.insert(path.to_string(), definition);
                    }
                    kind => api.aliases.push(Alias { path: path.to_string(), generics, kind }),
                }
            }
            (ItemEnum::Trait(inner), Some(path)) => {
                api.traits.insert(path.to_string(), self.declared(item, inner));
            }
            (ItemEnum::Function(inner), Some(path)) => {
                api.functions.push((path.to_string(), self.function(item, inner)));
            }
            (ItemEnum::Constant(inner), Some(path)) => {
                api.constants.push((path.to_string(), self.kind(&inner.type_)));
            }
            (ItemEnum::Static(inner), Some(path)) if !inner.is_mutable && !inner.is_unsafe => {
                api.constants.push((path.to_string(), self.kind(&inner.type_)));
            }
            (ItemEnum::Impl(inner), _) => api.blocks.extend(self.block(inner)),
            _ => {}
        }
    }

    fn structure(&self, item: &Item, inner: &doc::Struct) -> Definition {
        let is_closed = item.is_non_exhaustive();
        let (fields, is_whole): (Vec<(Option<String>, Kind)>, bool) = match &inner.kind {
            doc::StructKind::Unit => (Vec::new(), true),
            doc::StructKind::Tuple(fields) => {
                let known = fields.iter().flatten().filter_map(|id| self.field(*id));
                let known: Vec<_> = known.map(|(_, kind)| (None, kind)).collect();
                let is_whole = known.len() == fields.len();
                (known, is_whole)
            }
            doc::StructKind::Plain(plain) => {
                let known: Vec<_> = plain.fields.iter().filter_map(|id| self.field(*id)).collect();
                let is_whole = !plain.has_stripped_fields && known.len() == plain.fields.len();
                (known.into_iter().map(|(name, kind)| (Some(name), kind)).collect(), is_whole)
            }
            doc::StructKind::Other => (Vec::new(), false),
        };
        let named = match &inner.kind {
            doc::StructKind::Plain(plain) => plain.fields.iter().filter_map(|id| self.field(*id)).collect(),
            doc::StructKind::Tuple(fields) => {
                fields.iter().flatten().filter_map(|id| self.field(*id)).collect()
            }
            doc::StructKind::Unit | doc::StructKind::Other => Vec::new(),
        };
        let whole = Constructor { variant: None, fields };
        let constructors = if is_whole && !is_closed { vec![whole] } else { Vec::new() };
        Definition { generics: self.generics(&inner.generics), constructors, fields: named }
    }

    /// A public field.
    fn field(&self, id: Id) -> Option<(String, Kind)> {
        let item = self.document.index.get(&id)?;
        let ItemEnum::StructField(kind) = &item.inner else { return None };
        // The fields of variants have no visibility of their own.
        let is_public = matches!(item.visibility, doc::Visibility::Public | doc::Visibility::Default);
        is_public.then(|| Some((path::identifier(item.name.as_deref()?), self.kind(kind))))?
    }

    fn variant(&self, id: Id) -> Option<Constructor> {
        let item = self.document.index.get(&id)?;
        let ItemEnum::Variant(variant) = &item.inner else { return None };
        if item.is_non_exhaustive() {
            return None;
        }
        let fields: Option<Vec<(Option<String>, Kind)>> = match &variant.kind {
            doc::VariantKind::Plain => Some(Vec::new()),
            doc::VariantKind::Tuple(fields) => {
                fields.iter().map(|id| Some((None, self.field((*id)?)?.1))).collect()
            }
            doc::VariantKind::Struct(plain) if plain.has_stripped_fields => None,
            doc::VariantKind::Struct(plain) => {
                let named = |id: &Id| self.field(*id).map(|(name, kind)| (Some(name), kind));
                plain.fields.iter().map(named).collect()
            }
            doc::VariantKind::Other => None,
        };
        Some(Constructor { variant: item.name.clone(), fields: fields? })
    }

    fn declared(&self, item: &Item, inner: &doc::Trait) -> Trait {
        // Who is kept from implementing a trait, is so by a trait or a function that is not told of.
        let is_named = |bound: &doc::GenericBound| match bound {
            doc::GenericBound::TraitBound(bound) => self.bound(&bound.trait_).is_some(),
            doc::GenericBound::Other => true,
        };
        let mut declared = Trait {
            generics: self.generics(&inner.generics),
            demands: self.bounds(&inner.bounds).collect(),
            insists: Facts::of(item.docs.as_deref().unwrap_or_default(), false).insists,
            is_open: !inner.is_unsafe && !inner.is_auto && inner.bounds.iter().all(is_named),
            ..Trait::default()
        };
        for id in &inner.items {
            match self.document.index.get(id) {
                Some(item) => self.member(item, &mut declared),
                None => declared.is_open = false,
            }
        }
        declared
    }

    /// Adds what a trait has.
    fn member(&self, item: &Item, declared: &mut Trait) {
        let name = item.name.clone().unwrap_or_default();
        match &item.inner {
            ItemEnum::AssocType(inner) => {
                declared.is_open &= inner.generics.params.is_empty();
                declared.types.push((name, self.bounds(&inner.bounds).collect()));
            }
            ItemEnum::AssocConst(inner) if inner.value.is_none() => {
                declared.constants.push((name, self.kind(&inner.type_)));
            }
            ItemEnum::Function(function) if function.has_body => {
                declared.provided.push(self.function(item, function));
            }
            ItemEnum::Function(function) => {
                let function = self.function(item, function);
                declared.is_open &= function.is_callable();
                declared.insists |= function.facts.insists;
                declared.required.push(function);
            }
            _ => {}
        }
    }

    fn block(&self, inner: &doc::Impl) -> Option<Block> {
        if inner.is_negative || inner.is_synthetic || inner.blanket_impl.is_some() {
            return None;
        }
        let subject = self.kind(&inner.for_);
        let of = match &inner.trait_ {
            Some(path) => Some(self.bound(path)?),
            None => None,
        };
        let with_subject =
            |kind: Kind| kind.assigned(&Assignment::from([("Self".to_string(), subject.clone())]));
        let mut block = Block {
            generics: self.generics(&inner.generics),
            subject: subject.clone(),
            of,
            functions: Vec::new(),
            provided: Vec::new(),
            types: Vec::new(),
            constants: Vec::new(),
        };
        for item in inner.items.iter().filter_map(|id| self.document.index.get(id)) {
            let is_public = block.of.is_some() || matches!(item.visibility, doc::Visibility::Public);
            let Some(name) = item.name.clone().filter(|_| is_public) else { continue };
            match &item.inner {
                ItemEnum::Function(function) => block.functions.push(self.function(item, function)),
                ItemEnum::AssocType(doc::AssocType { type_: Some(kind), .. }) => {
                    block.types.push((name, with_subject(self.kind(kind))));
                }
                ItemEnum::AssocConst(inner) => {
                    block.constants.push((name, with_subject(self.kind(&inner.type_))));
                }
                _ => {}
            }
        }
        self.inherit(inner, &mut block.functions);
        if let doc::Type::ResolvedPath(path) = &inner.for_
            && let Some(docs) = self.document.index.get(&path.id).and_then(|item| item.docs.as_deref())
        {
            let said = block.functions.iter_mut().filter(|function| is_said_to_panic(docs, &function.name));
            said.for_each(|function| function.facts.documented_panic = true);
        }
        block.provided = self.provided(inner);
        let own: Vec<&str> = block.functions.iter().map(|function| function.name.as_str()).collect();
        block.provided.retain(|function| !own.contains(&function.name.as_str()));
        Some(block)
    }

    /// The declaration of the trait of a block, if the document has it.
    fn trait_of<'b>(&'b self, inner: &'b doc::Impl) -> Option<(&'b doc::Path, &'b doc::Trait)> {
        let path = inner.trait_.as_ref()?;
        match &self.document.index.get(&path.id)?.inner {
            ItemEnum::Trait(declared) => Some((path, declared)),
            _ => None,
        }
    }

    /// Copies the documented facts of a trait's functions to those of a block that have no documentation.
    fn inherit(&self, inner: &doc::Impl, functions: &mut [Function]) {
        let Some((_, declared)) = self.trait_of(inner) else { return };
        let items: Vec<&Item> = declared.items.iter().filter_map(|id| self.document.index.get(id)).collect();
        for function in functions.iter_mut().filter(|function| !function.facts.documented) {
            let declared = items
                .iter()
                .find(|item| item.name.as_deref().map(path::identifier).as_ref() == Some(&function.name));
            if let Some(docs) = declared.and_then(|item| item.docs.as_deref()) {
                let said = Facts::of(docs, function.facts.deprecated);
                function.facts = function.facts.signed(said);
            }
        }
    }

    /// The functions that a trait of the crate provides for a block.
    fn provided(&self, inner: &doc::Impl) -> Vec<Function> {
        let Some((path, declared)) = self.trait_of(inner) else { return Vec::new() };
        let arguments = self.bound(path).map(|bound| bound.arguments).unwrap_or_default();
        let generics = self.generics(&declared.generics);
        let named = |(variable, argument): (&Variable, &Kind)| (variable.name.clone(), argument.clone());
        let given: Assignment = generics.variables.iter().zip(&arguments).map(named).collect();
        let items = declared.items.iter().filter_map(|id| self.document.index.get(id));
        let functions = items.filter_map(|item| match &item.inner {
            ItemEnum::Function(function) => Some(self.function(item, function)),
            _ => None,
        });
        let functions = functions
            .filter(|function| {
                inner.provided_trait_methods.iter().any(|name| path::identifier(name) == function.name)
            })
            .map(|mut function| {
                for (_, kind) in &mut function.inputs {
                    *kind = kind.assigned(&given);
                }
                function.output = function.output.assigned(&given);
                function
            });
        functions.collect()
    }

    fn function(&self, item: &Item, inner: &doc::Function) -> Function {
        let inputs = inner.sig.inputs.iter().map(|(name, kind)| (name.clone(), self.kind(kind)));
        let inputs: Vec<(String, Kind)> = inputs.collect();
        let output = inner.sig.output.as_ref().map_or(Kind::unit(), |kind| self.kind(kind));
        let generics = self.generics(&inner.generics);
        let mut others = inputs.iter().filter(|(name, _)| name != "self").peekable();
        let given = others.peek().is_some();
        let sizes = others.clone().any(|(name, kind)| kind.is("usize") && is_size(name));
        let numbers = given && others.clone().all(|(_, kind)| may_be_number(kind));
        let from_one = others.clone().any(|(name, kind)| may_be_number(kind) && counts_from_one(name));
        let reads = others.any(|(_, kind)| kind.is_text(&generics));
        let is_called_on = inputs.iter().any(|(name, _)| name == "self");
        let searches = is_called_on && output.is("std::option::Option");
        Function {
            name: path::identifier(item.name.as_deref().unwrap_or_default()),
            is_unsafe: inner.header.is_unsafe,
            is_async: inner.header.is_async,
            facts: {
                let said = facts(item, &output);
                let from_one = from_one || said.from_one;
                Facts { given, reads, sizes, numbers, searches, from_one, ..said }
            },
            generics,
            inputs,
            output,
        }
    }

    fn generics(&self, inner: &doc::Generics) -> Generics {
        let mut generics = Generics::default();
        for parameter in &inner.params {
            let name = parameter.name.clone();
            match &parameter.kind {
                doc::ParameterKind::Lifetime(_) => generics.lifetimes += 1,
                // `impl Trait` is a type of its own where it stands.
                doc::ParameterKind::Type(inner) if inner.is_synthetic => {}
                doc::ParameterKind::Type(inner) => {
                    let parameter = Kind::Parameter(name.clone());
                    generics
                        .bounds
                        .extend(self.bounds(&inner.bounds).map(|bound| (parameter.clone(), bound)));
                    let default = inner.default.as_ref().map(|kind| self.kind(kind));
                    generics.variables.push(Variable { name, default, constant: None });
                }
                doc::ParameterKind::Const(inner) => {
                    let default = inner.default.as_deref().map(Kind::default_constant);
                    let constant = Some(self.kind(&inner.type_));
                    generics.variables.push(Variable { name, default, constant });
                }
                doc::ParameterKind::Other => {}
            }
        }
        for predicate in &inner.where_predicates {
            if let doc::WherePredicate::BoundPredicate(inner) = predicate {
                let kind = self.kind(&inner.type_);
                generics.bounds.extend(self.bounds(&inner.bounds).map(|bound| (kind.clone(), bound)));
            }
        }
        generics
    }

    fn bounds(&self, bounds: &[doc::GenericBound]) -> impl Iterator<Item = Bound> {
        bounds.iter().filter_map(|bound| match bound {
            doc::GenericBound::TraitBound(doc::TraitBound { trait_, modifier: doc::Modifier::None }) => {
                self.bound(trait_)
            }
            _ => None,
        })
    }

    fn bound(&self, path: &doc::Path) -> Option<Bound> {
        let name = self.path(path.id)?;
        let mut bound = Bound::named(&name);
        match path.args.as_deref() {
            Some(doc::GenericArgs::Parenthesized(doc::Parenthesized { inputs, output })) => {
                bound.arguments = vec![Kind::Tuple(inputs.iter().map(|kind| self.kind(kind)).collect())];
                let output = output.as_ref().map_or(Kind::unit(), |kind| self.kind(kind));
                bound.bindings = vec![("Output".to_string(), output)];
            }
            Some(doc::GenericArgs::AngleBracketed(doc::AngleBracketed { args, constraints })) => {
                bound.arguments = args.iter().map(|argument| self.argument(argument)).collect();
                let bindings = constraints.iter().filter_map(|constraint| match &constraint.binding {
                    doc::Binding::Equality(doc::Term::Type(kind)) => {
                        Some((constraint.name.clone(), self.kind(kind)))
                    }
                    _ => None,
                });
                bound.bindings = bindings.collect();
            }
            _ => {}
        }
        Some(bound)
    }

    /// Returns the paths by which users name items of the crate, by where these are defined.
    fn names(&self) -> BTreeMap<String, String> {
        let own = self.document.paths.iter().filter(|(_, summary)| summary.crate_id == 0);
        own.filter_map(|(id, summary)| Some((summary.path.join("::"), self.paths.local(*id)?.to_string())))
            .collect()
    }

    /// Returns the documentation of all items.
    fn docs(&self) -> Vec<String> {
        self.items().into_iter().filter_map(|item| item.docs.clone()).collect()
    }
}

/// Reads the facts about a function.
fn facts(item: &Item, output: &Kind) -> Facts {
    let place = item.span.as_ref().map(|span| {
        // Only the part within the package is the same everywhere.
        let path = &span.filename;
        let start = path.rfind("src/").unwrap_or_default();
        format!("{}:{}", &path[start..], span.begin.0)
    });
    Facts {
        track_caller: item.blames_caller(),
        fallible: output.is("std::option::Option") || output.is("std::result::Result"),
        place,
        ..Facts::of(item.docs.as_deref().unwrap_or_default(), item.deprecation.is_some())
    }
}
