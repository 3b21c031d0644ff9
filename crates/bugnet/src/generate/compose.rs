//! Drawing values: what a source makes of generators and of types with alternatives.
//!
//! **Invariant:** for one seed and case number, the fast and the recording source make the same value.

use super::{Alternatives, Generate, Generator};
use crate::choice::{KnownShape, Shape, Source};

impl Source {
    /// Draws a value from a generator.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let mut source = Source::random(Seed(1), 0);
    /// assert!((10..20).contains(&source.draw(10..20)));
    /// ```
    #[inline]
    pub fn draw<G: Generator>(&mut self, generator: G) -> G::Value {
        generator.generate(self)
    }

    /// Draws a value of a type.
    ///
    /// ```
    /// use bugnet::prelude::*;
    ///
    /// let mut source = Source::random(Seed(1), 0);
    /// let _pair: (u8, String) = source.any();
    /// ```
    #[inline]
    pub fn any<T: Generate>(&mut self) -> T {
        T::generate(self)
    }

    /// Makes a value of a type with alternatives: chooses one, and has it built in a span. One
    /// that ends the recursion is chosen when the size or the depth is used up.
    ///
    /// The code that builds it is compiled three times: where nothing recurs it need not keep the size, and
    /// only where something is recorded need it ask.
    #[doc(hidden)]
    #[inline(always)]
    pub fn compose<T: Alternatives>(&mut self, label: &'static str, shape: &KnownShape) -> T {
        if !self.is_fast() {
            return self.record(label, shape.of::<T>());
        }
        match shape.equal() {
            0 => self.recur(shape.of::<T>()),
            count => {
                let alternative = self.random_below(count) as usize;
                T::build(self, alternative)
            }
        }
    }

    /// Makes a value where nothing is recorded and the size decides, or the weights.
    #[inline(never)]
    fn recur<T: Alternatives>(&mut self, shape: &Shape) -> T {
        let (size, alternative) = (self.size, self.random_alternative(shape));
        let value = T::build(self, alternative);
        self.size = size;
        value
    }

    #[cold]
    #[inline(never)]
    fn record<T: Alternatives>(&mut self, label: &'static str, shape: &Shape) -> T {
        let node = self.enter(label);
        let alternative = self.alternative(label, shape);
        let value = T::build(self, alternative);
        self.leave(node);
        value
    }
}
