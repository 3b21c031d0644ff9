use bugnet::prelude::*;

#[derive(Generate)]
enum Never {}

fn main() {}
