//! The modes a program sets on its terminal, as one bit set, and the table that names them.

use bitflags::bitflags;

bitflags! {
    /// Modes of one screen, with tmux's meaning. [`MODES`] has a row for each that has a number.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Modes: u32 {
        /// The cursor is shown (DECTCEM).
        const CURSOR = 1 << 0;
        /// Characters are inserted (IRM).
        const INSERT = 1 << 1;
        /// Cursor keys send application sequences (DECCKM).
        const APPLICATION_CURSOR = 1 << 2;
        /// The keypad sends application sequences (DECKPAM).
        const APPLICATION_KEYPAD = 1 << 3;
        /// Writing past the last column goes on in the next line (DECAWM).
        const WRAP = 1 << 4;
        /// Button presses are reported.
        const MOUSE_STANDARD = 1 << 5;
        /// Presses and drags are reported.
        const MOUSE_BUTTON = 1 << 6;
        /// All movement is reported.
        const MOUSE_ALL = 1 << 7;
        /// Mouse positions are sent as UTF-8.
        const MOUSE_UTF8 = 1 << 8;
        /// Mouse events are sent in SGR form.
        const MOUSE_SGR = 1 << 9;
        /// The cursor blinks.
        const CURSOR_BLINKING = 1 << 10;
        /// Blinking was asked for by number 12, so that the option does not decide.
        const CURSOR_BLINKING_SET = 1 << 11;
        /// The cursor is very visible (CSI 34 l).
        const CURSOR_VERY_VISIBLE = 1 << 12;
        /// Pasted text is bracketed.
        const BRACKETED_PASTE = 1 << 13;
        /// Focus changes are reported.
        const FOCUS = 1 << 14;
        /// The cursor is addressed relative to the scroll region (DECOM).
        const ORIGIN = 1 << 15;
        /// LF also returns to the first column; only for panes without a process.
        const CRLF = 1 << 16;
        /// modifyOtherKeys 1.
        const KEYS_EXTENDED = 1 << 17;
        /// modifyOtherKeys 2.
        const KEYS_EXTENDED_2 = 1 << 18;
        /// Changes of the theme are reported.
        const THEME_UPDATES = 1 << 19;
        /// An update is being written that should be shown as one (synchronised output).
        const SYNC = 1 << 20;

        /// Every way of tracking the mouse; at most one is set.
        const ALL_MOUSE = Self::MOUSE_STANDARD.bits() | Self::MOUSE_BUTTON.bits() | Self::MOUSE_ALL.bits();
        /// Both forms of modifyOtherKeys; at most one is set.
        const ALL_KEYS_EXTENDED = Self::KEYS_EXTENDED.bits() | Self::KEYS_EXTENDED_2.bits();
    }
}

impl Default for Modes {
    fn default() -> Modes {
        Modes::CURSOR | Modes::WRAP
    }
}

/// One mode that a program can set by number.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// Its number in SM, RM and DECRQM.
    pub number: u16,
    /// True for CSI ? modes.
    pub private: bool,
    /// The bit it stands for.
    pub flag: Modes,
    /// Short name, as terminal manuals have it.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
}

const fn mode(number: u16, private: bool, flag: Modes, name: &'static str, about: &'static str) -> Mode {
    Mode { number, private, flag, name, about }
}

/// The modes whose state is one bit, in order of number. The alternate screen (47, 1047, 1049), DECCOLM (3) and cursor
/// blinking (12) do more than set a bit and are handled where they act.
pub const MODES: &[Mode] = &[
    mode(1, true, Modes::APPLICATION_CURSOR, "DECCKM", "Cursor keys send application sequences"),
    mode(4, false, Modes::INSERT, "IRM", "Characters are inserted"),
    mode(6, true, Modes::ORIGIN, "DECOM", "The cursor is addressed relative to the scroll region"),
    mode(7, true, Modes::WRAP, "DECAWM", "Writing past the last column goes on in the next line"),
    mode(25, true, Modes::CURSOR, "DECTCEM", "The cursor is shown"),
    mode(1000, true, Modes::MOUSE_STANDARD, "mouse", "Button presses are reported"),
    mode(1002, true, Modes::MOUSE_BUTTON, "mouse button", "Presses and drags are reported"),
    mode(1003, true, Modes::MOUSE_ALL, "mouse any", "All movement is reported"),
    mode(1004, true, Modes::FOCUS, "focus", "Focus changes are reported"),
    mode(1005, true, Modes::MOUSE_UTF8, "mouse UTF-8", "Mouse positions are sent as UTF-8"),
    mode(1006, true, Modes::MOUSE_SGR, "mouse SGR", "Mouse events are sent in SGR form"),
    mode(2004, true, Modes::BRACKETED_PASTE, "bracketed paste", "Pasted text is bracketed"),
    mode(2026, true, Modes::SYNC, "synchronised output", "Updates are shown as a whole"),
    mode(2031, true, Modes::THEME_UPDATES, "theme updates", "Changes of the theme are reported"),
];

/// The row of a mode by its number.
pub fn find(number: i32, private: bool) -> Option<&'static Mode> {
    MODES.iter().find(|mode| i32::from(mode.number) == number && mode.private == private)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_unique_and_documented() {
        for pair in MODES.windows(2) {
            assert!(pair[0].number < pair[1].number);
        }
        assert!(MODES.iter().all(|mode| !mode.name.is_empty() && !mode.about.is_empty()));
        assert_eq!(find(25, true).map(|mode| mode.flag), Some(Modes::CURSOR));
        assert!(find(25, false).is_none());
    }
}
