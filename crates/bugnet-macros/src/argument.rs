//! Arguments of calls: where each comes from, and how the body of an operation gets at it.
//!
//! **Invariant:** all literals are drawn before any value is touched, and what is moved is taken
//! before anything is borrowed.

use crate::abstraction::Abstraction;
use crate::attribute::Attribute;
use crate::emit::{Splice, code, code_at, local};
use crate::error::Error;
use crate::kind;
use crate::parameter::{Owned, Parameter, Passing, passing};
use crate::reader::{Reader, bare, is_mark, start};
use crate::substitution::forever;
use proc_macro::{Ident, TokenStream};

/// One argument of a call.
pub(crate) struct Argument {
    /// The type as written.
    pub(crate) written: TokenStream,
    /// The variable that holds it for the call.
    pub(crate) variable: Ident,
    /// The name of the parameter.
    name: String,
    pub(crate) owned: Owned,
    pub(crate) passing: Passing,
    pub(crate) origin: Origin,
    /// True if calls of the same suite make such values. What only calls can make then comes from them.
    pub(crate) is_made: bool,
    /// The abstraction of its literals in patterns, if one is named.
    pub(crate) abstraction: Option<Abstraction>,
    place: usize,
}

/// The origin of an argument.
pub(crate) enum Origin {
    /// From a generator.
    Drawn(TokenStream),
    /// From an earlier call.
    Earlier,
    /// From the generator of its type, if there is one, or else from an earlier call.
    Probed,
}

impl Argument {
    /// The receiver of a method of a type.
    pub(crate) fn receiver(receiver: &TokenStream, subject: &TokenStream) -> Result<Argument, Error> {
        let mut reader = Reader::new(receiver.clone());
        let written = reader.until(|token| is_mark(token, ':'));
        reader.next();
        let kind = if reader.is_empty() { typed(written, subject) } else { reader.rest() };
        let (passing, mut owned) = passing(&kind);
        owned.last_for_ever();
        if owned.text != kind::text(subject) {
            let message = "programs call methods on `self`, `&self` and `&mut self`; \
                           write one of these, or `#[skip]` before the function";
            return Err(Error::across(receiver, message));
        }
        let (variable, name) = (local("this"), "self".to_string());
        let (origin, abstraction) = (Origin::Earlier, None);
        let is_made = true;
        Ok(Argument { written: kind, variable, name, owned, passing, origin, is_made, abstraction, place: 0 })
    }

    /// The parameter at a place. Values of the given types come from calls only.
    pub(crate) fn read(tokens: TokenStream, place: usize, made: &[String]) -> Result<Argument, Error> {
        let mut parameter = Parameter::read(tokens, place)?;
        parameter.owned.last_for_ever();
        if parameter.passing == Passing::Source {
            let message = "a call cannot draw from the source while it runs, for it is printed with its \
                           arguments; write a parameter for each value that it needs";
            return Err(Error::across(&parameter.kind, message));
        }
        let variable = variable(&parameter, place)?;
        let earlier = Attribute::take_all(&mut parameter.attributes, "earlier").pop();
        let abstraction = Abstraction::take(&mut parameter.attributes)?;
        let origin = match (parameter.generator, earlier) {
            (Some(_), Some(earlier)) => {
                let message = "an argument is drawn or a result of an earlier call; remove `#[earlier]` or `#[with(…)]`";
                return Err(Error::new(earlier.place, message));
            }
            (Some(generator), None) => Origin::Drawn(generator),
            (None, Some(_)) => Origin::Earlier,
            (None, None) if made.contains(&parameter.owned.text) => Origin::Earlier,
            (None, None) => Origin::Probed,
        };
        if matches!(origin, Origin::Earlier) && abstraction.is_some() {
            let message =
                "results of earlier calls are variables in patterns anyway; remove `#[abstraction(…)]`";
            return Err(Error::across(&parameter.kind, message));
        }
        let Parameter { kind: written, shown: name, owned, passing, .. } = parameter;
        let is_made = false;
        Ok(Argument { written, variable, name, owned, passing, origin, is_made, abstraction, place })
    }

    pub(crate) fn is_receiver(&self) -> bool {
        self.name == "self"
    }

    /// Its parameter, as the engine is told of it.
    pub(crate) fn described(&self) -> TokenStream {
        let (name, kind) = (&self.name, described(&self.owned.tokens, &self.owned.text));
        let mode = match self.passing {
            Passing::Shared => code!("::bugnet::program::Mode::Shared"),
            Passing::Mutable => code!("::bugnet::program::Mode::Mutable"),
            _ => code!("::bugnet::program::Mode::Value"),
        };
        let earlier = code!("::bugnet::program::Parameter::earlier($name, $kind, $mode)", name, kind, mode);
        let drawn = |value: &TokenStream| {
            code!(
                "::bugnet::program::Parameter::drawn($name, $kind, $mode, |source| {
                    let value = $value;
                    match source.is_unseen() {
                        true => ::bugnet::__private::Shown::NOTHING,
                        false => (&&&&::bugnet::__private::Show(&value)).show(),
                    }
                })",
                name,
                kind,
                mode,
                value
            )
        };
        let (parameter, value) = match &self.origin {
            Origin::Earlier => return earlier,
            Origin::Drawn(generator) => {
                let value = self.generated(generator);
                (drawn(&value), value)
            }
            Origin::Probed => {
                let probe = self.probe();
                let value = code!("$probe.expect(\"it has a generator\")(source)", probe);
                let parameter = code!(
                    "match $probe {
                        ::core::option::Option::Some(_) => $drawn,
                        ::core::option::Option::None => $earlier,
                    }",
                    probe,
                    drawn = drawn(&value),
                    earlier,
                );
                (parameter, value)
            }
        };
        let told = self.abstraction.as_ref().map(|abstraction| abstraction.told(&value));
        code!("$parameter $told", parameter, told)
    }

    /// Draws a value from a generator that was given.
    fn generated(&self, generator: &TokenStream) -> TokenStream {
        let source = local("source");
        let place = start(generator);
        let value = code_at!(
            place,
            "::bugnet::generate::Generator::generate(&($generator), $source)",
            generator,
            source
        );
        // A range of numbers takes its type from here, as no other place tells it.
        match self.owned.is_stand_in {
            true => value,
            false => code!("{ let value: $kind = $value; value }", kind = self.owned.tokens, value),
        }
    }

    /// Asks for the generator of its type.
    fn probe(&self) -> TokenStream {
        let generator = local(if self.is_made { "generator_unless_built" } else { "generator" });
        code!("(&&::bugnet::program::Probe::<$kind>::NEW).$generator()", kind = self.owned.tokens, generator)
    }

    /// The variable of its literal.
    fn drawn(&self) -> Ident {
        local(&format!("drawn_{}", self.place))
    }

    /// Draws its literal.
    pub(crate) fn draw(&self) -> Option<TokenStream> {
        let mutable = (self.passing == Passing::Mutable).then(|| code!("mut"));
        let drawn = self.drawn();
        match &self.origin {
            Origin::Earlier => None,
            Origin::Drawn(generator) => Some(code!(
                "let $mutable $drawn =
                    frame.literal(::core::option::Option::Some(|source| $value)).expect(\"it is drawn\");",
                mutable,
                drawn,
                value = self.generated(generator)
            )),
            Origin::Probed => Some(code!(
                "let $mutable $drawn = frame.literal($probe);",
                mutable,
                drawn,
                probe = self.probe()
            )),
        }
    }

    /// Takes it, if it is passed by value.
    pub(crate) fn take(&self) -> Option<TokenStream> {
        (self.passing == Passing::Value).then(|| self.bind(&code!(""), "take"))
    }

    /// Borrows it, if it is passed by reference; for ever, if the result of the call borrows too.
    pub(crate) fn borrow(&self, leased: bool) -> Option<TokenStream> {
        match self.passing {
            Passing::Shared => Some(self.bind(&code!("&"), if leased { "lend" } else { "shared" })),
            Passing::Mutable => {
                Some(self.bind(&code!("&mut"), if leased { "lend_mutably" } else { "mutable" }))
            }
            _ => None,
        }
    }

    /// Puts it into its variable: the literal, or what a method of the frame finds.
    fn bind(&self, reference: &TokenStream, method: &str) -> TokenStream {
        let (variable, drawn, kind) = (&self.variable, self.drawn(), &self.owned.tokens);
        let found = code_at!(
            start(kind),
            "$frame.$method::<$kind>($place)",
            frame = local("frame"),
            method = local(method),
            kind,
            place = self.place as u64,
        );
        match &self.origin {
            Origin::Earlier => code!("let $variable = $found;", variable, found),
            Origin::Drawn(_) => code!("let $variable = $reference $drawn;", variable, reference, drawn),
            Origin::Probed => code!(
                "let $variable = match $reference $drawn {
                    ::core::option::Option::Some(value) => value,
                    ::core::option::Option::None => $found,
                };",
                variable,
                reference,
                drawn,
                found
            ),
        }
    }

    /// Returns a condition in code that says that the value is still where it was if the call is not made; nothing
    /// if it never is.
    pub(crate) fn stays(&self) -> Option<TokenStream> {
        match (&self.origin, self.passing) {
            (Origin::Earlier, Passing::Value) => None,
            (Origin::Probed, Passing::Value) => Some(code!("$drawn.is_some()", drawn = self.drawn())),
            _ => Some(code!("true")),
        }
    }
}

impl Owned {
    /// Makes its lifetimes `'static`, as those of stored values are.
    fn last_for_ever(&mut self) {
        self.tokens = forever(self.tokens.clone());
        if !self.is_stand_in {
            self.text = kind::text(&self.tokens);
        }
    }
}

/// The type of a receiver that was written without one.
fn typed(receiver: TokenStream, subject: &TokenStream) -> TokenStream {
    let mut reader = Reader::new(receiver);
    if !reader.take_mark('&') {
        return subject.clone();
    }
    let mut lifetime = TokenStream::new();
    if let Some(mark) = reader.peek().filter(|token| is_mark(token, '\'')).cloned() {
        reader.next();
        lifetime.extend([mark]);
        lifetime.extend(reader.next());
    }
    match reader.take_word("mut") {
        true => code!("&$lifetime mut $subject", lifetime, subject),
        false => code!("&$lifetime $subject", lifetime, subject),
    }
}

/// The variable for a parameter: its name, so that preconditions can speak of it.
fn variable(parameter: &Parameter, place: usize) -> Result<Ident, Error> {
    let mut reader = Reader::new(bare(&parameter.pattern));
    reader.take_word("mut");
    match reader.take_name() {
        Some(name) if reader.is_empty() && name.to_string() == "_" => Ok(local(&format!("argument_{place}"))),
        Some(name) if reader.is_empty() => Ok(name),
        _ => {
            let message = "programs call functions whose parameters have names; \
                           write a name instead of the pattern, and take the value apart inside";
            Err(Error::across(&parameter.pattern.tokens(), message))
        }
    }
}

/// A kind of values.
pub(crate) fn described(kind: &TokenStream, text: &str) -> TokenStream {
    code!("::bugnet::program::Kind::of::<$kind>($text)", kind, text)
}
