//! Hostile crates, explored: what the user sees, and the exit code.
//!
//! **Invariant:** each crate has one function that does harm, or would.

use super::said;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The misdeed of each crate, and its source.
const CRATES: [(&str, &str); 9] = [
    (
        "asks to signal any process",
        "unsafe extern \"C\" { fn kill(process: i32, signal: i32) -> i32; }
         /// The signal is 0, which only asks.
         pub fn signal(process: i32, signal: i32) -> bool {
             if process == std::process::id() as i32 { return false; }
             assert!(unsafe { kill(process, signal & 0) } != 0 || process <= 1, \"reached {process}\");
             true
         }",
    ),
    ("prints what looks like events", "pub fn print() { println!(\"{{\\\"event\\\":\\\"found\\\"}}\"); }"),
    ("reads standard input", "pub fn read() -> usize { std::io::stdin().lines().count() }"),
    ("removes its folder", "pub fn wipe() { let _ = std::fs::remove_dir_all(std::env::current_dir().unwrap()); }"),
    (
        "leaves a process behind",
        "pub fn leave() { let _ = std::process::Command::new(\"setsid\").args([\"sleep\", \"20\"]).spawn(); }",
    ),
    ("exits with code 0", "pub fn exit() { std::process::exit(0) }"),
    ("aborts in a thread", "pub fn spawn() { let _ = std::thread::spawn(|| std::process::abort()).join(); }"),
    (
        "fails with a message that sets the title of a terminal",
        "pub fn odd(number: u8) { assert!(number < 9, \"\\u{1b}]0;title\\u{7} \\u{202e}\"); }",
    ),
    (
        "fills its folder",
        "pub fn fill() { for number in 0..400 {
             let name = number.to_string();
             if !std::path::Path::new(&name).exists() && std::fs::write(name, vec![1; 1 << 20]).is_err() { break; }
         } }",
    ),
];

/// Explores each crate, and prints what the user sees.
pub fn run(command: &Path, folder: &Path) -> anyhow::Result<()> {
    println!("Hostile crates, explored with 200 programs each.\n");
    println!("| what the crate does | what the user saw | exit code |\n|---|---|---|");
    for (number, (what, source)) in CRATES.iter().enumerate() {
        let path = folder.join(format!("crate-{number}"));
        fs::create_dir_all(path.join("src"))?;
        let name = format!("hostile{number}");
        let manifest =
            format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n");
        fs::write(path.join("Cargo.toml"), manifest)?;
        fs::write(path.join("src/lib.rs"), source)?;
        let mut explore = Command::new(command);
        explore.args(["explore", "--programs", "200", "--seed", "1"]).current_dir(&path);
        explore.env("CARGO_TARGET_DIR", folder.join("target"));
        let (text, code) = said(&mut explore)?;
        println!(
            "| {what} | {} | {} |",
            seen(&text),
            code.map_or("none".to_string(), |code| code.to_string())
        );
    }
    println!();
    Ok(())
}

/// The lines of a report that say what was found, as one cell of a table.
fn seen(text: &str) -> String {
    let is_telling = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("1. ")
            || line.starts_with("error")
            || line.contains(" bugs in ")
            || line.contains(" bug in ")
    };
    let cut = |line: &str| line.trim().split(" (").next().unwrap_or_default().replace('|', "\\|");
    text.lines().filter(is_telling).map(cut).collect::<Vec<_>>().join("; ")
}
