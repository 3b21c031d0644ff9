//! From text to statements.

use crate::{Expression, Statement};

/// Reads a program; says what it cannot read.
pub fn parse(text: &str) -> Result<Vec<Statement>, String> {
    let mut parser = Parser { words: words(text), at: 0 };
    let statements = parser.statements()?;
    match parser.words.get(parser.at) {
        Some(word) => Err(format!("`{word}` is not expected")),
        None => Ok(statements),
    }
}

/// Names, numbers and signs.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut joins = false;
    for letter in text.chars() {
        let is_word = letter.is_alphanumeric();
        match words.last_mut() {
            Some(word) if is_word && joins => word.push(letter),
            _ if letter.is_whitespace() => {}
            _ => words.push(letter.to_string()),
        }
        joins = is_word;
    }
    words
}

struct Parser {
    words: Vec<String>,
    at: usize,
}

impl Parser {
    fn next(&mut self) -> Result<String, String> {
        self.at += 1;
        self.words.get(self.at - 1).cloned().ok_or_else(|| "the program ends too early".to_string())
    }

    fn expect(&mut self, expected: &str) -> Result<(), String> {
        let word = self.next()?;
        if word == expected { Ok(()) } else { Err(format!("`{word}` is not `{expected}`")) }
    }

    fn statements(&mut self) -> Result<Vec<Statement>, String> {
        let mut statements = Vec::new();
        while self.words.get(self.at).is_some_and(|word| word != "}") {
            let statement = match self.next()?.as_str() {
                "let" => {
                    let name = self.next()?;
                    self.expect("=")?;
                    Statement::Let(name, self.expression()?)
                }
                "print" => Statement::Print(self.expression()?),
                "loop" => {
                    let times = self.next()?;
                    let times = times.parse().map_err(|_| format!("`{times}` is no number"))?;
                    Statement::Loop(times, self.block()?)
                }
                "if" => Statement::If(self.expression()?, self.block()?),
                other => return Err(format!("`{other}` begins no statement")),
            };
            statements.push(statement);
        }
        Ok(statements)
    }

    fn block(&mut self) -> Result<Vec<Statement>, String> {
        self.expect("{")?;
        let statements = self.statements()?;
        self.expect("}")?;
        Ok(statements)
    }

    fn expression(&mut self) -> Result<Expression, String> {
        let word = self.next()?;
        match word.as_str() {
            "-" => Ok(Expression::Negate(Box::new(self.expression()?))),
            "(" => {
                let left = Box::new(self.expression()?);
                let operator = self.next()?;
                if operator == "<" {
                    self.expect("<")?;
                }
                let operator = operator.chars().next().unwrap_or_default();
                if !"+-*/<".contains(operator) {
                    return Err(format!("`{operator}` is no operator"));
                }
                let right = Box::new(self.expression()?);
                self.expect(")")?;
                Ok(Expression::Binary(operator, left, right))
            }
            word if word.chars().all(|letter| letter.is_ascii_digit()) => {
                word.parse().map(Expression::Number).map_err(|_| format!("`{word}` is too large"))
            }
            word if word.chars().all(char::is_alphanumeric) => Ok(Expression::Name(word.to_string())),
            word => Err(format!("`{word}` begins no expression")),
        }
    }
}
