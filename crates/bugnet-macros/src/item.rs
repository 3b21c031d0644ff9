//! The item that `#[derive(Generate)]` stands on: its variants, its fields, and what their
//! attributes ask for.
//!
//! **Invariant:** an item has at least one variant that is generated; a struct has exactly one
//! variant, which has no name of its own.

use crate::attribute::Attribute;
use crate::emit::{Splice, code, list};
use crate::error::Error;
use crate::generics::Generics;
use crate::number::Number;
use crate::reader::{Reader, bare, split_expressions, split_types};
use proc_macro::{Delimiter, Group, Ident, Span, TokenStream};

/// A struct or an enum.
pub(crate) struct Item {
    pub(crate) name: Ident,
    pub(crate) generics: Generics,
    pub(crate) variants: Vec<Variant>,
    /// True for an enum.
    pub(crate) chooses: bool,
}

/// A variant of an enum, or the fields of a struct.
pub(crate) struct Variant {
    /// Its name in an enum.
    pub(crate) name: Option<Ident>,
    pub(crate) fields: Vec<Field>,
    pub(crate) form: Form,
    /// The weight with which it is generated, if the enum names one; `None` if it never is.
    pub(crate) weight: Option<u64>,
}

/// The notation of a variant's fields.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Named,
    Tuple,
    Unit,
}

/// A field.
pub(crate) struct Field {
    /// Its name, if it has one.
    pub(crate) name: Option<Ident>,
    pub(crate) kind: TokenStream,
    pub(crate) origin: Origin,
}

/// The origin of the value of a field.
pub(crate) enum Origin {
    /// From its type.
    Type,
    /// From a generator.
    Generator(TokenStream),
    /// From `Default`.
    Default,
}

impl Item {
    pub(crate) fn read(input: TokenStream) -> Result<Item, Error> {
        let mut reader = Reader::new(input);
        if let Some(Asked { place, .. }) = Asked::of(&Attribute::read_all(&mut reader))? {
            let message = "`#[generate(…)]` belongs to a field or a variant; move it there";
            return Err(Error::new(place, message));
        }
        reader.take_visibility();
        let place = reader.place();
        let chooses = reader.take_word("enum");
        if !chooses && !reader.take_word("struct") {
            let message = "a union does not know which of its fields holds the value; \
                           implement `Generate` by hand, or derive it for an enum";
            return Err(Error::new(place, message));
        }
        let name = reader.take_name().ok_or_else(|| Error::new(place, "this item needs a name"))?;
        let mut generics = Generics::read(&mut reader);
        generics.read_bounds(&mut reader);
        let mut variants = Vec::new();
        match reader.take_group(Delimiter::Brace) {
            Some(body) if chooses => {
                for variant in split_expressions(body.stream()) {
                    variants.push(Variant::read(variant)?);
                }
            }
            body => {
                let fields = body.or_else(|| reader.take_group(Delimiter::Parenthesis));
                variants.push(Variant::of_fields(None, fields, Some(1))?);
            }
        }
        generics.read_bounds(&mut reader);
        let item = Item { name, generics, variants, chooses };
        item.check_that_it_has_values()?;
        Ok(item)
    }

    fn check_that_it_has_values(&self) -> Result<(), Error> {
        let message = if self.variants.is_empty() {
            "an enum without variants has no value to generate; add a variant, or remove `Generate`"
        } else if self.generated().is_empty() {
            "every variant is skipped, so there is no value to generate; \
             remove `#[generate(skip)]` from at least one"
        } else if self.generated().iter().all(|variant| variant.weight == Some(0)) {
            "every variant has the weight 0, so there is none to choose; give one a weight above 0"
        } else {
            return Ok(());
        };
        Err(Error::new(self.name.span(), message))
    }

    /// The variants that are generated, in the order of declaration.
    pub(crate) fn generated(&self) -> Vec<&Variant> {
        self.variants.iter().filter(|variant| variant.weight.is_some()).collect()
    }

    /// The weights of the variants that are generated; none if all are alike.
    pub(crate) fn weights(&self) -> Vec<u64> {
        let weights: Vec<u64> = self.generated().iter().filter_map(|variant| variant.weight).collect();
        if weights.iter().all(|weight| *weight == 1) { Vec::new() } else { weights }
    }
}

impl Variant {
    fn read(tokens: TokenStream) -> Result<Variant, Error> {
        let mut reader = Reader::new(tokens);
        let weight = match Asked::of(&Attribute::read_all(&mut reader))? {
            None => Some(1),
            Some(Asked { what: What::Skip, .. }) => None,
            Some(Asked { what: What::Weight(weight), .. }) => Some(weight),
            Some(Asked { what: What::With(_), place }) => {
                let message = "`with` belongs to a field; a variant takes `weight = …` or `skip`";
                return Err(Error::new(place, message));
            }
        };
        let name = reader.take_name();
        let fields =
            reader.take_group(Delimiter::Brace).or_else(|| reader.take_group(Delimiter::Parenthesis));
        Variant::of_fields(name, fields, weight)
    }

    fn of_fields(name: Option<Ident>, fields: Option<Group>, weight: Option<u64>) -> Result<Variant, Error> {
        let form = match fields.as_ref().map(Group::delimiter) {
            Some(Delimiter::Brace) => Form::Named,
            Some(_) => Form::Tuple,
            None => Form::Unit,
        };
        let mut variant = Variant { name, fields: Vec::new(), form, weight };
        for field in split_types(fields.map(|group| group.stream()).unwrap_or_default()) {
            variant.fields.push(Field::read(field, form)?);
        }
        Ok(variant)
    }

    /// The path by which the variant is built and matched.
    pub(crate) fn path(&self, item: &Item) -> TokenStream {
        let item = &item.name;
        match &self.name {
            Some(name) => code!("$item::$name", item, name),
            None => item.tokens(),
        }
    }

    /// Returns the tokens that follow the path, given one expression or pattern for each field.
    pub(crate) fn with_fields(&self, parts: impl Iterator<Item = TokenStream>) -> TokenStream {
        let fields = list(self.fields.iter().zip(parts).map(|(field, part)| match &field.name {
            Some(name) => code!("$name: $part", name, part),
            None => part,
        }));
        match self.form {
            Form::Named => code!("{ $fields }", fields),
            Form::Tuple => code!("($fields)", fields),
            Form::Unit => TokenStream::new(),
        }
    }
}

impl Field {
    fn read(tokens: TokenStream, form: Form) -> Result<Field, Error> {
        let mut reader = Reader::new(tokens);
        let origin = match Asked::of(&Attribute::read_all(&mut reader))? {
            None => Origin::Type,
            Some(Asked { what: What::Skip, .. }) => Origin::Default,
            Some(Asked { what: What::With(generator), .. }) => Origin::Generator(generator),
            Some(Asked { what: What::Weight(_), place }) => {
                let message = "`weight` belongs to a variant; a field takes `with = …` or `skip`";
                return Err(Error::new(place, message));
            }
        };
        if form == Form::Tuple {
            return Ok(Field { name: None, kind: after_visibility(reader.rest()), origin });
        }
        reader.take_visibility();
        let name = reader.take_name();
        reader.take_mark(':');
        Ok(Field { name, kind: reader.rest(), origin })
    }
}

/// The type of a tuple's field. An invisible group is its visibility only if a type follows.
fn after_visibility(tokens: TokenStream) -> TokenStream {
    let mut reader = Reader::new(tokens.clone());
    reader.take_visibility();
    if reader.is_empty() { tokens } else { reader.rest() }
}

/// The wish of a `#[generate(…)]`, and its place.
struct Asked {
    what: What,
    place: Span,
}

enum What {
    Skip,
    With(TokenStream),
    /// Fits into 32 bits.
    Weight(u64),
}

const USAGE: &str = "`#[generate(…)]` takes `with = …`, `skip`, or on a variant `weight = …`";

impl Asked {
    /// Reads the wish in the attributes of a field or variant.
    fn of(attributes: &[Attribute]) -> Result<Option<Asked>, Error> {
        let mut ours = attributes.iter().filter(|attribute| attribute.is("generate"));
        let Some(first) = ours.next() else { return Ok(None) };
        if let Some(second) = ours.next() {
            let message = "a second `#[generate(…)]` contradicts the first; keep one of them";
            return Err(Error::new(second.place, message));
        }
        let mut reader = Reader::new(first.arguments(USAGE)?);
        let Some(key) = reader.take_name() else { return Err(Error::new(first.place, USAGE)) };
        let place = key.span();
        let what = match key.to_string().as_str() {
            "with" => {
                return generator(&key, reader)
                    .map(|generator| Some(Asked { what: What::With(generator), place }));
            }
            "skip" => What::Skip,
            "weight" => What::Weight(weight(&key, &mut reader)?),
            unknown => return Err(Error::new(place, format!("`{unknown}` is not known here; {USAGE}"))),
        };
        reader.take_mark(',');
        if !reader.is_empty() {
            return Err(Error::new(reader.place(), "`#[generate(…)]` takes one thing; remove the rest"));
        }
        Ok(Some(Asked { what, place }))
    }
}

/// The generator of a field: all that is left, for an expression may have commas of its own.
fn generator(key: &Ident, mut reader: Reader) -> Result<TokenStream, Error> {
    let is_given = reader.take_mark('=') && !reader.is_empty();
    if is_given {
        Ok(reader.rest())
    } else {
        Err(Error::new(key.span(), "`with = …` needs a generator, such as `0..10`"))
    }
}

fn weight(key: &Ident, reader: &mut Reader) -> Result<u64, Error> {
    let place = if reader.take_mark('=') { reader.place() } else { key.span() };
    let value = bare(&reader.next().tokens());
    match Reader::new(value).peek().and_then(Number::read) {
        Some(Number::Value(weight)) if weight <= u64::from(u32::MAX) => Ok(weight),
        Some(_) => Err(Error::new(place, "this weight is too large; those up to 4294967295 are not")),
        None => Err(Error::new(place, "a weight is a whole number, such as `weight = 3`")),
    }
}
