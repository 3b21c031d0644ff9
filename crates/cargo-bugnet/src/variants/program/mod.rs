//! Variants of a C program: it is built once with all its mutants, its own tests say which of them nobody notices, and
//! inputs that would notice them become questions.
//!
//! The [`build`] makes the mutated program, [`case`] is what a program is given, a [`bench`] runs cases with switches,
//! a [`session`] puts both together, [`ask`] finds inputs that notice what lives, and [`kept`] has the answers.
//!
//! **Invariant:** mutants and packing are those of a library; only here is a program run.

pub(crate) mod ask;
pub(crate) mod bench;
pub(crate) mod build;
pub(crate) mod case;
pub(crate) mod kept;
pub(crate) mod session;

/// The folder of everything that is made of a program, below the folder that it lies in.
pub(crate) const FOLDER: &str = ".bugnet/variants";
