//! Patterns: what the programs that fail for one reason have in common.
//!
//! A [`Pattern`] is a list of elements, each a call whose values are variables, with a partial order: one
//! mask of predecessors for each element. It matches a program if calls of the program can be found
//! for all elements, in an order that the masks allow. The idea is that of MoreBugs (Hughes, Norell,
//! Smallbone and Arts, *Find more bugs with QuickCheck!*, 2016); what it lacks of a reason to fail is
//! learned as [guards](Guard). A [`Matcher`] watches a program grow and says which call would complete
//! a pattern.
//!
//! **Invariant:** an element comes after its predecessors in the list, and after whatever makes the
//! values that it uses. Nothing here knows what an operation is but its number.

mod amount;
mod class;
mod completion_table;
mod embedding;
mod first_last;
mod guard;
mod history;
mod matcher;
mod partial_match;
mod subsume;

pub use amount::{Amount, Aspect, Course, Effect, Measures};
pub use class::Class;
pub use guard::{Extra, Guard};
pub use history::Call;
pub use matcher::Matcher;
pub use subsume::subsumes;

pub(crate) use amount::{Totals, Weighed};
pub(crate) use completion_table::Completion;
pub(crate) use embedding::{Embedding, embeddings};
pub(crate) use history::History;
#[cfg(test)]
pub(crate) use matcher::tests as matcher_tests;

use crate::choice::Tape;
use crate::list::mapped;
use crate::oracle::Signature;

/// A value of a program, as patterns see it: the number of the call that made it, or what stands for
/// a literal. Literals are equal if their choices are.
pub type Value = u64;

/// Told apart from the numbers of calls: literals.
pub(crate) const LITERAL: Value = 1 << 63;
/// No value.
pub(crate) const UNBOUND: Value = u64::MAX;
/// The state of a machine, which is the same throughout a program.
pub(crate) const STATE: Value = u64::MAX - 1;
/// More elements than this do not fit into a mask.
pub(crate) const MOST_ELEMENTS: usize = 64;

/// Returns the value of a literal of a type, by its choices.
///
/// ```
/// use bugnet::bug::literal_value;
///
/// assert_eq!(literal_value("u8", &[0, 7]), literal_value("u8", &[0, 7]));
/// assert_ne!(literal_value("u8", &[0, 7]), literal_value("u16", &[0, 7]));
/// ```
pub fn literal_value(kind: &str, choices: &[u64]) -> Value {
    continued_value(begun_value(kind), choices.iter().copied())
}

/// Returns the beginning of the values of all literals of a type.
pub(crate) fn begun_value(kind: &str) -> Value {
    kind.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| mixed(hash, u64::from(byte)))
}

/// Returns the value of a literal, by its choices and by the beginning for its type.
pub(crate) fn continued_value(beginning: Value, choices: impl Iterator<Item = u64>) -> Value {
    // No literal is taken for the state of a machine, or for nothing.
    (choices.fold(beginning, mixed) | LITERAL) & !2
}

fn mixed(hash: u64, word: u64) -> u64 {
    (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

/// A condition on an argument of an element.
///
/// ```
/// use bugnet::bug::Term;
///
/// assert_ne!(Term::Variable(0), Term::Any);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    /// Anything, but the same wherever the variable stands.
    Variable(u8),
    /// The same, but of this class.
    Class(u8, Class),
    /// This literal.
    Exact(Literal),
    /// This literal, or one that is not simpler.
    Least(Literal),
    /// Anything.
    Any,
}

/// A literal, by its choices and as it is printed.
///
/// ```
/// use bugnet::bug::Literal;
///
/// let zero = Literal { value: 0, tape: "0.0".parse().unwrap(), text: "0".into(), class: None };
/// assert_eq!(zero.tape.values(), [0, 0]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal {
    /// The value that stands for it in programs.
    pub value: Value,
    /// Its choices.
    pub tape: Tape,
    /// As Rust source.
    pub text: String,
    /// The value that stands for its class, if it has one.
    pub class: Option<Value>,
}

/// A call of a pattern.
///
/// ```
/// use bugnet::bug::{Element, Term};
///
/// let register = Element { operation: 1, arguments: vec![Term::Variable(0), Term::Any], result: None };
/// assert!(register.uses(0) && !register.uses(1));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// The operation, by its place in the suite.
    pub operation: usize,
    /// One for each parameter.
    pub arguments: Vec<Term>,
    /// The variable for what the call makes.
    pub result: Option<u8>,
}

impl Element {
    /// Returns true if a variable is among the arguments.
    pub fn uses(&self, variable: u8) -> bool {
        self.arguments.iter().any(|term| term.variable() == Some(variable))
    }

    /// One more than the highest variable.
    pub(crate) fn variables(&self) -> u8 {
        let mut count = self.result.map_or(0, |result| result + 1);
        for term in &self.arguments {
            if let Some(variable) = term.variable() {
                count = count.max(variable + 1);
            }
        }
        count
    }
}

/// The calls that the programs which fail for one reason have in common.
///
/// ```
/// use bugnet::bug::{Element, Pattern, Term};
///
/// let spawn = Element { operation: 0, arguments: vec![], result: Some(0) };
/// let kill = Element { operation: 1, arguments: vec![Term::Variable(0)], result: None };
/// let pattern = Pattern::sequence(vec![spawn, kill]).unwrap();
/// assert_eq!(pattern.before, [0b00, 0b01]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// The calls.
    pub elements: Vec<Element>,
    /// For each element, the elements that come before it in every program that matches.
    pub before: Vec<u64>,
    /// Calls that make a program pass although the elements are there.
    pub guards: Vec<Guard>,
    /// The amounts that calls must have added up to. If any exists, each element completes the pattern by itself.
    pub amounts: Vec<Amount>,
    /// The failure of the programs, if it is known.
    pub signature: Option<Signature>,
}

impl Pattern {
    /// The elements in this order; `None` if they are none or too many. A call that makes a value out
    /// of nothing may come at any time before the value is used.
    pub fn sequence(elements: Vec<Element>) -> Option<Pattern> {
        let fits = !elements.is_empty() && elements.len() <= MOST_ELEMENTS;
        let before = vec![0; elements.len()];
        let (guards, amounts) = (Vec::new(), Vec::new());
        let mut pattern = Pattern { before, elements, guards, amounts, signature: None };
        fits.then(|| {
            pattern.tighten();
            pattern
        })
    }

    /// Any of these operations, once amounts are reached.
    pub fn of_amounts(elements: Vec<Element>, amounts: Vec<Amount>) -> Pattern {
        Pattern { before: vec![0; elements.len()], elements, guards: Vec::new(), amounts, signature: None }
    }

    /// Returns true if an element makes a value out of nothing, for another element.
    pub(crate) fn is_maker(&self, place: usize) -> bool {
        let Element { arguments, result, .. } = &self.elements[place];
        let used = |result: u8| self.elements.iter().any(|element| element.uses(result));
        result.is_some_and(used) && arguments.iter().all(|term| *term == Term::Any)
    }

    /// Lets an element stand anywhere up to behind a later one.
    pub fn relax(&mut self, element: usize, up_to: usize) {
        for later in element + 1..=up_to {
            self.before[later] &= !(1 << element);
        }
    }

    /// Has the elements in the order of the list again.
    pub(crate) fn tighten(&mut self) {
        for place in 0..self.elements.len() {
            let precedes = |other: &usize| match self.elements[*other].result {
                _ if self.is_maker(place) => false,
                Some(made) if self.is_maker(*other) => self.elements[place].uses(made),
                _ => true,
            };
            self.before[place] = (0..place).filter(precedes).fold(0, |mask, other| mask | 1 << other);
        }
    }

    /// Returns the number of variables of the elements.
    pub fn variables(&self) -> u8 {
        let mut count = 0;
        for element in &self.elements {
            count = count.max(element.variables());
        }
        count
    }

    /// The element that makes what a variable stands for.
    pub(crate) fn maker(&self, variable: u8) -> Option<usize> {
        self.elements.iter().position(|element| element.result == Some(variable))
    }

    /// The mask of all elements.
    pub(crate) fn all(&self) -> u64 {
        u64::MAX >> (MOST_ELEMENTS - self.elements.len())
    }

    /// The elements that nothing has to follow.
    pub(crate) fn last_elements(&self) -> Vec<usize> {
        let mut followed = 0;
        for before in &self.before {
            followed |= before;
        }
        let mut last = Vec::new();
        for element in 0..self.elements.len() {
            if followed & (1 << element) == 0 {
                last.push(element);
            }
        }
        last
    }

    /// Returns true if all operations of a pattern are in this one or in its guards.
    pub(crate) fn has_operations_of(&self, other: &Pattern) -> bool {
        let mut own = mapped(&self.elements, |element| element.operation);
        for guard in &self.guards {
            for extra in &guard.extras {
                own.push(extra.element.operation);
            }
        }
        other.elements.iter().all(|element| own.contains(&element.operation))
    }

    /// The pattern without its guards.
    pub(crate) fn unguarded(&self) -> Pattern {
        Pattern { guards: Vec::new(), ..self.clone() }
    }

    /// Returns true if two patterns are the same but for their guards and for which literals they name, where those
    /// are no cases of their own.
    pub(crate) fn has_shape_of(&self, other: &Pattern, is_own_case: &dyn Fn(usize, usize) -> bool) -> bool {
        if self.elements.len() != other.elements.len() || self.amounts != other.amounts {
            return false;
        }
        for (one, another) in self.elements.iter().zip(&other.elements) {
            if one.operation != another.operation || one.result != another.result {
                return false;
            }
            for (place, term) in one.arguments.iter().enumerate() {
                let Some(other) = another.arguments.get(place) else { break };
                let is_free = !is_own_case(one.operation, place);
                let is_alike = term.is_same(other) || (is_free && term.is_like(other));
                if !is_alike {
                    return false;
                }
            }
        }
        true
    }
}

impl Term {
    /// Its variable, if it has one.
    pub(crate) fn variable(&self) -> Option<u8> {
        match self {
            Term::Variable(variable) | Term::Class(variable, _) => Some(*variable),
            Term::Exact(_) | Term::Least(_) | Term::Any => None,
        }
    }

    /// Has it stand for another variable.
    pub(crate) fn rename(&mut self, other: u8) {
        if let Term::Variable(variable) | Term::Class(variable, _) = self {
            *variable = other;
        }
    }

    /// Returns true if it asks for more than a value that is the same elsewhere.
    pub(crate) fn asks(&self) -> bool {
        matches!(self, Term::Exact(_) | Term::Least(_) | Term::Class(..))
    }

    /// Returns the value that stands for the class of all its literals.
    pub(crate) fn class(&self) -> Option<Value> {
        match self {
            Term::Class(_, class) => Some(class.value),
            Term::Exact(literal) => literal.class,
            Term::Least(_) | Term::Variable(_) | Term::Any => None,
        }
    }

    /// Returns true if it is the same as another term.
    fn is_same(&self, other: &Term) -> bool {
        match (self, other) {
            (Term::Exact(one), Term::Exact(another)) => one.value == another.value,
            (one, another) => one == another,
        }
    }

    /// Returns true if it is the same as another term but for which literal of the same class it names.
    fn is_like(&self, other: &Term) -> bool {
        let names = |term: &Term| matches!(term, Term::Exact(_) | Term::Least(_));
        match (self, other) {
            (Term::Any, Term::Any) => true,
            (one, another) if names(one) || names(another) => {
                one.class().is_none() || another.class().is_none() || one.class() == another.class()
            }
            (one, another) => one.variable() == another.variable() && one.class() == another.class(),
        }
    }
}
