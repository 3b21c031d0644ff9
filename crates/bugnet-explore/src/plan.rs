//! Plans: what the next program is to be, as it is written to the log.
//!
//! **Invariant:** a program is a function of its plan, the seed and the scores of its epoch; a plan that was
//! written reads the same.

use bugnet::choice::Tape;
use std::fmt;
use std::str::FromStr;

/// The operations that a program mostly calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Focus {
    /// Anything.
    #[default]
    All,
    /// Operations about a kind, by its number.
    Kind(usize),
    /// Operations about a kind, by its number, less those that a configuration leaves out.
    Swarm(usize),
    /// One operation, by its place.
    Only(usize),
}

/// The program to draw next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) number: u64,
    pub(crate) focus: Focus,
    /// The number of calls that follow the base.
    pub(crate) more: usize,
    /// The program that this one begins with, as it is read from text.
    pub(crate) base: Tape,
    /// The program in the pool that it was made from. The log does not have it.
    pub(crate) parent: Option<usize>,
    /// True if this is a shorter form of a program that is to be kept. The log does not contain it.
    pub(crate) is_trimmed: bool,
}

impl fmt::Display for Focus {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Focus::All => write!(out, "all"),
            Focus::Kind(kind) => write!(out, "kind:{kind}"),
            Focus::Swarm(kind) => write!(out, "swarm:{kind}"),
            Focus::Only(operation) => write!(out, "only:{operation}"),
        }
    }
}

impl FromStr for Focus {
    type Err = ();

    fn from_str(text: &str) -> Result<Focus, ()> {
        match text.split_once(':') {
            None if text == "all" => Ok(Focus::All),
            Some(("kind", kind)) => kind.parse().map(Focus::Kind).map_err(|_| ()),
            Some(("swarm", kind)) => kind.parse().map(Focus::Swarm).map_err(|_| ()),
            Some(("only", operation)) => operation.parse().map(Focus::Only).map_err(|_| ()),
            _ => Err(()),
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {} {} {}", self.number, self.focus, self.more, self.base)
    }
}

impl FromStr for Plan {
    type Err = ();

    fn from_str(line: &str) -> Result<Plan, ()> {
        let mut words = line.splitn(4, ' ');
        let mut next = || words.next().ok_or(());
        Ok(Plan {
            number: next()?.parse().map_err(|_| ())?,
            focus: next()?.parse()?,
            more: next()?.parse().map_err(|_| ())?,
            base: next()?.parse().map_err(|_| ())?,
            ..Plan::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_as_it_was_written() {
        for focus in [Focus::All, Focus::Kind(3), Focus::Swarm(2), Focus::Only(0)] {
            for base in ["", "0.1(7(0.3))"] {
                let plan = Plan { number: 9, focus, more: 4, base: base.parse().unwrap(), ..Plan::default() };
                assert_eq!(plan.to_string().parse(), Ok(plan));
            }
        }
        assert_eq!("9 half 4 ".parse::<Plan>(), Err(()));
    }
}
