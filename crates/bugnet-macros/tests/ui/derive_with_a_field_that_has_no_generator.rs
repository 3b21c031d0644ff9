use bugnet::prelude::*;

struct Opaque;

#[derive(Generate)]
struct Holder {
    number: u8,
    opaque: Opaque,
}

#[derive(Generate)]
struct Mistaken {
    #[generate(with = 7u8)]
    number: u8,
}

fn main() {}
