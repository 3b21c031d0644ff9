//! Conditions of `#[cfg]`: whether code is compiled at all.
//!
//! **Invariant:** a condition that is not understood is taken to hold, so that no code is left out by mistake.

use std::collections::BTreeSet;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Lit, Meta, Token};

/// The configuration that the compiler is given for the package.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cfg {
    /// The features that are on.
    pub(crate) features: BTreeSet<String>,
}

impl Cfg {
    /// Returns whether an item with these attributes is compiled when the package is used, not tested.
    pub(super) fn holds(&self, attributes: &[Attribute]) -> bool {
        attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).all(|attribute| {
            attribute.parse_args::<Meta>().ok().and_then(|condition| self.judge(&condition)).unwrap_or(true)
        })
    }

    /// Returns whether a condition holds; `None` if that is not known.
    fn judge(&self, condition: &Meta) -> Option<bool> {
        match condition {
            Meta::Path(path) => match path.get_ident()?.to_string().as_str() {
                "test" | "doctest" | "miri" | "doc" | "loom" => Some(false),
                "unix" => Some(cfg!(unix)),
                "windows" => Some(cfg!(windows)),
                "debug_assertions" => Some(true),
                _ => None,
            },
            Meta::NameValue(pair) => {
                let Expr::Lit(literal) = &pair.value else { return None };
                let Lit::Str(text) = &literal.lit else { return None };
                let is = |actual: &str| Some(text.value() == actual);
                match pair.path.get_ident()?.to_string().as_str() {
                    "feature" => Some(self.features.contains(&text.value())),
                    "target_os" => is(std::env::consts::OS),
                    "target_family" => is(std::env::consts::FAMILY),
                    "target_arch" => is(std::env::consts::ARCH),
                    "target_pointer_width" => is(&usize::BITS.to_string()),
                    "target_endian" => is(if cfg!(target_endian = "big") { "big" } else { "little" }),
                    _ => None,
                }
            }
            Meta::List(list) => {
                let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
                let mut parts = parts.iter().map(|part| self.judge(part));
                match list.path.get_ident()?.to_string().as_str() {
                    "not" => parts.next()?.map(|holds| !holds),
                    "all" => fold(parts, false),
                    "any" => fold(parts, true),
                    _ => None,
                }
            }
        }
    }
}

/// Returns `decisive` if a part is that, the opposite if all parts are, and nothing otherwise.
fn fold(parts: impl Iterator<Item = Option<bool>>, decisive: bool) -> Option<bool> {
    let parts: Vec<Option<bool>> = parts.collect();
    match parts.contains(&Some(decisive)) {
        true => Some(decisive),
        false => parts.iter().all(Option::is_some).then_some(!decisive),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(condition: &str) -> bool {
        let item: syn::ItemFn = syn::parse_str(&format!("#[cfg({condition})] fn f() {{}}")).unwrap();
        Cfg { features: BTreeSet::from(["std".to_string()]) }.holds(&item.attrs)
    }

    #[test]
    fn code_that_is_not_compiled_is_known_and_what_is_not_known_is_taken_to_be_compiled() {
        assert!(holds("feature = \"std\"") && !holds("feature = \"serde\"") && !holds("test"));
        assert!(holds("not(test)") && !holds("all(feature = \"std\", test)"));
        assert!(holds("any(test, feature = \"std\")") && !holds("any(test, windows, feature = \"x\")"));
        assert!(holds("tokio_unstable") && !holds("all(tokio_unstable, test)"));
    }
}
