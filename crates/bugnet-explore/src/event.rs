//! Telling: events go to the process that asked, over a channel which the code under test does not know.
//!
//! **Invariant:** an event is sent whole and at once, so whoever listens has everything up to the moment at which the
//! harness dies.

use bugnet::oracle::{Failure, Signature};
use bugnet::wire::encode;
use bugnet::wire::explore::Event;
use bugnet_process::channel;

/// Tells an event, if anybody has asked.
pub(crate) fn tell(event: &Event) {
    if channel().is_some_and(|channel| !channel.send(&encode(event))) {
        // Whoever listened is gone, so there is nobody to work for.
        std::process::exit(0);
    }
}

/// The death of a call that wants more memory than there is.
const MEMORY: &str = "out of memory";

/// Returns the failure of a call that wants more memory than there is.
pub(crate) fn exhausted(message: String) -> Failure {
    Failure::new(Signature::Died(MEMORY.to_string()), message)
}

/// Returns whether a failure is for want of memory.
pub(crate) fn is_exhausted(failure: &Failure) -> bool {
    matches!(failure.signature.cause(), Signature::Died(how) if how == MEMORY)
}
