//! The `Generate` of a derived type.
//!
//! **Invariant:** the variants of the shape are those of the `match`, in the same order.

use crate::emit::{Splice, code, code_at, list, local};
use crate::generics::Parts;
use crate::item::{Field, Item, Origin, Variant};
use crate::reader::start;
use proc_macro::{Ident, TokenStream};

/// The whole `impl`, and with alternatives to choose from that of their trait.
pub(crate) fn implementation(item: &Item) -> TokenStream {
    let mut types = Vec::new();
    for variant in item.generated() {
        for field in &variant.fields {
            if matches!(field.origin, Origin::Type) {
                types.push(&field.kind);
            }
        }
    }
    let Parts { parameters, arguments, bounds } =
        item.generics.bounded(&types, &code!("::bugnet::generate::Generate"));
    let built: Vec<TokenStream> = item.generated().iter().map(|variant| build(variant, item)).collect();
    let is_unit = !item.chooses && item.variants[0].fields.is_empty();
    let alternatives = list(item.generated().iter().map(|variant| {
        let fields = list(variant.fields.iter().map(shape));
        code!("::std::vec![$fields]", fields)
    }));
    let methods = match is_unit {
        true => code!(
            "#[inline]
            fn generate(source: &mut ::bugnet::choice::Source) -> Self { let _ = source; $only }",
            only = built[0]
        ),
        false => methods(item),
    };
    let generate = code!(
        "#[automatically_derived]
        impl $parameters ::bugnet::generate::Generate for $name $arguments $bounds {
            $methods

            fn shape(graph: &mut ::bugnet::generate::Graph) -> ::bugnet::generate::TypeId {
                graph.node::<Self>(|graph| ::std::vec![$alternatives])
            }
        }",
        name = item.name,
        parameters,
        arguments,
        bounds,
        methods,
        alternatives,
    );
    if is_unit {
        return generate;
    }
    // A static is shared by all instances of a generic function, whose shapes differ.
    let shape = (!item.generics.are_instantiated()).then(|| {
        code!(
            "static BUGNET_SHAPE: ::bugnet::generate::KnownShape = $shape;",
            shape = known_shape(item, "new")
        )
    });
    // There are several copies of `build` to make, so the compiler would rather not inline it.
    code!(
        "const _: () = {
            $shape

            $generate

            #[automatically_derived]
            impl $parameters ::bugnet::generate::Alternatives for $name $arguments $bounds {
                #[inline(always)]
                fn build(source: &mut ::bugnet::choice::Source, alternative: usize) -> Self {
                    $chosen
                }

                $reusing
            }
        };",
        shape,
        generate,
        name = item.name,
        parameters,
        arguments,
        bounds,
        chosen = choice(&built),
        reusing = reusing(item),
    )
}

/// The methods that choose an alternative and make a value of it, anew or in the place of another.
fn methods(item: &Item) -> TokenStream {
    let shape = match item.generics.are_instantiated() {
        true => known_shape(item, "cached::<Self>"),
        false => code!("&BUGNET_SHAPE"),
    };
    code!(
        "#[inline]
        fn generate(source: &mut ::bugnet::choice::Source) -> Self {
            source.compose($label, $shape)
        }

        const REUSES: bool = ::core::mem::needs_drop::<Self>();

        #[inline(always)]
        fn regenerate(&mut self, source: &mut ::bugnet::choice::Source) {
            source.recompose(self, $shape);
        }",
        label = item.name.to_string(),
        shape,
    )
}

/// The shape, by the function that makes it.
fn known_shape(item: &Item, function: &str) -> TokenStream {
    let weights = if item.chooses { list(item.weights()) } else { TokenStream::new() };
    let names = match item.chooses {
        true => list(item.generated().iter().map(|variant| match &variant.name {
            Some(name) => name.to_string(),
            None => String::new(),
        })),
        false => TokenStream::new(),
    };
    let function: TokenStream = function.parse().expect("a function is made of tokens");
    code!("::bugnet::generate::KnownShape::$function(&[$names], &[$weights])", function, names, weights)
}

/// The methods by which the fields of a value are made anew, where they are.
fn reusing(item: &Item) -> TokenStream {
    let generated = item.generated();
    let numbered = (0..)
        .zip(&generated)
        .map(|(place, variant): (u64, _)| code!("$path { .. } => $place,", path = variant.path(item), place));
    let rebuilt = generated.iter().map(|variant| rebuild(variant, item));
    // Values of other variants are there only if somebody has put them there.
    let others = (generated.len() < item.variants.len()).then_some(());
    let spares = (!item.generics.are_any()).then(|| {
        code!(
            "#[inline(always)]
            fn spares(
                source: &mut ::bugnet::choice::Source,
            ) -> ::core::option::Option<&mut ::bugnet::generate::Spares<Self>> {
                ::core::option::Option::Some(source.spares(&BUGNET_SHAPE, $count))
            }",
            count = item.variants.len() as u64
        )
    });
    code!(
        "#[inline(always)]
        fn alternative(&self) -> usize {
            match self { $numbered $other_number }
        }

        #[inline(always)]
        fn rebuild(&mut self, source: &mut ::bugnet::choice::Source) {
            match self { $rebuilt $other_rebuilt }
        }

        $spares",
        numbered = numbered.collect::<TokenStream>(),
        other_number = others.map(|()| code!("_ => $count,", count = generated.len() as u64)),
        rebuilt = rebuilt.collect::<TokenStream>(),
        other_rebuilt = others.map(|()| code!("_ => {}")),
        spares,
    )
}

/// Makes the fields of a variant anew, where they are.
fn rebuild(variant: &Variant, item: &Item) -> TokenStream {
    let source = local("source");
    let names: Vec<Ident> = (0..variant.fields.len()).map(|place| local(&format!("field_{place}"))).collect();
    let fields = variant.fields.iter().zip(&names).map(|(field, name)| match &field.origin {
        Origin::Type => code_at!(
            start(&field.kind),
            "<$kind as ::bugnet::generate::Generate>::regenerate($name, $source);",
            kind = field.kind,
            name,
            source,
        ),
        _ => code!("*$name = $value;", name, value = make(field)),
    });
    code!(
        "$path $pattern => { $fields }",
        path = variant.path(item),
        pattern = variant.with_fields(names.iter().map(Splice::tokens)),
        fields = fields.collect::<TokenStream>(),
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
    let parts = variant.fields.iter().map(make);
    code!("$path $fields", path = variant.path(item), fields = variant.with_fields(parts))
}

/// Makes the value of a field.
fn make(field: &Field) -> TokenStream {
    let source = local("source");
    match &field.origin {
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
    }
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
