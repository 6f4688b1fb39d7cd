//! The mouse on panes that float: what it holds of them, and how they follow.

use crate::Mux;
use crate::id::PaneId;
use crate::input::Now;
use crate::layout::Rect;
use crate::queue::Context;
use keymap::MouseLocation;

/// What a mouse that is held down on a floating pane does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grip {
    /// Moves it.
    Move,
    /// Moves these borders of it.
    Sides {
        /// The left one.
        left: bool,
        /// The right one.
        right: bool,
        /// The one above.
        top: bool,
        /// The one below.
        bottom: bool,
    },
    /// Draws it up anew, from here.
    Draw(u32, u32),
}

impl Mux {
    /// What happens beside a modal pane is for nobody; a button that goes down there may close it. False without one.
    pub(super) fn beside_modal(&mut self, now: Now, pressed: bool, spot: &super::Spot) -> bool {
        let window = spot.place.window.filter(|_| spot.location == MouseLocation::Empty);
        let Some(modal) = window.and_then(|id| self.windows.get(&id)?.modal) else { return false };
        if pressed && self.panes.get(&modal).is_some_and(|pane| pane.closes_on_click) {
            self.close_pane(now, modal);
        }
        true
    }

    /// Where the drag that runs a command began.
    pub(super) fn drag_origin(&self, context: &Context<'_>) -> Option<(u32, u32)> {
        let mouse = context.state.mouse_event.as_ref()?;
        Some(self.in_window(context.client?, (mouse.event.last_x, mouse.event.last_y)))
    }

    /// The mouse of a client moves the floating pane that it is on.
    pub(crate) fn start_move(&mut self, context: &Context<'_>) {
        let place = self.drag_origin(context);
        let pane = context.state.mouse.and_then(|place| place.pane);
        let Some(((window, pane), place)) =
            pane.and_then(|pane| Some((self.panes.get(&pane)?.window, pane))).zip(place)
        else {
            return;
        };
        if !self.windows.get(&window).is_some_and(|entry| entry.is_floating(pane)) {
            return;
        }
        self.focus_pane(context.client, window, pane);
        if let Some(client) = context.client.and_then(|id| self.clients.get_mut(&id)) {
            client.drag = Some(place);
            client.grip = Some((pane, Grip::Move));
        }
        self.follow(context);
    }

    /// The mouse of a client draws up a floating pane from where it is.
    pub(crate) fn draw_up(&mut self, context: &Context<'_>, pane: PaneId) {
        let Some((x, y)) = context.state.mouse_event.as_ref().map(|mouse| (mouse.x, mouse.y)) else { return };
        let (from_x, from_y) = self.drag_origin(context).unwrap_or((x, y));
        if let Some(client) = context.client.and_then(|id| self.clients.get_mut(&id)) {
            client.drag = Some((x, y));
            client.grip = Some((pane, Grip::Draw(from_x, from_y)));
        }
        self.drag_floating(pane, Grip::Draw(from_x, from_y), (from_x, from_y), (x, y));
    }

    /// Take hold of the floating pane under a client's mouse, which becomes the active one.
    pub(super) fn take_hold(&mut self, context: &Context<'_>, at: Option<(u32, u32)>) -> Option<(PaneId, Grip)> {
        let ((x, y), pane) = at.zip(context.state.mouse.and_then(|place| place.pane))?;
        let grip = self.grip(pane, x, y)?;
        let window = self.panes.get(&pane)?.window;
        self.focus_pane(context.client, window, pane);
        Some((pane, grip))
    }

    /// How a floating pane is held at a place.
    fn grip(&self, pane: PaneId, x: u32, y: u32) -> Option<Grip> {
        let window = self.windows.get(&self.panes.get(&pane)?.window)?;
        let rect = window.rect(pane).filter(|_| window.is_floating(pane))?;
        let (x, y) = (i64::from(x), i64::from(y));
        let (left, right) = (i64::from(rect.x) - 1, i64::from(rect.right()));
        let (top, bottom) = (i64::from(rect.y) - 1, i64::from(rect.bottom()));
        let (on_top, on_bottom) = (y == top, y == bottom);
        // Cells are high, so the one beside a corner counts as the corner.
        let corner = on_top || on_bottom;
        let at_left = x == left || corner && x == left + 1;
        let at_right = x == right || corner && x == right + 1;
        if on_top && !at_left && !at_right {
            return Some(Grip::Move);
        }
        let sides = Grip::Sides { left: at_left, right: at_right, top: on_top, bottom: on_bottom };
        Some(sides).filter(|_| at_left || at_right || on_top || on_bottom)
    }

    /// The mouse that holds a floating pane went from one place to another.
    pub(crate) fn drag_floating(&mut self, pane: PaneId, grip: Grip, from: (u32, u32), to: (u32, u32)) {
        let Some(window) = self.panes.get(&pane).map(|pane| pane.window) else { return };
        let border = self.has_border(pane);
        let Some(entry) = self.windows.get(&window).filter(|entry| entry.is_floating(pane)) else { return };
        let Some(rect) = entry.rect(pane) else { return };
        let (dx, dy) = (to.0 as i32 - from.0 as i32, to.1 as i32 - from.1 as i32);
        let rect = match grip {
            Grip::Move => Rect { x: rect.x + dx, y: rect.y + dy, ..rect },
            Grip::Sides { left, right, top, bottom } => {
                let (x, width) = pulled((rect.x, rect.width), (left, right), dx);
                let (y, height) = pulled((rect.y, rect.height), (top, bottom), dy);
                Rect { x, y, width, height }
            }
            Grip::Draw(x, y) => {
                let (x, width) = drawn(x, to.0, border);
                let (y, height) = drawn(y, to.1, border);
                Rect { x, y, width, height }
            }
        };
        self.place_floating(window, pane, rect);
    }
}

/// A span of which one end or the other is pulled; it keeps a cell.
fn pulled((start, cells): (i32, u32), (first, last): (bool, bool), by: i32) -> (i32, u32) {
    let most = i32::try_from(cells).unwrap_or(i32::MAX) - 1;
    let by = if first { by.min(most) } else { by.max(-most) };
    match (first, last) {
        (true, _) => (start + by, cells.saturating_add_signed(-by)),
        (false, true) => (start, cells.saturating_add_signed(by)),
        (false, false) => (start, cells),
    }
}

/// The cells between two places, both included, without the border.
fn drawn(from: u32, to: u32, border: bool) -> (i32, u32) {
    let (start, end) = (from.min(to), from.max(to));
    let edge = u32::from(border);
    ((start + edge) as i32, (end - start + 1).saturating_sub(2 * edge).max(1))
}
