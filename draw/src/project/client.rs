//! What concerns the client's terminal as a whole: modes, title, cursor, and which part of a larger window it shows.

use super::Still;
use super::style::{Stage, colour};
use crate::scene::Place;
use mux::{Face, Mux, Pane, PaneId};
use term::frame::{ClientModes, CursorLook, CursorShape, Keys, Mouse};
use term::terminal::{CursorStyle, ProgressState};
use term::{Modes, Terminal};

/// The modes that options ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wanted {
    mouse: bool,
    follows: bool,
    focus: bool,
    keys: Keys,
}

impl Wanted {
    pub(super) fn new(stage: &Stage<'_>) -> Wanted {
        let server = &stage.mux.globals.server;
        let keys = match (server.text("extended-keys") != "off", stage.mux.identity.face) {
            (true, _) => Keys::ModifyOther(2),
            // Only keys that have no old form, such as C-=, so that all the bindings of this face can be typed.
            (false, Face::Rove) => Keys::ModifyOther(1),
            (false, Face::Tmux) => Keys::Legacy,
        };
        Wanted {
            mouse: stage.mux.session_flag(stage.session, "mouse"),
            follows: stage.mux.session_flag(stage.session, "focus-follows-mouse"),
            focus: server.flag("focus-events"),
            keys,
        }
    }
}

/// The modes of the client's terminal. With the option mouse every button event and drag is asked for, and motion too
/// where a program of the window wants it; without it what the active pane's program wants.
pub(super) fn modes(mux: &Mux, still: &Still, active: PaneId, prompt: bool) -> ClientModes {
    let of = |pane: PaneId| match mux.panes.get(&pane) {
        Some(pane) if !pane.in_mode() => *pane.terminal.modes(),
        _ => Modes::empty(),
    };
    let wanted = still.modes;
    let popup = still.over.as_ref().and_then(|over| mux.popups.get(&over.popup()?));
    let own = match (popup, prompt || still.over.is_some()) {
        (Some(popup), _) => *popup.terminal.modes(),
        (None, true) => Modes::empty(),
        (None, false) => of(active),
    };
    let all_over = still.over.as_ref().is_some_and(super::Over::wants_moves) || own.contains(Modes::MOUSE_ALL);
    let all = still.panes.iter().any(|pane| of(pane.id).contains(Modes::MOUSE_ALL));
    let mouse = if still.over.is_some() && all_over {
        Mouse::All
    } else if wanted.mouse {
        if all && still.over.is_none() || wanted.follows { Mouse::All } else { Mouse::Button }
    } else if own.contains(Modes::MOUSE_ALL) {
        Mouse::All
    } else if own.contains(Modes::MOUSE_BUTTON) {
        Mouse::Button
    } else if own.contains(Modes::MOUSE_STANDARD) {
        Mouse::Standard
    } else {
        Mouse::Off
    };
    ClientModes { mouse, focus: wanted.focus, keys: wanted.keys, ..ClientModes::default() }
}

/// The title, when the option set-titles is on.
pub(super) fn title(stage: &Stage<'_>) -> Option<String> {
    let on = stage.mux.session_flag(stage.session, "set-titles");
    on.then(|| stage.expand(&stage.text("set-titles-string"), None, &[]))
}

/// Shape and blinking of a value of the options that end in `cursor-style`.
pub(super) fn cursor_named(name: &str) -> (CursorShape, bool) {
    let shape = match name.strip_prefix("blinking-").unwrap_or(name) {
        "block" => CursorShape::Block,
        "underline" => CursorShape::Underline,
        "bar" => CursorShape::Bar,
        _ => CursorShape::Default,
    };
    (shape, name.starts_with("blinking-"))
}

/// The cursor that a pane's options ask for.
pub(super) fn option_look(mux: &Mux, pane: PaneId) -> CursorLook {
    let (shape, blink) = cursor_named(&mux.pane_text(pane, "cursor-style"));
    CursorLook { shape, blink, color: colour(&mux.pane_text(pane, "cursor-colour")) }
}

/// Where a pane's cursor is in it (`None` hides it), and how it looks.
pub(super) fn pane_cursor(pane: &Pane, option: CursorLook) -> (Option<(u16, u16)>, CursorLook) {
    if let Some(mode) = pane.modes.last() {
        return (super::page::cursor(mode), option);
    }
    terminal_cursor(&pane.terminal, option)
}

/// The same for a terminal that is no pane's.
pub(super) fn terminal_cursor(terminal: &Terminal, option: CursorLook) -> (Option<(u16, u16)>, CursorLook) {
    let modes = *terminal.modes();
    let shape = match terminal.cursor_style() {
        CursorStyle::Default => option.shape,
        CursorStyle::Block => CursorShape::Block,
        CursorStyle::Underline => CursorShape::Underline,
        CursorStyle::Bar => CursorShape::Bar,
    };
    let own = terminal.cursor_style() != CursorStyle::Default || modes.contains(Modes::CURSOR_BLINKING_SET);
    let blink = if own { modes.contains(Modes::CURSOR_BLINKING) } else { option.blink };
    let look = CursorLook { shape, blink, color: terminal.cursor_colour().unwrap_or(option.color) };
    let cursor = terminal.cursor();
    (modes.contains(Modes::CURSOR).then_some((cursor.col, cursor.row)), look)
}

/// State and percentage of a program's progress bar.
pub(super) fn progress(terminal: &Terminal) -> (u8, u8) {
    let progress = terminal.progress();
    let state = match progress.state {
        ProgressState::Hidden => 0,
        ProgressState::Normal => 1,
        ProgressState::Error => 2,
        ProgressState::Indeterminate => 3,
        ProgressState::Paused => 4,
    };
    (state, progress.percent)
}

/// Column and row of the window at the client's top left, when it is larger than the client: where it was panned to,
/// or so that the cursor is seen.
pub(super) fn offset(still: &Still, place: Option<Place>, cursor: Option<(u16, u16)>) -> (u16, u16) {
    let view = (still.size.cols, still.size.rows.saturating_sub(still.lines));
    let window = (still.window.cols, still.window.rows);
    if view.0 >= window.0 && view.1 >= window.1 {
        return (0, 0);
    }
    if let Some((x, y)) = still.pan {
        let kept = |pan: u32, view: u16, window: u16| {
            let most = window.saturating_sub(view);
            u16::try_from(pan).unwrap_or(u16::MAX).min(most)
        };
        return (kept(x, view.0, window.0), kept(y, view.1, window.1));
    }
    let (Some(place), Some((x, y))) = (place, cursor) else { return (0, 0) };
    let at = |start: i32, cursor: u16| i64::from(start) + i64::from(cursor);
    let follow = |at: i64, view: u16, window: u16, back: i64| {
        let (view, window) = (i64::from(view), i64::from(window));
        let offset = match at {
            at if at < view => 0,
            at if at > window - view => window - view,
            at => at - back,
        };
        u16::try_from(offset).unwrap_or(0)
    };
    (
        follow(at(place.x, x), view.0, window.0, i64::from(view.0 / 2)),
        follow(at(place.y, y), view.1, window.1, i64::from(view.1) - 1),
    )
}
