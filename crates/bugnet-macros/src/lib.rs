//! The macros of Bugnet: `#[property]` and `#[derive(Generate)]`. Use them through the crate
//! `bugnet`, which exports both.
//!
//! They read what they are given, and write code that calls `bugnet`. Types, expressions and bodies
//! pass through as tokens, so there is no need for `syn`, whose build would take each user as long as
//! half of Bugnet, and templates of code are strings, so there is no need for `quote`.
//!
//! **Invariant:** whatever a macro cannot accept becomes a compile error at its place, with a
//! sentence that says what to write instead; a macro never panics.

#![warn(missing_docs)]

mod api;
mod argument;
mod attribute;
mod block;
mod emit;
mod error;
mod example;
mod foreign;
mod function;
mod generate;
mod generics;
mod item;
mod kind;
mod literal;
mod machine;
mod made;
mod mark;
mod method;
mod number;
mod operation;
mod parameter;
mod precondition;
mod property;
mod reader;
mod setting;
mod substitution;
mod suite;

use error::Error;
use proc_macro::TokenStream;
use setting::Settings;

/// Derives [`Generate`] and [`Literal`] for a struct or an enum: its values can be made out of choices,
/// and printed as the Rust expressions that build them.
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
/// assert_eq!(failed.arguments[0].text, "Add(Con(0), Con(0))");
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
///
/// [`Generate`]: https://docs.rs/bugnet/latest/bugnet/generate/trait.Generate.html
/// [`Literal`]: https://docs.rs/bugnet/latest/bugnet/generate/trait.Literal.html
#[proc_macro_derive(Generate, attributes(generate))]
pub fn derive_generate(item: TokenStream) -> TokenStream {
    let code = item::Item::read(item).map(|item| {
        let implementations = [generate::implementation(&item), literal::implementation(&item)];
        implementations.into_iter().collect()
    });
    code.unwrap_or_else(Error::into_code)
}

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
/// generated and borrowed, for `&[T]` a `Vec<T>`, for `&T` and `&mut T` a `T`. A parameter
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
#[proc_macro_attribute]
pub fn property(settings: TokenStream, function: TokenStream) -> TokenStream {
    let test = || {
        property::test(&function::Function::read(function)?, &Settings::read(settings, setting::OF_PROPERTY)?)
    };
    test().unwrap_or_else(Error::into_code)
}

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
#[proc_macro_attribute]
pub fn example(arguments: TokenStream, function: TokenStream) -> TokenStream {
    example::moved(arguments, function).unwrap_or_else(Error::into_code)
}

/// Makes a test of an `impl` block: its methods are rules over one state.
#[proc_macro_attribute]
pub fn machine(settings: TokenStream, block: TokenStream) -> TokenStream {
    machine::expanded(settings, block.clone()).unwrap_or_else(|error| error.beside(block::recovered(block)))
}

/// Tests a type through its functions, and makes its values by calling them.
#[proc_macro_attribute]
pub fn api(settings: TokenStream, block: TokenStream) -> TokenStream {
    api::expanded(settings, block.clone()).unwrap_or_else(|error| error.beside(block::recovered(block)))
}

/// Tests types of other crates through their functions.
#[proc_macro]
pub fn suite(input: TokenStream) -> TokenStream {
    foreign::expanded(input).unwrap_or_else(Error::into_code)
}
