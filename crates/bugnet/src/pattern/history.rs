//! The history: the calls of a program so far, and which of them are of an operation.

use super::{LITERAL, Term, Value};
use std::ops::Range;

/// A call, as the matcher sees it.
///
/// ```
/// use bugnet::bug::Call;
///
/// let call = Call { operation: 0, arguments: &[3], choices: &[], classes: &[] };
/// assert_eq!(call.arguments, [3]);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The operation, by its place in the suite.
    pub operation: usize,
    /// One for each parameter.
    pub arguments: &'a [Value],
    /// For each argument the choices of the literal; nothing at all if no pattern asks for them.
    pub choices: &'a [Vec<u64>],
    /// For each argument what stands for the class of the literal, zero if it has none; nothing at all if no
    /// pattern asks for them.
    pub classes: &'a [Value],
}

impl Call<'_> {
    /// Returns true if an argument is the value that a term without variable names.
    pub(crate) fn fits(&self, place: usize, term: &Term) -> bool {
        match term {
            Term::Variable(_) | Term::Any => true,
            Term::Class(_, class) => self.classes.get(place).is_none_or(|known| *known == class.value),
            Term::Exact(literal) => self.arguments[place] == literal.value,
            Term::Least(least) => {
                let Some(choices) = self.choices.get(place) else { return true };
                let simplest = least.tape.choices.iter().map(|choice| choice.value);
                let order = choices.len().cmp(&simplest.len());
                order.then_with(|| choices.iter().copied().cmp(simplest)).is_ge()
            }
        }
    }
}

/// The calls of a program so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    /// For each call, its operation and where its arguments begin.
    calls: Vec<(u32, u32)>,
    /// For each operation, the numbers of its calls.
    places: Vec<Vec<u32>>,
    arguments: Vec<Value>,
    /// For each argument the choices of the literal, if they are known.
    choices: Vec<Vec<u64>>,
    /// For each argument the class of the literal, if it is known.
    classes: Vec<Value>,
}

impl History {
    pub(crate) fn len(&self) -> usize {
        self.calls.len()
    }

    pub(crate) fn push(&mut self, call: &Call<'_>) {
        if self.places.len() <= call.operation {
            self.places.resize(call.operation + 1, Vec::new());
        }
        self.places[call.operation].push(self.calls.len() as u32);
        self.calls.push((call.operation as u32, self.arguments.len() as u32));
        if !call.choices.is_empty() {
            self.choices.resize(self.arguments.len(), Vec::new());
            self.choices.extend_from_slice(call.choices);
        }
        if !call.classes.is_empty() {
            self.classes.resize(self.arguments.len(), 0);
            self.classes.extend_from_slice(call.classes);
        }
        self.arguments.extend_from_slice(call.arguments);
    }

    pub(crate) fn pop(&mut self) {
        if let Some((operation, start)) = self.calls.pop() {
            self.places[operation as usize].pop();
            self.arguments.truncate(start as usize);
            self.choices.truncate(start as usize);
            self.classes.truncate(start as usize);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.calls.clear();
        self.places.iter_mut().for_each(Vec::clear);
        self.arguments.clear();
        self.choices.clear();
        self.classes.clear();
    }

    /// The numbers of the calls of an operation.
    pub(crate) fn calls_of(&self, operation: usize) -> &[u32] {
        self.places.get(operation).map_or(&[], |places| places)
    }

    pub(crate) fn operation(&self, place: usize) -> usize {
        self.calls[place].0 as usize
    }

    /// Returns the range of the arguments of a call.
    fn range(&self, place: usize) -> Range<usize> {
        let end = self.calls.get(place + 1).map_or(self.arguments.len(), |next| next.1 as usize);
        self.calls[place].1 as usize..end
    }

    /// The arguments of a call.
    pub(crate) fn arguments(&self, place: usize) -> &[Value] {
        &self.arguments[self.range(place)]
    }

    pub(crate) fn call(&self, place: usize) -> Call<'_> {
        let range = self.range(place);
        Call {
            operation: self.operation(place),
            arguments: &self.arguments[range.clone()],
            choices: self.choices.get(range.clone()).unwrap_or_default(),
            classes: self.classes.get(range).unwrap_or_default(),
        }
    }

    /// Returns true if a value was made by a call of an operation.
    pub(crate) fn is_made_by(&self, value: Value, operation: usize) -> bool {
        value & LITERAL == 0
            && self.calls.get(value as usize).is_some_and(|made| made.0 as usize == operation)
    }
}
