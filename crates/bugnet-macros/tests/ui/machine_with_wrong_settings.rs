use bugnet::prelude::*;

struct A;
struct B;
struct C;
struct D;
struct E;
struct F;

#[machine(tries = 7)]
impl A {}

#[machine(steps = 0)]
impl B {}

#[machine(swarm = "coin:2")]
impl C {}

#[machine(name = 7)]
impl D {}

#[machine(strict)]
impl E {}

#[machine(block_on = run)]
impl F {
    fn new() -> F {
        F
    }
}

#[property(steps = 3)]
fn a_property_has_no_steps() {}

fn main() {}
