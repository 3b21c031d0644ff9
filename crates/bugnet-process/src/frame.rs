//! Frames: pieces of a stream of bytes that belong together.
//!
//! A frame is the key of the channel (8 bytes), the length of its content (4 bytes) and the content. The key is
//! random and only the two ends of the channel know it. Bytes that are not part of a frame with this key are noise:
//! code under test may print into the stream where a channel has to share standard output.
//!
//! **Invariant:** any bytes can be read. No length is believed before its content has arrived, and none above
//! [`MOST`].

/// Bytes before the content.
const HEAD: usize = 12;

/// The longest content. The largest that we send, the programs that a worker inherits, has 8 MiB.
pub(crate) const MOST: usize = 1 << 28;

/// Makes a frame.
pub(crate) fn framed(key: u64, content: &[u8]) -> Vec<u8> {
    assert!(content.len() <= MOST, "a frame of {} bytes is too long", content.len());
    let mut frame = Vec::with_capacity(HEAD + content.len());
    frame.extend_from_slice(&key.to_le_bytes());
    frame.extend_from_slice(&(content.len() as u32).to_le_bytes());
    frame.extend_from_slice(content);
    frame
}

/// Takes frames out of a stream.
#[derive(Debug)]
pub(crate) struct Frames {
    key: u64,
    /// Bytes that have arrived; those before `start` are done with.
    bytes: Vec<u8>,
    start: usize,
}

impl Frames {
    pub(crate) fn with(key: u64) -> Frames {
        Frames { key, bytes: Vec::new(), start: 0 }
    }

    /// Adds bytes that have arrived.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        if self.start > 0 {
            self.bytes.copy_within(self.start.., 0);
            self.bytes.truncate(self.bytes.len() - self.start);
            self.start = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the content of the next frame that is whole.
    pub(crate) fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            let rest = &self.bytes[self.start..];
            let head = rest.first_chunk::<HEAD>()?;
            let [key @ .., a, b, c, d] = *head;
            let (key, length) = (u64::from_le_bytes(key), u32::from_le_bytes([a, b, c, d]) as usize);
            if key != self.key || length > MOST {
                self.start += 1;
                continue;
            }
            let content = rest[HEAD..].get(..length)?.to_vec();
            self.start += HEAD + length;
            return Some(content);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All frames in a stream that arrives in pieces of some length.
    fn read(key: u64, stream: &[u8], piece: usize) -> Vec<Vec<u8>> {
        let (mut frames, mut read) = (Frames::with(key), Vec::new());
        for piece in stream.chunks(piece) {
            frames.add(piece);
            while let Some(frame) = frames.next() {
                read.push(frame);
            }
        }
        read
    }

    #[test]
    fn frames_are_read_whole_and_in_order_however_they_arrive() {
        let contents = [b"".to_vec(), b"one".to_vec(), vec![7; 3 << 20]];
        let stream: Vec<u8> = contents.iter().flat_map(|content| framed(9, content)).collect();
        for piece in [5, 4_096, 1 << 20, stream.len()] {
            assert_eq!(read(9, &stream, piece), contents, "in pieces of {piece}");
        }
    }

    #[test]
    fn what_has_another_key_is_noise() {
        let stream = [b"hello ".to_vec(), framed(8, b"forged"), framed(9, b"true"), b"bye".to_vec()].concat();
        assert_eq!(read(9, &stream, 3), [b"true"]);
    }

    #[test]
    fn a_length_that_cannot_be_is_noise() {
        let mut stream = framed(9, b"one");
        stream[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
        stream.extend(framed(9, b"two"));
        assert_eq!(read(9, &stream, 4), [b"two"]);
    }

    #[test]
    fn a_frame_that_is_cut_off_is_never_handed_out() {
        let mut stream = framed(9, b"whole");
        stream.extend(&framed(9, &[1; 100])[..60]);
        assert_eq!(read(9, &stream, 7), [b"whole"]);
    }
}
