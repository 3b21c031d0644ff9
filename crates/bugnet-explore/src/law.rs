//! Laws: what must hold of the values of a type because of the traits that it has.
//!
//! Which traits a type has is asked where the type is known, as [`Probe`] does it: each group of laws is
//! a trait for probes of those types that have what the laws speak of, and another one for all others.
//!
//! **Invariant:** a law is a call of a program like any other, so it is replayed, reduced and printed as
//! one; its template is the assertion.
#![expect(clippy::eq_op, reason = "that a value is equal to itself is a law")]

use bugnet::oracle::{IntoVerdict, Verdict};
use bugnet::program::{Api, Frame, Kind, Mode, Operation, Parameter, Probe, Role};
use std::cmp::Ordering;
use std::fmt::{Debug, Display, Write};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};
use std::iter::FusedIterator;
use std::str::FromStr;

/// An iterator that yields more is not followed to its end.
const MOST: usize = 1_000;

/// Functions that an assertion may call, each as its name and its source.
pub(crate) const HELPERS: [(&str, &str); 2] = [
    (
        "hash_of(",
        "fn hash_of(value: &impl std::hash::Hash) -> u64 {\n    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};\n    BuildHasherDefault::<DefaultHasher>::default().hash_one(value)\n}",
    ),
    (
        "is_parsed(",
        "fn is_parsed<T: std::fmt::Display + std::str::FromStr + PartialEq>(value: &T) -> bool {\n    value != value || value.to_string().parse().ok().as_ref() == Some(value)\n}",
    ),
];

fn hash_of(value: &impl Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(value)
}

/// Takes what is printed and forgets it.
struct Nowhere;

impl Write for Nowhere {
    fn write_str(&mut self, _: &str) -> std::fmt::Result {
        Ok(())
    }
}

/// A law by its name and the type that it is of. Tapes and patterns know it as `law {name} of {kind}`.
fn named(
    name: &'static str,
    of: &'static str,
    template: &'static str,
    body: fn(&mut Frame<'_>) -> Verdict,
) -> Operation {
    let operation: &'static str = Box::leak(format!("law {name} of {of}").into_boxed_str());
    Operation::new(operation, template, body).role(Role::Law { name, of })
}

/// A law of some values of one type.
fn law<T: 'static>(
    law: &'static str,
    kind: &'static str,
    modes: &[Mode],
    template: &'static str,
    body: fn(&mut Frame<'_>) -> Verdict,
) -> Operation {
    let names = ["one", "other", "third"];
    let parameters = modes.iter().zip(names);
    parameters.fold(named(law, kind, template, body), |operation, (mode, name)| {
        operation.parameter(Parameter::earlier(name, Kind::of::<T>(kind), *mode))
    })
}

const ONE: &[Mode] = &[Mode::Shared];
const TWO: &[Mode] = &[Mode::Shared, Mode::Shared];
const THREE: &[Mode] = &[Mode::Shared, Mode::Shared, Mode::Shared];
const OWN: &[Mode] = &[Mode::Value];

/// A group of laws: those of the types with some traits, and none for all others.
macro_rules! group {
    ($(#[$doc:meta])* $name:ident, $has:ident, $lacks:ident: [$($bounds:tt)*], |$kind:ident| $laws:expr) => {
        $(#[$doc])*
        pub trait $has {
            /// The laws, as operations; the type goes by this name.
            fn $name(&self, kind: &'static str) -> Vec<Operation>;
        }

        impl<T: $($bounds)* + 'static> $has for &Probe<T> {
            fn $name(&self, $kind: &'static str) -> Vec<Operation> {
                $laws
            }
        }

        /// Other types have no such laws.
        pub trait $lacks {
            /// None.
            fn $name(&self, kind: &'static str) -> Vec<Operation>;
        }

        impl<T> $lacks for Probe<T> {
            fn $name(&self, _: &'static str) -> Vec<Operation> {
                Vec::new()
            }
        }
    };
}

group!(
    /// Printing for programmers never panics.
    debugged, Debugged, NotDebugged: [Debug], |kind| vec![law::<T>(
        "debug_prints", kind, ONE, "format!(\"{:?}\", {&0})",
        |f| { let _ = write!(Nowhere, "{:?}", f.shared::<T>(0)); Verdict::Pass },
    )]
);

group!(
    /// The checks that the crate itself declares for a type, by `#[check]`, hold.
    checked, Checked, NotChecked: [Api], |kind| vec![law::<T>(
        "checks_hold", kind, ONE, "bugnet::program::Api::assert_checks({&0})",
        |f| { f.shared::<T>(0).assert_checks(); Verdict::Pass },
    )]
);

group!(
    /// Printing for users never panics.
    displayed, Displayed, NotDisplayed: [Display], |kind| vec![law::<T>(
        "display_prints", kind, ONE, "format!(\"{}\", {&0})",
        |f| { let _ = write!(Nowhere, "{}", f.shared::<T>(0)); Verdict::Pass },
    )]
);

group!(
    /// `==` is the same from both sides.
    compared, Compared, NotCompared: [PartialEq], |kind| vec![law::<T>(
        "eq_is_symmetric", kind, TWO, "assert_eq!({&0} == {&1}, {&1} == {&0})",
        |f| { let (a, b) = (f.shared::<T>(0), f.shared::<T>(1)); ((a == b) == (b == a)).into_verdict() },
    )]
);

group!(
    /// Every value is equal to itself, and what is equal to something equal is equal.
    equated, Equated, NotEquated: [Eq], |kind| vec![
        law::<T>("eq_is_reflexive", kind, ONE, "assert!({&0} == {&0})",
            |f| { let a = f.shared::<T>(0); (a == a).into_verdict() }),
        law::<T>("eq_is_transitive", kind, THREE, "assert!({&0} != {&1} || {&1} != {&2} || {&0} == {&2})",
            |f| {
                let (a, b, c) = (f.shared::<T>(0), f.shared::<T>(1), f.shared::<T>(2));
                (a != b || b != c || a == c).into_verdict()
            }),
    ]
);

group!(
    /// A clone is equal to the original.
    cloned, Cloned, NotCloned: [Clone + Eq], |kind| vec![law::<T>(
        "clone_is_equal", kind, ONE, "assert!({&0} == &{0}.clone())",
        |f| { let a = f.shared::<T>(0); (*a == a.clone()).into_verdict() },
    )]
);

group!(
    /// Equal values have equal hashes.
    hashed, Hashed, NotHashed: [Hash + Eq], |kind| vec![law::<T>(
        "equal_hashes", kind, TWO, "assert!({&0} != {&1} || hash_of({&0}) == hash_of({&1}))",
        |f| {
            let (a, b) = (f.shared::<T>(0), f.shared::<T>(1));
            (a != b || hash_of(a) == hash_of(b)).into_verdict()
        },
    )]
);

group!(
    /// The hash of a clone is that of the original.
    hash_cloned, HashCloned, NotHashCloned: [Hash + Eq + Clone], |kind| vec![law::<T>(
        "clone_hashes_alike", kind, ONE, "assert!({&0} != &{0}.clone() || hash_of({&0}) == hash_of(&{0}.clone()))",
        |f| {
            let a = f.shared::<T>(0);
            let b = a.clone();
            (*a != b || hash_of(a) == hash_of(&b)).into_verdict()
        },
    )]
);

group!(
    /// A collection is equal to one that is made of its items, in their order.
    rebuilt, Rebuilt, NotRebuilt: [Clone + Eq + IntoIterator + FromIterator<<T as IntoIterator>::Item>], |kind| vec![law::<T>(
        "rebuilt_is_equal", kind, ONE, "{ let mut rebuilt = {0}.clone(); rebuilt = rebuilt.into_iter().collect(); assert!({&0} == &rebuilt) }",
        |f| {
            let a = f.shared::<T>(0);
            (*a == a.clone().into_iter().collect::<T>()).into_verdict()
        },
    )]
);

group!(
    /// A collection has the hash of an equal one that is made of its items.
    rebuilt_hashed, RebuiltHashed, NotRebuiltHashed: [Clone + Eq + Hash + IntoIterator + FromIterator<<T as IntoIterator>::Item>], |kind| vec![law::<T>(
        "rebuilt_hashes_alike", kind, ONE,
        "{ let mut rebuilt = {0}.clone(); rebuilt = rebuilt.into_iter().collect(); assert!({&0} != &rebuilt || hash_of({&0}) == hash_of(&rebuilt)) }",
        |f| {
            let a = f.shared::<T>(0);
            let b: T = a.clone().into_iter().collect();
            (*a != b || hash_of(a) == hash_of(&b)).into_verdict()
        },
    )]
);

group!(
    /// `<`, `>` and `partial_cmp` say the same from both sides, and the same as `==`.
    partly_ordered, PartlyOrdered, NotPartlyOrdered: [PartialOrd], |kind| vec![
        law::<T>("partial_cmp_is_dual", kind, TWO,
            "assert_eq!({0}.partial_cmp({&1}), {1}.partial_cmp({&0}).map(std::cmp::Ordering::reverse))",
            |f| {
                let (a, b) = (f.shared::<T>(0), f.shared::<T>(1));
                (a.partial_cmp(b) == b.partial_cmp(a).map(Ordering::reverse)).into_verdict()
            }),
        law::<T>("partial_cmp_agrees_with_eq", kind, TWO,
            "assert_eq!({&0} == {&1}, {0}.partial_cmp({&1}) == Some(std::cmp::Ordering::Equal))",
            |f| {
                let (a, b) = (f.shared::<T>(0), f.shared::<T>(1));
                ((a == b) == (a.partial_cmp(b) == Some(Ordering::Equal))).into_verdict()
            }),
        law::<T>("less_agrees_with_partial_cmp", kind, TWO,
            "assert_eq!({&0} < {&1}, {0}.partial_cmp({&1}) == Some(std::cmp::Ordering::Less))",
            |f| {
                let (a, b) = (f.shared::<T>(0), f.shared::<T>(1));
                ((a < b) == (a.partial_cmp(b) == Some(Ordering::Less))).into_verdict()
            }),
    ]
);

group!(
    /// `cmp` is an order, and the one of `partial_cmp` and `==`.
    ordered, Ordered, NotOrdered: [Ord], |kind| vec![
        law::<T>("cmp_agrees_with_partial_cmp", kind, TWO, "assert_eq!({0}.partial_cmp({&1}), Some({0}.cmp({&1})))",
            |f| {
                let (a, b) = (f.shared::<T>(0), f.shared::<T>(1));
                (a.partial_cmp(b) == Some(a.cmp(b))).into_verdict()
            }),
        law::<T>("cmp_is_dual", kind, TWO, "assert_eq!({0}.cmp({&1}), {1}.cmp({&0}).reverse())",
            |f| {
                let (a, b) = (f.shared::<T>(0), f.shared::<T>(1));
                (a.cmp(b) == b.cmp(a).reverse()).into_verdict()
            }),
        law::<T>("cmp_agrees_with_eq", kind, TWO, "assert_eq!({&0} == {&1}, {0}.cmp({&1}).is_eq())",
            |f| {
                let (a, b) = (f.shared::<T>(0), f.shared::<T>(1));
                ((a == b) == a.cmp(b).is_eq()).into_verdict()
            }),
        law::<T>("cmp_is_transitive", kind, THREE, "assert!({&0} > {&1} || {&1} > {&2} || {&0} <= {&2})",
            |f| {
                let (a, b, c) = (f.shared::<T>(0), f.shared::<T>(1), f.shared::<T>(2));
                (a.cmp(b).is_gt() || b.cmp(c).is_gt() || a.cmp(c).is_le()).into_verdict()
            }),
    ]
);

/// Returns true if a printed value parses back to an equal value. A value that is not equal to itself, such
/// as NaN, passes.
fn is_parsed<T: Display + FromStr + PartialEq>(value: &T) -> bool {
    value != value || value.to_string().parse().ok().as_ref() == Some(value)
}

group!(
    /// A printed value parses back to an equal one, provided that some other value does. If no value does,
    /// `Display` and `FromStr` are not meant as a pair, such as for a number that is printed with its name.
    parsed, Parsed, NotParsed: [Display + FromStr + PartialEq], |kind| vec![law::<T>(
        "display_is_parsed", kind, TWO, "assert!(is_parsed({&0}) || !is_parsed({&1}))",
        |f| {
            let (a, b) = (f.shared::<T>(0), f.shared::<T>(1));
            (is_parsed(a) || !is_parsed(b)).into_verdict()
        },
    )]
);

group!(
    /// An iterator yields as many as it says.
    iterated, Iterated, NotIterated: [Iterator], |kind| vec![law::<T>(
        "size_hint_holds", kind, OWN,
        "{ let hint = {0}.size_hint(); let count = {0}.take(1_000).count(); assert!(count == 1_000 || hint.0 <= count && hint.1.is_none_or(|most| count <= most)) }",
        |f| {
            let iterator: T = f.take(0);
            let (least, most) = iterator.size_hint();
            let count = iterator.take(MOST).count();
            (count == MOST || least <= count && most.is_none_or(|most| count <= most)).into_verdict()
        },
    )]
);

group!(
    /// The length of an iterator is how many it yields.
    measured, Measured, NotMeasured: [ExactSizeIterator], |kind| vec![law::<T>(
        "len_is_count", kind, OWN,
        "{ let len = {0}.len(); let count = {0}.take(1_000).count(); assert!(count == 1_000 || len == count) }",
        |f| {
            let iterator: T = f.take(0);
            let length = iterator.len();
            let count = iterator.take(MOST).count();
            (count == MOST || length == count).into_verdict()
        },
    )]
);

group!(
    /// From both ends an iterator yields each item once.
    two_ended, TwoEnded, NotTwoEnded: [DoubleEndedIterator + Clone], |kind| vec![
        law::<T>("both_ends_meet", kind, OWN,
            "{ let count = {0}.clone().take(1_000).count(); let mut ends = 0; while ends < 1_000 && (if ends % 2 == 0 { {0}.next() } else { {0}.next_back() }).is_some() { ends += 1; } assert!(count == 1_000 || ends == count) }",
            |f| {
                let mut iterator: T = f.take(0);
                let count = iterator.clone().take(MOST).count();
                let mut ends = 0;
                while ends < MOST && (if ends % 2 == 0 { iterator.next() } else { iterator.next_back() }).is_some() {
                    ends += 1;
                }
                (count == MOST || ends == count).into_verdict()
            }),
    ]
);

group!(
    /// An iterator yields the same items backwards, in reverse order.
    reversed, Reversed, NotReversed: [DoubleEndedIterator<Item: PartialEq> + Clone], |kind| vec![
        law::<T>("rev_is_reverse", kind, OWN,
            "{ let mut there: Vec<_> = {0}.clone().take(1_000).collect(); there.reverse(); let back: Vec<_> = {0}.rev().take(1_000).collect(); assert!(there.len() == 1_000 || there == back) }",
            |f| {
                let iterator: T = f.take(0);
                let mut there: Vec<_> = iterator.clone().take(MOST).collect();
                there.reverse();
                // A value that is not equal to itself tells nothing.
                let is_odd = there.iter().any(|item| item != item);
                let back: Vec<_> = iterator.rev().take(MOST).collect();
                (is_odd || there.len() == MOST || there == back).into_verdict()
            }),
    ]
);

group!(
    /// An iterator that says so yields nothing after its end.
    fused, Fused, NotFused: [FusedIterator], |kind| vec![law::<T>(
        "end_is_final", kind, OWN,
        "{ let count = {0}.by_ref().take(1_000).count(); assert!(count == 1_000 || {0}.next().is_none() && {0}.next().is_none()) }",
        |f| {
            let mut iterator: T = f.take(0);
            let count = iterator.by_ref().take(MOST).count();
            (count == MOST || iterator.next().is_none() && iterator.next().is_none()).into_verdict()
        },
    )]
);

group!(
    /// The default value is always the same.
    defaulted, Defaulted, NotDefaulted: [Default + Eq], |kind| vec![{
        let template: &'static str =
            Box::leak(format!("assert!(<{kind} as Default>::default() == <{kind} as Default>::default())").into_boxed_str());
        named("default_is_equal", kind, template, |_| (T::default() == T::default()).into_verdict())
    }]
);

/// The laws of a type, as operations: `laws!(Type, "its name")`.
#[macro_export]
#[doc(hidden)]
macro_rules! laws {
    ($type:ty, $name:expr) => {{
        #[allow(unused_imports, reason = "not every type has all of them")]
        use $crate::law::*;
        let (probe, name) = ($crate::Probe::<$type>::NEW, $name);
        let probe = &probe;
        let mut laws = ::std::vec::Vec::<$crate::Operation>::new();
        $crate::laws!(@each laws, probe, name: checked debugged displayed compared equated cloned hashed hash_cloned rebuilt rebuilt_hashed
            partly_ordered ordered parsed iterated measured two_ended reversed fused defaulted);
        laws
    }};
    (@each $laws:ident, $probe:ident, $name:ident: $($group:ident)*) => {
        $($laws.extend((&$probe).$group($name));)*
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(laws: Vec<Operation>) -> Vec<&'static str> {
        laws.into_iter().map(|law| law.name).collect()
    }

    #[test]
    fn what_is_printed_is_read_as_the_same_or_not() {
        #[derive(PartialEq)]
        struct Loud(u8);
        impl Display for Loud {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(out, "{}!", self.0)
            }
        }
        impl FromStr for Loud {
            type Err = std::num::ParseIntError;
            fn from_str(text: &str) -> Result<Loud, std::num::ParseIntError> {
                text.parse().map(Loud)
            }
        }
        assert!(is_parsed(&7) && is_parsed(&f64::NAN) && !is_parsed(&Loud(7)));
    }

    #[test]
    fn a_type_has_the_laws_of_its_traits_and_no_others() {
        struct Opaque;
        assert!(names(crate::laws!(Opaque, "Opaque")).is_empty());
        let float = names(crate::laws!(f64, "f64"));
        assert!(
            float.contains(&"law eq_is_symmetric of f64") && float.contains(&"law display_is_parsed of f64")
        );
        assert!(
            !float.contains(&"law eq_is_reflexive of f64") && !float.contains(&"law equal_hashes of f64")
        );
        let list = names(crate::laws!(std::vec::IntoIter<u8>, "IntoIter<u8>"));
        assert!(
            list.contains(&"law rev_is_reverse of IntoIter<u8>")
                && list.contains(&"law len_is_count of IntoIter<u8>")
        );
    }
}
