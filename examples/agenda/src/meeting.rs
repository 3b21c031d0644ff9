//! The meetings of a day.
//!
//! **Invariant:** the meetings of an agenda are in the order of their beginnings and do not overlap.

use crate::{Duration, Name};

/// The minutes of a day.
const DAY: u16 = 24 * 60;

/// A meeting with somebody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    begin: u16,
    length: Duration,
    with: Name,
}

impl Meeting {
    /// Returns a meeting that begins at a minute of the day.
    pub fn new(begin: u16, length: Duration, with: Name) -> Meeting {
        Meeting { begin, length, with }
    }

    /// Returns the person to meet.
    pub fn with(&self) -> &Name {
        &self.with
    }

    /// Returns the minute of the day at which the meeting ends.
    fn end(&self) -> u16 {
        self.begin + self.length.minutes()
    }
}

/// The meetings of one day.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agenda {
    meetings: Vec<Meeting>,
}

impl Agenda {
    /// Returns an agenda without meetings.
    pub fn new() -> Agenda {
        Agenda::default()
    }

    /// Adds a meeting. Returns false, and changes nothing, if it does not fit into the day or meets another one.
    pub fn add(&mut self, meeting: Meeting) -> bool {
        let fits = meeting.end() <= DAY && !self.meetings.iter().any(|other| overlap(other, &meeting));
        if fits {
            let place = self.meetings.partition_point(|other| other.begin <= meeting.begin);
            self.meetings.insert(place, meeting);
        }
        fits
    }

    /// Removes the next meeting with somebody and returns it.
    pub fn cancel(&mut self, with: &Name) -> Option<Meeting> {
        let place = self.meetings.iter().position(|meeting| meeting.with == *with)?;
        Some(self.meetings.remove(place))
    }

    /// Returns the number of meetings.
    pub fn len(&self) -> usize {
        self.meetings.len()
    }

    /// Returns true if the day is free.
    pub fn is_empty(&self) -> bool {
        self.meetings.is_empty()
    }

    /// Returns the meetings in the order of the day.
    pub fn meetings(&self) -> &[Meeting] {
        &self.meetings
    }
}

fn overlap(one: &Meeting, two: &Meeting) -> bool {
    one.begin < two.end() && two.begin < one.end()
}
