use bugnet::prelude::*;

struct Opaque;

#[law(test)]
fn of_what_nobody_makes(_opaque: Opaque) {}

#[law(time = "5s")]
fn with_a_setting_of_tests(_number: u8) {}

#[law(discard = 7)]
fn with_a_wrong_value(_number: u8) {}

#[law]
fn of_any_type<T>(_value: T) {}

#[law]
async fn that_waits(_number: u8) {}

impl Opaque {
    #[law(test)]
    fn on_a_value(&self) {}
}

fn main() {}
