//! Campaigns: the synthetic API as a machine, searched by the engine with its default settings.

use std::cell::Cell;

use bugnet::campaign::{Environment, Options, WantedBugs};
use bugnet::oracle::Verdict;
use bugnet::prelude::*;
use bugnet::program::{Access, Frame, Kind, Mode, Operation, Parameter, Programs, Role, Suite};

use super::bug::Watch;
use super::call::{CALLS, Size};
use crate::trace::{Ended, ended};

thread_local! {
    /// The bug that the API has now; operations are plain functions and cannot carry it.
    static BUG: Cell<usize> = const { Cell::new(0) };
}

/// The number of the test that shows a bug first, if one does.
pub fn tests(bug: usize, size: Size, seed: u64, limit: u64) -> Option<u64> {
    run(bug, size, limit, Environment::none(Seed(seed))).0.err().map(|failed| failed.effort().passed + 1)
}

/// The campaign itself.
pub fn run(bug: usize, size: Size, limit: u64, environment: Environment) -> Ended {
    BUG.set(bug);
    let programs = Programs::new(suite(size));
    // Only the search is measured, so nothing is reduced.
    let options = Options { steps: Some(size.length), shrinks: Some(0), ..Options::default() };
    let property = Property::new("planted").bugs(WantedBugs::FIRST).cases(limit).seed(environment.fresh);
    ended(property.options(options).environment(environment).run(&programs))
}

fn call<const CALL: usize>(frame: &mut Frame<'_>) -> Verdict {
    let bugs = frame.mutable::<Watch>(0).note(CALL);
    assert!(bugs >> BUG.get() & 1 == 0, "the bug shows");
    Verdict::Pass
}

const BODIES: [fn(&mut Frame<'_>) -> Verdict; CALLS.len()] = [
    call::<0>, call::<1>, call::<2>, call::<3>, call::<4>, call::<5>, call::<6>, call::<7>, call::<8>,
    call::<9>, call::<10>, call::<11>, call::<12>, call::<13>, call::<14>, call::<15>, call::<16>,
    call::<17>, call::<18>, call::<19>, call::<20>, call::<21>, call::<22>, call::<23>, call::<24>,
];

fn suite(size: Size) -> Suite {
    let api = Kind::of::<Watch>("Api");
    let setup = Operation::new("new", "Api::new()", |frame| frame.keep(Watch::default()))
        .returns(api, Access::Owned)
        .role(Role::Setup);
    let operation = |call: usize| {
        Operation::new(CALLS[call], "_", BODIES[call]).parameter(Parameter::earlier(
            "self",
            api,
            Mode::Mutable,
        ))
    };
    Suite::machine("Api").operation(setup).operations((0..size.calls).map(operation)).build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn campaign_finds_what_needs_calls_together() {
        assert!(tests(2, Size::ALL[0], 1, 1_000).is_some());
    }
}
