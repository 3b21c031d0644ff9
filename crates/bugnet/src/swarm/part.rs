//! The parts of a mix of configurations.
//!
//! **Invariant:** a part has one name, in stored configurations and in statistics.

use std::fmt;

/// The scheme, or the part of the mix, that drew a configuration.
///
/// ```
/// use bugnet::swarm::{Configuration, Part};
///
/// assert_eq!(Configuration::ALL.part(), Part::All);
/// assert_eq!(Part::Uniform.to_string(), "uniform");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Everything is on.
    All,
    /// A coin was tossed for each feature, with a share that was given.
    Coin,
    /// A coin was tossed for each feature, with a share that was drawn.
    Uniform,
    /// As `Uniform`, and what is left in has weights.
    Weighted,
    /// A row of a covering array or of all configurations, whatever share a feature has of its own.
    Covering,
}

impl Part {
    const NAMES: [(Part, &str); 5] = [
        (Part::All, "all"),
        (Part::Coin, "coin"),
        (Part::Uniform, "uniform"),
        (Part::Weighted, "weighted"),
        (Part::Covering, "covering"),
    ];

    /// The part of a name.
    pub(super) fn from_name(name: &str) -> Option<Part> {
        Part::NAMES.iter().find(|(_, known)| *known == name).map(|(part, _)| *part)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(Part::NAMES[*self as usize].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_its_name() {
        for (part, name) in Part::NAMES {
            assert_eq!(part.to_string(), name);
            assert_eq!(Part::from_name(name), Some(part));
        }
    }
}
