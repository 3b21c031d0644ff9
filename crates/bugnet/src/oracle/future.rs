//! Futures of `async` properties: run to their end on the thread that tests.
//!
//! **Invariant:** a future is polled on one thread only and never while it has nothing to do, so a
//! case that waits costs no processor time.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

/// Wakes a future by waking its thread.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

thread_local! {
    static WAKER: Waker = Waker::from(Arc::new(Unpark(thread::current())));
}

/// Waits for a future. It has no timers and no input or output: a future that needs those needs
/// the runtime they belong to, given by `#[property(block_on = …)]`.
///
/// ```
/// assert_eq!(bugnet::block_on(async { 7 }), 7);
/// ```
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = WAKER.with(Waker::clone);
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn a_future_that_is_woken_by_another_thread_ends() {
        let (sender, receiver) = mpsc::channel::<Waker>();
        let waking = thread::spawn(move || receiver.recv().unwrap().wake());
        let mut sender = Some(sender);
        let twice = std::future::poll_fn(|context| match sender.take() {
            Some(sender) => {
                sender.send(context.waker().clone()).unwrap();
                Poll::Pending
            }
            None => Poll::Ready(7),
        });
        assert_eq!(block_on(twice), 7);
        waking.join().unwrap();
    }
}
