//! The item that `#[derive(Generate)]` stands on: its variants, its fields, and what their
//! attributes ask for.
//!
//! **Invariant:** an item has at least one variant that is generated; a struct has exactly one
//! variant, which has no name of its own.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::BTreeMap;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Error, Fields, Generics, Ident, LitInt, Member, Token, Type};

/// A struct or an enum.
pub(crate) struct Item {
    pub(crate) name: Ident,
    pub(crate) generics: Generics,
    pub(crate) variants: Vec<Variant>,
    /// Whether it is an enum.
    pub(crate) chooses: bool,
}

/// A variant of an enum, or the fields of a struct.
pub(crate) struct Variant {
    /// Its name in an enum.
    pub(crate) name: Option<Ident>,
    pub(crate) fields: Vec<Field>,
    pub(crate) form: Form,
    /// How often it is generated, if the enum says so; `None` if never.
    pub(crate) weight: Option<u32>,
}

/// How the fields of a variant are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Named,
    Tuple,
    Unit,
}

/// A field.
pub(crate) struct Field {
    pub(crate) member: Member,
    pub(crate) kind: Type,
    pub(crate) origin: Origin,
}

/// Where the value of a field comes from.
pub(crate) enum Origin {
    /// From its type.
    Type,
    /// From a generator.
    Generator(TokenStream),
    /// From `Default`.
    Default,
}

impl Item {
    pub(crate) fn parse(input: DeriveInput) -> Result<Item, Error> {
        let DeriveInput { attrs, ident: name, generics, data, .. } = input;
        if let Some(Asked { place, .. }) = Asked::of(&attrs)? {
            let message = "`#[generate(…)]` belongs to a field or a variant; move it there";
            return Err(Error::new(place, message));
        }
        let (variants, chooses) = match data {
            Data::Struct(data) => (vec![Variant::parse(None, &[], data.fields)?], false),
            Data::Enum(data) => {
                let variants = data.variants.into_iter();
                let parse = |variant: syn::Variant| {
                    Variant::parse(Some(variant.ident), &variant.attrs, variant.fields)
                };
                (variants.map(parse).collect::<Result<Vec<_>, _>>()?, true)
            }
            Data::Union(data) => {
                let message = "a union does not know which of its fields holds the value; \
                               implement `Generate` by hand, or derive it for an enum";
                return Err(Error::new(data.union_token.span, message));
            }
        };
        let item = Item { name, generics, variants, chooses };
        item.check_that_it_has_values()?;
        Ok(item)
    }

    fn check_that_it_has_values(&self) -> Result<(), Error> {
        let message = if self.variants.is_empty() {
            "an enum without variants has no value to generate; add a variant, or remove `Generate`"
        } else if self.generated().count() == 0 {
            "every variant is skipped, so there is no value to generate; \
             remove `#[generate(skip)]` from at least one"
        } else if self.generated().all(|variant| variant.weight == Some(0)) {
            "every variant has the weight 0, so there is none to choose; give one a weight above 0"
        } else {
            return Ok(());
        };
        Err(Error::new(self.name.span(), message))
    }

    /// The variants that are generated, in the order of declaration.
    pub(crate) fn generated(&self) -> impl Iterator<Item = &Variant> {
        self.variants.iter().filter(|variant| variant.weight.is_some())
    }

    /// The weights of the variants that are generated; none if all are alike.
    pub(crate) fn weights(&self) -> Vec<u32> {
        let weights: Vec<u32> = self.generated().filter_map(|variant| variant.weight).collect();
        if weights.iter().all(|weight| *weight == 1) { Vec::new() } else { weights }
    }

    /// The generics, with a bound on each type parameter that the given types make use of.
    ///
    /// The bound stands on the parameter and not on the type of the field, as with the derives of
    /// the standard library: a bound on the field of a recursive type would refer to itself.
    pub(crate) fn bounded<'a>(&self, types: impl Iterator<Item = &'a Type>, bound: &TokenStream) -> Generics {
        let mut uses = Uses {
            parameters: self.generics.type_params().map(|p| &p.ident).collect(),
            found: BTreeMap::new(),
        };
        for kind in types {
            uses.search(kind.to_token_stream());
        }
        let mut generics = self.generics.clone();
        if !uses.found.is_empty() {
            let predicates = &mut generics.make_where_clause().predicates;
            predicates.extend(
                uses.found
                    .into_values()
                    .map(|used| -> syn::WherePredicate { syn::parse_quote!(#used: #bound) }),
            );
        }
        generics
    }
}

/// The uses of type parameters in the types of fields.
struct Uses<'a> {
    parameters: Vec<&'a Ident>,
    /// What needs a bound, `T` or `T::Item`, by its text.
    found: BTreeMap<String, TokenStream>,
}

impl Uses<'_> {
    fn search(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut place = 0;
        while place < tokens.len() {
            match &tokens[place] {
                // `PhantomData<T>` has a value whatever `T` is.
                TokenTree::Ident(name) if name == "PhantomData" => {
                    place += angle_length(&tokens[place + 1..]);
                }
                TokenTree::Ident(name) if self.parameters.contains(&name) => {
                    let used = match &tokens[place + 1..] {
                        [TokenTree::Punct(a), TokenTree::Punct(b), TokenTree::Ident(part), ..]
                            if a.as_char() == ':' && b.as_char() == ':' =>
                        {
                            quote!(#name::#part)
                        }
                        _ => quote!(#name),
                    };
                    self.found.insert(used.to_string(), used);
                }
                TokenTree::Group(group) => self.search(group.stream()),
                _ => {}
            }
            place += 1;
        }
    }
}

/// How many tokens the generic arguments at the start take.
fn angle_length(tokens: &[TokenTree]) -> usize {
    let mut depth = 0;
    for (place, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
            TokenTree::Punct(punct) if punct.as_char() == '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return if place == 0 { 0 } else { place + 1 };
        }
    }
    tokens.len()
}

impl Variant {
    fn parse(name: Option<Ident>, attributes: &[Attribute], fields: Fields) -> Result<Variant, Error> {
        let weight = match Asked::of(attributes)? {
            None => Some(1),
            Some(Asked { what: What::Skip, .. }) => None,
            Some(Asked { what: What::Weight(weight), .. }) => Some(weight),
            Some(Asked { what: What::With(_), place }) => {
                return Err(Error::new(
                    place,
                    "`with` belongs to a field; a variant takes `weight = …` or `skip`",
                ));
            }
        };
        let form = match &fields {
            Fields::Named(_) => Form::Named,
            Fields::Unnamed(_) => Form::Tuple,
            Fields::Unit => Form::Unit,
        };
        let fields = fields.members().zip(&fields).map(|(member, field)| Field::parse(member, field));
        Ok(Variant { name, fields: fields.collect::<Result<_, _>>()?, form, weight })
    }

    /// The path by which the variant is built and matched.
    pub(crate) fn path(&self, item: &Item) -> TokenStream {
        let item = &item.name;
        self.name.as_ref().map_or_else(|| quote!(#item), |name| quote!(#item::#name))
    }

    /// What follows the path, given one expression or pattern for each field.
    pub(crate) fn with_fields(&self, parts: impl Iterator<Item = TokenStream>) -> TokenStream {
        let members = self.fields.iter().map(|field| &field.member);
        let (delimiter, parts) = match self.form {
            Form::Named => (Delimiter::Brace, quote!(#(#members: #parts),*)),
            Form::Tuple => (Delimiter::Parenthesis, quote!(#(#parts),*)),
            Form::Unit => return TokenStream::new(),
        };
        Group::new(delimiter, parts).into_token_stream()
    }
}

impl Field {
    fn parse(member: Member, field: &syn::Field) -> Result<Field, Error> {
        let origin = match Asked::of(&field.attrs)? {
            None => Origin::Type,
            Some(Asked { what: What::Skip, .. }) => Origin::Default,
            Some(Asked { what: What::With(generator), .. }) => Origin::Generator(generator),
            Some(Asked { what: What::Weight(_), place }) => {
                return Err(Error::new(
                    place,
                    "`weight` belongs to a variant; a field takes `with = …` or `skip`",
                ));
            }
        };
        Ok(Field { member, kind: field.ty.clone(), origin })
    }
}

/// What a `#[generate(…)]` asks for, and where.
struct Asked {
    what: What,
    place: Span,
}

enum What {
    Skip,
    With(TokenStream),
    Weight(u32),
}

impl Asked {
    /// What the attributes of a field or variant ask for.
    fn of(attributes: &[Attribute]) -> Result<Option<Asked>, Error> {
        let mut asked = None;
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("generate")) {
            if asked.is_some() {
                let message = "a second `#[generate(…)]` contradicts the first; keep one of them";
                return Err(Error::new(attribute.path().span(), message));
            }
            asked = Some(attribute.parse_args()?);
        }
        Ok(asked)
    }
}

impl Parse for Asked {
    fn parse(input: ParseStream<'_>) -> Result<Asked, Error> {
        let key: Ident = input.parse().map_err(|error| {
            Error::new(
                error.span(),
                "`#[generate(…)]` takes `with = …`, `skip`, or on a variant `weight = …`",
            )
        })?;
        let what = match key.to_string().as_str() {
            "skip" => What::Skip,
            "with" => {
                input.parse::<Token![=]>()?;
                // Expressions may hold commas of their own; nothing else follows one here.
                let generator: TokenStream = input.parse()?;
                if generator.is_empty() {
                    return Err(Error::new(key.span(), "`with = …` needs a generator, such as `0..10`"));
                }
                return Ok(Asked { what: What::With(generator), place: key.span() });
            }
            "weight" => {
                input.parse::<Token![=]>()?;
                let number: LitInt = input.parse().map_err(|error| {
                    Error::new(error.span(), "a weight is a whole number, such as `weight = 3`")
                })?;
                What::Weight(number.base10_parse().map_err(|_| {
                    Error::new(number.span(), "this weight is too large; those up to 4294967295 are not")
                })?)
            }
            unknown => {
                let message = format!(
                    "`{unknown}` is not known here; write `with = …`, `skip`, or on a variant `weight = …`"
                );
                return Err(Error::new(key.span(), message));
            }
        };
        input.parse::<Option<Token![,]>>()?;
        if !input.is_empty() {
            return Err(input.error("`#[generate(…)]` takes one thing; remove the rest"));
        }
        Ok(Asked { what, place: key.span() })
    }
}
