//! The outcomes of tests, as bytes.
//!
//! **Invariant:** what is written is read as it was, and a mark that passed takes one byte.

use anyhow::{Result, bail};

/// The outcome of one test at one target; a failure is named by `F`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Mark<F> {
    Passed,
    /// The target did not take the input, or there was none.
    Rejected,
    Failed(F),
}

/// Codes below this one are no failures.
const FIRST_FAILURE: u64 = 2;

/// Writes the marks of tests.
pub(crate) fn written(marks: &[Vec<Mark<i64>>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    number(&mut bytes, marks.first().map_or(0, Vec::len) as u64);
    for mark in marks.iter().flatten() {
        number(
            &mut bytes,
            match mark {
                Mark::Passed => 0,
                Mark::Rejected => 1,
                Mark::Failed(failure) => *failure as u64 + FIRST_FAILURE,
            },
        );
    }
    bytes
}

/// Reads the marks of tests.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<Vec<Mark<i64>>>> {
    let mut numbers = Vec::new();
    let (mut value, mut shift) = (0u64, 0);
    for byte in bytes {
        if shift > 56 {
            bail!("the outcomes of a shard cannot be read");
        }
        value |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            numbers.push(value);
            (value, shift) = (0, 0);
        }
    }
    let Some((targets, codes)) = numbers.split_first() else { return Ok(Vec::new()) };
    let targets = (*targets as usize).max(1);
    if shift != 0 || !codes.len().is_multiple_of(targets) {
        bail!("the outcomes of a shard are cut off");
    }
    let mark = |code: &u64| match *code {
        0 => Mark::Passed,
        1 => Mark::Rejected,
        code => Mark::Failed((code - FIRST_FAILURE) as i64),
    };
    Ok(codes.chunks(targets).map(|codes| codes.iter().map(mark).collect()).collect())
}

/// Appends a number, seven bits a byte, the lowest first.
fn number(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read_as_they_were_written() {
        let marks = vec![
            vec![Mark::Passed, Mark::Rejected, Mark::Failed(1)],
            vec![Mark::Failed(0), Mark::Failed(126), Mark::Failed(1 << 40)],
        ];
        assert_eq!(read(&written(&marks)).unwrap(), marks);
        assert_eq!(read(&written(&[])).unwrap(), Vec::<Vec<Mark<i64>>>::new());
        assert_eq!(read(&[]).unwrap(), Vec::<Vec<Mark<i64>>>::new());
    }

    #[test]
    fn bytes_that_are_cut_off_or_garbage_are_an_error() {
        let bytes = written(&[vec![Mark::Passed, Mark::Failed(300)]]);
        assert!(read(&bytes[..bytes.len() - 1]).is_err());
        assert!(read(&[0xff; 40]).is_err());
    }
}
