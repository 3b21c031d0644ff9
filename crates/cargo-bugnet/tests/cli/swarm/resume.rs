//! Runs that are killed, and go on.

use super::demo::{Demo, timeless};
use std::process::Stdio;
use std::time::Duration;

/// Runs are killed when they have changed the store and some more time has gone by.
const KILLS: u64 = 20;

#[test]
fn a_run_that_is_killed_twenty_times_ends_like_one_that_was_not() {
    let words = ["swarm", "--tests", "400", "--seed", "9", "--no-reduce", "--jobs", "2"];
    let (_, whole) = Demo::new().swarm(&words[1..]);
    let demo = Demo::new();
    let log = demo.path().join(".bugnet/store.sqlite-wal");
    let mut moment = 7u64;
    for _ in 0..KILLS {
        // The log of the store is written with every transaction.
        let changed = || std::fs::metadata(&log).and_then(|log| log.modified()).ok();
        let before = changed();
        let mut run = demo.command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while changed() == before && run.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        moment = moment.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        std::thread::sleep(Duration::from_millis((moment >> 33) % 150));
        run.kill().unwrap();
        run.wait().unwrap();
    }
    let (_, report) = demo.swarm(&words[1..]);
    assert_eq!(report["tests"], 400);
    assert_eq!(timeless(report), timeless(whole));
}
