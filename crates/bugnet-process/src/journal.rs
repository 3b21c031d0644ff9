//! The journal: one record, overwritten in place, that says what is running.
//!
//! Whoever runs something deadly writes it down first. The record is opaque here. Its length and a checksum stand
//! before it, so that a record which death cut in half is no record.
//!
//! **Invariant:** a journal that cannot be written never stops a run; it only forgets.

use crate::system;
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Bytes before the record: its length and its checksum.
const HEAD: usize = 12;

/// The folder of files in memory, where the system has one.
#[cfg(unix)]
const MEMORY: &str = "/dev/shm";

/// Bytes that are taken for a journal when it is made: few programs are longer when they are written down.
#[cfg(unix)]
const ROOM: usize = 1 << 16;

/// The longest record that is read; a longer one is garbage.
const MOST: usize = 1 << 28;

/// A file with one record.
///
/// ```
/// use bugnet_process::Journal;
///
/// let path = std::env::temp_dir().join(format!("bugnet-journal-{}", std::process::id()));
/// let mut journal = Journal::locked(&path).unwrap();
/// journal.write(b"a long first record");
/// journal.write(b"the second");
/// assert_eq!(journal.read().as_deref(), Some(&b"the second"[..]));
/// # std::fs::remove_file(&path).unwrap();
/// ```
#[derive(Debug)]
pub struct Journal {
    file: File,
    /// Head and record, kept to spare an allocation for each record.
    buffer: Vec<u8>,
}

impl Journal {
    pub(crate) fn of(file: File) -> Journal {
        Journal { file, buffer: Vec::new() }
    }

    /// Makes a file without a name, in memory if that is possible and else in a folder: for two processes that share
    /// the open file. A death is looked into by what stands there, also when the disk is full.
    #[cfg(unix)]
    pub(crate) fn nameless(folder: &Path, name: u64) -> io::Result<File> {
        Journal::nameless_in(Path::new(MEMORY), name).or_else(|_| Journal::nameless_in(folder, name))
    }

    #[cfg(unix)]
    fn nameless_in(folder: &Path, name: u64) -> io::Result<File> {
        let path = folder.join(format!(".bugnet-{name:016x}"));
        let file = File::options().create_new(true).read(true).write(true).open(&path)?;
        fs::remove_file(path)?;
        // Room that is there now is there later.
        write_at_start(&file, &[0; ROOM])?;
        Ok(file)
    }

    /// Opens the journal at a path and locks it while it is open, so that another process can tell a run that goes
    /// on from one that died.
    ///
    /// ```
    /// use bugnet_process::Journal;
    ///
    /// let path = std::env::temp_dir().join(format!("bugnet-locked-{}", std::process::id()));
    /// let journal = Journal::locked(&path).unwrap();
    /// assert!(Journal::locked(&path).is_err());
    /// # std::fs::remove_file(&path).unwrap();
    /// ```
    pub fn locked(path: &Path) -> io::Result<Journal> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut options = File::options();
        options.create(true).truncate(false).read(true).write(true);
        Ok(Journal::of(system::open_locked(&mut options, path)?))
    }

    /// Returns the record that a process which died has left at a path. There is none while a run goes on.
    ///
    /// ```
    /// use bugnet_process::Journal;
    ///
    /// let path = std::env::temp_dir().join(format!("bugnet-left-{}", std::process::id()));
    /// let mut journal = Journal::locked(&path).unwrap();
    /// journal.write(b"running");
    /// assert_eq!(Journal::left_over(&path), None);
    /// drop(journal);
    /// assert_eq!(Journal::left_over(&path), Some(b"running".to_vec()));
    /// # std::fs::remove_file(&path).unwrap();
    /// ```
    pub fn left_over(path: &Path) -> Option<Vec<u8>> {
        // A lock that is held belongs to a run that goes on.
        let file = system::open_locked(File::options().read(true), path).ok()?;
        Journal::of(file).read()
    }

    /// Returns another handle to the same file.
    ///
    /// ```
    /// use bugnet_process::Journal;
    ///
    /// let path = std::env::temp_dir().join(format!("bugnet-cloned-{}", std::process::id()));
    /// let journal = Journal::locked(&path).unwrap();
    /// journal.try_clone().unwrap().write(b"written here");
    /// assert_eq!(journal.read(), Some(b"written here".to_vec()));
    /// # std::fs::remove_file(&path).unwrap();
    /// ```
    pub fn try_clone(&self) -> io::Result<Journal> {
        Ok(Journal::of(self.file.try_clone()?))
    }

    /// Overwrites the record.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("bugnet-written-{}", std::process::id()));
    /// let mut journal = bugnet_process::Journal::locked(&path).unwrap();
    /// journal.write(b"case 7");
    /// assert_eq!(journal.read(), Some(b"case 7".to_vec()));
    /// # std::fs::remove_file(&path).unwrap();
    /// ```
    pub fn write(&mut self, record: &[u8]) {
        self.buffer.clear();
        self.buffer.extend_from_slice(&(record.len() as u32).to_le_bytes());
        self.buffer.extend_from_slice(&checksum(record).to_le_bytes());
        self.buffer.extend_from_slice(record);
        // A failed write leaves an older record or none: the run matters more.
        let _ = write_at_start(&self.file, &self.buffer);
    }

    /// Reads the record; `None` if there is none, or garbage.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("bugnet-read-{}", std::process::id()));
    /// let journal = bugnet_process::Journal::locked(&path).unwrap();
    /// assert_eq!(journal.read(), None);
    /// # std::fs::remove_file(&path).unwrap();
    /// ```
    pub fn read(&self) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        read_from_start(&self.file, HEAD + MOST, &mut bytes).ok()?;
        let (head, rest) = bytes.split_first_chunk::<HEAD>()?;
        let [a, b, c, d, sum @ ..] = *head;
        let record = rest.get(..u32::from_le_bytes([a, b, c, d]) as usize)?;
        (checksum(record) == u64::from_le_bytes(sum)).then(|| record.to_vec())
    }
}

/// The hash of Fowler, Noll and Vo, over words instead of bytes: records are long, and nobody forges them.
fn checksum(record: &[u8]) -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64 ^ record.len() as u64;
    let mut words = record.chunks_exact(8);
    for word in &mut words {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(word);
        sum = (sum ^ u64::from_le_bytes(bytes)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
    }
    for byte in words.remainder() {
        sum = (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    sum
}

/// Two processes share the position of a file that one of them opened, so the position is left alone.
#[cfg(unix)]
fn write_at_start(file: &File, bytes: &[u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, 0)
}

#[cfg(unix)]
fn read_from_start(file: &File, most: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
    let length = usize::try_from(file.metadata()?.len()).unwrap_or(most).min(most);
    *bytes = vec![0; length];
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, 0)
}

#[cfg(not(unix))]
fn write_at_start(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    use std::io::{Seek, Write};
    file.rewind()?;
    file.write_all(bytes)
}

#[cfg(not(unix))]
fn read_from_start(mut file: &File, most: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
    use std::io::{Read, Seek};
    file.rewind()?;
    file.take(most as u64).read_to_end(bytes).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn journal() -> Journal {
        Journal::of(Journal::nameless(&std::env::temp_dir(), crate::start::random().unwrap()).unwrap())
    }

    #[test]
    fn the_last_record_is_read_whether_it_is_longer_or_shorter_than_the_one_before() {
        let mut journal = journal();
        assert_eq!(journal.read(), None);
        for record in [&b"a"[..], &[7; 100_000], b"", b"the last one"] {
            journal.write(record);
            assert_eq!(journal.read().as_deref(), Some(record));
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_journal_needs_no_room_on_a_disk_where_there_is_memory_and_else_takes_it_at_once() {
        let folder = std::env::temp_dir();
        let name = || crate::start::random().unwrap();
        if Path::new(MEMORY).exists() {
            assert!(Journal::nameless(Path::new("/no/such/folder"), name()).is_ok());
        }
        let file = Journal::nameless_in(&folder, name()).unwrap();
        assert_eq!(file.metadata().unwrap().len(), ROOM as u64);
        assert!(Journal::nameless_in(Path::new("/no/such/folder"), name()).is_err());
    }

    #[test]
    fn a_record_that_was_cut_in_half_is_none() {
        let mut journal = journal();
        journal.write(&[1; 50]);
        journal.write(&[2; 50]);
        write_at_start(&journal.file, &[&50_u32.to_le_bytes()[..], &[0; 8], &[3; 20]].concat()).unwrap();
        assert_eq!(journal.read(), None);
    }

    #[test]
    fn garbage_in_the_place_of_a_length_is_no_record() {
        let journal = journal();
        for garbage in [&[255; 40][..], &[0; 3], &[0; 12], &[9; 12]] {
            journal.file.set_len(0).unwrap();
            write_at_start(&journal.file, garbage).unwrap();
            assert_eq!(journal.read(), None, "{garbage:?}");
        }
    }
}
