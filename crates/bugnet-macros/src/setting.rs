//! The settings in `#[property(…)]`, checked while the test is compiled.
//!
//! **Invariant:** a setting that is accepted here is one that the engine accepts.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Lit, Path, Token};

/// The names of all settings.
const KEYS: &str = "cases, time, seed, depth, strategies, shrinks, shrink_time, isolate, regressions, \
                    expect_panic, block_on";

/// All settings of a property.
#[derive(Default)]
pub(crate) struct Settings {
    /// Fields of `Options`, each with its value.
    pub(crate) options: Vec<(Ident, TokenStream)>,
    /// What runs the future of an `async` property.
    pub(crate) block_on: Option<Path>,
}

impl Parse for Settings {
    fn parse(input: ParseStream<'_>) -> Result<Settings, Error> {
        let mut settings = Settings::default();
        let mut seen: Vec<Ident> = Vec::new();
        for Setting { key, value } in Punctuated::<Setting, Token![,]>::parse_terminated(input)? {
            if seen.contains(&key) {
                return Err(Error::new(key.span(), format!("`{key}` is set twice; keep one of them")));
            }
            seen.push(key.clone());
            match value {
                Value::Word(path) if key == "block_on" => settings.block_on = Some(path),
                value => {
                    let value = option(&key, &value)?;
                    settings.options.push((key, value));
                }
            }
        }
        Ok(settings)
    }
}

/// One setting as written.
struct Setting {
    key: Ident,
    value: Value,
}

enum Value {
    /// Nothing but the key.
    Flag,
    Literal(Lit),
    /// A bare word or a path.
    Word(Path),
}

impl Parse for Setting {
    fn parse(input: ParseStream<'_>) -> Result<Setting, Error> {
        let key = input.call(Ident::parse_any).map_err(|error| {
            Error::new(error.span(), format!("write settings such as `cases = 1000`; there are: {KEYS}"))
        })?;
        if !input.peek(Token![=]) {
            return Ok(Setting { key, value: Value::Flag });
        }
        input.parse::<Token![=]>()?;
        let value = if input.peek(Lit) {
            Value::Literal(input.parse()?)
        } else if input.peek(Ident::peek_any) || input.peek(Token![::]) {
            Value::Word(input.call(Path::parse_mod_style)?)
        } else {
            return Err(input.error(format!("`{key}` needs a value that is written out, not computed")));
        };
        if !input.is_empty() && !input.peek(Token![,]) {
            return Err(input.error("a comma belongs between settings; values are written out, not computed"));
        }
        Ok(Setting { key, value })
    }
}

/// The value of a field of `Options`.
fn option(key: &Ident, value: &Value) -> Result<TokenStream, Error> {
    let problem = |what: &str| Err(Error::new(value.place(key), what));
    let word = value.word();
    Ok(match key.to_string().as_str() {
        "cases" => match value.number()? {
            Some(0) => {
                return problem(
                    "`cases = 0` would test nothing; give a number above zero, or `#[ignore]` the test",
                );
            }
            Some(cases) => quote!(#cases),
            None => return problem("`cases` needs a number, such as `cases = 1000`"),
        },
        "shrinks" => match value.number()? {
            Some(shrinks) => quote!(#shrinks),
            None => return problem("`shrinks` needs a number, such as `shrinks = 1000`"),
        },
        "depth" => match value.number()?.map(u32::try_from) {
            Some(Ok(depth)) => quote!(#depth),
            _ => return problem("`depth` needs a small number, such as `depth = 4`"),
        },
        "seed" => match (value.number()?, word.as_deref()) {
            (Some(seed), _) => {
                quote!(::bugnet::campaign::SeedChoice::This(::bugnet::choice::Seed(#seed)))
            }
            (_, Some("fixed")) => quote!(::bugnet::campaign::SeedChoice::Fixed),
            (_, Some("fresh")) => quote!(::bugnet::campaign::SeedChoice::Fresh),
            _ => return problem("`seed` needs a number such as `seed = 0x07`, or `fixed` or `fresh`"),
        },
        "time" | "shrink_time" => match word.as_deref().map(nanoseconds) {
            Some(Some(0)) if key == "time" => {
                return problem("`time` needs to be above zero to test anything");
            }
            Some(Some(time)) => quote!(::bugnet::campaign::Span(::std::time::Duration::from_nanos(#time))),
            _ => return problem(&format!("`{key}` needs a length of time, such as `{key} = \"5s\"`")),
        },
        "strategies" => match word.as_deref() {
            Some("both") => quote!(::bugnet::campaign::Strategies::Both),
            Some("random") => quote!(::bugnet::campaign::Strategies::Random),
            Some("exhaustive") => quote!(::bugnet::campaign::Strategies::Exhaustive),
            _ => return problem("`strategies` is one of random, exhaustive and both"),
        },
        "isolate" => match (value.truth(), word.as_deref().map(nanoseconds)) {
            (Some(true), _) => quote!(::bugnet::campaign::Isolate::CHILD),
            (Some(false), _) => quote!(::bugnet::campaign::Isolate::Off),
            (_, Some(Some(time))) if time > 0 => {
                quote!(::bugnet::campaign::Isolate::Child { patience: ::std::time::Duration::from_nanos(#time) })
            }
            _ => return problem("write `isolate`, or with the time one case may take `isolate = \"2s\"`"),
        },
        "regressions" => match value.truth() {
            Some(truth) => quote!(#truth),
            None => return problem("`regressions` is `true` or `false`"),
        },
        "expect_panic" => match value {
            Value::Flag => quote!(::std::string::String::new()),
            Value::Literal(Lit::Str(text)) => quote!(::std::string::String::from(#text)),
            _ => {
                return problem(
                    "write `expect_panic`, or with a part of the message `expect_panic = \"text\"`",
                );
            }
        },
        "block_on" => {
            return problem("`block_on` needs the path of a function, such as `block_on = runtime::run`");
        }
        unknown => {
            let message = format!("`{unknown}` is not a setting; the settings are: {KEYS}");
            return Err(Error::new(key.span(), message));
        }
    })
}

impl Value {
    /// Where the value stands, or its key if there is none.
    fn place(&self, key: &Ident) -> Span {
        match self {
            Value::Flag => key.span(),
            Value::Literal(literal) => literal.span(),
            Value::Word(path) => path.segments.first().map_or(key.span(), |first| first.ident.span()),
        }
    }

    fn number(&self) -> Result<Option<u64>, Error> {
        match self {
            Value::Literal(Lit::Int(number)) => number.base10_parse().map(Some).map_err(|_| {
                Error::new(
                    number.span(),
                    "this needs a number from 0 to 18446744073709551615, without a sign",
                )
            }),
            _ => Ok(None),
        }
    }

    /// A word, in quotes or bare.
    fn word(&self) -> Option<String> {
        match self {
            Value::Literal(Lit::Str(text)) => Some(text.value()),
            Value::Word(path) => path.get_ident().map(ToString::to_string),
            _ => None,
        }
    }

    /// `true` or `false`; a bare key is true.
    fn truth(&self) -> Option<bool> {
        match self {
            Value::Flag => Some(true),
            Value::Literal(Lit::Bool(truth)) => Some(truth.value),
            _ => None,
        }
    }
}

/// A length of time as `bugnet::campaign::Span` reads it. The macros cannot ask that type, for
/// its crate depends on this one.
fn nanoseconds(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let scale = match unit.trim() {
        "ms" => 1e6,
        "s" => 1e9,
        "m" | "min" => 6e10,
        "h" => 3.6e12,
        _ => return None,
    };
    number.parse::<f64>().ok().map(|number| (number * scale) as u64)
}
