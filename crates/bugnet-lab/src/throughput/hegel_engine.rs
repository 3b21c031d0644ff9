//! A build of Hegel's engine that survives valgrind.
//!
//! Hegel loads its engine as a shared library, and the one it builds for itself crashes under
//! valgrind, where rustix looks for the kernel's vDSO in vain. With rustix's `use-libc-auxv` it
//! does not; nothing else differs from the released engine, and times are taken with that one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use super::executable::Profile;

/// The environment variable by which Hegel finds an engine other than its own.
pub const DIRECTORY_VARIABLE: &str = "HEGEL_C_LIB_DIR";

/// As Hegel's build script builds it: the version that hegeltest 0.51 pins, optimized a little
/// in the dev profile too. Hegel refuses an engine of any other version, and then has no count.
const MANIFEST: &str = r#"
[package]
name = "countable-hegel-engine"
edition = "2024"

[lib]
name = "hegel_c"
path = "lib.rs"
crate-type = ["cdylib"]

[dependencies]
engine = { package = "hegeltest-c", version = "=0.49.0" }
rustix = { version = "1", default-features = false, features = ["use-libc-auxv"] }

[profile.dev]
opt-level = 1
debug = "line-tables-only"

[workspace]
"#;

/// Builds the engine below a directory, in minutes at first, and returns where it lies.
pub fn build(profile: Profile, below: &Path) -> anyhow::Result<PathBuf> {
    let package = below.join("countable-hegel-engine");
    fs::create_dir_all(&package)?;
    fs::write(package.join("Cargo.toml"), MANIFEST)?;
    fs::write(package.join("lib.rs"), "pub use engine::*;\n")?;
    let built = Command::new("cargo")
        .args(["build", "--target-dir", "target", "--profile", profile.name()])
        .current_dir(&package)
        .status()
        .context("cargo does not start")?;
    ensure!(built.success(), "Hegel's engine does not build in {}", package.display());
    Ok(package.join("target").join(profile.directory()))
}
