//! The demo, in a folder of its own.

use crate::fixture::Done;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Builds the demo, and returns the folder of its programs.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/swarm/Cargo.toml");
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("calculator");
        let status = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--manifest-path"])
            .arg(manifest)
            .arg("--target-dir")
            .arg(&target)
            .status()
            .unwrap();
        assert!(status.success(), "the demo does not build");
        target.join("debug")
    })
}

/// A folder with a `swarm.toml`.
pub(crate) struct Demo {
    folder: tempfile::TempDir,
}

impl Demo {
    /// The file of `examples/swarm`.
    pub(crate) fn new() -> Demo {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/swarm/swarm.toml");
        let text = fs::read_to_string(file).unwrap();
        let programs = built().display().to_string();
        let text = text.replace("{dir}/target/debug", &programs).replace("target/debug", &programs);
        // On a busy machine reducing takes long, and is to come to its end.
        Demo::with(&text.replace("time = \"2m\"", "time = \"10m\""))
    }

    /// A file of one's own.
    pub(crate) fn with(text: &str) -> Demo {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("swarm.toml"), text).unwrap();
        Demo { folder }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-bugnet"));
        command.args(words).current_dir(self.path());
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Done {
        Done::of(self.command(words).output().unwrap())
    }

    /// Runs `swarm` with a report.
    pub(crate) fn swarm(&self, words: &[&str]) -> (Done, Value) {
        let done = self.run(&[&["swarm"], words, &["--json", "report.json"]].concat());
        let text = fs::read_to_string(self.path().join("report.json"));
        let text = text.unwrap_or_else(|_| panic!("{}\n{}", done.output, done.errors));
        (done, serde_json::from_str(&text).unwrap())
    }
}

/// A report without what depends on the machine.
pub(crate) fn timeless(mut report: Value) -> Value {
    match &mut report {
        Value::Object(members) => {
            members.remove("processor_seconds");
            members.values_mut().for_each(|member| *member = timeless(member.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = timeless(item.take())),
        _ => {}
    }
    report
}
