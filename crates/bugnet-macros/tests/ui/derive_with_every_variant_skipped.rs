use bugnet::prelude::*;

#[derive(Generate)]
enum Skipped {
    #[generate(skip)]
    One,
    #[generate(skip)]
    Two(u8),
}

#[derive(Generate)]
enum Weightless {
    #[generate(weight = 0)]
    One,
}

fn main() {}
