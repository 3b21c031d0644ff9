//! The size budget: how long sequences and how deep recursions may become.
//!
//! A part gets a share of the size of the whole, and with none left recursion ends.
//!
//! **Invariant:** the size of a case is drawn when something asks for it, and not before.

use crate::random::{Stream, scale};
use std::num::NonZero;

/// The size budgets of a case, each equally likely.
const SIZES: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 28, 40, 64, 127];
/// Sizes at which code is known to change its ways: powers of two and their neighbours.
const EDGE_SIZES: [u32; 12] = [7, 9, 31, 32, 33, 63, 65, 127, 128, 255, 256, 257];

/// The size budget for what is being generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size(pub(super) u32);

impl Size {
    /// The size of a case that has not asked for one.
    pub(super) const UNDRAWN: Size = Size(u32::MAX);

    /// Returns the size that is left, and draws it from the stream if nobody has asked before.
    #[inline(always)]
    pub(super) fn left(&mut self, stream: &mut Stream) -> u32 {
        if *self == Size::UNDRAWN {
            *self = Size::drawn(stream.word());
        }
        self.0
    }

    #[cold]
    #[inline(never)]
    fn drawn((class, bits): (u64, u64)) -> Size {
        Size(match class % 32 {
            0 if bits >> 53 == 0 => 65_535 + (bits % 3) as u32,
            0 => EDGE_SIZES[scale(bits, EDGE_SIZES.len() as u64) as usize],
            _ => SIZES[(bits >> 60) as usize],
        })
    }

    /// Returns true if a size was drawn and is used up.
    pub(super) fn is_used_up(self) -> bool {
        self == Size(0)
    }

    /// Divides among the elements of a sequence.
    #[inline]
    pub(super) fn divide(&mut self, parts: usize) {
        if *self != Size::UNDRAWN && parts > 1 {
            self.0 /= parts as u32;
        }
    }

    /// Divides among the fields of a node that lead back to its type; the node takes its part.
    #[inline(always)]
    pub(super) fn descend(&mut self, recursive: u32, stream: &mut Stream) {
        if let Some(recursive) = NonZero::new(recursive) {
            self.0 = self.left(stream).saturating_sub(1) / recursive;
        }
    }
}
