//! Settings in the attribute of a property.

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
