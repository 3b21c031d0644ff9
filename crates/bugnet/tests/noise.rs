//! scratch
use bugnet::campaign::Wanted;
use bugnet::prelude::*;
use std::collections::*;
use std::fmt::Debug;

fn go<T: Generate + Debug + Literal, V: bugnet::oracle::IntoVerdict>(name: &str, test: impl Fn(T) -> V) {
    let mut lines: BTreeMap<String, u32> = BTreeMap::new();
    let start = std::time::Instant::now();
    for seed in 0..10 {
        let property = Property::new("n").bugs(Wanted::ALL).seed(Seed(seed)).cases(2000);
        if std::env::var("ONLY").is_ok_and(|o| o != name) { return }
        let line = match property.check(any::<T>(), &test) {
            Ok(p) => format!("{p}"),
            Err(f) => f.bugs.iter().map(|b| format!("[{}] {} {} @({} {:?} avoided {})", b.words, b.name, b.form.as_ref().unwrap(), b.tape, b.hits, b.avoided).split(" @").next().unwrap().to_string()).collect::<Vec<_>>().join("\n      "),
        };
        if std::env::var("TALLY").is_ok() { eprintln!("{line}"); }
        *lines.entry(line).or_default() += 1;
    }
    println!("== {name} ({:?})", start.elapsed() / 10);
    for (l, c) in lines { println!("  {c}x {l}"); }
}

#[derive(Debug, Clone, PartialEq, Generate)]
enum Op { Push(u8), Pop, Clear, Peek }

#[derive(Debug, Clone, Generate)]
enum Tree { Leaf, Node(Box<Tree>, i8, Box<Tree>) }
impl Tree {
    fn list(&self, out: &mut Vec<i8>) { if let Tree::Node(l, k, r) = self { l.list(out); out.push(*k); r.list(out); } }
    fn insert(self, x: i8) -> Tree { match self { Tree::Leaf => Tree::Node(Box::new(Tree::Leaf), x, Box::new(Tree::Leaf)),
        Tree::Node(l, k, r) => if x < k { Tree::Node(Box::new(l.insert(x)), k, r) } else { Tree::Node(l, k, Box::new(r.insert(x))) } } }
}

#[test]
fn noise() {
    go("threshold", |x: u32| x < 1000);
    go("add", |(a, b): (i32, i32)| { a.checked_add(b).unwrap(); });
    go("sorted", |v: Vec<i32>| v.is_sorted());
    go("sum", |v: Vec<u8>| { v.iter().fold(0u8, |a, b| a.checked_add(*b).unwrap()); });
    go("bytes", |s: String| { let mut b = s.into_bytes(); b.reverse(); String::from_utf8(b).unwrap(); });
    go("quotes", |s: String| { assert!(!s.contains('"')); assert!(!s.contains('\\')); });
    go("ops", |ops: Vec<Op>| { let mut n = 0; for op in &ops { match op { Op::Push(_) => n += 1, Op::Pop => { assert!(n < 3); n = (n as i32 - 1).max(0) } Op::Clear => n = 0, Op::Peek => {} } } });
    go("float", |x: f64| x * 10.0 / 10.0 == x);
    go("nan", |x: f64| x == x);
    go("map", |m: BTreeMap<u8, u8>| m.iter().all(|(k, v)| k != v));
    go("index", |(v, i): (Vec<u8>, usize)| { v[i]; });
    go("bst insert dup", |(t, x): (Tree, i8)| { let mut a = vec![]; t.list(&mut a); assume!(a.windows(2).all(|w| w[0] < w[1])); let mut b = vec![]; t.insert(x).list(&mut b); assert!(b.windows(2).all(|w| w[0] < w[1])); });
    go("mod", |x: u32| x % 7 != 3);
    go("range", |x: i32| !(10..=20).contains(&x));
    go("two numbers", |x: u32| x != 7 && x != 100);
    go("eq", |(a, b): (u16, u16)| a != b || a < 5);
    go("less", |(a, b): (u16, u16)| a <= b);
    go("all", |_: u16| false);
    go("bools", |(a, b, c): (bool, bool, Option<bool>)| !(a && b) || c.is_none());
    go("len", |v: Vec<u8>| v.len() < 5);
    go("dups", |v: Vec<u8>| { let s: BTreeSet<_> = v.iter().collect(); s.len() == v.len() });
    go("words", |v: Vec<String>| v.join(" ").split(' ').count() == v.len());
    go("two panics", |(v, s): (Vec<i16>, String)| { for x in &v { let _ = 100 / (*x - 5); } for c in s.chars() { assert!(c != 'q'); } assert!(v.len() < 20); });
}
