//! Collections of the standard library.
//!
//! A sequence is its length followed by its elements, each in a span of its own, so that the
//! shrinker can take elements out. In exhaustive search a list is a chain of cells as in Venema's
//! thesis (2012), section 2.4.3: its length and the depth of its elements share the depth. Sets and
//! maps are lists in ascending order there, which bounds their size; the thesis does not.
//!
//! **Invariant:** sets and maps have distinct keys, and exhaustive search makes each only once.

use super::{Generate, Graph, TypeId};
use crate::choice::Source;
use crate::list::mapped;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::{BuildHasher, Hash};

/// The label of the span around a sequence; its length comes first, then its elements.
#[doc(hidden)]
pub const SEQUENCE: &str = "sequence";
/// The label of the span around one element of a sequence.
#[doc(hidden)]
pub const ELEMENT: &str = "element";

/// Draws of an element that is already there before the set stays smaller.
const TRIES: u32 = 8;

/// Draws the elements of a sequence.
#[inline]
pub(super) fn one_by_one<T: Generate>(source: &mut Source, count: usize) -> Vec<T> {
    elements(source, count, |source| T::generate(source))
}

/// Draws the elements of a sequence from a generator.
#[inline]
pub(super) fn elements<T>(
    source: &mut Source,
    count: usize,
    mut draw: impl FnMut(&mut Source) -> T,
) -> Vec<T> {
    // Without a look at the capacity for each. In a debug build, closures cost more than that.
    if source.is_fast() && !cfg!(debug_assertions) {
        return (0..count).map(|_| draw(source)).collect();
    }
    let mut values = Vec::with_capacity(count);
    let depth = source.depth();
    let fast = source.is_fast();
    let mut place = 0;
    while place < count {
        if fast {
            values.push(draw(source));
        } else {
            let node = source.enter(ELEMENT);
            source.descend_to(depth.checked_sub(1 + place as u32));
            values.push(draw(source));
            source.leave(node);
        }
        place += 1;
    }
    values
}

impl<T: Generate> Generate for Vec<T> {
    #[inline]
    fn generate(source: &mut Source) -> Vec<T> {
        let node = source.enter(SEQUENCE);
        let count = source.length(0, None);
        source.share_size(count);
        let values = T::generate_many(source, count);
        source.leave(node);
        values
    }

    /// It does not depend on the elements', for they may hold such lists themselves.
    const REUSES: bool = std::mem::needs_drop::<T>();

    fn regenerate(&mut self, source: &mut Source) {
        // Elements in spans of their own are made in one way only.
        if !Self::REUSES || !source.is_fast() {
            *self = Vec::generate(source);
            return;
        }
        let node = source.enter(SEQUENCE);
        let count = source.length(0, None);
        source.share_size(count);
        self.truncate(count);
        for value in self.iter_mut() {
            value.regenerate(source);
        }
        while self.len() < count {
            self.push(T::generate(source));
        }
        source.leave(node);
    }

    fn shape(graph: &mut Graph) -> TypeId {
        list_shape::<Vec<T>, T>(graph)
    }
}

/// The shape of a list: empty, or an element and a list.
fn list_shape<L: Generate, T: Generate>(graph: &mut Graph) -> TypeId {
    graph.node::<L>(|graph| vec![vec![], vec![T::shape(graph)]])
}

/// Draws distinct keys with what belongs to each.
pub(super) fn distinct<K, V>(
    source: &mut Source,
    least: usize,
    most: Option<usize>,
    mut draw: impl FnMut(&mut Source) -> (K, V),
    insert: &mut dyn FnMut(K, V) -> bool,
) -> usize {
    let node = source.enter(SEQUENCE);
    let was_cut = source.is_cut();
    let count = source.length(least, most);
    source.share_size(count);
    let depth = source.depth();
    // The depth hides larger ones only if there is one as large as it allows: of two booleans there are no three.
    let is_largest = source.is_cut() && count >= least.max(depth as usize);
    source.set_cut(was_cut);
    let mut kept = 0;
    let mut last = Vec::new();
    for place in 0..count {
        for _ in 0..TRIES {
            let element = source.enter(ELEMENT);
            source.descend_to(depth.checked_sub(1 + place as u32));
            let (start, (key, value)) = (source.tape().choices.len(), draw(source));
            source.leave(element);
            if source.is_exhaustive() {
                // The same set in another order is not worth a second look.
                let choices = mapped(&source.tape().choices[start..], |choice| choice.value);
                if place > 0 && choices <= last {
                    source.repeat();
                }
                last = choices;
            }
            if insert(key, value) {
                kept += 1;
                break;
            }
            if source.is_exhaustive() {
                source.repeat();
            }
        }
    }
    if is_largest {
        source.set_cut(true);
    }
    source.leave(node);
    if kept < least {
        source.discard();
    }
    kept
}

impl<T: Generate> Generate for VecDeque<T> {
    fn generate(source: &mut Source) -> VecDeque<T> {
        Vec::generate(source).into()
    }

    fn shape(graph: &mut Graph) -> TypeId {
        list_shape::<VecDeque<T>, T>(graph)
    }
}

impl<T: Generate> Generate for LinkedList<T> {
    fn generate(source: &mut Source) -> LinkedList<T> {
        Vec::generate(source).into_iter().collect()
    }

    fn shape(graph: &mut Graph) -> TypeId {
        list_shape::<LinkedList<T>, T>(graph)
    }
}

impl<T: Generate + Ord> Generate for BinaryHeap<T> {
    fn generate(source: &mut Source) -> BinaryHeap<T> {
        Vec::generate(source).into()
    }

    fn shape(graph: &mut Graph) -> TypeId {
        list_shape::<BinaryHeap<T>, T>(graph)
    }
}

impl<T: Generate> Generate for Box<[T]> {
    fn generate(source: &mut Source) -> Box<[T]> {
        Vec::generate(source).into()
    }

    fn shape(graph: &mut Graph) -> TypeId {
        list_shape::<Box<[T]>, T>(graph)
    }
}

impl<T: Generate + Ord> Generate for BTreeSet<T> {
    fn generate(source: &mut Source) -> BTreeSet<T> {
        let mut set = BTreeSet::new();
        distinct(source, 0, None, |source| (T::generate(source), ()), &mut |key, ()| set.insert(key));
        set
    }

    fn shape(graph: &mut Graph) -> TypeId {
        list_shape::<BTreeSet<T>, T>(graph)
    }
}

impl<T: Generate + Eq + Hash, S: BuildHasher + Default> Generate for HashSet<T, S> {
    fn generate(source: &mut Source) -> HashSet<T, S> {
        let mut set = HashSet::default();
        distinct(source, 0, None, |source| (T::generate(source), ()), &mut |key, ()| set.insert(key));
        set
    }

    fn shape(graph: &mut Graph) -> TypeId {
        list_shape::<HashSet<T, S>, T>(graph)
    }
}

impl<K: Generate + Ord, V: Generate> Generate for BTreeMap<K, V> {
    fn generate(source: &mut Source) -> BTreeMap<K, V> {
        let mut map = BTreeMap::new();
        distinct(source, 0, None, <(K, V)>::generate, &mut |key, value| map.insert(key, value).is_none());
        map
    }

    fn shape(graph: &mut Graph) -> TypeId {
        list_shape::<BTreeMap<K, V>, (K, V)>(graph)
    }
}

impl<K: Generate + Eq + Hash, V: Generate, S: BuildHasher + Default> Generate for HashMap<K, V, S> {
    fn generate(source: &mut Source) -> HashMap<K, V, S> {
        let mut map = HashMap::default();
        distinct(source, 0, None, <(K, V)>::generate, &mut |key, value| map.insert(key, value).is_none());
        map
    }

    fn shape(graph: &mut Graph) -> TypeId {
        list_shape::<HashMap<K, V, S>, (K, V)>(graph)
    }
}

impl<T: Generate, const N: usize> Generate for [T; N] {
    fn generate(source: &mut Source) -> [T; N] {
        let node = source.enter("array");
        if N > 0 {
            source.descend();
        }
        let values = std::array::from_fn(|_| T::generate(source));
        source.leave(node);
        values
    }

    const REUSES: bool = T::REUSES;

    fn regenerate(&mut self, source: &mut Source) {
        let node = source.enter("array");
        if N > 0 {
            source.descend();
        }
        for value in self {
            value.regenerate(source);
        }
        source.leave(node);
    }

    fn shape(graph: &mut Graph) -> TypeId {
        // Of many elements, a few will do: their size is used up soon enough.
        graph.bundle::<[T; N]>(|graph| vec![vec![T::shape(graph); N.min(64)]])
    }
}
