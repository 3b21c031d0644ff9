//! Amounts as text: in words for people, and in a form that can be stored and read back.
//!
//! **Invariant:** what is stored reads back as the same amount.

use super::amount::is_range;
use super::text::{PatternError, quoted};
use crate::list::Listed;
use crate::pattern::{Amount, Aspect, Course, Effect};
use crate::program::Suite;

const COURSES: [Course; 4] = [Course::Last, Course::Total, Course::Floored, Course::Wrapping];

fn course_name(course: Course) -> &'static str {
    match course {
        Course::Last => "last",
        Course::Total => "total",
        Course::Floored => "floored",
        Course::Wrapping => "wrapping",
    }
}

fn aspect_name(aspect: Aspect) -> &'static str {
    match aspect {
        Aspect::Number => "number",
        Aspect::Size => "size",
        Aspect::Bytes => "bytes",
        Aspect::Depth => "depth",
    }
}

/// An amount as it is stored.
pub(super) fn stored(amount: &Amount, suite: &Suite) -> String {
    let mut text = format!(" once {} {}", course_name(amount.course), amount.least);
    for (operation, effect) in &amount.effects {
        let effect = match effect {
            Effect::Add(count) => format!("add {count}"),
            Effect::Measure(parameter, aspect, times) => {
                format!("{} {parameter} {times}", aspect_name(*aspect))
            }
            Effect::Has(parameter, part) => format!("has {parameter} {}", quoted(part)),
            Effect::Enter(parameter) => format!("enter {parameter}"),
            Effect::Leave(parameter) => format!("leave {parameter}"),
            Effect::Reset => "reset".to_string(),
        };
        text.push_str(&format!(" {}({effect})", suite.operations[*operation].name));
    }
    text
}

/// Reads what comes before the first effect: the kind of an amount, and where it begins.
pub(super) fn read_kind(text: &str) -> Result<(Amount, &str), PatternError> {
    let wrong = || PatternError::new(format!("`{text}` is no amount: it begins with its kind and a number"));
    let (kind, rest) = text.trim_start().split_once(' ').ok_or_else(wrong)?;
    let (least, rest) = rest.split_once(' ').ok_or_else(wrong)?;
    let course = COURSES.into_iter().find(|course| course_name(*course) == kind).ok_or_else(wrong)?;
    let least = least.parse().map_err(|_| wrong())?;
    Ok((Amount { effects: Vec::new(), least, course }, rest))
}

/// Reads what a call does to an amount.
pub(super) fn read_effect(text: &str, parameters: usize) -> Result<Effect, PatternError> {
    let wrong = || PatternError::new(format!("`{text}` is nothing that a call does to an amount"));
    let words = text.split_whitespace().listed();
    let number = |place: usize| words.get(place).and_then(|word: &&str| word.parse::<i64>().ok());
    let parameter = || {
        let place = number(1).and_then(|place| usize::try_from(place).ok());
        place.filter(|place| *place < parameters).ok_or_else(wrong)
    };
    let measure = |aspect| Ok(Effect::Measure(parameter()?, aspect, number(2).ok_or_else(wrong)?));
    match words.first().copied() {
        Some("add") => number(1).map(Effect::Add).ok_or_else(wrong),
        Some("number") => measure(Aspect::Number),
        Some("size") => measure(Aspect::Size),
        Some("bytes") => measure(Aspect::Bytes),
        Some("depth") => measure(Aspect::Depth),
        Some("enter") => parameter().map(Effect::Enter),
        Some("leave") => parameter().map(Effect::Leave),
        Some("reset") => Ok(Effect::Reset),
        _ => Err(wrong()),
    }
}

/// The amounts of a pattern in words.
pub(super) fn words(amounts: &[Amount], suite: &Suite) -> String {
    let (mut text, mut told): (String, Vec<usize>) = (String::new(), Vec::new());
    for (place, amount) in amounts.iter().enumerate() {
        if told.contains(&place) {
            continue;
        }
        text.push_str(match place {
            0 if amount.course == Course::Last && amount.effects.len() == 1 => " with ",
            0 => ", once ",
            _ => " and ",
        });
        let other = (place + 1..amounts.len()).find(|other| is_range(amount, &amounts[*other]));
        told.extend(other);
        match other {
            Some(other) => text.push_str(&range(amount, &amounts[other], suite)),
            None => text.push_str(&condition(amount, suite)),
        }
    }
    text
}

/// The quantity of a literal.
fn quantity(suite: &Suite, operation: usize, parameter: usize, aspect: Aspect) -> String {
    let of = match aspect {
        Aspect::Number => "",
        Aspect::Size => "the length of ",
        Aspect::Bytes => "the bytes of ",
        Aspect::Depth => "the depth of ",
    };
    format!("{of}{}", suite.operations[operation].parameters[parameter].name)
}

/// Both ends of a range.
fn range(one: &Amount, other: &Amount, suite: &Suite) -> String {
    let (operation, Effect::Measure(parameter, aspect, times)) = &one.effects[0] else {
        return condition(one, suite);
    };
    let (least, most) = if *times > 0 { (one.least, -other.least) } else { (other.least, -one.least) };
    format!("{} from {least} to {most}", quantity(suite, *operation, *parameter, *aspect))
}

fn condition(amount: &Amount, suite: &Suite) -> String {
    let name = |operation: usize, parameter: usize| suite.operations[operation].parameters[parameter].name;
    if let (Course::Last, [(operation, Effect::Measure(parameter, aspect, times))]) =
        (amount.course, &amount.effects[..])
    {
        let bound = match times {
            1 => format!("{} or more", amount.least),
            _ => format!("{} or less", -amount.least),
        };
        return format!("{} {bound}", quantity(suite, *operation, *parameter, *aspect));
    }
    if let [(operation, Effect::Has(parameter, part))] = &amount.effects[..] {
        return format!("{} containing {part}", name(*operation, *parameter));
    }
    let (mut plus, mut minus, mut resets) = (Vec::new(), Vec::new(), Vec::new());
    for (operation, effect) in &amount.effects {
        let call = suite.operations[*operation].name;
        let is_last = amount.course == Course::Last && amount.effects[0].0 == *operation;
        let of = |parameter: usize, aspect: Aspect| match aspect {
            _ if is_last => quantity(suite, *operation, parameter, aspect),
            Aspect::Number => format!("the {} of {call}", name(*operation, parameter)),
            Aspect::Size => format!("the lengths of {} of {call}", name(*operation, parameter)),
            Aspect::Bytes => format!("the bytes of {} of {call}", name(*operation, parameter)),
            Aspect::Depth => format!("the depths of {} of {call}", name(*operation, parameter)),
        };
        match effect {
            Effect::Add(1) => plus.push(format!("calls of {call}")),
            Effect::Add(-1) => minus.push(format!("calls of {call}")),
            Effect::Add(count) if *count > 0 => plus.push(format!("{count} × calls of {call}")),
            Effect::Add(count) => minus.push(format!("{} × calls of {call}", -count)),
            Effect::Measure(parameter, aspect, times) if *times > 0 => plus.push(of(*parameter, *aspect)),
            Effect::Measure(parameter, aspect, _) => minus.push(of(*parameter, *aspect)),
            Effect::Has(parameter, part) => plus.push(format!("{part} in {}", name(*operation, *parameter))),
            Effect::Enter(parameter) => {
                plus.push(format!("distinct {} of {call}", name(*operation, *parameter)))
            }
            Effect::Leave(parameter) => {
                minus.push(format!("those of {call} by {}", name(*operation, *parameter)))
            }
            Effect::Reset => resets.push(call.to_string()),
        }
    }
    let mut text = plus.join(" plus ");
    minus.iter().for_each(|part| text = format!("{text} minus {part}"));
    text = format!("{text} reach {}", amount.least);
    if amount.course == Course::Wrapping {
        text = format!("{text} in eight bits");
    }
    if !resets.is_empty() {
        text = format!("{text} since {}", resets.join(" or "));
    }
    text
}
