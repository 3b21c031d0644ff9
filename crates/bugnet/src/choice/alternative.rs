//! The random choice of an alternative, on the hot path of every derived type.
//!
//! **Invariant:** while there is size left, every alternative has a positive probability; when
//! there is none, only those that end are chosen.

use super::shape::{Alternative, Law, Shape};
use super::size::Size;
use super::swarming::Swarming;
use super::{Kind, Source};
use crate::random::{Stream, scale};

/// Sixteenths of the cases in which recursion goes on for sure while there is size left. A fair choice among all
/// alternatives would mostly end at once, and a search needs trees with several nodes.
const GO_ON: u64 = 12;

impl Source {
    #[inline(always)]
    pub(crate) fn random_alternative(&mut self, shape: &Shape) -> usize {
        let alternative;
        (alternative, self.stream, self.size) = choose(shape, self.stream, self.size);
        alternative
    }

    /// Chooses an alternative where choices are recorded, by its place in the declaration.
    pub(crate) fn alternative(&mut self, label: &'static str, shape: &Shape) -> usize {
        let place = if shape.order.len() == 1 { 0 } else { self.recorded_alternative(label, shape) };
        let chosen = &shape.order[place];
        if self.is_random() {
            self.size.descend(chosen.recursive, &mut self.stream);
        }
        if chosen.fields {
            self.descend();
        }
        chosen.declared as usize
    }

    fn recorded_alternative(&mut self, label: &'static str, shape: &Shape) -> usize {
        let limit = shape.order.len() as u64 - 1;
        let reachable = shape.reachable(self.depth) as u64;
        let random = |source: &mut Source| match source.recorder.swarm.take() {
            Some(mut swarm) if !shape.names.is_empty() => {
                let place = swarming_place(label, shape, source, &mut swarm);
                source.recorder.swarm = Some(swarm);
                place as u64
            }
            swarm => {
                source.recorder.swarm = swarm;
                random_place(shape, &mut source.stream, &mut source.size) as u64
            }
        };
        self.decide(Kind::Index, limit, reachable.max(1) - 1, 0, random) as usize
    }

    /// Returns the size that is left.
    pub(super) fn size_left(&mut self) -> u32 {
        self.size.left(&mut self.stream)
    }
}

/// Chooses among the alternatives of a shape: gives the place in the declaration of one, and where
/// its choice leaves the stream and the size.
#[inline(always)]
fn choose(shape: &Shape, stream: Stream, size: Size) -> (usize, Stream, Size) {
    let (stream, Packed(packed)) = chosen(shape, stream, size);
    ((packed >> 32) as usize, stream, Size(packed as u32))
}

/// The place of an alternative in the declaration, and a size: two numbers in one register.
struct Packed(u64);

/// Stream and size come and go in registers, so that the caller knows that nothing else of the
/// source has changed. What is rare is left to another function at once.
#[inline(never)]
fn chosen(shape: &Shape, mut stream: Stream, mut size: Size) -> (Stream, Packed) {
    if shape.law != Law::Recursive || size == Size::UNDRAWN {
        return unusually_chosen(shape, stream, size);
    }
    let place = recursive_place(shape, &mut stream, &mut size);
    entered(&shape.order[place], stream, size)
}

#[cold]
#[inline(never)]
fn unusually_chosen(shape: &Shape, mut stream: Stream, mut size: Size) -> (Stream, Packed) {
    let place = random_place(shape, &mut stream, &mut size);
    entered(&shape.order[place], stream, size)
}

#[inline(always)]
fn entered(chosen: &Alternative, mut stream: Stream, mut size: Size) -> (Stream, Packed) {
    size.descend(chosen.recursive, &mut stream);
    (stream, Packed(u64::from(chosen.declared) << 32 | u64::from(size.0)))
}

/// The place of a random alternative in the order of the shape.
fn random_place(shape: &Shape, stream: &mut Stream, size: &mut Size) -> usize {
    match shape.law {
        Law::Only => 0,
        Law::Equal => {
            // The hot path knows the declaration only, so that is what is drawn.
            let declared = scale(stream.word().1, shape.order.len() as u64) as u32;
            let place = shape.order.iter().position(|alternative| alternative.declared == declared);
            place.expect("every alternative has a place")
        }
        Law::Recursive => recursive_place(shape, stream, size),
        Law::Weighted => weighted_place(shape, stream, size),
    }
}

#[inline(always)]
fn recursive_place(shape: &Shape, stream: &mut Stream, size: &mut Size) -> usize {
    let (all, ends) = (shape.order.len() as u64, shape.ends as u64);
    if size.left(stream) == 0 {
        return if ends == 1 { 0 } else { scale(stream.word().1, ends) as usize };
    }
    let (class, bits) = stream.word();
    let first = if class % 16 < GO_ON { ends } else { 0 };
    (first + scale(bits, all - first)) as usize
}

fn weighted_place(shape: &Shape, stream: &mut Stream, size: &mut Size) -> usize {
    let may_recur = shape.ends == shape.order.len() || size.left(stream) > 0;
    let weights = if may_recur { &shape.weights } else { &shape.weights[..shape.ends] };
    let total = weights.iter().map(|weight| u64::from(*weight)).sum();
    let (_, bits) = stream.word();
    // What must end ends, even with what has no weight.
    if total == 0 { scale(bits, shape.ends as u64) as usize } else { pick(weights, scale(bits, total)) }
}

/// The place of an alternative that a configuration leaves in. Where it leaves none, or recursion
/// must end, what ends is there all the same.
fn swarming_place(label: &'static str, shape: &Shape, source: &mut Source, swarm: &mut Swarming) -> usize {
    let ended = shape.ends < shape.order.len() && source.size_left() == 0;
    let weights = swarm.weights(label, shape);
    let weights = if ended { &weights[..shape.ends] } else { weights };
    let total: u64 = weights.iter().map(|weight| u64::from(*weight)).sum();
    let bits = source.word().1;
    let place = match total {
        0 => scale(bits, shape.ends as u64) as usize,
        total => pick(weights, scale(bits, total)),
    };
    swarm.note_use(label, shape, place);
    place
}

/// The alternative in whose share of the weights a number falls.
pub(super) fn pick(weights: &[u32], mut number: u64) -> usize {
    for (place, weight) in weights.iter().enumerate() {
        match number.checked_sub(u64::from(*weight)) {
            Some(rest) => number = rest,
            None => return place,
        }
    }
    weights.len() - 1
}
