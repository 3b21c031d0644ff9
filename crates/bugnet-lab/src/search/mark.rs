//! Marks: small alphabets whose characters mean something to the code under test.

use bugnet::prelude::*;

/// A character of a small alphabet.
pub trait Character {
    fn character(&self) -> char;
}

/// The text that characters make.
pub fn text_of(characters: &[impl Character]) -> String {
    characters.iter().map(Character::character).collect()
}

/// A part of a command line or a file.
#[derive(Debug, Clone, Copy, PartialEq, Generate)]
pub enum Mark {
    A,
    B,
    Space,
    Newline,
    Return,
    Quote,
    DoubleQuote,
    Backslash,
    Hash,
    Minus,
    Plus,
}

impl Character for Mark {
    fn character(&self) -> char {
        match self {
            Mark::A => 'a',
            Mark::B => 'b',
            Mark::Space => ' ',
            Mark::Newline => '\n',
            Mark::Return => '\r',
            Mark::Quote => '\'',
            Mark::DoubleQuote => '"',
            Mark::Backslash => '\\',
            Mark::Hash => '#',
            Mark::Minus => '-',
            Mark::Plus => '+',
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Generate)]
pub enum Letter {
    A,
    B,
}

impl Character for Letter {
    fn character(&self) -> char {
        match self {
            Letter::A => 'a',
            Letter::B => 'b',
        }
    }
}

/// A part of a wildcard pattern.
#[derive(Debug, Clone, Copy, PartialEq, Generate)]
pub enum Wildcard {
    This(Letter),
    Any,
    Some,
}

impl Character for Wildcard {
    fn character(&self) -> char {
        match self {
            Wildcard::This(letter) => letter.character(),
            Wildcard::Any => '?',
            Wildcard::Some => '*',
        }
    }
}
