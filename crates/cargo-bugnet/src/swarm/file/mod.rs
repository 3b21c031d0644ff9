//! The file of a swarm: a generator, its features, the programs under test, the oracle and the reducer.
//!
//! **Invariant:** a [`Plan`] is checked: its programs exist, its patterns compile, and its features go together.

mod feature;
mod raw;
mod template;
#[cfg(test)]
mod tests;

pub(crate) use feature::{Feature, Kind};
pub(crate) use template::Template;

use anyhow::{Context, Result, bail, ensure};
use bugnet::campaign::Span;
use regex::Regex;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Processor time of a generator or target if the file says nothing.
const USUAL_TIME: Duration = Duration::from_secs(5);
/// Megabytes of address space of a generator or target if the file says nothing.
const USUAL_MEMORY: u64 = 4_096;
/// The longest that the reducer works on one failure if the file says nothing.
const USUAL_REDUCTION: Duration = Duration::from_secs(120);

/// Signatures that programs print when they crash; they count only if the program also ended badly.
const USUAL_SIGNATURES: [&str; 5] = [
    r"panicked at (\S+?:\d+)",
    r"(Assertion .* failed)",
    r"UNREACHABLE executed at (\S+)",
    r"ERROR: (AddressSanitizer: \S+)",
    r"(runtime error: .*)",
];

/// The programs of a campaign, and the rules by which they are judged.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// The name of the file, without its extension.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// The folder of the file, where its relative paths begin.
    pub(crate) folder: PathBuf,
    pub(crate) generator: Generator,
    pub(crate) features: Vec<Feature>,
    pub(crate) targets: Vec<Target>,
    pub(crate) oracle: Oracle,
    pub(crate) reducer: Reducer,
    /// The hash of all parts that decide what test 7 is and how it is judged.
    pub(crate) digest: String,
}

/// The program that makes inputs.
#[derive(Debug, Clone)]
pub(crate) struct Generator {
    pub(crate) command: Template,
    /// The number of random bytes that it reads from standard input.
    pub(crate) random: Option<usize>,
    /// Files that are copied to where it runs.
    pub(crate) files: Vec<PathBuf>,
    /// The name of the input, such as `input.wasm`.
    pub(crate) input: String,
    pub(crate) limit: Limit,
}

/// The resources that a program may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limit {
    pub(crate) processor: Duration,
    /// Address space in megabytes.
    pub(crate) memory: u64,
}

/// A program under test.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) command: Template,
    pub(crate) files: Vec<PathBuf>,
    pub(crate) limit: Limit,
    pub(crate) agree: Option<Agree>,
}

/// The demand that two targets give the same answer.
#[derive(Debug, Clone)]
pub(crate) struct Agree {
    /// The place of the other target.
    pub(crate) with: usize,
    pub(crate) on: On,
    /// The answers that count; any if there are none.
    pub(crate) among: Vec<String>,
}

/// The result that two targets must have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum On {
    Output,
    Exit,
}

/// The conditions under which a run counts as a failure.
#[derive(Debug, Clone)]
pub(crate) struct Oracle {
    pub(crate) signatures: Vec<Regex>,
    /// Signatures that count only if the program ended badly.
    pub(crate) usual: Vec<Regex>,
    pub(crate) rejections: Vec<Regex>,
    pub(crate) exits: Vec<i32>,
    /// True if using up the processor time is a failure.
    pub(crate) hang: bool,
}

/// The way to make failing inputs smaller.
#[derive(Debug, Clone)]
pub(crate) struct Reducer {
    pub(crate) with: With,
    pub(crate) valid: Option<Template>,
    pub(crate) time: Duration,
}

/// The program that makes inputs smaller.
#[derive(Debug, Clone)]
pub(crate) enum With {
    /// Ours: removes lines, then words, then bytes.
    Lines,
    Nothing,
    /// One that is told a test and an input; its name is for people.
    Program {
        name: String,
        command: Template,
    },
}

impl Plan {
    /// Reads a file and checks it.
    pub(crate) fn read(path: &Path) -> Result<Plan> {
        let text = std::fs::read_to_string(path).with_context(|| {
            format!("{} cannot be read; `cargo bugnet swarm init` writes one", path.display())
        })?;
        let path = path.canonicalize().with_context(|| format!("{} has no path", path.display()))?;
        Plan::of(&text, &path).with_context(|| format!("{}", path.display()))
    }

    fn of(text: &str, path: &Path) -> Result<Plan> {
        let raw: raw::File = toml::from_str(text)?;
        let folder = path.parent().unwrap_or(Path::new("/")).to_path_buf();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let digest = digest(text)?;
        let features = feature::read(raw.features)?;
        let generator = generator(raw.generator, &features, &folder)?;
        let targets = targets(raw.target, &folder)?;
        let oracle = oracle(raw.oracle)?;
        let reducer = reducer(raw.reduce, &folder)?;
        let path = path.to_path_buf();
        Ok(Plan { name, path, folder, generator, features, targets, oracle, reducer, digest })
    }
}

/// Hashes the parts of the file that decide what tests are and how they are judged; comments and the reducer do not.
fn digest(text: &str) -> Result<String> {
    let mut table: toml::Table = text.parse()?;
    table.remove("reduce");
    Ok(blake3::hash(table.to_string().as_bytes()).to_hex()[..16].to_string())
}

fn generator(raw: raw::Generator, features: &[Feature], folder: &Path) -> Result<Generator> {
    let places = ["features", "seed", "out", "tmp", "dir"];
    let command = Template::read(&raw.command, "generator", folder, &places)?;
    if !command.has("features") && !features.is_empty() {
        bail!(
            "[generator]: the command never gets the features; write {{features}} where their flags belong"
        );
    }
    if !command.has("seed") && raw.stdin.is_none() {
        bail!(
            "[generator]: every test would have the same input; give the command {{seed}}, or random bytes by \
             stdin = {{ random = 4000 }}"
        );
    }
    let extension = raw.extension.unwrap_or_else(|| "txt".to_string());
    ensure!(
        extension.chars().all(|letter| letter.is_alphanumeric()),
        "[generator]: `extension = \"{extension}\"`: write letters only, such as \"c\""
    );
    Ok(Generator {
        command,
        random: raw.stdin.map(|stdin| stdin.random),
        files: files(raw.files, "generator", folder)?,
        input: format!("input.{extension}"),
        limit: limit(raw.cpu, raw.memory, "generator")?,
    })
}

fn targets(table: toml::Table, folder: &Path) -> Result<Vec<Target>> {
    ensure!(!table.is_empty(), "there is no program under test; write [target.NAME] with its command");
    let names: Vec<String> = table.keys().cloned().collect();
    let mut targets = Vec::new();
    for (name, value) in table {
        let part = format!("target.{name}");
        let raw: raw::Target = value.try_into().with_context(|| format!("[{part}] is not understood"))?;
        let command = Template::read(&raw.command, &part, folder, &["in", "tmp", "dir"])?;
        ensure!(
            command.has("in"),
            "[{part}]: the command never gets the input; write {{in}} where it belongs"
        );
        let agree = raw.agree.map(|raw| agree(raw, &part, &name, &names)).transpose()?;
        let (files, limit) = (files(raw.files, &part, folder)?, limit(raw.cpu, raw.memory, &part)?);
        targets.push(Target { name, command, files, limit, agree });
    }
    Ok(targets)
}

fn agree(raw: raw::Agree, part: &str, name: &str, names: &[String]) -> Result<Agree> {
    let with = names.iter().position(|other| *other == raw.with && *other != *name).with_context(|| {
        format!(
            "[{part}]: agrees with `{}`, which is no other target; there is {}",
            raw.with,
            names.join(", ")
        )
    })?;
    let on = match raw.on.as_deref() {
        None | Some("stdout") => On::Output,
        Some("exit") => On::Exit,
        Some(other) => bail!("[{part}]: targets agree on \"stdout\" or \"exit\", not on `{other}`"),
    };
    Ok(Agree { with, on, among: raw.among.unwrap_or_default() })
}

fn oracle(raw: raw::Oracle) -> Result<Oracle> {
    let compiled = |key: &str, patterns: Vec<String>| -> Result<Vec<Regex>> {
        let compile = |pattern: String| {
            Regex::new(&pattern).with_context(|| {
                format!(
                    "[oracle]: a pattern of `{key}` does not compile; in TOML, write it in 'single quotes'"
                )
            })
        };
        patterns.into_iter().map(compile).collect()
    };
    Ok(Oracle {
        signatures: compiled("signature", raw.signature)?,
        usual: compiled("signature", USUAL_SIGNATURES.map(str::to_string).to_vec())?,
        rejections: compiled("reject", raw.reject)?,
        exits: raw.exit,
        hang: raw.hang,
    })
}

fn reducer(raw: raw::Reduce, folder: &Path) -> Result<Reducer> {
    let places = ["test", "in", "out", "dir"];
    let with = match raw.with.as_deref() {
        None | Some("lines") => With::Lines,
        Some("nothing") => With::Nothing,
        Some(text) => {
            let text = match text {
                "cvise" => "cvise --n 1 {test} {in}",
                "shrinkray" => "shrinkray --ui basic --parallelism 1 {test} {in}",
                other => other,
            };
            let command = Template::read(text, "reduce", folder, &places)?;
            ensure!(command.has("test"), "[reduce]: the reducer needs {{test}}, the program it asks");
            ensure!(command.has("in"), "[reduce]: the reducer needs {{in}}, the input to make smaller");
            let name = text.split_whitespace().next().unwrap_or_default().to_string();
            With::Program { name, command }
        }
    };
    let valid = raw.valid.map(|text| Template::read(&text, "reduce", folder, &["in", "dir"])).transpose()?;
    let time = raw.time.map(|text| time(&text, "reduce", "time")).transpose()?.unwrap_or(USUAL_REDUCTION);
    Ok(Reducer { with, valid, time })
}

fn limit(cpu: Option<String>, memory: Option<u64>, part: &str) -> Result<Limit> {
    let processor = cpu.map(|text| time(&text, part, "cpu")).transpose()?.unwrap_or(USUAL_TIME);
    Ok(Limit { processor, memory: memory.unwrap_or(USUAL_MEMORY) })
}

fn time(text: &str, part: &str, key: &str) -> Result<Duration> {
    match text.parse() {
        Ok(Span(Duration::ZERO)) | Err(_) => {
            bail!("[{part}]: `{key} = \"{text}\"` is no time; write \"5s\" or \"2m\"")
        }
        Ok(Span(time)) => Ok(time),
    }
}

fn files(names: Vec<String>, part: &str, folder: &Path) -> Result<Vec<PathBuf>> {
    let find = |name: String| {
        let path = folder.join(&name);
        ensure!(path.is_file(), "[{part}]: there is no file {} to copy", path.display());
        Ok(path)
    };
    names.into_iter().map(find).collect()
}
