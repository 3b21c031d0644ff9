//! Claims about parsers and printers of formats and small languages.

use std::collections::BTreeMap;

use bugnet::campaign::Property;
use bugnet::prelude::*;
use serde::{Deserialize, Serialize};

use super::claim::Pattern::{Differential, Invariant, Inverse, NoPanic};
use super::claim::{Claim, Tested};
use super::language::{Expression, Regex, Requirement};
use super::mark::{Letter, text_of};

pub const CLAIMS: &[Claim] = &[
    Claim::new(
        "iri-string 0.7.13",
        Invariant,
        "an absolute IRI has no fragment",
        absolute_iri_has_no_fragment,
    ),
    Claim::new("quick-xml 0.41.0", Invariant, "trimming leaves no empty text", trimmed_text_is_not_empty),
    Claim::new("sexp 1.1.4", Inverse, "a printed expression parses to itself", printed_sexp),
    Claim::new("csv 1.4.0", Inverse, "written rows read as the same rows", written_rows),
    Claim::new("json 0.12.4", Inverse, "a printed value parses to itself", printed_json),
    Claim::new("json5 0.4.1", Inverse, "a written text and number read as the same", written_json5),
    Claim::new("ron 0.8.0", Inverse, "a written value reads as the same", written_ron),
    Claim::new(
        "semver 0.9.0, semver 1.0.26",
        Differential,
        "both match a requirement alike",
        requirement_matches,
    ),
    Claim::new("semver 0.9.0", NoPanic, "any text is a requirement or is refused", requirement_of_any_text),
    Claim::new("regex-lite 0.1.0, regex 1.13.1", Differential, "both find the same match", regex_finds),
    Claim::new("meval 0.2.0, fasteval 0.2.4", Differential, "both compute the same value", computed_value),
];

#[derive(Debug, Clone, Generate)]
struct Reference {
    path: String,
    query: Option<String>,
    fragment: Option<String>,
}

fn absolute_iri_has_no_fragment(property: Property<'_>) -> Tested {
    property.check(any::<Reference>(), |Reference { path, query, fragment }| {
        let query = query.map_or(String::new(), |query| format!("?{query}"));
        let fragment = fragment.map_or(String::new(), |fragment| format!("#{fragment}"));
        let text = format!("a:{path}{query}{fragment}");
        if iri_string::types::IriAbsoluteStr::new(&text).is_ok() {
            assert!(!text.contains('#'), "{text:?} was accepted");
        }
    })
}

#[derive(Debug, Clone, Generate)]
enum Piece {
    Text(String),
    Space,
    Element,
    Comment,
}

fn trimmed_text_is_not_empty(property: Property<'_>) -> Tested {
    property.check(any::<(Vec<Piece>, bool)>(), |(pieces, start_too)| {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => quick_xml::escape::escape(text.as_str()).into_owned(),
            Piece::Space => " ".to_string(),
            Piece::Element => "<a/>".to_string(),
            Piece::Comment => "<!-- -->".to_string(),
        };
        let text: String = pieces.iter().map(piece).collect();
        let mut reader = quick_xml::Reader::from_str(&text);
        reader.config_mut().trim_text_start = start_too;
        reader.config_mut().trim_text_end = true;
        while let Ok(event) = reader.read_event() {
            match event {
                quick_xml::events::Event::Eof => break,
                quick_xml::events::Event::Text(part) => assert!(!part.is_empty(), "in {text:?}"),
                _ => {}
            }
        }
    })
}

#[derive(Debug, Clone, Generate)]
enum Expr {
    Text(String),
    Integer(i64),
    Float(f64),
    List(Vec<Expr>),
}

fn sexp_of(expr: &Expr) -> sexp::Sexp {
    match expr {
        Expr::Text(text) => sexp::atom_s(text),
        Expr::Integer(number) => sexp::atom_i(*number),
        Expr::Float(number) => {
            assume!(number.is_finite());
            sexp::atom_f(*number)
        }
        Expr::List(list) => sexp::Sexp::List(list.iter().map(sexp_of).collect()),
    }
}

fn printed_sexp(property: Property<'_>) -> Tested {
    property.check(any::<Expr>(), |expr| {
        let sexp = sexp_of(&expr);
        let text = sexp.to_string();
        assert_eq!(sexp::parse(&text).expect(&text), sexp);
    })
}

/// A row has at least one field: the writer says that it makes one of none.
#[derive(Debug, Clone, Generate)]
struct Row {
    first: String,
    others: Vec<String>,
}

fn written_rows(property: Property<'_>) -> Tested {
    property.check(any::<Vec<Row>>(), |rows| {
        let rows: Vec<Vec<String>> =
            rows.into_iter().map(|row| [vec![row.first], row.others].concat()).collect();
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        rows.iter().for_each(|row| writer.write_record(row).expect("memory is not full"));
        let bytes = writer.into_inner().expect("memory is not full");
        let mut reader = csv::ReaderBuilder::new().flexible(true).has_headers(false).from_reader(&bytes[..]);
        let read: Result<Vec<csv::StringRecord>, _> = reader.records().collect();
        assert_eq!(read.expect("the text was valid"), rows);
    })
}

#[derive(Debug, Clone, Generate)]
enum Json {
    Null,
    Flag(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

fn json_of(value: &Json) -> json::JsonValue {
    match value {
        Json::Null => json::JsonValue::Null,
        Json::Flag(flag) => (*flag).into(),
        Json::Number(number) => {
            assume!(number.is_finite());
            (*number).into()
        }
        Json::Text(text) => text.as_str().into(),
        Json::List(list) => json::JsonValue::Array(list.iter().map(json_of).collect()),
        Json::Object(fields) => {
            let mut object = json::object::Object::new();
            fields.iter().for_each(|(key, value)| object.insert(key, json_of(value)));
            json::JsonValue::Object(object)
        }
    }
}

fn printed_json(property: Property<'_>) -> Tested {
    property.check(any::<Json>(), |value| {
        let value = json_of(&value);
        let text = value.dump();
        assert_eq!(json::parse(&text).expect(&text), value);
    })
}

fn written_json5(property: Property<'_>) -> Tested {
    property.check(any::<(String, i64)>(), |value| {
        let text = json5::to_string(&value).expect("a text and a number");
        assert_eq!(json5::from_str::<(String, i64)>(&text).expect(&text), value);
    })
}

#[derive(Debug, Clone, PartialEq, Generate, Serialize, Deserialize)]
enum Document {
    Nothing,
    Letter(char),
    Number(f64),
    Text { words: String },
    Maybe(Option<Option<u8>>),
    Pair(i64, ()),
    Map(BTreeMap<Option<i8>, Document>),
    List(Vec<Document>),
}

fn written_ron(property: Property<'_>) -> Tested {
    property.check(any::<Document>(), |document| {
        // NaN is not equal to itself.
        assume!(document == document.clone());
        let text = ron::to_string(&document).expect("a value of simple types");
        assert_eq!(ron::from_str::<Document>(&text).expect(&text), document, "{text}");
    })
}

fn requirement_matches(property: Property<'_>) -> Tested {
    property.check(any::<(Requirement, [u8; 3])>(), |(requirement, [major, minor, patch])| {
        let (requirement, version) = (requirement.text(), format!("{major}.{minor}.{patch}"));
        let old = semver_old::VersionReq::parse(&requirement)
            .map(|requirement| requirement.matches(&version.parse().expect("three numbers")));
        let new = semver::VersionReq::parse(&requirement)
            .map(|requirement| requirement.matches(&version.parse().expect("three numbers")));
        assert_eq!(old.ok(), new.ok(), "{version} for {requirement:?}");
    })
}

fn requirement_of_any_text(property: Property<'_>) -> Tested {
    property.check(any::<String>(), |text| drop(semver_old::VersionReq::parse(&text)))
}

fn regex_finds(property: Property<'_>) -> Tested {
    property.check(any::<(Regex, Vec<Letter>)>(), |(pattern, text)| {
        let (pattern, text) = (pattern.text(), text_of(&text));
        let lite = regex_lite::Regex::new(&pattern);
        // How deep a pattern may be nested is a documented limit.
        assume!(lite.is_ok());
        let full = regex::Regex::new(&pattern).expect(&pattern);
        let lite = lite.expect(&pattern).find(&text).map(|found| found.range());
        assert_eq!(lite, full.find(&text).map(|found| found.range()), "{pattern:?} in {text:?}");
    })
}

fn computed_value(property: Property<'_>) -> Tested {
    use fasteval::Error::{SlabOverflow, TooDeep, TooLong};
    property.check(any::<Expression>(), |expression| {
        let text = expression.text();
        let other = fasteval::ez_eval(&text, &mut fasteval::EmptyNamespace);
        // The limits against hostile input are documented.
        assume!(!matches!(other, Err(SlabOverflow | TooDeep | TooLong)));
        let (one, other) = (meval::eval_str(&text).expect(&text), other.expect(&text));
        assert!(one == other || one.is_nan() && other.is_nan(), "{text} is {one} or {other}");
    })
}
