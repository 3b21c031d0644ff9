//! The `Generate` of a derived type.
//!
//! **Invariant:** the variants of the shape are those of the `match`, in the same order.

use crate::generics::Parts;
use crate::item::{Field, Item, Origin, Variant};
use crate::parameter::local;
use crate::reader::start;
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

/// The whole `impl`.
pub(crate) fn implementation(item: &Item) -> TokenStream {
    let name = &item.name;
    let fields = item.generated().flat_map(|variant| &variant.fields);
    let types = fields.filter(|field| matches!(field.origin, Origin::Type)).map(|field| &field.kind);
    let Parts { parameters, arguments, bounds } =
        item.generics.bounded(types, &quote!(::bugnet::generate::Generate));
    let (source, graph) = (source(), local("graph"));
    let value = if item.chooses { choice(item) } else { structure(item) };
    let alternatives = item.generated().map(|variant| {
        let fields = variant.fields.iter().map(|field| shape(field, &graph));
        quote!(::std::vec![#(#fields),*])
    });
    quote! {
        #[automatically_derived]
        impl #parameters ::bugnet::generate::Generate for #name #arguments #bounds {
            fn generate(#source: &mut ::bugnet::choice::Source) -> Self {
                #value
            }

            fn shape(#graph: &mut ::bugnet::generate::Graph) -> ::bugnet::generate::TypeId {
                #graph.node::<Self>(|#graph| ::std::vec![#(#alternatives),*])
            }
        }
    }
}

fn source() -> Ident {
    local("source")
}

/// A value of an enum.
fn choice(item: &Item) -> TokenStream {
    let (source, weights) = (source(), item.weights());
    let shape = static_shape(item, &weights);
    let built: Vec<TokenStream> = item.generated().map(|variant| build(variant, item)).collect();
    let chosen = match built.as_slice() {
        [only] => quote! {
            #source.alternative(shape);
            let value = #only;
        },
        [earlier @ .., last] => {
            let places = 0..earlier.len();
            quote! {
                let value = match #source.alternative(shape) {
                    #(#places => #earlier,)*
                    _ => #last,
                };
            }
        }
        [] => unreachable!("an item has a variant that is generated"),
    };
    span(item, quote!(#shape), chosen)
}

/// The shape of the item, worked out once.
fn static_shape(item: &Item, weights: &[u32]) -> TokenStream {
    // A static is shared by all instances of a generic function, whose shapes differ.
    if item.generics.are_instantiated() {
        quote!(let shape = ::bugnet::generate::Shape::cached::<Self>(&[#(#weights),*]);)
    } else {
        quote! {
            static SHAPE: ::std::sync::OnceLock<::bugnet::generate::Shape> = ::std::sync::OnceLock::new();
            let shape = SHAPE.get_or_init(|| ::bugnet::generate::Shape::weighted::<Self>(&[#(#weights),*]));
        }
    }
}

/// A value of a struct.
fn structure(item: &Item) -> TokenStream {
    let (source, variant) = (source(), &item.variants[0]);
    let value = build(variant, item);
    if variant.fields.is_empty() {
        return quote! {
            let _ = #source;
            #value
        };
    }
    let chosen = quote! {
        #source.alternative(shape);
        let value = #value;
    };
    span(item, static_shape(item, &[]), chosen)
}

/// Puts the choices of the item into a span of their own.
fn span(item: &Item, before: TokenStream, chosen: TokenStream) -> TokenStream {
    let (source, label) = (source(), item.name.to_string());
    quote! {
        #before
        let node = #source.enter(#label);
        #chosen
        #source.leave(node);
        value
    }
}

/// Builds a variant out of generated fields.
fn build(variant: &Variant, item: &Item) -> TokenStream {
    let source = source();
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
