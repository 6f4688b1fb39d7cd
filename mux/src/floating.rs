//! Panes that float: how they come, what is modal, and how the mouse moves them.

use crate::Mux;
use crate::client::ClientFlags;
use crate::effect::Effect;
use crate::id::{ClientId, PaneId, SessionId, WindowId};
use crate::layout::{Extent, Layout, Rect};
use crate::spawn::Wanted;
use crate::window::Window;
use crate::world::World;

impl Mux {
    /// Whether a pane stays in sight over a zoomed one.
    pub(crate) fn stays_over_zoom(&self, pane: PaneId) -> bool {
        self.panes.get(&pane).is_some_and(|pane| pane.over_zoom)
    }

    /// Whether a floating pane has a border, a cell wide.
    pub(crate) fn has_border(&self, pane: PaneId) -> bool {
        self.pane_text(pane, "pane-border-lines") != "none"
    }

    /// A pane is modal from now on, and the active one.
    pub(crate) fn make_modal(&mut self, window: WindowId, pane: PaneId) {
        let Some(entry) = self.windows.get_mut(&window) else { return };
        let before = entry.active;
        entry.modal_before = Some(before);
        self.activate_pane(window, pane);
        if let Some(entry) = self.windows.get_mut(&window) {
            entry.modal = Some(pane);
        }
        self.changed();
    }

    /// Start a program in a modal pane, which stays in sight over a zoomed one.
    ///
    /// # Errors
    /// The system's words.
    pub(crate) fn open_modal(
        &mut self,
        world: &mut dyn World,
        session: SessionId,
        window: WindowId,
        rect: Rect,
        wanted: &Wanted,
    ) -> Result<PaneId, String> {
        let size = crate::spawn::extent_size(Extent { width: rect.width, height: rect.height });
        let pane = self.start_pane(world, session, window, size, wanted)?;
        if let Some(entry) = self.windows.get_mut(&window) {
            entry.change_layouts(|layout| layout.add_floating(pane, rect, None));
        }
        if let Some(entry) = self.panes.get_mut(&pane) {
            entry.over_zoom = true;
        }
        self.make_modal(window, pane);
        self.fire_created(pane, false, false);
        self.layout_changed(window);
        Ok(pane)
    }

    /// Zoom a window again after something was done to it.
    pub(crate) fn return_to_zoom(&mut self, window: WindowId, zoomed: Option<PaneId>) {
        let Some(pane) = zoomed else { return };
        let Some(entry) = self.windows.get(&window) else { return };
        let active = entry.active;
        let over = entry.layout.is_floating(active) && self.stays_over_zoom(active);
        self.zoom(window, Some(if over { pane } else { active }));
    }

    /// Cut what is below the cursor off a pane's screen; what was above it comes down from its history.
    pub(crate) fn trim_history(&mut self, pane: PaneId) {
        let Some(entry) = self.panes.get_mut(&pane).filter(|pane| !pane.in_mode()) else { return };
        let size = entry.terminal.size();
        let below = usize::from(size.rows.saturating_sub(1).saturating_sub(entry.terminal.cursor().row));
        let rows = size.rows - below.min(entry.terminal.history_len()) as u16;
        if rows == size.rows {
            return;
        }
        entry.terminal.resize(term::Size { rows, ..size });
        entry.terminal.resize(size);
        self.effect(Effect::MarkPane(pane, crate::Mark::Replaced));
        self.redraw();
    }

    /// Show bytes in a pane that has no program, as if one had written them.
    pub(crate) fn show_bytes(&mut self, pane: PaneId, bytes: &[u8]) {
        let Some(entry) = self.panes.get_mut(&pane).filter(|pane| !pane.running()) else { return };
        let mut text = Vec::with_capacity(bytes.len());
        for byte in bytes {
            if *byte == b'\n' {
                text.push(b'\r');
            }
            text.push(*byte);
        }
        entry.terminal.feed(&text);
        entry.terminal.take_events();
        // No program wrote that, so only the screen itself can tell another server.
        self.effect(Effect::MarkPane(pane, crate::Mark::Replaced));
        self.redraw();
    }

    /// The modal pane of a client's window, when it wants all keys and may have those of the client.
    pub(crate) fn takes_all_keys(&self, client: ClientId) -> Option<PaneId> {
        let client = self.clients.get(&client).filter(|client| !client.flags.contains(ClientFlags::READ_ONLY))?;
        let session = self.sessions.get(&client.session?)?;
        let modal = self.windows.get(&session.current_window()?)?.modal?;
        Some(modal).filter(|modal| self.panes.get(modal).is_some_and(|pane| pane.takes_all_keys && !pane.in_mode()))
    }

    /// Change where a floating pane is.
    pub(crate) fn place_floating(&mut self, window: WindowId, pane: PaneId, rect: Rect) {
        let Some(entry) = self.windows.get_mut(&window).filter(|entry| entry.rect(pane) != Some(rect)) else { return };
        entry.change_layouts(|layout| _ = layout.place_floating(pane, rect));
        self.layout_changed(window);
    }

    /// The pane at a place of a window: the frontmost that floats there, with its border, else a tiled one. With a modal
    /// pane that one or none.
    pub(crate) fn pane_at(&self, window: &Window, x: u32, y: u32) -> Option<PaneId> {
        let (column, row) = (i64::from(x), i64::from(y));
        let over = |pane: &PaneId| {
            let border = i64::from(self.has_border(*pane));
            window.shown().rect(*pane).is_some_and(|rect| {
                (i64::from(rect.x) - border..i64::from(rect.right()) + border).contains(&column)
                    && (i64::from(rect.y) - border..i64::from(rect.bottom()) + border).contains(&row)
            })
        };
        if let Some(modal) = window.modal {
            return Some(modal).filter(over);
        }
        let floating = window.shown().floating().find(over);
        floating.or_else(|| status_above(window, x, y)).or_else(|| window.pane_at(x, y))
    }
}

/// A layout with a new floating pane in it, below a modal one.
pub(crate) fn with_floating(layout: &Layout, pane: PaneId, rect: Rect, modal: Option<PaneId>) -> Layout {
    let mut layout = layout.clone();
    layout.add_floating(pane, rect, modal);
    layout
}

/// The tiled pane whose text stands in this row of the border above it; that border is not the pane's above.
fn status_above(window: &Window, x: u32, y: u32) -> Option<PaneId> {
    let layout = window.shown();
    let with_text = |rect: &Rect| {
        i64::from(rect.y) == i64::from(y) + 1 && (i64::from(rect.x)..=i64::from(rect.right())).contains(&i64::from(x))
    };
    let on_top = layout.settings.border_status == crate::layout::BorderStatus::Top;
    let tiled = layout.tiled_panes().into_iter().filter(|_| on_top);
    tiled.into_iter().find(|pane| layout.rect(*pane).as_ref().is_some_and(with_text))
}
