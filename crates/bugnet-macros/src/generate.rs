//! The `Generate` of a derived type.
//!
//! **Invariant:** the variants of the shape are those of the `match`, in the same order.

use crate::emit::{code, code_at, list, local};
use crate::generics::Parts;
use crate::item::{Field, Item, Origin, Variant};
use crate::reader::start;
use proc_macro::TokenStream;

/// The whole `impl`, and with alternatives to choose from that of their trait.
pub(crate) fn implementation(item: &Item) -> TokenStream {
    let mut types = Vec::new();
    for variant in item.generated() {
        let fields = variant.fields.iter().filter(|field| matches!(field.origin, Origin::Type));
        types.extend(fields.map(|field| &field.kind));
    }
    let Parts { parameters, arguments, bounds } =
        item.generics.bounded(&types, &code!("::bugnet::generate::Generate"));
    let built: Vec<TokenStream> = item.generated().iter().map(|variant| build(variant, item)).collect();
    let is_unit = !item.chooses && item.variants[0].fields.is_empty();
    let value = match is_unit {
        true => code!("let _ = source; $only", only = built[0]),
        false => compose(item),
    };
    let alternatives = list(item.generated().iter().map(|variant| {
        let fields = list(variant.fields.iter().map(shape));
        code!("::std::vec![$fields]", fields)
    }));
    let generate = code!(
        "#[automatically_derived]
        impl $parameters ::bugnet::generate::Generate for $name $arguments $bounds {
            #[inline]
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
        value,
        alternatives,
    );
    if is_unit {
        return generate;
    }
    // There are several copies of `build` to make, so the compiler would rather not inline it.
    code!(
        "$generate

        #[automatically_derived]
        impl $parameters ::bugnet::generate::Alternatives for $name $arguments $bounds {
            #[inline(always)]
            fn build(source: &mut ::bugnet::choice::Source, alternative: usize) -> Self {
                $chosen
            }
        }",
        generate,
        name = item.name,
        parameters,
        arguments,
        bounds,
        chosen = choice(&built),
    )
}

/// Chooses an alternative and makes a value of it.
fn compose(item: &Item) -> TokenStream {
    let label = item.name.to_string();
    let weights = if item.chooses { list(item.weights()) } else { TokenStream::new() };
    let names = match item.chooses {
        true => list(item.generated().iter().map(|variant| match &variant.name {
            Some(name) => name.to_string(),
            None => String::new(),
        })),
        false => TokenStream::new(),
    };
    // A static is shared by all instances of a generic function, whose shapes differ.
    if item.generics.are_instantiated() {
        return code!(
            "source.compose($label, ::bugnet::generate::KnownShape::cached::<Self>(&[$names], &[$weights]))",
            label,
            names,
            weights,
        );
    }
    code!(
        "static SHAPE: ::bugnet::generate::KnownShape =
            ::bugnet::generate::KnownShape::new(&[$names], &[$weights]);
        source.compose($label, &SHAPE)",
        label,
        names,
        weights,
    )
}

/// The value of the alternative that was chosen.
fn choice(built: &[TokenStream]) -> TokenStream {
    match built {
        [only] => code!("let _ = alternative; $only", only),
        [earlier @ .., last] => {
            let earlier =
                (0..).zip(earlier).map(|(place, value): (u64, _)| code!("$place => $value", place, value));
            code!("match alternative { $earlier _ => $last }", earlier = list(earlier), last)
        }
        [] => unreachable!("an item has a variant that is generated"),
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
