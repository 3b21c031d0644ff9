//! Random numbers for loops written by hand, which have no library to draw them.

/// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014), figure 16.
#[derive(Debug, Clone)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    #[inline]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// A number below `bound`, by multiplication rather than by division.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// Takes some members of a list, each at most once, in the order in which they are drawn.
    pub fn draw<T>(&mut self, mut all: Vec<T>, count: usize) -> Vec<T> {
        let count = count.min(all.len());
        (0..count).map(|_| all.remove(self.below(all.len() as u64) as usize)).collect()
    }

    /// A number from zero to one, zero left out.
    pub fn unit(&mut self) -> f64 {
        ((self.next() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }

    /// A number from the normal distribution around zero (Box and Muller, 1958).
    pub fn normal(&mut self, deviation: f64) -> f64 {
        let radius = (-2.0 * self.unit().ln()).sqrt();
        deviation * radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_have_the_deviation_they_were_asked_for() {
        let mut random = SplitMix64(1);
        let numbers: Vec<f64> = (0..100_000).map(|_| random.normal(25.0)).collect();
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        let variance = numbers.iter().map(|number| number * number).sum::<f64>() / numbers.len() as f64;
        assert!(mean.abs() < 0.3 && (variance.sqrt() - 25.0).abs() < 0.3, "{mean} {variance}");
    }
}
