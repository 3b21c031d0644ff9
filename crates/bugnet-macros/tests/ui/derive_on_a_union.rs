use bugnet::prelude::*;

#[derive(Generate)]
union Either {
    left: u32,
    right: f32,
}

fn main() {}
