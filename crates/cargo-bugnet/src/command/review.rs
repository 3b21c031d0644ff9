//! `cargo bugnet review`: asks of each program that notices living mutants whether what it does is right.
//!
//! **Invariant:** a decision is on disk before the next question is asked, and every decision can be undone.

use crate::arguments::Review;
use crate::exit::Exit;
use crate::report::counted;
use crate::status::{self, Tone};
use crate::variants::decision::{self, Answer, Decisions, FILE};
use crate::variants::program;
use crate::variants::question::Question;
use crate::variants::session::Library;
use anyhow::{Context, Result, bail};
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

/// Reviews the questions of the last run.
pub(crate) fn review(arguments: &Review) -> Result<Exit> {
    let (home, folder, name) = place(arguments)?;
    let mut decisions = Decisions::read(&home)?;
    if arguments.undo {
        return undo(&mut decisions, &home);
    }
    let Some(questions) = decision::kept(&folder)? else {
        bail!("there are no questions about {name} yet; `cargo bugnet variants` finds them");
    };
    let open = decisions.open(questions);
    if arguments.check {
        let text = if open.is_empty() {
            "no questions are open".to_string()
        } else {
            format!("{} open; `cargo bugnet review` asks them", counted(open.len(), "question"))
        };
        status::line(if open.is_empty() { Tone::Good } else { Tone::Bad }, "Checked", &text);
        return Ok(exit(open.len()));
    }
    if arguments.accept_all {
        return accept_all(open, &mut decisions, &home);
    }
    let mut input = std::io::stdin().lock();
    let left = ask_all(open, &mut decisions, &home, &mut input)?;
    Ok(exit(left))
}

/// Returns the folder of the decisions, that of the questions, and the name of what they are about.
fn place(arguments: &Review) -> Result<(PathBuf, PathBuf, String)> {
    if arguments.is_program {
        let home = std::env::current_dir().context("the folder that this command was called in is gone")?;
        return Ok((home.clone(), home.join(program::FOLDER), "a C program in this folder".to_string()));
    }
    let (package, manifest) = (arguments.package.name.as_deref(), arguments.package.manifest_path.as_deref());
    let subject = Library::find(package, manifest, Default::default())?;
    Ok((subject.home().to_path_buf(), subject.folder(), subject.package.name.to_string()))
}

fn exit(open: usize) -> Exit {
    if open == 0 { Exit::Success } else { Exit::Refuted }
}

/// Keeps every test but those of programs that panic: a panic is not what anybody wants to stay.
fn accept_all(open: Vec<Question>, decisions: &mut Decisions, home: &Path) -> Result<Exit> {
    let (panics, others): (Vec<Question>, Vec<Question>) =
        open.into_iter().partition(|question| question.panics);
    let count = others.len();
    others.into_iter().for_each(|question| decisions.add(question, Answer::Right));
    if let Some(path) = decisions.write(home)? {
        status::line(Tone::Good, "Accepted", &format!("{} to {}", counted(count, "test"), path.display()));
    }
    if !panics.is_empty() {
        let text = format!(
            "{} about panics left; `cargo bugnet review` asks them",
            counted(panics.len(), "question")
        );
        status::line(Tone::Plain, "Open", &text);
    }
    Ok(exit(panics.len()))
}

/// Takes the last decision back.
fn undo(decisions: &mut Decisions, home: &Path) -> Result<Exit> {
    let Some(last) = decisions.decisions.pop() else { bail!("there is no decision to undo in {FILE}") };
    decisions.write(home)?;
    status::line(Tone::Plain, "Undone", &format!("the decision about {}", last.question.name));
    Ok(Exit::Success)
}

/// Asks questions until all are answered or the input ends; returns how many are left.
fn ask_all(
    open: Vec<Question>,
    decisions: &mut Decisions,
    home: &Path,
    input: &mut dyn BufRead,
) -> Result<usize> {
    let all = open.len();
    let mut left = 0;
    for (place, question) in open.into_iter().enumerate() {
        anstream::println!("{}", shown(&question, place + 1, all));
        loop {
            anstream::print!(
                "  Is that right?  [y] yes, keep it as a test  [n] no, it is a bug  [l] later  [m] more inputs like it  \
                 [q] quit: "
            );
            std::io::stdout().flush()?;
            let mut line = String::new();
            let is_over = input.read_line(&mut line)? == 0;
            match line.trim() {
                "y" | "yes" => {
                    decisions.add(question, Answer::Right);
                    decisions.write(home)?;
                    break;
                }
                "n" | "no" => {
                    anstream::println!("  written to {FILE}, with the change as a candidate patch");
                    decisions.add(question, Answer::Bug);
                    decisions.write(home)?;
                    break;
                }
                "l" | "later" => {
                    left += 1;
                    break;
                }
                "m" | "more" => {
                    for other in &question.others {
                        anstream::println!("\n{}", indented(other));
                    }
                    anstream::println!();
                }
                "q" | "quit" => return Ok(left + all - place),
                _ if is_over => return Ok(left + all - place),
                _ => anstream::println!("  answer with y, n, l, m or q"),
            }
        }
    }
    Ok(left)
}

fn indented(lines: &[String]) -> String {
    lines
        .iter()
        .flat_map(|line| line.lines())
        .map(|line| format!("      {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Returns a question as a person reads it.
fn shown(question: &Question, number: usize, all: usize) -> String {
    let first = &question.mutants[0];
    let kills = counted(question.mutants.len(), "mutant");
    let mut text = format!("\n  {number} of {all}   notices {kills}, e.g. {}\n", first.name);
    first.diff.iter().for_each(|line| text.push_str(&format!("          {line}\n")));
    text.push_str(&format!("\n{}\n", indented(&question.lines)));
    if question.given.is_some() {
        let dies = if question.panics { "the program dies" } else { "your program does this" };
        let lines = |text: &str| indented(&[text.to_string()]);
        text.push_str(&format!(
            "\n  {dies}:\n{}\n  with the change:\n{}\n",
            lines(&question.original),
            lines(&question.variant)
        ));
        return text;
    }
    let does = if question.panics { "the program panics" } else { "your program does this" };
    text.push_str(&format!(
        "      // {does}: {}\n      // with the change: {}\n",
        question.original, question.variant
    ));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::offer::example::question;

    fn answered(answers: &str) -> (usize, Vec<Answer>) {
        let home = tempfile::tempdir().unwrap();
        let mut decisions = Decisions::read(home.path()).unwrap();
        let other = Question { plain: vec!["other".into()], ..question() };
        let left =
            ask_all(vec![question(), other], &mut decisions, home.path(), &mut answers.as_bytes()).unwrap();
        (left, Decisions::read(home.path()).unwrap().decisions.iter().map(|known| known.answer).collect())
    }

    #[test]
    fn questions_are_answered_by_plain_lines() {
        assert_eq!(answered("y\nn\n"), (0, vec![Answer::Right, Answer::Bug]));
        assert_eq!(answered("m\nwhat\nl\nyes\n"), (1, vec![Answer::Right]));
        assert_eq!(answered("y\nq\n"), (1, vec![Answer::Right]));
        assert_eq!(answered(""), (2, vec![]));
    }

    #[test]
    fn a_question_shows_the_program_what_it_does_and_the_change() {
        let text = shown(&question(), 1, 2);
        for part in
            ["1 of 2   notices 1 mutant", "-  a < 3", "+  a <= 3", "assert!(!f(3));", "does this: false"]
        {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn accepting_all_never_pins_a_panic() {
        let home = tempfile::tempdir().unwrap();
        let mut decisions = Decisions::read(home.path()).unwrap();
        let panics = Question { panics: true, plain: vec!["boom".into()], ..question() };
        let exit = accept_all(vec![question(), panics], &mut decisions, home.path()).unwrap();
        assert_eq!((exit, decisions.decisions.len()), (Exit::Refuted, 1));
    }
}
