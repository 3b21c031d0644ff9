use super::*;
use crate::stated::Inputs;
use crate::{Access, Kind, Mode, Parameter, Verdict, draw, value};
use bugnet::oracle::Law;
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

/// The inputs that laws were checked with; of an arena and a node, true if that is a node of the arena.
static ASKED: Mutex<Vec<(String, bool)>> = Mutex::new(Vec::new());

/// An arena: its number, and its numbers.
#[derive(Debug)]
struct Arena(usize, std::collections::BTreeMap<u8, u8>);

/// A node: the number of its arena, and its key.
#[derive(Debug)]
struct Node(usize, u8);

/// Operations on arenas, with a law that takes one, a law that looks at one, and a law of one with a node.
fn arenas() -> Suite {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let [arena, node] = [Kind::of::<Arena>("Arena"), Kind::of::<Node>("Node")];
    let by = |mode| Parameter::earlier("arena", arena, mode);
    let of = |mode| Parameter::earlier("node", node, mode);
    let key = || value::<u8>("key", "u8");
    let operation = |name: &'static str, body| Operation::new(name, "", body);
    Suite::new("arenas")
        .operation(
            operation("new", |frame| {
                let number = COUNT.fetch_add(1, Ordering::Relaxed) as usize;
                frame.keep(Arena(number, Default::default()))
            })
            .returns(arena, Access::Owned),
        )
        .operation(
            operation("insert", |frame| {
                let (key, number): (u8, u8) = (draw(frame), draw(frame));
                let arena: &mut Arena = frame.mutable(0);
                arena.1.insert(key, number);
                let node = Node(arena.0, key);
                frame.keep(node)
            })
            .parameter(by(Mode::Mutable))
            .parameter(key())
            .parameter(key())
            .returns(node, Access::Owned),
        )
        .operation(
            operation("remove", |frame| {
                let key: u8 = draw(frame);
                frame.mutable::<Arena>(0).1.remove(&key);
                Verdict::Pass
            })
            .parameter(by(Mode::Mutable))
            .parameter(key()),
        )
        .operation(
            operation("clear", |frame| {
                frame.mutable::<Arena>(0).1.clear();
                Verdict::Pass
            })
            .parameter(by(Mode::Mutable)),
        )
        .operation(
            operation("takes", |frame| {
                let arena: Arena = frame.take(0);
                ask("takes", format!("{:?}", arena.1), true)
            })
            .parameter(by(Mode::Value))
            .role(Role::Stated),
        )
        .operation(
            operation("looks", |frame| {
                let arena: &Arena = frame.shared(0);
                ask("looks", format!("{:?}", arena.1), true)
            })
            .parameter(by(Mode::Shared))
            .role(Role::Stated),
        )
        .operation(
            operation("joins", |frame| {
                let (arena, node): (&Arena, &Node) = (frame.shared(0), frame.shared(1));
                ask("joins", format!("{:?} {}", arena.1, node.1), arena.0 == node.0)
            })
            .parameter(by(Mode::Shared))
            .parameter(of(Mode::Shared))
            .role(Role::Stated),
        )
        .reachable()
        .0
        .unwrap()
}

fn ask(law: &'static str, text: String, fits: bool) -> Verdict {
    let mut inputs = Inputs::default();
    inputs.add(|out| write!(out, "{text}").unwrap());
    inputs.check(law, &Law::PLAIN, || {
        ASKED.lock().unwrap_or_else(PoisonError::into_inner).push((format!("{law} {text}"), fits));
    })
}

#[test]
fn laws_are_asked_of_values_that_differ_and_belong_together() {
    let (suite, progress) = (arenas(), Progress::default());
    let scores = Scores::new(suite.operations.len());
    let memory = Mutex::new(Memory::with(scores.clone(), &suite));
    let around = Surroundings {
        suite: &suite,
        seed: Seed(1),
        progress: &progress,
        memory: &memory,
        gauge: &GAUGE,
        counters: None,
        strategy: Strategy::All,
        measure: Measure::Counts,
        known: &[],
        told: &Table::default(),
    };
    let mut explorer = Explorer::new(around, scores);
    for number in 0..2_000 {
        if explorer.scores.begins_epoch(number) {
            explorer.weigh();
        }
        let plan = explorer.plan(number);
        explorer.run(&plan, None);
    }
    let asked = ASKED.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let of = |law: &str| {
        let checks: Vec<&(String, bool)> = asked.iter().filter(|(text, _)| text.starts_with(law)).collect();
        let different = checks.iter().map(|(text, _)| text).collect::<std::collections::HashSet<_>>().len();
        let fitting = checks.iter().filter(|(_, fits)| *fits).count();
        (checks.len(), 100 * different / checks.len(), 100 * fitting / checks.len())
    };
    let [takes, looks, joins] = [of("takes"), of("looks"), of("joins")];
    assert!(takes.0 > 500 && looks.0 > 500 && joins.0 > 2_000, "{takes:?} {looks:?} {joins:?}");
    assert!(takes.1 >= 50 && looks.1 >= 50 && joins.1 >= 50, "{takes:?} {looks:?} {joins:?}");
    // One in some is a node of another arena.
    assert!((70..100).contains(&joins.2), "{joins:?}");
}
