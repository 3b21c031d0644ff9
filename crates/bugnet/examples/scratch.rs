use bugnet::campaign::*;
use bugnet::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
#[derive(Debug, Clone, Copy, PartialEq, Generate)]
enum Color {
    Red,
    Black,
}
#[derive(Debug, Clone, PartialEq, Generate)]
enum Tree {
    Leaf,
    Node(Color, Box<Tree>, i32, i32, Box<Tree>),
}
use Tree::*;
fn keys(t: &Tree, out: &mut Vec<i32>) {
    if let Node(_, l, k, _, r) = t {
        keys(l, out);
        out.push(*k);
        keys(r, out);
    }
}
fn black(t: &Tree) -> Option<u32> {
    match t {
        Leaf => Some(1),
        Node(c, l, _, _, r) => {
            let (a, b) = (black(l)?, black(r)?);
            if a != b {
                return None;
            }
            if *c == Color::Red && [l, r].iter().any(|t| matches!(***t, Node(Color::Red, ..))) {
                return None;
            }
            Some(a + (*c == Color::Black) as u32)
        }
    }
}
fn main() {
    let limit: u64 = std::env::args().nth(1).map_or(60_000, |s| s.parse().unwrap());
    for seed in 0..std::env::args().nth(2).map_or(2, |s| s.parse().unwrap()) {
        let stats = RefCell::new((0u64, BTreeMap::<usize, u64>::new(), BTreeMap::<usize, u64>::new()));
        let _ = Property::new("b")
            .environment(Environment::none(Seed(seed)))
            .seed(Seed(seed))
            .cases(100_000)
            .check((any::<Tree>(), any::<i32>()), |(t, k)| {
                let mut s = stats.borrow_mut();
                s.0 += 1;
                if s.0 > limit {
                    return false;
                }
                let mut ks = vec![];
                keys(&t, &mut ks);
                let ok = ks.is_sorted_by(|a, b| a < b)
                    && black(&t).is_some()
                    && !matches!(t, Node(Color::Red, ..));
                if !ok {
                    drop(s);
                    assume!(false);
                    return true;
                }
                *s.1.entry(ks.len()).or_default() += 1;
                if ks.contains(&k) {
                    *s.2.entry(ks.len()).or_default() += 1;
                }
                true
            });
        let s = stats.borrow();
        println!("{seed} {:?} valid {}\n   with key {:?}", s.1, s.1.values().sum::<u64>(), s.2);
    }
}
