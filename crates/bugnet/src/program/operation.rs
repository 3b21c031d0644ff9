//! Operations: what can be called, with typed parameters and what the call makes.
//!
//! **Invariant:** the body of an operation draws all its literals before it touches a value.

use super::abstraction::Abstraction;
use super::frame::Frame;
use super::probe::Printer;
use crate::choice::Source;
use crate::generate::show::Shown;
use crate::oracle::Verdict;
use crate::swarm::{Configuration, Feature, Share};
use std::any::{Any, TypeId};

/// A type of values, as programs see it.
///
/// ```
/// use bugnet::program::Kind;
///
/// assert_eq!(Kind::of::<Vec<u8>>("Vec<u8>"), Kind::of::<Vec<u8>>("std::vec::Vec<u8>"));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    id: TypeId,
    /// The name as the user wrote it, with all lifetimes that it has.
    pub name: &'static str,
    /// True if a value can hold a borrow.
    holds: bool,
    /// Tells two states of a value apart, if the type allows it.
    pub(super) fingerprint: Option<fn(&dyn Any) -> u64>,
    /// Prints a value for nobody to see, if the type allows it.
    pub(super) observer: Option<fn(&dyn Any)>,
    /// Returns a value as text, if the type allows it.
    pub(super) printer: Option<Printer>,
}

impl PartialEq for Kind {
    fn eq(&self, other: &Kind) -> bool {
        self.id == other.id
    }
}

impl Kind {
    /// The kind of a type, with the name it goes by in printed programs. The type alone tells kinds
    /// apart.
    ///
    /// ```
    /// use bugnet::program::Kind;
    ///
    /// assert_ne!(Kind::of::<u32>("Pid"), Kind::of::<u64>("Pid"));
    /// assert_eq!(Kind::of::<u32>("Pid").name, "Pid");
    /// ```
    pub fn of<T: 'static>(name: &'static str) -> Kind {
        let holds = name.contains(['\'', '&']);
        Kind { id: TypeId::of::<T>(), name, holds, fingerprint: None, observer: None, printer: None }
    }

    /// Returns true if a value can hold a borrow: its type has a lifetime.
    #[inline]
    pub(super) fn holds(&self) -> bool {
        self.holds
    }

    /// Says how to tell two states of a value apart, which search by
    /// [`Feedback`](crate::settings::Strategies::Feedback) needs.
    ///
    /// ```
    /// use bugnet::program::Kind;
    ///
    /// let list = Kind::of::<Vec<u8>>("Vec<u8>").fingerprinted(Some(|value| {
    ///     value.downcast_ref::<Vec<u8>>().map_or(0, |list| list.len() as u64)
    /// }));
    /// assert_eq!(list.name, "Vec<u8>");
    /// ```
    pub fn fingerprinted(self, fingerprint: Option<fn(&dyn Any) -> u64>) -> Kind {
        Kind { fingerprint, ..self }
    }

    /// Says how to [observe](crate::settings::Observe) a value when a program has ended; a panic there
    /// is a failure.
    ///
    /// ```
    /// use bugnet::prelude::*;
    /// use bugnet::program::{Access, Kind, Operation, Programs, Suite};
    ///
    /// let text = Kind::of::<String>("String").observed(Some(|_| panic!("cannot be printed")));
    /// let new = Operation::new("new", "String::new()", |frame| frame.keep(String::new()))
    ///     .returns(text, Access::Owned);
    /// let suite = Suite::new("String").about(text).operation(new).build();
    /// let failed = Property::new("texts").run(&Programs::new(suite)).unwrap_err();
    /// assert_eq!(failed.arguments()[1].text, "let _ = format!(\"{string:?}\");");
    /// ```
    pub fn observed(self, observer: Option<fn(&dyn Any)>) -> Kind {
        Kind { observer, ..self }
    }

    /// Says how to print a value when a program has ended. For generated code only.
    #[doc(hidden)]
    pub fn printed(self, printer: Option<Printer>) -> Kind {
        Kind { printer, ..self }
    }
}

/// The way an argument is passed.
///
/// ```
/// use bugnet::program::Mode;
///
/// assert!(Mode::Mutable.is_exclusive() && !Mode::Shared.is_exclusive());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// By value: the value is gone afterwards.
    Value,
    /// By `&`.
    Shared,
    /// By `&mut`.
    Mutable,
}

impl Mode {
    /// Returns true if nobody else may hold the value meanwhile.
    ///
    /// ```
    /// use bugnet::program::Mode;
    ///
    /// assert!(Mode::Value.is_exclusive() && Mode::Mutable.is_exclusive());
    /// assert!(!Mode::Shared.is_exclusive());
    /// ```
    pub fn is_exclusive(self) -> bool {
        self != Mode::Shared
    }
}

/// The way the result of a call holds its value.
///
/// ```
/// use bugnet::program::Access;
///
/// assert_ne!(Access::Owned, Access::Mutable);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// It is the value.
    Owned,
    /// It is a `&` to the value.
    Shared,
    /// It is a `&mut` to the value.
    Mutable,
}

/// A parameter of an operation.
///
/// ```
/// use bugnet::program::{Kind, Mode, Parameter};
///
/// let parameter = Parameter::earlier("pid", Kind::of::<u32>("Pid"), Mode::Shared);
/// assert!(!parameter.is_literal());
/// ```
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its type, without reference.
    pub kind: Kind,
    /// The way it is passed.
    pub mode: Mode,
    /// Draws a literal and shows it; `None` if arguments are results of earlier calls.
    pub(super) literal: Option<fn(&mut Source) -> Shown>,
    /// The abstraction of its literals in patterns.
    pub(super) abstraction: Abstraction,
}

impl Parameter {
    /// A parameter whose arguments are results of earlier calls.
    ///
    /// ```
    /// use bugnet::program::{Kind, Mode, Parameter};
    ///
    /// let stack = Parameter::earlier("self", Kind::of::<Vec<u8>>("Vec<u8>"), Mode::Mutable);
    /// assert_eq!((stack.name, stack.mode), ("self", Mode::Mutable));
    /// ```
    pub fn earlier(name: &'static str, kind: Kind, mode: Mode) -> Parameter {
        Parameter { name, kind, mode, literal: None, abstraction: Abstraction::default() }
    }

    /// A parameter whose arguments are drawn; `show` draws one and prints it. The body draws the same
    /// with [`Frame::literal`].
    ///
    /// ```
    /// use bugnet::prelude::*;
    /// use bugnet::program::Shown;
    /// use bugnet::program::{Kind, Mode, Parameter};
    ///
    /// let show = |source: &mut Source| Shown { text: source.any::<u8>().literal(), source: true };
    /// let byte = Parameter::drawn("byte", Kind::of::<u8>("u8"), Mode::Value, show);
    /// assert!(byte.is_literal());
    /// ```
    pub fn drawn(name: &'static str, kind: Kind, mode: Mode, show: fn(&mut Source) -> Shown) -> Parameter {
        Parameter { name, kind, mode, literal: Some(show), abstraction: Abstraction::default() }
    }

    /// Returns true if its arguments are drawn.
    ///
    /// ```
    /// use bugnet::program::{Kind, Mode, Parameter};
    ///
    /// assert!(!Parameter::earlier("pid", Kind::of::<u32>("Pid"), Mode::Shared).is_literal());
    /// ```
    pub fn is_literal(&self) -> bool {
        self.literal.is_some()
    }
}

/// The purpose of an operation.
///
/// ```
/// use bugnet::program::Role;
///
/// assert_ne!(Role::Call, Role::Check);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Part of the code under test, or a rule of a machine.
    Call,
    /// Makes the state of a machine; called once, before everything else.
    Setup,
    /// Judges values: what it returns is a verdict.
    Check,
    /// Ends the state of a machine; called once, after everything else.
    Teardown,
    /// Asks a law of values. Its operation is named `law {name} of {of}`.
    Law {
        /// The name of the law.
        name: &'static str,
        /// The type or function that it is of.
        of: &'static str,
    },
    /// Asks a law that somebody has stated. Its operation is named after it.
    Stated,
    /// Draws a literal and keeps it, for calls that borrow it.
    Literal,
}

/// Something that can be called.
///
/// ```
/// use bugnet::oracle::Verdict;
/// use bugnet::program::{Kind, Mode, Operation, Parameter};
///
/// let pop = Operation::new("pop", "{0}.pop()", |frame| {
///     let stack: &mut Vec<u8> = frame.mutable(0);
///     stack.pop();
///     Verdict::Pass
/// })
/// .parameter(Parameter::earlier("self", Kind::of::<Vec<u8>>("Vec<u8>"), Mode::Mutable));
/// assert_eq!(pop.name, "pop");
/// ```
#[derive(Clone)]
pub struct Operation {
    /// Its name, which no other operation of the suite has.
    pub name: &'static str,
    /// The text of a call: `{0}` stands for the first argument with the `&` or `&mut` that it needs, `{0}.` for a
    /// receiver, and so on.
    pub template: &'static str,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The purpose of the operation.
    pub role: Role,
    pub(super) body: Body,
    pub(super) weight: u32,
    /// The share of tests that have it, where it has one of its own.
    pub(super) share: Option<Share>,
    /// The value that the call makes, if later calls can use it.
    pub(super) result: Option<(Kind, Access)>,
    /// True if the result is inside an `Option` or `Result`.
    pub(super) wrapped: bool,
    /// True if the result borrows from the arguments.
    pub(super) leased: bool,
    pub(super) when: Option<fn(&Frame<'_>) -> bool>,
}

/// Runs a call.
pub(super) type Body = fn(&mut Frame<'_>) -> Verdict;

impl std::fmt::Debug for Operation {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Operation").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Operation {
    /// An operation without parameters and result: its name, how a call is printed, and what it does.
    ///
    /// ```
    /// use bugnet::oracle::Verdict;
    /// use bugnet::program::{Operation, Role};
    ///
    /// let tick = Operation::new("tick", "clock::tick()", |_| Verdict::Pass);
    /// assert!(tick.parameters.is_empty());
    /// assert_eq!(tick.role, Role::Call);
    /// ```
    pub fn new(name: &'static str, template: &'static str, body: fn(&mut Frame<'_>) -> Verdict) -> Operation {
        Operation {
            name,
            template,
            parameters: Vec::new(),
            role: Role::Call,
            body,
            weight: 1,
            share: None,
            result: None,
            wrapped: false,
            leased: false,
            when: None,
        }
    }

    /// Adds a parameter.
    ///
    /// ```
    /// use bugnet::oracle::Verdict;
    /// use bugnet::program::{Kind, Mode, Operation, Parameter};
    ///
    /// let list = Kind::of::<Vec<u8>>("Vec<u8>");
    /// let append = Operation::new("append", "{0}.append({1})", |frame| {
    ///     frame.mutable::<Vec<u8>>(0).append(frame.mutable(1));
    ///     Verdict::Pass
    /// })
    /// .parameter(Parameter::earlier("self", list, Mode::Mutable))
    /// .parameter(Parameter::earlier("other", list, Mode::Mutable));
    /// assert_eq!(append.parameters[1].name, "other");
    /// ```
    pub fn parameter(mut self, parameter: Parameter) -> Operation {
        self.parameters.push(parameter);
        self
    }

    /// Says what the call makes: something that later calls can use.
    ///
    /// ```
    /// use bugnet::oracle::catch;
    /// use bugnet::program::{Access, Kind, Mode, Operation, Parameter, Suite};
    ///
    /// let text = Kind::of::<String>("String");
    /// let new = Operation::new("new", "String::new()", |frame| frame.keep(String::new()));
    /// let same = Operation::new("same", "{0}", |frame| {
    ///     let text: String = frame.take(0);
    ///     frame.keep(text)
    /// })
    /// .parameter(Parameter::earlier("text", text, Mode::Value));
    /// let build = |new| catch(|| Suite::new("String").operation(new).operation(same.clone()).build());
    /// assert!(build(new.clone()).is_err(), "nothing provides a text");
    /// assert!(build(new.returns(text, Access::Owned)).is_ok());
    /// ```
    pub fn returns(mut self, kind: Kind, access: Access) -> Operation {
        self.result = Some((kind, access));
        self
    }

    /// Says that what the call makes is inside an `Option` or a `Result`, and is unwrapped where a program
    /// is printed.
    ///
    /// ```
    /// use bugnet::prelude::*;
    /// use bugnet::oracle::IntoVerdict;
    /// use bugnet::program::{Access, Kind, Mode, Operation, Parameter, Programs, Suite};
    ///
    /// let number = Kind::of::<u32>("u32");
    /// let parse = Operation::new("parse", "parse(\"7\")", |frame| frame.keep_if_any("7".parse::<u32>().ok()))
    ///     .returns(number, Access::Owned)
    ///     .wrapped();
    /// let use_up = Operation::new("use_up", "use_up({0})", |frame| (frame.take::<u32>(0) != 7).into_verdict())
    ///     .parameter(Parameter::earlier("number", number, Mode::Value));
    /// let suite = Suite::new("parse").operations([parse, use_up]).build();
    /// let failed = Property::new("parse").run(&Programs::new(suite)).unwrap_err();
    /// assert_eq!(failed.arguments()[0].text, "let u32 = parse(\"7\").unwrap();");
    /// ```
    pub fn wrapped(mut self) -> Operation {
        self.wrapped = true;
        self
    }

    /// Says that what the call makes borrows from its arguments.
    #[doc(hidden)]
    pub fn leased(mut self) -> Operation {
        self.leased = true;
        self
    }

    /// Says what the operation is for.
    ///
    /// ```
    /// use bugnet::program::{Access, Kind, Operation, Role};
    ///
    /// let new = Operation::new("new", "Stack::new()", |frame| frame.keep(Vec::<u8>::new()))
    ///     .returns(Kind::of::<Vec<u8>>("Stack"), Access::Owned)
    ///     .role(Role::Setup);
    /// assert_eq!(new.role, Role::Setup);
    /// ```
    pub fn role(mut self, role: Role) -> Operation {
        self.role = role;
        self
    }

    /// Sets how often it is called, compared with others; the default is one.
    ///
    /// ```
    /// use bugnet::prelude::*;
    /// use bugnet::oracle::Verdict;
    /// use bugnet::program::{Operation, Programs, Suite};
    ///
    /// let tick = Operation::new("tick", "tick()", |_| Verdict::Pass).weight(5);
    /// let never = Operation::new("never", "never()", |_| Verdict::Pass).weight(0);
    /// let suite = Suite::new("clock").operations([tick, never]).build();
    /// let clock = Property::new("clock").strategies(Strategies::Random);
    /// assert_eq!(clock.run(&Programs::new(suite)).unwrap().never_called, ["never"]);
    /// ```
    pub fn weight(mut self, weight: u32) -> Operation {
        self.weight = weight;
        self
    }

    /// Sets how likely [swarm testing](crate::swarm) leaves it in, instead of the share of the scheme.
    ///
    /// ```
    /// use bugnet::oracle::Verdict;
    /// use bugnet::program::{Operation, Suite};
    /// use bugnet::swarm::Share;
    ///
    /// let write = Operation::new("write", "write()", |_| Verdict::Pass).share(Share::millionths(900_000));
    /// Suite::new("file").operation(write).build();
    /// ```
    pub fn share(mut self, share: Share) -> Operation {
        self.share = Some(share);
        self
    }

    /// Returns the feature that stands for the operation.
    pub(super) fn feature(&self) -> Feature {
        let feature = Feature::named(self.name);
        self.share.map_or(feature, |share| feature.with_share(share))
    }

    /// Restricts it to states in which a condition holds. The frame knows the first argument only.
    ///
    /// ```
    /// use bugnet::prelude::*;
    /// use bugnet::oracle::IntoVerdict;
    /// use bugnet::program::{Access, Kind, Mode, Operation, Parameter, Programs, Role, Suite};
    ///
    /// let list = Kind::of::<Vec<u8>>("Vec<u8>");
    /// let new = Operation::new("new", "vec![1]", |frame| frame.keep(vec![1u8]))
    ///     .returns(list, Access::Owned)
    ///     .role(Role::Setup);
    /// let pop = Operation::new("pop", "{0}.pop()", |frame| {
    ///     frame.mutable::<Vec<u8>>(0).pop().is_some().into_verdict()
    /// })
    /// .parameter(Parameter::earlier("self", list, Mode::Mutable))
    /// .when(|frame| !frame.shared::<Vec<u8>>(0).is_empty());
    /// let suite = Suite::machine("Vec<u8>").operations([new, pop]).build();
    /// assert!(Property::new("pops").run(&Programs::new(suite)).is_ok());
    /// ```
    pub fn when(mut self, condition: fn(&Frame<'_>) -> bool) -> Operation {
        self.when = Some(condition);
        self
    }

    /// Returns its weight beside others.
    #[doc(hidden)]
    pub fn own_weight(&self) -> u32 {
        self.weight
    }

    /// Returns its weight where nothing is left out; zero for operations that set up a machine.
    pub(super) fn weight_as_rule(&self) -> u32 {
        if self.role == Role::Setup { 0 } else { self.weight.saturating_mul(Configuration::UNIT) }
    }

    /// Returns the number that stands for the operation on a tape: it stays the same when others come and go.
    pub(super) fn code(&self) -> u64 {
        let mut hash = 0x811c_9dc5u32;
        for byte in self.name.bytes() {
            hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
        u64::from(hash)
    }

    /// The type of what the call makes.
    pub(crate) fn made_kind(&self) -> Option<&'static str> {
        self.result.map(|(kind, _)| kind.name)
    }

    /// Returns true if the result of the call can hold a borrow.
    pub(super) fn result_holds(&self) -> bool {
        let holds = |(kind, access): (Kind, Access)| access != Access::Owned || kind.holds();
        self.leased || self.result.is_some_and(holds)
    }

    /// The parameters whose arguments are results of earlier calls, with their places.
    pub(super) fn earlier(&self) -> impl Iterator<Item = (usize, &Parameter)> {
        self.parameters.iter().enumerate().filter(|(_, parameter)| !parameter.is_literal())
    }
}
