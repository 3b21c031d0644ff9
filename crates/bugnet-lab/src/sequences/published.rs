//! Published crates, held at versions with a bug that takes a sequence of calls. Only signatures are
//! listed, with what the documentation demands of arguments, and laws that say nothing about the bug.

use bugnet::prelude::*;
use rpds::HashTrieMap;
use rstar::RTree;
use url::Url;

bugnet::suite! {
    /// georust/rstar issue 242: large finite coordinates make `insert` panic.
    #[ignore = "it has a known bug"]
    pub fn rstar_trees(strict) for

    impl RTree<[f64; 2]> {
        fn new() -> Self;
        fn insert_finite(this: &mut RTree<[f64; 2]>, point: [f64; 2]) {
            assume!(point.iter().all(|number| number.is_finite()));
            this.insert(point);
        }
        fn contains(&self, point: &[f64; 2]) -> bool;
        fn remove(&mut self, point: &[f64; 2]) -> Option<[f64; 2]>;
        fn locate_at_point(&self, point: &[f64; 2]) -> Option<&[f64; 2]>;
        fn size(&self) -> usize;
    }
}

bugnet::suite! {
    /// orium/rpds issue 113: a map of degree 1 recurses for ever when it is given a second key.
    #[ignore = "it has a known bug"]
    pub fn rpds_maps(strict) for

    impl HashTrieMap<u8, u8> {
        fn new() -> Self;
        fn with_degree(degree: u8) -> HashTrieMap<u8, u8> {
            // As the documentation has it; how many bits a word has is a matter of the machine.
            assume!(degree.is_power_of_two() && degree <= 64);
            HashTrieMap::new_with_degree(degree)
        }
        fn insert(&self, key: u8, value: u8) -> Self;
        fn remove(&self, key: &u8) -> Self;
        fn get(&self, key: &u8) -> Option<&u8>;
        fn size(&self) -> usize;
    }
}

bugnet::suite! {
    /// `set_path` of an address without a base writes what parsing reads as a query.
    #[ignore = "it has a known bug"]
    pub fn urls for

    impl Url {
        fn parse(input: &str) -> Result<Self, url::ParseError>;
        fn set_path(&mut self, path: &str);
        fn set_port(&mut self, port: Option<u16>) -> Result<(), ()>;
        fn set_scheme(&mut self, scheme: &str) -> Result<(), ()>;
        fn set_username(&mut self, username: &str) -> Result<(), ()>;

        #[check]
        fn reads_back_as_it_is_written(this: &Self) {
            let again = Url::parse(this.as_str()).expect("what is written can be read");
            assert_eq!((again.path(), again.query()), (this.path(), this.query()));
        }
    }
}

/// A parser, what it has told, and what it was fed.
pub struct Terminal {
    parser: vte::Parser,
    told: Told,
    fed: Vec<u8>,
}

/// The events of a parser, as text.
#[derive(Debug, Default, PartialEq)]
struct Told(Vec<String>);

impl vte::Perform for Told {
    fn print(&mut self, character: char) {
        self.0.push(format!("print {character:?}"));
    }

    fn execute(&mut self, byte: u8) {
        self.0.push(format!("execute {byte:#x}"));
    }

    fn put(&mut self, byte: u8) {
        self.0.push(format!("put {byte:#x}"));
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], ignore: bool, byte: u8) {
        self.0.push(format!("escape {intermediates:?} {ignore} {byte:#x}"));
    }

    fn csi_dispatch(&mut self, parameters: &vte::Params, intermediates: &[u8], ignore: bool, action: char) {
        self.0.push(format!("control {parameters:?} {intermediates:?} {ignore} {action:?}"));
    }
}

/// alacritty/vte issue 156: a control character in two pieces is printed instead of executed.
#[api(name = vte_terminals)]
#[ignore = "it has a known bug"]
impl Terminal {
    pub fn new() -> Self {
        Terminal { parser: vte::Parser::new(), told: Told::default(), fed: Vec::new() }
    }

    pub fn advance(&mut self, bytes: &[u8]) {
        self.parser.advance(&mut self.told, bytes);
        self.fed.extend_from_slice(bytes);
    }

    #[check]
    fn pieces_are_as_good_as_the_whole(&self) {
        let mut whole = Told::default();
        vte::Parser::new().advance(&mut whole, &self.fed);
        assert_eq!(self.told, whole);
    }
}
