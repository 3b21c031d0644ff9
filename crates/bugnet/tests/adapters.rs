//! Generators made from regular expressions, proptest's strategies and `arbitrary`.
//!
//! **Invariant:** what holds for every adapter is tested on every adapter by the same function.

#![cfg(all(feature = "regex", feature = "proptest", feature = "arbitrary"))]

use bugnet::campaign::{Failed, Reason};
use bugnet::oracle::{Caught, catch};
use bugnet::prelude::*;
use std::fmt::Debug;
use std::time::{Duration, Instant};

/// The simplest failing inputs that random search finds from some seeds.
fn shrunk<G: Generator>(generator: G, test: impl Fn(G::Value) -> bool) -> Vec<String>
where
    G::Value: Debug,
{
    let find = |seed| {
        let property = Property::new("shrunk").strategies(Strategies::Random).seed(Seed(seed));
        let failed: Box<Failed> = property.check(&generator, &test).unwrap_err();
        assert!(matches!(failed.reason, Reason::Refuted(_)), "{failed}");
        failed.arguments()[0].text.clone()
    };
    (0..4).map(find).collect()
}

fn assert_same_value_from_seed_and_tape<G: Generator>(generator: G)
where
    G::Value: Debug + PartialEq,
{
    for case in 0..100 {
        let fast = generator.generate(&mut Source::random(Seed(9), case));
        let mut recording = Source::recording(Seed(9), case);
        assert_eq!(generator.generate(&mut recording), fast);
        let tape = recording.into_tape();
        assert_eq!(generator.generate(&mut Source::replay(tape.clone())), fast);
        let read: Tape = tape.to_string().parse().unwrap();
        assert_eq!(generator.generate(&mut Source::replay(read)), fast);
    }
}

/// Exhaustive search ends, starts with the simplest value, and runs no value from one tape twice.
fn exhaustive<G: Generator>(generator: G) -> Vec<G::Value>
where
    G::Value: Debug + Clone,
{
    let seen = std::cell::RefCell::new(Vec::new());
    let simplest = generator.generate(&mut Source::replay(Tape::default()));
    let start = Instant::now();
    let property = Property::new("all").strategies(Strategies::Exhaustive).cases(400);
    property.check(generator, |value: G::Value| seen.borrow_mut().push(value)).unwrap();
    assert!(start.elapsed() < Duration::from_secs(20));
    let seen = seen.into_inner();
    assert_eq!(format!("{:?}", seen[0]), format!("{simplest:?}"));
    seen
}

mod regular_expression {
    use super::*;

    const PATTERNS: [&str; 20] = [
        "",
        "[a-z]+[0-9]{2,}",
        r"\d{4}-\d{2}-\d{2}",
        "(cat|dog)s?( and (cat|dog)s?)*",
        r"[\w.+-]+@\w+\.\w{2,}",
        r"(?i)straße",
        r"\p{Greek}+\PC{0,8}",
        r"(?s).{3}",
        "[^a-z]*",
        "((a*b?)*c{2,3})*",
        r"(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}",
        r"^\s*$",
        r"\bfoo\b|^x$",
        r"(\w+\b[ ,]+){1,3}\w+",
        r"(?m)^a*$(\n^b*$)*",
        r"(?-u)[\x00-\x7f]{0,4}",
        r"\x{1F600}|[\x{10FF00}-\x{10FFFF}]",
        r"[[:alpha:]&&[^aeiou]]+?",
        r"a\B.\Bz",
        "(x{0,30}y){0,30}",
    ];

    #[test]
    fn every_text_matches_its_pattern() {
        for pattern in PATTERNS {
            let matcher = regex::Regex::new(&format!(r"\A(?:{pattern})\z")).unwrap();
            let property = Property::new(pattern).cases(500).seed(Seed(5));
            property.check(regex(pattern), |text| assert!(matcher.is_match(&text), "{text:?}")).unwrap();
        }
    }

    #[test]
    fn a_failing_text_shrinks_to_a_shortest_one() {
        for text in shrunk(regex("[a-z]+[0-9]{2,}"), |text| text.len() < 5) {
            let text = text.trim_matches('"');
            assert!(text.len() == 5 && text.trim_start_matches('a').trim_matches('0').is_empty(), "{text}");
        }
        let words = "[a-z]+( [a-z]+)*";
        for text in shrunk(regex(words), |text| text.split(' ').count() < 3) {
            assert_eq!(text, "\"a a a\"");
        }
        for text in shrunk(regex(r"(?s).*"), |text| !text.contains(char::is_uppercase)) {
            assert_eq!(text, "\"A\"");
        }
    }

    #[test]
    fn the_same_seed_shrinks_to_the_same_text() {
        let shrunk = || shrunk(regex(r"\w+@\w+(\.\w+)+"), |text| text.len() < 12);
        assert_eq!(shrunk(), shrunk());
    }

    #[test]
    fn the_same_text_comes_from_seed_and_tape() {
        for pattern in PATTERNS {
            assert_same_value_from_seed_and_tape(regex(pattern));
        }
    }

    #[test]
    fn exhaustive_search_takes_each_text_once() {
        let texts = exhaustive(regex("[a-z]*(x|yz)"));
        assert_eq!(texts[..4], ["x", "yz", "ax", "ayz"]);
        let distinct: std::collections::BTreeSet<&String> = texts.iter().collect();
        assert_eq!(distinct.len(), texts.len());
        let few = Property::new("few").check(regex("(a|b)c?"), |_| true).unwrap();
        assert_eq!(few.tests, 4);
        exhaustive(regex(r"\d{4}-\d{2}-\d{2}"));
    }

    #[test]
    fn a_pattern_that_nothing_matches_is_refused() {
        let refusal = |pattern: &str| match catch(|| regex(pattern)) {
            Err(Caught::Misused(message)) => message,
            other => panic!("{pattern} gave {other:?}"),
        };
        assert!(refusal("(a").contains("unclosed group"));
        assert!(refusal("a^b").contains("`^` behind text"));
        assert!(refusal("(a$){2}").contains("`$` before text"));
        assert!(refusal("[a&&b]").contains("class without characters"));
        assert!(refusal("(a{1000}){1000}").contains("repeat less often"));
    }
}

mod strategy {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::{Just, Strategy, any, prop_oneof};

    fn sum(shown: &str) -> i32 {
        let numbers = shown.trim_matches(|c: char| !c.is_ascii_digit()).split(", ");
        numbers.map(|number| number.parse::<i32>().unwrap()).sum()
    }

    #[test]
    fn a_failing_value_shrinks_as_far_as_proptest_can() {
        for list in shrunk(from_strategy(vec(0..1000i32, 0..50)), |list| list.iter().sum::<i32>() < 500) {
            assert_eq!(sum(&list), 500, "{list}");
            assert!(list.matches(',').count() <= 1, "{list}");
        }
        for number in shrunk(from_strategy(any::<i32>()), |number| number > -10) {
            assert_eq!(number, "-10");
        }
        for text in shrunk(from_strategy("[a-c]{0,20}[0-9]{0,20}"), |text: String| text.len() < 8) {
            assert!(
                text.len() == 10
                    && text.trim_matches('"').trim_start_matches('a') == text.trim_matches(['"', 'a'])
            );
        }
        let mixed = vec(prop_oneof![Just(0u8), 1..10u8, 100..200u8], 0..40);
        for list in shrunk(from_strategy(mixed), |list| list.iter().filter(|item| **item >= 100).count() < 3)
        {
            assert_eq!(list, "[100, 100, 100]");
        }
    }

    #[test]
    fn dependent_draws_shrink_too() {
        let lists = (1..30usize).prop_flat_map(|length| vec(0..100u8, length));
        for list in shrunk(from_strategy(lists), |list| list.windows(2).all(|pair| pair[0] <= pair[1] + 10)) {
            assert_eq!(list.matches(',').count(), 1, "{list}");
        }
    }

    #[test]
    fn the_same_value_comes_from_seed_and_tape() {
        assert_same_value_from_seed_and_tape(from_strategy(vec(any::<i64>(), 0..20)));
        assert_same_value_from_seed_and_tape(from_strategy("\\PC{0,20}"));
        // These are the ones for which proptest makes further random numbers of their own.
        let lists = (1..9usize).prop_flat_map(|length| vec(prop_oneof![0..9u8, 100..109u8], length));
        assert_same_value_from_seed_and_tape(from_strategy(lists.prop_shuffle()));
    }

    #[test]
    fn exhaustive_search_takes_the_simplest_value_and_then_others() {
        let lists = exhaustive(from_strategy(vec(5..1000i32, 1..50)));
        assert_eq!(lists[0], [5]);
        let distinct: std::collections::BTreeSet<&Vec<i32>> = lists.iter().collect();
        assert!(distinct.len() > 380, "{} of {} are distinct", distinct.len(), lists.len());
        assert_eq!(exhaustive((0..3u8, from_strategy(0..1000i32)))[0], (0, 0));
        exhaustive(vec_of(from_strategy(any::<u8>())));
    }

    #[test]
    fn a_strategy_that_rejects_everything_discards_every_case() {
        let none = from_strategy((0..10).prop_filter("nothing will do", |_| false));
        let failed = Property::new("none").cases(1).check(none, |_| true).unwrap_err();
        assert!(failed.to_string().contains("GAVE UP"), "{failed}");
    }
}

mod arbitrary_trait {
    use super::*;
    use ::arbitrary::Arbitrary;

    #[derive(Debug, Clone, PartialEq, Arbitrary)]
    struct Account {
        id: u32,
        name: String,
        tags: Vec<u16>,
    }

    #[derive(Debug, Clone, PartialEq, Arbitrary)]
    enum Exp {
        Con(i32),
        Add(Box<Exp>, Box<Exp>),
        Neg(Box<Exp>),
    }

    fn depth(exp: &Exp) -> usize {
        match exp {
            Exp::Con(_) => 1,
            Exp::Add(left, right) => 1 + depth(left).max(depth(right)),
            Exp::Neg(inner) => 1 + depth(inner),
        }
    }

    #[test]
    fn a_failing_struct_shrinks() {
        for account in shrunk(arbitrary::<Account>(), |account| account.name.len() < 4) {
            assert_eq!(account, r#"Account { id: 0, name: "\0\0\0\0", tags: [] }"#);
        }
        for account in shrunk(arbitrary::<Account>(), |account| account.tags.len() < 3) {
            assert!(account.starts_with("Account { id: 0, "), "{account}");
            assert!(account.ends_with("tags: [0, 0, 0] }"), "{account}");
        }
    }

    #[test]
    fn a_failing_recursive_enum_shrinks() {
        for exp in shrunk(arbitrary::<Exp>(), |exp| depth(&exp) < 3) {
            assert_eq!(exp.matches("Con(0)").count(), exp.matches("Con").count(), "{exp}");
            assert!(exp.len() <= "Add(Add(Con(0), Con(0)), Con(0))".len(), "{exp}");
        }
    }

    #[test]
    fn the_same_value_comes_from_seed_and_tape() {
        assert_same_value_from_seed_and_tape(arbitrary::<Account>());
        assert_same_value_from_seed_and_tape(arbitrary::<Exp>());
        assert_same_value_from_seed_and_tape(arbitrary::<(String, bool, [u8; 3])>());
    }

    #[test]
    fn exhaustive_search_meets_every_variant() {
        let exps = exhaustive(arbitrary::<Exp>());
        assert!(exps.iter().any(|exp| matches!(exp, Exp::Add(..))));
        assert!(exps.iter().any(|exp| matches!(exp, Exp::Neg(_))));
        exhaustive(arbitrary::<Account>());
        exhaustive(arbitrary::<()>());
    }
}
