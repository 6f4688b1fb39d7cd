//! Variables that tmux has after 3.7: they expand, and no list has them. And those that only a list of buffers has.

use super::{At, Variable, flag, number};
use crate::Pane;
use crate::pane::Shell;
use term::caps::Colors;
use term::modes::Modes;

fn pane<'a>(at: &At<'a>) -> Option<&'a Pane> {
    at.pane()
}

/// What the marks of its shell (OSC 133) told.
fn shell<'a>(at: &At<'a>) -> Option<&'a Shell> {
    pane(at).map(|pane| &pane.shell_marks)
}

/// The private modes of a terminal by their numbers.
const PRIVATE_MODES: &[(Modes, u32)] = &[
    (Modes::APPLICATION_CURSOR, 1),
    (Modes::ORIGIN, 6),
    (Modes::WRAP, 7),
    (Modes::CURSOR_BLINKING, 12),
    (Modes::CURSOR, 25),
    (Modes::MOUSE_STANDARD, 1000),
    (Modes::MOUSE_BUTTON, 1002),
    (Modes::MOUSE_ALL, 1003),
    (Modes::FOCUS, 1004),
    (Modes::MOUSE_UTF8, 1005),
    (Modes::MOUSE_SGR, 1006),
    (Modes::BRACKETED_PASTE, 2004),
    (Modes::SYNC, 2026),
    (Modes::THEME_UPDATES, 2031),
];

fn private_modes(modes: &Modes) -> String {
    let asked = |mode: Modes| mode != Modes::CURSOR_BLINKING || modes.contains(Modes::CURSOR_BLINKING_SET);
    let on = PRIVATE_MODES.iter().filter(|(mode, _)| modes.contains(*mode) && asked(*mode));
    on.map(|(_, number)| number.to_string()).collect::<Vec<_>>().join(",")
}

/// The size that a window has by `resize-window`; nothing while other things decide.
fn manual<'a>(at: &At<'a>, side: fn(crate::layout::Extent) -> u32) -> Option<std::borrow::Cow<'a, str>> {
    let window = at.window()?;
    if at.mux.window_text(window.id, "window-size") != "manual" {
        return Some("".into());
    }
    number(side(window.manual_size.unwrap_or_else(|| window.size())))
}

fn unzoomed<'a>(at: &At<'a>, side: fn(crate::layout::Rect) -> u32) -> Option<std::borrow::Cow<'a, str>> {
    let layout = &at.window()?.layout;
    let rect = layout.rect(at.found.pane?)?;
    number(side(layout.settings.scrollbar.map_or(rect, |bar| rect.beside(bar))))
}

pub(super) const VARIABLES: &[Variable] = &[
    Variable {
        name: "client_colours",
        about: "How many colours its terminal has",
        get: |at| {
            let client = at.client().filter(|client| client.is_drawn())?;
            number(match at.mux.caps_of(client).colors {
                Colors::None => 2,
                Colors::Eight => 8,
                Colors::Sixteen => 16,
                Colors::Indexed => 256,
                Colors::Rgb => 16_777_216,
            })
        },
    },
    Variable {
        name: "pane_command_duration",
        about: "Seconds the shell's command has run",
        get: |at| {
            let shell = shell(at)?;
            let end = if shell.running { at.now.seconds() } else { shell.ended.unwrap_or(0) };
            number((end - shell.started?).max(0))
        },
    },
    Variable {
        name: "pane_command_end_time",
        about: "When the shell's last command ended",
        get: |at| number(shell(at)?.ended?),
    },
    Variable {
        name: "pane_command_running",
        about: "Whether the shell runs a command",
        get: |at| flag(shell(at)?.running),
    },
    Variable {
        name: "pane_command_start_time",
        about: "When the shell's command began",
        get: |at| number(shell(at)?.started?),
    },
    Variable {
        name: "pane_command_status",
        about: "Exit status of the shell's last command",
        get: |at| number(shell(at)?.status?),
    },
    Variable {
        name: "pane_last_output_time",
        about: "When its program last wrote",
        get: |at| number(pane(at)?.last_output?),
    },
    Variable {
        name: "pane_last_prompt_time",
        about: "When its shell last showed a prompt",
        get: |at| number(shell(at)?.prompted?),
    },
    Variable {
        name: "pane_private_modes",
        about: "Private modes of its terminal that are on",
        get: |at| pane(at).map(|pane| private_modes(pane.terminal.modes()).into()),
    },
    Variable {
        name: "pane_start_command_list",
        about: "Words it was started with, quoted for a shell",
        get: |at| {
            let words = pane(at)?.argv.iter().map(|word| crate::format::single_quoted(word));
            Some(words.collect::<Vec<_>>().join(" ").into())
        },
    },
    Variable {
        name: "pane_unzoomed_height",
        about: "Its height, not looking at a zoom",
        get: |at| unzoomed(at, |rect| rect.height),
    },
    Variable {
        name: "pane_unzoomed_width",
        about: "Its width, not looking at a zoom",
        get: |at| unzoomed(at, |rect| rect.width),
    },
    Variable {
        name: "window_manual_height",
        about: "Height that resize-window gave it",
        get: |at| manual(at, |size| size.height),
    },
    Variable {
        name: "window_manual_width",
        about: "Width that resize-window gave it",
        get: |at| manual(at, |size| size.width),
    },
];

/// Who lists buffers gives each its values; elsewhere there are none.
pub(super) const BUFFER: &[Variable] = &[
    Variable { name: "buffer_created", about: "When the buffer was set", get: |_| None },
    Variable { name: "buffer_full", about: "The whole text of the buffer", get: |_| None },
    Variable { name: "buffer_name", about: "Name of the buffer", get: |_| None },
    Variable { name: "buffer_sample", about: "Beginning of the buffer", get: |_| None },
    Variable { name: "buffer_size", about: "Bytes in the buffer", get: |_| None },
];
