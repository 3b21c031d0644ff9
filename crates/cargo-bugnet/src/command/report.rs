//! `cargo bugnet report`: a campaign as one HTML page.

use crate::arguments::Report;
use crate::exit::Exit;
use crate::page;
use crate::status;
use crate::store::campaign::Campaign;
use crate::store::{FOLDER, Sqlite, Store};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes the page of a campaign.
pub(crate) fn report(arguments: &Report) -> Result<Exit> {
    let campaign = match &arguments.from {
        Some(file) => read(file)?,
        None => latest(arguments.campaign.as_deref())?,
    };
    let html = page::html(&campaign)?;
    if let Some(folder) = arguments.output.parent() {
        fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    }
    fs::write(&arguments.output, html).with_context(|| {
        format!("{} cannot be written; name another by --output", arguments.output.display())
    })?;
    status::progress("Wrote", &arguments.output.display().to_string());
    if arguments.open && !is_opened(&arguments.output) {
        status::warning("no browser could be started; open the file yourself");
    }
    Ok(Exit::Success)
}

/// Reads the JSON report of a campaign.
fn read(file: &Path) -> Result<Campaign> {
    let text = fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
    serde_json::from_str(&text).with_context(|| {
        format!(
            "{} is no report of a campaign; give a file that `cargo bugnet swarm --json` wrote",
            file.display()
        )
    })
}

/// The campaign of a name, or without one the latest, of the store in this folder.
fn latest(name: Option<&str>) -> Result<Campaign> {
    let Some(mut store) = Sqlite::read(Path::new(FOLDER))? else {
        bail!(
            "there is no campaign in {FOLDER}; run `cargo bugnet swarm` here first, or give its --json report by --from"
        );
    };
    let mut campaigns = store.reports()?;
    let mut names: Vec<String> = campaigns.iter().map(|campaign| campaign.name.clone()).collect();
    names.dedup();
    if let Some(name) = name {
        campaigns.retain(|campaign| campaign.name == name);
    }
    match (campaigns.pop(), name) {
        (Some(campaign), _) => Ok(campaign),
        (None, Some(name)) => {
            bail!("there is no campaign `{name}` in {FOLDER}; there is {}", names.join(", "))
        }
        (None, None) => {
            bail!("no campaign in {FOLDER} has ended yet; let `cargo bugnet swarm` end, or end it by Ctrl-C")
        }
    }
}

/// Shows a file in the browser of the user; says whether one was started.
fn is_opened(file: &Path) -> bool {
    let programs: &[&[&str]] = match std::env::consts::OS {
        "macos" => &[&["open"]],
        "windows" => &[&["cmd", "/C", "start", ""]],
        _ => &[&["xdg-open"], &["gio", "open"]],
    };
    programs.iter().any(|words| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    })
}
