//! Variants: N-Prog. Every small change of a library or program is compiled once behind a switch, the user's tests say
//! which changes nobody notices, and inputs that would notice them become questions.
//!
//! The modules follow the data. [`schema_rust`] finds [`mutation`]s by [`operator`]s and writes them into a [`copy`],
//! which [`build`] compiles; [`suite`] learns what each test reaches, and [`neutral`] says which mutants live. These are
//! [`pack`]ed, the [`filter`] finds programs that notice them, each of which becomes a [`question`] with a test that was
//! seen to fail ([`offer`]), and a person makes a [`decision`].
//!
//! For C, [`schema_c`] finds and writes mutations, and a [`program`] is built, run and asked about.
//! A whole other build can take the place of the mutants ([`against`]).
//!
//! **Invariant:** only [`schema_rust`], [`schema_c`], [`build`] and [`program`] know the language; a mutant is a switch
//! number everywhere else.

pub(crate) mod against;
pub(crate) mod build;
pub(crate) mod choice;
pub(crate) mod copy;
pub(crate) mod decision;
pub(crate) mod filter;
pub(crate) mod mutation;
pub(crate) mod neutral;
pub(crate) mod offer;
pub(crate) mod operator;
pub(crate) mod pack;
pub(crate) mod program;
pub(crate) mod question;
pub(crate) mod schema_c;
pub(crate) mod schema_rust;
pub(crate) mod session;
pub(crate) mod suite;
