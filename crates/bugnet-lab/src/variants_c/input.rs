//! Inputs for the programs, drawn by a seed: for each program what its users would give it, and now and then what they
//! would not.

use crate::random::SplitMix64;

/// The words and the standard input that a program is given.
pub struct Drawn {
    pub words: Vec<String>,
    pub input: String,
}

/// Draws an input of a program.
pub fn drawn(program: &str, seed: u64, number: u64) -> Drawn {
    let mut draw = Draw(SplitMix64(SplitMix64(seed).next() ^ number));
    match program {
        "tokens" => Drawn { words: Vec::new(), input: draw.tokens() },
        "words" => Drawn { words: Vec::new(), input: draw.words() },
        "replace" => draw.replace(),
        "queues" => draw.queues(),
        "rounds" => draw.rounds(),
        "climb" => draw.climb(),
        _ => Drawn { words: Vec::new(), input: draw.figures() },
    }
}

struct Draw(SplitMix64);

impl Draw {
    fn below(&mut self, count: u64) -> u64 {
        self.0.below(count)
    }

    fn from(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    fn one<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }

    /// Some letters of an alphabet.
    fn letters(&mut self, alphabet: &str, most: u64) -> String {
        let letters: Vec<char> = alphabet.chars().collect();
        (0..self.below(most + 1)).map(|_| letters[self.below(letters.len() as u64) as usize]).collect()
    }

    fn tokens(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..self.below(14) {
            let piece = match self.below(10) {
                0 => self.one(&["and", "if", "or", "xor", "lambda", "then", "iff"]).to_string(),
                1 | 2 => format!("{}{}", self.one(&["a", "x", "_", "name"]), self.letters("abz_09", 14)),
                3 => format!("{}{}", self.from(0, 500), self.one(&["", "", ".5", ".", ".1.2", "x"])),
                4 => format!("\"{}\"", self.letters("ab \\\"n", 5).replace('"', "\\\"")),
                5 => self.one(&["\"open", "#a", "#1", "#", "\"\"", "\"a\\"]).to_string(),
                6 => self.one(&["(", ")", "[", "]", ",", "'"]).to_string(),
                7 => self.one(&["=", "==", "=>", "<", "<=", ">", ">=", "<>"]).to_string(),
                8 => format!("; {}", self.letters("ab;\" ", 6)),
                _ => self.one(&["$", "!", "\t", "@"]).to_string(),
            };
            text.push_str(&piece);
            text.push_str(self.one(&["", " ", " ", "\n", "  "]));
        }
        text
    }

    fn words(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..self.below(14) {
            let piece = match self.below(9) {
                0 | 1 => format!("{}{}", self.one(&["a", "$", "_b", "word"]), self.letters("ab-1_", 8)),
                2 => self.from(0, 999).to_string(),
                3 => format!("{}{}", self.one(&["0x", "0X"]), self.letters("09afAFg", 4)),
                4 => format!("'{}'", self.letters("ab ", 4)),
                5 => self.one(&["'it''s'", "'open", "''''", "''"]).to_string(),
                6 => format!("{{{}}}", self.one(&["a", "", "a{b}c", "{}", "\n", "{"])),
                7 => self.one(&["(", ")", "(", "(", ")", "+", "-", "-a", "}"]).to_string(),
                _ => self.one(&["(a)", "((b))", ";", "0", "\t"]).to_string(),
            };
            text.push_str(&piece);
            text.push_str(self.one(&["", " ", " ", "\n"]));
        }
        text
    }

    fn pattern(&mut self) -> String {
        let mut text = self.one(&["", "", "", "", "%", "%*"]).to_string();
        for _ in 0..self.from(0, 4) {
            let part = match self.below(7) {
                0..=2 => self.letters("abc", 2),
                3 => self.one(&["?", "@t", "@n", "@*", "@@", "-", "$", "@"]).to_string(),
                4 => format!(
                    "[{}]",
                    self.one(&["a-c", "^a", "ab", "a-", "^b-c", "-a", "a-b-c", "^", "@t", "c-a"])
                ),
                5 => self.one(&["[", "[a", "&", "*", "%"]).to_string(),
                _ => self.one(&["a", "b"]).to_string(),
            };
            text.push_str(&part);
            text.push_str(self.one(&["", "", "", "*"]));
        }
        text + self.one(&["", "", "", "$"])
    }

    fn replace(&mut self) -> Drawn {
        let mut words = vec![self.pattern()];
        let count = [0, 2, 1, 1, 1, 1, 1, 1, 1, 1][self.below(10) as usize];
        for _ in 0..count {
            let by =
                [self.letters("xy&", 3), self.one(&["", "", "@&", "@n", "@t", "@"]).to_string()].concat();
            words.push(by);
        }
        let mut input = String::new();
        for _ in 0..self.below(4) {
            input.push_str(&self.letters("aabbccd -&\t*", 12));
            input.push('\n');
        }
        Drawn { words, input }
    }

    fn queues(&mut self) -> Drawn {
        let count = if self.below(10) == 0 { 2 } else { 3 };
        let words = (0..count).map(|_| self.from(0, 4).to_string()).collect();
        let mut input = String::new();
        for _ in 0..self.below(25) {
            let ratio = self.one(&["0.0", "0.2", "0.5", "0.6", "0.9", "1.0", "1.5", "-0.1"]);
            let line = match self.below(10) {
                0 => format!("1 {}", self.from(0, 4)),
                1 => format!("1 {}", self.from(1, 3)),
                2 | 3 => format!("2 {} {ratio}", self.from(0, 3)),
                4 => "3".to_string(),
                5 => format!("4 {ratio}"),
                6 | 7 => "5".to_string(),
                8 => "6".to_string(),
                _ => self.one(&["7", "8", "5", "5"]).to_string(),
            };
            input.push_str(&line);
            input.push('\n');
        }
        Drawn { words, input: input + self.one(&["7\n", "7\n", "", "x\n"]) }
    }

    fn rounds(&mut self) -> Drawn {
        let words = match self.below(8) {
            0 => Vec::new(),
            1 => vec![self.from(-1, 0).to_string()],
            _ => vec![self.from(1, 5).to_string()],
        };
        let mut input = String::new();
        for _ in 0..self.from(2, 22) {
            let device = self.one(&["disk", "disc", "net", "diskette", "a"]);
            let line = match self.below(11) {
                0..=2 => format!("spawn {} {}", self.from(-1, 7), self.from(0, 40)),
                3..=5 => format!("run {}", self.from(1, 4)),
                6 => format!("wait {} {device}", self.from(-1, 4)),
                7 => format!("done {device}"),
                8 => self.one(&["run", "show", "what", "# run 3", "spawn 3", ""]).to_string(),
                9 => "show".to_string(),
                _ => format!("end {}", self.from(-1, 5)),
            };
            input.push_str(&line);
            input.push('\n');
        }
        Drawn { words, input }
    }

    fn climb(&mut self) -> Drawn {
        let own = self.from(5, 60) * 100;
        let apart = self.one(&["-900", "-300", "-100", "0", "100", "200", "500", "800"]).parse().unwrap_or(0);
        let numbers = [
            own,
            self.from(-8, 8) * 100,
            own + apart,
            self.from(-8, 8) * 100,
            self.from(0, 40) * 100 + self.from(0, 1) * 50,
            self.one(&["0", "50", "100", "100", "200", "-50"]).parse().unwrap_or(0),
            self.from(0, 2),
            self.from(0, 2),
            self.from(1, 6),
            self.from(0, 1),
            self.from(5, 30) * 100,
            self.from(0, 4),
        ];
        let count = if self.below(40) == 0 { 11 } else { 12 };
        Drawn { words: numbers.iter().take(count).map(i64::to_string).collect(), input: String::new() }
    }

    fn figures(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..self.below(4) {
            if self.below(4) == 0 {
                text.push_str("# 2 2 a comment\n");
            }
            let (rows, columns) = (self.from(1, 4), self.from(1, 4));
            text.push_str(&format!("{rows} {columns}\n"));
            let most = self.one(&["1", "5", "30"]).parse().unwrap_or(5);
            let low = if self.below(8) == 0 { -3 } else { 0 };
            for _ in 0..rows {
                let is_empty = self.below(6) == 0;
                for _ in 0..columns {
                    let count = if is_empty { 0 } else { self.from(low, most) };
                    text.push_str(&format!("{count} "));
                }
                text.push('\n');
            }
        }
        text + self.one(&["", "", "", "", "3\n", "0 2\n", "x\n", "20 20\n"])
    }
}
