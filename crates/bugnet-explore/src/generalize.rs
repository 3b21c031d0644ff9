//! Generalizing: what the programs that fail as a minimal one does have in common, so that they can be avoided.
//!
//! In a hunt, samples show when a pattern says too much. Here nobody takes any: whoever wants to avoid a pattern
//! avoids it for good, so that more literals have to fail before one is taken for any.
//!
//! **Invariant:** a pattern matches the program that it was made from.

use super::limit::{Limit, Limited};
use super::trial::Trial;
use bugnet::bug::{Element, Pattern, Term};
use bugnet::engine::{Learner, parallelized, varied};
use bugnet::program::{Program, Suite};

/// Other literals that have to fail in the same way before a pattern leaves the literal open.
const OTHERS: usize = 6;

/// The pattern of a minimal program, as wide as trials confirm within a limit; none if it does not fail.
pub(crate) fn generalize(
    suite: &Suite,
    trial: &dyn Trial,
    program: &Program,
    limit: &Limit,
) -> Option<Pattern> {
    let signature = trial.failure(&program.tape(suite))?.signature;
    let mut trial = Limited { trial, limit };
    let mut learner = Learner { suite, trial: &mut trial, signature: Some(&signature), others: None };
    let (pattern, program) = parallelized(&mut learner, program)?;
    let pattern = varied(&mut learner, &program, pattern, OTHERS);
    Some(Pattern { signature: Some(signature), ..pattern })
}

/// The calls before the last one of a pattern that were given a certain literal, each as a pattern of its own,
/// whatever else it was given: what may have made a value that no call can be made with.
pub(crate) fn suspects(pattern: &Pattern) -> Vec<Pattern> {
    let earlier = &pattern.elements[..pattern.elements.len() - 1];
    let is_certain = |term: &Term| matches!(term, Term::Exact(_));
    let suspicious = earlier.iter().filter(|element| element.arguments.iter().any(is_certain));
    let alone = |element: &Element| {
        let only = |term: &Term| if is_certain(term) { term.clone() } else { Term::Any };
        let arguments = element.arguments.iter().map(only).collect();
        Pattern::sequence(vec![Element { operation: element.operation, arguments, result: None }])
    };
    suspicious.filter_map(alone).collect()
}

/// A pattern with any literals in the calls before the last one, whatever has made the values: what its programs do.
pub(crate) fn widened(pattern: &Pattern) -> Pattern {
    let last = pattern.elements.len().saturating_sub(1);
    let is_given = |term: &Term| matches!(term, Term::Variable(_) | Term::Class(..));
    let mut kept = Vec::new();
    for (place, element) in pattern.elements.iter().enumerate() {
        let mut element = element.clone();
        if place < last {
            if element.result.is_some() && !element.arguments.iter().any(is_given) {
                continue;
            }
            for term in &mut element.arguments {
                if matches!(term, Term::Exact(_) | Term::Least(_)) {
                    *term = Term::Any;
                }
            }
        }
        kept.push(element);
    }
    let signature = pattern.signature.clone();
    Pattern::sequence(kept).map_or_else(|| pattern.clone(), |wide| Pattern { signature, ..wide })
}

#[cfg(test)]
mod tests {
    use super::super::explorer::{Explorer, Progress, Surroundings};
    use super::super::memory::{Memory, remembered};
    use super::super::memory_limit::MemoryLimit;
    use super::super::meter::Measure;
    use super::super::strategy::Strategy;
    use super::super::told::Table;
    use super::super::trial::Here;
    use super::super::weight::Scores;
    use super::super::{Access, Kind, Mode, Operation, Parameter, Verdict, draw, value};
    use super::*;
    use bugnet::bug::Literal;
    use bugnet::choice::Seed;
    use bugnet::choice::{Source, Tape};
    use bugnet::program::{Argument, Call, Programs};
    use std::sync::Mutex;
    use std::sync::atomic::Ordering;

    /// Two that were made with ones are not to be joined, whatever else was given.
    fn suite() -> Suite {
        let boat = Kind::of::<u32>("Boat");
        let on = |name| Parameter::earlier(name, boat, Mode::Shared);
        let new = Operation::new("new", "new({0}, {1})", |frame| {
            let (wheels, _): (u32, u32) = (draw(frame), draw(frame));
            if frame.is_known() { Verdict::Discard } else { frame.keep(wheels) }
        });
        let join = Operation::new("join", "join({0}, {1}, {2})", |frame| {
            let _: u32 = draw(frame);
            if frame.is_known() {
                return Verdict::Discard;
            }
            let (a, b): (&u32, &u32) = (frame.shared(0), frame.shared(1));
            assert!(*a != 1 || *b != 1 || std::ptr::eq(a, b), "no");
            Verdict::Pass
        });
        let number = |name| value::<u32>(name, "u32");
        let new = new.parameter(number("wheels")).parameter(number("weight")).returns(boat, Access::Owned);
        let join = join.parameter(on("a")).parameter(on("b")).parameter(number("rope"));
        Suite::new("boats").operations([new, join]).reachable().0.unwrap()
    }

    /// The minimal failing program.
    fn minimal(suite: &Suite) -> Program {
        let one = || Argument::Literal(drawn(suite, 0, |text| text == "1"));
        let any = || Argument::Literal(drawn(suite, 0, |text| text == "0"));
        let new = || Call { operation: 0, arguments: vec![one(), any()] };
        let earlier = Argument::Earlier;
        let join = Call { operation: 1, arguments: vec![earlier(0), earlier(1), any()] };
        Program { features: 0, calls: vec![new(), new(), join] }
    }

    /// A literal that is printed so.
    fn drawn(suite: &Suite, parameter: usize, is_wanted: impl Fn(&str) -> bool) -> Tape {
        let draw = |case| {
            let mut source = Source::recording(Seed(5), case);
            suite.draw_literal(0, parameter, &mut source);
            source.into_tape()
        };
        (0..).map(draw).find(|tape| is_wanted(&suite.show_literal(0, parameter, tape.clone()))).unwrap()
    }

    #[test]
    fn what_matters_is_named_and_what_does_not_is_left_open() {
        let programs = Programs::new(suite());
        let suite = programs.suite();
        let pattern =
            generalize(suite, &Here::new(&programs, &[]), &minimal(suite), &Limit::trials(9_000)).unwrap();
        assert_eq!(pattern.words(suite), "?b = new(1, ?c) | ?b2 = new(1, ?d); join(?b, ?b2, ?e)");
    }

    #[test]
    fn a_widened_pattern_has_the_calls_that_change_something_with_any_literals() {
        let boat = Kind::of::<u32>("Boat");
        let new = Operation::new("new", "", |frame| frame.keep(0u32)).returns(boat, Access::Owned);
        let load = Operation::new("load", "", |_| Verdict::Pass)
            .parameter(Parameter::earlier("boat", boat, Mode::Mutable))
            .parameter(value::<u32>("weight", "u32"));
        let law = Operation::new("law", "", |_| Verdict::Pass);
        let law = law.parameter(Parameter::earlier("boat", boat, Mode::Shared));
        let suite = Suite::new("boats").operations([new, load, law]).reachable().0.unwrap();
        let literal = |text: &str| {
            Term::Exact(Literal {
                value: 7,
                tape: "0.7".parse().unwrap(),
                text: text.to_string(),
                class: None,
            })
        };
        let element = |operation, arguments, result| Element { operation, arguments, result };
        let pattern = Pattern::sequence(vec![
            element(0, vec![], Some(0)),
            element(1, vec![Term::Variable(0), literal("7")], None),
            element(2, vec![Term::Variable(0)], None),
        ]);
        let wide = widened(&pattern.unwrap());
        let operations: Vec<usize> = wide.elements.iter().map(|element| element.operation).collect();
        assert_eq!(operations, [1, 2]);
        assert_eq!(wide.elements[0].arguments, [Term::Variable(0), Term::Any]);
        assert_eq!(wide.words(&suite), "load(?a, _); law(?a)");
        // It is read back as it is told.
        assert_eq!(wide.stored(&suite).matches("load").count(), 1);
    }

    #[test]
    fn calls_with_a_certain_literal_are_suspects_whatever_else_they_were_given() {
        let programs = Programs::new(suite());
        let suite = programs.suite();
        let pattern =
            generalize(suite, &Here::new(&programs, &[]), &minimal(suite), &Limit::trials(9_000)).unwrap();
        let words: Vec<String> = suspects(&pattern).iter().map(|suspect| suspect.words(suite)).collect();
        assert_eq!(words, ["new(1, _)", "new(1, _)"]);
        // Where no boat has one wheel, none fails.
        assert_eq!(explored(suite, &suspects(&pattern)), (0, true));
    }

    /// Returns the number of failures when some patterns are known, and whether `join` was called.
    fn explored(suite: &Suite, known: &[Pattern]) -> (u64, bool) {
        static GAUGE: MemoryLimit = MemoryLimit::new(usize::MAX, usize::MAX >> 1);
        let (progress, scores) = (Progress::default(), Scores::new(suite.operations.len()));
        let memory = Mutex::new(Memory::with(scores.clone(), suite));
        let (seed, counters, strategy, measure) = (Seed(1), None, Strategy::All, Measure::Counts);
        let (progress, memory, gauge, told) = (&progress, &memory, &GAUGE, &Table::default());
        let around =
            Surroundings { suite, seed, progress, memory, gauge, counters, strategy, measure, known, told };
        let mut explorer = Explorer::new(around, scores);
        for number in 0..2_000 {
            let plan = explorer.plan(number);
            explorer.run(&plan, None);
        }
        (progress.failed.load(Ordering::Relaxed), remembered(memory).news.contains(&"join"))
    }

    #[test]
    fn what_is_known_is_not_met_again_whether_it_is_drawn_or_varies_something() {
        let programs = Programs::new(suite());
        let suite = programs.suite();
        let (failed, _) = explored(suite, &[]);
        assert!(failed > 100, "{failed}");
        let pattern =
            generalize(suite, &Here::new(&programs, &[]), &minimal(suite), &Limit::trials(9_000)).unwrap();
        assert_eq!(explored(suite, &[pattern]), (0, true));
    }
}
