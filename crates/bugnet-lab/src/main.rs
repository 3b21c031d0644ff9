//! The measurements behind every figure in Bugnet's documents: one subcommand per measurement.

mod abuse;
mod against;
mod amounts;
mod arrays;
mod build_cost;
mod calls;
mod challenge;
mod collection;
mod crates;
mod etna;
mod exploration;
mod faults;
mod files;
mod gate;
mod harnesses;
mod influences;
mod large;
mod law_change;
mod laws;
#[cfg(feature = "sequences")]
mod many;
mod masking;
mod matcher;
mod once;
mod paper;
#[cfg(feature = "hegel")]
mod peer_reports;
mod picture;
mod planted;
mod programs;
mod quantile;
mod random;
mod rate;
mod registry;
#[cfg(feature = "crates")]
mod search;
#[cfg(feature = "sequences")]
mod sequences;
mod stack;
mod thirteen;
mod throughput;
mod trace;
mod trio;
mod variants;
mod variants_c;

use clap::Parser;

#[derive(Debug, Parser)]
#[command(about = "Measures Bugnet beside its peers")]
enum Measurement {
    /// Measures the cost of one test case, in instructions and in processor time
    Throughput(throughput::Arguments),
    /// Runs one contender on one shape, for `throughput` to count
    #[command(hide = true)]
    ThroughputCase(throughput::case::Arguments),
    /// Measures what adding each library to a crate costs to build
    BuildCost(build_cost::Arguments),
    /// The shrinking challenge: does a peer end at the known minimum, and at what cost?
    Challenge(challenge::Arguments),
    /// Counts the tests that each peer needs to find ETNA's mutants
    Etna(etna::Etna),
    /// Counts the swarm tests, and those of the engine, until the stack of the swarm paper overflows
    Stack(stack::Arguments),
    /// Counts the tests that each swarm scheme, and the engine, need for nine planted bugs
    Planted(planted::Arguments),
    /// Counts the calls until every bug of the process registry is reported, minimized
    Registry(registry::Arguments),
    /// Names the bugs of the process registry that the peers report, with shrinking on
    #[cfg(all(feature = "peers", feature = "hegel"))]
    RegistryPeers(registry::peers::Arguments),
    /// Counts the bugs of one published crate that one run reports
    #[cfg(feature = "sequences")]
    Many(many::Arguments),
    /// Counts the bugs that look the same which one run reports
    Trio(trio::Arguments),
    /// Counts the reports of faults that are an amount, or that have many faces
    Amounts(amounts::Arguments),
    /// Counts the calls that each method needs for each fault of a large machine
    Large(large::Arguments),
    /// Measures the cost of a call of a program, in instructions, beyond the call itself
    Calls,
    /// Runs one contender, for `calls` to count
    #[command(hide = true)]
    CallsCase(calls::Case),
    /// Measures the cost of building programs where bugs are known and avoided, in instructions
    Matcher,
    /// Builds programs around a number of known bugs, for `matcher` to count
    #[command(hide = true)]
    MatcherCase(matcher::Case),
    /// Counts the rows of covering arrays, and measures the cost of computing them
    Arrays(arrays::Arguments),
    /// Counts the triggers and suppressors that are named, rightly and wrongly, in simulated campaigns
    Influences(influences::Arguments),
    /// Makes a picture of what a command has printed
    Picture(picture::Arguments),
    /// Compares what a case and a build cost, in counts, with what they cost before
    Gate(gate::Arguments),
    /// Counts the tests that crash the file system of the swarm paper
    Files(files::Arguments),
    /// Bugs that take a sequence of calls, found without a generator
    #[cfg(feature = "sequences")]
    Sequences(sequences::Arguments),
    /// Runs programs that may kill their process, for `sequences`
    #[cfg(feature = "sequences")]
    #[command(hide = true)]
    SequencesChild(sequences::Child),
    /// Compares the swarm schemes by the mutants of a published tree that they kill
    Collection(collection::Arguments),
    /// Compares the swarm schemes by the crashes of WebAssembly tools and sdcc that they find
    Programs(programs::Arguments),
    /// Explores published crates: what is reached, how fast, and what is shown
    Crates(crates::Arguments),
    /// Counts the reports of crates, those that were tuned on and those drawn from a list
    Once(once::Arguments),
    /// Measures the cost of building harnesses of large crates, and their reach
    Harnesses(harnesses::Arguments),
    /// Are values made for laws of published crates, how many different ones, and which laws are refuted?
    Laws(laws::Arguments),
    /// Measures the first check after a change of a law, beside a plain build of the tests
    LawChange(law_change::Arguments),
    /// In how many runs are thirteen known bugs of published crates found?
    Thirteen(thirteen::Arguments),
    /// Compares random, feedback and all strategies on the same crates: easy bugs may hide broken laws
    Masking(masking::Arguments),
    /// Mutants of published crates: how many compile, live and are settled, and what each costs
    Variants(variants::Arguments),
    /// Compares two releases of published crates: changes that their changelogs tell, and others
    Against(against::Arguments),
    /// Plants faults in C programs, and counts the inputs that show one and alarm, and the questions before the first
    VariantsC(variants_c::Arguments),
    /// Attacks the command with hostile code, and measures the cost of confining
    Abuse(abuse::Arguments),
    /// Kills and interrupts runs of `explore` and fills their disk: what is lost, and what is left?
    Faults(faults::Arguments),
    /// Hashes each case that the engine runs, for each subject and seed, and compares with before
    Trace(trace::Arguments),
    /// Compares random and exhaustive search by the properties of published crates that they refute
    #[cfg(feature = "crates")]
    Search(search::Arguments),
}

fn main() -> anyhow::Result<()> {
    trace::serve_if_asked();
    match Measurement::parse() {
        Measurement::Throughput(arguments) => throughput::run(&arguments),
        Measurement::ThroughputCase(arguments) => throughput::case::run(&arguments),
        Measurement::BuildCost(arguments) => build_cost::run(&arguments),
        Measurement::Challenge(arguments) => challenge::run(arguments),
        Measurement::Etna(etna) => etna.run(),
        Measurement::Stack(arguments) => stack::run(&arguments),
        Measurement::Planted(arguments) => planted::run(&arguments),
        Measurement::Registry(arguments) => registry::run(&arguments),
        #[cfg(all(feature = "peers", feature = "hegel"))]
        Measurement::RegistryPeers(arguments) => registry::peers::run(&arguments),
        #[cfg(feature = "sequences")]
        Measurement::Many(arguments) => many::run(&arguments),
        Measurement::Trio(arguments) => trio::run(&arguments),
        Measurement::Amounts(arguments) => amounts::run(&arguments),
        Measurement::Large(arguments) => large::run(&arguments),
        Measurement::Calls => calls::run(),
        Measurement::CallsCase(case) => case.run(),
        Measurement::Matcher => matcher::run(),
        Measurement::MatcherCase(case) => case.run(),
        Measurement::Arrays(arguments) => arrays::run(&arguments),
        Measurement::Influences(arguments) => influences::run(&arguments),
        Measurement::Picture(arguments) => picture::run(&arguments),
        Measurement::Gate(arguments) => gate::run(&arguments),
        Measurement::Files(arguments) => files::run(&arguments),
        #[cfg(feature = "sequences")]
        Measurement::Sequences(arguments) => sequences::run(&arguments),
        #[cfg(feature = "sequences")]
        Measurement::SequencesChild(child) => child.run(),
        Measurement::Collection(arguments) => collection::run(&arguments),
        Measurement::Programs(arguments) => programs::run(&arguments),
        Measurement::Crates(arguments) => crates::run(&arguments),
        Measurement::Once(arguments) => once::run(&arguments),
        Measurement::Harnesses(arguments) => harnesses::run(&arguments),
        Measurement::Laws(arguments) => laws::run(&arguments),
        Measurement::LawChange(arguments) => law_change::run(&arguments),
        Measurement::Thirteen(arguments) => thirteen::run(&arguments),
        Measurement::Masking(arguments) => masking::run(&arguments),
        Measurement::Variants(arguments) => variants::run(&arguments),
        Measurement::Against(arguments) => against::run(&arguments),
        Measurement::VariantsC(arguments) => variants_c::run(&arguments),
        Measurement::Abuse(arguments) => abuse::run(&arguments),
        Measurement::Faults(arguments) => faults::run(&arguments),
        Measurement::Trace(arguments) => trace::run(&arguments),
        #[cfg(feature = "crates")]
        Measurement::Search(arguments) => search::run(&arguments),
    }
}
