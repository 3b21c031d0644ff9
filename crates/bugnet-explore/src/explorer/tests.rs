use super::*;
use crate::{Access, Kind, Mode, Parameter, Verdict, draw, value};
use std::sync::PoisonError;

/// Opens after four right turns.
struct Lock(usize);

/// The right turns, and how often each was made since the last look.
const RIGHT: [u32; 4] = [19, 21, 24, 26];
static COUNTS: Mutex<[u64; 4]> = Mutex::new([0; 4]);
static GAUGE: MemoryLimit = MemoryLimit::new(usize::MAX, usize::MAX >> 1);

fn lend(look: &mut dyn FnMut(&mut [u64])) {
    look(&mut *COUNTS.lock().unwrap_or_else(PoisonError::into_inner));
}

fn suite() -> Suite {
    let lock = Kind::of::<Lock>("Lock");
    let new = Operation::new("new", "new()", |frame| frame.keep(Lock(0))).returns(lock, Access::Owned);
    let turn = Operation::new("turn", "{0}.turn({1})", |frame| {
        let number: u32 = draw(frame);
        let lock: &mut Lock = frame.mutable(0);
        if number == RIGHT[lock.0] {
            COUNTS.lock().unwrap_or_else(PoisonError::into_inner)[lock.0] += 1;
            lock.0 += 1;
            assert!(lock.0 < RIGHT.len(), "open");
        }
        Verdict::Pass
    });
    let turn = turn.parameter(Parameter::earlier("self", lock, Mode::Mutable));
    let turn = turn.parameter(value::<u32>("number", "u32"));
    Suite::new("lock").operation(new).operation(turn).reachable().0.unwrap()
}

/// Returns the number of programs it takes to open the lock.
fn programs(counters: Option<&Counted>, most: u64) -> Option<u64> {
    let (suite, progress) = (suite(), Progress::default());
    let scores = Scores::new(suite.operations.len());
    let memory = Mutex::new(Memory::with(scores.clone(), &suite));
    let around = Surroundings {
        suite: &suite,
        seed: Seed(1),
        progress: &progress,
        memory: &memory,
        gauge: &GAUGE,
        counters,
        strategy: Strategy::All,
        measure: Measure::Counts,
        known: &[],
        told: &Table::default(),
    };
    let mut explorer = Explorer::new(around, scores);
    (0..most).find(|number| {
        let plan = explorer.plan(*number);
        explorer.run(&plan, None);
        !remembered(&memory).told.is_empty()
    })
}

#[test]
fn laws_share_their_calls_by_what_they_weigh() {
    let law = |name: &'static str| {
        let role = Role::Law { name: "law", of: "B" };
        Operation::new(name, "law()", |_| Verdict::Pass).role(role)
    };
    let suite = Suite::new("laws").operation(law("law a of B")).operation(law("law c of B").weight(4));
    let suite = suite.operation(Operation::new("f", "f()", |_| Verdict::Pass)).reachable().0.unwrap();
    let (progress, scores) = (Progress::default(), Scores::new(3));
    let memory = Mutex::new(Memory::with(scores.clone(), &suite));
    let (suite, progress, memory, gauge) = (&suite, &progress, &memory, &GAUGE);
    let strategy = Strategy::All;
    let (counters, known, measure, told) = (None, &[][..], Measure::Counts, &Table::default());
    let seed = Seed(1);
    let around =
        Surroundings { suite, seed, progress, memory, gauge, counters, strategy, measure, known, told };
    let weights = Explorer::new(around, scores).weights;
    assert_eq!(weights[1] / weights[0], 4, "{weights:?}");
    assert!((weights[0] + weights[1]).abs_diff(weights[2] / 3) <= 2, "{weights:?}");
}

#[test]
fn programs_without_a_strategy_begin_with_nothing_and_call_anything() {
    let plans = |strategy: Strategy| -> Vec<Plan> {
        let (suite, progress) = (suite(), Progress::default());
        let scores = Scores::new(suite.operations.len());
        let memory = Mutex::new(Memory::with(scores.clone(), &suite));
        let (suite, progress, memory) = (&suite, &progress, &memory);
        let (gauge, counters, known) = (&GAUGE, None, &[][..]);
        let (seed, measure, told) = (Seed(1), Measure::Counts, &Table::default());
        let around =
            Surroundings { suite, seed, progress, memory, gauge, counters, strategy, measure, known, told };
        let mut explorer = Explorer::new(around, scores);
        let run = |number: u64| {
            let plan = explorer.plan(number);
            explorer.run(&plan, None);
            plan
        };
        (0..200).map(run).collect()
    };
    let is_plain = |plan: &Plan| plan.base.choices.is_empty() && plan.focus == Focus::All;
    assert!(plans(Strategy::Random).iter().all(is_plain));
    assert!(plans(Strategy::All).iter().any(|plan| matches!(plan.focus, Focus::Only(_))));
    assert!(!plans(Strategy::Feedback).iter().any(|plan| matches!(plan.focus, Focus::Only(_))));
}

#[test]
fn counters_lead_through_steps_that_nobody_meets_by_chance() {
    let by_chance = programs(None, 10_000);
    assert_eq!(by_chance, None);
    let found = programs(Some(&Counted::new(lend)), 10_000);
    assert!(found.is_some());
}
