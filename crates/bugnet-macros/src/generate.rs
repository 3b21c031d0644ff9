//! The `Generate` of a derived type.
//!
//! **Invariant:** the variants of the shape are those of the `match`, in the same order.

use crate::emit::{code, code_at, list, local};
use crate::generics::Parts;
use crate::item::{Field, Item, Origin, Variant};
use crate::reader::start;
use proc_macro::TokenStream;

/// The whole `impl`.
pub(crate) fn implementation(item: &Item) -> TokenStream {
    let mut types = Vec::new();
    for variant in item.generated() {
        let fields = variant.fields.iter().filter(|field| matches!(field.origin, Origin::Type));
        types.extend(fields.map(|field| &field.kind));
    }
    let Parts { parameters, arguments, bounds } =
        item.generics.bounded(&types, &code!("::bugnet::generate::Generate"));
    let alternatives = list(item.generated().iter().map(|variant| {
        let fields = list(variant.fields.iter().map(shape));
        code!("::std::vec![$fields]", fields)
    }));
    code!(
        "#[automatically_derived]
        impl $parameters ::bugnet::generate::Generate for $name $arguments $bounds {
            fn generate(source: &mut ::bugnet::choice::Source) -> Self {
                $value
            }

            fn shape(graph: &mut ::bugnet::generate::Graph) -> ::bugnet::generate::TypeId {
                graph.node::<Self>(|graph| ::std::vec![$alternatives])
            }
        }",
        name = item.name,
        parameters,
        arguments,
        bounds,
        value = if item.chooses { choice(item) } else { structure(item) },
        alternatives,
    )
}

/// A value of an enum.
fn choice(item: &Item) -> TokenStream {
    let built: Vec<TokenStream> = item.generated().iter().map(|variant| build(variant, item)).collect();
    let chosen = match built.as_slice() {
        [only] => code!("source.alternative(shape); let value = $only;", only),
        [earlier @ .., last] => {
            let earlier =
                (0..).zip(earlier).map(|(place, value): (u64, _)| code!("$place => $value", place, value));
            code!(
                "let value = match source.alternative(shape) {
                    $earlier
                    _ => $last,
                };",
                earlier = list(earlier),
                last,
            )
        }
        [] => unreachable!("an item has a variant that is generated"),
    };
    span(item, &item.weights(), &chosen)
}

/// A value of a struct.
fn structure(item: &Item) -> TokenStream {
    let variant = &item.variants[0];
    let value = build(variant, item);
    if variant.fields.is_empty() {
        return code!("let _ = source; $value", value);
    }
    span(item, &[], &code!("source.alternative(shape); let value = $value;", value))
}

/// Puts the choices of the item into a span of their own.
fn span(item: &Item, weights: &[u64], chosen: &TokenStream) -> TokenStream {
    code!(
        "$shape
        let node = source.enter($label);
        $chosen
        source.leave(node);
        value",
        shape = static_shape(item, weights),
        label = item.name.to_string(),
        chosen,
    )
}

/// The shape of the item, worked out once.
fn static_shape(item: &Item, weights: &[u64]) -> TokenStream {
    let weights = list(weights);
    // A static is shared by all instances of a generic function, whose shapes differ.
    if item.generics.are_instantiated() {
        code!("let shape = ::bugnet::generate::Shape::cached::<Self>(&[$weights]);", weights)
    } else {
        code!(
            "static SHAPE: ::std::sync::OnceLock<::bugnet::generate::Shape> = ::std::sync::OnceLock::new();
            let shape = SHAPE.get_or_init(|| ::bugnet::generate::Shape::weighted::<Self>(&[$weights]));",
            weights,
        )
    }
}

/// Builds a variant out of generated fields.
fn build(variant: &Variant, item: &Item) -> TokenStream {
    let source = local("source");
    let parts = variant.fields.iter().map(|field| match &field.origin {
        Origin::Type => code_at!(
            start(&field.kind),
            "<$kind as ::bugnet::generate::Generate>::generate($source)",
            kind = field.kind,
            source,
        ),
        Origin::Generator(generator) => code_at!(
            start(generator),
            "::bugnet::generate::Generator::generate(&($generator), $source)",
            generator,
            source,
        ),
        Origin::Default => code!("::core::default::Default::default()"),
    });
    code!("$path $fields", path = variant.path(item), fields = variant.with_fields(parts))
}

/// The shape of a field: that of its type, unless the type has no say in it.
fn shape(field: &Field) -> TokenStream {
    match &field.origin {
        Origin::Type => code_at!(
            start(&field.kind),
            "<$kind as ::bugnet::generate::Generate>::shape($graph)",
            kind = field.kind,
            graph = local("graph"),
        ),
        Origin::Generator(_) | Origin::Default => code!("graph.leaf()"),
    }
}
