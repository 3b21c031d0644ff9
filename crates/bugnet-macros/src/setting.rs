//! The settings in `#[property(…)]`, `#[machine(…)]` and `#[api(…)]`, checked while the test is compiled.
//!
//! **Invariant:** a setting that is accepted here is one that the engine accepts.

use crate::emit::{Splice, code, list};
use crate::error::Error;
use crate::number::Number;
use crate::reader::{Reader, bare, is_mark, is_word, split_types, start};
use proc_macro::{Ident, Span, TokenStream, TokenTree};

/// The names of the settings of a property.
pub(crate) const OF_PROPERTY: &str = "cases, time, seed, depth, strategies, shrinks, shrink_time, isolate, \
                                      regressions, expect_panic, block_on, explain, bugs";

/// The names of the settings of a machine.
pub(crate) const OF_MACHINE: &str = "cases, time, seed, depth, strategies, shrinks, shrink_time, isolate, \
                                     regressions, expect_panic, block_on, explain, steps, swarm, observe, write, bugs, name";

/// The names of the settings of `#[api]`.
pub(crate) const OF_API: &str = "cases, time, seed, depth, strategies, shrinks, shrink_time, isolate, \
                                 regressions, expect_panic, block_on, explain, steps, swarm, observe, write, bugs, strict, name";

/// The names of the settings of `suite!`, which tells the name before them.
pub(crate) const OF_FOREIGN: &str = "cases, time, seed, depth, strategies, shrinks, shrink_time, isolate, \
                                     regressions, expect_panic, block_on, explain, steps, swarm, observe, write, bugs, strict";

/// The names of the settings of a law, for `cargo bugnet check`.
pub(crate) const OF_LAW: &str = "cases, expect_panic, discard, test";

/// The names of the settings of a law that is also run by `cargo test`.
pub(crate) const OF_TESTED_LAW: &str = "cases, expect_panic, discard, test, time, seed, depth, strategies, shrinks, \
                                        shrink_time, isolate, regressions, explain, bugs";

/// All settings of a test.
#[derive(Default)]
pub(crate) struct Settings {
    /// Fields of `Options`, each with its value.
    options: Vec<(Ident, TokenStream)>,
    /// The function that runs the future of an `async` function.
    pub(crate) block_on: Option<TokenStream>,
    /// True if no call may panic.
    pub(crate) strict: bool,
    /// The name of the test.
    pub(crate) name: Option<Ident>,
    /// True if a law is run by `cargo test` too.
    pub(crate) is_tested: bool,
    /// The settings of a law that are fields of `Law`.
    pub(crate) law: Vec<(Ident, TokenStream)>,
}

impl Settings {
    /// Reads settings of these names.
    pub(crate) fn read(tokens: TokenStream, names: &str) -> Result<Settings, Error> {
        let mut settings = Settings::default();
        let mut seen: Vec<String> = Vec::new();
        for setting in split_types(tokens) {
            let Setting { key, value } = Setting::read(setting, names)?;
            let name = key.to_string();
            if seen.contains(&name) {
                return Err(Error::new(key.span(), format!("`{name}` is set twice; keep one of them")));
            }
            match value.what {
                What::Path(path) if name == "block_on" => settings.block_on = Some(path),
                What::Path(path) if name == "name" && knows(names, &name) => {
                    settings.name = Reader::new(path).take_name();
                }
                What::Flag if name == "strict" && knows(names, &name) => settings.strict = true,
                What::Flag if name == "test" && knows(names, &name) => settings.is_tested = true,
                what if knows(names, "discard") && OF_LAW.contains(&name) => {
                    let value = Value { what, ..value };
                    let field = law_field(&name, &value);
                    let field =
                        field.ok_or_else(|| Error::new(value.place, wanted(&name).unwrap_or_default()));
                    settings.law.push((key.clone(), field?));
                    if name == "cases" {
                        settings.options.push((key.clone(), option(&key, &value, names)?));
                    }
                }
                what => {
                    let value = option(&key, &Value { what, ..value }, names)?;
                    settings.options.push((key, value));
                }
            }
            seen.push(name);
        }
        Ok(settings)
    }

    /// Hands the settings to a property.
    pub(crate) fn options(&self) -> Option<TokenStream> {
        let options = self.options.iter();
        let options =
            options.map(|(key, value)| code!("$key: ::core::option::Option::Some($value)", key, value));
        (!self.options.is_empty()).then(|| {
            code!(
                ".options(::bugnet::campaign::Options { $options ..::core::default::Default::default() })",
                options = list(options),
            )
        })
    }

    /// Runs a future.
    pub(crate) fn run(&self, future: &TokenStream) -> TokenStream {
        match &self.block_on {
            Some(block_on) => code!("$block_on($future)", block_on, future),
            None => code!("::bugnet::__private::block_on($future)", future),
        }
    }

    /// Refuses to run futures where there are none.
    pub(crate) fn demand_futures(&self, is_async: bool) -> Result<(), Error> {
        match &self.block_on {
            Some(path) if !is_async => {
                let message =
                    "`block_on` runs the future of an `async fn`; remove it, or make the function one";
                Err(Error::across(path, message))
            }
            _ => Ok(()),
        }
    }
}

/// One setting as written.
struct Setting {
    key: Ident,
    value: Value,
}

/// The value of a setting, and where it stands.
struct Value {
    what: What,
    place: Span,
}

enum What {
    /// Nothing but the key.
    Flag,
    Truth(bool),
    Number(u64),
    /// A word in quotes, and the literal.
    Text(String, TokenTree),
    /// A bare word or a path.
    Path(TokenStream),
    /// Something that no setting takes.
    Other,
}

impl Setting {
    fn read(tokens: TokenStream, names: &str) -> Result<Setting, Error> {
        let mut reader = Reader::new(tokens);
        let place = reader.place();
        let Some(key) = reader.take_name() else {
            let message = format!("write settings such as `cases = 1000`; there are: {names}");
            return Err(Error::new(place, message));
        };
        if reader.is_empty() {
            return Ok(Setting { value: Value { what: What::Flag, place: key.span() }, key });
        }
        if !reader.take_mark('=') {
            let message = format!("`=` belongs between a setting and its value: `{key} = …`");
            return Err(Error::new(reader.place(), message));
        }
        let value = Value::read(bare(&reader.rest()))?;
        Ok(Setting { key, value })
    }
}

impl Value {
    fn read(tokens: TokenStream) -> Result<Value, Error> {
        let place = start(&tokens);
        let all: Vec<TokenTree> = tokens.clone().into_iter().collect();
        let is_path = |token: &TokenTree| is_mark(token, ':') || matches!(token, TokenTree::Ident(_));
        let what = match all.as_slice() {
            [word] if is_word(word, "true") => What::Truth(true),
            [word] if is_word(word, "false") => What::Truth(false),
            [TokenTree::Literal(literal)] => match (Number::read(&all[0]), literal.to_string()) {
                (Some(Number::Value(number)), _) => What::Number(number),
                (Some(Number::TooLarge), _) => {
                    return Err(Error::new(place, "no setting takes a number of more than 64 bits"));
                }
                (None, text) if text.ends_with(['"', '#']) => What::Text(
                    text.trim_start_matches('r').trim_matches(['"', '#']).to_string(),
                    all[0].clone(),
                ),
                _ => What::Other,
            },
            path if !path.is_empty() && path.iter().all(is_path) => What::Path(tokens),
            [TokenTree::Literal(_), .., next] => {
                let message = "a comma belongs between settings; values are written out, not computed";
                return Err(Error::new(all.get(1).unwrap_or(next).span(), message));
            }
            _ => What::Other,
        };
        Ok(Value { what, place })
    }

    /// A word, in quotes or bare.
    fn word(&self) -> Option<String> {
        match &self.what {
            What::Text(text, _) => Some(text.clone()),
            What::Path(path) => Some(path.to_string()),
            _ => None,
        }
    }
}

/// The value of a field of `Options`.
fn option(key: &Ident, value: &Value, names: &str) -> Result<TokenStream, Error> {
    let name = key.to_string();
    let Some(wanted) = wanted(&name).filter(|_| knows(names, &name)) else {
        let message = format!("`{name}` is not a setting; the settings are: {names}");
        return Err(Error::new(key.span(), message));
    };
    accepted(&name, value).ok_or_else(|| Error::new(value.place, wanted))
}

/// The code for a field of `Law`; `None` if the value is not what the setting wants.
fn law_field(key: &str, value: &Value) -> Option<TokenStream> {
    Some(match (key, &value.what) {
        ("cases", What::Number(number @ 1..)) => number.tokens(),
        ("expect_panic", What::Flag) => code!("\"\""),
        ("expect_panic" | "discard", What::Text(_, text)) => text.tokens(),
        _ => return None,
    })
}

/// Returns true if a name is among these.
fn knows(names: &str, name: &str) -> bool {
    names.split(", ").any(|known| known == name)
}

/// Returns the message of a setting for those who gave it something else; `None` if it is not known.
fn wanted(key: &str) -> Option<&'static str> {
    Some(match key {
        "cases" => {
            "`cases` needs a number above zero, such as `cases = 1000`; to test nothing, `#[ignore]` the test"
        }
        "time" => "`time` needs a length of time above zero, such as `time = \"5s\"`",
        "seed" => "`seed` needs a number such as `seed = 0x07`, or `fixed` or `fresh`",
        "depth" => "`depth` needs a small number, such as `depth = 4`",
        "strategies" => "`strategies` is one of random, exhaustive and both, or for programs feedback",
        "shrinks" => "`shrinks` needs a number, such as `shrinks = 1000`",
        "shrink_time" => "`shrink_time` needs a length of time, such as `shrink_time = \"10s\"`",
        "isolate" => "write `isolate`, or with the time one case may take `isolate = \"2s\"`",
        "regressions" => "`regressions` is `true` or `false`",
        "explain" => "`explain` is `true` or `false`",
        "expect_panic" => "write `expect_panic`, or with a part of the message `expect_panic = \"text\"`",
        "discard" => "`discard` needs a part of the message of a panic, such as `discard = \"out of range\"`",
        "test" => "write `test` and nothing else",
        "block_on" => "`block_on` needs the path of a function, such as `block_on = runtime::run`",
        "steps" => "`steps` needs a number of calls above zero, such as `steps = 30`",
        "swarm" => {
            "`swarm` is one of mix, all, uniform, weighted and complete, or in quotes such as \"coin:0.3\", \
             \"set:10\", \"covering:3\" and \"coin+all\""
        }
        "observe" => "`observe` is one of never, sometimes and always",
        "write" => "write `write`, or with the folder for tests `write = \"tests/bugnet\"`",
        "bugs" => "`bugs` is `first`, `more` or `all`",
        "strict" => "write `strict` and nothing else",
        "name" => "`name` needs the name of the test, such as `name = registry`",
        _ => return None,
    })
}

/// The code for the value of a setting; `None` if it is not what the setting wants.
fn accepted(key: &str, value: &Value) -> Option<TokenStream> {
    let word = value.word();
    let word = word.as_deref();
    let time = word.and_then(nanoseconds);
    let duration = time.map(|time| code!("::std::time::Duration::from_nanos($time)", time));
    Some(match (key, &value.what) {
        ("cases" | "steps", What::Number(number @ 1..)) | ("shrinks", What::Number(number)) => {
            number.tokens()
        }
        ("swarm", _) if word.is_some_and(is_scheme) => parsed(word?),
        ("observe", _) => match word? {
            "never" => code!("::bugnet::campaign::Observe::Never"),
            "sometimes" => code!("::bugnet::campaign::Observe::Sometimes"),
            "always" => code!("::bugnet::campaign::Observe::Always"),
            _ => return None,
        },
        ("write", What::Flag | What::Truth(true)) => parsed("on"),
        ("write", What::Truth(false)) => parsed("off"),
        ("write", What::Text(folder, _)) => parsed(folder),
        ("bugs", _) => match word? {
            "all" => code!("::bugnet::campaign::WantedBugs::ALL"),
            "more" => code!("::bugnet::campaign::WantedBugs::MORE"),
            "first" => code!("::bugnet::campaign::WantedBugs::FIRST"),
            _ => return None,
        },
        ("depth", What::Number(depth)) if u32::try_from(*depth).is_ok() => depth.tokens(),
        ("seed", What::Number(seed)) => {
            code!("::bugnet::campaign::SeedChoice::This(::bugnet::choice::Seed($seed))", seed)
        }
        ("seed", _) if word == Some("fixed") => code!("::bugnet::campaign::SeedChoice::Fixed"),
        ("seed", _) if word == Some("fresh") => code!("::bugnet::campaign::SeedChoice::Fresh"),
        ("time", _) if time == Some(0) => return None,
        ("time" | "shrink_time", _) => code!("::bugnet::campaign::Span($duration)", duration = duration?),
        ("strategies", _) => match word? {
            "both" => code!("::bugnet::campaign::Strategies::Both"),
            "random" => code!("::bugnet::campaign::Strategies::Random"),
            "exhaustive" => code!("::bugnet::campaign::Strategies::Exhaustive"),
            "feedback" => code!("::bugnet::campaign::Strategies::Feedback"),
            _ => return None,
        },
        ("isolate", What::Flag | What::Truth(true)) => code!("::bugnet::campaign::Isolate::CHILD"),
        ("isolate", What::Truth(false)) => code!("::bugnet::campaign::Isolate::Off"),
        ("isolate", _) if time != Some(0) => {
            code!("::bugnet::campaign::Isolate::Child { patience: $patience }", patience = duration?)
        }
        ("regressions" | "explain", What::Truth(true)) => code!("true"),
        ("regressions" | "explain", What::Truth(false)) => code!("false"),
        ("expect_panic", What::Flag) => code!("::std::string::String::new()"),
        ("expect_panic", What::Text(_, text)) => code!("::std::string::String::from($text)", text),
        _ => return None,
    })
}

/// A value that the library reads from a text that it is known to accept.
fn parsed(text: &str) -> TokenStream {
    code!("::core::str::FromStr::from_str($text).expect(\"the macro has read it\")", text)
}

/// Returns true if `bugnet::swarm::Scheme` reads a text. As below, the macros cannot ask.
fn is_scheme(text: &str) -> bool {
    if let Some(most) = text.strip_suffix("+all") {
        return is_scheme(most) && !["all", "mix", "complete"].contains(&most) && !most.ends_with("+all");
    }
    match text.split_once(':') {
        Some(("coin", share)) => share.parse().is_ok_and(|share: f64| (0.0..=1.0).contains(&share)),
        Some(("set", count)) => count.parse().is_ok_and(|count: u32| count > 0),
        Some(("covering", detail)) => {
            let (ways, free) = detail.split_once(':').unwrap_or((detail, "coin"));
            ["2", "3", "4", "5"].contains(&ways) && ["on", "off", "coin"].contains(&free)
        }
        Some(_) => false,
        None => ["all", "coin", "uniform", "weighted", "complete", "mix"].contains(&text),
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
