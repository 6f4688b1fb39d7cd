//! A blob kept twice: each write goes to the older of two areas, so that a writer killed at any byte leaves the
//! newest complete one. Used for a pane's checkpoint and for the server's state.

use std::io;

use crate::map::Map;

/// Words of one descriptor: sequence, length, crc, and [`EXTRA`] numbers of the user.
pub(crate) const DESCRIPTOR_WORDS: usize = 3 + EXTRA;
/// How many numbers stand beside a blob.
pub(crate) const EXTRA: usize = 5;

/// Where the two descriptors and the two areas are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Doubled {
    /// Word index of the first descriptor in the header mapping; the second follows it.
    pub(crate) descriptors: usize,
    /// Size of one area in bytes; in the area mapping the second follows the first.
    pub(crate) area: usize,
}

/// One valid blob.
#[derive(Debug)]
pub(crate) struct Found<'a> {
    pub(crate) sequence: u64,
    pub(crate) extra: [u64; EXTRA],
    pub(crate) bytes: &'a [u8],
}

impl Doubled {
    /// Writes `bytes` and `extra` as the newest blob, and returns its sequence number.
    pub(crate) fn write(&self, header: &Map, areas: &mut Map, bytes: &[u8], extra: [u64; EXTRA]) -> io::Result<u64> {
        if bytes.len() > self.area {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "too large for its memory"));
        }
        let sequence = self.last_sequence(header).saturating_add(1);
        let slot = (sequence % 2) as usize;
        let words = self.descriptors + slot * DESCRIPTOR_WORDS;
        header.store(words, 0);
        // SAFETY: `&mut areas` is the only way to its bytes, and no slice of them is alive here.
        unsafe { areas.bytes_mut(slot * self.area, bytes.len()) }.copy_from_slice(bytes);
        header.store(words + 1, bytes.len() as u64);
        header.store(words + 2, u64::from(checksum(sequence, &extra, bytes)));
        for (index, value) in extra.into_iter().enumerate() {
            header.store(words + 3 + index, value);
        }
        header.store(words, sequence);
        Ok(sequence)
    }

    /// The newest blob whose length and checksum hold.
    pub(crate) fn newest<'a>(&self, header: &Map, areas: &'a Map) -> Option<Found<'a>> {
        let slots = [self.read(header, areas, 0), self.read(header, areas, 1)];
        slots.into_iter().flatten().max_by_key(|found| found.sequence)
    }

    /// Whether something was ever written, valid or not.
    pub(crate) fn is_used(&self, header: &Map) -> bool {
        [0, DESCRIPTOR_WORDS].into_iter().any(|slot| header.load(self.descriptors + slot + 2) != 0)
    }

    fn read<'a>(&self, header: &Map, areas: &'a Map, slot: usize) -> Option<Found<'a>> {
        let words = self.descriptors + slot * DESCRIPTOR_WORDS;
        let sequence = header.load(words);
        let length = usize::try_from(header.load(words + 1)).ok().filter(|length| *length <= self.area)?;
        let extra = std::array::from_fn(|index| header.load(words + 3 + index));
        if sequence == 0 || sequence % 2 != slot as u64 {
            return None;
        }
        let bytes = areas.bytes(slot * self.area, length);
        let valid = u64::from(checksum(sequence, &extra, bytes)) == header.load(words + 2);
        valid.then_some(Found { sequence, extra, bytes })
    }

    fn last_sequence(&self, header: &Map) -> u64 {
        let sequence = |slot: usize| header.load(self.descriptors + slot * DESCRIPTOR_WORDS);
        sequence(0).max(sequence(1))
    }
}

fn checksum(sequence: u64, extra: &[u64; EXTRA], bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&sequence.to_le_bytes());
    for value in extra {
        hasher.update(&value.to_le_bytes());
    }
    hasher.update(bytes);
    hasher.finalize()
}
