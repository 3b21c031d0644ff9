//! Patterns as text: in words for people, and in a form that can be stored and read back.
//!
//! `a; b` is a followed by b, and `a | (b; c)` is a anywhere up to behind c. A stored pattern names
//! operations, so it stays what it was when operations are added or their order changes.
//!
//! **Invariant:** what is stored reads back as the same pattern, but for how literals are printed.

use super::generalize::literal;
use super::{amount_text, order_text};
use crate::choice::Tape;
use crate::list::{Listed, mapped};
use crate::pattern::{Amount, Class, Effect, Element, Extra, Guard, Pattern, Term, Value};
use crate::program::{Suite, Width};
use std::cell::RefCell;
use std::fmt::{self, Write};

/// The reason why a text is not a pattern.
///
/// ```
/// use bugnet::bug::Pattern;
/// # use bugnet::oracle::Verdict;
/// # use bugnet::program::{Operation, Suite};
///
/// # let suite = Suite::new("time").operation(Operation::new("now", "now()", |_| Verdict::Pass)).build();
/// let error = Pattern::read("then()", &suite).unwrap_err();
/// assert!(error.to_string().contains("`then`"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternError(String);

impl PatternError {
    pub(super) fn new(problem: String) -> PatternError {
        PatternError(problem)
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for PatternError {}

/// For whom a pattern is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    Person,
    Machine,
}

/// Guards of a pattern that are shown to a person, at most.
const MOST_GUARDS: usize = 2;
/// Characters that a pattern may have with its guards; a guard that would make it longer is not shown.
const MOST_LETTERS: usize = 160;

struct Writer<'a> {
    pattern: &'a Pattern,
    suite: &'a Suite,
    reader: Reader,
    names: Vec<String>,
    /// The variables whose classes were told.
    told: RefCell<Vec<(u8, Value)>>,
}

impl Pattern {
    /// The pattern in words.
    ///
    /// ```
    /// use bugnet::bug::{Element, Pattern};
    /// # use bugnet::oracle::Verdict;
    /// # use bugnet::program::{Operation, Suite};
    ///
    /// # let suite = Suite::new("time").operation(Operation::new("now", "now()", |_| Verdict::Pass)).build();
    /// let now = Element { operation: 0, arguments: vec![], result: None };
    /// let pattern = Pattern::sequence(vec![now.clone(), now]).unwrap();
    /// assert_eq!(pattern.words(&suite), "now(); now()");
    /// ```
    pub fn words(&self, suite: &Suite) -> String {
        self.written(suite, Reader::Person)
    }

    /// The pattern as it is stored.
    ///
    /// ```
    /// use bugnet::bug::Pattern;
    /// # use bugnet::oracle::Verdict;
    /// # use bugnet::program::{Operation, Suite};
    ///
    /// # let suite = Suite::new("time").operation(Operation::new("now", "now()", |_| Verdict::Pass)).build();
    /// let pattern = Pattern::read("now() | now()", &suite).unwrap();
    /// assert_eq!(pattern.stored(&suite), "now() | now()");
    /// ```
    pub fn stored(&self, suite: &Suite) -> String {
        self.written(suite, Reader::Machine)
    }

    fn written(&self, suite: &Suite, reader: Reader) -> String {
        let names = names(self, suite);
        let writer = Writer { pattern: self, suite, reader, names, told: RefCell::default() };
        if !self.amounts.is_empty() {
            return writer.amounts();
        }
        let mut text = writer.calls();
        let mut said: Vec<String> = Vec::new();
        for guard in &self.guards {
            let mut condition = String::new();
            writer.guard(&mut condition, guard);
            // Guards that differ in their places only are one to a person, who does not read many or long ones.
            let is_read = said.len() < MOST_GUARDS
                && text.chars().count() + condition.chars().count() <= MOST_LETTERS
                && !said.contains(&condition)
                && !self.is_implied(guard);
            if reader == Reader::Machine || is_read {
                text.push_str(&condition);
                said.push(condition);
            }
        }
        text
    }
}

impl Pattern {
    /// Returns true if another guard holds wherever this one does: this one asks for all that the other asks for, and
    /// more.
    fn is_implied(&self, guard: &Guard) -> bool {
        let operations = |guard: &Guard| mapped(&guard.extras, |extra| extra.element.operation);
        let own = operations(guard);
        let is_less = |other: &Guard| {
            let mut rest = own.clone();
            operations(other).iter().all(|operation| {
                let place = rest.iter().position(|known| known == operation);
                place.map(|place| rest.remove(place)).is_some()
            }) && !rest.is_empty()
        };
        self.guards.iter().any(is_less)
    }
}

/// A text in quotes, on one line.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"))
}

/// Names for the variables: results have the first letter of their type, literals go by the alphabet.
fn names(pattern: &Pattern, suite: &Suite) -> Vec<String> {
    let mut elements: Vec<&Element> = Vec::new();
    for element in &pattern.elements {
        elements.push(element);
    }
    for guard in &pattern.guards {
        for extra in &guard.extras {
            elements.push(&extra.element);
        }
    }
    let mut names: Vec<String> = Vec::new();
    for element in &elements {
        while names.len() < usize::from(element.variables()) {
            names.push(String::new());
        }
    }
    let free = |names: &[String], letter: &str| {
        let (mut name, mut number) = (letter.to_string(), 2);
        while names.contains(&name) {
            name = format!("{letter}{number}");
            number += 1;
        }
        name
    };
    for element in &elements {
        if let (Some(result), Some(kind)) = (element.result, suite.operations[element.operation].made_kind())
        {
            let letter =
                kind[kind.rfind("::").map_or(0, |end| end + 2)..].chars().find(|c| c.is_alphabetic());
            let letter = String::from(letter.unwrap_or('r')).to_lowercase();
            let name = free(&names, &letter);
            names[usize::from(result)] = name;
        }
    }
    for variable in 0..names.len() {
        if names[variable].is_empty() {
            let mut letter = b'a';
            while letter < b'z' && names.contains(&char::from(letter).to_string()) {
                letter += 1;
            }
            let name = free(&names, &char::from(letter).to_string());
            names[variable] = name;
        }
    }
    names
}

impl Writer<'_> {
    /// The calls that complete a pattern of amounts, and the amounts.
    fn amounts(&self) -> String {
        let calls = mapped(&self.pattern.elements, |element| self.call(element));
        match self.reader {
            Reader::Person => {
                format!("{}{}", calls.join(" or "), amount_text::words(&self.pattern.amounts, self.suite))
            }
            Reader::Machine => {
                let amounts =
                    self.pattern.amounts.iter().map(|amount| amount_text::stored(amount, self.suite));
                format!("{}{}", calls.join("; "), amounts.listed().concat())
            }
        }
    }

    /// The calls in their order.
    fn calls(&self) -> String {
        let mut moved = self.pattern.unguarded();
        moved.tighten();
        let text = self.block(0, self.pattern.elements.len(), &mut moved).join("; ");
        if moved.before == self.pattern.before {
            return text;
        }
        self.told.borrow_mut().clear();
        let call = |place: usize| self.call(&self.pattern.elements[place]);
        match self.reader {
            Reader::Person => order_text::blocks(self.pattern, &call)
                .unwrap_or_else(|| order_text::sentence(self.pattern, &call)),
            Reader::Machine => {
                let calls = (0..self.pattern.elements.len()).map(call).listed();
                format!("{}{}", calls.join("; "), order_text::stored(self.pattern))
            }
        }
    }

    /// Elements with those that may be moved behind others, which `moved` has in the order that this tells.
    fn block(&self, start: usize, end: usize, moved: &mut Pattern) -> Vec<String> {
        let mut items = Vec::new();
        let mut place = start;
        while place < end {
            let (mut last, mut later) = (None, place + 1);
            while later < end && self.pattern.before[later] & (1 << place) == 0 {
                // What makes a value is free anyway.
                if !self.pattern.is_maker(later) && !self.pattern.is_maker(place) {
                    last = Some(later);
                }
                later += 1;
            }
            let mut item = self.call(&self.pattern.elements[place]);
            if let Some(last) = last {
                moved.relax(place, last);
                let inner = self.block(place + 1, last + 1, moved);
                match inner.as_slice() {
                    [one] if !one.contains('|') => item = format!("{item} | {one}"),
                    several => item = format!("{item} | ({})", several.join("; ")),
                }
            }
            items.push(item);
            place = last.unwrap_or(place) + 1;
        }
        items
    }

    fn call(&self, element: &Element) -> String {
        let operation = &self.suite.operations[element.operation];
        let mut text = String::new();
        if let Some(result) = element.result {
            let _ = write!(text, "?{} = ", self.names[usize::from(result)]);
        }
        text.push_str(operation.name);
        // The state of a machine goes without saying.
        let mut terms = Vec::new();
        for (place, term) in element.arguments.iter().enumerate() {
            if self.reader == Reader::Machine || !self.suite.is_state(operation, place) {
                terms.push(self.term(term));
            }
        }
        let _ = write!(text, "({})", terms.join(", "));
        text
    }

    fn term(&self, term: &Term) -> String {
        match (term, self.reader) {
            (Term::Variable(variable), _) => format!("?{}", self.names[usize::from(*variable)]),
            // It is enough to say it once.
            (Term::Class(variable, class), Reader::Person) => {
                let (mut told, said) = (self.told.borrow_mut(), (*variable, class.value));
                let is_new = !told.contains(&said);
                told.push(said);
                let class = if is_new { format!(" in {}", class.text) } else { String::new() };
                format!("?{}{class}", self.names[usize::from(*variable)])
            }
            (Term::Class(variable, class), Reader::Machine) => {
                format!("?{} in {}", self.names[usize::from(*variable)], quoted(&class.text))
            }
            (Term::Any, _) => "_".to_string(),
            (Term::Exact(literal), Reader::Person) => literal.text.clone(),
            // There is nothing beyond `true`.
            (Term::Least(literal), Reader::Person) if literal.text == "true" => literal.text.clone(),
            (Term::Least(literal), Reader::Person) => format!("{} or more", literal.text),
            (Term::Exact(literal), Reader::Machine) => format!("={}", literal.tape),
            (Term::Least(literal), Reader::Machine) => format!(">={}", literal.tape),
        }
    }

    fn guard(&self, text: &mut String, guard: &Guard) {
        let told = self.told.borrow().len();
        text.push_str(match (self.reader, guard.lasting) {
            (Reader::Person, _) => ", unless ",
            (Reader::Machine, false) => " unless ",
            (Reader::Machine, true) => " unless lasting ",
        });
        for (place, extra) in guard.extras.iter().enumerate() {
            text.push_str(if place > 0 { "; " } else { "" });
            text.push_str(&self.call(&extra.element));
            if self.reader == Reader::Machine {
                let _ = write!(text, " #{:x}<#{:x}", extra.after, extra.before);
            }
        }
        if self.reader == Reader::Person {
            let between = guard.extras.last().is_some_and(|extra| extra.after != 0);
            text.push_str(if between { " in between" } else { " before" });
        }
        // Another guard has variables of its own.
        self.told.borrow_mut().truncate(told);
    }
}

impl Pattern {
    /// Reads a stored pattern; the operations are those of a suite.
    ///
    /// ```
    /// use bugnet::bug::Pattern;
    /// # use bugnet::oracle::Verdict;
    /// # use bugnet::program::{Operation, Suite};
    ///
    /// # let suite = Suite::new("time").operation(Operation::new("now", "now()", |_| Verdict::Pass)).build();
    /// assert_eq!(Pattern::read("now(); now()", &suite).unwrap().elements.len(), 2);
    /// ```
    pub fn read(text: &str, suite: &Suite) -> Result<Pattern, PatternError> {
        let mut parser = Parser { rest: text, suite, names: Vec::new() };
        let (mut elements, mut free) = (Vec::new(), Vec::new());
        parser.block(&mut elements, &mut free)?;
        let wrong = || PatternError("a pattern has between one and 64 calls".to_string());
        let mut pattern = Pattern::sequence(elements).ok_or_else(wrong)?;
        for (element, last) in free {
            pattern.relax(element, last);
        }
        if parser.takes("order ") {
            parser.rest = order_text::read(parser.rest, &mut pattern)?;
        }
        while parser.takes("once ") {
            pattern.amounts.push(parser.amount()?);
        }
        if !pattern.amounts.is_empty() {
            pattern = Pattern::of_amounts(pattern.elements, pattern.amounts);
        }
        while parser.takes("unless ") {
            pattern.guards.push(parser.guard()?);
        }
        match parser.rest.trim() {
            "" => Ok(pattern),
            rest => Err(PatternError(format!("`{rest}` is not understood"))),
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
    suite: &'a Suite,
    names: Vec<String>,
}

impl Parser<'_> {
    fn takes(&mut self, mark: &str) -> bool {
        match self.rest.trim_start().strip_prefix(mark) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn amount(&mut self) -> Result<Amount, PatternError> {
        let (mut amount, rest) = amount_text::read_kind(self.rest)?;
        self.rest = rest;
        while !self.rest.trim().is_empty() && !self.rest.trim_start().starts_with("once ") {
            let (operation, _) = self.operation()?;
            let unclosed = || PatternError("a `(` without a `)` after it".to_string());
            if self.takes("has ") {
                amount.effects.push((operation, self.part(operation)?));
                continue;
            }
            let (effect, rest) = self.rest.split_once(')').ok_or_else(unclosed)?;
            let parameters = self.suite.operations[operation].parameters.len();
            amount.effects.push((operation, amount_text::read_effect(effect, parameters)?));
            self.rest = rest;
        }
        Ok(amount)
    }

    fn block(
        &mut self,
        elements: &mut Vec<Element>,
        free: &mut Vec<(usize, usize)>,
    ) -> Result<(), PatternError> {
        loop {
            let place = elements.len();
            let element = self.call()?;
            elements.push(element);
            if self.takes("|") {
                if self.takes("(") {
                    self.block(elements, free)?;
                    if !self.takes(")") {
                        return Err(PatternError("a `(` without a `)` after it".to_string()));
                    }
                } else {
                    let element = self.call()?;
                    elements.push(element);
                }
                free.push((place, elements.len() - 1));
            }
            if !self.takes(";") {
                return Ok(());
            }
        }
    }

    fn call(&mut self) -> Result<Element, PatternError> {
        let result = match self.takes("?") {
            true => {
                let (name, rest) = self.rest.split_once('=').unwrap_or((self.rest, ""));
                self.rest = rest;
                Some(self.variable(name.trim()))
            }
            false => None,
        };
        let (operation, name) = self.operation()?;
        let count = self.suite.operations[operation].parameters.len();
        let mut arguments = Vec::new();
        while !self.takes(")") {
            if arguments.len() == count || (!arguments.is_empty() && !self.takes(",")) {
                return Err(PatternError(format!("`{name}` has {count} parameters")));
            }
            let term = self.term(operation, arguments.len())?;
            arguments.push(term);
        }
        if arguments.len() != count {
            return Err(PatternError(format!("`{name}` has {count} parameters")));
        }
        Ok(Element { operation, arguments, result })
    }

    /// The operation of a call, up to its arguments. A name may have brackets itself, so the longest that
    /// fits is it.
    fn operation(&mut self) -> Result<(usize, &'static str), PatternError> {
        let rest = self.rest.trim_start();
        let (mut found, mut behind) = (None, "");
        for (place, name) in self.suite.names().enumerate() {
            let arguments = rest.strip_prefix(name).and_then(|rest| rest.trim_start().strip_prefix('('));
            let is_longest = found.is_none_or(|(_, known): (usize, &str)| known.len() < name.len());
            if let Some(arguments) = arguments.filter(|_| is_longest) {
                (found, behind) = (Some((place, name)), arguments);
            }
        }
        self.rest = behind;
        found.ok_or_else(|| match rest.split_once('(') {
            None => PatternError(format!("`{}` is not a call; write `name(…)`", rest.trim())),
            Some((name, _)) => {
                PatternError(format!("`{}` is not an operation of `{}`", name.trim(), self.suite.name))
            }
        })
    }

    fn term(&mut self, operation: usize, parameter: usize) -> Result<Term, PatternError> {
        let least = self.takes(">=");
        if least || self.takes("=") {
            let tape = self.literal()?;
            if !self.suite.operations[operation].parameters[parameter].is_literal() {
                return Err(PatternError("a literal stands for the result of a call".to_string()));
            }
            let literal = literal(self.suite, operation, parameter, &tape);
            return Ok(if least { Term::Least(literal) } else { Term::Exact(literal) });
        }
        let rest = self.rest.trim_start();
        let end = rest.find([',', ')', ' ']).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        self.rest = after;
        match word.strip_prefix('?') {
            Some(name) => {
                let variable = self.variable(name);
                match self.takes("in ") {
                    true => Ok(Term::Class(variable, self.class(operation, parameter)?)),
                    false => Ok(Term::Variable(variable)),
                }
            }
            None if word == "_" => Ok(Term::Any),
            None => {
                Err(PatternError(format!("`{word}` is not an argument; write `?name`, `_` or `=CHOICES`")))
            }
        }
    }

    /// The choices of a literal, up to the end of the argument.
    fn literal(&mut self) -> Result<Tape, PatternError> {
        let mut depth = 0;
        let ends = |letter: char| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            letter == ',' || depth < 0
        };
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let (choices, rest) = self.rest.split_at(end);
        self.rest = rest;
        choices.parse().map_err(|error| PatternError(format!("`{choices}` is not a literal ({error})")))
    }

    /// A text in quotes; `None` if there is none.
    fn unquoted(&mut self) -> Option<String> {
        let mut text = String::new();
        let mut letters = self.rest.trim_start().strip_prefix('"')?.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '"' => {
                    self.rest = letters.as_str();
                    return Some(text);
                }
                '\\' => text.extend(letters.next().map(|letter| if letter == 'n' { '\n' } else { letter })),
                letter => text.push(letter),
            }
        }
        None
    }

    /// A parameter and a part that its literals may have.
    fn part(&mut self, operation: usize) -> Result<Effect, PatternError> {
        let wrong =
            || PatternError("a part stands behind its parameter, in quotes: `has 1 \"%\"`".to_string());
        let (parameter, rest) = self.rest.split_once(' ').ok_or_else(wrong)?;
        self.rest = rest;
        let count = self.suite.operations[operation].parameters.len();
        let parameter = parameter.parse().ok().filter(|parameter| *parameter < count).ok_or_else(wrong)?;
        let part = self.unquoted().filter(|_| self.takes(")")).ok_or_else(wrong)?;
        Ok(Effect::Has(parameter, part))
    }

    /// A class in quotes.
    fn class(&mut self, operation: usize, parameter: usize) -> Result<Class, PatternError> {
        let Some(text) = self.unquoted() else {
            return Err(PatternError("a class stands in quotes: `?name in \"class\"`".to_string()));
        };
        let described = &self.suite.operations[operation];
        match self.suite.abstraction(operation, parameter).width {
            Width::Class(_) => Ok(Class::named(text)),
            _ => Err(PatternError(format!(
                "the pattern asks for the class `{text}`, but `{}` of `{}` has no classes; write `#[abstraction(class = …)]` before it, as it was when the bug was found",
                described.parameters[parameter].name, described.name
            ))),
        }
    }

    fn variable(&mut self, name: &str) -> u8 {
        let known = self.names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.names.push(name.to_string());
            self.names.len() - 1
        }) as u8
    }

    fn guard(&mut self) -> Result<Guard, PatternError> {
        let lasting = self.takes("lasting ");
        let mut extras = Vec::new();
        loop {
            let element = self.call()?;
            let mut mask = |mark: &str| {
                let there = self.takes(mark);
                let end = self.rest.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(self.rest.len());
                let (digits, rest) = self.rest.split_at(end);
                self.rest = rest;
                let number = u64::from_str_radix(digits, 16).ok().filter(|_| there);
                number.ok_or_else(|| PatternError("a call of a guard ends with `#AFTER<#BEFORE`".to_string()))
            };
            let (after, before) = (mask("#")?, mask("<#")?);
            extras.push(Extra { element, after, before });
            if !self.takes(";") {
                return Ok(Guard { extras, lasting });
            }
        }
    }
}
