//! The thirteen problems of the public shrinking challenge (github.com/jlink/shrinking-challenge):
//! for each the type of its input, the property, and which failing inputs count as minimal.
//!
//! Everything here is pure and knows no peer: generators belong to the peers, so that each may
//! generate in its own idiom, while property and minimum are the same for all.

use std::collections::HashSet;
use std::fmt::Debug;
use std::ops::RangeInclusive;

use clap::ValueEnum;

use super::expression::Expression;
use super::heap::Heap;

/// The name of a problem, as on the command line and in the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Problem {
    Bound5,
    LargeUnionList,
    Reverse,
    Calculator,
    Lengthlist,
    DifferenceZero,
    DifferenceSmall,
    DifferenceOne,
    Binheap,
    Coupling,
    Deletion,
    Distinct,
    Nestedlists,
}

impl Problem {
    pub fn name(self) -> String {
        let value = self.to_possible_value().expect("no problem is hidden");
        value.get_name().to_owned()
    }
}

/// Evaluates an expression with `$Input` standing for the input type of a problem that is only
/// known at run time. Peers need it because each bounds the input type by a trait of its own.
macro_rules! with_input {
    ($problem:expr, $Input:ident => $body:expr) => {
        with_input!($problem, $Input => $body;
            Bound5, LargeUnionList, Reverse, Calculator, Lengthlist, DifferenceZero,
            DifferenceSmall, DifferenceOne, Binheap, Coupling, Deletion, Distinct, Nestedlists)
    };
    ($problem:expr, $Input:ident => $body:expr; $($Name:ident),*) => {
        match $problem {
            $($crate::challenge::problem::Problem::$Name => {
                type $Input = $crate::challenge::problem::$Name;
                $body
            })*
        }
    };
}
pub(crate) use with_input;

/// The verdict of the property on one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Pass,
    Failure,
    /// The input violates a precondition, so the property says nothing about it.
    Discard,
}

impl Verdict {
    fn holds(condition: bool) -> Self {
        if condition { Verdict::Pass } else { Verdict::Failure }
    }
}

/// The input of a problem, which carries the problem's property.
pub trait Input: Clone + Debug + 'static {
    /// Returns true if the property holds for this input.
    fn verdict(&self) -> Verdict;

    /// Returns true if this failing input is the known minimum of the challenge. Inputs that differ from it only in
    /// the order of elements, where order does not matter, count as well.
    fn is_minimal(&self) -> bool;
}

/// Five lists, each of which has a (wrapping) sum below 256: then the sum of everything should
/// be below 5 * 256. It is not, because sums wrap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound5(pub [Vec<i16>; 5]);

impl Bound5 {
    /// Returns true if one list fulfils the precondition, for peers that filter list by list.
    pub fn is_bounded(list: &[i16]) -> bool {
        wrapping_sum(list) < 256
    }
}

fn wrapping_sum<'a>(values: impl IntoIterator<Item = &'a i16>) -> i16 {
    values.into_iter().fold(0, |sum, value| sum.wrapping_add(*value))
}

impl Input for Bound5 {
    fn verdict(&self) -> Verdict {
        if !self.0.iter().all(|list| Bound5::is_bounded(list)) {
            return Verdict::Discard;
        }
        Verdict::holds(wrapping_sum(self.0.iter().flatten()) < 5 * 256)
    }

    /// `-1` and `-32768`, each alone in one of the lists, whichever those are.
    fn is_minimal(&self) -> bool {
        let lists: Vec<&[i16]> = self.0.iter().map(Vec::as_slice).filter(|l| !l.is_empty()).collect();
        matches!(lists[..], [[-1], [i16::MIN]] | [[i16::MIN], [-1]])
    }
}

/// A list of lists holds at most four distinct integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LargeUnionList(pub Vec<Vec<i32>>);

impl Input for LargeUnionList {
    fn verdict(&self) -> Verdict {
        Verdict::holds(distinct(self.0.iter().flatten()) <= 4)
    }

    /// One list of the five integers that are smallest by magnitude, or of the five smallest
    /// that are not negative: peers differ in how they order the sign.
    fn is_minimal(&self) -> bool {
        matches!(&self.0[..], [list] if is_permutation(list, &[-2, -1, 0, 1, 2])
            || is_permutation(list, &[0, 1, 2, 3, 4]))
    }
}

/// A list equals its reverse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reverse(pub Vec<i32>);

impl Input for Reverse {
    fn verdict(&self) -> Verdict {
        Verdict::holds(self.0.iter().eq(self.0.iter().rev()))
    }

    /// `0` beside `1` or `-1`.
    fn is_minimal(&self) -> bool {
        matches!(self.0[..], [0, 1 | -1] | [1 | -1, 0])
    }
}

/// An expression without division by a literal zero has a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calculator(pub Expression);

impl Input for Calculator {
    fn verdict(&self) -> Verdict {
        if self.0.divides_by_literal_zero() {
            return Verdict::Discard;
        }
        Verdict::holds(self.0.value().is_some())
    }

    /// Only `0 / (0 + 0)`.
    fn is_minimal(&self) -> bool {
        let zero = || Expression::Int(0);
        self.0 == Expression::div(zero(), Expression::add(zero(), zero()))
    }
}

/// A length in 1..=100, then a list of exactly that length of integers in 0..=1000: the maximum
/// is below 900. Generators must draw the length first; that is what makes it hard to shrink.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lengthlist(pub Vec<u16>);

impl Input for Lengthlist {
    fn verdict(&self) -> Verdict {
        match self.0.iter().max() {
            None => Verdict::Discard,
            Some(&maximum) => Verdict::holds(maximum < 900),
        }
    }

    fn is_minimal(&self) -> bool {
        self.0 == [900]
    }
}

/// Two positive integers: the first is below 10, or they are different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DifferenceZero(pub u32, pub u32);

/// Two positive integers: the first is below 10, or their difference is not 1 to 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DifferenceSmall(pub u32, pub u32);

/// Two positive integers: the first is below 10, or their difference is not 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DifferenceOne(pub u32, pub u32);

/// The verdict of the three problems about differences, which differ in what is `forbidden`.
fn difference_verdict(first: u32, second: u32, forbidden: RangeInclusive<u32>) -> Verdict {
    if first == 0 || second == 0 {
        return Verdict::Discard;
    }
    Verdict::holds(first < 10 || !forbidden.contains(&first.abs_diff(second)))
}

impl Input for DifferenceZero {
    fn verdict(&self) -> Verdict {
        difference_verdict(self.0, self.1, 0..=0)
    }

    fn is_minimal(&self) -> bool {
        *self == DifferenceZero(10, 10)
    }
}

impl Input for DifferenceSmall {
    fn verdict(&self) -> Verdict {
        difference_verdict(self.0, self.1, 1..=4)
    }

    fn is_minimal(&self) -> bool {
        *self == DifferenceSmall(10, 6)
    }
}

impl Input for DifferenceOne {
    fn verdict(&self) -> Verdict {
        difference_verdict(self.0, self.1, 1..=1)
    }

    fn is_minimal(&self) -> bool {
        *self == DifferenceOne(10, 9)
    }
}

/// The faulty sort of a heap gives its keys in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binheap(pub Option<Heap>);

impl Input for Binheap {
    fn verdict(&self) -> Verdict {
        let Some(heap) = &self.0 else {
            return Verdict::Pass;
        };
        if !heap.is_ordered() {
            return Verdict::Discard;
        }
        Verdict::holds(heap.keys_wrongly_sorted().is_sorted())
    }

    /// Any failing heap of the four keys 0, 0, 0 and 1; a test of `Heap` checks by exhaustion
    /// that no smaller heap fails.
    fn is_minimal(&self) -> bool {
        let keys = self.0.as_ref().map_or_else(Vec::new, Heap::keys);
        is_permutation(&keys, &[0, 0, 0, 1]) && self.verdict() == Verdict::Failure
    }
}

/// A list of integers in 0..=10, each of which is an index into it: no two elements at different
/// positions point at each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coupling(pub Vec<usize>);

impl Input for Coupling {
    fn verdict(&self) -> Verdict {
        let list = &self.0;
        if list.iter().any(|&value| value >= list.len()) {
            return Verdict::Discard;
        }
        let coupled = |(position, &value): (usize, &usize)| position != value && list[value] == position;
        Verdict::holds(!list.iter().enumerate().any(coupled))
    }

    fn is_minimal(&self) -> bool {
        self.0 == [1, 0]
    }
}

/// A list and an index in 0..=10: after the first occurrence of the element at the index has been
/// removed, the element is no longer in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deletion(pub Vec<i32>, pub usize);

impl Input for Deletion {
    fn verdict(&self) -> Verdict {
        let Some(element) = self.0.get(self.1) else {
            return Verdict::Discard;
        };
        let mut rest = self.0.clone();
        let first = rest.iter().position(|other| other == element);
        rest.remove(first.expect("the element was taken from the list"));
        Verdict::holds(!rest.contains(element))
    }

    /// Two zeros, of which either is removed.
    fn is_minimal(&self) -> bool {
        self.0 == [0, 0] && self.1 < 2
    }
}

/// A list holds at most two distinct integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distinct(pub Vec<i32>);

impl Input for Distinct {
    fn verdict(&self) -> Verdict {
        Verdict::holds(distinct(&self.0) <= 2)
    }

    /// Both sets that the challenge names, in any order.
    fn is_minimal(&self) -> bool {
        is_permutation(&self.0, &[-1, 0, 1]) || is_permutation(&self.0, &[0, 1, 2])
    }
}

/// A list of lists has at most ten elements in all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nestedlists(pub Vec<Vec<i32>>);

impl Input for Nestedlists {
    fn verdict(&self) -> Verdict {
        Verdict::holds(self.0.iter().map(Vec::len).sum::<usize>() <= 10)
    }

    /// One list of eleven zeros.
    fn is_minimal(&self) -> bool {
        matches!(&self.0[..], [list] if *list == [0; 11])
    }
}

fn distinct<'a>(values: impl IntoIterator<Item = &'a i32>) -> usize {
    values.into_iter().collect::<HashSet<_>>().len()
}

/// Returns true if `values` are the elements of `sorted` in any order.
fn is_permutation<T: Ord + Clone>(values: &[T], sorted: &[T]) -> bool {
    let mut values = values.to_vec();
    values.sort_unstable();
    values == sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The heart of every test below: the minimum fails and is recognized, what is simpler does
    /// not fail, and what fails without being simplest is not taken for the minimum.
    fn assert_minimum<I: Input>(minima: &[I], simpler: &[I], larger: &[I]) {
        for minimum in minima {
            assert_eq!(minimum.verdict(), Verdict::Failure, "{minimum:?}");
            assert!(minimum.is_minimal(), "{minimum:?}");
        }
        for input in simpler {
            assert_ne!(input.verdict(), Verdict::Failure, "{input:?}");
        }
        for input in larger {
            assert_eq!(input.verdict(), Verdict::Failure, "{input:?}");
            assert!(!input.is_minimal(), "{input:?}");
        }
    }

    fn bound5<const N: usize>(lists: [&[i16]; N]) -> Bound5 {
        let mut input = Bound5([const { Vec::new() }; 5]);
        for (list, values) in input.0.iter_mut().zip(lists) {
            *list = values.to_vec();
        }
        input
    }

    #[test]
    fn bound5_needs_the_two_lists_minus_1_and_minus_32768() {
        assert_minimum(
            &[bound5([&[-1], &[i16::MIN]]), bound5([&[], &[i16::MIN], &[], &[], &[-1]])],
            &[bound5([]), bound5([&[i16::MIN]]), bound5([&[i16::MIN], &[0]]), bound5([&[-1], &[-1]])],
            &[bound5([&[-20000], &[-20000]]), bound5([&[-1], &[1, i16::MAX]])],
        );
    }

    #[test]
    fn bound5_discards_a_list_whose_sum_is_256() {
        assert_eq!(bound5([&[200, 56]]).verdict(), Verdict::Discard);
        assert_eq!(bound5([&[200, 55]]).verdict(), Verdict::Pass);
    }

    #[test]
    fn large_union_list_needs_five_distinct_integers_in_one_list() {
        let union = |lists: &[&[i32]]| LargeUnionList(lists.iter().map(|l| l.to_vec()).collect());
        assert_minimum(
            &[union(&[&[0, 1, -1, 2, -2]]), union(&[&[4, 0, 1, 2, 3]])],
            &[union(&[]), union(&[&[0, 1, -1, 2]]), union(&[&[0, 1], &[2, 3], &[0, 1, 2]])],
            &[union(&[&[0, 1, 2, 3, -1]]), union(&[&[0, 1], &[2, 3, 4]]), union(&[&[0, 1, 2, 3, 4], &[]])],
        );
    }

    #[test]
    fn reverse_needs_two_different_elements() {
        let list = |values: &[i32]| Reverse(values.to_vec());
        assert_minimum(
            &[list(&[0, 1]), list(&[1, 0]), list(&[0, -1])],
            &[list(&[]), list(&[1]), list(&[0, 0]), list(&[0, 1, 0])],
            &[list(&[0, 2]), list(&[0, 0, 1])],
        );
    }

    #[test]
    fn calculator_needs_a_divisor_that_is_zero_but_not_literally() {
        let int = Expression::Int;
        let div = |left, right| Calculator(Expression::div(left, right));
        assert_minimum(
            &[div(int(0), Expression::add(int(0), int(0)))],
            &[
                Calculator(int(0)),
                Calculator(Expression::add(int(0), int(0))),
                div(int(0), int(0)),
                div(int(0), int(1)),
                div(int(0), Expression::div(int(0), int(0))),
            ],
            &[div(int(0), Expression::div(int(0), int(1))), div(int(1), Expression::add(int(3), int(-3)))],
        );
    }

    #[test]
    fn lengthlist_needs_one_element_of_900() {
        let list = |values: &[u16]| Lengthlist(values.to_vec());
        assert_minimum(
            &[list(&[900])],
            &[list(&[]), list(&[899]), list(&[0, 899])],
            &[list(&[901]), list(&[0, 900])],
        );
    }

    #[test]
    fn difference_zero_needs_ten_twice() {
        assert_minimum(
            &[DifferenceZero(10, 10)],
            &[DifferenceZero(9, 9), DifferenceZero(10, 9), DifferenceZero(0, 0)],
            &[DifferenceZero(11, 11)],
        );
    }

    #[test]
    fn difference_small_needs_ten_and_six() {
        assert_minimum(
            &[DifferenceSmall(10, 6)],
            &[DifferenceSmall(10, 5), DifferenceSmall(9, 6), DifferenceSmall(10, 10)],
            &[DifferenceSmall(10, 7), DifferenceSmall(10, 14), DifferenceSmall(11, 7)],
        );
    }

    #[test]
    fn difference_one_needs_ten_and_nine() {
        assert_minimum(
            &[DifferenceOne(10, 9)],
            &[DifferenceOne(10, 8), DifferenceOne(9, 8), DifferenceOne(10, 10)],
            &[DifferenceOne(10, 11), DifferenceOne(11, 10)],
        );
    }

    fn node(key: u32, left: Option<Heap>, right: Option<Heap>) -> Heap {
        Heap { key, left: left.map(Box::new), right: right.map(Box::new) }
    }

    #[test]
    fn binheap_needs_four_keys_of_which_one_is_not_zero() {
        let leaf = |key| Some(node(key, None, None));
        let published = |last| node(0, None, Some(node(0, leaf(0), leaf(last))));
        let unordered = node(1, None, leaf(0));
        assert_minimum(
            &[Binheap(Some(published(1)))],
            &[Binheap(None), Binheap(leaf(0)), Binheap(Some(published(0))), Binheap(Some(unordered))],
            &[Binheap(Some(published(2)))],
        );
    }

    #[test]
    fn coupling_needs_two_elements_that_point_at_each_other() {
        let list = |values: &[usize]| Coupling(values.to_vec());
        assert_minimum(
            &[list(&[1, 0])],
            &[list(&[]), list(&[0]), list(&[0, 1]), list(&[0, 0]), list(&[1, 1]), list(&[2, 0])],
            &[list(&[0, 2, 1]), list(&[0, 0, 0, 4, 3])],
        );
    }

    #[test]
    fn deletion_needs_zero_twice() {
        let delete = |values: &[i32], index| Deletion(values.to_vec(), index);
        assert_minimum(
            &[delete(&[0, 0], 0), delete(&[0, 0], 1)],
            &[delete(&[], 0), delete(&[0], 0), delete(&[0, 0], 2), delete(&[0, 1], 0)],
            &[delete(&[1, 1], 0), delete(&[0, 0, 1], 0)],
        );
    }

    #[test]
    fn distinct_needs_three_distinct_integers() {
        let list = |values: &[i32]| Distinct(values.to_vec());
        assert_minimum(
            &[list(&[0, 1, -1]), list(&[2, 1, 0])],
            &[list(&[]), list(&[0, 1]), list(&[0, 1, 0, 1])],
            &[list(&[0, 1, 3]), list(&[0, -1, -2]), list(&[0, 1, 1, 2])],
        );
    }

    #[test]
    fn nestedlists_needs_eleven_elements_in_one_list() {
        let lists = |lengths: &[usize]| Nestedlists(lengths.iter().map(|&n| vec![0; n]).collect());
        assert_minimum(
            &[lists(&[11])],
            &[lists(&[]), lists(&[10]), lists(&[5, 5]), lists(&[0; 20])],
            &[lists(&[9, 2]), lists(&[11, 0]), Nestedlists(vec![vec![1; 11]])],
        );
    }

    #[test]
    fn problems_are_named_as_in_the_challenge() {
        let names: Vec<String> = Problem::value_variants().iter().map(|p| p.name()).collect();
        assert_eq!(names[..3], ["bound5", "large_union_list", "reverse"]);
        assert_eq!(names[8], "binheap");
        assert_eq!(names.len(), 13);
    }
}
