//! The test: a generator and what is to hold of its values.
//!
//! Only this file is compiled anew for every property, so it is short. The rest of the engine
//! sees a property as [`Test`] and is compiled once.
//!
//! **Invariant:** generating reads nothing but the source, so an input can be made twice.

use crate::choice::Source;
use crate::oracle::{IntoVerdict, Verdict};
use crate::program::Programs;

/// A property as the engine sees it. [`Closures`] and [`Programs`] are such properties.
///
/// ```
/// use bugnet::campaign::{Closures, Test};
/// use bugnet::choice::{Source, Tape};
/// use bugnet::oracle::Verdict;
///
/// let small = Closures {
///     generate: |source: &mut Source| source.any::<u8>(),
///     test: |x: u8, _: &mut Source| x < 100,
///     show: |_: &u8| Vec::new(),
/// };
/// let mut simplest = Source::replay(Tape::default());
/// assert_eq!(small.case(&mut simplest, &mut |_| true), Some(Verdict::Pass));
/// assert_eq!(small.case(&mut simplest, &mut |_| false), None);
/// ```
pub trait Test {
    /// Runs random cases without recording, up to and including the first that does not pass.
    fn batch(&self, source: &mut Source, count: u64) -> Verdict;

    /// Generates an input and, if `worth` says that it is worth it, tests it.
    fn case(&self, source: &mut Source, worth: &mut dyn FnMut(&Source) -> bool) -> Option<Verdict>;

    /// Generates an input and prints it.
    fn arguments(&self, source: &mut Source) -> Vec<Argument>;

    /// The programs that the test consists of, if it does.
    #[doc(hidden)]
    fn programs(&self) -> Option<&Programs> {
        None
    }
}

/// One argument of a property, printed.
///
/// ```
/// use bugnet::campaign::Argument;
///
/// let argument = Argument { name: "x", kind: "Vec<u8>", text: "vec![1]".into(), source: true };
/// assert_eq!(argument.to_string(), "let x: Vec<u8> = vec![1];");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// The name of the parameter; empty for a line of a program.
    pub name: &'static str,
    /// Its type as written; empty if unknown.
    pub kind: &'static str,
    /// The value.
    pub text: String,
    /// True if the text is Rust source, not merely the output of `Debug`.
    pub source: bool,
}

impl std::fmt::Display for Argument {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Argument { name, kind, text, source } = self;
        match (source, kind.is_empty()) {
            _ if name.is_empty() => out.write_str(text),
            (true, true) => write!(out, "let {name} = {text};"),
            (true, false) => write!(out, "let {name}: {kind} = {text};"),
            (false, _) => write!(out, "{name} = {text}"),
        }
    }
}

/// A property made of three closures.
///
/// ```
/// use bugnet::Property;
/// use bugnet::campaign::{Argument, Closures};
/// use bugnet::choice::Source;
///
/// let small = Closures {
///     generate: |source: &mut Source| source.any::<u8>(),
///     test: |x: u8, _: &mut Source| x < 100,
///     show: |x: &u8| vec![Argument { name: "x", kind: "u8", text: x.to_string(), source: true }],
/// };
/// let failed = Property::new("small").run(&small).unwrap_err();
/// assert_eq!(failed.arguments()[0].to_string(), "let x: u8 = 100;");
/// ```
#[derive(Debug)]
pub struct Closures<G, T, S> {
    /// Makes an input.
    pub generate: G,
    /// Tests an input.
    pub test: T,
    /// Prints an input.
    pub show: S,
}

impl<I, V, G, T, S> Test for Closures<G, T, S>
where
    V: IntoVerdict,
    G: Fn(&mut Source) -> I,
    T: Fn(I, &mut Source) -> V,
    S: Fn(&I) -> Vec<Argument>,
{
    #[inline(never)]
    fn batch(&self, source: &mut Source, count: u64) -> Verdict {
        let mut left = count;
        source.give_up();
        while left > 0 {
            source.advance();
            let input = (self.generate)(source);
            match (self.test)(input, source).into_verdict() {
                Verdict::Pass => left -= 1,
                verdict => return verdict,
            }
        }
        Verdict::Pass
    }

    fn case(&self, source: &mut Source, worth: &mut dyn FnMut(&Source) -> bool) -> Option<Verdict> {
        let input = (self.generate)(source);
        worth(source).then(|| (self.test)(input, source).into_verdict())
    }

    fn arguments(&self, source: &mut Source) -> Vec<Argument> {
        crate::program::forget();
        (self.show)(&(self.generate)(source))
    }
}

/// A property that only borrows its input, so that the next input can be made in its place.
#[doc(hidden)]
#[derive(Debug)]
pub struct Borrowing<G, R, T, S> {
    /// Makes an input.
    pub generate: G,
    /// Makes an input in the place of another, out of the same choices.
    pub regenerate: R,
    /// True if the inputs reuse memory. Otherwise an input ends with its case.
    pub reuses: bool,
    /// Tests an input.
    pub test: T,
    /// Prints an input.
    pub show: S,
}

impl<I, V, G, R, T, S> Test for Borrowing<G, R, T, S>
where
    V: IntoVerdict,
    G: Fn(&mut Source) -> I,
    R: Fn(&mut I, &mut Source),
    T: Fn(&mut I, &mut Source) -> V,
    S: Fn(&I) -> Vec<Argument>,
{
    #[inline(never)]
    fn batch(&self, source: &mut Source, count: u64) -> Verdict {
        let mut left = count;
        let mut kept = None;
        source.give_up();
        while left > 0 {
            source.advance();
            let input = match &mut kept {
                Some(input) => {
                    (self.regenerate)(input, source);
                    input
                }
                None => kept.insert((self.generate)(source)),
            };
            match (self.test)(input, source).into_verdict() {
                Verdict::Pass => left -= 1,
                verdict => return verdict,
            }
            if !self.reuses {
                kept = None;
            }
        }
        Verdict::Pass
    }

    fn case(&self, source: &mut Source, worth: &mut dyn FnMut(&Source) -> bool) -> Option<Verdict> {
        let mut input = (self.generate)(source);
        worth(source).then(|| (self.test)(&mut input, source).into_verdict())
    }

    fn arguments(&self, source: &mut Source) -> Vec<Argument> {
        crate::program::forget();
        (self.show)(&(self.generate)(source))
    }
}
