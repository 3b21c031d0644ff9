//! The machines that programs are built for: files, and operations that do next to nothing to them. One
//! machine has twice as many operations as the other, so that patterns are met half as often.
//!
//! **Invariant:** nothing fails, so that a pattern is met as often as chance has it.

use bugnet::prelude::*;
use bugnet::program::{Api, Suite};

/// Names a block of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block(u8);

impl Generate for Block {
    fn generate(source: &mut Source) -> Block {
        Block(source.index(16) as u8)
    }
}

impl Literal for Block {
    fn literal(&self) -> String {
        format!("Block({})", self.0)
    }
}

/// A file that was opened.
#[derive(Debug)]
pub struct File(u32);

/// A machine, as the table has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Machine {
    /// 21 operations
    Few,
    /// 41 operations
    Many,
}

impl Machine {
    pub const ALL: [Machine; 2] = [Machine::Few, Machine::Many];

    pub fn name(self) -> &'static str {
        match self {
            Machine::Few => "few",
            Machine::Many => "many",
        }
    }

    pub fn suite(self) -> Suite {
        match self {
            Machine::Few => few::FilesTest::suite(),
            Machine::Many => many::FilesTest::suite(),
        }
    }

    /// The operations that a pattern can have, and whether they have a block.
    pub fn operations(self) -> &'static [(&'static str, bool)] {
        match self {
            Machine::Few => few::OPERATIONS,
            Machine::Many => many::OPERATIONS,
        }
    }
}

macro_rules! files {
    ($machine:ident [$($whole:ident)*] [$($part:ident)*]) => {
        mod $machine {
            use super::{Block, File};
            use crate::throughput::tally;
            use bugnet::prelude::*;

            pub const OPERATIONS: &[(&str, bool)] =
                &[$((stringify!($whole), false),)* $((stringify!($part), true),)*];

            /// The state that the operations change.
            #[derive(Debug)]
            pub struct FilesTest {
                opened: u32,
                changed: u32,
            }

            impl FilesTest {
                #[inline(never)]
                fn touch(&mut self, File(file): &File, block: u8) {
                    tally::count_elements(1);
                    self.changed ^= file.rotate_left(u32::from(block));
                }
            }

            #[machine]
            impl FilesTest {
                fn new() -> Self {
                    tally::count(0);
                    FilesTest { opened: 0, changed: 0 }
                }

                fn open(&mut self) -> File {
                    tally::count_elements(1);
                    self.opened += 1;
                    File(self.opened)
                }

                $(fn $whole(&mut self, file: &File) {
                    self.touch(file, 0);
                })*

                $(fn $part(&mut self, block: Block, file: &File) {
                    self.touch(file, block.0);
                })*
            }
        }
    };
}

files!(
    few
    [rewind flush lock unlock sync stat freeze thaw mark forget]
    [read write append erase check pin unpin fetch copy swap]
);

files!(
    many
    [
        rewind flush lock unlock sync stat freeze thaw mark forget
        hide show share seal watch audit dedupe shred touch_up refresh
    ]
    [
        read write append erase check pin unpin fetch copy swap
        punch splice hash sign verify pack unpack shift zero trace
    ]
);
