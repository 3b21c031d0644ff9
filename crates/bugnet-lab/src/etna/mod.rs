//! ETNA: how many tests each peer needs to find a known bug.
//!
//! ETNA (Shi et al., "Etna: An Evaluation Platform for Property-Based Testing", ICFP 2023) is a
//! set of workloads, each with mutants and properties. Two are re-created here, from its
//! definitions and with code of our own.

mod bst;
#[cfg(test)]
mod exhaustion;
mod law;
mod rbt;
mod task;
mod union_law;

/// The `etna` subcommand.
#[derive(clap::Args, Debug)]
pub struct Etna {}

impl Etna {
    pub fn run(&self) -> anyhow::Result<()> {
        println!(
            "{} BST tasks, {} RBT tasks",
            bst::tasks().len(),
            rbt::tasks().len()
        );
        Ok(())
    }
}
