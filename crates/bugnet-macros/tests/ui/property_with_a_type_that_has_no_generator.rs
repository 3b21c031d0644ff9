use bugnet::prelude::*;

struct Opaque;

// `trybuild` does not build tests. An attribute that is called `test` and does nothing keeps the
// property from being one, so that it is compiled.
#[property]
#[rustfmt::test]
fn by_value(_number: u8, _opaque: Opaque) {}

#[property]
#[rustfmt::test]
fn by_reference(_opaques: &[Opaque]) {}

#[property]
#[rustfmt::test]
fn by_generator(#[with(7u8)] _number: u8) {}

#[property]
#[rustfmt::test]
fn by_generator_of_another_type(#[with(0..3u16)] _number: u8) {}

fn main() {}
