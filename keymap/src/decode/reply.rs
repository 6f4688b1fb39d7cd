//! Owns what a terminal's answers say. They are never keys, however late they come.

use crate::encode::KittyFlags;

use super::control::Sequence;

/// A colour of the terminal, 8 bits a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // Red, green and blue.
pub struct Rgb {
    pub red: u8,
    pub green: u8,
    pub blue: u8,
}

/// Whether the terminal is dark or light.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The names are the documentation.
pub enum Theme {
    Dark,
    Light,
}

/// What the terminal says of a mode (DECRPM).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModeState {
    /// It does not know the mode.
    Unknown,
    /// Set.
    Set,
    /// Reset.
    Reset,
    /// Set for good.
    AlwaysSet,
    /// Reset for good.
    AlwaysReset,
}

/// An answer or report of the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TerminalReply {
    /// Primary device attributes, `CSI ? … c`: the class, then features. At most 16.
    PrimaryAttributes(Vec<u32>),
    /// Secondary device attributes, `CSI > … c`: terminal, version, cartridge. At most 16.
    SecondaryAttributes(Vec<u32>),
    /// Name and version (XTVERSION), `DCS > | … ST`.
    Version(String),
    /// Where the cursor is, from 1, `CSI row ; column R`. `CSI 1 ; 2 R` to `CSI 1 ; 9 R` are keys, so ask with `CSI ? 6 n`.
    CursorPosition {
        /// The row.
        row: u32,
        /// The column.
        column: u32,
    },
    /// The text colour (OSC 10).
    Foreground(Rgb),
    /// The background colour (OSC 11).
    Background(Rgb),
    /// The cursor's colour (OSC 12).
    Cursor(Rgb),
    /// A colour of the palette (OSC 4).
    Palette {
        /// Its number.
        index: u8,
        /// The colour.
        color: Rgb,
    },
    /// What a selection holds (OSC 52).
    Clipboard {
        /// Which one, if exactly one is named.
        selection: Option<char>,
        /// The bytes, decoded.
        data: Vec<u8>,
    },
    /// The kitty keyboard flags in force, `CSI ? flags u`.
    KittyKeyboard(KittyFlags),
    /// The state of a mode, `CSI ? mode ; state $ y`.
    Mode {
        /// The mode's number.
        mode: u32,
        /// Whether it is a private (DEC) mode.
        private: bool,
        /// Its state.
        state: ModeState,
    },
    /// The size in cells: `CSI 8 ; rows ; columns t`.
    Cells {
        /// Rows.
        rows: u16,
        /// Columns.
        columns: u16,
    },
    /// The size in pixels: `CSI 4 ; height ; width t`.
    Pixels {
        /// Height.
        height: u16,
        /// Width.
        width: u16,
    },
    /// The size of one cell in pixels: `CSI 6 ; height ; width t`.
    CellPixels {
        /// Height.
        height: u16,
        /// Width.
        width: u16,
    },
    /// The size changed (mode 2048): `CSI 48 ; rows ; columns ; height ; width t`.
    Resized {
        /// Rows.
        rows: u16,
        /// Columns.
        columns: u16,
        /// Height in pixels, 0 if unknown.
        height: u16,
        /// Width in pixels, 0 if unknown.
        width: u16,
    },
    /// The theme, `CSI ? 997 ; 1 n` (dark) or `2` (light).
    Theme(Theme),
}

/// The reply that a control sequence is.
pub(super) fn control_sequence(sequence: &Sequence) -> Option<TerminalReply> {
    let number = |index| sequence.number(index);
    Some(match (sequence.private, sequence.intermediate, sequence.end) {
        (Some(b'?'), None, b'c') => TerminalReply::PrimaryAttributes(sequence.numbers().collect()),
        (Some(b'>'), None, b'c') => TerminalReply::SecondaryAttributes(sequence.numbers().collect()),
        (None | Some(b'?'), None, b'R') => TerminalReply::CursorPosition { row: number(0)?, column: number(1)? },
        (Some(b'?'), None, b'u') => {
            TerminalReply::KittyKeyboard(KittyFlags::from_bits_truncate(u8::try_from(number(0)?).ok()?))
        }
        (private @ (None | Some(b'?')), Some(b'$'), b'y') => {
            TerminalReply::Mode { mode: number(0)?, private: private.is_some(), state: mode_state(number(1)?)? }
        }
        (Some(b'?'), None, b'n') if number(0) == Some(997) => match number(1)? {
            1 => TerminalReply::Theme(Theme::Dark),
            2 => TerminalReply::Theme(Theme::Light),
            _ => return None,
        },
        (None, None, b't') => return window_report(sequence),
        _ => return None,
    })
}

fn mode_state(number: u32) -> Option<ModeState> {
    let states = [ModeState::Unknown, ModeState::Set, ModeState::Reset, ModeState::AlwaysSet, ModeState::AlwaysReset];
    states.get(number as usize).copied()
}

fn window_report(sequence: &Sequence) -> Option<TerminalReply> {
    let size = |index| u16::try_from(sequence.number(index)?).ok();
    let (first, second) = (size(1)?, size(2)?);
    Some(match sequence.number(0)? {
        4 => TerminalReply::Pixels { height: first, width: second },
        6 => TerminalReply::CellPixels { height: first, width: second },
        8 => TerminalReply::Cells { rows: first, columns: second },
        48 => TerminalReply::Resized {
            rows: first,
            columns: second,
            height: size(3).unwrap_or(0),
            width: size(4).unwrap_or(0),
        },
        _ => return None,
    })
}

/// The reply that a control string is: its start, from the byte after ESC, and its text.
pub(super) fn string(start: &[u8], text: &[u8]) -> Option<TerminalReply> {
    match start {
        b"]4;" => {
            let (index, color) = std::str::from_utf8(text).ok()?.split_once(';')?;
            Some(TerminalReply::Palette { index: index.parse().ok()?, color: color_of(color)? })
        }
        b"]10;" => Some(TerminalReply::Foreground(color_of(std::str::from_utf8(text).ok()?)?)),
        b"]11;" => Some(TerminalReply::Background(color_of(std::str::from_utf8(text).ok()?)?)),
        b"]12;" => Some(TerminalReply::Cursor(color_of(std::str::from_utf8(text).ok()?)?)),
        b"]52;" => clipboard(text),
        b"P>|" => Some(TerminalReply::Version(String::from_utf8_lossy(text).into_owned())),
        _ => None,
    }
}

fn clipboard(text: &[u8]) -> Option<TerminalReply> {
    let split = text.iter().position(|byte| *byte == b';')?;
    let selection = match text[..split] {
        [selection] if selection.is_ascii() => Some(char::from(selection)),
        _ => None,
    };
    Some(TerminalReply::Clipboard { selection, data: base64(&text[split + 1..])? })
}

/// A colour as X11 writes it: `rgb:r/g/b` with one to four digits each, `rgba:` (its last channel is ignored) or `#rrggbb`.
fn color_of(text: &str) -> Option<Rgb> {
    let channels: Vec<&str> = if let Some(channels) = text.strip_prefix("rgb:") {
        channels.split('/').collect()
    } else if let Some(channels) = text.strip_prefix("rgba:") {
        let mut channels: Vec<&str> = channels.split('/').collect();
        (channels.len() == 4).then(|| channels.pop())?;
        channels
    } else {
        let digits = text.strip_prefix('#').filter(|digits| digits.is_ascii())?;
        let width = digits.len() / 3;
        if width == 0 || digits.len() != 3 * width {
            return None;
        }
        vec![&digits[..width], &digits[width..2 * width], &digits[2 * width..]]
    };
    match channels[..] {
        [red, green, blue] => Some(Rgb { red: channel(red)?, green: channel(green)?, blue: channel(blue)? }),
        _ => None,
    }
}

/// One to four hexadecimal digits, scaled to 8 bits.
fn channel(digits: &str) -> Option<u8> {
    if !(1..=4).contains(&digits.len()) || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let value = u32::from_str_radix(digits, 16).ok()?;
    let largest = (1u32 << (4 * digits.len())) - 1;
    u8::try_from((value * 255 + largest / 2) / largest).ok()
}

/// Decodes base64, with or without its padding.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let digits = text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"=")).unwrap_or(text);
    if digits.len() % 4 == 1 {
        return None;
    }
    let mut out = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    let (mut bits, mut count) = (0u32, 0);
    for digit in digits {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(out)
}
