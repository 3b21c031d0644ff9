//! The statistics behind triggers and suppressors, as plain functions.
//!
//! **Invariant:** only additions, multiplications, divisions and square roots, which give the same
//! bits on any machine.

pub use super::exact::{Exact, Table, exact_test, fisher};
use crate::list::{Listed, sort};

/// Wilson's 95% interval (1927) of a probability of which `hits` were seen in `tries`.
///
/// ```
/// use bugnet::swarm::statistics::wilson;
///
/// let (low, high) = wilson(18, 20);
/// assert_eq!(((low * 100.0).round(), (high * 100.0).round()), (70.0, 97.0));
/// ```
pub fn wilson(hits: u64, tries: u64) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    if tries == 0 {
        return (0.0, 1.0);
    }
    let (hits, n) = (hits as f64, tries as f64);
    let share = hits / n;
    let middle = share + Z * Z / (2.0 * n);
    let reach = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let whole = 1.0 + Z * Z / n;
    // At the ends the formula gives zero and one, but for rounding.
    let low = if hits == 0.0 { 0.0 } else { (middle - reach) / whole };
    let high = if hits == n { 1.0 } else { (middle + reach) / whole };
    (low, high)
}

/// The p-values adjusted for their number by Benjamini and Hochberg (1995): of the hypotheses
/// rejected for an adjusted value up to 0.05, one in twenty is expected to be wrong.
///
/// ```
/// use bugnet::swarm::statistics::benjamini_hochberg;
///
/// assert_eq!(benjamini_hochberg(&[0.5, 0.01, 0.02]), [0.5, 0.03, 0.03]);
/// ```
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).listed();
    sort(&mut order, &|a, b| p[*a].total_cmp(&p[*b]));
    let mut adjusted = vec![1.0; p.len()];
    let mut least = 1.0f64;
    for (rank, index) in order.into_iter().enumerate().rev() {
        // Rounding must not make a value smaller than it was.
        least = least.min((p[index] * p.len() as f64 / (rank + 1) as f64).max(p[index]));
        adjusted[index] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    fn assert_near(got: f64, expected: f64) {
        assert!((got / expected - 1.0).abs() < 1e-9, "{got} instead of {expected}");
    }

    // The expected numbers of these tests were computed with SciPy 1.17.

    #[test]
    fn wilson_agrees_with_scipy() {
        for (hits, tries, low, high) in [
            (18, 20, 0.698_966_354_771_512_8, 0.972_133_518_786_231_9),
            (1, 3, 0.061_491_944_720_396_26, 0.792_340_399_197_952_3),
            (250_000, 1_000_000, 0.249_152_272_147_192_46, 0.250_849_648_574_839_5),
        ] {
            assert_near(wilson(hits, tries).0, low);
            assert_near(wilson(hits, tries).1, high);
        }
        assert_eq!(wilson(0, 10).0, 0.0);
        assert_near(wilson(0, 10).1, 0.277_532_799_862_889_26);
        assert_eq!(wilson(4, 4).1, 1.0);
        assert_near(wilson(4, 4).0, 0.510_109_163_545_402_7);
        assert_eq!(wilson(0, 0), (0.0, 1.0));
    }

    #[test]
    fn wilson_contains_the_estimate() {
        check((0..1_000_000u64, 1..1_000_000u64), |(hits, tries)| {
            let hits = hits % (tries + 1);
            let (low, high) = wilson(hits, tries);
            let share = hits as f64 / tries as f64;
            assert!(0.0 <= low && low <= share && share <= high && high <= 1.0, "{low} {share} {high}");
        })
        .unwrap();
    }

    #[test]
    fn adjusted_values_agree_with_scipy() {
        let adjusted = benjamini_hochberg(&[0.04, 0.001, 0.03, 0.9, 0.005]);
        for (got, expected) in adjusted.into_iter().zip([0.05, 0.005, 0.05, 0.9, 0.0125]) {
            assert_near(got, expected);
        }
        assert!(benjamini_hochberg(&[]).is_empty());
    }

    #[test]
    fn adjusting_keeps_the_order_and_makes_nothing_smaller() {
        check(vec_of(0..=1000u32), |thousandths| {
            let p: Vec<f64> = thousandths.iter().map(|count| f64::from(*count) / 1000.0).collect();
            let q = benjamini_hochberg(&p);
            for i in 0..p.len() {
                assert!(p[i] <= q[i] && q[i] <= 1.0);
                assert!((0..p.len()).all(|j| p[i] > p[j] || q[i] <= q[j]));
            }
        })
        .unwrap();
    }
}
