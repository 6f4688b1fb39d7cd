//! The frame around every saved file: magic, format version, kind, length, checksum, payload.
//!
//! [`decode`] believes nothing before all of it is checked. It does no IO and copies nothing.

use crate::key::Kind;

/// First bytes of every framed file.
pub const MAGIC: [u8; 4] = *b"rove";

/// Version of the frame itself. The payload has its own, see [`crate::record`].
pub const VERSION: u16 = 1;

/// Bytes before the payload: magic, version (2), kind (1), zero (1), length (8), CRC32 (4); numbers little-endian.
pub const HEADER: usize = 20;

/// Longest payload that is written or believed, in bytes.
pub const MAX_PAYLOAD: usize = 32 << 20;

/// Why a file is not believed. `Display` gives the words shown to the user after the file's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// Nothing in it: what a power cut leaves on some filesystems.
    #[error("is empty")]
    Empty,
    /// The first bytes are another program's.
    #[error("is not a rove file")]
    Magic,
    /// From a newer program; kept as it is, never guessed at.
    #[error("was written by a newer rove (format {found}, this one reads up to {VERSION})")]
    Newer {
        /// The version the file has.
        found: u16,
    },
    /// Version 0 was never written.
    #[error("has an unknown format version {found}")]
    Version {
        /// The version the file has.
        found: u16,
    },
    /// A frame of another kind under this name.
    #[error("holds another kind of record")]
    Kind,
    /// More or fewer bytes than the header says.
    #[error("is cut short or too long ({there} bytes of {said})")]
    Length {
        /// Payload bytes as the header says.
        said: u64,
        /// Payload bytes in the file.
        there: u64,
    },
    /// Beyond [`MAX_PAYLOAD`].
    #[error("is too large ({bytes} bytes)")]
    TooLarge {
        /// Payload bytes.
        bytes: u64,
    },
    /// The content is not what was written.
    #[error("is damaged (checksum)")]
    Checksum,
}

/// A whole file: `payload` in a frame of `kind`. Fails only for a payload beyond [`MAX_PAYLOAD`].
pub fn encode(kind: Kind, payload: &[u8]) -> Result<Vec<u8>, FrameError> {
    if payload.len() > MAX_PAYLOAD {
        return Err(FrameError::TooLarge { bytes: payload.len() as u64 });
    }
    let mut file = Vec::with_capacity(HEADER + payload.len());
    file.extend_from_slice(&MAGIC);
    file.extend_from_slice(&VERSION.to_le_bytes());
    file.extend_from_slice(&[kind.tag(), 0]);
    file.extend_from_slice(&(payload.len() as u64).to_le_bytes());
    let sum = checksum(&file, payload);
    file.extend_from_slice(&sum.to_le_bytes());
    file.extend_from_slice(payload);
    Ok(file)
}

/// The payload of `file`, once magic, version, kind, length and checksum are all right.
pub fn decode(kind: Kind, file: &[u8]) -> Result<&[u8], FrameError> {
    if file.is_empty() {
        return Err(FrameError::Empty);
    }
    if !file.starts_with(&MAGIC) {
        return Err(FrameError::Magic);
    }
    let there = (file.len() as u64).saturating_sub(HEADER as u64);
    let Some((header, payload)) = file.split_first_chunk::<HEADER>() else {
        return Err(FrameError::Length { said: HEADER as u64, there: file.len() as u64 });
    };
    let [_, _, _, _, low, high, tag, zero, rest @ ..] = *header;
    let version = u16::from_le_bytes([low, high]);
    if version > VERSION {
        return Err(FrameError::Newer { found: version });
    }
    if version != VERSION {
        return Err(FrameError::Version { found: version });
    }
    if tag != kind.tag() || zero != 0 {
        return Err(FrameError::Kind);
    }
    let [l0, l1, l2, l3, l4, l5, l6, l7, sum @ ..] = rest;
    let said = u64::from_le_bytes([l0, l1, l2, l3, l4, l5, l6, l7]);
    if said > MAX_PAYLOAD as u64 {
        return Err(FrameError::TooLarge { bytes: said });
    }
    if said != there {
        return Err(FrameError::Length { said, there });
    }
    if checksum(&header[..HEADER - 4], payload) != u32::from_le_bytes(sum) {
        return Err(FrameError::Checksum);
    }
    Ok(payload)
}

fn checksum(header: &[u8], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(payload);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Random;

    fn sample() -> Vec<u8> {
        let payload: Vec<u8> = (0..3000u32).map(|n| (n * 7) as u8).collect();
        encode(Kind::Screen, &payload).unwrap()
    }

    #[test]
    fn what_was_framed_comes_back() {
        let file = encode(Kind::Pane, b"payload").unwrap();
        assert_eq!(decode(Kind::Pane, &file), Ok(&b"payload"[..]));
        assert_eq!(decode(Kind::Pane, &encode(Kind::Pane, b"").unwrap()), Ok(&b""[..]));
    }

    #[test]
    fn every_truncation_is_refused() {
        let file = sample();
        for length in 0..file.len() {
            assert!(decode(Kind::Screen, &file[..length]).is_err(), "cut to {length} bytes");
        }
        assert_eq!(decode(Kind::Screen, &[]), Err(FrameError::Empty));
    }

    #[test]
    fn every_flipped_bit_is_refused() {
        let file = sample();
        let mut random = Random::new(1);
        for _ in 0..10_000 {
            let mut bad = file.clone();
            let bit = random.below(file.len() as u64 * 8);
            bad[(bit / 8) as usize] ^= 1 << (bit % 8);
            assert!(decode(Kind::Screen, &bad).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn random_files_are_refused() {
        let mut random = Random::new(2);
        for _ in 0..1_000 {
            let length = random.below(4096) as usize;
            let mut file: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
            if random.below(2) == 0 {
                file.splice(0..4.min(length), MAGIC);
            }
            assert!(decode(Kind::Pane, &file).is_err());
        }
    }

    #[test]
    fn a_length_of_64_gib_is_refused_without_memory() {
        let mut file = sample();
        file[8..16].copy_from_slice(&(64u64 << 30).to_le_bytes());
        assert_eq!(decode(Kind::Screen, &file), Err(FrameError::TooLarge { bytes: 64 << 30 }));
    }

    #[test]
    fn a_newer_version_is_refused_with_words() {
        let mut file = sample();
        file[4] = 2;
        let error = decode(Kind::Screen, &file).unwrap_err();
        assert_eq!(error.to_string(), "was written by a newer rove (format 2, this one reads up to 1)");
        file[4] = 0;
        assert_eq!(decode(Kind::Screen, &file), Err(FrameError::Version { found: 0 }));
    }

    #[test]
    fn another_kind_is_refused() {
        assert_eq!(decode(Kind::Pane, &sample()), Err(FrameError::Kind));
    }

    #[test]
    fn too_large_a_payload_is_not_written() {
        assert!(encode(Kind::Screen, &vec![0; MAX_PAYLOAD + 1]).is_err());
    }
}
