//! Every case over given trees, keys and values: how the tests know that correct code satisfies
//! a property and that a task can be solved at all.

use super::task::{Case, Property, SearchTree, Shape, Task};

/// The values to choose from. The n-th tree of a case comes from the n-th list of trees, so that values can tell
/// which tree they came from.
pub struct Exhaustion<T> {
    pub trees: Vec<Vec<T>>,
    pub keys: Vec<i32>,
    pub values: Vec<i32>,
}

impl<T: SearchTree> Exhaustion<T> {
    /// All cases of a shape.
    pub fn cases(&self, shape: Shape) -> impl Iterator<Item = Case<T>> {
        let keys = product(&vec![self.keys.clone(); shape.keys]);
        let values = product(&vec![self.values.clone(); shape.values]);
        product(&self.trees[..shape.trees]).into_iter().flat_map(move |trees| {
            let numbers = keys.iter().flat_map(|keys| values.iter().map(move |values| (keys, values)));
            let case = |(keys, values): (&Vec<i32>, &Vec<i32>)| Case {
                trees: trees.clone(),
                keys: keys.clone(),
                values: values.clone(),
            };
            numbers.map(case).collect::<Vec<_>>()
        })
    }
}

/// All ways to take one element of each list.
fn product<T: Clone>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![Vec::new()], |choices, list| {
        let extended = choices.iter().flat_map(|choice: &Vec<T>| {
            list.iter().map(|last| [choice.as_slice(), std::slice::from_ref(last)].concat())
        });
        extended.collect()
    })
}

/// The first case that refutes a property. A discarded case is an error of the enumeration: it
/// is to give valid trees only, lest a property pass because nothing was tested.
pub fn refutation<T: SearchTree>(
    property: &Property<T>,
    mutant: T::Mutant,
    exhaustion: &Exhaustion<T>,
) -> Option<Case<T>> {
    exhaustion.cases(property.shape).find(|case| {
        let verdict = (property.check)(case, mutant);
        !verdict.expect("an enumerated tree is valid")
    })
}

/// Returns true if some case solves the task.
pub fn is_refuted_by<T: SearchTree>(task: &Task<T>, exhaustion: &Exhaustion<T>) -> bool {
    refutation(&task.property, task.mutant, exhaustion).is_some()
}
