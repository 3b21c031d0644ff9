//! The stack as machines of Bugnet: one that knows nothing, and one that knows how the stack is set up.
//!
//! **Invariant:** what a machine says when it fails does not tell which fault it was.

use super::system::{CHANNELS, LEVELS, MESSAGES, OPERATIONS, RATES, SETUP, Stack};
use bugnet::prelude::*;

/// A number below another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Below<const BOUND: usize>(usize);

impl<const BOUND: usize> Generate for Below<BOUND> {
    fn generate(source: &mut Source) -> Self {
        Below(source.index(BOUND))
    }
}

impl<const BOUND: usize> Literal for Below<BOUND> {
    fn literal(&self) -> String {
        format!("Below({})", self.0)
    }
}

/// A buffer, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Buffer(usize);

/// A machine that has a stack.
trait Tested {
    fn call(&mut self, name: &str, arguments: &[usize]);

    fn set_up(&mut self) {
        OPERATIONS[..SETUP].iter().for_each(|(name, _)| self.call(name, &[]));
    }
}

macro_rules! machine_of {
    ($kind:ident; [$($plain:ident)*] [$($channel:ident)*] [$($message:ident)*] { $($more:tt)* }) => {
        #[derive(Debug, Default, Hash)]
        pub struct $kind {
            stack: Stack,
            buffers: usize,
        }

        impl Tested for $kind {
            fn call(&mut self, name: &str, arguments: &[usize]) {
                assert!(self.stack.call(name, arguments).is_ok(), "not as expected");
            }
        }

        #[machine]
        #[ignore = "it is wrong on purpose"]
        impl $kind {
            fn new() -> Self {
                $kind::default()
            }

            $(fn $plain(&mut self) {
                self.call(stringify!($plain), &[]);
            })*

            $(fn $channel(&mut self, channel: Below<CHANNELS>) {
                self.call(stringify!($channel), &[channel.0]);
            })*

            $(fn $message(&mut self, message: Below<MESSAGES>) {
                self.call(stringify!($message), &[message.0]);
            })*

            fn set_length(&mut self, length: Below<LEVELS>, message: Below<MESSAGES>) {
                self.call("set_length", &[length.0, message.0]);
            }

            fn set_filter(&mut self, filter: Below<LEVELS>, message: Below<MESSAGES>) {
                self.call("set_filter", &[filter.0, message.0]);
            }

            fn set_rate(&mut self, rate: Below<RATES>, channel: Below<CHANNELS>) {
                self.call("set_rate", &[rate.0, channel.0]);
            }

            fn allocate(&mut self) -> Buffer {
                self.call("allocate", &[]);
                self.buffers += 1;
                Buffer(self.buffers - 1)
            }

            fn attach(&mut self, message: Below<MESSAGES>, buffer: &Buffer) {
                self.call("attach", &[message.0, buffer.0]);
            }

            fn release(&mut self, buffer: &Buffer) {
                self.call("release", &[buffer.0]);
            }

            $($more)*
        }
    };
}

macro_rules! machines {
    ($plain:tt $channel:tt $message:tt) => {
        machine_of!(Unaware; $plain $channel $message {});

        machine_of!(Aware; $plain $channel $message {
            fn started() -> Self {
                let mut machine = Aware::default();
                machine.set_up();
                machine
            }

            fn start_again(&mut self) {
                self.set_up();
            }
        });
    };
}

machines!(
    [
        init_clock init_ports init_driver init_transceiver init_interface init_manager init_router
        init_timers open_bus go_online shutdown tick poll version self_test clear_errors statistics
        lock unlock idle
    ]
    [sleep wake bus_off recover read_errors silence listen read_mode make_passive make_active read_rate]
    [transmit confirm cancel receive enable disable trigger read_status read_length]
);
