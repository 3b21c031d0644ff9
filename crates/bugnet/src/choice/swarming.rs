//! Shaping by a configuration: the alternatives and values that random choices leave out.
//!
//! Plain random inputs know nothing of this. Where a configuration shapes an input, its choices are
//! made as if they were recorded, on the paths that are not hot, whether they are written down or not.
//!
//! **Invariant:** what is drawn depends on the configuration and the stream, not on what is recorded.

use super::Source;
use super::shape::Shape;
use crate::list::mapped;
use crate::swarm::{Configuration, Domain, Drawn, Feature, Part, Values};

/// The features that a random input leaves out, and those it was asked for.
#[derive(Debug)]
pub(crate) struct Swarming {
    pub(crate) configuration: Configuration,
    /// The domain that the values of each sort are drawn from.
    domains: [Domain; Values::ALL.len()],
    /// True if unrestricted integers came up, which may be boundaries or not.
    has_integers: bool,
    /// The types whose alternatives came up. Those of earlier inputs are kept for their memory.
    groups: Vec<Group>,
    /// Which input this is.
    turn: u32,
}

/// The alternatives of one type.
#[derive(Debug)]
struct Group {
    label: &'static str,
    names: &'static [&'static str],
    /// The weights of the alternatives in the order of the shape.
    weights: Vec<u32>,
    /// The places of the alternatives in the declaration.
    declared: Vec<u32>,
    used: Vec<bool>,
    /// The input that it came up in last.
    turn: u32,
}

/// A feature of an input.
#[derive(Debug, Clone)]
pub(crate) struct Presence {
    pub(crate) name: String,
    pub(crate) on: bool,
    /// True if the feature was used; a class of values is used wherever it is not left out.
    pub(crate) used: Option<bool>,
}

impl Swarming {
    pub(super) fn new(configuration: Configuration) -> Swarming {
        let mut swarming = Swarming {
            configuration,
            domains: [Domain::Whole; Values::ALL.len()],
            has_integers: false,
            groups: Vec::new(),
            turn: 0,
        };
        swarming.begin(configuration);
        swarming
    }

    /// Begins another input.
    fn begin(&mut self, configuration: Configuration) {
        self.configuration = configuration;
        for values in Values::ALL {
            self.domains[values as usize] = configuration.domain(values);
        }
        self.has_integers = false;
        self.turn = self.turn.wrapping_add(1);
    }

    /// The group of a shape; its weights are worked out when it first comes up in an input.
    fn group(&mut self, label: &'static str, shape: &Shape) -> &mut Group {
        let same = |group: &Group| std::ptr::eq(group.names, shape.names) && group.is_labelled(label);
        let place = self.groups.iter().position(same).unwrap_or_else(|| {
            let declared = mapped(&shape.order, |alternative| alternative.declared);
            self.groups.push(Group::new(label, shape.names, declared, self.turn));
            self.groups.len() - 1
        });
        let Swarming { configuration, turn, groups, .. } = self;
        let group = &mut groups[place];
        if group.begins(*turn) {
            for declared in &group.declared {
                let feature = Feature::within(label, shape.names[*declared as usize]);
                group.weights.push(configuration.weight(feature));
            }
        }
        group
    }

    /// The weights of the alternatives of a shape.
    pub(super) fn weights(&mut self, label: &'static str, shape: &Shape) -> &[u32] {
        &self.group(label, shape).weights
    }

    /// Notes that an alternative was used.
    pub(super) fn note_use(&mut self, label: &'static str, shape: &Shape, place: usize) {
        self.group(label, shape).used[place] = true;
    }

    /// Returns the groups of features that came up in this input.
    fn groups(&self) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(|group| group.turn == self.turn)
    }

    /// Returns the number of features that came up.
    pub(crate) fn count(&self) -> usize {
        let mut count = usize::from(self.has_integers);
        self.groups().for_each(|group| count += group.weights.len());
        count
    }

    /// The features that came up.
    pub(crate) fn features(&self) -> Vec<Presence> {
        let mut features = Vec::new();
        if self.has_integers {
            let on = self.configuration.is_on(Feature::BOUNDARIES);
            features.push(Presence { name: Feature::BOUNDARY_INTEGERS.to_string(), on, used: None });
        }
        for group in self.groups() {
            for (place, declared) in group.declared.iter().enumerate() {
                features.push(Presence {
                    name: format!("{}::{}", group.label, group.names[*declared as usize]),
                    on: group.weights[place] > 0,
                    used: Some(group.used[place]),
                });
            }
        }
        features
    }
}

impl Group {
    /// A group that has come up in no input up to this one.
    fn new(label: &'static str, names: &'static [&'static str], declared: Vec<u32>, turn: u32) -> Group {
        let used = vec![false; declared.len()];
        Group { label, names, weights: Vec::new(), declared, used, turn: turn.wrapping_sub(1) }
    }

    fn is_labelled(&self, label: &'static str) -> bool {
        std::ptr::eq(self.label, label) || self.label == label
    }

    /// Returns true the first time in an input, and then forgets the input before.
    fn begins(&mut self, turn: u32) -> bool {
        let begins = self.turn != turn;
        if begins {
            self.turn = turn;
            self.weights.clear();
            self.used.fill(false);
        }
        begins
    }
}

impl Source {
    /// Random choices, recorded, of an input that leaves features out.
    pub(crate) fn swarming(seed: super::Seed, case: u64, configuration: Configuration) -> Source {
        let mut source = Source::recording(seed, case);
        source.recorder.swarm = Some(Box::new(Swarming::new(configuration)));
        source
    }

    /// Has the literals of a random program drawn as a configuration says.
    #[inline]
    pub(crate) fn shape(&mut self, configuration: Configuration) {
        self.is_shaped = configuration.part() != Part::All;
        if self.is_shaped {
            self.begin_shaping(configuration);
        } else if !self.fast {
            self.recorder.swarm = None;
        }
    }

    fn begin_shaping(&mut self, configuration: Configuration) {
        match &mut self.recorder.swarm {
            Some(swarm) => swarm.begin(configuration),
            none => *none = Some(Box::new(Swarming::new(configuration))),
        }
    }

    /// Shapes what is drawn as another source does.
    pub(super) fn shape_as(&mut self, other: &Source) {
        let configuration = other.swarm().map_or(Configuration::ALL, |swarm| swarm.configuration);
        self.shape(configuration);
    }

    /// Draws a literal of a program, where nothing is recorded.
    #[inline]
    pub(crate) fn unrecorded_literal<T>(&mut self, generate: fn(&mut Source) -> T) -> T {
        let size = self.size;
        self.fast = !self.is_shaped;
        let value = generate(self);
        self.fast = true;
        self.size = size;
        value
    }

    /// Returns true if choices are shaped but not written down.
    pub(crate) fn is_silent(&self) -> bool {
        self.recorder.is_silent
    }

    /// Returns the features that the input was asked to leave out.
    pub(crate) fn swarm(&self) -> Option<&Swarming> {
        self.recorder.swarm.as_deref()
    }

    /// Which of the values of a sort is to be drawn next.
    #[inline(always)]
    pub(crate) fn drawn(&mut self, values: Values) -> Drawn {
        match &mut self.recorder.swarm {
            Some(swarm) => {
                let domain = swarm.domains[values as usize];
                // Where integers are narrowed, nothing can be told of boundaries.
                swarm.has_integers |=
                    values == Values::Integers && matches!(domain, Domain::Whole | Domain::Inner);
                domain.draw(&mut self.stream)
            }
            None => Drawn::Next,
        }
    }

    /// Draws the place of a value in the order of simplicity, of those that are left in.
    pub(crate) fn drawn_place(
        &mut self,
        values: Values,
        limit: u64,
        random: impl FnOnce(&mut Source) -> u64,
    ) -> u64 {
        let drawn = self.drawn(values);
        match (drawn, drawn.stream()) {
            (Drawn::Place(place), _) => place.min(limit),
            (_, None) => random(self),
            (_, Some(stream)) => {
                let own = std::mem::replace(&mut self.stream, stream);
                let place = random(self);
                self.stream = own;
                place
            }
        }
    }

    /// Draws how much longer than the least a sequence is, among the lengths that are left in.
    pub(super) fn shaped_length(&mut self, least: usize, most: Option<usize>) -> u64 {
        match self.drawn(Values::Lengths) {
            Drawn::Place(extra) => extra.min(match most {
                Some(most) => (most - least) as u64,
                None => u64::from(self.size_left()),
            }),
            _ => (self.random_length(least, most) - least) as u64,
        }
    }
}
