//! Where on a client something happened, and what stands there.

use super::{Mouse, Spot};
use crate::Mux;
use crate::client::RangeOf;
use crate::id::{ClientId, PaneId};
use crate::mode::under;
use crate::target::MousePlace;
use keymap::MouseLocation;

impl Mux {
    /// A client's cell in columns and rows of the window it shows.
    pub(crate) fn in_window(&self, id: ClientId, (x, y): (u16, u16)) -> (u32, u32) {
        let Some(client) = self.clients.get(&id) else { return (0, 0) };
        let top = self.window_top(id);
        (u32::from(x) + client.view.0, u32::from(y).saturating_sub(top) + client.view.1)
    }

    /// The client's first row that shows the window.
    pub(crate) fn window_top(&self, id: ClientId) -> u32 {
        let Some(client) = self.clients.get(&id) else { return 0 };
        let at_top = client.session.is_some_and(|id| self.session_text(id, "status-position") == "top");
        if at_top { self.client_status_lines(client) } else { 0 }
    }

    /// The status line's row that a client's row is, counted from its first.
    fn status_row(&self, id: ClientId, y: u32) -> Option<u32> {
        let client = self.clients.get(&id)?;
        let lines = self.client_status_lines(client);
        let first = if self.window_top(id) > 0 { 0 } else { u32::from(client.size?.1).saturating_sub(lines) };
        y.checked_sub(first).filter(|row| *row < lines)
    }

    /// What a client's cell is over, and the place in the window.
    pub(super) fn mouse_spot(&self, id: ClientId, at: (u16, u16)) -> Option<Spot> {
        let client = self.clients.get(&id)?;
        let session = self.sessions.get(&client.session?)?;
        let window = self.windows.get(&session.current_window()?)?;
        let (x, y) = (u32::from(at.0), u32::from(at.1));
        let mut place = MousePlace { session: Some(session.id), ..MousePlace::default() };
        if self.status_row(id, y).is_some() {
            let location = match client.status_range(x, y) {
                Some(RangeOf::Left) => MouseLocation::StatusLeft,
                Some(RangeOf::Right) => MouseLocation::StatusRight,
                Some(RangeOf::Window(index)) => {
                    place.window = Some(session.windows.get(index)?.window);
                    MouseLocation::Status
                }
                Some(RangeOf::Pane(pane)) => {
                    place.window = Some(self.panes.get(pane)?.window);
                    place.pane = Some(*pane);
                    MouseLocation::Status
                }
                Some(RangeOf::Session(session)) => {
                    place.session = self.sessions.get(session).map(|session| session.id);
                    MouseLocation::Status
                }
                Some(RangeOf::User(_)) => MouseLocation::Status,
                Some(RangeOf::Control(number)) => MouseLocation::control(*number)?,
                None => MouseLocation::StatusDefault,
            };
            return Some(Spot { place, location, x, y });
        }
        let (x, y) = self.in_window(id, at);
        place.window = Some(window.id);
        place.pane = self.pane_under(window, x, y);
        let rect = place.pane.and_then(|pane| window.shown().rect(pane));
        let on_border = rect.is_some_and(|rect| !rect.contains(x, y));
        let control = place.pane.filter(|_| on_border).and_then(|pane| self.border_control(id, pane, (x, y)));
        let control = control.and_then(MouseLocation::control);
        let part = place.pane.and_then(|pane| self.scrollbar_part(window, pane, (x, y)));
        let location = match (control.or(part), on_border) {
            (Some(location), _) => location,
            (None, _) if rect.is_none() => MouseLocation::Empty,
            (None, true) => MouseLocation::Border,
            (None, false) => MouseLocation::Pane,
        };
        Some(Spot { place, location, x, y })
    }

    /// The pane at a place of its window, its border counting as its own: the one with its text, or right of or below it.
    fn pane_under(&self, window: &crate::Window, x: u32, y: u32) -> Option<PaneId> {
        let has = |pane: PaneId| {
            let rect = window.shown().rect(pane);
            rect.is_some_and(|rect| rect.y == y as i32 + 1 && (rect.x..rect.right()).contains(&(x as i32)))
        };
        let found = self.pane_at(window, x, y);
        let floats = |pane: PaneId| window.shown().floating().any(|other| other == pane);
        if window.modal.is_some() || found.is_some_and(floats) {
            return found;
        }
        let text_above = self.window_text(window.id, "pane-border-status") == "top";
        let named = window.panes().iter().copied().find(|pane| text_above && !floats(*pane) && has(*pane));
        named.or(found)
    }

    /// The control button that the text of a pane's border has there.
    fn border_control(&self, id: ClientId, pane: PaneId, (x, y): (u32, u32)) -> Option<u8> {
        let window = self.panes.get(&pane)?.window;
        let rect = self.windows.get(&window)?.rect(pane)?;
        let row = match self.window_text(window, "pane-border-status").as_str() {
            "top" => i64::from(rect.y) - 1,
            "bottom" => i64::from(rect.bottom()),
            _ => return None,
        };
        let column = (i64::from(x) - i64::from(rect.x) - 2).try_into().ok()?;
        let on_text = i64::from(y) == row;
        let ranges = self.clients.get(&id)?.border_ranges.iter().filter(|_| on_text);
        ranges
            .filter(|range| range.pane == pane && (range.from..range.to).contains(&column))
            .map(|it| it.control)
            .next()
    }

    /// What formats say of the mouse: its pane and place there, what stands under it, and its part of the status line.
    /// The text costs more and is looked for only when `text` mentions it.
    pub(crate) fn mouse_values(
        &self,
        client: Option<ClientId>,
        place: Option<MousePlace>,
        mouse: &Mouse,
        text: &str,
    ) -> Vec<(String, String)> {
        let mut values = Vec::new();
        let mut add = |name: &str, value: String| values.push((name.to_owned(), value));
        if let Some((row, client)) = client.and_then(|id| {
            let row = self.status_row(id, mouse.event.y.into())?;
            Some((row, self.clients.get(&id)?))
        }) {
            add("mouse_status_line", row.to_string());
            let range = client.status_range(mouse.event.x.into(), mouse.event.y.into());
            if let Some(range) = range {
                add("mouse_status_range", range.name().to_owned());
            }
        }
        let Some(pane) = place.and_then(|place| self.panes.get(&place.pane?)) else { return values };
        let Some(rect) = self.windows.get(&pane.window).and_then(|window| window.rect(pane.id)) else { return values };
        add("mouse_pane", pane.id.to_string());
        let (x, y) = (i64::from(mouse.x) - i64::from(rect.x), i64::from(mouse.y) - i64::from(rect.y));
        let inside = (0..i64::from(rect.width)).contains(&x) && (0..i64::from(rect.height)).contains(&y);
        if !inside {
            return values;
        }
        add("mouse_x", x.to_string());
        add("mouse_y", y.to_string());
        let mentions = ["mouse_word", "mouse_line", "mouse_hyperlink", "#{E:", "#{T:"];
        if mentions.iter().any(|name| text.contains(name)) {
            let separators = self.globals.session.text("word-separators");
            let found = under(pane, &separators, (x as u16, y as u16));
            let texts = [("mouse_word", found.word), ("mouse_line", found.line), ("mouse_hyperlink", found.link)];
            for (name, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
                add(name, text);
            }
        }
        values
    }
}
