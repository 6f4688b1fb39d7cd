//! Where a menu or popup is put: what `-x` and `-y` may name, and what formats in them see.

use crate::Mux;
use crate::client::RangeOf;
use crate::id::ClientId;
use crate::layout::Extent;
use crate::queue::Context;

/// What positions are counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Within {
    /// The window that the client shows (menus).
    Window,
    /// The client's screen (popups).
    Client,
}

/// The area that positions are counted in.
struct Area {
    size: Extent,
    /// Column and row of the area's first cell in the window.
    origin: (i64, i64),
    /// Status lines: their first row of the area when they are at the top, and how many.
    status: Option<(bool, i64)>,
}

/// A name of `-x` or `-y`, and the format it stands for.
const COLUMNS: &[(&str, &str)] = &[
    ("C", "#{popup_centre_x}"),
    ("R", "#{popup_pane_right}"),
    ("P", "#{popup_pane_left}"),
    ("M", "#{popup_mouse_centre_x}"),
    ("L", "#{popup_last_x}"),
    ("W", "#{popup_window_status_line_x}"),
];
const ROWS: &[(&str, &str)] = &[
    ("C", "#{popup_centre_y}"),
    ("P", "#{popup_pane_bottom}"),
    ("M", "#{popup_mouse_top}"),
    ("L", "#{popup_last_y}"),
    ("S", "#{popup_status_line_y}"),
    ("W", "#{popup_window_status_line_y}"),
];

impl Mux {
    /// Column and row on the client of something of this size, by `-x` and `-y` of the command at hand.
    pub(crate) fn overlay_place(
        &self,
        context: &Context<'_>,
        id: ClientId,
        within: Within,
        (width, height): (u16, u16),
    ) -> Option<(u16, u16)> {
        let area = self.area(context, id, within)?;
        let size = (i64::from(width), i64::from(height));
        let mut values = self.format_values(context, "");
        values.extend(self.place_values(context, id, &area, size, within));
        let expand = |flag: char, names: &[(&str, &str)]| {
            let given = context.get(flag).unwrap_or_else(|| "C".to_owned());
            let format = names.iter().find(|(name, _)| *name == given).map_or(given.as_str(), |(_, format)| format);
            leading(&self.expand_at(Some(id), context.target, format, &values, context.world, context.now))
        };
        let most = |whole: u32, part: i64| (i64::from(whole) - part).max(0);
        let x = expand('x', COLUMNS).clamp(0, most(area.size.width, size.0));
        let y = (expand('y', ROWS) - size.1).clamp(0, most(area.size.height, size.1));
        let top = if within == Within::Window { i64::from(self.window_top(id)) } else { 0 };
        let short = |n: i64| u16::try_from(n.max(0)).unwrap_or(u16::MAX);
        Some(match within {
            Within::Client => (short(x), short(y)),
            Within::Window => (short(x + area.origin.0), short(y + area.origin.1 + top)),
        })
    }

    fn area(&self, context: &Context<'_>, id: ClientId, within: Within) -> Option<Area> {
        let client = self.clients.get(&id)?;
        let session = client.session?;
        let lines = i64::from(self.client_status_lines(client));
        let at_top = self.session_text(session, "status-position") == "top";
        let status = (lines > 0).then_some((at_top, lines));
        let view = (i64::from(client.view.0), i64::from(client.view.1));
        Some(match within {
            Within::Client => {
                let (cols, rows) = client.screen_size()?;
                let top = if at_top { lines } else { 0 };
                let size = Extent { width: cols.into(), height: rows.into() };
                Area { size, origin: (-view.0, top - view.1), status }
            }
            Within::Window => {
                let size = self.windows.get(&context.target.window?)?.size();
                Area { size, origin: (-view.0, -view.1), status }
            }
        })
    }

    fn place_values(
        &self,
        context: &Context<'_>,
        id: ClientId,
        area: &Area,
        (width, height): (i64, i64),
        within: Within,
    ) -> Vec<(String, String)> {
        let mut values = Vec::new();
        let mut add = |name: &str, value: i64| values.push((name.to_owned(), value.to_string()));
        let (cols, rows) = (i64::from(area.size.width), i64::from(area.size.height));
        let last = self.clients.get(&id).map_or((0, 0), |client| client.last_menu);
        add("popup_last_x", last.0.into());
        add("popup_last_y", i64::from(last.1) + height);
        if let Some((at_top, lines)) = area.status {
            let in_window = within == Within::Window;
            let line = |line: i64| match (at_top, in_window) {
                (true, true) => height,
                (true, false) => line + height,
                (false, true) => rows,
                (false, false) => rows - lines + line,
            };
            add("popup_status_line_y", if at_top { line(lines) } else { line(0) });
            if let Some((row, start)) = self.window_on_status(context, id) {
                add("popup_window_status_line_x", if in_window { start - area.origin.0 } else { start });
                add("popup_window_status_line_y", if at_top { line(row + 1) } else { line(row) });
            }
        }
        add("popup_width", width);
        add("popup_height", height);
        add("popup_centre_x", ((cols - 1) / 2 - width / 2).max(0));
        let centre = (rows - 1) / 2 + height / 2;
        add("popup_centre_y", if centre >= rows { (rows - height).max(0) } else { centre });
        if let Some((x, y)) = self.mouse_in_area(context, id, within) {
            add("popup_mouse_x", x);
            add("popup_mouse_y", y);
            add("popup_mouse_centre_x", (x - width / 2).max(0));
            let centre = y - height / 2;
            add("popup_mouse_centre_y", if centre + height >= rows { (rows - height).max(0) } else { centre });
            add("popup_mouse_top", if y + height >= rows { rows - 1 } else { y + height });
            add("popup_mouse_bottom", (y - height).max(0));
        }
        let pane = context.target.pane.and_then(|id| self.panes.get(&id));
        let rect = pane.and_then(|pane| self.windows.get(&pane.window)?.rect(pane.id));
        if let Some(rect) = rect {
            let (left, top) = match within {
                Within::Window => (i64::from(rect.x), i64::from(rect.y)),
                Within::Client => (i64::from(rect.x) + area.origin.0, i64::from(rect.y) + area.origin.1),
            };
            add("popup_pane_top", if top + height >= rows { (rows - height).max(0) } else { top + height });
            add("popup_pane_bottom", top + i64::from(rect.height));
            add("popup_pane_left", left);
            add("popup_pane_right", (left + i64::from(rect.width) - width).max(0));
        }
        values
    }

    /// Row of the status lines and first column where the target's window is listed.
    fn window_on_status(&self, context: &Context<'_>, id: ClientId) -> Option<(i64, i64)> {
        let client = self.clients.get(&id)?;
        let index = context.target.index?;
        let lines = self.client_status_lines(client);
        let at_top = self.window_top(id) > 0;
        let first = if at_top { 0 } else { u32::from(client.size?.1).saturating_sub(lines) };
        let range = client.status_ranges.iter().find(|range| range.what == RangeOf::Window(index))?;
        Some((i64::from(range.row.saturating_sub(first)), range.from.into()))
    }

    fn mouse_in_area(&self, context: &Context<'_>, id: ClientId, within: Within) -> Option<(i64, i64)> {
        let event = &context.state.mouse_event.as_ref()?.event;
        let (x, y) = (i64::from(event.x), i64::from(event.y));
        if within == Within::Client {
            return Some((x, y));
        }
        let client = self.clients.get(&id)?;
        let (view, top) = (client.view, i64::from(self.window_top(id)));
        let lines = i64::from(self.client_status_lines(client));
        let shown = i64::from(client.size?.1) - lines;
        Some((x + i64::from(view.0), (y - top).clamp(0, (shown - 1).max(0)) + i64::from(view.1)))
    }
}

/// The number that a text begins with; 0 for none.
fn leading(text: &str) -> i64 {
    let text = text.trim_start();
    let sign = usize::from(text.starts_with(['-', '+']));
    let end = text[sign..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |at| at + sign);
    text[..end].parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_from_the_start() {
        assert_eq!((leading("12"), leading(" -3x"), leading(""), leading("x1"), leading("-")), (12, -3, 0, 0, 0));
    }
}
