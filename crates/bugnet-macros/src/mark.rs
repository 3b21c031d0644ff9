//! Marks: attributes that say what a function of a block is for.
//!
//! **Invariant:** a function has one mark at most, and one that its block knows.

use crate::attribute::Attribute;
use crate::error::Error;
use crate::method::Method;

/// The mark that tells a function's role.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Nothing: it is a helper.
    Skip,
    /// It judges, in a machine.
    Invariant,
    /// It ends a machine.
    Teardown,
    /// It judges, elsewhere.
    Check,
    /// It is called although it is private.
    Operation,
}

impl Mark {
    /// Those of a machine.
    pub(crate) const OF_MACHINE: [Mark; 3] = [Mark::Skip, Mark::Invariant, Mark::Teardown];
    /// Those of anything else.
    pub(crate) const OF_API: [Mark; 3] = [Mark::Skip, Mark::Check, Mark::Operation];

    fn name(self) -> &'static str {
        match self {
            Mark::Skip => "skip",
            Mark::Invariant => "invariant",
            Mark::Teardown => "teardown",
            Mark::Check => "check",
            Mark::Operation => "operation",
        }
    }

    /// Takes the mark of a function, with its attribute.
    pub(crate) fn take(method: &mut Method, known: [Mark; 3]) -> Result<Option<(Mark, Attribute)>, Error> {
        let mut found = Vec::new();
        for mark in &[Mark::Skip, Mark::Invariant, Mark::Teardown, Mark::Check, Mark::Operation] {
            if let Some(attribute) = method.take(mark.name()) {
                found.push((*mark, attribute));
            }
        }
        if let [_, (_, second), ..] = found.as_slice() {
            return Err(Error::new(second.place, "a function has one role; keep one of these attributes"));
        }
        let Some((mark, attribute)) = found.pop() else { return Ok(None) };
        if known.contains(&mark) {
            return Ok(Some((mark, attribute)));
        }
        let names = known.map(|mark| format!("`#[{}]`", mark.name())).join(", ");
        let message = format!("`#[{}]` means nothing here; there are {names}", mark.name());
        Err(Error::new(attribute.place, message))
    }
}
