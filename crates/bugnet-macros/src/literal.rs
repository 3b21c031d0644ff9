//! The `Literal` of a derived type: the expression that builds the value.
//!
//! **Invariant:** the expression names variants through their type, so it compiles wherever the
//! type is in scope.

use crate::generics::Parts;
use crate::item::{Form, Item, Variant};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

/// The whole `impl`.
pub(crate) fn implementation(item: &Item) -> TokenStream {
    let name = &item.name;
    let types = item.variants.iter().flat_map(|variant| &variant.fields).map(|field| &field.kind);
    let Parts { parameters, arguments, bounds } =
        item.generics.bounded(types, &quote!(::bugnet::generate::Literal));
    let has_fields = item.variants.iter().any(|variant| !variant.fields.is_empty());
    let traits = has_fields.then(|| {
        quote!(
            use ::bugnet::__private::{ShowDebug as _, ShowLiteral as _, ShowOpaque as _};
        )
    });
    let arms = item.variants.iter().map(|variant| arm(variant, item));
    quote! {
        #[automatically_derived]
        impl #parameters ::bugnet::generate::Literal for #name #arguments #bounds {
            fn literal(&self) -> ::std::string::String {
                #traits
                match self {
                    #(#arms)*
                }
            }
        }
    }
}

/// Matches a variant and prints it.
fn arm(variant: &Variant, item: &Item) -> TokenStream {
    let names: Vec<Ident> = (0..variant.fields.len())
        .map(|place| format_ident!("field_{place}", span = Span::mixed_site()))
        .collect();
    let (path, pattern) = (variant.path(item), variant.with_fields(names.iter().map(Ident::to_token_stream)));
    let text = format(variant, item);
    // A field whose type is no `Literal` is shown by `Debug`, and one that is neither by its type.
    let value = if names.is_empty() && variant.form != Form::Named {
        quote!(::std::string::String::from(#text))
    } else {
        quote!(::std::format!(#text, #((&&&::bugnet::__private::Show(#names)).show().text),*))
    };
    quote!(#path #pattern => #value,)
}

/// The format of a variant, with a gap for each field.
fn format(variant: &Variant, item: &Item) -> String {
    let path = match &variant.name {
        Some(name) => format!("{}::{name}", item.name),
        None => item.name.to_string(),
    };
    let fields = variant.fields.iter().map(|field| match &field.name {
        Some(name) => format!("{name}: {{}}"),
        None => "{}".to_string(),
    });
    let fields = fields.collect::<Vec<_>>().join(", ");
    match variant.form {
        Form::Named if fields.is_empty() => format!("{path} {{{{}}}}"),
        Form::Named => format!("{path} {{{{ {fields} }}}}"),
        Form::Tuple => format!("{path}({fields})"),
        Form::Unit => path,
    }
}
