//! Forms: how the functions of a block are called.

use super::call::Form;
use super::solver::Solver;
use super::standard;
use crate::api::{Api, Assignment, Block, Bound, Function, Kind, Lifetimes};

/// Operators, by the trait that they stand for.
const BINARY: [(&str, &str); 10] = [
    ("Add", "+"),
    ("Sub", "-"),
    ("Mul", "*"),
    ("Div", "/"),
    ("Rem", "%"),
    ("BitAnd", "&"),
    ("BitOr", "|"),
    ("BitXor", "^"),
    ("Shl", "<<"),
    ("Shr", ">>"),
];
const ASSIGNMENTS: [(&str, &str); 10] = [
    ("AddAssign", "+="),
    ("SubAssign", "-="),
    ("MulAssign", "*="),
    ("DivAssign", "/="),
    ("RemAssign", "%="),
    ("BitAndAssign", "&="),
    ("BitOrAssign", "|="),
    ("BitXorAssign", "^="),
    ("ShlAssign", "<<="),
    ("ShrAssign", ">>="),
];
const PREFIXES: [(&str, &str); 2] = [("Neg", "-"), ("Not", "!")];

/// Traits whose methods need no `use`, and have but one meaning for a type.
const PRELUDE: [&str; 8] = [
    "Iterator",
    "IntoIterator",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "Extend",
    "ToString",
    "ToOwned",
    "Clone",
];

/// Returns true if a trait stands for an operator or an index.
pub(crate) fn is_operator(name: &str) -> bool {
    let all = BINARY.iter().chain(&ASSIGNMENTS).chain(&PREFIXES);
    all.map(|(known, _)| *known).chain(["Index", "IndexMut"]).any(|known| known == name)
}

/// Returns the form of a call of a block's function.
pub(crate) fn of_block(
    block: &Block,
    function: &Function,
    given: &Assignment,
    api: &Api,
    solver: &Solver<'_>,
) -> Form {
    let subject = &given["Self"];
    let words = turbofish(function, given);
    let name = format!("{}{words}", function.name);
    let Some(of) = &block.of else {
        let body = format!("<{}>::{name}", subject.text(Lifetimes::Inferred));
        let template = format!("{}::{name}", subject.prefix());
        return match function.has_receiver() {
            true => Form::Method { body, path: template, name },
            false => Form::Function { body, template },
        };
    };
    let of = of.assigned(given).map(&|part| solver.normal(&part));
    let body = format!("{}::{name}", qualified(subject, &of));
    if of.standard().is_some()
        && let Some(form) = operator(&of, subject, &body, api)
    {
        return form;
    }
    let is_local = |kind: &Kind| kind.path().is_some_and(|path| api.is_local(path));
    match of.standard() {
        Some("From" | "TryFrom" | "FromIterator" | "Default")
            if is_local(subject)
                && of.argument().is_none_or(|argument| says_its_type(argument, api))
                && !has_own(subject, function, api) =>
        {
            Form::Function { template: format!("{}::{name}", subject.prefix()), body }
        }
        Some("FromStr") if is_local(subject) => Form::Method {
            path: body.clone(),
            body,
            name: format!("parse::<{}>", subject.text(Lifetimes::Inferred)),
        },
        Some(prelude)
            if PRELUDE.contains(&prelude) && function.has_receiver() && !has_own(subject, function, api) =>
        {
            Form::Method { path: body.clone(), body, name }
        }
        _ => Form::Function { template: body.clone(), body },
    }
}

/// Returns true if a literal of a type can be of no other: `5` may be of any number, and a list of any elements.
fn says_its_type(kind: &Kind, api: &Api) -> bool {
    match kind {
        Kind::Reference { to, .. } => says_its_type(to, api),
        Kind::Named { path, .. } => {
            api.is_local(path)
                || ["str", "std::string::String", "bool", "char", "i32"].contains(&path.as_str())
        }
        _ => false,
    }
}

/// Returns true if a type has a method of its own by the name of one of a trait, which would be called instead.
fn has_own(subject: &Kind, function: &Function, api: &Api) -> bool {
    let is_same = |other: &Function| other.name == function.name;
    let path = subject.path();
    let is_reference = matches!(subject, Kind::Reference { .. });
    is_reference
        || api.blocks.iter().any(|block| {
            block.of.is_none() && block.subject.path() == path && block.functions.iter().any(is_same)
        })
}

fn operator(of: &Bound, subject: &Kind, body: &str, api: &Api) -> Option<Form> {
    let body = body.to_string();
    let find = |table: &[(&str, &'static str)]| {
        table.iter().find(|(known, _)| *known == of.name()).map(|(_, operator)| *operator)
    };
    // A literal on either side would not say of what type it is.
    let is_plain = |kind: &Kind| match kind {
        Kind::Reference { to, .. } => to.path().is_some_and(|path| api.is_local(path)),
        _ => kind.path().is_some_and(|path| api.is_local(path)),
    };
    if !is_plain(subject)
        || !of.argument().is_none_or(|argument| is_plain(argument) || standard::is_scalar(argument))
    {
        return None;
    }
    let is_number = of.argument().is_some_and(standard::is_scalar);
    if let Some(operator) = find(&PREFIXES) {
        return Some(Form::Prefix { body, operator });
    }
    if is_number {
        return None;
    }
    if let Some(operator) = find(&BINARY) {
        return Some(Form::Binary { body, operator });
    }
    find(&ASSIGNMENTS).map(|operator| Form::Assignment { body, operator })
}

/// `<Type as Trait>`.
pub(crate) fn qualified(subject: &Kind, of: &Bound) -> String {
    format!("<{} as {}>", subject.text(Lifetimes::Inferred), of.without_bindings().text(Lifetimes::Inferred))
}

/// A trait as a person would write it.
pub(crate) fn short_bound(of: &Bound) -> String {
    let arguments: Vec<String> =
        of.arguments.iter().filter(|argument| **argument != Kind::Lifetime).map(Kind::short).collect();
    let arguments = arguments.join(", ").replace("'static ", "");
    if arguments.is_empty() { of.name().to_string() } else { format!("{}<{arguments}>", of.name()) }
}

/// The types of a function that must be written down, as `::<…>`; empty if the compiler finds them.
pub(crate) fn turbofish(function: &Function, given: &Assignment) -> String {
    let variables = &function.generics.variables;
    let is_hidden = |name: &str| {
        let mut is_it =
            |part: &Kind| matches!(part, Kind::Parameter(known) | Kind::Constant(known) if known == name);
        !function.inputs.iter().any(|(_, kind)| kind.any(&mut is_it))
    };
    let is_unusual = |name: &str| {
        let is_plain = |kind: &Kind| !standard::is_scalar(kind) || kind.is("i32") || kind.is("f64");
        given.get(name).is_some_and(|kind| !is_plain(kind) || matches!(kind, Kind::Function { .. }))
    };
    if !variables.iter().any(|variable| is_hidden(&variable.name) || is_unusual(&variable.name)) {
        return String::new();
    }
    let text = |name: &str| given.get(name).map_or("_".to_string(), |kind| kind.text(Lifetimes::Inferred));
    let all: Vec<String> = variables.iter().map(|variable| text(&variable.name)).collect();
    format!("::<{}>", all.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::tests::LIBRARY;

    #[test]
    fn a_function_of_a_trait_is_named_by_it_if_the_type_has_one_of_the_same_name() {
        let solver = Solver::new(&LIBRARY);
        let template = |subject: Kind| {
            let is_it = |block: &&Block| {
                let of = block.of.as_ref().is_some_and(|of| of.name() == "Default");
                of && block.subject.path() == subject.path()
            };
            let block = LIBRARY.blocks.iter().find(is_it).unwrap();
            let mut given = Assignment::new();
            assert!(block.subject.unify(&subject, &mut given));
            given.insert("Self".to_string(), subject);
            match of_block(block, &block.functions[0], &given, &LIBRARY, &solver) {
                Form::Function { template, .. } => template,
                _ => panic!("it is called as a function"),
            }
        };
        let drawer = Kind::named("library::Drawer");
        let chest = template(Kind::generic("library::ChestInner", [Kind::named("i32"), drawer]));
        assert_eq!(chest, "<library::ChestInner<i32, library::Drawer> as std::default::Default>::default");
        assert_eq!(template(Kind::named("library::Cushion")), "library::Cushion::default");
    }

    #[test]
    fn only_what_says_its_type_is_converted_without_naming_it() {
        let api = Api::default();
        assert!(says_its_type(&Kind::shared(Kind::named("str")), &api));
        assert!(!says_its_type(&Kind::named("u8"), &api));
        assert!(!says_its_type(&Kind::generic("std::vec::Vec", [Kind::named("u8")]), &api));
    }
}
