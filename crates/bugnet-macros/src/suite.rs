//! What every suite comes with: the function that makes it, and the test that runs it.
//!
//! **Invariant:** the test is there only where tests are built, for the suite may stand in code that
//! is not a test.

use crate::attribute::Attribute;
use crate::emit::code;
use crate::kind;
use crate::operation::Operation;
use crate::setting::Settings;
use proc_macro::{Ident, Span, TokenStream};

/// An expression that makes a suite of operations; `start` is the empty one.
pub(crate) fn suite(start: &TokenStream, operations: &[Operation], settings: &Settings) -> TokenStream {
    let operations: TokenStream = operations.iter().map(|operation| operation.added(settings)).collect();
    code!(
        "#[allow(unused_imports)]
        use ::bugnet::__private::{
            Fingerprinted as _, FingerprintedByDebug as _, Generated as _, NotFingerprinted as _,
            NotGenerated as _, ShowBuilt as _, ShowDebug as _, ShowLiteral as _, ShowOpaque as _,
        };
        let suite = $start;
        $operations
        suite.build()",
        start,
        operations
    )
}

/// The suite of a type.
pub(crate) fn api(subject: &TokenStream, conditions: &[&Attribute], suite: &TokenStream) -> TokenStream {
    code!(
        "$conditions
        #[automatically_derived]
        impl ::bugnet::program::Api for $subject {
            fn suite() -> ::bugnet::program::Suite {
                $suite
            }
        }",
        conditions = conditions.to_vec(),
        subject,
        suite
    )
}

/// The test that runs the programs of a suite.
pub(crate) fn test(
    name: &Ident,
    attributes: &[&Attribute],
    settings: &Settings,
    suite: &TokenStream,
) -> TokenStream {
    // Another `#[…test]` of the user's choice makes the function a test in our stead.
    let is_marked = attributes.iter().any(|attribute| attribute.is("test"));
    let marker = (!is_marked).then(|| code!("#[cfg(test)] #[test]"));
    code!(
        r#"$marker
        $attributes
        fn $name() {
            ::bugnet::Property::new(::core::concat!(::core::module_path!(), "::", $label))
                .folder(::core::env!("CARGO_MANIFEST_DIR"))
                $options
                .test(&::bugnet::program::Programs::new($suite));
        }"#,
        marker,
        attributes = attributes.to_vec(),
        name,
        label = name.to_string().trim_start_matches("r#"),
        options = settings.options(),
        suite
    )
}

/// The last name in the path of a type, as a function is named.
pub(crate) fn snake_case(subject: &TokenStream, ending: &str) -> Ident {
    let text = kind::text(subject);
    let path = text.split('<').next().unwrap_or_default();
    let (mut name, mut before) = (String::new(), '_');
    for letter in path.rsplit("::").next().unwrap_or_default().chars() {
        if letter.is_uppercase() && (before.is_lowercase() || before.is_numeric()) {
            name.push('_');
        }
        name.extend(letter.to_lowercase().filter(|letter| letter.is_alphanumeric() || *letter == '_'));
        before = letter;
    }
    let place = subject.clone().into_iter().next().map_or_else(Span::call_site, |first| first.span());
    Ident::new(&format!("{name}{ending}"), place)
}
