//! `cargo bugnet init`: a `bugnet.toml` to start from.
//!
//! **Invariant:** the file changes nothing until a line of it is changed, and never replaces another.

use crate::arguments::Init;
use crate::exit::Exit;
use crate::test::profile::FILE;
use crate::{package, status};
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::{ErrorKind, Write};

/// The text of the new file. The values in comments are the defaults.
const TEXT: &str = include_str!("bugnet.toml");

/// Writes the file into the root of the workspace.
pub(crate) fn init(arguments: &Init) -> Result<Exit> {
    let metadata = package::metadata(arguments.manifest_path.as_deref())?;
    let path = metadata.workspace_root.join(FILE);
    let mut file = match File::create_new(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("{path} is there already; it stays as it is")
        }
        Err(error) => return Err(error).with_context(|| format!("{path} cannot be written")),
    };
    file.write_all(TEXT.as_bytes()).with_context(|| format!("{path} cannot be written"))?;
    status::progress("Created", path.as_str());
    Ok(Exit::Success)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::campaign::Options;

    #[test]
    fn every_line_that_can_be_switched_on_is_a_setting_of_the_library() {
        let mut switched_on = 0;
        for (key, value) in TEXT.lines().filter_map(|line| line.strip_prefix("# ")?.split_once(" = ")) {
            Options::default().set(key, value.trim_matches('"')).unwrap();
            switched_on += 1;
        }
        assert_eq!(switched_on, 15);
    }
}
