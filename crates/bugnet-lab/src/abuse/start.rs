//! The cost of confining: the time that a process takes to start and end, with its rights and without.
//!
//! **Invariant:** the ways to start take turns, so that whatever else the machine does befalls all of them.

use crate::quantile::Quartiles;
use crate::throughput::table::grouped;
use anyhow::bail;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// The ways to start: with all rights, and behind each barrier.
const WAYS: [&str; 4] = ["all rights", "namespace", "landlock", "filter"];

/// Prints the median of each way.
pub fn run(command: &Path, folder: &Path, starts: usize) -> anyhow::Result<()> {
    let scratch = folder.join("start");
    fs::create_dir_all(&scratch)?;
    let mut times = vec![Vec::new(); WAYS.len()];
    for _ in 0..starts {
        for (way, times) in WAYS.iter().zip(&mut times) {
            let mut start = Command::new(command);
            match *way {
                "all rights" => start.arg("__start"),
                barrier => start
                    .args(["__limit", "10", "4294967296", barrier, "alone", "fresh"])
                    .arg(secrets())
                    .arg(&scratch),
            };
            start.args(["nothing", "/bin/true"]).stdin(Stdio::null()).current_dir(&scratch);
            let began = Instant::now();
            if !start.status()?.success() {
                bail!("a process cannot be started behind {way}");
            }
            times.push(Some(began.elapsed().as_micros() as u64));
        }
    }
    println!("Microseconds to start `true` and see it end: median and quartiles of {starts}, in turns.\n");
    println!("| way | took | median beyond all rights |\n|---|---|---|");
    let quartiles: Vec<Quartiles> = times.iter().map(|times| Quartiles::of(times)).collect();
    let plain = quartiles[0].median.unwrap_or_default();
    for (way, quartiles) in WAYS.iter().zip(quartiles) {
        let beyond = quartiles.median.unwrap_or_default().saturating_sub(plain);
        println!("| {way} | {quartiles} | {} |", grouped(beyond));
    }
    Ok(())
}

/// Credentials as a user has them, as the launcher is told: their neighbours are looked at, which takes time.
fn secrets() -> std::ffi::OsString {
    let home = std::env::home_dir().unwrap_or_default();
    let paths = [".ssh", ".cargo/credentials.toml", ".config/gh"].map(|name| home.join(name));
    std::env::join_paths(paths.iter().chain([&"/etc/shadow".into()])).unwrap_or_default()
}
