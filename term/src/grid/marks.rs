//! Where on a line a shell's prompt, command and output are, as OSC 133 told it.

use super::record::{put_number, take_number};
use bitflags::bitflags;

bitflags! {
    /// Which marks beside those that are flags of the line (a prompt, an output that begins).
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub(crate) struct MarkKinds: u8 {
        /// A prompt that continues a command line (`P` with `k=s`).
        const SECOND_PROMPT = 1 << 0;
        /// The command line begins (`B`, `I`).
        const COMMAND = 1 << 1;
        /// Output ended (`D`).
        const OUTPUT_END = 1 << 2;
    }
}

/// The columns of a line's marks; 0 for one that it has not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Marks {
    pub(crate) kinds: MarkKinds,
    pub(crate) prompt: u16,
    pub(crate) command: u16,
    pub(crate) output: u16,
    pub(crate) output_end: u16,
    /// The exit status that came with the end of the output.
    pub(crate) status: u8,
}

impl Marks {
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        out.push(self.kinds.bits());
        for column in [self.prompt, self.command, self.output, self.output_end] {
            put_number(out, column.into());
        }
        out.push(self.status);
    }

    pub(super) fn take(bytes: &mut &[u8]) -> Option<Marks> {
        fn byte(bytes: &mut &[u8]) -> Option<u8> {
            let (&first, rest) = bytes.split_first()?;
            *bytes = rest;
            Some(first)
        }
        let kinds = MarkKinds::from_bits_truncate(byte(bytes)?);
        let mut column = || u16::try_from(take_number(bytes)?).ok();
        let (prompt, command, output, output_end) = (column()?, column()?, column()?, column()?);
        Some(Marks { kinds, prompt, command, output, output_end, status: byte(bytes)? })
    }
}
