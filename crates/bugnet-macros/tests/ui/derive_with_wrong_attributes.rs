use bugnet::prelude::*;

#[derive(Generate)]
#[generate(skip)]
struct OnTheType;

#[derive(Generate)]
struct WeightOnAField {
    #[generate(weight = 3)]
    field: u8,
}

#[derive(Generate)]
enum WithOnAVariant {
    #[generate(with = 0..3)]
    Variant,
}

#[derive(Generate)]
struct Unknown {
    #[generate(range = 0..3)]
    field: u8,
}

#[derive(Generate)]
struct Nothing {
    #[generate()]
    field: u8,
}

#[derive(Generate)]
struct NoList {
    #[generate]
    field: u8,
}

#[derive(Generate)]
struct NoGenerator {
    #[generate(with = )]
    field: u8,
}

#[derive(Generate)]
struct Twice {
    #[generate(skip)]
    #[generate(with = 0..3u8)]
    field: u8,
}

#[derive(Generate)]
struct TwoThings {
    #[generate(skip, with = 0..3u8)]
    field: u8,
}

#[derive(Generate)]
enum NoNumber {
    #[generate(weight = "much")]
    Variant,
}

#[derive(Generate)]
enum TooMuch {
    #[generate(weight = 5_000_000_000)]
    Variant,
}

fn main() {}
