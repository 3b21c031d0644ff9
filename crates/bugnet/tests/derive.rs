//! The code that `#[derive(Generate)]` writes for a type: values from choices, and source text from values.
//!
//! **Invariant:** every text that is compared stands beside the expression it must equal, so that
//! the compiler has seen that it is one.

use bugnet::choice::Tape;
use bugnet::generate::Shape;
use bugnet::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::marker::PhantomData;

/// The simplest value of a type.
fn simplest<T: Generate>() -> T {
    Source::replay(Tape::default()).any()
}

/// Values of a type as random search meets them.
fn samples<T: Generate>(count: u64) -> Vec<T> {
    (0..count).map(|case| Source::random(Seed(7), case).any()).collect()
}

/// Asserts that an expression prints as it is written.
macro_rules! prints_itself {
    ($($type:ty: $value:expr),* $(,)?) => {$(
        let value: $type = $value;
        assert_eq!(squeezed(&value.literal()), squeezed(stringify!($value)));
    )*};
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

#[derive(Debug, Clone, PartialEq, Generate)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(Debug, Clone, PartialEq, Generate)]
struct Pair(u8, String);

#[derive(Debug, Clone, PartialEq, Generate)]
struct Unit;

#[derive(Debug, Clone, PartialEq, Generate)]
struct Hollow {}

#[derive(Debug, Clone, PartialEq, Generate)]
struct Empty();

#[derive(Debug, Clone, PartialEq, Generate)]
enum Exp {
    Con(i64),
    Add(Box<Exp>, Box<Exp>),
    Neg { of: Box<Exp>, r#in: Option<Unit> },
    Nil,
    Void {},
    Zero(),
}

#[derive(Debug, Clone, PartialEq, Generate)]
enum OnlyOne {
    This(u8),
}

mod shapes {
    use super::*;

    #[test]
    fn every_form_has_a_simplest_value() {
        assert_eq!(simplest::<Point>(), Point { x: 0, y: 0 });
        assert_eq!(simplest::<Pair>(), Pair(0, String::new()));
        assert_eq!(simplest::<Unit>(), Unit);
        assert_eq!(simplest::<Hollow>(), Hollow {});
        assert_eq!(simplest::<Empty>(), Empty());
        assert_eq!(simplest::<Exp>(), Exp::Nil);
        assert_eq!(simplest::<OnlyOne>(), OnlyOne::This(0));
    }

    #[test]
    fn every_variant_is_generated() {
        let seen: BTreeMap<String, Exp> = samples::<Exp>(1_000)
            .into_iter()
            .map(|exp| (format!("{exp:?}").chars().take_while(char::is_ascii_alphabetic).collect(), exp))
            .collect();
        assert_eq!(seen.keys().collect::<Vec<_>>(), ["Add", "Con", "Neg", "Nil", "Void", "Zero"]);
    }

    #[test]
    fn fast_and_recorded_choices_make_the_same_value() {
        for case in 0..200 {
            let fast: Vec<Exp> = Source::random(Seed(1), case).any();
            let mut source = Source::recording(Seed(1), case);
            assert_eq!(fast, source.any::<Vec<Exp>>());
            assert_eq!(fast, Source::replay(source.into_tape()).any::<Vec<Exp>>());
        }
    }

    #[test]
    fn a_failing_value_is_reduced_to_the_least() {
        fn largest(exp: &Exp) -> i64 {
            match exp {
                Exp::Con(number) => *number,
                Exp::Add(left, right) => largest(left).max(largest(right)),
                Exp::Neg { of, .. } => largest(of),
                Exp::Nil | Exp::Void {} | Exp::Zero() => 0,
            }
        }
        let failed = check(any::<Exp>(), |exp| largest(&exp) <= 100).unwrap_err();
        assert_eq!(failed.arguments()[0].text, "Con(101)");
    }

    #[test]
    fn all_values_of_a_finite_type_are_enumerated() {
        #[derive(Debug, Generate)]
        enum Light {
            Off,
            On { bright: bool },
            Blinking(bool, bool),
        }
        let passed = check(any::<Light>(), |_| {}).unwrap();
        assert_eq!(passed.exhausted.map(|all| (all.inputs, all.whole)), Some((7, true)));
    }
}

/// Ways to write an item that a reader of tokens might trip over.
mod forms {
    use super::*;

    #[derive(Debug, Clone, PartialEq, Generate)]
    pub(crate) struct Visible<T>(pub(crate) T, pub (u8, u8), (u16,), pub [T; 2])
    where
        T: Clone + PartialOrd<T>;

    #[derive(Debug, Clone, Copy, PartialEq, Generate)]
    #[repr(u16)]
    enum Numbered {
        Low = std::mem::size_of::<(u16, u16)>() as u16,
        High = 1 << 3,
    }

    #[derive(Debug, Clone, Generate)]
    struct Pointers {
        /// Documented.
        pub plain: Option<std::collections::HashMap<u8, Vec<(u8, u8)>>>,
        #[generate(with = just((|a: u8, _b: u8| -> u8 { a }) as fn(u8, u8) -> u8))]
        function: fn(u8, u8) -> u8,
        last: [Box<u8>; 1 + 1],
    }

    #[derive(Debug, Clone, PartialEq, Generate)]
    struct Bounded<'a, T: Iterator<Item = (u8, u8)> + 'a, const N: usize>
    where
        [u8; N]: PartialEq,
    {
        #[generate(skip)]
        marker: PhantomData<&'a T>,
        bytes: [u8; N],
    }

    macro_rules! items {
        ($(#[$attribute:meta])* $vis:vis $name:ident, $type:ty, $weight:literal, $generator:expr) => {
            $(#[$attribute])*
            #[derive(Debug, Clone, PartialEq, Generate)]
            $vis struct $name($vis $type, $type, #[generate(with = $generator)] $vis $type);

            mod by_macro {
                use super::*;

                #[derive(Debug, Clone, PartialEq, Generate)]
                $vis enum $name {
                    #[generate(weight = $weight)]
                    Often { field: $type },
                    Seldom($type),
                }
            }
        };
    }

    items!(#[non_exhaustive] #[doc = "made"] pub(crate) Made, Vec<u8>, 9, just(vec![7, 7]));

    #[test]
    fn all_of_them_are_read() {
        assert_eq!(simplest::<Visible<u8>>(), Visible(0, (0, 0), (0,), [0, 0]));
        assert_eq!(simplest::<Numbered>(), Numbered::Low);
        assert_eq!((simplest::<Pointers>().function)(7, 8), 7);
        assert_eq!(
            simplest::<Pointers>().plain.map_or(0, |map| map.len()) + simplest::<Pointers>().last.len(),
            2
        );
        assert_eq!(simplest::<Bounded<'_, std::vec::IntoIter<(u8, u8)>, 2>>().bytes, [0, 0]);
        assert_eq!(simplest::<Made>(), Made(vec![], vec![], vec![7, 7]));
        let often = |made: &&by_macro::Made| matches!(made, by_macro::Made::Often { .. });
        assert!(samples::<by_macro::Made>(1_000).iter().filter(often).count() > 800);
    }
}

mod recursion {
    use super::*;

    #[derive(Debug, Clone, Generate)]
    enum Statement {
        Block(Vec<Statement>),
        If(Expression, Box<Statement>, Option<Box<Statement>>),
        Pass,
    }

    #[derive(Debug, Clone, Generate)]
    enum Expression {
        Call(Box<Expression>, Vec<Expression>),
        Do(Box<Statement>, Box<Statement>, Box<Expression>),
        Lambda { body: Box<Body> },
        Name(char),
    }

    #[derive(Debug, Clone, Generate)]
    struct Body {
        statements: Vec<Statement>,
        result: Expression,
    }

    #[derive(Debug, Clone, Generate)]
    struct Rose {
        children: Vec<Rose>,
    }

    #[test]
    fn mutual_recursion_ends() {
        let sizes: Vec<usize> =
            samples::<Statement>(2_000).iter().map(|statement| format!("{statement:?}").len()).collect();
        assert!(sizes.iter().any(|size| *size > 200), "some are large");
        check(any::<(Statement, Expression, Body, Rose)>(), |_| {}).unwrap();
    }

    #[test]
    fn the_variant_that_ends_comes_first() {
        assert_eq!(Shape::of::<Expression>().simplest_first()[0], 3);
        assert!(matches!(simplest::<Expression>(), Expression::Name(_)));
        assert!(matches!(simplest::<Statement>(), Statement::Pass));
        assert!(matches!(simplest::<Body>(), Body { statements, .. } if statements.is_empty()));
        assert!(simplest::<Rose>().children.is_empty());
    }
}

mod generics {
    use super::*;

    #[derive(Debug, Clone, PartialEq, Generate)]
    enum Tree<T, const N: usize = 1> {
        Leaf([T; N]),
        Node { left: Box<Tree<T, N>>, right: Box<Tree<T, N>> },
    }

    #[derive(Debug, PartialEq, Generate)]
    struct Tagged<T, Marker> {
        value: T,
        marker: PhantomData<Marker>,
    }

    #[derive(Debug, PartialEq, Generate)]
    struct Borrowed<'a, T: Clone>
    where
        T: Debug,
    {
        text: std::borrow::Cow<'a, str>,
        rest: Vec<T>,
    }

    #[derive(Debug, PartialEq, Generate)]
    struct Items<I: IntoIterator>
    where
        I::Item: Debug,
    {
        items: Vec<I::Item>,
    }

    #[derive(Debug, PartialEq)]
    struct NoGenerator;

    #[derive(Debug, Generate)]
    struct Given<T> {
        #[generate(with = from_fn(|_| None))]
        never: Option<T>,
    }

    #[test]
    fn parameters_are_bound_where_they_are_used() {
        assert_eq!(simplest::<Tree<u8, 2>>(), Tree::Leaf([0, 0]));
        assert_eq!(simplest::<Tree<String>>(), Tree::Leaf([String::new()]));
        let tagged: Tagged<u8, NoGenerator> = simplest();
        assert_eq!(tagged, Tagged { value: 0, marker: PhantomData });
        assert_eq!(simplest::<Borrowed<'_, u8>>(), Borrowed { text: "".into(), rest: vec![] });
        assert_eq!(simplest::<Items<Vec<u8>>>(), Items { items: vec![] });
        assert_eq!(simplest::<Given<NoGenerator>>().never, None);
    }

    #[test]
    fn instances_have_shapes_of_their_own() {
        check(any::<(Tree<u8>, Tree<bool, 3>, Tree<Tree<u8>>)>(), |_| {}).unwrap();
    }

    #[test]
    fn instances_print_with_what_they_hold() {
        prints_itself! {
            Tree<u8, 2>: Tree::Leaf([1, 2]),
            Tree<char>: Tree::Node { left: Box::new(Tree::Leaf(['a'])), right: Box::new(Tree::Leaf(['b'])) },
            Tagged<u8, ()>: Tagged { value: 7, marker: std::marker::PhantomData },
        }
    }
}

mod attributes {
    use super::*;

    /// Has no generator and no `Default`.
    #[derive(Debug, Clone, PartialEq)]
    struct Foreign(u8);

    #[derive(Debug, Clone, PartialEq, Generate)]
    struct Settings {
        #[generate(with = within(1..=9u8).map(Foreign))]
        foreign: Foreign,
        #[generate(skip)]
        cache: BTreeMap<String, Vec<u8>>,
        #[generate(with = vec_of(0..5u8).len(2..4))]
        list: Vec<u8>,
    }

    #[test]
    fn fields_come_from_generators_or_defaults() {
        for Settings { foreign, cache, list } in samples(500) {
            assert!((1..=9).contains(&foreign.0) && cache.is_empty());
            assert!((2..4).contains(&list.len()) && list.iter().all(|number| *number < 5));
        }
    }

    #[derive(Debug, Clone, PartialEq, Generate)]
    enum Event {
        #[generate(skip)]
        Never,
        #[generate(weight = 1)]
        Rare,
        #[generate(weight = 8)]
        Common(u8),
        Ordinary,
        #[generate(weight = 0)]
        Hardly,
    }

    #[test]
    fn variants_come_by_weight() {
        let events = samples::<Event>(10_000);
        let count = |wanted: fn(&Event) -> bool| events.iter().filter(|event| wanted(event)).count();
        assert_eq!(count(|event| *event == Event::Never), 0);
        assert_eq!(count(|event| matches!(event, Event::Hardly)), 0);
        assert!((800..1_200).contains(&count(|event| matches!(event, Event::Rare))));
        assert!((800..1_200).contains(&count(|event| matches!(event, Event::Ordinary))));
        assert!((7_500..8_500).contains(&count(|event| matches!(event, Event::Common(_)))));
    }

    #[test]
    fn skipped_variants_do_not_shift_the_others() {
        #[derive(Debug, Clone, PartialEq, Generate)]
        enum Holes {
            #[generate(skip)]
            First(Foreign),
            Second(u8, u8),
            #[generate(skip)]
            Third,
            Fourth,
            #[generate(skip)]
            Last(Foreign),
        }
        assert_eq!(Shape::of::<Holes>().simplest_first(), [1, 0]);
        assert_eq!(simplest::<Holes>(), Holes::Fourth);
        let kept = |value: &Holes| matches!(value, Holes::Second(..) | Holes::Fourth);
        assert!(samples::<Holes>(200).iter().all(kept));
        prints_itself! { Holes: Holes::Third }
        assert_eq!(Holes::First(Foreign(3)).literal(), "Holes::First(Foreign(3))");
        assert_eq!(Holes::Last(Foreign(4)).literal(), "Holes::Last(Foreign(4))");
    }

    #[test]
    fn a_skipped_recursion_needs_no_end() {
        #[derive(Debug, Generate)]
        #[expect(dead_code, reason = "only built")]
        enum Chain {
            #[generate(skip)]
            Link(Box<Chain>, Foreign),
            End,
        }
        assert!(matches!(simplest::<Chain>(), Chain::End));
    }
}

mod literals {
    use super::*;

    #[test]
    fn values_print_as_the_expressions_that_build_them() {
        prints_itself! {
            Point: Point { x: 1, y: -2 },
            Pair: Pair(3, "say \"hi\"".to_string()),
            Unit: Unit,
            Hollow: Hollow {},
            Empty: Empty(),
            Exp: Exp::Add(Box::new(Exp::Con(0)), Box::new(Exp::Neg { of: Box::new(Exp::Nil), r#in: Some(Unit) })),
            Exp: Exp::Void {},
            Exp: Exp::Zero(),
            Vec<OnlyOne>: vec![OnlyOne::This(1), OnlyOne::This(2)],
        }
    }

    #[test]
    fn a_literal_is_spaced_as_rustfmt_would() {
        assert_eq!(Point { x: 1, y: 2 }.literal(), "Point { x: 1, y: 2 }");
        assert_eq!(
            Exp::Add(Box::new(Exp::Con(1)), Box::new(Exp::Void {})).literal(),
            "Exp::Add(Box::new(Exp::Con(1)), Box::new(Exp::Void {}))"
        );
    }

    #[test]
    fn a_field_that_is_no_literal_is_shown_by_debug_or_by_its_type() {
        #[derive(Debug)]
        struct Foreign;
        struct Opaque;

        #[derive(Generate)]
        struct Mixed {
            known: u8,
            #[generate(with = from_fn(|_| Foreign))]
            foreign: Foreign,
            #[generate(with = from_fn(|_| Opaque))]
            opaque: Opaque,
        }

        let mixed: Mixed = simplest();
        let _ = (&mixed.known, &mixed.foreign, &mixed.opaque);
        let text = mixed.literal();
        assert!(text.starts_with("Mixed { known: 0, foreign: Foreign, opaque: a value of type "), "{text}");
    }

    #[test]
    fn names_that_the_macro_uses_are_free_to_use() {
        #[derive(Debug, Clone, PartialEq, Generate)]
        struct Clash {
            source: u8,
            node: u8,
            value: u8,
            graph: u8,
            field_0: u8,
            shape: u8,
        }
        prints_itself! { Clash: Clash { source: 1, node: 2, value: 3, graph: 4, field_0: 5, shape: 6 } }
        assert_eq!(simplest::<Clash>().source, 0);
    }
}

#[derive(Debug, Generate)]
enum Weighty {
    Leaf,
    #[generate(weight = 3)]
    Number(u8),
    Pair(Box<Weighty>, Box<Weighty>),
}

/// Random search leaves variants out of some inputs, at times all that end.
#[property]
fn recursion_with_weights_ends_whatever_is_left_out(tree: Weighty) {
    fn nodes(tree: &Weighty) -> u64 {
        match tree {
            Weighty::Leaf => 1,
            Weighty::Number(_) => 1,
            Weighty::Pair(left, right) => 1 + nodes(left) + nodes(right),
        }
    }
    assert!(nodes(&tree) < 200_000);
}

#[derive(Debug, Generate)]
enum Bundled {
    Leaf,
    Pair(Box<(Bundled, Bundled)>),
    Many([Box<Bundled>; 3]),
    Perhaps(Option<Box<(Bundled, u8, Bundled)>>),
}

#[property]
fn the_size_divides_among_what_a_field_bundles(tree: &Bundled) {
    fn nodes(tree: &Bundled) -> u64 {
        match tree {
            Bundled::Leaf | Bundled::Perhaps(None) => 1,
            Bundled::Pair(pair) => 1 + nodes(&pair.0) + nodes(&pair.1),
            Bundled::Many(all) => 1 + all.iter().map(|tree| nodes(tree)).sum::<u64>(),
            Bundled::Perhaps(Some(all)) => 1 + nodes(&all.0) + nodes(&all.2),
        }
    }
    assert!(nodes(tree) < 200_000);
}
