//! Calls: how a function is called, in a printed program and in the body of an operation.

use super::expression::{Expression, Pass};

/// The form of a call.
#[derive(Debug, Clone)]
pub(crate) enum Form {
    /// `path(arguments)`, once as it runs and once as it is printed.
    Function { body: String, template: String },
    /// `receiver.name(arguments)` where it is printed.
    Method { body: String, path: String, name: String },
    /// `left + right` where it is printed.
    Binary { body: String, operator: &'static str },
    /// `*left += right` where it is printed.
    Assignment { body: String, operator: &'static str },
    /// `-operand` where it is printed.
    Prefix { body: String, operator: &'static str },
    /// `Path { name: argument }`, `Path(argument)` or `Path`.
    Value { path: String, fields: Vec<Option<String>> },
    /// An expression with a hole for each argument, in order: `§`.
    Pattern(String),
    /// Another call, whose result is changed at once by an expression with `{}` in its place. The last argument is for
    /// a hole in that expression, if it has one.
    Change { call: Box<Form>, change: String },
}

impl Form {
    /// The call with its arguments, as it is printed and as it runs.
    pub(crate) fn written(&self, arguments: &[Expression]) -> (String, String) {
        let mut templates = Vec::new();
        let mut bodies = Vec::new();
        let mut number = 0;
        for argument in arguments {
            templates.push(argument.template(number));
            bodies.push(argument.body(number));
            number += argument.leaves().count();
        }
        let list = |all: &[String]| all.join(", ");
        match self {
            Form::Function { body, template } => {
                (format!("{template}({})", list(&templates)), format!("{body}({})", list(&bodies)))
            }
            Form::Method { body, path, name } => {
                let call = format!("{body}({})", list(&bodies));
                let is_value = arguments.first().is_some_and(is_receiver);
                match templates.split_first() {
                    Some((receiver, rest)) if is_value => {
                        (format!("{receiver}.{name}({})", list(rest)), call)
                    }
                    _ => (format!("{path}({})", list(&templates)), call),
                }
            }
            Form::Binary { body, operator } => {
                (templates.join(&format!(" {operator} ")), format!("{body}({})", list(&bodies)))
            }
            Form::Assignment { body, operator } => {
                let text = format!("*{}", templates.join(&format!(" {operator} ")));
                (text, format!("{body}({})", list(&bodies)))
            }
            Form::Prefix { body, operator } => {
                (format!("{operator}{}", list(&templates)), format!("{body}({})", list(&bodies)))
            }
            Form::Value { path, fields } => (value(path, fields, &templates), value(path, fields, &bodies)),
            Form::Change { call, change } => {
                let own = arguments.len() - change.matches('§').count();
                let (template, body) = call.written(&arguments[..own]);
                let changed =
                    |call: &str, values: &[String]| filled(&change.replace("{}", call), &values[own..]);
                (changed(&template, &templates), changed(&body, &bodies))
            }
            Form::Pattern(pattern) => (filled(pattern, &templates), filled(pattern, &bodies)),
        }
    }
}

/// Returns true if a method can be called on an expression as it is printed.
fn is_receiver(argument: &Expression) -> bool {
    let mut leaves = argument.leaves();
    let is_named = matches!(leaves.next(), Some(leaf) if !leaf.pass.is_literal() || leaf.pass == Pass::Text);
    is_named && argument.template(0).starts_with("{0}")
}

fn value(path: &str, fields: &[Option<String>], arguments: &[String]) -> String {
    match fields.first() {
        None => path.to_string(),
        Some(None) => format!("{path}({})", arguments.join(", ")),
        Some(Some(_)) => {
            let named = |(name, argument): (&Option<String>, &String)| {
                format!("{}: {argument}", name.as_deref().unwrap_or_default())
            };
            let all: Vec<String> = fields.iter().zip(arguments).map(named).collect();
            format!("{path} {{ {} }}", all.join(", "))
        }
    }
}

fn filled(pattern: &str, arguments: &[String]) -> String {
    let mut arguments = arguments.iter();
    let mut text = String::new();
    for (place, part) in pattern.split('§').enumerate() {
        if place > 0 {
            text.push_str(arguments.next().map_or("", String::as_str));
        }
        text.push_str(part);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Kind;

    fn set(pass: Pass) -> Expression {
        Expression::leaf("self", &Kind::named("set::Set"), pass)
    }

    #[test]
    fn a_method_is_printed_on_its_receiver() {
        let form = Form::Method {
            body: "<set::Set>::insert".into(),
            path: "set::Set::insert".into(),
            name: "insert".into(),
        };
        let number = Expression::leaf("bit", &Kind::named("usize"), Pass::Value);
        let (template, body) = form.written(&[set(Pass::Mutable), number.clone()]);
        assert_eq!((template.as_str(), body.as_str()), ("{0}.insert({1})", "<set::Set>::insert(a0, a1)"));
        let (template, _) = form.written(&[number.clone(), number]);
        assert_eq!(template, "set::Set::insert({0}, {1})");
    }

    #[test]
    fn operators_and_values_are_printed_as_such() {
        let assign = Form::Assignment { body: "f".into(), operator: "|=" };
        assert_eq!(assign.written(&[set(Pass::Mutable), set(Pass::Taken)]).0, "*{0} |= {1}");
        let pair = Form::Value { path: "p::Pair".into(), fields: vec![Some("a".into()), Some("b".into())] };
        assert_eq!(pair.written(&[set(Pass::Taken), set(Pass::Taken)]).1, "p::Pair { a: a0, b: a1 }");
        let number = Expression::leaf("value", &Kind::named("u8"), Pass::Value);
        let get = Form::Function { body: "get".into(), template: "set.get".into() };
        let change = Form::Change { call: Box::new(get), change: "*{} = §".into() };
        let (template, body) = change.written(&[set(Pass::Mutable), number]);
        assert_eq!((template.as_str(), body.as_str()), ("*set.get({0}) = {1}", "*get(a0) = a1"));
        let pattern = Form::Pattern("§.len() == 0".into());
        assert_eq!(pattern.written(&[set(Pass::Shared)]).0, "{0}.len() == 0");
    }
}
