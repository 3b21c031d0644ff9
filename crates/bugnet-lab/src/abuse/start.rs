//! The cost of confining: how long a process takes to start and end, with its rights and without, and how much time of
//! the processor that is.
//!
//! **Invariant:** the ways to start take turns, so that whatever else the machine does befalls all of them. Processor time
//! does not count the time for which processes wait for a processor.

use crate::quantile::Quartiles;
use crate::throughput::table::grouped;
use anyhow::{Context, bail};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// The ways to start: with all rights, and behind each barrier.
const WAYS: [&str; 4] = ["all rights", "namespace", "landlock", "filter"];

/// Microseconds of a tick, in which the kernel tells the processor time of children.
const TICK: u64 = 10_000;

/// Prints the median of each way, and its processor time.
pub fn run(command: &Path, folder: &Path, starts: usize) -> anyhow::Result<()> {
    let scratch = folder.join("start");
    fs::create_dir_all(&scratch)?;
    let mut times = vec![Vec::new(); WAYS.len()];
    let mut ticks = [0; WAYS.len()];
    for _ in 0..starts {
        for ((way, times), ticks) in WAYS.iter().zip(&mut times).zip(&mut ticks) {
            let mut start = Command::new(command);
            match *way {
                "all rights" => start.arg("__start"),
                barrier => start
                    .args(["__limit", "10", "4294967296", barrier, "alone", "fresh"])
                    .arg(secrets())
                    .arg(&scratch),
            };
            start.args(["nothing", "/bin/true"]).stdin(Stdio::null()).current_dir(&scratch);
            let (used, began) = (ticks_of_children()?, Instant::now());
            if !start.status()?.success() {
                bail!("a process cannot be started behind {way}");
            }
            times.push(Some(began.elapsed().as_micros() as u64));
            *ticks += ticks_of_children()? - used;
        }
    }
    println!("Microseconds to start `true` and see it end: median and quartiles of {starts}, in turns.\n");
    println!(
        "| way | took | median beyond all rights | processor time, mean | beyond all rights |\n|---|---|---|---|---|"
    );
    let quartiles: Vec<Quartiles> = times.iter().map(|times| Quartiles::of(times)).collect();
    let means = ticks.map(|ticks| ticks * TICK / starts.max(1) as u64);
    let plain = quartiles[0].median.unwrap_or_default();
    for ((way, quartiles), mean) in WAYS.iter().zip(quartiles).zip(means) {
        let beyond = grouped(quartiles.median.unwrap_or_default().saturating_sub(plain));
        let (used, more) = (grouped(mean), grouped(mean.saturating_sub(means[0])));
        println!("| {way} | {quartiles} | {beyond} | {used} | {more} |");
    }
    Ok(())
}

/// Returns the processor time of all children that have ended, and of theirs, in ticks.
fn ticks_of_children() -> anyhow::Result<u64> {
    let text = fs::read_to_string("/proc/self/stat")?;
    // The name of the program comes second, in brackets, and may have spaces; these are fields 16 and 17.
    let fields: Vec<&str> = text.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks = |place: usize| fields.get(place).and_then(|field| field.parse::<u64>().ok());
    let (user, system) = ticks(13).zip(ticks(14)).context("/proc/self/stat has other fields")?;
    Ok(user + system)
}

/// Credentials as a user has them, as the launcher is told: their neighbours are looked at, which takes time.
fn secrets() -> std::ffi::OsString {
    let home = std::env::home_dir().unwrap_or_default();
    let paths = [".ssh", ".cargo/credentials.toml", ".config/gh"].map(|name| home.join(name));
    std::env::join_paths(paths.iter().chain([&"/etc/shadow".into()])).unwrap_or_default()
}
