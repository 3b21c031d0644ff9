//! Files: which of them the code under test may read and write, by Landlock.
//!
//! Landlock allows what lies below a path and denies the rest. So that everything may be read but credentials, each
//! neighbour of a credential, and of a folder that has one, is allowed by itself.
//!
//! **Invariant:** a rule is made for real paths only. A link leads to nothing that its target does not allow.

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetError, RulesetStatus, Scope, path_beneath_rules,
};
use std::fs;
use std::path::{Path, PathBuf};

/// The newest rules that are asked for; an older kernel takes those it knows.
const NEWEST: ABI = ABI::V5;

/// Files and folders below the home folder of the user that hold credentials.
const SECRETS: [&str; 24] = [
    ".aws",
    ".azure",
    ".bash_history",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".config/chromium",
    ".config/gcloud",
    ".config/gh",
    ".config/git/credentials",
    ".config/google-chrome",
    ".config/op",
    ".docker",
    ".git-credentials",
    ".gnupg",
    ".kube",
    ".local/share/keyrings",
    ".mozilla",
    ".netrc",
    ".npmrc",
    ".password-store",
    ".pgpass",
    ".pypirc",
    ".ssh",
    ".zsh_history",
];

/// The same of the system, which only root can read anyway.
const SYSTEM_SECRETS: [&str; 3] = ["/etc/shadow", "/etc/gshadow", "/etc/ssh"];

/// Returns the real paths of the credentials that there are.
pub(super) fn secrets(home: Option<PathBuf>, cargo_home: Option<PathBuf>) -> Vec<PathBuf> {
    let is_root = nix::unistd::geteuid().is_root();
    let of_system = SYSTEM_SECRETS.iter().filter(|_| is_root);
    let mut paths: Vec<PathBuf> = of_system.map(PathBuf::from).collect();
    if let Some(home) = home {
        paths.extend(SECRETS.iter().map(|secret| home.join(secret)));
    }
    if let Some(cargo) = cargo_home {
        paths.extend(["credentials", "credentials.toml"].map(|file| cargo.join(file)));
    }
    let mut real: Vec<PathBuf> = paths.iter().filter_map(|path| path.canonicalize().ok()).collect();
    real.sort();
    real.dedup();
    real
}

/// Returns paths below which everything lies but the secrets.
fn readable(secrets: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    add_readable(Path::new("/"), secrets, &mut found);
    found
}

fn add_readable(folder: &Path, secrets: &[PathBuf], found: &mut Vec<PathBuf>) {
    if !secrets.iter().any(|secret| secret.starts_with(folder)) {
        found.push(folder.to_path_buf());
        return;
    }
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if !is_link && !secrets.contains(&path) {
            add_readable(&path, secrets, found);
        }
    }
}

/// Says whether Landlock keeps signals inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signals {
    Scoped,
    /// Something else keeps them inside.
    Elsewhere,
}

/// Denies this process, and all that it becomes or starts, to write anywhere but in the scratch folder and to read
/// secrets. Returns whether the kernel does that.
pub(super) fn restrict(scratch: &Path, secrets: &[PathBuf], signals: Signals) -> Result<bool, RulesetError> {
    let (writing, reading) = (AccessFs::from_write(NEWEST), AccessFs::ReadFile);
    let mut ruleset = Ruleset::default();
    if signals == Signals::Scoped {
        ruleset = ruleset
            .set_compatibility(CompatLevel::HardRequirement)
            .scope(Scope::Signal)?
            .set_compatibility(CompatLevel::BestEffort);
    }
    let ruleset = ruleset
        .handle_access(writing | reading)?
        .handle_access(AccessNet::from_all(NEWEST))?
        .create()?
        .add_rules(path_beneath_rules(readable(secrets), reading))?
        .add_rules(path_beneath_rules([scratch], writing | reading))?
        .add_rules(path_beneath_rules(["/dev/null"], AccessFs::WriteFile | AccessFs::Truncate))?;
    Ok(ruleset.restrict_self()?.ruleset != RulesetStatus::NotEnforced)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn everything_is_readable_but_secrets_and_links_to_them() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        for name in [".ssh", ".cargo", "code"] {
            fs::create_dir(home.join(name)).unwrap();
        }
        fs::write(home.join(".cargo/credentials.toml"), "token").unwrap();
        fs::write(home.join(".cargo/config.toml"), "").unwrap();
        symlink(home.join(".ssh"), home.join("keys")).unwrap();
        let secrets = secrets(Some(home.clone()), None);
        assert!(secrets.contains(&home.join(".ssh")), "{secrets:?}");
        let readable = readable(&secrets);
        let mut own: Vec<_> = readable.iter().filter_map(|path| path.strip_prefix(&home).ok()).collect();
        own.sort();
        assert_eq!(own, [Path::new(".cargo/config.toml"), Path::new("code")]);
        // Whatever lies elsewhere is allowed as a whole.
        assert!(readable.contains(&PathBuf::from("/usr")), "{readable:?}");
    }
}
