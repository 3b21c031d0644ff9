//! `cargo bugnet`: runs, lists and replays the properties of a crate, and explores crates without any.
//!
//! The modules follow the data. [`arguments`] say what is wanted and [`package`] where. To run a crate's own
//! tests, [`test`] builds, lists and runs them. To explore a crate, [`api`] and [`dictionary`] read it and
//! [`harness`] builds a program that calls it; [`explore`] runs that program, [`confine`]d, and asks it questions
//! through [`client`]; a [`finding`] is [`judge`]d, and what [`prove`] confirms is [`report`]ed. A [`command`]
//! ties them together.
//!
//! **Invariant:** the exit code tells apart what a script has to tell apart; see [`exit`].

mod api;
mod arguments;
mod cargo;
mod client;
mod command;
mod confine;
mod dictionary;
mod exit;
mod explore;
mod finding;
mod harness;
mod interrupt;
mod judge;
mod package;
mod page;
mod prove;
mod report;
mod status;
mod store;
mod swarm;
mod test;
mod variants;

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
    if let Some(error) = confine::launch(&words) {
        status::error(&error);
        return exit::Exit::Mistake.into();
    }
    if words.get(1).is_some_and(|word| word == swarm::reduce::interesting::WORD) {
        return command::swarm::answer(&words[2..]);
    }
    let command = Arguments::parse_from(words).command;
    ended(|| carry_out(command)).into()
}

/// Runs a command, and says how it ended. A panic of our own has printed where it was, and is no result.
fn ended(command: impl FnOnce() -> anyhow::Result<exit::Exit> + std::panic::UnwindSafe) -> exit::Exit {
    let result = std::panic::catch_unwind(command).unwrap_or_else(|_| {
        let what = "Bugnet itself has panicked; please report this with the lines above";
        Err(exit::Nothing(what.to_string()).into())
    });
    result.unwrap_or_else(|error| {
        status::error(&error);
        exit::of_error(&error)
    })
}

fn carry_out(command: Command) -> anyhow::Result<exit::Exit> {
    // The others have ways of their own to end early, or nothing to end.
    let is_watched = matches!(
        command,
        Command::Explore(_)
            | Command::Check(_)
            | Command::Run(_)
            | Command::List(_)
            | Command::Replay(_)
            | Command::Regressions(_)
            | Command::Harness(_)
    );
    if is_watched {
        interrupt::watch()?;
    }
    match command {
        Command::Explore(arguments) => command::explore::explore(&arguments),
        Command::Check(arguments) => command::check::check(*arguments),
        Command::Swarm(arguments) => command::swarm::swarm(&arguments),
        Command::Run(arguments) => command::run::run(&arguments),
        Command::List(arguments) => command::list::list(&arguments),
        Command::Replay(arguments) => command::replay::replay(&arguments),
        Command::Regressions(arguments) => command::regressions::regressions(&arguments),
        Command::Accept(arguments) => command::accept::accept(&arguments),
        Command::Report(arguments) => command::report::report(&arguments),
        Command::Init(arguments) => command::init::init(&arguments),
        Command::Harness(arguments) => command::harness::harness(&arguments),
        Command::Review(arguments) => command::review::review(&arguments),
        Command::Variants(arguments) => command::variants::variants(&arguments),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use exit::Exit;

    #[test]
    fn a_panic_of_our_own_ends_a_command_with_code_5_and_a_mistake_with_code_2() {
        let of_ours = ended(|| panic!("an index of ours"));
        assert_eq!((of_ours, of_ours as u8), (Exit::Nothing, 5));
        assert_eq!(ended(|| anyhow::bail!("no such file")), Exit::Mistake);
        assert_eq!(ended(|| Ok(Exit::Refuted)), Exit::Refuted);
    }
}
