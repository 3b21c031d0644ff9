//! The machine that programs are built for: files, and twenty operations that do next to nothing to
//! them.
//!
//! **Invariant:** nothing fails, so that a pattern is met as often as chance has it.

use crate::throughput::tally;
use bugnet::prelude::*;

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

/// What the operations change.
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

macro_rules! files {
    ([$($whole:ident)*] [$($part:ident)*]) => {
        /// The operations that a pattern can have, and whether they have a block.
        pub const OPERATIONS: &[(&str, bool)] =
            &[$((stringify!($whole), false),)* $((stringify!($part), true),)*];

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
    };
}

files!(
    [
        rewind flush lock unlock sync stat freeze thaw mark forget
        hide show share seal watch audit dedupe shred touch_up refresh
    ]
    [
        read write append erase check pin unpin fetch copy swap
        punch splice hash sign verify pack unpack shift zero trace
    ]
);
