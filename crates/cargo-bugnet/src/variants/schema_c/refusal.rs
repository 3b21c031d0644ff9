//! Refusals: the mutants that the compiler does not take, by its messages.
//!
//! **Invariant:** a message drops the alternative on whose line it is, or the site if the line belongs to no single
//! alternative; what it says about code of the user drops nothing.

use super::super::mutation::Mutant;
use super::Schema;
use super::source::words;
use std::path::Path;

/// The result of a round of compiling.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Refused {
    /// The number of mutants that were dropped.
    pub(crate) dropped: usize,
    /// Errors that no mutant explains.
    pub(crate) others: Vec<String>,
}

impl Schema {
    /// Drops the mutants that the messages of a compiler are about.
    pub(crate) fn refuse(&mut self, messages: &str) -> Refused {
        let before = self.refused.len();
        let mut others = Vec::new();
        for (path, line, said) in errors(messages) {
            let file = self.mutations.files.iter().position(|file| Path::new(path).ends_with(&file.path));
            let owner = file.map(|file| self.emitted[file].owner(line)).unwrap_or_default();
            let Some(site) = owner.site else {
                others.push(format!("{path}:{line}: {said}"));
                continue;
            };
            match (owner.alternative, undeclared(said)) {
                (Some(alternative), name) => {
                    self.refused.insert(Mutant { site, alternative });
                    name.into_iter().for_each(|name| self.refuse_name(site, name));
                }
                (None, _) => {
                    let all = 1..=self.mutations.sites[site].alternatives.len();
                    self.refused.extend(all.map(|alternative| Mutant { site, alternative }));
                }
            }
        }
        Refused { dropped: self.refused.len() - before, others }
    }

    /// Drops every alternative of a function that brings in a name: the compiler reports it once only.
    fn refuse_name(&mut self, site: usize, name: &str) {
        let function = self.mutations.sites[site].function.clone();
        let mutations = &self.mutations;
        let has = |text: &str| words(text).any(|word| word == name);
        for mutant in mutations.mutants() {
            let own = &mutations.sites[mutant.site];
            let is_new = !has(&mutations.files[own.file].text[own.span.clone()]);
            if own.function == function && is_new && has(&mutations.alternative(mutant).code) {
                self.refused.insert(mutant);
            }
        }
    }
}

/// Returns the errors in the messages of a compiler: path, line and text.
fn errors(messages: &str) -> impl Iterator<Item = (&str, usize, &str)> {
    messages.lines().filter_map(|line| {
        let (place, said) = line.split_once(": error: ").or_else(|| line.split_once(": fatal error: "))?;
        let mut parts = place.split(':');
        let (path, line) = (parts.next()?, parts.next()?.parse().ok()?);
        Some((path, line, said))
    })
}

/// Returns the name that a message calls undeclared.
fn undeclared(said: &str) -> Option<&str> {
    if !said.contains("undeclared") {
        return None;
    }
    words(said).find(|word| !["use", "of", "undeclared", "identifier"].contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_read_from_the_messages_of_either_compiler() {
        let messages = "src/a.c: In function 'f':\nsrc/a.c:12:7: error: 'n' undeclared (first use in this function)\n\
                        b.c:3: error: use of undeclared identifier 'm'\nb.c:4:1: warning: unused\n";
        let found: Vec<_> = errors(messages).collect();
        assert_eq!(
            found.iter().map(|(path, line, _)| (*path, *line)).collect::<Vec<_>>(),
            [("src/a.c", 12), ("b.c", 3)]
        );
        assert_eq!(
            found.iter().map(|(_, _, said)| undeclared(said).unwrap()).collect::<Vec<_>>(),
            ["n", "m"]
        );
        assert_eq!(undeclared("invalid operands to binary *"), None);
    }
}
