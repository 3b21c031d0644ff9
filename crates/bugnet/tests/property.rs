//! What `#[property]` makes of a function.
//!
//! Properties that are to fail, or to be watched, are ignored as tests and called by other tests:
//! either directly, for a property is a function without parameters, or in a child process, where
//! the report can be read.
//!
//! **Invariant:** no property here writes into the tree: those that fail say `regressions = false`.

use bugnet::prelude::*;
use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A place where a property writes what it was given.
type Log<T> = Mutex<Vec<T>>;

/// What a property wrote while it was called once.
fn logged<T>(log: &Log<T>, property: fn()) -> Vec<T> {
    log.lock().unwrap().clear();
    property();
    std::mem::take(&mut *log.lock().unwrap())
}

/// What an ignored property of this file prints when it is run as a test of its own.
fn report(property: &str) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let output = command.args([property, "--exact", "--ignored", "--nocapture"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("running 1 test"), "no property {property}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

mod returns {
    use super::*;

    #[property]
    fn nothing(_a: u8) {}

    #[property]
    fn truth(a: u8, b: u8) -> bool {
        u16::from(a) + u16::from(b) == u16::from(b) + u16::from(a)
    }

    #[property]
    fn result(number: i32) -> Result<(), std::num::ParseIntError> {
        let parsed: i32 = number.to_string().parse()?;
        assert_eq!(parsed, number);
        Ok(())
    }

    #[property]
    fn result_of_truth(number: i32) -> Result<bool, String> {
        Ok(number.wrapping_neg().wrapping_neg() == number)
    }

    #[property(regressions = false)]
    #[should_panic(expected = "property failed")]
    fn falsehood(a: u8) -> bool {
        a < 100
    }

    #[property(regressions = false)]
    #[should_panic(expected = "property failed")]
    fn error(a: u8) -> Result<(), String> {
        if a < 100 { Ok(()) } else { Err(format!("{a} is too much")) }
    }

    #[property(regressions = false)]
    #[should_panic(expected = "property failed")]
    fn panic(a: u8) {
        assert!(a < 100);
    }
}

mod settings {
    use super::*;

    static CASES: Log<u64> = Log::new(Vec::new());

    #[property(cases = 1_234)]
    #[ignore = "called below"]
    fn many(a: u64) {
        CASES.lock().unwrap().push(a);
    }

    #[test]
    fn cases_are_counted() {
        assert_eq!(logged(&CASES, many).len(), 1_234);
    }

    static COUNTED: Log<u64> = Log::new(Vec::new());

    macro_rules! numbers {
        ($($name:ident = $number:literal),*) => {
            $(
                #[property(cases = $number)]
                #[ignore = "called below"]
                fn $name(a: u64) {
                    COUNTED.lock().unwrap().push(a);
                }
            )*

            #[test]
            fn numbers_have_the_value_that_the_compiler_gives_them() {
                $(assert_eq!(logged(&COUNTED, $name).len(), $number as usize, stringify!($number));)*
            }
        };
    }

    numbers! {
        grouped = 1_000,
        hexadecimal = 0x07,
        all_at_once = 0xFE_u64,
        binary = 0b101,
        octal = 0o17,
        suffixed = 8u32
    }

    #[property(time = "50ms")]
    #[ignore = "called below"]
    fn long(_a: u64) {}

    #[test]
    fn time_is_used_up() {
        let start = Instant::now();
        long();
        assert!(start.elapsed() >= Duration::from_millis(50));
    }

    static SEEDED: Log<u64> = Log::new(Vec::new());

    #[property(seed = 0x07, strategies = random, cases = 20)]
    #[ignore = "called below"]
    fn seven(a: u64) {
        SEEDED.lock().unwrap().push(a);
    }

    #[property(seed = 8, strategies = random, cases = 20)]
    #[ignore = "called below"]
    fn eight(a: u64) {
        SEEDED.lock().unwrap().push(a);
    }

    #[property(seed = "fixed", strategies = random, cases = 20)]
    #[ignore = "called below"]
    fn fixed(a: u64) {
        SEEDED.lock().unwrap().push(a);
    }

    #[property(seed = fresh, strategies = random, cases = 20)]
    #[ignore = "called below"]
    fn fresh(a: u64) {
        SEEDED.lock().unwrap().push(a);
    }

    #[test]
    fn seeds_decide_what_is_generated() {
        assert_eq!(logged(&SEEDED, seven), logged(&SEEDED, seven));
        assert_ne!(logged(&SEEDED, seven), logged(&SEEDED, eight));
        assert_eq!(logged(&SEEDED, fixed), logged(&SEEDED, fixed));
        assert_ne!(logged(&SEEDED, fresh), logged(&SEEDED, fresh));
    }

    static SEARCHED: Log<bool> = Log::new(Vec::new());

    #[property(strategies = exhaustive, cases = 10)]
    #[ignore = "called below"]
    fn exhaustive(a: bool) {
        SEARCHED.lock().unwrap().push(a);
    }

    #[property(strategies = "random", cases = 10)]
    #[ignore = "called below"]
    fn random(a: bool) {
        SEARCHED.lock().unwrap().push(a);
    }

    #[property(strategies = "both", cases = 10)]
    #[ignore = "called below"]
    fn both(a: bool) {
        SEARCHED.lock().unwrap().push(a);
    }

    #[test]
    fn strategies_can_be_chosen() {
        assert_eq!(logged(&SEARCHED, exhaustive), [false, true]);
        assert_eq!(logged(&SEARCHED, both), [false, true]);
        assert_eq!(logged(&SEARCHED, random).len(), 10);
    }

    static DEEP: Log<usize> = Log::new(Vec::new());

    #[property(strategies = exhaustive, depth = 2)]
    #[ignore = "called below"]
    fn shallow(list: Vec<bool>) {
        DEEP.lock().unwrap().push(list.len());
    }

    #[test]
    fn depth_limits_exhaustive_search() {
        assert_eq!(logged(&DEEP, shallow).into_iter().max(), Some(2));
    }

    #[property(shrinks = 3, regressions = false)]
    #[ignore = "read below"]
    fn few_shrinks(list: Vec<u64>) {
        assert!(list.len() < 20);
    }

    #[property(shrink_time = "0s", regressions = false)]
    #[ignore = "read below"]
    fn no_time_to_shrink(list: Vec<u64>) {
        assert!(list.len() < 20);
    }

    #[test]
    fn shrinking_can_be_cut_short() {
        assert!(report("settings::few_shrinks").contains("cut short"));
        assert!(report("settings::no_time_to_shrink").contains("cut short"));
    }

    #[test]
    fn a_failure_is_not_kept_if_regressions_are_off() {
        let report = report("settings::few_shrinks");
        assert!(report.contains("replay:") && !report.contains("kept in:"), "{report}");
    }

    #[property(isolate, cases = 20)]
    fn a_case_may_run_in_a_child(_a: u8) {}

    #[property(isolate = "2s", cases = 20)]
    fn a_child_may_be_given_time(_a: u8) {}

    #[property(isolate = false)]
    fn a_child_may_be_refused(_a: u8) {}

    #[property(expect_panic)]
    fn a_panic_may_be_expected(#[with(1..100u8)] a: u8) {
        assert_eq!(a, 0);
    }

    #[property(expect_panic = "divide by zero")]
    fn a_message_may_be_expected(a: u8, #[with(just(0))] b: u8) {
        let _ = a / b;
    }

    #[property(expect_panic, regressions = false)]
    #[should_panic(expected = "property failed")]
    fn a_panic_that_does_not_come_fails(a: u8) {
        assert!(a > 3);
    }

    #[property(expect_panic = "another text", regressions = false)]
    #[should_panic(expected = "property failed")]
    fn a_panic_with_another_message_fails(_a: u8) {
        panic!("this text");
    }

    #[property(cases = 5, seed = 1, strategies = both, depth = 3, shrinks = 1, shrink_time = "1s",)]
    fn settings_may_be_combined(_a: u8) {}
}

mod parameters {
    use super::*;
    use std::marker::PhantomData as Empty;

    #[derive(Debug, Generate)]
    struct Point {
        x: u8,
        y: u8,
    }

    #[property]
    fn references_borrow_what_is_generated(
        text: &str,
        list: &[u16],
        point: &Point,
        array: &[u8; 3],
        nested: &Vec<Option<String>>,
    ) {
        assert!(text.len() >= text.chars().count() && list.len() < 1_000_000);
        assert!(u16::from(point.x) + u16::from(point.y) < 512 && array.len() == 3);
        assert_eq!(nested.clone(), *nested);
    }

    #[property]
    fn mutable_references_borrow_it_as_well(list: &mut [u8], text: &mut String, number: &mut u64) {
        list.reverse();
        text.push('a');
        *number = 1;
        assert!(text.ends_with('a'));
    }

    #[property]
    fn what_is_passed_may_be_changed(mut list: Vec<u8>) {
        list.push(1);
        assert_eq!(list.pop(), Some(1));
    }

    #[property]
    fn patterns_take_values_apart((a, b): (u8, u16), Point { x, y: _ }: Point, [c, ..]: [u8; 2], _: u8) {
        assert!(u32::from(a) + u32::from(b) + u32::from(c) + u32::from(x) < 100_000);
    }

    #[property]
    fn the_source_can_stand_anywhere(limit: u8, source: &mut Source, text: &str) {
        let below = source.draw(0..=limit);
        assert!(below <= limit && text.len() < 1_000_000);
    }

    #[property(strategies = random, regressions = false)]
    #[should_panic(expected = "property failed")]
    fn what_the_body_draws_can_refute(source: &mut bugnet::Source) {
        assert!(source.any::<u8>() < 200);
    }

    #[property]
    fn generators_replace_the_type(
        #[with(10..20u8)] small: u8,
        #[with(vec_of(any::<u8>()).len(1..=3))] list: &[u8],
        #[with(string_of('a'..='c'))] text: &str,
        #[with(select(["left", "right"]))] word: &str,
        #[with(select(["up", "down"]))] forever: &'static str,
        #[with(just(7u8))] number: &u8,
    ) {
        assert!((10..20).contains(&small) && (1..=3).contains(&list.len()));
        assert!(text.chars().all(|c| "abc".contains(c)));
        assert!(["left", "right"].contains(&word) && ["up", "down"].contains(&forever));
        assert_eq!(*number, 7);
    }

    static BUILT: AtomicU64 = AtomicU64::new(0);

    fn counted() -> impl Generator<Value = u8> {
        BUILT.fetch_add(1, Ordering::Relaxed);
        any::<u8>()
    }

    #[property]
    #[ignore = "called below"]
    fn with_a_counted_generator(#[with(counted())] _a: u8) {}

    #[test]
    fn a_generator_is_built_once() {
        with_a_counted_generator();
        assert_eq!(BUILT.load(Ordering::Relaxed), 1);
    }

    static RUNS: AtomicU64 = AtomicU64::new(0);

    #[property]
    #[ignore = "called below"]
    fn without_parameters() {
        RUNS.fetch_add(1, Ordering::Relaxed);
    }

    #[test]
    fn a_property_without_parameters_is_one_case() {
        without_parameters();
        assert_eq!(RUNS.load(Ordering::Relaxed), 1);
    }

    #[property(regressions = false, seed = 1)]
    #[ignore = "read below"]
    fn shown(
        text: &str,
        list: &[Option<u8>],
        mut number: u64,
        (a, _): (bool, u8),
        map: BTreeMap<u8, Vec<(char, i8)>>,
        #[with(just(Opaque))] opaque: Opaque,
        r#type: Point,
    ) {
        number /= 2;
        let _ = (text, list, a, map, opaque, r#type.x, r#type.y);
        assert!(number < 10);
    }

    #[derive(Clone)]
    struct Opaque;

    #[test]
    fn arguments_are_shown_as_source_with_owned_types() {
        let report = report("parameters::shown");
        for line in [
            "let text: String = \"\".to_string();",
            "let list: Vec<Option<u8>> = vec![];",
            "let number: u64 = 20;",
            "let input_4: (bool, u8) = (false, 0);",
            "let map: BTreeMap<u8, Vec<(char, i8)>> = std::collections::BTreeMap::from([]);",
            "opaque = a value of type property::parameters::Opaque",
            "let r#type: Point = Point { x: 0, y: 0 };",
        ] {
            assert!(report.contains(line), "{line} is not in\n{report}");
        }
    }

    macro_rules! typed {
        ($($name:ident: $kind:literal, $type:ty;)*) => {
            #[property(regressions = false, seed = 1)]
            #[ignore = "read below"]
            #[expect(clippy::too_many_arguments, reason = "one for each form")]
            fn typed(number: u8, $($name: $type),*) {
                let _ = ($($name,)*);
                assert!(number < 10);
            }

            #[test]
            fn types_are_spaced_as_rustfmt_would() {
                let report = report("parameters::typed");
                $(
                    let start = concat!("let ", stringify!($name), ": ", $kind, " = ");
                    assert!(report.contains(start), "{start} is not in\n{report}");
                )*
            }
        };
    }

    typed! {
        path: "std::collections::BTreeMap<u8, Vec<(char, i8)>>", std::collections::BTreeMap<u8,Vec<(char,i8)>>;
        array: "[Option<bool>; 2]", [Option<bool>;2];
        slice: "Empty<&'static mut [u8]>", Empty<&'static mut[u8]>;
        object: "Empty<Box<dyn Fn(u8, u16) -> u32 + Send + 'static>>", Empty<Box<dyn Fn(u8,u16)->u32+Send+'static>>;
        associated: "<Vec<u8> as IntoIterator>::Item", <Vec<u8>as IntoIterator>::Item;
        function: "Empty<fn(u8) -> Result<(), ()>>", Empty<fn(u8)->Result<(),()>>;
        pointer: "Empty<*const u8>", Empty<*const u8>;
        items: "Empty<Box<dyn Iterator<Item = (u8, u8)>>>", Empty<Box<dyn Iterator<Item=(u8,u8)>>>;
        unit: "()", ();
    }

    macro_rules! round_trips {
        ($(#[$attribute:meta] $vis:vis $name:ident, $type:ty, $cases:literal, $text:expr, $body:block);*) => {$(
            #[property(cases = $cases)]
            #[$attribute]
            #[example($text.parse().unwrap(), &Default::default(), 1)]
            $vis fn $name(_value: $type, _same: &$type, #[with(just($cases))] _cases: u64) -> bool $body
        )*};
    }

    round_trips! {
        #[doc = "numbers"] pub(crate) numbers_round_trip, i64, 100, "7", { true };
        #[cfg(any())] texts_round_trip, String, 10, "text", { NoSuchName }
    }

    /// Ways to write a function that a reader of tokens might trip over.
    #[property]
    fn forms_are_read(
        function: std::marker::PhantomData<fn(u8, u16) -> u32>,
        #[expect(unused_mut, reason = "an attribute of a parameter is kept")] mut nested: Vec<
            Vec<Option<(u8, u8)>>,
        >,
        array: [u8; 1 + 1],
        boxed: Box<[u8]>,
        slice: &'_ [(u8, Vec<u8>)],
        std::num::Wrapping::<u8>(inner): std::num::Wrapping<u8>,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let _ = (function, nested, boxed, slice, inner);
        if array.len() == 2 { Ok(()) } else { Err("no".into()) }
    }
}

mod examples {
    use super::*;

    static SEEN: Log<(u8, String)> = Log::new(Vec::new());

    #[example(1, "before")]
    #[bugnet::example(2, "before as well")]
    #[property(cases = 10)]
    #[example(3, "a, comma")]
    #[example(4 + BTreeMap::<u8, u8>::new().len() as u8, "turbofish",)]
    #[ignore = "called below"]
    fn with_examples(number: u8, text: &str) {
        SEEN.lock().unwrap().push((number, text.to_string()));
    }

    #[test]
    fn examples_run_first_in_order_and_beside_the_cases() {
        let seen = logged(&SEEN, with_examples);
        let texts: Vec<&str> = seen.iter().take(4).map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["before", "before as well", "a, comma", "turbofish"]);
        assert_eq!(seen.iter().take(4).map(|(number, _)| *number).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert_eq!(seen.len(), 14);
    }

    #[example(7, &mut  3)]
    #[property(regressions = false)]
    #[example(8, &mut 9)]
    #[ignore = "read below"]
    fn refuted_before_the_property(a: u8, b: &mut u8) -> bool {
        a != 7 || *b != 3
    }

    #[example(7, &mut 3)]
    #[property(regressions = false)]
    #[example(8,  &mut 9)]
    #[ignore = "read below"]
    fn refuted_behind_the_property(a: u8, b: &mut u8) -> bool {
        a != 8 || *b != 9
    }

    #[test]
    fn an_example_is_shown_as_it_is_written() {
        assert!(report("examples::refuted_before_the_property").contains("example = 7, &mut  3\n"));
        assert!(report("examples::refuted_behind_the_property").contains("example = 8,  &mut 9\n"));
    }

    #[property]
    #[example(5)]
    fn a_parameter_that_is_the_source_has_no_argument(source: &mut Source, limit: u8) {
        assert!(source.draw(0..=limit) <= limit);
    }

    fn size<T, const N: usize>() -> usize {
        size_of::<[T; N]>()
    }

    #[property]
    #[example(BTreeMap::<u8, Vec<u8>>::new(), 1 < 2, u8::max(3, 4), 5 > 6, size::<fn(u8) -> (u8, u8), 9>())]
    fn only_commas_between_arguments_divide_them(
        map: BTreeMap<u8, Vec<u8>>,
        smaller: bool,
        number: u8,
        larger: bool,
        size: usize,
    ) {
        let _ = (map, smaller, number, larger, size);
    }

    #[property]
    #[example()]
    fn an_example_may_be_empty() {}
}

mod asynchronous {
    use super::*;
    use std::task::Poll;

    /// Is ready at the second look.
    async fn wait() {
        let mut waited = false;
        std::future::poll_fn(|context| {
            context.waker().wake_by_ref();
            if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    #[property]
    #[example(3, "text")]
    async fn futures_are_run_to_their_end(a: u8, text: &str) -> Result<(), std::num::ParseIntError> {
        assume!(text.len() < 1_000);
        wait().await;
        assert_eq!(a.to_string().parse::<u8>()?, a);
        Ok(())
    }

    #[property(regressions = false)]
    #[should_panic(expected = "property failed")]
    async fn futures_can_refute(a: u8) -> bool {
        wait().await;
        a < 100
    }

    static RUNS: AtomicU64 = AtomicU64::new(0);

    fn run<F: Future>(future: F) -> F::Output {
        RUNS.fetch_add(1, Ordering::Relaxed);
        bugnet::__private::block_on(future)
    }

    #[property(block_on = self::run, cases = 12)]
    #[example(1)]
    #[ignore = "called below"]
    async fn on_another_runtime(_a: u64) {}

    #[test]
    fn another_runtime_can_be_given() {
        on_another_runtime();
        assert_eq!(RUNS.load(Ordering::Relaxed), 13);
    }
}

mod preconditions {
    use super::*;

    static PASSED: Log<(u8, u8)> = Log::new(Vec::new());

    #[property(cases = 200)]
    #[ignore = "called below"]
    fn with_leading_preconditions(mut a: u8, b: &mut u8) -> Result<bool, String> {
        assume!(*b != 0);
        bugnet::assume!(a > *b,);
        PASSED.lock().unwrap().push((a, *b));
        a -= 1;
        if a < *b {
            return Err(format!("{a} < {b}"));
        }
        "x".parse::<char>().map_err(|error| error.to_string())?;
        Ok(a >= *b)
    }

    #[test]
    fn a_case_without_its_preconditions_is_discarded() {
        let passed = logged(&PASSED, with_leading_preconditions);
        assert!(passed.len() >= 200);
        assert!(passed.iter().all(|(a, b)| *b != 0 && a > b));
    }

    #[property]
    fn a_precondition_may_take_its_parameter(list: Vec<u8>, other: Vec<u8>) {
        assume!(list.into_iter().all(|number| number < 200));
        let moved = other;
        assert!(moved.len() < 1_000_000);
    }

    #[property]
    fn a_precondition_may_return(text: String) -> Result<(), std::num::ParseIntError> {
        assume!(text.is_empty() || "7".parse::<u8>()? == 7);
        Ok(())
    }

    #[property]
    fn a_precondition_may_come_late(a: u8) {
        let half = a / 2;
        assume!(half > 3);
        assert!(half > 3);
    }

    #[property]
    fn a_property_may_be_nothing_but_a_precondition(a: u8) {
        assume!(a > 3);
    }

    #[property]
    fn a_property_may_call_itself(a: u8) {
        assume!(a < 10);
        if a > 0 {
            a_property_may_call_itself(a - 1);
        }
    }

    #[property(regressions = false)]
    #[ignore = "read below"]
    fn never_met(a: u8) {
        assume!(u16::from(a) > 255);
        assert!(a > 0);
    }

    #[test]
    fn a_precondition_that_is_never_met_is_reported() {
        assert!(report("preconditions::never_met").contains("GAVE UP"));
    }

    #[property(regressions = false)]
    #[ignore = "read below"]
    fn refuted(a: u8) {
        assume!(a > 10);
        assert!(a < 100);
    }

    #[test]
    fn a_failure_behind_a_precondition_has_its_place() {
        let line = line!() - 5;
        let report = report("preconditions::refuted");
        assert!(report.contains("let a: u8 = 100;"), "{report}");
        assert!(report.contains(&format!("property.rs:{line}:9")), "{report}");
    }
}

mod attributes {
    use super::*;

    /// A doc comment stays on the test.
    #[property]
    #[cfg(any())]
    fn is_not_there(a: NoSuchType) {}

    #[property]
    #[test]
    pub(crate) fn a_test_is_not_marked_twice(a: u8) {
        assert_eq!(a.count_ones() + a.count_zeros(), 8);
    }

    #[test]
    fn a_property_is_a_test_of_its_name() {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let output = command.arg("--list").output().unwrap();
        let list = String::from_utf8_lossy(&output.stdout);
        assert_eq!(list.matches("attributes::a_test_is_not_marked_twice: test").count(), 1);
        assert!(!list.contains("is_not_there"));
    }

    #[test]
    fn a_property_of_any_name_can_be_called() {
        catch_unwind(self::r#fn).unwrap();
    }

    #[property]
    fn r#fn(_a: u8) {}
}

#[derive(Debug, Clone, Copy, PartialEq, Generate)]
enum Step {
    Push(u8),
    Pop,
    Peek,
}

/// A stack that overflows: what a list of operations finds only if some are left out.
fn overflows(steps: Vec<Step>) {
    let mut depth = 0;
    for step in steps {
        match step {
            Step::Push(_) => depth += 1,
            Step::Pop => depth = 0,
            Step::Peek => {}
        }
        assert!(depth < 12, "no room");
    }
}

#[test]
fn lists_of_operations_leave_variants_out_and_the_report_says_which_matter() {
    let explain = bugnet::campaign::Options { explain: Some(true), ..Default::default() };
    let property = Property::new("overflows").seed(Seed(5)).options(explain);
    let failed = property.check(any::<Vec<Step>>(), overflows).unwrap_err();
    assert_eq!(failed.arguments[0].text, format!("{:?}", vec![Step::Push(0); 12]));
    let table = failed.influences.table();
    let says =
        |name: &str, effect: &str| table.lines().any(|line| line.contains(name) && line.contains(effect));
    assert!(says("Step::Push", "triggers") && says("Step::Pop", "suppresses"), "{table}");
}
