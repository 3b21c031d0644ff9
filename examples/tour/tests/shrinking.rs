//! The page on shrinking and reports.

use bugnet::prelude::*;

#[derive(Debug, Clone, PartialEq, Generate)]
struct Order {
    customer: String,
    items: Vec<Item>,
}

#[derive(Debug, Clone, PartialEq, Generate)]
struct Item {
    price: u32,
    count: u8,
}

fn total(order: &Order) -> u32 {
    order.items.iter().map(|item| item.price * u32::from(item.count)).sum()
}

#[property]
fn a_total_can_be_computed(order: Order) {
    total(&order);
}

#[property]
fn time_has_no_part_in_it(_number: u8) {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    assert_ne!(now.subsec_micros() % 7, 3);
}
