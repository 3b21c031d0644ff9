//! The macros and what they accept. The crate `bugnet-macros` writes the code; the examples are here because they
//! need the library.

/// Derives [`Generate`](trait@crate::generate::Generate) and [`Literal`](crate::generate::Literal) for a struct or an
/// enum: its values can be made out of choices, and printed as the Rust expressions that build them.
///
/// ```
/// use bugnet::prelude::*;
///
/// #[derive(Debug, Clone, PartialEq, Generate)]
/// enum Exp {
///     Con(i64),
///     Add(Box<Exp>, Box<Exp>),
/// }
///
/// let sum = Exp::Add(Box::new(Exp::Con(0)), Box::new(Exp::Con(7)));
/// assert_eq!(sum.literal(), "Exp::Add(Box::new(Exp::Con(0)), Box::new(Exp::Con(7)))");
///
/// let failed = check(any::<Exp>(), |exp| matches!(exp, Exp::Con(_))).unwrap_err();
/// assert_eq!(failed.arguments()[0].text, "Add(Con(0), Con(0))");
/// ```
///
/// Recursive types need nothing else, whether they refer to themselves directly or through others:
/// when a value has become large enough, the variants that end are chosen. Generic types get a bound on
/// each type parameter that a field uses.
///
/// # Fields
///
/// `#[generate(with = …)]` takes a value from a generator instead of the type of the field, which then
/// needs no generator of its own. `#[generate(skip)]` takes it from [`Default`].
///
/// ```
/// use bugnet::prelude::*;
///
/// #[derive(Debug, Generate)]
/// struct Account {
///     #[generate(with = string_of('a'..='z').len(1..=8))]
///     name: String,
///     balance: u64,
///     #[generate(skip)]
///     log: Vec<String>,
/// }
///
/// check(any::<Account>(), |account| {
///     assert!((1..=8).contains(&account.name.len()) && account.log.is_empty());
///     assert!(account.balance.checked_add(0).is_some());
/// })
/// .unwrap();
/// ```
///
/// # Variants
///
/// `#[generate(weight = 9)]` makes a variant nine times as frequent in random search as one without a
/// weight, and `#[generate(skip)]` leaves it out.
///
/// ```
/// use bugnet::prelude::*;
///
/// #[derive(Debug, Clone, PartialEq, Generate)]
/// enum Request {
///     #[generate(weight = 9)]
///     Read(u16),
///     Write(u16, u8),
///     #[generate(skip)]
///     Shutdown,
/// }
///
/// check(any::<Vec<Request>>(), |requests| !requests.contains(&Request::Shutdown)).unwrap();
/// ```
pub use bugnet_macros::Generate;

/// Makes a test of a function: its arguments are generated, and it is to hold for all of them.
///
/// ```
/// use bugnet::prelude::*;
///
/// #[property]
/// # #[rustfmt::test] // A doctest builds no tests: this makes the property a function to be called.
/// fn reversing_twice_changes_nothing(list: Vec<u8>) {
///     let mut twice = list.clone();
///     twice.reverse();
///     twice.reverse();
///     assert_eq!(twice, list);
/// }
/// # reversing_twice_changes_nothing();
/// ```
///
/// A case fails if the function panics, returns `false`, or returns an `Err`; the report shows the
/// simplest input that fails, as Rust source. The function may be `async`.
///
/// # Parameters
///
/// A parameter has a type with a generator, derived by `#[derive(Generate)]` or that of the standard
/// library, or a generator of its own in `#[with(…)]`. It may be a reference: for `&str` a `String` is
/// generated and borrowed, for `&[T]` a `Vec<T>`, for `&T` and `&mut T` a `T`. A reference is also cheaper,
/// for the next value reuses the boxes of the last one. A parameter
/// `source: &mut Source` gets the source of all choices, to draw from while the property runs.
///
/// ```
/// use bugnet::prelude::*;
///
/// #[property]
/// # #[rustfmt::test]
/// fn splitting_keeps_every_byte(text: &str, #[with(1..=16usize)] width: usize, source: &mut Source) {
///     let parts: Vec<&[u8]> = text.as_bytes().chunks(width).collect();
///     assert_eq!(parts.concat(), text.as_bytes());
///     if !parts.is_empty() {
///         assert!(parts[source.index(parts.len())].len() <= width);
///     }
/// }
/// # splitting_keeps_every_byte();
/// ```
///
/// # Examples and preconditions
///
/// `#[example(…)]` gives the arguments of a call by hand, written as in a call; examples run before all
/// generated inputs. `assume!` gives up a case that does not meet a precondition. At the very start of
/// the function it is cheapest.
///
/// ```
/// use bugnet::prelude::*;
///
/// #[property]
/// #[example(7, 2)]
/// #[example(u32::MAX, 1)]
/// # #[rustfmt::test]
/// fn division_has_a_remainder(a: u32, b: u32) -> bool {
///     assume!(b != 0);
///     a / b * b + a % b == a
/// }
/// # division_has_a_remainder();
/// ```
///
/// # Settings
///
/// | | |
/// |---|---|
/// | `cases = 10_000` | how many cases to run |
/// | `time = "5s"` | how long to search, instead of counting cases |
/// | `seed = 0x07`, `fixed`, `fresh` | the seed of the random cases |
/// | `strategies = both`, `random`, `exhaustive` | how to search |
/// | `depth = 4` | the greatest depth of exhaustive search |
/// | `shrinks = 1000`, `shrink_time = "10s"` | how much to spend on reducing a failing input |
/// | `isolate`, `isolate = "2s"` | run the cases in a child process, and how long one may take there |
/// | `regressions = false` | do not keep failing inputs |
/// | `expect_panic`, `expect_panic = "text"` | every case must panic, with this text in its message |
/// | `block_on = path` | the function that runs the future of an `async` property |
/// | `explain = true` | run more inputs to tell which variants trigger and suppress a failure |
/// | `bugs = first`, `more`, `all` | how far to go on after a failure, to report every bug once; `all` needs the feature `values` |
///
/// ```
/// use bugnet::prelude::*;
///
/// #[property(cases = 500, strategies = random, expect_panic = "out of bounds")]
/// # #[rustfmt::test]
/// fn the_end_is_out_of_bounds(list: Vec<u8>) {
///     let _ = list[list.len()];
/// }
/// # the_end_is_out_of_bounds();
/// ```
///
/// # Other attributes
///
/// They stay on the test: `#[ignore]`, `#[should_panic]`, `#[cfg(…)]`, documentation. The function
/// becomes a `#[test]` unless it has another attribute of that name, such as `#[test_log::test]`.
pub use bugnet_macros::property;

/// Says what should hold of values that nobody has to make: `cargo bugnet check` makes them by calls of the crate.
///
/// ```
/// use bugnet::prelude::*;
/// use std::collections::VecDeque;
///
/// #[law]
/// fn turning_round_keeps_the_length(mut queue: VecDeque<u8>, by: usize) {
///     assume!(by <= queue.len());
///     let length = queue.len();
///     queue.rotate_left(by);
///     assert_eq!(queue.len(), length);
/// }
/// # turning_round_keeps_the_length(VecDeque::from([1, 2]), 1);
/// ```
///
/// The parameters have any types, by value, `&` or `&mut`: those of the crate, of the standard library, generic ones
/// with their arguments written out. All of them come from one program, so that an index may be one of that list. A
/// check fails if the function panics, returns `false`, or returns an `Err`.
///
/// The function stays as it is and becomes public, for the tests that are written for its failures call it. Beside it
/// stands an ignored test, so that `cargo test` tells of the law. `assume!`, `collect!`, `classify!`, `cover!` and `note!`
/// work in it as in a property.
///
/// A method of an `impl` block, with `&self`, `&mut self` or `self`, can be a law as well, and then sees what is private.
/// `#[cfg(test)]` before it keeps it out of what users get.
///
/// # Settings
///
/// | | |
/// |---|---|
/// | `cases = 10_000` | the number of checks after which it has been checked enough |
/// | `expect_panic`, `expect_panic = "text"` | every check must panic, with this text in its message |
/// | `discard = "text"` | a panic with this text in its message is a missed precondition |
/// | `test` | `cargo test` checks it too: every parameter has a generator, or its type has `#[api]` |
///
/// Beside `test`, all settings of [`property`](macro@property) but `block_on` say how `cargo test` searches.
pub use bugnet_macros::law;

/// Gives a property an input by hand, which is run before all others. The arguments are written as in
/// a call, and a parameter of type `&mut Source` is left out.
///
/// The attribute stands before or behind `#[property]`, as often as there are examples.
///
/// ```
/// use bugnet::prelude::*;
///
/// #[example("", &[])]
/// #[example("a", &[1, 2])]
/// #[property]
/// # #[rustfmt::test]
/// fn lengths_add_up(text: &str, list: &[u8]) {
///     let bytes = [text.as_bytes(), list].concat();
///     assert_eq!(bytes.len(), text.len() + list.len());
/// }
/// # lengths_add_up();
/// ```
pub use bugnet_macros::example;

/// Makes a test of an `impl` block: its methods are rules over one state, and programs of them are run.
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::program::{Api, Programs};
/// use std::collections::VecDeque;
///
/// #[derive(Debug)]
/// struct Ticket(u32);
///
/// struct QueueTest {
///     queue: VecDeque<u32>,
///     issued: u32,
/// }
///
/// #[machine]
/// impl QueueTest {
///     fn new() -> Self {
///         QueueTest { queue: VecDeque::new(), issued: 0 }
///     }
///
///     fn join(&mut self) -> Ticket {
///         self.issued += 1;
///         self.queue.push_back(self.issued);
///         Ticket(self.issued)
///     }
///
///     fn leave(&mut self, ticket: Ticket) {
///         self.queue.retain(|number| *number != ticket.0);
///     }
///
///     #[when(!self.queue.is_empty())]
///     fn serve(&mut self) {
///         self.queue.pop_back();
///     }
///
///     #[invariant]
///     fn the_last_to_join_waits(&self) {
///         assert!(self.issued < 2 || self.queue.back() == Some(&self.issued));
///     }
/// }
///
/// let failed = Property::new("queue").run(&Programs::new(QueueTest::suite())).unwrap_err();
/// assert_eq!(failed.arguments()[0].to_string(), "let mut queue_test = QueueTest::new();");
/// assert!(failed.arguments().len() <= 5, "{failed}");
/// ```
///
/// The block stays as it is. The type gets a suite (`bugnet::program::Api`) and a test that is named
/// after it, here `queue_test`.
///
/// # Functions
///
/// | | |
/// |---|---|
/// | no `self`, returns `Self`, `Option<Self>` or `Result<Self, E>` | a constructor, the first call of every program |
/// | takes `&self` or `&mut self` | a rule; `async` is fine |
/// | `#[invariant]` | looks at `&self` after every call; returns nothing, `bool` or a `Result` |
/// | `#[teardown]` | the last call; takes `self`, `&self` or `&mut self`, and may judge as well |
/// | `#[skip]`, or neither `self` nor `Self` | a helper |
///
/// `#[when(condition)]` before a rule restricts it to states in which a condition on `self` holds, and
/// `#[weight(3)]` has it called three times as often; `#[share(0.9)]` has it left out of a tenth of the tests
/// that leave rules out, whatever is drawn for the others. A rule that begins with `assume!(…);` is left out of
/// the program where that does not hold, be it about `self` or about arguments.
///
/// # Arguments and results
///
/// A parameter is drawn if its type has a generator, and otherwise a result of an earlier call; `&T` and
/// `&mut T` borrow it, `T` uses it up. `#[with(0..10)]` draws from a generator, and `#[earlier]` takes
/// results only. `&str` and `&[T]` are drawn as `String` and `Vec<T>`.
///
/// The result of a rule can be an argument of later calls: the `T` of `T`, `Option<T>` and `Result<T, E>`,
/// where an error fails the test. What borrows, such as `&T`, `&mut T` and `Iter<'_, T>`, keeps its owner
/// from being changed as long as it is used; write the `'_`. What borrows from something drawn, and
/// `impl Trait`, is dropped at once.
///
/// # Abstraction
///
/// Where all bugs are wanted (`bugs = "all"`), the failing program becomes a pattern, and its literals become
/// variables. `#[abstraction(…)]` before a parameter that is drawn says what else they become, and before the
/// block, with a type, it says so for all parameters of the type.
///
/// | | |
/// |---|---|
/// | `#[abstraction(exact)]` | each value is a bug of its own |
/// | `#[abstraction(class = sort_of)]` | values are alike if `sort_of(&value)` is; it returns what `Debug` can print |
/// | `#[abstraction(any)]` | values never matter, and nothing is spent on finding out more |
/// | `#[abstraction(apart)]` | equal values are equal by chance; beside `class` and `any` too |
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::campaign::WantedBugs;
/// use bugnet::program::{Api, Programs};
///
/// fn sort_of(year: &u16) -> &'static str {
///     if year % 4 == 0 { "leap year" } else { "common year" }
/// }
///
/// #[derive(Debug, Clone, Copy, PartialEq, Generate)]
/// enum Mode {
///     Plain,
///     Strict,
///     Lenient,
/// }
///
/// struct Calendar;
///
/// #[machine]
/// #[abstraction(Mode: exact)]
/// impl Calendar {
///     fn new() -> Self {
///         Calendar
///     }
///     fn enter(&self, #[with(1901..2100u16)] #[abstraction(class = sort_of)] year: u16) {
///         assert!(year % 4 != 0, "no such day");
///     }
///     fn export(&self, mode: Mode) {
///         assert!(mode == Mode::Plain, "not written yet");
///     }
/// }
///
/// let failed = Property::new("calendar").bugs(WantedBugs::ALL).run(&Programs::new(Calendar::suite())).unwrap_err();
/// let mut patterns: Vec<&str> = failed.bugs.iter().map(|bug| bug.words.as_str()).collect();
/// patterns.sort();
/// assert_eq!(patterns, ["enter(?a in leap year)", "export(Mode::Lenient)", "export(Mode::Strict)"]);
/// ```
///
/// # Settings
///
/// All of [`property`](macro@property), and
///
/// | | |
/// |---|---|
/// | `steps = 30` | the length of random programs |
/// | `swarm = mix`, `"coin:0.3"` | what programs leave out |
/// | `observe = always` | print the values of every program at its end, not of some |
/// | `strategies = feedback` | go on from programs that reached a new state, and nothing else |
/// | `write`, `write = "tests/bugnet"` | write failing programs as tests |
/// | `name = queue` | the name of the test |
///
/// `#[ignore]`, `#[should_panic]` and other tests' attributes on the block go to the test.
pub use bugnet_macros::machine;

/// Tests a type through its own functions: programs call them, and checks judge every value they make.
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::program::{Api, Programs};
///
/// #[derive(Debug)]
/// pub struct SumStack {
///     data: Vec<i32>,
///     sum: i32,
/// }
///
/// #[api]
/// impl SumStack {
///     pub fn new() -> Self {
///         SumStack { data: Vec::new(), sum: 0 }
///     }
///     pub fn push(&mut self, x: i32) {
///         self.data.push(x);
///         self.sum = self.sum.wrapping_add(x);
///     }
///     pub fn pop(&mut self) -> Option<i32> {
///         self.data.pop() // and the sum?
///     }
///     #[check]
///     fn sum_is_right(&self) {
///         assert_eq!(self.data.iter().fold(0i32, |sum, x| sum.wrapping_add(*x)), self.sum);
///     }
/// }
///
/// let failed = Property::new("stacks").run(&Programs::new(SumStack::suite())).unwrap_err();
/// let lines: Vec<String> = failed.arguments().iter().map(ToString::to_string).collect();
/// assert_eq!(lines[..2], ["let mut sum_stack = SumStack::new();", "sum_stack.push(1);"]);
///
/// // Values are built by calls of the same functions.
/// check(any::<SumStack>(), |stack| stack.data.len() < 1000).unwrap();
/// ```
///
/// Public functions are operations, or all functions if none is public. `#[operation]` adds a private one,
/// and `#[skip]` leaves one out: one that is `unsafe`, generic or takes `impl Trait` has to be. At least one
/// returns `Self`. A `#[check]` takes values by `&` and returns nothing, `bool` or a `Result`: of `&self`
/// alone, it is called whenever a value may have changed; with more parameters, it is a law that programs
/// call with whatever they have. `#[when(…)]`, `#[weight(…)]`, `#[share(…)]`, `#[with(…)]`, `#[earlier]`, `#[abstraction(…)]`
/// and `assume!` are those of [`machine`](macro@machine). Results are as well, except that an error of a `Result` is no failure.
///
/// The type gets a suite and a generator, and if there is something to judge, a test: `sum_stack_api`. A panic
/// in a call is no failure, for a function may refuse its arguments, unless the setting `strict` says so; the
/// other settings are those of [`machine`](macro@machine). What a function returns as `&mut Vec<T>` or another
/// collection is changed by the methods of that collection too.
///
/// A generic block is tested for one choice of its parameters, `#[api(T = i32, N = 3)]`. There is one block
/// for each type. Where Bugnet is a dependency of the tests only, write `#[cfg_attr(test, bugnet::api)]`,
/// `#[cfg(test)] #[check]` and `#[cfg_attr(test, skip)]`.
pub use bugnet_macros::api;

/// Tests types of other crates through their functions: `impl` blocks that list signatures.
///
/// ```
/// use bugnet::prelude::*;
/// use bugnet::program::Programs;
/// use std::collections::BTreeMap;
///
/// suite! {
///     fn maps(steps = 20) for
///
///     impl BTreeMap<u8, i8> {
///         fn new() -> Self;
///         fn insert(&mut self, #[with(0..9u8)] key: u8, value: i8) -> Option<i8>;
///         fn get(&self, key: &u8) -> Option<&i8>;
///         fn split_off(&mut self, #[with(0..9u8)] at: &u8) -> Self;
///
///         #[check]
///         fn is_short(this: &Self) -> bool {
///             this.len() < 2
///         }
///     }
/// }
///
/// let failed = Property::new("maps").run(&Programs::new(maps_suite())).unwrap_err();
/// let lines: Vec<String> = failed.arguments().iter().map(ToString::to_string).collect();
/// assert_eq!(lines[0], "let mut b_tree_map = BTreeMap::<u8, i8>::new();");
/// assert_eq!(lines[3], "assert!(is_short(&b_tree_map));");
/// ```
///
/// It makes a function `maps_suite` and a test `maps`. A signature that ends with `;` is that of a function
/// or method of the type, or of a trait in scope; one with a body becomes a function of the module, which is
/// called with values of the program: an operation, or with `#[check]` a check. Several blocks make one
/// suite. Attributes and settings are those of [`api`](macro@api); settings stand behind the name, and
/// `#[abstraction(…)]` of a type before `fn` or before a block.
pub use bugnet_macros::suite;
