//! The file as it is written, before it is checked.
//!
//! **Invariant:** a key that is not known is an error, so that a typing error does not pass for a setting.

use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) generator: Generator,
    #[serde(default)]
    pub(super) features: toml::Table,
    #[serde(default)]
    pub(super) target: toml::Table,
    #[serde(default)]
    pub(super) oracle: Oracle,
    #[serde(default)]
    pub(super) reduce: Reduce,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Generator {
    pub(super) command: String,
    pub(super) stdin: Option<Stdin>,
    #[serde(default)]
    pub(super) files: Vec<String>,
    pub(super) extension: Option<String>,
    pub(super) cpu: Option<String>,
    pub(super) memory: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stdin {
    pub(super) random: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Feature {
    pub(super) on: Option<String>,
    pub(super) off: Option<String>,
    pub(super) flag: Option<String>,
    pub(super) join: Option<String>,
    pub(super) of: Option<Vec<String>>,
    pub(super) range: Option<(i64, i64)>,
    pub(super) default: Option<toml::Value>,
    pub(super) p: Option<f64>,
    #[serde(default)]
    pub(super) requires: Vec<String>,
    #[serde(default)]
    pub(super) excludes: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Target {
    pub(super) command: String,
    pub(super) cpu: Option<String>,
    pub(super) memory: Option<u64>,
    #[serde(default)]
    pub(super) files: Vec<String>,
    pub(super) agree: Option<Agree>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Agree {
    pub(super) with: String,
    pub(super) on: Option<String>,
    pub(super) among: Option<Vec<String>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Oracle {
    #[serde(default)]
    pub(super) signature: Vec<String>,
    #[serde(default)]
    pub(super) reject: Vec<String>,
    #[serde(default)]
    pub(super) exit: Vec<i32>,
    #[serde(default)]
    pub(super) hang: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reduce {
    pub(super) with: Option<String>,
    pub(super) valid: Option<String>,
    pub(super) time: Option<String>,
}
