//! The generics of an item: its parameters and their bounds.
//!
//! **Invariant:** an `impl` gets every parameter and bound of its item, and bounds of ours only on
//! parameters whose values are made or shown.

use crate::attribute::Attribute;
use crate::emit::{Splice, code, list};
use crate::reader::{Angles, Reader, is_mark, is_word, split_types};
use proc_macro::{Delimiter, TokenStream, TokenTree};

/// Generic parameters and the bounds of a `where`.
#[derive(Default)]
pub(crate) struct Generics {
    parameters: Vec<Parameter>,
    bounds: Vec<TokenStream>,
}

/// One generic parameter.
struct Parameter {
    /// The part that `impl<…>` repeats: all but the default.
    declaration: TokenStream,
    /// The part that the type is given: its name.
    argument: TokenStream,
    /// Its name, if it stands for a type.
    stands_for_a_type: Option<String>,
    is_lifetime: bool,
}

/// The parts of an `impl` that the generics make up.
pub(crate) struct Parts {
    pub(crate) parameters: TokenStream,
    pub(crate) arguments: TokenStream,
    pub(crate) bounds: TokenStream,
}

impl Generics {
    /// Reads `<…>`, if it stands here.
    pub(crate) fn read(reader: &mut Reader) -> Generics {
        if !reader.take_mark('<') {
            return Generics::default();
        }
        let inside = reader.until(|token| is_mark(token, '>'));
        reader.next();
        let parameters = split_types(inside).into_iter().map(Parameter::read).collect();
        Generics { parameters, bounds: Vec::new() }
    }

    /// Reads `where …`, if it stands here.
    pub(crate) fn read_bounds(&mut self, reader: &mut Reader) {
        if reader.take_word("where") {
            let ends = |token: &TokenTree| {
                let is_body =
                    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
                is_body || is_mark(token, ';')
            };
            self.bounds.extend(split_types(reader.until(ends)));
        }
    }

    /// Returns true if there are any.
    pub(crate) fn are_any(&self) -> bool {
        !self.parameters.is_empty()
    }

    /// Returns true if the code of the item is compiled more than once.
    pub(crate) fn are_instantiated(&self) -> bool {
        self.parameters.iter().any(|parameter| !parameter.is_lifetime)
    }

    /// The parts of an `impl`, with a bound on each type parameter that the given types use.
    ///
    /// The bound stands on the parameter and not on the type of the field, as with the derives of
    /// the standard library: a bound on the field of a recursive type would refer to itself.
    pub(crate) fn bounded(&self, types: &[&TokenStream], bound: &TokenStream) -> Parts {
        let (mut parameters, mut arguments, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for parameter in &self.parameters {
            parameters.push(&parameter.declaration);
            arguments.push(&parameter.argument);
            if let Some(name) = &parameter.stands_for_a_type {
                names.push(name.as_str());
            }
        }
        let mut uses = Uses { parameters: names, found: Vec::new() };
        for kind in types {
            uses.search((*kind).clone());
        }
        let mut ours = Vec::new();
        for (_, used) in uses.found {
            ours.push(code!("$used: $bound", used, bound));
        }
        Parts {
            parameters: code!("<$parameters>", parameters = list(parameters)),
            arguments: code!("<$arguments>", arguments = list(arguments)),
            bounds: code!("where $theirs $ours", theirs = list(&self.bounds), ours = list(ours)),
        }
    }
}

impl Parameter {
    fn read(tokens: TokenStream) -> Parameter {
        let mut reader = Reader::new(tokens);
        Attribute::read_all(&mut reader);
        let is_lifetime = reader.peek().is_some_and(|token| is_mark(token, '\''));
        let declaration = reader.until(|token| is_mark(token, '='));
        let mut reader = Reader::new(declaration.clone());
        if is_lifetime {
            let mut argument = reader.next().tokens();
            argument.extend(reader.next());
            return Parameter { declaration, argument, stands_for_a_type: None, is_lifetime };
        }
        let is_type = !reader.take_word("const");
        let name = reader.take_name();
        let argument = name.tokens();
        let stands_for_a_type = name.filter(|_| is_type).map(|name| name.to_string());
        Parameter { declaration, argument, stands_for_a_type, is_lifetime }
    }
}

/// The uses of type parameters in the types of fields.
struct Uses<'a> {
    parameters: Vec<&'a str>,
    /// The types that need a bound, `T` or `T::Item`, with their text.
    found: Vec<(String, TokenStream)>,
}

impl Uses<'_> {
    fn search(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut place = 0;
        while place < tokens.len() {
            match &tokens[place] {
                // `PhantomData<T>` has a value whatever `T` is.
                token if is_word(token, "PhantomData") => place += angle_length(&tokens[place + 1..]),
                TokenTree::Ident(name) if self.parameters.contains(&name.to_string().as_str()) => {
                    let used = match &tokens[place + 1..] {
                        [a, b, TokenTree::Ident(part), ..] if is_mark(a, ':') && is_mark(b, ':') => {
                            code!("$name::$part", name, part)
                        }
                        _ => name.tokens(),
                    };
                    let text = used.to_string();
                    if self.found.iter().all(|(known, _)| *known != text) {
                        self.found.push((text, used));
                    }
                }
                TokenTree::Group(group) => self.search(group.stream()),
                _ => {}
            }
            place += 1;
        }
    }
}

/// Counts the tokens of the generic arguments at the start.
fn angle_length(tokens: &[TokenTree]) -> usize {
    let mut angles = Angles::default();
    for (place, token) in tokens.iter().enumerate() {
        angles.pass(token);
        if !angles.are_open() {
            return if place == 0 { 0 } else { place + 1 };
        }
    }
    tokens.len()
}
