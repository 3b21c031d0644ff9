//! The subjects: everything that is traced, by name.

use super::{Ended, isolated, values};
use crate::challenge::problem::Problem;
use crate::planted::call::Size;
use crate::registry::system::{self, A, B, Calibration, FLAKES, NAMES};
use crate::{challenge, etna, files, planted, registry, stack, trio};
use bugnet::campaign::{Environment, Strategies, WantedBugs};
use bugnet::prelude::*;
use bugnet::program::Api;
use bugnet::swarm::Scheme;
use clap::ValueEnum;

/// Something that the engine is run on.
pub struct Subject {
    pub name: String,
    pub run: Box<dyn Fn(Environment) -> Ended>,
}

impl Subject {
    pub fn new(name: impl Into<String>, run: impl Fn(Environment) -> Ended + 'static) -> Subject {
        Subject { name: name.into(), run: Box::new(run) }
    }
}

/// All subjects that this build has.
pub fn all() -> Vec<Subject> {
    let mut all = registries();
    all.extend(swarms());
    all.extend(trios());
    all.extend(challenges());
    all.extend(etna_tasks());
    all.extend(values::all());
    all.extend(isolated::all());
    #[cfg(feature = "sequences")]
    all.push(Subject::new("many", |environment| {
        let options = bugnet::campaign::Options { cases: Some(1_500), ..Default::default() };
        crate::many::bugnet::campaign(options, environment)
    }));
    all
}

fn registries() -> Vec<Subject> {
    const CASES: u64 = 80;
    fn of<T: Api>(calibration: Calibration, means: &'static str, swarm: Scheme) -> Subject {
        let name = format!(
            "registry/{}/{means}{}",
            calibration.name,
            if swarm == Scheme::All { "/no-swarm" } else { "" }
        );
        Subject::new(name, move |environment| {
            NAMES.set(calibration.names);
            let wanted = means.parse().expect("it says which bugs are wanted");
            registry::campaign::<T>(swarm, wanted, CASES, environment)
        })
    }
    let mut all = Vec::new();
    for means in ["all", "more", "first", "all-strict", "all+values", "all-guards", "all-samples"] {
        all.push(of::<system::RegistryTest>(A, means, Scheme::Mix));
    }
    all.push(of::<system::RegistryTest>(B, "all", Scheme::Mix));
    all.push(of::<system::RegistryTest>(A, "all", Scheme::All));
    all.push(Subject::new("registry/crowded", |environment| {
        NAMES.set(A.names);
        registry::campaign::<system::Crowded>(Scheme::Mix, WantedBugs::ALL, CASES, environment)
    }));
    all.push(Subject::new("registry/flaky", |environment| {
        NAMES.set(A.names);
        FLAKES.set((10, environment.fresh.0));
        let ended =
            registry::campaign::<system::RegistryTest>(Scheme::Mix, WantedBugs::ALL, CASES, environment);
        FLAKES.set((0, 0));
        ended
    }));
    all
}

/// The subjects of the paper on swarm testing.
fn swarms() -> Vec<Subject> {
    let mut all = vec![Subject::new("stack", stack::campaign)];
    for scheme in ["all", "coin", "mix"] {
        all.push(Subject::new(format!("files/{scheme}"), move |environment| {
            files::campaign(scheme.parse().expect("it is a scheme"), environment)
        }));
    }
    for size in Size::ALL {
        for bug in 0..planted::bug::BUGS.len() {
            let name = format!("planted/{}-calls/bug-{bug}", size.calls);
            all.push(Subject::new(name, move |environment| {
                planted::campaign::run(bug, size, 200, environment)
            }));
        }
    }
    all
}

fn trios() -> Vec<Subject> {
    let of = |(name, run): (&str, trio::bugnet::Machine)| {
        Subject::new(format!("trio/{name}"), move |environment| run(WantedBugs::ALL, 300, environment))
    };
    trio::bugnet::MACHINES.into_iter().map(of).collect()
}

fn challenges() -> Vec<Subject> {
    let mut all = Vec::new();
    for problem in Problem::value_variants() {
        for (strategies, suffix) in [(Strategies::Both, ""), (Strategies::Random, "/random")] {
            let name = format!("challenge/{}{suffix}", problem.name());
            all.push(Subject::new(name, move |environment| {
                challenge::bugnet::campaign(*problem, strategies, 20_000, environment)
            }));
        }
    }
    all
}

/// Ten tasks of each tree, spread over all of them.
fn etna_tasks() -> Vec<Subject> {
    fn of<T: etna::task::SearchTree + Generate>(
        workload: &str,
        tasks: Vec<etna::task::Task<T>>,
    ) -> Vec<Subject> {
        let step = tasks.len() / 10;
        let subject = |task: etna::task::Task<T>| {
            let name = format!("etna/{workload}/{:?}/{}", task.mutant, task.property.name);
            Subject::new(name, move |environment| etna::bugnet::campaign(&task, 3_000, environment))
        };
        tasks.into_iter().step_by(step).take(10).map(subject).collect()
    }
    let mut all = of("bst", etna::bst::tasks());
    all.extend(of("rbt", etna::rbt::tasks()));
    all
}
