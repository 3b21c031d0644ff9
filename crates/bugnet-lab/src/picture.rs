//! A picture of a terminal: what a command printed, with its colours, as SVG that needs no font from elsewhere.
//!
//! `CLICOLOR_FORCE=1 cargo bugnet explore … 2>&1 | cargo run -p bugnet-lab -- picture 'cargo bugnet explore' > explore.svg`
//!
//! **Invariant:** the text of the picture is the text that was printed; only colours are drawn, and what moves the
//! cursor is left out.

use std::fmt::Write;
use std::io::Read;

/// The command that is shown above what it printed.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    command: String,
}

/// Width and height of a character, and the margin, in pixels.
const CELL: (f64, f64) = (8.0, 18.0);
const MARGIN: f64 = 16.0;
/// The most columns of a line. Longer ones go on in the next line, as in a terminal.
const COLUMNS: usize = 100;

/// Reads what a command printed, and prints the picture.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut printed = String::new();
    std::io::stdin().read_to_string(&mut printed)?;
    print!("{}", picture(&arguments.command, &printed));
    Ok(())
}

/// A run of characters that look alike.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    text: String,
    class: String,
}

/// The look of what follows, by the codes that were printed.
#[derive(Debug, Clone, Copy, Default)]
struct Look {
    is_bold: bool,
    is_dim: bool,
    colour: Option<u8>,
}

impl Look {
    /// Follows the codes between `ESC [` and `m`.
    fn follow(&mut self, codes: &str) {
        for code in codes.split(';').map(|code| code.parse().unwrap_or(0)) {
            match code {
                0 => *self = Look::default(),
                1 => self.is_bold = true,
                2 => self.is_dim = true,
                22 => (self.is_bold, self.is_dim) = (false, false),
                30..=37 => self.colour = Some(code - 30),
                39 => self.colour = None,
                90..=97 => self.colour = Some(code - 90),
                _ => {}
            }
        }
    }

    fn class(self) -> String {
        let flags = [(self.is_bold, "bold"), (self.is_dim, "dim")];
        let flags = flags.into_iter().filter(|(is_on, _)| *is_on).map(|(_, name)| name.to_string());
        flags.chain(self.colour.map(|colour| format!("c{colour}"))).collect::<Vec<_>>().join(" ")
    }
}

/// Reads what was printed, line by line. A carriage return begins the line anew, as a bar of progress does.
fn lines(printed: &str) -> Vec<Vec<Piece>> {
    let (mut look, mut all) = (Look::default(), Vec::new());
    for line in printed.replace("\r\n", "\n").lines() {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut letters = line.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '\u{1b}' => {
                    letters.next_if_eq(&'[');
                    let mut codes = String::new();
                    let end = letters.by_ref().find(|letter| {
                        codes.push(*letter);
                        letter.is_ascii_alphabetic()
                    });
                    codes.pop();
                    if end == Some('m') {
                        look.follow(&codes);
                    }
                }
                '\r' => pieces.clear(),
                _ => match pieces.last_mut() {
                    Some(piece) if piece.class == look.class() => piece.text.push(letter),
                    _ => pieces.push(Piece { text: letter.to_string(), class: look.class() }),
                },
            }
        }
        all.extend(wrapped(pieces));
    }
    all
}

/// Breaks a line where a terminal breaks it.
fn wrapped(pieces: Vec<Piece>) -> Vec<Vec<Piece>> {
    let (mut lines, mut column) = (vec![Vec::new()], 0);
    for Piece { text, class } in pieces {
        let letters: Vec<char> = text.chars().collect();
        let mut rest = &letters[..];
        while !rest.is_empty() {
            if column == COLUMNS {
                lines.push(Vec::new());
                column = 0;
            }
            let (now, later) = rest.split_at(rest.len().min(COLUMNS - column));
            column += now.len();
            let line = lines.last_mut().expect("there is a first line");
            line.push(Piece { text: now.iter().collect(), class: class.clone() });
            rest = later;
        }
    }
    lines
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

const STYLE: &str = "\
  text { font: 13.3px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #d8dee9; white-space: pre; }
  .bold { font-weight: 700; }
  .dim { fill: #8a93a5; }
  .c1 { fill: #f07178; } .c2 { fill: #a5d6a7; } .c3 { fill: #ffcb6b; } .c4 { fill: #82aaff; } .c6 { fill: #7fdbca; }
";

fn picture(command: &str, printed: &str) -> String {
    let mut lines = lines(printed);
    let prompt = [("$ ", "dim"), (command, "bold")];
    let prompt = prompt.map(|(text, class)| Piece { text: text.to_string(), class: class.to_string() });
    lines.insert(0, prompt.to_vec());
    let longest = lines.iter().map(|line| line.iter().map(|piece| piece.text.chars().count()).sum::<usize>());
    let (width, height) = (
        2.0 * MARGIN + CELL.0 * longest.max().unwrap_or_default() as f64,
        2.0 * MARGIN + CELL.1 * lines.len() as f64,
    );
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <style>\n{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1b1f2a\"/>\n"
    );
    for (number, line) in lines.iter().enumerate() {
        let y = MARGIN + CELL.1 * (number as f64 + 0.75);
        let mut column = 0;
        for Piece { text, class } in line {
            let (x, count) = (MARGIN + CELL.0 * column as f64, text.chars().count());
            column += count;
            if text.trim().is_empty() {
                continue;
            }
            // Fonts differ in width: each piece is drawn as wide as its characters are.
            let length = CELL.0 * count as f64;
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{y}\" textLength=\"{length}\" class=\"{class}\" xml:space=\"preserve\">{}</text>",
                escaped(text)
            );
        }
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(lines: &[Vec<Piece>]) -> Vec<String> {
        lines.iter().map(|line| line.iter().map(|piece| piece.text.as_str()).collect()).collect()
    }

    #[test]
    fn colours_are_classes_and_the_text_is_what_was_printed() {
        let read = lines("\u{1b}[1m\u{1b}[31m  1.\u{1b}[0m a < b\n");
        let piece = |text: &str, class: &str| Piece { text: text.to_string(), class: class.to_string() };
        assert_eq!(read, [vec![piece("  1.", "bold c1"), piece(" a < b", "")]]);
        assert!(picture("x", "a < b\n").contains(">a &lt; b</text>"));
    }

    #[test]
    fn a_line_that_is_written_over_shows_its_last_state() {
        assert_eq!(text(&lines("10%\r\u{1b}[2K100%\r\n")), ["100%"]);
    }

    #[test]
    fn a_long_line_goes_on_in_the_next() {
        let read = lines(&"x".repeat(COLUMNS + 3));
        assert_eq!(text(&read), ["x".repeat(COLUMNS), "xxx".to_string()]);
    }
}
