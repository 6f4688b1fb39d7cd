//! The commands of copy mode, in tmux's order: name, flags, arguments, and when marks of a search go away.

use super::Mode;
use super::call::Running;
use super::{command, copying};

/// When a command takes away the marks of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clear {
    /// Always.
    Always,
    /// Never.
    Never,
    /// With emacs' keys.
    EmacsOnly,
}

/// A command.
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// Its flags, none with a value.
    pub flags: &'static str,
    /// The fewest and the most arguments.
    pub arguments: (usize, usize),
    /// A read-only client may run it.
    pub read_only: bool,
    /// When it takes away the marks of a search.
    pub clear: Clear,
    /// What it does, in a sentence.
    pub about: &'static str,
    pub(super) run: fn(&mut Mode, &mut Running<'_>),
}

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

type Run = fn(&mut Mode, &mut Running<'_>);

/// A command that changes a selection, a search or a buffer.
const fn changes(name: &'static str, about: &'static str, clear: Clear, run: Run) -> Row {
    Row { name, flags: "", arguments: (0, 0), read_only: false, clear, about, run }
}

/// A command that only moves the view or the cursor.
const fn moves(name: &'static str, about: &'static str, clear: Clear, run: Run) -> Row {
    Row { read_only: true, ..changes(name, about, clear, run) }
}

impl Row {
    const fn takes(self, flags: &'static str, least: usize, most: usize) -> Row {
        Row { flags, arguments: (least, most), ..self }
    }
}

use Clear::{Always, EmacsOnly, Never};

/// The commands.
pub static ROWS: &[Row] = &[
    changes("append-selection", "Append the selection to the newest buffer", Always, copying::append_selection),
    changes(
        "append-selection-and-cancel",
        "Append the selection to the newest buffer and leave the mode",
        Always,
        copying::append_selection_and_cancel,
    ),
    moves(
        "back-to-indentation",
        "Move to the first character of the line that is no space",
        Always,
        command::back_to_indentation,
    ),
    changes("begin-selection", "Begin selecting at the cursor", Always, command::begin_selection),
    moves("bottom-line", "Move to the bottom row of the screen", EmacsOnly, command::bottom_line),
    moves("cancel", "Leave the mode", Always, command::cancel),
    changes("clear-selection", "Let go of the selection", Always, command::clear_selection),
    changes("copy-end-of-line", "Copy from the cursor to the end of the line", Always, copying::copy_end_of_line)
        .takes("CP", 0, 1),
    changes(
        "copy-end-of-line-and-cancel",
        "Copy from the cursor to the end of the line and leave the mode",
        Always,
        copying::copy_end_of_line_and_cancel,
    )
    .takes("CP", 0, 1),
    changes(
        "copy-pipe-end-of-line",
        "Copy to the end of the line and give it to a command",
        Always,
        copying::copy_pipe_end_of_line,
    )
    .takes("CP", 0, 2),
    changes(
        "copy-pipe-end-of-line-and-cancel",
        "Copy to the end of the line, give it to a command and leave the mode",
        Always,
        copying::copy_pipe_end_of_line_and_cancel,
    )
    .takes("CP", 0, 2),
    changes("copy-line", "Copy the line", Always, copying::copy_line).takes("CP", 0, 1),
    changes("copy-line-and-cancel", "Copy the line and leave the mode", Always, copying::copy_line_and_cancel)
        .takes("CP", 0, 1),
    changes("copy-pipe-line", "Copy the line and give it to a command", Always, copying::copy_pipe_line)
        .takes("CP", 0, 2),
    changes(
        "copy-pipe-line-and-cancel",
        "Copy the line, give it to a command and leave the mode",
        Always,
        copying::copy_pipe_line_and_cancel,
    )
    .takes("CP", 0, 2),
    changes(
        "copy-pipe-no-clear",
        "Copy the selection, give it to a command and keep it selected",
        Never,
        copying::copy_pipe_no_clear,
    )
    .takes("CP", 0, 2),
    changes("copy-pipe", "Copy the selection and give it to a command", Always, copying::copy_pipe).takes("CP", 0, 2),
    changes(
        "copy-pipe-and-cancel",
        "Copy the selection, give it to a command and leave the mode",
        Always,
        copying::copy_pipe_and_cancel,
    )
    .takes("CP", 0, 2),
    changes(
        "copy-selection-no-clear",
        "Copy the selection and keep it selected",
        Never,
        copying::copy_selection_no_clear,
    )
    .takes("CP", 0, 1),
    changes("copy-selection", "Copy the selection", Always, copying::copy_selection).takes("CP", 0, 1),
    changes(
        "copy-selection-and-cancel",
        "Copy the selection and leave the mode",
        Always,
        copying::copy_selection_and_cancel,
    )
    .takes("CP", 0, 1),
    moves("cursor-down", "Move down a row", EmacsOnly, command::cursor_down),
    moves(
        "cursor-down-and-cancel",
        "Move down a row, at the newest leave the mode",
        Always,
        command::cursor_down_and_cancel,
    ),
    moves("cursor-left", "Move left a character", EmacsOnly, command::cursor_left),
    moves("cursor-right", "Move right a character", EmacsOnly, command::cursor_right),
    moves("cursor-up", "Move up a row", EmacsOnly, command::cursor_up),
    moves("cursor-centre-vertical", "Move to the middle row of the screen", EmacsOnly, command::cursor_centre_vertical),
    moves(
        "cursor-centre-horizontal",
        "Move to the middle column of the screen",
        EmacsOnly,
        command::cursor_centre_horizontal,
    ),
    moves("end-of-line", "Move to the end of the line", EmacsOnly, command::end_of_line),
    moves("goto-line", "Go to a line by its number", EmacsOnly, command::goto_line).takes("", 1, 1),
    moves("halfpage-down", "Scroll down half a page", EmacsOnly, command::halfpage_down),
    moves(
        "halfpage-down-and-cancel",
        "Scroll down half a page, at the newest row leave the mode",
        Always,
        command::halfpage_down_and_cancel,
    ),
    moves("halfpage-up", "Scroll up half a page", EmacsOnly, command::halfpage_up),
    moves("history-bottom", "Go to the newest row", EmacsOnly, command::history_bottom),
    moves("history-top", "Go to the oldest row", EmacsOnly, command::history_top),
    changes("jump-again", "Repeat the last jump", EmacsOnly, command::jump_again),
    changes("jump-backward", "Jump back to a character", EmacsOnly, command::jump_backward).takes("", 1, 1),
    changes("jump-forward", "Jump forward to a character", EmacsOnly, command::jump_forward).takes("", 1, 1),
    changes("jump-reverse", "Repeat the last jump the other way", EmacsOnly, command::jump_reverse),
    changes("jump-to-backward", "Jump back to just after a character", EmacsOnly, command::jump_to_backward)
        .takes("", 1, 1),
    changes("jump-to-forward", "Jump forward to just before a character", EmacsOnly, command::jump_to_forward)
        .takes("", 1, 1),
    moves("jump-to-mark", "Go to the mark, and set it where the cursor was", Always, command::jump_to_mark),
    moves("next-prompt", "Go to the next prompt", Always, command::next_prompt).takes("o", 0, 0),
    moves("previous-prompt", "Go to the previous prompt", Always, command::previous_prompt).takes("o", 0, 0),
    moves("middle-line", "Move to the middle row of the screen, first column", EmacsOnly, command::middle_line),
    moves("next-matching-bracket", "Move to the bracket that closes one", Always, command::next_matching_bracket),
    moves("next-paragraph", "Move to the end of the paragraph", EmacsOnly, command::next_paragraph),
    moves("next-space", "Move to the next word between spaces", EmacsOnly, command::next_space),
    moves("next-space-end", "Move to the end of the word between spaces", EmacsOnly, command::next_space_end),
    moves("next-word", "Move to the next word", EmacsOnly, command::next_word),
    moves("next-word-end", "Move to the end of the word", EmacsOnly, command::next_word_end),
    changes("other-end", "Move to the other end of the selection", EmacsOnly, command::other_end),
    moves("page-down", "Scroll down a page", EmacsOnly, command::page_down),
    moves(
        "page-down-and-cancel",
        "Scroll down a page, at the newest row leave the mode",
        Always,
        command::page_down_and_cancel,
    ),
    moves("page-up", "Scroll up a page", EmacsOnly, command::page_up),
    changes("pipe-no-clear", "Give the selection to a command and keep it selected", Never, copying::pipe_no_clear)
        .takes("", 0, 1),
    changes("pipe", "Give the selection to a command", Always, copying::pipe).takes("", 0, 1),
    changes("pipe-and-cancel", "Give the selection to a command and leave the mode", Always, copying::pipe_and_cancel)
        .takes("", 0, 1),
    moves(
        "previous-matching-bracket",
        "Move to the bracket that opens one",
        Always,
        command::previous_matching_bracket,
    ),
    moves("previous-paragraph", "Move to the start of the paragraph", EmacsOnly, command::previous_paragraph),
    moves("previous-space", "Move to the word between spaces before", EmacsOnly, command::previous_space),
    moves("previous-word", "Move to the word before", EmacsOnly, command::previous_word),
    moves(
        "recentre-top-bottom",
        "Scroll the cursor's row to the middle, the top and the bottom in turn",
        Always,
        command::recentre_top_bottom,
    ),
    changes("rectangle-on", "Select a rectangle", Always, command::rectangle_on),
    changes("rectangle-off", "Do not select a rectangle", Always, command::rectangle_off),
    changes("rectangle-toggle", "Select a rectangle or not", Always, command::rectangle_toggle),
    moves("refresh-from-pane", "Take the text of the pane anew", Always, command::refresh_from_pane),
    moves("scroll-bottom", "Scroll the cursor's row to the bottom", Always, command::scroll_bottom),
    moves("scroll-down", "Scroll down a row", EmacsOnly, command::scroll_down),
    moves(
        "scroll-down-and-cancel",
        "Scroll down a row, at the newest leave the mode",
        Always,
        command::scroll_down_and_cancel,
    ),
    changes("scroll-exit-on", "Leave the mode when scrolling to the newest row", Always, command::scroll_exit_on),
    changes(
        "scroll-exit-off",
        "Do not leave the mode when scrolling to the newest row",
        Always,
        command::scroll_exit_off,
    ),
    changes(
        "scroll-exit-toggle",
        "Leave the mode when scrolling to the newest row or not",
        Always,
        command::scroll_exit_toggle,
    ),
    moves("scroll-middle", "Scroll the cursor's row to the middle", Always, command::scroll_middle),
    moves("scroll-to-mouse", "Scroll to where the mouse has the scroll bar", EmacsOnly, command::scroll_to_mouse)
        .takes("e", 0, 0),
    moves("scroll-top", "Scroll the cursor's row to the top", Always, command::scroll_top),
    moves("scroll-up", "Scroll up a row", EmacsOnly, command::scroll_up),
    changes("search-again", "Repeat the last search", Always, command::search_again),
    changes("search-backward", "Search up for an expression", Always, command::search_backward).takes("", 0, 1),
    changes("search-backward-text", "Search up for a text", Always, command::search_backward_text).takes("", 0, 1),
    changes(
        "search-backward-incremental",
        "Search up for a text as it is typed",
        Always,
        command::search_backward_incremental,
    )
    .takes("", 1, 1),
    changes("search-forward", "Search down for an expression", Always, command::search_forward).takes("", 0, 1),
    changes("search-forward-text", "Search down for a text", Always, command::search_forward_text).takes("", 0, 1),
    changes(
        "search-forward-incremental",
        "Search down for a text as it is typed",
        Always,
        command::search_forward_incremental,
    )
    .takes("", 1, 1),
    changes("search-reverse", "Repeat the last search the other way", Always, command::search_reverse),
    changes("select-line", "Select the line", Always, command::select_line),
    changes("select-word", "Select the word", Always, command::select_word),
    changes("selection-mode", "Select by characters, words or lines", Always, command::selection_mode).takes("", 0, 1),
    moves("set-mark", "Mark the cursor's place", Always, command::set_mark),
    moves("start-of-line", "Move to the start of the line", EmacsOnly, command::start_of_line),
    changes("stop-selection", "Keep the selection as it is", Always, command::stop_selection),
    moves("toggle-position", "Show the position or not", Never, command::toggle_position),
    moves("top-line", "Move to the top row of the screen", EmacsOnly, command::top_line),
];
