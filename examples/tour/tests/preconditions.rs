//! The page on preconditions and labels.

use bugnet::prelude::*;

#[property]
fn division_is_undone(a: u32, b: u32) {
    assume!(b != 0);
    assert_eq!(a / b * b + a % b, a);
}

#[property(strategies = random)]
fn lists_of_all_lengths(list: Vec<u8>) {
    collect!(match list.len() {
        0 => "empty",
        1..=9 => "short",
        _ => "long",
    });
}

#[property]
fn long_texts_are_tested(text: &str) {
    cover!(50, text.len() > 100, "long");
}

#[property]
fn one_number_only(number: u64) {
    assume!(number == 77_777_777_777);
}

#[property]
fn the_mean_lies_between(a: i32, b: i32) {
    assume!(a <= b);
    let mean = a.wrapping_add(b) / 2;
    note!("the mean is {mean}");
    assert!(a <= mean && mean <= b);
}
