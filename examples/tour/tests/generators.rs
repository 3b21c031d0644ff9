//! The page on generators.

use bugnet::prelude::*;
use proptest::strategy::Strategy;

#[derive(Debug, Clone, PartialEq, Generate)]
enum Shape {
    Point,
    Circle {
        #[generate(with = 1..=100u32)]
        radius: u32,
    },
    #[generate(weight = 3)]
    Group(Vec<Shape>),
    #[generate(skip)]
    Unknown,
}

fn depth(shape: &Shape) -> usize {
    match shape {
        Shape::Group(shapes) => 1 + shapes.iter().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

#[property]
fn groups_are_never_nested(shape: Shape) {
    assert!(depth(&shape) < 2);
}

/// A start and an end, in this order: the second draw depends on the first.
fn period() -> impl Generator<Value = (u32, u32)> {
    from_fn(|source| {
        let start = source.draw(0..=365u32);
        (start, source.draw(start..=365))
    })
}

#[property]
fn periods_are_short(#[with(period())] (start, end): (u32, u32)) {
    assert!(end - start < 30);
}

#[property]
fn a_version_has_two_dots(#[with(regex(r"[0-9]+\.[0-9]+\.[0-9]+(-rc[0-9])?"))] version: String) {
    assert_eq!(version.matches('.').count(), 2);
}

#[property]
fn strategies_of_proptest_are_generators(
    #[with(from_strategy((0..100u32).prop_map(|half| half * 2)))] even: u32,
) {
    assert_eq!(even % 2, 0);
}

#[derive(Debug, arbitrary::Arbitrary)]
struct Colour {
    red: u8,
    green: u8,
    blue: u8,
}

#[property]
fn types_of_arbitrary_are_generated(#[with(arbitrary::<Colour>())] colour: Colour) {
    let sum = u16::from(colour.red) + u16::from(colour.green) + u16::from(colour.blue);
    assert!(sum <= 765);
}

#[property]
fn a_variant_that_is_skipped_never_comes(shapes: Vec<Shape>) {
    assert!(!shapes.contains(&Shape::Unknown));
}
