//! The cost of one test case in each library: generating a value, calling the property, dropping it.
//!
//! The data flow: [`contender`]s run the [`property`] of a [`shape`] in processes of their own
//! ([`case`]) of an [`executable`] built for the purpose; [`cachegrind`] counts them; the
//! [`marginal`] cost of two runs is a [`measurement`]; measurements fill a [`table`].

#[cfg(feature = "peers")]
mod arbtest;
#[cfg(feature = "peers")]
mod bolero;
mod bugnet;
pub mod cachegrind;
pub mod case;
mod contender;
pub mod executable;
mod expr;
#[cfg(feature = "hegel")]
mod hegel;
#[cfg(feature = "hegel")]
mod hegel_engine;
mod marginal;
pub mod measurement;
mod operation;
mod plain_loop;
mod property;
#[cfg(feature = "peers")]
mod proptest;
#[cfg(feature = "peers")]
mod quickcheck;
pub mod shape;
pub mod table;
pub mod tally;

use anyhow::ensure;

use contender::Contender;
use executable::{Executable, Profile};
use marginal::Marginal;
use measurement::{Measurement, Subject};
use shape::Shape;
use table::{Table, number};

/// The tables to print.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Measure the dev profile as well, after release
    #[arg(long)]
    dev: bool,
    /// Measure only these rows
    #[arg(long, value_delimiter = ',', value_name = "CONTENDER,…")]
    only: Vec<String>,
}

/// Measures and prints the tables of each profile asked for.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    cachegrind::require()?;
    let contenders = chosen(&arguments.only)?;
    let mut executables = vec![Executable::build(Profile::Release)?];
    if arguments.dev {
        executables.push(Executable::build(Profile::Dev)?);
    }
    for executable in &executables {
        print(executable.profile, &measure(&contenders, executable)?);
    }
    Ok(())
}

/// All contenders, or those named.
fn chosen(names: &[String]) -> anyhow::Result<Vec<Contender>> {
    let all = contender::all();
    for name in names {
        let known = all.iter().any(|contender| contender.name == name);
        ensure!(known, "no contender `{name}` in this build; try --features peers,hegel");
    }
    let wanted = |contender: &Contender| names.is_empty() || names.iter().any(|name| name == contender.name);
    Ok(all.into_iter().filter(wanted).collect())
}

/// One contender's measurements, in the order of [`Shape::ALL`].
struct Row {
    name: &'static str,
    cells: Vec<Measurement>,
}

fn measure(contenders: &[Contender], executable: &Executable) -> anyhow::Result<Vec<Row>> {
    let row = |contender: &Contender| {
        eprintln!("measuring {} ({})", contender.name, executable.profile.name());
        let cell = |shape: Shape| {
            let arguments = ["throughput-case", contender.name, &shape.argument()].map(str::to_owned);
            Subject { executable, arguments: arguments.to_vec() }.measure()
        };
        let cells = Shape::ALL.into_iter().map(cell).collect::<anyhow::Result<_>>()?;
        Ok(Row { name: contender.name, cells })
    };
    contenders.iter().map(row).collect()
}

fn print(profile: Profile, rows: &[Row]) {
    let profile = profile.name();
    println!("### {profile}: instructions per case (per element × elements)\n");
    println!("{}", tabulate(rows, |measurement| measurement.instructions));
    for row in rows.iter().filter(|row| row.cells.iter().any(|cell| cell.instructions.is_none())) {
        println!("`-`: {} does not run under valgrind; see its processor time.\n", row.name);
    }
    println!("### {profile}: nanoseconds of processor time per case (per element × elements)\n");
    println!("{}", tabulate(rows, |measurement| Some(measurement.nanoseconds)));
}

fn tabulate(rows: &[Row], figure: fn(&Measurement) -> Option<Marginal>) -> Table {
    let mut table = Table::new(["contender"].into_iter().chain(Shape::ALL.map(Shape::heading)));
    for row in rows {
        let cells = row.cells.iter().map(|measurement| cell(figure(measurement)));
        table.push([row.name.to_owned()].into_iter().chain(cells).collect());
    }
    table
}

/// The cost of a case and, where a case has several elements, how it comes about.
fn cell(figure: Option<Marginal>) -> String {
    match figure {
        None => "-".to_owned(),
        Some(figure) if figure.elements_per_case == 1.0 => number(figure.cost_per_case),
        Some(figure) => format!(
            "{} ({} × {:.1})",
            number(figure.cost_per_case),
            number(figure.cost_per_element()),
            figure.elements_per_case
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_shows_the_cost_of_an_element_and_how_many_there_are() {
        let figure = Marginal { cost_per_case: 3_708.0, elements_per_case: 50.11 };
        assert_eq!(cell(Some(figure)), "3,708 (74.0 × 50.1)");
    }

    #[test]
    fn a_cell_of_single_values_shows_their_cost_alone() {
        let figure = Marginal { cost_per_case: 14.0, elements_per_case: 1.0 };
        assert_eq!(cell(Some(figure)), "14.0");
    }

    #[test]
    fn what_could_not_be_counted_is_a_dash() {
        assert_eq!(cell(None), "-");
    }
}
