//! The parts of every suite: the function that makes it, and the test that runs it.
//!
//! **Invariant:** the test is there only where tests are built, for the suite may stand in code that
//! is not a test.

use crate::argument::described;
use crate::attribute::Attribute;
use crate::emit::code;
use crate::kind;
use crate::operation::{Operation, Role};
use crate::setting::Settings;
use proc_macro::{Ident, Span, TokenStream};

/// An expression that makes a suite of operations; `start` is the empty one.
pub(crate) fn suite(start: &TokenStream, operations: &[Operation], settings: &Settings) -> TokenStream {
    let added: TokenStream = operations.iter().map(|operation| operation.added(settings)).collect();
    code!(
        "#[allow(unused_imports, reason = \"not every suite asks all of them\")]
        use ::bugnet::__private::{
            Fingerprinted as _, FingerprintedByDebug as _, Generated as _, NotFingerprinted as _, NotObserved as _, Observed as _,
            NotGenerated as _, NotStandard as _, ShowBuilt as _, ShowDebug as _, ShowLiteral as _,
            ShowOpaque as _, Standard as _,
        };
        let suite = $start;
        $added
        $standard
        $wanted
        suite.build()",
        start,
        added,
        wanted = wanted(operations),
        standard = standard(operations),
    )
}

/// Values of types that are built by calls are kept although no call may need them, for a property may take them together.
fn wanted(operations: &[Operation]) -> TokenStream {
    let (mut wanted, mut seen) = (TokenStream::new(), Vec::new());
    for (kind, text) in operations.iter().filter_map(Operation::hands_over) {
        if !seen.contains(&text) {
            wanted.extend(code!(
                "let suite = match (&&::bugnet::program::Probe::<$kind>::NEW).is_built() {
                    true => suite.about($described),
                    false => suite,
                };",
                kind,
                described = described(kind, text),
            ));
            seen.push(text);
        }
    }
    wanted
}

/// The operations of the standard library on what others can change, because it is handed out by
/// `&mut`, or because it comes back as an argument.
fn standard(operations: &[Operation]) -> TokenStream {
    let (mut added, mut seen) = (TokenStream::new(), Vec::new());
    for (kind, text) in operations.iter().filter_map(|operation| operation.hands_out(operations)) {
        if !seen.contains(&text) {
            seen.push(text);
            added.extend(code!(
                "let suite = suite.operations((&&&::bugnet::program::Probe::<$kind>::NEW).standard($text));",
                kind,
                text
            ));
        }
    }
    added
}

/// The message where nothing judges.
pub(crate) const NO_JUDGE: &str = "nothing says what is right, so there is nothing to test; \
                                   write `#[check]` before a function, or the setting `strict` if no call may panic";

/// Returns true if something says what is right.
pub(crate) fn is_judged(operations: &[Operation], settings: &Settings) -> bool {
    settings.strict || operations.iter().any(|operation| operation.role == Role::Check)
}

/// The empty suite about some types.
pub(crate) fn about(name: &str, subjects: &[&TokenStream], settings: &Settings) -> TokenStream {
    let mut kinds = TokenStream::new();
    for subject in subjects {
        kinds.extend(code!(".about($kind)", kind = described(subject, &kind::text(subject))));
    }
    let strict = settings.strict.then(|| code!(".strict()"));
    code!("::bugnet::program::Suite::new($name) $kinds $strict", name, kinds, strict)
}

/// The suite of a type, as an expression.
pub(crate) fn of(subject: &TokenStream) -> TokenStream {
    code!("<$subject as ::bugnet::program::Api>::suite()", subject)
}

/// The attributes that a suite needs, and those that its test gets.
pub(crate) fn divided(attributes: &[Attribute]) -> (Vec<&Attribute>, Vec<&Attribute>) {
    let mut conditions = Vec::new();
    for attribute in attributes {
        if attribute.is("cfg") {
            conditions.push(attribute);
        }
    }
    let mut of_test = conditions.clone();
    for attribute in attributes {
        if attribute.belongs_to_test() {
            of_test.push(attribute);
        }
    }
    (conditions, of_test)
}

/// Code that makes a type know its suite, and the checks that ask nothing but a value.
pub(crate) fn api(
    subject: &TokenStream,
    conditions: &[&Attribute],
    suite: &TokenStream,
    operations: &[Operation],
) -> TokenStream {
    let checks: TokenStream = operations.iter().filter_map(Operation::asserted).collect();
    let checks = (!checks.is_empty()).then(|| code!("fn assert_checks(&self) { $checks }", checks));
    code!(
        "$conditions
        #[automatically_derived]
        impl ::bugnet::program::Api for $subject {
            fn suite() -> ::bugnet::program::Suite {
                $suite
            }
            $checks
        }",
        conditions = conditions.to_vec(),
        subject,
        suite,
        checks
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
                .declared_in(::core::file!())
                $options
                .test_suite(|| $suite);
        }
        $written"#,
        marker,
        attributes = attributes.to_vec(),
        name,
        label = name.to_string().trim_start_matches("r#"),
        options = settings.options(),
        suite,
        written = written(name),
    )
}

/// The tests that Bugnet has written of failing programs, if there are any. They stand beside the
/// type, so that they see what is private.
fn written(name: &Ident) -> Option<TokenStream> {
    let file = format!("tests/bugnet/{}.rs", name.to_string().trim_start_matches("r#"));
    let path = std::path::Path::new(&std::env::var_os("CARGO_MANIFEST_DIR")?).join(&file);
    let module = Ident::new(&format!("{name}_written"), name.span());
    path.is_file().then(|| {
        code!(
            r#"#[cfg(test)]
            mod $module {
                #[allow(unused_imports, reason = "the tests in the file may need nothing")]
                use super::*;
                ::core::include!(::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/", $file));
            }"#,
            module,
            file
        )
    })
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
        for small in letter.to_lowercase() {
            if small.is_alphanumeric() || small == '_' {
                name.push(small);
            }
        }
        before = letter;
    }
    let place = subject.clone().into_iter().next().map_or_else(Span::call_site, |first| first.span());
    Ident::new(&format!("{name}{ending}"), place)
}
