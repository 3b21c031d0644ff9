//! The function and the test that `#[law]` makes of a function.
//!
//! **Invariant:** the function keeps its tokens; all that changes is that it is public.

use crate::attribute::Attribute;
use crate::emit::{code, list};
use crate::error::Error;
use crate::function::Function;
use crate::parameter::{Parameter, Passing};
use crate::property;
use crate::reader::{Reader, is_mark, is_word, split_types};
use crate::setting::{OF_LAW, OF_TESTED_LAW, Settings};
use proc_macro::{Delimiter, Ident, Span, TokenStream, TokenTree};

/// The function, its settings, and its test.
pub(crate) fn expanded(settings: TokenStream, item: TokenStream) -> Result<TokenStream, Error> {
    let law = Law::read(item)?;
    let is_tested = split_types(settings.clone()).into_iter().any(is_test);
    let settings = Settings::read(settings, if is_tested { OF_TESTED_LAW } else { OF_LAW })?;
    let Law { attributes, visibility, name, rest, .. } = &law;
    let fields = settings.law.iter();
    let fields =
        list(fields.map(|(key, value)| code!("$key: ::core::option::Option::Some($value)", key, value)));
    let test = match (law.has_receiver, settings.is_tested) {
        (true, true) => {
            let message =
                "`test` is for functions beside the block; remove it: `cargo bugnet check` runs this law";
            return Err(Error::new(name.span(), message));
        }
        (true, false) => TokenStream::new(),
        (false, is_tested) => law.test(is_tested.then_some(&settings))?,
    };
    Ok(code!(
        "$attributes
        #[allow(dead_code, missing_docs, private_interfaces, unreachable_pub)]
        $visibility $rest
        #[doc = $summary]
        #[allow(clippy::needless_update, dead_code, non_upper_case_globals, unreachable_pub)]
        $visibility const $settings: ::bugnet::oracle::$kind =
            ::bugnet::oracle::Law { $fields ..::bugnet::oracle::Law::PLAIN };
        $test",
        attributes,
        visibility,
        rest,
        summary = format!("The settings of the law `{name}`."),
        settings = law.settings(),
        kind = kind(&settings),
        fields,
        test,
    ))
}

/// The type of the settings, which tells readers of the API whether every check must panic.
fn kind(settings: &Settings) -> Ident {
    let expects_panic = settings.law.iter().any(|(key, _)| *key.to_string() == *"expect_panic");
    Ident::new(if expects_panic { "PanickingLaw" } else { "Law" }, Span::mixed_site())
}

/// Returns true if a setting is the word `test`.
fn is_test(setting: TokenStream) -> bool {
    setting.into_iter().next().is_some_and(|token| is_word(&token, "test"))
}

/// A function that is a law.
struct Law {
    attributes: Vec<Attribute>,
    visibility: TokenStream,
    name: Ident,
    parameters: Vec<TokenStream>,
    has_receiver: bool,
    /// The function from `fn` on.
    rest: TokenStream,
}

impl Law {
    fn read(item: TokenStream) -> Result<Law, Error> {
        let mut reader = Reader::new(item);
        let attributes = Attribute::read_all(&mut reader);
        let written = reader.take_visibility();
        let visibility = if written.is_empty() { code!("pub") } else { written };
        let place = reader.place();
        let rest = reader.rest();
        let mut reader = Reader::new(rest.clone());
        if !reader.take_word("fn") {
            let message = "`#[law]` stands on an ordinary function; write `fn name(value: Type) { … }`";
            return Err(Error::new(place, message));
        }
        let name = reader.take_name().ok_or_else(|| Error::new(place, "a law needs a name"))?;
        if reader.peek().is_some_and(|token| is_mark(token, '<')) {
            let message =
                "a law cannot be generic, for it is run as it stands; write the types that it is about";
            return Err(Error::new(reader.place(), message));
        }
        let group = reader.take_group(Delimiter::Parenthesis);
        let parameters = group.map(|group| split_types(group.stream())).unwrap_or_default();
        let has_receiver = parameters.first().is_some_and(is_receiver);
        Ok(Law { attributes, visibility, name, parameters, has_receiver, rest })
    }

    /// The name of the constant with its settings.
    fn settings(&self) -> Ident {
        Ident::new(&format!("law_{}", self.name.to_string().trim_start_matches("r#")), self.name.span())
    }

    /// The test of a function: one that says who runs the law, or a property.
    fn test(&self, tested: Option<&Settings>) -> Result<TokenStream, Error> {
        let (name, attributes) = (&self.name, self.conditions());
        let inside = match tested {
            Some(settings) => self.property(settings)?,
            None => code!(
                r#"#[test]
                #[ignore = "run by: cargo bugnet check"]
                fn law() {
                    ::core::panic!("this law is run by: cargo bugnet check");
                }"#
            ),
        };
        Ok(code!("$attributes #[cfg(test)] mod $name { $inside }", attributes, name, inside))
    }

    /// The conditions under which the function is there.
    fn conditions(&self) -> Vec<&Attribute> {
        self.attributes.iter().filter(|attribute| attribute.is("cfg")).collect()
    }

    /// The property that generates the parameters.
    fn property(&self, settings: &Settings) -> Result<TokenStream, Error> {
        let (mut names, mut inputs, mut demands) = (Vec::new(), Vec::new(), TokenStream::new());
        for (place, tokens) in self.parameters.iter().enumerate() {
            let parameter = Parameter::read(tokens.clone(), place + 1)?;
            let name = Ident::new(&parameter.shown, Span::call_site());
            inputs.push(code!("$name: $kind", name, kind = parameter.kind));
            names.push(name);
            if parameter.passing != Passing::Source {
                demands.extend(code!("made::<$kind>();", kind = parameter.owned.tokens));
            }
        }
        let function = Function::read(code!(
            "fn law($inputs) -> ::bugnet::oracle::Verdict { super::$settings.check(move || super::$name($names)) }",
            inputs = list(inputs),
            settings = self.settings(),
            name = self.name,
            names = list(&names),
        ))?;
        let test = property::test(&function, settings)?;
        Ok(code!(
            "#[allow(unused_imports)]
            use super::*;
            #[allow(dead_code)]
            fn demand() {
                fn made<T: ::bugnet::__private::Lawful>() {}
                $demands
            }
            $test",
            demands,
            test,
        ))
    }
}

/// Returns true if a parameter is `self`.
fn is_receiver(parameter: &TokenStream) -> bool {
    let before_type = parameter.clone().into_iter().take_while(|token| !is_mark(token, ':'));
    { before_type }.any(|token| matches!(&token, TokenTree::Ident(_)) && is_word(&token, "self"))
}
