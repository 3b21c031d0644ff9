//! The sweep: every operation is called with all combinations of a few small and extreme literals.
//!
//! A program that calls the operation is drawn. Then it is run again and again with other literals: all
//! combinations of them if they are few; otherwise all of those of the operation itself, if these are few, and then some. After some rounds another program is drawn, for
//! what the first one has made may be in the way. So what is wrong at a bound is found in the first seconds, whatever
//! the seed.
//!
//! **Invariant:** which literals a program has follows from the tape that was drawn and a number.

use bugnet::choice::{Choice, Kind, Source, Span, Tape};
use bugnet::engine::{CALL, LITERAL};
use bugnet::program::{Role, Suite};

/// Programs of the sweep for each operation, at most.
pub(super) const ROUNDS: u64 = 256;
/// Programs that are made from one drawn program before another is drawn.
const EACH: u64 = 63;

/// Draws for a literal that is not an integer and has a few ways to be drawn; the ways take turns.
const DRAWN: usize = 12;

/// The state of the sweep for an operation.
#[derive(Debug, Clone, Default)]
enum Base {
    #[default]
    Undrawn,
    /// It is not worth it: it has no literals, or cannot be called.
    Vain,
    Drawn(Drawn),
}

/// A program that calls an operation, and the literals that each place in it can have.
#[derive(Debug, Clone)]
struct Drawn {
    tape: Tape,
    literals: Vec<(Span, Vec<Tape>)>,
    /// The number of literals that belong to earlier calls; these come first.
    earlier: usize,
}

/// The next step of the sweep for an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Turn {
    /// A program that calls it is to be drawn.
    Draw,
    /// This one is to be run.
    Run(Tape),
    /// Nothing.
    Over,
}

/// The sweep over all operations.
#[derive(Debug, Default)]
pub(crate) struct Sweep(Vec<Base>);

impl Sweep {
    pub(crate) fn new(suite: &Suite) -> Sweep {
        // Laws take no literals, and what they are about is swept.
        let bases = suite.operations.iter().map(|operation| match operation.role {
            Role::Law { .. } | Role::Stated => Base::Vain,
            _ => Base::Undrawn,
        });
        Sweep(bases.collect())
    }

    /// Returns the next step for an operation in a round.
    pub(super) fn turn(&self, operation: usize, round: u64, dice: &mut Source) -> Turn {
        match &self.0[operation] {
            Base::Undrawn => Turn::Draw,
            Base::Vain => Turn::Over,
            Base::Drawn(_) if round > 0 && round % (EACH + 1) == 0 => Turn::Draw,
            Base::Drawn(drawn) => {
                let number = round.saturating_sub(1 + round / (EACH + 1));
                drawn.combination(number, dice).map_or(Turn::Over, Turn::Run)
            }
        }
    }

    /// Returns true if nothing is left to do in a round.
    pub(super) fn is_over(&self, round: u64) -> bool {
        round >= ROUNDS || self.0.iter().all(|base| matches!(base, Base::Vain))
    }

    /// Takes the program that was drawn for an operation, if one was; otherwise one that was drawn before has to do.
    pub(super) fn take(&mut self, operation: usize, tape: Option<Tape>, suite: &Suite) {
        let literals = tape.as_ref().map(|tape| literals(tape, suite)).unwrap_or_default();
        let base = &mut self.0[operation];
        match tape {
            Some(tape) if !literals.is_empty() => {
                let last = tape.spans_where(&|span| span.label == CALL).last().map_or(0, |call| call.start);
                let earlier = literals.iter().filter(|(span, _)| span.start < last).count();
                *base = Base::Drawn(Drawn { tape, literals, earlier });
            }
            _ if matches!(base, Base::Drawn(_)) => {}
            _ => *base = Base::Vain,
        }
    }
}

impl Drawn {
    /// The program with the combination of literals of this number, counted over all that were drawn for the operation.
    fn combination(&self, number: u64, dice: &mut Source) -> Option<Tape> {
        let few = |literals: &[(Span, Vec<Tape>)]| {
            let mut counts = literals.iter().map(|(_, values)| values.len() as u64);
            counts.try_fold(1u64, u64::checked_mul).filter(|all| *all < ROUNDS - ROUNDS / EACH)
        };
        let (all, own) = (few(&self.literals), few(&self.literals[self.earlier..]));
        // Each program has all combinations if they are few; otherwise they share them.
        let turn = if all.is_some_and(|all| all <= EACH) { number % EACH } else { number };
        match (all, own) {
            (Some(all), _) => (turn < all).then(|| self.counted(0, turn)),
            (None, Some(own)) if number < own => Some(self.counted(self.earlier, number)),
            _ => Some(self.with(0, |count| dice.random_below(count))),
        }
    }

    /// The program with a combination of the literals from a place on; the first of them turns fastest.
    fn counted(&self, first: usize, number: u64) -> Tape {
        let mut rest = number;
        self.with(first, |count| {
            let digit = rest % count;
            rest /= count;
            digit
        })
    }

    /// Returns the program with other literals from `first` on. Of the values of each, `choose` picks one.
    fn with(&self, first: usize, mut choose: impl FnMut(u64) -> u64) -> Tape {
        let chosen = self.literals[first..]
            .iter()
            .map(|(span, values)| (span, &values[choose(values.len() as u64) as usize]));
        let chosen: Vec<(&Span, &Tape)> = chosen.collect();
        // The last first, so that the places of those before stay.
        let splice =
            |tape: Tape, (span, value): &(&Span, &Tape)| tape.spliced(span.start + 1, span.end, value);
        chosen.iter().rev().fold(self.tape.clone(), splice)
    }
}

/// The literals of a program, with what they can be.
fn literals(tape: &Tape, suite: &Suite) -> Vec<(Span, Vec<Tape>)> {
    let mut found = Vec::new();
    for call in tape.spans_where(&|span| span.label == CALL) {
        let Some(operation) = suite.coded(tape.choices[call.start].value) else { continue };
        let parameters = suite.operations[operation].parameters.iter();
        let names =
            parameters.filter(|parameter| parameter.is_literal()).map(|parameter| parameter.kind.name);
        let inside = tape.spans_where(&|span| span.label == LITERAL && call.encloses(span));
        for (span, name) in inside.into_iter().zip(names) {
            let values = values(&tape.choices[span.start..span.end], name);
            if values.len() > 1 {
                found.push((span, values));
            }
        }
    }
    found
}

/// Returns the values that a literal can have, by how it was drawn. Choices that are left out are drawn.
fn values(drawn: &[Choice], name: &str) -> Vec<Tape> {
    let chosen = |values: &[u64]| {
        let choice = |value: &u64| Choice { kind: Kind::Unknown, value: *value, limit: u64::MAX };
        Tape { choices: values.iter().map(choice).collect(), spans: Vec::new() }
    };
    if let Some((bits, is_signed)) = integer(name) {
        return super::number::corners(bits, is_signed).iter().map(|values| chosen(values)).collect();
    }
    let Some(first) = drawn.get(1) else { return Vec::new() };
    match first.limit {
        1 | 2 => (0..=first.limit).map(|value| chosen(&[value])).collect(),
        // The last way to draw a value is for what is large, and each of the others draws many.
        limit @ 3..16 => (0..limit).cycle().take(DRAWN).map(|value| chosen(&[value])).collect(),
        limit => [0, 1, 2, limit / 2, limit - limit.min(2), limit - limit.min(1), limit]
            .iter()
            .map(|value| chosen(&[*value]))
            .collect(),
    }
}

/// Returns the number of bits of an integer type and whether it has a sign.
fn integer(name: &str) -> Option<(u32, bool)> {
    let (sign, bits) = name.split_at_checked(1)?;
    let bits = if bits == "size" { usize::BITS } else { bits.parse().ok()? };
    let is_width = matches!(bits, 8 | 16 | 32 | 64 | 128);
    (is_width && matches!(sign, "i" | "u")).then_some((bits, sign == "i"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hook::Exploring;
    use crate::{Operation, draw, value};
    use bugnet::choice::Seed;
    use bugnet::oracle::Verdict;
    use std::collections::BTreeSet;

    /// A suite with a function of two integers and a `bool`, and a program that calls it.
    fn drawn() -> (Suite, Tape) {
        let add = Operation::new("add", "add({0}, {1}, {2})", |frame| {
            let _: (i8, u8, bool) = (draw(frame), draw(frame), draw(frame));
            Verdict::Pass
        });
        let parameters = [value::<i8>("a", "i8"), value::<u8>("b", "u8"), value::<bool>("c", "bool")];
        let add = parameters.into_iter().fold(add, Operation::parameter);
        let law = Operation::new("law of add", "law()", |_| Verdict::Pass)
            .role(Role::Law { name: "sum", of: "add" });
        let suite = Suite::new("sums").operation(add).operation(law).reachable().0.unwrap();
        let mut source = Source::recording(Seed(1), 0);
        let mut execution = bugnet::engine::Execution::hooked(&suite, Exploring::replaying(&suite, &[]));
        execution.begin(&mut source, &[1, 0]);
        execution.attempt(&mut source);
        let tape = source.into_tape();
        (suite, tape)
    }

    #[test]
    fn all_combinations_of_few_literals_are_run_once() {
        let (suite, tape) = drawn();
        let mut sweep = Sweep::new(&suite);
        let mut dice = Source::random(Seed(1), 0);
        assert_eq!(sweep.turn(0, 0, &mut dice), Turn::Draw);
        assert_eq!(sweep.turn(1, 0, &mut dice), Turn::Over, "laws are not swept");
        sweep.take(0, Some(tape.clone()), &suite);
        let (mut seen, mut runs, mut drawn) = (BTreeSet::new(), 0, 1);
        for round in 1..ROUNDS {
            match sweep.turn(0, round, &mut dice) {
                Turn::Run(tape) => {
                    seen.insert(tape.to_string());
                    runs += 1;
                }
                Turn::Draw => {
                    sweep.take(0, Some(tape.clone()), &suite);
                    drawn += 1;
                }
                Turn::Over => assert!(round > 198, "{round}"),
            }
        }
        assert_eq!((seen.len(), runs, drawn), (11 * 9 * 2, 198, 4));
        assert!(sweep.is_over(ROUNDS) && !sweep.is_over(ROUNDS - 1));
    }

    #[test]
    fn every_program_that_was_drawn_has_all_combinations_if_they_are_few() {
        let (suite, tape) = drawn();
        let mut sweep = Sweep::new(&suite);
        let literals = literals(&tape, &suite).split_off(2);
        sweep.0[0] = Base::Drawn(Drawn { tape, literals, earlier: 0 });
        let mut dice = Source::random(Seed(1), 0);
        let runs: Vec<u64> =
            (1..130).filter(|round| matches!(sweep.turn(0, *round, &mut dice), Turn::Run(_))).collect();
        assert_eq!(runs, [1, 2, 65, 66, 129]);
        // Another one that cannot be called is no reason to give up.
        sweep.take(0, None, &suite);
        assert!(matches!(sweep.turn(0, 1, &mut dice), Turn::Run(_)));
    }

    #[test]
    fn the_literals_of_the_operation_itself_come_first_if_there_are_many() {
        let (suite, tape) = drawn();
        let all = literals(&tape, &suite);
        // As if an earlier call had taken the first two.
        let many: Vec<(Span, Vec<Tape>)> =
            all.iter().map(|(span, values)| (*span, [&values[..]; 4].concat())).collect();
        let drawn = Drawn { tape, literals: many, earlier: 2 };
        let mut dice = Source::random(Seed(1), 0);
        let texts: Vec<String> =
            (0..100).filter_map(|number| Some(drawn.combination(number, &mut dice)?.to_string())).collect();
        assert_eq!(texts.len(), 100);
        let first: BTreeSet<&String> = texts[..8].iter().collect();
        assert_eq!(first.len(), 2, "{first:?}");
        assert!(texts[8..].iter().collect::<BTreeSet<_>>().len() > 50);
    }

    #[test]
    fn what_cannot_be_called_is_left_alone() {
        let (suite, _) = drawn();
        let mut sweep = Sweep::new(&suite);
        sweep.take(0, None, &suite);
        assert_eq!(sweep.turn(0, 1, &mut Source::random(Seed(1), 0)), Turn::Over);
        assert!(sweep.is_over(0));
    }

    #[test]
    fn integers_are_told_by_their_names() {
        assert_eq!(integer("i32"), Some((32, true)));
        assert_eq!(integer("usize"), Some((usize::BITS, false)));
        assert_eq!(["u7", "f32", "str", "", "é"].map(integer), [None; 5]);
    }
}
