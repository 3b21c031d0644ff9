//! Probes: what a type can do, asked where the type is known.
//!
//! A method call takes the candidate with the fewest references first, so `(&&Probe::<T>::NEW)`
//! prefers the trait that demands most of `T` and falls back to the one that demands nothing.

use crate::choice::Source;
use crate::generate::Generate;
use std::any::Any;
use std::collections::hash_map::DefaultHasher;
use std::fmt::{Debug, Write};
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// Asks what a type can do.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Probe<T>(PhantomData<fn() -> T>);

impl<T> Probe<T> {
    /// The probe of a type.
    pub const NEW: Probe<T> = Probe(PhantomData);
}

/// A type that generates has a generator.
#[doc(hidden)]
pub trait Generated<T> {
    /// The generator.
    fn generator(&self) -> Option<fn(&mut Source) -> T>;

    /// True if it makes values by calls.
    fn is_built(&self) -> bool;

    /// The generator, unless it makes values by calls, which those of a suite do as well.
    fn generator_unless_built(&self) -> Option<fn(&mut Source) -> T>;
}

impl<T: Generate> Generated<T> for &Probe<T> {
    #[inline(always)]
    fn generator(&self) -> Option<fn(&mut Source) -> T> {
        Some(T::generate)
    }

    fn is_built(&self) -> bool {
        T::BUILT
    }

    #[inline(always)]
    fn generator_unless_built(&self) -> Option<fn(&mut Source) -> T> {
        (!T::BUILT).then_some(T::generate)
    }
}

/// Any other type has none.
#[doc(hidden)]
pub trait NotGenerated<T> {
    /// No generator.
    fn generator(&self) -> Option<fn(&mut Source) -> T>;

    /// False.
    fn is_built(&self) -> bool;

    /// No generator.
    fn generator_unless_built(&self) -> Option<fn(&mut Source) -> T>;
}

impl<T> NotGenerated<T> for Probe<T> {
    #[inline(always)]
    fn generator(&self) -> Option<fn(&mut Source) -> T> {
        None
    }

    fn is_built(&self) -> bool {
        false
    }

    #[inline(always)]
    fn generator_unless_built(&self) -> Option<fn(&mut Source) -> T> {
        None
    }
}

/// A type that can be printed is observed by printing it, for nobody to see.
#[doc(hidden)]
pub trait Observed {
    /// Returns the function that prints a value.
    fn observer(&self) -> Option<fn(&dyn Any)>;
}

impl<T: Debug + Any> Observed for &Probe<T> {
    fn observer(&self) -> Option<fn(&dyn Any)> {
        Some(|value| {
            let _ = write!(Nowhere, "{:?}", value.downcast_ref::<T>().expect("a value is of its kind"));
        })
    }
}

/// Forgets what is written to it.
struct Nowhere;

impl Write for Nowhere {
    fn write_str(&mut self, _: &str) -> std::fmt::Result {
        Ok(())
    }
}

/// Any other type cannot be observed.
#[doc(hidden)]
pub trait NotObserved {
    /// Not at all.
    fn observer(&self) -> Option<fn(&dyn Any)>;
}

impl<T> NotObserved for Probe<T> {
    fn observer(&self) -> Option<fn(&dyn Any)> {
        None
    }
}

/// Returns a value as text, or nothing if it is of another type.
#[doc(hidden)]
pub type Printer = fn(&dyn Any) -> Option<String>;

/// A type that can be printed has a printer.
#[doc(hidden)]
pub trait Printed {
    /// The printer.
    fn printer(&self) -> Option<Printer>;
}

impl<T: Debug + Any> Printed for &Probe<T> {
    fn printer(&self) -> Option<Printer> {
        Some(|value| value.downcast_ref::<T>().map(|value| format!("{value:?}")))
    }
}

/// Any other type has none.
#[doc(hidden)]
pub trait NotPrinted {
    /// No printer.
    fn printer(&self) -> Option<Printer>;
}

impl<T> NotPrinted for Probe<T> {
    fn printer(&self) -> Option<Printer> {
        None
    }
}

/// Tells states apart by their hash.
#[doc(hidden)]
pub trait Fingerprinted {
    /// Returns the function that makes a fingerprint of a value.
    fn fingerprint(&self) -> Option<fn(&dyn Any) -> u64>;
}

impl<T: Hash + Any> Fingerprinted for &&Probe<T> {
    fn fingerprint(&self) -> Option<fn(&dyn Any) -> u64> {
        Some(|value| {
            // The keys of this hasher are fixed, so the fingerprint is the same in every run.
            let mut hasher = DefaultHasher::new();
            value.downcast_ref::<T>().hash(&mut hasher);
            hasher.finish()
        })
    }
}

/// Tells states apart by what `Debug` prints.
#[doc(hidden)]
pub trait FingerprintedByDebug {
    /// Returns the function that makes a fingerprint of a value.
    fn fingerprint(&self) -> Option<fn(&dyn Any) -> u64>;
}

impl<T: Debug + Any> FingerprintedByDebug for &Probe<T> {
    fn fingerprint(&self) -> Option<fn(&dyn Any) -> u64> {
        Some(|value| {
            let mut text = Digest(0xcbf2_9ce4_8422_2325);
            let _ = write!(text, "{:?}", value.downcast_ref::<T>());
            text.0
        })
    }
}

/// Hashes what is written to it.
struct Digest(u64);

impl Write for Digest {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Ok(())
    }
}

/// Cannot tell states apart.
#[doc(hidden)]
pub trait NotFingerprinted {
    /// Not at all.
    fn fingerprint(&self) -> Option<fn(&dyn Any) -> u64>;
}

impl<T> NotFingerprinted for Probe<T> {
    fn fingerprint(&self) -> Option<fn(&dyn Any) -> u64> {
        None
    }
}

#[cfg(test)]
#[expect(clippy::needless_borrow, reason = "the number of references is what is asked")]
mod tests {
    use super::*;

    struct Opaque;

    #[derive(Debug)]
    struct Printed8(#[expect(dead_code, reason = "read by Debug")] u8);

    #[test]
    fn a_type_without_generator_has_none() {
        assert!((&&Probe::<u8>::NEW).generator().is_some());
        assert!((&&Probe::<Opaque>::NEW).generator().is_none());
    }

    #[test]
    fn what_can_be_printed_is_observed() {
        assert!((&&Probe::<Opaque>::NEW).observer().is_none());
        (&&Probe::<Printed8>::NEW).observer().unwrap()(&Printed8(1));
    }

    #[test]
    fn what_can_be_printed_is_printed() {
        let printer = (&&Probe::<Printed8>::NEW).printer().unwrap();
        assert_eq!(printer(&Printed8(7)).as_deref(), Some("Printed8(7)"));
        assert_eq!(printer(&7u8), None);
        assert!((&&Probe::<Opaque>::NEW).printer().is_none());
    }

    #[test]
    fn states_are_told_apart_by_hash_or_else_by_debug() {
        let by_hash = (&&&Probe::<u8>::NEW).fingerprint().unwrap();
        assert_ne!(by_hash(&1u8), by_hash(&2u8));
        let by_debug = (&&&Probe::<Printed8>::NEW).fingerprint().unwrap();
        assert_ne!(by_debug(&Printed8(1)), by_debug(&Printed8(2)));
        assert!((&&&Probe::<Opaque>::NEW).fingerprint().is_none());
    }
}
