//! Weights that are exponentially distributed, in whole numbers.
//!
//! **Invariant:** the same bits give the same weight on any machine, and no weight is zero. The
//! logarithms are computed in integers, since the last bit of a float's differs between machines.

/// The weight of one.
pub(super) const UNIT: u32 = 1 << FRACTION;
/// The bits of a weight after the point.
const FRACTION: u32 = 16;
/// The bits of a number's mantissa that its logarithm is looked up by.
const TABLE_BITS: u32 = 6;
/// `LN[i]` is ln(1 + (i + ½) / 64), the logarithm in the middle of each step.
const LN: [u32; 1 << TABLE_BITS] = {
    let mut table = [0; 1 << TABLE_BITS];
    let mut index = 0;
    while index < table.len() {
        let odd = 2 * index as u64 + 1;
        table[index] = ln_of_ratio(odd, (2 << (TABLE_BITS + 1)) + odd);
        index += 1;
    }
    table
};
const LN_2: u32 = ln_of_ratio(1, 3);

/// ln((1 + z) / (1 - z)) for z = `over / under`, up to a third, by the series
/// 2 (z + z³/3 + z⁵/5 + …) in integers.
const fn ln_of_ratio(over: u64, under: u64) -> u32 {
    const BITS: u32 = 48;
    let (over, under) = (over as u128, under as u128);
    let mut power = (over << BITS) / under;
    let (mut sum, mut odd) = (0, 1);
    while power > 0 {
        sum += power / odd;
        power = power * over * over / (under * under);
        odd += 2;
    }
    ((2 * sum + (1 << (BITS - FRACTION - 1))) >> (BITS - FRACTION)) as u32
}

/// Random bits as an exponentially distributed number, -ln(u) for a uniform u. The zeros that
/// lead the bits say how often u was halved, which makes the tail exact; the bits after them are
/// looked up.
#[inline(always)]
pub(super) fn exponential(bits: u64) -> u32 {
    let bits = bits | 1;
    let halvings = bits.leading_zeros();
    let mantissa = (bits << halvings << 1) >> (64 - TABLE_BITS);
    (halvings + 1) * LN_2 - LN[mantissa as usize]
}

#[cfg(test)]
mod tests {
    use super::super::mix;
    use super::*;

    #[test]
    fn the_table_of_logarithms_is_right_to_its_last_bit() {
        let unit = f64::from(UNIT);
        assert_eq!(LN_2, (std::f64::consts::LN_2 * unit).round() as u32);
        for (index, entry) in LN.iter().enumerate() {
            let exact = (1.0 + (index as f64 + 0.5) / 64.0).ln() * unit;
            assert!((f64::from(*entry) - exact).abs() < 0.51, "{index}: {entry} {exact}");
        }
    }

    #[test]
    fn weights_are_exponential_and_never_zero() {
        assert_eq!([exponential(u64::MAX), exponential(1 << 63), exponential(0)], [256, 44_916, 2_906_754]);
        let weights: Vec<u32> = (0..100_000).map(|word| exponential(mix(word))).collect();
        let unit = f64::from(UNIT);
        let mean = weights.iter().map(|weight| f64::from(*weight)).sum::<f64>() / 100_000.0;
        assert!((mean / unit - 1.0).abs() < 0.02, "{mean}");
        for bound in [0.1, 0.5, 1.0, 2.0, 5.0, 8.0f64] {
            let above = weights.iter().filter(|weight| f64::from(**weight) > bound * unit).count();
            let expected = (-bound).exp() * 100_000.0;
            let five_deviations = 5.0 * expected.sqrt() + 800.0 * bound.min(1.0);
            assert!((above as f64 - expected).abs() < five_deviations, "{bound}: {above} {expected}");
        }
    }
}
