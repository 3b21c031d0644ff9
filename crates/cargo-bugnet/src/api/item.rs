//! Items: what rustdoc writes of a crate, as far as we read it.
//!
//! The format of the JSON has a number that grows with every change, and most changes are no matter to us. So
//! these types take whatever is there: unknown fields are ignored, flags that are not told are off, and an
//! alternative that we do not know is `Other`. The few shapes that changed from [`OLDEST`] to [`NEWEST`] are read
//! in both forms.
//!
//! **Invariant:** a field without a default is one without which an item would be misread.

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;

/// The oldest format that is read: that of Rust 1.85.
pub(super) const OLDEST: u32 = 37;
/// The newest format that was tested.
pub(super) const NEWEST: u32 = 61;

/// A whole document whose items are still text.
#[derive(Debug, serde::Deserialize)]
pub(super) struct RawCrate {
    root: Id,
    index: HashMap<Id, Box<RawValue>>,
    paths: HashMap<Id, Summary>,
}

/// A crate.
#[derive(Debug)]
pub(super) struct Crate {
    pub(super) root: Id,
    pub(super) index: HashMap<Id, Item>,
    /// The paths of items of this and other crates.
    pub(super) paths: HashMap<Id, Summary>,
    /// The first reason why an item could not be read, and how many could not.
    pub(super) unread: Option<(String, usize)>,
}

impl RawCrate {
    /// Reads each item by itself: those that cannot be read are left out.
    pub(super) fn read(self) -> Crate {
        let mut index = HashMap::with_capacity(self.index.len());
        let mut unread = Vec::new();
        for (id, text) in self.index {
            match serde_json::from_str(text.get()) {
                Ok(item) => {
                    index.insert(id, item);
                }
                Err(error) => unread.push((id.0, error.to_string())),
            }
        }
        unread.sort();
        let count = unread.len();
        let unread = unread.into_iter().next().map(|(_, why)| (why, count));
        Crate { root: self.root, index, paths: self.paths, unread }
    }
}

/// The number of an item in its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Deserialize)]
pub(super) struct Id(pub(super) u32);

/// The path of an item.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Summary {
    pub(super) crate_id: u32,
    pub(super) path: Vec<String>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Item {
    pub(super) id: Id,
    pub(super) crate_id: u32,
    pub(super) name: Option<String>,
    pub(super) span: Option<Span>,
    pub(super) visibility: Visibility,
    pub(super) docs: Option<String>,
    #[serde(default)]
    pub(super) attrs: Vec<Attribute>,
    pub(super) deprecation: Option<IgnoredAny>,
    pub(super) inner: ItemEnum,
}

impl Item {
    /// Returns true if users cannot write it out with all of its parts.
    pub(super) fn is_non_exhaustive(&self) -> bool {
        self.attrs.iter().any(|attribute| match attribute {
            Attribute::NonExhaustive => true,
            Attribute::Text(text) => text.contains("non_exhaustive") || text.contains("NonExhaustive"),
            Attribute::Other => false,
        })
    }

    /// Returns true if its panics blame the caller.
    pub(super) fn blames_caller(&self) -> bool {
        self.attrs.iter().any(|attribute| match attribute {
            Attribute::Text(text) => text.contains("track_caller") || text.contains("TrackCaller"),
            _ => false,
        })
    }
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Span {
    pub(super) filename: String,
    pub(super) begin: (usize, usize),
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Module {
    pub(super) items: Vec<Id>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Use {
    pub(super) name: String,
    pub(super) id: Option<Id>,
    pub(super) is_glob: bool,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Union {
    pub(super) generics: Generics,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Struct {
    pub(super) kind: StructKind,
    pub(super) generics: Generics,
}

/// Named fields.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Plain {
    pub(super) fields: Vec<Id>,
    pub(super) has_stripped_fields: bool,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Enum {
    pub(super) generics: Generics,
    pub(super) variants: Vec<Id>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Variant {
    pub(super) kind: VariantKind,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Function {
    pub(super) sig: Signature,
    pub(super) generics: Generics,
    pub(super) header: Header,
    #[serde(default)]
    pub(super) has_body: bool,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Signature {
    pub(super) inputs: Vec<(String, Type)>,
    pub(super) output: Option<Type>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Header {
    pub(super) is_unsafe: bool,
    #[serde(default)]
    pub(super) is_async: bool,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Trait {
    #[serde(default)]
    pub(super) is_auto: bool,
    pub(super) is_unsafe: bool,
    pub(super) items: Vec<Id>,
    pub(super) generics: Generics,
    pub(super) bounds: Vec<GenericBound>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Impl {
    pub(super) generics: Generics,
    #[serde(default)]
    pub(super) provided_trait_methods: Vec<String>,
    #[serde(rename = "trait")]
    pub(super) trait_: Option<Path>,
    #[serde(rename = "for")]
    pub(super) for_: Type,
    pub(super) items: Vec<Id>,
    #[serde(default)]
    pub(super) is_negative: bool,
    #[serde(default)]
    pub(super) is_synthetic: bool,
    pub(super) blanket_impl: Option<IgnoredAny>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct TypeAlias {
    #[serde(rename = "type")]
    pub(super) type_: Type,
    pub(super) generics: Generics,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Static {
    #[serde(rename = "type")]
    pub(super) type_: Type,
    pub(super) is_mutable: bool,
    #[serde(default)]
    pub(super) is_unsafe: bool,
}

/// A constant of a module.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Constant {
    #[serde(rename = "type")]
    pub(super) type_: Type,
}

/// A constant of a trait or of a block.
#[derive(Debug, serde::Deserialize)]
pub(super) struct AssocConst {
    #[serde(rename = "type")]
    pub(super) type_: Type,
    pub(super) value: Option<IgnoredAny>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct AssocType {
    pub(super) generics: Generics,
    pub(super) bounds: Vec<GenericBound>,
    #[serde(rename = "type")]
    pub(super) type_: Option<Type>,
}

#[derive(Debug, Default, serde::Deserialize)]
pub(super) struct Generics {
    pub(super) params: Vec<Parameter>,
    #[serde(default)]
    pub(super) where_predicates: Vec<WherePredicate>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) kind: ParameterKind,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct TypeParameter {
    pub(super) bounds: Vec<GenericBound>,
    pub(super) default: Option<Type>,
    #[serde(default)]
    pub(super) is_synthetic: bool,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct ConstParameter {
    #[serde(rename = "type")]
    pub(super) type_: Type,
    pub(super) default: Option<String>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct BoundPredicate {
    #[serde(rename = "type")]
    pub(super) type_: Type,
    pub(super) bounds: Vec<GenericBound>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct TraitBound {
    #[serde(rename = "trait")]
    pub(super) trait_: Path,
    pub(super) modifier: Modifier,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Path {
    /// The path as it is written; up to format 38 the field was called `name`.
    #[serde(alias = "name", default)]
    pub(super) path: String,
    pub(super) id: Id,
    pub(super) args: Option<Box<GenericArgs>>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct AngleBracketed {
    pub(super) args: Vec<GenericArg>,
    #[serde(default)]
    pub(super) constraints: Vec<Constraint>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Parenthesized {
    pub(super) inputs: Vec<Type>,
    pub(super) output: Option<Type>,
}

/// A constraint on an associated type.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Constraint {
    pub(super) name: String,
    pub(super) binding: Binding,
}

/// A constant that is given for a parameter.
#[derive(Debug, serde::Deserialize)]
pub(super) struct GivenConstant {
    pub(super) expr: String,
    pub(super) value: Option<String>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct DynTrait {
    pub(super) traits: Vec<PolyTrait>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct PolyTrait {
    #[serde(rename = "trait")]
    pub(super) trait_: Path,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct FunctionPointer {
    pub(super) sig: Signature,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Array {
    #[serde(rename = "type")]
    pub(super) type_: Box<Type>,
    pub(super) len: String,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct BorrowedRef {
    pub(super) lifetime: Option<String>,
    pub(super) is_mutable: bool,
    #[serde(rename = "type")]
    pub(super) type_: Box<Type>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct QualifiedPath {
    pub(super) name: String,
    pub(super) self_type: Box<Type>,
    #[serde(rename = "trait")]
    pub(super) trait_: Option<Path>,
}

/// An enum as rustdoc writes it: a word, or a word with content. What has another word is `Other`.
trait Tagged: Sized {
    /// Returns the alternative without content, or the one that stands for all unknown ones.
    fn word(word: &str) -> Self;

    /// Reads the content of an alternative.
    fn content<'de, M: MapAccess<'de>>(word: &str, map: &mut M) -> Result<Self, M::Error>;
}

struct TaggedVisitor<T>(PhantomData<T>);

impl<'de, T: Tagged> Visitor<'de> for TaggedVisitor<T> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a word, or an object with one key")
    }

    fn visit_str<E>(self, word: &str) -> Result<T, E> {
        Ok(T::word(word))
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<T, M::Error> {
        let Some(word) = map.next_key::<String>()? else { return Ok(T::word("")) };
        let value = T::content(&word, &mut map)?;
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(value)
    }
}

/// Declares an enum that is [`Tagged`]: alternatives without content, those with content, and `Other`.
macro_rules! tagged {
    ($(#[$meta:meta])* $name:ident {
        $($plain:ident = $plain_word:literal,)* ; $($rich:ident($content:ty) = $word:literal,)*
    }) => {
        $(#[$meta])*
        #[derive(Debug)]
        pub(super) enum $name {
            $($plain,)*
            $($rich($content),)*
            /// An alternative that we do not need or do not know.
            Other,
        }

        impl Tagged for $name {
            fn word(word: &str) -> $name {
                match word {
                    $($plain_word => $name::$plain,)*
                    _ => $name::Other,
                }
            }

            fn content<'de, M: MapAccess<'de>>(word: &str, map: &mut M) -> Result<$name, M::Error> {
                Ok(match word {
                    $($word => $name::$rich(map.next_value()?),)*
                    _ => {
                        map.next_value::<IgnoredAny>()?;
                        $name::word(word)
                    }
                })
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                deserializer.deserialize_any(TaggedVisitor(PhantomData))
            }
        }
    };
}

tagged!(ItemEnum {
    ;
    Module(Module) = "module",
    Use(Use) = "use",
    Union(Union) = "union",
    Struct(Struct) = "struct",
    StructField(Type) = "struct_field",
    Enum(Enum) = "enum",
    Variant(Variant) = "variant",
    Function(Function) = "function",
    Trait(Trait) = "trait",
    Impl(Impl) = "impl",
    TypeAlias(TypeAlias) = "type_alias",
    Constant(Constant) = "constant",
    Static(Static) = "static",
    AssocConst(AssocConst) = "assoc_const",
    AssocType(AssocType) = "assoc_type",
});

tagged!(StructKind {
    Unit = "unit",
    ;
    Tuple(Vec<Option<Id>>) = "tuple",
    Plain(Plain) = "plain",
});

tagged!(VariantKind {
    Plain = "plain",
    ;
    Tuple(Vec<Option<Id>>) = "tuple",
    Struct(Plain) = "struct",
});

tagged!(Visibility {
    Public = "public",
    Default = "default",
    ;
});

tagged!(ParameterKind {
    ;
    Lifetime(IgnoredAny) = "lifetime",
    Type(TypeParameter) = "type",
    Const(ConstParameter) = "const",
});

tagged!(WherePredicate {
    ;
    BoundPredicate(BoundPredicate) = "bound_predicate",
});

tagged!(GenericBound {
    ;
    TraitBound(TraitBound) = "trait_bound",
});

tagged!(Modifier {
    None = "none",
    ;
});

tagged!(GenericArgs {
    ;
    AngleBracketed(AngleBracketed) = "angle_bracketed",
    Parenthesized(Parenthesized) = "parenthesized",
});

tagged!(GenericArg {
    ;
    Lifetime(IgnoredAny) = "lifetime",
    Type(Type) = "type",
    Const(GivenConstant) = "const",
});

tagged!(Binding {
    ;
    Equality(Term) = "equality",
});

tagged!(Term {
    ;
    Type(Type) = "type",
});

tagged!(Type {
    ;
    ResolvedPath(Path) = "resolved_path",
    DynTrait(DynTrait) = "dyn_trait",
    Generic(String) = "generic",
    Primitive(String) = "primitive",
    FunctionPointer(Box<FunctionPointer>) = "function_pointer",
    Tuple(Vec<Type>) = "tuple",
    Slice(Box<Type>) = "slice",
    Array(Array) = "array",
    ImplTrait(Vec<GenericBound>) = "impl_trait",
    RawPointer(IgnoredAny) = "raw_pointer",
    BorrowedRef(BorrowedRef) = "borrowed_ref",
    QualifiedPath(QualifiedPath) = "qualified_path",
});

/// An attribute: up to format 53 its text, since then a word for some and the text for the others.
#[derive(Debug)]
pub(super) enum Attribute {
    NonExhaustive,
    Text(String),
    Other,
}

impl Tagged for Attribute {
    fn word(word: &str) -> Attribute {
        match word {
            "non_exhaustive" => Attribute::NonExhaustive,
            text => Attribute::Text(text.to_string()),
        }
    }

    fn content<'de, M: MapAccess<'de>>(word: &str, map: &mut M) -> Result<Attribute, M::Error> {
        if word == "other" {
            return Ok(Attribute::Text(map.next_value()?));
        }
        map.next_value::<IgnoredAny>()?;
        Ok(Attribute::Other)
    }
}

impl<'de> Deserialize<'de> for Attribute {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Attribute, D::Error> {
        deserializer.deserialize_any(TaggedVisitor(PhantomData))
    }
}

#[cfg(test)]
mod tests;
