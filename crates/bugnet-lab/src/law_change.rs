//! The first check after a change of a law: its processor time beside that of a plain build of the tests.
//!
//! A crate with one law is checked and its tests are built, so that everything is there. Then the law is changed, and both
//! are done again. A check runs 500 programs, which is enough to ask the law and takes a fraction of a second.

use crate::build_cost::processor_time_of_children;
use anyhow::{Context, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Changes of the law, each followed by a check and a build.
const CHANGES: u32 = 5;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The command, built before
    #[arg(long, default_value = "target/release/cargo-bugnet")]
    command: PathBuf,
    /// Where the crate is written and built
    #[arg(long, default_value = "target/bugnet-lab/law-change")]
    folder: PathBuf,
}

const STACK: &str = "#[derive(Debug, Default)]
pub struct SumStack {
    data: Vec<i32>,
    sum: i32,
}

impl SumStack {
    pub fn new() -> SumStack {
        SumStack::default()
    }
    pub fn push(&mut self, x: i32) {
        self.data.push(x);
        self.sum = self.sum.wrapping_add(x);
    }
    pub fn pop(&mut self) -> Option<i32> {
        let x = self.data.pop()?;
        self.sum = self.sum.wrapping_sub(x);
        Some(x)
    }
    pub fn sum(&self) -> i32 {
        self.sum
    }
    pub fn data(&self) -> &[i32] {
        &self.data
    }
}
";

/// A file with a law that says something else for each number.
fn law(number: u32) -> String {
    format!(
        "use bugnet::prelude::*;
use stack::SumStack;

#[law]
fn the_sum_is_that_of_the_data(stack: &SumStack) {{
    let sum = stack.data().iter().fold({number}i32, |sum, x| sum.wrapping_add(*x));
    assert_eq!(stack.sum(), sum.wrapping_sub({number}));
}}
"
    )
}

/// Writes the crate.
fn write(folder: &Path) -> anyhow::Result<()> {
    let bugnet = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bugnet").canonicalize()?;
    let manifest = format!(
        "[package]\nname = \"stack\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dev-dependencies]\n\
         bugnet = {{ path = {:?} }}\n",
        bugnet.display().to_string()
    );
    for (path, text) in [("Cargo.toml", manifest), ("src/lib.rs", STACK.to_string())] {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().context("a file is in a folder")?)?;
        fs::write(path, text)?;
    }
    fs::create_dir_all(folder.join("tests"))?;
    Ok(())
}

/// Runs a command; returns its processor seconds.
fn spent(command: &mut Command, folder: &Path) -> anyhow::Result<f64> {
    let before = processor_time_of_children()?;
    let command = command.current_dir(folder).env_remove("CARGO_TARGET_DIR").stdout(Stdio::null());
    let output = command.stderr(Stdio::piped()).output()?;
    ensure!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    Ok((processor_time_of_children()? - before).as_secs_f64())
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    fs::create_dir_all(&arguments.folder)?;
    let folder = arguments.folder.canonicalize()?;
    let bugnet = arguments.command.canonicalize()?;
    write(&folder)?;
    println!("| change | check, processor s | build of the tests, processor s | beyond it |");
    println!("|---|---:|---:|---:|");
    let mut beyond: Vec<f64> = Vec::new();
    for number in 0..=CHANGES {
        fs::write(folder.join("tests/laws.rs"), law(number))?;
        let check =
            spent(Command::new(&bugnet).args(["check", "--programs", "500", "--jobs", "1"]), &folder)?;
        let build = spent(Command::new("cargo").args(["test", "--no-run", "--quiet"]), &folder)?;
        let name = if number == 0 { "none: everything is built".to_string() } else { number.to_string() };
        println!("| {name} | {check:.2} | {build:.2} | {:.2} |", check - build);
        beyond.extend((number > 0).then_some(check - build));
    }
    beyond.sort_by(f64::total_cmp);
    println!("\nBeyond a plain build: {:.2} s in the median.", beyond[beyond.len() / 2]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_is_another_law() {
        assert_ne!(law(1), law(2));
        assert_eq!(law(1).matches("#[law]").count(), 1);
    }
}
