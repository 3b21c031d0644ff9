//! `cargo bugnet swarm`: tests any programs with inputs of any generator, leaving out some features in each test.
//!
//! **Invariant:** everything found is in the store before it is shown, and Ctrl-C shortens a run but loses nothing
//! of it.

use crate::arguments::{Swarm, SwarmAction};
use crate::exit::Exit;
use crate::explore::progress::Line;
use crate::report::{self, counted};
use crate::status::{self, Tone};
use crate::store::campaign::{Campaign, Failure};
use crate::store::{FOLDER, Identity, Kept, Reduced, Sighting, Sqlite, Store};
use crate::swarm::compare::{self, Comparison};
use crate::swarm::file::Plan;
use crate::swarm::oracle::Outcome;
use crate::swarm::run::{self, Arm, Budget, Listener, Totals, lock};
use crate::swarm::summary::{self, Asked};
use crate::swarm::test::Bench;
use crate::swarm::{check, known, reduce, setup, template};
use anyhow::{Context, Result, bail};
use bugnet::swarm::Scheme;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Time to test if the user gives none.
const USUAL: Duration = Duration::from_secs(60);
/// The share of rejected runs above which a warning is given, in percent.
const MANY_REJECTED: u64 = 50;

/// The number of times that Ctrl-C was pressed: once ends testing, twice reducing, thrice everything.
static INTERRUPTS: AtomicUsize = AtomicUsize::new(0);

fn interrupts() -> usize {
    INTERRUPTS.load(Ordering::Relaxed)
}

/// Tests programs by the swarm of a file.
pub(crate) fn swarm(arguments: &Swarm) -> Result<Exit> {
    if let Some(SwarmAction::Init { file }) = &arguments.action {
        return init(file);
    }
    let session = Session::open(arguments)?;
    match (&arguments.replay, arguments.compare.is_empty()) {
        (Some(failure), _) => session.replay(failure),
        (None, true) => session.test(),
        (None, false) => session.compare(),
    }
}

/// Answers a reducer: 0 if its candidate still fails in the same way.
pub(crate) fn answer(words: &[OsString]) -> ExitCode {
    match reduce::interesting::answer(words) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            status::error(&error);
            ExitCode::from(2)
        }
    }
}

/// Writes a file to start from.
fn init(path: &Path) -> Result<Exit> {
    let template = template::chosen(&template::is_in_path);
    match fs::File::create_new(path) {
        Ok(mut file) => std::io::Write::write_all(&mut file, template.text.as_bytes())?,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("{} is there already; it stays as it is", path.display())
        }
        Err(error) => return Err(error).with_context(|| format!("{} cannot be written", path.display())),
    }
    status::progress("Created", &format!("{}: {}", path.display(), template.why));
    Ok(Exit::Success)
}

/// A plan with its store.
#[derive(Debug)]
struct Session<'a> {
    arguments: &'a Swarm,
    plan: Plan,
    /// The folder of the store.
    folder: PathBuf,
    store: Mutex<Box<dyn Store>>,
    known: Vec<String>,
    jobs: usize,
}

impl<'a> Session<'a> {
    fn open(arguments: &'a Swarm) -> Result<Session<'a>> {
        let plan = Plan::read(&arguments.file)?;
        let folder = plan.folder.join(FOLDER);
        let store: Box<dyn Store> = Box::new(Sqlite::open(&folder)?);
        let known = known::read(&plan.folder, &plan.name)?;
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let jobs = arguments.jobs.map_or_else(cores, NonZeroUsize::get);
        without_core_dumps();
        Ok(Session { arguments, plan, folder, store: Mutex::new(store), known, jobs })
    }

    fn identity(&self, name: &str, scheme: Scheme) -> Identity {
        let digest = self.plan.digest.clone();
        Identity { name: name.to_string(), digest, seed: self.arguments.seed, scheme: scheme.to_string() }
    }

    /// Returns the folder in which programs run; it is emptied, since nobody else uses this store.
    fn scratch(&self) -> Result<PathBuf> {
        let folder = self.folder.join("scratch");
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| format!("{} cannot be emptied", folder.display()))?;
        }
        fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        Ok(folder)
    }

    /// Runs tests, reduces what failed, and reports.
    fn test(&self) -> Result<Exit> {
        let scheme = self.arguments.swarm;
        let mut begun = lock(&self.store).campaign(&self.identity(&self.plan.name, scheme))?;
        if self.arguments.fresh {
            lock(&self.store).forget(begun.id)?;
            (begun.tests, begun.is_checked) = (0, false);
        }
        let scratch = self.scratch()?;
        let swarm = setup::swarm(scheme, &self.plan.features);
        let arm = Arm { plan: &self.plan, swarm: &swarm, seed: self.arguments.seed, campaign: begun.id };
        if begun.tests > 0 {
            status::progress("Going on", &format!("after {}", counted(begun.tests as usize, "test")));
        } else if begun.has_others {
            let what = "a new campaign: the file, the seed or the scheme is another than before";
            status::progress("Beginning", what);
        }
        if !begun.is_checked {
            self.check(&arm, &scratch)?;
        }
        catch_interrupts()?;
        let goal = lock(&self.store).begin(begun.id, self.arguments.tests)?;
        let time = match (self.arguments.tests, self.arguments.time) {
            (None, None) => Some(USUAL),
            (_, time) => time,
        };
        let budget = Budget { time, goal, processor: None };
        let mut told = Told { line: Line::new("Testing"), budget, found: 0 };
        let run = run::run(&arm, &self.store, &scratch, self.jobs, budget, &|| interrupts() > 0, &mut told);
        drop(told);
        let totals = run?;
        if !self.arguments.no_reduce {
            self.reduce(&arm, &scratch)?;
        }
        let _ = fs::remove_dir_all(&scratch);
        self.conclude(&arm, &totals)
    }

    /// Checks every flag and target once.
    fn check(&self, arm: &Arm<'_>, scratch: &Path) -> Result<()> {
        let (features, targets) = (self.plan.features.len(), self.plan.targets.len());
        let what =
            format!("{}, {}: every flag once", counted(features, "feature"), counted(targets, "target"));
        status::progress("Checking", &what);
        let bench = Bench::new(&self.plan, scratch.join("check"));
        let checked = check::check(&self.plan, &bench, arm.seed)?;
        for feature in &checked.idle {
            status::warning(&format!(
                "feature `{feature}` changed nothing in the inputs that were tried; mend its flags, or remove it"
            ));
        }
        for target in &checked.writing {
            status::warning(&format!(
                "target `{target}` changes its input; it has a copy of its own, so the others do not notice"
            ));
        }
        lock(&self.store).set_checked(arm.campaign)
    }

    /// Reduces the failures that are not known and not reduced, and merges those that turn out to be one.
    fn reduce(&self, arm: &Arm<'_>, scratch: &Path) -> Result<()> {
        let failures = lock(&self.store).failures(arm.campaign)?;
        let is_open = |failure: &&Kept| failure.reduced.is_none() && !self.known.contains(&failure.signature);
        let open: Vec<&Kept> = failures.iter().filter(is_open).collect();
        if !open.is_empty() && interrupts() < 2 {
            let line = Line::new("Reducing");
            line.say(counted(open.len(), "failure"));
            let done = AtomicUsize::new(0);
            let tell = |failure: &Kept, reduced: &Reduced| {
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                let first = failure.sightings.first().map_or(0, |first| first.input.len());
                let after = reduced.input.len();
                line.say(format!("{done} of {}: #{} {first} -> {after} bytes", open.len(), failure.number));
            };
            let stop = || interrupts() > 1;
            reduce::reduce_all(&self.plan, &open, &self.store, scratch, self.jobs, &stop, &tell)?;
        }
        let failures = lock(&self.store).failures(arm.campaign)?;
        for (later, earlier) in reduce::same(&failures) {
            lock(&self.store).merge(later, earlier)?;
        }
        Ok(())
    }

    /// Keeps and shows what there is.
    fn conclude(&self, arm: &Arm<'_>, totals: &Totals) -> Result<Exit> {
        let mut store = lock(&self.store);
        let asked = Asked { file: &self.arguments.file, known: &self.known };
        let campaign = summary::of(arm, store.as_mut(), &asked)?;
        self.write_inputs(arm, store.as_mut())?;
        store.keep_report(arm.campaign, &campaign)?;
        store.end(arm.campaign)?;
        let open: Vec<&Failure> = campaign.failures.iter().filter(|failure| !failure.is_known).collect();
        let names: Vec<(String, String)> =
            open.iter().map(|failure| (failure.name.clone(), failure.signature.clone())).collect();
        known::keep(&self.folder, &self.plan.name, &names)?;
        if let Some(path) = &self.arguments.json {
            write_json(path, &campaign)?;
        }
        if totals.runs > 0 && totals.rejected_percent() >= MANY_REJECTED {
            let (target, message) = totals.commonest().unwrap_or_default();
            let percent = totals.rejected_percent();
            status::warning(&format!(
                "{percent} % of the runs were rejected; most often by `{target}`: {message}"
            ));
        }
        anstream::print!("{}", report::swarm::failures(&campaign));
        finished(&campaign, totals);
        if arm.swarm.features().len() >= 5 {
            let met = |together| format!("{:.0} %", 100.0 * arm.swarm.meeting(together, campaign.tests));
            let what = format!(
                "any three features met in a test with a probability of {}, any five {}",
                met(3),
                met(5)
            );
            status::progress("Together", &what);
        }
        Ok(if open.is_empty() { Exit::Success } else { Exit::Refuted })
    }

    /// Writes the inputs of failures to files.
    fn write_inputs(&self, arm: &Arm<'_>, store: &mut dyn Store) -> Result<()> {
        for failure in store.failures(arm.campaign)? {
            let path = self.folder.join(summary::input_file(arm, failure.number));
            let first = failure.sightings.first().map(|first| first.input.as_slice());
            let input = failure.reduced.as_ref().map(|reduced| reduced.input.as_slice()).or(first);
            if let (Some(folder), Some(input)) = (path.parent(), input) {
                fs::create_dir_all(folder)?;
                fs::write(&path, input).with_context(|| format!("{} cannot be written", path.display()))?;
            }
        }
        Ok(())
    }

    /// Runs the targets of a failure on its input again.
    fn replay(&self, wanted: &str) -> Result<Exit> {
        let scheme = self.arguments.swarm;
        let mut store = lock(&self.store);
        let begun = store.campaign(&self.identity(&self.plan.name, scheme))?;
        let failures = store.failures(begun.id)?;
        let names = known::names(&failures);
        let number = wanted.trim_start_matches('#');
        let place = failures
            .iter()
            .zip(&names)
            .position(|(failure, name)| failure.number.to_string() == number || *name == wanted);
        let Some(place) = place else {
            let all: Vec<String> = failures
                .iter()
                .zip(&names)
                .map(|(failure, name)| format!("{} ({name})", failure.number))
                .collect();
            let all = if all.is_empty() { "none".to_string() } else { all.join(", ") };
            bail!("there is no failure `{wanted}`; there is: {all}");
        };
        let failure = &failures[place];
        let first = failure.sightings.first().map(|first| first.input.as_slice());
        let input =
            failure.reduced.as_ref().map(|reduced| reduced.input.as_slice()).or(first).unwrap_or_default();
        let scratch = self.scratch()?;
        let outcomes = Bench::new(&self.plan, scratch.clone()).judge(input)?;
        let mut fails = false;
        for (target, outcome) in self.plan.targets.iter().zip(outcomes) {
            let name = &target.name;
            match outcome {
                Outcome::Failed(failed) => {
                    fails |= failed.signature == failure.signature;
                    status::line(
                        Tone::Bad,
                        "Failed",
                        &format!("{name}: {}\n{}", failed.signature, failed.happened),
                    );
                }
                Outcome::Rejected(message) => {
                    status::line(Tone::Plain, "Rejected", &format!("{name}: {message}"))
                }
                Outcome::Passed => status::line(Tone::Good, "Passed", name),
            }
        }
        let _ = fs::remove_dir_all(scratch);
        Ok(if fails { Exit::Refuted } else { Exit::Success })
    }

    /// Has several schemes take turns, and compares what they find.
    fn compare(&self) -> Result<Exit> {
        let schemes = &self.arguments.compare;
        let blocks = self.arguments.blocks.get();
        if blocks > compare::MOST_BLOCKS {
            bail!(
                "--blocks {blocks} is more than the {} whose signs can be enumerated",
                compare::MOST_BLOCKS
            );
        }
        if schemes.len() < 2 {
            bail!("a comparison needs two schemes: write --compare all,coin,mix");
        }
        let scratch = self.scratch()?;
        let swarms: Vec<_> =
            schemes.iter().map(|scheme| setup::swarm(*scheme, &self.plan.features)).collect();
        let mut arms = Vec::new();
        for (scheme, swarm) in schemes.iter().zip(&swarms) {
            let name = format!("{} compared", self.plan.name);
            let begun = lock(&self.store).campaign(&self.identity(&name, *scheme))?;
            lock(&self.store).forget(begun.id)?;
            arms.push(Arm { plan: &self.plan, swarm, seed: self.arguments.seed, campaign: begun.id });
        }
        self.check(&arms[0], &scratch)?;
        catch_interrupts()?;
        let mut found: Vec<compare::Arm> = schemes
            .iter()
            .map(|scheme| compare::Arm { scheme: scheme.to_string(), ..compare::Arm::default() })
            .collect();
        for block in 0..blocks {
            for turn in 0..arms.len() {
                let place = (turn + block as usize) % arms.len();
                if interrupts() == 0 {
                    self.turn(&arms[place], &mut found[place], block, &scratch)?;
                }
            }
        }
        if !self.arguments.no_reduce {
            let names = self.merged(&arms, &scratch)?;
            found.iter_mut().for_each(|arm| arm.rename(&names));
        }
        let comparison = Comparison::of(found);
        if let Some(path) = &self.arguments.json {
            write_json(path, &comparison)?;
        }
        let _ = fs::remove_dir_all(&scratch);
        anstream::print!("{}", report::swarm::comparison(&comparison));
        Ok(if comparison.in_any == 0 { Exit::Success } else { Exit::Refuted })
    }

    /// Gives one scheme its part of a block.
    fn turn(&self, arm: &Arm<'_>, found: &mut compare::Arm, block: u32, scratch: &Path) -> Result<()> {
        let share = |whole: f64| whole * f64::from(block + 1) / f64::from(self.arguments.blocks.get());
        let budget = match self.arguments.tests {
            Some(tests) => Budget { goal: Some(share(tests as f64).round() as u64), ..Budget::default() },
            None => {
                let until = share(self.arguments.time.unwrap_or(USUAL).as_secs_f64());
                let left = Duration::from_secs_f64((until - found.processor_seconds).max(0.0));
                Budget { processor: Some(left), ..Budget::default() }
            }
        };
        let before = lock(&self.store).finished(arm.campaign)?;
        let done: BTreeSet<u64> = before.iter().map(|shard| shard.first).collect();
        let told = Told { line: Line::new("Comparing"), budget, found: 0 };
        told.line.say(format!("{}, block {}", found.scheme, block + 1));
        let mut quiet = Quiet;
        let totals =
            run::run(arm, &self.store, scratch, self.jobs, budget, &|| interrupts() > 0, &mut quiet)?;
        found.processor_seconds += totals.processor.as_secs_f64();
        let mut store = lock(&self.store);
        let names: BTreeMap<i64, String> =
            store.failures(arm.campaign)?.into_iter().map(|kept| (kept.id, kept.signature)).collect();
        let mut here = BTreeSet::new();
        for shard in store.finished(arm.campaign)?.iter().filter(|shard| !done.contains(&shard.first)) {
            for marks in &shard.marks {
                found.tests += 1;
                let mut failed = false;
                for (target, mark) in self.plan.targets.iter().zip(marks) {
                    if let crate::store::outcome::Mark::Failed(id) = mark {
                        failed = true;
                        here.insert(names[id].clone());
                        found.by_target.entry(target.name.clone()).or_default().insert(names[id].clone());
                    }
                }
                found.failing_tests += u64::from(failed);
            }
        }
        found.failures.extend(here.iter().cloned());
        found.blocks.push(here);
        Ok(())
    }

    /// Reduces the failures of all schemes, each signature once, and returns the names of those that are another.
    fn merged(&self, arms: &[Arm<'_>], scratch: &Path) -> Result<BTreeMap<String, String>> {
        let mut all: Vec<Kept> = Vec::new();
        for arm in arms {
            for failure in lock(&self.store).failures(arm.campaign)? {
                if !all.iter().any(|known| known.signature == failure.signature) {
                    all.push(failure);
                }
            }
        }
        let line = Line::new("Reducing");
        line.say(counted(all.len(), "failure"));
        let reduced = Mutex::new(Vec::new());
        let keep = |failure: &Kept, found: &Reduced| lock(&reduced).push((failure.id, found.clone()));
        let open: Vec<&Kept> = all.iter().collect();
        reduce::reduce_all(&self.plan, &open, &self.store, scratch, self.jobs, &|| interrupts() > 1, &keep)?;
        for (id, found) in reduced.into_inner().unwrap_or_default() {
            all.iter_mut()
                .filter(|failure| failure.id == id)
                .for_each(|failure| failure.reduced = Some(found.clone()));
        }
        let signature =
            |id: i64| all.iter().find(|failure| failure.id == id).map(|failure| failure.signature.clone());
        let pairs = reduce::same(&all);
        Ok(pairs
            .into_iter()
            .filter_map(|(later, earlier)| Some((signature(later)?, signature(earlier)?)))
            .collect())
    }
}

/// Ends testing at the first Ctrl-C.
fn catch_interrupts() -> Result<()> {
    ctrlc::set_handler(|| {
        if INTERRUPTS.fetch_add(1, Ordering::Relaxed) >= 2 {
            std::process::exit(130);
        }
    })
    .context("Ctrl-C cannot be caught")
}

/// Targets crash by the thousand, and nobody reads their memory.
fn without_core_dumps() {
    #[cfg(unix)]
    let _ = nix::sys::resource::setrlimit(nix::sys::resource::Resource::RLIMIT_CORE, 0, 0);
}

fn write_json(path: &Path, value: &impl serde::Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(value)? + "\n";
    fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}

/// The last line of a run.
fn finished(campaign: &Campaign, totals: &Totals) {
    let rate = totals.tests as f64 / totals.elapsed.as_secs_f64().max(0.001);
    let now = match totals.tests == campaign.tests {
        true => format!("{rate:.0} a second"),
        false => format!("{} in this run, {rate:.0} a second", totals.tests),
    };
    status::line(Tone::Plain, "Finished", &format!("{} ({now})", report::swarm::summed_up(campaign)));
}

/// Shows failures and progress.
#[derive(Debug)]
struct Told {
    line: Line,
    budget: Budget,
    found: u64,
}

impl Listener for Told {
    fn failed(&mut self, sighting: &Sighting, totals: &Totals) {
        self.found += 1;
        let text = format!(
            "[{:6.1}s] {}: {} (test {})",
            totals.elapsed.as_secs_f64(),
            sighting.target,
            sighting.signature,
            sighting.test
        );
        self.line.above(|| status::line(Tone::Bad, "FAILED", &text));
    }

    fn progress(&mut self, totals: &Totals) {
        let left = self.budget.time.map(|time| time.saturating_sub(totals.elapsed).as_secs());
        let left = left.map(|seconds| format!(", {seconds}s left")).unwrap_or_default();
        self.line.say(format!(
            "{}, {} failing, {} new, {} % rejected{left}",
            counted(totals.tests as usize, "test"),
            totals.failing,
            counted(self.found as usize, "failure"),
            totals.rejected_percent(),
        ));
    }
}

/// Shows nothing.
#[derive(Debug)]
struct Quiet;

impl Listener for Quiet {
    fn failed(&mut self, _: &Sighting, _: &Totals) {}
    fn progress(&mut self, _: &Totals) {}
}
