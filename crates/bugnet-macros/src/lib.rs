//! The macros of Bugnet: `#[property]` and `#[derive(Generate)]`. Use them through the crate
//! `bugnet`, which exports both.
//!
//! They read what they are given, and write code that calls `bugnet`. Types, expressions and bodies
//! pass through as tokens, so there is no need for `syn`, whose build would take each user as long as
//! half of Bugnet.
//!
//! **Invariant:** whatever a macro cannot accept becomes a compile error at its place, with a
//! sentence that says what to write instead; a macro never panics.

mod attribute;
mod error;
mod example;
mod function;
mod generate;
mod generics;
mod item;
mod kind;
mod literal;
mod number;
mod parameter;
mod precondition;
mod property;
mod reader;
mod setting;

use error::Error;
use proc_macro::TokenStream;
use quote::quote;

/// Derives `Generate`.
#[proc_macro_derive(Generate, attributes(generate))]
pub fn derive_generate(item: TokenStream) -> TokenStream {
    let code = item::Item::read(item.into()).map(|item| {
        let (generate, literal) = (generate::implementation(&item), literal::implementation(&item));
        quote!(#generate #literal)
    });
    code.unwrap_or_else(Error::into_code).into()
}

/// Marks a property.
#[proc_macro_attribute]
pub fn property(settings: TokenStream, function: TokenStream) -> TokenStream {
    let test = || {
        property::test(
            &function::Function::read(function.into())?,
            &setting::Settings::read(settings.into())?,
        )
    };
    test().unwrap_or_else(Error::into_code).into()
}

/// Gives a property an input by hand, which is run before all others.
#[proc_macro_attribute]
pub fn example(arguments: TokenStream, function: TokenStream) -> TokenStream {
    example::moved(arguments.into(), function.into()).unwrap_or_else(Error::into_code).into()
}
