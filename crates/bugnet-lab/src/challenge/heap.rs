//! The binary heaps of the `binheap` problem, with the wrong sort that the problem is about.
//!
//! The type admits trees that are not heaps, because a shrinker may produce them; whoever
//! judges a heap asks `is_ordered` first.

/// A node of a binary heap; its key is meant to be at most every key below it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Heap {
    pub key: u32,
    pub left: Option<Box<Heap>>,
    pub right: Option<Box<Heap>>,
}

impl Heap {
    /// The subtrees that are present.
    pub fn children(&self) -> impl Iterator<Item = &Heap> {
        [&self.left, &self.right].into_iter().flatten().map(|child| &**child)
    }

    /// Returns true if every key is at most the keys below it.
    pub fn is_ordered(&self) -> bool {
        self.children().all(|child| self.key <= child.key && child.is_ordered())
    }

    /// All keys in the order of a walk that visits the right subtree first.
    pub fn keys(&self) -> Vec<u32> {
        let mut keys = Vec::new();
        let mut pending = vec![self];
        while let Some(heap) = pending.pop() {
            keys.push(heap.key);
            pending.extend(heap.children());
        }
        keys
    }

    /// The keys in the order that the faulty sort gives: it removes the root, merges its
    /// subtrees, and then lists the merged heap as it lies instead of removing root after root.
    pub fn keys_wrongly_sorted(&self) -> Vec<u32> {
        let mut keys = vec![self.key];
        if let Some(rest) = merge(self.left.as_deref(), self.right.as_deref()) {
            keys.extend(rest.keys());
        }
        keys
    }
}

/// The heap of all keys of both, merged along the right spines.
fn merge(first: Option<&Heap>, second: Option<&Heap>) -> Option<Heap> {
    let (Some(first), Some(second)) = (first, second) else {
        return first.or(second).cloned();
    };
    let (top, other) = if first.key <= second.key { (first, second) } else { (second, first) };
    Some(Heap {
        key: top.key,
        left: merge(top.right.as_deref(), Some(other)).map(Box::new),
        right: top.left.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every tree of exactly `size` nodes with keys below `bound`, heap or not.
    fn trees(size: usize, bound: u32) -> Vec<Option<Box<Heap>>> {
        if size == 0 {
            return vec![None];
        }
        let mut all = Vec::new();
        for left_size in 0..size {
            for left in trees(left_size, bound) {
                for right in trees(size - 1 - left_size, bound) {
                    all.extend((0..bound).map(|key| {
                        let (left, right) = (left.clone(), right.clone());
                        Some(Box::new(Heap { key, left, right }))
                    }));
                }
            }
        }
        all
    }

    fn wrongly_sorted_heaps(size: usize, bound: u32) -> Vec<Heap> {
        let heaps = trees(size, bound).into_iter().flatten().map(|heap| *heap);
        heaps.filter(|heap| heap.is_ordered() && !heap.keys_wrongly_sorted().is_sorted()).collect()
    }

    #[test]
    fn heaps_of_fewer_than_four_nodes_are_sorted_rightly() {
        for size in 0..4 {
            assert_eq!(wrongly_sorted_heaps(size, 4), []);
        }
    }

    #[test]
    fn four_keys_are_sorted_wrongly_only_if_one_exceeds_zero() {
        assert_eq!(wrongly_sorted_heaps(4, 1), []);
        assert!(!wrongly_sorted_heaps(4, 2).is_empty());
    }
}
