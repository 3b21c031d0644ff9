//! Families: functions that one macro, one generator or one person wrote alike, for several types.
//!
//! The source tells a family: its functions have one name, fail with the same words, and their bodies are the
//! same but for their own type, types of numbers and the number of components. If a macro wrote them, its
//! name takes the place of the body. If the source says nothing, types whose names differ only in their size
//! (`I16Vec2`, `U8Vec3`) are one family.
//!
//! **Invariant:** failures of one family fail in the same way; what differs in its message but for values does not.

use super::function::{self, Token, functions, innermost, tokens};
use super::panic_kind::PanicKind;
use super::{Cause, Finding, Phase, Place};
use crate::harness::name::{self, NUMBERS, stem};
use std::path::Path;

/// Names of components, of which each dimension has one more.
const COMPONENTS: [&str; 8] = ["x", "y", "z", "w", "x_axis", "y_axis", "z_axis", "w_axis"];

/// The properties that the functions of one family share when they fail.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Family {
    pub(crate) function: String,
    phase: Phase,
    kind: PanicKind,
    /// The panic message, without values.
    message: String,
    written: Written,
}

/// The origin of the functions of a family.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Written {
    /// Whoever writes such bodies: the different clauses, and the one that fails if that is known.
    Alike(Vec<String>, Option<String>),
    /// A macro, by its name.
    Macro(String),
    /// Something that nobody can see, for types of this name.
    Sized(String),
}

impl Family {
    /// Returns the family of a panic; `declared` says where the called function is declared, as `file:line`, and `root`
    /// is the folder of the package.
    pub(crate) fn of(finding: &Finding, declared: Option<&str>, root: &Path) -> Option<Family> {
        if finding.cause != Cause::Panic {
            return None;
        }
        let (owner, called) = name::split(&finding.operation)?;
        let place = finding.place.as_ref()?;
        let (function, written) = match at_place(place, root) {
            Some(there) => there,
            None => {
                let body = declared.and_then(|declared| declaration(declared, called, root));
                (None, body.unwrap_or_else(|| Written::Sized(stem(owner))))
            }
        };
        Some(Family {
            function: function.unwrap_or_else(|| called.to_string()),
            phase: finding.phase,
            kind: PanicKind::of(&finding.message, None),
            message: without_values(&finding.message),
            written,
        })
    }

    /// Says why its functions are taken for one.
    pub(crate) fn reason(&self) -> &'static str {
        match self.written {
            Written::Alike(..) => {
                "the functions are written alike for several types, and fail with the same words"
            }
            Written::Macro(_) => "one macro wrote the functions, and they fail with the same words",
            Written::Sized(_) => {
                "the functions have one name for types that differ in size, and fail with the same words"
            }
        }
    }
}

/// Reads the source at a place of the package: the function that it is in, or the macro that is called there.
fn at_place(place: &Place, root: &Path) -> Option<(Option<String>, Written)> {
    let text = function::text(place, root)?;
    let tokens = tokens(&text);
    let position = (place.line, place.column);
    match innermost(&functions(&tokens), &tokens, position) {
        Some(function) => {
            let body = &tokens[function.open + 1..function.close];
            let at = body.iter().position(|token| token.place >= position);
            let clauses = clauses(body, function.owner.as_deref());
            let failing = at.and_then(|at| clauses.iter().rfind(|(first, _)| *first <= at));
            let failing = failing.map(|(_, clause)| clause.clone());
            Some((Some(function.name.clone()), Written::Alike(different(clauses), failing)))
        }
        // An item that a macro wrote is said to be where the macro is called.
        None => {
            let at = tokens.iter().position(|token| token.place >= position)?;
            let is_call = tokens.get(at + 1).is_some_and(|next| next.text == "!");
            is_call.then(|| (None, Written::Macro(tokens[at].text.to_string())))
        }
    }
}

/// The body of a function that is declared at `file:line`.
fn declaration(declared: &str, called: &str, root: &Path) -> Option<Written> {
    let place = Place::read(&format!("{declared}:1"))?;
    let text = function::text(&place, root)?;
    let tokens = tokens(&text);
    let functions = functions(&tokens);
    let is_it = |function: &&function::Function| {
        function.name == called && tokens[function.open].place >= (place.line, 0)
    };
    let function = functions.iter().filter(is_it).min_by_key(|function| function.open)?;
    let body = &tokens[function.open + 1..function.close];
    Some(Written::Alike(different(clauses(body, function.owner.as_deref())), None))
}

/// The clauses of a body, each with the number of its first token: what stands between commas, semicolons
/// and braces.
fn clauses(body: &[Token<'_>], owner: Option<&str>) -> Vec<(usize, String)> {
    let mut clauses = Vec::new();
    let mut first = 0;
    for part in body.split_inclusive(|token| matches!(token.text, "," | ";" | "{" | "}")) {
        let words = part.iter().map(|token| plain(token.text, owner)).collect();
        let words: Vec<String> = without_conversions(words);
        let is_bracket =
            |word: &String| matches!(word.as_str(), "(" | ")" | "{" | "}" | "[" | "]" | "," | ";");
        let end = words.iter().rposition(|word| !is_bracket(word)).map_or(0, |last| last + 1);
        let start = words.iter().position(|word| !is_bracket(word)).unwrap_or(end).min(end);
        if start < end {
            clauses.push((first, words[start..end].join(" ")));
        }
        first += part.len();
    }
    clauses
}

/// Conversions that show a value as another type: one copy of a body may need them and another not.
const CONVERSIONS: [&str; 6] = ["as_ref", "as_str", "as_slice", "as_bytes", "borrow", "into"];

/// Removes calls of [`CONVERSIONS`], such as `.as_ref()`.
fn without_conversions(words: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for word in words {
        kept.push(word);
        if let [.., dot, name, open, close] = &kept[..] {
            let is_call = [dot, open, close].map(String::as_str) == [".", "(", ")"];
            if is_call && CONVERSIONS.contains(&name.as_str()) {
                kept.truncate(kept.len() - 4);
            }
        }
    }
    kept
}

/// Each clause once.
fn different(clauses: Vec<(usize, String)>) -> Vec<String> {
    let mut different: Vec<String> = Vec::new();
    for (_, clause) in clauses {
        if !different.contains(&clause) {
            different.push(clause);
        }
    }
    different
}

/// A word without what differs between the functions of a family.
fn plain(word: &str, owner: Option<&str>) -> String {
    match word {
        _ if Some(word) == owner => "Self".to_string(),
        _ if NUMBERS.contains(&word) => "N".to_string(),
        _ if COMPONENTS.contains(&word) => "c".to_string(),
        _ if word.starts_with(|letter: char| letter.is_uppercase()) => stem(word),
        _ => word.to_string(),
    }
}

/// A message without the values in it: numbers, and what is quoted.
pub(crate) fn without_values(message: &str) -> String {
    let mut kept = String::new();
    let mut quote = None;
    for letter in message.lines().next().unwrap_or_default().chars().take(80) {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`' | '\'') => quote = Some(letter),
            (None, _) if letter.is_numeric() => {}
            (None, _) => kept.push(letter),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
impl I16Vec2 {
    fn div(self, rhs: Self) -> Self { Self { x: self.x.saturating_div(rhs.x), y: self.y.saturating_div(rhs.y) } }
    fn rem(self, rhs: I16Vec2) -> I16Vec2 { assert!(rhs.x != 0); I16Vec2::new(self.x % rhs.x, self.y % rhs.y) }
}
impl I8Vec3 {
    fn div(self, rhs: Self) -> Self {
        Self {
            x: self.x.saturating_div(rhs.x),
            y: self.y.saturating_div(rhs.y),
            z: self.z.saturating_div(rhs.z),
        }
    }
    fn rem(self, rhs: I8Vec3) -> I8Vec3 { I8Vec3::new(self.x % rhs.x, self.y % rhs.y, self.z % rhs.z) }
}
make! { Row }
make! { Column }
other! { Table }
";

    /// The family of a panic of a function of this source.
    fn family(operation: &str, declared: &str, place: &str, message: &str) -> Option<Family> {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("src")).unwrap();
        std::fs::write(root.path().join("src/lib.rs"), SOURCE).unwrap();
        let finding = Finding {
            operation: operation.to_string(),
            law: None,
            phase: Phase::Call,
            cause: Cause::Panic,
            place: Place::read(place),
            message: message.to_string(),
            tape: None,
            after: None,
        };
        Family::of(&finding, Some(declared), root.path())
    }

    const CORE: &str = "/rustc/1/library/core/src/num/mod.rs:9:1";

    #[test]
    fn functions_that_differ_in_their_type_and_its_size_are_of_one_family() {
        let zero = "attempt to divide by zero";
        let two = family("I16Vec2::div", "src/lib.rs:2", CORE, zero);
        assert!(two.is_some());
        assert_eq!(two, family("I8Vec3::div", "src/lib.rs:6", CORE, zero));
        assert_ne!(two, family("I8Vec3::div", "src/lib.rs:6", CORE, "attempt to divide with overflow"));
        // The one asserts something that the other does not.
        let rem = |name, declared| family(name, declared, CORE, zero);
        assert_ne!(rem("I16Vec2::rem", "src/lib.rs:3"), rem("I8Vec3::rem", "src/lib.rs:13"));
    }

    #[test]
    fn bodies_that_differ_in_how_a_value_is_shown_are_written_alike() {
        let clauses_of = |body: &str| different(clauses(&tokens(body), None));
        let one = clauses_of("let range = hide(self.as_slice().as_ref()); drain(range);");
        assert_eq!(one, clauses_of("let range = hide(self.as_slice()); drain(range);"));
        assert_eq!(one, clauses_of("let range = hide(self); drain(range);"));
        assert_ne!(one, clauses_of("let range = hide(self.host()); drain(range);"));
        assert_ne!(one, clauses_of("let range = hide(self.as_slice(0)); drain(range);"));
    }

    #[test]
    fn a_place_in_a_body_tells_which_clause_fails() {
        let at = |place| family("f::g", "", place, "no");
        // The first component, and the second: clauses that are written alike.
        assert_eq!(at("src/lib.rs:8:16"), at("src/lib.rs:9:16"));
        assert_ne!(at("src/lib.rs:8:16"), at("src/lib.rs:13:52"));
    }

    #[test]
    fn functions_that_one_macro_wrote_are_of_one_family() {
        let at = |operation, place| family(operation, "", place, "index 7 of 3");
        let row = at("Row::get", "src/lib.rs:15:1");
        assert_eq!(row, at("Column::get", "src/lib.rs:16:1"));
        assert_ne!(row, at("Column::set", "src/lib.rs:16:1"));
        assert_ne!(row, at("Table::get", "src/lib.rs:17:1"));
    }

    #[test]
    fn where_no_source_is_seen_only_the_size_of_a_type_may_differ() {
        let of = |operation| family(operation, "src/gone.rs:1", CORE, "no");
        assert_eq!(of("I16Vec2::f"), of("U8Vec3::f"));
        assert_eq!(of("Vec3A::f"), of("DVec3::f"));
        assert_ne!(of("I16Vec2::f"), of("I16Mat2::f"));
        assert_ne!(of("I16Vec2::f"), of("I16Vec2::g"));
        assert_eq!(of("<DVec2 as Div<f64>>::div"), of("<Vec3 as Div<f32>>::div"));
    }
}
