//! bigdecimal@0.4.11, tuned on

use bigdecimal::BigDecimal;
use bugnet::prelude::*;

/// Digits after the point (or zeros before it) from which on printing a number takes all memory.
const MANY: u64 = 300;

/// "Return a new BigDecimal object equivalent to self, with internal scaling set to the number specified."
#[law]
fn more_digits_after_the_point_are_the_same_number(number: &BigDecimal, more: u8) {
    let scale = number.fractional_digit_count();
    assume!(scale.unsigned_abs() < MANY);
    let scaled = number.with_scale(scale + i64::from(more));
    assert_eq!(scaled, *number);
    assert_eq!(scaled.fractional_digit_count(), scale + i64::from(more));
}

/// "Divide decimal by 2 (efficiently)"
#[law]
fn twice_the_half_is_the_whole(number: &BigDecimal) {
    assume!(number.fractional_digit_count().unsigned_abs() < MANY);
    classify!(!number.is_integer(), "has a fraction");
    assert_eq!(number.half().double(), *number);
}
