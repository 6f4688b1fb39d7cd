//! What a program's output asks of the world around its screen. The screen itself never acts on these.

/// The clipboard selections that OSC 52 names, in the order given, at most thirteen of `cpqs01234567`.
pub type Selections = String;

/// Something the owner of a terminal has to act on, in the order it came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Bytes to write to the program: an answer to a query.
    Reply(Vec<u8>),
    /// BEL. Bells between two calls of `take_events` that nothing else separates are one.
    Bell,
    /// The title changed to this (OSC 0 and 2, APC, CSI 23 t).
    Title(String),
    /// The current directory was reported (OSC 7); `Terminal::path` has it as it came, mostly a `file://` URL.
    Path,
    /// ESC k: a new name for the window; empty asks for automatic names again.
    Rename(String),
    /// OSC 52: put this into the clipboard.
    Clipboard {
        /// Which selections.
        selections: Selections,
        /// The decoded text.
        data: Vec<u8>,
    },
    /// OSC 52 with `?`: the program asks for the clipboard.
    ClipboardQuery {
        /// Which selections.
        selections: Selections,
        /// Answer with BEL rather than ST.
        bel: bool,
    },
    /// OSC 4 with `?` for an entry the program has not set: the answer is the outer terminal's.
    PaletteQuery {
        /// The entry, 0 to 255.
        index: u8,
        /// Answer with BEL rather than ST.
        bel: bool,
    },
    /// The palette or a default colour changed (OSC 4, 10, 11, 104, 110, 111, RIS): everything must be drawn again.
    Colours,
    /// OSC 9 (text) and OSC 777 `notify`.
    Notification {
        /// Empty for OSC 9.
        title: String,
        /// The text.
        body: String,
    },
    /// OSC 9;4: the progress bar; `Terminal::progress` has it.
    Progress,
    /// OSC 133: a mark of the shell.
    Prompt(PromptMark),
    /// DCS tmux; with the wrapping taken off: bytes meant for the outer terminal.
    Passthrough(Vec<u8>),
    /// The alternate screen was entered or left.
    Alternate(bool),
    /// Synchronised output began (true) or ended; the owner ends it itself after a second.
    Synchronised(bool),
    /// The theme was asked for (DSR 996) but is not known here.
    ThemeQuery,
}

/// The marks of OSC 133.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PromptMark {
    /// A or N: a prompt begins.
    Prompt,
    /// B or I: the prompt ends, the command line begins.
    Command,
    /// C: output begins.
    Output,
    /// D: the command ended, with its exit status where it was given.
    End(Option<i32>),
}
