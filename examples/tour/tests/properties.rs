//! The page on properties.

use bugnet::prelude::*;

#[property]
#[example(i32::MIN)]
fn numbers_print_and_parse(number: i32) -> Result<bool, std::num::ParseIntError> {
    Ok(number.to_string().parse::<i32>()? == number)
}

#[property]
fn joining_is_undone_by_splitting(words: Vec<String>) {
    assume!(!words.is_empty());
    let joined = words.join(",");
    let split: Vec<&str> = joined.split(',').collect();
    assert_eq!(split, words);
}

#[property(expect_panic = "out of bounds", cases = 200)]
fn the_end_is_out_of_bounds(list: &[u8]) {
    let _ = list[list.len()];
}

#[property]
async fn an_async_property(a: u32, b: u32) {
    let sum = async { u64::from(a) + u64::from(b) }.await;
    assert!(sum >= u64::from(a));
}
