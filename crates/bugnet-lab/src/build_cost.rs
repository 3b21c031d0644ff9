//! What adding each library to a crate costs to build. Not written yet.

/// Nothing to choose yet.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

pub fn run(_arguments: &Arguments) -> anyhow::Result<()> {
    anyhow::bail!("build-cost is not written yet")
}
