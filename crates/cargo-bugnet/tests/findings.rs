//! `cargo bugnet explore --programs` finds the same ways to fail, however many processes there are and however busy the
//! machine is.
//!
//! **Invariant:** the tests are in a file of their own, because they keep all processors busy.

#[path = "fixture/mod.rs"]
mod fixture;

use fixture::{Crate, assert_kept, fixture, lines};
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

/// Crates, each with its files and the number of programs to run.
const FIXTURES: [(&str, &[&str], &str); 6] = [
    ("boat", &["src/lib.rs"], "2000"),
    ("sky", &["src/lib.rs"], "4000"),
    ("lock", &["src/lib.rs"], "20000"),
    ("full", &["src/lib.rs"], "20000"),
    ("library", &["src/lib.rs", "src/shelf.rs"], "20000"),
    ("laws", &["src/lib.rs", "src/format.rs"], "60000"),
];

/// Keeps both processors busy for as long as something takes.
fn beside_others<T>(work: impl FnOnce() -> T) -> T {
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    std::hint::spin_loop()
                }
            });
        }
        let result = work();
        is_over.store(true, Ordering::Relaxed);
        result
    })
}

#[test]
fn the_same_programs_find_the_same_with_one_process_with_two_and_beside_others() {
    for (name, files, programs) in FIXTURES {
        let read = |file: &&str| fs::read_to_string(fixture(name).join(file)).unwrap();
        let texts: Vec<String> = files.iter().map(read).collect();
        let files: Vec<(&str, &str)> = files.iter().copied().zip(texts.iter().map(String::as_str)).collect();
        let krate = Crate::with(name, &files);
        let explored = |jobs| {
            let (done, report) = krate.explored(&["--seed", "1", "--programs", programs, "--jobs", jobs]);
            assert!(matches!(done.code, Some(0 | 1)), "{name}: {}", done.errors);
            report
        };
        let (alone, beside) = (explored("1"), beside_others(|| explored("2")));
        assert_eq!(alone["programs"].to_string(), programs);
        assert_eq!(lines(&krate, &alone), lines(&krate, &beside), "{name}");
        assert_kept(name, &krate, &alone);
    }
}

#[test]
fn what_only_fails_when_it_is_full_is_found_with_every_seed() {
    let text = fs::read_to_string(fixture("full").join("src/lib.rs")).unwrap();
    let krate = Crate::with("full", &[("src/lib.rs", &text)]);
    for seed in ["2", "3", "4", "5"] {
        let (_, report) = krate.explored(&["--seed", seed, "--programs", "20000", "--jobs", "1"]);
        let found = lines(&krate, &report);
        for operation in ["Stack::push", "Files::open"] {
            assert!(found.lines().any(|line| line.starts_with(operation)), "seed {seed}:\n{found}");
        }
    }
}
