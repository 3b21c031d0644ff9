//! The same crate in each format of rustdoc's JSON: rewritten to the format, taken by the types that were
//! published for it, written by them, and read back by ours.

use super::*;
use crate::api::{Api, Document};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

/// The document of the crate in `tests/fixtures/library`, by the rustdoc that is here.
static WRITTEN: LazyLock<Value> = LazyLock::new(|| {
    let text = crate::api::tests::document("library");
    serde_json::from_slice(&text).unwrap()
});

fn api(document: &Value) -> Api {
    Document::parse(document.to_string().as_bytes()).unwrap().api(&|_| true)
}

/// Rewrites each object of a document, inner ones first.
fn rewrite(value: &mut Value, change: &dyn Fn(&mut Map<String, Value>)) {
    match value {
        Value::Array(parts) => parts.iter_mut().for_each(|part| rewrite(part, change)),
        Value::Object(fields) => {
            fields.values_mut().for_each(|field| rewrite(field, change));
            change(fields);
        }
        _ => {}
    }
}

/// Writes an attribute as text, as formats up to 53 do.
fn text_of(attribute: &Value) -> Value {
    match attribute {
        Value::String(word) => json!(format!("#[{word}]")),
        other => other.get("other").cloned().unwrap_or_else(|| json!(format!("#[{other}]"))),
    }
}

/// The document in another format.
fn in_format(format: u32) -> Value {
    let mut document = WRITTEN.clone();
    document["format_version"] = json!(format);
    rewrite(&mut document, &|fields| {
        if format < 39 && fields.contains_key("id") && fields.get("path").is_some_and(Value::is_string) {
            let path = fields.remove("path").unwrap();
            fields.insert("name".to_string(), path);
        }
        if format < 51 && fields.get("args").is_some_and(Value::is_null) && !fields.contains_key("id") {
            let nothing = json!({ "angle_bracketed": { "args": [], "constraints": [] } });
            fields.insert("args".to_string(), nothing);
        }
        if format < 54
            && let Some(Value::Array(attributes)) = fields.get_mut("attrs")
        {
            *attributes = attributes.iter().map(text_of).collect();
        }
        if format >= 58 && fields.contains_key("attrs") {
            let level = json!({ "stable": { "since": "1.0.0" } });
            fields.insert("stability".to_string(), json!({ "feature": "rust1", "level": level }));
        }
    });
    document
}

/// Has the published types of a format take a document, write it, and ours read it.
macro_rules! round {
    ($published:ident) => {{
        let written: $published::Crate =
            serde_json::from_value(in_format($published::FORMAT_VERSION)).unwrap();
        let text = serde_json::to_vec(&written).unwrap();
        let document = Document::parse(&text).unwrap();
        assert!(document.warnings.is_empty(), "{:?}", document.warnings);
        ($published::FORMAT_VERSION, document.api(&|_| true))
    }};
}

#[test]
fn a_crate_reads_the_same_in_every_format() {
    let expected = format!("{:#?}", crate::api::tests::LIBRARY.definitions);
    let whole = format!("{:#?}", *crate::api::tests::LIBRARY);
    assert!(expected.contains("library::Shelf"));
    let read = [
        round!(rustdoc_types_37),
        round!(rustdoc_types_39),
        round!(rustdoc_types_41),
        round!(rustdoc_types_51),
        round!(rustdoc_types_54),
        round!(rustdoc_types_57),
        round!(rustdoc_types_61),
    ];
    assert_eq!(read.each_ref().map(|(format, _)| *format), [37, 39, 41, 51, 54, 57, 61]);
    assert_eq!((read[0].0, read[6].0), (OLDEST, NEWEST));
    for (format, api) in read {
        let told = format!("{api:#?}");
        let differing = told.lines().zip(whole.lines()).find(|(ours, theirs)| ours != theirs);
        assert!(told == whole, "format {format} differs: {differing:?}");
    }
    // Those between them have the shapes of the one before.
    for format in OLDEST..=NEWEST {
        assert!(format!("{:#?}", api(&in_format(format))) == whole, "format {format} differs");
    }
}

#[test]
fn what_is_new_in_a_later_format_is_passed_over() {
    let mut document = in_format(NEWEST + 1);
    rewrite(&mut document, &|fields| {
        if ["id", "inputs", "params", "root"].iter().any(|known| fields.contains_key(*known)) {
            fields.insert("invented".to_string(), json!({ "later": [1, 2] }));
        }
        if let Some(inner) = fields.get_mut("impl_trait") {
            *inner = json!([{ "promise": { "of": "nobody" } }]);
        }
    });
    // A type, an attribute and an item that nobody has heard of.
    let index = document["index"].as_object_mut().unwrap();
    let numbers: Vec<String> = index.keys().cloned().collect();
    let parse = numbers.iter().find(|number| index[*number]["name"] == "parse").unwrap();
    index[parse]["inner"]["function"]["sig"]["output"] = json!({ "twin": { "of": "u8" } });
    index[parse]["attrs"] = json!(["brand_new", { "spelled": { "out": true } }]);
    let title = numbers.iter().find(|number| index[*number]["name"] == "title").unwrap();
    index[title]["inner"] = json!({ "fable": { "moral": null } });
    let document = Document::parse(document.to_string().as_bytes()).unwrap();
    assert!(document.warnings[0].contains("newer than 61"), "{:?}", document.warnings);
    let api = document.api(&|_| true);
    let free = api.functions.iter().map(|(_, function)| function);
    let functions: Vec<&crate::api::Function> =
        free.chain(api.blocks.iter().flat_map(|block| &block.functions)).collect();
    let parse = functions.iter().find(|function| function.name == "parse").unwrap();
    assert_eq!(parse.output, crate::api::Kind::Unknown("_".to_string()));
    assert!(functions.iter().any(|function| function.name == "to_bytes"));
}

#[test]
fn an_item_that_lacks_what_is_needed_is_left_out_and_that_is_said() {
    let mut document = in_format(NEWEST);
    let index = document["index"].as_object_mut().unwrap();
    let parse = index.values_mut().find(|item| item["name"] == "parse").unwrap();
    parse["inner"]["function"]["sig"].as_object_mut().unwrap().remove("inputs");
    let read = Document::parse(document.to_string().as_bytes()).unwrap();
    assert!(read.warnings[0].starts_with("1 of the items"), "{:?}", read.warnings);
    assert!(read.warnings[0].contains("missing field `inputs`"), "{:?}", read.warnings);
    assert!(!api(&document).docs.is_empty());
}

#[test]
fn a_document_without_what_is_needed_is_refused() {
    for gone in ["index", "paths", "root"] {
        let mut document = in_format(NEWEST + 5);
        document.as_object_mut().unwrap().remove(gone);
        let error = Document::parse(document.to_string().as_bytes()).unwrap_err();
        let text = format!("{error:#}");
        assert!(text.contains("format 66") && text.contains(gone), "{text}");
    }
    let mut document = in_format(NEWEST);
    let root = document["root"].to_string();
    document["index"].as_object_mut().unwrap().remove(&root);
    let error = Document::parse(document.to_string().as_bytes()).unwrap_err().to_string();
    assert!(error.contains("install a newer cargo-bugnet"), "{error}");
}
