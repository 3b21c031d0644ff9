use bugnet::prelude::*;

#[property]
struct NoFunction;

#[property]
fn generic<T: Generate>(value: T) {}

#[property]
fn generic_in_secret(value: impl Generate) {}

#[property]
fn bounded(value: u8) where u8: Copy {}

#[property]
const fn constant(value: u8) {}

#[property]
unsafe fn risky(value: u8) {}

#[property]
async unsafe fn risky_later(value: u8) {}

#[property]
extern "C" fn foreign(value: u8) {}

#[property]
fn without_a_type(value) {}

#[property]
fn without_a_body(value: u8);

struct Type;

impl Type {
    #[property]
    fn method(&self, value: u8) {}
}

fn main() {}
