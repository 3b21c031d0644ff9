//! Outcomes: what becomes of the result of a call.
//!
//! A result that later calls can use is kept; one that borrows from the arguments is kept on lease. What
//! cannot be kept is used up at once. The compiler takes the first that it accepts.

use super::standard;
use crate::api::{Kind, Lifetimes};

/// The type around a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrap {
    Bare,
    Option,
    Result,
    /// The error of a `Result` is what is wanted.
    Error,
}

/// The way in which a result holds its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holding {
    Owned,
    Shared,
    Mutable,
}

/// The fate of a call's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    Dropped,
    /// It was changed in the same call, and with it the value that has handed it out.
    Changed,
    /// It is an iterator, and is run.
    Driven(Wrap),
    Kept {
        kind: Kind,
        wrap: Wrap,
        holding: Holding,
        leased: bool,
    },
    /// It is a verdict.
    Judged,
    /// It is that of a law that somebody has stated.
    Stated {
        /// The path of the settings of the law.
        settings: String,
        /// The text around the call, as it is printed.
        before: String,
        after: String,
    },
}

/// Asks an iterator for 64 elements; some iterators have no end.
const DRIVEN: &str = ".take(64).for_each(drop)";

impl Outcome {
    /// Returns the possible fates of a result, best first.
    pub(crate) fn of(output: &Kind, is_unsized: &dyn Fn(&Kind) -> bool) -> Vec<Outcome> {
        let (wrap, inner) = unwrapped(output);
        let mut all = Vec::new();
        match inner {
            Kind::Opaque(bounds) if bounds.iter().any(|bound| bound.name().ends_with("Iterator")) => {
                all.push(Outcome::Driven(wrap));
            }
            // A value without a size is kept as the reference itself.
            Kind::Reference { is_static: false, to, .. } if is_unsized(to) && to.is_concrete() => {
                let holding = Holding::Owned;
                all.push(Outcome::Kept { kind: inner.clone(), wrap, holding, leased: true });
            }
            Kind::Reference { mutable, is_static: false, to } if is_kept(to) => {
                let holding = if *mutable { Holding::Mutable } else { Holding::Shared };
                all.push(Outcome::Kept { kind: (**to).clone(), wrap, holding, leased: true });
            }
            Kind::Reference { .. } => {}
            _ if is_kept(inner) => {
                let leased = inner.borrows();
                all.push(Outcome::Kept { kind: inner.clone(), wrap, holding: Holding::Owned, leased });
            }
            _ => {}
        }
        all.push(Outcome::Dropped);
        all
    }

    /// The error of a call, if later calls can use it.
    pub(crate) fn error_of(output: &Kind) -> Option<Outcome> {
        match (output.path(), &output.arguments()[..]) {
            (Some("std::result::Result"), [_, error]) if is_kept(error) && !error.borrows() => {
                let (kind, wrap) = ((*error).clone(), Wrap::Error);
                Some(Outcome::Kept { kind, wrap, holding: Holding::Owned, leased: false })
            }
            _ => None,
        }
    }

    /// Returns true if the call must lend its arguments.
    pub(crate) fn is_leased(&self) -> bool {
        matches!(self, Outcome::Kept { leased: true, .. })
    }

    /// Returns the text that is printed for a call.
    pub(crate) fn template(&self, call: &str) -> String {
        match self {
            Outcome::Driven(Wrap::Bare) => format!("{call}{DRIVEN}"),
            Outcome::Driven(_) => format!("{call}.into_iter().flatten(){DRIVEN}"),
            Outcome::Kept { wrap: Wrap::Error, .. } => format!("{call}.err()"),
            Outcome::Stated { before, after, .. } => format!("{before}{call}{after}"),
            _ => call.to_string(),
        }
    }

    /// The statements that make the call in the body.
    pub(crate) fn body(&self, call: &str) -> String {
        match self {
            Outcome::Dropped | Outcome::Changed => {
                format!("std::hint::black_box({call});\n    Verdict::Pass")
            }
            Outcome::Driven(_) => format!("{};\n    Verdict::Pass", self.template(call)),
            Outcome::Stated { settings, .. } => format!("inputs.check(NAME, &{settings}, || {call})"),
            // A law that follows from names says nothing of calls that panic.
            Outcome::Judged => format!(
                "std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {call})).unwrap_or(true).into_verdict()"
            ),
            Outcome::Kept { kind, wrap, holding, .. } => {
                let of = kind.text(Lifetimes::Static);
                let of = match holding {
                    Holding::Owned => of,
                    Holding::Shared => format!("&'static {of}"),
                    Holding::Mutable => format!("&'static mut {of}"),
                };
                match wrap {
                    Wrap::Bare => format!("let r: {of} = {call};\n    f.keep(r)"),
                    Wrap::Option => format!("let r: Option<{of}> = {call};\n    f.keep_if_any(r)"),
                    Wrap::Result => format!("let r: Option<{of}> = {call}.ok();\n    f.keep_if_any(r)"),
                    Wrap::Error => format!("let r: Option<{of}> = {call}.err();\n    f.keep_if_any(r)"),
                }
            }
        }
    }

    /// The statements that make the call in the body and show its result to whoever compares variants.
    pub(crate) fn seen_body(&self, call: &str) -> String {
        const SEE: &str = "(&&Seen(&r)).see();";
        match self {
            Outcome::Dropped | Outcome::Changed => {
                format!("let r = {call};\n    {SEE}\n    std::hint::black_box(r);\n    Verdict::Pass")
            }
            Outcome::Kept { wrap: Wrap::Result, .. } => {
                let body = self.body("r");
                format!("let r = {call};\n    {SEE}\n    {body}")
            }
            Outcome::Kept { .. } => {
                let body = self.body(call);
                let (made, kept) = body.rsplit_once('\n').unwrap_or((&body, ""));
                format!("{made}\n    {SEE}\n{kept}")
            }
            Outcome::Driven(_) | Outcome::Judged | Outcome::Stated { .. } => self.body(call),
        }
    }

    /// Returns the operation's description of its result; `kind` names its kind.
    pub(crate) fn described(&self, kind: &str) -> String {
        let Outcome::Kept { wrap, holding, leased, .. } = self else { return String::new() };
        let wrapped = if *wrap == Wrap::Bare { "" } else { ".wrapped()" };
        let leased = if *leased { ".leased()" } else { "" };
        format!(".returns({kind}, Access::{holding:?}){wrapped}{leased}")
    }
}

/// Returns the value inside of an `Option` or `Result`.
pub(crate) fn unwrapped(output: &Kind) -> (Wrap, &Kind) {
    match (output.path(), &output.arguments()[..]) {
        (Some("std::option::Option"), [inner]) => (Wrap::Option, inner),
        (Some("std::result::Result"), [inner, ..]) => (Wrap::Result, inner),
        _ => (Wrap::Bare, output),
    }
}

/// Returns true if later calls can use a value of a type: values that can be drawn are not needed from earlier
/// calls.
pub(crate) fn is_kept(kind: &Kind) -> bool {
    let is_sized =
        !matches!(kind, Kind::Slice(_) | Kind::Function { .. }) && !kind.is("str") && !kind.is("!");
    let is_opaque = kind.any(&mut |part| matches!(part, Kind::Dynamic(_)));
    kind.is_concrete() && is_sized && !is_opaque && !standard::is_drawn(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_kept_before_it_is_dropped() {
        let version = Kind::named("semver::Version");
        let parsed = Kind::generic("std::result::Result", [version.clone(), Kind::named("semver::Error")]);
        let [kept, dropped] = &Outcome::of(&parsed, &|_| false)[..] else { panic!("not two") };
        assert_eq!(
            kept.body("parse()"),
            "let r: Option<semver::Version> = parse().ok();\n    f.keep_if_any(r)"
        );
        assert_eq!(kept.described("k()"), ".returns(k(), Access::Owned).wrapped()");
        assert_eq!(*dropped, Outcome::Dropped);
        let borrowed = &Outcome::of(&Kind::shared(version), &|_| false)[0];
        assert!(borrowed.is_leased());
        assert_eq!(borrowed.described("k()"), ".returns(k(), Access::Shared).leased()");
    }

    #[test]
    fn a_result_is_shown_before_it_is_kept_and_whole() {
        let version = Kind::named("semver::Version");
        let parsed = Kind::generic("std::result::Result", [version.clone(), Kind::named("semver::Error")]);
        let expected = "let r = parse();\n    (&&Seen(&r)).see();\n    \
                        let r: Option<semver::Version> = r.ok();\n    f.keep_if_any(r)";
        assert_eq!(Outcome::of(&parsed, &|_| false)[0].seen_body("parse()"), expected);
        let expected = "let r: semver::Version = new();\n    (&&Seen(&r)).see();\n    f.keep(r)";
        assert_eq!(Outcome::of(&version, &|_| false)[0].seen_body("new()"), expected);
    }

    #[test]
    fn what_is_drawn_is_not_kept() {
        assert_eq!(Outcome::of(&Kind::named("usize"), &|_| false), [Outcome::Dropped]);
        assert_eq!(Outcome::of(&Kind::shared(Kind::named("str")), &|_| false), [Outcome::Dropped]);
    }
}
