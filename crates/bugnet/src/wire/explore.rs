//! The wire of `cargo bugnet explore`: what the command asks a harness, and what the harness tells.
//!
//! Each process of a harness is told [`Hello`](Command::Hello), then what to steer around, then one command. It
//! answers with events, the last of which is its [`Ending`]: a process that ends without one has died, whatever its
//! exit code is.
//!
//! **Invariant:** plans, weights and kept programs are opaque here: the command hands them back as they came.

use super::encode::{encode_enum, encode_struct};
use super::program::{Program, Role};
use crate::choice::Tape;
use crate::oracle::Failure;
use crate::random::Seed;
use std::time::Duration;

/// A command to a harness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Says who asks.
    Hello {
        /// The version of whoever asks.
        version: u32,
    },
    /// Says what to steer around. Nothing is steered around unless this is said, first of all or to a process that has
    /// [paused](Event::Paused).
    Know(Restraint),
    /// Draws and runs programs.
    Explore(Exploration),
    /// Draws one program again, and journals its tape before each call.
    Draw(Drawing),
    /// Runs one program.
    Replay(Replay),
    /// Looks for the simplest program that fails in the same way.
    Reduce(Task),
    /// Looks for what programs that fail in the same way have in common.
    Generalize(Task),
    /// Tells the calls of a program without running it.
    Describe(Tape),
    /// Tells all operations.
    List,
    /// Draws programs, and tells which of them variants of the code under test run otherwise.
    Filter(Filtering),
    /// Reduces a program that variants run otherwise, and tells what it does.
    Compare(Comparison),
    /// Draws programs, and tells which of them another build of the code under test runs otherwise.
    Contrast(Contrast),
    /// Reduces a program that another build runs otherwise, and tells what it does.
    Dispute(Dispute),
    /// Runs the programs that follow, one by one.
    Attend,
    /// A program to run, for a harness that attends.
    Run(Tape),
    /// The transcript of the other build, for a harness that has asked for it.
    Told(Transcript),
}

/// A switch of the code under test: the number of a site, and of the alternative that is on.
pub type Switch = (u32, u8);

/// Programs to draw and to run on variants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filtering {
    /// The programs.
    pub exploration: Exploration,
    /// Sets of switches that are on at the same time, no two of them at one site.
    pub groups: Vec<Vec<Switch>>,
    /// The number of programs after which a switch is not tried any more.
    pub enough: u32,
}

/// A program to reduce and to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The program.
    pub tape: Tape,
    /// Switches that must still be noticed by the reduced program.
    pub kept: Vec<Switch>,
    /// All switches that the reduced program is tried with.
    pub all: Vec<Switch>,
    /// The most programs that are tried.
    pub trials: u64,
}

/// Programs to draw and to run on another build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contrast {
    /// The programs.
    pub exploration: Exploration,
    /// Public fields, such as `Point.x`. What is printed of any other field is no behaviour.
    pub open: Vec<String>,
    /// The number of programs after which a difference is not told any more.
    pub enough: u32,
}

/// A program to reduce on two builds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dispute {
    /// The program.
    pub tape: Tape,
    /// The difference that the reduced program must still show.
    pub difference: Difference,
    /// Public fields, as for [`Contrast`].
    pub open: Vec<String>,
    /// The most programs that are tried.
    pub trials: u64,
}

/// The first difference between the runs of a program on two builds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// The operation whose call shows it.
    pub operation: String,
    /// The kind of difference.
    pub change: Change,
}

/// A kind of difference between two builds, seen from the one that is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// A call panics, and does not in the other build.
    Panics,
    /// A call panics in the other build only.
    Recovers,
    /// The process of the other build dies or does not end.
    Survives,
    /// A call returns something else.
    Result,
    /// A value is another one when the program has ended.
    Value,
    /// A call panics in both builds, with other messages.
    Message,
}

/// The observations of one run of a program, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transcript {
    /// The observations.
    pub entries: Vec<Entry>,
}

/// An observation of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The number of the call.
    pub call: u32,
    /// The observation.
    pub sight: Sight,
}

/// Something that a user sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sight {
    /// The result of a call.
    Result(String),
    /// A value that a call made, when the program has ended.
    Value(String),
    /// The message of a panic in a call.
    Panic(String),
    /// The call cannot be made, because an argument is missing.
    Barred,
    /// The process died or did not end, in words.
    Died(String),
}

/// The patterns and operations that a harness is to steer around.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Restraint {
    /// Patterns that no program is to match, as they are stored.
    pub known: Vec<String>,
    /// Operations that are not drawn.
    pub ban: Vec<String>,
    /// Operations that get no long literals.
    pub calm: Vec<String>,
    /// True if no operation gets long literals.
    pub is_all_calm: bool,
}

/// Programs to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exploration {
    /// The seed.
    pub seed: Seed,
    /// The number of the first program.
    pub first: u64,
    /// The number of programs; none to go on until the process is ended.
    pub programs: Option<u64>,
    /// The name of the strategies that choose programs.
    pub strategies: String,
    /// Programs that an earlier process has kept.
    pub inherit: Vec<String>,
    /// True if the process [pauses](Event::Paused) after a program that has broken a law.
    pub pauses: bool,
}

/// A program to draw again. It becomes the same only with the same restraint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// The seed of the exploration.
    pub seed: Seed,
    /// The name of its strategies.
    pub strategies: String,
    /// The plan of the program, as it was journalled or told.
    pub plan: String,
    /// The weights of its epoch, as they were told.
    pub weights: String,
    /// True if the exploration was limited by programs and not by time.
    pub is_steady: bool,
    /// True if the program is known to hang, so that a call which takes long is most likely the one.
    pub hangs: bool,
}

/// A program to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// The program.
    pub tape: Tape,
    /// The number of runs in this process.
    pub times: u64,
    /// True if it is to do the same in every process, also where it asks for random numbers.
    pub is_steady: bool,
    /// True if the functions are wanted in which the first run fails.
    pub has_stack: bool,
}

/// A failing program to look into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The program.
    pub tape: Tape,
    /// The way in which programs near it are tried.
    pub manner: Manner,
    /// The end of the task.
    pub limit: Limit,
}

/// The place in which programs are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// A thread of the same process.
    Beside,
    /// A process for each, because they may kill it.
    Apart {
        /// True if the failure is that a call does not end.
        hangs: bool,
        /// True if a call that is merely slow may count as one that does not end.
        is_rough: bool,
    },
}

/// The limit of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// A time on the clock.
    Time(Duration),
    /// A number of programs that are tried.
    Trials(u64),
}

/// Something that a harness tells.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Exploring has begun.
    Started {
        /// The number of operations.
        operations: u64,
        /// The name of the strategies that choose programs.
        strategies: String,
    },
    /// The state of an exploration.
    Progress(Progress),
    /// The weights by which programs are drawn from now on.
    Epoch(String),
    /// A program that did something new, for a process that follows this one.
    Kept(String),
    /// A way to fail that this process had not met before.
    Found(Found),
    /// A program was run, and failed in this way, or passed.
    Replayed(Option<Failure>),
    /// A program was run several times.
    Repeated {
        /// The number of runs that failed.
        failed: u32,
        /// The number of all runs.
        runs: u32,
    },
    /// A program that was not run.
    Program(Program),
    /// The simplest program that was found.
    Reduced(Reduced),
    /// The pattern of failing programs.
    Generalized(Generalized),
    /// An operation.
    Operation {
        /// Its name.
        name: String,
        /// Its purpose.
        role: Role,
        /// False if nothing makes one of its parameters.
        is_reachable: bool,
    },
    /// The process ends by itself.
    Ending(Ending),
    /// The functions on the stack where the first run of a program failed, the innermost first. Of a deep stack, only
    /// both ends.
    Stack(Vec<String>),
    /// A program that some variants run otherwise.
    Alarm(Alarm),
    /// The behaviour of a reduced program.
    Compared(Compared),
    /// A law was broken in a way that this process had not met before. It goes on when it is told what it is to
    /// [know](Command::Know) from now on; a law that new patterns are about is told again if it is broken another way.
    Paused,
    /// Checks of a law that somebody has stated.
    Checked(Checked),
    /// Programs that leave operations out and how they failed, as the bytes of a [`Tally`](crate::swarm::Tally).
    Tallied(Vec<u8>),
    /// A program whose transcript is wanted of the other build.
    Asked(Tape),
    /// The transcript of a program, by a harness that attends.
    Ran(Transcript),
    /// A program that the other build runs otherwise: one that was drawn, or the reduced one.
    Differs {
        /// The number of the program, if it was drawn.
        program: u64,
        /// The program.
        tape: Tape,
        /// The first difference.
        difference: Difference,
    },
    /// A type whose private fields are printed otherwise by the other build.
    Inside(String),
}

/// Checks of a law that somebody has stated, since that was told last.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Checked {
    /// The name of the law.
    pub law: String,
    /// The number of checks that it asks for, if it does.
    pub cases: Option<u64>,
    /// Checks that passed.
    pub passed: u64,
    /// Checks that failed.
    pub failed: u64,
    /// Checks that did not meet a precondition.
    pub discarded: u64,
    /// Hashes of inputs that this process had not checked before, by what they print.
    pub inputs: Vec<u64>,
    /// The number of checks with each combination of labels.
    pub labels: Vec<(String, u64)>,
    /// For each `cover!`, the share in percent that it demands and the number of checks that it saw.
    pub covers: Vec<(String, (f64, u64))>,
    /// The input of which this process has made the most checks, and how many of all its checks those are.
    pub commonest: Option<(String, u64)>,
    /// Passed checks whose programs were looked at, and those of them whose inputs at least two calls had changed.
    pub sampled: u64,
    pub changed: u64,
}

/// A program that some variants run otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alarm {
    /// The number of the program.
    pub program: u64,
    /// The program.
    pub tape: Tape,
    /// The switches, each of which alone makes a difference.
    pub noticed: Vec<Switch>,
}

/// The behaviour of a program with all switches off, and the variants that behave differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// The program.
    pub tape: Tape,
    /// The program as the body of a test, with what it does asserted.
    pub lines: Vec<String>,
    /// The same, with every value compared as text.
    pub plain: Vec<String>,
    /// Functions that the lines call.
    pub helpers: Vec<String>,
    /// The behaviour of the program where variants differ.
    pub original: String,
    /// The behaviour of the first of these variants.
    pub variant: String,
    /// True if the program itself panics.
    pub panics: bool,
    /// The switches, each of which alone makes a difference.
    pub noticed: Vec<Switch>,
}

/// The state of an exploration, counted since the process began.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    /// The number of the program that is running.
    pub program: u64,
    /// Calls that were made.
    pub calls: u64,
    /// Calls that failed.
    pub failed: u64,
    /// Laws that were broken.
    pub broken: u64,
    /// Operations that returned for the first time since this was told last.
    pub reached: Vec<String>,
}

/// A way to fail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The failure.
    pub failure: Failure,
    /// The purpose of the operation that failed.
    pub role: Role,
    /// The program, if the process lived to tell it.
    pub tape: Option<Tape>,
    /// The plan from which the program can be drawn again if it has no tape.
    pub plan: Option<String>,
}

/// A minimal program.
#[derive(Debug, Clone, PartialEq)]
pub struct Reduced {
    /// The program, and what comes after its calls if that is what fails.
    pub program: Program,
    /// Its failure.
    pub failure: Failure,
    /// The number of programs that were tried.
    pub tested: u64,
}

/// A pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generalized {
    /// The pattern as it is stored.
    pub pattern: String,
    /// The calls in it that change something, with any literals and any values, as they are stored.
    pub wide: String,
    /// The pattern as a person reads it.
    pub words: String,
    /// The number of its calls.
    pub calls: u64,
    /// Those of its calls that were given a certain literal, as patterns.
    pub suspects: Vec<String>,
}

/// The reason for which a harness ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// Everything that was asked for is done.
    Done,
    /// A call does not end.
    CallHangs,
    /// Too much memory is lost to calls that wanted more than there is; a new process can go on.
    Full,
    /// Everything that could be called is banned.
    NothingLeft,
    /// The question makes no sense.
    Misused(String),
    /// Bugnet itself has panicked.
    OurBug(String),
}

encode_enum!(Command {
    0 Hello { version };
    1 Know(restraint);
    2 Explore(exploration);
    3 Draw(drawing);
    4 Replay(replay);
    5 Reduce(task);
    6 Generalize(task);
    7 Describe(tape);
    8 List;
    9 Filter(filtering);
    10 Compare(comparison);
    11 Contrast(contrast);
    12 Dispute(dispute);
    13 Attend;
    14 Run(tape);
    15 Told(transcript);
});
encode_struct!(Filtering { exploration, groups, enough });
encode_struct!(Comparison { tape, kept, all, trials });
encode_struct!(Contrast { exploration, open, enough });
encode_struct!(Dispute { tape, difference, open, trials });
encode_struct!(Difference { operation, change });
encode_enum!(Change { 0 Panics; 1 Recovers; 2 Survives; 3 Result; 4 Value; 5 Message; });
encode_struct!(Transcript { entries });
encode_struct!(Entry { call, sight });
encode_enum!(Sight { 0 Result(text); 1 Value(text); 2 Panic(message); 3 Barred; 4 Died(how); });
encode_struct!(Alarm { program, tape, noticed });
encode_struct!(Compared { tape, lines, plain, helpers, original, variant, panics, noticed });
encode_struct!(Restraint { known, ban, calm, is_all_calm });
encode_struct!(Exploration { seed, first, programs, strategies, inherit, pauses });
encode_struct!(Drawing { seed, strategies, plan, weights, is_steady, hangs });
encode_struct!(Replay { tape, times, is_steady, has_stack });
encode_struct!(Task { tape, manner, limit });
encode_enum!(Manner { 0 Beside; 1 Apart { hangs, is_rough }; });
encode_enum!(Limit { 0 Time(time); 1 Trials(trials); });
encode_enum!(Event {
    0 Started { operations, strategies };
    1 Progress(progress);
    2 Epoch(weights);
    3 Kept(program);
    4 Found(found);
    5 Replayed(failure);
    6 Repeated { failed, runs };
    7 Program(program);
    8 Reduced(reduced);
    9 Generalized(generalized);
    10 Operation { name, role, is_reachable };
    11 Ending(ending);
    12 Stack(functions);
    13 Alarm(alarm);
    14 Compared(compared);
    15 Paused;
    16 Checked(checked);
    17 Asked(tape);
    18 Ran(transcript);
    19 Differs { program, tape, difference };
    20 Inside(name);
    21 Tallied(bytes);
});
encode_struct!(Checked {
    law,
    cases,
    passed,
    failed,
    discarded,
    inputs,
    labels,
    covers,
    commonest,
    sampled,
    changed
});
encode_struct!(Progress { program, calls, failed, broken, reached });
encode_struct!(Found { failure, role, tape, plan });
encode_struct!(Reduced { program, failure, tested });
encode_struct!(Generalized { pattern, wide, words, calls, suspects });
encode_enum!(Ending { 0 Done; 1 CallHangs; 2 Full; 3 Misused(reason); 4 OurBug(message); 5 NothingLeft; });
