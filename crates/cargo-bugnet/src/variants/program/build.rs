//! The build of a C program: by the user's own command, with a compiler before the compiler that notes its calls.
//!
//! **Invariant:** the user's files are only read. A copy is built, once as it is and once with all mutants, by the same
//! calls of the compiler; at most [`ROUNDS`] rounds drop what the compiler refuses.

use super::super::schema_c::{File, Schema, source};
use super::super::{copy, operator::Operators};
use crate::cargo::Running;
use crate::exit::NotRun;
use crate::status;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The most rounds of compiling. Two to five were enough for a server of 3,200 lines.
const ROUNDS: usize = 10;
/// The runtime that is linked with the program.
const RUNTIME: &str = include_str!("runtime.c");
/// The script that stands before the compiler, and the names that it goes by.
const COMPILER: &str = include_str!("compiler.sh");
const NAMES: [&str; 4] = ["cc", "gcc", "clang", "c99"];
/// The program that the default command builds.
const PROGRAM: &str = "bugnet-program";
/// Lines of a compiler's messages that are shown.
const SHOWN: usize = 20;
/// Mistakes that only a mutant makes, where the program itself has none of them.
const STRICT: [&str; 2] = ["-Werror=int-conversion", "-Werror=incompatible-pointer-types"];

/// A call of the compiler: its folder and its words.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Call {
    folder: PathBuf,
    words: Vec<String>,
}

/// The place where a program is built.
#[derive(Debug)]
pub(crate) struct Workshop {
    /// The folder of everything that is made.
    folder: PathBuf,
    /// The user's files, below the folder of the program.
    files: Vec<PathBuf>,
    command: String,
    /// The calls that compile the files.
    calls: Vec<Call>,
}

/// A program that was built with all its mutants.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) program: PathBuf,
    pub(crate) rounds: usize,
}

impl Workshop {
    /// Copies a program, and builds the copy as it is; returns the program, too.
    pub(crate) fn new(home: &Path, files: &[PathBuf], command: Option<&str>) -> Result<(Workshop, PathBuf)> {
        let folder = home.join(super::FOLDER);
        let files = files.iter().map(|file| below(home, file)).collect::<Result<Vec<PathBuf>>>()?;
        fs::create_dir_all(folder.join("bin"))
            .with_context(|| format!("{} cannot be made", folder.display()))?;
        copy::copy(home, &folder.join("copy"), &home.join(".bugnet"), &files.iter().cloned().collect())?;
        for name in NAMES {
            let path = folder.join("bin").join(name);
            fs::write(&path, COMPILER)?;
            // Elsewhere there are no scripts of a shell, and the build says that it finds no compiler.
            #[cfg(unix)]
            fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        }
        let mut workshop = Workshop { folder, files, command: String::new(), calls: Vec::new() };
        // What is written last is newer than anything that was built from it before.
        for file in &workshop.files {
            fs::write(workshop.copied(file), read(&home.join(file))?)?;
        }
        let program = workshop.first(command)?;
        workshop.calls = workshop.files.iter().map(|file| workshop.call(file)).collect::<Result<_>>()?;
        Ok((workshop, program))
    }

    fn copied(&self, file: &Path) -> PathBuf {
        self.folder.join("copy").join(file)
    }

    /// Builds the program as it is. Without a command of the user the compiler is called with all files, and once more
    /// as for C of 1989 if it refuses them.
    fn first(&mut self, command: Option<&str>) -> Result<PathBuf> {
        let commands = match command {
            Some(command) => vec![command.to_string()],
            None => ["", "-std=gnu89 "].map(|year| self.default_command(year)).to_vec(),
        };
        let mut said = String::new();
        for command in commands {
            self.command = command;
            let output = self.build(1, "plain")?;
            if output.status.success() {
                return self.program("plain");
            }
            if said.is_empty() {
                said = last_lines(&output);
            }
        }
        Err(NotRun(format!("`{}` fails before anything is changed:\n{said}", self.command)).into())
    }

    fn default_command(&self, year: &str) -> String {
        let files = self.files.iter().map(|file| shell_words::quote(&file.to_string_lossy()).into_owned());
        format!("cc {year}-o {PROGRAM} {} -lm", files.collect::<Vec<_>>().join(" "))
    }

    /// Runs the command with a runtime for some number of sites.
    fn build(&self, sites: usize, name: &str) -> Result<Output> {
        let calls = self.folder.join("calls");
        let _ = fs::remove_file(&calls);
        let (source, runtime) =
            (self.folder.join("runtime.c"), self.folder.join(format!("runtime-{name}.o")));
        fs::write(&source, RUNTIME)?;
        let mut compile = Command::new("cc");
        compile.args(["-std=gnu11", "-O1", "-w", "-c"]).arg(format!("-DBUGNET_SITES={}", sites.max(1)));
        let compiled = finished(compile.arg(&source).arg("-o").arg(&runtime))?;
        if !compiled.status.success() {
            let said = last_lines(&compiled);
            return Err(NotRun(format!(
                "`cc` cannot compile our runtime; is it a C compiler for Linux?\n{said}"
            ))
            .into());
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut paths = vec![self.folder.join("bin")];
        paths.extend(std::env::split_paths(&path));
        let mut command = Command::new("sh");
        command.args(["-c", &self.command]).current_dir(self.folder.join("copy"));
        command.env("PATH", std::env::join_paths(paths)?).env("BUGNET_PATH", path);
        command.env("BUGNET_CALLS", calls).env("BUGNET_RUNTIME", runtime);
        finished(&mut command)
    }

    /// Returns the program that the last call linked, kept under a name.
    fn program(&self, name: &str) -> Result<PathBuf> {
        let calls = self.noted()?;
        let is_link = |call: &&Call| {
            !call.words.iter().any(|word| ["-c", "-E", "-S", "-M", "-MM"].contains(&word.as_str()))
        };
        let Some(call) = calls.iter().rev().find(is_link) else {
            bail!(
                "`{}` links no program with cc, gcc, clang or c99; give a command that does, such as `make -B CC=cc`",
                self.command
            );
        };
        let place =
            call.words.iter().position(|word| word == "-o").and_then(|place| call.words.get(place + 1));
        let linked = call.folder.join(place.map_or("a.out", String::as_str));
        let kept = self.folder.join("bin").join(format!("{name}-program"));
        fs::copy(&linked, &kept).with_context(|| {
            format!("`{}` was to link {}, which is not there", self.command, linked.display())
        })?;
        Ok(kept)
    }

    fn noted(&self) -> Result<Vec<Call>> {
        let text = fs::read_to_string(self.folder.join("calls")).unwrap_or_default();
        Ok(calls(&text))
    }

    /// Returns the call that compiles a file, with those words only that matter for a single file.
    fn call(&self, file: &Path) -> Result<Call> {
        let own = self.copied(file).canonicalize()?;
        let has = |call: &&Call| {
            call.words.iter().any(|word| call.folder.join(word).canonicalize().is_ok_and(|path| path == own))
        };
        let calls = self.noted()?;
        let Some(call) = calls.iter().find(has) else {
            bail!(
                "`{}` does not compile {}; name the files that it compiles with --c",
                self.command,
                file.display()
            );
        };
        Ok(Call { folder: call.folder.clone(), words: flags(&call.words) })
    }

    /// Calls the compiler with the flags of a file and some more.
    fn compile(&self, number: usize, words: &[&str]) -> Result<Output> {
        let call = &self.calls[number];
        let mut command = Command::new("cc");
        command.args(&call.words).arg("-D__NO_CTYPE").args(words).arg(self.copied(&self.files[number]));
        finished(command.env("LC_ALL", "C").current_dir(&call.folder))
    }

    /// Reads the files as the preprocessor sees them, and finds their mutations.
    pub(crate) fn schema(&self, home: &Path, operators: Operators) -> Result<Schema> {
        let mut files = Vec::new();
        for (number, file) in self.files.iter().enumerate() {
            let text = read(&home.join(file))?;
            fs::write(self.copied(file), source::probed(&text))?;
            let preprocessed = self.compile(number, &["-E"])?;
            fs::write(self.copied(file), &text)?;
            let printed = self.compile(number, &["-E", "-dM"])?;
            let said = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
            files.push(File {
                path: file.clone(),
                source: source::read(&text, &said(&preprocessed)),
                macros: source::macros(&said(&printed)),
                text,
            });
        }
        Ok(Schema::read(files, operators))
    }

    /// Builds the program with all mutants that the compiler takes.
    pub(crate) fn mutated(&self, schema: &mut Schema) -> Result<Built> {
        let strict: Vec<bool> =
            (0..self.files.len()).map(|number| self.is_strict(number)).collect::<Result<_>>()?;
        for round in 1..=ROUNDS {
            for (file, text) in self.files.iter().zip(schema.written()) {
                fs::write(self.copied(file), text)?;
            }
            let mut said = String::new();
            for (number, is_strict) in strict.iter().enumerate() {
                let words: &[&str] =
                    if *is_strict { &["-fsyntax-only", STRICT[0], STRICT[1]] } else { &["-fsyntax-only"] };
                said.push_str(&String::from_utf8_lossy(&self.compile(number, words)?.stderr));
            }
            let refused = schema.refuse(&said);
            if refused.dropped == 0 && refused.others.is_empty() {
                status::progress("Compiling", &format!("{} mutants", schema.mutants().len()));
                let output = self.build(schema.mutations.sites.len(), "mutated")?;
                if !output.status.success() {
                    return Err(NotRun(format!(
                        "the mutated program cannot be built:\n{}",
                        last_lines(&output)
                    ))
                    .into());
                }
                return Ok(Built { program: self.program("mutated")?, rounds: round });
            }
            if refused.dropped == 0 {
                return Err(
                    NotRun(format!("the mutated program does not compile: {}", refused.others[0])).into()
                );
            }
        }
        Err(NotRun(format!(
            "the compiler still refuses mutants after {ROUNDS} rounds; mutate fewer files with --file"
        ))
        .into())
    }

    /// Returns whether a file itself has none of the mistakes that are refused in mutants.
    fn is_strict(&self, number: usize) -> Result<bool> {
        let words = ["-fsyntax-only", STRICT[0], STRICT[1]];
        Ok(self.compile(number, &words)?.status.success())
    }
}

/// Returns a path below the folder of the program.
fn below(home: &Path, file: &Path) -> Result<PathBuf> {
    let whole = home.join(file).canonicalize();
    let whole =
        whole.with_context(|| format!("{} is not there; --c names the C files to change", file.display()))?;
    let below = whole.strip_prefix(home.canonicalize()?);
    let below = below.with_context(|| {
        format!("{} lies outside of this folder; run this command above it", file.display())
    })?;
    Ok(below.to_path_buf())
}

fn read(path: &Path) -> Result<String> {
    let bytes = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    String::from_utf8(bytes)
        .with_context(|| format!("{} is not UTF-8; convert it with iconv", path.display()))
}

/// Runs a command to its end.
fn finished(command: &mut Command) -> Result<Output> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let name = command.get_program().to_string_lossy().into_owned();
    Running::start(command)
        .with_context(|| format!("`{name}` cannot be started; is a C compiler installed?"))?
        .finish()
}

fn last_lines(output: &Output) -> String {
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let lines: Vec<&str> = said.lines().collect();
    lines[lines.len().saturating_sub(SHOWN)..].iter().map(|line| format!("    {line}\n")).collect()
}

/// Reads the calls that the script has noted.
fn calls(text: &str) -> Vec<Call> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line != "call" {
            continue;
        }
        let Some(folder) = lines.next() else { break };
        let words = lines.by_ref().take_while(|word| *word != "end").map(str::to_string).collect();
        found.push(Call { folder: folder.into(), words });
    }
    found
}

/// Returns the words of a call that matter for what a file means: no inputs, outputs, libraries or lints.
fn flags(words: &[String]) -> Vec<String> {
    let (with_value, dropped): (BTreeSet<&str>, BTreeSet<&str>) = (
        ["-I", "-D", "-U", "-include", "-isystem", "-iquote", "-x"].into(),
        ["-o", "-MF", "-MT", "-MQ", "-L", "-l"].into(),
    );
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if dropped.contains(word.as_str()) {
            words.next();
        } else if with_value.contains(word.as_str()) {
            kept.push(word.clone());
            kept.extend(words.next().cloned());
        } else if word.starts_with('-') && !["-c", "-E", "-S"].contains(&word.as_str()) {
            let is_other = ["-l", "-L", "-M", "-Wl,", "-Werror", "-pedantic"]
                .iter()
                .any(|start| word.starts_with(start));
            if !is_other {
                kept.push(word.clone());
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_of_a_call_are_those_that_matter_for_one_file() {
        let words =
            "-O2 -I include -Iother -DX=1 -Wall -Werror -c -o a.o -MD -MF a.d src/a.c b.o -lm -L/lib -Wl,-z";
        let words: Vec<String> = words.split(' ').map(str::to_string).collect();
        assert_eq!(flags(&words).join(" "), "-O2 -I include -Iother -DX=1 -Wall");
    }

    #[test]
    fn calls_are_read_with_their_folders() {
        let found = calls("call\n/tmp\n-c\na b.c\nend\ncall\n/x\nend\n");
        let words = vec!["-c".to_string(), "a b.c".to_string()];
        assert_eq!(
            found,
            [Call { folder: "/tmp".into(), words }, Call { folder: "/x".into(), words: vec![] }]
        );
    }
}
