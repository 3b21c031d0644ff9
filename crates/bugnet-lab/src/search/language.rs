//! Sentences of small languages that two implementations are to read alike.

use bugnet::prelude::*;

/// An arithmetic expression. Operations are in parentheses, signs are not.
#[derive(Debug, Clone, Generate)]
pub enum Expression {
    Number(u8),
    Negated(Box<Expression>),
    Sum(Box<Expression>, Box<Expression>),
    Difference(Box<Expression>, Box<Expression>),
    Product(Box<Expression>, Box<Expression>),
    Quotient(Box<Expression>, Box<Expression>),
    Remainder(Box<Expression>, Box<Expression>),
    Power(Box<Expression>, Box<Expression>),
}

impl Expression {
    pub fn text(&self) -> String {
        let operation =
            |left: &Expression, sign, right: &Expression| format!("({}{sign}{})", left.text(), right.text());
        match self {
            Expression::Number(number) => number.to_string(),
            Expression::Negated(inner) => format!("-{}", inner.text()),
            Expression::Sum(left, right) => operation(left, '+', right),
            Expression::Difference(left, right) => operation(left, '-', right),
            Expression::Product(left, right) => operation(left, '*', right),
            Expression::Quotient(left, right) => operation(left, '/', right),
            Expression::Remainder(left, right) => operation(left, '%', right),
            Expression::Power(left, right) => operation(left, '^', right),
        }
    }
}

/// A regular expression over two letters.
#[derive(Debug, Clone, Generate)]
pub enum Regex {
    Empty,
    A,
    Any,
    NotA,
    Start,
    End,
    Boundary,
    Both(Box<Regex>, Box<Regex>),
    Either(Box<Regex>, Box<Regex>),
    Maybe(Box<Regex>, bool),
    Many(Box<Regex>, bool),
    Some(Box<Regex>, bool),
}

impl Regex {
    pub fn text(&self) -> String {
        let lazy = |lazy: &bool| if *lazy { "?" } else { "" };
        match self {
            Regex::Empty => String::new(),
            Regex::A => "a".into(),
            Regex::Any => ".".into(),
            Regex::NotA => "[^a]".into(),
            Regex::Start => "^".into(),
            Regex::End => "$".into(),
            Regex::Boundary => r"\b".into(),
            Regex::Both(first, second) => format!("{}{}", first.text(), second.text()),
            Regex::Either(first, second) => format!("(?:{}|{})", first.text(), second.text()),
            Regex::Maybe(inner, is_lazy) => format!("(?:{})?{}", inner.text(), lazy(is_lazy)),
            Regex::Many(inner, is_lazy) => format!("(?:{})*{}", inner.text(), lazy(is_lazy)),
            Regex::Some(inner, is_lazy) => format!("(?:{})+{}", inner.text(), lazy(is_lazy)),
        }
    }
}

/// The demand of a package on the version of another.
#[derive(Debug, Clone, Generate)]
pub struct Requirement {
    operator: Operator,
    major: u8,
    rest: Option<(u8, Option<u8>)>,
}

#[derive(Debug, Clone, Generate)]
enum Operator {
    None,
    Exact,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    Tilde,
    Caret,
}

impl Requirement {
    pub fn text(&self) -> String {
        let operator = match self.operator {
            Operator::None => "",
            Operator::Exact => "=",
            Operator::Greater => ">",
            Operator::GreaterEqual => ">=",
            Operator::Less => "<",
            Operator::LessEqual => "<=",
            Operator::Tilde => "~",
            Operator::Caret => "^",
        };
        let major = self.major;
        match self.rest {
            None => format!("{operator}{major}"),
            Some((minor, None)) => format!("{operator}{major}.{minor}"),
            Some((minor, Some(patch))) => format!("{operator}{major}.{minor}.{patch}"),
        }
    }
}
