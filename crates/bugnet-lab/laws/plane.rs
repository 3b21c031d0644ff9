//! euclid@0.22.14, tuned on

use bugnet::prelude::*;
use euclid::default::{Box2D, Point2D};

/// "Computes the union of two boxes. If either of the boxes is empty, the other one is returned."
#[law]
fn a_union_contains_both(one: Box2D<i32>, other: Box2D<i32>) {
    let union = one.union(&other);
    match (one.is_empty(), other.is_empty()) {
        (true, _) => assert_eq!(union, other),
        (_, true) => assert_eq!(union, one),
        _ => assert!(union.contains_box(&one) && union.contains_box(&other)),
    }
}

/// "Computes the intersection of two boxes, returning `None` if the boxes do not intersect."
#[law]
fn a_point_of_an_intersection_is_in_both(one: Box2D<i32>, other: Box2D<i32>, point: Point2D<i32>) {
    let is_inside = one.intersection(&other).is_some_and(|both| both.contains(point));
    classify!(is_inside, "inside");
    assert_eq!(is_inside, one.contains(point) && other.contains(point));
}
