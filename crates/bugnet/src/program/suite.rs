//! Suites: what the programs of one test are made of.
//!
//! **Invariant:** in a suite that was built, every parameter has something that provides it.

use super::frame::drawn;
use super::ledger::Usage;
use super::operation::{Kind, Mode, Operation, Parameter, Role};
use super::rank;
use super::sequence::{Argument, Call};
use crate::choice::{Source, Tape};
use crate::list::{Listed, place_of, sort};
use crate::oracle::usage_error;
use crate::swarm::Feature;
use std::iter::Zip;
use std::slice::Iter;

/// Ranks above the lowest that a constructor may have in a crate that is explored.
const MORE: u32 = 1;

/// Calls of a random program for each rule: the rules that a bug needs have to come together.
const CALLS_OF_EACH: usize = 4;
/// The fewest calls of a random program, however few its rules are.
const LEAST_STEPS: usize = 50;
/// The most calls of a random program, however many its rules are; longer ones cost more than they find.
const MOST_STEPS: usize = 200;

/// The operations, checks and types that the programs of one test are made of.
///
/// ```
/// use bugnet::oracle::Verdict;
/// use bugnet::program::{Access, Frame, Kind, Mode, Operation, Parameter, Suite};
///
/// let list = Kind::of::<Vec<u8>>("Vec<u8>");
/// let suite = Suite::new("Vec<u8>")
///     .operation(
///         Operation::new("new", "Vec::<u8>::new()", |frame| frame.keep(Vec::<u8>::new()))
///             .returns(list, Access::Owned),
///     )
///     .operation(
///         Operation::new("pop", "{0}.pop()", |frame: &mut Frame<'_>| {
///             frame.mutable::<Vec<u8>>(0).pop();
///             Verdict::Pass
///         })
///         .parameter(Parameter::earlier("self", list, Mode::Mutable)),
///     )
///     .build();
/// assert_eq!(suite.operations.len(), 2);
/// ```
#[derive(Debug, Clone)]
pub struct Suite {
    /// The name of the thing that is tested, for messages.
    pub name: &'static str,
    /// True if there is one state that everything works on, made once.
    pub(super) is_machine: bool,
    /// True if a panic in a call merely ends the program.
    pub(super) is_tolerant: bool,
    /// The operations that programs call.
    pub operations: Vec<Operation>,
    /// The checks that are called on each value of a kind whenever it may have changed.
    pub(super) checks: Vec<Operation>,
    /// The operation that is called last, on the state of a machine.
    pub(super) teardown: Option<Operation>,
    /// The kinds of values that pass from call to call.
    pub kinds: Vec<Kind>,
    /// The features that can be left out: the rules, in their order.
    pub(super) features: Vec<Feature>,
    /// The code of each operation on a tape.
    pub(super) codes: Vec<u64>,
    /// The same with the places of the operations, in order.
    by_code: Vec<(u64, usize)>,
    /// The kind that each operation makes, if a later call can use it.
    pub(super) made: Vec<Option<usize>>,
    /// The values that each operation needs from earlier calls.
    pub(super) needed: Vec<Vec<Need>>,
    /// The operations that set a machine up.
    pub(super) setups: Vec<usize>,
    /// For machines, what those operations need that need nothing but the state, in any state.
    pub(super) lone: Vec<Option<Lone>>,
    /// The operations of the least rank that make each kind.
    pub(super) providers: Vec<Vec<usize>>,
    /// The one of those that merely draws a literal.
    pub(super) drawn: Vec<Option<usize>>,
    /// For each kind, the checks of it.
    pub(super) checked: Vec<Vec<usize>>,
}

/// A call that needs nothing but the state of its machine.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lone {
    pub(super) mode: Mode,
    /// The kind that the call makes, if a later call can use it.
    pub(super) makes: Option<usize>,
}

/// A parameter whose arguments are results of earlier calls.
#[derive(Debug, Clone, Copy)]
pub(super) struct Need {
    pub(super) parameter: usize,
    pub(super) kind: usize,
    pub(super) mode: Mode,
    /// True if such a value can hold what others lend.
    pub(super) holds: bool,
}

impl Need {
    /// Returns the use of the value at a place for it.
    #[inline]
    pub(super) fn usage(&self, place: u32) -> Usage {
        Usage { place, mode: self.mode, holds: self.holds }
    }
}

impl Suite {
    /// An empty suite for testing a type through its functions. A panic in a call is no failure, for
    /// a function may refuse what it is asked; it only ends the program. Checks say what is right.
    ///
    /// ```
    /// use bugnet::prelude::*;
    /// use bugnet::oracle::Verdict;
    /// use bugnet::program::{Operation, Programs, Suite};
    ///
    /// let tick = Operation::new("tick", "tick()", |_| Verdict::Pass);
    /// let refuse = Operation::new("refuse", "refuse()", |_| panic!("not now"));
    /// let suite = Suite::new("clock").operations([tick, refuse]).build();
    /// assert!(Property::new("clock").run(&Programs::new(suite)).is_ok());
    /// ```
    pub fn new(name: &'static str) -> Suite {
        Suite {
            name,
            is_machine: false,
            is_tolerant: true,
            operations: Vec::new(),
            checks: Vec::new(),
            teardown: None,
            kinds: Vec::new(),
            features: Vec::new(),
            codes: Vec::new(),
            by_code: Vec::new(),
            made: Vec::new(),
            needed: Vec::new(),
            setups: Vec::new(),
            lone: Vec::new(),
            providers: Vec::new(),
            drawn: Vec::new(),
            checked: Vec::new(),
        }
    }

    /// An empty suite for a machine: one state, made by a call of the role [`Role::Setup`]. A panic in a
    /// rule is a failure.
    ///
    /// ```
    /// use bugnet::prelude::*;
    /// use bugnet::oracle::IntoVerdict;
    /// use bugnet::program::{Access, Kind, Mode, Operation, Parameter, Programs, Role, Suite};
    ///
    /// let counter = Kind::of::<u32>("Counter");
    /// let new = Operation::new("new", "Counter::new()", |frame| frame.keep(0u32))
    ///     .returns(counter, Access::Owned)
    ///     .role(Role::Setup);
    /// let count = Operation::new("count", "{0}.count()", |frame| {
    ///     let counter: &mut u32 = frame.mutable(0);
    ///     *counter += 1;
    ///     (*counter < 3).into_verdict()
    /// })
    /// .parameter(Parameter::earlier("self", counter, Mode::Mutable));
    /// let suite = Suite::machine("Counter").operations([new, count]).build();
    /// let failed = Property::new("counter").run(&Programs::new(suite)).unwrap_err();
    /// assert_eq!(failed.arguments().len(), 4);
    /// ```
    pub fn machine(name: &'static str) -> Suite {
        Suite { is_machine: true, is_tolerant: false, ..Suite::new(name) }
    }

    /// Says whose values are wanted, so that they are kept although no call may need them.
    ///
    /// ```
    /// use bugnet::program::{Access, Kind, Operation, Suite};
    ///
    /// let text = Kind::of::<String>("String");
    /// let new = Operation::new("new", "String::new()", |frame| frame.keep(String::new()))
    ///     .returns(text, Access::Owned);
    /// let suite = Suite::new("String").about(text).operation(new).build();
    /// assert_eq!(suite.name, "String");
    /// ```
    pub fn about(mut self, kind: Kind) -> Suite {
        self.kinds.push(kind);
        self
    }

    /// Makes every panic a failure.
    ///
    /// ```
    /// use bugnet::prelude::*;
    /// use bugnet::program::{Operation, Programs, Suite};
    ///
    /// let refuse = Operation::new("refuse", "refuse()", |_| panic!("not now"));
    /// let suite = Suite::new("moods").strict().operation(refuse).build();
    /// assert!(Property::new("moods").run(&Programs::new(suite)).is_err());
    /// ```
    pub fn strict(self) -> Suite {
        Suite { is_tolerant: false, ..self }
    }

    /// Adds an operation. A check of nothing but one earlier value is called by itself whenever
    /// such a value may have changed.
    ///
    /// ```
    /// use bugnet::oracle::Verdict;
    /// use bugnet::program::{Operation, Suite};
    ///
    /// let suite = Suite::new("clock").operation(Operation::new("tick", "tick()", |_| Verdict::Pass));
    /// assert_eq!(suite.operations[0].name, "tick");
    /// ```
    pub fn operation(mut self, operation: Operation) -> Suite {
        let lone = operation.parameters.len() == 1 && !operation.parameters[0].is_literal();
        match operation.role {
            Role::Check if lone => self.checks.push(operation),
            Role::Teardown => self.teardown = Some(operation),
            _ => self.operations.push(operation),
        }
        self
    }

    /// Adds several operations.
    ///
    /// ```
    /// use bugnet::oracle::Verdict;
    /// use bugnet::program::{Operation, Suite};
    ///
    /// let named = |name| Operation::new(name, "advance()", |_| Verdict::Pass);
    /// let suite = Suite::new("clock").operations([named("tick"), named("tock")]);
    /// assert_eq!(suite.operations.len(), 2);
    /// ```
    pub fn operations(self, operations: impl IntoIterator<Item = Operation>) -> Suite {
        operations.into_iter().fold(self, Suite::operation)
    }

    /// Puts it together; says what is missing if it cannot work.
    ///
    /// ```
    /// use bugnet::oracle::{Caught, catch};
    /// use bugnet::program::Suite;
    ///
    /// let Err(Caught::Misused(problem)) = catch(|| Suite::new("clock").build()) else { unreachable!() };
    /// assert_eq!(problem, "`clock` has nothing to call; give it a method");
    /// ```
    pub fn build(mut self) -> Suite {
        self.intern();
        (self.codes, self.by_code) = (Vec::new(), Vec::new());
        for (place, operation) in self.operations.iter().enumerate() {
            let code = operation.code();
            self.codes.push(code);
            self.by_code.push((code, place));
        }
        sort(&mut self.by_code, &|one, another| one.0.cmp(&another.0));
        let mut features = Vec::new();
        for (_, rule) in self.rules() {
            features.push(rule.feature());
        }
        self.features = features;
        let ranks = rank::of_kinds(&self);
        self.demand_providers(&ranks);
        self.provide(&ranks, 0);
        self
    }

    /// The type whose values a check looks at, by the name of the check.
    pub(crate) fn checked_kind(&self, check: &str) -> Option<&'static str> {
        let check = self.checks.iter().find(|described| described.name == check)?;
        check.parameters.first().map(|parameter| parameter.kind.name)
    }

    /// Says which operations make each kind, of those whose rank is not much above the least.
    fn provide(&mut self, ranks: &[u32], above: u32) {
        let mut providers = vec![Vec::new(); self.kinds.len()];
        for (operation, described) in self.operations.iter().enumerate() {
            let Some(kind) = self.made[operation].filter(|_| described.role != Role::Check) else { continue };
            if rank::of_operation(self, operation, ranks) <= ranks[kind].saturating_add(above) {
                providers[kind].push(operation);
            }
        }
        self.drawn = vec![None; providers.len()];
        for (kind, providers) in providers.iter().enumerate() {
            for operation in providers {
                if self.drawn[kind].is_none() && self.operations[*operation].role == Role::Literal {
                    self.drawn[kind] = Some(*operation);
                }
            }
        }
        self.providers = providers;
    }

    /// Returns a suite of what can be called, none if nothing can, and the operations that cannot. Everything is
    /// called by programs alone, checks too, and every panic is a failure.
    #[doc(hidden)]
    #[inline]
    pub fn reachable(mut self) -> (Option<Suite>, Vec<Operation>) {
        let checks = std::mem::take(&mut self.checks);
        self.operations.extend(checks);
        for operation in &mut self.operations {
            if !matches!(operation.role, Role::Law { .. } | Role::Stated | Role::Literal) {
                operation.role = Role::Call;
            }
        }
        let mut unreachable = Vec::new();
        loop {
            if self.operations.is_empty() {
                return (None, unreachable);
            }
            let mut suite = self.clone().strict();
            suite.intern();
            let ranks = rank::of_kinds(&suite);
            let reached = |place: usize| rank::of_operation(&suite, place, &ranks) != rank::NEVER;
            let reached: Vec<bool> = (0..suite.operations.len()).map(reached).listed();
            if reached.iter().all(|reached| *reached) {
                let mut suite = self.strict().build();
                suite.provide(&rank::of_kinds(&suite), MORE);
                return (Some(suite), unreachable);
            }
            let (mut places, all) = (reached.iter(), self.operations.clone());
            self.operations.retain(|_| *places.next().expect("there is one for each"));
            for (operation, reached) in all.into_iter().zip(&reached) {
                if !reached {
                    unreachable.push(operation);
                }
            }
        }
    }

    /// The kind that an operation is about: what it makes, or else what it needs first.
    #[doc(hidden)]
    #[inline]
    pub fn kind_of(&self, operation: usize) -> Option<usize> {
        self.made[operation].or_else(|| Some(self.needed[operation].first()?.kind))
    }

    /// The values that an operation needs from earlier calls: of each its parameter, its kind and the way it is passed.
    #[doc(hidden)]
    pub fn takes(&self, operation: usize) -> impl Iterator<Item = (usize, usize, Mode)> + use<'_> {
        self.needed[operation].iter().map(|need| (need.parameter, need.kind, need.mode))
    }

    /// The kind that an operation makes, if a later call can use it.
    #[doc(hidden)]
    pub fn makes(&self, operation: usize) -> Option<usize> {
        self.made[operation]
    }

    /// The operations that have to do with each kind: that need or make it.
    #[doc(hidden)]
    #[inline]
    pub fn operations_by_kind(&self) -> Vec<Vec<usize>> {
        let about = |kind: usize, place: usize| {
            self.made[place] == Some(kind) || self.needed[place].iter().any(|need| need.kind == kind)
        };
        let places = 0..self.operations.len();
        (0..self.kinds.len()).map(|kind| places.clone().filter(|place| about(kind, *place)).listed()).listed()
    }

    /// Gives numbers to the kinds that pass from call to call.
    fn intern(&mut self) {
        for operations in &[&self.operations[..], &self.checks[..], self.teardown.as_slice()] {
            for operation in *operations {
                for parameter in &operation.parameters {
                    if !parameter.is_literal() && !self.kinds.contains(&parameter.kind) {
                        self.kinds.push(parameter.kind);
                    }
                }
            }
        }
        (self.made, self.needed, self.setups) = (Vec::new(), Vec::new(), Vec::new());
        for (place, operation) in self.operations.iter().enumerate() {
            self.made.push(operation.result.and_then(|(kind, _)| self.kind(kind)));
            self.needed.push(self.needs(operation));
            if operation.role == Role::Setup {
                self.setups.push(place);
            }
        }
        self.lone = Vec::new();
        for place in 0..self.operations.len() {
            self.lone.push(self.lone_use(place));
        }
        self.checked = vec![Vec::new(); self.kinds.len()];
        for (place, check) in self.checks.iter().enumerate() {
            let kind = self.kind(check.parameters[0].kind).expect("the kinds of all parameters have numbers");
            self.checked[kind].push(place);
        }
        // What a type can do may be known where a value is made and not where it is used.
        for (place, operation) in self.operations.iter().enumerate() {
            if let (Some((kind, _)), Some(number)) = (operation.result, self.made[place]) {
                let known = &mut self.kinds[number];
                known.fingerprint = known.fingerprint.or(kind.fingerprint);
                known.observer = known.observer.or(kind.observer);
            }
        }
    }

    /// Returns the values that a call of an operation needs from earlier ones.
    fn needs(&self, operation: &Operation) -> Vec<Need> {
        let mut needs = Vec::new();
        for (parameter, described) in operation.parameters.iter().enumerate() {
            if !described.is_literal() {
                let kind = self.kind(described.kind).expect("the kinds of all parameters have numbers");
                let (mode, holds) = (described.mode, described.kind.holds());
                needs.push(Need { parameter, kind, mode, holds });
            }
        }
        needs
    }

    /// Returns the use of the state by an operation that needs nothing else.
    fn lone_use(&self, place: usize) -> Option<Lone> {
        let [need] = self.needed[place][..] else { return None };
        let is_lone =
            self.operations[place].when.is_none() && need.parameter == 0 && need.mode != Mode::Value;
        let is_state = self.setups.iter().any(|setup| self.made[*setup] == Some(need.kind));
        (is_lone && is_state).then_some(Lone { mode: need.mode, makes: self.made[place] })
    }

    fn demand_providers(&self, ranks: &[u32]) {
        if self.operations.iter().all(|operation| operation.role == Role::Setup) {
            usage_error(format!("`{}` has nothing to call; give it a method", self.name));
        }
        if self.is_machine && !self.operations.iter().any(|operation| operation.role == Role::Setup) {
            usage_error(format!(
                "the machine `{0}` has no constructor; add `fn new() -> Self` to its impl block",
                self.name
            ));
        }
        for (place, operation) in self.operations.iter().enumerate() {
            if let Some(need) = self.needed[place].iter().find(|need| ranks[need.kind] == rank::NEVER) {
                let (parameter, kind) =
                    (operation.parameters[need.parameter].name, self.kinds[need.kind].name);
                usage_error(format!(
                    "nothing provides `{parameter}: {kind}` of `{}`; return a `{kind}` from another function, or derive `Generate` for it, or write `#[with(…)]` before the parameter",
                    operation.name
                ));
            }
        }
    }

    /// The operation that a number on a tape stands for.
    #[doc(hidden)]
    pub fn coded(&self, code: u64) -> Option<usize> {
        let first = self.by_code.partition_point(|(known, _)| *known < code);
        self.by_code.get(first).filter(|(known, _)| *known == code).map(|(_, place)| *place)
    }

    /// The number of a kind.
    pub(super) fn kind(&self, kind: Kind) -> Option<usize> {
        place_of(&self.kinds, &kind)
    }

    /// The arguments of a call, with their parameters.
    pub(crate) fn passed<'a>(&'a self, call: &'a Call) -> Zip<Iter<'a, Argument>, Iter<'a, Parameter>> {
        call.arguments.iter().zip(&self.operations[call.operation].parameters)
    }

    /// Returns true if there is one state that everything works on.
    pub(crate) fn is_machine(&self) -> bool {
        self.is_machine
    }

    /// Returns true if any result borrows from its arguments.
    pub(crate) fn lends(&self) -> bool {
        self.operations.iter().any(|operation| operation.leased)
    }

    /// Returns true if a parameter of an operation is the state of the machine.
    pub(crate) fn is_state(&self, operation: &Operation, parameter: usize) -> bool {
        let setup = self.operations.iter().find(|operation| operation.role == Role::Setup);
        let state = setup.and_then(|setup| setup.result).map(|(kind, _)| kind);
        let described = &operation.parameters[parameter];
        self.is_machine && !described.is_literal() && state == Some(described.kind)
    }

    /// The names of the operations.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.operations.iter().map(|operation| operation.name)
    }

    /// Returns the operations that programs call once the state is made, with their places.
    pub(crate) fn rules(&self) -> impl Iterator<Item = (usize, &Operation)> + Clone {
        self.operations.iter().enumerate().filter(|(_, operation)| operation.role != Role::Setup)
    }

    /// Returns true if two states of the machine can be told apart.
    pub(crate) fn tells_states(&self) -> bool {
        let made = self.setups.first().and_then(|setup| self.made[*setup]);
        made.is_some_and(|kind| self.kinds[kind].fingerprint.is_some())
    }

    /// Returns the number of calls of a random program by default. Where rules are many, those that have to come
    /// together for a bug come together in long programs only.
    pub(crate) fn usual_steps(&self) -> usize {
        (CALLS_OF_EACH * self.rules().count()).clamp(LEAST_STEPS, MOST_STEPS)
    }

    /// Other operations that make the same as one does and need less for it, simplest first.
    pub(crate) fn simpler_providers(&self, operation: usize) -> Vec<usize> {
        let cost = |operation: usize| {
            let parameters = &self.operations[operation].parameters;
            (self.needed[operation].len(), parameters.len(), operation)
        };
        let (made, mut others) = (self.made[operation], Vec::new());
        for (other, described) in self.operations.iter().enumerate() {
            let makes = made.is_some() && self.made[other] == made && described.role != Role::Check;
            if makes && self.needed[other].is_empty() && cost(other) < cost(operation) {
                others.push(other);
            }
        }
        sort(&mut others, &|one, another| cost(*one).cmp(&cost(*another)));
        others
    }

    /// The simplest literals for an operation that needs nothing else.
    pub(crate) fn simplest_arguments(&self, operation: usize) -> Vec<Argument> {
        let mut simplest = Vec::new();
        for parameter in 0..self.operations[operation].parameters.len() {
            simplest.push(self.literal_like(operation, parameter, Tape::default()));
        }
        simplest
    }

    /// The literals of a call for another operation that needs nothing else, if they are of the types
    /// of its parameters, in their order.
    pub(crate) fn arguments_like(&self, operation: usize, call: &Call) -> Option<Vec<Argument>> {
        let (mut passed, mut fitting) = (self.passed(call), Vec::new());
        for (place, wanted) in self.operations[operation].parameters.iter().enumerate() {
            let tape = loop {
                match passed.next()? {
                    (Argument::Literal(tape), parameter) if parameter.kind == wanted.kind => break tape,
                    _ => {}
                }
            };
            fitting.push(self.literal_like(operation, place, tape.clone()));
        }
        if fitting.is_empty() { None } else { Some(fitting) }
    }

    /// The literal that a parameter reads from a tape.
    fn literal_like(&self, operation: usize, parameter: usize, tape: Tape) -> Argument {
        let mut source = Source::replay(tape);
        self.draw_literal(operation, parameter, &mut source);
        Argument::Literal(source.into_tape())
    }

    /// A literal of a parameter as it is printed.
    #[doc(hidden)]
    pub fn show_literal(&self, operation: usize, parameter: usize, tape: Tape) -> String {
        let show = self.operations[operation].parameters[parameter].literal;
        show.map_or(String::new(), |show| drawn(&mut Source::replay(tape), show).text)
    }

    /// Draws a literal for a parameter, and drops it: what it is shows on the tape.
    #[doc(hidden)]
    pub fn draw_literal(&self, operation: usize, parameter: usize, source: &mut Source) {
        if let Some(show) = self.operations[operation].parameters[parameter].literal {
            drawn(source, show);
        }
    }
}
