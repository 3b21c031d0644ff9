//! The function under `#[property]`, read as far as a property needs it: its body stays tokens.
//!
//! **Invariant:** what is read here can be called with generated values: no generics, no `self`,
//! nothing `const`, `unsafe` or `extern`.

use crate::attribute::Attribute;
use crate::emit::{Splice, code, list};
use crate::error::Error;
use crate::example::Example;
use crate::parameter::{Parameter, Passing};
use crate::precondition::Divided;
use crate::reader::{Reader, is_mark, is_word, split_types, start};
use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// A function that is a property.
pub(crate) struct Function {
    /// The attributes that stay on the test.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) examples: Vec<Example>,
    pub(crate) visibility: TokenStream,
    pub(crate) is_async: bool,
    pub(crate) name: Ident,
    pub(crate) parameters: Vec<Parameter>,
    /// The return type; empty if there is none.
    pub(crate) output: TokenStream,
    pub(crate) body: Group,
}

impl Function {
    pub(crate) fn read(item: TokenStream) -> Result<Function, Error> {
        let mut reader = Reader::new(item);
        let mut attributes = Attribute::read_all(&mut reader);
        let examples = Example::take(&mut attributes)?;
        let visibility = reader.take_visibility();
        let is_async = reader.take_word("async");
        let name = name(&mut reader)?;
        let parameters = parameters(&mut reader)?;
        let output = output(&mut reader)?;
        let body = body(&mut reader)?;
        let function =
            Function { attributes, examples, visibility, is_async, name, parameters, output, body };
        function.check_examples()?;
        Ok(function)
    }

    /// The parameters whose values are generated.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|parameter| parameter.passing != Passing::Source)
    }

    fn check_examples(&self) -> Result<(), Error> {
        let expected = self.inputs().count();
        for example in &self.examples {
            let given = example.arguments.len();
            if given != expected {
                let message = format!(
                    "this example has {}, and `{}` takes {expected}; write one for each parameter, as in a call",
                    counted(given, "argument"),
                    self.name,
                );
                return Err(Error::new(example.place, message));
            }
        }
        Ok(())
    }

    /// Returns the place at which the compiler is to complain about the returned type.
    pub(crate) fn output_span(&self) -> Span {
        if self.output.is_empty() { self.name.span() } else { start(&self.output) }
    }

    /// The function as the user wrote it, without the attributes that are ours. If it begins with
    /// preconditions, it returns a verdict instead.
    pub(crate) fn as_written(&self) -> TokenStream {
        let Function { name, output, body, .. } = self;
        let asynchronous = self.is_async.then(|| code!("async"));
        let (output, body) = match Divided::of(self) {
            Some(divided) => (code!("-> ::bugnet::__private::Verdict"), divided.body(self)),
            None if output.is_empty() => (TokenStream::new(), body.tokens()),
            None => (code!("-> $output", output), body.tokens()),
        };
        let parameters = list(self.parameters.iter().map(|parameter| {
            let Parameter { attributes, pattern, kind, .. } = parameter;
            code!("$attributes $pattern: $kind", attributes, pattern, kind)
        }));
        code!(
            "$asynchronous fn $name($parameters) $output $body",
            asynchronous,
            name,
            parameters,
            output,
            body
        )
    }
}

/// The name of the function, which follows `fn` and precedes the parameters.
fn name(reader: &mut Reader) -> Result<Ident, Error> {
    let place = reader.place();
    if !reader.take_word("fn") {
        let is_qualifier =
            |token: &TokenTree| ["const", "unsafe", "extern", "safe"].iter().any(|word| is_word(token, word));
        let message = if reader.peek().is_some_and(is_qualifier) {
            "a property is an ordinary function or an `async` one; remove this word"
        } else {
            "`#[property]` stands on a function; write `fn name(input: Type) { … }`"
        };
        return Err(Error::new(place, message));
    }
    let name = reader.take_name().ok_or_else(|| Error::new(place, "a property needs a name"))?;
    if reader.peek().is_some_and(|token| is_mark(token, '<')) {
        let message = "a property cannot be generic, for it is run as it stands; \
                       write the types to be generated instead of parameters";
        return Err(Error::new(reader.place(), message));
    }
    Ok(name)
}

fn parameters(reader: &mut Reader) -> Result<Vec<Parameter>, Error> {
    let list = reader.take_group(Delimiter::Parenthesis).map(|group| group.stream()).unwrap_or_default();
    let mut parameters: Vec<Parameter> = Vec::new();
    for tokens in split_types(list) {
        let parameter = Parameter::read(tokens, parameters.len() + 1)?;
        let is_source = |parameter: &Parameter| parameter.passing == Passing::Source;
        if is_source(&parameter) && parameters.iter().any(is_source) {
            let message = "there is one source only; remove the second parameter of type `&mut Source`";
            return Err(Error::across(&parameter.kind, message));
        }
        parameters.push(parameter);
    }
    Ok(parameters)
}

/// The return type, which ends where the body begins.
fn output(reader: &mut Reader) -> Result<TokenStream, Error> {
    let output = output_type(reader);
    if reader.peek().is_some_and(|token| is_word(token, "where")) {
        let message = "a property cannot have bounds, for it is not generic; remove them";
        return Err(Error::new(reader.place(), message));
    }
    Ok(output)
}

/// The type behind `->`; nothing if there is none.
pub(crate) fn output_type(reader: &mut Reader) -> TokenStream {
    if !reader.take_mark('-') {
        return TokenStream::new();
    }
    reader.take_mark('>');
    let ends = |token: &TokenTree| as_body(token).is_some() || is_word(token, "where") || is_mark(token, ';');
    reader.until(ends)
}

fn body(reader: &mut Reader) -> Result<Group, Error> {
    let place = reader.place();
    let body = reader.next().and_then(|token| as_body(&token));
    body.ok_or_else(|| Error::new(place, "a property needs a body in braces"))
}

/// The token as a body. One that came through a `macro_rules!` is wrapped once more.
pub(crate) fn as_body(token: &TokenTree) -> Option<Group> {
    let TokenTree::Group(group) = token else { return None };
    match group.delimiter() {
        Delimiter::Brace => Some(group.clone()),
        Delimiter::None => {
            let mut inside = Reader::new(group.stream());
            let body = inside.take_group(Delimiter::Brace);
            body.filter(|_| inside.is_empty())
        }
        _ => None,
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
