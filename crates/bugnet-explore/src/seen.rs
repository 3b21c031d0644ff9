//! Results of calls as text, for whoever compares what two runs of a program do.
//!
//! A harness that is made for variants shows every result to [`Seen`]; what can be printed is noted while somebody
//! listens, and nothing is done otherwise.
//!
//! **Invariant:** nothing is printed unless somebody listens on the same thread.

use std::cell::RefCell;
use std::fmt::{Debug, Write};

thread_local! {
    static NOTED: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// The most bytes that are kept of one text: longer ones are no use to a reader, and their rest is counted.
const LONGEST: usize = 2_000;

/// A result that is shown.
#[derive(Debug)]
pub struct Seen<'a, T: ?Sized>(pub &'a T);

/// Shows what can be printed.
pub trait SeenByDebug {
    /// Notes the value, if somebody listens.
    fn see(&self);

    /// Prints the value.
    fn print(&self, out: &mut dyn Write);
}

impl<T: Debug + ?Sized> SeenByDebug for &Seen<'_, T> {
    fn see(&self) {
        if NOTED.with_borrow(Option::is_some) {
            // Printing may call code under test, so nothing is borrowed meanwhile.
            let text = shortened(format!("{:?}", self.0));
            NOTED.with_borrow_mut(|noted| noted.iter_mut().for_each(|noted| noted.push(text.clone())));
        }
    }

    fn print(&self, out: &mut dyn Write) {
        // Whoever reads it takes no error.
        let _ = write!(out, "{:?}", self.0);
    }
}

/// Passes over what cannot be printed.
pub trait NotSeen {
    /// Does nothing.
    fn see(&self) {}

    /// Prints what stands for a value that cannot be printed.
    fn print(&self, out: &mut dyn Write) {
        let _ = out.write_str("…");
    }
}

impl<T: ?Sized> NotSeen for Seen<'_, T> {}

/// Listens from now on.
pub(crate) fn listen() {
    NOTED.set(Some(Vec::new()));
}

/// Returns what was noted since this was asked last.
pub(crate) fn take() -> Vec<String> {
    NOTED.with_borrow_mut(|noted| noted.as_mut().map(std::mem::take).unwrap_or_default())
}

/// Listens no more.
pub(crate) fn stop() {
    NOTED.set(None);
}

/// Returns a text that is not too long, and tells long ones apart all the same.
pub(crate) fn shortened(text: String) -> String {
    if text.len() <= LONGEST {
        return text;
    }
    let end = (0..=LONGEST).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    let digest = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let mut short = text[..end].to_string();
    let _ = write!(short, "{CUT}{} bytes, {digest:016x}", text.len());
    short
}

/// The mark of a text that was cut.
pub(crate) const CUT: &str = "… ";

#[cfg(test)]
mod tests {
    use super::*;

    struct Opaque;

    #[test]
    #[expect(clippy::needless_borrow, reason = "the number of references is what is asked")]
    fn what_can_be_printed_is_noted_while_somebody_listens() {
        (&&Seen(&1)).see();
        listen();
        (&&Seen(&"a")).see();
        (&&Seen(&Opaque)).see();
        assert_eq!(take(), ["\"a\""]);
        stop();
        (&&Seen(&2)).see();
        assert!(take().is_empty());
    }

    #[test]
    fn long_texts_are_cut_and_still_told_apart() {
        let [one, other] = ["a", "b"].map(|last| shortened("é".repeat(2_000) + last));
        assert!(one != other && one.len() < 2_100 && one.contains(CUT));
    }
}
