//! Coverage: how the compiler is told to count in the code under test.
//!
//! Cargo has no flags for one crate of many. So it is told that the compiler is wrapped by `cargo-bugnet`,
//! which passes every call on, and adds the flag to those that compile the crate under test, or the harness,
//! where generic code of the crate is compiled.
//!
//! **Invariant:** what is compiled with counters has a profile of its own, so that Cargo never takes it for
//! the same without.

use crate::arguments::Switch;
use crate::cargo::{self, COUNTED, WRAPPER};
use crate::status;
use std::ffi::{OsStr, OsString};
use std::process::{Command, ExitCode, Stdio};

/// Makes the compiler count.
const FLAG: &str = "-Cinstrument-coverage";

/// The setting that tells a profile with counters from the one without; it does not matter otherwise.
pub(super) const MARK: &str = "codegen-units = 255\n";

/// The counters of the code under test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coverage {
    On,
    Off,
}

impl Coverage {
    /// On, if it is wanted and the toolchain can count; if it cannot, that is said.
    pub(crate) fn possible(wanted: Switch) -> Coverage {
        let problem = match wanted {
            Switch::Off => return Coverage::Off,
            Switch::On if !cfg!(any(target_os = "linux", target_os = "macos")) => {
                "it is known to work on Linux and macOS only"
            }
            Switch::On if !has_runtime() => "the toolchain has no `profiler_builtins`",
            Switch::On => return Coverage::On,
        };
        status::warning(&format!("programs are chosen without coverage, for {problem}"));
        Coverage::Off
    }

    /// Has Cargo wrap the compiler, so that it counts in some crates.
    pub(super) fn wrap(self, command: &mut Command, crates: &[String]) {
        if self == Coverage::Off {
            return;
        }
        cargo::wrap(command, &crates.join(","));
    }
}

/// Returns true if the compiler can make a library that counts.
fn has_runtime() -> bool {
    let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.args([FLAG, "--crate-type=lib", "--crate-name=probe", "--emit=metadata=-", "-"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Runs the compiler, if Cargo has started this program in its place.
pub(crate) fn exec_rustc() -> Option<ExitCode> {
    let counted = std::env::var(COUNTED).ok()?;
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let words = wrapped(&words, &counted, std::env::var_os(WRAPPER));
    let (program, arguments) = words.split_first()?;
    let status = Command::new(program).args(arguments).env_remove(COUNTED).env_remove(WRAPPER).status();
    let code = status.ok().and_then(|status| status.code()).and_then(|code| u8::try_from(code).ok());
    Some(ExitCode::from(code.unwrap_or(1)))
}

/// Returns the command that is run in the place of a call of the compiler.
fn wrapped(words: &[OsString], counted: &str, wrapper: Option<OsString>) -> Vec<OsString> {
    let place = words.iter().position(|word| word == "--crate-name");
    let name = place.and_then(|place| words.get(place + 1)).and_then(|name| name.to_str());
    let is_counted = name.is_some_and(|name| counted.split(',').any(|counted| counted == name));
    let flag = is_counted.then(|| OsStr::new(FLAG).to_os_string());
    // Settings of the user's Cargo may turn every panic into an abort; the last flag counts.
    let aborts = words.iter().any(|word| word.to_string_lossy().contains("panic=abort"));
    let unwind = aborts.then(|| OsStr::new("-Cpanic=unwind").to_os_string());
    wrapper.into_iter().chain(words.iter().cloned()).chain(flag).chain(unwind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(line: &str, wrapper: Option<&str>) -> String {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let words = wrapped(&words, "bit_vec,harness_bit_vec_1", wrapper.map(OsString::from));
        words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn only_the_crates_that_are_named_are_counted() {
        let (ours, others) =
            ("rustc --crate-name bit_vec src/lib.rs", "rustc --crate-name bit_set src/lib.rs");
        assert_eq!(run(ours, None), format!("{ours} {FLAG}"));
        assert_eq!(run(others, None), others);
        assert_eq!(run("rustc --crate-name bit_vec_2 a.rs", None), "rustc --crate-name bit_vec_2 a.rs");
        assert_eq!(run("rustc -vV", None), "rustc -vV");
    }

    #[test]
    fn panics_unwind_whatever_the_flags_of_the_user_say() {
        let line = "rustc --crate-name bit_set -Cpanic=abort src/lib.rs";
        assert_eq!(run(line, None), format!("{line} -Cpanic=unwind"));
    }

    #[test]
    fn the_wrapper_of_the_user_stays() {
        let line = "rustc --crate-name bit_vec src/lib.rs";
        assert_eq!(run(line, Some("sccache")), format!("sccache {line} {FLAG}"));
    }

    #[test]
    fn nobody_counts_who_does_not_want_to() {
        assert_eq!(Coverage::possible(Switch::Off), Coverage::Off);
        let mut command = Command::new("cargo");
        Coverage::Off.wrap(&mut command, &["bit_vec".to_string()]);
        assert_eq!(command.get_envs().count(), 0);
    }
}
