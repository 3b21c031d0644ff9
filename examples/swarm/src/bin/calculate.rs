//! `calculate [--optimize | --check] FILE`: runs a program, runs it after making it simpler, or only reads it.

use calculator::{interpret, optimize, parse};
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (mode, file) = match &words[..] {
        [file] => ("", file),
        [mode, file] => (mode.as_str(), file),
        _ => {
            eprintln!("usage: calculate [--optimize | --check] FILE");
            return ExitCode::FAILURE;
        }
    };
    let read = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"));
    match read.and_then(|text| parse::parse(&text)) {
        Ok(_) if mode == "--check" => {}
        Ok(program) if mode == "--optimize" => print!("{}", interpret::run(&optimize::optimized(&program))),
        Ok(program) => print!("{}", interpret::run(&program)),
        Err(problem) => {
            eprintln!("{problem}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
