use bugnet::prelude::*;

#[property]
#[example(1)]
fn too_few(a: u8, b: u8) {}

#[property]
#[example(1, 2, 3)]
fn too_many(a: u8, b: u8) {}

#[example(1, 2)]
#[property]
fn too_many_before(a: u8) {}

#[property]
#[example]
fn no_list(a: u8) {}

#[example(1)]
fn no_property(a: u8) {}

fn main() {}
