//! The types that rustdoc names, read as kinds.

use super::Reader;
use crate::api::item as doc;
use crate::api::item::{Id, ItemEnum};
use crate::api::kind::{Assignment, Kind};
use crate::api::path;
use std::collections::BTreeMap;

impl Reader<'_> {
    pub(super) fn argument(&self, argument: &doc::GenericArg) -> Kind {
        match argument {
            doc::GenericArg::Lifetime(_) => Kind::Lifetime,
            doc::GenericArg::Type(kind) => self.kind(kind),
            doc::GenericArg::Const(constant) => {
                Kind::Constant(constant.value.clone().unwrap_or_else(|| constant.expr.clone()))
            }
            doc::GenericArg::Other => Kind::Unknown("_".to_string()),
        }
    }

    /// The path by which an item is named.
    pub(super) fn path(&self, id: Id) -> Option<String> {
        if let Some(path) = self.paths.local(id) {
            return Some(path.to_string());
        }
        let summary = self.document.paths.get(&id)?;
        let crate_name = summary.path.first()?;
        match crate_name.as_str() {
            "std" | "core" | "alloc" => Some(path::standard(&summary.path)),
            // An item of the crate without a public path cannot be named.
            _ if summary.crate_id == 0 || *crate_name == self.name => None,
            _ => {
                self.crates.borrow_mut().insert(crate_name.clone());
                if let Some(known) = self.beside.and_then(|beside| beside.names.get(&summary.path.join("::")))
                {
                    return Some(known.clone());
                }
                match &summary.path[..] {
                    // An item in a private module is mostly exported from the root.
                    path @ [_, _, .., name] if !(self.is_public)(path) => {
                        Some(format!("{crate_name}::{name}"))
                    }
                    path => Some(path.join("::")),
                }
            }
        }
    }

    pub(super) fn kind(&self, kind: &doc::Type) -> Kind {
        let one = |kind: &doc::Type| Box::new(self.kind(kind));
        match kind {
            doc::Type::ResolvedPath(path) => self.named(path),
            doc::Type::DynTrait(traits) => {
                let bounds = traits.traits.iter().filter_map(|bound| self.bound(&bound.trait_));
                Kind::Dynamic(bounds.collect())
            }
            doc::Type::Generic(name) => Kind::Parameter(name.clone()),
            doc::Type::Primitive(name) if name == "never" => Kind::named("!"),
            doc::Type::Primitive(name) => Kind::named(name),
            doc::Type::FunctionPointer(pointer) => Kind::Function {
                inputs: pointer.sig.inputs.iter().map(|(_, kind)| self.kind(kind)).collect(),
                output: pointer.sig.output.as_ref().map_or(Box::new(Kind::unit()), one),
            },
            doc::Type::Tuple(parts) => Kind::Tuple(parts.iter().map(|part| self.kind(part)).collect()),
            doc::Type::Slice(of) => Kind::Slice(one(of)),
            doc::Type::Array(array) => {
                let length = Box::new(Kind::Constant(array.len.clone()));
                Kind::Array { of: one(&array.type_), length }
            }
            doc::Type::ImplTrait(bounds) => Kind::Opaque(self.bounds(bounds).collect()),
            doc::Type::BorrowedRef(inner) => Kind::Reference {
                mutable: inner.is_mutable,
                is_static: inner.lifetime.as_deref() == Some("'static"),
                to: one(&inner.type_),
            },
            doc::Type::QualifiedPath(doc::QualifiedPath { name, self_type, trait_ }) => {
                let bound = trait_.as_ref().and_then(|path| self.bound(path));
                Kind::Projection { of: one(self_type), bound: bound.map(Box::new), name: name.clone() }
            }
            doc::Type::RawPointer(_) => Kind::Unknown("pointer".to_string()),
            doc::Type::Other => Kind::Unknown("_".to_string()),
        }
    }

    pub(super) fn named(&self, path: &doc::Path) -> Kind {
        let arguments = match path.args.as_deref() {
            Some(doc::GenericArgs::AngleBracketed(doc::AngleBracketed { args, .. })) => {
                args.iter().map(|argument| self.argument(argument)).collect()
            }
            _ => Vec::new(),
        };
        if let Some(ItemEnum::TypeAlias(alias)) = self.document.index.get(&path.id).map(|item| &item.inner) {
            let expanded = self.expanded(alias, &arguments);
            return match (&expanded, self.paths.local(path.id)) {
                (Kind::Unknown(_), Some(only)) if !is_unsized(&alias.type_) => {
                    self.only_alias(only, alias, arguments)
                }
                _ => expanded,
            };
        }
        let Some(name) = self.path(path.id) else { return Kind::Unknown(path.path.clone()) };
        // The aliases of the standard library for results.
        match (name.as_str(), &arguments[..]) {
            ("std::io::Result", [ok]) => {
                return Kind::generic("std::result::Result", [ok.clone(), Kind::named("std::io::Error")]);
            }
            ("std::fmt::Result", []) => {
                return Kind::generic("std::result::Result", [Kind::unit(), Kind::named("std::fmt::Error")]);
            }
            _ => {}
        }
        if let Some(found) = self.beside.and_then(|beside| beside.named(&name, &arguments)) {
            return found;
        }
        Kind::Named { arguments: self.completed(path.id, arguments), path: name }
    }

    /// Arguments with the lifetimes and defaults that were left out.
    pub(super) fn completed(&self, id: Id, mut arguments: Vec<Kind>) -> Vec<Kind> {
        let Some(item) = self.document.index.get(&id) else { return arguments };
        let (ItemEnum::Struct(doc::Struct { generics, .. })
        | ItemEnum::Enum(doc::Enum { generics, .. })
        | ItemEnum::Union(doc::Union { generics })) = &item.inner
        else {
            return arguments;
        };
        let is_lifetime =
            |parameter: &&doc::Parameter| matches!(parameter.kind, doc::ParameterKind::Lifetime(_));
        let lifetimes = generics.params.iter().filter(is_lifetime).count();
        let written = arguments.iter().filter(|argument| **argument == Kind::Lifetime).count();
        for _ in written..lifetimes {
            arguments.insert(0, Kind::Lifetime);
        }
        let mut given = BTreeMap::new();
        for (place, parameter) in generics.params.iter().enumerate() {
            if place >= arguments.len() {
                let default = match &parameter.kind {
                    doc::ParameterKind::Type(doc::TypeParameter { default: Some(kind), .. }) => {
                        self.kind(kind)
                    }
                    doc::ParameterKind::Const(doc::ConstParameter { default: Some(value), .. }) => {
                        Kind::default_constant(value)
                    }
                    _ => break,
                };
                arguments.push(default.assigned(&given));
            }
            given.insert(parameter.name.clone(), arguments[place].clone());
        }
        arguments
    }

    /// Returns the type that an alias of the crate stands for.
    pub(super) fn expanded(&self, alias: &doc::TypeAlias, arguments: &[Kind]) -> Kind {
        let generics = self.generics(&alias.generics);
        let mut given = Assignment::new();
        let mut arguments = arguments.iter().filter(|argument| **argument != Kind::Lifetime);
        for variable in &generics.variables {
            let argument = arguments.next().cloned().or_else(|| variable.default.clone());
            given.extend(argument.map(|argument| (variable.name.clone(), argument.assigned(&given))));
        }
        self.kind(&alias.type_).assigned(&given)
    }

    /// A type that has no name but that of an alias, with the defaults that were left out.
    pub(super) fn only_alias(&self, path: &str, alias: &doc::TypeAlias, mut arguments: Vec<Kind>) -> Kind {
        let generics = self.generics(&alias.generics);
        let mut given = Assignment::new();
        for (place, variable) in generics.variables.iter().enumerate() {
            let place = place + generics.lifetimes;
            if place >= arguments.len() {
                arguments.extend(variable.default.as_ref().map(|default| default.assigned(&given)));
            }
            given.extend(arguments.get(place).map(|argument| (variable.name.clone(), argument.clone())));
        }
        Kind::Named { path: path.to_string(), arguments }
    }
}

/// Returns true if a type most likely has no size, judging by its arguments.
pub(super) fn is_unsized(kind: &doc::Type) -> bool {
    let doc::Type::ResolvedPath(path) = kind else { return false };
    let Some(doc::GenericArgs::AngleBracketed(doc::AngleBracketed { args, .. })) = path.args.as_deref()
    else {
        return false;
    };
    args.iter().any(|argument| match argument {
        doc::GenericArg::Type(doc::Type::Slice(_) | doc::Type::DynTrait(_)) => true,
        doc::GenericArg::Type(doc::Type::Primitive(name)) => name == "str",
        _ => false,
    })
}

/// Returns true if a type is a number type, or may become one.
pub(super) fn may_be_number(kind: &Kind) -> bool {
    let numbers = "u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize";
    matches!(kind, Kind::Parameter(_)) || numbers.split(' ').any(|number| kind.is(number))
}

/// Returns true if a parameter is a length or a capacity, judging by its name.
pub(super) fn is_size(name: &str) -> bool {
    name.split('_').any(|word| ["len", "length", "cap", "capacity", "size", "additional"].contains(&word))
}

/// Returns true if a parameter is a part of a date that is counted from one, judging by its name.
pub(super) fn counts_from_one(name: &str) -> bool {
    ["month", "day", "day_of_month", "day_of_year", "ordinal_month", "weekday", "week", "quarter"]
        .contains(&name)
}
