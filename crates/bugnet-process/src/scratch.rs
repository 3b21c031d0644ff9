//! Scratch folders: the one place where a process that runs code under test may write.
//!
//! **Invariant:** a scratch folder is empty when its process starts, nobody else writes there, and it is removed when
//! the process has ended. Links in it are removed and never followed.

use crate::running::running;
use crate::start::random;
use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};

/// The beginning of the name of each scratch folder. The number of the process that made it follows.
const PREFIX: &str = ".bugnet-scratch-";

/// A folder that is removed with this value.
#[derive(Debug)]
pub(crate) struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// Makes an empty folder in another one.
    pub(crate) fn new(folder: &Path) -> io::Result<Scratch> {
        // A process sees the same path whatever the folder is called here.
        let folder = folder.canonicalize()?;
        let path = folder.join(format!("{PREFIX}{}-{:016x}", std::process::id(), random()?));
        private_builder().create(&path)?;
        running().add_folder(&path);
        Ok(Scratch { path })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// A builder of folders that nobody but their owner may look into.
#[cfg(unix)]
fn private_builder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// A builder of folders, which belong to the user where they are made.
#[cfg(not(unix))]
fn private_builder() -> DirBuilder {
    DirBuilder::new()
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.path);
        running().forget_folder(&self.path);
    }
}

/// Removes a folder whose process has ended. `remove_dir_all` follows no link.
pub(crate) fn remove(path: &Path) {
    if fs::remove_dir_all(path).is_err() {
        // Code under test may have made folders that not even their owner may look into.
        open_up(path);
        let _ = fs::remove_dir_all(path);
    }
}

/// Makes all folders below a path writable for their owner.
#[cfg(unix)]
fn open_up(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    // This does not follow a link, and nobody is left who could put one here.
    let is_folder = fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
    if !is_folder || fs::set_permissions(path, fs::Permissions::from_mode(0o700)).is_err() {
        return;
    }
    let Ok(entries) = fs::read_dir(path) else { return };
    for entry in entries.flatten() {
        open_up(&entry.path());
    }
}

#[cfg(not(unix))]
fn open_up(_: &Path) {}

/// Removes the scratch folders in a folder that were left by processes which are gone: a run that was killed cannot
/// remove its own.
///
/// ```
/// let folder = std::env::temp_dir().join(format!("bugnet-swept-{}", std::process::id()));
/// // No process has this number.
/// std::fs::create_dir_all(folder.join(".bugnet-scratch-4294967295-0")).unwrap();
/// bugnet_process::sweep(&folder);
/// assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
/// # std::fs::remove_dir(&folder).unwrap();
/// ```
#[inline]
pub fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('-').next());
        if owner.is_some_and(|owner| !is_running(owner)) {
            remove(&entry.path());
        }
    }
}

/// Returns whether a process is running, or may be.
fn is_running(process: &str) -> bool {
    let processes = Path::new("/proc/self");
    // Where nobody can tell, a folder is left rather than taken away from a process.
    !processes.exists() || Path::new("/proc").join(process).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_scratch_folder_is_removed_with_all_that_is_in_it_and_nothing_else() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let base = std::env::temp_dir().join(format!("bugnet-scratches-{}", std::process::id()));
        fs::create_dir_all(base.join("elsewhere")).unwrap();
        fs::write(base.join("elsewhere/kept"), "kept").unwrap();
        let scratch = Scratch::new(&base).unwrap();
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0);
        fs::create_dir_all(scratch.path().join("closed/inside")).unwrap();
        symlink(base.join("elsewhere"), scratch.path().join("link")).unwrap();
        symlink(base.join("elsewhere"), scratch.path().join("closed/inside/link")).unwrap();
        fs::set_permissions(scratch.path().join("closed"), fs::Permissions::from_mode(0o000)).unwrap();
        // One that a run leaves which is still going on is not taken away.
        sweep(&base);
        assert!(scratch.path().exists());
        drop(scratch);
        let left: Vec<_> = fs::read_dir(&base).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["elsewhere"]);
        assert_eq!(fs::read_to_string(base.join("elsewhere/kept")).unwrap(), "kept");
        fs::remove_dir_all(base).unwrap();
    }
}
