//! Bugs: findings that were run again, reduced, and are each shown once.
//!
//! **Invariant:** a bug has the name of its test, and no two bugs of a run have the same.

use super::Judgement;
use crate::api::Law;
use crate::finding::panic_kind::PanicKind;
use crate::finding::{Cause, Finding, Pattern, Phase, Rate, Stack};
use bugnet::wire::Program;
use std::collections::BTreeSet;
use std::fmt;

/// A finding with what it is taken for.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    pub(crate) finding: Finding,
    pub(crate) judgement: Judgement,
}

/// Findings with one place, the surest first.
#[derive(Debug, Clone)]
pub(crate) struct Group(pub(crate) Vec<Judged>);

/// A bug as it is shown.
#[derive(Debug, Clone)]
pub(crate) struct Bug {
    /// The name of its test, by which it can be replayed.
    pub(crate) name: String,
    pub(crate) judgement: Judgement,
    /// The failure of the minimal program, and its tape.
    pub(crate) finding: Finding,
    /// The innermost function of the crate that fails, as `Type::function`, if it is known.
    pub(crate) inner: Option<String>,
    /// The functions of the crate that were running, if that was seen.
    pub(crate) stack: Stack,
    /// The minimal program, with the items that it needs.
    pub(crate) program: Program,
    /// The pattern that all programs with this failure match.
    pub(crate) pattern: Option<Pattern>,
    /// Other operations that fail at the same place, or other laws that the same calls break; in order, each once.
    pub(crate) also: Vec<Also>,
    /// The known bug of whose family it is, and the operations that are new in it.
    pub(crate) news_of: Option<(String, Vec<String>)>,
    /// The number of runs of the program, and how many of them failed.
    pub(crate) rate: Rate,
    /// True if its test was compiled and failed in the same way at the same place.
    pub(crate) proven: bool,
}

/// An operation that fails of the same cause as a bug.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Also {
    pub(crate) operation: String,
    /// The law that it asks, if it asks one.
    pub(crate) law: Option<Law>,
    /// The place where it fails, if it is not that of the bug.
    pub(crate) at: Option<String>,
    /// The functions after which it fails, if it is the law of the bug, broken another way.
    pub(crate) after: Vec<String>,
    /// The reason why its cause is taken for the same.
    pub(crate) why: Why,
}

/// The reason for which two failures are taken for one fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Why {
    /// The name of the rule.
    pub(crate) rule: &'static str,
    /// The property that both have in common, as a sentence without a capital letter and a full stop.
    pub(crate) words: &'static str,
}

impl Why {
    /// Returns true if the reason is that functions are written alike. One that was not seen before is then
    /// still news.
    pub(crate) fn is_of_family(self) -> bool {
        super::same_cause::OF_FAMILIES.contains(&self.rule)
    }
}

impl Also {
    /// Describes it with another name for its operation, such as a shorter one.
    pub(crate) fn with_name(&self, name: &str) -> String {
        let place = self.at.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
        match &self.after[..] {
            [] => format!("{name}{place}"),
            after => format!("{name}{place} after {}", after.join(", ")),
        }
    }
}

impl fmt::Display for Also {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.with_name(&self.operation))
    }
}

impl Bug {
    /// A finding as it came: nobody has run it again.
    pub(crate) fn unreduced(judged: &Judged) -> Bug {
        let Judged { finding, judgement } = judged.clone();
        Bug {
            name: String::new(),
            judgement,
            finding,
            inner: None,
            stack: Stack::default(),
            program: Program::default(),
            pattern: None,
            also: Vec::new(),
            news_of: None,
            rate: Rate::default(),
            proven: false,
        }
    }

    /// One line about a bug, without a full stop.
    pub(crate) fn title(&self) -> String {
        let operation = &self.finding.operation;
        match (self.finding.cause, self.finding.law()) {
            (Cause::Law, Some((law, kind))) => format!("`{kind}` breaks the law `{law}`"),
            (Cause::Law, None) => format!("`{operation}` does not hold"),
            (Cause::Hang, _) => format!("`{operation}` does not end"),
            (Cause::Memory, _) => format!("`{operation}` asks for more memory than there is"),
            (Cause::Death, _) => format!("`{operation}` ends the process: {}", self.finding.message),
            (Cause::Panic, law) => {
                let how = PanicKind::of(&self.finding.message, None).words();
                match (self.finding.phase, law) {
                    (Phase::Observe, _) => format!("`Debug` of a value from `{operation}` {how}"),
                    (Phase::Drop, _) => format!("dropping a value after `{operation}` {how}"),
                    (Phase::Call, Some((law, kind))) => format!("`{law}` of `{kind}` {how}"),
                    (Phase::Call, None) => format!("`{operation}` {how}"),
                }
            }
        }
    }

    /// Returns the names of the calls of its program.
    pub(crate) fn calls(&self) -> Vec<&str> {
        self.program.called().map(|call| call.operation.as_str()).collect()
    }

    /// Names operations beside it that fail of the same cause.
    pub(crate) fn add(&mut self, also: impl IntoIterator<Item = Also>) {
        // An operation is empty if values that fail are dropped at the end: nobody has called it.
        self.also.extend(also.into_iter().filter(|also| !also.operation.is_empty()));
        self.also.sort();
        let shape = |also: &Also| (also.operation.clone(), also.at.clone(), also.after.clone());
        self.also.dedup_by_key(|also| shape(also));
    }

    /// Returns the changes after which a finding breaks the same law in another way; none if it does not.
    pub(crate) fn other_way(&self, finding: &Finding) -> Vec<String> {
        let is_other = finding.operation == self.finding.operation && finding.after != self.finding.after;
        finding.after.clone().filter(|_| is_other).unwrap_or_default()
    }

    /// Returns the operations that fail at its place, or at one that was put together with it.
    pub(crate) fn operations(&self) -> BTreeSet<&str> {
        let also = self.also.iter().map(|also| also.operation.as_str());
        std::iter::once(self.finding.operation.as_str()).chain(also).collect()
    }

    /// Returns the laws that it breaks.
    pub(crate) fn laws(&self) -> impl Iterator<Item = &Law> {
        self.finding.law.iter().chain(self.also.iter().filter_map(|also| also.law.as_ref()))
    }

    /// Returns true if it needs more memory than a harness has, but not more than a test has.
    pub(crate) fn is_frugal(&self) -> bool {
        self.finding.cause == Cause::Memory && !self.proven
    }
}

impl Group {
    /// Findings with one place.
    pub(crate) fn sorted(mut members: Vec<Judged>) -> Group {
        let length = |judged: &Judged| judged.finding.tape.as_ref().map_or(usize::MAX, String::len);
        members.sort_by_key(|judged| (std::cmp::Reverse(judged.judgement.sureness), length(judged)));
        Group(members)
    }

    /// Turns a bug that proved to be none back into a group of one finding.
    pub(crate) fn of(bug: Bug) -> Group {
        Group(vec![Judged { finding: bug.finding, judgement: bug.judgement }])
    }

    pub(crate) fn first(&self) -> &Judged {
        self.0.first().expect("a group has members")
    }

    pub(crate) fn judgement(&self) -> &Judgement {
        &self.first().judgement
    }
}

/// A name that is made of what fails and how.
pub(crate) fn name(finding: &Finding) -> String {
    let how = match finding.cause {
        Cause::Death => "ends_the_process",
        Cause::Hang => "hangs",
        Cause::Memory => "exhausts_memory",
        Cause::Panic => "panics",
        Cause::Law => "",
    };
    let mut name = String::new();
    let mut was_small = false;
    for letter in format!("{} {how}", finding.operation).chars() {
        if letter.is_ascii_alphanumeric() {
            if letter.is_ascii_uppercase() && was_small {
                name.push('_');
            }
            was_small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
            name.push(letter.to_ascii_lowercase());
        } else {
            was_small = false;
            if !name.is_empty() && !name.ends_with('_') {
                name.push('_');
            }
        }
    }
    let name = name.trim_matches('_');
    if name.starts_with(|letter: char| letter.is_ascii_digit()) {
        format!("bug_{name}")
    } else {
        name.to_string()
    }
}

#[cfg(test)]
pub(crate) mod example {
    use super::*;
    use crate::finding::Place;
    use crate::judge::Class;
    use bugnet::wire::{Argument, Binding, Call, Literal, Mode, Number, Role};

    /// A program of these calls.
    pub(crate) fn program(calls: impl IntoIterator<Item = Made>) -> Program {
        Program { calls: calls.into_iter().map(|made| made.0).collect(), ..Program::default() }
    }

    /// A call that is being put together.
    #[derive(Debug, Clone)]
    pub(crate) struct Made(pub(crate) Call);

    /// A call of a function.
    pub(crate) fn call(operation: &str) -> Made {
        Made(Call {
            operation: operation.to_string(),
            role: Role::Function,
            arguments: Vec::new(),
            binding: None,
            expression: format!("{operation}()"),
        })
    }

    /// A call that asks a law.
    pub(crate) fn asked(law: &Law) -> Made {
        let mut made = call(&law.operation());
        made.0.role = Role::Law { name: law.name.clone(), of: law.of.clone() };
        made
    }

    impl Made {
        /// Gives it the results of earlier calls.
        pub(crate) fn using(mut self, calls: &[u32]) -> Made {
            let earlier = |call: &u32| Argument::Earlier { call: *call, mode: Mode::Shared };
            self.0.arguments.extend(calls.iter().map(earlier));
            self
        }

        /// Gives it a literal with these numbers.
        pub(crate) fn given(mut self, numbers: &[Number]) -> Made {
            let literal = Literal { numbers: numbers.to_vec(), ..Literal::default() };
            self.0.arguments.push(Argument::Literal(literal));
            self
        }

        /// Keeps its result.
        pub(crate) fn bound(mut self, name: &str, is_mutable: bool) -> Made {
            self.0.binding = Some(Binding { name: name.to_string(), is_mutable });
            self
        }

        /// Has it written in another way.
        pub(crate) fn written(mut self, expression: &str) -> Made {
            self.0.expression = expression.to_string();
            self
        }
    }

    pub(crate) fn bug() -> Bug {
        Bug {
            name: "bit_vec_split_off_panics".to_string(),
            judgement: Judgement {
                class: Class::Panic,
                sureness: 80,
                reason: "what the author took for granted is not there".to_string(),
            },
            finding: Finding {
                operation: "BitVec::split_off".to_string(),
                law: None,
                phase: Phase::Call,
                cause: Cause::Panic,
                place: Place::read("/r/bit-vec-0.10.1/src/lib.rs:12:5"),
                message: "called `Option::unwrap()` on a `None` value <&>".to_string(),
                tape: Some("1.2".to_string()),
                after: None,
            },
            inner: Some("BitVec::split_off".to_string()),
            stack: Stack::default(),
            program: program([
                call("BitVec::new").bound("bit_vec", true).written("bit_vec::BitVec::<u32>::new()"),
                call("BitVec::split_off").using(&[0]).written("bit_vec.split_off(0)"),
            ]),
            pattern: None,
            also: vec![Also {
                operation: "BitVec::truncate".to_string(),
                law: None,
                at: None,
                after: Vec::new(),
                why: crate::judge::same_cause::ONE_PLACE,
            }],
            news_of: None,
            rate: Rate { failed: 3, runs: 3 },
            proven: true,
        }
    }
}
