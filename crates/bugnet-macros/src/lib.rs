//! The macros of Bugnet: `#[property]`, `#[law]`, `#[machine]`, `#[api]`, `suite!` and `#[derive(Generate)]`. Use
//! them through the crate `bugnet`, which exports all of them, with examples.
//!
//! They read what they are given, and write code that calls `bugnet`. Types, expressions and bodies
//! pass through as tokens, so there is no need for `syn`, whose build would take each user as long as
//! half of Bugnet, and templates of code are strings, so there is no need for `quote`.
//!
//! **Invariant:** whatever a macro cannot accept becomes a compile error at its place, with a
//! sentence that says what to write instead; a macro never panics.

#![warn(missing_docs)]

mod abstraction;
mod api;
mod argument;
mod attribute;
mod block;
mod emit;
mod error;
mod example;
mod foreign;
mod function;
mod generate;
mod generics;
mod item;
mod kind;
mod law;
mod literal;
mod machine;
mod made;
mod mark;
mod method;
mod number;
mod operation;
mod parameter;
mod precondition;
mod property;
mod reader;
mod setting;
mod substitution;
mod suite;

use error::Error;
use proc_macro::TokenStream;
use setting::Settings;

/// See `bugnet::Generate`.
#[proc_macro_derive(Generate, attributes(generate))]
pub fn derive_generate(item: TokenStream) -> TokenStream {
    let code = item::Item::read(item).map(|item| {
        let implementations = [generate::implementation(&item), literal::implementation(&item)];
        implementations.into_iter().collect()
    });
    code.unwrap_or_else(Error::into_code)
}

/// See `bugnet::property`.
#[proc_macro_attribute]
pub fn property(settings: TokenStream, function: TokenStream) -> TokenStream {
    let test = || {
        property::test(&function::Function::read(function)?, &Settings::read(settings, setting::OF_PROPERTY)?)
    };
    test().unwrap_or_else(Error::into_code)
}

/// See `bugnet::law`.
#[proc_macro_attribute]
pub fn law(settings: TokenStream, function: TokenStream) -> TokenStream {
    law::expanded(settings, function.clone()).unwrap_or_else(|error| error.beside(function))
}

/// See `bugnet::example`.
#[proc_macro_attribute]
pub fn example(arguments: TokenStream, function: TokenStream) -> TokenStream {
    example::moved(arguments, function).unwrap_or_else(Error::into_code)
}

/// See `bugnet::machine`.
#[proc_macro_attribute]
pub fn machine(settings: TokenStream, block: TokenStream) -> TokenStream {
    machine::expanded(settings, block.clone()).unwrap_or_else(|error| error.beside(block::recovered(block)))
}

/// See `bugnet::api`.
#[proc_macro_attribute]
pub fn api(settings: TokenStream, block: TokenStream) -> TokenStream {
    api::expanded(settings, block.clone()).unwrap_or_else(|error| error.beside(block::recovered(block)))
}

/// See `bugnet::suite`.
#[proc_macro]
pub fn suite(input: TokenStream) -> TokenStream {
    foreign::expanded(input).unwrap_or_else(Error::into_code)
}
