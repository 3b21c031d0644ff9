//! Variants: N-Prog for Rust. Every small change of a library is compiled once behind a switch, the user's tests say
//! which changes nobody notices, and inputs that would notice them become questions.
//!
//! The modules follow the data. [`schema_rust`] finds [`mutation`]s by [`operator`]s and writes them into a [`copy`],
//! which [`build`] compiles; [`suite`] learns what each test reaches, and [`neutral`] says which mutants live. These are
//! [`pack`]ed, the [`filter`] finds programs that notice them, each of which becomes a [`question`] with a test that was
//! seen to fail ([`offer`]), and a person makes a [`decision`].
//!
//! **Invariant:** only [`schema_rust`] and [`build`] know the language; a mutant is a switch number everywhere else.

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
pub(crate) mod question;
pub(crate) mod schema_rust;
pub(crate) mod session;
pub(crate) mod suite;
