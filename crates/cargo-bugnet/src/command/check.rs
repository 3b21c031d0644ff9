//! `cargo bugnet check`: checks the laws that somebody states, with values that calls of a crate make.
//!
//! **Invariant:** a law that was not checked is named, and the run is not green.

use super::aim::Aim;
use super::explore;
use crate::arguments::{Check, Explore, Strategies};
use crate::exit::Exit;
use crate::harness::built::Built;
use crate::status;
use anyhow::Result;
use std::time::Duration;

/// The longest that a run checks if no budget is given; most have checked each law often enough before.
const LONGEST: Duration = Duration::from_secs(30);

/// Checks laws, or runs one of their failures again.
pub(crate) fn check(arguments: Check) -> Result<Exit> {
    let aim = Aim::laws(&arguments.crate_choice, &arguments.laws)?;
    let is_limited = arguments.time.is_some() || arguments.search.programs.is_some();
    let limit = (!is_limited).then_some(LONGEST);
    let explore = Explore {
        time: arguments.time.or(limit),
        search: arguments.search,
        strategies: Strategies::All,
        laws: Vec::new(),
        replay: arguments.replay,
        accept: None,
        shown: arguments.shown,
        crate_choice: arguments.crate_choice,
    };
    let told = |harness: &Built| tell(harness, arguments.explain);
    explore::run_harness(&explore, &aim, &told, !is_limited)
}

/// Says which operations were selected, if that is wanted, and which laws cannot be checked.
fn tell(harness: &Built, is_explained: bool) {
    let laws = &harness.laws;
    if is_explained {
        for reason in &laws.reasons {
            let rank = match reason.rank {
                Some(1) => "one call makes it".to_string(),
                Some(rank) => format!("{rank} calls make it"),
                None => "nothing makes it".to_string(),
            };
            anstream::println!("{}: {rank}", reason.kind);
            for (word, names) in [("made by", &reason.made_by), ("changed by", &reason.changed_by)] {
                if !names.is_empty() {
                    anstream::println!("    {word} {}", names.join(", "));
                }
            }
        }
    }
    let is_refused = |law: &str| laws.refused.iter().any(|(refused, _)| refused == law);
    for missing in laws.missing.iter().filter(|missing| !is_refused(&missing.law)) {
        status::warning(&format!(
            "the law `{}` takes `{kind}`, and no public function makes one that its crate's users can call; write one \
             beside the law:\n    pub fn made(/* what it is made of */) -> {kind} {{\n        todo!()\n    }}",
            missing.law,
            kind = missing.kind
        ));
    }
    for (law, reason) in &laws.refused {
        status::warning(&format!("the law `{law}` cannot be called as it stands: {}", advice(reason)));
    }
}

/// The mistakes that a law is refused for, and the words to write instead.
fn advice(reason: &str) -> String {
    let is_about = |parts: &[&str]| parts.iter().any(|part| reason.contains(part));
    let write = if is_about(&["cannot find type", "is private", "private type"]) {
        "; a type that it takes is private: write `pub` before that"
    } else if is_about(&["borrowed data escapes", "does not live long enough", "lifetime may not live"]) {
        "; it wants something that lives for ever, and the values of a program end with it: take them by value, `&` or `&mut`"
    } else {
        ""
    };
    format!("{reason}{write}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_law_that_the_compiler_refuses_is_told_with_what_to_write() {
        assert!(
            advice("cannot find type `Hidden` in this scope").ends_with("private: write `pub` before that")
        );
        assert!(
            advice("borrowed data escapes outside of function")
                .ends_with("take them by value, `&` or `&mut`")
        );
        assert_eq!(advice("mismatched types"), "mismatched types");
    }
}
