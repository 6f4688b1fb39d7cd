//! Memory shared between the host and a server: sealed memfds and their mappings. Knows nothing of what is in them.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rustix::fs::{FallocateFlags, MemfdFlags, SealFlags};
use rustix::mm::{MapFlags, ProtFlags};

/// The unit in which memory is touched and given back.
pub(crate) const PAGE: u64 = 4096;

/// Makes a sparse memfd of `length` bytes whose size can't be changed by anybody, so that a mapping can't fault.
pub(crate) fn create(name: &str, length: u64) -> io::Result<OwnedFd> {
    let fd = rustix::fs::memfd_create(name, MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
    rustix::fs::ftruncate(&fd, length)?;
    rustix::fs::fcntl_add_seals(&fd, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
    Ok(fd)
}

/// Whether `fd` is a memfd as [`create`] makes it.
pub(crate) fn is_ours(fd: impl AsFd, length: u64) -> bool {
    let size = rustix::fs::fstat(&fd).map(|stat| stat.st_size);
    let seals = rustix::fs::fcntl_get_seals(&fd);
    size == Ok(length as i64) && seals.is_ok_and(|seals| seals.contains(SealFlags::SHRINK))
}

/// Whether nothing was ever written in the memfd, so that it takes no memory.
pub(crate) fn is_blank(fd: impl AsFd) -> bool {
    rustix::fs::fstat(&fd).is_ok_and(|stat| stat.st_blocks == 0)
}

/// Gives the whole pages inside `start..end` of the file back; they read as zeros afterwards.
pub(crate) fn punch(fd: impl AsFd, start: u64, end: u64) -> io::Result<()> {
    let (start, end) = (start.next_multiple_of(PAGE), end / PAGE * PAGE);
    if start < end {
        let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
        rustix::fs::fallocate(fd, flags, start, end - start)?;
    }
    Ok(())
}

/// A shared mapping of a part of a memfd.
#[derive(Debug)]
pub(crate) struct Map {
    base: NonNull<u8>,
    length: usize,
    /// Nothing was written in it yet: words are known to be 0, and reading them would take a page.
    blank: AtomicBool,
    /// Words and what is stored in them before anything else is written.
    first: &'static [(usize, u64)],
}

// SAFETY: the mapping is owned by this value alone and is not tied to a thread.
unsafe impl Send for Map {}
// SAFETY: shared access is by atomics, or by slices whose users keep the one-writer rule stated at `bytes_mut`.
unsafe impl Sync for Map {}

impl Map {
    /// Maps `length` bytes of `fd` from `offset` (a multiple of the page size) on.
    pub(crate) fn new(fd: impl AsFd, offset: u64, length: usize) -> io::Result<Map> {
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a fresh mapping at an address of the kernel's choice overlaps nothing. The file is sealed against
        // shrinking (checked by `is_ours` before a foreign fd gets here), so that no access faults.
        let base = unsafe {
            let flags = MapFlags::SHARED | MapFlags::NORESERVE;
            rustix::mm::mmap(std::ptr::null_mut(), length, protection, flags, fd, offset)?
        };
        let base = NonNull::new(base.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Map { base, length, blank: AtomicBool::new(false), first: &[] })
    }

    /// The same of a memfd that is blank. It takes no memory until something is stored, before which the words `first`
    /// get their values.
    pub(crate) fn blank(fd: impl AsFd, offset: u64, length: usize, first: &'static [(usize, u64)]) -> io::Result<Map> {
        let mut map = Map::new(fd, offset, length)?;
        map.blank = AtomicBool::new(true);
        map.first = first;
        Ok(map)
    }

    /// The number in 8-byte word `index`.
    pub(crate) fn load(&self, index: usize) -> u64 {
        if self.blank.load(Ordering::Relaxed) { 0 } else { self.word(index).load(Ordering::Acquire) }
    }

    /// Stores a number in 8-byte word `index`; what was stored before it is visible to who sees it.
    pub(crate) fn store(&self, index: usize, value: u64) {
        self.begin();
        self.word(index).store(value, Ordering::Release);
    }

    fn begin(&self) {
        if self.blank.load(Ordering::Relaxed) {
            self.blank.store(false, Ordering::Relaxed);
            for (index, value) in self.first {
                self.word(*index).store(*value, Ordering::Release);
            }
        }
    }

    fn word(&self, index: usize) -> &AtomicU64 {
        assert!(index < self.length / 8, "word outside of the mapping");
        // SAFETY: in bounds by the line above, aligned because mappings are, and an atomic may be shared.
        unsafe { &*self.base.as_ptr().cast::<AtomicU64>().add(index) }
    }

    /// `length` bytes from `at` on.
    pub(crate) fn bytes(&self, at: usize, length: usize) -> &[u8] {
        assert!(at.checked_add(length).is_some_and(|end| end <= self.length), "bytes outside of the mapping");
        // SAFETY: in bounds; whoever may write there needs `&mut` of the journal or store this slice borrows from,
        // and the other process keeps off while this one is the server (or the draining host).
        unsafe { std::slice::from_raw_parts(self.base.as_ptr().add(at), length) }
    }

    /// `length` bytes from `at` on, to write.
    ///
    /// # Safety
    /// No other slice of these bytes may be alive: the caller holds `&mut` of the one owner of this range.
    #[allow(clippy::mut_from_ref)]
    pub(crate) unsafe fn bytes_mut(&self, at: usize, length: usize) -> &mut [u8] {
        assert!(at.checked_add(length).is_some_and(|end| end <= self.length), "bytes outside of the mapping");
        self.begin();
        // SAFETY: in bounds by the assertion, unique by the caller's promise.
        unsafe { std::slice::from_raw_parts_mut(self.base.as_ptr().add(at), length) }
    }
}

#[cfg(test)]
impl Map {
    /// Flips bits of one byte.
    pub(crate) fn flip(&self, at: usize, bits: u8) {
        // SAFETY: tests call it with no slice alive.
        unsafe { self.bytes_mut(at, 1) }.iter_mut().for_each(|byte| *byte ^= bits);
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        // SAFETY: base and length are those of the mapping made in `new`; no slice outlives `self`.
        let _ = unsafe { rustix::mm::munmap(self.base.as_ptr().cast(), self.length) };
    }
}
