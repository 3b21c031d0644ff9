use bugnet::prelude::*;

#[law]
fn is_generic<T>(_value: T) {}

#[law]
struct NoFunction;

struct Stack;

impl Stack {
    #[law(test)]
    fn is_a_method(&self) {}
}

#[law(bugs = 3)]
fn has_a_setting_of_tests_only(_list: Vec<u8>) {}

#[law(discard = 7)]
fn has_a_wrong_setting(_list: Vec<u8>) {}

fn main() {}
