//! The outcomes as Markdown tables.

use std::fmt::{self, Display, Formatter};

use super::outcome::{Outcome, Workload};

/// One peer's outcomes in one workload.
pub struct Column {
    pub peer: &'static str,
    pub workload: Workload,
    pub outcomes: Vec<Outcome>,
}

/// Says whether the report lists single tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    Summary,
    EachTask,
}

pub struct Report {
    pub columns: Vec<Column>,
    pub detail: Detail,
}

impl Report {
    fn columns(&self, workload: Workload) -> Vec<&Column> {
        let of_workload = |column: &&Column| column.workload == workload;
        self.columns.iter().filter(of_workload).collect()
    }

    fn workloads(&self) -> impl Iterator<Item = (Workload, Vec<&Column>)> {
        [Workload::Bst, Workload::Rbt]
            .into_iter()
            .map(|workload| (workload, self.columns(workload)))
            .filter(|(_, columns)| !columns.is_empty())
    }

    fn write_solved(&self, f: &mut Formatter) -> fmt::Result {
        writeln!(f, "### Tasks solved in all trials / in some / in none\n")?;
        writeln!(f, "| peer | workload | all | some | none |")?;
        writeln!(f, "|---|---|---:|---:|---:|")?;
        for Column { peer, workload, outcomes } in &self.columns {
            let never = outcomes.iter().filter(|o| **o == Outcome::Never).count();
            let always = outcomes.iter().filter(|o| o.tests().is_some()).count();
            let some = outcomes.len() - always - never;
            let workload = workload.name();
            writeln!(f, "| {peer} | {workload} | {always} | {some} | {never} |")?;
        }
        Ok(())
    }

    fn write_pairs(&self, f: &mut Formatter) -> fmt::Result {
        writeln!(f, "\n### Mean tests to failure, over tasks both solve in all trials\n")?;
        writeln!(f, "| workload | pair | tasks | first | second | ratio |")?;
        writeln!(f, "|---|---|---:|---:|---:|---:|")?;
        for (workload, columns) in self.workloads() {
            for (place, one) in columns.iter().enumerate() {
                for other in &columns[place + 1..] {
                    let Comparison { tasks, means } = Comparison::of(&[one, other]);
                    let (name, first, second) = (workload.name(), means[0], means[1]);
                    let ratio = second / first;
                    writeln!(
                        f,
                        "| {name} | {}, {} | {tasks} | {first:.1} | {second:.1} | {ratio:.2} |",
                        one.peer, other.peer
                    )?;
                }
            }
        }
        Ok(())
    }

    fn write_common(&self, f: &mut Formatter) -> fmt::Result {
        writeln!(f, "\n### Mean tests to failure, over tasks all solve in all trials\n")?;
        writeln!(f, "| workload | tasks | peer | tests |")?;
        writeln!(f, "|---|---:|---|---:|")?;
        for (workload, columns) in self.workloads() {
            let Comparison { tasks, means } = Comparison::of(&columns);
            for (column, mean) in columns.iter().zip(means) {
                let (name, peer) = (workload.name(), column.peer);
                writeln!(f, "| {name} | {tasks} | {peer} | {mean:.1} |")?;
            }
        }
        Ok(())
    }

    fn write_tasks(&self, f: &mut Formatter) -> fmt::Result {
        for (workload, columns) in self.workloads() {
            writeln!(f, "\n### {}: mean tests to failure per task\n", workload.name())?;
            let peers: Vec<&str> = columns.iter().map(|column| column.peer).collect();
            writeln!(f, "| task | {} |", peers.join(" | "))?;
            writeln!(f, "|---|{}", "---:|".repeat(peers.len()))?;
            for (place, task) in workload.task_names().iter().enumerate() {
                let cell = |column: &&Column| match column.outcomes[place] {
                    Outcome::Always(tests) => format!("{tests:.1}"),
                    Outcome::Sometimes => "some".to_owned(),
                    Outcome::Never => "none".to_owned(),
                };
                let cells: Vec<String> = columns.iter().map(cell).collect();
                writeln!(f, "| {task} | {} |", cells.join(" | "))?;
            }
        }
        Ok(())
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        self.write_solved(f)?;
        self.write_pairs(f)?;
        self.write_common(f)?;
        match self.detail {
            Detail::Summary => Ok(()),
            Detail::EachTask => self.write_tasks(f),
        }
    }
}

/// Some columns over the tasks that every one of them solves in all trials, since only there
/// every column has a mean that is not cut off by the limit.
struct Comparison {
    tasks: usize,
    /// The geometric mean over tasks of the mean over seeds, for each column; without a task NaN.
    means: Vec<f64>,
}

impl Comparison {
    fn of(columns: &[&Column]) -> Comparison {
        let tasks = columns.first().map_or(0, |column| column.outcomes.len());
        let tests_of = |task: usize| -> Option<Vec<f64>> {
            let tests = columns.iter().map(|column| column.outcomes[task].tests());
            tests.collect()
        };
        let solved: Vec<Vec<f64>> = (0..tasks).filter_map(tests_of).collect();
        let mean = |column: usize| {
            let logarithms: f64 = solved.iter().map(|tests| tests[column].ln()).sum();
            (logarithms / solved.len() as f64).exp()
        };
        Comparison { tasks: solved.len(), means: (0..columns.len()).map(mean).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome::{Always, Never, Sometimes};
    use super::*;

    fn column(peer: &'static str, outcomes: &[Outcome]) -> Column {
        Column { peer, workload: Workload::Bst, outcomes: outcomes.to_vec() }
    }

    #[test]
    fn comparison_uses_only_tasks_that_every_column_always_solves() {
        let one = column("one", &[Always(2.0), Always(8.0), Always(1.0), Never]);
        let two = column("two", &[Always(1.0), Always(9.0), Sometimes, Always(1.0)]);
        let comparison = Comparison::of(&[&one, &two]);
        assert_eq!(comparison.tasks, 2);
        assert!((comparison.means[0] - 4.0).abs() < 1e-9);
        assert!((comparison.means[1] - 3.0).abs() < 1e-9);
    }

    #[test]
    fn solved_table_tells_some_from_none() {
        let report = Report {
            columns: vec![column("one", &[Always(2.0), Sometimes, Never, Never])],
            detail: Detail::Summary,
        };
        assert!(report.to_string().contains("| one | BST | 1 | 1 | 2 |"));
    }
}
