//! What a terminal must be told from outside: options that change what its output does, and what only others know.

use crate::style::Color;

/// The `extended-keys` option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ExtendedKeys {
    /// Requests are ignored.
    Off,
    /// Requests are kept.
    #[default]
    On,
    /// Mode 1 is always on.
    Always,
}

/// Light or dark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theme {
    /// Dark background.
    Dark,
    /// Light background.
    Light,
}

/// Options and outer facts. They are not part of a snapshot: whoever restores a terminal sets them again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// `scroll-on-clear`: clearing the whole screen scrolls it into the history.
    pub scroll_on_clear: bool,
    /// `alternate-screen`: programs may use it.
    pub alternate_screen: bool,
    /// `allow-set-title`.
    pub allow_set_title: bool,
    /// `variation-selector-always-wide`: U+FE0F makes its character wide.
    pub variation_selector_wide: bool,
    /// `input-buffer-size`: bytes of memory that one string of escape sequences may take.
    pub input_buffer_size: usize,
    /// `extended-keys`.
    pub extended_keys: ExtendedKeys,
    /// `cursor-style` as the number of DECSCUSR, 0 to 6, for answers while the program has set none.
    pub cursor_style: u8,
    /// `cursor-colour`, for OSC 12 queries.
    pub cursor_colour: Option<Color>,
    /// The pane's foreground, for OSC 10 queries; without one there is no answer.
    pub fg: Option<Color>,
    /// The pane's background, for OSC 11 queries; without one there is no answer.
    pub bg: Option<Color>,
    /// What the pane shows as its foreground whatever the program set, for OSC 10 queries.
    pub over_fg: Option<Color>,
    /// The same for the background and OSC 11.
    pub over_bg: Option<Color>,
    /// For DSR 996 queries; without one an event asks.
    pub theme: Option<Theme>,
    /// Pixels of a cell, width and height, for the window size reports.
    pub cell: (u32, u32),
    /// Obeys and answers what tmux 3.7c ignores: kitty's keyboard flags, DA3, DECXCPR, XTGETTCAP (always with "no
    /// such thing"), DECSTR, HPR, VPR and CHT. It also wraps wide characters and tabs by their own width when the
    /// screen's width changes, where tmux 3.7c counts their padding once more. After several changes of width the
    /// lengths of lines in the history (blanks after their text, as captures with escapes show them) are those after
    /// one.
    pub beyond_tmux: bool,
}

impl Settings {
    /// Most bytes of the payload of a string. tmux doubles its buffer while that fits in the size, and keeps two bytes
    /// of it for itself.
    pub(crate) fn most_payload(&self) -> usize {
        match self.input_buffer_size.checked_ilog2() {
            Some(doublings) => (1 << doublings) - 2.min(1 << doublings),
            None => 0,
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            scroll_on_clear: true,
            alternate_screen: true,
            allow_set_title: true,
            variation_selector_wide: true,
            input_buffer_size: 1 << 20,
            extended_keys: ExtendedKeys::On,
            cursor_style: 0,
            cursor_colour: None,
            fg: None,
            bg: None,
            over_fg: None,
            over_bg: None,
            theme: None,
            cell: (16, 32),
            beyond_tmux: true,
        }
    }
}
