//! `registry-peers`: which of the five bugs of the process registry the peers report as a user has them,
//! with shrinking on, however often they are run.
//!
//! An experiment runs a peer's test again and again, each time with another seed, until all five bugs were
//! reported or [`MOST_CALLS`] were made. A report is what a run has shrunk its failure to.
//!
//! **Invariant:** no peer is told which bug it has met; that is only counted here.

use super::baseline::Command::{self, Kill, Register, Spawn, Unregister, Whereis};
use super::baseline::{fails, spawned};
use super::system::{A, CALLS};
use crate::peer_reports::Hegel;
use crate::throughput::table::{Table, grouped};
use hegel::TestCase;
use hegel::generators as gs;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};
use proptest_state_machine::ReferenceStateMachine;
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult};
use std::cell::Cell;

/// Calls after which an experiment that has not reported all bugs counts as one that does not report them.
const MOST_CALLS: u64 = 300_000;

/// The names of calibration A.
const NAMES: u8 = A.names;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Experiments of each row
    #[arg(long, default_value_t = 10)]
    experiments: u64,
}

/// Runs a test with a seed: the bugs that it reports.
type Peer = fn(u64) -> Vec<u32>;

const PEERS: &[(&str, Peer)] = &[
    ("quickcheck", run_quickcheck),
    ("proptest-state-machine", run_proptest),
    ("Hegel", |seed| run_hegel(seed, false)),
    ("Hegel, all that reports more switched on", |seed| run_hegel(seed, true)),
];

/// Prints the table.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let bugs: Vec<String> = (1..=5).map(|bug| format!("% of reports: {bug}")).collect();
    let headings = ["peer", "all five reported", "distinct bugs", "calls per run"];
    let mut table = Table::new(headings.into_iter().chain(bugs.iter().map(String::as_str)));
    for (name, peer) in PEERS {
        eprintln!("running {name}");
        let (mut shares, mut runs, mut calls, mut distinct, mut complete) = ([0u64; 7], 0, 0, 0, 0);
        for experiment in 0..arguments.experiments {
            let mut reported = [false; 7];
            CALLS.set(0);
            while CALLS.get() < MOST_CALLS && !(1..=5).all(|bug| reported[bug]) {
                for bug in peer(experiment << 32 | runs) {
                    reported[bug as usize] = true;
                    shares[bug as usize] += 1;
                }
                runs += 1;
            }
            calls += CALLS.get();
            distinct += (1..=5).filter(|bug| reported[*bug]).count();
            complete += u64::from((1..=5).all(|bug| reported[bug]));
        }
        let total = shares.iter().sum::<u64>().max(1) as f64;
        let mut row = vec![
            (*name).to_owned(),
            format!("{complete} of {}", arguments.experiments),
            format!("{:.1}", distinct as f64 / arguments.experiments as f64),
            grouped(calls / runs),
        ];
        row.extend((1..=5).map(|bug| format!("{:.2}", 100.0 * shares[bug] as f64 / total)));
        table.push(row);
    }
    print!("{table}");
    Ok(())
}

/// Returns the bug that a test fails with. Looking is not counted.
fn bug_of(test: &[Command]) -> Option<u32> {
    let calls = CALLS.get();
    let bug = fails(&A, test).map(|(_, bug)| bug);
    CALLS.set(calls);
    bug
}

/// A command for quickcheck; processes are named by any number, modulo how many there are.
#[derive(Debug, Clone, Copy)]
struct Drawn(Command);

impl Arbitrary for Drawn {
    fn arbitrary(source: &mut Gen) -> Drawn {
        let name = u8::arbitrary(source) % NAMES;
        let pid = usize::arbitrary(source) % 64;
        let commands = [Spawn, Register(name, pid), Unregister(name), Whereis(name), Kill(pid)];
        Drawn(*source.choose(&commands).expect("there are five"))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Drawn>> {
        match self.0 {
            Spawn => quickcheck::empty_shrinker(),
            Register(name, pid) => {
                Box::new((name, pid).shrink().map(|(name, pid)| Drawn(Register(name, pid))))
            }
            Unregister(name) => Box::new(name.shrink().map(|name| Drawn(Unregister(name)))),
            Whereis(name) => Box::new(name.shrink().map(|name| Drawn(Whereis(name)))),
            Kill(pid) => Box::new(pid.shrink().map(|pid| Drawn(Kill(pid)))),
        }
    }
}

thread_local! {
    /// The bug of the last test of quickcheck that failed.
    static LAST: Cell<Option<u32>> = const { Cell::new(None) };
}

fn run_quickcheck(seed: u64) -> Vec<u32> {
    fn holds(drawn: Vec<Drawn>) -> TestResult {
        let mut test: Vec<Command> = Vec::new();
        for Drawn(command) in drawn {
            let pids = spawned(&test);
            test.push(match command {
                Register(_, _) | Kill(_) if pids == 0 => continue,
                Register(name, pid) => Register(name, pid % pids),
                Kill(pid) => Kill(pid % pids),
                other => other,
            });
        }
        let failed = fails(&A, &test);
        if let Some((_, bug)) = failed {
            LAST.set(Some(bug));
        }
        TestResult::from_bool(failed.is_none())
    }
    LAST.set(None);
    let mut test = QuickCheck::new().rng(Gen::from_size_and_seed(100, seed));
    // What failed last is what the failure was shrunk to.
    let _ = test.quicktest(holds as fn(Vec<Drawn>) -> TestResult);
    LAST.take().into_iter().collect()
}

/// The model that proptest draws transitions by: how many processes there are.
struct Processes;

impl ReferenceStateMachine for Processes {
    type State = usize;
    type Transition = Command;

    fn init_state() -> BoxedStrategy<usize> {
        Just(0).boxed()
    }

    fn transitions(pids: &usize) -> BoxedStrategy<Command> {
        let name = 0..NAMES;
        let pid = 0..(*pids).max(1);
        prop_oneof![
            Just(Spawn),
            (name.clone(), pid.clone()).prop_map(|(name, pid)| Register(name, pid)),
            name.clone().prop_map(Unregister),
            name.prop_map(Whereis),
            pid.prop_map(Kill),
        ]
        .boxed()
    }

    fn apply(pids: usize, command: &Command) -> usize {
        pids + usize::from(*command == Spawn)
    }

    fn preconditions(pids: &usize, command: &Command) -> bool {
        match command {
            Register(_, pid) | Kill(pid) => pid < pids,
            _ => true,
        }
    }
}

fn run_proptest(seed: u64) -> Vec<u32> {
    let config = Config { failure_persistence: None, rng_seed: RngSeed::Fixed(seed), ..Config::default() };
    let strategy = Processes::sequential_strategy(1..=50);
    let outcome = TestRunner::new(config).run(&strategy, |(_, commands, seen)| {
        let failed = fails(&A, &commands);
        if let Some(seen) = seen {
            let applied = failed.map_or(commands.len(), |(place, _)| place + 1);
            seen.fetch_add(applied, std::sync::atomic::Ordering::SeqCst);
        }
        match failed {
            Some(_) => Err(TestCaseError::fail("badarg")),
            None => Ok(()),
        }
    });
    match outcome {
        Err(TestError::Fail(_, (_, commands, _))) => bug_of(&commands).into_iter().collect(),
        _ => Vec::new(),
    }
}

thread_local! {
    /// The bug of the last case of Hegel that failed.
    static MET: Cell<u32> = const { Cell::new(0) };
}

fn run_hegel(seed: u64, multiple: bool) -> Vec<u32> {
    let test = |case: TestCase| hegel::stateful::machine(RegistryTest::default()).run(case);
    Hegel { seed, cases: 100, multiple }.run(test, &|| MET.get())
}

/// The calls so far.
#[derive(Default)]
struct RegistryTest(Vec<Command>);

impl RegistryTest {
    /// Makes a call, and says whether it is as the model expects.
    fn holds(&mut self, command: Command) -> bool {
        self.0.push(command);
        CALLS.set(CALLS.get() + 1);
        let bug = bug_of(&self.0);
        MET.set(bug.unwrap_or(0));
        bug.is_none()
    }

    fn pid(&self, case: &TestCase) -> usize {
        let pids = spawned(&self.0);
        case.assume(pids > 0);
        case.draw(gs::integers().max_value(pids - 1))
    }
}

fn name(case: &TestCase) -> u8 {
    case.draw(gs::integers().max_value(NAMES - 1))
}

#[hegel::state_machine]
impl RegistryTest {
    #[rule]
    fn spawn(&mut self, _: TestCase) {
        self.holds(Spawn);
    }

    #[rule]
    fn register(&mut self, case: TestCase) {
        let pid = self.pid(&case);
        assert!(self.holds(Register(name(&case), pid)), "badarg");
    }

    #[rule]
    fn unregister(&mut self, case: TestCase) {
        assert!(self.holds(Unregister(name(&case))), "badarg");
    }

    #[rule]
    fn whereis(&mut self, case: TestCase) {
        assert!(self.holds(Whereis(name(&case))), "postcondition");
    }

    #[rule]
    fn kill(&mut self, case: TestCase) {
        let pid = self.pid(&case);
        self.holds(Kill(pid));
    }
}
