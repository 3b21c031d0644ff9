//! Programs as data: a list of calls, each an operation and its arguments.
//!
//! On a tape a program is the word of its features, then for each call a one and a span, and a zero at
//! the end. A span holds the code of the operation, the numbers of the calls whose results are arguments, and a span for each
//! literal.
//!
//! **Invariant:** `Program::of(suite, &program.tape())` is the program.

use super::ledger::Ledger;
use super::operation::{Mode, Role};
use super::suite::{Need, Suite};
use super::text;
use crate::choice::{Choice, Kind, Span, Tape};
use crate::list::Listed;

/// The span of a call on the tape.
#[doc(hidden)]
pub const CALL: &str = "call";

/// A sequence of calls.
///
/// ```
/// use bugnet::program::Program;
///
/// assert_eq!(Program::default().calls.len(), 0);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    /// Which of the features that the test names are on; zero is all of them.
    pub features: u64,
    /// The calls, in order.
    pub calls: Vec<Call>,
}

/// An operation with its arguments.
///
/// ```
/// use bugnet::program::{Argument, Call};
///
/// let call = Call { operation: 0, arguments: vec![Argument::Earlier(3)] };
/// assert_eq!(call.results().collect::<Vec<_>>(), [3]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The operation, by its place in the suite.
    pub operation: usize,
    /// One for each parameter.
    pub arguments: Vec<Argument>,
}

/// An argument of a call.
///
/// ```
/// use bugnet::program::Argument;
///
/// assert_ne!(Argument::Earlier(0), Argument::Literal(Default::default()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// The result of an earlier call, by its place in the program.
    Earlier(usize),
    /// A value, as the choices it is made of.
    Literal(Tape),
}

impl Call {
    /// The calls whose results are arguments.
    ///
    /// ```
    /// use bugnet::choice::Tape;
    /// use bugnet::program::{Argument, Call};
    ///
    /// let arguments = vec![Argument::Earlier(2), Argument::Literal(Tape::default()), Argument::Earlier(0)];
    /// assert!(Call { operation: 0, arguments }.results().eq([2, 0]));
    /// ```
    pub fn results(&self) -> impl Iterator<Item = usize> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Earlier(place) => Some(*place),
            Argument::Literal(_) => None,
        })
    }
}

impl Program {
    /// The program that a tape stands for; `None` if it is none of this suite. Nothing is called.
    ///
    /// ```
    /// use bugnet::choice::Tape;
    /// use bugnet::oracle::Verdict;
    /// use bugnet::program::{Operation, Program, Suite};
    ///
    /// let suite = Suite::new("clock").operation(Operation::new("tick", "tick()", |_| Verdict::Pass)).build();
    /// assert_eq!(Program::of(&suite, &Tape::default()), Some(Program::default()));
    /// assert_eq!(Program::of(&suite, &"0.1(7)0".parse().unwrap()), None);
    /// ```
    pub fn of(suite: &Suite, tape: &Tape) -> Option<Program> {
        let (features, calls) = text::read(suite, tape.clone())?;
        Some(Program { features, calls: calls.into_iter().map(|call| call.call).listed() })
    }

    /// The tape that stands for the program.
    ///
    /// ```
    /// use bugnet::oracle::Verdict;
    /// use bugnet::program::{Call, Operation, Program, Suite};
    ///
    /// let suite = Suite::new("clock").operation(Operation::new("tick", "tick()", |_| Verdict::Pass)).build();
    /// let tick = Call { operation: 0, arguments: Vec::new() };
    /// let program = Program { features: 0, calls: vec![tick.clone(), tick] };
    /// let tape = program.tape(&suite);
    /// assert_eq!(Program::of(&suite, &tape), Some(program));
    /// ```
    pub fn tape(&self, suite: &Suite) -> Tape {
        let mut tape = Tape::default();
        let number = |value: u64, limit: u64| Choice { kind: Kind::Index, value, limit };
        tape.choices.push(number(self.features, u64::MAX));
        for call in &self.calls {
            tape.choices.push(number(1, 1));
            let span = tape.spans.len();
            let start = tape.choices.len();
            tape.spans.push(Span { label: CALL, start, end: start });
            tape.choices.push(number(suite.codes[call.operation], u64::from(u32::MAX)));
            tape.choices.extend(call.results().map(|place| number(place as u64, u64::from(u32::MAX))));
            for argument in &call.arguments {
                if let Argument::Literal(literal) = argument {
                    tape.append(literal);
                }
            }
            tape.spans[span].end = tape.choices.len();
        }
        tape.choices.push(number(0, 1));
        tape
    }
}

impl Program {
    /// Returns true if the result of a call is an argument of any other.
    pub(crate) fn uses(&self, place: usize) -> bool {
        self.calls.iter().any(|call| call.arguments.contains(&Argument::Earlier(place)))
    }

    /// Returns true if the borrow checker would accept it, as far as it shows before it is run.
    pub(crate) fn is_sound(&self, suite: &Suite) -> bool {
        let mut ledger = Ledger::new(suite.kinds.len());
        let mut ending = Vec::new();
        self.calls.iter().enumerate().all(|(place, call)| {
            let operation = &suite.operations[call.operation];
            let setup = operation.role == Role::Setup;
            let timely = !suite.is_machine || setup == (place == 0);
            timely && call.is_sound(suite, &mut ledger, &mut ending)
        })
    }
}

impl Call {
    /// Books the call in a ledger; `false` if it cannot be made.
    pub(super) fn is_sound(&self, suite: &Suite, ledger: &mut Ledger, ending: &mut Vec<u32>) -> bool {
        let needs = &suite.needed[self.operation];
        let place = |need: &Need| match &self.arguments[need.parameter] {
            Argument::Earlier(place) => *place as u32,
            Argument::Literal(_) => u32::MAX,
        };
        for need in needs {
            if !ledger.offers(place(need), need.kind, need.mode) {
                return false;
            }
        }
        let usages = needs.iter().map(|need| need.usage(place(need)));
        if !ledger.agree(usages.clone()) {
            return false;
        }
        for need in needs {
            if !ledger.claim(place(need), need.mode, ending) {
                return false;
            }
        }
        ledger.open();
        for need in needs {
            ledger.see(need.usage(place(need)));
        }
        for need in needs {
            ledger.release(place(need));
            if need.mode == Mode::Value {
                ledger.end(place(need));
            }
        }
        let operation = &suite.operations[self.operation];
        if let (Some(kind), Some((_, access))) = (suite.made[self.operation], operation.result) {
            let mut lent = Vec::new();
            for need in needs {
                if operation.leased && need.mode != Mode::Value {
                    lent.push((place(need), need.mode));
                }
            }
            ledger.keep(kind, access, operation.result_holds().then_some(&lent));
        }
        ledger.settle(usages);
        true
    }
}
