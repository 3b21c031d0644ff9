//! Mutations: the places of a program that can be changed, and what can stand there instead.
//!
//! **Invariant:** spans are bytes of the user's own files, so a mutant can always be shown as a change of them.
//! Nothing here knows a language.

use super::operator::Operator;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A file of the user that is mutated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SourceFile {
    /// The path below the root of the package.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// The way in which the code of a site is put behind its switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// An expression with a value: one of several is evaluated.
    Value,
    /// An expression of which only matters whether it is zero.
    Condition,
    /// A statement that is executed or not.
    Statement,
    /// Nothing stands there; something may be inserted.
    Insertion,
    /// The guard of an arm, or the place where one would stand if the span is empty.
    Guard,
}

/// A place that can be changed, with everything that can stand there instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Site {
    /// The number of the file.
    pub(crate) file: usize,
    /// The code that is put behind the switch.
    pub(crate) span: Range<usize>,
    pub(crate) form: Form,
    /// The function around it, as `Type::name`.
    pub(crate) function: String,
    pub(crate) alternatives: Vec<Alternative>,
}

/// One thing that can stand at a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Alternative {
    pub(crate) operator: Operator,
    /// The code that stands there.
    pub(crate) code: String,
    /// The part of the file that a person sees changed, if it is not the span of the site.
    pub(crate) shown: Option<Range<usize>>,
}

/// A mutant: one site with one of its alternatives, the first of which is 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Mutant {
    pub(crate) site: usize,
    pub(crate) alternative: usize,
}

/// Writes a mutant in the form that the switches read.
impl fmt::Display for Mutant {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.site, self.alternative)
    }
}

/// All mutations of a package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Mutations {
    pub(crate) files: Vec<SourceFile>,
    pub(crate) sites: Vec<Site>,
    /// Code that is not mutated: a reason, and how often it applies.
    pub(crate) left_out: Vec<(String, usize)>,
}

impl Mutations {
    /// Returns every mutant, in the order of the source.
    pub(crate) fn mutants(&self) -> Vec<Mutant> {
        let sites = self.sites.iter().enumerate();
        sites
            .flat_map(|(site, described)| {
                (1..=described.alternatives.len()).map(move |alternative| Mutant { site, alternative })
            })
            .collect()
    }

    /// Keeps only some mutants, and the sites that have one.
    pub(crate) fn retain(&mut self, is_wanted: &dyn Fn(&Mutations, Mutant) -> bool) {
        let kept: BTreeSet<Mutant> =
            self.mutants().into_iter().filter(|mutant| is_wanted(self, *mutant)).collect();
        for (number, site) in self.sites.iter_mut().enumerate() {
            let mut alternative = 0;
            site.alternatives.retain(|_| {
                alternative += 1;
                kept.contains(&Mutant { site: number, alternative })
            });
        }
        self.sites.retain(|site| !site.alternatives.is_empty());
    }

    pub(crate) fn alternative(&self, mutant: Mutant) -> &Alternative {
        &self.sites[mutant.site].alternatives[mutant.alternative - 1]
    }

    /// Returns whether the sites of two mutants are one, or one lies within the other.
    pub(crate) fn overlap(&self, one: Mutant, other: Mutant) -> bool {
        let (first, second) = (&self.sites[one.site], &self.sites[other.site]);
        let is_apart = first.span.end <= second.span.start || second.span.end <= first.span.start;
        one.site == other.site || first.file == second.file && !is_apart
    }

    /// Returns the path of the file of a mutant, below the root of the package.
    pub(crate) fn path(&self, mutant: Mutant) -> &Path {
        &self.files[self.sites[mutant.site].file].path
    }

    /// Returns the span that a person sees changed.
    fn shown(&self, mutant: Mutant) -> Range<usize> {
        let site = &self.sites[mutant.site];
        self.alternative(mutant).shown.clone().unwrap_or_else(|| site.span.clone())
    }

    /// Returns the first line and column of a mutant; both begin with 1.
    pub(crate) fn place(&self, mutant: Mutant) -> (usize, usize) {
        let text = &self.files[self.sites[mutant.site].file].text;
        place(text, self.shown(mutant).start)
    }

    /// Returns the name of a mutant, such as `src/lib.rs:41:8: replace < with <= in Basket::price`.
    pub(crate) fn name(&self, mutant: Mutant) -> String {
        let (line, column) = self.place(mutant);
        let path = self.path(mutant).display();
        format!("{path}:{line}:{column}: {}", self.description(mutant))
    }

    /// Returns what a mutant changes, without its place.
    pub(crate) fn description(&self, mutant: Mutant) -> String {
        let site = &self.sites[mutant.site];
        let alternative = self.alternative(mutant);
        let text = &self.files[site.file].text;
        let before = one_line(&text[self.shown(mutant)]);
        let after = one_line(&alternative.code);
        let what = match (before.is_empty(), self.is_deletion(mutant)) {
            (_, true) => format!("delete {before}"),
            (true, _) => format!("insert {after}"),
            _ => format!("replace {before} with {after}"),
        };
        if site.function.is_empty() { what } else { format!("{what} in {}", site.function) }
    }

    fn is_deletion(&self, mutant: Mutant) -> bool {
        matches!(self.alternative(mutant).operator, Operator::Delete | Operator::Arm)
    }

    /// Returns the code that a person sees in the place of the span that is shown.
    fn replacement(&self, mutant: Mutant) -> String {
        let site = &self.sites[mutant.site];
        let code = &self.alternative(mutant).code;
        match site.form {
            _ if self.is_deletion(mutant) => String::new(),
            Form::Insertion => format!("{code} "),
            _ => code.clone(),
        }
    }

    /// Returns the lines that a mutant removes and adds.
    pub(crate) fn diff(&self, mutant: Mutant) -> Diff {
        let text = &self.files[self.sites[mutant.site].file].text;
        let shown = self.shown(mutant);
        let start = text[..shown.start].rfind('\n').map_or(0, |place| place + 1);
        let end = text[shown.end..].find('\n').map_or(text.len(), |place| shown.end + place);
        let after =
            format!("{}{}{}", &text[start..shown.start], self.replacement(mutant), &text[shown.end..end]);
        let lines = |text: &str| {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            lines.map(|line| line.trim_end().to_string()).collect::<Vec<_>>()
        };
        Diff { line: place(text, start).0, removed: lines(&text[start..end]), added: lines(&after) }
    }
}

/// The lines that a mutant removes and adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Diff {
    /// The first line that is removed.
    pub(crate) line: usize,
    pub(crate) removed: Vec<String>,
    pub(crate) added: Vec<String>,
}

impl Diff {
    /// Returns the lines with `-` and `+` before them, without the indentation that they share.
    pub(crate) fn lines(&self) -> Vec<String> {
        let all = || self.removed.iter().chain(&self.added);
        let indent = all().map(|line| line.len() - line.trim_start().len()).min().unwrap_or_default();
        let cut = |sign: &str, line: &String| format!("{sign}  {}", line.get(indent..).unwrap_or(line));
        let removed = self.removed.iter().map(|line| cut("-", line));
        removed.chain(self.added.iter().map(|line| cut("+", line))).collect()
    }
}

/// Returns the line and column of a byte; both begin with 1, and columns count letters.
pub(crate) fn place(text: &str, byte: usize) -> (usize, usize) {
    let before = &text[..byte];
    let start = before.rfind('\n').map_or(0, |place| place + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

/// The longest code that a name quotes, in letters.
const LONGEST: usize = 60;

/// Returns code on one line, cut where it is too long for a name.
fn one_line(code: &str) -> String {
    let words = code.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    }
}

#[cfg(test)]
pub(crate) mod example {
    use super::*;

    /// A file with one comparison, one statement and one place for an insertion.
    pub(crate) fn mutations() -> Mutations {
        let text = "fn f(a: u8) {\n    if a < 3 {\n        go(a);\n    }\n}\n";
        let site = |code: &str, form, alternatives: &[(Operator, &str)]| {
            let start = text.find(code).unwrap();
            let end = if form == Form::Insertion { start } else { start + code.len() };
            let alternatives = alternatives.iter().map(|(operator, code)| Alternative {
                operator: *operator,
                code: code.to_string(),
                shown: None,
            });
            Site {
                file: 0,
                span: start..end,
                form,
                function: "f".into(),
                alternatives: alternatives.collect(),
            }
        };
        let comparison = [(Operator::Swap, "a <= 3"), (Operator::Constant, "true")];
        Mutations {
            files: vec![SourceFile { path: "src/lib.rs".into(), text: text.into() }],
            sites: vec![
                site("a < 3", Form::Value, &comparison),
                site("go(a);", Form::Statement, &[(Operator::Delete, "")]),
                site("go(a);", Form::Insertion, &[(Operator::Insert, "stop();")]),
            ],
            left_out: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::example::mutations;
    use super::*;

    #[test]
    fn a_mutant_is_named_by_its_place_and_its_change() {
        let names: Vec<String> =
            mutations().mutants().into_iter().map(|mutant| mutations().name(mutant)).collect();
        let expected = [
            "src/lib.rs:2:8: replace a < 3 with a <= 3 in f",
            "src/lib.rs:2:8: replace a < 3 with true in f",
            "src/lib.rs:3:9: delete go(a); in f",
            "src/lib.rs:3:9: insert stop(); in f",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn a_mutant_is_shown_as_a_change_of_the_users_own_lines() {
        let all = mutations();
        let diff = |site, alternative| all.diff(Mutant { site, alternative });
        let replaced = diff(0, 1);
        assert_eq!(
            (replaced.line, replaced.lines()),
            (2, vec!["-  if a < 3 {".into(), "+  if a <= 3 {".into()])
        );
        assert_eq!(diff(1, 1).lines(), ["-  go(a);"]);
        assert_eq!(diff(2, 1).lines(), ["-  go(a);", "+  stop(); go(a);"]);
    }
}
