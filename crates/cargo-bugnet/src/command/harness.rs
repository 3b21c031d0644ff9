//! `cargo bugnet harness`: makes the harness of a crate, and says what it reaches.

use crate::arguments;
use crate::exit::Exit;
use crate::harness::{Coverage, Features, Harness, Subject};
use crate::package;
use crate::status::{self, Tone};
use anyhow::{Result, bail};
use std::time::Instant;

/// Makes a harness.
pub(crate) fn harness(arguments: &arguments::Harness) -> Result<Exit> {
    let (subject, below) = subject(arguments)?;
    let features = Features {
        named: arguments.features.clone(),
        all: arguments.all_features,
        no_default: arguments.no_default_features,
    };
    let start = Instant::now();
    status::progress("Reading", &format!("the API of {}", subject.name()));
    let harness = Harness::of(subject, features, Coverage::possible(arguments.coverage), &below)?;
    let record = &harness.record;
    if arguments.list {
        for operation in &record.operations {
            anstream::println!("{}", operation.name);
        }
    }
    if arguments.explain_unreached {
        for missed in &record.reach.missed {
            status::line(Tone::Bad, "not reached", &format!("{}: {}", missed.function, missed.reason));
        }
    }
    if arguments.explain_unreached {
        for left_out in &record.reach.left_out {
            status::line(Tone::Plain, "left out", &format!("{}: {}", left_out.function, left_out.reason));
        }
    }
    let text = format!(
        "{} {}: functions {}, of trait impls {}, {} operations, {} rounds, {:.1} s\n{}",
        harness.crate_name,
        harness.version,
        record.reach.functions,
        record.reach.implemented,
        record.operations.len(),
        record.rounds,
        start.elapsed().as_secs_f64(),
        harness.folder.display(),
    );
    status::line(Tone::Good, "Built", &text);
    status::progress("Program", harness.executable.as_str());
    Ok(Exit::Success)
}

/// The crate, and the folder below which harnesses lie.
fn subject(arguments: &arguments::Harness) -> Result<(Subject, std::path::PathBuf)> {
    let place = std::path::Path::new("bugnet").join("explore");
    if let Some(published) = &arguments.published {
        let target = match std::env::var_os("CARGO_TARGET_DIR") {
            Some(folder) => folder.into(),
            None => std::env::current_dir()?.join("target"),
        };
        return Ok((Subject::published(published), target.join(place)));
    }
    let metadata = package::metadata(arguments.manifest_path.as_deref())?;
    let packages = metadata.workspace_packages();
    let chosen: Vec<_> = match &arguments.package {
        Some(name) => packages.into_iter().filter(|package| package.name.as_str() == name).collect(),
        None => match metadata.root_package() {
            Some(root) => vec![root],
            None => packages,
        },
    };
    let [package] = &chosen[..] else {
        bail!("say which package to explore: `-p NAME`, or `--crate NAME@VERSION` for a published one");
    };
    let folder = package::folder(package).as_std_path().to_path_buf();
    let subject = Subject::Local { name: package.name.to_string(), folder };
    Ok((subject, metadata.target_directory.as_std_path().join(place)))
}
