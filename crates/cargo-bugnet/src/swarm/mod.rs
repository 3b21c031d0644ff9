//! Swarm testing of any program: a generator with features, programs that read what it makes, and an oracle.
//!
//! The modules follow the data. A [`file`] says what to run. For each test, a [`setup`] is [`draw`]n, the generator
//! makes an input, and the targets read it ([`test`](mod@test)), each as a [`program`] that the [`oracle`] judges.
//! A [`run`](mod@run) does that for shards of the store, after a [`check`](mod@check). What failed is made smaller
//! ([`reduce`]) and explained ([`why`]); a [`summary`] is what reports show, and [`compare`](mod@compare) sets two
//! schemes side by side.
//!
//! **Invariant:** test `i` is a function of the file, the scheme, the seed and `i`.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod draw;
pub(crate) mod file;
pub(crate) mod known;
pub(crate) mod oracle;
pub(crate) mod program;
pub(crate) mod reduce;
pub(crate) mod run;
pub(crate) mod setup;
pub(crate) mod summary;
pub(crate) mod template;
pub(crate) mod test;
pub(crate) mod why;
