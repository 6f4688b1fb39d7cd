//! Variables of a pane and of its screen.

use super::{At, Variable, colour, flag, number, text};
use crate::input::Exit;
use crate::layout::{Edges, Rect};
use crate::{Pane, Program, Window};
use std::borrow::Cow;
use term::{Modes, Terminal};

/// Bytes that tmux counts for a line without cells; scripts compare sizes, not meanings.
const LINE_BYTES: usize = 40;

fn pane<'a>(at: &At<'a>) -> Option<&'a Pane> {
    at.pane()
}

fn screen<'a>(at: &At<'a>) -> Option<&'a Terminal> {
    at.pane().map(|pane| &*pane.terminal)
}

fn mode<'a>(at: &At<'_>, mode: Modes) -> Option<Cow<'a, str>> {
    screen(at).and_then(|screen| flag(screen.modes().intersects(mode)))
}

fn place<'a>(at: &At<'a>) -> Option<(&'a Window, &'a Pane)> {
    let pane = pane(at)?;
    at.mux.windows.get(&pane.window).map(|window| (window, pane))
}

/// Where it lies; of a pane hidden by a zoom where it would lie.
fn rect(at: &At<'_>) -> Option<Rect> {
    let (window, pane) = place(at)?;
    window.rect(pane.id).or_else(|| window.layout.rect(pane.id))
}

fn edges(at: &At<'_>) -> Option<Edges> {
    let (window, pane) = place(at)?;
    window.shown().edges(pane.id).or_else(|| window.layout.edges(pane.id))
}

fn active(at: &At<'_>) -> Option<bool> {
    place(at).map(|(window, pane)| window.active == pane.id)
}

fn history_bytes(screen: &Terminal) -> usize {
    LINE_BYTES * (usize::from(screen.size().rows) + screen.history_len()) + screen.history_bytes()
}

/// The command a pane was started with, as a shell reads it.
pub(crate) fn start_command(pane: &Pane) -> String {
    match pane.argv.as_slice() {
        [] => String::new(),
        [line] => crate::command::escape(line),
        words => words.iter().map(|word| crate::command::escape(word)).collect::<Vec<_>>().join(" "),
    }
}

fn current_command(at: &At<'_>) -> Option<String> {
    let pane = pane(at)?;
    let running = at.world.foreground_command(pane.id).filter(|name| !name.is_empty());
    Some(running.unwrap_or_else(|| {
        let command = if pane.argv.is_empty() { pane.shell.clone() } else { pane.argv.join(" ") };
        crate::alert::default_name(&command)
    }))
}

fn death(at: &At<'_>) -> Option<(Exit, std::time::Duration)> {
    match pane(at)?.program {
        Program::Dead(exit, when) => Some((exit, when)),
        _ => None,
    }
}

fn coordinate<'a>(value: Option<u16>) -> Option<Cow<'a, str>> {
    number(value.map_or(u32::MAX, u32::from))
}

/// The character under the cursor.
fn under_cursor(screen: &Terminal) -> String {
    let cursor = screen.cursor();
    let row = screen.row(cursor.row.min(screen.size().rows.saturating_sub(1)));
    match row.cells.get(usize::from(cursor.col)).map(|cell| cell.glyph) {
        None => " ".to_owned(),
        Some(glyph) => match (glyph.as_char(), glyph.grapheme_index()) {
            (Some(c), _) => c.to_string(),
            (None, Some(index)) => screen.graphemes().text(index).to_owned(),
            (None, None) => " ".to_owned(),
        },
    }
}

fn shape_name(style: term::terminal::CursorStyle) -> &'static str {
    use term::terminal::CursorStyle;
    match style {
        CursorStyle::Default => "default",
        CursorStyle::Block => "block",
        CursorStyle::Underline => "underline",
        CursorStyle::Bar => "bar",
    }
}

fn progress_name(state: term::terminal::ProgressState) -> &'static str {
    use term::terminal::ProgressState;
    match state {
        ProgressState::Hidden => "hidden",
        ProgressState::Normal => "normal",
        ProgressState::Error => "error",
        ProgressState::Indeterminate => "indeterminate",
        ProgressState::Paused => "paused",
    }
}

fn copying(at: &At<'_>, name: &str) -> Option<Cow<'static, str>> {
    let pane = pane(at)?;
    pane.modes.last().and_then(|mode| mode.text()?.variable(name)).map(Cow::Owned)
}

macro_rules! of_mode {
    ($($name:literal $about:literal)*) => {
        &[$(Variable { name: $name, about: $about, get: |at| copying(at, $name) }),*]
    };
}

/// Variables that a mode gives while the pane is in it.
const OF_MODE: &[Variable] = of_mode! {
    "copy_cursor_hyperlink" "Link under the copy cursor"
    "copy_cursor_line" "Line of the copy cursor"
    "copy_cursor_word" "Word under the copy cursor"
    "copy_cursor_x" "Column of the copy cursor"
    "copy_cursor_y" "Row of the copy cursor"
    "copy_position" "Position that is shown in copy mode"
    "copy_position_limit" "Highest position that is shown"
    "rectangle_toggle" "Whether a rectangle is selected"
    "scroll_position" "Lines scrolled back"
    "search_count" "Number of matches"
    "search_count_partial" "Whether there are more matches"
    "search_match" "What was searched for"
    "search_present" "Whether something was searched for"
    "search_timed_out" "Whether a search took too long"
    "selection_active" "Whether the selection follows the cursor"
    "selection_end_x" "Column of the selection's end"
    "selection_end_y" "Row of the selection's end"
    "selection_mode" "What is selected at a time"
    "selection_present" "Whether something is selected"
    "selection_start_x" "Column of the selection's start"
    "selection_start_y" "Row of the selection's start"
    "top_line_time" "When the top line was written"
};

pub(super) const VARIABLES: &[Variable] = &[
    Variable {
        name: "alternate_on",
        about: "Whether the alternate screen is shown",
        get: |at| screen(at).and_then(|screen| flag(screen.alternate_on())),
    },
    Variable {
        name: "alternate_saved_x",
        about: "Column saved by the alternate screen",
        get: |at| coordinate(screen(at)?.alternate_saved().map(|cursor| cursor.col)),
    },
    Variable {
        name: "alternate_saved_y",
        about: "Row saved by the alternate screen",
        get: |at| coordinate(screen(at)?.alternate_saved().map(|cursor| cursor.row)),
    },
    Variable {
        name: "bracket_paste_flag",
        about: "Whether pastes are bracketed",
        get: |at| mode(at, Modes::BRACKETED_PASTE),
    },
    Variable {
        name: "cursor_blinking",
        about: "Whether the cursor blinks",
        get: |at| mode(at, Modes::CURSOR_BLINKING),
    },
    Variable {
        name: "cursor_character",
        about: "Character under the cursor",
        get: |at| screen(at).map(|screen| under_cursor(screen).into()),
    },
    Variable {
        name: "cursor_colour",
        about: "Colour of the cursor",
        get: |at| match screen(at)?.cursor_colour() {
            None => text("none"),
            some => colour(some),
        },
    },
    Variable { name: "cursor_flag", about: "Whether the cursor is shown", get: |at| mode(at, Modes::CURSOR) },
    Variable {
        name: "cursor_shape",
        about: "Shape of the cursor",
        get: |at| screen(at).map(|screen| shape_name(screen.cursor_style()).into()),
    },
    Variable {
        name: "cursor_very_visible",
        about: "Whether the cursor is very visible",
        get: |at| mode(at, Modes::CURSOR_VERY_VISIBLE),
    },
    Variable {
        name: "cursor_x",
        about: "Column of the cursor",
        get: |at| screen(at).and_then(|screen| number(screen.cursor().col)),
    },
    Variable {
        name: "cursor_y",
        about: "Row of the cursor",
        get: |at| screen(at).and_then(|screen| number(screen.cursor().row)),
    },
    Variable {
        name: "history_all_bytes",
        about: "Lines and bytes of the history, in detail",
        get: |at| {
            let screen = screen(at)?;
            let lines = usize::from(screen.size().rows) + screen.history_len();
            Some(format!("{lines},{},0,{},0,0", LINE_BYTES * lines, screen.history_bytes()).into())
        },
    },
    Variable {
        name: "history_bytes",
        about: "Bytes of the history",
        get: |at| screen(at).and_then(|screen| number(history_bytes(screen))),
    },
    Variable {
        name: "history_limit",
        about: "Most lines of the history",
        get: |at| screen(at).and_then(|screen| number(screen.history_limit())),
    },
    Variable {
        name: "history_size",
        about: "Lines of the history",
        get: |at| screen(at).and_then(|screen| number(screen.history_len())),
    },
    Variable { name: "insert_flag", about: "Whether characters are inserted", get: |at| mode(at, Modes::INSERT) },
    Variable {
        name: "keypad_cursor_flag",
        about: "Whether cursor keys are application keys",
        get: |at| mode(at, Modes::APPLICATION_CURSOR),
    },
    Variable {
        name: "keypad_flag",
        about: "Whether the keypad sends application keys",
        get: |at| mode(at, Modes::APPLICATION_KEYPAD),
    },
    Variable {
        name: "mouse_all_flag",
        about: "Whether all mouse movement is reported",
        get: |at| mode(at, Modes::MOUSE_ALL),
    },
    Variable {
        name: "mouse_any_flag",
        about: "Whether the mouse is reported at all",
        get: |at| mode(at, Modes::ALL_MOUSE),
    },
    Variable {
        name: "mouse_button_flag",
        about: "Whether mouse drags are reported",
        get: |at| mode(at, Modes::MOUSE_BUTTON),
    },
    Variable {
        name: "mouse_sgr_flag",
        about: "Whether the mouse is reported in SGR form",
        get: |at| mode(at, Modes::MOUSE_SGR),
    },
    Variable {
        name: "mouse_standard_flag",
        about: "Whether mouse presses are reported",
        get: |at| mode(at, Modes::MOUSE_STANDARD),
    },
    Variable {
        name: "mouse_utf8_flag",
        about: "Whether the mouse is reported as UTF-8",
        get: |at| mode(at, Modes::MOUSE_UTF8),
    },
    Variable {
        name: "origin_flag",
        about: "Whether the cursor is relative to the region",
        get: |at| mode(at, Modes::ORIGIN),
    },
    Variable { name: "pane_active", about: "Whether it is the active pane", get: |at| active(at).and_then(flag) },
    Variable {
        name: "pane_agent",
        about: "The agent launched in it",
        get: |at| text(&pane(at)?.agent.as_ref()?.engine),
    },
    Variable {
        name: "pane_conversation",
        about: "The conversation of the agent launched in it",
        get: |at| text(pane(at)?.agent.as_ref()?.id.as_deref()?),
    },
    Variable {
        name: "pane_uuid",
        about: "Its lasting id",
        get: |at| pane(at).map(|pane| crate::agent::uuid_text(pane.uuid).into()),
    },
    Variable {
        name: "pane_at_bottom",
        about: "Whether it is at the bottom",
        get: |at| edges(at).and_then(|edges| flag(edges.bottom)),
    },
    Variable {
        name: "pane_at_left",
        about: "Whether it is at the left",
        get: |at| edges(at).and_then(|edges| flag(edges.left)),
    },
    Variable {
        name: "pane_at_right",
        about: "Whether it is at the right",
        get: |at| edges(at).and_then(|edges| flag(edges.right)),
    },
    Variable {
        name: "pane_at_top",
        about: "Whether it is at the top",
        get: |at| edges(at).and_then(|edges| flag(edges.top)),
    },
    Variable {
        name: "pane_bg",
        about: "Its background",
        get: |at| {
            let pane = pane(at)?;
            colour(at.mux.colours_over(at.now, at.world, pane)[1].or(pane.terminal.default_bg()))
        },
    },
    Variable { name: "pane_bottom", about: "Its last row in the window", get: |at| number(rect(at)?.bottom() - 1) },
    Variable {
        name: "pane_current_command",
        about: "Program in its foreground",
        get: |at| current_command(at).map(Cow::Owned),
    },
    Variable {
        name: "pane_current_path",
        about: "Directory of that program",
        get: |at| {
            let pane = pane(at)?;
            Some(at.world.foreground_path(pane.id).unwrap_or_default().into())
        },
    },
    Variable {
        name: "pane_dead",
        about: "Whether its program ended",
        get: |at| pane(at).and_then(|pane| flag(pane.dead())),
    },
    Variable {
        name: "pane_dead_signal",
        about: "Signal that ended its program",
        get: |at| match death(at)?.0 {
            Exit::Signal(signal) => number(signal),
            Exit::Status(_) => None,
        },
    },
    Variable {
        name: "pane_dead_status",
        about: "Status of its program's end",
        get: |at| match death(at)?.0 {
            Exit::Status(status) => number(status),
            Exit::Signal(_) => None,
        },
    },
    Variable { name: "pane_dead_time", about: "When its program ended", get: |at| number(death(at)?.1.as_secs()) },
    Variable {
        name: "pane_fg",
        about: "Its foreground",
        get: |at| {
            let pane = pane(at)?;
            colour(at.mux.colours_over(at.now, at.world, pane)[0].or(pane.terminal.default_fg()))
        },
    },
    Variable {
        name: "pane_flags",
        about: "Its flags",
        get: |at| {
            let (window, pane) = place(at)?;
            let mut flags = String::new();
            if window.active == pane.id {
                flags.push('*');
            } else if window.last_panes.last() == Some(&pane.id) {
                flags.push('-');
            }
            if window.zoomed_pane() == Some(pane.id) {
                flags.push('Z');
            }
            if window.is_floating(pane.id) {
                flags.push('F');
            }
            if pane.over_zoom {
                flags.push('A');
            }
            if window.modal == Some(pane.id) {
                flags.push('O');
            }
            Some(flags.into())
        },
    },
    Variable {
        name: "pane_floating_flag",
        about: "Whether it floats",
        get: |at| place(at).and_then(|(window, pane)| flag(window.is_floating(pane.id))),
    },
    Variable { name: "pane_format", about: "Whether the format is for a pane", get: |_| flag(true) },
    Variable {
        name: "pane_height",
        about: "Its height",
        get: |at| screen(at).and_then(|screen| number(screen.size().rows)),
    },
    Variable { name: "pane_id", about: "Its id", get: |at| pane(at).and_then(|pane| number(pane.id)) },
    Variable {
        name: "pane_in_mode",
        about: "Number of modes it is in",
        get: |at| pane(at).and_then(|pane| number(pane.modes.len())),
    },
    Variable {
        name: "pane_index",
        about: "Its index",
        get: |at| {
            let (window, pane) = place(at)?;
            let index = window.panes().iter().position(|other| *other == pane.id)? as i64;
            number(index + at.mux.window_number(window, "pane-base-index"))
        },
    },
    Variable {
        name: "pane_input_off",
        about: "Whether it takes no keys",
        get: |at| pane(at).and_then(|pane| flag(pane.input_off)),
    },
    Variable {
        name: "pane_key_mode",
        about: "How it is sent extended keys",
        get: |at| {
            let modes = screen(at)?.modes();
            text(if modes.contains(Modes::KEYS_EXTENDED_2) {
                "Ext 2"
            } else if modes.contains(Modes::KEYS_EXTENDED) {
                "Ext 1"
            } else {
                "VT10x"
            })
        },
    },
    Variable {
        name: "pane_last",
        about: "Whether it was active before",
        get: |at| place(at).and_then(|(window, pane)| flag(window.last_panes.last() == Some(&pane.id))),
    },
    Variable { name: "pane_left", about: "Its first column in the window", get: |at| number(rect(at)?.x) },
    Variable {
        name: "pane_marked",
        about: "Whether it is marked",
        get: |at| pane(at).and_then(|pane| flag(at.mux.marked == Some(pane.id))),
    },
    Variable { name: "pane_marked_set", about: "Whether a pane is marked", get: |at| flag(at.mux.marked.is_some()) },
    Variable {
        name: "pane_mode",
        about: "Its mode",
        get: |at| pane(at)?.modes.last().and_then(|mode| text(mode.name())),
    },
    Variable {
        name: "pane_modal_flag",
        about: "Whether it has all keys and clicks",
        get: |at| place(at).and_then(|(window, pane)| flag(window.modal == Some(pane.id))),
    },
    Variable {
        name: "pane_path",
        about: "Directory that its program told",
        get: |at| screen(at).map(|screen| screen.path().to_owned().into()),
    },
    Variable {
        name: "pane_pb_progress",
        about: "Its progress in percent",
        get: |at| screen(at).and_then(|screen| number(screen.progress().percent)),
    },
    Variable {
        name: "pane_pb_state",
        about: "State of its progress",
        get: |at| screen(at).map(|screen| progress_name(screen.progress().state).into()),
    },
    Variable {
        name: "pane_pipe_pid",
        about: "Process its output is piped to",
        get: |at| at.mux.jobs.get(&pane(at)?.pipe?).and_then(|job| number(job.pid?)),
    },
    Variable {
        name: "pane_pid",
        about: "Process of its program",
        // A pane that never had a program has none; one that sleeps has 0 until it is woken.
        get: |at| {
            pane(at).filter(|pane| pane.pid != 0 || pane.program == Program::Frozen).and_then(|pane| number(pane.pid))
        },
    },
    Variable {
        name: "pane_pipe",
        about: "Whether its output is piped",
        get: |at| pane(at).and_then(|pane| flag(pane.pipe.is_some())),
    },
    Variable { name: "pane_right", about: "Its last column in the window", get: |at| number(rect(at)?.right() - 1) },
    Variable {
        name: "pane_search_string",
        about: "What was last searched for in it",
        get: |at| pane(at).and_then(|pane| text(pane.searched.as_ref().map_or("", |searched| &searched.text))),
    },
    Variable {
        name: "pane_start_command",
        about: "Command it was started with",
        get: |at| pane(at).map(|pane| start_command(pane).into()),
    },
    Variable {
        name: "pane_start_path",
        about: "Directory it was started in",
        get: |at| pane(at).and_then(|pane| text(&pane.cwd)),
    },
    Variable {
        name: "pane_synchronized",
        about: "Whether its keys go to others too",
        get: |at| pane(at).and_then(|pane| flag(at.mux.pane_flag(pane.id, "synchronize-panes"))),
    },
    Variable {
        name: "pane_tabs",
        about: "Its tab stops",
        get: |at| Some(screen(at)?.tabs().iter().map(u16::to_string).collect::<Vec<_>>().join(",").into()),
    },
    Variable { name: "pane_title", about: "Its title", get: |at| pane(at).and_then(|pane| text(&pane.title)) },
    Variable { name: "pane_top", about: "Its first row in the window", get: |at| number(rect(at)?.y) },
    Variable { name: "pane_tty", about: "Path of its terminal", get: |at| pane(at).and_then(|pane| text(&pane.tty)) },
    Variable {
        name: "pane_unseen_changes",
        about: "Whether it wrote while in a mode",
        get: |at| pane(at).and_then(|pane| flag(pane.unseen_changes)),
    },
    Variable {
        name: "pane_width",
        about: "Its width",
        get: |at| screen(at).and_then(|screen| number(screen.size().cols)),
    },
    Variable {
        name: "pane_unzoomed_height",
        about: "Its height, not looking at a zoom",
        get: |at| place(at).and_then(|(window, pane)| number(window.layout.rect(pane.id)?.height)),
    },
    Variable {
        name: "pane_unzoomed_width",
        about: "Its width, not looking at a zoom",
        get: |at| place(at).and_then(|(window, pane)| number(window.layout.rect(pane.id)?.width)),
    },
    Variable { name: "pane_x", about: "Its first column", get: |at| number(rect(at)?.x) },
    Variable { name: "pane_y", about: "Its first row", get: |at| number(rect(at)?.y) },
    Variable {
        name: "pane_z",
        about: "Its place in depth",
        get: |at| {
            let (window, pane) = place(at)?;
            let shown = window.shows(pane.id).then(|| window.shown());
            number(shown.unwrap_or(&window.layout).depth(pane.id))
        },
    },
    Variable {
        name: "pane_zoomed_flag",
        about: "Whether it is zoomed",
        get: |at| place(at).and_then(|(window, pane)| flag(window.zoomed_pane() == Some(pane.id))),
    },
    Variable {
        name: "scroll_region_lower",
        about: "Last row of the scroll region",
        get: |at| screen(at).and_then(|screen| number(screen.scroll_region().1)),
    },
    Variable {
        name: "scroll_region_upper",
        about: "First row of the scroll region",
        get: |at| screen(at).and_then(|screen| number(screen.scroll_region().0)),
    },
    Variable {
        name: "synchronized_output_flag",
        about: "Whether an update is being written",
        get: |at| screen(at).and_then(|screen| flag(screen.synchronised())),
    },
    Variable { name: "wrap_flag", about: "Whether lines wrap", get: |at| mode(at, Modes::WRAP) },
];

pub(super) const MODE_VARIABLES: &[Variable] = OF_MODE;
