//! Programs described: each call with what it is for, its arguments, and how it is written in Rust, with variables
//! named by what they hold.
//!
//! **Invariant:** reading a program calls nothing, so that one that kills its process can be printed.

use super::description::{self, Binding, Literal};
use super::execution::MOST_CALLS;
use super::frame::drawn;
use super::ledger::Ledger;
use super::operation::{Access, Mode, Operation, Role};
use super::sequence::{Argument, CALL, Call};
use super::suite::Suite;
use crate::choice::{Kind, Source, Tape};
use crate::generate::show::Shown;
use crate::generate::{ELEMENT, SEQUENCE};

/// A call as it was read from a tape.
pub(super) struct Read {
    pub(super) call: Call,
    /// Its literals, printed; in the order of the parameters.
    literals: Vec<Shown>,
}

/// Reads the program that a tape stands for: the word of its features, and its calls.
pub(super) fn read(suite: &Suite, tape: Tape) -> Option<(u64, Vec<Read>)> {
    let mut source = Source::replay(tape);
    let features = source.decide(Kind::Index, u64::MAX, u64::MAX, 0, |_| 0);
    let mut calls = Vec::new();
    while source.decide(Kind::Index, 1, 1, 0, |_| 0) == 1 {
        calls.push(read_call(suite, &mut source, CALL)?);
    }
    Some((features, calls))
}

/// A value that was built, as a block of Rust: what a call has made, or the oldest one of the type that the suite is about.
pub(super) fn block_of(suite: &Suite, tape: Tape, wanted: Option<usize>) -> String {
    let mut source = Source::replay(tape);
    let node = source.enter(SEQUENCE);
    let count = source.length(0, None);
    let mut calls = Vec::new();
    for _ in 0..count {
        let Some(call) = read_call(suite, &mut source, ELEMENT) else { return String::new() };
        calls.push(call);
    }
    source.leave(node);
    let mut printer = Printer::new(suite, &calls);
    let oldest = || (0..calls.len()).find(|place| is_subject(suite, &calls, *place));
    let Some(oldest) = wanted.filter(|place| *place < calls.len()).or_else(oldest) else {
        return String::new();
    };
    if calls.len() == 1 {
        printer.print(&calls);
        return printer.last;
    }
    printer.uses[oldest] = printer.uses[oldest].max(Some(Use::Read));
    printer.print(&calls);
    let mut text = String::from("{\n");
    for call in &printer.described {
        text.push_str(&format!("    {}\n", call.statement()));
    }
    text + &format!("    {}\n}}", printer.names[oldest])
}

/// Returns true if a call makes a value of the type that the suite is about, and no later call takes it.
fn is_subject(suite: &Suite, calls: &[Read], place: usize) -> bool {
    for read in calls {
        for (argument, parameter) in suite.passed(&read.call) {
            if parameter.mode == Mode::Value && *argument == Argument::Earlier(place) {
                return false;
            }
        }
    }
    suite.operations[calls[place].call.operation].result.is_some_and(|(kind, _)| kind == suite.kinds[0])
}

fn read_call(suite: &Suite, source: &mut Source, label: &'static str) -> Option<Read> {
    let node = source.enter(label);
    let number = |source: &mut Source| source.decide(Kind::Index, MOST_CALLS, MOST_CALLS, 0, |_| 0);
    let operation = suite.coded(number(source))?;
    let (mut arguments, mut literals) = (Vec::new(), Vec::new());
    let parameters = &suite.operations[operation].parameters;
    for parameter in parameters {
        arguments.push(match parameter.literal {
            None => Argument::Earlier(number(source) as usize),
            Some(_) => Argument::Literal(Tape::default()),
        });
    }
    // Literals come after all results.
    for (argument, parameter) in arguments.iter_mut().zip(parameters) {
        if let Some(show) = parameter.literal {
            let span = source.mark().spans();
            literals.push(drawn(source, show));
            *argument = Argument::Literal(source.tape().part_from(span));
        }
    }
    source.leave(node);
    Some(Read { call: Call { operation, arguments }, literals })
}

/// The failing part of a program.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Failing<'a> {
    /// An operation, by its name: a call of the program, a check or the teardown.
    Operation(&'a str),
    /// The values of a kind, by its name, when they were printed.
    Print(&'a str),
}

/// Describes a program, with what comes after it if that failed: the call of a check or of the teardown, or values
/// being printed. `None` if it calls something that is not there any more.
pub(crate) fn described(
    suite: &Suite,
    tape: &Tape,
    failing: Option<Failing<'_>>,
) -> Option<description::Program> {
    let (_, calls) = read(suite, tape.clone())?;
    let calls = match failing {
        Some(Failing::Print(kind)) => printed(suite, &calls, kind),
        Some(Failing::Operation(name)) => checked_after(suite, &calls, Some(name)),
        None => checked_after(suite, &calls, None),
    };
    Some(description::Program { tape: tape.clone(), calls, helpers: Vec::new() })
}

/// Describes a program and the check that fails after it.
fn checked_after(suite: &Suite, calls: &[Read], failing: Option<&str>) -> Vec<description::Call> {
    let mut printer = Printer::new(suite, calls);
    let mut check = None;
    for last in &[&suite.checks[..], suite.teardown.as_slice()] {
        for operation in *last {
            if check.is_none() && failing == Some(operation.name) {
                check = Some(operation);
            }
        }
    }
    let checked = check.and_then(|check| checked(suite, check, calls));
    if let Some(checked) = checked {
        // A value that nothing else uses needs a name too.
        printer.uses[checked] = printer.uses[checked].max(Some(Use::of(check.map_or(Mode::Shared, mode))));
    }
    printer.print(calls);
    if let (Some(check), Some(checked)) = (check, checked) {
        let mut ending = Vec::new();
        printer.ledger.claim(checked as u32, mode(check), &mut ending);
        printer.end(ending);
        let borrows = if check.template.contains("{0}.") { "" } else { "&" };
        let value = format!("{borrows}{}", printer.names[checked]);
        printer.described.push(description::Call {
            operation: check.name.to_string(),
            role: role(suite, check),
            arguments: vec![printer.earlier(checked, mode(check))],
            binding: None,
            expression: check.template.replace("{0}", &value),
        });
    }
    printer.described
}

/// Describes a program whose values of a kind are printed when it has ended.
fn printed(suite: &Suite, calls: &[Read], kind: &str) -> Vec<description::Call> {
    let (mut ledger, mut ending) = (Ledger::new(suite.kinds.len()), Vec::new());
    for read in calls {
        read.call.is_sound(suite, &mut ledger, &mut ending);
    }
    let mut owned = Vec::new();
    for (number, known) in suite.kinds.iter().enumerate() {
        for place in ledger.living(number) {
            if known.name == kind && ledger.access(*place) == Access::Owned {
                owned.push(*place);
            }
        }
    }
    let mut printer = Printer::new(suite, calls);
    for place in &owned {
        // A value that nothing else uses needs a name too.
        let used = &mut printer.uses[*place as usize];
        *used = (*used).max(Some(Use::Read));
    }
    printer.print(calls);
    for place in owned {
        let mut ending = Vec::new();
        printer.ledger.claim(place, Mode::Shared, &mut ending);
        printer.end(ending);
        printer.ledger.release(place);
        printer.described.push(description::Call {
            operation: kind.to_string(),
            role: description::Role::Print,
            arguments: vec![printer.earlier(place as usize, Mode::Shared)],
            binding: None,
            expression: format!("format!(\"{{{}:?}}\")", printer.names[place as usize]),
        });
    }
    printer.described
}

/// Says what an operation of a suite is for.
fn role(suite: &Suite, operation: &Operation) -> description::Role {
    match operation.role {
        Role::Call if suite.is_machine => description::Role::Rule,
        Role::Call => description::Role::Function,
        Role::Setup => description::Role::Setup,
        Role::Teardown => description::Role::Teardown,
        Role::Check => description::Role::Check,
        Role::Law { name, of } => description::Role::Law { name: name.to_string(), of: of.to_string() },
        Role::Stated => description::Role::Stated,
        Role::Literal => description::Role::Literal,
    }
}

impl Suite {
    /// Returns what one of its operations is for.
    #[doc(hidden)]
    pub fn role_of(&self, operation: &Operation) -> description::Role {
        role(self, operation)
    }
}

/// Returns the way the one argument of a check is passed.
fn mode(check: &Operation) -> Mode {
    check.parameters[0].mode
}

/// The call that made the value which was used last, of those that a check looks at.
fn checked(suite: &Suite, check: &Operation, calls: &[Read]) -> Option<usize> {
    let made = |place: usize| {
        let result = suite.operations[calls[place].call.operation].result;
        result.is_some_and(|(kind, access)| kind == check.parameters[0].kind && access == Access::Owned)
    };
    for place in (0..calls.len()).rev() {
        if made(place) {
            return Some(place);
        }
        for (argument, parameter) in suite.passed(&calls[place].call) {
            match argument {
                Argument::Earlier(value) if parameter.mode != Mode::Value && made(*value) => {
                    return Some(*value);
                }
                _ => {}
            }
        }
    }
    None
}

/// Prints one program.
struct Printer<'a> {
    suite: &'a Suite,
    /// The later use of each call's result: none, read, or changed.
    uses: Vec<Option<Use>>,
    names: Vec<String>,
    /// The names of the variables, without their numbers.
    taken: Vec<String>,
    ledger: Ledger,
    /// The expression of the last call.
    last: String,
    /// The calls so far, with the drops between them.
    described: Vec<description::Call>,
    /// The place of each call of the program in that list.
    places: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    Read,
    Changed,
}

impl Use {
    fn of(mode: Mode) -> Use {
        if mode == Mode::Mutable { Use::Changed } else { Use::Read }
    }
}

impl<'a> Printer<'a> {
    fn new(suite: &'a Suite, calls: &[Read]) -> Printer<'a> {
        let mut uses = vec![None; calls.len()];
        for read in calls {
            for (argument, parameter) in suite.passed(&read.call) {
                let Argument::Earlier(place) = argument else { continue };
                if let Some(used) = uses.get_mut(*place) {
                    *used = (*used).max(Some(Use::of(parameter.mode)));
                }
            }
        }
        // A variable must not hide a function that is called later.
        let mut taken: Vec<String> = Vec::new();
        for operations in &[&suite.operations, &suite.checks] {
            for operation in *operations {
                let Some((name, _)) = operation.template.split_once('(') else { continue };
                if !taken.iter().any(|taken| taken == name) {
                    taken.push(name.to_string());
                }
            }
        }
        Printer {
            suite,
            uses,
            names: Vec::new(),
            taken,
            ledger: Ledger::new(suite.kinds.len()),
            last: String::new(),
            described: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Describes the calls of a program.
    fn print(&mut self, calls: &[Read]) {
        for (place, read) in calls.iter().enumerate() {
            let operation = &self.suite.operations[read.call.operation];
            let call = self.call(operation, read);
            self.last.clone_from(&call);
            let arguments = self.arguments(operation, read);
            let mut ending = Vec::new();
            read.call.is_sound(self.suite, &mut self.ledger, &mut ending);
            self.end(ending);
            let (binding, expression) = match (self.uses[place], operation.result) {
                (Some(used), Some((kind, access))) => {
                    let is_mutable = used == Use::Changed && access == Access::Owned;
                    let binding = Binding { name: self.named(operation, kind.name), is_mutable };
                    (Some(binding), if operation.wrapped { format!("{call}.unwrap()") } else { call })
                }
                _ => (None, call),
            };
            self.names.push(binding.as_ref().map_or(String::new(), |binding| binding.name.clone()));
            self.places.push(self.described.len() as u32);
            self.described.push(description::Call {
                operation: operation.name.to_string(),
                role: role(self.suite, operation),
                arguments,
                binding,
                expression,
            });
        }
    }

    /// Drops what has to be gone before the next call, where dropping does anything.
    fn end(&mut self, ending: Vec<u32>) {
        for place in ending {
            let name = &self.names[place as usize];
            if !name.is_empty() && self.ledger.access(place) == Access::Owned {
                self.described.push(description::Call {
                    operation: "drop".to_string(),
                    role: description::Role::Drop,
                    arguments: vec![self.earlier(place as usize, Mode::Value)],
                    binding: None,
                    expression: format!("drop({name})"),
                });
            }
        }
    }

    /// Returns the result of a call of the program as an argument.
    fn earlier(&self, place: usize, mode: Mode) -> description::Argument {
        // A tape may name a call that is not there.
        let call = self.places.get(place).copied().unwrap_or(u32::MAX);
        description::Argument::Earlier { call, mode }
    }

    /// Returns the arguments of a call.
    fn arguments(&self, operation: &Operation, read: &Read) -> Vec<description::Argument> {
        let (mut literals, mut arguments) = (read.literals.iter(), Vec::new());
        for (argument, parameter) in read.call.arguments.iter().zip(&operation.parameters) {
            arguments.push(match argument {
                Argument::Earlier(place) => self.earlier(*place, parameter.mode),
                Argument::Literal(tape) => description::Argument::Literal(Literal {
                    tape: tape.clone(),
                    text: literals.next().map_or(String::new(), |shown| shown.text.clone()),
                    ..Literal::default()
                }),
            });
        }
        arguments
    }

    /// The expression of a call.
    fn call(&self, operation: &Operation, read: &Read) -> String {
        let mut literals = read.literals.iter();
        let mut written = Vec::new();
        for (number, argument) in read.call.arguments.iter().enumerate() {
            let receives = operation.template.contains(format!("{{{number}}}.").as_str());
            let (value, is_reference) = match argument {
                Argument::Literal(_) => {
                    (literals.next().map_or(String::new(), |shown| shown.text.clone()), false)
                }
                Argument::Earlier(place) => {
                    let name = self.names.get(*place).cloned().unwrap_or_default();
                    let reference =
                        self.ledger.calls() > *place && self.ledger.access(*place as u32) != Access::Owned;
                    (name, reference)
                }
            };
            let value = match operation.parameters[number].mode {
                _ if receives || is_reference => value,
                Mode::Value => value,
                Mode::Shared => format!("&{value}"),
                Mode::Mutable => format!("&mut {value}"),
            };
            let bare = value.trim_start_matches("&mut ").trim_start_matches('&');
            let reference = if is_reference { bare.to_string() } else { format!("&{bare}") };
            written.push((value, reference));
        }
        filled(operation.template, &written)
    }

    /// A name for what a call makes: that of a getter, or else of the type.
    fn named(&mut self, operation: &Operation, kind: &str) -> String {
        let getter = operation.leased && operation.parameters.len() == 1;
        let base = if getter {
            snake_case(last_word(operation.name).trim_start_matches("get_"))
        } else {
            snake_case(kind)
        };
        let count = 1 + self.taken.iter().filter(|taken| **taken == base).count();
        self.taken.push(base.clone());
        if count == 1 { base } else { format!("{base}_{count}") }
    }
}

/// A template with its holes filled: `{0}` by the first argument, `{&0}` by a `&` to it, whatever it is. What
/// an argument has in braces is no hole.
fn filled(template: &str, arguments: &[(String, String)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let hole = after.split_once('}').and_then(|(hole, rest)| {
            let (value, reference) = arguments.get(hole.trim_start_matches('&').parse::<usize>().ok()?)?;
            Some((if hole.starts_with('&') { reference } else { value }, rest))
        });
        match hole {
            Some((value, after)) => {
                text.push_str(value);
                rest = after;
            }
            None => {
                text.push('{');
                rest = after;
            }
        }
    }
    text + rest
}

/// The last word of the name of an operation, without what tells it from others of that name.
fn last_word(name: &str) -> &str {
    let path = &name[..name.find(['(', '#']).unwrap_or(name.len())];
    for word in path.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_') {
        if word.chars().next().is_some_and(|first| first.is_alphabetic() || first == '_') {
            return word;
        }
    }
    "value"
}

/// The last word of a type, as a variable is named.
fn snake_case(kind: &str) -> String {
    let path = &kind[..kind.find(['<', '(', '[']).unwrap_or(kind.len())];
    let last = &path[path.rfind("::").map_or(0, |end| end + 2)..];
    let mut name = String::new();
    for letter in last.chars() {
        if !letter.is_alphanumeric() && letter != '_' {
            continue;
        }
        if letter.is_uppercase() && name.chars().last().is_some_and(char::is_lowercase) {
            name.push('_');
        }
        for small in letter.to_lowercase() {
            name.push(small);
        }
    }
    match name.chars().next() {
        Some(first) if !first.is_numeric() && KEYWORDS.contains(&name.as_str()) => name + "_value",
        Some(first) if !first.is_numeric() => name,
        _ => "value".to_string(),
    }
}

/// Words that no variable may be called.
const KEYWORDS: [&str; 51] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield",
];

#[cfg(test)]
mod tests {
    use super::{filled, last_word, snake_case};

    #[test]
    fn braces_in_an_argument_are_no_holes() {
        let pair = |value: &str| (value.to_string(), format!("&{value}"));
        let arguments = [pair("\"{1}{0}\""), pair("x")];
        assert_eq!(filled("f({0}, {1}, {&1}, { {2} })", &arguments), "f(\"{1}{0}\", x, &x, { {2} })");
    }

    #[test]
    fn a_variable_has_the_name_of_its_type_unless_it_is_a_keyword() {
        assert_eq!(snake_case("ast::IfElse<'static>"), "if_else");
        assert_eq!(snake_case("ast::Return"), "return_value");
        assert_eq!(snake_case("ast::Do"), "do_value");
        assert_eq!(snake_case("Vacant"), "vacant");
        assert_eq!(snake_case("(u8, u8)"), "value");
    }

    #[test]
    fn a_getter_names_its_result_by_its_last_word() {
        assert_eq!(last_word("Graph::node_weight"), "node_weight");
        assert_eq!(last_word("<Slab as Index<usize>>::index#2"), "index");
        assert_eq!(last_word("Version.pre"), "pre");
        assert_eq!(last_word("Map::find(|_| true)"), "find");
    }
}
