//! The schedule: gives the strategies their turns until the budget is used up.
//!
//! A round is a list of strategies, each with a share; a strategy without a share is passed over. What the
//! strategies before it have used of the budget is taken off a share.
//!
//! Turns double in length, so that the smallest inputs and the first random ones come early and
//! neither strategy starves the other.
//!
//! **Invariant:** for a budget of cases, what is run depends on the seed alone.

use super::{Evolve, Exhausted, Exhaustive, Feedback, Random, Setups, Strategy, Swarmed, Turn};
use crate::case::{Allowance, Found, Judge};
use crate::choice::Source;
use crate::oracle::WrongTest;
use crate::settings::{Isolate, Scope, Settings, Strategies};
use crate::swarm::Scheme;
use std::time::Duration;

/// The length of the first turn.
const FIRST_TURN: u64 = 4;
/// The greatest length of a turn.
const LONGEST_TURN: u64 = 16_384;
/// A turn that takes longer than this is long enough, where time is the budget.
const LONG: Duration = Duration::from_millis(20);
/// Where most inputs miss the preconditions, strategies that do not learn from those that met them
/// have this part of a turn.
const BLIND: u64 = 8;
/// Random programs for each one that is counted through or extended: these are short, and each says less than a random
/// one of full length.
const SHORT: u64 = 24;
/// Random inputs for each one that leaves something out, in the first, short turns.
const SWARMED_AT_FIRST: u64 = 4;
/// Turns up to this length are short.
const FIRST_TURNS: u64 = 32;
/// The same in later turns: inputs that leave something out are recorded, and cost several times as much as random ones.
const SWARMED: u64 = 1_024;
/// Cases that may be discarded for each one that is to pass.
const DISCARDS: u64 = 50;

/// After a bug at test n, the search goes on until test min(2n + `LEAST_MORE`, n + `MOST_MORE`), where bugs are wanted
/// that take little more time than the first.
const MOST_MORE: u64 = 1_000;
/// The tests after a bug that was found at once; see [`MOST_MORE`].
const LEAST_MORE: u64 = 200;

/// The state of the search so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Progress {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) discarded: u64,
    pub(crate) exhaustive: u64,
    pub(crate) exhausted: Option<Exhausted>,
}

impl Progress {
    fn add(&mut self, turn: &Turn) {
        self.passed += turn.passed;
        self.discarded += turn.discarded;
    }
}

/// The price of going on around a bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Avoiding {
    /// The search goes on as before.
    Cheap,
    /// Each program that is drawn takes much longer, or a case hangs.
    Dear,
}

/// A place in the list of strategies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Exhaustive,
    Random,
    Evolve,
    Swarmed,
    Feedback,
    Setups,
}

/// The search for a failing case of one property.
pub(crate) struct Search<'a> {
    settings: &'a Settings,
    clock: &'a dyn Fn() -> Duration,
    exhaustive: Option<Exhaustive>,
    random: Option<Random>,
    evolve: Evolve,
    feedback: Option<Feedback>,
    setups: Option<Setups>,
    /// The programs left of a turn of set-ups that has ended early.
    owed: u64,
    swarmed: Option<Swarmed>,
    turn: u64,
    /// When time is up, if that is the budget.
    end: Option<Duration>,
    /// After how many tests nothing more is expected.
    bound: u64,
    /// The number of the call at which the search ends.
    last_call: u64,
    pub(crate) tally: Progress,
}

impl<'a> Search<'a> {
    /// A search for an input, or for a program.
    pub(crate) fn new(settings: &'a Settings, clock: &'a dyn Fn() -> Duration, programs: bool) -> Search<'a> {
        let wants = |strategy| [strategy, Strategies::Both].contains(&settings.strategies);
        let isolated = settings.isolate != Isolate::Off;
        let feedback = match settings.strategies {
            Strategies::Rds => Some(Feedback::rds(settings.seed)),
            _ => wants(Strategies::Feedback).then(|| Feedback::new(settings.seed)),
        };
        Search {
            settings,
            clock,
            // A program is known only when it has run, so what runs in a child must be named by number.
            exhaustive: (wants(Strategies::Exhaustive) && !(programs && isolated))
                .then(|| Exhaustive::new(settings.depth)),
            feedback: feedback.filter(|_| programs && !isolated),
            setups: (wants(Strategies::Feedback) && programs && !isolated)
                .then(|| Setups::new(settings.seed)),
            owed: 0,
            swarmed: (wants(Strategies::Random) && !programs && settings.swarm != Scheme::All)
                .then(|| Swarmed::new(settings.seed)),
            random: wants(Strategies::Random).then(|| Random::new(settings.seed)),
            evolve: Evolve::new(settings.seed),
            turn: FIRST_TURN,
            end: settings.time.map(|time| clock() + time),
            bound: u64::MAX,
            last_call: u64::MAX,
            tally: Progress::default(),
        }
    }

    /// The source of the random cases, by which labels know which case is running.
    pub(crate) fn marker(&self) -> Option<&Source> {
        self.random.as_ref().map(Random::source)
    }

    /// Takes note of a bug that was not known, if it was no chance. Where it took long to find, others may
    /// take long as well; one that is dear to avoid is the last.
    pub(crate) fn has_news(&mut self, avoiding: Avoiding, allowance: Option<Allowance>) {
        let found = self.ran();
        if self.settings.bugs.scope == Scope::More {
            self.last_call = allowance.map_or(u64::MAX, Allowance::search_end);
            self.bound = match avoiding {
                Avoiding::Dear => 0,
                Avoiding::Cheap => (found + MOST_MORE).min(2 * found + LEAST_MORE),
            };
        }
    }

    /// Returns the number of cases that were judged.
    fn ran(&self) -> u64 {
        self.tally.passed + self.tally.failed
    }

    /// Searches until a case fails, a sample refutes what is known, or the budget is used up.
    pub(crate) fn run(&mut self, judge: &mut Judge<'_>) -> Result<Option<Found>, WrongTest> {
        let end = self.end;
        loop {
            let start = (self.clock)();
            let left = match end {
                Some(end) if start >= end => 0,
                Some(_) => u64::MAX,
                None => self.settings.cases.saturating_sub(self.ran()),
            };
            let left = left.min(self.bound.saturating_sub(self.ran())).min(self.affordable(judge));
            let gave_up = end.is_none() && self.tally.discarded >= self.settings.cases * DISCARDS;
            if left == 0 || gave_up || self.is_over() {
                return Ok(None);
            }
            if let Some(found) = self.round(judge, left)? {
                self.tally.failed += 1;
                return Ok(Some(found));
            }
            if judge.is_refuting() {
                return Ok(None);
            }
            if end.is_none() || (self.clock)() - start < LONG {
                self.turn = (self.turn * 2).min(LONGEST_TURN);
            }
        }
    }

    /// Returns the number of programs that may be run, each of the greatest length.
    fn affordable(&self, judge: &Judge<'_>) -> u64 {
        match judge.cases.programs {
            Some(_) if self.last_call < u64::MAX => {
                self.last_call.saturating_sub(judge.calls()) / judge.scratch.longest()
            }
            _ => u64::MAX,
        }
    }

    fn is_over(&self) -> bool {
        let whole = self.tally.exhausted.is_some_and(|exhausted| exhausted.whole);
        whole || (self.exhaustive.is_none() && self.random.is_none() && self.feedback.is_none())
    }

    /// Gives each strategy its turn, in the order of the list, until a case fails.
    fn round(&mut self, judge: &mut Judge<'_>, left: u64) -> Result<Option<Found>, WrongTest> {
        let before = self.tally.passed;
        // Deep in a machine much is found and refuted. Without this, each time the others would have their turns first.
        if self.owed > 0 && self.setups.is_some() {
            let turn = self.turn(Place::Setups, judge, self.owed.min(left))?;
            self.tally.add(&turn);
            if turn.found.is_some() || judge.is_refuting() {
                return Ok(turn.found);
            }
        }
        for (place, share) in self.shares(left) {
            let Some(share) = share else { continue };
            let left = left.saturating_sub(self.tally.passed - before);
            let turn = self.turn(place, judge, share.min(left))?;
            self.tally.add(&turn);
            if turn.found.is_some() || (place == Place::Exhaustive && self.is_over()) {
                return Ok(turn.found);
            }
        }
        Ok(None)
    }

    /// Returns the strategies of a round in their order, with the cases that each may run; `None` for one
    /// that has no turn.
    fn shares(&self, left: u64) -> [(Place, Option<u64>); 6] {
        let has_random = self.random.is_some();
        let evolving = has_random && self.tally.discarded > self.tally.passed;
        let blind = if evolving { self.turn.div_ceil(BLIND) } else { self.turn };
        // Rounded down, so that the first programs of all are random ones.
        let short = |turn: u64| if has_random { turn / SHORT } else { turn };
        let counted = if self.feedback.is_some() { short(blind) } else { blind };
        // Beside random search, exhaustive search has half of the budget.
        let half = if has_random { left.div_ceil(2) } else { left };
        let swarmed = if self.turn <= FIRST_TURNS { SWARMED_AT_FIRST } else { SWARMED };
        let evolves = evolving && self.feedback.is_none();
        [
            (Place::Exhaustive, (self.exhaustive.is_some() && counted > 0).then(|| counted.min(half))),
            (Place::Random, has_random.then_some(blind)),
            (Place::Evolve, evolves.then_some(self.turn)),
            (Place::Swarmed, (self.swarmed.is_some() && !evolving).then(|| self.turn.div_ceil(swarmed))),
            (Place::Feedback, self.feedback.is_some().then(|| short(self.turn))),
            (Place::Setups, (self.setups.is_some() && self.turn >= SHORT).then_some(self.turn)),
        ]
    }

    /// Runs cases of one strategy, which leaves the list when it has nothing left to propose.
    fn turn(&mut self, place: Place, judge: &mut Judge<'_>, count: u64) -> Result<Turn, WrongTest> {
        match place {
            Place::Exhaustive => self.count_through(judge, count),
            Place::Random => taken(&mut self.random).run(judge, count),
            Place::Evolve => self.evolve.run(judge, count),
            Place::Swarmed => {
                let turn = taken(&mut self.swarmed).run(judge, count)?;
                if turn.over {
                    self.swarmed = None;
                }
                Ok(turn)
            }
            Place::Feedback => taken(&mut self.feedback).run(judge, count),
            Place::Setups => {
                let turn = taken(&mut self.setups).run(judge, count)?;
                let is_early = turn.found.is_some() || judge.is_refuting();
                self.owed = if is_early { count.saturating_sub(turn.ran()) } else { 0 };
                if turn.over {
                    self.setups = None;
                }
                Ok(turn)
            }
        }
    }

    /// Runs cases of exhaustive search, and notes what has been tested completely.
    fn count_through(&mut self, judge: &mut Judge<'_>, count: u64) -> Result<Turn, WrongTest> {
        let exhaustive = taken(&mut self.exhaustive);
        let turn = exhaustive.run(judge, count)?;
        self.tally.exhausted = exhaustive.finished();
        self.tally.exhaustive += turn.passed;
        let spent = self.random.is_some() && self.tally.exhaustive >= self.settings.cases / 2;
        if turn.over || (spent && self.settings.time.is_none()) {
            self.exhaustive = None;
        }
        Ok(turn)
    }
}

/// The strategy of a place in the list that has a share.
fn taken<T>(strategy: &mut Option<T>) -> &mut T {
    strategy.as_mut().expect("only what is there has a share")
}
