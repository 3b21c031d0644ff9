//! `#[abstraction(…)]`: what the literals of a parameter, or of a type, become in patterns of bugs.
//!
//! **Invariant:** what a parameter says itself comes before what is said of its type.

use crate::argument::Origin;
use crate::attribute::Attribute;
use crate::emit::{code, code_at};
use crate::error::Error;
use crate::kind;
use crate::operation::Operation;
use crate::parameter::divided_by_colon;
use crate::reader::{Reader, split_expressions, start};
use proc_macro::{Ident, Span, TokenStream};

/// The message for anything else in the attribute.
const WANTED: &str =
    "write `exact`, `any` or `class = function`, and `apart` if equal values are so by chance";

/// The abstraction of a parameter's literals in patterns.
#[derive(Clone, Default)]
pub(crate) struct Abstraction {
    width: Option<Width>,
    is_apart: bool,
}

#[derive(Clone)]
enum Width {
    Exact,
    Any,
    /// The function that tells the class.
    Class(TokenStream),
}

impl Abstraction {
    /// Takes that of a parameter out of its attributes.
    pub(crate) fn take(attributes: &mut Vec<Attribute>) -> Result<Option<Abstraction>, Error> {
        let mut taken = None;
        for attribute in Attribute::take_all(attributes, "abstraction") {
            let rules = attribute.arguments(&format!("{WANTED}, in parentheses: `#[abstraction(exact)]`"))?;
            if taken.replace(Abstraction::read(&attribute, rules)?).is_some() {
                return Err(Error::new(attribute.place, "a parameter has one abstraction; put all into one"));
            }
        }
        Ok(taken)
    }

    fn read(attribute: &Attribute, rules: TokenStream) -> Result<Abstraction, Error> {
        let mut abstraction = Abstraction::default();
        for rule in split_expressions(rules.clone()) {
            let mut reader = Reader::new(rule.clone());
            let place = reader.place();
            let word = reader.take_name().map_or(String::new(), |word| word.to_string());
            let width = match word.as_str() {
                "apart" if reader.is_empty() => {
                    abstraction.is_apart = true;
                    continue;
                }
                "exact" if reader.is_empty() => Width::Exact,
                "any" if reader.is_empty() => Width::Any,
                "class" if reader.take_mark('=') && !reader.is_empty() => Width::Class(reader.rest()),
                _ => return Err(Error::new(place, WANTED)),
            };
            if abstraction.width.replace(width).is_some() {
                return Err(Error::across(&rule, "it is one of `exact`, `any` and `class = …`; keep one"));
            }
        }
        match abstraction {
            Abstraction { width: None, is_apart: false } => Err(Error::new(attribute.place, WANTED)),
            Abstraction { width: Some(Width::Exact), is_apart: true } => {
                let message =
                    "what is exact has no variable that could be the same elsewhere; remove `apart`";
                Err(Error::across(&rules, message))
            }
            abstraction => Ok(abstraction),
        }
    }

    /// Tells a parameter of it; `value` is the code that draws a literal.
    pub(crate) fn told(&self, value: &TokenStream) -> TokenStream {
        let width = self.width.as_ref().map(|width| match width {
            Width::Exact => code!(".exact()"),
            Width::Any => code!(".any()"),
            Width::Class(class) => {
                // The compiler is to complain about the function, not about the macro.
                let place = start(class);
                let [told, drawn] =
                    ["told", "value"].map(|name| Ident::new(name, Span::mixed_site().located_at(place)));
                let name = code_at!(place, "::bugnet::__private::class_name(&$told(&$drawn))", told, drawn);
                code!(
                    ".class(|source| { let $drawn = $value; let $told = $class; $name })",
                    drawn,
                    value,
                    told,
                    class,
                    name
                )
            }
        });
        let apart = self.is_apart.then(|| code!(".apart()"));
        code!("$width $apart", width, apart)
    }
}

/// Has the parameters of some types abstracted as the attributes of a block say, where they say nothing
/// themselves.
pub(crate) fn apply(attributes: &[&[Attribute]], operations: &mut [Operation]) -> Result<(), Error> {
    let mut seen: Vec<String> = Vec::new();
    for attribute in attributes.iter().copied().flatten() {
        if !attribute.is("abstraction") {
            continue;
        }
        let message =
            "name the type here: `#[abstraction(Mode: exact)]`; before a parameter, it goes without";
        let arguments = attribute.arguments(message)?;
        let Some((subject, rules)) = divided_by_colon(arguments) else {
            return Err(Error::new(attribute.place, message));
        };
        let (text, abstraction) = (kind::text(&subject), Abstraction::read(attribute, rules)?);
        if seen.contains(&text) {
            return Err(Error::across(&subject, "a type has one abstraction; put all into one"));
        }
        let mut is_there = false;
        for operation in &mut *operations {
            for argument in &mut operation.arguments {
                if argument.owned.text == text && !matches!(argument.origin, Origin::Earlier) {
                    argument.abstraction.get_or_insert_with(|| abstraction.clone());
                    is_there = true;
                }
            }
        }
        if !is_there {
            let message =
                format!("no parameter of type `{text}` is drawn here; remove it, or name another type");
            return Err(Error::across(&subject, message));
        }
        seen.push(text);
    }
    Ok(())
}
