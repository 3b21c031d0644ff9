//! Packing: mutants that live are put together into few variants, each of which still passes the suite.
//!
//! **Invariant:** every mutant is in one variant, a variant has at most one mutant of a site, and it is neutral as a
//! whole.

use super::mutation::Mutant;
use crate::swarm::draw::Draw;
use anyhow::Result;
use std::collections::BTreeSet;

/// The most mutants of one variant, as in the N-Prog paper.
const MOST: usize = 30;

/// Returns which variants pass the suite.
pub(crate) type Check<'a> = dyn FnMut(&[Vec<Mutant>]) -> Result<Vec<bool>> + 'a;

/// Packs mutants, and splits what is not neutral as a whole.
pub(crate) fn pack(mutants: &[Mutant], are_neutral: &mut Check<'_>) -> Result<Vec<Vec<Mutant>>> {
    split(together(mutants), are_neutral)
}

/// Draws variants of mutants each, as in the N-Prog paper; what is not neutral as a whole is split.
pub(crate) fn drawn(
    living: &[Mutant],
    variants: usize,
    mutants: usize,
    seed: u64,
    are_neutral: &mut Check<'_>,
) -> Result<Vec<Vec<Mutant>>> {
    let draw = |variant: usize| {
        let mut shuffled = living.to_vec();
        shuffled.sort_by_cached_key(|mutant| Draw::of(seed, variant as u64).word(&mutant.to_string()));
        let mut sites = BTreeSet::new();
        shuffled.retain(|mutant| sites.insert(mutant.site));
        shuffled.truncate(mutants);
        shuffled.sort();
        shuffled
    };
    let mut groups: Vec<Vec<Mutant>> = (0..variants).map(draw).collect();
    groups.retain(|group| !group.is_empty());
    let mut neutral = split(groups, are_neutral)?;
    // Splitting makes more variants than were asked for; the largest are kept.
    neutral.sort_by_key(|group| std::cmp::Reverse(group.len()));
    neutral.truncate(variants);
    Ok(neutral)
}

/// Splits groups in two until each is neutral as a whole.
fn split(mut open: Vec<Vec<Mutant>>, are_neutral: &mut Check<'_>) -> Result<Vec<Vec<Mutant>>> {
    let mut packed = Vec::new();
    while !open.is_empty() {
        let (singles, several): (Vec<_>, Vec<_>) = open.into_iter().partition(|group| group.len() == 1);
        packed.extend(singles);
        open = Vec::new();
        for (group, is_neutral) in several.iter().zip(are_neutral(&several)?) {
            if is_neutral {
                packed.push(group.clone());
            } else {
                let (first, second) = group.split_at(group.len() / 2);
                open.extend([first.to_vec(), second.to_vec()]);
            }
        }
    }
    packed.sort();
    Ok(packed)
}

/// Puts mutants together, in their order, each into the first variant that has room for it.
fn together(mutants: &[Mutant]) -> Vec<Vec<Mutant>> {
    let mut groups: Vec<Vec<Mutant>> = Vec::new();
    for mutant in mutants {
        let has_room = |group: &&mut Vec<Mutant>| {
            group.len() < MOST && group.iter().all(|other| other.site != mutant.site)
        };
        match groups.iter_mut().find(has_room) {
            Some(group) => group.push(*mutant),
            None => groups.push(vec![*mutant]),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_neutral_as_a_whole_is_split_until_it_is() {
        let mutants: Vec<Mutant> = (0..8).map(|site| Mutant { site, alternative: 1 }).collect();
        // Two of them may not be together.
        let is_neutral = |group: &Vec<Mutant>| !(group.contains(&mutants[1]) && group.contains(&mutants[6]));
        let packed = pack(&mutants, &mut |groups| Ok(groups.iter().map(is_neutral).collect())).unwrap();
        assert_eq!(packed.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4]);
        assert_eq!(packed.concat(), mutants);
    }

    #[test]
    fn drawn_variants_are_as_many_and_as_large_as_asked_for_and_the_seed_decides() {
        let mutants: Vec<Mutant> =
            (0..50).flat_map(|site| (1..=2).map(move |alternative| Mutant { site, alternative })).collect();
        let draw = |seed| drawn(&mutants, 5, 10, seed, &mut |groups| Ok(vec![true; groups.len()])).unwrap();
        assert!(draw(1).len() == 5 && draw(1).iter().all(|group| group.len() == 10));
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn a_variant_has_few_mutants_and_never_two_of_one_site() {
        let mutants: Vec<Mutant> =
            (0..70).flat_map(|site| (1..=2).map(move |alternative| Mutant { site, alternative })).collect();
        let groups = together(&mutants);
        assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), mutants.len());
        for group in &groups {
            let mut sites: Vec<usize> = group.iter().map(|mutant| mutant.site).collect();
            sites.dedup();
            assert!(sites.len() == group.len() && group.len() <= MOST, "{group:?}");
        }
    }
}
