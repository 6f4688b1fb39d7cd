//! A pane's memory as a whole: its layout, checkpoints and marks. The ring is `journal.rs`, closed pages are `pages.rs`.
//!
//! One sparse memfd a pane. The first page holds the header and the beginning of the ring, so that a pane whose program
//! wrote nothing touches none and an idle one touches one page; then the rest of the ring, two checkpoint areas, and the slots of history pages. The three
//! parts are mapped apart, the last two only when they are used.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use crate::doubled::Doubled;
use crate::journal::{Journal, RING};
use crate::map::{self, Map, PAGE};
use crate::pages::{HISTORY_AT, Pages, SLOT, SLOTS};

/// Bytes before the ring.
pub(crate) const HEADER: usize = 512;
const MAGIC: u64 = u64::from_le_bytes(*b"rovepane");
/// Number of this layout.
const LAYOUT: u64 = 1;
/// What a memory begins with, the magic last.
const FIRST: &[(usize, u64)] = &[(word::LAYOUT, LAYOUT), (word::MAGIC, MAGIC)];
const FRONT: usize = (HEADER + RING as usize).next_multiple_of(PAGE as usize);
const CHECKPOINTS_AT: u64 = 1024 * 1024;
/// A checkpoint may have at most this many bytes.
pub const CHECKPOINT_LIMIT: usize = 16 * 1024 * 1024;
const TOTAL: u64 = HISTORY_AT + SLOT * SLOTS;
const CHECKPOINTS: Doubled = Doubled { descriptors: word::CHECKPOINTS, area: CHECKPOINT_LIMIT };
/// How many marks fit between two checkpoints.
pub const MARKS: u64 = 16;

/// Words of the header, by index.
pub(crate) mod word {
    use crate::doubled::DESCRIPTOR_WORDS;

    pub(crate) const MAGIC: usize = 0;
    pub(crate) const LAYOUT: usize = 1;
    pub(crate) const WRITTEN: usize = 2;
    pub(crate) const PARSED: usize = 3;
    pub(crate) const LOST: usize = 4;
    /// A read may have filled the ring up to here.
    pub(crate) const READ_END: usize = 5;
    /// The newest checkpoint's journal offset.
    pub(crate) const KEEP: usize = 6;
    /// First live history page, the number of the next one, and the first one whose memory is not given back.
    pub(crate) const HISTORY_FIRST: usize = 7;
    pub(crate) const HISTORY_NEXT: usize = 8;
    pub(crate) const HISTORY_HELD: usize = 9;
    /// Count of marks ever made.
    pub(crate) const MARK_COUNT: usize = 10;
    pub(crate) const CHECKPOINTS: usize = 11;
    pub(crate) const MARKS: usize = CHECKPOINTS + 2 * DESCRIPTOR_WORDS;
}
const _: () = assert!((word::MARKS + 2 * MARKS as usize) * 8 <= HEADER);
const _: () = assert!(CHECKPOINTS_AT + 2 * CHECKPOINT_LIMIT as u64 <= HISTORY_AT);
const _: () = assert!(FRONT as u64 <= CHECKPOINTS_AT);

/// Something besides bytes that changed the screen, at a place in the journal, so that a replay repeats it there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// The journal offset before which it happened.
    pub offset: u64,
    /// What it was; the number's meaning is the server's (resize, clear history, ...).
    pub kind: u16,
    /// Columns after it.
    pub cols: u16,
    /// Rows after it.
    pub rows: u16,
}

/// A checkpoint that was found whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// What `write_checkpoint` was given.
    pub bytes: Vec<u8>,
    /// The journal offset it stands for.
    pub offset: u64,
    /// The history pages that were live then; pages after them are pushed again by the replay.
    pub history: std::ops::Range<u64>,
    /// Count of marks it includes.
    pub marks: u64,
}

/// A pane's memory, mapped. One process uses it at a time: the server, or the host while there is none.
#[derive(Debug)]
pub struct PaneMemory {
    fd: Arc<OwnedFd>,
    front: Arc<Map>,
    journal: Journal,
    checkpoints: Option<Map>,
}

impl PaneMemory {
    /// Makes the memory of a new pane; it takes none until it is used. Errors are those of memfd_create and mmap.
    pub fn create() -> io::Result<PaneMemory> {
        let fd = map::create("rove pane", TOTAL)?;
        let front = Arc::new(Map::blank(&fd, 0, FRONT, FIRST)?);
        Ok(PaneMemory::with_front(fd, front))
    }

    /// Maps a memory that came from elsewhere. Errors with `InvalidData` when it is not one of ours or of another
    /// layout. What is inside is not checked yet: [`PaneMemory::recover`] does it.
    pub fn open(fd: OwnedFd) -> io::Result<PaneMemory> {
        let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
        if !map::is_ours(&fd, TOTAL) {
            return Err(wrong("not a pane's memory"));
        }
        if map::is_blank(&fd) {
            let front = Arc::new(Map::blank(&fd, 0, FRONT, FIRST)?);
            return Ok(PaneMemory::with_front(fd, front));
        }
        let front = Arc::new(Map::new(&fd, 0, FRONT)?);
        match (front.load(word::MAGIC), front.load(word::LAYOUT)) {
            (MAGIC, LAYOUT) => Ok(PaneMemory::with_front(fd, front)),
            (MAGIC, layout) => Err(wrong(&format!("memory of layout {layout}, this is {LAYOUT}"))),
            _ => Err(wrong("not a pane's memory")),
        }
    }

    fn with_front(fd: OwnedFd, front: Arc<Map>) -> PaneMemory {
        PaneMemory { fd: Arc::new(fd), journal: Journal::new(front.clone()), front, checkpoints: None }
    }

    /// The memfd.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    /// Unmaps it, and leaves the memfd. `None` while a [`Pages`] of it lives.
    pub(crate) fn into_fd(self) -> Option<OwnedFd> {
        Arc::into_inner(self.fd)
    }

    /// The ring.
    pub fn journal(&mut self) -> &mut Journal {
        &mut self.journal
    }

    /// The ring, to look at.
    pub fn journal_ref(&self) -> &Journal {
        &self.journal
    }

    /// The store of closed history pages. One store at a time is to be in use.
    pub fn pages(&self) -> Pages {
        Pages::new(self.fd.clone(), self.front.clone())
    }

    /// Takes over after another process: checks everything, moves the journal to what was really read, and the
    /// history to what the newest valid checkpoint knew. Returns that checkpoint; without one the replay begins at
    /// offset 0 with no history. When the result's offset is less than [`Journal::oldest`], bytes between are gone.
    /// Errors with `InvalidData` when the memory can't be believed: then [`PaneMemory::reset`] it.
    pub fn recover(&mut self) -> io::Result<Option<Checkpoint>> {
        self.journal.recover()?;
        let checkpoint = self.checkpoint()?;
        let (first, next) = checkpoint.as_ref().map_or((0, 0), |it| (it.history.start, it.history.end));
        self.front.store(word::HISTORY_FIRST, first);
        self.front.store(word::HISTORY_NEXT, next);
        self.front.store(word::HISTORY_HELD, first);
        self.front.store(word::KEEP, checkpoint.as_ref().map_or(0, |it| it.offset));
        Ok(checkpoint)
    }

    /// Writes a checkpoint that stands for all bytes before journal offset `offset`, the pages pushed and the marks
    /// made until now. Frees the pages dropped since the one before. An empty one is allowed: it says that a replay
    /// starts blank there. Errors: `FileTooLarge` above [`CHECKPOINT_LIMIT`], or those of mmap.
    pub fn write_checkpoint(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let offset = offset.min(self.journal.written());
        let (first, next) = (self.front.load(word::HISTORY_FIRST), self.front.load(word::HISTORY_NEXT));
        let extra = [offset, first, next, self.front.load(word::MARK_COUNT), 0];
        self.map_checkpoints()?;
        let areas = self.checkpoints.as_mut().expect("mapped by the line above");
        CHECKPOINTS.write(&self.front, areas, bytes, extra)?;
        self.front.store(word::KEEP, offset);
        crate::pages::give_back(&self.fd, self.front.load(word::HISTORY_HELD), first, next);
        self.front.store(word::HISTORY_HELD, first);
        Ok(())
    }

    /// The newest checkpoint that is whole and possible. Errors are those of mmap.
    pub fn checkpoint(&mut self) -> io::Result<Option<Checkpoint>> {
        if !CHECKPOINTS.is_used(&self.front) {
            return Ok(None);
        }
        self.map_checkpoints()?;
        let written = self.journal.written();
        let found = self.checkpoints.as_ref().and_then(|areas| CHECKPOINTS.newest(&self.front, areas));
        Ok(found.and_then(|found| {
            let [offset, first, next, marks, _] = found.extra;
            let possible = offset <= written && first <= next && next - first <= SLOTS;
            possible.then(|| Checkpoint { bytes: found.bytes.to_vec(), offset, history: first..next, marks })
        }))
    }

    /// Notes that something happened at the place up to which the journal is parsed. False when no more marks fit:
    /// write a checkpoint instead (one that includes the change).
    pub fn mark(&mut self, kind: u16, cols: u16, rows: u16) -> bool {
        let count = self.front.load(word::MARK_COUNT);
        let included = self.checkpoint_marks();
        if count.saturating_sub(included) >= MARKS {
            return false;
        }
        let at = word::MARKS + 2 * (count % MARKS) as usize;
        self.front.store(at, self.journal.parsed());
        self.front.store(at + 1, u64::from(kind) | u64::from(cols) << 16 | u64::from(rows) << 32);
        self.front.store(word::MARK_COUNT, count.saturating_add(1));
        true
    }

    /// The marks made since the checkpoint (`None`: since the beginning), in order.
    pub fn marks_since(&self, checkpoint: Option<&Checkpoint>) -> Vec<Mark> {
        let count = self.front.load(word::MARK_COUNT);
        let from = checkpoint.map_or(0, |it| it.marks).max(count.saturating_sub(MARKS));
        (from..count).map(|number| self.read_mark(number)).filter(|it| it.offset <= self.journal.written()).collect()
    }

    /// Forgets everything but the layout, as if the pane began now; also gives its memory back. A [`Pages`] made before
    /// must not be used any more. Errors are those of fallocate.
    pub fn reset(&mut self) -> io::Result<()> {
        for index in word::WRITTEN..HEADER / 8 {
            self.front.store(index, 0);
        }
        // SAFETY: `&mut self` owns the journal, the one user of the ring.
        unsafe { self.front.bytes_mut(HEADER, PAGE as usize - HEADER) }.fill(0);
        map::punch(&self.fd, PAGE, TOTAL)?;
        self.journal = Journal::new(self.front.clone());
        Ok(())
    }

    /// Gives back the ring's memory but for what a reader at `offset` and a recovery need; what is before counts as
    /// gone from then on. For a pane that fell silent. Errors are those of fallocate.
    pub fn trim(&mut self, offset: u64) -> io::Result<()> {
        let journal = &self.journal;
        let kept = offset.max(journal.oldest()).min(journal.checkpoint_offset().max(journal.lost()));
        self.front.store(word::LOST, kept);
        let (start, end) = (crate::journal::position(kept) as u64, crate::journal::position(journal.written()) as u64);
        if kept == journal.written() || start < end {
            map::punch(&self.fd, end.max(PAGE), HEADER as u64 + RING)?;
            map::punch(&self.fd, PAGE, start.max(PAGE))
        } else {
            map::punch(&self.fd, end.max(PAGE), start.max(PAGE))
        }
    }

    fn map_checkpoints(&mut self) -> io::Result<()> {
        if self.checkpoints.is_none() {
            self.checkpoints = Some(Map::new(&self.fd, CHECKPOINTS_AT, 2 * CHECKPOINT_LIMIT)?);
        }
        Ok(())
    }

    fn checkpoint_marks(&self) -> u64 {
        let words = |slot: usize| word::CHECKPOINTS + slot * crate::doubled::DESCRIPTOR_WORDS;
        let newest = (0..2).max_by_key(|slot| self.front.load(words(*slot))).unwrap_or(0);
        if self.front.load(words(newest)) == 0 { 0 } else { self.front.load(words(newest) + 6) }
    }

    fn read_mark(&self, number: u64) -> Mark {
        let at = word::MARKS + 2 * (number % MARKS) as usize;
        let packed = self.front.load(at + 1);
        let part = |shift: u32| (packed >> shift) as u16;
        Mark { offset: self.front.load(at), kind: part(0), cols: part(16), rows: part(32) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_those_since_the_checkpoint_and_bounded() {
        let mut memory = PaneMemory::create().unwrap();
        assert!(memory.mark(1, 100, 30));
        memory.write_checkpoint(b"a", 0).unwrap();
        assert!((0..MARKS).all(|cols| memory.mark(2, cols as u16, u16::MAX)));
        assert!(!memory.mark(2, 99, 99), "no more fit");
        let checkpoint = memory.recover().unwrap();
        let marks = memory.marks_since(checkpoint.as_ref());
        let cols: Vec<u16> = marks.iter().map(|mark| mark.cols).collect();
        assert_eq!(cols, (0..MARKS as u16).collect::<Vec<_>>());
        assert_eq!(marks[3], Mark { offset: 0, kind: 2, cols: 3, rows: u16::MAX });
        memory.write_checkpoint(b"b", 0).unwrap();
        let checkpoint = memory.checkpoint().unwrap();
        assert_eq!(memory.marks_since(checkpoint.as_ref()), []);
        assert!(memory.mark(3, 1, 1));
        assert_eq!(memory.marks_since(checkpoint.as_ref()).len(), 1);
    }

    #[test]
    fn what_is_no_memory_of_ours_is_refused() {
        let other = map::create("other", TOTAL).unwrap();
        Map::new(&other, 0, FRONT).unwrap().store(word::LAYOUT, LAYOUT);
        assert_eq!(PaneMemory::open(other).unwrap_err().to_string(), "not a pane's memory");
        let short = map::create("short", 4096).unwrap();
        assert!(PaneMemory::open(short).is_err());
        let null = std::fs::File::open("/dev/null").unwrap();
        assert!(PaneMemory::open(null.into()).is_err());
        let memory = PaneMemory::create().unwrap();
        memory.front.store(word::LAYOUT, 9);
        let error = PaneMemory::open(memory.fd().try_clone_to_owned().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "memory of layout 9, this is 1");
    }

    #[test]
    fn a_memory_takes_nothing_until_something_is_written() {
        let memory = PaneMemory::create().unwrap();
        let mut opened = PaneMemory::open(memory.fd().try_clone_to_owned().unwrap()).unwrap();
        assert_eq!((opened.pages().range(), opened.journal_ref().unparsed().len()), (0..0, 0));
        assert_eq!((opened.checkpoint().unwrap(), opened.marks_since(None)), (None, vec![]));
        assert!(map::is_blank(opened.fd()));
        assert!(opened.mark(1, 80, 24));
        let next = PaneMemory::open(memory.fd().try_clone_to_owned().unwrap()).unwrap();
        assert_eq!(next.marks_since(None).len(), 1);
    }

    #[test]
    fn a_checkpoint_beyond_the_journal_is_not_believed() {
        let mut memory = PaneMemory::create().unwrap();
        memory.map_checkpoints().unwrap();
        let areas = memory.checkpoints.as_mut().unwrap();
        CHECKPOINTS.write(&memory.front, areas, b"x", [1, 0, 0, 0, 0]).unwrap();
        assert_eq!(memory.recover().unwrap(), None);
        let areas = memory.checkpoints.as_mut().unwrap();
        CHECKPOINTS.write(&memory.front, areas, b"x", [0, 3, 2, 0, 0]).unwrap();
        assert_eq!(memory.recover().unwrap(), None);
    }
}
