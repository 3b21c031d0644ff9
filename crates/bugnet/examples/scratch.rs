use bugnet::campaign::*;
use bugnet::prelude::*;
use std::cell::Cell;
fn sum(v: &[i16]) -> i16 {
    v.iter().fold(0, |a, b| a.wrapping_add(*b))
}
fn main() {
    for seed in 0..100 {
        let n = Cell::new(0u64);
        let failed = Cell::new(false);
        let trace = std::env::args().nth(1).is_some_and(|s| s.parse() == Ok(seed));
        let r = Property::new("b")
            .environment(Environment::none(Seed(seed)))
            .seed(Seed(seed))
            .strategies(Strategies::Random)
            .cases(100_000)
            .check(any::<[Vec<i16>; 5]>(), |v| {
                if failed.get() {
                    n.set(n.get() + 1);
                }
                let ok = {
                    if v.iter().any(|l| sum(l) >= 256) {
                        if failed.get() && trace {
                            println!("  D {v:?}");
                        }
                        assume!(false);
                    }
                    v.iter().flatten().fold(0i16, |a, b| a.wrapping_add(*b)) < 1280
                };
                if failed.get() && trace {
                    println!("  {} {v:?}", if ok { "-" } else { "F" });
                }
                if !ok {
                    failed.set(true)
                }
                ok
            });
        println!("{seed} {} {}", n.get(), r.unwrap_err().arguments[0].text);
    }
}
