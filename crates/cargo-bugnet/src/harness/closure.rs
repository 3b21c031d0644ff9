//! Closures: a small library of functions to pass to functions, each the same in every run.

use super::expression::{Expression, Pass};
use super::standard;
use crate::api::Kind;

/// Closures of a type, the usual one first. `class` is the trait, `make` makes a value to return.
pub(crate) fn of(
    class: &str,
    inputs: &[Kind],
    output: &Kind,
    make: &dyn Fn(&Kind) -> Option<Expression>,
) -> Vec<Expression> {
    let closure = |body: &str| Expression::text(format!("|{}| {body}", ignored(inputs.len())));
    let labelled = |text: String| Expression::text(text.clone()).labelled(text);
    let label = |closure: Expression| {
        let text = closure.template(0);
        closure.labelled(text)
    };
    let mut all = Vec::new();
    match output {
        Kind::Tuple(parts) if parts.is_empty() => all.push(closure("()")),
        _ if output.is("bool") => {
            all.push(closure("true"));
            all.push(label(closure("false")));
            let every = ignored(inputs.len());
            // `Fn` may not change what it has caught, hence the cell.
            let other = format!(
                "{{ let odd = std::cell::Cell::new(false); move |{every}| odd.replace(!odd.get()) }}"
            );
            all.push(Expression::text(other).labelled("every other").fickle());
        }
        _ if output.is("std::cmp::Ordering") => match inputs.len() {
            2 => {
                all.push(Expression::text("|a, b| a.cmp(b)"));
                all.push(labelled("|a, b| b.cmp(a)".to_string()));
                all.push(label(closure("std::cmp::Ordering::Equal")));
            }
            _ => {
                for order in ["Equal", "Less", "Greater"] {
                    all.push(label(closure(&format!("std::cmp::Ordering::{order}"))));
                }
            }
        },
        _ => {
            let same = |input: &Kind| input == output;
            if let Some(place) = inputs.iter().position(same) {
                all.push(Expression::text(format!("|{}| x", picked(inputs.len(), place))));
            }
            let borrowed = |input: &Kind| matches!(input, Kind::Reference { to, .. } if **to == *output);
            if let Some(place) = inputs.iter().position(borrowed) {
                all.push(Expression::text(format!("|{}| x.clone()", picked(inputs.len(), place))));
            }
            if output.is("std::option::Option") {
                all.push(label(closure("None")));
                let held = output.arguments().first().map(|held| (*held).clone());
                if let Some(place) = inputs.iter().position(|input| Some(input) == held.as_ref()) {
                    all.push(label(Expression::text(format!("|{}| Some(x)", picked(inputs.len(), place)))));
                }
            }
            if output.is("std::result::Result")
                && let Some(held) = output.arguments().first()
            {
                let place = inputs.iter().position(|input| input == *held);
                all.extend(
                    place.map(|place| Expression::text(format!("|{}| Ok(x)", picked(inputs.len(), place)))),
                );
            }
            if let Some(made) = make(output) {
                // A closure that is called more than once returns copies.
                let once = class == "FnOnce" || standard::is_scalar(output);
                let is_moved = made.leaves().any(|leaf| leaf.pass == Pass::Taken || leaf.pass == Pass::Value);
                let after = if once || !is_moved { "" } else { ".clone()" };
                all.push(made.within(&format!("move |{}| ", ignored(inputs.len())), after));
            }
            if all.is_empty() && !output.any(&mut |part| matches!(part, Kind::Unknown(_))) {
                all.push(closure("Default::default()"));
            }
        }
    }
    // The first is the usual one, by whatever label.
    if let Some(first) = all.first_mut() {
        first.label.clear();
    }
    all
}

/// Writes this number of parameters that are not looked at.
fn ignored(count: usize) -> String {
    vec!["_"; count].join(", ")
}

/// Writes this number of parameters, of which one is `x`.
fn picked(count: usize, place: usize) -> String {
    let names: Vec<&str> = (0..count).map(|number| if number == place { "x" } else { "_" }).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(inputs: &[Kind], output: &Kind) -> Vec<String> {
        of("FnMut", inputs, output, &|_| None).iter().map(|closure| closure.template(0)).collect()
    }

    #[test]
    fn predicates_are_constant_or_alternate() {
        let texts = texts(&[Kind::named("u8"), Kind::named("u8")], &Kind::named("bool"));
        assert_eq!(texts[..2], ["|_, _| true", "|_, _| false"]);
        assert!(texts[2].contains("odd.replace"));
        let all = of("FnMut", &[Kind::named("u8")], &Kind::named("bool"), &|_| None);
        assert_eq!(all.iter().map(|closure| closure.is_fickle).collect::<Vec<_>>(), [false, false, true]);
        // An expression that contains one is fickle too.
        assert!(Expression::list(all).within("f(", ")").is_fickle);
    }

    #[test]
    fn what_fits_is_given_back() {
        assert_eq!(texts(&[Kind::named("u8")], &Kind::named("u8")), ["|x| x"]);
        let number = Kind::named("u8");
        assert_eq!(texts(&[Kind::shared(number.clone())], &number), ["|x| x.clone()"]);
        assert_eq!(texts(&[], &Kind::unit()), ["|| ()"]);
    }
}
