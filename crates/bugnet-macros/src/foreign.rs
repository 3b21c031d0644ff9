//! `suite!`: a suite for types whose `impl` blocks stand elsewhere.
//!
//! **Invariant:** a function without a body is called where it stands; one with a body becomes a
//! function of the module, so that printed programs find it.

use crate::abstraction;
use crate::attribute::Attribute;
use crate::block::{Block, stripped};
use crate::emit::{Splice, code, list};
use crate::error::Error;
use crate::kind;
use crate::mark::Mark;
use crate::method::Method;
use crate::operation::{Operation, Role};
use crate::reader::Reader;
use crate::setting::{OF_FOREIGN, Settings};
use crate::substitution::Substitution;
use crate::suite;
use proc_macro::{Delimiter, Ident, TokenStream};

/// The functions with bodies, the suite and the test.
pub(crate) fn expanded(input: TokenStream) -> Result<TokenStream, Error> {
    let mut reader = Reader::new(input);
    let attributes = Attribute::read_all(&mut reader);
    let visibility = reader.take_visibility();
    let (name, settings) = header(&mut reader)?;
    let blocks = blocks(&mut reader)?;
    let (mut texts, mut subjects, mut of_all) = (Vec::new(), Vec::new(), vec![&attributes[..]]);
    for block in &blocks {
        texts.push(kind::text(&block.subject));
        subjects.push(&block.subject);
        of_all.push(&block.attributes);
    }
    let (mut operations, mut functions) = (Vec::new(), TokenStream::new());
    for block in &blocks {
        for mut method in block.methods(&Substitution::of("Self", block.subject.clone()))? {
            let role = match Mark::take(&mut method, Mark::OF_API)? {
                Some((Mark::Check, _)) => Some(Role::Check),
                Some((Mark::Skip, _)) => None,
                _ => Some(Role::Call),
            };
            functions.extend(free_function(&method)?);
            let Some(role) = role else { continue };
            let mut operation = Operation::read(method, role, &block.subject, &texts)?;
            operation.is_free = operation.method.body.is_some();
            operation.is_one_of_many = blocks.len() > 1;
            operations.push(operation);
        }
    }
    abstraction::apply(&of_all, &mut operations)?;
    settings.demand_futures(operations.iter().any(|operation| operation.method.is_async()))?;
    if !suite::is_judged(&operations, &settings) {
        return Err(Error::new(name.span(), suite::NO_JUDGE));
    }
    let start = suite::about(&texts.join(", "), &subjects, &settings);
    let maker = Ident::new(&format!("{}_suite", name.to_string().trim_start_matches("r#")), name.span());
    let (_, on_test) = suite::divided(&attributes);
    let mut others = Vec::new();
    for attribute in &attributes {
        if !attribute.belongs_to_test() && !attribute.is("abstraction") {
            others.push(attribute);
        }
    }
    Ok(code!(
        "$functions
        $others
        #[allow(dead_code, reason = \"it may be for the test only\")]
        $visibility fn $maker() -> ::bugnet::program::Suite {
            $whole
            $suite
        }
        $test",
        functions,
        others,
        visibility,
        maker,
        whole = whole(&operations),
        suite = suite::suite(&start, &operations, &settings),
        test = suite::test(&name, &on_test, &settings, &code!("$maker()", maker)),
    ))
}

/// Has the compiler refuse types whose lifetimes are left out: a signature here need not be that of
/// the function, so only the type itself tells whether its values can hold what others lend.
fn whole(operations: &[Operation]) -> TokenStream {
    let mut kinds = Vec::new();
    for operation in operations {
        for argument in &operation.arguments {
            kinds.push((&argument.owned.tokens, argument.owned.text.as_str()));
        }
    }
    for operation in operations {
        if let Some(kind) = operation.made.kind() {
            kinds.push(kind);
        }
    }
    let (mut checks, mut seen) = (TokenStream::new(), Vec::new());
    for (kind, text) in kinds {
        if !text.contains(['\'', '&']) && !seen.contains(&text) {
            seen.push(text);
            checks.extend(code!(
                "{ #[allow(dead_code, reason = \"it is there to be checked\")] type Whole = $kind; }",
                kind
            ));
        }
    }
    checks
}

/// Reads `fn name(settings) for`.
fn header(reader: &mut Reader) -> Result<(Ident, Settings), Error> {
    let place = reader.place();
    let name = if reader.take_word("fn") { reader.take_name() } else { None };
    let settings = reader.take_group(Delimiter::Parenthesis).map(|group| group.stream());
    let settings = Settings::read(settings.unwrap_or_default(), OF_FOREIGN)?;
    match name {
        Some(name) if reader.take_word("for") => Ok((name, settings)),
        _ => {
            let message = "`suite!` begins with the name of the test, as in `fn maps for impl Map<u8> { … }`, \
                           or with settings in `fn maps(cases = 1000) for impl …`";
            Err(Error::new(place, message))
        }
    }
}

fn blocks(reader: &mut Reader) -> Result<Vec<Block>, Error> {
    let mut blocks = Vec::new();
    while blocks.is_empty() || !reader.is_empty() {
        let place = reader.place();
        let attributes = Attribute::read_all(reader);
        match Block::read_bare(reader, attributes) {
            Some(block) if block.generics.is_empty() => blocks.push(block),
            _ => {
                let message = "here belongs an `impl` block of a type without parameters: \
                               `impl Map<u8> { fn new() -> Self; … }`";
                return Err(Error::new(place, message));
            }
        }
    }
    Ok(blocks)
}

/// The function of the module that one with a body becomes.
fn free_function(method: &Method) -> Result<Option<TokenStream>, Error> {
    let Some(body) = &method.body else { return Ok(None) };
    if let Some(receiver) = method.receiver() {
        let message = "a function with a body stands outside of the type here; \
                       write `this: &Self` instead, or end it with `;` if it is a method";
        return Err(Error::across(&receiver, message));
    }
    let Method { attributes, visibility, qualifiers, name, output, .. } = method;
    let output = (!output.is_empty()).then(|| code!("-> $output", output));
    let parameters = list(method.parameters.iter().map(|parameter| stripped(parameter.clone())));
    Ok(Some(code!(
        "$attributes #[allow(dead_code, clippy::ptr_arg, reason = \"called by programs, with whole values\")] $visibility $qualifiers fn $name($parameters) $output $body",
        attributes,
        visibility,
        qualifiers = qualifiers.iter().map(Splice::tokens).collect::<TokenStream>(),
        name,
        parameters,
        output,
        body
    )))
}
