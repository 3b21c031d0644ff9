use bugnet::prelude::*;

#[property(case = 10)]
fn unknown(a: u8) {}

#[property(cases = 0)]
fn no_cases(a: u8) {}

#[property(cases = "many")]
fn words_for_a_number(a: u8) {}

#[property(cases = -1)]
fn negative(a: u8) {}

#[property(cases = 2 * 100)]
fn computed(a: u8) {}

#[property(cases)]
fn no_value(a: u8) {}

#[property(cases = 10, cases = 20)]
fn twice(a: u8) {}

#[property(time = 5)]
fn time_without_a_unit(a: u8) {}

#[property(time = "soon")]
fn time_in_words(a: u8) {}

#[property(time = "0s")]
fn no_time(a: u8) {}

#[property(shrink_time = "1 day")]
fn an_unknown_unit(a: u8) {}

#[property(seed = "lucky")]
fn seed(a: u8) {}

#[property(depth = 5_000_000_000)]
fn too_deep(a: u8) {}

#[property(strategies = clever)]
fn strategies(a: u8) {}

#[property(shrinks = 1.5)]
fn shrinks(a: u8) {}

#[property(shrinks = 1e3)]
fn exponents(a: u8) {}

#[property(shrinks = 18446744073709551616)]
fn too_many_shrinks(a: u8) {}

#[property(isolate = 2)]
fn isolate(a: u8) {}

#[property(regressions = "no")]
fn regressions(a: u8) {}

#[property(expect_panic = 3)]
fn expect_panic(a: u8) {}

#[property(block_on = "run")]
fn block_on_text(a: u8) {}

#[property(block_on = run)]
fn block_on_without_a_future(a: u8) {}

#[property("cases = 10")]
fn no_key(a: u8) {}

#[property(cases = 10; depth = 3)]
fn no_comma(a: u8) {}

fn main() {}
