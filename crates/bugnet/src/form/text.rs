//! Forms as text that can be stored and read back.
//!
//! `_` is anything, `1f` a number as it is on the tape, `{0|3}` one of several, `<2..>`, `<..-1>` and
//! `<2..9>` numbers in a range, `<!0>` all numbers but one; `Exp(a b)` is a value with parts, `[.. a b]`
//! a list that ends with the elements a and b, `?0:a` a part that is equal to the others with this
//! number, and `*a` a value with the part a somewhere inside.
//!
//! **Invariant:** what is stored reads back as the same form.

use super::{Form, Numbers};
use crate::list::Listed;
use std::fmt;

impl fmt::Display for Form {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Form::Any => out.write_str("_"),
            Form::Number(numbers) => numbers.fmt(out),
            Form::Same(variable, form) => write!(out, "?{variable}:{form}"),
            Form::Inside(form) => write!(out, "*{form}"),
            Form::Node { label, parts } => {
                let parts: Vec<String> = parts.iter().map(Form::to_string).listed();
                write!(out, "{label}({})", parts.join(" "))
            }
            Form::List { elements, gaps } => {
                let mut texts = Vec::new();
                for (place, open) in gaps.iter().enumerate() {
                    if *open {
                        texts.push("..".to_string());
                    }
                    if let Some(element) = elements.get(place) {
                        texts.push(element.to_string());
                    }
                }
                write!(out, "[{}]", texts.join(" "))
            }
        }
    }
}

impl fmt::Display for Numbers {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Numbers::Exactly(value) => write!(out, "{value:x}"),
            Numbers::OneOf(values) => {
                let values: Vec<String> = values.iter().map(|value| format!("{value:x}")).listed();
                write!(out, "{{{}}}", values.join("|"))
            }
            Numbers::Not(number) => write!(out, "<!{number}>"),
            Numbers::Between(low, high) => {
                out.write_str("<")?;
                if *low != i128::MIN {
                    write!(out, "{low}")?;
                }
                out.write_str("..")?;
                if *high != i128::MAX {
                    write!(out, "{high}")?;
                }
                out.write_str(">")
            }
        }
    }
}

impl Form {
    /// Reads a form as it is stored.
    pub(crate) fn read(text: &str) -> Result<Form, String> {
        let mut reader = Reader { rest: text.trim() };
        let form = reader.form()?;
        match reader.rest.trim() {
            "" => Ok(form),
            rest => Err(format!("`{rest}` is left over behind the pattern")),
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn take(&mut self, prefix: &str) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn until(&mut self, end: char) -> Result<&'a str, String> {
        let (inner, rest) = self
            .rest
            .split_once(end)
            .ok_or_else(|| format!("a `{end}` is missing behind `{}`", self.rest))?;
        self.rest = rest;
        Ok(inner)
    }

    fn form(&mut self) -> Result<Form, String> {
        if self.take("*") {
            return Ok(Form::Inside(Box::new(self.form()?)));
        }
        if self.take("?") {
            let number = self.until(':')?;
            let variable = number.parse().ok().filter(|variable| *variable < 1_000);
            let variable = variable.ok_or_else(|| format!("`?{number}` is not a variable"))?;
            return Ok(Form::Same(variable, Box::new(self.form()?)));
        }
        if self.take("[") {
            return self.list();
        }
        if self.take("{") {
            let mut values = Vec::new();
            for value in self.until('}')?.split('|') {
                values.push(hexadecimal(value)?);
            }
            return Ok(Form::Number(Numbers::OneOf(values)));
        }
        if self.take("<") {
            return range(self.until('>')?).map(Form::Number);
        }
        let end = self.rest.find([' ', '(', ')', ']']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        if self.take("(") {
            return self.node(word);
        }
        match word {
            "_" => Ok(Form::Any),
            number => hexadecimal(number).map(|value| Form::Number(Numbers::Exactly(value))),
        }
    }

    fn node(&mut self, label: &str) -> Result<Form, String> {
        let mut parts = Vec::new();
        while !self.take(")") {
            if self.rest.is_empty() {
                return Err(format!("a `)` is missing behind `{label}`"));
            }
            if !self.take(" ") {
                parts.push(self.form()?);
            }
        }
        Ok(Form::Node { label: label.into(), parts })
    }

    fn list(&mut self) -> Result<Form, String> {
        let (mut elements, mut gaps) = (Vec::new(), vec![false]);
        while !self.take("]") {
            if self.rest.is_empty() {
                return Err("a `]` is missing at the end of a list".to_string());
            }
            if self.take(" ") {
                continue;
            }
            if self.take("..") {
                *gaps.last_mut().expect("there is a gap before everything") = true;
                continue;
            }
            elements.push(self.form()?);
            gaps.push(false);
        }
        Ok(Form::List { elements, gaps })
    }
}

fn hexadecimal(text: &str) -> Result<u64, String> {
    u64::from_str_radix(text, 16).map_err(|_| format!("`{text}` is not a hexadecimal number"))
}

fn range(text: &str) -> Result<Numbers, String> {
    let end = |text: &str, open: i128| if text.is_empty() { Ok(open) } else { text.parse() };
    let numbers = match (text.strip_prefix('!'), text.split_once("..")) {
        (Some(number), _) => number.parse().map(Numbers::Not).ok(),
        (None, Some((low, high))) => match (end(low, i128::MIN), end(high, i128::MAX)) {
            (Ok(low), Ok(high)) => Some(Numbers::Between(low, high)),
            _ => None,
        },
        (None, None) => None,
    };
    numbers.ok_or_else(|| format!("`<{text}>` is not a range of numbers"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_reads_back_as_the_same_form() {
        for text in [
            "(_)",
            "(Exp({3} _ Exp({0} 0)))",
            "(*Exp({3} ?0:_ ?0:_) ff)",
            "([] [..] [.. element(1) .. _] [element(<2..>) ..])",
            "(<..-1> <2..9> <!0> {0|3} ?1:<5..>)",
            "(a::b(()))",
        ] {
            assert_eq!(Form::read(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_not_a_form_is_refused_with_its_text() {
        for (text, problem) in [
            ("(_", "a `)` is missing"),
            ("([_", "a `]` is missing"),
            ("(x)", "`x` is not a hexadecimal number"),
            ("(_) _", "`_` is left over"),
            ("(<3>)", "`<3>` is not a range"),
            ("(?:_)", "`?` is not a variable"),
            ("", "`` is not"),
            ("({1)", "a `}` is missing"),
        ] {
            let error = Form::read(text).unwrap_err();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }
}
