//! Setups: the features that the input of one test has, and the flags that say so.
//!
//! **Invariant:** a setup is a function of the features, the scheme, the seed and the number of the test.

use super::draw::Draw;
use super::file::{Feature, Kind};
use bugnet::swarm::{Configuration, Part, Relations, Scheme, Swarm};

/// The features of one test.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Setup {
    /// The configuration that was drawn for the test.
    pub(crate) configuration: Configuration,
    /// One for each feature.
    pub(crate) settings: Vec<Setting>,
}

/// The setting of one feature.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Setting {
    Switch(bool),
    /// For each item of the list, true if it is in.
    List(Vec<bool>),
    /// The number, or what the generator does by itself.
    Number(Option<i64>),
}

/// The name of an item of a list, as a feature.
pub(crate) fn item_name(list: &str, item: &str) -> String {
    format!("{list}.{item}")
}

/// Returns the swarm of a scheme over features: switches and the items of lists, as they require and exclude each other.
pub(crate) fn swarm(scheme: Scheme, features: &[Feature]) -> Swarm {
    let mut all = Vec::new();
    let mut relations = Relations::default();
    for feature in features {
        match &feature.kind {
            Kind::Switch { .. } => all.push(drawn(feature, &feature.name)),
            Kind::List { items, .. } => {
                all.extend(items.iter().map(|item| drawn(feature, &item_name(&feature.name, item))));
            }
            Kind::Number { .. } => {}
        }
        let switch = |place: &usize| drawn(&features[*place], &features[*place].name);
        for needed in &feature.requires {
            relations = relations.requires(drawn(feature, &feature.name), switch(needed));
        }
        for other in &feature.excludes {
            relations = relations.excludes(drawn(feature, &feature.name), switch(other));
        }
    }
    Swarm::related(scheme, all, &relations)
}

/// Returns a switch, or an item of a list, as the library draws it.
fn drawn(feature: &Feature, name: &str) -> bugnet::swarm::Feature {
    let named = bugnet::swarm::Feature::named(name);
    let named = feature.share.map_or(named, |share| named.with_share(share));
    match feature.kind {
        Kind::Switch { is_default: false, .. } => named.off_by_default(),
        _ => named,
    }
}

/// Returns the items of a list that are in; one of them, if all are out.
fn at_least_one(configuration: &Configuration, items: &[bugnet::swarm::Feature], on: &[bool]) -> Vec<bool> {
    if on.contains(&true) {
        return on.to_vec();
    }
    let mut weights = Vec::new();
    configuration.weights(items, &mut weights);
    weights.iter().map(|weight| *weight > 0).collect()
}

impl Setup {
    /// The default: every switch as the file says, lists whole, numbers at their defaults.
    pub(crate) fn default_of(features: &[Feature]) -> Setup {
        let setting = |feature: &Feature| match &feature.kind {
            Kind::Switch { is_default, .. } => Setting::Switch(*is_default),
            Kind::List { items, .. } => Setting::List(vec![true; items.len()]),
            Kind::Number { default, .. } => Setting::Number(*default),
        };
        let settings = features.iter().map(setting).collect();
        Setup { configuration: Configuration::ALL, settings }
    }

    /// The setup of a test.
    pub(crate) fn of(features: &[Feature], swarm: &Swarm, draw: Draw, test: u64) -> Setup {
        let configuration = swarm.configuration(draw.word("configuration"), test);
        if configuration.part() == Part::All {
            return Setup::default_of(features);
        }
        let on = swarm.on(&configuration);
        let mut at = 0;
        let mut settings = Vec::new();
        for feature in features {
            settings.push(match &feature.kind {
                Kind::Switch { .. } => {
                    at += 1;
                    Setting::Switch(on[at - 1])
                }
                Kind::List { items, .. } => {
                    let range = at..at + items.len();
                    at = range.end;
                    Setting::List(at_least_one(&configuration, &swarm.features()[range.clone()], &on[range]))
                }
                Kind::Number { low, high, .. } => {
                    let name = format!("number {}", feature.name);
                    Setting::Number(Some(draw.number(&name, *low, *high)))
                }
            });
        }
        Setup { configuration, settings }
    }

    /// The flags for the generator.
    pub(crate) fn flags(&self, features: &[Feature]) -> Vec<String> {
        let mut flags = Vec::new();
        for (feature, setting) in features.iter().zip(&self.settings) {
            match (&feature.kind, setting) {
                (Kind::Switch { on, .. }, Setting::Switch(true)) => flags.extend(on.iter().cloned()),
                (Kind::Switch { off, .. }, Setting::Switch(false)) => flags.extend(off.iter().cloned()),
                (Kind::List { flag, join, items }, Setting::List(are_in)) => {
                    let kept = items.iter().zip(are_in).filter(|(_, is_in)| **is_in);
                    let kept: Vec<&str> = kept.map(|(item, _)| item.as_str()).collect();
                    flags.extend(filled(flag, &kept.join(join)));
                }
                (Kind::Number { flag, .. }, Setting::Number(Some(value))) => {
                    flags.extend(filled(flag, &value.to_string()));
                }
                _ => {}
            }
        }
        flags
    }
}

fn filled(flag: &str, value: &str) -> Vec<String> {
    flag.split_whitespace().map(|word| word.replace("{}", value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::swarm::Share;

    fn switch(name: &str, requires: Vec<usize>, excludes: Vec<usize>) -> Feature {
        let (on, off) = (vec![format!("--{name}")], vec![format!("--no-{name}")]);
        let kind = Kind::Switch { on, off, is_default: excludes.is_empty() };
        Feature { name: name.to_string(), kind, share: None, requires, excludes }
    }

    #[test]
    fn requires_and_excludes_hold_in_every_setup_of_every_scheme() {
        let features =
            [switch("a", vec![], vec![]), switch("b", vec![0], vec![]), switch("c", vec![], vec![1])];
        for scheme in ["coin", "mix", "complete", "covering:2", "covering:3:on", "coin+all"] {
            let swarm = swarm(scheme.parse().unwrap(), &features);
            let mut seen = [0; 3];
            for test in 0..400 {
                let setup = Setup::of(&features, &swarm, Draw::of(1, test), test);
                let on = [0, 1, 2].map(|place: usize| setup.settings[place] == Setting::Switch(true));
                assert!(!on[1] || on[0], "{scheme}: b without a");
                assert!(!(on[1] && on[2]), "{scheme}: b with c");
                on.iter().zip(&mut seen).for_each(|(on, seen)| *seen += usize::from(*on));
            }
            assert!(seen.iter().all(|seen| *seen > 20), "{scheme}: {seen:?}");
        }
    }

    #[test]
    fn the_default_has_what_the_file_says_and_lists_are_never_empty() {
        let list = Kind::List {
            flag: "--k {}".to_string(),
            join: ",".to_string(),
            items: vec!["x".to_string(), "y".to_string()],
        };
        let number = Kind::Number { flag: "--n={}".to_string(), low: 1, high: 9, default: Some(5) };
        let with = |name: &str, kind| Feature {
            name: name.to_string(),
            kind,
            share: None,
            requires: Vec::new(),
            excludes: Vec::new(),
        };
        let features = [with("k", list), with("n", number), switch("c", vec![], vec![0])];
        let flags = Setup::default_of(&features).flags(&features);
        assert_eq!(flags, ["--k", "x,y", "--n=5", "--no-c"]);
        let swarm = swarm(Scheme::Coin(Share::millionths(1)), &features);
        for test in 0..50 {
            let setup = Setup::of(&features, &swarm, Draw::of(1, test), test);
            let Setting::List(items) = &setup.settings[0] else { panic!("no list") };
            assert_eq!(items.iter().filter(|is_in| **is_in).count(), 1);
        }
    }
}
