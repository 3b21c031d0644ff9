//! Bugs: what is known of the programs that fail, so that each is found once.
//!
//! A [`Pattern`] says what all programs that fail for one reason have in common: some calls, partly
//! ordered, with variables for their values. The idea is that of MoreBugs (Hughes, Norell, Smallbone
//! and Arts, *Find more bugs with QuickCheck!*, 2016); what it lacks of a reason to fail is learned as
//! [guards](Guard). A [`Matcher`] watches a program grow and says which call would complete a pattern.
//!
//! **Invariant:** nothing here runs a program; what has to be tried is tried by whoever asks.

mod called;
mod class;
mod embedding;
mod generalize;
mod guard;
mod history;
mod matcher;
mod name;
mod pattern;
mod subsume;
mod text;
mod times;
#[cfg(feature = "values")]
pub(crate) mod value;
mod watch;

pub use class::Class;
pub use guard::{Extra, Guard};
pub use history::Call;
pub use matcher::Matcher;
pub use pattern::{Element, Literal, Pattern, Term, Value, literal_value};
pub use subsume::subsumes;
pub use text::PatternError;

pub(crate) use called::Chance;
pub(crate) use embedding::{Embedding, embeddings};
pub(crate) use generalize::{abstracted, calls_of, parallelized, varied};
#[cfg(feature = "values")]
pub(crate) use name::name_for;
pub(crate) use name::name_of;
pub(crate) use pattern::{STATE, begun_value, continued_value};

#[cfg(test)]
mod tests;
