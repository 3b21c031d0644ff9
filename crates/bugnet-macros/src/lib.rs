//! Bugnet's macros.
use proc_macro::TokenStream;

/// Derives `Generate`.
#[proc_macro_derive(Generate, attributes(generate))]
pub fn derive_generate(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Marks a property.
#[proc_macro_attribute]
pub fn property(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}
