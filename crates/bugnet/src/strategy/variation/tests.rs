//! Facts about variations. Where dice are thrown, all that can come of them is there, and nothing else.

use super::*;
use crate::prelude::{Generate, Property, Strategies, from_fn};
use crate::random::Seed;
use std::collections::BTreeSet;
use std::fmt::Debug;

/// A value with parts of its own sort.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Tree {
    Leaf(u8),
    Node(Box<Tree>, Box<Tree>),
}

use Tree::Leaf;

fn node(left: Tree, right: Tree) -> Tree {
    Tree::Node(Box::new(left), Box::new(right))
}

impl Generate for Tree {
    fn generate(source: &mut Source) -> Tree {
        let span = source.enter("tree");
        let tree = match source.index(2) {
            0 => Leaf(source.any()),
            _ => node(source.any(), source.any()),
        };
        source.leave(span);
        tree
    }
}

/// Numbers in a span, their count first.
fn list(source: &mut Source) -> Vec<u8> {
    let span = source.enter("list");
    let list = (0..source.length(0, None)).map(|_| source.any()).collect();
    source.leave(span);
    list
}

/// The tape that a generator makes of plain numbers.
fn tape<T>(generate: fn(&mut Source) -> T, numbers: &str) -> Tape {
    let mut source = Source::replay(numbers.parse().unwrap());
    generate(&mut source);
    source.into_tape()
}

fn leaf(number: u8) -> Tape {
    tape(Tree::generate, &format!("0.{number:x}"))
}

/// All that comes of an edit, read as values.
fn outcomes<T: Ord>(
    generate: fn(&mut Source) -> T,
    mut edit: impl FnMut(&mut Source) -> Tape,
) -> BTreeSet<T> {
    let outcome = |seed| generate(&mut Source::replay(edit(&mut Source::random(Seed(seed), 0))));
    (0..400).map(outcome).collect()
}

fn assert_all<T: Ord + Debug>(outcomes: BTreeSet<T>, expected: impl IntoIterator<Item = T>) {
    assert_eq!(outcomes, BTreeSet::from_iter(expected));
}

#[test]
fn a_part_is_replaced_by_one_of_the_same_label() {
    let (whole, other) = (tape(Tree::generate, "1.0.1.0.2"), leaf(9));
    let spliced = outcomes(Tree::generate, |dice| splice(&whole, &other, dice));
    assert_all(spliced, [Leaf(9), node(Leaf(9), Leaf(2)), node(Leaf(1), Leaf(9))]);
}

#[test]
fn a_part_of_another_label_is_not_taken() {
    let (whole, other) = (leaf(1), tape(list, "2.7.8"));
    for edit in [splice, twin, wrap] {
        assert_all(outcomes(Tree::generate, |dice| edit(&whole, &other, dice)), [Leaf(1)]);
    }
}

#[test]
fn larger_parts_are_taken_more_often_than_there_are_of_them() {
    let other = tape(Tree::generate, "1.0.1.0.2");
    let larger = |seed| part(&other, "tree", &mut Source::random(Seed(seed), 0)).unwrap().choices.len() > 2;
    let count = (0..3_000).filter(|seed| larger(*seed)).count();
    // One of three spans would be a third; as the larger of two, half of the time, it is four ninths.
    assert!((1_250..1_420).contains(&count), "{count}");
}

#[test]
fn both_branches_become_the_same_part() {
    let (whole, other) = (tape(Tree::generate, "1.0.1.0.2"), leaf(9));
    let twins = outcomes(Tree::generate, |dice| twin(&whole, &other, dice));
    // The root and the right branch have nothing beside them.
    assert_all(twins, [node(Leaf(9), Leaf(9)), node(Leaf(1), Leaf(2))]);
}

#[test]
fn a_part_goes_one_level_deeper_into_one_place_or_into_each() {
    let (whole, other) = (leaf(1), tape(Tree::generate, "1.0.5.0.6"));
    let wrapped = outcomes(Tree::generate, |dice| wrap(&whole, &other, dice));
    let one = [node(Leaf(1), Leaf(6)), node(Leaf(5), Leaf(1))];
    // A leaf has no place for another one.
    assert_all(wrapped, one.into_iter().chain([node(Leaf(1), Leaf(1)), Leaf(1)]));
}

#[test]
fn an_alternative_becomes_any_other_one() {
    let three = |source: &mut Source| source.index(3);
    let turned = outcomes(three, |dice| turn_alternative(tape(three, "1"), dice));
    assert_all(turned, [0, 2]);
    let only = |source: &mut Source| source.index(1);
    assert_all(outcomes(only, |dice| turn_alternative(tape(only, "0"), dice)), [0]);
}

#[test]
fn a_length_becomes_one_more_or_one_less_within_its_limit() {
    let turned = outcomes(list, |dice| turn_alternative(tape(list, "2.7.8"), dice));
    assert_all(turned, [vec![7], vec![7, 8, 0]]);
    let bounded = |source: &mut Source| source.length(0, Some(2));
    assert_all(outcomes(bounded, |dice| turn_alternative(tape(bounded, "2"), dice)), [1, 2]);
    assert_all(outcomes(bounded, |dice| turn_alternative(tape(bounded, "0"), dice)), [0, 1]);
}

#[test]
fn alternatives_beside_and_below_turn_together() {
    let whole = tape(Tree::generate, "1.0.1.0.2");
    let indices =
        |tape: Tape| -> Vec<u64> { structural(&tape).iter().map(|at| tape.choices[*at].value).collect() };
    let turned: BTreeSet<Vec<u64>> = (0..200)
        .map(|seed| indices(turn_family(whole.clone(), &mut Source::random(Seed(seed), 0))))
        .collect();
    // The root with both leaves, or both leaves.
    assert_all(turned, [vec![0, 1, 1], vec![1, 1, 1]]);
}

#[test]
fn a_family_ends_one_level_below_and_at_what_it_is_a_part_of() {
    // node(node(1, 2), 3): the leaves of the left branch are a family without the one on the right.
    let whole = tape(Tree::generate, "1.1.0.1.0.2.0.3");
    let [root, left, first, second, right] = structural(&whole)[..] else { panic!("{whole}") };
    let turned = |seed| {
        let turned = turn_family(whole.clone(), &mut Source::random(Seed(seed), 0));
        let differs = |place: &usize| turned.choices[*place].value != whole.choices[*place].value;
        structural(&whole).into_iter().filter(differs).collect::<Vec<usize>>()
    };
    let expected = [vec![root, left, right], vec![left, first, second, right], vec![first, second]];
    assert_all((0..200).map(turned).collect(), expected);
}

#[test]
fn a_number_becomes_another_one_or_one_near_it_or_a_new_one() {
    let pair = |source: &mut Source| (source.any::<u8>(), source.any::<u8>());
    let changed = outcomes(pair, |dice| change_number(tape(pair, "a.c8"), dice));
    // Those that are there, and what is at most two above or one below.
    for near in [9, 10, 11, 12, 199, 200, 201, 202] {
        assert!(changed.contains(&(near, 200)) && changed.contains(&(10, near)), "{near} in {changed:?}");
    }
    // A new one is anywhere, and mostly beyond a byte: then nothing changes.
    assert!(changed.iter().all(|(first, second)| *first == 10 || *second == 200), "{changed:?}");
    let wide = |source: &mut Source| source.any::<i64>();
    let new = outcomes(wide, |dice| change_number(tape(wide, "5"), dice));
    assert!(new.iter().any(|number| number.unsigned_abs() > 1_000), "{new:?}");
}

#[test]
fn arguments_become_numbers_that_are_in_a_value() {
    let lookup = |source: &mut Source| (list(source), source.any::<u8>());
    let aimed = outcomes(lookup, |dice| {
        let mut tape = tape(lookup, "2.1e.28.64");
        aim_numbers(&mut tape, dice);
        tape
    });
    let keys: BTreeSet<u8> = aimed.iter().map(|(_, key)| *key).collect();
    assert!(aimed.iter().all(|(list, _)| *list == [30, 40]), "only arguments are aimed: {aimed:?}");
    let near = |number: u8| number - 1..=number + 2;
    assert_all(keys, near(30).chain(near(40)).chain(near(100)));
}

#[test]
fn numbers_of_a_list_are_not_arguments() {
    let many = |source: &mut Source| -> Vec<u8> { (0..=MANY).map(|_| source.any()).collect() };
    let few = |source: &mut Source| -> Vec<u8> { (0..MANY).map(|_| source.any()).collect() };
    let aimed = |mut tape: Tape, dice: &mut Source| {
        aim_numbers(&mut tape, dice);
        tape
    };
    let numbers = vec![10, 20, 30, 40, 50, 60, 70];
    assert_all(outcomes(many, |dice| aimed(tape(many, "a.14.1e.28.32.3c.46"), dice)), [numbers]);
    assert!(outcomes(few, |dice| aimed(tape(few, "a.14.1e.28.32.3c"), dice)).len() > 100);
}

/// Returns the two lists that a repair makes of two lists.
fn repaired(repair: Repair, numbers: &str) -> BTreeSet<(Vec<u8>, Vec<u8>)> {
    let lists = |source: &mut Source| (list(source), list(source));
    outcomes(lists, |dice| {
        let mut tape = tape(lists, numbers);
        repair.apply(&mut tape, dice);
        tape
    })
}

#[test]
fn repairs_sort_each_list_or_one_or_none() {
    let numbers = "3.5.3.5.2.9.1";
    let (first, second) = (vec![5, 3, 5], vec![9, 1]);
    let (sorted, distinct) = (vec![3, 5, 5], vec![3, 5, 6]);
    assert_all(repaired(Repair::Nothing, numbers), [(first.clone(), second.clone())]);
    assert_all(repaired(Repair::SortWhole, numbers), [(sorted.clone(), vec![1, 9])]);
    assert_all(repaired(Repair::SortWholeDistinct, numbers), [(distinct.clone(), vec![1, 9])]);
    let parts = [(sorted, second.clone()), (distinct, second), (first, vec![1, 9])];
    assert_all(repaired(Repair::SortPart, numbers), parts);
}

#[test]
fn numbers_at_the_top_of_their_range_stay_distinct() {
    let numbers = "3.ff.fe.ff.1.0";
    assert_all(repaired(Repair::SortWholeDistinct, numbers), [(vec![253, 254, 255], vec![0])]);
    assert_all(repaired(Repair::SortWhole, numbers), [(vec![254, 255, 255], vec![0])]);
}

#[test]
fn numbers_are_sorted_by_their_size_and_not_by_their_simplicity() {
    let signed = |source: &mut Source| {
        let span = source.enter("pair");
        let pair: [i8; 3] = std::array::from_fn(|_| source.any());
        source.leave(span);
        pair
    };
    let sorted = outcomes(signed, |dice| {
        // Zero, one and minus one.
        let mut tape = tape(signed, "0.1.2");
        Repair::SortWhole.apply(&mut tape, dice);
        tape
    });
    assert_all(sorted, [[-1, 0, 1]]);
}

#[test]
fn a_tape_is_varied_by_every_edit_and_replays() {
    let (whole, other) = (tape(Tree::generate, "1.0.1.0.2"), tape(Tree::generate, "1.0.5.0.6"));
    let varied = |seed| vary(&whole, &other, &mut Source::random(Seed(seed), 0));
    let varied: BTreeSet<Tree> =
        (0..5_000).map(|seed| Tree::generate(&mut Source::replay(varied(seed)))).collect();
    let both = |tree: Tree| node(tree.clone(), tree);
    for (edit, tree) in [
        ("splice", node(Leaf(5), Leaf(2))),
        ("splice of its own", node(node(Leaf(1), Leaf(2)), Leaf(2))),
        ("twin", both(Leaf(5))),
        ("twin of its own", both(node(Leaf(1), Leaf(2)))),
        ("wrap", node(node(Leaf(1), Leaf(6)), Leaf(2))),
        ("turn", node(Leaf(1), both(Leaf(0)))),
        ("turn of a family", both(both(Leaf(0)))),
        ("number", node(Leaf(1), Leaf(3))),
    ] {
        assert!(varied.contains(&tree), "{edit}: {tree:?} in {varied:?}");
    }
}

#[test]
fn a_varied_tape_has_spans_that_nest() {
    let trees = from_fn(|source| {
        let recorded = |source: &mut Source| {
            let mut recorded = Source::recording(Seed(source.any()), 0);
            recorded.any::<Vec<(u8, Option<Vec<i16>>)>>();
            recorded.into_tape()
        };
        (recorded(source), recorded(source), source.any::<u64>())
    });
    let checked = Property::new("nest").cases(2_000).seed(Seed(1)).strategies(Strategies::Random).check(
        trees,
        |(tape, other, seed)| {
            let varied = vary(&tape, &other, &mut Source::random(Seed(seed), 0));
            let mut open: Vec<Span> = Vec::new();
            for span in &varied.spans {
                while open.last().is_some_and(|outer| outer.end <= span.start && !outer.is_empty()) {
                    open.pop();
                }
                assert!(span.start <= span.end && span.end <= varied.choices.len(), "{span:?}");
                assert!(
                    open.last().is_none_or(|outer| outer.is_empty() || span.end <= outer.end),
                    "{span:?}"
                );
                open.push(*span);
            }
            assert!(varied.choices.iter().all(|choice| choice.value <= choice.limit));
        },
    );
    checked.unwrap();
}
