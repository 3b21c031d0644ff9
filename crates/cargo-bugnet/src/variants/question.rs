//! Questions: programs that notice living mutants, reduced, the one that settles most mutants first.
//!
//! **Invariant:** a question names only mutants that its own program was seen to notice, and no mutant is in two.

use super::filter::{Filtered, mutant, switch};
use super::mutation::{Mutant, Mutations};
use super::program::kept::Given;
use crate::client::Client;
use anyhow::Result;
use bugnet::wire::explore::{Alarm, Comparison, Switch};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The most questions of a run; more than these nobody answers at once.
const MOST: usize = 200;
/// The most programs that are tried to reduce one.
const TRIALS: u64 = 600;
/// Other programs that are shown because they notice the same mutants.
const OTHERS: usize = 2;

/// A program that notices living mutants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Question {
    /// The name of its test.
    pub(crate) name: String,
    /// The body of its test.
    pub(crate) lines: Vec<String>,
    /// The same with every value compared as text, for when the lines do not compile.
    pub(crate) plain: Vec<String>,
    /// Functions that the lines call.
    pub(crate) helpers: Vec<String>,
    /// The behaviour of the program.
    pub(crate) original: String,
    /// The behaviour of the first mutant instead.
    pub(crate) variant: String,
    /// True if the program itself panics.
    pub(crate) panics: bool,
    /// The mutants that it notices and no earlier question does.
    pub(crate) mutants: Vec<Noticed>,
    /// Other programs that notice some of them.
    pub(crate) others: Vec<Vec<String>>,
    /// The input of a program, if the question is not about a library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) given: Option<Given>,
}

/// A mutant that a question is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Noticed {
    pub(crate) site: usize,
    pub(crate) alternative: usize,
    /// Its place and its change.
    pub(crate) name: String,
    /// The lines that it removes and adds.
    pub(crate) diff: Vec<String>,
}

impl Noticed {
    pub(super) fn of(mutations: &Mutations, mutant: Mutant) -> Noticed {
        let Mutant { site, alternative } = mutant;
        Noticed { site, alternative, name: mutations.name(mutant), diff: mutations.diff(mutant).lines() }
    }

    pub(crate) fn mutant(&self) -> Mutant {
        Mutant { site: self.site, alternative: self.alternative }
    }
}

/// Asks the harness about alarms until every mutant that they notice is settled.
pub(crate) fn questions(
    client: Client<'_>,
    mutations: &Mutations,
    filtered: &Filtered,
    living: &[Mutant],
    is_late: &dyn Fn() -> bool,
    tell: &dyn Fn(usize),
) -> Result<Vec<Question>> {
    let mut open: BTreeSet<Switch> =
        filtered.alarms.iter().flat_map(|alarm| &alarm.noticed).copied().collect();
    let mut living: Vec<Switch> = living.iter().copied().map(switch).collect();
    living.retain(|switch| !filtered.deadly.contains(switch));
    let mut left: Vec<&Alarm> = filtered.alarms.iter().collect();
    let mut found: Vec<Question> = Vec::new();
    while found.len() < MOST && !is_late() {
        let worth = |alarm: &Alarm| alarm.noticed.iter().filter(|switch| open.contains(switch)).count();
        // Of two programs that settle as many, the shorter one is easier to read.
        let best = left.iter().enumerate().max_by_key(|(_, alarm)| {
            (worth(alarm), std::cmp::Reverse(alarm.tape.choices.len()), std::cmp::Reverse(alarm.program))
        });
        let Some((place, alarm)) =
            best.map(|(place, alarm)| (place, *alarm)).filter(|(_, alarm)| worth(alarm) > 0)
        else {
            break;
        };
        left.swap_remove(place);
        let kept: Vec<Switch> =
            alarm.noticed.iter().copied().filter(|switch| open.contains(switch)).collect();
        let unsettled: Vec<Switch> = living
            .iter()
            .copied()
            .filter(|one| {
                !found.iter().flat_map(|known| &known.mutants).any(|other| switch(other.mutant()) == *one)
            })
            .collect();
        let asked = Comparison { tape: alarm.tape.clone(), kept, all: unsettled, trials: TRIALS };
        let few = Comparison { all: asked.kept.clone(), ..asked.clone() };
        // A mutant that no program has noticed so far may end the process.
        let Some(compared) =
            client.compare(asked)?.map_or_else(|| client.compare(few), |found| Ok(Some(found)))?
        else {
            continue;
        };
        let others = others(client, alarm, &filtered.alarms, &compared.noticed)?;
        open.retain(|switch| !compared.noticed.contains(switch));
        let mutants: Vec<Noticed> =
            compared.noticed.iter().map(|switch| Noticed::of(mutations, mutant(*switch))).collect();
        let name = name(mutations, mutants[0].mutant(), found.len() + 1);
        found.push(Question {
            name,
            lines: compared.lines,
            plain: compared.plain,
            helpers: compared.helpers,
            original: compared.original,
            variant: compared.variant,
            panics: compared.panics,
            mutants,
            others,
            given: None,
        });
        tell(found.len());
    }
    // Where the program itself panics, a bug is likely; then what settles most.
    found.sort_by_key(|question| (!question.panics, std::cmp::Reverse(question.mutants.len())));
    Ok(found)
}

/// Returns other programs that notice some of the same mutants.
fn others(client: Client<'_>, own: &Alarm, all: &[Alarm], noticed: &[Switch]) -> Result<Vec<Vec<String>>> {
    let is_alike = |alarm: &&Alarm| {
        alarm.tape != own.tape && alarm.noticed.iter().any(|switch| noticed.contains(switch))
    };
    let mut found = Vec::new();
    for alarm in all.iter().filter(is_alike).take(OTHERS) {
        found.push(client.describe(&alarm.tape.to_string())?.lines());
    }
    Ok(found)
}

/// Returns the name of the test of a question: the function that its first mutant changes, and a number.
pub(super) fn name(mutations: &Mutations, mutant: Mutant, number: usize) -> String {
    let mut name = String::new();
    for letter in mutations.sites[mutant.site].function.chars() {
        match letter {
            'A'..='Z' => {
                if !name.is_empty() && !name.ends_with('_') {
                    name.push('_');
                }
                name.push(letter.to_ascii_lowercase());
            }
            'a'..='z' | '0'..='9' => name.push(letter),
            _ if name.is_empty() || name.ends_with('_') => {}
            _ => name.push('_'),
        }
    }
    if name.is_empty() || name.starts_with(|letter: char| letter.is_ascii_digit()) {
        name.insert_str(0, "behaviour_");
    }
    format!("{}_{number}", name.trim_end_matches('_'))
}

#[cfg(test)]
mod tests {
    use super::super::mutation::example::mutations;
    use super::*;

    #[test]
    fn a_test_is_named_by_the_function_whose_mutant_it_notices() {
        let mut all = mutations();
        let first = Mutant { site: 0, alternative: 1 };
        assert_eq!(name(&all, first, 3), "f_3");
        all.sites[0].function = "money::Basket<T>::priceOf".to_string();
        assert_eq!(name(&all, first, 1), "money_basket_t_price_of_1");
    }
}
