//! `cargo bugnet`: runs, lists and replays the properties of a crate, and explores crates without any.
//!
//! The modules follow the data: [`arguments`] say what is wanted, [`package`] where, [`binary`] builds
//! and lists the tests there, [`trial`] runs one of them, [`outcome`] says what came of it, and
//! [`status`] prints it. A [`command`] ties them together. What [`explore`] does is its own world.
//!
//! **Invariant:** the exit code tells apart what a script has to tell apart; see [`exit`].

mod api;
mod arguments;
mod binary;
mod command;
mod dictionary;
mod exit;
mod explore;
mod harness;
mod kept;
mod outcome;
mod package;
mod profile;
mod status;
mod trial;

use arguments::{Arguments, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = api::exec_rustdoc().or_else(harness::exec_rustc) {
        return code;
    }
    // Cargo runs `cargo-bugnet bugnet …`; a person may run `cargo-bugnet …`.
    let mut words: Vec<_> = std::env::args_os().collect();
    if words.get(1).is_some_and(|word| word == "bugnet") {
        words.remove(1);
    }
    if explore::isolate::is_launcher(&words) {
        status::error(&explore::isolate::become_limited(&words[2..]));
        return exit::Exit::Mistake.into();
    }
    let result = match Arguments::parse_from(words).command {
        Command::Explore(arguments) => command::explore::explore(&arguments),
        Command::Run(arguments) => command::run::run(&arguments),
        Command::List(arguments) => command::list::list(&arguments),
        Command::Replay(arguments) => command::replay::replay(&arguments),
        Command::Regressions(arguments) => command::regressions::regressions(&arguments),
        Command::Accept(arguments) => command::accept::accept(&arguments),
        Command::Init(arguments) => command::init::init(&arguments),
        Command::Harness(arguments) => command::harness::harness(&arguments),
    };
    let exit = result.unwrap_or_else(|error| {
        status::error(&error);
        exit::of_error(&error)
    });
    exit.into()
}
