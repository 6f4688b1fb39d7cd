//! Closed history pages in a pane's memory: numbered, immutable, each in its slot with its number, length and checksum.
//! What is in them is `term`'s.

use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::ops::Range;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use crate::map::{self, Map};
use crate::memory::word;

/// Where the slots begin in the memory.
pub(crate) const HISTORY_AT: u64 = 64 * 1024 * 1024;
/// Bytes of a slot with its header. Memory is taken only for what a page fills.
pub(crate) const SLOT: u64 = 128 * 1024;
/// How many slots there are; the oldest page goes when one more is pushed.
pub(crate) const SLOTS: u64 = 8192;
/// Words of a slot's header: number + 1, length, checksum, unused.
const SLOT_WORDS: usize = 4;
/// The longest page that is kept in the shared memory.
pub const PAGE_LIMIT: usize = SLOT as usize - SLOT_WORDS * 8;

/// A store of history pages with the methods `term` asks of one.
#[derive(Debug)]
pub struct Pages {
    fd: Arc<OwnedFd>,
    front: Arc<Map>,
    slots: OnceCell<Map>,
    /// Pages below this were made by another process, and are checked when they are first asked for.
    foreign: u64,
    /// One bit for each foreign page found good.
    checked: Vec<Cell<u64>>,
    /// Pages too long for a slot. They do not outlive the process.
    long: BTreeMap<u64, Box<[u8]>>,
}

impl Pages {
    pub(crate) fn new(fd: Arc<OwnedFd>, front: Arc<Map>) -> Pages {
        let foreign = front.load(word::HISTORY_NEXT);
        let words = foreign.min(SLOTS).div_ceil(64) as usize;
        let checked = vec![Cell::new(0); words];
        Pages { fd, front, slots: OnceCell::new(), foreign, checked, long: BTreeMap::new() }
    }

    /// Adds a page as the newest. When all slots are taken the oldest goes.
    pub fn push(&mut self, page: &[u8]) {
        let Range { start, end: number } = self.range();
        if number - start >= SLOTS {
            self.drop_before(number + 1 - SLOTS);
        }
        if self.write(number, page).is_none() {
            self.long.insert(number, page.into());
        }
        self.front.store(word::HISTORY_NEXT, number + 1);
    }

    /// The page of that number, or `None` when it is gone or damaged.
    pub fn page(&self, number: u64) -> Option<&[u8]> {
        if !self.range().contains(&number) {
            return None;
        }
        if let Some(page) = self.long.get(&number) {
            return Some(page);
        }
        let (slots, at) = (self.slots()?, slot_position(number));
        if slots.load(at / 8) != number + 1 {
            return None;
        }
        let length = usize::try_from(slots.load(at / 8 + 1)).ok().filter(|length| *length <= PAGE_LIMIT)?;
        let page = slots.bytes(at + SLOT_WORDS * 8, length);
        let sound = self.is_checked(number) || u64::from(crc32fast::hash(page)) == slots.load(at / 8 + 2);
        if sound {
            self.set_checked(number);
        }
        sound.then_some(page)
    }

    /// Drops all pages before `number`. Their memory is given back with the next checkpoint, because a recovery from
    /// the present one still shows them.
    pub fn drop_before(&mut self, number: u64) {
        let Range { start, end } = self.range();
        let first = number.clamp(start, end);
        self.front.store(word::HISTORY_FIRST, first);
        self.long = self.long.split_off(&first);
    }

    /// Numbers of the live pages.
    pub fn range(&self) -> Range<u64> {
        let next = self.front.load(word::HISTORY_NEXT).min(1 << 62);
        self.front.load(word::HISTORY_FIRST).clamp(next.saturating_sub(SLOTS), next)..next
    }

    fn write(&mut self, number: u64, page: &[u8]) -> Option<()> {
        if page.len() > PAGE_LIMIT {
            return None;
        }
        let (slots, at) = (self.slots()?, slot_position(number));
        slots.store(at / 8, 0);
        // SAFETY: `&mut self` is the one writer of the slots, and slices of them borrow `self`.
        unsafe { slots.bytes_mut(at + SLOT_WORDS * 8, page.len()) }.copy_from_slice(page);
        slots.store(at / 8 + 1, page.len() as u64);
        slots.store(at / 8 + 2, u64::from(crc32fast::hash(page)));
        slots.store(at / 8, number + 1);
        Some(())
    }

    fn slots(&self) -> Option<&Map> {
        if self.slots.get().is_none() {
            let map = Map::new(&self.fd, HISTORY_AT, (SLOT * SLOTS) as usize).ok()?;
            let _ = self.slots.set(map);
        }
        self.slots.get()
    }

    fn is_checked(&self, number: u64) -> bool {
        let bit = number % SLOTS;
        number >= self.foreign
            || self.checked.get((bit / 64) as usize).is_some_and(|it| it.get() >> (bit % 64) & 1 == 1)
    }

    fn set_checked(&self, number: u64) {
        let bit = number % SLOTS;
        if let Some(word) = self.checked.get((bit / 64) as usize).filter(|_| number < self.foreign) {
            word.set(word.get() | 1 << (bit % 64));
        }
    }
}

/// Gives back the memory of the dropped pages `from..to`, but for slots that pages before `next` have taken again.
pub(crate) fn give_back(fd: &OwnedFd, from: u64, to: u64, next: u64) {
    for number in from.max(next.saturating_sub(SLOTS))..to {
        let start = HISTORY_AT + slot_position(number) as u64;
        let _ = map::punch(fd, start, start + SLOT);
    }
}

fn slot_position(number: u64) -> usize {
    ((number % SLOTS) * SLOT) as usize
}

#[cfg(test)]
mod tests {
    use crate::memory::PaneMemory;

    use super::*;

    fn numbered(number: u64) -> Vec<u8> {
        number.to_le_bytes().repeat(600)
    }

    fn blocks(memory: &PaneMemory) -> i64 {
        rustix::fs::fstat(memory.fd()).unwrap().st_blocks
    }

    #[test]
    fn pages_are_kept_dropped_and_found_by_the_next_process() {
        let mut memory = PaneMemory::create().unwrap();
        let mut pages = memory.pages();
        (0..20).for_each(|number| pages.push(&numbered(number)));
        pages.drop_before(5);
        assert_eq!(pages.range(), 5..20);
        assert_eq!(pages.page(4), None);
        assert_eq!(pages.page(5), Some(numbered(5).as_slice()));
        let before = blocks(&memory);
        memory.write_checkpoint(b"screen", 0).unwrap();
        assert!(blocks(&memory) < before, "dropped pages are given back with a checkpoint");
        pages.push(b"after the checkpoint");
        let mut next = PaneMemory::open(memory.fd().try_clone_to_owned().unwrap()).unwrap();
        assert_eq!(next.recover().unwrap().unwrap().history, 5..20);
        let mut pages = next.pages();
        assert!((5..20).all(|number| pages.page(number) == Some(numbered(number).as_slice())));
        assert_eq!(pages.page(20), None);
        pages.push(b"replayed");
        assert_eq!(pages.page(20), Some(b"replayed".as_slice()));
    }

    #[test]
    fn a_damaged_page_of_another_process_is_not_shown() {
        let memory = PaneMemory::create().unwrap();
        let mut pages = memory.pages();
        (0..3).for_each(|number| pages.push(&numbered(number)));
        let position = slot_position(1) + SLOT_WORDS * 8 + 17;
        pages.slots().unwrap().flip(position, 1);
        let next = memory.pages();
        assert_eq!(next.page(0), Some(numbered(0).as_slice()));
        assert_eq!((next.page(1), next.page(1)), (None, None));
        assert_eq!(next.page(2), Some(numbered(2).as_slice()));
    }

    #[test]
    fn slots_are_used_again_and_the_oldest_go() {
        let mut memory = PaneMemory::create().unwrap();
        let mut pages = memory.pages();
        for number in 0..SLOTS + 10 {
            pages.push(&number.to_le_bytes());
        }
        assert_eq!(pages.range(), 10..SLOTS + 10);
        memory.write_checkpoint(b"", 0).unwrap();
        let all = (10..SLOTS + 10).all(|number| pages.page(number) == Some(number.to_le_bytes().as_slice()));
        assert!(all, "a page was given back with the one whose slot it has");
        pages.drop_before(u64::MAX);
        assert!(pages.range().is_empty());
    }

    #[test]
    fn a_page_too_long_for_a_slot_is_kept_beside() {
        let memory = PaneMemory::create().unwrap();
        let mut pages = memory.pages();
        let long = vec![7; PAGE_LIMIT + 1];
        pages.push(&long[1..]);
        pages.push(&long);
        assert_eq!(pages.page(0).map(<[u8]>::len), Some(PAGE_LIMIT));
        assert_eq!(pages.page(1), Some(long.as_slice()));
        assert_eq!(memory.pages().page(1), None, "the next process has it not, and nothing in its place");
        pages.drop_before(2);
        assert!(pages.long.is_empty());
    }
}
