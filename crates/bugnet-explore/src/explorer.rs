//! The explorer: draws programs, call by call, and tells every new way to fail.
//!
//! A program is drawn afresh, varies one that was kept, or takes part in the sweep. What it is to be is its
//! plan, which is in the log, so one that kills the process is found again.

use super::coverage::Counted;
use super::event::tell;
use super::focus::Centres;
use super::hook::Exploring;
use super::memory::{Memory, remembered};
use super::memory_limit::MemoryLimit;
use super::meter::{Load, Measure, Meter};
use super::past::Past;
use super::phase::{self, Phases};
use super::plan::{Focus, Plan};
use super::pool::Kept;
use super::strategy::Strategy;
use super::sweep::{Sweep, Turn};
use super::tally::Row;
use super::told::Table;
use super::trim::Trim;
use super::vary::{Varied, vary};
use super::weight::{Score, Scores};
use super::{deep_literal, number, stated, text};
use bugnet::bug::Pattern;
use bugnet::choice::Seed;
use bugnet::choice::{Source, Tape};
use bugnet::engine::Watcher;
use bugnet::engine::scale;
use bugnet::engine::{Attempt, Execution, Failed};
use bugnet::oracle::{Failure, Signature};
use bugnet::program::{Operation, Role, Suite};
use bugnet::swarm::{Configuration, Feature, Scheme, Swarm};
use bugnet::wire;
use bugnet::wire::explore::{Event, Found};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// The shortest program, and how many calls longer the longest is.
const LENGTHS: (usize, u64) = (4, 32);
/// Most programs make no more choices.
const CHOICES: usize = 256;
/// Programs per program that varies a kept one.
const VARIED: u64 = 2;
/// Where programs are known that have asked stated laws of new inputs, one program in as many begins with nothing, one
/// varies a program that has done something new, and the others vary those.
const RICH: u64 = 4;
/// Programs per program of the sweep, until the sweep is over.
const SWEPT: u64 = 2;
/// Calls of an operation that may take long or run out of memory before the sweep leaves the operation out.
const DEAR: u64 = 12;
/// Calls that follow the swept call, so that a law can check the value it made.
const FOLLOWING: usize = 2;
/// In most programs one kind of value is at the centre: what has nothing to do with it weighs so little.
const BESIDE: u32 = 16;
/// Programs per program without a centre.
const SCATTERED: u64 = 3;
/// New programs per program that leaves operations out.
const SWARMED: u64 = 2;
/// Long programs: of the programs that leave operations out, one in 8 is long. It has 64 calls, doubled up to
/// twice, and up to as many again: 64 to 512. A bug that needs operations to be left out mostly needs many calls
/// of the others. The meter ends long programs whose calls are expensive.
const LONG: (u64, usize, u64) = (8, 64, 3);
/// Programs per program whose values are compared with earlier ones to see whether they are new; only done
/// without counters.
const LOOKED_AT: u64 = 4;
/// Steps per step after which the program is looked at, if it has checked a stated law.
const SAMPLED: u64 = 64;
/// Calls that follow a program that is varied, for laws that somebody has stated: what it has asked is not asked again.
const ASKED: usize = 6;
/// Calls per call of a law that follows from traits or names.
const LAWS: u64 = 4;

/// The state of the explorer, for those who watch it.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    pub(crate) program: AtomicU64,
    /// Steps that programs have made. A step is a call together with making its arguments.
    pub(crate) steps: AtomicU64,
    /// Calls of the programs that are over, including laws; a lent literal is not a call.
    pub(crate) calls: AtomicU64,
    pub(crate) failed: AtomicU64,
    /// Failed calls that were laws.
    pub(crate) broken: AtomicU64,
    /// The operation that is being called.
    pub(crate) operation: AtomicU32,
    /// True while the thread waits to be told what to avoid.
    pub(crate) is_paused: AtomicBool,
}

/// The values that an explorer shares with those who watch it.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    pub(crate) suite: &'a Suite,
    pub(crate) seed: Seed,
    pub(crate) progress: &'a Progress,
    pub(crate) memory: &'a Mutex<Memory>,
    pub(crate) gauge: &'static MemoryLimit,
    /// The counters of the code under test, if it has any.
    pub(crate) counters: Option<&'a Counted>,
    pub(crate) strategy: Strategy,
    /// The measure by which a call counts as long.
    pub(crate) measure: Measure,
    /// Patterns that no program may match again.
    pub(crate) known: &'a [Pattern],
    pub(crate) told: &'a Table,
}

/// The end of a program that was run.
#[derive(Debug, Default)]
struct Extent {
    /// The last call that failed, with what was before it, if that is wanted.
    failed: Option<Tape>,
    /// True if the program was ended because it takes long.
    is_heavy: bool,
}

/// Draws programs.
pub(crate) struct Explorer<'a> {
    around: Surroundings<'a>,
    execution: Execution<'a, Exploring<'a>>,
    pub(crate) scores: Scores,
    /// The weight of each operation in this epoch.
    weights: Vec<u32>,
    /// The operations that have to do with each kind.
    about: Vec<Vec<usize>>,
    /// For each operation, true if a call of it returned well.
    reached: Vec<bool>,
    meter: Meter<'a>,
    /// True if somebody has stated laws that are to be asked.
    is_stated: bool,
    /// The program that is running, if it is to be counted in the tally.
    row: Option<Row>,
    /// The last program that was run, if somebody wants it.
    pub(crate) last: Option<Tape>,
}

impl<'a> Explorer<'a> {
    pub(crate) fn new(around: Surroundings<'a>, scores: Scores) -> Explorer<'a> {
        let mut explorer = Explorer {
            around,
            execution: Execution::hooked(
                around.suite,
                Exploring::drawing(around.suite, around.known, &around.progress.operation, around.told),
            ),
            scores,
            weights: Vec::new(),
            about: around.suite.operations_by_kind(),
            reached: remembered(around.memory).reached.clone(),
            meter: Meter::new(around.measure, around.gauge, around.counters),
            is_stated: around.strategy != Strategy::Random
                && around.suite.operations.iter().any(|operation| operation.role == Role::Stated),
            row: None,
            last: None,
        };
        explorer.weigh();
        around.counters.into_iter().for_each(Counted::forget);
        explorer
    }

    /// Weighs the operations by their scores and by what they weigh themselves. Laws have a share of their own.
    pub(crate) fn weigh(&mut self) {
        if let Some(past) = &mut self.execution.hook.past {
            for (law, least) in past.learned() {
                self.scores.0[law].least = u64::from(least);
            }
            for (score, vain) in self.scores.0.iter_mut().zip(past.vain()) {
                // A process that draws one program again has learned nothing.
                score.vain = if vain > 0 { vain } else { score.vain };
            }
        }
        remembered(self.around.memory).scores.clone_from(&self.scores);
        if self.around.strategy == Strategy::Random {
            self.weights = vec![1; self.scores.0.len()];
            return;
        }
        let own = self.around.suite.operations.iter().map(Operation::own_weight);
        let weights = self.scores.weights().into_iter();
        self.weights = weights.zip(own).map(|(weight, own)| weight.saturating_mul(own)).collect();
        let mut weights = std::mem::take(&mut self.weights);
        self.share(&mut weights, &|role| matches!(role, Role::Law { .. }), LAWS - 1);
        self.weights = weights;
    }

    /// Weighs operations of a role so that together they have a share of the calls: one in this many of all others.
    fn share(&self, weights: &mut [u32], is_it: &dyn Fn(&Role) -> bool, others: u64) {
        let is_it = |place: usize| is_it(&self.around.suite.operations[place].role);
        let sum = |wanted: bool| -> u64 {
            let places = (0..weights.len()).filter(|place| is_it(*place) == wanted);
            places.map(|place| u64::from(weights[place])).sum()
        };
        let (own, share) = (sum(true).max(1), sum(false).max(1) / others);
        for (place, weight) in weights.iter_mut().enumerate() {
            // What is left out of a program stays out.
            if is_it(place) && *weight > 0 {
                *weight = (u64::from(*weight) * share / own).clamp(1, 1 << 16) as u32;
            }
        }
    }

    /// Draws the programs that come next around these patterns.
    pub(crate) fn avoid(&mut self, known: &[Pattern]) {
        self.execution.hook.avoid(self.around.suite, known);
    }

    /// The program of a number.
    pub(crate) fn plan(&self, number: u64) -> Plan {
        self.around.gauge.spare(|| {
            let mut dice = Source::random(Seed(self.around.seed.0 ^ 0x2545_f491_4f6c_dd1d), number);
            let mut memory = remembered(self.around.memory);
            if let Some(plan) = memory.trimmed(&mut dice) {
                return Plan { number, ..plan };
            }
            let inherited = memory.heritage.pop().map(|(centre, base)| Plan {
                focus: centre.map_or(Focus::All, Focus::Kind),
                base,
                ..Plan::default()
            });
            let plan = match self.around.strategy {
                Strategy::All => inherited.or_else(|| self.swept(number, &memory.sweep, &mut dice)),
                Strategy::Feedback => inherited,
                Strategy::Random => Some(Plan { more: length(&mut dice), ..Plan::default() }),
            };
            let plan = plan.or_else(|| self.varied(&mut memory, &mut dice));
            Plan { number, ..plan.unwrap_or_else(|| self.fresh(&memory.centres, &mut dice)) }
        })
    }

    /// A program of the sweep, if it is its turn.
    fn swept(&self, number: u64, sweep: &Sweep, dice: &mut Source) -> Option<Plan> {
        let operations = self.around.suite.operations.len() as u64;
        let (slot, rest) = (number / SWEPT, number % SWEPT);
        let (round, operation) = (slot / operations, (slot % operations) as usize);
        let Score { heavy, lost, .. } = self.scores.0[operation];
        if rest != 0 || sweep.is_over(round) || heavy + lost > DEAR {
            return None;
        }
        match sweep.turn(operation, round, dice) {
            Turn::Draw => Some(Plan { focus: Focus::Only(operation), more: 1, ..Plan::default() }),
            Turn::Run(tape) => {
                let focus = self.around.suite.kind_of(operation).map_or(Focus::All, Focus::Kind);
                Some(Plan { focus, more: FOLLOWING, base: tape.bare(), ..Plan::default() })
            }
            Turn::Over => None,
        }
    }

    /// A program that varies one which was kept.
    fn varied(&self, memory: &mut Memory, dice: &mut Source) -> Option<Plan> {
        let Memory { pool, coverage, rich, .. } = memory;
        if pool.is_empty() && rich.is_empty() {
            return None;
        }
        let share = dice.random_below(if rich.is_empty() { VARIED } else { RICH });
        if share == 0 && !rich.is_empty() {
            return None;
        }
        if let Some((centre, tape)) = rich.choose(dice).filter(|_| share > 1) {
            let other = rich.choose(dice).map_or(tape, |(_, other)| other);
            return Some(self.variation((tape, other), *centre, dice));
        }
        if pool.is_empty() || rich.is_empty() && share != 0 {
            return None;
        }
        let parent = pool.choose(coverage, dice);
        let other = pool.akin(parent, dice);
        let (parent_tape, other) = (&pool.get(parent).tape, &pool.get(other).tape);
        let plan = self.variation((parent_tape, other), pool.get(parent).centre, dice);
        Some(Plan { parent: Some(parent), ..plan })
    }

    /// A program that varies one, perhaps by another.
    fn variation(&self, (tape, other): (&Tape, &Tape), centre: Option<usize>, dice: &mut Source) -> Plan {
        let Varied { tape, more } = vary(tape, other, dice);
        let focus = match centre {
            Some(centre) if self.is_stated && dice.one_in_power(1) => Focus::Swarm(centre),
            centre => centre.map_or(Focus::All, Focus::Kind),
        };
        let more = if self.is_stated { more + ASKED } else { more };
        Plan { focus, more, base: tape.bare(), ..Plan::default() }
    }

    /// A program that begins with nothing.
    fn fresh(&self, centres: &Centres, dice: &mut Source) -> Plan {
        // Calls in equal shares mostly undo each other, and a law wants values with something in them.
        let is_swarmed = self.is_stated || dice.random_below(SWARMED) == 0;
        if let Some(centre) =
            centres.choose(dice).filter(|centre| is_swarmed && !self.about[*centre].is_empty())
        {
            let more = if dice.random_below(LONG.0) == 0 { long(dice) } else { length(dice) };
            return Plan { focus: Focus::Swarm(centre), more, ..Plan::default() };
        }
        let more = length(dice);
        let is_scattered = dice.random_below(SCATTERED) == 0;
        let centre = if is_scattered { None } else { centres.choose(dice) };
        Plan { focus: centre.map_or(Focus::All, Focus::Kind), more, ..Plan::default() }
    }

    /// Draws a program and runs it; says whether it was kept, by a line that [`Memory::inherit`] reads.
    pub(crate) fn run(&mut self, plan: &Plan, watcher: Option<Watcher>) -> Option<String> {
        self.around.progress.program.store(plan.number, Ordering::Relaxed);
        let mut source = match plan.base.choices.is_empty() {
            true => Source::recording(self.around.seed, plan.number),
            false => Source::extending(plan.base.clone(), self.around.seed, plan.number),
        };
        source.reserve(CHOICES);
        if let Some(watcher) = watcher {
            source.watched_by(watcher);
        }
        number::forget();
        deep_literal::forget();
        text::forget();
        let weights = self.weights_for(plan);
        let mut phases = self.phases(plan, &weights);
        if let Some(past) = &mut self.execution.hook.past {
            past.begin(phases.as_mut().map(|phases| &mut phases.dice), &self.scores.0);
        }
        number::widen(self.is_stated && phase::is_wide(self.around.seed, plan.number));
        self.row = self.around.gauge.spare(|| self.begun(plan));
        self.execution.begin(&mut source, &weights);
        stated::draw(true);
        let Extent { failed, is_heavy } = self.extend(&mut source, plan, phases.as_mut());
        stated::draw(false);
        let gauge = self.around.gauge;
        let kept = gauge.spare(|| {
            self.count();
            let kept = self.keep(plan, source.tape(), is_heavy);
            if let Focus::Only(operation) = plan.focus {
                let drawn = (self.execution.length() > 0).then(|| source.tape().clone());
                let mut memory = remembered(self.around.memory);
                memory.sweep.take(operation, failed.or(drawn), self.around.suite);
            }
            kept
        });
        if let Err(failure) = self.execution.end() {
            self.tell(&failure, source.tape_so_far());
        }
        if let Some(row) = self.row.take() {
            gauge.spare(|| remembered(self.around.memory).tallied.count(row));
        }
        if let Some(last) = &mut self.last {
            gauge.spare(|| {
                last.clone_from(source.tape());
                last.choices.push(end());
            });
        }
        kept
    }

    /// Returns the weight of each operation for a program.
    fn weights_for(&self, plan: &Plan) -> Vec<u32> {
        let centre = match plan.focus {
            Focus::All => return self.weights.clone(),
            Focus::Only(operation) => {
                let mut weights = vec![0; self.weights.len()];
                weights[operation] = 1;
                return weights;
            }
            Focus::Swarm(centre) => return self.swarmed(centre, plan.number),
            Focus::Kind(centre) => centre,
        };
        let mut stream =
            Source::random(Seed(self.around.seed.0 ^ 0x9e6c_63d0_876a_9a99), plan.number).stream();
        let mut below = |bound: u64| scale(stream.word().1, bound);
        let mut weights: Vec<u32> = self.weights.iter().map(|weight| (weight / BESIDE).max(1)).collect();
        // Of what has to do with it, some is left out.
        let left_out = below(4);
        for place in self.about.get(centre).into_iter().flatten() {
            if below(8) >= left_out {
                weights[*place] = self.weights[*place];
            }
        }
        weights
    }

    /// Returns the turns of a program in which laws are asked, if somebody has stated any.
    fn phases(&self, plan: &Plan, weights: &[u32]) -> Option<Phases> {
        let is_law = |place: usize| self.around.suite.operations[place].role == Role::Stated;
        let has_turns = self.is_stated && !matches!(plan.focus, Focus::Only(_));
        has_turns.then(|| {
            let weights: Vec<u32> =
                weights.iter().zip(&self.scores.0).map(|(weight, score)| score.gainful(*weight)).collect();
            Phases::new(&weights, &is_law, self.around.seed, plan.number)
        })
    }

    /// Returns the row of a program in the tally, if it leaves operations out.
    fn begun(&self, plan: &Plan) -> Option<Row> {
        let Focus::Swarm(centre) = plan.focus else { return None };
        if !remembered(self.around.memory).tallied.takes(centre) {
            return None;
        }
        let (configuration, left) = self.configured(centre, plan.number);
        let operations = self.about[centre].iter().map(|place| &self.around.suite.operations[*place]);
        let has = operations.zip(left).filter(|(operation, _)| !is_law(operation));
        Some(Row::new(configuration, has.map(|(operation, left)| (operation.name, left > 0)).collect()))
    }

    /// Returns weights of the operations about a kind, less those that the configuration of this program's
    /// number leaves out. All other operations weigh nothing: they are called only to make a missing value.
    fn swarmed(&self, centre: usize, number: u64) -> Vec<u32> {
        let mut weights = vec![0; self.weights.len()];
        for (place, left) in self.about[centre].iter().zip(self.configured(centre, number).1) {
            let weight = u64::from(self.weights[*place]) * u64::from(left) / u64::from(Configuration::UNIT);
            weights[*place] = if left == 0 { 0 } else { weight.clamp(1, 1 << 20) as u32 };
        }
        weights
    }

    /// Returns the configuration of a program about a kind, and what it leaves of each operation's weight.
    fn configured(&self, centre: usize, number: u64) -> (Configuration, Vec<u32>) {
        let name = |place: &usize| Feature::named(self.around.suite.operations[*place].name);
        let features: Vec<Feature> = self.about[centre].iter().map(name).collect();
        let (class, word) =
            Source::random(Seed(self.around.seed.0 ^ 0x1f83_d9ab_fb41_bd6b), number).stream().word();
        let scheme = if class % 2 == 0 { Scheme::Uniform } else { Scheme::Weighted };
        let configuration = Swarm::new(scheme, []).configuration(word | 1, number);
        let mut left = Vec::new();
        configuration.weights(&features, &mut left);
        (configuration, left)
    }

    /// Makes the calls of a program.
    fn extend(&mut self, source: &mut Source, plan: &Plan, mut phases: Option<&mut Phases>) -> Extent {
        let (mut vain, mut extent) = (0, Extent::default());
        let mut end = None;
        self.meter.begin();
        while vain < 8 {
            let is_drawing = source.is_drawing();
            if is_drawing
                && self.execution.length() >= *end.get_or_insert(self.execution.length() + plan.more)
            {
                break;
            }
            if let Some(weights) = phases.as_mut().filter(|_| is_drawing).and_then(|phases| phases.next()) {
                self.execution.reweigh(weights);
            }
            self.meter.start();
            let attempt = self.execution.attempt(source);
            let steps = self.around.progress.steps.fetch_add(1, Ordering::Relaxed);
            let Load { is_heavy, is_spent } = self.meter.stop(steps);
            match attempt {
                Attempt::Ran => {
                    vain = 0;
                    self.sample(steps, source);
                }
                // A tape that is told has an end.
                Attempt::Barred => vain += u32::from(is_drawing),
                Attempt::Failed(Failed { operation, failure, tape }) => {
                    vain += u32::from(is_drawing);
                    self.scores.0[operation].failed += 1;
                    self.around.progress.calls.fetch_add(1, Ordering::Relaxed);
                    self.around.progress.failed.fetch_add(1, Ordering::Relaxed);
                    let is_law = is_law(&self.around.suite.operations[operation]);
                    self.around.progress.broken.fetch_add(u64::from(is_law), Ordering::Relaxed);
                    if let Focus::Only(_) = plan.focus {
                        extent.failed = Some(tape.clone());
                    }
                    self.tell(&failure, tape);
                }
            }
            if is_heavy || is_spent {
                let operation = self.execution.last_operation();
                self.scores.0[operation].heavy += u64::from(is_heavy);
                extent.is_heavy = true;
                break;
            }
        }
        extent
    }

    /// Has the program looked at that has just checked a stated law, once in a while.
    fn sample(&self, steps: u64, source: &Source) {
        let suite = self.around.suite;
        if steps % SAMPLED == 0 && suite.operations[self.execution.last_operation()].role == Role::Stated {
            self.around.gauge.spare(|| stated::sample(suite, &source.tape_so_far()));
        }
    }

    /// Adds up what the program has called.
    fn count(&mut self) {
        let progress = self.around.progress;
        for place in std::mem::take(&mut self.execution.hook.touched) {
            let used = self.execution.take_used(place);
            self.scores.0[place].ran += u64::from(used);
            if self.around.suite.operations[place].role != Role::Literal {
                progress.calls.fetch_add(u64::from(used), Ordering::Relaxed);
            }
            if !std::mem::replace(&mut self.reached[place], true) {
                let mut memory = remembered(self.around.memory);
                memory.reached[place] = true;
                memory.news.push(self.around.suite.operations[place].name);
            }
        }
    }

    /// Keeps a program that has done something new, unless it is heavy, for all that vary it would be.
    fn keep(&mut self, plan: &Plan, tape: &Tape, was_heavy: bool) -> Option<String> {
        let (mut is_far, mut moved) = (false, 0);
        let news = match self.around.counters {
            Some(counters) if plan.is_trimmed => {
                self.trim(tape, counters);
                return None;
            }
            Some(counters) => {
                let news = remembered(self.around.memory).coverage.look(counters);
                (is_far, moved) = (news.places > 0, news.moved);
                (!news.is_empty()).then_some(news.traits)
            }
            None => self.is_new_state(plan.number).then(Vec::new),
        };
        let is_heavy = self.meter.end(moved) || was_heavy;
        let is_rich = !is_heavy && self.execution.hook.past.as_ref().is_some_and(Past::is_rich);
        let mut memory = remembered(self.around.memory);
        let centre = match plan.focus {
            Focus::Kind(kind) | Focus::Swarm(kind) => Some(kind),
            Focus::All => None,
            Focus::Only(operation) => self.around.suite.kind_of(operation),
        };
        centre.iter().for_each(|centre| memory.centres.note(*centre, news.is_some()));
        if is_rich {
            let mut dice = Source::random(Seed(self.around.seed.0 ^ 0x510e_527f_ade6_82d1), plan.number);
            memory.rich.keep(centre, tape, &mut dice);
        }
        let traits = news.filter(|_| self.execution.length() > 0 && !is_heavy)?;
        plan.parent.iter().for_each(|parent| memory.pool.praise(*parent));
        let kept = Kept::new(tape.clone(), centre, traits);
        let Memory { pool, coverage, trim, .. } = &mut *memory;
        match is_far.then(|| Trim::new(kept.clone()).ok()).flatten() {
            Some(begun) => *trim = Some(begun),
            None => {
                let mut dice = Source::random(Seed(self.around.seed.0 ^ 0x6a09_e667_f3bc_c909), plan.number);
                pool.keep(kept, coverage, &mut dice);
            }
        }
        let name = centre.map_or("", |centre| self.around.suite.kinds[centre].name);
        Some(format!("{tape} {name}"))
    }

    /// Takes a program that was made shorter, if it still reaches what is new.
    fn trim(&self, tape: &Tape, counters: &Counted) {
        let mut memory = remembered(self.around.memory);
        let Memory { trim, coverage, .. } = &mut *memory;
        if let Some(trim) = trim.as_mut().filter(|trim| counters.reach(trim.wanted())) {
            trim.accept(tape.clone());
        }
        coverage.look(counters);
    }

    /// Returns true if a program has reached a new state. Without counters, only one program in [`LOOKED_AT`]
    /// is examined.
    fn is_new_state(&self, number: u64) -> bool {
        // Whoever looks at something too deep dies of it, and no call is to blame.
        number % LOOKED_AT == 0
            && !deep_literal::is_deep()
            && self.execution.state().is_some_and(|state| remembered(self.around.memory).states.insert(state))
    }

    /// Tells a way to fail, if it is new.
    fn tell(&mut self, failure: &Failure, mut tape: Tape) {
        self.around.gauge.spare(|| {
            self.row.iter_mut().for_each(|row| row.fails(failure));
            let mut memory = remembered(self.around.memory);
            if memory.is_new(failure) {
                tape.choices.push(end());
                // A copy: what was measured when it was made has to be measured when it is dropped.
                let tape = Some(tape.clone());
                let role = role_of(self.around.suite, failure);
                memory.has_broken |= matches!(role, wire::Role::Law { .. } | wire::Role::Stated);
                tell(&Event::Found(Found { failure: failure.clone(), role, tape, plan: None }));
            }
        });
    }
}

/// Draws the number of calls of a new program.
fn length(dice: &mut Source) -> usize {
    LENGTHS.0 + dice.random_below(LENGTHS.1) as usize
}

/// Draws the number of calls of a long program.
fn long(dice: &mut Source) -> usize {
    let (_, least, doublings) = LONG;
    let most = least << dice.random_below(doublings);
    most + dice.random_below(most as u64 + 1) as usize
}

/// The mark of the end of a program on its tape.
fn end() -> bugnet::choice::Choice {
    bugnet::choice::Choice { kind: bugnet::choice::Kind::Index, value: 0, limit: 1 }
}

/// Returns what the operation is for in whose call something failed. Where that was no call, it is as good as a
/// function.
fn role_of(suite: &Suite, failure: &Failure) -> wire::Role {
    let Signature::InCall { operation: name, .. } = &failure.signature else { return wire::Role::Function };
    let operation = suite.operations.iter().find(|operation| operation.name == name);
    operation.map_or(wire::Role::Function, |operation| suite.role_of(operation))
}

/// Returns true if an operation checks a law.
fn is_law(operation: &Operation) -> bool {
    matches!(operation.role, Role::Law { .. } | Role::Stated)
}

#[cfg(test)]
mod tests;
