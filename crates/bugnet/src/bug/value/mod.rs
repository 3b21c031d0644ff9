//! Patterns of values: what the inputs of a property that fail for one reason have in common.
//!
//! They are found on tapes, so they are there for every type: a [`Form`] is a tree over the spans of an
//! input. How wide it may be is found out by [tests](widen), and how it is written for people by looking
//! at what changes in the [text](words) of an input when a part of it is changed.
//!
//! **Invariant:** nothing here runs a test; what has to be tried is tried by whoever asks.

mod form;
mod likeness;
mod matching;
mod part;
mod printed;
mod sample;
mod text;
mod widen;
mod words;

pub(crate) use form::Form;
pub(crate) use matching::{Anchor, without};
pub(crate) use part::Part;
pub(crate) use sample::{Outcome, Sampler, Trial};
pub(crate) use widen::{Share, Widened, is_confirmed, widened};
pub(crate) use words::in_words;

#[cfg(test)]
mod tests;
