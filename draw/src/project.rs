//! From the model to a scene: what one client shall see now, with options looked up and formats expanded.
//!
//! Reads [`Mux`], changes nothing in it. What costs (styles, formats) is worked out again only when [`Mux::visible`],
//! the client's session or its size has changed; what programs write reaches the scene without it.

mod client;
mod clock;
mod list;
mod message;
mod over;
mod page;
mod panes;
mod previews;
mod style;
#[cfg(test)]
mod tests;

use crate::scene::{Borders, Message, PanePrompt, RowView, Rows, Scene, StatusLine};
use mux::{ClientId, Mux, Now, PaneId, SessionId, Window, WindowId, World};
use over::Over;
use page::Pages;
use panes::StillPane;
use style::Stage;
use term::Terminal;
use term::cell::{Extras, Graphemes};
use term::frame::CursorLook;
use term::size::Size;

impl Rows for Terminal {
    fn row(&self, y: u16) -> RowView<'_> {
        let row = Terminal::row(self, y);
        RowView { cells: row.cells, fill: row.fill, wraps: row.wrapped, change: row.change }
    }

    fn graphemes(&self) -> &Graphemes {
        Terminal::graphemes(self)
    }

    fn extras(&self) -> &Extras {
        Terminal::extras(self)
    }
}

/// What a [`Still`] was made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Made {
    client: ClientId,
    session: SessionId,
    window: WindowId,
    active: PaneId,
    size: (u16, u16),
    visible: u64,
}

/// What of a scene stays while programs only write.
#[derive(Debug)]
struct Still {
    size: Size,
    window: Size,
    /// Where the view was panned to; `None` follows the cursor.
    pan: Option<(u32, u32)>,
    /// Of the client's rows those that status lines take, without a message where there are none.
    lines: u16,
    panes: Vec<StillPane>,
    borders: Borders,
    status: Vec<StatusLine>,
    status_top: bool,
    prompts: Vec<PanePrompt>,
    message: Option<Message>,
    prompt_look: Option<CursorLook>,
    over: Option<Over>,
    title: Option<String>,
    modes: client::Wanted,
    /// The cursor's look where the active pane's program asked for none.
    look: CursorLook,
}

/// One client's view of the model, from one scene to the next.
#[derive(Debug, Default)]
pub struct Projection {
    made: Option<Made>,
    still: Option<Still>,
    pages: Pages,
}

impl Projection {
    /// What a client shall see now. `None` when there is nothing to draw for it: it is gone, leaving or suspended, it
    /// speaks control mode, or it has no session or size.
    pub fn project<'a>(&'a mut self, mux: &'a Mux, client: ClientId, world: &dyn World, now: Now) -> Option<Scene<'a>> {
        let made = made(mux, client)?;
        let stage = Stage { mux, client, session: made.session, world, now };
        if self.made != Some(made) {
            self.still = Still::new(&stage, made);
            self.made = Some(made);
        }
        let still = self.still.as_ref()?;
        self.pages.refresh(&stage, still.panes.iter().map(|pane| pane.id));
        Some(self.scene(mux, still, made.active))
    }

    fn scene<'a>(&'a self, mux: &'a Mux, still: &'a Still, active: PaneId) -> Scene<'a> {
        let panes = still.panes.iter().filter_map(|pane| pane.view(mux, &self.pages)).collect();
        let place = still.panes.iter().find(|pane| pane.id == active).map(|pane| pane.place);
        // A prompt in the active pane is what is to be seen of it.
        let prompt = still.prompts.iter().find(|prompt| prompt.active).zip(place);
        let asked = prompt.and_then(|(prompt, pane)| Some((0, u16::try_from(prompt.place.y - pane.y).ok()?)));
        // A message hides the cursor.
        let quiet = still.message.as_ref().is_some_and(|message| message.input.is_none());
        let (cursor, pane_look) =
            mux.panes.get(&active).map_or((None, CursorLook::default()), |pane| client::pane_cursor(pane, still.look));
        let showing = still.message.as_ref().is_some_and(|message| message.input.is_some());
        let terminal = mux.panes.get(&active).map(|pane| &*pane.terminal);
        Scene {
            size: still.size,
            window: still.window,
            offset: client::offset(still, place, asked.or(cursor)),
            panes,
            borders: still.borders.clone(),
            status: still.status.clone(),
            status_top: still.status_top,
            prompts: still.prompts.clone(),
            message: still.message.clone(),
            overlays: still.over.iter().flat_map(|over| over.overlays(mux, still.size)).collect(),
            cursor: cursor.filter(|_| !quiet),
            look: match &still.over {
                Some(Over::Popup(popup)) => popup.cursor_look(mux),
                _ => still.prompt_look.filter(|_| showing).unwrap_or(pane_look),
            },
            title: still.title.clone(),
            path: terminal.filter(|_| still.title.is_some()).map(|terminal| terminal.path().to_owned()),
            progress: terminal.map_or((0, 0), client::progress),
            modes: client::modes(mux, still, active, showing),
        }
    }
}

fn made(mux: &Mux, client: ClientId) -> Option<Made> {
    let entry = mux.clients.get(&client).filter(|entry| entry.is_drawn() && !entry.suspended)?;
    let size = entry.size.filter(|(cols, rows)| *cols > 0 && *rows > 0)?;
    let session = entry.session?;
    let window = mux.sessions.get(&session)?.current_window()?;
    let active = mux.active_pane_of(client)?;
    Some(Made { client, session, window, active, size, visible: mux.visible })
}

impl Still {
    fn new(stage: &Stage<'_>, made: Made) -> Option<Still> {
        let mux = stage.mux;
        let window = mux.windows.get(&made.window)?;
        let client = mux.clients.get(&made.client)?;
        let size = Size { cols: made.size.0, rows: made.size.1 };
        let lines = mux.client_status_lines(client).min(u32::from(size.rows)) as u16;
        let (message, prompt_look) = message::message(stage, client, size, lines);
        Some(Still {
            size,
            window: size_of(window),
            pan: Some(client.pan).filter(|pan| *pan != (0, 0)),
            lines,
            panes: panes::still(stage, window, made.active),
            borders: panes::borders(stage, window),
            status: message::status(stage, lines),
            status_top: stage.text("status-position") == "top",
            prompts: message::over_panes(stage, window, made.active),
            message,
            prompt_look,
            over: client.overlay.as_ref().and_then(|overlay| Over::new(stage, overlay)),
            title: client::title(stage),
            modes: client::Wanted::new(stage),
            look: client::option_look(mux, made.active),
        })
    }
}

fn size_of(window: &Window) -> Size {
    let size = window.size();
    let short = |cells: u32| u16::try_from(cells).unwrap_or(u16::MAX);
    Size { cols: short(size.width), rows: short(size.height) }
}
