//! Commands that take text: into buffers, to clipboards, to the input of a command.

use super::Mode;
use super::call::{Copied, Pipe, Running};

/// What is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// From the cursor to the end of the line.
    EndOfLine,
    /// The whole line.
    Line,
}

impl Mode {
    /// Take the selection for a buffer named with the argument at `prefix`.
    fn take(&self, running: &mut Running<'_>, prefix: usize) {
        if let Some(text) = self.selected() {
            running.action.copy = Some(Copied {
                text,
                prefix: running.call.given(prefix).map(str::to_owned),
                buffer: !running.call.has('P'),
                clipboard: !running.call.has('C'),
                append: false,
            });
        }
    }

    fn take_pipe(&self, running: &mut Running<'_>) {
        let text = self.selected().unwrap_or_default();
        running.action.pipe = Some(Pipe { text, command: running.call.text(0).map(str::to_owned) });
    }

    fn take_lines(&mut self, running: &mut Running<'_>, extent: Extent, pipe: bool, cancel: bool) {
        let before = (self.x, self.y, self.offset);
        if extent == Extent::Line {
            self.selection.unit = super::selection::Unit::Character;
            self.start_of_line();
        }
        self.start_selection();
        self.repeated(running.times - 1, |mode| mode.cursor_down(false));
        self.end_of_line();
        if pipe {
            self.take_pipe(running);
        }
        self.take(running, usize::from(pipe));
        running.action.cancel = cancel;
        if cancel {
            return;
        }
        self.clear_selection();
        (self.x, self.y, self.offset) = before;
    }
}

pub(super) fn append_selection(mode: &mut Mode, running: &mut Running<'_>) {
    if let Some(text) = mode.selected() {
        running.action.copy = Some(Copied { text, prefix: None, buffer: true, clipboard: true, append: true });
    }
    mode.clear_selection();
}

pub(super) fn append_selection_and_cancel(mode: &mut Mode, running: &mut Running<'_>) {
    append_selection(mode, running);
    running.action.cancel = true;
}

pub(super) fn copy_end_of_line(mode: &mut Mode, running: &mut Running<'_>) {
    mode.take_lines(running, Extent::EndOfLine, false, false);
}

pub(super) fn copy_end_of_line_and_cancel(mode: &mut Mode, running: &mut Running<'_>) {
    mode.take_lines(running, Extent::EndOfLine, false, true);
}

pub(super) fn copy_pipe_end_of_line(mode: &mut Mode, running: &mut Running<'_>) {
    mode.take_lines(running, Extent::EndOfLine, true, false);
}

pub(super) fn copy_pipe_end_of_line_and_cancel(mode: &mut Mode, running: &mut Running<'_>) {
    mode.take_lines(running, Extent::EndOfLine, true, true);
}

pub(super) fn copy_line(mode: &mut Mode, running: &mut Running<'_>) {
    mode.take_lines(running, Extent::Line, false, false);
}

pub(super) fn copy_line_and_cancel(mode: &mut Mode, running: &mut Running<'_>) {
    mode.take_lines(running, Extent::Line, false, true);
}

pub(super) fn copy_pipe_line(mode: &mut Mode, running: &mut Running<'_>) {
    mode.take_lines(running, Extent::Line, true, false);
}

pub(super) fn copy_pipe_line_and_cancel(mode: &mut Mode, running: &mut Running<'_>) {
    mode.take_lines(running, Extent::Line, true, true);
}

pub(super) fn copy_selection_no_clear(mode: &mut Mode, running: &mut Running<'_>) {
    mode.take(running, 0);
}

pub(super) fn copy_selection(mode: &mut Mode, running: &mut Running<'_>) {
    mode.take(running, 0);
    mode.clear_selection();
}

pub(super) fn copy_selection_and_cancel(mode: &mut Mode, running: &mut Running<'_>) {
    copy_selection(mode, running);
    running.action.cancel = true;
}

pub(super) fn copy_pipe_no_clear(mode: &mut Mode, running: &mut Running<'_>) {
    mode.take_pipe(running);
    mode.take(running, 1);
}

pub(super) fn copy_pipe(mode: &mut Mode, running: &mut Running<'_>) {
    copy_pipe_no_clear(mode, running);
    mode.clear_selection();
}

pub(super) fn copy_pipe_and_cancel(mode: &mut Mode, running: &mut Running<'_>) {
    copy_pipe(mode, running);
    running.action.cancel = true;
}

pub(super) fn pipe_no_clear(mode: &mut Mode, running: &mut Running<'_>) {
    mode.take_pipe(running);
}

pub(super) fn pipe(mode: &mut Mode, running: &mut Running<'_>) {
    mode.take_pipe(running);
    mode.clear_selection();
}

pub(super) fn pipe_and_cancel(mode: &mut Mode, running: &mut Running<'_>) {
    pipe(mode, running);
    running.action.cancel = true;
}
