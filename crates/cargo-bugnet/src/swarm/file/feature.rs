//! Features of generated inputs: switches, lists and numbers, each with its flags.
//!
//! **Invariant:** no two features have the same flag, and the default configuration keeps every `requires` and
//! `excludes`.

use super::raw;
use anyhow::{Context, Result, bail, ensure};
use bugnet::swarm::Share;
use std::collections::BTreeMap;

/// Something of the inputs that the generator can be told to leave out, or how much of it to make.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Feature {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// The probability of its own, if it has one.
    pub(crate) share: Option<Share>,
    /// The places of the features that it needs.
    pub(crate) requires: Vec<usize>,
    /// The places of the features that it cannot be with.
    pub(crate) excludes: Vec<usize>,
}

/// The kinds of features.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// On or off.
    Switch { on: Vec<String>, off: Vec<String>, is_default: bool },
    /// Some of a list, joined to the value of one flag.
    List { flag: String, join: String, items: Vec<String> },
    /// A number.
    Number { flag: String, low: i64, high: i64, default: Option<i64> },
}

/// Reads all features.
pub(super) fn read(table: toml::Table) -> Result<Vec<Feature>> {
    let names: Vec<String> = table.keys().cloned().collect();
    let mut features = Vec::new();
    for (name, value) in table {
        let raw: raw::Feature = value.try_into().with_context(|| {
            format!(
                "[features]: `{name}` is not understood; write {{ on = \"--x\", off = \"--no-x\" }}, \
                 {{ flag = \"--x {{}}\", of = [\"a\", \"b\"] }} or {{ flag = \"--x {{}}\", range = [1, 9] }}"
            )
        })?;
        features.push(feature(name, raw, &names)?);
    }
    check_flags(&features)?;
    check_relations(&features)?;
    check_defaults(&features)?;
    Ok(features)
}

fn feature(name: String, raw: raw::Feature, names: &[String]) -> Result<Feature> {
    let place = |other: &String| {
        ensure!(*other != name, "[features]: `{name}` names itself; remove that");
        names.iter().position(|known| known == other).with_context(|| {
            format!(
                "[features]: `{name}` names `{other}`, which is no feature; there is {}",
                names.join(", ")
            )
        })
    };
    let requires = raw.requires.iter().map(place).collect::<Result<_>>()?;
    let excludes = raw.excludes.iter().map(place).collect::<Result<_>>()?;
    let share = match raw.p {
        Some(p) if !(0.0..=1.0).contains(&p) => {
            bail!("[features]: `p = {p}` of `{name}` is no probability; write a number from 0 to 1")
        }
        p => p.map(|p| Share::millionths((p * 1e6).round() as u32)),
    };
    let kind = kind(&name, &raw)?;
    Ok(Feature { name, kind, share, requires, excludes })
}

fn kind(name: &str, raw: &raw::Feature) -> Result<Kind> {
    let split = |text: &Option<String>| match text {
        Some(text) => shell_words::split(text)
            .with_context(|| format!("[features]: `{name}` has a quote that is not closed")),
        None => Ok(Vec::new()),
    };
    let flag = || match &raw.flag {
        Some(flag) if flag.contains("{}") => Ok(flag.clone()),
        _ => bail!("[features]: `{name}` needs a flag with a place for its value: flag = \"--{name} {{}}\""),
    };
    let is_switch = raw.on.is_some() || raw.off.is_some();
    match (is_switch, &raw.of, raw.range) {
        (true, None, None) => {
            let is_default = match &raw.default {
                None => true,
                Some(toml::Value::Boolean(default)) => *default,
                Some(other) => bail!("[features]: `default = {other}` of `{name}`: write true or false"),
            };
            Ok(Kind::Switch { on: split(&raw.on)?, off: split(&raw.off)?, is_default })
        }
        (false, Some(items), None) => {
            ensure!(items.len() > 1, "[features]: `{name}` lists fewer than two things; list more in `of`");
            let join = raw.join.clone().unwrap_or_else(|| ",".to_string());
            Ok(Kind::List { flag: flag()?, join, items: items.clone() })
        }
        (false, None, Some((low, high))) => {
            ensure!(low < high, "[features]: the range of `{name}` is empty; write range = [least, most]");
            let default = match &raw.default {
                None => None,
                Some(toml::Value::Integer(default)) => Some(*default),
                Some(other) => bail!("[features]: `default = {other}` of `{name}`: write a whole number"),
            };
            Ok(Kind::Number { flag: flag()?, low, high, default })
        }
        _ => bail!(
            "[features]: `{name}` needs exactly one of `on`/`off`, `of` and `range`, which say whether it is a \
             switch, a list or a number"
        ),
    }
}

/// Two features with one flag would undo each other.
fn check_flags(features: &[Feature]) -> Result<()> {
    let mut owners: BTreeMap<String, &str> = BTreeMap::new();
    for feature in features {
        let flags = match &feature.kind {
            Kind::Switch { on, off, .. } if on == off => {
                bail!("[features]: `{}` is the same on and off; give it an `off`, or remove it", feature.name)
            }
            Kind::Switch { on, off, .. } => vec![on.join(" "), off.join(" ")],
            Kind::List { flag, .. } | Kind::Number { flag, .. } => vec![flag.clone()],
        };
        for flag in flags.into_iter().filter(|flag| !flag.is_empty()) {
            if let Some(other) = owners.insert(flag.clone(), &feature.name) {
                bail!(
                    "[features]: `{other}` and `{}` have one flag, `{flag}`, so they would undo each other; \
                     remove one",
                    feature.name
                );
            }
        }
    }
    Ok(())
}

/// Only what can be on or off can be required or excluded.
fn check_relations(features: &[Feature]) -> Result<()> {
    let is_switch = |feature: &Feature| matches!(feature.kind, Kind::Switch { .. });
    for feature in features {
        let related = feature.requires.iter().chain(&feature.excludes).map(|place| &features[*place]);
        let has_any = related.clone().next().is_some();
        let other = std::iter::once(feature).filter(|_| has_any).chain(related).find(|one| !is_switch(one));
        if let Some(other) = other {
            bail!(
                "[features]: `{}` requires or excludes, and `{}` is a list or a number, which is never off; name \
                 switches only (`on`, `off`)",
                feature.name,
                other.name
            );
        }
    }
    Ok(())
}

/// The default configuration must be one that the features allow.
fn check_defaults(features: &[Feature]) -> Result<()> {
    let is_on = |feature: &Feature| !matches!(feature.kind, Kind::Switch { is_default: false, .. });
    for feature in features.iter().filter(|feature| is_on(feature)) {
        if let Some(needed) = feature.requires.iter().find(|place| !is_on(&features[**place])) {
            bail!(
                "[features]: `{}` is on by default and requires `{}`, which is not; write default = false for \
                 the first",
                feature.name,
                features[*needed].name
            );
        }
        if let Some(other) = feature.excludes.iter().find(|place| is_on(&features[**place])) {
            bail!(
                "[features]: `{}` and `{}` exclude each other, and both are on by default; write \
                 default = false for one",
                feature.name,
                features[*other].name
            );
        }
    }
    Ok(())
}
