//! Packing: mutants that live are put together into few variants, each of which still passes the suite.
//!
//! **Invariant:** every mutant is in one variant, the sites of a variant do not overlap, and it is neutral as a whole.
//! An alternative of a site has none of the switches inside of it, so a mutant of an inner site would be hidden.

use super::mutation::{Mutant, Mutations};
use crate::swarm::draw::Draw;
use anyhow::Result;

/// The most mutants of one variant, as in the N-Prog paper.
const MOST: usize = 30;

/// Returns which variants pass the suite.
pub(crate) type Check<'a> = dyn FnMut(&[Vec<Mutant>]) -> Result<Vec<bool>> + 'a;

/// Packs mutants, and splits what is not neutral as a whole.
pub(crate) fn pack(
    mutations: &Mutations,
    mutants: &[Mutant],
    are_neutral: &mut Check<'_>,
) -> Result<Vec<Vec<Mutant>>> {
    split(together(mutations, mutants), are_neutral)
}

/// Draws variants of mutants each, as in the N-Prog paper; what is not neutral as a whole is split.
pub(crate) fn drawn(
    mutations: &Mutations,
    living: &[Mutant],
    variants: usize,
    mutants: usize,
    seed: u64,
    are_neutral: &mut Check<'_>,
) -> Result<Vec<Vec<Mutant>>> {
    let draw = |variant: usize| {
        let mut shuffled = living.to_vec();
        shuffled.sort_by_cached_key(|mutant| Draw::of(seed, variant as u64).word(&mutant.to_string()));
        let mut group: Vec<Mutant> = Vec::new();
        for mutant in shuffled {
            if group.len() < mutants && group.iter().all(|other| !mutations.overlap(*other, mutant)) {
                group.push(mutant);
            }
        }
        group.sort();
        group
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
fn together(mutations: &Mutations, mutants: &[Mutant]) -> Vec<Vec<Mutant>> {
    let mut groups: Vec<Vec<Mutant>> = Vec::new();
    for mutant in mutants {
        let has_room = |group: &&mut Vec<Mutant>| {
            group.len() < MOST && group.iter().all(|other| !mutations.overlap(*other, *mutant))
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
    use super::super::mutation::{Site, example};
    use super::*;
    use std::ops::Range;

    /// Mutations of sites with these spans.
    fn mutations(spans: impl Iterator<Item = Range<usize>>) -> Mutations {
        let mut all = example::mutations();
        let site = all.sites[0].clone();
        all.sites = spans.map(|span| Site { span, ..site.clone() }).collect();
        all
    }

    /// Sites side by side.
    fn apart(count: usize) -> Mutations {
        mutations((0..count).map(|place| 10 * place..10 * place + 10))
    }

    #[test]
    fn what_is_not_neutral_as_a_whole_is_split_until_it_is() {
        let mutants: Vec<Mutant> = (0..8).map(|site| Mutant { site, alternative: 1 }).collect();
        // Two of them may not be together.
        let is_neutral = |group: &Vec<Mutant>| !(group.contains(&mutants[1]) && group.contains(&mutants[6]));
        let packed =
            pack(&apart(8), &mutants, &mut |groups| Ok(groups.iter().map(is_neutral).collect())).unwrap();
        assert_eq!(packed.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4]);
        assert_eq!(packed.concat(), mutants);
    }

    #[test]
    fn drawn_variants_are_as_many_and_as_large_as_asked_for_and_the_seed_decides() {
        let mutants: Vec<Mutant> =
            (0..50).flat_map(|site| (1..=2).map(move |alternative| Mutant { site, alternative })).collect();
        let draw = |seed| {
            drawn(&apart(50), &mutants, 5, 10, seed, &mut |groups| Ok(vec![true; groups.len()])).unwrap()
        };
        assert!(draw(1).len() == 5 && draw(1).iter().all(|group| group.len() == 10));
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn a_variant_has_few_mutants_and_never_two_of_one_site() {
        let mutants: Vec<Mutant> =
            (0..70).flat_map(|site| (1..=2).map(move |alternative| Mutant { site, alternative })).collect();
        let groups = together(&apart(70), &mutants);
        assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), mutants.len());
        for group in &groups {
            let mut sites: Vec<usize> = group.iter().map(|mutant| mutant.site).collect();
            sites.dedup();
            assert!(sites.len() == group.len() && group.len() <= MOST, "{group:?}");
        }
    }

    #[test]
    fn a_mutant_inside_of_another_is_in_another_variant_because_it_would_be_hidden() {
        // A whole condition, its two sides, and what comes after it.
        let all = mutations([0..20, 0..8, 12..20, 20..30].into_iter());
        let mutants: Vec<Mutant> = (0..4).map(|site| Mutant { site, alternative: 1 }).collect();
        let sites = |group: &Vec<Mutant>| group.iter().map(|mutant| mutant.site).collect::<Vec<_>>();
        let groups = together(&all, &mutants);
        assert_eq!(groups.iter().map(sites).collect::<Vec<_>>(), [vec![0, 3], vec![1, 2]]);
        let all_neutral = |groups: &[Vec<Mutant>]| Ok(vec![true; groups.len()]);
        for group in drawn(&all, &mutants, 6, 4, 1, &mut { all_neutral }).unwrap() {
            assert!(
                group.iter().all(|mutant| mutant.site != 0)
                    || sites(&group).iter().all(|site| [0, 3].contains(site))
            );
        }
    }
}
