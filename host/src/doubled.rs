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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{PAGE, create};

    const AREA: usize = 4096;
    const TESTED: Doubled = Doubled { descriptors: 2, area: AREA };

    fn maps() -> (Map, Map) {
        let fd = create("test", 3 * PAGE).unwrap();
        (Map::new(&fd, 0, PAGE as usize).unwrap(), Map::new(&fd, PAGE, 2 * AREA).unwrap())
    }

    /// Does the first `steps` stores of a write; a byte of the blob is one. False when that was all of them.
    fn torn_write(header: &Map, areas: &mut Map, bytes: &[u8], extra: [u64; EXTRA], steps: usize) -> bool {
        let sequence = TESTED.last_sequence(header) + 1;
        let slot = (sequence % 2) as usize;
        let words = TESTED.descriptors + slot * DESCRIPTOR_WORDS;
        let crc = u64::from(checksum(sequence, &extra, bytes));
        let mut stores: Vec<(usize, u64)> = vec![(words + 1, bytes.len() as u64), (words + 2, crc)];
        stores.extend(extra.into_iter().enumerate().map(|(index, value)| (words + 3 + index, value)));
        stores.push((words, sequence));
        if steps > 0 {
            header.store(words, 0);
        }
        let copied = steps.saturating_sub(1).min(bytes.len());
        // SAFETY: `&mut areas`.
        unsafe { areas.bytes_mut(slot * AREA, copied) }.copy_from_slice(&bytes[..copied]);
        let stored = steps.saturating_sub(1 + bytes.len());
        stores.iter().take(stored).for_each(|(index, value)| header.store(*index, *value));
        stored < stores.len()
    }

    #[test]
    fn a_write_torn_at_any_point_leaves_the_one_before() {
        for before in 0..4u64 {
            for steps in 0.. {
                let (header, mut areas) = maps();
                for number in 1..=before {
                    TESTED.write(&header, &mut areas, &[number as u8; 100], [number; EXTRA]).unwrap();
                }
                let torn = torn_write(&header, &mut areas, b"the newest blob", [7; EXTRA], steps);
                let found = TESTED.newest(&header, &areas);
                if !torn {
                    assert_eq!(found.unwrap().bytes, b"the newest blob");
                    break;
                }
                match before {
                    0 => assert!(found.is_none()),
                    _ => {
                        let found = found.unwrap();
                        assert_eq!((found.bytes, found.extra), ([before as u8; 100].as_slice(), [before; EXTRA]));
                    }
                }
                // And the next write works as if nothing had been.
                TESTED.write(&header, &mut areas, b"after", [9; EXTRA]).unwrap();
                assert_eq!(TESTED.newest(&header, &areas).unwrap().bytes, b"after");
            }
        }
    }

    #[test]
    fn a_flipped_bit_anywhere_costs_only_that_blob() {
        let (header, mut areas) = maps();
        TESTED.write(&header, &mut areas, b"older", [1; EXTRA]).unwrap();
        let slot = (TESTED.write(&header, &mut areas, b"newer", [2; EXTRA]).unwrap() % 2) as usize;
        for index in 0..DESCRIPTOR_WORDS {
            for bit in 0..64 {
                let at = TESTED.descriptors + slot * DESCRIPTOR_WORDS + index;
                let value = header.load(at);
                header.store(at, value ^ 1 << bit);
                assert_eq!(TESTED.newest(&header, &areas).unwrap().bytes, b"older", "word {index} bit {bit}");
                header.store(at, value);
            }
        }
        for at in 0..5 {
            areas.flip(slot * AREA + at, 4);
            assert_eq!(TESTED.newest(&header, &areas).unwrap().bytes, b"older");
            areas.flip(slot * AREA + at, 4);
        }
        assert_eq!(TESTED.newest(&header, &areas).unwrap().bytes, b"newer");
    }

    #[test]
    fn what_does_not_fit_is_refused_and_changes_nothing() {
        let (header, mut areas) = maps();
        TESTED.write(&header, &mut areas, b"small", [0; EXTRA]).unwrap();
        let error = TESTED.write(&header, &mut areas, &[0; AREA + 1], [0; EXTRA]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(TESTED.newest(&header, &areas).unwrap().bytes, b"small");
    }
}
