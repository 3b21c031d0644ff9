//! Bugnet's part: signatures, and the law as a check.

use super::law::reads_back;
use crate::trace::{Ended, ended};
use bugnet::campaign::{Environment, Options, Span, WantedBugs};
use bugnet::prelude::*;
use bugnet::program::Programs;
use std::time::{Duration, Instant};
use url::Url;

bugnet::suite! {
    /// Addresses, and what changes them.
    #[ignore = "it has known bugs"]
    pub fn addresses for

    impl Url {
        fn parse(input: &str) -> Result<Self, url::ParseError>;
        fn join(&self, input: &str) -> Result<Self, url::ParseError>;
        fn set_fragment(this: &mut Url, fragment: Option<String>) {
            this.set_fragment(fragment.as_deref());
        }
        fn set_query(this: &mut Url, query: Option<String>) {
            this.set_query(query.as_deref());
        }
        fn set_path(&mut self, path: &str);
        fn set_port(&mut self, port: Option<u16>) -> Result<(), ()>;
        fn set_host(this: &mut Url, host: Option<String>) {
            let _ = this.set_host(host.as_deref());
        }
        fn set_password(this: &mut Url, password: Option<String>) {
            let _ = this.set_password(password.as_deref());
        }
        fn set_username(&mut self, username: &str) -> Result<(), ()>;
        fn set_scheme(&mut self, scheme: &str) -> Result<(), ()>;

        #[check]
        fn reads_back_as_it_is_written(this: &Self) {
            reads_back(this);
        }
    }
}

pub fn run(seed: u64, cases: u64, time: Option<Duration>) {
    let start = Instant::now();
    let environment =
        Environment { clock: Box::new(move || start.elapsed()), ..Environment::none(Seed(seed)) };
    let options =
        Options { cases: time.is_none().then_some(cases), time: time.map(Span), ..Options::default() };
    let (outcome, calls) = campaign(options, environment);
    println!("## Bugnet: {calls} calls\n");
    match outcome {
        Ok(passed) => println!("{passed}"),
        Err(failed) => println!("{failed}"),
    }
}

/// The campaign itself.
pub fn campaign(options: Options, environment: Environment) -> Ended {
    let programs = Programs::new(addresses_suite());
    let property = Property::new("url").bugs(WantedBugs::ALL).seed(environment.fresh).options(options);
    ended(property.environment(environment).run(&programs))
}
