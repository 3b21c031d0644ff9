//! `#[api]`: an `impl` block whose functions build and change values, and check them.
//!
//! **Invariant:** a generic block stands for one instance of it, which the attribute names.

use crate::abstraction;
use crate::attribute::Attribute;
use crate::block::Block;
use crate::emit::{Splice, code, list};
use crate::error::Error;
use crate::kind;
use crate::mark::Mark;
use crate::method::Method;
use crate::operation::{Operation, Role};
use crate::reader::{Reader, split_types, start};
use crate::setting::{OF_API, Settings};
use crate::substitution::Substitution;
use crate::suite;
use proc_macro::{Ident, Span, TokenStream};

/// The block, the suite, the generator and the test.
pub(crate) fn expanded(settings: TokenStream, item: TokenStream) -> Result<TokenStream, Error> {
    let block = Block::read(item, "#[api]")?;
    let (mut substitution, written) = instance(&block, settings)?;
    let settings = Settings::read(written.clone(), OF_API)?;
    let subject = &substitution.apply(block.subject.clone());
    substitution.add("Self", subject.clone());
    let mut operations = operations(block.methods(&substitution)?, subject, &[kind::text(subject)])?;
    abstraction::apply(&[&block.attributes], &mut operations)?;
    settings.demand_futures(operations.iter().any(|operation| operation.method.is_async()))?;
    let text = kind::text(subject);
    if !operations.iter().any(|operation| operation.makes(&text)) {
        let message = "nothing makes a value of this type; write a function that returns `Self`, \
                       and `#[operation]` before it if it is private";
        return Err(Error::across(&block.subject, message));
    }
    let (conditions, attributes) = suite::divided(&block.attributes);
    let is_tested = suite::is_judged(&operations, &settings);
    if !is_tested && !written.is_empty() {
        return Err(Error::new(start(&written), suite::NO_JUDGE));
    }
    let name = settings.name.clone().unwrap_or_else(|| suite::snake_case(subject, "_api"));
    let start = suite::about(&text, &[subject], &settings);
    Ok(code!(
        "$block
        $api
        $conditions
        #[automatically_derived]
        impl ::bugnet::generate::Generate for $subject {
            const BUILT: bool = true;

            fn generate(source: &mut ::bugnet::choice::Source) -> Self {
                ::bugnet::program::build::<Self>(source)
            }
        }
        $test",
        block = block.as_written(),
        api = suite::api(subject, &conditions, &suite::suite(&start, &operations, &settings), &operations),
        conditions,
        subject,
        test = is_tested.then(|| suite::test(&name, &attributes, &settings, &suite::of(subject))),
    ))
}

/// Reads the types that the generic parameters of a block stand for, and returns the settings that are left.
fn instance(block: &Block, settings: TokenStream) -> Result<(Substitution, TokenStream), Error> {
    let mut substitution = Substitution::default();
    let mut settings = split_types(settings);
    for generic in &block.generics {
        let mut reader = Reader::new(generic.clone());
        Attribute::read_all(&mut reader);
        if reader.take_mark('\'') {
            let lifetime = reader.take_name().map_or(String::new(), |name| format!("'{name}"));
            substitution.add(lifetime, Ident::new("static", Span::mixed_site()).tokens());
            continue;
        }
        reader.take_word("const");
        let name = reader.take_name().map_or(String::new(), |name| name.to_string());
        let given = settings.iter().position(|setting| meaning(setting, &name).is_some());
        let Some(place) = given else {
            let message = format!(
                "programs need to know what `{name}` stands for; write it as in `#[api({name} = i32)]`"
            );
            return Err(Error::across(generic, message));
        };
        let setting = settings.remove(place);
        substitution.add(name.clone(), meaning(&setting, &name).unwrap_or_default());
    }
    Ok((substitution, list(settings)))
}

/// The right side of `T = i32`.
fn meaning(setting: &TokenStream, name: &str) -> Option<TokenStream> {
    let mut reader = Reader::new(setting.clone());
    (reader.take_word(name) && reader.take_mark('=')).then(|| reader.rest())
}

/// The operations of a type: what is public, or everything if nothing is.
fn operations(
    mut methods: Vec<Method>,
    subject: &TokenStream,
    types: &[String],
) -> Result<Vec<Operation>, Error> {
    let is_public = |method: &Method| !method.visibility.is_empty();
    let (mut marks, mut nothing_is_public) = (Vec::new(), true);
    for method in &mut methods {
        let mark = Mark::take(method, Mark::OF_API)?.map(|(mark, _)| mark);
        nothing_is_public &= mark.is_some() || !is_public(method);
        marks.push(mark);
    }
    let mut operations = Vec::new();
    for (place, method) in methods.into_iter().enumerate() {
        let role = match marks[place] {
            Some(Mark::Check) => Role::Check,
            Some(Mark::Operation) => Role::Call,
            None if nothing_is_public || is_public(&method) => Role::Call,
            _ => continue,
        };
        operations.push(Operation::read(method, role, subject, types)?);
    }
    take_from_calls(&mut operations);
    Ok(operations)
}

/// Has arguments come from the calls of the block that make such values, if nothing but calls can make them: a graph is
/// asked for its own nodes.
fn take_from_calls(operations: &mut [Operation]) {
    let made = operations.iter().filter_map(|operation| Some(operation.hands_over()?.1.to_string()));
    let made: Vec<String> = made.collect();
    for argument in operations.iter_mut().flat_map(|operation| &mut operation.arguments) {
        argument.is_made |= made.contains(&argument.owned.text);
    }
}
