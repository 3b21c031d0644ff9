//! num-rational@0.4.2, tuned on

use bugnet::prelude::*;
use num_rational::Ratio;

/// "Rounds towards minus infinity."
#[law]
fn the_floor_is_the_next_integer_below(ratio: &Ratio<i32>) {
    assume!(*ratio.denom() > 0);
    let floor = ratio.floor();
    classify!(*ratio.numer() < 0, "negative");
    assert!(floor.is_integer());
    assert!(i64::from(*floor.numer()) * i64::from(*ratio.denom()) <= i64::from(*ratio.numer()));
    assert!((i64::from(*floor.numer()) + 1) * i64::from(*ratio.denom()) > i64::from(*ratio.numer()));
}

/// "Returns the fractional part of a number, with division rounded towards zero. Satisfies `self == self.trunc() +
/// self.fract()`."
#[law]
fn a_number_is_its_whole_and_its_fraction(ratio: &Ratio<i32>) {
    assume!(*ratio.denom() > 0);
    assert_eq!(*ratio, ratio.trunc() + ratio.fract());
}
