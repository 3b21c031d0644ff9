//! quickcheck on the challenge: type-directed generation and shrinking, with the usual
//! hand-written `arbitrary` and `shrink` where quickcheck has none for the type.
//!
//! Preconditions are tested in the property and not in the generator, which is quickcheck's idiom.

use std::cell::RefCell;
use std::iter;

use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult};

use super::expression::Expression;
use super::heap::Heap;
use super::outcome::{Outcome, Tally};
use super::peer::CASES;
use super::problem::{with_input, *};

/// quickcheck's default size: the length that lists stay below.
const SIZE: usize = 100;

thread_local! {
    // quickcheck shrinks the arguments of plain functions only, so the tally cannot be captured.
    static TALLY: RefCell<Tally> = RefCell::default();
}

pub fn run(problem: Problem, seed: u64) -> Outcome {
    let mut check = QuickCheck::new().rng(Gen::from_size_and_seed(SIZE, seed)).tests(CASES).max_tests(CASES);
    TALLY.take();
    // The result is dropped because the tally has seen the counterexample itself.
    let _ = with_input!(problem, I => check.quicktest(property::<I> as fn(I) -> TestResult));
    TALLY.take().outcome()
}

fn property<I: Input>(input: I) -> TestResult {
    match TALLY.with_borrow_mut(|tally| tally.judge(&input)) {
        Verdict::Pass => TestResult::passed(),
        Verdict::Failure => TestResult::failed(),
        Verdict::Discard => TestResult::discard(),
    }
}

type Shrinks<T> = Box<dyn Iterator<Item = T>>;

/// Problems whose input is a type of quickcheck's own under another name.
macro_rules! arbitrary_as_inner {
    ($($Name:ident),*) => { $(
        impl Arbitrary for $Name {
            fn arbitrary(random: &mut Gen) -> Self {
                $Name(Arbitrary::arbitrary(random))
            }

            fn shrink(&self) -> Shrinks<Self> {
                Box::new(self.0.shrink().map($Name))
            }
        }
    )* };
}

arbitrary_as_inner!(LargeUnionList, Reverse, Distinct, Nestedlists);

/// Problems about two positive integers.
macro_rules! arbitrary_positive_pair {
    ($($Name:ident),*) => { $(
        impl Arbitrary for $Name {
            fn arbitrary(random: &mut Gen) -> Self {
                $Name(u32::arbitrary(random).max(1), u32::arbitrary(random).max(1))
            }

            fn shrink(&self) -> Shrinks<Self> {
                Box::new((self.0, self.1).shrink().map(|(first, second)| $Name(first, second)))
            }
        }
    )* };
}

arbitrary_positive_pair!(DifferenceZero, DifferenceSmall, DifferenceOne);

impl Arbitrary for Bound5 {
    fn arbitrary(random: &mut Gen) -> Self {
        Bound5(std::array::from_fn(|_| Vec::arbitrary(random)))
    }

    fn shrink(&self) -> Shrinks<Self> {
        let [a, b, c, d, e] = self.0.clone();
        let tuples = (a, b, c, d, e).shrink();
        Box::new(tuples.map(|(a, b, c, d, e)| Bound5([a, b, c, d, e])))
    }
}

impl Arbitrary for Lengthlist {
    fn arbitrary(random: &mut Gen) -> Self {
        let length = 1 + usize::arbitrary(random) % 100;
        let element = || u16::arbitrary(random) % 1001;
        Lengthlist(iter::repeat_with(element).take(length).collect())
    }

    fn shrink(&self) -> Shrinks<Self> {
        let lists = self.0.shrink().filter(|list| !list.is_empty());
        Box::new(lists.map(Lengthlist))
    }
}

impl Arbitrary for Coupling {
    fn arbitrary(random: &mut Gen) -> Self {
        let list: Vec<usize> = Vec::arbitrary(random);
        Coupling(list.into_iter().map(|value| value % 11).collect())
    }

    fn shrink(&self) -> Shrinks<Self> {
        Box::new(self.0.shrink().map(Coupling))
    }
}

impl Arbitrary for Deletion {
    fn arbitrary(random: &mut Gen) -> Self {
        Deletion(Vec::arbitrary(random), usize::arbitrary(random) % 11)
    }

    fn shrink(&self) -> Shrinks<Self> {
        let pairs = (self.0.clone(), self.1).shrink();
        Box::new(pairs.map(|(list, index)| Deletion(list, index)))
    }
}

impl Arbitrary for Calculator {
    fn arbitrary(random: &mut Gen) -> Self {
        Calculator(Expression::arbitrary(random))
    }

    fn shrink(&self) -> Shrinks<Self> {
        Box::new(self.0.shrink().map(Calculator))
    }
}

impl Arbitrary for Expression {
    fn arbitrary(random: &mut Gen) -> Self {
        arbitrary_expression(random, 6)
    }

    /// First the subterms, then the same operation with one operand shrunk.
    fn shrink(&self) -> Shrinks<Self> {
        let (operation, left, right) = match self {
            Expression::Int(value) => return Box::new(value.shrink().map(Expression::Int)),
            Expression::Add(left, right) => (Expression::Add as fn(_, _) -> _, left, right),
            Expression::Div(left, right) => (Expression::Div as fn(_, _) -> _, left, right),
        };
        let subterms = [(**left).clone(), (**right).clone()];
        let operands = (left.clone(), right.clone()).shrink();
        Box::new(subterms.into_iter().chain(operands.map(move |(l, r)| operation(l, r))))
    }
}

/// Each constructor equally likely, down to the given depth.
fn arbitrary_expression(random: &mut Gen, depth: usize) -> Expression {
    let constructor = random.choose(&["int", "add", "div"]).expect("there are three");
    if depth == 0 || *constructor == "int" {
        return Expression::Int(i32::arbitrary(random));
    }
    let left = arbitrary_expression(random, depth - 1);
    let right = arbitrary_expression(random, depth - 1);
    match *constructor {
        "add" => Expression::add(left, right),
        _ => Expression::div(left, right),
    }
}

impl Arbitrary for Binheap {
    fn arbitrary(random: &mut Gen) -> Self {
        let size = usize::arbitrary(random) % 21;
        Binheap(arbitrary_heap(random, 0, size))
    }

    fn shrink(&self) -> Shrinks<Self> {
        Box::new(self.0.shrink().map(Binheap))
    }
}

/// A heap with keys from `bound` on. As in the original problem, `size` halves on the way down and
/// one heap in eight is empty.
fn arbitrary_heap(random: &mut Gen, bound: u32, size: usize) -> Option<Heap> {
    if size == 0 || u8::arbitrary(random).is_multiple_of(8) {
        return None;
    }
    let keys = u64::from(u32::MAX - bound) + 1;
    let offset = u64::from(u32::arbitrary(random)) % keys;
    let key = bound + u32::try_from(offset).expect("below the number of keys");
    let left = arbitrary_heap(random, key, size / 2).map(Box::new);
    let right = arbitrary_heap(random, key, size / 2).map(Box::new);
    Some(Heap { key, left, right })
}

impl Arbitrary for Heap {
    fn arbitrary(random: &mut Gen) -> Self {
        let key = u32::arbitrary(random);
        Heap { key, left: None, right: None }
    }

    /// First the subtrees, then the same node with a key or subtree shrunk.
    fn shrink(&self) -> Shrinks<Self> {
        let subtrees: Vec<Heap> = self.children().cloned().collect();
        let parts = (self.key, self.left.clone(), self.right.clone()).shrink();
        let nodes = parts.map(|(key, left, right)| Heap { key, left, right });
        Box::new(subtrees.into_iter().chain(nodes))
    }
}
