//! `cargo bugnet variants --against BUILD`: what another build of a library does otherwise.
//!
//! **Invariant:** nothing is said to have changed that two runs of the same build do not do alike.

use super::variants::{EXPLORING, is_interrupted};
use crate::arguments::Variants;
use crate::client::Client;
use crate::exit::Exit;
use crate::explore::progress;
use crate::harness::{self, Build, Features, Pair, Profile};
use crate::report::against::{self as report, Compared};
use crate::report::counted;
use crate::status::{self, Tone};
use crate::variants::against::change::{self, Builds, Changes, Contrasted, Effort};
use crate::variants::against::rival::{self, Rival};
use crate::variants::session::{HARNESSES, Library};
use anyhow::{Context, Result};
use std::path::Path;
use std::time::Instant;

/// The folder of revisions, and of what processes write, within the target folder.
const FOLDER: &str = "bugnet/against";

/// Compares a library with another build of it.
pub(crate) fn against(
    subject: &Library,
    features: Features,
    text: &str,
    arguments: &Variants,
) -> Result<Exit> {
    let rival = Rival::read(text)?;
    let below = subject.target.join(FOLDER);
    let name = subject.package.name.to_string();
    let local = harness::Subject::Local { name: name.clone(), folder: subject.home().to_path_buf() };
    let profile = if arguments.library.release { Profile::Release } else { Profile::Checked };
    let own = Build { subject: local, features, profile };
    let (other, label) = rival.build(subject, &own, &below)?;
    status::progress("Comparing", &format!("{name} {} with {label}", subject.package.version));
    let pair = Pair::of([own, other], &subject.target.join(HARNESSES))
        .map_err(|error| rival::about(error, &label))?;
    let compared = Compared {
        package: name.clone(),
        labels: ["now".to_string(), label],
        common: pair.common,
        added: pair.added.clone(),
        removed: pair.removed.clone(),
        changed: pair.changed.clone(),
    };
    tell_functions(&compared);
    let folder = below.join("run").join(&name);
    let (contrasted, changes) = changed(&pair, &folder, arguments)?;
    tell_changes(&compared, &contrasted, &changes);
    if let Some(path) = &arguments.json {
        let text = report::json(&compared, &contrasted, &changes)?;
        std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(if changes.changes.is_empty() { Exit::Success } else { Exit::Refuted })
}

/// Runs programs on both builds, and reduces those that differ.
fn changed(pair: &Pair, folder: &Path, arguments: &Variants) -> Result<(Contrasted, Changes)> {
    std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    let [own, other] = &pair.executables;
    let builds = Builds {
        own: Client { binary: own, folder },
        other: Client { binary: other, folder },
        open: &pair.open,
    };
    let time = arguments.time.unwrap_or(EXPLORING);
    let end = Instant::now() + time;
    let (seed, programs) = (arguments.seed, arguments.programs);
    let effort = Effort { seed, programs, ends: [end, end + time], is_interrupted: &is_interrupted };
    let line = progress::Line::new("Exploring");
    let contrasted = change::contrasted(builds, &effort, &|program, differences| {
        line.say(format!("{program} of {programs} programs, {differences} differences"));
    })?;
    drop(line);
    let line = progress::Line::new("Reducing");
    let all = contrasted.differences.len();
    let changes = change::settled(builds, &contrasted, &effort, &|done| {
        line.say(format!("{done} changes of {all} differences"));
    })?;
    Ok((contrasted, changes))
}

/// Says which functions are compared, and which are in one build only.
fn tell_functions(compared: &Compared) {
    let text = format!("{} that both builds have", counted(compared.common, "function"));
    status::line(Tone::Plain, "Matched", &text);
    for (word, names) in compared.lists() {
        status::line(Tone::Plain, word, &names);
    }
}

/// Says what has changed.
fn tell_changes(compared: &Compared, contrasted: &Contrasted, changes: &Changes) {
    let mut text = format!("{} on both builds", counted(contrasted.programs as usize, "program"));
    if contrasted.lost > 0 {
        text.push_str(&format!("; {} ended the process before they could be compared", contrasted.lost));
    }
    status::line(Tone::Plain, "Explored", &text);
    for change in &changes.changes {
        anstream::println!();
        status::line(Tone::Bad, "Changed", &report::change(change, &compared.labels));
    }
    if !changes.changes.is_empty() {
        anstream::println!();
    }
    if !contrasted.inside.is_empty() {
        let names: Vec<&str> = contrasted.inside.iter().map(String::as_str).collect();
        let text = format!("private fields of {}, which other code cannot see", names.join(", "));
        status::line(Tone::Plain, "Left out", &text);
    }
    for (count, why) in [
        (changes.noise, "that two runs of this build show as well"),
        (changes.gone, "that did not come again in fresh processes"),
        (changes.left, "for which there was no time; --time allows more"),
    ] {
        if count > 0 {
            status::line(Tone::Plain, "Left out", &format!("{} {why}", counted(count, "difference")));
        }
    }
    let other = &compared.labels[1];
    match changes.changes.len() {
        0 => status::line(Tone::Good, "Found", &format!("no behaviour that differs from {other}")),
        count => {
            let text =
                format!("{} since {other}; each is a test of today's behaviour", counted(count, "change"));
            status::line(Tone::Bad, "Found", &text);
        }
    }
}
