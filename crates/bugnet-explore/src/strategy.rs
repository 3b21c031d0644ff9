//! Strategies: by what the next program is chosen.

/// The way in which programs are chosen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Strategy {
    /// By all there is: the sweep, the programs that were kept, the code that was reached, and scores.
    #[default]
    All,
    /// Programs that have reached a new state are varied, and the others begin with nothing.
    Feedback,
    /// Any calls, one as likely as another.
    Random,
}

impl Strategy {
    /// The strategy of a name; what has none is the usual one.
    pub(crate) fn named(name: &str) -> Strategy {
        match name {
            "feedback" => Strategy::Feedback,
            "random" => Strategy::Random,
            _ => Strategy::All,
        }
    }

    /// Returns its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Strategy::All => "all",
            Strategy::Feedback => "feedback",
            Strategy::Random => "random",
        }
    }
}
