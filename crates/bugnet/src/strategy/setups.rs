//! Set-ups: the calls that an operation needs before it does anything, found one by one and reused whole.
//!
//! A machine that has to be set up by ten calls in their order is hardly ever set up by chance. Here every operation
//! that has not changed the state yet is tried after each *way*: a program after whose last call the state was another
//! one, for the first time by that operation. So a chain of calls is found link by link. Ways that random programs are
//! too short for are what further programs begin with, and now and then what a program that ran well goes on with: the
//! paper on MoreBugs proposes in section 3.4 to pick a sequence of operations such as a set-up instead of one.
//!
//! **Invariant:** what a program begins with has passed and matches no known pattern.

use super::{Strategy, Turn};
use crate::case::{Finder, Found, Judge};
use crate::choice::{Source, Tape};
use crate::list::Listed;
use crate::oracle::{Verdict, WrongTest};
use crate::pattern::Matcher;
use crate::program::{Argument, Call, Extension, Program, Role, Suite, finds};
use crate::random::{Seed, Stream, scale};
use crate::trial::Ran;

/// Attempts of an operation after a way, where its arguments differ.
const TRIES: u8 = 2;
/// Attempts in a row that find no way, for each operation, after which no more are made. One round of all operations
/// after the latest way is enough where that is part of a set-up.
const PATIENCE: usize = 4;
/// One in this many programs goes on with a way after another program.
const AGAIN: u64 = 4;

/// Finds set-ups and begins programs with them.
#[derive(Debug)]
pub(crate) struct Setups {
    seed: Seed,
    case: u64,
    /// The ways in the order in which they were found.
    ways: Vec<Way>,
    /// For each operation, whether it has changed the state or need not be tried.
    works: Vec<bool>,
    /// The attempts since a way was found.
    vain: usize,
    /// The last program that began with a way and passed.
    latest: Option<Program>,
}

/// A program after which an operation has changed the state for the first time.
#[derive(Debug)]
struct Way {
    program: Program,
    state: u64,
    /// For each operation, the attempts after this way.
    tried: Vec<u8>,
}

/// A program that was run.
struct Run {
    program: Program,
    state: Option<u64>,
}

impl Setups {
    pub(crate) fn new(seed: Seed) -> Setups {
        // The programs of other strategies are others, although they have the same seed.
        let seed = Seed(seed.0 ^ 0x2545_f491_4f6c_dd1d);
        Setups { seed, case: 0, ways: Vec::new(), works: Vec::new(), vain: 0, latest: None }
    }

    /// Runs a program that extends another one. A failure goes to the turn.
    fn extend(
        &mut self,
        judge: &mut Judge<'_>,
        turn: &mut Turn,
        base: Option<&Program>,
        extension: &Extension,
    ) -> Result<Option<Run>, WrongTest> {
        let Some(programs) = judge.cases.programs else { return Ok(None) };
        self.case += 1;
        let mut tape = base.map_or(Tape::default(), |base| base.tape(programs.suite()));
        // Without the mark of its end it can go on.
        tape.choices.pop();
        let mut source = Source::extending(tape, self.seed, self.case);
        let ran = judge.extended(&mut source, extension)?.unwrap_or(Ran::from(Verdict::Discard));
        let tape = source.into_tape();
        match ran.verdict {
            Verdict::Fail(failure) => {
                turn.found = Some(Found { tape, failure: *failure, confirmed: false, by: Finder::Feedback });
                Ok(None)
            }
            Verdict::Pass => {
                turn.passed += 1;
                let program = Program::of(programs.suite(), &tape);
                Ok(program.map(|program| Run { program, state: ran.reached }))
            }
            Verdict::Discard => {
                turn.discarded += 1;
                Ok(None)
            }
        }
    }

    /// Sets the machine up in each way that the test has for that.
    fn begin(&mut self, judge: &mut Judge<'_>, turn: &mut Turn, suite: &Suite) -> Result<(), WrongTest> {
        let count = suite.operations.len();
        self.works = suite.operations.iter().map(|operation| operation.role == Role::Setup).listed();
        for setup in 0..count {
            if suite.operations[setup].role != Role::Setup {
                continue;
            }
            let run = self.extend(judge, turn, None, &Extension::One(setup))?;
            if turn.found.is_some() {
                return Ok(());
            }
            let Some(Run { program, state: Some(state) }) = run else { continue };
            if !self.ways.iter().any(|way| way.state == state) {
                self.ways.push(Way { program, state, tried: vec![0; count] });
            }
        }
        Ok(())
    }

    /// Returns the next attempt: the latest way after which an operation was not tried, and one of these operations.
    fn next_attempt(&self, stream: &mut Stream) -> Option<(usize, usize)> {
        if self.vain >= PATIENCE * self.works.len() {
            return None;
        }
        for most in 0..TRIES {
            for (place, way) in self.ways.iter().enumerate().rev() {
                let is_left = |operation: &usize| !self.works[*operation] && way.tried[*operation] <= most;
                let left = (0..self.works.len()).filter(is_left).listed();
                if !left.is_empty() {
                    return Some((place, left[scale(stream.word().1, left.len() as u64) as usize]));
                }
            }
        }
        None
    }

    /// Calls an operation after a way, and keeps the program as a way if that has changed the state.
    fn attempt(
        &mut self,
        judge: &mut Judge<'_>,
        turn: &mut Turn,
        (way, operation): (usize, usize),
        suite: &Suite,
    ) -> Result<(), WrongTest> {
        self.vain += 1;
        // One without arguments does the same again.
        let tries = if suite.operations[operation].parameters.len() > 1 { 1 } else { TRIES };
        self.ways[way].tried[operation] += tries;
        let extension = Extension::One(operation);
        let (mut before, mut state) = (self.ways[way].program.clone(), Some(self.ways[way].state));
        // What the call lacks is made first, and may have changed the state by itself. Then it is called once more.
        for _ in 0..2 {
            let Some(run) = self.extend(judge, turn, Some(&before), &extension)? else { return Ok(()) };
            if run.program.calls.last().is_none_or(|call| call.operation != operation) {
                return Ok(());
            }
            let is_alone = run.program.calls.len() == before.calls.len() + 1;
            if let (true, Some(reached)) = (is_alone && run.state != state, run.state) {
                self.works[operation] = true;
                self.vain = 0;
                let tried = vec![0; self.works.len()];
                self.ways.push(Way { program: run.program, state: reached, tried });
                return Ok(());
            }
            if is_alone {
                return Ok(());
            }
            (before, state) = (run.program, run.state);
        }
        Ok(())
    }

    /// Returns the ways that random programs are too short for. It takes as many random calls as there are operations,
    /// on average, to come upon the next call of a way.
    fn far(&self, judge: &Judge<'_>, suite: &Suite) -> Vec<usize> {
        let rules = suite.rules().count();
        let is_far = |way: &Way| (way.program.calls.len() - 1) * rules > judge.scratch.usual_length();
        (0..self.ways.len()).filter(|place| is_far(&self.ways[*place])).listed()
    }

    /// Begins a program with a way, or with another program and a way after it.
    fn go_on(
        &mut self,
        judge: &mut Judge<'_>,
        turn: &mut Turn,
        (far, stream): (&[usize], &mut Stream),
        suite: &Suite,
    ) -> Result<(), WrongTest> {
        let way = &self.ways[far[scale(stream.word().1, far.len() as u64) as usize]].program;
        let latest = self.latest.as_ref().filter(|_| scale(stream.word().1, AGAIN) == 0);
        let base = latest.map_or_else(|| way.clone(), |latest| joined(latest, way));
        let is_way = latest.is_none();
        if finds(&mut Matcher::new(&judge.scratch.steering.known), suite, &base) {
            self.case += 1;
            turn.discarded += 1;
            return Ok(());
        }
        let run = self.extend(judge, turn, Some(&base), &Extension::Whole)?;
        if let Some(run) = run.filter(|_| is_way) {
            self.latest = Some(run.program);
        }
        Ok(())
    }
}

/// Returns the calls of a program and, after them, those of another one without its first, which sets the machine up.
fn joined(program: &Program, other: &Program) -> Program {
    let mut joined = program.clone();
    for call in &other.calls[1..] {
        let mut arguments = call.arguments.clone();
        for argument in &mut arguments {
            if let Argument::Earlier(place) = argument {
                *place += if *place == 0 { 0 } else { program.calls.len() - 1 };
            }
        }
        joined.calls.push(Call { operation: call.operation, arguments });
    }
    joined
}

impl Strategy for Setups {
    fn run(&mut self, judge: &mut Judge<'_>, count: u64) -> Result<Turn, WrongTest> {
        let mut turn = Turn::default();
        let machine = judge.cases.programs.filter(|programs| programs.suite().is_machine());
        let Some(suite) = machine.map(|programs| programs.suite()) else {
            return Ok(Turn { over: true, ..turn });
        };
        if self.works.is_empty() {
            self.begin(judge, &mut turn, suite)?;
        }
        while turn.found.is_none() && turn.ran() < count && !turn.is_refuting(judge) {
            let mut stream = Source::random(self.seed, !self.case).stream();
            let (attempt, far) = (self.next_attempt(&mut stream), self.far(judge, suite));
            match attempt {
                Some(attempt) if far.is_empty() || self.case % 2 == 0 => {
                    self.attempt(judge, &mut turn, attempt, suite)?;
                }
                None if far.is_empty() => return Ok(Turn { over: true, ..turn }),
                _ => self.go_on(judge, &mut turn, (&far, &mut stream), suite)?,
            }
        }
        Ok(turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::Environment;
    use crate::prelude::*;
    use crate::program::{Access, Fingerprinted, Frame, Kind, Mode, Operation, Parameter, Probe, Programs};

    /// The calls that a machine is set up by, in their order.
    const LINKS: usize = 8;

    #[derive(Debug, Default, Hash)]
    struct Chain {
        links: usize,
    }

    /// Adds a link if it is the next one. The last operation fails once all are there.
    fn link<const LINK: usize>(frame: &mut Frame<'_>) -> Verdict {
        let chain = frame.mutable::<Chain>(0);
        chain.links += usize::from(chain.links == LINK && LINK < LINKS);
        assert!(LINK < LINKS + 7 || chain.links < LINKS, "it runs");
        Verdict::Pass
    }

    const LINK: [fn(&mut Frame<'_>) -> Verdict; 16] = [
        link::<0>, link::<1>, link::<2>, link::<3>, link::<4>, link::<5>, link::<6>, link::<7>, link::<8>,
        link::<9>, link::<10>, link::<11>, link::<12>, link::<13>, link::<14>, link::<15>,
    ];

    const NAMES: [&str; 16] =
        ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"];

    fn chain() -> Suite {
        let kind = Kind::of::<Chain>("Chain").fingerprinted((&&&Probe::<Chain>::NEW).fingerprint());
        let setup = Operation::new("new", "Chain::new()", |frame| frame.keep(Chain::default()))
            .returns(kind, Access::Owned)
            .role(Role::Setup);
        let operation = |place: usize| {
            Operation::new(NAMES[place], "_", LINK[place]).parameter(Parameter::earlier(
                "self",
                kind,
                Mode::Mutable,
            ))
        };
        Suite::machine("Chain").operation(setup).operations((0..16).map(operation)).build()
    }

    /// Returns true if the fault is found in 600 programs of 20 calls.
    fn finds_fault(strategies: Strategies, seed: u64) -> bool {
        let options = crate::campaign::Options { steps: Some(20), ..Default::default() };
        let property = Property::new("chain").strategies(strategies).cases(600).seed(Seed(seed));
        let environment = Environment::none(Seed(seed));
        property.options(options).environment(environment).run(&Programs::new(chain())).is_err()
    }

    #[test]
    fn a_machine_is_set_up_by_eight_calls_that_chance_does_not_find() {
        for seed in 1..4 {
            assert!(finds_fault(Strategies::Both, seed), "seed {seed}");
            assert!(!finds_fault(Strategies::Random, seed), "seed {seed}, by chance");
        }
    }

    #[test]
    fn a_way_after_another_program_uses_what_it_has_made_itself() {
        let call = |operation, used: &[usize]| Call {
            operation,
            arguments: used.iter().map(|place| Argument::Earlier(*place)).collect(),
        };
        let program = |calls: Vec<Call>| Program { features: 0, calls };
        let one = program(vec![call(0, &[]), call(1, &[0]), call(1, &[0])]);
        let way = program(vec![call(0, &[]), call(1, &[0]), call(2, &[0, 1])]);
        let both = vec![call(0, &[]), call(1, &[0]), call(1, &[0]), call(1, &[0]), call(2, &[0, 3])];
        assert_eq!(joined(&one, &way), program(both));
    }
}
