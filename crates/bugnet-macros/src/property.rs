//! The test that `#[property]` makes of a function.
//!
//! **Invariant:** the function stands inside the test under its own name and with its own spans,
//! so that panics, debuggers and editors see what the user wrote.

use crate::emit::{Splice, code, code_at, list, local};
use crate::error::Error;
use crate::function::Function;
use crate::parameter::{Parameter, Passing};
use crate::reader::start;
use crate::setting::Settings;
use proc_macro::{Ident, Span, TokenStream};

/// The whole test.
pub(crate) fn test(function: &Function, settings: &Settings) -> Result<TokenStream, Error> {
    settings.demand_futures(function.is_async)?;
    let Function { attributes, visibility, name, .. } = function;
    // Another `#[…test]` of the user's choice makes the function a test in our stead.
    let marker = (!attributes.iter().any(|attribute| attribute.is("test"))).then(|| code!("#[test]"));
    Ok(code!(
        r#"$attributes
        $marker
        $visibility fn $name() {
            $function
            $generators
            ::bugnet::Property::new(::core::concat!(::core::module_path!(), "::", $label))
                .folder(::core::env!("CARGO_MANIFEST_DIR"))
                $options
                $examples
                .test(&$test);
        }"#,
        attributes,
        marker,
        visibility,
        name,
        function = function.as_written(),
        generators = generators(function),
        label = name.to_string().trim_start_matches("r#"),
        options = settings.options(),
        examples = examples(function, settings),
        test = closures(function, settings),
    ))
}

/// The closures that the property consists of.
fn closures(function: &Function, settings: &Settings) -> TokenStream {
    let (generate, run, show) = (generate(function), run(function, settings), show(function));
    match borrows(function) {
        true => code!(
            "::bugnet::__private::borrowing($generate, $regenerate, $reuses, $run, $show)",
            generate,
            regenerate = regenerate(function),
            reuses = reuses(function),
            run,
            show
        ),
        false => code!("::bugnet::__private::closures($generate, $run, $show)", generate, run, show),
    }
}

/// Returns true if the function leaves an argument to the engine, which can then make the next one in its place.
/// Those that it takes are held in an `Option`.
fn borrows(function: &Function) -> bool {
    function.inputs().any(|parameter| parameter.passing != Passing::Value)
}

/// The variable that holds the argument at a place.
fn argument_at(place: usize) -> Ident {
    local(&format!("argument_{}", place + 1))
}

/// The variable that holds the generator at a place. It has the span of the generator, for the
/// compiler complains about the variable when it is none.
fn generator_at(parameter: &Parameter, place: usize) -> Ident {
    let span = parameter.generator.as_ref().map_or_else(Span::call_site, start);
    Ident::new(&format!("generator_{}", place + 1), span)
}

/// Builds the generators that were given, once.
fn generators(function: &Function) -> TokenStream {
    let given = function.inputs().enumerate().filter_map(|(place, parameter)| {
        let (generator, name) = (parameter.generator.as_ref()?, generator_at(parameter, place));
        Some(code!("let $name = $generator;", name, generator))
    });
    given.collect()
}

/// Runs each example. What draws from the source gets the simplest choices.
fn examples(function: &Function, settings: &Settings) -> TokenStream {
    let each = function.examples.iter().map(|example| {
        let mut given = example.arguments.iter();
        let arguments = function.parameters.iter().map(|parameter| match parameter.passing {
            Passing::Source => {
                code!("&mut ::bugnet::choice::Source::replay(::core::default::Default::default())")
            }
            _ => given.next().cloned().unwrap_or_default(),
        });
        let call = call(function, settings, &list(arguments));
        code!(".example($text, || $call)", text = example.text, call)
    });
    each.collect()
}

/// Calls the function and makes a verdict of what it returns.
fn call(function: &Function, settings: &Settings, arguments: &TokenStream) -> TokenStream {
    // The compiler is to complain about the return type, not about the macro.
    let (mut name, place) = (function.name.clone(), function.output_span());
    name.set_span(name.span().located_at(place));
    let mut call = code_at!(place, "$name($arguments)", name, arguments);
    if function.is_async {
        call = settings.run(&call);
    }
    code_at!(place, "::bugnet::__private::IntoVerdict::into_verdict($call)", call)
}

/// The closure that generates the arguments, as a tuple.
fn generate(function: &Function) -> TokenStream {
    let borrows = borrows(function);
    let values = list(function.inputs().enumerate().map(|(place, parameter)| {
        let value = made(parameter, place);
        match parameter.passing {
            Passing::Value if borrows => code!("::core::option::Option::Some($value)", value),
            _ => value,
        }
    }));
    let is_empty = values.is_empty();
    let values = joined(function, &code!("($values)", values));
    match draws(function) {
        true if is_empty => code!("|source| source.draws_later()"),
        true => code!("|source| { source.draws_later(); $values }", values),
        false if is_empty => code!("|_| ()"),
        false => code!("|source| $values", values),
    }
}

/// Code that makes all arguments, out of one program if at least two of them are built by calls. Nothing of that is left
/// where the compiler sees that they are not.
fn joined(function: &Function, made: &TokenStream) -> TokenStream {
    let plain = || function.inputs().filter(|parameter| parameter.generator.is_none());
    if plain().count() < 2 {
        return made.clone();
    }
    let count: TokenStream = plain()
        .map(|parameter| {
            let kind = &parameter.owned.tokens;
            code_at!(start(kind), "+ <$kind as ::bugnet::generate::Generate>::BUILT as u32", kind)
        })
        .collect();
    let made = made.clone();
    code!("if 0 $count > 1 { ::bugnet::__private::joined(|| $made) } else { $made }", count, made)
}

/// Makes the argument at a place.
fn made(parameter: &Parameter, place: usize) -> TokenStream {
    let (kind, source) = (&parameter.owned.tokens, local("source"));
    if parameter.generator.is_none() {
        let place = start(kind);
        return code_at!(place, "<$kind as ::bugnet::generate::Generate>::generate($source)", kind, source);
    }
    let generator = generator_at(parameter, place);
    let place = generator.span();
    let value =
        code_at!(place, "::bugnet::generate::Generator::generate(&$generator, $source)", generator, source);
    // A range of numbers takes its type from here, as no other place tells it.
    match parameter.owned.is_stand_in {
        true => value,
        false => code!("{ let value: $kind = $value; value }", kind, value),
    }
}

/// The closure that makes the arguments in the place of others.
fn regenerate(function: &Function) -> TokenStream {
    let names = list((0..function.inputs().count()).map(argument_at));
    let each = function.inputs().enumerate().map(|(place, parameter)| {
        let (argument, kind) = (argument_at(place), &parameter.owned.tokens);
        let value = || made(parameter, place);
        match (parameter.passing, &parameter.generator) {
            (Passing::Value, _) => {
                code!("*$argument = ::core::option::Option::Some($value);", argument, value = value())
            }
            (_, Some(_)) => code!("*$argument = $value;", argument, value = value()),
            (_, None) => code_at!(
                start(kind),
                "<$kind as ::bugnet::generate::Generate>::regenerate($argument, $source);",
                kind,
                argument,
                source = local("source")
            ),
        }
    });
    let later = draws(function).then(|| code!("source.draws_later();"));
    let each = joined(function, &code!("{ $each }", each = each.collect::<TokenStream>()));
    code!("|($names), source| { $later $each }", names, later, each)
}

/// Returns code that says that making an argument in the place of another one reuses memory.
fn reuses(function: &Function) -> TokenStream {
    let may_be =
        |parameter: &&Parameter| parameter.passing != Passing::Value && parameter.generator.is_none();
    let each = function.inputs().filter(may_be).map(|parameter| {
        let kind = &parameter.owned.tokens;
        code_at!(start(kind), "|| <$kind as ::bugnet::generate::Generate>::REUSES", kind)
    });
    code!("false $each", each = each.collect::<TokenStream>())
}

/// The closure that calls the function.
fn run(function: &Function, settings: &Settings) -> TokenStream {
    let borrows = borrows(function);
    let inputs = list((0..function.inputs().count()).map(argument_at));
    let mut place = 0;
    let arguments = list(function.parameters.iter().map(|parameter| {
        let argument = argument_at(place);
        place += usize::from(parameter.passing != Passing::Source);
        match parameter.passing {
            Passing::Value if borrows => code!("$argument.take().expect(\"it was just made\")", argument),
            Passing::Value | Passing::Shared | Passing::Mutable => argument.tokens(),
            Passing::Source => code!("source"),
        }
    }));
    let call = call(function, settings, &arguments);
    match draws(function) {
        true => code!("|($inputs), source| $call", inputs, call),
        false => code!("|($inputs), _| $call", inputs, call),
    }
}

/// Returns true if the function is given the source, to draw from it itself.
fn draws(function: &Function) -> bool {
    function.parameters.iter().any(|parameter| parameter.passing == Passing::Source)
}

/// The closure that prints the arguments.
fn show(function: &Function) -> TokenStream {
    let names: Vec<Ident> = (0..function.inputs().count()).map(argument_at).collect();
    let borrows = borrows(function);
    let shown = list(function.inputs().zip(&names).map(|(parameter, argument)| {
        let argument = match parameter.passing {
            Passing::Value if borrows => code!("$argument.as_ref().expect(\"it was just made\")", argument),
            _ => argument.tokens(),
        };
        code!(
            "{
                let shown = (&&&&::bugnet::__private::Show($argument)).show();
                ::bugnet::__private::Argument { name: $name, kind: $kind, text: shown.text, source: shown.source }
            }",
            argument,
            name = parameter.shown,
            kind = parameter.owned.text,
        )
    }));
    let traits = (!names.is_empty()).then(|| {
        code!("use ::bugnet::__private::{ShowBuilt as _, ShowDebug as _, ShowLiteral as _, ShowOpaque as _};")
    });
    code!("|($names)| { $traits ::std::vec![$shown] }", names = list(&names), traits, shown)
}
