use bugnet::prelude::*;

#[property]
fn no_generator(#[with] value: u8) {}

#[property]
fn empty_generator(#[with()] value: u8) {}

#[property]
fn two_generators(#[with(0..3u8)] #[with(0..5u8)] value: u8) {}

#[property]
fn generated_source(#[with(0..3u8)] source: &mut Source) {}

#[property]
fn two_sources(source: &mut Source, value: u8, other: &mut bugnet::Source) {}

fn main() {}
