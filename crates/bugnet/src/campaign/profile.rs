//! Profiles: the settings in `bugnet.toml`.
//!
//! Settings before the first heading hold always; those under `[profile.NAME]` when that profile
//! is chosen by `BUGNET_PROFILE`, or by itself for `ci` where the variable `CI` is set. Only the
//! part of TOML that settings need is read here (`key = value` lines, headings, comments), so
//! that a test does not have to compile a TOML library.
//!
//! **Invariant:** a line that is not understood is an error that names it, never ignored.

use crate::list::mapped;
use crate::settings::Options;
use std::path::Path;

/// The name of the file.
pub(crate) const FILE: &str = "bugnet.toml";

/// The settings of a file: those that hold always, and the profiles.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Profiles {
    always: Options,
    named: Vec<(String, Options)>,
}

impl Profiles {
    /// Reads the file in a folder or the nearest one above it.
    pub(crate) fn read(folder: &Path) -> Result<Profiles, String> {
        let Some(path) = folder.ancestors().map(|above| above.join(FILE)).find(|path| path.is_file()) else {
            return Ok(Profiles::default());
        };
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        Profiles::parse(&text, &path)
    }

    fn parse(text: &str, path: &Path) -> Result<Profiles, String> {
        let mut profiles = Profiles::default();
        let mut current = None;
        for (number, line) in text.lines().enumerate() {
            let wrong = |what: String| format!("{}:{}: {what}", path.display(), number + 1);
            let line = without_comment(line).trim();
            if line.is_empty() {
                continue;
            }
            if let Some(heading) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                let name = heading.strip_prefix("profile.").ok_or_else(|| {
                    wrong(format!("`[{heading}]` is not a heading Bugnet knows; write `[profile.NAME]`"))
                })?;
                current = Some(profiles.place_of(name.trim()));
                continue;
            }
            let (key, value) = line
                .split_once('=')
                .ok_or_else(|| wrong(format!("`{line}` is not a setting; write `name = value`")))?;
            let options = match current {
                Some(place) => &mut profiles.named[place].1,
                None => &mut profiles.always,
            };
            let value = value.trim();
            let bare = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value);
            options.set(key.trim(), bare).map_err(wrong)?;
        }
        Ok(profiles)
    }

    /// Returns the place of a profile, and adds it if it is new.
    fn place_of(&mut self, name: &str) -> usize {
        self.named.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            self.named.push((name.to_string(), Options::default()));
            self.named.len() - 1
        })
    }

    /// The settings of a profile over those that hold always.
    pub(crate) fn choose(self, name: Option<&str>, unattended: bool) -> Result<Options, String> {
        let Profiles { always, mut named } = self;
        let wanted = name.or(unattended.then_some("ci"));
        match (named.iter().position(|(known, _)| Some(known.as_str()) == wanted), name) {
            (Some(place), _) => Ok(always.overridden_by(named.swap_remove(place).1)),
            (None, None) => Ok(always),
            (None, Some(name)) => {
                let known: Vec<String> = mapped(&named, |(known, _)| known.clone());
                Err(format!(
                    "BUGNET_PROFILE names the profile `{name}`, which {FILE} does not have; it has: {}",
                    known.join(", ")
                ))
            }
        }
    }
}

/// A line up to its comment; a `#` between quotes does not begin one.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    for (place, character) in line.char_indices() {
        match character {
            '"' => quoted = !quoted,
            '#' if !quoted => return &line[..place],
            _ => {}
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Profiles, String> {
        Profiles::parse(text, Path::new(FILE))
    }

    #[test]
    fn a_profile_wins_over_what_holds_always() {
        let text = "cases = 10 # few\ndepth = 3\n\n[profile.ci]\ncases = 5_000\ntime = \"2m\"\n";
        let options = parse(text).unwrap().choose(Some("ci"), false).unwrap();
        assert_eq!((options.cases, options.depth), (Some(5_000), Some(3)));
        let always = parse(text).unwrap().choose(None, false).unwrap();
        assert_eq!((always.cases, always.time), (Some(10), None));
    }

    #[test]
    fn the_profile_ci_is_chosen_where_nobody_watches() {
        let profiles = parse("[profile.ci]\ncases = 7").unwrap();
        assert_eq!(profiles.choose(None, true).unwrap().cases, Some(7));
    }

    #[test]
    fn a_line_that_is_not_understood_is_named() {
        assert!(parse("cases = 1\ncase = 2").unwrap_err().starts_with("bugnet.toml:2: `case`"));
        assert!(parse("[profiles]").unwrap_err().contains("[profile.NAME]"));
        assert!(parse("cases").unwrap_err().contains("name = value"));
        assert!(parse("").unwrap().choose(Some("x"), false).unwrap_err().contains("`x`"));
    }
}
