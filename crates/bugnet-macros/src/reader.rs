//! The reader: goes through tokens one after the other.
//!
//! The compiler has parsed an item before a macro sees it, so there is nothing to check: reading
//! means to find the parts. That is why these few lines can stand in for a parser of Rust, which
//! would cost each user more build time than the rest of the macros together.
//!
//! **Invariant:** a token is handed out once, and groups are handed out whole.

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// Tokens that are being read.
pub(crate) struct Reader {
    tokens: std::iter::Peekable<proc_macro::token_stream::IntoIter>,
}

impl Reader {
    pub(crate) fn new(tokens: TokenStream) -> Reader {
        Reader { tokens: tokens.into_iter().peekable() }
    }

    pub(crate) fn peek(&mut self) -> Option<&TokenTree> {
        self.tokens.peek()
    }

    pub(crate) fn next(&mut self) -> Option<TokenTree> {
        self.tokens.next()
    }

    pub(crate) fn is_empty(&mut self) -> bool {
        self.peek().is_none()
    }

    /// Returns the place of the next token; at the end, the place of the macro call.
    pub(crate) fn place(&mut self) -> Span {
        self.peek().map_or_else(Span::call_site, TokenTree::span)
    }

    /// Takes the next token if it fits.
    fn take_if(&mut self, fits: &dyn Fn(&TokenTree) -> bool) -> Option<TokenTree> {
        self.tokens.next_if(fits)
    }

    /// Takes the next token if it is this mark.
    pub(crate) fn take_mark(&mut self, mark: char) -> bool {
        self.take_if(&|token| is_mark(token, mark)).is_some()
    }

    /// Takes the next token if it is this word.
    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        self.take_if(&|token| is_word(token, word)).is_some()
    }

    /// Takes the next token if it is a name or a keyword.
    pub(crate) fn take_name(&mut self) -> Option<Ident> {
        match self.take_if(&|token| matches!(token, TokenTree::Ident(_)))? {
            TokenTree::Ident(name) => Some(name),
            _ => None,
        }
    }

    /// Takes the next token if it is a group in these delimiters.
    pub(crate) fn take_group(&mut self, delimiter: Delimiter) -> Option<Group> {
        let fits =
            |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == delimiter);
        match self.take_if(&fits)? {
            TokenTree::Group(group) => Some(group),
            _ => None,
        }
    }

    /// Passes over `pub`, `pub(crate)` and what `macro_rules!` makes of a visibility.
    pub(crate) fn take_visibility(&mut self) -> TokenStream {
        let mut visibility = TokenStream::new();
        if let Some(group) = self.take_group(Delimiter::None) {
            visibility.extend(group.stream());
        } else if let Some(word) = self.take_if(&|token| is_word(token, "pub")) {
            visibility.extend([word]);
            visibility.extend(self.take_if(&restricts));
        }
        visibility
    }

    /// Takes tokens until one fits that does not stand between `<` and `>`.
    pub(crate) fn until(&mut self, fits: impl Fn(&TokenTree) -> bool) -> TokenStream {
        let (mut taken, mut angles) = (TokenStream::new(), Angles::default());
        while let Some(token) = self.take_if(&|token| angles.are_open() || !fits(token)) {
            angles.pass(&token);
            taken.extend([token]);
        }
        taken
    }

    /// Takes everything that is left.
    pub(crate) fn rest(self) -> TokenStream {
        self.tokens.collect()
    }
}

/// Returns true if a group behind `pub` belongs to it, and is not a tuple of types.
fn restricts(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    let mut inside = Reader::new(group.stream());
    let is_place = ["crate", "self", "super"].iter().any(|word| inside.take_word(word)) && inside.is_empty();
    group.delimiter() == Delimiter::Parenthesis && (is_place || inside.take_word("in"))
}

/// The open `<` of a type.
#[derive(Default)]
pub(crate) struct Angles {
    open: u32,
    after_minus: bool,
}

impl Angles {
    /// Goes past a token.
    pub(crate) fn pass(&mut self, token: &TokenTree) {
        if is_mark(token, '<') {
            self.open += 1;
        } else if is_mark(token, '>') && !self.after_minus {
            self.open = self.open.saturating_sub(1);
        }
        self.after_minus = is_mark(token, '-');
    }

    pub(crate) fn are_open(&self) -> bool {
        self.open > 0
    }
}

pub(crate) fn is_mark(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark)
}

pub(crate) fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident.to_string() == word)
}

/// Returns the place of the first token.
pub(crate) fn start(tokens: &TokenStream) -> Span {
    Reader::new(tokens.clone()).place()
}

/// The tokens without the parentheses and the invisible groups of `macro_rules!` around them all.
pub(crate) fn bare(tokens: &TokenStream) -> TokenStream {
    let mut reader = Reader::new(tokens.clone());
    let first = reader.next();
    match first {
        Some(TokenTree::Group(group))
            if reader.is_empty() && matches!(group.delimiter(), Delimiter::None | Delimiter::Parenthesis) =>
        {
            // A tuple has a comma, or nothing at all.
            let inside = group.stream();
            let is_tuple = inside.is_empty() || inside.clone().into_iter().any(|token| is_mark(&token, ','));
            if group.delimiter() == Delimiter::Parenthesis && is_tuple {
                tokens.clone()
            } else {
                bare(&inside)
            }
        }
        _ => tokens.clone(),
    }
}

/// The parts of a list of fields, parameters or types.
pub(crate) fn split_types(tokens: TokenStream) -> Vec<TokenStream> {
    let mut reader = Reader::new(tokens);
    let mut parts = Vec::new();
    while !reader.is_empty() {
        parts.push(reader.until(|token| is_mark(token, ',')));
        reader.next();
    }
    parts
}

/// The parts of a list of expressions, where `<` compares unless it stands behind `::`.
pub(crate) fn split_expressions(tokens: TokenStream) -> Vec<TokenStream> {
    let (mut parts, mut part) = (Vec::new(), TokenStream::new());
    let (mut angles, mut colons) = (Angles::default(), 0);
    for token in tokens {
        if is_mark(&token, ',') && !angles.are_open() {
            parts.push(std::mem::take(&mut part));
            continue;
        }
        if angles.are_open() || colons == 2 {
            angles.pass(&token);
        }
        colons = if is_mark(&token, ':') { colons + 1 } else { 0 };
        part.extend([token]);
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}
