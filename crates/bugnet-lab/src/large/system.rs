//! A network stack of 46 operations with nine faults, in the shape of section 3.4 of the paper on
//! MoreBugs: it does nothing of interest before ten calls have set it up in their order.
//!
//! A fault is where the stack does not do what its model expects; which one it was is known to whoever
//! counts, and to no method. What fails looks the same from outside for all faults of an operation.
//!
//! **Invariant:** every call of the interface is counted, whoever makes it.

use std::cell::Cell;

/// The number of channels, of messages, of levels and of rates.
pub const CHANNELS: usize = 4;
pub const MESSAGES: usize = 8;
pub const LEVELS: usize = 4;
pub const RATES: usize = 64;

/// The number of faults; they are numbered from one.
pub const FAULTS: usize = 9;

/// The calls that set the stack up, which come first in [`OPERATIONS`].
pub const SETUP: usize = 10;

thread_local! {
    pub static CALLS: Cell<u64> = const { Cell::new(0) };
}

/// The sort of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// A number below another one.
    Below(usize),
    /// A buffer that was allocated before.
    Buffer,
}

const CHANNEL: Sort = Sort::Below(CHANNELS);
const MESSAGE: Sort = Sort::Below(MESSAGES);

/// The operations and their parameters. `allocate` makes a buffer.
pub const OPERATIONS: &[(&str, &[Sort])] = &[
    ("init_clock", &[]),
    ("init_ports", &[]),
    ("init_driver", &[]),
    ("init_transceiver", &[]),
    ("init_interface", &[]),
    ("init_manager", &[]),
    ("init_router", &[]),
    ("init_timers", &[]),
    ("open_bus", &[]),
    ("go_online", &[]),
    ("shutdown", &[]),
    ("tick", &[]),
    ("poll", &[]),
    ("version", &[]),
    ("self_test", &[]),
    ("clear_errors", &[]),
    ("statistics", &[]),
    ("lock", &[]),
    ("unlock", &[]),
    ("idle", &[]),
    ("sleep", &[CHANNEL]),
    ("wake", &[CHANNEL]),
    ("bus_off", &[CHANNEL]),
    ("recover", &[CHANNEL]),
    ("read_errors", &[CHANNEL]),
    ("silence", &[CHANNEL]),
    ("listen", &[CHANNEL]),
    ("read_mode", &[CHANNEL]),
    ("make_passive", &[CHANNEL]),
    ("make_active", &[CHANNEL]),
    ("read_rate", &[CHANNEL]),
    ("transmit", &[MESSAGE]),
    ("confirm", &[MESSAGE]),
    ("cancel", &[MESSAGE]),
    ("receive", &[MESSAGE]),
    ("enable", &[MESSAGE]),
    ("disable", &[MESSAGE]),
    ("trigger", &[MESSAGE]),
    ("read_status", &[MESSAGE]),
    ("read_length", &[MESSAGE]),
    ("set_length", &[Sort::Below(LEVELS), MESSAGE]),
    ("set_filter", &[Sort::Below(LEVELS), MESSAGE]),
    ("set_rate", &[Sort::Below(RATES), CHANNEL]),
    ("allocate", &[]),
    ("attach", &[MESSAGE, Sort::Buffer]),
    ("release", &[Sort::Buffer]),
];

/// The state of a channel in the stack.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Channel {
    asleep: bool,
    silenced_asleep: bool,
    woken_silenced: bool,
    off: bool,
    recoveries: u8,
    /// True if it was asleep when the stack was shut down.
    shut_down_asleep: bool,
}

/// The state of a message in the stack.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Message {
    pending: u8,
    cancelled: bool,
    disabled: bool,
    sent_disabled: bool,
    sent_then_enabled: bool,
    length: Option<usize>,
    same_length_again: bool,
    buffer: Option<usize>,
}

/// The stack.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stack {
    stage: usize,
    channels: [Channel; CHANNELS],
    messages: [Message; MESSAGES],
    /// For each buffer, whether it was released.
    buffers: Vec<bool>,
}

impl Stack {
    /// Makes a call; what it fails with, if it does.
    pub fn call(&mut self, name: &str, arguments: &[usize]) -> Result<(), usize> {
        CALLS.set(CALLS.get() + 1);
        if let Some(step) = OPERATIONS[..SETUP].iter().position(|(setup, _)| *setup == name) {
            self.stage += usize::from(self.stage == step);
            return Ok(());
        }
        match name {
            "allocate" => self.buffers.push(false),
            // The stack may be shut down with buffers in use.
            "release" => self.buffers[arguments[0]] = true,
            "set_rate" if arguments[0] == RATES - 1 => return Err(1),
            "shutdown" if self.stage == SETUP => {
                let buffers = std::mem::take(&mut self.buffers);
                let asleep =
                    |channel: &Channel| Channel { shut_down_asleep: channel.asleep, ..Channel::default() };
                let channels = self.channels.each_ref().map(asleep);
                *self = Stack { channels, buffers, ..Stack::default() };
            }
            _ if self.stage < SETUP => {}
            _ => match (OPERATIONS.iter().find(|(other, _)| *other == name), arguments) {
                (Some((_, [.., Sort::Buffer])), [message, buffer]) => {
                    self.messages[*message].buffer = Some(*buffer);
                }
                (Some((_, [.., CHANNEL])), [.., channel]) => return self.channels[*channel].call(name),
                (Some((_, [.., MESSAGE])), [.., message]) => {
                    return self.messages[*message].call(name, arguments[0], &self.buffers);
                }
                _ => {}
            },
        }
        Ok(())
    }
}

impl Channel {
    fn call(&mut self, name: &str) -> Result<(), usize> {
        match name {
            "sleep" => self.asleep = true,
            "silence" => self.silenced_asleep = self.asleep,
            "wake" if self.shut_down_asleep => return Err(9),
            "wake" => {
                self.woken_silenced = self.asleep && self.silenced_asleep;
                self.asleep = false;
            }
            "read_mode" if self.woken_silenced => return Err(3),
            "bus_off" => self.off = true,
            "recover" if self.off => {
                self.off = false;
                self.recoveries += 1;
                if self.recoveries == 2 {
                    return Err(7);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl Message {
    fn call(&mut self, name: &str, argument: usize, buffers: &[bool]) -> Result<(), usize> {
        match name {
            "transmit" => {
                if self.buffer.is_some_and(|buffer| buffers[buffer]) {
                    return Err(5);
                }
                self.pending += 1;
                if self.pending == 4 {
                    return Err(6);
                }
                (self.cancelled, self.sent_disabled) = (false, self.disabled);
            }
            "cancel" if self.pending > 0 => (self.pending, self.cancelled) = (0, true),
            "confirm" if self.cancelled => return Err(2),
            "confirm" => self.pending = 0,
            "disable" => self.disabled = true,
            "enable" => {
                self.sent_then_enabled = self.disabled && self.sent_disabled;
                self.disabled = false;
            }
            "receive" if self.sent_then_enabled => return Err(8),
            "set_length" => {
                self.same_length_again = self.length == Some(argument);
                self.length = Some(argument);
            }
            "read_length" if self.same_length_again => return Err(4),
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(calls: &[(&str, &[usize])]) -> Option<usize> {
        let mut stack = Stack::default();
        let setup = OPERATIONS[..SETUP].iter().map(|(name, _)| (*name, &[] as &[usize]));
        setup.chain(calls.iter().copied()).find_map(|(name, arguments)| stack.call(name, arguments).err())
    }

    /// For each fault the shortest way to it.
    fn shortest() -> Vec<Vec<(&'static str, &'static [usize])>> {
        let setup = OPERATIONS[..SETUP].iter().map(|(name, _)| (*name, &[] as &'static [usize]));
        let down = [("sleep", &[0usize] as &'static [usize]), ("shutdown", &[])];
        vec![
            vec![("set_rate", &[63, 0])],
            vec![("transmit", &[0]), ("cancel", &[0]), ("confirm", &[0])],
            vec![("sleep", &[0]), ("silence", &[0]), ("wake", &[0]), ("read_mode", &[0])],
            vec![("set_length", &[1, 0]), ("set_length", &[1, 0]), ("read_length", &[0])],
            vec![("allocate", &[]), ("attach", &[0, 0]), ("release", &[0]), ("transmit", &[0])],
            vec![("transmit", &[0]); 4],
            vec![("bus_off", &[0]), ("recover", &[0]), ("bus_off", &[0]), ("recover", &[0])],
            vec![("disable", &[0]), ("transmit", &[0]), ("enable", &[0]), ("receive", &[0])],
            down.into_iter().chain(setup).chain([("wake", &[0usize] as _)]).collect(),
        ]
    }

    #[test]
    fn every_fault_is_there_and_needs_each_of_its_calls() {
        for (number, calls) in shortest().into_iter().enumerate() {
            assert_eq!(fault(&calls), Some(number + 1));
            for left_out in 0..calls.len() {
                let mut fewer = calls.clone();
                // A buffer that is used has to be there.
                if fewer.remove(left_out).0 != "allocate" {
                    assert_eq!(fault(&fewer), None, "{number} without {left_out}");
                }
            }
        }
    }

    #[test]
    fn nothing_but_the_first_fault_is_there_before_the_stack_is_set_up() {
        for (number, calls) in shortest().into_iter().enumerate().skip(1).take(7) {
            let mut stack = Stack::default();
            assert!(calls.iter().all(|(name, arguments)| stack.call(name, arguments).is_ok()), "{number}");
        }
    }
}
