//! Text: strings, paths and their relatives.
//!
//! **Invariant:** a string is a sequence of characters in the sense of the shrinker.

use super::collection::{SEQUENCE, elements};
use super::{Generate, Graph, TypeId};
use crate::choice::Source;
use std::ffi::{CString, OsString};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

impl Generate for String {
    #[inline]
    fn generate(source: &mut Source) -> String {
        let node = source.enter(SEQUENCE);
        let count = source.length(0, None);
        let text = characters(source, count, char::generate);
        source.leave(node);
        text
    }

    fn shape(graph: &mut Graph) -> TypeId {
        graph.node::<String>(|graph| vec![vec![], vec![graph.leaf()]])
    }
}

/// Draws a string of this number of characters.
#[inline]
pub(super) fn characters(source: &mut Source, count: usize, draw: impl Fn(&mut Source) -> char) -> String {
    if !source.is_fast() {
        return elements(source, count, draw).into_iter().collect();
    }
    let mut text = String::with_capacity(count);
    let mut place = 0;
    while place < count {
        text.push(draw(source));
        place += 1;
    }
    text
}

macro_rules! from_string {
    ($($type:ty),*) => {$(
        impl Generate for $type {
            #[inline]
            fn generate(source: &mut Source) -> $type {
                <$type>::from(String::generate(source))
            }
        }
    )*};
}

from_string!(Box<str>, Rc<str>, Arc<str>, OsString);

impl Generate for PathBuf {
    /// A few components, among them the ones that mean something.
    #[inline]
    fn generate(source: &mut Source) -> PathBuf {
        let node = source.enter(SEQUENCE);
        let absolute = source.index(4) == 1;
        let count = source.length(0, Some(4));
        let parts = elements(source, count, |source| match source.index(8) {
            0..5 => source.any::<String>(),
            5 => "..".to_string(),
            6 => ".".to_string(),
            _ => "a b.tar.gz".to_string(),
        });
        source.leave(node);
        let path: PathBuf = parts.iter().collect();
        if absolute { PathBuf::from("/").join(path) } else { path }
    }
}

impl Generate for CString {
    #[inline]
    fn generate(source: &mut Source) -> CString {
        let bytes: Vec<u8> = source.any();
        let without_zero: Vec<u8> = bytes.into_iter().filter(|byte| *byte != 0).collect();
        CString::new(without_zero).expect("zeros were taken out")
    }
}
