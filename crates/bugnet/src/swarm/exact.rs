//! Fisher's exact test, within strata.
//!
//! **Invariant:** probabilities are computed by additions, multiplications and divisions only,
//! which give the same bits on any machine.

/// Probabilities below this do not count; no p-value is given as smaller.
const NEGLIGIBLE: f64 = 1e-30;

/// Tests by two questions: whether they failed, and whether they had a feature.
///
/// ```
/// use bugnet::swarm::statistics::Table;
///
/// let table = Table { failing_with: 18, failing_without: 2, passing_with: 116, passing_without: 132 };
/// assert_eq!(table.failing(), 20);
/// assert_eq!(table.tests(), 268);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Table {
    /// Failing tests that had the feature.
    pub failing_with: u64,
    /// Failing tests that did not have it.
    pub failing_without: u64,
    /// All other tests that had the feature.
    pub passing_with: u64,
    /// All other tests that did not have it.
    pub passing_without: u64,
}

impl Table {
    /// Returns the number of failing tests.
    ///
    /// ```
    /// use bugnet::swarm::statistics::Table;
    ///
    /// let table = Table { failing_with: 3, failing_without: 1, passing_with: 2, passing_without: 4 };
    /// assert_eq!(table.failing(), 4);
    /// ```
    pub fn failing(&self) -> u64 {
        self.failing_with + self.failing_without
    }

    /// Returns the number of tests with the feature.
    ///
    /// ```
    /// use bugnet::swarm::statistics::Table;
    ///
    /// let table = Table { failing_with: 3, failing_without: 1, passing_with: 2, passing_without: 4 };
    /// assert_eq!(table.with(), 5);
    /// ```
    pub fn with(&self) -> u64 {
        self.failing_with + self.passing_with
    }

    /// Returns the number of tests.
    ///
    /// ```
    /// use bugnet::swarm::statistics::Table;
    ///
    /// let table = Table { failing_with: 3, failing_without: 1, passing_with: 2, passing_without: 4 };
    /// assert_eq!(table.tests(), 10);
    /// ```
    pub fn tests(&self) -> u64 {
        self.failing() + self.passing_with + self.passing_without
    }

    /// The tests of both tables.
    ///
    /// ```
    /// use bugnet::swarm::statistics::Table;
    ///
    /// let table = Table { failing_with: 3, failing_without: 1, passing_with: 2, passing_without: 4 };
    /// assert_eq!(table.join(&table).tests(), 20);
    /// ```
    pub fn join(&self, other: &Table) -> Table {
        Table {
            failing_with: self.failing_with + other.failing_with,
            failing_without: self.failing_without + other.failing_without,
            passing_with: self.passing_with + other.passing_with,
            passing_without: self.passing_without + other.passing_without,
        }
    }

    /// Returns the average number of failing tests that would have the feature if it did not matter.
    ///
    /// ```
    /// use bugnet::swarm::statistics::Table;
    ///
    /// let table = Table { failing_with: 3, failing_without: 1, passing_with: 2, passing_without: 4 };
    /// assert_eq!(table.expected(), 2.0);
    /// ```
    pub fn expected(&self) -> f64 {
        if self.tests() == 0 {
            return 0.0;
        }
        self.failing() as f64 * (self.with() as f64 / self.tests() as f64)
    }
}

/// The result of an exact test.
///
/// ```
/// use bugnet::swarm::statistics::{Table, exact_test};
///
/// let four_of_four = Table { failing_with: 4, passing_with: 46, passing_without: 50, ..Table::default() };
/// let exact = exact_test(&[four_of_four]);
/// assert_eq!(exact.p, exact.least);
/// assert!(exact.least > 0.05, "four failures cannot tell");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exact {
    /// The probability of a result at least as odd as the one seen, if the feature does not matter.
    pub p: f64,
    /// The smallest p that any result could have had with as many failures.
    pub least: f64,
}

/// Fisher's exact test, two-sided: how likely at least as odd a table is if the feature does not
/// matter. As in R, a table is as odd as another if it is not more likely.
///
/// ```
/// use bugnet::swarm::statistics::{Table, fisher};
///
/// let table = Table { failing_with: 18, failing_without: 2, passing_with: 116, passing_without: 132 };
/// assert!((fisher(table) - 0.000_25).abs() < 0.000_01);
/// ```
pub fn fisher(table: Table) -> f64 {
    exact_test(&[table]).p
}

/// Fisher's test within strata (Birch 1964; R: `mantelhaen.test(exact = TRUE)`): tests are
/// compared only with tests of the same stratum, and the strata speak together. It is what the
/// test of Mantel and Haenszel approximates, and right for few failures too.
///
/// ```
/// use bugnet::swarm::statistics::{Table, exact_test};
///
/// // Of either kind of test, half have the feature whether they fail or not; only together it
/// // looks as if the feature mattered.
/// let often = Table { failing_with: 40, failing_without: 10, passing_with: 8, passing_without: 2 };
/// let seldom = Table { failing_with: 2, failing_without: 8, passing_with: 10, passing_without: 40 };
/// assert!(exact_test(&[often, seldom]).p > 0.99);
/// ```
pub fn exact_test(strata: &[Table]) -> Exact {
    let mut total = Distribution { start: 0, mass: vec![1.0] };
    let mut seen = 0;
    for table in strata {
        seen += table.failing_with;
        total = total.plus(&Distribution::of_failing_with(table));
    }
    let place = seen.checked_sub(total.start).map(|place| place as usize);
    let observed = place.and_then(|place| total.mass.get(place)).copied().unwrap_or(0.0);
    let end = total.mass[0].min(total.mass[total.mass.len() - 1]);
    let p = total.as_odd_as(observed);
    // The observed count may lie beyond the ends, where all is negligible.
    Exact { p, least: total.as_odd_as(end).min(p) }
}

/// The probabilities of the counts from `start` on; those that are left out are negligible.
#[derive(Debug, Clone)]
struct Distribution {
    start: u64,
    mass: Vec<f64>,
}

impl Distribution {
    /// The hypergeometric distribution of the failing tests that have a feature if it does not
    /// matter. Each probability is computed from its neighbour, from the most likely count
    /// outwards, which is more exact than logarithms of factorials.
    fn of_failing_with(table: &Table) -> Distribution {
        let (failing, with, tests) = (table.failing(), table.with(), table.tests());
        let without = tests - with;
        let (least, most) = (failing.saturating_sub(without), failing.min(with));
        let mode = (u128::from(failing + 1) * u128::from(with + 1) / u128::from(tests + 2)) as u64;
        let mode = mode.clamp(least, most);
        // How much more likely `count + 1` is than `count`.
        let step = |count: u64| {
            let up = (with - count) as f64 * (failing - count) as f64;
            up / ((count + 1) as f64 * (without + count + 1 - failing) as f64)
        };
        let (mut start, mut mass) = (mode, vec![1.0]);
        while start > least && mass[mass.len() - 1] / step(start - 1) > NEGLIGIBLE {
            start -= 1;
            mass.push(mass[mass.len() - 1] / step(start));
        }
        mass.reverse();
        let mut count = mode;
        while count < most && mass[mass.len() - 1] * step(count) > NEGLIGIBLE {
            mass.push(mass[mass.len() - 1] * step(count));
            count += 1;
        }
        let mut sum = 0.0;
        for mass in &mass {
            sum += mass;
        }
        for mass in &mut mass {
            *mass /= sum;
        }
        Distribution { start, mass }
    }

    /// The distribution of the sum of two independent counts.
    fn plus(&self, other: &Distribution) -> Distribution {
        let mut mass = vec![0.0; self.mass.len() + other.mass.len() - 1];
        for (i, a) in self.mass.iter().enumerate() {
            for (j, b) in other.mass.iter().enumerate() {
                mass[i + j] += a * b;
            }
        }
        while mass[mass.len() - 1] <= NEGLIGIBLE {
            mass.pop();
        }
        let first = mass.iter().position(|mass| *mass > NEGLIGIBLE).expect("some count is likely");
        Distribution { start: self.start + other.start + first as u64, mass: mass[first..].to_vec() }
    }

    /// The probability of all counts that are not more likely than `observed`.
    fn as_odd_as(&self, observed: f64) -> f64 {
        // Rounding must not tell apart what is equally likely.
        let bound = observed * (1.0 + 1e-7);
        let sum: f64 = self.mass.iter().filter(|mass| **mass <= bound).sum();
        sum.clamp(NEGLIGIBLE, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::statistics::wilson;
    use super::*;
    use crate::prelude::*;

    fn table([failing_with, failing_without, passing_with, passing_without]: [u64; 4]) -> Table {
        Table { failing_with, failing_without, passing_with, passing_without }
    }

    fn assert_near(got: f64, expected: f64) {
        assert!((got / expected - 1.0).abs() < 1e-9, "{got} instead of {expected}");
    }

    // The expected numbers of these tests were computed with SciPy 1.17.

    #[test]
    fn fisher_agrees_with_scipy_up_to_a_million_tests() {
        for (counts, p) in [
            ([18, 2, 116, 132], 0.000_246_773_656_216_194_5),
            ([3, 1, 1, 3], 0.485_714_285_714_285_65),
            ([10, 0, 490, 500], 0.001_866_375_604_368_999_3),
            ([0, 7, 30, 20], 0.003_358_841_053_799_871_2),
            ([1_200, 1_100, 498_800, 498_900], 0.038_742_193_632_213_186),
            ([60, 40, 100_000, 100_200], 0.045_804_293_954_069_18),
            ([300_000, 299_000, 200_000, 201_000], 0.041_514_349_107_663_14),
            ([8, 0, 100, 2], 1.0),
        ] {
            // SciPy goes by logarithms, which have some nine digits left where counts are great.
            let got = fisher(table(counts));
            assert!((got / p - 1.0).abs() < 1e-8, "{counts:?}: {got} instead of {p}");
        }
        assert_eq!(fisher(table([500_000, 0, 0, 500_000])), NEGLIGIBLE);
        assert_eq!(fisher(Table::default()), 1.0);
    }

    #[test]
    fn four_of_four_failures_are_no_evidence() {
        // The 95% interval leaves one half out, which the swarm paper takes for evidence.
        assert!(wilson(4, 4).0 > 0.5);
        let exact = exact_test(&[table([4, 0, 496, 500])]);
        assert_near(exact.p, 0.124_249_625_754_139_28);
        assert_eq!(exact.p, exact.least);
    }

    #[test]
    fn strata_speak_together() {
        // By convolving SciPy's hypergeometric distributions.
        let up = [[5, 1, 10, 14], [3, 0, 20, 22], [7, 2, 4, 6]].map(table);
        assert_near(exact_test(&up).p, 0.004_081_480_911_371_099);
        let down = [[2, 5, 4, 2], [1, 9, 5, 5], [0, 3, 8, 4], [4, 4, 4, 5]].map(table);
        assert_near(exact_test(&down).p, 0.020_682_342_930_964_173);
    }

    #[test]
    fn an_exact_test_gives_a_probability_and_none_below_the_least() {
        check(vec_of((0..50u64, 0..50u64, 0..50u64, 0..50u64)).len(0..5), |counts| {
            let strata: Vec<Table> = counts.iter().map(|(a, b, c, d)| table([*a, *b, *c, *d])).collect();
            let exact = exact_test(&strata);
            assert!(exact.least <= exact.p && exact.p <= 1.0 && exact.least > 0.0, "{exact:?}");
        })
        .unwrap();
    }
}
