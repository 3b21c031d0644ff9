//! The macros of Bugnet: `#[property]` and `#[derive(Generate)]`. Use them through the crate
//! `bugnet`, which exports both.
//!
//! They parse what they are given, and write code that calls `bugnet`. A function's body and the
//! expressions in attributes pass through as tokens, so `syn` is built without its `full` feature,
//! which would cost each user more build time than the rest of Bugnet together.
//!
//! **Invariant:** whatever a macro cannot accept becomes a compile error at its place, with a
//! sentence that says what to write instead; a macro never panics.

mod example;
mod function;
mod generate;
mod item;
mod kind;
mod literal;
mod parameter;
mod precondition;
mod property;
mod setting;

use proc_macro::TokenStream;
use syn::parse_macro_input;

/// Derives `Generate`.
#[proc_macro_derive(Generate, attributes(generate))]
pub fn derive_generate(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as syn::DeriveInput);
    item::Item::parse(input)
        .map(|item| {
            let (generate, literal) = (generate::implementation(&item), literal::implementation(&item));
            quote::quote!(#generate #literal)
        })
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// Marks a property.
#[proc_macro_attribute]
pub fn property(settings: TokenStream, item: TokenStream) -> TokenStream {
    let settings = parse_macro_input!(settings as setting::Settings);
    let function = parse_macro_input!(item as function::Function);
    property::test(&function, &settings).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Gives a property an input by hand, which is run before all others.
#[proc_macro_attribute]
pub fn example(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let moved = |item: syn::parse::ParseStream<'_>| example::moved(arguments.into(), item);
    syn::parse::Parser::parse(moved, item).unwrap_or_else(syn::Error::into_compile_error).into()
}
