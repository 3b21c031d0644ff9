//! An operation: what a function becomes that programs call.
//!
//! **Invariant:** a call that a precondition forbids has changed nothing.

use crate::argument::{Argument, Origin};
use crate::attribute::Attribute;
use crate::emit::{Splice, code, filled, list, local};
use crate::error::Error;
use crate::kind;
use crate::made::{Access, Kept, Made, Wrapper};
use crate::method::Method;
use crate::number::Number;
use crate::parameter::Passing;
use crate::precondition::Divided;
use crate::reader::{bare, start};
use crate::setting::Settings;
use crate::substitution::Substitution;
use proc_macro::{Ident, TokenStream, TokenTree};

/// Something that programs call.
pub(crate) struct Operation {
    pub(crate) method: Method,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) made: Made,
    pub(crate) role: Role,
    pub(crate) subject: TokenStream,
    /// True for a function of the module, not of the type.
    pub(crate) is_free: bool,
    /// True if operations on other types may have the same name.
    pub(crate) is_one_of_many: bool,
    weight: Option<u64>,
    /// In millionths.
    share: Option<u64>,
    when: Option<TokenStream>,
}

/// The role of an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// A call of the code under test.
    Call,
    /// A rule of a machine: errors refute it.
    Rule,
    /// Makes the state of a machine.
    Setup,
    /// Returns a verdict.
    Check,
    /// Returns a verdict at the end.
    Teardown,
}

impl Operation {
    /// Makes an operation of a function of a type. Values of the types that a suite makes come
    /// from calls only.
    pub(crate) fn read(
        mut method: Method,
        role: Role,
        subject: &TokenStream,
        types: &[String],
    ) -> Result<Operation, Error> {
        method.demand_callable()?;
        let (weight, when, share) = (method.take("weight"), method.take("when"), method.take("share"));
        let takes = [Role::Call, Role::Rule].contains(&role);
        if let Some(misplaced) = [&weight, &when, &share].into_iter().flatten().find(|_| !takes) {
            let message = "`#[when(…)]`, `#[weight(…)]` and `#[share(…)]` say when and how often to call; \
                           remove it here, for it is not chosen when this function is called";
            return Err(Error::new(misplaced.place, message));
        }
        let arguments = arguments(&method, subject, types)?;
        if let Some(when) = when.as_ref().filter(|_| !arguments.first().is_some_and(Argument::is_receiver)) {
            let message = "`#[when(…)]` is a condition on `self`, which this function does not take; \
                           begin the function with `assume!(…);` instead";
            return Err(Error::new(when.place, message));
        }
        demand_looking(&method, role, &arguments)?;
        Ok(Operation {
            made: Made::of(&method.output, &arguments),
            weight: weight.as_ref().map(number).transpose()?,
            share: share.as_ref().map(millionths).transpose()?,
            when: when.as_ref().map(condition).transpose()?,
            method,
            arguments,
            role,
            subject: subject.clone(),
            is_free: false,
            is_one_of_many: false,
        })
    }

    /// Adds it to a suite.
    pub(crate) fn added(&self, settings: &Settings) -> TokenStream {
        let (mut conditions, mut parameters) = (Vec::new(), TokenStream::new());
        for attribute in &self.method.attributes {
            if attribute.is("cfg") {
                conditions.push(attribute);
            }
        }
        for argument in &self.arguments {
            parameters.extend(code!(".parameter($parameter)", parameter = argument.described()));
        }
        let role = match self.role {
            Role::Call | Role::Rule => None,
            Role::Setup => Some(code!(".role(::bugnet::program::Role::Setup)")),
            Role::Check => Some(code!(".role(::bugnet::program::Role::Check)")),
            Role::Teardown => Some(code!(".role(::bugnet::program::Role::Teardown)")),
        };
        code!(
            "$conditions
            let suite = suite.operation(
                ::bugnet::program::Operation::new($name, $template, |frame| { $body })
                    $parameters
                    $returns
                    $role
                    $weight
                    $share
                    $when
            );",
            conditions,
            name = self.label(),
            template = self.template(settings),
            body = self.body(settings),
            parameters,
            returns = self.returns().then(|| self.made.described(!self.unwraps())),
            role,
            weight = self.weight.map(|weight| code!(".weight($weight)", weight)),
            share =
                (self.share).map(|share| code!(".share(::bugnet::swarm::Share::millionths($share))", share)),
            when = self.when(),
        )
    }

    /// A statement that asks it of `self`, if it is a check of nothing else.
    pub(crate) fn asserted(&self) -> Option<TokenStream> {
        let is_lone = self.arguments.len() == 1 && self.has_receiver() && !self.method.is_async();
        if self.role != Role::Check || !is_lone {
            return None;
        }
        let conditions = self.method.attributes.iter().filter(|attribute| attribute.is("cfg"));
        let conditions: Vec<&Attribute> = conditions.collect();
        let name = &self.method.name;
        Some(code!(
            "$conditions
            ::bugnet::__private::assert_holds(
                ::bugnet::__private::IntoVerdict::into_verdict(self.$name()),
                $label
            );",
            conditions,
            name,
            label = self.label(),
        ))
    }

    fn label(&self) -> String {
        let name = self.method.name.to_string();
        let name = name.trim_start_matches("r#");
        match self.is_one_of_many {
            true => format!("{}::{name}", kind::text(&self.subject)),
            false => name.to_string(),
        }
    }

    /// Returns true if it makes a value of this type.
    pub(crate) fn makes(&self, subject: &str) -> bool {
        let is_owned = matches!(self.made.kept, Kept::Value { access: Access::Owned, .. });
        is_owned && self.returns() && self.made.is(subject)
    }

    /// The type of what it makes and its name, if that is of another type and nobody else's.
    pub(crate) fn hands_over(&self) -> Option<(&TokenStream, &str)> {
        let is_conditional = self.method.attributes.iter().any(|attribute| attribute.is("cfg"));
        let is_api = matches!(self.role, Role::Call) && self.returns() && !is_conditional;
        match &self.made.kept {
            Kept::Value { kind, text, access: Access::Owned, leased: false } if is_api => {
                (*text != kind::text(&self.subject)).then_some((kind, text))
            }
            _ => None,
        }
    }

    /// The type of what it hands out for others to change, and its name.
    pub(crate) fn hands_out(&self, others: &[Operation]) -> Option<(&TokenStream, &str)> {
        let is_conditional = self.method.attributes.iter().any(|attribute| attribute.is("cfg"));
        let Kept::Value { kind, text, access, .. } = &self.made.kept else { return None };
        let comes_back = |other: &Operation| {
            other.arguments.iter().any(|argument| {
                !argument.is_receiver()
                    && matches!(argument.origin, Origin::Earlier)
                    && argument.owned.text == *text
            })
        };
        let is_handed_out = match access {
            Access::Mutable => true,
            Access::Owned => others.iter().any(comes_back),
            Access::Shared => false,
        };
        let is_api = matches!(self.role, Role::Call);
        // The operations of the type itself are there anyway.
        let is_other = *text != kind::text(&self.subject);
        (self.returns() && is_api && is_handed_out && is_other && !is_conditional).then_some((kind, text))
    }

    /// Returns true if it is a method.
    fn has_receiver(&self) -> bool {
        self.arguments.first().is_some_and(Argument::is_receiver)
    }

    /// Returns true if its result is kept. A verdict is not, and a machine has one state only.
    fn returns(&self) -> bool {
        let makes_another_state = self.role == Role::Rule && self.made.is(&kind::text(&self.subject));
        let is_verdict = [Role::Check, Role::Teardown].contains(&self.role);
        matches!(self.made.kept, Kept::Value { .. }) && !is_verdict && !makes_another_state
    }

    /// Returns true if an error that it returns is a failure, so that the call is printed with `unwrap`.
    fn unwraps(&self) -> bool {
        self.made.wrapper == Some(Wrapper::Result) && self.role != Role::Call
    }

    /// Returns the text of a call: a test that fails where the program does.
    fn template(&self, settings: &Settings) -> String {
        let name = &self.method.name;
        let skipped = usize::from(self.has_receiver());
        let mut gaps = Vec::new();
        for place in skipped..self.arguments.len() {
            gaps.push(format!("{{{place}}}"));
        }
        let callee = match self.has_receiver() {
            true => format!("{{0}}.{name}"),
            false if self.is_free => name.to_string(),
            // In expressions, generic arguments stand behind a `::`.
            false => format!("{}::{name}", kind::text(&self.subject).replacen('<', "::<", 1)),
        };
        let mut call = format!("{callee}({})", gaps.join(", "));
        if self.method.is_async() {
            let executor = settings.block_on.as_ref().map_or("bugnet::block_on".to_string(), kind::text);
            call = format!("{executor}({call})");
        }
        let is_verdict = [Role::Check, Role::Teardown].contains(&self.role);
        match () {
            () if self.unwraps() => format!("{call}.unwrap()"),
            () if is_verdict && kind::text(&self.method.output) == "bool" => format!("assert!({call})"),
            () => call,
        }
    }

    fn when(&self) -> Option<TokenStream> {
        let this = &self.arguments.first()?.variable;
        let condition = Substitution::of("self", this.tokens()).apply(self.when.clone()?);
        let subject = &self.subject;
        Some(code!(
            ".when(|frame| { let $this = frame.shared::<$subject>(0); $condition })",
            this,
            subject,
            condition
        ))
    }

    /// The body: draws, takes, borrows, calls and keeps.
    fn body(&self, settings: &Settings) -> TokenStream {
        let leased = self.returns() && self.made.is_leased();
        let (mut draw, mut take, mut borrow) = (Vec::new(), Vec::new(), Vec::new());
        for argument in &self.arguments {
            draw.push(argument.draw());
            take.push(argument.take());
            borrow.push(argument.borrow(leased));
        }
        let (stays, preconditions) = self.preconditions();
        code!(
            "$draw $stays $take $borrow $preconditions $conclusion",
            draw,
            stays,
            take,
            borrow,
            preconditions,
            conclusion = self.conclusion(settings),
        )
    }

    /// Gives up a call before anything has happened, if it begins with `assume!`.
    fn preconditions(&self) -> (TokenStream, TokenStream) {
        let nothing = (TokenStream::new(), TokenStream::new());
        let Some(body) = &self.method.body else { return nothing };
        let statements = Divided::statements(body).preconditions;
        if statements.is_empty() {
            return nothing;
        }
        let mut stays = Vec::new();
        for argument in &self.arguments {
            let Some(one) = argument.stays() else { return nothing };
            stays.push(one);
        }
        let statements = match self.arguments.first().filter(|first| first.is_receiver()) {
            Some(this) => Substitution::of("self", this.variable.tokens()).apply(statements),
            None => statements,
        };
        let stays = list(stays);
        (
            code!("let stays = [$stays].iter().all(|stays: &bool| *stays);", stays),
            code!("if stays { $statements }", statements),
        )
    }

    fn call(&self, settings: &Settings) -> TokenStream {
        let Operation { method: Method { name, .. }, subject, .. } = self;
        let mut variables = self.arguments.iter().map(|argument| &argument.variable);
        let call = if self.has_receiver() {
            let this = variables.next();
            code!("$this.$name($variables)", this, name, variables = list(variables))
        } else if self.is_free {
            code!("$name($variables)", name, variables = list(variables))
        } else {
            code!("<$subject>::$name($variables)", subject, name, variables = list(variables))
        };
        if self.method.is_async() { settings.run(&call) } else { call }
    }

    /// Makes the call, and of its result what it is.
    fn conclusion(&self, settings: &Settings) -> TokenStream {
        let call = self.call(settings);
        if self.method.output.is_empty() {
            return code!("$call; ::bugnet::__private::Verdict::Pass", call);
        }
        let errors_refute = [Role::Rule, Role::Setup].contains(&self.role);
        let kept = match (self.returns(), self.made.wrapper) {
            (true, None) => "$frame.keep($result)",
            (true, Some(Wrapper::Option)) => "$frame.keep_if_any($result)",
            (true, Some(Wrapper::Result)) if errors_refute => "$frame.keep_or_fail($result)",
            (true, Some(Wrapper::Result)) => "$frame.keep_if_any($result.ok())",
            (false, _) if [Role::Check, Role::Teardown].contains(&self.role) => {
                "::bugnet::__private::IntoVerdict::into_verdict($result)"
            }
            (false, Some(Wrapper::Result)) if errors_refute => {
                "::bugnet::__private::IntoVerdict::into_verdict($result.map(|_| ()))"
            }
            (false, _) => "{ let _ = $result; ::bugnet::__private::Verdict::Pass }",
        };
        // The compiler is to complain about the return type, not about the macro.
        let place = start(&self.method.output);
        let (frame, result) = (local("frame"), Ident::new("result", place));
        let kept = filled(kept, place, &[("frame", &frame), ("result", &result)]);
        code!("let $result = $call; $kept", result, call, kept)
    }
}

/// The arguments of a function, its receiver first.
fn arguments(method: &Method, subject: &TokenStream, types: &[String]) -> Result<Vec<Argument>, Error> {
    let mut arguments = Vec::new();
    for tokens in &method.parameters {
        arguments.push(match method.receiver().filter(|_| arguments.is_empty()) {
            Some(receiver) => Argument::receiver(&receiver, subject)?,
            None => Argument::read(tokens.clone(), arguments.len(), types)?,
        });
    }
    Ok(arguments)
}

/// Refuses checks that do more than look.
fn demand_looking(method: &Method, role: Role, arguments: &[Argument]) -> Result<(), Error> {
    let is_value = |argument: &&Argument| match argument.origin {
        Origin::Drawn(_) => false,
        Origin::Earlier => true,
        Origin::Probed => arguments.len() == 1,
    };
    let changed = arguments.iter().filter(is_value).find(|argument| argument.passing != Passing::Shared);
    match changed {
        Some(_) if role == Role::Check => {
            let message = "a check looks at values and leaves them as they are; take them by `&`";
            Err(Error::new(method.name.span(), message))
        }
        _ => Ok(()),
    }
}

/// The number in `#[weight(…)]`.
fn number(attribute: &Attribute) -> Result<u64, Error> {
    let message = "`#[weight(…)]` needs a small number above zero, such as `#[weight(3)]`";
    let tokens: Vec<TokenTree> = bare(&attribute.arguments(message)?).into_iter().collect();
    match tokens.as_slice() {
        [token] => match Number::read(token) {
            Some(Number::Value(weight @ 1..=1000)) => Ok(weight),
            _ => Err(Error::new(token.span(), message)),
        },
        _ => Err(Error::new(attribute.place, message)),
    }
}

/// The number in `#[share(…)]`, in millionths.
fn millionths(attribute: &Attribute) -> Result<u64, Error> {
    let message = "`#[share(…)]` needs a number from 0 to 1, such as `#[share(0.9)]`";
    let tokens: Vec<TokenTree> = bare(&attribute.arguments(message)?).into_iter().collect();
    match tokens.as_slice() {
        [token] => match token.to_string().replace('_', "").parse::<f64>() {
            Ok(share) if (0.0..=1.0).contains(&share) => Ok((share * 1e6).round() as u64),
            _ => Err(Error::new(token.span(), message)),
        },
        _ => Err(Error::new(attribute.place, message)),
    }
}

/// The condition in `#[when(…)]`.
fn condition(attribute: &Attribute) -> Result<TokenStream, Error> {
    let message = "`#[when(…)]` needs a condition on `self`, such as `#[when(self.len() > 0)]`";
    let condition = attribute.arguments(message)?;
    if condition.is_empty() { Err(Error::new(attribute.place, message)) } else { Ok(condition) }
}
