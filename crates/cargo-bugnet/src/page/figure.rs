//! Figures as people read them.
//!
//! **Invariant:** a count is exact; only shares, probabilities and times are rounded.

/// A count with its thousands apart.
pub(super) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count and what is counted.
pub(super) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

pub(super) fn bytes(count: u64) -> String {
    counted(count, "byte", "bytes")
}

/// A share in whole percent; what is neither nothing nor all is not shown as such.
pub(super) fn percent(share: f64) -> String {
    match share * 100.0 {
        little if little > 0.0 && little < 0.5 => "<1 %".to_string(),
        much if (99.5..100.0).contains(&much) => ">99 %".to_string(),
        percent => format!("{percent:.0} %"),
    }
}

/// A share as a coordinate.
pub(super) fn position(share: f64) -> String {
    format!("{:.1}%", share.clamp(0.0, 1.0) * 100.0)
}

/// An adjusted probability.
pub(super) fn probability(q: f64) -> String {
    if q < 0.0001 { "<0.0001".to_string() } else { format!("{q:.4}") }
}

/// Processor time in the unit that fits.
pub(super) fn processor_time(seconds: f64) -> String {
    let (unit, name) = time_unit(seconds);
    format!("{:.1}{name}", seconds / unit).replace(".0 ", " ")
}

/// The unit for a time, in seconds, and its name.
pub(super) fn time_unit(seconds: f64) -> (f64, &'static str) {
    match seconds {
        short if short < 120.0 => (1.0, " s"),
        medium if medium < 7_200.0 => (60.0, " min"),
        _ => (3_600.0, " h"),
    }
}

/// The first line of a text, cut if it is long.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let line = text.lines().next().unwrap_or("");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None if line.len() < text.trim_end().len() => format!("{line} …"),
        None => line.to_string(),
    }
}

/// A round step, of which three to six fit into a range.
pub(super) fn step(range: f64) -> f64 {
    let mut step = 1e-6;
    loop {
        for factor in [1.0, 2.0, 5.0] {
            if range / (step * factor) <= 5.0 {
                return step * factor;
            }
        }
        step *= 10.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_as_people_write_them() {
        assert_eq!((grouped(0), grouped(999), grouped(21_400)), ("0".into(), "999".into(), "21,400".into()));
        assert_eq!(counted(1, "test", "tests"), "1 test");
        assert_eq!(
            (percent(0.004), percent(0.516), percent(0.999)),
            ("<1 %".into(), "52 %".into(), ">99 %".into())
        );
        assert_eq!((percent(0.0), percent(1.0)), ("0 %".into(), "100 %".into()));
        assert_eq!((probability(0.00001), probability(0.0312)), ("<0.0001".into(), "0.0312".into()));
        assert_eq!((processor_time(9.0), processor_time(300.0)), ("9 s".into(), "5 min".into()));
        assert_eq!(shortened("one\ntwo", 10), "one …");
        assert_eq!(shortened("abcdef", 3), "abc…");
    }

    #[test]
    fn a_range_has_three_to_six_round_steps() {
        for range in [1.0, 3.0, 7.0, 21_400.0, 0.02, 1e9] {
            let count = range / step(range);
            assert!((2.0..=5.0).contains(&count), "{range}: {count}");
        }
    }
}
