use bugnet::prelude::*;

// See `property_with_a_type_that_has_no_generator.rs` for the second attribute.
#[property]
#[rustfmt::test]
fn number(a: u8) -> u8 {
    a
}

#[property]
#[rustfmt::test]
fn behind_a_precondition(a: u8) -> u8 {
    assume!(a > 3);
    a
}

fn main() {}
