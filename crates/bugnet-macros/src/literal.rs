//! The `Literal` of a derived type: the expression that builds the value.
//!
//! **Invariant:** the expression names variants through their type, so it compiles wherever the
//! type is in scope.

use crate::emit::{Splice, code, list, local};
use crate::generics::Parts;
use crate::item::{Form, Item, Variant};
use proc_macro::{Ident, TokenStream};

/// The whole `impl`.
pub(crate) fn implementation(item: &Item) -> TokenStream {
    let mut types = Vec::new();
    for variant in &item.variants {
        types.extend(variant.fields.iter().map(|field| &field.kind));
    }
    let Parts { parameters, arguments, bounds } =
        item.generics.bounded(&types, &code!("::bugnet::generate::Literal"));
    let traits = (!types.is_empty()).then(|| {
        code!("use ::bugnet::__private::{ShowBuilt as _, ShowDebug as _, ShowLiteral as _, ShowOpaque as _};")
    });
    let arms: TokenStream = item.variants.iter().map(|variant| arm(variant, item)).collect();
    code!(
        "#[automatically_derived]
        impl $parameters ::bugnet::generate::Literal for $name $arguments $bounds {
            fn literal(&self) -> ::std::string::String {
                $traits
                match self {
                    $arms
                }
            }
        }",
        name = item.name,
        parameters,
        arguments,
        bounds,
        traits,
        arms,
    )
}

/// Matches a variant and prints it.
fn arm(variant: &Variant, item: &Item) -> TokenStream {
    let names: Vec<Ident> = (0..variant.fields.len()).map(|place| local(&format!("field_{place}"))).collect();
    let (path, pattern) = (variant.path(item), variant.with_fields(names.iter().map(Splice::tokens)));
    let text = format(variant, item);
    // A field whose type is no `Literal` is shown by `Debug`, and one that is neither by its type.
    let value = if names.is_empty() && variant.form != Form::Named {
        code!("::std::string::String::from($text)", text)
    } else {
        let shown = |name| code!("(&&&&::bugnet::__private::Show($name)).show().text", name);
        code!("::std::format!($text, $fields)", text, fields = list(names.iter().map(shown)))
    };
    code!("$path $pattern => $value,", path, pattern, value)
}

/// The format of a variant, with a gap for each field.
fn format(variant: &Variant, item: &Item) -> String {
    let path = match &variant.name {
        Some(name) => format!("{}::{name}", item.name),
        None => item.name.to_string(),
    };
    let mut fields = String::new();
    for field in &variant.fields {
        let comma = if fields.is_empty() { "" } else { ", " };
        let name = field.name.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
        fields += &format!("{comma}{name}{{}}");
    }
    match variant.form {
        Form::Named if fields.is_empty() => format!("{path} {{{{}}}}"),
        Form::Named => format!("{path} {{{{ {fields} }}}}"),
        Form::Tuple => format!("{path}({fields})"),
        Form::Unit => path,
    }
}
