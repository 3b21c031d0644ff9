//! `#[machine]`: an `impl` block whose methods are rules over one state.
//!
//! **Invariant:** a machine has one state, which a constructor makes and no rule ends.

use crate::abstraction;
use crate::argument::{Argument, Origin};
use crate::block::Block;
use crate::emit::code;
use crate::error::Error;
use crate::kind;
use crate::made::Made;
use crate::mark::Mark;
use crate::method::Method;
use crate::operation::{Operation, Role};
use crate::parameter::Passing;
use crate::setting::{OF_MACHINE, Settings};
use crate::substitution::Substitution;
use crate::suite;
use proc_macro::{Ident, TokenStream};

/// The block, the suite and the test.
pub(crate) fn expanded(settings: TokenStream, item: TokenStream) -> Result<TokenStream, Error> {
    let block = Block::read(item, "#[machine]")?;
    let settings = Settings::read(settings, OF_MACHINE)?;
    if let Some(generic) = block.generics.first() {
        let message = "a machine cannot be generic, for it is run as it stands; \
                       write the types to be tested instead of parameters";
        return Err(Error::across(generic, message));
    }
    let subject = &block.subject;
    let mut operations = operations(&block)?;
    abstraction::apply(&[&block.attributes], &mut operations)?;
    settings.demand_futures(operations.iter().any(|operation| operation.method.is_async()))?;
    let start = code!("::bugnet::program::Suite::machine($name)", name = kind::text(subject));
    let (conditions, attributes) = suite::divided(&block.attributes);
    let name = settings.name.clone().unwrap_or_else(|| suite::snake_case(subject, ""));
    Ok(code!(
        "$block $api $test",
        block = block.as_written(),
        api = suite::api(subject, &conditions, &suite::suite(&start, &operations, &settings), &[]),
        test = suite::test(&name, &attributes, &settings, &suite::of(subject)),
    ))
}

fn operations(block: &Block) -> Result<Vec<Operation>, Error> {
    let subject = &block.subject;
    let types = [kind::text(subject)];
    let mut operations: Vec<Operation> = Vec::new();
    for mut method in block.methods(&Substitution::of("Self", subject.clone()))? {
        let name = method.name.clone();
        let Some(role) = role(&mut method, &types[0])? else { continue };
        let operation = Operation::read(method, role, subject, &types)?;
        demand_one_state(&operation, &name, &types[0])?;
        let twice = |other: &Operation| role == Role::Teardown && other.role == role;
        if operations.iter().any(twice) {
            return Err(Error::new(name.span(), "a machine has one end; put both teardowns into one"));
        }
        operations.push(operation);
    }
    if operations.iter().any(|operation| operation.role == Role::Setup) {
        return Ok(operations);
    }
    let message = "a machine needs a constructor, which makes the state that the rules work on; \
                   write `fn new() -> Self { … }`";
    Err(Error::across(subject, message))
}

/// Returns the role of a function; `None` if it is a helper.
fn role(method: &mut Method, subject: &str) -> Result<Option<Role>, Error> {
    let takes_state = method.receiver().is_some();
    let role = match Mark::take(method, Mark::OF_MACHINE)? {
        Some((Mark::Skip, _)) => None,
        Some((_, attribute)) if !takes_state => {
            let message =
                "this function does not see the state of the machine; write `&self` as its first parameter";
            return Err(Error::new(attribute.place, message));
        }
        Some((Mark::Teardown, _)) => Some(Role::Teardown),
        Some(_) => Some(Role::Check),
        None if takes_state => Some(Role::Rule),
        None => Made::of(&method.output, &[]).is(subject).then_some(Role::Setup),
    };
    match method
        .attributes
        .iter()
        .find(|attribute| ["when", "weight", "share"].iter().any(|ours| attribute.is(ours)))
    {
        Some(attribute) if role.is_none() => {
            let message =
                "this function is no rule: it is skipped, or does not take `self`; remove the attribute";
            Err(Error::new(attribute.place, message))
        }
        _ => Ok(role),
    }
}

/// Refuses what would end the state, need a second one, or be there before it.
fn demand_one_state(operation: &Operation, name: &Ident, subject: &str) -> Result<(), Error> {
    let is_setup = operation.role == Role::Setup;
    let state = operation.arguments.iter().find(|argument| argument.is_receiver());
    if state.is_some_and(|state| state.passing == Passing::Value) && operation.role != Role::Teardown {
        let message = "a rule that takes `self` by value would end the machine; \
                       write `&mut self`, or `#[teardown]` if this is its end";
        return Err(Error::new(name.span(), message));
    }
    let is_second = |argument: &&Argument| !argument.is_receiver() && argument.owned.text == subject;
    if let Some(second) = operation.arguments.iter().find(is_second) {
        let message = "a machine has one state, and `self` is it; remove this parameter";
        return Err(Error::across(&second.written, message));
    }
    let is_earlier = |argument: &&Argument| is_setup && matches!(argument.origin, Origin::Earlier);
    match operation.arguments.iter().find(is_earlier) {
        None => Ok(()),
        Some(argument) => {
            let message = "a constructor is called before everything else, so there are no earlier results; \
                           remove `#[earlier]`";
            Err(Error::across(&argument.written, message))
        }
    }
}
