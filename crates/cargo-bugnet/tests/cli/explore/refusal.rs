//! Crates, options and toolchains that cannot be used.

use crate::fixture::{Crate, Done, target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn what_cannot_be_explored_is_refused_with_a_sentence() {
    let program = Crate::with("program", &[("src/main.rs", "fn main() {}")]);
    program.explore(&["--time", "1s"]).assert_ended(2, "has no library");
    drop(program);
    let broken =
        Crate::with("broken", &[("src/lib.rs", "pub fn f<T: From<f32>>(_: T) -> u8 { \"no number\" }")]);
    broken.explore(&["--time", "1s"]).assert_ended(3, "mismatched types");
    let kept = fs::read_dir(target().join("bugnet/explore")).unwrap().map(|entry| entry.unwrap().path());
    let kept: Vec<PathBuf> = kept.filter(|path| path.to_string_lossy().contains("/broken-")).collect();
    let is_answered = kept.iter().any(|path| path.join("answers.json").exists());
    assert!(!kept.is_empty() && !is_answered, "what could not be asked was answered: {kept:?}");
    drop(broken);
    let empty = Crate::with("empty", &[("src/lib.rs", "fn private() {}")]);
    empty.explore(&["--time", "1s"]).assert_ended(2, "nothing to explore");
    empty.explore(&["--time", "soon"]).assert_ended(2, "`soon` is not a length of time");
    empty.explore(&["--time", "0s"]).assert_ended(2, "a time above zero");
    empty.explore(&["--law", "eq_is_reflexive=on"]).assert_ended(2, "only be switched off");
    empty.explore(&["--crate", "@1.0.0"]).assert_ended(2, "names no crate");
    empty.explore(&["-p", "full"]).assert_ended(2, "no package `full`; it has: empty");
}

#[test]
fn a_target_folder_that_cannot_be_written_is_named() {
    let text = "pub fn zero() -> u8 { 0 }\n";
    let harmless = Crate::with("unwritable", &[("src/lib.rs", text)]);
    let file = harmless.path().join("file");
    fs::write(&file, "").unwrap();
    let mut command = harmless.command(&["--time", "1s"]);
    let done = Done::of(command.env("CARGO_TARGET_DIR", file.join("target")).output().unwrap());
    done.assert_ended(2, "cannot be written; CARGO_TARGET_DIR may name another folder");
}

#[cfg(unix)]
#[test]
fn a_toolchain_with_a_newer_format_is_tried_with_a_warning() {
    use std::os::unix::fs::PermissionsExt;
    let text = "pub fn zero() -> u8 { 0 }\n";
    let harmless = Crate::with("future", &[("src/lib.rs", text)]);
    let rustdoc = harmless.path().join("rustdoc");
    let real = String::from_utf8(Command::new("rustc").args(["--print", "sysroot"]).output().unwrap().stdout);
    let real = Path::new(real.unwrap().trim()).join("bin/rustdoc");
    // It does what the real one does, and then says that its format is another one.
    let script = format!(
        "#!/bin/sh\n{} \"$@\" || exit 1\nfind {} -name future.json -exec sed -i 's/\"format_version\":[0-9]*/\"format_version\":999/' {{}} +\n",
        real.display(),
        target().display()
    );
    fs::write(&rustdoc, script).unwrap();
    fs::set_permissions(&rustdoc, fs::Permissions::from_mode(0o755)).unwrap();
    let done = Done::of(harmless.command(&["--programs", "100"]).env("RUSTDOC", &rustdoc).output().unwrap());
    done.assert_ended(0, "format 999 of its JSON, which is newer than");
}

#[test]
fn the_toolchain_file_of_a_crate_chooses_the_toolchain() {
    if !Command::new("rustup").arg("--version").output().is_ok_and(|output| output.status.success()) {
        println!("skipped: only rustup reads toolchain files");
        return;
    }
    let file = "[toolchain]\nchannel = \"no-such-toolchain\"\n";
    let text = "pub fn zero() -> u8 { 0 }\n";
    let pinned = Crate::with("pinned", &[("src/lib.rs", text), ("rust-toolchain.toml", file)]);
    let mut command = pinned.command(&["--programs", "100"]);
    // Cargo names its own toolchain to what it runs, such as this test.
    for variable in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(variable);
    }
    let done = Done::of(command.output().unwrap());
    done.assert_ended(2, "'no-such-toolchain' specified in override file");
}
