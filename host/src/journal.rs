//! The journal of a pane: a ring in shared memory that is also the read buffer of its pty. Whoever reads the pty (the
//! server, or the host while there is none) reads into it; what it holds outlives the reader. It parses nothing.
//!
//! A reader can be killed inside read(2), after the kernel has copied bytes and before `written` says so. Therefore
//! the part a read may fill is zero before it and its end is noted: [`Journal::recover`] takes everything up to the last
//! byte there that is not zero as read. (Zero and not another value: fresh memory is zero without being touched, and
//! a NUL is what a terminal ignores, should the last bytes of such a read have been NULs.)

use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;

use crate::map::Map;
use crate::memory::{HEADER, word};

/// Bytes in the ring; a power of two.
pub const RING: u64 = 512 * 1024;
/// At most this much is read at once.
pub const READ_LIMIT: u64 = 64 * 1024;

/// A pane's ring. Offsets are counts of bytes since the pane began.
#[derive(Debug)]
pub struct Journal {
    front: Arc<Map>,
    /// The ring is zero from `written` to here.
    zeroed: u64,
}

/// Bytes of a journal from an offset on.
#[derive(Debug, PartialEq, Eq)]
pub struct Since<'a> {
    /// The bytes, in two parts because the ring may wrap in between; the second is often empty.
    pub parts: [&'a [u8]; 2],
    /// How many bytes after the offset asked for are gone.
    pub lost: u64,
}

impl Journal {
    pub(crate) fn new(front: Arc<Map>) -> Journal {
        let zeroed = front.load(word::READ_END);
        Journal { front, zeroed }
    }

    /// Count of bytes ever read from the pty.
    pub fn written(&self) -> u64 {
        self.front.load(word::WRITTEN)
    }

    /// Count of bytes the server has fed and acted on.
    pub fn parsed(&self) -> u64 {
        self.front.load(word::PARSED)
    }

    /// Bytes before this offset were let go, processed or not (0: none were).
    pub fn lost(&self) -> u64 {
        self.front.load(word::LOST)
    }

    /// The offset up to which the newest checkpoint stands for everything.
    pub fn checkpoint_offset(&self) -> u64 {
        self.front.load(word::KEEP)
    }

    /// Offset of the oldest byte the ring still has.
    pub fn oldest(&self) -> u64 {
        let end = self.written().max(self.front.load(word::READ_END));
        self.lost().max(end.saturating_sub(RING))
    }

    /// Whether half the ring was read since the last checkpoint: time to write the next.
    pub fn checkpoint_due(&self) -> bool {
        self.written().saturating_sub(self.kept_from()) >= RING / 2
    }

    /// How many bytes may be read before something that is needed after a crash would be overwritten.
    pub fn room(&self) -> u64 {
        RING.saturating_sub(self.written().saturating_sub(self.kept_from()))
    }

    /// Reads once from `fd` (a pty master) into the ring, at most [`READ_LIMIT`] bytes.
    ///
    /// `Ok(0)` is the end: the last process that had the terminal open closed it. Errors: `WouldBlock` when there is
    /// nothing to read, `StorageFull` when [`Journal::room`] is 0 and a checkpoint is needed first, else those of read(2).
    pub fn read_from(&mut self, fd: impl AsFd) -> io::Result<usize> {
        let written = self.written();
        let to_edge = RING - written % RING;
        let length = self.room().min(READ_LIMIT).min(to_edge);
        if length == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.zero_to(written, written + length);
        self.front.store(word::READ_END, self.front.load(word::READ_END).max(written + length));
        // SAFETY: `&mut self` is the only writer of the ring, and slices of it borrow `self`.
        let buffer = unsafe { self.front.bytes_mut(position(written), length as usize) };
        let count = loop {
            match rustix::io::read(&fd, &mut *buffer) {
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::IO) => break 0,
                result => break result?,
            }
        };
        self.front.store(word::WRITTEN, written + count as u64);
        Ok(count)
    }

    /// What is written and not parsed, as far as it lies in one piece. Call again after [`Journal::consumed`].
    pub fn unparsed(&self) -> &[u8] {
        self.since(self.parsed()).parts[0]
    }

    /// Says that the next `count` bytes are fed and acted on.
    pub fn consumed(&mut self, count: usize) {
        let parsed = self.parsed().max(self.oldest()).saturating_add(count as u64);
        self.front.store(word::PARSED, parsed.min(self.written()));
    }

    /// The bytes from `offset` to the newest, or from the oldest there is when that is later.
    pub fn since(&self, offset: u64) -> Since<'_> {
        let written = self.written();
        let start = offset.max(self.oldest()).min(written);
        let length = written - start;
        let first = length.min(RING - start % RING);
        let parts =
            [self.front.bytes(position(start), first as usize), self.front.bytes(HEADER, (length - first) as usize)];
        Since { parts, lost: start.saturating_sub(offset) }
    }

    /// Lets the oldest go so that `count` bytes (at most the ring) fit, and moves [`Journal::lost`].
    pub fn make_room(&mut self, count: u64) {
        let needed = self.written().saturating_add(count.min(RING)).saturating_sub(RING);
        if needed > self.kept_from() {
            self.front.store(word::LOST, needed.min(self.written()));
        }
    }

    /// Takes over after a reader that was killed: checks the offsets, and finds what its last read had brought.
    /// Returns how many bytes that were. Errors with `InvalidData` when the offsets can't be true.
    pub fn recover(&mut self) -> io::Result<u64> {
        let (written, end) = (self.written(), self.front.load(word::READ_END));
        let sound = written < 1 << 62
            && end < 1 << 62
            && self.lost() <= written
            && self.checkpoint_offset() <= written
            && self.parsed() <= written
            && end.saturating_sub(written) <= READ_LIMIT.min(RING - written % RING);
        if !sound {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "journal offsets out of range"));
        }
        let region = self.front.bytes(position(written), end.saturating_sub(written) as usize);
        let found = region.iter().rposition(|byte| *byte != 0).map_or(0, |last| last as u64 + 1);
        self.front.store(word::WRITTEN, written + found);
        self.zeroed = end;
        Ok(found)
    }

    fn kept_from(&self) -> u64 {
        self.checkpoint_offset().max(self.lost())
    }

    /// Zeroes the ring from what is zero already to `end`. In the first lap it is so from the beginning.
    fn zero_to(&mut self, written: u64, end: u64) {
        let start = self.zeroed.max(written).max(RING);
        if start < end {
            // SAFETY: as in `read_from`. `start..end` does not wrap because `written..end` does not.
            unsafe { self.front.bytes_mut(position(start), (end - start) as usize) }.fill(0);
        }
        self.zeroed = self.zeroed.max(end);
    }
}

/// Where the byte at `offset` lies in the front mapping.
pub(crate) fn position(offset: u64) -> usize {
    HEADER + (offset % RING) as usize
}

#[cfg(test)]
mod tests {
    use std::os::fd::OwnedFd;

    use proptest::prelude::*;

    use super::*;
    use crate::memory::PaneMemory;

    /// A pipe that stands for a pty.
    struct Pipe(OwnedFd, OwnedFd);

    impl Pipe {
        fn new() -> Pipe {
            let (read, write) = rustix::pipe::pipe().unwrap();
            rustix::io::ioctl_fionbio(&read, true).unwrap();
            Pipe(read, write)
        }

        fn write(&self, bytes: &[u8]) {
            assert_eq!(rustix::io::write(&self.1, bytes).unwrap(), bytes.len());
        }
    }

    /// Bytes of a stream that never repeats within the ring; NULs occur, but not at the end of a piece.
    fn stream(offset: u64, length: usize) -> Vec<u8> {
        let byte = |at: u64| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8;
        let mut bytes: Vec<u8> = (offset..).take(length).map(byte).collect();
        if let Some(last) = bytes.last_mut() {
            *last |= 1;
        }
        bytes
    }

    /// What a reader does that is killed inside read(2), after the kernel copied `bytes`.
    fn torn_read(memory: &mut PaneMemory, bytes: &[u8]) -> usize {
        let before = memory.journal().written();
        let pipe = Pipe::new();
        pipe.write(bytes);
        let count = memory.journal().read_from(&pipe.0).unwrap();
        memory.journal().front.store(word::WRITTEN, before);
        count
    }

    #[test]
    fn a_fresh_journal_touches_one_page() {
        let mut memory = PaneMemory::create().unwrap();
        let pipe = Pipe::new();
        pipe.write(b"$ ");
        assert_eq!(memory.journal().read_from(&pipe.0).unwrap(), 2);
        memory.journal().consumed(2);
        assert!(memory.mark(1, 80, 24));
        assert_eq!(rustix::fs::fstat(memory.fd()).unwrap().st_blocks, 8);
    }

    #[test]
    fn the_end_is_zero_and_nothing_to_read_would_block() {
        let mut memory = PaneMemory::create().unwrap();
        let Pipe(read, write) = Pipe::new();
        let error = memory.journal().read_from(&read).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
        drop(write);
        assert_eq!(memory.journal().read_from(&read).unwrap(), 0);
    }

    #[test]
    fn a_full_ring_wants_a_checkpoint_or_lets_the_oldest_go() {
        let mut memory = PaneMemory::create().unwrap();
        let pipe = Pipe::new();
        let mut due = 0;
        for piece in 0..RING / 4096 {
            pipe.write(&stream(piece * 4096, 4096));
            memory.journal().read_from(&pipe.0).unwrap();
            due += u64::from(memory.journal().checkpoint_due());
        }
        assert_eq!(due, RING / 2 / 4096 + 1);
        pipe.write(b"more");
        let error = memory.journal().read_from(&pipe.0).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        memory.journal().make_room(100);
        assert_eq!(memory.journal().read_from(&pipe.0).unwrap(), 4);
        assert_eq!((memory.journal().lost(), memory.journal().oldest()), (100, 100));
        memory.write_checkpoint(b"", RING).unwrap();
        assert_eq!(memory.journal().room(), RING - 4);
    }

    #[test]
    fn impossible_offsets_are_not_believed() {
        let wrong =
            [(word::WRITTEN, 1 << 63), (word::PARSED, 5), (word::LOST, 5), (word::KEEP, 5), (word::READ_END, 1 << 40)];
        for (index, value) in wrong {
            let mut memory = PaneMemory::create().unwrap();
            memory.journal().front.store(index, value);
            assert_eq!(memory.recover().unwrap_err().kind(), io::ErrorKind::InvalidData, "word {index}");
            memory.reset().unwrap();
            assert_eq!(memory.recover().unwrap(), None);
        }
    }

    #[test]
    fn trimming_keeps_what_a_recovery_needs() {
        let mut memory = PaneMemory::create().unwrap();
        let pipe = Pipe::new();
        for piece in 0..40 {
            pipe.write(&stream(piece * 4096, 4096));
            memory.journal().read_from(&pipe.0).unwrap();
        }
        memory.trim(u64::MAX).unwrap();
        assert_eq!(memory.journal().oldest(), 0, "without a checkpoint all is needed");
        memory.write_checkpoint(b"x", 150_000).unwrap();
        memory.trim(u64::MAX).unwrap();
        let since = memory.journal().since(0);
        assert_eq!(since.lost, 150_000);
        let mut expected: Vec<u8> = (0..40).flat_map(|piece| stream(piece * 4096, 4096)).collect();
        assert_eq!(since.parts.concat(), expected.split_off(150_000));
        let blocks = rustix::fs::fstat(memory.fd()).unwrap().st_blocks;
        assert!(blocks < 8 * 8, "{blocks}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn no_byte_is_missing_or_doubled_wherever_readers_die(
            steps in prop::collection::vec((1usize..60_000, any::<bool>(), any::<bool>()), 1..60)
        ) {
            let mut memory = PaneMemory::create().unwrap();
            let pipe = Pipe::new();
            let mut model: Vec<u8> = Vec::new();
            for (length, dies, checkpoints) in steps {
                let bytes = stream(model.len() as u64, length);
                if dies {
                    let count = torn_read(&mut memory, &bytes);
                    model.extend_from_slice(&bytes[..count]);
                    // What a byte short of the ring's edge leaves may end in a NUL, which then is not seen.
                    let fd = memory.fd().try_clone_to_owned().unwrap();
                    memory = PaneMemory::open(fd).unwrap();
                    memory.recover().unwrap();
                    let nuls = model.len() as u64 - memory.journal().written();
                    prop_assert!(model.ends_with(&vec![0; nuls as usize]));
                    model.truncate(model.len() - nuls as usize);
                } else {
                    pipe.write(&bytes);
                    while memory.journal().read_from(&pipe.0).is_ok() {}
                    model.extend_from_slice(&bytes);
                }
                prop_assert_eq!(memory.journal().written(), model.len() as u64);
                let left = memory.journal().unparsed().len();
                memory.journal().consumed(left);
                if checkpoints || memory.journal().checkpoint_due() {
                    memory.write_checkpoint(&model.len().to_le_bytes(), model.len() as u64).unwrap();
                }
                let oldest = memory.journal().oldest();
                let kept = memory.journal().checkpoint_offset();
                prop_assert!(oldest <= kept);
                let since = memory.journal().since(0);
                prop_assert_eq!(since.lost, oldest);
                prop_assert!(since.parts.concat() == model[oldest as usize..]);
            }
        }
    }
}
