//! Packing: mutants that live are put together into few variants, each of which still passes the suite.
//!
//! **Invariant:** every mutant is in one variant, a variant has at most one mutant of a site, and it is neutral as a
//! whole.

use super::mutation::Mutant;
use super::neutral::{Class, Judge};
use anyhow::Result;

/// The most mutants of one variant, as in the N-Prog paper.
const MOST: usize = 30;

/// Packs mutants, and splits what is not neutral as a whole.
pub(crate) fn pack(mutants: &[Mutant], judge: &Judge<'_>) -> Result<Vec<Vec<Mutant>>> {
    let mut packed = Vec::new();
    let mut open = together(mutants);
    open.reverse();
    while let Some(group) = open.pop() {
        let is_neutral = group.len() == 1 || matches!(judge.class(&group)?, Class::Live | Class::Unreached);
        if is_neutral {
            packed.push(group);
        } else {
            let (first, second) = group.split_at(group.len() / 2);
            open.extend([second.to_vec(), first.to_vec()]);
        }
    }
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
