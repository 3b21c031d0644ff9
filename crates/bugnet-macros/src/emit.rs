//! Code that the macros write: templates of Rust whose gaps are filled with what the user wrote.
//!
//! ```text
//! let arms = methods.iter().map(|Method { name, arguments, .. }| {
//!     code!("Call::$name($fields) => self.$name($fields)", name, fields = list(arguments))
//! });
//! code!(
//!     "impl $item {
//!         fn call(&mut self, call: Call) {
//!             match call { $arms }
//!         }
//!     }",
//!     item,
//!     arms = list(arms),
//! )
//! ```
//!
//! A gap `$item` is filled by the variable `item`, or by what is given as `item = …`; [`Splice`] tells
//! what can fill it. What is repeated is an iterator: collect it into a `TokenStream`, or make it a
//! [`list`] with commas. Where the compiler may have to complain about something that the user wrote,
//! such as a type without a trait, `code_at!(start(kind), "<$kind as Trait>::method()", kind)` makes it
//! complain there.
//!
//! A template is a string, and not tokens as in `quote!`, because a string costs nothing to compile,
//! and every user waits for this crate.
//!
//! **Invariant:** what fills a gap keeps its spans, so that errors in it point into the user's file.
//! All else stands where the macro is called, and its variables are invisible to the user's code.

use proc_macro::{Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// Fills the gaps of a template. Errors in it are shown where the macro is called.
macro_rules! code {
    ($template:literal $($parts:tt)*) => {
        $crate::emit::code_at!(::proc_macro::Span::mixed_site(), $template $($parts)*)
    };
}

/// Fills the gaps of a template that stands where something of the user's does: errors in it are
/// shown there. Variables of [`code!`] are known to it only as [`local`].
macro_rules! code_at {
    ($place:expr, $template:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::emit::filled(
            $template,
            $place,
            &[$((stringify!($name), $crate::emit::code_at!(@part $name $($value)?))),*],
        )
    };
    (@part $name:ident) => { &$name };
    (@part $name:ident $value:expr) => { &$value };
}

pub(crate) use {code, code_at};

/// Values that can fill a gap.
pub(crate) trait Splice {
    /// Its tokens.
    fn tokens(&self) -> TokenStream;
}

impl Splice for TokenStream {
    fn tokens(&self) -> TokenStream {
        self.clone()
    }
}

impl Splice for Ident {
    fn tokens(&self) -> TokenStream {
        TokenTree::Ident(self.clone()).into()
    }
}

impl Splice for Group {
    fn tokens(&self) -> TokenStream {
        TokenTree::Group(self.clone()).into()
    }
}

impl Splice for TokenTree {
    fn tokens(&self) -> TokenStream {
        self.clone().into()
    }
}

/// A text is a literal in quotes.
impl Splice for str {
    fn tokens(&self) -> TokenStream {
        TokenTree::Literal(Literal::string(self)).into()
    }
}

impl Splice for String {
    fn tokens(&self) -> TokenStream {
        self.as_str().tokens()
    }
}

/// A number is a literal whose type is inferred.
impl Splice for u64 {
    fn tokens(&self) -> TokenStream {
        TokenTree::Literal(Literal::u64_unsuffixed(*self)).into()
    }
}

/// Leaves nothing for `None`.
impl<T: Splice> Splice for Option<T> {
    fn tokens(&self) -> TokenStream {
        self.as_ref().map(Splice::tokens).unwrap_or_default()
    }
}

/// One behind the other.
impl<T: Splice> Splice for Vec<T> {
    fn tokens(&self) -> TokenStream {
        let mut tokens = TokenStream::new();
        self.iter().for_each(|part| tokens.extend(part.tokens()));
        tokens
    }
}

impl<T: Splice + ?Sized> Splice for &T {
    fn tokens(&self) -> TokenStream {
        (**self).tokens()
    }
}

/// Each with a comma behind it, the last one too.
pub(crate) fn list(parts: impl IntoIterator<Item = impl Splice>) -> TokenStream {
    let mut list = TokenStream::new();
    for part in parts {
        add_to_list(&mut list, part.tokens());
    }
    list
}

fn add_to_list(list: &mut TokenStream, part: TokenStream) {
    let comma = TokenTree::Punct(Punct::new(',', Spacing::Alone));
    list.extend([part, comma.into()]);
}

/// A variable of the templates. Expressions of the user neither see nor hide it.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// Fills the gaps of a template, at a place; `code!` and `code_at!` call it.
pub(crate) fn filled(template: &str, place: Span, parts: &[(&str, &dyn Splice)]) -> TokenStream {
    fill(template.parse().expect("a template consists of tokens"), place, parts)
}

fn fill(template: TokenStream, place: Span, parts: &[(&str, &dyn Splice)]) -> TokenStream {
    let mut filled: Vec<TokenTree> = Vec::new();
    let mut tokens = template.into_iter();
    while let Some(mut token) = tokens.next() {
        match &mut token {
            TokenTree::Punct(mark) if mark.as_char() == '$' => {
                let name = tokens.next().map(|name| name.to_string()).unwrap_or_default();
                let part = parts.iter().find(|part| part.0 == name);
                separate(filled.last_mut());
                filled.extend(part.unwrap_or_else(|| panic!("nothing fills `${name}`")).1.tokens());
                continue;
            }
            TokenTree::Group(group) => {
                *group = Group::new(group.delimiter(), fill(group.stream(), place, parts))
            }
            _ => {}
        }
        token.set_span(place);
        filled.push(token);
    }
    filled.into_iter().collect()
}

/// Keeps a mark from melting with what fills the gap behind it, as in `&` and `&a`.
fn separate(token: Option<&mut TokenTree>) {
    if let Some(TokenTree::Punct(mark)) = token {
        let place = mark.span();
        *mark = Punct::new(mark.as_char(), Spacing::Alone);
        mark.set_span(place);
    }
}
