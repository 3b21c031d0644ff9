//! The test that `#[property]` makes of a function.
//!
//! **Invariant:** the function stands inside the test under its own name and with its own spans,
//! so that panics, debuggers and editors see what the user wrote.

use crate::error::Error;
use crate::function::Function;
use crate::parameter::{Parameter, Passing, local};
use crate::reader::start;
use crate::setting::Settings;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

/// The whole test.
pub(crate) fn test(function: &Function, settings: &Settings) -> Result<TokenStream, Error> {
    if let (Some(path), false) = (&settings.block_on, function.is_async) {
        let message = "`block_on` runs the future of an `async fn`; remove it, or make the function one";
        return Err(Error::across(path, message));
    }
    let Function { attributes, visibility, name, .. } = function;
    let inner = function.as_written();
    // Another `#[…test]` of the user's choice makes the function a test in our stead.
    let marker = (!attributes.iter().any(|attribute| attribute.is("test"))).then(|| quote!(#[test]));
    let label = name.to_string();
    let label = label.trim_start_matches("r#");
    let generators = generators(function);
    let options = options(settings);
    let examples = examples(function, settings);
    let (generate, run, show) = (generate(function), run(function, settings), show(function));
    Ok(quote! {
        #(#attributes)*
        #marker
        #visibility fn #name() {
            #inner
            #generators
            ::bugnet::Property::new(::core::concat!(::core::module_path!(), "::", #label))
                .folder(::core::env!("CARGO_MANIFEST_DIR"))
                #options
                #(#examples)*
                .test(&::bugnet::__private::closures(#generate, #run, #show));
        }
    })
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
        Some(quote!(let #name = #generator;))
    });
    quote!(#(#given)*)
}

fn options(settings: &Settings) -> Option<TokenStream> {
    let (keys, values): (Vec<_>, Vec<_>) = settings.options.iter().map(|(key, value)| (key, value)).unzip();
    (!keys.is_empty()).then(|| {
        quote! {
            .options(::bugnet::campaign::Options {
                #(#keys: ::core::option::Option::Some(#values),)*
                ..::core::default::Default::default()
            })
        }
    })
}

/// Runs each example. What draws from the source gets the simplest choices.
fn examples(function: &Function, settings: &Settings) -> Vec<TokenStream> {
    let each = function.examples.iter().map(|example| {
        let mut given = example.arguments.iter();
        let arguments = function.parameters.iter().map(|parameter| match parameter.passing {
            Passing::Source => {
                quote!(&mut ::bugnet::choice::Source::replay(::core::default::Default::default()))
            }
            _ => given.next().cloned().unwrap_or_default(),
        });
        let (text, call) = (&example.text, call(function, settings, arguments));
        quote!(.example(#text, || #call))
    });
    each.collect()
}

/// Calls the function and makes a verdict of what it returns.
fn call(
    function: &Function,
    settings: &Settings,
    arguments: impl Iterator<Item = TokenStream>,
) -> TokenStream {
    // The compiler is to complain about the return type, not about the macro.
    let (mut name, place) = (function.name.clone(), function.output_span());
    name.set_span(name.span().located_at(place));
    let mut call = quote_spanned!(place=> #name(#(#arguments),*));
    if function.is_async {
        call = match &settings.block_on {
            Some(block_on) => quote!(#block_on(#call)),
            None => quote!(::bugnet::__private::block_on(#call)),
        };
    }
    quote_spanned!(place=> ::bugnet::__private::IntoVerdict::into_verdict(#call))
}

/// The closure that generates the arguments, as a tuple.
fn generate(function: &Function) -> TokenStream {
    let source = local("source");
    let values = function.inputs().enumerate().map(|(place, parameter)| {
        let Parameter { owned, .. } = parameter;
        let kind = &owned.tokens;
        if parameter.generator.is_none() {
            return quote_spanned!(start(kind)=> <#kind as ::bugnet::generate::Generate>::generate(#source));
        }
        let generator = generator_at(parameter, place);
        let place = generator.span();
        let value = quote_spanned!(place=> ::bugnet::generate::Generator::generate(&#generator, #source));
        // A range of numbers takes its type from here, as no other place tells it.
        if owned.is_stand_in { value } else { quote!({ let value: #kind = #value; value }) }
    });
    let values: Vec<TokenStream> = values.collect();
    if draws(function) {
        let values = (!values.is_empty()).then(|| quote!((#(#values,)*)));
        return quote!(|#source| {
            #source.draws_later();
            #values
        });
    }
    let source = if values.is_empty() { quote!(_) } else { quote!(#source) };
    quote!(|#source| (#(#values,)*))
}

/// The closure that calls the function.
fn run(function: &Function, settings: &Settings) -> TokenStream {
    let source = local("source");
    let inputs = function.inputs().enumerate().map(|(place, parameter)| {
        let argument = argument_at(place);
        if parameter.passing == Passing::Mutable { quote!(mut #argument) } else { quote!(#argument) }
    });
    let inputs = quote!((#(#inputs,)*));
    let mut place = 0;
    let arguments = function.parameters.iter().map(|parameter| {
        let argument = argument_at(place);
        place += usize::from(parameter.passing != Passing::Source);
        match parameter.passing {
            Passing::Value => quote!(#argument),
            Passing::Shared => quote!(&#argument),
            Passing::Mutable => quote!(&mut #argument),
            Passing::Source => quote!(#source),
        }
    });
    let call = call(function, settings, arguments);
    let source = if draws(function) { quote!(#source) } else { quote!(_) };
    quote!(|#inputs, #source| #call)
}

/// Whether the function is given the source, to draw from it itself.
fn draws(function: &Function) -> bool {
    function.parameters.iter().any(|parameter| parameter.passing == Passing::Source)
}

/// The closure that prints the arguments.
fn show(function: &Function) -> TokenStream {
    let names: Vec<Ident> = (0..function.inputs().count()).map(argument_at).collect();
    let shown = function.inputs().zip(&names).map(|(parameter, argument)| {
        let Parameter { shown: name, owned, .. } = parameter;
        let kind = &owned.text;
        quote! {{
            let shown = (&&&::bugnet::__private::Show(#argument)).show();
            ::bugnet::__private::Argument { name: #name, kind: #kind, text: shown.text, source: shown.source }
        }}
    });
    let shown: Vec<TokenStream> = shown.collect();
    let traits = (!shown.is_empty()).then(|| {
        quote!(
            use ::bugnet::__private::{ShowDebug as _, ShowLiteral as _, ShowOpaque as _};
        )
    });
    quote! {
        |(#(#names,)*)| {
            #traits
            ::std::vec![#(#shown),*]
        }
    }
}
