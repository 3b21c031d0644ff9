//! Mutations: one small mistake each, made in the text of a source file.
//!
//! **Invariant:** a mutant differs from the original in one line.

/// Words and what they are mistaken for.
const MISTAKES: [(&str, &str); 14] = [
    ("lft", "rgt"),
    ("rgt", "lft"),
    ("Less", "Greater"),
    ("Greater", "Less"),
    ("Less", "Equal"),
    ("Equal", "Greater"),
    ("NULL_NODE", "0"),
    ("true", "false"),
    ("false", "true"),
    ("==", "!="),
    ("!=", "=="),
    ("1", "0"),
    ("-", "+"),
    ("is_some", "is_none"),
];

/// A file with a mistake in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// The number of the line, from one.
    pub line: usize,
    /// The line as it is now; empty if it was left out.
    pub text: String,
}

impl Mutant {
    /// The file with the mistake.
    pub fn apply(&self, original: &str) -> String {
        let line = |(number, line): (usize, &str)| match number + 1 == self.line {
            true => format!("{}\n", self.text),
            false => format!("{line}\n"),
        };
        original.lines().enumerate().map(line).collect()
    }
}

/// All mutants of a file, up to a line that begins with a text.
pub fn mutants(original: &str, end: &str) -> Vec<Mutant> {
    let code = original.lines().take_while(|line| !line.starts_with(end)).enumerate();
    let body = code.filter(|(_, line)| is_body(line));
    body.flat_map(|(number, line)| {
        let words = MISTAKES.iter().flat_map(|(right, wrong)| replaced(line, right, wrong));
        let left_out = is_statement(line).then(String::new);
        words.chain(left_out).map(move |text| Mutant { line: number + 1, text }).collect::<Vec<_>>()
    })
    .collect()
}

/// Returns true if a line is part of a function: neither a declaration nor a comment.
fn is_body(line: &str) -> bool {
    let text = line.trim_start();
    let declares = ["use ", "pub ", "fn ", "impl", "const ", "//", "#", "where", "K:", "Q:", "F:"];
    line.starts_with("        ") && !declares.iter().any(|start| text.starts_with(start))
}

/// Returns true if a line can be left out: a call or an assignment.
fn is_statement(line: &str) -> bool {
    let text = line.trim();
    let binds = text.starts_with("let ") || text.starts_with("return") || text.starts_with('}');
    text.ends_with(';') && !binds && (text.contains('=') || text.contains('('))
}

/// The line with each occurrence of a word replaced in turn.
fn replaced(line: &str, word: &str, by: &str) -> Vec<String> {
    let is_part = |character: char| character.is_alphanumeric();
    let alone = |start: usize| {
        let before = line[..start].chars().next_back().is_some_and(is_part);
        let after =
            line[start + word.len()..].chars().next().is_some_and(|next| is_part(next) || next == '>');
        !(before || after)
    };
    let places = line.match_indices(word).map(|(start, _)| start).filter(|start| alone(*start));
    places.map(|start| format!("{}{by}{}", &line[..start], &line[start + word.len()..])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
impl Tree {
    fn is_leaf(&self) -> bool {
        // lft and rgt
        self.lft == 1
    }
    fn forget(&mut self) {
        self.drop(2);
    }
}
#[cfg(test)]
        self.lft = 1;
";

    #[test]
    fn mutants_differ_in_one_line_of_a_body() {
        let texts: Vec<(usize, String)> = mutants(FILE, "#[cfg(test)]")
            .into_iter()
            .map(|mutant| (mutant.line, mutant.text.trim().to_owned()))
            .collect();
        let expected = [(4, "self.rgt == 1"), (4, "self.lft != 1"), (4, "self.lft == 0"), (7, "")];
        assert_eq!(texts, expected.map(|(line, text)| (line, text.to_owned())));
        for mutant in mutants(FILE, "#[cfg(test)]") {
            let mutated = mutant.apply(FILE);
            let differing = FILE.lines().zip(mutated.lines()).filter(|(old, new)| old != new);
            assert_eq!(differing.count(), 1);
        }
    }

    #[test]
    fn words_are_replaced_one_at_a_time_and_only_as_words() {
        assert_eq!(replaced("lft = lft", "lft", "rgt"), ["rgt = lft", "lft = rgt"]);
        assert!(replaced("shift -> 10", "-", "+").is_empty());
        assert!(replaced("10", "1", "0").is_empty());
    }
}
