//! Abstraction: what a literal becomes when a failing program becomes the pattern of a bug.
//!
//! By default it becomes a variable, the same one wherever the same literal stands, and is named if tests
//! show that it can be no other. Whoever knows more of a parameter says so.
//!
//! **Invariant:** what is said here changes which programs are one bug, never which programs are run or
//! how they are judged.

use super::frame::drawn;
use super::operation::Parameter;
use super::suite::Suite;
use crate::choice::{Source, Tape};
use crate::oracle::usage_error;
use crate::pattern::Class;

/// The abstraction of a parameter's literals.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Abstraction {
    pub(crate) width: Width,
    /// True if equal literals are equal by chance.
    pub(crate) is_apart: bool,
}

/// The values that a literal may stand for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Width {
    /// As much as tests confirm.
    #[default]
    Tested,
    /// Itself.
    Exact,
    /// Values of the same class; the function draws a literal and names its class.
    Class(fn(&mut Source) -> String),
    /// Everything.
    Any,
}

impl Abstraction {
    /// Returns true if the user has said nothing of the parameter.
    pub(crate) fn is_usual(self) -> bool {
        matches!(self.width, Width::Tested) && !self.is_apart
    }
}

impl Parameter {
    /// Says that every literal is a case of its own, such as a mode or an error code: patterns name it,
    /// and what fails with another one is another bug.
    ///
    /// ```
    /// # use bugnet::prelude::*;
    /// # use bugnet::campaign::WantedBugs;
    /// # use bugnet::oracle::IntoVerdict;
    /// # use bugnet::program::{Kind, Mode, Operation, Parameter, Programs, Shown, Suite};
    /// # let show = |source: &mut Source| Shown { text: source.draw(0..2u8).literal(), source: true };
    /// # let bugs = |parameter: Parameter| {
    /// #     let set = Operation::new("set", "set({0})", |frame| {
    /// #         (frame.literal(Some(|source| source.draw(0..2u8))) .is_none()).into_verdict()
    /// #     });
    /// #     let suite = Suite::new("modes").strict().operation(set.parameter(parameter)).build();
    /// #     let failed = Property::new("modes").bugs(WantedBugs::ALL).run(&Programs::new(suite)).unwrap_err();
    /// #     failed.bugs.iter().map(|bug| bug.words.clone()).collect::<Vec<_>>()
    /// # };
    /// // `set` fails whatever the mode.
    /// let mode = Parameter::drawn("mode", Kind::of::<u8>("u8"), Mode::Value, show);
    /// assert_eq!(bugs(mode.clone()), ["set(?a)"]);
    /// assert_eq!(bugs(mode.exact()), ["set(0)", "set(1)"]);
    /// ```
    pub fn exact(self) -> Parameter {
        self.wide(Width::Exact)
    }

    /// Says that literals are alike if they have the same class: patterns name the class, and what fails
    /// with one of another class is another bug. `class` draws a literal and says which class it has.
    ///
    /// ```
    /// use bugnet::prelude::*;
    /// use bugnet::campaign::WantedBugs;
    /// use bugnet::oracle::IntoVerdict;
    /// use bugnet::program::{Kind, Mode, Operation, Parameter, Programs, Shown, Suite};
    ///
    /// let parity = |source: &mut Source| ["even", "odd"][usize::from(source.any::<u8>() % 2)].to_string();
    /// let show = |source: &mut Source| Shown { text: source.any::<u8>().literal(), source: true };
    /// let number = Parameter::drawn("number", Kind::of::<u8>("u8"), Mode::Value, show).class(parity);
    /// let halve = Operation::new("halve", "halve({0})", |frame| {
    ///     (frame.literal(Some(u8::generate)).unwrap() % 2 == 0).into_verdict()
    /// });
    /// let suite = Suite::new("numbers").strict().operation(halve.parameter(number)).build();
    /// let failed = Property::new("numbers").bugs(WantedBugs::ALL).run(&Programs::new(suite)).unwrap_err();
    /// assert_eq!(failed.bugs[0].words, "halve(?a in odd)");
    /// ```
    pub fn class(self, class: fn(&mut Source) -> String) -> Parameter {
        self.wide(Width::Class(class))
    }

    /// Says that literals never matter, such as those of an id: each is a variable, and nothing is
    /// spent on finding out more.
    ///
    /// ```
    /// # use bugnet::prelude::*;
    /// # use bugnet::campaign::WantedBugs;
    /// # use bugnet::oracle::IntoVerdict;
    /// # use bugnet::program::{Kind, Mode, Operation, Parameter, Programs, Shown, Suite};
    /// # let show = |source: &mut Source| Shown { text: source.draw(0..2u8).literal(), source: true };
    /// # let bugs = |parameter: Parameter| {
    /// #     let set = Operation::new("set", "set({0})", |frame| {
    /// #         (frame.literal(Some(|source| source.draw(0..2u8))) != Some(0)).into_verdict()
    /// #     });
    /// #     let suite = Suite::new("modes").strict().operation(set.parameter(parameter)).build();
    /// #     let failed = Property::new("modes").bugs(WantedBugs::ALL).run(&Programs::new(suite)).unwrap_err();
    /// #     failed.bugs.iter().map(|bug| bug.words.clone()).collect::<Vec<_>>()
    /// # };
    /// // `set` fails if the id is zero.
    /// let id = Parameter::drawn("id", Kind::of::<u8>("u8"), Mode::Value, show);
    /// assert_eq!(bugs(id.clone()), ["set(0)"]);
    /// assert_eq!(bugs(id.any()), ["set(?a)"]);
    /// ```
    pub fn any(self) -> Parameter {
        self.wide(Width::Any)
    }

    /// Says that equal literals are equal by chance: each is a variable of its own.
    ///
    /// ```
    /// # use bugnet::prelude::*;
    /// # use bugnet::program::{Kind, Mode, Parameter, Shown};
    /// # let show = |source: &mut Source| Shown { text: source.any::<u8>().literal(), source: true };
    /// let amount = Parameter::drawn("amount", Kind::of::<u8>("u8"), Mode::Value, show).apart();
    /// assert_eq!(amount.name, "amount");
    /// ```
    pub fn apart(mut self) -> Parameter {
        self.demand_literal();
        self.abstraction.is_apart = true;
        self
    }

    fn wide(mut self, width: Width) -> Parameter {
        self.demand_literal();
        self.abstraction.width = width;
        self
    }

    fn demand_literal(&self) {
        if !self.is_literal() {
            usage_error(format!(
                "`{0}: {1}` is a result of an earlier call, and those are variables in patterns anyway; remove `#[abstraction(…)]`, or derive `Generate` for `{1}`, or write `#[with(…)]` before the parameter",
                self.name, self.kind.name
            ));
        }
    }
}

impl Suite {
    /// Returns the abstraction of a parameter's literals.
    pub(crate) fn abstraction(&self, operation: usize, parameter: usize) -> Abstraction {
        self.operations[operation].parameters[parameter].abstraction
    }

    /// Returns true if each literal of a parameter is a case of its own.
    pub(crate) fn is_own_case(&self, operation: usize, parameter: usize) -> bool {
        matches!(self.abstraction(operation, parameter).width, Width::Exact)
    }

    /// The class of a literal, if its parameter has classes.
    pub(crate) fn class_of(&self, operation: usize, parameter: usize, tape: Tape) -> Option<Class> {
        match self.abstraction(operation, parameter).width {
            Width::Class(class) => Some(Class::named(drawn(&mut Source::replay(tape), class))),
            _ => None,
        }
    }
}

/// Returns the name of a class: the text itself if it is one, or else its `Debug` text.
#[doc(hidden)]
pub fn class_name(class: &dyn std::fmt::Debug) -> String {
    let text = format!("{class:?}");
    let quoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    quoted.map_or_else(|| text.clone(), str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{Caught, catch};
    use crate::program::{Kind, Mode};

    #[test]
    fn a_class_is_called_what_it_says_or_what_debug_prints() {
        assert_eq!(class_name(&"leap year"), "leap year");
        assert_eq!(class_name(&String::from("leap year")), "leap year");
        assert_eq!(class_name(&Some(true)), "Some(true)");
    }

    #[test]
    fn results_of_calls_cannot_be_abstracted_otherwise() {
        let pid = || Parameter::earlier("pid", Kind::of::<u32>("Pid"), Mode::Shared);
        for abstracted in [|pid: Parameter| pid.exact(), |pid: Parameter| pid.apart()] {
            let Err(Caught::Misused(problem)) = catch(|| abstracted(pid())) else { unreachable!() };
            assert!(problem.starts_with("`pid: Pid` is a result of an earlier call"), "{problem}");
        }
    }
}
