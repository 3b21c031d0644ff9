//! Scope: how many bugs of a test are wanted and, where its cases are programs, how they are told apart.
//!
//! **Invariant:** a setting that cannot be understood ends the run with a sentence that names it.

/// The point at which a run ends after it found a bug.
///
/// ```
/// use bugnet::campaign::{Scope, WantedBugs};
///
/// let wanted: WantedBugs = "more".parse().unwrap();
/// assert_eq!(wanted.scope, Scope::More);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// It ends at the first bug.
    First,
    /// It goes on as long as there are likely to be more, at most twice as long as the last bug took.
    More,
    /// It uses up its budget.
    All,
}

/// Which bugs are looked for, and by what means they are told apart. The means are there to be
/// measured one by one; the default is what has turned out best. They are those of programs, but for
/// `samples`, which properties know too, and `forms`, which is theirs.
///
/// ```
/// use bugnet::campaign::{Scope, WantedBugs};
///
/// let wanted: WantedBugs = "all-guards+values".parse().unwrap();
/// assert!(wanted.scope == Scope::All && !wanted.guards && wanted.values);
/// assert_eq!("first".parse(), Ok(WantedBugs::FIRST));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WantedBugs {
    /// The point at which the search ends after it found a bug.
    pub scope: Scope,
    /// `strict`: only programs that fail in the same way count as the same bug.
    pub strict: bool,
    /// `values`: each literal is generalized only as far as tests confirm.
    pub values: bool,
    /// `guards`: patterns learn what makes their instances pass.
    pub guards: bool,
    /// `samples`: programs end with a call that completes a known pattern, and some inputs of a known form
    /// are run.
    pub samples: bool,
    /// `forms`: what fails of the inputs of a property is generalized over its structure. Without, a bug is
    /// known by its minimal input alone.
    pub forms: bool,
}

impl WantedBugs {
    /// All bugs.
    pub const ALL: WantedBugs = WantedBugs {
        scope: Scope::All,
        strict: true,
        values: false,
        guards: true,
        samples: true,
        forms: true,
    };
    /// The bugs that are found in little more time than the first.
    pub const MORE: WantedBugs = WantedBugs { scope: Scope::More, ..WantedBugs::ALL };
    /// The first bug.
    pub const FIRST: WantedBugs = WantedBugs { scope: Scope::First, ..WantedBugs::ALL };
}

impl std::str::FromStr for WantedBugs {
    type Err = String;

    fn from_str(text: &str) -> Result<WantedBugs, String> {
        let end = text.find(['+', '-']).unwrap_or(text.len());
        let (base, mut rest) = text.split_at(end);
        let problem = || format!("`{text}` does not say which bugs are wanted: write first, more or all");
        let mut wanted = match base {
            "all" => WantedBugs::ALL,
            "more" => WantedBugs::MORE,
            "first" => WantedBugs::FIRST,
            _ => return Err(problem()),
        };
        while let Some(on) = rest.chars().next().map(|sign| sign == '+') {
            let end = rest[1..].find(['+', '-']).map_or(rest.len(), |end| end + 1);
            match &rest[1..end] {
                "strict" => wanted.strict = on,
                "values" => wanted.values = on,
                "guards" => wanted.guards = on,
                "samples" => wanted.samples = on,
                "forms" => wanted.forms = on,
                _ => return Err(problem()),
            }
            rest = &rest[end..];
        }
        Ok(wanted)
    }
}
