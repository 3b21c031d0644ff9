//! The cost of adding each library to a crate: a clean build of one trivial property test.
//!
//! Every library gets a crate and a target directory of its own, and its sources are downloaded
//! before the clock starts.

use std::collections::{BTreeSet, HashSet};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs, process};

use anyhow::{Context, bail, ensure};

use crate::throughput::table::{Table, grouped};

/// The libraries to build.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Build only these
    #[arg(long, value_delimiter = ',', value_name = "LIBRARY,…")]
    only: Vec<String>,
}

/// A library, and the test that uses it.
struct Library {
    name: &'static str,
    /// Its line in the manifest; `{crates}` stands for the directory of Bugnet's own crates.
    dependency: &'static str,
    test: &'static str,
}

const LIBRARIES: [Library; 7] = [
    Library {
        name: "nothing",
        dependency: "",
        test: "
#[test]
fn holds() {}
",
    },
    Library {
        name: "bugnet",
        dependency: r#"bugnet = { path = "{crates}/bugnet" }"#,
        test: "
use bugnet::prelude::*;

#[property]
fn holds(_number: u64) {}
",
    },
    Library {
        name: "arbtest",
        dependency: r#"arbtest = "0.3""#,
        test: "
#[test]
fn holds() {
    arbtest::arbtest(|bytes| bytes.arbitrary::<u64>().map(drop));
}
",
    },
    Library {
        name: "quickcheck",
        dependency: r#"quickcheck = "1.1""#,
        test: "
quickcheck::quickcheck! {
    fn holds(_value: u64) -> bool {
        true
    }
}
",
    },
    Library {
        name: "bolero",
        dependency: r#"bolero = "0.13""#,
        test: "
#[test]
fn holds() {
    bolero::check!().with_type::<u64>().for_each(|_| ());
}
",
    },
    Library {
        name: "proptest",
        dependency: r#"proptest = "1.12""#,
        test: "
proptest::proptest! {
    #[test]
    fn holds(_value: u64) {}
}
",
    },
    Library {
        name: "hegeltest",
        dependency: r#"hegeltest = "0.51""#,
        test: "
#[hegel::test]
fn holds(case: hegel::TestCase) {
    let _: u64 = case.draw(hegel::generators::integers());
}
",
    },
];

/// The cost of one library.
#[derive(Clone, Copy, Debug)]
struct Cost {
    processor: Duration,
    wall: Duration,
    crates: usize,
    target_bytes: u64,
}

/// Builds the libraries one after the other and prints a table.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut table = Table::new(["library", "processor s", "wall s", "third-party crates", "target MB"]);
    for library in chosen(&arguments.only)? {
        eprintln!("building {}", library.name);
        table.push(row(library.name, library.cost()?));
    }
    println!("### One property test from nothing, dev profile\n");
    println!("{table}");
    println!("Crates that a build script builds on its own (Hegel's engine) are not counted.");
    Ok(())
}

fn chosen(names: &[String]) -> anyhow::Result<Vec<&'static Library>> {
    for name in names {
        if !LIBRARIES.iter().any(|library| library.name == name) {
            let known: Vec<_> = LIBRARIES.iter().map(|library| library.name).collect();
            bail!("no library `{name}`; there are {}", known.join(", "));
        }
    }
    let wanted = |library: &&Library| names.is_empty() || names.iter().any(|name| name == library.name);
    Ok(LIBRARIES.iter().filter(wanted).collect())
}

fn row(name: &str, cost: Cost) -> Vec<String> {
    vec![
        name.to_owned(),
        format!("{:.1}", cost.processor.as_secs_f64()),
        format!("{:.1}", cost.wall.as_secs_f64()),
        cost.crates.to_string(),
        grouped((cost.target_bytes + 500_000) / 1_000_000),
    ]
}

impl Library {
    fn cost(&self) -> anyhow::Result<Cost> {
        let package = env::temp_dir().join(format!("bugnet-build-cost-{}", process::id()));
        self.write(&package)?;
        cargo(&package, &["fetch", "--quiet"])?;
        let (processor, start) = (processor_time_of_children()?, Instant::now());
        cargo(&package, &["test", "--no-run", "--quiet", "--target-dir", "target"])?;
        let cost = Cost {
            processor: processor_time_of_children()? - processor,
            wall: start.elapsed(),
            crates: crates(&cargo(&package, &["tree", "--prefix=none", "--format={p}"])?),
            target_bytes: size(&package.join("target"), &mut HashSet::new())?,
        };
        fs::remove_dir_all(&package)?;
        Ok(cost)
    }

    /// Writes a package that uses the library; there must be none yet.
    fn write(&self, package: &Path) -> anyhow::Result<()> {
        fs::create_dir(package).with_context(|| format!("{} exists", package.display()))?;
        fs::create_dir(package.join("src"))?;
        fs::create_dir(package.join("tests"))?;
        fs::write(package.join("src/lib.rs"), "")?;
        fs::write(package.join("tests/property.rs"), self.test)?;
        fs::write(package.join("Cargo.toml"), self.manifest())?;
        Ok(())
    }

    fn manifest(&self) -> String {
        let crates = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let crates = crates.parent().expect("this package lies beside Bugnet's other crates");
        let dependency = self.dependency.replace("{crates}", &crates.to_string_lossy());
        format!(
            "[package]\nname = \"build-cost\"\nedition = \"2024\"\n\n\
             [dev-dependencies]\n{dependency}\n\n[workspace]\n"
        )
    }
}

/// Runs cargo in a package and returns what it prints.
fn cargo(package: &Path, arguments: &[&str]) -> anyhow::Result<String> {
    let output = Command::new("cargo")
        .args(arguments)
        .current_dir(package)
        // Published crates are never built incrementally. Ours lies beside the lab and would be.
        .env("CARGO_INCREMENTAL", "0")
        .output()
        .context("cargo does not start")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cargo {} fails: {errors}", arguments.join(" "));
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Counts the packages that `cargo tree` lists, except the root, which comes first.
fn crates(tree: &str) -> usize {
    let packages = tree.lines().skip(1).map(|line| line.trim_end_matches(" (*)"));
    packages.collect::<BTreeSet<_>>().len()
}

/// The bytes of all files below a directory. Cargo links some files twice: they count once.
fn size(directory: &Path, seen: &mut HashSet<u64>) -> anyhow::Result<u64> {
    let mut total = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        if metadata.is_dir() {
            total += size(&entry.path(), seen)?;
        } else if seen.insert(metadata.ino()) {
            total += metadata.len();
        }
    }
    Ok(total)
}

/// The processor time of all processes this one has started and waited for, and of theirs.
pub fn processor_time_of_children() -> anyhow::Result<Duration> {
    let statistics = fs::read_to_string("/proc/self/stat")?;
    children_time(&statistics).context("cannot make sense of /proc/self/stat")
}

/// Adds `cutime` and `cstime` of proc(5), in ticks of a hundredth of a second.
fn children_time(statistics: &str) -> Option<Duration> {
    // The second field is the name of the process, which may contain anything but ends the
    // parentheses; after it `cutime` is the fourteenth field.
    let (_, fields) = statistics.rsplit_once(')')?;
    let mut ticks = fields.split_whitespace().skip(13).map(str::parse::<u64>);
    let (user, system) = (ticks.next()?.ok()?, ticks.next()?.ok()?);
    Some(Duration::from_millis((user + system) * 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_children_is_found_behind_a_name_with_parentheses() {
        let statistics = "42 (a) b) S 1 42 42 0 -1 4 900 0 0 0 11 12 250 50 20 0 1 0 77\n";
        assert_eq!(children_time(statistics), Some(Duration::from_secs(3)));
        assert_eq!(children_time("42 (a) S 1 42"), None);
    }

    #[test]
    fn a_package_that_is_listed_twice_is_one_crate() {
        let tree = "\
build-cost v0.0.0 (/tmp/build-cost)
quickcheck v1.1.0
env_logger v0.11.11
log v0.4.35
log v0.4.35
env_logger v0.11.11 (*)
";
        assert_eq!(crates(tree), 3);
    }

    #[test]
    fn a_row_rounds_to_tenths_of_seconds_and_to_megabytes() {
        let cost = Cost {
            processor: Duration::from_millis(20_160),
            wall: Duration::from_millis(58_640),
            crates: 14,
            target_bytes: 1_226_400_000,
        };
        assert_eq!(row("quickcheck", cost), ["quickcheck", "20.2", "58.6", "14", "1,226"]);
    }
}
