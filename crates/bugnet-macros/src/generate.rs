//! The `Generate` of a derived type.
//!
//! **Invariant:** the variants of the shape are those of the `match`, in the same order.

use crate::generics::Parts;
use crate::item::{Field, Item, Origin, Variant};
use crate::parameter::local;
use crate::reader::start;
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

/// The whole `impl`, and with alternatives to choose from that of their trait.
pub(crate) fn implementation(item: &Item) -> TokenStream {
    let name = &item.name;
    let fields = item.generated().flat_map(|variant| &variant.fields);
    let types = fields.filter(|field| matches!(field.origin, Origin::Type)).map(|field| &field.kind);
    let Parts { parameters, arguments, bounds } =
        item.generics.bounded(types, &quote!(::bugnet::generate::Generate));
    let (source, graph) = (local("source"), local("graph"));
    let built: Vec<TokenStream> = item.generated().map(|variant| build(variant, item)).collect();
    let is_unit = !item.chooses && item.variants[0].fields.is_empty();
    let value = if is_unit {
        let only = &built[0];
        quote! {
            let _ = #source;
            #only
        }
    } else {
        compose(item)
    };
    let alternatives = item.generated().map(|variant| {
        let fields = variant.fields.iter().map(|field| shape(field, &graph));
        quote!(::std::vec![#(#fields),*])
    });
    let generate = quote! {
        #[automatically_derived]
        impl #parameters ::bugnet::generate::Generate for #name #arguments #bounds {
            #[inline]
            fn generate(#source: &mut ::bugnet::choice::Source) -> Self {
                #value
            }

            fn shape(#graph: &mut ::bugnet::generate::Graph) -> ::bugnet::generate::TypeId {
                #graph.node::<Self>(|#graph| ::std::vec![#(#alternatives),*])
            }
        }
    };
    if is_unit {
        return generate;
    }
    let alternative = local("alternative");
    let chosen = choice(&alternative, &built);
    quote! {
        #generate

        #[automatically_derived]
        impl #parameters ::bugnet::generate::Alternatives for #name #arguments #bounds {
            // There are several copies of it to make, so the compiler would rather not.
            #[inline(always)]
            fn build(#source: &mut ::bugnet::choice::Source, #alternative: usize) -> Self {
                #chosen
            }
        }
    }
}

/// Chooses an alternative and makes a value of it.
fn compose(item: &Item) -> TokenStream {
    let (source, label) = (local("source"), item.name.to_string());
    let weights = if item.chooses { item.weights() } else { Vec::new() };
    // A static is shared by all instances of a generic function, whose shapes differ.
    if item.generics.are_instantiated() {
        return quote! {
            #source.compose(#label, ::bugnet::generate::KnownShape::cached::<Self>(&[#(#weights),*]))
        };
    }
    quote! {
        static SHAPE: ::bugnet::generate::KnownShape =
            ::bugnet::generate::KnownShape::weighted(&[#(#weights),*]);
        #source.compose(#label, &SHAPE)
    }
}

/// The value of the alternative that was chosen.
fn choice(alternative: &Ident, built: &[TokenStream]) -> TokenStream {
    match built {
        [only] => quote! {
            let _ = #alternative;
            #only
        },
        [earlier @ .., last] => {
            let places = 0..earlier.len();
            quote! {
                match #alternative {
                    #(#places => #earlier,)*
                    _ => #last,
                }
            }
        }
        [] => unreachable!("an item has a variant that is generated"),
    }
}

/// Builds a variant out of generated fields.
fn build(variant: &Variant, item: &Item) -> TokenStream {
    let source = local("source");
    let parts = variant.fields.iter().map(|field| match &field.origin {
        Origin::Type => {
            let kind = &field.kind;
            quote_spanned!(start(kind)=> <#kind as ::bugnet::generate::Generate>::generate(#source))
        }
        Origin::Generator(generator) => {
            quote_spanned!(start(generator)=> ::bugnet::generate::Generator::generate(&(#generator), #source))
        }
        Origin::Default => quote!(::core::default::Default::default()),
    });
    let (path, fields) = (variant.path(item), variant.with_fields(parts));
    quote!(#path #fields)
}

/// The shape of a field: that of its type, unless the type has no say in it.
fn shape(field: &Field, graph: &Ident) -> TokenStream {
    match &field.origin {
        Origin::Type => {
            let kind = &field.kind;
            quote_spanned!(start(kind)=> <#kind as ::bugnet::generate::Generate>::shape(#graph))
        }
        Origin::Generator(_) | Origin::Default => quote!(#graph.leaf()),
    }
}
